"""The glossary as frozen types, with the tree of errors; imports nothing of ours and knows no game."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, Literal, NewType, Self, TypeAlias, TypeVar

import msgspec

GameName = NewType("GameName", str)
Seat = NewType("Seat", str)
RuleNumber = NewType("RuleNumber", str)
Person = NewType("Person", str)

Fact: TypeAlias = int | bool | str
"""What a ruling can pin or set: a number, a yes-or-no, or a word of the ruleset's, such as a place or a direction."""

Facts: TypeAlias = dict[str, Any]
"""Plain values for templates and TOML: strings, whole numbers, yes-or-no, lists and dictionaries of them."""

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  an Order, whatever the ruleset's type of it is


class OrderLine(msgspec.Struct, frozen=True, array_like=True):
    """One line that a person newly wrote; `number` counts from 1 in what they wrote, blank lines included."""

    number: int
    text: str


Fault: TypeAlias = Literal["unreadable", "ambiguous", "illegal", "late", "stranger"]


class Complaint(msgspec.Struct, frozen=True, array_like=True):
    """
    An order line that we could not take, returned to its sender.

    Shape: `line` 0 means the set as a whole; `because` says what we saw, then the words that would have worked.
    """

    line: int
    text: str
    fault: Fault
    because: str
    rule: str = ""


class Refused(msgspec.Struct, frozen=True):
    """Why a line was not taken, before it is known which line it was."""

    fault: Literal["unreadable", "ambiguous", "illegal"]
    because: str
    rule: str = ""


