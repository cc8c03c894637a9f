"""Reads block lines: which points a Defence stops, as its owner chose; `division` works out the rest."""

import re

from pbem.ruleset import Refused, all_read
from pbem.rulesets.rumble.model.names import find_opponent
from pbem.rulesets.rumble.model.order import Block
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.amounts import amount_of


def read_block(state: State, seat: str, rest: str) -> Block | Refused:
    """
    Read what stands after `block`.

    Rule: R9.
    """
    rest = rest.strip()
    if match := re.match(r"(largest|smallest)(?:\s+first)?$", rest, re.IGNORECASE):
        return Block("largest" if match[1].lower() == "largest" else "smallest")
    if re.match(r"(?:evenly|even|equally|pro[ -]rata)$", rest, re.IGNORECASE):
        return Block("evenly")
    parts = [part.strip() for part in re.split(r"[,;]|\band\b", rest) if part.strip()]
    pointed = [re.match(r"(\S+)\s+(?:from|of|by)\s+(.+)$", part, re.IGNORECASE) for part in parts]
    if parts and all(pointed):
        return _block_points(state, seat, [(m[1], m[2]) for m in pointed if m])
    match = re.match(r"first\s*:?\s+(.+)$", rest, re.IGNORECASE)
    if not match:
        return Refused(
            "unreadable",
            "Write block first: NAME, NAME, or block largest first, block smallest first, block evenly, "
            "or block 30 from NAME, 20 from NAME.",
            "R9",
        )
    heroes = _attackers(state, seat, [part.strip() for part in re.split(r"[,;]|\band\b", match[1]) if part.strip()])
    return heroes if isinstance(heroes, Refused) else Block("first", heroes)


def _block_points(state: State, seat: str, shares: list[tuple[str, str]]) -> Block | Refused:
    heroes = _attackers(state, seat, [name for _, name in shares])
    if isinstance(heroes, Refused):
        return heroes
    points = all_read(amount_of(figure, "R9") for figure, _ in shares)
    return points if isinstance(points, Refused) else Block("points", heroes, points)


def _attackers(state: State, seat: str, names: list[str]) -> tuple[str, ...] | Refused:
    found: list[str] = []
    for name in names:
        hero = find_opponent(state, seat, name, "R9")
        if isinstance(hero, Refused):
            return hero
        if hero in found:
            return Refused("illegal", f"{state.names[hero]} is named twice. Name each attacker once.", "R9")
        found.append(hero)
    return tuple(found)
