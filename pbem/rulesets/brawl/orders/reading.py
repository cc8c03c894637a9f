"""Reads order lines of a brawl, each by itself; `sets` checks whether they go together."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from pbem.ruleset import Refused, phrases, refuse
from pbem.rulesets.brawl.order import (
    Add,
    Ask,
    Attack,
    CoopDie,
    DamageOrder,
    Defend,
    Delay,
    GiftUse,
    If,
    Order,
    Pass,
    Resign,
    RoundOrder,
)
from pbem.rulesets.brawl.orders.conditions import read_test
from pbem.rulesets.brawl.orders.drop_lines import read_drop
from pbem.rulesets.brawl.state import COOP, State, Use
from pbem.rulesets.brawl.words import HURT, USES, find_dice, find_die, find_other, fixed, no_other

T = TypeVar("T")

_VERB = r"attack|hit|defend|defence|defense|block|delay|drop|ask|pass|nothing|do nothing"
ORDER_WORDS = frozenset((*_VERB.split("|")[:-1], "do", "if", "coop", "damage", "resign"))
"""The words that begin lines."""
_INNER_WORDS_SAID = """
counter advantage maneuver manoeuvre regain breath move bind pickup pick chair drink die dice guard dodge
"""
INNER_WORDS = frozenset(_INNER_WORDS_SAID.split())
"""What dice are for, and the things of a pub."""
_PLAIN: dict[str, RoundOrder] = {"ask me": Ask(), "ask": Ask(), "pass": Pass(), "nothing": Pass(), "do nothing": Pass()}
_DIE = r"(?:(?:the|my)\s+)?(?:die\s+)?\S+"
_IT = re.compile(r"it|this|(?:the )?(?:given |coop )?die", re.IGNORECASE)
"""What people call a given die."""
_ADD = {"attack": "attack", "damage": "damage", "defence": "defense", "defense": "defense", "defend": "defense"}


LAME = Refused("illegal", "An attack needs damage: attack NAME with a damage b.", "K10")
NO_GIFTS = Refused("illegal", "Nobody gives dice in a bare-knuckle fight.", "K2")
TORN = Refused(
    "ambiguous", "A line about a given die goes on to its end. Put what else you do on a line of its own.", "K18"
)
GIVEN = Refused(
    "illegal",
    "A given die is added to attack, to damage or to defense, attacks (attack NAME damage b), hurts (attack NAME with "
    "b), defends, or is dropped; it cannot be delayed.",
    "K18",
)
"""Why what a line says cannot be, as whoever reads it says; of some other lines they are why they cannot be read."""
OPENS = r"\bif\b|^coop\b"
"""What goes on to the end of its line; a colon behind `damage` or `damage order` opens nothing."""


def read_line(state: State, seat: str, text: str) -> Order | Refused:
    """
    Read one line.

    Errors: what is wrong with it by itself, with the rule.
    """
    if cut := phrases.conditional(text):
        if isinstance(cut, phrases.Unread):
            return refuse(cut, "M2")
        return _torn(text) or _guarded(state, seat, cut)
    if match := re.fullmatch(r"coop(?: die)?\s*:\s*(.+)", text, re.IGNORECASE):
        return _coop(state, seat, match[1])
    if match := re.fullmatch(r"damage order\s*:?\s*(listed|high|low)", text, re.IGNORECASE):
        return DamageOrder(match[1].lower())  # type: ignore[arg-type]
    if re.fullmatch("resign", text, re.IGNORECASE):
        return Resign()
    return read_order(state, seat, text)


def read_order(state: State, seat: str, text: str) -> RoundOrder | Refused:
    """Read an order that can stand behind an if."""
    if plain := _PLAIN.get(text.lower()):
        return plain
    if match := re.fullmatch(r"(?:attack|hit)\s+(.+?)\s*[,:]?\s+damage\s*:?\s*(.+)", text, re.IGNORECASE):
        return _attack(state, seat, match[1], match[2])
    if re.match(r"(?:attack|hit)\b", text, re.IGNORECASE):
        is_said = re.search(rf"\b(?:{HURT}|d\w{{0,3}}m\w{{0,3}}g\w{{0,3}})\b", text, re.IGNORECASE)
        return Refused("unreadable", LAME.because, LAME.rule) if is_said else LAME
    if match := re.fullmatch(
        r"(?:defend|defence|defense|block)(?:\s+with)?\s+(.+?)(?:\s+(?:vs\.?|against)\s+(.+))?", text, re.IGNORECASE
    ):
        return _defend(state, seat, match[1], match[2] or "")
    if match := re.fullmatch(rf"delay\s+({_DIE})\s+(?:for |to |as |in )?(\w+)", text, re.IGNORECASE):
        return _delay(state, seat, match[1], match[2])
    if match := re.fullmatch(rf"drop\s+({_DIE})\s+(?:for |to |as )?(.+)", text, re.IGNORECASE):
        die = find_die(state.fighter(seat), match[1])
        if isinstance(die, Refused):
            return die
        return fixed(state.fighter(seat), (die.letter,), "") or read_drop(state, seat, die.letter, match[2])
    return _unreadable(text)


_NEAREST = {
    r"hit|hits|attacks?|strikes?|punch(?:es)?|hurts?|damage": (
        "An attack needs a die to hit and a die to hurt: attack NAME with a damage b."
    ),
    r"blocks?|guards?|defen[cs]e|defends?|parry|parries": "What guards stands in a line such as: defend with a.",
    r"regains?|rests?|counters?|maneuvers?|advantage|moves?|binds?|pickup|picks?|drinks?|coop|drops?": (
        "What a die is dropped for stands in a line such as: drop a regain."
    ),
}
"""Lines that are perhaps meant, by words that are in no other."""


def _unreadable(text: str) -> Refused:
    """Refuse a line of no known form, with the nearest ones where there are any."""
    found = [line for words, line in _NEAREST.items() if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE)]
    said = " ".join(found) or "The handbook has all forms; to get it, reply: help."
    return Refused("unreadable", f"I cannot read this. {said}", "K7")


def _attack(state: State, seat: str, head: str, damage: str) -> Attack | Refused:
    match = re.fullmatch(r"(.+?)\s+(?:with|using)\s+(.+)", head, re.IGNORECASE)
    if not match:
        return Refused("unreadable", "Say with which dice: attack NAME with a damage b.", "K9")
    on = _target(state, seat, match[1])
    return on if isinstance(on, Refused) else settled_attack(state, seat, on, match[2], damage)


def settled_attack(state: State, seat: str, on: str, hits: str, hurts: str) -> Attack | Refused:
    """Return an attack with the dice that are named to hit with and to hurt with. Rule: K7, K13."""
    fighter = state.fighter(seat)
    dice, hurt = find_dice(fighter, hits), find_dice(fighter, hurts)
    if isinstance(dice, Refused):
        return dice
    if isinstance(hurt, Refused):
        return hurt
    if both := set(dice) & set(hurt):
        return Refused("illegal", f"Die {min(both)} is used twice in this line. Each can be used once.", "K7")
    return fixed(fighter, dice, "attack") or fixed(fighter, hurt, "damage") or Attack(on, dice, hurt)


def _target(state: State, seat: str, text: str) -> str | Refused:
    """Find the target of an attack: nobody who is down, unless a house rule allows it. Rule: K-w."""
    on = find_other(state, seat, text, "K9")
    return on if isinstance(on, Refused) else no_target(state, seat, on) or on


def no_target(state: State, seat: str, on: str) -> Refused | None:
    """Refuse to attack oneself, who has left, and who is down where that is not allowed. Rule: K9, K-w."""
    if wrong := no_other(state, seat, on, "K9"):
        return wrong
    if state.fighter(on).down and state.house["hit_downed"] == "no":
        return Refused("illegal", f"{state.fighter(on).name} is down. Attack somebody who is up.", "K-w")
    return None


def _defend(state: State, seat: str, text: str, vs: str) -> Defend | Refused:
    fighter = state.fighter(seat)
    dice = find_dice(fighter, text)
    if isinstance(dice, Refused):
        return dice
    against = find_other(state, seat, vs, "K-i") if vs else ""
    return against if isinstance(against, Refused) else settled_defense(state, seat, dice, against)


def settled_defense(state: State, seat: str, dice: tuple[str, ...], against: str) -> Defend | Refused:
    """Return a defense with dice of one's own. Rule: K13, K-i."""
    wrong = no_other(state, seat, against, "K-i") if against else None
    return wrong or fixed(state.fighter(seat), dice, "defense") or Defend(dice, against)


