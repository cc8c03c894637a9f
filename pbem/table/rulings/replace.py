"""`replace NAME by ADDRESS`: offers a seat to somebody else, who has it once they say yes themselves."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Self

import msgspec

from pbem.ground.terms import Person, Seat
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Ruled, Table
from pbem.table.rulings import naming
from pbem.table.rulings.naming import NOBODY, PERSON, UNWRITABLE

_PLAYS_ON = "Nobody was asked, and {} plays on."


class Replace(BaseRuling, frozen=True, kw_only=True, tag="replace"):
    """Ask a person whether they take a seat over; until they do, whoever has it plays on."""

    seat: Seat
    person: Person

    makes_proof = False
    is_unprinted = True
    is_guarded = True
    section = "PLAYERS"
    forms = ("replace Mantisman by ADDRESS",)
    says = (
        "Asks whoever has that address to take the seat. Until they say yes and the next phase opens it is played as "
        "before, and undo takes it back; reports then say that somebody else plays it, and never who or why."
    )

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read whose seat it is, and who is asked."""
        match = re.fullmatch(rf"(.+?)\s+(?:(?:by|with)\s+)?({PERSON}|{re.escape(NOBODY)})[.]?", rest)
        if not match:
            said = "This names no player with one address behind. Write replace NAME by ADDRESS. Nobody was asked."
            return Unread("unreadable", said)
        seat = naming.find_seat(table, match[1].rstrip(" :,"))
        if isinstance(seat, Unread):
            return Unread("illegal", f"{seat.because} Nobody was asked.")
        if match[2] == NOBODY:
            because = f"{UNWRITABLE} Give the address of whoever is to play."
            return Unread("illegal", f"{because} {_PLAYS_ON.format(table.label(seat))}")
        return cls(seat=seat, person=Person(match[2]), because=because)

    @classmethod
    def untimely(cls, table: Table) -> Unread | None:
        """Refuse before there is a game to take over."""
        if table.status != "sign-up":
            return None
        said = (
            "The game has not begun, so nobody can take over a seat in it. To take the seat away write eject NAME; to "
            "ask somebody else, invite ADDRESS. Nobody was asked."
        )
        return Unread("illegal", said)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse whoever has, had or moderates a seat of this game, and a seat that is out of it."""
        because = barred(table, self.seat, self.person)
        return Unread("illegal", f"{because} {_PLAYS_ON.format(table.label(self.seat))}") if because else None

    def show(self) -> str:
        """Write who is to have which seat."""
        return f"{self.verb()} {self.seat} by {self.person}"

    def act(self, table: Table, noted: datetime) -> Table:
        """Let this offer of the seat take the place of one before it."""
        return without_offer(table, self.seat, but=table.ruled)

    def lasts(self, table: Table) -> bool:
        """Say whether the offer goes on: the game does, and the seat is in it."""
        assert table.outcome is not None
        return not (table.outcome.result or table.ruleset.is_out(table.outcome.state, self.seat))


def offers(table: Table) -> Mapping[Seat, Ruled[Replace]]:
    """Return the seats that are offered to somebody, each with the ruling that does it."""
    if table.status == "over":
        return {}
    found = [one for one in (*table.standing, *table.rulings) if isinstance(one.ruling, Replace)]
    return {one.ruling.seat: one for one in found if not _is_out(table, one.ruling.seat)}


def without_offer(table: Table, seat: Seat, *, but: int = 0) -> Table:
    """Take away the offers of a seat, but for that of one ruling."""

    def is_kept(one: Ruled[BaseRuling]) -> bool:
        return one.number == but or not (isinstance(one.ruling, Replace) and one.ruling.seat == seat)

    standing, rulings = (tuple(filter(is_kept, ruled)) for ruled in (table.standing, table.rulings))
    # `unsealed` counts the rulings that there were as the phase closed.
    sealed = without_offer(table.sealed, seat, but=but) if table.sealed else None
    return msgspec.structs.replace(table, standing=standing, rulings=rulings, sealed=sealed)


def declined(table: Table, seat: Seat, person: Person) -> Table:
    """Take away the offer of a seat to a person who does not want it; an `undo` may have left none."""
    offer = offers(table).get(seat)
    return without_offer(table, seat) if offer and offer.ruling.person == person else table


def barred(table: Table, seat: Seat, person: Person) -> str:
    """Say why a person cannot have a seat, or ""."""
    name = table.label(seat)
    if _is_out(table, seat):
        return f"{name} is out of the game, so there is nothing to play. Replace somebody who is in it."
    if person == table.charter.moderator:
        return "That is the moderator's address. Somebody who does not moderate this game can play it."
    if person == table.deputy:
        return "That is your deputy's address, who sees proofs. Somebody who sees none can play it."
    for other, seated in table.seats.items():
        if person == seated.person:
            has = f"plays {name} already" if other == seat else f"plays {table.label(other)} in this game"
            return f"Whoever has that address {has}. Give that of somebody who has no seat."
    for other, past in table.past.items():
        if person in past:
            had = f"the seat of {table.label(other)}" if other in table.seats else "a seat in this game"
            return f"Whoever has that address had {had} once. Ask somebody new."
    taken = next((other for other, one in offers(table).items() if other != seat and one.ruling.person == person), None)
    if taken:
        number = offers(table)[taken].number
        return f"Whoever has that address is asked to play {table.label(taken)}; undo {number} takes that back."
    return ""


def _is_out(table: Table, seat: Seat) -> bool:
    return table.state is not None and table.ruleset.is_out(table.state, seat)
