"""Ends a visit to a game: what follows from its entries, and what the index knows of it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from pbem.ground.terms import Mail, Seat
from pbem.hall.chat import messages
from pbem.hall.mail.outgoing import filing, sending
from pbem.hall.store import edits
from pbem.hall.store.arena import Arena
from pbem.hall.store.game_folder import renewed_charter
from pbem.hall.store.ledger import Ledger, Step, marks
from pbem.hall.store.pausing import Pausing
from pbem.table.clock import schedule
from pbem.table.fold.journal import RulesChanged, RulingGiven
from pbem.table.model import threads
from pbem.table.model.table import DEPUTY, Table
from pbem.table.outgoing import threads as thread_letters
from pbem.table.outgoing.letter import reader_of
from pbem.table.rulings.redact import Redact
from pbem.table.rulings.undo import Undo
from pbem.world.index.forum import ThreadRow
from pbem.world.index.outgoing import Unsent
from pbem.world.shelf import Batch


def put(arena: Arena, ledger: Ledger, mails: Sequence[Mail], batch: Batch) -> Pausing[list[Unsent]]:
    """
    Put what follows from a game's entries into a batch, behind them: letters, derived files, `state.toml`.

    Returns the letters, to be sent once they are on file.
    Shape: `mails` are those that the entries are about, whose bytes the game keeps beside its letters.
    """
    for mail in mails:
        batch.write(mail.raw, *ledger.place, "post", "in", f"{mail.digest}.eml", once=True)
    yield
    letters = yield from filing.write_letters(arena, ledger, batch)
    yield
    _write_charter(ledger, batch)
    state = edits.state_file(ledger)
    if state != ledger.seen:
        # It says what is on file, so it comes last; a person's edit meanwhile is not written over.
        batch.write(state, *ledger.place, edits.FILE, derived=True, stamped=True, instead_of=ledger.seen)
        ledger.written = state
    return letters


def note(arena: Arena, ledger: Ledger, letters: Sequence[Unsent], now: datetime) -> None:
    """Note in the index where a game stands, once all that it owes is on file."""
    table, game = ledger.table, ledger.table.charter.game
    arena.index.outgoing.add(letters, now)
    if ledger.reopened:
        sending.index_unsent(arena, *ledger.place, "post")
        if table.charter.forum:
            arena.index.forum.note_unknown(game)
    arena.index.chat.add(messages.of_steps(arena, ledger.fresh, now), now)
    if table.charter.forum and any(_redacts(step) for step in ledger.fresh):
        arena.index.forum.note_amending(game)
    if table.charter.forum and (ledger.reopened or table.threads):
        arena.index.forum.keep_threads(game, _threads(table))
    arena.index.games.note_taken((mark, game) for step in ledger.fresh for mark in marks(step.entry))
    arena.index.games.store(arena.row(table, schedule.wakes(table, now), ledger.stamps))
    if any(_is_news(step) for step in ledger.fresh):
        arena.told.add(game)


def _is_news(step: Step) -> bool:
    """Say whether a step changes what pages show: which phase is open, until when, what is out and not taken off."""
    before, after = step.before, step.after
    if _redacts(step):
        return True
    return any(getattr(before, name) != getattr(after, name) for name in ("status", "number", "deadline", "paused"))


def _redacts(step: Step) -> bool:
    """Say whether a step takes something off what everybody reads, or may put it back."""
    return isinstance(step.entry, RulingGiven) and any(isinstance(one, Redact | Undo) for one in step.entry.rulings)


def _threads(table: Table) -> Iterator[ThreadRow]:
    """Yield the private threads of a game, as the index has them."""
    for role, one in threads.living(table):
        reader = reader_of(table, Seat(role) if role and role != DEPUTY else None, one.person)
        title = thread_letters.title(table, role, one)
        game = table.charter.game
        yield ThreadRow(
            game, role, one.person, reader, one.nth, one.account, title, one.topic, one.author, one.is_bound
        )


def _write_charter(ledger: Ledger, batch: Batch) -> None:
    """Write into the charter what was the default when the game was founded, once the rules have changed."""
    if any(isinstance(step.entry, RulesChanged) for step in ledger.fresh) and (files := renewed_charter(ledger)):
        batch.write(files[1], *ledger.place, "charter.toml", stamped=True, instead_of=files[0])
