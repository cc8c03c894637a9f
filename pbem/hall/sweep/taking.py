"""Mails taken by their games and the desk: each becomes one entry or one case, a wave of games at a time."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

import msgspec

from pbem.ground.terms import GameName, Mail, ShelfError, WorldError
from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.checks import intake
from pbem.hall.mail.incoming.desk import desk, dispositions, no_game
from pbem.hall.mail.incoming.unpack import forum_mail, unpacking
from pbem.hall.mail.incoming.unpack.unpacking import Parcel
from pbem.hall.mail.outgoing import troubles
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger, plan
from pbem.hall.store.pausing import Pausing
from pbem.hall.sweep import due, waves
from pbem.hall.sweep.standing import DESK, stop_game
from pbem.hall.sweep.swept import Outcome, Swept
from pbem.hall.sweep.turns import Turns
from pbem.hall.sweep.waves import Visit
from pbem.table.fold.journal import Entry, RulingGiven
from pbem.world.index.counters import Counted
from pbem.world.shelf import Batch

BEHIND = (
    "a mail answers a letter of a later phase than this game has come to, so the game was put back from a backup, and "
    "what came since is missing. Stop the daemon, run pbem rescan, and start it again: the mails since are taken once "
    "more. If they were, a ruling that was given on the terminal is missing: give it again with pbem rule. Mail waits "
    "until then."
)
SLOW = 2
"""Seconds of reading beyond which somebody should look at a mail."""

T = TypeVar("T")
Places = Mapping[str, Sequence[Parcel]]
"""Mails by the game that they are for, or the desk."""


def take_mails(arena: Arena, swept: Swept, mails: Sequence[Mail], now: datetime, turns: Turns) -> set[str]:
    """
    Read and record a batch of mails; return the names of those that could not be taken yet.

    Shape: `turns` say whose mail waits for that of others, and is put off.
    """
    waiting: set[str] = set()
    unpacked: list[tuple[Parcel, Counted]] = []
    for mail in sorted(mails, key=lambda mail: (mail.arrived, mail.name)):
        try:
            began = arena.steady()
            parcel = unpacking.unpack(arena, mail)
            swept.spent[mail.digest] = arena.steady() - began
            unpacked.append((parcel, turns.writer(parcel)))
        except Exception as error:  # noqa: BLE001  whatever is wrong with one mail, the others are read
            if not _was_set_aside(arena, swept, mail, "", error, now):
                waiting.add(mail.name)
    parcels = turns.now(unpacked)
    swept.mails += len(mails) - len(unpacked) + len(parcels)
    by_place: dict[str, list[Parcel]] = defaultdict(list)
    for parcel in parcels:
        by_place[_place(arena, parcel)].append(parcel)
    for first in range(0, len(by_place), waves.MOST):
        places = dict([*by_place.items()][first : first + waves.MOST])
        _keep_posts(arena, swept, places, now)
        left = _take(arena, swept, places, now)
        for place in {_place(arena, parcel) for parcel in left}:
            swept.still.add(place)
        waiting |= {parcel.mail.name for parcel in left}
    return waiting


def _place(arena: Arena, parcel: Parcel) -> str:
    return parcel.game if arena.has_game(parcel.game) else DESK


def _keep_posts(arena: Arena, swept: Swept, places: Places, now: datetime) -> None:
    """
    Keep the bytes of posts before anything else; where that fails, the game stands still.

    Mail comes again until it is marked, and so its bytes need not be durable before the journal. A post that a game is
    known to have taken does not.
    """
    for place, parcels in places.items():
        folder = ("in",) if place == DESK else ("games", place, "post", "in")
        posts = [parcel.mail for parcel in parcels if parcel.mail.door == forum_mail.DOOR]
        if not posts:
            continue
        try:
            with arena.shelf.batch() as batch:
                for mail in posts:
                    batch.write(mail.raw, *folder, f"{mail.digest}.eml", once=True)
        except ShelfError as error:
            stop_game(arena, swept, place, error, now)


class _Taking(msgspec.Struct):
    """What comes of a game's mails in one visit: cases for the desk, what is told of the others, what is left over."""

    arena: Arena
    swept: Swept
    parcels: Sequence[Parcel]
    now: datetime
    asked: Sequence[desk.Case]
    cases: list[desk.Case] = []
    outcomes: list[Outcome] = []
    rest: Sequence[Parcel] = ()

    def work(self, ledger: Ledger, batch: Batch) -> Pausing[Sequence[Mail]]:
        """Turn the mails into entries of the game and cases of the desk."""
        self.cases, self.outcomes, self.rest = [], [], ()
        place = ledger.charter.game
        for number, parcel in enumerate(self.parcels):
            # Both come at once where mail is looked at again: what asks has to be settled before what answers it.
            if desk.is_asked(self.arena, [*self.asked, *self.cases], parcel.token):
                self.rest = self.parcels[number:]
                break
            if authority.is_ahead(self.arena, ledger.table, parcel):
                yield from due.advance(self.arena, ledger, batch, parcel.mail.arrived)
                if authority.is_ahead(self.arena, ledger.table, parcel):
                    raise ShelfError(f"{place}: {BEHIND}")
            admitting = intake.admit(self.arena, ledger, ledger.table, parcel, self.now)
            found = yield from _timed_between_pauses(self.arena, self.swept, parcel, admitting)
            yield
            if isinstance(found, desk.Case):
                self.cases.append(found)
            else:
                planned = plan(ledger.table, found)
                yield
                ledger.put_planned(batch, [planned])
                self.outcomes.append(_outcome(place, parcel, found, _slow(self.swept, parcel.mail)))
        return [parcel.mail for parcel in self.parcels[: len(self.parcels) - len(self.rest)]]