class Placed(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """
    An order with the line it stood on; two orders are equal when they mean the same, wherever they stood.

    Shape: it `depends` where what it comes to hangs on all else of its set, as the rest does.
    """

    line: int = 0

    depends: ClassVar[bool] = False

    def at(self, line: int) -> Self:
        """Return the same order with the line it stood on."""
        return msgspec.structs.replace(self, line=line)

    def _meant(self) -> tuple[object, ...]:
        return tuple(getattr(self, field) for field in self.__struct_fields__ if field != "line")

    def __eq__(self, other: object) -> bool:
        """Compare what is meant, not where it stood."""
        return type(self) is type(other) and isinstance(other, Placed) and self._meant() == other._meant()

    def __hash__(self) -> int:
        """Hash what is meant."""
        return hash((type(self), self._meant()))


class Everyone(msgspec.Struct, frozen=True, tag="everyone"):
    """Audience: the public report, so every seat and every observer."""


class Only(msgspec.Struct, frozen=True, tag="only"):
    """Audience: these seats and the moderator; no seats means the moderator alone."""

    seats: tuple[Seat, ...]


Audience: TypeAlias = Everyone | Only
EVERYONE = Everyone()
MODERATOR_ALONE = Only(())


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that happened, with its audience; there is no default audience, so nothing is told by oversight."""

    kind: str
    to: Audience
    facts: Facts
    rule: str = ""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """
    One derived fact of an adjudication, numbered (V1) by the first proof of its phase that shows it.

    Shape: `key` is what a ruling pins and never changes between proofs ("damage of cy on ada");
    `text` is the same for people; `how` is the arithmetic that led to `value`.
    """

    key: str
    text: str
    value: Fact
    how: str = ""
    rule: str = ""
    pinned: bool = False


class Result(msgspec.Struct, frozen=True):
    """How a game ended; no winners means that nobody won."""

    winners: tuple[Seat, ...]
    how: str


class Given(msgspec.Struct, frozen=True):
    """
    What people have decided, as an input of adjudication.

    Shape: `pinned` maps a verdict's key to the value a ruling gave it; `effects` are the canonical texts
    of `do` lines that hold in this phase, in the order in which they were given, the last `at_proof` of them by
    somebody who has seen the orders; `answers` are what those wrote who were asked something in the middle of the
    phase, orders by seat, once for each time that it stopped to ask.
    """

    pinned: Mapping[str, Fact] = {}
    effects: tuple[str, ...] = ()
    answers: tuple[Mapping[Seat, Sequence[Any]], ...] = ()
    at_proof: int = 0


class Outcome(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """
    What an adjudication gives: the next state, the numbered verdicts, the events, and the end if it is one.

    Shape: where it `asks`, the phase stops in its middle. Of the outcome only `state` counts then, which no journal
    keeps: the seats that owe in it are asked, each sees it by `view`, and it reads what they answer. With their
    answers among what is `Given` the phase is adjudicated again, from its beginning.
    """

    state: S
    verdicts: tuple[Verdict, ...]
    events: tuple[Event, ...]
    result: Result | None = None
    asks: bool = False


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """
    A drawing that anybody may see: SVG, under a file's name without its ending; `says` is all that it shows.

    Shape: `rows` are the same as text for the report, at most 56 columns each.
    """

    name: str
    svg: str
    says: str
    rows: tuple[str, ...] = ()


class Exhibit(msgspec.Struct, frozen=True, kw_only=True):
    """
    Something with a text that a game had, for pages: such as a power.

    Shape: `worth` is what it fetched, "" for nothing or where that was not told; `owner` has it, or had it last;
    `author` wrote it, where that was told; `lines` is how it reads formally, "" where it does not, and `reading` the
    same in words, by what each says; `note` says more.
    """

    number: str
    name: str
    text: str
    tag: str = ""
    worth: str = ""
    owner: str = ""
    author: str = ""
    lines: str = ""
    reading: tuple[tuple[str, str], ...] = ()
    note: str = ""


class Curve(msgspec.Struct, frozen=True):
    """How a number of somebody's went: one for each head, None where there is none."""

    name: str
    amounts: tuple[int | None, ...]


class Curves(msgspec.Struct, frozen=True, kw_only=True):
    """
    How a number of everybody's went, for pages: what it is called, and round by round; head 0 is the beginning.

    Shape: `ends` where who has nothing left is out.
    """

    title: str
    heads: tuple[int, ...]
    curves: tuple[Curve, ...]
    ends: bool = True


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a ruleset says of the phase that a state is in.

    Shape: `kind` picks the calendar and the review ("round"); `title` is for people ("Round 3");
    `owing` are the seats that owe orders; `may` are others from whom some are taken, and who are not waited for.
    `names_absent` is False where silence is an answer, and to name who sent nothing would tell who sent the rest.
    """

    kind: str
    title: str
    owing: tuple[Seat, ...]
    may: tuple[Seat, ...] = ()
    names_absent: bool = True


class Slip(msgspec.Struct, frozen=True):
    """A word with a slip of the fingers, as it was typed, and the word that it was read as."""

    typed: str
    meant: str


class Parsed(msgspec.Struct, Generic[O], frozen=True):
    """
    What a ruleset understood of a set: the orders it could read, and a complaint for each line it could not.

    Shape: `slips` are those that were mended in the lines of `orders`. Where the ruleset tells talk from orders by
    itself, `passed` is talk that changes nothing, and `doubts` is talk that may change an order or be one. `offered` is
    the whole set that was meant, if each line that is asked about means the one thing that it can; () where one cannot.
    """

    orders: tuple[O, ...]
    complaints: tuple[Complaint, ...]
    slips: tuple[Slip, ...] = ()
    passed: tuple[Complaint, ...] = ()
    doubts: tuple[Complaint, ...] = ()
    offered: tuple[O, ...] = ()


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """
    A house rule: a named choice that the charter fixes and the first letter prints.

    Shape: `choices` empty means any whole number; `says` maps each choice to the sentence that letters print
    (for a number, the key "" with one {} in it, and perhaps others for single numbers; where it is "" nothing is
    printed); `rule` is the ruling it stands for; `missing_in` are the kinds
    of phase in which it says what becomes of who sends nothing, and reminders quote it; `also` maps other spellings of
    a choice to it; `formerly` maps the version of the rules that changed the default to what it was before;
    `expects` says what a number should be, where anything else was written.
    """

    name: str
    default: str
    choices: tuple[str, ...]
    says: Mapping[str, str]
    rule: str
    missing_in: tuple[str, ...] = ()
    also: Mapping[str, str] = {}
    formerly: Mapping[int, str] = {}
    expects: str = "a whole number"


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """
    What becomes of an effect that holds each round, since what it is said for has changed, and `because` of what.

    Shape: it `ends`, or else it goes on with that. In words that can stand behind `do`: `plain` is what it came to
    before, said for nothing but that, and `instead` what keeps the change from happening; `whose` is the name of
    whoever it would stay with then; each is "" where there is no such thing.
    """

    ends: bool
    because: str
    plain: str = ""
    instead: str = ""
    whose: str = ""


class Change(msgspec.Struct, frozen=True):
    """A change of the rules, as the players of a game that is going on are told of it, and the rule that says it."""

    says: str
    rule: str


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """
    A named set of house rules and of other terms of a game, each of which the founder can still change.

    Shape: `says` goes on after "NAME: " in letters and ends without a full stop; `house` maps options to values,
    `terms` fields of the charter, `rules` kinds of phase to the calendar's rules.
    """

    name: str
    says: str
    house: Mapping[str, str] = {}
    terms: Mapping[str, Any] = {}
    rules: Mapping[str, str] = {}


class Mail(msgspec.Struct, frozen=True):
    """
    A mail as the mailbox handed it over, before a byte of it is interpreted.

    Shape: `name` is the mailbox's own name for it (a UID or a file name), `digest` its SHA-256 in hex; `door` is by
    which door it came, where that was none for mail.
    Units: `arrived` is the mail server's stamp in UTC, never the Date header.
    """

    name: str
    arrived: datetime
    digest: str
    raw: bytes
    door: str = ""


class WorldError(Exception):
    """
    The world's fault: the mail or the game waits and is tried again.

    The tree: WorldError -> MailboxError, OutboxError, ShelfError, CharterError, TemplateError, SiteError,
    HookError, ForumError.
    Faults of players are `Complaint` values; faults of ours are any other exception.
    """


class MailboxError(WorldError):
    """The mailbox could not be read or marked."""


class OutboxError(WorldError):
    """
    A letter could not be handed to the mail server.

    Shape: `permanent` where trying this letter again is pointless; `pause` where no letter is to blame, since the
    server is away or takes nothing from us, with the time that all letters had better wait; `is_lost` where the server
    may have taken the letter, since its answer never came.
    """

    def __init__(
        self, message: str, *, permanent: bool = False, pause: timedelta | None = None, is_lost: bool = False
    ) -> None:
        """Say in `message` what the server answered."""
        super().__init__(message)
        self.permanent = permanent
        self.pause = pause
        self.is_lost = is_lost


ForumRefusal: TypeAlias = Literal["later", "queued", "closed", "gone", "denied"]
"""later: come again; queued: it waits for approval there; closed: that topic takes nothing; gone: it is not there."""


class ForumError(WorldError):
    """
    A forum did not do what we asked.

    Shape: `pause` is how many seconds to wait before we come again; `is_lost` where it may have been done, since the
    answer never came, or could not be understood; `code` is the answer's, of HTTP, 0 without one. It `is_away` where
    the forum answers nothing at all now, or wants us to wait, so that it makes no sense to ask for something else.
    """

    def __init__(
        self,
        message: str,
        what: ForumRefusal,
        *,
        pause: float = 60,
        is_lost: bool = False,
        is_away: bool = False,
        code: int = 0,
    ) -> None:
        """Say what the forum answered, and what that means."""
        super().__init__(message)
        self.what = what
        self.code = code
        self.is_away = is_away
        self.pause = pause
        self.is_lost = is_lost


class HookError(WorldError):
    """
    A chat did not take what was to be said.

    Shape: `is_final` where it is pointless to say it again; `pause` is how many seconds the chat asks us to wait.
    """

    def __init__(self, message: str, *, is_final: bool = False, pause: float = 0) -> None:
        """Say what happened, and whether to try again."""
        super().__init__(message)
        self.is_final = is_final
        self.pause = pause


class ShelfError(WorldError):
    """A file of the arena is missing, torn or not what its check sum says."""


class CharterError(WorldError):
    """A charter or settings file holds a mistake; the message has file, line and what was expected."""


class SiteError(WorldError):
    """A page of the site cannot be written, or must not be, for what stands in it."""


class TemplateError(WorldError):
    """A template is missing or asks for a fact that the letter does not have."""


class ClusterError(WorldError):
    """The machines that should work for us are away, or have other programs than we."""


class LetterError(WorldError):
    """A fault of ours keeps a letter from being written without which its game cannot go on."""
