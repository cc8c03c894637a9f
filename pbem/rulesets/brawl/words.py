"""What reading and writing any order line of a brawl needs: dice and names; knows no whole line."""

import re
from collections.abc import Sequence

from pbem.ruleset import Refused, all_read, phrases
from pbem.rulesets.brawl.state import COOP, Die, Fighter, State, Use

GLUE = frozenset(
    (
        "with", "damage", "vs", "against", "on", "to", "and", "or", "else", "if", "for", "from", "me", "my", "is",
        "has", "attacks", "drops", "defends", "by", "aside", "charge", "counter", "advantage", "maneuver", "regain",
        "coop", "move", "bind", "pickup", "drink", "old", "add", "attack", "defend", "die", "init", "uses", "using",
        "nobody", "somebody", "someone", "no", "s",
    )
)  # fmt: skip
"""Words that hold order lines together, so a name that has one is written by its key instead."""


FACES = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6} | {str(face): face for face in range(1, 7)}
"""What people call a die that shows a number, behind `the` or `my`."""


def written(state: State, seat: str) -> str:
    """Return how orders name a fighter: by name, or by seat if the name would be misread."""
    name = state.fighter(seat).name
    words = re.split(r"[\s.'!-]+", name.casefold())
    return seat if GLUE & set(words) or re.search(r"[,;:#~|]", name) or len(name) < 2 else name


def pool(fighter: Fighter) -> str:
    """Return a fighter's dice as letters show them."""
    return " ".join(die.full_label for die in fighter.dice) or "none"


def find_die(fighter: Fighter, said: str) -> Die | Refused:
    """
    Find a die of a fighter by its letter, with or without the number that it shows; or as `the six`, by its face.

    Errors: `illegal` for a die that there is not, `ambiguous` where two show that. Rule: K4.
    """
    if said.startswith("the "):
        return _by_face(fighter, said.removeprefix("the "))
    die = fighter.die(said[0])
    if die is None or (said[1:] and int(said[1:]) != die.value):
        return Refused("illegal", f"You have no die {said}. Yours: {pool(fighter)}.", "K4")
    return die


def no_die(dice: str, text: str) -> Refused:
    """Say that a text is no die of a pool."""
    return Refused("unreadable", f'"{text}" is no die. Name dice by their letters. Yours: {dice}.', "K4")


def _by_face(fighter: Fighter, face: str) -> Die | Refused:
    value = FACES.get(face)
    if value is None:
        return no_die(pool(fighter), f"the {face}")
    found = [die for die in fighter.dice if die.value == value]
    if len(found) == 1:
        return found[0]
    if not found:
        return Refused("illegal", f"You have no die that shows {value}. Yours: {pool(fighter)}.", "K4")
    which = phrases.listed([die.full_label for die in found])
    return Refused("ambiguous", f"More than one die shows {value}: {which}. Name it by its letter.", "K4")


def find_dice(fighter: Fighter, said: Sequence[str]) -> tuple[str, ...] | Refused:
    """Return the letters of dice, each as it is called. Rule: K4."""
    dice = _how_many(fighter, said) or all_read(find_die(fighter, one) for one in said)
    if isinstance(dice, Refused):
        return dice
    letters = tuple(die.letter for die in dice)
    if len(set(letters)) < len(letters):
        return Refused("illegal", "A die is named twice in this line. Each can be used once.", "K7")
    return letters


def _how_many(fighter: Fighter, said: Sequence[str]) -> Refused | None:
    """Ask where a number may say how many dice are meant: `the two` of who has two, `my three dice`."""
    face = said[0].removeprefix("the ") if len(said) == 1 and said[0].startswith("the ") else ""
    count = 0 if face.isdecimal() else FACES.get(face.removesuffix(" dice"), 0)
    if count > 1 and (face.endswith(" dice") or count == len(fighter.dice)):
        return Refused("ambiguous", f"Which dice? Name them by their letters. Yours: {pool(fighter)}.", "K4")
    return None


def fixed(fighter: Fighter, letters: tuple[str, ...], use: Use) -> Refused | None:
    """Refuse dice that were delayed for something else. Rule: K13, K-n."""
    for letter in letters:
        die = fighter.die(letter) if letter != COOP else None
        if die and die.use and die.use != use:
            done = {"attack": "an attack", "defense": "a defense", "damage": "damage", "": "a drop or a delay"}[use]
            because = f"Die {die.label} was delayed for {die.use}, so it cannot be used for {done}."
            return Refused("illegal", because, "K-n" if not use else "K13")
    return None


def no_other(state: State, seat: str, found: str, rule: str) -> Refused | None:
    """Refuse a seat itself, and who has left, where another fighter has to be named."""
    if found == seat:
        return Refused("illegal", "That is you. Name another fighter.", rule)
    if state.fighter(found).gone:
        return Refused("illegal", f"{state.fighter(found).name} has left the fight.", rule)
    return None
