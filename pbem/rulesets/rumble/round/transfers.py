"""What changes hands at the end of a round, and who is out when it was seen who wins; strikes nobody."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Reckoning
from pbem.rulesets.rumble.effect import Drop, Effect, Endure, Give, Revive
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.powers.engine.actions import Handing
from pbem.rulesets.rumble.round import checkpoints, machine
from pbem.rulesets.rumble.round.bursts import burst
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.course import Played
from pbem.rulesets.rumble.state import State, with_hero


def hand_over(
    state: State, done: tuple[Played, Sequence[Effect]], book: Reckoning
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """
    Let powers change hands, all as they stood before any of it; whoever lost what kept them in may be out by it.

    Shape: a power that comes back to whom it was taken from has never been away.
    Rule: C14 (4d), C21 where two would take one power, A32 for whoever is out.
    """
    played = done[0]
    before, tolls = state, dict(played.tolls)
    events: list[Event] = []
    settled: dict[str, Handing] = {}
    swaps: list[Handing] = []
    for one in machine.handings(played.powered, state, (played.blows, played.reactions), tolls):
        if one.swap != ("", ""):
            events += _linked(state, swaps, one)
            swaps.append(one)
            state, tolls, told = _swapped(state, tolls, one, frozenset(settled), book)
        elif one.key in settled:
            told = tuple(_conflict(state, settled[one.key], one))
        elif one.to and (moved := _moved_by(before, state, swaps, one.key)):
            told = tuple(_conflict(state, moved, one))
        else:
            settled[one.key] = one
            if not _is_in_play(state, one.key):
                continue
            state, told = application.rework(state, [Give(one.key, one.to) if one.to else Drop(one.key)])
        events += told
    state = _never_away(before, state)
    state, tolls, told = _unkept(state, tolls, done, book)
    kept = _kept(state, done[1])
    tolls = {
        seat: toll if toll.out_step else msgspec.structs.replace(toll, endures=seat in kept)
        for seat, toll in tolls.items()
    }
    return state, tolls, (*events, *told)


def _kept(state: State, said: Sequence[Effect]) -> set[str]:
    """Return whom powers, or the moderator's word, keep from losing as things are now. Rule: C15."""
    ruled = [one for one in application.of_kind(said, Endure) if not one.by]
    return {one.on for one in (*machine.enduring(state), *ruled)}


def _moved_by(before: State, after: State, swaps: list[Handing], key: str) -> Handing | None:
    """Return the swap by which a power has gone to somebody else already, or None. Rule: C21."""
    was, now = before.power(key), after.power(key)
    if was is None or now is None or was.owner == now.owner:
        return None
    by = next(one for one in reversed(swaps) if now.owner in one.swap)
    return msgspec.structs.replace(by, key=key, to=now.owner)


def _never_away(before: State, after: State) -> State:
    """Return the state with all that counts for a power that is where it was, as after two swaps."""
    held = {power.key: power for power in before.powers}
    powers = tuple(
        held[power.key] if power.in_play and power.key in held and power.owner == held[power.key].owner else power
        for power in after.powers
    )
    return msgspec.structs.replace(after, powers=powers)


def _is_in_play(state: State, key: str) -> bool:
    power = state.power(key)
    return power is not None and power.in_play


def _linked(state: State, before: list[Handing], one: Handing) -> list[Event]:
    """Tell the moderator of two who would change places with one hero: the lower number does so first."""
    both = [first for first in before if set(first.swap) & set(one.swap)]
    if not both:
        return []
    shared = next(seat for seat in one.swap if seat in both[-1].swap)
    facts = {"what": f"place of {state.names[shared]}", "powers": [both[-1].by, one.by]}
    facts |= {"counts": f"First {both[-1].by} and then {one.by}"}
    return [Event(kind="conflict", to=MODERATOR_ALONE, facts=facts, rule="C21")]


def _conflict(state: State, first: Handing, second: Handing) -> list[Event]:
    """Tell the moderator of two powers that would do different things with a third."""
    if first.to == second.to:
        return []
    power = state.power(first.key)
    facts = {"what": power.name if power else first.key, "powers": [first.by, second.by], "counts": first.by}
    return [Event(kind="conflict", to=MODERATOR_ALONE, facts=facts, rule="C21")]


def _swapped(
    state: State, tolls: dict[str, Toll], one: Handing, settled: frozenset[str], book: Reckoning
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """
    Let two heroes change all powers and their Energy; what counts for a hero over the game begins anew.

    Shape: `settled` are powers that have gone elsewhere at the same time, and are no part of it (C21).
    """
    me, other = one.swap
    names = state.names
    text = f"{names[me]} and {names[other]} change powers and Energy"
    if not book.claim(f"swap of {me} and {other}", text, True, one.by, "R15"):
        return state, tolls, ()
    to = {me: other, other: me}
    change = msgspec.structs.replace
    powers = tuple(
        change(power, owner=application.holder(state, power, to[power.owner]), spent=0, fired=0)
        if power.owner in to and power.in_play and power.key not in settled
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
    state: State, tolls: dict[str, Toll], done: tuple[Played, Sequence[Effect]], book: Reckoning
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """See who is out because what kept them from losing is theirs no more. Rule: C15."""
    fallen = [hero.seat for hero in state.living if hero.energy <= 0 and hero.seat in tolls]
    return _felled(state, tolls, fallen, done, book)


def _felled(
    state: State, tolls: dict[str, Toll], fallen: Sequence[str], done: tuple[Played, Sequence[Effect]], book: Reckoning
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """
    Put heroes out, but for those who cannot fall, or whom a power saves; who bursts by it strikes others.

    Rule: C15, C27.
    """
    played, effects = done
    kept = _kept(state, effects)
    fallen = [seat for seat in fallen if seat not in kept]
    if not fallen:
        return state, tolls, ()
    saving = (*(one for one in application.of_kind(effects, Revive) if not one.by), *machine.revivals(state))
    after = dict(tolls)
    for seat in fallen:
        toll = msgspec.structs.replace(tolls[seat], endures=False)
        after[seat] = checkpoints.saved(toll, saving, seat, must=True)
        if after[seat] is toll:
            text = f"{state.names[seat]} is out at last"
            after[seat] = checkpoints.checked(toll, book, f"out at last: {seat}", text, 4, must=True)
    after = burst(after, tolls, (state, played.blows, played.reactions), saving, book)
    for seat in (seat for seat, toll in after.items() if toll is not tolls[seat]):
        hero, toll = state.hero(seat), after[seat]
        out = {"out": state.round, "out_step": toll.out_step} if toll.out_step else {}
        state = with_hero(state, msgspec.structs.replace(hero, energy=toll.energy, **out))
    state, events = application.rework(state, machine.used_up(after, tolls))
    return state, after, events


def after_wins(
    state: State, tolls: dict[str, Toll], done: tuple[Played, Sequence[Effect]], book: Reckoning
) -> tuple[State, dict[str, Toll], tuple[Event, ...]]:
    """
    Let powers put heroes out now that nobody has won.

    Rule: C14, C15.
    """
    out, gone = machine.after_wins(done[0].powered, state, tolls, done[0].blows)
    state, events = application.rework(state, [Drop(key) for key in gone])
    state, tolls, told = _felled(state, tolls, out, done, book)
    return state, tolls, (*events, *told)
