"""What a connection to an IMAP account promises: kept while it holds, made again with back-off, private, and told well."""

import socket
import ssl
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trustme

from pbem.ground.terms import MailboxError
from pbem.world.imap.account import BACK_OFF, REFUSED, SPREAD, RefusedError, describe
from pbem.world.login import Login
from tests.depth import some
from tests.imap_scene import Known, Scene, mail, once
from tests.servers import PASSWORD, Deaf, Wire

A = mail("a")


def test_one_connection_is_kept(scene: Scene) -> None:
    """Fetching and marking again and again is done over the connection that there is."""
    scene.put(A)
    wire = scene.wire()
    box = scene.mailbox(port=wire.port)
    box.mark(box.fetch(10))
    assert box.fetch(10) == []
    assert wire.met == 1


def test_closing_takes_leave_and_may_be_repeated(scene: Scene) -> None:
    """The server hears LOGOUT; afterwards a fetch makes a new connection."""
    wire = scene.wire()
    box = scene.mailbox(port=wire.port)
    box.close()
    box.fetch(10)
    box.close()
    box.close()
    assert b"LOGOUT" in wire.said
    assert box.fetch(10) == []
    assert wire.met == 2


def test_a_connection_that_was_ended_meanwhile_is_made_again_at_once(scene: Scene) -> None:
    """A server that restarts, or a router that forgets, between two fetches costs nothing, not even a complaint."""
    scene.put(A)
    wire = scene.wire()
    direct, wired = scene.mailbox(), scene.mailbox(port=wire.port)
    mails = direct.fetch(10)
    assert wired.fetch(10) == mails
    wire.hang_up()
    assert wired.fetch(10) == mails
    scene.dovecot.restart()
    assert direct.fetch(10) == wired.fetch(10) == mails
    scene.dovecot.restart()
    direct.mark(mails)
    assert direct.fetch(10) == []


def test_a_server_that_is_away_is_tried_less_and_less_often(scene: Scene) -> None:
    """No attempt is made before its time; each one at its time; and the first that succeeds ends it all."""
    scene.put(A)
    wire = scene.wire()
    wire.welcome = False
    box = scene.mailbox(port=wire.port)
    for number, pause in enumerate([*BACK_OFF, BACK_OFF[-1]], 1):
        with pytest.raises(MailboxError, match=rf"^127\.0\.0\.1:{wire.port} cannot be reached: it ended the conn"):
            box.fetch(10)
        assert wire.met == number
        if pause:
            scene.clock.now += pause - 0.01
            with pytest.raises(MailboxError, match="cannot be reached"):
                box.fetch(10)
            assert wire.met == number
        scene.clock.now += 0.02 + pause * SPREAD
    wire.welcome = True
    assert [got.raw for got in box.fetch(10)] == [A]
    wire.hang_up()
    wire.welcome = False
    for _ in range(2):  # the pauses begin anew
        with pytest.raises(MailboxError):
            box.fetch(10)
    assert wire.met == len(BACK_OFF) + 4


