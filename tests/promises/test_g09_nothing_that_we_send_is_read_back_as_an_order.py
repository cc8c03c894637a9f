"""
G9. Nothing that we send is read back as an order, in any quoting, wrapping or forwarding.

Form lines count only once their blanks are filled; examples never.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count

import pytest

from pbem.demo import play
from pbem.ground.terms import Complaint, OrderLine
from pbem.language.phrases import clean
from pbem.letters.reading import newly, read
from pbem.table.incoming import moderator_lines, player_lines
from tests.depth import shares
from tests.letters.clients import mail, part, smart
from tests.letters.corpus.drafts import Draft, Piece, Place, composed
from tests.letters.corpus.plain import BARE, MARKED, marked
from tests.letters.corpus.tongues import TONGUES
from tests.letters.corpus.webmail import WEBS, dressed
from tests.letters.posted import Post, Posted, as_read, posted

KINDS = {
    "archive", "confirm", "echo", "founded", "held", "help", "history", "invitation", "leaked", "manual", "merged", "moving",
    "notice", "offer", "offered", "opening", "press", "proof", "receipt", "refused", "reminder", "replaced", "replacing",
    "report", "stranger", "takeover", "trouble", "unkept", "unknown", "welcome",
}  # fmt: skip
"""Of which kinds letters must be among those that are looked at: each has a template of its own."""

NEVER = ("| ", "~ ", ": ", "|", ":")
"""How lines begin that never count as they stand: examples, empty forms, and what other people wrote."""


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Post:
    """Letters of every kind."""
    return posted(tmp_path_factory.mktemp("post") / "arena")


# What mail programs do to a letter of ours and to what is written around it

Client = Callable[[list[Piece]], bytes]


def _plain(text: str, charset: str = "utf-8", how: str = "8bit", more: str = "") -> bytes:
    return mail(part(text.encode(charset, "replace").decode(charset), "text/plain", charset, how, more))


def _by(name: str, tongue: str = "en", footer: Sequence[str] = (), more: str = "", how: str = "8bit") -> Client:
    dress = (MARKED.get(name) or BARE[name])[0]
    return lambda pieces: _plain(dress(Draft(pieces, TONGUES[tongue], list(footer))), how=how, more=more)


def _wrapped(width: int, *, mark: str = "> ", marks_each: bool = True) -> Client:
    dress = marked("gmail", mark=mark, width=width, marks_each=marks_each)
    return lambda pieces: _plain(dress(Draft(pieces, TONGUES["en"], [])))


def _shaped(shape: Callable[[str], str], charset: str = "utf-8") -> Client:
    dress = MARKED["thunderbird"][0]
    return lambda pieces: _plain(shape(dress(Draft(pieces, TONGUES["en"], []))), charset, "quoted-printable")


def _html(name: str) -> Client:
    web = WEBS[name]
    return lambda pieces: mail(part(dressed(web, Draft(pieces, TONGUES["en"], [])), "text/html", how="base64"))


def _capitals(text: str) -> str:
    return re.sub(r"^([> ]*)([a-z])", lambda match: match[1] + match[2].upper(), text, flags=re.MULTILINE)


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


CLIENTS: dict[str, Client] = {
    "gmail": _by("gmail"),
    "gmail in Japanese, base64": _by("gmail", "ja", how="base64"),
    "apple mail": _by("apple mail"),
    "iphone": _by("iphone", footer=["Sent from my iPhone"]),
    "k-9": _by("k-9"),
    "signed": _by("thunderbird", footer=["-- ", "Ada", "attack nobody 1"], how="quoted-printable"),
    "initials": _by("the bat"),
    "flowed": _by("thunderbird flowed", more="; format=flowed"),
    "flowed, delsp": _by("apple mail flowed", more="; format=flowed; delsp=yes"),
    **{f"wrapped at {width}": _wrapped(width) for width in (60, 72, 76, 78)},
    "wrapped, rest bare": _wrapped(60, marks_each=False),
    "three deep": _wrapped(0, mark="> > > "),
    "three deep, wrapped": _wrapped(60, mark=">>> "),
    "smart quotes": _shaped(smart),
    "capitals": _shaped(_capitals),
    "blanks stripped": _shaped(_stripped),
    "cp1252, lossy": _shaped(str, "cp1252"),
    "ascii, lossy": _shaped(str, "ascii"),
    "outlook": _by("outlook"),
    "outlook in German": _by("outlook", "de"),
    "outlook for ios": _by("outlook for ios", footer=["Get Outlook for iOS<https://example.org/o0ukef>"]),
    "samsung": _by("samsung"),
    "yahoo": _by("yahoo"),
    "outlook for mac": _by("outlook for mac"),
    "forwarded": _by("gmail forward"),
    "gmail html": _html("gmail"),
    "apple html": _html("apple mail"),
    "outlook html": _html("outlook"),
    "outlook web html": _html("outlook on the web"),
    "thunderbird html": _html("thunderbird"),
    "yahoo html": _html("yahoo"),
}

PLACES: tuple[Place, ...] = ("top", "bottom", "inline")
SAID: tuple[tuple[str, ...], ...] = (
    (),
    ("attack Cuttlefish 23",),
    ("attack Cuttlefish 23", "defend 41", "press to all: who joins me?", "use Gills on Mantisman x4", "ready"),
)


def shown(letter: Posted) -> tuple[str, ...]:
    """Return what a letter shows as examples and as other people's words, as somebody would write it who means it."""
    lines = (line.strip() for line in letter.text.split("\n"))
    found = (line[2:] for line in lines if line.startswith(("| ", ": ")) and "_" not in line)
    return tuple(dict.fromkeys(line for line in found if line.islower() and len(line) < 45 and line != "end"))[:4]


