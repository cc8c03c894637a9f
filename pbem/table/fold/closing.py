"""From a table to the outcome of its phase: orders, rulings and dice in, verdicts and events out."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from pbem.ground.terms import CharterError, Fact, Given, Outcome, Seat
from pbem.table import rulings
from pbem.table.model import hands
from pbem.table.model.table import Table, Unreadable

MOST_QUESTIONS = 100
"""How often a phase may stop to ask; one that stops more often would never end."""


def unreadable(table: Table) -> tuple[Unreadable, ...]:
    """Return all orders and rulings that count in this phase and that this version can no longer read."""
    hands = (lost for seat in table.sets.hand for lost in table.unreadable(seat))
    standing = (
        rulings.lost_ruling(ruled.ruling, ruled.number, wrong.because)
        for ruled in table.standing
        if (wrong := ruled.ruling.unfit(table)) and wrong.fault != "illegal"
    )
    return (*table.unread, *hands, *standing)


def check(table: Table) -> None:
    """Stop where something that counts cannot be read. Errors: CharterError that says what, and what to do."""
    lost = unreadable(table)
    if not lost:
        return
    first, more = lost[0], f" So it is with {len(lost) - 1} more." if len(lost) > 1 else ""
    because = f" ({first.because})" if first.what.endswith(first.line) else ""
    mends = f" or let its moderator take it out: {first.mends}," if first.mends else ""
    raise CharterError(
        f"{table.charter.game}: {first.what}, was taken by another version of pbem, and this one cannot read "
        f"it{because}.{more} Until that is settled {table.title} goes no further. Go on with that version until the "
        f"next phase,{mends} or have it sent anew."
    )


def orders(table: Table, question: int = 0) -> Mapping[Seat, tuple[Any, ...]]:
    """
    Return the orders of every seat that owes: its set on hand, or what the rules give to a seat that sent none.

    Who owes none, and may send some, is there where they did. Each question of a phase has dice of its own.
    """
    assert table.phase is not None
    dice = table.phase_dice().at(f"missing {question}" if question else "missing")
    seats = (*table.phase.owing, *(seat for seat in table.phase.may if seat in table.sets.hand))
    return {
        seat: table.orders(seat) if seat in table.sets.hand else table.ruleset.missing(table.state, seat, dice.at(seat))
        for seat in seats
    }


def nmr(table: Table) -> tuple[Seat, ...]:
    """Return the seats that owed orders, sent none and were not excused, where they are named at all."""
    if table.sealed:
        return table.sealed.nmr
    if table.phase and not table.phase.names_absent:
        return ()
    return tuple(seat for seat in table.owing if seat not in table.sets.hand and seat not in table.excused)


def given(table: Table) -> Given:
    """Return what the rulings in force give to this adjudication."""
    pinned: dict[str, Fact] = {}
    effects: list[str] = []
    at_proof = 0
    for ruled in (*table.standing, *table.rulings):
        found = ruled.ruling.given(at_proof=ruled.at_proof)
        pinned |= found.pinned
        effects += found.effects
        at_proof += len(found.effects) if ruled.at_proof else 0
    return Given(pinned, tuple(effects), at_proof=at_proof)


def adjudicate(table: Table) -> Outcome[Any]:
    """
    Adjudicate the phase from its state, with everything that people decided.

    Where it stops to ask, the answers that there are are given to it in their order, each read as it was when it was
    asked. Once there was a proof nobody is asked any more: whoever a ruling would have us ask says nothing.
    """
    if table.sealed:
        table = with_answers(table)
    sent, decided, dice = orders(table), given(table), table.phase_dice()
    answers: list[Mapping[Seat, tuple[Any, ...]]] = []
    while True:
        now = msgspec.structs.replace(decided, answers=tuple(answers))
        outcome = table.ruleset.adjudicate(table.state, sent, now, dice)
        place = len(answers)
        if not outcome.asks or (place >= len(table.sets.answers) and not table.proof):
            return outcome
        assert place < MOST_QUESTIONS, f"{table.charter.game}: {table.title} does not end for questions"
        held = table.sets.answers[place] if place < len(table.sets.answers) else {}
        asked = msgspec.structs.replace(
            table,
            status="open",
            state=outcome.state,
            phase=table.ruleset.phase(outcome.state),
            sets=msgspec.structs.replace(table.sets, hand=held),
        )
        assert asked.owing, f"{table.charter.game}: {table.title} stops to ask, and nobody owes an answer"
        answers.append(orders(asked, question=len(answers) + 1))


def stop_to_ask(table: Table, opened: datetime, deadline: datetime) -> Table:
    """Open a closed phase once more, for the seats alone that it stops to ask."""
    assert table.outcome is not None
    state, nobody = table.outcome.state, frozenset[Seat]()
    asking = msgspec.structs.replace(
        table,
        status="open",
        state=state,
        phase=table.ruleset.phase(state),
        outcome=None,
        sets=msgspec.structs.replace(table.sets, hand={}, replaced={}, dropped={}),
        waits=nobody,
        ready=nobody,
        excused=nobody,
        opened=opened,
        deadline=deadline,
        extended=timedelta(0),
        reminded=(),
        close_now=False,
        sealed=msgspec.structs.replace(table, base=None, log=()),
    )
    asking = msgspec.structs.replace(asking, asked=table.asked | set(asking.sending))
    for seat in asking.owing:
        asking = hands.carry(asking, seat, opened)
    return asking


def ask_anew(table: Table, noted: datetime) -> Table:
    """
    Ask what the phase asks now, since a ruling may have changed that; closed where there is nothing left to ask.

    Shape: answers that still read stay on hand, of those who are asked still.
    """
    closed = unsealed(table)
    outcome = adjudicate(closed)
    if not outcome.asks:
        return msgspec.structs.replace(closed, status="closed", closed=noted, paused=None, overdue=0)
    asking = msgspec.structs.replace(table, state=outcome.state, phase=table.ruleset.phase(outcome.state))
    asking = msgspec.structs.replace(asking, asked=table.asked | set(asking.sending))
    for seat in set(asking.sets.hand) - set(asking.sending):
        asking = hands.without_hand(asking, seat)
    return hands.recheck(asking, table)


def asked_anew(before: Table, after: Table) -> frozenset[Seat]:
    """Return the seats that a phase asks in its middle what it did not ask them before, or not so."""
    if before.sealed is None or after.sealed is None or after.status != "open" or after.close_now:
        return frozenset()
    return frozenset(
        seat
        for seat in after.owing
        if seat not in before.owing
        or after.ruleset.asked(after.seen_by(seat), seat) != before.ruleset.asked(before.seen_by(seat), seat)
    )


def with_answers(table: Table) -> Table:
    """Return the table as its orders were closed, with what was answered, and decided, since."""
    closed = unsealed(table)
    sets = msgspec.structs.replace(closed.sets, answers=(*table.sets.answers, table.sets.hand))
    return msgspec.structs.replace(closed, sets=sets)


def unsealed(table: Table) -> Table:
    """Return the table as its orders were closed, with what was decided since, and without what is being answered."""
    closed = table.sealed
    assert closed is not None
    state = closed.state
    for ruled in table.rulings[len(closed.rulings) :]:
        state = ruled.ruling.amended(table.ruleset, state)
    return msgspec.structs.replace(
        table,
        sealed=None,
        state=state,
        phase=closed.phase,
        sets=msgspec.structs.replace(table.sets, hand=closed.sets.hand, replaced={}, dropped=closed.sets.dropped),
        waits=closed.waits,
        ready=closed.ready,
        excused=closed.excused,
        opened=closed.opened,
        deadline=closed.deadline,
    )


def is_reviewed(table: Table) -> bool:
    """Say whether a phase that was closed has a proof for its moderator: not while it stops to ask."""
    asks = table.outcome is not None and bool(table.outcome.asks)
    return table.phase is not None and table.phase.kind in table.charter.review and not asks
