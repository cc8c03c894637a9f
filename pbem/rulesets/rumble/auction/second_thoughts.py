"""The phase after the auction, in which winners decide what they discard after all; sells nothing."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ruleset import Dice, Given, OrderLine, Outcome, Parsed, Refused, phrases, read_lines, refuse
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


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """Read a seat's lines, each by itself."""
    return read_lines(lines, lambda text: read_line(state, seat, text))


def read_line(state: State, seat: str, text: str) -> Order | Refused:
    """Read `discard NAME`, and nothing else. Rule: N8."""
    mine = {power.key: power.name for power in pending(state).get(seat, ())}
    text = genre_of(state.house).hear_order(text)
    if re.fullmatch(r"pass|keep(?: (?:it|them|all))?", text, re.IGNORECASE):
        return Pass()
    match = re.fullmatch(r"discard\s*:?\s+(.+)", text, re.IGNORECASE)
    if match is None:
        known = phrases.listed([f"discard {name}" for name in mine.values()])
        return Refused("unreadable", f"Now it is only asked what you discard after all: {known}. Else pass.", "N8")
    found = find_power(match[1], mine)
    return refuse(found, "N8") if isinstance(found, phrases.Unread) else Discard(found)


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
