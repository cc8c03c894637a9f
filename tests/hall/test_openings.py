"""The letter that opens a game: what is asked and until when first, the terms in short, and all of them on request."""

from pathlib import Path

import pytest

from pbem import rulebook
from pbem.hall.store.catalogue import rulesets_known, words_of
from tests.conftest import Room, flat

ADA, GWEN = "ada@example.org", "gwen@example.org"
MOST = 60
"""Lines of an opening for four players, house rules as usual; that of the discs has a map of 28."""


def _begun(tmp_path: Path, ruleset: str, house: dict[str, str] | None = None) -> Room:
    room = Room(tmp_path / "arena", rulesets_known(), words_of(rulesets_known().values()))
    room.found("ada", "bo", "cy", "dee", ruleset=ruleset, name="ember-7", house=house)
    return room


@pytest.mark.parametrize("ruleset", ["rumble", "brawl", "discs"])
def test_an_opening_asks_first_and_is_short(tmp_path: Path, ruleset: str) -> None:
    """What is asked and the deadline stand at its head."""
    room = _begun(tmp_path, ruleset)
    text = room.last(ADA)
    lines = text.split("\n")
    assert "what is asked of Ada now" in lines[2] and lines[3].startswith("Deadline  ")
    assert len(lines) <= MOST, text
    assert "reply with: help" in flat(text) and "House rules: all are as usual." in flat(text)


@pytest.mark.parametrize(
    ("ruleset", "house"),
    [
        ("rumble", {"late_discard": "no"}),
        ("rumble", {"genre": "corporation", "ties": "blind", "bids": "hidden", "amendments": "yes"}),
        ("brawl", {"endurance": "10", "health": "8", "police": "10"}),
        ("brawl", {"teams": "2"}),
        ("discs", {"closing": "6"}),
    ],
)
def test_an_opening_with_house_rules_of_its_own_is_no_longer(
    tmp_path: Path, ruleset: str, house: dict[str, str]
) -> None:
    """The calendar, and what the game is, make room for them, and come on request."""
    room = _begun(tmp_path, ruleset, house=house)
    text = room.last(ADA)
    assert len(text.split("\n")) <= MOST, text
    assert "House rules" in text and "with: rules" in flat(text) and "The seal of all dice" in text


def test_an_opening_names_the_house_rules_that_are_unusual_and_no_others(tmp_path: Path) -> None:
    """The rest is sent on request."""
    room = _begun(tmp_path, "rumble", house={"late_discard": "no"})
    text = flat(room.last(ADA).partition("House rules")[2].partition("Calendar")[0])
    assert text.count("[") == 1 and "All others are as usual." in text and "[B6]" in text


def test_what_the_opening_of_the_discs_has_no_room_for_comes_on_request(tmp_path: Path) -> None:
    """It says so; the table with the status, calendar and press with the rules."""
    room = _begun(tmp_path, "discs")
    opening = flat(room.last(ADA))
    assert "Calendar" not in opening and "From you, Ada:" in opening and "reply with: rules" not in opening
    assert "calendar and press too, with: rules" in opening and "The seal of all dice" in opening
    room.write(ADA, "status")
    room.sweep()
    assert "From you, Ada:" in room.last(ADA) and "(6.34,6.34)" in room.last(ADA) and "A ... Ada" in room.last(ADA)
    assert "Calendar" in room.last(GWEN)


@pytest.mark.parametrize("who", [ADA, GWEN])
def test_rules_alone_sends_all_terms(tmp_path: Path, who: str) -> None:
    """House rules, calendar, press and the seal."""
    room = _begun(tmp_path, "rumble")
    room.write(who, "rules")
    room.sweep()
    text = flat(room.last(who))
    for words in ("Halves are rounded down. [A2]", "Calendar", "Press", "The seal of all dice", "runs in UTC"):
        assert words in text, words


@pytest.mark.parametrize(
    ("said", "expected", "others"),
    [
        ("rules A12", "A12", "A13"),
        ("rules halves", "Halves are rounded down. [A2]", "[A12]"),
        ("rules defence", "R6", "R2 Every hero has Energy"),
        ("rules xyzzy", "No rule has these words", "R1 "),
    ],
)
def test_rules_with_words_sends_what_the_rules_say_of_them(
    tmp_path: Path, said: str, expected: str, others: str
) -> None:
    """By whole beginnings of words, or a number as letters have it."""
    room = _begun(tmp_path, "rumble")
    room.write(ADA, said)
    room.sweep()
    text = flat(room.last(ADA))
    assert expected in text and others not in text


def test_a_sentence_about_rules_is_no_request(tmp_path: Path) -> None:
    """Somebody chats."""
    room = _begun(tmp_path, "rumble")
    room.write(ADA, "rules are there to be broken, I say")
    room.sweep()
    assert "Rules with" not in room.last(ADA)


@pytest.mark.parametrize("ruleset", ["rumble", "brawl", "discs"])
def test_every_rule_that_letters_cite_can_be_sent_for(tmp_path: Path, ruleset: str) -> None:
    """Each number of the rules gives its words, first to last."""
    room = _begun(tmp_path, ruleset)
    numbers = list(rulebook.rules(rulesets_known()[ruleset]))
    assert len(numbers) > 10
    for number in (numbers[0], numbers[len(numbers) // 2], numbers[-1]):
        room.write(ADA, f"rules {number}")
        room.sweep()
        assert f"\n{number} " in room.last(ADA)


@pytest.mark.parametrize("said", ["rules [A12]", "rules (A12).", "rules A12, B6", "rules a12"])
def test_rules_are_sent_for_by_their_numbers_as_letters_print_them(tmp_path: Path, said: str) -> None:
    """Brackets, commas and small letters mean nothing."""
    room = _begun(tmp_path, "rumble")
    room.write(ADA, said)
    room.sweep()
    text = room.last(ADA)
    assert "\nA12 " in text and ("\nB6 " in text) is ("B6" in said)


@pytest.mark.parametrize("said", ["rules are dumb", "Rules of thumb", "rules apply herein"])
def test_chat_that_begins_with_rules_is_no_search(tmp_path: Path, said: str) -> None:
    """No rule has these words, and nobody looks for them."""
    room = _begun(tmp_path, "rumble")
    room.write(ADA, said)
    room.sweep()
    assert "Rules with" not in room.last(ADA)
