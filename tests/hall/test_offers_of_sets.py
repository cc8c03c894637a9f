"""What a mail may mean as a whole is shown in its receipt, and a yes to that letter takes it: no other, and never later."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.table.fold.journal import OrdersReceived
from tests.conftest import Room, flat
from tests.depth import some

ADA = "ada@example.org"
ASKED = {
    "rumble": (
        ("attack Bo 20\ndefend 30?", ("attack Bo 20", "defend 30")),
        ("defend 30?", ("defend 30",)),
        ("attack Bo 20, quatre-vingt defend 30", ("attack Bo 20", "defend 30")),
        ("Cy 20\n\nthe zwickelbar of us all", ("attack Cy 20",)),
        ("defend 10\nattack Bo 20?\nattack Cy 30?", ("defend 10", "attack Bo 20", "attack Cy 30")),
    ),
    "brawl": (
        ("defend with a?", ("defend with a",)),
        ("drop b maneuver\ndefend with a?", ("drop b maneuver", "defend with a")),
    ),
}
CASES = [(name, said, orders) for name, both in ASKED.items() for said, orders in both]


def founded(root: Path, name: str, review: tuple[str, ...] = ()) -> Room:
    """Found a game of three in its first round."""
    room = Room(root, {name: rulesets_known()[name]})
    room.found("ada", "bo", "cy", review=review)
    for _ in range(9):
        if room.table().title == "Round 1":
            return room
        room.sweep(timedelta(days=1))
    raise AssertionError(room.table().title)


@pytest.fixture
def rumble(tmp_path: Path) -> Iterator[Room]:
    """Lend a Rumble of three in its first round."""
    room = founded(tmp_path, "rumble")
    yield room
    room.arena.close()


def send(room: Room, text: str, *, answering: bytes = b"", to: str = "") -> str:
    """Send a mail of Ada's, and return its receipt on one line."""
    room.write(ADA, text, answering=answering, to=to)
    swept = room.sweep()
    assert not swept.troubles, swept.troubles
    return flat(room.last(ADA))


def letter(room: Room) -> bytes:
    """Return the last letter to Ada."""
    return [raw for to, raw in room.outbox.sent if to == ADA][-1]


def on_hand(room: Room) -> tuple[str, ...]:
    """Return what Ada has on hand."""
    held = room.table().sets.hand.get("ada")
    return held.orders if held else ()


WORDS = ("Yes please!", "ok", "Sure, that's right :)", "Ja gerne", "👍\n\nThanks")


@pytest.mark.parametrize(
    ("name", "said", "orders", "word"),
    some(4, [*((*case, "yes") for case in CASES), *((*CASES[0], word) for word in WORDS)]),
)
def test_a_yes_takes_the_set_that_the_receipt_shows(
    name: str, said: str, orders: tuple[str, ...], word: str, tmp_path: Path
) -> None:
    """Not a line of it counts before that was not sure; and all is as if it had been sent, after a restart too."""
    room = founded(tmp_path, name)
    told = send(room, said)
    assert "If this is what you mean, all of it, reply: yes " + " ".join(f": {one}" for one in orders) in told
    assert told.count("reply: yes") == 1
    assert set(on_hand(room)) < set(orders)
    assert not room.table().moved("ada")
    room.reopen()
    told = send(room, word)
    assert told.startswith("Taken.") and "reply: yes" not in told
    assert on_hand(room) == orders
    assert room.table().moved("ada") and not room.table().sets.hand["ada"].incomplete
    room.arena.close()


def test_an_offered_set_is_shown_with_what_it_leaves_over(rumble: Room) -> None:
    """And where that goes at the deadline; what the yes takes then comes to just that."""
    told = send(rumble, "attack Bo 20?\ndefend 30?")
    assert ": defend 30 The 50 left over go into Defence, unless you write idle on a line of its own." in told
    assert "The 50 left over go into Defence" in send(rumble, "yes")
    assert (
        "left over" not in send(rumble, "attack Bo 70?\ndefend 30?").partition("reply: yes")[2].partition("You have")[0]
    )


