"""Reads what the moderator says a power did, in any of its spellings; carries nothing out."""

import re
from collections.abc import Callable
from typing import Any

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
from pbem.rulesets.rumble.effects.archive_lines import define_as, define_by_name
from pbem.rulesets.rumble.effects.power_rulings import (
    OWNER,
    Define,
    ForPower,
    Manual,
    PowerRuling,
    Reword,
    Said,
    Veto,
)
from pbem.rulesets.rumble.model.names import find_hero, find_power, pool_number
from pbem.rulesets.rumble.model.state import LONGEST_TEXT, Power, State
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import abilities, complaints, cure, runs

KNOWN = (
    "gain NAME 10, lose NAME 10, deal 10 to NAME, attack(NAME, NAME) += 20, defence(NAME) += 20, "
    "shield NAME all, ignore attack of NAME on NAME, energy(NAME) = 50, give P03 to NAME, discard P03, "
    "revive NAME 50, keep NAME from losing, eliminate NAME, win NAME, veto P03, reword P03: TEXT, "
    "power P03 = LINES, use P03, use P03 as POWER, manual P03"
)
_OF_POWERS = "For what a power does, begin with its number: P03: gain NAME 10."


def read(state: State, said: str) -> Said | ForPower | phrases.Unread:
    """
    Read an effect, perhaps one that is said for a power.

    Errors: `unreadable` with the effects that exist; what `phrases` says of names and numbers; of a power, `illegal`
    where it cannot do anything. Rule: B16.
    """
    text = phrases.clean(said)
    if match := _FOR_POWER.fullmatch(text):
        return _for_power(state, match["power"], match["text"])
    return _read(state, text, "")


def _read(state: State, text: str, owner: str) -> Said | phrases.Unread:
    """Read what is done; `owner` is whoever has the power that it is said for, "" where it is said for none."""
    text = _HALVED.sub(r"\1/= \2", text)
    for pattern, make in _PATTERNS:
        if match := pattern.fullmatch(text):
            fields = _fields(state, match, owner)
            return fields if isinstance(fields, phrases.Unread) else make(**fields)
    return phrases.Unread("unreadable", f"I know no effect that reads so. Known: {KNOWN}. {_OF_POWERS}")


def _for_power(state: State, said: str, text: str) -> ForPower | phrases.Unread:
    key = _pool(state, said)
    power = None if isinstance(key, phrases.Unread) else state.power(key)
    if power is None:
        return key if isinstance(key, phrases.Unread) else _illegal(f"There is no {key} yet.")
    called = f"{power.key} {power.name}".rstrip()
    if not power.owner:
        return _illegal(f"Nobody has {called}, so it does nothing.")
    if runs(power.lines):
        because = f"{called} runs by lines of its own, and would count twice. To rule it by hand from the next round on"
        return _illegal(f"{because}, write do manual {power.key} because REASON.")
    does = _read(state, text, power.owner)
    if isinstance(does, PowerRuling):
        return _illegal("What you rule of a power itself stands behind do without another power and its colon.")
    return does if isinstance(does, phrases.Unread) else ForPower(power.key, does, power.owner)


def in_lines(defined: Define) -> str:
    """Return the lines of a definition as they stand below each other."""
    return reading.from_one_line(defined.lines).replace("\nalso\n", "\n\n")


def lapsed(state: State, text: str) -> bool:
    """
    Say whether an effect that was to hold each round can do nothing any more, since whom it is about is out.

    Rule: A32.
    """
    effect = read(state, text)
    return isinstance(effect, phrases.Unread) or bool(out(state, effect))


def out(state: State, effect: Said | ForPower) -> list[str]:
    """Return the names of those whom an effect is about and who are out of the game. Rule: A32."""
    seats = (effect.owner, *target(effect.does)) if isinstance(effect, ForPower) else target(effect)
    return [state.names[seat] for seat in dict.fromkeys(seats) if not state.hero(seat).is_in]


