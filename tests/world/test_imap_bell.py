"""What the bell of an IMAP account promises, held against Dovecot: it rings when mail comes, and stops when told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from pbem.terms import MailboxError
from pbem.world.imap import bell as room
from pbem.world.imap.bell import ImapBell
from tests.imap_scene import Scene, mail, once
from tests.servers import Dovecot, running

LONG = 20
"""Seconds that no test waits, unless it fails."""
SHORT = 0.05


def at_idle(bell: ImapBell, then: Callable[[], object]) -> None:
    """Let something happen once the server has begun to idle for a bell."""
    real, waiting = bell._listen, [then]

    def listen(client: object, seconds: float) -> bool:
        if waiting:
            waiting.pop()()
        return real(client, seconds)

    bell._listen = listen  # type: ignore[method-assign]


@pytest.mark.parametrize("tls", ["none", "starttls", "tls"])
def test_it_rings_when_mail_comes(scene: Scene, tls: str) -> None:
    """A delivery ends the wait long before its time, in clear and in both kinds of TLS."""
    port = scene.dovecot.imaps if tls == "tls" else scene.dovecot.imap
    bell = scene.bell(tls=tls, port=port, ca_file=str(scene.dovecot.ca))
    at_idle(bell, lambda: scene.dovecot.deliver(scene.user, mail("a")))
    begun = time.monotonic()
    assert bell.wait(LONG)
    assert time.monotonic() - begun < LONG / 2
    assert scene.dovecot.flags(scene.user) == [set()]


def test_mail_that_came_between_two_waits_rings_at_once_and_once(scene: Scene) -> None:
    """What came while nobody waited is not left to the next poll; what rang already does not ring again."""
    bell = scene.bell()
    assert not bell.wait(SHORT)
    scene.put(mail("a"))
    assert bell.wait(LONG)
    assert not bell.wait(SHORT)
    at_idle(bell, lambda: scene.dovecot.deliver(scene.user, mail("b")))
    assert bell.wait(LONG)
    assert not bell.wait(SHORT)


def test_it_does_not_ring_for_what_we_do_ourselves(scene: Scene) -> None:
    """Flags that change, and mail that is moved away, are no mail that came."""
    scene.put(mail("a"), mail("b"))
    box = scene.mailbox()
    mails = box.fetch(10)
    bell = scene.bell()

    def tidy() -> None:
        box.mark(mails[:1])
        with scene.dovecot.session(scene.user) as client:
            client.add_flags(client.search(), [b"\\Flagged"])

    at_idle(bell, tidy)
    assert not bell.wait(1)  # Dovecot tells of changes after half a second


def test_stopping_ends_a_wait_from_another_thread_and_all_later_ones(scene: Scene) -> None:
    """Whoever ends the program does not wait for mail."""
    bell = scene.bell()
    thread = threading.Thread(target=bell.stop)
    at_idle(bell, thread.start)
    begun = time.monotonic()
    assert not bell.wait(LONG)
    assert not bell.wait(LONG)
    assert time.monotonic() - begun < LONG / 2
    thread.join()
    bell.close()
    bell.stop()


def test_idle_is_renewed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long wait IDLE is ended and begun again on the same connection, and mail still rings."""
    monkeypatch.setattr(room, "RENEW", 0.05)
    wire = scene.wire()
    bell = scene.bell(port=wire.port)
    assert not bell.wait(0.3)
    assert 3 <= wire.said.count(b"IDLE\r\n") == wire.said.count(b"DONE\r\n")
    assert wire.met == 1
    at_idle(bell, lambda: scene.dovecot.deliver(scene.user, mail("a")))
    assert bell.wait(LONG)


@pytest.mark.parametrize("hang_up", [True, False])
def test_a_line_that_breaks_while_we_wait_is_told(scene: Scene, hang_up: bool) -> None:
    """The wait ends with a sentence, and the next one begins on a new connection."""
    wire = scene.wire()
    bell = scene.bell(port=wire.port)
    at_idle(bell, wire.hang_up if hang_up else scene.dovecot.restart)
    with pytest.raises(MailboxError, match=r"^127\.0\.0\.1 broke off"):
        bell.wait(LONG)
    scene.put(mail("a"))
    assert bell.wait(LONG)


def test_a_line_that_broke_between_two_waits_is_made_again(scene: Scene) -> None:
    """A server that ended the connection meanwhile costs nothing."""
    wire = scene.wire()
    bell = scene.bell(port=wire.port)
    assert not bell.wait(SHORT)
    wire.hang_up()
    assert not bell.wait(SHORT)
    assert wire.met == 2


@pytest.mark.parametrize("word", [b"+ idling", b"OK [READ-ONLY]"])
def test_mail_that_comes_as_we_begin_to_wait_rings(scene: Scene, word: bytes) -> None:
    """Before the server began to idle or in the same moment: it rings, at the latest when the time is over."""
    wire = scene.wire()
    bell = scene.bell(port=wire.port)
    wire.change = once(word, lambda: scene.dovecot.deliver(scene.user, mail("a")))
    assert bell.wait(1)


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
            bell.wait(LONG)
    assert wire.met == 2
    scene.close()
