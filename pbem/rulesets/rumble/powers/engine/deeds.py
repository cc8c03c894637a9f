"""What an effect of a power's line comes to, as its owner sees a moment: effects of seats and numbers."""

from collections.abc import Sequence
from fractions import Fraction

from pbem.rulesets.rumble.effect import (
    Damage,
    Drop,
    Effect,
    Eliminate,
    Endure,
    EnergyChange,
    Forbid,
    Give,
    Ignore,
    PastDefence,
    Require,
    Revive,
    Rider,
    SetEnergy,
    Shield,
    Swap,
    ValueChange,
    Win,
    put_off,
)
from pbem.rulesets.rumble.powers.engine.scene import ANY, Pair, View, evaluate, heroes, number, whole
from pbem.rulesets.rumble.powers.language import lines


def deeds(effect: lines.Effect, view: View) -> Sequence[Effect]:
    """
    Return what an effect comes to, for each whom it concerns; nothing of what the reveal or the auction does.

    Rule: A2, A14 for amounts.
    """
    name = view.power.name
    match effect:
        case lines.Gain(who, of) | lines.Lose(who, of):
            amount = whole(of, view) if isinstance(effect, lines.Gain) else -whole(of, view)
            return [EnergyChange(seat, amount, by=name) for seat in heroes(who, view) if amount]
        case lines.Deal(of, to, unblockable, from_nobody, rounds):
            amount, source = whole(of, view), "" if from_nobody else view.me
            strokes = [Damage(seat, amount, source, unblockable, name) for seat in heroes(to, view) if amount]
            return strokes if rounds is None else _in_rounds(strokes, view, rounds)
        case lines.OnAttack(unblockable=True, amount=of):
            return [Rider(*view.edge, whole(of, view), name)]
        case lines.OnAttack() | lines.OnDefence():
            changes = _value_changes(effect, view)
            return _in_rounds(changes, view) if isinstance(effect, lines.OnDefence) and effect.next_round else changes
        case lines.OnDamage(sign, of):
            return [ValueChange(view.hit.source, view.hit.on, sign, whole(of, view), name)]
        case lines.Shield(who, most):
            return [Shield(seat, -1 if most is None else whole(most, view), name) for seat in heroes(who, view)]
        case lines.PassDefence(_, by, on):
            return [PastDefence(evaluate(by, view), evaluate(on, view), name)]
        case lines.IgnoreAttack(attack):
            source, on = evaluate(attack, view)
            return [Ignore(source, on, name)]
        case lines.SetEnergy(who, of):
            return [SetEnergy(evaluate(who, view), whole(of, view))]
        case lines.Require(by, on, of):
            required = Require(evaluate(by, view), evaluate(on, view), whole(of, view), name)
            return _in_rounds([required], view)
        case lines.Forbid(by):
            return _in_rounds([Forbid(seat, name) for seat in heroes(by, view)], view)
        case lines.Eliminate(who, next_round):
            out = [Eliminate(seat, view.me, name) for seat in heroes(who, view)]
            return _in_rounds(out, view) if next_round else out
        case lines.Revive(who, of):
            return [Revive(evaluate(who, view), whole(of, view), view.this)]
        case lines.Endure(who):
            return [Endure(evaluate(who, view), view.this)]
        case lines.Win(who):
            return [Win(evaluate(who, view), name)]
        case lines.Give(power, to):
            return [Give(evaluate(power, view), evaluate(to, view), name)]
        case lines.Discard(power):
            return [Drop(evaluate(power, view), name)]
        case lines.Swap(one, other):
            return [Swap(evaluate(one, view), evaluate(other, view), name)]
    return ()


def _in_rounds(effects: Sequence[Effect], view: View, rounds: int = 1) -> Sequence[Effect]:
    """Put effects off to each of the next rounds."""
    now = view.scene.state.round
    return [put_off(one, now + ahead, view.me) for one in effects for ahead in range(1, rounds + 1)]


def _value_changes(effect: lines.OnAttack | lines.OnDefence, view: View) -> list[ValueChange]:
    by, number_of = view.power.name, view.power.number
    return [
        ValueChange(source, on, sign, amount, by, number_of)
        for source, on in cells(effect, view)
        for sign, amount in _amounts(effect, view)
    ]


def _amounts(effect: lines.OnAttack | lines.OnDefence, view: View) -> list[tuple[str, int]]:
    """Return by how much a value changes; a fraction multiplies and divides, and is rounded once, with all others."""
    if effect.sign != "*=":
        return [(effect.sign, whole(effect.amount, view))]
    by = Fraction(number(effect.amount, view))
    parts = [("*=", by.numerator), ("/=", by.denominator)]
    return [part for part in parts if part[1] != 1] or [("*=", 1)]


def cells(effect: lines.OnAttack | lines.OnDefence, view: View) -> list[Pair]:
    """Return the values that an effect changes: Attacks that there are, by their pairs, or a Defence as ("", seat)."""
    if isinstance(effect, lines.OnDefence):
        return [("", evaluate(effect.who, view))]
    by, on = evaluate(effect.source, view), evaluate(effect.on, view)
    return [pair for pair in view.scene.made if by in (pair[0], ANY) and on in (pair[1], ANY)]
