"""What the shapes of a round mean for a seat: orders, as far as they can be told apart from their words."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from pbem.ruleset import Elided, Meaning
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
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.forms import Formed


class Used(msgspec.Struct, frozen=True):
    """
    A use as it was written, not yet held against the power.

    Shape: `figures` are pairs of what and how much, as ("burn", 10); `named` pairs of "hero" or "power" and its key.
    """

    power: str
    figures: tuple[tuple[str, int], ...] = ()
    named: tuple[tuple[str, str], ...] = ()


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
            "acts": lambda more, **last: (*(order for acts in more for order in acts), *last.values()),
            "alone": lambda order: (order,),
            "each": lambda on, amount: tuple(Attack(one, amount) for one in on),
            "guard": _guard,
            "all": self.all_foes,
            "attack": Attack,
            "defend": Defend,
            "hold": Hold,
            "elided": lambda on, amount: Elided(Attack(on, amount)),
            "share": lambda share, on="": Share(share, on),
            "rest": lambda: "rest",
            "half": lambda: "half",
            "also": _also,
            "idle": lambda amount=-1: Idle(amount),
            "block": Block,
            "largest": lambda: "largest",
            "smallest": lambda: "smallest",
            "evenly": lambda: Block("evenly"),
            "first": lambda first: Block("first", first),
            "points": lambda points, first: Block("points", first, points),
            "use": self.use,
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
            "hero": lambda on: ("hero", on),
            "power": lambda power: ("power", power),
            "me": lambda: self.seat,
        }

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

    def planned(self, steps: tuple[Any, ...], power: str = "") -> Plan | None:
        """Return the plan of the power that allocates later, or None where a step is none. Rule: R16, A27."""
        is_plan = all(_is_step(step) for step in steps)
        later = [one.key for one in self.state.owned(self.seat) if allocates_later(one) and power in ("", one.key)]
        return Plan(later[0], write_plan(self.state, steps)) if is_plan and later else None

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
