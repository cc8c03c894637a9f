"""One allocation in whatever words and order: an amount, a verb or none, a name, and words that say nothing else."""

import re
from collections.abc import Iterator
from functools import lru_cache, partial

import msgspec

from pbem.ruleset import Refused, amounts
from pbem.rulesets.rumble.genres import Genre, genre_of
from pbem.rulesets.rumble.model.names import find_living, written
from pbem.rulesets.rumble.model.state import State

ATTACKS = (
    "attack", "attacks", "attacking", "att", "atk", "hit", "hits", "hitting", "punch", "punching", "smash", "smashing",
    "bash", "whack", "fight", "fighting", "go for", "going for", "go after", "swing at", "aim at", "kick", "slam",
    "clobber", "pummel", "thump", "target", "targeting", "assault", "pound", "angriff", "angreifen", "greife", "greif",
    "attaque", "attaquer", "ataco", "atacar", "ataque", "aanval", "aanvallen",
)  # fmt: skip
DEFENDS = (
    "defend", "defends", "defending", "defence", "defense", "defences", "defenses", "defensive", "def", "guard",
    "guarding", "protect", "protecting", "protection", "verteidige", "verteidigen", "verteidigung", "défense",
    "défends", "défendre", "defensa", "defiendo", "defender", "verdedig", "verdedigen", "verdediging",
)  # fmt: skip
"""What people say for the two verbs, in any genre; none of it is a word of an order, of a request or of a ruling."""
SHORT = "d"
"""Defence by its first letter, where nobody is called so."""
REST, ALL, HALF = "rest", "all", "half"
"""What stands for an amount; `shares` reckons it."""
AMOUNTS = {
    REST: r"(?:all )?(?:of )?(?:the |my )?(?:rest|remainder|remaining|everything else|leftovers?|anything left"
    r"|what(?:ever)?(?: is|'s) left(?: over)?)(?: of (?:it|my [a-z]+)| energy| points)?",
    ALL: r"(?:go )?(?:all[ -]in|all(?: (?:(?:of )?my [a-z]+|of it|energy|i have|i've got))?"
    r"|everything(?: i have| i've got)?|full|fully|max|maximum|alles|100 ?%)",
    HALF: r"(?:one |the other |another |other )?half(?: (?:(?:of )?my [a-z]+|of it|energy))?|50 ?%",
}
_EVERYONE = re.compile(
    r"(?P<pronoun>each|all|them all)|(?:everyone|everybody|all|each)(?: else| of them| (?:the )?others?"
    r"| (?:of )?(?:my |the )?opponents?)?",
    re.IGNORECASE,
)
_GIVES = ("give", "giving", "to", "for", "into", "für", "pour", "para", "voor")
"""What may lead to whom Energy is given, where there is somebody who can give it."""
_KEEPS = ("keep", "keeping", "save", "saving", "reserve", "hold", "holding", "leave", "leaving")
_IDLE = ("idle", "unused", "unspent", "unallocated")
_SELF = ("me", "myself", "self")
EACH = ("each", "apiece")
SAYS_NOTHING = frozenset((*amounts.AIMS, *amounts.FILLERS))
"""Words to which no slip of the fingers is mended, since nothing would be left of it."""
_FOR = re.compile(r"for\s", re.IGNORECASE)
"""How a line of a moderator's begins, who writes orders for somebody."""
_BOXED = re.compile(r"[(\[]\s*[0-9]")
"""A number in brackets, which behind a name alone is none of an order: our letters count so."""
_WHEN = re.compile(r"\b(?:at|by|on|around|until|till) [0-9]{1,2}\b", re.IGNORECASE)
"""A number that is a time or a day rather than an amount, where nothing says what is done: `Bob at 8`."""
_GIVING = re.compile(r"\b(?:gives?|gifts?|gain|gains|lend|heals?|transfers?)\b", re.IGNORECASE)


