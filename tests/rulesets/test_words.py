"""Words that people say for orders hide none that a ruleset, a request or a ruling has; in all games and genres."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pbem.rulesets
from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.language import phrases
from pbem.rulesets import brawl, rumble
from pbem.rulesets.brawl.language import words as brawl_words
from pbem.rulesets.brawl.round import ruled
from pbem.rulesets.discs.game import Discs
from pbem.rulesets.discs.language.words import WORDS as DISCS_WORDS
from pbem.rulesets.rumble.auction import inventing
from pbem.rulesets.rumble.effects import do_lines
from pbem.rulesets.rumble.genres import NEUTRAL, Genre, genres_known
from pbem.rulesets.rumble.language.words import WORDS, words_of
from pbem.table import requests, rulings
from pbem.table.model import seating
from tests.depth import shares

NAMES = {Seat("ada"): "Mantisman", Seat("bob"): "Bob", Seat("cy"): "Cy"}
DICE = Dice(bytes([1]) + bytes(31))
REQUESTS = {words for kind in requests.KINDS for words in (kind.word(), *kind.also)}
RULINGS = {kind.verb() for kind in rulings.KINDS if not kind.is_talk}
RUMBLE_EFFECTS = tuple(re.split(r", (?=[a-z])", do_lines.KNOWN))
KIND = {"ok", "okay"}
"""Words that answer a request by themselves, and mean nothing before an order."""
EFFECTS = {"brawl": set(ruled.VERBS), "discs": set(), "rumble": {re.split(r"\W", one)[0] for one in RUMBLE_EFFECTS}}
OWN = {
    "brawl": set(),
    "discs": {"strike", "hold", "wait", "begin", "for"},
    "rumble": {"hold", "order", "use", "give", "discard", "attack", "defence"},
}
"""Words of a ruleset's own forms that a request, a ruling or an effect has too: who writes, and where, tells which."""
OWN_OF_GENRE = {"spaceship": {"shield"}}
"""The same of words of genres; an effect is read before the genre's words, as the last test but one holds."""
TAILS = (
    "", "Bob", "at Bob", "it", "now", "20", "Bob 20", "20 on Bob", "to Bob", "2", "me 20", "with a", "c", "Bob with a",
    "Bob with a damage b", "F4", "to F4", "the card", "north", "1: hold", "Bob: pass", "a for attack", "me",
)  # fmt: skip


def rumble_round(genre: str) -> Any:
    """Return a round of a genre."""
    state = rumble.RULESET.setup(NAMES, {"powers": "none", "genre": genre}, DICE)
    return msgspec.structs.replace(state, phase="round")


TABLES: dict[str, tuple[str, Any, Any]] = {
    "brawl": ("brawl", brawl.RULESET, brawl.RULESET.setup(NAMES, {"game": "pub"}, DICE)),
    "discs": ("discs", Discs(), Discs().setup(NAMES, {}, DICE)),
    **{genre: ("rumble", rumble.RULESET, rumble_round(genre)) for genre in genres_known()},
}


NOT_IN_THE_RULES = (
    "get up",
    "stand up",
    "do nothing",
    "keep",
    "skip",
    "strike",
    "nothing",
    "ask",
    "resign",
    "unsigned",
)
"""Words that are taken for orders, though the rules have others."""


def rules(name: str) -> str:
    """Return the rules of a game."""
    return (Path(pbem.rulesets.__file__).parent / name / "RULES.md").read_text()


NEUTRAL_VERBS = (
    "ATTACK",
    "DEFEND",
    "USE",
    "HOLD",
    "PLAN",
    "PRECOG",
    "BLOCK",
    "DISCARD",
    "IDLE",
    "MOVE",
    "NEVER",
    "NAME",
)
"""The classes of words with which lines of a round begin."""


def genre_words(genre: Genre) -> set[str]:
    """Return the first words of all that a genre has for orders."""
    return {words.split()[0] for words in genre.order_words}


