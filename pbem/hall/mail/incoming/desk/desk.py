"""The desk: mail that belongs to no game or may not act in one, and what we answer to it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias

import msgspec

from pbem.ground.identity import ArenaLetter
from pbem.ground.terms import Facts, Mail
from pbem.hall.mail.incoming.desk import pending, purging
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.mail.outgoing import arena_letters, bouncing, caps, sending
from pbem.hall.mail.outgoing.views import ArenaView, Held, Unkept
from pbem.hall.store import append_only
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, authentication, multipart, reading
from pbem.table.model.table import Table
from pbem.world.index.counters import Counted, What
from pbem.world.index.outgoing import Unsent

Why: TypeAlias = Literal[
    "automatic", "bounce", "duplicate", "stranger", "unknown-game", "held", "unkept", "unconfirmed", "forged",
    "sign-up", "moving", "move to", "move from", "move by", "move back", "refused", "unreadable", "unanswered",
    "offered", "replaced",
]  # fmt: skip

NO_STRAYS = (
    "duplicate", "sign-up", "held", "unconfirmed", "moving", "move to", "move from", "move by", "move back", "offered",
)  # fmt: skip
NOTED = Counted(what=What.NOTED)
"""How many bytes of the desk's journal the index has taken in; an index that is put back brings its own number."""
TOO_MANY = "More mail came from people without a seat than we answer in a day. The rest is among the strays."


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """
    A mail that lands on the desk, and the letter that it gets.

    Shape: `view` is what our letter says, if there is one, `to` its recipient, `wish` what waits for an answer to it;
    `token_role` is the role whose token it carries otherwise, or `token` that itself; `evidence` is what the mail shows
    of a writer who sits here, or "failed" of any other, `digits` what confirms it where it is held; `said` why there is
    no answer; `is_capped` where that is so for today alone.
    """

    mail: Mail
    letter: reading.Letter
    key: str
    why: Why
    said: str = ""
    view: ArenaView | None = None
    to: str = ""
    game: str = ""
    table: Table | None = None
    wish: pending.Wish | None = None
    token_role: str = ""
    token: str = ""
    evidence: str = ""
    digits: str = ""
    is_capped: bool = False

    @property
    def answer(self) -> str:
        """Return the template of our letter, "" where there is none."""
        return self.view.template if self.view else ""


def case(parcel: unpacking.Parcel, why: Why, **more: Any) -> Case:
    """Put a mail on the desk; `more` are other fields of its case."""
    key = unpacking.key(parcel, reading.newly(parcel.letter, ()))
    return Case(mail=parcel.mail, letter=parcel.letter, key=key, why=why, game=parcel.game, **more)


def settle(arena: Arena, cases: Sequence[Case], now: datetime, keep: Sequence[Mail] = ()) -> list[Case]:
    """
    File the letters of the desk's cases and note each case in the desk's journal, in one durable step.

    A mail that was here before is noted as a duplicate and gets no letter. Returns the cases as they were noted.
    Shape: `keep` are the mails that no game keeps.
    """
    if not cases:
        return []
    # an earlier visit failed, or the index is an older copy: it has to learn first what the journal says
    if arena.index.games.is_busy("desk") or is_behind(arena):
        recover(arena)
    cases = [_count_bounce(arena, case, now) for case in cases]
    arena.index.games.mark_busy(["desk"])
    letters: list[Unsent] = []
    noted: list[Case] = []
    seen: dict[str, str] = {}
    rooms = pending.Rooms(arena)
    today: Counter[Counted] = Counter()
    # A letter counts towards its day only once it is on file: else whoever is killed between would never write it.
    with arena.index.together():
        with arena.shelf.batch() as batch:
            for mail in keep:
                batch.write(mail.raw, "in", f"{mail.digest}.eml", once=True)
            journal = b""
            for came in cases:
                case = _capped(arena, _with_digits(_without_repeat(arena, came, seen), rooms), now, today)
                if case.view:
                    identity = _identity(case.mail.digest, case.answer, case.evidence)
                    place = arena_letters.place(identity)
                    batch.write(_letter(arena, case, case.view, identity, now), *place, once=True)
                    # one that is there already may have gone, where a process ended before it could note the case
                    if not (arena.shelf.exists(*place) and sending.settled_letters(arena, place[:-2], [str(identity)])):
                        letters.append(sending.as_unsent(identity, place))
                journal += _journal_line(case, now)
                noted.append(case)
                if case.is_capped:
                    arena.index.counters.note_odd([TOO_MANY], now)
                if case.why not in NO_STRAYS:
                    reason = f"{case.why}: {case.said or case.letter.automatic or case.game or 'no game named'}\n"
                    batch.write(reason.encode(), "strays", f"{case.mail.digest}.txt", once=True)
                if case.why != "duplicate":  # whoever took it first has it, and may be about to say so
                    seen |= dict.fromkeys((case.key, case.mail.digest), "desk")
                    seen |= pending.marks(arena, [_journal_fields(case)])
            batch.then()  # what is noted here is answered on file
            batch.append(journal, *pending.JOURNAL)
        arena.index.outgoing.add(letters, now)
        arena.index.games.note_taken(seen.items())
        caps.store(arena, today)
        purging.count(arena, [case.mail for case in cases], now)
        arena.index.counters.put(NOTED, batch.footings[pending.JOURNAL].size)
        arena.index.games.free("desk")
    return noted


def _without_repeat(arena: Arena, case: Case, seen: Mapping[str, str]) -> Case:
    known = any(mark in seen or arena.index.games.has_taken(mark) for mark in (case.key, case.mail.digest))
    return msgspec.structs.replace(case, why="duplicate", view=None, wish=None) if known else case


