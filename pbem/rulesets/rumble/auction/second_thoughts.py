"""The phase after the auction in which winners discard what they said to discard perhaps; sells nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Given, Outcome, Refused, phrases, refuse
from pbem.rulesets.rumble.effect import Drop, Give
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import Define, Manual, Reword
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.order import Discard, Order, Pass
from pbem.rulesets.rumble.round import next_round
from pbem.rulesets.rumble.state import Power, State, with_power
from pbem.rulesets.rumble.words import find_power

_FITTING = Give | Drop | Reword | Define | Manual


def pending(state: State) -> dict[str, tuple[Power, ...]]:
    """Return the powers that each seat may still discard before the first round. Rule: N8."""
    found: dict[str, list[Power]] = {}
    for power in state.powers:
        hero = next((hero for hero in state.living if hero.seat == power.owner), None)
        if hero and power.in_play and power.owner in state.maybes.get(power.key, ()):
            found.setdefault(power.owner, []).append(power)
    return {str(hero.seat): tuple(found[hero.seat]) for hero in state.living if hero.seat in found}


def read_line(state: State, seat: str, text: str) -> Order | Refused:
    """Read `discard NAME`, and nothing else. Rule: N8."""
    mine = {power.key: power.name for power in pending(state).get(seat, ())}
    text = genre_of(state.house).hear_order(text)
    if re.fullmatch(r"pass|keep(?: (?:it|them|all))?", text, re.IGNORECASE):
        return Pass()
    match = re.fullmatch(r"discard\s*:?\s+(.+)", text, re.IGNORECASE)
    if match is None:
        known = phrases.listed([f"discard {name}" for name in mine.values()])
        return Refused("unreadable", f"Now it is only asked what you discard after all: {known}. Else pass.", "N8")
    found = find_power(match[1], mine)
    return refuse(found, "N8") if isinstance(found, phrases.Unread) else Discard(found)


def adjudicate(state: State, orders: Mapping[str, Sequence[Order]], given: Given, dice: Dice) -> Outcome[State]:
    """
    Discard what is discarded after all, and open the first round.

    Rule: N8, R22.
    """
    said, idle = application.gather(state, given.effects)
    fitting, odd = application.parted(said, _FITTING, "Nobody fights yet.")
    after, reworked = application.rework(state, fitting)
    events: list[Event] = []
    for seat, sent in orders.items():
        for key in dict.fromkeys(order.power for order in sent if isinstance(order, Discard)):
            power = after.power(key)
            if power and power.in_play and power.owner == seat:
                after = with_power(after, msgspec.structs.replace(power, fate="discarded"))
                facts = {"number": key, "name": power.name, "hero": state.names[seat]}
                events.append(Event(kind="power_discarded", to=EVERYONE, facts=facts, rule="N8"))
    after, began = next_round.begin(msgspec.structs.replace(after, phase="round", round=1, maybes={}))
    return Outcome(state=after, verdicts=(), events=(*events, *reworked, *began, *odd, *idle), result=None)
