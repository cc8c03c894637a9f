"""Players and a moderator who are programs: they read letters as people do, and say in plain lines what they want."""

import re
from collections.abc import Callable, Mapping, Sequence

from pbem.ruleset import Cast, Dice, Leaving, Wits

_POWERS = {
    "Ada": (
        ("Tough Hide", "+15 to your Defence."),
        ("Second Wind", "Burn 5: gain 12 Energy at the end of the round, if nobody damaged you."),
    ),
    "Bo": (
        ("Laser Eyes", "Spend 10 and choose a Hero: 5 unblockable damage to that Hero."),
        ("Patience", "Burn 10: gain 15 Energy at the end of the round, if you attacked nobody."),
    ),
    "Cy": (
        ("Big, Gnashy Claws", "If you use no other power in a round, +20 to your Attack."),
        ("Ink Cloud", "Spend 15: ignore one Attack on you this round."),
    ),
    "Dee": (
        ("Regeneration", "Gain 3 Energy at the beginning of each round."),
        ("Grudge", "+5 to each of your Attacks."),
    ),
}
_HEROES = {"Ada": "Mantisman", "Bo": "Doctor Cuttlefish", "Cy": "Plastiquegirl", "Dee": "The Breeze"}
_BIDS = {"Ada": (18, 4), "Bo": (12, 12), "Cy": (25, 0), "Dee": (8, 8)}
_ROW = re.compile(r"^  (.{18}) [#.]{20} +(\d+)( you)?$", re.MULTILINE)


def _player(name: str) -> Wits:
    def wits(letter: str, said: Sequence[str], dice: Dice) -> Sequence[str]:
        if "POWERS: what is asked" in letter:
            return [f"power: {power}\ntext: {text}" for power, text in _POWERS[name]]
        if "AUCTION: what is asked" in letter:
            return _bids(name, letter, dice)
        if "REBID: what is asked" in letter:
            return [f"bid {number} {dice.face(number, 20)}" for number in _blanks(letter)]
        if re.search(r"ROUND \d+: what is asked", letter):
            return _round(name, letter, dice)
        return ()

    return wits


def _blanks(letter: str) -> list[str]:
    return re.findall(r"^~ bid (P\d+)", letter, re.MULTILINE)


def _bids(name: str, letter: str, dice: Dice) -> list[str]:
    numbers = dice.shuffle(f"{name} bids", _blanks(letter))
    high, low = _BIDS[name]
    lines = [f"bid {numbers[0]} {high} then {high + dice.face('then', 9)}"]
    return [*lines, *(f"bid {number} {low}" for number in numbers[1:3] if low)]


def _round(name: str, letter: str, dice: Dice) -> list[str]:
    rows = [(hero.strip(), int(energy), bool(me)) for hero, energy, me in _ROW.findall(letter)]
    mine = next(energy for _, energy, me in rows if me)
    others = [hero for _, hero in sorted((energy, hero) for hero, energy, me in rows if not me)]
    asked = re.search(r"ROUND (\d+): what is asked", letter)
    number = int(asked[1]) if asked else 0
    used = _use(letter, others[-1]) if mine > 25 else []
    orders = _TEMPERS[name](mine - 10 * len(used), others, number, dice)
    named = [f"hero: {_HEROES[name]}"] if number == 1 else []
    return [*named, *orders, *used] if orders else []


def _use(letter: str, target: str) -> list[str]:
    """Use Laser Eyes, which everybody understands; powers that are always on the moderator rules on."""
    owned = letter.partition("Your powers")[2].partition("Split your")[0]
    return [f"use Laser Eyes on {target} spend 10"] if "Laser Eyes" in owned else []


def _share(mine: int, tenths: int) -> int:
    """Return what goes into a blow: more with every round, and of little all, or the game would never end."""
    return mine if mine < 10 else mine * min(9, tenths) // 10


def _guard(points: int) -> list[str]:
    return [f"defend {points}"] if points else []


