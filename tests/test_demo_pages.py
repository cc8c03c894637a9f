"""The demonstration on a terminal: pages of its height, colour where it is wanted, and a key between two pages."""

import os
import pty
import select
import signal
import sys
import termios
import time
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import demo
from pbem.demo import pages
from pbem.demo.pages import GO_ON, GO_ON_OR_END, SKIPPED, Pager

WIDE = click.style("c" * 30, fg="red")
"""A line that takes two on a terminal of 20 columns, however it is coloured."""

paragraphs = st.lists(
    st.lists(st.sampled_from(["", "a", "b", WIDE]), min_size=1, max_size=9).map("\n".join), max_size=12
)


def rows(lines: list[str]) -> int:
    """Count the lines that a terminal of 20 columns makes of them."""
    return len(lines) + lines.count(WIDE)


class Screen:
    """A terminal that keeps its pages, where somebody presses these keys, and then Enter."""

    def __init__(self, *keys: str) -> None:
        """Take what will be pressed."""
        self.keys = list(keys)
        self.pages: list[list[str]] = [[]]
        self.asked: list[str] = []

    def write(self, line: str) -> None:
        """Take a line."""
        self.pages[-1].append(line)

    def key(self, question: str) -> str:
        """Press a key, and turn the page."""
        self.asked.append(question)
        self.pages.append([])
        return self.keys.pop(0) if self.keys else "\r"

    def told(self) -> list[str]:
        """Return all lines that say something."""
        return [line for page in self.pages for line in page if line]


@given(paragraphs, st.integers(1, 12))
def test_pages_tell_all_in_order_and_none_is_too_long(story: list[str], height: int) -> None:
    """And a paragraph that fits on a page is never parted."""
    screen = Screen()
    pager = Pager(screen.write, screen.key, height, 20, may_skip=True)
    for number, text in enumerate(story):
        before = len(screen.pages)
        pager.tell(text)
        lines = text.strip("\n").split("\n")
        if any(lines) and rows(text.split("\n")) <= height:
            assert any(lines == page[place : place + len(lines)] for page in screen.pages[before - 1 :] for place in
                       range(len(page))), (number, screen.pages)  # fmt: skip
    assert screen.told() == [line for text in story for line in text.split("\n") if line]
    assert all(rows(page) <= height or len(page) == 1 for page in screen.pages)
    assert all(page and page[0] for page in screen.pages[1:-1])


@given(paragraphs, st.integers(1, 6), st.integers(0, 3))
def test_q_goes_to_the_end(story: list[str], height: int, turned: int) -> None:
    """Nothing more is told or asked but that the rest is not, until what came of it; where one plays, q is Enter."""
    screen = Screen(*["\r"] * turned, "q")
    pager = Pager(screen.write, screen.key, height, may_skip=True)
    for text in (*story, "a", *["b"] * height):
        pager.tell(text)
    told = len(screen.asked)
    pager.resume()
    pager.tell("the end")
    assert screen.told()[-1] == "the end" and set(screen.asked) <= {GO_ON_OR_END}
    if told > turned:
        assert told == turned + 1 and screen.told()[-2] == SKIPPED and len(screen.asked) == told
    playing = Screen("q")
    pager = Pager(playing.write, playing.key, height, may_skip=False)
    for text in story:
        pager.tell(text)
    assert playing.told() == [line for text in story for line in text.split("\n") if line]
    assert set(playing.asked) <= {GO_ON}


def test_bars_and_people_are_in_colour_and_nothing_else_changes() -> None:
    """Each person has a colour and keeps it; the words stay the same."""
    told: list[str] = []
    tell = pages.coloured(told.append)
    story = [
        "Mon 23 Nov 09:00  Ada writes\n      attack Bo 20",
        "Mon 23 Nov 09:07  Ada, Bo and Cy have a letter: [g] Round 1 (report)",
        "    |   Ada                ################....   82 you\n    |   1. and so on ... 5",
    ]
    for text in story:
        tell(text)
    assert [click.unstyle(text) for text in told] == story
    ada, bo = (click.style(name, fg=colour, bold=True) for name, colour in (("Ada", "cyan"), ("Bo", "magenta")))
    assert ada in told[0] and "attack Bo" in told[0] and ada in told[1] and bo in told[1]
    assert click.style("#" * 16, fg="green") in told[2] and "so on ... 5" in told[2]


def test_whoever_plays_reads_each_letter_before_anything_goes_on() -> None:
    """What asks nothing waits for a key; before the editor opens it is said how it is used, and n is no answer."""
    screen, opened = Screen("\r", "\r", "n"), list[str]()

    def edit(text: str) -> str:
        opened.append(text)
        return f"yes{text}"

    seat = demo.at_terminal(screen.write, edit, lambda text, **more: "", "editor", screen.key)
    assert seat.answer
    assert seat.answer("To you alone. Orders.") == "" and screen.asked == [GO_ON] and not opened
    assert seat.answer("~ bid ____").startswith("yes") and "open" in screen.told()[0]
    assert seat.answer("~ bid ____") == "" and len(opened) == 1 and "n: no answer" in screen.asked[-1]


@pytest.mark.sweep
@pytest.mark.parametrize("colour", [True, False])
def test_a_demonstration_on_a_terminal_waits_for_keys(tmp_path: Path, colour: bool) -> None:
    """Enter, Enter, q: two pages, then the end with three things to try; NO_COLOR is heeded."""
    child, door = pty.fork()
    if not child:
        modes = termios.tcgetattr(0)  # a key that comes before one is read would be echoed behind the question
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, modes)
        os.environ.update({"TERM": "xterm", "LINES": "24", "COLUMNS": "80"} | ({} if colour else {"NO_COLOR": "1"}))
        os.chdir(tmp_path)  # the end names the arena, and where its path is long takes another page
        os.execv(sys.executable, [sys.executable, "-m", "pbem", "--arena", "arena", "demo"])
    seen, keys, end = b"", (b"\r", b"\r", b"q", b"\r"), time.monotonic() + 60
    try:
        while time.monotonic() < end:
            if not select.select([door], [], [], 0.1)[0]:
                if seen.endswith(GO_ON_OR_END.encode()):  # a key that is pressed before it is waited for is lost
                    os.write(door, keys[seen.count(GO_ON_OR_END.encode()) - 1])
                continue
            try:
                seen += os.read(door, 65536)
            except OSError:
                break
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    told = seen.decode()
    assert told.count(GO_ON_OR_END) in (3, 4)  # as many as the end takes pages
    assert SKIPPED.strip() in told and "identical." in told and told.count("\n  3. ") == 1
    assert ("\x1b[" in told) == colour
    assert told.count("\n") < 24 * 5
