"""Plans for Energy held back: read from words into orders, and put into an allocation at the reveal."""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from pbem.ruleset import Refused, all_read, phrases, refuse
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.order import Attack, Defend, If, RoundOrder
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.orders.conditions import Revealed

REST, INCOMING = -1, -2
"""Amounts that are known at the reveal alone: all that is left, and what it takes to stop every Attack."""
FORM = (
    "Write a plan such as: defend exactly incoming; rest attack NAME. Or: if attacked by NAME: defend 40, "
    "attack NAME 10 else attack NAME 50."
)

_EXACTLY = re.compile(
    r"def(?:end|ence|ense)?\s+(?:exactly\s+)?(?:against\s+)?(?:all\s+)?(?:incoming|what comes)", re.IGNORECASE
)
_REST = re.compile(r"^(?:the\s+)?rest\s+(?:to\s+|on\s+|in\s+|into\s+)?|\s+(?:with\s+)?(?:the\s+)?rest$", re.IGNORECASE)

Read: TypeAlias = Callable[[State, str, str], RoundOrder | Refused]
Step: TypeAlias = Attack | Defend | If


def parse(state: State, seat: str, text: str, read: Read) -> tuple[Step, ...] | Refused:
    """
    Read a plan; `read` reads a single order.

    Errors: `unreadable` with what would have worked.
    Rule: R16, A27.
    """
    steps: list[Step] = []
    for part in (part.strip(" .") for part in phrases.parts(text)):
        cut = phrases.conditional(part) if part else None
        if isinstance(cut, phrases.Unread):
            return refuse(cut, "R16")
        found: tuple[Step, ...] | Refused
        if cut:
            condition = conditions.guarded(state, cut, lambda parts, _: _several(state, seat, parts, read))
            found = condition if isinstance(condition, Refused) else (condition,)
        else:
            found = _several(state, seat, part.split(","), read)
        if isinstance(found, Refused):
            return found
        steps += found
    return tuple(steps) or Refused("unreadable", FORM, "R16")


def _several(state: State, seat: str, parts: Sequence[str], read: Read) -> tuple[Attack | Defend, ...] | Refused:
    return all_read(_step(state, seat, part.strip(), read) for part in parts if part.strip())


def _step(state: State, seat: str, text: str, read: Read) -> Attack | Defend | Refused:
    """Read one order of a plan, whose amount may be known later only."""
    text = genre_of(state.house).hear_order(text)
    if _EXACTLY.fullmatch(text):
        return Defend(INCOMING)
    bare = _REST.sub("", text)
    if bare == text:
        order = read(state, seat, text)
    else:
        order = read(state, seat, f"{bare} 0")
        if isinstance(order, Refused):  # rest on NAME
            order = read(state, seat, f"attack {bare} 0")
        if isinstance(order, Attack | Defend):
            return msgspec.structs.replace(order, amount=REST)
    if isinstance(order, Refused):
        return order if order.fault == "illegal" else Refused(order.fault, f"{order.because} {FORM}", "R16")
    return order if isinstance(order, Attack | Defend) else Refused("unreadable", FORM, "R16")


def carry_out(
    state: State, seat: str, steps: Sequence[Step], held: int, defence: int, seen: Revealed
) -> tuple[dict[str, int], int]:
    """
    Say what a plan puts into Attacks and into Defence, of the Energy held back; `defence` is what stands there already.

    Rule: R16; C29: what is left over goes into Defence.
    """
    attacks: dict[str, int] = {}
    left, guard = held, 0
    for step in _in_force(state, seat, steps, seen):
        incoming = sum(seen.incoming(seat).values()) - defence - guard
        wanted = {REST: left, INCOMING: max(0, incoming)}.get(step.amount, step.amount)
        amount = min(left, wanted)
        left -= amount
        if isinstance(step, Defend):
            guard += amount
        elif amount and state.hero(step.on).is_in:
            attacks[step.on] = attacks.get(step.on, 0) + amount
    return attacks, guard + left


def _in_force(state: State, seat: str, steps: Sequence[Step], seen: Revealed) -> list[Attack | Defend]:
    held = (conditions.branch(state, seat, step, seen) if isinstance(step, If) else (step,) for step in steps)
    return [one for branch in held for one in branch if isinstance(one, Attack | Defend)]
