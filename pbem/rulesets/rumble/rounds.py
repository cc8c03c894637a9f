"""Closes a round: costs, blows, checkpoints, the end of the round, the end of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Dice, Event, Facts, Given, Outcome, Result
from pbem.rulesets.rumble import conditions, costs, doing, falling, machine, sets
from pbem.rulesets.rumble.allocation import Allocation, allocate
from pbem.rulesets.rumble.blows import Blows, strike
from pbem.rulesets.rumble.effects import Effect
from pbem.rulesets.rumble.falling import Toll
from pbem.rulesets.rumble.machine import Machine
from pbem.rulesets.rumble.news import news_of_round
from pbem.rulesets.rumble.orders import Order
from pbem.rulesets.rumble.powers.acting import Share
from pbem.rulesets.rumble.powers.running import runs
from pbem.rulesets.rumble.reckoning import Reckoning
from pbem.rulesets.rumble.state import Hero, Power, State
from pbem.rulesets.rumble.values import Field
from pbem.rulesets.rumble.writing import show_line

Orders = Mapping[str, Sequence[Order]]


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Close a round.

    Shape: the verdicts come in the order of play: costs, Attacks and Defences, damage, Energy, who is out.
    Rule: R4, R7, R10; the order of the checkpoints is A8; A34 for sets that allocate nothing.
    """
    absent = dice.at("missing")
    orders = {seat: sets.completed(state, seat, sent, absent.at(seat)) for seat, sent in orders.items()}
    book = Reckoning(given.pinned)
    said, told = doing.gather(state, given.effects)
    wanted: dict[str, Allocation] = {
        hero.seat: allocate(state, hero.seat, orders.get(hero.seat, ())) for hero in state.living
    }
    opened, named = costs.rename(state, wanted)
    bare, discarded = costs.discard(opened, wanted)
    saving = machine.revivals(bare)
    effects = (*said, *machine.outside(state), *saving.values())
    paid = {seat: costs.pay(bare, seat, allocation, effects, book) for seat, allocation in wanted.items()}
    tolls = {seat: toll for seat, (toll, _) in paid.items()}
    allocations = {seat: allocation for seat, (_, allocation) in paid.items()}
    fighting = tuple(seat for seat, toll in tolls.items() if not toll.out_step)
    spent_saving = machine.used_up(saving, said, tolls)
    bare, used = doing.rework(bare, spent_saving)
    shown = _reveal(opened, orders, wanted, tolls, allocations)
    field = Field(bare, fighting, allocations, orders, effects, bare.names)
    powered = machine.started(field, book, tolls)
    field, reactions = machine.acts(powered, field, book, dice.at("powers"))
    blows = strike(field, book, reactions)
    struck = {seat: _struck(toll, seat, field, blows) for seat, toll in tolls.items()}
    shares = _last_shares(bare, powered, (struck, blows), effects, book)
    tolls, quiet, tired = _count(bare, struck, effects, (blows, shares), book)
    settled = machine.remembered(_settled(bare, tolls, blows, wanted, quiet), powered, field, reactions)
    gone = (*machine.discards(reactions), *(e for e in machine.used_up(saving, said, tolls) if e not in spent_saving))
    after, moved = doing.rework(settled, (*effects, *gone))
    won = machine.winners(powered, after, tolls, blows)
    moved = (*used, *moved, *machine.ahead(state, after))
    ending = falling.result(after, effects, won=won, stalled=_stalled(after))
    closing = _closing_events(opened, after, tolls, blows, ending)
    after = msgspec.structs.replace(after, phase="over" if ending else "round", round=state.round + (not ending))
    news = news_of_round(opened, after, tolls, blows, state.round)
    after, began = (after, ()) if ending else machine.opened(after)
    events = (news, *named, *shown, *discarded, *blows.events, *tired, *moved, *closing, *began, *told, *book.idle())
    return Outcome(state=after, verdicts=tuple(book.verdicts), events=events, result=ending)


