"""Which formal lines run by themselves: those alone that are done exactly as they read; carries nothing out."""

from __future__ import annotations

from functools import lru_cache

from pbem.ruleset import Complaint
from pbem.rulesets.rumble.powers import lines, reading, sense
from pbem.rulesets.rumble.powers.expressions import Call, Expression, Join, Name, Number
from pbem.rulesets.rumble.powers.lines import Ability, Effects


@lru_cache(maxsize=4096)
def abilities(text: str) -> Effects:
    """Return the abilities of formal lines; of none, and of what cannot be read, none."""
    found = reading.read(text) if text else ()
    return () if any(isinstance(one, Complaint) for one in found) else found  # type: ignore[return-value]


@lru_cache(maxsize=4096)
def runs(text: str) -> bool:
    """
    Say whether formal lines run by themselves: each ability, in each of its lines.

    What does not is ruled by the moderator, the whole power, so that nobody has to know which half is whose.
    """
    found = abilities(text)
    used = [ability for ability in found if is_used(ability)]
    games = [ability for ability in found if ability.nth and ability.nth.span == "game"]
    return bool(found) and len(used) <= 1 and len(games) <= 1 and all(_runs(ability) for ability in found)


_SHARES = (lines.Gain, lines.Lose)


def _runs(ability: Ability) -> bool:
    """Say whether each line of an ability is of those that are run so far."""
    effects = [one.effect for one in ability.does]
    prices = all(_is_fixed(price, ability) for price in ability.costs)
    if ability.ask:
        return _captions(ability, effects)
    if not prices or not _remembered(ability) or not _known_then(ability):
        return False
    if not all(map(_is_plain, effects)) or (ability.nth and ability.nth.span == "game" and ability.nth.per):
        return False
    if ability.at_reveal and (ability.when or ability.instead or not ability.costs):
        return False
    match ability.instead or ability.when:
        case None:
            return _holds(ability, effects) and not ability.nth
        case lines.Damage():
            return _answers(ability, effects)
        case lines.Death(who):
            return who == Name("me") and _saves(ability, effects)
        case lines.Attacks():
            plain = not (ability.costs or ability.choices or ability.each)
            if ability.optional:
                return plain and not ability.tests and not ability.nth and _rides(ability, effects)
            return all(isinstance(e, _SHARES) for e in effects) and plain
        case lines.RoundEnd(True):
            ends = all(e in (lines.Eliminate(who=Name("me")), lines.Discard(power=Name("this"))) for e in effects)
            return ends and _alone(ability)
        case lines.RoundEnd():
            plain = _chosen(ability) and not ability.nth and not ability.optional
            return all(_is_at_end(e, ability) for e in effects) and plain
        case lines.Won():
            return _when_won(ability, effects)
        case lines.RoundStart() | lines.AfterDamage():
            known = (*_SHARES, lines.Deal) if isinstance(ability.when, lines.AfterDamage) else (lines.Gain,)
            return all(isinstance(e, known) and not _lasts(e) for e in effects) and _alone(ability)


def _captions(ability: Ability, effects: list[lines.Effect]) -> bool:
    """Say whether an ability is the one that asks the moderator: of a caption that adds a number to damage."""
    bare = Ability(instead=ability.instead, optional=True, ask=ability.ask, does=ability.does)
    adds = [e for e in effects if isinstance(e, lines.OnDamage) and e.sign == "+=" and isinstance(e.amount, Number)]
    plain = ability == bare and isinstance(ability.instead, lines.Damage) and not any(d.test for d in ability.does)
    return plain and len(adds) == len(effects) == 1 and "caption" in ability.ask.casefold()


def _saves(ability: Ability, effects: list[lines.Effect]) -> bool:
    """Say whether an ability saves its owner from a death and goes by it, perhaps striking others meanwhile."""
    revives = [e for e in effects if isinstance(e, lines.Revive) and isinstance(e.amount, Number) and e.amount.value]
    rest = [e for e in effects if e not in revives and e != lines.Discard(power=Name("this"))]
    strikes = all(isinstance(e, lines.Deal) and not _lasts(e) for e in rest) and (not rest or ability.when is not None)
    tested = ability.tests or any(one.test for one in ability.does)
    once = lines.Discard(power=Name("this")) in effects
    return len(revives) == 1 and strikes and once and not tested and _alone(ability)


def _rides(ability: Ability, effects: list[lines.Effect]) -> bool:
    """Say whether what an owner may add to an Attack rides on it, and goes with it at the price of the power itself."""
    event = ability.when
    assert isinstance(event, lines.Attacks)
    if event.by != Name("me") or not isinstance(event.to, Name) or event.least or any(d.test for d in ability.does):
        return False
    riding = [e for e in effects if isinstance(e, lines.OnAttack) and e.unblockable]
    fits = all((e.source, e.on) == (event.by, event.to) and isinstance(e.amount, Number) for e in riding)
    given = [e for e in effects if e == lines.Give(power=Name("this"), to=event.to)]
    return fits and len(riding) == len(given) == 1 and len(effects) == 2


