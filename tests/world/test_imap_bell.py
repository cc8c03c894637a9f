"""What the bell of an IMAP account promises, held against Dovecot: it rings when mail comes, and stops when told."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue

import pytest

from pbem.ground.terms import MailboxError
from pbem.world.imap import bell as room
from pbem.world.imap.bell import ImapBell
from tests.imap_scene import Scene, mail, once
from tests.servers import Dovecot, running

LONG = 60
"""Seconds that no test waits, unless it fails."""
SOON = 20
"""Seconds in which it has to ring; Dovecot says after two minutes of silence that it is still here."""
QUIET = 1
"""Seconds of silence that are silence: Dovecot tells of changes after half a second."""
TALK = b"* OK Still here\r\n" * 1000
"""More than the library reads along with a line."""


class Rings:
    """What somebody hears who listens to a bell: its rings, and how it ended."""

    def __init__(self) -> None:
        self.heard: SimpleQueue[float] = SimpleQueue()
        self.ended: MailboxError | None = None

    def once(self) -> None:
        """Wait until it rings."""
        self.heard.get(timeout=SOON)

    def no_more(self) -> bool:
        """Say whether it is silent now, whatever it rang before."""
        while not self.heard.empty():
            self.heard.get()
        try:
            self.heard.get(timeout=QUIET)
        except Empty:
            return True
        return False


@contextmanager
def listening(bell: ImapBell) -> Iterator[Rings]:
    """Listen to a bell in a thread of its own, until it ends or is stopped."""
    rings = Rings()

    def listen() -> None:
        try:
            bell.listen(lambda: rings.heard.put(time.monotonic()))
        except MailboxError as error:
            rings.ended = error

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield rings
        bell.stop()
    finally:
        thread.join(LONG)
    assert not thread.is_alive()


@pytest.mark.parametrize("tls", [*(pytest.param(how, marks=pytest.mark.sweep) for how in ("none", "starttls")), "tls"])
def test_it_rings_when_mail_comes(scene: Scene, tls: str) -> None:
    """Once as it begins to listen, and for each delivery, in clear and in both kinds of TLS; it marks nothing."""
    port = scene.dovecot.imaps if tls == "tls" else scene.dovecot.imap
    with listening(scene.bell(tls=tls, port=port, ca_file=str(scene.dovecot.ca))) as rings:
        for word in ("a", "b"):
            rings.once()
            scene.dovecot.deliver(scene.user, mail(word))
        rings.once()
        assert rings.no_more()
    assert scene.dovecot.flags(scene.user) == [set(), set()]


@pytest.mark.parametrize("word", [b"OK [READ-ONLY]", b"+ idling"])
def test_mail_that_comes_as_it_begins_to_listen_is_there_when_it_rings(scene: Scene, word: bytes) -> None:
    """Before the server began to idle or in the same moment: a ring comes after it, and long before the next "Still here"."""
    came = []

    def deliver() -> None:
        scene.dovecot.deliver(scene.user, mail("a"))
        came.append(time.monotonic())

    wire = scene.wire()
    wire.change = once(word, deliver)
    with listening(scene.bell(port=wire.port)) as rings:
        until = time.monotonic() + SOON
        while not came or rings.heard.get(timeout=SOON) < came[0]:
            assert time.monotonic() < until


def test_what_we_do_ourselves_keeps_it_ringing_for_a_moment_only(scene: Scene) -> None:
    """Flags that change, and mail that is moved away, may ring, but whoever looks then finds nothing to do."""
    scene.put(mail("a"), mail("b"))
    box = scene.mailbox()
    mails = box.fetch(10)
    with listening(scene.bell()) as rings:
        rings.once()
        box.mark(mails[:1])
        rings.once()
        assert rings.no_more()


def test_a_server_that_talks_without_end_keeps_nobody_busy(scene: Scene) -> None:
    """Whenever IDLE begins it has something to tell; it rings four times a second at the most."""
    wire = scene.wire()
    wire.change = lambda data: data + TALK if b"+ idling" in data else data
    with listening(scene.bell(port=wire.port)) as rings:
        times = [rings.heard.get(timeout=SOON) for _ in range(4)]
    assert times[-1] - times[0] >= 3 * room.LEAST


def test_stopping_ends_it_from_another_thread_and_at_all_later_times(scene: Scene) -> None:
    """Whoever ends the program does not wait for mail."""
    bell = scene.bell()
    begun = time.monotonic()
    with listening(bell) as rings:
        rings.once()
    bell.listen(lambda: None)
    assert time.monotonic() - begun < SOON
    bell.close()
    bell.stop()


def test_idle_is_renewed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long silence IDLE is ended and begun again on the same connection, and mail still rings."""
    monkeypatch.setattr(room, "RENEW", 0.05)
    monkeypatch.setattr(room, "LEAST", 0.05)
    wire = scene.wire()
    with listening(scene.bell(port=wire.port)) as rings:
        for _ in range(4):
            rings.once()
    assert 4 <= wire.said.count(b"IDLE\r\n") == wire.said.count(b"DONE\r\n")
    assert wire.met == 1


@pytest.mark.parametrize("hang_up", [True, False])
def test_a_line_that_breaks_is_told(scene: Scene, hang_up: bool) -> None:
    """It ends with a sentence, and listens the next time on a new connection."""
    wire = scene.wire()
    bell = scene.bell(port=wire.port)
    with listening(bell) as rings:
        rings.once()
        (wire.hang_up if hang_up else scene.dovecot.restart)()
        until = time.monotonic() + SOON
        while not rings.ended:
            assert time.monotonic() < until
    assert str(rings.ended).startswith("127.0.0.1 broke off")
    bell.listen(lambda: rings.heard.put(0))
    rings.once()


def test_a_line_that_broke_meanwhile_is_made_again(scene: Scene) -> None:
    """A server that ended the connection between two times of listening costs nothing."""
    wire = scene.wire()
    bell = scene.bell(port=wire.port)
    bell.stop()
    bell.listen(lambda: None)
    wire.hang_up()
    bell.listen(lambda: None)
    assert wire.met == 2


@pytest.fixture(scope="module")
def without_idle() -> Iterator[Dovecot]:
    """A server that tells of new mail only when asked."""
    with running(Dovecot(capability="IMAP4rev1 MOVE")) as server:
        yield server


def test_a_server_without_idle_is_told(dovecot: Dovecot, without_idle: Dovecot) -> None:
    """The sentence says that polling goes on; the server is not asked again and again."""
    scene = Scene(without_idle)
    wire = scene.wire()
    bell = scene.bell(port=wire.port)
    for _ in range(5):
        with pytest.raises(MailboxError, match=r"127\.0\.0\.1 does not tell of new mail \(IDLE\); each poll looks"):
            bell.listen(lambda: None)
    assert wire.met == 2
    scene.close()
