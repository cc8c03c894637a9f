"""The brawl against a second reckoning of it over the same rolls: pools, hits, damage, Buffers, and who stays up."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Seat
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.rulesets.brawl.state import State
from tests.depth import DEPTH
from tests.reckoners import brawls
from tests.reckoners.brawl import Die, Fight, Fighter, play
from tests.reckoners.reading import heard
from tests.rulesets import brawl_scene

SEED = b"a seed for every law of the house"
OPEN = {
    # What the two reckonings are known to tell apart, or what the rules leave open.
    "a defense against one who attacks twice",
    "a damage die that is lost",
    "which of several alike a Counter meets",
}


class Heard(Dice):
    """Dice of which it is known afterwards how they fell."""

    def __init__(self, seed: bytes, scope: str, fell: dict[str, int]) -> None:
        super().__init__(seed, scope)
        self.fell = fell

    def at(self, scope: str) -> Dice:
        """Return the dice of a narrower scope, which are heard as well."""
        return Heard(SEED, f"{self.scope}/{scope}", self.fell)

    def face(self, label: str, sides: int) -> int:
        """Roll, and remember."""
        self.fell[label] = super().face(label, sides)
        return self.fell[label]


def laid(fight: Fight, dice: Dice) -> tuple[State, list[str]]:
    """Lay the same fight before the ruleset, which rolls the first pools; return also how a scene would say it."""
    said: list[str] = []
    for seat, one in fight.fighters.items():
        said.append(
            f"{seat}: {seat.title()} ba {one.base_attack} bd {one.base_defense} e {one.endurance} h {one.health}"
        )
        said.append(f"{seat}: full {one.full_endurance} {one.full_health}")
        said += [f"{seat}: {fact} {getattr(one, fact)}" for fact in ("advantage", "maneuver", "drunk", "dizzy")]
        said += [f"{seat}: item {one.item}"] if one.item else []
    return brawl_scene.lay([*said, "roll"], fight.house, dice), said


def stands(state: State) -> dict[str, Any]:
    """Return how all stand, with the dice that they have now."""
    return {
        one.seat: (
            one.endurance, one.health, one.advantage, one.maneuver, one.item, one.drunk, one.dizzy, one.down, one.away,
            one.knocked, sorted((die.value, die.use) for die in one.dice),
        )
        for one in state.fighters
    }  # fmt: skip


def reckoned(fight: Fight) -> dict[str, Any]:
    """Return the same of a reckoned fight."""
    return {
        one.seat: (
            one.endurance, one.health, one.advantage, one.maneuver, one.item, one.drunk, one.dizzy, one.down, one.away,
            one.knocked, sorted((die.value, die.use) for die in one.dice),
        )
        for one in fight.fighters.values()
    }  # fmt: skip


def take_up(fight: Fight, state: State, fell: dict[str, int]) -> None:
    """Take over the letters of the dice; whoever rolled less is slower, and of equal ones the lower d20 (K5)."""
    for one in state.fighters:
        fight.fighters[one.seat].dice = [Die(die.letter, die.value, die.use) for die in one.dice]

    def speed(one: Fighter) -> tuple[int, ...]:
        ties = sorted((label, face) for label, face in fell.items() if label.startswith(f"tie {one.seat} "))
        return (one.initiative, *(face for _, face in ties))

    fight.order = [one.seat for one in sorted(fight.fighters.values(), key=speed)]
    ranked = [seat for rank in state.order for seat in rank]
    assert ranked == [seat for seat in fight.order if seat in ranked], (state.order, fight.order, fell)


def compare(seed: int, rounds: int = 4) -> int:
    """Fight some rounds both ways; return how many were compared."""
    chance = Random(seed)
    fight = brawls.drawn(chance)
    fell: dict[str, int] = {}
    state, scene = laid(fight, Heard(SEED, f"{seed}", fell))
    take_up(fight, state, fell)
    for one in fight.fighters.values():
        one.dizzy = max(0, one.dizzy - 1)
    for number in range(rounds):
        orders = brawls.declared(fight, chance)
        lines = {seat: brawls.write(one) for seat, one in orders.items()}
        told = [*scene, f"{fight.house}", f"{stands(state)}", *(f"{seat}: {said}" for seat, said in lines.items())]
        taken: dict[Seat, Any] = {}
        for seat in RULESET.phase(state).owing:
            taken[seat] = heard(RULESET, ROUNDS.read, state, seat, lines[seat])
            complaints = RULESET.check(state, seat, taken[seat])
            assert not complaints, (told, seat, complaints)
        fell.clear()
        outcome = RULESET.adjudicate(state, taken, Given(), Heard(SEED, f"{seed} {number}", fell))
        rolled: set[str] = set()

        def roll(label: str, rolled: set[str] = rolled) -> int:
            rolled.add(label)
            return fell.get(label, 1)

        play(fight, orders, roll)
        if fight.notes & OPEN:
            return number
        state = outcome.state
        winners = set(outcome.result.winners) if outcome.result else None
        how = "\n".join([*told, *(f"    {v.key} = {v.value}: {v.how}" for v in outcome.verdicts), f"{fell}"])
        assert winners == fight.winners, f"winners {winners}, reckoned {fight.winners}, seed {seed}\n{how}"
        if winners:
            return number + 1
        assert stands(state) == reckoned(fight), f"{stands(state)}\nreckoned {reckoned(fight)}, seed {seed}\n{how}"
        ties = {label for label in fell if label.startswith("tie ")}
        assert rolled == fell.keys() - ties, f"rolled {fell.keys() - ties}, reckoned {rolled}, seed {seed}\n{how}"
        take_up(fight, state, fell)
        scene = []
    return rounds


@given(st.integers(0, 2**40))
def test_a_brawl_comes_out_as_its_rules_say(seed: int) -> None:
    """After each round: Endurance, Health, what lasts, who is down for how long, and what everybody rolled."""
    compare(seed)


@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("start", range(0, 2_000 * DEPTH, 1_000))
def test_thousands_of_brawls_come_out_as_their_rules_say(
    start: int, record_property: Callable[[str, object], None]
) -> None:
    """Many more of them."""
    rounds = sum(compare(seed) for seed in range(start, start + 1_000))
    record_property("tried", f"{rounds} rounds of brawls, reckoned twice")
