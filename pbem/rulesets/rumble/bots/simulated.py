"""Programs that play whole games of Rumble fast: orders as values, three tempers, no letters and no cunning."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Literal

import msgspec

from pbem.ruleset import Dice, Result, Seat
from pbem.rulesets.rumble.model.order import Attack, Defend, Idle, Order, Use
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.orders import sets
from pbem.rulesets.rumble.orders.allocation import forbidden
from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.engine.active_abilities import rides, used_ability
from pbem.rulesets.rumble.powers.engine.prices import priced
from pbem.rulesets.rumble.powers.language import sense
from pbem.rulesets.rumble.powers.language.lines import Ability, Won
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs
from pbem.rulesets.rumble.round import next_round

STRENGTH = 10
"""The Power Strength of every power that is dealt, as if that had been bid for it; nobody has paid it."""
SWAY = 30
"""By how many in a hundred each share of a bot goes up or down in a round, or equal bots would fall together."""


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """
    How a program plays.

    Shape: `hits` is whom it attacks and names as a target; among equals the dice decide.
    Units: all in a hundred. `attack` and `defence` are shares of the Energy that is left once powers are paid, and
    what is in neither stands idle; `use` is the chance that a power is used in a round.
    """

    hits: Literal["anybody", "weakest", "leader"] = "anybody"
    attack: int = 60
    defence: int = 40
    use: int = 50


def orders(bot: Bot, state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
    """
    Return the orders of a bot for the round; without powers, where the rules would not take them so.

    Shape: asked at the reveal it says nothing, and stands by its orders.
    """
    if state.phase == "reveal":
        return ()
    me, others = state.hero(seat), [hero for hero in state.living if hero.seat != seat]
    victim = _victim(bot, others, dice)
    uses = _uses(bot, state, me, victim, dice)
    whole = (*uses, *_split(bot, state, me, victim, uses, dice))
    if not uses or not sets.check(state, seat, whole):
        return whole
    return _split(bot, state, me, victim, (), dice)


def _victim(bot: Bot, others: list[Hero], dice: Dice) -> Hero:
    energies = [hero.energy for hero in others]
    hit = {"anybody": None, "weakest": min(energies), "leader": max(energies)}[bot.hits]
    return dice.pick("victim", [hero for hero in others if hit in (None, hero.energy)])


def _split(
    bot: Bot, state: State, me: Hero, victim: Hero, uses: tuple[Use, ...], dice: Dice
) -> tuple[Attack | Defend | Idle, ...]:
    """
    Split what powers leave into one Attack and Defence; who must not attack puts all of it into Defence.

    Of the last two, who has more Energy attacks with all of it: but for powers nothing can be done against that.
    """
    left = me.energy - sum(use.spend + use.burn for use in uses)
    # two dice: of two heroes with equal Energy, who leave none idle, both lose the same for ever
    force, guard = (
        _part(left, share + dice.face(f"sway {purpose}", 2 * SWAY + 1) - SWAY - 1)
        for purpose, share in (("attack", bot.attack), ("defence", bot.defence))
    )
    if len(state.living) == 2 and me.energy > victim.energy:
        force = left
    if not force or forbidden(state, me.seat):
        return (Defend(left),)
    return (Attack(victim.seat, force), Defend(min(left - force, guard)), Idle())


def _part(whole: int, percent: int) -> int:
    """Return a part of a whole, rounded to the nearer number."""
    return (whole * max(0, min(100, percent)) + 50) // 100


def _uses(bot: Bot, state: State, me: Hero, victim: Hero, dice: Dice) -> tuple[Use, ...]:
    """Use the powers that the dice say, as long as half of the Energy remains."""
    purse = me.energy // 2
    uses: list[Use] = []
    for power in state.owned(me.seat):
        ability = used_ability(power)
        if ability is None or dice.face(f"use {power.key}", 100) > bot.use:
            continue
        use = priced(state, me.seat, power, _use(power, ability, victim.seat, purse, dice))
        if isinstance(use, Use) and use.spend + use.burn <= purse:
            uses.append(use)
            purse -= use.spend + use.burn
    return tuple(uses)


def _use(power: Power, ability: Ability, on: Seat, purse: int, dice: Dice) -> Use:
    x = dice.face(f"X {power.key}", max(1, purse)) if "X" in sense.words(ability) else -1
    return Use(power.key, on=on if ability.choices or rides(ability) else "", x=x)


BOTS = {temper: partial(orders, Bot(hits=temper)) for temper in ("anybody", "weakest", "leader")}
"""The programs by temper; the first plays where nobody says which."""


@cache
def dealable() -> tuple[str, ...]:
    """Return the names of the powers that a simulated game can begin with: those that run by themselves, in rounds."""
    when_won = {one.name for one in archive() if any(isinstance(ability.when, Won) for ability in abilities(one.lines))}
    return tuple(power.name for power in archive() if runs(power.lines) and power.name not in when_won)


def with_dealt(state: State, dealt: Mapping[str, Seat]) -> State:
    """Return the game at its first round, with powers dealt as if they had been won, though nobody has paid."""
    known = {power.name: power for power in archive()}
    powers = tuple(
        Power(number, name, known[name].text, owner=seat, strength=STRENGTH, lines=known[name].lines)
        for number, (name, seat) in enumerate(dealt.items(), 1)
    )
    opened, _ = next_round.begin(msgspec.structs.replace(state, phase="round", round=1, powers=powers))
    return opened


def ending(result: Result) -> str:
    """Say how a game ended, without names; those of simulated games hold no " wins "."""
    if len(result.winners) == 1:
        return result.how.rpartition(" wins ")[2].rstrip(".")
    return f"a draw, {result.how.rpartition(', ')[2].rstrip('.')}"
