"""Reads the lines of a round, each by itself: words in, orders or refusals out; `sets` adds them up."""

import re
from collections.abc import Callable, Sequence

import msgspec

from pbem.ruleset import Refused, all_read, phrases, refuse
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import find_opponent, find_own_power
from pbem.rulesets.rumble.model.order import (
    Attack,
    Block,
    Confirm,
    Defend,
    Discard,
    Hold,
    Idle,
    If,
    Move,
    Name,
    Never,
    Plan,
    Resign,
    RoundOrder,
    Test,
    Use,
)  # fmt: skip
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import conditions, plans
from pbem.rulesets.rumble.orders.amounts import amount_of, without_unit
from pbem.rulesets.rumble.orders.answers import read_answer, read_ask, read_gift, read_move, read_packets, read_pass
from pbem.rulesets.rumble.orders.blocks import read_block
from pbem.rulesets.rumble.orders.captions import read_captions
from pbem.rulesets.rumble.orders.hero_names import read_name
from pbem.rulesets.rumble.orders.uses import read_never, read_use
from pbem.rulesets.rumble.orders.writing import write_plan
from pbem.rulesets.rumble.powers.engine.active_abilities import allocates_later, is_for_reveal
from pbem.rulesets.rumble.powers.engine.prices import cannot_go
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.runnable import runs

OPENS = (
    r"\bif\b|^(?:text|sidekick|plan|precog\w*)\b.*:"
    r"|^(?!(?:block first|order packets|ask me|captions?|hero|name)\b)\w+\s[^:]*:(?!\s*[0-9]+$)"
)
"""What goes on to the end of its line: conditions, plans, texts, a Sidekick's orders, by the words of any genre."""

_KNOWN = ("attack", "defend", "use", "hold", "plan", "block", "discard", "idle", "hero", "confirm", "resign")


def read_line(state: State, seat: str, text: str) -> RoundOrder | If | Refused:
    """Read one joined line of a round."""
    cut = phrases.conditional(_turned(text))
    if cut is None:
        return _several(state, text) or read_order(state, seat, text)
    if isinstance(cut, phrases.Unread):
        return refuse(cut, "A28")
    return conditions.guarded(state, cut, lambda parts, tests: _branch(state, seat, parts, tests))


def _turned(text: str) -> str:
    """Put a condition that stands behind a move before it."""
    match = re.match(r"((?:move|reflexes)\b[^,;]*?)\s+if\s+([^,;:]+)$", text, re.IGNORECASE)
    return f"if {match[2]}: {match[1]}" if match else text


def _several(state: State, text: str) -> Refused | None:
    """Refuse a line with more than one order; plans are free words, block lines and captions are lists."""
    first, *rest = re.split(r"\s*(?:[,;]|\band\b)\s*", text)
    heard = _in_neutral_words(state, first)
    if re.match(r"(?:plan|precog|block|hero|name|caption)", heard, re.IGNORECASE):
        return None
    two_attacks = re.match(r"att", heard, re.IGNORECASE) and re.search(r"[0-9]$", first) and rest
    if two_attacks or any(_verb(state, part) in _VERBS for part in rest):
        return Refused("unreadable", f"Write one order a line: {first}; and the rest on lines of their own.", "R5")
    return None


def _in_neutral_words(state: State, text: str) -> str:
    """Put the word of the genre that a line begins with into the neutral one. Rule: N14."""
    return genre_of(state.house).hear_order(text)


def order_words(state: State) -> frozenset[str]:
    """Return the words that begin lines of a round, those of the genre and of powers among them."""
    words = (*_VERBS, *genre_of(state.house).order_words, "sidekick", "if", *(one.name for one in state.powers))
    return frozenset(word.split()[0].casefold() for word in words if word.split())


_INNER_WORDS_SAID = "energy power powers largest smallest spend burn"
INNER_WORDS = frozenset(_INNER_WORDS_SAID.split())
"""What lines of a round are about."""


