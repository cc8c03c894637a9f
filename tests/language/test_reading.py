"""What counts of a mail, by the policy, in a small game of its own."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.language import forms
from pbem.language.deciding import Said
from pbem.language.nouns import Names
from pbem.language.parses import Language, Meaning, Parses
from pbem.language.together import read
from pbem.language.tokens import cut
from pbem.language.words import COMMON
from tests.language.boats import SEA, Anchor, Dive, Dives, If, Throw, language
from tests.language.sentences_drawn import Drawing

BOATS = language(SEA)
VALUES = {"number": (0, 3, 20, 99), "boat": (*SEA,)}
ORDERS = st.one_of(
    st.builds(Throw, st.sampled_from([*SEA]), st.integers(0, 99)),
    st.builds(Dive, st.integers(0, 99)),
    st.builds(Anchor),
)


def said(text: str, names: Language = BOATS) -> tuple[Said, ...]:
    """Return what becomes of a mail."""
    return read(names, [OrderLine(number, line) for number, line in enumerate(text.split("\n"), 1)])


def verdicts(text: str) -> list[str]:
    """Return the verdicts on its sentences."""
    return [one.verdict for one in said(text)]


def whole(text: str, names: Language = BOATS, kind: str = "sentence") -> tuple[Meaning, ...]:
    """Return all meanings of a text."""
    return Parses(names, cut(text, names.names)).whole(kind)


@given(st.integers(0, 2**32))
def test_each_sentence_that_can_be_drawn_reads_as_its_meaning(seed: int) -> None:
    """Of the table: nothing that it can make reads as something else, or in two ways."""
    drawn = Drawing(BOATS, VALUES, Random(seed)).sentence("sentence")
    if drawn is not None:
        assert whole(drawn[0]) == (drawn[1],)


@given(ORDERS)
def test_what_we_write_reads_back_by_first_shapes_alone(order: Meaning) -> None:
    """No synonym can ever change what a journal says."""
    assert whole(forms.write(BOATS, order), BOATS.in_first_shapes, "order") == (order,)


def test_no_shape_is_no_guess() -> None:
    """What no shape says is not written."""
    with pytest.raises(forms.UnwritableError):
        forms.write(BOATS, Throw("nobody at sea", 3))


@given(
    st.sampled_from([*SEA]),
    st.sampled_from(["May", "Dec", "Bolt", "Mark 2", "Agent 47", "No", "Dive", "Twenty"]),
    st.integers(0, 99),
)
def test_any_name_can_be_thrown_at(key: str, name: str, amount: int) -> None:
    """A name that is a date, a number or an order word is read in every form."""
    sea = language({one: other for one, other in SEA.items() if name not in other} | {key: name})
    for form in ("throw {n} at {name}", "throw {name} {n}", "throw at {name} with {n} fish", "{n} on {name}"):
        text = form.format(n=amount, name=name)
        assert [one.orders for one in said(text, sea)] == [(Throw(key, amount),)], text


@given(ORDERS, st.sampled_from([*(" ".join(words) for words in COMMON.classes["TURN"])]), st.booleans())
def test_no_word_that_turns_passes_in_silence(order: Meaning, turn: str, is_before: bool) -> None:
    """An order with such a word beside it is not taken; it is asked about, or the seat waits."""
    text = forms.write(BOATS, order)
    found = verdicts(f"{turn} {text}" if is_before else f"{text} {turn}")
    assert found in (["asked"], ["unread"])


@given(ORDERS, ORDERS, st.sampled_from(["lovely weather", "love you all", "how are you", "good luck to all of you!"]))
def test_talk_takes_no_order_away(one: Meaning, two: Meaning, talk: str) -> None:
    """A line of talk between two orders is passed over, and neither is lost."""
    found = said(f"{forms.write(BOATS, one)}\n{talk}\n{forms.write(BOATS, two)}")
    assert [order for each in found for order in each.orders] == [one, two]
    assert [each.verdict for each in found] == ["taken", "passed", "taken"]


@given(ORDERS, st.sampled_from(["lovely weather", "love you all", "good luck to all of you"]), st.booleans())
def test_an_aside_in_brackets_takes_no_order_away(order: Meaning, talk: str, is_before: bool) -> None:
    """It is talk of its own; one that may change the order is no such thing."""
    text = forms.write(BOATS, order)
    found = said(f"({talk}) {text}" if is_before else f"{text} ({talk})")
    assert [one for each in found for one in each.orders] == [order]
    assert sorted(each.verdict for each in found) == ["passed", "taken"]
    assert verdicts(f"{text} ( - )") == ["taken"] == verdicts(f"{text} ()")
    for aside in ("not 5", "or 7", "if Al dives", "but not now"):
        assert verdicts(f"{text} ({aside})") in (["asked"], ["waits"], ["unread"]), aside


def test_of_many_asides_each_is_talk_and_of_too_many_nothing_is_read() -> None:
    """A line that is too long to be looked into is not cut either."""
    assert verdicts(" ".join(["dive 5", *["(love you all)"] * 50])) == ["taken", *["passed"] * 50]
    assert verdicts(" ".join(["dive 5", *["(love you all)"] * 3_000])) == ["unread"]


@given(st.lists(st.sampled_from([*SEA.values()]), min_size=2, max_size=4, unique=True), st.integers(21, 99))
def test_a_list_without_verbs_is_one_unless_its_paragraph_has_something_unread(names: list[str], amount: int) -> None:
    """A single line is asked about wherever that stands; above a list it may say what it is."""
    rows = [f"{name} {amount}" for name in names if name != "May"]
    listed = "\n".join(rows)
    assert verdicts(listed) == ["taken"] * len(rows)
    strange = "the zwickelbar of us all"
    of_list = ["taken" if len(rows) > 1 else "asked"] * len(rows)
    assert verdicts(f"{strange}\n\n{listed}") == ["unread", *of_list]
    assert verdicts(f"{listed}\n\n{strange}") == [*of_list, "unread"]
    assert verdicts(f"{strange}\n{listed}") == ["unread", *["asked"] * len(rows)]
    assert verdicts(f"{listed}\n{strange}") == [*["asked"] * len(rows), "unread"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sorry, I was away for the weekend. Throw twenty-five at Oyster, dive.", [Throw("bo", 25), Dive()]),
        ("throw 3 at may\nand dive", [Throw("may", 3), Dive()]),
        ("throw 3 at Al,\nMay 20", [Throw("al", 3), Throw("may", 20)]),
        ("thorw 5 at albatros", [Throw("al", 5)]),
        ("1) i'll lob 5 fish at agent 47\n2) anchor", [Throw("a47", 5), Anchor()]),
        ("If May dives: throw 3 at her, dive", []),
        ("If May dives: throw 3 at May, dive", [If(Dives("may"), (Throw("may", 3), Dive()))]),
        ("throw nobody", []),
        ("throw 3 fish at may, love you all", [Throw("may", 3)]),
    ],
)
def test_what_is_meant_is_taken(text: str, expected: list[Meaning]) -> None:
    """Sentences, lists, slips, names cut short, words with a dash; and nothing but that."""
    assert [order for one in said(text) for order in one.orders] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("throw 3 at B", "asked"),
        ("dive?", "asked"),
        ("dive, ok?", "asked"),
        ("May 20", "asked"),
        ("throw 20-30 at may", "unread"),
        ("throw 3 at may, but only if Oyster dives", "asked"),
        ("throw 3\u202e at may", "asked"),
        ("see you on May 20", "unread"),
        ("my birthday is the 20th of May", "unread"),
        ("dive, and say hello to the zwickelbar", "waits"),
        ("maybe", "unread"),
        ("how are you all?", "passed"),
    ],
)
def test_what_may_be_meant_otherwise_is_not(text: str, expected: str) -> None:
    """Of what can be read in two ways, asks, hangs on something, or changes the rest, nothing is taken in silence."""
    assert verdicts(text) == [expected]


def test_an_offer_is_shown_where_a_word_is_strange_and_never_beside_one_that_turns() -> None:
    """What is a word away is offered; every number and name of it has to be used."""
    assert [one.offered for one in said("kindly throw 3 at may forthwith")] == [(Throw("may", 3),)]
    assert [one.offered for one in said("do not forthwith throw 3 at may")] == [None]
    assert [one.offered for one in said("forthwith throw 3 at may 4")] == [None]


@given(
    st.lists(st.sampled_from(sorted(BOATS.known | {"3", "20", "zwickel", "lovely", ".", "\n", "may 20"})), max_size=120)
)
def test_any_mail_is_read_in_bounded_steps(words: list[str]) -> None:
    """However words are put together, each sentence has one verdict, and what is taken was read to its end."""
    for one in said(" ".join(words)):
        assert (one.verdict in ("taken", "waits")) == bool(one.orders)
        assert one.verdict != "asked" or one.readings or one.because


def test_no_order_is_shown_beside_a_word_that_turns_it() -> None:
    """What was meant may be the contrary; nor is a part of a sentence shown, of which another part counts."""
    assert [(one.verdict, one.readings) for one in said("throw 3 at may, but not today")] == [("asked", ())]
    assert [(one.verdict, one.readings) for one in said("throw 3 at may, 4")] == [("asked", ())]


def test_nothing_is_offered_where_every_word_is_known() -> None:
    """Then it is no strange word that keeps a sentence from being read."""
    assert [(one.verdict, one.offered) for one in said("at dive at")] == [("unread", None)]


def test_a_limit_waits_in_a_long_sentence_only_where_it_refers_to_something() -> None:
    """`only` speaks of the orders beside it in a fragment, at the head, or with a word that refers; else of what the sentence is of."""
    assert verdicts("you are only so lovely in the beautiful morning") == ["passed"]
    assert verdicts("you are only so lovely that it is morning") == ["unread"]
    assert verdicts("only you are so lovely in the beautiful morning") == ["unread"]


def test_a_dash_behind_a_name_is_none_of_it() -> None:
    """Since a shape may want it; a name may have one inside."""
    names = Names({"jo": "Mary Jo-Ann", "bo": "Bob"})
    assert [*names.spans(cut("Bob - 20"), 0)] == [(1, "bo")]
    assert [*names.spans(cut("Mary Jo - Ann 20"), 0)] == [(4, "jo")]


def test_a_slip_in_a_word_of_talk_is_talk_and_one_in_a_word_that_changes_is_not() -> None:
    """In a fragment and in a sentence; a word that is near to an order is one that may be meant."""
    for talk in ("awsome weather", "my freind says hello to you all", "good luck becuase you are all my freinds"):
        assert verdicts(f"anchor\n{talk}") == ["taken", "passed"], talk
    for change in ("insted of that", "exept that one", "cancle it", "anchro", "zurueck damit"):
        assert verdicts(f"dive\n{change}")[1] != "passed", change


LONG = "I have been to the harbour all day long with my old uncle and so I thought"
"""A line of talk in which a mail program would break a sentence."""


@pytest.mark.parametrize(
    "mail", ["{}\nthat we would sing a song", "{}\nthat. We sing a song", "{}\n20. We sing a song"]
)
def test_a_long_line_goes_on_below_where_no_order_begins(mail: str) -> None:
    """A mail program broke it there, whatever stands on the next line; a number is no list's then."""
    first, *_ = said(mail.format(LONG))
    assert first.sentence.lines == (1, 2)


