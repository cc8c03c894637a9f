"""The first letters that a newcomer reads: refusals of a seat, the opening, the handbook."""

from __future__ import annotations

from pbem.hall.founding import found_game
from pbem.terms import GameName
from tests.conftest import Room

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
HOW_TO_JOIN = "You have no seat yet. Reply with a line such as\n\n| join as NAME"


def test_each_refusal_of_a_name_ends_with_what_to_write(room: Room) -> None:
    """No name, a name too long, a reserved and a taken one: all end alike."""
    found_game(
        room.arena, GameName("tide-1"), "harbour", moderator=GWEN, invited=[ADA, BO], seats=2, now=room.clock.now()
    )
    room.sweep()
    room.write(BO, "join as Bolt")
    room.sweep()
    for said in ("hello", f"join as {'x' * 40}", "join as moderator", "join as Bolt"):
        room.write(ADA, said)
        room.sweep()
        assert room.last(ADA).rstrip().endswith(HOW_TO_JOIN), room.last(ADA)


def test_who_has_a_seat_is_not_told_to_join(room: Room) -> None:
    """A second wish by the same invitation is answered as from who has a seat."""
    found_game(
        room.arena, GameName("tide-1"), "harbour", moderator=GWEN, invited=[ADA, BO], seats=2, now=room.clock.now()
    )
    room.sweep()
    room.write(ADA, "join as Ada")
    room.write(ADA, "join as Anna")
    room.sweep()
    texts = ["\n".join(letter.body) for letter in room.letters(ADA)[1:]]
    assert any("Welcome, Ada." in text for text in texts)
    assert not any("You have no seat yet" in text or "| join" in text for text in texts)


def test_the_opening_says_how_the_calendar_runs(room: Room) -> None:
    """Particular kinds of phase come first; whose clock it is, and how to see one's own, is said with an example."""
    calendar = {"rules": {"default": "48h after opening", "tide": "every day 20:00"}}
    room.found("ada", "bo", zone="Europe/London", calendar=calendar)
    text = room.last(ADA)
    assert text.index("tide: every day 20:00") < text.index("all other phases: 48h after opening")
    assert "runs by the clock of Europe/London" in " ".join(text.split())
    assert "\n| zone Asia/Tokyo\n" in text


def test_the_handbook_explains_each_request_after_its_example(room: Room) -> None:
    """Everything that can be written in every game stands there with a bar, and press says where it ends."""
    room.found("ada", "bo")
    room.write(ADA, "help")
    room.sweep()
    text = room.last(ADA)
    for example in ("status", "cancel", "wait", "ready", "standing on", "history Round 2", "end press", "end"):
        assert f"\n| {example}\n" in text, example
    words = " ".join(text.split())
    assert "Press of one line needs no end. Press of several lines runs on until end press." in words
    assert "Lines that begin with ~ are a form" in words
    assert "The first holds it open for you until the deadline" in words
