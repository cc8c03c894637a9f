"""Answers above the day's cap, put together into one letter an hour: nobody is left without, and no loop runs hot."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from email import message_from_bytes
from email.header import decode_header, make_header

from pbem.hall.arena import Arena
from pbem.hall.mail import caps, notes, own, sending
from pbem.letters import writing
from pbem.terms import Facts, ShelfError
from pbem.world.index import Unsent

MOST = 20
"""Answers that are told in one letter; of more, the latest."""


def merge(arena: Arena, now: datetime) -> None:
    """
    Put the answers that wait above a reader's cap into one letter, or let them wait for their hour.

    The letter is on file, and those in it are noted as sent with it, before anything goes.
    """
    waiting = [letter for letter in arena.index.to_send(now) if letter.rank == 1]
    for to, answers in _by_reader(arena, waiting).items():
        room = caps.room(arena, to, now)
        if room < 1:
            hour = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
            arena.index.wait((letter.letter for letter, _ in answers), hour)
        elif len(answers) > room:
            _put_together(arena, answers[room - 1 :], now)


def _by_reader(arena: Arena, waiting: Sequence[Unsent]) -> dict[str, list[tuple[Unsent, bytes]]]:
    found: dict[str, list[tuple[Unsent, bytes]]] = defaultdict(list)
    for letter in waiting:
        try:
            raw = arena.shelf.read(*letter.place)
        except ShelfError:
            continue  # sending tells of it
        if caps.is_answer(letter.letter, raw):
            found[sending.recipient(raw)].append((letter, raw))
    return found


def _put_together(arena: Arena, answers: Sequence[tuple[Unsent, bytes]], now: datetime) -> None:
    names = " ".join(letter.letter for letter, _ in answers)
    identity = f"merged.{hashlib.sha256(names.encode()).hexdigest()[:24]}.answers"
    raw = _letter(arena, identity, [raw for _, raw in answers], now)
    with arena.shelf.batch() as batch:
        batch.write(raw, *own.place(identity), once=True)
        for letter, _ in answers:
            line = {"letter": letter.letter, "at": now, "result": f"sent in {identity}", "settled": True}
            batch.append(notes.note("sent", line), *letter.place[:-2], "sent.toml")
    with arena.index.together():
        arena.index.file([sending.filed(identity, own.place(identity))], now)
        arena.index.settle(letter.letter for letter, _ in answers)


def _letter(arena: Arena, identity: str, raws: Sequence[bytes], now: datetime) -> bytes:
    told = [_told(raw) for raw in raws[-MOST:]]
    last = message_from_bytes(raws[-1])
    facts: Facts = {"count": len(raws), "most": caps.ANSWERS, "left_out": len(raws) - len(told), "answers": told}
    return own.compose(
        arena,
        identity,
        sending.recipient(raws[-1]),
        told[-1]["subject"],
        writing.render(arena.words, "merged.j2", facts),
        now,
        reply_to=str(last["Reply-To"] or ""),
        answers=str(last["In-Reply-To"] or ""),
    )


def _told(raw: bytes) -> Facts:
    subject = str(make_header(decode_header(str(message_from_bytes(raw)["Subject"]))))
    return {"subject": subject, "body": writing.text_of(raw).strip("\n")}
