"""
Letters that come back: who cannot be reached, and who is told; knows no mail format.

What counts. A bounce counts only where it returns a letter of ours, or its headers, with the mark that the letter went
out with: nobody can guess it, so nobody can make us believe that another player's mail fails; and where it names the
address that we wrote to, since a copy that its reader sends on may fail too. A letter that the mail server refuses to
our face, or that is given up, counts the same. Each letter counts once, a delay never. An invitation that comes back
is told the moderator at once, as is the offer of a seat. Three letters in a row, with no mail of the person between
them, make the person unreachable: the moderators of those games are told once, and any mail of the person's clears it.
Meanwhile games go on as they would without that person's orders. Reports and openings, one a phase, still go out, since
a mailbox may only have been full; what nobody asked for besides them (reminders, press, notices) stays on file, and
goes out, but for reminders, when the person writes.
"""

import hashlib
import hmac
from datetime import datetime

from pbem.ground.identity import ArenaLetter, game_letter
from pbem.ground.terms import GameName, Person, WorldError
from pbem.hall.mail.outgoing import arena_letters, sending
from pbem.hall.mail.outgoing.views import Unreachable
from pbem.hall.store.arena import Arena
from pbem.hall.store.people import PATIENCE, Contact
from pbem.letters import addressing, bounces
from pbem.table.model import seating
from pbem.table.rulings import replace
from pbem.table.rulings.deputy import offer as deputy_offer

NOT_OURS = "Bounces came that return no letter of ours. They count against nobody; they are among the strays."


def take_bounce(arena: Arena, raw: bytes, now: datetime) -> str:
    """Count what a bounce returns, however often it comes; return what came of it, in words."""
    bounce = bounces.read(raw)
    letters = [
        arena_letters.identity_of(arena, name) or name for name, mark in bounce.marks if is_mark(arena, name, mark)
    ]
    if not letters:
        arena.index.counters.note_odd([NOT_OURS], now)
        return "returns no letter of ours"
    if not bounce.failed:
        return f"{letters[0]} is late, or was delivered after all"
    if not _is_named(arena, letters[0], bounce):
        return f"{letters[0]} came back, from an address that it never went to"
    count_returned(arena, letters[0], now)
    return f"{letters[0]} came back"


def _is_named(arena: Arena, identity: str, bounce: bounces.Bounce) -> bool:
    raw = arena_letters.find(arena, identity)
    named = {addressing.normal(one) for one in (*bounce.failed, *bounce.named)}
    return raw is None or addressing.normal(sending.recipient(raw)) in named


def is_mark(arena: Arena, name: str, mark: str) -> bool:
    """Say whether a letter of ours bears this mark: whoever shows it has had the letter."""
    return hmac.compare_digest(addressing.mark(arena.secret, name).encode(), mark.encode())


def count_returned(arena: Arena, identity: str, now: datetime) -> None:
    """Count a letter that came back, or was refused, against its reader; the third is told to the moderators."""
    raw = arena_letters.find(arena, identity)
    if raw and sending.is_post(identity):
        arena.index.counters.note_odd([f"A post to the list {sending.recipient(raw)} came back."], now)
        return
    person = arena.people.find(sending.recipient(raw)) if raw else None
    if person is None:
        return
    contact = arena.people.note_returned(person, identity)
    letter = game_letter(identity)
    if letter and letter.template in ("invitation", "offer", "deputy") and arena.has_game(letter.game):
        _tell_moderator(arena, GameName(letter.game), person, contact, now, invitation=identity)
    elif contact.unreachable:
        games = {found.game for name in (*contact.returned, identity) if (found := game_letter(name))}
        for game in sorted(game for game in games if arena.has_game(game)):
            _tell_moderator(arena, GameName(game), person, contact, now)


def release_kept(arena: Arena, post: tuple[str, ...], person: Person, reader: str, now: datetime) -> None:
    """Send the letters kept for a person who could not be reached and has now written; the caller notes that."""
    if arena.people.is_gone(person):
        arena.index.outgoing.add(sending.kept_letters(arena, post, reader), now)


def _tell_moderator(
    arena: Arena, game: GameName, person: Person, contact: Contact, now: datetime, invitation: str = ""
) -> None:
    """
    Tell a game's moderator, once for these letters, unless it is the moderator who cannot be reached.

    Shape: `invitation` is the identity of the one that came back, or of the offer of a seat, where it is that of which
    they are told.
    """
    mark = hashlib.sha256(f"{person} {invitation or contact.returned}".encode()).hexdigest()[:16]
    identity = ArenaLetter(sort="unreachable", about=mark, kind=game)
    what = "an invitation" if invitation else f"{PATIENCE} letters in a row"
    arena.index.counters.note_odd([f"Mail to {contact.address}, in {game}, comes back: {what}."], now)
    try:
        table = arena.ledger(game).table
        moderator = arena.people.contact(table.charter.moderator)
    except WorldError:
        return  # a game that stands still has told its moderator so
    seat = next((seat for seat, seated in table.seats.items() if seated.person == person), None)
    offered = next((seat for seat, one in replace.offers(table).items() if one.ruling.person == person), None)
    asked = deputy_offer(table)
    is_deputys = bool(asked and asked.ruling.person == person)
    if invitation and offered is None and not is_deputys and person not in seating.absent(table):
        return  # they have found their way in, or are asked no more
    if table.charter.moderator == person or arena.shelf.exists(*arena_letters.place(identity)):
        return
    name = table.label(seat) if seat else contact.name or contact.address
    view = Unreachable(
        name=name, address=contact.address, letters=PATIENCE, seated=seat is not None, over=table.status == "over",
        invitation=bool(invitation), signing_up=table.status == "sign-up",
        offered=table.label(offered) if offered else "", deputy=is_deputys,
    )  # fmt: skip
    body = view.render(arena.words, game=game)
    kind = "offer" if offered or is_deputys else "invitation"
    kind = "offer" if offered or is_deputys else "invitation"
    title = f"an {kind} came back" if invitation else f"{name} cannot be reached"
    arena_letters.file_to_moderator(
        arena, identity, game, arena.token(table, None), moderator.address, title, body, now
    )
