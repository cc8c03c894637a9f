"""How Health and Endurance of all fighters went, for the page of a game: from what everybody was told."""

from collections.abc import Sequence

from pbem.ruleset import Curves, Event, chart


def charts(told: Sequence[Sequence[Event]]) -> tuple[Curves, ...]:
    """Return a chart of Health, and one of Endurance. Rule: K24, K28."""
    stood = [one.facts["rows"] for events in told for one in events if one.kind == "stands"]
    names = {row["seat"]: row["name"] for rows in stood for row in rows}
    found: list[Curves] = []
    for title, name, ends in (("Health", "health", True), ("Endurance", "endurance", False)):
        rounds = [
            {
                row["seat"]: (row[f"{name}_before"], row[name])
                for row in rows
                if not row["gone"] or row[f"{name}_before"]
            }
            for rows in stood
        ]
        found += chart.curves(title, rounds, names, ends=ends)
    return tuple(found)
