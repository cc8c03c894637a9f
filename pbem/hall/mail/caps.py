"""How many letters a day our answers may come to, for each who writes to us; counted in the index."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from pbem.hall.arena import Arena
from pbem.letters import addressing

ANSWERS = 60
"""Answers a day to one person, to mails of all kinds; those above come together, one letter an hour."""
DOMAIN = 20
"""Letters a day to strangers of one domain."""

STRANGERS = {"stranger": (1, 50), "unknown-game": (3, 50), "refused": (5, 100), "confirm": (3, 50)}
KNOWN = {"held": (3, 200), "moving": (3, 50)}
"""
Letters of the desk a day, by their template: to one address and in all.

Whoever writes in others' names can make us write to those: not often, and to few of them.
"""

ANSWERING = ("receipt", "echo", "help", "manual", "history")
"""Letters of games that answer a mail; one without a Message-ID cannot be named in their headers."""


def is_answer(letter: str, raw: bytes) -> bool:
    """Say whether a letter of ours answers a mail."""
    parts = letter.split(".")
    says_so = b"\r\nAuto-Submitted: auto-replied\r\n" in raw.partition(b"\r\n\r\n")[0]
    if len(parts) == 3:
        return says_so or parts[0] in ("desk", "merged")
    return says_so or (len(parts) == 4 and parts[2].partition("-")[0] in ANSWERING)


def may_answer(arena: Arena, template: str, to: str, now: datetime, today: Counter[str]) -> bool:
    """
    Say whether a letter of the desk may go to an address today.

    Shape: `today` counts those of this batch; `keep` takes it over into the index when they are on file.
    """
    day, address = f"{now:%Y-%m-%d}", addressing.normal(to)
    each, all_together = (STRANGERS | KNOWN)[template]
    counts = [(f"{day} {template} {_mark(address)}", each), (f"{day} {template}", all_together)]
    if template in STRANGERS:
        counts.append((f"{day} strangers {_mark(address.rpartition('@')[2])}", DOMAIN))
    if any(arena.index.told(what) + today[what] >= most for what, most in counts):
        return False
    today.update(what for what, _ in counts)
    return True


def keep(arena: Arena, today: Counter[str]) -> None:
    """Take down what was counted, so that a crash before it counts nothing twice."""
    for what, times in today.items():
        arena.index.tell(what, times)


def room(arena: Arena, to: str, now: datetime) -> int:
    """Return how many answers may go to somebody now, one by one; above the day's cap it is one an hour."""
    day, hour = _answers(to, now)
    left = ANSWERS - arena.index.told(day)
    return left if left > 0 else int(arena.index.told(hour) == 0)


def spend(arena: Arena, to: str, now: datetime) -> None:
    """Count an answer that went."""
    for what in _answers(to, now):
        arena.index.tell(what)


def _answers(to: str, now: datetime) -> tuple[str, str]:
    mark = _mark(addressing.normal(to))
    return f"{now:%Y-%m-%d} answers {mark}", f"{now:%Y-%m-%d %H} answers {mark}"


def _mark(text: str) -> str:
    return addressing.content_key(text, "", "", "", ())
