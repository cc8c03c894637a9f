"""The page for authors of games is true: what it shows stands in the game outside, and what it names is there."""

import re
from pathlib import Path

import pytest

from pbem import testing
from pbem.hall.store.catalogue import PARTS
from pbem.ruleset import Ruleset

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "writing-a-game.md").read_text(encoding="utf-8")
OUTSIDE = ROOT / "tests" / "outside"


@pytest.mark.parametrize("shown", re.findall(r"```(?:python)?\n(.*?)```", PAGE, re.DOTALL))
def test_what_it_shows_stands_in_the_game(shown: str) -> None:
    """Each block is a part of a file, as it is there."""
    files = [path for path in OUTSIDE.rglob("*") if path.suffix in (".py", ".case", ".shapes")]
    assert [path for path in files if shown in path.read_text(encoding="utf-8")]


def test_every_file_that_it_names_is_there() -> None:
    """Links lead somewhere, and so do the places in Eight Coves."""
    links = re.findall(r"\]\((.+?)\)", PAGE)
    assert links and [link for link in links if not (ROOT / "docs" / link).exists()] == []
    places = re.findall(r"`((?:src|cases|games|tests)/[\w./]*)[^`]*`", PAGE)
    assert (
        places and [place for place in places if not (OUTSIDE / place).exists() and not (ROOT / place).exists()] == []
    )


def test_every_member_that_it_names_is_one() -> None:
    """The first column of its tables of members, the seven templates, and what is to inherit from."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", PAGE, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert len(named) > 15
    assert [name for name in named if name not in {*vars(Ruleset), *Ruleset.__annotations__}] == []
    assert [part for part in PARTS if f"`{part}`" not in PAGE] == []
    assert [name for name in testing.__all__ if f"`{name}`" not in PAGE and name != "Casebook"] == []
