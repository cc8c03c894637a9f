"""The words of letters and reports: a ruleset's parts, and the letter around them, in a dress."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TypeAlias

import jinja2
import msgspec
import tomli_w

from pbem import ruleset
from pbem.ground import records
from pbem.ground.terms import Facts
from pbem.hall.store.ledger import Step
from pbem.letters import rendering
from pbem.table.fold import journal
from pbem.table.model.calendar import show_deadline
from pbem.table.model.table import Table
from pbem.table.outgoing import reports as phase_reports
from pbem.table.outgoing.letter import Owed

When: TypeAlias = Callable[[datetime], list[str]]
"""Shows an instant in a reader's zone, as lines of a letter."""

PARTS = (
    "asked", "hand", "leftover", "lead", "happened", "report", "private", "final", "opening", "handbook", "manual",
    "archive", "explained", "forecast", "owned",
)  # fmt: skip
"""The templates of a ruleset that letters are made of."""

FOR_ALL = ("report", "lead", "happened")
"""Parts that are the same for several readers; they have no `beside`, and are rendered once for all of these."""


class Shared:
    """Parts of the letters of one step that say the same to several readers, rendered once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: dict[tuple[str, int], list[tuple[Facts, str]]] = {}

    def render(self, words: jinja2.Environment, name: str, facts: Facts) -> str:
        """Render a template, or return what it said before; facts that are equal say the same."""
        known = self._known.setdefault((name, id(words)), [])
        said = next((text for before, text in known if before == facts), None)
        if said is None:
            said = rendering.render(words, name, facts)
            known.append((facts, said))
        return said


def reports(
    words: jinja2.Environment, step: Step, letters: Sequence[Owed], shared: Shared | None = None
) -> dict[str, str]:
    """Render the reports of a published phase, whose letters these are: file names within its folder to their text."""
    assert isinstance(step.entry, journal.PhasePublished)
    when = partial(in_zone, zone=step.before.charter.zone, now=step.entry.noted)
    view, parts, _ = phase_reports.public_report(step.before, step.entry)
    shared = shared or Shared()
    found = {"report.txt": letter(words, step.before, "public", view.facts(), parts, when, shared)}
    for one in letters:
        own = {name: one.parts[name] for name in phase_reports.OWN if name in one.parts}
        if one.seat and own and isinstance(one.view, phase_reports.Report):
            found[f"seats/{one.seat}.txt"] = "\n".join(part(words, step.before, name, own, shared) for name in own)
    return found


def outcome_file(table: Table) -> bytes:
    """Write what an adjudication gave, as `outcome.toml` keeps it; its state is in the next phase's `state.toml`."""
    assert table.outcome is not None
    plain = records.plain(msgspec.structs.replace(table.outcome, state={}))
    del plain["asks"]  # what is published asks nothing
    del plain["state"]
    plain["nmr"] = list(table.nmr)
    heading = "# Derived: verdicts and events of this phase's adjudication; `pbem replay` compares it.\n"
    return (heading + tomli_w.dumps(plain)).encode()


def in_zone(instant: datetime, zone: str, now: datetime) -> list[str]:
    """Show an instant in a reader's zone, as lines of a letter."""
    return list(show_deadline(instant, zone, now))


def letter(
    words: jinja2.Environment,
    table: Table,
    template: str,
    facts: Facts,
    parts: Mapping[str, Facts],
    when: When,
    shared: Shared,
) -> str:
    """
    Render the ruleset's parts, then the letter around them; a part that is not there is "".

    Shape: `apart` has pairs of the names of some seats and what they alone are told, in the words in which they are.
    """
    around = facts | {"game": table.charter.game, "title": table.title, "when": when}
    w = table.words
    rendered = {name: _part(words, table, name, parts, w, shared) if name in parts else "" for name in PARTS}
    apart = [
        (names, _part(words, table, "private", {**parts, "private": facts}, w, shared))
        for names, facts in parts.get("apart", {}).items()
    ]
    return rendering.render(words, f"{template}.j2", around | rendered | {"apart": apart})


def part(
    words: jinja2.Environment, table: Table, name: str, parts: Mapping[str, Facts], shared: Shared | None = None
) -> str:
    """
    Render a part of the ruleset's, in the dress of the words.

    Shape: templates know what this game calls things as `w`, and all parts of the letter as `beside`, which
    those FOR_ALL do not have.
    """
    return _part(words, table, name, parts, table.words, shared or Shared())


def _part(
    words: jinja2.Environment,
    table: Table,
    name: str,
    parts: Mapping[str, Facts],
    w: ruleset.Words | None,
    shared: Shared,
) -> str:
    template, facts = f"{table.charter.ruleset}/{name}.j2", parts[name] | {"w": w}
    if name in FOR_ALL:
        return shared.render(words, template, facts)
    return rendering.render(words, template, facts | {"beside": parts})
