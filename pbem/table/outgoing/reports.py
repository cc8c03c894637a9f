"""The proof and the reports of an adjudication, each with what its reader may know."""

from collections.abc import Iterator

from pbem.ruleset import DrawnRuleset
from pbem.table import audience, schedule
from pbem.table.audience import AtSeat, Reader
from pbem.table.journal import Entry, PhasePublished
from pbem.table.outgoing.letter import Owed, asked, hand, letter, phase_facts, ruling_facts
from pbem.table.rulings.headline import Headline, Story
from pbem.table.table import Table
from pbem.terms import Facts, Seat


def proof(table: Table, entry: Entry) -> Owed:
    """Return the proof of a closed phase, for the moderator alone."""
    assert table.outcome is not None
    outcome = table.outcome
    lapses = schedule.wakes(table, entry.noted)
    facts: Facts = {
        "proof": table.proof,
        "verdicts": [
            {
                "number": table.numbered.index(verdict.key) + 1,
                "text": verdict.text,
                "value": audience.show_fact(verdict.value),
                "how": verdict.how,
                "rule": verdict.rule,
                "pinned": verdict.pinned,
            }
            for verdict in outcome.verdicts
        ],
        "rulings": _report_rulings(table),
        "nmr": [table.label(seat) for seat in table.nmr],
        "lapses": lapses,
        "held": table.held,
        "result": outcome.result.how if outcome.result else "",
    }
    return letter(table, entry, "proof", None, facts, _report_parts(table, "moderator"))


def _report_parts(table: Table, reader: Reader) -> dict[str, Facts]:
    """Return the ruleset's parts of a report on a table's outcome, with its drawings as text."""
    outcome, ruleset = table.outcome, table.ruleset
    assert outcome is not None
    pictures = ruleset.pictures(table.state, outcome) if isinstance(ruleset, DrawnRuleset) else ()
    drawn = [list(picture.rows) for picture in pictures]
    parts: dict[str, Facts] = {"report": {"events": audience.public(outcome), "drawn": drawn}}
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
    rows = []
    for ruled in (*table.standing, *table.rulings):
        if ruled.ruling.is_talk or ruled.ruling.is_unprinted:  # what is said to all they have
            continue
        row, reported = ruling_facts(table, ruled), ruled.ruling.reported()
        rows.append(row if reported == ruled.ruling.show() else row | {"line": audience.named(table, reported)})
    return rows


def reports(before: Table, entry: PhasePublished, after: Table) -> Iterator[Owed]:
    """Yield the reports of a published phase, with what is asked next."""
    assert before.outcome is not None
    shared = report_facts(before, entry)
    for seat in after.seats:
        parts = _report_parts(before, AtSeat(seat)) | asked(after, seat) | hand(after, seat)
        yield letter(after, entry, "report", seat, shared | phase_facts(after, seat), parts)
    parts = _report_parts(before, "moderator")
    yield letter(after, entry, "report", None, shared | phase_facts(after, None), parts)


def report_facts(before: Table, entry: PhasePublished) -> Facts:
    """Return what the public report says besides the ruleset's own part: rulings, who sent nothing, the end."""
    assert before.outcome is not None and before.phase is not None
    result = before.outcome.result
    said = [one.ruling for one in before.rulings if isinstance(one.ruling, Headline)]
    return {
        "reported": before.phase.title,
        "rulings": _report_rulings(before),
        "headline": next((one.text for one in reversed(said) if not isinstance(one, Story)), ""),
        "story": [one.text for one in said if isinstance(one, Story)],
        "nmr": [before.label(seat) for seat in before.nmr],
        "handed": [before.label(seat) for seat in before.handed],
        "result": result.how if result else "",
        "winners": [before.label(seat) for seat in result.winners] if result else [],
        "seed": entry.seed,
        "seal": before.charter.seal,
    }


def public_report(before: Table, entry: PhasePublished) -> tuple[Facts, dict[str, Facts]]:
    """Return facts and parts of the public report of a phase, as `report.txt` keeps it."""
    assert before.outcome is not None
    return report_facts(before, entry), _report_parts(before, "public")


def private_part(before: Table, seat: Seat) -> Facts:
    """Return the facts of a seat's own part of a report, or {} where there is nothing for it alone."""
    assert before.outcome is not None
    return _report_parts(before, AtSeat(seat)).get("private", {})
