"""Programs that brawl fast: orders as values, three tempers, no letters and little cunning."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

import msgspec

from pbem.ruleset import Dice, Result, Seat
from pbem.rulesets.brawl.order import Add, Attack, CoopDie, Defend, Delay, Drop, If, Order, Pass, RoundOrder, Test
from pbem.rulesets.brawl.sets import MOST
from pbem.rulesets.brawl.state import BIG, COOP, MOST_DRUNK, Die, Fighter, State, Use


class Sight(msgspec.Struct, frozen=True):
    """
    What a fighter, `me`, sees of a round while it plans.

    Shape: `hostile` are the fighters of other sides, wherever they are; `foes` those of them that can be hit, who are
    down only if nobody else is left; `friends` those of the same side who are up.
    """

    state: State
    me: Fighter
    hostile: Sequence[Fighter]
    foes: Sequence[Fighter]
    friends: Sequence[Fighter]

    @property
    def slower(self) -> list[Fighter]:
        """Return the foes who declare before the fighter."""
        return [one for one in self.foes if -1 < self.state.rank(one.seat) < self.state.rank(self.me.seat)]


def look(state: State, me: Fighter) -> Sight:
    """Return what a fighter sees."""
    sides, mine = state.sides, state.side(me.seat)
    hostile = [one for one in state.fighters if not one.gone and sides[one.seat] != mine]
    friends = [one for one in state.fighters if sides[one.seat] == mine and one.is_up and one.seat != me.seat]
    near = [one for one in hostile if one.group == me.group and not one.away]
    up = [one for one in near if one.is_up]
    return Sight(state, me, hostile, up if up or state.house["hit_downed"] == "no" else near, friends)


Step: TypeAlias = Callable[[Sight, Sequence[Die], Dice], tuple[Order, ...]]
"""A part of a temper: what it does with dice that are free, the best first; nothing is an answer too."""

NOBODY_COMES = Test("attacked by", sign="=", number=0)
COOP_DIE = CoopDie((Add("attack"), Add("defense"), Drop(COOP, "advantage")))


def orders(steps: Sequence[Step], state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Return the orders of a program: each of its steps has the dice that those before it left."""
    me = state.fighter(seat)
    if me.down and state.house["downed_die"] == "drop":
        steps = (breath, lurk)
    sight = look(state, me)
    free = sorted(me.dice, key=lambda die: (-die.value, die.letter))
    plan: tuple[Order, ...] = ()
    for number, step in enumerate(steps):
        more = step(sight, free, dice.at(str(number)))
        if more and len([order for order in (*plan, *more) if isinstance(order, Attack)]) <= MOST[Attack]:
            plan += more
            used = {letter for order in more for one in _parts(order) for letter in one.letters}
            free = [die for die in free if die.letter not in used]
    return plan or (Pass(),)


def _parts(order: Order) -> Iterable[RoundOrder]:
    if isinstance(order, If):
        return (*order.then, *order.otherwise)
    return (order,) if isinstance(order, RoundOrder) else ()


def loose(free: Iterable[Die]) -> list[str]:
    """Return the letters of dice that can be used for anything, the best first."""
    return [die.letter for die in free if not die.use]


def fit(free: Iterable[Die], use: Use) -> list[str]:
    """Return the letters of dice that can be used for something, those that were delayed for it first."""
    return [die.letter for die in free if die.use == use] + loose(free)


