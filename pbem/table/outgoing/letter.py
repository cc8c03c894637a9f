"""A letter that the journal calls for, made from its view, and the ruleset's parts that many letters share."""

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ground.identity import GameLetter
from pbem.ground.terms import Facts, Person, Seat
from pbem.table.clock.game_terms import terms
from pbem.table.clock.views import Asked, BaseView, PlayersWords, moment
from pbem.table.fold import talking
from pbem.table.fold.journal import Entry, GameBegun, PhasePublished
from pbem.table.model.table import Said, Table
from pbem.table.outgoing.grants import grants
from pbem.table.requests import Request

MOST_ANSWERS = 5
"""Letters that one mail is answered with, besides its receipt or echo: a mail has room for hundreds of requests."""
DIGEST = 64
"""Characters of the digest of a mail, which the cause of a ruling on the terminal is not."""


class Owed(msgspec.Struct, frozen=True, kw_only=True):
    """
    One letter that the journal calls for.

    Shape: `origin` tells its entry from all others without its number, which counts what others wrote; `parts` maps a
    template of the ruleset's folder to its facts, rendered before the letter and put into it by name; `phase` is the
    phase whose token the letter carries, `title` that phase's; `answers` the Message-ID of the mail that it answers;
    `remark` stands behind the subject. `is_insiders` where its reader has the role that it is to: a seat's, or the
    moderator's.
    """

    identity: GameLetter
    origin: str
    person: Person
    seat: Seat | None
    phase: int
    title: str
    view: BaseView
    parts: Mapping[str, Facts] = {}
    answers: str = ""
    remark: str = ""
    is_insiders: bool = True

    @property
    def facts(self) -> Facts:
        """What the letter says, by the names that templates have for it."""
        return self.view.facts()

    @property
    def template(self) -> str:
        """The letter's file without `.j2`."""
        return self.identity.template

    @property
    def reader(self) -> str:
        """By what identities tell the reader from others."""
        return self.identity.reader


def numbered(one: Owed, place: int) -> Owed:
    """Tell a letter by its place from others of its kind that answer the same mail."""
    return msgspec.structs.replace(one, identity=msgspec.structs.replace(one.identity, place=place))


def reader_of(table: Table, seat: Seat | None, person: Person) -> str:
    """Return by what identities tell a reader from others: a seat, or a person, where no seat is called the same."""
    return seat or (f"person_{person}" if Seat(person) in table.seats else person)


def origin(table: Table, entry: Entry) -> str:
    """Tell an entry by the mail that it came of, or by the how manieth of its sort it is in its phase."""
    cause = getattr(entry, "cause", "")
    if len(cause) == DIGEST:
        return str(cause)
    if isinstance(entry, GameBegun | PhasePublished):
        return opened(table)
    before = sum(type(one) is type(entry) for one in table.log if one.number < entry.number)
    return f"{type(entry).__name__} {before} of {opened(table)}"


def opened(table: Table) -> str:
    """Return the origin of the letters that opened a phase, or told the end of the game."""
    return f"phase {table.number}{' over' * (table.status == 'over')}"


def letter(
    table: Table,
    entry: Entry,
    view: BaseView,
    seat: Seat | None = None,
    parts: Mapping[str, Facts] | None = None,
    *,
    person: Person | None = None,
    answers: str = "",
    remark: str = "",
) -> Owed:
    """Make a letter that an entry calls for, to a seat, to a person, or to the moderator."""
    reader = person or (table.seats[seat].person if seat else table.charter.moderator)
    return Owed(
        identity=GameLetter(
            game=table.charter.game, entry=entry.number, template=view.template, reader=reader_of(table, seat, reader)
        ),
        origin=origin(table, entry),
        person=reader,
        seat=seat,
        phase=table.number,
        title=table.title,
        view=view,
        parts=parts or {},
        answers=answers,
        remark=remark,
        is_insiders=seat is not None or reader in (table.charter.moderator, table.deputy),
    )


def with_words(one: Owed, table: Table, said: Sequence[Said]) -> Owed:
    """
    Put what players say to the moderator at the head of a letter, by who said it, with what would grant it.

    Shape: a letter that has such words keeps them.
    """
    if one.view.words:
        return one
    has_deputy = table.acting_deputy() is not None
    words = tuple(
        PlayersWords(
            name=table.label(seat),
            texts=tuple(texts),
            grants=() if has_deputy or to_all else tuple(grants(table, seat, texts)),
            to_all=to_all,
        )
        for (seat, to_all), texts in talking.by_seat(said).items()
    )
    return msgspec.structs.replace(one, view=msgspec.structs.replace(one.view, words=words)) if words else one


class Invitation(BaseView, frozen=True, kw_only=True):
    """Asks somebody to take a seat."""

    template = "invitation"
    answered_as = "invited"


class Question(BaseView, frozen=True, kw_only=True):
    """Asks a seat something in the middle of a phase."""

    template = "question"


def invitation(table: Table, entry: Entry, person: Person) -> Owed:
    """Make the letter that asks somebody to take a seat."""
    parts = opening_part(table, brief=True)
    return letter(table, entry, Invitation(terms=terms(table)), None, parts, person=person)


def opening_part(table: Table, *, brief: bool = False) -> dict[str, Facts]:
    """Return the part that says what the game is; a brief one is for those who do not play yet."""
    names = list(table.labels().values())
    figures = dict(table.ruleset.figures)
    return {"opening": {"names": names, "house": table.house, "figures": figures, "brief": brief}}


def asked(table: Table, seat: Seat) -> dict[str, Facts]:
    """Return the part that says what a seat is asked, where it is asked anything."""
    if seat not in table.owing:
        return {}
    return {"asked": dict(table.ruleset.asked(table.seen_by(seat), seat))}


def question(table: Table, entry: Entry, seat: Seat) -> Owed:
    """Make the letter that asks a seat something in the middle of a phase."""
    view = Question(moment=moment(table, seat))
    return letter(table, entry, view, seat, asked(table, seat) | hand(table, seat))


def hand(table: Table, seat: Seat, *, brief: bool = False) -> dict[str, Facts]:
    """Return the part that shows a seat's set on hand, where there is one; a brief one draws nothing."""
    if seat not in table.sending or seat not in table.sets.hand:
        return {}
    return {"hand": {**table.ruleset.hand(table.seen_by(seat), seat, table.orders(seat)), "brief": brief}}


def requested(table: Table, requests: Sequence[Request]) -> tuple[Asked, ...]:
    """Return requests as letters show them."""
    return tuple(Asked(word=one.word(), says=one.show(table)) for one in requests)
