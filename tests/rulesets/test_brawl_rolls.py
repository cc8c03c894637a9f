"""What a brawl's dice make of given faces: fighters, pools, Initiative, ties, the floor, drinks and breath."""

from collections.abc import Mapping

import msgspec
import pytest

from pbem.ruleset import Dice, Given, OrderLine, Outcome, Seat
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.options import DEFAULTS
from pbem.rulesets.brawl.round import rolling
from pbem.rulesets.brawl.state import Die, Fighter, State

BUD, MARIA = Seat("bud"), Seat("maria")


class Loaded(Dice):
    """Dice that show what a test says, and else a 2, or a 3 where Bud is tied."""

    def __init__(self, faces: Mapping[str, int]) -> None:
        """Take the faces; labels that were asked for are kept in `asked`."""
        super().__init__(bytes(32))
        self.faces = faces
        self.asked: list[str] = []

    def at(self, scope: str) -> Dice:
        """Return the same dice, wherever."""
        return self

    def face(self, label: str, sides: int) -> int:
        """Return what the test says."""
        self.asked.append(f"{label} d{sides}")
        return self.faces.get(label, 3 if label.startswith("tie bud") else 2)


def fighter(seat: Seat, **more: object) -> Fighter:
    """Return a fighter of middling worth."""
    worth: dict[str, object] = {
        "base_attack": 7, "base_defense": 7, "endurance": 20, "full_endurance": 20, "health": 9, "full_health": 9,
    }  # fmt: skip
    return Fighter(seat=seat, name=str(seat).title(), **{**worth, **more})  # type: ignore[arg-type]


def rolled(faces: Mapping[str, int], **more: object) -> Fighter:
    """Return Bud once a round's dice are rolled."""
    state = State(house=dict(DEFAULTS), fighters=(fighter(BUD, **more), fighter(MARIA)))
    return rolling.begin_round(state, Loaded(faces))[0].fighter(BUD)


def faces_of(one: Fighter) -> list[int]:
    """Return what a fighter's dice show."""
    return [die.value for die in one.dice]


