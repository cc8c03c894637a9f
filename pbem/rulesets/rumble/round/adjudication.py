"""Closes a round: asks whoever is to be asked once all orders lie open, and plays its stages."""

from collections.abc import Mapping, Sequence

from pbem.ruleset import Dice, Event, Given, Outcome, Reckoning
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import PowerRuling
from pbem.rulesets.rumble.model.order import Order, Orders
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import commands, sets
from pbem.rulesets.rumble.orders.allocation import Allocation, allocate
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.powers.engine.scene import Scene
from pbem.rulesets.rumble.powers.engine.shouts import before_shouts
from pbem.rulesets.rumble.round import question
from pbem.rulesets.rumble.round.record import PARTS, Round
from pbem.rulesets.rumble.round.stages import COSTS, STAGES


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice, *, is_told: bool = True) -> Outcome[State]:
    """
    Close a round: ask whoever is to be asked when all orders lie open, then play it with what they answered.

    Shape: `is_told` says that somebody reads the report.
    Rule: R4, R7, N1; A34 for sets that allocate nothing; C2, N3.
    """
    absent = dice.at("missing")
    sent = commands.by_hero(state, orders)
    orders = {seat: sets.completed(state, seat, one, absent.at(seat)) for seat, one in sent.items()}
    if given.answers:
        answers = {str(seat): said for seat, said in given.answers[0].items()}
        return play(state, orders, answers, given, dice, is_told=is_told)
    if seats := question.seats_to_ask(state, orders):
        asking = question.asking(state, orders, seats, paid=_paid(state, orders, given, dice), pinned=given.pinned)
        return Outcome(state=asking, verdicts=(), events=(), asks=True)
    return play(state, orders, {}, given, dice, is_told=is_told)


def _paid(state: State, orders: Orders, given: Given, dice: Dice) -> Mapping[str, Allocation]:
    """Return what the costs will leave of each set, as things stand. Rule: A26."""
    book = Reckoning(given.pinned)
    round_, _ = _begun(state, orders, {}, given, dice, book)
    for stage in COSTS.values():
        round_ = stage(round_, book)
    return round_.paid


def forecast(state: State, seat: str, orders: Sequence[Order]) -> State:
    """Return the state after a round in which nobody else does anything, and nobody is asked."""
    dice = Dice(b"a forecast")
    parts = commands.by_hero(state, {seat: orders})
    whole = {one: sets.completed(state, one, sent, dice) for one, sent in parts.items()}
    return play(state, whole, {}, Given(), dice, is_told=False).state


def play(
    state: State, orders: Orders, answers: Orders, given: Given, dice: Dice, *, is_told: bool = True
) -> Outcome[State]:
    """
    Play a round from its costs to its end.

    Shape: the verdicts come in the order of play: costs, Attacks and Defences, damage, Energy, who is out. Where
    nobody reads the report, as `is_told` says, the orders, the standings and the news are left out of it.
    Rule: R10; the order of the checkpoints is A8.
    """
    book = Reckoning(given.pinned)
    round_, idle = _begun(state, orders, answers, given, dice, book, is_told=is_told)
    for stage in STAGES.values():
        round_ = stage(round_, book)
    parts = round_.with_events("idle", *idle, *book.idle()).events
    events = tuple(event for part in PARTS for event in parts.get(part, ()))
    return Outcome(state=round_.state, verdicts=tuple(book.verdicts), events=events, result=round_.result)


def _begun(
    state: State,
    orders: Orders,
    answers: Orders,
    given: Given,
    dice: Dice,
    book: Reckoning,
    *,
    is_told: bool = True,
) -> tuple[Round, tuple[Event, ...]]:
    """Return a round before its first stage, and what is told of rulings that cannot act in it."""
    said, idle = application.gather(state, given.effects)
    scene = Scene(state=state, fighting=(), energy={})
    round_ = Round(
        before=state,
        state=state,
        names=state.names,
        orders=orders,
        answers=answers,
        dice=dice,
        wanted={hero.seat: allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living},
        said=said,
        effects=tuple(one for one in said if not isinstance(one, PowerRuling)),
        scene=scene,
        reactions=Reactions(running=(), now=scene, dice=dice, shouts=before_shouts(state, book.claim)),
        is_told=is_told,
    )
    return round_, idle
