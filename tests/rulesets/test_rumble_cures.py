"""Cures: each refusal of lines of a power names lines that run, and they do; or it says that none do that."""

from collections.abc import Iterable
from itertools import chain, islice

import pytest

from pbem.language.phrases import Unread
from pbem.rulesets.rumble.effects.do_lines import read as read_effect
from pbem.rulesets.rumble.effects.power_rulings import Define
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.runnable import NONE, runs
from pbem.rulesets.rumble.rehearsal import power_library
from tests.rulesets.rumble_shapes import MOMENTS, ONE_IN, Shape, cells, guarded, shapes
from tests.rulesets.test_rumble_facts import arena

IMPOSSIBLE = ("energy ( ", "attack ( me , me )", "by T on T", "by H on H")
"""What no lines do: Energy that is set, and Attacks on oneself."""


def obey(shape: Shape) -> str:
    """Say lines of a power as the moderator does, and what their refusal names; return what is wrong, or ""."""
    said = shape.text.replace("\n", "; ")
    answer = read_effect(arena(), f"power P01 = {said}")
    if isinstance(answer, Define):
        return ""
    assert isinstance(answer, Unread)
    checked = power_library.read_piece(shape.text)
    if isinstance(checked, str) or not any(one.because.endswith(answer.because[-20:]) for one in checked):
        return f"{said}: power check says something else than {answer.because}"
    if answer.because.endswith(NONE):
        several = sum(len(ability.does) for ability in reading.said(shape.text)) > 1
        return "" if several or any(what in shape.text for what in IMPOSSIBLE) else f"{said}: {answer.because}"
    _, _, cure = answer.because.rpartition("This runs: ")
    again = read_effect(arena(), f"power P01 = {cure}")
    does = [
        {type(one) for ability in reading.said(text) for one in ability.effects} for text in (shape.text, cure_of(cure))
    ]
    return "" if isinstance(again, Define) and does[0] <= does[1] else f"{said}: {answer.because} But {again}"


def cure_of(said: str) -> str:
    """Return lines below each other."""
    return reading.from_one_line(said).replace("\nalso\n", "\n\n")


def wrong(found: Iterable[Shape]) -> list[str]:
    """Return what is wrong with the cures of all these that do not run, and of which each line reads by itself."""
    return [said for shape in found if not runs(shape.text) and reading.said(shape.text) if (said := obey(shape))]


def test_some_cures_run() -> None:
    """Of each moment and each effect some."""
    assert wrong(islice(cells(), 0, None, 7)) == []


@pytest.mark.sweep
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_cure_runs(moment: str) -> None:
    """Every moment with every effect, each part that may stand there or not, and with one line more."""
    every = [one for one in chain(cells(), shapes(), guarded()) if one.moment == moment]
    assert wrong(every[::ONE_IN]) == []


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("when: round start\ndo: lose me 5", "do: lose me 5"),
        ("when: damage by me to H\ndo: win me", "when: round end; do: win me"),
        ("cost: spend 5\ndo: draw a power", "when: won; do: discard this; do: draw a power"),
        ("do: forbid attack by all", "do: forbid attack by all next round"),
        (
            "cost: spend 5\nchoose: T = hero of others\ndo: deal 5 to T",
            "cost: spend 5; choose: T = hero where it != me; do: deal 5 to T",
        ),
        (
            "cost: spend 5\nchoose: T = hero of opponents\ndo: deal 5 to T",
            "cost: spend 5; choose: T = opponent; do: deal 5 to T",
        ),
        ("do: gain T 5", "cost: spend 5; choose: T = hero; do: gain T 5"),
        ("each: H in opponents\ndo: ignore A", "each: A in attacks on me; do: ignore A"),
        ("cost: spend 5\nat: reveal\ndo: defence(me) += 5", "cost: spend 5; do: defence(me) += 5"),
        ("do: win me\n\nwhen: damage to me\ndo: draw a power", "when: round end; do: win me; also; when: won; do: discard this; do: draw a power"),
    ],
)  # fmt: skip
def test_a_cure_is_the_nearest(text: str, cure: str) -> None:
    """It keeps what is done, and as many lines as can be."""
    found = power_library.read_piece(text)
    assert not isinstance(found, str) and found[-1].because.endswith(f"This runs: {cure}"), found
