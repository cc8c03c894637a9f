"""Lines of orders for a Sidekick: reads them, hands all others on, and separates them from its player's own."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ruleset import Refused, all_read, phrases, refuse
from pbem.rulesets.rumble.model.order import Command, If, Order, Orders, RoundOrder
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import reading

NAME = "Sidekick"
"""What a Sidekick is called that nobody has named."""
_LINE = re.compile(r"sidekick\b\s*([^:]*?)\s*:\s*(.*)", re.IGNORECASE)
_NAMING = re.compile(r"(?:name|hero)\s+(?:of\s+)?(?:my\s+)?(sidekick\b[^:]*):\s*(.+)", re.IGNORECASE)


def read_line(state: State, seat: str, text: str) -> RoundOrder | If | Command | Refused:
    """
    Read one joined line of a round, as `sidekick NAME: attack NAME 30; defend 20`.

    Rule: N11; R3 for who is out and has a Sidekick still.
    """
    text = _NAMING.sub(r"\1: name: \2", text)
    if re.match(r"sidekick\b", text, re.IGNORECASE):
        return _command(state, seat, text)
    if not state.hero(seat).is_in and state.sidekicks(seat):
        return Refused("illegal", f"{state.names[seat]} is out. Write {_form(state, seat)}.", "R3")
    return reading.read_line(state, seat, text)


def _form(state: State, seat: str) -> str:
    mine = state.sidekicks(seat)
    name = f" {mine[0].name}" if len(mine) == 1 else " NAME"
    return f"sidekick{name}: attack NAME 20; defend 30"


def _command(state: State, seat: str, text: str) -> Command | Refused:
    mine = {str(hero.seat): hero.name for hero in state.sidekicks(seat)}
    match = _LINE.fullmatch(text)
    if not mine:
        return Refused("illegal", "You have no Sidekick.", "N11")
    if match is None or not match[2]:
        return Refused("unreadable", f"Write {_form(state, seat)}.", "N11")
    name = "" if len(mine) == 1 and match[1].casefold() == NAME.casefold() else match[1]  # as before it had a name
    if not name and len(mine) > 1:
        return Refused("ambiguous", f"Say which: {phrases.listed(list(mine.values()))}.", "N11")
    found = phrases.find(name, mine, "Sidekick of yours") if name else next(iter(mine))
    return refuse(found, "N11") if isinstance(found, phrases.Unread) else _orders(state, found, match[2])


def _orders(state: State, sidekick: str, text: str) -> Command | Refused:
    found: tuple[RoundOrder | If, ...] | Refused
    found = all_read(reading.read_line(state, sidekick, part) for part in _parts(state, text))
    if isinstance(found, Refused):
        return msgspec.structs.replace(found, because=f"For {state.names[sidekick]}: {found.because}")
    return Command(sidekick, found)


def _parts(state: State, text: str) -> list[str]:
    """Part orders where the ruleset does, and at commas between amounts."""
    result: list[str] = []
    for part in phrases.parts(text, reading.OPENS):
        pieces = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", part)
        whole = all(piece[-1:].isdigit() and reading.begins_order(state, piece) for piece in pieces)
        result += pieces if whole else [part]
    return result


def orders_for(orders: Sequence[Order], seat: str) -> tuple[RoundOrder | If, ...]:
    """Return what a set orders for a Sidekick, each order with the line that it stood in."""
    lines = [order for order in orders if isinstance(order, Command) and order.seat == seat]
    return tuple(one.at(line.line) for line in lines for one in line.orders)


def by_hero(state: State, orders: Orders) -> dict[str, tuple[Order, ...]]:
    """Split the sets of players into one set for each hero that they decide for."""
    found: dict[str, tuple[Order, ...]] = {}
    for seat, sent in orders.items():
        found[seat] = tuple(order for order in sent if not isinstance(order, Command))
        found |= {hero.seat: orders_for(sent, hero.seat) for hero in state.sidekicks(seat)}
    return found
