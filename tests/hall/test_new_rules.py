"""Rules that change while games run: players are told once, and old defaults go on in the games of before."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from pbem.ground import records
from pbem.ground.terms import Change, Seat
from pbem.hall.sweep.reindexing import reindex
from pbem.ruleset import Dice, Option, Ruleset
from pbem.table.model import charter
from tests.conftest import Room, flat
from tests.depth import some
from tests.hall.test_upgrading import ADA, BO, GWEN, STATUSES, come_to, replayed, upgrade
from tests.harbour import Harbour, HarbourRules


class Milder(HarbourRules):
    """A version in which who sends nothing bids 2, where the charter does not say otherwise."""

    version = 3
    options: tuple[Option, ...] = (
        msgspec.structs.replace(HarbourRules.options[0], default="2", formerly={2: "0", 3: "1"}),
    )

    def changed(self, state: Harbour, since: int) -> tuple[Change, ...]:
        """Say what changed, as far as it is later than what people know."""
        return tuple(Change(f"News of version {version}.", "H4") for version in (2, 3) if version > since)


@pytest.mark.parametrize("status", some(3, ["open", "open, set", "later", "standing", "paused"]))
def test_all_are_told_once_what_changed_and_the_phase_closes_under_it(room: Room, status: str) -> None:
    """In the phase that was open; in the next one nobody is told anything again, nor after a fold from the start."""
    come_to(room, status)
    upgrade(room, Milder())
    for _ in range(3):
        room.sweep()
    for who in (ADA, BO, GWEN):
        told = [letter for letter in room.letters(who) if "The rules have changed" in flat("\n".join(letter.body))]
        assert len(told) == 1, who
        assert "News of version 2. [H4]" in flat("\n".join(told[0].body))
        assert "News of version 3. [H4]" in flat("\n".join(told[0].body))
    assert ("Your orders on hand stand" in told_of(room, ADA)) == (status != "later")
    assert "You have no orders on hand" in told_of(room, BO) or status == "standing"
    if status == "paused":
        room.write(GWEN, "resume because it is clear")
        room.sweep()
    number = room.table().number
    room.sweep(timedelta(hours=80))
    room.sweep(timedelta(minutes=5))
    assert room.table().number == number + 1 or room.table().status == "over"
    (room.root / "games" / "tide-1" / "state.toml").unlink()
    room.reopen()
    room.sweep(timedelta(minutes=5))
    assert len([one for one in room.letters(ADA) if "The rules have changed" in flat("\n".join(one.body))]) == 1
    assert not any(phase.difference for phase in replayed(room))
    assert reindex(room.arena) == [] and not room.sweep().troubles


def test_who_is_told_too_late_is_not_asked_for_another_set(room: Room) -> None:
    """Where the deadline has passed before the new rules come, the letter says that the phase closes at once."""
    room.found("ada", "bo")
    upgrade(room, Milder())
    room.sweep(timedelta(hours=80))
    for who in (ADA, GWEN):
        assert "The deadline has passed, so it closes at once" in told_of(room, who)
        assert "sends a new set" not in told_of(room, who)


def told_of(room: Room, who: str) -> str:
    """Return the letter by which somebody was told of new rules."""
    return next(said for one in room.letters(who) if "The rules have changed" in (said := flat("\n".join(one.body))))


@pytest.mark.parametrize("status", some(4, STATUSES))
@pytest.mark.parametrize("chosen", [{}, {"nmr_bid": 4}])
def test_what_was_the_default_holds_in_games_of_before_and_stands_in_their_charters(
    room: Room, status: str, chosen: dict[str, int]
) -> None:
    """Whatever was chosen stays; the oldest default that holds is that of the day on which the game was founded."""
    if chosen:
        room.found("ada", "bo", house=chosen)
    else:
        come_to(room, status)
    upgrade(room, Milder())
    if status == "proof" and not chosen:
        return  # it waits for its own version
    room.sweep()
    text = (room.root / "games" / "tide-1" / "charter.toml").read_text()
    if chosen:
        assert "nmr_bid = 4\n" in text and "founded" not in text
    else:
        assert 'nmr_bid = "0"  # the default when this game was founded' in text
    assert records.intact(text)
    assert room.table().house == {"nmr_bid": str(chosen.get("nmr_bid", 0))}
    room.reopen()
    assert not room.sweep().troubles
    assert (room.root / "games" / "tide-1" / "charter.toml").read_text() == text


@pytest.mark.parametrize(
    "house", ["[house]\n", "[house]  # ours\nother = 1\n", "", '[house]\nother = "x"\n\n[calendar]\ngrace = "1h"\n']
)
@pytest.mark.parametrize("is_checked", [True, False])
def test_a_charter_that_people_wrote_keeps_all_that_stands_in_it(house: str, is_checked: bool) -> None:
    """One line is added, whatever stands there, and the check sum is made again where there was one."""
    other = Option(name="other", default="1", choices=(), says={"": "{}"}, rule="H4")
    rules: dict[str, Ruleset[Any, Any]] = {"harbour": Milder()}
    rules["harbour"].options = (*Milder.options, other)

    head = (
        '# Mine.\ngame = "tide-1"\nruleset = "harbour"\nversion = 1\nmoderator = "p-1"\nseats = 2\n'
        'created = 2026-01-01T00:00:00Z\nseal = "00"\n'
    )
    text = head + house.replace('"x"', "7")
    text = records.checked(text) if is_checked else text
    after = charter.as_founded(text, rules)
    assert [
        line for line in after.splitlines()[is_checked:] if "founded" not in line and line not in ("", "[house]")
    ] == [line for line in text.splitlines()[is_checked:] if line not in ("", "[house]")]
    found, was = charter.read(after, rules), charter.read(text, rules)
    assert found == was and found.house["nmr_bid"] == "0" and records.intact(after)
    assert charter.as_founded(after, rules) == after
    assert records.is_check(after.splitlines()[0]) == is_checked


class Richer(Milder):
    """A version in which a game begins with eleven coins each."""

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> Harbour:
        """Give one coin more."""
        first = super().setup(seats, house, dice)
        return msgspec.structs.replace(first, coins=dict.fromkeys(first.coins, 11))


@pytest.mark.parametrize("closed", some(3, [0, 1, 2]))
@pytest.mark.parametrize("loses", ["nothing", "state", "index"])
def test_what_older_rules_began_is_never_begun_anew(room: Room, closed: int, loses: str) -> None:
    """However often it is folded from its first day on, whatever was lost meanwhile."""
    room.found("ada", "bo")
    for _ in range(closed):
        room.write(ADA, "bid 1")
        room.write(BO, "bid 0")
        room.sweep()
    upgrade(room, Richer())
    room.sweep()
    before = room.table().state
    if loses == "state":
        (room.root / "games" / "tide-1" / "state.toml").unlink()
    room.reopen()
    assert loses != "index" or reindex(room.arena) == []
    assert room.table().state == before and sum(before.coins.values()) <= 20
    room.sweep(timedelta(hours=80))
    assert not room.sweep(timedelta(hours=80)).troubles
    assert not any(phase.difference for phase in replayed(room))