class Words(msgspec.Struct, frozen=True):
    """Patterns of what a genre calls the two verbs, and all words that may stand around a name."""

    attack: str
    defend: str
    known: amounts.Vocabulary


@lru_cache(maxsize=64)
def words_of(genre: Genre) -> Words:
    """Return how the words of a genre, and everybody's, are found."""
    attack = amounts.any_of((*ATTACKS, *genre.orders.attack, genre.attack, genre.attacks, *genre.also.attack))
    defend = amounts.any_of((*DEFENDS, *genre.orders.defend, genre.defence, genre.defending, *genre.also.defence))
    words = {
        "aim": amounts.AIMS,
        "give": _GIVES,
        "keep": _KEEPS,
        "idle": _IDLE,
        "me": _SELF,
        "each": EACH,
        "nothing": amounts.FILLERS,
    }
    kinds = {kind: amounts.any_of(said) for kind, said in words.items()}
    kinds = {"attack": attack, "defend": f"{defend}|{SHORT}", **kinds}
    units = (genre.energy, genre.one_energy, *genre.also.energy)
    return Words(attack, defend, amounts.vocabulary(units, kinds, AMOUNTS))


def allocations(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """
    Say a text in the forms of allocations, in every way that it may be meant.

    Shape: whatever is no amount, no name and none of the words that are known here is nothing that is read.
    """
    words = words_of(genre_of(state.house))
    is_boxed = _BOXED.search(text) is not None
    text = amounts.plain(text, state.names.values(), words.attack)
    found = amounts.meant(text, words.known, partial(_is_called, state))
    meant = [one for one in found if not (one.name and _FOR.match(text))]
    if is_boxed and not any(one.said & {"attack", "aim", "defend"} for one in meant):
        return
    for one in meant:
        if one.said & {"attack", "defend"} or not _WHEN.search(text):
            yield from _allocation(state, seat, one.said, one.name, one.amount)


def _allocation(state: State, seat: str, said: frozenset[str], whom: str, amount: str) -> Iterator[tuple[str, ...]]:
    """Say one allocation in its form, or each of several; without a verb only names that are written out count."""
    if "defend" in said:
        if not said & {"attack", "each"} and whom.casefold() in ("", state.names[seat].casefold()):
            yield (f"defend {amount}",)
        return
    if "idle" in said:
        if not said & {"attack", "each"} and whom.casefold() in ("", state.names[seat].casefold()):
            yield ("idle" if amount == REST else f"idle {amount}",)
        return
    if not whom or said & {"me", "keep"} or ("give" in said and "attack" not in said and _can_give(state, seat)):
        return
    if everyone := _EVERYONE.fullmatch(whom):
        if said & {"attack", "aim"} or not everyone["pronoun"]:
            yield tuple(f"attack {written(one.seat, state.names)} {amount}" for one in state.living if one.seat != seat)
        return
    names = re.split(r"\s*,\s*(?:and )?|\s+(?:and|&|\+)\s+", re.sub(r"^both ", "", whom, flags=re.IGNORECASE))
    if not said & {"attack", "aim", "give"} and any(len(name) < 3 and not _is_called(state, name) for name in names):
        return
    if len(names) > 1 and "each" not in said:
        return
    if not said & {"attack", "aim"} and state.names[seat].casefold() in map(str.casefold, names):
        return
    found = [find_living(state, name) for name in names]
    if not any(isinstance(one, Refused) and one.fault == "unreadable" for one in found):
        yield tuple(
            f"attack {name if isinstance(one, Refused) else written(one, state.names)} {amount}"
            for one, name in zip(found, names, strict=True)
        )


def _can_give(state: State, seat: str) -> bool:
    """Say whether a seat has a power with which it may give something to others."""
    return any(_GIVING.search(power.text) for power in state.owned(seat))


def _is_called(state: State, name: str) -> bool:
    """Say whether one hero alone has a name that is this, or has this word, which is no mere beginning."""
    said = name.casefold()
    return sum(said in (one.name.casefold(), *one.name.casefold().split()) for one in state.living) == 1