@pytest.mark.parametrize(
    ("said", "is_taken"),
    some(
        3,
        [
            ("yes\n\nThanks, what a lovely evening", True),
            ("Hi Gwen,\n\nyes please\n\nLove,\nAda", True),
            ("yes\nready", True),
            ("yes\nunless he hides", False),
            ("yes\n\nthe zwickelbar of us all", False),
            ("yes\nattack Cy 10", False),
        ],
    ),
)
def test_talk_beside_a_yes_takes_nothing_from_it_unless_it_may_change_it(
    rumble: Room, said: str, is_taken: bool
) -> None:
    """Nor does anything else that is asked for; and the answer says why it was not taken."""
    send(rumble, "defend 30?")
    told = send(rumble, said)
    assert (on_hand(rumble) == ("defend 30",)) == is_taken
    assert told.startswith("Taken") == (is_taken or "attack" in said)
    if not is_taken and "attack" not in said:
        assert "Send yes alone, or your orders" in told or "Not taken" in told


@pytest.mark.parametrize(
    "word", some(3, ["no", "yes, but defend 20", "yes?", "not yes", "yes and attack Cy 10", "maybe"])
)
def test_no_other_word_takes_it(rumble: Room, word: str) -> None:
    """Of what says more than yes nothing is taken for it."""
    send(rumble, "attack Bo 20\ndefend 30?")
    send(rumble, word)
    assert "defend 30" not in on_hand(rumble)


def test_a_yes_to_another_letter_takes_nothing(rumble: Room) -> None:
    """Nor one that answers none; the offer stands beside it, for whoever answers that."""
    older = letter(rumble)
    send(rumble, "defend 30?")
    offering = letter(rumble)
    told = send(rumble, "yes", answering=older)
    assert not on_hand(rumble) and "I cannot tell which letter of mine this answers" in told
    send(rumble, "yes", answering=offering)
    assert on_hand(rumble) == ("defend 30",)


@pytest.mark.parametrize("newer", ["attack Cy 5", "defend 12?", "cancel", "ready"])
def test_whatever_is_newer_ends_an_offer(rumble: Room, newer: str) -> None:
    """And the answer says so."""
    send(rumble, "defend 30?")
    offering = letter(rumble)
    send(rumble, newer)
    held = on_hand(rumble)
    told = send(rumble, "yes", answering=offering)
    assert on_hand(rumble) == held
    assert "What that letter offers counts no more" in told


@pytest.mark.parametrize("asked", ["form", "zone Europe/Paris", "what a lovely evening"])
def test_what_is_not_about_the_set_ends_no_offer(rumble: Room, asked: str) -> None:
    """It stands as it did."""
    send(rumble, "defend 30?")
    offering = letter(rumble)
    send(rumble, asked)
    send(rumble, "yes", answering=offering)
    assert on_hand(rumble) == ("defend 30",)


def test_what_comes_late_is_not_offered(tmp_path: Path) -> None:
    """The moderator accepts a late set as it is, or not."""
    room = founded(tmp_path, "rumble", ("round",))
    for _ in range(9):
        if room.table().status == "closed":
            break
        room.sweep(timedelta(days=1))
    assert room.table().status == "closed"
    told = send(room, "attack Bo 20\ndefend 30?")
    assert "ada" in room.table().sets.late and "If this is what you mean" not in told
    assert not any(one.offered for one in room.table().log if isinstance(one, OrdersReceived))
    room.arena.close()


def test_a_closed_phase_ends_an_offer(rumble: Room) -> None:
    """Its yes is none of the next round's."""
    send(rumble, "defend 30?")
    offering = letter(rumble)
    for _ in range(9):
        if rumble.table().title != "Round 1":
            break
        rumble.sweep(timedelta(days=1))
    assert (rumble.table().title, rumble.table().status) == ("Round 2", "open")
    told = send(rumble, "yes", answering=offering)
    assert not on_hand(rumble) and "Taken" not in told


@pytest.mark.parametrize(
    "said",
    ["attack B 20 and", "defend 30?\nattack Bo 20 unless he hides", "defend 30?\nnot that much", "defend 20 or 30"],
)
def test_what_cannot_be_told_whole_is_not_offered(rumble: Room, said: str) -> None:
    """Where a line may mean nothing or several things, or may change another, there is no such set."""
    assert "If this is what you mean" not in send(rumble, said)
