"""One game on the shelf: its charter, its journal in folders by phase, and the table that they fold to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from pbem import chance, records
from pbem.ruleset import Ruleset
from pbem.table import charter, first_format, journal, replay
from pbem.table.charter import Charter
from pbem.table.journal import Entry, GameBegun, PhaseClosed, PhasePublished, RulesChanged
from pbem.table.outgoing import owed
from pbem.table.outgoing.letter import Owed
from pbem.table.replay import Start
from pbem.table.table import Table
from pbem.terms import ShelfError, WorldError
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


def plan(table: Table, entry: Entry) -> Step:
    """Reckon what an entry does and owes, before anything of it is durable: most faults of ours show here."""
    after = replay.step(table, entry)
    return Step(table, entry, after, owed=tuple(owed.owed(table, entry, after)))


def plans(table: Table, entries: Iterable[Entry]) -> list[Step]:
    """Plan entries one after the other."""
    steps: list[Step] = []
    for entry in entries:
        steps.append(plan(steps[-1].after if steps else table, entry))
    return steps


class Words(NamedTuple):
    """The name under which a letter of ours went out, and what it says."""

    name: str
    text: str


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
        Append planned entries, durably, and go on from where they lead.

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
    text = f"format = {journal.FORMAT}\n{records.dump(start)}"
    heading = f"# Derived from the journal up to entry {start.head}; `pbem replay` compares it.\n"
    return records.checked(heading + text).encode()


def folders(shelf: Shelf, place: tuple[str, ...]) -> list[str]:
    """List the phase folders of a game, in order of their numbers."""
    found = (re.fullmatch(r"phase-(\d+)", name) for name in shelf.names(*place))
    return [match[0] for match in sorted((match for match in found if match), key=lambda match: int(match[1]))]


def marks(entry: Entry) -> tuple[str, ...]:
    """Return by what the mail of an entry is known when it comes again: its content key and its digest."""
    found = (getattr(entry, "key", ""), getattr(entry, "cause", ""))
    return tuple(mark for mark in found if mark)


def open_ledger(shelf: Shelf, place: tuple[str, ...], rulesets: Mapping[str, Ruleset[Any, Any]], seed: bytes) -> Ledger:
    """
    Read a game and fold it from the start of a phase; a torn tail is cut.

    The game's `state.toml` is written with the letters, after them, so the letters of all entries up to the one
    it names are on file. The fold begins early enough that every later step is left in `fresh`.
    Errors: ShelfError where the journal no longer reaches that entry.
    """
    terms = read_charter(shelf, place, rulesets)
    if chance.seal(seed) != terms.seal:
        raise ShelfError(f"secrets/{terms.game}.seed does not fit the seal in the charter. Put it back from a backup.")
    ledger, left = _begin(shelf, place, terms, rulesets[terms.ruleset], seed)
    cut: tuple[int, str] | None = None
    for name, found in journals(shelf, place, left, ledger.sum, ledger.table.ruleset):
        ledger.fold(found.entries, found.sum)
        ledger.footings[name] = (
            Footing(shelf.footing(*place, name, JOURNAL).inode, found.good) if found.good else NOTHING
        )
        cut = (found.good, name) if found.torn else None
    missing = shortfall(ledger)
    if missing:
        raise ShelfError(f"{missing} Put the journal back from a backup; if that end is lost, delete state.toml.")
    if cut:
        shelf.cut(cut[0], *place, cut[1], JOURNAL)
    return ledger


def journals(
    shelf: Shelf,
    place: tuple[str, ...],
    names: Sequence[str],
    sum_: str = journal.FIRST_SUM,
    ruleset: Ruleset[Any, Any] | None = None,
) -> Iterator[tuple[str, journal.Decoded]]:
    """
    Yield the journals of a game's folders, each chained to the one before; the last may be torn.

    Shape: `sum_` is what the first one chains to; `ruleset` is that of `journal.decode`. Errors: ShelfError.
    """
    kept = [name for name in names if shelf.exists(*place, name, JOURNAL)]
    for name in kept:
        data, file = shelf.read(*place, name, JOURNAL), str(shelf.root.joinpath(*place, name, JOURNAL))
        found = journal.decode(data, sum_, file, ruleset=ruleset, last=name == kept[-1])
        sum_ = found.sum
        yield name, found


def _begin(
    shelf: Shelf, place: tuple[str, ...], terms: Charter, ruleset: Ruleset[Any, Any], seed: bytes
) -> tuple[Ledger, list[str]]:
    """Return the game at the latest start behind which all letters may be owed, and the journals that follow it."""
    head, _ = _state_origin(shelf, place)
    names = folders(shelf, place)
    for number in reversed(range(len(names))):
        if shelf.exists(*place, names[number], STATE):
            start = read_start(shelf, place, names[number], ruleset)
            if start.head <= head:
                ledger = Ledger(shelf, place, terms, replay.resume(terms, ruleset, seed, start), start.sum)
                return ledger, names[number:]
    ledger = Ledger(shelf, place, terms, replay.first(terms, ruleset, seed), journal.FIRST_SUM)
    return _behind_other_rules(ledger, ruleset, seed, names) if len(names) > 1 else (ledger, names)


def _behind_other_rules(
    first: Ledger, ruleset: Ruleset[Any, Any], seed: bytes, names: list[str]
) -> tuple[Ledger, list[str]]:
    """Return the game at the start behind the last phase that other rules than ours have ended, else at its first."""
    ledger, left = first, names
    found = list(journals(first.shelf, first.place, names, ruleset=ruleset))
    for place, (name, read) in enumerate(found):
        rest = names[names.index(name) + 1 :]
        if rest and _other_version(found, place, first.charter, ruleset):
            left, start = rest, _led_to(first, rest, read)
            table = replay.resume(first.charter, ruleset, seed, start)
            ledger = Ledger(first.shelf, first.place, first.charter, table, read.sum)
    return ledger, left


def _state_origin(shelf: Shelf, place: tuple[str, ...]) -> tuple[int, str]:
    """Return from which entry the game's own `state.toml` was written, and its check sum; 0 where it is gone."""
    if not shelf.exists(*place, STATE):
        return 0, ""
    text = shelf.read(*place, STATE).decode("utf-8", "replace")
    found = re.search(r"^format = (\d{1,9})$", text, re.MULTILINE)
    if found:
        records.known({"format": int(found[1])}, shelf.root.joinpath(*place, STATE))
    entry = re.search(r"^entry = (\d{1,9})$", text, re.MULTILINE)
    sum_ = re.search(r'^sum = "([0-9a-f]{32})"$', text, re.MULTILINE)
    return int(entry[1]) if entry else 0, sum_[1] if sum_ else ""


