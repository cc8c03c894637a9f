"""From a moderator's new lines to the one entry that their mail becomes; knows no mail format."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.table import acting, closing, rulings, spoken
from pbem.table.journal import RulingGiven
from pbem.table.table import Table
from pbem.table.taking import Received
from pbem.terms import Complaint, OrderLine


def rule(table: Table, mail: Received) -> RulingGiven:
    """
    Turn the moderator's mail into its entry.

    Each line is read against the table as the lines before it leave it. A mail with `test` carries out
    nothing; a mail for another phase than the present is refused line by line.
    """
    said = spoken.lines(table, mail.said)
    ruled = [line for line in said if not spoken.request(table, line.text)]
    requests = tuple(asked for line in said if (asked := spoken.request(table, line.text)))
    kept, complaints = _read_rulings(table, ruled, mail, is_test="test" in requests)
    return RulingGiven(
        number=table.head + 1,
        noted=mail.noted,
        phase=mail.phase,
        lines=tuple(line for line, _ in kept),
        reasons=tuple(reason for _, reason in kept),
        requests=requests,
        arrived=mail.arrived,
        cause=mail.cause,
        key=mail.key,
        message_id=mail.message_id,
        said=tuple(line.text for line in mail.said),
        complaints=complaints,
        test="test" in requests,
        note=mail.note,
        confirms=mail.confirms,
    )


def for_good(entry: RulingGiven) -> bool:
    """Say whether a moderator's mail does what no undo takes back; `approve` names what it lets out, and may."""
    return not entry.test and any(line in ("begin", "close now") for line in entry.lines)


def _read_rulings(
    table: Table, lines: Sequence[OrderLine], mail: Received, *, is_test: bool
) -> tuple[list[tuple[str, str]], tuple[Complaint, ...]]:
    kept: list[tuple[str, str]] = []
    complaints: list[Complaint] = []
    for line in lines:
        found = spoken.read(table, line)
        wrong = _refusal(table, line, found, mail, is_test=is_test)
        if wrong:
            complaints.append(wrong)
            continue
        assert not isinstance(found, Complaint)
        kept.append((rulings.show(found), rulings.reason(found)))
        table = acting.apply_ruling(table, *kept[-1], mail.noted)
    return kept, tuple(complaints)


def _refusal(
    table: Table, line: OrderLine, found: rulings.Ruling | Complaint, mail: Received, *, is_test: bool
) -> Complaint | None:
    """Say why a line is not ruled, or None: not readable, for another phase, of the wrong kind, not to be kept."""
    if isinstance(found, Complaint) and (found.fault != "illegal" or mail.phase == table.number):
        return found
    because = _other_phase(table, mail.phase)
    if because:
        return Complaint(line.number, line.text, "late", because)
    assert not isinstance(found, Complaint)
    again = spoken.read(table, OrderLine(line.number, rulings.show(found)), rulings.reason(found))
    if again != found:
        because = "I cannot keep that so that it reads back the same. Say it without semicolons and quotes."
    elif isinstance(found, rulings.Overrule):
        because = _wrong_kind(table, found)
    elif is_test and isinstance(found, rulings.Strike | rulings.OrderFor) and table.moderator_plays():
        because = "You play in this game, so a test may not show you orders."
    return Complaint(line.number, line.text, "illegal", because) if because else None


def _other_phase(table: Table, phase: int) -> str:
    if phase == table.number:
        return ""
    if phase > table.number:
        return f"Phase {phase} has not come yet; this is phase {table.number}, {table.title}."
    return f"That was about a phase that is published. Now it is {table.title}; answer its letters."


def _wrong_kind(table: Table, ruling: rulings.Overrule) -> str:
    """Say that a pin has the wrong kind of value, where this phase derives the fact; else ""."""
    outcome = table.outcome or (closing.adjudicate(table) if table.status == "open" else None)
    known = next((one.value for one in outcome.verdicts if one.key == ruling.key), None) if outcome else None
    if known is None or isinstance(known, bool) == isinstance(ruling.value, bool):
        return ""
    return f"That fact is {'yes or no' if isinstance(known, bool) else 'a number'}, so this value does not fit."
