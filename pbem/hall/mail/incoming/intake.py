"""From a mail to the entry it becomes in its game, or to the desk: who wrote, in which role, and what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import accumulate, islice
from typing import Literal

import msgspec

from pbem.hall.mail.incoming import authority, barring, desk, joining, moving, pending, unpacking
from pbem.hall.mail.incoming.authority import Doubt, Role, Stolen
from pbem.hall.mail.incoming.desk import Case, case
from pbem.hall.mail.incoming.pending import Pending, Wish
from pbem.hall.mail.incoming.unpacking import Parcel
from pbem.hall.mail.outgoing import bouncing, filing
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger
from pbem.letters import reading
from pbem.letters.newness import Written
from pbem.table import calendar, hearing, seating, sorting, spoken, taking
from pbem.table.journal import Entry, OrdersReceived, RulingGiven, TokenLeaked
from pbem.table.letter import reader_of
from pbem.table.table import Table, leak
from pbem.table.taking import Received
from pbem.terms import Facts, GameName, Mail, Seat, WorldError

LOOKED_AT = 50
"""The most games that are looked at for one stranger's letter."""
SHOWN = 60
SHOWN_LETTERS = 6_000
"""The most lines and characters of a held mail that the letter about it quotes."""


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
        return _in_role(arena, ledger, table, parcel, role, written, now)
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
        return _kept(arena, ledger, table, parcel, authority.of(table, person), "no token")
    joined = joining.join(arena, table, parcel, waiting, said, now)
    if joined:
        return joined
    invited = joining.again(table, parcel, person, said, now)
    if invited:
        return invited
    if person and person == table.charter.moderator:
        return _kept(arena, ledger, table, parcel, authority.of(table, person), "no token")
    return joining.stranger(table, parcel, said)


def _in_role(
    arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, role: Role, written: Written, now: datetime
) -> Entry | Case:
    """Take a mail in the role that its token gives, or keep it until its writer has confirmed it."""
    received = _received(parcel, role, written, now)
    if _known(arena, table, received.key):
        return case(parcel, "duplicate")
    why = authority.doubt(arena, table, parcel, role)
    if why:
        return _kept(arena, ledger, table, parcel, role, why)
    wanted = moving.wish(written.lines)
    if wanted:
        return moving.ask(arena, table, parcel, role, wanted)
    entry = _entry(table, role, received)
    if isinstance(entry, RulingGiven) and hearing.for_good(entry) and not authority.vouched(arena, parcel, role):
        return _kept(arena, ledger, table, parcel, role, "for good")
    if barring.is_parrot(table, entry):
        return case(parcel, "automatic", said=f"the same words for the {barring.SAME_WORDS + 1}. time today")
    _meet(arena, table, parcel, role, now)
    return entry


def _meet(arena: Arena, table: Table, parcel: Parcel, role: Role, now: datetime) -> None:
    """Take down what the mail of somebody who acts shows of them: that they read their mail, and from where."""
    post = ("games", table.charter.game, "post")
    bouncing.welcome_back(arena, post, role.person, reader_of(table, role.seat, role.person), now)
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


def _kept(arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, role: Role, why: Doubt) -> Case:
    """
    Keep a mail that may be somebody's, and ask them, at their registered address.

    One that has no token and was found not to be theirs is not kept; they are told once a day that such mail comes.
    """
    evidence = authority.evidence(arena, parcel, why)
    if why == "no token" and evidence == "failed":
        return _unkept(arena, table, parcel, role, evidence, "failed")
    return case(
        parcel,
        "held",
        answer="held",
        to=arena.people.contact(role.person).address,
        facts=_question(arena, ledger, table, parcel, role, why, evidence),
        table=table,
        wish=Wish(seat=role.seat or "", phase=role.phase),
        token=arena.token(table, role.seat),
        evidence=evidence,
    )


def _unkept(arena: Arena, table: Table, parcel: Parcel, role: Role, evidence: str, because: str) -> Case:
    """Tell somebody that mail in their name was not kept; what they answer counts as theirs."""
    to, facts = arena.people.contact(role.person).address, _about(arena, table, parcel, role)
    facts |= {"because": because, "most": pending.ROOM}
    token = arena.token(table, role.seat)
    return case(
        parcel, "unkept", answer="unkept", to=to, facts=facts, table=table, token=token, evidence=evidence, said=because
    )


def _about(arena: Arena, table: Table, parcel: Parcel, role: Role) -> Facts:
    """Return what every letter about such a mail says of it."""
    return {
        "name": authority.name(table, role.seat),
        "title": table.title,
        "arrived": calendar.show_instant(parcel.mail.arrived, arena.people.contact(role.person).clock),
    }


def _question(arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, role: Role, why: str, evidence: str) -> Facts:
    """Return what the letter says that asks about a mail: who is said to have written it, and what would count."""
    lines = [line.text for line in _written(arena, ledger, parcel, role.seat).lines if line.text.strip()]
    letters = accumulate(len(line) for line in lines)
    shown = [line for line, far in zip(lines[:SHOWN], letters, strict=False) if far <= SHOWN_LETTERS]
    return _about(arena, table, parcel, role) | {
        "because": why,
        "writer": f"{parcel.letter.name} <{parcel.sender}>".strip(),
        "shown": "\n".join(shown),
        "more": len(lines) - len(shown),
        "days": pending.waits(evidence).days,
        "again": "",
    }


