"""What may be written in a round: the tables, whom and what it can name, and the order that it means. Rule: R5."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

import msgspec

from pbem.ruleset import Elided, Language, Meaning, Names, Noun, Numbers, Shapes, Token, WordClasses, table, written
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.genres.genre import Genre
from pbem.rulesets.rumble.model.names import written as said
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
    Sign,
    Test,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders.captions import plain_word
from pbem.rulesets.rumble.orders.plans import INCOMING, REST
from pbem.rulesets.rumble.orders.shares import Share
from pbem.rulesets.rumble.orders.writing import write_plan
from pbem.rulesets.rumble.powers.engine.active_abilities import (
    allocates_later,
    does,
    is_named_for_nothing,
    used_ability,
)
from pbem.rulesets.rumble.powers.engine.prices import joints, priced
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.forms import Formed

SHAPES = Shapes(table("pbem.rulesets.rumble.language", "rounds.shapes"))
WORDS = WordClasses(table("pbem.rulesets.rumble.language", "rounds.words"))


class Text:
    """Whatever stands there to the end of its line."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield all that is left, as it was written."""
        if place < len(tokens) and tokens[place].kind != "mark":
            yield len(tokens), written(tokens[place:])

    def write(self, text: Any) -> str | None:
        """Write a text as it is."""
        return text if isinstance(text, str) else None


class Caption:
    """A word that is shouted (C31), which no other word of such a line can be."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield a word as it is remembered, with the noise behind it."""
        if place < len(tokens) and tokens[place].kind == "word" and not WORDS.has("ON", tokens[place].text):
            noise = sum(1 for _ in takewhile(lambda token: token.text in ("!", "."), tokens[place + 1 :]))
            yield place + 1 + noise, plain_word(written(tokens[place : place + 1]))

    def write(self, word: Any) -> str | None:
        """Write a word as it is."""
        return word if isinstance(word, str) else None


class Ex:
    """What X is: X=20 (A29)."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield the number behind the sign."""
        if [token.text for token in tokens[place : place + 2]] == ["x", "="]:
            yield from _NUMBERS.spans(tokens, place + 2)

    def write(self, number: Any) -> str | None:
        """Write it as X=20."""
        return f"X={number}" if isinstance(number, int) else None


