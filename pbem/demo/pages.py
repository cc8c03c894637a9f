"""The story of a demonstration on a terminal: page by page, with bars and senders in colour; knows no game."""

import re
from collections.abc import Callable
from itertools import cycle
from typing import TypeAlias

import click

from pbem.demo.story import Tell

Key: TypeAlias = Callable[[str], str]
"""Asks for a key, in these words, and returns it."""

GO_ON = "-- Enter: go on --"
GO_ON_OR_END = "-- Enter: go on   q: to the end --"
SKIPPED = "(The rest is played, and not told.)\n"

_HEADING = re.compile(r"^(\w{3} \d\d \w{3} \d\d:\d\d)  (.+?)( (?:writes$|has |have ).*)", re.MULTILINE)
_JOINTS = re.compile(r"(, | and )")
_BAR = re.compile(r"(?<=\s)(#*)(\.*)(?=\s+-?\d+( |$))", re.MULTILINE)
_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")


def coloured(tell: Tell) -> Tell:
    """Tell with the bars, and who writes or is written to, in colour; each person has one and keeps it."""
    left, of = cycle(_COLOURS), dict[str, str]()

    def name(found: str) -> str:
        if found not in of:
            of[found] = next(left)
        return click.style(found, fg=of[found], bold=True)

    def heading(found: re.Match[str]) -> str:
        parts = _JOINTS.split(found[2])
        parts[::2] = [name(one) for one in parts[::2]]
        return f"{click.style(found[1], dim=True)}  {''.join(parts)}{found[3]}"

    return lambda text: tell(_BAR.sub(_bar, _HEADING.sub(heading, text)))


def _bar(found: re.Match[str]) -> str:
    if len(found[1]) + len(found[2]) < 5:
        return found[0]
    return click.style(found[1], fg="green") + click.style(found[2], dim=True)


class Pager:
    """
    Tells a story in pages of so many lines, and waits for a key between two.

    Shape: a paragraph stays whole where it fits on a page. Where the reader `may_skip`, nothing more is told after `q`
    until `resume`.
    """

    def __init__(self, write: Tell, key: Key, height: int, width: int = 80, *, may_skip: bool) -> None:
        """Take where to write, whom to ask for a key, how many lines fit above the line that asks, and how wide."""
        self._write = write
        self._key = key
        self._height = max(height, 1)
        self._width = max(width, 1)
        self._may_skip = may_skip
        self._filled = 0
        self._skips = False

    def tell(self, text: str) -> None:
        """Tell a paragraph; where the page has no room for it, on the next."""
        lines = text.split("\n")
        length = sum(map(self._rows, _trimmed(lines)))
        if self._filled + length > self._height >= length:
            self._turn()
        for line in lines:
            if not line and (not self._filled or self._filled >= self._height):
                continue  # no page begins with a blank line, nor is there one for its sake
            if self._filled + self._rows(line) > self._height:
                self._turn()
            if self._skips:
                return
            self._write(line)
            self._filled += self._rows(line)

    def ask(self, question: str = GO_ON) -> str:
        """Ask for a key, and begin a new page."""
        self._filled = 0
        return self._key(question)

    def resume(self) -> None:
        """Tell again, from a new page on."""
        self._turn()
        self._skips = False

    def _rows(self, line: str) -> int:
        """Count how many lines of the terminal a line takes, which breaks off what is too wide."""
        return max(1, -(-len(click.unstyle(line)) // self._width))

    def _turn(self) -> None:
        if self._filled and not self._skips:
            key = self.ask(GO_ON_OR_END if self._may_skip else GO_ON)
            if self._may_skip and key in ("q", "Q"):
                self._write(SKIPPED)
                self._skips = True
        self._filled = 0


def _trimmed(lines: list[str]) -> list[str]:
    """Leave out the blank lines at the end, which may fall over the edge of a page."""
    return lines[: max((place for place, line in enumerate(lines, 1) if line), default=0)]


def key_of_terminal(question: str) -> str:
    """Ask at the terminal for a key, and take the question away again. Errors: Abort where nobody is there any more."""
    click.echo(question, nl=False)
    try:
        return click.getchar()
    except EOFError:
        raise click.Abort from None
    finally:
        click.echo(f"\r{' ' * len(question)}\r", nl=False)
