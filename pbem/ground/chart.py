"""A chart of a game: how rounds left everybody, and what in it turned the game; for what a last report tells."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from pbem.ground.terms import Curve, Curves, Facts


class Column(msgspec.Struct, frozen=True):
    """What a round left to all who were in until then, by seat, and 0 or less to whoever fell; round 0 came first."""

    round: int
    left: dict[str, int]


def line(chart: Sequence[Column], seat: str, *, nothing: int) -> list[int]:
    """Return a seat's amount in each column, `nothing` where it has none: before it came, and once it is out."""
    return [column.left.get(seat, nothing) for column in chart]


def turning_points(chart: Sequence[Column], winner: str, *, steep: int) -> list[Facts]:
    """
    Return what turned a game, each a fact of one seat alone: `what`, `seat`, `round` and `amount`.

    Shape: "behind" is the last round that left the winner with less than everybody else; "lead" that since which it
    had the most, where that was not always so; "worst" the greatest loss of a round, where it is more than `steep`.
    `winner` is "" where nobody won alone.
    """
    found: list[Facts] = []
    if len(chart) < 3 or chart[0].round > 1:  # too short, or its beginning is not known
        return found
    if winner:
        found += _behind(chart, winner) + _lead(chart, winner)
    losses = [
        (before.left[seat] - now.left[seat], now.round, seat)
        for before, now in pairwise(chart)
        for seat in before.left
        if seat in now.left
    ]
    worst = max((amount for amount, _, _ in losses), default=0)
    of_worst = [one for one in losses if one[0] == worst]
    if worst > steep and len(of_worst) == 1:
        found.append({"what": "worst", "seat": of_worst[0][2], "round": of_worst[0][1], "amount": worst})
    return found


def _behind(chart: Sequence[Column], winner: str) -> list[Facts]:
    """Find the last round, but for the end, that left the winner with less than two or more others who were in."""
    for column in reversed(chart[:-1]):
        mine = column.left.get(winner, 0)
        others = [amount for seat, amount in column.left.items() if seat != winner and amount > 0]
        if mine > 0 and len(others) > 1 and mine < min(others):
            return [{"what": "behind", "seat": winner, "round": column.round, "amount": mine}]
    return []


def _lead(chart: Sequence[Column], winner: str) -> list[Facts]:
    """Find the round since which nobody else was left with as much as the winner, where it was not always so."""
    since = len(chart)
    while since and _leads(chart[since - 1], winner):
        since -= 1
    if not 0 < since < len(chart) - 1:
        return []
    return [{"what": "lead", "seat": winner, "round": chart[since].round, "amount": chart[since].left[winner]}]


def _leads(column: Column, winner: str) -> bool:
    mine = column.left.get(winner, 0)
    return all(amount < mine for seat, amount in column.left.items() if seat != winner)


def curves(
    title: str, rounds: Sequence[Mapping[str, tuple[int, int]]], names: Mapping[str, str], *, ends: bool = True
) -> tuple[Curves, ...]:
    """
    Return how a number went, from what each round made of it, before and after, by seat; nothing of no rounds.

    Shape: `names` are those of the seats. Whoever is in no round any more has no number there, and who comes later none
    before.
    """
    found = []
    for seat, name in names.items():
        amounts: list[int | None] = [None] * (len(rounds) + 1)
        for place, one in enumerate(rounds, 1):
            if seat in one:
                before, amounts[place] = one[seat]
                amounts[place - 1] = before if amounts[place - 1] is None else amounts[place - 1]
        found.append(Curve(name, tuple(amounts)))
    heads = tuple(range(len(rounds) + 1))
    return (Curves(title=title, heads=heads, curves=tuple(found), ends=ends),) if rounds else ()
