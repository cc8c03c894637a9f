"""The desk: mail that belongs to no game or may not act in one, and what we answer to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, TypeAlias

import msgspec

from pbem import records
from pbem.hall.arena import Arena
from pbem.hall.mail import notes, own, sending
from pbem.letters import addressing, writing
from pbem.letters.reading import Letter
from pbem.table.table import Table
from pbem.terms import Facts, Mail, Person, Seat
from pbem.world.index import Unsent

Why: TypeAlias = Literal[
    "automatic", "duplicate", "stranger", "unknown-game", "no-token", "forged", "sign-up", "refused", "unreadable"
]

JOURNAL = ("desk", "journal.toml")

DAILY = {
    "stranger": (1, 50),
    "unknown-game": (3, 50),
    "no-token": (3, 200),
    "forged": (1, 50),
    "refused": (5, 100),
    "confirm": (3, 50),
}
"""Letters a day, to one address and in all, so that nobody can make us write to others without end."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """
    A mail that lands on the desk, and the letter that it gets.

    Shape: `answer` is the template of our letter or "", `to` its recipient; `seat` and `table` where the letter
    carries somebody's token.
    """

    mail: Mail
    letter: Letter
    key: str
    why: Why
    answer: str = ""
    to: str = ""
    game: str = ""
    facts: Facts = {}
    table: Table | None = None
    seat: Seat | None = None
    person: Person = Person("")
    token_role: str = ""


def settle(arena: Arena, cases: Sequence[Case], now: datetime) -> None:
    """
    File the letters of the desk's cases and note each case in the desk's journal, in one durable step.

    A mail that was here before is noted as a duplicate and gets no letter.
    """
    if not cases:
        return
    arena.index.take_up(["desk"])
    letters: list[Unsent] = []
    seen: dict[str, str] = {}
    with arena.shelf.batch() as batch:
        for case in (_once(arena, case, seen) for case in cases):
            if case.answer and _within_caps(arena, case, now):
                identity = f"desk.{case.mail.digest[:24]}.{case.answer}"
                batch.write(_bytes(arena, case, identity, now), *own.place(identity), once=True)
                letters.append(sending.filed(identity, own.place(identity)))
            batch.append(_entry(case, now), *JOURNAL)
            if case.why not in ("duplicate", "sign-up"):
                reason = f"{case.why}: {case.letter.automatic or case.game or 'no game named'}\n"
                batch.write(reason.encode(), "strays", f"{case.mail.digest}.txt", once=True)
            seen |= dict.fromkeys((case.key, case.mail.digest), "desk")
    arena.index.file(letters, now)
    arena.index.put_down([], seen.items())
    arena.index.free("desk")


def _once(arena: Arena, case: Case, seen: Mapping[str, str]) -> Case:
    known = any(mark in seen or arena.index.knows(mark) for mark in (case.key, case.mail.digest))
    return msgspec.structs.replace(case, why="duplicate", answer="") if known else case


def recover(arena: Arena) -> None:
    """After a crash, or with a new index: what is on file at the desk is sent, and what came here is known again."""
    sending.index_unsent(arena, "desk", "post")
    entries = notes.read("entry", arena.shelf, *JOURNAL)
    arena.index.put_down([], [(entry[mark], "desk") for entry in entries for mark in ("key", "cause")])
    arena.index.free("desk")


def _within_caps(arena: Arena, case: Case, now: datetime) -> bool:
    if case.answer not in DAILY:
        return True
    each, all_together = DAILY[case.answer]
    day = f"{now:%Y-%m-%d} {case.answer}"
    mark = addressing.content_key(case.to, "", "", "", ())
    return arena.index.tell(f"{day} {mark}") <= each and arena.index.tell(day) <= all_together


def _entry(case: Case, now: datetime) -> bytes:
    entry = {
        "noted": now,
        "arrived": case.mail.arrived,
        "cause": case.mail.digest,
        "key": case.key,
        "why": case.why,
        "game": case.game,
        "name": case.facts.get("name"),
    }
    return notes.note("entry", records.without_none(entry))


def _bytes(arena: Arena, case: Case, identity: str, now: datetime) -> bytes:
    here = arena.settings.arena
    phase = case.table.number if case.table else 0
    role = case.token_role or (f"seat {case.seat}" if case.seat else "")
    token = addressing.token(arena.secret, case.game, phase, role) if role else ""
    facts = {"game": case.game, "arena": here.name, **case.facts}
    body = writing.render(arena.words, f"{case.answer}.j2", facts)
    title = case.table.title if case.table else "about your mail"
    reply = addressing.reply_address(here.address, case.game, token, plus=here.plus) if token else ""
    subject = addressing.subject(case.game, title, token, plus=here.plus or not token) if case.game else here.name
    answers = case.letter.message_id
    return own.compose(arena, identity, case.to, subject, body, now, reply_to=reply, answers=answers)


def sign_ups(arena: Arena) -> list[dict[str, str]]:
    """Return the sign-ups that wait for their confirmation: cause, game and name each."""
    return [entry for entry in notes.read("entry", arena.shelf, *JOURNAL) if entry["why"] == "sign-up"]
