"""
A moderator says that a player's mailbox is dead: the new address confirms alone, and the old one's no undoes it.

What is known of a person counts in all games of the arena. So only a moderator who does not play can do this, and for
nobody who has a part in a game of somebody else's; it acts as the next phase opens, so that until then the old address
alone orders.
"""

import re
from datetime import datetime, timedelta

import msgspec

from pbem.ground.identity import ArenaLetter
from pbem.ground.terms import Person, Seat, WorldError
from pbem.hall.mail.incoming.arrival import authority, replies
from pbem.hall.mail.incoming.arrival.arrival import Arrival
from pbem.hall.mail.incoming.arrival.authority import Role
from pbem.hall.mail.incoming.checks import moving
from pbem.hall.mail.incoming.checks.moving import ADDRESS
from pbem.hall.mail.incoming.desk import desk, pending
from pbem.hall.mail.incoming.desk.desk import Case, case
from pbem.hall.mail.incoming.desk.pending import Pending
from pbem.hall.mail.outgoing import arena_letters
from pbem.hall.store.arena import Arena
from pbem.hall.store.people import Move
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.table.fold.journal import Entry, OrdersLapse
from pbem.table.model.table import Table
from pbem.table.rulings import naming
from pbem.world.index.counters import Counted, What

STEPS = ("move by", "move back")
"""What waits: for a word from the new address; and for one from the old, whose no nobody vouched for."""
WEEK = timedelta(days=7)
"""How long the no of the old address undoes a move that acts."""

_FOR_PLAYER = re.compile(rf"address\s+(?:of\s+)?([^@]+?)\s+(?:is|to)(?:\s+now)?\s+{ADDRESS}", re.IGNORECASE)
_BY_HAND = "Whoever runs this arena can do it with: pbem address OLD {}"


def ask(mail: Arrival, role: Role) -> Case | None:
    """Ask at the address that the moderator says is a player's; None where they say nothing like it."""
    texts = [text for line in mail.written.lines if (text := phrases.clean(line.text))]
    found = _FOR_PLAYER.fullmatch(texts[0]) if len(texts) == 1 and role.key is None else None
    if found is None:
        return None
    seat, wanted = naming.find_seat(mail.table, found[1]), found[2]
    arena, table = mail.arena, mail.table
    here, token = arena.people.contact(role.person).address, arena.token(table, None)
    if isinstance(seat, Unread):
        return moving.letter(mail, role, "refused for", here, token=token, because=seat.because)
    theirs = Role(table.seats[seat].person, role.phase, seat)
    because = moving.refusal(arena, theirs, wanted, is_own=False)
    if not authority.vouched(arena, mail.parcel, role):
        because = f"No mail server vouches for your mail. {_BY_HAND.format(wanted)}"
    if not because and (shut := _shut(arena, table, theirs.person, mail.now)):
        because = f"{shut} {_BY_HAND.format(wanted)}"
    if because:
        return moving.letter(mail, role, "refused for", here, token=token, name=table.label(seat), because=because)
    arena.people.plan_move(theirs.person, Move(game=table.charter.game, to=wanted, since=mail.now))
    _note(arena, table, seat, "the moderator wants letters to go elsewhere", mail.now)
    old = arena.people.contact(theirs.person).address
    _tell(mail, theirs, "move told", old, wanted)
    _tell(mail, role, "move asked", here, wanted, name=table.label(seat))
    return moving.question(mail, theirs, "move by", wanted, wanted)


def _shut(arena: Arena, table: Table, person: Person, now: datetime) -> str:
    """Say why a game's moderator may not move somebody's letters, or ""."""
    moderator, move = table.charter.moderator, arena.people.move_of(person)
    if move and move.before and now < move.since + WEEK:
        return "Their letters were moved a few days ago, and can still be moved back."
    for game in arena.games():
        if game == table.charter.game:
            other = table
        elif arena.shelf.exists("games", game, "journal.toml") and not _is_named(arena, game, person):
            continue
        else:
            try:
                other = arena.glance(game).table
            except WorldError:
                return "Not all games of this arena can be read now."
            if person not in authority.parts(other):
                continue
        if other.charter.moderator != moderator:
            return "They have a part in a game of another moderator too."
        if any(seated.person == moderator for seated in other.seats.values()):
            return "You play with them yourself, and would read what they order."
    return ""


def _is_named(arena: Arena, game: str, person: Person) -> bool:
    """Say whether a game's files name somebody: most do not, and need not be read."""
    files = ("journal.toml", "charter.toml")
    return any(person.encode() in arena.shelf.read("games", game, name) for name in files)


def step(mail: Arrival, waiting: Pending) -> Entry | Case:
    """Go on with what an address confirms: a move from the next phase on, or that there is none."""
    role = authority.role_of_waiting(mail.table, waiting)
    arena, table, seat = mail.arena, mail.table, role.seat
    move = arena.people.move_of(role.person)
    nothing = case(mail.parcel, "moving")
    if move is None or seat is None or waiting.person != role.person or not pending.is_confirmed(mail.new_lines):
        return nothing
    if waiting.why == "move back":
        return _undo(mail, role, move)
    is_begun = _is_begun(mail)
    is_asked = move.game == table.charter.game and move.to.lower() == waiting.wanted.lower() and not move.before
    if not is_asked or (move.phase >= 0 and not is_begun) or arena.people.find(move.to):
        return nothing
    moderator = Role(table.charter.moderator, role.phase, None)
    if shut := _shut(arena, table, role.person, mail.now):
        arena.people.plan_move(role.person, None)
        _tell(mail, moderator, "refused for", arena.people.contact(moderator.person).address, because=shut)
        return nothing
    _begin(mail)
    arena.people.plan_move(role.person, msgspec.structs.replace(move, phase=table.number))
    name = authority.holder(table, seat)
    _tell(mail, moderator, "moved for", arena.people.contact(moderator.person).address, move.to, name=name)
    if table.status == "over":
        return moving.letter(mail, role, "moved by", move.to, wanted=move.to)
    _tell(mail, role, "moved by", move.to, move.to, token="")
    return _lapse(mail, seat)


