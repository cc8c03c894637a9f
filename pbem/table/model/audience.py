"""What each reader may know: the events and facts that a letter may hold; secret by default."""

import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from pbem.ground.terms import Event, Everyone, Fact, Only, Outcome, Seat
from pbem.language import phrases
from pbem.table.model.calendar import show_instant
from pbem.table.model.table import BaseRuling, Table


class AtSeat(msgspec.Struct, frozen=True):
    """A reader who plays."""

    seat: Seat


Reader: TypeAlias = AtSeat | Literal["public", "moderator"]


def may_read(event: Event, reader: Reader) -> bool:
    """Say whether an event is for a reader; the public reads only what is for everyone."""
    match event.to:
        case Everyone():
            return True
        case Only(seats):
            return reader == "moderator" or (isinstance(reader, AtSeat) and reader.seat in seats)


def public(outcome: Outcome[Any]) -> list[Event]:
    """Return the events of the public report."""
    return [event for event in outcome.events if may_read(event, "public")]


def private(outcome: Outcome[Any], reader: Reader) -> list[Event]:
    """Return the events that a reader may know and the public may not."""
    return [event for event in outcome.events if not isinstance(event.to, Everyone) and may_read(event, reader)]


def apart(table: Table, outcome: Outcome[Any]) -> dict[str, list[Event]]:
    """Return what some seats alone are told of an outcome, by the names of those seats, in seat order."""
    found: dict[tuple[int, ...], list[Event]] = {}
    labels = [table.ruleset.label(outcome.state, seat) for seat in table.seats]
    places = {seat: place for place, seat in enumerate(table.seats)}
    for event in outcome.events:
        if isinstance(event.to, Only) and event.to.seats:
            found.setdefault(tuple(sorted(places[seat] for seat in event.to.seats)), []).append(event)
    return {phrases.listed([labels[place] for place in whose], "and"): found[whose] for whose in sorted(found)}


def facts(table: Table) -> dict[str, str]:
    """
    Return everything that a ruling can change, by name, as the moderator sees it.

    The difference of two of these is what an echo shows.
    """
    zone = table.charter.zone
    rows: dict[str, str] = {}
    if table.deadline and table.status == "open":
        rows["deadline"] = show_instant(table.deadline, zone)
        rows["clock"] = "stopped" if table.paused else "running"
    rows |= _hands(table)
    if table.state is not None:
        for key, value in table.ruleset.standing(_seen(table)).items():
            rows[named(table, key)] = show_fact(value)
    for ruled in (*table.standing, *table.rulings):
        if ruled.ruling.is_fact:
            rows[f"ruling {ruled.number}"] = show_ruling(table, ruled.ruling)
    if table.status == "closed" and table.outcome:
        rows |= {verdict.text: show_fact(verdict.value) for verdict in table.outcome.verdicts}
        result = table.outcome.result
        rows["the game"] = f"ends: {result.how}" if result else "goes on"
        rows["the proof"] = "held" if table.is_held() else "approved" if table.approved == table.proof else "waits"
    if table.close_now:
        rows["the phase"] = "closes now"
    if table.status == "sign-up":
        rows["the game"] = "begins now" if table.begin_now else "waits for players"
    return rows


def _seen(table: Table) -> Any:
    """Return the state that the moderator may see: while orders are open, one who plays sees what their seat may."""
    mine = table.moderators_seat()
    return table.seen_by(mine) if mine and table.status == "open" else table.state


def show_ruling(table: Table, ruling: BaseRuling) -> str:
    """Write a ruling with the names that people know; a moderator's own words are left as they are."""
    return ruling.show() if ruling.is_prose else named(table, ruling.show())


def named(table: Table, text: str) -> str:
    """Replace seats in canonical words by the names that people know."""
    labels = table.labels()
    if table.outcome is not None:
        labels = {seat: table.ruleset.label(table.outcome.state, seat) for seat in labels}
    pattern = "|".join(re.escape(seat) for seat in sorted(labels, key=len, reverse=True))
    renamed = re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", lambda match: labels[Seat(match[0])], text)
    return table.worded(renamed, labels.values())


def _hands(table: Table) -> dict[str, str]:
    """Return the sets on hand; a moderator who plays sees nothing of them while orders are open."""
    if table.moderator_plays() and table.status == "open":
        return {}
    rows = {}
    for seat in table.phase.owing if table.phase else ():
        held = table.sets.hand.get(seat)
        lines = "; ".join(held.orders) if held else "none on hand"
        rows[f"orders of {table.label(seat)}"] = lines + (" (excused)" if seat in table.excused else "")
    return rows


def show_fact(value: Fact) -> str:
    """Write a fact as letters do."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


class Change(msgspec.Struct, frozen=True):
    """One line of a difference; "" where there was or is nothing."""

    name: str
    old: str
    new: str


def difference(before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """Return what differs between two sets of facts, in the order in which letters name them."""
    names = [*before, *(name for name in after if name not in before)]
    return [
        Change(name, before.get(name, ""), after.get(name, ""))
        for name in names
        if before.get(name, "") != after.get(name, "")
    ]
