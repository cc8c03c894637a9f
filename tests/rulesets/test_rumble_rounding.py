"""Rounding: every number of Rumble that a rule or a power leaves broken is rounded as the house says, and in one place."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Given, Seat
from pbem.rulesets import rumble
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.rounding import rounded
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.powers import archive
from tests.rulesets.test_rumble_laws import DICE, read

FOLDER = Path(rumble.__file__).parent
ASIDE = {
    "division._evenly": "a Defence is shared out whole, the rest by remainders (A12)",
    "shares._amounts": "half of an odd number is asked about",
    "prices._x_by_cost": "what does not come out even is refused (A29)",
    "scene._SIGNS": "a number of a power, which is rounded once, when it counts",
    "scene._CALLS": "what a power's own words say: floor and ceil",
    "descriptions._ordinal": "a word such as 21st",
    "archive._is_slip": "how like two names are",
    "stories._rest": "what is worth telling of a round",
    "farewell._turning_points": "what is worth telling when all is over",
}
"""What divides or rounds, and nothing that the house rule is about; and why. Programs that play are their own affair."""


def divisions() -> Iterator[str]:
    """Yield the name of all that divides or rounds, with that of its file."""
    for file in sorted(FOLDER.rglob("*.py")):
        room = file.parent.name if file.stem == "__init__" else file.stem
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for part in [] if "bots" in file.parts else _parts(tree):
            if any(map(_divides, ast.walk(part))):
                names = [one.id for one in ast.walk(part) if isinstance(one, ast.Name)]
                yield f"{room}.{part.name if isinstance(part, ast.FunctionDef) else names[0]}"


def _parts(tree: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    for part in tree.body:
        yield from _parts(part) if isinstance(part, ast.ClassDef) else (part,)


def _divides(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp | ast.AugAssign):
        return isinstance(node.op, ast.FloorDiv | ast.Div)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("round", "floor", "ceil")


def test_one_function_rounds() -> None:
    """All else that divides is named above, with the reason why the house rule is not asked."""
    assert {*divisions()} == {"rounding.rounded", *ASIDE}


WAYS = {
    "a value is divided": ("do: attack(me, any) *= 1 / 2", "attack Bo {n}"),
    "damage": ("do: deal allocated_defence(me) / 2 to others unblockable", "defend {n}"),
    "a loss": ("when: round end\ndo: lose opponents allocated_defence(me) / 2", "defend {n}"),
    "a ruling": ("", "attack Bo {n}"),
}
"""Powers of Ada's, and what she orders, by which Bo loses half of a number."""


@pytest.mark.parametrize("way", WAYS)
@given(number=st.integers(1, 99))
def test_a_half_in_a_round_is_rounded_as_the_house_says(way: str, number: int) -> None:
    """Down where nothing is said, else up."""
    formal, said = WAYS[way]
    heroes = (Hero(Seat("ada"), "Ada", 100), Hero(Seat("bo"), "Bo", 100))
    powers = (Power(1, "Half", "Half of it.", owner="ada", lines=formal),)
    effects = () if formal else ("attack(ada, bo) /= 2",)
    for house in ({**DEFAULTS, "left_over": "idle", "round": how} for how in ("down", "up")):
        state = State(phase="round", round=2, house=house, heroes=heroes, powers=powers)
        orders = {
            Seat("ada"): read(state, "ada", (said.format(n=number),)),
            Seat("bo"): read(state, "bo", ("defend 0",)),
        }
        after = RULESET.adjudicate(state, orders, Given(effects=effects), DICE).state
        assert after.hero("bo").energy == 100 - rounded(house, number, 2)


@given(st.integers(1, 99))
def test_a_half_at_the_auction_is_rounded_as_the_house_says(number: int) -> None:
    """A number that Expert Training halves, in the text and in the lines, and half of all winning bids."""
    training, pure = (archive.named(name) for name in ("Expert Training", "Pure Energy Being"))
    assert training and pure
    heroes = (Hero(Seat("ada"), "Ada", 100), Hero(Seat("bo"), "Bo", 100))
    powers = (
        Power(1, "Hide", f"+{number} to Defence.", lines=f"do: defence(me) += {number}"),
        Power(2, training.name, training.text, lines=training.lines),
        Power(3, pure.name, pure.text, lines=pure.lines),
    )
    for house in ({**DEFAULTS, "round": how} for how in ("down", "up")):
        state = State(phase="auction", house=house, heroes=heroes, powers=powers)
        said = ("bid Hide 1", f"bid P02 1, if win halve {number} in Hide", f"bid P03 {number}")
        after = RULESET.adjudicate(state, {Seat("ada"): read(state, "ada", said)}, Given(), DICE).state
        half = max(1, rounded(house, number, 2))
        assert (after.card("P01").text, after.card("P01").lines) == (
            f"+{half} to Defence.",
            f"do: defence(me) += {half}",
        )
        assert after.hero("ada").energy == 100 - number - 2 + rounded(house, number + 2, 2)
