"""What the outbox promises, against a server that answers by a script: who is to blame, and whole letters."""

import base64
import re
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
import trustme

from pbem.ground.terms import OutboxError
from pbem.world.outbox import SmtpOutbox
from pbem.world.settings import OutboxSettings
from tests.conftest import outbox_at
from tests.depth import some
from tests.servers.scripted import STAGES, ScriptedServer

SENDER, ADA = "moderator@example.org", "ada@example.org"
LETTER = b"Subject: Round 3\n\nYour move.\n"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server that takes everything until told otherwise."""
    server = ScriptedServer()
    yield server
    server.close()


@pytest.fixture
def outbox(server: ScriptedServer) -> Iterator[SmtpOutbox]:
    """An outbox for it."""
    outbox = outbox_at(server.port, timeout=10)
    yield outbox
    outbox.close()


@pytest.mark.parametrize("stage", some(4, STAGES))
@pytest.mark.parametrize("answer", ["421 bye", "450 later", "452 full", "550 no", "554 no", "drop", "rubbish"])
def test_who_is_to_blame_and_that_it_can_be_tried_again(
    server: ScriptedServer, outbox: SmtpOutbox, stage: str, answer: str
) -> None:
    """
    Only 5xx at RCPT, at DATA and after the dot is for good; whatever happened, the next letter goes through.

    Rule: F18.
    """
    server.script = {stage: answer}
    with pytest.raises(OutboxError) as told:
        outbox.send(SENDER, ADA, LETTER)
    assert told.value.permanent == (answer[0] == "5" and stage in ("RCPT", "DATA", "dot"))
    assert server.taken == []
    server.script = {}
    outbox.send(SENDER, ADA, LETTER)
    assert len(server.taken) == 1


@pytest.mark.parametrize("stage", ["RCPT", "DATA", "dot"])
def test_a_refusal_keeps_the_connection_and_says_the_servers_words(
    server: ScriptedServer, outbox: SmtpOutbox, stage: str
) -> None:
    """A refused letter is told with recipient, code and words; the next uses the same connection."""
    server.script = {stage: "550 5.1.1 nobody\there\x1b[2J"}
    with pytest.raises(OutboxError, match=r"^127\.0\.0\.1 refused .*ada@example\.org: 550 5\.1\.1 nobody here\?\[2J$"):
        outbox.send(SENDER, ADA, LETTER)
    server.script = {}
    outbox.send(SENDER, ADA, LETTER)
    assert server.met == 1


@pytest.mark.parametrize("answer", some(3, ["530 log in first", "503 MAIL first", "421 closing"]))
@pytest.mark.parametrize("stage", ["RCPT", "DATA", "dot"])
def test_what_concerns_our_login_is_no_refusal_of_a_letter(
    server: ScriptedServer, outbox: SmtpOutbox, stage: str, answer: str
) -> None:
    """Codes that speak of the connection are for trying again, wherever they come; 421 ends it."""
    server.script = {stage: answer}
    with pytest.raises(OutboxError) as told:
        outbox.send(SENDER, ADA, LETTER)
    assert not told.value.permanent
    server.script = {}
    outbox.send(SENDER, ADA, LETTER)
    assert server.met == (2 if answer[:3] == "421" else 1)


def test_a_lost_answer_is_told_and_the_same_bytes_go_again(server: ScriptedServer, outbox: SmtpOutbox) -> None:
    """When the connection drops before the dot's answer, the letter may be there: a repeat is equal."""
    server.script = {"dot": "lose"}
    with pytest.raises(OutboxError, match="broke off the letter to ada@example.org") as told:
        outbox.send(SENDER, ADA, LETTER)
    assert not told.value.permanent
    server.script = {}
    outbox.send(SENDER, ADA, LETTER)
    assert server.taken[0] == server.taken[1]


