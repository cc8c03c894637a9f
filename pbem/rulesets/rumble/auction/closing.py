"""Closes the auction and its rebids: sells every power, takes the payments, checks whom that puts out."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Given, Outcome, Reckoning, Result, Seat
from pbem.rulesets.rumble.auction import second_thoughts, won_powers
from pbem.rulesets.rumble.auction.bid_reports import news_of_auction, sale_events
from pbem.rulesets.rumble.auction.dead_bidders import bury, rescuing
from pbem.rulesets.rumble.auction.purses import Why, change, charge, summed
from pbem.rulesets.rumble.auction.sales import Sale, sell
from pbem.rulesets.rumble.auction.silent_bids import unsaid
from pbem.rulesets.rumble.effect import (
    Drop,
    Effect,
    Eliminate,
    EnergyChange,
    Give,
    Revive,
    SetEnergy,
    Win,
    endures,
    of_kind,
)
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import PowerRuling, Reword, Said, write
from pbem.rulesets.rumble.model.order import Bid, Order, Orders
from pbem.rulesets.rumble.model.state import Fate, IfWon, State, distinct, with_hero, with_power
from pbem.rulesets.rumble.round import checkpoints, farewell, held_powers, next_round, sidekicks


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Close the auction, or a rebid.

    Rule: R18-R22, B1-B12; X1 of the auction comes once no tie is open (A8), after what powers do when won (B17).
    """
    book = Reckoning(given.pinned)
    orders = {seat: _whole(state, seat, sent) for seat, sent in orders.items()}
    all_effects, idle = application.gather(state, given.effects)
    fitting, odd = application.parted(all_effects, _FITTING, "Nobody fights at the auction.")
    effects = [one for one in fitting if not isinstance(one, PowerRuling)]
    opened, vetoed = application.rework(state, [one for one in fitting if isinstance(one, PowerRuling)])
    anew = _reworded(state, opened, fitting)
    sales = [sell(opened, one, book, dice) for one in _on_sale(opened, orders) if one.power.key not in anew]
    why: Why = {hero.seat: [] for hero in state.heroes}
    sold, sale_reports = _hand_out(_noted(opened, orders, sales), sales, why)
    sold, void = _asked_anew(sold, anew)
    sold, moved = application.rework(sold, [e for e in effects if isinstance(e, Give | Drop)])
    events = [*sale_reports, *vetoed, *void, *moved]
    if sold.ties:
        counted, used = _counted(change(sold, effects, why), effects, why, book, ())
    else:
        sold, came = won_powers.take_effect(sold, why, dice)
        sold, passed = bury(change(sold, effects, why), effects, why, book, dice)
        sold, _ = sidekicks.settle_state(sold)
        counted, used = _counted(sold, effects, why, book, rescuing(sold, effects))
        events += [*came, *passed]
    counted, fell = sidekicks.settle_state(counted)
    ending = None if counted.ties else checkpoints.result(counted, effects)
    counted = counted if counted.ties else farewell.charted(counted)
    after = _onward(counted, ending)
    after, began = next_round.begin(after) if after.phase == "round" else (after, ())
    closing = (*_closing(state, counted, why, ending), *_awaited(after))
    events += [*used, *fell, *closing, *began, *_unmet(counted, effects), *idle, *odd]
    news = news_of_auction(opened, counted, sales)
    events = [news, *events, *book.idle()]
    return Outcome(state=after, verdicts=tuple(book.verdicts), events=tuple(events), result=ending)


def _whole(state: State, seat: str, sent: Sequence[Order]) -> tuple[Order, ...]:
    """Return bids with those on Flaws that they do not name, as silence makes them. Rule: B9."""
    return (*sent, *(unsaid(state, seat, sent) if any(isinstance(one, Bid) for one in sent) else ()))


def _reworded(before: State, state: State, said: Sequence[Said]) -> tuple[str, ...]:
    """Return the powers on which bids are sealed and whose words have changed since. Rule: B15."""
    texts = {power.key: power.text for power in before.powers}
    waiting = {
        power.key
        for power in state.pool()
        if (state.phase == "auction" or power.key in state.ties) and power.text != texts[power.key]
    }
    return tuple(dict.fromkeys(e.power for e in of_kind(said, Reword) if e.power in waiting))


