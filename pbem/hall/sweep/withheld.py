"""Mails that lie in the mailbox and cannot be had: each is waited for a while, told, then passed over and asked for."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta

from pbem.ground.terms import Mail
from pbem.hall.store.arena import Arena, Doors
from pbem.hall.sweep.swept import Swept
from pbem.table.clock import schedule
from pbem.table.model.table import Table
from pbem.world.index.withheld import WithheldMail
from pbem.world.mailbox import PatientMailbox, Withheld

TRIES = 3
"""Sweeps in which a mail is asked for; in the last of them phases that are due close without it."""
AGAIN = timedelta(hours=1)
"""How often it is asked for after that."""
TOLD = (
    "A mail lies in the mailbox and cannot be had: {}, of {:%Y-%m-%d %H:%M} UTC. The answer was: {}. Phases wait for "
    "it for three sweeps at most; from then on it is asked for once an hour, and counts by when it arrived. Look at it "
    "with a mail program, or ask whoever runs that server."
)
CAME = (
    "The mail that could not be had has come at last: {}. If its phase has closed, whoever wrote it is told so, "
    "and the game's moderator."
)


class Looks:
    """The looks of one sweep into the mailbox: each mail is asked for once in it, and what cannot be had is noted."""

    def __init__(self, arena: Arena, doors: Doors, now: datetime) -> None:
        """Take the mailbox, and what is known of mails that it withheld."""
        self._arena, self._mailbox, self._now = arena, doors.mailbox, now
        self._known = {one.name: one for one in arena.index.withheld.all()}
        self._resting = {one.name for one in self._known.values() if _rests(one, now)}
        self._failed: dict[str, Withheld] = {}
        self._came: set[str] = set()

    def fetch(self, without: Collection[str]) -> tuple[list[Mail], bool]:
        """
        Return the next mails, and whether there may be more: not those `without` which we go on for now.

        Errors: MailboxError where the mailbox hands out nothing, so that no single mail is to blame.
        """
        batch = self._arena.settings.daemon.batch
        if not isinstance(self._mailbox, PatientMailbox):
            mails = [mail for mail in self._mailbox.fetch(batch + len(without)) if mail.name not in without]
            return mails, bool(mails)
        self._mailbox.skip, self._mailbox.known = {*without, *self._resting, *self._failed}, {*self._known}
        mails = self._mailbox.fetch(batch)
        self._came |= {mail.name for mail in mails}
        late = {name for name, one in self._known.items() if one.tries >= TRIES}
        self._arena.kept_back = late & self._came
        left = self._mailbox.withheld
        failed = {name: one for name, one in left.items() if name not in self._mailbox.skip}
        self._failed |= failed
        for name in self._arena.unmarked.keys() - left.keys():
            del self._arena.unmarked[name]  # it was marked, though we were not told, or has gone
        return mails, bool(mails or failed)

    def note(self, swept: Swept) -> None:
        """Note at the end of all looks what could not be had, and tell of it; forget what has come, or gone."""
        if not isinstance(self._mailbox, PatientMailbox) or not (self._failed or self._known):
            return
        rows = [self._row(name, one) for name, one in self._failed.items()]
        gone = self._known.keys() - self._mailbox.withheld.keys()
        came = [one for name, one in self._known.items() if name in self._arena.kept_back]
        with self._arena.index.together():
            self._arena.index.withheld.store(rows)
            self._arena.index.withheld.forget(gone)
        told = [one for one in rows if one.tries <= TRIES]
        swept.troubles += [TOLD.format(one.what, one.arrived.astimezone(UTC), one.said) for one in told]
        swept.troubles += [CAME.format(one.what) for one in came]

    def _row(self, name: str, one: Withheld) -> WithheldMail:
        before = self._known.get(name)
        arrived = one.arrived or (before.arrived if before else self._now)
        return WithheldMail(name, one.what, one.said, arrived, (before.tries if before else 0) + 1, self._now)


def is_read(arena: Arena, table: Table) -> bool:
    """Say whether no mail is waited for that may have come before a game's phase was to close."""
    until = schedule.heard_until(table)
    return until is None or all(one.arrived > until for one in arena.index.withheld.all() if one.tries < TRIES)


def passed_over(arena: Arena) -> Iterable[WithheldMail]:
    """Return the mails that no phase waits for any more, and that still cannot be had."""
    return [one for one in arena.index.withheld.all() if one.tries >= TRIES]


def _rests(one: WithheldMail, now: datetime) -> bool:
    return one.tries >= TRIES and now - one.asked < AGAIN
