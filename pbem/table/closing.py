"""From a table to the outcome of its phase: orders, rulings and dice in, verdicts and events out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.table import rulings, spoken
from pbem.table.rulings import Do, Overrule, SetFact
from pbem.table.table import Ruled, Table
from pbem.terms import Complaint, Fact, Given, OrderLine, Outcome, Seat


def orders(table: Table) -> Mapping[Seat, tuple[Any, ...]]:
    """Return the orders of every seat that owes: what is on hand, or what the rules leave to whoever sent nothing."""
    assert table.phase is not None
    dice = table.phase_dice().at("missing")
    return {
        seat: table.orders(seat) if seat in table.hand else table.ruleset.missing(table.state, seat, dice.at(seat))
        for seat in table.phase.owing
    }


def nmr(table: Table) -> tuple[Seat, ...]:
    """Return the seats that owed orders, sent none and were not excused."""
    return tuple(seat for seat in table.owing if seat not in table.hand and seat not in table.excused)


def given(table: Table) -> Given:
    """Gather what the rulings in force say about facts, for this adjudication."""
    pinned: dict[str, Fact] = {}
    effects = []
    for ruled in (*table.standing, *table.rulings):
        match ruling(table, ruled):
            case Overrule(key, value) | SetFact(key, value):
                pinned[key] = value
            case Do(effect):
                effects.append(effect)
            case _:
                pass
    return Given(pinned, tuple(effects))


def ruling(table: Table, ruled: Ruled) -> rulings.Ruling | None:
    """
    Read a ruling in force again; None for one that has done its work, or no longer applies.

    A `set` that was given while orders were open has changed the state already and pins nothing.
    """
    if ruled.line.startswith("set ") and ruled.number not in table.at_proof:
        return None
    if not ruled.line.startswith(("overrule ", "set ", "do ")):
        return None
    found = spoken.read(table, OrderLine(1, ruled.line), ruled.because)
    return None if isinstance(found, Complaint) else found


def adjudicate(table: Table) -> Outcome[Any]:
    """Adjudicate the phase from its state, with everything that people decided."""
    return table.ruleset.adjudicate(table.state, orders(table), given(table), table.phase_dice())
