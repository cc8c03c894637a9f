"""Picks what a report leads with; facts only, the words are the templates'."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.ruleset import EVERYONE, Event, Facts
from pbem.rulesets.rumble.blows import Blows
from pbem.rulesets.rumble.falling import Toll
from pbem.rulesets.rumble.state import State


def news_of_round(before: State, after: State, tolls: Mapping[str, Toll], blows: Blows, turn: int) -> Event:
    """
    Pick the news of a round: who fell, else the biggest blow, else why nothing happened.

    Shape: `what` is one of fell, fell_together, burnt_out, tired_out, removed, left, ganged, blow, held, silent; the
    other facts are always there, empty where they do not apply. `turn` lets the templates vary their words.
    """
    facts: Facts = {"what": "silent", "turn": turn, "hero": "", "heroes": [], "by": [], "amount": 0, "held": 0}
    names = after.names
    fell = [seat for seat, toll in tolls.items() if toll.out_step]
    worst = max(blows.damage, key=lambda seat: blows.damage[seat], default="")
    struck = [seat for seat, sources in blows.attacked.items() if sources]
    if len(fell) > 1:
        facts |= {"what": "fell_together", "heroes": [names[seat] for seat in fell]}
    elif fell:
        toll = tolls[fell[0]]
        step = {1: "burnt_out", 3: "tired_out", 4: "removed"}.get(toll.out_step, "fell")
        step = "left" if toll.left else "removed" if toll.energy > 0 else step
        facts |= {"what": step, "hero": names[fell[0]], "by": _dealers(names, blows, fell[0])}
        facts |= {"amount": blows.damage.get(fell[0], 0)}
    elif worst and blows.damage[worst]:
        by = _dealers(names, blows, worst)
        several = len(blows.attacked[worst]) > 1
        facts |= {"what": "ganged" if several else "blow", "hero": names[worst], "by": by}
        facts |= {"amount": blows.damage[worst]}
        if several:
            facts |= {"by": [names[source] for source in blows.attacked[worst]]}
            facts |= {"held": len(blows.attacked[worst]) - len(_dealers(names, blows, worst))}
    elif struck:
        facts |= {"what": "held", "heroes": [names[seat] for seat in struck], "hero": names[struck[0]]}
    return Event(kind="news", to=EVERYONE, facts=facts)


def _dealers(names: Mapping[str, str], blows: Blows, seat: str) -> list[str]:
    return [names[source] for source, points in blows.by.get(seat, {}).items() if source and points]
