"""A mail that the mailbox cannot hand out: it stops nothing for long, is told, and counts by its own time of arrival."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon import Daemon
from pbem.ground.terms import Mail, MailboxError
from pbem.hall.keeping import health
from pbem.hall.store.arena import Doors
from pbem.world.log import SILENT
from pbem.world.mailbox import MaildirMailbox
from tests.conftest import Room, flat, steady
from tests.depth import some
from tests.keeping.test_digest import MOD, moderated

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


@pytest.fixture
def due(room: Room) -> Room:
    """A tide whose deadline is a minute off; Ada's bid came in time, and cannot be had."""
    room.found("ada", "bo", review=("tide",))
    moderated(room)
    room.sweep(room.table().deadline - room.clock.now() - timedelta(minutes=1))
    room.mailbox.broken = {room.write(ADA, "bid 3").name}
    room.write(BO, "bid 2")
    return room


def ills(room: Room) -> list[str]:
    """Return what health says."""
    return health.problems(room.arena, health.read(room.arena), timedelta(minutes=15), room.clock.now())


def test_others_are_read_at_once_and_the_phase_closes_with_the_third_sweep(due: Room) -> None:
    """Each sweep asks once; after three the phase goes on, the mail is asked for once an hour, and comes as a late set."""
    room, [broken] = due, [*due.mailbox.broken]
    for sweeps in (1, 2):
        told = room.sweep(timedelta(minutes=2)).troubles
        assert room.table().sets.hand["bo"].orders == ("bid 2",) and room.table().status == "open"
        assert len(told) == 1 and "cannot be had: m0" in told[0] and room.mailbox.asked[broken] == sweeps
        room.reopen()
        moderated(room)
    room.sweep()
    assert room.table().status == "closed" and room.table().nmr == ("ada",) and room.mailbox.asked[broken] == 3
    for _ in range(50):
        assert not room.sweep().troubles
    assert room.mailbox.asked[broken] == 3
    for _ in range(20):
        room.sweep()
    assert room.mailbox.asked[broken] == 4
    had = len(room.letters(GWEN))
    room.mailbox.broken = set()
    [came] = room.sweep(timedelta(hours=1)).troubles
    assert came.startswith("The mail that could not be had has come at last") and not room.arena.index.withheld.all()
    answer = flat(room.last(ADA))
    assert "in time, and could be read only when the phase had closed" in answer and "our fault, not yours" in answer
    assert "Orders of Ada came in time" in flat("\n".join(room.letters(GWEN)[had].body))


def test_where_the_report_has_gone_out_its_writer_reads_whose_fault_it_is(room: Room) -> None:
    """No set of a phase that is over can count any more; the mail is answered, and no other mail says so."""
    room.found("ada", "bo")
    room.mailbox.broken = {room.write(ADA, "bid 3").name}
    room.write(BO, "bid 2")
    for _ in range(4):
        room.sweep(timedelta(days=1))
    assert room.table().number > 1
    room.mailbox.broken = set()
    room.sweep(timedelta(hours=2))
    told = flat(room.last(ADA))
    assert "Your mail answers a letter of a phase that is closed." in told
    assert "which could not hand it out until now. That is our fault, not yours." in told
    room.write(ADA, "bid 1")
    room.sweep()
    assert "our fault" not in flat(room.last(ADA))


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("seat", [ADA, BO])
@pytest.mark.parametrize(
    ("text", "is_told"), some(4, [("bid 3", True), ("press to all: hello end press\n\nbid 2", True), ("status", False)])
)
def test_where_the_report_has_gone_out_the_moderator_reads_whose_fault_it_is(
    room: Room, seat: str, text: str, is_told: bool, is_over: bool
) -> None:
    """Once, of orders alone: whose they are and when they came, never what they are; of no other late mail."""
    room.found("ada", "bo")
    came = room.write(seat, text)
    room.mailbox.broken = {came.name}
    for _ in range(4 if not is_over else 40):
        room.sweep(timedelta(days=1))
        if is_over and room.table().status != "over":
            room.write(BO if seat == ADA else ADA, "bid 1")
    assert (room.table().status == "over") is is_over and room.table().number > 1
    had = len(room.letters(GWEN))
    room.mailbox.broken = set()
    for _ in range(3):
        room.sweep(timedelta(hours=2))
    if not is_over:
        late = room.write(seat, "bid 1", to=room.reply_to(seat, "TIDE 1: what is asked"))
        assert late.name not in room.arena.kept_back
        room.sweep()
    told = ["\n".join(letter.body) for letter in room.letters(GWEN)[had:] if "late orders" in letter.subject]
    assert len(told) == is_told
    for words in map(flat, told):
        name = {ADA: "Ada", BO: "Bo"}[seat]
        assert f"Orders of {name} for a phase that is over had reached our mail server: Mon 23 Nov" in words, words
        assert "our fault" in words and "bid" not in words


