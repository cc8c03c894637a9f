"""Sets that come when their phase has closed: the moderator is asked, without a word of what is in them."""

import random
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import Seat
from pbem.hall.commands import replay_check
from pbem.letters.addressing import reply_address
from pbem.testing.room import ARENA
from tests.conftest import Room, flat
from tests.depth import shares, some
from tests.harbour.tiebreak import TieBreak
from tests.killing import Axe, Killed, points

ADA, BO, CY, GWEN = (f"{name}@example.org" for name in ("ada", "bo", "cy", "gwen"))
ACCEPTED = "late orders of Bo were accepted"


@pytest.fixture
def tide(room: Room) -> Room:
    """A tide of three whose proof will wait for the moderator; Ada and Cy have bid."""
    return begun(room)


def begun(room: Room, review: tuple[str, ...] = ("tide",), **terms: Any) -> Room:
    """Begin such a tide."""
    room.found("ada", "bo", "cy", review=review, **terms)
    room.write(ADA, "bid 3")
    room.write(CY, "bid 1")
    room.sweep()
    return room


def pass_deadline(room: Room) -> None:
    """Sweep three minutes behind the deadline."""
    room.sweep(room.table().deadline - room.clock.now() + timedelta(minutes=3))
    assert room.table().status == "closed" and room.table().proof == 1


@pytest.fixture
def closed(tide: Room) -> Room:
    """The same tide, three minutes behind its deadline, with a proof in which Bo was absent."""
    pass_deadline(tide)
    assert tide.table().nmr == ("bo",)
    return tide


def go(room: Room, who: str, text: str, to: str = "") -> str:
    """Write, and return the letters that whoever wrote got then, on one line."""
    had = len(room.letters(who))
    room.write(who, text, to=room.reply_to(who, to) if to else "")
    room.sweep()
    return flat("\n".join("\n".join(letter.body) for letter in room.letters(who)[had:]))


def bid(room: Room, seat: str) -> int:
    """Return the bid of a seat as the proof has it."""
    return int(next(one.value for one in room.table().outcome.verdicts if one.key == f"bid of {seat}"))


def test_the_moderator_is_asked_and_does_not_see_it(closed: Room) -> None:
    """Who, and how late, never what; the player reads what counts meanwhile."""
    had = len(closed.letters(GWEN))
    told = go(closed, BO, "bid 4")
    assert told.startswith("Your orders came 3 min late. They count only if the moderator accepts them.")
    assert ": bid 4" in told and "you have sent nothing, and the house rule for missing orders is used" in told
    (asked,) = closed.letters(GWEN)[had:]
    text = flat("\n".join(asked.body))
    assert "Orders of Bo came 3 min late." in text and "| accept late Bo" in text and "4" not in text
    assert bid(closed, "bo") == 0 and closed.table().proof == 1


def test_accepted_it_counts_and_all_read_that_it_was_late(closed: Room) -> None:
    """A new proof has it, Bo was not absent, and the report names the ruling and its reason, not the set."""
    go(closed, BO, "bid 4")
    had = len(closed.letters(BO))
    told = go(closed, GWEN, "accept late Bo because his train stood still")
    assert "Proof 2" in told and bid(closed, "bo") == 4
    table = closed.table()
    assert table.nmr == () and table.seats["bo"].nmr == 0 and table.sets.late == {}
    (heard,) = closed.letters(BO)[had:]
    assert "The moderator has accepted them: they count" in flat("\n".join(heard.body))
    go(closed, GWEN, "approve 2")
    report = flat(closed.last(ADA))
    assert f"Ruling 1: {ACCEPTED} because his train stood still" in report and "No orders came" not in report
    assert "were not accepted" not in flat(closed.last(BO))


def test_undo_gives_all_back_and_the_set_still_waits(closed: Room) -> None:
    """The player hears of that too; it can be accepted again."""
    go(closed, BO, "bid 4")
    go(closed, GWEN, "accept late Bo")
    before = closed.table()
    had = len(closed.letters(BO))
    go(closed, GWEN, "undo 1")
    table = closed.table()
    assert bid(closed, "bo") == 0 and table.nmr == ("bo",) and table.seats["bo"].nmr == 1 and "bo" in table.sets.late
    (heard,) = closed.letters(BO)[had:]
    assert "has taken it back that they count" in flat("\n".join(heard.body))
    go(closed, GWEN, "accept late all")
    assert closed.table().sets.hand == before.sets.hand and closed.table().nmr == ()


