"""No passive strategy pays: who only sits there wins no more than their share against programs that play."""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

import msgspec
import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.ruleset import Bot, Dice, Given, Seat
from tests.depth import DEPTH, some
from tests.rulesets import brawl_passive, discs_passive, rumble_passive

GAMES = 40 * DEPTH
LONGEST = 500


class Idlers(msgspec.Struct, frozen=True):
    """
    Those of a ruleset who only sit there, by name, and whom they sit among.

    Shape: `among` is the program in every other seat. Where a game `stands_still`, and nobody of them will
    end it, all who are still in share it. `cured` maps who is paid by a seed's own rules to the house rules under which
    they are not: what they win is reported, and the law holds with the cure. `beside` are house rules that no preset
    has and that might make it pay, by a name.
    """

    bots: Mapping[str, Bot[Any, Any]]
    among: str
    stands_still: Callable[[Any], bool] = lambda state: False
    cured: Mapping[str, dict[str, str]] = {}
    beside: Mapping[str, dict[str, str]] = {}


IDLERS = {
    "brawl": Idlers(brawl_passive.BOTS, "regular", beside={"groups": {"groups": "on"}}),
    "discs": Idlers(discs_passive.BOTS, "hunter", beside={"teams": {"teams": "2"}, "open": {"closing": "0"}}),
    "rumble": Idlers(rumble_passive.BOTS, "anybody", rumble_passive.stands_still, rumble_passive.CURED),
}
"""One entry a ruleset: whoever brings programs that play brings those that do not."""


def presets(ruleset: Any) -> dict[str, dict[str, str]]:
    """Return the house rules by the name of their preset, each set of rules once, and others that no preset has."""
    found = getattr(ruleset, "presets", ())
    named = {preset.name: dict(preset.house) for preset in found} | dict(IDLERS[ruleset.name].beside)
    defaults = {option.name: option.default for option in ruleset.options}
    once: dict[tuple[tuple[str, str], ...], tuple[str, dict[str, str]]] = {}
    for name, house in {"no preset": {}, **named}.items():
        once.setdefault(tuple(sorted((defaults | house).items())), (name, house))
    return dict(once.values())


def won(ruleset: Any, house: Mapping[str, str], seats: int, idle: Bot[Any, Any], among: str, games: int) -> float:
    """Return the share of wins, a draw shared out, of one who idles among others; each game in the next seat."""
    busy = ruleset.bots[among]
    named = {Seat(f"seat-{place}"): f"Seat {place}" for place in range(1, seats + 1)}
    options = {option.name: option.default for option in ruleset.options} | dict(house)
    total = 0.0
    for game in range(games):
        dice = Dice(bytes(32)).at(f"game {game}")
        mine = list(named)[game % seats]
        winners = winners_of(ruleset, ruleset.begin(named, options, {}, dice), mine, (idle, busy), dice)
        total += (mine in winners) / len(winners) if winners else 0
    return total / games


def winners_of(
    ruleset: Any, state: Any, mine: Seat, bots: tuple[Bot[Any, Any], Bot[Any, Any]], dice: Dice
) -> tuple[Seat, ...]:
    """Play a game to its end and return who won it; nobody if it has none."""
    for number in range(LONGEST):
        now = dice.at(str(number))
        orders = {seat: bots[seat != mine](state, seat, now.at(seat)) for seat in ruleset.phase(state).owing}
        outcome = ruleset.adjudicate(state, orders, Given(), now)
        if outcome.result:
            return tuple(outcome.result.winners)
        state = outcome.state
        if IDLERS[ruleset.name].stands_still(state):
            return tuple(ruleset.phase(state).owing)
    return ()


def most(seats: int, games: int) -> float:
    """Return the share of wins that chance alone hardly ever goes beyond: the fair one, and three standard errors."""
    fair = 1 / seats
    return fair + 3 * sqrt(fair * (1 - fair) / games)


def idlers() -> list[Any]:
    """Return every ruleset with each of its idlers."""
    return [
        pytest.param(name, idler, id=f"{name}-{idler}")
        for name, those in IDLERS.items()
        for idler in ("silent", *those.bots)
    ]


def bot_of(ruleset: Any, idler: str) -> Bot[Any, Any]:
    """Return the program of an idler; who is silent is in no ruleset's list, as the ruleset orders for them."""
    return ruleset.missing if idler == "silent" else IDLERS[ruleset.name].bots[idler]


@pytest.mark.parametrize(("name", "idler"), some(4, idlers()))
def test_who_only_sits_there_wins_no_more_than_their_share(name: str, idler: str) -> None:
    """At five seats, in a game as it is founded where nobody says otherwise."""
    ruleset, games = rulesets_known()[name], 8
    share = won(ruleset, IDLERS[name].cured.get(idler, {}), 5, bot_of(ruleset, idler), IDLERS[name].among, games)
    assert share <= most(5, games)


@pytest.mark.sweep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize(("name", "idler"), idlers())
def test_it_is_so_in_every_preset(name: str, idler: str, seats: int, record_property: Callable[..., None]) -> None:
    """At two to six seats; where a seed's own rules make it pay, with the house rule that cures it."""
    ruleset = rulesets_known()[name]
    for preset, house in presets(ruleset).items():
        said = f"{name}, {preset}, {idler} at {seats}"
        share = won(ruleset, house, seats, bot_of(ruleset, idler), IDLERS[name].among, GAMES)
        record_property("tried", f"{said}: {share:.1%}, fair {1 / seats:.1%}")
        if cure := IDLERS[name].cured.get(idler, {}):
            share = won(ruleset, house | cure, seats, bot_of(ruleset, idler), IDLERS[name].among, GAMES)
            record_property("tried", f"{said}, with {cure}: {share:.1%}")
        assert share <= most(seats, GAMES), (preset, share)
