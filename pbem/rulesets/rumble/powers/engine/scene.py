"""What expressions can look at, and what they come to: a scene, who looks, and nothing changed by looking."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeAlias

import msgspec

from pbem.ruleset import phrases
from pbem.rulesets.rumble.effect import Landing
from pbem.rulesets.rumble.model.rounding import rounded
from pbem.rulesets.rumble.model.state import Power, State, unnumbered
from pbem.rulesets.rumble.powers.language import forms
from pbem.rulesets.rumble.powers.language.expressions import (
    Call,
    Expression,
    Join,
    Name,
    Not,
    Number,
    Quoted,
    Where,
    is_variable,
)
from pbem.rulesets.rumble.powers.language.forms import Formed
from pbem.rulesets.rumble.powers.language.lines import Choose

Pair: TypeAlias = tuple[str, str]
"""Who attacks, and whom."""
Value: TypeAlias = Any
"""A number, a truth, a seat, a tuple of seats, a power's key, a pair, or a word."""
ANY = "any"
NO_DAMAGE = Landing("", "", "", 0)


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """
    A round at one moment.

    Shape: `attacks` and `defences` are values as powers changed them, as far as that has come; `made` are the
    Attacks that there are, with the Energy put into them, `sent` those too that met nobody any more (A18); `used`
    counts each seat's uses by power; `lost` is what each lost this round, `dealt` the damage by dealer and victim (""
    where nobody dealt it), `spent` what was spent on each power this round.
    """

    state: State
    fighting: tuple[str, ...]
    energy: Mapping[str, int]
    made: Mapping[Pair, int] = {}
    sent: Mapping[Pair, int] = {}
    guarded: Mapping[str, int] = {}
    attacks: Mapping[Pair, int] = {}
    defences: Mapping[str, int] = {}
    used: Mapping[str, Mapping[str, int]] = {}
    lost: Mapping[str, int] = {}
    dealt: Mapping[Pair, int] = {}
    spent: Mapping[str, int] = {}


def at_rest(state: State) -> Scene:
    """Return the scene before anything is done in a round."""
    energy = {str(hero.seat): hero.energy for hero in state.living}
    return Scene(state=state, fighting=tuple(energy), energy=energy)


class View(msgspec.Struct, frozen=True, kw_only=True):
    """
    Who looks at a scene: the owner of a power, the power, and what names stand for.

    Shape: `names` maps a name that the power gives to a seat, a pair or a power's key; `seen` is told each
    attack or defence that was looked at, so that what depends on it can wait.
    """

    scene: Scene
    me: str
    power: Power
    names: Mapping[str, Value] = {}
    x: int = 0
    ties: int = 1
    hit: Landing = NO_DAMAGE
    """The damage that is looked at."""
    edge: Pair = ("", "")
    """The Attack that is looked at."""
    seen: Callable[[Pair], None] = lambda cell: None

    @property
    def this(self) -> str:
        """Return the power's key."""
        return self.power.key


def number(of: Expression, view: View) -> int | Fraction:
    """Return what a number comes to; what cannot be divided is nothing."""
    value = evaluate(of, view)
    if isinstance(value, tuple):  # the name of an Attack stands for its value too
        return _attack(view, value[0], value[1])
    return value  # type: ignore[no-any-return]


def whole(of: Expression, view: View) -> int:
    """
    Return a number as it counts: whole, not below 0, and no greater than any order may hold.

    Rule: A2 (down, unless the house rounds up), A14.
    """
    return min(phrases.MOST, max(0, rounded(view.scene.state.house, number(of, view))))


def true(of: Expression | None, view: View) -> bool:
    """Say whether a test holds; no test always does."""
    return of is None or bool(evaluate(of, view))


def heroes(of: Expression, view: View) -> tuple[str, ...]:
    """Return the seats of a hero or a set, in seat order, those alone that are still in."""
    value = evaluate(of, view)
    return value if isinstance(value, tuple) else (value,) if value else ()


def evaluate(of: Expression, view: View) -> Value:
    """Return what an expression comes to."""
    match of:
        case Name(word):
            return _name(word, view)
        case Call(word, parts):
            return _CALLS[word](view, *parts)
        case Number(value):
            return value
        case Quoted(text):
            return text
        case Not(inner):
            return not true(inner, view)
        case Where(among, test):
            return tuple(seat for seat in heroes(among, view) if true(test, naming(view, "it", seat)))
        case Join(sign, left, right):
            return _join(sign, left, right, view)


