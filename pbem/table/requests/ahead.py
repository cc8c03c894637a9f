"""`for Round 5: ORDER; ORDER`: orders for a phase that is not open yet."""

import re
from typing import Self

from pbem.ground.terms import OrderLine, Seat
from pbem.language import bounds, phrases
from pbem.table.model.table import Table
from pbem.table.requests.base import BaseRequest


class Ahead(BaseRequest, frozen=True, kw_only=True, tag="for"):
    """Keep orders until a phase opens; several lines for one phase add up, in place of what was kept for it."""

    title: str
    orders: tuple[str, ...]

    canonical = "orders"

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | phrases.Unread | None:
        """Read the title of a phase, in small letters, and orders, as far as they can be read before it opens."""
        when, colon, orders = rest.partition(":")
        if not colon or seat is None:
            return None
        title = table.own_title(when.strip())
        if not _names_a_phase(table, title):
            return None
        if title == table.own_title(table.title):
            return phrases.Unread("illegal", f"{table.title} is the phase that is open. Leave out the for.")
        parts = phrases.parts(orders)
        if not parts:
            return phrases.Unread("unreadable", "Write for Round 5: ORDER; ORDER")
        if table.status == "open" and _is_same_kind(title, table.own_title(table.title)):
            bounded = bounds.bounded([OrderLine(number, text) for number, text in enumerate(parts, 1)])
            wrong = [
                one for one in table.ruleset.parse(table.state, seat, bounded).complaints if one.fault != "illegal"
            ]
            if wrong:
                return phrases.Unread(wrong[0].fault, f"{wrong[0].text}: {wrong[0].because}")  # type: ignore[arg-type]
        return cls(title=title, orders=parts)

    def show(self, table: Table) -> str:
        """Write the phase, and the orders as they were said."""
        return f"{table.worded(self.title)}: {'; '.join(self.orders)}"


def _names_a_phase(table: Table, title: str) -> bool:
    """
    Say whether words can be a phase's title: they have its number, or a word of its kind, unlike `for example`.

    Shape: a word of the game's orders is of none: `for card 2` is said of this phase.
    """
    known = {*table.own_title(table.title).split(), *(kind.casefold() for kind in table.ruleset.phase_kinds)}
    said = title.replace(",", " ").split()
    others = table.own_words - known
    is_known = any(word in known or any(sign.isdigit() for sign in word) for word in said)
    return is_known and others.isdisjoint(said)


def _is_same_kind(one: str, other: str) -> bool:
    """Say whether two titles differ in their number alone, so that orders for one can be read like the other's."""
    return re.sub(r"[0-9]+", "", one).strip() == re.sub(r"[0-9]+", "", other).strip()