class Times:
    """How often a power is used: x2, 2x, twice, three times (R13)."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
        """Yield how often, where it stands before a number, behind it, or in a word."""
        texts = [token.text for token in tokens[place : place + 2]]
        for name, many in (("ONCE", 1), ("TWICE", 2), ("THRICE", 3)):
            if texts and WORDS.has(name, texts[0]):
                yield place + 1, many
        if texts and WORDS.has("TIMES", texts[0]):
            yield from _NUMBERS.spans(tokens, place + 1)
        for end, many in _NUMBERS.spans(tokens, place):
            if end < len(tokens) and WORDS.has("TIMES", tokens[end].text):
                yield end + 1, many

    def write(self, many: Any) -> str | None:
        """Write it as x2."""
        return f"x{many}" if isinstance(many, int) else None


_NUMBERS = Numbers()
NOUNS = ("number", "foe", "hero", "power", "powers", "text", "caption", "times", "ex", "called")
SHORTEST_CALL = 3
"""The letters that somebody is called by where no word says that they are attacked."""
_SIGNS: Mapping[str, Sign] = {"under": "<", "most": "<=", "is": "=", "least": ">=", "over": ">"}
_TESTS = {
    "always": "always", "dies": "would die", "falls": "would be out", "targeted": "targeted by", "uses": "uses",
    "attacked": "attacked by", "out": "out", "stays": "in", "mine": "my energy", "left": "heroes left",
    "coming": "incoming", "damage": "damage", "energy": "energy", "from": "attack from",
}  # fmt: skip
"""The kinds of tests, by the acts of their shapes."""


_FIGURES = ("x", "spend", "burn", "drain", "times")
_JOINTS = {
    "on": "on", "against": "against", "aiming": "targeting", "price": "discarding", "to": "to", "then": "then",
}  # fmt: skip
"""The words between a power and what its use names, by the acts of their shapes."""


@lru_cache(maxsize=64)
def words_of(genre: Genre) -> WordClasses:
    """Return what is said in a genre. Rule: N14."""
    orders, also = genre.orders, genre.also
    said = {
        "ATTACK": (*orders.attack, *also.attack),
        "DEFEND": (*orders.defend, genre.defence, *also.defence),
        "USE": orders.use,
        "HOLD": orders.hold,
        "PLAN": orders.plan,
        "BLOCK": orders.block,
        "DISCARD": orders.discard,
        "ENERGY": (genre.energy, genre.one_energy, *also.energy),
        "HEROES": (genre.heroes, *also.hero),
        "ATTACKS": (genre.attack,),
        "ATTACKED": (genre.attacked,),
    }
    rows = (f"{name} {'_'.join(one.split())}" for name, words in said.items() for one in words if one)
    words = WORDS | WordClasses("\n".join(rows))
    SHAPES.check(words, NOUNS)
    return words


def language(state: State, seat: str) -> Language:
    """Return what a seat may write in a round as the game stands."""
    heroes = {str(hero.seat): hero.name for hero in state.heroes}
    foes = {str(hero.seat): hero.name for hero in state.living if hero.seat != seat}
    every = {power.key: power.name for power in state.powers}
    powers = {power.key: power.name for power in state.powers if power.in_play and power.owner}
    own = {power.key: power.name for power in state.owned(seat)}
    called = {key: said(key, heroes) for key in heroes} | {key: said(key, every) for key in every}
    nouns: dict[str, Noun] = {
        "number": _NUMBERS,
        "times": Times(),
        "ex": Ex(),
        "foe": Names(foes, called),
        "called": Names(foes, called, least=SHORTEST_CALL),
        "hero": Names(heroes, called),
        "power": Names(own, called),
        "powers": Names(powers, called),
        "text": Text(),
        "caption": Caption(),
    }
    return Language(
        words=words_of(genre_of(state.house)),
        shapes=SHAPES,
        nouns=nouns,
        acts=_Acts(state, seat).all(),
        parts=_parts(state),
        names=frozenset({*heroes.values(), *(power.name for power in state.powers)}),
    )


class _Acts:
    """What the shapes of a round mean for a seat, where that is no record with the slots as its fields."""

    def __init__(self, state: State, seat: str) -> None:
        self.state, self.seat = state, seat

    def all(self) -> dict[str, Callable[..., Meaning | None]]:
        """Return what each act means."""
        signs = {name: (lambda sign=sign: sign) for name, sign in _SIGNS.items()}
        tests = {act: (lambda kind=kind, **slots: Test(kind, **slots)) for act, kind in _TESTS.items()}
        figures = {name: (lambda n, name=name: (name, n)) for name in _FIGURES}
        between = {name: (lambda word=word: word) for name, word in _JOINTS.items()}
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
            "first": lambda first: _block("first", first),
            "points": lambda points, first: _block("points", first, points),
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
    ) -> Use | None:
        """Return the use of a power that names what its ability chooses, with what it takes. Rule: R12, R14."""
        said = dict(figures)
        card = self.state.card(power)
        if len(said) < len(figures) or not _fits(card, [what for what, _ in named]):
            return None
        on, *then = [one for _, one in named] or [""]
        parts = {part: said.get(part, 0) for part in ("spend", "burn", "drain")}
        use = Use(power, on, x=said.get("x", -1), times=said.get("times", 1), then=tuple(then), **parts)
        found = priced(self.state, self.seat, card, use)
        if found is use and "spend" not in said and "burn" not in said:
            return msgspec.structs.replace(use, spend=max(0, use.x))
        return found if isinstance(found, Use) else None

    def all_foes(self, amount: int) -> tuple[Attack, ...]:
        """Return an Attack on each opponent. Rule: R6."""
        return tuple(Attack(str(one.seat), amount) for one in self.state.living if one.seat != self.seat)

    def answer(self, kind: type[Formed], named: tuple[tuple[str, str], ...]) -> Use | None:
        """Return the use of the power that does some thing, where the line says what it does and not its name."""
        mine = [one for one in self.state.owned(self.seat) if does(one, kind) and is_named_for_nothing(one)]
        return self.use(mine[0].key, named=named) if mine else None

    def plan(self, power: str, text: str) -> Plan | None:
        """Return a plan in words, of a power that the moderator carries out. Rule: R16."""
        return None if allocates_later(self.state.card(power)) else Plan(power, text)

    def planned(self, steps: tuple[Any, ...], power: str = "") -> Plan | None:
        """Return the plan of the power that allocates later, or None where a step is none. Rule: R16, A27."""
        is_plan = all(isinstance(step, Attack | Defend | If) for step in steps)
        later = [one.key for one in self.state.owned(self.seat) if allocates_later(one) and power in ("", one.key)]
        return Plan(later[0], write_plan(self.state, steps)) if is_plan and later else None

    def precog(self, text: str) -> Plan | None:
        """Return the plan of a power that is called so, in words. Rule: R16."""
        mine = [one.key for one in self.state.owned(self.seat) if one.name.startswith("Precognition")]
        return self.plan(mine[0], text) if mine else None

    def turned(self, power: str, turning: str, on: str) -> If | None:
        """Return the use of a power that turns another on somebody else, where that is used on oneself. Rule: C1."""
        use = self.use(turning, named=(("power", power), ("hero", on)))
        return If((Test("targeted by", power=power),), (use,)) if use else None


def _also(order: Meaning) -> Meaning | None:
    """Return an order that is meant besides another like it. Rule: A4."""
    return msgspec.structs.replace(order, also=True) if isinstance(order, Attack | Defend | Hold) else None


def _guard(tests: tuple[Test, ...], then: Any, otherwise: tuple[Any, ...] = ()) -> If:
    """Return orders behind a condition, or the one order before it. Rule: A28."""
    return If(tests, then if isinstance(then, tuple) else (then,), otherwise)


def _block(how: Any, first: tuple[str, ...], points: tuple[int, ...] = ()) -> Block | None:
    """Return a block line in which nobody is named twice. Rule: R9."""
    return Block(how, first, points) if len(set(first)) == len(first) else None


def _fits(power: Power, named: Sequence[str]) -> bool:
    """Say whether a use names what the power's ability chooses: heroes, where nothing is known of it."""
    ability = used_ability(power)
    kinds = ["power" if choice.what in ("power", "use") else "hero" for choice in ability.choices] if ability else []
    if ability and ability.optional:
        kinds = (kinds or ["hero"]) * len(named)
    return all(kind == what for kind, what in zip([*kinds, *["hero"] * len(named)], named, strict=False))


