"""The strays: mail that was set aside or could not act, with the reason; listed, shown, and taken once more."""

from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from pbem.ground.terms import CharterError, Mail
from pbem.hall.mail.incoming.desk import pending, purging
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.store import append_only
from pbem.hall.store.arena import Arena
from pbem.hall.sweep import taking
from pbem.hall.sweep.swept import Swept
from pbem.hall.sweep.turns import Turns
from pbem.letters import reading
from pbem.world.index.counters import Counted, What

NOBODY_KNOWS = datetime.fromtimestamp(0, UTC)


class Stray(msgspec.Struct, frozen=True):
    """A mail among the strays: why, when it came (None where that is not known), from whom, and about what."""

    digest: str
    why: str
    arrived: datetime | None
    sender: str
    subject: str


def strays(arena: Arena) -> Iterator[Stray]:
    """Yield the strays whose mail is still kept, in the order of their arrival."""
    came = {entry["cause"]: entry["arrived"] for entry in pending.entries(arena)}
    found = [_stray(arena, name.removesuffix(".txt"), came) for name in arena.shelf.names("strays")]
    yield from sorted((one for one in found if one), key=lambda one: (one.arrived or NOBODY_KNOWS, one.digest))


def _stray(arena: Arena, digest: str, came: dict[str, datetime]) -> Stray | None:
    place = _place(arena, digest)
    if place is None:
        return None
    letter = reading.read(arena.shelf.read(*place))
    why = arena.shelf.read("strays", f"{digest}.txt").decode("utf-8", "replace").strip()
    return Stray(digest, why, came.get(digest), ", ".join(letter.senders), letter.subject)


def _place(arena: Arena, digest: str) -> tuple[str, ...] | None:
    """Return where a mail lies: among those that no game has, or in a game."""
    places = ((*folder, f"{digest}.eml") for folder in arena.mail_folders())
    return next((place for place in places if arena.shelf.exists(*place)), None)


def find_digest(arena: Arena, beginning: str) -> str:
    """Return the digest of the stray that begins so. Errors: CharterError where none does, or several do."""
    names = [name.removesuffix(".txt") for name in arena.shelf.names("strays")]
    found = [name for name in names if beginning and name.startswith(beginning.lower())]
    if len(found) != 1:
        raise CharterError(f'{len(found) or "No"} strays begin with "{beginning}". To list them: pbem strays')
    return found[0]


def raw(arena: Arena, digest: str) -> bytes:
    """Return the bytes of a stray. Errors: CharterError where they are gone."""
    place = _place(arena, digest)
    if place is None:
        reason = f"mail that belongs to no game is kept for {purging.KEPT.days} days."
        raise CharterError(f"The mail {digest[:12]} is gone: {reason}")
    return arena.shelf.read(*place)


def retry(arena: Arena, digest: str, now: datetime) -> tuple[bool, str]:
    """
    Take a stray once more, as if it had just been fetched, with its own time of arrival.

    Shape: returns whether it is no stray any more, and in words what became of it. What it did before stays done:
    a letter that was sent for it, nothing else, since a stray never acted.
    """
    bytes_ = raw(arena, digest)
    entries = [entry for entry in pending.entries(arena) if entry["cause"] == digest]
    arrived = next((entry["arrived"] for entry in entries), now)
    mail = Mail(f"stray {digest[:12]}", arrived, digest, bytes_)
    note = {"noted": now, "arrived": arrived, "cause": digest, "key": "", "why": "retried"}
    arena.shelf.append(append_only.encode("entry", note), *pending.JOURNAL)
    marks = [digest, *(entry["key"] for entry in entries)]
    with arena.index.together():
        arena.index.games.forget_taken(marks)
        arena.index.counters.reset(Counted(what=What.TRIES, about=mark) for mark in marks)
    swept = Swept()
    left = taking.take_mails(arena, swept, [mail], now, Turns(arena, now, is_last=True))
    if left or swept.troubles:
        return False, "; ".join(swept.troubles) or "its game stands still"
    if not swept.entries and not _is_held(arena, digest):
        return False, arena.shelf.read("strays", f"{digest}.txt").decode("utf-8", "replace").strip()
    arena.shelf.remove("strays", f"{digest}.txt")
    game = unpacking.unpack(arena, mail).game
    if arena.has_game(game):
        arena.shelf.remove("in", f"{digest}.eml")  # the game keeps it now
    return True, f"taken in {game}" if swept.entries else "its sender is asked to confirm it"


def _is_held(arena: Arena, digest: str) -> bool:
    """Say whether the desk keeps a mail until somebody confirms it."""
    *_, last = (entry for entry in pending.entries(arena) if entry["cause"] == digest)
    return bool(last.get("to"))
