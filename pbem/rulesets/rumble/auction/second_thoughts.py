"""The phase after the auction, in which winners decide what they discard after all; sells nothing."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ruleset import (
    Complaint,
    Dice,
    Given,
    OrderLine,
    Outcome,
    Parsed,
    Placed,
    Refused,
    phrases,
    read_lines,
    refuse,
)
from pbem.rulesets.rumble.effect import Drop, Give
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import Define, Manual, Reword
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import find_power
from pbem.rulesets.rumble.model.order import Discard, Order, Orders, Pass
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.round import costs, next_round

_FITTING = Give | Drop | Reword | Define | Manual


def pending(state: State) -> dict[str, tuple[Power, ...]]:
    """Return the powers that each seat may still discard before the first round. Rule: N8."""
    found = {seat: [one for one in state.owned(seat) if seat in state.maybes.get(one.key, ())] for seat in state.names}
    return {seat: tuple(powers) for seat, powers in found.items() if powers and state.hero(seat).is_in}


_AND = re.compile(r"\s*[,;]\s*(?:(?:and|but)\s+)?|\s+(?:and|but|&)\s+", re.IGNORECASE)
_VERB = re.compile(r"(?:(?:i|i'll|i will)\s+)?(keep|discard)\b\s*:?\s*", re.IGNORECASE)
_ALL = frozenset(("", "it", "this", "that", "them", "all", "both", "everything", "all of them", "both of them"))


class Keep(Placed, frozen=True, eq=False):
    """A power that is not discarded after all; it needs no order, and may stand beside what is discarded."""

    power: str


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's lines, each by itself; a power that one keeps and another discards is asked about."""
    found: Parsed[Order | Keep] = read_lines(
        lines, lambda text: read_line(state, seat, text), lambda text: _parts(state, seat, text)
    )
    kept = [one for one in found.orders if isinstance(one, Keep)]
    orders = tuple(dict.fromkeys(one for one in found.orders if not isinstance(one, Keep)))  # said twice it goes once
    gone = {one.power for one in orders if isinstance(one, Discard)}
    wrong = tuple(
        Complaint(one.line, f"keep {state.card(one.power).name}", "ambiguous", _BOTH, "N8")
        for one in kept
        if one.power in gone
    )
    if kept and not orders:
        orders = (Pass().at(kept[0].line),)
    return Parsed(orders, (*found.complaints, *wrong), found.slips)


_BOTH = "Another line discards it. Say which you mean."


def read_line(state: State, seat: str, text: str) -> Order | Keep | Refused:
    """Read `discard NAME`, or `keep NAME`, which is what happens to whatever is not named. Rule: N8."""
    mine = {power.key: power.name for power in pending(state).get(seat, ())}
    text = genre_of(state.house).hear_order(text)
    match = _VERB.match(text)
    if match is None:
        if text.casefold() == "pass":
            return Pass()
        known = phrases.listed([f"discard {name}" for name in mine.values()])
        return Refused("unreadable", f"Now it is only asked what you discard after all: {known}. Else pass.", "N8")
    verb, name = match[1].casefold(), text[match.end() :]
    if verb == "keep" and name.casefold() in _ALL:
        return Pass()
    found = find_power(name, mine)
    if isinstance(found, phrases.Unread):
        return refuse(found, "N8")
    return Keep(found) if verb == "keep" else Discard(found)


def _parts(state: State, seat: str, text: str) -> tuple[str, ...]:
    """Part what is said of several powers, where it is no name of one: a verb holds for all that it is followed by."""
    if not isinstance(read_line(state, seat, text), Refused):
        return (text,)
    verb, parts = "", []
    for part in _AND.split(text):
        match = _VERB.match(part)
        verb = match[1] if match else verb
        parts.append(part if match or not verb else f"{verb} {part}")
    return tuple(parts)


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Discard what is discarded after all, and open the first round.

    Rule: N8, R22.
    """
    effects, idle = application.gather(state, given.effects)
    fitting, odd = application.parted(effects, _FITTING, "Nobody fights yet.")
    after, reworked = application.rework(state, fitting)
    gone = {seat: [order for order in sent if isinstance(order, Discard)] for seat, sent in orders.items()}
    keys = {seat: dict.fromkeys(order.power for order in mine) for seat, mine in gone.items()}
    after, events = costs.discard(after, keys, "N8")
    after, began = next_round.begin(msgspec.structs.replace(after, phase="round", round=1, maybes={}))
    return Outcome(state=after, verdicts=(), events=(*events, *reworked, *began, *odd, *idle), result=None)
