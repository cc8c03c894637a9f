"""Harbour, a tiny ruleset for the tests: tugs bid coins for a hulk each tide; two hulks win."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.ground.terms import EVERYONE, Complaint, Event, Facts, Given, Only, Option, Outcome, Phase, Result, Seat
from pbem.language.phrases import Unread, clean, find
from pbem.ruleset import Dice, Language, Numbers, Placed, Reader, Reckoning, Ruleset, SimpleTables


class Bid(Placed, frozen=True, eq=False):
    """Coins for this tide's hulk."""

    coins: int


class Harbour(msgspec.Struct, frozen=True):
    """Names, coins and hulks by seat, and the tide that runs."""

    names: dict[Seat, str]
    coins: dict[Seat, int]
    hulks: dict[Seat, int]
    tide: int = 1
    nmr: str = "0"


class Bids(Reader[Harbour, Bid]):
    """What is sent in a tide."""

    rule = "H1"

    def language(self, state: Harbour, seat: str) -> Language:
        """One shape is all there is."""
        return TABLES.language({"bid": Bid}, {"number": Numbers()}, samples={"number": "3"})


TABLES = SimpleTables(
    "BID bid bids\nCOINS coins coin", "order.bid: BID coins:number\norder.bid: BID coins:number COINS", ("number",)
)
BIDS = Bids()
NMR_BID = Option(
    name="nmr_bid", default="0", choices=(), says={"": "Who sends nothing bids {}."}, rule="H4", missing_in=("tide",)
)


class HarbourRules(Ruleset[Harbour, Bid]):
    """The ruleset; every function is pure."""

    name = "harbour"
    title = "Harbour"
    package = __package__
    contract = 2
    version = 1
    options: tuple[Option, ...] = (NMR_BID,)
    seats = range(2, 5)
    event_kinds = frozenset({"hulk", "bids", "purse"})
    phase_kinds: tuple[str, ...] = ("tide",)
    state_type = Harbour
    settable = ("coins",)
    derived = ("bid",)

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> Harbour:
        """Ten coins and no hulk each."""
        return Harbour(dict(seats), dict.fromkeys(seats, 10), dict.fromkeys(seats, 0), nmr=house["nmr_bid"])

    def phase(self, state: Harbour) -> Phase:
        """Every phase is a tide, and all owe a bid."""
        return Phase(kind="tide", title=f"Tide {state.tide}", owing=tuple(state.names))

    def reader(self, state: Harbour) -> Reader[Harbour, Bid]:
        """Bids alone are sent."""
        return BIDS

    def check(self, state: Harbour, seat: Seat, orders: Sequence[Bid]) -> tuple[Complaint, ...]:
        """No bid above the purse."""
        total, held = sum(order.coins for order in orders), state.coins[seat]
        wrong = Complaint(0, "", "illegal", f"{total} coins bid; you have {held}.", "H2")
        return (wrong,) if total > held else ()

    def missing(self, state: Harbour, seat: Seat, dice: Dice) -> tuple[Bid, ...]:
        """The house rule's bid."""
        return (Bid(coins=min(int(state.nmr), state.coins[seat])),)

    def adjudicate(
        self, state: Harbour, orders: Mapping[Seat, Sequence[Bid]], given: Given, dice: Dice
    ) -> Outcome[Harbour]:
        """The highest bid takes the hulk and is paid; of equal ones a die picks."""
        sums = Reckoning(given.pinned)
        sent = {seat: sum(order.coins for order in orders[seat]) for seat in state.names}
        bids = {
            seat: sums.number(f"bid of {seat}", f"bid of {state.names[seat]}", sent[seat], rule="H1") for seat in sent
        }
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
        result = Result((winner,), f"{state.names[winner]} has two hulks and wins.") if hulks[winner] >= 2 else None
        return Outcome(state=after, verdicts=tuple(sums.verdicts), events=tuple(events), result=result)

    def asked(self, state: Harbour, seat: Seat) -> Facts:
        """The purse."""
        return {"coins": state.coins[seat]}

    def hand(self, state: Harbour, seat: Seat, orders: Sequence[Bid]) -> Facts:
        """The bid on hand."""
        return {"coins": sum(order.coins for order in orders)}

    def effect(self, state: Harbour, said: str) -> str | Unread:
        """`gain NAME N`."""
        match = re.fullmatch(r"gain (.+) ([0-9]+)", clean(said), re.IGNORECASE)
        seat = find(match[1], state.names, "tug") if match else Unread("unreadable", "Write gain NAME 3.")
        return seat if isinstance(seat, Unread) or not match else f"gain {seat} {match[2]}"


RULESET: Ruleset[Harbour, Bid] = HarbourRules()
