"""
The fold: charter and entries in, table out; one entry, one small step.

How it works. A game is its charter, its seed and its journal. `first` makes the table that a charter alone
gives; `step` takes a table and the next entry and returns the next table; `fold` is that, for many entries.
Nothing else ever changes a table, and a step asks neither clock nor chance: times stand in the entries, faces
come from the seed and a label. So the same entries give the same table in every process and every year.

A phase is the unit that is kept. When GameBegun or PhasePublished has been folded, the table is at the start of
the next phase; what it then holds (`start`) is written to that phase's `state.toml`, and in daily work a fold
begins there (`resume`). `pbem replay` begins at the charter, and compares each start on the way.

Rulings are entries like all others. Those about the calendar and about orders act when their entry is folded;
those about facts are gathered by `closing` and are inputs of adjudication. Once a phase is closed, each further
ruling adjudicates it again from the same state, and the proof's number goes up. `undo` is the one entry that
reaches back: the phase is folded again from its start with that ruling left out. A verdict keeps the number by
which a proof first showed it, through all of these, since a moderator may answer any proof of the phase.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, assert_never, cast

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import CharterError, Person, Result, Seat
from pbem.ruleset import RenewingRuleset, Ruleset
from pbem.table import rulings
from pbem.table.clock import late, schedule, second_thought
from pbem.table.fold import approving, closing, deputies, handing_on, journal, talking
from pbem.table.fold.journal import Entry
from pbem.table.model import hands, threads
from pbem.table.model.charter import Charter
from pbem.table.model.sets import Kept, Offer, OnHand, Sets
from pbem.table.model.table import DEPUTY, Accepted, Ruled, Said, Seated, Status, Table, Thread
from pbem.table.requests.ahead import Ahead
from pbem.table.requests.back import Back
from pbem.table.requests.cancel import Cancel
from pbem.table.requests.forum_account import ForumAccount
from pbem.table.rulings import Ruling
from pbem.table.rulings import replace as replacing
from pbem.table.rulings.undo import Undo

replace = msgspec.structs.replace


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What a table holds at the start of a phase, as `state.toml` keeps it.

    Shape: `head` is the number of the last entry that it contains, `sum` that entry's check sum; `rules` is as in the
    table, 0 where an older release wrote the start; `grammar` is that of the orders and effects in it.
    """

    head: int
    sum: str
    number: int
    status: Status
    rules: int = 0
    grammar: int = 1
    ruled: int = 0
    seats: tuple[Seated, ...] = ()
    past: dict[Seat, tuple[Person, ...]] = {}
    accepted: dict[Seat, Accepted] | None = None
    threads: dict[str, Thread] = {}
    deputy: Person | None = None
    invited: tuple[Person, ...] = ()
    opened: datetime | None = None
    deadline: datetime | None = None
    hand: dict[Seat, OnHand] = {}
    later: dict[Seat, tuple[Kept, ...]] = {}
    last: dict[Seat, tuple[Kept, ...]] = {}
    dropped: dict[Seat, tuple[str, ...]] = {}
    unsent: dict[Seat, tuple[Said, ...]] = {}
    unheard: tuple[Said, ...] = ()
    standing: tuple[Ruled[Ruling], ...] = ()
    result: Result | None = None
    state: dict[str, Any] = {}


IN_BOTH = {*Start.__struct_fields__} & {*Table.__struct_fields__} - {"rules", "seats", "accepted", "state"}
"""The fields that a start holds as its table does."""
SETS_IN_BOTH = {*Start.__struct_fields__} & {*Sets.__struct_fields__}
"""The fields that a start holds as its table's sets do."""
LASTING = (
    "charter",
    "ruleset",
    "dice",
    "number",
    "seats",
    "past",
    "accepted",
    "threads",
    "deputy",
    "invited",
    "ruled",
)
"""The fields of a table that the end of a phase leaves as they are."""


