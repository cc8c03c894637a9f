"""Lays out the scenes of the cases: from `given` lines to a sea, from `expect` lines to claims."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from coves import RULESET
from coves.coast import Sea
from pbem.ruleset import Dice, Outcome, Seat


def lay(given: Sequence[str], house: Mapping[str, str], dice: Dice) -> Sea:
    """Build a sea of `treasure Crab`, `wind east` and `ada in Bell`; `made Ada, Bo` is how a game begins."""
    rules = {option.name: option.default for option in RULESET.options} | dict(house)
    said = {key: value for line in given for key, value in re.findall(r"(\w+) (?:in )?(.+)", line)}
    if made := said.get("made"):
        return RULESET.setup({Seat(name.lower()): name for name in made.split(", ")}, rules, dice)
    place = {Seat(key): value for key, value in said.items() if key not in ("treasure", "wind")}
    names = {seat: seat.capitalize() for seat in place}
    return Sea(names, place, {seat: {} for seat in place}, said["treasure"], said.get("wind", "east"), rules)


def claims(line: str, state: Sea, outcome: Outcome[Any] | None) -> str | None:
    """Hold `ada in Bell`, `wind is east or west` or `nobody wins` against a sea; None for what is no such claim."""
    if match := re.fullmatch(r"(\w+) in (\w+)", line):
        place = state.place[Seat(match[1])]
        return "" if place == match[2] else f"it lies in {place}"
    if line == "nobody wins":
        return "" if outcome and outcome.result and not outcome.result.winners else "somebody does, or it goes on"
    if line == "wind is east or west":
        return "" if state.wind in ("east", "west") else f"it is {state.wind}"
    return None
