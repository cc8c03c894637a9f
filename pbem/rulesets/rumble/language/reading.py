"""Reads the mails of a round by its tables: orders that can be given, complaints, and talk; a Sidekick's orders too."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.ruleset import Language, OrderLine, Parsed, Reader, Refused, phrases
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.language.legality import settled
from pbem.rulesets.rumble.language.meanings import Commanded
from pbem.rulesets.rumble.language.rounds import language
from pbem.rulesets.rumble.model.order import Command, Order
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.shares import Share, reckoned
from pbem.rulesets.rumble.orders.writing import show_line, write_line


class Rounds(Reader[State, Order]):
    """What heroes send in a round, and in answer to what is asked in its middle. Rule: R5."""

    rule = "R5"

    def language(self, state: State, seat: str) -> Language:
        """Return what a seat may write."""
        return language(state, seat)

    def order(self, state: State, seat: str, meant: Any) -> Any:
        """Return what is meant, or why it cannot be ordered. Rule: R3 for who is out and has a Sidekick still."""
        if isinstance(meant, Commanded):
            return self._command(state, seat, meant)
        if not state.hero(seat).is_in and state.sidekicks(seat):
            return Refused("illegal", f"{state.names[seat]} is out. Write {_form(state, seat)}.", "R3")
        return settled(state, seat, meant)

    def write(self, state: State, order: Order) -> str:
        """Write an order in neutral words."""
        return write_line(state, order)

    def show(self, state: State, order: Any) -> str:
        """Write an order, or a share that is asked about, in the words of the game."""
        return order.text(state) if isinstance(order, Share) else show_line(state, order)

    def worded(self, state: State, line: str) -> str:
        """Put a line of ours into the words of the game. Rule: N14."""
        return genre_of(state.house).say(line, [hero.name for hero in state.heroes])

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read a seat's mail; shares of its Energy once all else is read."""
        found: Parsed[Any] = super().hear(state, seat, lines)
        return reckoned(state, seat, found)

    def _command(self, state: State, seat: str, meant: Commanded) -> Command | Refused:
        """Read what is ordered for a Sidekick. Rule: N11."""
        mine = {str(hero.seat): hero.name for hero in state.sidekicks(seat)}
        if not mine:
            return Refused("illegal", "You have no Sidekick.", "N11")
        if not meant.seat and len(mine) > 1:
            return Refused("ambiguous", f"Say which: {phrases.listed(list(mine.values()))}.", "N11")
        sidekick = meant.seat or next(iter(mine))
        found: Parsed[Any] = super().hear(state, sidekick, [OrderLine(1, meant.text)])
        wrong = (*found.complaints, *found.doubts, *found.passed)
        if wrong:
            fault, because, rule = wrong[0].fault, wrong[0].because, wrong[0].rule
            return Refused(fault, f"For {state.names[sidekick]}: {because}", rule)  # type: ignore[arg-type]
        return Command(sidekick, tuple(msgspec.structs.replace(one, line=0) for one in found.orders))


def _form(state: State, seat: str) -> str:
    mine = state.sidekicks(seat)
    name = f" {mine[0].name}" if len(mine) == 1 else " NAME"
    return f"sidekick{name}: attack NAME 20; defend 30"


ROUNDS = Rounds()
