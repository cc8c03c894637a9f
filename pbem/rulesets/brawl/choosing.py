"""One seat's choice among its own lines, by what slower ones declared; resolves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rulesets.brawl.answering import true
from pbem.rulesets.brawl.orders import (
    COOP,
    Add,
    Ask,
    Attack,
    CoopDie,
    DamageOrder,
    Defend,
    Delay,
    Drop,
    If,
    Order,
    RoundOrder,
    dice_of,
)
from pbem.rulesets.brawl.rolling import LETTERS
from pbem.rulesets.brawl.sets import MOST
from pbem.rulesets.brawl.state import BIG, Die, State
from pbem.rulesets.brawl.table import Blow, Declared, Dropped, Guard, Table, is_called


class Choice:
    """One seat's way through its lines: what can be done is done, and uses up its dice."""

    def __init__(self, state: State, seat: str, seen: Table, number: int, before: Declared | None = None) -> None:
        """Begin with the dice of the pool, or with what was declared before."""
        self.state, self.seat, self.seen, self.number = state, str(seat), seen, number
        fighter = state.fighter(seat)
        self.dice = dict(before.dice if before else {die.letter: die for die in fighter.dice})
        self.blows = list(before.blows if before else ())
        self.guards = list(before.guards if before else ())
        self.delays = list(before.delays if before else ())
        self.gifts = dict(before.gifts if before else {})
        self.chosen = list(before.chosen if before else ())
        self.late: list[Add | Drop | Attack | Defend] = list(before.late if before else ())
        self.how = before.how if before else "listed"
        self.is_late = before is not None or state.rank(seat) < 0
        self.used = {letter for order in self.chosen for letter in dice_of(order)}
        self.used |= set(self.gifts)
        self.drops: list[Dropped] = []
        self.asks = False

    def made(self, plan: Sequence[Order], gifts: Sequence[Dropped]) -> tuple[Declared, tuple[Dropped, ...], bool]:
        """Go through the lines, then use what was given; return what was declared, and whether one is to be asked."""
        for order in plan:
            match order:
                case If():
                    met = all(true(self.state, self.seat, test, self.seen) for test in order.tests)
                    for one in order.then if met else order.otherwise:
                        self._do(one)
                case DamageOrder():
                    self.how = order.how
                case Attack() | Defend() | Delay() | Drop() | Ask():
                    self._do(order)
        for gift in gifts:
            self._use(plan, gift)
        return self._declared(), tuple(self.drops), self.asks

    def given(self, plan: Sequence[Order], gift: Dropped) -> tuple[Declared, tuple[Dropped, ...]]:
        """Use a die that was given behind one's turn."""
        self._use(plan, gift)
        return self._declared(), tuple(self.drops)

    def _declared(self) -> Declared:
        return Declared(
            self.seat, self.dice, tuple(self.blows), tuple(self.guards), tuple(self.delays), self.gifts,
            tuple(self.chosen), tuple(self.late), self.how,
        )  # fmt: skip

    def _do(self, order: RoundOrder) -> bool:
        """Do one order if its dice are free and it can be done; say whether."""
        if isinstance(order, Ask):
            self.asks = True
            return True
        count = sum(isinstance(done, type(order)) for done in self.chosen)
        if self.used & set(dice_of(order)) or count >= MOST.get(type(order), 99):
            return False
        match order:
            case Attack():
                self.blows.append(Blow(order.on, order.dice, order.damage))
            case Defend():
                self.guards.append(Guard(order.dice, order.vs))
            case Delay():
                self.delays.append((order.die, order.use))
            case Drop():
                if not self._drop(order, order.die):
                    return False
        self.used |= set(dice_of(order))
        self.chosen.append(order)
        return True

    def _drop(self, order: Drop, letter: str) -> bool:
        target = -1
        if order.action == "counter":
            found = self.target(order, letter)
            if found is None:
                return False
            target = found
        if order.action == "coop" and (self.state.fighter(order.on).down or order.on in self._had(letter)):
            return False
        mine = [drop for drop in (*self.seen.drops, *self.drops) if drop.seat == self.seat]
        nth = 1 + sum(drop.action == order.action for drop in mine)
        number = self.number + len(self.drops)
        die = self.dice[letter].value
        self.drops.append(
            Dropped(number, self.seat, order.action, nth, letter, die, order.on, order.what, order.attack, target)
        )
        return True

    def _had(self, letter: str) -> set[str]:
        """Return who has had a die already, so that it is not handed round for ever. Rule: K-tt."""
        found, number = {self.seat}, self.gifts.get(letter)
        while number is not None:
            drop = self.seen.drops[number]
            found.add(drop.seat)
            number = self.seen.declared[drop.seat].gifts.get(drop.letter)
        return found

    def target(self, order: Drop, letter: str) -> int | None:
        """
        Return the drop that a Counter meets, -1 for what lasts, or None where there is nothing to counter.

        Shape: of several that are alike, the first that nobody has named with a Counter before; never the Coop that
        gave the very die.
        Rule: K14, K-o, K-p, K-ll, K-tt.
        """
        whose = self.state.fighter(order.on)
        if self.state.house["groups"] == "on" and whose.group != self.state.fighter(self.seat).group:
            return None
        if not order.old:
            met = {drop.target for drop in (*self.seen.drops, *self.drops) if drop.action == "counter"}
            new = [drop for drop in self.seen.drops if drop.seat == order.on and is_called(drop.action, order.what)]
            new = [drop for drop in new if drop.number != self.gifts.get(letter)]
            new = [drop for drop in new if drop.number not in met] or new
            if new:
                return new[0].number
        lasts = {"advantage": whose.advantage, "maneuver": whose.maneuver, "pickup": bool(whose.item)}
        return -1 if lasts.get(order.what) else None

    def _use(self, plan: Sequence[Order], gift: Dropped) -> None:
        """Use a given die as its line says: the first of the choices that can be done, or else a Maneuver."""
        letter = next(one for one in LETTERS if one not in self.dice)
        self.dice[letter] = Die(letter, gift.die)
        self.gifts[letter] = gift.number
        line = next((order for order in plan if isinstance(order, CoopDie)), CoopDie(()))
        for use in (*line.uses, Drop(COOP, "maneuver")):
            if self._given(use, letter):
                self.late.append(use)
                return

    def _given(self, use: Add | Drop | Attack | Defend, letter: str) -> bool:
        match use:
            case Add():
                return self._add(use, letter)
            case Drop():
                return self._drop(use, letter)
            case Attack():
                mine = {one for one in dice_of(use) if one != COOP}
                if self.is_late or self.used & mine or len(self.blows) >= MOST[Attack]:
                    return False
                hits, hurts = ([letter if one == COOP else one for one in dice] for dice in (use.dice, use.damage))
                self.blows.append(Blow(use.on, tuple(hits), tuple(hurts)))
                self.used |= mine
                return True
            case Defend():
                if self.is_late or len(self.guards) >= MOST[Defend]:
                    return False
                self.guards.append(Guard((letter,)))
                return True

    def _add(self, use: Add, letter: str) -> bool:
        """Add a given die to an action that was declared."""
        place = use.number - 1
        if use.to == "defense":
            if place >= len(self.guards):
                return False
            guard = self.guards[place]
            self.guards[place] = Guard((*guard.dice, letter), guard.vs)
            return True
        if place >= len(self.blows):
            return False
        blow = self.blows[place]
        if use.to == "attack":
            self.blows[place] = Blow(blow.on, (*blow.dice, letter), blow.damage)
        elif len(blow.damage) >= len(blow.dice) + self._extra(place + 1):
            return False
        else:
            self.blows[place] = Blow(blow.on, blow.dice, (*blow.damage, letter))
        return True

    def _extra(self, attack: int) -> int:
        """Return how many damage dice more than attack dice an attack may have, as declared. Rule: K10, K21."""
        mine = [drop for drop in (*self.seen.drops, *self.drops) if drop.seat == self.seat]
        charged = {drop.attack for drop in mine if drop.action == "charge"}
        picked = any(drop.action == "pickup" and drop.die >= BIG for drop in mine)
        has_big = picked or self.state.fighter(self.seat).item == "big"
        is_used = any(
            len(blow.damage) > len(blow.dice) + (place in charged)
            for place, blow in enumerate(self.blows, 1)
            if place != attack
        )
        return (attack in charged) + (has_big and not is_used)