def _last_shares(
    state: State, powered: Machine, done: tuple[Mapping[str, Toll], Blows], effects: tuple[Effect, ...],
    book: Reckoning,
) -> tuple[Share, ...]:  # fmt: skip
    """
    Return what powers give and take at the end of the round, where fatigue and what the moderator says are losses too.

    Rule: C14, A20.
    """
    struck, blows = done
    losing = {seat: doing.changes(effects, seat, "end")[1] for seat in struck}
    shares = machine.at_end(powered, struck, blows, losing)
    tired = falling.fatigue(_quiet(state, struck, effects, shares, book.part()))
    if not tired or state.house["stalemate"] != "fatigue":
        return shares
    return machine.at_end(powered, struck, blows, {seat: lost + tired for seat, lost in losing.items()})


def _reveal(
    state: State, orders: Orders, wanted: Mapping[str, Allocation], tolls: Mapping[str, Toll],
    allocations: Mapping[str, Allocation],
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
        incoming = {s: a.attacks[seat] for s, a in allocations.items() if seat in a.attacks}
        for unfired in conditions.unfired(state, seat, orders.get(seat, ()), incoming):
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


def _count(
    state: State, struck: Mapping[str, Toll], effects: tuple[Effect, ...], done: tuple[Blows, tuple[Share, ...]],
    book: Reckoning,
) -> tuple[dict[str, Toll], int, tuple[Event, ...]]:  # fmt: skip
    """
    Pass the checkpoint after the blows, the end of the round, and its checkpoint.

    Rule: A8 (X2, X3), A20; gains and losses of one step net out.
    """
    blows, shares = done
    quiet = _quiet(state, struck, effects, shares, book)
    tired = falling.fatigue(quiet)
    how = state.house["stalemate"]
    result, told = {}, []
    for seat, toll in struck.items():
        hero = state.hero(seat)
        if toll.out_step:
            result[seat] = toll
            continue
        fatigued = tired if how == "fatigue" else 0
        wasted = blows.unused.get(seat, 0) if tired and how == "unused_defence_burn" else 0
        last = [(share.by, share.amount) for share in shares if share.on == seat]
        gained, lost = doing.changes(effects, seat, "end")
        last += [("gained", gained), ("lost", -lost), ("fatigue", -fatigued), ("unused Defence", -wasted)]
        result[seat] = _ended(hero, toll, effects, [one for one in last if one[1]], book)
        if wasted:
            facts = {"hero": hero.name, "amount": wasted, "quiet": quiet}
            told.append(Event(kind="defence_burnt", to=EVERYONE, facts=facts, rule="A20"))
    if tired and how == "fatigue":
        told.append(Event(kind="fatigue", to=EVERYONE, facts={"amount": tired, "quiet": quiet}, rule="A20"))
    return result, quiet, tuple(told)


def _struck(toll: Toll, seat: str, field: Field, blows: Blows) -> Toll:
    """Return the Energy after the blows, whoever can be saved being saved; not yet held against the checkpoint."""
    if toll.out_step:
        return toll
    gained, lost = doing.changes(field.effects, seat, "")
    toll = toll.with_change("damage", -blows.damage.get(seat, 0))
    toll = toll.with_change("gained", gained).with_change("lost", -lost)
    for share in blows.shares:
        toll = toll.with_change(share.by, share.amount if share.on == seat else 0)
    energy = doing.set_to(field.effects, seat)
    toll = toll if energy is None else toll.with_energy("set", energy)
    return falling.saved(toll, field.effects, seat)


def _quiet(
    state: State, tolls: Mapping[str, Toll], effects: tuple[Effect, ...], shares: Sequence[Share], book: Reckoning
) -> int:
    """Count the rounds in a row in which nobody lost any Energy, this one included."""
    lost = any(amount < 0 for toll in tolls.values() for _, amount in toll.why)
    lost = lost or any(doing.changes(effects, seat, "end")[1] for seat in tolls)
    lost = lost or any(share.amount < 0 for share in shares)
    key = "energy lost"
    if not lost or book.pins(key):
        lost = book.claim(key, "Energy was lost this round", lost, "", "A20")
    ruled = book.ruled("quiet rounds")
    return (0 if lost else state.quiet + 1) if ruled is None else max(0, ruled)


def _ended(
    hero: Hero, toll: Toll, effects: tuple[Effect, ...], last: Sequence[tuple[str, int]], book: Reckoning
) -> Toll:
    """Pass the checkpoint after the blows, then what comes last in the round, and its checkpoint."""
    seat, name = hero.seat, hero.name
    if last:
        toll = _at_checkpoint(hero, toll, effects, book, (" after the blows", f"out in the blows: {seat}", 2))
        if toll.out_step:
            return toll
        for what, amount in last:
            toll = toll.with_change(what, amount)
        step = 3
    else:
        step = 2
    toll = _at_checkpoint(hero, toll, effects, book, ("", f"out: {seat}", step))
    if not toll.out_step and seat in doing.eliminated(effects):
        saved = doing.revival(effects, seat)
        if saved is not None and not toll.saved:  # C15: it is one fall, whatever brings it about
            return msgspec.structs.replace(toll.with_energy("revived", saved), saved=True)
        text = f"{name} is out by a power"
        return falling.checked(toll, book, f"out by a power: {seat}", text, 4, must=True)
    return toll


def _at_checkpoint(
    hero: Hero, toll: Toll, effects: tuple[Effect, ...], book: Reckoning, names: tuple[str, str, int]
) -> Toll:
    suffix, out_key, step = names
    toll = falling.saved(toll, effects, hero.seat)
    how = falling.sums(hero.energy, toll)
    text = f"Energy of {hero.name}{suffix}"
    energy = book.number(f"energy{suffix} of {hero.seat}", text, toll.energy, how, "R8", least=-falling.MOST_BELOW)
    toll = toll.with_energy("as ruled", energy)
    where = " in the blows" if suffix else ""
    return falling.checked(toll, book, out_key, f"{hero.name} is out{where}", step)


def _settled(
    state: State, tolls: Mapping[str, Toll], blows: Blows, wanted: Mapping[str, Allocation], quiet: int
) -> State:
    """Return the state with every hero's Energy, fall and record."""

    def after(hero: Hero) -> Hero:
        toll = tolls.get(hero.seat)
        if toll is None:
            return hero
        burnt = -sum(amount for what, amount in toll.why if what == "burnt")
        counted = burnt if state.house["burn_is_damage"] == "yes" else 0
        return msgspec.structs.replace(
            hero,
            energy=toll.energy,
            out=state.round if toll.out_step else -1,
            out_step=toll.out_step,
            dealt=hero.dealt + sum(dealers.get(hero.seat, 0) for dealers in blows.by.values()),
            taken=hero.taken + blows.damage.get(hero.seat, 0) + counted,
            burnt=hero.burnt + burnt,
        )

    unowned = sum(dealers.get("", 0) for dealers in blows.by.values())
    heroes = tuple(after(hero) for hero in state.heroes)
    return msgspec.structs.replace(state, heroes=heroes, quiet=quiet, by_powers=state.by_powers + unowned)


def _stalled(state: State) -> bool:
    return state.house["stalemate"] == "draw" and state.quiet >= falling.PATIENCE


def _closing_events(
    before: State, after: State, tolls: Mapping[str, Toll], blows: Blows, ending: Result | None
) -> tuple[Event, ...]:
    why = {seat: toll.why for seat, toll in tolls.items()}
    events = [*falling.stands_events(before, after, why)]
    for seat, toll in tolls.items():
        hero = after.hero(seat)
        if toll.saved and not toll.out_step:
            facts = {"hero": hero.name, "energy": hero.energy}
            events.append(Event(kind="revived", to=EVERYONE, facts=facts, rule="A26"))
        if toll.out_step:
            by = [after.names[source] for source, n in blows.by.get(seat, {}).items() if n and source]
            events.append(falling.fallen_event(hero, by, left=toll.left))
    if ending:
        events += falling.ended_events(after, ending)
    return tuple(events)
