"""How a mail was read, line by line, for a moderator who wants to see why; changes nothing."""

from datetime import UTC, datetime

from pbem.ground.terms import Facts, GameName, Mail
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.checks import doubtful
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, reading
from pbem.letters.heads import Us
from pbem.letters.reading import Known, Letter

_WHENEVER = datetime.fromtimestamp(0, UTC)
"""When it came has no part in how the lines of a mail are read."""


def explain(raw: bytes, arena: Arena | None) -> Facts:
    """
    Read a mail as the daemon would, and say what was taken for what; in an arena, as its game stands now.

    Shape: `token` is its first four characters; `automatic` says how we know that no person wrote it; `subtracted` is
    how many letters of ours were taken away: where the mail has a role in a game of the arena, the one that is
    answered and our latest to its reader. Each of `lines` has its `text`, and what it was `taken` for.
    """
    letter = reading.read(raw)
    found = _addressed(letter)
    known = _known(raw, letter, arena) if arena else Known(names={letter.name})
    new = reading.written(letter, known)
    texts = {line.number: line.text for line in (*new.lines, *new.polite)}
    return {
        "kind": letter.kind,
        "new_text": "\n".join(texts.values()),
        "from": list(letter.senders),
        "name": letter.name,
        "subject": addressing.masked(letter.subject),
        "game": found.game,
        "token": found.token[:4],
        "automatic": letter.automatic,
        "note": letter.note,
        "subtracted": len(known.ours),
        "lines": _lines(letter, known, raw),
    }


def _known(raw: bytes, letter: Letter, arena: Arena) -> Known:
    """Return what an arena knows of a mail, as when it arrives."""
    parcel = unpacking.unpack(arena, Mail("", _WHENEVER, "", raw))
    if arena.has_game(parcel.game):
        ledger = arena.ledger(GameName(parcel.game))
        acting = doubtful.acting_as(Arrival(arena, ledger, ledger.table, parcel, _WHENEVER))
        if acting:
            return acting.known
    here = arena.settings.arena
    return Known(names={letter.name}, us=Us(here.address, here.name))


def _lines(letter: Letter, known: Known, raw: bytes) -> list[Facts]:
    lines: list[Facts] = [
        {"text": addressing.masked(reading.without_marks(text)), "taken": taken}
        for text, taken in zip(letter.body, reading.taken(letter, known), strict=True)
    ]
    lines += ({"text": addressing.masked(text), "taken": why} for text, why in reading.hidden(raw))
    return lines


def _addressed(letter: Letter) -> addressing.Addressed:
    """Find game and token whatever our address is: a mail can be looked at outside any arena."""
    for recipient in letter.to:
        local, _, host = recipient.rpartition("@")
        found = addressing.addressed([recipient], "", f"{local.partition('+')[0]}@{host}")
        if found.token:
            return found
    return addressing.addressed([], letter.subject, "")


WIDTH = 20
"""Columns of what a line was taken for."""


def as_text(file: str, read: Facts) -> str:
    """Write how a mail was read, for people."""
    sender = ", ".join(read["from"]) or "nobody that we can make out"
    place = f"{read['game']}, token {read['token']}..." if read["token"] else read["game"] or "none named"
    rows = [
        ("from", f"{sender} ({read['name']})" if read["name"] else sender),
        ("subject", read["subject"]),
        ("game", place),
        ("kind", f"{read['kind']}: {read['automatic']}" if read["automatic"] else read["kind"]),
        *([("note", read["note"])] if read["note"] else []),
        ("ours on file", f"{read['subtracted']} taken away" if read["subtracted"] else "none; told by marks alone"),
    ]
    head = [f"  {name:<{WIDTH}}  {value}".rstrip() for name, value in rows]
    lines = [f"  {line['taken']:<{WIDTH}}  {line['text']}".rstrip() for line in read["lines"]]
    return "\n".join([file, *head, "", *(lines or ["  There is no text in it."])])
