"""What a ruleset owes, and its author's one import: the terms, the dice and the phrases come along with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from pbem import phrases
from pbem.chance import Dice
from pbem.game import Game
from pbem.lines import (
    MARK,
    Placed,
    Refused,
    bounded,
    complain,
    hidden_marked,
    marked_refusal,
    read_again,
    read_lines,
    refuse,
)
from pbem.reckoning import Reckoning
from pbem.terms import (
    EVERYONE,
    MODERATOR_ALONE,
    Audience,
    Change,
    CharterError,
    Complaint,
    Event,
    Everyone,
    Fact,
    Facts,
    Given,
    O,
    Only,
    Option,
    OrderLine,
    Outcome,
    Parsed,
    Phase,
    Preset,
    Result,
    RuleNumber,
    S,
    Seat,
    Verdict,
)

__all__ = [
    "EVERYONE",
    "MARK",
    "MODERATOR_ALONE",
    "Audience",
    "Bot",
    "CastRuleset",
    "Change",
    "CharterError",
    "ClashingRuleset",
    "Complaint",
    "Dice",
    "Event",
    "Everyone",
    "ExplainingRuleset",
    "Fact",
    "Facts",
    "Game",
    "Given",
    "LibraryRuleset",
    "Only",
    "Option",
    "OrderLine",
    "Outcome",
    "Parsed",
    "Phase",
    "Placed",
    "Preset",
    "PresetRuleset",
    "Reckoning",
    "Refused",
    "Result",
    "RuleNumber",
    "Ruleset",
    "Seat",
    "SimulatedRuleset",
    "Verdict",
    "Wits",
    "WordedRuleset",
    "Words",
    "bounded",
    "complain",
    "hidden_marked",
    "marked_refusal",
    "phrases",
    "read_again",
    "read_lines",
    "refuse",
]


class Ruleset(Protocol[S, O]):
    """
    A kind of game. All functions are pure: same arguments, same answer, for ever; arguments stay unchanged.

    A ruleset folder's `__init__.py` offers one as `RULESET`; another package does in the entry-point group
    `pbem.rulesets`. Most inherit from `Game`, which has what small games repeat.
    """

    name: str
    """The folder's name, as in `pbem new NAME`."""
    title: str
    """For people: "Harbour"."""
    package: str
    """The package whose folder `templates` holds its words; "" where they are in pbem's own `templates/<name>/`."""
    version: int
    """Goes up when the same orders would come out differently; `changed` says how."""
    options: tuple[Option, ...]
    """The house rules, in the order in which the first letter prints them."""
    seats: range
    """How many seats a game may have."""
    event_kinds: frozenset[str]
    """Every `Event.kind` that `adjudicate` can give; each has a wording."""
    phase_kinds: tuple[str, ...]
    """Every `Phase.kind` in which orders are taken, in the order of play; calendars and reviews name them."""
    reviewed: tuple[str, ...]
    """The kinds of phase whose proof waits for the moderator unless the charter says otherwise."""
    reserved: frozenset[str]
    """Names that nobody may take, as seats are written, since orders or rulings mean something else by them."""
    figures: Mapping[str, int]
    """The numbers of the rules that `opening.j2` and `handbook.j2` name."""

    def changed(self, state: S, since: int) -> tuple[Change, ...]:
        """Return what has changed since a version of the rules, as far as it can matter in a game from here on."""
        ...

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> S:
        """Return the first state, for seats with the names that people chose, in seat order."""
        ...

    def phase(self, state: S) -> Phase:
        """Say which phase a state is in."""
        ...

    def view(self, state: S, seat: Seat) -> S:
        """
        Return the state as a seat may know it, in which whatever is hidden from it is as if it were unknown.

        Bots, forms, sets on hand and a moderator who plays see no other; `asked` and `hand` are called with it.
        """
        ...

    def label(self, state: S, seat: Seat) -> str:
        """Return the name of a seat as reports show it now ("Doctor Cuttlefish")."""
        ...

    def parse(self, state: S, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[O]:
        """Read one seat's lines (blank ones included, not yet joined), each by itself: no sums across lines."""
        ...

    def in_block(self, state: S, text: str) -> bool:
        """Say whether a line begins free text: as far as the next blank line nothing in it is a request."""
        ...

    def parts(self, text: str) -> tuple[str, ...]:
        """
        Cut a line at those semicolons that end an order, into lines of one order each; none for no words at all.

        Nothing is cut behind an `if`, nor behind a colon that opens more than one order, so a condition keeps all
        that it holds for; a part is never cut further. `phrases.parts` does it.
        """
        ...

    def check(self, state: S, seat: Seat, orders: Sequence[O]) -> tuple[Complaint, ...]:
        """Complain of what is wrong with a set as a whole (over budget); such a set is never cut down by us."""
        ...

    def lacks(self, state: S, seat: Seat, orders: Sequence[O]) -> str:
        """Return "" when a set is complete, else what it lacks, as a clause ("one more power")."""
        ...

    def stands(self, state: S, seat: Seat, orders: Sequence[O]) -> bool:
        """Say whether a set can stand for later phases of its kind, where the charter or its sender wants it to."""
        ...

    def format(self, state: S, orders: Sequence[O]) -> tuple[str, ...]:
        """Write orders as canonical lines: `parse` of them gives the same orders."""
        ...

    def missing(self, state: S, seat: Seat, dice: Dice) -> tuple[O, ...]:
        """Return the orders of a seat that sent nothing."""
        ...

    def adjudicate(self, state: S, orders: Mapping[Seat, Sequence[O]], given: Given, dice: Dice) -> Outcome[S]:
        """Close the phase. `orders` has an item for every seat that owes, if need be of `missing`, or sent some."""
        ...

    def asked(self, state: S, seat: Seat) -> Facts:
        """Return the facts for `templates/<name>/asked.j2`: how things stand, what is asked, the form's blanks."""
        ...

    def hand(self, state: S, seat: Seat, orders: Sequence[O]) -> Facts:
        """Return the facts for `templates/<name>/hand.j2`: a set on hand with its sums, and a forecast."""
        ...

    def standing(self, state: S) -> Mapping[str, Fact]:
        """Return every fact of the state that `set` may change, keyed by its name ("energy of mantisman")."""
        ...

    def name_fact(self, state: S, said: str) -> str | phrases.Unread:
        """Find the key of a fact, of the state or of an adjudication, that a person named in words."""
        ...

    def read_value(self, state: S, key: str, said: str) -> Fact | phrases.Unread:
        """Read the value that a person gave to a fact; as it is shown, every value of that fact can be read."""
        ...

    def amend(self, state: S, key: str, value: Fact) -> S | phrases.Unread:
        """Return the state with one fact of `standing` set."""
        ...

    def effect(self, state: S, said: str) -> str | phrases.Unread:
        """Read what stands after `do` and return it in canonical words, or say what would have worked."""
        ...

    def lapsed(self, state: S, effect: str) -> bool:
        """Say whether an effect (in canonical words) that was to hold each round can do nothing any more."""
        ...

    def dump(self, state: S) -> dict[str, Any]:
        """Return the state as plain TOML values; `load` of them gives the same state."""
        ...

    def load(self, data: Mapping[str, Any]) -> S:
        """Return the state that `dump` wrote."""
        ...


class Words(Protocol):
    """What a game calls things in place of its ruleset's own words; the ruleset's templates know it as `w`."""

    def say(self, text: str, names: Collection[str] = ()) -> str:
        """Put a sentence or a canonical line of the ruleset's into these words; people's names stay as they are."""
        ...

    def hear(self, text: str, names: Collection[str] = ()) -> str:
        """Put these words, in what a person said, into the ruleset's own; people's names stay as they are."""
        ...


@runtime_checkable
class WordedRuleset(Protocol):
    """A ruleset whose games can call things by other words, as a house rule of theirs has it."""

    def words(self, house: Mapping[str, str]) -> Words:
        """Return the words of a game with these house rules."""
        ...


@runtime_checkable
class PresetRuleset(Protocol):
    """A ruleset whose founders can choose many terms at once, by a name."""

    presets: tuple[Preset, ...]
    """In the order in which the help lists them."""


@runtime_checkable
class ClashingRuleset(Protocol):
    """A ruleset some of whose house rules cannot hold beside others, or at any number of seats."""

    def clash(self, house: Mapping[str, str], seats: int) -> tuple[str, str] | None:
        """
        Return the first house rule that clashes, by name, and why with what would have worked; None where none does.

        New games alone are held to it: one that was founded before goes on, and its reports say how.
        """
        ...


@runtime_checkable
class RenewingRuleset(Protocol):
    """A ruleset whose states hold something that a newer version of it has otherwise."""

    def renewed(self, state: Any) -> Any:
        """Return the state of a game that goes on under these rules from now on; what a person put in it stays."""
        ...


@runtime_checkable
class ExplainingRuleset(Protocol):
    """A ruleset that tells the moderator what an effect means, in the echo; its words are in `explained.j2`."""

    def explain(self, state: Any, effect: str) -> Facts:
        """Return the facts of a row of `explained.j2` for an effect in canonical words; none where it is plain."""
        ...


Wits: TypeAlias = Callable[[str, Sequence[str], Dice], str]
"""A program that plays: a letter's text, what it has written so far, and dice, to an answer; "" is no answer."""


@runtime_checkable
class CastRuleset(Protocol):
    """A ruleset that also brings programs who play it by mail, for `pbem demo`."""

    name: str
    title: str
    cast: Mapping[str, Wits]
    """Players in seat order by name; the last one moderates."""
    cast_reviewed: tuple[str, ...]
    """The kinds of phase that this moderator wants to see before they go out."""


@runtime_checkable
class LibraryRuleset(Protocol):
    """
    A ruleset that also keeps a library of pieces which games are made of, and a language in which they are written.

    The terminal has its commands; who writes `help` with the name of the pieces behind it is sent the manual, and who
    writes `archive`, perhaps with words to look for, the pieces. Its words are in `templates/<name>/`.
    """

    name: str
    title: str
    pieces: tuple[str, str]
    """What a piece is called, and what several are: commands of the terminal both; no other ruleset's are the same."""

    def library(self) -> tuple[Facts, ...]:
        """Return the facts of every piece, in the library's order; `<pieces>.j2` shows the list of them."""
        ...

    def search(self, words: str) -> tuple[Facts, ...]:
        """Return the pieces that a person looks for by words; all of them where there are none."""
        ...

    def find_piece(self, said: str) -> Facts | phrases.Unread:
        """Find the piece that a person named; `<piece>.j2` shows its facts."""
        ...

    def read_piece(self, text: str) -> str | tuple[Complaint, ...]:
        """Return the lines of a piece in canonical words, or a complaint of each that a game would not take."""
        ...

    def explain_piece(self, lines: str) -> Facts:
        """Return what the lines of a piece mean, given in canonical words: a row of `explained.j2`."""
        ...

    def manual(self) -> Facts:
        """Return the facts for `manual.j2`: how such lines are written."""
        ...


Bot: TypeAlias = Callable[[S, Seat, Dice], Sequence[O]]
"""A program that plays without letters: its view of a state, its seat and dice, to a set that the rules would take."""


@runtime_checkable
class SimulatedRuleset(Ruleset[S, O], Protocol[S, O]):
    """
    A ruleset that also brings programs who play it fast, for `pbem simulate`.

    A simulated game can begin with pieces of the ruleset's library, dealt to the seats; a ruleset that keeps none
    deals none.
    """

    bots: Mapping[str, Bot[S, O]]
    """The programs by name; the first plays where nobody says which."""

    def dealable(self) -> tuple[str, ...]:
        """Return the names of the pieces that a simulated game can begin with."""
        ...

    def begin(self, seats: Mapping[Seat, str], house: Mapping[str, str], dealt: Mapping[str, Seat], dice: Dice) -> S:
        """Return the state in which simulated play begins; `dealt` says which seat holds a piece."""
        ...

    def ending(self, result: Result) -> str:
        """Say in a few words how a game ended, without the names of its winners."""
        ...
