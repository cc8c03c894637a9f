"""What Attacks and Defences are worth once powers have changed them; nothing is blocked here."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.ruleset import EVERYONE, MODERATOR_ALONE, Event, Reckoning
from pbem.rulesets.rumble.effect import ANY, Effect, Ignore, ValueChange, of_kind
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import write
from pbem.rulesets.rumble.model.rounding import rounded
from pbem.rulesets.rumble.powers.engine.scene import Scene
from pbem.rulesets.rumble.round.record import Round


def _modified(house: Mapping[str, str], base: int, changes: Sequence[ValueChange]) -> tuple[int, str]:
    """
    Apply what powers do to a value by these house rules, and say how, by which power.

    Rule: A15 for the order; A2 for halves, rounded once; A14 for the floor.
    """
    if not changes:
        return base, str(base)
    times, over = 1, 1
    for change in changes:
        times *= change.amount if change.sign == "*=" else 1
        over *= change.amount if change.sign == "/=" else 1
    added = sum(c.amount if c.sign == "+=" else -c.amount for c in changes if c.sign in ("+=", "-="))
    scaled = "".join(_term("x" if c.sign == "*=" else "/", c) for c in changes if c.sign in ("*=", "/="))
    plus = "".join(_term(c.sign[0], c) for c in changes if c.sign in ("+=", "-="))
    final = _set(changes)
    if house["modifier_order"] == "mul_add_set":
        value = rounded(house, base * times, over) + added
        how = f"{base}{scaled}{plus}"
    else:
        value = rounded(house, (base + added) * times, over)
        how = f"({base}{plus}){scaled}" if plus and scaled else f"{base}{plus}{scaled}"
    if final:
        return final[-1].amount, f"{how}, {_term('set to', final[-1]).strip()}"
    return (0, f"{how}, not below 0") if value < 0 else (value, how)


def _set(changes: Sequence[ValueChange]) -> list[ValueChange]:
    """Return what sets a value, that which counts last. Rule: C21."""
    return sorted((change for change in changes if change.sign == "="), key=lambda change: change.number)


def _term(word: str, change: ValueChange) -> str:
    return f" {word} {change.amount}{f' ({change.by})' if change.by else ''}"


def attack_values(round_: Round, book: Reckoning, events: list[Event]) -> dict[tuple[str, str], int]:
    """
    Return the value of every Attack, by who strikes whom.

    Rule: R6, A5, A6; A33 for Attacks that are ignored.
    """
    bases, idle = attack_bases(round_, book)
    events += idle
    values: dict[tuple[str, str], int] = {}
    ignored: dict[tuple[str, str], str] = {}
    for one in of_kind(round_.effects, Ignore):
        ignored[one.source, one.on] = ignored.get((one.source, one.on)) or one.by
    for (source, on), base in bases.items():
        changes = _changes_of(round_.effects, source, on)
        key, text = f"attack of {source} on {on}", f"Attack of {round_.names[source]} on {round_.names[on]}"
        value = _recorded(round_, book, key, text, base, changes, events)
        if _ignored(round_, book, source, on, (source, on) in ignored):
            facts = {"by": round_.names[source], "on": round_.names[on], "amount": value}
            facts["power"] = ignored.get((source, on), "")
            events.append(Event(kind="ignored", to=EVERYONE, facts=facts, rule="A33"))
            value = 0
        values[source, on] = value
    return values


def _changes_of(effects: Sequence[Effect], source: str, on: str) -> list[ValueChange]:
    """List what changes an Attack, or a Defence: first what the moderator said, then powers in order."""
    found = of_kind(effects, ValueChange)
    if not found or not source:
        return [one for one in found if not one.source and one.on == on]
    return [one for one in found if one.source in (source, ANY) and one.on in (on, ANY)]


def valued(round_: Round, changes: Sequence[ValueChange], book: Reckoning) -> Scene:
    """Return the scene of a round with what Attacks and Defences are worth by some changes, rulings included."""
    effects: list[Effect] = [*of_kind(round_.effects, ValueChange), *changes]

    def worth(key: str, base: int, source: str, on: str) -> int:
        ruled = book.ruled(key)
        if ruled is not None:
            return max(0, ruled)
        return _modified(round_.state.house, base, _changes_of(effects, source, on))[0]

    made, guarded = round_.scene.made, {seat: round_.allocations[seat].defence for seat in round_.scene.fighting}
    attacks = {(by, on): worth(f"attack of {by} on {on}", base, by, on) for (by, on), base in made.items()}
    defences = {seat: worth(f"defence of {seat}", base, "", seat) for seat, base in guarded.items()}
    return msgspec.structs.replace(round_.scene, attacks=attacks, defences=defences)


def _recorded(
    round_: Round, book: Reckoning, key: str, text: str, base: int, changes: Sequence[ValueChange], events: list[Event]
) -> int:
    """Record the value of an Attack or a Defence, and tell what changed it."""
    value, how = _modified(round_.state.house, base, changes)
    rule = "A15" if changes else "R6"
    value = book.number(key, text, value, how if changes else "as allocated", rule)
    if changes or book.pins(key):
        events += _conflict(text, changes)
        how, rule = ("as ruled", "") if book.pins(key) else (how, rule)
        facts = {"what": text, "how": how, "value": value, "verdict": key}
        events.append(Event(kind="changed", to=EVERYONE, facts=facts, rule=rule))
    return value


def _conflict(what: str, changes: Sequence[ValueChange]) -> list[Event]:
    """Tell the moderator of powers that set one value to different numbers: none of them gives way by itself."""
    sets = {change.by: change.amount for change in _set(changes) if change.by}
    if len(set(sets.values())) < 2:
        return []
    facts = {"what": what, "powers": [f"{by} to {amount}" for by, amount in sets.items()], "counts": [*sets][-1]}
    return [Event(kind="conflict", to=MODERATOR_ALONE, facts=facts, rule="C21")]


def _ignored(round_: Round, book: Reckoning, source: str, on: str, value: bool) -> bool:
    key = f"ignored: attack of {source} on {on}"
    if not value and not book.pins(key):
        return False
    text = f"Attack of {round_.names[source]} on {round_.names[on]} is ignored"
    return book.claim(key, text, value, "", "A33")


def attack_bases(round_: Round, book: Reckoning) -> tuple[dict[tuple[str, str], int], list[Event]]:
    """Return what each existing Attack had allocated; a power or a ruling may create one (A5)."""
    least = 0 if round_.state.house["zero_attacks"] == "yes" else 1
    fighting = set(round_.fighting)
    bases: dict[tuple[str, str], int] = {}
    for source in round_.fighting:
        for on, amount in round_.allocations[source].attacks.items():
            if on in fighting and amount >= least:
                bases[source, on] = amount
    idle = []
    for effect in of_kind(round_.effects, ValueChange):
        pair = (effect.source, effect.on)
        if effect.by or not effect.source or ANY in pair or pair in bases:
            continue
        if effect.sign == "=" and effect.amount and set(pair) <= fighting:
            bases[pair] = 0
        elif effect.sign != "=":
            idle.append(application.without_effect(write(effect), "There is no such Attack this round.", "A5"))
    for key in book.all_pinned():
        match = re.fullmatch(r"attack of (\S+) on (\S+)", key)
        if match and {match[1], match[2]} <= fighting and match[1] != match[2]:
            bases.setdefault((match[1], match[2]), 0)
    seats = {seat: place for place, seat in enumerate(round_.fighting)}
    ordered = sorted(bases, key=lambda pair: (seats[pair[0]], seats[pair[1]]))
    return {pair: bases[pair] for pair in ordered}, idle


def defence_value(round_: Round, book: Reckoning, seat: str, struck: bool, events: list[Event]) -> int:
    """
    Return the value of a seat's Defence; `struck` says whether anything comes in.

    Rule: R6, A15.
    """
    base = round_.allocations[seat].defence
    changes = _changes_of(round_.effects, "", seat)
    key = f"defence of {seat}"
    if not (base or struck or changes or book.pins(key)):
        return 0
    return _recorded(round_, book, key, f"Defence of {round_.names[seat]}", base, changes, events)
