"""What changes hands at the end of a round, and who is out when it was seen who wins; strikes nobody."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event
from pbem.rulesets.rumble import doing, falling, machine
from pbem.rulesets.rumble.course import Played
from pbem.rulesets.rumble.effects import Drop, Effect, Endure, Give
from pbem.rulesets.rumble.falling import Toll
from pbem.rulesets.rumble.powers.acting import Handing
from pbem.rulesets.rumble.reckoning import Reckoning
from pbem.rulesets.rumble.state import State, with_hero


def hand_over(state: State, played: Played, book: Reckoning) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """
    Let powers change hands, all as they stood before any of it; whoever lost what kept them in may be out by it.

    Rule: C14 (4d), C21 where two would take one power, A32 for whoever is out.
    """
    tolls = dict(played.tolls)
    events: list[Event] = []
    taken: dict[str, Handing] = {}
    for one in machine.handings(played.powered, state, (played.blows, played.reactions), tolls):
        if one.key and one.key in taken:
            events += _conflict(state, taken[one.key], one)
            continue
        if one.swap != ("", ""):
            state, tolls, told = _swapped(state, tolls, one, book)
        else:
            taken[one.key] = one
            state, told = doing.rework(state, [Give(one.key, one.to) if one.to else Drop(one.key)])
        events += told
    return _unkept(state, tolls, book, tuple(events))


def _conflict(state: State, first: Handing, second: Handing) -> list[Event]:
    """Tell the moderator of two powers that would do different things with a third."""
    if (first.by, first.to) == (second.by, second.to) or not (first.to or second.to):
        return []
    power = state.power(first.key)
    facts = {"what": power.name if power else first.key, "powers": [first.by, second.by], "counts": first.by}
    return [Event(kind="conflict", to=MODERATOR_ALONE, facts=facts, rule="C21")]


def _swapped(
    state: State, tolls: dict[str, Toll], one: Handing, book: Reckoning
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """Let two heroes change all powers and their Energy; what counts for a hero over the game begins anew."""
    me, other = one.swap
    names = state.names
    text = f"{names[me]} and {names[other]} change powers and Energy"
    if not book.claim(f"swap of {me} and {other}", text, True, one.by, "R15"):
        return state, tolls, ()
    to = {me: other, other: me}
    change = msgspec.structs.replace
    powers = tuple(
        change(power, owner=doing.holder(state, power, to[power.owner]), handed=True, spent=0, fired=0)
        if power.owner in to and power.in_play
        else power
        for power in state.powers
    )
    state = change(state, powers=powers)
    energies = {seat: state.hero(seat).energy for seat in to}
    for seat, source in to.items():
        state = with_hero(state, change(state.hero(seat), energy=energies[source]))
        tolls = {**tolls, seat: tolls[seat].with_energy(one.by, energies[source])}
    facts = {"hero": names[me], "other": names[other], "power": one.by}
    return state, tolls, (Event(kind="swapped", to=EVERYONE, facts=facts, rule="R15"),)


def _unkept(
    state: State, tolls: dict[str, Toll], book: Reckoning, events: tuple[Event, ...]
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """See who is out because what kept them from losing is theirs no more. Rule: C15."""
    kept = {one.on for one in machine.enduring(state)}
    for hero in state.living:
        toll = tolls.get(hero.seat)
        if toll is None or hero.energy > 0 or hero.seat in kept:
            continue
        toll = msgspec.structs.replace(toll, endures=False)
        state, tolls = _out(state, {**tolls, hero.seat: toll}, hero.seat, book)
    return state, tolls, events


def _out(state: State, tolls: dict[str, Toll], seat: str, book: Reckoning) -> tuple[State, dict[str, Toll]]:
    hero = state.hero(seat)
    toll = falling.checked(tolls[seat], book, f"out at last: {seat}", f"{hero.name} is out at last", 4, must=True)
    if toll.out_step:
        hero = msgspec.structs.replace(hero, out=state.round, out_step=toll.out_step)
    return with_hero(state, msgspec.structs.replace(hero, energy=toll.energy)), {**tolls, seat: toll}


def after_wins(
    state: State, tolls: dict[str, Toll], done: tuple[Played, Sequence[Effect]], book: Reckoning
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """
    Let powers put heroes out now that nobody has won.

    Rule: C14, C15.
    """
    played, effects = done
    out, gone = machine.after_wins(played.powered, state, tolls, played.blows)
    state, events = doing.rework(state, [Drop(key) for key in gone])
    kept = {one.on for one in machine.enduring(state)}
    plain = [effect for effect in effects if not isinstance(effect, Endure)]
    for seat in out:
        if seat in kept:
            continue
        toll = msgspec.structs.replace(tolls[seat], endures=False)
        saved = falling.saved(toll, plain, seat, must=True)
        if saved is toll:
            state, tolls = _out(state, {**tolls, seat: toll}, seat, book)
            continue
        tolls = {**tolls, seat: saved}
        state = with_hero(state, msgspec.structs.replace(state.hero(seat), energy=saved.energy))
        fresh = {seat: msgspec.structs.replace(saved, saved_by=saved.saved_by[len(toll.saved_by) :])}
        state, told = doing.rework(state, machine.used_up(fresh))
        events = (*events, *told)
    return state, tolls, events
