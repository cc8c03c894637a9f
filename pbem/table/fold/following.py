"""What becomes of rulings that hold each round when what they are said for changes, and what else can be chosen."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.ground.terms import Fate
from pbem.ruleset import FollowingRuleset
from pbem.table.fold import closing
from pbem.table.model import audience
from pbem.table.model.table import Ruled, Table
from pbem.table.rulings.do import Do


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What else a moderator can have, and the lines for it."""

    to: str
    lines: tuple[str, ...]


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a ruling that holds each round: its number, whether it ends, why, and what can be had instead."""

    number: int
    ends: bool
    because: str
    choices: tuple[Choice, ...]


def followed(table: Table, *, is_out: bool = False) -> tuple[Followed, ...]:
    """
    Return what the end of a closed phase does to rulings that hold each round.

    Shape: `is_out` where its report is, so that other lines bring the choices.
    """
    outcome = table.outcome
    if outcome is None or outcome.asks or outcome.result:
        return ()
    return tuple(_row(table, *one, is_out=is_out) for one in _fates(table, table.state, outcome.state))


def foreseen(before: Table, after: Table) -> tuple[Followed, ...]:
    """Return what rulings that were given while orders are open will do to others that hold each round, likewise."""
    if after.status != "open" or not isinstance(after.ruleset, FollowingRuleset):
        return ()
    was, now = (after.ruleset.foreseen(after.state, closing.given(table).effects) for table in (before, after))
    old = [(one, fate) for one, fate in _fates(after, was, now) if one.number <= before.ruled]
    new = [(one, fate) for one, fate in _fates(after, after.state, now) if one.number > before.ruled]
    return tuple(_row(after, *one) for one in (*old, *new))


def _fates(table: Table, before: Any, after: Any) -> Iterator[tuple[Ruled[Do], Fate]]:
    if not isinstance(table.ruleset, FollowingRuleset):
        return
    for ruled in (*table.standing, *table.rulings):
        if isinstance(ruled.ruling, Do) and ruled.ruling.each:
            fate = table.ruleset.fate(before, after, ruled.ruling.effect)
            if fate:
                yield ruled, fate


def _row(table: Table, ruled: Ruled[Do], fate: Fate, *, is_out: bool = False) -> Followed:
    choices = _later(ruled, fate) if is_out else _now(ruled, fate)
    rows = (Choice(to=to, lines=tuple(audience.named(table, line) for line in lines)) for to, lines in choices)
    return Followed(number=ruled.number, ends=fate.ends, because=fate.because, choices=tuple(rows))


def _now(ruled: Ruled[Do], fate: Fate) -> Iterator[tuple[str, list[str]]]:
    """Yield what else there is to choose before the report is out; the ruling counts once in this phase in any case."""
    undo, once, each = _lines(ruled, fate)
    if fate.instead:
        yield "To keep it instead", [f"do {fate.instead} because REASON"]
    if fate.ends and fate.plain:
        yield "To keep it all the same", [undo, each]
    elif fate.plain:
        yield "To end it with this phase", [undo, once]
    if fate.whose:
        yield f"To leave it with {fate.whose}", [undo, each]


def _later(ruled: Ruled[Do], fate: Fate) -> Iterator[tuple[str, list[str]]]:
    """Yield what else there is to choose once the report is out."""
    undo, _, each = _lines(ruled, fate)
    if fate.ends and fate.plain:
        yield "To keep it all the same", [each]
    elif not fate.ends:
        yield "To end it", [undo]
    if fate.whose:
        yield f"To leave it with {fate.whose}", [undo, each]


def _lines(ruled: Ruled[Do], fate: Fate) -> tuple[str, str, str]:
    """Return the lines that take a ruling back, and that say what it came to, once and in each phase."""
    plain = (msgspec.structs.replace(ruled.ruling, effect=fate.plain, each=each).show() for each in (False, True))
    once, each = (f"{line} because REASON" for line in plain)
    return f"undo {ruled.number}", once, each
