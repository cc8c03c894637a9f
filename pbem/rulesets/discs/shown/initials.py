"""The letter by which maps know each Program, and the sign of its trail."""

from string import ascii_uppercase

from pbem.ruleset import phrases
from pbem.rulesets.discs.model.state import State

TRAILS = ".:+*o~=%'\"x,"
"""The signs of trails, in seat order."""


def initials(state: State) -> dict[str, str]:
    """Return a capital for every seat: the first letter of its name that is free, else the next of the alphabet."""
    found: dict[str, str] = {}
    for program in state.programs:
        own = [letter for letter in phrases.plain(program.name).upper() if letter in ascii_uppercase]
        start = ascii_uppercase.index(own[0]) if own else 0
        others = ascii_uppercase[start:] + ascii_uppercase[:start]
        found[program.seat] = next(letter for letter in (*own, *others) if letter not in found.values())
    return found


def trail_signs(state: State) -> dict[str, str]:
    """Return the sign of every seat's trail."""
    return {program.seat: sign for program, sign in zip(state.programs, TRAILS, strict=False)}
