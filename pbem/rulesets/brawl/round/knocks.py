"""Saves and knock-outs of those who were hurt below 0, and what happens to everybody between two rounds."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Reckoning
from pbem.rulesets.brawl.round.blows import Wound
from pbem.rulesets.brawl.round.rolling import third
from pbem.rulesets.brawl.state import Fighter, State, with_fighter, with_fighters

DIFFICULTY = 15
"""What a save is rolled against (K25)."""
FLOOR, COLD = 2, 3
"""How many rounds one is down with Buffer left, and without (K26, K27)."""


def saves(
    state: State, wounds: Sequence[Wound], sums: Reckoning, dice: Dice
) -> tuple[State, frozenset[str], tuple[Event, ...]]:
    """
    Let everybody who was hurt below 0 Health roll to stay up; return the state, the seats knocked out, and the events.

    Shape: a fighter who fails one save rolls no other; the Buffer is looked at after all attacks, since they land at
    once.
    Rule: K25-K27, K-u, K-v.
    """
    events: list[Event] = []
    fallen: list[str] = []
    counts: dict[str, int] = {}
    for seat, buffer in _owed(state, wounds):
        if seat in fallen:
            continue
        counts[seat] = nth = counts.get(seat, 0) + 1
        name = state.fighter(seat).name
        label = f"save {nth} of {seat}"
        face = dice.face(label, 20)
        needed = DIFFICULTY + (state.house["ko_at_15"] == "down")
        stays = face + buffer >= needed
        how = f"d20 {face} + Buffer {buffer} = {face + buffer}, {needed} needed"
        stays = sums.claim(label, f"{name} stays up, save {nth}", stays, how, "K25")
        chance = max(0, min(20, 21 + buffer - needed)) * 5
        facts = {
            "seat": seat, "who": name, "face": face, "buffer": buffer, "needed": needed, "stays": stays,
            "chance": chance, "ruled": sums.pins(label), "verdict": label,
        }  # fmt: skip
        events.append(Event(kind="saved", to=EVERYONE, facts=facts, rule="K25"))
        if not stays:
            fallen.append(seat)
    for seat in fallen:
        one = state.fighter(seat)
        cold = one.buffer <= 0
        rounds = COLD if cold else FLOOR
        state = with_fighter(state, msgspec.structs.replace(
            one, down=rounds, cold=cold, away=False, knocked=one.knocked + 1,
        ))  # fmt: skip
        facts = {"seat": seat, "who": one.name, "rounds": rounds, "cold": cold}
        events.append(Event(kind="knocked_out", to=EVERYONE, facts=facts, rule="K27" if cold else "K26"))
    return state, frozenset(fallen), tuple(events)


def _owed(state: State, wounds: Sequence[Wound]) -> list[tuple[str, int]]:
    """Return the seats that have to roll, with the Buffer that each has left, in the order of the attacks."""
    fell = [wound for wound in wounds if wound.after.health < 0 and not wound.before.down]
    owed: list[tuple[str, int]] = [(wound.before.seat, wound.after.buffer) for wound in fell]
    if state.house["ko_check"] == "per_attack":
        return owed
    return list(dict(owed).items())


def between_rounds(
    state: State, knocked: frozenset[str], sums: Reckoning, dice: Dice
) -> tuple[State, tuple[Event, ...]]:
    """
    Let a round pass for everybody: fighters get up again, and boxers get Endurance back.

    Shape: rounds on the floor are counted from the one behind the knock-out; who is up again has to move back, where
    there is a crowd to move into.
    Rule: K26-K28, K-y, K-nn.
    """
    changed: list[Fighter] = []
    events: list[Event] = []
    for one in (one for one in state.fighters if not one.gone):
        if one.down:
            after = msgspec.structs.replace(one, down=one.down - (one.seat not in knocked))
            if not after.down:
                after = msgspec.structs.replace(after, cold=False, away=state.is_pub)
                facts = {"seat": str(one.seat), "who": one.name, "away": after.away}
                events.append(Event(kind="got_up", to=EVERYONE, facts=facts, rule="K-y"))
            changed.append(after)
        elif state.house["boxing"] == "yes" and one.health > 0:
            after, breaths = _breath(one, sums, dice)
            events += breaths
            changed.append(after)
    return with_fighters(state, changed), tuple(events)


def _breath(one: Fighter, sums: Reckoning, dice: Dice) -> tuple[Fighter, list[Event]]:
    """Let a boxer get 1d3 Endurance back. Rule: K28."""
    label = f"breath 1 of {one.seat}"
    rolled = sums.number(
        f"roll of {label}", f"roll of breath 1 of {one.name}", third(dice.face(label, 6)), "1d3", "K28", least=1
    )
    gained = min(rolled, max(0, one.full_endurance - one.endurance))
    if not gained:
        return one, []
    facts = {"seat": str(one.seat), "who": one.name, "gained": gained, "endurance": one.endurance + gained}
    breaths = [Event(kind="breath", to=EVERYONE, facts=facts, rule="K28")]
    return msgspec.structs.replace(one, endurance=one.endurance + gained), breaths
