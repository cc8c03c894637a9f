"""The letter that opens a game: what is asked and until when first, the terms in short, and all of them on request."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pbem.ground import rulebook
from pbem.ground.chance import Dice
from pbem.ground.terms import Seat
from pbem.hall.mail.outgoing import wording
from pbem.hall.store.catalogue import rulesets_known, words_of
from pbem.letters import rendering
from pbem.letters.dresses import text
from pbem.ruleset import ClashingRuleset
from pbem.table.outgoing.letter import opening_part
from tests.conftest import Room, flat
from tests.depth import examples, some

ADA, GWEN = "ada@example.org", "gwen@example.org"
MOST = {"rumble": 60, "brawl": 64, "discs": 116}
"""Lines of an opening for four players; of the discs it has a map of 28 and the table of places."""
WORDS = rendering.environment(words_of(rulesets_known().values()))
SIX = ("ada", "bo", "cy", "dee", "eve", "fay")


def _begun(tmp_path: Path, ruleset: str, house: dict[str, str] | None = None, players: Sequence[str] = SIX[:4]) -> Room:
    room = Room(tmp_path / "arena", rulesets_known(), words_of(rulesets_known().values()))
    room.found(*players, ruleset=ruleset, name="ember-7", house=house)
    return room


@pytest.mark.parametrize("ruleset", some(3, ["rumble", "brawl", "discs"]))
def test_an_opening_asks_first_and_is_short(tmp_path: Path, ruleset: str) -> None:
    """What is asked and the deadline stand at its head."""
    room = _begun(tmp_path, ruleset)
    text = room.last(ADA)
    lines = text.split("\n")
    assert "what is asked of Ada now" in lines[2] and lines[3].startswith("Deadline  ")
    assert len(lines) <= MOST[ruleset], text
    assert "reply with: help" in flat(text) and "House rules: all are as usual." in flat(text)


@pytest.mark.parametrize(
    ("ruleset", "house"),
    some(
        3,
        [
            ("rumble", {"late_discard": "no"}),
            ("rumble", {"genre": "corporation", "ties": "blind", "bids": "hidden", "amendments": "yes"}),
            ("brawl", {"endurance": "10", "health": "8", "police": "10"}),
            ("brawl", {"teams": "2"}),
            ("discs", {"closing": "6"}),
        ],
    ),
)
def test_an_opening_with_house_rules_of_its_own_is_no_longer(
    tmp_path: Path, ruleset: str, house: dict[str, str]
) -> None:
    """Zones and press make room for them, and come on request."""
    room = _begun(tmp_path, ruleset, house=house)
    text = room.last(ADA)
    assert len(text.split("\n")) <= MOST[ruleset] + 10, text
    assert "House rules" in text and "with: rules" in flat(text) and "The seal of all dice" in text


def test_an_opening_names_the_house_rules_that_are_unusual_and_no_others(tmp_path: Path) -> None:
    """The rest is sent on request."""
    room = _begun(tmp_path, "rumble", house={"late_discard": "no"})
    text = flat(room.last(ADA).partition("House rules")[2].partition("Calendar")[0])
    assert text.count("[") == 1 and "All others are as usual." in text and "[B6]" in text


def test_what_an_opening_has_no_room_for_comes_on_request(tmp_path: Path) -> None:
    """It says so; zones and press with the rules."""
    room = _begun(tmp_path, "discs")
    opening = flat(room.last(ADA))
    assert "sets your own zone" not in opening and "terms, zone and press too, with: rules" in opening
    assert "sets your own zone" in flat(room.last(GWEN))
    room.write(ADA, "rules")
    room.sweep()
    assert "to set yours, reply with a line such as | zone Asia/Tokyo" in flat(room.last(ADA))


def test_the_first_letter_of_the_discs_shows_places_twice(tmp_path: Path) -> None:
    """On the map, and for phones in a table; with how far everybody is, and what the letters stand for."""
    text = flat(_begun(tmp_path, "discs").last(ADA))
    assert "Bo I4 (17.66,6.34) 1 in hand" in text and "Lettered squares, each 2" in text
    assert 'Bo: 11.32" E (bearing 90, 3:00)' in text and "A ... Ada B ::: Bo" in text


def _is_told_what_the_game_is(room: Room, readers: Sequence[str]) -> None:
    """Hold the law: the letter that opens a game holds the ruleset's opening, whole, for each player."""
    table = room.table("ember-7")
    told = wording.part(room.arena.words, table, "opening", opening_part(table))
    assert len(flat(told)) > 200
    for who in readers:
        opened = [letter for letter in room.letters(f"{who}@example.org") if "ember-7 BEGINS" in "\n".join(letter.body)]
        assert opened and flat(told) in flat("\n".join(opened[-1].body)), f"{who}: {told}"


