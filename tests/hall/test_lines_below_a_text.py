"""Law: each line of the handbook does below a power's text what it does behind a blank line, or is asked about."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine
from pbem.table.fold import replay
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming import player_mail
from pbem.table.incoming.received import Received
from tests.depth import some
from tests.hall.test_talk import NOW, SEAT, table_of

TEXT = "+15 to your Defence."
POWER = {
    "on one line": (f"power Tough Hide: {TEXT}",),
    "below its name": ("power: Tough Hide", f"text: {TEXT}"),
    "with a type": ("power: Tough Hide", f"text: {TEXT}", "type: flaw"),
    "with a type first": ("power: Tough Hide", "type: curse", f"text: {TEXT}"),
    "listed": (f"1. Tough Hide - {TEXT}",),
}
FILLED = {
    "ORDER instead of ORDER": "bid 3 instead of bid 2", "also ORDER": "also attack Bo 5", "no ORDER": "no Tough Hide",
    "for Round 5: ORDER; ORDER": "for Round 5: attack Bo 5; defend 5", "press to all: one line": "press to all: see you",
    "gm: a paragraph, up to a blank line": "gm: may I be late?", "address ada@example.org": "address ada2@example.org",
}  # fmt: skip
MORE = (
    "private", "keep it private", "standing off", "zone Asia/Tokyo", "yes", "form", "help", "help powers", "rules R17",
    "archive", "preview", "what if Bo attacks me 20: defend 30", "unsigned", "publish me as nobody", "GM: hello there",
    "press to Bo: hi", "same as last round", "Status", "ready!", "mail: HTML", "what if: defend 20", "back", "drop 2",
)  # fmt: skip
UNDONE = ("one line", "several lines, to be passed on", "end press", "press to all:", "press to team: one line")


def handbook() -> Iterator[str]:
    """Yield the lines that the handbook gives as examples, those with blanks filled."""
    text = (Path(__file__).parents[2] / "templates" / "help.j2").read_text()
    for line in re.findall(r"^\| (.+)$", text, re.MULTILINE):
        said = FILLED.get(line, line.replace("NAME and NAME", "Bo").replace("one line", "hello"))
        if line not in UNDONE and line != "end":
            yield said


LINES = tuple(dict.fromkeys((*handbook(), *MORE)))


@cache
def entry_of(*lines: str) -> OrdersReceived:
    """Return what becomes of a mail in the Powers phase."""
    table = table_of("rumble")
    powers = table.ruleset.setup(
        {seat: one.name for seat, one in table.seats.items()}, table.state.house, Dice(bytes(32))
    )
    table = msgspec.structs.replace(table, state=powers, phase=table.ruleset.phase(powers))
    said = tuple(OrderLine(number, line) for number, line in enumerate(lines, 1))
    mail = Received(phase=1, arrived=NOW, noted=NOW, mail="m", cause="c", key="k", message_id="", said=said)
    entry = player_mail.take(table, SEAT, mail)
    assert replay.step(table, entry)
    return entry


@pytest.mark.parametrize("how", some(2, POWER))
def test_each_line_does_below_a_text_what_it_does_behind_a_blank_line(how: str) -> None:
    """It is no part of the text, which everybody reads; where it may be one, it is asked about."""
    alone = entry_of(*POWER[how])
    assert alone.orders and not alone.complaints
    wrong = {}
    for line in LINES:
        apart, below = entry_of(*POWER[how], "", line), entry_of(*POWER[how], line)
        names = [*(one.text for one in below.complaints), *below.doubts, *below.passed, *below.unsent]
        does_the_same = (apart.requests, apart.press, apart.asides) == (below.requests, below.press, below.asides)
        texts = [order.casefold() for order in below.orders if order.startswith(("power", "text"))]
        is_in_text = any(line.casefold().strip("!") in text for text in texts)
        is_asked = any(line in name for name in names) and not below.requests
        if is_in_text or not (does_the_same or is_asked):
            wrong[line] = (below.orders, below.complaints)
    assert not wrong


WRAPPED = "power Slow: Burn 10: until the end of the next round all of your opponents have to\nwait, and may not use any power."


def test_a_text_that_a_mail_program_wrapped_is_one_text() -> None:
    """Also where a line of it begins as a request does."""
    _, text = entry_of(*WRAPPED.split("\n")).orders
    assert "have to wait, and may not use" in text


@pytest.mark.parametrize("secret", ["ada@example.org", "Ask ada.b+rumble@mail.example.co.uk", "k3x9q2w8e7r6t5z4"])
@pytest.mark.parametrize(
    "how", ["power Mail: {}", "power: Mail\ntext: Spend 5: {}.", "power: {}\ntext: +5 to your Defence."]
)
def test_a_text_with_an_address_or_a_token_is_asked_about(secret: str, how: str) -> None:
    """Before anybody sees it."""
    entry = entry_of(*how.format(secret).split("\n"))
    assert not entry.orders and "everybody" in entry.complaints[0].because
