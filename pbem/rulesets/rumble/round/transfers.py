"""What changes hands at the end of a round, and who is out because of it; strikes nobody."""

from collections.abc import Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Reckoning
from pbem.rulesets.rumble.effect import Drop, Endure, Give, Revive, Swap, of_kind
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.model.state import State, with_hero
from pbem.rulesets.rumble.round import checkpoints
from pbem.rulesets.rumble.round.bursts import burst
from pbem.rulesets.rumble.round.held_powers import enduring, revivals, used_up
from pbem.rulesets.rumble.round.powers_at_work import transfers
from pbem.rulesets.rumble.round.record import Round


def hand_over(round_: Round, book: Reckoning) -> Round:
    """
    Let powers change hands, all as they stood before any of it; whoever lost what kept them in may be out by it.

    Shape: a power that comes back to whom it was taken from has never been away.
    Rule: C14 (4d), C21 where two would take one power, A32 for whoever is out.
    """
    before = round_.state
    settled: dict[str, Give | Drop] = {}
    swaps: list[Swap] = []
    for one in transfers(round_):
        events: Sequence[Event] = ()
        state = round_.state
        if isinstance(one, Swap):
            round_ = round_.with_events("powers", *_linked(state, swaps, one))
            swaps.append(one)
            round_ = _swapped(round_, one, frozenset(settled), book)
        elif one.power in settled:
            events = _conflict(state, settled[one.power], one)
        elif isinstance(one, Give) and (moved := _moved_by(before, state, swaps, one.power)):
            events = _conflict(state, moved, one)
        else:
            settled[one.power] = one
            power = state.power(one.power)
            if power and power.in_play:
                state, events = application.rework(state, [one])
                round_ = msgspec.structs.replace(round_, state=state)
        round_ = round_.with_events("powers", *events)
    if round_.state is not before:
        round_ = msgspec.structs.replace(round_, state=_never_away(before, round_.state))
    unkept = [hero.seat for hero in round_.state.living if hero.energy <= 0 and hero.seat in round_.tolls]
    round_ = put_out(round_, unkept, book)  # C15: what kept them from losing is theirs no more
    kept = _kept(round_)
    for seat, toll in round_.tolls.items():
        if not toll.out_step and toll.endures != (seat in kept):
            round_ = round_.with_toll(seat, msgspec.structs.replace(toll, endures=seat in kept))
    return round_


def _kept(round_: Round) -> set[str]:
    """Return whom powers, or the moderator's word, keep from losing as things are now. Rule: C15."""
    ruled = [one for one in of_kind(round_.effects, Endure) if not one.by]
    return {one.on for one in (*enduring(round_.state), *ruled)}


def _moved_by(before: State, after: State, swaps: list[Swap], key: str) -> Give | None:
    """Return the swap by which a power has gone to somebody else already, or None. Rule: C21."""
    was, now = before.power(key), after.power(key)
    if was is None or now is None or was.owner == now.owner:
        return None
    return Give(key, now.owner, next(one.by for one in reversed(swaps) if now.owner in (one.on, one.other)))


def _never_away(before: State, after: State) -> State:
    """Return the state with all that counts for a power that is where it was, as after two swaps."""
    held = {power.key: power for power in before.powers}
    powers = tuple(
        held[power.key] if power.in_play and power.key in held and power.owner == held[power.key].owner else power
        for power in after.powers
    )
    return msgspec.structs.replace(after, powers=powers)


def _linked(state: State, before: list[Swap], one: Swap) -> list[Event]:
    """Tell the moderator of two who would change places with one hero: the lower number does so first."""
    last = next((first for first in reversed(before) if {first.on, first.other} & {one.on, one.other}), None)
    if last is None:
        return []
    shared = one.on if one.on in (last.on, last.other) else one.other
    facts = {"what": f"place of {state.names[shared]}", "powers": [last.by, one.by]}
    facts |= {"counts": f"First {last.by} and then {one.by}"}
    return [Event(kind="conflict", to=MODERATOR_ALONE, facts=facts, rule="C21")]


def _conflict(state: State, first: Give | Drop, second: Give | Drop) -> list[Event]:
    """Tell the moderator of two powers that would do different things with a third."""
    if getattr(first, "on", "") == getattr(second, "on", ""):
        return []
    power = state.power(first.power)
    facts = {"what": power.name if power else first.power, "powers": [first.by, second.by], "counts": first.by}
    return [Event(kind="conflict", to=MODERATOR_ALONE, facts=facts, rule="C21")]


def _swapped(round_: Round, one: Swap, settled: frozenset[str], book: Reckoning) -> Round:
    """
    Let two heroes change all powers and their Energy; what counts for a hero over the game begins anew.

    Shape: `settled` are powers that have gone elsewhere at the same time, and are no part of it (C21).
    """
    me, other = one.on, one.other
    state, names = round_.state, round_.names
    text = f"{names[me]} and {names[other]} change powers and Energy"
    if not book.claim(f"swap of {me} and {other}", text, True, one.by, "R15"):
        return round_
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
        round_ = round_.with_toll(seat, round_.tolls[seat].with_energy(one.by, energies[source]))
    facts = {"hero": names[me], "other": names[other], "power": one.by}
    event = Event(kind="swapped", to=EVERYONE, facts=facts, rule="R15")
    return change(round_, state=state).with_events("powers", event)


def put_out(round_: Round, seats: Sequence[str], book: Reckoning) -> Round:
    """
    Put heroes out, but for those who cannot fall, or whom a power saves; who bursts by it strikes others.

    Rule: C15, C27.
    """
    kept = _kept(round_) if seats else ()
    fallen = [seat for seat in seats if seat not in kept]
    if not fallen:
        return round_
    state, before = round_.state, round_.tolls
    ruled = [one for one in of_kind(round_.effects, Revive) if not one.by]
    saving = (*ruled, *revivals(state))
    for seat in fallen:
        toll = msgspec.structs.replace(before[seat], endures=False)
        after = checkpoints.saved(toll, saving, seat, must=True)
        if after is toll:
            text = f"{round_.names[seat]} is out at last"
            after = checkpoints.checked(toll, book, f"out at last: {seat}", text, 4, must=True)
        round_ = round_.with_toll(seat, after)
    round_ = burst(round_, before, saving, book)
    for seat in (seat for seat, toll in round_.tolls.items() if toll is not before[seat]):
        hero, toll = state.hero(seat), round_.tolls[seat]
        out = {"out": state.round, "out_step": toll.out_step} if toll.out_step else {}
        state = with_hero(state, msgspec.structs.replace(hero, energy=toll.energy, **out))
    already = {key for toll in before.values() for key in toll.saved_by}
    state, events = application.rework(state, used_up(round_.tolls, already))
    return msgspec.structs.replace(round_, state=state).with_events("powers", *events)
