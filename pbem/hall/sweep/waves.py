"""Visits to games that share their commits: all journals take one sync, all letters one, the index one transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from pbem.ground.terms import GameName, Mail, WorldError
from pbem.hall.mail.incoming.checks import moved_by
from pbem.hall.mail.outgoing import filing
from pbem.hall.store import edits
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger
from pbem.hall.store.pausing import Pausing, in_step
from pbem.hall.sweep import finish, next_game
from pbem.world.index.outgoing import Unsent
from pbem.world.shelf import Batch, ChangedError, UnsyncedError, Wave

MOST = 100
"""How many games share their commits: what one failed sync stops."""
TRIES = 4
"""How often a visit is made that somebody else's change of the game's files forestalls."""

Work = Callable[[Ledger, Batch], Pausing[Sequence[Mail]]]
"""Puts entries of a game into a batch; returns the mails that are done with by that, whose bytes the game keeps."""


def nothing(_ledger: Ledger, _batch: Batch) -> Pausing[Sequence[Mail]]:
    """Add nothing: the visit files what is owed, and reads what a person changed."""
    yield
    return ()


class Visit(msgspec.Struct):
    """A visit to a game, with what is to be done there; `entries` is how many it added."""

    game: GameName
    work: Work = nothing
    entries: int = 0


class _Planned(msgspec.Struct):
    """A visit of which all that it adds lies in a batch."""

    visit: Visit
    ledger: Ledger
    batch: Batch
    letters: Sequence[Unsent]


def visit(arena: Arena, game: GameName, work: Work, now: datetime) -> int:
    """Visit one game; return how many entries that added. Errors: whatever is wrong there."""
    one = Visit(game, work)
    for error in visit_all(arena, [one], now).values():
        raise error
    return one.entries


def visit_all(arena: Arena, visits: Sequence[Visit], now: datetime) -> dict[str, Exception]:
    """
    Visit games together, each once; return what is wrong, by game.

    Shape: what a visit adds and owes is reckoned and written before any of it counts, so that most faults show while
    nothing has been done. Then come the journals, which are the commit; then letters and mails get their names; then
    each `state.toml`; last the index. A visit that fails is that game's matter, which is left as it is journaled;
    where a sync fails all that share it fail with UnsyncedError. A visit that a person's change of the game's files
    forestalls is made again, from there.
    """
    errors = _visit_all(arena, visits, now)
    for _ in range(TRIES - 1):
        again = [one for one in visits if isinstance(errors.get(one.game), _ForestalledError)]
        for one in again:
            del errors[one.game]
        errors |= _visit_all(arena, again, now) if again else {}
    return errors


class _ForestalledError(ChangedError):
    """Somebody else changed a file of a game before anything of a visit was done."""


def _visit_all(arena: Arena, visits: Sequence[Visit], now: datetime) -> dict[str, Exception]:
    errors: dict[str, Exception] = {}
    with arena.shelf.wave() as wave:
        planned = _planned(arena, wave, visits, errors, now)
        try:
            failed = wave.finish()
        except UnsyncedError as error:
            failed = dict.fromkeys((one.batch for one in planned), error)
    done = []
    for one in planned:
        wrong = _failure(arena, one, failed.get(one.batch)) or _founding_failure(arena, one, now)
        if wrong:
            errors[one.visit.game] = wrong
        else:
            done.append(one)
    try:
        with arena.index.together():
            for one in done:
                _note(arena, one, errors, now)
    except WorldError as error:  # the index failed them all: what they did is found again
        errors |= dict.fromkeys((one.visit.game for one in done), UnsyncedError(str(error)))
    for one in done:
        if one.visit.game not in errors:
            one.ledger.settle()
    for game in errors:
        arena.drop(GameName(game))
    return errors


def _planned(
    arena: Arena, wave: Wave, visits: Sequence[Visit], errors: dict[str, Exception], now: datetime
) -> list[_Planned]:
    """Put all that visits add and owe into batches, in step; no letter is written before all mails are read."""
    batches = {one.game: wave.batch() for one in visits}

    def fail(game: GameName, error: Exception) -> None:
        wave.leave(batches[game])
        arena.drop(game)  # it is ahead of its folder
        errors[game] = error

    worked = in_step({one.game: _work(arena, one, batches[one.game], now) for one in visits}, fail)
    written = {
        one.game: finish.put(arena, *worked[one.game], batches[one.game]) for one in visits if one.game in worked
    }
    letters = in_step(written, fail)
    return [
        _Planned(one, worked[one.game][0], batches[one.game], letters[one.game])
        for one in visits
        if one.game in letters
    ]


def _work(arena: Arena, one: Visit, batch: Batch, now: datetime) -> Pausing[tuple[Ledger, Sequence[Mail]]]:
    """Put all that a visit adds into a batch; return the game with the mails that are done with by that."""
    ledger = arena.ledger_as_edited(one.game)
    if ledger.reopened and _is_noted(arena, ledger):
        ledger.settle()
    yield
    before = ledger.table.head
    edit = edits.hand_edit(ledger, now)
    if edit:
        ledger.put(batch, edit)
    mails = yield from one.work(ledger, batch)
    moved_by.settle(arena, ledger.table, now)
    filing.note_wishes(arena, ledger)  # before another game of this wave looks how to reach somebody
    one.entries = ledger.table.head - before
    batch.then()  # letters follow from what is durable
    return ledger, mails


def _note(arena: Arena, one: _Planned, errors: dict[str, Exception], now: datetime) -> None:
    """Note in the index where a game stands; what is wrong with that is its own matter too."""
    try:
        with arena.index.apart():
            finish.note(arena, one.ledger, one.letters, now)
    except Exception as error:  # noqa: BLE001  whatever is wrong with one game, the others go on
        errors[one.visit.game] = error


def _is_noted(arena: Arena, ledger: Ledger) -> bool:
    """
    Say whether the index knows of all that a game has on file, so that nothing of what is past has to be looked for.

    That is so where `state.toml` was written from the last entry, and is the one that the index had noted.
    """
    game, stamp = ledger.charter.game, arena.stamp(ledger.charter.game, ledger.charter.ruleset)
    return ledger.filed == ledger.table.head > 0 and arena.index.games.stamp_of(game) == stamp


def _failure(arena: Arena, one: _Planned, error: Exception | None) -> Exception | None:
    """Return why a batch failed: an edit that came first is read, and what came too late for that stays as it is."""
    if error is None:
        one.ledger.stand(one.batch)
    if isinstance(error, ChangedError):
        path = arena.root.joinpath(*one.ledger.place, edits.FILE)
        return edits.moved_on(path) if one.batch.is_begun else _ForestalledError(str(error))
    return error


def _founding_failure(arena: Arena, one: _Planned, now: datetime) -> Exception | None:
    """Found the game that follows this one, where it asks for it, before that is settled; return why it cannot be."""
    try:
        follower = next_game.found(arena, one.ledger, now)
        if follower:
            arena.index.outgoing.add(one.letters, now)  # so that they go before those of the next game
            visit(arena, follower, next_game.begin(one.ledger, now), now)
    except Exception as error:  # noqa: BLE001
        return error
    return None
