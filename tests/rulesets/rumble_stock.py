"""Stock scenes of Rumble in which any two powers that differ come out otherwise: rounds, what came before, an auction."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Outcome, Refused, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.powers.engine.active_abilities import used_ability
from pbem.rulesets.rumble.powers.language import lines

DICE = Dice(b"a seed for every stock scene here")
HEROES = {"ada": "Ada", "bo": "Bo", "cy": "Cy", "di": "Di"}
ROBIN = Seat("sidekick_P05")
GUN = "cost: spend 1\nchoose: T = hero\ndo: deal 4 to T"
LASER = GUN + " unblockable"
FOG = GUN + " from nobody"
POWERS = (
    Power(2, "Cape", "It gives 4, and 6.", owner="bo", strength=10),
    Power(3, "Gun", "Bang.", owner="cy", strength=30, lines=GUN),
    Power(4, "Laser", "Zing.", owner="ada", strength=7, lines=LASER),
    Power(5, "Robin", "A Sidekick.", owner="ada", strength=3, lines="when: won\ndo: sidekick 40"),
    Power(6, "Galactic Ray Gun", "It is there.", owner="ada", strength=40),
    Power(7, "Drone", "A Sidekick.", owner="cy", strength=2, lines="when: won\ndo: sidekick 40"),
    Power(8, "Fog", "It creeps.", owner="di", strength=9, lines=FOG),
    Power(9, "Hood", "It is worn.", owner="bo", strength=5),
    Power(10, "Galactic Helm", "It is there.", owner="ada", strength=1),
    Power(11, "Flame", "It burns.", owner="ada", strength=1, lines="cost: burn X\ndo: defence(me) += X"),
    Power(
        12,
        "Cannon",
        "Boom.",
        owner="cy",
        strength=50,
        lines="cost: spend X\nchoose: T = hero\ndo: deal X to T unblockable",
    ),
)
"""What there is beside the power that is tried, which is P01 and Ada's."""


class Stock(msgspec.Struct, frozen=True):
    """
    A round to begin with, and what is ordered in it and in the two that follow.

    Shape: `ada` is what Ada orders beside the use of her power, which she has `uses` times; `energy` is what heroes have
    if it is not 100, `out` are those who have fallen, `without` powers that nobody has, `spent`, `used` and `fired` what has become of the power so far.
    """

    orders: Mapping[str, str]
    energy: Mapping[str, int] = {}
    uses: int = 1
    round: int = 2
    attacked: Mapping[str, tuple[str, ...]] = {}
    spent: int = 0
    used: int = 0
    fired: int = 0
    house: Mapping[str, str] = {}
    out: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


