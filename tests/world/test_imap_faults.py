"""An account that finds fault: over its quota, told to leave, a folder refused; it costs time, and no mail or game."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.daemon import Daemon
from pbem.hall.keeping import mail_audit
from pbem.hall.store.arena import Doors
from pbem.world.log import SILENT
from tests.conftest import Room, flat
from tests.depth import some
from tests.imap_room import Inbox
from tests.keeping.test_digest import MOD, moderated
from tests.servers import Dovecot, installed, running

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"
LONG_AGO = datetime(2020, 11, 23, 12, 0, tzinfo=UTC)  # Dovecot takes no stamp of the future
FULL = (
    "127.0.0.1 does not move mail to Archive/Done: move failed: [OVERQUOTA] Quota exceeded (mailbox for user is full). "
    "Make room, or name another folder as processed in settings.toml; until then mail that is done with stays where it is."
)


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Room]:
    """A game of two in its first tide, in an arena with a moderator."""
    room = Room(tmp_path / "arena", start=LONG_AGO)
    room.found("ada", "bo")
    moderated(room)
    yield room
    room.arena.close()


def daemon(room: Room) -> Daemon:
    """Put a daemon around a room."""
    return Daemon(
        room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT, lambda: room.clock.now().timestamp()
    )


def wake(around: Daemon, room: Room, span: timedelta = timedelta(minutes=10)) -> list[str]:
    """Let time pass, ours and that of whoever waits for the server, and sweep; return what was wrong."""
    room.clock.advance(span)
    room.mailbox.clock.now += span.total_seconds()  # type: ignore[attr-defined]
    return around.wake().troubles


# Over quota


@pytest.fixture(scope="module")
def small() -> Iterator[Dovecot]:
    """A server whose accounts have an archive that takes five mails."""
    with installed(), running(Dovecot(room="5")) as server:
        yield server


def test_a_folder_over_its_quota_stops_no_game_and_drains_once_there_is_room(begun: Room, small: Dovecot) -> None:
    """
    Mail that cannot be moved is taken all the same, once; deadlines pass, and the moderator is told once a day.

    A process that starts meanwhile knows the mail that it finds.
    """
    room = begun
    with closing(Inbox(room, small, processed="Archive/Done")) as inbox:
        around = daemon(room)
        for coins in range(5):
            room.write(ADA, f"bid {coins}")
        assert not wake(around, room) and len(inbox.done) == 5
        before = len(room.letters(ADA))
        room.write(ADA, "bid 2")
        room.write(EVE, "Good day. Which games are there?", to="arena@example.org", subject="games")
        journal = room.root / "desk" / "journal.toml"
        assert wake(around, room) == [FULL]
        kept = journal.read_bytes()
        for _ in range(3):
            assert wake(around, room) == [FULL]
        assert len(inbox.waiting) == 2 and len(room.letters(ADA)) == before + 1 and len(room.letters(EVE)) == 1
        assert kept == journal.read_bytes(), "mail that is only passed over is not noted again and again"
        room.write(BO, "bid 3")
        assert wake(around, room) == [FULL]
        assert room.table().number == 2 and room.table().state.hulks == {"ada": 0, "bo": 1}
        room.reopen()
        moderated(room)
        around = daemon(room)
        assert wake(around, room) == [FULL]
        room.write(ADA, "bid 2")
        assert wake(around, room, timedelta(days=4)) == [FULL] and room.table().number == 3, "the deadline passes"
        told = [letter for letter in room.letters(MOD) if "Archive/Done" in "\n".join(letter.body)]
        assert len(told) == 1 and "times" in "\n".join(told[0].body)
        with small.session(inbox.user, "Archive/Done") as client:
            client.delete_messages(client.search())
            client.expunge()
        sent = len(room.outbox.sent)
        assert not wake(around, room) and not inbox.waiting
        assert len(room.outbox.sent) == sent and mail_audit.audit(room.arena).exact


# Told to leave, or that it cannot be now


@pytest.fixture
def inbox(begun: Room, dovecot: Dovecot) -> Iterator[Inbox]:
    """The room's mail at a server, with one order waiting."""
    with closing(Inbox(begun, dovecot)) as made:
        begun.write(ADA, "bid 3")
        yield made


