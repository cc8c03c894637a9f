"""Reads formal lines back in plain words, slot by slot, so that a person sees what was understood; runs nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.ruleset import Facts
from pbem.rulesets.rumble.powers.language import lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Expression, Join, Name, is_variable
from pbem.rulesets.rumble.powers.language.forms import Formed
from pbem.rulesets.rumble.powers.language.lines import Ability, Choose, Effect, Event
from pbem.rulesets.rumble.powers.wording.assumptions import assumed
from pbem.rulesets.rumble.powers.wording.outcomes import effect
from pbem.rulesets.rumble.powers.wording.phrasing import (
    Names,
    choosable,
    does,
    hero,
    one_of,
    power,
    spoken,
    times_of,
    true,
)

ASSUMED = "I assumed"
"""The head of what a text leaves open."""


def describe(abilities: Sequence[Ability], house: Mapping[str, str]) -> list[list[Facts]]:
    """
    Return the slots of each ability: what it costs, how often, and so on to what was assumed.

    Shape: a slot has its `head`, and in `says` a sentence or several; what does not apply has no slot.
    """
    return [[{"head": head, "says": says} for head, says in _slots(one, house) if says] for one in abilities]


def _slots(ability: Ability, house: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    names = named(ability)
    yield "Cost", [price(one, names) for one in ability.costs if not isinstance(one, lines.Activate | lines.Exhaust)]
    limits = [one for one in ability.costs if isinstance(one, lines.Activate | lines.Exhaust)]
    yield "How often", [*(price(one, names) for one in limits), *_nth(ability, names)]
    yield "You choose", [*(choice(one, names) for one in ability.choices), *["whether it happens"] * ability.optional]
    each = _each(ability, names)
    yield "When", [f"{_moment(ability, names)}{each}"] if not ability.instead else []
    yield "Instead of", [f"{_before(ability.instead, names)}{each}"] if ability.instead else []
    asked = [f'the moderator says yes to "{ability.ask}"'] if ability.ask else []
    yield "Only if", [*(true(test, names) for test in ability.tests), *asked]
    yield "Effect", [_what_is_done(one, names) for one in ability.does] or ["nothing by itself"]
    yield "Lasts", list(dict.fromkeys(said for one in ability.does if (said := _lasting(ability, one.effect))))
    yield ASSUMED, assumed(ability, house)


def named(ability: Ability) -> Names:
    """Return what each name that an ability gives is called; two that would be called alike have their letters too."""
    found = {one.name: f"the {_WHAT.get(one.what, one.what)} you choose" for one in ability.choices}
    for party in sense.parties(ability):
        inner, among = (party.left, party.right) if isinstance(party, Join) else (party, None)
        if isinstance(inner, Name) and is_variable(inner.word) and inner.word not in found:
            found[inner.word] = "that opponent" if among == Name("opponents") else "that hero"
    if ability.each:
        found[ability.each.name] = "that Attack" if isinstance(ability.each, lines.EachAttack) else "that hero"
    alike = Counter(found.values())
    return {name: f"{said} ({name})" if alike[said] > 1 else said for name, said in found.items()}


_WHAT = {"attack": "Attack", "use": "use of a power"}


def price(one: Formed, names: Names) -> str:
    """Say what a use takes, or how often it may be used; "" for what has no words."""
    match one:
        case lines.Spend(of):
            return f"spend {spoken(of, names)} (tied up for the round, then it comes back)"
        case lines.Burn(of):
            return f"burn {spoken(of, names)} (lost)"
        case lines.Drain(of):
            return f"drain {spoken(of, names)} (lost when it is used; not allocated before)"
        case lines.Activate(times):
            return f"at most {times_of(times)} in a round"
        case lines.Exhaust(times):
            return f"at most {times_of(times)} in the whole game"
        case lines.Pay(of):
            return f"discard {power(of, names)}"
    return ""


def _nth(ability: Ability, names: Names) -> list[str]:
    nth = ability.nth
    if nth is None:
        return []
    per = f", counted for {hero(nth.per, names)} apart" if nth.per else ""
    return [f"only the {_ordinal(nth.place)} time in {'every round' if nth.span == 'round' else 'the whole game'}{per}"]


def _ordinal(number: int) -> str:
    """Write a number that counts off: `third`, `4th`, `21st`."""
    short = {} if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}{short.get(number % 10, 'th')}")


def choice(one: Choose, names: Names) -> str:
    """Say what the owner names."""
    label = f" ({one.name})" if names.get(one.name, "").endswith(f"({one.name})") else ""
    of = f" of {_whose(one.of, names)}" if one.of else ""
    on = f" on {hero(one.on, names)}" if one.on else ""
    limits = f", {choosable(one.test, names, people=one.what in ('hero', 'opponent'))}" if one.test else ""
    return f"one {_WHAT.get(one.what, one.what)}{of}{on}{label}{limits}"


def _whose(of: Expression, names: Names) -> str:
    return "yours" if of == Name("me") else one_of(of, names)


def _moment(ability: Ability, names: Names) -> str:
    if ability.at_reveal:
        late = "" if any(isinstance(one, _AT_REVEAL) for one in ability.effects) else "; it is done with the blows"
        return f"used at the reveal, when all orders lie open{late}"
    if ability.when:
        return event(ability.when, names)
    if ability.costs:
        paid = any(isinstance(price, lines.Spend | lines.Burn) for price in ability.costs)
        return f"as the round is resolved{'' if paid else '; it may be used at the reveal, when all orders lie open'}"
    return "in every round, with the blows" if any(isinstance(one, _DONE_ANEW) for one in ability.effects) else "always"


_AT_REVEAL = (lines.Retarget, lines.Move)
"""What is done before the blows, when all orders lie open."""
_DONE_ANEW = (lines.Deal, lines.Gain, lines.Lose, lines.Forbid, lines.Require, lines.Eliminate)
"""What is done rather than so."""


def event(one: Formed, names: Names) -> str:
    """Say when something happens; "" for what has no words."""
    match one:
        case lines.RoundStart():
            return "at the beginning of each round, before orders"
        case lines.RoundEnd(after_wins):
            return f"at the end of the round{', after it is seen who wins' if after_wins else ', after the blows'}"
        case lines.AfterDamage():
            return "once all damage of the round is dealt"
        case lines.Won():
            return "you win this power at the auction"
        case lines.Damage(by=None, to=None):
            return f"anybody takes {_damage(one)}"
        case lines.Damage(_, None, to):
            assert to is not None
            return f"{does(_party(to, names), 'take', 'takes')} {_damage(one)}"
        case lines.Damage(_, by, to):
            assert by is not None
            return f"{does(_party(by, names), 'deal', 'deals')} {_damage(one)}{_to(to, names)}"
        case lines.Attacks(by, to, least):
            of = f", worth {spoken(least, names)} or more" if least else ""
            return f"there is {_attack_of(by, names)} on {_party(to, names)}{of}"
        case lines.Death(who):
            return f"{_party(who, names)} would be out"
    return ""


def _before(one: Event, names: Names) -> str:
    match one:
        case lines.Damage(_, by, to):
            source = f" dealt by {_party(by, names)}" if by else ""
            return f"{_damage(one)}{source}{_to(to, names)}, before it counts"
        case lines.Death(who):
            return f"being out, where {_party(who, names)} would be"
    return event(one, names)


def _to(to: Expression | None, names: Names) -> str:
    return f" to {_party(to, names)}" if to else ""


def _damage(one: lines.Damage) -> str:
    return {"attack": "damage by an Attack", "power": "damage by a power"}.get(one.kind, "damage")


def _attack_of(by: Expression, names: Names) -> str:
    who = _party(by, names)
    return "an Attack of yours" if who == "you" else f"an Attack of {who}"


def _party(party: Expression, names: Names) -> str:
    """Name who takes part in something that happens, no matter who of a set."""
    if isinstance(party, Join) and party.sign == "in":
        return _labelled(one_of(party.right, names), party.left, names)
    if isinstance(party, Name) and is_variable(party.word):
        said = names.get(party.word, "")
        return said if said.startswith("the ") else _labelled("a hero", party, names)
    return hero(party, names) if party == Name("any") else one_of(party, names)


def _labelled(said: str, name: Expression, names: Names) -> str:
    letter = name.word if isinstance(name, Name) else ""
    return f"{said} ({letter})" if names.get(letter, "").endswith(f"({letter})") else said


def _each(ability: Ability, names: Names) -> str:
    match ability.each:
        case lines.EachAttack(name, on):
            whom = f"each Attack on {hero(on, names)}"
        case lines.EachHero(name, among):
            whom = hero(among, names)
        case None:
            return ""
    return f", for {_labelled(whom, Name(name), names)}"


def _what_is_done(one: lines.Does, names: Names) -> str:
    said = effect(one.effect, names)
    return f"{said}, if {true(one.test, names)}" if one.test else said


def _lasting(ability: Ability, one: Effect) -> str:
    match one:
        case lines.Deal(rounds=int(rounds)):
            return f"the next {'round' if rounds == 1 else f'{rounds} rounds'}, not this one"
        case lines.OnDefence(next_round=True) | lines.Forbid(next_round=True) | lines.Require(next_round=True):
            return "the next round, not this one"
        case lines.OnAttack() | lines.OnDefence() | lines.Shield() | lines.PassDefence() | lines.Forbid():
            return "this round" if ability.costs else ""
    return ""