def test_what_comes_between_the_deadline_and_the_close_stands_in_the_proof(tide: Room) -> None:
    """Mail is read before the phase is closed, so this is how most late mails come: no letter of its own is needed."""
    tide.clock.advance(tide.table().deadline - tide.clock.now() + timedelta(minutes=1, seconds=30))
    tide.write(BO, "bid 4")
    tide.sweep()
    assert tide.table().status == "closed"
    assert flat(tide.last(BO)).startswith("Your orders came 2 min late. They count only if the moderator")
    proof = flat(tide.last(GWEN))
    assert "Proof 1" in proof and "Orders of Bo came 2 min late." in proof and "| accept late Bo" in proof
    assert [letter.subject for letter in tide.letters(GWEN) if "late" in letter.message_id] == []
    go(tide, GWEN, "accept late Bo")
    assert bid(tide, "bo") == 4


def test_of_two_late_mails_the_last_counts(closed: Room) -> None:
    """Whichever is read last; the moderator is written to once, and the next letter says how late it is."""
    first = closed.write(BO, "bid 4", span=timedelta(seconds=-30))
    closed.mailbox.waiting.remove(first)
    go(closed, BO, "bid 2")
    closed.mailbox.waiting.append(first)
    closed.sweep()
    assert "A newer mail of yours was here first." in flat(closed.last(BO))
    had = len(closed.letters(GWEN))
    closed.clock.advance(timedelta(hours=1))
    assert ": bid 5" in go(closed, BO, "bid 5")
    assert len(closed.letters(GWEN)) == had
    assert "Orders of Bo came 1 h 5 min late." in go(closed, GWEN, "resend")
    go(closed, GWEN, "accept late Bo")
    assert bid(closed, "bo") == 5


def test_a_set_that_was_in_time_is_replaced_only_if_accepted(tide: Room) -> None:
    """A change of mind is one too: until then the first set counts, and the receipt says so."""
    tide.write(BO, "wait\nbid 2")
    pass_deadline(tide)
    told = go(tide, BO, "bid 4")
    assert "Unless they are accepted, this counts: : bid 2" in told and bid(tide, "bo") == 2
    go(tide, GWEN, "accept late Bo")
    assert bid(tide, "bo") == 4
    go(tide, GWEN, "undo 1")
    assert bid(tide, "bo") == 2


def test_what_comes_behind_an_early_close_says_so(room: Room) -> None:
    """All had moved, so it is no deadline that was missed."""
    room.found("ada", "bo", review=("tide",))
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    assert room.table().status == "closed"
    room.clock.advance(timedelta(seconds=20))
    assert go(room, BO, "bid 2").startswith("Your orders came 1 min after the phase had closed. They count only if")
    assert "Orders of Bo came 1 min after the phase had closed." in flat(room.last(GWEN))


def test_what_was_in_time_and_read_too_late_says_so(closed: Room) -> None:
    """The mailbox was slow; the stamp is the mail server's."""
    closed.write(BO, "bid 4", span=-timedelta(hours=1))
    closed.sweep()
    assert "Orders of Bo came in time, and could be read only when the phase had closed." in flat(closed.last(GWEN))


def test_a_bad_late_set_is_answered_as_such_and_not_offered(closed: Room) -> None:
    """Of a first set what reads is offered, as in time; of nothing readable, and of a set that is too much, nothing."""
    had = len(closed.letters(GWEN))
    told = go(closed, BO, "bid 99")
    assert told.startswith("Not taken.") and "99 coins bid; you have 10." in told
    assert "Your mail came 3 min late. Send your orders anew without that, and the moderator hears of them." in told
    assert closed.table().sets.late == {} and len(closed.letters(GWEN)) == had
    assert "No late set of Bo's waits." in go(closed, GWEN, "accept late Bo")


def test_what_may_change_it_is_not_shown_to_the_moderator(closed: Room) -> None:
    """Its writer reads that it counts as it stands; to the moderator it would tell what is in it."""
    told = go(closed, BO, "bid 4\n\nCan you still count this? I would not bid if Ada does.")
    assert "Beside them stands this. If it changes them, send all that you mean again" in told
    assert "would not bid" in told and closed.table().sets.late["bo"].held.orders == ("bid 4",)
    assert "would not bid" not in go(closed, GWEN, "resend\nstatus")