def begins_order(state: State, text: str) -> bool:
    """Say whether a text begins with a word that orders begin with."""
    return _verb(state, text) in _VERBS


def _verb(state: State, text: str) -> str:
    match = re.match(r"[A-Za-z]+", _in_neutral_words(state, text))
    return match[0].lower() if match else ""


def read_order(state: State, seat: str, text: str) -> RoundOrder | Refused:
    """Read one order without a condition; `also` before it says that it is meant besides another like it. Rule: A4."""
    if more := re.match(r"also\b[,:]?\s+(.+)", text, re.IGNORECASE):
        order = read_order(state, seat, more[1])
        return msgspec.structs.replace(order, also=True) if isinstance(order, Attack | Defend | Hold) else order
    text = _in_neutral_words(state, text)
    match = re.match(r"([A-Za-z]+)(?![A-Za-z])\s*(?:[:=]|-(?=\s))?\s*(.*)$", text)
    verb = match[1].lower() if match else ""
    read = _VERBS.get(verb)
    if match is None or read is None:
        return _given_up(state, seat, text) or _unknown(state, text, verb)
    if verb in _NEED_COLON and not re.match(r"[A-Za-z]+\s*:", text):
        return Refused("unreadable", f"{verb} takes a colon: {_NEED_COLON[verb]}.", "R5")
    rest = match[2].strip()
    found = read(state, seat, rest)
    heard = genre_of(state.house).hear_amount(rest)
    if isinstance(found, Refused) and read in _WITH_AMOUNTS and heard != rest:
        again = read(state, seat, heard)
        return found if isinstance(again, Refused) else again
    return found


def _given_up(state: State, seat: str, text: str) -> RoundOrder | Refused | None:
    """Read `NAME discarding NAME`, which stands so in the archive; None for anything else."""
    found = read_use(state, seat, text) if re.search(r"\sdiscarding\s", text, re.IGNORECASE) else None
    return None if isinstance(found, Refused) and found.fault == "unreadable" else found


def _unknown(state: State, text: str, verb: str) -> Refused:
    known = ", ".join(word for word in _KNOWN if word != "resign" or state.house["resign"] == "yes")
    if verb in ("bid", "power", "text"):
        return Refused("illegal", f"Nothing is bid or invented any more. Orders now: {known}.", "R5")
    words = {word: word for word in (*_VERBS, *genre_of(state.house).order_words)}
    close = phrases.find(verb, words, "order") if len(verb) > 2 else ""
    hint = ""
    if isinstance(close, phrases.Unread) and "Did you mean" in close.because:
        hint = " " + close.because[close.because.index("Did you mean") :]
    return Refused("unreadable", f"I cannot read this as an order.{hint} Orders now: {known}.", "R5")


