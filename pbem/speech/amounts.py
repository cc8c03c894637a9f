"""One amount, a name, and words that say nothing between them, in whatever order; knows no game."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

_UNITS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS: Mapping[str, int] = {word: value for value, word in enumerate(_UNITS, 2)} | {
    f"{tens}{between}{unit}": 10 * place + number
    for place, tens in enumerate(_TENS, 2)
    for number, unit in enumerate(("", "one", *_UNITS[:8]))
    for between in ((" ", "-") if unit else ("",))
} | {"a hundred": 100, "one hundred": 100, "hundred": 100}  # fmt: skip
"""Whole numbers in words; not `one`, which is somebody as often as a number."""
ENERGY = ("energy", "e", "en", "points", "point", "pts", "pt")
"""What people call the unit, whatever a game calls it."""
AIMS = (
    "on", "onto", "at", "against", "vs", "versus", "upon", "auf", "gegen", "sur", "contre", "contra", "op", "tegen",
)  # fmt: skip
FILLERS = (
    "my", "the", "a", "an", "with", "in", "of", "by", "as", "using", "toward", "towards", "put", "putting",
    "spend", "spending", "place", "placing", "allocate", "allocating", "allocation", "assign", "invest",
    "commit", "devote", "stick", "throw", "throwing", "use", "send", "sending", "pour", "bet", "go", "goes", "going",
    "get", "gets", "getting", "i", "i'd", "i'll", "i'm", "will", "shall", "would", "like", "want", "let", "is", "are",
    "be", "am", "w", "please", "strength", "mit", "die", "den", "avec", "la", "le", "con", "en", "met", "de", ",",
)  # fmt: skip
"""Words that lead to a name or an amount, and say nothing else."""
_QUOTED = re.compile(r"\"|(?<!\w)'|'(?!\w)|[(\[{](?=\s*\w)|(?<=[\w.!])[)\]}]")
_ARROW = re.compile(r"[-=]+>|[\u2192\u21d2\u2794\u279c]|\.{2,}")
_SIGN = re.compile(
    r"(?<![0-9])\s*[:;=!/>]|:(?=\s)|[:;=!/>](?!\s*[0-9])|(?<=[^\s|])\s*\|\s*(?=[^\s|])"
    r"|\s-+(?=\s)|(?<=[^\W\d])-(?=[0-9])|(?<=[0-9])-(?=[^\W\d])"
)
_APART = tuple(":;|>/=!")
_COMMA = re.compile(r"(?<![0-9]),|,(?![0-9])")
_STOP = re.compile(r"(?<=[^\W\d])\.(?=\s|$)")
_GLUED = re.compile(r"(?<=[^\W\d]{2})(?=[0-9])|(?<=\b[dD])(?=[0-9])|(?<=[0-9])(?=[^\W\d])")
MOST_WORDS = 12
"""Of words on one side of an amount, the most among which a name is looked for."""


class Vocabulary(msgspec.Struct, frozen=True):
    """
    What is known around a name: an amount, and each word that may stand beside it, by its kind.

    Shape: `amount` has a group for each way to say one, of which `number` is in digits and `worded` in `NUMBERS`.
    """

    amount: re.Pattern[str]
    around: re.Pattern[str]

    def said(self, text: str) -> frozenset[str] | None:
        """Return the kinds of known words in a text; None where there is another word."""
        kinds, place = set(), 0
        while place < len(text):
            found = self.around.match(text, place)
            if found is None:
                return None
            kinds.add(str(found.lastgroup))
            place = found.end()
        return frozenset(kinds)


class Meant(msgspec.Struct, frozen=True):
    """An amount in digits, or the group of a share; the kinds of words beside it; and the name, "" for none."""

    amount: str
    said: frozenset[str]
    name: str


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first."""
    return "|".join(re.escape(word) for word in sorted({*words} - {""}, key=len, reverse=True))


_ON_SOMEBODY = re.compile(
    rf"(?:[0-9]+|{any_of((*NUMBERS, 'all', 'half', 'everything', 'rest', 'the rest'))})[\s-]+"
    rf"(?:{any_of((*AIMS, 'to', 'into', 'for'))})[\s-]",
    re.IGNORECASE,
)