def _asked_anew(state: State, anew: Sequence[str]) -> tuple[State, tuple[Event, ...]]:
    """Let everybody bid once more on these powers; what was bid on their old words is nothing. Rule: B15."""
    everybody = tuple(str(hero.seat) for hero in state.living)

    def without(held: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in held.items() if key not in anew}

    after = msgspec.structs.replace(
        state,
        bids=without(state.bids),
        discards=without(state.discards),
        maybes=without(state.maybes),
        if_won=without(state.if_won),
        ties=state.ties | dict.fromkeys(anew, everybody),
        rebidders=state.rebidders | dict.fromkeys(anew, ()),
    )
    names = {power.key: power.name for power in state.powers}
    rows = [{"number": key, "name": names[key]} for key in anew]
    return after, tuple(Event(kind="bids_void", to=EVERYONE, facts=row, rule="B15") for row in rows)


_FITTING = EnergyChange | SetEnergy | Give | Drop | Revive | Eliminate | Win | PowerRuling


def _bids_of(orders: Orders) -> dict[tuple[str, str], Bid]:
    return {(order.power, seat): order for seat, given in orders.items() for order in given if isinstance(order, Bid)}


def _on_sale(state: State, orders: Orders) -> list[Sale]:
    """
    Gather the bids on every power that is to be sold now.

    Rule: B9 (no bid is a bid of 0), B14 (in a rebid, no bid is the bid that stood).
    """
    bids = _bids_of(orders)
    living = [hero.seat for hero in state.living]
    sales = []
    for power in state.pool():
        if state.phase == "rebid" and power.key not in state.ties:
            continue
        stood = state.bids.get(power.key, {})
        again = state.ties.get(power.key, ()) if state.phase == "rebid" else tuple(living)
        standing = {seat: stood.get(seat, 0) for seat in living}
        placed = {seat: bids[power.key, seat] for seat in again if seat in living and (power.key, seat) in bids}
        amounts = standing | {seat: bid.amount for seat, bid in placed.items()}
        sales.append(Sale(power=power, bids=amounts, then={seat: bid.then for seat, bid in placed.items()}))
    return sales


def _noted(state: State, orders: Orders, sales: Sequence[Sale]) -> State:
    """Keep the bids as they stand, who is tied for what, and what is wished if it is won."""
    bids = state.bids | {sale.power.key: {s: n for s, n in sale.bids.items() if n} for sale in sales}
    wishes = {key: set(seats) for key, seats in state.discards.items()}
    choices = {key: dict(chosen) for key, chosen in state.if_won.items()}
    maybes = {key: set(seats) for key, seats in state.maybes.items()}
    waits = state.house.get("maybe_discard") == "waits"
    for (key, seat), bid in _bids_of(orders).items():
        if bid.won != IfWon():
            choices.setdefault(key, {})[seat] = bid.won
        if not bid.discard and bid.won == IfWon():
            continue  # what was wished before holds through a tie
        for held, is_wished in ((wishes, bid.discard == "yes"), (maybes, bid.discard == "maybe" and waits)):
            seats = held.setdefault(key, set())
            seats.discard(seat)
            if is_wished:
                seats.add(seat)
    return msgspec.structs.replace(
        state,
        bids=bids,
        discards={key: tuple(sorted(seats)) for key, seats in wishes.items() if seats},
        maybes={key: tuple(sorted(seats)) for key, seats in maybes.items() if seats},
        if_won=choices,
        ties={sale.power.key: sale.tied for sale in sales if sale.tied},
        rebidders={sale.power.key: _rebidders(state, sale) for sale in sales if sale.tied},
    )


def _rebidders(state: State, sale: Sale) -> tuple[str, ...]:
    before = state.rebidders.get(sale.power.key, state.ties.get(sale.power.key, ()))
    return tuple(dict.fromkeys((*before, *sale.tied)))


def _hand_out(state: State, sales: Sequence[Sale], why: Why) -> tuple[State, tuple[Event, ...]]:
    """
    Give every sold power to its winners, and take the payments.

    Rule: R19, R21, R22; N10 for the copies of a Flaw, B2 (ties=shared) for those of a power; B7, B8.
    """
    events = [event for sale in sales for event in sale_events(state, sale)]
    for sale in sales:
        if sale.tied:
            continue
        unwanted = set(sale.winners) & set(state.discards.get(sale.power.key, ()))
        state = _owned(state, sale, unwanted)
        for seat, price in sale.prices.items():
            state = charge(state, seat, price, sale.power.key, why)
        for seat in sorted(unwanted):
            facts = {"number": sale.power.key, "name": sale.power.name, "hero": state.names[seat]}
            events.append(Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="R22"))
    return state, tuple(events)


