"""A round of Rumble as its rules and the texts of its powers tell it, step by step, for piles of any powers."""

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

FIXED = {
    "Flight": ("burn", 5), "Lightning Strike": ("burn", 10), "Quick Reflexes": ("burn", 5), "Energy Bolts": ("burn", 5),
    "Green Gas Bombs": ("spend", 5), "Strong Punch": ("spend", 5), "Meditation": ("spend", 10), "Tai-Chi": ("spend", 20),
    "Plastic Ooze": ("spend", 10), "Laser Eyes": ("spend", 10), "Lazer Eyes": ("spend", 10),
}  # fmt: skip
"""What a use costs, where the text says a number; the others spend X, or nothing."""
PER_ROUND = {"Tai-Chi": 1, "Second Wind": 1, "Energy Bolts": 3, "Ghost Punch": 1, "Brainswap": 1}
PER_GAME = {"Green Gas Bombs": 3, "Brainswap": 1}


@dataclass
class Card:
    """A power in play; what is counted for a person in the game is counted by seat."""

    number: int
    name: str
    owner: str
    strength: int
    handed: bool = False
    uses: int = 0
    spent: Counter[str] = field(default_factory=Counter)
    answered: set[str] = field(default_factory=set)


@dataclass
class Hero:
    """Who fights; `fell` is the round and the step in which a hero fell."""

    seat: str
    energy: int
    fell: tuple[int, int] | None = None


@dataclass(frozen=True)
class Use:
    """A use of a power: on whom or on what, against whom, how much X, how often, what is given up for it."""

    name: str
    on: str = ""
    against: str = ""
    x: int = 0
    times: int = 1
    card: int = 0


@dataclass(frozen=True)
class Orders:
    """What a hero orders; `block` is "largest", "smallest", "evenly" or the heroes to be blocked first."""

    attacks: Mapping[str, int] = field(default_factory=dict)
    defence: int = 0
    uses: Sequence[Use] = ()
    discards: Sequence[int] = ()
    block: str | tuple[str, ...] = ""
    points: Mapping[str, int] = field(default_factory=dict)
    moved: int = 0
    captions: int = 0
    never: Sequence[str] = ()
    held: int = 0
    rest_on: str = ""


@dataclass
class Hit:
    """Damage under way from one source (C17): an Attack, one use of a power, or a power that strikes by itself."""

    by: str
    on: str
    amount: int
    attack: bool = False
    unblockable: bool = False
    rider: int = 0
    order: int = 0
    first: bool = True
    """Whether it can be the first damage that somebody deals: what a Ray Gun copies is not."""


@dataclass(frozen=True)
class Ahead:
    """What is to come in a later round: forbid, weaken, cut, explode, require."""

    kind: str
    when: int
    on: str
    by: str
    against: str = ""
    amount: int = 0


COSTS, BLOWS, END, LATER, LAST = range(1, 6)
"""The steps of a round in which heroes fall, in their order (A8, C14)."""


@dataclass
class Game:
    """A game of Rumble between rounds; `winners` is None as long as it goes on."""

    house: Mapping[str, str]
    heroes: dict[str, Hero]
    cards: dict[int, Card]
    round: int
    quiet: int = 0
    attacked: set[str] = field(default_factory=set)
    ahead: list[Ahead] = field(default_factory=list)
    winners: set[str] | None = None
    notes: set[str] = field(default_factory=set)
    """Which open questions this game has come across."""

    def living(self) -> list[str]:
        """Return who is in, in seat order."""
        return [hero.seat for hero in self.heroes.values() if not hero.fell]

    def others(self, seat: str) -> list[str]:
        """Return the opponents of a hero."""
        return [other for other in self.living() if other != seat]

    def held(self, seat: str) -> list[Card]:
        """Return the powers that a hero has."""
        return [card for card in self.cards.values() if card.owner == seat]

    def card(self, seat: str, name: str) -> Card | None:
        """Return the power of a hero by its name."""
        return next((card for card in self.held(seat) if card.name == name), None)

    def has(self, seat: str, name: str) -> bool:
        """Say whether a hero has a power."""
        return self.card(seat, name) is not None

    def owner(self, name: str) -> str:
        """Return who has a power, "" if nobody."""
        return next((card.owner for card in self.cards.values() if card.name == name), "")

    def prices(self, seat: str, uses: Iterable[Use]) -> list[tuple[Use, str, int]]:
        """
        Return what each use pays: spend, burn or nothing; what Zypher drains it drains for what it turns.

        Of all that a Technical Training makes 5 cheaper, the first payment of a fixed cost may come down to nothing,
        every other to 1; all X for one power on one target are one payment (C12).
        """
        cheaper = 5 if self.has(seat, "Technical Training") else 0
        paid: dict[object, int] = {}
        found: list[tuple[Use, str, int]] = []
        for use in uses:
            if use.name in FIXED or use.name == "Devourer":
                kind, price = FIXED.get(use.name) or ("spend", self.cards[use.card].strength)
                once = 0
                for _ in range(use.times):
                    least = 0 if not paid.get(use.name) and self.house["discount_min"] == "0_then_1" else 1
                    paid[use.name] = 1
                    once += max(min(price, least), price - cheaper)
                found.append((use, kind, once))
            elif use.x:
                before = paid.get((use.name, use.on), 0)
                total = before + use.x * use.times
                due = max(1, total - cheaper) - (max(1, before - cheaper) if before else 0)
                paid[use.name, use.on] = total
                found.append((use, "spend", due))
            else:
                found.append((use, "", 0))
        return found


