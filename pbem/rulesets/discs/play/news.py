"""What a report leads with: who fell and how, and else what the cards came to; counts what was told."""

from collections import Counter
from collections.abc import Sequence

from pbem.ruleset import EVERYONE, Event, Facts
from pbem.rulesets.discs.model.state import State


def lead(before: State, after: State, events: Sequence[Event]) -> Event:
    """Return the event that a report leads with."""
    did = Counter(event.facts["act"] for event in events if event.kind == "card")
    does = Counter(event.facts["does"] for event in events if event.kind in ("crossed", "attacked"))
    crossed = [one.facts["who"] for one in events if one.kind == "crossed" and one.facts["owner"] != one.facts["seat"]]
    facts: Facts = {
        "falls": [_fall(before, events, place) for place, event in enumerate(events) if event.kind == "derezzed"],
        "throws": did["throw"],
        "moves": did["move"] + did["stand"],
        "blocks": does["block"],
        "dodges": does["dodge"],
        "dives": does["prone"] + does["dive"],
        "crossed": list(dict.fromkeys(crossed)),
        "attacked": list(dict.fromkeys(event.facts["who"] for event in events if event.kind == "attacked")),
        "flat": [program.name for program in after.standing() if program.prone],
        "discs": any(program.disc for program in after.programs),
        "over": len({after.side(program.seat) for program in after.standing()}) < 2,
    }
    return Event(kind="news", to=EVERYONE, facts=facts, rule="D1")


def _fall(before: State, events: Sequence[Event], place: int) -> Facts:
    """Say how somebody was De-Rezzed: what struck them is the event before it, and its flight comes before that."""
    facts, struck = events[place].facts, events[place - 1]
    flight = next((one.facts for one in reversed(events[:place]) if one.kind == "flight"), {})
    prone = next(
        (one.facts.get("does") in _FLOOR for one in reversed(events[: place - 1]) if _is_about(one, facts["seat"])),
        before.program(facts["seat"]).prone,
    )
    by = next(program for program in before.programs if program.name == facts["by"])
    if struck.kind == "attacked":
        how = "attack"
    elif any(one.kind == "derezzed" and one.facts["seat"] == by.seat for one in events[:place]) or by.out:
        how = "ghost"
    elif before.side(by.seat) == before.side(facts["seat"]):
        how = "own side"
    elif prone:
        how = "prone"
    else:
        how = "bank" if len(flight.get("squares", ())) > 2 else "struck"
    return {"who": facts["who"], "by": facts["by"], "how": how, "which": facts["card"] % 2}


def _is_about(event: Event, seat: str) -> bool:
    """Say whether an event put a Program on the floor, or up again."""
    facts = event.facts
    stood = event.kind == "card" and facts["act"] == "stand"
    return facts.get("seat") == seat and (stood or (event.kind in ("crossed", "attacked") and facts["does"] in _FLOOR))


_FLOOR = ("prone", "dive")