def instead(inbox: Inbox, command: bytes, answer: bytes, times: int = 1) -> None:
    """Let the server answer a command otherwise, for so many times; whatever it does, it has done."""
    left = [answer] * times

    def change(data: bytes) -> bytes:
        last = inbox.wire.said.split(b"\r\n")[-2:-1]
        if left and last and command in last[0] and b"OK [CAPABILITY" not in data[:20]:  # a greeting is none
            return left.pop().replace(b"TAG", last[0].split(b" ")[0])
        return data

    inbox.wire.change = change


def is_settled(room: Room, inbox: Inbox) -> None:
    """Look whether the order was taken and answered once, and its mail put away."""
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    assert sum("bid of 3" in "\n".join(letter.body) for letter in room.letters(ADA)) == 1
    assert not inbox.waiting and len(inbox.done) == 1
    assert mail_audit.audit(room.arena).exact


COMMANDS = [b"AUTHENTICATE", b"SELECT", b"SEARCH", b"RFC822.SIZE", b"BODY.PEEK[]", b"MOVE"]


@pytest.mark.parametrize("command", some(3, COMMANDS))
def test_a_farewell_in_the_middle_costs_one_look(begun: Room, inbox: Inbox, command: bytes) -> None:
    """Whatever we had just asked, the next look goes on from there; the server's words are told, but for a login's."""
    instead(inbox, command, b"* BYE [UNAVAILABLE] going down (0.001 + 0.000 secs).\r\n")
    around = daemon(begun)
    [trouble] = wake(around, begun)
    assert trouble.startswith("127.0.0.1 broke off")
    assert trouble.endswith("it ended the connection." if command == b"AUTHENTICATE" else "[UNAVAILABLE] going down")
    assert not wake(around, begun)
    is_settled(begun, inbox)


@pytest.mark.parametrize(
    ("words", "todo"),
    some(
        2,
        [
            ("[UNAVAILABLE] later", "It is tried again."),
            ("[NONEXISTENT] no such folder", "Correct folder in settings.toml."),
        ],
    ),
)
def test_a_folder_that_is_refused_is_told_once_a_day(begun: Room, inbox: Inbox, words: str, todo: str) -> None:
    """However often it is asked for, what is told is the same sentence; mail waits for it, and deadlines with it."""
    instead(inbox, b"SELECT", f"TAG NO {words} (0.00% + 0.000 secs).\r\n".encode(), times=1000)
    seconds = iter(range(1000))
    spoilt = inbox.wire.change
    inbox.wire.change = lambda data: spoilt(data).replace(b"%", b"%d" % next(seconds))
    around = daemon(begun)
    said = f"INBOX at 127.0.0.1 cannot be opened: select failed: {words}. {todo}"
    for _ in range(4 * 3):
        assert wake(around, begun, timedelta(hours=8)) == [said]
    assert begun.table().number == 1
    letters = begun.letters(MOD)
    assert len(letters) == 4
    assert all(flat("\n".join(letter.body)).count("cannot be opened") == 1 for letter in letters)
    inbox.wire.change = bytes
    assert not wake(around, begun)
    assert begun.table().number == 2 and begun.table().state.hulks["ada"] == 1, "what came in time counts"


@pytest.mark.parametrize(
    ("words", "todo"),
    some(
        3,
        [
            ("Mailbox is locked by another session", "It is tried again."),
            ("Server Unavailable. 15", "It is tried again."),
            ("[SERVERBUG] Internal error occurred", "It is tried again."),
            ("[NONEXISTENT] no such folder", "Correct folder in settings.toml."),
            ("[NOPERM] not yours any more", "Correct folder in settings.toml."),
        ],
    ),
)
def test_a_folder_that_was_open_is_not_said_to_be_wrong(begun: Room, inbox: Inbox, words: str, todo: str) -> None:
    """A server that refuses it for the moment says so in its own words; only one that has no such folder is believed."""
    around = daemon(begun)
    assert not wake(around, begun)
    instead(inbox, b"SELECT", f"TAG NO {words}\r\n".encode(), times=2)
    begun.write(BO, "bid 1")
    assert wake(around, begun) == [f"INBOX at 127.0.0.1 cannot be opened: select failed: {words}. {todo}"]
    assert begun.table().number == 1
    assert not wake(around, begun)
    assert begun.table().number == 2 and begun.table().state.hulks["ada"] == 1, "what came in time counts"


