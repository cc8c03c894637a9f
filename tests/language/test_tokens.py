"""Lines are cut into words, numbers and marks, and no date, price or score is a number."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.language.tokens import cut, written

DAYS = st.integers(0, 4000).map(lambda days: datetime(2024, 1, 1, 9, 30) + timedelta(days=days, minutes=days))
DATES = ("%d.%m.%Y", "%Y-%m-%d", "%d/%m/%y", "%H:%M", "%d %B", "%B %d", "%d. %b", "%A %d", "%d/%m", "%B %Y", "%d of %B")
OTHER = (
    "${}",
    "{}\u20ac",
    "\u00a3 {}",
    "{}%",
    "{}pm",
    "{} o'clock",
    "{} hours",
    "{} days",
    "{}-{}",
    "{}:{}",
    "{}/{}",
    "{}.{}",
    "{} km",
    "{}+",
)


@given(DAYS, st.sampled_from(DATES))
def test_no_date_is_a_number(day: datetime, form: str) -> None:
    """A day or a time, as people write them, has no number that an order could take."""
    text = day.strftime(form)
    assert [token for token in cut(f"see you {text} or so") if token.kind in ("number", "ordinal")] == []


@given(st.integers(1, 59), st.integers(1, 59), st.sampled_from(OTHER))
def test_no_price_score_or_measure_is_a_number(one: int, two: int, form: str) -> None:
    """Nor has a price, a range, a score, a measure."""
    text = form.format(one, two)
    assert [token for token in cut(f"that is {text} or so") if token.kind == "number"] == []


@given(st.integers(0, 999_999), st.sampled_from(("{}", "{:,}", "x{}", "{}x", "({})", "{}.", "{},", "*{}*")))
def test_what_stands_alone_is_a_number(number: int, form: str) -> None:
    """A number is read as what it is, whatever marks stand around it."""
    if not 1900 <= number <= 2100:
        assert [token.value for token in cut(f"go for {form.format(number)}", ()) if token.kind == "number"] == [number]


def test_a_number_beside_a_name_that_is_a_month_is_doubtful() -> None:
    """Where somebody is called May, `May 20` may be an order; where nobody is, it is a day."""
    assert [token.doubtful for token in cut("May 20", {"may"})] == [False, True]
    assert [token.kind for token in cut("May 20")] == ["word", "other"]


@pytest.mark.parametrize("bullet", ["- ", "* ", "1. ", "2) ", "(3) ", "\u2022 ", "-> ", "[x] ", "#4 ", "a) ", "  - "])
def test_what_a_list_puts_before_its_lines_is_no_token(bullet: str) -> None:
    """A dot, a dash, a number or a letter before a line are no part of it."""
    assert [token.text for token in cut(f"{bullet}attack Bob 20")] == ["attack", "bob", "20"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I won't attack", "i will not attack"),
        ("isn't he?", "is not he ?"),
        ("Dr. Doom, please :-)", "dr doom , please"),
        ("**attack** _Bob_ `20`", "attack bob 20"),
        ("R2-D2 -> x3", "r2-d2 -> times x3"),
    ],
)
def test_words_are_cut_as_they_are_meant(text: str, words: str) -> None:
    """Joined words are two, titles lose their stop, bold marks and smiles are nothing."""
    assert " ".join(token.text for token in cut(text)) == words


@given(st.text(max_size=60))
def test_any_line_is_cut_and_stands_as_it_was(line: str) -> None:
    """Each token says where it stands, in order, and nothing is read twice."""
    tokens = cut(line)
    places = [(token.start, token.end) for token in tokens]
    assert places == sorted(places)
    assert all(token.line[token.start : token.end] for token in tokens)
    assert written(tokens) in (tokens[0].line if tokens else "")
