"""Reads what follows `if win` in a bid; decides nothing."""

import re
from typing import Literal

import msgspec

from pbem.ruleset import Refused, all_read, phrases, refuse
from pbem.rulesets.rumble.model.names import find_opponent, find_power
from pbem.rulesets.rumble.model.order import Bid
from pbem.rulesets.rumble.model.state import Edit, IfWon, Power, State
from pbem.rulesets.rumble.powers.language import lines, numbers
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs

MOST_WISHES = 10
_PARTED = re.compile(
    r"(.*?[0-9](?:[,\s]+(?:and\s+)?(?:(?:maybe[- ]|might[- ])?discard|keep(?:\s+it)?))?)\s*[,;]?\s+"
    r"if\s+(?:I\s+)?w[io]n(?:\s+it)?\s*[:,]?\s+(.+)",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\s*(?:[;,]?\s*\b(?:or\s+)?else\b|;)\s*", re.IGNORECASE)
_GIVE = re.compile(r"give\s+(?:it\s+|this\s+)?to\s+(.+)", re.IGNORECASE)
_EDIT = re.compile(r"(double|halve)\s+(?:the\s+)?(\S+)\s+in\s+(.+)", re.IGNORECASE)


def without_wish(text: str) -> tuple[str, str]:
    """Split a line into the bid and what follows `if win`, or "" if nothing does."""
    match = _PARTED.fullmatch(text)
    return (match[1], match[2]) if match else (text, "")


def choice_of(power: Power) -> Literal["", "give", "edit"]:
    """Return what a power lets its winner choose: who gets it, or which number is changed. Rule: C7, C13."""
    for ability in abilities(power.lines) if runs(power.lines) else ():
        if isinstance(ability.when, lines.Won):
            match ability.does[0].effect:
                case lines.Give():
                    return "give"
                case lines.Edit():
                    return "edit"
    return ""


def is_handed_on(state: State) -> bool:
    """Say whether a power that asks for it is handed on when it is won. Rule: C6."""
    return state.house.get("curse") != "keep"


def read(state: State, seat: str, bid: Bid, text: str) -> Bid | Refused:
    """Return the bid with what is wished if it wins. Rule: B17, C7, C13."""
    power = state.card(bid.power)
    choice = choice_of(power)
    if not choice:
        because = f"{power.name} asks for no choice when it is won, as far as formal lines say. Leave out if win."
        return Refused("illegal", because, "B17")
    if choice == "give" and not is_handed_on(state):
        return Refused("illegal", f"In this game {power.name} stays with whoever wins it. Leave out if win.", "C6")
    if bid.discard == "yes":
        return Refused("illegal", "What you discard at once does nothing. Leave out discard, or if win.", "B17")
    won = _gift(state, seat, text) if choice == "give" else _edits(state, seat, power, text)
    return won if isinstance(won, Refused) else msgspec.structs.replace(bid, won=won)


def _gift(state: State, seat: str, text: str) -> IfWon | Refused:
    match = _GIVE.fullmatch(text)
    if match is None:
        return Refused("unreadable", "Say who gets it: if win give to NAME.", "C7")
    found = find_opponent(state, seat, match[1], "C7")
    return found if isinstance(found, Refused) else IfWon(give=found)


def _edits(state: State, seat: str, power: Power, text: str) -> IfWon | Refused:
    """Read wishes for changed numbers, of which the first that can be fulfilled will be."""
    edits = all_read(_edit(state, seat, power, wish) for wish in _ELSE.split(text))
    if not isinstance(edits, Refused) and len(edits) > MOST_WISHES:
        return Refused("illegal", "Ten wishes are the most.", "C13")
    return edits if isinstance(edits, Refused) else IfWon(edits=edits)


def _edit(state: State, seat: str, power: Power, wish: str) -> Edit | Refused:
    match = _EDIT.fullmatch(wish)
    what = numbers.named(match[2]) if match else ""
    if match is None or not what:
        form = "if win double 20 in NAME; else halve 5 in NAME"
        return Refused("unreadable", f"Say which number, in digits or as half or double: {form}.", "C13")
    others = [one for one in state.powers if one.in_play and one != power and one.owner in ("", seat)]
    key = find_power(match[3], {one.key: one.name for one in others})
    if isinstance(key, phrases.Unread):
        return refuse(key, "C13")
    other = next(one for one in others if one.key == key)
    there = numbers.in_text(other.text)
    if what not in there:
        known = phrases.listed(there, "and") or "no number that can be changed"
        return Refused("illegal", f"There is no {what} in {other.name}. Its text has {known}.", "C13")
    return Edit(key, "double" if match[1].lower() == "double" else "halve", what)