@pytest.mark.parametrize(
    "answer",
    some(
        3,
        [
            b"TAG BAD User is authenticated but not connected.\r\n",
            b"TAG NO [EXPIRED] Your token holds no more.\r\n",
            b"* BYE Session expired, please log in again.\r\n",
        ],
    ),
)
def test_a_session_that_ran_out_is_begun_anew_without_a_word(begun: Room, inbox: Inbox, answer: bytes) -> None:
    """Tokens hold for an hour, and servers say so in their own ways; nobody is told to correct a folder for that."""
    around = daemon(begun)
    assert not wake(around, begun) and inbox.wire.met == 1
    instead(inbox, b"SELECT", answer)
    begun.write(BO, "bid 1")
    assert not wake(around, begun) and inbox.wire.met == 2
    assert begun.table().number == 2


BESIDES = [
    b"* OK [ALERT] Your mailbox is nearly full.",
    b"* NO [ALERT] Come and see us.",
    b"* BAD [ALERT] Somebody erred.",
    b"* 99 EXISTS",
    b"* 7 RECENT",
    b"* 1 EXPUNGE",
    b"* 1 FETCH (FLAGS (\\Seen))",
    b"* 1 FETCH (FLAGS (\\Seen) UID 1)",
    b"* FLAGS (\\Seen)",
    b"* XANYTHING (1 2 3)",
]
"""What a server may say at any time, whatever it was asked."""


def test_what_a_server_says_besides_changes_nothing(begun: Room, inbox: Inbox) -> None:
    """Alerts, other mail that comes and goes, flags of whomever: the answer is heard all the same."""
    heard: set[bytes] = set()

    def change(data: bytes) -> bytes:
        last = inbox.wire.said.split(b"\r\n")[-2:-1]
        if last and last[0] not in heard and any(command in last[0] for command in COMMANDS[1:]):
            heard.add(last[0])
            return b"\r\n".join([*BESIDES, data])
        return data

    inbox.wire.change = change
    around = daemon(begun)
    assert not wake(around, begun) and len(heard) >= len(COMMANDS[1:])
    is_settled(begun, inbox)


def test_a_certificate_that_changes_is_told_and_trusted_with_nothing(
    begun: Room, dovecot: Dovecot, small: Dovecot
) -> None:
    """Whoever stands where our server stood hears no password; when ours is back, all goes on."""
    with closing(Inbox(begun, dovecot, tls="tls", ca_file=str(dovecot.ca))) as inbox:
        around = daemon(begun)
        assert not wake(around, begun)
        begun.write(ADA, "bid 3")
        inbox.wire.leads_to(small.imaps)
        for _ in range(3):
            [trouble] = wake(around, begun)
            assert "its certificate does not hold" in trouble and "Give its signer's certificate as ca_file" in trouble
        assert f"user=<{inbox.user}>" not in small.log
        inbox.wire.leads_to(dovecot.imaps)
        assert not wake(around, begun)
        is_settled(begun, inbox)


# Refused at the door


@pytest.mark.parametrize(
    ("words", "most", "said"),
    some(
        2,
        [
            ("[AUTHENTICATIONFAILED] no", 12, "refused the login of {}. Correct user and password in the settings."),
            (
                "[ALERT] Log in by the web first",
                12,
                "refused the login of {}. Correct user and password in the settings.",
            ),
            ("[UNAVAILABLE] later", 18, "cannot take the login of {} just now."),
            ("[LIMIT] later", 18, "cannot take the login of {} just now."),
        ],
    ),
)
def test_a_refused_login_is_not_hammered(begun: Room, inbox: Inbox, words: str, most: int, said: str) -> None:
    """Looked for every minute of an hour, it is tried every five or six; the moderator hears of it once a day."""
    instead(inbox, b"AUTHENTICATE", f"TAG NO {words}\r\n".encode(), times=1000)
    around = daemon(begun)
    for _ in range(60):
        assert wake(around, begun, timedelta(minutes=1)) == [f"127.0.0.1 {said.format(inbox.user)}"]
    assert most - 5 <= inbox.wire.met <= most
    inbox.wire.change = bytes
    while wake(around, begun, timedelta(minutes=1)):
        assert inbox.wire.met <= most
    is_settled(begun, inbox)
    wake(around, begun, timedelta(hours=20))
    [letter] = begun.letters(MOD)
    assert flat("\n".join(letter.body)).count("the login of") == 1