DROPPING = (
    "COUNTER", "ADVANTAGE", "MANEUVER", "REGAIN", "COOP", "GIVE", "MOVE", "CHARGE", "BIND", "PICKUP", "DRINK",
)  # fmt: skip
"""The classes of words for what dice are dropped for; `help` is none, which a die has to stand before."""
SAID: dict[str, Collection[str]] = {
    "brawl": {word for kind in ("ATTACK", "DEFEND", "DELAY", *DROPPING) for word in brawl_words.WORDS.firsts(kind)},
    "discs": {word for kind in ("THROW", "MOVE", "ATTACK", "HIT", "BANK", "HOLD") for word in DISCS_WORDS.firsts(kind)}
    - OWN["discs"],
    **{
        name: {word for kind in ("ATTACK", "DEFEND", "USE") for word in words_of(genre).firsts(kind)}
        | genre_words(genre)
        for name, genre in genres_known().items()
    },
}


@pytest.mark.parametrize("name", TABLES)
def test_no_synonym_is_a_word_of_a_request_a_ruling_or_an_effect(name: str) -> None:
    """Nor one that the ruleset has for something else."""
    kind, _, _ = TABLES[name]
    said = set(SAID[name])
    assert not said & REQUESTS
    assert not said & RULINGS
    assert not said & EFFECTS[kind] - OWN[kind] - OWN_OF_GENRE.get(name, set())


@pytest.mark.parametrize("share", shares(len(TAILS)))
@pytest.mark.parametrize("name", TABLES)
def test_no_line_with_such_a_word_is_read_as_an_order_in_other_words(name: str, share: int) -> None:
    """
    Whatever stands behind it; a slip of the fingers is none where the word is known.

    Each word with one thing that may stand there, another in each game and genre, or a few where the words are the
    game's own; a sweep tries them all.
    """
    share = min(share, 11) if name in ("brawl", "discs", "superhero") else share
    kind, ruleset, state = TABLES[name]
    words = sorted((REQUESTS | RULINGS | EFFECTS[kind]) - OWN[kind] - OWN_OF_GENRE.get(name, set()))
    for place, word in enumerate(words, list(TABLES).index(name)):
        for tail in TAILS[place % share :: share] if word not in KIND else ("",):
            line = f"{word} {tail}".strip()
            assert ruleset.parse(state, Seat("ada"), [OrderLine(1, line)]).orders == (), line


@pytest.mark.parametrize("name", TABLES)
def test_no_words_to_players_are_read_as_an_order(name: str) -> None:
    """Where a moderator who plays says something to somebody, in whatever role they write."""
    _, ruleset, state = TABLES[name]
    for line in ("now", "to all: hello", "to Bob: hello", "to Bob: I hold 20 for you", "to Bob and Cy: attack at nine"):
        assert ruleset.parse(state, Seat("ada"), [OrderLine(1, line)]).orders == (), line


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table[0] == "rumble"])
def test_rulings_are_read_in_each_genre_as_in_the_neutral_words(name: str) -> None:
    """Effects as the handbook lists them, the word of a genre among them."""
    _, ruleset, state = TABLES[name]
    neutral = TABLES["superhero"][2]
    for form in RUMBLE_EFFECTS:
        line = re.sub(r"\bNAME\b", "Bob", form, count=1).replace("NAME", "Cy")
        meant = ruleset.effect(neutral, line)
        assert not isinstance(meant, str) or ruleset.effect(state, line) == meant, line


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table[0] == "rumble"])
def test_no_word_of_a_genre_is_a_verb_of_the_neutral_language(name: str) -> None:
    """It would hide that verb in this genre."""
    genre = genres_known()[name]
    assert not genre_words(genre) & {WORDS.canonical(kind) for kind in NEUTRAL_VERBS} - genre_words(NEUTRAL)


