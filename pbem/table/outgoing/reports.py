"""The proof and the reports of an adjudication, each with what its reader may know."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Self

import msgspec

from pbem.ground.terms import MODERATOR_ALONE, Facts, Outcome, Person, Picture, Seat
from pbem.ruleset import DrawnRuleset, TellingRuleset
from pbem.table.clock import late, schedule
from pbem.table.clock.late import LateRow
from pbem.table.clock.views import BaseView, RulingRow, moment, ruling_row
from pbem.table.fold import approving, closing, following
from pbem.table.fold.following import Followed
from pbem.table.fold.journal import Entry, PhasePublished
from pbem.table.model import audience
from pbem.table.model.audience import AtSeat
from pbem.table.model.table import Table
from pbem.table.outgoing.letter import Owed, asked, hand, letter
from pbem.table.rulings.headline import Headline, Story

replace = msgspec.structs.replace


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a proof says besides the ruleset's parts.

    Shape: `number` is that of the proof; `example` of a verdict that can be overruled, 0 where there is none; `lapses`
    is when silence approves it, None where that never does; `deputy_for` is the moderator's hero where a deputy rules
    on what touches it, else "".
    """

    number: int
    example: int
    held: bool
    deputy_holds: bool
    deputy_for: str
    lapses: datetime | None
    rulings: tuple[RulingRow, ...]
    followed: tuple[Followed, ...]
    late: tuple[LateRow, ...]
    headline: str
    story: tuple[str, ...]
    nmr: tuple[str, ...]
    result: str


class ProofView(BaseView, frozen=True, kw_only=True):
    """A proof and, where a mail of its reader's has made it, the `echo` of that mail above it."""

    template = "proof"
    is_vital = True

    proof: Proof
    echo: BaseView | None = None

    def facts(self) -> Facts:
        """Return the facts of the echo, and the proof's under its name."""
        facts = self.echo.facts() if self.echo else super().facts()
        return facts | {"words": self.words, "proof": self.proof, "echoed": self.echo is not None}

    @property
    def sought(self) -> tuple[str, ...]:
        """What the echo lacks."""
        return self.echo.sought if self.echo else ()

    def with_people(self, shown: Callable[[str], str]) -> Self:
        """Return the same, with what is `shown` in place of people in the echo."""
        return replace(self, echo=self.echo.with_people(shown)) if self.echo else self


def proofs(table: Table, entry: Entry) -> Iterator[Owed]:
    """Yield the letter with the proof of a closed phase, for the moderator and whoever stands in for them."""
    for person in filter(None, (table.charter.moderator, table.acting_deputy())):
        yield proof(table, entry, person)


def proof(table: Table, entry: Entry, person: Person) -> Owed:
    """Return the letter with the proof of a closed phase to one of them."""
    view, parts = proof_view(table, entry)
    return letter(table, entry, view, None, parts, person=person)


def proof_view(table: Table, entry: Entry) -> tuple[ProofView, dict[str, Facts]]:
    """Return what a proof says of a closed phase, and the ruleset's parts."""
    assert table.outcome is not None
    marks = {one.key: f"V{table.numbered.index(one.key) + 1}" for one in table.outcome.verdicts}
    headline, story = _headline(table)
    view = Proof(
        number=table.proof,
        example=min((table.numbered.index(key) + 1 for key in _told_of(table.outcome)), default=len(marks) and 1),
        held=table.held,
        deputy_holds=table.deputy_holds,
        deputy_for=table.label(mine) if (mine := table.moderators_seat()) and table.deputy else "",
        lapses=schedule.wakes(table, entry.noted),
        rulings=_report_rulings(table),
        followed=following.followed(table),
        late=late.rows(table),
        headline=headline,
        story=story,
        nmr=tuple(table.label(seat) for seat in table.nmr),
        result=table.outcome.result.how if table.outcome.result else "",
    )
    return ProofView(proof=view), _report_parts(table, marks) | _moderators_parts(table)


