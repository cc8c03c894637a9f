"""Shapes of the powers' language: every moment with every effect, and with each part that may stand there or not."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pbem.rulesets.rumble.powers.language import forms, lines
from pbem.rulesets.rumble.powers.language.forms import Blank, Formed, Part

ONE_IN = 17
"""Of so many shapes a sweep takes one: all 30,000 take a quarter of an hour, and with 1 here they are taken."""
MOMENTS: Mapping[str, str] = {
    "holds": "",
    "for each hero": "each: H in opponents",
    "for each attack": "each: A in attacks on me",
    "by choice": "choose: A = attack on me; optional",
    "used": "cost: spend 5",
    "used for X": "cost: spend X",
    "used once": "cost: exhaust 1",
    "used on a hero": "cost: spend 5; choose: T = hero",
    "used on a power": "cost: spend 5; choose: P = power of opponents",
    "used for a power": "cost: discard P; choose: P = power of me",
    "used at the reveal": "cost: drain 5; at: reveal",
    "paid and done at the reveal": "cost: burn 5; at: reveal",
    "turned at the reveal": "cost: drain 5; at: reveal; choose: U = use on me; choose: T = hero",
    "round start": "when: round start",
    "round end": "when: round end",
    "used for the round end": "cost: spend 5; when: round end; choose: T = opponent",
    "used on a power for the round end": "cost: spend 5; when: round end; choose: P = power of opponents",
    "after wins": "when: round end after wins",
    "after damage": "when: after damage",
    "won": "when: won",
    "won and given": "when: won; choose: T = opponent",
    "won with a choice": "when: won; choose: P = power of me where it != this; optional",
    "damage taken": "when: damage by H to me",
    "damage dealt": "when: damage by me to H",
    "first damage dealt": "when: damage by me to H; nth: 1 each round",
    "damage dealt with a choice": "when: damage by me to H; choose: P = power of H; optional",
    "instead of damage taken": "instead: damage to me",
    "instead of damage dealt": "instead: damage by me",
    "second damage taken": "instead: damage to me; nth: 2 each round",
    "used instead of damage": "cost: spend 5; instead: damage to T; choose: T = hero",
    "instead of damage by choice": "instead: damage to me; optional",
    "a caption": 'instead: damage to any; optional; ask: "Is the caption a sound effect?"',
    "attacked": "when: attack by H to me of 10 or more",
    "attacking": "when: attack by me to H",
    "attacking by choice": "when: attack by me to H; optional",
    "death": "when: death of me",
    "instead of death": "instead: death of me",
}  # fmt: skip
"""The lines of an ability before its effects, on one line."""


class Shape(NamedTuple):
    """An ability in formal lines, and of which moment and effect it is made."""

    moment: str
    effect: type[Formed]
    text: str


def cells() -> Iterator[Shape]:
    """Yield every moment with every effect, in the plainest words that can stand there."""
    for moment in MOMENTS:
        for effect in lines.EFFECTS:
            yield _shape(moment, effect, frozenset())


def shapes() -> Iterator[Shape]:
    """Yield every moment with every effect, with and without each part that may be left out."""
    for moment in MOMENTS:
        for effect in lines.EFFECTS:
            parts = [place for place, part in enumerate(forms.form(effect.FORM)) if part.perhaps]
            for chosen in ([], *([one] for one in parts)):
                for sign in _signs(effect):
                    yield _shape(moment, effect, frozenset(chosen), sign)


MORE = (
    "if: energy(me) > 40", "if: round > 3", "if: attacked(any, me, last_round)", "if: uses(me) == 0",
    "if: allocated_attack(me) > 15 or attacked(me, any, last_round)", "if: lost(me, this_round) > 5",
    "if: dealt(me, all, this_round) > 0 and powers(me) > 5", "if: count(all) == 2", "if: spent(this, game) > 9",
    "if: defence(me) < 20", 'if: has(me, "Galactic Helm")', "each: H in opponents", "each: H in most(energy, players where it != me)",
    "each: H in players", "each: H in attackers(me, this_round)", "each: H in targets(me)", "each: A in attacks on me",
    "nth: 2 each round", "nth: 1 each game", "nth: 1 each round per H", "cost: activate 1", "cost: exhaust 2",
    "choose: T = hero where it != me", "choose: T = opponent where powers(it) > 0", "choose: P = power of opponents",
    "optional", "do: gain me 5 if attacked(any, me, last_round)", "do: lose opponents 3", "do: discard this", "do: damage -= 1",
)  # fmt: skip
"""Lines that may stand in an ability besides."""


def guarded() -> Iterator[Shape]:
    """Yield every cell with one line more, where that is something else."""
    for cell in cells():
        for line in MORE:
            yield Shape(cell.moment, cell.effect, f"{line}\n{cell.text}")


def _signs(effect: type[Formed]) -> tuple[str, ...]:
    blanks = [piece for part in forms.form(effect.FORM) for piece in part.pieces if isinstance(piece, Blank)]
    return next((blank.words for blank in blanks if blank.field == "sign"), ("",))


def _shape(moment: str, effect: type[Formed], chosen: frozenset[int], sign: str = "") -> Shape:
    before = MOMENTS[moment].replace("; ", "\n")
    said = [
        _said(part, before, sign)
        for place, part in enumerate(forms.form(effect.FORM))
        if not part.perhaps or place in chosen
    ]
    return Shape(moment, effect, f"{before}\ndo: {' '.join(said)}".strip())


def _said(part: Part, before: str, sign: str) -> str:
    return " ".join(
        piece.text if not isinstance(piece, Blank) else _filled(piece, before, sign) for piece in part.pieces
    )


def _filled(blank: Blank, before: str, sign: str) -> str:
    """Fill a blank with what the lines before it have a name for, or with what has one by itself."""
    if blank.words:
        return sign or blank.words[0]
    hero = next((name for name in "TH" if f"{name} = " in before or f" {name} " in before or f"{name}\n" in before), "")
    match blank.what:
        case "number" | "most":
            return "X" if "spend X" in before else "5"
        case "count":
            return "2"
        case "power":
            return "P" if "P = " in before else "this"
        case "attack":
            return "A"
        case "use":
            return "U"
        case "anybody":
            return "me" if blank.field == "source" else hero or "any"
        case "heroes":
            return hero or ("opponents" if blank.field in ("to", "by") else "me")
    return {"source": "me", "one": "me", "other": hero or "me", "to": hero or "me", "on": hero or "me"}.get(
        blank.field, hero or "me"
    )