def test_the_set_that_counts_already_is_not_offered(closed: Room) -> None:
    """Whoever only asks whether it came is told so."""
    assert "These are the orders that count already." in go(closed, CY, "bid 1")
    assert closed.table().sets.late == {}


def test_where_sets_stand_an_accepted_one_does(room: Room) -> None:
    """As it would have in time."""
    begun(room, standing=("tide",))
    pass_deadline(room)
    go(room, BO, "bid 2")
    go(room, GWEN, "accept late Bo")
    go(room, GWEN, "approve 2")
    assert room.table().number == 2 and room.table().sets.hand["bo"].orders == ("bid 2",)


def test_talk_alone_is_no_late_set(closed: Room) -> None:
    """Nobody is asked about it."""
    go(closed, BO, "Sorry, I fell asleep!")
    assert closed.table().sets.late == {}


def test_cancel_and_back_come_too_late(closed: Room) -> None:
    """They are about the set on hand, and there is none to be changed any more."""
    for text in ("cancel", "back", "ready"):
        go(closed, BO, text)
        assert closed.table().sets.late == {} and bid(closed, "bo") == 0


def test_where_nothing_is_reviewed_nothing_is_offered(room: Room) -> None:
    """The receipt says why."""
    begun(room, review=())
    room.clock.advance(room.table().deadline - room.clock.now() + timedelta(minutes=1))
    room.write(BO, "bid 4")
    room.sweep()
    told = flat("\n".join("\n".join(letter.body) for letter in room.letters(BO)))
    assert "goes out as it is, without a review, so nobody can be asked to accept your orders" in told
    assert "accept late" not in flat("\n".join("\n".join(letter.body) for letter in room.letters(GWEN)))


def test_once_the_report_is_out_it_is_too_late(closed: Room) -> None:
    """The moderator is told; and whoever wrote reads in the report that it was not accepted."""
    go(closed, BO, "bid 4")
    go(closed, GWEN, "approve 1")
    assert "The orders that you sent too late were not accepted." in flat(closed.last(BO))
    assert "were not accepted" not in flat(closed.last(ADA)) + flat(closed.last(GWEN))
    assert "That was about a phase that is published" in go(closed, GWEN, "accept late Bo", to="Proof 1")
    assert "Once the report is out it is too late." in go(closed, GWEN, "accept late Bo")


def test_a_moderator_who_plays_sends_no_late_set(room: Room) -> None:
    """Whoever has the proof has seen how it came out; those of others they can accept."""
    room.found("gwen", "bo", "ada", review=("tide",))
    room.write(ADA, "bid 3")
    pass_deadline(room)
    seat, role = (
        reply_address(ARENA, room.usual, room.arena.token(room.table(), one), plus=True) for one in (Seat("gwen"), None)
    )
    room.write(GWEN, "bid 4", to=seat)
    room.sweep()
    assert room.table().sets.late == {} and "Whoever is sent the proof has seen how it came out" in flat(
        room.last(GWEN)
    )
    go(room, BO, "bid 4")
    room.write(GWEN, "accept late Gwen\naccept late Bo", to=role)
    room.sweep()
    assert bid(room, "bo") == 4 and bid(room, "gwen") == 0


def test_it_cannot_be_tried(closed: Room) -> None:
    """The answer would show what is in it."""
    go(closed, BO, "bid 4")
    told = go(closed, GWEN, "test\naccept late Bo")
    assert "This cannot be tried" in told and "4" not in told.replace("tide-1", "") and bid(closed, "bo") == 0


def test_a_seat_that_is_handed_on_takes_no_late_set_along(closed: Room) -> None:
    """It was the last one's."""
    go(closed, BO, "bid 4")
    go(closed, GWEN, "replace Bo by hal@example.org")
    closed.write("hal@example.org", "yes")
    closed.sweep()
    assert "bo" in closed.table().sets.late  # until the next phase opens he plays on
    go(closed, GWEN, "approve 1")
    closed.sweep(timedelta(seconds=1))
    hal = closed.arena.people.find("hal@example.org")
    assert closed.table().sets.late == {} and closed.table().seats["bo"].person == hal


def test_a_phase_that_was_opened_again_takes_a_newer_set(tide: Room) -> None:
    """The late one can still be accepted while orders are open; a set in time takes its place."""
    tide.clock.advance(tide.table().deadline - tide.clock.now() + timedelta(minutes=1))
    tide.write(BO, "bid 4")
    tide.write(GWEN, "extend 1h")
    tide.sweep()
    assert tide.table().status == "open" and "bo" in tide.table().sets.late
    assert "| accept late Bo" in flat(tide.last(GWEN))
    tide.write(BO, "wait\nbid 2")
    tide.sweep()
    assert tide.table().sets.late == {} and tide.table().sets.hand["bo"].orders == ("bid 2",)


