"""The view of an echo: what became of a mail that rules, line by line, and how the game stands by it."""

from collections.abc import Callable
from typing import Any, Self

import msgspec

from pbem.ground.terms import Person, Seat
from pbem.table import rulings
from pbem.table.clock import late
from pbem.table.clock.late import LateRow
from pbem.table.clock.views import BaseView, Refusal, RulingRow, moment, refusals, ruling_row
from pbem.table.fold import following
from pbem.table.fold.following import Followed
from pbem.table.fold.journal import RulingGiven
from pbem.table.model import audience, seating
from pbem.table.model.audience import Change
from pbem.table.model.table import Announced, Ruled, Table
from pbem.table.outgoing.reports import VerdictRow, verdicts
from pbem.table.requests.manuals import Help, RulingForms
from pbem.table.requests.status import Status
from pbem.table.rulings import replace
from pbem.table.rulings.again import Again
from pbem.table.rulings.begin import Begin
from pbem.table.rulings.deputy import offer
from pbem.table.rulings.eject import Eject
from pbem.table.rulings.invite import Invite
from pbem.table.rulings.invite_again import InviteAgain
from pbem.table.rulings.tell import Tell
from pbem.table.rulings.to_all import ToAll
from pbem.table.rulings.undo import Undo
from pbem.table.rulings.uninvite import Uninvite


class ToldRow(msgspec.Struct, frozen=True, kw_only=True):
    """What was said to players, and to whom."""

    to: tuple[str, ...]
    text: str


