"""The letters that an entry calls for; computed, never queued."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from pbem.table import charter, receiving
from pbem.table.echoing import echoes
from pbem.table.journal import (
    Entry,
    GameBegun,
    GameFounded,
    OrdersReceived,
    PersonInvited,
    PhaseClosed,
    PhasePublished,
    ReminderGiven,
    ReviewOverdue,
    RulesChanged,
    RulingGiven,
    SeatTaken,
    TokenLeaked,
)
from pbem.table.letter import (
    Owed,
    archive,
    asked,
    charter_facts,
    complaint,
    hand,
    handbook,
    invitation,
    letter,
    manual,
    opened,
    opening_part,
    phase_facts,
)
from pbem.table.reporting import proof, reports
from pbem.table.table import Table
from pbem.terms import Facts, Seat


def owed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    """Yield the letters that an entry calls for, given the table before and after it."""
    match entry:
        case GameFounded():
            yield letter(after, entry, "founded", None, charter_facts(after))
        case PersonInvited():
            yield invitation(after, entry, entry.person)
        case SeatTaken():
            wishes = {"requests": list(entry.requests), "complaints": [complaint(one) for one in entry.complaints]}
            yield letter(after, entry, "welcome", entry.seat, {"name": entry.name} | wishes | charter_facts(after))
        case GameBegun():
            yield from _opening(after, entry)
        case OrdersReceived():
            yield from _answers(before, entry, after)
        case RulingGiven():
            yield from echoes(before, entry, after)
        case TokenLeaked():
            seat = Seat(entry.seat) if entry.seat else None
            facts = {"is_current": entry.phase == after.number, **phase_facts(after, seat)}
            yield letter(after, entry, "leaked", seat, facts)
        case ReminderGiven():
            for seat in entry.seats:
                facts = {"lacks": after.lacks(seat), "nmr": _if_nothing_comes(after), "holds": seat in after.hand}
                parts = asked(after, seat) | hand(after, seat)
                yield letter(after, entry, "reminder", seat, phase_facts(after, seat) | facts, parts)
        case ReviewOverdue():
            yield letter(after, entry, "overdue", None, {"proof": after.proof})
            if after.overdue == 1:
                for seat in after.seats:
                    yield letter(after, entry, "overdue", seat, {"proof": 0})
        case RulesChanged():
            yield from _renewed(before, entry, after)
        case PhaseClosed():
            if after.phase and after.phase.kind in after.charter.review:
                yield proof(after, entry)
        case PhasePublished():
            yield from reports(before, entry, after)


def _renewed(before: Table, entry: RulesChanged, table: Table) -> Iterator[Owed]:
    """Tell all what has changed, where it can matter in what is being played; before that nobody knows the rules."""
    changes = table.ruleset.changed(table.state, before.rules) if table.status == "open" else ()
    facts: Facts = {"changes": [{"says": table.said(one.says), "rule": one.rule} for one in changes]}
    facts["late"] = table.deadline is not None and table.paused is None and entry.noted >= table.deadline
    for seat in (*table.seats, None) if changes else ():
        holds = seat in table.hand
        yield letter(table, entry, "rules", seat, facts | {"holds": holds} | phase_facts(table, seat))


def _if_nothing_comes(table: Table) -> list[str]:
    kind = table.phase.kind if table.phase else ""
    says = {row["name"]: row["says"] for row in charter.house_sentences(table.charter, table.ruleset.options)}
    return [table.said(says[option.name]) for option in table.ruleset.options if kind in option.missing_in]


def _opening(table: Table, entry: GameBegun) -> Iterator[Owed]:
    names = list(table.labels().values())
    sentences = charter.house_sentences(table.charter, table.ruleset.options)
    house = [{**row, "says": table.said(row["says"])} for row in sentences]
    facts = charter_facts(table) | {"names": names, "house": house}
    opening = opening_part(table)
    for seat in table.seats:
        parts = opening | asked(table, seat)
        yield letter(table, entry, "opening", seat, facts | phase_facts(table, seat), parts)
    yield letter(table, entry, "opening", None, facts | phase_facts(table, None), opening)


def _answers(before: Table, entry: OrdersReceived, after: Table) -> Iterator[Owed]:
    seat = entry.seat
    words = {request.partition(" ")[0] for request in entry.requests}
    has_answer = bool(entry.press or words & _ANSWERED)
    if not has_answer or entry.orders or entry.complaints or words - _ANSWERED:
        yield _receipt(before, entry, after)
    for place, request in enumerate(entry.requests):
        word, _, rest = request.partition(" ")
        if word == "help":
            name, parts = ("manual", manual(after)) if rest else ("help", handbook(after))
            facts: Facts = {"about": rest, **phase_facts(after, seat)}
            yield letter(after, entry, name, seat, facts, parts, answers=entry.message_id)
        elif word == "history":
            facts = {"wanted": after.said(rest), **phase_facts(after, seat)}
            yield _numbered(letter(after, entry, "history", seat, facts, answers=entry.message_id), place)
        elif word == "archive":
            facts = {"about": rest, **phase_facts(after, seat)}
            parts = archive(after, rest)
            yield _numbered(letter(after, entry, "archive", seat, facts, parts, answers=entry.message_id), place)
    if entry.press:
        yield from _press(entry, after)


_ANSWERED = {"help", "history", "archive"}
"""Requests that have letters of their own."""


def _numbered(one: Owed, place: int) -> Owed:
    """Tell a letter by its place from others of its kind that answer the same mail."""
    name = one.identity.replace(f".{one.template}.", f".{one.template}-{place}.") if place else one.identity
    return msgspec.structs.replace(one, identity=name)


def _press(entry: OrdersReceived, table: Table) -> Iterator[Owed]:
    """Pass press on to those whom it is for; the moderator reads what all do, and nothing that is private."""
    pairs = list(zip(entry.press[::2], entry.press[1::2], strict=True))
    names = table.labels()
    public = [{"text": text, "to": "all"} for to, text in pairs if to == "all"]
    if public and not table.moderator_plays():
        facts: Facts = {"sender": table.label(entry.seat), "press": public, "own": False}
        yield _heard(letter(table, entry, "press", None, facts | phase_facts(table, None)), table, entry)
    for seat in table.seats:
        mine = [
            {
                "text": text,
                "to": "all" if to == "all" else audience_names(names, to),
            }
            for to, text in pairs
            if to == "all" or seat in to.split() or seat == entry.seat
        ]
        if mine:
            facts = {"sender": table.label(entry.seat), "press": mine, "own": seat == entry.seat}
            yield _heard(letter(table, entry, "press", seat, facts | phase_facts(table, seat)), table, entry)


def _heard(press: Owed, table: Table, entry: OrdersReceived) -> Owed:
    """Tell a letter of press by how many its reader had before: the mail that it came of may hold orders."""
    had = [one for one in table.log if isinstance(one, OrdersReceived) and one.number < entry.number and one.press]
    before = sum(
        press.seat == one.seat or any(to == "all" or press.seat in to.split() for to in one.press[::2]) for one in had
    )
    return msgspec.structs.replace(press, origin=f"press {before} of {opened(table)}")


def audience_names(names: Mapping[Seat, str], to: str) -> str:
    """Write the seats that press is for."""
    return ", ".join(names[Seat(seat)] for seat in to.split())


def _told(table: Table, request: str) -> str:
    """Write a request as its answer does: orders for a later phase stay as they were said."""
    when, colon, orders = request.partition(": ")
    return f"{table.said(when)}{colon}{orders}" if when.startswith("for ") else request


def _receipt(before: Table, entry: OrdersReceived, after: Table) -> Owed:
    seat = entry.seat
    held = after.hand.get(seat)
    facts: Facts = {
        "taken": entry.taken,
        "sent_orders": entry.tried,
        "same": entry.taken and seat in before.hand and before.hand[seat].orders == entry.orders,
        "was_incomplete": seat in before.hand and before.hand[seat].incomplete,
        "incomplete": bool(held and held.incomplete),
        "stood": seat in before.hand,
        "complaints": [complaint(one) for one in entry.complaints],
        "requests": [_told(after, request) for request in entry.requests],
        "said_nothing": not any(line.strip() for line in entry.said),
        "note": entry.note,
        "stands": receiving.is_standing(after, seat),
        "lacks": after.lacks(seat) if seat in after.owing else "",
        "wait": seat in after.waits,
        "over": after.status == "over",
        "closed": after.status == "closed",
        "signing_up": after.status == "sign-up" and not entry.complaints,
    }
    parts = hand(after, seat)
    if entry.complaints or not parts or facts["incomplete"]:
        parts |= asked(after, seat)
    return letter(after, entry, "receipt", seat, facts | phase_facts(after, seat), parts, answers=entry.message_id)
