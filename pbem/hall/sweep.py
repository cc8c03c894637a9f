"""One sweep, on one page: everything of "the way of a mail", safe to stop anywhere and to run again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from pbem.hall import desk, edits, intake, post
from pbem.hall.arena import Arena, Doors
from pbem.hall.desk import Case
from pbem.hall.intake import Parcel
from pbem.hall.ledger import Ledger
from pbem.table import closing, replay, schedule
from pbem.table.journal import Entry, GameBegun, PhaseClosed, PhasePublished, ReminderGiven
from pbem.table.schedule import Begin, Close, Due, Publish, Remind
from pbem.terms import GameName, Mail


class Swept(msgspec.Struct, kw_only=True):
    """What a sweep did: mails handled, entries made, letters sent, and troubles in words."""

    mails: int = 0
    entries: int = 0
    sent: int = 0
    troubles: list[str] = []


def sweep(arena: Arena, doors: Doors) -> Swept:
    """
    Drain the mailbox, do what the calendar asks, send what is on file.

    The clock is read once. Every step can be repeated: raw mail is kept before it is understood, entries are
    durable before anything follows from them, letters are on file before they are sent, and a mail is marked
    last. One broken game stops itself; its mail stays in the mailbox.
    """
    now = doors.clock.now()
    swept = Swept()
    for game in arena.index.due(now):
        _guarded(arena, swept, game, now, lambda: None)
    stuck: set[str] = set()
    while mails := _fetch(arena, doors, stuck):
        stuck |= _take(arena, swept, mails, now)
        doors.mailbox.mark([mail for mail in mails if mail.name not in stuck])
    for game in arena.index.due(now):
        _guarded(arena, swept, game, now, _advance(arena, swept, game, now))
    swept.sent, troubles = post.send(arena, doors, now)
    swept.troubles += troubles
    return swept


def _fetch(arena: Arena, doors: Doors, stuck: set[str]) -> list[Mail]:
    batch = arena.settings.daemon.batch
    return [mail for mail in doors.mailbox.fetch(batch + len(stuck)) if mail.name not in stuck]


def _take(arena: Arena, swept: Swept, mails: Sequence[Mail], now: datetime) -> set[str]:
    """Keep, read and record a batch of mails; return the names of those whose game could not take them."""
    with arena.shelf.batch() as batch:
        for mail in mails:
            batch.write(mail.raw, "in", f"{mail.digest}.eml", once=True)
    by_game: dict[GameName, list[Parcel]] = defaultdict(list)
    cases: list[Case] = []
    for mail in sorted(mails, key=lambda mail: (mail.arrived, mail.name)):
        parcel = intake.unpack(arena, mail)
        if parcel.game and arena.has_game(parcel.game):
            by_game[GameName(parcel.game)].append(parcel)
        else:
            cases.append(intake.without_game(arena, parcel))
    swept.mails += len(mails)
    arena.index.take_up(by_game)
    stuck: set[str] = set()
    for game, parcels in by_game.items():
        if not _guarded(arena, swept, game, now, _record(arena, swept, parcels, cases, now)):
            stuck |= {parcel.mail.name for parcel in parcels}
            continue
        for parcel in parcels:
            name = f"{parcel.mail.digest}.eml"
            arena.shelf.move(("in", name), ("games", game, "post", "in", name))
    desk.settle(arena, cases, now)
    return stuck


Work = Callable[[], None]


def _guarded(arena: Arena, swept: Swept, game: str, now: datetime, work: Work) -> bool:
    """Do some work at one game; where it breaks, leave the game as journaled and tell the moderator once."""
    try:
        if game != "desk":
            _look_for_edits(arena, GameName(game), now)
        work()
        if game != "desk":
            finish(arena, GameName(game), now)
        else:
            post.recover_desk(arena)
    except Exception as error:  # noqa: BLE001  whatever is wrong with one game, the others go on
        arena.drop(GameName(game))
        swept.troubles.append(f"{game}: {error or type(error).__name__}")
        post.report_trouble(arena, game, error, now)
        return False
    return True


def _look_for_edits(arena: Arena, game: GameName, now: datetime) -> None:
    ledger = arena.ledger(game)
    edit = edits.hand_edit(ledger, now)
    if edit:
        ledger.append([edit])


def _record(arena: Arena, swept: Swept, parcels: Sequence[Parcel], cases: list[Case], now: datetime) -> Work:
    def work() -> None:
        ledger = arena.ledger(GameName(parcels[0].game))
        entries: list[Entry] = []
        held = ledger.table
        for parcel in parcels:
            found = intake.admit(arena, ledger, held, parcel, now)
            if isinstance(found, Case):
                cases.append(found)
            else:
                entries.append(found)
                held = replay.step(held, found)
        if entries:
            ledger.append(entries)
            swept.entries += len(entries)

    return work


def _advance(arena: Arena, swept: Swept, game: str, now: datetime) -> Work:
    """Do what is due at a game, one entry at a time, until nothing is."""

    def work() -> None:
        if game == "desk":
            return
        ledger = arena.ledger(GameName(game))
        while due := schedule.due(ledger.table, now):
            ledger.append([_entry(arena, ledger, due, now)])
            swept.entries += 1

    return work


def _entry(arena: Arena, ledger: Ledger, due: Due, now: datetime) -> Entry:
    table = ledger.table
    number = table.head + 1
    match due:
        case Begin():
            return GameBegun(number=number, noted=now, deadline=_deadline(ledger, now))
        case Remind(before, seats):
            return ReminderGiven(number=number, noted=now, before=before, seats=seats)
        case Close(why):
            return PhaseClosed(
                number=number,
                noted=now,
                phase=table.number,
                version=table.ruleset.version,
                why=why,
                nmr=closing.nmr(table),
            )
        case Publish(why):
            return _publication(arena, ledger, why, now)


def _publication(arena: Arena, ledger: Ledger, why: str, now: datetime) -> PhasePublished:
    table = ledger.table
    assert table.outcome is not None
    over = table.outcome.result is not None
    return PhasePublished(
        number=table.head + 1,
        noted=now,
        phase=table.number,
        state=replay.digest(table.ruleset, table.outcome.state),
        wording=arena.wording,
        why=why,
        deadline=None if over else _deadline(ledger, now),
        seed=arena.seed(table.charter.game).hex() if over else "",
    )


def _deadline(ledger: Ledger, now: datetime) -> datetime:
    return schedule.deadline_for(ledger.table, replay.next_kind(ledger.table), now)


def finish(arena: Arena, game: GameName, now: datetime) -> None:
    """File the letters that are owed, write the derived files, and tell the index where the game stands."""
    ledger = arena.ledger(GameName(game))
    with arena.shelf.batch() as batch:
        letters = post.write_letters(arena, ledger, batch)
        batch.write(edits.state_file(ledger), *ledger.place, edits.FILE)
    post.note_wishes(arena, ledger)
    arena.index.file(letters, now)
    seen = [(key, game) for step in ledger.fresh if (key := getattr(step.entry, "key", ""))]
    table = ledger.table
    arena.index.put_down([arena.row(table, schedule.wakes(table, now))], seen)
    ledger.settle()
