"""What may be written in a round: the tables, whom and what it can name, and the order that it means. Rule: R5."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

import msgspec

from pbem.ruleset import Language, Meaning, Names, Noun, Numbers, Shapes, Token, WordClasses, table, written
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.genres.genre import Genre
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


NOUNS = ("number", "foe", "hero", "power", "powers", "text", "caption")
_SIGNS: Mapping[str, Sign] = {"under": "<", "most": "<=", "is": "=", "least": ">=", "over": ">"}
_TESTS = {
    "always": "always", "dies": "would die", "falls": "would be out", "targeted": "targeted by", "uses": "uses",
    "attacked": "attacked by", "out": "out", "stays": "in", "mine": "my energy", "left": "heroes left",
    "coming": "incoming", "damage": "damage", "energy": "energy", "from": "attack from",
}  # fmt: skip
"""The kinds of tests, by the acts of their shapes."""


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
    powers = {power.key: power.name for power in state.powers if power.in_play and power.owner}
    own = {power.key: power.name for power in state.owned(seat)}
    nouns: dict[str, Noun] = {
        "number": Numbers(),
        "foe": Names(foes),
        "hero": Names(heroes),
        "power": Names(own),
        "powers": Names(powers),
        "text": Text(),
        "caption": Caption(),
    }
    return Language(
        words=words_of(genre_of(state.house)),
        shapes=SHAPES,
        nouns=nouns,
        acts=_Acts(state, seat).all(),
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
        figures = {name: (lambda n, name=name: (name, n)) for name in ("x", "spend", "burn", "drain", "times")}
        return {
            **signs,
            **tests,
            **figures,
            "acts": lambda more, **last: (*(order for acts in more for order in acts), *last.values()),
            "alone": lambda order: (order,),
            "each": lambda on, amount: tuple(Attack(one, amount) for one in on),
            "guard": _guard,
            "attack": Attack,
            "defend": Defend,
            "hold": Hold,
            "also": _also,
            "idle": lambda amount=-1: Idle(amount),
            "block": Block,
            "largest": lambda: "largest",
            "smallest": lambda: "smallest",
            "evenly": lambda: Block("evenly"),
            "first": lambda first: _block("first", first),
            "points": lambda points, first: _block("points", first, points),
            "use": self.use,
            "given": lambda power, named: self.use(power, (), (named,)),
            "never": Never,
            "move": lambda amount, on="": Move(amount, on),
            "all": lambda: -1,
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
            "once": lambda: ("times", 1),
            "twice": lambda: ("times", 2),
            "hero": lambda on: ("hero", on),
            "power": lambda power: ("power", power),
            "me": lambda: self.seat,
        }

    def use(
        self, power: str, figures: tuple[tuple[str, int], ...] = (), named: tuple[tuple[str, str], ...] = ()
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

    def answer(self, kind: type[Formed], named: tuple[tuple[str, str], ...]) -> Use | None:
        """Return the use of the power that does some thing, where the line says what it does and not its name."""
        mine = [one for one in self.state.owned(self.seat) if does(one, kind) and is_named_for_nothing(one)]
        return self.use(mine[0].key, (), named) if mine else None

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
        use = self.use(turning, (), (("power", power), ("hero", on)))
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
