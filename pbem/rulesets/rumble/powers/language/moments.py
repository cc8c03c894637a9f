"""What is done at which moment of a game, as it is read back; all else of an ability is named, with the reason."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem.rulesets.rumble.powers.language import lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Expression, Join, Name, Number, is_variable
from pbem.rulesets.rumble.powers.language.lines import Ability, Effect


class Hindrance(NamedTuple):
    """Why a line is not done as it is read back; the word that it begins with, and what stands behind it."""

    because: str
    key: str
    part: Any


_SHARES = (lines.Gain, lines.Lose)


def at_its_moment(ability: Ability) -> Iterator[Hindrance]:
    """Yield what is not done, at the moment of an ability, as it is read back."""
    yield from _MOMENTS[type(ability.event)](ability)


def _starting(ability: Ability) -> Iterator[Hindrance]:
    """What is done at the start of a round."""
    yield from _none(ability, "cost", "choose", "optional", "each")
    yield from _only(ability, lambda e: isinstance(e, lines.Gain), "at the start of a round")


def _after_damage(ability: Ability) -> Iterator[Hindrance]:
    """What is done when all damage is dealt."""
    yield from _none(ability, "cost", "choose", "optional", "each")
    yield from _only(ability, lambda e: isinstance(e, (*_SHARES, lines.Deal)) and not _lasts(e), "after damage")
    if ability.does and all(isinstance(one, _SHARES) for one in ability.effects):
        because = "Gains and losses count together with the damage of the round in any case (A8)."
        yield Hindrance(because, "when", ability.when)


def _none(ability: Ability, *keys: str) -> Iterator[Hindrance]:
    """Refuse lines that begin with these words."""
    for key, part in ability.rows():
        if key in keys:
            yield Hindrance("There is no such line so far in an ability of this kind.", key, part)


def _only(ability: Ability, fits: Callable[[Effect], bool], moment: str) -> Iterator[Hindrance]:
    """Refuse effects that are not of those that are done at a moment."""
    for one in ability.does:
        if not fits(one.effect):
            yield Hindrance(f"So far that is not done {moment}.", "do", one)


def _untested(ability: Ability) -> Iterator[Hindrance]:
    yield from (Hindrance("So far that is done without a test.", "if", test) for test in ability.tests)
    yield from (Hindrance("So far that is done without a test.", "do", one) for one in ability.does if one.test)


def _lasts(effect: Effect) -> bool:
    rider = isinstance(effect, lines.OnAttack) and effect.unblockable
    next_round = isinstance(effect, lines.OnDefence) and effect.next_round
    return rider or next_round or (isinstance(effect, lines.Deal) and effect.rounds is not None)


def _is_ahead(effect: Effect) -> bool:
    """Say whether an effect is one that waits for the next round."""
    match effect:
        case lines.Forbid(next_round=later) | lines.Require(next_round=later):
            return later
        case lines.Eliminate(at_the_end_of_next_round=later):
            return later
    return False


_WITH_BLOWS = (
    lines.OnAttack, lines.OnDefence, lines.Deal, lines.Shield, lines.PassDefence, lines.IgnoreAttack, *_SHARES,
)  # fmt: skip


def _holding(ability: Ability) -> Iterator[Hindrance]:
    """What always holds, or comes of a use."""
    effects = ability.effects
    if ability.optional:
        whose = [(choice.what, choice.on, choice.test) for choice in ability.choices]
        plain = not ability.each and whose == [("attack", Name("me"), None)]
        if not plain or effects != [lines.IgnoreAttack(attack=Name(ability.choices[0].name))]:
            because = "What is done by choice for nothing is so far: choose: A = attack on me, optional, do: ignore A."
            yield Hindrance(because, "optional", True)
        return
    if any(isinstance(e, lines.Later) for e in effects):
        yield from _none(ability, "cost", "choose", "each", "if")
        yield from _only(ability, lambda e: isinstance(e, lines.Later), "where Energy is allocated later")
        yield from _untested(ability)
    elif any(isinstance(e, lines.Retarget | lines.Move) for e in effects):
        yield from _turning(ability)
    elif any(isinstance(e, lines.Discount | lines.Endure) for e in effects):
        yield from _none(ability, "cost", "choose", "each", "if")
        yield from _untested(ability)
        yield from _only(ability, _always, "in the same ability")
    else:
        ahead = not ability.at_reveal
        moment = "in a use" if ability.costs else "all the time"
        yield from _only(
            ability, lambda e: (isinstance(e, _WITH_BLOWS) and not _lasts(e)) or (ahead and _is_ahead(e)), moment
        )
        yield from _choosing(ability)


def _always(effect: Effect) -> bool:
    match effect:
        case lines.Discount(who, amount):
            return who == Name("me") and isinstance(amount, Number)
        case lines.Endure(who):
            return who == Name("me")
    return False


def _turning(ability: Ability) -> Iterator[Hindrance]:
    """What is done at the reveal itself, and nothing else beside it."""
    yield from _none(ability, "if", "each")
    yield from _untested(ability)
    if not ability.costs or not ability.at_reveal:
        yield Hindrance("That is done at the reveal, for a cost.", "do", ability.does[0])
    if len(ability.does) > 1:
        yield Hindrance("So far that is done alone.", "do", ability.does[1])
    whose = [(choice.what, choice.on, choice.test) for choice in ability.choices]
    match ability.does[0].effect:
        case lines.Retarget(use, to):
            named = [Name(choice.name) for choice in ability.choices] == [use, to]
            if not named or whose != [("use", Name("me"), None), ("hero", None, None)]:
                because = "So far a use on oneself is turned on any hero: choose: U = use on me, choose: T = hero."
                yield Hindrance(because, "do", ability.does[0])
        case _:
            yield from _none(ability, "choose")


def _answering(ability: Ability) -> Iterator[Hindrance]:
    """What comes of damage: with instead it changes it, with when it may reach into later rounds."""
    yield from _none(ability, "each")
    if ability.instead and ability.optional:
        yield from _sparing(ability)
    elif ability.instead:
        known = (lines.OnDamage, lines.Deal, *_SHARES)
        yield from _only(ability, lambda e: isinstance(e, known) and not _lasts(e), "instead of damage")
        changes = [one for one in ability.does if isinstance(one.effect, lines.OnDamage)]
        if len(changes) != 1:
            because = "Something is done with the damage that is looked at, and once."
            yield Hindrance(because, "do", changes[1]) if changes else Hindrance(because, "instead", ability.instead)
        yield from _choosing(ability) if ability.costs else _naming(ability, "hero", "opponent")
    else:
        yield from _none(ability, "cost")
        yield from _only(ability, _follows, "when damage has come")
        willing = [choice.what for choice in ability.choices] == ["power"]
        if ability.optional and not willing:
            yield Hindrance("So far one names a power by choice, as in choose: P = power of H.", "optional", True)
        yield from _naming(ability, "hero", "opponent", "power")


def _follows(effect: Effect) -> bool:
    next_round = isinstance(effect, lines.OnDefence) and effect.next_round
    return next_round or isinstance(effect, lines.Deal | lines.Discard | lines.Gain | lines.Lose)


def _sparing(ability: Ability) -> Iterator[Hindrance]:
    """Damage that its owner prevents by choice, at a price of its own."""
    effects = ability.effects
    costs = (lines.OnDamage, lines.Lose, lines.Discard)
    mine = isinstance(ability.instead, lines.Damage) and ability.instead.to == Name("me")
    goes = all(isinstance(e, costs) and getattr(e, "power", Name("this")) == Name("this") for e in effects)
    bare = not (ability.choices or ability.costs or ability.nth or any(one.test for one in ability.does))
    if not (mine and goes and bare and effects[-1] == lines.OnDamage(sign="=", amount=Number(0))):
        because = "By choice only damage to oneself is prevented so far, all of it, for a loss or for this power."
        yield Hindrance(because, "optional", True)


def _naming(ability: Ability, *kinds: str) -> Iterator[Hindrance]:
    """What is named for nothing is found by one name of the order, or by the rules."""
    for place, choice in enumerate(ability.choices):
        if place or choice.what not in kinds:
            yield Hindrance(f"So far one thing is named here: {', '.join(kinds)}.", "choose", choice)


def _choosing(ability: Ability) -> Iterator[Hindrance]:
    """An owner names all in the order to use it: at most two, each by what is known then."""
    before: set[str] = set()
    for place, choice in enumerate(ability.choices):
        parts = [part for part in (choice.of, choice.test) if part is not None]
        late = {word for part in parts for word in sense.words_in(part)} - before - _KNOWN_EARLY
        before.add(choice.name)
        if choice.what not in ("hero", "opponent", "power"):
            yield Hindrance("So far an order names heroes and powers.", "choose", choice)
        elif not ability.costs or place > 1:
            because = (
                "So far an order names two at the most." if ability.costs else "Nothing is named without a cost here."
            )
            yield Hindrance(because, "choose", choice)
        elif late:
            yield Hindrance(f"{min(late)} is not known when orders are read.", "choose", choice)


_KNOWN_EARLY = {"it", "me", "this", "opponents", "others", "all", "players", "strength", "has"}
"""What choices may be tested by when orders are read."""


def _saving(ability: Ability) -> Iterator[Hindrance]:
    """An ability saves its owner from a death and goes by it, perhaps striking others meanwhile."""
    event = ability.event
    yield from _none(ability, "cost", "choose", "optional", "each")
    yield from _untested(ability)
    if not isinstance(event, lines.Death) or event.who != Name("me"):
        yield Hindrance("So far only its owner's own death is answered.", "when" if ability.when else "instead", event)
    goes = lines.Discard(power=Name("this"))

    def fits(effect: Effect) -> bool:
        strikes = ability.when is not None and isinstance(effect, lines.Deal) and not _lasts(effect)
        back = isinstance(effect, lines.Revive) and isinstance(effect.amount, Number) and effect.amount.value > 0
        return strikes or back or effect == goes

    yield from _only(ability, fits, "at a death")
    effects = ability.effects
    if sum(isinstance(e, lines.Revive) for e in effects) != 1 or goes not in effects:
        because = "So far a death is answered once, by do: revive me 50 and do: discard this."
        yield Hindrance(because, "when" if ability.when else "instead", event)


def _struck(ability: Ability) -> Iterator[Hindrance]:
    """What comes of an Attack, before anything is ignored or blocked."""
    yield from _none(ability, "cost", "choose", "each")
    if not ability.optional:
        yield from _only(ability, lambda e: isinstance(e, _SHARES), "when there is an Attack")
        return
    event = ability.when
    assert isinstance(event, lines.Attacks)
    riding = [one for one in ability.effects if isinstance(one, lines.OnAttack) and one.unblockable]
    fits = all((e.source, e.on) == (event.by, event.to) and isinstance(e.amount, Number) for e in riding)
    given = [one for one in ability.effects if one == lines.Give(power=Name("this"), to=event.to)]
    bare = event.by == Name("me") and isinstance(event.to, Name) and not event.least
    tested = ability.tests or any(one.test for one in ability.does)
    if not (bare and fits and not tested and len(riding) == len(given) == 1 and len(ability.does) == 2):
        because = (
            "By choice an Attack so far takes unblockable points along, and this power with them: "
            "do: attack(me, H) += 20 unblockable and do: give this to H"
        )
        yield Hindrance(because, "optional", True)


def _ending(ability: Ability) -> Iterator[Hindrance]:
    """What is done at the end of a round: gains and losses, then what changes hands, then who wins."""
    assert isinstance(ability.when, lines.RoundEnd)
    if ability.when.after_wins:
        out = (lines.Eliminate(who=Name("me")), lines.Discard(power=Name("this")))
        yield from _none(ability, "cost", "choose", "optional", "each")
        yield from _only(ability, lambda e: e in out, "after it is seen who wins")
        return
    yield from _none(ability, "optional")
    yield from _choosing(ability)
    yield from _only(ability, lambda e: _is_at_end(e, ability), "at the end of a round")
    shares = [one for one in ability.does if isinstance(one.effect, _SHARES)]
    moves = [one for one in ability.does if isinstance(one.effect, lines.Give | lines.Swap)]
    went: list[Expression] = []
    for one in ability.does:
        if isinstance(one.effect, lines.Give | lines.Discard):
            if one.effect.power in went and one.test is None:
                yield Hindrance("That power has gone elsewhere already.", "do", one)
            went += [one.effect.power] if one.test is None else []
    if ability.each and moves:
        yield Hindrance("That is done once, and not for each of several.", "do", moves[0])
    if shares and len(shares) < len(ability.does):
        because = "Gains and losses come first, all else later, when it may be otherwise. Part them into two abilities."
        guards: list[tuple[str, Any, Expression | None]] = [("if", test, test) for test in ability.tests]
        guards += [("do", one, one.test) for one in ability.does]
        guards += [("each", ability.each, ability.each.among)] if isinstance(ability.each, lines.EachHero) else []
        for key, part, guard in guards:
            if guard and not {word for word in sense.words_in(guard) if not is_variable(word)} <= _STEADY:
                yield Hindrance(because, key, part)


_STEADY = {
    "X", "round", "spent", "uses", "allocated_attack", "allocated_defence", "attacked", "strength", "this", "me", "any",
    "game", "this_round", "last_round",
}  # fmt: skip
"""What is the same through all steps of the end of a round."""


def _is_at_end(effect: Effect, ability: Ability) -> bool:
    """Say whether an effect is one that is done at the end of a round."""
    match effect:
        case lines.Give(Name("this"), Name("me")):
            return False
        case lines.Discard(power) | lines.Give(power):
            return power == Name("this") or any(c.what == "power" and power == Name(c.name) for c in ability.choices)
        case lines.Swap(one):
            return one == Name("me") != effect.other and bool(ability.costs)
    return isinstance(effect, (*_SHARES, lines.Win))


def _won(ability: Ability) -> Iterator[Hindrance]:
    """What a power does when it is won, in the very shapes that the auction carries out."""
    yield from _none(ability, "cost", "each", "if")
    yield from _untested(ability)
    if not _is_sold_so(ability):
        because = (
            "When a power is won it so far gains or loses Energy; or is given to an opponent that is chosen; or "
            "changes a number in another power of its winner; or is discarded for one from the deck; or is a sidekick."
        )
        yield Hindrance(because, "when", ability.when)


def _is_sold_so(ability: Ability) -> bool:
    named = bool(ability.choices or ability.optional)
    match ability.effects:
        case [lines.Give(Name("this"), Name(to))]:
            return ability.choices == (lines.Choose(to, "opponent"),) and not ability.optional
        case [lines.Edit(Name(power))]:
            other = Join("!=", Name("it"), Name("this"))
            return ability.choices == (lines.Choose(power, "power", Name("me"), None, other),) and ability.optional
        case [lines.Discard(Name("this")), lines.Draw()]:
            return not named
        case [lines.Sidekick(Number(energy))]:
            return energy > 0 and not named
        case effects:
            return bool(effects) and all(isinstance(e, _SHARES) for e in effects) and not named


_MOMENTS: Mapping[type, Callable[[Ability], Iterator[Hindrance]]] = {
    type(None): _holding,
    lines.Damage: _answering,
    lines.Death: _saving,
    lines.Attacks: _struck,
    lines.RoundStart: _starting,
    lines.RoundEnd: _ending,
    lines.AfterDamage: _after_damage,
    lines.Won: _won,
}
