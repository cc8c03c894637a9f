"""What a ruleset owes, and its author's one import: the terms, the dice and the phrases come along with it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import msgspec

from pbem.game import CONTRACT, Ruleset
from pbem.ground import chart, news
from pbem.ground.chance import Dice
from pbem.ground.chart import Column
from pbem.ground.reckoning import Reckoning
from pbem.ground.terms import (
    EVERYONE,
    MODERATOR_ALONE,
    Audience,
    Change,
    CharterError,
    Complaint,
    Curves,
    Event,
    Everyone,
    Exhibit,
    Fact,
    Facts,
    Fate,
    Given,
    Only,
    Option,
    OrderLine,
    Outcome,
    Parsed,
    Phase,
    Picture,
    Placed,
    Preset,
    Refused,
    Result,
    RuleNumber,
    Seat,
    Verdict,
)
from pbem.language import phrases
from pbem.language.bounds import MARK, bounded, marked_refusal
from pbem.language.forms import examples, said_as
from pbem.language.gist import Spared, about_it, coarse, coarse_tables, once, with_forms
from pbem.language.nouns import REASON, Names, Numbers, Reason, Stranger, Whose
from pbem.language.parses import Elided, Language, Meaning, Noun, Parses, one_word_names
from pbem.language.reader import N, P, Reader, Same
from pbem.language.sentences import is_table_row
from pbem.language.shapes import Shapes
from pbem.language.simple import SimpleTables
from pbem.language.tokens import Token, cut, to_the_end, written
from pbem.language.words import COMMON, ENGLISH, FRAME_WORDS, FRAMES, WordClasses, table
from pbem.speech import amounts, small_talk
from pbem.speech.chatter import HARMLESS, is_harmless, is_heading, may_change
from pbem.speech.courtesies import courtesy
from pbem.speech.lines import (
    all_read,
    complain,
    hidden_marked,
    read_again,
    refuse,
)

__all__ = [
    "COMMON",
    "CONTRACT",
    "ENGLISH",
    "EVERYONE",
    "FRAMES",
    "FRAME_WORDS",
    "HARMLESS",
    "MARK",
    "MODERATOR_ALONE",
    "REASON",
    "AdvisingRuleset",
    "Audience",
    "Bot",
    "Cast",
    "CastRuleset",
    "Change",
    "ChartedRuleset",
    "CharterError",
    "ClashingRuleset",
    "Column",
    "Complaint",
    "Curves",
    "Dice",
    "DrawnRuleset",
    "Elided",
    "Event",
    "Everyone",
    "Exhibit",
    "ExhibitingRuleset",
    "ExplainingRuleset",
    "Fact",
    "Facts",
    "Fate",
    "FollowingRuleset",
    "ForecastingRuleset",
    "Given",
    "Language",
    "Leaving",
    "LibraryRuleset",
    "Meaning",
    "Names",
    "Noun",
    "Numbers",
    "Only",
    "Option",
    "OrderLine",
    "Outcome",
    "OwningRuleset",
    "Parsed",
    "Parses",
    "Phase",
    "Picture",
    "Placed",
    "Preset",
    "PresetRuleset",
    "Reader",
    "Reason",
    "Reckoning",
    "Refused",
    "Result",
    "RuleNumber",
    "Ruleset",
    "Same",
    "Seat",
    "Shapes",
    "SimpleTables",
    "SimulatedRuleset",
    "Spared",
    "Stranger",
    "TellingRuleset",
    "Token",
    "Verdict",
    "Whose",
    "Wits",
    "WordClasses",
    "WordedRuleset",

    "about_it",
    "all_read",
    "amounts",
    "bounded",
    "chart",
    "coarse",
    "coarse_tables",
    "complain",
    "courtesy",
    "cut",
    "examples",
    "hidden_marked",
    "is_harmless",
    "is_heading",
    "is_table_row",
    "marked_refusal",
    "may_change",
    "news",
    "once",
    "one_word_names",
    "phrases",
    "read_again",
    "refuse",
    "said_as",
    "small_talk",
    "table",
    "to_the_end",
    "with_forms",
    "written",
]  # fmt: skip


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
class AdvisingRuleset(Protocol):
    """A ruleset that knows of terms under which a game can be had, and is hardly worth playing."""

    def advice(self, house: Mapping[str, str], seats: int) -> str:
        """Return what somebody who founds such a game should know, with what would mend it; "" for nothing."""
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


@runtime_checkable
class FollowingRuleset(Protocol):
    """A ruleset in which an effect that holds each round can be said for something that may change, as a power may."""

    def fate(self, before: Any, after: Any, effect: str) -> Fate | None:
        """Say what becomes of an effect, in canonical words, by what changed between two states; None for nothing."""
        ...

    def foreseen(self, state: Any, effects: Sequence[str]) -> Any:
        """Return the state as effects that were given by now will change what others are said for."""
        ...


@runtime_checkable
class ForecastingRuleset(Protocol):
    """
    A ruleset that works out what a phase comes to with guessed orders of others; its words are in `forecast.j2`.

    Both functions are given the state as the asker may know it (`view`), and never what others have ordered.
    """

    def guess(
        self, state: Any, seat: Seat, own: Sequence[Any], said: str
    ) -> Mapping[str, Sequence[Any]] | phrases.Unread | None:
        """
        Read what a seat guesses that others order, or what it might itself; None where it is no guess at all.

        Shape: `own` is what the seat has on hand.
        """
        ...

    def forecast(self, state: Any, seat: Seat, own: Sequence[Any], guesses: Mapping[str, Sequence[Any]]) -> Facts:
        """Return the facts for `forecast.j2`: the guesses as they were read, and what comes of them."""
        ...


@runtime_checkable
class DrawnRuleset(Protocol):
    """A ruleset that draws what happened: its reports have pictures with them, and its letters come as HTML too."""

    def pictures(self, state: Any, outcome: Outcome[Any]) -> tuple[Picture, ...]:
        """Draw what led from a state to an outcome, of what everybody may know, in the order of play."""
        ...

    def map(self, state: Any) -> tuple[str, ...]:
        """Draw how things stand, of what everybody may know, as rows of text for the terminal."""
        ...


@runtime_checkable
class TellingRuleset(Protocol):
    """
    A ruleset that tells each player in a few sentences what happened to them, with its causes.

    Shape: its words are in `happened.j2`; what its reports lead with stands apart from the rest, in `lead.j2`.
    """

    def happened(self, outcome: Outcome[Any], seat: Seat) -> Facts:
        """
        Return the facts for `happened.j2`; {} where there is nothing to tell.

        Shape: `outcome` has the state as the seat may know it, and the events that the seat may read; of its verdicts
        nothing may be told that these do not show.
        """
        ...


@runtime_checkable
class OwningRuleset(Protocol):
    """A ruleset in which a seat has things with texts of their own, for who takes it over; see `owned.j2`."""

    def owned(self, state: Any, seat: Seat) -> Facts:
        """Return the facts for `owned.j2`; {} where a seat has nothing. The state is as the seat may know it."""
        ...


@runtime_checkable
class ExhibitingRuleset(Protocol):
    """A ruleset whose games have things with texts that are worth a page, such as powers that players wrote."""

    exhibited: str
    """What several of them are called."""

    def exhibits(self, events: Sequence[Event]) -> Sequence[Exhibit]:
        """Return the things of a game, from all that everybody was told in it, in the order in which it was told."""
        ...


@runtime_checkable
class ChartedRuleset(Protocol):
    """A ruleset whose games have numbers of everybody's that are worth a chart on their page."""

    def charts(self, told: Sequence[Sequence[Event]]) -> Sequence[Curves]:
        """Return how they went, from what everybody was told in each phase that is out."""
        ...


