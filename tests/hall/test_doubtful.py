"""Mail that may be a machine's: what counts, what is held, what is not answered, and that nothing goes round."""

import pytest

from pbem.testing.room import SERVER
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO = "ada@example.org", "bo@example.org"
PASS = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org"
AWAY = "Automatic reply: "
"""What robots put before a subject; nothing else of the mails here speaks of one."""


@pytest.fixture
def open_room(room: Room) -> Room:
    """A harbour game of Ada and Bo."""
    room.found_anew("ada", "bo")
    return room


def answer(room: Room, said: str, *, sender: str = ADA, before: str = "Re: ", heads: str = PASS) -> None:
    """Answer the last letter to Ada, with words of one's own before its subject."""
    letter = room.letters(ADA)[-1]
    lines = [heads, f"From: {sender}", f"To: {room.reply_to(ADA)}", f"Subject: {before}{letter.subject}"]
    lines += [f"In-Reply-To: {letter.message_id}", f"Message-ID: <{len(room.mailbox.marked)}@example.net>"]
    room.mailbox.deliver("\n".join([*filter(None, lines), "", said, ""]).encode(), room.clock.now())
    room.sweep()


def bids(room: Room) -> tuple[str, ...]:
    """Return what Ada has on hand."""
    held = room.table().sets.hand.get("ada")
    return held.orders if held else ()


def sent(room: Room) -> int:
    """Return how many letters went to Ada."""
    return len(room.letters(ADA))


def returned(room: Room) -> str:
    """Return the last letter to Ada with its headers, as gateways return it."""
    return next(raw for to, raw in reversed(room.outbox.sent) if to == ADA).decode().replace("\r\n", "\n")


@pytest.mark.parametrize("sender", some(3, ["15550123@mms.example.net", "echo@example.net", BO]))
def test_whoever_returns_our_letter_from_elsewhere_is_a_machine(open_room: Room, sender: str) -> None:
    """No token changes, nobody is written to, and nothing counts as a letter that came back, orders or not."""
    before, count = open_room.table(), len(open_room.outbox.sent)
    for said in ("This phone cannot show your message.", "bid 3"):
        answer(open_room, f"{said}\n\n{returned(open_room)}", sender=sender)
    assert open_room.table() == before and len(open_room.outbox.sent) == count
    person = open_room.arena.people.find(ADA)
    assert person and open_room.arena.people.contact(person).returned == ()


def test_a_mark_that_is_not_ours_proves_nothing(open_room: Room) -> None:
    """It is left to the other signs: here a token at a wrong address, with orders, which is told its owner."""
    wrong = returned(open_room).replace("X-Pbem-Letter: ", "X-Pbem-Letter: a")
    answer(open_room, f"bid 3\n\n{wrong}", sender="echo@example.net")
    assert open_room.table().leaks


def test_a_person_who_returns_our_letter_and_orders_is_one(open_room: Room) -> None:
    """From the registered address, with new lines above."""
    answer(open_room, f"bid 3\n\n-----Original Message-----\n{returned(open_room)}")
    assert bids(open_room) == ("bid 3",)


def test_what_adds_nothing_to_our_letter_is_not_answered(open_room: Room) -> None:
    """A filter at the player's own address returns it."""
    count, kind = sent(open_room), "Content-Type: multipart/mixed; boundary=xx"
    parts = f"--xx\n\n.\n--xx\nContent-Type: message/rfc822\n\n{returned(open_room)}\n--xx--"
    answer(open_room, parts, heads=f"{PASS}\n{kind}")
    assert sent(open_room) == count and not bids(open_room)


def test_orders_in_what_looks_like_a_robots_count_where_the_server_vouches(open_room: Room) -> None:
    """Else they are held, and count once they are confirmed."""
    answer(open_room, "bid 3", before=AWAY)
    assert bids(open_room) == ("bid 3",)
    answer(open_room, "bid 4", before=AWAY, heads="")
    assert bids(open_room) == ("bid 3",) and "a program may have written it" in flat(open_room.last(ADA))
    answer(open_room, open_room.last(ADA).partition("| ")[2].split("\n")[0])
    assert bids(open_room) == ("bid 4",)


@pytest.mark.parametrize("said", some(3, ["Ez zaude bulegoan.", "bidd 3"]))
@pytest.mark.parametrize("before", ["Erantzun automatikoa - ", "Request received: "])
def test_what_may_be_a_robots_is_asked_about_once_and_never_goes_round(open_room: Room, before: str, said: str) -> None:
    """Nothing of it was understood, and its subject is none that a person sends: its answer to the question ends it."""
    count = sent(open_room)
    for _ in range(4):
        answer(open_room, said, before=before)
    assert sent(open_room) == count + 1 and "a program may have written it" in flat(open_room.last(ADA))
    answer(open_room, "bid 3")
    assert bids(open_room) == ("bid 3",)


def test_a_plain_answer_that_was_not_understood_is_told_why(open_room: Room) -> None:
    """Nothing about it speaks of a robot."""
    answer(open_room, "bidd 3")
    assert "Not taken" in flat(open_room.last(ADA))


def test_a_token_at_another_address_is_asked_about_where_nothing_was_ordered(open_room: Room) -> None:
    """No token is spent on what a gateway says; its owner can confirm what they wrote from there."""
    answer(open_room, "The subscriber is not available.", sender="15550123@mms.example.net")
    assert not open_room.table().leaks and "from another address" in flat(open_room.last(ADA))
    answer(open_room, "bid 3", sender="15550123@mms.example.net")
    assert not bids(open_room)


def test_a_robot_cannot_confirm_without_the_digits(open_room: Room) -> None:
    """A challenge that begins with that very word does not; whoever has the digits does, whatever the subject."""
    answer(open_room, "bid 4", before=AWAY, heads="")
    digits = open_room.last(ADA).partition("| confirm ")[2][:4]
    answer(open_room, "Confirm that you are human", before=AWAY)
    assert not bids(open_room)
    answer(open_room, f"confirm {digits}", before=AWAY)
    assert bids(open_room) == ("bid 4",)


@pytest.mark.parametrize("subject", ["oops", "???", "my orders"])
def test_an_empty_mail_with_a_subject_of_its_own_is_told_why(open_room: Room, subject: str) -> None:
    """It is a slip of a person's: whatever answers by itself has words, or our subject."""
    lines = [
        PASS,
        f"From: {ADA}",
        f"To: {open_room.reply_to(ADA)}",
        f"Subject: {subject}",
        "Message-ID: <1@example.net>",
    ]
    open_room.mailbox.deliver("\n".join([*lines, "", ""]).encode(), open_room.clock.now())
    open_room.sweep()
    assert "Your mail held no text." in flat(open_room.last(ADA)) and "confirm" not in open_room.last(ADA)
