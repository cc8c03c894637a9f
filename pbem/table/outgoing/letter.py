"""A letter that the journal calls for, and the facts that many letters share; what they say is the templates'."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.identity import GameLetter
from pbem.table import audience, calendar, schedule, second_thought, talking
from pbem.table.game_terms import charter_facts
from pbem.table.journal import Entry, GameBegun, PhasePublished
from pbem.table.table import Ruled, Said, Table
from pbem.terms import Complaint, Facts, Person, Seat

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
    facts: Facts
    parts: Mapping[str, Facts] = {}
    answers: str = ""
    remark: str = ""
    is_insiders: bool = True

    @property
    def template(self) -> str:
        """The letter's file without `.j2`."""
        return self.identity.template

    @property
    def reader(self) -> str:
        """By what identities tell the reader from others."""
        return self.identity.reader


def reader_of(table: Table, seat: Seat | None, person: Person) -> str:
    """Return by what identities tell a reader from others: a seat, or a person, where no seat is called the same."""
    return seat or (f"person_{person}" if Seat(person) in table.seats else person)


def _origin(table: Table, entry: Entry) -> str:
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
    template: str,
    seat: Seat | None,
    facts: Facts,
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
            game=table.charter.game, entry=entry.number, template=template, reader=reader_of(table, seat, reader)
        ),
        origin=_origin(table, entry),
        person=reader,
        seat=seat,
        phase=table.number,
        title=table.title,
        facts=facts,
        parts=parts or {},
        answers=answers,
        remark=remark,
        is_insiders=seat is not None or reader == table.charter.moderator,
    )


def with_words(one: Owed, table: Table, said: Sequence[Said]) -> Owed:
    """
    Put what players say to the moderator at the head of a letter, by who said it, with what would grant it.

    Shape: a letter that has such words keeps them.
    """
    if "words" in one.facts:
        return one
    rows = [
        {
            "name": table.label(seat),
            "texts": texts,
            "owes": table.status == "open" and seat in table.owing and not table.moderator_plays(),
        }
        for seat, texts in talking.by_seat(said).items()
    ]
    return msgspec.structs.replace(one, facts=one.facts | {"words": rows})


def invitation(table: Table, entry: Entry, person: Person) -> Owed:
    """Make the letter that asks somebody to take a seat."""
    parts = opening_part(table, brief=True)
    return letter(table, entry, "invitation", None, charter_facts(table), parts, person=person)


def opening_part(table: Table, *, brief: bool = False) -> dict[str, Facts]:
    """Return the part that says what the game is; a brief one is for those who do not play yet."""
    names = list(table.labels().values())
    figures = dict(table.ruleset.figures)
    return {"opening": {"names": names, "house": table.house, "figures": figures, "brief": brief}}


def phase_facts(table: Table, seat: Seat | None) -> Facts:
    """Return what every letter of an open phase says: the deadline, who is waited for, what is asked."""
    reader = seat or table.moderators_seat()
    table = table.known_to(reader) if reader else table
    waited, owing = table.waiting_for(), table.owing
    if table.sealed and reader:  # nobody hears how many more are asked
        waited, owing = ((reader,) if reader in seats else () for seats in (waited, owing))
    return {
        "name": table.label(seat) if seat else "",
        "open": table.status == "open",
        "deadline": table.deadline if table.status == "open" else None,
        "paused": _left(table),
        "waiting": len(waited),
        "of": len(owing),
        "owes": seat in owing,
        "closing": schedule.closes_at_once(table),
        "early": None if table.paused else second_thought.closes_early(table),
        "second_thought": second_thought.in_words(table),
        "closes_early": table.charter.close == "when ready",
        "dropped": list(table.dropped.get(seat, ())) if seat else [],
        "lost": [f"{lost.line}: {lost.because}" for lost in table.unreadable(seat)] if seat else [],
    }


def _left(table: Table) -> str:
    """Say how much time there was to the close when the clock was stopped, or "" while it runs."""
    if table.paused is None or table.deadline is None:
        return ""
    return calendar.show_roughly((second_thought.closes_early(table) or table.deadline) - table.paused)


def asked(table: Table, seat: Seat) -> dict[str, Facts]:
    """Return the part that says what a seat is asked, where it is asked anything."""
    if seat not in table.owing:
        return {}
    return {"asked": dict(table.ruleset.asked(table.seen_by(seat), seat))}


def question(table: Table, entry: Entry, seat: Seat) -> Owed:
    """Make the letter that asks a seat something in the middle of a phase."""
    return letter(table, entry, "question", seat, phase_facts(table, seat), asked(table, seat) | hand(table, seat))


def hand(table: Table, seat: Seat, *, brief: bool = False) -> dict[str, Facts]:
    """Return the part that shows a seat's set on hand, where there is one; a brief one draws nothing."""
    if seat not in table.sending or seat not in table.hand:
        return {}
    return {"hand": {**table.ruleset.hand(table.seen_by(seat), seat, table.orders(seat)), "brief": brief}}


def complaint(complaint: Complaint) -> Facts:
    """Return a complaint as letters show it."""
    return {
        "line": complaint.line,
        "text": complaint.text,
        "because": complaint.because,
        "rule": complaint.rule,
    }


def ruling_facts(table: Table, ruled: Ruled[Any]) -> Facts:
    """Return a ruling as letters show it, with the names that people know."""
    ruling = ruled.ruling
    return {
        "number": ruled.number,
        "line": audience.show_ruling(table, ruling),
        "because": ruling.because,
        "since": ruled.phase,
        "is_note": ruling.is_prose,
    }
