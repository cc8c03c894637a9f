"""A round of the Pub Brawl as its rules tell it, over given rolls: pools, drops, hits, damage, and who stays up."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

Roll = Callable[[str], int]
"""Gives the face that fell under a label, such as "save 1 of bud"."""


@dataclass
class Die:
    """A die of a pool, or one that waited for `use`."""

    letter: str
    value: int
    use: str = ""


@dataclass
class Fighter:
    """A fighter; Health below 0 is Buffer that is gone, and -10 is all of it."""

    seat: str
    base_attack: int
    base_defense: int
    endurance: int
    health: int
    full_endurance: int = 0
    full_health: int = 0
    advantage: int = 0
    maneuver: int = 0
    item: str = ""
    drunk: int = 0
    dizzy: int = 0
    down: int = 0
    cold: bool = False
    away: bool = False
    knocked: int = 0
    dice: list[Die] = field(default_factory=list)

    def die(self, letter: str) -> Die:
        """Return a die by its letter."""
        return next(die for die in self.dice if die.letter == letter)

    @property
    def initiative(self) -> int:
        """Add up what was rolled; delayed dice do not count (K4, K13)."""
        return sum(die.value for die in self.dice if not die.use)

    @property
    def buffer(self) -> int:
        """Return what is left of the Buffer."""
        return 10 + min(0, self.health)


@dataclass(frozen=True)
class Attack:
    """An attack on somebody, with the letters of its dice."""

    on: str
    dice: Sequence[str]
    damage: Sequence[str]


@dataclass(frozen=True)
class Defense:
    """A defense, for somebody's attack or for any."""

    dice: Sequence[str]
    against: str = ""


@dataclass(frozen=True)
class Drop:
    """A dropped die: what for, in which attack, against whose what, old or declared."""

    die: str
    action: str
    attack: int = 0
    on: str = ""
    what: str = ""
    old: bool = False


@dataclass(frozen=True)
class Orders:
    """What a fighter declares."""

    attacks: Sequence[Attack] = ()
    defenses: Sequence[Defense] = ()
    delays: Mapping[str, str] = field(default_factory=dict)
    drops: Sequence[Drop] = ()


@dataclass
class Fight:
    """A fight between rounds; `order` goes from the slowest to the fastest."""

    house: Mapping[str, str]
    fighters: dict[str, Fighter]
    order: list[str] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    winners: set[str] | None = None


def rolled(count: int, seat: str, roll: Roll) -> list[int]:
    """Roll a pool (K3): a 1 is lost, also one that a 6 brought; a 6 brings one die, which brings none itself."""
    pool: list[int] = []
    for index in range(count):
        face = roll(f"roll {seat} {index}")
        pool += [face] if face > 1 else []
        if face == 6:
            extra = roll(f"extra {seat} {index}")
            pool += [extra] if extra > 1 else []
    return pool


