"""What a picture shows of some cards: Bases with their ways, Discs, trails and what ended them; draws nothing yet."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from pbem.ruleset import Event, Facts
from pbem.rulesets.discs.grid.plane import INCH, At
from pbem.rulesets.discs.model.program import Program
from pbem.rulesets.discs.shown.initials import initials
from pbem.rulesets.discs.shown.scenes import Scene

Ending = Literal["", "blocked", "hit", "caught", "gone"]
"""What ended a flight before its full length, if anything did."""
ENDINGS: Mapping[str, Ending] = {"block": "blocked", "catch": "caught", "dive": "caught", "struck": "hit"}
SAID = {"block": "block", "dodge": "dodge", "catch": "catch", "dive": "dive", "prone": "flat", "struck": "out"}
"""What stands beside a Base for what its Program did, with the card."""


class Base(msgspec.Struct, frozen=True, kw_only=True):
    """
    A Program on its Base.

    Shape: `was` is where the Base began, `moves` where it has been since, the last one being `at`; `happened` are short
    words for beside it ("dodge 6"); `fell` says by whom and when one was De-Rezzed that lies there.
    """

    letter: str
    name: str
    at: At
    was: At
    moves: tuple[At, ...] = ()
    held: int = 0
    prone: bool = False
    fell: str = ""
    happened: tuple[str, ...] = ()


class Marker(msgspec.Struct, frozen=True):
    """A Disc in the air: from its tail to the end with the arrow."""

    letter: str
    tail: At
    arrow: At


class Trail(msgspec.Struct, frozen=True, kw_only=True):
    """
    One flight of a Disc, along the points at which it turned; `by` is the letter of whoever ended it.

    Shape: `recalled` where the Disc was turned on the spot and did not fly.
    """

    letter: str
    card: int
    points: tuple[At, ...]
    ending: Ending = ""
    by: str = ""
    recalled: bool = False


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """
    A Grid with all that lies on it, and the flights that led there, the oldest first.

    Units: `side`, `inset` and every place are hundredths of an inch. Shape: `letters` of all seats, and `bases` of
    those who were there, in seat order; `inset` is by how much each wall has come in.
    """

    title: str
    letters: tuple[str, ...]
    side: int
    inset: int = 0
    bases: tuple[Base, ...]
    markers: tuple[Marker, ...] = ()
    trails: tuple[Trail, ...] = ()


def drawing(scene: Scene) -> Drawing:
    """Say what there is to draw of some cards."""
    before, after, letters = scene.before, scene.after, initials(scene.before)
    return Drawing(
        title=scene.title,
        letters=tuple(letters.values()),
        side=int(before.house["grid"]) * INCH,
        inset=before.inset,
        bases=tuple(_base(scene, letters[one.seat], one) for one in before.programs if not one.out),
        markers=tuple(
            Marker(letters[one.seat], after.marker(one.disc).start, one.disc.tip) for one in after.programs if one.disc
        ),
        trails=tuple(
            _trail(event.facts, scene.events[place + 1 :], letters, recalled=event.kind == "recalled")
            for place, event in enumerate(scene.events)
            if event.kind in ("flight", "recalled")
        ),
    )


def _base(scene: Scene, letter: str, program: Program) -> Base:
    """Draw a Program that stood when it began; one that fell, where it lay."""
    now, seat = scene.after.program(program.seat), str(program.seat)
    mine = [event for event in scene.events if event.facts.get("seat") == seat]
    fell = next((f"by {one.facts['by']}, card {one.facts['card']}" for one in mine if one.kind == "derezzed"), "")
    return Base(
        letter=letter,
        name=program.name,
        at=now.at,
        was=program.at,
        moves=tuple(At(*event.facts["trail"][-1]) for event in mine if event.facts.get("act") == "move"),
        held=now.held,
        prone=now.prone,
        fell=fell,
        happened=tuple(
            f"{SAID[event.facts['does']]} {event.facts['card']}"
            for event in mine
            if event.kind in ("crossed", "attacked") and event.facts["does"] in SAID
        ),
    )


def _trail(facts: Facts, later: Sequence[Event], letters: Mapping[str, str], *, recalled: bool) -> Trail:
    ending, by = _ending(facts, later)
    points = tuple(At(*at) for at in facts["trail"])
    letter = letters[facts["owner"]]
    return Trail(
        letter=letter, card=facts["card"], points=points, ending=ending, by=letters.get(by, ""), recalled=recalled
    )


def _ending(flight: Facts, later: Sequence[Event]) -> tuple[Ending, str]:
    """Return what ended a flight, and whose doing it was: what the Disc crossed before anything flew again."""
    for event in later:
        facts = event.facts
        if event.kind in ("flight", "recalled", "card"):
            break
        if event.kind == "gone" and facts["seat"] == flight["owner"]:
            return "gone", ""
        if event.kind == "crossed" and facts["owner"] == flight["owner"] and facts["does"] in ENDINGS:
            return ENDINGS[facts["does"]], facts["seat"]
    return "", ""
