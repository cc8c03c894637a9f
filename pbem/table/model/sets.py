"""The sets of a game, by seat: on hand, replaced, offered, late, kept for later; knows nothing of the orders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

import msgspec

from pbem.ground.terms import Seat

Stamp: TypeAlias = tuple[datetime, str, str]
"""(arrival, the mailbox's name of the mail, digest): the greatest wins, whichever was read last."""


class OnHand(msgspec.Struct, frozen=True):
    """
    One seat's current set, as canonical lines; `fresh` where it was sent, not carried over, for this phase.

    Shape: `doubtful` where talk beside it may change it, so that it waits for a `yes`.
    """

    orders: tuple[str, ...]
    stamp: Stamp
    incomplete: bool = False
    fresh: bool = True
    doubtful: bool = False


class Offer(msgspec.Struct, frozen=True):
    """
    The set that a seat's mail may mean as a whole, which a `yes` to its receipt takes.

    Shape: canonical lines; `entry` is the number of the mail, `phase` and `question` what it was for.
    """

    orders: tuple[str, ...]
    entry: int
    phase: int
    question: int


class LateSet(msgspec.Struct, frozen=True):
    """A set that came when its phase had closed, which the moderator may accept; `how` says in words how late."""

    held: OnHand
    how: str


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    Orders for phases that are not open yet: for the one of a `title`, in small letters, or all of a `kind`.

    No `orders` at all says that nothing stands, though the charter would let it.
    """

    title: str = ""
    kind: str = ""
    orders: tuple[str, ...] = ()


class Sets(msgspec.Struct, frozen=True, kw_only=True):
    """
    All sets of a game.

    Shape: `hand` are those that count now; `replaced` those that a seat's last mail put another in place of, or none;
    `offers` what its last mail with orders may mean; `late` those that came when the phase had closed, and that nobody
    has accepted; `later` orders for phases to come, and `lapsing` the seats whose such orders go as the next phase
    opens; `last` the sets with which phases closed, of each kind the last; `dropped` the complaints about those that
    had become impossible, to be told in the phase's letter; `answers` the sets that were sent in the middle of a phase,
    once for each time that it stopped to ask.
    """

    hand: Mapping[Seat, OnHand] = {}
    replaced: Mapping[Seat, OnHand] = {}
    offers: Mapping[Seat, Offer] = {}
    late: Mapping[Seat, LateSet] = {}
    later: Mapping[Seat, tuple[Kept, ...]] = {}
    lapsing: frozenset[Seat] = frozenset()
    last: Mapping[Seat, tuple[Kept, ...]] = {}
    dropped: Mapping[Seat, tuple[str, ...]] = {}
    answers: tuple[Mapping[Seat, OnHand], ...] = ()

    def of(self, seat: Seat, **sets: Any) -> Sets:
        """Return these with sets of a seat in place of its own, each under its field's name; None takes it away."""
        return msgspec.structs.replace(
            self, **{name: _with(getattr(self, name), seat, one) for name, one in sets.items()}
        )


def _with(sets: Mapping[Seat, Any], seat: Seat, one: Any) -> Mapping[Seat, Any]:
    if one is None:
        return {other: held for other, held in sets.items() if other != seat}
    return {**sets, seat: one}
