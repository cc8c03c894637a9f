"""The harbour with a question: tugs that bid alike are asked in the middle of the tide what they add."""

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ground.terms import Facts, Given, Outcome, Phase, Seat
from pbem.ruleset import Dice
from tests.harbour import Bid, Harbour, HarbourRules

MOST = 3
"""How often in a tide tugs are asked that bid alike."""


class Tie(Harbour, frozen=True):
    """A harbour in which some bid alike: who, and how much."""

    tied: tuple[Seat, ...] = ()
    at: int = 0


def capped(state: Harbour, seat: Seat, bids: Sequence[Bid], before: int = 0) -> int:
    """Return what a tug bids on top of what it bid before, as far as its purse goes."""
    return min(state.coins[seat], before + sum(bid.coins for bid in bids))


class TieBreak(HarbourRules):
    """The ruleset: what is added counts on top, and where nobody adds more than the others a die picks."""

    phase_kinds = ("tide", "tie")
    questions = ("tie",)
    state_type: type[Harbour] = Tie

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> Harbour:
        """Begin as the harbour does."""
        return Tie(**msgspec.structs.asdict(super().setup(seats, house, dice)))

    def phase(self, state: Harbour) -> Phase:
        """Only tugs that bid alike owe something where there are any."""
        assert isinstance(state, Tie)
        tied = Phase(kind="tie", title=f"Tide {state.tide}, a tie", owing=state.tied)
        return tied if state.tied else super().phase(state)

    def missing(self, state: Harbour, seat: Seat, dice: Dice) -> tuple[Bid, ...]:
        """Who says nothing adds nothing."""
        assert isinstance(state, Tie)
        return (Bid(coins=0),) if state.tied else super().missing(state, seat, dice)

    def asked(self, state: Harbour, seat: Seat) -> Facts:
        """Say what the purse holds beyond the bid."""
        assert isinstance(state, Tie)
        return {"coins": state.coins[seat] - state.at}

    def adjudicate(
        self, state: Harbour, orders: Mapping[Seat, Sequence[Bid]], given: Given, dice: Dice
    ) -> Outcome[Harbour]:
        """
        Ask as long as the highest bids are alike, a few times; then as the harbour does.

        A bid above a purse, which a ruling has emptied since, is one of the whole purse.
        """
        sent = {seat: capped(state, seat, orders[seat]) for seat in state.names}
        for answer in given.answers:
            sent |= {seat: capped(state, seat, more, sent[seat]) for seat, more in answer.items()}
        best = max(sent.values())
        tied = tuple(seat for seat, coins in sent.items() if coins == best)
        if len(tied) > 1 and len(given.answers) < MOST:
            asked = msgspec.structs.replace(state, tied=tied, at=best)
            return Outcome(state=asked, verdicts=(), events=(), asks=True)
        outcome = super().adjudicate(state, {seat: (Bid(coins=coins),) for seat, coins in sent.items()}, given, dice)
        return msgspec.structs.replace(outcome, state=Tie(**msgspec.structs.asdict(outcome.state)))
