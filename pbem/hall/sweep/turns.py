"""Whose mail waits in a sweep until that of all others is read: whose writer has had more read today than is usual."""

from collections.abc import Sequence
from datetime import datetime

from pbem.hall.mail.incoming.arrival import authority
from pbem.hall.mail.incoming.unpack.unpacking import Parcel
from pbem.hall.mail.outgoing import caps
from pbem.hall.store.arena import Arena
from pbem.letters import addressing
from pbem.world.index.counters import Counted, What, day

BUDGET = 10_000
"""Lines and kilobytes that one writer may have read in a day before anybody waits for others."""
NOTED = 500
"""After how many of them a writer's count goes into the index; what is not there yet goes with the process."""


class Turns:
    """
    The turns of one sweep.

    A step is a line or a kilobyte of a mail: the same on every machine, and known before any of it is read as orders.
    Shape: `put_off` are the names of mails that wait; they are taken in the same sweep, before any phase closes (G10).
    """

    def __init__(self, arena: Arena, now: datetime, *, is_last: bool = False) -> None:
        """Begin a sweep; mail is only counted where it is the last turn, in which nobody waits."""
        self._arena, self._day, self._is_last = arena, day(now), is_last
        self.put_off: set[str] = set()

    def writer(self, parcel: Parcel) -> Counted:
        """Return what counts for the writer of a mail; a forged sender uses nothing up that is somebody else's."""
        about = f"{authority.verdict(self._arena, parcel)} {caps.mark(addressing.normal(parcel.sender))}"
        return Counted(what=What.READ, about=about, span=self._day)

    def now(self, mails: Sequence[tuple[Parcel, Counted]]) -> list[Parcel]:
        """Return the mails that are read now, of those that came with their writers, and count them; others wait."""
        read = self._read_today([writer for _, writer in mails])
        noted = dict(read)
        chosen = []
        for parcel, writer in mails:
            if read[writer] >= BUDGET and not self._is_last:
                self.put_off.add(parcel.mail.name)
            else:
                read[writer] += steps(parcel)
                chosen.append(parcel)
        grown = [one for one in dict.fromkeys(one for _, one in mails) if read[one] // NOTED > noted[one] // NOTED]
        if grown:
            with self._arena.index.together(soon=True):
                for writer in grown:
                    self._arena.index.counters.put(writer, read[writer])
        return chosen

    def let_come(self) -> None:
        """Let those come that waited: all others have been read."""
        self.put_off.clear()
        self._is_last = True

    def _read_today(self, writers: Sequence[Counted]) -> dict[Counted, int]:
        """Return how many steps each writer has had read today: from memory, where they have written before."""
        read = self._arena.read_today
        if any(one.span != self._day for one in read):
            read.clear()
        unknown = [one for one in dict.fromkeys(writers) if one not in read]
        if unknown:
            read |= zip(unknown, self._arena.index.counters.values(unknown), strict=True)
        return read


def steps(parcel: Parcel) -> int:
    """Return how many steps it takes to read a mail."""
    return len(parcel.letter.body) + len(parcel.mail.raw) // 1_000
