"""Reads the mails of a round by its tables: orders that can be given, complaints, and talk."""

from typing import Any

from pbem.ruleset import Language, Reader, Refused
from pbem.rulesets.brawl.language.legality import settled
from pbem.rulesets.brawl.language.rounds import language
from pbem.rulesets.brawl.order import Order
from pbem.rulesets.brawl.state import State


class Rounds(Reader[State, Order]):
    """What fighters send in a round. Rule: K7-K22, M2."""

    rule = "M2"

    def language(self, state: State, seat: str) -> Language:
        """Return what a seat may write."""
        return language(state, seat)

    def order(self, state: State, seat: str, meant: Any) -> Order | Refused:
        """Return the order that is meant, its dice by their letters, or why it cannot be given."""
        return settled(state, seat, meant)

    def write(self, state: State, order: Order) -> str:
        """Write an order."""
        text: str = order.write(state)
        return text


ROUNDS = Rounds()
