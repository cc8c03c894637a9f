"""A game read from its folder: charter, starts of phases and journals, checked and folded to a ledger."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pbem.ground import chance, records
from pbem.ground.terms import ShelfError
from pbem.hall.store.ledger import JOURNAL, STATE, Ledger
from pbem.ruleset import Ruleset
from pbem.table.fold import journal, replay
from pbem.table.fold.journal import Entry, GameBegun, PhaseClosed, PhasePublished, RulesChanged
from pbem.table.fold.replay import Start
from pbem.table.model import charter, first_format
from pbem.table.model.charter import Charter
from pbem.world.shelf import NOTHING, Footing, Shelf


def folders(shelf: Shelf, place: tuple[str, ...]) -> list[str]:
    """List the phase folders of a game, in order of their numbers."""
    found = (re.fullmatch(r"phase-(\d+)", name) for name in shelf.names(*place))
    return [match[0] for match in sorted((match for match in found if match), key=lambda match: int(match[1]))]


def open_ledger(shelf: Shelf, place: tuple[str, ...], rulesets: Mapping[str, Ruleset[Any, Any]], seed: bytes) -> Ledger:
    """
    Read a game and fold it from the start of a phase; a torn tail is cut.

    The game's `state.toml` is written with the letters, after them, so the letters of all entries up to the one
    it names are on file. The fold begins early enough that every later step is left in `fresh`.
    Errors: ShelfError where the journal no longer reaches that entry.
    """
    stamp = shelf.stamp(*place, "charter.toml")
    terms = read_charter(shelf, place, rulesets)
    if chance.seal(seed) != terms.seal:
        raise ShelfError(f"secrets/{terms.game}.seed does not fit the seal in the charter. Put it back from a backup.")
    filed, sum_ = _state_origin(shelf, place)
    ledger, left = _begin(_founded(shelf, place, terms, rulesets[terms.ruleset], seed), seed, filed)
    cut: tuple[int, str] | None = None
    for name, found in journals(shelf, place, left, ledger.sum, ledger.table.ruleset):
        ledger.fold(found.entries, found.sum)
        ledger.footings[name] = (
            Footing(shelf.footing(*place, name, JOURNAL).inode, found.good) if found.good else NOTHING
        )
        cut = (found.good, name) if found.torn else None
    ledger.stamps["charter.toml"] = stamp
    ledger.filed = filed
    missing = _shortfall(ledger, filed, sum_)
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


def entries_from(shelf: Shelf, place: tuple[str, ...], number: int, ruleset: Ruleset[Any, Any]) -> tuple[Entry, ...]:
    """Return a game's entries from a number on; no phase is read that ended before. Errors: ShelfError."""
    names, sum_ = folders(shelf, place), journal.FIRST_SUM
    for at in reversed(range(len(names))):
        if shelf.exists(*place, names[at], STATE):
            start = read_start(shelf, place, names[at], ruleset)
            if start.head < number:
                names, sum_ = names[at:], start.sum
                break
    read = journals(shelf, place, names, sum_, ruleset)
    return tuple(one for _, found in read for one in found.entries if one.number >= number)


def _founded(shelf: Shelf, place: tuple[str, ...], terms: Charter, ruleset: Ruleset[Any, Any], seed: bytes) -> Ledger:
    """Return a game as it was founded, of which nothing has been folded yet."""
    return Ledger(shelf, place, terms, replay.first(terms, ruleset, seed), journal.FIRST_SUM)


def _resumed(first: Ledger, seed: bytes, start: Start, sum_: str) -> Ledger:
    """Return a game at the start of a phase."""
    table = replay.resume(first.charter, first.table.ruleset, seed, start)
    return Ledger(first.shelf, first.place, first.charter, table, sum_)


def _begin(first: Ledger, seed: bytes, filed: int) -> tuple[Ledger, list[str]]:
    """
    Return the game at the latest start behind which all letters may be owed, and the journals that follow it.

    Shape: up to the entry `filed` all letters are on file.
    """
    shelf, place = first.shelf, first.place
    names = folders(shelf, place)
    for number in reversed(range(len(names))):
        if shelf.exists(*place, names[number], STATE):
            start = read_start(shelf, place, names[number], first.table.ruleset)
            if start.head <= filed:
                return _resumed(first, seed, start, start.sum), names[number:]
    return _behind_other_rules(first, seed, names) if len(names) > 1 else (first, names)