def back(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Move back into the fight, or to where there is one."""
    if sight.foes and not sight.me.away:
        return ()
    letters, elsewhere = loose(free), [one for one in sight.hostile if one.fights]
    if letters and sight.me.away:
        return (Drop(letters[-1], "move"),)
    if letters and elsewhere:
        return (Drop(letters[-1], "move", dice.pick("where", elsewhere).seat),)
    return ()


def duty(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Attack with the dice that were kept for an attack or for damage, and with as many others as they need."""
    strong = [die.letter for die in free if die.use == "attack"]
    hurting = [die.letter for die in free if die.use == "damage"]
    if not sight.foes or sight.me.away or not (strong or hurting):
        return ()
    spare = loose(free)
    while spare and (len(strong) < max(1, len(hurting)) or not hurting):
        (hurting if strong and not hurting else strong).append(spare.pop(0))
    hurting = hurting[: len(strong)]
    return (Attack(dice.pick("victim", sight.foes).seat, tuple(strong), tuple(hurting)),) if hurting else ()


def breath(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Regain with a good die once Endurance is low, and the fight allows it."""
    if sight.me.endurance * 2 >= sight.me.full_endurance and sight.me.health >= 0:
        return ()
    letters = loose(free)
    return (Drop(letters[1], "regain"),) if len(letters) > 2 else ()


def hit(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Attack somebody; with a big item, use one more damage die."""
    return _strike(sight, free, dice, 2 if sight.me.item == "big" else 1)


def jab(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Make another attack, with one damage die."""
    return _strike(sight, free, dice, 1)


def _strike(sight: Sight, free: Sequence[Die], dice: Dice, most: int) -> tuple[Order, ...]:
    """Attack somebody: half of the time the foe with the least Health."""
    if not sight.foes or len(free) < 2:
        return ()
    strong = fit(free, "attack")[:1]
    hurting = [letter for letter in fit(free, "damage") if letter not in strong][:most]
    if not strong or not hurting:
        return ()
    victim = _weakest(sight.foes, dice) if dice.face("mood", 2) == 1 else dice.pick("victim", sight.foes)
    return (Attack(victim.seat, tuple(strong), tuple(hurting)),)


def _weakest(foes: Sequence[Fighter], dice: Dice) -> Fighter:
    """Return the foe with the least Health; of several, the one with the lowest roll."""
    least = min(one.health for one in foes)
    weak = [one for one in foes if one.health == least]
    return weak[0] if len(weak) == 1 else min(weak, key=lambda one: dice.face(f"weakest {one.seat}", 1000))


def rush(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Charge if there are dice enough and none was kept for another attack; the worst die is dropped for it."""
    if not sight.state.is_pub or sight.me.away or not sight.foes or len(free) < 4:
        return ()
    letters, kept = loose(free), any(die.use in ("attack", "damage") for die in sight.me.dice)
    if kept or len(letters) < 4:
        return ()
    blow = Attack(dice.pick("victim", sight.foes).seat, (letters[0],), (letters[1], letters[2]))
    return (Drop(letters[-1], "charge", attack=1), blow)


def guard(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Defend with the best die."""
    letters = fit(free, "defense")
    return (Defend((letters[0],)),) if letters else ()


def watch(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Defend with the best die, or take an Advantage with it if nobody slower attacks."""
    letters = loose(free)
    if not letters or sight.state.house["declare"] == "blind" or sight.state.rank(sight.me.seat) == 0:
        return guard(sight, free, dice)
    return (If((NOBODY_COMES,), (Drop(letters[0], "advantage"),), (Defend((letters[0],)),)),)


def keep(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Keep a good die for the next round, now and then, to hit with or to hurt."""
    good = [die.letter for die in free if not die.use and die.value >= BIG]
    if not good or dice.face("keeps", 2) > 1:
        return ()
    return (Delay(good[0], "attack" if dice.face("use", 2) == 1 else "damage"),)


def lurk(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Take an Advantage or a Maneuver with the worst die; a fighter who is up keeps one die besides."""
    letters = loose(free)
    if not letters or (len(letters) < 2 and sight.me.fights):
        return ()
    return (Drop(letters[-1], "advantage" if dice.face("what", 2) == 1 else "maneuver"),)


def drink(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Have a drink with the worst die, as long as drinks do good."""
    helps = sight.state.is_pub and sight.me.drunk < MOST_DRUNK and sight.me.health * 2 < sight.me.full_health
    letters = loose(free) if helps else []
    return (Drop(letters[-1], "drink"),) if len(letters) > 1 else ()


def grab(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Pick something up; something big if a die allows it."""
    letters = loose(free) if sight.state.is_pub and not sight.me.item else []
    big = [die.letter for die in free if not die.use and die.value >= BIG]
    return (Drop((big or letters)[-1], "pickup"),) if len(letters) > 2 else ()


def spoil(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Counter what lasts, or what a slower foe may do; if that does not happen, defend with the die."""
    letters = loose(free)
    if len(letters) < 3:
        return ()
    for one in sight.foes:
        lasting = {"pickup": bool(one.item), "advantage": one.advantage > 1, "maneuver": one.maneuver > 1}
        if what := next((name for name, lasts in lasting.items() if lasts), ""):
            return (Drop(letters[-1], "counter", one.seat, what, old=True),)
    victims = sight.slower
    if not victims or not sight.state.is_pub or sight.state.house["declare"] == "blind":
        return ()
    whose, what = dice.pick("whose", victims).seat, dice.pick("what", ("drink", "pickup", "move"))
    return (
        If((Test("drops", whose, what=what),), (Drop(letters[-1], "counter", whose, what),), (Defend((letters[-1],)),)),
    )


def tie_up(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Bind a slower foe with the worst die, now and then, if that spares a friend."""
    if not sight.state.is_pub or not sight.friends or len(free) < 3:
        return ()
    letters, victims = loose(free), sight.slower
    if not victims or len(letters) < 3 or dice.face("binds", 3) > 1:
        return ()
    return (Drop(letters[-1], "bind", dice.pick("whom", victims).seat),)


def help_out(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Give the worst die to a friend, now and then, and say what to do with one that a friend gives."""
    if not sight.state.is_pub or not sight.friends:
        return ()
    letters = loose(free)
    gives = len(letters) > 2 and dice.face("gives", 3) == 1
    gift = (Drop(letters[-1], "coop", dice.pick("whom", sight.friends).seat),) if gives else ()
    return (*gift, COOP_DIE)


REGULAR = (back, duty, help_out, drink, breath, rush, tie_up, spoil, grab, hit, jab, keep, lurk, watch)
PUNCHER = (back, duty, rush, hit, jab, keep, guard)
BOXER = (back, duty, guard, breath, hit, keep, watch)

BOTS = {name: partial(orders, steps) for name, steps in (("regular", REGULAR), ("puncher", PUNCHER), ("boxer", BOXER))}
"""The programs by temper; the first plays where nobody says which."""


def how_it_ended(result: Result) -> str:
    """Say how a brawl ended, without names."""
    how = result.how.rpartition(": ")[2].rstrip(".")
    for why, said in (("The police", "the police came"), ("Nobody was hurt", "it broke up")):
        if result.how.startswith(why):
            return f"{said}: {how}"
    return how
