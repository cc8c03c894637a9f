"""House rules of the brawl: which cannot hold together, at how many seats, and how an older game with them goes on."""

from pathlib import Path
from typing import Any

import pytest

from pbem.chance import Dice
from pbem.hall.commands.founding import found_game
from pbem.hall.commands.simulation import match_of
from pbem.hall.store.catalogue import rulesets_known
from pbem.ruleset import Preset
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.options import DEFAULTS, PRESETS, YOUNG
from pbem.terms import CharterError, GameName, Given, Seat
from pbem.world.settings import templates
from tests.conftest import Room

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
        match_of(BRAWL, 2, "", (), house)
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
