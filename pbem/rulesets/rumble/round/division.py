"""Which points of Attack a Defence blocks: the defender's choice, else the house's; plain arithmetic."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pbem.rulesets.rumble.model.order import Block

Pile: TypeAlias = Sequence[tuple[str, int]]
"""What comes in against one Defence, in seat order: who sends it, and how much."""


def divide(
    defence: int, pile: Pile, block: Block | None, default: str, fixed: Mapping[int, int] | None = None
) -> list[int]:
    """
    Return how much of each item of the pile is blocked.

    Shape: `fixed` are items whose block a ruling gave, by place; the rest of the Defence goes to the others.
    Rule: R9; A12 for what the defender left open; ties go by seat order.
    """
    blocked = [0] * len(pile)
    left = defence
    for place, points in (fixed or {}).items():
        blocked[place] = min(points, pile[place][1])
        left = max(0, left - blocked[place])
    open_places = [place for place in range(len(pile)) if place not in (fixed or {})]
    for place, most in _asked_for(pile, block, open_places, largest=default == "largest"):
        points = min(most, pile[place][1] - blocked[place], left)
        blocked[place] += points
        left -= points
    how = block.how if block and block.how in ("largest", "smallest", "evenly") else default
    rest = {place: pile[place][1] - blocked[place] for place in open_places}
    shares = _evenly(rest, left) if how in ("evenly", "pro_rata") else _by_size(rest, left, how == "largest")
    for place, points in shares.items():
        blocked[place] += points
    return blocked


def _asked_for(pile: Pile, block: Block | None, places: list[int], *, largest: bool) -> list[tuple[int, int]]:
    """List the places that a `block first` or `block N from` names, with the most there; of one hero by size."""
    if block is None or block.how not in ("first", "points"):
        return []
    wanted = []
    for rank, seat in enumerate(block.first):
        left = block.points[rank] if block.how == "points" else sum(amount for _, amount in pile)
        mine = [place for place in places if pile[place][0] == seat]
        for place in sorted(mine, key=lambda place: -pile[place][1] if largest else pile[place][1]):
            points = min(left, pile[place][1])
            wanted.append((place, points))
            left -= points
    return wanted


def _by_size(rest: Mapping[int, int], left: int, largest: bool) -> dict[int, int]:
    shares = {}
    for place in sorted(rest, key=lambda place: (-rest[place] if largest else rest[place], place)):
        shares[place] = min(rest[place], left)
        left -= shares[place]
    return shares


def _evenly(rest: Mapping[int, int], left: int) -> dict[int, int]:
    """Share in proportion; points that do not divide go to the largest remainders."""
    total = sum(rest.values())
    if left >= total:
        return dict(rest)
    shares = {place: amount * left // total for place, amount in rest.items()}
    over = left - sum(shares.values())
    by_remainder = sorted(rest, key=lambda place: (-(rest[place] * left % total), place))
    for place in by_remainder[:over]:
        shares[place] += 1
    return shares
