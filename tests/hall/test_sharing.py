"""An account that others use too: which mail is ours is told by its headers alone, and all else is let be."""

import pytest

from pbem.hall.commands import opening
from tests.conftest import Room


@pytest.mark.parametrize(
    ("to", "subject", "ours"),
    [
        ("arena+tide-1.aaaaaaaaaaaaaaaa@example.org", "Re: whatever", True),
        ("Ada <arena+gone-1.aaaaaaaaaaaaaaaa@example.org>", "a game that is no more", True),
        ("arena@example.org", "Re: [tide-1] Tide 2", True),
        ("arena@example.org", "Re: [list] [TIDE-1] Tide 2", True),
        ("arena@example.org", "AW: [tide-1 aaaaaaaaaaaaaaaa] Tide 2", True),
        ("arena@example.org", "join tide-1", True),
        ("arena@example.org", "join tide-1 as Eve", True),
        ("arena@example.org", "join tide-9 as Eve", False),
        ("arena@example.org", "your invoice", False),
        ("arena@example.org", "[dovecot] a question", False),
        ("arena@example.org", "the game of tide-1 yesterday", False),
        ("arena+shop@example.org", "your order", False),
        ("someone@example.org", "hello", False),
    ],
)
def test_which_mail_is_ours(room: Room, to: str, subject: str, ours: bool) -> None:
    """A game's address, its tag, or a wish to join it; nothing else, so that nobody's mail is answered by mistake."""
    room.found("ada", "bo")
    assert opening.is_ours(room.arena, f"To: {to}\r\nSubject: {subject}\r\n\r\n".encode()) == ours
