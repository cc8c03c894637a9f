"""Whether what is wished for a power that one wins can be; reads no words."""

from typing import Literal

from pbem.ruleset import Refused, phrases
from pbem.rulesets.rumble.model.names import find_opponent
from pbem.rulesets.rumble.model.order import Bid
from pbem.rulesets.rumble.model.state import IfWon, Power, State
from pbem.rulesets.rumble.powers.language import lines, numbers
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs

MOST_WISHES = 10


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


def settled(state: State, seat: str, bid: Bid) -> Bid | Refused:
    """Return the bid, or why what is wished if it wins cannot be. Rule: B17, C7, C13."""
    if bid.won == IfWon():
        return bid
    power = state.card(bid.power)
    choice = choice_of(power)
    if not choice:
        because = f"{power.name} asks for no choice when it is won, as far as formal lines say. Leave out if win."
        return Refused("illegal", because, "B17")
    if choice == "give" and not is_handed_on(state):
        return Refused("illegal", f"In this game {power.name} stays with whoever wins it. Leave out if win.", "C6")
    if bid.discard == "yes":
        return Refused("illegal", "What you discard at once does nothing. Leave out discard, or if win.", "B17")
    if choice == "give":
        return _given(state, seat, bid)
    return _edited(state, seat, power, bid)


def _given(state: State, seat: str, bid: Bid) -> Bid | Refused:
    if not bid.won.give:
        return Refused("unreadable", "Say who gets it: if win give to NAME.", "C7")
    found = find_opponent(state, seat, state.names[bid.won.give], "C7")
    return found if isinstance(found, Refused) else bid


def _edited(state: State, seat: str, power: Power, bid: Bid) -> Bid | Refused:
    if not bid.won.edits:
        form = "if win double 20 in NAME; else halve 5 in NAME"
        return Refused("unreadable", f"Say which number, in digits or as half or double: {form}.", "C13")
    if len(bid.won.edits) > MOST_WISHES:
        return Refused("illegal", "Ten wishes are the most.", "C13")
    for edit in bid.won.edits:
        other = state.card(edit.power)
        there = numbers.in_text(other.text)
        if edit.what not in there or other == power:
            known = phrases.listed(there, "and") or "no number that can be changed"
            return Refused("illegal", f"There is no {edit.what} in {other.name}. Its text has {known}.", "C13")
    return bid
