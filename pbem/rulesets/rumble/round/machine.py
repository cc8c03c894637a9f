"""Runs powers in a round: makes scenes of what the round has come to, and lays what powers do upon it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from pbem.ruleset import EVERYONE, Dice, Event, Reckoning
from pbem.rulesets.rumble.effect import Drop, Effect, Eliminate, Endure, Revive
from pbem.rulesets.rumble.order import Use
from pbem.rulesets.rumble.orders.allocation import Allocation
from pbem.rulesets.rumble.powers.engine import actions
from pbem.rulesets.rumble.powers.engine.actions import Change, Handing, Share
from pbem.rulesets.rumble.powers.engine.reactions import Reactions
from pbem.rulesets.rumble.powers.engine.running import Running, asks, keeps_in
from pbem.rulesets.rumble.powers.engine.scene import Pair, Scene
from pbem.rulesets.rumble.powers.engine.shouts import Shouts
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.expressions import Number
from pbem.rulesets.rumble.powers.language.lines import Ability
from pbem.rulesets.rumble.powers.language.runnable import abilities, is_used, runs
from pbem.rulesets.rumble.round import values
from pbem.rulesets.rumble.round.blows import Blows
from pbem.rulesets.rumble.round.checkpoints import Toll
from pbem.rulesets.rumble.round.opened import Opened
from pbem.rulesets.rumble.round.values import Field
from pbem.rulesets.rumble.state import Power, State, discarded, with_hero


class Machine(msgspec.Struct, frozen=True):
    """
    What is at work in a round.

    Shape: `scene` is that in which it began to act, `burst` are powers that saved somebody before that, `burnt` is the
    Energy that heroes burnt where that is damage (A10).
    """

    running: tuple[Running, ...]
    scene: Scene
    burst: tuple[str, ...] = ()
    burnt: Mapping[str, int] = {}


def started(field: Field, book: Reckoning, opened: Opened) -> Machine:
    """Set up what runs: powers of those who still fight, with the uses that were paid."""
    tolls, given_up = opened.tolls, opened.given_up
    bases, _ = values.attack_bases(field, book)
    scene = Scene(
        state=field.state,
        fighting=field.fighting,
        energy={seat: toll.energy for seat, toll in tolls.items()},
        made=bases,
        sent={(seat, on): n for seat in field.fighting for on, n in field.allocations[seat].attacks.items() if n}
        | {pair: n for pair, n in bases.items() if n},
        guarded={seat: field.allocations[seat].defence for seat in field.fighting},
        used={seat: _used(field.state, seat, field.allocations[seat], opened.by_rule) for seat in field.fighting},
        spent=_spent(field.allocations),
    )
    burst = tuple(key for toll in tolls.values() for key in toll.saved_by)
    burnt = {seat: toll.burnt for seat, toll in tolls.items() if toll.burnt and toll.stands}
    running = _at_work(field.state, field.allocations, field.fighting, given_up | set(burst))
    return Machine(running, scene, burst, burnt if burns_hurt(field.state) else {})


def burns_hurt(state: State) -> bool:
    """Say whether burnt Energy is damage, which nobody deals and nothing prevents. Rule: A10."""
    return state.house["burn_is_damage"] == "yes"


def _at_work(
    state: State,
    allocations: Mapping[str, Allocation],
    fighting: tuple[str, ...],
    given_up: frozenset[str] = frozenset(),
) -> tuple[Running, ...]:
    """
    List the abilities of those who fight: what holds, and each use, in order of the powers' numbers.

    Shape: `given_up` are powers that went at the reveal, as the price of a use or to save somebody; a use of theirs
    still counts, and so does what comes of a death.
    """
    return tuple(
        running
        for power in sorted(state.powers, key=lambda power: power.number)
        if (power.in_play or power.key in given_up) and power.owner in fighting and runs(power.lines)
        for running in _of(power, allocations[power.owner])
        if power.in_play or running.use or isinstance(running.ability.when, lines.Death)
    )


def _of(power: Power, allocation: Allocation) -> Iterator[Running]:
    uses = [use for use in allocation.uses if use.power == power.key]
    for ability in abilities(power.lines):
        if ability.costs:
            each = [use for use in uses for _ in range(use.times)]
            for place, use in enumerate(each, 1):
                yield Running(power=power, ability=ability, use=use, place=place)
        elif not (ability.optional and power.key in allocation.nevers):
            taken = _together(uses) if uses and is_used(ability) else None
            said = allocation.captions if ability.ask else ()
            yield Running(power=power, ability=ability, use=taken, packets=allocation.packets, captions=said)


def _together(uses: Sequence[Use]) -> Use:
    """Return as one what several lines say of a power that is taken up for nothing: all that they name, or anything."""
    named = tuple(name for use in uses for name in (use.on, *use.then)) if all(use.on for use in uses) else ("",)
    return msgspec.structs.replace(uses[0], on=named[0], then=named[1:])


def _used(state: State, seat: str, allocation: Allocation, by_rule: frozenset[str]) -> dict[str, int]:
    """
    Count uses by power; Energy held back for one is a use of it, and so are captions.

    Shape: what stands in `by_rule` the rules have used where its owner said nothing (C25), which is no use of theirs.
    """
    counted: dict[str, int] = {hold.power: 1 for hold in allocation.holds}
    counted |= {power.key: 1 for power in state.owned(seat) if allocation.captions and asks(power)}
    for use in (use for use in allocation.uses if use.power not in by_rule):
        counted[use.power] = counted.get(use.power, 0) + use.times
    return counted


def _spent(allocations: Mapping[str, Allocation]) -> dict[str, int]:
    spent: dict[str, int] = {}
    for use in (use for allocation in allocations.values() for use in allocation.uses):
        spent[use.power] = spent.get(use.power, 0) + use.spend * use.times
    return spent


def acts(machine: Machine, field: Field, book: Reckoning, dice: Dice) -> tuple[Field, Reactions]:
    """Return the field with what powers do while the blows fall, and how they will answer to them."""
    due = [one for one in field.state.later if one.round == field.state.round and one.on in field.fighting]
    if orphans_are_void(field.state):
        due = [one for one in due if one.hero in ("", *field.fighting)]
    valued = partial(_valued, field, book, machine.scene)
    if not machine.running and not due:
        return field, Reactions((), machine.scene, dice, Shouts(field.state, book.claim), {})
    done = actions.before_blows(machine.running, due, valued)
    reactions = Reactions(machine.running, valued(done.changes), dice, Shouts(field.state, book.claim), machine.burnt)
    done = msgspec.structs.replace(done, strokes=(*done.strokes, *reactions.bursts(machine.burst)))
    reactions.to_attacks()
    return msgspec.structs.replace(field, acts=done), reactions


def outside(state: State) -> tuple[Effect, ...]:
    """Return what powers left for this round that is no blow: who is out at its end."""
    due = [one for one in state.later if one.round == state.round and one.what == "eliminate"]
    return tuple(Eliminate(one.on, one.hero) for one in due if state.hero(one.on).is_in)


def _held(state: State) -> Iterator[tuple[Power, Ability]]:
    """Yield the abilities that those who are in have, in order of the powers' numbers."""
    seats = {hero.seat for hero in state.living}
    for power in sorted(state.powers, key=lambda power: power.number):
        if power.in_play and power.owner in seats and runs(power.lines):
            yield from ((power, ability) for ability in abilities(power.lines))


