"""What is taken of a player's mail, and when: requests, press, orders sent ahead."""

from datetime import timedelta

import pytest

from pbem.ground.terms import Seat
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


@pytest.fixture
def open_room(room: Room) -> Room:
    """A harbour game in its first tide, with a bid of Ada's on hand."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4")
    room.sweep()
    return room


def test_cancel_takes_the_set_off_and_is_too_late_after_the_deadline(open_room: Room) -> None:
    """In time it empties the hand; late, it is refused like any change, and what was on hand counts."""
    open_room.write(ADA, "cancel")
    open_room.sweep()
    assert "ada" not in open_room.table().sets.hand
    open_room.write(ADA, "bid 5")
    open_room.sweep()
    open_room.write(ADA, "cancel\nbid 1", span=timedelta(hours=80))
    open_room.sweep(timedelta(hours=81))
    assert open_room.table().state.hulks["ada"] == 1
    assert open_room.table().state.coins["ada"] == 5


def test_requests_about_a_set_do_not_reach_another_phase(open_room: Room) -> None:
    """`cancel` in reply to an old letter leaves the present phase's set alone."""
    address = open_room.reply_to(ADA, "Tide 1")
    open_room.write(BO, "bid 1")
    open_room.sweep()
    open_room.write(ADA, "bid 2")
    open_room.sweep()
    open_room.write(ADA, "cancel", to=address, subject="Re: [tide-1] Tide 1")
    open_room.sweep()
    assert open_room.table().sets.hand["ada"].orders == ("bid 2",)


def test_standing_on_needs_a_set(open_room: Room) -> None:
    """With nothing on hand there is nothing to keep, and during sign-up even less; no game stops by it."""
    open_room.write(BO, "standing on")
    assert not open_room.sweep().troubles
    assert "no orders on hand that could stand" in flat(open_room.last(BO))
    assert "bo" not in open_room.table().sets.hand


def test_standing_on_during_sign_up_is_answered(room: Room) -> None:
    """Nothing is asked yet, and the sender hears so."""
    room.invite("ada", seats=2)
    room.write(ADA, "join as Ada")
    room.sweep()
    room.write(ADA, "standing on\nwait")
    assert not room.sweep().troubles
    assert "nothing is asked yet" in flat(room.last(ADA))


def test_a_wrapped_line_of_orders_ahead_stays_ahead(open_room: Room) -> None:
    """What the client wrapped off a `for Tide 2:` line never becomes this phase's set; two such lines add up."""
    open_room.write(BO, "for Tide 2: bid 1;\nbid 2\nfor Tide 2: bid 3")
    open_room.sweep()
    assert "bo" not in open_room.table().sets.hand
    assert open_room.table().sets.later["bo"][0].orders == ("bid 1", "bid 2", "bid 3")


def test_orders_ahead_that_cannot_be_read_are_complained_of_at_once(open_room: Room) -> None:
    """There is no reason to wait for the phase to say that `bidd 3` is nothing."""
    open_room.write(BO, "for Tide 2: bidd 3")
    open_room.sweep()
    assert 'bidd 3: I cannot read this as an order. What would work: "bid 3".' in flat(open_room.last(BO))
    assert "bo" not in open_room.table().sets.later


def test_one_line_of_press_needs_no_end(open_room: Room) -> None:
    """`press to all: WORDS` is one line; orders below it are orders."""
    open_room.write(BO, "press to all: good luck!\n\nbid 1")
    open_room.sweep()
    assert ": good luck!" in "\n".join("\n".join(letter.body) for letter in open_room.letters(ADA))
    assert open_room.table().number == 2


def test_press_of_several_lines_without_an_end_is_held(open_room: Room) -> None:
    """What stands below may be orders, so nothing is passed on, and the sender hears what is missing."""
    open_room.write(BO, "press to all:\ngood luck\nbid 7")
    open_room.sweep()
    assert "end press" in open_room.last(BO)
    assert not any("bid 7" in "\n".join(letter.body) for letter in open_room.letters(ADA))


def test_ready_on_an_incomplete_set_says_what_is_lacking(open_room: Room) -> None:
    """Nobody is told to be ready who is still waited for."""
    open_room.write(BO, "bid 1\nbidd 2\nready")
    open_room.sweep()
    assert "Not ready yet" in open_room.last(BO)
    assert open_room.table().number == 1
    open_room.write(BO, "bid 1")
    open_room.sweep()
    assert open_room.table().number == 2


def test_private_press_reaches_those_it_names_and_nobody_else(room: Room) -> None:
    """Where the charter allows it, press to Bo is read by Bo; Cy hears nothing, and `all but` leaves one out."""
    cy = "cy@example.org"
    room.found("ada", "bo", "cy", press="private")
    before = len(room.letters(cy))
    room.write(ADA, "press to Bo: the pilot can be bought")
    room.sweep()
    assert "the pilot can be bought" in room.last(BO)
    assert len(room.letters(cy)) == before
    room.write(ADA, "press to all but Bo: he believes me")
    room.sweep()
    assert "he believes me" in room.last(cy)
    assert not any("he believes me" in "\n".join(letter.body) for letter in room.letters(BO))


def test_a_game_without_press_passes_none_on(room: Room) -> None:
    """The sender is told so, and nobody else hears anything."""
    room.found("ada", "bo", press="none")
    room.write(ADA, "press to all: hello")
    room.sweep()
    assert "played without press" in flat(room.last(ADA))
    assert not any("hello" in "\n".join(letter.body) for letter in room.letters(BO))


def test_orders_that_come_too_late_are_refused_with_their_count(open_room: Room) -> None:
    """The first line is quoted, and the sender knows that it is about all of them."""
    old = open_room.reply_to(ADA)
    open_room.write("gwen@example.org", "close now")
    open_room.sweep()
    open_room.write(ADA, "bid 1\nbid 2\nbid 3", to=old, subject="Re: [tide-1] Tide 1")
    open_room.sweep()
    assert "So it is with all 3 lines of your orders." in flat(open_room.last(ADA))


@pytest.mark.parametrize("mark", ["", "- ", "* "])
@pytest.mark.parametrize("kind", some(4, ["", " please", ", thanks!", " after all", ", please.", ", thank you"]))
@pytest.mark.parametrize("word", ["cancel", "wait", "ready", "status"])
def test_kind_words_behind_a_request_change_nothing(open_room: Room, word: str, kind: str, mark: str) -> None:
    """It is what it is without them, whatever case it is in, also as a line of a list."""
    open_room.write(ADA, "bid 3")
    open_room.sweep()
    open_room.write(ADA, f"{mark}{word.capitalize()}{kind}")
    open_room.sweep()
    table = open_room.table()
    assert "Not taken" not in open_room.last(ADA)
    assert (Seat("ada") in table.sets.hand) is (word != "cancel") and (Seat("ada") in table.waits) is (word == "wait")
    assert (Seat("ada") in table.ready) is (word == "ready")


@pytest.mark.parametrize("said", ["cancel Bo", "ready for Bo please", "wait for it", "cancel after all the fuss"])
def test_other_words_behind_a_request_make_it_none(open_room: Room, said: str) -> None:
    """What was on hand stands."""
    open_room.write(ADA, "bid 3")
    open_room.sweep()
    open_room.write(ADA, said)
    open_room.sweep()
    table = open_room.table()
    assert table.sets.hand[Seat("ada")].orders == ("bid 3",) and not table.ready and not table.waits
