"""`overrule V4 = 30`: pins one derived fact of this phase."""

from typing import Self

from pbem.ground.terms import Fact, Given
from pbem.language.phrases import Unread
from pbem.table.model.audience import show_fact
from pbem.table.model.table import BaseRuling, Table
from pbem.table.rulings import naming


class Overrule(BaseRuling, frozen=True, kw_only=True, tag="overrule"):
    """Pin one derived fact of this phase; what hangs on it follows."""

    key: str
    value: Fact

    needs_reason = True
    is_on_secrets = True
    is_fact = True
    tells_about = True
    section = "FACTS"
    forms = ("overrule V4 = 30 because REASON",)
    says = (
        "Pins a numbered fact of the proof to a number, yes or no; what hangs on it follows, and a new proof comes. "
        "A number means the same fact in all proofs of a phase."
    )

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read the V-number or name of a fact, and its value."""
        what, equals, value_text = rest.rpartition("=")
        if not equals:
            return Unread("unreadable", "Write overrule V4 = 30 because REASON, or = yes, or = no.")
        key = naming.find_verdict(table, what.strip())
        if isinstance(key, Unread):
            return key
        value = table.ruleset.read_value(table.state, key, value_text.strip())
        return value if isinstance(value, Unread) else cls(key=key, value=value, because=because)

    def show(self) -> str:
        """Write the key of the fact, and its value."""
        return f"overrule {self.key} = {show_fact(self.value)}"

    def about(self, table: Table) -> str:
        """Say what the V-number is about."""
        return naming.describe_fact(table, self.key)

    def given(self, *, at_proof: bool) -> Given:
        """Give the pin."""
        return Given({self.key: self.value})
