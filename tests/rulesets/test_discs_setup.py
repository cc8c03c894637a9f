"""How a disc battle begins: house rules that hold together, places with room between them, cards."""

import re
from collections import Counter
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Seat
from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.grid.ring import fits, ring
from pbem.rulesets.discs.model.options import DEFAULTS, LARGEST, OPTIONS, SMALLEST, clash
from pbem.rulesets.discs.model.order import With
from pbem.rulesets.discs.model.program import Disc, Program
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.play.setting_up import begin
from pbem.table.model.charter import house_mistake
from tests.rulesets.discs_worlds import RULESET

SEATS = {Seat(name.lower()): name for name in ("Ada", "Bo", "Cy", "Di", "Eve", "Fay")}


@given(st.integers(SMALLEST, LARGEST), st.integers(2, 12))
def test_places_have_room_for_a_base_between_them(side: int, count: int) -> None:
    """Wherever a Grid takes so many seats, neighbours stand 8 inches apart, and every Base is wholly on the Grid."""
    refused = clash({"grid": str(side)}, count)
    assert (refused is None) is fits(side, count)
    if refused:
        assert refused[0] == "grid"
        return
    places = ring(side, count)
    assert len(set(places)) == count
    assert all(one.squared(other) >= 800**2 for one, other in combinations(places, 2))
    assert all(200 <= line <= 100 * side - 200 for place in places for line in place)


def test_a_larger_grid_takes_as_many_seats_as_a_smaller_one() -> None:
    """Twelve inches are enough for a duel, 24 for six."""
    most = [max(count for count in range(1, 31) if fits(side, count)) for side in range(SMALLEST, 49)]
    assert most == sorted(most)
    assert most[0] == 2 and most[24 - SMALLEST] >= 6


@given(st.integers(2, 6), st.binary(min_size=32, max_size=32), st.sampled_from(("0", "2", "3")))
def test_a_battle_begins_with_a_card_held_and_four_in_the_deck(count: int, seed: bytes, teams: str) -> None:
    """Everybody stands, armed; the dice say who begins where; seats are dealt into teams in turn."""
    seats = dict(list(SEATS.items())[:count])
    state = begin(seats, {"teams": teams}, Dice(seed))
    assert state.names == seats and state.phase == "list" and state.deck == 4 * count
    assert {program.at for program in state.programs} == set(ring(24, count))
    assert all(
        (one.held, one.deck, one.used, one.is_armed, one.prone) == (1, 4, 0, True, False) for one in state.programs
    )
    assert [one.team for one in state.programs] == [i % int(teams) + 1 if teams != "0" else 0 for i in range(count)]
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def test_the_dice_deal_the_places() -> None:
    """Each seat begins in each place at times."""
    found = {begin(SEATS, {}, Dice(bytes([n]) * 32)).program("ada").at for n in range(100)}
    assert found == set(ring(24, 6))


@pytest.mark.parametrize(
    ("house", "seats", "option", "says"),
    [
        ({"grid": "11"}, 2, "grid", "12 to 96 inches"),
        ({"grid": "97"}, 2, "grid", "12 to 96 inches"),
        ({"grid": "12"}, 3, "grid", "Say grid=14 or more"),
        ({"teams": "1"}, 4, "teams", "nobody to fight"),
        ({"teams": "5"}, 4, "teams", "5 teams of 0 to 1, and a team has 2 to 4 Programs. Say teams=2, or 0"),
        ({"teams": "2"}, 3, "teams", "2 teams of 1 to 2, and a team has 2 to 4 Programs. Say at least 4 seats, or 0"),
        (
            {"teams": "2", "grid": "48"},
            12,
            "teams",
            "2 teams of 6, and a team has 2 to 4 Programs. Say teams=3, 4, 5 or 6,",
        ),
        ({"team_talk": "yes"}, 4, "team_talk", "there are no teams"),
        ({"teams_by": "choice"}, 4, "teams_by", "there are no teams"),
    ],
)
def test_house_rules_that_clash_are_refused(house: dict[str, str], seats: int, option: str, says: str) -> None:
    """By name, with what would have worked."""
    found = clash(house, seats)
    assert found and found[0] == option and says in found[1]


@given(st.integers(2, 12), st.integers(2, 12))
def test_a_game_is_founded_with_teams_of_two_to_four_alone(seats: int, teams: int) -> None:
    """As its seats are dealt; and what a refusal offers is taken."""
    names = {Seat(f"p{number}"): f"P{number}" for number in range(seats)}
    dealt = Counter(one.team for one in begin(names, {"grid": "96", "teams": str(teams)}, Dice(bytes(32))).programs)
    are_right = len(dealt) == teams and {*dealt.values()} <= {2, 3, 4}
    found = clash({"grid": "96", "teams": str(teams)}, seats)
    assert (found is None) is are_right
    offered = re.findall(r"\d+", found[1].partition("Say teams=")[2].partition(", or 0")[0]) if found else []
    assert all(clash({"grid": "96", "teams": count}, seats) is None for count in offered)
    assert not found or bool(offered) is (seats >= 4)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        (
            "grid",
            "24x36",
            "should be the inches of one side, such as 24: a Grid is square, and an oblong one cannot be",
        ),
        ("grid", "24 by 36", "a Grid is square"),
        ("teams", "chosen", "should be how many teams there are, such as 2, or 0. Seats are dealt into them in turn"),
        ("closing", "soon", "should be a whole number"),
    ],
)
def test_what_cannot_be_founded_is_refused_with_what_can(name: str, value: str, says: str) -> None:
    """An oblong Grid, teams other than by number."""
    assert says in house_mistake(OPTIONS, name, value)


