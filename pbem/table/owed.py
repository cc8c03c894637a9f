"""The letters that an entry calls for, with the facts they may use; computed, never queued."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pbem.table import audience, charter, replay, schedule
from pbem.table.audience import AtSeat, Reader
from pbem.table.journal import (
    Entry,
    GameBegun,
    GameFounded,
    OrdersReceived,
    PersonInvited,
    PhaseClosed,
    PhasePublished,
    ReminderGiven,
    RulingGiven,
    SeatTaken,
)
from pbem.table.table import Ruled, Table
from pbem.terms import Complaint, Facts, Outcome, Person, Seat


class Owed(msgspec.Struct, frozen=True, kw_only=True):
    """
    One letter that the journal calls for.

    Shape: `identity` is game, entry, kind and reader, the same for ever; `template` the letter's file without
    `.j2`; `parts` maps a template of the ruleset's folder to its facts, rendered before the letter and put
    into it by name; `phase` is the phase whose token the letter carries, `title` that phase's; `answers` the
    Message-ID of the mail that it answers.
    """

    identity: str
    template: str
    person: Person
    seat: Seat | None
    phase: int
    title: str
    facts: Facts
    parts: Mapping[str, Facts] = {}
    answers: str = ""


def owed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    """Yield the letters that an entry calls for, given the table before and after it."""
    match entry:
        case GameFounded():
            yield _letter(after, entry, "founded", None, _charter_facts(after))
        case PersonInvited():
            yield _letter(after, entry, "invitation", None, _charter_facts(after), person=entry.person)
        case SeatTaken():
            yield _letter(after, entry, "welcome", entry.seat, {"name": entry.name} | _charter_facts(after))
        case GameBegun():
            yield from _opening(after, entry)
        case OrdersReceived():
            yield from _answers(before, entry, after)
        case RulingGiven():
            yield from _echoes(before, entry, after)
        case ReminderGiven():
            for seat in entry.seats:
                facts = {"lacks": after.lacks(seat), "nmr": _if_nothing_comes(after), "holds": seat in after.hand}
                parts = _asked(after, seat) | _hand(after, seat)
                yield _letter(after, entry, "reminder", seat, _phase_facts(after, seat) | facts, parts)
        case PhaseClosed():
            if after.phase and after.phase.kind in after.charter.review:
                yield _proof(after, entry)
        case PhasePublished():
            yield from _reports(before, entry, after)


def _letter(
    table: Table,
    entry: Entry,
    template: str,
    seat: Seat | None,
    facts: Facts,
    parts: Mapping[str, Facts] | None = None,
    *,
    person: Person | None = None,
    answers: str = "",
) -> Owed:
    reader = person or (table.seats[seat].person if seat else table.charter.moderator)
    return Owed(
        identity=f"{table.charter.game}.{entry.number}.{template}.{seat or reader}",
        template=template,
        person=reader,
        seat=seat,
        phase=table.number,
        title=table.title,
        facts=facts,
        parts=parts or {},
        answers=answers,
    )


def _charter_facts(table: Table) -> Facts:
    return {
        "ruleset": table.ruleset.title,
        "wanted": table.charter.seats,
        "taken": [seated.name for seated in table.seats.values()],
        "press": table.charter.press,
        "close": table.charter.close,
        "rules": dict(table.charter.calendar.rules),
        "seal": table.charter.seal,
        "zone_of_game": table.charter.zone,
    }


def _phase_facts(table: Table, seat: Seat | None) -> Facts:
    """Return what every letter of an open phase says: the deadline, who is waited for, what is asked."""
    waiting = table.waiting_for()
    return {
        "name": table.label(seat) if seat else "",
        "open": table.status == "open",
        "deadline": table.deadline if table.status == "open" else None,
        "paused": table.paused is not None,
        "waiting": len(waiting),
        "of": len(table.owing),
        "owes": seat in table.owing,
        "early": table.charter.close == "when ready",
        "dropped": list(table.dropped.get(seat, ())) if seat else [],
    }


def _asked(table: Table, seat: Seat) -> dict[str, Facts]:
    if seat not in table.owing:
        return {}
    return {"asked": dict(table.ruleset.asked(table.state, seat))}


def _hand(table: Table, seat: Seat) -> dict[str, Facts]:
    if seat not in table.owing or seat not in table.hand:
        return {}
    return {"hand": dict(table.ruleset.hand(table.state, seat, table.orders(seat)))}


def _if_nothing_comes(table: Table) -> list[str]:
    kind = table.phase.kind if table.phase else ""
    says = {row["name"]: row["says"] for row in charter.house_sentences(table.charter, table.ruleset.options)}
    return [says[option.name] for option in table.ruleset.options if kind in option.missing_in]


def _opening(table: Table, entry: GameBegun) -> Iterator[Owed]:
    names = list(table.labels().values())
    sentences = charter.house_sentences(table.charter, table.ruleset.options)
    facts = _charter_facts(table) | {"names": names, "house": sentences}
    opening: Facts = {"names": names, "house": table.house}
    for seat in table.seats:
        parts = {"opening": opening, **_asked(table, seat)}
        yield _letter(table, entry, "opening", seat, facts | _phase_facts(table, seat), parts)
    yield _letter(table, entry, "opening", None, facts | _phase_facts(table, None), {"opening": opening})


def _answers(before: Table, entry: OrdersReceived, after: Table) -> Iterator[Owed]:
    seat = entry.seat
    words = {request.partition(" ")[0] for request in entry.requests}
    has_answer = bool(entry.press or words & {"help", "history"})
    if not has_answer or entry.orders or entry.complaints or words - {"help", "history"}:
        yield _receipt(before, entry, after)
    for place, request in enumerate(entry.requests):
        word, _, rest = request.partition(" ")
        if word == "help":
            parts: dict[str, Facts] = {"handbook": {"house": after.house}}
            yield _letter(after, entry, "help", seat, _phase_facts(after, seat), parts, answers=entry.message_id)
        elif word == "history":
            facts = {"wanted": rest, **_phase_facts(after, seat)}
            history = _letter(after, entry, "history", seat, facts, answers=entry.message_id)
            name = history.identity.replace(".history.", f".history-{place}.") if place else history.identity
            yield msgspec.structs.replace(history, identity=name)
    if entry.press:
        yield from _press(entry, after)


def _press(entry: OrdersReceived, table: Table) -> Iterator[Owed]:
    pairs = list(zip(entry.press[::2], entry.press[1::2], strict=True))
    names = table.labels()
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
            yield _letter(table, entry, "press", seat, facts | _phase_facts(table, seat))


def audience_names(names: Mapping[Seat, str], to: str) -> str:
    """Write the seats that press is for."""
    return ", ".join(names[Seat(seat)] for seat in to.split())


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
        "complaints": [_complaint(one) for one in entry.complaints],
        "requests": list(entry.requests),
        "said_nothing": not any(line.strip() for line in entry.said),
        "note": entry.note,
        "lacks": after.lacks(seat) if seat in after.owing else "",
        "wait": seat in after.waits,
        "over": after.status == "over",
        "closed": after.status == "closed",
        "signing_up": after.status == "sign-up" and not entry.complaints,
    }
    parts = _hand(after, seat)
    if entry.complaints or not parts or facts["incomplete"]:
        parts |= _asked(after, seat)
    return _letter(after, entry, "receipt", seat, facts | _phase_facts(after, seat), parts, answers=entry.message_id)


def _complaint(complaint: Complaint) -> Facts:
    return {
        "line": complaint.line,
        "text": complaint.text,
        "because": complaint.because,
        "rule": complaint.rule,
    }


def _echoes(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    tried = after
    if entry.test:
        tried = replay.step(before, msgspec.structs.replace(entry, test=False))
    old, new = audience.facts(before), audience.facts(tried)
    facts: Facts = {
        "lines": [_ruled(tried, ruled) for ruled in _new(before, tried)],
        "undone": [line.removeprefix("undo ") for line in entry.lines if line.startswith("undo ")],
        "approved": tried.status == "closed" and tried.approved == tried.proof,
        "changes": audience.difference(old, new),
        "complaints": [_complaint(one) for one in entry.complaints],
        "test": entry.test,
        "requests": list(entry.requests),
        "said_nothing": not entry.lines and not entry.requests and not entry.complaints,
        "note": entry.note,
        "status": status(after),
        "proof": after.proof if after.status == "closed" and after.approved != after.proof else 0,
    } | _phase_facts(after, None)
    parts: dict[str, Facts] = {}
    if "help" in entry.requests:
        parts["handbook"] = {"house": after.house}
    yield _letter(after, entry, "echo", None, facts, parts, answers=entry.message_id)
    if not entry.test:
        yield from _consequences(before, entry, after)


def _new(before: Table, after: Table) -> list[Ruled]:
    return [ruled for ruled in after.rulings if ruled.number > before.ruled]


def _ruled(table: Table, ruled: Ruled) -> Facts:
    line = audience.named(table, ruled.line)
    note = line.startswith("note ")
    return {"number": ruled.number, "line": line, "because": ruled.because, "since": ruled.phase, "is_note": note}


def status(table: Table) -> list[Facts]:
    """Return who has ordered, and not what: a row for each seat with name, player and state."""
    rows: list[Facts] = []
    for seat, seated in table.seats.items():
        if table.status == "sign-up":
            state = "seated"
        elif seat not in (table.phase.owing if table.phase else ()):
            state = "nothing asked"
        elif seat in table.excused:
            state = "excused"
        elif seat not in table.hand:
            state = "nothing yet"
        else:
            state = "on hand" if table.moved(seat) else "on hand, not ready"
        rows.append({"name": table.label(seat), "player": seated.name, "state": state})
    return rows


def _consequences(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """What a ruling means to others: a new proof, a moved clock, a changed set on hand, each to whom it concerns."""
    if after.status == "closed" and after.proof > before.proof:
        yield _proof(after, entry)
    if after.status != "open":
        return
    moved = (before.deadline, before.paused is None) != (after.deadline, after.paused is None)
    undone = [line.removeprefix("undo ") for line in entry.lines if line.startswith("undo ")]
    for seat in after.seats:
        changed = before.hand.get(seat) != after.hand.get(seat)
        if moved or changed:
            told = [_ruled(after, ruled) for ruled in _new(before, after) if _concerns(ruled, seat)]
            news: Facts = {"moved": moved, "changed": changed, "rulings": told, "undone": undone}
            parts = _hand(after, seat) if changed else {}
            yield _letter(after, entry, "notice", seat, _phase_facts(after, seat) | news, parts)


def _concerns(ruled: Ruled, seat: Seat) -> bool:
    """Say whether a seat may hear of a ruling while orders are open: the clock's, and those on its own set."""
    return ruled.line.startswith(("extend ", "deadline ", "pause", "resume", f"strike {seat}:", f"order {seat}:"))


