"""Whether what a seat says in a round can be ordered, each line by itself; reads no words and sums up nothing."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from pbem.ruleset import Refused, all_read, phrases
from pbem.rulesets.rumble.language.meanings import Past, Used
from pbem.rulesets.rumble.model.order import (
    Ask,
    Attack,
    Block,
    Captions,
    Discard,
    Hold,
    If,
    Move,
    Name,
    Never,
    Packets,
    Pass,
    Plan,
    Resign,
    RoundOrder,
    Test,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import captions, conditions
from pbem.rulesets.rumble.orders.hero_names import read_name
from pbem.rulesets.rumble.orders.shares import Share
from pbem.rulesets.rumble.powers.engine.active_abilities import (
    allocates_later,
    answers,
    asks,
    does,
    is_for_reveal,
    used_ability,
)  # fmt: skip
from pbem.rulesets.rumble.powers.engine.prices import cannot_go, priced
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.expressions import Name as Mine
from pbem.rulesets.rumble.powers.language.runnable import runs

MOST_TIMES = 100
"""How often a power is used in a round, at most. Rule: R13."""
Ordered: TypeAlias = RoundOrder | If | Share


def settled(state: State, seat: str, meant: Any) -> Ordered | Refused:
    """Return the order that is meant, or why it cannot be ordered; the rules stand with each reason."""
    match meant:
        case Refused():
            return meant
        case If():
            return _guarded(state, seat, meant)
        case Used():
            return _use(state, seat, meant)
        case Past():
            return Refused("illegal", "Nothing is bid or invented any more.", "R5")
        case Name(name):
            return read_name(state, seat, name)
    return _refused(state, seat, meant) or meant


def _refused(state: State, seat: str, order: Any) -> Refused | None:
    match order:
        case Attack(on=on) | Share(on=on) | Move(on=on):
            no_move = isinstance(order, Move) and not _has(state, seat, lines.Move)
            because = "You have no power that moves Energy at the reveal."
            return Refused("illegal", because, "C26") if no_move else (on and _opponent(state, seat, on, "R6")) or None
        case Packets(first):
            return _first(_opponent(state, seat, one, "R6") for one in first)
        case Block(first=first):
            twice = next((one for place, one in enumerate(first) if one in first[:place]), "")
            because = f"{state.names.get(twice, '')} is named twice. Name each attacker once."
            wrong = _first(_opponent(state, seat, one, "R9") for one in first)
            return wrong or (Refused("illegal", because, "R9") if twice else None)
        case Hold(power=key):
            power = state.card(key)
            because = f"No Energy is held back for {power.name}; it needs none."
            is_idle = runs(power.lines) and not allocates_later(power)
            return _own(state, seat, key) or (Refused("illegal", because, "R16") if is_idle else None)
        case Plan(power=key, steps=steps):
            parts = (part for step in steps for part in _parts(step))
            return _own(state, seat, key) or _first(_refused(state, seat, part) for part in parts)
        case Never(power=key):
            return _own(state, seat, key) or _never(state, key)
        case Discard(power=key):
            return _own(state, seat, key) or _discard(state, key)
        case Captions():
            return _captions(state, seat, order)
        case Ask(power=key):
            return _ask(state, seat, key)
        case Pass() if state.phase != "reveal":
            because = "You pass when you are asked something. To stay out of trouble: defend."
            return Refused("illegal", because, "C2")
        case Resign() if state.house["resign"] == "no":
            because = "Nobody may resign in this game. To stay out of trouble: defend."
            return Refused("illegal", because, "A25")
    return None


def _first(found: Any) -> Refused | None:
    return next((one for one in found if one), None)


def _opponent(state: State, seat: str, on: str, rule: str) -> Refused | None:
    """Refuse whoever is out, and oneself. Rule: R3, A3."""
    if not state.hero(on).is_in:
        return _out(state, on)
    return Refused("illegal", f"{state.names[on]} is you. Name an opponent.", "A3") if on == seat else None


def _out(state: State, on: str) -> Refused:
    still = phrases.listed([hero.name for hero in state.living], "and")
    return Refused("illegal", f"{state.names[on]} is out of the game. Still in: {still}.", "R3")


def _own(state: State, seat: str, key: str) -> Refused | None:
    """Refuse a power that the seat has not. Rule: R12."""
    power, mine = state.card(key), state.owned(seat)
    if power in mine:
        return None
    yours = f"You have {phrases.listed([one.name for one in mine], 'and')}." if mine else "You have no powers."
    whose = f"belongs to {state.names[power.owner]}" if power.owner and power.in_play else "is nobody's"
    return Refused("illegal", f"{power.name} {whose}. {yours}", "R12")


def _has(state: State, seat: str, kind: Any) -> bool:
    return any(does(power, kind) for power in state.owned(seat))


def _never(state: State, key: str) -> Refused | None:
    """Refuse to leave a power unused that silence does not use. Rule: C25."""
    power = state.card(key)
    ability = used_ability(power)
    if ability is None or not ability.optional or ability.costs or ability.ask:
        return Refused("illegal", f"{power.name} is not used unless you say so. Leave the line out.", "C25")
    return None


def _discard(state: State, key: str) -> Refused | None:
    if state.house["late_discard"] == "no":
        return Refused("illegal", "In this game powers can be discarded at the auction only.", "B6")
    because = cannot_go(state.card(key))
    return Refused("illegal", because, "B6") if because else None


def _ask(state: State, seat: str, key: str) -> Refused | None:
    mine = [power for power in state.owned(seat) if answers(power)]
    if state.house.get("reveal_phase") == "never":
        return Refused("illegal", "Nobody is asked at the reveal in this game. Write a condition before it.", "C2")
    if not mine:
        return Refused("illegal", "You have no power for the reveal, so there is nothing to ask you then.", "C2")
    if key and state.card(key) not in mine:
        names = phrases.listed([one.name for one in mine])
        because = f"{state.card(key).name} is not for the reveal. Write ask me: {names}."
        return _own(state, seat, key) or Refused("illegal", because, "C2")
    return None


def _captions(state: State, seat: str, order: Captions) -> Refused | None:
    """Refuse words that cannot be shouted, or not again. Rule: C31."""
    if not any(asks(power) for power in state.owned(seat)):
        return Refused("illegal", "You have no power that goes with captions.", "R12")
    if order.on and not state.hero(order.on).is_in:
        return _out(state, order.on)
    for word in order.words:
        if because := captions.wrong(word, word):
            return Refused("unreadable", because, "C31")
        if word in state.shouted:
            return Refused("illegal", f"{word} has been shouted in this game. Think of another word.", "C31")
    return None


def _use(state: State, seat: str, used: Used) -> Use | Refused:
    """Return a use with what it takes. Rule: R12, R13, R14; A29: X alone is spent, where no lines say otherwise."""
    if wrong := _own(state, seat, used.power):
        return wrong
    said, power = dict(used.figures), state.card(used.power)
    times = said.get("times", 1)
    if not 1 <= times <= MOST_TIMES:
        return Refused("illegal", f"A power is used 1 to {MOST_TIMES} times in a round, such as x2.", "R13")
    fallen = next((key for what, key in used.named if what == "hero" and not state.hero(key).is_in), "")
    if fallen:
        return _out(state, fallen)
    ability = used_ability(power)
    is_of_own = ability is not None and bool(ability.choices) and ability.choices[0].of == Mine("me")
    if wrong := _first(_own(state, seat, key) for what, key in used.named if is_of_own and what == "power"):
        return wrong
    on, *then = [key for _, key in used.named] or [""]
    parts = {part: said.get(part, 0) for part in ("spend", "burn", "drain")}
    use = Use(power.key, on, x=said.get("x", -1), times=times, then=tuple(then), **parts)
    found = priced(state, seat, power, use)
    bare = found is use and "spend" not in said and "burn" not in said
    return msgspec.structs.replace(use, spend=max(0, use.x)) if bare else found


def _guarded(state: State, seat: str, meant: If) -> If | Refused:
    """Return orders behind a condition, each of which may stand there. Rule: A28, C1."""
    branches = all_read(all_read(_behind(state, seat, one, meant.tests) for one in way) for way in _ways(meant))
    return branches if isinstance(branches, Refused) else If(meant.tests, *branches)


def _ways(meant: If) -> tuple[Sequence[Any], Sequence[Any]]:
    return meant.then, meant.otherwise


def _behind(state: State, seat: str, meant: Any, tests: Sequence[Test]) -> Any:
    order = settled(state, seat, meant)
    return order if isinstance(order, Refused) else _refused_behind(state, order, tests) or order  # type: ignore[arg-type]


def _parts(step: Any) -> Sequence[Any]:
    """Return the orders of a step of a plan."""
    return (*step.then, *step.otherwise) if isinstance(step, If) else (step,)


def _refused_behind(state: State, order: RoundOrder, tests: Sequence[Test]) -> Refused | None:
    """Say why an order cannot stand behind a condition with these tests, if it cannot. Rule: A28, C1."""
    late = not conditions.known_at_start(tests)
    if late and isinstance(order, Discard):
        because = (
            "A power is discarded when the round begins, whatever the others send. Write discard without a "
            "condition, or one on what is known then: if my energy < 40: discard NAME."
        )
        return Refused("illegal", because, "A28")
    if late and not _waits(state, order):
        because = (
            "What others send against you is known only when yours lies open too, so only block lines may depend "
            "on it, and powers that take no Spend and no Burn: if incoming > 40: block largest first."
        )
        return Refused("illegal", because, "A28")
    if isinstance(order, Name | Plan):
        return Refused("illegal", "Names and plans stand on lines of their own, without a condition.", "A28")
    return None


def _waits(state: State, order: RoundOrder) -> bool:
    """Say whether an order may wait for the reveal. Rule: A28, C1."""
    if isinstance(order, Use):
        return is_for_reveal(state.card(order.power))
    return isinstance(order, Block | Never | Move)