def _owned(state: State, sale: Sale, unwanted: set[str]) -> State:
    """Give a power to its winners, the first the card itself and others copies, unless they wish to be rid of it."""
    if not sale.winners:
        return with_power(state, msgspec.structs.replace(sale.power, fate="unsold"))
    for place, seat in enumerate(sale.winners):
        fate: Fate = "discarded" if seat in unwanted else ""
        price = sale.prices.get(seat, 0)
        card = msgspec.structs.replace(
            sale.power, owner=seat, strength=sale.strength, fate=fate, buyer=seat, price=price
        )
        if not place:
            state = with_power(state, card)
            continue
        names = [power.name for power in state.powers if power.in_play]
        name = distinct([*names, re.sub(r" \([0-9]+\)$", "", sale.power.name)])[-1]
        number = max(power.number for power in state.powers) + 1
        copy = msgspec.structs.replace(card, number=number, name=name)
        perhaps = {copy.key: (seat,)} if seat in state.maybes.get(card.key, ()) else {}
        state = msgspec.structs.replace(state, powers=(*state.powers, copy), maybes=state.maybes | perhaps)
    return state


def _counted(
    state: State, effects: Sequence[Effect], why: Why, book: Reckoning, saving: Sequence[Effect]
) -> tuple[State, tuple[Event, ...]]:
    """Record everybody's Energy and, once no tie is open, who is out; a power that saved somebody goes. Rule: B5."""
    tolls: dict[str, checkpoints.Toll] = {}
    for hero in state.living:
        toll = checkpoints.Toll(hero.energy, tuple(why[hero.seat]), endures=endures(saving, hero.seat))
        toll = checkpoints.saved(toll, saving, hero.seat)
        start = hero.energy - sum(amount for _, amount in why[hero.seat])
        toll = checkpoints.recorded(toll, book, hero, start, "R19")
        if not state.ties:
            toll = checkpoints.checked(toll, book, f"out: {hero.seat}", f"{hero.name} is out", 1)
            if not toll.out_step and any(one.on == hero.seat for one in of_kind(effects, Eliminate)):
                text = f"{hero.name} is out by a power"
                toll = checkpoints.checked(toll, book, f"out by a power: {hero.seat}", text, 4, must=True)
        why[hero.seat] = list(toll.why)
        tolls[hero.seat] = toll
        out = 0 if toll.out_step else -1
        state = with_hero(state, msgspec.structs.replace(hero, energy=toll.energy, out=out, out_step=toll.out_step))
    return application.rework(state, held_powers.used_up(tolls))


def _unmet(state: State, effects: Sequence[Effect]) -> list[Event]:
    """Tell the moderator of what was said of falls while ties are open, or of rescues where there are none (B5)."""
    falls = [effect for effect in effects if isinstance(effect, Revive | Eliminate | Win)]
    if state.ties:
        because = "The auction is not over yet. Say it again at its end."
        return [application.without_effect(write(one), because) for one in falls]
    because = "Nobody is saved at the auction in this game."
    rescues = of_kind(falls, Revive) if state.house["overbid_rescue"] == "no" else []
    return [application.without_effect(write(one), because, "B5") for one in rescues]


def _onward(state: State, ending: Result | None) -> State:
    """Return the state that the next phase begins with."""
    if state.ties and not ending:
        return msgspec.structs.replace(state, phase="rebid", rebids=state.rebids + 1)
    state = msgspec.structs.replace(state, bids={}, ties={}, rebidders={}, discards={}, if_won={})
    if ending:
        return msgspec.structs.replace(state, phase="over", round=0, maybes={})
    if second_thoughts.pending(state):
        return msgspec.structs.replace(state, phase="keep")
    return msgspec.structs.replace(state, phase="round", round=1, maybes={})


def _awaited(state: State) -> tuple[Event, ...]:
    """Tell all for whom the first round waits, and of which powers, where somebody might discard some. Rule: N8."""
    if state.phase != "keep":
        return ()
    return tuple(
        Event(
            kind="might_discard",
            to=EVERYONE,
            facts={"hero": state.names[seat], "powers": [{"number": one.key, "name": one.name} for one in powers]},
            rule="N8",
        )
        for seat, powers in second_thoughts.pending(state).items()
    )


def _closing(before: State, after: State, why: Why, ending: Result | None) -> tuple[Event, ...]:
    open_bids = before.house["bids"] == "open"
    events = [*checkpoints.stands_events(before, after, why if open_bids else summed(why), "R19")]
    gone = {hero.seat for hero in before.heroes if not hero.is_in}
    events += [
        checkpoints.fallen_event(hero, (), left=bool(hero.power) and hero.energy > 0)
        for hero in after.heroes
        if not hero.is_in and hero.seat not in gone
    ]
    if ending:
        events += checkpoints.ended_events(after, ending)
    return tuple(events)


def tied_seats(state: State) -> tuple[Seat, ...]:
    """Return the seats that bid again, in seat order."""
    tied = {seat for seats in state.ties.values() for seat in seats}
    return tuple(hero.seat for hero in state.living if hero.seat in tied)
