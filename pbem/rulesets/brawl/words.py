"""What reading and writing any order line of a brawl needs: dice, names, words for actions; knows no whole line."""

import re

from pbem.ruleset import Refused, phrases
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


def find_die(fighter: Fighter, text: str) -> Die | Refused:
    """
    Find a die of a fighter by its letter, with or without the number that it shows; or as `the six`, by its face.

    Errors: `unreadable` for what is neither, `illegal` for a die that there is not, `ambiguous` where two show that.
    Rule: K4.
    """
    said = re.sub(r"^(?:(?:the|my) )?die (?=\S)|^my (?=[a-z][0-9]?$)", "", text.strip().lower())
    if match := re.fullmatch(r"(?:the|my) (\w+)(?: die)?", said):
        return _by_face(fighter, match[1], text)
    match = re.fullmatch(r"([a-z])([0-9]*)(?:\s*\([a-z]+\))?", said)
    if not match:
        return no_die(pool(fighter), text)
    die = fighter.die(match[1])
    if die is None or (match[2] and int(match[2]) != die.value):
        return Refused("illegal", f"You have no die {text.strip()}. Yours: {pool(fighter)}.", "K4")
    return die


def no_die(dice: str, text: str) -> Refused:
    """Say that a text is no die of a pool."""
    return Refused("unreadable", f'"{text}" is no die. Name dice by their letters. Yours: {dice}.', "K4")


def _by_face(fighter: Fighter, face: str, text: str) -> Die | Refused:
    value = FACES.get(face)
    if value is None:
        return no_die(pool(fighter), text)
    found = [die for die in fighter.dice if die.value == value]
    if len(found) == 1:
        return found[0]
    if not found:
        return Refused("illegal", f"You have no die that shows {value}. Yours: {pool(fighter)}.", "K4")
    which = phrases.listed([die.full_label for die in found])
    return Refused("ambiguous", f"More than one die shows {value}: {which}. Name it by its letter.", "K4")


def find_dice(fighter: Fighter, text: str) -> tuple[str, ...] | Refused:
    """Read one die or more: `a`, `a,b`, `a and b`, `a6 b4`, `the six and the five`. Rule: K4."""
    if asked := _how_many(fighter, text.strip().lower()):
        return asked
    letters: list[str] = []
    article = ""
    for part in re.split(r"\s*(?:,|\+|&|\band\b|\s)\s*", text.strip()):
        said = part.lower()
        if said in ("the", "my"):
            article = f"{said} "  # it holds for all faces behind it: the six and five
        if said in ("", "the", "my", "die") or (said == "dice" and not letters):
            continue
        die = find_die(fighter, f"{article}{part}" if said in FACES else part)
        if isinstance(die, Refused):
            return die
        letters.append(die.letter)
    if not letters:
        return Refused("unreadable", f"Name at least one die. Yours: {pool(fighter)}.", "K4")
    if len(set(letters)) < len(letters):
        return Refused("illegal", "A die is named twice in this line. Each can be used once.", "K7")
    return tuple(letters)


def _how_many(fighter: Fighter, text: str) -> Refused | None:
    """Ask where a number may say how many dice are meant: `the two` of who has two, `my three dice`."""
    match = re.fullmatch(r"(?:the|my) ([a-z]+)( dice)?", text)
    count = FACES.get(match[1], 0) if match else 0
    if match and count > 1 and (match[2] or count == len(fighter.dice)):
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
