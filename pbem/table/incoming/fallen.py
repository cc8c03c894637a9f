"""The lone line that answers "1 line fell away": it takes the place of the line that fell; knows no game."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pbem.ground.terms import Complaint, OrderLine, Parsed, Seat
from pbem.language import phrases
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming import player_lines
from pbem.table.incoming.heard import Heard
from pbem.table.model.table import Table

_NO_PLACE = "Several lines fell off your set, or it has been changed since, so I cannot tell where this belongs."
_SEND_ALL = "Send all your orders, or write: also {line}"


def completed(table: Table, seat: Seat, heard: Heard) -> Heard | Complaint | None:
    """
    Put a lone line where the line stood that fell of an incomplete set; None where the mail is a set of its own.

    Shape: the whole set is returned, as it would have been read with that line in the place of the other. Where it is
    not known which place that is, or the line would come beside one for the same thing, it is complained of.
    """
    held = table.sets.hand.get(seat)
    said = [line for line in phrases.joined(heard.orders) if line.text.strip()]
    if held is None or not held.incomplete or len(said) != 1:
        return None
    (line,) = said
    parsed: Parsed[Any] = heard.parsed or table.ruleset.parse(table.state, seat, heard.orders)
    new = table.ruleset.format(table.state, parsed.orders)
    if parsed.complaints or not new or set(new) <= set(held.orders):
        return None
    whole = _whole(table, seat, line.text)
    because = _unclear(table, seat, new) or ("" if _is_just(table, seat, whole, new) else _NO_PLACE)
    if because:
        return Complaint(line.number, line.text.strip(), "ambiguous", f"{because} {_SEND_ALL.format(line=new[0])}")
    return heard._replace(orders=whole, parsed=None)


def _is_just(table: Table, seat: Seat, whole: Sequence[OrderLine], new: Sequence[str]) -> bool:
    """Say whether lines are what is on hand and the new ones, and nothing else: no half of what fell is left."""
    parsed: Parsed[Any] = table.ruleset.parse(table.state, seat, whole)
    lines = table.ruleset.format(table.state, parsed.orders)
    return not parsed.complaints and Counter(lines) == Counter((*table.sets.hand[seat].orders, *new))


def _unclear(table: Table, seat: Seat, new: Sequence[str]) -> str:
    """Say why it is not clear what a lone line does to the set on hand, or ""."""
    entry = _received(table, seat)
    if entry is None or len(_fell(entry)) != 1:
        return _NO_PLACE
    kinds = {_purpose(line) for line in new}
    same = next((line for line in table.sets.hand[seat].orders if _purpose(line) in kinds), "")
    return f'You have "{same}" on hand, so this may replace it or come on top of it.' if same else ""


def _purpose(line: str) -> str:
    """Return what an order is for: its words without the numbers."""
    return " ".join(word for word in line.casefold().split() if not word.isdigit())


def _received(table: Table, seat: Seat) -> OrdersReceived | None:
    """Return the mail that the set on hand came with, unless it was a change of another."""
    held = table.sets.hand[seat].orders
    mails = (entry for entry in reversed(table.log) if isinstance(entry, OrdersReceived) and entry.seat == seat)
    last = next((entry for entry in mails if entry.taken), None)
    return last if last and last.orders == held and not last.changes else None


def _fell(entry: OrdersReceived) -> list[Complaint]:
    return [one for one in entry.complaints if one.text.strip()]


def _whole(table: Table, seat: Seat, text: str) -> tuple[OrderLine, ...]:
    """Return the lines of the mail that the set on hand came with, with another one in place of that which fell."""
    entry = _received(table, seat)
    if entry is None or len(_fell(entry)) != 1:
        return ()
    said = [OrderLine(number, one) for number, one in enumerate(entry.said, 1)]
    lines = player_lines.sort(table, seat, said).orders
    (fell,) = _fell(entry)
    others = {one.strip() for one in (*entry.passed, *entry.doubts)}
    return tuple(
        OrderLine(line.number, text if line.number == fell.line else line.text)
        for line in lines
        if line.text.strip() not in others or line.number == fell.line
    )
