"""`again`: founds the next game with the same people, once this one is over."""

from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table


class Again(BaseRuling, frozen=True, kw_only=True, tag="again"):
    """Found the next game, on the same terms, and invite everybody who had a seat at the end; the hall does it."""

    when = "over"
    not_now = "This game is not over yet. Once it is, again founds the next one with the same people."
    is_fixed = True
    is_numbered = False
    is_for_good = True
    makes_proof = False
    is_unprinted = True
    is_guarded = True
    is_everyday = True
    section = "WHEN IT IS OVER"
    forms = ("again",)
    says = "Founds the next game on the same terms, and invites whoever had a seat at the end. You are told its name."

    def unfit(self, table: Table) -> Unread | None:
        """Found one game alone."""
        done = any(isinstance(ruling, Again) for one in table.log for ruling in getattr(one, "rulings", ()))
        return Unread("illegal", "The next game was founded already; it has letters of its own.") if done else None
