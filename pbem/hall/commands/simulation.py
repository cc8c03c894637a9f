"""Many simulated games, spread over cores here or machines elsewhere; the figures are the same on any of them."""

import hashlib
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import msgspec

from pbem.ground import records
from pbem.ground.chance import Dice
from pbem.ground.terms import CharterError, Facts
from pbem.hall.store.catalogue import rulesets_known
from pbem.language import phrases
from pbem.ruleset import ClashingRuleset, LibraryRuleset, SimulatedRuleset
from pbem.simulation.matches import Match, Played, figures, play
from pbem.table.model import charter
from pbem.world import cluster

BATCH = 20
"""Games that a process plays before it reports."""


def ruleset_to_simulate(name: str) -> SimulatedRuleset[Any, Any]:
    """
    Return the ruleset of this name; for "" the one with bots that has the most pieces to deal.

    Errors: CharterError where there is none of the name, or it brings no bots.
    """
    known, found = rulesets_known(), {ruleset.name: ruleset for ruleset in able()}
    if not name and found:
        return max(found.values(), key=lambda one: len(one.dealable()))
    if name and name not in known:
        raise CharterError(f'There is no ruleset "{name}". {records.meant(name, known)}')
    if name not in found:
        title = known[name].title if name else "No ruleset here"
        others = f" These do: {', '.join(found)}." if found else ""
        raise CharterError(f"{title} brings no bots, so its games cannot be simulated.{others}")
    return found[name]


def able() -> list[SimulatedRuleset[Any, Any]]:
    """Return the rulesets that bring bots."""
    return [ruleset for ruleset in rulesets_known().values() if isinstance(ruleset, SimulatedRuleset)]


def match_of(
    ruleset: SimulatedRuleset[Any, Any],
    seats: int,
    bots: tuple[str, ...],
    pieces: tuple[str, ...],
    house: Mapping[str, str],
) -> Match:
    """
    Check what is to be played against the ruleset.

    Shape: `bots` are none for the first program, one for every seat, or one for each; each of `pieces` is a name, or
    the number of pieces that each game draws for itself.
    Errors: CharterError with what would have worked.
    """
    if seats not in ruleset.seats:
        raise CharterError(f"{ruleset.title} is for {ruleset.seats[0]} to {ruleset.seats[-1]} seats, not {seats}.")
    for name, value in house.items():
        if wrong := charter.house_mistake(ruleset.options, name, value):
            raise CharterError(f"--house {name}: {wrong}")
    if isinstance(ruleset, ClashingRuleset):
        wanted = {option.name: option.default for option in ruleset.options} | dict(house)
        if clash := ruleset.clash(wanted, seats):
            raise CharterError(f"--house {clash[0]}: {clash[1]}")
    for bot in bots:
        if bot not in ruleset.bots:
            raise CharterError(f'There is no bot "{bot}". {records.meant(bot, ruleset.bots)}')
    if len(bots) not in (0, 1, seats):
        raise CharterError(f"Name one bot for all {seats} seats, or {seats} for one each: these are {len(bots)}.")
    known = ruleset.dealable()
    named = tuple(dict.fromkeys(_find_piece(ruleset, known, piece) for piece in pieces if not piece.isdecimal()))
    drawn = sum(int(piece) for piece in pieces if piece.isdecimal())
    if len(named) + drawn > len(known):
        raise CharterError(f"A game cannot have {len(named) + drawn} of them: {len(known)} can be dealt.")
    options = {option.name: option for option in ruleset.options}
    chosen = {name: charter.chosen(options[name], value) for name, value in house.items()}
    return Match(seats=seats, bots=bots or (next(iter(ruleset.bots)),), pieces=named, drawn=drawn, house=chosen)


def _find_piece(ruleset: SimulatedRuleset[Any, Any], known: tuple[str, ...], name: str) -> str:
    """Find a piece that can be dealt, as the library finds it if there is one."""
    if not isinstance(ruleset, LibraryRuleset):
        found = phrases.find(name, {one: one for one in known}, "piece")
    else:
        piece = ruleset.find_piece(name)
        found = piece if isinstance(piece, phrases.Unread) else str(piece["name"])
    if isinstance(found, phrases.Unread):
        raise CharterError(found.because)
    if found not in known:
        raise CharterError(f"{found} cannot be dealt to bots: it needs an auction, or a moderator.")
    return found


class Run(msgspec.Struct, frozen=True):
    """Many games of one match; each has dice of its own, from the seed and its number."""

    ruleset: str
    match: Match
    seed: str


def simulate(run: Run, games: int, cores: int, done: Callable[[int], object], on: str = "") -> Facts:
    """
    Play games in as many processes as there are cores to use, and return the figures as plain values.

    Shape: `done` is told how many games more are over; `on` is the address of a cluster that plays them instead.
    `digest` among the figures is that of all games, one by one: the same games have the same.
    Errors: those of `cluster.spread`.
    """
    played: list[Played] = []
    for batch in _batches(run, games, cores, on):
        played += batch
        done(len(batch))
    digest = hashlib.sha256(msgspec.json.encode(played)).hexdigest()[:16]
    return {**records.plain(figures(run.match, played)), "digest": digest}


def _batches(run: Run, games: int, cores: int, on: str) -> Iterator[list[Played]]:
    """Yield games in order, whoever played them."""
    batches = [range(start, min(games, start + BATCH)) for start in range(0, games, BATCH)]
    work = partial(_batch, run)
    if on:
        yield from cluster.spread(on, work, batches)
        return
    if cores == 1:
        yield from map(work, batches)
        return
    with ProcessPoolExecutor(min(cores, len(batches)), initializer=_quiet) as pool:
        yield from pool.map(work, batches)


def cores_here() -> int:
    """Return how many cores this machine lets us use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _batch(run: Run, numbers: range) -> list[Played]:
    ruleset = ruleset_to_simulate(run.ruleset)
    dice = Dice(hashlib.sha256(f"simulation {run.seed}".encode()).digest())
    return [play(ruleset, run.match, dice.at(f"game-{number}")) for number in numbers]


def _quiet() -> None:
    """Leave Ctrl-C to the first process, which stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
