"""A process that sweeps arenas of the toy game, each in a child that waits to be traced; run by `tests.tracing`."""

import os
import sys
import traceback
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.daemon import Daemon
from pbem.ground.terms import WorldError
from pbem.hall.commands import opening
from pbem.hall.store.arena import Arena
from pbem.hall.store.catalogue import words_of
from pbem.world import settings
from pbem.world.clock import FastClock
from pbem.world.log import SILENT
from tests.harbour import HarbourRules


def sweep(root: Path, now: datetime) -> None:
    """Sweep twice, as a daemon does that meets trouble and goes on."""
    rules: Any = HarbourRules()
    arena = Arena(root, settings.read(root), {"harbour": rules}, words_of([rules]))
    clock = FastClock(now)
    daemon = Daemon(arena, opening.doors(arena, clock, patience=10), SILENT, lambda: clock.now().timestamp())
    for _ in range(2):
        daemon.wake()


def child(heard: int, root: Path, now: datetime) -> int:
    """Wait for a word, then sweep; return an exit code as the terminal would."""
    os.read(heard, 1)
    try:
        sweep(root, now)
    except WorldError:
        return 75
    except BaseException:  # noqa: BLE001  whoever asked has to see it
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    """For each line "FOLDER INSTANT": fork, say the child's id, let it go at the next line, say how it ended."""
    for line in sys.stdin:
        folder, now = line.split()
        heard, word = os.pipe()
        pid = os.fork()
        if not pid:
            os._exit(child(heard, Path(folder), datetime.fromisoformat(now)))
        print(pid, flush=True)
        sys.stdin.readline()
        os.write(word, b"!")
        _, status = os.waitpid(pid, 0)
        os.close(heard)
        os.close(word)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
