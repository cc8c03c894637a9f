"""The moderator's lines, read into rulings against the table as it stands; knows no mail."""

import re
from collections.abc import Sequence
from typing import Literal

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from pbem.ground.terms import Complaint, OrderLine
from pbem.language import phrases
from pbem.language.phrases import Unread
from pbem.speech import typed
from pbem.table import requests, rulings
from pbem.table.incoming import moderator_cuts, moderator_words
from pbem.table.incoming.moderator_cuts import BECAUSE, Cut
from pbem.table.model.table import Table
from pbem.table.requests import Request
from pbem.table.requests.manuals import Archive
from pbem.table.rulings import Ruling, naming
from pbem.table.rulings.approve import Approve
from pbem.table.rulings.do import Do
from pbem.table.rulings.undo import Undo

_REQUESTS = tuple(kind for kind in requests.KINDS if kind.is_for_moderator)
_ALONE_WORDS = tuple(kind.word() for kind in _REQUESTS if kind is not Archive)
_KINDS = tuple(kind for kind in rulings.KINDS if not (kind.is_talk or kind.has_colon or kind.is_everyday))
VERBS = (*(kind.verb() for kind in _KINDS), *_ALONE_WORDS)
"""What a moderator's lines begin with, but for words to players, what the ruleset offers and its archive."""

_COLON, _WORD_END = r"\s*:", r"\b"
_NUMBERED = rf"(?:{Approve.verb()}|{Undo.verb()})(?: [0-9]+)?"
_FIXED = "|".join(kind.verb() for kind in _KINDS if kind.is_fixed)
_OPENING = "|".join(kind.verb() for kind in _KINDS if not kind.is_fixed and kind not in (Approve, Undo))
_ALONE = re.compile(rf"^(?:{_NUMBERED}|{_FIXED}|{'|'.join(_ALONE_WORDS)})[\s.!?]*$", re.IGNORECASE)
_OPENS = re.compile(rf"^(?:(?:{_OPENING})\b|(?:{_NUMBERED}|{_FIXED}) because\b)", re.IGNORECASE)
_MARKED = re.compile(r"=|(?<![\w-])because(?![\w-])|\b[pv][0-9]{1,3}\b", re.IGNORECASE)
"""What stands in rulings and hardly in chat: a sign, a reason, the key of a verdict or of a power."""
_NAMES_PERSON = re.compile(rf"(?<![\w-]){naming.PERSON}(?![\w-])|{re.escape(naming.NOBODY)}")
_BEGINS = re.compile(r"(?:[\W_]|[0-9]{1,2}[.)])*([^\W\d_]+)(?:[\W_]+([^\W\d_]+))?")
"""The first two words of a line, behind the marks of a list: phones put a blank into a word."""


_THANKS = r"please|pls|plz|thanks(?: a lot| so much)?|thank you(?: very much)?|many thanks|thx|cheers"
_KIND_WORDS = re.compile(
    rf"^(?:(?:{_THANKS}|kindly|ok|okay)[\s,.:!]+)+|(?:[\s,;.!-]+(?:{_THANKS}))+[\s.!]*$", re.IGNORECASE
)
"""What people say around a ruling that has neither a reason nor words of their own in it."""
LONGEST_KIND = 120
"""The most characters of a line in which it is looked for."""


def in_block(new: Sequence[str]) -> bool:
    """Say whether a block is open behind these lines; then `end` closes the block, not the mail."""
    is_open = False
    for text in map(phrases.clean, new):
        opens = moderator_cuts.opens_block(text) or moderator_words.opens_block(text)
        is_open = not moderator_cuts.ends_block(text) if is_open else opens
    return is_open


def cut(table: Table, new_lines: Sequence[OrderLine]) -> tuple[Cut, ...]:
    """Cut a moderator's new lines into those that are read one by one."""
    words = moderator_words.take_out(new_lines, lambda text: _stands_alone(table, text))
    rest = [_without_marks(table, line) for line in words.rest]
    cuts = moderator_cuts.cut(rest, lambda text: _stands_alone(table, text))
    return tuple(sorted((*words.told, *cuts), key=lambda one: one.line.number))


