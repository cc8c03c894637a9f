"""What is shown of powers before a round closes: lines to fill in, what is left, what is owed; decides nothing."""

from collections.abc import Iterator

from pbem.ruleset import Facts
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.order import Use
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders.allocation import forbidden, owed
from pbem.rulesets.rumble.orders.writing import named
from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.engine.active_abilities import asks, does, used_ability
from pbem.rulesets.rumble.powers.engine.prices import discounted
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.expressions import Call, Join, Name, Number
from pbem.rulesets.rumble.powers.language.lines import Ability
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs

BLANK = "____"
ROOM = 54
"""The columns of a letter behind the mark of a line to fill in."""


def bound(state: State, seat: str) -> Facts:
    """Return the facts about Attacks that powers forbid a seat in this round, or demand of it. Rule: C28."""
    due = [{"on": state.names[on], "amount": n, "by": by} for on, (n, by) in owed(state, seat).items()]
    return {"forbidden": forbidden(state, seat), "owed": due}


def form_lines(state: State, seat: str) -> list[Facts]:
    """Return the lines that a seat can fill in to use its powers, each with what it takes now where there is room."""
    found: dict[str, Facts] = {}
    for power in state.owned(seat):
        takes = _takes(state, seat, power)
        for line in _forms(state, power):
            price = takes if _has_room(state, line, takes) else ""
            found[line] = {"line": line, "takes": price, "counted": line.endswith(f" x{BLANK}")}
    return list(found.values())


def _has_room(state: State, line: str, takes: str) -> bool:
    """Say whether what a use takes stands behind its line."""
    is_use = f" {genre_of(state.house).verb('use')} " in f" {line}"
    return is_use and len(f"{line}   # {takes}") <= ROOM


def is_ruled(power: Power) -> bool:
    """Say whether the moderator rules the uses of a power, since it does not run by itself."""
    return not runs(power.lines) and not _held_back(power)


def _forms(state: State, power: Power) -> list[str]:
    both = zip(_lines(state, power, named(state, power.key)), _lines(state, power, power.key), strict=True)
    return [line if len(line) <= ROOM else short for line, short in both]


def _lines(state: State, power: Power, name: str) -> list[str]:
    """Write the lines by which a power is used, under some name of it."""
    words = genre_of(state.house)
    if _held_back(power):
        return [f"{words.verb('hold')} {BLANK} for {name}", f"{words.verb('plan')} {name}: {BLANK}"]
    found = []
    ability = used_ability(power)
    if asks(power):
        found.append(f"captions: {BLANK}")
    elif does(power, lines.Retarget):
        found.append(f"if targeted by {BLANK}: {name} to {BLANK}")
    elif ability and _left(power, ability) != 0:
        use = f"{words.verb('use')} {name}{_blanks(ability)}"
        found.append(f"if would die: {use}" if _pays(ability) and does(power, lines.Shield) else use)
    if does(power, lines.Move):
        found.append(f"move {BLANK} attack to defence")
    if any(one.nth and isinstance(one.instead or one.when, lines.Damage) and not one.nth.per for one in _run(power)):
        found.append(f"order packets: {BLANK}")
    return found


def _held_back(power: Power) -> bool:
    return any(isinstance(done.effect, lines.Later) for one in abilities(power.lines) for done in one.does)


def _run(power: Power) -> tuple[Ability, ...]:
    return abilities(power.lines) if runs(power.lines) else ()


def _pays(ability: Ability) -> bool:
    return any(isinstance(price, lines.Pay) for price in ability.costs)


def _blanks(ability: Ability) -> str:
    """Return the blanks behind a power's name: X, what is named, or how often where there is nothing to say."""
    by_x = any(getattr(price, "amount", None) == Name("X") for price in ability.costs)
    first = "discarding" if _pays(ability) else "on"
    rest = ability.choices[1:] if ability.costs else ()
    aimed = f" {first} {BLANK}" if ability.choices or ability.optional else ""
    blanks = f"{f' X={BLANK}' if by_x else ''}{aimed}{f' against {BLANK}' * len(rest)}"
    return blanks or f" x{BLANK}"


def _takes(state: State, seat: str, power: Power) -> str:
    """Say what a use takes now, in few words; "" where nothing, or an X that is not cheaper. Rule: C12."""
    ability = used_ability(power)
    if ability is None:
        return ""
    parts = [_payment(state, seat, power, price) for price in ability.costs]
    return ", ".join(part for part in parts if part)


