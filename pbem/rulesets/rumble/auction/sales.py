"""Who gets one power of the pool and for how much: highest bid, ties, Flaws; knows nobody's Energy."""

from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import Dice, Reckoning
from pbem.rulesets.rumble.model.state import Power, State


class Sale(msgspec.Struct, frozen=True, kw_only=True):
    """
    One power on sale, and once it is sold what became of it.

    Shape: `bids` are the bids, in the end as they stood then, `then` each bid's sealed replacements; `prices` maps
    each seat that pays to how much; `tied` are those that bid again; `how` is the story where it took more than the
    first bids.
    """

    power: Power
    bids: dict[str, int]
    then: Mapping[str, Sequence[int]] = {}
    winners: tuple[str, ...] = ()
    strength: int = 0
    prices: dict[str, int] = {}
    tied: tuple[str, ...] = ()
    how: str = ""
    by_die: bool = False


def sell(state: State, sale: Sale, book: Reckoning, dice: Dice) -> Sale:
    """
    Decide who gets a power.

    Rule: R19, R20, R21; B2, B3; N10 and B11 for Flaws.
    """
    return _flaw(state, sale, book) if sale.power.kind == "flaw" else _highest(state, sale, book, dice)


def _highest(state: State, sale: Sale, book: Reckoning, dice: Dice) -> Sale:
    key = sale.power.key
    eligible = [seat for seat in sale.bids if book.says(f"{key} goes to {seat}") is not False]
    ruled = [seat for seat in eligible if book.says(f"{key} goes to {seat}")]
    sale = _bid_out(state, sale, eligible)
    if ruled:
        sale = msgspec.structs.replace(sale, winners=tuple(ruled))
    elif len(sale.winners) > 1:
        if _bid_again(state, sale):
            for seat, bid in sale.bids.items():
                if bid:
                    tie = f"tied on {bid}" if seat in sale.winners else ""
                    book.claim(f"{key} goes to {seat}", _goes(state, sale, seat), False, tie, "R20")
            return msgspec.structs.replace(sale, winners=(), tied=sale.winners)
        if state.house["ties"] != "shared":
            winner = dice.pick(f"tie {key} {state.rebids}", sale.winners)
            sale = msgspec.structs.replace(sale, winners=(winner,), by_die=True)
    return _sold(state, sale, book)


def _bid_again(state: State, sale: Sale) -> bool:
    """
    Say whether the tied bid again: as often as it takes, or each of them once; not where all bid as before.

    Rule: B2, B14.
    """
    key = sale.power.key
    stuck = state.phase == "rebid" and {seat: bid for seat, bid in sale.bids.items() if bid} == state.bids.get(key)
    before = state.rebidders.get(key, state.ties.get(key, ()))
    match state.house["ties"]:
        case "rebid":
            return not stuck
        case "rebid_once" | "blind":
            return not stuck and not set(sale.winners) <= set(before)
    return False


def _bid_out(state: State, sale: Sale, eligible: Sequence[str]) -> Sale:
    """
    Let the tied use their sealed replacements until one leads, or none are left; who leads then may still be tied.

    Rule: B2, B3, B12 (who named no replacement stands on the bid).
    """
    bids = dict(sale.bids)
    left = {seat: list(sale.then.get(seat, ())) for seat in bids}
    story: list[str] = []
    while True:
        top = max((bids[seat] for seat in eligible), default=0)
        leaders = [seat for seat in eligible if bids[seat] == top and top > 0]
        moving = [seat for seat in leaders if left[seat]]
        if len(leaders) < 2 or not moving or state.house["ties"] in ("shared", "random"):
            return msgspec.structs.replace(sale, bids=bids, winners=tuple(leaders), how="; ".join(story))
        moves = []
        for seat in moving:
            bids[seat] = left[seat].pop(0)
            moves.append(f"{state.names[seat]} then {bids[seat]}")
        story.append(f"tied on {top}: {', '.join(moves)}")


def _goes(state: State, sale: Sale, seat: str) -> str:
    return f"{sale.power.key} {sale.power.name} goes to {state.names[seat]}"


def _sold(state: State, sale: Sale, book: Reckoning) -> Sale:
    key, name = sale.power.key, sale.power.name
    for seat, bid in sale.bids.items():
        if bid or seat in sale.winners:
            how = f"bid {bid}" + (", by the die" if sale.by_die and seat in sale.winners else "")
            book.claim(f"{key} goes to {seat}", _goes(state, sale, seat), seat in sale.winners, how, "R19")
    if not sale.winners:
        return sale
    best = max(sale.bids[seat] for seat in sale.winners)
    strength = book.number(f"winning bid on {key}", f"Winning bid on {key} {name}", best, sale.how, "R19")
    price = book.number(f"price of {key}", f"Price of {key} {name}", strength, "the winning bid", "R19")
    prices = dict.fromkeys(sale.winners, price)
    return msgspec.structs.replace(sale, strength=strength, prices=prices)


def _flaw(state: State, sale: Sale, book: Reckoning) -> Sale:
    """Give a Flaw to the lowest bidders for nothing; everybody else loses the bid."""
    key, none_bid = sale.power.key, not any(sale.bids.values())
    nobody = none_bid and state.house["flaw_all_zero"] == "discard"
    least = min(sale.bids.values(), default=0)
    winners, prices = [], {}
    for seat, bid in sale.bids.items():
        lowest, rule = bid == least and not nobody, "B11" if none_bid else "N10"
        if book.claim(f"{key} goes to {seat}", _goes(state, sale, seat), lowest, f"bid {bid}", rule):
            winners.append(seat)
        elif bid:
            text = f"Lost by {state.names[seat]} on {key} {sale.power.name}"
            prices[seat] = book.number(f"loss of {seat} on {key}", text, bid, "the bid", "N10")
    return msgspec.structs.replace(sale, winners=tuple(winners), strength=least, prices=prices)


def heir(sale_bids: Mapping[str, int], living: Sequence[str], dice: Dice, label: str) -> str:
    """
    Find who takes over the power of a hero whom the bids put out, or "".

    Rule: B5 (dead_bidder_powers=next_bidder).
    """
    most = max((sale_bids.get(seat, 0) for seat in living), default=0)
    if not most:
        return ""
    return dice.pick(label, [seat for seat in living if sale_bids.get(seat, 0) == most])