def shortfall(ledger: Ledger) -> str:
    """Say what shows that the end of a game's journal is missing or another than it was, or ""."""
    head, sum_ = _state_origin(ledger.shelf, ledger.place)
    game = ledger.place[-1]
    if ledger.table.head < head:
        return f"{game}: the journal ends with entry {ledger.table.head}, but state.toml was written from entry {head}."
    if ledger.table.head == head and sum_ not in ("", ledger.sum):
        return f"{game}: entry {head} of the journal is not the one that state.toml was written from."
    return ""


def read_charter(shelf: Shelf, place: tuple[str, ...], rulesets: Mapping[str, Ruleset[Any, Any]]) -> Charter:
    """Read a game's charter."""
    text = shelf.read(*place, "charter.toml").decode("utf-8", "replace")
    return charter.read(text, rulesets, str(shelf.root.joinpath(*place, "charter.toml")))


def renewed_charter(ledger: Ledger) -> tuple[bytes, bytes] | None:
    """Return a charter's file as it is, and with the defaults of its founding; None where none is missing there."""
    place = (*ledger.place, "charter.toml")
    raw = ledger.shelf.read(*place)
    rulesets = {ledger.charter.ruleset: ledger.table.ruleset}
    text = charter.as_founded(raw.decode("utf-8", "replace"), rulesets, str(ledger.shelf.root.joinpath(*place)))
    return None if text.encode() == raw else (raw, text.encode())


