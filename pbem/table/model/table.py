"""A game as it stands: the journal folded into one frozen record; knows no mail and no disk."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, Literal, Self, TypeAlias, TypeVar

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Outcome, Parsed, Person, Phase, Result, Seat
from pbem.language.phrases import Unread
from pbem.ruleset import Language, LibraryRuleset, Ruleset, Same, WordedRuleset, Words
from pbem.speech.chatter import COMMON
from pbem.table.model.charter import Charter, house
from pbem.table.model.sets import Sets

DEPUTY = Seat("~deputy")
"""What names the deputy where seats are named, and "" the moderator; no seat is called so."""
MODERATOR = Seat("~moderator")
SHORTEST_OF_A_NAME = 4
"""The fewest letters of a word in a name, of a power or the like, by which it is told."""
"""What names the moderator where "" stands for nobody."""

Status: TypeAlias = Literal["sign-up", "open", "closed", "over"]
"""closed: adjudicated, its proof under review."""


class BaseEntry(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True
):
    """What all entries of the journal share: their number in the game, and when we noted them (our clock, UTC)."""

    number: int
    noted: datetime


class Seated(msgspec.Struct, frozen=True):
    """A seat and the person behind it; `nmr` counts the phases in a row without orders."""

    seat: Seat
    name: str
    person: Person
    nmr: int = 0


class Accepted(msgspec.Struct, frozen=True):
    """Who takes the seat that a ruling offers to them, and said so in which phase, by which mail."""

    person: Person
    ruling: int
    phase: int
    message_id: str = ""


class BaseRuling(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="verb", omit_defaults=True, forbid_unknown_fields=True
):
    """
    Something that a moderator decides, and why: the base of the classes in `rulings/`, each of which is one ruling.

    Shape: its tag is the verb that a line begins with. `when` is the status of the game in which alone it can be given,
    and `not_now` what is said in any other. `is_fixed` where nothing follows the verb; `is_numbered` where it is
    printed under a number, by which it can be taken back; `is_for_good` where no undo takes it back; `makes_proof`
    where the proof changes by it; `needs_reason` where the report has to print why, and `tells_about` where who gave
    none is told what the fact is; `is_on_secrets` where the answer tells what others have ordered; `is_on_clock` where
    all are told at once; `is_fact` where the echo lists it among what holds; `is_prose` where it is the moderator's own
    words, `has_colon` where these always stand behind a colon, `is_talk` where they are said to players, which they can
    be at any time; `canonical` names the field that holds lines of the ruleset's; `is_unprinted` where no report prints
    it, nor any journal its reason, `keeps_reason` where no report prints the reason; `is_guarded` where it is done only
    in mail that somebody vouches for; `is_everyday` where chat begins with its verb too, so that it has to name a
    person, or to stand alone; `is_unseen` where it is decided without a look at what it does, so that it cannot be
    tried; `is_lasting` where it is about pages and not about
    the game: it can be given once that is over too, and no report prints it. `section`, `forms` and `says` are the
    handbook's: several forms in a row share the words behind the last one.
    """

    because: str = ""

    when: ClassVar[Status | None] = None
    not_now: ClassVar[str] = ""
    is_fixed: ClassVar[bool] = False
    is_numbered: ClassVar[bool] = True
    is_for_good: ClassVar[bool] = False
    makes_proof: ClassVar[bool] = True
    needs_reason: ClassVar[bool] = False
    is_on_secrets: ClassVar[bool] = False
    is_on_clock: ClassVar[bool] = False
    is_fact: ClassVar[bool] = False
    tells_about: ClassVar[bool] = False
    canonical: ClassVar[str] = ""
    is_prose: ClassVar[bool] = False
    is_talk: ClassVar[bool] = False
    has_colon: ClassVar[bool] = False
    is_unprinted: ClassVar[bool] = False
    keeps_reason: ClassVar[bool] = False
    is_guarded: ClassVar[bool] = False
    is_everyday: ClassVar[bool] = False
    is_unseen: ClassVar[bool] = False
    is_lasting: ClassVar[bool] = False
    section: ClassVar[str]
    forms: ClassVar[tuple[str, ...]]
    says: ClassVar[str] = ""

    @classmethod
    def verb(cls) -> str:
        """Return the words that a line with this ruling begins with."""
        return str(cls.__struct_config__.tag)

    @classmethod
    def read(cls, table: Table, rest: str, because: str) -> Self | Unread:  # noqa: ARG003  (others need them)
        """Read what a person wrote behind the verb, against the table as it stands."""
        return cls(because=because)

    def show(self) -> str:
        """Write the ruling in words, without its reason."""
        values = (getattr(self, field) for field in self.__struct_fields__ if field != "because")
        return " ".join((self.verb(), *map(str, values)))

    @classmethod
    def untimely(cls, table: Table) -> Unread | None:
        """Refuse any ruling of this kind in a game of another status."""
        return None if cls.when in (None, table.status) else Unread("illegal", cls.not_now)

    def unfit(self, table: Table) -> Unread | None:
        """Say why a timely ruling cannot be carried out, as "illegal", or cannot be at all, as "unreadable"."""
        return None

    def about(self, table: Table) -> str:
        """Say in words which fact of the proof the ruling is about, or ""."""
        return ""

    def act(self, table: Table, noted: datetime) -> Table:
        """Carry out the ruling."""
        return table

    def amended(self, ruleset: Ruleset[Any, Any], state: Any) -> Any:
        """Return a state with what the ruling changes in it at once."""
        return state

    def given(self, *, at_proof: bool) -> Given:
        """Return what the ruling gives to the adjudication; `at_proof` where it was given at the proof."""
        return Given()

    def lasts(self, table: Table) -> bool:
        """Say whether the ruling holds in the next phase too."""
        return False

    def concerns(self, seat: Seat) -> bool:
        """Say whether a seat may hear of the ruling while orders are open."""
        return self.is_on_clock

    def reported(self) -> str:
        """Write the ruling as a report prints it, in which no orders may stand."""
        return self.show()


R = TypeVar("R", bound=BaseRuling)


class Ruled(msgspec.Struct, Generic[R], frozen=True, omit_defaults=True):
    """A ruling in force: its number in the game, the phase it was given in, and whether that was at the proof."""

    number: int
    phase: int
    ruling: R
    at_proof: bool = False


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Words of a seat's to the moderator, and when we noted them.

    Shape: `lasts` where they may wait beyond their phase; `to_all` where they are press that all read; `held` where
    nobody reads them before the phase is closed, or, where they were `late` for it, before its report is out.
    """

    seat: Seat
    text: str
    noted: datetime
    lasts: bool = False
    to_all: bool = False
    held: bool = False
    late: bool = False


