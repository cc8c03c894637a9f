"""Greetings and good wishes, which are no orders; exact patterns only, and no game's words."""

import re

from pbem import phrases

_GREETING = r"(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|hallo|moin|salut|bonjour)"
_CLOSING = (
    r"(?:(?:many |with )?thanks(?: (?:a lot|again|in advance|so much))?|thank you(?: (?:very much|again|in advance))?"
    r"|thx|ta|cheers|(?:(?:best|kind|kindest|warm|warmest|with best|with kind) )?regards|best(?: wishes)?"
    r"|all the best|yours(?: (?:sincerely|faithfully|truly))?|sincerely|take care|see you|bye"
    r"|good luck(?: (?:all|everyone|everybody))?|have fun|(?:viele|liebe|beste|schöne) grüße|danke|merci|cordialement"
    r"|mit freundlichen grüßen|lg|mfg)"
)
_ALL = r"(?:all|everyone|everybody|there|folks|team|moderator|friends|both|again)"
_NAME = r"[^\W\d_]+(?:[-'.][^\W\d_]+)*\.?"
_GREETED = re.compile(rf"{_GREETING}(?: {_ALL}|,? ({_NAME}))?[,.!:]*", re.IGNORECASE)
_CLOSED = re.compile(rf"{_CLOSING}[,.!]*(?: ({_NAME}(?: {_NAME})?)[,.!]*)?", re.IGNORECASE)
_LONE_NAME = re.compile(r"[-~ ]*(.*?)[ .,!]*")

_COMMAND = re.compile(
    r"accept|approve|cancel|concede|confirm|draw|end|forget|help|hold|join|leave|list|no|observe|pass|pause|preview"
    r"|ready|refold|resign|results|resume|rulings|standing|status|test|undo|unready|veto|wait|yes",
    re.IGNORECASE,
)
"""Orders and answers of one word, which no greeting and no name may hide."""


def courtesy(line: str, name: str = "") -> bool:
    """
    Say whether a line is a greeting, a closing, or the writer's own name, and nothing else.

    Shape: `name` is the writer's display name. A line with a digit, or with a word that could be an order by
    itself, is never a courtesy.
    """
    text = phrases.clean(line)
    if not text or len(text) > 60 or re.search(r"\d", text):
        return False
    for pattern in (_GREETED, _CLOSED):
        match = pattern.fullmatch(text)
        if match:
            return not _has_command(match[1] or "")
    alone = _LONE_NAME.fullmatch(text)
    own = phrases.clean(name).casefold()
    names = {own, *own.split()[:1]} - {""}
    return bool(alone and alone[1].casefold() in names and not _has_command(alone[1]))


def _has_command(words: str) -> bool:
    return any(_COMMAND.fullmatch(word.strip(".,!")) for word in words.split())
