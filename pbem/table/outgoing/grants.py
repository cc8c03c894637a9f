"""The rulings that would grant what a player says to the moderator, ready to copy; only what could be done now."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from pbem.ground.terms import Seat
from pbem.speech import for_moderator
from pbem.table.model import seating
from pbem.table.model.calendar import zones
from pbem.table.model.table import Table
from pbem.table.rulings.deadline import MoveDeadline
from pbem.table.rulings.extend import Extend
from pbem.table.rulings.pause import Pause

MOST = 3
"""The most rulings that stand below the line with which the moderator answers."""
LONGEST = 54
"""Characters of such a line; where an address would make it longer a placeholder stands there."""
A_DAY = timedelta(days=1)

_DENIES = re.compile(r"\b(?:not|never|no|nobody|without|except|but)\b|n['\u2019]t\b", re.IGNORECASE)
_ADDRESS = re.compile(r"(?<![^\s<(\"',;:])[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")


def grants(table: Table, seat: Seat, texts: Sequence[str]) -> list[str]:
    """
    Return the rulings that fit what a seat says, the likeliest first.

    Shape: by what the moderator may know; one who plays is offered nothing that is about others' orders.
    """
    known, said = table.known_to_moderator(), "\n".join(texts)
    wishes = for_moderator.wishes(said)
    found = dict.fromkeys((*_about_people(known, seat, wishes, said), *_about_time(known, seat, wishes)))
    return list(found)[:MOST]


def _about_people(table: Table, seat: Seat, wishes: frozenset[str], said: str) -> Iterator[str]:
    name, others = table.label(seat), [label for other, label in table.labels().items() if other != seat]
    plays_on = table.status in ("open", "closed") and not table.ruleset.is_out(table.state, seat)
    if "mailbox" in wishes and table.status != "over":
        yield _with_address(f"address {name} is ", said, others)
    if "replacement" in wishes and plays_on:
        yield _with_address(f"replace {name} by ", said, others)
    if "replacement" in wishes and table.status == "sign-up":
        yield f"eject {name}"
    if "guest" in wishes and table.status == "sign-up" and seating.open_seats(table):
        yield _with_address("invite ", said, others)


def _about_time(table: Table, seat: Seat, wishes: frozenset[str]) -> Iterator[str]:
    if table.status != "open" or table.deadline is None:
        return
    if "pause" in wishes and not Pause(because="").unfit(table):
        yield Pause.verb()
    if "absence" in wishes and seat in table.owing and seat not in table.excused and not table.moderator_plays():
        yield f"excuse {table.label(seat)}"
    if wishes & {"absence", "time"} and not Extend(span=A_DAY, because="").unfit(table):
        yield "extend 24h"
    later = MoveDeadline(instant=table.deadline + A_DAY, because="")
    if "time" in wishes and not later.unfit(table):
        yield f"deadline {later.instant.astimezone(zones.clock(table.charter.zone)):%Y-%m-%d %H:%M}"


def _with_address(head: str, said: str, others: Sequence[str]) -> str:
    """
    Put the one address that was said behind the head of a ruling, or a placeholder.

    What is said of others, or denied, names an address that may be meant for anything but this.
    """
    sentences = [one for one in re.split(r"[.!?](?:\s|$)|\n", said) if _ADDRESS.search(one)]
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, others)) or '(?!)'})\b", re.IGNORECASE)
    is_plain = not any(_DENIES.search(one) or named.search(one) for one in sentences)
    addresses = set(_ADDRESS.findall(said))
    line = f"{head}{min(addresses)}" if len(addresses) == 1 and is_plain else ""
    return line if 0 < len(line) <= LONGEST else f"{head}ADDRESS"
