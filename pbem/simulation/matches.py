"""Whole games that programs play, without mail, journal or disk, and what came of them; knows no clock."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

import msgspec

from pbem.ruleset import Dice, Given, Seat, SimulatedRuleset

LONGEST = 500
"""The phases after which a game is broken off, or one in which nobody gains on anybody would never end."""
BROKEN_OFF = f"broken off after {LONGEST} phases"


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """
    What is played, game after game.

    Shape: `bots` is the program in every seat, or one for each seat, which each game deals anew; `pieces` are in each
    game, and with them so many of all others, `drawn`, that each game draws for itself; `house` are rules other than
    their defaults.
    """

    seats: int
    bots: tuple[str, ...]
    pieces: tuple[str, ...] = ()
    drawn: int = 0
    house: dict[str, str] = {}


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """
    What came of a game.

    Shape: `winners` and the seats in `dealt`, by piece, are places from 0; `phases` counts them by kind; `bots` are the
    programs that sat there, place by place, where not all are the same.
    """

    winners: tuple[int, ...]
    ending: str
    phases: dict[str, int]
    dealt: dict[str, int] = {}
    bots: tuple[str, ...] = ()

    def share(self, place: int) -> float:
        """Return a seat's share of the win: all of it, a part of a draw, or nothing."""
        return 1 / len(self.winners) if place in self.winners else 0


class Share(msgspec.Struct, frozen=True):
    """How many games there were, the share of them that was won, and its standard error."""

    games: int
    won: float
    error: float


class Length(msgspec.Struct, frozen=True):
    """How many phases of a kind a game had, on average and at the most; `games` counts them by so many."""

    mean: float
    longest: int
    games: dict[str, int]


class Bias(msgspec.Struct, frozen=True):
    """
    How far the seats are from winning alike, in the games that one seat alone won.

    Shape: `square` is chi-square of the wins against even ones; `chance` is how often seats that are alike would be as
    far from even or farther, so that a very small one means that some seat is favoured.
    """

    games: int
    square: float
    degrees: int
    chance: float


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """
    What came of many games.

    Shape: `phases` are by kind; `endings` counts games; `pieces` maps a piece to what whoever it was dealt to won,
    the best first; `bots` likewise maps a program to what each seat of its won, where not all are the same.
    """

    games: int
    phases: dict[str, Length]
    endings: dict[str, int]
    seats: tuple[Share, ...]
    bias: Bias
    pieces: dict[str, Share]
    bots: dict[str, Share] = {}


def play(ruleset: SimulatedRuleset[Any, Any], match: Match, dice: Dice) -> Played:
    """Play one game to its end, or until it is broken off."""
    seats = {Seat(f"seat-{place}"): f"Seat {place}" for place in range(1, match.seats + 1)}
    places = {seat: place for place, seat in enumerate(seats)}
    table = dice.shuffle("bots", match.bots) if match.bots[1:] else match.bots * match.seats
    bots = {seat: ruleset.bots[name] for seat, name in zip(seats, table, strict=True)}
    known = table if match.bots[1:] else ()
    dealt = deal(match, ruleset.dealable(), list(seats), dice)
    house = {option.name: option.default for option in ruleset.options} | match.house
    state = ruleset.begin(seats, house, dealt, dice)
    held = {piece: places[seat] for piece, seat in dealt.items()}
    phases: Counter[str] = Counter()
    for number in range(1, LONGEST + 1):
        phase, now = ruleset.phase(state), dice.at(str(number))
        phases[phase.kind] += 1
        orders = {seat: bots[seat](ruleset.view(state, seat), seat, now.at(seat)) for seat in phase.owing}
        given = Given()
        while (outcome := ruleset.advance(state, orders, given, now)).asks:
            asked, dice_now = outcome.state, now.at(str(len(given.answers)))
            owing = ruleset.phase(asked).owing
            answers = {seat: bots[seat](ruleset.view(asked, seat), seat, dice_now.at(seat)) for seat in owing}
            given = msgspec.structs.replace(given, answers=(*given.answers, answers))
        state, result = outcome.state, outcome.result
        if result:
            winners = tuple(places[seat] for seat in result.winners)
            return Played(winners=winners, ending=ruleset.ending(result), phases=dict(phases), dealt=held, bots=known)
    return Played(winners=(), ending=BROKEN_OFF, phases=dict(phases), dealt=held, bots=known)


def deal(match: Match, known: Sequence[str], seats: Sequence[Seat], dice: Dice) -> dict[str, Seat]:
    """Draw what a game has of pieces, and deal them round a table that is drawn too, so that no seat is favoured."""
    others = [piece for piece in known if piece not in match.pieces]
    drawn = (*match.pieces, *dice.shuffle("drawn", others)[: match.drawn]) if match.drawn else match.pieces
    table = dice.shuffle("table", seats)
    pieces = dice.shuffle("pieces", drawn)
    return {piece: table[place % len(table)] for place, piece in enumerate(pieces)}


def figures(match: Match, games: Sequence[Played]) -> Figures:
    """Sum up games; the same games in the same order give the same figures."""
    counted: dict[str, list[int]] = {}
    for kind in sorted({kind for game in games for kind in game.phases}):
        counted[kind] = [game.phases.get(kind, 0) for game in games]
    pieces: dict[str, list[float]] = {}
    for game in games:
        for piece, place in game.dealt.items():
            pieces.setdefault(piece, []).append(game.share(place))
    bots: dict[str, list[float]] = {}
    for game in games:
        for bot in sorted({*game.bots}):
            won = [game.share(place) for place, name in enumerate(game.bots) if name == bot]
            bots.setdefault(bot, []).append(sum(won) / len(won))
    return Figures(
        games=len(games),
        phases={kind: _length(each) for kind, each in counted.items()},
        endings=dict(Counter(game.ending for game in games).most_common()),
        seats=tuple(_share([game.share(place) for game in games]) for place in range(match.seats)),
        bias=bias([sum(game.winners == (place,) for game in games) for place in range(match.seats)]),
        pieces=_best_first(pieces),
        bots=_best_first(bots),
    )


def _best_first(won: Mapping[str, Sequence[float]]) -> dict[str, Share]:
    shares = {name: _share(each) for name, each in won.items()}
    return dict(sorted(shares.items(), key=lambda item: (-item[1].won, item[0])))


def bias(wins: Sequence[int]) -> Bias:
    """Hold the wins of seats that should be alike against even ones."""
    games, degrees = sum(wins), len(wins) - 1
    even = games / len(wins)
    square = sum((won - even) ** 2 for won in wins) / even if games else 0.0
    return Bias(games, square, degrees, _beyond(square / 2, degrees / 2))


def _beyond(half: float, degrees: float) -> float:
    """Return the chance of a chi-square of this much or more, both halved: the gamma function's upper part."""
    if not half or not degrees:
        return 1.0
    known = degrees % 1 or 1.0
    found = erfc(sqrt(half)) if known < 1 else exp(-half)
    while known < degrees:
        found += exp(known * log(half) - half - lgamma(known + 1))
        known += 1
    return min(1.0, found)


def _length(each: Sequence[int]) -> Length:
    """Sum up how many phases of a kind games had."""
    return Length(sum(each) / len(each), max(each), {str(many): each.count(many) for many in sorted(set(each))})


def _share(shares: Sequence[float]) -> Share:
    count = len(shares)
    mean = sum(shares) / count
    spread = sum((share - mean) ** 2 for share in shares) / count
    return Share(count, mean, sqrt(spread / count))
