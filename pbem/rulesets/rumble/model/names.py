"""Finds heroes and powers by the names that people write, and writes names so that they are found; knows no phase."""

import re
from collections.abc import Mapping

from pbem.ruleset import Refused, Seat, phrases, refuse
from pbem.rulesets.rumble.model.state import State

GLUE = frozenset(
    (
        "and", "or", "else", "if", "on", "against", "with", "for", "from", "of", "to", "by", "in", "is",
        "out", "then", "at", "spend", "discarding", "burn", "drain", "discard", "x", "times", "first", "because",
    )
)  # fmt: skip
"""Words that hold order lines together, so a name that has one is written by its key instead."""


def spoken(state: State, text: str) -> str:
    """Put heroes' names where a text of ours has their seats."""
    names = state.names
    seats = "|".join(re.escape(seat) for seat in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])(?:{seats})(?![\w-])", lambda match: names[match[0]], text)


def pool_number(text: str) -> str | None:
    """Read a pool number in any spelling (P3, p03) as P03, or return None."""
    match = re.fullmatch(r"[Pp]0*([0-9]{1,4})", text.strip())
    return f"P{int(match[1]):02}" if match else None


def find_power(text: str, powers: Mapping[str, str], thing: str = "power") -> str | phrases.Unread:
    """Find a power by pool number or by name; return its pool number."""
    return phrases.find(pool_number(text) or text, powers, thing)


def find_hero(state: State, text: str) -> Seat | phrases.Unread:
    """Find a hero for the moderator's lines: a seat as the core writes it, or a name as people do."""
    for hero in state.heroes:
        if text == hero.seat:
            return hero.seat
    found = phrases.find(text, state.names, "hero")
    return found if isinstance(found, phrases.Unread) else Seat(found)


def find_opponent(state: State, seat: str, text: str, rule: str = "R6") -> str | Refused:
    """Find a living hero other than one's own."""
    found = find_living(state, text, rule)
    if found == seat:
        return Refused("illegal", f"{state.names[seat]} is you. Name an opponent.", "A3")
    return found


def find_living(state: State, text: str, rule: str = "R6") -> str | Refused:
    """Find a hero that is still in; the refusal says so if the hero is out."""
    names = state.names
    found: str | phrases.Unread = phrases.find(text, names, "hero")
    if isinstance(found, phrases.Unread):
        among = phrases.find(text, {hero.seat: hero.name for hero in state.living}, "hero")
        if isinstance(among, phrases.Unread):
            return refuse(found if found.fault == "ambiguous" else among, rule)
        found = among
    if not state.hero(found).is_in:
        still = phrases.listed([hero.name for hero in state.living], "and")
        return Refused("illegal", f"{names[found]} is out of the game. Still in: {still}.", "R3")
    return found


def written(key: str, names: Mapping[str, str]) -> str:
    """
    Write a name so that it reads back as `key`: the name itself, or the key where the name would mislead.

    A name misleads if it holds commas and the like, or words that hold order lines together.
    """
    name = names.get(key, key)
    plain = re.fullmatch(r"\w(?:[\w '.!-]*[\w.!])?", name) and "_" not in name
    if not plain or any(word in GLUE for word in re.split(r"[\s-]+", name.casefold())):
        return key
    if re.search(r"(?:^|\s)(?:x?[0-9]+x?|[Pp][0-9]+)$", name):
        return key
    return name if phrases.find(name, names, "name") == key else key
