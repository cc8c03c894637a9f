"""A server as a process of its own: started on free ports, waited for, ended by its id; its words are kept in a file."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import pytest

PATIENCE = 20
"""Seconds that a server may take to greet us."""
PORTS = range(20_000, 32_000)
"""Below those that the system gives to outgoing connections."""


_TIED = ["setpriv", "--pdeathsig", "TERM", "--", "sh", "-c", 'trap "kill -KILL 0" TERM; "$@" & wait $!', "sh"]
"""Whoever is started so, with the group of all that it starts, does not outlive us, not even if we are killed."""


class Server(ABC):
    """A server that can be started and taken away; whatever it keeps is below `folder`, which is its own."""

    def __init__(self, name: str) -> None:
        self.folder = new_folder(name)
        self._process: Process | None = None

    def start(self) -> None:
        """Start on free ports, and come back once it greets us."""
        started(self._attempt)

    def stop(self) -> None:
        """End it; what it keeps stays."""
        if self._process:
            self._process.stop()
            self._process = None
            left_free(self._ports())

    def restart(self) -> None:
        """End it and start it again on the same ports with what it kept."""
        self.stop()
        self._run()

    def remove(self) -> None:
        """End it and take everything away."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run_until(self, process: Process, greetings: Sequence[tuple[int, bytes]], patience: float = PATIENCE) -> None:
        """Hold a process that was started, once it greets at its ports. Errors: StartError."""
        self._process = process
        try:
            for port, greeting in greetings:
                process.wait_for(port, greeting, patience)
        except BaseException:
            self.stop()
            raise

    @abstractmethod
    def _attempt(self) -> None:
        """Choose ports, write the settings and run."""

    @abstractmethod
    def _run(self) -> None:
        """Run with the settings and ports as they are."""

    @abstractmethod
    def _ports(self) -> Sequence[int]:
        """Return the ports where it listens."""


T = TypeVar("T", bound=Server)


class MissingError(Exception):
    """A server is not installed here, or needs rights that we lack; says how to get it."""


class StartError(Exception):
    """A server did not start; holds what it said."""


@contextmanager
def running(server: T) -> Iterator[T]:
    """Start a server and take it away at the end, whatever happens."""
    try:
        server.start()
        yield server
    finally:
        server.remove()


@contextmanager
def installed() -> Iterator[None]:
    """Skip a test where a server is not installed; fail it where CI says that it is."""
    try:
        yield
    except MissingError as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))


def needed(programs: Sequence[str], packages: str) -> None:
    """Make sure that programs are there. Errors: MissingError."""
    lacking = [name for name in programs if not found(name)]
    if lacking:
        raise MissingError(f"{', '.join(lacking)} not found: apt-get install {packages}")


def found(name: str) -> str:
    """Return where a program lies, or ""; an ordinary user's PATH may lack the places of servers."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin") or ""


def new_folder(name: str) -> Path:
    """Make a folder that other users may enter, with a short name: those of sockets in it are limited."""
    path = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    path.chmod(0o755)
    return path


def free_ports(count: int) -> list[int]:
    """Find ports that nobody listens on."""
    ports: list[int] = []
    while len(ports) < count:
        port = random.choice(PORTS)
        if port not in ports and is_free(port):
            ports.append(port)
    return ports


def left_free(ports: Sequence[int]) -> None:
    """Wait until nobody listens on these ports: what a server started may die a moment after it."""
    until = time.monotonic() + PATIENCE
    while not all(map(is_free, ports)) and time.monotonic() < until:
        time.sleep(0.001)


def is_free(port: int) -> bool:
    """Say whether nobody listens on a port."""
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Process:
    """
    A server that runs until it is stopped, or the thread that started it has ended, whatever ended that.

    Shape: `log` is the file that gets whatever it prints.
    """

    def __init__(
        self, command: Sequence[str], log: Path, user: str | None = None, more: Mapping[str, str] | None = None
    ) -> None:
        """Start a program, as another user where we may, with `more` in its environment."""
        self.log = log
        with log.open("ab") as words:
            self._process = subprocess.Popen(
                [*_TIED, *command] if found("setpriv") else command,
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                env={**os.environ, **(more or {})},
                start_new_session=True,
                user=user,
                group=_group_of(user),
                extra_groups=[] if user else None,
            )

    def wait_for(self, port: int, greeting: bytes, patience: float = PATIENCE) -> None:
        """Wait until it greets us. Errors: StartError with what it said."""
        self.wait_until(lambda: greeted(port, greeting), f"no greeting on port {port}", patience)

    def wait_until(self, is_there: Callable[[], bool], what: str, patience: float = 60) -> None:
        """Wait until it is there. Errors: StartError with what it said."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise StartError(f"ended with {self._process.returncode}:\n{self.words()}")
            if is_there():
                return
            time.sleep(0.01)
        raise StartError(f"{what} in {patience} s:\n{self.words()}")

    def stop(self) -> None:
        """End it with all that it started, which are the processes of its own group; none of them is asked."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def words(self) -> str:
        """Return the last of what it said."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-4000:]


def greeted(port: int, greeting: bytes) -> bool:
    """Say whether somebody greets with these bytes at a port."""
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            return line.recv(200).startswith(greeting)
    except OSError:
        return False


def started(attempt: Callable[[], None], tries: int = 3) -> None:
    """Start something that finds its own ports: somebody else may have taken them meanwhile."""
    for left in reversed(range(tries)):
        try:
            attempt()
        except StartError:
            if not left:
                raise
        else:
            return


def _group_of(user: str | None) -> int | None:
    import pwd

    return pwd.getpwnam(user).pw_gid if user else None
