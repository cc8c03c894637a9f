"""What a player is told first of a phase of cards: what came at their Program, what they did, where they are by it."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from pbem.ruleset import Event, Facts, Outcome
from pbem.rulesets.discs.model.state import State


class Met(msgspec.Struct, frozen=True, kw_only=True):
    """A Disc or an Attack that reached somebody: at which card, who is at its other end, and what was done about it."""

    what: Literal["disc", "attack", "own"]
    card: int
    name: str
    does: str


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """
    What happened to one Program in a phase.

    Shape: `cards` were turned, `mine` of them the Program's; `coming` is what reached it, its own Disc too, and `made`
    what it reached others with, both in the order of play; `by` is who De-Rezzed it, "" for nobody; `begins` is the
    event of where it was put, {} in later phases. `stands` is its row of the table.
    """

    cards: int
    mine: int
    coming: list[Met]
    made: list[Met]
    by: str
    begins: Facts
    stands: Facts


def happened(outcome: Outcome[State], seat: str) -> Facts:
    """Return the facts for `happened.j2`, {} where there is nothing to tell. Rule: D4, D7-D16."""
    events = outcome.events
    rows = [row for facts in _of(events, "stands") for row in facts["rows"] if row["seat"] == seat]
    fell = [facts for facts in _of(events, "derezzed") if facts["seat"] == seat]
    if not rows or (rows[0]["out"] and not fell):
        return {}
    cards = _of(events, "card")
    told = Happened(
        cards=len(cards),
        mine=sum(facts["seat"] == seat for facts in cards),
        coming=list(_coming(events, seat)),
        made=list(_made(events, seat, rows[0]["name"])),
        by=fell[0]["by"] if fell else "",
        begins=next((facts for facts in _of(events, "begins") if facts["seat"] == seat), {}),
        stands=rows[0],
    )
    plain: Facts = msgspec.to_builtins(told)
    return plain


def _coming(events: Sequence[Event], seat: str) -> Iterator[Met]:
    """Yield what reached a Program."""
    for event in events:
        facts = event.facts
        if event.kind == "crossed" and facts["seat"] == seat:
            yield _met("own" if facts["owner"] == seat else "disc", facts, facts["disc"])
        elif event.kind == "attacked" and facts["seat"] == seat:
            yield _met("attack", facts, facts["by"])


def _made(events: Sequence[Event], seat: str, name: str) -> Iterator[Met]:
    """Yield whom a Program reached with its Disc or by an Attack."""
    for event in events:
        facts = event.facts
        if event.kind == "crossed" and facts["owner"] == seat != facts["seat"]:
            yield _met("disc", facts, facts["who"])
        elif event.kind == "attacked" and facts["by"] == name:
            yield _met("attack", facts, facts["who"])


def _met(what: Literal["disc", "attack", "own"], facts: Facts, name: str) -> Met:
    return Met(what=what, card=facts["card"], name=name, does=facts["does"])


def _of(events: Sequence[Event], kind: str) -> list[Facts]:
    return [event.facts for event in events if event.kind == kind]
