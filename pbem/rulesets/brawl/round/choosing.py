"""One seat's choice among its own lines, by what slower ones declared; resolves nothing."""

from collections.abc import Sequence

import msgspec

from pbem.rulesets.brawl.order import (
    Add,
    Ask,
    Attack,
    CoopDie,
    DamageOrder,
    Defend,
    Delay,
    Drop,
    GiftUse,
    If,
    Order,
    Pass,
    RoundOrder,
)
from pbem.rulesets.brawl.round.answering import answer
from pbem.rulesets.brawl.round.declarations import Declared, Dropped, Table, is_called
from pbem.rulesets.brawl.round.rolling import LETTERS
from pbem.rulesets.brawl.round.silence import silence, uses_up
from pbem.rulesets.brawl.sets import MOST
from pbem.rulesets.brawl.state import BIG, COOP, Die, State


class Choice:
    """
    One seat's way through its lines: what can be done is done, and uses up its dice.

    Shape: `declared` is what it has declared so far, `drops` the dice that it dropped for that, `filled` what is done
    with dice that its lines leave over, and `asks` says that one of its lines wants to be asked.
    """

    def __init__(self, state: State, seat: str, seen: Table, number: int, before: Declared | None = None) -> None:
        """Begin with the dice of the pool, or with what was declared before."""
        self.state, self.seat, self.seen, self.number = state, str(seat), seen, number
        self.declared = before or Declared(self.seat, {die.letter: die for die in state.fighter(seat).dice})
        self.is_late = before is not None or state.rank(seat) < 0
        self.used: set[str] = set()
        self.drops: list[Dropped] = []
        self.filled: tuple[Drop | Defend, ...] = ()
        self.asks = False

    def declare(self, plan: Sequence[Order], gifts: Sequence[Dropped]) -> None:
        """Go through the lines, then use the dice that others gave."""
        for order in plan:
            match order:
                case If():
                    met = all(answer(self.state, self.seat, test, self.seen) for test in order.tests)
                    for one in order.then if met else order.otherwise:
                        self._do(one)
                case DamageOrder():
                    self._note(how=order.how)
                case Attack() | Defend() | Delay() | Drop() | Ask() | Pass():
                    self._do(order)
        if plan and self._is_filled():
            self._use_up()
        for gift in gifts:
            self.use(plan, gift)

    def use(self, plan: Sequence[Order], gift: Dropped) -> None:
        """Use a given die as its line says: the first of the choices that can be done, or else a Maneuver."""
        letter = next(one for one in LETTERS if one not in self.declared.dice)
        self._note(
            dice={**self.declared.dice, letter: Die(letter, gift.die)},
            gifts={**self.declared.gifts, letter: gift.number},
        )
        back = (Drop(COOP, "move"),) if plan and self._is_filled() and self._waits() else ()
        line = next((order for order in plan if isinstance(order, CoopDie)), CoopDie(back))
        done = next(use for use in (*line.uses, Drop(COOP, "maneuver")) if self._given(use, letter))
        self._note(late=(*self.declared.late, done))

    def _note(self, **changed: object) -> None:
        self.declared = msgspec.structs.replace(self.declared, **changed)

    def _do(self, order: RoundOrder) -> None:
        """Do one order if its dice are free and it can be done."""
        if isinstance(order, Ask):
            self.asks = True
            return
        if isinstance(order, Pass):
            self._note(passes=self.declared.passes or order.leaves)
            return
        count = [type(done) for done in self.declared.chosen].count(type(order))
        letters = order.letters
        if not self.used.isdisjoint(letters) or count >= MOST.get(type(order), 99):
            return
        match order:
            case Attack():
                self._note(blows=(*self.declared.blows, order))
            case Defend():
                self._note(guards=(*self.declared.guards, order))
            case Drop():
                if not self._drop(order, order.die):
                    return
        self.used.update(letters)
        self._note(chosen=(*self.declared.chosen, order))

    def _use_up(self) -> None:
        """Do with the dice that no line has used what silence would do with them. Rule: M3."""
        free = [die for die in self.state.fighter(self.seat).dice if die.letter not in self.used]
        guards = len(self.declared.guards)
        self.filled = silence(self.state, self.seat, free, guards, is_back=not self._waits())
        for order in self.filled:
            self._do(order)

    def _is_filled(self) -> bool:
        """Say whether silence has the dice that the lines leave over. Rule: M3."""
        return uses_up(self.state.house) and not self.declared.passes

    def _waits(self) -> bool:
        """Say whether the fighter is away, and no die of theirs moves them back yet. Rule: K-nn."""
        mine = [drop for drop in (*self.seen.drops, *self.drops) if drop.seat == self.seat]
        return self.state.fighter(self.seat).away and not any(drop.action == "move" for drop in mine)

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
        die = self.declared.dice[letter].value
        self.drops.append(
            Dropped(number, self.seat, order.action, nth, letter, die, order.on, order.what, order.attack, target)
        )
        return True

    def _had(self, letter: str) -> set[str]:
        """Return the seats that have had a die already, so that it is not passed round for ever. Rule: K-tt."""
        found, number = {self.seat}, self.declared.gifts.get(letter)
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
            new = [drop for drop in new if drop.number != self.declared.gifts.get(letter)]
            new = [drop for drop in new if drop.number not in met] or new
            if new:
                return new[0].number
        lasts = {"advantage": whose.advantage, "maneuver": whose.maneuver, "pickup": bool(whose.item)}
        return -1 if lasts.get(order.what) else None

    def _given(self, use: GiftUse, letter: str) -> bool:
        """Do something with a given die if it can be done; say whether."""
        blows, guards = self.declared.blows, self.declared.guards
        match use:
            case Add():
                return self._add(use, letter)
            case Drop():
                return self._drop(use, letter)
            case Attack():
                mine = {one for one in use.letters if one != COOP}
                if self.is_late or self.used & mine or len(blows) >= MOST[Attack]:
                    return False
                hits, hurts = (tuple(letter if one == COOP else one for one in dice) for dice in (use.dice, use.damage))
                self._note(blows=(*blows, Attack(use.on, hits, hurts)))
                self.used |= mine
                return True
            case Defend():
                if self.is_late or len(guards) >= MOST[Defend]:
                    return False
                self._note(guards=(*guards, Defend((letter,))))
                return True

    def _add(self, use: Add, letter: str) -> bool:
        """Add a given die to an action that was declared, if there is that action and it can take one more."""
        change, place = msgspec.structs.replace, use.number - 1
        blows, guards = list(self.declared.blows), list(self.declared.guards)
        if place >= len(guards if use.to == "defense" else blows):
            return False
        if use.to == "defense":
            guards[place] = change(guards[place], dice=(*guards[place].dice, letter))
        elif use.to == "attack":
            blows[place] = change(blows[place], dice=(*blows[place].dice, letter))
        elif len(blows[place].damage) >= len(blows[place].dice) + self._extra(use.number):
            return False
        else:
            blows[place] = change(blows[place], damage=(*blows[place].damage, letter))
        self._note(blows=tuple(blows), guards=tuple(guards))
        return True

    def _extra(self, attack: int) -> int:
        """Return how many damage dice more than attack dice an attack may have, as declared. Rule: K10, K21."""
        mine = [drop for drop in (*self.seen.drops, *self.drops) if drop.seat == self.seat]
        charged = {drop.attack for drop in mine if drop.action == "charge"}
        picked = any(drop.action == "pickup" and drop.die >= BIG for drop in mine)
        has_big = picked or self.state.fighter(self.seat).item == "big"
        is_used = any(
            len(blow.damage) > len(blow.dice) + (place in charged)
            for place, blow in enumerate(self.declared.blows, 1)
            if place != attack
        )
        return (attack in charged) + (has_big and not is_used)
