"""What our two doors promise together: what the outbox hands to a real mail server comes out of the mailbox."""

import time
from contextlib import closing

import pytest

from pbem.ground.terms import Mail, OutboxError
from pbem.world.login import Login
from pbem.world.outbox import SmtpOutbox
from pbem.world.settings import OutboxSettings, Tls
from tests.imap_scene import Known, Scene, mail
from tests.servers import Postfix


def outbox(postfix: Postfix, port: int, tls: Tls, login: Login) -> SmtpOutbox:
    """Return an outbox for a mail server."""
    ca = str(postfix.dovecot.ca)
    return SmtpOutbox(OutboxSettings(host="127.0.0.1", port=port, tls=tls, ca_file=ca, user=login.user), login)


def received(scene: Scene) -> list[Mail]:
    """Wait for mail, as the daemon does: whenever the bell rings, somebody looks."""
    bell = scene.bell()
    mails: list[Mail] = []

    def look() -> None:
        mails.extend(box.fetch(10))
        if mails or time.monotonic() > until:
            bell.stop()

    with closing(scene.mailbox()) as box:
        until = time.monotonic() + 20
        bell.listen(look)
    assert mails, "nothing came"
    return mails


def test_a_mail_server_that_restarts_costs_nothing(scene: Scene, postfix: Postfix) -> None:
    """Between two letters it may go and come back; both arrive."""
    with closing(outbox(postfix, postfix.smtp, "none", Login("", "password", Known()))) as door:
        door.send("arena@example.org", f"{scene.user}@example.org", mail("a"))
        postfix.restart()
        door.send("arena@example.org", f"{scene.user}@example.org", mail("b"))
    until = time.monotonic() + 20
    while len(received(scene)) < 2:
        assert time.monotonic() < until


@pytest.mark.parametrize("tls", ["none", "starttls", "tls"])
def test_a_letter_goes_all_the_way(scene: Scene, postfix: Postfix, tls: Tls) -> None:
    """From our outbox by SMTP, with a login where there is TLS, to a mail server and into our mailbox, plus part and all."""
    port = {"none": postfix.smtp, "starttls": postfix.submission, "tls": postfix.smtps}[tls]
    login = Login("" if tls == "none" else "moderator", "password", Known())
    raw = mail("onwards", to=f"{scene.user}+ember-7.token@example.org")
    with closing(outbox(postfix, port, tls, login)) as door:
        door.send("arena@example.org", f"{scene.user}+ember-7.token@example.org", raw)
    [got] = received(scene)
    head, _, body = got.raw.partition(b"\r\n\r\n")
    assert body.startswith(b"onwards it is.\r\n")
    assert f"Delivered-To: {scene.user}+ember-7.token@example.org".encode() in head


def test_a_wrong_password_blames_no_letter(scene: Scene, postfix: Postfix) -> None:
    """The sentence is without the password, and the letter can be sent later."""
    with (
        closing(outbox(postfix, postfix.smtps, "tls", Login("moderator", "password", Known("hidden")))) as door,
        pytest.raises(OutboxError, match="refused the login of moderator") as error,
    ):
        door.send("arena@example.org", f"{scene.user}@example.org", mail("a"))
    assert not error.value.permanent
    assert "hidden" not in str(error.value)
