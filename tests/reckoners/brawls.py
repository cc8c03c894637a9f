"""Draws brawls and what fighters declare in them, as data and as lines of a mail."""

from random import Random

from tests.reckoners.brawl import Attack, Defense, Drop, Fight, Fighter, Orders

SEATS = ("ada", "bo", "cy", "di", "eve")
HOUSE = {
    "boxing": ("no", "yes"),
    "sets_boost_damage": ("yes", "no"),
    "regain_cap": ("start", "none"),
    "ko_check": ("per_attack", "per_round"),
    "ko_at_15": ("down", "up"),
    "match": ("strong_strong", "arrival"),
    "game": ("pub", "bare"),
    "left_over": ("defends", "idle"),
}
LASTING = {"advantage": "advantage", "maneuver": "maneuver", "pickup": "item"}


def drawn(chance: Random) -> Fight:
    """Draw two to five fighters, fresh or beaten."""
    house = {name: chance.choice((choices[0], chance.choice(choices))) for name, choices in HOUSE.items()}
    fighters: dict[str, Fighter] = {}
    for seat in SEATS[: chance.randint(2, 5)]:
        endurance, health = chance.choice((0, chance.randint(0, 20))), chance.randint(-9, 14)
        fighters[seat] = Fighter(
            seat, chance.randint(3, 12), chance.randint(3, 12), endurance, health,
            full_endurance=endurance + chance.randint(0, 8), full_health=max(1, health + chance.randint(0, 6)),
            advantage=chance.choice((0, 0, 2)), maneuver=chance.choice((0, 0, 3)), drunk=chance.choice((0, 0, 7)),
            dizzy=chance.choice((0, 0, 1)), item=chance.choice(("", "", "small", "big")) if house["game"] == "pub" else "",
        )  # fmt: skip
    return Fight(house, fighters)


def declared(fight: Fight, chance: Random) -> dict[str, Orders]:
    """Draw what all declare, from the slowest to the fastest, who know of what was declared before."""
    done: dict[str, Orders] = {}
    for seat in fight.order:
        done[seat] = _Hand(fight, seat, done, chance).orders()
    return done


class _Hand:
    """One fighter's dice, taken one by one."""

    def __init__(self, fight: Fight, seat: str, done: dict[str, Orders], chance: Random) -> None:
        self.fight, self.me, self.done, self.chance = fight, fight.fighters[seat], done, chance
        self.free = [die.letter for die in self.me.dice if not die.use]
        self.waiting = {die.letter: die.use for die in self.me.dice if die.use}
        chance.shuffle(self.free)
        self.drops: list[Drop] = []

    def orders(self) -> Orders:
        """Draw everything."""
        chance = self.chance
        if self.me.down:
            while self.free:
                self.drops.append(Drop(self.free.pop(), chance.choice(("advantage", "maneuver"))))
            return Orders(drops=self.drops)
        there = not self.me.away
        self.waiting = self.waiting if there else {}
        if self.me.away and self.free:
            there = chance.random() < 0.7
            if there:
                self.drops.append(Drop(self.free.pop(), "move"))
        attacks = self._attacks() if there else []
        defenses = self._defenses() if there else []
        delays: dict[str, str] = {}
        while self.free:
            if chance.random() < 0.25 and len(delays) < 2:
                kept = {"attack", "damage"} & set(delays.values())
                delays[self.free.pop()] = "defense" if kept else chance.choice(("attack", "defense", "damage"))
            elif chance.random() < 0.8:
                self._drop(self.free.pop())
            else:
                self.free.pop()
        return Orders(attacks, defenses, delays, self.drops)

    def _take(self, use: str) -> str:
        """Take a die that waited for this, or any."""
        waited = [letter for letter, why in self.waiting.items() if why == use]
        if waited and self.chance.random() < 0.8:
            del self.waiting[waited[0]]
            return waited[0]
        return self.free.pop() if self.free else ""

    def _attacks(self) -> list[Attack]:
        targets = [f.seat for f in self.fight.fighters.values() if f is not self.me and not f.down and not f.away]
        attacks: list[Attack] = []
        big = self.me.item == "big"
        owed = [letter for letter, use in self.waiting.items() if use in ("attack", "damage")]
        if owed and targets and self.free:  # K-m
            other = self.free.pop()
            dice, damage = (owed, [other]) if self.waiting.pop(owed[0]) == "attack" else ([other], owed)
            return [Attack(self.chance.choice(targets), dice, damage)]
        for number in range(1, self.chance.choice((1, 1, 2, 3))):
            dice = [self._take("attack") for _ in range(self.chance.choice((1, 1, 2)))]
            damage = [self._take("damage") for _ in dice]
            if big and self.chance.random() < 0.5:
                damage.append(self._take("damage"))
                big = not damage[-1]
            if self.fight.house["game"] == "pub" and len(self.free) > 1 and self.chance.random() < 0.3:
                self.drops.append(Drop(self.free.pop(), "charge", number))
                damage.append(self._take("damage"))
            more = len(damage) - len(dice)
            dice, damage = [die for die in dice if die], [die for die in damage if die]
            if not (targets and dice and damage):
                break
            damage = damage[: len(dice) + more]
            attacks.append(Attack(self.chance.choice(targets), dice, damage))
        self.drops = [drop for drop in self.drops if drop.action != "charge" or drop.attack <= len(attacks)]
        return attacks

    def _defenses(self) -> list[Defense]:
        others = [seat for seat in self.fight.fighters if seat != self.me.seat]
        defenses: list[Defense] = []
        for _ in range(self.chance.choice((0, 0, 1, 2))):
            dice = [self._take("defense") for _ in range(self.chance.choice((1, 1, 2)))]
            dice = [die for die in dice if die]
            if dice:
                defenses.append(Defense(dice, self.chance.choice(others) if self.chance.random() < 0.2 else ""))
        return defenses

    def _drop(self, die: str) -> None:
        """Drop a die: against what slower fighters declared or have, or for oneself."""
        against: list[Drop] = []
        for seat, orders in self.done.items():
            against += [Drop(die, "counter", on=seat, what=drop.action) for drop in orders.drops]
        for other in self.fight.fighters.values():
            for what, had in LASTING.items():
                if other is not self.me and getattr(other, had):
                    against.append(Drop(die, "counter", on=other.seat, what=what, old=True))
        if against and self.chance.random() < 0.5:
            self.drops.append(self.chance.choice(against))
            return
        pub = ("drink", "pickup") if self.fight.house["game"] == "pub" else ()
        self.drops.append(Drop(die, self.chance.choice(("advantage", "maneuver", "regain", *pub))))


def write(orders: Orders) -> list[str]:
    """Write orders as the lines of a mail."""
    said = []
    for drop in orders.drops:
        action = drop.action
        if action == "charge":
            action = f"move charge {drop.attack}"
        elif action == "counter":
            action = f"counter {drop.on.title()} {'old ' * drop.old}{drop.what}"
        said.append(f"drop {drop.die} {action}")
    said += [
        f"attack {one.on.title()} with {' '.join(one.dice)} damage {' '.join(one.damage)}" for one in orders.attacks
    ]
    for guard in orders.defenses:
        said.append(f"defend with {' '.join(guard.dice)}" + (f" vs {guard.against.title()}" if guard.against else ""))
    said += [f"delay {letter} {use}" for letter, use in orders.delays.items()]
    return said or ["pass"]
