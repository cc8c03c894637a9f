"""The letters about a private thread on the forum: its code, that it counts now, and that it does no more."""

from pbem.ground.terms import Seat
from pbem.table.clock.views import BaseView, moment
from pbem.table.fold.journal import Became, ThreadChanged
from pbem.table.model import threads
from pbem.table.model.table import DEPUTY, Table, Thread
from pbem.table.outgoing.letter import Owed, asked, hand, letter


class ThreadView(BaseView, frozen=True, kw_only=True):
    """
    Tells whoever has a role what became of their thread, of which `account` is their name on the forum.

    Shape: `thread` is what it is called there, `role` whose it is, and `nth` which one, by which its code is known;
    `more` where beside the code stood what was not read, `said` is why the forum refused it. The code itself comes from
    the hall, which has the arena's secret.
    """

    template = "thread"
    sought = ("code",)

    stage: Became
    role: str
    nth: int
    account: str
    thread: str
    more: bool
    said: str


def title(table: Table, role: str, thread: Thread) -> str:
    """Return what a thread is called on the forum: no two of an arena are called the same."""
    whose = "the deputy" if role == DEPUTY else table.seats[Seat(role)].name if role else "the moderator"
    return f"[{table.charter.game}] {whose}, thread {thread.nth}"


def thread_letter(before: Table, entry: ThreadChanged, after: Table) -> Owed | None:
    """Make the letter about what became of a thread; none where it was given up meanwhile."""
    thread = threads.of(before, entry.seat)
    if thread is None or thread.nth != entry.nth:
        return None
    seat = Seat(entry.seat) if entry.seat and entry.seat != DEPUTY else None
    known = after.known_to(seat) if seat else after
    view = ThreadView(
        stage=entry.became,
        role=entry.seat,
        nth=entry.nth,
        account=thread.account,
        thread=title(known, entry.seat, thread),
        more=entry.more,
        said=entry.said,
        moment=moment(known, seat),
    )
    parts = asked(known, seat) | hand(known, seat) if seat and entry.became == "bound" else {}
    if seat and entry.became in ("shared", "gone"):
        parts = hand(known, seat)
    return letter(known, entry, view, seat, parts, person=thread.person)
