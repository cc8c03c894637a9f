"""Reads lines about powers other than a plain use: answers at the reveal, moves, gifts; sums nothing."""

import re
from collections.abc import Callable

from pbem.ruleset import Refused, all_read, phrases
from pbem.rulesets.rumble.model.names import find_opponent, find_own_power
from pbem.rulesets.rumble.model.order import Ask, Move, Packets, Pass, RoundOrder
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.amounts import amount_of
from pbem.rulesets.rumble.orders.uses import read_use
from pbem.rulesets.rumble.powers.engine.active_abilities import answers, does, is_named_for_nothing
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.forms import Formed


def read_ask(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    """Read `ask me` and `ask me: NAME`: to be asked once all orders lie open. Rule: C2."""
    match = re.fullmatch(r"me\s*:?\s*(?:(?:for|about)\s+)?(.*)", rest, re.IGNORECASE)
    if match is None:
        return Refused("unreadable", "Write ask me, or ask me: NAME for one power.", "C2")
    mine = [power for power in state.owned(seat) if answers(power)]
    if state.house.get("reveal_phase") == "never":
        return Refused("illegal", "Nobody is asked at the reveal in this game. Write a condition before it.", "C2")
    if not mine:
        return Refused("illegal", "You have no power for the reveal, so there is nothing to ask you then.", "C2")
    if not match[1]:
        return Ask()
    power = find_own_power(state, seat, match[1])
    if isinstance(power, Refused):
        return power
    if power not in mine:
        names = phrases.listed([one.name for one in mine])
        return Refused("illegal", f"{power.name} is not for the reveal. Write ask me: {names}.", "C2")
    return Ask(power.key)


def read_packets(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    """Read `order packets: NAME, NAME`: in which order damage counts as the first, the second. Rule: C17."""
    match = re.fullmatch(r"(?:the\s+)?packets\s*:?\s*(.+)", rest, re.IGNORECASE)
    if match is None:
        return Refused("unreadable", "Write order packets: NAME, NAME.", "C17")
    names = re.split(r"\s*,\s*(?:then\s+)?|\s+then\s+", match[1])
    first = all_read(find_opponent(state, seat, name) for name in names)
    return first if isinstance(first, Refused) else Packets(tuple(dict.fromkeys(first)))


def read_answer(kind: type[Formed]) -> Callable[[State, str, str], RoundOrder | Refused]:
    """Return a reader of a line that stands for the use of the power that does some thing, such as `disarm`."""

    def read(state: State, seat: str, rest: str) -> RoundOrder | Refused:
        mine = [power for power in state.owned(seat) if does(power, kind) and is_named_for_nothing(power)]
        if not mine:
            return Refused("illegal", "You have no power that does that.", "R12")
        aimed = _SAID_BEFORE.sub("", rest.rpartition(":")[2].strip())
        return read_use(state, seat, f"{mine[0].key} on {aimed}" if aimed else mine[0].key)

    return read


_SAID_BEFORE = re.compile(
    r"^(?:gun\s+)?(?:ignore\s+|second\s+target\s+)*(?:the\s+)?(?:largest(?:\s+attack)?$|attack\s+(?:of|from|by)\s+)?",
    re.IGNORECASE,
)
"""What may stand before the name in `roll: ignore attack of NAME` and `ray gun: second target NAME`."""


def read_move(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    """Read what stands after `move` or `reflexes:`, such as `move 20 attack to defence from NAME`. Rule: C26."""
    rest = re.sub(r"^move\s+", "", rest, flags=re.IGNORECASE)
    match = re.fullmatch(
        r"(all|[0-9][0-9.,]*)(?:\s+(?:of\s+)?(?:my\s+)?(?:attacks?\s+)?to\s+(?:my\s+)?defen[cs]e)?(?:\s+from\s+(.+))?",
        rest,
        re.IGNORECASE,
    )
    if match is None:
        return Refused("unreadable", "Say how much: move 20 attack to defence, or move all attack to defence.", "C26")
    mine = [power for power in state.owned(seat) if does(power, lines.Move)]
    if not mine:
        return Refused("illegal", "You have no power that moves Energy at the reveal.", "C26")
    amount = -1 if match[1].lower() == "all" else amount_of(match[1])
    if isinstance(amount, Refused):
        return amount
    on = find_opponent(state, seat, match[2]) if match[2] else ""
    return on if isinstance(on, Refused) else Move(amount, on)


def read_gift(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    """Read `give Javalin with attack on NAME`: a power that goes with an Attack is used on whom it goes to."""
    match = re.match(r"(.+?)\s+with\s+(?:the\s+|my\s+|an\s+)?attack\s+(on|against)\s+(.+)$", rest, re.IGNORECASE)
    if match is None:
        return Refused("unreadable", "Write give Javalin with attack on NAME.", "R12")
    return read_use(state, seat, f"{match[1]} on {match[3]}")


def read_pass(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    """Read `pass`: a seat that was asked at the reveal has nothing to say. Rule: C2."""
    if rest:
        return Refused("unreadable", "Write pass alone on its line.", "C2")
    if state.phase != "reveal":
        return Refused("illegal", "You pass when you are asked something. To stay out of trouble: defend.", "C2")
    return Pass()
