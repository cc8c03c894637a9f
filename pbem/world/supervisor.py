"""Messages to the service manager that started us (sd_notify(3)); without one, nothing is sent."""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

PART = 4
"""We are heard of this many times in the span after which we would be taken for hung."""


class Supervisor:
    """
    Whoever watches over us, by the socket that they named in our environment.

    Units: `watchdog` is after how many seconds without a word we are killed, 0 for never. `steady` is a clock that
    never jumps, in seconds.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ, *, pid: int = 0) -> None:
        """Take what the environment says, where it is meant for this process."""
        self._path = environment.get("NOTIFY_SOCKET", "")
        mine = environment.get("WATCHDOG_PID", "") in ("", str(pid or os.getpid()))
        span = environment.get("WATCHDOG_USEC", "")
        self.watchdog = int(span) / 1_000_000 if self._path and mine and span.isdecimal() else 0.0
        self._heard: float | None = None

    def notify(self, *lines: str) -> None:
        """Send lines such as READY=1; it is no error if nobody listens."""
        if not self._path:
            return
        # A name that begins with @ is no file: its first byte is 0.
        place = f"\0{self._path[1:]}" if self._path.startswith("@") else self._path
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as door:
            door.settimeout(1)
            door.sendto("\n".join(lines).encode(), place)

    def alive(self, steady: Callable[[], float]) -> None:
        """Say that we are alive; call it as often as you like, it sends a few messages in each span."""
        now = steady()
        if self.watchdog and (self._heard is None or now - self._heard >= self.watchdog / PART):
            self._heard = now
            self.notify("WATCHDOG=1")