def _payment(state: State, seat: str, power: Power, price: lines.Price) -> str:
    match price:
        case lines.Spend(Number(amount)):
            return f"spends {_cheaper(state, seat, Use(power.key, spend=amount))}"
        case lines.Burn(Number(amount)):
            return f"burns {_cheaper(state, seat, Use(power.key, burn=amount))}"
        case lines.Drain(Number(amount)):
            return f"drains {amount}"
        case lines.Spend() | lines.Burn():
            trial = Use(power.key, spend=BIG, burn=0) if isinstance(price, lines.Spend) else Use(power.key, burn=BIG)
            (paid,) = discounted(state, seat, [trial])
            less = BIG - paid.spend - paid.burn
            return f"{less} less than {'X' if price.amount == Name('X') else 'its strength'}" if less else ""
    return ""


BIG = 1000
"""A payment that no discount brings down to nothing."""


def _cheaper(state: State, seat: str, use: Use) -> str:
    """Write what the first use of a round takes and, where that is another number, what a further one does."""
    paid = discounted(state, seat, [use, use])
    first, further = paid[0].spend + paid[0].burn, paid[-1].spend + paid[-1].burn
    return f"{first}" if first == further else f"{first}, then {further}"


def notes(state: State, seat: str, power: Power) -> list[str]:
    """
    Return what its owner should know of a power beside its text, a sentence each.

    Shape: whether the moderator says what it does, how often it can still be used, what was shouted, what it does
    where nothing is said of it.
    """
    words = genre_of(state.house)
    ability = used_ability(power)
    limits = [price.times for price in ability.costs if isinstance(price, lines.Activate)] if ability else []
    found = [] if runs(power.lines) else ["It does not run by itself: the moderator says what it does."]
    found += [f"At most {_times(times)} {words.a(words.round)}." for times in limits]
    takes = _takes(state, seat, power)
    if " less than " in takes and not any(_has_room(state, line, takes) for line in _forms(state, power)):
        found.append(f"A use takes {takes}.")
    if asks(power) and state.shouted:
        found.append(f"Shouted so far: {', '.join(state.shouted)}.")
    if runs(power.lines) and (silence := _silence(power)):
        no = " To say no:" if refusal(state, power) else ""
        found.append(f"If you say nothing: {silence[0].lower()}{silence[1:]}{no}")
    return found


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def refusal(state: State, power: Power) -> str:
    """Return the line that says no to what a power does where nothing is said of it, or "". Rule: C25."""
    ability = used_ability(power)
    if not ability or not ability.optional or ability.costs or ability.ask or isinstance(ability.when, lines.Attacks):
        return ""
    line = f"never {genre_of(state.house).verb('use')} {named(state, power.key)}"
    return line if len(line) <= ROOM else line.replace(named(state, power.key), power.key)


def _silence(power: Power) -> str:
    """Return what the rulings on a power of the archive say of silence; "" where that is nothing, or is past."""
    known = next((one for one in archive() if one.lines == power.lines), None)
    if known is None or known.order.startswith("bid ") or known.default.startswith(("It is not used", "It is never")):
        return ""
    return known.default


def _left(power: Power, ability: Ability) -> int | None:
    """Return how many uses are left in the game, or None where they are not counted. Rule: N9."""
    counts = [price.times - power.used for price in ability.costs if isinstance(price, lines.Exhaust)]
    return max(0, min(counts)) if counts else None


def standing(state: State, power: Power) -> str:
    """Say how far a power has come in this game, which is for all to know, or ""."""
    return ", ".join(_progress(state, power))


def _progress(state: State, power: Power) -> Iterator[str]:
    words = genre_of(state.house)
    for ability in _run(power):
        left = _left(power, ability)
        if left is not None:
            yield f"{left} {'use' if left == 1 else 'uses'} left"
        if ability.nth and ability.nth.span == "game" and power.fired >= ability.nth.place:
            yield "over"
        for test in ability.tests:
            match test:
                case Join(">=" | ">", Call("spent", (Name("this"), Name("game"))), Number(most)):
                    yield f"{power.spent} of {most} spent"
                case Join("==", Name("round"), Number(last)) if last >= state.round:
                    left = last - state.round + 1
                    yield f"{left} {words.round if left == 1 else words.rounds} left"