def _delay(state: State, seat: str, text: str, what: str) -> Delay | Refused:
    die = find_die(state.fighter(seat), text)
    if isinstance(die, Refused):
        return die
    use = USES.get(what.lower())
    if use is None:
        return Refused("unreadable", f"Delay a die for attack, defense or damage: delay {die.letter} attack.", "K13")
    return settled_delay(state, seat, die.letter, use)


def settled_delay(state: State, seat: str, said: str, use: Use) -> Delay | Refused:
    """Return a die kept for the next round, by its letter. Rule: K13, K-n."""
    die = find_die(state.fighter(seat), said)
    if isinstance(die, Refused):
        return die
    return fixed(state.fighter(seat), (die.letter,), "") or Delay(die.letter, use)


def _coop(state: State, seat: str, text: str) -> CoopDie | Refused:
    """Read what is to be done with a given die: choices with else between them."""
    if not state.is_pub:
        return NO_GIFTS
    parts = re.split(r"[,;]?\s*\belse\b:?\s*", text, flags=re.IGNORECASE)
    if ";" in "".join(parts):
        return TORN
    uses: tuple[GiftUse, ...] | Refused = _each(map(str.strip, parts), partial(_coop_use, state, seat))
    return uses if isinstance(uses, Refused) else CoopDie(uses)


