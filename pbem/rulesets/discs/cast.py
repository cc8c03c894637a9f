"""Players and a moderator of the demonstration, who read letters as people do, and answer with lines of text."""

import re
from collections.abc import Callable, Mapping, Sequence

from pbem.ruleset import Cast, Dice, Wits

_ASKED = re.compile(r"(?:TURN|What is asked now, in Turn) (\d+), (first|second) half", re.IGNORECASE)
_FOE = re.compile(r'^  (\S+): ([\d.]+)" ', re.MULTILINE)
_CARD = re.compile(r"^(V\d+) card \d+ = (\S+)$", re.MULTILINE)


def _player(name: str) -> Wits:
    def answer(letter: str, said: Sequence[str], dice: Dice) -> str:
        if "An invitation to" in letter:
            return f"join as {name}\n\nSee you on the Grid.\n{name}"
        asked = next(reversed([*_ASKED.finditer(letter)]), None)  # a report names the half that is over first
        foes = sorted((_hundredths(inches), foe) for foe, inches in _FOE.findall(letter))
        if asked and foes and "what is asked" in letter.casefold():
            half = 2 * int(asked[1]) - (asked[2].casefold() == "first")
            return "\n".join(_TEMPERS[name](foes, half, dice))
        if letter.startswith("To you alone. Orders") and "line " in letter and said:
            return _again(said[-1])
        return ""

    return answer


def _hundredths(inches: str) -> int:
    """Read a distance as letters show it, 13.86 or 4."""
    whole, _, part = inches.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def _again(said: str) -> str:
    """Look at one's own mail again, and mend the slip of the fingers in it."""
    mended = said.replace("trow", "throw")
    return mended if mended != said else ""


def _sniper(foes: list[tuple[int, str]], half: int, dice: Dice) -> list[str]:
    """Bank the first throw off a wall, then keep a distance and throw at who comes near."""
    foe = foes[0][1]
    wall = dice.pick("wall", ("north", "east", "south", "west"))
    opening = (
        [f"throw at {foe} off {wall}", "hold"] if half == 1 else [f"if {foe} within 7: throw at {foe}", "hold to 1"]
    )
    return [*opening, "attack nearest", "move to my disc", f"move to {foe}", "", "on disc: dodge, block"]


def _hunter(foes: list[tuple[int, str]], half: int, dice: Dice) -> list[str]:
    """Go for the nearest, with a slip of the fingers in the first mail."""
    inches, foe = foes[0]
    throw = "trow" if half == 1 else "throw"
    near = [f"attack {foe}"] if inches < 1000 else []
    return [*near, f"if {foe} within 9: {throw} at {foe}", "move to my disc", f"move to {foe}", f"throw at {foe}"]


def _keeper(foes: list[tuple[int, str]], half: int, dice: Dice) -> list[str]:
    """Hold two cards, throw at the weakest, and talk."""
    talk = ["", "press to all: Come closer, all of you. I have a Disc for each."] if half == 2 else []
    return ["hold", "attack nearest", "throw at weakest", "move to centre", "recall: when away", *talk]


def _forgetful(foes: list[tuple[int, str]], half: int, dice: Dice) -> list[str]:
    """Miss every third letter, and rely on reactions that stand."""
    if half % 3 == 0:
        return []
    far = foes[-1][1]
    standing = ["on disc: block, dodge", "on my disc: card, dive"] if half == 1 else []
    return [f"throw at {far}", "hold to 1", "attack nearest", "move to my disc", "move to nearest", *standing]


_TEMPERS: Mapping[str, Callable[[list[tuple[int, str]], int, Dice], list[str]]] = {
    "Ada": _sniper,
    "Bo": _hunter,
    "Cy": _keeper,
    "Dee": _forgetful,
}


def _moderator(letter: str, said: Sequence[str], dice: Dice) -> str:
    """Overrule a card of the second turn, with a note, and let proofs out."""
    proof = re.match(r"To the moderator alone\. Proof (\d+) of", letter)
    if not proof:
        return ""
    cards = _CARD.findall(letter)
    drawn = {owner for _, owner in cards}
    if len(said) == 2 and len(drawn) > 1:
        number, owner = cards[-1]
        other = next(one for _, one in cards if one != owner)
        return f"overrule {number} = {other} because two cards stuck together\n\nnote The deck is dealt anew next turn."
    return f"approve {proof[1]}"


CAST = Cast(
    people={**{name: _player(name) for name in _TEMPERS}, "Gwen": _moderator},
    reviewed=("list",),
    rules={"default": "every day 20:00, at least 20h"},
)
"""Who plays in a demonstration."""
