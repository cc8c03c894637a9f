"""What a report leads with: the stories of a round, the best ones first; adds no fact that the report has not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.ruleset import EVERYONE, Event, Facts

MOST = 3
"""How many stories a report leads with."""


def lead(round_: int, events: Sequence[Event]) -> Event:
    """
    Return the news of a round; each story has its kind, who it is about, and who did it.

    Rule: K5, for who began it.
    """
    by_kind: dict[str, list[Facts]] = {}
    for event in events:
        by_kind.setdefault(event.kind, []).append(event.facts)
    first = [_story("began", one["who"]) for one in by_kind.get("declared", [])[:1]] if round_ == 1 else []
    found = [*first, *_falls(by_kind), *_escapes(by_kind), *_items(by_kind), *_drops(by_kind), *_blows(by_kind)]
    told = {one["who"]: one for one in reversed(found)}  # of each only the best
    stories = [one for one in found if told[one["who"]] is one][:MOST] or [_story("quiet", "")]
    return Event(kind="news", to=EVERYONE, facts={"round": round_, "stories": stories}, rule="K23")


def _story(what: str, who: str, by: Sequence[str] = (), item: str = "", amount: int = 0) -> Facts:
    return {"what": what, "who": who, "by": list(dict.fromkeys(by)), "item": item, "amount": amount}


def _falls(events: dict[str, list[Facts]]) -> Iterator[Facts]:
    for fall in events.get("knocked_out", []):
        by = [hurt["who"] for hurt in events.get("hurt", []) if hurt["seat"] == fall["seat"]]
        yield _story("cold" if fall["cold"] else "fell", fall["who"], by)


def _escapes(events: dict[str, list[Facts]]) -> Iterator[Facts]:
    """Yield who stayed up, against the odds, and did not fall after all."""
    fallen = {fall["seat"] for fall in events.get("knocked_out", [])}
    told: set[str] = set()
    for save in events.get("saved", []):
        if save["stays"] and save["seat"] not in fallen | told:
            told.add(save["seat"])
            yield _story("stood", save["who"], amount=save["chance"])


def _items(events: dict[str, list[Facts]]) -> Iterator[Facts]:
    for hurt in events.get("hurt", []):
        if hurt["item"]:
            yield _story("item", hurt["on"], [hurt["who"]], hurt["item"])


def _drops(events: dict[str, list[Facts]]) -> Iterator[Facts]:
    for dropped in events.get("dropped", []):
        for row in dropped["rows"]:
            if not row["works"] and row["by"] and row["action"] in ("counter", "drink", "pickup", "move"):
                yield _story(f"no {row['action']}", row["who"], row["by"])
            elif row["works"] and row["action"] == "drink":
                yield _story("dizzy" if row["dizzy"] else "drink", row["who"], amount=row["gained"])


def _blows(events: dict[str, list[Facts]]) -> Iterator[Facts]:
    """Yield who was hurt most, or that all blows were stopped."""
    sums: dict[str, int] = {}
    by: dict[str, list[str]] = {}
    for hurt in events.get("hurt", []):
        lost = sum(step["endurance"] + step["health"] for step in hurt["steps"])
        sums[hurt["on"]] = sums.get(hurt["on"], 0) + lost
        by.setdefault(hurt["on"], []).append(hurt["who"])
    if sums:
        worst = max(sums, key=lambda name: sums[name])
        yield _story("hurt", worst, by[worst], amount=sums[worst])
    elif any(not row["because"] for blows in events.get("blows", []) for row in blows["rows"]):
        yield _story("blocked", "")
