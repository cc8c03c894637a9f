"""Founds the game that follows one that is over, with the same people, where its moderator says `again`."""

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import count

import msgspec

from pbem.ground import chance
from pbem.ground.terms import GameName, Mail, WorldError
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger
from pbem.hall.store.pausing import Pausing
from pbem.table.fold.journal import GameFounded, PersonInvited, RulingGiven
from pbem.table.model import charter
from pbem.table.rulings.again import Again
from pbem.world.shelf import Batch

LONGEST = 32
"""The most characters of a game's name."""


def found(arena: Arena, ledger: Ledger, now: datetime) -> GameName | None:
    """
    Found the next game where a fresh entry of this one asks for it, and return its name; None where none does.

    However often it is begun anew, after whatever crash, there is one: its charter says which game it follows, and
    whatever its journal lacks is added by a visit that lets it `begin`.
    """
    asked = any(
        isinstance(ruling, Again)
        for step in ledger.fresh
        if isinstance(step.entry, RulingGiven) and not step.entry.test
        for ruling in step.entry.rulings
    )
    return _found(arena, ledger, now) if asked else None


def _found(arena: Arena, ledger: Ledger, now: datetime) -> GameName:
    last = ledger.charter
    name = next(one for one in _names(last.game) if not arena.has_game(one) or _follows(arena, one, last.game))
    if not arena.has_game(name):
        if not arena.shelf.exists("secrets", f"{name}.seed"):
            arena.shelf.write(secrets.token_bytes(32), "secrets", f"{name}.seed", once=True)
        seal = chance.seal(arena.shelf.read("secrets", f"{name}.seed"))
        version = arena.rulesets[last.ruleset].version
        terms = msgspec.structs.replace(last, game=name, follows=last.game, created=now, seal=seal, version=version)
        arena.shelf.write(charter.as_text(terms).encode(), "games", name, "charter.toml", once=True)
    arena.index.games.mark_busy([name])
    return name


def begin(last: Ledger, now: datetime) -> Callable[[Ledger, Batch], Pausing[Sequence[Mail]]]:
    """Return the work of the first visit to the game that follows another: the same people are invited."""

    def work(ledger: Ledger, batch: Batch) -> Pausing[Sequence[Mail]]:
        if not ledger.table.head:
            people = dict.fromkeys(seated.person for seated in last.table.seats.values())
            invited = (PersonInvited(number=place, noted=now, person=person) for place, person in enumerate(people, 2))
            ledger.put(batch, GameFounded(number=1, noted=now), *invited)
        yield
        return ()

    return work


def _follows(arena: Arena, name: GameName, last: GameName) -> bool:
    """Say whether a game was founded after another; of one that cannot be read that is not known, so not."""
    try:
        text = arena.shelf.read("games", name, "charter.toml").decode()
        return charter.read(text, arena.rulesets).follows == last
    except WorldError:
        return False


def _names(last: GameName) -> Iterator[GameName]:
    """Yield the names that the next game can have, the first that is free first: ember-8 after ember-7."""
    match = re.fullmatch(r"(.*?)-?([0-9]{1,6})?", last)
    assert match
    stem, number = match[1] or "game", int(match[2] or 1)
    return (GameName(f"{stem[: LONGEST - 8]}-{number + step}") for step in count(1))
