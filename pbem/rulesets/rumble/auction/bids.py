"""Reads the mails of an auction or a tie by their tables: bids that can be made, complaints, and talk."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.ruleset import Language, OrderLine, Parsed, Reader, Refused, phrases, refuse
from pbem.rulesets.rumble.auction import wishes
from pbem.rulesets.rumble.auction.said_of_bids import Added, AsMuch, Instead, on_sale, reckoned, shown
from pbem.rulesets.rumble.auction.tables import language
from pbem.rulesets.rumble.auction.wishes import choice_of, is_handed_on
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.order import Bid
from pbem.rulesets.rumble.model.state import MOST_BID, Power, State
from pbem.rulesets.rumble.orders.writing import write_line

FORM = "I cannot read this as a bid, and now only bids count. Write bid NAME 20, or bid NAME 20 then 25 for a tie."
"""What is said of a line that is near no bid."""
MOST_THEN = 10
"""The most bids on one power. Rule: B2."""


class Bids(Reader[State, Bid]):
    """What is bid in an auction, and again in a tie. Rule: R18."""

    rule = "R18"

    def language(self, state: State, seat: str) -> Language:
        """Return what a seat may write."""
        return language(state, seat)

    def order(self, state: State, seat: str, meant: Any) -> Any:
        """Return what is meant, or why it cannot be bid."""
        return settled(state, seat, meant)

    def write(self, state: State, order: Bid) -> str:
        """Write a bid in neutral words."""
        return write_line(state, order)

    def show(self, state: State, order: Any) -> str:
        """Write a bid, or what is said of one, in the words of the game."""
        return shown(state, order)

    def worded(self, state: State, line: str) -> str:
        """Put a line of ours into the words of the game. Rule: N14."""
        return genre_of(state.house).say(line, [hero.name for hero in state.heroes])

    def unread(self, state: State, seat: str) -> str:
        """Say how bids are written."""
        return FORM

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Bid]:
        """Read a seat's mail; what is bid on all others once all else is read."""
        return reckoned(state, seat, super().hear(state, seat, lines))


BIDS = Bids()


def settled(state: State, seat: str, meant: Any) -> Any:
    """Return what is meant, or why it cannot be bid."""
    match meant:
        case Bid():
            return _bid(state, seat, meant)
        case Added(power, then, _) if power:
            return _refusal(state, seat, state.card(power), then) or meant
        case Instead(amount):
            return _too_much((amount,)) or meant
        case AsMuch(power):
            return _refusal(state, seat, state.card(power), ()) or meant
        case _:
            return meant


def _bid(state: State, seat: str, bid: Bid) -> Bid | Refused:
    """Rule: R18, B1 (each bid 0 to 100), B2 (sealed replacements), R22 (discard), B17 (choices)."""
    power = state.card(bid.power)
    if refused := _refusal(state, seat, power, (bid.amount, *bid.then)):
        return refused
    if bid.discard and power.kind == "flaw":
        return Refused("illegal", f"{power.name} is a Flaw; a Flaw cannot be discarded.", "B6")
    waits = state.house.get("maybe_discard") == "waits"
    if bid.discard == "maybe" and state.house["late_discard"] == "no" and not waits:
        return Refused("illegal", "In this game that cannot wait for a round: say discard, or leave it out.", "B6")
    if bid.discard == "maybe" and choice_of(power) == "give" and is_handed_on(state):
        because = f"Whoever wins {power.name} hands it on at once. Say discard, or leave it out."
        return Refused("illegal", because, "N8")
    if bid.then and state.house["ties"] in ("shared", "random"):
        return Refused("illegal", "Ties are not bid out in this game, so then has no meaning. Leave it out.", "B2")
    if len(bid.then) >= MOST_THEN:
        return Refused("illegal", "Ten bids on one power are the most.", "B2")
    is_idle = bid.discard == "no" and state.phase == "auction"  # nothing was wished yet
    bid = msgspec.structs.replace(bid, discard="" if is_idle else bid.discard)
    return wishes.settled(state, seat, bid)


def _refusal(state: State, seat: str, power: Power, amounts: Sequence[int]) -> Refused | None:
    """Say why nothing like this can be bid on a power. Rule: B1, R20."""
    if state.phase == "rebid" and seat not in state.ties.get(power.key, ()):
        again = phrases.listed([one.name for one in on_sale(state, seat)], "and")
        return Refused("illegal", f"You are not tied for {power.name}. You bid again on {again}.", "R20")
    return _too_much(amounts)


def _too_much(amounts: Sequence[int]) -> Refused | None:
    read = (phrases.number(str(amount), most=MOST_BID) for amount in amounts)
    wrong = next((one for one in read if isinstance(one, phrases.Unread)), None)
    return refuse(wrong, "B1") if wrong else None
