"""What a moderator can do to fighters besides overruling facts: hurt, heal, tire, rest."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, Event, phrases
from pbem.rulesets.brawl.state import BUFFER, Fighter, State, find_fighter, with_fighter

VERBS = ("hurt", "heal", "tire", "rest")
FORMS = "hurt NAME 3, heal NAME 3 (Health), tire NAME 3, rest NAME 3 (Endurance)"


def canonical(state: State, said: str) -> str | phrases.Unread:
    """Read the words after `do`: a verb, a fighter, a number."""
    match = re.fullmatch(r"(\w+) (.+?) (?:by |for )?([0-9]+)", phrases.clean(said))
    verb = match[1].lower() if match else ""
    if not match or verb not in VERBS:
        return phrases.Unread("unreadable", f'I cannot do "{said}". Known: {FORMS}.')
    seat = find_fighter(state, match[2])
    amount = phrases.number(match[3], most=99)
    if isinstance(seat, phrases.Unread):
        return seat
    return amount if isinstance(amount, phrases.Unread) else f"{verb} {seat} {amount}"


def do(state: State, effects: Sequence[str]) -> tuple[State, tuple[Event, ...]]:
    """Do the effects of rulings, given in canonical words."""
    events: list[Event] = []
    for effect in effects:
        verb, seat, amount = effect.split()
        before = state.fighter(seat)
        after = _changed(before, verb, int(amount))
        state = with_fighter(state, after)
        facts = {
            "seat": seat, "who": before.name, "verb": verb, "endurance": [before.endurance, after.endurance],
            "health": [before.health, after.health],
        }  # fmt: skip
        events.append(Event(kind="ruled", to=EVERYONE, facts=facts, rule="M4"))
    return state, tuple(events)


def _changed(one: Fighter, verb: str, amount: int) -> Fighter:
    change = msgspec.structs.replace
    match verb:
        case "hurt":
            return change(one, health=max(-BUFFER, one.health - amount))
        case "heal":
            return change(one, health=min(one.full_health, one.health + amount))
        case "tire":
            return change(one, endurance=max(0, one.endurance - amount))
        case _:
            return change(one, endurance=one.endurance + amount)
