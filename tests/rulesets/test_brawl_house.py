"""House rules of the brawl: which cannot hold together, at how many seats, and how an older game with them goes on."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import CharterError, GameName, Given, Seat
from pbem.hall.commands.founding import found_game
from pbem.hall.commands.simulation import match_of
from pbem.hall.store.catalogue import rulesets_known
from pbem.ruleset import Preset
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.options import DEFAULTS, EVEN, PRESETS, YOUNG
from pbem.simulation.matches import figures, play
from pbem.world.settings import templates
from tests.conftest import Room, flat

BRAWL: Any = RULESET
ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
CLASHES = [
    ({"teams": "1"}, "teams", "one team has nobody to fight"),
    ({"teams": "3"}, "teams", "more teams than seats"),
    ({"end": "rounds"}, "end", "--house police=10"),
    ({"police_from": "7", "police": "5"}, "police_from", "Say an earlier round"),
    ({"endurance_dice": "2", "endurance": "20"}, "endurance_dice", "endurance is fixed already"),
    ({"level": "3", "endurance_dice": "2", "health_dice": "1"}, "level", "of both that is said already"),
    ({"groups": "on", "game": "bare"}, "groups", "nobody moves"),
    ({"level": "2", "endurance": "20", "health": "9"}, "level", "Leave one out"),
]


@pytest.mark.parametrize(("house", "option", "heard"), CLASHES)
def test_rules_that_cannot_hold_together_found_no_game(
    tmp_path: Path, house: dict[str, str], option: str, heard: str
) -> None:
    """The founder is told of the option, and nothing is written; nor are such games simulated."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    with pytest.raises(CharterError, match=f"^On the command line, --house {option}: .*{heard}"):
        found_game(
            room.arena, GameName("x1"), "brawl", moderator=GWEN, invited=[ADA, BO], seats=2, now=room.clock.now(),
            house=dict(house),
        )  # fmt: skip
    assert not (room.root / "games").exists()
    with pytest.raises(CharterError, match=f"^--house {option}: .*{heard}"):
        match_of(BRAWL, 2, (), (), house)
    room.arena.close()


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_no_preset_clashes(preset: Preset) -> None:
    """At whatever number of seats there may be."""
    for seats in RULESET.seats:
        assert BRAWL.clash({**DEFAULTS, **preset.house}, seats) is None


@pytest.mark.parametrize(
    ("house", "heard"),
    [
        ({"teams": "1"}, "so it is everyone for themselves"),
        ({"end": "rounds"}, "ends when one side stands alone"),
        ({"teams": "3"}, ""),
    ],
)
def test_a_game_that_was_founded_with_them_goes_on_and_says_how(house: dict[str, str], heard: str) -> None:
    """Nobody wins a round in which nothing happened, and the report says what holds."""
    seats = {Seat("bud"): "Bud", Seat("maria"): "Maria"}
    state = RULESET.setup(seats, {**DEFAULTS, **house}, Dice(bytes(32)))
    orders = {seat: RULESET.missing(state, seat, Dice(bytes(32))) for seat in RULESET.phase(state).owing}
    outcome = RULESET.adjudicate(state, orders, Given(), Dice(bytes(32)))
    told = " ".join(str(event.facts["says"]) for event in outcome.events if event.kind == "clash")
    assert outcome.result is None
    assert heard in told and bool(told) == bool(heard)


def test_a_young_rule_is_noted_only_where_it_is_chosen() -> None:
    """So that games of before there was such a rule begin with the state that they have on file."""
    seats = {Seat("bud"): "Bud", Seat("maria"): "Maria"}
    plain = RULESET.setup(seats, DEFAULTS, Dice(bytes(32)))
    chosen = RULESET.setup(seats, {**DEFAULTS, "police_from": "3"}, Dice(bytes(32)))
    assert not set(YOUNG) & set(plain.house) and chosen.house["police_from"] == "3"


@given(st.integers(2, 9), st.integers(0, 4), st.integers(0, 20), st.integers(0, 5))
def test_who_is_in_a_smaller_team_has_so_many_dice_more_for_each_that_it_lacks(
    count: int, teams: int, handicap: int, seed: int
) -> None:
    """One to six points for each, of Endurance and of Health; whoever is in the largest has what they had before."""
    if teams == 1 or teams > count:
        return
    seats = {Seat(f"s{place}"): f"S {place}" for place in range(count)}
    dice = Dice(bytes([seed]) * 32)
    house = {"teams": str(teams)}
    plain = BRAWL.setup(seats, house, dice).fighters
    evened = BRAWL.setup(seats, {**house, "handicap": str(handicap)}, dice).fighters
    sizes = [sum(one.team == other.team for other in plain) if teams else 1 for one in plain]
    for before, after, size in zip(plain, evened, sizes, strict=True):
        more = handicap * (max(sizes) - size)
        for field in ("endurance", "health", "full_endurance", "full_health"):
            assert more <= getattr(after, field) - getattr(before, field) <= 6 * more
        assert (after.base_attack, after.base_defense) == (before.base_attack, before.base_defense)


@pytest.mark.parametrize(("seats", "few"), [(3, 1), (5, 2), (7, 3)])
def test_founding_two_teams_of_unequal_sizes_says_what_makes_them_even(tmp_path: Path, seats: int, few: int) -> None:
    """To the founder, in the terminal and in the first letter; no such word where they are even, or evened."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    people = [f"p{number}@example.org" for number in range(seats)]

    def founded(name: str, asked: list[str], **house: str) -> str:
        found_game(
            room.arena, GameName(name), "brawl", moderator=GWEN, invited=asked, seats=len(asked), now=room.clock.now(),
            house={"teams": "2", **house},
        )  # fmt: skip
        room.sweep()
        return flat(room.last(GWEN))

    said = (
        f"Teams are of {few} and of {few + 1} here, and among equals the larger one hardly ever loses. To even that: "
    )
    assert f"{said}--house handicap={EVEN[few]}" in founded("x1", people)
    assert "hardly ever loses" not in founded("x2", people, handicap=str(EVEN[few]))
    assert "hardly ever loses" not in founded("x3", [*people, "more@example.org"])
    room.arena.close()


@pytest.mark.sweep
@pytest.mark.parametrize(("few", "dice"), EVEN.items())
def test_the_handicap_makes_unequal_teams_nearly_even(few: int, dice: int) -> None:
    """Between equal programs neither side has as much as 70 in a hundred, where the larger had nearly all."""
    won = {}
    for handicap in (0, dice):
        match = match_of(BRAWL, 2 * few + 1, (), (), {"teams": "2", "handicap": str(handicap)})
        found = figures(match, [play(BRAWL, match, Dice(bytes(32)).at(f"game-{number}")) for number in range(300)])
        won[handicap] = sum(share.won for place, share in enumerate(found.seats) if place % 2 == 0)
    assert won[0] > 0.9 and 0.3 < won[dice] < 0.7, won