@pytest.mark.parametrize(
    "below", ["throw 3 at may", "dive 5", "may 3", "if may dives: dive 5", "Throw 3 at may", "We sing"]
)
def test_no_order_below_a_long_line_is_a_part_of_it(below: str) -> None:
    """Nor what begins with a capital; and no line goes on where the next word would have gone on it."""
    assert [one.sentence.lines for one in said(f"{LONG}\n{below}")] == [(1,), (2,)]
    assert [one.sentence.lines for one in said("we sing a song\nthat is long")] == [(1,), (2,)]


def test_a_name_that_a_line_broke_is_one() -> None:
    """Where the line was full."""
    names = language({"may": "Old May", "ink": "Black Ink"})
    mail = "I would like to throw 20 at the boat of this harbour which is called Black\nInk. dive 5"
    assert [one.sentence.lines for one in said(mail, names)] == [(1, 2), (2,)]


@pytest.mark.parametrize(
    "mail", ["throw 3 at may (lovely!)", "throw 3 at may (what a day! so lovely!)", "throw 3 at may (is it fun?)"]
)
def test_what_a_bracket_holds_is_beside_the_order(mail: str) -> None:
    """With whatever mark it ends."""
    assert [one.orders for one in said(mail) if one.verdict == "taken"] == [(Throw("may", 3),)]


