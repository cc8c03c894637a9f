"""What all order languages share: cleaning, wrapping, names, numbers, conditions."""

from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.language import phrases
from pbem.language.phrases import Unread

HEROES = {
    "ada": "Mantisman",
    "bo": "Plastiquegirl",
    "cy": "Doctor Cuttlefish",
    "di": "Plastiqueman",
    "eve": "Ünder Dög",
}


def lines(*texts: str) -> tuple[OrderLine, ...]:
    """Number lines from 1."""
    return tuple(OrderLine(number, text) for number, text in enumerate(texts, 1))


def because(found: object) -> str:
    """Return what an unread phrase says."""
    assert isinstance(found, Unread), found
    return found.because


def test_what_phones_make_of_a_line_is_straightened() -> None:
    """Curly quotes, odd blanks, long dashes and soft hyphens become plain."""
    assert phrases.clean("  attack\u00a0O\u2019Brien\t20 \u2013 now\u00ad ") == "attack O'Brien 20 - now"


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("attack Bo 20", ""),
        ("defend\u00a020\r", ""),
        ("d\u00e9fense 20", ""),
        ("attack Bo \u202e02", "U+202E"),
        ("attack Bo 20\u2028defend 10", "U+2028"),
        ("attack\u0000 Bo", "U+0000"),
        ("attack\u0085Bo", "U+0085"),
        ("defend\r20", "U+000D"),
    ],
)
def test_characters_that_nobody_can_see_are_named(text: str, mark: str) -> None:
    """Controls, directional marks and Unicode's line ends are found; what is straightened silently is not."""
    assert phrases.unseen(text) == mark


def test_a_comment_begins_the_line_or_follows_a_blank() -> None:
    """`#` inside a word is no comment."""
    assert phrases.without_comment("attack Bo 20  # she asked") == "attack Bo 20"
    assert phrases.without_comment("use Power#1") == "use Power#1"
    assert phrases.without_comment("# all of it") == ""


def test_wrapped_lines_are_one_line_with_the_first_number() -> None:
    """A line goes on after a comma, colon, else, and, or, and before else, and, or."""
    joined = phrases.joined(lines("if my energy < 40: defend 30,", "  attack Bo 10", "else defend 50", "attack Cy 5"))
    assert joined == (
        OrderLine(1, "if my energy < 40: defend 30, attack Bo 10 else defend 50"),
        OrderLine(4, "attack Cy 5"),
    )


def test_a_blank_line_ends_a_wrapped_one() -> None:
    """What stands behind a blank line is a line of its own."""
    assert [line.number for line in phrases.joined(lines("block first: Bo,", "", "attack Cy 5"))] == [1, 3]


def test_what_is_found_is_the_key_of_these_names() -> None:
    """And no equal one of other names, however lately that was found by the same words."""
    for key in ("ebb", _Tide.EBB, "ebb"):
        assert type(phrases.find("ebb", {key: "ebb"}, "tide")) is type(key)


class _Tide(StrEnum):
    """A word of a type of its own."""

    EBB = "ebb"


@pytest.mark.parametrize("said", ["mantisman", "MANTIS", "Mantisman.", "ada", "cuttlefish", "Doctor", "under dog"])
def test_any_clear_beginning_finds_a_name(said: str) -> None:
    """Case, accents and full stops do not matter, nor does the first word."""
    assert not isinstance(phrases.find(said, HEROES, "hero"), Unread)


def test_an_article_before_whole_words_of_a_name_is_no_part_of_it() -> None:
    """Unless it is; and a beginning alone is no name behind one: `the rest` is no Restless."""
    names = {"cuttlefish": "Doctor Cuttlefish", "restless": "Restless", "one": "The Rock", "two": "Rock"}
    assert (
        phrases.find("the doctor", names, "hero")
        == phrases.find("the Doctor Cuttlefish", names, "hero")
        == "cuttlefish"
    )
    assert (phrases.find("the rock", names, "hero"), phrases.find("rock", names, "hero")) == ("one", "two")
    for said in ("the rest", "the", "the d", "the "):
        assert isinstance(phrases.find(said, {**names, "one": "Rocco"}, "hero"), Unread)
    assert "could be" in because(phrases.find("the doctor", {**names, "other": "Mad Doctor"}, "hero"))


def test_a_name_that_fits_two_is_asked_about() -> None:
    """Both are named."""
    assert because(phrases.find("plast", HEROES, "hero")) == (
        '"plast" could be Plastiquegirl or Plastiqueman. Write more of the name.'
    )


