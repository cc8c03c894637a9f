"""Programs that brawl fast: orders as values, three tempers, no letters and little cunning."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from pbem.ruleset import Dice, Result, Seat
from pbem.rulesets.brawl.order import Add, Attack, CoopDie, Defend, Delay, Drop, If, Order, Pass, RoundOrder, Test
from pbem.rulesets.brawl.orders.sets import MOST
from pbem.rulesets.brawl.state import BIG, COOP, MOST_DRUNK, Die, Fighter, State, Use

Step: TypeAlias = Callable[[State, Fighter, Sequence[Die], Dice], tuple[Order, ...]]
"""A part of a temper: what it does with dice that are free, the best first; nothing is an answer too."""

NOBODY_COMES = Test("attacked by", sign="=", number=0)
COOP_DIE = CoopDie((Add("attack"), Add("defense"), Drop(COOP, "advantage")))


def orders(steps: Sequence[Step], state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """Return the orders of a program: each of its steps has the dice that those before it left."""
    me = state.fighter(seat)
    if me.down and state.house["downed_die"] == "drop":
        steps = (breath, lurk)
    plan: tuple[Order, ...] = ()
    for number, step in enumerate(steps):
        used = {letter for order in plan for one in _parts(order) for letter in one.letters}
        free = sorted((die for die in me.dice if die.letter not in used), key=lambda die: (-die.value, die.letter))
        more = step(state, me, free, dice.at(str(number)))
        if sum(isinstance(order, Attack) for order in (*plan, *more)) <= MOST[Attack]:
            plan += more
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


def foes(state: State, me: Fighter) -> list[Fighter]:
    """Return the foes that a fighter can hit; those who are down only if nobody else is left."""
    others = [one for one in _hostile(state, me) if one.group == me.group and not one.away]
    up = [one for one in others if one.is_up]
    return up if up or state.house["hit_downed"] == "no" else others


def _hostile(state: State, me: Fighter) -> list[Fighter]:
    return [one for one in state.fighters if not one.gone and state.side(one.seat) != state.side(me.seat)]


def friends(state: State, me: Fighter) -> list[Fighter]:
    """Return the fighters on the same side who are up."""
    up = [one for one in state.fighters if one.is_up and one.seat != me.seat]
    return [one for one in up if state.side(one.seat) == state.side(me.seat)]


def slower(state: State, me: Fighter) -> list[Fighter]:
    """Return the foes who declare before a fighter."""
    return [one for one in foes(state, me) if -1 < state.rank(one.seat) < state.rank(me.seat)]


def back(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Move back into the fight, or to where there is one."""
    letters = loose(free)
    if letters and me.away:
        return (Drop(letters[-1], "move"),)
    elsewhere = [one for one in _hostile(state, me) if one.fights]
    if letters and elsewhere and not foes(state, me):
        return (Drop(letters[-1], "move", dice.pick("where", elsewhere).seat),)
    return ()


