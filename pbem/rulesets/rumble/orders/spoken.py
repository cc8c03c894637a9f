"""Other words for the orders of a round, put into the forms of Rumble: the number first, verbs of people, no `use`."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

import msgspec

from pbem.ruleset import Refused, Speech, several_orders
from pbem.rulesets.rumble.genres import Genre, genre_of
from pbem.rulesets.rumble.model.names import find_living, find_own_power, pool_number
from pbem.rulesets.rumble.model.state import State
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
USES = ("use", "uses", "using", "activate", "activating", "trigger", "play", "cast", "zap", "blast", "unleash")
REST, ALL, HALF = "rest", "all", "half"
"""What stands for an amount; `shares` reckons it."""
_AMOUNTS = {
    REST: r"(?:all )?(?:of )?(?:the |my )?(?:rest|remainder|remaining|everything else|what(?:ever)?(?: is|'s) left)"
    r"(?: of (?:it|my [a-z]+)| [a-z]+)?",
    ALL: r"all(?: (?:(?:of )?my [a-z]+|of it|i have|i've got))?|everything(?: i have| i've got)?|full|100 ?%",
    HALF: r"half(?: (?:(?:of )?my [a-z]+|of it))?|50 ?%",
}
_EVERYONE = r"(?:everyone|everybody|each|all)(?: else| of them| (?:the )?others?| (?:of )?(?:my |the )?opponents?)?"
_PUT = r"(?:put|puts|putting|spend|spending|place|placing|allocate|invest|stick)"
_ON = r"(?:on|onto|at|against|vs\.?|upon)"
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
    return Speech(partial(_ways, state, seat), partial(_pieces, state), partial(_known, state))


def _known(state: State) -> frozenset[str]:
    """Return what slips of the fingers are mended to: words of orders and of names."""
    named = (*state.names.values(), *(power.name for power in state.powers))
    mine = (*reading.order_words(state), *reading.INNER_WORDS, *ATTACKS, *DEFENDS, *USES)
    return frozenset((*mine, *(word.casefold() for name in named for word in name.split())))


def _pieces(state: State, text: str) -> tuple[str, ...]:
    """Cut a line where all of it is attack and defence, or where each piece begins as an order does."""
    words = _words(genre_of(state.house))
    text = re.sub(rf"^((?:{words.attack})(?: on)?)\s*:\s*(?=\D)", r"\1 ", text, flags=re.IGNORECASE)
    pieces = several_orders(text)
    if len(pieces) == 1:
        pieces = tuple(re.split(r"(?<=[0-9])\s+(?=[^\W\d])", text))
    either = rf"(?:{words.attack}|{words.defend})\b"
    if not reading.begins_order(state, pieces[0]) or re.match(either, pieces[0], re.IGNORECASE):
        return pieces
    begins = re.compile(rf"(?:{_AMOUNTS[REST]})\b|{either}", re.IGNORECASE)
    return pieces if all(reading.begins_order(state, one) or begins.match(one) for one in pieces[1:]) else (text,)


def _ways(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say a text in the forms of orders, in every way that it may be meant; what is no name is refused by them."""
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
            rf"{goes} {_ON} {own}(?:{attack} (?:on )?)?(?P<on>.+?){each}",
            rf"{amount} (?P<bare>\S.*?){each}",
            rf"{attack}(?: with)? {amount}(?: {_ON})? (?P<on>.+?){each}",
            rf"{defend}(?: myself| me)?(?: (?:with|for|by|gets))?(?: {own})?{amount}",
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


def _uses(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say the use of a power in its form: without the verb, with another one, or with the power behind its target."""
    match = re.fullmatch(
        rf"(?:{_any_of((*USES, *ATTACKS))}) (.+?) (?:with|using) (?:my |the )?(.+)", text, re.IGNORECASE
    )
    if match and not isinstance(find_own_power(state, seat, match[2]), Refused):
        yield (f"use {match[2]} on {match[1]}",)
    bare = re.sub(rf"^(?:{_any_of(USES)})\s+(?:my |the )?", "", text, flags=re.IGNORECASE)
    if not _begins_with_own_power(state, seat, bare) or (bare == text and _is_power_alone(state, seat, text)):
        return
    cost = re.fullmatch(r"(.+?)(?: (?:with|for|at))?[ ,]+\(?([0-9]+)\)?(?: energy)?", bare, re.IGNORECASE)
    yield (f"use {bare}",)
    if cost:
        yield (f"use {cost[1]} spend {cost[2]}",)
        yield (f"use {cost[1]} burn {cost[2]}",)


def _is_power_alone(state: State, seat: str, text: str) -> bool:
    """Say whether a text is the name of a power and nothing else, as it may stand in any list."""
    return not isinstance(find_own_power(state, seat, text), Refused)


def _begins_with_own_power(state: State, seat: str, text: str) -> bool:
    if pool_number(text.split(" ", 1)[0]):
        return False  # as bids begin
    words = re.split(r"[\s,]+", text)
    begins = (" ".join(words[:length]) for length in range(1, min(len(words), 8) + 1))
    return any(len(begin) > 2 and not isinstance(find_own_power(state, seat, begin), Refused) for begin in begins)
