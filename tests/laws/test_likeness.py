"""What is near a word is what difflib finds near it, with far fewer comparisons."""

from difflib import SequenceMatcher, get_close_matches

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.language import likeness
from pbem.language.likeness import is_like_any

ORDERS = ("attack", "defend", "exploit", "bid", "wait", "invest", "status", "cancel", "replace", "forecast", "private")
words = st.one_of(st.sampled_from(ORDERS), st.text("abcdefiknt\u00e9\u0142", max_size=12))


@st.composite
def slips(draw: st.DrawFn) -> str:
    """Draw a word, with some letters changed, doubled or left out."""
    word = draw(words)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(word)))
        word = word[:at] + draw(st.text("adeftk", max_size=1)) + word[at + draw(st.integers(0, 1)) :]
    return word


@given(slips(), st.lists(words, max_size=6), st.sampled_from([0.5, 0.6, 0.75, 0.8, 0.9, 1.0]))
def test_it_says_what_difflib_says(word: str, others: list[str], least: float) -> None:
    """Whatever the words, and however like they have to be."""
    assert is_like_any(word, others, least) == bool(get_close_matches(word, others, n=1, cutoff=least))


def test_of_ordinary_talk_few_words_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that no order is like is told from them by its letters alone."""
    compared: list[str] = []

    class Counting(SequenceMatcher[str]):
        def ratio(self) -> float:
            compared.append("a pair")
            return super().ratio()

    monkeypatch.setattr(likeness, "SequenceMatcher", Counting)
    talk = (
        "hello everybody what lovely weather after those long evenings shall meet again tomorrow maybe bring something"
    )
    said = [word for word in talk.split() if len(word) > 3]
    assert not any(is_like_any(word, ORDERS, 0.8) for word in said)
    assert len(compared) <= len(said) // 4
