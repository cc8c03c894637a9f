"""Raw mail that belongs to nobody goes after two weeks, or when it is too much; what a game took stays."""

import re
from datetime import timedelta

import pytest

from pbem.ground.terms import Mail, ShelfError
from pbem.hall.keeping import mail_audit
from pbem.hall.mail.incoming.desk import pending, purging
from pbem.hall.mail.outgoing import merging
from pbem.hall.store import append_only
from pbem.testing.room import ARENA
from tests.conftest import Room

ADA, BO, EVE = "ada@example.org", "bo@example.org", "eve@example.com"


def lying(room: Room) -> set[str]:
    """Return the raw mails that are kept, wherever."""
    return {path.stem for path in room.root.rglob("*.eml") if path.parent.name == "in"}


def test_mail_of_nobody_goes_after_two_weeks(room: Room) -> None:
    """With the reason why it was set aside; the games' own mail stays, and what is known is known still."""
    room.found("ada", "bo")
    played = room.write(ADA, "bid 3")
    strangers = [room.write(EVE, f"hats {n}", to=ARENA, subject="hats") for n in range(3)]
    to_the_game = room.write(EVE, "hats", to=ARENA, subject="[tide-1] hats")
    lost = room.write(BO, "bid 1", to=ARENA, subject="[tide-1]")
    again = room.mailbox.deliver(played.raw, played.arrived)
    room.sweep()
    nobody = {mail.digest for mail in (*strangers, to_the_game)}
    assert nobody | {played.digest} <= lying(room) and again.digest == played.digest
    room.sweep(timedelta(days=13))
    assert nobody <= lying(room)
    room.sweep(timedelta(days=2))
    assert not nobody & lying(room) and {played.digest, lost.digest} <= lying(room)
    assert not {path.stem for path in (room.root / "strays").iterdir()} & nobody
    before = len(room.outbox.sent)
    room.mailbox.deliver(strangers[0].raw, room.clock.now())
    room.sweep()
    assert len(room.outbox.sent) == before


def test_of_too_much_the_oldest_goes_first(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the day, and never what waits or what a game has taken."""
    monkeypatch.setattr(purging, "SPACE", 20_000)
    monkeypatch.setattr(purging, "MANY", 10)
    room.found("ada", "bo")
    played = room.write(ADA, "bid 3")
    room.sweep()
    mails = []
    for n in range(40):
        mails.append(room.write(EVE, f"{n}" + "x" * 1000, to=ARENA, subject="hats"))
        room.sweep()
    kept = lying(room)
    assert played.digest in kept
    left = [mail.digest in kept for mail in mails]
    assert left == sorted(left) and 10 <= sum(left) <= 30


def test_mail_that_was_set_aside_unread_stays(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody has yet to look at it."""
    from pbem.letters import reading

    def broken(raw: bytes) -> None:
        raise ValueError

    mail = room.write(EVE, "boom", to=ARENA, subject="hats")
    monkeypatch.setattr(reading, "read", broken)
    for _ in range(3):
        room.sweep()
    monkeypatch.undo()
    room.write(EVE, "hats", to=ARENA, subject="hats")
    room.sweep()
    room.sweep(timedelta(days=20))
    assert mail.digest in lying(room)


def test_a_disk_that_cannot_be_tidied_keeps_no_letter_back(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trouble is told, and letters go."""

    def broken(*_: object) -> None:
        raise ShelfError("the disk failed")

    for name in (purging, merging):
        monkeypatch.setattr(name, "purge" if name is purging else "merge", broken)
    room.write(EVE, "hats", to=ARENA, subject="hats")
    swept = room.sweep()
    assert swept.troubles == ["the disk failed"] * 2 and swept.sent == 1


@pytest.mark.parametrize(("many", "size"), [(30, 10), (8, 8_000)])
def test_forged_mail_that_waits_does_not_fill_the_disk(
    room: Room, monkeypatch: pytest.MonkeyPatch, many: int, size: int
) -> None:
    """So many of a name are kept, and so many bytes; who holds the token has room of their own, and waits longer."""
    monkeypatch.setattr(pending, "ROOM_BYTES", 40_000)
    room.found("ada", "bo")
    played = lying(room)
    for number in range(many):
        forged = room.write(ADA, f"bid {number}\n" + f"{'x' * 70}\n" * (size // 70), to=ARENA, subject="[tide-1]")
        unseen(room, forged)
    mine = room.write(ADA, "press to all: it is I end press", to=room.reply_to(ADA))
    unseen(room, mine, f"To: {room.reply_to(ADA)}", f"Delivered-To: {room.reply_to(ADA)}")
    room.sweep()
    kept = {one.cause: one.size for one in pending.held(pending.entries(room.arena)) if one.evidence == "none"}
    assert kept and len(kept) <= pending.ROOM and sum(kept.values()) <= pending.ROOM_BYTES
    room.sweep(timedelta(days=16))
    assert len(lying(room) - played) == 1 and mail_audit.audit(room.arena).exact
    asked = next(letter for letter in reversed(room.letters(ADA)) if ": press to all" in "\n".join(letter.body))
    digits = next(line for line in asked.body if line.startswith("| confirm"))
    room.write(ADA, digits[2:], to=room.reply_to(ADA, ": press to all"))
    room.sweep()
    assert room.table().log[-1].requests or "it is I" in str(room.table().log[-1].press)
    room.write(ADA, "confirm", to=room.reply_to(ADA, "| confirm"))
    room.sweep(timedelta(days=100))
    assert mail_audit.audit(room.arena).exact


def unseen(room: Room, mail: Mail, old: str = "", new: str = "") -> None:
    """Let a mail come without a word of our mail server about it, and a line of it be another."""
    raw = re.sub(rb"(?m)^Authentication-Results: .*\n", b"", mail.raw)
    raw = raw.replace(old.encode(), new.encode()) if old else raw
    room.mailbox.waiting.remove(mail)
    room.mailbox.deliver(raw, mail.arrived)


def test_what_came_to_the_desk_is_read_as_toml(room: Room) -> None:
    """In whatever order its keys stand, and whatever keys a newer release adds."""
    mail = room.write(EVE, "hats", to=ARENA, subject="hats")
    room.sweep()
    path = room.root / "desk" / "journal.toml"
    entry = append_only.read("entry", room.arena.shelf, *pending.JOURNAL)[0]
    path.write_bytes(append_only.encode("entry", {"colour": "red", **dict(reversed(entry.items()))}))
    room.sweep(timedelta(days=15))
    assert mail.digest not in lying(room)


def test_counts_of_past_days_are_forgotten(room: Room) -> None:
    """What was told to whom yesterday is no reason to grow."""
    room.write(EVE, "hats", to=ARENA, subject="hats")
    room.sweep()
    for _ in range(4):
        room.sweep(timedelta(days=1))
    days = {what[:10] for (what,) in room.arena.index._db.execute("select what from told")}
    assert len([day for day in days if day.startswith("2026")]) <= 2