def _is_at_end(effect: lines.Effect, ability: Ability) -> bool:
    """Say whether an effect is one that is done at the end of a round."""
    match effect:
        case lines.Discard(power) | lines.Give(power):
            return power == Name("this") or any(c.what == "power" and power == Name(c.name) for c in ability.choices)
        case lines.Swap(one):
            return one == Name("me") and bool(ability.costs)
    return isinstance(effect, (*_SHARES, lines.Win))


def _holds(ability: Ability, effects: list[lines.Effect]) -> bool:
    """Say whether what always holds, or comes of a use, is done as it reads."""
    if ability.optional:
        whose = [(choice.what, choice.on, choice.test) for choice in ability.choices]
        plain = not (ability.costs or ability.each) and whose == [("attack", Name("me"), None)]
        return plain and effects == [lines.IgnoreAttack(attack=Name(ability.choices[0].name))]
    if any(isinstance(e, lines.Later) for e in effects):
        return effects == [lines.Later()] and _alone(ability) and not ability.tests and not ability.does[0].test
    if any(isinstance(e, lines.Retarget | lines.Move) for e in effects):
        return _turns(ability, effects)
    if any(isinstance(e, lines.Discount | lines.Endure) for e in effects):
        mine = all(isinstance(e, lines.Discount | lines.Endure) and e.who == Name("me") for e in effects)
        fixed = all(isinstance(e.amount, Number) for e in effects if isinstance(e, lines.Discount))
        return mine and fixed and _alone(ability) and not ability.tests and not any(d.test for d in ability.does)
    known = (
        lines.OnAttack, lines.OnDefence, lines.Deal, lines.Shield, lines.PassDefence, lines.IgnoreAttack, *_SHARES,
    )  # fmt: skip
    fits = [(isinstance(e, known) and not _lasts(e)) or (_is_ahead(e) and not ability.at_reveal) for e in effects]
    return all(fits) and _chosen(ability)


def _turns(ability: Ability, effects: list[lines.Effect]) -> bool:
    """Say whether a use does at the reveal what is done there, and nothing else."""
    if not (ability.at_reveal and ability.costs) or ability.tests or ability.each or len(effects) != 1:
        return False
    whose = [(choice.what, choice.on, choice.test) for choice in ability.choices]
    match effects[0]:
        case lines.Retarget(use, to):
            named = [Name(choice.name) for choice in ability.choices] == [use, to]
            drawn = not any(isinstance(price, lines.Spend | lines.Burn) for price in ability.costs)
            return named and drawn and whose == [("use", Name("me"), None), ("hero", None, None)]
    return not whose


def _is_ahead(effect: lines.Effect) -> bool:
    """Say whether an effect is one that waits for the next round."""
    match effect:
        case lines.Forbid(next_round=True) | lines.Eliminate(at_the_end_of_next_round=True):
            return True
        case lines.Require(next_round=True):
            return True
    return False


def _answers(ability: Ability, effects: list[lines.Effect]) -> bool:
    """What comes of damage: with instead it may change it, with when it may reach into later rounds."""
    if ability.optional and not ability.choices:
        costs = (lines.OnDamage, lines.Lose, lines.Discard)
        mine = isinstance(ability.instead, lines.Damage) and ability.instead.to == Name("me")
        goes = all(isinstance(e, costs) and getattr(e, "power", Name("this")) == Name("this") for e in effects)
        bare = not (ability.costs or ability.each or ability.nth or any(one.test for one in ability.does))
        return mine and goes and bare and effects[-1] == lines.OnDamage(sign="=", amount=Number(0))
    if ability.instead:
        known = all(isinstance(e, (lines.OnDamage, lines.Deal, *_SHARES)) and not _lasts(e) for e in effects)
        named = _chosen(ability) if ability.costs else all(c.what in ("hero", "opponent") for c in ability.choices)
        changes = sum(isinstance(e, lines.OnDamage) for e in effects)
        return known and named and changes <= 1 and not ability.optional and not ability.each
    later = all(
        isinstance(e, (lines.Deal, lines.Discard, *_SHARES)) or (isinstance(e, lines.OnDefence) and e.next_round)
        for e in effects
    )
    willing = not ability.optional or [choice.what for choice in ability.choices] == ["power"]
    named = all(choice.what in ("hero", "opponent", "power") for choice in ability.choices)
    return later and willing and named and not ability.each and not ability.costs


def _when_won(ability: Ability, effects: list[lines.Effect]) -> bool:
    """What a power does when it is won, in the very shapes that the auction carries out."""
    if ability.costs or ability.nth or ability.each or ability.tests or any(one.test for one in ability.does):
        return False
    match effects:
        case [lines.Give(Name("this"), Name(to))]:
            return ability.choices == (lines.Choose(to, "opponent"),) and not ability.optional
        case [lines.Edit(Name(power))]:
            other = Join("!=", Name("it"), Name("this"))
            return ability.choices == (lines.Choose(power, "power", Name("me"), None, other),) and ability.optional
        case [lines.Discard(Name("this")), lines.Draw()]:
            return not ability.choices and not ability.optional
        case [lines.Sidekick(Number(energy))]:
            return energy > 0 and _alone(ability)
    return bool(effects) and all(isinstance(e, _SHARES) for e in effects) and _alone(ability)


