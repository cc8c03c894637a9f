"""What became of one mail: a line of the log for each, and its whole story from the files."""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.daemon import Daemon
from pbem.hall.keeping import tracing
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.store.arena import Doors
from pbem.letters.reading import read
from pbem.testing.room import ARENA
from tests.conftest import Room

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
BODIES = (
    "bid 3 Zanzibar",
    "status",
    "Zanzibar",
    "bid Zanzibar\nwait",
    "undo\nnote Zanzibar",
    "join tide-1 as Zanzibar",
)


class Lines:
    """A log that keeps its events."""

    def __init__(self) -> None:
        """Begin with none."""
        self.told: list[dict[str, Any]] = []

    def info(self, event: str, **known: Any) -> None:
        """Keep an event."""
        self.told.append({"event": event, **known})

    warning = info


@given(st.lists(st.tuples(st.sampled_from((ADA, BO, GWEN, "eve@example.net")), st.sampled_from(BODIES),
                          st.booleans()), min_size=1, max_size=5))  # fmt: skip
def test_the_log_has_one_line_a_mail_and_no_word_of_it(begun: Room, mails: list[tuple[str, str, bool]]) -> None:
    """Whoever wrote, whatever became of it: its Message-ID once, no address, no token, nothing that it says."""
    with TemporaryDirectory() as folder:
        room, log = begun.copied(Path(folder) / "arena"), Lines()
        tokens = {read(raw).subject + room_reply(raw) for _, raw in room.outbox.sent}
        sent = [
            room.write(who, f"{text} {place}", to="" if keyed and who != "eve@example.net" else ARENA)
            for place, (who, text, keyed) in enumerate(mails)
        ]
        Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), log).wake()
        heard = [one for one in log.told if one["event"] == "mail"]
        assert sorted(one["message_id"] for one in heard) == sorted(read(mail.raw).message_id for mail in sent)
        shown = str(log.told)
        assert "Zanzibar" not in shown and "ada@" not in shown and "eve@" not in shown
        assert not any(part in shown for token in tokens for part in token.split(".") if len(part) == 16)
        for mail in sent:
            assert len(tracing.story(room.arena, read(mail.raw).message_id)) >= 2
        room.arena.close()


def room_reply(raw: bytes) -> str:
    """Return the local part that a letter is answered to, whose last piece is a token."""
    return next(line for line in raw.decode().split("\r\n") if line.startswith("Reply-To: "))[10:].partition("@")[0]


def test_a_mail_is_traced_from_its_arrival_to_the_answer(room: Room) -> None:
    """Where it lies, which entry it became, whose, and when its letter left; the same with or without brackets."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 3")
    room.sweep()
    wanted = read(mail.raw).message_id
    kept, entry, letter = tracing.story(room.arena, wanted)
    assert kept == f"kept as games/tide-1/post/in/{mail.digest}.eml"
    assert entry == "tide-1, entry 7: OrdersReceived of ada, applied, arrived 2026-11-23 12:02 UTC"
    assert letter == "  letter tide-1.7.receipt.ada; 2026-11-23 12:03 UTC: delivered"
    assert tracing.story(room.arena, wanted.strip("<>")) == [kept, entry, letter]
    assert tracing.story(room.arena, "<nobody@example.org>") == tracing.story(room.arena, "") == []


def test_a_mail_without_effect_and_a_letter_of_ours_have_a_story(room: Room) -> None:
    """A stranger's mail, one that came twice, one whose letter waits, and a letter of ours by its own name."""
    room.found("ada", "bo")
    stray = room.write("eve@example.net", "hello", to=ARENA)
    room.mailbox.deliver(stray.raw, room.clock.now())
    room.sweep()
    kept, *told = tracing.story(room.arena, read(stray.raw).message_id)
    assert kept.startswith("kept as in/")
    assert [line.partition(",")[0] for line in told[:2]] == ["at the desk: stranger", "at the desk: duplicate"]
    assert told[2].startswith("among the strays: stranger") and "delivered" in told[3]
    room.outbox.down = True
    late = room.write(ADA, "bid 2")
    room.sweep(timedelta(hours=1))
    assert tracing.story(room.arena, read(late.raw).message_id)[-1].endswith("receipt.ada; not sent yet")
    (ours,) = tracing.story(room.arena, room.letters(BO)[-1].message_id)
    assert ours.startswith(f"a letter of ours to {BO}; ") and ours.endswith(": delivered")


def test_a_mail_that_is_set_aside_has_its_line(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, at the sweep that gives it up; before that it only waits."""
    log = Lines()
    around = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), log)

    def broken(*_: Any) -> None:
        raise ValueError

    monkeypatch.setattr(unpacking, "unpack", broken)
    room.write("eve@example.net", "hello", to=ARENA)
    for _ in range(4):
        around.wake()
    assert [one["became"] for one in log.told if one["event"] == "mail"] == ["set aside"]
