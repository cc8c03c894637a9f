"""Other words for the orders of a round, put into the forms of Rumble: the number first, verbs of people, no `use`."""

import re
import string
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial

from pbem.ruleset import Refused, Speech, amounts, phrases, several_orders
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import GLUE, find_own_power
from pbem.rulesets.rumble.model.order import Attack, Defend, Hold, Idle
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
    return Speech(partial(_ways, state, seat), partial(_pieces, state, seat), cache(partial(_known, state)), hint=hint)


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


def _pieces(state: State, seat: str, text: str) -> tuple[str, ...]:
    """Cut a line, but no name, where all of it is attack and defence, or where each piece begins as an order does."""
    if _is_name(state, text):
        return (text,)
    words = words_of(genre_of(state.house))
    if _SCORE.fullmatch(text) and not re.search(rf"\b(?:{words.attack}|{words.defend}|{SHORT})\b", text, re.IGNORECASE):
        return (text,)
    text = re.sub(rf"\b((?:{words.attack}|{words.defend})(?: on)?)\s*:\s*", r"\1 ", text, flags=re.IGNORECASE)
    pieces = _cut(state, text)
    if len(pieces) == 1 and not re.search(phrases.OPEN, text, re.IGNORECASE):
        pieces = amounts.at_amounts(text, words.known)
    pieces = tuple(_repeating(state, seat, pieces, words.known))
    either = rf"(?:{words.attack}|{words.defend})\b"
    if not reading.begins_order(state, pieces[0]) or re.match(either, pieces[0], re.IGNORECASE):
        return pieces
    begins = re.compile(rf"(?:{AMOUNTS[REST]})\b|{either}", re.IGNORECASE)
    rest = [one.removeprefix(_ALSO) for one in pieces[1:]]
    return pieces if all(reading.begins_order(state, one) or begins.match(one) for one in rest) else (text,)


def _cut(state: State, text: str) -> tuple[str, ...]:
    """Cut a text at everything that people put between orders, but no name."""
    masked = _without_names(state, text)
    pieces: list[str] = []
    at = 0
    for piece in several_orders(masked):
        at = masked.index(piece, at)
        pieces.append(text[at : at + len(piece)])
        at += len(piece)
    return tuple(pieces)


def _without_names(state: State, text: str) -> str:
    """Put letters in place of the names that have more than letters in them; everything else keeps its place."""
    named = (*state.names.values(), *(power.name for power in state.powers))
    names = amounts.any_of(name for name in named if not name.isalpha())
    return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda name: "x" * len(name[0]), text, flags=re.IGNORECASE)


def _repeating(state: State, seat: str, pieces: Sequence[str], known: amounts.Vocabulary) -> Iterator[str]:
    """Say an amount that stands alone, `another 5`, as what it adds to: the one order right before it."""
    last = ""
    for piece in pieces:
        more = _ALONE.fullmatch(phrases.without_stop(piece))
        amount = known.amount.fullmatch(more["before"] or more["behind"]) if more else None
        if amount is None:
            last = piece
            yield piece
        else:
            yield _with_amount(state, seat, last, amount[0]) or piece


def _with_amount(state: State, seat: str, text: str, amount: str) -> str:
    """Return what adds an amount to the last order of a text; "" where that has no amount, or more than one."""
    while len(pieces := _cut(state, text)) > 1:
        text = pieces[-1]
    found = list(words_of(genre_of(state.house)).known.amount.finditer(_without_names(state, text)))
    ways = ((text,), *_ways(state, seat, text))
    read = {type(reading.read_order(state, seat, line)) for way in ways for line in way} - {Refused}
    if len(found) != 1 or not read or not read <= _ADDING:
        return ""
    return f"{_ALSO}{text[: found[0].start()]}{amount}{text[found[0].end() :]}"


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
_ALONE = re.compile(
    r"(?:another|an? (?:extra|additional|further)) (?P<before>.+)|(?P<behind>[0-9]+) more", re.IGNORECASE
)
"""The same without what it adds to, which stands right before it: `attack Bob 20 and another 5`."""
_ALSO = "also "
_ADDING = {Attack, Defend, Hold, Idle}
"""The orders that add up where there are several on one thing."""


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
