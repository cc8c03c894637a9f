"""What a game has told everybody, as its folder has it: press to all, by number, and events of phases that are out."""

import hashlib
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import msgspec

from pbem.ground import records
from pbem.ground.terms import Event, Everyone, Seat
from pbem.hall.store import game_folder
from pbem.ruleset import ExhibitingRuleset, Ruleset
from pbem.table.fold.journal import Entry, OrdersReceived, PostArchived, RulingGiven
from pbem.table.rulings.redact import Redact
from pbem.table.rulings.undo import Undo
from pbem.world.shelf import Shelf

OUTCOME = "outcome.toml"
TAKEN_OFF = "(taken off by the moderator)"
_QUOTED = re.compile(r"^( *):.*(?:\n\1:.*)*", re.MULTILINE)


class Press(msgspec.Struct, frozen=True):
    """Words of a seat to all players, by their number in the game, from 1; "" where they were taken off."""

    kind: ClassVar[str] = "press"

    number: int
    name: str
    text: str


def press(entries: Sequence[Entry], before: int, names: Mapping[Seat, str] = {}) -> Iterator[Press]:
    """Yield the press to all of a phase, in the order in which it came; `before` it there were so many."""
    for entry in entries:
        if isinstance(entry, OrdersReceived):
            for one in entry.press:
                if one.to == "all":
                    before += 1
                    yield Press(before, names.get(entry.seat, entry.seat), one.text)


class Post(msgspec.Struct, frozen=True):
    """
    Words that somebody posted at the game's public place, by their number in the game, from 1.

    Shape: `writer` tells those who post from each other; `has_orders` where they read as somebody's orders;
    `version_of` is as in the journal. The text is "" where it was taken off.
    """

    kind: ClassVar[str] = "post"

    number: int
    writer: str
    text: str
    has_orders: bool
    version_of: str


def posts(entries: Sequence[Entry], before: int) -> Iterator[Post]:
    """Yield what was posted in a phase, in the order in which it came; `before` it there were so many posts."""
    for entry in entries:
        if isinstance(entry, PostArchived):
            before += 1
            yield Post(before, entry.writer, entry.text, entry.has_orders, entry.version_of)


def texts(shelf: Shelf, place: tuple[str, ...], ruleset: Ruleset[Any, Any], what: str) -> tuple[str, ...]:
    """
    Return the texts of press or a post, by its number, or all that a thing of the ruleset's has had.

    Errors: ShelfError or CharterError where a file cannot be read.
    """
    folders = game_folder.folders(shelf, place)
    kind, _, number = what.partition(" ")
    if kind in ("press", "post"):
        count = 0
        for _, found in game_folder.journals(shelf, place, folders, ruleset=ruleset):
            said: Iterator[Press | Post] = press(found.entries, count)
            for one in said if kind == "press" else posts(found.entries, count):
                count = one.number
                if str(count) == number:
                    return (one.text,)
        return ()
    told = [event for name in folders for event in _events(shelf, (*place, name))]
    return texts_of(ruleset, told, what)


def texts_of(ruleset: Ruleset[Any, Any], told: Sequence[Event], what: str) -> tuple[str, ...]:
    """Return all texts that a thing of the ruleset's has had, by what everybody was told, the oldest first."""
    if not isinstance(ruleset, ExhibitingRuleset):
        return ()
    found: dict[str, None] = {}
    for count in range(1, len(told) + 1):
        if told[count - 1].facts.get("number") == what:
            found |= {one.text: None for one in ruleset.exhibits(told[:count]) if one.number == what}
    return tuple(found)


S = TypeVar("S", Press, Post)


def without_said(said: Iterable[S], ruling: Redact) -> tuple[S, ...]:
    """Return what was said, without the text that a ruling takes off by its kind, its number and its digest."""

    def is_meant(one: S) -> bool:
        return ruling.what == f"{one.kind} {one.number}" and digest([one.text]) == ruling.digest

    return tuple(msgspec.structs.replace(one, text="") if is_meant(one) else one for one in said)


def digest(found: Sequence[str]) -> str:
    """Return the digest by which a ruling names texts."""
    return hashlib.sha256("\0".join(found).encode()).hexdigest()[:32]


def note_redactions(entries: Sequence[Entry], before: int, found: dict[int, Redact]) -> int:
    """
    Add to `found` what a phase's rulings take off the pages, by their numbers, and drop what they take back.

    It goes by the entries alone, so that a text stays off also where its phase was closed under older rules and is not
    worked out again. Shape: `before` the phase there were so many numbered rulings; the number behind it is returned.
    """
    for entry in entries:
        if isinstance(entry, RulingGiven) and not entry.test:
            for ruling in entry.rulings:
                before += ruling.is_numbered
                if isinstance(ruling, Redact):
                    found[before] = ruling
                elif isinstance(ruling, Undo):
                    found.pop(ruling.number, None)
    return before


def redacted(shelf: Shelf, place: tuple[str, ...], ruleset: Ruleset[Any, Any]) -> frozenset[str]:
    """Return all texts of a game that are taken off, as `without` takes them. Errors: ShelfError or CharterError."""
    found: dict[int, Redact] = {}
    count = 0
    for _, read in game_folder.journals(shelf, place, game_folder.folders(shelf, place), ruleset=ruleset):
        count = note_redactions(read.entries, count, found)
    return as_words(text for one in found.values() for text in texts(shelf, place, ruleset, one.what))


def as_words(said: Iterable[str]) -> frozenset[str]:
    """Return texts by their words alone, however they are set."""
    return frozenset(words([text]) for text in said)


def words(lines: Iterable[str]) -> str:
    """Return what lines say, however they are set."""
    return " ".join(" ".join(lines).split())


def without(text: str, gone: Container[str]) -> str:
    """Return a letter of ours in which those quotations stand no more whose words are `gone`."""

    def shown(found: re.Match[str]) -> str:
        lines = [line.strip().removeprefix(":") for line in found[0].split("\n")]
        return f"{found[1]}: {TAKEN_OFF}" if words(lines) in gone else found[0]

    return _QUOTED.sub(shown, text)


def _events(shelf: Shelf, place: tuple[str, ...]) -> list[Event]:
    """Return the events of a phase that everybody was told; none where it is not out."""
    if not shelf.exists(*place, OUTCOME):
        return []
    text, file = shelf.read(*place, OUTCOME).decode("utf-8", "replace"), str(shelf.root.joinpath(*place, OUTCOME))
    found = records.convert({"events": records.parse(text, file).get("events", [])}, _Told, text, file)
    return [event for event in found.events if isinstance(event.to, Everyone)]


class _Told(msgspec.Struct):
    events: tuple[Event, ...] = ()
