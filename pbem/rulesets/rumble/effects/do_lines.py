"""Reads what the moderator says a power did, in any of its spellings; carries nothing out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from pbem.ruleset import Complaint, phrases
from pbem.rulesets.rumble.effect import (
    ANY,
    Damage,
    Drop,
    Eliminate,
    Endure,
    EnergyChange,
    Give,
    Ignore,
    Revive,
    SetEnergy,
    Shield,
    Sign,
    Stage,
    ValueChange,
    Win,
    target,
)
from pbem.rulesets.rumble.effects.archive_lines import definition
from pbem.rulesets.rumble.effects.power_rulings import Define, Manual, Reword, Said, Veto
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import abilities, complaints
from pbem.rulesets.rumble.state import State, find_hero
from pbem.rulesets.rumble.words import find_power, pool_number

KNOWN = (
    "gain NAME 10, lose NAME 10, deal 10 to NAME, attack(NAME, NAME) += 20, defence(NAME) += 20, "
    "shield NAME all, ignore attack of NAME on NAME, energy(NAME) = 50, give P03 to NAME, discard P03, "
    "revive NAME 50, keep NAME from losing, eliminate NAME, win NAME, veto P03, reword P03: TEXT, "
    "power P03 = LINES, use P03, use P03 as POWER, manual P03"
)
LONGEST_TEXT = 500
"""Characters of a power's text, as its author wrote it or as it was reworded."""


def read(state: State, said: str) -> Said | phrases.Unread:
    """
    Read an effect.

    Errors: `unreadable` with the effects that exist; what `phrases` says of names and numbers.
    """
    text = _HALVED.sub(r"\1/= \2", phrases.clean(said))
    for pattern, make in _FORMS:
        match = pattern.fullmatch(text)
        if match:
            parts = _parts(state, match)
            return parts if isinstance(parts, phrases.Unread) else make(parts)
    return phrases.Unread("unreadable", f"I know no effect that reads so. Known: {KNOWN}.")


def in_lines(defined: Define) -> str:
    """Return the lines of a definition as they stand below each other."""
    return reading.from_one_line(defined.lines).replace("\nalso\n", "\n\n")


def lapsed(state: State, text: str) -> bool:
    """
    Say whether an effect that was to hold each round can do nothing any more, since whom it is about is out.

    Rule: A32.
    """
    effect = read(state, text)
    return isinstance(effect, phrases.Unread) or any(not state.hero(seat).is_in for seat in target(effect))


class _Parts(msgspec.Struct, frozen=True):
    """What stood in the blanks of a form, understood."""

    on: str = ""
    source: str = ""
    power: str = ""
    called: str = ""
    n: int = 0
    op: Sign = "="
    stage: Stage = ""
    text: str = ""
    unblockable: bool = False


_Read: TypeAlias = "str | int | bool | phrases.Unread"


def _parts(state: State, match: re.Match[str]) -> _Parts | phrases.Unread:
    unblockable = re.search("unblock|unavoid", match[0], re.IGNORECASE) is not None
    understood: dict[str, str | int | bool] = {"unblockable": unblockable}
    for blank, said in match.groupdict().items():
        if said is None:
            continue
        value = _understand(state, blank, said)
        if isinstance(value, phrases.Unread):
            return value
        understood[blank.removesuffix("_any")] = value
    if power := state.power(str(understood.get("power", ""))):
        understood["called"] = power.name
    return msgspec.convert(understood, _Parts)


def _understand(state: State, blank: str, said: str) -> _Read:
    match blank:
        case "on" | "source":
            return find_hero(state, said.strip())
        case "on_any" | "source_any":
            everyone = said.strip().lower() in ("any", "anyone", "all", "each")
            return ANY if everyone else find_hero(state, said.strip())
        case "power":
            return _pool(state, said)
        case "n":
            return -1 if said.lower() == "all" else phrases.number(said)
        case "op":
            return {"+": "+=", "-": "-=", "*": "*=", "/": "/=", "x=": "*="}.get(said.lower(), said)
        case "stage":
            return "costs" if said.lower() == "costs" else "end"
        case _:
            return said.strip()


def _pool(state: State, said: str) -> str | phrases.Unread:
    """Find a power of the pool; before there is a pool, only the number's form can be checked."""
    if state.phase == "powers":
        numbered = pool_number(said)
        return numbered or phrases.Unread("unreadable", "Name the power by its number, as P03.")
    found = find_power(said.strip(), {power.key: power.name for power in state.powers if power.in_play})
    if isinstance(found, phrases.Unread) and found.fault == "unreadable":  # the line is known, the name is not
        return phrases.Unread("illegal", found.because)
    return found


def _damage(parts: _Parts) -> Said:
    return Damage(parts.on, parts.n, parts.source, parts.unblockable)


def _attack(parts: _Parts) -> Said | phrases.Unread:
    if parts.source == parts.on:
        return phrases.Unread("illegal", "Name two heroes, or any for one of them: attack(NAME, any) += 10.")
    return _divided(parts) or ValueChange(parts.source, parts.on, parts.op, parts.n)


def _defence(parts: _Parts) -> Said | phrases.Unread:
    return _divided(parts) or ValueChange("", parts.on, parts.op, parts.n)


def _divided(parts: _Parts) -> phrases.Unread | None:
    by_zero = parts.op == "/=" and parts.n == 0
    return phrases.Unread("illegal", "Nothing can be divided by 0. For a half: /= 2.") if by_zero else None


def _energy(parts: _Parts) -> Said | phrases.Unread:
    match parts.op:
        case "=":
            return SetEnergy(parts.on, parts.n)
        case "+=":
            return EnergyChange(parts.on, parts.n)
        case "-=":
            return EnergyChange(parts.on, -parts.n)
        case _:
            return phrases.Unread("illegal", "Energy is set or changed by a number: energy(NAME) = 50.")


