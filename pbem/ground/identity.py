"""The identity of a letter of ours: its name on file and in our records, which never changes."""

import re
from typing import TypeAlias

import msgspec


class GameLetter(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """
    A letter of a game: the entry that calls for it, its template and its reader.

    Shape: `place` tells apart those that answer the same mail with the same template, from the second on.
    """

    game: str
    entry: int
    template: str
    reader: str
    place: int = 0

    @property
    def kind(self) -> str:
        """The template and, where there are several, its place."""
        return f"{self.template}-{self.place}" if self.place else self.template

    def __str__(self) -> str:
        """Write `GAME.ENTRY.KIND.READER`."""
        return f"{self.game}.{self.entry}.{self.kind}.{self.reader}"


class ArenaLetter(msgspec.Struct, frozen=True, kw_only=True):
    """
    A letter of the arena's own, such as the desk's answer to a stranger.

    Shape: `sort` is which room wrote it, or its template; `about` tells it from others of the sort; `kind` is the
    template of the desk's, what was put together, or the game that it is about.
    """

    sort: str
    about: str
    kind: str = ""

    def __str__(self) -> str:
        """Write `SORT.ABOUT.KIND`."""
        return ".".join(filter(None, (self.sort, self.about, self.kind)))


Identity: TypeAlias = GameLetter | ArenaLetter

_PART = r"[\w+-]+"
_GAME = re.compile(rf"([a-z0-9-]+)\.(0|[1-9][0-9]{{0,8}})\.([a-z-]+?)(?:-([1-9][0-9]{{0,3}}))?\.({_PART})", re.ASCII)
_ARENA = re.compile(rf"([a-z0-9-]+)\.({_PART})(?:\.({_PART}))?", re.ASCII)


def parse(text: str) -> Identity | None:
    """Read an identity back; None where it is none of ours."""
    if match := _GAME.fullmatch(text):
        game, entry, template, place, reader = match.groups()
        return GameLetter(game=game, entry=int(entry), template=template, reader=reader, place=int(place or 0))
    if match := _ARENA.fullmatch(text):
        return ArenaLetter(sort=match[1], about=match[2], kind=match[3] or "")
    return None


def game_letter(text: str) -> GameLetter | None:
    """Read the identity of a letter of a game; None where it is none."""
    found = parse(text)
    return found if isinstance(found, GameLetter) else None