def _without_marks(table: Table, line: OrderLine) -> OrderLine:
    """Return a line without bullets and the like, where it is a ruling then and was none with them."""
    if len(line.text) > LONGEST_KIND:
        return line
    plain = typed.without_marks(line.text)
    is_ruling = plain != line.text and not _stands_alone(table, line.text) and _stands_alone(table, plain)
    return OrderLine(line.number, plain) if is_ruling else line


def _stands_alone(table: Table, text: str) -> bool:
    """Say whether a line is a ruling or a request by itself, and so does not continue the line above."""
    plain = _without_kind_words(text)
    return bool(_ALONE.match(plain) or _OPENS.match(text) or request(table, text)) or _whole(table, text)


def _plain(text: str) -> str:
    return _KIND_WORDS.sub("", text) if len(text) <= LONGEST_KIND else text


def _without_kind_words(text: str) -> str:
    """Return a line without thanks around it, where it holds no words of a person's that they may be part of."""
    plain = _plain(text)
    kind = kind_of(plain)
    is_prose = kind is not None and (kind.is_prose or kind.has_colon)
    return text if is_prose or BECAUSE.search(text) or ":" in plain else plain


def _whole(table: Table, text: str) -> bool:
    """Say whether a line with a reason is a ruling by itself, legal or not, though it begins with no verb of ours."""
    if table.status not in ("open", "closed") or not BECAUSE.search(text):
        return False
    found = read(table, OrderLine(1, text))
    return not isinstance(found, Complaint) or found.fault != "unreadable"


def is_said(table: Table, text: str) -> bool:
    """Say whether a line is a ruling or a request by itself, and no field of a header block: `Do: ada@example.com`."""
    is_field = "@" in text and text.partition(" ")[0].endswith(":")
    return not is_field and (_stands_alone(table, text) or moderator_words.is_to_somebody(text))


def is_like_ruling(table: Table, text: str) -> bool:
    """
    Say whether a line that cannot be read was probably meant as a ruling; any other is chat.

    It is said to somebody, begins with a verb of ours or one slip of the fingers from it, or holds what rulings hold. A
    slip in the short ones, do and set, is as often another word, so that the line has to name a number or a player
    besides; one in a request, which rules nothing, counts where the word is all that the line holds.
    """
    if moderator_words.is_to_somebody(text):
        return True
    match = _BEGINS.match(text)
    words = [word.casefold() for word in match.groups() if word] if match else []
    slips = [verb for verb in VERBS if _slip(words, verb) <= 1]
    if (
        _MARKED.search(text)
        or ((kind := kind_of(text)) and kind.is_everyday)
        or any(_slip(words, verb) == 0 for verb in slips)
    ):
        return True
    if any(len(verb) > 3 and (verb not in _ALONE_WORDS or not words[1:]) for verb in slips):
        return True
    return bool(slips) and (bool(re.search("[0-9]", text)) or _names_somebody(table, text))


def _slip(words: Sequence[str], verb: str) -> int:
    """
    Count the typing errors between a verb and as many words as it has.

    A line of its first word alone is meant as it, and so is a word that a phone put a blank into.
    """
    if words == verb.split()[:1] or "".join(words) == verb:
        return 0
    return OSA.distance(" ".join(words[: len(verb.split())]), verb, score_cutoff=1)


def _names_somebody(table: Table, text: str) -> bool:
    words = set(re.findall(r"\w+", text.casefold()))
    return any(words & set(re.findall(r"\w+", label.casefold())) for label in table.labels().values())


def request(table: Table, text: str) -> Request | None:
    """Return the request on a line, such as status, or None."""
    match = re.fullmatch(r"([a-z]+)(?:(\s*:)?\s+(.+))?", _plain(text).lower().strip(" .!?"))
    kind = next((kind for kind in _REQUESTS if match and kind.word() == match[1]), None)
    if kind is None or match is None or (match[2] and kind is not Archive):
        return None
    found = kind.read(table, None, match[3] or "")
    return None if isinstance(found, Unread) else found


def kind_of(text: str) -> type[Ruling] | None:
    """Return the ruling with whose verb a line begins, or None."""
    return next((kind for kind in rulings.KINDS if _begins_with(text, kind)), None)


