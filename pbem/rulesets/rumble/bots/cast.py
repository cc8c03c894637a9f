"""Players and a moderator who are programs: they read letters as people do, and answer with lines of text."""

import re
from collections.abc import Callable, Mapping, Sequence

from pbem.ruleset import Cast, Dice, Wits

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
    def answer(letter: str, said: Sequence[str], dice: Dice) -> str:
        if "An invitation to" in letter:
            return f"join as {name}\n\nLooking forward to it!\n{name}"
        if "Powers, of " in letter:
            return "\n\n".join(f"power: {power}\ntext: {text}" for power, text in _POWERS[name])
        if "AUCTION: what is asked" in letter:
            return _bids(name, letter, dice)
        if "REBID: what is asked" in letter:
            return "\n".join(f"bid {number} {dice.face(number, 20)}" for number in _blanks(letter))
        if re.search(r"ROUND \d+: what is asked", letter):
            return _round(name, letter, dice)
        if letter.startswith("To you alone. Orders") and "line " in letter and said:
            return _again(said[-1])
        return ""

    return answer


def _blanks(letter: str) -> list[str]:
    return re.findall(r"^~ bid (P\d+)", letter, re.MULTILINE)


def _bids(name: str, letter: str, dice: Dice) -> str:
    numbers = dice.shuffle(f"{name} bids", _blanks(letter))
    high, low = _BIDS[name]
    lines = [f"bid {numbers[0]} {high} then {high + dice.face('then', 9)}"]
    lines += [f"bid {number} {low}" for number in numbers[1:3] if low]
    return "\n".join(lines)


def _again(said: str) -> str:
    """Look at one's own mail again, and mend the slip of the fingers in it."""
    mended = said.replace("atack", "attack")
    return mended if mended != said else ""


def _round(name: str, letter: str, dice: Dice) -> str:
    rows = [(hero.strip(), int(energy), bool(me)) for hero, energy, me in _ROW.findall(letter)]
    mine = next(energy for _, energy, me in rows if me)
    others = [hero for _, hero in sorted((energy, hero) for hero, energy, me in rows if not me)]
    asked = re.search(r"ROUND (\d+): what is asked", letter)
    number = int(asked[1]) if asked else 0
    used = _use(letter, others[-1]) if mine > 25 else []
    orders = _TEMPERS[name](mine - 10 * len(used), others, number, dice)
    if not orders:
        return ""
    named = [f"hero: {_HEROES[name]}"] if number == 1 else []
    return "\n".join([*named, *orders, *used])


def _use(letter: str, target: str) -> list[str]:
    """Use Laser Eyes, which everybody understands; powers that are always on the moderator rules on."""
    owned = letter.partition("Your powers")[2].partition("Split your")[0]
    return [f"use Laser Eyes on {target} spend 10"] if "Laser Eyes" in owned else []


def _careful(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    blow = mine * min(9, 2 + number) // 10  # bolder with every round, or the game would never end
    return [f"defend {mine - blow}", f"attack {others[-1]} {blow}", "block largest first"]


def _sly(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    verb = "atack" if number in {1, 3} else "attack"
    blow = mine * min(9, 4 + number) // 10
    return [f"{verb} {others[0]} {blow}", f"defend {mine - blow}"]


def _berserk(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    target = others[dice.face("target", len(others)) - 1]
    return [f"attack {target} {mine - mine // 4}"]


def _forgetful(mine: int, others: list[str], number: int, dice: Dice) -> list[str]:
    if number == 2:
        return []
    blow = mine * min(8, dice.face("mood", 4) + number) // 10
    return [f"attack {others[-1]} {blow}", f"defend {mine - blow}"]


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


def _moderator(letter: str, said: Sequence[str], dice: Dice) -> str:
    """Say what powers did, once overrule a blow that went home hard, and let proofs out."""
    proof = re.match(r"To the moderator alone\. Proof (\d+) of", letter)
    if not proof:
        return ""
    before = "\n".join(said)
    lines = [line for line in _always_on(letter) if line not in before]
    words = " ".join(letter.split())
    if "do deal 5" not in words:
        hit = re.findall(r"used P\d+ Laser Eyes on ([^(]+?) \(", words)
        lines += [f"do deal 5 to {hero} unblockable because Laser Eyes never miss" for hero in hit]
    if "the Claws were free" not in words:
        lines += [_CLAWS.format(owner) for owner in _owners(letter, "Claws") if f"{owner} used P" not in words]
    if lines:
        return "\n".join(lines)
    blow = re.search(r"^(V\d+) +Damage of (.+?) on (.+?) = ([2-9]\d)$", letter, re.MULTILINE)
    if blow and "overrule" not in before:
        number, attacker, victim, points = blow.groups()
        return (
            f"overrule {number} = {int(points) // 2} because {attacker} slipped on the wet roof,\n"
            f"and {victim} saw it coming\n\nnote The roof is wet tonight."
        )
    return f"approve {proof[1]}"


def _always_on(letter: str) -> list[str]:
    """Say what powers do that work by themselves."""
    return [line.format(owner) for power, line in _ALWAYS_ON.items() for owner in _owners(letter, power)]


def _owners(letter: str, power: str) -> list[str]:
    """Find who has a power, in what the moderator alone is told: `HERO: P03 NAME, strength 8`, and the text below."""
    section = letter.partition("Powers in play\n")[2].partition("\n\n")[0]
    rows = re.sub(r"\n {6}(?!:)", " ", section).split("\n")
    return [row.partition(": ")[0].strip() for row in rows if row.startswith("    ") and row[4] != " " and power in row]


CAST = Cast(
    people={**{name: _player(name) for name in _HEROES}, "Gwen": _moderator},
    reviewed=("powers", "round"),
    rules={"default": "48h after opening", "round": "every day 20:00, at least 20h"},
)
"""Who plays in a demonstration."""
