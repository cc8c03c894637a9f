"""What the letters say that the arena writes in its own name, which are of no phase: a view for each template."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import jinja2
import msgspec

from pbem.letters import rendering


class ArenaView(msgspec.Struct, frozen=True, kw_only=True):
    """What such a letter says: the base of a class for each template."""

    template: ClassVar[str]

    def render(self, words: jinja2.Environment, **around: str) -> str:
        """Return the text of the letter; `around` is what many such letters know besides, such as `game`."""
        facts: Mapping[str, Any] = msgspec.structs.asdict(self)
        return rendering.render(words, f"{self.template}.j2", {**around, **facts})


class Stranger(ArenaView, frozen=True, kw_only=True):
    """To who writes and is in no game; `open_games` have free seats."""

    template: ClassVar[str] = "stranger"

    open_games: tuple[str, ...] = ()


class UnknownGame(Stranger, frozen=True, kw_only=True):
    """To who names a game that there is none of."""

    template: ClassVar[str] = "unknown-game"


class Held(ArenaView, frozen=True, kw_only=True):
    """
    To somebody in whose name a mail came that does not count yet.

    Shape: `writer` is whom the mail shows as its writer, `shown` its text but for `more` lines; it waits so many `days`
    for an answer with these `digits`; `again` says what an answer lacked, "" at first.
    """

    template: ClassVar[str] = "held"

    name: str
    title: str
    arrived: str
    because: str
    writer: str
    shown: str
    more: int
    days: int
    again: str = ""
    digits: str = ""


class Unkept(ArenaView, frozen=True, kw_only=True):
    """To somebody in whose name a mail came that was not kept; no more than `most` wait."""

    template: ClassVar[str] = "unkept"

    name: str
    title: str
    arrived: str
    because: str
    most: int


class Moving(ArenaView, frozen=True, kw_only=True):
    """To somebody whose letters are to go to another address, and to that address."""

    template: ClassVar[str] = "moving"

    name: str
    stage: str
    wanted: str = ""
    because: str = ""


class SeatRefused(ArenaView, frozen=True, kw_only=True):
    """
    To who wants a seat and cannot have it, `shut` where no other name would help.

    Shape: whoever has one already, and wants another name, is `called` as before. Of `likely` names one may be what
    they mean. Who said no has `declined`.
    """

    template: ClassVar[str] = "refused"

    because: str
    shut: bool
    called: str = ""
    likely: tuple[str, ...] = ()
    declined: bool = False


class SeatWanted(ArenaView, frozen=True, kw_only=True):
    """To an address that asked for a seat, which has to confirm it."""

    template: ClassVar[str] = "confirm"

    name: str
    ruleset: str


class SeatOffered(ArenaView, frozen=True, kw_only=True):
    """To who was asked to take a seat over, or to stand in, and whose answer came to nothing; `name` is the seat's."""

    template: ClassVar[str] = "offered"

    stage: Literal["gone", "unsure", "no yes"]
    name: str = ""


class SeatReplaced(ArenaView, frozen=True, kw_only=True):
    """To who wrote for a seat that is another's by now; `name` is "" where it is nobody's."""

    template: ClassVar[str] = "replaced"

    name: str
    over: bool


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A letter that was put together with others."""

    subject: str
    body: str


class Merged(ArenaView, frozen=True, kw_only=True):
    """
    To who wrote more in a day than is answered one by one.

    Shape: `questions` says whether these are questions about held mails; `count` are put together here, of which the
    oldest `left_out` are not shown; after `most` in a day come such letters; `later` more wait.
    """

    template: ClassVar[str] = "merged"

    questions: bool
    count: int
    most: int
    left_out: int
    later: int
    answers: tuple[Answer, ...]


class Unreachable(ArenaView, frozen=True, kw_only=True):
    """To a moderator: so many letters in a row to somebody came back, an invitation or an offer perhaps."""

    template: ClassVar[str] = "unreachable"

    name: str
    address: str
    letters: int
    seated: bool
    over: bool
    invitation: bool
    signing_up: bool
    offered: str
    deputy: bool


class Trouble(ArenaView, frozen=True, kw_only=True):
    """To a moderator whose game stands still; `is_ours` where that is a fault of the program."""

    template: ClassVar[str] = "trouble"
    title: ClassVar[str] = "stands still"

    said: str
    is_ours: bool


class SetAside(ArenaView, frozen=True, kw_only=True):
    """To a moderator: a mail could not be read at several sweeps."""

    template: ClassVar[str] = "set-aside"
    title: ClassVar[str] = "a mail was set aside"

    said: str
    digest: str


class Unwritten(ArenaView, frozen=True, kw_only=True):
    """To a moderator: a letter of ours could not be written, and another went out that says so."""

    template: ClassVar[str] = "unwritten"
    title: ClassVar[str] = "a letter could not be written"

    said: str
    letter: str


class LeftOut(ArenaView, frozen=True, kw_only=True):
    """To a moderator: the pages for everybody leave out these `words`, and `more` that are not listed."""

    template: ClassVar[str] = "left-out"
    title: ClassVar[str] = "words are left out of the pages"

    words: tuple[str, ...]
    more: int


class Instead(ArenaView, frozen=True, kw_only=True):
    """To the reader of a letter that could not be written."""

    template: ClassVar[str] = "instead"

    title: str


class OddRow(msgspec.Struct, frozen=True, kw_only=True):
    """Something odd, with when it was first and last seen, by the arena's clock, and how often."""

    what: str
    first: str
    until: str
    times: int


class Digest(ArenaView, frozen=True, kw_only=True):
    """To the arena's moderator: what was odd."""

    template: ClassVar[str] = "digest"

    rows: tuple[OddRow, ...]
    zone: str
    name: str


class Alarm(ArenaView, frozen=True, kw_only=True):
    """To the arena's moderator: a disk takes nothing any more."""

    template: ClassVar[str] = "alarm"

    name: str
    said: str
