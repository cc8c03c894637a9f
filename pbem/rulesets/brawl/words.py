"""What reading and writing any order line of a brawl needs: dice, names, words for actions; knows no whole line."""

import re

from pbem.ruleset import Refused, Seat, phrases, refuse
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

ACTIONS = {
    "counter": "counter", "advantage": "advantage", "maneuver": "maneuver", "manoeuvre": "maneuver",
    "maneuvre": "maneuver", "regain": "regain", "coop": "coop", "co-op": "coop", "give": "coop", "help": "coop",
    "move": "move", "charge": "charge", "bind": "bind", "pickup": "pickup", "pick up": "pickup", "item": "pickup",
    "drink": "drink", "drink!": "drink",
}  # fmt: skip
"""What people call the drop dice, by the word that we write."""
DOES = {
    "counters": "counter", "takes advantage": "advantage", "maneuvers": "maneuver", "manoeuvres": "maneuver",
    "regains": "regain", "coops": "coop", "helps": "coop", "moves": "move", "charges": "charge", "binds": "bind",
    "picks up": "pickup", "drinks": "drink",
}  # fmt: skip
"""The same as what somebody does: Terence drinks."""
USES: dict[str, Use] = {
    "attack": "attack", "defense": "defense", "defence": "defense", "defend": "defense", "damage": "damage",
}  # fmt: skip


FACES = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6} | {str(face): face for face in range(1, 7)}
"""What people call a die that shows a number, behind `the` or `my`."""
HURT = r"damag(?:e|es|ing)|dmg|dam|hurt(?:s|ing)?|deal(?:s|ing)?"
"""What people call what the damage dice do."""


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


def find_other(state: State, seat: str, text: str, rule: str) -> str | Refused:
    """Find another fighter."""
    is_me = text.strip().lower() in ("me", "myself")
    found = Seat(seat) if is_me else phrases.find(text.strip(), state.names, "fighter")
    if isinstance(found, phrases.Unread):
        return refuse(found, rule)
    return no_other(state, seat, found, rule) or str(found)


def no_other(state: State, seat: str, found: str, rule: str) -> Refused | None:
    """Refuse a seat itself, and who has left, where another fighter has to be named."""
    if found == seat:
        return Refused("illegal", "That is you. Name another fighter.", rule)
    if state.fighter(found).gone:
        return Refused("illegal", f"{state.fighter(found).name} has left the fight.", rule)
    return None