Wits: TypeAlias = Callable[[str, Sequence[str], Dice], Sequence[str]]
"""A program that plays: a letter's text, what it has written so far, and dice, to the lines that it wants, if any."""


class Leaving(msgspec.Struct, frozen=True, kw_only=True):
    """
    A player of a cast who leaves the table, and who takes the seat over.

    Shape: it comes to that in answer to the letter that has the words `at`; `words` ask the moderator for it, `because`
    is the moderator's reason, and `farewell` what they say to whoever leaves.
    """

    player: str
    successor: str
    at: str
    words: str
    because: str
    farewell: str


class Cast(msgspec.Struct, frozen=True, kw_only=True):
    """
    Programs who play by mail, and the terms of their game.

    Shape: `people` are the players in seat order by name, and last the moderator; `reviewed` are the kinds of phase
    that the moderator wants to see before they go out, `rules` the calendar's by kind of phase.
    What players want they write in a manner of their own: `ways` has, by player and by pattern of a plain line, other
    wordings of it; `amends`, by pattern, how a number in it is set right in a second mail; `talk` is small talk. The
    moderator's wits are asked for rulings on a proof, and approve it by giving none; `replies` has, by words of a
    question, what the moderator says to whoever asks it first. One of the players may be `leaving`.
    """

    people: Mapping[str, Wits]
    reviewed: tuple[str, ...]
    rules: Mapping[str, str]
    house: Mapping[str, str] = {}
    ways: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    amends: Mapping[str, str] = {}
    talk: tuple[str, ...] = ()
    replies: Mapping[str, str] = {}
    leaving: Leaving | None = None

    def everybody(self) -> tuple[str, ...]:
        """Return the names of all, the moderator last, and before them who takes a seat over."""
        *players, moderator = self.people
        return (*players, *([self.leaving.successor] if self.leaving else ()), moderator)


@runtime_checkable
class CastRuleset(Protocol):
    """A ruleset that also brings programs who play it by mail, for `pbem demo`."""

    name: str
    title: str
    cast: Cast


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


Bot: TypeAlias = Callable[[N, Seat, Dice], Sequence[P]]
"""A program that plays without letters: its view of a state, its seat and dice, to a set that the rules would take."""


@runtime_checkable
class SimulatedRuleset(Ruleset[N, P], Protocol[N, P]):
    """
    A ruleset that also brings programs who play it fast, for `pbem simulate`.

    A simulated game can begin with pieces of the ruleset's library, dealt to the seats; a ruleset that keeps none
    deals none.
    """

    bots: Mapping[str, Bot[N, P]]
    """The programs by name; the first plays where nobody says which."""

    def dealable(self) -> tuple[str, ...]:
        """Return the names of the pieces that a simulated game can begin with."""
        return ()

    def begin(self, seats: Mapping[Seat, str], house: Mapping[str, str], dealt: Mapping[str, Seat], dice: Dice) -> N:
        """Return the state in which simulated play begins; `dealt` says which seat holds a piece."""
        return self.setup(seats, house, dice)

    def advance(self, state: N, orders: Mapping[Seat, Sequence[P]], given: Given, dice: Dice) -> Outcome[N]:
        """Close a phase of simulated play as `adjudicate` does; its events, which nobody reads, may be left out."""
        return self.adjudicate(state, orders, given, dice)

    def ending(self, result: Result) -> str:
        """Say in a few words how a game ended, without the names of its winners."""
        return ("nobody won", "one won")[len(result.winners)] if len(result.winners) < 2 else "several won"
