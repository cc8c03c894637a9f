"""One game as the sweep holds it: its charter, the table that its journal folds to, and the entries that it adds."""

from collections.abc import Iterable, Sequence

import msgspec
import tomli_w

from pbem.ground import records
from pbem.table.fold import journal, replay
from pbem.table.fold.journal import Entry
from pbem.table.model.charter import Charter
from pbem.table.model.table import Table
from pbem.table.outgoing import owed, posts
from pbem.table.outgoing.letter import Owed
from pbem.table.outgoing.posts import Post
from pbem.world.shelf import NOTHING, Batch, Footing, Shelf

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


class Ledger:
    """
    A game as the sweep holds it.

    Shape: `place` is the game's folder as parts of the shelf; `fresh` the steps whose letters may not be on file
    yet; `reopened` says that it was read from the folder and not settled since, so that letters may be on file of
    which the index knows nothing; `filed` is the entry up to which `state.toml` said then that they are; `seen` is
    the game's `state.toml` as this visit found it, `written` as we wrote it last; `stamps` are those of charter and
    `state.toml` as we have read or written them, by their names; `footings` are the journals that were read or written
    here, by folder, which nobody else adds to; `sent` remembers which letters a reader has, and `named` under which
    name each of them went out, as far as anybody asked. The journal is the commit: once the batch that entries were put
    into is done, they are durable. Where it fails this ledger is ahead of its folder, and is to be dropped.
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
        self.filed = 0
        self.seen: bytes | None = None
        self.written: bytes | None = None
        self.stamps: dict[str, str] = {}
        self.footings: dict[str, Footing] = {}
        self.sent: dict[str, list[str]] = {}
        self.named: dict[str, dict[str, str]] = {}

    def stand(self, batch: Batch) -> None:
        """Note that what was put into a batch is in its place now."""
        self.stamps |= {parts[-1]: stamp for parts, stamp in batch.stamps.items() if parts[:-1] == self.place}
        self.footings |= {parts[-2]: found for parts, found in batch.footings.items() if parts[:-2] == self.place}

    def settle(self) -> None:
        """Note that every letter that is owed so far is on file, and in the index."""
        self.fresh.clear()
        self.reopened = False
        self.seen = None

    def note_sent(self, reader: str, identity: str) -> None:
        """Remember a letter that was just filed, where the reader's letters are remembered at all."""
        if reader in self.sent:
            self.sent[reader].append(identity)

    def put(self, batch: Batch, *entries: Entry) -> None:
        """Plan entries one after the other, and put them into a batch."""
        self.put_planned(batch, plans(self.table, entries))

    def put_planned(self, batch: Batch, steps: Sequence[Step]) -> None:
        """
        Put planned entries into a batch, at the end of their journals, and move on to where they lead.

        Shape: the steps were planned, each from the table that the one before led to. What follows the end of a phase
        goes to another folder, and so into a later stage.
        Errors: ChangedError from the batch where somebody else has written to a journal, or to `state.toml` since we
        looked; nothing is done then.
        """
        if self.seen is not None:
            batch.expect(self.seen, *self.place, STATE)
        for step in steps:
            name = folder(self.table)
            data, self.sum = journal.encode([step.entry], self.sum)
            batch.append(data, *self.place, name, JOURNAL, onto=self.footings.get(name, NOTHING))
            self.fresh.append(msgspec.structs.replace(step, sum=self.sum))
            self.table = step.after
            if folder(self.table) != name:
                batch.then()

    def look(self) -> bytes:
        """
        Read the game's `state.toml`, and remember how this visit found it; "" where there is none.

        A file with the stamp that we gave it is not read again: we assume that it says what we wrote. If it does not,
        the batch finds out before it does anything.
        """
        stamp = self.shelf.stamp(*self.place, STATE)  # before it is read: what comes later is an edit
        if self.written is None or stamp != self.stamps.get(STATE):
            self.written = None
            self.stamps[STATE] = stamp
            self.seen = self.shelf.find(*self.place, STATE) or b""
        else:
            self.seen = self.written
        return self.seen

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
    text = f"format = {journal.FORMAT}\n{tomli_w.dumps(plain)}"
    heading = f"# Derived from the journal up to entry {start.head}; `pbem replay` compares it.\n"
    return records.checked(heading + text).encode()


def marks(entry: Entry) -> tuple[str, ...]:
    """Return by which marks the mail of an entry is known when it comes again: key, digest, of which post it is."""
    found = (getattr(entry, "key", ""), getattr(entry, "cause", ""), getattr(entry, "version_of", ""))
    return tuple(mark for mark in found if mark)
