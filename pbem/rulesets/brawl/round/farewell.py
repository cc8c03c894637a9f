"""What the last report of a brawl tells besides who won: a chart of everybody's Health, and what turned the fight."""

from collections.abc import Iterator

import msgspec

from pbem.ruleset import EVERYONE, Column, Event, Result, chart
from pbem.rulesets.brawl.state import BUFFER, State

STEEP = 5
"""A loss of more Health than this in one round is told, if it is the greatest."""
NOTHING = -BUFFER - 1
"""What stands where somebody has no Health any more: less than anybody can have."""


def charted(state: State) -> State:
    """Note everybody's Health as this round leaves it."""
    left = {str(one.seat): one.health for one in state.fighters if not one.gone}
    return msgspec.structs.replace(state, chart=(*state.chart, Column(state.round, left)))


def farewell(state: State, result: Result) -> Iterator[Event]:
    """Tell everybody what the fight was, once it is over."""
    names = state.names
    rows = [
        {"name": one.name, "amounts": chart.line(state.chart, str(one.seat), nothing=NOTHING)} for one in state.fighters
    ]
    facts = {"rounds": [one.round for one in state.chart], "rows": rows, "nothing": NOTHING}
    yield Event(kind="chart", to=EVERYONE, facts=facts, rule="K24")
    winner = str(result.winners[0]) if len(result.winners) == 1 else ""
    for one in chart.turning_points(state.chart, winner, steep=STEEP):
        told = {name: value for name, value in one.items() if name != "seat"}
        yield Event(kind="turning", to=EVERYONE, facts={**told, "hero": names[one["seat"]]}, rule="K24")
