"""Replay: fold a game again from its charter and compare every derived file, byte for byte."""

import difflib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from pbem.ground import chance, records
from pbem.ground.terms import CharterError, ShelfError
from pbem.hall.mail.outgoing import wording
from pbem.hall.store import game_folder, ledger, published
from pbem.ruleset import Ruleset
from pbem.table.fold import replay as fold
from pbem.table.fold.journal import FIRST_SUM, FORMAT, GameBegun, PhasePublished
from pbem.table.model.table import Table
from pbem.world.shelf import Shelf


class Phase(msgspec.Struct, frozen=True):
    """
    What replaying one phase showed: "" in `difference` where every file was the same.

    Shape: `version` is that of the rules under which it was closed, where it is not ours, else 0: then its chain
    and the state that it led to were checked, and nothing was adjudicated again.
    """

    folder: str
    title: str
    entries: int
    compared: int
    skipped: int
    difference: str = ""
    version: int = 0


class Words(msgspec.Struct, frozen=True):
    """The words of reports and their digests by ruleset, against which a journal says which words it was told in."""

    environment: jinja2.Environment
    digests: Mapping[str, str]


def replay(
    folder: Path, rulesets: Mapping[str, Ruleset[Any, Any]], words: Words, seed: bytes | None = None
) -> Iterator[Phase]:
    """
    Replay a game's folder, phase by phase; stop behind the first difference.

    Shape: `seed` is needed while a game runs; a finished one has it in its journal. Reports are compared where
    they were told in the words that we have now, else counted as skipped. A last Phase of no entries says where
    the journal's end is missing.
    Errors: ShelfError or CharterError where a file cannot be read.
    """
    held, phases = _phases(folder, rulesets, seed)
    for folded in phases:
        held = folded.ledger
        found = _phase(held.shelf, held.place, folded, words)
        yield found
        if found.difference:
            return
    missing = game_folder.shortfall(held)
    if missing:
        yield Phase(ledger.STATE, held.table.title, 0, 0, 0, missing)


def table(folder: Path, rulesets: Mapping[str, Ruleset[Any, Any]], seed: bytes | None = None) -> Table:
    """Return where the game in a folder stands. Errors: as `replay`."""
    held, phases = _phases(folder, rulesets, seed)
    for folded in phases:
        held = folded.ledger
    return held.table


def _phases(
    folder: Path, rulesets: Mapping[str, Ruleset[Any, Any]], seed: bytes | None
) -> tuple[ledger.Ledger, Iterator[game_folder.Folded]]:
    """Return the game in a folder as it was founded, and each of its phases, folded again."""
    shelf = Shelf(folder.parent)
    place = (folder.name,)
    terms = game_folder.read_charter(shelf, place, rulesets)
    seed = seed or opened_seed(shelf, place)
    if chance.seal(seed) != terms.seal:
        raise ShelfError(f"The seed of {terms.game} does not fit the seal in its charter.")
    ruleset = rulesets[terms.ruleset]
    first = ledger.Ledger(shelf, place, terms, fold.first(terms, ruleset, seed), FIRST_SUM)
    return first, game_folder.phases(shelf, place, ruleset, terms, seed)


def opened_seed(shelf: Shelf, place: tuple[str, ...]) -> bytes:
    """Return the seed that the last entry of a game opened. Errors: ShelfError where it is not over."""
    for name in reversed(game_folder.folders(shelf, place)):
        if shelf.exists(*place, name, ledger.JOURNAL):
            found = re.search(rb'^seed = "([0-9a-f]+)"$', shelf.read(*place, name, ledger.JOURNAL), re.MULTILINE)
            if found:
                return bytes.fromhex(found[1].decode())
    raise ShelfError(f"{'/'.join(place)} is not over, so its seed is still sealed. It can be read inside its arena.")


def _phase(shelf: Shelf, place: tuple[str, ...], folded: game_folder.Folded, words: Words) -> Phase:
    name, held = folded.name, folded.ledger
    compared = skipped = 0
    if folded.version:
        return Phase(name, "", len(folded.entries), 0, 0, version=folded.version)
    title = held.fresh[0].before.title if held.fresh else held.table.title
    for step in held.fresh:
        for path, text in _derived(step, words).items():
            if text is None:
                skipped += 1
                continue
            compared += 1
            difference = _difference(shelf, (*place, *path.split("/")), text, held.table.ruleset)
            if difference:
                return Phase(name, title, len(held.fresh), compared, skipped, difference)
        if isinstance(step.entry, PhasePublished) and step.before.outcome:
            state = fold.digest(step.before.ruleset, step.before.outcome.state)
            if state != step.entry.state:
                difference = f"entry {step.entry.number} says the state's digest is {step.entry.state}; it is {state}"
                return Phase(name, title, len(held.fresh), compared, skipped, difference)
    return Phase(name, title, len(held.fresh), compared, skipped)


def _derived(step: ledger.Step, words: Words) -> dict[str, bytes | None]:
    """Return the files that follow from a step, by path in the game's folder; None where words have changed."""
    if isinstance(step.entry, GameBegun):
        return {f"{ledger.folder(step.after)}/state.toml": ledger.start_file(step.after, step.sum)}
    if not isinstance(step.entry, PhasePublished):
        return {}
    ended = ledger.folder(step.before)
    texts = wording.reports(words.environment, step, step.letters())
    same = step.entry.wording == words.digests[step.before.ruleset.name]
    return {
        f"{ended}/outcome.toml": wording.outcome_file(step.before),
        **{f"{ended}/{name}": text.encode() if same else None for name, text in texts.items()},
        f"{ledger.folder(step.after)}/state.toml": ledger.start_file(step.after, step.sum),
    }


def _is_same(found: str, expected: str, ruleset: Ruleset[Any, Any]) -> bool:
    """
    Say whether a start on file, as an older release wrote it, says what ours does.

    Older ones had no last sets, before that another grammar, rulings as words, no rules, no format, at first no sum.
    """
    is_of_today = all(f"\n{line}\n" in found for line in (f"format = {FORMAT}", f"grammar = {ruleset.grammar}"))
    is_of_today = is_of_today and re.search(r"^\[+last\b", found, re.MULTILINE) is not None
    if is_of_today or not records.intact(found):
        return False
    was, ours = (game_folder.start_of(one, ledger.STATE, ruleset) for one in (found, expected))
    return msgspec.structs.replace(was, rules=was.rules or ours.rules, last=was.last or ours.last) == ours


def _is_same_outcome(found: str, expected: str) -> bool:
    """Say whether an outcome on file, as an older release wrote it, says what ours does: those held the state too."""
    try:
        was = records.parse(found, published.OUTCOME)
    except CharterError:
        return False
    return was.pop("state", None) is not None and was == records.parse(expected, published.OUTCOME)


def _difference(shelf: Shelf, parts: tuple[str, ...], expected: bytes, ruleset: Ruleset[Any, Any]) -> str:
    if not shelf.exists(*parts):
        return f"{'/'.join(parts)} is missing"
    found, wanted = shelf.read(*parts).decode("utf-8", "replace"), expected.decode()
    if records.intact(found) and records.unchecked(found) == records.unchecked(wanted):
        return ""
    if parts[-1] == ledger.STATE and _is_same(found, wanted, ruleset):
        return ""
    if parts[-1] == published.OUTCOME and _is_same_outcome(found, wanted):
        return ""
    lines = difflib.unified_diff(
        found.split("\n"),
        wanted.split("\n"),
        f"{'/'.join(parts)} (on file)",
        f"{'/'.join(parts)} (replayed)",
        lineterm="",
        n=1,
    )
    return "\n".join(lines)
