"""Sending: a server that is away costs no letter a try, one recipient delays no other, the budget keeps reports first."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import OutboxError, ShelfError
from pbem.hall.mail.outgoing import sending
from pbem.hall.store.append_only import read
from pbem.hall.store.arena import Arena
from pbem.letters import writing
from pbem.letters.reading import read as read_mail
from pbem.world.index.outgoing import Outgoing, Unsent
from pbem.world.settings import OutboxSettings
from pbem.world.shelf import Shelf, Wave
from tests.conftest import Room

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


def to(room: Room, who: str) -> int:
    """Count the letters that somebody got."""
    return sum(recipient == who for recipient, _ in room.outbox.sent)


def budget(room: Room, daily: int) -> None:
    """Let the mail server take so many letters in 24 hours."""
    wanted = msgspec.structs.replace(room.settings, outbox=OutboxSettings(daily=daily))
    room.arena.settings = room.settings = wanted


def test_a_server_that_is_away_for_a_week_costs_no_letter(room: Room) -> None:
    """No try is counted while the server is away; when it is back, every letter goes once, in order."""
    room.found("ada", "bo")
    before = len(room.outbox.sent)
    room.outbox.down = True
    room.write(ADA, "bid 3")
    troubles = [trouble for _ in range(7 * 24) for trouble in room.sweep(timedelta(hours=1)).troubles]
    assert set(troubles) == {"the mail server is away"}
    count, _ = room.arena.index.outgoing.waiting()
    assert count > 3
    room.outbox.down = False
    swept = room.sweep()
    assert swept.sent == count and swept.troubles == []
    went = [raw for _, raw in room.outbox.sent[before:]]
    assert len(set(went)) == len(went) == count
    on_file = {path.read_bytes(): path.name for path in room.root.rglob("post/out/*.ada.eml")}
    entries = [int(on_file[raw].split(".")[1]) for raw in went if raw in on_file]
    assert len(entries) > 3 and entries == sorted(entries)


def test_a_server_that_is_away_is_asked_once_a_minute(room: Room) -> None:
    """One failure holds all letters back for a minute, and the next waking is then."""
    room.found("ada", "bo")
    room.outbox.down = True
    room.write(ADA, "bid 3")
    room.sweep()
    assert room.arena.index.outgoing.waiting() == (1, room.clock.now() + timedelta(minutes=1))
    room.outbox.down = False
    assert room.sweep(timedelta(seconds=59)).sent == 0
    assert room.sweep(timedelta(seconds=1)).sent == 1


@pytest.mark.parametrize("permanent", [False, True])
def test_one_recipients_failure_delays_no_other(room: Room, permanent: bool) -> None:
    """The letters of others go in the same sweep; the refused one is tried again later, or given up at once."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 2")
    room.outbox.fails[ADA] = OutboxError("550 no" if permanent else "450 later", permanent=permanent)
    adas, bos = to(room, ADA), to(room, BO)
    swept = room.sweep()
    assert to(room, ADA) == adas and to(room, BO) > bos
    assert all(("given up" if permanent else "put off") in trouble for trouble in swept.troubles) and swept.troubles
    room.outbox.fails.clear()
    room.sweep(timedelta(hours=1))
    assert (to(room, ADA) == adas) == permanent