def asked_and_proved(folder: Path, bo: int = 4) -> Room:
    """Return a tide at its proof: with 4 coins of Bo's, as many as Ada's, both were asked in its middle."""
    room = Room(folder / "arena", {"harbour": TieBreak()})
    room.found("ada", "bo", "cy", review=("tide",))
    for who, amount in ((ADA, 4), (BO, bo), (CY, 1)):
        room.write(who, f"bid {amount}")
    room.sweep()
    if room.table().sealed:
        room.write(ADA, "bid 2")
        room.write(BO, "bid 1")
        room.sweep()
    assert room.table().status == "closed" and room.table().proof == 1
    room.clock.advance(room.table().ended + timedelta(minutes=10) - room.clock.now())
    return room


WHEN = ("before", "while", "after")
"""When a late set comes: with the deadline past and the phase not closed, while others are asked, at the proof."""


@pytest.mark.parametrize("when", WHEN)
def test_no_late_set_counts_once_somebody_was_asked(tmp_path: Path, when: str) -> None:
    """Whoever was asked has seen all orders, and may have told: nothing is offered or accepted, and all are told why."""
    room = Room(tmp_path / "arena", {"harbour": TieBreak()})
    room.found("ada", "bo", "cy", review=("tide",))
    for who, amount in ((ADA, 4), (BO, 4), *(((CY, 1),) if when != "before" else ())):
        room.write(who, f"bid {amount}")
    room.sweep()
    if when == "before":
        room.clock.advance(room.table().deadline - room.clock.now() + timedelta(minutes=1, seconds=30))
        room.write(CY, "bid 2")
        room.sweep()
    assert room.table().sealed
    if when == "while":
        room.clock.advance(timedelta(seconds=20))
        had = len(room.letters(GWEN))
        told = go(room, CY, "bid 2")
        assert told.startswith("Your orders came 1 min after the phase had closed. They count only if the moderator")
        assert len(room.letters(GWEN)) == had
    room.write(ADA, "bid 2")
    room.write(BO, "bid 1")
    room.sweep()
    if when == "after":
        go(room, CY, "bid 2")
    asked = flat(room.last(GWEN))
    assert re.search(r"Orders of Cy came (2 min late|\d+ min after the phase had closed)\.", asked)
    assert (
        "Somebody was asked in the middle of the phase, and has seen all orders, so that no late set can count."
        in asked
    )
    assert "accept late" not in asked
    before = room.table()
    assert "Somebody was asked in the middle of the phase" in go(room, GWEN, "accept late Cy")
    assert "No late set waits that could be accepted." in go(room, GWEN, "accept late all")
    assert (room.table().sets.hand, room.table().rulings) == (before.sets.hand, ())
    go(room, GWEN, "approve 1")
    assert room.table().number == 2
    assert "The orders that you sent too late were not accepted." in flat(room.last(CY))
    room.arena.close()


@pytest.mark.parametrize("said", some(4, ["bid 2", "bid 99", "bid 2\n\nstatus", "bid 2\n\nCan that still count?"]))
def test_no_late_answer_tells_that_somebody_was_asked(tmp_path: Path, said: str) -> None:
    """What Cy reads while the proof waits differs by no byte where others were asked, and where nobody was."""
    read = []
    for bo in (4, 3):
        room = asked_and_proved(tmp_path / str(bo), bo)
        had = len(room.letters(CY))
        for words in (said, "status", "cancel"):
            go(room, CY, words)
        read.append([letter.body for letter in room.letters(CY)[had:]])
        room.arena.close()
    assert read[0] == read[1] and len(read[0]) == 3


def test_who_was_asked_in_the_middle_has_seen_too_much(tmp_path: Path) -> None:
    """They know themselves that they were asked, and are told why; an undo or not."""
    room = asked_and_proved(tmp_path)
    for lines in ("bid 3", "bid 5"):
        assert "has seen how it went, so that no late set can count" in go(room, ADA, lines)
    assert room.table().sets.late == {}
    go(room, GWEN, "overrule bid of Ada = 2 because of fog")
    go(room, GWEN, "undo 1")
    assert "has seen how it went, so that no late set can count" in go(room, BO, "bid 3")
    room.arena.close()