class Report(BaseView, frozen=True, kw_only=True):
    """
    What a report says to everybody besides the ruleset's parts.

    Shape: `reported` is the title of the phase; `headline` the moderator's, "" for none, and `story` paragraphs of
    theirs; `nmr` names who sent nothing, `handed` whose seats went to somebody else; `deputy` says whether the
    moderator has one since, or has none any more; `result` says how the game ended, "" while it goes on; `seed` is what
    `seal` sealed, "" until it is open. `followed` is what became of rulings that held for a power, `choices` what the
    moderator can have otherwise, where no proof has said it; `left` says to a seat that its late orders were not
    accepted.
    """

    template = "report"
    draws = True

    reported: str
    headline: str
    story: tuple[str, ...]
    rulings: tuple[RulingRow, ...]
    nmr: tuple[str, ...]
    handed: tuple[str, ...]
    deputy: Literal["", "begun", "ended"]
    result: str
    winners: tuple[str, ...]
    seed: str
    seal: str
    followed: tuple[Followed, ...]
    choices: tuple[Followed, ...] = ()
    left: bool = False


def _told_of(outcome: Outcome[Any]) -> list[str]:
    """Return the keys of the verdicts that are named by what everybody is told of a phase."""
    named = (event.facts.get("verdict", "") for event in audience.public(outcome))
    known = {one.key for one in outcome.verdicts}
    return [key for key in named if key in known]