def _begins_with(text: str, kind: type[Ruling]) -> bool:
    if kind.is_everyday and kind.is_fixed:
        return bool(re.fullmatch(rf"{kind.verb()}[\s.!?]*", text, re.IGNORECASE))
    if kind.is_everyday and not _NAMES_PERSON.search(text):
        return False
    return bool(re.match(rf"{kind.verb()}{_COLON if kind.has_colon else _WORD_END}", text, re.IGNORECASE))


def read(table: Table, line: OrderLine, because: str | None = None) -> Ruling | Complaint:
    """
    Read one line against the table as it stands.

    Shape: behind a block the reason stands apart, in `because`; elsewhere it is what follows the word.
    """
    cuts = [(line.text, because)] if because is not None else _cuts(line.text)
    tries = [_read(table, text, reason) for text, reason in cuts]
    found = next((ruling for ruling in tries if not isinstance(ruling, Unread)), tries[-1])
    plain = _without_kind_words(line.text)
    if isinstance(found, Unread) and because is None and plain != line.text:
        again = _read(table, plain, "")
        found = found if isinstance(again, Unread) and not kind_of(plain) else again
    if isinstance(found, Unread):
        return Complaint(line.number, line.text, found.fault, found.because)
    return found


def _cuts(text: str) -> list[tuple[str, str]]:
    """Return where a reason may begin: at the last `because` first, since an order or a text may hold the word."""
    kind = kind_of(text)
    if kind and kind.is_prose:
        return [(text, "")]
    places = [match.span() for match in BECAUSE.finditer(text)]
    cuts = [(text[:start].strip(" ,;"), text[end:].strip(" :")) for start, end in reversed(places)]
    return cuts or [(text, "")]


def _read(table: Table, text: str, because: str) -> Ruling | Unread:
    kind = kind_of(text)
    word = next((word for word in _ALONE_WORDS if re.match(rf"{word}\b", text, re.IGNORECASE)), "")
    redacted = any(one.ruling.is_lasting for one in table.rulings)
    lasts = kind is not None and (
        kind.is_talk or kind.is_lasting or (kind is Undo and bool(table.announced or redacted))
    )
    if table.status == "over" and not lasts and not (kind and kind.when == "over"):
        fault: Literal["illegal", "unreadable"] = "illegal" if kind or word else "unreadable"
        return Unread(fault, "The game is over; nothing is ruled in it any more.")
    if word:
        return Unread("unreadable", f"For {word}, write {word} alone on its line.")
    if kind is None:
        return _other(table, text, because)
    rest = text[len(kind.verb()) :].strip(" :")
    if kind.is_fixed and rest.strip(" .!"):
        return Unread("unreadable", f"To rule that, write {kind.verb()} alone on its line.")
    found = kind.untimely(table) or kind.read(table, rest, because)
    return found if isinstance(found, Unread) else _fit(table, found)


def _fit(table: Table, ruling: Ruling) -> Ruling | Unread:
    """Refuse a ruling that cannot be carried out now, and one that does not say why where it has to."""
    wrong = ruling.unfit(table)
    if wrong or ruling.because or not ruling.needs_reason:
        return wrong or ruling
    about = ruling.about(table) if ruling.tells_about else ""
    return Unread("illegal", f"{about} A ruling that changes facts says why. Add: because REASON".strip())


def _other(table: Table, text: str, because: str) -> Ruling | Unread:
    """A line with no verb of ours may be one that the ruleset offers, such as `veto P03`."""
    if re.match(r"address\b", text, re.IGNORECASE) and _NAMES_PERSON.search(text):
        return Unread("illegal", "This moves somebody's letters only where it is alone in its mail. Nobody was asked.")
    found = Do.once(table, text, because)
    if not isinstance(found, Unread):
        return _fit(table, found)
    if found.fault != "unreadable" and table.state is not None:
        return found
    close = process.extractOne(text.partition(" ")[0].lower(), VERBS, scorer=fuzz.ratio, score_cutoff=70)
    hint = f" Did you mean {close[0]}?" if close else f" Known: {phrases.listed(VERBS, 'and')}."
    return Unread("unreadable", f"I know no ruling that begins so.{hint}")
