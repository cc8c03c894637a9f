"""The echo of a ruling: what it changes, for the moderator, and what others hear of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.ruleset import ExplainingRuleset
from pbem.table import acting, audience, replay, seating, spoken
from pbem.table.journal import RulingGiven
from pbem.table.letter import (
    Owed,
    archive,
    asked,
    complaint,
    hand,
    handbook,
    invitation,
    letter,
    manual,
    phase_facts,
    told_ruling,
)
from pbem.table.reporting import proof
from pbem.table.rulings import Do, Overrule, SetFact
from pbem.table.table import Ruled, Table
from pbem.terms import Facts, OrderLine, Seat


def echoes(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """Yield the answer to a mail of the moderator's, and the letters that its rulings call for."""
    tried = after
    if entry.test:
        tried = replay.step(before, msgspec.structs.replace(entry, test=False))
    old, new = audience.facts(before), audience.facts(tried)
    facts: Facts = {
        "lines": [told_ruling(tried, ruled) | {"about": _about(before, ruled)} for ruled in _new(before, tried)],
        "carried": bool(entry.lines),
        "undone": [line.removeprefix("undo ") for line in entry.lines if line.startswith("undo ")],
        "approved": tried.status == "closed" and tried.approved == tried.proof,
        "changes": audience.difference(old, new),
        "complaints": [complaint(one) for one in entry.complaints],
        "passed": list(entry.passed),
        "test": entry.test,
        "requests": list(entry.requests),
        "said_nothing": not entry.lines and not entry.requests and not entry.complaints,
        "note": entry.note,
        "status": status(after),
        "absent": list(seating.absent(tried)) if "begin" in entry.lines else [],
        "invited": len(set(after.invited)),
        "unanswered": list(seating.absent(after)) if after.status == "sign-up" else [],
        "invited_again": "invite again" in entry.lines,
        "proof": after.proof if after.status == "closed" and after.approved != after.proof else 0,
    } | phase_facts(after, None)
    parts = handbook(after, moderator=True) if "help" in entry.requests else {}
    parts |= _explained(before, _new(before, tried))
    parts |= manual(after) if f"help {after.manual}" in entry.requests else {}
    sought = [asked.partition(" ")[2] for asked in entry.requests if asked.partition(" ")[0] == "archive"]
    parts |= archive(after, sought[0]) if sought else {}
    yield letter(after, entry, "echo", None, facts, parts, answers=entry.message_id)
    if not entry.test:
        yield from _consequences(before, entry, after)


def _new(before: Table, after: Table) -> list[Ruled]:
    return [ruled for ruled in after.rulings if ruled.number > before.ruled]


def _about(before: Table, ruled: Ruled) -> str:
    """Say what a pinned fact was in the proof that the moderator answered, by its number and in its words."""
    pin = spoken.read(before, OrderLine(1, ruled.line), ruled.because)
    return spoken.about(before, pin.key) if isinstance(pin, Overrule | SetFact) else ""


def _explained(before: Table, ruled: list[Ruled]) -> dict[str, Facts]:
    """Return the part that says what effects mean, where the ruleset has something to say of them."""
    state = before.outcome.state if before.outcome else before.state
    if not isinstance(before.ruleset, ExplainingRuleset):
        return {}
    read = [spoken.read(before, OrderLine(1, one.line), one.because) for one in ruled]
    rows = [before.ruleset.explain(state, one.effect) for one in read if isinstance(one, Do)]
    return {"explained": {"rows": [row for row in rows if row]}} if any(rows) else {}


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
        elif table.moved(seat):
            state = "on hand"
        else:
            state = "nothing yet" if table.moderator_plays() else "on hand, not ready"
        rows.append({"name": table.label(seat), "player": seated.name, "state": state})
    return rows


def _consequences(before: Table, entry: RulingGiven, after: Table) -> Iterator[Owed]:
    """What a ruling means to others: a new proof, a moved clock, another set or state, each to whom it concerns."""
    if after.status == "closed" and after.proof > before.proof:
        yield proof(after, entry)
    if "invite again" in entry.lines:
        for person in seating.absent(after):
            yield invitation(after, entry, person)
    if after.status != "open":
        return
    moved = (before.deadline, before.paused is None) != (after.deadline, after.paused is None)
    undone = [line.removeprefix("undo ") for line in entry.lines if line.startswith("undo ")]
    for seat in after.seats:
        changed = before.hand.get(seat) != after.hand.get(seat)
        seen = asked(before, seat) != asked(after, seat)
        if moved or changed or seen:
            known = _seen(before, entry, seat)
            told = [ruled for ruled in _new(before, after) if ruled.number in known or _concerns(ruled, seat)]
            news: Facts = {"changed": changed, "undone": undone, "rulings": [told_ruling(after, one) for one in told]}
            parts = (hand(after, seat) if changed or seen else {}) | (asked(after, seat) if seen else {})
            yield letter(after, entry, "notice", seat, phase_facts(after, seat) | news, parts)


def _seen(before: Table, entry: RulingGiven, seat: Seat) -> frozenset[int]:
    """Return the rulings that set what a seat is shown: what its letters say of the state differs by them."""
    found = set()
    table = before
    for line, because in zip(entry.lines, entry.reasons, strict=True):
        earlier, table = table, acting.apply_ruling(table, line, because, entry.noted)
        if line.startswith("set ") and asked(earlier, seat) != asked(table, seat):
            found.add(table.ruled)
    return frozenset(found)


def _concerns(ruled: Ruled, seat: Seat) -> bool:
    """Say whether a seat may hear of a ruling while orders are open: the clock's, and those on its own set."""
    return ruled.line.startswith(("extend ", "deadline ", "pause", "resume", f"strike {seat}:", f"order {seat}:"))
