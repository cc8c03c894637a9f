"""How many letters a day our answers may come to, for each who writes to us, and each kind of mail by itself."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from pbem import identity
from pbem.hall.store.arena import Arena
from pbem.identity import GameLetter
from pbem.letters import addressing

ANSWERS = 60
"""Answers a day to one person, to mails that acted; those above come together, one letter an hour."""
QUESTIONS = 3
"""
Letters a day that ask one person about held mail, for each kind of evidence; those above come together likewise.

What somebody writes in a person's name is so never counted with what holds that person's token.
"""
DOMAIN = 20
"""Letters a day to strangers of one domain."""

STRANGERS = {"stranger": (1, 50), "unknown-game": (3, 50), "refused": (5, 100), "confirm": (3, 50)}
KNOWN = {"moving": (3, 50)}
"""
Letters of the desk a day, by their template: to one address and in all.

Whoever writes in others' names can make us write to those: not often, and to few of them. Mail that our mail server
found against is counted apart, so that it uses up nothing of theirs.
"""
OWNERS = {"unkept": 1}
"""Letters a day to somebody who sits here, by their template and the evidence of the mail, however many sit here."""

ANSWERING = ("receipt", "echo", "help", "manual", "history", "archive")
"""Letters of games that answer a mail; one without a Message-ID cannot be named in their headers."""


def kind(letter: str, raw: bytes) -> str:
    """
    Return with which letters of ours one is counted, and put together above their cap.

    Shape: "answers"; "held-token" and the like, questions about held mail; "" for what answers no mail of a person
    who sits here, or has its cap before it is written.
    """
    known = identity.parse(letter)
    if not isinstance(known, GameLetter):
        return known.kind if known and (known.kind.startswith("held") or known.sort == "merged") else ""
    says_so = b"\r\nAuto-Submitted: auto-replied\r\n" in raw.partition(b"\r\n\r\n")[0]
    return "answers" if says_so or known.template in ANSWERING else ""


def may_answer(arena: Arena, template: str, evidence: str, to: str, now: datetime, today: Counter[str]) -> bool:
    """
    Say whether a letter of the desk may go to an address today.

    Shape: `today` counts those of this batch; `keep` takes it over into the index when they are on file.
    """
    day, address = f"{now:%Y-%m-%d}", addressing.normal(to)
    what = f"{template} {evidence}".rstrip()
    if template in OWNERS:
        counts = [(f"{day} {what} {_mark(address)}", OWNERS[template])]
    else:
        each, all_together = (STRANGERS | KNOWN)[template]
        counts = [(f"{day} {what} {_mark(address)}", each), (f"{day} {what}", all_together)]
    if template in STRANGERS:
        strangers = f"strangers {evidence}".rstrip()
        counts.append((f"{day} {strangers} {_mark(address.rpartition('@')[2])}", DOMAIN))
    if any(arena.index.counters.value(name) + today[name] >= most for name, most in counts):
        return False
    today.update(name for name, _ in counts)
    return True


def keep(arena: Arena, today: Counter[str]) -> None:
    """Take down what was counted, so that a crash before it counts nothing twice."""
    for what, times in today.items():
        arena.index.counters.increment(what, times)


def most(kind: str) -> int:
    """Return how many letters of a kind go to one person in a day, one by one."""
    return ANSWERS if kind == "answers" else QUESTIONS


def room(arena: Arena, kind: str, to: str, now: datetime) -> int:
    """Return how many letters of a kind may go to somebody now, one by one; above the day's cap it is one an hour."""
    day, hour = _counts(kind, to, now)
    left = most(kind) - arena.index.counters.value(day)
    return left if left > 0 else int(arena.index.counters.value(hour) == 0)


def spend(arena: Arena, kind: str, to: str, now: datetime) -> None:
    """Count a letter that went."""
    for what in _counts(kind, to, now):
        arena.index.counters.increment(what)


def _counts(kind: str, to: str, now: datetime) -> tuple[str, str]:
    mark = _mark(addressing.normal(to))
    return f"{now:%Y-%m-%d} {kind} {mark}", f"{now:%Y-%m-%d %H} {kind} {mark}"


def _mark(text: str) -> str:
    return addressing.content_key(text, "", "", "", ())