def _careful(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    blow = _share(mine, 2 + number)
    return [*_guard(mine - blow), f"attack {others[-1]} {blow}", "block largest first"]


def _sly(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    blow = _share(mine, 4 + number)
    return [f"attack {others[0]} {blow}", *_guard(mine - blow)]


def _berserk(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    target = others[dice.face("target", len(others)) - 1]
    return [f"attack {target} {mine - mine // 4}"]


def _forgetful(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    if number == 4:
        return []
    blow = _share(mine, dice.face("mood", 4) + number)
    return [f"attack {others[-1]} {blow}", *_guard(mine - blow)]


_TEMPERS: Mapping[str, Callable[[int, list[str], int, Dice], list[str]]] = {
    "Ada": _careful,
    "Bo": _sly,
    "Cy": _berserk,
    "Dee": _forgetful,
}


_ALWAYS_ON = {
    "Tough Hide": "do defence({}) += 15 each round because Tough Hide is always on",
    "Grudge": "do attack({}, any) += 5 each round because a Grudge is never forgotten",
}
_CLAWS = "do attack({}, any) += 20 because the Claws were free"


def _moderator(letter: str, said: Sequence[str], dice: Dice) -> list[str]:
    """Say what powers did, and once overrule a blow that went home hard."""
    before = "\n".join(said)
    lines = [line for line in _always_on(letter) if line not in before]
    words = " ".join(letter.split())
    if "do deal 5" not in words:
        hit = re.findall(r"used P\d+ Laser Eyes on ([^(]+?) \(", words)
        lines += [f"do deal 5 to {hero} unblockable because Laser Eyes never miss" for hero in hit]
    if "the Claws were free" not in words:
        lines += [_CLAWS.format(owner) for owner in _owners(letter, "Claws") if f"{owner} used P" not in words]
    blow = re.search(r"on ([^:]+): \d+ \(([^()]+)\)[^=\[]* = ([2-9]\d) damage \[(V\d+)\]", words)
    if not lines and blow and "overrule" not in before:
        victim, attacker, points, number = blow.groups()
        lines = [
            f"overrule {number} = {int(points) // 2} because {attacker} slipped on the wet roof,",
            f"and {victim} saw it coming",
            "",
            "note The roof is wet tonight.",
        ]
    return lines


def _always_on(letter: str) -> list[str]:
    """Say what powers do that work by themselves."""
    return [line.format(owner) for power, line in _ALWAYS_ON.items() for owner in _owners(letter, power)]


def _owners(letter: str, power: str) -> list[str]:
    """Find who has a power, in what the moderator alone is told: `HERO: P03 NAME`, and the text below."""
    section = letter.partition("Powers in play that do not run by themselves\n")[2].partition("\n\n")[0]
    rows = re.sub(r"\n {6}(?!:)", " ", section).split("\n")
    return [row.partition(": ")[0].strip() for row in rows if row.startswith("    ") and row[4] != " " and power in row]


_WAYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Bo": {
        r"attack (.+) (\d+)": (r"I attack \1 with \2.", r"I will hit \1 with \2.", r"\2 on \1, please."),
        r"defend (\d+)": (r"I defend with \1.", r"\1 on defence, please."),
        r"power: (.+)\ntext: (.+)": (r"power: \1\n\2",),
        r"bid (P\d+) (\d+)": (r"I bid \2 on \1.", r"\2 on \1, please."),
    },
    "Ada": {
        r"attack (.+) (\d+)": (r"attack \1 \2", r"hit \1 with \2", r"attack \1 with \2"),
        r"defend (\d+)": (r"defend \1", r"def \1"),
        r"power: (.+)\ntext: (.+)": (r"power: \1\n\2",),
        r"bid (P\d+) (\d+)": (r"\1 \2", r"bid \2 on \1"),
    },
    "Cy": {
        r"attack (.+) (\d+)": (r"**ATTACK \1 \2!**", r"\2 on \1!!!", r"**\1: \2** 💥"),
        r"power: (.+)\ntext: (.+)": (r"power \1: \2",),
        r"use (.+) on (.+) spend (\d+)": (r"**\1** on \2, spend \3!",),
    },
    "Dee": {
        r"attack (.+) (\d+)": (r"\2 on \1", r"\1 \2"),
        r"defend (\d+)": ("rest def", "rest defence", r"\1 def"),
        r"power: (.+)\ntext: (.+)": (r"\1: \2", r"\1 - \2"),
        r"bid (P\d+) (\d+)": (r"\2 on \1", r"\1 \2"),
    },
}


CAST = Cast(
    people={**{name: _player(name) for name in _HEROES}, "Gwen": _moderator},
    reviewed=("powers", "round"),
    rules={"default": "48h after opening", "round": "every day 20:00, at least 20h"},
    ways=_WAYS,
    amends={r"attack (.+) (\d+)": r"make that \2 on \1", r"defend (\d+)": r"make that \1 defence"},
    talk=(
        "Looking forward to it!",
        "What a night for heroes.",
        "My cape is still wet from the last one.",
        "Is it me, or does the Doctor cheat?",
        "press to all: May the best cape win.",
        "{host}, who cleans up this city after us?",
    ),
    replies={
        "who cleans up": "The mayor, with a very small broom. He thanks you all for the work.",
        "does the Doctor cheat": "I watch every hand. It is just that one of us has eight.",
    },
    leaving=Leaving(
        player="Dee",
        successor="Fay",
        at="ROUND 2: what is asked",
        words="Our daughter was born last night! Gwen, can Fay take over?",
        because="Dee has better things to do",
        farewell="Congratulations! I have asked her. Sleep while you can.",
    ),
)
"""Who plays in a demonstration."""
