"""What an IMAP mailbox promises on a line that breaks: whole mails or none, and nothing twice or lost when it is back."""

from contextlib import closing
from typing import Literal

import pytest

from pbem.ground.terms import MailboxError
from pbem.world.imap.account import RefusedError
from tests.depth import every, some
from tests.imap_scene import NOON, Scene, mail
from tests.servers import Dovecot

LONG = b"Subject: long\r\n\r\n" + b")\r\n* 9 FETCH (UID 9 BODY[] {5}\r\nshort)\r\n" * 40
MAILS = [mail("a"), LONG, mail("b"), b"\r\n"]


def breaks(dovecot: Dovecot, way: Literal["up", "down"], after: int, processed: str) -> bool:
    """Fetch and mark over a line that breaks after so many bytes, go on when it is mended, and say whether it broke."""
    with closing(Scene(dovecot)) as scene:
        dovecot.save(scene.user, [(raw, NOON) for raw in MAILS])
        whole = scene.mailbox(processed=processed).fetch(10)
        assert [found.raw for found in whole] == MAILS
        wire = scene.wire()
        setattr(wire, way, after)
        box = scene.mailbox(lambda headers: True, port=wire.port, processed=processed, dedicated=False)
        error: MailboxError | None = None
        is_part = False
        try:
            got = box.fetch(10)
            assert got == [found for found in whole if found.name not in box.withheld], "or it says what it lacks"
            is_part = got != whole
            box.mark(whole[:2])
        except MailboxError as told:
            error = told
        assert not isinstance(error, RefusedError)
        broke = error is not None or is_part or wire.met > 1  # where it broke between fetch and mark, nobody noticed
        setattr(wire, way, None)
        wire.hang_up()
        left = box.fetch(10)
        assert left == [found for found in whole if found in left]
        assert left[-2:] == whole[2:]
        box.mark(whole[:2])
        assert box.fetch(10) == whole[2:]
        if processed:
            assert sorted(dovecot.raws(scene.user, processed)) == sorted(MAILS[:2])
        return broke


@pytest.mark.parametrize(("way", "step"), some(2, [("down", 613), ("up", 53)]))
@pytest.mark.parametrize("processed", ["Processed", ""])
def test_a_line_that_breaks_costs_nothing(
    dovecot: Dovecot, way: Literal["up", "down"], step: int, processed: str
) -> None:
    """Broken here and there, in commands, literals and answers: every mail comes whole, and is marked in the end."""
    places = range(0, 100_000, step)
    held = next(after for after in places if not breaks(dovecot, way, after, processed))
    assert held > 350


@pytest.mark.sweep
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("way", "step"), [("down", every(59)), ("up", every(11))])
@pytest.mark.parametrize("processed", ["Processed", ""])
def test_a_line_that_breaks_anywhere_costs_nothing(
    dovecot: Dovecot, way: Literal["up", "down"], step: int, processed: str
) -> None:
    """The same, at many more places."""
    places = range(0, 100_000, step)
    held = next(after for after in places if not breaks(dovecot, way, after, processed))
    assert held > 350