def test_it_is_told_once_and_health_tells_it_until_it_has_gone(due: Room) -> None:
    """Whoever runs the arena has one line of it in one letter."""
    room, [broken] = due, [*due.mailbox.broken]
    around = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT, steady(room))
    for _ in range(4 * 24 * 3):
        room.clock.advance(timedelta(minutes=15))
        around.wake()
    lines = [line for letter in room.letters(MOD) for line in letter.body if "cannot be had" in line]
    assert len(lines) == 1
    assert [one for one in ills(room) if one.startswith("1 mail lies in the mailbox since 2026-11-2")]
    room.mailbox.waiting = [mail for mail in room.mailbox.waiting if mail.name != broken]
    room.clock.advance(timedelta(minutes=1))
    around.wake()
    assert not ills(room)


def test_a_mailbox_that_hands_out_nothing_closes_no_phase(due: Room) -> None:
    """Then no single mail is to blame, however long it lasts; what came after the deadline holds up nothing."""
    room = due
    room.mailbox.broken |= {mail.name for mail in room.mailbox.waiting}
    room.mailbox.marked.clear()
    for _ in range(9):
        assert room.sweep().away and room.table().status == "open"
    room.mailbox.broken = set()
    room.sweep()
    assert room.table().status == "closed" and not room.table().nmr


def test_mail_that_came_after_the_deadline_holds_up_nothing(due: Room) -> None:
    """So nobody can keep a phase open by mails that cannot be had."""
    room = due
    room.mailbox.broken = set()
    room.sweep(timedelta(seconds=1))
    room.clock.advance(timedelta(days=1))
    room.mailbox.broken = {room.write(ADA, "bid 4").name}
    room.sweep()
    assert room.table().status == "closed"


def test_what_was_taken_and_cannot_be_marked_is_not_kept_for_ever(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several mails those are tried again that the mailbox still holds."""
    room.found("ada", "bo")
    mails = [room.write(ADA, "bid 3"), room.write(BO, "bid 2")]
    real = room.mailbox.mark

    def failing(some: Sequence[Mail]) -> None:
        real([mail for mail in some if mail.name != mails[0].name])
        raise MailboxError("one of them stays")

    monkeypatch.setattr(room.mailbox, "mark", failing)
    room.sweep()
    room.sweep()
    assert room.arena.unmarked.keys() == {mails[0].name} and room.table().number == 2


def test_a_file_of_a_maildir_that_cannot_be_read_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others come, and it is named; where none can be read, and none that was marked, the disk is to blame."""
    for folder in ("new", "cur", "tmp"):
        (tmp_path / folder).mkdir()
    for name in "abc":
        (tmp_path / "new" / name).write_bytes(b"Subject: x\r\n\r\n" + name.encode())
    box = MaildirMailbox(tmp_path)
    real = box._read
    bad = {"b"}

    def read(lying: Any) -> Mail | None:
        if lying.name in bad:
            raise OSError(5, "Input/output error")
        return real(lying)

    monkeypatch.setattr(box, "_read", read)
    assert [mail.name for mail in box.fetch(2)] == ["a", "c"] and [*box.withheld] == ["b"]
    bad |= {"a", "c"}
    with pytest.raises(MailboxError, match="disk failed"):
        box.fetch(10)
    (tmp_path / "cur" / "d:2,S").write_bytes(b"Subject: x\r\n\r\nd")
    assert box.fetch(10) == [] and box.withheld.keys() == bad