def test_a_slip_is_met_with_a_guess() -> None:
    """The nearest name is offered, as is the list where none is near."""
    assert because(phrases.find("doctor octopus", HEROES, "hero")).endswith("Did you mean Doctor Cuttlefish?")
    assert because(phrases.find("zzz", HEROES, "hero")).startswith("There is no hero of that name. Known: Mantisman,")


@pytest.mark.parametrize("said", ["Doc", "Cut", "Octopus", "x"])
def test_a_short_name_is_not_guessed_from_a_letter_or_two(said: str) -> None:
    """What is not alike gets the list."""
    assert because(phrases.find(said, {"a": "Foxy", "b": "Bo", "c": "Cy"}, "hero")) == (
        "There is no hero of that name. Known: Foxy, Bo or Cy."
    )


@pytest.mark.parametrize(
    ("said", "meant"),
    [("Foxey", "Foxy"), ("Cyy", "Cy"), ("gnashy clws", "Big, Gnashy Claws"), ("brezee", "The Breeze")],
)
def test_a_slip_in_one_word_is_enough_for_a_guess(said: str, meant: str) -> None:
    """The whole name counts, and so does each of its words."""
    names = {"a": "Foxy", "b": "Cy", "c": "The Breeze", "d": "Big, Gnashy Claws"}
    assert because(phrases.find(said, names, "name")).endswith(f"Did you mean {meant}?")


def test_a_list_of_names_with_commas_is_parted_by_semicolons() -> None:
    """Nobody has to guess where one name ends."""
    assert phrases.listed(["Laser Eyes", "Patience"]) == "Laser Eyes or Patience"
    assert phrases.listed(["Laser Eyes", "Big, Gnashy Claws", "Patience"], "and") == (
        "Laser Eyes; Big, Gnashy Claws; and Patience"
    )


@pytest.mark.parametrize(("text", "value"), [("0", 0), (" 20 ", 20), ("007", 7), ("1000000", 1_000_000)])
def test_whole_numbers_are_read(text: str, value: int) -> None:
    """ASCII digits, with or without zeros before them."""
    assert phrases.number(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-5", "below zero"),
        ("\u22125", "below zero"),
        ("2.5", "not a whole number"),
        ("1/2", "not a whole number"),
        ("1000001", "more than anybody can have"),
        ("9" * 5000, "999999999..."),
        ("twenty", "is not a number"),
        ("\u0663\u0660", "is not a number"),
        ("", "is not a number"),
    ],
)
def test_other_numbers_are_refused_in_words_of_their_own(text: str, words: str) -> None:
    """Each kind of number that is none has its own sentence."""
    assert words in because(phrases.number(text))


@given(st.sampled_from(["<", "<=", "=", ">=", ">"]), st.integers(0, 99), st.integers(0, 99))
def test_comparisons_hold_as_arithmetic_says(sign: str, limit: int, value: int) -> None:
    """`value OP n` is true of exactly the numbers that it should be."""
    expected = {"<": value < limit, "<=": value <= limit, "=": value == limit, ">=": value >= limit, ">": value > limit}
    assert phrases.holds(sign, value, limit) is expected[sign]


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    """Whatever people send, the phrases answer with a value."""
    phrases.joined(lines(text, text))
    phrases.number(text)
    phrases.find(text, HEROES, "hero")
    assert phrases.unseen(phrases.clean("plain")) == ""


def test_a_full_stop_behind_a_line_or_a_number_is_taken_away() -> None:
    """What a phone or a habit puts at the end is not looked at; a fraction is a fraction, and nothing is no number."""
    assert phrases.without_stop("defend 30. ") == "defend 30"
    assert phrases.without_stop("ready!") == "ready"
    assert [phrases.number(text) for text in ("30.", "30!", "30,", "30;")] == [30] * 4
    assert "2.5 is not a whole number" in because(phrases.number("2.5."))
    assert isinstance(phrases.number("."), Unread)


def test_a_line_is_cut_as_far_as_nothing_goes_on_to_its_end() -> None:
    """At semicolons, but not behind an if, nor behind a colon; a ruleset may say what else goes on."""
    assert phrases.parts("pass; defend 10 ;; attack Bo 3.") == ("pass", "defend 10", "attack Bo 3.")
    assert phrases.parts("pass; if A: b; c; d") == ("pass", "if A: b; c; d")
    assert phrases.parts("plan: b; c") == ("plan: b; c",)
