"""The service manager hears that we are ready, not hung, and stopping; where there is none, nothing is sent."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.world.supervisor import PART, Supervisor

UNIT = (Path(__file__).parent.parent.parent / "deploy" / "pbem.service").read_text(encoding="utf-8")


@pytest.fixture
def door(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(str(tmp_path / "notify"))
        door.settimeout(20)
        yield door


def test_what_is_told_arrives_by_file_and_by_abstract_name(door: socket.socket) -> None:
    """Lines as sd_notify(3) has them."""
    Supervisor({"NOTIFY_SOCKET": door.getsockname()}).notify("READY=1", "STATUS=sweeping")
    assert door.recv(100) == b"READY=1\nSTATUS=sweeping"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        name = f"pbem-test-{os.getpid()}"
        other.bind(f"\0{name}")
        other.settimeout(5)
        Supervisor({"NOTIFY_SOCKET": f"@{name}"}).notify("STOPPING=1")
        assert other.recv(100) == b"STOPPING=1"


def test_nobody_who_listens_is_no_trouble(tmp_path: Path) -> None:
    """No socket, one that is gone, and a watchdog that is meant for another process."""
    for environment in ({}, {"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000000"}):
        supervisor = Supervisor(environment)
        supervisor.notify("READY=1")
        supervisor.alive(lambda: 0.0)
    given = {"NOTIFY_SOCKET": "x", "WATCHDOG_USEC": "9000000"}
    assert Supervisor({**given, "WATCHDOG_PID": "1"}, pid=2).watchdog == 0
    assert Supervisor({**given, "WATCHDOG_PID": "2"}, pid=2).watchdog == 9


def test_a_sweep_that_goes_on_is_heard_of_often_enough_and_not_at_each_mail(door: socket.socket) -> None:
    """However often it says so, a few words reach the watchdog in its span, and never too late."""
    supervisor = Supervisor({"NOTIFY_SOCKET": door.getsockname(), "WATCHDOG_USEC": "100000000"})
    heard: list[int] = []
    door.setblocking(False)
    for now in range(1000):
        supervisor.alive(lambda now=now: float(now))  # type: ignore[misc]
        try:
            assert door.recv(100) == b"WATCHDOG=1"
            heard.append(now)
        except BlockingIOError:
            pass
    gaps = [later - before for before, later in pairwise(heard)]
    assert heard[0] == 0 and set(gaps) == {100 // PART}


def test_the_daemon_tells_its_service_manager(door: socket.socket, tmp_path: Path) -> None:
    """Ready, alive at its watchdog's pace, and stopping, in the way that the unit waits for."""
    assert re.search(r"^Type=notify$", UNIT, re.MULTILINE) and re.search(r"^WatchdogSec=\d+$", UNIT, re.MULTILINE)
    for name in ("new", "cur", "tmp"):
        (tmp_path / "Maildir" / name).mkdir(parents=True)
    (tmp_path / "settings.toml").write_text(
        f'[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "{tmp_path / "Maildir"}"\n'
    )
    environment = {**os.environ, "NOTIFY_SOCKET": door.getsockname(), "WATCHDOG_USEC": "400000"}
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", "--arena", str(tmp_path), "run"], env=environment, stdout=subprocess.DEVNULL
    ) as daemon:
        heard: list[str] = []
        while heard.count("WATCHDOG=1") < 4 or "READY=1" not in heard:
            heard.append(door.recv(100).decode())
        daemon.send_signal(signal.SIGTERM)
        while heard[-1] != "STOPPING=1":
            heard.append(door.recv(100).decode())
    assert daemon.returncode == 0
    assert set(heard) == {"READY=1", "WATCHDOG=1", "STOPPING=1"}