@pytest.mark.parametrize("lines", ["accept late", "accept late Dee", "accept late Ada", "accept late Bo, Ada"])
def test_what_cannot_be_accepted_is_refused_as_a_whole(closed: Room, lines: str) -> None:
    """No name, nobody's, or somebody who sent none; of several it is all or none."""
    go(closed, BO, "bid 4")
    assert "Not taken: line 1" in go(closed, GWEN, lines)
    assert closed.table().rulings == () and bid(closed, "bo") == 0


def test_several_are_accepted_in_one_ruling(room: Room) -> None:
    """By name or all of them."""
    room.found("ada", "bo", "cy", review=("tide",))
    room.write(ADA, "bid 1")
    room.sweep()
    pass_deadline(room)
    go(room, BO, "bid 4")
    go(room, CY, "bid 2")
    proof = go(room, GWEN, "resend")
    assert "| accept late Bo" in proof and "| accept late Cy" in proof and "| accept late all" in proof
    go(room, GWEN, "accept late Bo and Cy")
    assert (bid(room, "bo"), bid(room, "cy")) == (4, 2) and len(room.table().rulings) == 1


def test_nobody_else_sees_it(closed: Room, tmp_path: Path) -> None:
    """What anybody but its author is sent does not depend on what is in it, until it is accepted."""
    closed.arena.close()
    told = []
    for amount in ("2", "4"):
        other = closed.copied(tmp_path / amount)
        go(other, BO, f"bid {amount}")
        for text in ("status", "resend", "test\naccept late Bo", "note All is calm", "approve 2"):
            go(other, GWEN, text)
        told.append([(to, raw.partition(b"\r\n\r\n")[2]) for to, raw in other.outbox.sent if to != BO])
        other.arena.close()
    assert told[0] == told[1]
    closed.arena = closed.open()


@pytest.mark.parametrize("share", shares(4))
def test_a_sweep_that_is_killed_anywhere_asks_once_and_accepts_once(closed: Room, tmp_path: Path, share: int) -> None:
    """All of it follows from the journal; at a quarter of the points, and a sweep tries them all."""
    closed.write(BO, "bid 4")
    closed.write(GWEN, "accept late Bo", span=timedelta(seconds=1))
    closed.clock.advance(timedelta(minutes=1))
    closed.arena.close()
    at, ends = 0, set()
    while True:
        other, axe = closed.copied(tmp_path / f"killed-{at}"), Axe(at)
        try:
            with points(axe):
                other.sweep(timedelta(0))
        except Killed:
            other.reopen()
            other.sweep(timedelta(0))
        table = other.table()
        letters = tuple(sorted({(to, raw) for to, raw in other.outbox.sent[len(closed.outbox.sent) :]}))
        ends.add((table.proof, table.sets.hand["bo"].orders, table.nmr, letters))
        other.arena.close()
        if at and not axe.fell:
            break
        at += share
    [(proof, orders, nmr, letters)] = ends
    assert (proof, orders, nmr) == (2, ("bid 4",), ()) and len(letters) >= 4 and at > 10
    closed.arena = closed.open()


PEOPLE = {"bo": BO, "cy": CY}


