"""Lays out the scenes of the brawl's cases: from `given` lines to a state, from `expect` lines to claims."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import Outcome, Seat
from pbem.language.phrases import Unread, find
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.options import DEFAULTS
from pbem.rulesets.brawl.round import rolling
from pbem.rulesets.brawl.state import Die, Fighter, State, with_fighter

NUMBERS = ("health", "endurance", "advantage", "maneuver", "drunk", "dizzy", "down", "knocked", "team", "group")
MADE = ("base_attack", "base_defense", "full_endurance", "full_health")


def lay(given: Sequence[str], house: Mapping[str, str], dice: Dice) -> State:
    """
    Build a state.

    Shape: `bud: Bud ba 7 bd 8 e 20 h 10 dice 6 4 5` is a fighter with a pool; a delayed die is `5d` for defense, `5a`
    for attack, `5x` for damage. More follows by name: `bud: advantage 2`, `bud: item big`, `bud: away`, `bud: cold`,
    `bud: full 30 20` (Endurance and Health at the start). Who stands further down declares later, unless
    `order bud maria` says otherwise, with `bud=maria` for the same rank. `round 3`, `quiet 9` and `roll` (dice are
    rolled, not given). `made Bud, Maria` are fighters as they come into a game, at its first round.
    """
    state = State(house={**DEFAULTS, **house}, round=2)
    order: list[tuple[Seat, ...]] = []
    roll = False
    for line in (line for line in given if line.strip()):
        if match := re.match(r"(\w+): (.+?) ba (\d+) bd (\d+) e (\d+) h (-?\d+)(?: dice(.*))?$", line):
            fighter = _fighter(match)
            state = msgspec.structs.replace(state, fighters=(*state.fighters, fighter))
            order.append((fighter.seat,))
        elif match := re.match(r"made (.+)$", line):
            return RULESET.setup({Seat(name.lower()): name for name in match[1].split(", ")}, house, dice)
        elif match := re.match(r"order (.+)$", line):
            order = [tuple(Seat(seat) for seat in rank.split("=")) for rank in match[1].split()]
        elif line == "roll":
            roll = True
        elif line.startswith(("round ", "quiet ")):
            state = msgspec.structs.replace(state, **{line[:5]: int(line[6:])})
        elif match := re.match(r"(\w+): (.+)$", line):
            state = with_fighter(state, _changed(state.fighter(match[1]), match[2]))
        else:
            raise AssertionError(f'a scene cannot be given "{line}"')
    if roll:
        return rolling.begin_round(state, dice)[0]
    state = msgspec.structs.replace(state, order=tuple(order))
    if state.house["declare"] == "sequential":
        state = msgspec.structs.replace(state, phase="turn", turn=state.declaring()[0])
    return state


def _fighter(match: re.Match[str]) -> Fighter:
    uses = {"": "", "d": "defense", "a": "attack", "x": "damage"}
    dice = []
    for letter, said in zip(rolling.LETTERS, (match[7] or "").split(), strict=False):
        use = uses[said[1:]]
        dice.append(Die(letter, int(said[0]), use=use, source="delayed" if use else ""))  # type: ignore[arg-type]
    endurance, health = int(match[5]), int(match[6])
    return Fighter(
        seat=Seat(match[1]), name=match[2], base_attack=int(match[3]), base_defense=int(match[4]), endurance=endurance,
        full_endurance=max(20, endurance), health=health, full_health=max(20, health), dice=tuple(dice),
        initiative=sum(die.value for die in dice if not die.use),
    )  # fmt: skip


def _changed(one: Fighter, said: str) -> Fighter:
    change = msgspec.structs.replace
    word, _, rest = said.partition(" ")
    if word in NUMBERS:
        return change(one, **{word: int(rest)})
    match word:
        case "item":
            return change(one, item=rest)
        case "away" | "cold" | "gone":
            return change(one, **{word: True})
        case "full":
            endurance, health = map(int, rest.split())
            return change(one, full_endurance=endurance, full_health=health)
    raise AssertionError(f'nobody can be "{said}"')


def claims(line: str, state: State, outcome: Outcome[Any] | None) -> str | None:
    """
    Hold a claim of this game against a state: "" if it is true, what is so if not, None if it is no such claim.

    Shape: `Bud health 3`, `Bud advantage 2`, `Bud item big`, `Bud no item`, `Bud away`, `Bud back`, `Bud up`,
    `Bud left`, `Bud dice 6 4 5` (a delayed one as above), `Bud initiative 15`, `order Bud, Maria`, `quiet 2`.
    """
    if match := re.match(r"order (.+)$", line):
        found = ", ".join("=".join(state.names[seat] for seat in rank) for rank in state.order)
        return "" if found == match[1] else f"the order is {found}"
    if match := re.match(r"quiet (\d+)$", line):
        return "" if state.quiet == int(match[1]) else f"quiet {state.quiet}"
    if match := re.match(rf"(.+?) ({'|'.join((*NUMBERS, *MADE))}|initiative) (-?\d+)$", line):
        value = getattr(_named(state, match[1]), match[2])
        return "" if value == int(match[3]) else f"{match[2]} is {value}"
    if match := re.match(r"(.+?) dice(?: (.+))?$", line):
        dice = [f"{die.value}{ {'': '', 'defense': 'd', 'attack': 'a', 'damage': 'x'}[die.use]}" for die in _named(state, match[1]).dice]  # fmt: skip
        return "" if " ".join(dice) == (match[2] or "") else f"the dice are {' '.join(dice)}"
    if match := re.match(r"(.+?) (?:(no) item|item (small|big))$", line):
        item = _named(state, match[1]).item
        return "" if item == (match[3] or "") else f"the item is {item or 'none'}"
    if match := re.match(r"(.+?) (away|back|up|left)$", line):
        one = _named(state, match[1])
        right = {"away": one.away, "back": not one.away, "up": one.is_up, "left": one.gone}[match[2]]
        return "" if right else f"{one.name} is not"
    return None


def _named(state: State, said: str) -> Fighter:
    seat = find(said, state.names, "fighter")
    assert not isinstance(seat, Unread), f"{said}: {seat}"
    return state.fighter(seat)
