"""A mail that came to a game, with everything that its checks need; each is worked out when it is first needed."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

import msgspec

from pbem.ground.terms import OrderLine, Person
from pbem.hall.mail.incoming.arrival import authority, buttons, naming, public_names, redacting
from pbem.hall.mail.incoming.arrival.authority import Role, Stolen
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.mail.incoming.unpack import thread_mail, unpacking
from pbem.hall.mail.outgoing import bouncing, quotable
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger
from pbem.letters import reading
from pbem.letters.heads import Us
from pbem.letters.new_text import Written
from pbem.letters.reading import Known
from pbem.table.fold.journal import Entry, NotRead, OrdersReceived, RulingGiven
from pbem.table.incoming import moderator_lines, moderator_mail, not_read, player_mail, press
from pbem.table.incoming.received import Received
from pbem.table.model.table import Table
from pbem.table.outgoing.letter import reader_of

RULING_CHANGED = (
    "You changed a post in this thread. A post that was changed rules nothing, since I may have done already what it "
    "said: write what you want in a new one."
)
KEPT_BACK = (
    "Your mail reached our mail server on {:%d %b at %H:%M} UTC, which could not hand it out until now. That is our "
    "fault, not yours."
)
OLD_CHANGED = "You changed a post of an earlier phase in this thread. Nothing new is read of it: write a new one."


class Arrival(msgspec.Struct, frozen=True, dict=True):
    """
    A mail that came to a game.

    Shape: `table` is the ledger's, with the mails of this batch that came before folded in; `given` is its role where
    something other than its token says so, `ours` are the letters of the desk that it may quote besides its game's.
    """

    arena: Arena
    ledger: Ledger
    table: Table
    parcel: unpacking.Parcel
    now: datetime
    given: Role | None = None
    ours: tuple[str, ...] = ()

    def in_role(self, role: Role, ours: tuple[str, ...] = ()) -> Arrival:
        """Return this mail with a role that is given."""
        return msgspec.structs.replace(self, given=role, ours=ours)

    @cached_property
    def _role_found(self) -> Role | Stolen | None:
        return self._role_now()

    def is_as_found(self) -> bool:
        """Say whether its token still gives the role that was found, if one was looked for: people may have moved."""
        known = self.__dict__.get("_role_found", self)
        return known is self or known == self._role_now()

    def anew(self) -> Arrival:
        """Return this mail as if nothing had been found out about it."""
        return msgspec.structs.replace(self)

    def _role_now(self) -> Role | Stolen | None:
        return self.given or authority.role_of_token(self.arena, self.table, self.parcel)

    @property
    def role(self) -> Role | None:
        """The role in which it acts, if it has one."""
        return self._role_found if isinstance(self._role_found, Role) else None

    @property
    def stolen(self) -> Stolen | None:
        """Whose token it holds, if that is not its sender's."""
        return self._role_found if isinstance(self._role_found, Stolen) else None

    @cached_property
    def person(self) -> Person | None:
        """Whose address it comes from."""
        return self.arena.people.find(self.parcel.sender)

    @cached_property
    def waiting(self) -> pending.Pending | None:
        """What waits for an answer with its token; not in the name of a seat that was taken away."""
        found = pending.find(self.arena, self.parcel.game, self.parcel.token, self.parcel.sender)
        return found if found is None or authority.is_there(self.table, found.seat) else None

    @cached_property
    def new_lines(self) -> tuple[OrderLine, ...]:
        """What a person newly wrote, if we do not know their role."""
        return reading.newly(self.parcel.letter, ())

    @property
    def writer(self) -> str:
        """The name with which its writer may sign: that of the From, or else what stands before the @ there."""
        return self.parcel.letter.name or self.parcel.sender.partition("@")[0]

    @cached_property
    def known(self) -> Known:
        """What tells what a person newly wrote in their role."""
        assert self.role
        letter, seat = self.parcel.letter, self.role.seat
        sent = quotable.words_sent(self.arena, self.ledger, seat, self.role.person, letter.references)
        sent += quotable.posts_sent(self.arena, self.ledger, letter.references)
        if self.parcel.thread:
            sent.append(thread_mail.opening(self.arena, self.parcel.game))
        address = self.parcel.sender.partition("@")[0]  # as who moderates may sign, without a name in the From
        names = {letter.name, self.ledger.table.seats[seat].name if seat else address}
        in_block = press.in_block if seat else moderator_lines.in_block
        here = self.arena.settings.arena
        return Known([*sent, *self.ours], in_block, names, Us(here.address, here.name), self._is_said)

    @cached_property
    def written(self) -> Written:
        """What a person newly wrote in their role; their own name and courtesies are blank, except in a block."""
        return reading.written(self.parcel.letter, self.known)

    def _is_said(self, text: str) -> bool:
        """Say whether a line may be an order, or what else its writer can say in their role; our subject is none."""
        subject = self.parcel.letter.subject
        if "[" in subject and subject[subject.index("[") :] in text:
            return False
        seat = self.role.seat if self.role else None
        return not_read.may_be_said(self.table, seat, text) if seat else moderator_lines.is_said(self.table, text)

    @cached_property
    def key(self) -> str:
        """The key that is the same when the same mail comes again."""
        return unpacking.key(self.parcel, self.written.lines if self.role else self.new_lines)

    def is_known(self, key: str) -> bool:
        """Say whether a mail of this key has been taken."""
        return key in self.table.keys or self.arena.index.games.has_taken(key)

    @cached_property
    def named(self) -> naming.Named:
        """What a moderator newly wrote, with people in place of the addresses in their rulings."""
        return naming.named(self.arena, self.table, self.written.lines)

    @cached_property
    def received(self) -> Received:
        """The mail as the table takes it."""
        assert self.role
        letter, new = self.parcel.letter, self.written.lines if self.role.seat else self.named.lines
        answers = quotable.answered(self.arena, self.ledger, self.role.seat, self.role.person, letter.references)
        too_much = reading.too_much(new) or self._unread_edit
        thread = self.parcel.thread
        return Received(
            phase=self.role.phase,
            question=self.role.question,
            arrived=self.parcel.mail.arrived,
            noted=self.now,
            mail=self.parcel.mail.name,
            cause=self.parcel.mail.digest,
            key=self.key,
            answers=answers,
            before=quotable.entries_since(self.arena, self.ledger, answers),
            message_id=letter.message_id,
            said=() if too_much else new,
            polite=() if too_much else self.written.polite,
            passed=() if too_much else tuple(NotRead(one.text, one.taken) for one in self.written.passed),
            version_of=thread_mail.version_of(thread.post) if thread else "",
            kept_back=self._is_kept_back,
            names=authority.insiders_names(self.arena, self.table, self.role.person),
            note=too_much
            or " ".join(filter(None, (self.parcel.note, self._kept_back, letter.note, _below(self.written.below)))),
        )

    @property
    def _is_kept_back(self) -> bool:
        """Whether it is a player's, and lay in our mailbox for a while and could not be had."""
        is_players = self.role is not None and self.role.seat is not None
        return is_players and self.parcel.mail.name in self.arena.kept_back

    @property
    def _kept_back(self) -> str:
        """What a player is told whose mail was kept back, or ""."""
        return KEPT_BACK.format(self.parcel.mail.arrived) if self._is_kept_back else ""

    @property
    def _unread_edit(self) -> str:
        """Why nothing is read of a post that was changed, or "": what may have been done or said already."""
        thread, role = self.parcel.thread, self.role
        if not thread or not role:
            return ""
        version = thread_mail.version_of(thread.post)
        was_had = any(getattr(one, "version_of", "") == version for one in self.table.log)
        if not (thread.is_edit or was_had or self.arena.index.games.has_taken(version)):
            return ""
        if role.seat is None:
            return RULING_CHANGED
        return OLD_CHANGED if role.phase < self.table.number else ""

    @cached_property
    def is_by_button(self) -> bool:
        """Whether it came by a button in a letter, which takes orders and words to the moderator alone."""
        return self.role is not None and authority.is_button(self.arena, self.table, self.parcel, self.role)

    @cached_property
    def entry(self) -> OrdersReceived | RulingGiven:
        """The entry that it becomes in its role."""
        return self.entry_of(self.received)

    def entry_of(self, received: Received) -> OrdersReceived | RulingGiven:
        """Return the entry that a received mail becomes in this role."""
        assert self.role
        seat = self.role.seat
        if seat:
            taken = player_mail.take(self.table, seat, received)
            taken = public_names.checked(self.arena, self.table, self.role.person, taken)
            return buttons.restricted(self.table, taken) if self.is_by_button else taken
        ruled = moderator_mail.rule(self.table, received, by_deputy=self.role.is_deputys)
        return redacting.named(self.ledger, ruled)

    def note_writer(self) -> None:
        """Record what the mail shows of its writer: that they can be reached, their name and their time zone."""
        assert self.role
        if self.parcel.thread:
            return
        person, letter = self.role.person, self.parcel.letter
        post = ("games", self.table.charter.game, "post")
        bouncing.release_kept(self.arena, post, person, reader_of(self.table, self.role.seat, person), self.now)
        self.arena.people.amend(person, guessed=self.offset, name=letter.name)

    def note_named(self, entry: Entry) -> None:
        """Store the addresses of people whom an entry asks for something; it is about to be journaled."""
        if self.role and self.role.seat is None:
            naming.admit(self.arena, entry, self.named.addresses)

    @property
    def offset(self) -> str:
        """The time zone of its Date header, "" where that says none."""
        return _offset(self.parcel.letter.offset)


def _below(count: int) -> str:
    lines = f"{count} lines" if count > 1 else "1 line"
    return f"Below your end stood {lines}, not read." if count else ""


def _offset(minutes: int | None) -> str:
    if not minutes:
        return ""
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes >= 0 else "-"
    return f"UTC{sign}{hours}:{rest:02d}" if rest else f"UTC{sign}{hours}"
