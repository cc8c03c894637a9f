"""Answers the tests of order lines by what is declared and how fighters stand; reads and writes none."""

from __future__ import annotations

from pbem.rulesets.brawl.orders import Test
from pbem.rulesets.brawl.state import Fighter, State
from pbem.rulesets.brawl.table import Table, is_called, set_factors


def true(state: State, seat: str, test: Test, table: Table) -> bool:
    """Answer a seat's test by what stands on the table. Rule: M2."""
    me, on_me = state.fighter(seat), [b for d in table.declared.values() for b in d.blows if b.on == seat]
    match test.kind:
        case "attacks":
            declared = table.declared.get(test.seat)
            return bool(declared) and any(blow.on == (test.other or seat) for blow in declared.blows)  # type: ignore[union-attr]
        case "attacked by":
            return test.holds(len(on_me))
        case "attack on me":
            return test.holds(max((s for d in table.declared for s in _strengths(state, table, d, seat)), default=0))
        case "drops":
            return any(drop.seat == test.seat and is_called(drop.action, test.what) for drop in table.drops)
        case "defends":
            declared = table.declared.get(test.seat)
            return test.holds(len(declared.guards) if declared else 0)
        case "first":
            return state.rank(seat) == len(state.order) - 1
        case "last":
            return state.rank(seat) == 0
        case "round":
            return test.holds(state.round)
        case "my health":
            return test.holds(me.health)
        case "my endurance":
            return test.holds(me.endurance)
        case "always":
            return True
        case _:
            return _of(state.fighter(test.seat), test)


def _of(fighter: Fighter, test: Test) -> bool:
    match test.kind:
        case "has":
            return bool(fighter.item)
        case "down":
            return bool(fighter.down)
        case "up":
            return fighter.is_up
        case "health":
            return test.holds(fighter.health)
        case "endurance":
            return test.holds(fighter.endurance)
        case _:
            raise AssertionError(f"no test is called {test.kind}")


def _strengths(state: State, table: Table, by: str, on: str) -> list[int]:
    """Return how strong somebody's declared attacks on a seat would be, as things stand."""
    declared, fighter = table.declared[by], state.fighter(by)
    factors = set_factors(declared, declared.dice)
    base = fighter.base_attack + fighter.advantage
    return [
        base + sum(declared.dice[letter].value * factors[letter] for letter in blow.dice)
        for blow in declared.blows
        if blow.on == on
    ]
