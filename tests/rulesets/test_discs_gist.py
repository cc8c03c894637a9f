"""What a list comes to by its weighty words: offered, never taken, and never other lines than were said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Seat
from pbem.language.gist import gist
from pbem.language.tokens import cut
from pbem.language.words import COMMON, TALK
from pbem.rulesets.discs import RULESET
from pbem.rulesets.discs.language.reading import LISTS as READER
from tests.rulesets import gist_lists

NAMES = {Seat("ada"): "Ada", Seat("bud"): "Bud", Seat("hook"): "Doctor Hook", Seat("pg"): "Plastiquegirl"}
STATE = RULESET.setup(NAMES, {}, Dice(bytes([1]) + bytes(31)))
LIST = READER.language(STATE, "ada")
LISTS = gist_lists.read("gist_of_discs.toml")
COARSE = LIST.gist.words.known if LIST.gist else frozenset()
FILLERS = sorted(
    word
    for word in TALK.single("ENGLISH")
    if word.isalpha() and len(word) > 2 and word not in COARSE | COMMON.known | LIST.known
)
"""Words of talk that weigh nothing."""
HINDERING = sorted({" ".join(one) for kind in ("SAYS", "CORRECTS", "LIMIT") for one in COMMON.classes[kind]})
SAID = {
    "throw disc at {who}": "throw at {who}", "card 2 fling it at {who}": "card 2: throw at {who}",
    "attack {who}": "attack {who}", "run away from {who}": "move from {who}", "walk to F4": "move to F4",
    "if {who} within 12 attack him": "if {who} within 12: attack {who}", "dodge all discs": "on disc: dodge",
    "stand up if prone": "if I am prone: stand", "recall disc when far away": "recall: when away",
}  # fmt: skip
"""What may be said, and the line that it is."""


def meant(text: str) -> list[str] | None:
    """Return the gist of a sentence as lines, None for nothing."""
    found = gist(LIST, cut(text, LIST.names))
    if found is None:
        return None
    orders = [READER.order(STATE, "ada", one) for one in found]
    return written(orders) if all(hasattr(order, "at") for order in orders) else None


def heard(lines: Any) -> Any:
    """Read a mail."""
    return READER.hear(STATE, "ada", lines)


def written(orders: Any) -> list[str]:
    """Return lines, sorted."""
    return sorted(RULESET.format(STATE, orders))


@given(
    st.sampled_from([*SAID]),
    st.sampled_from([name for name in NAMES.values() if name != "Ada"]),
    st.lists(st.sampled_from(["", "", *FILLERS]), min_size=12, max_size=12),
)
def test_words_of_talk_change_no_gist(said: str, who: str, fillers: list[str]) -> None:
    """Wherever they stand, the sentence comes to what it orders, or to nothing that is shown."""
    pieces = [piece.format(who=who) for piece in said.split()]
    line = [SAID[said].format(who=who)]
    assert meant(" ".join(pieces)) == line
    words = [word for piece, filler in zip(pieces, fillers, strict=False) for word in (filler, piece) if word]
    assert meant(" ".join(words)) in (line, None)


@given(
    st.sampled_from([*SAID]),
    st.sampled_from([*HINDERING, "F4", "Bud", "no", "off the wall", "Bud's", "throw"]),
    st.integers(0, 8),
)
def test_what_more_weighs_is_never_left_out(said: str, more: str, at: int) -> None:
    """One more place, name or deed than the line has, or a word that turns, tells or leaves a choice."""
    pieces = said.format(who="Doctor_Hook").split()
    text = " ".join([*pieces[:at], more, *pieces[at:]]).replace("_", " ")
    is_condition = COMMON.any_in("LIMIT", [more]) and more in COARSE
    assert meant(text) != [SAID[said].format(who="Doctor Hook")] or is_condition, text


@pytest.mark.parametrize(
    "text",
    [
        "Bud throws at me", "his disc hits Bud", "should I throw at Bud?", "Bud attacked Doctor Hook last round",
        "attack Bud unless he is prone", "if Bud is not within 12, attack him", "throw from Bud", "throw at Bo and Zoe",
        "attack Bud if he is not too far away", "fling it at Bud's disc maybe", "I would throw at Bud if I were you",
        "on disc of Zoe: block", "throw at Bud, no wait, at Doctor Hook",
    ],
)  # fmt: skip
def test_what_tells_asks_or_binds_comes_to_nothing(text: str) -> None:
    """Others' deeds, questions, what was, conditions that have no shape, names that nobody has."""
    found = heard(gist_lists.lines_of(text))
    assert not found.offered
    assert not found.orders or found.complaints or found.doubts


@pytest.mark.parametrize(("kind", "least", "wrong"), [("phrase", 72, 1), ("mail", 5, 0), ("talk", 0, 1)])
def test_the_lists_of_others(kind: str, least: int, wrong: int) -> None:
    """Much of what is clear is right at once or behind one yes; nothing wrong is taken, and hardly anything offered."""
    came = gist_lists.counted(LISTS[kind], heard, written)
    assert came["right"] + came["behind a yes"] >= least
    assert not came["wrong"]
    assert came["offered wrong"] <= wrong
