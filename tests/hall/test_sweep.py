"""The sweep, through a whole game of the toy ruleset: mail in, letters out."""

from datetime import timedelta

import pytest

from pbem.ground.terms import ShelfError
from pbem.table.incoming import player_mail
from pbem.testing.room import ARENA
from tests.conftest import Room

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"


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
    room.write(ADA, "bid tree")
    room.sweep()
    assert "Your orders on hand are unchanged" in room.last(ADA)
    assert "bid tree" in room.last(ADA) and "a bid of 4" in room.last(ADA)


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
    assert not list((room.root / "in").glob("*"))


def test_a_game_whose_mail_the_disk_refused_is_not_advanced_in_that_sweep(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders in time count though the game could not take them in the sweep that found the deadline passed."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3", span=timedelta(hours=1))
    with monkeypatch.context() as within:

        def refuses(*_: object) -> None:
            raise ShelfError("the disk is full")

        within.setattr(player_mail, "take", refuses)
        assert room.sweep(timedelta(days=4)).troubles
    assert room.table().number == 1 and len(room.mailbox.waiting) == 1
    assert not room.sweep().troubles
    assert room.table().number == 2 and room.table().state.hulks == {"ada": 1, "bo": 0}


@pytest.mark.parametrize("length", [33, 256, 3000])
def test_a_join_with_an_endless_name_is_a_stranger_s_mail(room: Room, length: int) -> None:
    """No game can be called so; the sweep goes on."""
    room.found("ada", "bo")
    room.write(EVE, f"join {'a' * length} as Eve", to=ARENA, subject="hi")
    assert not room.sweep().troubles
    assert not room.mailbox.waiting and len(room.letters(EVE)) == 1


def test_a_broken_game_wakes_nobody_at_once_and_its_moderator_is_told_each_day(room: Room) -> None:
    """The next wake lies ahead; the letter goes out once, and again on another day."""
    room.found("ada", "bo")
    charter = room.root / "games" / "tide-1" / "charter.toml"
    charter.write_text(charter.read_text().replace("seats", "seat", 1))
    room.reopen()
    for _ in range(3):
        assert room.sweep(timedelta(days=2)).troubles
        wake = room.arena.index.next_wake()
        assert wake is not None and wake > room.clock.now()
        room.sweep()
    assert sum("stands still" in letter.subject for letter in room.letters(GWEN)) == 3
