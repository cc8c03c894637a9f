"""Step two of a round: attacks against defenses, all at once, and what they hurt; knocks nobody out."""

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Event, Facts, Reckoning
from pbem.rulesets.brawl.order import Attack, Defend
from pbem.rulesets.brawl.round.declarations import Declared, Table, set_factors
from pbem.rulesets.brawl.round.dropping import Step
from pbem.rulesets.brawl.state import BUFFER, Die, Fighter, Item, State


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """
    One attack, with its strength worked out.

    Shape: `nth` counts the attacks of the seat; `because` says why it is void, "" where it is none; `dice` and
    `damage` are pairs of a die as letters show it and what it counts; `item` is what may be used in it.
    """

    seat: str
    nth: int
    on: str
    strength: int = 0
    dice: tuple[tuple[str, int], ...] = ()
    damage: tuple[tuple[str, int], ...] = ()
    item: Item = ""
    because: str = ""

    @property
    def key(self) -> str:
        """Return the key of the fact whether it hits."""
        return f"attack {self.nth} of {self.seat}"


class Wound(msgspec.Struct, frozen=True):
    """What one hit did to a fighter."""

    before: Fighter
    after: Fighter


class Hands(msgspec.Struct, frozen=True):
    """
    A seat's attacks and defenses once the drop dice are done, and what each die counts.

    Shape: `chair` is the attack, counted from 1, that has the damage die of a big item, 0 where none has.
    """

    seat: str
    dice: Mapping[str, Die]
    blows: tuple[Attack, ...]
    guards: tuple[Defend, ...]
    counts: Mapping[str, int]
    how: str
    chair: int

    def counted(self, letters: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return dice as letters show them, each with what it counts."""
        return tuple((self.dice[letter].label, self.counts[letter]) for letter in letters)

    def worth(self, letters: Sequence[str]) -> int:
        """Return what dice count together."""
        return sum(self.counts[letter] for letter in letters)


def resolve(step: Step, table: Table, sums: Reckoning) -> tuple[State, tuple[Wound, ...], tuple[Event, ...]]:
    """
    Let all attacks land at once; return the state, the wounds in their order, and the events.

    Rule: K9-K12, K23, K24.
    """
    hands = {seat: _hands(step, declared) for seat, declared in table.declared.items()}
    strikes = [strike for seat in reversed(list(hands)) for strike in _strikes(step.state, hands[seat])]
    met = _met(step, hands, strikes)
    hits: list[Strike] = []
    rows: list[Facts] = []
    for place, strike in enumerate(strikes):
        facts = _facts(step, strike, met.get(place, ()))
        if not strike.because:
            how = f"{facts['strength']} against {facts['defense']}"
            text = f"attack {strike.nth} of {facts['who']} on {facts['on']} hits"
            facts |= {"ruled": sums.pins(strike.key), "verdict": strike.key}
            facts["hit"] = sums.claim(strike.key, text, facts["strength"] > facts["defense"], how, "K9")
            if facts["hit"]:
                hits.append(strike)
        rows.append(facts)
    landed = (Event(kind="blows", to=EVERYONE, facts={"rows": rows}, rule="K9"),) if rows else ()
    state, wounds, hurt = _hurt(step.state, hits)
    return state, wounds, (*landed, *hurt)


def _hands(step: Step, declared: Declared) -> Hands:
    """Return what a seat has in its hands: without dice taken away again, nor more damage than allowed."""
    seat = declared.seat
    dice = {letter: die for letter, die in declared.dice.items() if (seat, letter) not in step.lost}
    blows, chair = _allowed(step, declared, dice)
    guards = tuple(
        Defend(tuple(letter for letter in guard.dice if letter in dice), guard.vs) for guard in declared.guards
    )
    factors = set_factors(msgspec.structs.replace(declared, blows=blows, guards=guards), dice)
    boosts = step.state.house["sets_boost_damage"] == "yes"
    single = () if boosts else {letter for blow in blows for letter in blow.damage}
    counts = {letter: dice[letter].value * (1 if letter in single else factor) for letter, factor in factors.items()}
    return Hands(seat, dice, blows, guards, counts, declared.how, chair)


def _allowed(step: Step, declared: Declared, dice: Mapping[str, Die]) -> tuple[tuple[Attack, ...], int]:
    """
    Return a seat's attacks with the dice that are still there, turned on a binder, without damage dice too many.

    Shape: and the attack that has the damage die of a big item, counted from 1; 0 where none has.
    Rule: K10, K19, K20, K21, K-bb, K-oo, K-pp.
    """
    binder = step.bound.get(declared.seat, "")
    big = step.state.fighter(declared.seat).item == "big"
    blows: list[Attack] = []
    chair = 0
    for place, blow in enumerate(declared.blows):
        is_turned = binder and (place == 0 or step.state.house["bind"] == "all")
        attack = tuple(letter for letter in blow.dice if letter in dice)
        damage = tuple(letter for letter in blow.damage if letter in dice)
        most = len(attack) + ((declared.seat, place + 1) in step.charges)
        if big and not chair and len(damage) > most:
            most, chair = most + 1, place + 1  # one thing in hand, and so one attack that gains by it
        blows.append(Attack(binder if is_turned else blow.on, attack, damage[:most]))
    return tuple(blows), chair


def _strikes(state: State, hands: Hands) -> list[Strike]:
    """Return a seat's attacks, each with what it comes to. Rule: K-ss, for the item."""
    me = state.fighter(hands.seat)
    found: list[Strike] = []
    for place, blow in enumerate(hands.blows, 1):
        damage = hands.counted(blow.damage)
        if hands.how != "listed":
            damage = tuple(sorted(damage, key=lambda one: -one[1] if hands.how == "high" else one[1]))
        strength = me.base_attack + me.advantage + hands.worth(blow.dice)
        because = _void(state, me, state.fighter(blow.on), blow)
        dice = hands.counted(blow.dice)
        found.append(Strike(
            seat=hands.seat, nth=place, on=blow.on, strength=strength, dice=dice, damage=damage,
            item=me.item if hands.chair in (0, place) else "", because=because,
        ))  # fmt: skip
    return found


def _void(state: State, me: Fighter, other: Fighter, blow: Attack) -> str:
    """Say why an attack cannot be made, or "". Rule: K10, K-m, K-w, K-nn, K-aa."""
    if not blow.dice:
        return "no die is left for the attack"
    if not blow.damage:
        return "no die is left for damage"
    if me.away:
        return f"{me.name} is not back in the fight"
    if other.gone:
        return f"{other.name} has left"
    if other.down and state.house["hit_downed"] == "no":
        return f"{other.name} is down"
    if not other.down and other.away:
        return f"{other.name} is not back in the fight"
    return f"{other.name} fights elsewhere" if me.group != other.group else ""


def _met(step: Step, hands: Mapping[str, Hands], strikes: Sequence[Strike]) -> dict[int, tuple[tuple[str, int], ...]]:
    """Return the dice of the defense that meets an attack. Rule: K11, K-h, K-i, K-j, K-bb."""
    met: dict[int, tuple[tuple[str, int], ...]] = {}
    for seat, mine in hands.items():
        coming = [place for place, one in enumerate(strikes) if one.on == seat and not one.because]
        guards = [(guard, guard.vs, False) for guard in mine.guards]
        if binder := step.bound.get(seat):
            bound = len(guards) if step.state.house["bind"] == "all" else 1
            guards = [(guard, binder, True) for guard, _, _ in guards[:bound]] + guards[bound:]
        if step.state.house["match"] == "strong_strong":
            coming.sort(key=lambda place: -strikes[place].strength)
            guards.sort(key=lambda one: (not one[2], -mine.worth(one[0].dice)))
        left: list[Defend] = []
        for guard, vs, is_bound in guards:
            theirs = [place for place in coming if vs and strikes[place].seat == vs]
            if theirs:
                stopped = _stopped(step.state, mine, guard, strikes, theirs)
                place = theirs[0] if stopped is None else stopped
                met[place] = mine.counted(guard.dice)
                coming.remove(place)
            elif not is_bound:
                left.append(guard)
        met |= {place: mine.counted(guard.dice) for place, guard in _paired(step.state, mine, left, strikes, coming)}
    return met


def _paired(
    state: State, mine: Hands, guards: Sequence[Defend], strikes: Sequence[Strike], coming: Sequence[int]
) -> list[tuple[int, Defend]]:
    """Pair attacks with defenses that are for whoever comes: first those that stop one. Rule: K-i, K-h."""
    pairs: list[tuple[int, Defend]] = []
    idle: list[Defend] = []
    open_ = list(coming)
    for guard in guards:
        place = _stopped(state, mine, guard, strikes, open_)
        if place is None:
            idle.append(guard)
        else:
            pairs.append((place, guard))
            open_.remove(place)
    return [*pairs, *zip(open_, idle, strict=False)]


def _stopped(state: State, mine: Hands, guard: Defend, strikes: Sequence[Strike], coming: Sequence[int]) -> int | None:
    """Return the strongest attack that a defense stops, or None; by arrival, the first that comes. Rule: K-i."""
    me = state.fighter(mine.seat)
    defense = me.base_defense + me.maneuver + mine.worth(guard.dice)
    takes_any = state.house["match"] == "arrival"
    return next((place for place in coming if takes_any or strikes[place].strength <= defense), None)


def _facts(step: Step, strike: Strike, guard: Sequence[tuple[str, int]]) -> Facts:
    me, other = step.state.fighter(strike.seat), step.state.fighter(strike.on)
    return {
        "seat": strike.seat,
        "who": me.name,
        "on": other.name,
        "nth": strike.nth,
        "base": me.base_attack,
        "advantage": me.advantage,
        "dice": [list(one) for one in strike.dice],
        "damage": [list(one) for one in strike.damage],
        "strength": strike.strength,
        "base_defense": other.base_defense,
        "maneuver": other.maneuver,
        "guard": [list(one) for one in guard],
        "defense": other.base_defense + other.maneuver + sum(value for _, value in guard),
        "because": strike.because,
        "hit": False,
        "ruled": False,
        "bound": step.bound.get(strike.seat) == strike.on,
    }


def _hurt(state: State, hits: Sequence[Strike]) -> tuple[State, tuple[Wound, ...], tuple[Event, ...]]:
    """Take the damage of all hits off, those of the fastest first; one uses an item up. Rule: K21, K24, K-ss."""
    fighters = dict(state.by_seat)
    wounds: list[Wound] = []
    events: list[Event] = []
    spent: set[str] = set()
    for strike in hits:
        item: Item = "" if strike.seat in spent else strike.item
        spent |= {strike.seat} if item else set()
        before = fighters[strike.on]
        after, steps = before, []
        for label, value in strike.damage:
            hurt = hit(state, after, value, item)
            steps.append({"die": label, "value": value, "endurance": after.endurance - hurt.endurance,
                          "health": after.health - hurt.health,
                          "past": -BUFFER - min(-BUFFER, _struck(state, after, value, item)[1])})  # fmt: skip
            after = hurt
        fighters[strike.on] = after
        wounds.append(Wound(before, after))
        facts = {
            "seat": strike.on, "who": fighters[strike.seat].name, "on": before.name, "item": item, "steps": steps,
            "endurance": [before.endurance, after.endurance], "health": [before.health, after.health],
        }  # fmt: skip
        events.append(Event(kind="hurt", to=EVERYONE, facts=facts, rule="K21" if item else "K24"))
    for seat in spent:
        fighters[seat] = msgspec.structs.replace(fighters[seat], item="")
    return msgspec.structs.replace(state, fighters=tuple(fighters.values())), tuple(wounds), tuple(events)


def hit(state: State, one: Fighter, value: int, item: Item) -> Fighter:
    """
    Return a fighter after one damage die; nobody falls below the end of the Buffer.

    Rule: K21, K24, K28, K-f, K-g, K-ff.
    """
    endurance, health = _struck(state, one, value, item)
    return msgspec.structs.replace(one, endurance=endurance, health=max(-BUFFER, health))


def _struck(state: State, one: Fighter, value: int, item: Item) -> tuple[int, int]:
    """Return Endurance and Health after one damage die, as if the Buffer had no end."""
    if item:
        return max(0, one.endurance - 1), one.health - value
    if one.endurance >= value:
        return one.endurance - value, one.health - (state.house["boxing"] == "no")
    return 0, one.health - (value - one.endurance)
