"""What tests find in the room: an arena with the harbour game, a fast clock, mail that never leaves memory."""

import gc
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from pbem.ground.terms import Mail
from pbem.testing.room import NOON
from pbem.world.login import Login
from pbem.world.outbox import SmtpOutbox
from pbem.world.settings import OutboxSettings, Tls
from tests import founded
from tests.depth import DEPTH
from tests.founded import FoundedRoom
from tests.harbour import HarbourRules

MEMORY, ROOM_NEEDED = Path("/dev/shm"), 2 << 30
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_NEEDED:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # a third of the time would be spent waiting for a disk

settings.register_profile("quick", max_examples=4, deadline=None, derandomize=True)
settings.register_profile("usual", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=120 * DEPTH, deadline=None, derandomize=True, print_blob=True)
settings.load_profile("quick")  # pytest --hypothesis-profile=long, as CI does once, looks further


class KnownSecret:
    """A password that never changes."""

    def __init__(self, password: str) -> None:
        self._password = password

    def get(self) -> str:
        """Return it."""
        return self._password

    def refused(self) -> bool:
        """Say that it will be the same again."""
        return False


def outbox_at(
    port: int, *, host: str = "127.0.0.1", user: str = "", password: str = "", tls: Tls = "none", timeout: float = 30
) -> SmtpOutbox:
    """Return an outbox for a mail server on this machine."""
    wanted = OutboxSettings(host=host, port=port, tls=tls, user=user)
    return SmtpOutbox(wanted, Login(user, "password", KnownSecret(password)), timeout=timeout)


HARBOUR = HarbourRules()


class Room(FoundedRoom):
    """A room in which the harbour is played, where nothing else is said."""

    usual = "tide-1"

    def __init__(
        self,
        root: Path,
        rulesets: Mapping[str, Any] | None = None,
        words: Mapping[str, str] | None = None,
        *,
        plus: bool = True,
        start: datetime = NOON,
    ) -> None:
        """Open an arena in a folder."""
        super().__init__(root, rulesets or {"harbour": HARBOUR}, words, plus=plus, start=start)


def pytest_configure(config: pytest.Config) -> None:
    """Keep in pytest's own cache what was compiled, where nobody wants it beside the sources: processes begin sooner."""
    if sys.dont_write_bytecode and hasattr(config, "cache"):
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(config.cache.mkdir("bytecode"))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # workers inherit it, and all that tests start
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix


def pytest_collection_finish() -> None:
    """Look for no garbage among the tests and modules themselves, which stay as long as a worker does."""
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Say which test runs, to those that keep things between tests."""
    founded.begin(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what sweeps say of themselves with `record_property("tried", ...)`: how much of it was tried."""
    for report in terminalreporter.getreports("passed"):
        for name, said in report.user_properties:
            if name == "tried":
                terminalreporter.write_line(f"tried: {said}")


@pytest.fixture(scope="session")
def script(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Any]:
    """The stages of the promises' standard script, played once."""
    from tests.script import idle_disk, stages

    with idle_disk():
        return stages(tmp_path_factory.mktemp("script"))


@pytest.fixture(scope="session")
def stage_kept(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A folder in which each scene of the corpus is played once a worker."""
    from tests.listening.scenes import SCENES, Stage

    return Stage(tmp_path_factory.mktemp("scenes"), SCENES)


@pytest.fixture
def played(stage_kept: Any) -> Iterator[Any]:
    """The scenes of the corpus, where nothing waits for the disk."""
    from tests.script import idle_disk

    with idle_disk():
        yield stage_kept


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """An arena that knows the harbour game."""
    made = Room(tmp_path / "arena")
    yield made
    made.arena.close()


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A harbour game in its first tide, closed: tests play on in copies of it."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena")
    room.found("ada", "bo")
    room.arena.close()
    return room


def unvouched(mail: Mail, results: str = "none") -> Mail:
    """Return a mail of which our mail server says nothing, or something else than that it vouches for it."""
    found = re.search(rb"(?m)^Authentication-Results:.*\n(?:[ \t].*\n)*", mail.raw)
    assert found, "our mail server says nothing of it"
    said = b"" if results == "none" else found[0].replace(b"dmarc=pass", b"dmarc=" + results.encode())
    raw = mail.raw.replace(found[0], said, 1)
    return Mail(mail.name, mail.arrived, hashlib.sha256(raw).hexdigest(), raw)


def flat(text: str) -> str:
    """Put a letter on one line."""
    return " ".join(text.split())


def steady(room: Room) -> Callable[[], float]:
    """Return a steady clock for a daemon around a room, where time passes and no clock jumps."""
    return lambda: room.clock.now().timestamp()
