"""`approve 2`: lets the report out as that proof shows it."""

import re
from datetime import datetime
from typing import Self

import msgspec

from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table


class Approve(BaseRuling, frozen=True, kw_only=True, tag="approve"):
    """Let the report out as the proof of this number shows it; a deputy only ends their own hold by it."""

    proof: int
    by_deputy: bool = False

    when = "closed"
    not_now = "There is no proof to approve; orders are still open."
    is_numbered = False
    makes_proof = False
    section = "THE PROOF AND THE REPORT"
    forms = ("approve 2",)
    says = "Lets the report out as proof 2 shows it."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read the number of the newest proof."""
        number = phrases.number(re.sub(r"^(?:proof\s*)?(?:#|no\.?\s)?\s*", "", rest, flags=re.IGNORECASE))
        if isinstance(number, Unread):
            how = "and nothing else on that line" if rest else "so that the proof is named"
            return Unread("unreadable", f"Write approve {table.proof}, {how}.")
        return cls(proof=number, because=because)

    def unfit(self, table: Table) -> Unread | None:
        """Refuse any proof but the newest."""
        if self.proof != table.proof:
            newest = f"Proof {self.proof} is not the newest. Write approve {table.proof} to let that out."
            return Unread("illegal", newest)
        return None

    def show(self) -> str:
        """Write which proof it is."""
        return f"{self.verb()} {self.proof}"

    def act(self, table: Table, noted: datetime) -> Table:
        """Let the report go out."""
        if self.by_deputy:
            return msgspec.structs.replace(table, deputy_holds=False)
        return msgspec.structs.replace(table, approved=self.proof, held=False)
