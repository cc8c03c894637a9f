"""A mail with two forms: the plain one is read, and the writer is told where the other says other things."""

import pytest

from pbem.letters import html_twin
from pbem.letters.reading import newly, read
from tests.letters.clients import CLIENTS, LETTER, composed, mail, part, parts
from tests.letters.corpus.mails import corpus


def both(plain: str, html: str) -> bytes:
    """Write a mail in both forms."""
    return mail(parts("multipart/alternative", part(plain), part(html, "text/html", how="quoted-printable")))


@pytest.mark.parametrize(
    "html",
    [
        "<p>defend 50</p><p>attack Bo 20</p>",
        "<div>defend 50</div><b>wait</b>",
        "attack Bo 30",
        "<div>defend&nbsp;50 and more</div>",
    ],
)
def test_other_lines_in_the_html_are_mentioned(html: str) -> None:
    """The orders are those of the plain text, and a note says that there was more."""
    letter = read(both("defend 50\n", html))
    assert ([line.text for line in newly(letter, ())], letter.note) == (["defend 50"], html_twin.NOTE)


@pytest.mark.parametrize(
    "html",
    [
        "<p>defend 50</p>",
        "<style>p {margin: 0}</style><p><b>def</b>end&nbsp;50</p><img src=x alt=''>",
        "<ul><li>defend 50</li></ul>",
        '<div>defend 50</div><div style="display:none">attack Bo 20</div>',
        "<div>defend 50</div><blockquote>attack Bo 20</blockquote>",
        "<head><title>attack Bo 20</title></head>defend <a href='x'>50</a>",
        "<div>defend 50</div><div>Sent from my iPhone</div>",
        "",
    ],
)
def test_the_same_in_other_clothes_is_not(html: str) -> None:
    """Bold letters, lists, hidden and quoted lines, and what a telephone adds are no other orders."""
    assert read(both("*defend* 50\n", html)).note == ""


def test_wrapped_lines_are_the_same_lines() -> None:
    """Programs break long lines in the plain form alone."""
    plain = (
        "if my energy < 40: defend 40 else attack\nCuttlefish 20\n\n> so you said, and I would not have said\n> it\n"
    )
    html = (
        "<div>if my energy &lt; 40: defend 40 else attack Cuttlefish 20</div>so you said, and I would not have said it"
    )
    assert read(both(plain, html)).note == ""


def test_no_reply_of_the_corpus_is_said_to_disagree_with_itself() -> None:
    """Both forms come from one program, which says the same twice."""
    letters = [read(mail.raw) for mail in corpus() if ", both" in mail.name]
    assert len(letters) > 50
    assert [letter.subject for letter in letters if letter.note] == []


def test_what_is_too_large_is_not_compared() -> None:
    """The comparison takes time for each run of the one form in all of the other."""
    assert html_twin.note(["defend 50"], "<p>x</p>" * 100_000) == ""
    assert html_twin.note(["defend 50"], "".join(f"<p>x{n}</p>" for n in range(html_twin.MOST_LINES + 1))) == ""


def test_a_reply_by_gmail_has_no_note() -> None:
    """The ordinary case, with our own letter below it."""
    raw = CLIENTS["gmail"](composed("top", ["defend 50"], LETTER))
    assert read(raw.replace(b"ember+ember-7.k3x9@", b"ember@")).note == ""
