"""Letters that come back: what counts against whom, what is told, what clears it, and what no forger can do."""

import re
from datetime import timedelta

import pytest

from pbem.ground.terms import GameName, OutboxError, ShelfError
from pbem.hall.commands import status
from pbem.hall.mail.outgoing import sending
from pbem.hall.store.people import Contact
from pbem.hall.sweep.reindexing import reindex
from pbem.testing.room import ARENA
from pbem.world.index.outgoing import Outgoing
from tests.conftest import Room, flat
from tests.killing import Killed
from tests.letters.machine_mail import report

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


def contact(room: Room, address: str = BO) -> Contact:
    """Return what is known of a person."""
    person = room.arena.people.find(address)
    assert person
    return room.arena.people.contact(person)


def letters(room: Room, address: str = BO) -> list[bytes]:
    """Return the letters to somebody, oldest first."""
    return [raw for to, raw in room.outbox.sent if to == address]


def bounce(room: Room, raw: bytes, **more: str) -> None:
    """Let a letter of ours come back."""
    returned = raw.replace(b"\r\n", b"\n").decode()
    given = {"sender": "MAILER-DAEMON@mx.example.net", "subject": "Undelivered Mail", "text": "User unknown", **more}
    given.setdefault("recipient", BO)
    given["Message-ID"] = f"<bounce-{len(room.mailbox.marked)}@mx.example.net>"
    room.mailbox.deliver(report(returned=returned, **given), room.clock.now())
    room.sweep()


def lose_three(room: Room) -> None:
    """Let three letters to Bo come back: each a phase's."""
    for raw in letters(room)[-3:]:
        bounce(room, raw)


@pytest.fixture
def open_room(room: Room) -> Room:
    """A harbour game of Ada and Bo, in which Bo has had three letters."""
    room.found("ada", "bo")
    for text in ("bid 1", "status"):
        room.write(BO, text)
        room.sweep()
    assert len(letters(room)) >= 3
    return room


def test_three_letters_that_come_back_make_a_person_unreachable(open_room: Room) -> None:
    """The moderator is told once, with what to do; the game goes on; `pbem show` says so."""
    lose_three(open_room)
    assert contact(open_room).unreachable
    told = [letter for letter in open_room.letters(GWEN) if "cannot be reached" in letter.subject]
    assert [letter.subject for letter in told] == ["[tide-1] Bo cannot be reached"]
    text = flat("\n".join(told[0].body))
    assert "My last 3 letters to Bo (bo@example.org) could not be delivered" in text and "| excuse Bo" in text
    shown = status.as_text(status.facts_of(open_room.arena.ledger(GameName("tide-1")).table, open_room.arena.people))
    assert [("cannot be reached" in line) for line in shown.split("\n")[2:]] == [False, True]
    for raw in letters(open_room)[:2]:
        bounce(open_room, raw)
    assert sum("cannot be reached" in letter.subject for letter in open_room.letters(GWEN)) == 1
    assert any("comes back" in odd.what for odd in open_room.arena.index.counters.odd())
    open_room.write(GWEN, "excuse Bo")
    open_room.sweep()
    assert "bo" in open_room.table().excused


def test_two_letters_do_not_nor_the_same_one_three_times(open_room: Room) -> None:
    """Each letter counts once, by whatever route its bounce comes."""
    first, second = letters(open_room)[-2:]
    for raw in (first, second, first, second):
        bounce(open_room, raw)
    assert len(contact(open_room).returned) == 2 and not contact(open_room).unreachable


def test_a_mail_of_the_person_clears_it(open_room: Room) -> None:
    """One in between makes the count begin anew; one after it takes the mark off."""
    for raw in letters(open_room)[-2:]:
        bounce(open_room, raw)
    open_room.write(BO, "status")
    open_room.sweep()
    assert contact(open_room).returned == ()
    lose_three(open_room)
    assert contact(open_room).unreachable
    open_room.write(BO, "bid 2")
    open_room.sweep()
    assert contact(open_room).returned == () and open_room.table().sets.hand["bo"].orders == ("bid 2",)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("no mark", (rb"X-Pbem-Letter", b"X-Other")),
        ("a guessed mark", (rb"\.\w{16}$", b".aaaaaaaaaaaaaaaa")),
        ("the mark of another's letter", (rb"\.\w{24}\.", b".abcdefghijklmnopqrstuvwx.")),
        ("a letter that was never sent", (rb"tide-1\.", b"tide-2.")),
    ],
)
def test_a_forged_bounce_counts_for_nobody(open_room: Room, name: str, change: tuple[bytes, bytes]) -> None:
    """Message-ID, recipient and all else can be guessed; only the mark that a letter bears cannot."""
    for raw in letters(open_room)[-3:]:
        lines = raw.split(b"\r\n")
        forged = [re.sub(*change, line) if line.startswith(b"X-Pbem") else line for line in lines]
        assert forged != lines
        bounce(open_room, b"\r\n".join(forged))
    assert contact(open_room).returned == () and contact(open_room, ADA).returned == ()
    assert any("return no letter of ours" in odd.what for odd in open_room.arena.index.counters.odd())


def test_what_another_player_had_counts_against_that_player_alone(open_room: Room) -> None:
    """Whoever bounces a letter of their own, in whosever name, hurts nobody else."""
    for raw in letters(open_room, ADA)[-2:]:
        bounce(open_room, raw, recipient=BO)
    assert contact(open_room).returned == () and contact(open_room, ADA).returned == ()
    for raw in letters(open_room, ADA)[-2:]:
        bounce(open_room, raw, recipient=ADA)
    assert contact(open_room).returned == () and len(contact(open_room, ADA).returned) == 2


