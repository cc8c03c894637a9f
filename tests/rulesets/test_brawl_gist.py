"""What a round of a brawl comes to by its weighty words: offered, never taken, and never other orders than were said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.language.gist import gist
from pbem.language.parses import Meaning
from pbem.language.tokens import cut
from pbem.language.words import COMMON, TALK
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.rulesets.brawl.order import Attack, Defend, Delay, Drop
from tests.rulesets import gist_lists
from tests.rulesets.brawl_scene import lay
from tests.rulesets.sets_of_cases import DICE

NAMES = {"bud": "Bud", "hook": "Doctor Hook", "pg": "Plastiquegirl"}
SCENE = (
    *(f"{seat}: {name} ba 7 bd 8 e 20 h 10 dice 6 4 5" for seat, name in NAMES.items()),
    "maria: Maria ba 7 bd 8 e 20 h 10 dice 6 4 3 5",
)
STATE = lay(SCENE, {"game": "pub"}, DICE)
ROUND = ROUNDS.language(STATE, "maria")
LISTS = gist_lists.read("gist_of_brawl.toml")
COARSE = ROUND.gist.words.known if ROUND.gist else frozenset()
FILLERS = sorted(
    word
    for word in TALK.single("ENGLISH")
    if word.isalpha() and len(word) > 2 and word not in COARSE | COMMON.known | ROUND.known
)
"""Words of talk that weigh nothing."""
ACTIONS = ("advantage", "maneuver", "regain")
HINDERING = sorted({" ".join(one) for kind in ("CHOICE", "SAYS", "CORRECTS") for one in COMMON.classes[kind]})
FORMS: dict[str, tuple[str, ...]] = {
    "attack": ("hit {who} with {x} , {y} damage", "{x} on {who} , {y} for damage", "{y} damage , {x} attack on {who}"),
    "defend": ("block with {x}", "{x} for defence", "guard me with {x}"),
    "delay": ("save {x} for defence next round", "delay {x} defending"),
    "drop": ("drop {x} {action}", "{x} for {action}", "{action} with {x}"),
}


def meant(text: str) -> tuple[Meaning, ...] | None:
    """Return the gist of a sentence."""
    return gist(ROUND, cut(text, ROUND.names))


def heard(lines: Any) -> Any:
    """Read a mail."""
    return ROUNDS.hear(STATE, "maria", lines)


def written(orders: Any) -> list[str]:
    """Return orders as lines, sorted."""
    return sorted(RULESET.format(STATE, orders))


@st.composite
def sentences(draw: Any) -> tuple[list[str], tuple[Meaning, ...]]:
    """Return pieces of a sentence between which any word of talk may stand, and what it orders."""
    dice = [*draw(st.permutations(["b", "c", "d", "my_six"]))]
    pieces, orders = list[str](), list[Meaning]()
    for kind in draw(st.lists(st.sampled_from([*FORMS]), min_size=1, max_size=2)):
        x, y, who, action = dice.pop(), dice[-1], draw(st.sampled_from([*NAMES])), draw(st.sampled_from(ACTIONS))
        die, other = ("a" if one == "my_six" else one for one in (x, y))
        if kind == "attack":
            dice.pop()
        form = draw(st.sampled_from(FORMS[kind])).format(x=x, y=y, who=NAMES[who], action=action)
        made: dict[str, Meaning] = {
            "attack": Attack(who, (die,), (other,)),
            "defend": Defend((die,)),
            "delay": Delay(die, "defense"),
            "drop": Drop(die, action),
        }
        pieces += [*form.replace("Doctor Hook", "Doctor_Hook").split(), "and"]
        orders.append(made[kind])
    return [piece.replace("_", " ") for piece in pieces[:-1]], tuple(orders)


@given(sentences(), st.lists(st.sampled_from(["", "", *FILLERS]), min_size=40, max_size=40))
def test_words_of_talk_change_no_gist(sentence: tuple[list[str], tuple[Meaning, ...]], fillers: list[str]) -> None:
    """Wherever they stand, the sentence comes to what it orders, or to nothing that is shown."""
    pieces, orders = sentence
    assert meant(" ".join(pieces)) == orders
    said = [word for piece, filler in zip(pieces, fillers, strict=False) for word in (filler, piece) if word]
    assert meant(" ".join(said)) in (orders, None)


@given(sentences(), st.sampled_from([*HINDERING, "c", "Doctor Hook", "no", "cancel", "him"]), st.integers(0, 20))
def test_what_more_weighs_is_never_left_out(
    sentence: tuple[list[str], tuple[Meaning, ...]], more: str, at: int
) -> None:
    """One more die or name than the orders have, or a word that turns, tells or leaves a choice."""
    pieces, orders = sentence
    found = meant(" ".join([*pieces[:at], more, *pieces[at:]]))
    assert found != orders or (more == "him" and not any(name in " ".join(pieces) for name in NAMES.values()))


@pytest.mark.parametrize(
    "text",
    [
        "Bud attacks with a, b for damage", "his a hits me, b damage", "should I defend with c?", "is b any good on Bud?",
        "Bud hit me with a 6 last round", "block with c unless Bud goes down", "defend with c from Zoe or Bud",
        "I would defend with c if I were you", "hit Bud with a, no wait, b, c damage", "attack Zoe with a damage b",
        "we clobbered Bud with my 6, b for damage", "my hero guarded with c against Bud mate",
        "if Bud does not attack me, defend with c", "defend with see", "d is not for drinking",
    ],
)  # fmt: skip
def test_what_tells_asks_or_binds_comes_to_nothing(text: str) -> None:
    """Others' deeds, questions, what was, conditions that have no shape, names and dice that nobody has."""
    found = heard(gist_lists.lines_of(text))
    assert not found.offered
    assert not found.orders or found.complaints or found.doubts


@pytest.mark.parametrize(("kind", "least"), [("phrase", 85), ("mail", 12), ("talk", 0)])
def test_the_lists_of_others(kind: str, least: int) -> None:
    """Of what is clear most is right at once or behind one yes; nothing wrong is taken, or offered."""
    came = gist_lists.counted(LISTS[kind], heard, written)
    assert came["right"] + came["behind a yes"] >= least
    assert not came["wrong"]
    assert not came["offered wrong"]