def _with_digits(case: Case, rooms: pending.Rooms) -> Case:
    """
    Give digits to a mail that is to be held.

    If too many in this name wait already, it is not kept; its owner can write it again.
    """
    held = case.view
    if case.why != "held" or not isinstance(held, Held):
        return case
    digits = rooms.take(case.to, case.evidence, len(case.mail.raw), case.mail.digest)
    if digits:
        return msgspec.structs.replace(case, digits=digits, view=msgspec.structs.replace(held, digits=digits))
    view = Unkept(name=held.name, title=held.title, arrived=held.arrived, because="room", most=pending.ROOM)
    because = f"{pending.ROOM} mails in this name wait for confirmation"
    return msgspec.structs.replace(case, why="unkept", view=view, said=because, wish=None)


def _capped(arena: Arena, case: Case, now: datetime, today: Counter[Counted]) -> Case:
    """
    Leave a mail without an answer if the day's answers are used up; its wish is dropped, since nobody could confirm it.

    Questions about held mail are all written, and put together where they are many.
    """
    if not case.answer or case.answer == "held":
        return case
    evidence = case.evidence or _evidence(arena, case)
    if caps.may_answer(arena, case.answer, evidence, case.to, now, today):
        return case
    said = case.said or f"more came than are answered ({case.why})"
    why: Why = "unkept" if case.why == "unkept" else "unanswered"
    return msgspec.structs.replace(
        case, why=why, view=None, said=said, wish=None, is_capped=case.answer in caps.STRANGERS
    )


def _evidence(arena: Arena, case: Case) -> str:
    """Return what our mail server found out about whether the mail is from the person whom we would answer."""
    if case.to.lower() not in case.letter.senders:
        return ""
    found = authentication.checked(case.letter.results, arena.settings.arena.authserv, case.to)
    return {"pass": "server", "fail": "failed", "none": ""}[found]


def _count_bounce(arena: Arena, case: Case, now: datetime) -> Case:
    """Count a bounce, unless it was here before."""
    known = any(arena.index.games.has_taken(mark) for mark in (case.key, case.mail.digest))
    if case.why != "bounce" or known:
        return case
    return msgspec.structs.replace(case, said=bouncing.take_bounce(arena, case.mail.raw, now))


def is_behind(arena: Arena) -> bool:
    """Say whether the index may not know of all that stands in the desk's journal."""
    return arena.shelf.footing(*pending.JOURNAL).size != arena.index.counters.value(NOTED)


def recover(arena: Arena) -> None:
    """Put into the index, after a crash or when it is new, the desk's letters to send and the mails that it took."""
    sending.index_unsent(arena, "desk", "post")
    found, size = pending.entries_from(arena, arena.index.counters.value(NOTED))
    again = {entry["cause"]: place for place, entry in enumerate(found) if entry["why"] == "retried"}
    entries = [
        entry
        for place, entry in enumerate(found)
        if entry["why"] not in ("duplicate", *pending.LATER) and place > again.get(entry["cause"], -1)
    ]
    known = [(entry[mark], "desk") for entry in entries for mark in ("key", "cause")]
    with arena.index.together():
        arena.index.games.note_taken([*known, *pending.marks(arena, entries)])
        arena.index.counters.put(NOTED, size)
        arena.index.games.free("desk")


def _journal_fields(case: Case) -> Facts:
    """Return what the desk's journal keeps of a case."""
    entry = {
        "arrived": case.mail.arrived,
        "cause": case.mail.digest,
        "key": case.key,
        "why": case.why,
        "size": len(case.mail.raw),
        "game": case.game,
        "evidence": case.evidence,
        "digits": case.digits,
    }
    return entry | ({"to": case.to, **msgspec.structs.asdict(case.wish)} if case.wish else {})


def _journal_line(case: Case, now: datetime) -> bytes:
    fields = {name: value for name, value in _journal_fields(case).items() if value not in ("", ())}
    return append_only.encode("entry", {"noted": now, **fields})


def _letter(arena: Arena, case: Case, view: ArenaView, identity: ArenaLetter, now: datetime) -> bytes:
    here = arena.settings.arena
    role = pending.confirming_role(case.mail.digest, case.to) if case.wish else case.token_role
    token = addressing.token(arena.secret, case.game, 0, role) if role else case.token
    body = view.render(arena.words, game=case.game, arena=here.name)
    title = case.table.title if case.table else "about your mail"
    reply = addressing.reply_address(here.address, case.game, token, plus=here.plus) if token else ""
    subject = addressing.subject(case.game, title, token, plus=here.plus or not token) if case.game else here.name
    answers = case.letter.message_id if case.to.lower() in case.letter.senders else ""
    return arena_letters.compose(arena, identity, case.to, subject, body, now, reply_to=reply, answers=answers)


def is_asked(arena: Arena, cases: Sequence[Case], token: str) -> bool:
    """Say whether one of these cases, not settled yet, asks for an answer with this token."""
    waiting = [_journal_fields(case) for case in cases if case.wish]
    return any(mark == pending.mark(token) for mark, _ in pending.marks(arena, waiting))


def letter_texts(arena: Arena, cause: str, answer: str, evidence: str) -> list[str]:
    """Return the text of our letter about a mail that came to the desk, as far as it is on file."""
    raw = arena_letters.find(arena, _identity(cause, answer, evidence))
    return [multipart.text_of(raw)] if raw else []


def _identity(cause: str, answer: str, evidence: str) -> ArenaLetter:
    return ArenaLetter(sort="desk", about=mark_of(cause), kind=f"{answer}-{evidence}" if evidence else answer)


def mark_of(cause: str) -> str:
    """Return the part of a mail's digest that names the desk's answer to it."""
    return cause[:24]
