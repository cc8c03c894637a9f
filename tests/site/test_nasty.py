"""Law: pages are made whatever people wrote, wherever it stands: what must not be shown is taken out, nothing refused."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from pbem.ground.terms import GameName
from pbem.hall.site import build, told
from pbem.hall.site.guard import ADDRESS, Guard
from pbem.hall.store.arena import Arena
from tests.depth import some
from tests.letters.nasty import NASTY
from tests.site.pages import arena_of_specimens, opened

GAME = GameName("brawl-1")
ADDRESSES = (
    'he said "ada@"', "x@&", "x@&amp", "ada@'s", "@", "a@b", "ada@example.org", "<ada@example.org>", 'ada@"example.org"',
    "&#64;", "ada&#64;example.org", "ada@&#34;", "x@;", "x@#", "p-0123456789", "p-", "mail me @home", "a@\u00e9", "(a@b)",
    "@@@", "a@@b", "ada @ example.org", "k3x9q2w8e7r6t5z4", "<script>alert(1)</script>", "&lt;", "]]>", "<!--",
)  # fmt: skip


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena with one game that is over."""
    made = opened(arena_of_specimens(tmp_path_factory.mktemp("nasty") / "arena", GAME))
    yield made
    made.close()


def wrong(arena: Arena, text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make the pages of a game in which a text stands before and behind all that is shown; say what is wrong."""
    maker = build.Maker(arena)
    game = told.read(arena.shelf, ("games", GAME), arena.rulesets, arena.seed(GAME), maker.words, {})
    whole = Guard.text

    def everywhere(self: Guard, value: object) -> object:
        return whole(self, f"{text}{value}{text}" if type(value) is str and " " in value else value)

    monkeypatch.setattr(Guard, "text", everywhere)
    pages = dict(maker.pages.of_game(game))
    assert len(pages) > 5
    found = [fault for path, page in pages.items() if (fault := maker.guard.fault(path, page))]
    texts = [path for path, page in pages.items() if path.endswith(".txt") and re.search(r"<[A-Za-z/!]", page)]
    return [*found, *texts]


@pytest.mark.parametrize("text", some(3, ADDRESSES[:6]))
def test_pages_are_made_whatever_stands_everywhere(arena: Arena, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of the strings; no page is refused, and a text is HTML for nobody."""
    assert not wrong(arena, text, monkeypatch)


@pytest.mark.sweep
@pytest.mark.parametrize("text", [*ADDRESSES, *(one for one in NASTY if len(one) < 400 and one.isprintable())])
def test_pages_are_made_whatever_stands_there(arena: Arena, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them."""
    assert not wrong(arena, text, monkeypatch)


@given(st.text(st.sampled_from("@\"&<>;#x.a (),'\u00e9-p0123456789"), max_size=30))
def test_what_is_cleaned_is_looked_through_as_the_same_text(text: str) -> None:
    """What was taken out of a text is found in no page that shows it, and an address is never left there."""
    guard = Guard()
    shown = str(guard.text(text))
    assert not guard.fault("page", f"<p>{escape(shown)}</p>")
    assert not ADDRESS.search(shown)


def test_an_address_that_is_written_with_marks_of_html_is_found() -> None:
    """A page is looked at as a browser reads it."""
    assert "an address" in Guard().fault("page", "<p>ada&#64;example.org</p>")