def test_the_usual_house_rules_hold_together() -> None:
    """For two to six, and on a larger Grid for twelve."""
    assert [clash({}, seats) for seats in range(2, 7)] == [None] * 5
    assert clash({"grid": "48"}, 12) is None and {option.name: option.default for option in OPTIONS} == DEFAULTS


def test_a_state_with_a_disc_in_flight_survives_being_written() -> None:
    """Places are pairs of numbers in it."""
    state = begin(SEATS, {}, Dice(bytes(32)))
    flying = with_program(state, "bo", disc=Disc(At(100, 250), 37, (Seat("cy"),)), held=2, deck=3)
    again = msgspec.json.decode(msgspec.json.encode(flying), type=State)
    assert again == flying and isinstance(again.program("bo").disc.tip, At)  # type: ignore[union-attr]


def test_sides_foes_and_who_is_spared() -> None:
    """Team mates are on one side; without friendly fire they are spared; who is alone spares nobody."""
    state = begin(SEATS, {"teams": "2", "friendly_fire": "no"}, Dice(bytes(32)))
    assert [one.seat for one in state.foes("ada")] == ["bo", "di", "fay"]
    assert state.spares("ada", "cy") and not state.spares("ada", "bo") and not state.spares("ada", "ada")
    assert not begin(SEATS, {"teams": "2"}, Dice(bytes(32))).spares("ada", "cy")
    alone = begin(SEATS, {"friendly_fire": "no"}, Dice(bytes(32)))
    assert not alone.spares("ada", "bo") and len(alone.foes("ada")) == 5
    assert [one.seat for one in alone.from_seat("di")] == ["di", "eve", "fay", "ada", "bo", "cy"]


def test_a_base_fits_on_the_grid_and_apart_from_others() -> None:
    """It may touch a wall; its middle stays 2 inches from others, where the house does not stack."""
    programs = (Program(seat=Seat("ada"), name="Ada"), Program(seat=Seat("bo"), name="Bo", at=At(1000, 1000)))
    state = State(house=DEFAULTS, programs=programs)
    assert state.fits("ada", At(200, 2200)) and not state.fits("ada", At(199, 1000))
    assert state.fits("ada", At(1200, 1000)) and not state.fits("ada", At(1199, 1000))
    stacked = msgspec.structs.replace(state, house={**DEFAULTS, "stack": "yes"})
    assert stacked.fits("ada", At(1000, 1000)) and not stacked.fits("ada", At(199, 1000))


@given(st.integers(4, 12), st.integers(2, 6), st.integers(0, 2**32), st.data())
def test_wishes_for_team_mates_are_granted_where_that_can_be(
    count: int, teams: int, seed: int, data: st.DataObject
) -> None:
    """Teams are as even as dealt ones; who names whom nobody else wants is with them; the same wishes, the same teams."""
    house = {"grid": "96", "teams": str(teams), "teams_by": "choice"}
    if clash(house, count):
        return
    seats = {Seat(f"p{number}"): f"Pat {number}x" for number in range(count)}
    dice = Dice(seed.to_bytes(32, "big"))
    state = begin(seats, house, dice)
    assert state.phase == "place" and not any(one.team for one in state.programs) and state.chosen == "teams"
    wishes = {
        seat: data.draw(st.lists(st.sampled_from([one for one in seats if one != seat]), unique=True, max_size=3))
        for seat in seats
    }
    orders = {seat: tuple(With(mate) for mate in mates) for seat, mates in wishes.items()}
    after, again = (RULESET.adjudicate(state, orders, Given(), dice).state for _ in range(2))
    assert after == again and after.phase == "list"
    sizes = Counter(one.team for one in after.programs)
    assert tuple(sizes[team] for team in range(1, teams + 1)) == state.team_sizes
    for seat, mates in wishes.items():
        rivals = [one for one in seats if one != seat and {seat, *mates[:1]} & {*wishes[one]}]
        if mates and not [one for one in rivals if one != mates[0]] and set(wishes[mates[0]]) <= {seat}:
            assert after.side(seat) == after.side(mates[0])
    told = [
        event.facts["teams"]
        for event in RULESET.adjudicate(state, orders, Given(), dice).events
        if event.kind == "teams"
    ]
    assert [[one.name for one in after.programs if one.team == team] for team in range(1, teams + 1)] == told[0]


def test_the_dice_can_deal_teams() -> None:
    """Each seat is on each team at times, and teams are as even as ever."""
    found = [begin(SEATS, {"teams": "2", "teams_by": "dice"}, Dice(bytes([n]) * 32)) for n in range(40)]
    assert {one.program("ada").team for one in found} == {1, 2}
    assert all(Counter(one.team for one in state.programs) == {1: 3, 2: 3} for state in found)
