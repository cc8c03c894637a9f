"""Writes orders as canonical lines that read back to the same orders; knows nothing of letters."""

from collections.abc import Sequence

import msgspec

from pbem.rulesets.rumble.genres import NEUTRAL, Genre, genre_of
from pbem.rulesets.rumble.model.names import written
from pbem.rulesets.rumble.model.order import (
    Amend,
    Ask,
    Attack,
    Bid,
    Block,
    Captions,
    Command,
    Confirm,
    Defend,
    Discard,
    Hold,
    Idle,
    If,
    Invent,
    Move,
    Name,
    Never,
    Order,
    Packets,
    Pass,
    Plan,
    Resign,
    Step,
    Unsigned,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import IfWon, State
from pbem.rulesets.rumble.orders.conditions import write_test
from pbem.rulesets.rumble.orders.plans import INCOMING, REST
from pbem.rulesets.rumble.powers.engine.prices import joints


def write(state: State, orders: Sequence[Order]) -> tuple[str, ...]:
    """Write a set as canonical lines; a power takes two or three, any other order one."""
    lines: list[str] = []
    for order in orders:
        if isinstance(order, Invent):
            lines += [f"power: {order.name}", f"text: {order.text}"]
            if order.kind != "power":
                lines.append(f"type: {order.kind}")
        else:
            lines.append(write_line(state, order))
    return tuple(lines)


def write_plan(state: State, steps: Sequence[Step]) -> str:
    """Write a plan for Energy held back."""
    return "; ".join(_line(state, step, NEUTRAL) for step in steps)


def write_line(state: State, order: Order) -> str:
    """Write one order as one canonical line."""
    return _line(state, order, NEUTRAL)


def show_line(state: State, order: Order) -> str:
    """Write one order as one line in the words of the game's genre, for a letter. Rule: N14."""
    return _line(state, order, genre_of(state.house))


def _line(state: State, order: Order, words: Genre) -> str:
    if isinstance(order, Attack | Defend | Hold) and order.also:
        return f"also {_line(state, msgspec.structs.replace(order, also=False), words)}"
    match order:
        case Invent(name=name, text=text):
            return f"{words.power} {name}: {text}"
        case Unsigned():
            return "unsigned"
        case Amend(key, text):
            return f"reword {key}: {text}"
        case Bid():
            return _bid(state, order, words)
        case If():
            return _if(state, order, words)
        case Command(seat, orders):
            return f"sidekick {_hero(state, seat)}: {'; '.join(_line(state, one, words) for one in orders)}"
        case Name(name):
            return f"{words.hero}: {name}"
        case Attack(on=on, amount=amount):
            attack = f"{words.verb('attack')} {_hero(state, on)}"
            return f"rest {attack}" if amount == REST else f"{attack} {amount}"
        case Defend(amount=amount):
            defend = words.verb("defend")
            return {REST: f"rest {defend}", INCOMING: f"{defend} exactly incoming"}.get(amount, f"{defend} {amount}")
        case Use():
            return _use(state, order, words)
        case Move(amount, on):
            whose = f" from {_hero(state, on)}" if on else ""
            return f"move {'all' if amount < 0 else amount} attack to defence{whose}"
        case Packets(first):
            return f"order packets: {', '.join(_hero(state, seat) for seat in first)}"
        case Captions(shouts, on):
            whom = f" on {_hero(state, on)}" if on else ""
            return f"captions{whom}: {', '.join(shouts)}"
        case Hold(amount=amount, power=power):
            return f"{words.verb('hold')} {amount} for {_power(state, power)}"
        case Ask(power):
            return f"ask me: {_power(state, power)}" if power else "ask me"
        case Plan(power, text):
            return f"{words.verb('plan')} {_power(state, power)}: {text}"
        case Block():
            return _block(state, order, words.verb("block"))
        case Never(power):
            return f"never {words.verb('use')} {_power(state, power)}"
        case Discard(power):
            return f"{words.verb('discard')} {_power(state, power)}"
        case Confirm():
            return "confirm"
        case Pass():
            return "pass"
        case Resign():
            return "resign"
        case Idle(amount):
            return f"idle {amount}" if amount >= 0 else "idle"


def _bid(state: State, bid: Bid, words: Genre) -> str:
    then = "".join(f" then {amount}" for amount in bid.then)
    discard = {"": "", "yes": " discard", "maybe": " maybe-discard", "no": " keep"}[bid.discard]
    return f"{words.verb('bid')} {_power(state, bid.power)} {bid.amount}{then}{discard}{_if_won(state, bid.won)}"


def _if_won(state: State, won: IfWon) -> str:
    if won.give:
        return f", if win give to {_hero(state, won.give)}"
    edits = [f"{edit.how} {edit.what} in {_power(state, edit.power)}" for edit in won.edits]
    return f", if win {'; else '.join(edits)}" if edits else ""


def _if(state: State, order: If, words: Genre) -> str:
    tests = [write_test(one, _hero(state, one.seat), words, _power(state, one.power)) for one in order.tests]
    then, otherwise = (", ".join(_line(state, one, words) for one in way) for way in (order.then, order.otherwise))
    return f"if {' and '.join(tests)}: {then}{' else ' if otherwise else ''}{otherwise}"


def _use(state: State, use: Use, words: Genre) -> str:
    parts = [f"{words.verb('use')} {_power(state, use.power)}"]
    if use.on:
        first, after = joints(state, use)
        parts += [f"{first} {named(state, use.on)}", *(f"{after} {named(state, one)}" for one in use.then)]
    if use.x >= 0:
        parts.append(f"X={use.x}")
    if use.spend or (use.x >= 0 and not use.burn):
        parts.append(f"spend {use.spend}")
    if use.burn:
        parts.append(f"burn {use.burn}")
    if use.times > 1:
        parts.append(f"x{use.times}")
    return " ".join(parts)


def _block(state: State, block: Block, verb: str) -> str:
    heroes = [_hero(state, seat) for seat in block.first]
    match block.how:
        case "first":
            return f"{verb} first: {', '.join(heroes)}"
        case "points":
            shares = [f"{points} from {hero}" for points, hero in zip(block.points, heroes, strict=True)]
            return f"{verb} {', '.join(shares)}"
        case "evenly":
            return f"{verb} evenly"
        case _:
            return f"{verb} {block.how} first"


def _hero(state: State, seat: str) -> str:
    return written(seat, state.names)


def aim(state: State, use: Use) -> str:
    """Return what a use names, as people say it, or ""."""
    between = f" {joints(state, use)[1]} "
    named = [one for one in (use.on, *use.then) if one]
    return between.join(power.name if (power := state.power(one)) else state.names[one] for one in named)


def named(state: State, key: str) -> str:
    """Write what a use names: a hero by seat, a power by pool number."""
    return _hero(state, key) if key in state.names else _power(state, key)


def _power(state: State, key: str) -> str:
    return written(key, {power.key: power.name for power in state.powers}) if key else ""
