"""Founding: a new arena's folder, a new game's charter, seed and invitations."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import tomli_w

from pbem import chance, records
from pbem.hall.arena import Arena
from pbem.table import charter
from pbem.table.charter import Calendar, Charter
from pbem.table.journal import PersonInvited
from pbem.terms import CharterError, GameName
from pbem.world.settings import Settings
from pbem.world.shelf import Shelf


def found_arena(root: Path, settings: Settings) -> None:
    """Make an arena's folder with its settings. Errors: ShelfError; CharterError where one is there already."""
    shelf = Shelf(root)
    if shelf.exists("settings.toml"):
        raise CharterError(f"{root / 'settings.toml'} is there already; {root} is an arena.")
    shelf.write(records.dump(settings).encode(), "settings.toml")


def found_game(
    arena: Arena,
    game: GameName,
    ruleset: str,
    *,
    moderator: str,
    invited: Sequence[str],
    seats: int,
    now: datetime,
    seed: bytes | None = None,
    house: Mapping[str, str | int | bool] | None = None,
    calendar: Mapping[str, Any] | None = None,
    **terms: Any,
) -> Charter:
    """
    Make a game: its seed is drawn and sealed, its charter written, and the invitations journaled.

    Shape: `moderator` and `invited` are mail addresses; `terms` are other fields of the charter.
    Errors: CharterError with what was expected, before anything is written.
    """
    if arena.has_game(game):
        raise CharterError(f"There is a game called {game} already. Choose another name.")
    known = arena.rulesets.get(ruleset)
    if known is None:
        raise CharterError(f'There is no ruleset "{ruleset}". Known: {", ".join(arena.rulesets)}')
    seed = seed or secrets.token_bytes(32)
    person = arena.people.admit(moderator)
    wanted = Charter(
        game=game,
        ruleset=ruleset,
        version=known.version,
        moderator=person,
        seats=seats,
        created=now,
        seal=chance.seal(seed),
        house=dict(house or {}),
        **{"review": known.reviewed, **terms},
    )
    plain = records.plain(wanted)
    plain["calendar"] = records.plain(Calendar()) | dict(calendar or {})
    text = f"# The terms of {game}, fixed on its first day.\n{tomli_w.dumps(plain)}"
    charter.read(text, arena.rulesets, f"{game}'s charter")
    with arena.shelf.batch() as batch:
        batch.write(seed, "secrets", f"{game}.seed", once=True)
        batch.write(text.encode(), "games", game, "charter.toml")
    invite(arena, game, invited, now)
    return wanted


def invite(arena: Arena, game: GameName, addresses: Sequence[str], now: datetime) -> None:
    """Journal invitations; the next sweep sends them."""
    arena.index.take_up([game])
    ledger = arena.ledger(game)
    people = [arena.people.admit(address) for address in addresses]
    entries = [
        PersonInvited(number=ledger.table.head + place, noted=now, person=person)
        for place, person in enumerate(people, 1)
    ]
    if entries:
        ledger.append(entries)


def game_name(said: str) -> GameName:
    """Check the name of a new game. Errors: CharterError with what a name may hold."""
    if re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", said) and said != "desk":
        return GameName(said)
    raise CharterError(f'"{said}" cannot name a game. Use small letters, figures and dashes, such as ember-7')
