"""Orders as people type them: marks that mean nothing, several on a line, slips of the fingers; knows no game."""

import re
import unicodedata

from pbem.language import phrases
from pbem.language.tokens import WIDE
from pbem.speech.chatter import CHANGING, is_harmless, is_heading
from pbem.speech.courtesies import courtesy

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
_GREETED = re.compile(r"(?:hi|hello|hey|hiya|dear|hallo|moin) (?:(?P<name>[^\W\d_]+) )?(?=\S)", re.IGNORECASE)
_SIGNED = re.compile(
    r"(?<![\s,.!])[\s,.!]++(?:thanks|thx|ta|cheers|regards|bye|thank you|best) (?P<name>[^\W\d_]+)[.!]*$",
    re.IGNORECASE,
)
"""Who is greeted, and who signs, with nothing between them and the orders."""
_END = re.compile(r"[,.!;:-]\s+|\s-\s*")
LONGEST = 240
"""Characters of a line that is taken for more than its form; nobody says more in one breath."""
MOST_ENDS = 6
"""How many phrases at the head and at the tail of a line are looked at for kind words."""


def _with_plain_digits(text: str) -> str:
    return phrases.clean(_KEYCAP.sub(r"\1) ", text).translate(WIDE))


def tidied(text: str) -> str:
    """
    Take away what surrounds an order and means nothing: bullets, bold, pictures, asides, courtesies, "I will".

    Every word that is taken away is known to change no order. A line over `LONGEST` stays as it is.
    """
    if len(text) > LONGEST:
        return text
    text = _with_plain_digits(text)
    text = _SHORT.sub(r"\g<word>", text)
    if not TELLING & set(text):
        text = phrases.clean("".join(" " if _is_picture(letter) else letter for letter in text))
    before = None
    while text != before:
        before = text
        text = _PAIRS.sub(r"\2", text)
        for mark in (_BULLET, _NUMBER):
            match = mark.match(text)
            text = text[match.end() :] if match else text
        text = _SMILEY.sub("", text)
        text = _without_asides(text)
        text = _without_courtesies(text)
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


def _without_asides(text: str) -> str:
    return _ASIDE.sub(lambda match: "" if _is_idle(match[1] or match[2] or "") else match[0], text)


def _is_idle(text: str) -> bool:
    """Say whether a phrase says nothing to a game."""
    return not text.strip() or courtesy(text) or is_harmless(text)


def asked(text: str) -> str:
    """Return what a line asks for without its kind words: `help powers` of `help powers please`."""
    return _POLITE.sub("", text)


def _without_courtesies(text: str) -> str:
    """Take kind words off the head and the tail of a line: `Hi Gwen, defend 30, thanks, Ada`."""
    text = asked(text)
    for pattern in (_GREETED, _SIGNED):
        match = pattern.search(text) if pattern is _SIGNED else pattern.match(text)
        if match and _is_nobody(match["name"] or "") and (match["name"] or text[match.end() :][:1].isdigit()):
            text = text[match.end() :] if pattern is _GREETED else text[: match.start()]
    ends = list(_END.finditer(text))
    for end in ends[:MOST_ENDS]:
        head = text[: end.start()]
        is_idle = is_heading(head) or courtesy(head) if end[0].startswith(":") else _is_idle(head)
        if is_idle and text[end.end() :].strip():
            return text[end.end() :]
    for end in ends[-MOST_ENDS:]:
        if _is_idle(text[end.end() :]) and text[: end.start()].strip():
            return text[: end.start()]
    return text


def _is_nobody(name: str) -> bool:
    """Say whether a word can only be the name of somebody who is spoken to, or speaks."""
    return name.casefold() not in CHANGING
