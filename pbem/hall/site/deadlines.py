"""The deadlines of open games, for people's calendars (RFC 5545)."""

from collections.abc import Sequence
from datetime import datetime

from icalendar import Calendar, Event


def calendar(due: Sequence[tuple[str, str, datetime]], arena: str, made: datetime) -> str:
    """
    Return a calendar of deadlines: game, title of the phase, instant.

    Shape: the event of a game keeps its UID from phase to phase, so that a calendar that is looked at again has one
    for each game. `made` stamps all of them, so that the same deadlines give the same file.
    """
    found = Calendar()
    found.add("prodid", "-//pbem//deadlines//EN")
    found.add("version", "2.0")
    found.add("name", f"{arena}: deadlines")
    for game, title, at in due:
        event = Event()
        event.add("uid", f"{game}.deadline")
        event.add("dtstamp", made)
        event.add("dtstart", at)
        event.add("summary", f"{game}: {title} closes")
        found.add_component(event)
    return bytes(found.to_ical()).decode()
