"""Law: what any program writes above our letter is no new line, and what a person wrote is never taken for it."""

import re
import textwrap
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.letters.heads import NARROWEST, Us
from pbem.letters.new_text import written
from pbem.table.incoming import press
from tests.depth import examples
from tests.letters.clients import LETTER
from tests.letters.corpus.head_words import LINES, blocks

US = Us("ember@example.org", "The Ember Arena")
AT = "ember+ember-7.k3x9@example.org"
NAMES = ("The Ember Arena", "The Ember Arena: ember-7")
TOP, REST = LETTER.split("\n\n", 1)
NEW = (
    ["attack Cuttlefish 20", "defend 40"],
    ["wait"],
    ["Hello Gwen, my dog is ill,", "so this is short", "", "if attacked by Bo: defend 40", "attack Cuttlefish 20"],
    ["press to all:", "I come at 20:00, and on 24.11.2026 again.", "end press", "defend 30"],
)
_ORDER = re.compile(r"(?:attack|defend|if|wait|press|end press)\b", re.IGNORECASE)

WRITERS = [
    "As I wrote on 22.11. at 20:00:",
    "As I wrote on 22.11.2026 at 20:00:",
    "Wie ich am 22.11.2026 um 20:00 Uhr schrieb:",
    "On Sunday 22 Nov 2026 at 20:15 I wrote you this already:",
    "On 22/11/2026 20:15, Bo wrote:",
    "Gwen, on 23.11.2026 at 12:02 The Ember Arena wrote that I may send orders, so here:",
    "This message is confidential, Gwen:",
    "This message is confidential, and I mean it, so please do read it alone, Gwen:",
    "This message is confidential, and I mean it, so please do read it alone, Gwen",
    "Disclaimer: I am no native speaker of your language, so please be kind to me",
    "From me to you, Gwen:",
    "From: Mantisman\nTo: all cowards\nDate: high noon",
    "From: Mantisman\nTo: all cowards\nDate: today at 20:00",
    "Date: 22.11.2026, 20:00\nFrom: Mantisman\nTo: the Arena",
    "Von: Mantisman\nAn: Bo\nDatum: 22.11.2026 20:00",
    "CAUTION: I bite at 20:00",
]
"""Heads that a person types above orders; none holds an address."""


def is_said(text: str) -> bool:
    """Say whether a line is an order of these tests."""
    return bool(_ORDER.match(text))


def wrapped(head: str, how: int) -> list[str]:
    """
    Break each line of a head, as clients do.

    Shape: at a width, or behind the bracket of the address (0), or at the blank of a number below 0; header blocks at
    widths of mails alone.
    """
    lines: list[str] = []
    if "\n" in head and how < NARROWEST:
        return head.split("\n")
    for line in head.split("\n"):
        if how > 0:
            lines += textwrap.wrap(line, how, break_long_words=False, break_on_hyphens=False)
        elif how == 0 and "<" in line:
            lines += [line[: line.index("<") + 1], line[line.index("<") + 1 :]]
        else:
            blanks = [match.start() for match in re.finditer(" ", line.rstrip())]
            at = blanks[-how % len(blanks)] if how and blanks else len(line)
            lines += [piece for piece in (line[:at], line[at + 1 :]) if piece.strip()]
    return lines


def reply(new: Sequence[str], head: Sequence[str], mark: str, place: str, gap: tuple[bool, bool]) -> list[str]:
    """Lay out a reply; `gap` says whether a blank line stands above the head, and below it."""

    def quoted(text: str) -> list[str]:
        return [(mark + line).rstrip() for line in text.rstrip("\n").split("\n")]

    opening = [*head, *[""] * gap[1]]
    whole = [*quoted(TOP), mark.rstrip(), *quoted(REST)]
    if place == "top":
        return [*new, *[""] * gap[0], *opening, *whole]
    if place == "bottom":
        return [*opening, *whole, "", *new]
    return [*opening, *quoted(TOP), "", *new, "", *quoted(REST)]


