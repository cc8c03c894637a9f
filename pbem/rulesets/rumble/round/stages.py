"""Closes a round: costs, blows, checkpoints, the end of the round, the end of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Dice, Event, Facts, Given, Outcome, Reckoning, Result
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.order import Block, Order
from pbem.rulesets.rumble.orders import commands, conditions, sets
from pbem.rulesets.rumble.orders.allocation import Allocation, allocate
from pbem.rulesets.rumble.orders.conditions import Foreseen, Revealed
from pbem.rulesets.rumble.orders.writing import show_line
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.round import checkpoints, costs, machine, reveal, reveal_phase, sidekicks, transfers
from pbem.rulesets.rumble.round.blows import Blows
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.course import Course, Played, foreseen, play
from pbem.rulesets.rumble.round.news import news_of_round
from pbem.rulesets.rumble.round.opened import Opened
from pbem.rulesets.rumble.state import Hero, Power, State

Orders = Mapping[str, Sequence[Order]]


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Close the allocation of a round, and the round with it, unless somebody is to be asked at the reveal.

    Rule: R4, R7, N1; A34 for sets that allocate nothing; C2.
    """
    absent = dice.at("missing")
    sent = commands.parted(state, orders)
    orders = {seat: sets.completed(state, seat, one, absent.at(seat)) for seat, one in sent.items()}
    seats = reveal_phase.asked(state, orders)
    return reveal_phase.opened(state, orders, seats, given) if seats else play_out(state, orders, {}, (given, dice))


def forecast(state: State, seat: str, orders: Sequence[Order]) -> State:
    """Return the state that a round would leave in which nobody else did anything, and nobody was asked."""
    dice = Dice(b"a forecast")
    parts = commands.parted(state, {seat: orders})
    whole = {one: sets.completed(state, one, said, dice) for one, said in parts.items()}
    return play_out(state, whole, {}, (Given(), dice)).state


