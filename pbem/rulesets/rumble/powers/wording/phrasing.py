"""Puts the expressions of the power language into plain words, as its owner is spoken to; knows no lines."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pbem.rulesets.rumble.powers.language import expressions
from pbem.rulesets.rumble.powers.language.expressions import Call, Expression, Join, Name, Not, Number, Quoted, Where

Names: TypeAlias = Mapping[str, str]
"""What the names that a power gives stand for, in words: T for the opponent you choose."""

_HERO = {
    "me": "you",
    "source": "whoever deals it",
    "victim": "whoever is hit",
    "any": "anybody",
    "all": "every hero, you too",
    "others": "every other hero",
    "players": "every player, you too",
    "opponents": "every opponent",
}
_MANY = {
    "all": "all heroes",
    "others": "all other heroes",
    "players": "all players",
    "opponents": "your opponents",
    "any": "all heroes",
}
_ONE = {"all": "a hero", "others": "another hero", "players": "a player", "opponents": "an opponent"}
_SPANS = {"this_round": "this round", "last_round": "last round", "game": "in the whole game"}
_KEYS = {
    "energy": "Energy",
    "attack": "Attack",
    "defence": "Defence",
    "allocated_attack": "Energy in Attacks",
    "allocated_defence": "Energy in Defence",
    "powers": "powers",
    "uses": "uses of other powers",
}
_COMPARED = {
    "==": "is",
    "!=": "is not",
    ">=": "is at least",
    "<=": "is at most",
    ">": "is more than",
    "<": "is less than",
}
_CONTRARY = {"==": "!=", "!=": "==", ">=": "<", "<=": ">", ">": "<=", "<": ">="}
_PLAIN = {
    "X": "X",
    "amount": "that damage",
    "round": "the number of the round",
    "ties": "the number of those who share the first place",
    "bids": "the sum of all winning bids",
    "this": "this power",
    **_SPANS,
}


def hero(of: Expression, names: Names) -> str:
    """Name a hero, or each of a set, as whoever does something or has it done to them."""
    match of:
        case Name(word):
            return names.get(word) or _HERO.get(word) or word
        case Call("attackers", (who, span)):
            return f"each hero who attacked {hero(who, names)} {spoken(span, names)}"
        case Call("targets", (who,)):
            return f"each hero whom {hero(who, names)} attacked this round"
        case Call("most" | "least" as word, (key, among)):
            return f"whoever has the {word} {_key(key)} of {heroes(among, names)}"
        case Where(Name("players"), Join("!=", Name("it"), Name("me"))):
            return "every other player"
        case Where(among, test):
            return f"each of {heroes(among, names)} for whom {true(test, {**names, 'it': 'they'})}"
    return expressions.write(of)


def heroes(of: Expression, names: Names) -> str:
    """Name a set as a whole."""
    match of:
        case Name(word):
            return names.get(word) or _MANY.get(word) or hero(of, names)
        case Call("attackers", (who, span)):
            return f"those who attacked {hero(who, names)} {spoken(span, names)}"
        case Call("targets", (who,)):
            return f"those whom {hero(who, names)} attacked this round"
        case Where(Name("players"), Join("!=", Name("it"), Name("me"))):
            return "all other players"
        case Where(among, test):
            return f"{heroes(among, names)} for whom {true(test, {**names, 'it': 'they'})}"
    return hero(of, names)


def one_of(of: Expression, names: Names) -> str:
    """Name somebody of a set, no matter who."""
    if isinstance(of, Name):
        return _ONE.get(of.word) or hero(of, names)
    return f"one of {heroes(of, names)}"


def own(thing: str, who: str) -> str:
    """Say whose a thing is."""
    return {"you": f"your {thing}", "they": f"their {thing}", "it": f"its {thing}"}.get(who, f"the {thing} of {who}")


def does(who: str, verb: str, verbs: str) -> str:
    """Put the form of a verb behind whoever does it: `lose`, `loses`."""
    return f"{who}{',' if ', ' in who else ''} {verb if who in ('you', 'they') else verbs}"


def times_of(number: int) -> str:
    """Say how often."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def attacks(source: Expression, on: Expression, names: Names) -> str:
    """Name the Attacks between heroes, either of whom may be any."""
    by, to = Name("any") == source, Name("any") == on
    if by:
        return "each Attack" if to else f"each Attack on {hero(on, names)}"
    who = hero(source, names)
    if to:
        return f"each of {own('Attacks', who)}"
    return f"your Attack on {hero(on, names)}" if who == "you" else f"the Attack of {who} on {hero(on, names)}"


def power(of: Expression, names: Names) -> str:
    """Name a power."""
    return spoken(of, names)


def amount(of: Expression, names: Names, what: str) -> str:
    """Say how much of something: `10 Energy`, `as much Energy as your Defence`."""
    plain = isinstance(of, Number) or of == Name("X")
    return f"{spoken(of, names)} {what}" if plain else f"as much {what} as {spoken(of, names)}"


def spoken(of: Expression, names: Names) -> str:
    """Say what a number, a power or a span of time is; the name of an Attack stands for its value."""
    match of:
        case Number(value):
            return str(value)
        case Quoted(text):
            return text
        case Name(word):
            return names.get(word) or _PLAIN.get(word) or _HERO.get(word) or word
        case Call(word, parts) if word in NUMBERS:
            return NUMBERS[word](names, *parts)
        case Join("*", Number(2), other) | Join("*", other, Number(2)):
            return f"twice {_inner(other, names)}"
        case Join("/", left, Number(2)):
            return f"half of {_inner(left, names)}"
        case Join(("+" | "-" | "*" | "/") as sign, left, right):
            if sign == "*" and isinstance(right, Number):
                left, right = right, left
            said = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}[sign]
            return f"{_inner(left, names)} {said} {_inner(right, names)}"
    return expressions.write(of)