@pytest.mark.parametrize("word", ["throooow", "thrrrrow"])
def test_a_word_that_is_drawn_out_is_that_word(word: str) -> None:
    """However far, but in a name."""
    assert [one.orders for one in said(f"{word} 3 at may")] == [(Throw("may", 3),)]
    assert [token.text for token in cut("Zzzz hmmmm", frozenset(("Zzzz",)))] == ["zzzz", "hm"]


@pytest.mark.parametrize(
    "mail",
    [
        "throw 3 at may. no wait, I am not sure",
        "dive 5. hang on, the fish",
        "dive 5. no, say 4 or so",
        "dive 5. oh, hang on",
    ],
)
def test_an_order_that_the_next_sentence_takes_back_is_asked_about(mail: str) -> None:
    """Where that sentence was not read; in another paragraph it is no answer to it."""
    assert verdicts(mail)[0] == "asked"
    assert verdicts(mail.replace(". ", ".\n\n"))[0] == "taken"


def test_an_order_with_its_verb_and_without_are_one_reading() -> None:
    """What a verb adds is no other meaning."""
    assert verdicts("may 3 and 4 at may") == verdicts("3 at may and 4 at may")


@pytest.mark.parametrize("name", ["ahlbatross", "albutros", "allbatrus"])
def test_a_name_that_is_spelt_by_ear_is_offered(name: str) -> None:
    """It is shown, never taken; nor beside a word that turns, nor where it sounds like several."""
    (one,) = said(f"splendid weather hurl 3 at {name}")
    assert (one.orders, one.offered) == ((), (Throw("al", 3),))
    assert [one.offered for one in said(f"never hurl 3 at {name}")] == [None]
    both = language({"al": "Albatross", "el": "Albetris"})
    assert [(one.orders, one.offered) for one in said(f"splendid weather hurl 3 at {name}", both)] == [((), None)]


def test_a_shout_leads_from_a_name_to_its_number() -> None:
    """Where nothing stands behind the number."""
    assert [one.sentence.text for one in said("MAY!!! 3!!! well. May! 3 at Bo")] == [
        "MAY!!! 3",
        "well",
        "May",
        "3 at Bo",
    ]
