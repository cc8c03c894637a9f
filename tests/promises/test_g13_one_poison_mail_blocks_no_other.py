"""
G13. One poison mail costs at most three sweeps and never blocks another.

A poison mail is one that breaks us by a fault of ours, planted here at each stage of its way.
"""

import ctypes
import gc
import io
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pbem.daemon import Daemon
from pbem.ground.terms import TemplateError
from pbem.hall.keeping import mail_audit
from pbem.hall.mail.incoming.checks import intake
from pbem.hall.mail.incoming.desk import desk, no_game
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.mail.outgoing import filing
from pbem.hall.store.arena import Doors
from pbem.letters import reading
from pbem.table.incoming import player_lines, player_mail
from pbem.table.outgoing import owed
from pbem.testing.room import ARENA
from pbem.world import log
from pbem.world.mailbox import LARGEST
from tests.conftest import Room, flat, steady
from tests.depth import some
from tests.harbour import HarbourRules
from tests.imap_room import Inbox
from tests.letters.bombs import BOMBS, bomb
from tests.script import idle_disk
from tests.servers import Dovecot, installed, running

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"
CY = "cy@example.org"

Plant = tuple[Any, str]
STAGES: Mapping[str, Plant] = {
    "unpacked": (unpacking, "unpack"),
    "read": (reading, "read"),
    "told new from quoted": (reading, "written"),
    "admitted": (intake, "admit"),
    "taken": (player_mail, "take"),
    "parted": (player_lines, "sort"),
    "parsed": (HarbourRules, "parse"),
    "checked": (HarbourRules, "check"),
    "reckoned what it owes": (owed, "owed"),
}
"""Where a mail of a player can break us, up to its entry in the journal."""


def plant(monkeypatch: pytest.MonkeyPatch, where: ModuleType | type, name: str, mark: str = "71717") -> None:
    """Let a function break on whatever holds a mark."""
    sound = getattr(where, name)

    def breaks(*arguments: Any, **named: Any) -> Any:
        if any(mark in repr(_told(argument)) for argument in arguments):
            raise KeyError(mark)
        return sound(*arguments, **named)

    monkeypatch.setattr(where, name, breaks)


def _told(argument: Any) -> Any:
    """Leave out what stands for all mails alike, in whose words the mark may stand as well."""
    return "" if type(argument).__name__ in ("Arena", "Ledger", "Table", "Step", "HarbourRules") else argument


def told_of(room: Room, said: str, to: str = GWEN) -> int:
    """Count the letters whose subject says something."""
    return sum(said in letter.subject for letter in room.letters(to))


