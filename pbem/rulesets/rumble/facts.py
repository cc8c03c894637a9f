"""Names of facts: from people's words to keys, and setting a fact of the state; derives nothing."""

import re
from collections.abc import Mapping

import msgspec

from pbem.ruleset import Fact, phrases
from pbem.rulesets.rumble.model.names import find_hero, find_power, spoken
from pbem.rulesets.rumble.model.state import State, with_hero, with_power
from pbem.rulesets.rumble.orders.captions import plain_word
from pbem.rulesets.rumble.round.sidekicks import settle_state

KNOWN = (
    "energy of NAME, attack of NAME on NAME, defence of NAME, blocked by NAME from NAME, damage of NAME on NAME, "
    "damage to NAME, burnt by NAME, out: NAME, out at costs: NAME, winning bid on P03, price of P03, P03 goes to NAME, "
    "caption WORD"
)
_A, _B, _P = r"(?P<a>.+?)", r"(?P<b>.+?)", r"(?P<p>.+?)"
_OF = r"(?:of|by|from)"
_ON = r"(?:on|to|against)"
_DEFENCE = r"defen[cs]e"

_FORMS: tuple[tuple[str, str], ...] = (
    (r"quiet rounds", "quiet rounds"),
    (r"energy (?:was )?lost(?: this round)?", "energy lost"),
    (rf"caption (?P<w>\S+?)!?(?: {_OF} .+)?", "caption {w}"),
    (rf"energy after the blows (?:of )?{_A}", "energy after the blows of {a}"),
    (rf"energy (?:of )?{_A}", "energy of {a}"),
    (rf"energy ?\( ?{_A} ?\)", "energy of {a}"),
    (rf"{_DEFENCE} ?\( ?{_A} ?\)", "defence of {a}"),
    (rf"{_DEFENCE} (?:of )?{_A}", "defence of {a}"),
    (rf"ignored:? (?:the )?attack {_OF} {_A} {_ON} {_B}", "ignored: attack of {a} on {b}"),
    (rf"attack ?\( ?{_A} ?, ?{_B} ?\)", "attack of {a} on {b}"),
    (rf"attack (?:{_OF} )?{_A} {_ON} {_B}", "attack of {a} on {b}"),
    (rf"late damage (?P<n>[0-9]+) {_ON} {_A}", "late damage {n} on {a}"),
    (rf"power damage (?P<n>[0-9]+) {_ON} {_A}", "power damage {n} on {a}"),
    (rf"damage {_OF} {_A} {_ON} {_B}", "damage of {a} on {b}"),
    (rf"damage {_ON} {_A}", "damage to {a}"),
    (rf"(?:damage )?prevented (?:for|to|on) {_A}", "prevented for {a}"),
    (rf"blocked by {_A} (?:from|of) power damage (?P<n>[0-9]+)", "blocked by {a} from power damage {n}"),
    (rf"blocked by {_A} from {_B}", "blocked by {a} from {b}"),
    (rf"(?:(?:burnt|burned) by|burn (?:of|by)) {_A}", "burnt by {a}"),
    (rf"drained by {_A}", "drained by {a}"),
    (rf"out at (?:the )?reveal:? {_A}", "out at the reveal: {a}"),
    (rf"out at last:? {_A}", "out at last: {a}"),
    (rf"swap of {_A} and {_B}", "swap of {a} and {b}"),
    (rf"out at (?:the )?costs:? {_A}", "out at costs: {a}"),
    (rf"out in the blows:? {_A}", "out in the blows: {a}"),
    (rf"out by a power:? {_A}", "out by a power: {a}"),
    (rf"out(?::| of)? {_A}", "out: {a}"),
    (rf"{_A} (?:is )?out at (?:the )?costs", "out at costs: {a}"),
    (rf"{_A} (?:is )?out at (?:the )?reveal", "out at the reveal: {a}"),
    (rf"{_A} (?:is )?out at last", "out at last: {a}"),
    (rf"{_A} (?:is )?(?:out|eliminated)", "out: {a}"),
    (rf"winning bid (?:on|for) {_P}", "winning bid on {p}"),
    (rf"price (?:of|for) {_P} to {_A}", "price of {p} to {a}"),
    (rf"price (?:of|for) {_P}", "price of {p}"),
    (rf"(?:power )?strength of {_P}", "strength of {p}"),
    (rf"(?:loss of|lost by) {_A} (?:on|for) {_P}", "loss of {a} on {p}"),
    (rf"{_P} goes to {_A}", "{p} goes to {a}"),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), key) for pattern, key in _FORMS)


