"""A game's `state.toml`: written for people to read; a person's edit of it becomes rulings."""

import hashlib
from datetime import datetime
from typing import Any

import tomli_w

from pbem.ground import records
from pbem.ground.terms import CharterError, Facts, OrderLine
from pbem.hall.store.ledger import Ledger
from pbem.table.fold.journal import RulingGiven
from pbem.table.incoming import moderator_mail
from pbem.table.incoming.received import Received
from pbem.table.model.audience import show_fact

FILE = "state.toml"
HEADING = """\
# Where the game stands, derived from the journal; secret while the game runs. You may change what stands under
# [facts]: at the next sweep each change becomes a ruling; the moderator is told of it, and can take it back.
# pbem check shows beforehand what your change will do.
"""


def state_file(ledger: Ledger) -> bytes:
    """Write where a game stands: its own check sum, the entry that it derives from, and the facts that can be set."""
    return _with_check(HEADING + tomli_w.dumps(records.without_none(_facts(ledger))))


def _facts(ledger: Ledger) -> Facts:
    table = ledger.table
    seats = {seat: {"name": table.label(seat), "nmr": seated.nmr} for seat, seated in table.seats.items()}
    return {
        "format": records.FORMAT,
        "entry": table.head,
        "sum": ledger.sum,
        "status": table.status,
        "phase": table.number,
        "title": table.title,
        "deadline": table.deadline if table.status == "open" else None,
        "facts": dict(table.ruleset.standing(table.state)) if table.state is not None else {},
        "seats": seats,
    }


def _with_check(text: str) -> bytes:
    return f'check = "{hashlib.sha256(text.encode()).hexdigest()[:32]}"\n{text}'.encode()


def hand_edit(ledger: Ledger, now: datetime) -> RulingGiven | None:
    """
    Return the rulings that a person's edit of the file amounts to, or None where it is as we wrote it.

    Errors: CharterError with file and line where it no longer parses, where something other than a fact was
    changed, or where the game had moved on before the edit was seen; the game stands still until it is mended.
    """
    raw = ledger.look()
    if not raw or raw is ledger.written:
        return None
    text = raw.decode("utf-8", "replace")
    if _with_check(text.partition("\n")[2]) == raw:
        return None
    key = hashlib.sha256(raw).hexdigest()[:40]
    if key in ledger.table.keys:
        return None
    path = str(ledger.shelf.root.joinpath(*ledger.place, FILE))
    lines = _changes(ledger, records.parse(text, path), text, path)
    if not lines:
        return None
    written = tuple(OrderLine(number, line) for number, line in enumerate(lines, 1))
    received = Received(
        phase=ledger.table.number, arrived=now, noted=now, mail="hand", cause="hand", key=key, message_id="",
        said=written,
    )  # fmt: skip
    entry = moderator_mail.rule(ledger.table, received, by_hand=True)
    if entry.complaints:
        wrong = entry.complaints[0]
        raise CharterError(f"{path}: {wrong.text}: {wrong.because} Take the edit back, or delete the file.")
    return entry


def _changes(ledger: Ledger, found: dict[str, Any], text: str, path: str) -> list[str]:
    expected = records.without_none(_facts(ledger))
    found = {"format": records.FORMAT, **records.known(found, path)}
    if found.get("entry") != expected["entry"]:
        raise moved_on(path)
    for name in expected:
        if name != "facts" and found.get(name) != expected[name]:
            line = records.locate(text, [name])
            raise CharterError(
                f"{path}, line {line}: {name} is derived. Only what stands under [facts] can be changed."
            )
    facts, now = found.get("facts", {}), expected["facts"]
    unknown = sorted(set(facts) ^ set(now))
    if unknown:
        line = records.locate(text, ["facts", unknown[0]])
        raise CharterError(f"{path}, line {line}: [facts] should hold each of its facts once; see {unknown[0]}.")
    return [
        f"set {key} = {show_fact(value)} because edited by hand" for key, value in facts.items() if value != now[key]
    ]


def moved_on(path: object) -> CharterError:
    """Return the error that an edit is about a past state; the person's file stays as it is."""
    return CharterError(
        f"{path} was changed by hand, but the game has moved on since. Delete it, and edit the new one."
    )
