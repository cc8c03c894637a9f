"""What silence does with dice, those of a whole pool or those that a set leaves over; resolves nothing."""

from collections.abc import Mapping, Sequence

from pbem.rulesets.brawl.order import Defend, Drop
from pbem.rulesets.brawl.sets import MOST
from pbem.rulesets.brawl.state import Die, State


def uses_up(house: Mapping[str, str]) -> bool:
    """Say whether dice that a set leaves over are used as silence would use them. Rule: M3."""
    return (house.get("left_over", "idle"), house["nmr"]) == ("defends", "defend")


def silence(
    state: State, seat: str, free: Sequence[Die], guards: int = 0, *, is_back: bool = False
) -> tuple[Drop | Defend, ...]:
    """
    Return what silence does with dice: move back with the worst, defend with the best, maneuver with the others.

    Shape: `guards` are the defenses that there are besides; `is_back` says that another die moves the fighter back.
    Rule: M3.
    """
    fighter = state.fighter(seat)
    best = sorted(free, key=lambda die: -die.value)
    loose = [die for die in best if not die.use]
    if fighter.down and state.house["downed_die"] == "drop":
        return tuple(Drop(die.letter, "maneuver") for die in loose)
    back = [loose.pop()] if fighter.away and not is_back and loose else []
    held = [die for die in best if die.use == "defense"]
    guarding = [*held, *loose][: max(0, MOST[Defend] - guards)]
    return (
        *(Drop(die.letter, "move") for die in back),
        *(Defend((die.letter,)) for die in guarding),
        *(Drop(die.letter, "maneuver") for die in loose if die not in guarding),
    )
