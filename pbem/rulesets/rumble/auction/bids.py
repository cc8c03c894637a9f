"""Reads bids, each line by itself; decides nothing."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial

from pbem.ruleset import OrderLine, Parsed, Refused, Speech, all_read, phrases, read_lines, refuse
from pbem.rulesets.rumble.auction import wishes
from pbem.rulesets.rumble.auction.wishes import choice_of, is_handed_on
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import find_power
from pbem.rulesets.rumble.model.order import Bid, Wish
from pbem.rulesets.rumble.model.state import MOST_BID, Power, State

_OFFER = (
    r"(?:bid|bids|bidding|offer|offers|offering|pay|give|max|maximum|go(?: up)? to|up to|raise to|increase to"
    r"|make it|make that)"
)
_BETWEEN = re.compile(r"(?:\s*(?:[;,&+/|]|\band\b)\s*)+(?!then\b|if\b)(?=\w)", re.IGNORECASE)
_AMOUNT = re.compile(r"[0-9\u2460-\u2473\uff10-\uff19]")
FORM = "Write bid NAME 20, or bid NAME 20 then 25 for what you bid if tied."


def parse(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Bid]:
    """Read the bids of a seat, each by itself; a number alone is one where it is all that somebody says."""
    said = [line.text.strip() for line in lines if line.text.strip()]
    is_bare = len(said) == 1 and not said[0].endswith(".")
    speech = Speech(partial(_ways, state, seat, is_bare=is_bare), _pieces, cache(partial(_known, state)), hint=_AMOUNT)
    return read_lines(lines, lambda text: read_line(state, seat, text), speech=speech)


def _pieces(text: str) -> tuple[str, ...]:
    """Cut a line between bids; what stands behind a `then` belongs to the bid before it."""
    if re.search(phrases.OPEN, text, re.IGNORECASE):
        return (text,)
    pieces = tuple(piece for piece in _BETWEEN.split(text) if piece)
    return pieces if len(pieces) > 1 else tuple(re.split(r"(?<=[0-9])\s+(?=[^\W\d])(?!then\b)", text))


def _known(state: State) -> frozenset[str]:
    """Return what slips of the fingers are mended to."""
    names = (word.casefold() for power in state.pool() for word in power.name.split())
    return frozenset(("bid", "bids", "offer", "discard", "keep", *names))


def _ways(state: State, seat: str, text: str, *, is_bare: bool) -> Iterator[tuple[str, ...]]:
    """Say a bid in its form: the number first, a power and a number alone, a number alone where one power is tied."""
    if text.casefold() in {name.casefold() for name in (*state.names.values(), *(one.name for one in state.powers))}:
        return
    text = re.sub(r",?\s+([0-9]+) if (?:(?:it'?s|it is|we are|i'?m|there is) )?(?:a )?tied?$", r" then \1", text)
    tied = [power.name for power in state.pool() if seat in state.ties.get(power.key, ())]
    bare = re.fullmatch(rf"(?:{_OFFER} )?([0-9]+)(?: energy)?", text, re.IGNORECASE)
    if bare and (is_bare or not text[0].isdigit()) and state.phase == "rebid" and len(tied) == 1:
        yield (f"bid {tied[0]} {bare[1]}",)
    if re.match(r"\w[^,;]*?[0-9]+\b", text):
        yield (f"bid {text}",)
    if said := re.fullmatch(rf"(?:{_OFFER} )?([0-9]+)(?: energy)? (?:(?:on|for) )?(.+)", text, re.IGNORECASE):
        yield (f"bid {said[2]} {said[1]}",)
    if said := re.fullmatch(rf"(?:{_OFFER} )?(.+?)(?: for| with| at| gets)? ([0-9]+)(?: energy)?", text, re.IGNORECASE):
        yield (f"bid {said[1]} {said[2]}",)


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