def _fields(record: Start | Table | Sets, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def first(charter: Charter, ruleset: Ruleset[Any, Any], seed: bytes) -> Table:
    """Return the table that a charter alone gives: sign-up, nobody seated."""
    return _based(Table(charter=charter, ruleset=ruleset, dice=Dice(seed), rules=charter.version))


def start(table: Table, sum_: str) -> Start:
    """Return what a table at the start of a phase holds, to be kept."""
    return Start(
        **_fields(table, IN_BOTH),
        **_fields(table.sets, SETS_IN_BOTH),
        sum=sum_,
        rules=table.rules,
        grammar=table.ruleset.grammar,
        seats=tuple(table.seats.values()),
        accepted={**table.accepted} or None,  # left out of the file where nobody took an offer, as in older releases
        state=table.ruleset.dump(table.state) if table.state is not None else {},
    )


def resume(charter: Charter, ruleset: Ruleset[Any, Any], seed: bytes, kept: Start) -> Table:
    """Return the table that a kept start stands for."""
    state = ruleset.load(kept.state, kept.rules or charter.version) if kept.state else None
    return _based(
        Table(
            charter=charter,
            ruleset=ruleset,
            dice=Dice(seed),
            **_fields(kept, IN_BOTH),
            sets=Sets(**_fields(kept, SETS_IN_BOTH)),
            rules=kept.rules or charter.version,
            seats={seated.seat: seated for seated in kept.seats},
            accepted=kept.accepted or {},
            state=state,
            phase=ruleset.phase(state) if state is not None and kept.status == "open" else None,
        )
    )


def translated(start: Start, ruleset: Ruleset[Any, Any]) -> Start:
    """Return a start with its orders and effects in the grammar of today."""
    if start.grammar == ruleset.grammar:
        return start
    translate = partial(ruleset.translated, grammar=start.grammar)
    hand = {seat: journal.translated(held, "orders", translate) for seat, held in start.hand.items()}
    later, last = (
        {seat: tuple(journal.translated(one, "orders", translate) for one in kept) for seat, kept in sets.items()}
        for sets in (start.later, start.last)
    )
    rulings = (journal.translated(one.ruling, one.ruling.canonical, translate) for one in start.standing)
    standing = tuple(replace(one, ruling=ruling) for one, ruling in zip(start.standing, rulings, strict=True))
    return replace(start, grammar=ruleset.grammar, hand=hand, later=later, last=last, standing=standing)


def fold(table: Table, entries: Iterable[Entry]) -> Table:
    """Fold entries, in their order, onto a table."""
    for entry in entries:
        table = step(table, entry)
    return table


def step(table: Table, entry: Entry) -> Table:
    """
    Fold one entry.

    Errors: an assertion where the entry is not the next one, or cannot follow (our fault, or a broken file).
    """
    assert entry.number == table.head + 1, f"entry {entry.number} does not follow {table.head}"
    undone = _undone(table, entry)
    if undone - table.undone:
        assert table.base is not None
        shown = max(table.shown, table.proof)
        kept = {"undone": table.undone | undone, "numbered": table.numbered, "shown": shown, "asked": table.asked}
        fresh = replace(table.base, base=table.base, **kept)
        again = fold(fresh, (*cast("tuple[Entry, ...]", table.log), entry))
        return second_thought.reckoned(table, _with_time(table, again, entry), entry.noted)
    after = second_thought.reckoned(table, _with_time(table, _step(table, entry), entry), entry.noted)
    table = replace(talking.hear(table, after, entry), head=entry.number, log=(*table.log, entry))
    key = getattr(entry, "key", "")
    if key:
        table = replace(table, keys=table.keys | {key})
    return _based(table) if isinstance(entry, (journal.PhasePublished, journal.GameBegun)) else table


def _based(table: Table) -> Table:
    table = replace(table, base=None, log=(), undone=frozenset())
    return replace(table, base=table)


def _undone(table: Table, entry: Entry) -> frozenset[int]:
    if not isinstance(entry, journal.RulingGiven) or entry.test:
        return frozenset()
    return frozenset(one.number for one in entry.rulings if isinstance(one, Undo))


def _step(table: Table, entry: Entry) -> Table:
    match entry:
        case journal.GameFounded():
            return table
        case journal.PersonInvited():
            return replace(table, invited=(*table.invited, entry.person))
        case journal.SeatTaken():
            seated = Seated(entry.seat, entry.name, entry.person)
            return talking.join(replace(table, seats={**table.seats, entry.seat: seated}), entry)
        case journal.GameBegun():
            closing.check(table)
            begun = replace(_begin(table), unsent=talking.still_waiting(table, entry.noted))
            return _open(begun, entry.noted, entry.deadline)
        case journal.OrdersReceived():
            return _receive(table, entry)
        case journal.RulingGiven():
            return _rule(table, entry)
        case journal.TokenLeaked():
            key = (entry.seat, entry.phase)
            return replace(table, leaks={**table.leaks, key: table.leaks.get(key, 0) + 1})
        case journal.PostArchived():
            return table
        case journal.SeatHandedOn():
            return handing_on.hand_on(table, entry.seat, entry.person, is_struck=entry.struck)
        case journal.OfferAccepted():
            one = Accepted(entry.person, entry.ruling, table.number, entry.message_id)
            return handing_on.accept(table, entry.seat, one)
        case journal.OfferDeclined():
            return replacing.declined(table, entry.seat, entry.person)
        case journal.OrdersLapse():
            return hands.lapse(table, entry.seat, is_off=entry.is_off)
        case journal.DeputyAnswered():
            return deputies.answered(table, entry.person, is_yes=entry.is_yes)
        case journal.ThreadChanged():
            return threads.follow(table, entry.seat, entry.nth, entry.became, entry.topic, entry.author)
        case journal.ReminderGiven():
            return replace(table, reminded=(*table.reminded, entry.before))
        case journal.ReviewOverdue():
            return replace(table, overdue=table.overdue + 1)
        case journal.WordsPassedOn():
            return table
        case journal.AnnouncementMade():
            waiting = tuple(one for one in table.announced if one.number not in entry.rulings)
            return replace(table, announced=waiting)
        case journal.RulesChanged():
            return _renew(table, entry)
        case journal.PhaseClosed():
            closing.check(table)
            return _close(table, entry)
        case journal.QuestionAsked():
            # An `undo` may have left nothing to ask.
            table = replace(table, questions=table.questions + 1)
            asks = table.outcome is not None and table.outcome.asks
            return closing.stop_to_ask(table, entry.noted, entry.deadline) if asks else table
        case journal.PhasePublished():
            closing.check(table)
            published = _publish(hands.without_lapsed(table), entry.noted)
            opened = _open(published, entry.noted, entry.deadline) if entry.deadline else published
            return handing_on.still_accepted(opened)
        case _:
            assert_never(entry)


def _renew(table: Table, entry: journal.RulesChanged) -> Table:
    """Go on under other rules: once, where the journal says so, since what is written into a state later stays."""
    return _with_todays_words(replace(table, rules=entry.version))


def _with_todays_words(table: Table) -> Table:
    if table.state is None or not isinstance(table.ruleset, RenewingRuleset):
        return table
    return replace(table, state=table.ruleset.renewed(table.state))


def _begin(table: Table) -> Table:
    names = {seat: seated.name for seat, seated in table.seats.items()}
    state = table.ruleset.setup(names, table.house, table.dice.at(f"{table.charter.game}/setup"))
    nobody: frozenset[Seat] = frozenset()
    fresh = replace(
        table,
        rulings=(),
        sets=replace(table.sets, hand={}),
        waits=nobody,
        ready=nobody,
        excused=nobody,
        heard={},
        uninvited=(),
    )
    return replace(fresh, state=state, begin_now=False, announced=())


def _open(table: Table, opened: datetime, deadline: datetime) -> Table:
    phase = table.ruleset.phase(table.state)
    number = table.number + 1
    table = replace(table, status="open", number=number, phase=phase, opened=opened, deadline=deadline)
    for seat in phase.owing:
        table = hands.carry(table, seat, opened)
    return table


def _receive(table: Table, entry: journal.OrdersReceived) -> Table:
    """Fold a seat's mail: first a `cancel`, then the set, then whatever else was asked for."""
    seat, before = entry.seat, table
    table = talking.receive(table, entry)
    stamp = (entry.arrived, entry.mail, entry.cause)
    for request in entry.requests:
        table = request.act(table, seat) if isinstance(request, Cancel) else table
    if entry.late:
        table = late.keep(table, seat, OnHand(entry.orders, stamp, entry.incomplete))
    if entry.taken and _counts(table, entry):
        held = OnHand(entry.orders, stamp, entry.incomplete)
        table = table.with_sets(seat, hand=held, late=None)
        if table.ruleset.lacks(table.state, seat, table.orders(seat)):
            table = replace(table, ready=table.ready - {seat})  # what was said of another set is not said of this one
        if hands.is_standing(table, seat) and not entry.doubts:
            table = hands.keep_standing(table, seat)
    if Back() in entry.requests and _counts(table, entry):
        table = hands.restore(table, seat, stamp)
    table = hands.with_replaced(table, before, seat)
    is_of_a_set = entry.tried or any(request.is_about_the_set for request in entry.requests)
    if entry.offered or is_of_a_set:  # whatever is newer ends an offer
        new = Offer(entry.offered, entry.number, entry.phase, table.question_to(seat))
        table = table.with_sets(seat, offers=new if entry.offered else None)
    ahead: dict[str, tuple[str, ...]] = {}
    for request in entry.requests:
        if isinstance(request, Ahead):
            ahead[request.title] = (*ahead.get(request.title, ()), *request.orders)
        elif not isinstance(request, Cancel):
            table = request.act(table, seat)
    if (
        entry.doubts and not entry.late and seat in table.sets.hand and _counts(table, entry)
    ):  # no `ready` of the same mail settles them
        table = table.with_sets(seat, hand=replace(table.sets.hand[seat], doubtful=True))
    return hands.keep_ahead(table, seat, ahead)


def _counts(table: Table, entry: journal.OrdersReceived) -> bool:
    """Say whether a set counts that was taken: an `undo` may have left another question, or none, where it answers."""
    if not table.sealed or not table.undone:
        return table.status == "open"
    return entry.seat in table.sending and not table.parsed(entry.seat, entry.orders).complaints


def _rule(table: Table, entry: journal.RulingGiven) -> Table:
    if entry.test:
        return table
    before = table
    for request in entry.requests:
        if isinstance(request, ForumAccount):
            table = threads.ask(table, DEPUTY if entry.by_deputy else "", request.account)
    for ruling in entry.rulings:
        table = rulings.carry_out(table, ruling, entry.noted)
    for seat in table.seats:
        if table.sets.hand.get(seat) != before.sets.hand.get(seat):
            table = table.with_sets(seat, replaced=None)
    if not approving.makes_proof(before, entry.rulings):
        return table
    if table.sealed and not table.close_now:
        table = closing.ask_anew(table, entry.noted)
    return _proved(table) if table.status == "closed" else table


def _with_time(before: Table, after: Table, entry: Entry) -> Table:
    """
    Give time to whoever a ruling asks something else in the middle of a phase than they were asked before.

    Shape: what they had answered counts at the deadline, and no longer as all that is awaited of them.
    """
    asked = closing.asked_anew(before, after) if isinstance(entry, journal.RulingGiven) else None
    if not asked:
        return after
    assert after.phase is not None and after.deadline is not None
    deadline = max(after.deadline, schedule.answer_by(after, after.phase.kind, entry.noted))
    hand = {seat: replace(one, fresh=one.fresh and seat not in asked) for seat, one in after.sets.hand.items()}
    after = replace(after, deadline=deadline, sets=replace(after.sets, hand=hand), ready=after.ready - asked)
    return replace(after, reminded=schedule.reminders_due(after, entry.noted))


def _proved(table: Table) -> Table:
    """Adjudicate a closed phase; it has one proof more then, unless it stops to ask."""
    outcome = closing.adjudicate(table)
    if outcome.asks:
        return replace(table, outcome=outcome)
    keys = (verdict.key for verdict in outcome.verdicts)
    numbered = tuple(dict.fromkeys((*table.numbered, *keys)))
    # Behind a question that an `undo` brought up proofs begin anew; no number may mean two of them.
    before = max(table.proof, table.shown) if table.questions else table.proof
    return replace(table, outcome=outcome, numbered=numbered, proof=before + 1)


def _close(table: Table, entry: journal.PhaseClosed) -> Table:
    if table.status == "closed":
        return table  # an `undo` has left nothing to ask
    if table.sealed:
        table = closing.with_answers(table)
    else:
        is_older = entry.version != table.ruleset.version
        table = _with_todays_words(table) if is_older else table  # it goes on only if it has stopped to ask
        ended = entry.noted if table.paused or not table.deadline else min(entry.noted, schedule.cutoff(table))
        table = replace(table, ended=ended)
        seats = {
            seat: replace(seated, nmr=seated.nmr + 1 if seat in entry.nmr else 0) if seat in table.owing else seated
            for seat, seated in table.seats.items()
        }
        table = replace(table, seats=seats, nmr=entry.nmr)
    table = _proved(replace(table, status="closed", closed=entry.noted, paused=None, overdue=0))
    is_asking = table.outcome is not None and table.outcome.asks  # then nothing has been decided yet, nor shown
    if entry.version != table.ruleset.version and not is_asking:
        raise version_error(table.charter.game, [entry])
    return table


def _publish(table: Table, noted: datetime) -> Table:
    assert table.outcome is not None, "published without an outcome"
    lasting = (ruled for ruled in (*table.standing, *table.rulings) if ruled.ruling.lasts(table))
    standing = tuple(replace(ruled, at_proof=False) for ruled in lasting)
    return Table(
        **_fields(table, LASTING),
        sets=Sets(later=table.sets.later, last=hands.last(table)),
        unsent={} if table.outcome.result else talking.still_waiting(table, noted),
        unheard=table.unheard,
        rules=table.ruleset.version,
        status="over" if table.outcome.result else "closed",
        state=table.outcome.state,
        standing=standing,
        result=table.outcome.result,
    )


def next_kind(table: Table) -> str:
    """Return the kind of the phase that opens next: after sign-up, or after the adjudication on the table."""
    if table.status == "sign-up":
        return table.ruleset.phase(_begin(table).state).kind
    assert table.outcome is not None
    return table.ruleset.phase(table.outcome.state).kind


def digest(ruleset: Ruleset[Any, Any], state: Any) -> str:
    """Return the digest of a state: SHA-256 of its canonical dump, cut to 32 hex digits."""
    return digest_of(ruleset.dump(state))


def digest_of(dumped: Mapping[str, Any]) -> str:
    """Return the digest of a state that was dumped."""
    return hashlib.sha256(msgspec.json.encode(dumped, order="deterministic")).hexdigest()[:32]


def version_error(game: str, entries: Iterable[Entry]) -> CharterError:
    """Say that a phase was closed under other rules than ours, and waits for them."""
    closed = next(entry for entry in entries if isinstance(entry, journal.PhaseClosed))
    return CharterError(
        f"{game}: phase {closed.phase} was closed under version {closed.version} of its rules and is not published. "
        "Let that version of pbem publish it (pbem games says for what it waits), and upgrade then."
    )
