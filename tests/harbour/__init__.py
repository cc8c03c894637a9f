"""Harbour, a tiny ruleset for the tests: tugs bid coins for a hulk each tide; two hulks win."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem import phrases
from pbem.phrases import Unread, clean, find, number
from pbem.ruleset import (
    EVERYONE,
    Change,
    Complaint,
    Dice,
    Event,
    Fact,
    Facts,
    Given,
    Only,
    Option,
    OrderLine,
    Outcome,
    Parsed,
    Phase,
    Result,
    Ruleset,
    Seat,
    Verdict,
)
from pbem.world.settings import templates_of


class Bid(msgspec.Struct, frozen=True):
    """Coins for this tide's hulk."""

    coins: int


class Harbour(msgspec.Struct, frozen=True):
    """Names, coins and hulks by seat, and the tide that runs."""

    names: dict[Seat, str]
    coins: dict[Seat, int]
    hulks: dict[Seat, int]
    tide: int = 1
    nmr: str = "0"


class HarbourRules:
    """The ruleset; every function is pure."""

    name = "harbour"
    title = "Harbour"
    package = __package__
    version = 1
    options: tuple[Option, ...] = (
        Option(
            name="nmr_bid",
            default="0",
            choices=(),
            says={"": "Who sends nothing bids {}."},
            rule="H4",
            missing_in=("tide",),
        ),
    )
    seats = range(2, 5)
    event_kinds = frozenset({"hulk", "bids", "purse"})
    phase_kinds: tuple[str, ...] = ("tide",)
    reviewed: tuple[str, ...] = ()
    figures: Mapping[str, int] = {}

    def changed(self, state: Harbour, since: int) -> tuple[Change, ...]:
        """Nothing has changed yet."""
        return ()

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> Harbour:
        """Ten coins and no hulk each."""
        return Harbour(dict(seats), dict.fromkeys(seats, 10), dict.fromkeys(seats, 0), nmr=house["nmr_bid"])

    def phase(self, state: Harbour) -> Phase:
        """Every phase is a tide, and all owe a bid."""
        return Phase(kind="tide", title=f"Tide {state.tide}", owing=tuple(state.names))

    def label(self, state: Harbour, seat: Seat) -> str:
        """The name that was chosen."""
        return state.names[seat]

    def parse(self, state: Harbour, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[Bid]:
        """Read `bid N` lines."""
        orders, complaints = [], []
        for line in lines:
            text = clean(line.text)
            match = re.fullmatch(r"bid (\S+)", text, re.IGNORECASE)
            if not text:
                continue
            coins = number(match[1]) if match else Unread("unreadable", "Write bid 3.")
            if isinstance(coins, Unread):
                complaints.append(Complaint(line.number, text, coins.fault, coins.because, "H1"))
            else:
                orders.append(Bid(coins))
        return Parsed(tuple(orders), tuple(complaints))

    def parts(self, text: str) -> tuple[str, ...]:
        """A bid a part."""
        return phrases.parts(text)

    def in_block(self, state: Harbour, text: str) -> bool:
        """No line is free text."""
        return False

    def check(self, state: Harbour, seat: Seat, orders: Sequence[Bid]) -> tuple[Complaint, ...]:
        """No bid above the purse."""
        total = sum(order.coins for order in orders)
        if total <= state.coins[seat]:
            return ()
        return (Complaint(0, "", "illegal", f"{total} coins bid; you have {state.coins[seat]}.", "H2"),)

    def lacks(self, state: Harbour, seat: Seat, orders: Sequence[Bid]) -> str:
        """One bid is a whole set."""
        return "" if orders else "a bid"

    def format(self, state: Harbour, orders: Sequence[Bid]) -> tuple[str, ...]:
        """Write bids back."""
        return tuple(f"bid {order.coins}" for order in orders)

    def missing(self, state: Harbour, seat: Seat, dice: Dice) -> tuple[Bid, ...]:
        """The house rule's bid."""
        return (Bid(min(int(state.nmr), state.coins[seat])),)

    def adjudicate(
        self, state: Harbour, orders: Mapping[Seat, Sequence[Bid]], given: Given, dice: Dice
    ) -> Outcome[Harbour]:
        """The highest bid takes the hulk and is paid; of equal ones a die picks."""
        verdicts, bids = [], {}
        for seat, name in state.names.items():
            key = f"bid of {seat}"
            value = given.pinned.get(key, sum(order.coins for order in orders[seat]))
            bids[seat] = int(value)
            pinned = key in given.pinned
            verdicts.append(Verdict(key=key, text=f"bid of {name}", value=bids[seat], rule="H1", pinned=pinned))
        best = max(bids.values())
        winner = dice.pick("hulk", [seat for seat, bid in bids.items() if bid == best])
        coins = {seat: held - (best if seat == winner else 0) for seat, held in state.coins.items()}
        for effect in given.effects:
            _, who, amount = effect.split()
            coins[Seat(who)] += int(amount)
        hulks = {seat: held + (seat == winner) for seat, held in state.hulks.items()}
        after = Harbour(state.names, coins, hulks, state.tide + 1, state.nmr)
        events = [
            Event(kind="hulk", to=EVERYONE, facts={"name": state.names[winner], "paid": best}),
            Event(kind="bids", to=EVERYONE, facts={"bids": {state.names[s]: b for s, b in bids.items()}}),
            *(Event(kind="purse", to=Only((seat,)), facts={"coins": left}) for seat, left in coins.items()),
        ]
        won = hulks[winner] >= 2
        result = Result((winner,), f"{state.names[winner]} has two hulks and wins.") if won else None
        return Outcome(state=after, verdicts=tuple(verdicts), events=tuple(events), result=result)

    def asked(self, state: Harbour, seat: Seat) -> Facts:
        """The purse."""
        return {"coins": state.coins[seat]}

    def hand(self, state: Harbour, seat: Seat, orders: Sequence[Bid]) -> Facts:
        """The bid on hand."""
        return {"coins": sum(order.coins for order in orders)}

    def standing(self, state: Harbour) -> Mapping[str, Fact]:
        """Coins can be set."""
        return {f"coins of {seat}": held for seat, held in state.coins.items()}

    def name_fact(self, state: Harbour, said: str) -> str | Unread:
        """`coins NAME` or `bid NAME`, with or without `of`."""
        match = re.fullmatch(r"(coins|bid)\s+(?:of\s+)?(.+)", clean(said), re.IGNORECASE)
        if not match:
            return Unread("unreadable", "Name coins NAME or bid NAME.")
        seat = find(match[2], state.names, "tug")
        return seat if isinstance(seat, Unread) else f"{match[1].lower()} of {seat}"

    def amend(self, state: Harbour, key: str, value: Fact) -> Harbour | Unread:
        """Set somebody's coins."""
        what, _, seat = key.partition(" of ")
        if what != "coins":
            return Unread("illegal", "Only coins can be set.")
        return msgspec.structs.replace(state, coins={**state.coins, Seat(seat): int(value)})

    def effect(self, state: Harbour, said: str) -> str | Unread:
        """`gain NAME N`."""
        match = re.fullmatch(r"gain (.+) ([0-9]+)", clean(said), re.IGNORECASE)
        seat = find(match[1], state.names, "tug") if match else Unread("unreadable", "Write gain NAME 3.")
        return seat if isinstance(seat, Unread) or not match else f"gain {seat} {match[2]}"

    def lapsed(self, state: Harbour, effect: str) -> bool:
        """No tug is ever out."""
        return False

    def dump(self, state: Harbour) -> dict[str, Any]:
        """Plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(state)
        return plain

    def load(self, data: Mapping[str, Any]) -> Harbour:
        """What `dump` wrote."""
        return msgspec.convert(dict(data), Harbour)


RULESET: Ruleset[Harbour, Bid] = HarbourRules()
TEMPLATES = templates_of(__package__, "harbour")
