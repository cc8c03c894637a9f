"""Laws of single sums of the brawl: sets of equal dice, drinks, breath, damage."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Outcome, Seat
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.options import DEFAULTS
from pbem.rulesets.brawl.order import Attack, Defend, Order
from pbem.rulesets.brawl.round.blows import hit
from pbem.rulesets.brawl.round.declarations import Declared, set_factors
from pbem.rulesets.brawl.round.dropping import drunk, regained
from pbem.rulesets.brawl.round.rolling import LETTERS
from pbem.rulesets.brawl.state import BUFFER, MOST_DRUNK, Die, Fighter, Item, State


@given(st.lists(st.integers(2, 6), max_size=12))
def test_equal_dice_count_by_what_they_are_part_of(faces: list[int]) -> None:
    """No die of two or more alike counts once; triples are whole, and no more of four dice are doubles than need be."""
    dice = {letter: Die(letter, face) for letter, face in zip(LETTERS, faces, strict=False)}
    factors = set_factors(Declared("bud", dice, blows=(Attack("ada", tuple(dice), ()),)), dice)
    for face, count in Counter(faces).items():
        held = Counter(factors[letter] for letter, die in dice.items() if die.value == face)
        assert held[1] == (count == 1) and held[2] in (0, 2, 4) and held[3] % 3 == 0 and held.total() == count


@given(st.lists(st.sampled_from((2, 5)), min_size=1, max_size=8), st.data())
def test_no_die_does_better_idle_than_in_use(faces: list[int], data: st.DataObject) -> None:
    """Whichever dice are used for an attack, one more of the pool makes it stronger, and by no less than it shows."""
    dice = {letter: Die(letter, face) for letter, face in zip(LETTERS, faces, strict=False)}
    used = data.draw(st.permutations(list(dice)))

    def worth(letters: Sequence[str]) -> int:
        factors = set_factors(Declared("bud", dice, blows=(Attack("ada", tuple(letters), ()),)), dice)
        return sum(dice[letter].value * factor for letter, factor in factors.items())

    for count in range(len(used)):
        assert worth(used[: count + 1]) >= worth(used[:count]) + dice[used[count]].value


@given(st.lists(st.integers(2, 6), min_size=1, max_size=2), st.lists(st.integers(3, 16), min_size=1, max_size=4))
def test_defenses_stop_as_many_attacks_as_they_can(guards: list[int], bases: list[int]) -> None:
    """No other way of setting defenses against attacks would stop stronger ones, nor more."""
    me = _fighter("bud", 5, tuple(Die(letter, face) for letter, face in zip(LETTERS, guards, strict=False)))
    foes = [_fighter(f"foe{n}", base, (Die("a", 2), Die("b", 3))) for n, base in enumerate(bases)]
    state = State(house=DEFAULTS, fighters=(me, *foes), order=tuple((one.seat,) for one in (me, *foes)))
    orders: dict[Seat, tuple[Order, ...]] = {me.seat: tuple(Defend((die.letter,)) for die in me.dice)}
    orders |= {foe.seat: (Attack("bud", ("a",), ("b",)),) for foe in foes}
    outcome = RULESET.adjudicate(state, orders, Given(), Dice(bytes(32)))
    stopped = [foe.base_attack + 2 for foe in foes if not _value(outcome, f"attack 1 of {foe.seat}")]
    strength = 2 if len(set(guards)) < len(guards) else 1
    walls = [5 + face * strength for face in guards] + [5] * len(foes)
    best = max(
        sorted(
            (foe.base_attack + 2 for foe, wall in zip(foes, held, strict=True) if foe.base_attack + 2 <= wall),
            reverse=True,
        )
        for held in permutations(walls, len(foes))
    )
    assert sorted(stopped, reverse=True) == best


def _fighter(seat: str, base: int, dice: tuple[Die, ...]) -> Fighter:
    return Fighter(
        seat=Seat(seat), name=seat, base_attack=base, base_defense=5, endurance=20, full_endurance=20, health=20,
        full_health=20, dice=dice,
    )  # fmt: skip


def _value(outcome: Outcome[State], key: str) -> object:
    return next(verdict.value for verdict in outcome.verdicts if verdict.key == key)


@st.composite
def fighters(draw: st.DrawFn) -> Fighter:
    """Draw a fighter within the limits, in whatever condition."""
    health, endurance = draw(st.integers(1, 18)), draw(st.integers(11, 28))
    return Fighter(
        seat=Seat("bud"), name="Bud", base_attack=7, base_defense=7, full_health=health, full_endurance=endurance,
        health=draw(st.integers(-BUFFER, health)), endurance=draw(st.integers(0, endurance)),
        drunk=draw(st.integers(0, MOST_DRUNK)), dizzy=draw(st.integers(0, 5)),
    )  # fmt: skip


@given(fighters(), st.integers(1, 6))
def test_a_drink_is_health_or_dizziness(one: Fighter, roll: int) -> None:
    """What is rolled goes into either, and no drink brings Health above its start, or more than 10 in all."""
    after = drunk(one, roll)
    assert (after.health - one.health) + (after.dizzy - one.dizzy) == roll
    assert after.drunk - one.drunk == after.health - one.health >= 0 <= after.dizzy - one.dizzy
    assert after.health <= one.full_health and after.drunk <= MOST_DRUNK


@given(fighters(), st.integers(2, 6))
def test_breath_brings_health_to_one_before_endurance(one: Fighter, value: int) -> None:
    """No more is regained than the die shows, Endurance only with Health left, and neither goes above its start."""
    after = regained(State(house=DEFAULTS), one, value)
    health, endurance = after.health - one.health, after.endurance - one.endurance
    assert 0 <= health <= max(0, 1 - one.health) and endurance >= 0
    assert health + endurance == value or after.endurance == one.full_endurance
    assert after.endurance <= one.full_endurance and (not endurance or after.health >= 1)


@given(fighters(), st.integers(1, 18), st.sampled_from(("", "small", "big")), st.sampled_from(("no", "yes")))
def test_a_damage_die_goes_where_the_rules_say(one: Fighter, value: int, item: Item, boxing: str) -> None:
    """Bare hands take Endurance and 1 Health, or what goes past it; things take Health and 1 Endurance."""
    after = hit(State(house={**DEFAULTS, "boxing": boxing}), one, value, item)
    tired, hurt = one.endurance - after.endurance, one.health - after.health
    past = value - tired
    wanted = value if item else past or int(boxing == "no")
    assert tired == min(one.endurance, 1 if item else value)
    assert hurt == min(wanted, one.health + BUFFER)