def _coop_use(state: State, seat: str, text: str) -> GiftUse | Refused:
    if match := re.fullmatch(r"add to (\w+)(?: ([12]))?", text, re.IGNORECASE):
        role = _ADD.get(match[1].lower())
        if role:
            return Add(role, int(match[2] or 1))  # type: ignore[arg-type]
    if re.fullmatch(r"defend", text, re.IGNORECASE):
        return Defend((COOP,))
    if match := re.fullmatch(r"attack (.+?)(?: with (.+?))?(?:,? damage:? (.+))?", text, re.IGNORECASE):
        hits, hurts = ("" if _IT.fullmatch(part or "it") else part for part in (match[2], match[3]))
        if bool(hits) != bool(hurts):
            return _coop_attack(state, seat, match[1], hits or hurts, "attack" if hits else "damage")
    if re.match(r"add\b|attack\b|defend\b|delay\b", text, re.IGNORECASE):
        return GIVEN if text.lower().startswith("delay") else Refused("unreadable", GIVEN.because, GIVEN.rule)
    return read_drop(state, seat, COOP, re.sub(r"^drop(?: it)?(?: for)? ", "", text, flags=re.IGNORECASE))


def _coop_attack(state: State, seat: str, name: str, text: str, use: Use) -> Attack | Refused:
    """Read a new attack of a given die with other dice, which are all for damage, or all to hit with."""
    on = _target(state, seat, name)
    return on if isinstance(on, Refused) else settled_half(state, seat, on, text, use)


def settled_half(state: State, seat: str, on: str, text: str, use: Use) -> Attack | Refused:
    """Return a new attack of a given die with the dice that are named, which are its half for a use. Rule: K13, K18."""
    dice = find_dice(state.fighter(seat), text)
    if isinstance(dice, Refused):
        return dice
    whole = Attack(on, (COOP,), dice) if use == "damage" else Attack(on, dice, (COOP,))
    return fixed(state.fighter(seat), dice, use) or whole


def _guarded(state: State, seat: str, cut: phrases.Conditional) -> If | Refused:
    tests = _each(cut.tests, partial(read_test, state, seat))
    then, otherwise = _orders(state, seat, cut.then), _orders(state, seat, cut.otherwise)
    if isinstance(tests, Refused):
        return tests
    if isinstance(then, Refused):
        return then
    return otherwise if isinstance(otherwise, Refused) else If(tests, then, otherwise)


def _orders(state: State, seat: str, texts: Sequence[str]) -> tuple[RoundOrder, ...] | Refused:
    if [text.lower() for text in texts] == [Pass(leaves=False).write(state)]:
        return (Pass(leaves=False),)
    return _each(_whole(texts), partial(read_order, state, seat))


def _each(texts: Iterable[str], read: Callable[[str], T | Refused]) -> tuple[T, ...] | Refused:
    """Read texts one after the other; the first that is refused stands for all."""
    found: list[T] = []
    for text in texts:
        one = read(text)
        if isinstance(one, Refused):
            return one
        found.append(one)
    return tuple(found)


def _torn(text: str) -> Refused | None:
    """Refuse a conditional line with a semicolon before something that is no order: it could be read in two ways."""
    for part in text.split(";")[1:]:
        if part.strip() and not re.match(rf"\s*(?:else\b|(?:{_VERB})\b)", part, re.IGNORECASE):
            because = f'"{part.strip()}" is no order. Write defend with b, c for one defense, or two whole orders.'
            return Refused("ambiguous", because, "M2")
    return None


def _whole(texts: Sequence[str]) -> list[str]:
    """Join again what was split at a comma between dice."""
    whole: list[str] = []
    for text in texts:
        if whole and not re.match(rf"(?:{_VERB})\b", text, re.IGNORECASE):
            whole[-1] += f", {text}"
        else:
            whole.append(text)
    return whole
