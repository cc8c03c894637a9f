"""Law: dates, times, scores, prices, addresses and telephone numbers order nothing, wherever they stand in a mail."""

import calendar
import random
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from babel.dates import format_datetime
from babel.localedata import locale_identifiers
from hypothesis import given
from hypothesis import strategies as st

from pbem.language.tokens import cut
from pbem.table.fold.journal import NotRead
from pbem.table.incoming import not_read
from tests.depth import some
from tests.hall.test_talk import ORDERS, SEAT, table_of, taken

NAMES = ("Bo", "Cy", "Dan", "Mantisman")
DAYS = st.integers(0, 5000).map(lambda days: datetime(2020, 1, 1, 9, 5) + timedelta(days=days, minutes=37 * days))
STYLES = (
    "%a, %b {d}", "%A, %B {d}", "{d} %b", "{d} %B %Y", "%b {d}", "%b. {d}, %Y", "%a {d} %b", "%Y-%m-%d", "%d/%m/%Y",
    "%m/%d/%y", "%d.%m.%Y", "{d}.%m.", "{d}. %B", "the {d}th of %B", "%a {d}", "%A {d} at {h}", "on %b {d}",
    "until %a, %b {d}", "by %A {d}", "%B {d}th", "{d}-%b", "{d}-%b-%Y", "%a %b {d} %H:%M", "%H:%M", "at %H:%M", "%I:%M %p",
    "{h} pm", "at {h}pm", "{h} o'clock", "%Hh%M", "%a %H:%M", "%d %b, %H:%M", "{name} at %H:%M", "{name} at {h}",
    "{name} by {h}", "{name} %H:%M", "{name}, %b {d}", "{name} on %a {d}", "%b {d} {name}",
)  # fmt: skip
OTHERS = (
    "{n}-{m}", "{name} {n}-{m} {other}", "{name} {n}:{m} {other}", "{name} {n}, {other} {m}", "{n} points to {name}",
    "{name} won {n} to {m}", "{n} pts for {name}", "${n}", "{name} owes me ${n}", "{n} EUR", "\u00a3{n} for {name}",
    "{n}\u20ac", "{n} euros to {name}", "{d} High Street", "{name}, {d} High Street", "{d} {name} Road", "Flat {n}, {d} The Mews",
    "020 7946 0{d}58", "call {name} on 020 7946 0{d}58", "+49 30 12{d} {d}40", "(555) 0{d}{n}9", "{name} +1 555 0{d}{n}",
    "Tel. {d}{d} {d} {d}", "--\n{name}\n{d} Main Road\n020 7946 0{d}58", "Deaf at {d}", "Ref {d}", "Dec {d}", "{name}'s {d}th",
)  # fmt: skip


FORMS = (*STYLES, *OTHERS)


def filled(form: str, day: datetime, names: Sequence[str], number: int) -> str:
    """Return words with a number in them that is no amount."""
    dated = day.strftime(form) if form in STYLES else form
    numbers = {"d": day.day, "h": day.hour % 12 + 1, "n": number, "m": 10 - number}
    return dated.format(name=names[0], other=names[1], **numbers)


said = st.builds(filled, st.sampled_from(FORMS), DAYS, st.permutations(NAMES), st.integers(1, 9))


@pytest.mark.parametrize("name", some(3, ORDERS))
def test_none_of_them_orders_anything_alone(name: str) -> None:
    """Each way to write one, once."""
    draw = random.Random(name)
    days = [datetime(2026, 1, 1, 7, 30) + timedelta(hours=draw.randrange(9000)) for _ in FORMS]
    texts = [
        filled(form, day, draw.sample(NAMES, 2), draw.randint(1, 9)) for form, day in zip(FORMS, days, strict=True)
    ]
    found = {text: entry.orders for text in texts if (entry := taken(name, *text.split("\n"))[0]).orders}
    assert not found


@given(st.sampled_from(sorted(ORDERS)), said, st.integers(0, 2), st.booleans())
def test_they_order_nothing(name: str, text: str, at: int, is_apart: bool) -> None:
    """Above, between and below orders, or alone: what is on hand are the orders, and all of them."""
    lines = ORDERS[name]
    gap = [""] if is_apart else []
    entry, _ = taken(name, *lines[:at], *gap, *text.split("\n"), *gap, *lines[at:])
    assert entry.orders == lines, text
    assert not taken(name, *text.split("\n"))[0].orders, text


@pytest.mark.parametrize("month", [*calendar.month_name[1:], *calendar.month_abbr[1:]])
def test_every_month_is_one(month: str) -> None:
    """Before a number, behind one, and with a day of the week."""
    for text in (f"Sun, {month} 06", f"6 {month}", f"{month} 6"):
        assert all(token.kind != "number" for token in cut(text))


PATTERNS = (
    "EEE, d MMM y, HH:mm",
    "EEE, MMM d, y, h:mm a",
    "EEEE, d MMMM y HH:mm",
    "MMM d, y, HH:mm",
    "d. MMM y, HH.mm",
)
AROUND = (
    "On {}, Ada <ada@example.org> wrote:",
    "{} Ada <ada@example.org>:",
    "{} ember-7 <ember@example.org> a écrit :",
)


@given(
    st.sampled_from(sorted(locale_identifiers())), DAYS, st.sampled_from(PATTERNS), st.sampled_from(AROUND),
    st.sampled_from(sorted(ORDERS)),
)  # fmt: skip
def test_no_attribution_is_named_as_a_line_that_was_not_read(
    locale: str, day: datetime, pattern: str, around: str, name: str
) -> None:
    """In whatever month, language and order of day and month a mail program writes it, none of its parts is an order."""
    line = around.format(format_datetime(day, pattern, locale=locale))
    table = table_of(name)
    assert not not_read.named(table, SEAT, [NotRead(line, "attribution")])["not_read"], line


@pytest.mark.parametrize("text", ["attack Bo 20", "defend 40", "Bo 20", "20 on Bo", "bid P01 12", "may 1", "mayday 20"])
def test_an_amount_is_none_of_these(text: str) -> None:
    """The law does not hold since all is taken for a date; but a month with a number is one, whoever is called so."""
    assert any(token.kind == "number" for token in cut(text)) == (text != "may 1")
