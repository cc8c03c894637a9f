"""Letters that the arena writes in its own name: to strangers, to its moderator, to itself."""

from __future__ import annotations

from datetime import datetime

from pbem.hall.arena import Arena
from pbem.hall.mail import sending
from pbem.letters import writing
from pbem.letters.writing import Outgoing


def compose(
    arena: Arena,
    identity: str,
    to: str,
    subject: str,
    body: str,
    now: datetime,
    *,
    sender: str = "",
    reply_to: str = "",
    answers: str = "",
) -> bytes:
    """
    Return the bytes of a letter from the arena.

    Shape: `sender` is the name that is shown, by default the arena's; `answers` the Message-ID of what it answers.
    """
    here = arena.settings.arena
    domain = here.address.rpartition("@")[2]
    return writing.compose(
        Outgoing(
            identity=identity,
            domain=domain,
            sender_name=sender or here.name,
            sender=here.address,
            reply_to=reply_to or here.address,
            recipient=to,
            subject=subject,
            body=body,
            date=now,
            list_id=f"desk.{domain}",
            answers=answers,
        )
    )


def place(identity: str) -> tuple[str, ...]:
    """Return where such a letter is on file."""
    return ("desk", "post", "out", f"{identity}.eml")


def file(arena: Arena, identity: str, raw: bytes, now: datetime) -> None:
    """Put a letter on file, to be sent: durably, and once."""
    arena.index.take_up(["desk"])
    arena.shelf.write(raw, *place(identity), once=True)
    with arena.index.together():
        arena.index.file([sending.filed(identity, place(identity))], now)
        arena.index.free("desk")
