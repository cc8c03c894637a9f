"""The sweep, through a whole game of the toy ruleset: mail in, letters out."""

from __future__ import annotations

from datetime import timedelta

from tests.conftest import Room

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


def test_a_whole_game_is_played_by_mail(room: Room) -> None:
    """Two tugs bid by reply; the phase closes when both are in; two hulks end the game and open the seed."""
    room.found("ada", "bo")
    assert "Tide 1" in room.letters(ADA)[-1].subject
    for tide in (1, 2):
        room.write(ADA, "bid 3")
        room.write(BO, "bid 1")
        swept = room.sweep()
        assert not swept.troubles, swept.troubles
        assert f"TIDE {tide}" in room.last(ADA)
    assert room.table().status == "over"
    assert "Ada has two hulks and wins." in room.last(BO)
    assert "00000000000000000000000000000000" in room.last(GWEN)


def test_a_receipt_lists_the_whole_set_on_hand(room: Room) -> None:
    """A good mail is answered with what now stands, and how many are waited for."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4")
    room.sweep()
    assert "a bid of 4" in room.last(ADA)
    assert "Waiting for 1 of 2." in room.last(ADA)


def test_a_bad_mail_changes_nothing_on_hand(room: Room) -> None:
    """A line that cannot be read leaves the set on hand, and the letter says so and quotes the line."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4")
    room.sweep()
    room.write(ADA, "bid four")
    room.sweep()
    assert "Your orders on hand are unchanged" in room.last(ADA)
    assert "bid four" in room.last(ADA) and "a bid of 4" in room.last(ADA)


def test_the_deadline_closes_a_phase_and_counts_who_sent_nothing(room: Room) -> None:
    """At the deadline, and the two minutes in which mail settles, the phase closes with the house rule's bid."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4")
    room.sweep(timedelta(hours=72))
    assert room.table().number == 1
    room.sweep(timedelta(minutes=3))
    assert room.table().number == 2
    assert "No orders came from Bo" in room.last(ADA)


def test_the_same_bytes_twice_have_one_effect(room: Room) -> None:
    """A mail delivered twice is journaled once and answered once."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 4")
    room.sweep()
    before = len(room.letters(ADA)), room.table().head
    room.mailbox.deliver(mail.raw, mail.arrived)
    room.sweep()
    assert (len(room.letters(ADA)), room.table().head) == before
    assert not room.mailbox.waiting


def test_raw_mail_is_kept_in_the_game_that_it_was_for(room: Room) -> None:
    """Every byte of a mail lies in its game's folder, under the digest that the journal names."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 4")
    room.sweep()
    kept = room.root / "games" / "tide-1" / "post" / "in" / f"{mail.digest}.eml"
    assert kept.read_bytes() == mail.raw
    assert not list((room.root / "in").iterdir())