def answered(state: State, answers: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Close the Reveal phase of a round, and the round with it.

    Rule: N3; C20: what was ordered before is tested on what lay open then, not on what is answered now.
    """
    orders = reveal_phase.sealed_orders(state)
    before = msgspec.structs.replace(state, phase="round", sealed={}, asked=())
    return play_out(before, orders, answers, (given, dice))


def play_out(state: State, orders: Orders, answers: Orders, given_and_dice: tuple[Given, Dice]) -> Outcome[State]:
    """
    Play a round from its costs to its end.

    Shape: the verdicts come in the order of play: costs, Attacks and Defences, damage, Energy, who is out.
    Rule: R10; the order of the checkpoints is A8.
    """
    given, dice = given_and_dice
    book = Reckoning(given.pinned)
    said, told = application.gather(state, given.effects)
    wanted: dict[str, Allocation] = {
        hero.seat: allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living
    }
    named_so, named = costs.rename(state, wanted)
    bare, discarded = costs.discard(named_so, wanted)
    blocks = {seat: (*_blocks(answers.get(seat, ())), *sent) for seat, sent in orders.items()}
    course = Course(blocks, (*said, *machine.outside(state), *machine.enduring(bare)), machine.revivals(bare), dice)
    paid = {seat: costs.pay(bare, seat, allocation, course.effects(), book) for seat, allocation in wanted.items()}
    tolls = {seat: toll for seat, (toll, _) in paid.items()}
    allocations = {seat: allocation for seat, (_, allocation) in paid.items()}
    opened = sidekicks.withdrawn(Opened(bare, tolls, allocations))
    lying = reveal.revealed(opened, lambda _: {})
    opened, seen = reveal.answer(
        opened, orders, answers, course.effects(),
        (book, lambda trial: _foreseen(trial, course, given, lying)),
    )  # fmt: skip
    shown = _reveal(named_so, orders, wanted, opened.tolls, allocations, seen)
    opened, used = _used_up(sidekicks.withdrawn(opened))
    played = play(opened, course, book, seen)
    settled = _settled(opened.state, played, opened.allocations)
    settled = machine.remembered(settled, played.powered, played.field, played.reactions)
    gone = dict.fromkeys((*machine.discards(played.reactions), *machine.used_up(played.tolls, opened.tolls)))
    after, moved = application.rework(settled, (*course.effects(opened.given_up), *gone))
    noted = len(played.reactions.later)
    after, tolls, fell = sidekicks.settled(after, played.tolls)
    after, tolls, handed = transfers.hand_over(after, (msgspec.structs.replace(played, tolls=tolls), course.said), book)
    after, tolls, left = sidekicks.settled(after, tolls)
    after, tolls, ending, late = _ended(after, tolls, played, course, book)
    after = machine.orphaned(msgspec.structs.replace(after, later=(*after.later, *played.reactions.later[noted:])))
    moved = (*used, *moved, *fell, *handed, *left, *late, *machine.ahead(state, after))
    closing = _closing_events(named_so, after, tolls, played.blows, ending)
    after = msgspec.structs.replace(after, phase="over" if ending else "round", round=state.round + (not ending))
    news = news_of_round(named_so, after, tolls, played.blows, state.round)
    after, began = (after, ()) if ending else machine.opened(after)
    chosen = (*shown, *discarded, *opened.events, *played.reactions.shouts.told(), *played.blows.events, *played.tired)
    events = (news, *named, *chosen, *moved, *closing, *began, *told, *book.idle())
    return Outcome(state=after, verdicts=tuple(book.verdicts), events=events, result=ending)


def _foreseen(trial: Opened, course: Course, given: Given, lying: Revealed) -> Mapping[str, Foreseen]:
    """Return what a round would come to if all went on as it lies open."""
    trial = sidekicks.withdrawn(trial)
    return foreseen(play(trial, course, Reckoning(given.pinned), lying), trial.tolls)


def _blocks(answers: Sequence[Order]) -> tuple[Order, ...]:
    return tuple(order for order in answers if isinstance(order, Block))


def _used_up(opened: Opened) -> tuple[Opened, tuple[Event, ...]]:
    """Take out of play what has saved heroes from their costs."""
    state, events = application.rework(opened.state, machine.used_up(opened.tolls))
    return msgspec.structs.replace(opened, state=state), events


def _ended(
    state: State, tolls: dict[str, Toll], played: Played, course: Course, book: Reckoning
) -> tuple[State, dict[str, Toll], Result | None, tuple[Event, ...]]:
    """
    See who wins; where nobody does, who is out after that, and who wins by it.

    Rule: C14, A31.
    """
    effects = course.effects()
    won = machine.winners(played.powered, state, tolls, played.blows)
    ending = checkpoints.result(state, effects, won=won, stalled=_stalled(state))
    if ending:
        return state, tolls, ending, ()
    state, tolls, late = transfers.after_wins(state, tolls, (played, course.said), book)
    state, tolls, fell = sidekicks.settled(state, tolls)
    return state, tolls, checkpoints.result(state, ()), (*late, *fell)


def _reveal(
    state: State, orders: Orders, wanted: Mapping[str, Allocation], tolls: Mapping[str, Toll],
    allocations: Mapping[str, Allocation], seen: Revealed,
) -> tuple[Event, ...]:  # fmt: skip
    """Show what was ordered, what fell away of it, and whom it no longer met."""
    events: list[Event] = []
    open_plans = state.house["reveal_plans"] == "yes"
    to = EVERYONE if open_plans else MODERATOR_ALONE
    rows = [_held(state, power) for seat in wanted for power in state.owned(seat)]
    if rows:
        events.append(Event(kind="powers_held", to=MODERATOR_ALONE, facts={"rows": rows}, rule="R11"))
    for seat, allocation in wanted.items():
        idle = max(0, state.hero(seat).energy - allocation.tied_up - allocation.burnt)
        events += costs.ordered_events(state, seat, allocation, idle, to)
        for unfired in conditions.unfired(state, seat, orders.get(seat, ()), seen):
            facts = {"hero": state.names[seat], "line": show_line(state, unfired)}
            events.append(Event(kind="condition_unmet", to=to, facts=facts, rule="A27"))
        if allocations[seat].dropped:
            events.append(costs.cut_event(state, seat, allocations[seat]))
        for on, amount in allocations[seat].attacks.items():
            if tolls[on].out_step if on in tolls else True:
                lost = {"hero": state.names[seat], "on": state.names[on], "amount": amount}
                events.append(Event(kind="wasted", to=EVERYONE, facts=lost, rule="A18"))
    return tuple(events)


def _held(state: State, power: Power) -> Facts:
    """Return what the moderator is told of a power in play, its text too, or always-on ones are forgotten."""
    return {
        "hero": state.names[power.owner],
        "number": power.key,
        "power": power.name,
        "kind": power.kind,
        "strength": power.strength,
        "text": power.text,
        "runs": runs(power.lines),
    }


def _settled(state: State, played: Played, wanted: Mapping[str, Allocation]) -> State:
    """Return the state with every hero's Energy, fall and record."""
    tolls, blows = played.tolls, played.blows

    def after(hero: Hero) -> Hero:
        toll = tolls.get(hero.seat)
        if toll is None:
            return hero
        counted = toll.burnt if machine.burns_hurt(state) else 0
        return msgspec.structs.replace(
            hero,
            energy=toll.energy,
            out=state.round if toll.out_step else -1,
            out_step=toll.out_step,
            dealt=hero.dealt + sum(dealers.get(hero.seat, 0) for dealers in blows.by.values()),
            taken=hero.taken + blows.damage.get(hero.seat, 0) + counted,
            burnt=hero.burnt + toll.burnt,
        )

    unowned = sum(dealers.get("", 0) for dealers in blows.by.values())
    heroes = tuple(after(hero) for hero in state.heroes)
    return msgspec.structs.replace(state, heroes=heroes, quiet=played.quiet, by_powers=state.by_powers + unowned)


def _stalled(state: State) -> bool:
    return state.house["stalemate"] == "draw" and state.quiet >= checkpoints.PATIENCE


def _back_on(hero: Hero, toll: Toll) -> int:
    """Return the Energy on which a hero was back; what came after that is not in it."""
    whole = len(toll.why)  # of who was back on as much as they had there is no line
    last = max((place for place, (what, _) in enumerate(toll.why, 1) if what == "revived"), default=whole)
    return hero.energy + sum(amount for _, amount in toll.why[:last])


def _closing_events(
    before: State, after: State, tolls: Mapping[str, Toll], blows: Blows, ending: Result | None
) -> tuple[Event, ...]:
    why = {seat: toll.why for seat, toll in tolls.items()}
    events = [*checkpoints.stands_events(before, after, why)]
    for seat, toll in tolls.items():
        hero = after.hero(seat)
        if toll.saved_by and not toll.out_step:
            facts = {"hero": hero.name, "energy": _back_on(before.hero(seat), toll)}
            events.append(Event(kind="revived", to=EVERYONE, facts=facts, rule="A26"))
        if toll.out_step:
            by = [after.names[source] for source, n in blows.by.get(seat, {}).items() if n and source]
            events.append(checkpoints.fallen_event(hero, by, left=toll.left))
    if ending:
        events += checkpoints.ended_events(after, ending)
    return tuple(events)
