"""Reads bids, each line by itself; decides nothing."""

import re
from collections.abc import Sequence

from pbem.ruleset import OrderLine, Parsed, Refused, Same, all_read, phrases, read_lines, refuse
from pbem.rulesets.rumble.auction import spoken, wishes
from pbem.rulesets.rumble.auction.wishes import choice_of, is_handed_on
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import find_power
from pbem.rulesets.rumble.model.order import Bid, Wish
from pbem.rulesets.rumble.model.state import MOST_BID, Power, State

FORM = "Write bid NAME 20, or bid NAME 20 then 25 for what you bid if tied."


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Bid]:
    """Read the bids of a seat, each by itself; what it bids on all that no other line names, once these are read."""
    said = [line.text.strip() for line in lines if line.text.strip()]
    is_bare = len(said) == 1 and not said[0].endswith(".")

    def read(text: str) -> Bid | spoken.Others | Refused:
        return spoken.read_others(text) or read_line(state, seat, text)

    speech = spoken.speech(state, seat, is_bare=is_bare)
    found: Parsed[Bid | spoken.Others] = read_lines(lines, read, speech=speech, as_of=(Same(state), seat, is_bare))
    return spoken.reckoned(state, seat, found)


def read_line(state: State, seat: str, text: str) -> Bid | Refused:
    """Read one line of the auction or of a rebid. Rule: R18; one bid a line; N14."""
    genre = genre_of(state.house)
    text = genre.hear_order(text)
    found = _read(state, seat, text)
    if isinstance(found, Refused) and genre.hear_amount(text) != text:
        again = _read(state, seat, genre.hear_amount(text))
        found = found if isinstance(again, Refused) else again
    several = re.match(
        r"((?:bids?|P[0-9]+)\b.*?[0-9])(?:\s+discard)?\s*(?:[,;]|\band\b)\s*(?!then\b|if\b)\w.*\s[0-9]+$",
        text,
        re.IGNORECASE,
    )
    if isinstance(found, Refused) and several:
        return Refused("unreadable", f"Write one bid a line: {several[1]}; and the rest on lines of their own.", "R18")
    return found


def _read(state: State, seat: str, text: str) -> Bid | Refused:
    """
    Read one bid.

    Rule: R18, B1 (each bid 0 to 100), B2 (sealed replacements), R22 (discard), B17 (choices).
    """
    text, wish = wishes.without_wish(text)
    match = re.match(r"bids?\s*:?\s+(?:on\s+)?(.+)$", text, re.IGNORECASE)
    if not match and re.match(r"if\s+(?:I\s+)?w[io]n\b", text, re.IGNORECASE):
        because = "Write that behind its bid, with a comma: bid NAME 5, if win give to NAME."
        return Refused("unreadable", because, "B17")
    if not match:
        return Refused("unreadable", f"I cannot read this as a bid, and now only bids count. {FORM}", "R18")
    rest, discard = _discard(match[1].strip())
    first, *then = re.split(r",?\s+then\s+", rest, flags=re.IGNORECASE)
    forms = (
        r"(?P<amount>-?[0-9][0-9.,]*)\s+(?:on|for)\s+(?P<power>.+)$",
        r"(?P<power>.+?)[\s:=]+(?P<amount>-?[0-9][0-9.,/]*)(?:\s+energy)?$",
    )
    parts = next((found for form in forms if (found := re.match(form, first, re.IGNORECASE))), None)
    if parts is None:
        return Refused("unreadable", f"Say how much you bid. {FORM}", "R18")
    power = _power(state, seat, parts["power"])
    if isinstance(power, Refused):
        return power
    amounts = all_read(map(_amount, (parts["amount"], *then)))
    if isinstance(amounts, Refused):
        return amounts
    bid = _checked(state, power, amounts, discard)
    return bid if isinstance(bid, Refused) or not wish else wishes.read(state, seat, bid, wish)


def _amount(text: str) -> int | Refused:
    amount = phrases.number(re.sub(r"\s+energy$", "", text, flags=re.IGNORECASE), most=MOST_BID)
    return refuse(amount, "B1") if isinstance(amount, phrases.Unread) else amount


def _discard(text: str) -> tuple[str, Wish]:
    if match := re.search(r"[,\s]+(?:and\s+)?(maybe[- ]|might[- ])?discard$", text, re.IGNORECASE):
        return text[: match.start()], "maybe" if match[1] else "yes"
    kept = re.search(r"(?<=[0-9])[,\s]+(?:and\s+)?keep(?:\s+it)?$", text, re.IGNORECASE)
    return (text[: kept.start()], "no") if kept else (text, "")


def _power(state: State, seat: str, text: str) -> Power | Refused:
    found = find_power(text, {power.key: power.name for power in state.pool()})
    if isinstance(found, phrases.Unread):
        return refuse(found, "R18")
    power = state.card(found)
    if state.phase == "rebid" and seat not in state.ties.get(found, ()):
        yours = [p.name for p in state.pool() if seat in state.ties.get(p.key, ())]
        again = phrases.listed(yours, "and")
        return Refused("illegal", f"You are not tied for {power.name}. You bid again on {again}.", "R20")
    return power


def _checked(state: State, power: Power, amounts: tuple[int, ...], discard: Wish) -> Bid | Refused:
    if discard and power.kind == "flaw":
        return Refused("illegal", f"{power.name} is a Flaw; a Flaw cannot be discarded.", "B6")
    waits = state.house.get("maybe_discard") == "waits"
    if discard == "maybe" and state.house["late_discard"] == "no" and not waits:
        return Refused("illegal", "In this game that cannot wait for a round: say discard, or leave it out.", "B6")
    if discard == "maybe" and choice_of(power) == "give" and is_handed_on(state):
        because = f"Whoever wins {power.name} hands it on at once. Say discard, or leave it out."
        return Refused("illegal", because, "N8")
    if discard == "no" and state.phase == "auction":
        discard = ""  # nothing was wished yet
    if len(amounts) > 1 and state.house["ties"] in ("shared", "random"):
        return Refused("illegal", "Ties are not bid out in this game, so then has no meaning. Leave it out.", "B2")
    if len(amounts) > 10:
        return Refused("illegal", "Ten bids on one power are the most.", "B2")
    return Bid(power.key, amounts[0], amounts[1:], discard)