def revivals(state: State) -> tuple[Revive, ...]:
    """
    Return how powers save their owners from falling: those that keep a death from happening before those that undo it.

    Rule: A26, C27.
    """
    found: list[Revive] = []
    for power, ability in _held(state):
        if isinstance(ability.instead or ability.when, lines.Death):
            revive = next(one.effect for one in ability.does if isinstance(one.effect, lines.Revive))
            assert isinstance(revive.amount, Number)
            found.append(Revive(power.owner, revive.amount.value, power.key, bursts=ability.when is not None))
    return tuple(sorted(found, key=lambda one: one.bursts))


def enduring(state: State) -> tuple[Endure, ...]:
    """Return the powers that keep heroes from falling at all. Rule: C15."""
    return tuple(Endure(hero.seat, one.key) for hero in state.living for one in state.owned(hero.seat) if keeps_in(one))


def used_up(tolls: Mapping[str, Toll], before: Mapping[str, Toll] | None = None) -> tuple[Drop, ...]:
    """Return the powers that have saved somebody, not `before`, and are out of play for it."""
    already = {key for toll in (before or {}).values() for key in toll.saved_by}
    return tuple(Drop(key) for toll in tolls.values() for key in toll.saved_by if key and key not in already)


def ahead(state: State, after: State) -> tuple[Event, ...]:
    """Tell everybody what powers have left for rounds to come, as soon as it is so."""
    events = []
    for one in after.later:
        if one not in state.later and after.hero(one.on).is_in:
            facts = {"hero": after.names[one.on], "what": one.what, "amount": one.amount, "power": one.by}
            facts |= {"against": after.names.get(one.source, "")}
            events.append(Event(kind="ahead", to=EVERYONE, facts=facts | {"round": one.round}, rule="R15"))
    return tuple(events)


