"""One game on the shelf: its charter, its journal in folders by phase, and the table that they fold to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pbem import records
from pbem.ruleset import Ruleset
from pbem.table import charter, journal, replay
from pbem.table.charter import Charter
from pbem.table.journal import Entry
from pbem.table.replay import Start
from pbem.table.table import Table
from pbem.terms import ShelfError
from pbem.world.shelf import Shelf

JOURNAL = "journal.toml"
STATE = "state.toml"


class Step(msgspec.Struct, frozen=True):
    """An entry with the table before and after it, and the check sum at the end of what was appended with it."""

    before: Table
    entry: Entry
    after: Table
    sum: str


class Ledger:
    """
    A game as the sweep holds it.

    Shape: `place` is the game's folder as parts of the shelf; `fresh` the steps whose letters are not on file
    yet, the first `recovered` of them read from the folder, where a letter may be on file after all; `sent` and
    `words` remember which letters a reader has, and what they say. The journal is the commit: `append` returns
    when the entries are durable.
    Errors: ShelfError or CharterError where a file is missing, torn in the middle, or edited badly.
    """

    def __init__(self, shelf: Shelf, place: tuple[str, ...], charter: Charter, start: Table, sum_: str) -> None:
        """Hold a game at the start of a phase, of which nothing has been folded yet."""
        self.shelf = shelf
        self.place = place
        self.charter = charter
        self.table = start
        self.sum = sum_
        self.fresh: list[Step] = []
        self.recovered = 0
        self.sent: dict[str, list[str]] = {}
        self.words: dict[str, str] = {}

    def settle(self) -> None:
        """Note that every letter that is owed so far is on file."""
        self.fresh.clear()
        self.recovered = 0

    def note_sent(self, reader: str, identity: str) -> None:
        """Remember a letter that was just filed, where the reader's letters are remembered at all."""
        if reader in self.sent:
            self.sent[reader].append(identity)

    @property
    def folder(self) -> str:
        """The folder of the phase that entries go to now."""
        return folder(self.table)

    def append(self, entries: Sequence[Entry]) -> None:
        """
        Append entries, durably, and fold them.

        An entry that ends a phase must be the last of its batch, because what follows goes to another folder.
        """
        data, ending = journal.encode(entries, self.sum)
        self.shelf.append(data, *self.place, self.folder, JOURNAL)
        self.fold(entries, ending)

    def fold(self, entries: Sequence[Entry], ending: str) -> None:
        """Fold entries that are durable already."""
        for entry in entries:
            after = replay.step(self.table, entry)
            self.fresh.append(Step(self.table, entry, after, ending))
            self.table = after
        self.sum = ending


def folder(table: Table) -> str:
    """Name the folder of the phase that a table is in; behind the last phase there is one for what comes after."""
    return f"phase-{table.number + (table.status == 'over'):02d}"


def start_file(table: Table, sum_: str) -> bytes:
    """Write a start as `state.toml` keeps it: from which entry it derives, and its own check sum."""
    start = replay.start(table, sum_)
    text = records.dump(start)
    return f"# Derived from the journal up to entry {start.head}; `pbem replay` compares it.\n{text}".encode()


def open_ledger(shelf: Shelf, place: tuple[str, ...], rulesets: Mapping[str, Ruleset[Any, Any]], seed: bytes) -> Ledger:
    """
    Read a game and fold it from the start of its latest phase; a torn tail is cut.

    The steps of the phase, and of the one before it where this one has nothing yet, are left in `fresh`, so
    that whoever opens after a crash can see which letters are still owed.
    """
    terms = read_charter(shelf, place, rulesets)
    folders = [name for name in shelf.names(*place) if name.startswith("phase-")]
    kept = [name for name in folders if shelf.exists(*place, name, STATE)]
    begin = kept[-2:-1] if len(kept) > 1 and kept[-1] == folders[-1] else kept[-1:]
    ruleset = rulesets[terms.ruleset]
    if begin:
        start = read_start(shelf, place, begin[0])
        ledger = Ledger(shelf, place, terms, replay.resume(terms, ruleset, seed, start), start.sum)
    else:
        ledger = Ledger(shelf, place, terms, replay.first(terms, ruleset, seed), journal.FIRST_SUM)
    for name in folders:
        if name >= (begin[0] if begin else ""):
            _fold_folder(ledger, name)
    ledger.recovered = len(ledger.fresh)
    return ledger


def read_charter(shelf: Shelf, place: tuple[str, ...], rulesets: Mapping[str, Ruleset[Any, Any]]) -> Charter:
    """Read a game's charter."""
    text = shelf.read(*place, "charter.toml").decode()
    return charter.read(text, rulesets, str(shelf.root.joinpath(*place, "charter.toml")))


def read_start(shelf: Shelf, place: tuple[str, ...], name: str) -> Start:
    """Read the start of a phase."""
    text = shelf.read(*place, name, STATE).decode()
    return records.load(text, Start, str(shelf.root.joinpath(*place, name, STATE)))


def entries_of(shelf: Shelf, place: tuple[str, ...], name: str, previous: str) -> journal.Decoded:
    """Read the journal of one phase; none yet is an empty one."""
    if not shelf.exists(*place, name, JOURNAL):
        return journal.Decoded((), previous, 0)
    data = shelf.read(*place, name, JOURNAL)
    return journal.decode(data, previous, str(shelf.root.joinpath(*place, name, JOURNAL)))


def _fold_folder(ledger: Ledger, name: str) -> None:
    found = entries_of(ledger.shelf, ledger.place, name, ledger.sum)
    if found.torn:
        ledger.shelf.cut(found.good, *ledger.place, name, JOURNAL)
    ledger.fold(found.entries, found.sum)


def phases(
    shelf: Shelf, place: tuple[str, ...], ruleset: Ruleset[Any, Any], terms: Charter, seed: bytes
) -> Iterator[tuple[str, Ledger]]:
    """Yield each phase folder with a ledger folded from the charter to that phase's end: the whole game again."""
    ledger = Ledger(shelf, place, terms, replay.first(terms, ruleset, seed), journal.FIRST_SUM)
    for name in shelf.names(*place):
        if not name.startswith("phase-"):
            continue
        found = entries_of(shelf, place, name, ledger.sum)
        if found.torn:
            raise ShelfError(f"{'/'.join(place)}/{name}/{JOURNAL} has a torn tail; the next sweep cuts it.")
        ledger.fresh = []
        ledger.fold(found.entries, found.sum)
        yield name, ledger
