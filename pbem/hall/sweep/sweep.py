"""One sweep, on one page: everything of "the way of a mail", safe to stop anywhere and to run again."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

import msgspec

from pbem.ground.terms import ForumError, GameName, Mail, MailboxError, WorldError
from pbem.hall.mail.incoming.desk import desk, purging
from pbem.hall.mail.incoming.unpack import forum_mail, thread_mail
from pbem.hall.mail.outgoing import bouncing, copies, digest, forum_amending, forum_posts, merging, sending, troubles
from pbem.hall.store.arena import Arena, Doors
from pbem.hall.store.ledger import Ledger
from pbem.hall.store.pausing import Pausing
from pbem.hall.sweep import due, reindexing, waves, withheld
from pbem.hall.sweep.standing import DESK, stop_game
from pbem.hall.sweep.swept import Swept
from pbem.hall.sweep.taking import take_mails
from pbem.hall.sweep.turns import Turns
from pbem.hall.sweep.waves import Visit
from pbem.hall.sweep.withheld import Looks
from pbem.table.clock import schedule
from pbem.table.model.table import Table
from pbem.world.shelf import Batch

PUT_BACK = (
    "The index was missing, and was made again. If this arena was put back from a backup, what came since is missing: "
    "stop the daemon, run pbem rescan, and start it again. If only the index was deleted, all is well."
)
WAITS = (
    "{} waits with its deadline: orders may stand in private threads on the forum, which cannot be read. It goes on by "
    "itself once they can. To go on without them, write: close now because REASON"
)
TOLD = timedelta(hours=1)
"""How long a game waits for its threads before its moderator is told."""


def sweep(arena: Arena, doors: Doors, *, is_sure: bool = True) -> Swept:
    """
    Drain the mailbox, do what the calendar asks, send what is on file.

    The clock is read once. Every step can be repeated: entries are durable before anything follows from them, the
    bytes of a mail are kept and letters are on file before any is sent, and a mail is marked last. Games are visited
    in waves, which share their commits. One broken game stops itself; its mail stays in the mailbox, and while any
    does, no phase is closed.
    Asked to stop, it ends after the batch, the game or the letter in hand; the next sweep goes on there. Where it
    `is_sure` not what time it is, mail is taken and sent, and nothing is done that a clock calls for.
    """
    now = doors.clock.now()
    if not arena.is_whole:
        reindexing.make_whole(arena)
    swept = Swept(troubles=[*arena.not_loaded, *([PUT_BACK] if arena.put_back else [])])
    arena.put_back = False
    _heal(arena, swept, now)
    swept.drained = _drain(arena, doors, swept, now)
    _with_forum(swept, partial(_read_forum, arena, doors, swept, now))
    if swept.drained and is_sure:
        _do_what_is_due(arena, doors, swept, now)
    if is_sure:
        digest.file(arena, now)
        copies.look(arena, now)
        _do_if_possible(swept, partial(purging.purge, arena, now))
    _do_if_possible(swept, partial(merging.merge, arena, now))
    sent = sending.send(arena, doors, now)
    for letter in sent.refused:
        _do_if_possible(swept, partial(bouncing.count_returned, arena, letter, now))
    if doors.forum or sent.others_wait:
        _with_forum(swept, partial(_tell_forum, arena, doors, swept, now))
    swept.sent = sent.letters
    swept.troubles += sent.troubles
    swept.away += sent.away
    arena.index.counters.note_odd(swept.troubles, now)
    return swept


def _heal(arena: Arena, swept: Swept, now: datetime) -> None:
    """Visit the games that a crash left busy, or a trouble, and those whose files or rules somebody changed."""
    busy = {*arena.index.games.busy()}
    if DESK in busy:
        try:
            desk.recover(arena)
        except Exception as error:  # noqa: BLE001  whatever is wrong with the desk, games go on
            stop_game(arena, swept, DESK, error, now)
    unknown = {place for place in busy - {DESK} if not arena.has_game(place)}
    for place in unknown:
        arena.index.games.free(place)  # it was to be founded, and is not
    busy = {*arena.index.games.busy()} if unknown else busy
    games = sorted({*busy, *arena.edited()} - {DESK})
    _visit(arena, swept, [Visit(GameName(game)) for game in games], now)


def _do_what_is_due(arena: Arena, doors: Doors, swept: Swept, now: datetime) -> None:
    """Do what the calendar asks for at each game that is not in trouble."""

    def work(ledger: Ledger, batch: Batch) -> Pausing[Sequence[Mail]]:
        is_waiting = yield from due.advance(arena, ledger, batch, now, partial(_is_read, arena, doors))
        if is_waiting:
            swept.waiting.add(ledger.charter.game)
        return ()

    games = [game for game in arena.index.games.due(now) if game != DESK and game not in swept.still]
    wanted = [Visit(GameName(game), work) for game in games]
    _visit(arena, swept, wanted, now, doors.stopping)
    for game in swept.waiting - swept.still:
        _let_wait(arena, swept, game, now)


def _visit(
    arena: Arena, swept: Swept, visits: Sequence[Visit], now: datetime, stopping: Callable[[], bool] = lambda: False
) -> None:
    """Visit games, a wave after the other; those in trouble stand still."""
    for first in range(0, len(visits), waves.MOST):
        if stopping():
            return
        wave = visits[first : first + waves.MOST]
        errors = waves.visit_all(arena, wave, now)
        swept.entries += sum(one.entries for one in wave if one.game not in errors)
        for game, error in errors.items():
            stop_game(arena, swept, game, error, now)


def _drain(arena: Arena, doors: Doors, swept: Swept, now: datetime) -> bool:
    """Take all mail that there is; say whether that worked: if not, orders may be waiting, and no deadline may pass."""
    waiting: set[str] = set()
    looks, turns = Looks(arena, doors, now), Turns(arena, now)
    try:
        while not doors.stopping():
            mails, has_more = _fetch(arena, looks, waiting | turns.put_off)
            waiting |= take_mails(arena, swept, mails, now, turns) if mails else set()
            _mark(arena, doors, swept, [mail for mail in mails if mail.name not in waiting | turns.put_off])
            if not has_more and not turns.put_off:
                looks.note(swept)
                return True
            if not has_more:
                turns.let_come()
    except MailboxError as error:
        _note_mailbox_away(swept, error)
    return False


def _read_forum(arena: Arena, doors: Doors, swept: Swept, now: datetime) -> None:
    """Take what people have posted, first in the threads of games that are due: orders may be among it."""
    if doors.forum is None:
        return

    def take(mails: Sequence[Mail]) -> bool:
        return not take_mails(arena, swept, mails, now, Turns(arena, now, is_last=True))

    due: dict[str, datetime] = {}
    for game in filter(arena.index.forum.has_threads, arena.index.games.due(now)):
        with suppress(WorldError):  # whose table cannot be read waits in any case
            until = schedule.heard_until(arena.ledger(GameName(game)).table)
            due |= {game: until} if until and until <= now else {}
    swept.troubles += thread_mail.fetch(arena, doors.forum, now, due, take)
    swept.troubles += forum_mail.fetch(arena, doors.forum, now, take)


def _is_read(arena: Arena, doors: Doors, table: Table) -> bool:
    """
    Say whether all that people wrote has been read that came before a game's phase was to close.

    Like mail in a mailbox that is away, what is left in its private threads holds up the deadline, of this game and of
    no other; so does a mail that cannot be had, for a few sweeps.
    """
    return withheld.is_read(arena, table) and (not doors.forum or _are_threads_read(arena, table))


def _are_threads_read(arena: Arena, table: Table) -> bool:
    until = schedule.heard_until(table)
    return until is None or arena.index.forum.is_read(table.charter.game, until)


def _let_wait(arena: Arena, swept: Swept, game: str, now: datetime) -> None:
    """Let a game wait; if that lasts for its threads its moderator is told, who can close the phase all the same."""
    table = arena.ledger(GameName(game)).table
    if not withheld.is_read(arena, table):
        arena.index.games.retry_at(game, now + timedelta(seconds=arena.settings.daemon.poll))
        return
    until = schedule.heard_until(table)
    if until and now - until > TOLD:
        stop_game(arena, swept, game, ForumError(WAITS.format(game), "later"), now)
    arena.index.games.retry_at(game, arena.index.forum.alone_until(now) or now + forum_mail.EVERY)


def _tell_forum(arena: Arena, doors: Doors, swept: Swept, now: datetime) -> None:
    swept.troubles += forum_posts.send(arena, doors.forum, now)
    swept.troubles += forum_amending.amend(arena, doors.forum, now)


def _fetch(arena: Arena, looks: Looks, waiting: set[str]) -> tuple[list[Mail], bool]:
    """Fetch the next mails, without those that we could not take yet, or that were taken and are still to be marked."""
    return looks.fetch(waiting | arena.unmarked.keys())


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


def _do_if_possible(swept: Swept, work: Callable[[], object]) -> None:
    """Do work that must not keep letters from being sent: its failure is noted as a trouble."""
    try:
        work()
    except WorldError as error:
        swept.troubles.append(str(error))


def _with_forum(swept: Swept, work: Callable[[], object]) -> None:
    """Do work with the forum: whatever is wrong there, or with our door to it, games go on by mail."""
    try:
        work()
    except Exception as error:  # noqa: BLE001  even a fault of ours stops nothing but the forum
        swept.troubles.append(troubles.describe(error))