def discards(reactions: Reactions) -> tuple[Drop, ...]:
    """Return the powers that were taken out of play in the blows, by others or by themselves."""
    return tuple(Drop(key) for key in dict.fromkeys(key for key, _ in reactions.discards))


def after_blows(machine: Machine, reactions: Reactions, tolls: Mapping[str, Toll]) -> Machine:
    """
    Return what is at work once the blows are over: of what went in them only the uses that were ordered.

    Rule: C32.
    """
    gone = {one.power for one in (*discards(reactions), *used_up(tolls))}
    if not gone:
        return machine
    scene = msgspec.structs.replace(machine.scene, state=discarded(machine.scene.state, gone))
    running = tuple(one for one in machine.running if one.use or one.power.key not in gone)
    return msgspec.structs.replace(machine, running=running, scene=scene)


def _valued(field: Field, book: Reckoning, plain: Scene, changes: Mapping[Pair, tuple[Change, ...]]) -> Scene:
    changed = msgspec.structs.replace(field.acts, changes=changes)
    return values.valued(msgspec.structs.replace(field, acts=changed), book, plain)


def at_end(machine: Machine, tolls: Mapping[str, Toll], blows: Blows, losing: Mapping[str, int]) -> tuple[Share, ...]:
    """Return what powers give and take once the blows are over; `losing` is what else is lost at the end (C14)."""
    if not machine.running:
        return ()
    now = _after(machine, tolls, blows)
    lost = {seat: lost + losing.get(seat, 0) for seat, lost in now.lost.items()}
    return actions.at_round_end(_of_the_living(machine, tolls), msgspec.structs.replace(now, lost=lost))


def winners(machine: Machine, after: State, tolls: Mapping[str, Toll], blows: Blows) -> dict[str, str]:
    """Return who wins by a power at the end of the round, each with the power."""
    if not machine.running:
        return {}
    return dict(reversed(actions.winners(_as_they_are(machine, after, tolls), _at_last(machine, after, tolls, blows))))


def handings(
    machine: Machine, after: State, done: tuple[Blows, Reactions], tolls: Mapping[str, Toll]
) -> tuple[Handing, ...]:
    """Return what changes hands: what went with Attacks first, then what powers do at the end of the round."""
    blows, reactions = done
    carried = [(key, pair) for key, pair in reactions.gifts if pair in blows.carried]
    went = [(key, on) for key, (by, on) in carried if tolls[by].stands and tolls[on].stands]
    kept = [Handing(_name(after, key), key, on) for key, on in went if _is_theirs(after, machine, key)]
    if not machine.running:
        return tuple(kept)
    running = _as_they_are(machine, after, tolls)
    return (*kept, *actions.at_control(running, _at_last(machine, after, tolls, blows)))


def _name(state: State, key: str) -> str:
    power = state.power(key)
    return power.name if power else key


def _is_theirs(after: State, machine: Machine, key: str) -> bool:
    now, then = after.power(key), machine.scene.state.power(key)
    return now is not None and then is not None and now.in_play and now.owner == then.owner


