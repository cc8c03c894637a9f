"""Rulings on facts: overrule, set, do, and by which names a moderator may call what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from pbem import phrases
from pbem.phrases import Unread
from pbem.table import audience
from pbem.table.rulings import Do, Overrule, Ruling, SetFact
from pbem.table.table import Table
from pbem.terms import Fact

Reading: TypeAlias = Ruling | Unread


def overrule(table: Table, rest: str, because: str) -> Reading:
    """Read `overrule V4 = 30`, or a fact in words."""
    what, equals, said = rest.rpartition("=")
    if not equals:
        return Unread("unreadable", "Write overrule V4 = 30 because REASON, or = yes, or = no.")
    key = _verdict(table, what.strip())
    if isinstance(key, Unread):
        return key
    value = _value(said.strip())
    if isinstance(value, Unread):
        return value
    return Overrule(key, value, because) if because else no_reason(about(table, key))


def _verdict(table: Table, said: str) -> str | Unread:
    match = re.fullmatch(r"[vV]\s*([0-9]{1,4})", said)
    if not match:
        return _in_words_of(table, lambda state: table.ruleset.name_fact(state, said))
    if table.outcome is None:
        return Unread("illegal", "There is no proof yet, so no V-numbers. Name the fact in words.")
    number = int(match[1])
    if not 1 <= number <= len(table.numbered):
        return Unread("unreadable", f"Proof {table.proof} has V1 to V{len(table.numbered)}.")
    key = table.numbered[number - 1]
    if key not in {verdict.key for verdict in table.outcome.verdicts}:
        return Unread("illegal", f"{about(table, key)} Proof {table.proof} no longer has that fact.")
    return key


def about(table: Table, key: str) -> str:
    """Say in words what a V-number of this phase's proofs is about, or "" where the fact has none."""
    if key not in table.numbered:
        return ""
    outcome = table.outcome
    text = next((one.text for one in outcome.verdicts if one.key == key), "") if outcome else ""
    return f"V{table.numbered.index(key) + 1} is: {text or audience.named(table, key)}."


def set_fact(table: Table, rest: str, because: str) -> Reading:
    """Read `set FACT VALUE`, of the state, or of the proof while there is one."""
    match = re.fullmatch(r"(.+?)(?:\s*=\s*|\s+to\s+|\s+)(\S+)", rest)
    if not match:
        return Unread("unreadable", "Write set energy NAME 70 because REASON.")
    named = match[1]
    key = _in_words_of(table, lambda state: table.ruleset.name_fact(state, named))
    value = _value(match[2])
    if isinstance(key, Unread):
        return key
    if isinstance(value, Unread):
        return value
    if table.status == "closed":
        assert table.outcome is not None
        if key not in {verdict.key for verdict in table.outcome.verdicts}:
            return Unread("illegal", f"Proof {table.proof} derives no {key}. Name one of its numbered facts.")
    else:
        changed = table.ruleset.amend(table.state, key, value)
        if isinstance(changed, Unread):
            return changed
    return SetFact(key, value, because) if because else no_reason()


def _value(said: str) -> Fact | Unread:
    if said.lower() in ("yes", "true"):
        return True
    if said.lower() in ("no", "false"):
        return False
    number = phrases.number(said)
    if isinstance(number, Unread) and number.fault == "unreadable":
        return Unread("unreadable", f'"{said}" is neither a number nor yes or no.')
    return number


def do(table: Table, rest: str, because: str) -> Reading:
    """Read `do EFFECT`, for once or for each phase from now on."""
    effect, each = effect_of(table, rest), False
    if isinstance(effect, Unread):  # a text of a power may end in "each round" and mean it
        body = re.sub(r"\s+(?:(?:each|every)\s+(?:round|phase)|once|now)$", "", rest, flags=re.IGNORECASE)
        each = bool(re.search(r"\s+(?:each|every)\s+(?:round|phase)$", rest, re.IGNORECASE))
        effect = effect_of(table, body) if body != rest else effect
    if isinstance(effect, Unread):
        return effect
    return Do(effect, each, because) if because else no_reason()


def effect_of(table: Table, said: str) -> str | Unread:
    """Find the effect that the ruleset offers by these words."""
    return _in_words_of(table, lambda state: table.ruleset.effect(state, said))


def _in_words_of(table: Table, find: Callable[[Any], str | Unread]) -> str | Unread:
    """
    Find something by the names of the present state, else by those that the proof shows.

    A name may be new in the very phase that is under review.
    """
    if table.state is None:
        return Unread("illegal", "The game has not begun.")
    found = find(table.state)
    if isinstance(found, Unread) and table.status == "closed" and table.outcome is not None:
        newer = find(table.outcome.state)
        return found if isinstance(newer, Unread) else newer
    return found


def no_reason(what: str = "") -> Unread:
    """Say that a reason is missing, and of what."""
    return Unread("illegal", f"{what} A ruling that changes facts says why. Add: because REASON".strip())
