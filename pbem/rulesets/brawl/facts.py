"""Facts of a brawl: finds their keys from people's words, and sets them in the state; derives nothing."""

import re

import msgspec

from pbem.ruleset import Fact, Seat, phrases
from pbem.rulesets.brawl.state import BUFFER, MOST_DRUNK, Fighter, Item, State, find_fighter, with_fighter

SETTABLE = ("endurance", "health", "advantage", "maneuver", "item", "drunk", "dizzy", "down", "away", "team")
"""Facts of each fighter that `set` can change."""
ITEMS: tuple[Item, ...] = ("", "small", "big")
KNOWN = (
    "endurance of NAME, health of NAME, advantage of NAME, maneuver of NAME, item of NAME (0 none, 1 small, 2 big), "
    "drunk of NAME, dizzy of NAME, down of NAME, away of NAME, team of NAME; of a round attack 1 of NAME, save 1 of "
    "NAME, drink 1 of NAME, roll of drink 1 of NAME, counter 1 of NAME, roll of breath 1 of NAME and the like, police"
)
_NTH = "attack|save|counter|advantage|maneuver|regain|coop|move|charge|bind|pickup|drink|breath"


def name_fact(state: State, said: str) -> str | phrases.Unread:
    """Find the key of a fact that a person named. Errors: those of `phrases.find`, or the list of known facts."""
    text = re.sub(r"\s+", " ", phrases.clean(said).strip(" ."))
    if re.fullmatch(r"(?:the )?police(?: comes?)?", text, re.IGNORECASE):
        return "police"
    match = re.fullmatch(rf"((?:roll of )?(?:{_NTH}) [0-9]{{1,3}}) (?:of|by) (.+?)(?: on .+)?", text, re.IGNORECASE)
    match = match or re.fullmatch(rf"({'|'.join(SETTABLE)}) (?:of )?(.+)", text, re.IGNORECASE)
    if not match:
        return phrases.Unread("unreadable", f'I know no fact called "{said}". Known: {KNOWN}.')
    seat = find_fighter(state, match[2])
    return seat if isinstance(seat, phrases.Unread) else f"{match[1].lower()} of {seat}"


def label(state: State, key: str) -> str:
    """Return a key as people read it: with the fighter's name instead of the seat."""
    what, of, seat = key.rpartition(" of ")
    return f"{what}{of}{state.names.get(Seat(seat), seat)}"


def standing(state: State) -> dict[str, Fact]:
    """Return every fact that `amend` can set; without `away` in a game without Moves."""
    names = [name for name in SETTABLE if state.is_pub or name != "away"]
    return {f"{name} of {one.seat}": _value(one, name) for one in state.fighters if not one.gone for name in names}


def _value(one: Fighter, name: str) -> Fact:
    held = getattr(one, name)
    return ITEMS.index(held) if name == "item" else held


def amend(state: State, key: str, value: Fact) -> State | phrases.Unread:
    """Return the state with one fact set. Errors: an unknown fact, or a value that does not fit it."""
    held = standing(state).get(key)
    if held is None:
        return phrases.Unread("unreadable", f'There is no fact "{label(state, key)}" to set. Known: {KNOWN}.')
    name, _, seat = key.partition(" of ")
    one = state.fighter(seat)
    if isinstance(held, bool) != isinstance(value, bool):
        kind = "yes or no" if isinstance(held, bool) else "a whole number"
        return phrases.Unread("illegal", f"{label(state, key)} is {kind}.")
    least, most = _range(one, name)
    if not least <= int(value) <= most:
        return phrases.Unread("illegal", f"{label(state, key)} is a number from {least} to {most}.")
    change = {name: ITEMS[int(value)] if name == "item" else value}
    if name == "down" and not value:
        change["cold"] = False
    return with_fighter(state, msgspec.structs.replace(one, **change))


def _range(one: Fighter, name: str) -> tuple[int, int]:
    match name:
        case "health":
            return -BUFFER, one.full_health
        case "item":
            return 0, 2
        case "drunk":
            return 0, MOST_DRUNK
        case _:
            return 0, 99
