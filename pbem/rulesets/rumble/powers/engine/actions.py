"""What powers do in a round, moment by moment, as plain changes; who is hurt by them is reckoned elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

import msgspec

from pbem.rulesets.rumble.effect import (
    Damage,
    Drop,
    Effect,
    Eliminate,
    EnergyChange,
    Give,
    Ignore,
    PastDefence,
    Shield,
    Swap,
    ValueChange,
    Win,
)
from pbem.rulesets.rumble.model.state import Later
from pbem.rulesets.rumble.powers.engine import scene
from pbem.rulesets.rumble.powers.engine.active_abilities import ActiveAbility
from pbem.rulesets.rumble.powers.engine.scene import ANY, Pair, Scene, View
from pbem.rulesets.rumble.powers.language import lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Expression, Name
from pbem.rulesets.rumble.powers.language.lines import Does

Cell: TypeAlias = Pair
"""A value of a round: an Attack by its pair, a Defence as (seat, "")."""


class Acts(msgspec.Struct, frozen=True):
    """What powers do before and in the blows: effects, and what they leave for rounds to come."""

    effects: tuple[Effect, ...]
    later: tuple[Later, ...]


Valued: TypeAlias = Callable[[Sequence[ValueChange]], Scene]
"""Reckons Attacks and Defences with the changes so far."""


def before_blows(running: Sequence[ActiveAbility], due: Sequence[Later], valued: Valued) -> Acts:
    """
    Say what powers do to Attacks, Defences and Energy while the blows fall; `due` is what they left for this round.

    Rule: R15, A35 for the order of the moments: values, then what is ignored, then damage.
    """
    now = [one for one in running if one.ability.when is None and one.ability.instead is None]
    changes = _values(now, _due_changes(due), valued)
    after = valued(changes)
    later: list[Later] = []
    effects: list[Effect] = [*changes]
    effects += [Damage(one.on, one.amount, one.source, one.unblockable, one.by) for one in due if one.what == "deal"]
    for one in now:
        for effect, view in _done(one, after):
            name = one.power.name
            match effect:
                case lines.IgnoreAttack(attack):
                    source, on = scene.evaluate(attack, view)
                    effects.append(Ignore(source, on, name))
                case lines.PassDefence(_, source, on):
                    effects.append(PastDefence(scene.evaluate(source, view), scene.evaluate(on, view), name))
                case lines.Deal():
                    effects += strokes_of(effect, view, name)
                case lines.Shield(who, most):
                    amount = -1 if most is None else scene.whole(most, view)
                    effects += [Shield(seat, amount, name) for seat in scene.heroes(who, view)]
                case lines.Gain() | lines.Lose():
                    effects += shares_of(effect, view, name)
                case lines.Require(who, on, amount):
                    seat, against, much = scene.evaluate(who, view), scene.evaluate(on, view), scene.whole(amount, view)
                    later.append(Later(after.state.round + 1, "require", seat, much, name, against, hero=view.me))
                case lines.Forbid(who) | lines.Eliminate(who):
                    what = "forbid" if isinstance(effect, lines.Forbid) else "eliminate"
                    number = after.state.round + 1
                    later += [Later(number, what, seat, by=name, hero=view.me) for seat in scene.heroes(who, view)]
    return Acts(tuple(effects), tuple(later))


def _due_changes(due: Sequence[Later]) -> list[ValueChange]:
    signs = [(one, one.what.removeprefix("defence ")) for one in due if one.what.startswith("defence ")]
    return [ValueChange("", one.on, sign, one.amount, one.by) for one, sign in signs]


def at_round_start(running: Sequence[ActiveAbility], now: Scene) -> tuple[EnergyChange, ...]:
    """Say what powers give and take before orders are asked for."""
    return _shared([one for one in running if isinstance(one.ability.when, lines.RoundStart)], now)


def at_round_end(running: Sequence[ActiveAbility], now: Scene) -> tuple[EnergyChange, ...]:
    """
    Say what powers give and take when the blows are over.

    Rule: C14: all together, but what looks at losses looks after the others have written theirs.
    """
    ending = [one for one in running if isinstance(one.ability.when, lines.RoundEnd)]
    first = [one for one in ending if not _looks_at_losses(one)]
    shares = _shared(first, now)
    lost = dict(now.lost)
    for share in shares:
        lost[share.on] = lost.get(share.on, 0) + max(0, -share.amount)
    then = msgspec.structs.replace(now, lost=lost)
    return shares + _shared([one for one in ending if one not in first], then)


def at_control(running: Sequence[ActiveAbility], now: Scene) -> tuple[Give | Drop | Swap, ...]:
    """
    Say which powers change hands when all gains and losses are over, and who has fallen.

    Rule: C14.
    """
    found: list[Give | Drop | Swap] = []
    for one in running:
        for effect, view in _done(one, now) if isinstance(one.ability.when, lines.RoundEnd) else ():
            match effect:
                case lines.Give(power) | lines.Discard(power) if not _still_there(power, one, view):
                    continue
                case lines.Give(power, to) if not _after_wins(one):
                    found.append(Give(scene.evaluate(power, view), scene.evaluate(to, view), one.power.name))
                case lines.Discard(power) if not _after_wins(one):
                    found.append(Drop(scene.evaluate(power, view), one.power.name))
                case lines.Swap(who, other):
                    pair = scene.evaluate(who, view), scene.evaluate(other, view)
                    if not set(pair) <= set(now.fighting):
                        break  # what was to come of the swap does not come either
                    found.append(Swap(*pair, one.power.name))
    return tuple(found)


def _still_there(power: Expression, one: ActiveAbility, view: View) -> bool:
    """Say whether a power that was named is still among those that might be."""
    named = [choice for choice in one.ability.choices if power == Name(choice.name)]
    return all(scene.evaluate(power, view) in scene.choices(choice, view) for choice in named)


def _after_wins(one: ActiveAbility) -> bool:
    return isinstance(one.ability.when, lines.RoundEnd) and one.ability.when.after_wins


def after_wins(running: Sequence[ActiveAbility], now: Scene) -> tuple[Drop | Eliminate, ...]:
    """Say who is out, and which powers go, once it was seen who wins. Rule: C14."""
    found: list[Drop | Eliminate] = []
    for one in filter(_after_wins, running):
        for effect, view in _done(one, now):
            if isinstance(effect, lines.Eliminate):
                found += [Eliminate(seat) for seat in scene.heroes(effect.who, view)]
            elif isinstance(effect, lines.Discard):
                found.append(Drop(scene.evaluate(effect.power, view)))
    return tuple(dict.fromkeys(found))


def wins(running: Sequence[ActiveAbility], now: Scene) -> tuple[Win, ...]:
    """
    Say who wins by a power at the end of the round, and by which.

    Rule: C14: after gains, losses and falls; A31.
    """
    found: list[Win] = []
    for one in running:
        for effect, view in _done(one, now):
            if isinstance(effect, lines.Win) and (seat := scene.evaluate(effect.who, view)) in now.fighting:
                found.append(Win(seat, one.power.name))
    return tuple(found)


def _looks_at_losses(one: ActiveAbility) -> bool:
    return any(call.word == "lost" for call in sense.calls(one.ability))


def _shared(running: Sequence[ActiveAbility], now: Scene) -> tuple[EnergyChange, ...]:
    return tuple(
        share
        for one in running
        for effect, view in _done(one, now)
        if isinstance(effect, lines.Gain | lines.Lose)
        for share in shares_of(effect, view, one.power.name)
    )


def shares_of(effect: lines.Gain | lines.Lose, view: View, name: str) -> list[EnergyChange]:
    """Return what a gain or a loss comes to."""
    amount = scene.whole(effect.amount, view)
    sign = 1 if isinstance(effect, lines.Gain) else -1
    return [EnergyChange(seat, sign * amount, by=name) for seat in scene.heroes(effect.who, view) if amount]


def strokes_of(effect: lines.Deal, view: View, name: str) -> list[Damage]:
    """Return what damage of a power comes to, for each whom it strikes."""
    amount = scene.whole(effect.amount, view)
    source = "" if effect.from_nobody else view.me
    return [Damage(seat, amount, source, effect.unblockable, name) for seat in scene.heroes(effect.to, view) if amount]


def _done(one: ActiveAbility, now: Scene) -> Iterator[tuple[lines.Effect, View]]:
    """Yield what an ability does in a scene, for each of whom it does it, where its tests hold."""
    for view in _views(one, now):
        yield from ((effect, view) for effect in done(one, view))


def done(one: ActiveAbility, view: View) -> Iterator[lines.Effect]:
    """Yield what an ability does as its owner sees things, where its tests hold."""
    if all(scene.true(test, view) for test in one.ability.tests):
        yield from (does.effect for does in one.ability.does if scene.true(does.test, view))


def _views(one: ActiveAbility, now: Scene, seen: Callable[[Cell], None] = lambda cell: None) -> list[View]:
    view = msgspec.structs.replace(one.view(now), seen=seen)
    for choice in () if one.ability.costs else one.ability.choices:
        found = _attack_chosen(one, choice, view)
        if not found:
            return []
        view = scene.naming(view, choice.name, found)
    match one.ability.each:
        case None:
            return [view]
        case lines.EachHero(name, among):
            seats = scene.heroes(among, view)
            several = msgspec.structs.replace(view, ties=max(1, len(seats)))
            return [scene.naming(several, name, seat) for seat in seats]
        case lines.EachAttack(name, on):
            seat = scene.evaluate(on, view)
            return [scene.naming(view, name, pair) for pair in now.made if pair[1] == seat]


def _attack_chosen(one: ActiveAbility, choice: lines.Choose, view: View) -> Pair | None:
    """Return the Attack that an owner names, the largest where they did not. Rule: C23."""
    there = [(source, view.me) for source in scene.choices(choice, view)]
    wished = [(said, view.me) for said in (one.use.on, *one.use.then)] if one.use else []
    named = [pair for pair in wished if pair in there]
    return next(iter([*named, *sorted(there, key=lambda pair: -view.scene.attacks.get(pair, 0))]), None)


# Values: what looks at an Attack or a Defence waits until nothing that has yet to act would change it.


def _values(running: Sequence[ActiveAbility], changes: list[ValueChange], valued: Valued) -> list[ValueChange]:
    waiting = [one for one in running if any(isinstance(d.effect, _ON_VALUES) for d in one.ability.does)]
    while waiting:
        now = valued(changes)
        cells = [_cells(one, now) for one in waiting]
        ready = _next(cells)
        for place in sorted(ready):
            changes += _changes(waiting[place], now)
        waiting = [one for place, one in enumerate(waiting) if place not in ready]
    return changes


def _next(cells: Sequence[tuple[set[Cell], set[Cell]]]) -> set[int]:
    """
    Return who acts next: the fewest that look at nothing that somebody else among those who wait may change.

    Where several look at each other, they act together, each seeing the values without the others.
    """
    looks = {
        place: {n for n, (_, writes) in enumerate(cells) if n != place and reads & writes}
        for place, (reads, _) in enumerate(cells)
    }

    def leaning(place: int) -> set[int]:
        found, fresh = {place}, {place}
        while fresh:
            fresh = {n for one in fresh for n in looks[one]} - found
            found |= fresh
        return found

    closed = [leaning(place) for place in looks]
    fewest = min(map(len, closed))
    return {n for found in closed if len(found) == fewest for n in found}


_ON_VALUES = (lines.OnAttack, lines.OnDefence)


def _changes(one: ActiveAbility, now: Scene) -> Iterator[ValueChange]:
    for effect, view in _done(one, now):
        if isinstance(effect, _ON_VALUES):
            power = one.power
            for cell in _written(effect, view):
                source, on = cell if cell[1] else ("", cell[0])
                for sign, amount in _amounts(effect, view):
                    yield ValueChange(source, on, sign, amount, power.name, power.number)


def _amounts(effect: lines.OnAttack | lines.OnDefence, view: View) -> list[tuple[str, int]]:
    """Return by how much a value changes; a fraction multiplies and divides, and is rounded once, with all others."""
    if effect.sign != "*=":
        return [(effect.sign, scene.whole(effect.amount, view))]
    by = Fraction(scene.number(effect.amount, view))
    parts = [("*=", by.numerator), ("/=", by.denominator)]
    return [part for part in parts if part[1] != 1] or [("*=", 1)]


def _written(effect: lines.OnAttack | lines.OnDefence, view: View) -> list[Cell]:
    if isinstance(effect, lines.OnDefence):
        return [(scene.evaluate(effect.who, view), "")]
    by, on = scene.evaluate(effect.source, view), scene.evaluate(effect.on, view)
    return [pair for pair in view.scene.made if by in (pair[0], ANY) and on in (pair[1], ANY)]


def _cells(one: ActiveAbility, now: Scene) -> tuple[set[Cell], set[Cell]]:
    """Return the values that an ability looks at, and those that it may change, whether or not its tests hold."""
    reads: set[Cell] = set()
    writes: set[Cell] = set()
    for view in _views(one, now, reads.add):
        plain = msgspec.structs.replace(view, seen=lambda cell: None)
        for test in one.ability.tests:
            scene.true(test, view)
        for done in one.ability.does:
            _look(done, view)
            if isinstance(done.effect, _ON_VALUES):
                writes.update(_written(done.effect, plain))
    return reads, writes


def _look(done: Does, view: View) -> None:
    scene.true(done.test, view)
    if isinstance(done.effect, _ON_VALUES):
        scene.number(done.effect.amount, view)
