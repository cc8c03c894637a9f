"""Private threads on a forum, in which a role writes as it does by mail: asked for, opened, bound by a code, dead."""

from collections.abc import Iterator

import msgspec

from pbem.ground.terms import Person
from pbem.table.model.table import DEPUTY, Table, Thread

replace = msgspec.structs.replace


def ask(table: Table, role: str, account: str) -> Table:
    """Ask for a thread of a role with an account, or for none; whatever there was before is dead."""
    last, person = table.threads.get(role), holder(table, role)
    if account and person:
        # counted by role: the number of an entry would tell how much others write
        return _with(table, role, Thread(nth=last.nth + 1 if last else 1, person=person, account=account))
    return _with(table, role, replace(last, is_dead=True)) if last else table


def asked_for(table: Table, role: str) -> int:
    """Return how many threads a role has asked for in this phase."""
    last, base = table.threads.get(role), table.base.threads.get(role) if table.base else None
    return (last.nth if last else 0) - (base.nth if base else 0)


def follow(table: Table, role: str, nth: int, became: str, topic: int, author: int) -> Table:
    """Go on with what became of a thread; that of one that was given up meanwhile changes nothing."""
    thread = of(table, role)
    if thread is None or thread.nth != nth:
        return table
    match became:
        case "opened":
            thread = replace(thread, topic=topic, author=author)
        case "bound":
            thread = replace(thread, is_bound=True)
        case "doubted":
            thread = replace(thread, doubts=thread.doubts + 1)
        case _:
            thread = replace(thread, is_dead=True)
    return _with(table, role, thread)


def _with(table: Table, role: str, thread: Thread) -> Table:
    return replace(table, threads={**table.threads, role: thread})


def of(table: Table, role: str) -> Thread | None:
    """Return the living thread of a role, unless somebody else has that role by now, or the game has none any more."""
    if not (table.charter.forum and table.charter.threads):
        return None
    thread = table.threads.get(role)
    return thread if thread and not thread.is_dead and thread.person == holder(table, role) else None


def living(table: Table) -> Iterator[tuple[str, Thread]]:
    """Yield the threads of a game by their role, "" being the moderator's."""
    for role in table.threads:
        thread = of(table, role)
        if thread:
            yield role, thread


def holder(table: Table, role: str) -> Person | None:
    """Return who has a role."""
    if role == DEPUTY:
        return table.deputy
    if not role:
        return table.charter.moderator
    return next((one.person for seat, one in table.seats.items() if seat == role), None)