def test_nobody_at_the_port_is_told(scene: Scene) -> None:
    """A refused connection names host and port."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with pytest.raises(MailboxError, match=rf"^127\.0\.0\.1:{port} cannot be reached: .*refused"):
        scene.mailbox(port=port).fetch(1)


def test_a_wrong_password_is_not_tried_again_for_five_minutes(scene: Scene) -> None:
    """Whoever asks meanwhile hears the same; a password that was corrected counts at the next try."""
    scene.put(A)
    wire = scene.wire()
    secret = Known("wr0ng word")
    account = scene.account(scene.settings(port=wire.port), login=Login(scene.user, "password", secret))
    box = scene.mailbox()
    box._account = account
    for seconds in (0, 1, 200, REFUSED - 201.01):
        scene.clock.now += seconds
        with pytest.raises(RefusedError) as error:
            box.fetch(10)
        assert str(error.value) == (
            f"127.0.0.1 refused the login of {scene.user}. Correct user and password in the settings."
        )
        assert "wr0ng" not in "".join(_chain(error.value))
        assert (wire.met, secret.asked) == (1, 1)
    secret.secret = PASSWORD
    scene.clock.now += 0.02 + REFUSED * SPREAD
    assert [got.raw for got in box.fetch(10)] == [A]
    assert wire.met == 2


def _chain(error: BaseException | None) -> list[str]:
    """Write out an error, whatever led to it, whether it is shown or not, and the variables of all but us on the way."""
    if error is None:
        return []
    shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    frames = [frame for frame in shown.stack if frame.filename != __file__]
    return [
        str(error), repr(error), *map(repr, frames), *(repr(frame.locals) for frame in frames),
        *_chain(error.__cause__), *_chain(error.__context__),
    ]  # fmt: skip


@pytest.mark.parametrize("how", ["password", "xoauth2", "oauthbearer"])
@pytest.mark.parametrize(
    "answer",
    some(
        3, [b"NO no such thing as ECHO", b"BAD unknown: ECHO", b"NO [UNAVAILABLE] ECHO", b"* BYE ECHO", b"rubbish ECHO"]
    ),
)
def test_no_error_holds_the_secret(scene: Scene, how: Any, answer: bytes) -> None:
    """Not even where the server repeats what it heard, and not even in what a debugger would show of the frames."""
    secret = "hidden/t0ken"
    wire = scene.wire()

    def change(data: bytes) -> bytes:
        said = wire.said.split(b"\r\n")[:-1]
        if not said or b"CAPABILITY" in said[-1].upper() or data.startswith((b"+", b"* OK")):
            return data
        tag = next(line for line in said if b"AUTHENTICATE" in line).split(b" ")[0]
        words = answer.replace(b"ECHO", secret.encode() + said[-1])
        return (words if words[0:1] == b"*" else tag + b" " + words) + b"\r\n"

    wire.change = change
    settings = scene.settings(port=wire.port, login=how)
    account = scene.account(settings, login=Login(scene.user, how, Known(secret)))
    with pytest.raises(MailboxError) as error, account.client(lambda client: None):
        pass
    assert isinstance(error.value, RefusedError) == (answer.startswith((b"NO no", b"BAD")))
    words = "".join(_chain(error.value))
    assert secret not in words
    assert wire.said.split(b"\r\n")[-2].decode() not in words


def test_a_login_that_breaks_off_is_no_refusal(scene: Scene) -> None:
    """A connection that ends while we log in is made again after a moment, and nobody is told to correct a password."""
    wire = scene.wire()
    box = scene.mailbox(port=wire.port)
    wire.change = once(b"Logged in", wire.hang_up)
    with pytest.raises(MailboxError, match=rf"^127\.0\.0\.1 broke off at the login of {scene.user}") as error:
        box.fetch(1)
    assert not isinstance(error.value, RefusedError)
    assert box.fetch(1) == []


def test_without_plain_the_older_login_is_used(scene: Scene) -> None:
    """A server that knows LOGIN alone gets the password in quotes, as they have to be."""
    wire = scene.wire()
    wire.change = lambda data: data.replace(b"AUTH=PLAIN", b"AUTH=OTHER")
    assert scene.mailbox(port=wire.port).fetch(1) == []
    assert f'LOGIN {scene.user} "s3cret \\\\of\\" all"'.encode() in wire.said


def test_tls_from_the_first_byte_and_starttls(scene: Scene) -> None:
    """Both ways work with a certificate whose signer we were told, and nothing can be read on the way."""
    scene.put(A)
    ca = str(scene.dovecot.ca)
    for port, tls in ((scene.dovecot.imaps, "tls"), (scene.dovecot.imap, "starttls")):
        wire = scene.wire(port)
        assert [got.raw for got in scene.mailbox(port=wire.port, tls=tls, ca_file=ca).fetch(1)] == [A]
        assert b"a it is" not in wire.heard
        assert scene.user.encode() not in wire.said


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_an_unknown_signer_is_refused(scene: Scene, tls: str, tmp_path: Path) -> None:
    """Neither one that the system does not know, nor another than we were told; the sentence names the setting."""
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "other.pem"))
    wire = scene.wire(scene.dovecot.imaps if tls == "tls" else scene.dovecot.imap)
    for ca in ("", str(tmp_path / "other.pem")):
        with pytest.raises(
            MailboxError, match=r"its certificate does not hold \(.*\)\. Give its signer's certificate as ca_file"
        ):
            scene.mailbox(port=wire.port, tls=tls, ca_file=ca).fetch(1)
    assert b"AUTH" not in wire.said


def test_a_ca_file_that_is_none_is_told(scene: Scene, tmp_path: Path) -> None:
    """A file that is missing, or holds no certificate, is named; nobody connects."""
    (tmp_path / "text").write_text("hello")
    wire = scene.wire()
    for name, why in (("missing", "No such file"), ("text", "holds no certificate in PEM")):
        path = tmp_path / name
        with pytest.raises(MailboxError, match=rf"^{path} cannot be used: {why}.* Correct ca_file in settings\.toml"):
            scene.mailbox(tls="tls", ca_file=str(path), port=wire.port).fetch(1)
    assert wire.met == 0


def test_only_an_unknown_signer_is_cured_by_naming_one() -> None:
    """Where the certificate is of another host, or too old, we do not send people to the wrong setting."""
    error = ssl.SSLCertVerificationError()
    error.verify_code, error.verify_message = 62, "Hostname mismatch"
    assert describe(error) == "its certificate does not hold (Hostname mismatch)"


def test_a_server_that_hides_starttls_gets_no_password(scene: Scene) -> None:
    """Whoever is in between cannot talk us out of TLS."""
    wire = scene.wire()
    wire.change = lambda data: data.replace(b"STARTTLS", b"NOTHING!")
    with pytest.raises(MailboxError, match=r"speaks no TLS with us"):
        scene.mailbox(port=wire.port, tls="starttls", ca_file=str(scene.dovecot.ca)).fetch(1)
    assert scene.user.encode() not in wire.said
    assert b"AUTH" not in wire.said


@pytest.mark.parametrize("tls", ["none", "tls", "starttls"])
def test_a_server_that_says_nothing_is_given_up(scene: Scene, tls: str) -> None:
    """Patience ends, whatever we wait for: a greeting, or the other half of TLS."""
    deaf = Deaf()
    with pytest.raises(MailboxError, match="cannot be reached: it did not answer in time"):
        scene.account(scene.settings(port=deaf.port, tls=tls), patience=0.1).client(lambda client: None).__enter__()
    deaf.close()


@pytest.mark.parametrize("share", some(3, range(0, 100, 12)))
def test_a_server_that_falls_silent_is_given_up(scene: Scene, share: int) -> None:
    """Wherever it stops, with the connection open, patience ends; the next attempt is made at once, and whole."""
    scene.put(A, mail("b"))
    wire = scene.wire()
    box = scene.mailbox(port=wire.port)
    mails = box.fetch(10)
    wire.down, wire.holds = len(wire.heard) * share // 100, True
    box = scene.mailbox(port=wire.port)
    box._account._patience = 0.1
    with pytest.raises(MailboxError, match=r"did not answer in time|broke off at the login of user\d+: TimeoutError"):
        box.fetch(10)
    wire.down, wire.holds = None, False
    box._account._patience = 20
    assert box.fetch(10) == mails
    wire.hang_up()


@pytest.mark.parametrize(
    "greeting",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"* BYE too many of you\r\n", b"\r\n", b"\0\xff\r\n", b"* OK hi\r\n* X"],
)
def test_who_speaks_no_imap_is_told(scene: Scene, greeting: bytes) -> None:
    """A port with another service behind it gives a sentence on one line, in printable letters."""

    class Odd(Deaf):
        def talk(self, line: socket.socket) -> None:
            with suppress(OSError):  # whoever heard the first line may have left
                line.sendall(greeting)
                line.shutdown(socket.SHUT_WR)

    odd = Odd()
    with pytest.raises(MailboxError, match=rf"^127\.0\.0\.1:{odd.port} cannot be reached: ") as error:
        scene.mailbox(port=odd.port).fetch(1)
    assert str(error.value).isprintable()
    odd.close()


def test_a_fault_of_ours_is_no_trouble_of_the_servers(scene: Scene) -> None:
    """An error in whoever asks is not turned into a complaint about the mailbox, and the connection is made anew."""
    scene.put(A)
    wire = scene.wire()

    def asks(headers: bytes) -> bool:
        raise KeyError("ours")

    box = scene.mailbox(asks, dedicated=False, port=wire.port)
    with pytest.raises(KeyError):
        box.fetch(1)
    with pytest.raises(KeyError):
        box.fetch(1)
    assert wire.met == 2
    assert isinstance(wire, Wire)
