"""Reports the bids to those who may see them, and picks the news of the auction; decides nothing."""

from collections.abc import Sequence

from pbem.ruleset import EVERYONE, Audience, Event, Facts, Only, Seat
from pbem.rulesets.rumble.auction.sales import Sale
from pbem.rulesets.rumble.model.state import State


def sale_events(state: State, sale: Sale) -> tuple[Event, ...]:
    """
    Tell what became of one power, as far as the house shows bids.

    Rule: B4; R20 and B2 for ties, R21 for what nobody wanted, N10 for Flaws.
    """
    named = {"number": sale.power.key, "name": sale.power.name}
    if sale.tied:
        blind = state.house["ties"] == "blind"
        return (*([] if blind else _bids(state, sale, named)), _tie(state, sale, named))
    events = _bids(state, sale, named)
    if sale.power.kind == "flaw":
        events += _flaw(state, sale, named)
    elif not sale.winners:
        events.append(Event(kind="power_unsold", to=EVERYONE, facts=named, rule="R21"))
    else:
        events += _won(state, sale, named)
    return tuple(events)


def _bids(state: State, sale: Sale, named: Facts) -> list[Event]:
    if state.house["bids"] != "open":
        return []
    bids = sorted(sale.bids.items(), key=lambda item: -item[1])
    rows = [{"hero": state.names[seat], "bid": bid} for seat, bid in bids]
    facts = {**named, "bids": rows, "how": sale.how}
    return [Event(kind="bid_shown", to=EVERYONE, facts=facts, rule="B4")]


def _won(state: State, sale: Sale, named: Facts) -> list[Event]:
    hidden = state.house["bids"] == "hidden"
    winners = [state.names[seat] for seat in sale.winners]
    facts = {**named, "heroes": winners, "by_die": sale.by_die, "price": -1 if hidden else sale.strength}
    if any(price != sale.strength for price in sale.prices.values()) and not hidden:
        facts["price"] = max(sale.prices.values())
    events = [Event(kind="power_won", to=EVERYONE, facts=facts, rule="B2" if sale.by_die else "R19")]
    for seat, price in sale.prices.items():
        if hidden:
            own = {**named, "hero": state.names[seat], "price": price}
            events.append(Event(kind="price_paid", to=Only((Seat(seat),)), facts=own, rule="B4"))
    return events


def _flaw(state: State, sale: Sale, named: Facts) -> list[Event]:
    """Tell who got a Flaw; what the others lost for it is as public as bids are."""
    losers = [{"hero": state.names[seat], "lost": lost} for seat, lost in sale.prices.items()]
    open_bids = state.house["bids"] == "open"
    facts = {**named, "heroes": [state.names[seat] for seat in sale.winners], "losers": losers if open_bids else []}
    events = [Event(kind="flaw_taken", to=EVERYONE, facts=facts, rule="N10")]
    if not open_bids:
        for seat, lost in sale.prices.items():
            own = {**named, "hero": state.names[seat], "lost": lost}
            events.append(Event(kind="flaw_cost", to=Only((Seat(seat),)), facts=own, rule="N10"))
    return events


def _tie(state: State, sale: Sale, named: Facts) -> Event:
    """
    Tell of a tie: everybody where bids are shown, else only the tied.

    Rule: B2, B4; with ties=blind not even against whom.
    """
    blind = state.house["ties"] == "blind"
    hidden = state.house["bids"] == "hidden"
    bid = sale.bids[sale.tied[0]]
    rivals = [state.names[seat] for seat in sale.tied]
    to: Audience = Only(tuple(Seat(seat) for seat in sale.tied)) if blind or hidden else EVERYONE
    facts = {**named, "heroes": [] if blind else rivals, "bid": -1 if blind or hidden else bid, "how": sale.how}
    return Event(kind="tie", to=to, facts=facts, rule="R20")


def news_of_auction(before: State, after: State, sales: Sequence[Sale]) -> Event:
    """
    Pick the news of the auction: the dead, else the dearest sale, else the ties.

    Shape: `what` is one of overbid, sold, tied, unsold; figures only where the house shows them.
    """
    is_public = before.house["bids"] != "hidden"
    dead = [hero.name for hero in before.living if not after.hero(hero.seat).is_in]
    sold = [sale for sale in sales if sale.winners and sale.power.kind != "flaw"]
    tied = sum(bool(sale.tied) for sale in sales)
    if before.house["ties"] == "blind" or not is_public:
        tied = 0
    facts: Facts = {"what": "unsold", "turn": len(sales), "heroes": dead, "hero": "", "power": "", "amount": -1}
    facts |= {"sold": len(sold), "tied": tied}
    if dead:
        facts["what"] = "overbid"
    elif sold:
        dearest = max(sold, key=lambda sale: sale.strength)
        facts |= {"what": "sold", "hero": before.names[dearest.winners[0]], "power": dearest.power.name}
        facts["amount"] = dearest.strength if is_public else -1
        if not is_public:
            facts |= {"hero": "", "power": ""}
    elif tied:
        facts["what"] = "tied"
    return Event(kind="news", to=EVERYONE, facts=facts)