def _fields(state: State, match: re.Match[str], owner: str) -> dict[str, Any] | phrases.Unread:
    """Return what stood in the blanks of a spelling, by the field that each fills."""
    fields: dict[str, Any] = {}
    for blank, said in match.groupdict().items():
        if said is None:
            continue
        value = _understood(state, blank, said.strip(), owner)
        if isinstance(value, phrases.Unread):
            return value
        fields[blank.partition("_")[0]] = value
    return fields


def _understood(state: State, blank: str, said: str, owner: str) -> Any | phrases.Unread:
    match blank:
        case "on_any" | "source_any" if said.lower() in ("any", "anyone", "all", "each"):
            return ANY
        case "on" | "source" | "on_any" | "source_any":
            return owner if owner and _is_owner(state, said) else find_hero(state, said)
        case "power":
            return _pool(state, said)
        case "card":
            key = _pool(state, said)
            return key if isinstance(key, phrases.Unread) else state.power(key) or Power(int(key[1:]), "", "")
        case "amount":
            return -1 if said.lower() == "all" else phrases.number(said)
        case "sign":
            return {"+": "+=", "-": "-=", "*": "*=", "/": "/=", "x=": "*="}.get(said.lower(), said)
        case "stage":
            return said.lower()
        case "unblockable" | "unblockable_last":
            return True
    return said


def _is_owner(state: State, said: str) -> bool:
    """Say whether words are for whoever has a power: always so its owner, others where no hero is called so."""
    word = said.lower()
    return word == OWNER or (word in ("owner", "the owner") and isinstance(find_hero(state, said), phrases.Unread))


def _pool(state: State, said: str) -> str | phrases.Unread:
    """Find a power of the pool; before there is a pool, only the number's form can be checked."""
    if state.phase == "powers":
        numbered = pool_number(said)
        return numbered or phrases.Unread("unreadable", "Name the power by its number, as P03.")
    found = find_power(said, {power.key: power.name for power in state.powers if power.in_play})
    if isinstance(found, phrases.Unread) and found.fault == "unreadable":  # the line is known, the name is not
        return phrases.Unread("illegal", found.because)
    return found


def _lose(on: str, amount: int, stage: Stage = "") -> EnergyChange:
    return EnergyChange(on, -amount, stage)


def _change_value(on: str, sign: Sign, amount: int, source: str = "") -> ValueChange | phrases.Unread:
    if source == on:
        return _illegal("Name two heroes, or any for one of them: attack(NAME, any) += 10.")
    if sign == "/=" and not amount:
        return _illegal("Nothing can be divided by 0. For a half: /= 2.")
    return ValueChange(source, on, sign, amount)


def _change_energy(on: str, sign: Sign, amount: int) -> SetEnergy | EnergyChange | phrases.Unread:
    match sign:
        case "=":
            return SetEnergy(on, amount)
        case "+=":
            return EnergyChange(on, amount)
        case "-=":
            return EnergyChange(on, -amount)
    return _illegal("Energy is set or changed by a number: energy(NAME) = 50.")


def _revive(on: str, amount: int) -> Revive | phrases.Unread:
    return Revive(on, amount) if amount else _illegal("A hero comes back with 1 Energy at least: revive NAME 50.")


def _reword(power: str, text: str) -> Reword | phrases.Unread:
    if len(text) > LONGEST_TEXT:
        return _illegal(f"That text is longer than {LONGEST_TEXT} characters. Make it shorter.")
    return Reword(power, text)


def _define(power: str, text: str) -> Define | phrases.Unread:
    """Read formal lines; refuse them all if one would not be done as it reads, since half a power is no power."""
    text = reading.from_one_line(text)
    wrong = [one for one in reading.read(text) if isinstance(one, Complaint)]
    if wrong:
        return _illegal(f"{_with_reason(wrong[0])} {cure(text)}".strip())
    if hindered := complaints(text):
        more = f" Nor is {phrases.listed([one.text for one in hindered[1:]], 'and')}." if len(hindered) > 1 else ""
        because = f"This reads, and is not done as it is read. {_with_reason(hindered[0]).rstrip('.')}.{more}"
        return _illegal(f"{because} {cure(text)}")
    return Define(power, reading.on_one_line(abilities(text)))


def _illegal(because: str) -> phrases.Unread:
    return phrases.Unread("illegal", because)


