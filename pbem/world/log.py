"""The daemon's log: one line for each event, as key=value, in printable letters; callers keep secrets out of it."""

import logging
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, Protocol, TextIO, cast

import structlog

LONGEST = 500
"""The most characters of one value."""


logging.getLogger("flufl.bounce").disabled = True  # it prints what it raises, of mail that we go on without


class Log(Protocol):
    """Anything that records events, each with a name and with keys and values."""

    def info(self, event: str, **known: Any) -> Any:
        """Record what happened."""
        ...

    def warning(self, event: str, **known: Any) -> Any:
        """Record what somebody should look at."""
        ...


class Silence:
    """A log that records nothing."""

    def info(self, event: str, **known: Any) -> None:
        """Do nothing."""

    def warning(self, event: str, **known: Any) -> None:
        """Do nothing."""


SILENT = Silence()


class _Lenient:
    """A stream that ignores its errors: a log that cannot be written stops no game."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()


def to(stream: TextIO) -> Log:
    """Return a log that is written to a stream, with the time in UTC before each event; what cannot be is left out."""
    log: Log = structlog.wrap_logger(
        structlog.WriteLogger(cast("TextIO", _Lenient(stream))),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%Y-%m-%dT%H:%M:%SZ", utc=True, key="at"),
            _printable,
            structlog.processors.LogfmtRenderer(key_order=["at", "level", "event"]),
        ],
        wrapper_class=structlog.BoundLogger,
    )
    return log


def _printable(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace what could end a line or move a terminal's cursor, in all values."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = "".join(letter if letter.isprintable() else "?" for letter in value[:LONGEST])
    return event
