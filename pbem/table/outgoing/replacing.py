"""The letters about a seat that goes to another person: to them, to who has it until then, and to the moderator."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from pbem.ground.terms import Facts, Person, Seat
from pbem.ruleset import OwningRuleset
from pbem.table.clock.game_terms import terms, unusual_rules
from pbem.table.clock.views import BaseView, moment
from pbem.table.fold.journal import Entry, OfferAccepted, OfferDeclined, SeatHandedOn
from pbem.table.model.charter import HouseRule
from pbem.table.model.table import Table
from pbem.table.outgoing.letter import Owed, asked, letter, opening_part
from pbem.table.requests.manuals import PastReports
from pbem.table.rulings import replace


class Offer(BaseView, frozen=True, kw_only=True):
    """To whoever is asked to take a seat over, called `name`; or who is asked no more, or has said no."""

    template = "offer"

    stage: Literal["asked", "withdrawn", "declined", "accepted"]
    seat: Seat
    name: str

    @property
    def for_seat(self) -> Seat:
        """The seat."""
        return self.seat


class Replacing(BaseView, frozen=True, kw_only=True):
    """
    To whoever has a seat, called `name`, that is offered to somebody else, and to the moderator.

    Shape: its player is told that somebody is `asked`, that it is `kept`, or that they have `left` it; the moderator
    that `person` has `declined` or `taken` it.
    """

    template = "replacing"

    stage: Literal["asked", "kept", "leaving", "left", "declined", "accepted", "taken"]
    name: str
    person: Person | None = None


class KeptOrders(msgspec.Struct, frozen=True, kw_only=True):
    """Orders that stand for a phase to come, by its title or its kind."""

    title: str
    kind: str
    orders: tuple[str, ...]


class Takeover(BaseView, frozen=True, kw_only=True):
    """
    Welcomes whoever has taken a seat over.

    Shape: `later` are the orders that stand, `names` all players, `reports` says that the reports so far come too.
    """

    template = "takeover"

    names: tuple[str, ...]
    unusual: tuple[HouseRule, ...]
    reports: bool


def offers_changed(before: Table, entry: Entry, after: Table) -> Iterator[Owed]:
    """Tell those whom it concerns of seats that are offered to somebody, and of offers that hold no more."""
    were, are = replace.offers(before), replace.offers(after)
    for seat in after.seats:
        was, now, name = were.get(seat), are.get(seat), after.label(seat)
        if was and (now is None or now.ruling.person != was.ruling.person):
            gone = Offer(stage="withdrawn", seat=seat, name=name, terms=terms(after))
            yield letter(after, entry, gone, person=was.ruling.person)
        if now and (was is None or now.number != was.number):
            offer = Offer(stage="asked", seat=seat, name=name, terms=terms(after), moment=moment(after, seat))
            yield letter(after, entry, offer, None, opening_part(after, brief=True), person=now.ruling.person)
        if bool(was) != bool(now) and after.status != "over" and not _is_out(after, seat):
            view = Replacing(stage="asked" if now else "kept", name=name, moment=moment(after, seat))
            yield letter(after, entry, view, seat)


def accepted(entry: OfferAccepted, after: Table) -> Iterator[Owed]:
    """Tell all three that a seat goes to somebody else as the next phase opens."""
    seat, name = entry.seat, after.label(entry.seat)
    offer = Offer(stage="accepted", seat=seat, name=name, terms=terms(after))
    yield letter(after, entry, offer, person=entry.person, answers=entry.message_id)
    if not _is_out(after, seat) and after.seats[seat].person != after.charter.moderator:
        yield letter(after, entry, Replacing(stage="leaving", name=name, moment=moment(after, seat)), seat)
    yield letter(after, entry, Replacing(stage="accepted", name=name, person=entry.person, moment=moment(after, None)))


def handed_on(before: Table, entry: SeatHandedOn, after: Table) -> Iterator[Owed]:
    """Tell the old player and the moderator that a seat has gone, and welcome who has it now."""
    seat, old = entry.seat, before.seats[entry.seat].person
    name = after.label(seat)
    if old != after.charter.moderator:
        yield letter(after, entry, Replacing(stage="left", name=name), person=old)
    known = after.known_to(seat)
    view = Takeover(
        names=tuple(after.labels().values()),
        unusual=tuple(unusual_rules(after)),
        reports=after.number > 1,
        terms=terms(after),
        moment=moment(known, seat),
    )
    yield letter(
        known,
        entry,
        view,
        seat,
        opening_part(after) | (asked(known, seat) or _owned(known, seat)),
        answers=entry.message_id,
    )
    if after.number > 1:
        yield letter(after, entry, PastReports(wanted=""), seat)
    taken = Replacing(stage="taken", name=name, person=entry.person, moment=moment(after, None))
    yield letter(after, entry, taken)


def declined(entry: OfferDeclined, after: Table) -> Iterator[Owed]:
    """Tell all three that nobody is asked any more: who said no, whoever has the seat, and the moderator."""
    seat, name = entry.seat, after.label(entry.seat)
    view = Offer(stage="declined", seat=seat, name=name, terms=terms(after))
    yield letter(after, entry, view, person=entry.person, answers=entry.message_id)
    if not _is_out(after, seat) and after.seats[seat].person != after.charter.moderator:
        yield letter(after, entry, Replacing(stage="kept", name=name, moment=moment(after, seat)), seat)
    told = Replacing(stage="declined", name=name, person=entry.person, moment=moment(after, None))
    yield letter(after, entry, told)


def _owned(table: Table, seat: Seat) -> dict[str, Facts]:
    """Return the part that says what a seat has; what it is asked says that too."""
    if table.state is None or not isinstance(table.ruleset, OwningRuleset):
        return {}
    facts = table.ruleset.owned(table.seen_by(seat), seat)
    return {"owned": facts} if facts else {}


def _is_out(table: Table, seat: Seat) -> bool:
    return table.state is not None and table.ruleset.is_out(table.state, seat)
