"""The auction of Rumble against a second reckoning of it: who wins what, what it costs, and who is out by it."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Outcome, Seat
from pbem.language.phrases import Unread
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.state import Hero, Power, State, unnumbered
from pbem.rulesets.rumble.powers import archive
from tests.depth import DEPTH
from tests.reckoners.auction import Auction, Bid, Lot
from tests.reckoners.piles import HANDED, SEATS, name
from tests.rulesets.test_rumble_reckoned import DICE, close

CARDS = (
    "Tough Skin", "Flight", "Laser Eyes", "Blood Rage", "Weak Hands", "Pure Energy Being", "Hidden Clone", "Bomberman",
    "Clockwork Being", "Meditation",
)  # fmt: skip
HOUSE = {
    "ties": ("rebid_once", "rebid", "blind", "shared", "random"),
    "overbid_rescue": ("no", "yes"),
    "dead_bidder_powers": ("discard", "next_bidder"),
    "flaw_all_zero": ("copies", "discard"),
    "curse": ("winner_gives", "keep"),
    "peb": ("winning", "all"),
    "round": ("down", "up"),
    "nmr_bid": ("0", "5"),
    "last_fall": ("draw", "most_energy"),
    "bids": ("open", "leader", "hidden"),
}
OPEN = {
    # What the two reckonings are known to tell apart.
    "a tie draws a third bidder in",
    # The dice are the ruleset's own.
    "a lot is drawn",
    # What the rules leave open.
    "a Flaw of the dead",
    "next bidders tie",
    "a next bidder is put out",
}


def drawn(chance: Random) -> tuple[Auction, set[str]]:
    """Draw a pool, and everybody's bids on it; return also who sends nothing."""
    seats = SEATS[: chance.randint(2, 8)]
    house = {option: chance.choice((choices[0], chance.choice(choices))) for option, choices in HOUSE.items()}
    cards = chance.sample(CARDS, chance.randint(1, 8))
    pool = [Lot(n, card, _kind(card, chance)) for n, card in enumerate(cards, 1)]
    silent = {seat for seat in seats if chance.random() < 0.1}
    nothing = Bid(int(house["nmr_bid"]))
    rich = chance.choice((3, 8, 30, 60))
    bids = {
        lot.number: {
            seat: nothing if seat in silent else _bid(lot, [s for s in seats if s != seat], house, rich, chance)
            for seat in seats
            if seat in silent or chance.random() < 0.8
        }
        for lot in pool
    }
    silent |= {seat for seat in seats if not any(seat in those for those in bids.values())}
    for seat in silent:
        for lot in pool:
            bids[lot.number][seat] = nothing
    return Auction(house, seats, pool, bids), silent


def _kind(card: str, chance: Random) -> str:
    return "curse" if card in HANDED else chance.choice(("power", "power", "power", "flaw"))


def _bid(lot: Lot, others: Sequence[str], house: Mapping[str, str], rich: int, chance: Random) -> Bid:
    sealed = house["ties"] not in ("shared", "random") and lot.kind != "flaw"
    then = tuple(chance.randint(0, rich) for _ in range(chance.randint(0, 2))) if sealed else ()
    discard = lot.kind != "flaw" and chance.random() < 0.1
    named = lot.name in HANDED and house["curse"] == "winner_gives" and not discard
    return Bid(chance.randint(0, rich), then, discard, chance.choice(others) if named else "")


def written(lot: Lot, bid: Bid) -> str:
    """Write a bid as the line of a mail."""
    then = "".join(f" then {amount}" for amount in bid.then)
    give = f", if win give to {name(bid.give)}" if bid.give else ""
    return f"bid P{lot.number:02d} {bid.amount}{then}{' discard' * bid.discard}{give}"


def laid(auction: Auction) -> State:
    """Lay the same auction before the ruleset."""
    powers: list[Power] = []
    for lot in auction.pool:
        found = archive.find(lot.name)
        assert not isinstance(found, Unread)
        kind: Any = lot.kind
        powers.append(Power(lot.number, lot.name, found.text, "", kind, lines=found.lines))
    heroes = tuple(Hero(Seat(seat), name(seat), 100) for seat in auction.seats)
    return State(phase="auction", house={**DEFAULTS, **auction.house}, heroes=heroes, powers=tuple(powers))


def fallen_on(outcome: Outcome[State]) -> Callable[[str, Sequence[str]], str]:
    """Return on whom the ruleset's lots fell; one of the tied it must be."""

    def falls(card: str, tied: Sequence[str]) -> str:
        told = next(e.facts for e in outcome.events if e.kind == "power_won" and e.facts["name"] == card)
        assert told["by_die"]
        return next(seat for seat in tied if name(seat) in told["heroes"])

    return falls


def compare(seed: int) -> int:
    """Hold an auction both ways."""
    chance = Random(seed)
    auction, silent = drawn(chance)
    lines = {
        seat: [written(lot, auction.bids[lot.number][seat]) for lot in auction.pool if seat in auction.bids[lot.number]]
        for seat in auction.seats
        if seat not in silent
    }
    scene = "\n".join([f"{auction.house}", f"{auction.pool}", *(f"{seat}: {said}" for seat, said in lines.items())])
    state = laid(auction)
    outcome = close(state, lines, DICE)
    while auction.settle():
        if auction.notes & OPEN:
            return 0
        tied = {seat for seats in auction.tied.values() for seat in seats}
        assert set(RULESET.phase(outcome.state).owing) == tied, f"bids again: {tied}, seed {seed}\n{scene}"
        new = {
            number: {seat: Bid(chance.randint(0, 40)) for seat in seats if chance.random() < 0.8}
            for number, seats in auction.tied.items()
        }
        said: dict[str, list[str]] = {}
        for number, bids in new.items():
            for seat, bid in bids.items():
                said.setdefault(seat, []).append(f"bid P{number:02d} {bid.amount}")
        scene += f"\n{said}"
        auction.bid_again(new)
        outcome = close(outcome.state, said, DICE)
    if auction.notes & OPEN:
        return 0
    auction.close(fallen_on(outcome))
    if auction.notes & OPEN:
        return 0
    after = outcome.state
    energy = {hero.seat: hero.energy for hero in after.heroes}
    has = sorted((unnumbered(p.name), p.owner, p.strength) for p in after.powers if p.owner and p.in_play)
    how = f"seed {seed}\n{scene}\n" + "\n".join(f"    {v.key} = {v.value}: {v.how}" for v in outcome.verdicts)
    assert energy == auction.energy, f"{energy}, reckoned {auction.energy}, {how}"
    assert has == sorted(auction.has), f"{has}, reckoned {sorted(auction.has)}, {how}"
    winners = set(outcome.result.winners) if outcome.result else None
    assert winners == auction.winners(), f"winners {winners}, reckoned {auction.winners()}, {how}"
    return 1


@given(st.integers(0, 2**40))
def test_an_auction_comes_out_as_its_rules_say(seed: int) -> None:
    """Who bids again, who has what for how much, who is left with how much Energy."""
    compare(seed)


@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("start", range(0, 1_500 * DEPTH, 750))
def test_thousands_of_auctions_come_out_as_their_rules_say(
    start: int, record_property: Callable[[str, object], None]
) -> None:
    """Many more of them."""
    held = sum(compare(seed) for seed in range(start, start + 750))
    record_property("tried", f"{held} auctions, reckoned twice")
