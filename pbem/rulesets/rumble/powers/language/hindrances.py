"""What keeps an ability from being done exactly as it is read back: which line, and why; carries nothing out."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from pbem.rulesets.rumble.powers.language import forms, lines, moments, sense
from pbem.rulesets.rumble.powers.language.expressions import Call, Expression, Join, Name, Number, is_variable
from pbem.rulesets.rumble.powers.language.lines import Ability, Effect, Effects
from pbem.rulesets.rumble.powers.language.moments import Hindrance


def of_ability(ability: Ability) -> Iterator[Hindrance]:
    """Yield what keeps an ability from being done as it is read back, whatever other abilities its power has."""
    if ability.ask:
        yield from _asking(ability)
        return
    yield from _prices(ability)
    yield from _at_reveal(ability)
    yield from (Hindrance(wrong, "choose", one) for one in ability.choices if (wrong := _is_said_of(one)))
    yield from _names(ability)
    yield from _looks(ability)
    yield from _counts(ability)
    for place, one in enumerate(ability.does):
        if because := _is_plain(one.effect):
            yield Hindrance(because, "do", one)
        if one in ability.does[:place] and not _adds_up(one.effect):
            yield Hindrance("That is done already, and twice is as good as once.", "do", one)
    yield from moments.at_its_moment(ability)


def _asking(ability: Ability) -> Iterator[Hindrance]:
    """A question runs in one shape alone: of a caption that adds a number to damage."""
    bare = Ability(instead=ability.instead, optional=True, ask=ability.ask, does=ability.does)
    effects = [one.effect for one in ability.does if not one.test]
    adds = [e for e in effects if isinstance(e, lines.OnDamage) and e.sign == "+=" and isinstance(e.amount, Number)]
    plain = ability == bare and isinstance(ability.instead, lines.Damage) and len(adds) == len(ability.does) == 1
    if not plain or "caption" not in ability.ask.casefold():
        yield Hindrance(
            "The moderator is asked so far whether a caption counts, and nothing else. Such a power is written "
            'instead: damage, then optional, ask: "Is the caption a sound effect?" and do: damage += 5.',
            "ask",
            ability.ask,
        )


# Prices, and when they are paid.


def _prices(ability: Ability) -> Iterator[Hindrance]:
    named = [Name(choice.name) for choice in ability.choices if choice.what == "power"]
    for price in ability.costs:
        because = ""
        match price:
            case lines.Pay(power):
                mine = bool(ability.choices) and ability.choices[0].of == Name("me")
                if not mine or named[:1] != [power] or power != Name(ability.choices[0].name):
                    because = "So far a use takes a power of one's own that it names first: choose: P = power of me."
            case lines.Drain(amount):
                if not isinstance(amount, Number):
                    because = "So far only a number is drained, such as drain 10."
            case lines.Spend(amount) | lines.Burn(amount):
                strength = isinstance(amount, Call) and amount.word == "strength" and amount.of[0] in named
                if not (strength or isinstance(amount, Number) or amount == Name("X")):
                    because = "A price is known as orders are read: a number, X, or strength(P) of a power named."
        if because:
            yield Hindrance(because, "cost", price)
    limits = [one for one in ability.costs if isinstance(one, lines.Activate | lines.Exhaust)]
    for place, one in enumerate(limits):
        if any(_is_narrower(other, one, before=at < place) for at, other in enumerate(limits) if at != place):
            yield Hindrance("Another limit of these uses is as narrow, so that this one says nothing.", "cost", one)


def _is_narrower(other: lines.Price, one: lines.Price, *, before: bool) -> bool:
    """Say whether a limit of uses holds wherever another does; of two that are alike the first counts."""
    match other, one:
        case (lines.Exhaust(less), lines.Exhaust(times)) | (lines.Activate(less), lines.Activate(times)):
            return less < times or (less == times and before)
        case lines.Exhaust(less), lines.Activate(times):
            return less <= times
    return False


def _at_reveal(ability: Ability) -> Iterator[Hindrance]:
    if not ability.at_reveal:
        return
    paid = any(isinstance(price, lines.Spend | lines.Burn) for price in ability.costs)
    moves = any(isinstance(one, lines.Move) for one in ability.effects)
    if not ability.costs:
        yield Hindrance("So far only what has a cost is used at the reveal.", "at", True)
    elif ability.event:
        yield Hindrance("What is used at the reveal is done with the blows, and waits for nothing else.", "at", True)
    elif paid and not moves:
        yield Hindrance("When all orders lie open nothing is spent or burnt any more.", "at", True)
    elif not moves and not any(isinstance(one, lines.Retarget) for one in ability.effects):
        because = "What neither spends nor burns may be used at the reveal without this line, which adds nothing."
        yield Hindrance(because, "at", True)


# Choices: only a power is somebody's, and only an Attack or a use is on somebody.


def _is_said_of(choice: lines.Choose) -> str:
    """Return what `of` or `on` cannot say of a choice, or ""."""
    if choice.of and choice.what != "power":
        return f"of says whose power is named, and nothing of {_A[choice.what]}."
    if choice.on and choice.what not in ("attack", "use"):
        return f"on says on whom an Attack or a use is, and nothing of {_A[choice.what]}."
    return ""


_A = {"hero": "a hero", "opponent": "an opponent", "power": "a power", "attack": "an Attack", "use": "a use"}


# Names: each stands for one thing, and is known where it is used.


def _names(ability: Ability) -> Iterator[Hindrance]:
    event = ability.event
    given: set[str] = set()
    for choice in ability.choices:
        if choice.name in given:
            yield Hindrance(f"{choice.name} stands for something already. Take another letter.", "choose", choice)
        given.add(choice.name)
        later = {choice.name, ability.each.name if ability.each else ""}
        if late := later & _words(choice):
            yield Hindrance(f"Who {min(late)} is is not known yet where this is looked at.", "choose", choice)
    if ability.nth and not ability.costs and (late := _words(ability.nth.per) & given):
        yield Hindrance(f"Who {min(late)} is is chosen only when it has been counted.", "nth", ability.nth)
    if ability.each and ability.each.name in {
        word for of in sense.expressions_in(ability.each) for word in sense.words_in(of)
    }:
        because = f"Who {ability.each.name} is is not known yet where this is looked at."
        yield Hindrance(because, "each", ability.each)
    if ability.each and ability.each.name in given:
        yield Hindrance(f"{ability.each.name} stands for something already. Take another letter.", "each", ability.each)
    if (
        ability.each
        and not any(map(_adds_up, ability.effects))
        and ability.each.name not in {word for key, part in ability.rows() if key != "each" for word in _words(part)}
    ):
        because = f"Nothing is said of {ability.each.name}, and once is as good as several times."
        yield Hindrance(because, "each", ability.each)
    if event is None:
        return
    used = given | {word for _, part in ability.rows() if part is not event for word in _words(part)}
    because = _of_event(event, given, used)
    if because:
        yield Hindrance(because, "when" if ability.when else "instead", event)


def _adds_up(effect: Effect) -> bool:
    """Say whether an effect is more when it is done several times."""
    match effect:
        case lines.OnAttack(sign="=") | lines.OnDefence(sign="=") | lines.OnDamage(sign="="):
            return False
        case lines.Shield(amount=amount):
            return amount is not None
    kinds = lines.OnAttack | lines.OnDefence | lines.OnDamage | lines.Deal | lines.Gain | lines.Lose | lines.Discount
    return isinstance(effect, kinds)


def _of_event(event: lines.Event, chosen: Collection[str], used: Collection[str]) -> str:
    """
    Say what is wrong with the names in what happens: they are found out one after the other, by before to.

    Shape: `used` are `chosen` names, and the words of the other lines.
    """
    bound = set(sense.known(Ability(when=event))) - set(chosen)
    for blank, value in forms.blanks(event):
        if not isinstance(value, Expression):
            continue
        inner = value.left if isinstance(value, Join) and value.sign == "in" else value
        mine = inner.word if blank.what == "party" and isinstance(inner, Name) and is_variable(inner.word) else ""
        if mine in chosen and value != inner:
            return f"{mine} stands for something already. Take another letter."
        late = (_words(value.right) if value != inner and isinstance(value, Join) else _words(value) - {mine}) & bound
        if blank.what == "party" and blank.field == "to":
            late -= _words(getattr(event, "by", None))
        if late:
            return f"Who {min(late)} is is not known yet where this is looked at."
    by, to = getattr(event, "by", None), getattr(event, "to", None)
    if isinstance(event, lines.Damage) and by == Name("any"):
        return "Damage may come from nobody, who is not anybody."
    if isinstance(event, lines.Damage) and isinstance(to, Name) and is_variable(to.word) and to.word not in used:
        return f"{to.word} is whoever takes it, and nothing is said of {to.word}."
    return ""


def _words(part: Any) -> set[str]:
    return {word for of in sense.expressions_in(part) for word in sense.words_in(of)}


# Quantities: each is what it is read back as, or the line does not run.

_BLOWS = {"lost", "dealt"}
_VALUES = {"attack", "defence", "rank"}
_DONE = {
    "allocated_attack", "allocated_defence", "lost", "dealt", "spent", "uses", "attacked", "attackers", "targets",
}  # fmt: skip
_SPANS = {
    "attacked": ("this_round", "last_round"),
    "attackers": ("this_round", "last_round"),
    "spent": ("game",),
    "lost": ("this_round",),
    "dealt": ("this_round",),
}
"""How far back what happened is remembered."""


def _looks(ability: Ability) -> Iterator[Hindrance]:
    for key, part in ability.rows():
        found = [one for of in sense.expressions_in(part) for one in sense.inside(of)]
        words = {one.word for one in found if isinstance(one, Name | Call)}
        because = _not_known(ability, words) or _not_remembered(found) or _not_shared(ability, words)
        if because:
            yield Hindrance(because, key, part)
    ends = isinstance(ability.when, lines.RoundStart | lines.RoundEnd)
    if ends and isinstance(ability.each, lines.EachAttack):
        yield Hindrance("Attacks are looked at with the blows, and not then.", "each", ability.each)


def _not_known(ability: Ability, words: Collection[str]) -> str:
    """Say which quantity is not known, or not yet what its word says, when an ability looks at it; "" if all are."""
    if "bids" in words and not isinstance(ability.when, lines.Won):
        return "The bids are looked at when a power is won, and not later."
    match ability.event:
        case None:
            unknown, because = _BLOWS, "is not known before the blows are over."
        case lines.RoundEnd():
            unknown, because = _VALUES, "is looked at with the blows, and not at the end of the round."
        case lines.RoundStart() | lines.Won():
            unknown, because = _VALUES | _DONE, "is not known before anybody has ordered anything."
        case lines.Damage() if ability.instead:
            unknown, because = _BLOWS, "is not known before the blows are over."
        case lines.Attacks():
            unknown, because = _BLOWS, "is not known before the blows are over."
        case _ if "energy" in words:
            return "Energy is still what it was before the blows here, since all damage is taken off together."
        case _:
            unknown, because = _BLOWS, "is not known before the blows are over."
    late = sorted(unknown & set(words))
    return f"{late[0]} {because}" if late else ""


def _not_remembered(found: Iterable[Expression]) -> str:
    for call in found:
        if isinstance(call, Call) and call.word in _SPANS:
            span = call.of[-1]
            if not isinstance(span, Name) or span.word not in _SPANS[call.word]:
                return f"So far {call.word} is remembered for {' or '.join(_SPANS[call.word])} alone."
    return ""


def _not_shared(ability: Ability, words: Collection[str]) -> str:
    among = ability.each.among if isinstance(ability.each, lines.EachHero) else None
    shared = isinstance(among, Call) and among.word in ("most", "least")
    return "ties counts those of each: H in most(...) or least(...)." if "ties" in words and not shared else ""


# What is counted: nth counts each time that it happens, whatever a test says then.


def _counts(ability: Ability) -> Iterator[Hindrance]:
    nth, event = ability.nth, ability.event
    if nth is None:
        return
    counted = isinstance(event, lines.Damage) or (isinstance(event, lines.Attacks) and not ability.optional)
    because = ""
    if not counted:
        because = "So far only damage and Attacks are counted."
    elif ability.costs and (nth.span == "game" or lines.Activate(times=1) not in ability.costs):
        because = "Each use counts for itself, so there is to be one in a round. Add activate 1, and say each round."
    elif nth.span == "game" and nth.per:
        because = "Over a game it is counted for all together."
    if because:
        yield Hindrance(because, "nth", nth)
    if isinstance(event, lines.Attacks) and nth.per and Name("me") in (event.by, event.to) and nth.span == "round":
        yield Hindrance("One hero makes one Attack on another in a round (A4), so that it is the first.", "nth", nth)
    if nth.place == 1 and any(one == lines.Does(lines.Discard(power=Name("this"))) for one in ability.does):
        yield Hindrance("The power goes the first time, so that there is no second.", "nth", nth)
    guard = "nth counts before this is tested, so that a time for which it does not hold is used up."
    yield from (Hindrance(guard, "if", test) for test in ability.tests)
    if all(one.test for one in ability.does):
        yield from (Hindrance(guard, "do", one) for one in ability.does)


# Effects that are done as they read in some of their shapes alone.


def _is_plain(effect: Effect) -> str:
    """Return why an effect is not done as it reads, or ""."""
    if getattr(effect, "final", False) and getattr(effect, "sign", "=") != "=":
        return "Only what is set to a number is set last: what is added or multiplied is so in its place (A15)."
    match effect:
        case lines.PassDefence(_, by, on) | lines.OnAttack(by, on) | lines.Require(by, on) if by == on != Name("any"):
            return "Nobody attacks themselves (A3), so that there is no such Attack."
        case lines.PassDefence(of, _, on):
            return "" if of == on else "An Attack meets the Defence of whom it strikes. Name the same hero twice."
        case lines.OnAttack(source, on, "=", _, final):
            fits = final and Name("any") in (source, on)
            return "" if fits else "So far all Attacks of a hero are set, and last: attack(me, any) = 0 final."
        case lines.OnDefence(_, "=", _, final, next_round):
            fits = final and not next_round
            return "" if fits else "So far a Defence is set in this round, and last of all: defence(me) = 0 final."
        case lines.OnDamage(sign="*=", amount=amount):
            return "" if isinstance(amount, Number) else "So far damage is multiplied by a whole number."
        case lines.OnDefence(sign="*=", amount=amount, next_round=True):
            fits = isinstance(amount, Number)
            return "" if fits else "So far a Defence of the next round is multiplied by a whole number."
        case lines.OnAttack(sign="*=", amount=amount) | lines.OnDefence(sign="*=", amount=amount):
            return "" if _is_factor(amount) else "So far a value is multiplied by a number, or by a fraction of two."
    return ""


def _is_factor(amount: Expression) -> bool:
    """Say whether a number multiplies as it stands: a whole one, or a fraction of two."""
    match amount:
        case Join("/", Number(), Number(below)):
            return below > 0
    return isinstance(amount, Number)


# What abilities of one power keep each other from.


def together(found: Effects) -> Iterator[tuple[int, Hindrance]]:
    """Yield what keeps abilities of a power from being done as they read beside its others, each with its place."""
    used = [(place, ability) for place, ability in enumerate(found) if is_used(ability)]
    for place, ability in used[1:]:
        because = "A power has one ability that is used, or taken up by choice, and this is a second."
        yield place, Hindrance(because, *_mark(ability))
    games = [(place, ability.nth) for place, ability in enumerate(found) if ability.nth and ability.nth.span == "game"]
    for place, nth in games[1:]:
        because = "What counts over a game is counted for the whole power, which has such a line already."
        yield place, Hindrance(because, "nth", nth)
    ending = [
        (place, one) for place, ability in enumerate(found) if ability.when == lines.RoundEnd() for one in ability.does
    ]
    if any(isinstance(one.effect, lines.Discard | lines.Give | lines.Swap) for _, one in ending):
        for place, one in ending:
            if isinstance(one.effect, lines.Win):
                because = "Powers go and change hands before it is seen who wins, so this one might be gone by then."
                yield place, Hindrance(because, "do", one)


def _mark(ability: Ability) -> tuple[str, object]:
    """Return the line that makes an ability one that is used."""
    if ability.costs:
        return "cost", ability.costs[0]
    return ("choose", ability.choices[0]) if ability.choices else ("optional", True)


def is_used(ability: Ability) -> bool:
    """Say whether an ability is one that its owner takes up, by an order or by what the rules say for silence."""
    return bool(ability.costs or ability.choices or ability.optional) and not isinstance(ability.when, lines.Won)