def naming(view: View, name: str, value: Value) -> View:
    """Return a view in which a name stands for something."""
    return msgspec.structs.replace(view, names={**view.names, name: value})


def choices(choice: Choose, view: View) -> list[str]:
    """Return what an owner may name: seats, or powers' keys."""
    state = view.scene.state
    if choice.what == "power":
        assert choice.of is not None
        found = [power.key for seat in heroes(choice.of, view) for power in state.owned(seat)]
    elif choice.what == "attack":
        assert choice.on is not None
        found = [source for source, on in view.scene.made if on == evaluate(choice.on, view)]
    else:
        found = list(view.scene.fighting if choice.what == "hero" else opponents(view))
    return [one for one in found if true(choice.test, naming(view, "it", one))]


def opponents(view: View) -> tuple[str, ...]:
    """
    Return every hero who fights, but for whoever looks and those who are of one side with them.

    Rule: A17, C9.
    """
    state = view.scene.state
    mine = state.player(view.me)
    return tuple(seat for seat in view.scene.fighting if state.player(seat) != mine)


def strength(view: View, key: str) -> int:
    """Return the Power Strength of a power."""
    power = view.scene.state.power(key)
    return power.strength if power else 0


def named(effect: Formed, view: View) -> bool:
    """Say whether every name in an effect stands for something: what nobody could choose is not done."""
    found = [value for _, value in forms.blanks(effect) if isinstance(value, Name)]
    return all(value.word in view.names for value in found if is_variable(value.word))


def _join(sign: str, left: Expression, right: Expression, view: View) -> Value:
    if sign in ("and", "or"):  # both sides are looked at, so that whatever they depend on is seen
        both = true(left, view), true(right, view)
        return all(both) if sign == "and" else any(both)
    first, second = evaluate(left, view), evaluate(right, view)
    if isinstance(first, tuple) or isinstance(second, tuple):
        first, second = number(left, view), number(right, view)
    return _SIGNS[sign](first, second)