GALACTIC = ("Galactic Helm", "Galactic Ray Gun")
STOCK = (
    # three on one, and one on three
    Stock({
        "ada": "attack Bo 12; attack Cy 9; attack Di 2; defend 20; sidekick Robin: attack Cy 3; defend 0",
        "bo": "attack Ada 33; attack Robin 2; defend 4", "cy": "attack Ada 21; attack Di 8; defend 6",
        "di": "attack Ada 7; defend 3",
    }),
    # nobody is attacked
    Stock({"ada": "defend 20", "bo": "defend 9", "cy": "defend 30", "di": "defend 1"}),
    # Ada attacks one, alone
    Stock({"ada": "attack Bo 25; defend 10", "bo": "defend 9", "cy": "defend 30", "di": "defend 1"}, without=GALACTIC),
    # damage by powers, past Defence, from nobody; a second use, a second blow of Ada's
    Stock({
        "ada": "use Laser on Bo; use Laser on Di; attack Bo 8; attack Cy 30; defend 5", "bo": "attack Ada 10; defend 30",
        "cy": "use Gun on Ada; use Gun on Ada; use Gun on Bo; attack Ada 25; attack Robin 5; defend 2",
        "di": "use Fog on Ada; attack Bo 5; defend 40",
    }, uses=2),
    Stock({"ada": "use Laser on Bo; attack Bo 12; defend 5", "bo": "defend 2", "di": "use Fog on Ada; use Fog on Ada x5; defend 40"}),
    # a tie, of all, and one Attack each
    Stock({
        "ada": "attack Bo 15; defend 15", "bo": "attack Cy 15; defend 15", "cy": "attack Di 15; defend 15",
        "di": "attack Ada 15; defend 15",
    }, energy={"ada": 60, "bo": 60, "cy": 60, "di": 60, ROBIN: 60}),
    # Ada is left on 5; two Attacks that come to her Defence
    Stock({
        "ada": "attack Di 2; attack Cy 2; defend 4", "bo": "attack Ada 14; defend 9", "di": "defend 50",
    }, energy={"ada": 15}),
    # what Ada attacks with is stopped, and not what others do
    Stock({"ada": "attack Bo 12; defend 3", "bo": "defend 15", "cy": "attack Bo 40; attack Ada 2", "di": "defend 5"},
        attacked={"ada": ("bo",)}, spent=40),
    # Ada falls, and so does Bo; by an Attack, by powers, and by what she burns herself
    Stock({
        "ada": "attack Bo 15; attack Cy 5; defend 2", "bo": "attack Ada 40", "cy": "attack Ada 9; attack Bo 60",
        "di": "attack Cy 11",
    }, energy={"ada": 30, "bo": 50}),
    Stock({
        "ada": "attack Di 1", "bo": "attack Di 5", "cy": "use Gun on Ada; attack Ada 60", "di": "attack Cy 11",
    }, energy={"ada": 55}, without=GALACTIC),
    Stock({"ada": "defend 15", "cy": "use Cannon on Ada X=30; attack Ada 20", "bo": "defend 5"}, energy={"ada": 40}),
    Stock({"ada": "use Flame X=30; confirm", "bo": "attack Di 5", "cy": "defend 9", "di": "attack Cy 11"}, energy={"ada": 30}),
    # all others fall
    Stock({
        "ada": "attack Bo 15; attack Cy 15; attack Di 15; attack Drone 15", "bo": "attack Ada 5", "cy": "attack Ada 5",
    }, energy={"bo": 5, "cy": 5, "di": 5, "sidekick_P07": 5}, round=5, attacked={"ada": ("bo",), "bo": ("ada",)}, spent=40),
    # damage from nobody alone, and a source that attacks others more
    Stock({"ada": "defend 1", "di": "use Fog on Ada; defend 40"}),
    Stock({"ada": "defend 1", "di": "use Fog on Ada"}, out=("bo", "cy", ROBIN, "sidekick_P07"), round=5,
        attacked={"di": ("ada",)}, spent=40),
    Stock({"ada": "defend 5", "cy": "attack Ada 20; attack Di 60"}, energy={"ada": 50}),
    # two heroes, and an Attack of one of them alone
    Stock({"ada": "defend 2", "bo": "attack Ada 9"}, out=("cy", "di", ROBIN, "sidekick_P07")),
    Stock({"ada": "attack Bo 9; defend 9", "bo": "defend 2"}, out=("cy", "di", ROBIN, "sidekick_P07")),
    Stock({"ada": "attack Bo 9; defend 1", "bo": "attack Ada 12"}, out=("cy", "di", ROBIN, "sidekick_P07")),
    Stock({"ada": "defend 4", "bo": "attack Ada 14", "cy": "defend 9", "di": "defend 9"}),
    # the first round
    Stock({"ada": "attack Bo 9; defend 9", "bo": "attack Ada 12", "cy": "defend 3", "di": "attack Bo 3"}, round=1),
    # much came before: what was spent, used, counted, and who attacked whom
    Stock({
        "ada": "attack Cy 22; defend 11", "bo": "attack Di 5; defend 9", "cy": "attack Ada 14", "di": "attack Cy 31",
    }, round=5, attacked={"ada": ("bo",), "bo": ("ada", "cy"), "di": ("ada",)}, spent=75, used=1, fired=1),
    # round 12, and a house of other ways
    Stock({
        "ada": "attack Bo 20; attack Di 21; defend 30; sidekick Robin: attack Bo 9", "bo": "attack Ada 55; attack Cy 9",
        "cy": "use Gun on Ada; attack Ada 12; attack Drone 3", "di": "attack Ada 5; defend 12",
    }, round=11, house={
        "sidekick_is_player": "no", "power_damage_blockable": "no", "modifier_order": "add_mul_set", "round": "up",
        "burn_is_damage": "yes", "zero_attacks": "yes", "orphan_effects": "none",
    }),
    Stock({
        "ada": "use Flame X=3; attack Bo 0; defend 0", "bo": "attack Ada 0", "cy": "use Gun on Ada", "di": "defend 12",
    }, house={"zero_attacks": "yes", "burn_is_damage": "yes"}),
)  # fmt: skip


def came_out(formal: str) -> Iterator[Any]:
    """Yield what can be seen of a power with these lines, scene by scene: what may be ordered, and what comes of it."""
    power = Power(1, "Tried", "It is tried.", owner="ada", strength=20, lines=formal)
    yield from _sold(power)
    for stock in STOCK:
        state = _laid(stock, power)
        uses = _uses(state)
        yield uses
        for use in uses or ("",):
            yield [*_rounds(state, stock, use)]


def differ(one: str, other: str) -> bool:
    """Say whether any stock scene tells the lines of two powers apart."""
    return any(a != b for a, b in zip(came_out(one), came_out(other), strict=False))