@pytest.mark.parametrize("stage", some(3, STAGES))
def test_a_fault_of_ours_costs_a_mail_three_sweeps(room: Room, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    """Another's mail is taken at once, so is the next of the same sender; the mail lies whole, and is told of once."""
    room.found("ada", "bo", name="tide-2")
    room.found("ada", "bo")
    with monkeypatch.context() as within:
        plant(within, *STAGES[stage])
        poison = room.write(BO, "bid 71717")
        room.write(ADA, "bid 3")
        room.write(EVE, "Good day. Which games are there?", to=ARENA, subject="games")
        assert any("KeyError at test_g13" in trouble for trouble in room.sweep().troubles)
        assert room.table().sets.hand["ada"].orders == ("bid 3",) and len(room.letters(EVE)) == 1
        room.write(BO, "status")
        assert room.sweep().troubles
        assert "You have no orders on hand." in room.last(BO), "the same sender's next mail"
        assert [waiting.digest for waiting in room.mailbox.waiting] == [poison.digest]
        assert room.sweep().troubles
        assert not room.mailbox.waiting
        assert not room.sweep().troubles
        room.write(BO, "bid 1")
        assert not room.sweep().troubles
        assert room.table().number == 2
    assert "broke us 3 times: KeyError" in (room.root / "strays" / f"{poison.digest}.txt").read_text()
    assert (room.root / "in" / f"{poison.digest}.eml").read_bytes() == poison.raw
    is_known = stage not in ("unpacked", "read")
    assert told_of(room, "a mail was set aside") == is_known
    assert told_of(room, "stands still") == 0
    room.mailbox.unmark(room.clock.now() - timedelta(days=1))
    assert not room.sweep().troubles, "mended, the mail is read when it comes again"


@pytest.mark.parametrize("stage", [(no_game, "put_on_desk"), (desk, "settle")])
def test_a_fault_at_the_desk_costs_a_strangers_mail_no_more(
    room: Room, monkeypatch: pytest.MonkeyPatch, stage: Plant
) -> None:
    """Other strangers are answered at once, and games go on."""
    room.found("ada", "bo")
    plant(monkeypatch, *stage)
    poison = room.write(EVE, "bid 71717", to=ARENA, subject="hello")
    room.write("fay@example.com", "hello", to=ARENA, subject="hello")
    room.write(ADA, "bid 3")
    for left in (1, 1, 0):
        assert room.sweep().troubles
        assert len(room.mailbox.waiting) == left
        assert len(room.letters("fay@example.com")) == 1 and room.table().sets.hand["ada"].orders == ("bid 3",)
    assert not room.letters(EVE)
    assert (room.root / "in" / f"{poison.digest}.eml").read_bytes() == poison.raw
    assert not room.sweep().troubles


def test_no_phase_is_closed_while_its_mail_could_not_be_taken(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline passes over a mail that broke us: the phase closes when that mail is done with."""
    room.found("ada", "bo")
    plant(monkeypatch, HarbourRules, "parse")
    room.write(BO, "bid 71717")
    room.sweep(timedelta(days=4))
    room.sweep()
    assert room.table().number == 1
    room.sweep()
    assert room.table().number == 2


def test_what_the_desk_answered_is_not_answered_again_while_a_mail_is_stuck(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lost token in the same batch as a mail that breaks us has its one letter."""
    room.found("ada", "bo")
    plant(monkeypatch, HarbourRules, "parse")
    room.write(BO, "bid 71717")
    room.write(ADA, "bid 3", to=ARENA, subject="tide-1")
    for _ in range(3):
        room.sweep()
    assert sum("Your mail to tide-1" in letter.body[0] for letter in room.letters(ADA)) == 1


def unwritable(monkeypatch: pytest.MonkeyPatch, error: Exception, is_meant: Callable[[Any], bool]) -> None:
    """Let some letters be such that we break as we write them."""
    sound = filing.body

    def breaks(arena: Any, step: Any, letter: Any, contact: Any) -> str:
        if is_meant(letter):
            raise error
        return sound(arena, step, letter, contact)

    monkeypatch.setattr(filing, "body", breaks)


@pytest.mark.parametrize("error", [KeyError("secret"), TemplateError("receipt.j2: no such fact")], ids=repr)
def test_a_letter_that_we_cannot_write_is_said_to_be_missing(
    room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The mail has its effect; its sender hears that the answer is missing, the moderator once which and why."""
    room.found("ada", "bo")
    with monkeypatch.context() as within:
        unwritable(within, error, lambda letter: letter.seat == "bo" and letter.template == "receipt")
        mail = room.write(BO, "bid 1")
        room.sweep()
        room.sweep()
    assert room.table().sets.hand["bo"].orders == ("bid 1",)
    assert not room.mailbox.waiting
    assert "A fault of mine keeps me from writing it" in flat(room.last(BO))
    assert told_of(room, "a letter could not be written") == 1
    assert "tide-1.7.receipt.bo" in room.last(GWEN) and "secret" not in room.last(GWEN)
    assert (room.root / "games" / "tide-1" / "post" / "in" / f"{mail.digest}.eml").read_bytes() == mail.raw
    room.write(BO, "status")
    room.write(ADA, "bid 3")
    room.sweep()
    assert room.table().number == 2


@pytest.fixture
def stuck(room: Room, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Two games; in one a set is on hand that breaks us when the phase ends."""
    adjudicate = HarbourRules.adjudicate

    def breaks(self: HarbourRules, state: Any, orders: Any, given: Any, dice: Any) -> Any:
        if any(order.coins == 7 for held in orders.values() for order in held):
            raise ZeroDivisionError(str(orders))
        return adjudicate(self, state, orders, given, dice)

    monkeypatch.setattr(HarbourRules, "adjudicate", breaks)
    room.found("ada", "bo", name="tide-2")
    room.found("ada", "bo")
    room.write(BO, "bid 7")
    room.write(ADA, "bid 3")
    room.sweep()
    return room


def test_a_fault_that_shows_as_a_phase_closes_stops_that_game_alone(stuck: Room) -> None:
    """It stands still and tells its moderator once a day, without the orders; other games and its own mail go on."""
    assert stuck.table().number == 1 and stuck.table().status == "open"
    for _ in range(3):
        assert any(
            "ZeroDivisionError at test_g13" in trouble for trouble in stuck.sweep(timedelta(minutes=11)).troubles
        )
    assert told_of(stuck, "stands still") == 1
    text = flat(stuck.last(GWEN))
    assert "ZeroDivisionError" in text and "coins" not in text and "| strike" in text
    for name in (ADA, BO):
        stuck.write(name, "bid 2", to=stuck.reply_to(name, "tide-2 BEGINS"), subject="Re: [tide-2] Tide 1")
    stuck.sweep()
    assert stuck.table("tide-2").number == 2


def test_the_player_of_such_a_set_can_replace_it(stuck: Room) -> None:
    """Before the deadline their next set counts, and the phase closes."""
    stuck.write(BO, "bid 1")
    assert not stuck.sweep(timedelta(minutes=11)).troubles
    assert stuck.table().number == 2 and stuck.table().state.hulks == {"ada": 1, "bo": 0}


@pytest.mark.parametrize("ruling", ["strike Bo 1 because it broke", "order Bo: bid 1 because it broke"])
def test_the_moderator_can_take_such_a_set_out(stuck: Room, ruling: str) -> None:
    """Also long after the deadline: one ruling, and the game goes on."""
    stuck.sweep(timedelta(days=5))
    assert stuck.table().number == 1
    stuck.write(GWEN, ruling, to=stuck.reply_to(GWEN, "[tide-1] Tide 1"), subject="Re: [tide-1] Tide 1")
    stuck.sweep()
    stuck.sweep(timedelta(minutes=11))
    assert stuck.table().number == 2


def test_a_report_that_we_cannot_write_stops_the_game_until_we_can(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it nobody could go on; it goes out, whole, once the fault is mended, and the mail was taken meanwhile."""
    room.found("ada", "bo")
    with monkeypatch.context() as within:
        unwritable(within, KeyError("report"), lambda letter: letter.template == "report")
        room.write(ADA, "bid 3")
        room.write(BO, "bid 1")
        for _ in range(4):
            assert room.sweep(timedelta(minutes=11)).troubles
        assert told_of(room, "stands still") == 1
    assert not room.sweep(timedelta(minutes=11)).troubles
    assert "TIDE 1" in room.last(ADA) and "TIDE 1" in room.last(BO)


def test_a_proof_that_we_cannot_write_stops_the_game_until_we_can(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can approve what they were not shown, so no letter goes in its place."""
    room.found("ada", "bo", review=("tide",))
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    with monkeypatch.context() as within:
        unwritable(within, KeyError("proof"), lambda letter: letter.template == "proof")
        room.write(GWEN, "overrule bid of bo = 5 because so")
        assert room.sweep(timedelta(minutes=11)).troubles and told_of(room, "stands still") == 1
    assert not room.sweep(timedelta(minutes=11)).troubles
    assert "Proof 2" in room.last(GWEN)


# Bombs in a mailbox that lives

MORE = 4 << 20
"""Bytes that a process may have grown by after it met all bombs a third time; the first two fill what is kept."""


def bombs(room: Room, size: int, every: int = 1) -> list[tuple[bytes, datetime]]:
    """Return bombs of a size, from a player to the game and from a stranger to the arena."""
    ways = ((CY, room.reply_to(CY, "[tide-1] Tide 1")), (EVE, ARENA))
    return [(bomb(name, size, *way), room.clock.now()) for name in [*BOMBS][::every] for way in ways]


def resident() -> int:
    """Return how many bytes of memory this process holds, without what it has free."""
    gc.collect()
    if hasattr(library := ctypes.CDLL(None), "malloc_trim"):  # of glibc
        library.malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) << 12


@pytest.mark.sweep
@pytest.mark.timeout(300)
def test_bombs_in_a_live_mailbox_harm_no_order(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, record_property: Callable[[str, object], None]
) -> None:
    """All of them lie between two orders at a real server; each is accounted for, and the third time costs no memory."""
    start = datetime(2020, 11, 23, 12, 0, tzinfo=UTC)  # Dovecot takes no stamp of the future
    room = Room(tmp_path / "arena", start=start)
    room.found("ada", "bo", "cy", close="at deadline")
    said, came = io.StringIO(), len(mail_audit.audit(room.arena).found)
    held: list[int] = []
    with idle_disk(), installed(), running(Dovecot()) as dovecot, closing(Inbox(room, dovecot)) as inbox:
        around = Daemon(room.arena, Doors(room.clock, inbox, room.outbox), log.to(said), steady(room))
        for size, every in ((10_000, 1), (10_001, 1), (10_002, 1), (LARGEST + 5_000, 7)):
            coins = len(held)
            room.write(ADA, f"bid {coins}", to=room.reply_to(ADA, "[tide-1] Tide 1"))
            inbox.put(bombs(room, size, every))
            room.write(BO, f"bid {9 - coins}", to=room.reply_to(BO, "[tide-1] Tide 1"))
            room.clock.advance(timedelta(minutes=1))
            swept = around.wake()
            came += swept.mails
            assert swept.mails == 2 + 2 * len([*BOMBS][::every]) and swept.drained
            assert not swept.troubles and not swept.still and not inbox.waiting
            hand = room.table().sets.hand
            assert (hand["ada"].orders, hand["bo"].orders) == ((f"bid {coins}",), (f"bid {9 - coins}",))
            taken = mail_audit.audit(room.arena)
            assert taken.exact and taken.came == came
            inbox.wire.said = inbox.wire.heard = b""  # else we would measure what it noted
            held.append(resident())
        while room.table().number == 1:
            assert not room.sweep(timedelta(hours=24)).troubles
    room.arena.close()
    assert held[2] - held[1] < MORE, held
    record_property("tried", f"{came} mails, most of them bombs; memory grew by {held[2] - held[1] >> 10} kB")
    assert "level=warning" not in said.getvalue() and not caplog.records, said.getvalue()
    assert not any(b"broke us" in path.read_bytes() for path in (room.root / "strays").glob("*.txt"))
