"""`do EFFECT`: what a power or the like did, once or in each phase from now on."""

import re
from typing import Self

import msgspec

from pbem.ground.terms import Given
from pbem.language.phrases import Unread
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class Do(BaseRuling, frozen=True, kw_only=True, tag="do"):
    """An effect, in the ruleset's canonical words, in this phase or in each from now on."""

    effect: str
    each: bool = False

    needs_reason = True
    is_fact = True
    canonical = "effect"
    section = "FACTS"
    forms = ("do EFFECT because REASON", "do EFFECT each round because REASON")
    says = "Says what a power or the like did, in this phase, or in each from now on; the effects stand below."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read an effect, and whether it is for once."""
        found = cls.once(table, rest, because)
        if not isinstance(found, Unread):
            return found
        # A text of a power may end in "each round" and mean it, so that is taken off only where it is needed.
        body = re.sub(r"\s+(?:(?:each|every)\s+(?:round|phase)|once|now)$", "", rest, flags=re.IGNORECASE)
        each = bool(re.search(r"\s+(?:each|every)\s+(?:round|phase)$", rest, re.IGNORECASE))
        cut = cls.once(table, body, because) if body != rest else found
        return cut if isinstance(cut, Unread) else msgspec.structs.replace(cut, each=each)

    @classmethod
    def once(cls, table: Table, text: str, because: str) -> Self | Unread:
        """Read an effect that is for once."""
        effect = naming.find_effect(table, text)
        if isinstance(effect, Unread):
            return effect
        if naming.find_effect(table, effect) != effect:
            return Unread("illegal", naming.CANNOT_KEEP)
        return cls(effect=effect, because=because)

    def show(self) -> str:
        """Write the effect, and whether it is for each phase; texts of the first format say so already."""
        is_written = self.effect.endswith(" each round")
        return f"do {self.effect}{' each round' if self.each and not is_written else ''}"

    def unfit(self, table: Table) -> Unread | None:
        """Ask the ruleset whether it still knows the effect."""
        found = naming.find_effect(table, self.effect)
        return found if isinstance(found, Unread) else None

    def given(self, *, at_proof: bool) -> Given:
        """Give the effect; where it is none any more the ruleset tells the moderator what did nothing, and why."""
        return Given({}, (self.effect,))

    def lasts(self, table: Table) -> bool:
        """Hold on in each phase, as long as it can do anything."""
        assert table.outcome is not None
        return self.each and not table.ruleset.lapsed(table.outcome.state, self.effect)
