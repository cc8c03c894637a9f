"""Plans for Energy held back, put into an allocation at the reveal."""

from collections.abc import Sequence

from pbem.rulesets.rumble.model.order import Attack, Defend, If, Step
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import conditions
from pbem.rulesets.rumble.orders.conditions import Revealed

REST, INCOMING = -1, -2
"""Amounts that are known at the reveal alone: all that is left, and what it takes to stop every Attack."""


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
