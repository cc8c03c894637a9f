"""The stages of a round, in their order: each takes the round as the one before left it, and returns it."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from pbem.ruleset import Reckoning
from pbem.rulesets.rumble.orders.conditions import Foreseen
from pbem.rulesets.rumble.round import (
    blows,
    bursts,
    costs,
    end,
    held_powers,
    lasting,
    next_round,
    powers_at_work,
    reports,
    reveal,
    sidekicks,
    transfers,
    wins,
)
from pbem.rulesets.rumble.round.record import Round

Stage: TypeAlias = Callable[[Round, Reckoning], Round]


def answer(round_: Round, book: Reckoning) -> Round:
    """Let everybody do what they chose for the reveal; conditions may ask what the round would come to."""
    return reveal.answer(round_, book, lambda trial: foresee(trial, book.part()))


def foresee(trial: Round, book: Reckoning) -> Mapping[str, Foreseen]:
    """Return what a round would come to if all went on as it lies open. Rule: A28."""
    before = after = sidekicks.withdraw(msgspec.structs.replace(trial, is_told=False), book)
    for stage in BLOWS.values():
        after = stage(after, book)
    return {
        seat: Foreseen(
            is_out=bool(toll.out_step),
            dies=bool(toll.out_step) or toll.saved_by != before.tolls[seat].saved_by,
            damage=after.blows.damage.get(seat, 0) + after.burnt.get(seat, 0),
        )
        for seat, toll in after.tolls.items()
    }


COSTS: dict[str, Stage] = {
    "names": costs.name_heroes,
    "discards": costs.discard_powers,
    "what holds": held_powers.hold,
    "costs": costs.pay,
}
REVEAL: dict[str, Stage] = {
    "Sidekicks at the costs": sidekicks.withdraw,
    "reveal": answer,
    "orders": reports.show_orders,
    "Sidekicks at the reveal": sidekicks.withdraw,
    "rescues at the reveal": held_powers.drop_used_up,
}
BLOWS: dict[str, Stage] = {
    "values": powers_at_work.start,
    "blows": blows.strike,
    "damage": end.take_damage,
    "gains and losses": end.count,
    "bursts": bursts.burst_after_blows,
}
END: dict[str, Stage] = {
    "records": end.record,
    "memory": lasting.remember,
    "rulings on powers": held_powers.rework,
    "Sidekicks at the end": sidekicks.settle,
    "transfers": transfers.hand_over,
    "Sidekicks after transfers": sidekicks.settle,
    "wins": wins.see_who_wins,
    "after wins": wins.act_after_wins,
    "rounds to come": lasting.leave,
    "standings": reports.tell_standings,
    "next round": next_round.go_on,
}
STAGES: dict[str, Stage] = COSTS | REVEAL | BLOWS | END
"""The stages of a round, in their order, as RULES.md says of each what it does."""