@pytest.mark.parametrize("share", shares(16))
@pytest.mark.parametrize("table", TABLES)
def test_nobody_is_called_what_is_an_order_by_itself(table: str, share: int) -> None:
    """
    A letter has names on lines of their own, and such a line must not be an order where it is sent back.

    All words that are taken for orders, and a sixteenth of those in the rules, in each game and genre another; a
    sweep tries them all.
    """
    name, ruleset, state = TABLES[table]
    words = sorted({word for kind in OWN for word in re.findall(r"[a-z]{2,}", rules(kind).lower())})
    tried = {"pass", *NOT_IN_THE_RULES, *words[list(TABLES).index(table) % share :: share]}
    found = {word for word in tried if ruleset.parse(state, Seat("ada"), [OrderLine(1, word)]).orders}
    assert "pass" in found or name == "rumble"
    assert {seating.slug(word) for word in found} <= seating.RESERVED | ruleset.reserved


BEHIND = ("At", "To", "Me", "North", "Bo", "Over", "It", "A", "Now", "Cat", "X", "On", "Up")


@pytest.mark.parametrize("share", shares(53))
@pytest.mark.parametrize("table", TABLES)
def test_nobody_is_called_what_begins_like_an_order_and_is_one(table: str, share: int) -> None:
    """
    Where somebody of that name plays, the name on a line of its own is none; or nobody can take it.

    One word in four with something that may stand behind it, in each game and genre others; a sweep tries them all.
    """
    name, ruleset, state = TABLES[table]
    barred, step = 0, 7 if share > 1 else 1  # which has no divisor in common with the share
    words = sorted({one.split()[0] for one in ruleset.reader(state).tables(state).telling})
    names = [f"{word.capitalize()} {behind}" for word in words for behind in BEHIND]
    for called in names[list(TABLES).index(table) * step % share :: share]:
        if seating._like_a_line(called, seating.RESERVED | ruleset.reserved, ruleset.openings):
            barred += 1
            continue
        seats = {**NAMES, Seat(seating.slug(called)): called}
        played = ruleset.setup(seats, {"game": "pub"} if name == "brawl" else {"powers": "none"}, DICE)
        if name == "rumble":
            played = msgspec.structs.replace(played, phase="round")
        for line in (called, f"{called}."):
            assert not ruleset.parse(played, Seat("ada"), [OrderLine(1, line)]).orders, line
    assert barred or name == "rumble"


PUT = (
    "20", "3", "twenty", "all", "half", "everything", "rest", "on", "at", "to", "for", "with", "gets", "hit", "Bob", "Cy",
)  # fmt: skip
DRESSES = ("{}", "{}.", "({})", '"{}"', "{}:", "*{}*", "- {}", "{},", "[{}]", "> {}", "{}!")


@pytest.mark.parametrize("table", TABLES)
@given(words=st.lists(st.sampled_from(PUT), min_size=1, max_size=4), dress=st.sampled_from(DRESSES))
@example(words=["20", "on", "Bob"], dress="{}.")
@example(words=["Cy", "all"], dress="({})")
def test_nobody_is_called_what_puts_an_amount_on_somebody(table: str, words: list[str], dress: str) -> None:
    """A name of amounts and others' names cannot be taken, or is no order on a line of its own, in whatever marks."""
    name, ruleset, _ = TABLES[table]
    called = " ".join(words).capitalize()
    if phrases.misleading(called) or seating._like_a_line(
        called, seating.RESERVED | ruleset.reserved, ruleset.openings
    ):
        return
    seats = {**NAMES, Seat(seating.slug(called)): called}
    played = ruleset.setup(seats, {"game": "pub"} if name == "brawl" else {"powers": "none"}, DICE)
    if name == "rumble":
        played = msgspec.structs.replace(played, phase="round")
    assert not ruleset.parse(played, Seat("ada"), [OrderLine(1, dress.format(called))]).orders


@pytest.mark.parametrize(
    "name", ["20 on Ada", "All on Bo", "Twenty against Cy", "half-to-Cy", "The rest on Bo", "3 Ada"]
)
def test_an_amount_on_somebody_is_nobodys_name(name: str) -> None:
    """It is none of a power either, since it would be an order still when its owner is called otherwise."""
    assert seating._like_a_line(name, seating.RESERVED, frozenset())
    made = inventing.invented([OrderLine(1, f"power {name}: +5 to your Defence.")])
    assert name == "3 Ada" or made.complaints
