"""Which words of talk are harmless by themselves, and which change the lines beside them; knows no game."""

import re
from collections.abc import Collection

from pbem.language import phrases
from pbem.language.words import TALK

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+")

_DRAWN_TOGETHER = re.compile(r"(?<=\w)'(?:s|re|ve|ll|d|m)$")

CHANGING = TALK.single("CHANGING")
"""Words that change another line, in the languages that people write most; and so does every word in n't."""

HARMLESS = TALK.single("HARMLESS") - CHANGING
"""Words that change no line, and stand for none; talk in others may."""
EVERYDAY = TALK.single("EVERYDAY") - CHANGING
"""Words of English that say nothing of orders, whatever stands with them."""
ENGLISH = TALK.single("ENGLISH") - CHANGING
"""What English is full of."""
COMMON = ENGLISH | TALK.single("COMMON") - CHANGING
"""What the languages that people write most are full of, and greetings in them."""

HEADING = TALK.single("HEADING")
"""Words of which a heading is made that only says what stands below it."""

_GREETING = re.compile(
    r"(?:good luck|hi|hello|hey|dear|cheers|well played|congrats|happy birthday)\b",
    re.IGNORECASE,
)
_OPENS = (":", ";", "\uff1a")
_CALLED = re.compile(r", [A-Z][^\W\d_]+ ?(?=[:;\uff1a]$)")
"""Who is called upon at the end of a heading."""
_WHEN = re.compile(r"\b\d{1,2}[./:]\d{2}(?:[./]\d{2,4})?\b\.?|\b20\d\d\b")
"""A day or a time of day, which is no number of an order."""
_PHRASES = re.compile(
    r"\b(?:as|so) long as\b|\b(?:take|took) (?:that|it|this|them)\b|\bon condition\b|\bone of\b|\bmay be\b|\bout of\b"
    r"|\bs['\u2019]ils?\b|\bes sei denn\b|\bto be confirmed\b|\ball in\b|\bhang on\b|\bhold (?:on|off)\b|\bsecond thoughts?\b|\bgo easy\b|\b(?:round|turn) after\b|\bfor the (?:round|turn|bout|lap) \w|\bstand by\b|\bsit tight\b|\bdry run\b|\bat (?:most|least)\b|\bsubject to\b|\bmal sehen\b|\bsempre che\b|\bsiempre que\b|\bsempre que\b|\ben attendant\b|\bpod warunkiem\b|\blaat maar\b"
    r"|如果|要是|不|但|只|改|取消|也许|もし|ない|ません|けど|だけ|やめ|たぶん|만약|않|하지만|취소|아니|아마|אם|לא|אבל|רק|אולי|إذا|لكن|فقط|ربما"
)


_IDIOMS = re.compile(
    r"\b(?:no (?:worries|problem|idea|rush|hurry|matter)|not bad|why not|can['\u2019]?t wait|not much|never dull"
    r"|(?:this|that|the whole|last) (?:week|weekend|evening|morning|afternoon|year|month|time|way|summer|winter|spring)"
    r"|(?:running|love|loving|loved|enjoy|enjoying|enjoyed|hosting|organi[sz]ing) (?:it|this|that)"
    r"|here we go again|last night|last week|next (?:week|weekend|year|month|time)|see you (?:all )?next round|keep up|take care|bring it on|without further ado|better late than never|no joke|for now|here goes nothing|nothing else"
    r"|can you believe it|that['\u2019]?s (?:it|all|me done)|got to run|back home|back soon|once more|look(?:ing)? forward|it(?:['\u2019]s| is| was) (?=\w))\b|\bha(?=!)",
    re.IGNORECASE,
)
"""What people say with a word that changes things, and change nothing."""


_LIMITS = re.compile(
    r"(?:(?:and|but|or|und|aber|et|mais|y|pero|e|ma|en|maar)\s+)?"
    r"(?:if|unless|only|when|whenever|until|till|except|provided|providing|assuming|in case|(?:as|so) long as|on condition"
    r"|not if|not when|wenn|falls|sofern|solange|nur|außer|si|sauf|seulement|quand|tant que|salvo|solo|sólo|cuando|se"
    r"|tranne|quando|als|tenzij|alleen|zolang|só|jeśli|tylko|chyba|gdy|om|bara|hvis|kun|jos|vain|если|только|когда)\b",
    re.IGNORECASE,
)


def limits(text: str) -> bool:
    """Say whether a line begins as what limits another does: `unless he defends`."""
    return _LIMITS.match(phrases.clean(text)) is not None


def words(text: str) -> list[str]:
    """Return the words and numbers of a line, in small letters."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(phrases.clean(text).casefold())]


def bases(text: str) -> list[str]:
    """Return the words of a line without what is drawn together behind them: `you` of `you're`."""
    return [_DRAWN_TOGETHER.sub("", word) for word in words(text)]


def without_idioms(text: str) -> str:
    """Take out what people say with a word that changes things, and change nothing."""
    return _IDIOMS.sub(" ", text)


def may_change(text: str, but: Collection[str] = ()) -> bool:
    """Say whether a line has a word that changes another one; `but` are such words that do not count here."""
    said = words(without_idioms(text))
    is_negated = any(word.endswith("n't") or word in ("dont", "wont", "cant", "cannot", "doesnt") for word in said)
    return is_negated or bool(CHANGING.difference(but) & set(said)) or bool(_PHRASES.search(" ".join(said)))


def is_heading(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Say whether a line only says that orders stand below it; `names` are words that it may have besides."""
    said = set(words(text))
    return bool(said) and said <= HEADING | names


def without_opening(text: str) -> str:
    """Take off what makes a line a heading, as in `As I wrote on 22.11. at 20:00, Gwen:`; other lines are "" then."""
    said = _WHEN.sub(" ", _CALLED.sub("", phrases.clean(text)))
    return said.rstrip("".join(_OPENS)) if text.rstrip().endswith(_OPENS) else ""


def is_harmless(text: str, names: frozenset[str] = frozenset()) -> bool:
    """
    Say whether talk can change no order, and be none: all its words say nothing to a game.

    Shape: `names` are words of people's names, which may stand in a greeting.
    """
    said = set(words(without_idioms(text)))
    if may_change(text) or _PHRASES.search(" ".join(words(text))) or text.rstrip().endswith((":", "\uff1a")):
        return False
    return said <= HARMLESS | (names if _GREETING.match(phrases.clean(text)) else frozenset())