@pytest.mark.parametrize("stage", some(3, STAGES))
def test_a_server_that_falls_silent_is_given_up(server: ScriptedServer, stage: str) -> None:
    """A server that does not answer, at whatever stage, costs a time limit and not the sweep."""
    server.script = {stage: "stall"}
    outbox = outbox_at(server.port, timeout=0.05)
    with pytest.raises(OutboxError, match="timed out") as told:
        outbox.send(SENDER, ADA, LETTER)
    assert not told.value.permanent
    outbox.close()


def test_the_last_answer_is_waited_for_longer(
    server: ScriptedServer, outbox: SmtpOutbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that thinks about a letter gets ten times the time, for hanging up would send it twice."""
    limits: list[float | None] = []
    limit = socket.socket.settimeout

    def note(line: socket.socket, seconds: float | None) -> None:
        limits.append(seconds)
        limit(line, seconds)

    outbox.send(SENDER, ADA, LETTER)
    monkeypatch.setattr(socket.socket, "settimeout", note)
    outbox.send(SENDER, ADA, LETTER)
    assert limits == [100, 10]


def test_nobody_listening_is_told_with_host_and_port() -> None:
    """Where no server is, the message says where we looked."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(OutboxError, match=rf"127\.0\.0\.1:{port} cannot be used: .*refused") as told:
        outbox_at(port).send(SENDER, ADA, LETTER)
    assert not told.value.permanent


def test_letters_share_one_connection(server: ScriptedServer, outbox: SmtpOutbox) -> None:
    """Letters go one transaction each over one connection, and closing says goodbye."""
    for _ in range(3):
        outbox.send(SENDER, ADA, LETTER)
    outbox.close()
    assert server.met == 1
    assert [line.split(" ")[0] for line in server.said] == ["ehlo", *["MAIL", "RCPT", "DATA"] * 3, "quit"]


@pytest.mark.parametrize("farewell", ["", "421 idle too long"])
def test_a_connection_that_was_lost_between_letters_is_opened_again(
    server: ScriptedServer, outbox: SmtpOutbox, farewell: str
) -> None:
    """The server may go away between letters, with or without a word: the second one gets through."""
    outbox.send(SENDER, ADA, LETTER)
    if farewell:
        for line in list(server._lines):
            line.sendall(f"{farewell}\r\n".encode())
    server.hang_up()
    outbox.send(SENDER, ADA, LETTER)
    assert len(server.taken) == server.met == 2


@pytest.mark.parametrize(
    ("raw", "wire"),
    some(
        3,
        [
            (b"", b".\r\n"),
            (b"a", b"a\r\n.\r\n"),
            (b"a\nb\r\nc\rd\n", b"a\r\nb\r\nc\r\nd\r\n.\r\n"),
            (b".\n..\nx.\n", b"..\r\n...\r\nx.\r\n.\r\n"),
            (b"a\r\n.\r\nMAIL FROM:<evil@example.com>\r\n", b"a\r\n..\r\nMAIL FROM:<evil@example.com>\r\n.\r\n"),
            (b"a\r.\rb\n.\r\nc", b"a\r\n..\r\nb\r\n..\r\nc\r\n.\r\n"),
            (b"\xff\0\n", b"\xff\0\r\n.\r\n"),
        ],
    ),
)
def test_bytes_go_out_unchanged_but_for_line_ends_and_dots(
    server: ScriptedServer, outbox: SmtpOutbox, raw: bytes, wire: bytes
) -> None:
    """Every line end becomes CRLF, a dot that begins a line is doubled, no letter can end itself early."""
    outbox.send(SENDER, ADA, raw)
    assert server.taken == [wire]


def test_eight_bit_letters_and_addresses_beyond_ascii_are_announced(server: ScriptedServer, outbox: SmtpOutbox) -> None:
    """BODY=8BITMIME and SMTPUTF8 are asked for where they are needed and offered, and only there."""
    outbox.send(SENDER, ADA, LETTER)
    outbox.send("", ADA, LETTER + b"\xc3\xa9\n")
    outbox.send(SENDER, "zoë@example.org", LETTER)
    outbox.send(SENDER, ADA, LETTER)
    assert [line for line in server.said if line[:4] == "MAIL"] == [
        f"MAIL FROM:<{SENDER}>",
        "MAIL FROM:<> BODY=8BITMIME",
        f"MAIL FROM:<{SENDER}> SMTPUTF8",
        f"MAIL FROM:<{SENDER}>",
    ]
    assert "RCPT TO:<zoë@example.org>" in server.said


@pytest.mark.parametrize(("sender", "recipient", "permanent"), [(SENDER, "zoë@x.org", True), ("zoë@x.org", ADA, False)])
def test_a_server_of_ascii_alone_refuses_only_that_recipient(
    server: ScriptedServer, outbox: SmtpOutbox, sender: str, recipient: str, permanent: bool
) -> None:
    """Without SMTPUTF8 such a recipient is out of reach for good; such a sender is our own mistake."""
    server.features = ["8BITMIME"]
    with pytest.raises(OutboxError, match="beyond ASCII, such as") as told:
        outbox.send(sender, recipient, LETTER)
    assert told.value.permanent is permanent
    outbox.send(SENDER, ADA, LETTER)


@pytest.mark.parametrize("address", ["a\r\nDATA", "a@b>\nRSET", "<a@b>", "a b@c", "a\0@b", "a\u2028@b", "a@b SIZE=1"])
def test_an_address_cannot_carry_a_command(server: ScriptedServer, outbox: SmtpOutbox, address: str) -> None:
    """What could end a command or add to it is refused before anything is said to the server."""
    with pytest.raises(OutboxError, match="is not an address") as told:
        outbox.send(SENDER, address, LETTER)
    assert told.value.permanent
    with pytest.raises(OutboxError, match="is not an address") as told:
        outbox.send(address, ADA, LETTER)
    assert not told.value.permanent
    with pytest.raises(OutboxError, match="is not an address"):
        outbox.send(SENDER, "", LETTER)
    assert server.said == []


# Logging in

PASSWORD = "correct horse"
ENCODED = base64.b64encode(f"\0ada\0{PASSWORD}".encode()).decode()


def test_we_log_in_once_a_connection(server: ScriptedServer) -> None:
    """User and password are given when a connection opens, and not with each letter."""
    server.script = {"AUTH": "235 welcome"}
    outbox = outbox_at(server.port, user="ada", password=PASSWORD)
    outbox.send(SENDER, ADA, LETTER)
    outbox.send(SENDER, ADA, LETTER)
    assert [line for line in server.said if line.startswith("AUTH")] == [f"AUTH PLAIN {ENCODED}"]
    outbox.close()


@pytest.mark.parametrize("answer", some(3, ["535 no such user", "500 what is ECHO", "454 later: ECHO", "drop"]))
def test_a_refused_login_is_temporary_and_never_tells_the_password(
    server: ScriptedServer, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even a server that repeats what we said does not get the password into a message or a traceback."""
    server.script = {"AUTH": answer}
    server.features = ["AUTH PLAIN"]
    outbox = outbox_at(server.port, user="ada", password=PASSWORD)
    with pytest.raises(OutboxError) as told:
        outbox.send(SENDER, ADA, LETTER)
    assert not told.value.permanent
    seen: BaseException | None = told.value
    while seen is not None:
        assert PASSWORD not in str(seen)
        assert ENCODED not in str(seen)
        seen = None if seen.__suppress_context__ and not seen.__cause__ else seen.__cause__ or seen.__context__
    server.script = {"AUTH": "235 welcome"}
    outbox.send(SENDER, ADA, LETTER)
    outbox.close()


def test_a_password_that_cannot_be_sent_is_told_without_it(server: ScriptedServer) -> None:
    """Letters beyond ASCII in a password are named as the trouble, and not shown."""
    outbox = outbox_at(server.port, user="ada", password="pässword")
    with pytest.raises(OutboxError, match="^The password of ada at 127.0.0.1 has letters beyond ASCII.$"):
        outbox.send(SENDER, ADA, LETTER)


def test_a_server_without_logins_is_told(server: ScriptedServer) -> None:
    """Where the server offers no login, we say so and send nothing."""
    server.features = []
    with pytest.raises(OutboxError, match="AUTH extension not supported"):
        outbox_at(server.port, user="ada", password=PASSWORD).send(SENDER, ADA, LETTER)
    assert server.taken == []


# TLS


def test_starttls_that_is_not_offered_ends_the_talk(server: ScriptedServer) -> None:
    """We never go on in the clear where TLS was asked for, and so no password is said."""
    outbox = outbox_at(server.port, user="ada", password=PASSWORD, tls="starttls")
    with pytest.raises(OutboxError, match="STARTTLS") as told:
        outbox.send(SENDER, ADA, LETTER)
    assert not told.value.permanent
    assert not [line for line in server.said if re.match("AUTH|MAIL", line)]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority that nobody trusts yet, and in the same file a certificate of localhost with its key."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    parts = [issued.private_key_and_cert_chain_pem.bytes(), authority.cert_pem.bytes()]
    path.write_bytes(b"".join(parts))
    return path


@pytest.mark.parametrize("tls", ["starttls", "tls"])
@pytest.mark.parametrize("trusted", [True, False])
def test_tls_is_used_and_the_server_checked(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, tls: Literal["starttls", "tls"], trusted: bool
) -> None:
    """A server whose certificate is trusted gets login and letter; any other gets neither."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    taken: list[bytes | str | None] = []
    logins: list[bytes] = []

    class Handler:
        async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:
            taken.append(envelope.content)
            return "250 OK"

    def admit(server: object, session: object, envelope: object, mechanism: str, data: LoginPassword) -> AuthResult:
        logins.append(data.password)
        return AuthResult(success=True)

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ways = {"ssl_context": context} if tls == "tls" else {"tls_context": context, "require_starttls": True}
    there = Controller(Handler(), "127.0.0.1", port, authenticator=admit, auth_require_tls=tls != "tls", **ways)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    outbox = outbox_at(port, user="ada", password=PASSWORD, tls=tls, timeout=10, host="localhost")
    there.start()
    try:
        if trusted:
            outbox.send(SENDER, ADA, LETTER)
        else:
            with pytest.raises(OutboxError, match="its certificate does not hold .*ca_file in settings.toml") as told:
                outbox.send(SENDER, ADA, LETTER)
            assert not told.value.permanent
    finally:
        outbox.close()
        there.stop()
    assert taken == ([LETTER.replace(b"\n", b"\r\n")] if trusted else [])
    assert logins == ([PASSWORD.encode()] if trusted else [])


# Who is to blame


@pytest.mark.parametrize("stage", some(4, STAGES))
@pytest.mark.parametrize(
    "answer", ["drop", "450 later", "550 no", "421 going down", "550 5.4.5 daily limit", "550 5.7.8 who"]
)
def test_only_what_is_said_of_a_letter_is_its_own_fault(
    server: ScriptedServer, outbox: SmtpOutbox, stage: str, answer: str
) -> None:
    """Before the letter's own recipient, and where the words are about us, all letters wait and none is blamed."""
    server.script = {stage: answer}
    with pytest.raises(OutboxError) as told:
        outbox.send(SENDER, ADA, LETTER)
    of_us = stage in ("connect", "EHLO", "MAIL") or answer.startswith(("550 5.4.5", "550 5.7.8"))
    assert (told.value.pause is not None) == of_us
    assert told.value.permanent == (answer == "550 no" and not of_us)


def test_a_file_of_certificates_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    """Its name and what to do, before anybody is called."""
    wanted = OutboxSettings(host="localhost", port=1, tls="tls", ca_file=str(tmp_path / "ca.pem"))
    with pytest.raises(OutboxError, match=r"ca\.pem cannot be used: No such file .*Correct ca_file") as told:
        SmtpOutbox(wanted).send(SENDER, ADA, LETTER)
    assert told.value.pause is not None
    (tmp_path / "ca.pem").write_text("nothing")
    with pytest.raises(OutboxError, match="holds no certificate in PEM"):
        SmtpOutbox(wanted).send(SENDER, ADA, LETTER)
