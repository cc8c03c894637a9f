"""The letters about a seat that goes to another person: to them, to who has it until then, and to the moderator."""

from collections.abc import Iterator

from pbem.table.game_terms import charter_facts, unusual_rules
from pbem.table.journal import Entry, SeatHandedOn
from pbem.table.outgoing.letter import Owed, asked, letter, opening_part, phase_facts
from pbem.table.rulings import replace
from pbem.table.table import Table
from pbem.terms import Facts, Seat


def offers_changed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    """Tell those whom it concerns of seats that are offered to somebody, and of offers that hold no more."""
    were, are = replace.offers(before), replace.offers(after)
    for seat in after.seats:
        was, now = were.get(seat), are.get(seat)
        if was and (now is None or now.ruling.person != was.ruling.person):
            facts: Facts = {"stage": "withdrawn", "seat": seat, "name": after.label(seat)}
            yield letter(after, entry, "offer", None, facts | charter_facts(after), person=was.ruling.person)
        if now and (was is None or now.number != was.number):
            facts = {"stage": "asked", "seat": seat} | charter_facts(after) | phase_facts(after, seat)
            parts = opening_part(after, brief=True)
            yield letter(after, entry, "offer", None, facts, parts, person=now.ruling.person)
        if bool(was) != bool(now) and after.status != "over" and not _is_out(after, seat):
            facts = {"stage": "asked" if now else "kept"} | phase_facts(after, seat)
            yield letter(after, entry, "replacing", seat, facts)


def handed_on(before: Table, entry: SeatHandedOn, after: Table) -> Iterator[Owed]:
    """Tell the old player and the moderator that a seat has gone, and welcome who has it now."""
    seat, old = entry.seat, before.seats[entry.seat].person
    name = after.label(seat)
    if old != after.charter.moderator:
        yield letter(after, entry, "replacing", None, {"stage": "left", "name": name}, person=old)
    known = after.known_to(seat)
    facts: Facts = charter_facts(after) | phase_facts(known, seat) | {"later": _later(after, seat)}
    facts |= {"names": list(after.labels().values()), "unusual": unusual_rules(after)}
    parts = opening_part(after) | asked(known, seat)
    facts |= {"reports": after.number > 1}
    yield letter(known, entry, "takeover", seat, facts, parts, answers=entry.message_id)
    if after.number > 1:
        yield letter(after, entry, "history", seat, {"wanted": ""})
    told: Facts = {"stage": "taken", "person": entry.person}
    yield letter(after, entry, "replacing", None, told | phase_facts(after, None) | {"name": name})


def _later(table: Table, seat: Seat) -> list[Facts]:
    """Return the orders that stand for phases to come, as letters show them."""
    names = table.labels().values()
    return [
        {"title": kept.title, "kind": kept.kind, "orders": [table.worded(line, names) for line in kept.orders]}
        for kept in table.later.get(seat, ())
        if kept.orders
    ]


def _is_out(table: Table, seat: Seat) -> bool:
    return table.state is not None and table.ruleset.is_out(table.state, seat)
