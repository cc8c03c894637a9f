"""The end of the last report of a brawl: a chart of everybody's Health, and what turned the fight; all of it true."""

import pytest
from hypothesis import given

from pbem.ground.terms import OrderLine, Seat
from pbem.letters.dresses.text import WIDTH
from pbem.letters.rendering import environment, render
from pbem.ruleset import EVERYONE, Facts
from pbem.rulesets.brawl import RULESET
from pbem.world.settings import templates
from tests.rulesets.brawl_worlds import Turn, World, fought, worlds

ENVIRONMENT = environment(templates())


def _told(turn: Turn, kind: str) -> list[Facts]:
    return [event.facts for event in turn.outcome.events if event.kind == kind and event.to == EVERYONE]


@given(worlds())
def test_the_chart_is_what_the_reports_said(world: World) -> None:
    """A column a round, with the Health that its table had; a dash behind who left."""
    turns = [turn for turn in fought(world, 12) if not turn.outcome.asks]
    if not turns or not turns[-1].outcome.result:
        return
    [chart] = _told(turns[-1], "chart")
    stands = [{row["name"]: row for row in _told(turn, "stands")[0]["rows"]} for turn in turns]
    rows = {row["name"]: row["amounts"] for row in chart["rows"]}
    # The world may have begun in the middle of a fight; what came before is not known here.
    count = min(len(stands), len(chart["rounds"]))
    for place in range(1, count + 1):
        for name, amounts in rows.items():
            row = stands[-place][name]
            assert amounts[-place] == (chart["nothing"] if row["gone"] else row["health"])
    for point in _told(turns[-1], "turning"):
        _hold(chart, rows, point)
    text = render(ENVIRONMENT, "brawl/final.j2", {"events": list(turns[-1].outcome.events)})
    assert all(len(line) <= WIDTH for line in text.split("\n"))
    lines = [OrderLine(2 * number, line) for number, line in enumerate(text.split("\n"), 1)]
    assert not RULESET.parse(turns[-1].state, Seat(next(iter(turns[-1].state.names))), lines).orders, text


def _hold(chart: Facts, rows: dict[str, list[int]], point: Facts) -> None:
    """Hold one turning point to the rows of the chart."""
    here = chart["rounds"].index(point["round"])
    mine, others = rows[point["hero"]], [amounts for name, amounts in rows.items() if name != point["hero"]]
    match point["what"]:
        case "behind":
            standing = [amounts[here] for amounts in others if amounts[here] > 0]
            assert 0 < mine[here] == point["amount"] < min(standing)
        case "lead":
            assert all(amounts[place] < mine[place] for amounts in others for place in range(here, len(mine)))
            assert any(amounts[here - 1] >= mine[here - 1] for amounts in others) and mine[here] == point["amount"]
        case "worst":
            assert mine[here - 1] - mine[here] == point["amount"]


@pytest.mark.parametrize("amount", [1, 9, 10, 25])
def test_a_chart_fits_a_phone(amount: int) -> None:
    """Nine rounds beside each other, the rest below."""
    rows = [{"name": "Somebody of a long name", "amounts": list(range(amount))}]
    lines = ENVIRONMENT.filters["chart"](rows, list(range(1, amount + 1)), 3).split("\n")
    assert all(len(line) <= WIDTH for line in lines) and len(lines) == 2 * -(-amount // 9)
    assert amount < 4 or " -" in "\n".join(lines)