def after_wins(
    machine: Machine, after: State, tolls: Mapping[str, Toll], blows: Blows
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who is put out when nobody has won, and the powers that go then."""
    if not machine.running:
        return (), ()
    return actions.after_wins(_as_they_are(machine, after, tolls), _at_last(machine, after, tolls, blows))


def _at_last(machine: Machine, after: State, tolls: Mapping[str, Toll], blows: Blows) -> Scene:
    now = _after(machine, tolls, blows)
    return msgspec.structs.replace(now, state=after, spent={})  # `after` has what was spent, too


def _as_they_are(machine: Machine, after: State, tolls: Mapping[str, Toll]) -> tuple[Running, ...]:
    """Return what is at work under whoever has it by now; a use is its old owner's alone."""
    found: list[Running] = []
    for one in machine.running:
        power = after.power(one.power.key)
        if power is None or (one.use and power.owner != one.power.owner):
            continue
        if not power.in_play and not one.use:
            continue
        if power.owner in tolls and tolls[power.owner].stands:
            found.append(msgspec.structs.replace(one, power=power))
    return tuple(found)


def _of_the_living(machine: Machine, tolls: Mapping[str, Toll]) -> tuple[Running, ...]:
    return tuple(one for one in machine.running if tolls[one.power.owner].stands)


def _after(machine: Machine, tolls: Mapping[str, Toll], blows: Blows) -> Scene:
    dealt = {(source, on): n for on, dealers in blows.by.items() for source, n in dealers.items()}
    for on, damage in blows.damage.items():  # a ruling on the sum leaves open who dealt it
        if damage != sum(blows.by[on].values()):
            dealt = {pair: n for pair, n in dealt.items() if pair[1] != on} | {("", on): damage}
    dealt |= {("", seat): dealt.get(("", seat), 0) + burnt for seat, burnt in machine.burnt.items()}
    return msgspec.structs.replace(
        machine.scene,
        fighting=tuple(seat for seat in machine.scene.fighting if tolls[seat].stands),
        energy={seat: toll.energy for seat, toll in tolls.items()},
        lost={seat: -sum(amount for _, amount in toll.why if amount < 0) for seat, toll in tolls.items()},
        dealt=dealt,
    )


def remembered(state: State, machine: Machine, field: Field, reactions: Reactions) -> State:
    """Note what powers look back on, and what they leave for rounds to come."""
    scene = machine.scene
    later = [one for one in (*state.later, *field.acts.later, *reactions.later) if one.round > state.round]
    state = msgspec.structs.replace(state, later=tuple(later))
    pairs = dict.fromkeys([*scene.made, *scene.sent])
    attacked = {seat: tuple(on for by, on in pairs if by == seat) for seat in scene.fighting}
    heroes = tuple(msgspec.structs.replace(hero, attacked=attacked.get(hero.seat, ())) for hero in state.heroes)
    times: dict[str, int] = {}
    for used in scene.used.values():
        times |= used
    powers = tuple(
        msgspec.structs.replace(
            power,
            used=power.used + times.get(power.key, 0),
            spent=power.spent + scene.spent.get(power.key, 0),
            fired=power.fired + reactions.fired.get(power.key, 0),
        )
        if power.lines and (power.key in times or power.key in reactions.fired)
        else power
        for power in state.powers
    )
    shouted = (*state.shouted, *(shout.word for shout in reactions.shouts.made))
    return msgspec.structs.replace(state, heroes=heroes, powers=powers, shouted=shouted)


def orphaned(state: State) -> State:
    """Return a state without what powers of heroes who are out have left, where the house wants it so. Rule: A19."""
    if not orphans_are_void(state):
        return state
    owners = {power.name: power.owner for power in state.powers if power.owner}
    left = [one for one in state.later if not (hero := one.hero or owners.get(one.by)) or state.hero(hero).is_in]
    return msgspec.structs.replace(state, later=tuple(left))


def orphans_are_void(state: State) -> bool:
    """Say whether what a power has left is void once the hero is out whose it was then. Rule: A19."""
    return state.house.get("orphan_effects") == "none"


def opened(state: State) -> tuple[State, tuple[Event, ...]]:
    """
    Open a round: what powers give at its beginning.

    Rule: 46 of the archive is the first of them; round 1 counts.
    """
    living = tuple(hero.seat for hero in state.living)
    running = _at_work(state, {seat: Allocation() for seat in living}, living)
    now = Scene(state=state, fighting=living, energy={hero.seat: hero.energy for hero in state.living})
    events = []
    for share in actions.at_round_start(running, now):
        hero = state.hero(share.on)
        energy = hero.energy + share.amount
        state = with_hero(state, msgspec.structs.replace(hero, energy=energy))
        facts = {"hero": hero.name, "amount": share.amount, "power": share.by, "energy": energy, "round": state.round}
        events.append(Event(kind="round_began", to=EVERYONE, facts=facts, rule="R11"))
    return state, tuple(events)
