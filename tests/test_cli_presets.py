"""Presets of `pbem new`: many terms by one name, single ones before them, and what letters say of them."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem import cli
from pbem.ground.terms import CharterError, GameName
from pbem.hall.commands import presets
from pbem.hall.commands.founding import found_game
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.model import charter
from pbem.world.settings import templates
from tests.conftest import Room, flat

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
LISTED = list(presets.all_presets())
KNOWN = [one.name for ruleset, one in LISTED if ruleset == "rumble"]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """An arena with the rulesets that there are."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    yield room
    room.arena.close()


def founded(room: Room, name: str, ruleset: str = "rumble", **terms: object) -> charter.Charter:
    """Found a game for two, of Rumble unless another is named."""
    return found_game(
        room.arena,
        GameName(name),
        ruleset,
        moderator=GWEN,
        invited=[ADA, BO],
        seats=2,
        now=room.clock.now(),
        **terms,  # type: ignore[arg-type]
    )


def test_every_preset_sets_what_there_is(room: Room) -> None:
    """Each founds a game whose charter has all that the preset says, and no other house rule."""
    assert KNOWN == ["classic", "print-and-play", "blognomic", "long-distance"]
    for ruleset, one in LISTED:
        made = founded(room, f"with-{one.name}", ruleset, preset=one.name)
        assert made.preset == one.name and made.house == one.house
        assert one.terms == {name: getattr(made, name) for name in one.terms}
        assert one.rules.items() <= made.calendar.rules.items()
        chosen = charter.chosen_preset(made, rulesets_known()[ruleset])
        assert (chosen.name, chosen.rules, chosen.terms) == (one.name, (), ())


def test_classic_is_what_is_founded_where_nobody_says_otherwise() -> None:
    """Its house rules are the defaults, its calendar and its terms those of every game."""
    classic = next(one for ruleset, one in LISTED if one.name == "classic")
    defaults = {option.name: option.default for option in rulesets_known()["rumble"].options}
    assert {**defaults, **classic.house} == defaults and not classic.terms and not classic.rules
    assert (defaults["stalemate"], defaults["reveal_phase"], defaults["ties"]) == ("told", "on_request", "rebid")


@pytest.mark.parametrize(("house", "title"), [({}, "Amendments"), ({"amendments": "no"}, "Auction")])
def test_print_and_play_goes_over_the_pool_before_anybody_bids(room: Room, house: dict[str, str], title: str) -> None:
    """As its rules of 2021 do; a game whose charter says otherwise, as those of older releases do, goes on as it was."""
    founded(room, "pool-1", preset="print-and-play", house=house, review=())
    room.sweep()
    for who in (ADA, BO):
        room.write(who, f"join as {who[:2]}")
    room.sweep()
    for who, first, second in ((ADA, "Flight", "Air Strike"), (BO, "Tough Skin", "Laser Eyes")):
        room.write(who, f"power: {first}\n\npower: {second}")
    room.sweep()
    room.sweep(timedelta(hours=1))
    assert room.table("pool-1").title == title


def test_single_terms_go_before_the_preset(room: Room) -> None:
    """A house rule, a way to close and a kind of phase; the first letters name the preset and what was changed."""
    founded(
        room,
        "far-1",
        preset="long-distance",
        house={"ties": "random", "genre": "racing"},
        close="when ready",
        calendar={"rules": {"round": "every Tue 20:00"}},
    )
    room.sweep()
    invitation = flat(room.last(ADA))
    assert "House rules Played as long-distance: 72 hours a phase" in invitation
    for who in (ADA, BO):
        room.write(who, f"join as {who[:2]}")
    room.sweep()
    opening = flat(room.last(ADA))
    assert "House rules Played as long-distance: 72 hours a phase" in opening
    changed = "But otherwise in this game: A die decides ties at once. Phases end at other times."
    assert changed in invitation and changed in opening and "round: every Tue 20:00" in opening
    assert "all other phases: 72h after opening, not on Sat Sun" in opening
    assert [line for line in room.last(ADA).split("\n") if len(line) > 56] == []


def test_an_unknown_preset_is_refused_with_those_known(room: Room) -> None:
    """Nothing is founded; and a game without a preset says nothing of any."""
    with pytest.raises(CharterError, match=r'--preset: there is no preset "clasic"\. Known: ' + ", ".join(KNOWN)):
        founded(room, "ember-7", preset="clasic")
    assert founded(room, "ember-7").preset == ""
    room.sweep()
    assert "Played as" not in room.last(ADA)


def run(arena: Path, *words: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.pbem, ["--arena", str(arena), *words])


def test_the_terminal_founds_by_a_preset(room: Room) -> None:
    """What the command line says goes first, and what it leaves out is the preset's; the help lists all of them."""
    room.arena.close()
    (room.root / "settings.toml").write_text('[arena]\nname = "A"\naddress = "a@example.org"\n[mailbox]\npath = "m"\n')
    new = ["new", "rumble", "far-2", "--moderator", GWEN, "--invite", ADA, "--invite", BO]
    done = run(room.root, *new, "--preset", "long-distance", "--calendar", "round=every Tue 20:00")
    assert done.exit_code == 0, done.output
    assert 'preset = "long-distance"' in done.output and 'close = "at deadline"' in done.output
    assert '"round"' in done.output.partition("standing = [")[2].partition("]")[0]
    assert (
        'default = "72h after opening, not on Sat Sun"' in done.output and 'round = "every Tue 20:00, ' in done.output
    )
    wrong = run(room.root, *new[:2], "far-3", *new[3:], "--preset", "x")
    assert wrong.exit_code == 2 and "Known: classic," in wrong.output
    offered = run(room.root, "new", "--help").output
    assert all(f"{ruleset}: {one.name}" in offered for ruleset, one in LISTED)
