"""From raw mail to the entry it becomes in its game, or to the desk: who wrote, in which role, and what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from itertools import islice

import msgspec

from pbem.hall.arena import Arena
from pbem.hall.games.ledger import Ledger
from pbem.hall.mail import filing
from pbem.hall.mail.desk import Case, sign_ups
from pbem.letters import addressing, courtesies, reading
from pbem.letters.reading import Letter
from pbem.phrases import Unread
from pbem.table import hearing, seating, taking
from pbem.table.journal import Entry, SeatTaken
from pbem.table.table import Table
from pbem.table.taking import Received
from pbem.terms import GameName, Mail, OrderLine, Person, Seat, WorldError

LOOKED_AT = 50
"""The most games that are looked at for one stranger's letter."""


AHEAD = 50
"""How many phases an arena that was put back from a backup may be behind."""


class Parcel(msgspec.Struct, frozen=True):
    """A mail that has been read, with what its recipients and subject say; `note` where it names games besides."""

    mail: Mail
    letter: Letter
    game: str
    token: str
    note: str = ""

    @property
    def sender(self) -> str:
        """The one address it is from, or "" where that is not clear."""
        return self.letter.senders[0] if len(self.letter.senders) == 1 else ""


class Role(msgspec.Struct, frozen=True):
    """In which role a mail may act in a game: at a seat, or as the moderator, with the token of a phase."""

    person: Person
    phase: int
    seat: Seat | None


def unpack(arena: Arena, mail: Mail) -> Parcel:
    """Read a mail and find out which game it is for; a game that is only named in the text is found too."""
    letter = reading.read(mail.raw)
    found = addressing.addressed(letter.to, letter.subject, arena.settings.arena.address)
    here = [game for game in (found.game, *found.others) if arena.has_game(game)]
    game = found.game if found.token else next(iter(here), found.game)
    if not game:
        wish = seating.wish(reading.newly(letter, ()))
        game = wish[0] if wish else _named(arena, letter.subject)
    besides = ", ".join(other for other in here if found.token and other != game)
    note = f"Your mail went to {besides} as well. It counts in {game} alone; write one to each game." if besides else ""
    return Parcel(mail, letter, game, found.token, note)


def _named(arena: Arena, subject: str) -> str:
    words = re.findall(r"[a-z0-9][a-z0-9-]*", subject.lower())
    return next((word for word in words if arena.has_game(word)), "")


def without_game(arena: Arena, parcel: Parcel) -> Case:
    """Put a mail on the desk that no game of ours can take."""
    if parcel.letter.automatic or addressing.is_ours(parcel.sender, arena.settings.arena.address):
        return _case(parcel, "automatic")
    if not parcel.sender:
        return _case(parcel, "unreadable")
    answer = "unknown-game" if parcel.game else "stranger"
    return _case(parcel, answer, answer=answer, to=parcel.sender, facts={"open_games": _open_games(arena)})


def _open_games(arena: Arena, most: int = 10) -> list[str]:
    """Return the games where somebody who was not invited can take a seat; one that stands still is none."""
    waiting = sorted(row.name for row in arena.index.games() if row.status == "sign-up")[:LOOKED_AT]
    return list(islice((name for name in waiting if _is_open(arena, GameName(name))), most))


def _is_open(arena: Arena, game: GameName) -> bool:
    try:
        return seating.open_seats(arena.ledger(game).table) > 0
    except WorldError:
        return False


def _case(parcel: Parcel, why: str, **more: object) -> Case:
    key = _key(parcel, reading.newly(parcel.letter, ()))
    fields = {"mail": parcel.mail, "letter": parcel.letter, "key": key, "why": why, "game": parcel.game, **more}
    return Case(**fields)  # type: ignore[arg-type]


def _key(parcel: Parcel, said: Iterable[OrderLine]) -> str:
    letter = parcel.letter
    texts = (line.text for line in said)
    return addressing.content_key(parcel.sender, parcel.token, letter.message_id, letter.date, texts)


