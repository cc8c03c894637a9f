"""What the terminal's commands share: an arena, a game in it, the time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.terms import GameName

if TYPE_CHECKING:
    from pbem.hall.arena import Arena


class Unfit(click.ClickException):
    """What the command line names is not there, or cannot be."""

    exit_code = 2


def open_arena(arena: Path) -> Arena:
    """Open the arena. Errors: CharterError."""
    from pbem.hall import opening

    return opening.arena(arena)


def known_game(arena: Path, game: str) -> GameName:
    """Return the name of a game that is there. Errors: Unfit."""
    if not (arena / "games" / game / "charter.toml").is_file():
        raise Unfit(f"There is no game called {game} in {arena}. To list them: pbem games")
    return GameName(game)


def game_folder(arena: Path, game: str) -> tuple[Path, bytes | None]:
    """Take a game's name in the arena, with its sealed seed, or any game's folder."""
    folder = Path(game)
    if (folder / "charter.toml").is_file():
        return folder.resolve(), None
    name = known_game(arena, game)
    seed = arena / "secrets" / f"{name}.seed"
    return (arena / "games" / name).resolve(), seed.read_bytes() if seed.is_file() else None


def now() -> datetime:
    """Return the present instant."""
    from pbem.world.clock import SystemClock

    return SystemClock().now()


def short(instant: datetime | None) -> str:
    """Write an instant for people."""
    return f"{instant:%a %Y-%m-%d %H:%M} UTC" if instant else "-"


def iso(instant: datetime | None) -> str | None:
    """Write an instant for programs."""
    return instant.astimezone(UTC).isoformat() if instant else None