def test_a_recipient_who_is_refused_for_five_days_is_given_up(room: Room) -> None:
    """Each try is noted beside the letters; after the last nothing waits any more."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.outbox.fails[ADA] = OutboxError("450 later")
    began = room.clock.now()
    while room.arena.index.outgoing.waiting()[0] or room.clock.now() == began:
        room.sweep(timedelta(hours=1))
    tries = read("sent", room.arena.shelf, "games", "tide-1", "post", "sent.toml")
    about = [line for line in tries if line["letter"].endswith("receipt.ada")]
    assert len(about) == sending.GIVE_UP and about[-1]["result"] == "given up: 450 later"
    assert timedelta(days=4) < about[-1]["at"] - about[0]["at"] < timedelta(days=7)


def test_reports_go_before_receipts_when_the_budget_is_short(room: Room) -> None:
    """Of a budget that is used up the last tenth is kept for reports; what waits goes when the day has passed."""
    room.found("ada", "bo")
    spent = room.arena.index.outgoing.sent_lately(room.clock.now())
    daily = 60
    budget(room, daily)
    room.arena.index.outgoing.count_sent(daily * 9 // 10 - spent, room.clock.now())
    room.write(ADA, "bid 3\nwait")
    swept = room.sweep()
    assert swept.sent == 0
    assert swept.troubles == ["The budget of 60 letters in 24 hours is used up: 1 wait."]
    before = len(room.outbox.sent)
    room.write(BO, "bid 2")
    room.write(ADA, "ready")
    while room.table("tide-1").number == 1:
        room.sweep(timedelta(minutes=10))
    went = [raw for _, raw in room.outbox.sent[before:]]
    assert went and all(b".report." in raw.split(b"Message-ID: ", 1)[1].split(b"\n", 1)[0] for raw in went)
    for _ in range(30):
        room.sweep(timedelta(hours=1))
    assert room.arena.index.outgoing.waiting()[0] == 0
    assert any(".receipt." in letter.message_id for letter in room.letters(ADA))


def test_the_budget_counts_what_the_server_took_over_a_whole_day(room: Room) -> None:
    """A letter that was put off has cost nothing; one that went counts for 24 hours, whatever goes after it."""
    room.found("ada", "bo")
    began = room.clock.now()
    spent = room.arena.index.outgoing.sent_lately(began)
    room.outbox.fails[ADA] = OutboxError("450 later")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 2\nwait")
    swept = room.sweep()
    assert swept.sent == 1 and len(swept.troubles) == 1
    assert room.arena.index.outgoing.sent_lately(room.clock.now()) == spent + 1
    room.arena.index.outgoing.count_sent(1, began + timedelta(hours=23))
    assert room.arena.index.outgoing.sent_lately(began + timedelta(hours=23)) == spent + 2
    assert room.arena.index.outgoing.sent_lately(began + timedelta(hours=26)) == 1


def test_a_short_budget_holds_back_no_letter_of_a_better_rank(room: Room) -> None:
    """What waits for lack of room waits with its like; a report that is put on file meanwhile goes at once."""
    room.arena.index.outgoing.add(
        [Unsent("tide-1.1.report.ada", ("x",), rank=0), Unsent("tide-1.1.receipt.ada", ("y",), rank=1)], None
    )
    now = room.clock.now()
    room.arena.index.outgoing.postpone_all(now + timedelta(hours=1), rank=1)
    assert [letter.rank for letter in room.arena.index.outgoing.to_send(now)] == [0]


def test_a_letter_that_was_put_off_by_a_wrong_clock_waits_a_day_at_most(room: Room) -> None:
    """Refused while the clock was two days ahead, it goes once the clock is right again."""
    room.arena.index.outgoing.add([Unsent("tide-1.1.report.ada", ("x",))], None)
    now = room.clock.now()
    for ahead, goes in ((timedelta(hours=20), False), (timedelta(hours=50), True)):
        room.arena.index.outgoing.retry_at([("tide-1.1.report.ada", now + ahead)])
        assert bool(room.arena.index.outgoing.to_send(now)) == goes


def test_a_mailbox_that_is_away_closes_no_phase_but_lets_letters_go(room: Room) -> None:
    """Orders may lie in it, so no clock runs out; what is on file is sent all the same."""
    room.found("ada", "bo")
    room.outbox.down = True
    room.write(ADA, "bid 3")
    room.sweep()
    room.outbox.down = False
    room.mailbox.away = "the mailbox is away"
    swept = room.sweep(timedelta(days=10))
    assert swept.troubles == ["the mailbox is away"] and swept.sent == 1
    assert room.table("tide-1").number == 1
    room.mailbox.away = ""
    room.sweep()
    assert room.table("tide-1").number == 2


def test_a_place_where_nothing_can_be_noted_makes_no_letter_go_twice(room: Room) -> None:
    """The result is known by the index at least, for this game's letters and for those of others."""
    room.found("ada", "bo")
    notes = room.root / "games" / "tide-1" / "post" / "sent.toml"
    notes.unlink()
    notes.mkdir()
    room.write(ADA, "bid 3")
    before = len(room.outbox.sent)
    assert any("sent.toml" in trouble for trouble in room.sweep().troubles)
    went = len(room.outbox.sent)
    assert went > before
    for _ in range(5):
        room.sweep(timedelta(minutes=10))
    assert len({raw for _, raw in room.outbox.sent[before:]}) == len(room.outbox.sent[before:])