def read(body: Sequence[str]) -> list[str]:
    """Return the new lines of a reply to our letter."""
    found = written(body, [LETTER], press.in_block, US, is_said).lines
    return [line.text for line in found if line.text]


def said(new: Sequence[str]) -> list[str]:
    """Return the lines that are not blank."""
    return [line for line in new if line]


HOW = [0, *(-number for number in range(1, 12)), 30, 62, 66, 72, 76, 78, 80, 100, 998]
MARKS = ["> ", ">", ""]
PLACES = ["top", "bottom", "inline"]
GAPS = [(True, True), (True, False), (False, False), (False, True)]


def hold(head: str, name: str, how: int, mark: str, place: str, gap: tuple[bool, bool], new: Sequence[str]) -> None:
    """Hold one reply to the law."""
    lines = wrapped(head.format(who=name, at=AT), how)
    if "\n" in head or how < 0:
        gap = (True, gap[1])  # a title or a torn word right below an order may be the rest of it
    assert read(reply(new, lines, mark, place, gap)) == said(new), lines


@settings(max_examples=examples(300), deadline=None)
@given(
    st.sampled_from([*LINES, *blocks()]), st.sampled_from(NAMES), st.sampled_from(HOW), st.sampled_from(MARKS),
    st.sampled_from(PLACES), st.sampled_from(GAPS), st.sampled_from(NEW),
)  # fmt: skip
def test_what_stands_above_our_letter_is_the_clients(
    head: str, name: str, how: int, mark: str, place: str, gap: tuple[bool, bool], new: Sequence[str]
) -> None:
    """However a head is worded, wrapped or torn, it goes, and every line of the writer stays."""
    hold(head, name, how, mark, place, gap, new)


@pytest.mark.sweep
@pytest.mark.parametrize("how", [*HOW, *range(63, 100)])
def test_all_heads_at_all_widths(how: int) -> None:
    """The law above, for every head."""
    wrong = []
    for number, head in enumerate([*LINES, *blocks()]):
        for name in NAMES:
            for place in PLACES:
                mark, gap, new = MARKS[number % 3], GAPS[(number + len(place)) % 4], NEW[number % 4]
                try:
                    hold(head, name, how, mark, place, gap, new)
                except AssertionError:
                    wrong.append((wrapped(head.format(who=name, at=AT), how), mark, place, gap, number % 4))
    assert not wrong, (len(wrong), wrong[:3])


@settings(max_examples=examples(200), deadline=None)
@given(
    st.sampled_from(WRITERS), st.integers(0, 5), st.booleans(), st.sampled_from(NEW), st.sampled_from(LINES),
    st.sampled_from(MARKS), st.sampled_from(PLACES),
)  # fmt: skip
def test_a_head_of_the_writers_own_swallows_nothing(
    head: str, at: int, gap: bool, new: Sequence[str], theirs: str, mark: str, place: str
) -> None:
    """Wherever it stands in a reply that holds our letter, all lines around it are new, and it is, if it names us not."""
    lines = [*new[:at], *head.split("\n"), *[""] * gap, *new[at:], "attack Cuttlefish 20"]
    body = reply(lines, wrapped(theirs.format(who=NAMES[0], at=AT), 78), mark, place, (True, True))
    named = {line for line in head.split("\n") if US.name in line}
    assert [line for line in read(body) if line not in named] == [line for line in said(lines) if line not in named]


@pytest.mark.parametrize("head", ["From: Bo\nTo: Cy\nSent: 22.11.2026 20:00\nSubject: truce", *WRITERS])
def test_a_head_inside_press_is_press(head: str) -> None:
    """Even one of all four lines, with a day and a time."""
    new = ["press to all:", *head.split("\n"), "attack me if you can", "end press", "defend 20"]
    assert read(reply(new, ["The Ember Arena wrote:"], "> ", "top", (True, True))) == new