def multiplied(used: Mapping[str, int], pool: Sequence[int]) -> dict[str, int]:
    """
    Let dice count as doubles and triples say (K12): of n alike as many triples as leave 0, 2 or 4, else doubles (K-l).

    A set counts by the whole pool, used or not; of a triple that is not used whole a double is left, of a double
    a single die.
    """
    worth: dict[str, int] = {}
    for value in set(used.values()):
        left = [letter for letter, shown in used.items() if shown == value]
        count = pool.count(value)
        triples = next((t for t in range(count // 3, -1, -1) if count - 3 * t in (0, 2, 4)), 0)
        for size in [3] * triples + [2] * ((count - 3 * triples) // 2) + [1] * count:
            part, left = left[:size], left[size:]
            worth |= {letter: value * len(part) for letter in part}
    return worth


def play(fight: Fight, orders: Mapping[str, Orders], roll: Roll) -> None:
    """Play a round, as far as the rolls of the next one."""
    Round(fight, orders, roll).play()


def filled(fight: Fight, seat: str, orders: Orders) -> Orders:
    """M3: of the dice that are left over the worst moves back in, the best defend up to two, the others are dropped."""
    says_something = orders.attacks or orders.defenses or orders.delays or orders.drops
    if fight.house["left_over"] == "idle" or not says_something:
        return orders
    fighter = fight.fighters[seat]
    used = [*orders.delays, *(drop.die for drop in orders.drops)]
    used += [letter for attack in orders.attacks for letter in (*attack.dice, *attack.damage)]
    used += [letter for defense in orders.defenses for letter in defense.dice]
    left = [die for die in fighter.dice if die.letter not in used and die.use in ("", "defense")]
    left.sort(key=lambda die: (die.use == "", -die.value))
    loose = [die for die in left if not die.use]
    moves = loose[-1:] if fighter.away and not any(drop.action == "move" for drop in orders.drops) else []
    left = [die for die in left if die not in moves]
    room = 2 - len(orders.defenses)
    guards, rest = left[: max(0, room)], left[max(0, room) :]
    return replace(
        orders,
        defenses=[*orders.defenses, *(Defense([die.letter]) for die in guards)],
        drops=[
            *orders.drops,
            *(Drop(die.letter, "move") for die in moves),
            *(Drop(die.letter, "maneuver") for die in rest if not die.use),
        ],
    )


class Round:
    """A round under way."""

    def __init__(self, fight: Fight, orders: Mapping[str, Orders], roll: Roll) -> None:
        """Begin with what everybody declared."""
        self.fight, self.house, self.roll = fight, fight.house, roll
        self.orders = {seat: filled(fight, seat, orders.get(seat, Orders())) for seat in fight.order}
        self.fastest = fight.order[::-1]
        self.undone: set[tuple[str, int]] = set()
        self.charges: set[tuple[str, int]] = set()
        self.saves = Counter[str]()
        self.falling: set[str] = set()
        self.hurt: set[str] = set()
        self.allowed: dict[tuple[str, int], Sequence[str]] = {}

    def play(self) -> None:
        """Counters, then dropped dice, then blows; then who is knocked out (K23)."""
        self._counters()
        self._drops()
        self._blows()
        self._end()
        self._floor()
        self._delay()

    def _counters(self) -> None:
        """From the fastest to the slowest; a Counter that is undone does nothing (K-p)."""
        for seat in self.fastest:
            for index, drop in enumerate(self.orders[seat].drops):
                if drop.action == "counter" and (seat, index) not in self.undone:
                    self._counter(drop)

    def _counter(self, drop: Drop) -> None:
        declared = [
            (drop.on, index)
            for index, other in enumerate(self.orders[drop.on].drops)
            if drop.what in (other.action, "move") and {drop.what, other.action} <= {other.action, "move", "charge"}
        ]
        declared = [one for one in declared if self._named(one, drop)]
        fresh = [one for one in declared if one not in self.undone]
        if len(declared) > 1:
            self.fight.notes.add("which of several alike a Counter meets")
        if fresh and not drop.old:
            self.undone.add(fresh[0])
        elif not declared or drop.old:
            victim = self.fight.fighters[drop.on]
            if drop.what == "advantage":
                victim.advantage = 0
            elif drop.what == "maneuver":
                victim.maneuver = 0
            elif drop.what == "pickup":
                victim.item = ""

    def _named(self, one: tuple[str, int], drop: Drop) -> bool:
        action = self.orders[one[0]].drops[one[1]].action
        return action == drop.what or (drop.what == "move" and action == "charge")

    def _drops(self) -> None:
        """Then all other dropped dice, those of one fighter as they were named."""
        drinks = Counter[str]()
        for seat in self.fastest:
            me = self.fight.fighters[seat]
            for index, drop in enumerate(self.orders[seat].drops):
                if drop.action == "drink":
                    drinks[seat] += 1
                if (seat, index) in self.undone:
                    continue
                value = me.die(drop.die).value
                if drop.action == "advantage":
                    me.advantage += 1
                elif drop.action == "maneuver":
                    me.maneuver += 1
                elif drop.action == "regain":
                    self._regain(me, value)
                elif drop.action == "drink":
                    self._drink(me, self.roll(f"drink {drinks[seat]} of {seat}"))
                elif drop.action == "pickup":
                    me.item = "small" if value <= 3 else "big"
                elif drop.action == "charge":
                    self.charges.add((seat, drop.attack))
                elif drop.action == "move":
                    me.away = False

    def _regain(self, me: Fighter, value: int) -> None:
        """K17, K-t: below 1 Health it goes to Health first, as far as 1; then to Endurance, as far as it began (K-r)."""
        up = min(value, max(0, 1 - me.health))
        me.health += up
        most = me.full_endurance if self.house["regain_cap"] == "start" else me.endurance + value
        me.endurance = max(me.endurance, min(most, me.endurance + value - up))

    @staticmethod
    def _drink(me: Fighter, face: int) -> None:
        """K22: no more than 10 in a game, nor above where Health began; what is more makes dizzy."""
        counts = max(0, min(face, 10 - me.drunk, me.full_health - me.health))
        me.drunk += counts
        me.health += counts
        me.dizzy += face - counts

    # ------------------------------------------------------------ blows

    def _blows(self) -> None:
        """All attacks land at once; damage and rolls go from the fastest attacker to the slowest (K23, K-u)."""
        self.allowed = {
            (seat, index): self._allowed(seat, index, attack)
            for seat, orders in self.orders.items()
            for index, attack in enumerate(orders.attacks)
        }
        worth = {seat: self._worth(seat) for seat in self.orders}
        strength = {
            (seat, index): self._strength(seat, attack, worth[seat])
            for seat in self.fastest
            if not self.fight.fighters[seat].away
            for index, attack in enumerate(self.orders[seat].attacks)
        }
        hits = self._hits(strength, worth)
        for seat in self.fastest:
            armed = self.fight.fighters[seat].item
            sized = self._sized(seat)
            for index, attack in enumerate(self.orders[seat].attacks):
                if (seat, index) in hits:
                    strikes = sized in (None, index)
                    self._damage(seat, index, attack, worth[seat], armed if strikes else "")
                    if armed and strikes:
                        self.fight.fighters[seat].item = armed = ""
        if self.house["ko_check"] == "per_round":
            for seat in self.hurt:
                self._save(seat)

    def _sized(self, seat: str) -> int | None:
        """Return which attack has a damage die for something big: the item is used in that one or in none (K-ss)."""
        for index, attack in enumerate(self.orders[seat].attacks):
            if len(self.allowed[seat, index]) > len(attack.dice) + ((seat, index + 1) in self.charges):
                return index
        return None

    def _worth(self, seat: str) -> dict[str, int]:
        """What each die in an attack, a defense or damage counts."""
        me, orders = self.fight.fighters[seat], self.orders[seat]
        if any(len(self.allowed[seat, index]) < len(one.damage) for index, one in enumerate(orders.attacks)):
            self.fight.notes.add("a damage die that is lost")
        used = [letter for attack in orders.attacks for letter in (*attack.dice, *attack.damage)]
        used += [letter for defense in orders.defenses for letter in defense.dice]
        return multiplied({letter: me.die(letter).value for letter in used}, [die.value for die in me.dice])

    def _strength(self, seat: str, attack: Attack, worth: Mapping[str, int]) -> int:
        me = self.fight.fighters[seat]
        return me.base_attack + me.advantage + sum(worth[letter] for letter in attack.dice)

    def _hits(
        self, strength: Mapping[tuple[str, int], int], worth: Mapping[str, Mapping[str, int]]
    ) -> set[tuple[str, int]]:
        """Return which attacks are higher than what they meet (K9, K-h, K-i)."""
        hits: set[tuple[str, int]] = set()
        for on, victim in self.fight.fighters.items():
            base = victim.base_defense + victim.maneuver
            coming = [one for one in strength if self.orders[one[0]].attacks[one[1]].on == on]
            guards = [
                (base + sum(worth[on][letter] for letter in defense.dice), defense.against)
                for defense in self.orders[on].defenses
            ]
            met = self._met(on, coming, guards, strength)
            hits |= {one for one in coming if strength[one] > met.get(one, base)}
        return hits

    def _met(
        self, on: str, coming: Sequence[tuple[str, int]], guards: Sequence[tuple[int, str]],
        strength: Mapping[tuple[str, int], int],
    ) -> dict[tuple[str, int], int]:  # fmt: skip
        """Say which defense meets which attack: those for somebody first, then the strongest (K-i)."""
        met: dict[tuple[str, int], int] = {}
        open_to = sorted(coming, key=lambda one: -strength[one])
        free: list[int] = []
        if self.house["match"] == "strong_strong":
            guards = sorted(guards, key=lambda guard: -guard[0])
        for worth, against in guards:
            theirs = [one for one in open_to if one[0] == against and one not in met]
            if theirs:
                if len([one for one in coming if one[0] == against]) > 1:
                    self.fight.notes.add("a defense against one who attacks twice")
                met[theirs[0]] = worth
            else:
                free.append(worth)
        left = [one for one in open_to if one not in met]
        if self.house["match"] == "arrival":
            left = [one for one in coming if one not in met]
            return met | dict(zip(left, free, strict=False))
        free.sort(reverse=True)
        for worth in free:
            stops = [one for one in left if one not in met and strength[one] <= worth]
            rest = [one for one in left if one not in met]
            if rest:
                met[(stops or rest)[0]] = worth
        return met

    def _damage(self, seat: str, index: int, attack: Attack, worth: Mapping[str, int], item: str) -> None:
        """K24: off Endurance, and 1 Health besides; what goes past Endurance is taken off Health in place of that 1."""
        victim = self.fight.fighters[attack.on]
        for letter in self.allowed[seat, index]:
            boosted = self.house["sets_boost_damage"] == "yes"
            value = worth[letter] if boosted else self.fight.fighters[seat].die(letter).value
            if item:
                victim.health -= value
                victim.endurance -= min(1, victim.endurance)
            elif value <= victim.endurance:
                victim.endurance -= value
                victim.health -= self.house["boxing"] == "no"
            else:
                victim.health -= value - victim.endurance
                victim.endurance = 0
        victim.health = max(-10, victim.health)
        self.hurt.add(attack.on)
        if self.house["ko_check"] == "per_attack":
            self._save(attack.on)

    def _allowed(self, seat: str, index: int, attack: Attack) -> Sequence[str]:
        """K10, K-oo: as many damage dice as dice, one more for a charge and for something big; the last named is lost."""
        most = len(attack.dice) + ((seat, index + 1) in self.charges) + (self.fight.fighters[seat].item == "big")
        return attack.damage[:most]

    def _save(self, seat: str) -> None:
        """K25: a d20 and what is left of the Buffer, above 15; who has failed rolls no more."""
        me = self.fight.fighters[seat]
        if me.health < 0 and seat not in self.falling:
            self.saves[seat] += 1
            needed = 15 if self.house["ko_at_15"] == "up" else 16
            if self.roll(f"save {self.saves[seat]} of {seat}") + me.buffer < needed:
                self.falling.add(seat)

    # ------------------------------------------------------------ the floor, and the next round

    def _end(self) -> None:
        """Whoever is alone in the fight at the end of a round wins (K-z); while all are down it goes on."""
        up = {seat for seat, one in self.fight.fighters.items() if not one.down and seat not in self.falling}
        back = {seat for seat in up if not self.fight.fighters[seat].away}
        self.fight.winners = back if len(back) == 1 else None

    def _floor(self) -> None:
        """Two rounds, or three without Buffer (K26, K27); who was down comes nearer to being up, and has to come back."""
        for seat, me in self.fight.fighters.items():
            if seat in self.falling:
                me.down, me.cold = (2, False) if me.buffer else (3, True)
                me.knocked += 1
            elif me.down:
                me.down -= 1
                if not me.down:
                    me.cold, me.away = False, self.house["game"] == "pub"

    def _delay(self) -> None:
        """Roll for the next round; delayed dice wait in it, unless their owner went down (K13, K-y)."""
        for seat, me in self.fight.fighters.items():
            waiting = [(me.die(letter).value, use) for letter, use in self.orders[seat].delays.items() if not me.down]
            if self.house["boxing"] == "yes" and me.health > 0 and not me.down:
                breath = (self.roll(f"breath 1 of {seat}") + 1) // 2
                me.endurance = max(me.endurance, min(me.full_endurance, me.endurance + breath))
            pool: list[int] = []
            if not me.down:
                pool = rolled(2 if me.dizzy else 3, seat, self.roll)
            elif not me.cold and self.roll(f"floor {seat}") == 6:
                pool = rolled(1, seat, self.roll)
            me.dizzy = max(0, me.dizzy - 1)
            me.dice = [Die("", value) for value in pool] + [Die("", value, use) for value, use in waiting]
