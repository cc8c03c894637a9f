"""`deputy ADDRESS`: asks somebody to stand in where the moderator plays; they do once they say yes themselves."""

from datetime import datetime
from typing import Self

import msgspec

from pbem.ground.terms import Person
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Ruled, Table
from pbem.table.rulings import naming
from pbem.table.rulings.replace import offers

NONE = "nobody"


class Deputy(BaseRuling, frozen=True, kw_only=True, tag="deputy"):
    """Ask a person to be the deputy, who is in place of another once they say yes; `person` is "" for nobody."""

    person: Person

    makes_proof = False
    is_unprinted = True
    is_guarded = True
    section = "WHERE YOU PLAY YOURSELF"
    forms = ("deputy ADDRESS", "deputy nobody")
    says = (
        "Asks somebody who has no seat to stand in for you. Once they say yes they, and not you, read what players say "
        "to the moderator, and they rule on what touches your own seat; a hold of theirs holds a report as yours does."
    )

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read who is asked."""
        said = rest.strip(" .!")
        if said.casefold() in (NONE, "none", "no one"):
            return cls(person=Person(""), because=because)
        found = naming.find_person(said)
        if found is None:
            how = "This names no address, or more. Write deputy ADDRESS, or deputy nobody. Nobody was asked."
            return Unread("unreadable", how)
        return found if isinstance(found, Unread) else cls(person=found, because=because)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse whoever has a part in the game, and where the moderator does not play."""
        because = self.why_not(table)
        return Unread("illegal", f"{because} Nobody was asked.") if because else None

    def why_not(self, table: Table) -> str:
        """Say why this cannot be, or ""."""
        if table.status == "over":
            return "The game is over."
        if not self.person:
            return "" if table.deputy or offer(table) else "There is no deputy, and nobody is asked to be it."
        if not table.moderator_plays() and table.status != "sign-up":
            return "You do not play in this game, so all that a deputy could do is yours."
        if self.person == table.charter.moderator:
            return "That is your own address."
        if self.person == table.deputy:
            return "Whoever has that address is your deputy already."
        if any(self.person == seated.person for seated in table.seats.values()):
            return "Whoever has that address plays in this game."
        if any(self.person in past for past in table.past.values()):
            return "Whoever has that address had a seat in this game once."
        if self.person in table.invited or any(self.person == one.ruling.person for one in offers(table).values()):
            return "Whoever has that address is asked to play in this game."
        return ""

    def show(self) -> str:
        """Write who is asked."""
        return f"{self.verb()} {self.person or NONE}"

    def act(self, table: Table, noted: datetime) -> Table:
        """Let this offer take the place of one before it; or let there be no deputy any more, and no hold of theirs."""
        table = self.without_offers(table, but=table.ruled if self.person else 0)
        return table if self.person else msgspec.structs.replace(table, deputy=None, deputy_holds=False)

    def lasts(self, table: Table) -> bool:
        """Say whether the offer goes on: the game does."""
        assert table.outcome is not None
        return bool(self.person) and not table.outcome.result

    @classmethod
    def without_offers(cls, table: Table, *, but: int = 0) -> Table:
        """Take away the offers to be the deputy, but for that of one ruling."""

        def is_kept(one: Ruled[BaseRuling]) -> bool:
            return one.number == but or not isinstance(one.ruling, cls)

        standing, rulings = (tuple(filter(is_kept, ruled)) for ruled in (table.standing, table.rulings))
        # `unsealed` counts the rulings that there were as the phase closed.
        sealed = cls.without_offers(table.sealed, but=but) if table.sealed else None
        return msgspec.structs.replace(table, standing=standing, rulings=rulings, sealed=sealed)


def offer(table: Table) -> Ruled[Deputy] | None:
    """Return the ruling by which somebody is asked to be the deputy, or None."""
    if table.status == "over":
        return None
    found = [one for one in (*table.standing, *table.rulings) if isinstance(one.ruling, Deputy) and one.ruling.person]
    return found[-1] if found else None