def _inner(of: Expression, names: Names) -> str:
    return f"({spoken(of, names)})" if isinstance(of, Join) else spoken(of, names)


def true(of: Expression, names: Names, *, no: bool = False) -> str:
    """Say what has to be so for a test to hold; with `no`, for it not to hold."""
    match of:
        case Not(inner):
            return true(inner, names, no=not no)
        case Call(word, parts) if word in TESTS:
            return TESTS[word](names, no, *parts)
        case Join(("and" | "or") as sign, left, right):
            joined = {"and": "or", "or": "and"}[sign] if no else sign
            return f"{_side(left, joined, names, no)} {joined} {_side(right, joined, names, no)}"
        case Join(sign, left, right) if sign in _COMPARED:
            sign = _CONTRARY[sign] if no else sign
            said = _COMPARED[sign]
            first = spoken(left, names)
            said = said.replace("is", "are", 1) if first in ("you", "they") else said
            return f"{first} {said} {spoken(right, names)}"
    return f"{'it is not so that ' if no else ''}{expressions.write(of)}"


def _side(of: Expression, joined: str, names: Names, no: bool) -> str:
    said = true(of, names, no=no)
    mixed = isinstance(of, Join) and of.sign in ("and", "or") and joined == "and"
    return f"({said})" if mixed and f" {'or'} " in said else said


def choosable(test: Expression, names: Names, *, people: bool) -> str:
    """Say which of them may be named, behind what they are."""
    match test:
        case Join("!=", Name("it"), other):
            return f"other than {spoken(other, names)}"
    return f"{'for whom' if people else 'where'} {true(test, {**names, 'it': 'they' if people else 'it'})}"


def _attack(names: Names, by: Expression, on: Expression | None = None) -> str:
    whole, struck = by == Name("any"), on is not None and on != Name("any")
    if not whole and struck:
        assert on is not None
        return attacks(by, on, names)
    who = "all Attacks" if whole else own("Attacks", hero(by, names))
    return f"the sum of {who}{f' on {hero(on, names)}' if struck and on else ''}"


def _allocated(names: Names, by: Expression, on: Expression | None = None) -> str:
    where = f"an Attack on {hero(on, names)}" if on and on != Name("any") else "Attacks"
    return f"the Energy that {hero(by, names)} put into {where}"


def _dealt(names: Names, by: Expression, to: Expression, span: Expression) -> str:
    source, victim = ("anybody" if of == Name("all") else heroes(of, names) for of in (by, to))
    return f"the damage that {source} dealt to {victim} {spoken(span, names)}"


def _whichever(names: Names, one: Expression, other: Expression, word: str) -> str:
    return f"{spoken(one, names)} or {spoken(other, names)}, whichever is {word}"


def _key(of: Expression) -> str:
    return _KEYS.get(of.word, of.word) if isinstance(of, Name) else expressions.write(of)


NUMBERS: Mapping[str, Callable[..., str]] = {
    "energy": lambda names, of: own("Energy", hero(of, names)),
    "attack": _attack,
    "defence": lambda names, of: own("Defence", hero(of, names)),
    "allocated_attack": _allocated,
    "allocated_defence": lambda names, of: f"the Energy that {hero(of, names)} put into Defence",
    "strength": lambda names, of: own("Power Strength", power(of, names)),
    "powers": lambda names, of: f"the number of {own('powers', hero(of, names))}",
    "dealt": _dealt,
    "lost": lambda names, of, span: f"the Energy that {hero(of, names)} lost {spoken(span, names)}",
    "spent": lambda names, of, span: f"the Energy that you spent on {power(of, names)} {spoken(span, names)}",
    "uses": lambda names, of: f"the number of other powers that {hero(of, names)} used this round",
    "rank": lambda names, key, of: f"{own('place', hero(of, names))} by {_key(key)} (1 for the greatest)",
    "count": lambda names, of: f"the number of {heroes(of, names)}",
    "floor": lambda names, of: f"{spoken(of, names)}, rounded down",
    "ceil": lambda names, of: f"{spoken(of, names)}, rounded up",
    "min": lambda names, one, other: _whichever(names, one, other, "less"),
    "max": lambda names, one, other: _whichever(names, one, other, "more"),
}
"""How quantities are told, by word."""


def _attacked(names: Names, no: bool, by: Expression, on: Expression, span: Expression) -> str:
    who, whom, when = hero(by, names), hero(on, names), spoken(span, names)
    if no and by == Name("any"):
        return f"nobody attacked {whom} {when}"
    return f"{who} {'did not attack' if no else 'attacked'} {whom} {when}"


def _has(names: Names, no: bool, of: Expression, name: Expression) -> str:
    who = hero(of, names)
    has = does(who, "do not have", "does not have") if no else does(who, "have", "has")
    return f"{has} {spoken(name, names)}"


def _alive(names: Names, no: bool, of: Expression) -> str:
    return f"{does(hero(of, names), 'are', 'is')} {'out' if no else 'still in'}"


TESTS: Mapping[str, Callable[..., str]] = {"attacked": _attacked, "has": _has, "alive": _alive}
"""How truths are told, by word; the first argument but one says that it is not so."""


def has_words(word: str) -> bool:
    """Say whether a word of expressions can be told in plain words."""
    sets = ("attackers", "targets", "most", "least")
    return word in NUMBERS or word in TESTS or word in _PLAIN or word in _HERO or word in sets
