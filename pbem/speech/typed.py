"""Orders as people type them: marks that mean nothing, several on a line, slips of the fingers; knows no game."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

import msgspec
from rapidfuzz.distance import OSA

from pbem.language import phrases
from pbem.speech.chatter import CHANGING, HARMLESS, is_harmless, is_heading
from pbem.speech.chatter import words as words_of
from pbem.speech.courtesies import courtesy

_FULL_WIDTH = {0xFF01 + place: 0x21 + place for place in range(94)} | {0x2460 + n: f"({n + 1}) " for n in range(20)}
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
TELLING = frozenset("❌✖✗✘🚫⛔❎👎🙅❓❔⁉🛑🤔🤷⏸⏹🔙🗑🔁🔄↩☐☒")
"""Pictures that can take back or change what stands beside them, and so are no ornament."""
_BULLET = re.compile(
    r"(?:[-=]>|[*+\u2022\u00b7\u25aa\u25e6\u2023\u2043\u2219\u25cf\u25cb\u25a0\u25a1\u2192\u21d2\u25ba]+(?!\d)"
    r"|[\u2611\u2713\u2714]|-+(?=\s|[^\W\d])|\[[xX]\]|\(?[a-hA-H]\)|[a-h]\.(?=\s))\s*"
)
"""What stands before a line of a list; a box that is not ticked may say that a line is not meant."""
_NUMBER = re.compile(
    r"(?:\(?[0-9]{1,2}(?:[.)](?=\s)|[.):](?=\s*[^\d\s]))|#[0-9]{1,2}[.):]?(?=\s)|[1-9]\s?-\s(?=\s*(?:[^\W\d].*[0-9]|[0-9]+-[^\W\d])))\s*"
)
"""The number of a line; it needs a blank behind it where another number follows, and one behind where a dash does."""
_LEAD = re.compile(
    r"(?:(?:(?:and|then|plus|next|finally|lastly|afterwards|after (?:that|which)|in addition|first(?:ly)?|second(?:ly)?"
    r"|third(?:ly)?|fourth(?:ly)?|(?:1st|2nd|3rd|[4-9]th)(?=\s*[:,]))\b[\s,]*)+(?::\s*)?)(?=\S)",
    re.IGNORECASE,
)
"""What leads from one order to the next, where their order means nothing."""
_NOW = re.compile(
    r"^(?:(?:for |in )?this (?:round|turn|time)|for now|now)\b[\s,:]*(?=\S)"
    r"|(?<=\S)[\s,]+(?:(?:for |in )?this (?:round|turn|time)|for now|right now|now)[.!]*$",
    re.IGNORECASE,
)
"""What says that orders count when they do anyway."""
_SHORT = re.compile(rf"\b(?P<word>{'|'.join(phrases.TITLES)}|att|atk|def|vs|pts)\.(?=\s)", re.IGNORECASE)
"""Words whose full stop ends no sentence."""
_PAIRS = re.compile(r"(\*{1,3}|_{1,3}|`{1,3})(?=\S)([^*_`]*)(?<=\S)\1")
"""Marks around words that a program shows in bold, in italics or as code."""
_SMILEY = re.compile(r"\s+(?:[:;=8xX][-'o^]?[()DPp\]\[/|*]|<3|\^_?\^|xD|XD|\\?o/)+$")
_ASIDE = re.compile(r"^\(([^()]*)\)\s*|\s*\(([^()]*)\)$")
_SPEAKER = re.compile(
    r"(?:(?:i|we)(?:'ll| will| shall|'m| am|'re| are|'d like to| would like to|'d love to| want to| choose to| plan to"
    r"|'ve decided to| have decided to| decided to)? (?:going to |to )?"
    r"|let (?:me|us) |let's |gonna |(?:try|attempt) to |(?:can|could|will|would) you (?:please )?(?!.*\?))(?=\S)",
    re.IGNORECASE,
)
# A run of blanks and commas is looked at once, from its beginning, so that a line of nothing else takes no longer.
_POLITE = re.compile(
    r"^(?:(?:please|pls|plz|kindly|just|ok|okay|so|well|right|alright|bitte)\b[\s,.!:]*)+(?=\S)"
    r"|(?:(?<![\s,.])[\s,.]++"
    r"(?:please|pls|plz|(?:many )?thanks|thx|ta|ty|thank you|cheers|after all|bitte|danke|merci|gracias|bedankt)"
    r")+[.!]*$",
    re.IGNORECASE,
)
_BEFORE_NUMBER = re.compile(
    r"(?<![xX\s])\s*(?:->|=>|(?<![0-9]):|:(?=\s)|[=@\u2192>])\s*(?=[0-9])|\s+-\s+(?=[0-9])|\.{2,}\s*(?=[0-9])"
)
"""Marks that only lead to a number; not the colon of a time, 4:30, nor X = 10."""
_CONDITION = re.compile(r"\b(?:if|when)\b", re.IGNORECASE)
_BETWEEN = (
    re.compile(r"(?:\s*(?:[;|]|[.!](?=\s))\s*)+(?:(?:and|then|plus)\b\s*)*", re.IGNORECASE),
    re.compile(
        r"(?:\s*(?:[&+]|,(?![0-9]{3}\b)|/(?![0-9]))\s*(?:(?:and|then|plus)\b\s*)*|\s+(?:and|then|plus)\s+(?:then\s+)?)+",
        re.IGNORECASE,
    ),
)
"""What stands between orders, the strongest first: ends of sentences, and what goes on."""
_GREETS = re.compile(r"(?:hi|hello|hey|hiya|dear)\b", re.IGNORECASE)
_GREETED = re.compile(r"(?:hi|hello|hey|hiya|dear|hallo|moin) (?:(?P<name>[^\W\d_]+) )?(?=\S)", re.IGNORECASE)
_SIGNED = re.compile(
    r"(?<![\s,.!])[\s,.!]++(?:thanks|thx|ta|cheers|regards|bye|thank you|best) (?P<name>[^\W\d_]+)[.!]*$",
    re.IGNORECASE,
)
"""Who is greeted, and who signs, with nothing between them and the orders."""
_END = re.compile(r"[,.!;:-]\s+|\s-\s*")
_WORD = re.compile(r"[^\W\d_]{4,}")
LONGEST = 240
"""Characters of a line that is taken for more than its form; nobody says more in one breath."""
MOST_PIECES = 12
"""How many orders stand on one line at most."""
MOST_ENDS = 6
"""How many phrases at the head and at the tail of a line are looked at for kind words."""
MOST_MENDED = 12
"""How many ways to mend the slips of a line are tried at most."""
SHORTEST_MENDED = 5
"""Letters of the words that are meant by a slip: among shorter ones `Dec`, `deaf` and `def` are one slip apart."""


Mend: TypeAlias = tuple[str, str]
"""What was typed with a slip, and what it is mended to."""

_QUOTING = ": : "


class Speech(msgspec.Struct, frozen=True):
    """
    How the orders of one moment of a game are said, besides in the words of their own forms.

    Shape: `ways` returns, for a text that reads as nothing, other words for it, each as lines in the game's own
    forms; `pieces` cuts a text that holds several orders; `words` returns what slips of the fingers are mended to.
    Where numbers before lines mean something, lines are `numbered` and keep them. A line in which `hint` is not
    found is no order in any words, and is not looked at any further.
    """

    ways: Callable[[str], Iterable[tuple[str, ...]]]
    pieces: Callable[[str], tuple[str, ...]]
    words: Callable[[], Collection[str]]
    numbered: bool = False
    hint: re.Pattern[str] | None = None

    def may_be(self, text: str) -> bool:
        """Say whether a text may be an order in other words at all."""
        is_quoting = _QUOTING in text  # as our letters do with what somebody is to write
        return len(text) <= LONGEST and not is_quoting and (self.hint is None or self.hint.search(text) is not None)


def pieces(text: str) -> tuple[str, ...]:
    """
    Cut a text at everything that people put between orders.

    Shape: where it ends sentences it is cut at these alone. Nothing is cut where an `if` or a colon may hold for all,
    and nothing behind the bar of our examples.
    """
    if re.search(phrases.OPEN, text, re.IGNORECASE) or text.startswith("|"):
        return (text,)
    cuts = (tuple(piece for piece in between.split(text) if piece) for between in _BETWEEN)
    return next((cut for cut in cuts if len(cut) > 1), (text,))


def bare(text: str) -> str:
    """Return a line without bullets and kind words, with plain digits for those in circles, keys and full width."""
    text = _with_plain_digits(text)
    while match := _BULLET.match(text):
        text = text[match.end() :]
    return _POLITE.sub("", text)


def _with_plain_digits(text: str) -> str:
    return phrases.clean(_KEYCAP.sub(r"\1) ", text).translate(_FULL_WIDTH))


def tidied(text: str, words: Collection[str] = (), *, numbered: bool = False) -> str:
    """
    Take away what surrounds an order and means nothing: bullets, bold, pictures, asides, courtesies, "I will".

    Every word that is taken away is known to change no order, and is none of the `words` of orders; a number stays
    where lines are `numbered`. A line over `LONGEST` stays as it is.
    """
    if len(text) > LONGEST:
        return text
    text = _with_plain_digits(text)
    if numbered and (match := _NUMBER.match(text)):
        return f"{match[0].strip()} {tidied(text[match.end() :], words, numbered=True)}"
    text = _SHORT.sub(r"\g<word>", text)
    if not TELLING & set(text):
        text = phrases.clean("".join(" " if _is_picture(letter) else letter for letter in text))
    before = None
    while text != before:
        before = text
        text = _PAIRS.sub(r"\2", text)
        for mark in (_BULLET,) if numbered else (_BULLET, _NUMBER):
            match = mark.match(text)
            text = text[match.end() :] if match else text
        text = _SMILEY.sub("", text)
        text = _without_asides(text, words)
        text = _without_courtesies(text, words)
        if not numbered:
            text = _NOW.sub("", _LEAD.sub("", text, count=1) if _LEAD.match(text) else text)
        text = _SPEAKER.sub("", text, count=1) if _SPEAKER.match(text) else text
        text = text.strip() or before
    if _CONDITION.search(text):
        return text
    return phrases.clean(_BEFORE_NUMBER.sub(" ", re.sub(r"\bw/\s*", "with ", text)))


def without_marks(text: str) -> str:
    """Return a line without what shows it in a list, or in another face: bullets, numbers, bold; a long one stays."""
    if len(text) > LONGEST:
        return text
    before = None
    while text != before:
        before = text
        text = _PAIRS.sub(r"\2", text)
        for mark in (_BULLET, _NUMBER):
            match = mark.match(text)
            text = text[match.end() :] if match else text
        text = text.strip() or before
    return text


def _is_picture(letter: str) -> bool:
    return unicodedata.category(letter) in ("So", "Sk") or letter in "\ufe0f\u20e3"


def _without_asides(text: str, words: Collection[str]) -> str:
    return _ASIDE.sub(lambda match: "" if _is_idle(match[1] or match[2] or "", words) else match[0], text)


def _is_idle(text: str, words: Collection[str]) -> bool:
    """Say whether a phrase says nothing to a game; a word of orders does, unless it is the name of who is greeted."""
    if not (_GREETS.match(text) and courtesy(text)) and any(word in words for word in words_of(text)):
        return False
    return not text.strip() or courtesy(text) or is_harmless(text)


def asked(text: str) -> str:
    """Return what a line asks for without its kind words: `help powers` of `help powers please`."""
    return _POLITE.sub("", text)


def _without_courtesies(text: str, words: Collection[str]) -> str:
    """Take kind words off the head and the tail of a line: `Hi Gwen, defend 30, thanks, Ada`."""
    text = asked(text)
    for pattern in (_GREETED, _SIGNED):
        match = pattern.search(text) if pattern is _SIGNED else pattern.match(text)
        if match and _is_nobody(match["name"] or "", words) and (match["name"] or text[match.end() :][:1].isdigit()):
            text = text[match.end() :] if pattern is _GREETED else text[: match.start()]
    ends = list(_END.finditer(text))
    for end in ends[:MOST_ENDS]:
        head = text[: end.start()]
        is_idle = is_heading(head) or courtesy(head) if end[0].startswith(":") else _is_idle(head, words)
        if is_idle and text[end.end() :].strip():
            return text[end.end() :]
    for end in ends[-MOST_ENDS:]:
        if _is_idle(text[end.end() :], words) and text[: end.start()].strip():
            return text[: end.start()]
    return text


def _is_nobody(name: str, words: Collection[str]) -> bool:
    """Say whether a word can only be the name of somebody who is spoken to, or speaks."""
    return name.casefold() not in words and name.casefold() not in CHANGING


def mended(text: str, words: Collection[str]) -> Iterator[tuple[str, tuple[Mend, ...]]]:
    """
    Yield a text with its slips mended, and these: words one edit away from those that are known, and words torn apart.

    Shape: at most `MOST_MENDED` texts, of which it is for the caller to find out what they mean. A word alone is not
    mended: it may be somebody's name.
    """
    if " " not in text:
        return
    long_words = [known for known in words if len(known) >= SHORTEST_MENDED]
    found: list[tuple[str, tuple[Mend, ...]]] = [(text, ())]
    for match in reversed(list(_WORD.finditer(text))):
        word = match[0].casefold()
        if word in words or word in HARMLESS or word in CHANGING:
            continue
        close = sorted(known for known in long_words if OSA.distance(word, known, score_cutoff=1) == 1)
        if close:
            found = [
                (f"{one[: match.start()]}{new}{one[match.end() :]}", ((match[0], new), *mends))
                for one, mends in found
                for new in close
            ]
        if len(found) > MOST_MENDED:
            return
    yield from (one for one in found if one[1])
    for match in re.finditer(r"(?<![^\s])([^\W\d_]+) (?=([^\W\d_]+))", text):
        whole = match[1] + match[2]
        if len(whole) >= SHORTEST_MENDED and whole.casefold() in words:
            yield text[: match.end() - 1] + text[match.end() :], ((f"{match[1]} {match[2]}", whole),)
