"""Mail and time of the demonstration: everybody answers in turn, and when nobody has to, the clock jumps."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from pbem.daemon import Daemon
from pbem.demo.people import Person
from pbem.demo.story import Delivered, Story

MOST_JUMPS = 1000
"""How often the clock may jump before we own that the game does not end."""
WRITING = timedelta(minutes=7)
"""How long a person takes over a mail."""
PATIENCE = 2
"""How often we ask somebody again for whom the whole game waits."""


class Jumping(Protocol):
    """A clock that is moved on by hand."""

    def now(self) -> datetime:
        """Return the present instant."""
        ...

    def advance(self, span: timedelta) -> None:
        """Move on by a span."""
        ...

    def advance_to(self, instant: datetime) -> None:
        """Move on to an instant."""
        ...


def until_over(
    daemon: Daemon, clock: Jumping, people: Sequence[Person], story: Story, look: Callable[[], bool]
) -> bool:
    """
    Let mail and time pass: the daemon sweeps after every mail, people answer in turn, and then the clock jumps.

    Returns whether the game came to its end; it does not where it waits for somebody who does not answer.
    """
    unread: list[Delivered] = []
    jumps = stalls = 0
    while jumps < MOST_JUMPS:
        swept = daemon.wake()
        assert not swept.troubles, swept.troubles
        fresh = [(person, mail) for person in people for mail in person.read_mail()]
        story.delivered(clock.now(), fresh)
        yours = [delivered for delivered in unread + fresh if story.is_you(delivered[0])]
        unread = yours + [delivered for delivered in fresh + unread if not story.is_you(delivered[0])]
        if _somebody_writes(unread, clock, story):
            stalls = 0
        elif all(row.status == "over" for row in daemon.arena.index.games.rows()):
            return True
        elif look():
            continue
        elif wake := daemon.next_wake():
            clock.advance_to(wake)
            jumps += 1
        elif stalls == PATIENCE or people[0].asked is None:
            return False
        else:
            story.say("\nThe game waits for you.")
            unread.append((people[0], people[0].asked))
            stalls += 1
    raise AssertionError("the demonstration does not end")


def _somebody_writes(unread: list[Delivered], clock: Jumping, story: Story) -> bool:
    """Let people read their letters, the first ones first, until one of them answers; say whether one did."""
    while unread:
        person, mail = unread.pop(0)
        story.reads(clock.now(), person, mail)
        text = person.think(mail)
        if text:
            clock.advance(WRITING)
            person.send(mail, text, clock.now())
            story.wrote(clock.now(), person, text)
            return True
    return False