def _with_reason(one: Complaint) -> str:
    return f"{one.text}: {one.because}" if one.text else one.because


_HALVED = re.compile(r"^((?:attack|defen[cs]e)\b[^=]*)[*x]= ?1 ?/ ?([0-9]+)$", re.IGNORECASE)
"""In the lines of powers `*= 1/2` halves something; here it is read as /= 2."""
_FOR_POWER = re.compile(r"(?P<power>[Pp]\s?[0-9]+) ?: ?(?P<text>.+)")
_AT = r"(?: at (?:the )?(?P<stage>costs|end)(?: of the round)?)?"
_N = r"(?P<amount>-?[0-9][0-9.,]*)(?: energy)?"
_CHANGED = rf" ?(?P<sign>[-+*/x]=|[-+*/=]) ?{_N}"
_ON = r"(?P<on>.+?)"
_POWER = r"(?P<power>.+?)"
_STRUCK = r"(?: (?P<unblockable>un(?:blockable|avoidable)))?(?: damage)?"
_FROM = r"(?: (?:from|by) (?P<source>.+?))?(?: (?P<unblockable_last>un(?:blockable|avoidable)))?"
_OF_ANY = r"(?:of|by|from) (?P<source_any>.+?) (?:on|against) (?P<on_any>.+?)"

_SPELLINGS: tuple[tuple[str, Callable[..., Said | phrases.Unread]], ...] = (
    (rf"gain {_ON} {_N}{_AT}", EnergyChange),
    (rf"{_ON} gains? {_N}{_AT}", EnergyChange),
    (rf"lose {_ON} {_N}{_AT}", _lose),
    (rf"{_ON} loses? {_N}{_AT}", _lose),
    (rf"deal {_N}{_STRUCK} to {_ON}{_FROM}", Damage),
    (rf"{_ON} takes? {_N}{_STRUCK}{_FROM}", Damage),
    (rf"attack ?\( ?(?P<source_any>.+?) ?, ?(?P<on_any>.+?) ?\){_CHANGED}", _change_value),
    (rf"attack {_OF_ANY}{_CHANGED}", _change_value),
    (rf"defen[cs]e ?\( ?{_ON} ?\){_CHANGED}", _change_value),
    (rf"defen[cs]e of {_ON}{_CHANGED}", _change_value),
    (rf"energy ?\( ?{_ON} ?\){_CHANGED}", _change_energy),
    (rf"energy of {_ON}{_CHANGED}", _change_energy),
    (rf"shield {_ON} (?P<amount>all|[0-9]+)", Shield),
    (rf"ignore (?:the )?attack (?:of|by|from) (?P<source>.+?) (?:on|against) {_ON}", Ignore),
    (rf"ignore attack ?\( ?(?P<source>.+?) ?, ?{_ON} ?\)", Ignore),
    (rf"give {_POWER} to {_ON}", Give),
    (rf"discard {_POWER}", Drop),
    (rf"veto {_POWER}", Veto),
    (r"reword (?P<power>[^:]+): ?(?P<text>.+)", _reword),
    (r"power (?P<power>[^=:]+?) ?= ?(?P<text>.+)", _define),
    (r"(?P<power>p[0-9]+) ?= ?(?P<text>.+)", _define),
    (rf"use {_POWER} (?:as|like) (?P<text>.+)", define_as),
    (r"use (?P<card>.+)", define_by_name),
    (rf"manual {_POWER}", Manual),
    (rf"revive {_ON}(?: at| with)? {_N}", _revive),
    (rf"eliminate {_ON}", Eliminate),
    (rf"{_ON} is (?:eliminated|out)", Eliminate),
    (rf"keep {_ON} from losing", Endure),
    (rf"win {_ON}", Win),
    (rf"{_ON} wins", Win),
)
"""
What the moderator may write, and the record that it makes; blanks have the names of the record's fields.

These are patterns, not the forms of powers' lines: moderators write names as people have them ("Smith, Jr", "20 on
Ada"), which the tokens of those lines cannot hold, and in more spellings, all of which journals may quote.
"""
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), make) for pattern, make in _SPELLINGS)