@pytest.mark.parametrize(("text", "counts"), [("User unknown", 0), (f"No such user (generated from {BO})", 1)])
def test_a_copy_that_fails_counts_only_where_our_address_is_named(open_room: Room, text: str, counts: int) -> None:
    """Bo sends copies to a friend whose mailbox is gone; or all of his mail goes on to one that is."""
    bounce(open_room, letters(open_room)[-1], recipient="friend@example.net", text=text)
    assert len(contact(open_room).returned) == counts


@pytest.mark.parametrize(("action", "status"), [("delayed", "4.4.1"), ("delivered", "2.0.0"), ("relayed", "2.0.0")])
def test_a_delay_counts_nothing(open_room: Room, action: str, status: str) -> None:
    """Nor does a notice that a letter was delivered."""
    for raw in letters(open_room)[-3:]:
        bounce(open_room, raw, action=action, status=status)
    assert contact(open_room).returned == ()


def test_a_letter_that_is_refused_to_our_face_counts_too(open_room: Room) -> None:
    """By a 5xx, or given up after days; a person who is gone stays known as such when the index is made anew."""
    open_room.outbox.fails[BO] = OutboxError("550 5.1.1 no such user", permanent=True)
    for _ in range(3):
        open_room.write(GWEN, "extend 1h")
        open_room.sweep()
    open_room.sweep()
    assert contact(open_room).unreachable
    open_room.reopen()
    reindex(open_room.arena)
    open_room.sweep()
    assert contact(open_room).unreachable
    assert sum("cannot be reached" in letter.subject for letter in open_room.letters(GWEN)) == 1


def test_to_somebody_who_is_gone_only_reports_go(open_room: Room) -> None:
    """Reminders and notices stay on file; the report goes out all the same, and so does an answer."""
    lose_three(open_room)
    before = len(letters(open_room))
    open_room.write(GWEN, "extend 1h")
    swept = open_room.sweep()
    assert len(letters(open_room)) == before and not swept.troubles
    assert not open_room.arena.index.outgoing.waiting()[0]
    open_room.write(ADA, "bid 3")
    open_room.sweep(timedelta(days=5))
    open_room.sweep()
    assert open_room.table().number == 2
    assert sum(b" wins" in raw or b".report." in raw for raw in letters(open_room)[before:]) == 1
    open_room.write(BO, "status", to=ARENA, subject="[tide-1]")
    open_room.sweep()
    assert "reply to this letter with this one line" in flat(open_room.last(BO))


def test_press_and_notices_go_out_when_the_person_writes(room: Room) -> None:
    """Once, and not the reminders, which are old by then."""
    room.found("ada", "bo")
    for _ in range(2):
        room.write(BO, "status")
        room.sweep()
    lose_three(room)
    before = len(letters(room))
    room.write(ADA, "press to all: are you there?\nend press")
    room.write(GWEN, "extend 1h")
    room.sweep()
    room.sweep(timedelta(days=2, hours=20))
    assert len(letters(room)) == before
    for _ in range(2):
        room.write(BO, "status")
        room.sweep()
    kinds = sorted(letter.message_id.split(".")[1] for letter in room.letters(BO)[before:])
    assert kinds == ["notice", "press", "receipt", "receipt"]
    assert list((room.root / "games" / "tide-1" / "post" / "out").glob("*.reminder.bo.eml"))


def test_a_moderator_who_is_gone_is_told_to_who_runs_the_arena(open_room: Room) -> None:
    """There is nobody else in the game to tell."""
    for raw in letters(open_room, GWEN)[:1]:
        bounce(open_room, raw, recipient=GWEN)
    for _ in range(2):
        open_room.write(GWEN, "status")
        open_room.sweep()
    lost = letters(open_room, GWEN)[-3:]
    before = len(letters(open_room, GWEN))
    for raw in lost:
        bounce(open_room, raw, recipient=GWEN)
    assert contact(open_room, GWEN).unreachable
    assert len(letters(open_room, GWEN)) == before
    assert any("gwen@example.org" in odd.what for odd in open_room.arena.index.counters.odd())


@pytest.mark.parametrize("ends", ["by the index", "by a kill"])
def test_a_letter_that_was_kept_goes_once_it_is_released_whatever_ends_a_sweep(room: Room, ends: str) -> None:
    """What was noted of it while it was kept is not taken for its having gone."""
    room.found("ada", "bo")
    ada = room.arena.people.find("ada@example.org")
    assert ada
    for nth in range(3):
        room.arena.people.note_returned(ada, f"tide-1.{nth}.report.ada")
    room.write("bo@example.org", "press to all: are you there?")
    room.sweep()
    room.write("guest@example.org", "what is this?", to="arena@example.org", subject="hello")
    if ends == "by the index":
        with pytest.MonkeyPatch.context() as patch, pytest.raises(ShelfError):
            patch.setattr(Outgoing, "remove", _cannot_be_written)
            room.sweep()
        room.write("ada@example.org", "status")
    else:
        room.write("ada@example.org", "status")
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            patch.setattr(sending, "send", _killed)
            room.sweep()
        room.reopen()
    room.sweep()
    room.sweep(timedelta(hours=1))
    said = [letter for letter in room.letters("ada@example.org") if "are you there?" in " ".join(letter.body)]
    assert len(said) == 1


def _cannot_be_written(*_: object) -> None:
    raise ShelfError("index.sqlite cannot be used")


def _killed(*_: object) -> None:
    raise Killed