def _attack(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    if not rest:
        return Refused("unreadable", "Say whom and with how much: attack NAME 20.", "R6")
    rest = without_unit(rest)
    forms = (
        r"(?P<on>.+?)\s*(?:\s(?:with|for)|[:=])?\s+(?P<amount>\S*[0-9]\S*)$",
        r"(?P<amount>[0-9]+)\s+(?:energy\s+)?(?:on\s+|against\s+)?(?P<on>.+)$",
    )
    match = next((one for form in forms if (one := re.match(form, rest, re.IGNORECASE))), None)
    exact = any(rest.casefold() == name.casefold() for name in state.names.values())
    if exact or match is None:
        worded = _worded(state, seat, rest)
        if worded:
            return worded
        found = find_opponent(state, seat, rest)
        name = "NAME" if isinstance(found, Refused) else state.names[found]
        if isinstance(found, Refused) and found.fault != "unreadable":
            return found
        return Refused("unreadable", f"Say with how much: attack {name} 20.", "R6")
    amount = amount_of(match["amount"])
    if isinstance(amount, Refused):
        return amount
    on = find_opponent(state, seat, match["on"].strip(" ,"))
    return (_worded(state, seat, rest) or on) if isinstance(on, Refused) else Attack(on, amount)


def _worded(state: State, seat: str, rest: str) -> Refused | None:
    """Refuse an amount in words, or with words behind it, where the name before it is clear."""
    match = re.match(r"(.+?)\s+(?:(?:with|for)\s+|[0-9]+\s+(?=[^\W\d]))", rest, re.IGNORECASE)
    on = find_opponent(state, seat, match[1].strip(" ,:=")) if match else None
    if on is None or isinstance(on, Refused):
        return None
    return Refused("unreadable", f"Say with how much by a number only: attack {state.names[on]} 20.", "R6")


def _defend(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    rest = re.sub(r"^(?:with|for|of)\s+", "", rest, flags=re.IGNORECASE)
    if not rest:
        return Refused("unreadable", "Say with how much: defend 30.", "R5")
    amount = amount_of(rest)
    return amount if isinstance(amount, Refused) else Defend(amount)


def _hold(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    match = re.match(r"(.+?)\s+for\s+(.+)$", rest, re.IGNORECASE)
    if not match:
        return Refused("unreadable", "Say how much and for which power: hold 50 for Precognition.", "R16")
    amount = amount_of(match[1])
    if isinstance(amount, Refused):
        return amount
    power = find_own_power(state, seat, match[2])
    if isinstance(power, Refused):
        return power
    if runs(power.lines) and not allocates_later(power):
        return Refused("illegal", f"No Energy is held back for {power.name}; it needs none.", "R16")
    return Hold(amount, power.key)


def _plan(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    name, _, text = (part.strip() for part in rest.partition(":"))
    text = text.rstrip(" ,;:")
    if not name or not text:
        return Refused("unreadable", "Name the power and say the plan: plan Precognition: defend what comes.", "R16")
    power = find_own_power(state, seat, name)
    if isinstance(power, Refused):
        return power
    if allocates_later(power):
        steps = plans.parse(state, seat, text, read_order)
        return steps if isinstance(steps, Refused) else Plan(power.key, write_plan(state, steps))
    ends_open = re.search(r"\b(?:else|and|or)$", text, re.IGNORECASE)
    return Plan(power.key, f"{text}." if ends_open else text)


def _precog(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    return _plan(state, seat, f"precog: {rest}")


def _discard(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    if not rest:
        return Refused("unreadable", "Say which power: discard NAME.", "B6")
    power = find_own_power(state, seat, rest)
    if isinstance(power, Refused):
        return power
    if state.house["late_discard"] == "no":
        return Refused("illegal", "In this game powers can be discarded at the auction only.", "B6")
    because = cannot_go(power)
    return Refused("illegal", because, "B6") if because else Discard(power.key)


def _confirm(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    return Refused("unreadable", "Write confirm alone on its line.", "A9") if rest else Confirm()


def _resign(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    if rest:
        return Refused("unreadable", "Write resign alone on its line.", "A25")
    if state.house["resign"] == "no":
        return Refused("illegal", "Nobody may resign in this game. To stay out of trouble: defend.", "A25")
    return Resign()


def _idle(state: State, seat: str, rest: str) -> RoundOrder | Refused:
    if not rest:
        return Idle()
    amount = amount_of(rest)
    return amount if isinstance(amount, Refused) else Idle(amount)


def _branch(state: State, seat: str, parts: Sequence[str], tests: Sequence[Test]) -> tuple[RoundOrder, ...] | Refused:
    return all_read(_guarded_order(state, seat, text, tests) for text in _regrouped(state, parts))


def _guarded_order(state: State, seat: str, text: str, tests: Sequence[Test]) -> RoundOrder | Refused:
    """Read an order that may stand behind a condition with these tests."""
    order = _order_or_use(state, seat, text, tests)
    return order if isinstance(order, Refused) else refused_behind(state, order, tests) or order


def refused_behind(state: State, order: RoundOrder, tests: Sequence[Test]) -> Refused | None:
    """Say why an order cannot stand behind a condition with these tests, if it cannot. Rule: A28, C1."""
    late = not conditions.known_at_start(tests)
    if late and isinstance(order, Discard):
        because = (
            "A power is discarded when the round begins, whatever the others send. Write discard without a "
            "condition, or one on what is known then: if my energy < 40: discard NAME."
        )
        return Refused("illegal", because, "A28")
    if late and not _waits(state, order):
        because = (
            "What others send against you is known only when yours lies open too, so only block lines may depend "
            "on it, and powers that take no Spend and no Burn: if incoming > 40: block largest first."
        )
        return Refused("illegal", because, "A28")
    if isinstance(order, Name | Plan):
        return Refused("illegal", "Names and plans stand on lines of their own, without a condition.", "A28")
    return None


def _order_or_use(state: State, seat: str, text: str, tests: Sequence[Test]) -> RoundOrder | Refused:
    """Read an order, or a power's name alone, without use before it."""
    found = read_order(state, seat, text)
    if not isinstance(found, Refused) or found.fault != "unreadable":
        return found
    bare = re.sub(r"^(?:use|uses|using)\s+", "", text, flags=re.IGNORECASE)
    aimed = [test.power for test in tests if test.kind == "targeted by"]
    turned = re.sub(r"\s+(?:to|on)\s+", f" on {aimed[0]} to ", bare, count=1, flags=re.IGNORECASE) if aimed else bare
    for attempt in dict.fromkeys((turned, bare)):
        again = read_use(state, seat, attempt)
        if not isinstance(again, Refused):
            return again
        found = again if again.fault != "unreadable" else found
    return found


def _waits(state: State, order: RoundOrder) -> bool:
    """Say whether an order may wait for the reveal. Rule: A28, C1."""
    if isinstance(order, Use):
        return is_for_reveal(state.card(order.power))
    return isinstance(order, Block | Never | Move)


def _regrouped(state: State, parts: Sequence[str]) -> list[str]:
    """Put block lines and captions together again that were parted at their commas; a hero may be called Block."""
    names = {name.casefold() for name in (*state.names, *state.names.values())}
    result: list[str] = []
    for part in parts:
        names_only = part.casefold() in names or _verb(state, part) not in _VERBS
        if result and names_only and _verb(state, result[-1]) in ("block", "caption", "captions"):
            result[-1] = f"{result[-1]}, {part}"
        else:
            result.append(part)
    return result


_NEED_COLON = {
    "hero": "hero: Mantisman",
    "name": "name: Mantisman",
    "precog": "precog: defend what comes",
    "precognition": "precognition: defend what comes",
}
"""Words that also begin other lines of people's, so the colon tells."""

_Read = Callable[[State, str, str], RoundOrder | Refused]
_VERBS: dict[str, _Read] = {
    **dict.fromkeys(("attack", "attacks", "attacking", "att", "atk"), _attack),
    **dict.fromkeys(("defend", "defends", "defending", "defence", "defense", "def"), _defend),
    **dict.fromkeys(("use", "uses", "using"), read_use),
    "never": read_never,
    "give": read_gift,
    **dict.fromkeys(("move", "reflexes"), read_move),
    "order": read_packets,
    "ask": read_ask,
    **dict.fromkeys(("captions", "caption"), read_captions),
    "roll": read_answer(lines.IgnoreAttack),
    "disarm": read_answer(lines.Discard),
    "ray": read_answer(lines.OnDamage),
    **dict.fromkeys(("hold", "reserve"), _hold),
    "plan": _plan,
    **dict.fromkeys(("precog", "precognition"), _precog),
    **dict.fromkeys(("block", "blocks"), read_block),
    "discard": _discard,
    "pass": read_pass,
    "confirm": _confirm,
    "resign": _resign,
    "idle": _idle,
    **dict.fromkeys(("hero", "name"), read_name),
}
_WITH_AMOUNTS = (_attack, _defend, _hold, _idle, read_use)
"""What may say Energy behind an amount, and so the word of the genre for it."""
