"""Sweeps under strace: killed, or told that the disk failed, at any system call that changes something."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pbem.world import post_office
from tests.conftest import Room
from tests.script import Stage
from tests.servers.process import MissingError, needed

CALLS = (
    "openat", "write", "pwrite64", "rename", "renameat", "renameat2", "fsync", "fdatasync", "syncfs", "mkdir", "mkdirat",
    "unlink", "unlinkat", "ftruncate", "sendto",
)  # fmt: skip
"""The calls that change something; of `openat` those that may make a file, of `write` none to a terminal or pipe."""
PATIENCE = 30
_STEADY = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
"""What makes each sweep call the same: a child that writes bytecode makes a call that no later one has."""


class Fault(NamedTuple):
    """What happens to which call of a kind: `signal=KILL`, `error=EIO` and the like; `when` as strace counts."""

    what: str
    call: str
    when: str

    def __str__(self) -> str:
        """Say it for whoever reads of a test that failed."""
        return f"{self.call} {self.when}: {self.what}"


class Sink:
    """A mail server that takes every letter, outside of what is traced: it keeps what it was told."""

    def __init__(self) -> None:
        self.letters: list[tuple[str, bytes]] = []
        self._door = post_office._Server(self, hostname="127.0.0.1", port=0)
        self._door.start()
        self.port: int = self._door.port

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Take a letter."""
        self.letters += [(to, bytes(envelope.content)) for to in envelope.rcpt_tos]
        return "250 OK"

    def close(self) -> None:
        """Close the door."""
        self._door.stop()


class Tracing:
    """Sweeps stages of the script in processes of their own, under strace, with a Maildir and a mail server outside."""

    def __init__(self) -> None:
        needed(["strace"], "strace")
        said = subprocess.run(["strace", "-f", "-qq", "-e", "trace=none", "true"], capture_output=True, check=False)
        if said.returncode:
            words = said.stderr.decode("utf-8", "replace").strip()
            raise MissingError(f"strace may trace nothing here ({words}): give the container the right SYS_PTRACE")
        self.sink = Sink()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.sweeping"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | _STEADY,
            cwd=Path(__file__).parent.parent,
        )  # fmt: skip

    def close(self) -> None:
        """End all that was started."""
        self._process.kill()
        self._process.communicate()
        self.sink.close()

    def lay(self, stage: Stage, folder: Path) -> None:
        """Put a stage's arena and the mail that waits into a folder."""
        shutil.copytree(stage.before.root, folder / "arena")
        (folder / "arena" / "settings.toml").write_text(
            '[arena]\naddress = "arena@example.org"\nname = "The Arena"\n[mailbox]\npath = "../Maildir"\n'
            f'[outbox]\nhost = "127.0.0.1"\nport = {self.sink.port}\n'
        )
        for part in ("new", "cur", "tmp"):
            (folder / "Maildir" / part).mkdir(parents=True)
        for mail in stage.before.mailbox.waiting:
            path = folder / "Maildir" / "new" / mail.name
            path.write_bytes(mail.raw)
            os.utime(path, ns=(int(mail.arrived.timestamp()) * 10**9,) * 2)
        self.sink.letters = []

    def sweep(self, stage: Stage, folder: Path, *options: str) -> int:
        """Sweep in a process of its own with these options of strace; return its exit code, below zero for a signal."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{folder / 'arena'} {stage.before.clock.now().isoformat()}\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        tracer = subprocess.Popen(
            ["strace", "-f", "-qq", *options, "-p", str(pid)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _wait_for_tracer(pid)
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        guard = threading.Timer(PATIENCE, self._process.kill)
        guard.start()
        code = int(self._process.stdout.readline())
        guard.cancel()
        tracer.wait(PATIENCE)
        return code

    def fail(self, stage: Stage, folder: Path, fault: Fault) -> int:
        """Sweep with a fault."""
        return self.sweep(
            stage, folder, "-o", "/dev/null", "-e", f"trace={fault.call}",
            "-e", f"inject={fault.call}:{fault.what}:when={fault.when}",
        )  # fmt: skip

    def calls(self, stage: Stage, folder: Path) -> list[tuple[str, int]]:
        """List the calls of a sweep that change something: the kind, and its number among all of the kind."""
        trace = folder / "trace"
        assert self.sweep(stage, folder, "-y", "-o", str(trace), "-e", f"trace={','.join(CALLS)}") == 0
        found: list[tuple[str, int]] = []
        counted: Counter[str] = Counter()
        for line in trace.read_text(errors="replace").split("\n"):
            match = re.match(r"(?:\d+ +)?(\w+)\((.*)", line)
            if match:
                counted[match[1]] += 1
                if _changes(match[1], match[2]):
                    found.append((match[1], counted[match[1]]))
        return found

    def left(self, stage: Stage, folder: Path) -> Room:
        """Return what is left as a room, whose mailbox and outbox hold what the Maildir and the mail server have."""
        before = stage.before
        (folder / "arena" / "settings.toml").unlink()
        room = Room(folder / "arena", before.rulesets, before.words, start=before.clock.now())
        room.mailbox, room.outbox = _copied(before)
        still = {path.name for path in (folder / "Maildir" / "new").iterdir()}
        room.mailbox.mark([mail for mail in room.mailbox.waiting if mail.name not in still])
        room.outbox.sent += self.sink.letters
        room.arena.index.outgoing.retry_now(room.clock.now())
        return room


def _copied(before: Room) -> tuple[Any, Any]:
    import copy

    return copy.deepcopy(before.mailbox), copy.deepcopy(before.outbox)


def _changes(call: str, rest: str) -> bool:
    if call == "openat":
        return "O_CREAT" in rest
    if call == "write":
        return not re.match(r"\d+<(pipe|/dev/)", rest)
    return True


def _wait_for_tracer(pid: int) -> None:
    until = time.monotonic() + PATIENCE
    while "\nTracerPid:\t0\n" in Path(f"/proc/{pid}/status").read_text():
        assert time.monotonic() < until, "strace does not attach"
        time.sleep(0.001)


@contextmanager
def tracing() -> Iterator[Tracing]:
    """Have sweeps traced. Errors: MissingError where strace is not there or may not trace."""
    found = Tracing()
    try:
        yield found
    finally:
        found.close()
