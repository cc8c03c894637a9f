"""A round, stage by stage: each takes the round as the stages before have left it, and gives it on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, get_args

from pbem.ruleset import Dice, Given, Outcome, Reckoning
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.order import Order
from pbem.rulesets.rumble.orders import commands, sets
from pbem.rulesets.rumble.orders.allocation import allocate
from pbem.rulesets.rumble.orders.conditions import Foreseen
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.powers.engine.scene import Scene
from pbem.rulesets.rumble.powers.engine.shouts import Shouts
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
    reveal_phase,
    sidekicks,
    transfers,
    wins,
)
from pbem.rulesets.rumble.round.record import Orders, Part, Round
from pbem.rulesets.rumble.state import State

Stage: TypeAlias = Callable[[Round, Reckoning], Round]


def answer(round_: Round, book: Reckoning) -> Round:
    """Let everybody do what they chose for the reveal; conditions may ask what the round would come to."""
    return reveal.answer(round_, book, lambda trial: foresee(trial, book.part()))


def foresee(trial: Round, book: Reckoning) -> Mapping[str, Foreseen]:
    """Return what a round would come to if all went on as it lies open. Rule: A28."""
    trial = sidekicks.withdraw(trial, book)
    after = _passed(BLOWS, trial, book)
    return {
        seat: Foreseen(
            is_out=bool(toll.out_step),
            dies=bool(toll.out_step) or toll.saved_by != trial.tolls[seat].saved_by,
            damage=after.blows.damage.get(seat, 0) + after.burnt.get(seat, 0),
        )
        for seat, toll in after.tolls.items()
    }


REVEAL: dict[str, Stage] = {
    "heroes get their names": costs.name_heroes,
    "powers are discarded": costs.discard_powers,
    "what powers hold to begins": held_powers.hold,
    "Burn is paid; who is out by it": costs.pay,
    "Sidekicks whose power has gone": sidekicks.withdraw,
    "the reveal: what is chosen, turned, drained and moved": answer,
    "all orders are shown": reports.show_orders,
    "Sidekicks whose power has gone at the reveal": sidekicks.withdraw,
    "powers that saved somebody are used up": held_powers.drop_used_up,
}
BLOWS: dict[str, Stage] = {
    "powers act on Attacks, Defences and Energy": powers_at_work.start,
    "the blows, and what follows from damage": blows.strike,
    "Energy after the blows": end.take_damage,
    "gains, losses and fatigue; who is out": end.count,
    "whoever fell and bursts": bursts.burst_after_blows,
}
END: dict[str, Stage] = {
    "Energy, falls and records are written down": end.record,
    "what powers look back on, and leave for later": lasting.remember,
    "powers given, discarded and used up": held_powers.rework,
    "Sidekicks and their powers go together": sidekicks.settle,
    "powers change hands": transfers.hand_over,
    "Sidekicks and their powers go together again": sidekicks.settle,
    "who wins": wins.see_who_wins,
    "who is out when nobody has won": wins.act_after_wins,
    "what is left for rounds to come": lasting.leave,
    "how all stand": reports.tell_standings,
    "the next round begins": next_round.go_on,
}
STAGES: dict[str, Stage] = REVEAL | BLOWS | END
"""The stages of a round, in their order; a round that is foreseen passes BLOWS alone."""


def _passed(stages: Mapping[str, Stage], round_: Round, book: Reckoning) -> Round:
    for stage in stages.values():
        round_ = stage(round_, book)
    return round_


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Close the allocation of a round, and the round with it, unless somebody is to be asked at the reveal.

    Rule: R4, R7, N1; A34 for sets that allocate nothing; C2.
    """
    absent = dice.at("missing")
    sent = commands.parted(state, orders)
    orders = {seat: sets.completed(state, seat, one, absent.at(seat)) for seat, one in sent.items()}
    seats = reveal_phase.asked(state, orders)
    return reveal_phase.opened(state, orders, seats, given) if seats else play(state, orders, {}, given, dice)


def forecast(state: State, seat: str, orders: Sequence[Order]) -> State:
    """Return the state that a round would leave in which nobody else did anything, and nobody was asked."""
    dice = Dice(b"a forecast")
    parts = commands.parted(state, {seat: orders})
    whole = {one: sets.completed(state, one, said, dice) for one, said in parts.items()}
    return play(state, whole, {}, Given(), dice).state


def answered(state: State, answers: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Close the Reveal phase of a round, and the round with it.

    Rule: N3; C20: what was ordered before is tested on what lay open then, not on what is answered now.
    """
    orders = reveal_phase.sealed_orders(state)
    return play(reveal_phase.closed(state), orders, answers, given, dice)


def play(state: State, orders: Orders, answers: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Play a round from its costs to its end.

    Shape: the verdicts come in the order of play: costs, Attacks and Defences, damage, Energy, who is out.
    Rule: R10; the order of the checkpoints is A8.
    """
    book = Reckoning(given.pinned)
    effects, idle = application.gather(state, given.effects)
    scene = Scene(state=state, fighting=(), energy={})
    opened = Round(
        before=state,
        state=state,
        names=state.names,
        orders=orders,
        answers=answers,
        dice=dice,
        wanted={hero.seat: allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living},
        effects=(*effects, *lasting.eliminations(state)),
        scene=scene,
        reactions=Reactions((), scene, dice, Shouts(state, book.claim), {}),
    )
    done = _passed(STAGES, opened, book).telling("idle", *idle, *book.idle())
    events = tuple(event for part in get_args(Part) for event in done.told.get(part, ()))
    return Outcome(state=done.state, verdicts=tuple(book.verdicts), events=events, result=done.result)