def _laid(stock: Stock, power: Power) -> State:
    heroes = [(Seat(seat), name, "") for seat, name in HEROES.items()]
    heroes += [(ROBIN, "Robin", "P05"), (Seat("sidekick_P07"), "Drone", "P07")]
    held = msgspec.structs.replace(power, spent=stock.spent, used=stock.used, fired=stock.fired)
    others = [one for one in POWERS if one.owner not in stock.out and one.name not in stock.without]
    return State(
        phase="round", round=stock.round, house={**DEFAULTS, "left_over": "idle", **stock.house}, powers=(held, *others),
        heroes=tuple(
            Hero(
                seat, name, 0 if seat in stock.out else stock.energy.get(seat, 100), 1 if seat in stock.out else -1,
                2 if seat in stock.out else 0, power=key, attacked=stock.attacked.get(seat, ()),
            )
            for seat, name, key in heroes
        ),
    )  # fmt: skip


def _uses(state: State) -> tuple[str, ...]:
    """Return all orders to use the power that are taken, on whomever and whatever it may be turned."""
    ability = used_ability(state.card("P01"))
    if ability is None:
        return ()
    heroes, powers = [hero.name for hero in state.heroes], [power.key for power in state.powers]
    pays = any(isinstance(price, lines.Pay) for price in ability.costs)
    aims = [""]
    if pays:
        aims = [f" discarding {one}" for one in powers]
    elif ability.choices:
        aims += [f" on {one}" for one in (*heroes, *powers)]
    if len(ability.choices) > 1:
        named = [powers if choice.what in ("power", "use") else heroes[:4] for choice in ability.choices[:2]]
        aims = [f" on {one} to {other}" for one, other in product(*named)]
    said = [f"use P01{aim}{x}{more}" for x in ("", " X=9") for aim in aims for more in ("", " x2")]
    said += ["use P01 discarding P06; use P01 discarding P10"] if pays else []
    said += ["captions: KRAK, THWIP", "never use P01"]
    return tuple(one for one in dict.fromkeys(said) if _taken(state, one.split("; ")))


def _taken(state: State, said: Sequence[str], seat: str = "ada") -> tuple[Any, ...] | None:
    if state.phase != "round":
        parsed = RULESET.parse(state, Seat(seat), [OrderLine(n, line) for n, line in enumerate(said, 1)])
        return None if parsed.complaints or RULESET.check(state, Seat(seat), parsed.orders) else tuple(parsed.orders)
    found = [ROUNDS.read(state, seat, line) for line in said]
    orders = tuple(order.at(n) for n, order in enumerate(found, 1) if not isinstance(order, Refused))
    if len(orders) < len(found):
        return None
    return None if RULESET.check(state, Seat(seat), orders) else orders


def _rounds(state: State, stock: Stock, use: str) -> Iterator[Any]:
    """Play three rounds alike, with the use in the first two, as far as there is Energy for it all."""
    for place in range(3):
        sets = {}
        for seat in state.playing:
            said = [line for line in stock.orders.get(seat, "").split("; ") if line]
            if seat == "ada" and use and place < 2:
                said = [*use.split("; ") * (stock.uses if use.startswith("use") else 1), *said]
            while (taken := _taken(state, said, seat)) is None:
                said = said[:-1]
            sets[Seat(seat)] = taken
        outcome: Outcome[State] = RULESET.adjudicate(state, sets, Given(), DICE)
        yield _seen(outcome)
        state = outcome.state
        if outcome.result:
            return


def _seen(outcome: Outcome[State]) -> Any:
    state = outcome.state
    powers = [msgspec.structs.replace(one, lines="") if one.key == "P01" else one for one in state.powers]
    verdicts = {one.key: one.value for one in outcome.verdicts}
    return verdicts, outcome.result, msgspec.structs.replace(state, powers=tuple(powers), chart=())


def _sold(power: Power) -> Iterator[Any]:
    """Yield what comes of winning the power, with each wish that is taken, and in a house that counts all bids."""
    pool = tuple(msgspec.structs.replace(one, owner="", strength=0) for one in (power, *POWERS[:3]))
    heroes = tuple(Hero(Seat(seat), name, 100) for seat, name in HEROES.items())
    wishes = ("", ", if win give to Bo", ", if win give to Cy", ", if win double 4 in Cape", ", if win halve 6 in Cape")
    for peb in ("winning", "all"):
        state = State(phase="auction", house={**DEFAULTS, "peb": peb}, powers=pool, heroes=heroes)
        for wish in wishes:
            said = [f"bid P01 20{wish}", "bid P02 7", "bid P04 3"]
            taken = _taken(state, said)
            orders = {Seat("ada"): taken or (), Seat("bo"): _taken(state, ["bid P02 4", "bid P03 5"], "bo") or ()}
            yield taken is None or _seen(RULESET.adjudicate(state, orders, Given(), DICE))