def _proof(table: Table, entry: Entry) -> Owed:
    assert table.outcome is not None
    outcome = table.outcome
    lapses = schedule.wakes(table, entry.noted)
    facts: Facts = {
        "proof": table.proof,
        "verdicts": [
            {
                "number": number,
                "text": verdict.text,
                "value": audience.show_fact(verdict.value),
                "how": verdict.how,
                "rule": verdict.rule,
                "pinned": verdict.pinned,
            }
            for number, verdict in enumerate(outcome.verdicts, 1)
        ],
        "rulings": _report_rulings(table),
        "nmr": [table.label(seat) for seat in table.nmr],
        "lapses": lapses,
        "held": table.held,
        "result": outcome.result.how if outcome.result else "",
    }
    return _letter(table, entry, "proof", None, facts, _report_parts(outcome, "moderator"))


def _report_parts(outcome: Outcome[Any], reader: Reader) -> dict[str, Facts]:
    parts: dict[str, Facts] = {"report": {"events": audience.public(outcome)}}
    secret = audience.private(outcome, reader)
    if secret:
        parts["private"] = {"events": secret}
    if outcome.result:
        parts["final"] = {"events": audience.public(outcome)}
    return parts


def _report_rulings(table: Table) -> list[Facts]:
    """
    Return the rulings that the report prints: those of this phase, and effects that still hold.

    Of orders that were changed it says whose and why, and leaves what they were to the ruleset's own part.
    """
    told = [ruled for ruled in table.rulings if not ruled.line.startswith(("excuse ", "close now", "begin"))]
    rows = [_ruled(table, ruled) for ruled in (*table.standing, *told)]
    for row in rows:
        match = re.match(r"(?:strike|order) (.+?): ", row["line"])
        if match:
            row["line"] = f"the orders of {match[1]} were changed"
    return rows


