"""Other words for the orders of a round, put into the forms of Rumble: the number first, verbs of people, no `use`."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial

import msgspec

from pbem.ruleset import Refused, Speech, several_orders
from pbem.rulesets.rumble.genres import Genre, genre_of
from pbem.rulesets.rumble.model.names import GLUE, find_living, find_own_power
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders import reading

ATTACKS = (
    "attack", "attacks", "attacking", "att", "atk", "hit", "hits", "hitting", "punch", "punching", "smash", "smashing",
    "bash", "whack", "fight", "go for", "swing at",
)  # fmt: skip
DEFENDS = (
    "defend", "defends", "defending", "defence", "defense", "def", "guard", "guarding", "protect", "protecting",
    "protection",
)  # fmt: skip
"""What people say for the two verbs, in any genre; none of it is a word of an order, of a request or of a ruling."""
USES = (
    "use", "uses", "using", "activate", "activating", "trigger", "play", "cast", "zap", "blast", "unleash", "fire",
    "fire off", "shoot",
)  # fmt: skip
REST, ALL, HALF = "rest", "all", "half"
"""What stands for an amount; `shares` reckons it."""
_AMOUNTS = {
    REST: r"(?:all )?(?:of )?(?:the |my )?(?:rest|remainder|remaining|everything else|what(?:ever)?(?: is|'s) left)"
    r"(?: of (?:it|my [a-z]+)| [a-z]+)?",
    ALL: r"(?:go )?(?:all[ -]in|all(?: (?:(?:of )?my [a-z]+|of it|energy|i have|i've got))?"
    r"|everything(?: i have| i've got)?|full|fully|max|maximum|100 ?%)",
    HALF: r"half(?: (?:(?:of )?my [a-z]+|of it|energy))?|50 ?%",
}
_EVERYONE = (
    r"(?:everyone|everybody|each|all|them all)(?: else| of them| (?:the )?others?| (?:of )?(?:my |the )?opponents?)?"
)
_PUT = r"(?:put|puts|putting|spend|spending|place|placing|allocate|invest|stick|throw|throwing|use|using|send|sending)"
_ON = r"(?:on|onto|at|against|vs\.?|upon|[-=]>|\u2192|:)"
_IN = r"(?:on|in|into|to|for|as|towards?)"


class _Words(msgspec.Struct, frozen=True):
    """Patterns of what a genre calls things."""

    attack: str
    defend: str
    units: str


@lru_cache(maxsize=64)
def _words(genre: Genre) -> _Words:
    attacks = (*ATTACKS, *genre.orders.attack, genre.attack, genre.attacks, *genre.also.attack)
    defends = (*DEFENDS, *genre.orders.defend, genre.defence, genre.defending, *genre.also.defence)
    units = ("energy", "e", "en", "points", "point", "pts", genre.energy, genre.one_energy, *genre.also.energy)
    return _Words(*map(_any_of, (attacks, defends, units)))


def _any_of(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted({*words} - {""}, key=len, reverse=True))


def speech(state: State, seat: str) -> Speech:
    """Return how the orders of a round are said, besides in their forms."""
    hint = _hint(tuple(power.name for power in state.owned(seat)))
    return Speech(partial(_ways, state, seat), partial(_pieces, state), cache(partial(_known, state)), hint=hint)


@lru_cache(maxsize=256)
def _hint(powers: Sequence[str]) -> re.Pattern[str]:
    """Return what an order in other words has: a number, a share of all Energy, a word of a power or of a block."""
    words = {word for name in powers for word in re.findall(r"\w{3,}", name)} - GLUE
    said = "|".join((*_AMOUNTS.values(), _any_of([*words, "rest", "largest", "smallest", "evenly"])))
    return re.compile(rf"[0-9\u2460-\u2473\uff10-\uff19]|\b(?:{said})\b", re.IGNORECASE)


def _known(state: State) -> frozenset[str]:
    """Return what slips of the fingers are mended to: words of orders and of names."""
    named = (*state.names.values(), *(power.name for power in state.powers))
    mine = (*reading.order_words(state), *reading.INNER_WORDS, *ATTACKS, *DEFENDS, *USES)
    return frozenset((*mine, *(word.casefold() for name in named for word in name.split())))


def _pieces(state: State, text: str) -> tuple[str, ...]:
    """Cut a line where all of it is attack and defence, or where each piece begins as an order does."""
    words = _words(genre_of(state.house))
    text = re.sub(rf"\b((?:{words.attack}|{words.defend})(?: on)?)\s*:\s*", r"\1 ", text, flags=re.IGNORECASE)
    pieces = several_orders(text)
    if len(pieces) == 1:
        pieces = tuple(re.split(r"(?<=[0-9])\s+(?=[^\W\d])", text))
    either = rf"(?:{words.attack}|{words.defend})\b"
    if not reading.begins_order(state, pieces[0]) or re.match(either, pieces[0], re.IGNORECASE):
        return pieces
    begins = re.compile(rf"(?:{_AMOUNTS[REST]})\b|{either}", re.IGNORECASE)
    return pieces if all(reading.begins_order(state, one) or begins.match(one) for one in pieces[1:]) else (text,)


def _ways(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say a text in the forms of orders, in every way that it may be meant; a name of somebody is none of them."""
    if text.casefold() in {name.casefold() for name in state.names.values()}:
        return
    yield from _allocations(state, seat, text)
    yield from _uses(state, seat, text)


