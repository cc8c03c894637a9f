"""The daemon as a process at a real account: woken by the bell, settings read anew, stopped by a signal."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.request import urlopen

import pytest

from pbem.world.login import write_secret
from tests.servers import PASSWORD, Dovecot, Postfix
from tests.servers.process import free_ports

PATIENCE = 40
"""Seconds in which something that is waited for has to happen."""


def arena(root: Path, dovecot: Dovecot, postfix: Postfix, user: str, *, poll: int = 3600, metrics: int = 0) -> Path:
    """Write the settings of an arena with an account of its own."""
    root.mkdir(mode=0o700, exist_ok=True)
    write_secret(root / "secrets" / "password", PASSWORD)
    (root / "settings.toml").write_text(f"""
[arena]
address = "{user}@example.org"
[mailbox]
kind = "imap"
host = "localhost"
port = {dovecot.imaps}
ca_file = "{dovecot.ca}"
user = "{user}"
password_file = "secrets/password"
dedicated = true
[outbox]
host = "localhost"
port = {postfix.submission}
tls = "starttls"
ca_file = "{dovecot.ca}"
user = "{user}"
password_file = "secrets/password"
[daemon]
poll = {poll}
metrics = {metrics}
""")
    (root / "settings.toml").chmod(0o600)
    return root


@contextmanager
def running(root: Path) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """Run the daemon, and end it at all events."""
    command = [sys.executable, "-u", "-m", "pbem", "--arena", str(root), "run"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        try:
            assert daemon.stdout is not None
            yield daemon, daemon.stdout
        finally:
            daemon.kill()


def heard(log: IO[str], word: str) -> str:
    """Read the log until a line has a word."""
    until = time.monotonic() + PATIENCE
    seen = []
    while time.monotonic() < until:
        line = log.readline()
        seen.append(line)
        assert line, f"the daemon ended before {word}: {seen}"
        if word in line:
            assert time.monotonic() < until, f"{word} came late: {seen}"
            return line
    raise AssertionError(f"no {word} in {seen}")


MAIL = b"From: eve@example.org\r\nTo: %b@example.org\r\nSubject: hello\r\nMessage-ID: <1@e>\r\n\r\nMay I play?\r\n"


@pytest.mark.timeout(120)
def test_the_bell_wakes_the_daemon_and_a_stranger_is_answered(
    tmp_path: Path, dovecot: Dovecot, postfix: Postfix
) -> None:
    """With polls an hour apart, a mail is answered at once; SIGTERM ends it with 0 and leaves nothing in hand."""
    root = arena(tmp_path / "arena", dovecot, postfix, "bellarena")
    with running(root) as (daemon, log):
        heard(log, "event=listening")
        dovecot.deliver("bellarena@example.org", MAIL % b"bellarena")
        assert "mails=1" in heard(log, "event=swept")
        until = time.monotonic() + PATIENCE
        while not dovecot.raws("eve"):
            assert time.monotonic() < until
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(timeout=PATIENCE) == 0
        assert "event=stopped" in log.read()
    assert b"If you play here already, reply to one of the letters" in dovecot.raws("eve")[0]


@pytest.mark.timeout(120)
def test_settings_are_read_anew_on_sighup_and_mistakes_leave_the_old_ones(
    tmp_path: Path, dovecot: Dovecot, postfix: Postfix
) -> None:
    """A mistake is told in the log with its line; what is right counts from then on, metrics and all."""
    root = arena(tmp_path / "arena", dovecot, postfix, "huparena")
    text = (root / "settings.toml").read_text()
    (port,) = free_ports(1)
    with running(root) as (daemon, log):
        heard(log, "poll=3600")
        (root / "settings.toml").write_text(text.replace("poll = 3600", "pol = 5"))
        os.kill(daemon.pid, signal.SIGHUP)
        assert "there is no setting pol. Did you mean poll?" in heard(log, "settings refused")
        arena(root, dovecot, postfix, "huparena", poll=7200, metrics=port)
        os.kill(daemon.pid, signal.SIGHUP)
        heard(log, "poll=7200")
        heard(log, "event=listening")
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            assert b"pbem_letters_waiting 0.0" in answer.read()
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(timeout=PATIENCE) == 0


@pytest.mark.timeout(120)
def test_a_wrong_password_is_told_and_never_shown(tmp_path: Path, dovecot: Dovecot, postfix: Postfix) -> None:
    """Log and health say what to correct; once it is, SIGHUP brings the account back, and no secret is in any file."""
    root = arena(tmp_path / "arena", dovecot, postfix, "lostarena")
    write_secret(root / "secrets" / "password", "open sesame")
    with running(root) as (daemon, log):
        line = heard(log, "refused the login of lostarena")
        assert "Correct user and password" in line and "open sesame" not in line
        write_secret(root / "secrets" / "password", PASSWORD)
        os.kill(daemon.pid, signal.SIGHUP)
        heard(log, "event=listening")
        tries = [line for line in dovecot.log.split("\n") if "user=<lostarena>" in line and "auth failed" in line]
        assert len(tries) == 1, tries
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(timeout=PATIENCE) == 0
        assert "open sesame" not in log.read()
    for path in (path for path in root.rglob("*") if path.is_file() and path.parent.name != "secrets"):
        assert b"open sesame" not in path.read_bytes() and PASSWORD.encode() not in path.read_bytes()
