"""Plays a round from the blows to its end, as far as Energy goes; who owns what then is not its affair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Dice, Event, Reckoning
from pbem.rulesets.rumble.effect import Effect, Eliminate, Revive
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.order import Order
from pbem.rulesets.rumble.orders.conditions import Foreseen, Revealed
from pbem.rulesets.rumble.powers.engine.actions import Share
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.round import checkpoints, machine
from pbem.rulesets.rumble.round.blows import Blows, strike
from pbem.rulesets.rumble.round.bursts import burst
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.machine import Machine
from pbem.rulesets.rumble.round.opened import Opened
from pbem.rulesets.rumble.round.values import Field
from pbem.rulesets.rumble.state import Hero, State

Orders = Mapping[str, Sequence[Order]]


class Course(msgspec.Struct, frozen=True):
    """What a round is played by, whatever is chosen at the reveal."""

    orders: Orders
    said: tuple[Effect, ...]
    saving: tuple[Revive, ...]
    dice: Dice

    def effects(self, without: frozenset[str] = frozenset()) -> tuple[Effect, ...]:
        """Return what the moderator and powers say from outside the blows; of powers `without` nothing."""
        return application.without((*self.said, *self.saving), without)


class Played(msgspec.Struct, frozen=True):
    """What a round came to."""

    field: Field
    powered: Machine
    reactions: Reactions
    blows: Blows
    tolls: dict[str, Toll]
    quiet: int
    tired: tuple[Event, ...]


def play(opened: Opened, course: Course, book: Reckoning, seen: Revealed) -> Played:
    """Play a round from the blows to its end, as far as Energy goes."""
    state, effects = opened.state, course.effects(opened.given_up)
    field = Field(state, opened.fighting, opened.allocations, course.orders, effects, state.names, revealed=seen)
    powered = machine.started(field, book, opened)
    field, reactions = machine.acts(powered, field, book, course.dice.at("powers"))
    blows = strike(field, book, reactions, partial(_falls, field, opened.tolls))
    struck = {seat: _struck(toll, seat, field, blows) for seat, toll in opened.tolls.items()}
    powered = machine.after_blows(powered, reactions, struck)
    shares = _last_shares(state, powered, (struck, blows), effects, book)
    left = application.without(effects, {one.power for one in machine.discards(reactions)})
    tolls, quiet, tired = _count(state, struck, (effects, left), (blows, shares), book)
    tolls = burst(tolls, struck, (state, blows, reactions), left, book)
    return Played(field, powered, reactions, blows, tolls, quiet, tired)


def foreseen(played: Played, before: Mapping[str, Toll]) -> dict[str, Foreseen]:
    """Return what conditions ask of a round to come; `before` are the tolls with which it was opened. Rule: A28."""
    return {
        seat: Foreseen(
            is_out=bool(toll.out_step),
            dies=bool(toll.out_step) or toll.saved_by != before[seat].saved_by,
            damage=played.blows.damage.get(seat, 0) + played.powered.burnt.get(seat, 0),
        )
        for seat, toll in played.tolls.items()
    }


def _last_shares(
    state: State, powered: Machine, done: tuple[Mapping[str, Toll], Blows], effects: tuple[Effect, ...],
    book: Reckoning,
) -> tuple[Share, ...]:  # fmt: skip
    """
    Return what powers give and take at the end of the round, where fatigue and what the moderator says are losses too.

    Rule: C14, A20.
    """
    struck, blows = done
    losing = {seat: application.changes(effects, seat, "end")[1] for seat in struck}
    shares = machine.at_end(powered, struck, blows, losing)
    tired = checkpoints.fatigue(_quiet(state, struck, effects, shares, book.part()))
    if not tired or state.house["stalemate"] != "fatigue":
        return shares
    return machine.at_end(powered, struck, blows, {seat: lost + tired for seat, lost in losing.items()})


def _count(
    state: State, struck: Mapping[str, Toll], both: tuple[tuple[Effect, ...], tuple[Effect, ...]],
    done: tuple[Blows, tuple[Share, ...]], book: Reckoning,
) -> tuple[dict[str, Toll], int, tuple[Event, ...]]:  # fmt: skip
    """
    Pass the checkpoint after the blows, the end of the round, and its checkpoint.

    Shape: `both` are the effects that hold in the blows, and those that are left when the blows are over (C32).
    Rule: A8 (X2, X3), A20; gains and losses of one step net out.
    """
    effects, left = both
    blows, shares = done
    quiet = _quiet(state, struck, effects, shares, book)
    tired = checkpoints.fatigue(quiet)
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
        gained, lost = application.changes(effects, seat, "end")
        last += [("gained", gained), ("lost", -lost), ("fatigue", -fatigued), ("unused Defence", -wasted)]
        result[seat] = _ended(hero, toll, [one for one in last if one[1]], both, book)
        if wasted:
            facts = {"hero": hero.name, "amount": wasted, "quiet": quiet}
            told.append(Event(kind="defence_burnt", to=EVERYONE, facts=facts, rule="A20"))
    result = _eliminated(state, result, left, book)
    if tired and how == "told":
        told.append(Event(kind="standstill", to=MODERATOR_ALONE, facts={"quiet": quiet}, rule="A20"))
    if tired and how == "fatigue":
        told.append(Event(kind="fatigue", to=EVERYONE, facts={"amount": tired, "quiet": quiet}, rule="A20"))
    return result, quiet, tuple(told)


def _falls(
    field: Field, tolls: Mapping[str, Toll], damage: Mapping[str, int], late: Mapping[str, int], shares: Sequence[Share]
) -> dict[str, str]:
    """Return who falls in the blows as they stand, each with the power that bursts then, or ""."""
    fallen: dict[str, str] = {}
    for seat, damaged in damage.items():
        toll = _standing(tolls[seat], seat, field, (damaged, late[seat]), shares)
        if toll.energy <= 0 and not toll.endures:
            last = application.revival(field.effects, seat, toll.saved_by)
            fallen[seat] = last.by if last else ""
    return fallen


def _struck(toll: Toll, seat: str, field: Field, blows: Blows) -> Toll:
    """Return the Energy after the blows, whoever can be saved being saved; not yet held against the checkpoint."""
    if toll.out_step:
        return toll
    late = blows.late.get(seat, 0)
    toll = _standing(toll, seat, field, (blows.damage.get(seat, 0) - late, late), blows.shares)
    return checkpoints.saved(toll, field.effects, seat)


def _standing(toll: Toll, seat: str, field: Field, damage: tuple[int, int], shares: Sequence[Share]) -> Toll:
    """Return the Energy after damage, and after what came later; whoever bursts to be saved is not saved yet."""
    keeping = [one for one in field.effects if not (isinstance(one, Revive) and one.bursts)]
    gained, lost = application.changes(field.effects, seat, "")
    toll = toll.with_change("damage", -damage[0])
    toll = toll.with_change("gained", gained).with_change("lost", -lost)
    for share in shares:
        toll = toll.with_change(share.by, share.amount if share.on == seat else 0)
    energy = application.set_to(field.effects, seat)
    toll = toll if energy is None else toll.with_energy("set", energy)
    toll = checkpoints.saved(toll, keeping, seat)
    return checkpoints.saved(toll.with_change("damage", -damage[1]), keeping, seat) if damage[1] else toll


def _quiet(
    state: State, tolls: Mapping[str, Toll], effects: tuple[Effect, ...], shares: Sequence[Share], book: Reckoning
) -> int:
    """Count the rounds in a row in which nobody lost any Energy, this one included."""
    lost = any(amount < 0 for toll in tolls.values() for _, amount in toll.why)
    lost = lost or any(application.changes(effects, seat, "end")[1] for seat in tolls)
    lost = lost or any(share.amount < 0 for share in shares)
    key = "energy lost"
    if not lost or book.pins(key):
        lost = book.claim(key, "Energy was lost this round", lost, "", "A20")
    ruled = book.ruled("quiet rounds")
    return (0 if lost else state.quiet + 1) if ruled is None else max(0, ruled)


def _ended(
    hero: Hero, toll: Toll, last: Sequence[tuple[str, int]], both: tuple[tuple[Effect, ...], tuple[Effect, ...]],
    book: Reckoning,
) -> Toll:  # fmt: skip
    """Pass the checkpoint after the blows, then what comes last in the round, and its checkpoint."""
    effects, left = both
    endures = application.endures(left, hero.seat)
    if not last and endures == toll.endures:
        return _at_checkpoint(hero, toll, effects, book, ("", f"out: {hero.seat}", 2))
    toll = _at_checkpoint(hero, toll, effects, book, (" after the blows", f"out in the blows: {hero.seat}", 2))
    if toll.out_step:
        return toll
    toll = msgspec.structs.replace(toll, endures=endures)
    for what, amount in last:
        toll = toll.with_change(what, amount)
    return _at_checkpoint(hero, toll, left, book, ("", f"out: {hero.seat}", 3))


def _eliminated(
    state: State, tolls: Mapping[str, Toll], effects: tuple[Effect, ...], book: Reckoning
) -> dict[str, Toll]:
    """Put out whom powers put out now, all at once; of those who have fallen, only where the house lets it (A19)."""
    fallen = {seat for seat, toll in tolls.items() if toll.out_step} if machine.orphans_are_void(state) else set()
    doomed = {one.on for one in application.of_kind(effects, Eliminate) if one.hero not in fallen}
    return {
        seat: _put_out(state.hero(seat), toll, effects, book) if seat in doomed and not toll.out_step else toll
        for seat, toll in tolls.items()
    }


def _put_out(hero: Hero, toll: Toll, effects: tuple[Effect, ...], book: Reckoning) -> Toll:
    saved = checkpoints.saved(toll, effects, hero.seat, must=True)  # C15: it is one fall, whatever brings it about
    if saved is not toll:
        return saved
    text = f"{hero.name} is out by a power"
    return checkpoints.checked(toll, book, f"out by a power: {hero.seat}", text, 4, must=True)


def _at_checkpoint(
    hero: Hero, toll: Toll, effects: tuple[Effect, ...], book: Reckoning, names: tuple[str, str, int]
) -> Toll:
    suffix, out_key, step = names
    toll = checkpoints.saved(toll, effects, hero.seat)
    how = checkpoints.sums(hero.energy, toll)
    text = f"Energy of {hero.name}{suffix}"
    energy = book.number(f"energy{suffix} of {hero.seat}", text, toll.energy, how, "R8", least=-checkpoints.MOST_BELOW)
    toll = toll.with_energy("as ruled", energy)
    where = " in the blows" if suffix else ""
    return checkpoints.checked(toll, book, out_key, f"{hero.name} is out{where}", step)