def _behind_other_rules(first: Ledger, seed: bytes, names: list[str]) -> tuple[Ledger, list[str]]:
    """Return the game at the start behind the last phase that other rules than ours have ended, else at its first."""
    ledger, left = first, names
    found = list(journals(first.shelf, first.place, names, ruleset=first.table.ruleset))
    for place, (name, read) in enumerate(found):
        rest = names[names.index(name) + 1 :]
        if rest and _other_version(found, place, first):
            ledger, left = _resumed(first, seed, _start_behind(first, rest, read), read.sum), rest
    return ledger, left


def _state_origin(shelf: Shelf, place: tuple[str, ...]) -> tuple[int, str]:
    """Return from which entry the game's own `state.toml` was written, and its check sum; 0 where it is gone."""
    text = (shelf.find(*place, STATE) or b"").decode("utf-8", "replace")
    found = re.search(r"^format = (\d{1,9})$", text, re.MULTILINE)
    if found:
        records.known({"format": int(found[1])}, shelf.root.joinpath(*place, STATE))
    entry = re.search(r"^entry = (\d{1,9})$", text, re.MULTILINE)
    sum_ = re.search(r'^sum = "([0-9a-f]{32})"$', text, re.MULTILINE)
    return int(entry[1]) if entry else 0, sum_[1] if sum_ else ""


def shortfall(ledger: Ledger) -> str:
    """Say that the end of a game's journal is missing, or not what it was; else ""."""
    return _shortfall(ledger, *_state_origin(ledger.shelf, ledger.place))


def _shortfall(ledger: Ledger, head: int, sum_: str) -> str:
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
        why = "its check sum does not fit. Put it back from a backup, or delete it: it is made again from the journal."
        raise ShelfError(f"{path} is not as it was written: {why}")
    return start_of(text, str(path), ruleset)


def start_of(text: str, file: str, ruleset: Ruleset[Any, Any]) -> Start:
    """Read what a phase's start says. Errors: CharterError or ShelfError with the file."""
    found = records.parse(text, file)
    is_old = found.get("format", 1) == 1
    found = records.known(found, file, journal.FORMAT)
    found = first_format.start(found, file) if is_old else found
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
    ledger = _founded(shelf, place, terms, ruleset, seed)
    read = list(journals(shelf, place, names, ruleset=ruleset))
    for number, (name, found) in enumerate(read):
        if found.torn:
            raise ShelfError(f"{'/'.join(place)}/{name}/{JOURNAL} has a torn tail; the next sweep cuts it.")
        version = _other_version(read, number, ledger)
        ledger.fresh = []
        if version:
            start = _start_behind(ledger, names[names.index(name) + 1 :], found)
            ledger.table, ledger.sum = replay.resume(terms, ruleset, seed, start), found.sum
        else:
            ledger.fold(found.entries, found.sum)
        yield Folded(name, ledger, found.entries, version)


def _other_version(read: Sequence[tuple[str, journal.Decoded]], place: int, ledger: Ledger) -> int:
    """
    Return the version of the rules, if not ours, that led from a phase to the next one, else 0.

    Shape: a game's set-up notes no version; it was older where the rules are seen to have changed in the phase behind.
    """
    ruleset = ledger.table.ruleset
    closed = _closed_by(read[place], ruleset)
    behind = read[place + 1] if place + 1 < len(read) else None
    if closed or behind is None or not isinstance(read[place][1].entries[-1], GameBegun):
        return closed
    renewed = any(isinstance(entry, RulesChanged) for entry in behind[1].entries)
    return _closed_by(behind, ruleset) or (ledger.charter.version if renewed else 0)


def _closed_by(phase: tuple[str, journal.Decoded], ruleset: Ruleset[Any, Any]) -> int:
    versions = {entry.version for entry in phase[1].entries if isinstance(entry, PhaseClosed)} - {ruleset.version}
    return min(versions, default=0)


def _start_behind(ledger: Ledger, names: Sequence[str], found: journal.Decoded) -> Start:
    """Return the start behind a phase of another version, checked against its journal. Errors: ShelfError."""
    place, last = ledger.place, found.entries[-1]
    if not names or not isinstance(last, (GameBegun, PhasePublished)):
        raise replay.version_error(place[-1], found.entries)
    start = read_start(ledger.shelf, place, names[0], ledger.table.ruleset)
    state = last.state if isinstance(last, PhasePublished) else replay.digest_of(start.state)
    if (start.head, start.sum, replay.digest_of(start.state)) != (last.number, found.sum, state):
        raise ShelfError(f"{'/'.join(place)}/{names[0]}/{STATE} is not what entry {last.number} of the journal led to.")
    return start