_SIGNS: Mapping[str, Callable[[Any, Any], Value]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b if b else 0,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


def _name(word: str, view: View) -> Value:
    if word in view.names:
        return view.names[word]
    return _NAMES[word](view) if word in _NAMES else word


def _players(view: View) -> tuple[str, ...]:
    """Return every hero who fights, but for Sidekicks where the house calls them no players. Rule: A17."""
    state = view.scene.state
    with_sidekicks = state.house.get("sidekick_is_player") != "no"
    return tuple(seat for seat in view.scene.fighting if with_sidekicks or not state.hero(seat).power)


_NAMES: Mapping[str, Callable[[View], Value]] = {
    "X": lambda view: view.x,
    "amount": lambda view: view.hit.points,
    "round": lambda view: view.scene.state.round,
    "ties": lambda view: view.ties,
    "bids": lambda view: sum(power.strength for power in view.scene.state.powers if power.owner),
    "me": lambda view: view.me,
    "source": lambda view: view.hit.source,
    "victim": lambda view: view.hit.on,
    "this": lambda view: view.this,
    "all": lambda view: view.scene.fighting,
    "others": lambda view: tuple(seat for seat in view.scene.fighting if seat != view.me),
    "players": _players,
    "opponents": opponents,
}
"""What names stand for that no power has given; all others stand for themselves."""


def _attack(view: View, by: str, on: str = ANY) -> int:
    pairs = [pair for pair in view.scene.made if by in (pair[0], ANY) and on in (pair[1], ANY)]
    for pair in pairs:
        view.seen(pair)
    return sum(view.scene.attacks.get(pair, 0) for pair in pairs)


def _defence(view: View, of: Expression) -> int:
    seat = evaluate(of, view)
    view.seen(("", seat))
    return view.scene.defences.get(seat, 0)


def _allocated(view: View, by: Expression, on: Expression | None = None) -> int:
    seat, target = evaluate(by, view), evaluate(on, view) if on else ANY
    return sum(amount for pair, amount in view.scene.sent.items() if pair[0] == seat and target in (pair[1], ANY))


def _dealt(view: View, by: Expression, to: Expression, span: Expression) -> int:
    sources, victims = heroes(by, view), heroes(to, view)
    anybody, whoever = by == Name("all"), to == Name("all")  # those too who have fallen since, or are nobody
    pairs = view.scene.dealt.items()
    return sum(n for (s, on), n in pairs if (anybody or s in sources) and (whoever or on in victims))


def _spent(view: View, of: Expression, span: Expression) -> int:
    power = view.scene.state.power(evaluate(of, view))
    before = power.spent if power and evaluate(span, view) == "game" else 0
    return before + view.scene.spent.get(power.key, 0) if power else 0


def _uses(view: View, of: Expression) -> int:
    used = view.scene.used.get(evaluate(of, view), {})
    return sum(times for key, times in used.items() if key != view.this)


def _rank(view: View, key: Expression, of: Expression) -> int:
    values = {_by(view, key, seat) for seat in view.scene.fighting}
    return sorted(values, reverse=True).index(_by(view, key, evaluate(of, view))) + 1


def _by(view: View, key: Expression, seat: str) -> int | Fraction:
    assert isinstance(key, Name)
    return number(Call(key.word, (Name("it"),)), naming(view, "it", seat))


def _extreme(view: View, key: Expression, among: Expression, sign: int) -> tuple[str, ...]:
    seats = heroes(among, view)
    best = max((sign * _by(view, key, seat) for seat in seats), default=0)
    return tuple(seat for seat in seats if sign * _by(view, key, seat) == best)


def _attacked(view: View, by: Expression, on: Expression, span: Expression) -> bool:
    source, target = evaluate(by, view), evaluate(on, view)
    return any(source in (a, ANY) and target in (b, ANY) for a, b in _edges(view, evaluate(span, view)))


def _edges(view: View, span: str) -> tuple[Pair, ...]:
    if span == "this_round":
        return tuple(view.scene.made)
    return tuple((hero.seat, on) for hero in view.scene.state.heroes for on in hero.attacked)


def _attackers(view: View, of: Expression, span: Expression) -> tuple[str, ...]:
    seat = evaluate(of, view)
    who = {source for source, on in _edges(view, evaluate(span, view)) if on == seat}
    return tuple(one for one in view.scene.fighting if one in who)


def _targets(view: View, of: Expression) -> tuple[str, ...]:
    seat = evaluate(of, view)
    return tuple(one for one in view.scene.fighting if (seat, one) in view.scene.made)


def _powers(view: View, of: Expression) -> int:
    """Count a hero's powers; a Sidekick that has fallen is none any more. Rule: N11."""
    state = view.scene.state
    fallen = {hero.power for hero in state.heroes if hero.power and hero.seat not in view.scene.fighting}
    return sum(power.key not in fallen for power in state.owned(evaluate(of, view)))


def _has(view: View, of: Expression, name: Expression) -> bool:
    assert isinstance(name, Quoted)
    wanted = name.text.casefold()
    return any(unnumbered(power.name).casefold() == wanted for power in view.scene.state.owned(evaluate(of, view)))


_CALLS: Mapping[str, Callable[..., Value]] = {
    "energy": lambda view, of: view.scene.energy.get(evaluate(of, view), 0),
    "attack": lambda view, by, on=None: _attack(view, evaluate(by, view), evaluate(on, view) if on else ANY),
    "defence": _defence,
    "allocated_attack": _allocated,
    "allocated_defence": lambda view, of: view.scene.guarded.get(evaluate(of, view), 0),
    "strength": lambda view, of: strength(view, evaluate(of, view)),
    "powers": _powers,
    "dealt": _dealt,
    "lost": lambda view, of, span: view.scene.lost.get(evaluate(of, view), 0),
    "spent": _spent,
    "uses": _uses,
    "rank": _rank,
    "count": lambda view, of: len(heroes(of, view)),
    "floor": lambda view, of: floor(number(of, view)),
    "ceil": lambda view, of: ceil(number(of, view)),
    "min": lambda view, a, b: min(number(a, view), number(b, view)),
    "max": lambda view, a, b: max(number(a, view), number(b, view)),
    "attacked": _attacked,
    "has": _has,
    "alive": lambda view, of: evaluate(of, view) in view.scene.fighting,
    "attackers": _attackers,
    "targets": _targets,
    "most": lambda view, key, among: _extreme(view, key, among, 1),
    "least": lambda view, key, among: _extreme(view, key, among, -1),
}