def read_start(shelf: Shelf, place: tuple[str, ...], name: str, ruleset: Ruleset[Any, Any]) -> Start:
    """Read the start of a phase, of whatever format it is."""
    text = shelf.read(*place, name, STATE).decode("utf-8", "replace")
    path = shelf.root.joinpath(*place, name, STATE)
    if not records.intact(text):
        said = "its check sum does not fit. Put it back from a backup, or delete it: it is made again from the journal."
        raise ShelfError(f"{path} is not as it was written: {said}")
    return start_of(text, str(path), ruleset)


def start_of(text: str, file: str, ruleset: Ruleset[Any, Any]) -> Start:
    """Read what a phase's start says. Errors: CharterError or ShelfError with the file."""
    found = records.parse(text, file)
    is_old = found.get("format", 1) == 1
    found = records.known(found, file, journal.FORMAT)
    found = first_format.start(found, ruleset.parts, file) if is_old else found
    return replay.translated(records.convert(found, Start, text, file), ruleset)


class Folded(msgspec.Struct, frozen=True):
    """
    A phase folder that was read: its entries, and the ledger at its end.

    Shape: `version` is that of the rules under which the phase was closed where it is not ours, else 0. Such a
    phase is not folded: its chain was checked, and the next one begins from the state that it led to.
    """

    name: str
    ledger: Ledger
    entries: Sequence[Entry]
    version: int = 0


def phases(
    shelf: Shelf, place: tuple[str, ...], ruleset: Ruleset[Any, Any], terms: Charter, seed: bytes
) -> Iterator[Folded]:
    """Yield each phase folder with a ledger folded from the charter to that phase's end: the whole game again."""
    names = folders(shelf, place)
    ledger = Ledger(shelf, place, terms, replay.first(terms, ruleset, seed), journal.FIRST_SUM)
    read = list(journals(shelf, place, names, ruleset=ruleset))
    for number, (name, found) in enumerate(read):
        if found.torn:
            raise ShelfError(f"{'/'.join(place)}/{name}/{JOURNAL} has a torn tail; the next sweep cuts it.")
        version = _other_version(read, number, terms, ruleset)
        ledger.fresh = []
        if version:
            start = _led_to(ledger, names[names.index(name) + 1 :], found)
            ledger.table, ledger.sum = replay.resume(terms, ruleset, seed, start), found.sum
        else:
            ledger.fold(found.entries, found.sum)
        yield Folded(name, ledger, found.entries, version)


def _other_version(
    read: Sequence[tuple[str, journal.Decoded]], place: int, terms: Charter, ruleset: Ruleset[Any, Any]
) -> int:
    """
    Return the version of the rules, if not ours, that led from a phase to the next one, else 0.

    Shape: a game's set-up notes no version; it was older where the rules are seen to have changed in the phase behind.
    """
    closed = _closed_by(read[place], ruleset)
    behind = read[place + 1] if place + 1 < len(read) else None
    if closed or behind is None or not isinstance(read[place][1].entries[-1], GameBegun):
        return closed
    renewed = any(isinstance(entry, RulesChanged) for entry in behind[1].entries)
    return _closed_by(behind, ruleset) or (terms.version if renewed else 0)


def _closed_by(phase: tuple[str, journal.Decoded], ruleset: Ruleset[Any, Any]) -> int:
    versions = {entry.version for entry in phase[1].entries if isinstance(entry, PhaseClosed)} - {ruleset.version}
    return min(versions, default=0)


def _led_to(ledger: Ledger, names: Sequence[str], found: journal.Decoded) -> Start:
    """Return the start that a phase of another version led to, checked against its journal. Errors: ShelfError."""
    place, last = ledger.place, found.entries[-1]
    if not names or not isinstance(last, (GameBegun, PhasePublished)):
        raise replay.version_error(place[-1], found.entries)
    start = read_start(ledger.shelf, place, names[0], ledger.table.ruleset)
    state = last.state if isinstance(last, PhasePublished) else replay.digest_of(start.state)
    if (start.head, start.sum, replay.digest_of(start.state)) != (last.number, found.sum, state):
        raise ShelfError(f"{'/'.join(place)}/{names[0]}/{STATE} is not what entry {last.number} of the journal led to.")
    return start
