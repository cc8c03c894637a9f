"""
A person moves to another address: they ask at the old one, and confirm at the new one, then at the old.

For somebody whose old mailbox is dead the moderator asks; then the new address confirms alone, and the old one is told.
"""

import re
from collections.abc import Sequence
from typing import Literal

from pbem import phrases
from pbem.hall.mail.incoming import authority, desk, mailing_lists, pending
from pbem.hall.mail.incoming.arrival import Arrival
from pbem.hall.mail.incoming.authority import Role
from pbem.hall.mail.incoming.desk import Case, Why, case
from pbem.hall.mail.incoming.pending import Pending, Wish
from pbem.hall.mail.outgoing import arena_letters
from pbem.hall.mail.views import Moving
from pbem.hall.store.arena import Arena
from pbem.identity import ArenaLetter
from pbem.letters import addressing
from pbem.phrases import Unread
from pbem.table.rulings import naming
from pbem.terms import CharterError, GameName, OrderLine, Person, WorldError
from pbem.world.index.counters import Counted, What

STEPS = ("move to", "move from", "move by")
"""What waits: first for a word from the new address, then for one from the old; where the moderator asked, no more."""

_ADDRESS = r"<?([^\s@<>,;\"]+@[^\s@<>,;\"]+?)>?\.?"
_WISH = re.compile(rf"(?:my\s+)?address\b\s*:?\s*(?:is\s+)?{_ADDRESS}", re.IGNORECASE)
_FOR_PLAYER = re.compile(rf"address\s+(?:of\s+)?([^@]+?)\s+(?:is|to)(?:\s+now)?\s+{_ADDRESS}", re.IGNORECASE)


def wish(lines: Sequence[OrderLine]) -> str:
    """Return the address that a mail asks to move to, if it holds nothing else."""
    texts = [text for line in lines if (text := phrases.clean(line.text))]
    found = _WISH.fullmatch(texts[0]) if len(texts) == 1 else None
    return found[1] if found else ""


def ask_for_player(mail: Arrival, role: Role) -> Case | None:
    """Ask at the address that the moderator says is a player's; None where they say nothing like it."""
    texts = [text for line in mail.written.lines if (text := phrases.clean(line.text))]
    found = _FOR_PLAYER.fullmatch(texts[0]) if len(texts) == 1 and role.key is None else None
    if found is None:
        return None
    seat, wanted = naming.find_seat(mail.table, found[1]), found[2]
    here, token = mail.arena.people.contact(role.person).address, mail.arena.token(mail.table, None)
    if isinstance(seat, Unread):
        return _letter(mail, role, "refused for", here, token=token, because=seat.because)
    theirs = Role(mail.table.seats[seat].person, role.phase, seat)
    because = _refusal(mail.arena, theirs, wanted, is_own=False)
    if not because and _may_not_move(mail, theirs):
        because = f"{_may_not_move(mail, theirs)} Whoever runs this arena can do it with: pbem address OLD {wanted}"
    if not authority.vouched(mail.arena, mail.parcel, role):
        because = (
            f"No mail server vouches for your mail. Whoever runs this arena can do it with: pbem address OLD {wanted}"
        )
    if because:
        return _letter(mail, role, "refused for", here, token=token, name=mail.table.label(seat), because=because)
    old = mail.arena.people.contact(theirs.person).address
    _tell(mail, theirs, "move told", old, wanted)
    _tell(mail, role, "move asked", here, wanted, name=mail.table.label(seat))
    return _question(mail, theirs, "move by", wanted, wanted)


def _may_not_move(mail: Arrival, theirs: Role) -> str:
    """
    Say why a moderator cannot let a player's letters go elsewhere, or "".

    With them go that player's secret orders, of all games here: to nobody who plays against that player, and not at the
    word of one moderator where another's game is concerned.
    """
    if mail.table.moderator_plays():
        return "You play in this game yourself, so you move no other player's letters."
    here, moderator = mail.table.charter.game, mail.table.charter.moderator
    others = (GameName(row.name) for row in mail.arena.index.games.rows() if row.status != "over" and row.name != here)
    if any(_has_part(mail.arena, game, theirs.person, moderator) for game in others):
        return "That player has a part in a game of another moderator's, whose letters would go there too."
    return ""


def _has_part(arena: Arena, game: GameName, person: Person, moderator: Person) -> bool:
    """Say whether a person has a part in a game that another one moderates; where it cannot be read, it may be so."""
    try:
        table = arena.ledger(game).table
    except WorldError:
        return True
    return table.charter.moderator != moderator and any(one == person for _, one in authority.roles(table))