@pytest.mark.parametrize(("face", "third"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_bk5_six_faces_are_three(face: int, third: int) -> None:
    """BK5, K1: 1 and 2 are one, 3 and 4 two, 5 and 6 three; and so many dice of Health a fighter has."""
    assert rolling.third(face) == third
    made = rolling.fighter(BUD, "Bud", 0, DEFAULTS, Loaded({"health dice bud": face, "endurance dice bud": face}))
    assert (made.health, made.endurance) == (2 * third, 2 * third + 10)
    assert (made.full_health, made.full_endurance) == (made.health, made.endurance)


def test_k1_base_attack_and_defense_are_the_two_best_of_three() -> None:
    """K1: the lowest of three dice is dropped, wherever it fell."""
    faces = {"attack bud 0": 1, "attack bud 1": 6, "attack bud 2": 4,
             "defense bud 0": 5, "defense bud 1": 5, "defense bud 2": 3}  # fmt: skip
    made = rolling.fighter(BUD, "Bud", 0, DEFAULTS, Loaded(faces))
    assert (made.base_attack, made.base_defense) == (10, 10)


def test_bk9_a_one_is_lost_and_a_six_brings_a_die() -> None:
    """BK9, K3, K4: 6, 1, 4 and a 5 more are a pool of 6, 4, 5 and an Initiative of 15."""
    one = rolled({"roll bud 0": 6, "roll bud 1": 1, "roll bud 2": 4, "extra bud 0": 5})
    assert faces_of(one) == [6, 4, 5] and one.initiative == 15
    assert [die.letter for die in one.dice] == ["a", "b", "c"]


def test_bk10_a_die_of_a_six_brings_none_itself() -> None:
    """BK10, K3, K-a: 6, 6, 1 and the extra dice 1 and 6 are a pool of 6, 6, 6, and nothing more is rolled."""
    one = rolled({"roll bud 0": 6, "roll bud 1": 6, "roll bud 2": 1, "extra bud 0": 1, "extra bud 1": 6})
    assert faces_of(one) == [6, 6, 6] and one.initiative == 18


def test_bk11_three_ones_are_an_empty_pool() -> None:
    """BK11, K-b: 1, 1, 1 leave nothing, and an Initiative of 0."""
    one = rolled({f"roll bud {number}": 1 for number in range(3)})
    assert faces_of(one) == [] and one.initiative == 0


def test_who_is_dizzy_rolls_two_dice() -> None:
    """K22, K-ii: two dice in place of three, however dizzy; a six still brings one; a round of it passes."""
    one = rolled({"roll bud 0": 6, "roll bud 1": 3, "roll bud 2": 5, "extra bud 0": 4}, dizzy=3)
    assert faces_of(one) == [6, 3, 4] and one.dizzy == 2


@pytest.mark.parametrize(
    ("floor", "face", "extra", "pool"),
    [(5, 4, 4, []), (6, 4, 4, [4]), (6, 1, 4, []), (6, 6, 3, [6, 3]), (6, 6, 1, [6])],
)
def test_a_six_on_the_floor_is_a_die(floor: int, face: int, extra: int, pool: list[int]) -> None:
    """K26: only on a six there is one die, rolled like any other, and it is the Initiative."""
    one = rolled({"floor bud": floor, "roll bud 0": face, "extra bud 0": extra, "roll bud 1": 5}, down=2)
    assert faces_of(one) == pool and one.initiative == sum(pool)


def test_who_is_out_cold_rolls_nothing() -> None:
    """K27: without Buffer no six helps."""
    assert faces_of(rolled({"floor bud": 6, "roll bud 0": 5}, down=3, cold=True)) == []


def test_equal_d20s_are_rolled_again() -> None:
    """K5, K-d: of equal ones the higher d20 is faster; equal d20s are rolled again, by those alone."""
    state = State(house=dict(DEFAULTS), fighters=tuple(fighter(Seat(name)) for name in ("bud", "gina", "maria")))
    dice = Loaded({"tie bud 1": 9, "tie gina 1": 9, "tie maria 1": 4, "tie bud 2": 3, "tie gina 2": 17})
    state, _ = rolling.begin_round(state, dice)
    assert state.order == ((MARIA,), (BUD,), (Seat("gina"),))
    assert [label for label in dice.asked if "tie" in label] == [
        "tie bud 1 d20", "tie gina 1 d20", "tie maria 1 d20", "tie bud 2 d20", "tie gina 2 d20",
    ]  # fmt: skip


def closed(state: State, faces: Mapping[str, int], **orders: str) -> Outcome[State]:
    """Close a round in which seats have one line each."""
    read = {
        seat: RULESET.parse(state, seat, [OrderLine(1, orders.get(str(seat), "pass"))]).orders
        for seat in RULESET.phase(state).owing
    }
    return RULESET.adjudicate(state, read, Given(), Loaded(faces))


def scene(**more: object) -> State:
    """Return a round in which Maria, who is slower, has a die of 3, and Bud a 2 and a 4."""
    maria = fighter(MARIA, base_defense=1, dice=(Die("a", 3),), **more)
    bud = fighter(BUD, dice=(Die("a", 2), Die("b", 4)))
    return State(house=dict(DEFAULTS), fighters=(maria, bud), order=((MARIA,), (BUD,)))


@pytest.mark.parametrize(("face", "stays"), [(6, False), (7, True)])
def test_bk15_a_buffer_of_nine_stays_up_on_a_seven(face: int, stays: bool) -> None:
    """BK15, K25: Health 3 and no Endurance hit by a 4 is -1, and 7 and 9 are above 15."""
    outcome = closed(scene(endurance=0, health=3), {"save 1 of maria": face}, bud="attack Maria with a damage b")
    assert outcome.state.fighter(MARIA).health == -1
    assert outcome.verdicts[-1].value == stays and bool(outcome.result) != stays


@pytest.mark.parametrize(("health", "least"), [(1, 9), (-1, 11), (-3, 13), (-5, 15), (-6, 16), (-7, 16), (-9, 16)])
def test_less_buffer_takes_a_higher_roll(health: int, least: int) -> None:
    """K25, K-v: what the d20 has to show grows as the Buffer goes, to 16 once that is gone."""
    for face in (least - 1, least):
        outcome = closed(
            scene(endurance=0, health=health), {"save 1 of maria": face}, bud="attack Maria with a damage b"
        )
        assert outcome.verdicts[-1].value == (face == least), outcome.verdicts[-1].how


def test_bk6_a_drink_is_rolled_with_one_die() -> None:
    """BK6, K22: with 7 drunk a 5 is three Health and two rounds of dizziness."""
    outcome = closed(scene(drunk=7), {"drink 1 of maria": 5}, maria="drop a drink")
    before = closed(scene(drunk=7, full_health=20), {"drink 1 of maria": 5}, maria="drop a drink")
    assert outcome.state.fighter(MARIA).health == 9
    drinker = before.state.fighter(MARIA)
    assert (drinker.health, drinker.drunk) == (12, 10)
    assert len(drinker.dice) == 2 and drinker.dizzy == 1


@pytest.mark.parametrize(("face", "gained"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_breath_between_rounds_is_a_third_of_a_die(face: int, gained: int) -> None:
    """K28: a boxer who has Health left gets 1d3 Endurance back."""
    state = scene(endurance=10)
    state = msgspec.structs.replace(state, house={**DEFAULTS, "boxing": "yes"})
    assert closed(state, {"breath 1 of maria": face}).state.fighter(MARIA).endurance == 10 + gained