def test_the_budget_is_that_of_any_24_hours(room: Room) -> None:
    """What went a minute before the full hour still counts a day later, less a minute; and one letter always may."""
    room.clock.advance(timedelta(minutes=59))
    now = room.clock.now()
    room.arena.index.outgoing.count_sent(500, now)
    assert room.arena.index.outgoing.sent_lately(now + timedelta(hours=23, minutes=59)) == 500
    assert room.arena.index.outgoing.sent_lately(now + timedelta(hours=26)) == 0
    room.found("ada", "bo")
    budget(room, 1)
    room.write(ADA, "bid 3")
    room.sweep(timedelta(hours=50))
    before = len(room.outbox.sent)
    for _ in range(4):
        room.sweep(timedelta(hours=7))
    assert len(room.outbox.sent) > before


def dates(room: Room, who: str = BO) -> list[datetime]:
    """Return the dates of somebody's letters, as their headers say."""
    return [date for recipient, raw in room.outbox.sent if recipient == who and (date := writing.dated(raw))]


BEFORE_REMINDERS = 47 * 60
"""Minutes of the first tide in which nothing is due, so that nobody gets a letter that they did not ask for."""


@given(
    st.lists(st.integers(0, 40 * 60), min_size=1, max_size=4).filter(lambda waits: sum(waits) < BEFORE_REMINDERS),
    st.booleans(),
)
@settings(max_examples=5)
def test_a_letter_that_waited_long_gets_a_new_date(begun: Room, waits: list[int], budgeted: bool) -> None:
    """Whatever it waited for, its Date is never older than some hours; and what is on file is what left."""
    with TemporaryDirectory() as folder:
        room = begun.copied(Path(folder) / "arena")
        room.outbox.sent.clear()
        for wait in waits:
            room.write(ADA, "status", to=room.reply_to(ADA) if room.outbox.sent else reply_address(begun))
            room.outbox.down = not budgeted
            if budgeted:
                budget(room, 1)
                room.arena.index.outgoing.count_sent(1, room.clock.now())
            room.sweep()
            room.clock.advance(timedelta(minutes=wait))
            room.outbox.down = False
            budget(room, 0)
            room.arena.index.outgoing.retry_now(room.clock.now())
            room.sweep()
            (_, raw), date = room.outbox.sent[-1], dates(room, ADA)[-1]
            assert timedelta(0) <= room.clock.now() - date <= sending.AGED + timedelta(minutes=1)
            assert raw in {path.read_bytes() for path in (room.root / "games/tide-1/post/out").iterdir()}
        assert len(room.outbox.sent) == len(waits)
        room.arena.close()


def reply_address(begun: Room) -> str:
    """Return where Ada's latest letter is answered to."""
    return begun.reply_to(ADA)