class OfferRow(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that is offered to a person, by which ruling, and whether this mail has done it."""

    name: str
    person: Person
    number: int
    is_new: bool


class DeputyAsked(msgspec.Struct, frozen=True, kw_only=True):
    """Who is asked to be the deputy, and by which ruling."""

    person: Person
    number: int


class SectionOfRulings(msgspec.Struct, frozen=True, kw_only=True):
    """A section of the handbook: forms of rulings, and the words behind each or behind several."""

    title: str
    rows: tuple[RulingForms, ...]


class SeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """A seat, what letters call it, whose it is, and whether it has ordered, in words; never what."""

    seat: Seat
    name: str
    player: str
    state: str


class Echo(BaseView, frozen=True, kw_only=True):
    """
    What became of a mail that rules.

    Shape: `lines` are the rulings, `carried` where there was any; `told` and `announced` are words to players,
    `offered` and `withdrawn` seats; `absent` were invited, of so many `invited`, and have no seat as the game begins,
    `unanswered` while it does not; `waiting_proof` is the proof that waits for its approval, or 0. What is asked for
    with `status` is empty where that was not.
    """

    template = "echo"

    lines: tuple[RulingRow, ...]
    carried: bool
    told: tuple[ToldRow, ...]
    announced: tuple[Announced, ...]
    offered: tuple[OfferRow, ...]
    withdrawn: tuple[str, ...]
    deputy_asked: DeputyAsked | None
    deputy: Person | None
    deputy_holds: bool
    undone: tuple[int, ...]
    late: tuple[LateRow, ...]
    approved: bool
    changes: tuple[Change, ...]
    followed: tuple[Followed, ...]
    complaints: tuple[Refusal, ...]
    passed: tuple[str, ...]
    test: bool
    note: str
    said_nothing: bool
    handbook_of_rulings: tuple[SectionOfRulings, ...]
    has_threads: bool
    wants_status: bool
    status: tuple[SeatRow, ...]
    shows_heard: bool
    absent: tuple[Person, ...]
    invited: int
    unanswered: tuple[Person, ...]
    invited_now: tuple[Person, ...]
    invited_again: tuple[Person, ...]
    uninvited: tuple[Person, ...]
    unseated: tuple[str, ...]
    waiting_proof: int
    verdicts: tuple[VerdictRow, ...]
    left_out: int
    again: bool

    @property
    def helps(self) -> bool:
        """Whether the handbook is asked for."""
        return bool(self.handbook_of_rulings)

    @property
    def sought(self) -> tuple[str, ...]:
        """When each seat was last heard of, where that is asked for."""
        return ("heard",) if self.shows_heard else ()

    def with_people(self, shown: Callable[[str], str]) -> Self:
        """Return the same with what is `shown` in place of people, whom the journal names by what they are here."""
        return msgspec.structs.replace(
            self,
            lines=tuple(msgspec.structs.replace(row, line=shown(row.line)) for row in self.lines),
            complaints=tuple(msgspec.structs.replace(row, text=shown(row.text)) for row in self.complaints),
            passed=tuple(map(shown, self.passed)),
        )


def echo(before: Table, entry: RulingGiven, after: Table, tried: Table, *, left_out: int) -> Echo:
    """
    Make the view of the answer to a mail that rules.

    Shape: `tried` is the table with its rulings, which is not `after` where the mail only tests; `left_out` counts the
    requests that no letter answers.
    """
    given, has_status = entry.rulings, Status() in entry.requests
    waits = after.status == "closed" and after.approved != after.proof
    signing_up = after.status == "sign-up"
    return Echo(
        lines=tuple(
            msgspec.structs.replace(ruling_row(tried, ruled), about=ruled.ruling.about(before))
            for ruled in new(before, tried)
            if not isinstance(ruled.ruling, ToAll)
        ),
        carried=bool(given),
        told=tuple(
            ToldRow(to=tuple(after.label(seat) for seat in one.to), text=one.text)
            for one in given
            if isinstance(one, Tell)
        ),
        announced=tuple(one for one in tried.announced if one.number > before.ruled),
        offered=tuple(
            OfferRow(name=tried.label(seat), person=one.ruling.person, number=one.number, is_new=is_new)
            for seat, one in replace.offers(tried).items()
            if (is_new := one.number > before.ruled) or has_status
        ),
        withdrawn=tuple(tried.label(seat) for seat in replace.offers(before) if seat not in replace.offers(tried)),
        deputy_asked=_deputy_asked(before, tried),
        deputy=after.acting_deputy() if has_status else None,
        deputy_holds=after.deputy_holds,
        undone=undone(entry),
        late=late.rows(tried) if not tried.sealed and tried.proof == before.proof else (),
        approved=tried.status == "closed" and tried.approved == tried.proof,
        changes=tuple(audience.difference(audience.facts(before), audience.facts(tried))),
        followed=following.foreseen(before, tried) if given else (),
        complaints=refusals(entry.complaints),
        passed=entry.passed,
        test=entry.test,
        note=entry.note,
        said_nothing=not given and not entry.requests and not entry.complaints,
        has_threads=after.charter.forum and after.charter.threads,
        handbook_of_rulings=_handbook_of_rulings() if Help() in entry.requests else (),
        wants_status=has_status,
        status=status(after),
        shows_heard=has_status and not after.moderator_plays() and not signing_up,
        absent=seating.absent(tried) if any(isinstance(one, Begin) for one in given) else (),
        invited=len(set(after.invited)),
        unanswered=seating.absent(after) if signing_up else (),
        invited_now=tuple(one.person for one in given if isinstance(one, Invite)),
        invited_again=invited_again(after, entry),
        uninvited=tuple(one.person for one in given if isinstance(one, Uninvite)),
        unseated=tuple(before.label(one.seat) for one in given if isinstance(one, Eject)),
        waiting_proof=after.proof if waits else 0,
        verdicts=verdicts(after) if has_status and waits else (),
        left_out=left_out,
        again=any(isinstance(one, Again) for one in given),
        moment=moment(after, None),
    )


def new(before: Table, after: Table) -> list[Ruled[Any]]:
    """Return the rulings that were given since a table."""
    return [ruled for ruled in after.rulings if ruled.number > before.ruled]


def invited_again(after: Table, entry: RulingGiven) -> tuple[Person, ...]:
    """Return who is sent an invitation once more."""
    again = [one.person for one in entry.rulings if isinstance(one, InviteAgain)]
    everybody = seating.absent(after) if None in again else ()
    return tuple(dict.fromkeys([*filter(None, again), *everybody]))


def undone(entry: RulingGiven) -> tuple[int, ...]:
    """Return the numbers of the rulings that a mail takes back."""
    return tuple(one.number for one in entry.rulings if isinstance(one, Undo))


def _deputy_asked(before: Table, tried: Table) -> DeputyAsked | None:
    """Return who is asked to be the deputy by these rulings."""
    asked = offer(tried)
    if asked is None or asked.number <= before.ruled:
        return None
    return DeputyAsked(person=asked.ruling.person, number=asked.number)


def _handbook_of_rulings() -> tuple[SectionOfRulings, ...]:
    """Return what a moderator can write, by sections."""
    sections: dict[str, list[RulingForms]] = {}
    forms: tuple[str, ...] = ()
    for kind in rulings.KINDS:
        forms += kind.forms
        if kind.says:
            sections.setdefault(kind.section, []).append(RulingForms(forms=forms, says=kind.says))
            forms = ()
    return tuple(SectionOfRulings(title=title, rows=tuple(rows)) for title, rows in sections.items())


def status(table: Table) -> tuple[SeatRow, ...]:
    """
    Return who has ordered, and not what.

    A moderator who plays and is asked something in the middle of a phase hears of nobody else who is.
    """
    mine = table.moderators_seat()
    own, others = table.known_to_moderator(), table.sealed or table
    rows: list[SeatRow] = []
    for seat, seated in table.seats.items():
        known = own if mine in (None, seat) else others
        if known.status == "sign-up":
            state = "seated"
        elif seat not in (known.phase.owing if known.phase else ()):
            state = "nothing asked"
        elif seat in known.excused:
            state = "excused"
        elif seat not in known.sets.hand:
            state = "nothing yet"
        elif known.moved(seat):
            state = "on hand"
        else:
            state = "nothing yet" if known.moderator_plays() else "on hand, not ready"
        rows.append(SeatRow(seat=seat, name=known.label(seat), player=seated.name, state=state))
    return tuple(rows)
