"""What a game has told everybody: its published phases, read from its folder, as pages show them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import jinja2
import msgspec

from pbem.ground.terms import Event, Exhibit, Person, Picture
from pbem.hall.mail.outgoing import wording
from pbem.hall.store import game_folder, published
from pbem.hall.store.ledger import Step
from pbem.hall.store.published import Post, Press
from pbem.letters.dresses import document
from pbem.letters.dresses.document import Block, Chart, Line, Quote
from pbem.ruleset import ChartedRuleset, ExhibitingRuleset, Ruleset
from pbem.table.clock.views import RulingRow
from pbem.table.fold.journal import PhasePublished
from pbem.table.model import audience
from pbem.table.model.table import Table
from pbem.table.outgoing import reports
from pbem.table.rulings.redact import Redact
from pbem.world.shelf import Shelf

TAKEN_OFF = published.TAKEN_OFF
_HEAD = re.compile(r"^\[[^]]*\] +(.*?)(?: {2,}to all players)?$", re.MULTILINE)


replace = msgspec.structs.replace


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """
    A published phase.

    Shape: `lead`, `report` and `final` are the ruleset's parts, `text` the whole report as it was mailed. Of a phase
    that was closed under other rules than ours there is nothing but that. `story` are words of the moderator's, and
    `rulings` those that came in this phase; `posts` are what people posted in public, but for `left_out` that
    read as orders.
    """

    number: int
    title: str
    published: datetime
    text: str
    headline: str = ""
    story: tuple[str, ...] = ()
    lead: tuple[Block, ...] = ()
    report: tuple[Block, ...] = ()
    final: tuple[Block, ...] = ()
    nmr: tuple[str, ...] = ()
    handed: tuple[str, ...] = ()
    rulings: tuple[RulingRow, ...] = ()
    press: tuple[Press, ...] = ()
    posts: tuple[Post, ...] = ()
    left_out: int = 0
    pictures: tuple[Picture, ...] = ()
    events: tuple[Event, ...] = ()


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """
    A game, as everybody may know it: nothing of an open phase but its title and its deadline.

    Shape: `version` is that of its rules; `seats` are the names in it; `result` says how it ended, "" while it goes
    on; `seed` is what `seal` sealed, "" until it is open; `exhibited` is what the `exhibits` are called; `charts` show
    how it went, by what they are called; `people` are the names of who played, by seat, of those who want to be named,
    once it is over.
    """

    name: str
    ruleset: str
    version: int
    created: datetime
    seats: tuple[str, ...]
    status: str
    title: str
    deadline: datetime | None
    phases: tuple[Phase, ...]
    result: str
    winners: tuple[str, ...]
    seal: str
    seed: str
    exhibits: tuple[Exhibit, ...]
    exhibited: str
    charts: tuple[tuple[str, Chart], ...] = ()
    people: dict[str, str] = {}

    def with_person(self, name: str) -> str:
        """Return the name of a seat, and behind it that of who played it, where they want to be named."""
        return f"{name} ({self.people[name]})" if name in self.people else name


def read(
    shelf: Shelf,
    place: tuple[str, ...],
    rulesets: Mapping[str, Ruleset[Any, Any]],
    seed: bytes,
    words: jinja2.Environment,
    public: Mapping[Person, str] | None = None,
) -> Game:
    """
    Read what a game's folder has told everybody; `words` are templates in the marked dress.

    Shape: `public` are the names that people chose for pages; they are told once the game is over.

    Errors: ShelfError or CharterError where a file cannot be read.
    """
    terms = game_folder.read_charter(shelf, place, rulesets)
    ruleset = rulesets[terms.ruleset]
    phases: list[Phase] = []
    redacted: dict[int, Redact] = {}
    writers: dict[str, int] = {}
    count, posted, ruled, table = 0, 0, 0, None
    for folded in game_folder.phases(shelf, place, ruleset, terms, seed):
        table = folded.ledger.table
        names = {seat: table.label(seat) for seat in table.seats}
        press = tuple(published.press(folded.entries, count, names))
        count += len(press)
        heard = tuple(published.posts(folded.entries, posted))
        posted += len(heard)
        ruled = published.note_redactions(folded.entries, ruled, redacted)
        last = folded.entries[-1] if folded.entries else None
        if not isinstance(last, PhasePublished):
            continue
        text = shelf.read(*place, folded.name, "report.txt").decode("utf-8", "replace")
        number = int(folded.name.rpartition("-")[2])
        step = folded.ledger.fresh[-1] if folded.ledger.fresh else None
        if step is None or step.before.outcome is None:
            told = Phase(number=number, title=title_of(text), published=last.noted, text=text, press=press)
        else:
            told = _phase(number, step, last, text, press, words)
        phases.append(_with_posts(told, heard, writers))
    assert table is not None  # a game's folder begins with sign-up
    table = table.known_to_all()
    result = table.result
    events = [event for phase in phases for event in phase.events]
    for one in redacted.values():
        texts = published.texts(shelf, place, ruleset, one.what)
        phases = _without(phases, one, {*texts, *published.texts_of(ruleset, events, one.what)})
    exhibits: tuple[Exhibit, ...] = ()
    exhibited = ""
    if isinstance(ruleset, ExhibitingRuleset):
        shown, gone = _worded(table, ruleset.exhibits(events)), {one.what for one in redacted.values()}
        exhibits = tuple(
            replace(one, text=TAKEN_OFF, lines="", reading=()) if one.number in gone else one for one in shown
        )
        exhibited = ruleset.exhibited
    return Game(
        name=place[-1],
        ruleset=terms.ruleset,
        version=table.rules,
        created=terms.created,
        seats=tuple(table.label(seat) for seat in table.seats),
        status="paused" if table.paused is not None else table.status,
        title=table.title,
        deadline=table.deadline if table.status == "open" and table.paused is None else None,
        phases=tuple(phases),
        result=result.how if result else "",
        winners=tuple(table.label(seat) for seat in result.winners) if result else (),
        seal=terms.seal,
        seed=seed.hex() if result else "",
        exhibits=exhibits,
        exhibited=exhibited,
        charts=_charts(table, phases),
        people={
            table.label(seat): name
            for seat, one in table.seats.items()
            if result and (name := (public or {}).get(one.person, ""))
        },
    )


def _worded(table: Table, exhibits: Sequence[Exhibit]) -> tuple[Exhibit, ...]:
    """Put what the ruleset says of things into the words of the game; what people wrote stays as it is."""
    names = table.labels().values()
    return tuple(
        replace(one, reading=tuple((head, table.worded(says, names)) for head, says in one.reading)) for one in exhibits
    )


def _charts(table: Table, phases: Sequence[Phase]) -> tuple[tuple[str, Chart], ...]:
    """Return how a game went, where its ruleset has charts and there are two rounds at least."""
    if not isinstance(table.ruleset, ChartedRuleset):
        return ()
    return tuple(
        (
            table.worded(one.title, table.labels().values()),
            Chart(one.heads, tuple(Line(curve.name, curve.amounts) for curve in one.curves), one.ends),
        )
        for one in table.ruleset.charts([phase.events for phase in phases])
        if len(one.heads) > 2
    )


def _with_posts(phase: Phase, heard: Sequence[Post], writers: dict[str, int]) -> Phase:
    """
    Add what was posted, but for what reads as orders, each by which of those who post wrote it, over all phases.

    Of what was changed where it stands the last version of the phase is shown.
    """
    last = {one.version_of or str(one.number): one for one in heard}
    last = {name: one for name, one in last.items() if one.text}  # a picture alone has no words
    shown = [one for one in last.values() if not one.has_orders]
    posts = tuple(replace(one, writer=str(writers.setdefault(one.writer, len(writers) + 1))) for one in shown)
    return replace(phase, posts=posts, left_out=len(last) - len(posts))


def title_of(report: str) -> str:
    """Return the title of the phase that a report, as it was mailed, is of."""
    head = _HEAD.search(report)
    return head[1].capitalize() if head else "Report"


def _phase(
    number: int, step: Step, entry: PhasePublished, text: str, press: tuple[Press, ...], words: jinja2.Environment
) -> Phase:
    table = step.before
    assert table.outcome is not None
    view, parts, drawn = reports.public_report(table, entry)
    if "final" in parts:
        parts["final"] = parts["final"] | {"exhibited": isinstance(table.ruleset, ExhibitingRuleset)}
    blocks = {name: document.read(wording.part(words, table, name, parts)) for name in parts}
    return Phase(
        number=number,
        title=view.reported,
        published=entry.noted,
        text=text,
        headline=view.headline,
        story=view.story,
        lead=blocks.get("lead", ()),
        report=blocks["report"],
        final=blocks.get("final", ()),
        nmr=view.nmr,
        handed=view.handed,
        rulings=tuple(row for row in view.rulings if row.since == number),
        press=press,
        pictures=drawn,
        events=tuple(audience.public(table.outcome)),
    )


def _without(phases: Sequence[Phase], ruling: Redact, texts: Iterable[str]) -> list[Phase]:
    """Take what a ruling redacts out of all that phases show: press of its number, or these texts of a thing."""
    if ruling.what.startswith(("press ", "post ")):
        without = published.without_said
        return [replace(one, press=without(one.press, ruling), posts=without(one.posts, ruling)) for one in phases]
    return [_without_texts(phase, texts) for phase in phases]


def _without_texts(phase: Phase, texts: Iterable[str]) -> Phase:
    gone = published.as_words(texts)

    def shown(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        return tuple(
            replace(block, lines=(TAKEN_OFF,))
            if isinstance(block, Quote) and published.words(block.lines) in gone
            else block
            for block in blocks
        )

    return replace(
        phase,
        text=published.without(phase.text, gone),
        lead=shown(phase.lead),
        report=shown(phase.report),
        final=shown(phase.final),
    )
