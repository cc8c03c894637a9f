"""How many answers a day we send to each person, for each kind of mail."""

from collections import Counter
from datetime import datetime
from typing import Literal, Self

import msgspec

from pbem.ground import identity
from pbem.hall.store.arena import Arena
from pbem.letters import addressing
from pbem.world.index.counters import Counted, What, day, hour

ANSWERS = 60
"""Answers a day to one person, to mails that acted; those above come together, one letter an hour."""
QUESTIONS = 3
"""
Letters a day that ask one person about held mail, for each kind of evidence; those above come together likewise.

What somebody writes in a person's name is so never counted with what holds that person's token.
"""
DOMAIN = 20
"""Letters a day to strangers of one domain."""
BELOW = 3 * DOMAIN
"""
Letters a day to strangers of all domains that end in the same two words, of those that our mail server vouches for.

Whoever owns a domain makes as many below it as they like. All of `co.uk` share this too, since nothing in a name says
who owns what.
"""
VOUCHED = 10
"""
How many times as many strangers are answered whose mail our mail server vouches for.

Nobody can make us write to others by it, and a domain has its share; so many domains are not had for nothing.
"""

STRANGERS = {"stranger": (1, 50), "unknown-game": (3, 50), "refused": (5, 100), "confirm": (3, 50)}
KNOWN = {"moving": (3, 50), "offered": (3, 50), "replaced": (3, 50)}
"""
Letters of the desk a day, by their template: to one address and in all.

Whoever writes in others' names can make us write to those: not often, and to few of them. Mail that our mail server
vouches for, and what it found against, are each counted apart, so that forged mail uses up nothing of honest people's.
"""
OWNERS = {"unkept": 1}
"""Letters a day to somebody who sits here, by their template and the evidence of the mail, however many sit here."""

ANSWERING = ("receipt", "echo", "help", "manual", "history", "resend", "topic", "archive", "forecast")
"""Letters of games that answer a mail; one without a Message-ID cannot be named in their headers."""


class Kind(msgspec.Struct, frozen=True, array_like=True):
    """Letters that are counted, and put together above their cap: answers, or questions about mail of one evidence."""

    name: Literal["answers", "held"]
    evidence: str = ""

    @property
    def most(self) -> int:
        """How many go to one person in a day, one by one."""
        return ANSWERS if self.name == "answers" else QUESTIONS

    def __str__(self) -> str:
        """Write the kind as the identity of a letter has it."""
        return "-".join(filter(None, (self.name, self.evidence)))

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a kind back; None where it is none."""
        name, _, evidence = text.partition("-")
        return msgspec.convert((name, evidence), cls) if name in ("answers", "held") else None


def kind(letter: str, raw: bytes) -> Kind | None:
    """Return a letter's kind; None for what answers no mail of a player's or moderator's, or was capped before."""
    known = identity.parse(letter)
    if not isinstance(known, identity.GameLetter):
        return Kind.parse(known.kind) if known and known.sort in ("desk", "merged") else None
    says_so = b"\r\nAuto-Submitted: auto-replied\r\n" in raw.partition(b"\r\n\r\n")[0]
    return Kind("answers") if says_so or known.template in ANSWERING else None


def may_answer(arena: Arena, template: str, evidence: str, to: str, now: datetime, today: Counter[Counted]) -> bool:
    """
    Say whether a letter of the desk may go to an address today.

    Shape: `evidence` is "server" where our mail server vouches for the mail that it answers; `today` counts those of
    this batch; `store` takes it over into the index when they are on file.
    """
    address = addressing.normal(to)
    all_together = Counted(what=template, evidence=evidence, span=day(now))
    each = msgspec.structs.replace(all_together, about=mark(address))
    if template in OWNERS:
        caps = {each: OWNERS[template]}
    else:
        of_one, of_all = (STRANGERS | KNOWN)[template]
        caps = {each: of_one, all_together: of_all * (VOUCHED if evidence == "server" else 1)}
    if template in STRANGERS:
        of_domain = msgspec.structs.replace(all_together, what=What.STRANGERS)
        domain = address.rpartition("@")[2]
        if evidence == "server":
            above = ".".join(domain.split(".")[-2:])
            caps[msgspec.structs.replace(of_domain, about=mark(above))] = BELOW
        caps[msgspec.structs.replace(of_domain, about=mark(domain))] = DOMAIN
    counts = zip(caps.items(), arena.index.counters.values([*caps]), strict=True)
    if any(count + today[counted] >= most for (counted, most), count in counts):
        return False
    today.update(caps.keys())
    return True


def store(arena: Arena, today: Counter[Counted]) -> None:
    """Store what was counted, so that a crash before this counts nothing twice."""
    for counted, times in today.items():
        arena.index.counters.increment(counted, times)


def room(arena: Arena, kind: Kind, to: str, now: datetime) -> int:
    """Return how many letters of a kind may go to somebody now, one by one; above the day's cap it is one an hour."""
    of_day, of_hour = arena.index.counters.values(_counted(kind, to, now))
    left = kind.most - of_day
    return left if left > 0 else int(of_hour == 0)


def spend(arena: Arena, kind: Kind, to: str, now: datetime) -> None:
    """Count a letter that went."""
    for counted in _counted(kind, to, now):
        arena.index.counters.increment(counted)


def _counted(kind: Kind, to: str, now: datetime) -> tuple[Counted, ...]:
    about = mark(addressing.normal(to))
    return tuple(Counted(what=str(kind), about=about, span=span) for span in (day(now), hour(now)))


def mark(text: str) -> str:
    """Return what stands in the index for an address, or a domain, that something is counted of."""
    return addressing.content_key(text, "", "", "", ())