def _take(arena: Arena, swept: Swept, places: Places, now: datetime) -> list[Parcel]:
    """
    Let games, and the desk, take their mails together; return those that must come again.

    Where a fault of ours stops a game that is sound without them, its mails are taken one by one.
    """
    left = [parcel for place in places if place in swept.still for parcel in places[place]]
    places = {place: parcels for place, parcels in places.items() if place not in swept.still}
    # The desk marks itself, and heals what it finds. If the power goes, the mails are still in the mailbox, and lead to
    # the same games again: so this needs no sync of its own.
    with arena.index.together(soon=True):
        arena.index.games.mark_busy(place for place in places if place != DESK)
    errors: dict[str, Exception] = {}
    cases: dict[str, list[desk.Case]] = {}
    if DESK in places:
        try:
            cases[DESK] = [
                _timed(arena, swept, parcel, partial(no_game.put_on_desk, arena, parcel)) for parcel in places[DESK]
            ]
        except Exception as error:  # noqa: BLE001  whatever is wrong with the desk, games go on
            errors[DESK] = error
    asked = cases.get(DESK, [])
    takings = {
        GameName(place): _Taking(arena, swept, parcels, now, asked)
        for place, parcels in places.items()
        if place != DESK
    }
    visits = [Visit(game, taking.work) for game, taking in takings.items()]
    errors |= waves.visit_all(arena, visits, now)
    swept.entries += sum(one.entries for one in visits if one.game not in errors)
    for game, taking in takings.items():
        if game not in errors:
            swept.outcomes += taking.outcomes
            cases[game] = taking.cases
    errors |= _settle(arena, swept, cases, now)
    for place, wrong in errors.items():
        left += _after_failure(arena, swept, place, places[place], wrong, now)
    again: Places = {game: one.rest for game, one in takings.items() if game not in errors and one.rest}
    return [*left, *(_take(arena, swept, again, now) if again else ())]


def _settle(
    arena: Arena, swept: Swept, cases: Mapping[str, Sequence[desk.Case]], now: datetime
) -> dict[str, Exception]:
    """
    Let the desk take its cases, all at once; return why the places that they came from cannot go on, if so.

    Where that fails those of each place are taken by themselves: what is wrong with one is no other's matter.
    """
    together = [case for found in cases.values() for case in found]
    try:
        noted = desk.settle(arena, together, now, keep=[case.mail for case in cases.get(DESK, ())])
    except Exception as error:  # noqa: BLE001
        places = [place for place, found in cases.items() if found]
        if len(places) == 1:
            return {places[0]: error}
        errors: dict[str, Exception] = {}
        for place in places:
            errors |= _settle(arena, swept, {place: cases[place]}, now)
        return errors
    for case in noted:
        game = case.game if arena.has_game(case.game) else ""
        seat, seconds = case.wish.seat if case.wish else "", _slow(swept, case.mail)
        swept.outcomes.append(Outcome(case.letter.message_id, case.why, game, seat, seconds=seconds))
    return {}


def _after_failure(
    arena: Arena, swept: Swept, place: str, parcels: Sequence[Parcel], error: Exception, now: datetime
) -> Sequence[Parcel]:
    """Stop a place that cannot take its mails, or look which of them break us; return those that must come again."""
    if isinstance(error, WorldError):
        stop_game(arena, swept, place, error, now)
        return parcels
    if place != DESK:
        visit = Visit(GameName(place))
        found = waves.visit_all(arena, [visit], now)
        if found:
            stop_game(arena, swept, place, found[place], now)
            return parcels
        swept.entries += visit.entries
    if len(parcels) > 1:
        return [left for one in parcels for left in _take(arena, swept, {place: [one]}, now)]
    return () if _was_set_aside(arena, swept, parcels[0].mail, place, error, now) else parcels


def _was_set_aside(arena: Arena, swept: Swept, mail: Mail, place: str, error: Exception, now: datetime) -> bool:
    swept.troubles.append(f"{place or 'mail'} {mail.name}: {troubles.describe(error)}")
    if isinstance(error, WorldError) or not troubles.set_aside(arena, mail, place, error, now):
        return False
    swept.outcomes.append(Outcome("", "set aside", place if arena.has_game(place) else ""))
    return True


def _timed(arena: Arena, swept: Swept, parcel: Parcel, work: Callable[[], T]) -> T:
    """Add the time that some work on a mail takes to what it has taken."""
    began = arena.steady()
    try:
        return work()
    finally:
        swept.spent[parcel.mail.digest] = swept.spent.get(parcel.mail.digest, 0) + arena.steady() - began


def _timed_between_pauses(arena: Arena, swept: Swept, parcel: Parcel, work: Pausing[T]) -> Pausing[T]:
    """Do the same for work that pauses, while other mails are read."""
    while True:
        try:
            _timed(arena, swept, parcel, partial(next, work))
        except StopIteration as end:
            found: T = end.value
            return found
        yield


def _slow(swept: Swept, mail: Mail) -> float:
    """Return how many seconds a mail took to read if that was long, else 0; it is taken like any other."""
    seconds = round(swept.spent.get(mail.digest, 0), 1)
    return seconds if seconds > SLOW else 0


def _outcome(game: str, parcel: Parcel, entry: Entry, seconds: float) -> Outcome:
    seat = "moderator" if isinstance(entry, RulingGiven) else getattr(entry, "seat", "")
    return Outcome(parcel.letter.message_id, dispositions.of_entry(entry), game, seat, entry.number, seconds)
