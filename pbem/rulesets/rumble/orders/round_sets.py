"""Reads a whole set of a round: lines as they stand or as people say them, and what is left of the Energy."""

from collections.abc import Sequence

from pbem.ruleset import OrderLine, Parsed, Refused, Same, read_lines
from pbem.rulesets.rumble.model.order import Order
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import commands, spoken
from pbem.rulesets.rumble.orders.shares import Share, read_share, reckoned


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's lines, each by itself; shares of its Energy once all others are read."""

    def read(text: str) -> Order | Share | Refused:
        return read_share(state, seat, text) or commands.read_line(state, seat, text)

    return reckoned(state, seat, read_lines(lines, read, speech=spoken.speech(state, seat), as_of=(Same(state), seat)))
