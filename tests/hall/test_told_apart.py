"""The moderator's copy of what some seats alone are told: whose each section is, and in their words, in every game."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import EVERYONE, MODERATOR_ALONE, Only, Seat
from pbem.hall.mail.outgoing import wording
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.outgoing import owed, reports
from pbem.testing.room import MODERATOR
from tests.conftest import Room, flat
from tests.depth import some

PLAYERS = ("ada", "bo", "cy", "dee")
GAMES: dict[str, tuple[dict[str, str], tuple[str, ...], set[str]]] = {
    "discs": (
        {"teams": "2", "team_talk": "yes"},
        ("throw at nearest\nhold", "hold\nmove to centre", "move to Ada\npass", "attack nearest\nhold to 1"),
        {"followed", "programmes"},
    ),
    "rumble": (
        {"pool": "dealt", "bids": "hidden", "ties": "blind"},
        ("bid P01 9\nbid P03 7", "bid P02 8\nbid P04 6", "bid P05 5\nbid P06 2", "bid P05 5\nbid P07 1"),
        {"price_paid", "tie"},
    ),
}
"""House rules, what four players write, and kinds of events that players alone are told, of games that have some."""


def _told(room: Room, table: Any) -> Iterator[tuple[str, str]]:
    """Yield what is told to some seats alone, headed and in its words, in seat order."""
    groups: dict[tuple[Seat, ...], list[Any]] = {}
    for event in table.outcome.events:
        if isinstance(event.to, Only) and event.to.seats:
            groups.setdefault(tuple(seat for seat in table.seats if seat in event.to.seats), []).append(event)
    for seats, events in sorted(groups.items(), key=lambda item: [list(table.seats).index(seat) for seat in item[0]]):
        names = [table.ruleset.label(table.outcome.state, seat) for seat in seats]
        whose = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        text = wording.part(room.arena.words, table, "private", {"private": {"events": events, "again": False}})
        yield f"FOR {whose.upper()} ALONE", text


def _section(letter: str, heading: str) -> str:
    """Return what stands below a heading of a letter, up to the next one."""
    return letter.partition(f"\n{heading}\n")[2].partition("\nFOR ")[0]


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the tables of phases whose reports have gone out, as they were with their outcomes."""
    tables: list[Any] = []
    made = reports.reports

    def noted(before: Any, entry: Any, after: Any) -> Any:
        tables.append(before)
        return made(before, entry, after)

    monkeypatch.setattr(owed, "reports", noted)
    return tables


@pytest.mark.parametrize("reviewed", [True, False])
@pytest.mark.parametrize("game", some(2, GAMES))
def test_the_moderators_copy_says_whose_each_section_is(
    tmp_path: Path, closed: list[Any], game: str, reviewed: bool
) -> None:
    """In the proof, or else in the report: each section below the name of who is told it, and in no one else's."""
    house, texts, kinds = GAMES[game]
    room = Room(tmp_path / "arena", rulesets_known())
    room.found(*PLAYERS, ruleset=game, house=house, review=rulesets_known()[game].phase_kinds if reviewed else ())
    for who, text in zip(PLAYERS, texts, strict=True):
        room.write(f"{who}@example.org", text)
    room.sweep()
    while room.table().number == 1 and room.table().status == "open":
        room.sweep(timedelta(hours=12))
    letter = room.last(MODERATOR)
    if reviewed:
        room.write(MODERATOR, "approve 1")
        room.sweep()
    [table] = closed
    told = list(_told(room, table))
    for heading, text in told:
        assert flat(text) and flat(text) in flat(_section(letter, heading)), f"{heading}\n{text}\n\n{letter}"
    headed = [line for line in letter.split("\n") if line.startswith("FOR ") and line.endswith(" ALONE")]
    assert [line for line in headed if line != "FOR THE MODERATOR ALONE"] == [heading for heading, _ in told]
    assert kinds <= {event.kind for event in table.outcome.events if event.to not in (EVERYONE, MODERATOR_ALONE)}
    room.arena.close()
