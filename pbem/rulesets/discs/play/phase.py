"""A phase from its sealed lists to the next one: cards turned one by one, and what everybody is told of it."""

from collections.abc import Mapping, Sequence

from pbem.ruleset import Dice, Event, Given, Only, Outcome, Reckoning, Seat
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.programme import programme
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.kept import keep, with_kept
from pbem.rulesets.discs.play.acting import turn_card
from pbem.rulesets.discs.play.choosing import choose
from pbem.rulesets.discs.play.news import lead
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.play.turns import end_phase
from pbem.rulesets.discs.sight.deck import cards_to_turn
from pbem.rulesets.discs.sight.telling import rows


def adjudicate(state: State, orders: Mapping[Seat, Sequence[Order]], given: Given, dice: Dice) -> Outcome[State]:
    """
    Turn the cards of a phase.

    Rule: D4, D6, M1, T-xx.
    """
    sums = Reckoning(given.pinned)
    state = keep(state, orders)
    play = Play(state, {seat: programme(with_kept(state, seat, sent)) for seat, sent in orders.items()}, sums, dice)
    if state.phase == "place":
        choose(play)
        result = None
    else:
        for _ in range(cards_to_turn(state)):
            if play.state.deck and not play.is_over:
                turn_card(play)
        result = end_phase(play)
    play.tell("stands", "D4", rows=rows(play.state))
    if result:
        play.note(phase="over")
        play.tell("ended", "D1", how=result.how, turns=state.turn)
    if state.phase == "list":
        play.events.insert(0, lead(state, play.state, play.events))
    events = (*play.events, *_mates(state, orders), *sums.idle())
    return Outcome(state=play.state, verdicts=tuple(sums.verdicts), events=events, result=result)


def _mates(state: State, orders: Mapping[Seat, Sequence[Order]]) -> list[Event]:
    """Tell team mates of each other's lines, where the house has it. Rule: T-yy."""
    if state.house["team_talk"] == "no":
        return []
    told = []
    for reader in state.programs:
        mates = [one for one in state.programs if one.team == reader.team and one.seat != reader.seat]
        lines = [
            {"name": mate.name, "lines": [write_order(state, order) for order in orders[mate.seat]]}
            for mate in mates
            if mate.seat in orders
        ]
        if lines:
            told.append(Event(kind="programmes", to=Only((reader.seat,)), facts={"rows": lines}, rule="T-yy"))
    return told
