"""Those who do not fight in a brawl: who passes, stays outside, only defends, or only hoards."""

from collections.abc import Sequence
from functools import partial

from pbem.ruleset import Dice
from pbem.rulesets.brawl.bots import REGULAR, Sight, Step, back, breath, drink, fit, grab, loose, orders
from pbem.rulesets.brawl.order import Defend, Delay, Drop, Order, Pass
from pbem.rulesets.brawl.sets import MOST
from pbem.rulesets.brawl.state import Die


def passes(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Do nothing."""
    return (Pass(),)


def defends(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Defend with the two best dice."""
    return tuple(Defend((letter,)) for letter in fit(free, "defense")[: MOST[Defend]])


def maneuvers(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Drop all for Maneuver."""
    return tuple(Drop(letter, "maneuver") for letter in loose(free))


def keeps(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Keep the two best dice for a defense, and drop all others for Advantage."""
    letters = loose(free)
    kept = tuple(Delay(letter, "defense") for letter in letters[:2])
    return (*kept, *(Drop(letter, "advantage") for letter in letters[2:]))


def steps_aside(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Step aside where fights can part."""
    state, me = sight.state, sight.me
    alone = all(one.group != me.group for one in state.fighters if one.seat != me.seat)
    letters = loose(free)
    is_aside = state.house["groups"] == "off" or alone or not state.is_pub
    return () if is_aside or not letters or me.down else (Drop(letters[-1], "move", what="aside"),)


def outside(sight: Sight, free: Sequence[Die], dice: Dice) -> tuple[Order, ...]:
    """Get well, once outside, and watch the others."""
    return (*drink(sight, free, dice), *maneuvers(sight, free[:-1], dice)) if sight.me.away or sight.me.down else ()


def _fights(steps: Sequence[Step]) -> Sequence[Step]:
    """Return what is done of these by who is in the fight, and nothing by who is not."""

    def inside(step: Step) -> Step:
        return lambda sight, free, dice: () if sight.me.away else step(sight, free, dice)

    return [inside(step) for step in steps]


BOTS = {
    name: partial(orders, steps)
    for name, steps in {
        "passes": (passes,),
        "stays outside": (steps_aside, outside, *_fights(REGULAR)),
        "only defends": (back, defends, maneuvers),
        "only defends, and stays outside": (defends, maneuvers),
        "only hoards": (back, drink, breath, grab, keeps),
        "only hoards, and stays outside": (drink, breath, grab, keeps),
    }.items()
}
