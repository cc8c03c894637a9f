"""What a round's sentences come to by their weighty words: offered, never taken, and never another set than was said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Parsed
from pbem.language.gist import gist
from pbem.language.parses import Language, Meaning
from pbem.language.tokens import cut
from pbem.language.weighing import WORDS
from pbem.language.words import COMMON, TALK
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.language.rounds import language
from pbem.rulesets.rumble.model.order import Attack, Defend
from pbem.rulesets.rumble.model.state import State
from tests.depth import shares
from tests.rulesets import gist_lists
from tests.rulesets.rumble_scene import lay
from tests.rulesets.sets_of_cases import DICE

NAMES = {"ada": "Captain Anvil", "bo": "Doctor Cuttlefish", "cy": "Mantisman", "di": "Breeze", "ed": "Bolt"}
STATE: State = lay([f"{seat}: {name} {80 if seat == 'ada' else 100}" for seat, name in NAMES.items()], {}, DICE)
ROUND: Language = language(STATE, "ada")
COARSE: Language = ROUND.gist  # type: ignore[assignment]
LISTS = gist_lists.read("gist_of_rounds.toml")
MISREAD = gist_lists.read("gist_misread.toml")["mail"]
FOES = {seat: name for seat, name in NAMES.items() if seat != "ada"}
FILLERS = sorted(
    word
    for word in TALK.single("ENGLISH")
    if word.isalpha() and len(word) > 2 and word not in COARSE.known | COMMON.known | ROUND.known | WORDS.known
)
"""Words of talk that weigh nothing."""


def meant(text: str) -> tuple[Meaning, ...] | None:
    """Return the gist of a sentence."""
    return gist(ROUND, cut(text, ROUND.names))


def heard(text: str) -> Parsed[Any]:
    """Read a mail."""
    return heard_lines(gist_lists.lines_of(text))


def heard_lines(lines: Any) -> Parsed[Any]:
    """Read a mail by its lines."""
    return ROUNDS.hear(STATE, "ada", lines)


def written(orders: Any) -> list[str]:
    """Return orders as lines, sorted, without what is left idle, or put nowhere: `defend 0`."""
    lines = RULESET.format(STATE, orders)
    return sorted(line.removeprefix("also ") for line in lines if not line.startswith("idle") and line != "defend 0")


BLOWS = st.tuples(st.sampled_from(sorted(FOES)), st.integers(2, 40)).map(lambda one: Attack(*one))
PARTS = st.lists(BLOWS, min_size=1, max_size=3, unique_by=lambda one: one.on)
FORMS = ("attack {who} {n}", "hit {who} {n}", "{n} attack {who}", "attack {n} {who}", "{who} attack {n}")
SHIELDS = ("defend {n}", "{n} defence", "shield {n}", "protect me {n}", "{n} myself")


@st.composite
def sentences(draw: Any) -> tuple[list[str], tuple[Meaning, ...]]:
    """Return pieces of a sentence between which any word of talk may stand, and what it orders."""
    pieces, orders = list[str](), list[Meaning]()
    for blow in draw(PARTS):
        name = draw(st.sampled_from((FOES[blow.on], FOES[blow.on].split()[-1].lower())))
        form = draw(st.sampled_from(FORMS))
        pieces += [
            *(piece.format(who=name, n=blow.amount) for piece in form.split()),
            draw(st.sampled_from((",", "and"))),
        ]
        orders.append(blow)
    amount = draw(st.integers(2, 40))
    pieces += [piece.format(n=amount) for piece in draw(st.sampled_from(SHIELDS)).split()]
    return pieces, (*orders, Defend(amount))


def with_fillers(pieces: list[str], fillers: list[str]) -> str:
    """Put words of talk between the pieces."""
    return " ".join(word for piece, filler in zip(pieces, fillers, strict=False) for word in (filler, piece) if word)


@given(sentences(), st.lists(st.sampled_from(["", "", *FILLERS]), min_size=30, max_size=30))
def test_words_of_talk_change_no_gist(sentence: tuple[list[str], tuple[Meaning, ...]], fillers: list[str]) -> None:
    """Wherever they stand, the sentence comes to what it orders, or to nothing that is shown."""
    pieces, orders = sentence
    assert meant(" ".join(pieces)) == orders
    assert meant(with_fillers(pieces, fillers)) in (orders, None)


HINDERING = sorted(
    " ".join(phrase)
    for classes, kinds in (
        (WORDS, ("HINDERS", "BOUNDS", "HOPES", "TELLS")),
        (COMMON, ("LIMIT", "CHOICE", "SAYS", "TOLD", "BYGONE", "CORRECTS")),
    )
    for kind in kinds
    for phrase in classes.classes[kind]
    if phrase != ("should",)  # which binds at the head of a clause alone
    and not any(" ".join(phrase) in (" ".join(one) for one in COARSE.words.classes[name]) for name in ("BUT", "LIGHT"))
)


@given(sentences(), st.sampled_from(HINDERING), st.integers(0, 30))
def test_no_gist_has_a_word_that_turns_binds_or_tells(
    sentence: tuple[list[str], tuple[Meaning, ...]], word: str, at: int
) -> None:
    """What was meant may be the contrary: nothing is shown, wherever it stands."""
    pieces, orders = sentence
    text = " ".join([*pieces[:at], word, *pieces[at:]])
    assert meant(text) is None or word.split(maxsplit=1)[0] in COARSE.words.single("BUT"), text
    assert meant(text) != orders or word.split(maxsplit=1)[0] not in COMMON.single("LIMIT"), text


@given(sentences(), st.integers(41, 99), st.integers(0, 30))
def test_each_number_and_each_name_has_its_place_in_a_gist(
    sentence: tuple[list[str], tuple[Meaning, ...]], number: int, at: int
) -> None:
    """One more of them than the orders have is never left out in silence."""
    pieces, orders = sentence
    for more in (str(number), "Bolt", "not"):
        found = meant(" ".join([*pieces[:at], more, *pieces[at:]]))
        assert found != orders or more == "not", (pieces, more, at)


def test_no_defence_leaves_what_is_over_idle() -> None:
    """Else it would go into Defence, which the sentence says it shall not. Rule: A1."""
    for text in ("I whack Bolt on the nose with 20, no defence this time", "20 bonks on Bolt, 0 on defence"):
        assert set(RULESET.format(STATE, heard(text).offered)) == {"attack Bolt 20", "defend 0"}, text


def test_a_number_of_ten_thousand_digits_is_no_more_than_a_complaint() -> None:
    """Wherever it stands."""
    for text in ("attack Bolt with {} please do", "round {} and I whack Bolt", "{} bonks go on Bolt"):
        found = heard(text.format("1" * 10_000))
        assert not found.orders
        assert not found.offered


def test_a_no_right_behind_keeps_orders_from_being_offered() -> None:
    """In a sentence of its own."""
    for no in ("Actually no, don't.", "Not.", "But I will not."):
        assert not heard(f"My hero whacks Bolt on the nose with 20. {no}").offered, no


@pytest.mark.parametrize(
    "talk",
    [
        "I see that Mantisman has only 40 left", "bolt has like 55", "I was going to go all in on Bolt",
        "I'd have gone for the Doctor as well", "Breeze is on 90 and grinning",
    ],
)  # fmt: skip
def test_what_tells_how_others_stand_or_what_was_planned_keeps_nothing_from_being_offered(talk: str) -> None:
    """It orders nothing itself, and bounds nothing beside it."""
    assert not heard(talk).offered
    assert not heard(talk).orders
    offered = written(heard(f"{talk}.\nMy hero whacks Bolt on the nose with 20").offered)
    assert offered == ["attack Bolt 20"]


@pytest.mark.parametrize(
    "text",
    [
        "Bolt has 60", "see you at 8, Breeze", "Mantisman hit me for 12", "Breeze attacks with 20", "Bolt is 9 years old",
        "is defend 40 a good idea?", "does attack Bolt 20 cost more?", "I would defend 40 if I were you",
        "attack Bolt 20 or 30", "attack Bolt 20, should Breeze attack me", "Bolt defended with 40 last round", "bolt you have 80 left", "all the best, Breeze",
    ],
)  # fmt: skip
def test_what_only_speaks_of_the_game_comes_to_nothing(text: str) -> None:
    """Talk of others' numbers, questions about rules, advice."""
    found = heard(text)
    assert not found.orders and not found.offered


@pytest.mark.parametrize("share", shares(4))
@pytest.mark.parametrize(("kind", "least", "wrong"), [("phrase", 325, 0), ("mail", 150, 2), ("talk", 0, 1)])
def test_the_lists_of_others(kind: str, least: int, wrong: int, share: int) -> None:
    """
    Most is right at once or behind one yes; nothing is taken that was not meant, and hardly anything is offered so.

    Of a quarter of them; a sweep tries them all.
    """
    clear = [item for item in LISTS[kind] if not item.get("ask")]
    came = gist_lists.counted(clear[::share], heard_lines, written)
    assert not came["wrong"]
    assert came["right"] + came["behind a yes"] >= least / share - 2
    assert came["offered wrong"] <= -(-wrong // share)


@pytest.mark.parametrize("mail", MISREAD, ids=lambda mail: str(mail["cause"])[:40])
def test_nothing_is_made_of_what_is_written_to_be_misheard(mail: dict[str, str]) -> None:
    """Negations, conditions, tellings, corrections, others' deeds: nothing is taken at once, and nothing offered."""
    found = heard(mail["text"])
    assert not found.offered
    assert not found.orders or found.complaints or found.doubts
