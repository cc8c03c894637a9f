"""Other words for the orders of a round, put into the forms of Rumble: the number first, verbs of people, no `use`."""

import re
import string
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial

from pbem.ruleset import Refused, Speech, amounts, phrases, several_orders
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import GLUE, find_own_power
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders import reading
from pbem.rulesets.rumble.orders.worded import (
    AMOUNTS,
    ATTACKS,
    DEFENDS,
    REST,
    SAYS_NOTHING,
    SHORT,
    allocations,
    words_of,
)

USES = (
    "use", "uses", "using", "activate", "activating", "trigger", "play", "cast", "zap", "blast", "unleash", "fire",
    "fire off", "shoot",
)  # fmt: skip
_PUT = r"(?:put|puts|putting|spend|spending|place|placing|allocate|invest|stick|throw|throwing|use|using|send|sending)"


def speech(state: State, seat: str) -> Speech:
    """Return how the orders of a round are said, besides in their forms."""
    hint = _hint(tuple(power.name for power in state.owned(seat)))
    return Speech(partial(_ways, state, seat), partial(_pieces, state), cache(partial(_known, state)), hint=hint)


@lru_cache(maxsize=256)
def _hint(powers: Sequence[str]) -> re.Pattern[str]:
    """Return what an order in other words has: a number, a share of all Energy, a word of a power or of a block."""
    words = {word for name in powers for word in re.findall(r"\w{3,}", name)} - GLUE
    said = "|".join(
        (*AMOUNTS.values(), amounts.any_of([*words, *amounts.NUMBERS, "rest", "largest", "smallest", "evenly"]))
    )
    return re.compile(rf"[0-9\u2460-\u2473\uff10-\uff19]|\b(?:{said})\b", re.IGNORECASE)


def _known(state: State) -> frozenset[str]:
    """Return what slips of the fingers are mended to: words of orders and of names."""
    named = (*state.names.values(), *(power.name for power in state.powers))
    mine = (*reading.order_words(state), *reading.INNER_WORDS, *ATTACKS, *DEFENDS, *USES)
    empty = SAYS_NOTHING - reading.order_words(state) - {*USES}
    return frozenset((*mine, *(word.casefold() for name in named for word in name.split()))) - empty


def _pieces(state: State, text: str) -> tuple[str, ...]:
    """Cut a line, but no name, where all of it is attack and defence, or where each piece begins as an order does."""
    if _is_name(state, text):
        return (text,)
    words = words_of(genre_of(state.house))
    if _SCORE.fullmatch(text) and not re.search(rf"\b(?:{words.attack}|{words.defend}|{SHORT})\b", text, re.IGNORECASE):
        return (text,)
    text = re.sub(rf"\b((?:{words.attack}|{words.defend})(?: on)?)\s*:\s*", r"\1 ", text, flags=re.IGNORECASE)
    if both := _BOTH.fullmatch(text):
        return (both["first"], f"also {both['what']}{both['more'] or both['again']}")
    pieces = several_orders(text)
    if len(pieces) == 1 and not re.search(phrases.OPEN, text, re.IGNORECASE):
        pieces = amounts.at_amounts(text, words.known)
    either = rf"(?:{words.attack}|{words.defend})\b"
    if not reading.begins_order(state, pieces[0]) or re.match(either, pieces[0], re.IGNORECASE):
        return pieces
    begins = re.compile(rf"(?:{AMOUNTS[REST]})\b|{either}", re.IGNORECASE)
    return pieces if all(reading.begins_order(state, one) or begins.match(one) for one in pieces[1:]) else (text,)


