"""By which name somebody who was invited wants to be known, in words of their own: said once and clearly, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.table.model import coming

SAID = (
    "{}", "{}!", "I'm in! {}", "Count me in - {}", "I'm in: {}", "I'm in as {}", "Yes! {}", "{} please", "{} it is", "{} here",
    "I'll be {}", "I'll take {}", "I want to be {} please", "call me {}", "my hero is called {}", "My name is {}.", "Name: {}",
    "make me {}", "I'd like to be {}", "sign me up as {}", "Ich bin {}", "**{}**", '"{}"', "Sure, I'll go with {}",
)  # fmt: skip
NAMES = ("Mantisman", "Captain Zap", "The Green Flame", "Dr. Ox")


def called(texts: list[str], own: str) -> str:
    """Return the name that is heard in the lines of a mail."""
    return coming.called([OrderLine(number, text) for number, text in enumerate(texts, 1)], own)


AROUND = ("{}", "Hi Gwen,\n\n{}\n\nCheers\nAda", "Hello!\n{}\nBest wishes, Ada", "{}\nAda Lovelace")


@given(st.sampled_from(SAID), st.sampled_from(NAMES), st.sampled_from(AROUND))
def test_a_name_is_heard_however_it_is_said(said: str, name: str, around: str) -> None:
    """And is never another; what has a full stop in it may have to be said in the form."""
    assert called(around.format(said.format(name)).split("\n"), "Ada Lovelace") in (
        {name} if "." not in name else {name, ""}
    )


@pytest.mark.parametrize(
    "text",
    [
        "Gwen, I'm in", "I'm in, Gwen", "I'm in!\nAda", "Thanks, Ada", "Unsubscribe", "Automatic Reply", "Out of Office", "Hello",
        "Yes", "Ada Lovelace", "Ada", "Maybe", "Not Me", "Mantisman or Bob", "Wonderful!", "Declined", "I am busy", "Later",
        "Mantisman\nBob", "I'm in! Mantisman\nI'm in! Bob", "no, Mantisman", "Delivery Failure",
    ],
)  # fmt: skip
def test_what_may_be_no_name_is_none(text: str) -> None:
    """A greeting, a signature, a word of a machine, a refusal, two names."""
    assert called(text.split("\n"), "Ada Lovelace") == ""
