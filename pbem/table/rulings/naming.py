"""By which names a moderator may call what a ruling is about: facts, verdicts, values, effects, players."""

import re
from collections.abc import Callable
from typing import Any

from pbem.ground.terms import Person, Seat
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model import audience
from pbem.table.model.table import Table

CANNOT_KEEP = "I cannot keep that so that it reads back the same. Say it without semicolons and quotes."


PERSON = r"p-[0-9a-f]{10}"
"""How the hall names a person to us: it has turned the address into that before we read the line."""
NOBODY = "(no address)"
"""What it writes in place of an address that no letter can go to."""
UNWRITABLE = "That is my own address, or none that I can write to."


def find_person(words: str) -> Person | Unread | None:
    """Read the one person that a line names; None where it names none, or holds more."""
    words = words.strip(" .!:")
    if words == NOBODY:
        return Unread("illegal", f"{UNWRITABLE} Give one that is a person's. Nobody was asked.")
    return Person(words) if re.fullmatch(PERSON, words) else None


def find_verdict(table: Table, words: str) -> str | Unread:
    """Find the key of a fact of the proof, by its V-number or in words."""
    match = re.fullmatch(r"[vV]\s*([0-9]{1,4})", words)
    if not match:
        return find_fact(table, words)
    if table.outcome is None:
        return Unread("illegal", "There is no proof yet, so no V-numbers. Name the fact in words.")
    number = int(match[1])
    if not 1 <= number <= len(table.numbered):
        return Unread("unreadable", f"Proof {table.proof} has V1 to V{len(table.numbered)}.")
    key = table.numbered[number - 1]
    if key not in {verdict.key for verdict in table.outcome.verdicts}:
        return Unread("illegal", f"{describe_fact(table, key)} Proof {table.proof} no longer has that fact.")
    return key


def describe_fact(table: Table, key: str) -> str:
    """Say in words what a V-number of this phase's proofs is about, or "" where the fact has none."""
    if key not in table.numbered:
        return ""
    outcome = table.outcome
    text = next((one.text for one in outcome.verdicts if one.key == key), "") if outcome else ""
    return f"V{table.numbered.index(key) + 1} is: {text or audience.named(table, key)}."


def find_fact(table: Table, words: str) -> str | Unread:
    """Find the key of a fact, of the state or of the proof, by its name."""
    return _in_words_of(table, lambda state: table.ruleset.name_fact(state, words))


def find_effect(table: Table, words: str) -> str | Unread:
    """Find the effect that the ruleset offers by these words."""
    return _in_words_of(table, lambda state: table.ruleset.effect(state, words))


def _in_words_of(table: Table, find: Callable[[Any], str | Unread]) -> str | Unread:
    """
    Find something by the names of the present state, else by those that the proof shows.

    A name may be new in the very phase that is under review.
    """
    if table.state is None:
        return Unread("illegal", "The game has not begun.")
    found = find(table.state)
    if isinstance(found, Unread) and table.status == "closed" and table.outcome is not None:
        newer = find(table.outcome.state)
        return found if isinstance(newer, Unread) else newer
    return found


def find_seat(table: Table, words: str) -> Seat | Unread:
    """Find a seat by the name that letters show, by the one it was taken under, or by one new in this proof."""
    namings = [table.labels(), {seat: seated.name for seat, seated in table.seats.items()}]
    if table.status == "closed" and table.outcome is not None:
        after = table.outcome.state
        namings.append({seat: table.ruleset.label(after, seat) for seat in table.seats})
    tries = [phrases.find(words.strip(), naming, "player") for naming in namings]
    return next((found for found in tries if not isinstance(found, Unread)), tries[0])