def admit(arena: Arena, ledger: Ledger, table: Table, parcel: Parcel, now: datetime) -> Entry | Case:
    """
    Turn a mail to a game into its entry there, or put it on the desk.

    Shape: `table` is the ledger's, with the mails of this batch that came before folded in.
    """
    if arena.index.knows(parcel.mail.digest):
        return _case(parcel, "duplicate")
    if parcel.letter.automatic or not parcel.sender:
        return without_game(arena, parcel)
    role = _role(arena, table, parcel)
    if isinstance(role, Case):
        return role
    if role is None:
        return _outsider(arena, table, parcel, now)
    received = _received(arena, ledger, parcel, role, now)
    if _known(arena, table, received.key):
        return _case(parcel, "duplicate")
    arena.people.amend(role.person, guessed=_offset(parcel.letter.offset), name=parcel.letter.name)
    return taking.take(table, role.seat, received) if role.seat else hearing.rule(table, received)


def is_ahead(arena: Arena, table: Table, parcel: Parcel) -> bool:
    """
    Say whether a mail answers a letter of a phase that this game has not reached.

    Nobody has a token before its letter went out: so we were further once, and an older copy of the arena was put
    back. The game goes on from mail to mail as it did then.
    """
    if not parcel.token or table.status == "over":
        return False
    phases = range(table.number + 1, table.number + AHEAD)
    seats = [seat for seat, _ in _roles(table)]
    reached = range(table.number + 1)
    if any(arena.token(table, seat, phase) == parcel.token for phase in reached for seat in seats):
        return False
    return any(arena.token(table, seat, phase) == parcel.token for phase in phases for seat in seats)


def _known(arena: Arena, table: Table, key: str) -> bool:
    return key in table.keys or arena.index.knows(key)


def _role(arena: Arena, table: Table, parcel: Parcel) -> Role | Case | None:
    """
    Find the role that a token gives; a token counts only together with the registered address.

    A right token from a wrong address changes nothing, tells the sender nothing, and tells the owner.
    """
    if not parcel.token:
        return None
    for phase in range(table.number, -1, -1):
        for seat, person in _roles(table):
            if arena.token(table, seat, phase) != parcel.token:
                continue
            contact = arena.people.contact(person)
            if contact.address.lower() == parcel.sender.lower():
                return Role(person, phase, seat)
            facts = {"name": seated_name(table, seat)}
            return _case(parcel, "forged", answer="forged", to=contact.address, facts=facts)
    return None


def seated_name(table: Table, seat: Seat | None) -> str:
    """Return how letters call whoever holds a role."""
    return table.label(seat) if seat else "the moderator"


def _roles(table: Table) -> Iterable[tuple[Seat | None, Person]]:
    yield from ((seat, seated.person) for seat, seated in table.seats.items())
    yield None, table.charter.moderator


def _received(arena: Arena, ledger: Ledger, parcel: Parcel, role: Role, now: datetime) -> Received:
    letter = parcel.letter
    said = reading.newly(letter, filing.words_sent(arena, ledger, role.seat, letter.references))
    names = {letter.name, ledger.table.seats[role.seat].name if role.seat else ""}
    polite = tuple(
        OrderLine(line.number, "") if any(courtesies.courtesy(line.text, name) for name in names) else line
        for line in said
    )
    return Received(
        phase=role.phase,
        arrived=parcel.mail.arrived,
        noted=now,
        mail=parcel.mail.name,
        cause=parcel.mail.digest,
        key=_key(parcel, said),
        message_id=letter.message_id,
        said=polite,
        note=letter.note or parcel.note,
    )


def _offset(minutes: int | None) -> str:
    if not minutes:
        return ""
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes >= 0 else "-"
    return f"UTC{sign}{hours}:{rest:02d}" if rest else f"UTC{sign}{hours}"


