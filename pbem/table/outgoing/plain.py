"""The views of letters that say one thing and are made in one place; the others stand beside what makes them."""

from datetime import datetime

import msgspec

from pbem.table.clock.late import LateRow
from pbem.table.clock.views import Asked, BaseView, Refusal
from pbem.table.model.charter import HouseRule
from pbem.table.requests.manuals import WrittenRule


class Founded(BaseView, frozen=True, kw_only=True):
    """Tells the moderator that a game is there, and the `advice` of its rules on such terms."""

    template = "founded"

    advice: str


class Welcome(BaseView, frozen=True, kw_only=True):
    """
    Welcomes whoever has taken a seat, by the `name` that they chose.

    Shape: `asides` are words for the moderator beside their `join`, `unsent` those that wait for their leave.
    """

    template = "welcome"

    name: str
    requests: tuple[Asked, ...]
    complaints: tuple[Refusal, ...]
    asides: tuple[str, ...]
    unsent: tuple[str, ...]


class Opening(BaseView, frozen=True, kw_only=True):
    """Opens the game: the `names` of all players, and the house rules that are not the default."""

    template = "opening"

    names: tuple[str, ...]
    unusual: tuple[HouseRule, ...]


class Reminder(BaseView, frozen=True, kw_only=True):
    """Reminds a seat of what it `lacks`; `nmr` says what comes of sending nothing, `holds` that a set is on hand."""

    template = "reminder"

    lacks: str
    nmr: tuple[str, ...]
    holds: bool


class Leaked(BaseView, frozen=True, kw_only=True):
    """
    Tells whoever has a role that its token was in other hands.

    Shape: `is_current` where it is that of this phase, `posted` where all on the game's list can read it.
    """

    template = "leaked"

    is_current: bool
    posted: bool = False


class Posted(BaseView, frozen=True, kw_only=True):
    """
    Tells a seat that orders stood in what it posted for all to read.

    Shape: `holds` where it has a set on hand, `in_topic` where it was posted on a forum.
    """

    template = "posted"

    holds: bool
    in_topic: bool = False


class Words(BaseView, frozen=True, kw_only=True):
    """
    Brings players' words alone, to the moderator or the deputy.

    Shape: `is_answered` where a reply goes to their one writer; `plays` is the moderator's seat, "" for none.
    """

    template = "words"

    is_answered: bool
    plays: str


class Told(BaseView, frozen=True, kw_only=True):
    """Brings the moderator's words to players, to all or to the reader, or the deputy's."""

    template = "told"

    texts: tuple[str, ...]
    to_all: bool
    by_deputy: bool


class Overdue(BaseView, frozen=True, kw_only=True):
    """Reminds whoever holds a `proof` of it; tells the players, with 0, why no report comes."""

    template = "overdue"

    proof: int = 0


class RulesRenewed(BaseView, frozen=True, kw_only=True):
    """Tells what changes in the rules of an open phase; `late` where its deadline has passed, `holds` as above."""

    template = "rules"

    changes: tuple[WrittenRule, ...]
    late: bool
    holds: bool


class LateSets(BaseView, frozen=True, kw_only=True):
    """Tells the moderator whose sets came late while a `proof` waits."""

    template = "late"

    late: tuple[LateRow, ...]
    proof: int


class KeptBack(BaseView, frozen=True, kw_only=True):
    """Tells the moderator whose orders for a phase that is past could not be had before, and when they `arrived`."""

    template = "kept-back"

    name: str
    over: bool
    arrived: datetime


class PressItem(msgspec.Struct, frozen=True, kw_only=True):
    """A text of press, and to whom it is, in words."""

    text: str
    to: str


class PressPassedOn(BaseView, frozen=True, kw_only=True):
    """Passes press on, or confirms to its sender that it was; `answered` where words in reply go to the sender."""

    template = "press"

    sender: str
    press: tuple[PressItem, ...]
    own: bool
    answered: bool = False


class Unseated(BaseView, frozen=True, kw_only=True):
    """Tells whoever had a seat, called `name`, that it was taken away before the game began."""

    template = "unseated"

    name: str


class Withdrawn(BaseView, frozen=True, kw_only=True):
    """Tells a seat that it is asked no more what it was asked in the middle of a phase."""

    template = "withdrawn"

    name: str


class Accepted(BaseView, frozen=True, kw_only=True):
    """Tells a seat whether its late set counts by now."""

    template = "accepted"

    name: str
    counts: bool
