"""One sweep, on one page: everything of "the way of a mail", safe to stop anywhere and to run again."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import msgspec

from pbem.hall.mail.incoming import (
    authority,
    desk,
    dispositions,
    forum_mail,
    intake,
    no_game,
    purging,
    thread_mail,
    unpacking,
)
from pbem.hall.mail.incoming.unpacking import Parcel
from pbem.hall.mail.outgoing import bouncing, copies, digest, forum_amending, forum_posts, merging, sending, troubles
from pbem.hall.store import edits
from pbem.hall.store.arena import Arena, Doors
from pbem.hall.store.ledger import EditedError, Ledger, Step, plan
from pbem.hall.sweep import due_entries
from pbem.hall.sweep.finish import finish
from pbem.table import schedule
from pbem.table.journal import Entry, RulingGiven
from pbem.table.table import Table
from pbem.terms import ForumError, GameName, Mail, MailboxError, ShelfError, WorldError

DESK = "desk"
BEHIND = (
    "a mail answers a letter of a later phase than this game has come to, so the game was put back from a backup, and "
    "what came since is missing. Stop the daemon, run pbem rescan, and start it again: the mails since are taken once "
    "more. If they were, a ruling that was given on the terminal is missing: give it again with pbem rule. Mail waits "
    "until then."
)
PUT_BACK = (
    "The index was missing, and was made again. If this arena was put back from a backup, what came since is missing: "
    "stop the daemon, run pbem rescan, and start it again. If only the index was deleted, all is well."
)
SLOW = 2
"""Seconds of reading beyond which somebody should look at a mail."""
WAITS = (
    "{} waits with its deadline: orders may stand in private threads on the forum, which cannot be read. It goes on by "
    "itself once they can. To go on without them, write: close now because REASON"
)
TOLD = timedelta(hours=1)
"""How long a game waits for its threads before its moderator is told."""
LOOK_AGAIN = timedelta(minutes=10)
"""How soon a game in trouble wakes us of itself."""


class Outcome(msgspec.Struct, frozen=True):
    """
    What became of a mail, for the log: nothing that it says, and no address.

    Shape: `became` is its disposition in its game, or why it landed on the desk; `seat` whose it is, "" for nobody's.
    Units: `seconds` is how long it took to read, where that was long.
    """

    message_id: str
    became: str
    game: str = ""
    seat: str = ""
    entry: int = 0
    seconds: float = 0


class Swept(msgspec.Struct, kw_only=True):
    """
    What a sweep did: mails handled and what became of each, entries made, letters sent, troubles in words.

    Shape: `still` are the games that stand still, `letters` which letter tells the moderator of each, "" where none
    could be filed; `waiting` are games that wait for their threads on the forum; `away` the troubles that are those of
    the mail servers and so of the whole arena; they stand among the `troubles` too. `drained` says that the mailbox was
    read to its end.
    Units: `spent` are the seconds that it took to read each mail, by its digest.
    """

    mails: int = 0
    entries: int = 0
    sent: int = 0
    troubles: list[str] = []
    still: set[str] = set()
    letters: dict[str, str] = {}
    waiting: set[str] = set()
    away: list[str] = []
    drained: bool = False
    outcomes: list[Outcome] = []
    spent: dict[str, float] = {}


def sweep(arena: Arena, doors: Doors, *, is_sure: bool = True) -> Swept:
    """
    Drain the mailbox, do what the calendar asks, send what is on file.

    The clock is read once. Every step can be repeated: raw mail is kept before it is understood, entries are
    durable before anything follows from them, letters are on file before they are sent, and a mail is marked
    last. One broken game stops itself; its mail stays in the mailbox, and while any does, no phase is closed.
    Asked to stop, it ends after the batch, the game or the letter in hand; the next sweep goes on there. Where it
    `is_sure` not what time it is, mail is taken and sent, and nothing is done that a clock calls for.
    """
    now = doors.clock.now()
    swept = Swept(troubles=[*arena.not_loaded, *([PUT_BACK] if arena.put_back else [])])
    arena.put_back = False
    for place in sorted({*arena.index.games.due(now), *arena.edited()}):
        _visit(arena, swept, place, partial(desk.recover, arena) if place == DESK else _do_nothing, now)
    swept.drained = _drain(arena, doors, swept, now)
    _with_forum(swept, partial(_read_forum, arena, doors, swept, now))
    if swept.drained and is_sure:
        for game in arena.index.games.due(now):
            if game not in swept.still and not doors.stopping():
                work = partial(_advance, arena, swept, game, now, has_forum=doors.forum is not None)
                if _visit(arena, swept, game, work, now) and game in swept.waiting:
                    _let_wait(arena, swept, game, now)
    if is_sure:
        digest.file(arena, now)
        copies.look(arena, now)
        _do_if_possible(swept, partial(purging.purge, arena, now))
    _do_if_possible(swept, partial(merging.merge, arena, now))
    sent = sending.send(arena, doors, now)
    for letter in sent.refused:
        _do_if_possible(swept, partial(bouncing.count_returned, arena, letter, now))
    _with_forum(swept, partial(_tell_forum, arena, doors, swept, now))
    swept.sent = sent.letters
    swept.troubles += sent.troubles
    swept.away += sent.away
    arena.index.counters.note_odd(swept.troubles, now)
    return swept


def _drain(arena: Arena, doors: Doors, swept: Swept, now: datetime) -> bool:
    """Take all mail that there is; say whether that worked: if not, orders may be waiting, and no deadline may pass."""
    waiting: set[str] = set()
    try:
        while not doors.stopping():
            mails = _fetch(arena, doors, waiting | arena.unmarked.keys())
            waiting |= take_mails(arena, swept, mails, now) if mails else set()
            _mark(arena, doors, swept, [mail for mail in mails if mail.name not in waiting])
            if not mails:
                return True
    except MailboxError as error:
        _note_mailbox_away(swept, error)
    return False


def _read_forum(arena: Arena, doors: Doors, swept: Swept, now: datetime) -> None:
    """Take what people have posted, first in the threads of games that are due: orders may be among it."""
    if doors.forum is None:
        return

    def take(mails: Sequence[Mail]) -> bool:
        return not take_mails(arena, swept, mails, now)

    due: dict[str, datetime] = {}
    for game in filter(arena.index.forum.has_threads, arena.index.games.due(now)):
        with suppress(WorldError):  # whose table cannot be read waits in any case
            until = schedule.heard_until(arena.ledger(GameName(game)).table)
            due |= {game: until} if until and until <= now else {}
    swept.troubles += thread_mail.fetch(arena, doors.forum, now, due, take)
    swept.troubles += forum_mail.fetch(arena, doors.forum, now, take)


def _is_read(arena: Arena, table: Table) -> bool:
    """
    Say whether all that stood in a game's private threads, when its phase was to close, has been read.

    Like mail in a mailbox that is away what is left there holds up the deadline, of this game and of no other.
    """
    until = schedule.heard_until(table)
    return until is None or arena.index.forum.is_read(table.charter.game, until)


def _let_wait(arena: Arena, swept: Swept, game: str, now: datetime) -> None:
    """Let a game wait for its threads; if that lasts its moderator is told, who can close the phase all the same."""
    until = schedule.heard_until(arena.ledger(GameName(game)).table)
    if until and now - until > TOLD:
        _stop_game(arena, swept, game, ForumError(WAITS.format(game), "later"), now)
    arena.index.games.retry_at(game, arena.index.forum.alone_until(now) or now + forum_mail.EVERY)


def _tell_forum(arena: Arena, doors: Doors, swept: Swept, now: datetime) -> None:
    swept.troubles += forum_posts.send(arena, doors.forum, now)
    swept.troubles += forum_amending.amend(arena, doors.forum, now)


def _fetch(arena: Arena, doors: Doors, waiting: set[str]) -> list[Mail]:
    batch = arena.settings.daemon.batch
    return [mail for mail in doors.mailbox.fetch(batch + len(waiting)) if mail.name not in waiting]


def _mark(arena: Arena, doors: Doors, swept: Swept, mails: Sequence[Mail]) -> None:
    """
    Mark the mails that were taken, and those that could not be marked before; a mailbox that refuses stops no game.

    What is not marked is only passed over: the next sweep tries again, and another process finds that it knows it.
    """
    arena.unmarked |= {mail.name: msgspec.structs.replace(mail, raw=b"") for mail in mails}
    if arena.unmarked and not swept.away:
        try:
            doors.mailbox.mark([*arena.unmarked.values()])
            arena.unmarked.clear()
        except MailboxError as error:
            _note_mailbox_away(swept, error)


def _note_mailbox_away(swept: Swept, error: MailboxError) -> None:
    swept.away.append(str(error))
    swept.troubles.append(str(error))


def take_mails(arena: Arena, swept: Swept, mails: Sequence[Mail], now: datetime) -> set[str]:
    """Keep, read and record a batch of mails; return the names of those that could not be taken yet."""
    with arena.shelf.batch() as batch:
        for mail in mails:
            batch.write(mail.raw, "in", f"{mail.digest}.eml", once=True)
    swept.mails += len(mails)
    waiting: set[str] = set()
    by_place: dict[str, list[Parcel]] = defaultdict(list)
    for mail in sorted(mails, key=lambda mail: (mail.arrived, mail.name)):
        try:
            began = arena.steady()
            parcel = unpacking.unpack(arena, mail)
            swept.spent[mail.digest] = arena.steady() - began
            by_place[parcel.game if arena.has_game(parcel.game) else DESK].append(parcel)
        except Exception as error:  # noqa: BLE001  whatever is wrong with one mail, the others are read
            if not _was_set_aside(arena, swept, mail, "", error, now):
                waiting.add(mail.name)
    # The desk marks itself, and heals what it finds.
    arena.index.games.mark_busy(place for place in by_place if place != DESK)
    for place, parcels in by_place.items():
        left = parcels if place in swept.still else _hand_over(arena, swept, place, parcels, now)
        if left:
            swept.still.add(place)
            waiting |= {parcel.mail.name for parcel in left}
    return waiting


def _hand_over(arena: Arena, swept: Swept, place: str, parcels: Sequence[Parcel], now: datetime) -> Sequence[Parcel]:
    """
    Let a game, or the desk, take its mails; return those that must come again.

    Where a fault of ours stops it and the game is sound without them, they are taken one by one.
    """
    error = _attempt(arena, place, partial(_record, arena, swept, place, parcels, now), now)
    if error is None:
        return ()
    if isinstance(error, WorldError):
        _stop_game(arena, swept, place, error, now)
        return parcels
    if not _visit(arena, swept, place, _do_nothing, now):
        return parcels
    if len(parcels) > 1:
        return [left for one in parcels for left in _hand_over(arena, swept, place, [one], now)]
    return () if _was_set_aside(arena, swept, parcels[0].mail, place, error, now) else parcels


def _was_set_aside(arena: Arena, swept: Swept, mail: Mail, place: str, error: Exception, now: datetime) -> bool:
    swept.troubles.append(f"{place or 'mail'} {mail.name}: {troubles.describe(error)}")
    if isinstance(error, WorldError) or not troubles.set_aside(arena, mail, place, error, now):
        return False
    swept.outcomes.append(Outcome("", "set aside", place if arena.has_game(place) else ""))
    return True


Work = Callable[[], object]


def _do_nothing() -> None:
    pass


def _attempt(arena: Arena, place: str, work: Work, now: datetime, tries: int = 3) -> Exception | None:
    """
    Do some work at a game, or at the desk; if it breaks, leave the game as journaled and return why.

    A person's edit that comes as we work is read first, and the work done again from there.
    """
    try:
        if place != DESK:
            _look_for_edits(arena, GameName(place), now)
        work()
        if place != DESK:
            finish(arena, GameName(place), now)
    except EditedError as error:
        arena.drop(GameName(place))
        return _attempt(arena, place, work, now, tries - 1) if tries else error
    except Exception as error:  # noqa: BLE001  whatever is wrong with one game, the others go on
        arena.drop(GameName(place))
        return error
    return None


def _visit(arena: Arena, swept: Swept, place: str, work: Work, now: datetime) -> bool:
    error = _attempt(arena, place, work, now)
    if error:
        _stop_game(arena, swept, place, error, now)
    return error is None


def _do_if_possible(swept: Swept, work: Work) -> None:
    """Do work that must not keep letters from being sent: its failure is noted as a trouble."""
    try:
        work()
    except WorldError as error:
        swept.troubles.append(str(error))


def _with_forum(swept: Swept, work: Work) -> None:
    """Do work with the forum: whatever is wrong there, or with our door to it, games go on by mail."""
    try:
        work()
    except Exception as error:  # noqa: BLE001  even a fault of ours stops nothing but the forum
        swept.troubles.append(troubles.describe(error))


def _stop_game(arena: Arena, swept: Swept, place: str, error: Exception, now: datetime) -> None:
    """Let a game stand still: tell its moderator, and look again at each sweep without being woken for it."""
    swept.still.add(place)
    swept.troubles.append(f"{place}: {troubles.describe(error)}")
    swept.letters[place] = troubles.report(arena, place, error, now)
    arena.index.games.retry_at(place, now + LOOK_AGAIN)


def _look_for_edits(arena: Arena, game: GameName, now: datetime) -> None:
    ledger = arena.ledger(game)
    edit = edits.hand_edit(ledger, now)
    if edit:
        ledger.append(edit)


def _record(arena: Arena, swept: Swept, place: str, parcels: Sequence[Parcel], now: datetime) -> None:
    """Turn mails into entries and cases of the desk, and keep them; what they would owe is reckoned before."""
    if place == DESK:
        cases = [_timed(arena, swept, parcel, partial(no_game.put_on_desk, arena, parcel)) for parcel in parcels]
        _settle(arena, swept, cases, now)
        return
    ledger = arena.ledger(GameName(place))
    steps: list[Step] = []
    cases = []
    done: list[Mail] = []
    outcomes: list[Outcome] = []
    for parcel in parcels:
        table = steps[-1].after if steps else ledger.table
        if authority.is_ahead(arena, table, parcel):
            _commit(ledger, swept, steps)
            swept.outcomes += outcomes
            outcomes.clear()
            _advance(arena, swept, GameName(place), parcel.mail.arrived)
            table = ledger.table
            if authority.is_ahead(arena, table, parcel):
                raise ShelfError(f"{place}: {BEHIND}")
        if desk.is_asked(arena, cases, parcel.token):  # both come at once where mail is looked at again
            _settle(arena, swept, cases, now)
            _keep_with_game(arena, place, done)
            cases.clear()
        done.append(parcel.mail)
        found = _timed(arena, swept, parcel, partial(intake.admit, arena, ledger, table, parcel, now))
        if isinstance(found, desk.Case):
            cases.append(found)
        else:
            steps.append(plan(table, found))
            outcomes.append(_outcome(place, parcel, found, _slow(swept, parcel.mail)))
    _commit(ledger, swept, steps)
    swept.outcomes += outcomes
    _settle(arena, swept, cases, now)
    _keep_with_game(arena, place, done)


T = TypeVar("T")


def _timed(arena: Arena, swept: Swept, parcel: Parcel, work: Callable[[], T]) -> T:
    """Add the time that some work on a mail takes to what it has taken."""
    began = arena.steady()
    found = work()
    swept.spent[parcel.mail.digest] = swept.spent.get(parcel.mail.digest, 0) + arena.steady() - began
    return found


def _slow(swept: Swept, mail: Mail) -> float:
    """Return how many seconds a mail took to read if that was long, else 0; it is taken like any other."""
    seconds = round(swept.spent.get(mail.digest, 0), 1)
    return seconds if seconds > SLOW else 0


def _outcome(game: str, parcel: Parcel, entry: Entry, seconds: float) -> Outcome:
    seat = "moderator" if isinstance(entry, RulingGiven) else getattr(entry, "seat", "")
    return Outcome(parcel.letter.message_id, dispositions.of_entry(entry), game, seat, entry.number, seconds)


def _settle(arena: Arena, swept: Swept, cases: Sequence[desk.Case], now: datetime) -> None:
    """Let the desk take its mails."""
    for case in desk.settle(arena, cases, now):
        game = case.game if arena.has_game(case.game) else ""
        seat, seconds = case.wish.seat if case.wish else "", _slow(swept, case.mail)
        swept.outcomes.append(Outcome(case.letter.message_id, case.why, game, seat, seconds=seconds))


def _keep_with_game(arena: Arena, place: str, done: list[Mail]) -> None:
    """Move mails that are done with to their game's folder, and empty the list."""
    for name in (f"{mail.digest}.eml" for mail in done):
        arena.shelf.move(("in", name), ("games", place, "post", "in", name))
    done.clear()


def _commit(ledger: Ledger, swept: Swept, steps: list[Step]) -> None:
    """Commit planned entries, all at once, and empty the list."""
    if steps:
        ledger.commit(steps)
        swept.entries += len(steps)
        steps.clear()


def _advance(arena: Arena, swept: Swept, game: str, now: datetime, *, has_forum: bool = False) -> None:
    """Do what is due at a game by an instant, one entry at a time, until nothing is, or it waits for its threads."""
    ledger = arena.ledger(GameName(game))
    while due := schedule.due(ledger.table, now):
        if has_forum and isinstance(due, schedule.Close) and not _is_read(arena, ledger.table):
            swept.waiting.add(game)
            return
        ledger.append(due_entries.entry(arena, ledger, due, now))
        swept.entries += 1
