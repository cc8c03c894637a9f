"""One allocation in whatever words and order: an amount, a verb or none, a name, and words that say nothing else."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from pbem.ruleset import Refused
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
_UNITS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS = {word: value for value, word in enumerate(_UNITS, 2)} | {
    f"{tens}{between}{unit}": 10 * place + number
    for place, tens in enumerate(_TENS, 2)
    for number, unit in enumerate(("", "one", *_UNITS[:8]))
    for between in ((" ", "-") if unit else ("",))
} | {"a hundred": 100, "one hundred": 100, "hundred": 100}  # fmt: skip
"""Whole numbers in words; not `one`, which is somebody as often as a number."""
_AIMS = (
    "on",
    "onto",
    "at",
    "against",
    "vs",
    "versus",
    "upon",
    "auf",
    "gegen",
    "sur",
    "contre",
    "contra",
    "op",
    "tegen",
)
_GIVES = ("give", "giving", "to", "for", "into", "für", "pour", "para", "voor")
"""What may lead to whom Energy is given, where there is somebody who can give it."""
_KEEPS = ("keep", "keeping", "save", "saving", "reserve", "hold", "holding", "leave", "leaving")
_SELF = ("me", "myself", "self")
_EACH = ("each", "apiece")
_FILLERS = (
    "my", "the", "a", "an", "with", "in", "of", "by", "as", "using", "toward", "towards", "put", "puts", "putting",
    "spend", "spends", "spending", "place", "placing", "allocate", "allocating", "allocation", "assign", "invest",
    "commit", "devote", "stick", "throw", "throwing", "use", "send", "sending", "pour", "bet", "go", "goes", "going",
    "get", "gets", "getting", "i", "i'd", "i'll", "i'm", "will", "shall", "would", "like", "want", "let", "is", "are",
    "be", "am", "w", "please", "strength", "mit", "die", "den", "avec", "la", "le", "con", "en", "met", "de",
)  # fmt: skip
SAYS_NOTHING = frozenset((*_AIMS, *_FILLERS))
"""Words to which no slip of the fingers is mended, since nothing would be left of it."""
_ENERGY = ("energy", "e", "en", "points", "point", "pts", "pt")
_QUOTED = re.compile(r"\"|(?<!\w)'|'(?!\w)|[(\[{](?=\s*\w)|(?<=[\w.!])[)\]}]")
_ARROW = re.compile(r"[-=]+>|[\u2192\u21d2\u2794\u279c]|\.{2,}")
_SIGN = re.compile(
    r"(?<![0-9])\s*[:;=|!/>]|[:;=|!/>](?!\s*[0-9])|\s-+(?=\s)|(?<=[^\W\d])-(?=[0-9])|(?<=[0-9])-(?=[^\W\d])",
)
_COMMA = re.compile(r"(?<![0-9]),|,(?![0-9])")
_STOP = re.compile(r"(?<=[^\W\d])\.(?=\s|$)")
_GLUED = re.compile(r"(?<=[^\W\d]{2})(?=[0-9])|(?<=\b[dD])(?=[0-9])|(?<=[0-9])(?=[^\W\d])")
_FOR = re.compile(r"for\s", re.IGNORECASE)
"""How a line of a moderator's begins, who writes orders for somebody."""
MOST_WORDS = 12
"""Of words on one side of an amount, the most among which a name is looked for."""
_GIVING = re.compile(r"\b(?:gives?|gifts?|gain|gains|lend|heals?|transfers?)\b", re.IGNORECASE)


class Words(msgspec.Struct, frozen=True):
    """Patterns of what a genre calls things: an amount, and each word that may stand around it."""

    attack: str
    defend: str
    amount: re.Pattern[str]
    around: re.Pattern[str]


def any_of(words: Sequence[str]) -> str:
    """Return a pattern of words, the longest first."""
    return "|".join(re.escape(word) for word in sorted({*words} - {""}, key=len, reverse=True))


