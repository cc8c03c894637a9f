"""Rules in a game from the terminal, as a moderator's letter would."""

from collections.abc import Sequence
from datetime import datetime

from pbem.ground.terms import GameName, Mail, OrderLine
from pbem.hall.mail.incoming.arrival import naming, redacting
from pbem.hall.mail.outgoing import filing
from pbem.hall.store.arena import Arena
from pbem.hall.store.ledger import Ledger
from pbem.hall.store.pausing import Pausing
from pbem.hall.sweep import waves
from pbem.table.incoming import moderator_mail
from pbem.table.incoming.received import Received
from pbem.world.shelf import Batch


def rule(arena: Arena, game: GameName, phase: int, lines: Sequence[str], now: datetime) -> tuple[str, bool]:
    """
    Rule from the terminal; return the echo, and whether every line was taken.

    It is journaled as a mail would be, and answered to the moderator by mail too; a repeat is a second ruling.
    """
    written = [OrderLine(number, line) for number, line in enumerate("\n".join(lines).split("\n"), 1)]
    named = naming.named(arena, arena.ledger(game).table, written)
    received = Received(
        phase=phase, arrived=now, noted=now, mail="terminal", cause="terminal", key="", message_id="", said=named.lines
    )
    answers: list[tuple[str, bool]] = []

    def work(ledger: Ledger, batch: Batch) -> Pausing[Sequence[Mail]]:
        entry = redacting.named(ledger, moderator_mail.rule(ledger.table, received))
        naming.admit(arena, entry, named.addresses)
        ledger.put(batch, entry)
        answers.append((filing.echo(arena, ledger.fresh[-1]), not (entry.complaints or entry.passed)))
        yield
        return ()

    arena.index.games.mark_busy([game])
    waves.visit(arena, game, work, now)
    return answers[-1]
