"""What the shapes of a round mean for a seat: orders, as far as they can be told apart from their words."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from pbem.ruleset import REASON, Elided, Meaning, Refused
from pbem.rulesets.rumble.language.words import FIGURES, JOINTS, SIGNS, TESTS
from pbem.rulesets.rumble.model.order import (
    Ask,
    Attack,
    Block,
    Captions,
    Confirm,
    Defend,
    Discard,
    Hold,
    Idle,
    If,
    Move,
    Name,
    Never,
    Packets,
    Pass,
    Plan,
    Resign,
    Test,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders.plans import INCOMING, REST
from pbem.rulesets.rumble.orders.shares import Share
from pbem.rulesets.rumble.orders.writing import write_plan
from pbem.rulesets.rumble.powers.engine.active_abilities import (
    allocates_later,
    does,
    is_named_for_nothing,
    used_ability,
)
from pbem.rulesets.rumble.powers.engine.prices import priced
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.forms import Formed

ON_BOTH = Refused(
    "ambiguous",
    "Is the power used on both, or is the second an attack? Write use POWER on NAME for each, or attack NAME 20.",
    "R12",
)


class Used(msgspec.Struct, frozen=True):
    """
    A use as it was written, not yet held against the power.

    Shape: `figures` are pairs of what and how much, as ("burn", 10); `named` pairs of "hero" or "power" and its key.
    """

    power: str
    figures: tuple[tuple[str, int], ...] = ()
    named: tuple[tuple[str, str], ...] = ()


class Again(msgspec.Struct, frozen=True):
    """An amount that is to be added to the order right before it: and another 5."""

    number: int


class Past(msgspec.Struct, frozen=True):
    """An order of a phase that is over."""


class Commanded(msgspec.Struct, frozen=True):
    """Orders for a Sidekick as they were written; `seat` is "" where nobody says whose they are."""

    seat: str
    text: str


class Meanings:
    """What the shapes of a round mean for a seat, where that is no record with the slots as its fields."""

    def __init__(self, state: State, seat: str) -> None:
        """Take the game as it stands, and who writes."""
        self.state, self.seat = state, seat

    def all(self) -> dict[str, Callable[..., Meaning | None]]:
        """Return what each act means."""
        signs = {name: (lambda sign=sign: sign) for name, sign in SIGNS.items()}
        tests = {act: (lambda kind=kind, **slots: Test(kind, **slots)) for act, kind in TESTS.items()}
        figures = {name: (lambda n, name=name: (name, n)) for name in FIGURES}
        between = {name: (lambda word=word: word) for name, word in JOINTS.items()}
        return {
            **signs,
            **tests,
            **figures,
            **between,
            "acts": lambda more, **last: _in_order((*(order for acts in more for order in acts), *last.values())),
            "glued": lambda more: _glued([order for acts in more for order in acts]),
            "alone": lambda order, why="": (order,),
            "why": lambda why: REASON,
            "named": lambda order: (order,),
            "again": lambda more: (Again(more),),
            "further": lambda on, amount: Attack(on, amount, also=True),
            "guarding": lambda amount: Defend(amount, also=True),
            "each": lambda on, amount: tuple(Attack(one, amount) for one in on),
            "guard": _guard,
            "all": self.all_foes,
            "attack": Attack,
            "defend": Defend,
            "hold": Hold,
            "elided": lambda on, amount: Elided(Attack(on, amount)),
            "divided": lambda share, on: Elided(Share(share, on)),
            "share": lambda share, on="": Share(share, on),
            "rest": lambda: "rest",
            "half": lambda: "half",
            "also": _also,
            "besides": lambda order: _also(order.order),
            "idle": lambda amount=-1: Idle(amount),
            "block": Block,
            "largest": lambda: "largest",
            "smallest": lambda: "smallest",
            "evenly": lambda: Block("evenly"),
            "first": lambda first: Block("first", first),
            "points": lambda points, first: Block("points", first, points),
            "use": self.use,
            "used": self.used,
            "either": lambda n: ("cost", n),
            "given": lambda power, named: self.use(power, named=(named,)),
            "never": Never,
            "move": lambda amount, on="": Move(-1 if amount == "all" else amount, on),
            "whole": lambda: "all",
            "packets": lambda first: Packets(tuple(dict.fromkeys(first))),
            "ignored": lambda on: self.answer(lines.IgnoreAttack, (("hero", on),)),
            "disarmed": lambda foe, named: self.answer(lines.Discard, named),
            "second": lambda on: self.answer(lines.OnDamage, (("hero", on),)),
            "ask": lambda power="": Ask(power),
            "plan": self.plan,
            "planned": self.planned,
            "precog": self.precog,
            "incoming": lambda: Defend(INCOMING),
            "remainder": lambda on: Attack(on, REST),
            "guards": lambda: Defend(REST),
            "turned": self.turned,
            "captions": lambda words, on="": Captions(words, on),
            "discard": Discard,
            "confirm": Confirm,
            "pass": Pass,
            "resign": Resign,
            "name": Name,
            "command": lambda orders, whose="": Commanded(whose, orders),
            "unnamed": self.unnamed,
            "nobodys": lambda text: None if self.state.sidekicks(self.seat) else Commanded("", text),
            "past": lambda text: Past(),
            "called": lambda name, whose="": Commanded(whose, f"name: {name}"),
            "hero": lambda on: ("hero", on),
            "power": lambda power: ("power", power),
            "me": lambda: self.seat,
        }

    def unnamed(self, orders: str) -> Commanded | None:
        """Return orders for a Sidekick called by what it is, as before it had a name. Rule: N11."""
        is_name = any(hero.name.casefold() == "sidekick" for hero in self.state.sidekicks(self.seat))
        return None if is_name else Commanded("", orders)

    def use(
        self,
        power: str,
        figures: tuple[tuple[str, int], ...] = (),
        named: tuple[tuple[str, str], ...] = (),
        joint: tuple[str, ...] = (),
    ) -> Used | None:
        """Return the use of a power that names what its ability chooses. Rule: R12."""
        is_once = len(dict(figures)) == len(figures)
        return Used(power, figures, named) if is_once and _fits(self.state.card(power), named) else None

    def used(
        self, power: str, named: tuple[str, str] | None = None, paid: tuple[str, int] | None = None
    ) -> Used | None:
        """Return the use of a power as people speak of it: its cost is Spend or Burn, as it takes. Rule: R12, R14."""
        names = () if named is None else (named,)
        if paid is None or paid[0] != "cost":
            return self.use(power, (paid,) if paid else (), names)
        on, card = (names[0][1] if names else ""), self.state.card(power)
        kinds = [kind for kind in ("spend", "burn") if kind in card.text.casefold()]
        uses = ((kind, _paying(Use(power, on), kind, paid[1])) for kind in kinds)
        fitting = [kind for kind, use in uses if not isinstance(priced(self.state, self.seat, card, use), Refused)]
        likely = fitting or kinds
        return self.use(power, ((likely[0], paid[1]),), names) if len(likely) == 1 else None

    def all_foes(self, amount: int) -> tuple[Attack, ...]:
        """Return an Attack on each opponent. Rule: R6."""
        return tuple(Attack(str(one.seat), amount) for one in self.state.living if one.seat != self.seat)

    def answer(self, kind: type[Formed], named: tuple[tuple[str, str], ...]) -> Used | None:
        """Return the use of the power that does some thing, where the line says what it does and not its name."""
        mine = [one for one in self.state.owned(self.seat) if does(one, kind) and is_named_for_nothing(one)]
        return self.use(mine[0].key, named=named) if mine else None

    def plan(self, power: str, text: str) -> Plan | None:
        """Return a plan in words, of a power that the moderator carries out. Rule: R16."""
        return None if allocates_later(self.state.card(power)) else Plan(power, text)

    def planned(self, steps: Any, power: str = "") -> Plan | None:
        """Return the plan of the power that allocates later, or None where a step is none. Rule: R16, A27."""
        steps = steps if isinstance(steps, tuple) else (steps,)
        is_plan = all(_is_step(step) for step in steps)
        later = [one.key for one in self.state.owned(self.seat) if allocates_later(one) and power in ("", one.key)]
        return Plan(later[0], write_plan(self.state, steps), steps) if is_plan and later else None

    def precog(self, text: str) -> Plan | None:
        """Return the plan of a power that is called so, in words. Rule: R16."""
        mine = [one.key for one in self.state.owned(self.seat) if one.name.startswith("Precognition")]
        return self.plan(mine[0], text) if mine else None

    def turned(self, power: str, turning: str, on: str) -> If | None:
        """Return the use of a power that turns another on somebody else, where that is used on oneself. Rule: C1."""
        use = self.use(turning, named=(("power", power), ("hero", on)))
        return _guard((Test("targeted by", power=power),), use) if use else None


def _is_step(step: Any) -> bool:
    """Say whether something can stand in a plan: an Attack, a Defence, or these behind a condition. Rule: R16."""
    if isinstance(step, If):
        return all(isinstance(one, Attack | Defend) for one in (*step.then, *step.otherwise))
    return isinstance(step, Attack | Defend)


def _paying(use: Use, kind: str, amount: int) -> Use:
    return msgspec.structs.replace(use, **{kind: amount})


def _glued(orders: Sequence[Any]) -> tuple[Meaning, ...] | None:
    """Return orders with nothing between them; an amount behind the name of a power may be its cost. Rule: R12."""
    is_open = any(isinstance(order, Used) and not order.figures for order in orders[:-1])
    return None if is_open else _in_order(tuple(orders))


def _in_order(orders: tuple[Any, ...]) -> tuple[Meaning, ...] | None:
    """
    Return orders one behind another, each further amount as what adds to the order before it. Rule: A4.

    Shape: a hero with an amount right behind the use of a power may be another whom that is used on.
    """
    found: list[Any] = []
    for order in orders:
        if isinstance(order, Elided) and found and isinstance(found[-1], Used):
            return (ON_BOTH,)
        if isinstance(order, Again):
            last = found[-1] if found else None
            if not isinstance(last, Attack | Defend | Hold):
                return None
            found.append(msgspec.structs.replace(last, amount=order.number, also=True))
        else:
            found.append(order)
    return tuple(found)


def _also(order: Meaning) -> Meaning | None:
    """Return an order that is meant besides another like it. Rule: A4."""
    return msgspec.structs.replace(order, also=True) if isinstance(order, Attack | Defend | Hold) else None


def _guard(tests: tuple[Test, ...], then: Any, otherwise: tuple[Any, ...] = ()) -> If:
    """Return orders behind a condition, or the one order before it. Rule: A28."""
    return If(tests, then if isinstance(then, tuple) else (then,), otherwise)


def _fits(power: Power, named: Sequence[tuple[str, str]]) -> bool:
    """Say whether a use names what the power's ability chooses: heroes, where nothing is known of it."""
    ability = used_ability(power)
    kinds = ["power" if choice.what in ("power", "use") else "hero" for choice in ability.choices] if ability else []
    if ability and ability.optional:
        kinds = (kinds or ["hero"]) * len(named)
    return all(kind == what for kind, (what, _) in zip([*kinds, *["hero"] * len(named)], named, strict=False))