def settle(arena: Arena, table: Table, now: datetime) -> None:
    """Let the moves act that were agreed to before the phase that is open; whatever bars one now ends it."""
    for seat, seated in table.seats.items():
        move = arena.people.move_of(seated.person)
        if move is None or move.game != table.charter.game or move.before or move.phase < 0:
            continue
        if table.number <= move.phase and table.status != "over":
            continue
        if arena.people.find(move.to) or _shut(arena, table, seated.person, now):
            arena.people.plan_move(seated.person, None)
            _note(arena, table, seat, "letters did not go elsewhere: somebody else has a say in it now", now)
            continue
        old = arena.people.address(seated.person)
        arena.people.move(seated.person, move.to)
        arena.people.plan_move(seated.person, msgspec.structs.replace(move, before=old, since=now))
        _note(arena, table, seat, "letters go elsewhere from now on, as the moderator wants", now)


def take_back(mail: Arrival) -> Entry | Case | None:
    """Undo a move at the no of the old address; whatever else comes from there is answered by what has happened."""
    arena, table = mail.arena, mail.table
    person = mail.person or arena.people.moved_from(mail.parcel.sender)
    move = arena.people.move_of(person) if person else None
    seat = next((seat for seat, seated in table.seats.items() if seated.person == person), None)
    if person and seat and move is None and mail.role and replies.declines(mail) and _is_begun(mail):
        return _lapse(mail, seat, is_off=True)
    if person is None or move is None or seat is None or not replies.may_be_theirs(mail):
        return None
    old = move.before or arena.people.contact(person).address
    if mail.parcel.sender.lower() != old.lower() or (move.before and mail.now > move.since + WEEK):
        return None
    role = Role(person, table.number, seat)
    if not replies.declines(mail):
        return moving.letter(mail, role, "move over", old, wanted=move.to) if move.before else None
    found = authority.by_token(arena, table, mail.parcel)
    if (found and found.key == seat) or authority.verdict(arena, mail.parcel) == "pass":
        return _undo(mail, role, move)
    return moving.question(mail, role, "move back", old, move.to)


def _undo(mail: Arrival, role: Role, move: Move) -> Entry | Case:
    """Let letters go to the old address, as if nobody had asked for anything else."""
    arena, table, seat = mail.arena, mail.table, role.seat
    assert seat
    if move.before:
        if arena.people.find(move.before) not in (None, role.person):
            return case(mail.parcel, "moving")
        arena.people.move(role.person, move.before)
    moderator = Role(table.charter.moderator, role.phase, None)
    to, old = arena.people.contact(moderator.person).address, arena.people.contact(role.person).address
    _tell(mail, moderator, "undone for", to, move.to, name=table.label(seat))
    _note(arena, table, seat, "the old address says no to a move of letters", mail.now)
    _tell(mail, role, "undone", old, move.to)
    is_waiting = move.phase >= 0 and not move.before and move.game == table.charter.game and table.status != "over"
    if is_waiting:
        _begin(mail)
    arena.people.plan_move(role.person, None)
    return _lapse(mail, seat, is_off=True) if is_waiting else case(mail.parcel, "moving")


def _begin(mail: Arrival) -> None:
    """Note that a mail changes what is known of a person: if a crash comes between, it goes on."""
    mail.arena.index.counters.increment(Counted(what=What.MOVES, about=mail.parcel.mail.digest))


def _is_begun(mail: Arrival) -> bool:
    return mail.arena.index.counters.value(Counted(what=What.MOVES, about=mail.parcel.mail.digest)) > 0


def _lapse(mail: Arrival, seat: Seat, *, is_off: bool = False) -> OrdersLapse:
    return OrdersLapse(
        number=mail.table.head + 1,
        noted=mail.now,
        seat=seat,
        is_off=is_off,
        cause=mail.parcel.mail.digest,
        key=mail.key,
    )


def _note(arena: Arena, table: Table, seat: Seat, what: str, now: datetime) -> None:
    """Tell whoever runs the arena: which game, whose letters, and no address."""
    arena.index.counters.note_odd([f"{table.charter.game}, {table.label(seat)}: {what}."], now)


def _tell(
    mail: Arrival, role: Role, stage: str, to: str, wanted: str = "", *, token: str | None = None, **more: str
) -> None:
    """Put a letter besides the one that answers on file, once for a mail; by default with the token of its reader."""
    game, kind = mail.table.charter.game, stage.replace(" ", "-")
    identity = ArenaLetter(sort="desk", about=desk.mark_of(mail.parcel.mail.digest), kind=kind)
    body = moving.view(mail, role, stage, wanted, **more).render(mail.arena.words, game=game)
    own = mail.arena.token(mail.table, role.key) if token is None else token
    arena_letters.file_to_moderator(mail.arena, identity, game, own, to, mail.table.title, body, mail.now)