class Told:
    """What was said in time, late, accepted and undone, and who counts with which bid by that."""

    def __init__(self) -> None:
        self.in_time: dict[str, int] = {}
        self.events: list[tuple[str, str, int]] = []

    def reckoned(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return which bids count, and which wait to be accepted."""
        counts, waiting = dict(self.in_time), dict[str, int]()
        for what, seat, value in self.events:
            if what == "late":
                waiting[seat] = value
            elif seat in waiting:
                counts[seat] = waiting.pop(seat)
        return counts, waiting

    def send(self, seat: str, amount: int) -> None:
        """Send a late set, unless it is what counts already."""
        counts, waiting = self.reckoned()
        if seat in waiting or counts.get(seat) != amount:
            self.events.append(("late", seat, amount))

    def undo(self, number: int) -> None:
        """Take an acceptance back."""
        self.events = [one for one in self.events if one[0] == "late" or one[2] != number]


def until_closed(room: Room, dice: random.Random, told: Told) -> None:
    """Let mails come in time, and others behind the deadline, of which some are read before the phase closes."""
    deadline = room.table().deadline
    for _ in range(dice.randrange(3)):
        seat, amount = dice.choice(("bo", "cy")), dice.randrange(6)
        go(room, PEOPLE[seat], f"bid {amount}\nwait")
        told.in_time[seat] = amount
    for seconds in sorted(dice.sample(range(1, 240), dice.randrange(4))):
        seat, amount = dice.choice(("bo", "cy")), dice.randrange(6)
        room.write(PEOPLE[seat], f"bid {amount}", span=deadline - room.clock.now() + timedelta(seconds=seconds))
        told.send(seat, amount)
    room.sweep(deadline - room.clock.now() + timedelta(seconds=dice.randrange(1, 300)))
    room.sweep(timedelta(minutes=5))
    assert room.table().status == "closed"


def happen(room: Room, dice: random.Random, told: Told) -> None:
    """Let one thing happen while the proof waits."""
    kind, seat = dice.choice(("late", "late", "accept", "accept", "undo")), dice.choice(("bo", "cy"))
    rulings = room.table().rulings
    if kind == "late":
        amount = dice.randrange(6)
        go(room, PEOPLE[seat], f"bid {amount}")
        told.send(seat, amount)
    elif kind == "accept":
        go(room, GWEN, f"accept late {seat}")
        if len(room.table().rulings) > len(rulings):
            told.events.append(("accept", seat, room.table().ruled))
    elif rulings:
        number = dice.choice(rulings).number
        go(room, GWEN, f"undo {number}")
        told.undo(number)


@pytest.mark.parametrize("seed", some(4, range(12)))
def test_whatever_comes_in_whatever_order_what_counts_is_what_was_last_said(room: Room, seed: int) -> None:
    """Of two seats, reckoned a second time; and the journal replays to the same."""
    dice, told = random.Random(seed), Told()
    room.found("ada", "bo", "cy", review=("tide",))
    go(room, ADA, "bid 1\nwait")
    until_closed(room, dice, told)
    for _ in range(7):
        happen(room, dice, told)
        counts, waiting = told.reckoned()
        table = room.table()
        assert {seat: bid(room, seat) for seat in PEOPLE} == {seat: counts.get(seat, 0) for seat in PEOPLE}
        assert {seat: one.held.orders for seat, one in table.sets.late.items()} == {
            seat: (f"bid {amount}",) for seat, amount in waiting.items()
        }
        assert set(table.nmr) == set(PEOPLE) - set(counts)
        if dice.random() < 0.2:
            room.reopen()
    go(room, GWEN, f"approve {room.table().proof}")
    assert room.table().status == "open"
    folder = room.root / "games" / room.usual
    words = replay_check.Words(room.arena.words, room.arena.wording)
    replayed = list(replay_check.replay(folder, room.rulesets, words, bytes(32)))
    assert replayed and not any(one.difference for one in replayed)


@pytest.mark.parametrize("said", some(3, ["cancel", "Cancel!", "cancel\n\ngm: I was wrong, sorry"]))
def test_a_late_set_that_waits_can_be_withdrawn(closed: Room, said: str) -> None:
    """The moderator can accept it no more; what counted counts still, and `status` says that one waits."""
    go(closed, BO, "bid 4")
    assert "Your late orders count only if the moderator accepts them. To withdraw them, say cancel." in go(
        closed, BO, "status"
    )
    told = go(closed, BO, said)
    assert told.startswith("Withdrawn: your late orders count for nothing") and "no orders on hand" not in told
    assert Seat("bo") not in closed.table().sets.late and "late orders" not in go(closed, BO, "status")
    assert "No late set of Bo's waits" in go(closed, GWEN, "accept late Bo")
    assert bid(closed, "ada") == 3 and closed.table().sets.hand[Seat("ada")].orders == ("bid 3",)
    told = go(closed, BO, "bid 5")
    assert "They count only if the moderator accepts them." in told
    go(closed, GWEN, "accept late Bo")
    assert bid(closed, "bo") == 5
    assert "Withdrawn" not in go(closed, BO, "cancel")
    assert bid(closed, "bo") == 5


def test_withdrawn_it_stays_when_a_ruling_is_taken_back(closed: Room) -> None:
    """The phase is folded again with the same mails."""
    go(closed, BO, "bid 4")
    go(closed, GWEN, "overrule bid of Ada = 2 because of fog")
    go(closed, BO, "cancel")
    go(closed, GWEN, "undo")
    assert Seat("bo") not in closed.table().sets.late
    closed.reopen()
    assert Seat("bo") not in closed.table().sets.late
