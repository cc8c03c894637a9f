"""`what if Bo attacks me 40`: what the phase comes to with guessed orders of others."""

import re
from typing import Self

from pbem.ground.terms import Seat
from pbem.language.phrases import Unread
from pbem.ruleset import ForecastingRuleset
from pbem.table.clock.views import BaseView
from pbem.table.model.table import Table
from pbem.table.requests.base import Answer, BaseRequest

NOT_NOW = "I work out a what if in an open phase alone."


class Forecast(BaseView, frozen=True, kw_only=True):
    """
    What a phase comes to with guessed orders of others, which the ruleset's part says.

    Shape: or what is `wrong` with what was `said`, now that the rest of the mail counts.
    """

    template = "forecast"

    said: str = ""
    wrong: str = ""


class WhatIf(BaseRequest, frozen=True, kw_only=True, tag="what if"):
    """
    See what the phase comes to if others order what is guessed here; it orders nothing.

    What others have ordered is never looked at: `said` is read, and worked out, from the asker's view alone.
    """

    said: str

    @classmethod
    def read(cls, table: Table, seat: Seat | None, rest: str) -> Self | Unread | None:
        """Read the guesses; what is none about somebody of this game is a sentence."""
        ruleset = table.ruleset
        if seat is None or table.state is None or not rest:
            return None
        said, _, more = (part.strip() for part in rest.partition("?"))
        if not isinstance(ruleset, ForecastingRuleset):
            is_guess = bool(re.search(r"\d", said)) and _begins_with_somebody(table, said)
            return (
                Unread("illegal", f"{ruleset.title} is never forecast: no what if is worked out.") if is_guess else None
            )
        found = ruleset.guess(table.seen_by(seat), seat, (), said)  # the mail's own orders come to it in the answer
        if found is None:
            return None
        if more:
            because = f'Nothing of this line is done. Put what stands behind the question on another: "{more}"'
            return Unread("ambiguous", because)
        if table.status != "open":
            return Unread("illegal", NOT_NOW)
        return found if isinstance(found, Unread) else cls(said=said)

    def show(self, table: Table) -> str:
        """Write the guesses as they were said."""
        return self.said

    def answer(self, table: Table, seat: Seat | None) -> Answer | None:
        """Work out what comes of them, with the asker's own set, if one is on hand."""
        ruleset = table.ruleset
        if seat is None or table.status != "open" or not isinstance(ruleset, ForecastingRuleset):
            return None
        view = table.seen_by(seat)
        own = table.orders(seat)
        guesses = ruleset.guess(view, seat, own, self.said)
        if guesses is None:
            return None
        if isinstance(guesses, Unread):
            return Answer(Forecast(said=self.said, wrong=guesses.because))
        facts = {**ruleset.forecast(view, seat, own, guesses), "holds": bool(own)}
        return Answer(Forecast(), {"forecast": facts})


def _begins_with_somebody(table: Table, said: str) -> bool:
    """Say whether a text begins with the first word of a player's name."""
    first = said.casefold().split()[0]
    return first in {label.casefold().split()[0] for label in table.labels().values()}