def _revive(parts: _Parts) -> Said | phrases.Unread:
    least = phrases.Unread("illegal", "A hero comes back with 1 Energy at least: revive NAME 50.")
    return Revive(parts.on, parts.n) if parts.n else least


def _reword(parts: _Parts) -> Said | phrases.Unread:
    if len(parts.text) > LONGEST_TEXT:
        return phrases.Unread("illegal", f"That text is longer than {LONGEST_TEXT} characters. Make it shorter.")
    return Reword(parts.power, parts.text)


def _define(parts: _Parts) -> Said | phrases.Unread:
    """Read formal lines; what would not be done as it is read is refused, since half a power is nobody's."""
    text = reading.from_one_line(parts.text)
    found = reading.read(text)
    wrong = [one for one in found if isinstance(one, Complaint)]
    if wrong:
        return phrases.Unread("illegal", _with_reason(wrong[0]))
    if hindered := complaints(text):
        more = f" Nor is {phrases.listed([one.text for one in hindered[1:]], 'and')}." if len(hindered) > 1 else ""
        because = f"This reads, and is not done as it is read. {_with_reason(hindered[0]).rstrip('.')}.{more}"
        return phrases.Unread("illegal", f"{because} Change it, or say with do what the power does.")
    return Define(parts.power, reading.on_one_line(abilities(text)))


def _with_reason(one: Complaint) -> str:
    return f"{one.text}: {one.because}" if one.text else one.because


_HALVED = re.compile(r"^((?:attack|defen[cs]e)\b[^=]*)[*x]= ?1 ?/ ?([0-9]+)$", re.IGNORECASE)
"""How powers are written says that something is halved; the same as /= 2."""
_AT = r"(?: at (?:the )?(?P<stage>costs|end)(?: of the round)?)?"
_N = r"(?P<n>-?[0-9][0-9.,]*)(?: energy)?"
_OP = r" ?(?P<op>[-+*/x]=|[-+*/=]) ?"
_ON = r"(?P<on>.+?)"
_HOW = r"(?: un(?:blockable|avoidable))?"
_FROM = r"(?: (?:from|by) (?P<source>.+?))?"

_Make: TypeAlias = Callable[[_Parts], "Said | phrases.Unread"]
_SPELLINGS: tuple[tuple[str, _Make], ...] = (
    (rf"gain {_ON} {_N}{_AT}", lambda parts: EnergyChange(parts.on, parts.n, parts.stage)),
    (rf"{_ON} gains? {_N}{_AT}", lambda parts: EnergyChange(parts.on, parts.n, parts.stage)),
    (rf"lose {_ON} {_N}{_AT}", lambda parts: EnergyChange(parts.on, -parts.n, parts.stage)),
    (rf"{_ON} loses? {_N}{_AT}", lambda parts: EnergyChange(parts.on, -parts.n, parts.stage)),
    (rf"deal {_N}{_HOW}(?: damage)? to {_ON}{_FROM}{_HOW}", _damage),
    (rf"{_ON} takes? {_N}{_HOW}(?: damage)?{_FROM}{_HOW}", _damage),
    (rf"attack ?\( ?(?P<source_any>.+?) ?, ?(?P<on_any>.+?) ?\){_OP}{_N}", _attack),
    (rf"attack (?:of|by|from) (?P<source_any>.+?) (?:on|against) (?P<on_any>.+?){_OP}{_N}", _attack),
    (rf"defen[cs]e ?\( ?{_ON} ?\){_OP}{_N}", _defence),
    (rf"defen[cs]e of {_ON}{_OP}{_N}", _defence),
    (rf"energy ?\( ?{_ON} ?\){_OP}{_N}", _energy),
    (rf"energy of {_ON}{_OP}{_N}", _energy),
    (rf"shield {_ON} (?P<n>all|[0-9]+)", lambda parts: Shield(parts.on, parts.n)),
    (
        rf"ignore (?:the )?attack (?:of|by|from) (?P<source>.+?) (?:on|against) {_ON}",
        lambda parts: Ignore(parts.source, parts.on),
    ),
    (rf"ignore attack ?\( ?(?P<source>.+?) ?, ?{_ON} ?\)", lambda parts: Ignore(parts.source, parts.on)),
    (rf"give (?P<power>.+?) to {_ON}", lambda parts: Give(parts.power, parts.on)),
    (r"discard (?P<power>.+)", lambda parts: Drop(parts.power)),
    (r"veto (?P<power>.+)", lambda parts: Veto(parts.power)),
    (r"reword (?P<power>[^:]+): ?(?P<text>.+)", _reword),
    (r"power (?P<power>[^=:]+?) ?= ?(?P<text>.+)", _define),
    (r"(?P<power>p[0-9]+) ?= ?(?P<text>.+)", _define),
    (
        r"use (?P<power>.+?)(?: (?:as|like) (?P<text>.+))?",
        lambda parts: definition(parts.power, parts.called, parts.text),
    ),
    (r"manual (?P<power>.+)", lambda parts: Manual(parts.power)),
    (rf"revive {_ON}(?: at| with)? {_N}", _revive),
    (rf"eliminate {_ON}", lambda parts: Eliminate(parts.on)),
    (rf"{_ON} is (?:eliminated|out)", lambda parts: Eliminate(parts.on)),
    (rf"keep {_ON} from losing", lambda parts: Endure(parts.on)),
    (rf"win {_ON}", lambda parts: Win(parts.on)),
    (rf"{_ON} wins", lambda parts: Win(parts.on)),
)
_FORMS = tuple((re.compile(pattern, re.IGNORECASE), make) for pattern, make in _SPELLINGS)
