"""What a mail client wrote directly above our letter, told by our address or name in it; knows no language."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple, TypeAlias

from pbem.letters.blocks import Kind

NARROWEST = 60
"""The narrowest width at which clients wrap lines, in characters."""
MOST_LINES = 12
"""The most lines of one head."""
MOST = 50
"""The most places above which a head is looked for."""
LEAD = 6
"""The most words of a line above all else that a client tore off, or wrote as a title: "On Tue,"."""

CLOCK = re.compile(r"(?<![\w:.])\d{1,2}[:.h]\d{2}(?![\d./-])")
DAY = re.compile(r"(?<!\d)(?:20\d{2}|(?:(?![0-9])\d){4})(?!\d)|(?<!\d)\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}(?!\d)")
"""A time of day, and a day with its year, in the figures of any script."""
ADDRESS = re.compile(r"\S@\S+\.\S")
FIELD = re.compile(r"[|>* ]*[^\W\d_](?:[^\W\d_]|[ '.-]){0,24}[ *]*[:\uff1a|]")
_RULE = re.compile(r"[-_=*]{3,}(?: ?[^-_=*].{0,80}[-_=*]{3,})?:?")
_TORN = re.compile(r"[<(\[]\S*$")
"""A line that was wrapped inside an address, or right before it."""


class Us(NamedTuple):
    """Our address, and the name under which our letters come; "" where they are not known."""

    address: str = ""
    name: str = ""

    def wrote_from(self, address: str) -> bool:
        """Say whether an address is ours, whatever stands behind the plus of it."""
        (mine, _, host), (local, _, domain) = (
            self.address.casefold().rpartition("@"),
            address.casefold().rpartition("@"),
        )
        return domain == host and local.partition("+")[0] == mine.partition("+")[0]

    def is_named_in(self, text: str) -> bool:
        """Say whether a text holds our name."""
        return bool(self.name) and bool(re.search(rf"(?<!\w){re.escape(self.name)}(?!\w)", text, re.IGNORECASE))


NOBODY = Us()

IsSaid: TypeAlias = Callable[[str], bool]
"""Says whether a line may be an order or change one, so that no client wrote it."""


def heads(texts: Sequence[str], kinds: Sequence[Kind], us: Us, is_said: IsSaid) -> Iterator[tuple[int, int]]:
    """
    Find the first and the last line of each head of ours: of the paragraph right above a letter of ours.

    It is the client's where it holds our address, or our name with a date or a closing colon, in any words, wrapped or
    torn anywhere; from the first line that is needed for that, and no line of it may be an order.
    """
    said = [place for place, text in enumerate(texts) if text]
    gaps = (pair for pair in pairwise(said) if kinds[pair[0]] == "loose" and kinds[pair[1]] in ("ours", "quoted"))
    for last, place in islice(gaps, MOST):
        below = _quoted_head(texts, kinds, place)
        first = None if below is None else _first(texts, kinds, last, below, us, is_said)
        if first is not None:
            yield first, last


def _quoted_head(texts: Sequence[str], kinds: Sequence[Kind], place: int) -> Sequence[str] | None:
    """Return what is quoted from a place on above the first line of ours; None if ours does not follow soon."""
    for at in range(place, min(place + MOST_LINES, len(texts))):
        if kinds[at] == "ours":
            return [text for text in texts[place:at] if text]
        if kinds[at] == "loose":
            return None
    return None


def _first(
    texts: Sequence[str], kinds: Sequence[Kind], last: int, below: Sequence[str], us: Us, is_said: IsSaid
) -> int | None:
    """Return the first line of the head that ends at a line, or None."""
    top = last + 1
    while (
        top and texts[top - 1] and kinds[top - 1] != "ours" and last - top < MOST_LINES and not is_said(texts[top - 1])
    ):
        top -= 1
    first = next((at for at in range(last, top - 1, -1) if _is_head([*texts[at : last + 1], *below], us)), None)
    if first is None:
        return None
    lines = texts[first : last + 1]
    has_day, has_clock = (any(map(pattern.search, lines)) for pattern in (DAY, CLOCK))
    for at in range(first - 1, top - 1, -1):
        day, clock = bool(DAY.search(texts[at])), bool(CLOCK.search(texts[at]))
        is_named = us.is_named_in(" ".join(texts[at : first + 1])) and not us.is_named_in(texts[first])
        is_next = at == first - 1 and (
            _RULE.fullmatch(texts[at])
            or (_is_part(texts[at]) and _is_part(texts[first]))
            or ((day or clock) and _goes_on(texts[at], texts[first]))
        )
        if is_next or is_named or (not has_day and (day or (clock and not has_clock))):
            first, has_day, has_clock = at, has_day or day, has_clock or clock
    is_lead = first == top + 1 and (not top or not texts[top - 1]) and len(texts[top].split()) <= LEAD
    return top if is_lead else first


def _is_part(text: str) -> bool:
    return bool(FIELD.match(text) or _RULE.fullmatch(text))


def _goes_on(above: str, below: str) -> bool:
    return len(above) + 1 + len(below.partition(" ")[0]) >= NARROWEST or bool(_TORN.search(above))


def _is_head(lines: Sequence[str], us: Us) -> bool:
    """Say whether lines hold our address, or our name with a date or a closing mark."""
    if us.address and _address(us).search("".join(lines).replace(" ", "")):  # it may be torn anywhere
        return True
    if not us.is_named_in(" ".join(lines)):
        return False
    closes = lines[-1].endswith((":", "\uff1a", "---", "===", "___"))
    return closes or any(DAY.search(line) or CLOCK.search(line) for line in lines)


def _address(us: Us) -> re.Pattern[str]:
    local, _, host = us.address.rpartition("@")
    mine = re.escape(local.partition("+")[0])
    return re.compile(rf"{mine}(?:\+[\w.+=-]{{0,80}})?@{re.escape(host)}(?![\w-])", re.IGNORECASE | re.ASCII)
