"""Facts of the discs that a moderator sets: read in words, and always a state that the rules could have made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Given, Seat
from pbem.language.phrases import Unread
from pbem.ruleset import Dice
from pbem.rulesets.discs.grid.plane import along
from pbem.rulesets.discs.model.program import CARDS
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.play.setting_up import begin
from tests.rulesets.discs_worlds import RULESET, World, some_set, worlds

SAID = {
    "place": ("F4", "13.5,7", "2,2", "L12", "1,1", "99,3", "nowhere"),
    "disc": ("in hand", "gone", "D2 NE", "13.5,7 going 37", "12,12 SSW", "A1 S", "D1", "somewhere N"),
    "held": ("0", "1", "2", "3", "9"),
    "prone": ("yes", "no"),
    "out": ("yes", "no"),
    "turn": ("1", "7"),
    "quiet": ("0", "2"),
    "lull": ("0", "12"),
    "team": ("1", "2", "9", "0"),
}


def battle() -> State:
    """Return a duel at its beginning."""
    return begin({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, Dice(bytes(32)))


@given(worlds(), st.data())
def test_what_is_set_is_a_state_that_can_be_played(world: World, data: st.DataObject) -> None:
    """Cards are conserved, Bases and Markers lie on the Grid, and the battle goes on from there."""
    state = world.state
    for _ in range(4):
        kind = data.draw(st.sampled_from(sorted(SAID)))
        seat = data.draw(st.sampled_from([one.seat for one in state.programs]))
        key = kind if kind in ("turn", "quiet", "lull") else f"{kind} of {seat}"
        assert RULESET.name_fact(state, key) == key
        value = RULESET.read_value(state, key, data.draw(st.sampled_from(SAID[kind])))
        after = value if isinstance(value, Unread) else RULESET.amend(state, key, value)
        if isinstance(after, Unread):
            assert after.because
            continue
        shown = RULESET.standing(after)[key]
        assert shown == value or (kind == "prone" and state.program(seat).out)
        state = after
    for one in state.programs:
        assert one.out or one.held + one.deck + one.used == CARDS
        assert one.out or state.grid.has_room(one.at)
        assert not one.out or (not one.held and not one.prone and (one.disc or not one.deck + one.used))
        if one.disc:
            tail = along(one.disc.tip, one.disc.bearing, -state.sizes.marker)
            assert state.grid.holds(one.disc.tip) and state.grid.holds(tail)
    if len({state.side(one.seat) for one in state.standing()}) > 1 and state.deck:
        orders = {one.seat: some_set(state, one.seat, world.rng) for one in state.standing()}
        RULESET.adjudicate(state, orders, Given(), world.dice)


@pytest.mark.parametrize(
    ("fact", "said", "key", "value"),
    [
        ("place of Bo", "F4", "place of bo", "11.00,7.00"),
        ("place Bo", "the square f4", "place of bo", "11.00,7.00"),
        ("disc of Bo", "D2 SW", "disc of bo", "7.00,3.00 going SW"),
        ("disc of Bo", "13.5,7 going 37", "disc of bo", "13.50,7.00 going 37"),
        ("disc of bo", "In Hand", "disc of bo", "in hand"),
        ("held of Ada", "2", "held of ada", 2),
        ("prone of Ada", "yes", "prone of ada", True),
        ("Card 3", "Bo", "card 3", "bo"),
        ("die 3-2", "north-west", "die 3-2", "NW"),
        ("die 1", "37", "die 1", "37"),
        ("crossing 3 of Ada on Bo", "no", "crossing 3 of ada on bo", False),
        ("attack 1 of Bo on Ada", "yes", "attack 1 of bo on ada", True),
    ],
)
def test_facts_are_named_and_read_in_words(fact: str, said: str, key: str, value: object) -> None:
    """As people write them; and what is shown of a value reads back as it."""
    assert RULESET.name_fact(battle(), fact) == key
    assert RULESET.read_value(battle(), key, said) == value


@pytest.mark.parametrize(
    ("key", "value", "because"),
    [
        ("place of bo", "1.00,12.00", "wholly on the Grid"),
        ("disc of bo", "gone", "in hand or flies"),
        ("held of bo", 3, "holds 0 to 2 cards"),
        ("held of bo", True, "Write a number"),
        ("prone of bo", 1, "yes or no"),
        ("card 1", "bo", "Only place of NAME"),
    ],
)
def test_what_cannot_be_set_is_refused(key: str, value: str | int, because: str) -> None:
    """With what would have worked."""
    found = RULESET.amend(battle(), key, value)
    assert isinstance(found, Unread) and because in found.because


def test_a_program_that_is_put_back_needs_room() -> None:
    """Where somebody stands by now, its place is set first."""
    state = with_program(battle(), "bo", out=True, held=0, deck=0, used=0, at=battle().program("ada").at)
    found = RULESET.amend(state, "out of bo", value=False)
    assert isinstance(found, Unread) and "Set its place first" in found.because
    for fact in ("weather", "crossing 3", "place of Zoe", "crossing 1 of Zoe on Bo"):
        assert isinstance(RULESET.name_fact(battle(), fact), Unread)


def teams() -> State:
    """Return a battle of Ada and Cy against Bo and Dee."""
    return begin({Seat(name.lower()): name for name in ("Ada", "Bo", "Cy", "Dee")}, {"teams": "2"}, Dice(bytes(32)))


@pytest.mark.parametrize("said", ["1", "Ada", "team of Cy", "that of Ada", "the team of cy", "with Ada"])
def test_a_moderator_says_who_is_on_a_team(said: str) -> None:
    """By its number, or by who is on it; mates, foes and whom one spares follow."""
    state = teams()
    assert RULESET.name_fact(state, "team of Bo") == "team of bo" and RULESET.standing(state)["team of bo"] == 2
    value = RULESET.read_value(state, "team of bo", said)
    assert value == 1
    after = RULESET.amend(state, "team of bo", 1)
    assert isinstance(after, State)
    assert [one.name for one in after.foes("bo")] == ["Dee"] and RULESET.sides(after)[Seat("bo")] == "team 1"


def test_a_team_that_cannot_be_had_is_refused() -> None:
    """One that there is not, one that leaves nobody to fight, any where everybody is alone."""
    state = teams()
    for value in (0, 3):
        found = RULESET.amend(state, "team of bo", value)
        assert isinstance(found, Unread) and "teams 1 to 2" in found.because
    moved = RULESET.amend(state, "team of bo", 1)
    assert isinstance(moved, State)
    found = RULESET.amend(moved, "team of dee", 1)
    assert isinstance(found, Unread) and "nobody left to fight" in found.because
    found = RULESET.amend(battle(), "team of bo", 1)
    assert isinstance(found, Unread) and "--house teams=2" in found.because
    assert "team of bo" not in RULESET.standing(battle())
