"""What powers do in a round, moment by moment, as effects; who is hurt by them is reckoned elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from pbem.rulesets.rumble.effect import Drop, Effect, EnergyChange, Give, Swap, ValueChange, of_kind
from pbem.rulesets.rumble.powers.engine import scene
from pbem.rulesets.rumble.powers.engine.active_abilities import ActiveAbility
from pbem.rulesets.rumble.powers.engine.deeds import cells, deeds
from pbem.rulesets.rumble.powers.engine.scene import Pair, Scene, View
from pbem.rulesets.rumble.powers.language import lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Expression, Name

Valued: TypeAlias = Callable[[Sequence[ValueChange]], Scene]
"""Reckons Attacks and Defences with the changes so far."""

_ON_VALUES = (lines.OnAttack, lines.OnDefence)
_OTHERS = tuple(kind for kind in lines.EFFECTS if kind not in _ON_VALUES)
_SHARING = (lines.Gain, lines.Lose)


def before_blows(
    running: Sequence[ActiveAbility], due: Sequence[Effect], valued: Valued
) -> tuple[tuple[Effect, ...], Scene]:
    """
    Say what powers do to Attacks, Defences and Energy while the blows fall; `due` is what they left for this round.

    Shape: with it comes the scene in which all Attacks and Defences are changed.
    Rule: R15, A35 for the order of the moments: values, then what is ignored, then damage.
    """
    now = [one for one in running if one.ability.when is None and one.ability.instead is None]
    changes = _values(now, of_kind(due, ValueChange), valued)
    after = valued(changes)
    others = effects_of(now, after, *_OTHERS)
    return (*changes, *(effect for effect in due if not isinstance(effect, ValueChange)), *others), after


def at_round_end(running: Sequence[ActiveAbility], now: Scene) -> tuple[EnergyChange, ...]:
    """
    Say what powers give and take when the blows are over.

    Rule: C14: all together, but what looks at losses looks after the others have written theirs.
    """
    ending = [one for one in running if isinstance(one.ability.when, lines.RoundEnd)]
    first = [one for one in ending if "lost" not in sense.words(one.ability)]
    shares = shares_of(first, now)
    lost = dict(now.lost)
    for share in shares:
        lost[share.on] = lost.get(share.on, 0) + max(0, -share.amount)
    then = msgspec.structs.replace(now, lost=lost)
    return shares + shares_of([one for one in ending if one not in first], then)


def shares_of(running: Sequence[ActiveAbility], now: Scene) -> tuple[EnergyChange, ...]:
    """Say what powers give and take in a scene."""
    return tuple(of_kind(effects_of(running, now, *_SHARING), EnergyChange))


def at_control(running: Sequence[ActiveAbility], now: Scene) -> tuple[Give | Drop | Swap, ...]:
    """
    Say which powers change hands when all gains and losses are over, and who has fallen.

    Rule: C14.
    """
    found: list[Effect] = []
    for one in running:
        if one.ability.when != lines.RoundEnd():
            continue
        for effect, view in _done(one, now):
            if isinstance(effect, lines.Give | lines.Discard) and _still_there(effect.power, one, view):
                found += deeds(effect, view)
            elif isinstance(effect, lines.Swap):
                if not {scene.evaluate(effect.one, view), scene.evaluate(effect.other, view)} <= {*now.fighting}:
                    break  # what was to come of the swap does not come either
                found += deeds(effect, view)
    return tuple(effect for effect in found if isinstance(effect, Give | Drop | Swap))


def _still_there(power: Expression, one: ActiveAbility, view: View) -> bool:
    """Say whether the power that was named can still be named."""
    named = [choice for choice in one.ability.choices if power == Name(choice.name)]
    return all(scene.evaluate(power, view) in scene.choices(choice, view) for choice in named)


def effects_of(running: Sequence[ActiveAbility], now: Scene, *kinds: type[lines.Effect]) -> list[Effect]:
    """Return what abilities do in a scene by lines of these kinds."""
    speaking = doing(running, *kinds)
    done = [(effect, view) for one in speaking for effect, view in _done(one, now) if isinstance(effect, kinds)]
    return [deed for effect, view in done for deed in deeds(effect, view)]


def doing(running: Sequence[ActiveAbility], *kinds: type[lines.Effect]) -> list[ActiveAbility]:
    """Return the abilities that have lines of these kinds, whether or not their tests hold."""
    return [one for one in running if any(isinstance(does.effect, kinds) for does in one.ability.does)]


def _done(one: ActiveAbility, now: Scene) -> Iterator[tuple[lines.Effect, View]]:
    """Yield what an ability does in a scene, for each of whom it does it, where its tests hold."""
    for view in _views(one, now):
        yield from ((effect, view) for effect in done(one, view))


def done(one: ActiveAbility, view: View) -> Iterator[lines.Effect]:
    """Yield what an ability does as its owner sees things, where its tests hold."""
    if all(scene.true(test, view) for test in one.ability.tests):
        yield from (does.effect for does in one.ability.does if scene.true(does.test, view))


def _views(one: ActiveAbility, now: Scene, seen: Callable[[Pair], None] = lambda cell: None) -> list[View]:
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
    waiting = doing(running, *_ON_VALUES)
    while waiting:
        now = valued(changes)
        ready = _next([_cells(one, now) for one in waiting])
        for place in sorted(ready):
            changes += of_kind(effects_of([waiting[place]], now, *_ON_VALUES), ValueChange)
        waiting = [one for place, one in enumerate(waiting) if place not in ready]
    return changes


def _next(touched: Sequence[tuple[set[Pair], set[Pair]]]) -> set[int]:
    """
    Return who acts next: the fewest that look at nothing that somebody else among those who wait may change.

    Where several look at each other, they act together, each seeing the values without the others.
    """
    looks = {
        place: {n for n, (_, writes) in enumerate(touched) if n != place and reads & writes}
        for place, (reads, _) in enumerate(touched)
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


def _cells(one: ActiveAbility, now: Scene) -> tuple[set[Pair], set[Pair]]:
    """Return the values that an ability looks at, and those that it may change, whether or not its tests hold."""
    reads: set[Pair] = set()
    writes: set[Pair] = set()
    for view in _views(one, now, reads.add):
        plain = msgspec.structs.replace(view, seen=lambda cell: None)
        for test in one.ability.tests:
            scene.true(test, view)
        for done in one.ability.does:
            scene.true(done.test, view)
            if isinstance(done.effect, _ON_VALUES):
                scene.number(done.effect.amount, view)
                writes.update(cells(done.effect, plain))
    return reads, writes
