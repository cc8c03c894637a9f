"""Says why a set cannot be sent or touched now: nothing is asked, the phase is closed, a newer mail was here."""

import msgspec

from pbem.ground.terms import Complaint, OrderLine
from pbem.table.clock import schedule, second_thought
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming.player_lines import Sorted
from pbem.table.model.table import Table
from pbem.table.requests.cancel import Cancel

replace = msgspec.structs.replace


def not_now(table: Table, entry: OrdersReceived, question: int) -> str:
    """Say why a set cannot be sent or touched now at all, or ""."""
    if table.status == "sign-up":
        return "The game has not begun, so nothing is asked yet. You will have a letter when it does."
    if table.status == "over":
        return "The game is over; orders are no longer taken."
    if entry.phase != table.number:
        now = f"This is {table.title} now."
        again = " To send orders for it, reply to this letter." if entry.seat in table.owing else ""
        return f"Your mail answers a letter of a phase that is closed. {now}{again}"
    if table.status != "open" or table.phase is None:
        return f"{table.title} is closed, and its report is on its way."
    if entry.seat not in (*table.phase.owing, *table.phase.may):
        return f"Nothing is asked of you in {table.title}."
    if entry.arrived > schedule.cutoff(table) and table.paused is None:
        early = second_thought.closes_early(table)
        end = f"{table.title} had closed, since all had moved" if early else f"the deadline of {table.title}"
        return f"Your mail reached our server after {end}."
    if question != table.question_to(entry.seat) or (table.sealed and table.opened and entry.arrived < table.opened):
        return "Your mail crossed with our question, or answers another letter. Reply to the one that asks."
    held = table.sets.hand.get(entry.seat)
    if held and held.stamp > (entry.arrived, entry.mail, entry.cause):
        return "A newer mail of yours was here first. The newer one stands."
    return ""


def came_late(table: Table, entry: OrdersReceived) -> bool:
    """Say whether a mail answers the letters of a phase that has closed for it, and of no other."""
    phase = table.phase
    if phase is None or entry.phase != table.number or entry.seat not in (*phase.owing, *phase.may):
        return False
    is_past = table.status == "open" and table.paused is None and entry.arrived > schedule.cutoff(table)
    return table.status == "closed" or is_past


def withdraws(table: Table, entry: OrdersReceived, parts: Sorted) -> bool:
    """Say whether a mail only takes back a late set that waits for the moderator."""
    has_orders = any(line.text.strip() for line in parts.orders)
    others = [one for one in entry.requests if one.is_about_the_set and one != Cancel()]
    waits = table.status == "closed" and entry.seat in table.sets.late
    return waits and Cancel() in entry.requests and not has_orders and not others


def too_late(table: Table, entry: OrdersReceived, parts: Sorted, outside: str) -> OrdersReceived:
    """Refuse whatever a mail says about a set that cannot be touched now; the rest of it still counts."""
    touching = [request for request in entry.requests if request.is_about_the_set]
    if not parts.orders and not touching:
        return entry
    lines = [line for line in parts.orders if line.text.strip()]
    first = lines[0] if lines else OrderLine(0, f"{touching[0].word()} {touching[0].show(table)}".strip())
    if len(lines) > 1:
        outside = f"{outside} So it is with all {len(lines)} lines of your orders."
    requests = tuple(one for one in entry.requests if one not in touching)
    late = Complaint(first.number, first.text.strip(), "late", outside)
    return replace(entry, requests=requests, complaints=(*entry.complaints, late))
