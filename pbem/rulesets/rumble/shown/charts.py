"""How the Energy of all heroes went, for the page of a game: from what everybody was told."""

from collections.abc import Sequence

from pbem.ruleset import Curves, Event, Facts, chart


def charts(told: Sequence[Sequence[Event]]) -> tuple[Curves, ...]:
    """
    Return the Energy of all heroes, round by round, under the names that they have last; what the auction left is 0.

    A verdict names the seat, since heroes are named after the auction. Rule: R3, R10.
    """
    fought = [events for events in told if any(one.kind == "ordered" for one in events)]
    stood = [[one.facts for one in events if one.kind == "stands"] for events in fought]
    rounds = [{_key(one): (max(0, one["before"]), max(0, one["after"])) for one in facts} for facts in stood if facts]
    names = {_key(one): one["hero"] for facts in stood for one in facts}
    return chart.curves("Energy", rounds, names)


def _key(facts: Facts) -> str:
    return str(facts.get("verdict") or facts["hero"])
