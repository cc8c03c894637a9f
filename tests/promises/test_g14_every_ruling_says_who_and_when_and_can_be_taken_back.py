"""
G14. Every ruling says who, when, by which mail, what was and what is, and can itself be taken back.

What has gone out cannot: `approve`, `begin`, `close now` and `eject` end something, and say so. Why somebody plays or
does not is in the mail of that digest alone.
"""

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import GameName
from pbem.table.fold.journal import RulingGiven
from pbem.table.rulings.undo import Undo
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"

OPEN = {
    "set coins Ada 7 because she paid for the pilot": "7",
    "strike Ada: bid 4 because it came too late": "bid 4",
    "order Ada: bid 2 because so she said": "bid 2",
    "excuse Bo because he is at sea": "Bo",
    "extend 24h because of the storm": "24",
    "deadline 2026-11-27 12:00 because of the storm": "27 Nov",
    "pause because of the storm": "clock is stopped",
    "do gain Ada 2 each round because of her licence": "gain Ada 2",
    "note Fog over the harbour": "Fog over the harbour",
}
"""Rulings while orders are open, each with a word of what it did."""
CLOSED = {
    "overrule bid of Ada = 1 because of a slip": "1",
    "overrule V2 = 1 because he paid": "bid of Bo",
    "do gain Bo 2 because of his licence": "gain Bo 2",
    "note Fog over the harbour": "Fog over the harbour",
    "accept late Ada because her line was down": "accept late Ada",
}
"""Rulings on a proof."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Room]:
    """A tide with a bid of Ada's on hand; and one whose proof waits for the moderator, as does a late set of hers."""
    made = {}
    for name in ("open", "closed"):
        room = Room(tmp_path_factory.mktemp(name) / "arena")
        room.found("ada", "bo", "cy", review=("tide",))
        room.write(ADA, "bid 4")
        if name == "closed":
            room.write(BO, "bid 2")
            room.write(CY, "bid 0")
        room.sweep()
        assert room.table().status == name
        if name == "closed":
            room.write(ADA, "bid 1", span=timedelta(seconds=30))
            room.sweep()
        room.arena.close()
        made[name] = room
    return made


def standing(room: Room) -> tuple[Any, ...]:
    """Return all that a ruling may change."""
    table = room.table()
    derived = (table.outcome.state, table.outcome.verdicts) if table.outcome else None
    return (
        table.state, table.sets.hand, table.deadline, table.paused, table.excused, table.standing, table.rulings,
        table.status, derived,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("stage", "line", "did"),
    some(4, [*(("open", *row) for row in OPEN.items()), *(("closed", *row) for row in CLOSED.items())]),
)
def test_a_ruling_is_attributable_and_can_be_taken_back(
    begun: dict[str, Room], tmp_path: Path, stage: str, line: str, did: str
) -> None:
    """The journal has its instant, its mail by digest, its reason; the echo what it did; undo gives all back."""
    room = begun[stage].copied(tmp_path / "arena")
    before = standing(room)
    mail = room.write(GWEN, line)
    room.sweep()
    ruled = standing(room)
    assert ruled != before
    (entry,) = [one for one in room.table().log if isinstance(one, RulingGiven)]
    raw = room.root / "games" / "tide-1" / "post" / "in" / f"{entry.cause}.eml"
    assert raw.read_bytes() == mail.raw and hashlib.sha256(mail.raw).hexdigest() == entry.cause
    assert (entry.arrived, entry.noted, entry.phase) == (mail.arrived, room.clock.now(), 1)
    assert entry.said[0] == line and entry.rulings[0].because == line.partition(" because ")[2]
    told = flat("\n".join("\n".join(letter.body) for letter in room.letters(GWEN)[-2:]))
    assert "Ruling 1" in told and did in told and (entry.rulings[0].because in told), told
    room.write(GWEN, "undo 1 because I was wrong")
    room.sweep()
    assert standing(room) == before
    undone = [one for one in room.table().log if isinstance(one, RulingGiven)][-1]
    assert undone.rulings == (Undo(number=1, because="I was wrong"),) and undone.cause != entry.cause
    room.write(GWEN, line)  # what was taken back can be ruled again
    room.sweep()
    assert standing(room) != before
    room.arena.close()


def test_an_overruling_says_what_the_rules_gave_and_what_the_moderator_did(
    begun: dict[str, Room], tmp_path: Path
) -> None:
    """The echo has both, and so has the file of the phase's outcome, for anybody who reads the archive."""
    room = begun["closed"].copied(tmp_path / "arena")
    room.write(GWEN, "overrule bid of Ada = 1 because of a slip")
    room.sweep()
    echo = flat("\n".join("\n".join(letter.body) for letter in room.letters(GWEN)[-2:]))
    assert "4" in echo and "1" in echo and "of a slip" in echo, echo
    room.write(GWEN, "approve 2")
    room.sweep()
    outcome = (room.root / "games" / "tide-1" / "phase-01" / "outcome.toml").read_text()
    (pinned,) = [text for text in outcome.split("[[verdicts]]") if 'key = "bid of ada"' in text]
    assert "value = 1" in pinned, pinned
    report = (room.root / "games" / "tide-1" / "phase-01" / "report.txt").read_text()
    assert "overrule bid of" in report and "of a slip" in report
    room.arena.close()


def test_a_ruling_from_the_terminal_and_one_by_an_edit_say_so(begun: dict[str, Room], tmp_path: Path) -> None:
    """Neither has a mail, so the journal says whence it came, and the moderator is told of both."""
    from pbem.hall.commands import ruling

    room = begun["open"].copied(tmp_path / "arena")
    ruling.rule(room.arena, GameName("tide-1"), 1, ["extend 2h because of fog"], room.clock.now())
    file = room.root / "games" / "tide-1" / "state.toml"
    file.write_text(file.read_text().replace('"coins of bo" = 10', '"coins of bo" = 5'))
    room.write(GWEN, "status")
    room.sweep(timedelta(minutes=1))
    causes = [entry.cause for entry in room.table().log if isinstance(entry, RulingGiven) and entry.rulings]
    assert causes == ["terminal", "hand"]
    told = flat("\n".join("\n".join(letter.body) for letter in room.letters(GWEN)))
    assert "of fog" in told and "edited by hand" in told
    room.arena.close()