def test_a_letter_that_may_have_left_keeps_its_bytes(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the server's answer and our note of it, or broken off: the repeat has the old Date for ever."""
    room.found("ada", "bo")
    taken = room.outbox.send

    def killed(sender: str, recipient: str, raw: bytes) -> None:
        taken(sender, recipient, raw)
        raise KeyboardInterrupt

    for send in (killed, None):
        before = len(room.outbox.sent)
        if send:
            monkeypatch.setattr(room.outbox, "send", killed)
        else:
            room.outbox.fails[ADA] = OutboxError("broke off the letter")
        room.write(ADA, "status")
        with suppress(KeyboardInterrupt):
            room.sweep()
        monkeypatch.setattr(room.outbox, "send", taken)
        first = next(path.read_bytes() for path in newest(room))
        room.outbox.fails.clear()
        room.reopen()
        room.sweep(timedelta(days=2))
        again = [raw for to, raw in room.outbox.sent[before:] if to == ADA and b"Orders" not in raw]
        assert first in again
        assert {raw for raw in again if message_id(raw) == message_id(first)} == {first}


def newest(room: Room) -> list[Path]:
    """Return Ada's receipts, the newest first."""
    found = (room.root / "games" / "tide-1" / "post" / "out").glob("*.receipt.ada.eml")
    return sorted(found, key=lambda path: -int(path.name.split(".")[1]))


def message_id(raw: bytes) -> str:
    """Return a letter's Message-ID."""
    return read_mail(raw).message_id


@pytest.mark.parametrize("fails", ["the arena's folder", "any place", "the index", "both"])
def test_what_went_goes_no_second_time_though_it_could_not_be_noted_at_once(room: Room, fails: str) -> None:
    """Neither beside the letters nor in the index, once: it is known all the same, and noted when that can be done."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    before = len(room.outbox.sent)

    def fail(*_: object, **__: object) -> None:
        raise ShelfError("Too many files are open.")

    with pytest.MonkeyPatch.context() as patch:
        # the doors fail once letters have gone, and not before
        went = room.outbox.send

        def send(sender: str, recipient: str, raw: bytes) -> None:
            went(sender, recipient, raw)
            places: dict[str, list[tuple[type, str]]] = {
                "the arena's folder": [(Shelf, "wave")], "any place": [(Wave, "finish")],
                "the index": [(Outgoing, "remove")], "both": [(Wave, "finish"), (Outgoing, "remove")],
            }  # fmt: skip
            for place, name in places[fails]:
                patch.setattr(place, name, fail)

        patch.setattr(room.outbox, "send", send)
        with suppress(ShelfError):
            room.sweep()
    assert len(room.outbox.sent) > before
    for _ in range(3):
        room.sweep(timedelta(minutes=10))
    sent = [raw for _, raw in room.outbox.sent[before:]]
    assert len(sent) == len(set(sent))
    noted = read("sent", room.arena.shelf, "games", "tide-1", "post", "sent.toml")
    assert max(Counter(line["letter"] for line in noted).values()) == 1
    assert not room.arena.index.outgoing.kept_results() and room.arena.index.outgoing.waiting()[0] == 0


@pytest.mark.parametrize(("takes", "most"), [(0, sending.TOGETHER), (0.6, 2), (3, 1)])
def test_what_went_is_noted_once_a_second_however_slow_the_server(
    room: Room, monkeypatch: pytest.MonkeyPatch, takes: float, most: int
) -> None:
    """A crash repeats the letters of the last second; each goes once, and in one order, however many are noted at once."""
    noted: list[int] = []
    went, note = room.outbox.send, sending._note_results
    for number in range(3):
        room.found("ada", "bo", name=f"ebb-{number + 1}")
    clock = [0.0]

    def slow(sender: str, recipient: str, raw: bytes) -> None:
        clock[0] += takes
        went(sender, recipient, raw)

    def counted(arena: Arena, some: Sequence[sending.Sent], now: datetime) -> list[str]:
        noted.append(len(some))
        return note(arena, some, now)

    monkeypatch.setattr(room.arena, "steady", lambda: clock[0])
    monkeypatch.setattr(room.outbox, "send", slow)
    monkeypatch.setattr(sending, "_note_results", counted)
    for game in (1, 2, 3):
        for who in (ADA, BO):
            room.write(who, "bid 3", to=room.reply_to(who, f"[ebb-{game}]"))
    before = len(room.outbox.sent)
    room.sweep()
    sent = [raw for _, raw in room.outbox.sent[before:]]
    assert len(sent) == len(set(sent)) == sum(noted) > most or not takes
    assert max(noted) == min(most, len(sent)) and not room.arena.index.outgoing.waiting()[0]
