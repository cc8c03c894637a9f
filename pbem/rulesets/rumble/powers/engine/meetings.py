"""Looks for powers of a pool that would get in each other's way, each pair once, and says what holds; runs nothing."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from pbem.rulesets.rumble.model.state import Power
from pbem.rulesets.rumble.powers.language import lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Name, Number
from pbem.rulesets.rumble.powers.language.lines import Ability, Effects
from pbem.rulesets.rumble.powers.language.runnable import running_abilities


class Meeting(msgspec.Struct, frozen=True):
    """Two powers that meet: what both do, what holds if nobody says otherwise, and by which rule."""

    question: str
    default: str
    rule: str


class _Both(msgspec.Struct, frozen=True):
    """Two powers as they are called, the one with the lower number first."""

    low: str
    high: str


def meetings(pool: Sequence[Power]) -> list[Meeting]:
    """Return the pairs of powers that run and whose order makes a difference, by their numbers; a pair has one."""
    at_work = [(power, running_abilities(power.lines)) for power in sorted(pool, key=lambda p: p.number)]
    return [
        found
        for (one, low), (other, high) in combinations(at_work, 2)
        if (found := next(_of_pair(_Both(_called(one), _called(other)), low, high), None))
    ]


def _called(power: Power) -> str:
    return f"{power.key} {power.name}"


def _of_pair(both: _Both, low: Effects, high: Effects) -> Iterator[Meeting]:
    for meet in (_set_values, _change_damage, _save, _discard):
        for one in low:
            for other in high:
                if found := meet(both, one, other):
                    yield found


def _set_values(both: _Both, low: Ability, high: Ability) -> Meeting | None:
    """Two numbers to which one value is set: the one that is set last counts, and who looks at values may wait."""
    for kind, value in ((lines.OnAttack, "an Attack"), (lines.OnDefence, "a Defence")):
        first, second = _sets(low, kind), _sets(high, kind)
        if not first or not second or _same(first, second):
            continue
        default = f"{both.high} counts, the higher number in the pool"
        if _looks(low):
            default += f"; but {both.low} counts where it has to wait for what others do to the value that it looks at"
        return Meeting(f"{both.low} and {both.high} can both set {value} to a number.", default, "C21")
    return None


def _sets(ability: Ability, kind: type[lines.OnAttack | lines.OnDefence]) -> list[object]:
    """Return the numbers to which an ability sets Attacks, or Defences."""
    return [one.amount for one in ability.effects if isinstance(one, kind) and one.sign == "="]


def _same(first: Sequence[object], second: Sequence[object]) -> bool:
    """Say whether all is set to one and the same number, whoever acts last."""
    return len({*first, *second}) == 1 and isinstance(first[0], Number)


def _looks(ability: Ability) -> bool:
    """Say whether an ability looks at Attacks or Defences, so that it may act after others."""
    return bool(sense.words(ability) & {"attack", "defence"}) or isinstance(ability.each, lines.EachAttack)


def _change_damage(both: _Both, low: Ability, high: Ability) -> Meeting | None:
    """Two answers to the same damage, in the same step of C22, where it matters which comes first."""
    first, second = low.instead, high.instead
    if not isinstance(first, lines.Damage) or not isinstance(second, lines.Damage):
        return None
    step = _step(low)
    if step != _step(high) or {first.kind, second.kind} == {"attack", "power"}:
        return None
    goes_first = f"{both.low} goes first, the lower number in the pool"
    if step == 2 and _prevents(low, high):
        question = f"{both.low} and {both.high} can both prevent the same damage, or set it."
        prevented = all(amount == Number(0) for amount in _amounts(low))
        last = f"what it prevents is no damage for {both.high}" if prevented else f"{both.high} has the last word"
        return Meeting(question, f"{goes_first}, and {last}", "C22")
    if step < 2 and _interferes(low, high):
        question = f"{both.low} and {both.high} can both change the same damage, and it matters which does so first."
        return Meeting(question, f"{goes_first}; {both.high} finds the damage as that left it", "C22")
    return None


def _step(ability: Ability) -> int:
    """Return the step of C22 in which an ability answers damage: multiply, add and take away, all else."""
    return min(({"*=": 0, "+=": 1, "-=": 1}.get(sign, 2) for sign in _signs(ability)), default=2)


def _signs(ability: Ability) -> list[str]:
    return [one.sign for one in ability.effects if isinstance(one, lines.OnDamage)]


def _amounts(ability: Ability) -> list[object]:
    return [one.amount for one in ability.effects if isinstance(one, lines.OnDamage)]


def _prevents(low: Ability, high: Ability) -> bool:
    """Say whether it matters which of two sets damage first: by what they set, count, or do besides."""
    besides = any(len(one.does) > len(_signs(one)) for one in (low, high))
    numbers = {*_amounts(low), *_amounts(high)}
    alike = len(numbers) == 1 and isinstance(next(iter(numbers)), Number)
    counted = (low.nth and high.nth) or ((low.nth or high.nth) and low.instead != high.instead)
    return besides or not alike or bool(counted)


def _interferes(low: Ability, high: Ability) -> bool:
    """Say whether it matters which of two multiplies, or adds and takes away, first."""
    signs = {*_signs(low), *_signs(high)}
    by_amount = "amount" in sense.words(low) | sense.words(high)
    return by_amount or signs == {"+=", "-="} or ("-=" in signs and bool(low.nth or high.nth))


def _save(both: _Both, low: Ability, high: Ability) -> Meeting | None:
    if not isinstance(low.instead, lines.Death) or not isinstance(high.instead, lines.Death):
        return None
    question = f"{both.low} and {both.high} can both save the same hero from falling."
    return Meeting(question, f"{both.low} does so, the lower number in the pool, and {both.high} is kept", "A26")


def _discard(both: _Both, low: Ability, high: Ability) -> Meeting | None:
    if not _takes(low) or not _takes(high):
        return None
    question = f"{both.low} and {both.high} can both discard the same power."
    return Meeting(question, "it is discarded once, and neither may discard another instead", "C23")


def _takes(ability: Ability) -> bool:
    """Say whether an ability discards a power other than itself."""
    return any(isinstance(one, lines.Discard) and one.power != Name("this") for one in ability.effects)