@pytest.mark.parametrize("ruleset", ["rumble", "brawl", "discs"])
def test_each_players_first_letter_says_what_the_game_is(tmp_path: Path, ruleset: str) -> None:
    """However long the rest is, as it is among six; and so does the letter that a player has for it again."""
    room = _begun(tmp_path, ruleset, players=SIX)
    _is_told_what_the_game_is(room, SIX)
    room.write(ADA, "resend")
    room.sweep()
    table = room.table("ember-7")
    assert flat(wording.part(room.arena.words, table, "opening", opening_part(table))) in flat(room.last(ADA))


@pytest.mark.sweep
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["rumble", "brawl", "discs"]), st.integers(2, 12), st.data())
def test_no_terms_of_a_game_push_what_it_is_out_of_first_letters(
    tmp_path_factory: pytest.TempPathFactory, ruleset: str, count: int, data: st.DataObject
) -> None:
    """Whatever the seats, the house rules, press, and what stands: it is terms that give way."""
    known = rulesets_known()[ruleset]
    choices = {one.name: one.choices for one in known.options if len(one.choices) > 1}
    house = data.draw(st.fixed_dictionaries({}, optional={name: st.sampled_from(one) for name, one in choices.items()}))
    house |= {"grid": "48"} if ruleset == "discs" else {}
    whole = {one.name: one.default for one in known.options} | house
    assume(not isinstance(known, ClashingRuleset) or not known.clash(whole, count))
    press = data.draw(st.sampled_from(["public", "private", "none"]))
    players = [f"player{number}" for number in range(count)]
    room = Room(tmp_path_factory.mktemp("arena"), rulesets_known(), words_of(rulesets_known().values()))
    room.found(*players, ruleset=ruleset, name="ember-7", house=house, press=press)
    _is_told_what_the_game_is(room, players)
    room.arena.close()


@given(st.integers(2, 12), st.sampled_from(["0", "2"]), st.sampled_from(["1", "2", "3"]))
def test_the_opening_of_the_discs_counts_cards_as_a_battle_begins(count: int, teams: str, hold: str) -> None:
    """One is held and the others are in the deck; it said that all five were."""
    known = rulesets_known()["discs"]
    house = {option.name: option.default for option in known.options} | {"grid": "48", "teams": teams, "hold": hold}
    seats = {Seat(f"p{number}"): f"P{number}" for number in range(count)}
    ada = known.setup(seats, house, Dice(bytes(32))).programs[0]
    facts = {"house": house, "figures": dict(known.figures), "names": list(seats.values()), "brief": False}
    told = flat(rendering.render(WORDS, "discs/opening.j2", facts))
    has, held, rest = (text.spelled(number) for number in (ada.held + ada.deck, ada.held, ada.deck))
    assert f"has {has} Action Cards, and begins with {held} of them held; the other {rest} are in the deck" in told
    assert f"Nobody holds more than {text.spelled(int(hold))}." in told


@given(
    st.sampled_from(["0", "3", "6"]), st.sampled_from(["force", "free"]), st.sampled_from(["0", "7", "20"]),
    st.sampled_from(["1", "2"]),
)  # fmt: skip
def test_the_opening_of_the_discs_names_what_the_author_did_not_write(
    closing: str, stall: str, lull: str, hold: str
) -> None:
    """Each rule that is ours, with its figure, where the house has it; and no other."""
    known = rulesets_known()["discs"]
    house = {option.name: option.default for option in known.options}
    house |= {"closing": closing, "stall": stall, "lull": lull, "hold": hold}
    facts = {"house": house, "figures": dict(known.figures), "names": ["Ada", "Bo"], "brief": False}
    ours = flat(rendering.render(WORDS, "discs/opening.j2", facts)).partition("Not in the rules of 2011: ")[2]
    assert (f"from turn {closing} on all walls come in" in ours) is (closing != "0") is ("walls" in ours)
    assert ("all cards have to be used" in ours) is (stall == "force")
    assert (f"or {lull} without a De-Rez" in ours) is (lull != "0") is ("without a De-Rez" in ours)
    assert ("one card is held, not two" in ours) is (hold == "1")
    assert "three turns in which nobody was met" in ours


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
