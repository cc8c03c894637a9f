"""Whether the lines of an ability make sense together: kinds, names, and what may stand with what."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from pbem.ruleset import phrases
from pbem.rulesets.rumble.powers.language import forms, lines, nouns
from pbem.rulesets.rumble.powers.language.expressions import Call, Expression, Join, Name, Not, Where, is_variable
from pbem.rulesets.rumble.powers.language.forms import Formed
from pbem.rulesets.rumble.powers.language.lines import Ability, Does
from pbem.rulesets.rumble.powers.language.nouns import Kind, Known

_CHOSEN: dict[str, Kind] = {"hero": "hero", "opponent": "hero", "power": "power", "attack": "attack", "use": "use"}


def known(ability: Ability) -> Known:
    """Return the names that an ability gives to something, each with its kind."""
    found: dict[str, Kind] = {choice.name: _CHOSEN[choice.what] for choice in ability.choices}
    if ability.each:
        found[ability.each.name] = "attack" if isinstance(ability.each, lines.EachAttack) else "hero"
    for party in parties(ability):
        inner = party.left if isinstance(party, Join) and party.sign == "in" else party
        if isinstance(inner, Name) and is_variable(inner.word):
            found.setdefault(inner.word, "hero")
    return found


def parties(ability: Ability) -> list[Expression]:
    """Return who takes part in what an ability waits for."""
    event = ability.event
    return [value for blank, value in forms.blanks(event) if blank.what == "party"] if event else []


def wrong_part(ability: Ability, part: Any) -> str:
    """Return "" where a line fits its ability, else what is wrong with it."""
    names = known(ability)
    if isinstance(part, tuple):
        return next((wrong for price in part if (wrong := _wrong_blanks(price, names))), "")
    if isinstance(part, Does):
        wrong = _wrong_blanks(part.effect, names) or _misplaced(ability, part.effect)
        return wrong or (nouns.check(part.test, "test", names) if part.test else "")
    if isinstance(part, lines.Choose):
        return _wrong_choice(part, names)
    if isinstance(part, Formed):
        return _wrong_blanks(part, names)
    return nouns.check(part, "test", names) if isinstance(part, Expression) else ""


def _wrong_blanks(part: Formed, names: Known) -> str:
    for blank, value in forms.blanks(part):
        kind = forms.kind_of(blank)
        if kind and (wrong := nouns.check(value, kind, names)):
            return wrong
        if blank.what == "party" and (wrong := _wrong_party(value, names)):
            return wrong
    return ""


def _wrong_party(party: Expression, names: Known) -> str:
    if isinstance(party, Join) and party.sign == "in":
        return nouns.check(party.right, "heroes", names)
    return "" if party == Name("any") else nouns.check(party, "heroes", names)


def _wrong_choice(choice: lines.Choose, names: Known) -> str:
    if wrong := _wrong_blanks(_bare(choice), names):
        return wrong
    if choice.what == "power" and choice.of is None:
        return f"Say whose power: choose: {choice.name} = power of me"
    if choice.what in ("attack", "use") and choice.on is None:
        return f"Say on whom: choose: {choice.name} = {choice.what} on me"
    if choice.test is None:
        return ""
    return nouns.check(choice.test, "test", {**names, "it": _CHOSEN[choice.what]})


def _bare(choice: lines.Choose) -> lines.Choose:
    return msgspec.structs.replace(choice, test=None)


def _misplaced(ability: Ability, effect: lines.Effect) -> str:
    """Say where an effect would have its place, if it has none in this ability."""
    event = ability.instead or ability.when
    match effect:
        case lines.OnDamage() if not isinstance(ability.instead, lines.Damage):
            return "Damage can be changed under instead: damage to HEROES, nowhere else."
        case lines.Revive() if not isinstance(event, lines.Death):
            return "Somebody is revived under when: death of HEROES, or instead: death of HEROES."
        case lines.Retarget() | lines.Move() if not ability.at_reveal:
            return "That is done at the reveal, for a cost."
        case lines.Draw() | lines.Edit() | lines.Sidekick() if not isinstance(ability.when, lines.Won):
            return "That is done when the power is won."
        case lines.OnAttack(unblockable=True, sign=sign) if sign != "+=":
            return "Unblockable points are added: attack(me, H) += 20 unblockable"
    return ""


def wrong_whole(ability: Ability) -> str:
    """Return "" where the lines of an ability go together, else what is wrong."""
    said = words(ability)
    if not ability.does and not ability.costs:
        return "This ability does nothing. Add a line such as do: gain me 10"
    if ability.when and ability.instead:
        return "An ability has when or instead, not both. Leave a line blank between two abilities."
    if ability.nth and not ability.event:
        return "nth counts something that happens, such as when: damage to me"
    if ability.at_reveal and not ability.costs and not ability.optional:
        return "What is done at the reveal has a cost."
    if "X" in said and not ability.takes_x:
        return "X is what a use spends, as cost: spend X says."
    if said & {"amount", "source", "victim"} and not isinstance(ability.event, lines.Damage):
        return f"{phrases.listed(sorted(said & {'amount', 'source', 'victim'}))} is known of damage alone."
    return ""


def parts(ability: Ability) -> list[Expression]:
    """Return every expression of an ability, and all that stands in them."""
    return [part for of in expressions(ability) for part in inside(of)]


@lru_cache(maxsize=4096)
def words(ability: Ability) -> frozenset[str]:
    """Return every word that stands in an expression of an ability."""
    return frozenset(part.word for part in parts(ability) if isinstance(part, Name | Call))


def words_in(of: Expression) -> set[str]:
    """Return every word that stands in an expression."""
    return {part.word for part in inside(of) if isinstance(part, Name | Call)}


def expressions(ability: Ability) -> list[Expression]:
    """Return the expressions that stand in an ability, each as a whole."""
    return [of for _, part in ability.rows() for of in expressions_in(part)]


def expressions_in(part: Any) -> list[Expression]:
    """Return the expressions that stand in what a line says, each as a whole."""
    if isinstance(part, Does):
        return [*expressions_in(part.effect), *([part.test] if part.test else [])]
    if isinstance(part, Formed):
        return [value for _, value in forms.blanks(part) if isinstance(value, Expression)]
    return [part] if isinstance(part, Expression) else []


def inside(of: Expression) -> Iterator[Expression]:
    """Yield an expression and all that stands in it."""
    yield of
    match of:
        case Call(_, parts):
            inner: tuple[Expression, ...] = parts
        case Join(_, left, right) | Where(left, right):
            inner = (left, right)
        case Not(only):
            inner = (only,)
        case _:
            inner = ()
    for part in inner:
        yield from inside(part)
