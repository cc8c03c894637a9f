"""A thumb that somebody raised at our letter is no letter, and what only looks like one is."""

import pytest

from pbem.letters.reading import read
from tests.letters.clients import mail, part, parts

QUOTED = "\n\nOn Tue, Nov 24, 2026 at 8:00 AM Ember <ember@example.org> wrote:\n> Round 3\n"


def test_a_part_of_its_own_says_so() -> None:
    """Gmail adds one, in every language."""
    thumb = part('{"emoji": "👍", "version": 1}', "text/vnd.google.email-reaction+json")
    raw = mail(parts("multipart/alternative", part("👍\n\nAda a réagi\n"), thumb, part("<p>👍</p>", "text/html")))
    assert read(raw).automatic == "a reaction to a letter"


@pytest.mark.parametrize(
    "text",
    [
        "Ada reacted to your message:",
        "👍\n\nAda Lovelace reacted via Gmail",
        "Pat reacted with thumbs-up to your letter",
        "Liked “[ember-7] Round 3”",
        "A aimé « [ember-7] Round 3 »",
    ],
)
def test_a_line_alone_says_so(text: str) -> None:
    """Other programs write one sentence."""
    assert read(mail(part(text + QUOTED))).automatic == "a reaction to a letter"


@pytest.mark.parametrize(
    "text",
    [
        "Ada reacted to your message:\nattack Bo 20",
        "press to all: Bo reacted badly to me",
        "press to all: everybody reacted with joy to it\ndefend 50",
        "reacted",
        "press to all: “[ember-7] Round 3”",
        "Liked “[ember-7] Round 3”\nattack Bo 20",
    ],
)
def test_who_says_more_has_written(text: str) -> None:
    """A letter that tells of a reaction is a letter."""
    assert read(mail(part(text + QUOTED))).automatic == ""
    assert read(mail(part("defend 50" + QUOTED + "> Ada reacted to your message\n"))).automatic == ""
