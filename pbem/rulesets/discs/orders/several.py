"""Lines that hold several acts, each of which is a line of its own: parts them, and says how to write them."""

import re
from collections.abc import Callable

from pbem.ruleset import Refused
from pbem.rulesets.discs.orders.acts import VERBS

_BETWEEN = r"(?:\s*(?:[,;&+/.]|[-=]?>)\s*|\s+(?:and|then|afterwards?|next|finally|or|plus)\b\s*)+"
_REACTIONS = {
    "block": "on disc: block", "dodge": "on disc: dodge", "block, dodge": "on disc: block, dodge",
    "dodge, block": "on disc: dodge, block", "catch": "on my disc: card", "catch it": "on my disc: card",
    "catch my disc": "on my disc: card", "dive": "on my disc: dive",
}  # fmt: skip
"""What people call reactions in passing, and the lines that they are."""
_PART = re.compile(
    rf"{_BETWEEN}(?=(?:{VERBS}|catch|dive|recall|on (?:my )?(?:dis[ck]|attack))\b|(?:block|dodge)\b)", re.IGNORECASE
)


def _joined(parts: list[str]) -> list[str]:
    """Put reactions together that are one line."""
    found: list[str] = []
    for part in parts:
        last = found[-1].lower() if found else ""
        if part.lower() in _REACTIONS and (last in _REACTIONS or last.startswith("on ")):
            found[-1] += f", {part}"
        else:
            found.append(part)
    return found


def several(head: str, text: str, read: Callable[[str], str | Refused]) -> Refused | None:
    """
    Say how to write what stands on one line as several; None where it is one act.

    Shape: `head` is what stands before the acts, as a card or a condition; `read` returns a line in canonical words.
    Rule: M2.
    """
    parts = _joined([part for part in _PART.split(text) if part])
    if len(parts) < 2:
        return None
    lines: list[str] = []
    for part in parts:
        found = read(_REACTIONS.get(part.lower(), part))
        if isinstance(found, Refused):
            return Refused(found.fault, f'A line has one act. Of "{part}": {found.because}', found.rule)
        lines.append(found)
    acts = [line for line in lines if not line.startswith(("on ", "recall"))]
    rest = [f'"{line}"' for line in lines if line not in acts]
    listed = " / ".join((*(f'"{head}{act}"' for act in acts), *rest))
    because = f"A line has one act, and at each card the first line that can be done is done. So write: {listed}."
    first = re.match(r"cards? (\d{1,6})\W+$", head, re.IGNORECASE)
    if len(acts) > 1 and (first or not head):
        cards = enumerate(acts, int(first[1]) if first else 1)
        by_card = " / ".join(f'"card {number}: {act}"' for number, act in cards)
        because += f" Or, for one card after the other: {by_card}."
    return Refused("ambiguous", because, "M2")