def _answered(
    arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, waiting: Pending, now: datetime
) -> Entry | Case:
    """Take the mail that was kept where its writer confirms it; what they write instead counts as theirs."""
    seat = Seat(waiting.seat) if waiting.seat else None
    person = table.seats[seat].person if seat else table.charter.moderator
    if arena.people.contact(person).address.lower() != parcel.sender.lower():
        return joining.stranger(table, parcel, ())
    mine = pending.held(pending.waiting(arena))
    mine = [one for one in mine if one.game == waiting.game and one.to.lower() == waiting.to.lower()]
    ours = [text for one in mine[-pending.ROOM :] for text in desk.words(arena, one.cause, one.why, one.evidence)]
    written = _written(arena, ledger, parcel, seat, ours)
    word = pending.word(written.lines)
    if word is None:
        return _in_role(arena, ledger, table, parcel, Role(person, waiting.phase, seat, asked=True), written, now)
    meant = _meant(arena, parcel, waiting, mine, word)
    if meant is None:
        return _asked_again(arena, ledger, table, parcel, waiting, "other digits" if word else "no digits")
    key = pending.confirmation(meant)
    if _known(arena, table, key):
        return case(parcel, "duplicate")
    kept = _bytes_kept(arena, table, parcel, meant)
    seat = Seat(meant.seat) if meant.seat else None
    role = Role(person, meant.phase, seat, asked=True)
    if kept is None:
        return _unkept(arena, table, parcel, role, "token", "gone")
    _meet(arena, table, parcel, role, now)
    received = _received(kept, role, _written(arena, ledger, kept, seat), now)
    this_is = f"This is your mail of {calendar.show_instant(meant.arrived, arena.people.contact(person).clock)}."
    received = msgspec.structs.replace(
        received,
        cause=parcel.mail.digest,
        confirms=meant.cause,
        key=key,
        message_id=parcel.letter.message_id,
        note=" ".join(filter(None, (this_is, received.note, _besides(written)))),
    )
    return _entry(table, role, received)


def _besides(written: Written) -> str:
    """Say what a reply that confirms a mail held besides that word, "" where nothing: one reply takes one mail."""
    count = sum(bool(line.text.strip()) for line in written.lines) - 1 + written.below
    lines = f"{count} lines" if count > 1 else "1 line"
    return f"Besides confirm your reply held {lines}, not read: one reply takes one mail." if count else ""


def _meant(arena: Arena, parcel: Parcel, waiting: Pending, mine: Sequence[Pending], word: str) -> Pending | None:
    """
    Return which of somebody's mails a reply confirms, if it says so.

    Digits name it. Without them it is the one that the letter asked about, where our mail server vouches for the reply
    and no other waits: letters that ask about several have one address for all.
    """
    if word:
        found = [one for one in mine if pending.digits_of(arena, one) == word]
        return found[-1] if found else None
    others = [one for one in mine if one.cause != waiting.cause and not arena.index.knows(pending.confirmation(one))]
    return waiting if authority.verdict(arena, parcel) == "pass" and not others else None


def _asked_again(arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, waiting: Pending, because: str) -> Case:
    """Say what would have confirmed a mail."""
    seat = Seat(waiting.seat) if waiting.seat else None
    person = table.seats[seat].person if seat else table.charter.moderator
    role = Role(person, waiting.phase, seat)
    if arena.index.knows(pending.confirmation(waiting)):
        return case(parcel, "duplicate")
    kept = _bytes_kept(arena, table, parcel, waiting)
    if kept is None:
        return _unkept(arena, table, parcel, role, "token", "gone")
    return case(
        parcel,
        "unconfirmed",
        answer="held",
        to=waiting.to,
        facts=_question(arena, ledger, table, kept, role, "", waiting.evidence)
        | {"again": because, "digits": pending.digits_of(arena, waiting)},
        table=table,
        token_role=pending.role(waiting.cause, waiting.to),
        evidence="token",
    )


def _bytes_kept(arena: Arena, table: Table, parcel: Parcel, waiting: Pending) -> Parcel | None:
    """Read a mail that was kept once more; None where that was too long ago."""
    place = ("games", table.charter.game, "post", "in", f"{waiting.cause}.eml")
    if not arena.shelf.exists(*place):
        return None
    raw = arena.shelf.read(*place)
    return unpacking.unpack(arena, Mail(parcel.mail.name, waiting.arrived, waiting.cause, raw))


def _known(arena: Arena, table: Table, key: str) -> bool:
    return key in table.keys or arena.index.knows(key)


def _written(arena: Arena, ledger: Ledger, parcel: Parcel, seat: Seat | None, besides: Iterable[str] = ()) -> Written:
    """Return what a person newly wrote, their own name and courtesies made blank, except in a block, such as press."""
    letter = parcel.letter
    sent = filing.words_sent(arena, ledger, seat, letter.references)
    names = {letter.name, ledger.table.seats[seat].name if seat else ""}
    return reading.written(letter, [*sent, *besides], sorting.in_block if seat else spoken.in_block, names)


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
        polite=() if endless else written.polite,
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
