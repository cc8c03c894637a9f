"""One game as the sweep holds it: its charter, the table that its journal folds to, and the entries that it adds."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from pbem import records
from pbem.table import journal, replay
from pbem.table.charter import Charter
from pbem.table.journal import Entry
from pbem.table.outgoing import owed, posts
from pbem.table.outgoing.letter import Owed
from pbem.table.outgoing.posts import Post
from pbem.table.table import Table
from pbem.terms import WorldError
from pbem.world.shelf import NOTHING, ChangedError, Footing, Shelf

JOURNAL = "journal.toml"
STATE = "state.toml"


class Step(msgspec.Struct, frozen=True):
    """
    An entry with the table before and after it.

    Shape: `sum` is the check sum at the end of what was appended with it; `owed` the letters that it calls for,
    where they were reckoned already.
    """

    before: Table
    entry: Entry
    after: Table
    sum: str = ""
    owed: tuple[Owed, ...] | None = None

    def letters(self) -> tuple[Owed, ...]:
        """Return the letters that the entry calls for."""
        return tuple(owed.owed(self.before, self.entry, self.after)) if self.owed is None else self.owed

    def posts(self) -> tuple[Post, ...]:
        """Return what the entry calls for at the public place of its game."""
        return tuple(posts.posts(self.before, self.entry, self.after))


def plan(table: Table, entry: Entry) -> Step:
    """Work out what an entry does and owes, before anything of it is durable: most faults of ours show here."""
    after = replay.step(table, entry)
    return Step(table, entry, after, owed=tuple(owed.owed(table, entry, after)))


def plans(table: Table, entries: Iterable[Entry]) -> list[Step]:
    """Plan entries one after the other."""
    steps: list[Step] = []
    for entry in entries:
        steps.append(plan(steps[-1].after if steps else table, entry))
    return steps


class Words(NamedTuple):
    """The name under which a letter of ours went out, what it says, and the same as programs show its HTML, or ""."""

    name: str
    text: str
    rich: str = ""


class EditedError(WorldError):
    """A person saved `state.toml`, or cut the journal, while we were about to commit what we reckoned without that."""


class Ledger:
    """
    A game as the sweep holds it.

    Shape: `place` is the game's folder as parts of the shelf; `fresh` the steps whose letters may not be on file
    yet; `reopened` says that it was read from the folder and not settled since, so that letters may be on file of
    which the index knows nothing; `seen` is the game's `state.toml` as this visit found it; `footings` are the
    journals that were read or written here, by folder, which nobody else adds to; `sent` and `words`
    remember which letters a reader has, and what they say. The journal is the commit: `commit` returns when the
    entries are durable.
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
        self.reopened = True
        self.seen: bytes | None = None
        self.footings: dict[str, Footing] = {}
        self.sent: dict[str, list[str]] = {}
        self.words: dict[str, Words] = {}

    def settle(self) -> None:
        """Note that every letter that is owed so far is on file, and in the index."""
        self.fresh.clear()
        self.reopened = False
        self.seen = None

    def note_sent(self, reader: str, identity: str) -> None:
        """Remember a letter that was just filed, where the reader's letters are remembered at all."""
        if reader in self.sent:
            self.sent[reader].append(identity)

    @property
    def folder(self) -> str:
        """The folder of the phase that entries go to now."""
        return folder(self.table)

    def append(self, *entries: Entry) -> None:
        """Plan entries one after the other, and commit them."""
        self.commit(plans(self.table, entries))

    def commit(self, steps: Sequence[Step]) -> None:
        """
        Append planned entries, durably, and move on to where they lead.

        Shape: the steps were planned, each from the table that the one before led to. An entry that ends a phase
        must be the last of its batch, because what follows goes to another folder.
        Errors: EditedError where a person's edit, or what became of the journal, has to be read first; nothing is
        committed then.
        """
        if self.is_edited():
            raise EditedError(f"{'/'.join((*self.place, STATE))} was changed by hand just now.")
        data, ending = journal.encode([step.entry for step in steps], self.sum)
        place = (*self.place, self.folder, JOURNAL)
        onto = self.footings.get(self.folder, NOTHING)
        try:
            self.shelf.append(data, *place, onto=onto)
        except ChangedError as error:
            raise EditedError(str(error)) from error
        self.footings[self.folder] = Footing(self.shelf.footing(*place).inode, onto.size + len(data))
        self.fresh += [msgspec.structs.replace(step, sum=ending) for step in steps]
        self.table, self.sum = steps[-1].after, ending

    def look(self) -> bytes:
        """Read the game's `state.toml`, and remember how this visit found it; "" where there is none."""
        self.seen = self._state()
        return self.seen

    def is_edited(self) -> bool:
        """Say whether a person has changed `state.toml` since this visit looked at it."""
        return self.seen is not None and self._state() != self.seen

    def _state(self) -> bytes:
        return self.shelf.read(*self.place, STATE) if self.shelf.exists(*self.place, STATE) else b""

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
    plain = records.plain(start)
    for name in ("past", "threads", "unsent", "unheard"):  # older releases know of none
        if not plain[name]:
            del plain[name]
    text = f"format = {journal.FORMAT}\n{records.dump(plain)}"
    heading = f"# Derived from the journal up to entry {start.head}; `pbem replay` compares it.\n"
    return records.checked(heading + text).encode()


def marks(entry: Entry) -> tuple[str, ...]:
    """Return by which marks the mail of an entry is known when it comes again: key, digest, of which post it is."""
    found = (getattr(entry, "key", ""), getattr(entry, "cause", ""), getattr(entry, "version_of", ""))
    return tuple(mark for mark in found if mark)