def _chosen(ability: Ability) -> bool:
    """Say whether an owner names all in the order to use it: at most two, each by what is known then."""
    for place, choice in enumerate(ability.choices):
        if choice.what not in ("hero", "opponent", "power") or not is_known_early(ability, place):
            return False
    return len(ability.choices) <= 2 * bool(ability.costs)


def is_known_early(ability: Ability, place: int) -> bool:
    """Say whether what may be named in a place is known when orders are read."""
    before = {earlier.name for earlier in ability.choices[:place]}
    parts = [part for part in (ability.choices[place].of, ability.choices[place].test) if part is not None]
    return all(sense.words_in(part) <= before | _KNOWN_EARLY for part in parts)


_KNOWN_EARLY = {"it", "me", "this", "opponents", "others", "all", "players", "strength", "has"}
"""What choices may be tested by when orders are read."""


def _alone(ability: Ability) -> bool:
    return not (ability.costs or ability.choices or ability.nth or ability.optional or ability.each)


def _lasts(effect: lines.Effect) -> bool:
    rider = isinstance(effect, lines.OnAttack) and effect.unblockable
    next_round = isinstance(effect, lines.OnDefence) and effect.next_round
    return rider or next_round or (isinstance(effect, lines.Deal) and effect.rounds is not None)


def _is_fixed(price: lines.Price, ability: Ability) -> bool:
    """A price is known as the order is read: a number, X, the strength of a power that is named, or such a power."""
    named = [Name(choice.name) for choice in ability.choices if choice.what == "power"]
    match price:
        case lines.Pay(power):
            mine = ability.choices[0].of == Name("me") if ability.choices else False
            return named[:1] == [power] == [Name(ability.choices[0].name)] and mine if ability.choices else False
        case lines.Drain(amount):
            return isinstance(amount, Number)
        case lines.Spend(amount) | lines.Burn(amount):
            strength = isinstance(amount, Call) and amount.word == "strength" and amount.of[0] in named
            return strength or isinstance(amount, Number) or amount == Name("X")
    return True


def _is_plain(effect: lines.Effect) -> bool:
    """Say whether an effect is one of those of its form that are done as they read."""
    match effect:
        case lines.PassDefence(of, _, on):
            return of == on
        case lines.OnAttack(source, on, "=", _, final):
            return final and Name("any") in (source, on)
        case lines.OnDefence(_, "=", _, final, next_round):
            return final and not next_round
        case lines.OnDamage(sign="*=", amount=amount):
            return isinstance(amount, Number)
        case lines.OnAttack(sign="*=", amount=amount) | lines.OnDefence(sign="*=", amount=amount):
            return _is_factor(amount)
    return True


def _is_factor(amount: Expression) -> bool:
    """Say whether a number multiplies as it stands: a whole one, or a fraction of two."""
    match amount:
        case Join("/", Number(), Number(below)):
            return below > 0
    return isinstance(amount, Number)


_NOT_YET = {
    "held": {"lost", "dealt"},
    "end": {"attack", "defence", "rank"},
    "damage": {"lost", "dealt"},
    "start": {
        "attack", "defence", "rank", "allocated_attack", "allocated_defence", "lost", "dealt", "spent", "uses",
        "attacked", "attackers", "targets",
    },
}  # fmt: skip
"""Quantities that are not known, or not yet right, at a moment; what asks for them then does not run."""


def _known_then(ability: Ability) -> bool:
    match ability.instead or ability.when:
        case None:
            moment = "held"
        case lines.RoundEnd():
            moment = "end"
        case lines.RoundStart() | lines.Won():
            moment = "start"
        case _:
            moment = "damage"
    words = sense.words(ability)
    if "bids" in words and not isinstance(ability.when, lines.Won):
        return False
    tied = not ability.each or not isinstance(ability.each, lines.EachHero) or not isinstance(ability.each.among, Call)
    if "ties" in words and (tied or ability.each.among.word not in ("most", "least")):  # type: ignore[union-attr]
        return False
    attacks = isinstance(ability.each, lines.EachAttack) and moment == "end"
    return not (words & _NOT_YET[moment]) and not attacks


_SPANS = {
    "attacked": ("this_round", "last_round"),
    "attackers": ("this_round", "last_round"),
    "spent": ("game",),
    "lost": ("this_round",),
    "dealt": ("this_round",),
}
"""How far back what happened is remembered."""


def _remembered(ability: Ability) -> bool:
    calls = [call for call in sense.calls(ability) if call.word in _SPANS]
    return all(isinstance(call.of[-1], Name) and call.of[-1].word in _SPANS[call.word] for call in calls)


def is_used(ability: Ability) -> bool:
    """Say whether an ability is one that its owner takes up, by an order or by what the rules say for silence."""
    return bool(ability.costs or ability.choices or ability.optional) and not isinstance(ability.when, lines.Won)
