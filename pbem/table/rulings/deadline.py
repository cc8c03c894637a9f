"""`deadline 2026-11-24 20:00`: puts the deadline at an instant."""

from datetime import datetime
from typing import Self

from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.model import calendar
from pbem.table.model.table import Table
from pbem.table.rulings.clock import DeadlineRuling


class MoveDeadline(DeadlineRuling, frozen=True, kw_only=True, tag="deadline"):
    """Put the deadline at an instant, within what the charter allows."""

    instant: datetime

    forms = ("deadline 2026-11-24 20:00 Europe/London",)
    says = "Moves the deadline by a span, or to a time."

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:
        """Read the instant, by the zone of the game where no other stands there."""
        instant = calendar.parse_instant(phrases.without_stop(rest), table.charter.zone)
        return instant if isinstance(instant, Unread) else cls(instant=instant, because=because)

    def show(self) -> str:
        """Write the instant in UTC."""
        return f"deadline {self.instant:%Y-%m-%d %H:%M} UTC"

    def moved(self, deadline: datetime) -> datetime:
        """Put it where the ruling says."""
        return self.instant
