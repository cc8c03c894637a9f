"""The log: one event is one line, whatever is in it."""

import io

import pytest

from pbem.world import log

NASTY = ["a\nb", "\x1b[31mred", "\u2028", "\r", "\u202e", "\x00", "a=b c", '"', "\ud800"]


@pytest.mark.parametrize("nasty", NASTY)
def test_one_event_is_one_printable_line(nasty: str) -> None:
    """Nothing in a value ends its line or moves a cursor."""
    stream = io.StringIO()
    log.to(stream).warning("trouble", said=nasty)
    text = stream.getvalue()
    assert text.count("\n") == 1 and text.endswith("\n") and text[:-1].isprintable()
    assert " level=warning event=trouble said=" in text


def test_an_endless_value_is_cut() -> None:
    """A log is no place for whole mails."""
    stream = io.StringIO()
    log.to(stream).info("swept", said="x" * 10_000)
    assert len(stream.getvalue()) < log.LONGEST + 100