def name_fact(state: State, said: str) -> str | phrases.Unread:
    """
    Find the key of a fact that a person named, with seats or heroes' names in it.

    Errors: what `phrases.find` says of the name in the form that came nearest; else the forms there are.
    """
    text = phrases.clean(said).strip(" .")
    wrong: phrases.Unread | None = None
    for pattern, key in _COMPILED:
        match = pattern.fullmatch(text)
        if not match:
            continue
        named = _named(state, match.groupdict())
        if not isinstance(named, phrases.Unread):
            return key.format(**named)
        wrong = wrong or named
    return wrong or phrases.Unread("unreadable", f'I know no fact called "{said}". Known: {KNOWN}.')


def _named(state: State, groups: Mapping[str, str | None]) -> dict[str, str] | phrases.Unread:
    result: dict[str, str] = {}
    for blank, text in groups.items():
        if text is None:
            continue
        if blank in "nw":
            result[blank] = plain_word(text)
            continue
        found = _power(state, text) if blank == "p" else find_hero(state, text.strip())
        if isinstance(found, phrases.Unread):
            return found
        result[blank] = found
    return result


def _power(state: State, text: str) -> str | phrases.Unread:
    """Find a power by number, with or without its name behind it, or by name."""
    numbered = re.match(r"[Pp][0-9]+\b", text)
    powers = {power.key: power.name for power in state.powers}
    return find_power(numbered[0] if numbered else text, powers)


def standing(state: State) -> dict[str, Fact]:
    """Return every fact that `amend` can set."""
    facts: dict[str, Fact] = {}
    for hero in state.heroes:
        facts[f"energy of {hero.seat}"] = hero.energy
        facts[f"out: {hero.seat}"] = not hero.is_in
    for power in state.powers:
        if power.in_play and power.owner:
            facts[f"strength of {power.key}"] = power.strength
    if state.phase in ("round", "reveal"):
        facts["quiet rounds"] = state.quiet
    return facts


def amend(state: State, key: str, value: Fact) -> State | phrases.Unread:
    """
    Return the state with one fact set.

    Errors: `unreadable` for a fact that there is not; `illegal` for a value that does not fit it.
    """
    held = standing(state).get(key)
    if held is None:
        known = spoken(state, ", ".join(standing(state)))
        return phrases.Unread("unreadable", f'There is no fact "{spoken(state, key)}" to set. Known: {known}.')
    if isinstance(held, bool) != isinstance(value, bool):
        kind = "yes or no" if isinstance(held, bool) else "a whole number"
        return phrases.Unread("illegal", f"{spoken(state, key)} is {kind}.")
    if not isinstance(value, bool) and not 0 <= int(value) <= phrases.MOST:
        return phrases.Unread("illegal", f"{spoken(state, key)} is a number from 0 to {phrases.MOST}.")
    return state if value == held else _set(state, key, value)


def _set(state: State, key: str, value: Fact) -> State:
    change = msgspec.structs.replace
    if key == "quiet rounds":
        return change(state, quiet=int(value))
    about = key.rpartition(" ")[2]
    if key.startswith("strength of "):
        return with_power(state, change(state.card(about), strength=int(value)))
    hero = state.hero(about)
    if key.startswith("energy of "):
        return with_hero(state, change(hero, energy=int(value)))
    if value:
        return settle_state(with_hero(state, change(hero, out=state.round, out_step=4)))[0]
    power = state.power(hero.power) if hero.power else None
    state = with_power(state, change(power, fate="")) if power else state
    return with_hero(state, change(hero, out=-1, out_step=0, energy=max(1, hero.energy)))