def cost(prices: Iterable[tuple[Use, str, int]], *kinds: str) -> int:
    """Add up what uses pay of some kinds."""
    return sum(price for _, kind, price in prices if kind in kinds)


def play(game: Game, orders: Mapping[str, Orders]) -> None:
    """Play a round; whoever is not in `orders` sent nothing."""
    Round(game, orders).play()


class Round:
    """A round under way."""

    def __init__(self, game: Game, orders: Mapping[str, Orders]) -> None:
        """Begin with what everybody ordered."""
        self.game, self.house = game, game.house
        self.seats = list(game.heroes)
        self.orders = {seat: orders.get(seat) or self._absent(seat) for seat in game.living()}
        self.uses: list[tuple[str, Use]] = []
        self.lost: set[str] = set()
        self.damaged = False
        self.energy_then: dict[str, int] = {}
        self.attacks: dict[tuple[str, str], int] = {}
        self.defences: dict[str, int] = {}
        self.value: dict[tuple[str, str], int] = {}
        self.strength: dict[str, int] = {}
        self.left: dict[str, int] = {}
        self.taken: Counter[str] = Counter()
        self.dealt: set[str] = set()
        self.bursts: list[str] = []
        self.shielded: set[str] = set()
        self.lizard: dict[str, str] = {}
        self.moves: list[tuple[int, str]] = []
        self.later: list[Ahead] = []
        self.disarmed: set[str] = set()
        self.struck: list[Card] = []

    def play(self) -> None:
        """Go through the steps."""
        self._pay()
        self._reveal()
        self._values()
        self._lizard()
        self._blows()
        self._end()

    # ------------------------------------------------------------ what is ordered and paid

    def _absent(self, seat: str) -> Orders:
        """A21: who sends nothing puts all Energy into Defence, less what a Hypnotism demands (C28)."""
        energy = self.game.heroes[seat].energy
        attacks: dict[str, int] = {}
        for demand in demands(self.game, seat):
            due = min(demand.amount - attacks.get(demand.against, 0), energy)
            if due > 0:
                attacks[demand.against] = attacks.get(demand.against, 0) + due
                energy -= due
        return Orders(attacks, energy if self.house["nmr"] == "defend" else 0)

    def _pay(self) -> None:
        """Burns leave at the reveal (A11), and then it is seen who is out (A8)."""
        game = self.game
        self.prices = {seat: game.prices(seat, orders.uses) for seat, orders in self.orders.items()}
        for seat in game.living():
            self._fill(seat)
        for seat, prices in self.prices.items():
            self._lose(seat, cost(prices, "burn"))
        for seat in game.living():
            for number in self.orders[seat].discards:
                game.cards[number].owner = ""
        before = {seat: len(game.held(seat)) for seat in game.living()}
        self._fall(COSTS)
        for seat in game.living():
            if before[seat] > len(game.held(seat)) or game.heroes[seat].energy <= 0:
                self._limit(seat)
            prices = self.prices[seat]
            self.uses += [(seat, use) for use, _, _ in prices for _ in range(use.times)]
            for use, _, price in prices:
                used = next(card for card in game.cards.values() if card.name == use.name)
                used.uses += use.times
                if use.name == "Doomsday Device":
                    used.spent[seat] += price

    def _fill(self, seat: str) -> None:
        """A1: what a set leaves over goes into Defence, where the house says so and silence would defend."""
        if (self.house["left_over"], self.house["nmr"]) != ("defends", "defend"):
            return
        orders = self.orders[seat]
        taken = sum(orders.attacks.values()) + orders.defence + orders.held + cost(self.prices[seat], "spend", "burn")
        left = max(0, self.game.heroes[seat].energy - taken)
        self.orders[seat] = replace(orders, defence=orders.defence + left)

    def _limit(self, seat: str) -> None:
        """A26: who is saved at the costs keeps the orders as far as the Energy left goes, powers first."""
        orders, left = self.orders[seat], self.game.heroes[seat].energy
        paid: list[tuple[Use, str, int]] = []
        for use, kind, price in self.prices[seat]:
            if kind != "spend" or price <= left:
                paid.append((use, kind, price))
                left -= price if kind == "spend" else 0
        held = min(orders.held, left)
        left -= held
        attacks: dict[str, int] = {}
        for on, amount in orders.attacks.items():
            attacks[on] = min(amount, left)
            left -= attacks[on]
        self.prices[seat] = paid
        uses = [use for use, _, _ in paid]
        self.orders[seat] = replace(orders, uses=uses, held=held, attacks=attacks, defence=min(orders.defence, left))

    def _reveal(self) -> None:
        """What is given up is gone at once, what is drained is lost; then Energy moves, then damage is prevented (C3)."""
        game = self.game
        self._turn()
        given_up: list[Card] = []
        for seat, use in self.uses:
            if use.name in ("Lighten Load", "Barter With Fate"):
                given_up.append(game.cards[use.card])
                if use.name == "Barter With Fate":
                    self.shielded.add(seat)
        for card in given_up:
            card.owner = ""
        self._fall(COSTS)
        self.uses = [(seat, use) for seat, use in self.uses if seat in game.living()]
        for seat in game.living():
            orders = self.orders[seat]
            self.defences[seat] = orders.defence
            for on, amount in orders.attacks.items():
                self.attacks[seat, on] = amount
        self._late_energy()
        for seat in game.living():
            self._move(seat, self.orders[seat].moved)
        self.attacks = {
            (by, on): n for (by, on), n in self.attacks.items() if n > 0 or self.house["zero_attacks"] == "yes"
        }
        self.spent_on_attack = {
            seat: sum(n for (by, _), n in self.attacks.items() if by == seat) for seat in self.seats
        }
        self.attackers = {by for by, _ in self.attacks}
        self.attacks = {(by, on): n for (by, on), n in self.attacks.items() if on in game.living()}  # A18
        self.energy_then = {seat: game.heroes[seat].energy for seat in game.living()}

    def _turn(self) -> None:
        """Zypher turns uses on others whom their owners might have named, and drains 10 for each (C3, C4)."""
        done: list[tuple[str, Use]] = []
        for seat, zypher in [one for one in self.uses if one[1].name == "Zypher"]:
            name = self.game.cards[zypher.card].name
            for at, (by, use) in enumerate(self.uses):
                own = name in ("Tai-Chi", "Brainswap", "Psionic Head Exploding Rays") and zypher.on == by
                if (use.name, use.on) == (name, seat) and not own and zypher.on != use.against:
                    if zypher.on in self.game.living():
                        self.uses[at] = (by, replace(use, on=zypher.on))
                        self._lose(seat, 10)
                        done.append((seat, zypher))
                    break
        self.uses = [one for one in self.uses if one[1].name != "Zypher"] + done

    def _late_energy(self) -> None:
        """Precognition: defend exactly what comes, and the rest goes into an Attack, or else into Defence (C29)."""
        incoming = Counter[str]()
        for (_, on), amount in self.attacks.items():
            incoming[on] += amount
        for seat in self.game.living():
            orders = self.orders[seat]
            if orders.held:
                if orders.moved:
                    self.game.notes.add("Quick Reflexes beside Precognition")
                guard = min(orders.held, max(0, incoming[seat] - self.defences[seat]))
                rest = orders.held - guard
                self.defences[seat] += guard
                if orders.rest_on in self.game.living():
                    self.attacks[seat, orders.rest_on] = self.attacks.get((seat, orders.rest_on), 0) + rest
                else:
                    self.defences[seat] += rest

    def _move(self, seat: str, amount: int) -> None:
        """Quick Reflexes take from the largest Attack first, and nothing that is demanded (C26, C28)."""
        mine = sorted(
            (edge for edge in self.attacks if edge[0] == seat), key=lambda e: (-self.attacks[e], self._at(e[1]))
        )
        for edge in mine:
            wanted = [ahead.amount for ahead in demands(self.game, seat) if ahead.against == edge[1]]
            moved = min(amount, max(0, self.attacks[edge] - max(wanted, default=0)))
            amount -= moved
            self.attacks[edge] -= moved
            self.defences[seat] += moved

    # ------------------------------------------------------------ what Attacks and Defences are worth

    def _values(self) -> None:
        """Multiply, add, set (A15); who looks at a Defence sees it as those have left it that look at none (A35)."""
        game = self.game
        flying = {seat for seat, use in self.uses if use.name == "Flight"}
        for (by, on), base in self.attacks.items():
            times = 2 if game.has(by, "Wind Up Punch") and game.round > 1 and by not in game.attacked else 1
            more = 10 * game.has(by, "Combat Training") + 20 * self._balanced(by) + 20 * self._clawing(by)
            worth = base * times + more if self.house["modifier_order"] == "mul_add_set" else (base + more) * times
            self.value[by, on] = 0 if flying & {by, on} else worth
        self.punched = {use.on for _, use in self.uses if use.name == "Ghost Punch"}
        helped = {seat: use.on for seat, use in self.uses if use.name == "Tai-Chi"}
        plain = {seat: self._plain_defence(seat) for seat in game.living()}
        for seat in game.living():
            self.strength[seat] = self._defence(seat, plain, helped)
        self.left = dict(self.strength)

    def _plain_defence(self, seat: str) -> int:
        """Add up a Defence without what looks at others' Defence, before anything sets it or stops it at 0."""
        game = self.game
        worth = self.defences[seat]
        worth += 10 * game.has(seat, "Reflex Training") + 20 * game.has(seat, "Tough Skin")
        worth += 10 * game.has(seat, "Metal Face") + 20 * self._balanced(seat)
        worth += sum(50 for by, use in self.uses if by == seat and use.name == "Green Gas Bombs")
        worth += sum(5 * len(game.others(seat)) for by, use in self.uses if by == seat and use.name == "Strong Punch")
        return worth - sum(15 for ahead in due(game, "weaken") if ahead.on == seat)

    def _defence(self, seat: str, plain: Mapping[str, int], helped: Mapping[str, str], *seen: str) -> int:
        """Tai-Chi adds an opponent's Defence; of those who look at each other each sees the other's without it."""
        if seat in self.punched:
            return 0
        worth = plain[seat]
        looked = helped.get(seat)
        if looked in self.game.living() and seat not in seen:
            round_about = self._leads_back(seat, helped)
            worth += (
                max(0, plain[looked]) * (looked not in self.punched)
                if round_about
                else self._defence(looked, plain, helped, *seen, seat)
            )
        return max(0, worth)

    @staticmethod
    def _leads_back(seat: str, helped: Mapping[str, str]) -> bool:
        at, seen = helped.get(seat), set[str]()
        while at and at not in seen:
            if at == seat:
                return True
            seen.add(at)
            at = helped.get(at)
        return False

    def _balanced(self, seat: str) -> bool:
        """Perfect Balance: one Attack, equal to the Defence, both as allocated (C18) and above 0."""
        mine = [n for (by, _), n in self.attacks.items() if by == seat]
        if self.game.has(seat, "Perfect Balance") and sum(mine) != self.spent_on_attack[seat]:
            self.game.notes.add("Perfect Balance beside an Attack on nobody")
        return self.game.has(seat, "Perfect Balance") and len(mine) == 1 and mine[0] == self.defences[seat] > 0

    def _clawing(self, seat: str) -> bool:
        """Big, Gnashy Claws: no power was used, nor Energy held back."""
        used = any(by == seat for by, _ in self.uses) or self.orders[seat].held or self.orders[seat].captions
        return self.game.has(seat, "Big, Gnashy Claws") and not used

    # ------------------------------------------------------------ blows

    def _lizard(self) -> None:
        """C25: without an order it is used where it saves its owner, against the largest Attack where it does."""
        owner = self.game.owner("Lizard DNA")
        if not owner or owner not in self.game.living() or "Lizard DNA" in self.orders[owner].never:
            return
        ordered = [use.on for seat, use in self.uses if seat == owner and use.name == "Lizard DNA"]
        if ordered:
            self.lizard[owner] = ordered[0]
        elif self._falls_with(owner, ""):
            mine = sorted((e for e in self.value if e[1] == owner), key=lambda e: (-self.value[e], self._at(e[0])))
            saved = [by for by, _ in mine if not self._falls_with(owner, by)]
            if saved:
                self.lizard[owner] = saved[0]

    def _falls_with(self, owner: str, by: str) -> bool:
        trial = copy.deepcopy(self)
        trial.lizard[owner] = by
        trial._blows()
        trial._end()
        fell = trial.game.heroes[owner].fell
        return fell is not None and fell[1] <= END

    def _blows(self) -> None:
        """Attacks and powers strike at once; what follows from damage strikes in waves; then it is seen who is out."""
        game = self.game
        for seat in game.living():
            angry = game.card(seat, "Disagreeable When Angry")
            if angry and seat not in angry.answered and any(n >= 20 for (_, on), n in self.value.items() if on == seat):
                angry.answered.add(seat)
                game.heroes[seat].energy += 50
        for seat, use in self.uses:
            if use.name == "Second Wind":
                game.heroes[seat].energy += 10
            elif use.name == "Lighten Load":
                game.heroes[seat].energy += game.cards[use.card].strength
        ignored = self._ignored()
        hits = self._attack_hits(ignored) + self._power_hits()
        self._strike(hits, raging=True)
        self._psionics()
        self._fall(BLOWS)
        self._part()

    def _ignored(self) -> set[tuple[str, str]]:
        """Ninja Training and Combat Roll make Attacks void; these use up no Defence (A33)."""
        game, void = self.game, set[tuple[str, str]]()
        ninja = game.owner("Ninja Training")
        if ninja in game.living():
            card = game.card(ninja, "Ninja Training")
            assert card
            void |= {edge for edge, n in self.value.items() if edge[1] == ninja and n < card.strength}
        roller = game.owner("Combat Roll")
        if roller in game.living() and "Combat Roll" not in self.orders[roller].never and len(game.living()) > 2:
            sums = {seat: sum(n for (by, _), n in self.value.items() if by == seat) for seat in game.living()}
            places = sorted(set(sums.values()), reverse=True)
            mine = sorted((e for e in self.value if e[1] == roller), key=lambda e: (-self.value[e], self._at(e[0])))
            wanted = [use.on for seat, use in self.uses if use.name == "Combat Roll" and seat == roller]
            mine = [edge for edge in mine if edge[0] in wanted] or mine
            if mine and sums[roller] > 0 and len(places) > 1 and sums[roller] == places[1]:
                void.add(mine[0])
        return void

    def _attack_hits(self, ignored: set[tuple[str, str]]) -> list[Hit]:
        hits = []
        javalin = {(seat, use.on) for seat, use in self.uses if use.name == "Javalin"}
        for edge, worth in self.value.items():
            by, on = edge
            if edge in ignored or (worth == 0 and self.attacks[edge] > 0) or by not in self.game.living():
                continue
            past = self.game.has(by, "Shieldbreaker") and worth > self.strength[on]
            rider = 20 if edge in javalin else 0
            hits.append(Hit(by, on, worth, attack=True, unblockable=past, rider=rider))
            if rider:
                card = self.game.card(by, "Javalin")
                if card:
                    self.moves.append((card.number, on))
        return hits

    def _power_hits(self) -> list[Hit]:
        """What powers deal with the blows, in the order of their numbers."""
        game, hits = self.game, list[Hit]()
        plain = self.house["power_damage_blockable"] == "no"
        most = max(self.spent_on_attack[seat] for seat in game.living()) if game.living() else 0
        first = [seat for seat in game.living() if self.spent_on_attack[seat] == most > 0]
        for order, (by, use) in enumerate(self.uses):
            number = self._number(use.name)
            if use.name == "Air Strike":
                hits += [Hit(by, on, use.x, unblockable=plain, order=number * 100 + order) for on in game.living()]
            elif use.name == "Lightning Strike":
                each = -(-30 // max(1, len(first)))
                hits += [Hit(by, on, each, unblockable=plain, order=number * 100 + order) for on in first]
            elif use.name in ("Laser Eyes", "Energy Bolts") and use.on in game.living():
                amount = 5 if use.name == "Laser Eyes" else 10
                hits.append(Hit(by, use.on, amount, unblockable=True, order=number * 100 + order))
        for seat in game.living():
            if game.has(seat, "Weak Hands") and 2 * self.spent_on_attack[seat] > self.energy_then[seat]:
                hits.append(Hit("", seat, 5, unblockable=True))
        hits += [Hit(cut.by, cut.on, 2, unblockable=True) for cut in due(game, "cut") if cut.on in game.living()]
        for by in self.bursts:
            hits += [Hit(by, on, 30, unblockable=plain) for on in game.living() if on != by]
        self.bursts = []
        return hits

    def _strike(self, hits: Sequence[Hit], *, raging: bool = False) -> None:
        """Let damage strike in one wave, and then what follows from it in the next."""
        game = self.game
        through: list[tuple[Hit, int]] = []
        for on in game.living():
            mine = [hit for hit in hits if hit.on == on]
            blocked = self._block(on, mine)
            through += [(hit, hit.amount - blocked.get(id(hit), 0) + hit.rider) for hit in mine]
        through = [(hit, n) for hit, n in through if n > 0 and hit.on not in self.shielded]
        amounts = {id(hit): n for hit, n in through}
        following = self._ray_gun([hit for hit, _ in through], amounts)
        for hit, _ in through:
            amounts[id(hit)] += 10 * sum(use.name == "Lazer Eyes" and use.on == hit.on for _, use in self.uses)
        self._captions([hit for hit, _ in through], amounts)
        landed = self._prevented([hit for hit, _ in through], amounts)
        for hit in landed:
            self._lose(hit.on, amounts[id(hit)])
            self.damaged = True
        if landed or following:
            self._after(landed)
        if raging:
            following += self._rage()
        following = [hit for hit in following if hit.on in game.living()]
        if following:
            self._strike(following)

    def _rage(self) -> list[Hit]:
        """Blood Rage: 10 from nobody, once the first damage is done."""
        plain = self.house["power_damage_blockable"] == "no"
        return [
            Hit("", seat, 10, unblockable=plain)
            for seat in self.game.living()
            if self.game.has(seat, "Blood Rage") and self.spent_on_attack[seat] < 10
        ]

    def _block(self, on: str, hits: Sequence[Hit]) -> dict[int, int]:
        """R9, A12: what a Defence stops of each hit, by the defender's order or the house's."""
        meets = [hit for hit in hits if not hit.unblockable]
        orders = self.orders[on]
        how = orders.block or self.house["block_default"]
        stopped: dict[int, int] = {}
        for hit in meets if orders.points else ():
            stopped[id(hit)] = min(hit.amount, orders.points.get(hit.by, 0), self.left[on])
            self.left[on] -= stopped[id(hit)]

        def order(hit: Hit) -> tuple[int, int, int]:
            return hit.amount, self._at(hit.by), hit.order

        if any(a.attack and not b.attack and a.amount == b.amount for a in meets for b in meets):
            self.game.notes.add("an Attack and a power of equal size")
        small = sorted(meets, key=order)
        large = sorted(meets, key=lambda hit: (-hit.amount, self._at(hit.by), hit.order))
        if how in ("evenly", "pro_rata"):
            self._evenly(on, sorted(meets, key=lambda hit: (self._at(hit.by), hit.order)), stopped)
            return stopped
        if how == "largest":
            queue = large
        elif how == "smallest":
            queue = small
        else:
            rest = large if self.house["block_default"] == "largest" else small
            queue = [hit for seat in how for hit in rest if hit.by == seat]
            if self.house["block_default"] != "pro_rata":
                queue += [hit for hit in rest if hit not in queue]
        for hit in queue:
            more = min(hit.amount - stopped.get(id(hit), 0), self.left[on])
            stopped[id(hit)] = stopped.get(id(hit), 0) + more
            self.left[on] -= more
        self._evenly(
            on,
            sorted([hit for hit in meets if hit not in queue], key=lambda hit: (self._at(hit.by), hit.order)),
            stopped,
        )
        return stopped

    def _evenly(self, on: str, hits: Sequence[Hit], stopped: dict[int, int]) -> None:
        """In proportion; what does not divide goes to the larger remainder."""
        still = {id(hit): hit.amount - stopped.get(id(hit), 0) for hit in hits}
        total = sum(still.values())
        guard = min(self.left[on], total)
        self.left[on] -= guard
        if not guard:
            return
        shares = {id(hit): guard * still[id(hit)] // total for hit in hits}
        largest = sorted(hits, key=lambda hit: -(guard * still[id(hit)] % total))
        for hit in largest[: guard - sum(shares.values())]:
            shares[id(hit)] += 1
        for hit in hits:
            stopped[id(hit)] = stopped.get(id(hit), 0) + shares[id(hit)]

    def _ray_gun(self, hits: Sequence[Hit], amounts: dict[int, int]) -> list[Hit]:
        """The first damage that its owner deals in a round is doubled; with the Helm as much strikes another."""
        game, owner = self.game, self.game.owner("Galactic Ray Gun")
        mine = [hit for hit in hits if hit.by == owner and hit.first] if owner else []
        if not mine or owner in self.dealt:
            return []
        self.dealt.add(owner)
        largest = min(mine, key=lambda hit: (-amounts[id(hit)], self._at(hit.on)))
        amounts[id(largest)] *= 2
        if not game.has(owner, "Galactic Helm"):
            return []
        wanted = [use.on for seat, use in self.uses if use.name == "Galactic Ray Gun" and seat == owner]
        among = [seat for seat in game.others(owner) if seat != largest.on]
        second = next((seat for seat in wanted if seat in among), among[0] if among else "")
        if second not in wanted and len(among) > 1:
            game.notes.add("a lot is drawn")
        plain = self.house["power_damage_blockable"] == "no"
        return [Hit(owner, second, amounts[id(largest)], unblockable=plain, first=False)] if second else []

    def _captions(self, hits: Sequence[Hit], amounts: dict[int, int]) -> None:
        """Batman Captions: 5 more for each source of damage that has a word, the largest first (C31)."""
        owner = self.game.owner("Batman Captions")
        if owner in self.game.living():
            mine = sorted((hit for hit in hits if hit.by == owner), key=lambda hit: -amounts[id(hit)])
            words = self.orders[owner].captions - self.taken["captions"]
            for hit in mine[:words]:
                amounts[id(hit)] += 5
                self.taken["captions"] += 1

    def _prevented(self, hits: Sequence[Hit], amounts: dict[int, int]) -> list[Hit]:
        """What answers single damage, the lower number first (C22); what prevents all has done so already."""
        game = self.game
        landed = list(hits)
        cards = sorted(c.number for c in game.cards.values() if c.owner and c.name in ("Galactic Helm", "Lizard DNA"))
        for card in (game.cards[number] for number in cards):
            seat = card.owner
            mine = sorted(
                (hit for hit in landed if hit.on == seat), key=lambda hit: (amounts[id(hit)], self._at(hit.by))
            )
            if card.name == "Galactic Helm":
                if any(a.attack and not b.attack and amounts[id(a)] == amounts[id(b)] for a in mine for b in mine):
                    game.notes.add("an Attack and a power of equal size")
                largest = max(mine[1:], key=lambda hit: amounts[id(hit)], default=None)
                mine = mine[:1] + [hit for hit in mine if hit is largest] + [h for h in mine[1:] if h is not largest]
                second = 1 - self.taken[seat]
                self.taken[seat] += len(mine)
                if 0 <= second < len(mine):
                    landed = [hit for hit in landed if hit is not mine[second]]
                    if game.has(seat, "Galactic Ray Gun"):
                        game.heroes[seat].energy += amounts[id(mine[second])]
            elif self.lizard.get(seat):
                by = self.lizard[seat]
                bites = [hit for hit in mine if hit.attack and hit.by == by]
                enough = self.value.get((by, seat), 0) >= self.energy_then[seat] - self.strength[seat]
                if bites and enough:
                    landed = [hit for hit in landed if hit is not bites[0]]
                    self._lose(seat, 10)
                    card.owner = ""
        return landed

    def _after(self, landed: Sequence[Hit]) -> None:
        """What damage brings: weakened Defence, knives that go on cutting, powers struck from a hand."""
        game = self.game
        now = game.round
        for owner in sorted({hit.by for hit in landed if hit.by}, key=self._at):
            mine = [hit for hit in landed if hit.by == owner]
            if game.has(owner, "Metal Tentacles"):
                weak = {hit.on for hit in mine} - {a.on for a in self.later if a.kind == "weaken"}
                self.later += [Ahead("weaken", now + 1, seat, owner) for seat in weak]
            if game.has(owner, "Sharp Knives"):
                cut = [hit.on for hit in mine if hit.attack and hit.on != owner]
                self.later += [Ahead("cut", now + k, seat, owner) for seat in cut for k in (1, 2)]
        owner = game.owner("Disarming Strike")
        if owner and "Disarming Strike" not in self.orders.get(owner, Orders()).never:
            for on in [seat for seat in self.seats if any(h.by == owner and h.on == seat for h in landed)]:
                if on != owner and on not in self.disarmed:
                    self.disarmed.add(on)
                    self._disarm(on, self.value.get((owner, on), 0))

    def _disarm(self, on: str, reach: int) -> None:
        within = [card for card in self.game.held(on) if card.strength <= reach]
        if within:
            self.struck.append(min(within, key=lambda card: (-card.strength, card.number)))

    def _part(self) -> None:
        """C32: a power that was struck away does what it does until the blows are over."""
        for card in self.struck:
            card.owner = ""
        self.struck = []

    def _psionics(self) -> None:
        game = self.game
        for seat, use in self.uses:
            if use.name == "Psionic Head Exploding Rays" and use.x > self.strength.get(use.on, use.x):
                self.later.append(Ahead("explode", game.round + 1, use.on, seat))
            if use.name == "Hypnotism":
                self.later.append(Ahead("require", game.round + 1, use.on, seat, use.against, use.x))
            if use.name == "Plastic Ooze":
                against = [by for by, on in self.attacks if on == seat]
                self.later += [Ahead("forbid", game.round + 1, by, seat) for by in against]

    # ------------------------------------------------------------ who falls

    def _lose(self, seat: str, amount: int) -> None:
        if amount > 0:
            self.game.heroes[seat].energy -= amount
            self.lost.add(seat)

    def _fall(self, step: int, doomed: Iterable[str] = ()) -> None:
        """See who is out, whom a power saves, and who bursts (A8, C15, C27)."""
        game = self.game
        doomed = set(doomed)
        while True:
            bursting = []
            for seat in game.living():
                hero = game.heroes[seat]
                if hero.energy > 0 and seat not in doomed:
                    continue
                clone, bomb = game.card(seat, "Hidden Clone"), game.card(seat, "Bomberman")
                if game.has(seat, "Clockwork Being"):
                    hero.energy = max(0, hero.energy)
                elif clone:
                    hero.energy = 50
                    clone.owner = ""
                elif bomb:
                    bursting.append(bomb)
                else:
                    hero.fell = (game.round, step)
                    for card in game.held(seat):
                        card.owner = ""
            doomed = set()
            if not bursting:
                return
            seats = [bomb.owner for bomb in bursting]
            if step == COSTS:
                self.bursts += seats
            else:
                plain = self.house["power_damage_blockable"] == "no"
                self._strike(
                    [Hit(by, on, 30, unblockable=plain) for by in seats for on in game.living() if on not in seats]
                )
            for bomb in bursting:
                game.heroes[bomb.owner].energy = 1
                bomb.owner = ""

    # ------------------------------------------------------------ the end of the round

    def _end(self) -> None:
        """C14: gains and losses, then who is out, then powers change hands, then who wins."""
        game = self.game
        gain = Counter[str]()
        for seat, use in self.uses:
            if use.name == "Meditation" and not self.damaged:
                gain[seat] += 8
        if game.owner("Psuedonite") in game.living():
            for seat in game.living():
                self._lose(seat, 5 * len(game.held(seat)))
        game.quiet = 0 if self.lost else game.quiet + 1
        if game.quiet >= 3 and self.house["stalemate"] == "fatigue":
            for seat in game.living():
                self._lose(seat, 5 * (game.quiet - 2))
        if game.quiet >= 3 and self.house["stalemate"] == "unused_defence_burn":
            for seat in game.living():
                self._lose(seat, self.left[seat])
        immune = game.owner("Hyper Immune System")
        if immune in game.living() and immune in self.lost:
            gain[immune] += 10
        for seat in game.living():
            game.heroes[seat].energy += gain[seat]
        self._fall(END)
        self._part()
        self._fall(LATER, [ahead.on for ahead in due(game, "explode")])
        self._part()
        self._change_hands()
        won = self._won()
        quiet = game.quiet >= 3 and self.house["stalemate"] == "draw"
        if quiet and not won and len(game.living()) > 1:
            won = set(game.living())
        if game.round == 12:
            clockwork = game.owner("Clockwork Being")
            if clockwork in game.living() and not won:
                card = game.card(clockwork, "Clockwork Being")
                assert card
                card.owner = ""
                self._fall(LAST, [clockwork])
        game.winners = won or self._last()
        game.attacked = self.attackers
        game.ahead = [ahead for ahead in game.ahead if ahead.when > game.round] + self.later
        game.round += 1
        if game.winners is None:
            seat = game.owner("Regeneration")
            if seat in game.living():
                game.heroes[seat].energy += 3

    def _change_hands(self) -> None:
        """All as it stood before any of it: given, swapped, taken (C14, C21)."""
        game = self.game
        as_they_stood = {card.number: card.owner for card in game.cards.values()}
        given = {number: to for number, to in self.moves if as_they_stood[number] and to in game.living()}
        for number, to in given.items():
            game.cards[number].owner = to
        for seat, use in self.uses:
            if use.name == "Brainswap" and {seat, use.on} <= set(game.living()):
                one, other = game.heroes[seat], game.heroes[use.on]
                one.energy, other.energy = other.energy, one.energy
                for card in game.cards.values():
                    was = as_they_stood[card.number]
                    if card.number not in given and was in (seat, use.on):
                        card.owner = use.on if was == seat else seat
                    if card.name == "Brainswap":
                        card.owner = ""
        for seat, use in self.uses:
            theirs = use.name == "Devourer" and as_they_stood[use.card] not in ("", seat)
            if theirs and use.card not in given and seat in game.living():
                game.cards[use.card].owner = ""
        self._fall(LAST - 1)

    def _won(self) -> set[str]:
        game = self.game
        won = {seat for seat in game.living() if game.has(seat, "Friends With Death") and game.heroes[seat].energy <= 5}
        for seat in game.living():
            doomsday = game.card(seat, "Doomsday Device")
            if doomsday and doomsday.spent[seat] >= 70:
                won.add(seat)
        return won

    def _last(self) -> set[str] | None:
        """The last one standing wins; where nobody stands, those who fell last share (A7)."""
        game = self.game
        living = game.living()
        if len(living) > 1:
            return None
        if living:
            return set(living)
        last = max(hero.fell for hero in game.heroes.values() if hero.fell)
        fell = {hero.seat: hero.energy for hero in game.heroes.values() if hero.fell == last}
        if self.house["last_fall"] == "most_energy":
            return {seat for seat, energy in fell.items() if energy == max(fell.values())}
        return set(fell)

    # ------------------------------------------------------------ small things

    def _at(self, seat: str) -> int:
        return self.seats.index(seat) if seat in self.seats else len(self.seats)

    def _number(self, name: str) -> int:
        return next(card.number for card in self.game.cards.values() if card.name == name)


def due(game: Game, kind: str) -> list[Ahead]:
    """
    Return what was left for this round.

    Of heroes who are out it happens all the same, unless the house says that it does not (A19).
    """
    void = game.house["orphan_effects"] == "none"
    return [
        ahead for ahead in game.ahead
        if (ahead.kind, ahead.when) == (kind, game.round) and not (void and game.heroes[ahead.by].fell)
    ]  # fmt: skip


def demands(game: Game, seat: str) -> list[Ahead]:
    """Return the Attacks that a hero has to make in this round, the oldest first; who cannot attack need not (C28)."""
    wanted = [ahead for ahead in due(game, "require") if ahead.on == seat and ahead.against in game.living()]
    return [] if forbidden(game, seat) else wanted


def forbidden(game: Game, seat: str) -> bool:
    """Say whether a Plastic Ooze keeps a hero from attacking in this round."""
    return any(ahead.on == seat for ahead in due(game, "forbid"))