_NEVER_WRITTEN = (
    "given", "ignored", "disarmed", "second", "planned", "precog", "turned", "me", "elided", "share", "rest", "half",
    "all",
)  # fmt: skip
"""The acts of what is written as something else."""
_Parts = Callable[[Any], Mapping[str, Any] | None]


def _parts(state: State) -> dict[str, _Parts]:
    """Return the slots of what each act means, where that is no record with the slots as its fields."""
    signs = {name: _only(sign) for name, sign in _SIGNS.items()}
    between = {name: _only(word) for name, word in _JOINTS.items()}
    tests = {act: _test(kind) for act, kind in _TESTS.items()}
    figures = {name: _pair(name, "n") for name in _FIGURES}
    return {
        **signs,
        **between,
        **tests,
        **figures,
        "also": lambda order: {"order": _alone(order)} if getattr(order, "also", False) else None,
        "idle": lambda order: {"amount": _some(order.amount)} if isinstance(order, Idle) else None,
        "block": lambda order: {"how": order.how} if _is_block(order, "largest", "smallest") else None,
        "largest": _only("largest"),
        "smallest": _only("smallest"),
        "evenly": lambda order: {} if _is_block(order, "evenly") else None,
        "first": lambda order: {"first": order.first} if _is_block(order, "first") else None,
        "points": lambda order: _block_parts(order) if _is_block(order, "points") else None,
        "use": lambda order: _use_parts(state, order) if isinstance(order, Use) else None,
        "move": lambda order: _move_parts(order) if isinstance(order, Move) else None,
        "whole": _only("all"),
        "packets": lambda order: {"first": order.first} if isinstance(order, Packets) else None,
        "ask": lambda order: {"power": order.power or None} if isinstance(order, Ask) else None,
        "plan": lambda order: {"power": order.power, "text": order.text} if isinstance(order, Plan) else None,
        "captions": lambda order: (
            {"words": order.words, "on": order.on or None} if isinstance(order, Captions) else None
        ),
        "guard": lambda order: _guard_parts(order) if isinstance(order, If) else None,
        "hero": _pair("hero", "on"),
        "power": _pair("power", "power"),
        **dict.fromkeys(_NEVER_WRITTEN, _never),
    }


def _only(value: Any) -> _Parts:
    return lambda meaning: {} if meaning == value else None


def _pair(name: str, slot: str) -> _Parts:
    return lambda meaning: {slot: meaning[1]} if isinstance(meaning, tuple) and meaning[:1] == (name,) else None


def _never(meaning: Any) -> None:
    """Say that something is never written so."""


def _alone(order: Any) -> Any:
    return msgspec.structs.replace(order, also=False)


def _some(amount: int) -> int | None:
    return amount if amount >= 0 else None


def _is_block(order: Any, *how: str) -> bool:
    return isinstance(order, Block) and order.how in how


def _block_parts(order: Block) -> Mapping[str, Any]:
    return {"points": order.points, "first": order.first}


def _move_parts(order: Move) -> Mapping[str, Any]:
    return {"amount": "all" if order.amount < 0 else order.amount, "on": order.on or None}


def _guard_parts(order: If) -> Mapping[str, Any]:
    return {"tests": order.tests, "then": order.then, "otherwise": order.otherwise}


def _test(kind: str) -> _Parts:
    def parts(test: Any) -> Mapping[str, Any] | None:
        if not isinstance(test, Test) or test.kind != kind:
            return None
        return {"seat": test.seat, "power": test.power, "sign": test.sign, "number": test.number}

    return parts


def _use_parts(state: State, use: Use) -> Mapping[str, Any]:
    """Return the slots of a use: whom and what it names, and what is said of its cost."""
    named = [one for one in (use.on, *use.then) if one]
    first, after = joints(state, use) if named else ("", "")
    figures = {"x": use.x, "spend": use.spend, "burn": use.burn, "times": use.times}
    is_said = {
        "x": use.x >= 0,
        "spend": bool(use.spend) or (use.x >= 0 and not use.burn),
        "burn": bool(use.burn),
        "times": use.times > 1,
    }
    return {
        "power": use.power,
        "joint": tuple([first, *[after] * (len(named) - 1)][: len(named)]),
        "named": tuple(("hero" if one in state.names else "power", one) for one in named),
        "figures": tuple((name, n) for name, n in figures.items() if is_said[name]),
    }
