"""From a mail to the entry it becomes in its game, or to the desk: who wrote, in which role, and what."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import Literal

import msgspec

from pbem.hall.arena import Arena
from pbem.hall.games.ledger import Ledger
from pbem.hall.mail import authority, barring, bouncing, desk, filing, joining, moving, pending, unpacking
from pbem.hall.mail.authority import Doubt, Role, Stolen
from pbem.hall.mail.desk import Case, case
from pbem.hall.mail.pending import Pending, Wish
from pbem.hall.mail.unpacking import Parcel
from pbem.letters import addressing, courtesies, reading
from pbem.letters.newness import Written
from pbem.table import calendar, hearing, seating, sorting, spoken, taking
from pbem.table.journal import Entry, OrdersReceived, RulingGiven, TokenLeaked
from pbem.table.table import Table, leak
from pbem.table.taking import Received
from pbem.terms import GameName, Mail, OrderLine, Seat, WorldError

LOOKED_AT = 50
"""The most games that are looked at for one stranger's letter."""


def without_game(arena: Arena, parcel: Parcel) -> Case:
    """Put a mail on the desk that no game of ours can take."""
    barred = barring.barred(arena, parcel.letter, parcel.sender) or parcel.letter.automatic
    if barred:
        return case(parcel, "bounce" if parcel.letter.kind == "bounce" else "automatic", said=barred)
    if not parcel.sender:
        return case(parcel, "unreadable")
    answer: Literal["unknown-game", "stranger"] = "unknown-game" if parcel.game else "stranger"
    return case(parcel, answer, answer=answer, to=parcel.sender, facts={"open_games": _open_games(arena)})


def _open_games(arena: Arena, most: int = 10) -> list[str]:
    """Return the games where somebody who was not invited can take a seat; one that stands still is none."""
    waiting = sorted(row.name for row in arena.index.games() if row.status == "sign-up")[:LOOKED_AT]
    return list(islice((name for name in waiting if _is_open(arena, GameName(name))), most))


def _is_open(arena: Arena, game: GameName) -> bool:
    try:
        return seating.open_seats(arena.ledger(game).table) > 0
    except WorldError:
        return False


def admit(arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, now: datetime) -> Entry | Case:
    """
    Turn a mail to a game into its entry there, or put it on the desk.

    Shape: `table` is the ledger's, with the mails of this batch that came before folded in.
    """
    if arena.index.knows(parcel.mail.digest):
        return case(parcel, "duplicate")
    if barring.barred(arena, parcel.letter, parcel.sender) or not parcel.sender:
        return without_game(arena, parcel)
    role = authority.role(arena, table, parcel)
    if parcel.letter.kind == "list" and not isinstance(role, Role):
        return without_game(arena, parcel)
    if isinstance(role, Stolen):
        return _stolen(arena, table, parcel, role, now)
    if role:
        written = _written(arena, ledger, parcel, role.seat)
        return _in_role(arena, table, parcel, role, written, now)
    return _without_token(arena, ledger, table, parcel, now)


def _without_token(arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, now: datetime) -> Entry | Case:
    """Handle a mail that has no token of a role: a confirmation, a sign-up, a lost token, a stranger."""
    said = reading.newly(parcel.letter, ())
    if _known(arena, table, unpacking.key(parcel, said)):
        return case(parcel, "duplicate")
    waiting = pending.find(arena, parcel.game, parcel.token, parcel.sender)
    if waiting and waiting.why == "held":
        return _answered(arena, ledger, table, parcel, waiting, now)
    if waiting and waiting.why in moving.STEPS:
        return moving.step(arena, table, parcel, waiting)
    person = arena.people.find(parcel.sender)
    if person and any(person == seated.person for seated in table.seats.values()):
        return _kept(arena, table, parcel, authority.of(table, person), "no token")
    joined = joining.join(arena, table, parcel, waiting, said, now)
    if joined:
        return joined
    if person and person == table.charter.moderator:
        return _kept(arena, table, parcel, authority.of(table, person), "no token")
    return joining.stranger(table, parcel, said)


def _in_role(arena: Arena, table: Table, parcel: Parcel, role: Role, written: Written, now: datetime) -> Entry | Case:
    """Take a mail in the role that its token gives, or keep it until its writer has confirmed it."""
    received = _received(parcel, role, written, now)
    if _known(arena, table, received.key):
        return case(parcel, "duplicate")
    why = authority.doubt(arena, table, parcel, role)
    if why:
        return _kept(arena, table, parcel, role, why)
    wanted = moving.wish(written.lines)
    if wanted:
        return moving.ask(arena, table, parcel, role, wanted)
    entry = _entry(table, role, received)
    if isinstance(entry, RulingGiven) and hearing.for_good(entry) and not authority.vouched(arena, parcel, role):
        return _kept(arena, table, parcel, role, "for good")
    if barring.is_parrot(table, entry):
        return case(parcel, "automatic", said=f"the same words for the {barring.SAME_WORDS + 1}. time today")
    _meet(arena, table, parcel, role, now)
    return entry


