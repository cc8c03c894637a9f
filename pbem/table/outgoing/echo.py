"""The echo of a ruling: what it changes, for the moderator, and what others hear of it."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.ground.terms import Facts, Seat
from pbem.ruleset import ExplainingRuleset
from pbem.table import rulings
from pbem.table.clock.views import BaseView, RulingRow, moment, ruling_row
from pbem.table.fold import approving, closing, replay
from pbem.table.fold.journal import RulingGiven
from pbem.table.model.table import Ruled, Table
from pbem.table.outgoing.deputies import deputy_asked
from pbem.table.outgoing.deputies import told as told_of_deputy
from pbem.table.outgoing.echo_view import echo, invited_again, new, undone
from pbem.table.outgoing.letter import MOST_ANSWERS, Owed, asked, hand, invitation, letter, numbered, question
from pbem.table.outgoing.plain import Accepted, Told, Unseated, Withdrawn
from pbem.table.outgoing.replacing import offers_changed
from pbem.table.outgoing.reports import proof_view, proofs
from pbem.table.outgoing.resent import resent
from pbem.table.requests.manuals import Help, Rules, TermsAsked, Topic, handbook
from pbem.table.requests.resend import Resend, Resent
from pbem.table.rulings.accept_late import AcceptLate
from pbem.table.rulings.do import Do
from pbem.table.rulings.eject import Eject
from pbem.table.rulings.invite import Invite
from pbem.table.rulings.set_fact import SetFact
from pbem.table.rulings.tell import Tell

_LETTERS_OF_THEIR_OWN = (TermsAsked, Resent, Topic)


class Notice(BaseView, frozen=True, kw_only=True):
    """
    Tells a player what rulings come to for them while orders are open.

    Shape: `alone` where it is for them and not for all, `changed` where their set is another; `undone` are numbers.
    """

    template = "notice"

    alone: bool
    changed: bool
    anew: bool
    undone: tuple[int, ...]
    rulings: tuple[RulingRow, ...]


def echoes(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """Yield the answer to a mail of the moderator's or the deputy's, and the letters that its rulings call for."""
    tried = replay.step(before, msgspec.structs.replace(entry, test=False)) if entry.test else after
    writer = before.deputy if entry.by_deputy else after.charter.moderator
    given, asked_for = entry.rulings, entry.requests
    answers = [(place, one) for place, request in enumerate(asked_for) if (one := request.answer(after, None))]
    apart = [(place, one) for place, one in answers if isinstance(one.view, _LETTERS_OF_THEIR_OWN)]
    for place, one in apart[:MOST_ANSWERS]:
        found = resent(after, None, one)
        answered = msgspec.structs.replace(found.view, moment=moment(after, None))
        answer = letter(after, entry, answered, None, found.parts, answers=entry.message_id, person=writer)
        yield numbered(answer, place)
    view = echo(before, entry, after, tried, left_out=len(apart[MOST_ANSWERS:]))
    is_answered = bool(asked_for) and all(
        isinstance(one, Rules | Resend) or (isinstance(one, Help) and one.about not in ("", after.manual))
        for one in asked_for
    )
    is_said = given or entry.complaints or view.left_out or not is_answered
    is_new = not entry.test and after.status == "closed" and after.proof > before.proof
    if is_new or (is_said and not approving.is_bare(entry)):
        parts = _explained(before, new(before, tried)) | (handbook(after, moderator=True) if view.helps else {})
        for _, one in answers:
            if not isinstance(one.view, _LETTERS_OF_THEIR_OWN):
                parts = {**one.parts, **parts}  # of several that ask for the same the first is answered
        of_proof, shown = proof_view(after, entry) if is_new else (None, {})
        whole = msgspec.structs.replace(of_proof, echo=view) if of_proof else view
        yield letter(after, entry, whole, None, {**shown, **parts}, answers=entry.message_id, person=writer)
    if is_new:
        yield from (one for one in proofs(after, entry) if one.person != writer)
    elif Resend() in asked_for and view.waiting_proof and closing.is_reviewed(after):
        yield from (one for one in proofs(after, entry) if one.person == writer)
    if not entry.test:
        yield from _consequences(before, entry, after)


def _explained(before: Table, ruled: list[Ruled[Any]]) -> dict[str, Facts]:
    """Return the part that says what effects mean, where the ruleset has something to say of them."""
    state = before.outcome.state if before.outcome else before.state
    if not isinstance(before.ruleset, ExplainingRuleset):
        return {}
    effects = [one.ruling.effect for one in ruled if isinstance(one.ruling, Do)]
    rows = [before.ruleset.explain(state, effect) for effect in effects]
    return {"explained": {"rows": [row for row in rows if row]}} if any(rows) else {}


def _consequences(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """What a ruling means to others: a new proof, a moved clock, another set or state, each to whom it concerns."""
    if after.status == "closed" and after.proof > before.proof:
        yield from _accepted(before, entry, after)
    told = [one for one in entry.rulings if isinstance(one, Tell)]
    for seat in [seat for seat in after.seats if any(seat in one.to for one in told)]:
        texts = tuple(one.text for one in told if seat in one.to)
        view = Told(texts=texts, to_all=False, by_deputy=entry.by_deputy, moment=moment(after, seat))
        yield letter(after, entry, view, seat)
    invited = [one.person for one in entry.rulings if isinstance(one, Invite)]
    for person in dict.fromkeys([*invited, *invited_again(after, entry)]):
        yield invitation(after, entry, person)
    for seat in [one.seat for one in entry.rulings if isinstance(one, Eject) and one.seat in before.seats]:
        if before.seats[seat].person != after.charter.moderator:
            yield letter(after, entry, Unseated(name=before.label(seat)), person=before.seats[seat].person)
    yield from offers_changed(before, entry, after)
    yield from deputy_asked(before, entry, after)
    if before.deputy_holds != after.deputy_holds and entry.by_deputy:
        yield told_of_deputy(after, entry, "told holds" if after.deputy_holds else "told released")
    before_asked = set(before.sending) if before.sealed else set[Seat]()
    for seat in [seat for seat in before.seats if seat in before_asked - set(after.sending)]:
        yield letter(after, entry, Withdrawn(name=after.label(seat)), seat)
    if after.status != "open":
        return
    newly_asked = set(after.owing) - before_asked if before_asked else set[Seat]()
    for seat in [seat for seat in after.owing if seat in newly_asked]:
        yield question(after, entry, seat)
    moved = (before.deadline, before.paused is None) != (after.deadline, after.paused is None)
    for seat in [seat for seat in after.seats if after.known_to(seat) is after and seat not in newly_asked]:
        changed = _lines(before, seat) != _lines(after, seat) or before.sets.dropped.get(
            seat
        ) != after.sets.dropped.get(seat)
        seen = asked(before, seat) != asked(after, seat)
        if moved or changed or seen:
            known = _seen(before, entry, seat)
            theirs = [one for one in new(before, after) if one.number in known or one.ruling.concerns(seat)]
            notice = Notice(
                alone=changed or seen or after.sealed is not None,
                changed=changed,
                anew=seen and after.sealed is not None,
                undone=undone(entry),
                rulings=tuple(ruling_row(after, one) for one in theirs),
                moment=moment(after, seat),
            )
            parts = (hand(after, seat) if changed or seen else {}) | (asked(after, seat) if seen else {})
            yield letter(after, entry, notice, seat, parts)


def _accepted(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """Tell those whose late sets count by now, or count no more."""
    for seat in after.seats:
        was, now = (AcceptLate.accepted(table).get(seat, ()) for table in (before, after))
        if was != now:
            view = Accepted(name=after.label(seat), counts=not set(now) <= set(was))
            yield letter(after, entry, view, seat)


def _seen(before: Table, entry: RulingGiven, seat: Seat) -> frozenset[int]:
    """Return the rulings that set what a seat is shown: what its letters say of the state differs by them."""
    found = set()
    table = before
    for ruling in entry.rulings:
        earlier, table = table, rulings.carry_out(table, ruling, entry.noted)
        may_show = isinstance(ruling, SetFact) or before.sealed is not None
        if may_show and _asked(earlier, entry, seat) != _asked(table, entry, seat):
            found.add(table.ruled)
    return frozenset(found)


def _lines(table: Table, seat: Seat) -> tuple[str, ...]:
    return table.sets.hand[seat].orders if seat in table.sets.hand else ()


def _asked(table: Table, entry: RulingGiven, seat: Seat) -> dict[str, Facts]:
    """Return what a seat is asked under the rulings that there are; in the middle of a phase they may change it."""
    return asked(closing.ask_anew(table, entry.noted) if table.sealed and not table.close_now else table, seat)
