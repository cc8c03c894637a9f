"""Players and a moderator who are programs: they read letters as people do, and say in plain lines what they want."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pbem.ruleset import Cast, Dice, Wits

_ASKED = re.compile(r"ROUND (\d+): what is asked")
_DICE = re.compile(r"^Your dice: ([a-z]\d.*?)\.", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^  \d (\w+): .*initiative", re.MULTILINE)
_FALL = re.compile(r"^(V\d+) (\w+) stays up, save \d+ = no$", re.MULTILINE)


class _Hand(NamedTuple):
    """What a letter shows: the round, one's own dice by letter, the best first, and the others who have some."""

    round: int
    dice: list[str]
    foes: list[str]


def _player(name: str) -> Wits:
    def wits(letter: str, said: Sequence[str], dice: Dice) -> Sequence[str]:
        hand = _hand(name, letter)
        if not hand:
            return ()
        if "A question:" in letter:
            return _blow(hand.foes[0], hand.dice) if hand.foes else ["pass"]
        return _TEMPERS[name](hand, dice)

    return wits


def _hand(name: str, letter: str) -> _Hand | None:
    """Read what one has to fight with; None where a letter shows no dice."""
    asked, shown = _ASKED.search(letter), _DICE.search(letter)
    if not shown:
        return None
    values = sorted(shown[1].split(), key=lambda die: (-int(re.sub(r"\D", "", die)), die))
    foes = [foe for foe in _ROW.findall(letter) if foe != name]
    return _Hand(int(asked[1]) if asked else 0, [die[0] for die in values], foes)


def _blow(foe: str, dice: Sequence[str]) -> list[str]:
    """Hurt with the best die, hit with the next two, and defend with what is left; one die alone only defends."""
    if len(dice) < 2:
        return [f"defend with {die}" for die in dice] or ["pass"]
    return [
        f"attack {foe} with {' '.join(dice[1:3])} damage {dice[0]}",
        *(f"defend with {die}" for die in dice[3:]),
    ]


def _watchful(hand: _Hand, dice: Dice) -> list[str]:
    """Ask to be asked, every other round, once the slower ones have declared."""
    return ["ask me"] if hand.round % 2 == 0 else _blow(hand.foes[-1], hand.dice)


def _sly(hand: _Hand, dice: Dice) -> list[str]:
    """Hit the slowest."""
    return _blow(hand.foes[0], hand.dice)


def _wild(hand: _Hand, dice: Dice) -> list[str]:
    """Hit anybody, with every die."""
    foe, best = dice.pick("foe", hand.foes), hand.dice
    if len(best) < 4:
        return _blow(foe, best)
    return [f"attack {foe} with {best[0]} damage {best[1]}", f"attack {foe} with {best[2]} damage {best[3]}"]


def _forgetful(hand: _Hand, dice: Dice) -> list[str]:
    """Miss the third round; else hit back, maneuver, or have a drink."""
    if hand.round == 3:
        return []
    foe, best = hand.foes[-1], hand.dice
    rest = [f"drop {die} {dice.pick('rest', ('maneuver', 'drink', 'regain'))}" for die in best[3:]]
    return [*_blow(foe, best[:3]), *rest]


_TEMPERS: Mapping[str, Callable[[_Hand, Dice], list[str]]] = {
    "Ada": _watchful,
    "Bo": _sly,
    "Cy": _wild,
    "Dee": _forgetful,
}


def _moderator(letter: str, said: Sequence[str], dice: Dice) -> list[str]:
    """Once let a fighter stay up who would fall."""
    falls = _FALL.search(letter)
    if not falls or "overrule" in "\n".join(said):
        return []
    number, who = falls.groups()
    return [f"overrule {number} = yes because {who} fell against the bar", "", "note The bar is open till two."]


_BLOW, _GUARD = r"attack (\w+) with (.+) damage (.+)", r"defend with (.+)"
_WAYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Bo": {
        _BLOW: (r"I attack \1 with \2, damage \3.", r"I hit \1 with \2 and damage \3."),
        _GUARD: (r"I defend with \1.", r"\1 for my defence, please."),
    },
    "Ada": {_BLOW: (r"attack \1 with \2 damage \3", r"hit \1 with \2 damage \3"), _GUARD: (r"def \1", r"defend \1")},
    "Cy": {
        _BLOW: (
            r"**ATTACK \1** with \2, damage \3!",
            r"**HIT \1** with \2, damage \3!!!",
            r"punch \1 with \2 damage \3!",
        ),
        _GUARD: (r"block with \1",),
    },
    "Dee": {
        _BLOW: (r"\2 on \1 dmg \3", r"hit \1 \2 dmg \3"),
        _GUARD: (r"\1 def", r"def \1"),
        r"drop (\w) (\w+)": (r"\2 with \1", r"\1 \2"),
    },
}

CAST = Cast(
    people={**{name: _player(name) for name in _TEMPERS}, "Gwen": _moderator},
    reviewed=("round",),
    rules={"default": "every day 20:00, at least 20h", "turn": "12h after opening"},
    house={"police": "10", "endurance": "10", "health": "8"},
    ways=_WAYS,
    talk=(
        "Mine's a pint.",
        "My mother must not hear of this.",
        "That was my favourite glass.",
        "press to all: Next round is on me. The beer, I mean.",
        "{host}, who pays for the furniture?",
    ),
)
"""Who plays in a demonstration."""
