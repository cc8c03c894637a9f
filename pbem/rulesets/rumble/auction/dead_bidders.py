"""Heroes that their bids put out, and what becomes of the powers that they won; sells nothing."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Reckoning
from pbem.rulesets.rumble.auction.purses import Why, charge
from pbem.rulesets.rumble.auction.sales import heir
from pbem.rulesets.rumble.effect import Effect, endures, revival
from pbem.rulesets.rumble.model.state import Hero, Power, State, is_copy, with_power
from pbem.rulesets.rumble.round.held_powers import enduring, revivals


def rescuing(state: State, effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return what saves heroes at the auction: nothing, or what the moderator says and what powers do. Rule: B5."""
    if state.house["overbid_rescue"] == "no":
        return ()
    return (*effects, *revivals(state), *enduring(state))


def _is_dead(state: State, hero: Hero, effects: Sequence[Effect], book: Reckoning) -> bool:
    ruled = book.says(f"out: {hero.seat}")
    if ruled is not None:
        return ruled
    energy = book.ruled(f"energy of {hero.seat}")
    saving = rescuing(state, effects)
    rescued = revival(saving, hero.seat) is not None or endures(saving, hero.seat)
    return (hero.energy if energy is None else energy) <= 0 and not rescued


def bury(
    state: State, effects: Sequence[Effect], why: Why, book: Reckoning, dice: Dice
) -> tuple[State, tuple[Event, ...]]:
    """
    Pass on the powers of heroes that the auction put out, until it puts out no more.

    Rule: B5.
    """
    events: list[Event] = []
    buried: set[str] = set()
    while True:
        dead = [hero.seat for hero in state.living if _is_dead(state, hero, effects, book)]
        new = [seat for seat in dead if seat not in buried]
        if not new:
            return state, tuple(events)
        buried |= set(new)
        living = [str(hero.seat) for hero in state.living if hero.seat not in dead]
        for power in [power for seat in new for power in state.owned(seat)]:
            state, event = _pass_on(state, power, living, why, book, dice)
            events.append(event)


def _pass_on(
    state: State, power: Power, living: list[str], why: Why, book: Reckoning, dice: Dice
) -> tuple[State, Event]:
    facts: dict[str, str | int] = {"number": power.key, "name": power.name, "hero": state.names[power.owner]}
    bids, next_one = state.bids.get(power.key, {}), ""
    if state.house["ties"] == "shared":
        copies = [one for one in state.powers if is_copy(one, power)]
        bids = next((state.bids[one.key] for one in copies if one.key in state.bids), {})
        holders = {one.owner for one in copies if one.in_play}
        living = [seat for seat in living if seat not in holders]
    if state.house["dead_bidder_powers"] == "next_bidder" and power.kind != "flaw" and not power.handed:
        next_one = heir(bids, living, dice, f"heir {power.key} {power.owner}")
    if not next_one:
        state = with_power(state, msgspec.structs.replace(power, fate="discarded"))
        return state, Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="B5")
    text = f"Price of {power.key} {power.name} to {state.names[next_one]}"
    price = book.number(f"price of {power.key} to {next_one}", text, bids[next_one], "the next highest bid", "B5")
    state = with_power(state, msgspec.structs.replace(power, owner=next_one, strength=price))
    state = charge(state, next_one, price, power.key, why)
    facts |= {"to": state.names[next_one], "price": -1 if state.house["bids"] == "hidden" else price}
    return state, Event(kind="power_passed_on", to=EVERYONE, facts=facts, rule="B5")