def is_on_somebody(name: str) -> bool:
    """Say whether a name begins as orders do, with an amount that is put on somebody: "20 on Ada"."""
    return _ON_SOMEBODY.match(name) is not None


def vocabulary(units: Sequence[str], kinds: Mapping[str, str], shares: Mapping[str, str]) -> Vocabulary:
    """Return a vocabulary: `kinds` are patterns of the words around a name, `shares` of what is no number."""
    unit = any_of((*ENERGY, *units))
    number = rf"(?:(?P<number>[0-9]+)|(?P<worded>{any_of(NUMBERS)}))(?:[- ]?(?:{unit})(?: of (?:my )?(?:{unit}))?)?"
    amounts = "|".join((number, *(rf"(?P<{share}>{pattern})" for share, pattern in shares.items())))
    around = "|".join(rf"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())
    return Vocabulary(
        re.compile(rf"(?<![\w-])(?:{amounts})(?![\w%])", re.IGNORECASE),
        re.compile(rf"(?:{around})(?:\s+|$)", re.IGNORECASE),
    )


def plain(text: str, names: Iterable[str], verbs: str) -> str:
    """
    Take away marks that say nothing between an amount, a verb and a name, and put blanks where they are missing.

    Shape: what begins with a mark stays as it is; letters of ours set what they cite apart so.
    """
    if text[:1] in _APART:
        return text
    text = _COMMA.sub(" , ", text)
    text = _SIGN.sub(" ", _ARROW.sub(" ", _QUOTED.sub(" ", re.sub(r"\s*@\s*", " at ", text))))
    said = " ".join(names)
    if not re.search("[0-9]", said):
        text = _GLUED.sub(" ", text)
    parts = any_of(re.findall(r"[^\W\d]{2,}", said))
    text = re.sub(rf"\b({verbs})(?=(?:{parts})\b)", r"\1 ", text, flags=re.IGNORECASE)
    return " ".join(_STOP.sub("", text).split())


def meant(text: str, known: Vocabulary, is_name: Callable[[str], bool]) -> Iterator[Meant]:
    """
    Yield every way in which a plain text is one amount, a name or none, and known words.

    Shape: what is made of known words alone can be a name only where `is_name` says so.
    """
    for found in known.amount.finditer(text):
        before, after = text[: found.start()].strip(), text[found.end() :].strip()
        for side, other in ((before, after), (after, before)):
            for said, name in _parted(side, other, known, is_name):
                yield Meant(_amount(found), said, name)


def _amount(found: re.Match[str]) -> str:
    if worded := found["worded"]:
        return str(NUMBERS[worded.casefold()])
    return found["number"] or next(share for share, text in found.groupdict().items() if text)


def _parted(
    side: str, other: str, known: Vocabulary, is_name: Callable[[str], bool]
) -> Iterator[tuple[frozenset[str], str]]:
    """Yield what is said on both sides of an amount, but for a name on one `side`; and the name, "" for none."""
    beside, bare, parts = known.said(other), known.said(side), side.split()
    if beside is None:
        return
    if bare is not None:
        yield beside | bare, ""
    for first in range(len(parts) if len(parts) <= MOST_WORDS else 0):
        before = known.said(" ".join(parts[:first]))
        if before is None:
            break
        for last in range(len(parts), first, -1):
            behind = known.said(" ".join(parts[last:]))
            if behind is None:
                break
            name = " ".join(parts[first:last])
            if known.said(name) is None or is_name(name):
                yield beside | before | behind, name


def at_amounts(text: str, known: Vocabulary) -> tuple[str, ...]:
    """Cut a text with nothing between its parts: before its amounts where it begins with one, else behind them."""
    found = list(known.amount.finditer(text))
    if found and found[0].start() == 0:
        cuts = [one.start() for one in found[1:]]
    else:
        cuts = [one.end() for one in found if one["number"] and re.match(r"\s+[^\W\d]", text[one.end() :])]
    ends = zip([0, *cuts], [*cuts, len(text)], strict=True)
    return tuple(piece for first, last in ends if (piece := text[first:last].strip(" ,")))
