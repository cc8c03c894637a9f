"""What a ruling does to the table, one canonical line at a time."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

import msgspec

from pbem.phrases import Unread
from pbem.table import receiving, rulings, spoken
from pbem.table.table import OnHand, Ruled, Table, Unreadable
from pbem.terms import Complaint, Fact, OrderLine, Seat

replace = msgspec.structs.replace


def apply_ruling(table: Table, line: str, because: str, noted: datetime) -> Table:
    """
    Let one canonical ruling act.

    Those that are printed are numbered through the game; one that was taken back, or fits no more since another was,
    only uses up its number. One that cannot be read any more, under newer rules, can be taken back, and does
    nothing; nor does the calendar until that is settled.
    """
    is_numbered = not line.startswith(("approve ", "undo ")) and line != "hold"
    number = table.ruled + is_numbered
    table = replace(table, ruled=number)
    if is_numbered and number in table.undone:
        return table
    ruling = spoken.read(table, OrderLine(1, line), because)
    if isinstance(ruling, Complaint):
        if ruling.fault == "illegal" and (table.undone or line.startswith("approve ")):
            return table  # proofs may have been counted otherwise when it was given; it let its report out then
        table = replace(table, unread=(*table.unread, _lost(line, number * is_numbered, ruling.because)))
    if is_numbered:
        ruled = Ruled(number, table.number, line, because)
        table = replace(table, rulings=(*table.rulings, ruled))
    if isinstance(ruling, Complaint):
        return table
    return _act(table, ruling, number, noted)


def _lost(line: str, number: int, because: str) -> Unreadable:
    """Name a ruling that cannot be read any more; one about orders may quote them, and they are secret."""
    verb = line.partition(" ")[0]
    shown = verb if verb in ("strike", "order") else line
    if not number:
        return Unreadable(shown, "", line, because)
    return Unreadable(f"ruling {number}, {shown}", f"undo {number}", line, because)


def _act(table: Table, ruling: rulings.Ruling, number: int, noted: datetime) -> Table:
    match ruling:
        case rulings.SetFact(key, value):
            return _set(table, key, value, number)
        case rulings.Strike(seat, order):
            return _strike(table, seat, order)
        case rulings.OrderFor(seat, orders):
            return replace(table, hand={**table.hand, seat: OnHand(orders, (noted, "", ""))})
        case rulings.Excuse(seat):
            return replace(table, excused=table.excused | {seat})
        case rulings.Extend(span):
            assert table.deadline is not None
            return _move(table, table.deadline + span)
        case rulings.MoveDeadline(instant):
            return _move(table, instant)
        case rulings.Approve(proof):
            return replace(table, approved=proof, held=False)
        case rulings.Undo(undone):
            return replace(table, standing=_left(table.standing, undone), rulings=_left(table.rulings, undone))
        case rulings.Plain(words):
            return _plain(table, words, noted)
        case rulings.Overrule() | rulings.Do() | rulings.Note():
            return table
        case _:
            assert_never(ruling)


def _left(ruled: tuple[Ruled, ...], undone: int) -> tuple[Ruled, ...]:
    return tuple(one for one in ruled if one.number != undone)


def _set(table: Table, key: str, value: Fact, number: int) -> Table:
    if table.status == "closed":
        return replace(table, at_proof=table.at_proof | {number})
    changed = table.ruleset.amend(table.state, key, value)
    assert not isinstance(changed, Unread), "it was read a moment ago"
    phase = table.ruleset.phase(changed) if table.status == "open" else table.phase
    return receiving.recheck(replace(table, state=changed, phase=phase), table)


def _strike(table: Table, seat: Seat, order: str) -> Table:
    held = table.hand[seat]
    place = held.orders.index(order)
    rest = held.orders[:place] + held.orders[place + 1 :]
    if not rest:
        return receiving.without_hand(table, seat)
    return replace(table, hand={**table.hand, seat: replace(held, orders=rest)})


def _move(table: Table, deadline: datetime) -> Table:
    assert table.deadline is not None
    extended = table.extended + (deadline - table.deadline)
    return replace(table, deadline=deadline, extended=extended, reminded=())


def _plain(table: Table, words: str, noted: datetime) -> Table:
    match words:
        case "hold":
            return replace(table, held=True, approved=0)
        case "close now":
            return replace(table, close_now=True)
        case "begin":
            return replace(table, begin_now=True)
        case "pause":
            return replace(table, paused=noted)
        case "resume":
            assert table.paused is not None and table.deadline is not None
            return replace(table, paused=None, deadline=table.deadline + (noted - table.paused))
        case _:
            return table
