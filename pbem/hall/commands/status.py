"""How a game stands, for the terminal: without anything that is secret while its phase is open."""

from pathlib import Path
from typing import Any

import msgspec

from pbem.ground.terms import ShelfError
from pbem.hall.store.people import People
from pbem.ruleset import DrawnRuleset
from pbem.table.clock import schedule, second_thought
from pbem.table.model import seating
from pbem.table.model.charter import Charter, kinds_with_skipped_times
from pbem.table.model.table import Table
from pbem.table.outgoing import echo_view


def facts_of(table: Table, people: People | None = None) -> dict[str, Any]:
    """
    Return how a game stands, without anything that is secret while its phase is open.

    Shape: `people` are those of its arena, if it lies in one.
    """
    table = table.known_to_moderator()
    is_gone = people.is_gone if people else lambda person: False
    ruleset = table.ruleset if table.state is not None else None
    return {
        "game": table.charter.game,
        "ruleset": table.charter.ruleset,
        "status": table.status,
        "phase": table.number,
        "title": table.title,
        "deadline": table.deadline if table.status == "open" else None,
        "early": None if table.paused else second_thought.closes_early(table),
        "paused": table.paused is not None,
        "proof": table.proof if table.status == "closed" else 0,
        "held": table.held,
        "lapses": schedule.wakes(table, table.closed) if table.status == "closed" and table.closed else None,
        "seats": [
            msgspec.structs.asdict(row) | ({"unreachable": True} if is_gone(seated.person) else {})
            for row, seated in zip(echo_view.status(table), table.seats.values(), strict=True)
        ],
        "unanswered": [people.contact(person).address if people else person for person in seating.absent(table)]
        if table.status == "sign-up"
        else [],
        "result": table.result.how if table.result else "",
        "entries": table.head,
        "map": list(ruleset.map(table.state)) if isinstance(ruleset, DrawnRuleset) else [],
    }


def as_text(facts: dict[str, Any]) -> str:
    """Write how a game stands, for the terminal."""
    is_over = facts["status"] == "over"
    place = f"over after phase {facts['phase']}" if is_over else f"phase {facts['phase']}, {facts['title']}"
    state = "" if is_over else f", {facts['status']}"
    lines = [f"{facts['game']} ({facts['ruleset']}): {place}{state}"]
    if facts["deadline"]:
        lines.append(f"deadline {facts['deadline']:%Y-%m-%d %H:%M} UTC{', paused' if facts['paused'] else ''}")
    if facts["early"]:
        lines.append(f"all have moved, so it closes at {facts['early']:%Y-%m-%d %H:%M} UTC")
    if facts["proof"]:
        lines.append(_waits(facts))
    if facts["result"]:
        lines.append(facts["result"])
    gone = ", cannot be reached: three letters in a row came back"
    lines += [
        f"  {row['name']:<24} {row['state']}{gone * ('unreachable' in row)}" for row in facts["seats"] if not is_over
    ]
    lines += [f"  {address:<24} invited, and has not answered" for address in facts["unanswered"]]
    return "\n".join((*lines, *facts["map"]))


def _waits(facts: dict[str, Any]) -> str:
    """Say for whom the report of a closed phase waits, and until when."""
    waits = f"proof {facts['proof']} waits for the moderator to say: approve {facts['proof']}"
    if facts["held"]:
        return f"{waits}; it is held until then"
    return f"{waits}; silence lets it out at {facts['lapses']:%Y-%m-%d %H:%M} UTC"


def reports(folder: Path) -> dict[int, Path]:
    """Return the public reports of a game's folder by the numbers of their phases. Errors: ShelfError for none."""
    found = {int(path.parent.name.rpartition("-")[2]): path for path in sorted(folder.glob("phase-*/report.txt"))}
    if not found:
        raise ShelfError(f"{folder.name} has no report yet.")
    return found


def counted(number: int, thing: str, things: str = "") -> str:
    """Write a number and what it counts: 1 letter, 2 letters."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def identical(entries: int, phases: int) -> str:
    """Say that a replay found nothing that differs."""
    return f"{counted(entries, 'entry', 'entries')}, {counted(phases, 'phase')}, identical."


def skipped_deadlines(charter: Charter) -> list[str]:
    """Say of which phases every other deadline is skipped, since it comes too soon, and how to have it otherwise."""
    return [
        f'{kind} = "{charter.calendar.rules[kind]}" skips every other of these deadlines: a phase\n'
        "that opens just after one is due at the second from there, since the next is too near. To have\n"
        f"it due at the next, say less, such as at least 20h, in games/{charter.game}/charter.toml, and\n"
        "delete that file's first line, which is its check sum.\n"
        for kind in kinds_with_skipped_times(charter)
    ]
