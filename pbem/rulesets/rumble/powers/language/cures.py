"""The nearest lines that run, for lines of a power that do not: found by trying, so that they run when said."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec

from pbem.rulesets.rumble.powers.language import forms, hindrances, lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Expression, Join, Name, Number, is_variable
from pbem.rulesets.rumble.powers.language.forms import Formed
from pbem.rulesets.rumble.powers.language.lines import FIELDS, Ability, Does, Effect, Effects

_ME, _THIS, _H, _T, _P, _A, _U, _ANY = (Name(word) for word in ("me", "this", "H", "T", "P", "A", "U", "any"))
_OPPONENTS, _X, _FIVE = Name("opponents"), Name("X"), Number(5)
_PAID = (lines.Spend(amount=_FIVE),)
_GONE = Does(lines.Discard(power=_THIS))
_OTHER = Join("!=", Name("it"), _THIS)


def _named(
    name: Name, what: str, of: Expression | None = None, on: Expression | None = None
) -> tuple[lines.Choose, ...]:
    return (lines.Choose(name=name.word, what=what, of=of, on=on),)


_FRAMES: tuple[Ability, ...] = (
    Ability(),
    Ability(costs=_PAID),
    Ability(costs=_PAID, choices=_named(_T, "hero")),
    Ability(costs=_PAID, choices=_named(_T, "opponent")),
    Ability(costs=_PAID, choices=_named(_P, "power", _OPPONENTS)),
    Ability(costs=(lines.Spend(amount=_X),)),
    Ability(costs=(lines.Spend(amount=_X),), choices=_named(_T, "hero")),
    Ability(when=lines.RoundStart()),
    Ability(when=lines.RoundEnd()),
    Ability(when=lines.RoundEnd(), each=lines.EachHero(name="H", among=_OPPONENTS)),
    Ability(when=lines.RoundEnd(), costs=_PAID),
    Ability(when=lines.RoundEnd(), costs=_PAID, choices=_named(_T, "opponent")),
    Ability(when=lines.RoundEnd(), costs=_PAID, choices=_named(_P, "power", _OPPONENTS)),
    Ability(when=lines.RoundEnd(after_wins=True)),
    Ability(when=lines.AfterDamage()),
    Ability(when=lines.Won()),
    Ability(when=lines.Won(), choices=_named(_T, "opponent")),
    Ability(when=lines.Won(), choices=(lines.Choose(name="P", what="power", of=_ME, test=_OTHER),), optional=True),
    Ability(when=lines.Damage(to=_ME)),
    Ability(when=lines.Damage(by=_H, to=_ME)),
    Ability(when=lines.Damage(by=_ME)),
    Ability(when=lines.Damage(by=_ME, to=_H)),
    Ability(when=lines.Damage(by=_ME, to=_H), choices=_named(_P, "power", _H)),
    Ability(instead=lines.Damage(to=_ME)),
    Ability(instead=lines.Damage(by=_ME)),
    Ability(instead=lines.Damage(to=_ME), optional=True),
    Ability(costs=_PAID, choices=_named(_T, "hero"), instead=lines.Damage(to=_T)),
    Ability(when=lines.Attacks(by=_H, to=_ME)),
    Ability(when=lines.Attacks(by=_ME, to=_H)),
    Ability(when=lines.Attacks(by=_ME, to=_H), optional=True),
    Ability(when=lines.Death(who=_ME)),
    Ability(instead=lines.Death(who=_ME)),
    Ability(each=lines.EachHero(name="H", among=_OPPONENTS)),
    Ability(each=lines.EachAttack(name="A", on=_ME)),
    Ability(choices=_named(_A, "attack", on=_ME), optional=True),
    Ability(costs=(lines.Burn(amount=_FIVE),), at_reveal=True),
    Ability(
        costs=(lines.Drain(amount=_FIVE),),
        at_reveal=True,
        choices=(*_named(_U, "use", on=_ME), *_named(_T, "hero")),
    ),
)
"""What stands before the effects of an ability that runs, the plainest first."""
_BESIDE: dict[type[Formed], tuple[tuple[Does, ...], tuple[Does, ...]]] = {
    lines.Revive: ((), (_GONE,)),
    lines.Draw: ((_GONE,), ()),
    lines.OnAttack: ((), (Does(lines.Give(power=_THIS, to=_H)),)),
    lines.Deal: ((), (Does(lines.Revive(who=_ME, amount=Number(1))), _GONE)),
    lines.Give: ((Does(lines.OnAttack(source=_ME, on=_H, sign="+=", amount=Number(20), unblockable=True)),), ()),
}
"""What an effect may need before and behind it."""
MOST_TRIED = 4000


def nearest(found: Effects) -> Effects:
    """
    Return the abilities that run and are nearest to those of a power; none where no lines do what one of them does.

    Shape: nearest is what has the fewest other lines; of as many, what keeps more of them as they were written.
    """
    whole: list[Ability] = []
    for one in found:
        cured = (one,) if sound(one) else _cured(one)
        if not cured:
            return ()
        whole += cured
    return () if any(hindrances.together(tuple(whole))) else tuple(whole)


def _cured(ability: Ability) -> tuple[Ability, ...]:
    """Return the nearest that does all that an ability does, at once or in several abilities; none where none does."""
    if near := _nearest(ability):
        return (near,)
    alone = [msgspec.structs.replace(ability, does=(one,)) for one in ability.does]
    parted = [one if sound(one) else _nearest(one) for one in alone] if len(alone) > 1 else []
    return tuple(one for one in parted if one) if all(parted) else ()


def sound(ability: Ability) -> bool:
    """Say whether an ability makes sense, and is done as it is read back."""
    rows = [(key, part) for key, part in ability.rows() if isinstance(part, Formed | Does | Expression)]
    if sense.wrong_whole(ability) or any(sense.wrong_part(ability, part) for _, part in rows):
        return False
    return not any(hindrances.of_ability(ability))


def _nearest(ability: Ability) -> Ability | None:
    tried: dict[Ability, int] = {}
    needed = Counter(map(type, ability.effects))
    for one in _candidates(ability):
        if one not in tried and needed <= Counter(map(type, one.effects)):
            tried[one] = _distance(ability, one)
        if len(tried) > MOST_TRIED:
            break
    return next((one for one in sorted(tried, key=tried.__getitem__) if sound(one)), None)


def _distance(ability: Ability, other: Ability) -> int:
    """Say how far an ability is from another: by lines, by what is newly to be named, by what is done, and when."""
    before, after = list(ability.rows()), list(other.rows())
    fresh = [key for key, part in after if (key, part) not in before]
    gone = sum(row not in after for row in before)
    lost = {_core(one) for one in ability.effects} - {_core(one) for one in other.effects}
    moved = type(ability.event) is not type(other.event)
    return gone + len(fresh) + 2 * fresh.count("choose") + 2 * moved + 4 * len(lost)


def _core(effect: Effect) -> tuple[Any, ...]:
    """Return what an effect does and to whom, without what may be left out of it."""
    needed = {field for part in forms.form(effect.FORM) if not part.perhaps for field in part.fields}
    return type(effect), *(value for blank, value in forms.blanks(effect) if blank.field in needed)


def _candidates(ability: Ability) -> Iterator[Ability]:
    """Yield abilities that do what an ability does, or most of it: with less before it, or at another moment."""
    yield from _with_choices(ability)
    yield from _with_less(ability)
    if len(ability.does) > 1:
        for frame in _FRAMES:
            for costs in dict.fromkeys((frame.costs, ability.costs if frame.costs else ())):
                whole = msgspec.structs.replace(frame, costs=costs, does=ability.does)
                yield from (msgspec.structs.replace(whole, tests=ability.tests), whole)
    for one in ability.does:
        for effect in _plainer(one.effect):
            for frame in _FRAMES:
                yield from _framed(frame, effect, one, ability)


def _with_choices(ability: Ability) -> Iterator[Ability]:
    """Yield an ability whose choices of heroes say in other words what they say with of or on, or without that."""
    for place, choice in enumerate(ability.choices):
        plain = msgspec.structs.replace(choice, on=None, of=None)
        meant = [plain]
        if choice.of == _OPPONENTS and choice.what == "hero":
            meant = [msgspec.structs.replace(plain, what="opponent"), plain]
        elif choice.of == Name("others") and not choice.test:
            meant = [msgspec.structs.replace(plain, test=Join("!=", Name("it"), _ME)), plain]
        is_said = choice.what in ("hero", "opponent") and (choice.of or choice.on)
        for other in meant if is_said else ():
            yield msgspec.structs.replace(
                ability, choices=(*ability.choices[:place], other, *ability.choices[place + 1 :])
            )


def _with_less(ability: Ability) -> Iterator[Ability]:
    """Yield an ability without some of its lines, and with plainer ones."""
    rows = [row for row in ability.rows() if row[0] != "do" or len(ability.does) > 1]
    for few in (1, 2, 3):
        for gone in combinations(rows, few):
            yield _without(ability, gone)
    for place, one in enumerate(ability.does):
        for effect in _plainer(one.effect):
            does = (*ability.does[:place], Does(effect, one.test), *ability.does[place + 1 :])
            changed = msgspec.structs.replace(ability, does=does)
            yield changed
            yield from (_without(changed, [row]) for row in rows if row[0] != "do")
    event = ability.instead or ability.when
    if isinstance(event, lines.Damage):
        bare = msgspec.structs.replace(event, by=None if event.by == _ANY else event.by)
        for less in (bare, msgspec.structs.replace(bare, to=None), msgspec.structs.replace(bare, by=None)):
            yield msgspec.structs.replace(ability, **{"instead" if ability.instead else "when": less})


def _without(ability: Ability, gone: Any) -> Ability:
    changed: dict[str, Any] = {}
    for key, part in gone:
        field = FIELDS[key]
        said = changed.get(field, getattr(ability, field))
        if isinstance(said, tuple):
            changed[field] = tuple(one for one in said if one is not part)
        else:
            changed[field] = type(said)() if isinstance(said, bool | str) else None
    return msgspec.structs.replace(ability, **changed)


def _plainer(effect: Effect) -> list[Effect]:
    """Return an effect with each of what may be left out of it or added to it, as it is first."""
    found = [effect]
    for part in forms.form(effect.FORM):
        if part.perhaps and part.field:
            found += [
                msgspec.structs.replace(one, **{part.field: not getattr(one, part.field)}) for one in tuple(found)
            ]
        elif part.perhaps:
            found += [msgspec.structs.replace(one, **dict.fromkeys(part.fields)) for one in tuple(found)]
    for one in tuple(found):
        for blank, value in forms.blanks(one):
            if blank.what == "number" and not isinstance(value, Number):
                found.append(msgspec.structs.replace(one, **{blank.field: _FIVE}))
            if blank.what in ("hero", "heroes", "anybody") and value not in (_ME, _ANY):
                found.append(msgspec.structs.replace(one, **{blank.field: _ME}))
    if isinstance(effect, lines.OnAttack) and effect.sign == "=":
        found += [msgspec.structs.replace(one, on=_ANY, final=True) for one in found]
    return list(dict.fromkeys(found))


def _framed(frame: Ability, effect: Effect, was: Does, ability: Ability) -> Iterator[Ability]:
    """Yield an effect in a frame, under the names that this gives; with the tests that there were, and without."""
    for renamed in _renamed(effect, frame):
        first, last = _BESIDE.get(type(effect), ((), ()))
        for before, behind in (((), ()), (first, last)) if first or last else (((), ()),):
            for one in dict.fromkeys((Does(renamed, was.test), Does(renamed))):
                bare = msgspec.structs.replace(frame, does=(*before, one, *behind))
                yield bare
                if ability.tests:
                    yield msgspec.structs.replace(bare, tests=ability.tests)
                if ability.costs and frame.costs:
                    yield msgspec.structs.replace(bare, costs=ability.costs)


def _renamed(effect: Effect, frame: Ability) -> Iterator[Effect]:
    """Yield an effect with the names of a frame, in place of those that it has."""
    given = sense.known(frame)
    blanks = [(blank, value) for blank, value in forms.blanks(effect) if isinstance(value, Name)]
    names = {kind: Name(name) for name, kind in given.items()}
    changed: dict[str, Expression] = {}
    for blank, value in blanks:
        kind: str = {"heroes": "hero", "anybody": "hero"}.get(blank.what, blank.what)
        if is_variable(value.word) and value.word not in given:
            changed[blank.field] = names.get(kind, _ME if kind == "hero" else _THIS if kind == "power" else value)  # type: ignore[call-overload]
        elif kind in ("hero", "power") and value in (_ME, _THIS) and blank.field in ("power", "to", "other", "on"):
            changed[blank.field] = names.get(kind, value)  # type: ignore[call-overload]
    yield effect
    if changed:
        yield msgspec.structs.replace(effect, **changed)
        for field, name in changed.items():
            yield msgspec.structs.replace(effect, **{field: name})