def _tell(mail: Arrival, role: Role, stage: str, to: str, wanted: str, **more: str) -> None:
    """Put a letter besides the one that asks on file, once for a mail."""
    game, kind = mail.table.charter.game, stage.replace(" ", "-")
    identity = ArenaLetter(sort="desk", about=desk.mark_of(mail.parcel.mail.digest), kind=kind)
    body = _view(mail, role, stage, wanted, **more).render(mail.arena.words, game=game)
    token = mail.arena.token(mail.table, role.key)
    arena_letters.file_to_moderator(mail.arena, identity, game, token, to, mail.table.title, body, mail.now)


def ask(mail: Arrival, role: Role, wanted: str) -> Case:
    """Ask at the new address first: a typing mistake must not send anybody's letters to a stranger."""
    because = _refusal(mail.arena, role, wanted)
    if because:
        return _letter(mail, role, "refused", mail.arena.people.contact(role.person).address, because=because)
    return _question(mail, role, "move to", wanted, wanted)


def _refusal(arena: Arena, role: Role, wanted: str, *, is_own: bool = True) -> str:
    if addressing.is_ours(wanted, arena.settings.arena.address):
        return "That is my own address."
    if mailing_lists.is_lists_own(arena, wanted):
        return "That is a mailing list, where all would read those letters."
    if wanted.lower() == arena.people.contact(role.person).address.lower():
        return f"That is where {'your' if is_own else 'their'} letters go already."
    if phrases.unseen(wanted) or not wanted.isascii() or arena.people.find(wanted):
        if not is_own:
            return f"I cannot send their letters to {wanted}: it is somebody else's here, or none that I can write to."
        return f"I cannot send your letters to {wanted}. Ask your moderator, if it is yours."
    return ""


def step(mail: Arrival, waiting: Pending) -> Case:
    """
    Go on with a move that one address has confirmed; both are asked, so that nobody's seat is stolen.

    Whatever stops us behind the move itself, the mail comes again, finds it made, and tells of it. Any other mail that
    confirms it once more is answered by nothing.
    """
    role = authority.role_of_waiting(mail.table, waiting)
    old = mail.arena.people.contact(role.person).address
    this = Counted(what=What.MOVES, about=mail.parcel.mail.digest)
    is_begun = mail.arena.index.counters.value(this) > 0
    is_stale = waiting.why == "move from" and old.lower() != waiting.to.lower() and not is_begun
    is_stale = is_stale or waiting.person not in ("", role.person)  # the seat has gone to another person since
    if is_stale or not pending.is_confirmed(mail.new_lines):
        return case(mail.parcel, "moving")
    if waiting.why == "move by":
        # it is somebody's by now, or was confirmed before
        if mail.arena.people.find(waiting.wanted) not in ((None, role.person) if is_begun else (None,)):
            return case(mail.parcel, "moving")
        moderator = Role(mail.table.charter.moderator, role.phase, None)
        to, name = mail.arena.people.contact(moderator.person).address, authority.holder(mail.table, role.key)
        _tell(mail, moderator, "moved for", to, waiting.wanted, name=name)
    if waiting.why == "move to":
        return _question(mail, role, "move from", old, waiting.wanted)
    mail.arena.index.counters.increment(this)
    mail.arena.people.move(role.person, waiting.wanted)
    return _letter(mail, role, "moved", waiting.wanted, wanted=waiting.wanted)


def _question(mail: Arrival, role: Role, why: Literal["move to", "move from", "move by"], to: str, wanted: str) -> Case:
    wish = Wish(seat=role.key or "", phase=role.phase, wanted=wanted, person=role.person)
    return _letter(mail, role, why, to, why=why, wish=wish, wanted=wanted)


def _letter(
    mail: Arrival,
    role: Role,
    stage: str,
    to: str,
    *,
    why: Why = "moving",
    wish: Wish | None = None,
    token: str = "",
    **more: str,
) -> Case:
    view = _view(mail, role, stage, **more)
    return case(mail.parcel, why, view=view, to=to, table=mail.table, wish=wish, token=token)


def _view(mail: Arrival, role: Role, stage: str, wanted: str = "", *, name: str = "", because: str = "") -> Moving:
    name = name or authority.holder(mail.table, role.key)
    return Moving(name=name, stage=stage, wanted=wanted, because=because)


def by_hand(arena: Arena, old: str, new: str) -> None:
    """
    Move a person whose old address is lost, as the operator of the arena says.

    Errors: CharterError where nobody is known at the old address, or somebody is at the new one.
    """
    if addressing.is_ours(new, arena.settings.arena.address):
        raise CharterError(f"{new} is the arena's own address. Name a person's.")
    person = arena.people.find(old)
    if person is None:
        raise CharterError(f"Nobody here has the address {old}.")
    if arena.people.find(new) not in (None, person):
        raise CharterError(f"Somebody else here has the address {new} already.")
    arena.people.move(person, new)
    # A daemon that runs sees that the index has changed, and looks at the people again.
    arena.index.counters.increment(Counted(what=What.MOVED))
