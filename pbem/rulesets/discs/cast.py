"""Players and a moderator who are programs: they read letters as people do, and say in plain lines what they want."""

import re
from collections.abc import Callable, Mapping, Sequence

from pbem.ruleset import Cast, Dice, Wits

_ASKED = re.compile(r"TURN (\d+), (first|second) half", re.IGNORECASE)
_FOE = re.compile(r'^  (\S+): ([\d.]+)" ', re.MULTILINE)
_CARD = re.compile(r"^(V\d+) card \d+ = (\S+)$", re.MULTILINE)


def _player(name: str) -> Wits:
    def wits(letter: str, said: Sequence[str], dice: Dice) -> Sequence[str]:
        asked = next(reversed([*_ASKED.finditer(letter)]), None)  # a report names the half that is over first
        foes = sorted((_hundredths(inches), foe) for foe, inches in _FOE.findall(letter))
        if not asked or not foes:
            return ()
        return _TEMPERS[name](foes, 2 * int(asked[1]) - (asked[2].casefold() == "first"), dice)

    return wits


def _hundredths(inches: str) -> int:
    """Read a distance as letters show it, 13.86 or 4."""
    whole, _, part = inches.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def _sniper(foes: list[tuple[int, str]], half: int, dice: Dice) -> list[str]:
    """Bank the first throw off a wall, then keep a distance and throw at who comes near."""
    foe = foes[0][1]
    wall = dice.pick("wall", ("north", "east", "south", "west"))
    opening = (
        [f"throw at {foe} off {wall}", "hold"] if half == 1 else [f"if {foe} within 7: throw at {foe}", "hold to 1"]
    )
    return [*opening, "attack nearest", "move to my disc", f"move to {foe}", "on disc: dodge, block"]


def _hunter(foes: list[tuple[int, str]], half: int, dice: Dice) -> list[str]:
    """Go for the nearest."""
    inches, foe = foes[0]
    near = [f"attack {foe}"] if inches < 1000 else []
    return [*near, f"if {foe} within 9: throw at {foe}", "move to my disc", f"move to {foe}", f"throw at {foe}"]


def _keeper(foes: list[tuple[int, str]], half: int, dice: Dice) -> list[str]:
    """Hold two cards, throw at the weakest, and talk."""
    talk = ["press to all: Come closer, all of you. I have a Disc for each."] if half == 2 else []
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


def _moderator(letter: str, said: Sequence[str], dice: Dice) -> list[str]:
    """Overrule a card of the second turn, with a note."""
    cards = _CARD.findall(letter)
    if len(said) != 2 or len({owner for _, owner in cards}) < 2:
        return []
    number, owner = cards[-1]
    other = next(one for _, one in cards if one != owner)
    because = "because two cards stuck together"
    return [f"overrule {number} = {other} {because}", "", "note The deck is dealt anew next turn."]


_WAYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Bo": {
        r"throw at (.+)": (r"I throw at \1.",),
        r"attack nearest": ("Attack the nearest, please.",),
        r"move to (.+)": (r"I move to \1.",),
    },
    "Ada": {r"move to (.+)": (r"move to \1", r"run to \1"), r"throw at (.+)": (r"throw \1", r"throw at \1")},
    "Cy": {
        r"attack nearest": ("**ATTACK** the nearest!", "attack nearest!!"),
        r"throw at weakest": ("throw at the weakest! 😈",),
    },
    "Dee": {r"move to nearest": ("go to nearest",), r"throw at (.+)": (r"disc at \1", r"throw at \1")},
}

CAST = Cast(
    people={**{name: _player(name) for name in _TEMPERS}, "Gwen": _moderator},
    reviewed=("list",),
    rules={"default": "every day 20:00, at least 20h"},
    ways=_WAYS,
    talk=(
        "See you on the Grid.",
        "My Disc hums in the cold.",
        "press to all: Mind the walls, they are closer than they look.",
        "{host}, who polishes all those walls?",
    ),
)
"""Who plays in a demonstration."""
