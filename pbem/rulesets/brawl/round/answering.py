"""Answers the tests in order lines from what is declared and how fighters stand."""

from pbem.rulesets.brawl.order import Test
from pbem.rulesets.brawl.round.declarations import Table, is_called, set_factors
from pbem.rulesets.brawl.state import State


def answer(state: State, seat: str, test: Test, table: Table) -> bool:
    """Answer a seat's test by what stands on the table. Rule: M2."""
    about = state.fighter(test.seat or seat)
    on_me = [blow for declared in table.declared.values() for blow in declared.blows if blow.on == seat]
    match test.kind:
        case "attacks":
            declared = table.declared.get(test.seat)
            return bool(declared) and any(blow.on == (test.other or seat) for blow in declared.blows)  # type: ignore[union-attr]
        case "attacked by":
            return test.holds(len(on_me))
        case "attack on me":
            strengths = [strength for by in table.declared for strength in _strengths(state, table, by, seat)]
            return test.holds(max(strengths, default=0))
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
        case "health" | "my health":
            return test.holds(about.health)
        case "endurance" | "my endurance":
            return test.holds(about.endurance)
        case "has":
            return bool(about.item)
        case "down":
            return bool(about.down)
        case "up":
            return about.is_up
        case "always":
            return True
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
