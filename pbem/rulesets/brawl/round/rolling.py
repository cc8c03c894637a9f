"""What is rolled before anybody declares: fighters, pools, initiative."""

from collections.abc import Mapping, Sequence
from string import ascii_lowercase

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Facts, Seat
from pbem.rulesets.brawl.state import Die, Fighter, State, cleared

LETTERS = (*ascii_lowercase, *(first + second for first in ascii_lowercase for second in ascii_lowercase))
"""What dice are called, in the order in which they come; those of one letter are far more than one can roll."""

DICE = 3
"""How many dice one rolls at the start of a round (K3); one less when dizzy (K22)."""


def fighter(seat: Seat, name: str, team: int, house: Mapping[str, str], dice: Dice, *, more: int = 0) -> Fighter:
    """
    Return a new fighter, rolled as far as no house rule fixes what everybody has; `more` dice come on top.

    Rule: K1, K28.
    """

    def best_two(what: str) -> int:
        faces = sorted(dice.face(f"{what} {seat} {number}", 6) for number in range(3))
        return sum(faces[1:])

    def some(what: str) -> int:
        count = int(house[f"{what}_dice"]) or int(house["level"]) or third(dice.face(f"{what} dice {seat}", 6))
        return sum(dice.face(f"{what} {seat} {number}", 6) for number in range(count))

    def extra(what: str) -> int:
        return sum(dice.face(f"more {what} {seat} {number}", 6) for number in range(more))

    endurance = (int(house["endurance"]) or some("endurance") + int(house["extra_endurance"])) + extra("endurance")
    health = (int(house["health"]) or some("health")) + extra("health")
    return Fighter(
        seat=seat,
        name=name,
        team=team,
        base_attack=int(house["base_attack"]) or best_two("attack"),
        base_defense=int(house["base_defense"]) or best_two("defense"),
        endurance=endurance,
        full_endurance=endurance,
        health=health,
        full_health=health,
    )


def third(face: int) -> int:
    """Return what a six-sided die shows as a three-sided one. Rule: K1, BK5."""
    return (face + 1) // 2


def begin_round(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """
    Return the state with everybody's dice rolled and the order in which they declare, and what was rolled.

    Rule: K3, K4, K5, K26.
    """
    dice = dice.at(f"round {state.round}")
    fighters, rows = [], []
    for one in state.fighters:
        rolled, facts = _roll(one, dice)
        fighters.append(rolled)
        rows.append(facts)
    state = msgspec.structs.replace(cleared(state, "round"), fighters=tuple(fighters))
    order, ties = _order(state, dice)
    state = msgspec.structs.replace(state, order=order)
    if state.house["declare"] == "sequential" and state.declaring():
        state = msgspec.structs.replace(state, phase="turn", turn=state.declaring()[0])
    places = {str(seat): place for place, rank in enumerate(reversed(order), 1) for seat in rank}
    for row in rows:
        row["place"] = places.get(row["seat"], 0)
        row["tie"] = ties.get(Seat(row["seat"]), [])
    rows.sort(key=lambda row: (row["place"] == 0, -row["place"]))
    return state, (Event(kind="rolled", to=EVERYONE, facts={"round": state.round, "rows": rows}, rule="K3"),)


def _roll(one: Fighter, dice: Dice) -> tuple[Fighter, Facts]:
    """
    Return a fighter with the dice of a round, and what was rolled for it.

    Shape: delayed dice lie in `one.dice` already, and are lost where the fighter is down. Dizziness passes by a round.
    Rule: K3, K13, K22, K26, K-ii.
    """
    seat = one.seat
    facts: Facts = {
        "seat": str(seat), "name": one.name, "faces": [], "extras": [], "six": 0, "dizzy": one.dizzy,
        "down": 0 if one.gone else one.down,
        "dice": [], "initiative": 0,
    }  # fmt: skip
    if one.gone:
        return msgspec.structs.replace(one, dice=(), initiative=0), facts
    count = DICE - bool(one.dizzy)
    if one.down:
        facts["six"] = 0 if one.cold else dice.face(f"floor {seat}", 6)
        count = 1 if facts["six"] == 6 else 0
    faces = [dice.face(f"roll {seat} {number}", 6) for number in range(count)]
    extras = [dice.face(f"extra {seat} {number}", 6) for number, face in enumerate(faces) if face == 6]
    facts["faces"], facts["extras"] = faces, extras
    source = "floor" if one.down else ""
    pool = [Die("", face, source=source) for face in faces if face > 1]  # type: ignore[arg-type]
    pool += [Die("", face, source=source or "extra") for face in extras if face > 1]  # type: ignore[arg-type]
    held = [] if one.down else list(one.dice)
    named = [msgspec.structs.replace(die, letter=letter) for letter, die in zip(LETTERS, [*pool, *held], strict=False)]
    initiative = sum(die.value for die in pool)
    facts |= {"dice": [die.full_label for die in named], "initiative": initiative}
    dizzy = max(0, one.dizzy - 1)
    return msgspec.structs.replace(one, dice=tuple(named), initiative=initiative, dizzy=dizzy), facts


def _order(state: State, dice: Dice) -> tuple[tuple[tuple[Seat, ...], ...], dict[Seat, list[int]]]:
    """
    Return who declares, the slowest first, and the d20s of those who were tied.

    Shape: those who declare at the same time stand in the order of their d20s too, in which their dice are resolved.
    Rule: K5, K-d.
    """
    seats = [one.seat for one in state.fighters if not one.gone and (one.is_up or one.dice)]
    by_sum: dict[int, list[Seat]] = {}
    for seat in seats:
        by_sum.setdefault(state.fighter(seat).initiative, []).append(seat)
    order: list[tuple[Seat, ...]] = []
    rolls: dict[Seat, list[int]] = {}
    for _, tied in sorted(by_sum.items()):
        broken = _broken(tied, dice, rolls, 1)
        order += [tuple(broken)] if state.house["tie"] == "blind" else [(seat,) for seat in broken]
    return tuple(order), rolls


def _broken(tied: Sequence[Seat], dice: Dice, rolls: dict[Seat, list[int]], attempt: int) -> list[Seat]:
    """Return tied seats, the slowest first; equal d20s roll again."""
    if len(tied) < 2:
        return list(tied)
    by_face: dict[int, list[Seat]] = {}
    for seat in tied:
        face = dice.face(f"tie {seat} {attempt}", 20)
        rolls.setdefault(seat, []).append(face)
        by_face.setdefault(face, []).append(seat)
    return [seat for _, again in sorted(by_face.items()) for seat in _broken(again, dice, rolls, attempt + 1)]
