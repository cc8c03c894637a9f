"""Reads `use` lines: power, target, what it takes and how often; powers are free text, so nothing is looked up."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import Refused, all_read, amounts, phrases, refuse
from pbem.rulesets.rumble.model.names import find_living, find_own_power, find_power, own_powers
from pbem.rulesets.rumble.model.order import Never, Use
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.powers.engine.active_abilities import used_ability
from pbem.rulesets.rumble.powers.engine.prices import priced
from pbem.rulesets.rumble.powers.language.expressions import Name
from pbem.rulesets.rumble.powers.language.lines import Ability

_NUMBER = r"(-?[0-9][0-9.,]*)"
_JOINT = r"\s+(?:on|against|targeting|discarding|to|then)\s+"
"""Words between what a use names."""
_OFTEN: Mapping[str, int] = {"once": 1, "twice": 2, "thrice": 3} | {
    f"{word} times": many for word, many in amounts.NUMBERS.items()
}
"""How often, in words."""
_FIGURES = (
    ("x", rf"x\s*=\s*{_NUMBER}"),
    ("spend", rf"(?:spend|spending|spends)\s+{_NUMBER}"),
    ("burn", rf"(?:burn|burning|burns)\s+{_NUMBER}"),
    ("drain", rf"(?:drain|draining|drains)\s+{_NUMBER}"),
    ("times", rf"x\s*{_NUMBER}"),
    ("times", rf"{_NUMBER}\s*(?:x|times)"),
    ("times", rf"({amounts.any_of(_OFTEN)})"),
)
_PLACES = [
    (thing, re.compile(rf"[\s,]+{said}{where}", re.IGNORECASE))
    for where in ("$", f",?(?={_JOINT})")
    for thing, said in _FIGURES
]
"""What stands behind a use, then what stands between its power and whom it is aimed at."""
MOST_TIMES = 100


def read_use(state: State, seat: str, rest: str) -> Use | Refused:
    """
    Read what stands after `use`.

    Rule: R12, R13 (any number of times), R14 (spend and burn), A29 (X alone is spent, where no lines say otherwise).
    """
    if not rest:
        return Refused("unreadable", "Say which power: use NAME on TARGET spend 10.", "R12")
    taken = _taken_apart(state, seat, rest)
    if isinstance(taken, Refused):
        return taken
    aimed, figures = taken
    power, (on, *then) = aimed
    times = figures.get("times", 1)
    if not 1 <= times <= MOST_TIMES:
        return Refused("illegal", f"A power is used 1 to {MOST_TIMES} times in a round, such as x2.", "R13")
    parts = {part: figures.get(part, 0) for part in ("spend", "burn", "drain")}
    use = Use(power.key, on, x=figures.get("x", -1), times=times, then=tuple(then), **parts)
    found = priced(state, seat, power, use)
    bare = found is use and "spend" not in figures and "burn" not in figures
    return msgspec.structs.replace(use, spend=max(0, use.x)) if bare else found


def read_never(state: State, seat: str, rest: str) -> Never | Refused:
    """
    Read what stands after `never`: a power that its owner might use, by the rules for silence.

    Rule: C25.
    """
    power = find_own_power(state, seat, re.sub(r"^use\s+", "", rest, flags=re.IGNORECASE))
    if isinstance(power, Refused):
        return power
    ability = used_ability(power)
    if ability is None or not ability.optional or ability.costs or ability.ask:
        return Refused("illegal", f"{power.name} is not used unless you say so. Leave the line out.", "C25")
    return Never(power.key)


_Aim = tuple[Power, tuple[str, ...]]
"""A power, and what its use names."""


def _taken_apart(state: State, seat: str, rest: str) -> tuple[_Aim, dict[str, int]] | Refused:
    """
    Read power and target, and the figures behind them, or between them.

    Shape: figures come off one by one until the rest is a use, since a name may hold some itself.
    """
    figures: dict[str, int] = {}
    names = [name.casefold() for name in own_powers(state, seat).values()]
    wrong: Refused | None = None
    while True:
        found = next(((thing, m) for thing, pattern in _PLACES if (m := pattern.search(rest))), None)
        aimed = _aimed(state, seat, rest)
        if not isinstance(aimed, Refused) and (found is None or not _is_ending(found[1]) or rest.casefold() in names):
            return aimed, figures
        wrong = aimed if isinstance(aimed, Refused) else wrong
        if found is None:
            assert wrong
            return wrong
        thing, match = found
        if thing in figures:
            return Refused("ambiguous", f"Two figures for {_in_words(thing)} on one line. Write one.", "R12")
        often = _OFTEN.get(match[1].casefold())
        figure = phrases.number(match[1]) if often is None else often
        if isinstance(figure, phrases.Unread):
            return refuse(figure, "A2")
        figures[thing] = figure
        rest = f"{rest[: match.start()].rstrip(' ,:')}{rest[match.end() :]}"


def _is_ending(match: re.Match[str]) -> bool:
    """Say whether a figure stands at the end of its line."""
    return match.end() == len(match.string)


def _in_words(thing: str) -> str:
    return {"x": "X", "times": "how often"}.get(thing, thing)


def _aimed(state: State, seat: str, rest: str) -> _Aim | Refused:
    """Part a power and what it names at the words between them that make sense of all."""
    whole = find_own_power(state, seat, rest)
    if not isinstance(whole, Refused):
        return whole, ("",)
    wrong: Refused = whole
    joints = list(re.finditer(_JOINT, rest, re.IGNORECASE))
    for place in reversed(range(len(joints))):
        power = find_own_power(state, seat, rest[: joints[place].start()])
        if isinstance(power, Refused):
            wrong = power
            continue
        later = joints[place + 1 :]
        for cuts in ([], *([cut] for cut in later), later):
            whole_parts, parts = _parts(rest[joints[place].end() :], joints[place].end(), cuts)
            for one in (whole_parts, parts):
                found = _named(state, seat, power, one)
                if not isinstance(found, Refused):
                    return power, found
                wrong = found
    return wrong


def _parts(text: str, start: int, cuts: Sequence[re.Match[str]]) -> tuple[list[str], list[str]]:
    """Part what is named at some words between, and that at commas too; `start` is where it stands in the line."""
    begins = [0, *(cut.end() - start for cut in cuts)]
    ends = [*(cut.start() - start for cut in cuts), len(text)]
    wholes = [text[a:b] for a, b in zip(begins, ends, strict=True) if text[a:b]]
    return wholes, [part for whole in wholes for part in re.split(r"\s*,\s*(?:then\s+)?", whole) if part]


def _named(state: State, seat: str, power: Power, texts: Sequence[str]) -> tuple[str, ...] | Refused:
    """Find what a use names: as its abilities choose, a hero where nothing is known of it."""
    ability = used_ability(power)
    kinds = [choice.what for choice in ability.choices] if ability else []
    if ability and ability.optional:
        kinds = (kinds or ["hero"]) * len(texts)
    kinds = [*kinds, *["hero"] * len(texts)]
    return all_read(_found(state, seat, kind, text, ability) for text, kind in zip(texts, kinds, strict=False))


def _found(state: State, seat: str, kind: str, text: str, ability: Ability | None) -> str | Refused:
    if kind == "power" and ability and ability.choices[0].of == Name("me"):
        power = find_own_power(state, seat, text)
        return power if isinstance(power, Refused) else power.key
    if kind in ("power", "use"):
        others = [hero.seat for hero in state.living if hero.seat != seat]
        there = {power.key: power.name for other in others for power in state.owned(other)}
        key = find_power(text, there)
        return refuse(key, "R6") if isinstance(key, phrases.Unread) else key
    hero = seat if text.lower() in ("me", "myself") else find_living(state, text)
    return hero if isinstance(hero, Refused) else str(hero)
