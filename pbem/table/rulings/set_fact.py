"""`set energy NAME 70`: sets one fact of the state, or of the proof."""

import re
from datetime import datetime
from typing import Any, Self

import msgspec

from pbem.ground.terms import Fact, Given
from pbem.language.phrases import Unread
from pbem.ruleset import Ruleset
from pbem.table.model import hands
from pbem.table.model.audience import show_fact
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming

replace = msgspec.structs.replace


class SetFact(BaseRuling, frozen=True, kw_only=True, tag="set"):
    """Set one fact of the state; at the proof, pin it as the adjudication derives it."""

    key: str
    value: Fact

    needs_reason = True
    is_on_secrets = True
    section = "FACTS"
    forms = ("set energy Mantisman 70 because REASON",)
    says = "Sets a fact: at once while orders are open, at the proof as what the phase leads to."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read the name of a fact, and its value."""
        match = re.fullmatch(r"(.+?)\s*=\s*(.+)", rest) or re.fullmatch(r"(.+?)(?:\s+to\s+|\s+)(\S+)", rest)
        if not match:
            return Unread("unreadable", "Write set energy NAME 70 because REASON.")
        key = naming.find_fact(table, match[1])
        if isinstance(key, Unread):
            return key
        value = table.ruleset.read_value(table.state, key, match[2])
        return value if isinstance(value, Unread) else cls(key=key, value=value, because=because)

    def show(self) -> str:
        """Write the key of the fact, and its value."""
        return f"set {self.key} = {show_fact(self.value)}"

    def unfit(self, table: Table) -> Unread | None:
        """Refuse a fact that the proof does not derive, and one that the ruleset does not set so."""
        if table.status != "closed":
            wrong = table.ruleset.amend(table.state, self.key, self.value)
            return wrong if isinstance(wrong, Unread) else self._too_late(table)
        assert table.outcome is not None
        if self.key not in {verdict.key for verdict in table.outcome.verdicts}:
            because = f"Proof {table.proof} derives no {self.key}. Name one of its numbered facts."
            return Unread("illegal", because)
        return None

    def _too_late(self, table: Table) -> Unread | None:
        """Refuse what a phase that stopped to ask could not begin with, or not with the orders that are in."""
        before = table.sealed
        if before is None:
            return None
        state = before.ruleset.amend(before.state, self.key, self.value)
        if isinstance(state, Unread):
            return state
        after = replace(before, state=state)
        lost = next((seat for seat in before.sets.hand if after.unreadable(seat) and not before.unreadable(seat)), None)
        if lost is None:
            return None
        because = f"The orders of {before.label(lost)} are in, and could not be read any more with that. Set it later."
        return Unread("illegal", because)

    def about(self, table: Table) -> str:
        """Say what the V-number is about."""
        return naming.describe_fact(table, self.key)

    def act(self, table: Table, noted: datetime) -> Table:
        """Change the state, and take off the table what no longer fits it."""
        if table.status == "closed":
            return table
        changed = self.amended(table.ruleset, table.state)
        phase = table.ruleset.phase(changed) if table.status == "open" else table.phase
        return hands.recheck(replace(table, state=changed, phase=phase), table)

    def amended(self, ruleset: Ruleset[Any, Any], state: Any) -> Any:
        """Return a state in which the fact is set."""
        changed = ruleset.amend(state, self.key, self.value)
        assert not isinstance(changed, Unread), "it was fit a moment ago"
        return changed

    def given(self, *, at_proof: bool) -> Given:
        """Give the pin; while orders were open the state has changed already, and nothing is left to pin."""
        return Given({self.key: self.value}) if at_proof else Given()
