"""Figures at real mail servers: a mail's round trip, letters a second, memory over a day; prints, and judges nothing."""

import resource
import smtplib
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.daemon import Daemon
from pbem.hall.commands import opening
from pbem.world.clock import FastClock
from pbem.world.log import SILENT
from pbem.world.login import Login
from pbem.world.outbox import SmtpOutbox
from pbem.world.settings import OutboxSettings
from tests.conftest import KnownSecret
from tests.figures import show
from tests.servers import PASSWORD, Dovecot, Postfix, running
from tests.world.test_daemon_by_imap import arena, heard
from tests.world.test_daemon_by_imap import running as daemon_running

LETTER = (
    b"From: arena@example.org\r\nTo: sink@example.org\r\nSubject: [ember-7] Round 3\r\n\r\n" + b"A line of it.\r\n" * 60
)


def round_trip(folder: Path, dovecot: Dovecot, postfix: Postfix, times: int = 8) -> None:
    """Print the time from the mail server's 250 for a person's mail to the answer in their mailbox."""
    root = arena(folder / "trip", dovecot, postfix, "trip")
    took = []
    with daemon_running(root) as (daemon, log), smtplib.SMTP("127.0.0.1", postfix.smtp, timeout=20) as server:
        heard(log, "event=listening")
        for number in range(times):
            person = f"person{number}@example.org"
            mail = f"From: {person}\r\nTo: trip@example.org\r\nSubject: hi\r\nMessage-ID: <{number}@x>\r\n\r\nhello\r\n"
            server.sendmail(person, ["trip@example.org"], mail)
            start = time.perf_counter()
            while not dovecot.raws(f"person{number}"):
                assert time.perf_counter() - start < 30
            took.append((time.perf_counter() - start) * 1000)
        daemon.terminate()
        daemon.wait(timeout=30)
    show(
        "from 250 to the answer in the mailbox, median", f"{statistics.median(took):.0f} ms", "", "IDLE itself: 500 ms"
    )


def letters(dovecot: Dovecot, postfix: Postfix, rounds: int = 10, count: int = 100) -> None:
    """
    Print letters a second through our outbox, beside what smtplib alone does with the same server.

    Both have an open connection, and take turns: what the server does with the letters of one slows the other too.
    """
    wanted = OutboxSettings(
        host="localhost", port=postfix.submission, tls="starttls", ca_file=str(dovecot.ca), user="arena"
    )
    outbox = SmtpOutbox(wanted, Login("arena", "password", KnownSecret(PASSWORD)))
    with smtplib.SMTP("localhost", postfix.submission, "[127.0.0.1]", timeout=20) as server:
        server.starttls(context=ssl.create_default_context(cafile=str(dovecot.ca)))
        server.login("arena", PASSWORD)
        ways: dict[str, Callable[[], object]] = {
            "ours": lambda: outbox.send("arena@example.org", "sink@example.org", LETTER),
            "alone": lambda: server.sendmail("arena@example.org", ["sink@example.org"], LETTER),
        }
        took = dict.fromkeys(ways, 0.0)
        for number in range(rounds + 1):
            for way, send in ways.items():
                start = time.perf_counter()
                for _ in range(count):
                    send()
                took[way] += time.perf_counter() - start if number else 0  # the first opens the connection
    outbox.close()
    speed = f"{rounds * count / took['ours']:.0f}"
    show("letters a second to Postfix, TLS", speed, "", f"{took['alone'] / took['ours']:.0%} of smtplib alone")


def day(folder: Path, dovecot: Dovecot, postfix: Postfix) -> None:
    """Print the memory of a process that swept an account for a day, before and after."""
    arena(folder / "day", dovecot, postfix, "day")
    code = (
        "from pathlib import Path; from tests.figures.by_imap import sweep_for_a_day; "
        f"sweep_for_a_day(Path({str(folder / 'day')!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    show("memory over a day of polls every 30 s, by IMAP", done.stdout.strip())


def sweep_for_a_day(root: Path) -> None:
    """Sweep as often as in a day, and print the most memory after the first hour and at the end."""
    clock = FastClock(datetime.now(UTC))
    opened = opening.arena(root)
    daemon = Daemon(opened, opening.doors(opened, clock), SILENT, lambda: clock.now().timestamp())
    seen = []
    for sweep in range(24 * 120):
        swept = daemon.wake()
        assert not swept.troubles, swept.troubles
        clock.advance(timedelta(seconds=30))
        if sweep in {119, 24 * 120 - 1}:
            seen.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(f"{seen[0]:.0f} -> {seen[1]:.0f} MB")


def main() -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as name, running(Dovecot()) as dovecot, running(Postfix(dovecot)) as postfix:
        round_trip(Path(name), dovecot, postfix)
        letters(dovecot, postfix)
        day(Path(name), dovecot, postfix)


if __name__ == "__main__":
    main()