@lru_cache(maxsize=64)
def _forms(genre: Genre) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return how an allocation is said, each form with the word for its amount; "" where that is a number."""
    words = _words(genre)
    attack, defend = rf"(?:{words.attack})", rf"(?P<defend>{words.defend})"
    own, each = "(?:(?:my|the|an?) )?", "(?P<each> each| apiece)?"
    found: list[tuple[str, re.Pattern[str]]] = []
    for kind, pattern in {"": rf"(?P<number>[0-9]+) ?(?:{words.units})?", **_AMOUNTS}.items():
        amount = rf"(?:{pattern})(?P<every> each| apiece)?"
        goes = rf"(?:{_PUT} )?{amount}(?: goes| go|:)?"
        forms = (
            rf"{goes}(?: {_IN})? {own}{defend}(?: myself| me)?",
            rf"{goes} ?{_ON} {own}(?:{attack} (?:on )?)?(?P<on>.+?){each}",
            rf"{goes}(?: (?:to|for|in|into))? {own}{attack} (?:on )?(?P<on>.+?){each}",
            rf"{amount} (?P<bare>\S.*?){each}",
            rf"{attack}(?: with| for)? {amount}(?: {_ON})? (?P<on>.+?){each}",
            rf"{defend}(?: myself| me)?(?: ?[:=]| -)?(?: (?:with|for|by|gets))?(?: {own})?{amount}",
            rf"{attack}(?: (?:on|at|against))? (?P<on>.+?)(?: (?:with|for|by|gets|using))? {amount}{each}",
            rf"(?P<bare>\S.*?)(?: (?:gets|with))? {amount}{each}",
        )
        found += ((kind, re.compile(form, re.IGNORECASE)) for form in forms)
    return tuple(found)


def _allocations(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    for kind, form in _forms(genre_of(state.house)):
        if match := form.fullmatch(text):
            yield from _allocation(state, seat, match.groupdict(), kind or match["number"])


def _allocation(state: State, seat: str, said: dict[str, str | None], amount: str) -> Iterator[tuple[str, ...]]:
    """Say one allocation in its form, or each of several; without a verb only names that are written out count."""
    if said.get("defend"):
        yield (f"defend {amount}",)
        return
    whom = said.get("on") or said.get("bare") or ""
    if said.get("on") and re.fullmatch(_EVERYONE, whom, re.IGNORECASE):
        names = [hero.name for hero in state.living if hero.seat != seat]
        yield tuple(f"attack {name} {amount}" for name in names)
        return
    names = re.split(r"\s*,\s*(?:and )?|\s+(?:and|&|\+)\s+", re.sub(r"^both ", "", whom, flags=re.IGNORECASE))
    if said.get("bare") and any(len(name) < 3 and isinstance(_find_exactly(state, name), Refused) for name in names):
        return
    if len(names) > 1 and not said.get("each") and not said.get("every"):
        return
    if not any(isinstance(find_living(state, name), Refused) for name in names):
        yield tuple(f"attack {name} {amount}" for name in names)


def _find_exactly(state: State, name: str) -> str | Refused:
    """Find a hero by a name that is one, or a word of one, and no mere beginning."""
    said = name.casefold()
    found = [one for one in state.living if said in (one.name.casefold(), *one.name.casefold().split())]
    return str(found[0].seat) if len(found) == 1 else Refused("unreadable", "")


_AIM = re.compile(r"\s*(?:[-=]>|\u2192|:)\s*|\s+at\s+")
_PAID = re.compile(
    rf"(?:(?P<kind>burn|spend)|{_PUT})?\s*(?P<cost>[0-9]+)(?: energy)? (?:on|for|into|in) (?:my |the )?(?P<use>.+)",
    re.IGNORECASE,
)
_KINDS = re.compile(r"\b(?:spend|burn)\b", re.IGNORECASE)
_COST = re.compile(r"(?P<use>.+?)(?: (?:with|for))?[ ,]+\(?(?P<cost>[0-9]+)\)?(?: energy)?", re.IGNORECASE)


def _uses(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say the use of a power in its form: without the verb, with another one, or with the power behind its target."""
    verbs = re.match(rf"(?:{_any_of((*USES, *ATTACKS))}) (.+?) (?:with|using) (?:my |the )?(.+)", text, re.IGNORECASE)
    if verbs and not isinstance(find_own_power(state, seat, verbs[2]), Refused):
        yield (f"use {verbs[2]} on {verbs[1]}",)
    bare = re.sub(rf"^(?:{_any_of(USES)})\s+(?:my |the |power )?", "", text, flags=re.IGNORECASE)
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
