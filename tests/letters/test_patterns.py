"""Law: what our own patterns look for, written without end in any place of a mail, makes no reading slower than long."""

import importlib
import pkgutil
import random
import re
import time
from collections.abc import Callable, Iterator
from itertools import islice
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import pbem.letters
from pbem.letters import authentication
from pbem.letters.reading import read
from tests.letters.clients import mail, part

LONG = 20_000
"""Characters of one run; the reported mail had as many."""
QUICK = 0.1
"""Seconds of processor time in which any mail of that size is read; what is quick enough has no need to be compared."""
HTML = "text/html"
PLACES: dict[str, Callable[[str], bytes]] = {
    "text": lambda run: mail(part(run)),
    "lines": lambda run: mail(part("\n".join(run[at : at + 60] for at in range(0, len(run), 60)))),
    "quotation": lambda run: mail(part(f"hello\n> {run}")),
    "html": lambda run: mail(part(f"<p>{run}</p>", HTML)),
    "style sheet": lambda run: mail(part(f"<html><head><style>{run}</style></head><body>hello</body></html>", HTML)),
    "rule": lambda run: mail(part(f"<style>.a{{{run}}} {run}{{color:red}}</style><p class=a>hello</p>", HTML)),
    "attribute": lambda run: mail(part(f'<p style="{run}" class="{run}" id="{run}">hello</p>', HTML)),
    "link": lambda run: mail(part(f'<a href="{run}">hello</a>', HTML)),
    "headers": lambda run: (
        b"Subject: " + run.encode("utf-8", "replace")[:LONG].replace(b"\n", b" ") + b"\n" + mail(part("hello"))
    ),
}


def patterns() -> Iterator[re.Pattern[str]]:
    """Yield all patterns of the room that reads mail."""
    for module in pkgutil.walk_packages(pbem.letters.__path__, "pbem.letters."):
        found = vars(importlib.import_module(module.name)).values()
        yield from (one for one in found if isinstance(one, re.Pattern) and isinstance(one.pattern, str))


def _letters(tree: Any) -> Iterator[str]:
    """Yield what the parts of a pattern look for: words that stand there, and one letter of each class."""
    word = ""
    for op, value in tree:
        if op is _constants.LITERAL:
            word += chr(value)
            continue
        if word:
            yield word
        word = ""
        if op is _constants.IN:
            kinds = (_constants.LITERAL, _constants.RANGE)
            named = (chr(one if kind is _constants.LITERAL else one[0]) for kind, one in value if kind in kinds)
            yield from islice(named, 3)
        elif op is _constants.BRANCH:
            yield from (letter for one in value[1] for letter in _letters(one))
        elif isinstance(value, tuple):
            yield from (letter for one in value if isinstance(one, _parser.SubPattern) for letter in _letters(one))
    if word:
        yield word


def looked_for() -> list[str]:
    """Return all that our patterns look for, each once, and what any class may hold."""
    found = {letter for one in patterns() for letter in _letters(_parser.parse(one.pattern, one.flags & ~re.DEBUG))}
    return sorted(
        {
            *(one for one in found if len(one) < 30 and not re.search("[\ud800-\udfff]", one)),
            "a",
            "1",
            " ",
            "\t",
            "_",
            "-",
            "\u00e9",
            ".",
            "a ",
        }
    )


def seconds(raw: bytes) -> float:
    """Return the processor time of a reading."""
    start = time.process_time()
    read(raw)
    return time.process_time() - start


def slow(runs: list[str]) -> list[tuple[str, str, float]]:
    """Return the runs of which a mail twice as long takes far more than twice as long, and the places where."""
    found = []
    for unit in runs:
        for place, made in PLACES.items():
            long, short = (made((unit * LONG)[:count]) for count in (LONG, LONG // 2))
            if seconds(long) < QUICK:
                continue
            ratio = min(seconds(long) for _ in range(3)) / max(1e-9, min(seconds(short) for _ in range(3)))
            if ratio > 2.8:
                found.append((unit, place, ratio))
    return found


def test_there_are_patterns_to_be_fed() -> None:
    """And they look for what they are known to look for."""
    assert len(list(patterns())) > 60
    assert {"display:none", "wrote", "{", "@", ":"} & set(looked_for())


@pytest.mark.timeout(300)
def test_no_letter_of_a_pattern_makes_a_mail_slow() -> None:
    """A share of them alone, in each place."""
    assert not slow(["a", " ", "{", "}", ".", "#", "<", "-", ":", *random.Random(1).sample(looked_for(), 12)])


@pytest.mark.parametrize("unit", ["a", "a=", "a=b ", "dkim=", "a.", "-", "(", ")", '"', "\\", ";", " "])
def test_no_letter_makes_what_servers_found_slow(unit: str) -> None:
    """Authentication-Results come from whoever sends a mail; 16 kB of one word took three seconds."""
    value = f"mx.example.org; dkim=pass {(unit * LONG)[:LONG]}"
    start = time.process_time()
    authentication.checked([value], ["mx.example.org"], "ada@example.org")
    authentication.domain_of([value], ["mx.example.org"])
    assert time.process_time() - start < 3 * QUICK


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_no_two_of_them_do() -> None:
    """All of them alone, and many pairs."""
    letters = looked_for()
    chance = random.Random(2)
    pairs = ["".join(chance.sample(letters, 2)) for _ in range(200)]
    assert not slow([*letters, *pairs])
