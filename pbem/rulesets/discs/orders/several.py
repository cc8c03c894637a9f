"""Lines that hold several acts, each of which is a line of its own: parts them, and says how to write them."""

import re
from collections.abc import Callable, Sequence

from pbem.ruleset import Refused
from pbem.rulesets.discs.model.order import Act, Attack, Move, Stand, Throw
from pbem.rulesets.discs.orders.acts import VERBS
from pbem.rulesets.discs.orders.standing import Standing

_BETWEEN = r"(?:\s*(?:[,;&+/.]|[-=]?>)|\s+(?:and|then|afterwards?|next|finally|or|plus)\b)+\s*"
_REACTIONS = {
    "block": "on disc: block", "dodge": "on disc: dodge", "block, dodge": "on disc: block, dodge",
    "dodge, block": "on disc: dodge, block", "catch": "on my disc: card", "catch it": "on my disc: card",
    "catch my disc": "on my disc: card", "dive": "on my disc: dive",
}  # fmt: skip
"""What people call reactions in passing, and the lines that they are."""
_PART = re.compile(
    rf"{_BETWEEN}(?=(?:{VERBS}|catch|dive|recall|on (?:my )?(?:dis[ck]|attack))\b|(?:block|dodge)\b)", re.IGNORECASE
)
_STAYS = ("square", "point", "wall", "corner", "centre", "my disc")
"""Places that a Move comes to in the end."""
_SEQUENCE = re.compile(
    r"\b(?:then|after\w*|next|finally|first\w*|second\w*|third\w*|last\w*|before|once|or|[0-9]+(?:st|nd|rd|th))\b"
    r"|[-=]?>|\.(?=\s)",
    re.IGNORECASE,
)
"""What says that acts follow each other, or that one of them stands for another."""


def is_list(text: str, acts: Sequence[Act | Standing]) -> bool:
    """
    Say whether the acts of a line can only be a list, of which the first that can be done is done at each card.

    Shape: where `text` has words of sequence, they may be for one card after the other; so they may where one that
    does not come to an end stands before others, such as `hold`, which would leave nothing for them, and where two
    are of a kind. Rule: M2.
    """
    kinds = [type(act) for act in acts if isinstance(act, Act)]
    is_sure = not _SEQUENCE.search(text) and len(set(kinds)) == len(kinds)
    return is_sure and all(_comes_to_an_end(act) for act in acts[:-1])


def _comes_to_an_end(act: Act | Standing) -> bool:
    """Say whether the next line gets its turn: an act that cannot be done again and again, or no act at all."""
    if isinstance(act, Move):
        return act.way.how == "to" and act.way.place.kind in _STAYS
    return isinstance(act, Throw | Attack | Stand | Standing)


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


def several(
    head: str,
    text: str,
    read: Callable[[str], Act | Standing | Refused],
    write: Callable[[Act | Standing], str],
) -> Refused | None:
    """
    Say how to write what stands on one line as several; None where it is one act.

    Shape: `head` is what stands before the acts, as a card or a condition. What can be a list only is not asked about.
    Rule: M2.
    """
    parts = _joined([part for part in _PART.split(text) if part])
    if len(parts) < 2:
        return None
    orders: list[Act | Standing] = []
    for part in parts:
        found = read(_REACTIONS.get(part.lower(), part))
        if isinstance(found, Refused):
            return Refused(found.fault, f'A line has one act. Of "{part}": {found.because}', found.rule)
        orders.append(found)
    lines = [write(order) for order in orders]
    acts = [line for line in lines if not line.startswith(("on ", "recall"))]
    rest = [f'"{line}"' for line in lines if line not in acts]
    listed = " / ".join((*(f'"{head}{act}"' for act in acts), *rest))
    because = f"A line has one act, and at each card the first line that can be done is done. So write: {listed}."
    first = re.match(r"cards? (\d{1,6})\W+$", head, re.IGNORECASE)
    if len(acts) > 1 and (first or not head):
        cards = enumerate(acts, int(first[1]) if first else 1)
        by_card = " / ".join(f'"card {number}: {act}"' for number, act in cards)
        because += f" Or, for one card after the other: {by_card}."
    is_sure = not head and not any(part.lower() in _REACTIONS for part in parts) and is_list(text, orders)
    return Refused("unreadable" if is_sure else "ambiguous", because, "M2")
