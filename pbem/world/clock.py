"""What time it is, by the wall clock or by one that is moved by hand; knows no zone and no deadline."""

from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Protocol


class Clock(Protocol):
    """Whatever can say what time it is; read once a sweep and handed down."""

    def now(self) -> datetime:
        """Return the present instant, aware and in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the present instant, aware and in UTC."""
        return datetime.now(UTC)


class FastClock:
    """A clock that stands until it is moved, and never goes backwards; threads may share it."""

    def __init__(self, start: datetime) -> None:
        """Start at an aware instant."""
        self._now = _in_utc(start)
        self._lock = Lock()

    def now(self) -> datetime:
        """Return the instant at which the clock stands, in UTC."""
        with self._lock:
            return self._now

    def advance_to(self, instant: datetime) -> None:
        """Move on to an aware instant; one that has passed already leaves the clock where it is."""
        instant = _in_utc(instant)
        with self._lock:
            self._now = max(self._now, instant)

    def advance(self, span: timedelta) -> None:
        """Move on by a span of time. Errors: ValueError for a span below zero."""
        if span < timedelta(0):
            raise ValueError(f"a clock does not go back by {-span}")
        with self._lock:
            self._now += span


def _in_utc(instant: datetime) -> datetime:
    if instant.tzinfo is None:
        raise ValueError(f"{instant} has no zone")
    return instant.astimezone(UTC)