def check(letter: Posted, client: str, place: Place, new: Sequence[str], *, is_on_file: bool = True) -> None:
    """Hold one reply to the promise; whether the letter is on file, so that it can be taken away."""
    pieces = composed(place, "letter", list(new) or [""], letter.text.rstrip("\n").split("\n"))
    lines = newly(read(CLIENTS[client](pieces)), [letter.text] if is_on_file else [])
    found = [clean(line.text) for line in lines if line.text.strip()]
    expected = [clean(_capitals(line) if client == "capitals" else line) for line in new]
    assert found == expected, (letter.kind, client, place, letter.text)


def _one_of_each(letters: Sequence[Posted]) -> list[Posted]:
    return list({letter.kind: letter for letter in letters}.values())


def test_letters_of_every_kind_are_looked_at(post: Post) -> None:
    """Each template that makes a letter for people made one, but for two that only broken mail calls for."""
    assert {letter.kind for letter in post.letters} >= KINDS


def test_a_reply_in_any_client_holds_what_was_written_and_nothing_of_ours(post: Post) -> None:
    """A letter of each kind, by turns in each client and place; nothing, one order, several, and what the letter shows."""
    turn = count()
    for letter in _one_of_each(post.letters):
        for new in (*SAID, shown(letter)):
            for _ in range(3):
                at = next(turn)
                check(letter, list(CLIENTS)[at % len(CLIENTS)], PLACES[at // len(CLIENTS) % 3], new)


def test_a_reply_to_a_letter_that_is_not_on_file_holds_nothing_of_it(post: Post) -> None:
    """Programs that mark what they quote, or say where it begins, tell it by themselves; one marks half of each line."""
    turn = count()
    for letter in _one_of_each(post.letters):
        for _ in range(12):
            client = list(CLIENTS)[next(turn) % len(CLIENTS)]
            if client != "wrapped, rest bare":
                check(letter, client, "top", SAID[1], is_on_file=False)


@pytest.mark.sweep
@pytest.mark.parametrize("client", CLIENTS)
def test_every_letter_in_every_client(post: Post, client: str) -> None:
    """All letters, all places, all that may be written."""
    for letter in post.letters:
        for place in PLACES:
            for new in (*SAID, shown(letter)):
                check(letter, client, place, new)


@pytest.mark.sweep
@pytest.mark.timeout(200)
def test_every_letter_of_a_whole_game(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The demonstration's letters, by turns in each client and place."""
    root = tmp_path_factory.mktemp("demo") / "arena"
    told: list[str] = []
    assert play(root, "ember", told.append)
    turn, kinds = count(), set()
    for path in sorted(root.glob("games/*/post/out/*.eml")):
        kind = path.name.split(".")[2]
        letter = Posted(kind, False, "\n".join(read(path.read_bytes()).body) + "\n")
        kinds.add(kind)
        for new in (*SAID, shown(letter)):
            for _ in range(5):
                at = next(turn)
                check(letter, list(CLIENTS)[at % len(CLIENTS)], PLACES[at // len(CLIENTS) % 3], new)
    assert len(kinds) > 6


def test_a_filled_form_line_counts_and_an_empty_one_does_not(post: Post) -> None:
    """In every client, whether it marks what it quotes or not."""
    letter = next(letter for letter in post.letters if "\n~ attack ____ ____\n" in letter.text)
    for client, write in CLIENTS.items():
        pieces = composed("form", "letter", ["attack Cuttlefish 23"], letter.text.rstrip("\n").split("\n"))
        found = [line.text for line in newly(read(write(pieces)), [letter.text])]
        assert [line.lower() for line in found if line] == ["attack cuttlefish 23"], client


def _lines(letters: Sequence[Posted]) -> Iterator[str]:
    """Yield each line that may count, once."""
    texts = (letter.text.split("\n") for letter in letters)
    kept = (["" if line.strip().startswith(NEVER) else line for line in text] for text in texts)
    yield from {line for text in kept for line in as_read(text)}


@pytest.mark.parametrize("share", shares(16))
def test_no_line_of_ours_is_an_order(post: Post, share: int) -> None:
    """
    Were every other defence to fail: a line that stands in a letter to a player is no order in any phase.

    In each phase other lines, one in sixteen; a sweep tries them all.
    """
    lines = sorted(_lines([letter for letter in post.letters if not letter.is_moderators]))
    assert len(lines) > 500
    for number, table in enumerate(post.tables):
        for line in lines[number % share :: share]:
            parsed = table.ruleset.parse(table.state, next(iter(table.seats)), [OrderLine(1, line)])
            assert not parsed.orders, (table.title, line)
            assert not player_lines.REQUEST.match(line) or " " in line, line


def test_no_line_of_ours_is_a_ruling(post: Post) -> None:
    """Nor is a line in a letter to the moderator anything that the moderator could rule."""
    lines = list(_lines([letter for letter in post.letters if letter.is_moderators]))
    assert len(lines) > 100
    for table in post.tables:
        for line in lines:
            assert isinstance(moderator_lines.read(table, OrderLine(1, line)), Complaint), (table.title, line)
            assert not moderator_lines.request(table, line), line


def test_every_line_of_ours_is_narrow(post: Post) -> None:
    """Over 60 columns a client would wrap it, and the rest would stand there without its mark."""
    assert [line for letter in post.letters for line in letter.text.split("\n") if len(line) > 60] == []
