"""The echo of a ruling: what it changes, for the moderator, and what others hear of it."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.ruleset import ExplainingRuleset
from pbem.table import audience, replay, rulings, seating
from pbem.table.journal import RulingGiven
from pbem.table.outgoing.letter import (
    Owed,
    asked,
    complaint,
    hand,
    invitation,
    letter,
    phase_facts,
    question,
    ruling_facts,
)
from pbem.table.outgoing.replacing import offers_changed
from pbem.table.outgoing.reports import proof
from pbem.table.requests.manuals import Help, Rules, handbook
from pbem.table.requests.status import Status
from pbem.table.rulings import replace
from pbem.table.rulings.begin import Begin
from pbem.table.rulings.do import Do
from pbem.table.rulings.eject import Eject
from pbem.table.rulings.invite import Invite
from pbem.table.rulings.invite_again import InviteAgain
from pbem.table.rulings.set_fact import SetFact
from pbem.table.rulings.tell import Tell
from pbem.table.rulings.to_all import ToAll
from pbem.table.rulings.undo import Undo
from pbem.table.table import Ruled, Table
from pbem.terms import Facts, Person, Seat


def echoes(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """Yield the answer to a mail of the moderator's, and the letters that its rulings call for."""
    tried = after
    if entry.test:
        tried = replay.step(before, msgspec.structs.replace(entry, test=False))
    old, new = audience.facts(before), audience.facts(tried)
    given, asked_for = entry.rulings, entry.requests
    wants_help = Help() in asked_for
    facts: Facts = {
        "lines": [
            ruling_facts(tried, ruled) | {"about": ruled.ruling.about(before)}
            for ruled in _new(before, tried)
            if not isinstance(ruled.ruling, ToAll)
        ],
        "carried": bool(given),
        "told": _told(after, entry),
        "announced": [
            {"number": one.number, "text": one.text, "is_due": one.is_due}
            for one in tried.announced
            if one.number > before.ruled
        ],
        "offered": [
            {"name": tried.label(seat), "person": one.ruling.person, "number": one.number, "is_new": is_new}
            for seat, one in replace.offers(tried).items()
            if (is_new := one.number > before.ruled) or Status() in asked_for
        ],
        "withdrawn": [tried.label(seat) for seat in replace.offers(before) if seat not in replace.offers(tried)],
        "undone": _undone(entry),
        "approved": tried.status == "closed" and tried.approved == tried.proof,
        "changes": audience.difference(old, new),
        "complaints": [complaint(one) for one in entry.complaints],
        "passed": list(entry.passed),
        "test": entry.test,
        "wants_status": Status() in asked_for,
        "handbook_of_rulings": _handbook_of_rulings() if wants_help else [],
        "said_nothing": not given and not asked_for and not entry.complaints,
        "note": entry.note,
        "status": status(after),
        "absent": list(seating.absent(tried)) if any(isinstance(one, Begin) for one in given) else [],
        "invited": len(set(after.invited)),
        "unanswered": list(seating.absent(after)) if after.status == "sign-up" else [],
        "invited_now": [one.person for one in given if isinstance(one, Invite)],
        "invited_again": _invited_again(after, entry),
        "unseated": [before.label(one.seat) for one in given if isinstance(one, Eject)],
        "proof": after.proof if after.status == "closed" and after.approved != after.proof else 0,
    } | phase_facts(after, None)
    parts = handbook(after, moderator=True) if wants_help else {}
    parts |= _explained(before, _new(before, tried))
    for found in filter(None, (request.answer(after) for request in asked_for)):
        if found.template == Rules.template:
            yield letter(
                after, entry, found.template, None, found.facts | phase_facts(after, None), answers=entry.message_id
            )
        parts = {**found.parts, **parts}  # of several that ask for the same the first is answered
    wants_rules_alone = asked_for and all(isinstance(one, Rules) for one in asked_for)
    if given or entry.complaints or not wants_rules_alone:
        yield letter(after, entry, "echo", None, facts, parts, answers=entry.message_id)
    if not entry.test:
        yield from _consequences(before, entry, after)


def _new(before: Table, after: Table) -> list[Ruled[Any]]:
    return [ruled for ruled in after.rulings if ruled.number > before.ruled]


def _invited_again(after: Table, entry: RulingGiven) -> list[Person]:
    """Return who is sent an invitation once more."""
    again = [one.person for one in entry.rulings if isinstance(one, InviteAgain)]
    everybody = seating.absent(after) if None in again else ()
    return list(dict.fromkeys([*filter(None, again), *everybody]))


def _undone(entry: RulingGiven) -> list[int]:
    return [one.number for one in entry.rulings if isinstance(one, Undo)]


def _told(table: Table, entry: RulingGiven) -> list[Facts]:
    """Return what was said to players, and to whom."""
    told = (one for one in entry.rulings if isinstance(one, Tell))
    return [{"to": [table.label(seat) for seat in one.to], "text": one.text} for one in told]