class VerdictRow(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict with the number by which it can be overruled; `pinned` where it was."""

    number: int
    text: str
    value: str
    how: str
    rule: str
    pinned: bool


def verdicts(table: Table) -> tuple[VerdictRow, ...]:
    """Return all verdicts of a closed phase."""
    return tuple(
        VerdictRow(
            number=table.numbered.index(verdict.key) + 1,
            text=verdict.text,
            value=audience.show_fact(verdict.value),
            how=verdict.how,
            rule=verdict.rule,
            pinned=verdict.pinned,
        )
        for verdict in (table.outcome.verdicts if table.outcome else ())
    )


def pictures(table: Table) -> tuple[Picture, ...]:
    """Draw what happened in a closed phase, where its ruleset does."""
    assert table.outcome is not None
    return table.ruleset.pictures(table.state, table.outcome) if isinstance(table.ruleset, DrawnRuleset) else ()


def _report_parts(
    table: Table, marks: Mapping[str, str] | None = None, drawings: Sequence[Picture] | None = None
) -> dict[str, Facts]:
    """
    Return what a report on a table's outcome tells everybody: what it leads with, and the rest, drawings as text.

    Shape: `marks` are the numbers of verdicts by their keys, which a proof prints beside what they tell; `drawings`
    are what `pictures` drew, if it did.
    """
    outcome = table.outcome
    assert outcome is not None
    drawn = [list(picture.rows) for picture in (pictures(table) if drawings is None else drawings)]
    marks = marks or {}
    parts: dict[str, Facts] = {"report": {"events": audience.public(outcome), "drawn": drawn, "marks": marks}}
    if isinstance(table.ruleset, TellingRuleset):
        parts["lead"] = {"events": audience.public(outcome)}
    if outcome.result:
        parts["final"] = {"events": audience.public(outcome)}
    return parts


def _moderators_parts(table: Table) -> dict[str, Facts]:
    """Return what the moderator is told of a table's outcome besides: what is theirs, and what some seats alone are."""
    outcome, again = table.outcome, table.proof > 1
    assert outcome is not None
    parts: dict[str, Facts] = {}
    if own := [event for event in outcome.events if event.to == MODERATOR_ALONE]:
        parts["private"] = {"events": own, "again": again}
    if apart := audience.apart(table, outcome):
        parts["apart"] = {names: {"events": events, "again": again} for names, events in apart.items()}
    return parts


def _report_rulings(table: Table) -> tuple[RulingRow, ...]:
    """
    Return the rulings that the report prints: those of this phase, and effects that still hold.

    Of orders that were changed it says whose and why, and leaves what they were to the ruleset's own part. Why
    somebody was excused it never says.
    """
    rows = []
    for ruled in (*table.standing, *table.rulings):
        if (
            ruled.ruling.is_talk or ruled.ruling.is_unprinted or ruled.ruling.is_lasting
        ):  # what is said to all they have
            continue
        row, reported = ruling_row(table, ruled), ruled.ruling.reported()
        if ruled.ruling.keeps_reason:
            row = replace(row, because="")
        rows.append(row if reported == ruled.ruling.show() else replace(row, line=audience.named(table, reported)))
    return tuple(rows)


def reports(before: Table, entry: PhasePublished, after: Table) -> Iterator[Owed]:
    """Yield the reports of a published phase, with what is asked next."""
    shared, drawings = _view(before, entry), pictures(before)
    for seat in after.seats:
        parts = (
            _report_parts(before, drawings=drawings) | _own_parts(before, seat) | asked(after, seat) | hand(after, seat)
        )
        view = replace(shared, moment=moment(after, seat), left=seat in before.sets.late)
        yield letter(after, entry, view, seat, parts)
    if approving.is_seen(entry):
        return
    if not closing.is_reviewed(before):  # else the proof has said it
        shared = replace(shared, choices=following.followed(before, is_out=True))
    parts = _report_parts(before, drawings=drawings)
    if not closing.is_reviewed(before):  # else the proof has said what is for the moderator alone
        parts |= _moderators_parts(before)
    yield letter(after, entry, replace(shared, moment=moment(after, None)), None, parts)


def _view(before: Table, entry: PhasePublished) -> Report:
    assert before.outcome is not None and before.phase is not None
    result = before.outcome.result
    headline, story = _headline(before)
    return Report(
        reported=before.phase.title,
        headline=headline,
        story=story,
        rulings=_report_rulings(before),
        nmr=tuple(before.label(seat) for seat in before.nmr),
        handed=tuple(before.label(seat) for seat in before.handed),
        deputy=_deputy(before),
        result=result.how if result else "",
        winners=tuple(before.label(seat) for seat in result.winners) if result else (),
        seed=entry.seed,
        seal=before.charter.seal,
        followed=following.followed(before),
    )


def _deputy(table: Table) -> Literal["", "begun", "ended"]:
    """Say whether the moderator has a deputy since this phase opened, or has none any more."""
    had = table.base is not None and table.base.acting_deputy() is not None
    has = table.acting_deputy() is not None
    return "" if had is has else "begun" if has else "ended"


def _headline(table: Table) -> tuple[str, tuple[str, ...]]:
    """Return the moderator's headline and story for the report of a phase, "" and none where there are none."""
    said = [one.ruling for one in table.rulings if isinstance(one.ruling, Headline)]
    headline = next((one.text for one in reversed(said) if not isinstance(one, Story)), "")
    return headline, tuple(one.text for one in said if isinstance(one, Story))


def public_report(before: Table, entry: PhasePublished) -> tuple[Report, dict[str, Facts], tuple[Picture, ...]]:
    """Return view, parts and pictures of the public report of a phase, as `report.txt` keeps it and pages show it."""
    drawings = pictures(before)
    return _view(before, entry), _report_parts(before, drawings=drawings), drawings


OWN = ("happened", "private")
"""The ruleset's parts of a report that are for a seat alone."""


def _own_parts(before: Table, seat: Seat) -> dict[str, Facts]:
    """Return the ruleset's parts of a report for a seat alone: what happened to it, and what nobody else is told."""
    outcome, ruleset = before.outcome, before.ruleset
    assert outcome is not None
    parts: dict[str, Facts] = {}
    if isinstance(ruleset, TellingRuleset):
        known = tuple(event for event in outcome.events if audience.may_read(event, AtSeat(seat)))
        seen = replace(outcome, state=before.ruleset.view(outcome.state, seat), events=known)
        happened = ruleset.happened(seen, seat)
        if happened:
            parts["happened"] = happened | {"silent": seat in before.nmr}
    secret = audience.private(outcome, AtSeat(seat))
    return parts | ({"private": {"events": secret, "again": False}} if secret else {})
