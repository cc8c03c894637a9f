"""Names that an unclear reply to an invitation may mean are offered; a yes, or a number, to that letter alone takes one."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.speech import answers
from tests.conftest import Room, flat
from tests.depth import some
from tests.listening.filling import filled
from tests.listening.machines import robots

ADA, BO = "ada@example.org", "bo@example.org"
ONE = "What a lovely idea. Let the world tremble before me, I choose for me the name Captain Anvil!"
TWO = "Of course I'll play. My hero is the Steel Crane, or shall we call him the Iron Stork?"


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Room]:
    """Lend a game to which Ada and Bo are invited."""
    room = Room(tmp_path, {"rumble": rulesets_known()["rumble"]})
    room.invite("ada", "bo", "cy")
    yield room
    room.arena.close()


def send(room: Room, said: str, *, answering: bytes = b"") -> str:
    """Send a mail of Ada's, and return the letter that it gets."""
    room.write(ADA, said, answering=answering)
    assert not room.sweep().troubles
    return flat(room.last(ADA))


def letter(room: Room) -> bytes:
    """Return the last letter to Ada."""
    return [raw for to, raw in room.outbox.sent if to == ADA][-1]


@pytest.mark.parametrize(
    "said", ["yes", "Yes :)", "Sure, that's right!", "Ja gerne", "👍", "confirm", "Yep\n\nThanks\nAda"]
)
def test_a_yes_in_whatever_words_takes_the_name_that_is_offered(asked: Room, said: str) -> None:
    """The letter shows one name, and asks one thing."""
    told = send(asked, ONE)
    assert not asked.table().seats
    assert "If you mean Captain Anvil, reply with one word: | yes" in told
    send(asked, said)
    assert [one.name for one in asked.table().seats.values()] == ["Captain Anvil"]


def test_what_else_the_unclear_mail_said_counts_with_the_yes(asked: Room) -> None:
    """Its place, and what it says to the moderator; both once."""
    send(asked, f"{ONE}\nI'm in Berlin.\nDo I have to answer every day, or is twice a week all right too?")
    told = send(asked, "yes")
    (seated,) = asked.table().seats.values()
    assert asked.arena.people.contact(seated.person).zone == "Europe/Berlin"
    assert told.count("Do I have to answer every day") == 1 and "I show to the moderator" in told


@pytest.mark.parametrize("said", ["2.", "The second one, please", "number 2!", "join as Iron Stork", "Iron Stork."])
def test_a_number_takes_one_of_several(asked: Room, said: str) -> None:
    """Or the name itself."""
    told = send(asked, TWO)
    assert "reply with its number: 1 Steel Crane 2 Iron Stork" in told
    send(asked, said)
    assert [one.name for one in asked.table().seats.values()] == ["Iron Stork"]
    told = flat(asked.last(ADA))
    assert "Not read" not in told and f": {said}" not in told and "Of course I'll play" in told


@pytest.mark.parametrize("said", ["yes", "3", "1 or 2", "2?", "1 2"])
def test_what_chooses_none_of_several_takes_none(asked: Room, said: str) -> None:
    """They are asked again."""
    send(asked, TWO)
    told = send(asked, said)
    assert not asked.table().seats and "reply with" in told


@pytest.mark.parametrize("said", ["yes?", "Yes, if Bo plays too", "no", "maybe", "Yes, but not before May", "not yet"])
def test_no_other_word_takes_the_name(asked: Room, said: str) -> None:
    """Nor is anything lost: the next yes does."""
    send(asked, ONE)
    send(asked, said)
    assert not asked.table().seats


def test_a_yes_to_the_invitation_takes_no_name(asked: Room) -> None:
    """It answers a letter that shows none."""
    invitation = letter(asked)
    send(asked, ONE)
    assert "did not say by which name" in send(asked, "yes", answering=invitation)
    assert not asked.table().seats


def test_no_name_is_offered_that_nobody_could_have(asked: Room) -> None:
    """The moderator's, one that is taken by now, and after an offer one that somebody else has taken since."""
    send(asked, ONE)
    asked.write(BO, "join as Captain Anvil")
    asked.sweep()
    assert "Captain Anvil is taken" in send(asked, "yes")
    assert "reply with one word" not in send(asked, ONE)
    assert [one.name for one in asked.table().seats.values()] == ["Captain Anvil"]


@pytest.mark.parametrize("said", ["No thanks", "No thank you, Gwen. No time this year.", "Sorry, I can't - exams!"])
def test_who_declines_is_not_asked_for_a_name(asked: Room, said: str) -> None:
    """They are told that this is all, and can change their mind."""
    told = send(asked, said)
    assert "You said no. Nothing is asked of you" in told and "which name" not in told
    send(asked, "join as Bolt")
    assert [one.name for one in asked.table().seats.values()] == ["Bolt"]


OPENED = sorted(" ".join(one) for one in answers.WORDS.classes["YES"])


@pytest.mark.parametrize("number", some(4, range(0, 60, 3)))
def test_no_robot_takes_an_offered_name(asked: Room, number: int) -> None:
    """Whatever it says first, in whatever language, and whichever letter it answers."""
    send(asked, ONE)
    for place, robot in enumerate([*robots(number + 3, "names")][number:]):
        opened = robot.said.raw.replace("\n\n", f"\n\n{OPENED[(7 * number + place) % len(OPENED)]}\n", 1)
        raw = filled(msgspec.structs.replace(robot.said, raw=opened), asked)
        asked.mailbox.deliver(raw, asked.clock.now())
        asked.sweep()
        assert not asked.table().seats, opened