def _ways(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say a text in the forms of orders, in every way that it may be meant; a name of somebody is none of them."""
    if _is_name(state, text):
        return
    if more := _MORE.fullmatch(text):
        said = f"{more['before'] or ''} {more['said']}".strip()
        yield from (tuple(f"also {one}" for one in way) for way in _ways(state, seat, said))
        return
    yield from allocations(state, seat, text)
    yield from _uses(state, seat, text)


_MORE = re.compile(
    r"(?:and |plus )?(?:(?:also|plus|another|an? (?:extra|additional|further))\b,?|(?P<before>\w+) another)"
    r" (?P<said>.+)",
    re.IGNORECASE,
)
"""What is to be added to an amount that was said before: `another 5 on Bob`, `attack another 5 on Bob`."""
_BOTH = re.compile(
    r"(?P<first>(?P<what>.*[^\W\d].*?)\b[0-9]+),? (?:and|plus)"
    r" (?:(?:another|an? (?:extra|additional|further)) (?P<more>[0-9]+)|(?P<again>[0-9]+) more)",
    re.IGNORECASE,
)
"""The same behind what it is added to: `attack Bob 20 and another 5`."""


def _is_name(state: State, text: str) -> bool:
    """Say whether a text is nothing but somebody's name, also in brackets, in quotation marks or before a colon."""
    said, *names = (phrases.plain(one.strip(_MARKS)) for one in (text, *state.names.values()))
    return said in names


_SCORE = re.compile(r"\D+ [0-9]\s*(?:[,;/&+-]|\band\b)\s*[^\W\d]\D* [0-9][.!]*", re.IGNORECASE)
"""A score between two, `Cy 2, Bob 1`, which nobody attacks with."""
_MARKS = string.punctuation + string.whitespace


_AIM = re.compile(r"\s*(?:[-=]>|\u2192|:)\s*|\s+at\s+")
_PAID = re.compile(
    rf"(?:(?P<kind>burn|spend)|{_PUT})?\s*(?P<cost>[0-9]+)(?: energy)? (?:on|for|into|in) (?:my |the )?(?P<use>.+)",
    re.IGNORECASE,
)
_KINDS = re.compile(r"\b(?:spend|burn)\b", re.IGNORECASE)
_COST = re.compile(r"(?P<use>.+?)(?: (?:with|for))?[ ,]+\(?(?P<cost>[0-9]+)\)?(?: energy)?", re.IGNORECASE)


def _uses(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say the use of a power in its form: without the verb, with another one, or with the power behind its target."""
    verbs = re.match(
        rf"(?:{amounts.any_of((*USES, *ATTACKS))}) (.+?) (?:with|using) (?:my |the )?(.+)", text, re.IGNORECASE
    )
    if verbs and not isinstance(find_own_power(state, seat, verbs[2]), Refused):
        yield (f"use {verbs[2]} on {verbs[1]}",)
    bare = re.sub(rf"^(?:{amounts.any_of(USES)})\s+(?:my |the |power )?", "", text, flags=re.IGNORECASE)
    paid = _PAID.fullmatch(text)
    if paid and _begins_with_own_power(state, seat, paid["use"]):
        kinds = (paid["kind"],) if paid["kind"] else _kinds(state, seat, paid["use"])
        yield from ((f"use {paid['use']} {kind} {paid['cost']}",) for kind in kinds)
    if not _begins_with_own_power(state, seat, bare) or (bare == text and _is_power_alone(state, seat, text)):
        return
    aimed = _AIM.sub(" on ", bare, count=1)
    yield from ((f"use {one}",) for one in dict.fromkeys((bare, aimed)))
    if cost := _COST.fullmatch(aimed):
        yield from ((f"use {cost['use']} {kind} {cost['cost']}",) for kind in _kinds(state, seat, cost["use"]))


def _kinds(state: State, seat: str, text: str) -> tuple[str, ...]:
    """Return what the cost of a use may be, by what the text of the power speaks of."""
    found = {word.casefold() for card in _own_powers(state, seat, text) for word in _KINDS.findall(card.text)}
    return tuple(sorted(found)) or ("burn", "spend")


def _own_powers(state: State, seat: str, text: str) -> list[Power]:
    """Return the powers of one's own that the words may be with which a text begins."""
    words = re.split(r"[\s,]+", text)
    begins = (" ".join(words[:length]) for length in range(1, min(len(words), 8) + 1))
    found = (find_own_power(state, seat, begin) for begin in begins if len(begin) > 2)
    return [power for power in found if not isinstance(power, Refused)]


def _is_power_alone(state: State, seat: str, text: str) -> bool:
    """Say whether a text is the name of a power and nothing else, as it may stand in any list."""
    return not isinstance(find_own_power(state, seat, text), Refused)


def _begins_with_own_power(state: State, seat: str, text: str) -> bool:
    if re.fullmatch(r"P[0-9]+\s*[:=]?\s*[0-9]+", text, re.IGNORECASE):
        return False  # as bids are
    return bool(_own_powers(state, seat, text))