@lru_cache(maxsize=64)
def words_of(genre: Genre) -> Words:
    """Return how the words of a genre, and everybody's, are found."""
    attack = any_of((*ATTACKS, *genre.orders.attack, genre.attack, genre.attacks, *genre.also.attack))
    defend = any_of((*DEFENDS, *genre.orders.defend, genre.defence, genre.defending, *genre.also.defence))
    units = any_of(
        ("energy", "e", "en", "points", "point", "pts", "pt", genre.energy, genre.one_energy, *genre.also.energy)
    )
    number = (
        rf"(?:(?P<number>[0-9]+)|(?P<worded>{any_of(tuple(NUMBERS))}))(?:[- ]?(?:{units})(?: of (?:my )?(?:{units}))?)?"
    )
    shares = "|".join(rf"(?P<{share}>{pattern})" for share, pattern in AMOUNTS.items())
    kinds = {
        "attack": attack, "defend": f"{defend}|{SHORT}", "aim": any_of(_AIMS), "give": any_of(_GIVES),
        "keep": any_of(_KEEPS), "me": any_of(_SELF), "each": any_of(_EACH), "nothing": any_of((*_FILLERS, ",")),
    }  # fmt: skip
    around = "|".join(rf"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())
    return Words(
        attack,
        defend,
        re.compile(rf"(?<![\w-])(?:{number}|{shares})(?![\w%])", re.IGNORECASE),
        re.compile(rf"(?:{around})(?:\s+|$)", re.IGNORECASE),
    )


def allocations(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """
    Say a text in the forms of allocations, in every way that it may be meant.

    Shape: whatever is no amount, no name and none of the words that are known here is nothing that is read.
    """
    text = _plain(state, text)
    words = words_of(genre_of(state.house))
    for found in words.amount.finditer(text):
        before, after = text[: found.start()].strip(), text[found.end() :].strip()
        for said, whom in (*_parted(state, words, before, after), *_parted(state, words, after, before)):
            if not (whom and _FOR.match(text)):
                yield from _allocation(state, seat, said, whom, _amount(found))


def _amount(found: re.Match[str]) -> str:
    """Return an amount in digits, or the word for a share."""
    if worded := found["worded"]:
        return str(NUMBERS[worded.casefold()])
    return found["number"] or next(share for share in AMOUNTS if found[share])


def _plain(state: State, text: str) -> str:
    """Take away marks that say nothing between an amount, a verb and a name, and put blanks where they are missing."""
    text = _COMMA.sub(" , ", text)
    text = _SIGN.sub(" ", _ARROW.sub(" ", _QUOTED.sub(" ", re.sub(r"\s*@\s*", " at ", text))))
    names = " ".join(state.names.values())
    if not re.search("[0-9]", names):
        text = _GLUED.sub(" ", text)
    parts = any_of(re.findall(r"[^\W\d]{2,}", names))
    words = words_of(genre_of(state.house))
    text = re.sub(rf"\b({words.attack})(?=(?:{parts})\b)", r"\1 ", text, flags=re.IGNORECASE)
    return " ".join(_STOP.sub("", text).split())


def _parted(state: State, words: Words, side: str, other: str) -> Iterator[tuple[frozenset[str], str]]:
    """Yield what is said on both sides of an amount, but for a name on one `side`; and the name, "" for none."""
    beside = _said(words, other)
    if beside is None:
        return
    parts = side.split()
    bare = _said(words, side)
    if bare is not None:
        yield beside | bare, ""
    for first in range(len(parts) if len(parts) <= MOST_WORDS else 0):
        before = _said(words, " ".join(parts[:first]))
        if before is None:
            break
        for last in range(len(parts), first, -1):
            behind = _said(words, " ".join(parts[last:]))
            if behind is None:
                break
            name = " ".join(parts[first:last])
            if _said(words, name) is None or _is_called(state, name):
                yield beside | before | behind, name


def _said(words: Words, text: str) -> frozenset[str] | None:
    """Return the kinds of known words in a text; None where there is another word."""
    kinds, place = set(), 0
    while place < len(text):
        found = words.around.match(text, place)
        if found is None:
            return None
        kinds.add(str(found.lastgroup))
        place = found.end()
    return frozenset(kinds)


def _allocation(state: State, seat: str, said: frozenset[str], whom: str, amount: str) -> Iterator[tuple[str, ...]]:
    """Say one allocation in its form, or each of several; without a verb only names that are written out count."""
    if "defend" in said:
        if not said & {"attack", "each"} and whom.casefold() in ("", state.names[seat].casefold()):
            yield (f"defend {amount}",)
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
