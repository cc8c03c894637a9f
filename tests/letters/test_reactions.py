"""A thumb that somebody raised at our letter is no letter, and what only looks like one is."""

import email
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        "cancel for “[ember-7] Round 3”",
        'ready for "[ember-7] Round 3"',
        "Please count me in for “[ember-7] Round 3”",
        "I quit « [ember-7] Round 3 »",
        "Wait with “[ember-7] Round 3”",
    ],
)
def test_who_says_more_has_written(text: str) -> None:
    """A letter that tells of a reaction is a letter."""
    assert read(mail(part(text + QUOTED))).automatic == ""
    assert read(mail(part("defend 50" + QUOTED + "> Ada reacted to your message\n"))).automatic == ""


RECALLS = (
    ("Recall", 'Ada would like to recall the message, "{}".'),
    ("Rückruf", 'Ada Lovelace möchte die Nachricht "{}" zurückrufen.'),
    ("Rappel ", "Ada souhaite rappeler le message « {} »."),
    ("Recuperar", "Ada quiere recuperar el mensaje “{}”."),
    ("Отзыв", 'Ada хочет отозвать сообщение "{}".'),
)
ANSWERS = ("Re: [ember-7] Round 3", "AW: [ember-7 abcdefghijklmnop] Auction: not taken", "RE: Re: [tide-1] Tide 1")


def recalled(label: str, sentence: str, answer: str, *, more: str = "") -> bytes:
    """Return a mail that asks to have one back."""
    message = email.message_from_bytes(mail(part(sentence.format(answer) + more)), policy=default)
    del message["Subject"]
    message["Subject"] = f"{label}: {answer}"
    return message.as_bytes()


@given(st.sampled_from(RECALLS), st.sampled_from(ANSWERS), st.sampled_from(("", "\n")))
def test_a_recall_is_told_that_it_does_nothing(recall: tuple[str, str], answer: str, more: str) -> None:
    """In whatever language; it is a person's mail without a line, and says so."""
    letter = read(recalled(*recall, answer, more=more))
    assert (letter.automatic, letter.body) == ("", ())
    assert "That does nothing here: what you sent stands." in letter.note


@given(st.sampled_from(RECALLS), st.sampled_from(ANSWERS))
def test_who_writes_more_than_a_recall_is_read(recall: tuple[str, str], answer: str) -> None:
    """Orders below it, a sentence about another mail, and the same words in a mail of another subject."""
    assert read(recalled(*recall, answer, more="\nattack Bo 20")).body
    assert read(recalled(recall[0], recall[1].replace("{}", "Re: [other-1] Round 3"), answer)).body
    assert read(recalled("Re", "defend 20", answer)).body
