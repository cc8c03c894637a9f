"""Merges answers above the day's cap into one letter an hour: everybody is answered, and no loop of mail runs hot."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from email import message_from_bytes
from email.header import decode_header, make_header
from typing import TypeAlias

from pbem.ground.identity import ArenaLetter
from pbem.ground.terms import ShelfError
from pbem.hall.mail.outgoing import arena_letters, caps, sending
from pbem.hall.mail.outgoing.caps import Kind
from pbem.hall.mail.outgoing.views import Answer, Merged
from pbem.hall.mail.outgoing.ways import Ways
from pbem.hall.store import append_only
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, multipart
from pbem.world.index.outgoing import Unsent

MOST = 20
"""Answers that are told in one letter; of more the latest, since they say how things stand, but of questions all."""

Filed: TypeAlias = tuple[Unsent, bytes]
"""A letter that waits, and its bytes."""


def merge(arena: Arena, now: datetime) -> None:
    """
    Merge the answers that wait above a reader's cap into one letter, or let them wait for their hour.

    The letter is on file, and those in it are noted as sent with it, before anything goes.
    """
    ways = Ways(arena, now)
    waiting = [letter for letter in arena.index.outgoing.to_send(now) if letter.rank == 1 and ways.is_by_mail(letter)]
    for (kind, to, _), answers in _by_reader(arena, waiting).items():
        room = caps.room(arena, kind, to, now)
        late: Sequence[Filed] = ()
        if room < 1:
            late = answers
        elif len(answers) > room:
            together = answers[room - 1 :]
            late = together[MOST:] if kind.name == "held" else ()
            _put_together(arena, kind, together[: len(together) - len(late)], len(late), now)
        if late:
            hour = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
            arena.index.outgoing.postpone((letter.letter for letter, _ in late), hour)


def _by_reader(arena: Arena, waiting: Sequence[Unsent]) -> dict[tuple[Kind, str, str], list[Filed]]:
    """Group letters by kind and reader; questions by their game too, since only there they can be answered."""
    found: dict[tuple[Kind, str, str], list[Filed]] = defaultdict(list)
    for letter in waiting:
        try:
            raw = arena.shelf.read(*letter.place)
        except ShelfError:
            continue  # sending tells of it
        kind = caps.kind(letter.letter, raw)
        if kind:
            game = _game(arena, raw) if kind.name == "held" else ""
            found[kind, sending.recipient(raw), game].append((letter, raw))
    return found


def _game(arena: Arena, raw: bytes) -> str:
    letter = message_from_bytes(raw)
    return addressing.addressed([str(letter["Reply-To"])], str(letter["Subject"]), arena.settings.arena.address).game


def _put_together(arena: Arena, kind: Kind, answers: Sequence[Filed], later: int, now: datetime) -> None:
    names = " ".join(letter.letter for letter, _ in answers)
    about = hashlib.sha256(names.encode()).hexdigest()[:24]
    identity = ArenaLetter(sort="merged", about=about, kind=str(kind))
    raw = _letter(arena, identity, kind, [raw for _, raw in answers], later, now)
    with arena.shelf.batch() as batch:
        batch.write(raw, *arena_letters.place(identity), once=True)
        batch.then()
        for letter, _ in answers:
            line = {"letter": letter.letter, "at": now, "result": f"sent in {identity}", "settled": True}
            batch.append(append_only.encode("sent", line), *letter.place[:-2], "sent.toml")
    with arena.index.together():
        arena.index.outgoing.add([sending.as_unsent(identity, arena_letters.place(identity))], now)
        arena.index.outgoing.remove(letter.letter for letter, _ in answers)


def _letter(arena: Arena, identity: ArenaLetter, kind: Kind, raws: Sequence[bytes], later: int, now: datetime) -> bytes:
    letters = tuple(_answer(raw) for raw in raws[-MOST:])
    last = message_from_bytes(raws[-1])
    view = Merged(
        questions=kind.name == "held", count=len(raws), most=kind.most, left_out=len(raws) - len(letters), later=later,
        answers=letters,
    )  # fmt: skip
    return arena_letters.compose(
        arena,
        identity,
        sending.recipient(raws[-1]),
        letters[-1].subject,
        view.render(arena.words),
        now,
        reply_to=str(last["Reply-To"] or ""),
        answers=str(last["In-Reply-To"] or ""),
    )


def _answer(raw: bytes) -> Answer:
    subject = str(make_header(decode_header(str(message_from_bytes(raw)["Subject"]))))
    return Answer(subject=subject, body=multipart.text_of(raw).strip("\n"))
