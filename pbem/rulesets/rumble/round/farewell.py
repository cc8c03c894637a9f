"""What the last report of a game tells besides who won: a chart, its turning points, powers and who wrote them."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Column, Event, Facts, chart
from pbem.rulesets.rumble.model.state import START, State

MOST_UNFIRED = 2
"""So many of the latest conditions of a seat that did not come true are kept."""
_PRICED = re.compile(r"(?:spend|burn|drain) \w+\b", re.IGNORECASE)
"""How the text of a power begins of which nothing comes unused."""


def charted(state: State) -> State:
    """Note everybody's Energy as this round, or the auction, leaves it."""
    energy = {
        str(hero.seat): max(0, hero.energy) if hero.is_in else 0
        for hero in state.heroes
        if hero.is_in or hero.out == state.round
    }
    return msgspec.structs.replace(state, chart=(*state.chart, Column(state.round, energy)))


def with_unfired(state: State, lines: Mapping[str, Sequence[str]]) -> State:
    """Note conditions of this round that did not come true, the latest of each seat."""
    if not lines:
        return state
    kept = {seat: (*state.unfired.get(seat, ()), *new)[-MOST_UNFIRED:] for seat, new in lines.items()}
    return msgspec.structs.replace(state, unfired=state.unfired | kept)


def events(state: State, winners: Sequence[str]) -> Iterator[Event]:
    """Tell everybody what the game was, once it is over."""
    if state.chart:
        rows = [{"name": hero.name, "amounts": chart.line(state.chart, hero.seat, nothing=-1)} for hero in state.heroes]
        facts = {"rounds": [one.round or "sale" for one in state.chart], "rows": rows}
        yield Event(kind="chart", to=EVERYONE, facts=facts, rule="R10")
    for facts in _turning_points(state, winners):
        yield Event(kind="turning", to=EVERYONE, facts=facts, rule="R10")
    for power in state.powers:
        if power.buyer or _author(state, power.author):
            yield Event(kind="remembered", to=EVERYONE, facts=_power(state, power.number), rule="R17")
    for seat, lines in state.unfired.items():
        facts = {"hero": state.names[seat], "lines": list(lines)}
        yield Event(kind="never_fired", to=EVERYONE, facts=facts, rule="A27")


def _power(state: State, number: int) -> Facts:
    """
    Return what is told of a power.

    Shape: `price` is what `buyer` paid for it, "" where nobody did; `used` counts its uses where those are counted,
    `unused` says that nothing can have come of it; `author` is "" where that is not told.
    """
    power = next(one for one in state.powers if one.number == number)
    is_counted = bool(power.lines and _PRICED.match(power.text))
    return {
        "number": power.key,
        "power": power.name,
        "kind": power.kind,
        "buyer": state.names.get(power.buyer, ""),
        "price": power.price,
        "used": power.used if is_counted else 0,
        "unused": is_counted and not power.used and bool(power.buyer),
        "author": _author(state, power.author),
    }


def _author(state: State, seat: str) -> str:
    """Return whose a power is, where the house has it told and its author does. Rule: R17."""
    is_told = state.house.get("authors") == "told" and seat not in state.unsigned
    return state.names.get(seat, "") if is_told else ""


def _turning_points(state: State, winners: Sequence[str]) -> Iterator[Facts]:
    """Yield what turned the game, by the chart, and who paid most for powers."""
    alone = winners[0] if len(winners) == 1 and winners[0] in state.names else ""
    for one in chart.turning_points(state.chart, alone, steep=START // 4):
        yield one | {"hero": state.names[one["seat"]]}
    spent = {
        str(hero.seat): sum(power.price for power in state.powers if power.buyer == hero.seat) for hero in state.heroes
    }
    most = max(spent.values(), default=0)
    spenders = [seat for seat, amount in spent.items() if amount == most]
    if most > START // 4 and len(spenders) == 1 and state.chart:
        yield {"what": "spender", "hero": state.names[spenders[0]], "round": 0, "amount": most}
