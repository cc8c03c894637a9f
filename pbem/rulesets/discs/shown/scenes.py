"""A phase cut into what one picture shows: how all stood, what happened, how they stand then."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import Event
from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.model.program import Disc
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.shown.text_map import text_map

LAST_FLIGHTS = 3
"""How many flights of a Disc a map shows; older ones would hide the new."""


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """Some cards of a phase, with how all stood before and after them."""

    title: str
    before: State
    after: State
    events: tuple[Event, ...] = ()

    def text(self) -> tuple[str, ...]:
        """Draw how all stand in the end, with the last flights."""
        flights = [
            (event.facts["owner"], tuple(At(*at) for at in event.facts["trail"]))
            for event in self.events
            if event.kind == "flight"
        ]
        return text_map(self.after, latest(flights))


Flight = tuple[str, tuple[At, ...]]
"""Whose Disc it was, and its trail."""


def latest(flights: Sequence[Flight]) -> list[Flight]:
    """Return the last flights of each Disc, in their order."""
    return [
        flight
        for place, flight in enumerate(flights)
        if sum(owner == flight[0] for owner, _ in flights[place:]) <= LAST_FLIGHTS
    ]


def scenes(before: State, after: State, events: Sequence[Event], title: str) -> tuple[Scene, ...]:
    """
    Cut a phase: into two scenes where it is a whole turn, which would be too full for one picture.

    Shape: the second begins where the first ended, and ends as the phase does.
    """
    cards = max((event.facts.get("card", 0) for event in events), default=0)
    if before.house["pace"] != "turn" or cards < 2:
        return (Scene(title=title, before=before, after=after, events=tuple(events)),)
    half = (cards + 1) // 2
    early, late = (
        tuple(one for one in events if (one.facts.get("card", 0) > half) is is_late) for is_late in (False, True)
    )
    middle = replayed(before, early)
    return (
        Scene(title=f"{title}, cards 1 to {half}", before=before, after=middle, events=early),
        Scene(title=f"{title}, cards {half + 1} to {cards}", before=middle, after=after, events=late),
    )


def replayed(state: State, events: Sequence[Event]) -> State:
    """Return a state with what was told of it since, as far as a picture shows it."""
    for event in events:
        facts = event.facts
        match event.kind, facts.get("act", facts.get("does", "")):
            case "card", "move":
                state = with_program(state, facts["seat"], at=At(*facts["trail"][-1]))
            case "card", "stand":
                state = with_program(state, facts["seat"], prone=False)
            case ("card", "hold") | ("crossed" | "attacked", "block" | "dodge"):
                state = with_program(state, facts["seat"], held=facts["held"])
            case "crossed", "catch":
                state = with_program(state, facts["seat"], held=facts["held"], disc=None)
            case "crossed", "dive":
                state = with_program(state, facts["seat"], prone=True, disc=None)
            case (("crossed" | "attacked"), "prone"):
                state = with_program(state, facts["seat"], prone=True)
            case "derezzed", _:
                state = with_program(state, facts["seat"], out=True, prone=False, held=0)
            case "gone", _:
                state = with_program(state, facts["seat"], disc=None)
            case (("flight" | "recalled"), _):
                state = with_program(state, facts["owner"], disc=Disc(At(*facts["trail"][-1]), facts["bearing"]))
            case "placed", _:
                state = with_program(state, facts["owner"], disc=Disc(At(*facts["at"]), facts["bearing"]))
    return state