def _outsider(arena: Arena, table: Table, parcel: Parcel, now: datetime) -> Entry | Case:
    """Handle a mail that names a game and holds no token of a seat: a sign-up, a lost token, a stranger."""
    said = reading.newly(parcel.letter, ())
    if _known(arena, table, _key(parcel, said)):
        return _case(parcel, "duplicate")
    wish = seating.wish(said)
    person = arena.people.find(parcel.sender)
    if person and any(person == seated.person for seated in table.seats.values()):
        return _lost_token(table, parcel, person)
    if parcel.token and person and parcel.token == _invitation(arena, table, person):
        return _join(arena, table, parcel, person, wish, now)
    confirmed = _confirmed(arena, parcel)
    if confirmed:
        person = arena.people.admit(parcel.sender, parcel.letter.name)
        return _join(arena, table, parcel, person, (parcel.game, confirmed), now)
    if person and person == table.charter.moderator:
        return _lost_token(table, parcel, person)
    if wish:
        return _ask_to_confirm(arena, table, parcel, wish[1])
    return _case(parcel, "stranger", answer="stranger", to=parcel.sender, facts={"open_games": []})


def _invitation(arena: Arena, table: Table, person: Person) -> str:
    if person not in table.invited:
        return ""
    return addressing.token(arena.secret, table.charter.game, 0, f"invited {person}")


def _join(
    arena: Arena, table: Table, parcel: Parcel, person: Person, wish: tuple[str, str] | None, now: datetime
) -> Entry | Case:
    name = wish[1] if wish else ""
    seat = seating.seat_for(table, person, name)
    if isinstance(seat, Unread):
        facts = {"because": seat.because, "shut": bool(seating.shut(table, person))}
        role = f"invited {person}"
        return _case(parcel, "refused", answer="refused", to=parcel.sender, facts=facts, token_role=role)
    said = reading.newly(parcel.letter, ())
    requests, complaints = seating.zone(said)
    for request in requests:
        arena.people.amend(person, zone=request.removeprefix("zone "))
    return SeatTaken(
        number=table.head + 1,
        noted=now,
        seat=seat,
        name=name,
        person=person,
        cause=parcel.mail.digest,
        key=_key(parcel, said),
        requests=requests,
        complaints=complaints,
    )


def _confirmed(arena: Arena, parcel: Parcel) -> str:
    """Return the name under which a sign-up asked for a seat, where this mail is its confirmation."""
    if not parcel.token:
        return ""
    for asked in sign_ups(arena):
        if asked["game"] == parcel.game and parcel.token == _confirmation(arena, asked["cause"], parcel):
            return asked["name"]
    return ""


def _confirmation(arena: Arena, cause: str, parcel: Parcel) -> str:
    return addressing.token(arena.secret, parcel.game, 0, f"confirm {cause} {parcel.sender.lower()}")


def _ask_to_confirm(arena: Arena, table: Table, parcel: Parcel, name: str) -> Case:
    seat = seating.seat_for(table, Person(""), name)
    if isinstance(seat, Unread):
        facts = {"because": seat.because, "shut": bool(seating.shut(table, Person("")))}
        return _case(parcel, "refused", answer="refused", to=parcel.sender, facts=facts)
    role = f"confirm {parcel.mail.digest} {parcel.sender.lower()}"
    facts = {"name": name, "ruleset": table.ruleset.title}
    return _case(parcel, "sign-up", answer="confirm", to=parcel.sender, facts=facts, token_role=role)


def _lost_token(table: Table, parcel: Parcel, person: Person) -> Case:
    seat = next((seat for seat, who in _roles(table) if who == person and seat), None)
    facts = {"name": seated_name(table, seat), "title": table.title, "subject": parcel.letter.subject}
    role = f"seat {seat}" if seat else "moderator"
    return _case(parcel, "no-token", answer="no-token", to=parcel.sender, facts=facts, table=table, token_role=role)
