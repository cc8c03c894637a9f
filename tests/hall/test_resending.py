"""A letter that was lost is sent once more: the same to the same reader, and nothing of anybody else's."""

from datetime import timedelta

import pytest

from pbem.testing.room import MODERATOR
from tests.conftest import Room, flat

ADA, BO, FAY = "ada@example.org", "bo@example.org", "fay@example.org"


def _asked(room: Room, who: str, text: str) -> str:
    room.write(who, text)
    assert room.sweep().troubles == []
    return flat(room.last(who))


def _closed(room: Room, ada: int = 3, bo: int = 2) -> None:
    for who, bid in ((ADA, ada), (BO, bo)):
        room.write(who, f"bid {bid}")
    room.sweep()
    room.sweep(timedelta(minutes=31))


@pytest.fixture
def third(room: Room) -> Room:
    """A game in its third tide."""
    room.found("ada", "bo")
    _closed(room)
    _closed(room, 1, 2)
    assert room.table().number == 3
    return room


def test_the_opening_comes_again_with_the_form(room: Room) -> None:
    """Before any report, what the game began with."""
    room.found("ada", "bo")
    again = _asked(room, BO, "resend")
    assert "Once more, for tide-1: what was sent last." in again
    assert "BEGINS" in again and "bid ____" in again and "what is asked of Bo now" in again
    assert "BEGINS" in _asked(room, MODERATOR, "resend please")


def test_the_latest_report_comes_again_with_what_one_alone_was_told(third: Room) -> None:
    """With the form of now and the set on hand; and an answer to it counts."""
    third.write(BO, "bid 3")
    third.sweep()
    again = _asked(third, BO, "Resend")
    assert "TIDE 2 to all players" in again and "TIDE 1 to all players" not in again
    assert "FOR BO ALONE You have" in again and "TIDE 3: what is asked of Bo now" in again and "a bid of 3" in again
    assert _asked(third, BO, "bid 1").startswith("Taken")


@pytest.mark.parametrize("said", ["resend tide 1", "resend Tide 1, please", "Resend the report of Tide 1"])
def test_an_older_report_comes_without_the_form(third: Room, said: str) -> None:
    """An old form would be answered as if it were today's."""
    again = _asked(third, BO, said)
    assert "TIDE 1 to all players" in again and "FOR BO ALONE" in again and "____" not in again


def test_a_phase_that_has_no_report_yet(third: Room) -> None:
    """They are told so."""
    assert "There is no report of Tide 12 yet." in _asked(third, BO, "resend tide 12")


@pytest.mark.parametrize("said", ["resend it", "resend my letter please", "Resend the last report", "resend me that"])
def test_words_for_the_last_letter_ask_for_it(third: Room, said: str) -> None:
    """And nothing else is meant by them."""
    assert "TIDE 2 to all players" in _asked(third, BO, said)


def test_a_kind_of_phase_alone_is_the_last_of_them(third: Room) -> None:
    """Not all that there were."""
    again = _asked(third, BO, "resend tide")
    assert "TIDE 2 to all players" in again and "TIDE 1 to all" not in again


@pytest.mark.parametrize("said", ["can you resend the report?", "resend it to Bo 3 times", "resend my orders"])
def test_prose_is_talk(third: Room, said: str) -> None:
    """Only the word on its own line asks for it."""
    assert "Once more" not in _asked(third, BO, said)


def test_a_newcomer_has_nothing_that_the_last_player_was_told(room: Room) -> None:
    """Neither of the phase in which they took over, nor of older ones; what came later is theirs."""
    room.found("ada", "bo")
    _closed(room)
    room.write(MODERATOR, "replace Bo by fay@example.org because ill")
    room.sweep()
    _asked(room, FAY, "yes")
    _closed(room, 1, 2)
    room.sweep(timedelta(seconds=1))
    for said in ("resend", "resend tide 1"):
        again = _asked(room, FAY, said)
        assert "to all players" in again and "FOR BO ALONE" not in again and "stays theirs" in again
    room.write(ADA, "bid 1")
    room.write(FAY, "bid 1")
    room.sweep()
    room.sweep(timedelta(minutes=31))
    assert "FOR BO ALONE" in _asked(room, FAY, "resend")


def test_the_moderator_has_the_report_and_the_proof_that_waits(room: Room) -> None:
    """A mail that changes the proof brings the new one once."""
    room.found("ada", "bo", review=("tide",))
    _closed(room)
    since = len(room.letters(MODERATOR))
    room.write(MODERATOR, "resend")
    room.sweep()
    texts = [flat("\n".join(one.body)) for one in room.letters(MODERATOR)[since:]]
    assert len(texts) == 2 and "BEGINS" in texts[0] and "Proof 1 of" in texts[1]
    _asked(room, MODERATOR, "approve 1")
    again = _asked(room, MODERATOR, "resend tide 1")
    assert "As you were sent it then: [tide-1] TIDE 1 to all players" in again
    assert "Tide 2, as it stands now: Deadline" in again


def test_it_is_no_move_and_survives_a_crash(third: Room) -> None:
    """The same letter from the folder alone, and nobody is waited for less."""
    again = _asked(third, BO, "resend")
    third.reopen()
    assert _asked(third, BO, "resend") == again and len(third.table().waiting_for()) == 2
