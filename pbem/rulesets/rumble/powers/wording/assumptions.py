"""The defaults that apply to an ability and that its text may not have meant, each with its rule; changes nothing."""

from collections.abc import Iterator, Mapping

from pbem.rulesets.rumble.powers.language import hindrances, lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Join, Name, Number
from pbem.rulesets.rumble.powers.language.lines import Ability

_ALLOCATED = {"allocated_attack", "allocated_defence", "spent"}
_VALUES = {"attack", "defence", "rank"}


def assumed(ability: Ability, house: Mapping[str, str]) -> list[str]:
    """Say which defaults were applied, a sentence each, with the key of its rule behind it."""
    found = [*_of_use(ability), *_of_moment(ability), *_of_effects(ability, house), *_of_words(ability, house)]
    return list(dict.fromkeys(f"{text} [{rule}]" for text, rule in found))


def _of_use(ability: Ability) -> Iterator[tuple[str, str]]:
    if ability.ask and not any(hindrances.of_ability(ability)):
        yield "your captions stand in your orders; unless they name somebody they go to damage that you deal", "C31"
        yield "the largest damage gets the first of them, and each is shouted once in the game", "C31"
        yield "the answer is yes unless the moderator says no", "C31"
    if not ability.costs:
        return
    if not any(isinstance(price, lines.Activate | lines.Exhaust) for price in ability.costs):
        yield "it can be used as often as you can pay", "R13"
    if ability.takes_x:
        yield "X is what this use spends, 1 or more", "A29"
    if any(isinstance(price, lines.Burn) for price in ability.costs):
        yield "what is burnt is gone at the reveal, before the blows", "A11"


def _of_moment(ability: Ability) -> Iterator[tuple[str, str]]:
    match ability.event:
        case lines.Damage(_, by):
            yield "damage is what got through, each Attack and each use of a power by itself", "C17"
            if ability.nth and not ability.nth.per:
                first = "largest" if by == Name("me") else "smallest"
                then = "" if first == "largest" else ", the largest as the second"
                yield f"of several at the same time the {first} counts as the first{then}", "C17"
        case lines.Attacks():
            yield "an Attack counts by its value as powers changed it, before Defence", "C18"
            if ability.nth and not ability.nth.per:
                yield "of several Attacks those of the first seat count first", "C17"
        case lines.RoundEnd():
            yield "all gains and losses of the end of a round come together, before it is seen who is out", "C14"
        case lines.Death():
            yield "each saving works once, and not at the auction", "A26, B5"
    for what in () if ability.costs else [choice.what for choice in ability.choices]:
        if what in ("hero", "opponent"):
            yield f"if you name nobody, the {what} is drawn by lot", "C23"
        if what == "power":
            yield "if you name none, the strongest that may be named is taken", "C23"


def _of_effects(ability: Ability, house: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for effect in ability.effects:
        match effect:
            case lines.Deal(unblockable=False) if house.get("power_damage_blockable") == "no":
                yield "this damage goes past Defence, as damage from powers does in this game", "A13"
            case lines.Deal(unblockable=False):
                yield "Defence can stop this damage, like an Attack", "A13"
            case lines.OnAttack(source, on, "+=" | "-=") if Name("any") in (source, on):
                yield "each of these Attacks is changed by as much, not all of them together", "A6"
            case lines.OnAttack(sign="*=") | lines.OnDefence(sign="*="):
                is_last = house.get("modifier_order") == "add_mul_set"
                yield f"what other powers add is added {'before' if is_last else 'after'} this", "A15"
            case lines.OnAttack(sign="=") | lines.OnDefence(sign="="):
                yield "it is set last, so that what other powers add to it is gone", "A15"
            case lines.OnDamage():
                yield "damage is first multiplied, then added to or taken from, then set or prevented", "C22"
            case lines.Win():
                yield "whoever wins so must still be in at the end of the round; several share", "A31"


def _of_words(ability: Ability, house: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    words = sense.words(ability)
    if "energy" in words and (when := _energy_then(ability)):
        yield when
    if words & _VALUES:
        yield "an Attack or a Defence is looked at as powers have changed it", "C18, A35"
    if words & _ALLOCATED:
        yield "what was put in or spent is looked at as it was allocated", "C18"
    if _halves(ability) and not words & {"floor", "ceil"}:
        yield f"halves are rounded {'up' if house.get('round') == 'up' else 'down'}, once", "A2"


def _energy_then(ability: Ability) -> tuple[str, str] | None:
    """Say which Energy of a round is looked at, where there is more than one."""
    shares = any(isinstance(one, lines.Gain | lines.Lose) for one in ability.effects)
    match ability.event:
        case None | lines.Damage() | lines.Attacks():
            return "Energy is looked at as it is before the blows, what was burnt or drained taken off", "A11"
        case lines.RoundEnd() if shares:
            return "Energy is looked at as the blows have left it", "C14"
        case lines.RoundEnd():
            return "Energy is looked at after all gains and losses of the round", "C14"
    return None


def _halves(ability: Ability) -> bool:
    parts = sense.parts(ability)
    return any(isinstance(part, Join) and part.sign == "/" and part.right != Number(1) for part in parts)