def _handbook_of_rulings() -> list[Facts]:
    """Return what a moderator can write, by sections: forms, and the words behind each or behind several."""
    sections: dict[str, list[Facts]] = {}
    forms: tuple[str, ...] = ()
    for kind in rulings.KINDS:
        forms += kind.forms
        if kind.says:
            sections.setdefault(kind.section, []).append({"forms": forms, "says": kind.says})
            forms = ()
    return [{"title": title, "rows": rows} for title, rows in sections.items()]


def _explained(before: Table, ruled: list[Ruled[Any]]) -> dict[str, Facts]:
    """Return the part that says what effects mean, where the ruleset has something to say of them."""
    state = before.outcome.state if before.outcome else before.state
    if not isinstance(before.ruleset, ExplainingRuleset):
        return {}
    effects = [one.ruling.effect for one in ruled if isinstance(one.ruling, Do)]
    rows = [before.ruleset.explain(state, effect) for effect in effects]
    return {"explained": {"rows": [row for row in rows if row]}} if any(rows) else {}


def status(table: Table) -> list[Facts]:
    """
    Return who has ordered, and not what: a row for each seat with name, player and state.

    A moderator who plays and is asked something in the middle of a phase hears of nobody else who is.
    """
    mine = table.moderators_seat()
    own, others = table.known_to_moderator(), table.sealed or table
    rows: list[Facts] = []
    for seat, seated in table.seats.items():
        known = own if mine in (None, seat) else others
        if known.status == "sign-up":
            state = "seated"
        elif seat not in (known.phase.owing if known.phase else ()):
            state = "nothing asked"
        elif seat in known.excused:
            state = "excused"
        elif seat not in known.hand:
            state = "nothing yet"
        elif known.moved(seat):
            state = "on hand"
        else:
            state = "nothing yet" if known.moderator_plays() else "on hand, not ready"
        rows.append({"name": known.label(seat), "player": seated.name, "state": state})
    return rows


def _consequences(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """What a ruling means to others: a new proof, a moved clock, another set or state, each to whom it concerns."""
    if after.status == "closed" and after.proof > before.proof:
        yield proof(after, entry)
    told = [one for one in entry.rulings if isinstance(one, Tell)]
    for seat in [seat for seat in after.seats if any(seat in one.to for one in told)]:
        facts: Facts = {"texts": [one.text for one in told if seat in one.to], "to_all": False}
        yield letter(after, entry, "told", seat, facts | phase_facts(after, seat))
    invited = [one.person for one in entry.rulings if isinstance(one, Invite)]
    for person in dict.fromkeys([*invited, *_invited_again(after, entry)]):
        yield invitation(after, entry, person)
    for seat in [one.seat for one in entry.rulings if isinstance(one, Eject) and one.seat in before.seats]:
        if before.seats[seat].person != after.charter.moderator:
            facts = {"name": before.label(seat)}
            yield letter(after, entry, "unseated", None, facts, person=before.seats[seat].person)
    yield from offers_changed(before, entry, after)
    before_asked = set(before.sending) if before.sealed else set[Seat]()
    for seat in [seat for seat in before.seats if seat in before_asked - set(after.sending)]:
        yield letter(after, entry, "withdrawn", seat, {"name": after.label(seat)})
    if after.status != "open":
        return
    newly_asked = set(after.owing) - before_asked if before_asked else set[Seat]()
    for seat in [seat for seat in after.owing if seat in newly_asked]:
        yield question(after, entry, seat)
    moved = (before.deadline, before.paused is None) != (after.deadline, after.paused is None)
    for seat in [seat for seat in after.seats if after.known_to(seat) is after and seat not in newly_asked]:
        changed = (before.hand.get(seat), before.dropped.get(seat)) != (after.hand.get(seat), after.dropped.get(seat))
        seen = asked(before, seat) != asked(after, seat)
        if moved or changed or seen:
            known = _seen(before, entry, seat)
            theirs = [one for one in _new(before, after) if one.number in known or one.ruling.concerns(seat)]
            rows = [ruling_facts(after, one) for one in theirs]
            news: Facts = {
                "alone": changed or seen or after.sealed is not None,
                "changed": changed,
                "undone": _undone(entry),
                "rulings": rows,
            }
            parts = (hand(after, seat) if changed or seen else {}) | (asked(after, seat) if seen else {})
            yield letter(after, entry, "notice", seat, phase_facts(after, seat) | news, parts)


def _seen(before: Table, entry: RulingGiven, seat: Seat) -> frozenset[int]:
    """Return the rulings that set what a seat is shown: what its letters say of the state differs by them."""
    found = set()
    table = before
    for ruling in entry.rulings:
        earlier, table = table, rulings.carry_out(table, ruling, entry.noted)
        if isinstance(ruling, SetFact) and asked(earlier, seat) != asked(table, seat):
            found.add(table.ruled)
    return frozenset(found)
