"""Reads the mails of a round by its tables: orders that can be given, complaints, and talk; a Sidekick's orders too."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import msgspec

from pbem.ruleset import Game, OrderLine, Parsed, Refused, Same, heard, in_our_words, phrases, with_talk_refused
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.language.legality import settled
from pbem.rulesets.rumble.language.meanings import Commanded
from pbem.rulesets.rumble.language.rounds import language
from pbem.rulesets.rumble.model.order import Command, Order
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.shares import Share, reckoned
from pbem.rulesets.rumble.orders.writing import show_line


def read(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's mail; shares of its Energy once all else is read."""
    return reckoned(state, seat, heard(_game(Same(state), seat), lines))


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read lines of which each is meant as an order."""
    return with_talk_refused(read(state, seat, lines))


def read_line(state: State, seat: str, text: str) -> Any:
    """Read one order as we write it."""
    return in_our_words(_game(Same(state), seat), text)


@lru_cache(maxsize=64)
def _game(state: Same, seat: str) -> Game:
    one: State = state.one
    return Game(language(one, seat), partial(_order, one, seat), partial(_shown, one), partial(_worded, one), "R5")


def _worded(state: State, line: str) -> str:
    return genre_of(state.house).say(line, [hero.name for hero in state.heroes])


def _shown(state: State, order: Any) -> str:
    return order.text(state) if isinstance(order, Share) else show_line(state, order)


def _order(state: State, seat: str, meant: Any) -> Any:
    """Return the order that is meant, or why it cannot be given. Rule: R3 for who is out and has a Sidekick still."""
    if isinstance(meant, Commanded):
        return _command(state, seat, meant)
    if not state.hero(seat).is_in and state.sidekicks(seat):
        return Refused("illegal", f"{state.names[seat]} is out. Write {_form(state, seat)}.", "R3")
    return settled(state, seat, meant)


def _form(state: State, seat: str) -> str:
    mine = state.sidekicks(seat)
    name = f" {mine[0].name}" if len(mine) == 1 else " NAME"
    return f"sidekick{name}: attack NAME 20; defend 30"


def _command(state: State, seat: str, meant: Commanded) -> Command | Refused:
    """Read what is ordered for a Sidekick. Rule: N11."""
    mine = {str(hero.seat): hero.name for hero in state.sidekicks(seat)}
    if not mine:
        return Refused("illegal", "You have no Sidekick.", "N11")
    if not meant.seat and len(mine) > 1:
        return Refused("ambiguous", f"Say which: {phrases.listed(list(mine.values()))}.", "N11")
    sidekick = meant.seat or next(iter(mine))
    found = heard(_game(Same(state), sidekick), [OrderLine(1, meant.text)])
    wrong = (*found.complaints, *found.doubts, *found.passed)
    if wrong:
        fault, because, rule = wrong[0].fault, wrong[0].because, wrong[0].rule
        return Refused(fault, f"For {state.names[sidekick]}: {because}", rule)  # type: ignore[arg-type]
    return Command(sidekick, tuple(msgspec.structs.replace(one, line=0) for one in found.orders))
