"""What is wrong with a set as a whole; sees no one else's orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import msgspec

from pbem.ruleset import Complaint, Placed
from pbem.rulesets.brawl.order import (
    Add,
    Ask,
    Attack,
    CoopDie,
    Defend,
    Delay,
    Drop,
    GiftUse,
    If,
    Order,
    Pass,
    Resign,
    RoundOrder,
)
from pbem.rulesets.brawl.state import BIG, Die, Fighter, State

MOST: dict[type[Placed], int] = {Attack: 2, Defend: 2, Delay: 2}
"""How many of a kind one can do in a round (K8, K13)."""
NAMED: dict[type[Placed], tuple[str, str]] = {
    Attack: ("attacks", "K8"), Defend: ("defenses", "K8"), Delay: ("delayed dice", "K13"),
}  # fmt: skip
"""What we call each of those kinds, and the number of its rule."""


class Sure(msgspec.Struct, frozen=True):
    """What is certain at a point of a set, whatever others do: which dice are used, how many of each kind there are."""

    used: frozenset[str] = frozenset()
    counts: Counter[type[Placed]] = Counter()

    def behind(self, orders: Sequence[RoundOrder]) -> Sure:
        """Return what is certain after orders that are all done."""
        used = self.used.union(*(order.letters for order in orders if not _may_fail(order)))
        return Sure(used, self.counts + Counter(map(type, orders)))

    def common(self, other: Sure) -> Sure:
        """Return what is certain whichever of two branches was taken."""
        return Sure(self.used & other.used, self.counts & other.counts)


def _may_fail(order: RoundOrder) -> bool:
    """Say whether an order can turn out to be impossible, so that its die is free again: a Counter. Rule: M2."""
    return isinstance(order, Drop) and order.action == "counter" and not order.old


def check(state: State, seat: str, orders: Sequence[Order]) -> tuple[Complaint, ...]:
    """
    Complain of what can never be done, whatever others declare.

    Shape: lines go from first to last; a line that finds its dice used by an earlier one is left out, which is how
    one line stands in for another (M2). So only what is certain is wrong.
    Rule: K7, K8, K10, K13, K-m, K-nn, M2.
    """
    fighter = state.fighter(seat)
    if not state.declares(seat):
        idle = [order for order in orders if not isinstance(order, Resign | Pass)]
        because = "You have no dice and can be given none, so there is nothing to declare; you can resign."
        return tuple(Complaint(one.line, one.write(state), "illegal", because, "M5") for one in idle)
    wrong = [*_extra_damage(fighter, orders), *_charges(orders), *_once(orders), *_away(fighter, orders)]
    wrong += _duties(state, fighter, orders)
    asks = [line for line, order in flat(orders) if isinstance(order, Ask)]
    if asks and (state.phase == "turn" or state.house["declare"] == "blind"):
        line = asks[0]
        because = "You are asked now." if state.phase == "turn" else "In this game all declare blindly."
        wrong.append(Complaint(line.line, "ask me", "illegal", f"{because} Say what you do.", "M2"))
    if state.house["downed_die"] == "drop" and fighter.down:
        wrong += _only_drops(orders)
    sure = Sure()
    for order in orders:
        if isinstance(order, If):
            ways = []
            for branch in (order.then, order.otherwise):
                wrong += _branch(order, branch, sure)
                ways.append(sure.behind(branch))
            sure = ways[0].common(ways[1])
        elif isinstance(order, RoundOrder):
            wrong += _branch(order, (order,), sure)
            sure = sure.behind((order,))
    lines = {order.line: order.write(state) for order in orders}
    return tuple(msgspec.structs.replace(one, text=lines.get(one.line, "")) for one in wrong)


def _branch(line: Placed, orders: Sequence[RoundOrder], sure: Sure) -> Iterator[Complaint]:
    """Complain of orders that are done one after the other, given what is certain before them."""
    for order in orders:
        twice = set(order.letters) & sure.used
        if twice:
            because = f"Die {min(twice)} is used already, in an earlier line. Each can be used once."
            yield Complaint(line.line, "", "illegal", because, "K7")
        kind = type(order)
        if kind in MOST and sure.counts[kind] >= MOST[kind]:
            name, rule = NAMED[kind]
            because = f"At most two {name} in a round. This would be the third."
            yield Complaint(line.line, "", "illegal", because, rule)
        sure = sure.behind((order,))


def flat(orders: Sequence[Order]) -> Iterator[tuple[Placed, RoundOrder]]:
    """Yield every order that may come to be done, with its line."""
    for order in orders:
        if isinstance(order, If):
            yield from ((order, one) for one in (*order.then, *order.otherwise))
        elif isinstance(order, RoundOrder):
            yield order, order


def _extra_damage(fighter: Fighter, orders: Sequence[Order]) -> Iterator[Complaint]:
    """Complain of more damage dice than anything could allow. Rule: K10, K19, K21."""
    given = _given(orders)
    drops = [one for _, one in (*flat(orders), *given) if isinstance(one, Drop)]
    dice = {die.letter: die.value for die in fighter.dice}
    item = fighter.item == "big" or any(drop.action == "pickup" and dice.get(drop.die, BIG) >= BIG for drop in drops)
    charged = {drop.attack for drop in drops if drop.action == "charge"}
    help_ = any(isinstance(use, Add) and use.to == "attack" for _, use in given)
    attacks = [(line, one) for line, one in (*flat(orders), *given) if isinstance(one, Attack)]
    is_plain = not any(isinstance(order, If) for order in orders)  # else it is open which attack is the first
    for place, (line, order) in enumerate(attacks, 1):
        charge = place in charged if is_plain else bool(charged)
        most = len(order.dice) + charge + help_
        has, item = item, item and not (is_plain and len(order.damage) > most)  # one attack gains by it
        if len(order.damage) > most + has:
            because = (
                f"{len(order.damage)} damage dice are too many for {len(order.dice)} in the attack: one each, and one "
                "more for a charge or a big item."
            )
            yield Complaint(line.line, "", "illegal", because, "K10")


def _given(orders: Sequence[Order]) -> list[tuple[Placed, GiftUse]]:
    """Return all that a given die may come to be used for, with its line."""
    return [(order, use) for order in orders if isinstance(order, CoopDie) for use in order.uses]


def _away(fighter: Fighter, orders: Sequence[Order]) -> Iterator[Complaint]:
    """Complain of attacks by a fighter who is not back in the fight and does not move. Rule: K-nn."""
    all_ = [*flat(orders), *_given(orders)]
    if not fighter.away or any(isinstance(one, Drop) and one.action == "move" for _, one in all_):
        return
    for line, order in all_:
        if isinstance(order, Attack):
            because = "You are not back in the fight. Move first: drop a die with drop c move."
            yield Complaint(line.line, "", "illegal", because, "K-nn")


def _duties(state: State, fighter: Fighter, orders: Sequence[Order]) -> Iterator[Complaint]:
    """Complain of dice that were delayed for an attack or for damage, and are in none. Rule: K-m."""
    if any(isinstance(one, Ask | Resign) for one in (*orders, *(one for _, one in flat(orders)))):
        return
    used = {letter for _, one in (*flat(orders), *_given(orders)) if isinstance(one, Attack) for letter in one.letters}
    for die in owed(state, fighter, used):
        how = f"with {die.letter} damage ____" if die.use == "attack" else f"with ____ damage {die.letter}"
        because = (
            f"You kept {die.label} for {'an attack' if die.use == 'attack' else 'damage'}, so you have to attack with "
            f"it: attack NAME {how}."
        )
        yield Complaint(0, "", "illegal", because, "K-m")


def owed(state: State, fighter: Fighter, used: Collection[str] = ()) -> tuple[Die, ...]:
    """
    Return the delayed dice that a fighter has to attack with, without those used in attacks already.

    Shape: only as many as can be, where there is somebody to hit, and dice for the other half of an attack.
    Rule: K-m.
    """
    others = [one for one in state.fighters if state.side(one.seat) != state.side(fighter.seat)]
    near = [one for one in others if one.group == fighter.group and not one.gone and not one.away]
    if not fighter.fights or not any(one.is_up or state.house["hit_downed"] == "yes" for one in near):
        return ()
    hitting = [die for die in fighter.dice if die.use in ("", "attack")]
    hurting = [die for die in fighter.dice if die.use in ("", "damage")]
    for_attack = [die for die in hitting if die.use and die.letter not in used] if hurting else []
    for_damage = [die for die in hurting if die.use]
    idle = [die for die in for_damage if die.letter not in used]
    most = min(len(for_damage), len(hitting)) - (len(for_damage) - len(idle))
    return (*for_attack, *idle[: max(0, most)])


def _charges(orders: Sequence[Order]) -> Iterator[Complaint]:
    attacks = sum(isinstance(one, Attack) for _, one in flat(orders))
    attacks += any(isinstance(use, Attack) for _, use in _given(orders))
    for line, order in flat(orders):
        if isinstance(order, Drop) and order.action == "charge" and order.attack > attacks:
            because = f"A charge adds a damage die to an attack. You have no attack {order.attack}."
            yield Complaint(line.line, "", "illegal", because, "K19")


def _once(orders: Sequence[Order]) -> Iterator[Complaint]:
    given = [order for order in orders if isinstance(order, CoopDie)]
    for order in given[1:]:
        because = "One line says what to do with given dice. Put what else would do behind an else."
        yield Complaint(order.line, "", "ambiguous", because, "K18")


def _only_drops(orders: Sequence[Order]) -> Iterator[Complaint]:
    for line, order in flat(orders):
        is_move = isinstance(order, Drop) and order.action in ("move", "charge")
        if is_move or isinstance(order, Attack | Defend | Delay):
            because = "On the floor the die of a lucky six can be dropped only, and not for a Move."
            yield Complaint(line.line, "", "illegal", because, "K-x")