def _reports(before: Table, entry: PhasePublished, after: Table) -> Iterator[Owed]:
    assert before.outcome is not None
    shared = report_facts(before, entry)
    for seat in after.seats:
        parts = _report_parts(before.outcome, AtSeat(seat)) | _asked(after, seat) | _hand(after, seat)
        yield _letter(after, entry, "report", seat, shared | _phase_facts(after, seat), parts)
    parts = _report_parts(before.outcome, "moderator")
    yield _letter(after, entry, "report", None, shared | _phase_facts(after, None), parts)


def report_facts(before: Table, entry: PhasePublished) -> Facts:
    """Return what the public report says besides the ruleset's own part: rulings, who sent nothing, the end."""
    assert before.outcome is not None and before.phase is not None
    result = before.outcome.result
    return {
        "reported": before.phase.title,
        "rulings": _report_rulings(before),
        "nmr": [before.label(seat) for seat in before.nmr],
        "result": result.how if result else "",
        "winners": [before.label(seat) for seat in result.winners] if result else [],
        "seed": entry.seed,
        "seal": before.charter.seal,
    }


def public_report(before: Table, entry: PhasePublished) -> tuple[Facts, dict[str, Facts]]:
    """Return facts and parts of the public report of a phase, as `report.txt` keeps it."""
    assert before.outcome is not None
    return report_facts(before, entry), _report_parts(before.outcome, "public")


def private_part(before: Table, seat: Seat) -> Facts:
    """Return the facts of a seat's own part of a report, or {} where there is nothing for it alone."""
    assert before.outcome is not None
    return _report_parts(before.outcome, AtSeat(seat)).get("private", {})