class Announced(msgspec.Struct, frozen=True):
    """Words of the moderator's to all, by ruling `number`, and when we noted them; `is_due` where they go at once."""

    number: int
    text: str
    noted: datetime
    is_due: bool = False


class Unreadable(msgspec.Struct, frozen=True):
    """
    What was taken once and cannot be read any more, since the rules are newer: a ruling, or a line of a seat's set.

    Shape: `what` names it without a word of a set that is secret, `mends` is what its moderator can write, or "";
    `line` and `because` are for whoever wrote it.
    """

    what: str
    mends: str
    line: str
    because: str


class Thread(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    A private thread on the forum in which a role writes and is written to.

    Shape: it is the `nth` of its role, which `person` had then; `account` is their name there, `topic` its number and
    `author` that of the account, 0 while it is not open. It `is_bound` once the code stood in it, which went to the
    person by mail; `doubts` counts how often they were told that something else stood there before.
    """

    nth: int
    person: Person
    account: str
    topic: int = 0
    author: int = 0
    is_bound: bool = False
    doubts: int = 0
    is_dead: bool = False


class EarlyClose(msgspec.Struct, frozen=True):
    """
    When a phase closes before its deadline.

    Shape: `first` is when it was to close before a ruling moved the clock, `extended` how far the deadline had been
    moved by then; a pause moves `first` too.
    """

    at: datetime
    first: datetime
    extended: timedelta


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """
    The journal folded: what stands now, and nothing that cannot be computed again.

    Shape: `rules` is the version of the rules that people know of; `base` is the table at the start of this phase and
    `log` the entries since, so that an `undo` can fold them again without the ruling that it takes back; `overdue`
    counts how often the moderator was reminded of a proof that is held. `leaks` counts, by role ("" for the moderator)
    and phase, how often a token came from a wrong address since this phase opened.
    `deputy` stands in for a moderator who plays, and `deputy_holds` says that they hold the report, as `held` says that
    the moderator does.
    `uninvited` are people whose invitation takes no seat any more, until the game begins.
    `past` are the people who had a seat before the one who has it, `accepted` who takes which from the next phase on,
    `handed` the seats that went to another person since
    this phase opened. `threads` are by role, "" for the moderator's; whoever takes over a role has not the old one's.
    `numbered` are the keys of all verdicts that a proof of this phase has shown, V1 first, so that a number means the
    same for ever.
    `unread` are rulings of this phase that were taken and cannot be read any more.
    `sealed` is the table as its phase closed, while some are asked something in the middle of it: they alone see an
    open phase then, and what they send is in its `answers`.
    `questions` counts the entries that did so, also those that an `undo` has left nothing to ask: no two are alike.
    Order-taking `ended` when the phase closed; `asked` are the seats that were shown in its middle what happened,
    whatever was undone since.
    `shown` is the last proof that there was before an `undo` folded the phase again.
    `unheard` are words to the moderator that the next letter to them has, `heard` when those of a seat last went in
    letters of their own; `unsent` wait for the seat's `send it`, since the moderator plays, in later phases too;
    `announced` are words of the moderator's that go to all in a while. `early` is when the phase closes before its
    deadline, since all have moved, and is kept while they no longer have; `thought_again` says that a player has moved
    it.
    """

    charter: Charter
    ruleset: Ruleset[Any, Any]
    dice: Dice
    status: Status = "sign-up"
    number: int = 0
    rules: int = 0
    phase: Phase | None = None
    state: Any = None
    seats: Mapping[Seat, Seated] = {}
    past: Mapping[Seat, tuple[Person, ...]] = {}
    accepted: Mapping[Seat, Accepted] = {}
    threads: Mapping[str, Thread] = {}
    handed: tuple[Seat, ...] = ()
    deputy: Person | None = None
    invited: tuple[Person, ...] = ()
    uninvited: tuple[Person, ...] = ()
    sets: Sets = Sets()
    waits: frozenset[Seat] = frozenset()
    ready: frozenset[Seat] = frozenset()
    excused: frozenset[Seat] = frozenset()
    leaks: Mapping[tuple[str, int], int] = {}
    nmr: tuple[Seat, ...] = ()
    standing: tuple[Ruled[Any], ...] = ()
    rulings: tuple[Ruled[Any], ...] = ()
    unread: tuple[Unreadable, ...] = ()
    ruled: int = 0
    undone: frozenset[int] = frozenset()
    opened: datetime | None = None
    deadline: datetime | None = None
    extended: timedelta = timedelta(0)
    paused: datetime | None = None
    reminded: tuple[str, ...] = ()
    close_now: bool = False
    early: EarlyClose | None = None
    thought_again: bool = False
    begin_now: bool = False
    outcome: Outcome[Any] | None = None
    closed: datetime | None = None
    ended: datetime | None = None
    asked: frozenset[Seat] = frozenset()
    proof: int = 0
    numbered: tuple[str, ...] = ()
    approved: int = 0
    held: bool = False
    deputy_holds: bool = False
    overdue: int = 0
    sealed: Table | None = None
    questions: int = 0
    shown: int = 0
    unheard: tuple[Said, ...] = ()
    heard: Mapping[Seat, tuple[datetime, ...]] = {}
    unsent: Mapping[Seat, tuple[Said, ...]] = {}
    announced: tuple[Announced, ...] = ()
    result: Result | None = None
    keys: frozenset[str] = frozenset()
    head: int = 0
    base: Table | None = None
    log: tuple[BaseEntry, ...] = ()

    @property
    def title(self) -> str:
        """The phase's title for people."""
        if self.status == "over":
            return "Final report"
        phase = self.sealed.phase if self.sealed else self.phase
        return phase.title if phase else "Sign-up"

    def with_sets(self, seat: Seat, **sets: Any) -> Self:
        """Return the table with sets of a seat in place of its own, each under its name in `sets`; None for none."""
        return msgspec.structs.replace(self, sets=self.sets.of(seat, **sets))

    @property
    def owing(self) -> tuple[Seat, ...]:
        """The seats that owe orders now."""
        return self.phase.owing if self.phase and self.status == "open" else ()

    @property
    def sending(self) -> tuple[Seat, ...]:
        """The seats from whom orders are taken now."""
        return (*self.owing, *self.phase.may) if self.phase and self.status == "open" else ()

    @cached_property
    def words(self) -> Words | None:
        """What this game calls things, where its ruleset leaves that to the house."""
        ruleset = self.ruleset
        return ruleset.words(self.house) if isinstance(ruleset, WordedRuleset) else None

    def worded(self, text: str, names: Collection[str] = ()) -> str:
        """Put a sentence or a canonical line of the ruleset's into this game's words, but for people's names."""
        return self.words.say(text, names) if self.words else text

    def own_title(self, title: str) -> str:
        """Put a phase's title, as letters or a person have it, into the ruleset's own words, in small letters."""
        return (self.words.hear(title) if self.words else title).casefold()

    @cached_property
    def house(self) -> dict[str, str]:
        """Every house rule with its value."""
        return house(self.charter, self.ruleset.options)

    @property
    def manual(self) -> str:
        """The word which, behind help, asks for a manual that the ruleset has; "" where it has none."""
        return self.ruleset.pieces[1] if isinstance(self.ruleset, LibraryRuleset) else ""

    def phase_dice(self) -> Dice:
        """The dice of this phase alone."""
        return self.dice.at(f"{self.charter.game}/{self.number}")

    def label(self, seat: Seat) -> str:
        """Return the name that letters show for a seat now."""
        if self.state is None:
            return self.seats[seat].name if seat in self.seats else seat  # it was taken away before the start
        return self.ruleset.label(self.state, seat)

    def labels(self) -> dict[Seat, str]:
        """Return the names of all seats, in seat order."""
        return {seat: self.label(seat) for seat in self.seats}

    def lacks(self, seat: Seat) -> str:
        """Return what a seat still owes in this phase, or "" where its set is complete."""
        held = self.sets.hand.get(seat)
        if held is None:
            return "orders"
        rest = self.ruleset.lacks(self.state, seat, self.orders(seat))
        if rest and seat in self.ready and self.ruleset.may_be_short(self.state, seat, self.orders(seat)):
            rest = ""
        if held.doubtful:
            return f"your yes{', and ' * bool(rest)}{rest}"
        if held.incomplete and rest:
            return f"{rest}, in a set whose lines can all be read"
        return "a set whose lines can all be read (to leave the others out is enough)" if held.incomplete else rest

    def parsed(self, seat: Seat, lines: tuple[str, ...]) -> Parsed[Any]:
        """Read a set from lines of one order each, such as canonical ones, as the state stands."""
        return _parsed(Same(self.ruleset), Same(self.state), seat, lines)

    @property
    def verbs(self) -> frozenset[str]:
        """The words with which orders begin now; none where that may be any, and before the game."""
        return self._language.telling if self._language else frozenset()

    def begins_order(self, word: str) -> bool:
        """Say whether orders can begin with a word now, as far as we write it so ourselves or talk has it not."""
        return self._language is not None and word in self._language.begins

    @property
    def own_words(self) -> frozenset[str]:
        """The words that orders have and talk has not, within them too, and those of the names of their things."""
        language = self._language
        if language is None:
            return frozenset()
        named = {word for word in language.name_words if len(word) >= SHORTEST_OF_A_NAME}
        said = language.own_words - (language.verbs - language.telling)
        return (said - COMMON) | (said & language.plain) | named

    @property
    def _language(self) -> Language | None:
        return None if self.state is None else self.ruleset.reader(self.state).tables(self.state)

    def orders(self, seat: Seat) -> tuple[Any, ...]:
        """Return the orders on hand of a seat, read again from their canonical lines, as far as they can be."""
        return self.parsed(seat, self.sets.hand[seat].orders).orders if seat in self.sets.hand else ()

    def unreadable(self, seat: Seat) -> tuple[Unreadable, ...]:
        """Return the lines on hand of a seat that were taken and cannot be read any more."""
        if seat not in self.sets.hand:
            return ()
        return tuple(
            Unreadable(
                f"line {wrong.line} of {self.label(seat)}'s orders",
                f"strike {self.label(seat)} {wrong.line} because REASON",
                wrong.text,
                wrong.because,
            )
            for wrong in self.parsed(seat, self.sets.hand[seat].orders).complaints
        )

    def moved(self, seat: Seat) -> bool:
        """Say whether nothing more is awaited of a seat: complete, sent for this phase, and no `wait`."""
        if seat in self.excused:
            return True
        held = self.sets.hand.get(seat)
        if held is None or seat in self.waits or not (held.fresh or seat in self.ready):
            return False
        return not self.lacks(seat)

    def question_to(self, seat: Seat | None) -> int:
        """Return which question of its phase a seat is asked now, or 0."""
        return self.questions if self.sealed and seat in self.sending else 0

    def known_to(self, seat: Seat) -> Table:
        """Return the table as a seat may know it: a phase that stops to ask others is closed, and no more than that."""
        return self if seat in self.sending else self.known_to_all()

    def known_to_all(self) -> Table:
        """Return the table as everybody may know it: nobody hears that somebody is asked in the middle of a phase."""
        if self.sealed is None:
            return self
        kept = ("head", "keys", "base", "log", "heard", "unsent", "threads")
        sets = msgspec.structs.replace(self.sealed.sets, later=self.sets.later, late=self.sets.late)
        return msgspec.structs.replace(self.sealed, sets=sets, **{name: getattr(self, name) for name in kept})

    def known_to_moderator(self) -> Table:
        """Return the table as the moderator may know it: one who plays knows no more than their seat."""
        mine = self.moderators_seat()
        return self.known_to(mine) if mine else self

    def seen_by(self, seat: Seat) -> Any:
        """Return the state as a seat may know it."""
        return self.ruleset.view(self.state, seat)

    def moderators_seat(self) -> Seat | None:
        """Return the seat that the moderator holds, or None."""
        return next((seat for seat, one in self.seats.items() if one.person == self.charter.moderator), None)

    def moderator_plays(self) -> bool:
        """Say whether the moderator holds a seat, and so may not see orders while they are open."""
        return self.moderators_seat() is not None

    def acting_deputy(self) -> Person | None:
        """Return the deputy, where the moderator plays."""
        return self.deputy if self.moderator_plays() else None

    def listener(self) -> Person | None:
        """Return who hears what players say to the moderator: a moderator who plays leaves it to the deputy, if any."""
        return self.acting_deputy() if self.moderator_plays() else self.charter.moderator

    def is_held(self) -> bool:
        """Say whether somebody holds the report of a closed phase."""
        return self.held or self.deputy_holds

    def waiting_for(self) -> tuple[Seat, ...]:
        """Return the seats that still hold up an early close."""
        return tuple(seat for seat in self.owing if not self.moved(seat))


@lru_cache(maxsize=1024)  # each letter of a phase asks who has moved, and so for every set on hand
def _parsed(ruleset: Same, state: Same, seat: Seat, lines: tuple[str, ...]) -> Parsed[Any]:
    said = [OrderLine(number, text) for number, text in enumerate(lines, 1)]
    found: Parsed[Any] = ruleset.one.parse(state.one, seat, said)
    return found