def duty(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Attack with the dice that were kept for an attack or for damage, and with as many others as they need."""
    near, spare = foes(state, me), loose(free)
    strong = [die.letter for die in free if die.use == "attack"]
    hurting = [die.letter for die in free if die.use == "damage"]
    if not near or me.away or not (strong or hurting):
        return ()
    while spare and (len(strong) < max(1, len(hurting)) or not hurting):
        (hurting if strong and not hurting else strong).append(spare.pop(0))
    hurting = hurting[: len(strong)]
    return (Attack(dice.pick("victim", near).seat, tuple(strong), tuple(hurting)),) if hurting else ()


def breath(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Regain with a good die once Endurance is low, and the fight allows it."""
    letters = loose(free)
    is_low = me.endurance * 2 < me.full_endurance or me.health < 0
    return (Drop(letters[1], "regain"),) if is_low and len(letters) > 2 else ()


def hit(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Attack somebody; with a big item, use one more damage die."""
    return _strike(state, me, free, dice, 2 if me.item == "big" else 1)


def jab(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Make another attack, with one damage die."""
    return _strike(state, me, free, dice, 1)


def _strike(state: State, me: Fighter, free: Sequence[Die], dice: Dice, most: int) -> tuple[Order, ...]:
    """Attack somebody: half of the time the foe with the least Health."""
    near = foes(state, me)
    strong = fit(free, "attack")[:1]
    hurting = [letter for letter in fit(free, "damage") if letter not in strong]
    hurting = hurting[:most]
    if not near or not strong or not hurting:
        return ()
    weakest = min(near, key=lambda one: (one.health, dice.face(f"weakest {one.seat}", 1000)))
    other = dice.pick("victim", near)
    return (Attack((weakest if dice.face("mood", 2) == 1 else other).seat, tuple(strong), tuple(hurting)),)


def rush(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Charge if there are dice enough and none was kept for another attack; the worst die is dropped for it."""
    letters, near = loose(free), foes(state, me)
    kept = any(die.use in ("attack", "damage") for die in me.dice)
    if not state.is_pub or me.away or kept or not near or len(letters) < 4:
        return ()
    blow = Attack(dice.pick("victim", near).seat, (letters[0],), (letters[1], letters[2]))
    return (Drop(letters[-1], "charge", attack=1), blow)


def guard(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Defend with the best die."""
    letters = fit(free, "defense")
    return (Defend((letters[0],)),) if letters else ()


def watch(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Defend with the best die, or take an Advantage with it if nobody slower attacks."""
    letters = loose(free)
    if not letters or state.house["declare"] == "blind" or state.rank(me.seat) == 0:
        return guard(state, me, free, dice)
    return (If((NOBODY_COMES,), (Drop(letters[0], "advantage"),), (Defend((letters[0],)),)),)


def keep(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Keep a good die for the next round, now and then, to hit with or to hurt."""
    letters = [die.letter for die in free if not die.use and die.value >= BIG and dice.face("keeps", 2) == 1]
    use: Use = "attack" if dice.face("use", 2) == 1 else "damage"
    return (Delay(letters[0], use),) if letters else ()


def lurk(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Take an Advantage or a Maneuver with the worst die; a fighter who is up keeps one die besides."""
    letters = loose(free)
    if not letters or (len(letters) < 2 and me.fights):
        return ()
    return (Drop(letters[-1], "advantage" if dice.face("what", 2) == 1 else "maneuver"),)


def drink(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Have a drink with the worst die, as long as drinks do good."""
    letters = loose(free)
    helps = state.is_pub and me.drunk < MOST_DRUNK and me.health * 2 < me.full_health
    return (Drop(letters[-1], "drink"),) if helps and len(letters) > 1 else ()


def grab(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Pick something up; something big if a die allows it."""
    letters = loose(free)
    big = [die.letter for die in free if not die.use and die.value >= BIG]
    wants = state.is_pub and not me.item and len(letters) > 2
    return (Drop((big or letters)[-1], "pickup"),) if wants else ()


def spoil(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Counter what lasts, or what a slower foe may do; if that does not happen, defend with the die."""
    letters = loose(free)
    if len(letters) < 3:
        return ()
    for one in foes(state, me):
        lasting = {"pickup": bool(one.item), "advantage": one.advantage > 1, "maneuver": one.maneuver > 1}
        if what := next((name for name, lasts in lasting.items() if lasts), ""):
            return (Drop(letters[-1], "counter", one.seat, what, old=True),)
    victims = slower(state, me)
    if not victims or not state.is_pub or state.house["declare"] == "blind":
        return ()
    whose, what = dice.pick("whose", victims).seat, dice.pick("what", ("drink", "pickup", "move"))
    return (
        If((Test("drops", whose, what=what),), (Drop(letters[-1], "counter", whose, what),), (Defend((letters[-1],)),)),
    )


def tie_up(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Bind a slower foe with the worst die, now and then, if that spares a friend."""
    letters, victims = loose(free), slower(state, me)
    if not state.is_pub or not friends(state, me) or not victims or len(letters) < 3 or dice.face("binds", 3) > 1:
        return ()
    return (Drop(letters[-1], "bind", dice.pick("whom", victims).seat),)


def help_out(state: State, me: Fighter, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Give the worst die to a friend, now and then, and say what to do with one that a friend gives."""
    letters, near = loose(free), friends(state, me)
    if not state.is_pub or not near:
        return ()
    gives = len(letters) > 2 and dice.face("gives", 3) == 1
    gift = (Drop(letters[-1], "coop", dice.pick("whom", near).seat),) if gives else ()
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