def _meet(arena: Arena, table: Table, parcel: Parcel, role: Role, now: datetime) -> None:
    """Take down what the mail of somebody who acts shows of them: that they read their mail, and from where."""
    post = ("games", table.charter.game, "post")
    bouncing.welcome_back(arena, post, role.person, role.seat or role.person, now)
    arena.people.amend(role.person, guessed=_offset(parcel.letter.offset), name=parcel.letter.name)


def _entry(table: Table, role: Role, received: Received) -> OrdersReceived | RulingGiven:
    return taking.take(table, role.seat, received) if role.seat else hearing.rule(table, received)


def _stolen(arena: Arena, table: Table, parcel: Parcel, found: Stolen, now: datetime) -> Entry | Case:
    """
    Note that a token is in other hands, so that it counts no more; its owner is told, the sender is not.

    That of an older phase gives no orders any more; that it was used is told once.
    """
    key = unpacking.key(parcel, reading.newly(parcel.letter, ()))
    if _known(arena, table, key):
        return case(parcel, "duplicate")
    if found.phase != table.number and table.leaks.get(leak(found.seat, found.phase)):
        return case(parcel, "forged")
    return TokenLeaked(
        number=table.head + 1, noted=now, seat=found.seat or "", phase=found.phase, cause=parcel.mail.digest, key=key
    )


def _kept(arena: Arena, table: Table, parcel: Parcel, role: Role, why: Doubt) -> Case:
    """Keep a mail that may be somebody's, and ask them, at their registered address."""
    contact = arena.people.contact(role.person)
    facts = {
        "name": authority.name(table, role.seat),
        "title": table.title,
        "because": why,
        "arrived": calendar.show_instant(parcel.mail.arrived, contact.clock),
    }
    wish = Wish(seat=role.seat or "", phase=role.phase)
    return case(parcel, "held", answer="held", to=contact.address, facts=facts, table=table, wish=wish)


def _answered(
    arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, waiting: Pending, now: datetime
) -> Entry | Case:
    """Take the mail that was kept where its writer confirms it; what they write instead counts as theirs."""
    seat = Seat(waiting.seat) if waiting.seat else None
    person = table.seats[seat].person if seat else table.charter.moderator
    if arena.people.contact(person).address.lower() != parcel.sender.lower():
        return joining.stranger(table, parcel, ())
    role = Role(person, waiting.phase, seat, asked=True)
    ours = desk.words(arena, waiting.cause, waiting.why)
    written = _written(arena, ledger, parcel, seat, ours)
    if not pending.is_confirmed(written.lines):
        return _in_role(arena, table, parcel, role, written, now)
    key = addressing.content_key(parcel.sender, f"confirmed {waiting.cause}", "", "", ())
    if _known(arena, table, key):
        return case(parcel, "duplicate")
    raw = arena.shelf.read("games", table.charter.game, "post", "in", f"{waiting.cause}.eml")
    kept = unpacking.unpack(arena, Mail(parcel.mail.name, waiting.arrived, waiting.cause, raw))
    _meet(arena, table, parcel, role, now)
    received = msgspec.structs.replace(
        _received(kept, role, _written(arena, ledger, kept, seat), now),
        cause=parcel.mail.digest,
        confirms=waiting.cause,
        key=key,
        message_id=parcel.letter.message_id,
        note=f"This is your mail of {calendar.show_instant(waiting.arrived, arena.people.contact(person).clock)}.",
    )
    return _entry(table, role, received)


def _known(arena: Arena, table: Table, key: str) -> bool:
    return key in table.keys or arena.index.knows(key)


def _written(arena: Arena, ledger: Ledger, parcel: Parcel, seat: Seat | None, besides: Iterable[str] = ()) -> Written:
    """Return what a person newly wrote, their own name and courtesies made blank."""
    letter = parcel.letter
    sent = filing.words_sent(arena, ledger, seat, letter.references)
    names = {letter.name, ledger.table.seats[seat].name if seat else ""}
    written = reading.written(letter, [*sent, *besides], sorting.in_block if seat else spoken.in_block)
    polite = (
        OrderLine(line.number, "") if any(courtesies.courtesy(line.text, name) for name in names) else line
        for line in written.lines
    )
    return Written(tuple(polite), written.below)


def _received(parcel: Parcel, role: Role, written: Written, now: datetime) -> Received:
    letter, said = parcel.letter, written.lines
    endless = reading.endless(said)
    return Received(
        phase=role.phase,
        arrived=parcel.mail.arrived,
        noted=now,
        mail=parcel.mail.name,
        cause=parcel.mail.digest,
        key=unpacking.key(parcel, said),
        message_id=letter.message_id,
        said=() if endless else said,
        note=endless or " ".join(filter(None, (parcel.note, letter.note, _below(written.below)))),
    )


def _below(count: int) -> str:
    lines = f"{count} lines" if count > 1 else "1 line"
    return f"Below your end stood {lines}, not read." if count else ""


def _offset(minutes: int | None) -> str:
    if not minutes:
        return ""
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes >= 0 else "-"
    return f"UTC{sign}{hours}:{rest:02d}" if rest else f"UTC{sign}{hours}"
