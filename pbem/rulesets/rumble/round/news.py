"""Picks what a report leads with; facts only, the words are the templates'."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.ruleset import EVERYONE, Event, Facts
from pbem.rulesets.rumble.round.record import Blows, Round


def news_of_round(round_: Round) -> Event:
    """
    Pick the news of a round: who fell, else the biggest blow, else why nothing happened.

    Shape: `what` is one of fell, fell_together, burnt_out, tired_out, removed, left, ganged, blow, power, held,
    silent; the other facts are always there, empty where they do not apply. What powers did is no part of a blow.
    `turn` lets the templates vary their words.
    """
    tolls, blows = round_.tolls, round_.blows
    facts: Facts = {
        "what": "silent",
        "turn": round_.state.round,
        "hero": "",
        "heroes": [],
        "by": [],
        "amount": 0,
        "held": 0,
    }
    names = round_.names
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
        facts |= {"hero": names[worst]} | _worst(names, blows, worst)
    elif struck:
        facts |= {"what": "held", "heroes": [names[seat] for seat in struck], "hero": names[struck[0]]}
    return Event(kind="news", to=EVERYONE, facts=facts)


def _worst(names: Mapping[str, str], blows: Blows, seat: str) -> Facts:
    """Tell whether Attacks or powers hurt a hero, by whom, and by how much."""
    attackers, damage = blows.attacked[seat], blows.damage[seat]
    landed = [names[source] for source, points in blows.landed[seat].items() if points]
    by_powers = sum(blows.by[seat].values()) - sum(blows.landed[seat].values())
    if by_powers and not landed:
        by = [] if blows.by[seat].get("") else _dealers(names, blows, seat)
        return {"what": "power", "by": by, "amount": damage}
    amount = damage - by_powers if damage > by_powers else damage
    if len(attackers) < 2:
        return {"what": "blow", "by": landed, "amount": amount}
    held = len(attackers) - len(landed)
    return {"what": "ganged", "by": [names[source] for source in attackers], "amount": amount, "held": held}


def _dealers(names: Mapping[str, str], blows: Blows, seat: str) -> list[str]:
    return [names[source] for source, points in blows.by.get(seat, {}).items() if source and points]
