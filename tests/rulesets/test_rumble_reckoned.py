"""Rumble against a second reckoning of it, made from the seeds' words alone: Energy, who is out, who has what."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Outcome, Seat
from pbem.language.phrases import Unread
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.powers import archive
from tests.depth import DEPTH
from tests.reckoners import piles
from tests.reckoners.reading import heard
from tests.reckoners.rumble import Game, play

DICE = Dice(b"a seed for every law of the house")
WORDS = ["".join(parts) for parts in product("BKPSTZ", ("A", "I", "O", "OO"), ("NG", "SH", "K", "RR", "FF", "M"))]
OPEN = {
    # What the rules leave open; a game ends where it comes to one of these.
    "an Attack and a power of equal size",
    "Perfect Balance beside an Attack on nobody",
    "Quick Reflexes beside Precognition",
    # The dice are the ruleset's own.
    "a lot is drawn",
}


def laid(game: Game) -> State:
    """Lay the same game before the ruleset."""
    somebody = (Seat(piles.SEATS[-1]),)
    heroes = tuple(
        Hero(Seat(seat), piles.name(seat), hero.energy, attacked=somebody if seat in game.attacked else ())
        for seat, hero in game.heroes.items()
    )
    powers: list[Power] = []
    for card in game.cards.values():
        found = archive.find(card.name)
        assert not isinstance(found, Unread)
        kind: Any = "curse" if found.type == "curse" else "power"
        own = (card.owner, card.strength, card.handed)
        powers.append(Power(card.number, card.name, found.text, "", kind, *own, lines=found.lines))
    return State(
        phase="round", house={**DEFAULTS, **game.house}, heroes=heroes, powers=tuple(powers),
        round=game.round, quiet=game.quiet,
    )  # fmt: skip


def told(game: Game, lines: Mapping[str, Sequence[str]]) -> str:
    """Write a round as a scene, for whoever has to look into a difference."""
    said = [f"house {name} = {value}" for name, value in game.house.items() if DEFAULTS[name] != value]
    said += ["given", f"  round {game.round}", f"  quiet {game.quiet}"]
    for seat, hero in game.heroes.items():
        said.append(f"  {seat}: {piles.name(seat)} {f'out {hero.fell[0]}' if hero.fell else hero.energy}")
    for card in game.cards.values():
        if card.owner:
            kind = "handed curse" if card.handed else "power"
            said.append(f"  {card.owner}: {kind} {card.name} {card.strength}: archive")
    said += [f"  {seat} attacked somebody" for seat in sorted(game.attacked)]
    said += [f"  # {ahead}" for ahead in game.ahead]
    for seat, orders in lines.items():
        said += [f"orders {seat}", *(f"  {line}" for line in orders)]
    return "\n".join(said)


def close(state: State, lines: Mapping[str, Sequence[str]], dice: Dice) -> Outcome[State]:
    """Let the ruleset read what was written, all of , and close the round."""
    orders: dict[Seat, Sequence[Any]] = {}
    for seat in RULESET.phase(state).owing:
        orders[seat] = RULESET.missing(state, seat, dice.at(seat))
        if seat in lines:
            orders[seat] = heard(RULESET, ROUNDS.read, state, seat, lines[seat])
            complaints = RULESET.check(state, seat, orders[seat])
            assert not complaints, (seat, lines[seat], complaints)
    return RULESET.adjudicate(state, orders, Given(), dice)


def stands(state: State) -> dict[str, Any]:
    """Return everybody's Energy, and who has which power."""
    living = {hero.seat for hero in state.heroes if hero.is_in}
    energy: dict[str, Any] = {hero.seat: hero.energy if hero.is_in else "out" for hero in state.heroes}
    return energy | {p.name: p.owner for p in state.powers if p.in_play and p.owner in living}


def reckoned(game: Game) -> dict[str, Any]:
    """Return the same of a reckoned game."""
    energy: dict[str, Any] = {seat: "out" if hero.fell else hero.energy for seat, hero in game.heroes.items()}
    return energy | {card.name: card.owner for card in game.cards.values() if card.owner in game.living()}


def compare(seed: int, rounds: int = 4, *, powers: bool = True) -> int:
    """Play some rounds of a dealt pile both ways; return how many were compared."""
    chance = Random(seed)
    game = piles.deal(chance) if powers else piles.classic(chance)
    state, words = laid(game), list(WORDS)
    for number in range(rounds):
        drawn = {seat: piles.draw_orders(game, seat, chance) for seat in game.living()}
        lines = {seat: piles.write(game, seat, orders, words) for seat, orders in drawn.items() if orders}
        scene = told(game, lines)
        if game.notes & OPEN:
            return number
        outcome = close(state, lines, DICE.at(f"{number}"))
        play(game, {seat: one for seat, one in drawn.items() if one})
        if game.notes & OPEN:
            return number
        state = outcome.state
        how = "\n".join(f"    {verdict.key} = {verdict.value}: {verdict.how}" for verdict in outcome.verdicts)
        winners = set(outcome.result.winners) if outcome.result else None
        assert winners == game.winners, f"winners {winners}, reckoned {game.winners}, seed {seed}:\n{scene}\n{how}"
        if winners is not None:
            return number + 1
        differs = sorted(stands(state).items() ^ reckoned(game).items(), key=str)
        assert not differs, f"{differs}\nreckoned {reckoned(game)}, seed {seed}:\n{scene}\n{how}"
    return rounds


@given(st.integers(0, 2**40))
def test_piles_of_random_powers_come_out_as_their_texts_say(seed: int) -> None:
    """After each round of up to six powers a hero: Energy, who is out, who holds what, who has won."""
    compare(seed)


@given(st.integers(0, 2**40))
def test_rounds_without_powers_come_out_as_the_rules_say(seed: int) -> None:
    """With two to eight heroes, every way of blocking and of ending, and whoever sends nothing."""
    compare(seed, 8, powers=False)


@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("start", range(0, 600 * DEPTH, 300))
def test_thousands_of_piles_come_out_as_their_texts_say(
    start: int, record_property: Callable[[str, object], None]
) -> None:
    """Many more of them."""
    rounds = sum(compare(seed) for seed in range(start, start + 300))
    plain = sum(compare(seed, 8, powers=False) for seed in range(start, start + 300))
    record_property("tried", f"{rounds} rounds of random powers and {plain} without any, reckoned twice")
