"""Letters that the arena writes in its own name: to strangers, to its moderator, to itself."""

import re
from datetime import datetime

from pbem.ground.identity import ArenaLetter, Identity
from pbem.hall.mail.outgoing import sending
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, writing


def compose(
    arena: Arena,
    identity: ArenaLetter,
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
    name = addressing.name(arena.secret, identity.sort, identity.kind or identity.about, str(identity))
    return writing.compose(
        writing.Outgoing(
            name=name,
            domain=domain,
            sender_name=sender or here.name,
            sender=here.address,
            reply_to=reply_to or here.address,
            recipient=to,
            subject=subject,
            body=body,
            date=now,
            list_id=f"desk.{domain}",
            mark=addressing.mark(arena.secret, name),
            answers=answers,
        )
    )


def place(identity: Identity | str) -> tuple[str, ...]:
    """Return where such a letter is on file."""
    return ("desk", "post", "out", f"{identity}.eml")


def find(arena: Arena, identity: Identity | str) -> bytes | None:
    """Return the bytes of a letter of ours, a game's or the desk's; None if it is not on file."""
    found = next((found for found in _places(str(identity)) if arena.shelf.exists(*found)), None)
    return arena.shelf.read(*found) if found else None


def identity_of(arena: Arena, name: str) -> str:
    """
    Return the identity of the letter on file that went out under a name, or "".

    Letters of older releases went out under their identity.
    """
    if any(arena.shelf.exists(*found) for found in _places(name)):
        return name
    for folder in [found[:-1] for found in _places(name)] if addressing.is_name(arena.secret, name) else ():
        for file in arena.shelf.names(*folder):
            if writing.name_of(arena.shelf.read(*folder, file)) == name:
                return file.removesuffix(".eml")
    return ""


def _places(text: str) -> list[tuple[str, ...]]:
    """Return where a letter may be on file, by its identity or by the name under which it went out."""
    known = re.fullmatch(r"([a-z0-9][\w+-]*)[\w.+-]{0,200}", text, re.ASCII)
    return [place(text), ("games", known[1], "post", "out", f"{text}.eml")] if known else []


def file_to_moderator(
    arena: Arena, identity: ArenaLetter, game: str, token: str, to: str, title: str, body: str, now: datetime
) -> None:
    """Put a letter to a game's moderator on file, in the arena's own name; replies to it reach the game."""
    here = arena.settings.arena
    subject = addressing.subject(game, title, token, plus=here.plus)
    reply = addressing.reply_address(here.address, game, token, plus=here.plus)
    raw = compose(arena, identity, to, subject, body, now, sender=f"{here.name}: {game}", reply_to=reply)
    file(arena, identity, raw, now)


def file(arena: Arena, identity: ArenaLetter, raw: bytes, now: datetime) -> None:
    """
    Put a letter on file, to be sent: durably, and once.

    Where the desk was in hand, because something failed there, it stays so, and is recovered at the next sweep.
    """
    was_in_hand = arena.index.games.is_busy("desk")
    arena.index.games.mark_busy(["desk"])
    arena.shelf.write(raw, *place(identity), once=True)
    with arena.index.together():
        arena.index.outgoing.add([sending.as_unsent(identity, place(identity))], now)
        if not was_in_hand:
            arena.index.games.free("desk")
