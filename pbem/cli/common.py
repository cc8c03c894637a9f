"""What the terminal's commands share: an arena, a game in it, the time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.ground.terms import CharterError, GameName

if TYPE_CHECKING:
    from pbem.hall.store.arena import Arena


class Unfit(click.ClickException):
    """What the command line names is not there, or cannot be."""

    exit_code = 2


@contextmanager
def as_usage_errors() -> Iterator[None]:
    """Raise a CharterError of the body as a mistake of the command line, not of a file. Errors: Unfit."""
    try:
        yield
    except CharterError as error:
        raise Unfit(str(error)) from None


def open_arena(arena: Path) -> Arena:
    """Open the arena, and show how far its index is filled where that takes long. Errors: CharterError."""
    from pbem.hall.commands import opening
    from pbem.hall.sweep import reindexing

    opened = opening.unfilled(arena)
    if reindexing.is_due(opened):
        with progress("indexed", len(opened.games())) as told:
            opening.fill(opened, told)
    return opened


def known_game(arena: Path, game: str) -> GameName:
    """Return the name of a game that is there. Errors: Unfit."""
    name = game.rstrip("/")  # as the shell completes a folder
    if "/" in name or not (arena / "games" / name / "charter.toml").is_file():
        raise Unfit(f"There is no game called {game} in {arena}. To list them: pbem games")
    return GameName(name)


def game_folder(arena: Path, game: str) -> tuple[Path, bytes | None]:
    """Take a game's name in the arena, or any game's folder; with its sealed seed where it lies in an arena."""
    folder = Path(game) if is_folder(game) else arena / "games" / known_game(arena, game)
    folder = folder.resolve()
    seed = folder.parent.parent / "secrets" / f"{folder.name}.seed"
    return folder, seed.read_bytes() if seed.is_file() else None


def is_folder(game: str) -> bool:
    """Say whether what a command was given for a game is the folder of one."""
    return (Path(game) / "charter.toml").is_file()


def read_file(file: str, advice: str) -> bytes:
    """Return the bytes of a file, or of the standard input for "-". Errors: Unfit, with advice, if it is unreadable."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        name = "The standard input" if file == "-" else file
        raise Unfit(f"{name} cannot be read: {error.strerror}. {advice}") from error


SOON = 2
"""Seconds of work after which its progress is shown."""


@contextmanager
def progress(done: str, count: int) -> Iterator[Callable[[int], None]]:
    """
    Show on a terminal how far some work is, once it takes long; elsewhere nothing.

    Shape: yields what is told how many of the `count` are `done`, such as "founded".
    """
    began, shown = time.monotonic(), 0.0
    screen = sys.stderr  # None where it was closed

    def show(text: str) -> None:
        with suppress(OSError):  # a terminal that goes away ends no work
            click.echo(text, nl=False, err=True)

    def tell(number: int) -> None:
        nonlocal shown
        moment = time.monotonic()
        if screen and screen.isatty() and moment - began >= SOON and moment - shown >= 0.2:
            shown = moment
            show(f"\r{number} of {count} {done}")

    try:
        yield tell
    finally:
        if shown:
            show("\r\033[K")


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
