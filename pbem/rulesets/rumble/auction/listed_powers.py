"""Powers as people write them down: which lines name one, hold its text, or only say that powers follow."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ruleset import (
    Complaint,
    OrderLine,
    Parsed,
    Refused,
    courtesy,
    is_harmless,
    is_heading,
    may_change,
    phrases,
    small_talk,
)
from pbem.rulesets.rumble.model.order import Order
from pbem.rulesets.rumble.model.state import PowerKind
from pbem.rulesets.rumble.powers.archive import named

BEGINS = re.compile(r"(?:power(?:\s*[12])?|name|text|type|kind)\s*:|power\s+[^:]+:", re.IGNORECASE)
"""Lines that begin a power, or a part of one."""
_NUMBER = re.compile(r"(?:\(?[1-9][.):]|#[1-9][.:]?|[-*\u2022])\s*(?=\S)")
_NAME_AND_TEXT = re.compile(
    r"(?P<name>[^:;.!?()=]{1,40}?(?:\s\((?:flaw|curse)\))?)"
    r"(?:\s+(?:-+>?|=>?|\u2192)\s+|(?P<colon>\s*:\s*)|\s*\((?=.*\)$))(?P<text>\S.*)",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(\*{1,2}|_{1,2})(?P<name>[^*_:]{1,40}?):?\1\s*[:-]*\s*(?P<text>.*)")
"""A name between marks that a program shows in bold."""
_NO_NAME_SAID = """
note notes ps nb btw fyi edit update question questions remark comment comments reminder warning example rule rules
subject from to cc bcc date re fw fwd sent reason flavour flavor hint summary explanation attention important my cost
effect effects target trigger duration range limit spend burn drain use each also or and but if when so as here this for
"""
_ASKING = frozenset(("archive", "help", "history", "resend", "zone", "standing", "address", "press", "join"))
"""Words with which something is asked of us, whatever follows."""
_NO_NAMES = _ASKING.union(_NO_NAME_SAID.split())
"""Words before a colon that call no power."""
_ABOUT_THE_GAME = re.compile(
    r"\b(?:you|your|attack|attacks|defen[cs]e|energy|damage|spend|burn|drain|power|powers|hero|heroes|round|rounds|"
    r"opponents?|bids?)\b",
    re.IGNORECASE,
)
_HEADING = frozenset(("power", "powers", "two", "both", "one", "idea", "ideas", "first", "second"))
_ORDERED = re.compile(
    r"(?:(?:also|and|plus)\s+)?(?:bids?|att(?:ack)?|atk|def(?:end)?|drop|make that)\s.*[0-9]\W*", re.IGNORECASE
)
"""What is ordered in another phase, or changes what is on hand."""
_SUBJECT = re.compile(r"(?:re:\s*)?(?:\[[^\]]*\]\s*)?(?:round|auction|powers)(?:\s+\d+)?\W*", re.IGNORECASE)
"""A letter's subject, as mail programs repeat it behind a word for it in any language."""
_NUMBERED = re.compile(r"(?:power|idea)\s*#?\s*[1-9]\s*:?|[\W_]+", re.IGNORECASE)
"""A power's number alone, or a row of marks."""
_POWERS_SAID = re.compile(r"(?:\b(?:both|first|second|two|new|own)\s+)*\bpowers?\b", re.IGNORECASE)
"""What is said of powers above the first of them, and calls none."""
_BETTER = re.compile(
    r"(?:better|new|other|different|changed) (?:words?|wording|text|name)s? (?:for|of) [^:]+:", re.IGNORECASE
)
"""What says only that a power stands below it."""
LIKE_A_POWER = re.compile(r"(?:powers?|name|text|type|kind)\b|.*\bpower\b[^:]*:\s*\S", re.IGNORECASE)
"""What no kind words begin with, or hold behind a mail program's own."""


_SECRET = re.compile(r"\S@\S+\.\w|(?<![^\W_])(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{16,}(?![^\W_])", re.IGNORECASE)
"""A mail address, or what looks like the token of a reply address."""


def secret_in(name: str, text: str) -> Refused | None:
    """Refuse words that hold what only their writer should know: everybody reads a power."""
    match = _SECRET.search(f"{name} {text}")
    if match is None:
        return None
    because = "A mail address, or a part of one, stands in this power, which everybody will read. Send it without that."
    return Refused("ambiguous", because, "R17")


class Block(msgspec.Struct):
    """
    A power while it is being read, line by line.

    Shape: `texted` says that a `text:` line gave the text, so that a colon in the name is part of it; `open` that
    more lines of text may follow, `over` that a blank line came; `listed` that it stands in a list of people's own.
    """

    line: OrderLine
    name: str
    parts: list[str]
    kind: PowerKind = "power"
    texted: bool = False
    open: bool = False
    over: bool = False
    listed: bool = False


def bare(text: str) -> str:
    """Take the mark of a list away where the words of a power's own form stand behind it."""
    mark = _NUMBER.match(text)
    return text[mark.end() :] if mark and BEGINS.match(text, mark.end()) else text


def is_head(text: str, *, is_first: bool) -> bool:
    """Say whether a line only says that powers stand below it, or parts them; above the first without a colon too."""
    is_said = text.endswith(":") and is_heading(text, _HEADING)
    is_asked = text.split(" ", maxsplit=1)[0].casefold().strip(":,") in _ASKING
    is_kind = is_first and not is_asked and is_harmless(_POWERS_SAID.sub(" ", text))
    return is_said or is_kind or _NUMBERED.fullmatch(text) is not None or _BETTER.fullmatch(text) is not None


def listed(line: OrderLine, text: str) -> Block | None:
    """Read a power as people list them: `1. NAME - TEXT`, `1. NAME` of the archive, and the first without a number."""
    number = _NUMBER.match(text)
    bare = text[number.end() :] if number else text
    if number and named(phrases.without_stop(bare)):
        return Block(line, phrases.without_stop(bare), [], listed=True)
    match = _NAME_AND_TEXT.fullmatch(bare)
    is_called = number or (match and _is_title(match["name"]) and not text.endswith(")"))
    if not match or not is_text(match["text"]) or not is_called:
        return None
    is_boxed = match["text"].endswith(")") and "(" not in match["text"]
    return Block(line, match["name"], [match["text"].removesuffix(")" if is_boxed else "")], open=True, listed=True)


def headed(line: OrderLine, text: str, below: str, blocks: Sequence[Block]) -> Block | None:
    """Read a power whose name stands in bold, or alone on a line with its text right below it."""
    bold = _BOLD.fullmatch(text)
    if bold and _is_title(bold["name"]) and (not bold["text"] or is_text(bold["text"])):
        return Block(line, bold["name"], [bold["text"]] if bold["text"] else [], open=True, listed=True)
    last = blocks[-1] if blocks else None
    is_between = last is None or last.over or (last.listed and bool(last.parts) and last.parts[-1][-1:] in ".!")
    is_alone = re.fullmatch(r"[^:;,.!?()*_]{2,40}", text) is not None and _is_title(text)
    if not (is_between and is_alone and below and is_text(below)) or listed(line, below):
        return None
    return Block(line, text, [], open=True, listed=True)


def _is_title(text: str) -> bool:
    """Say whether a text is written as names of powers are, and is no small talk."""
    first, *rest = re.sub(r"\s\((?:flaw|curse)\)$", "", text, flags=re.IGNORECASE).split() or [""]
    is_capital = all(word[:1].isupper() or len(word) < 4 for word in rest) and first[:1].isupper()
    is_said = is_harmless(text) or courtesy(text) or is_heading(text, _HEADING) or LIKE_A_POWER.match(text)
    is_name = not text.isupper() and "," not in text and first.casefold().strip(".") not in _NO_NAMES
    return is_capital and is_name and not is_said


def is_text(text: str) -> bool:
    """Say whether a text can be what a power does: it is about the game, and no question."""
    is_said = text.endswith("?") or BEGINS.match(text) or _SUBJECT.fullmatch(text)
    return _ABOUT_THE_GAME.search(text) is not None and not is_said


def is_aside(block: Block, text: str) -> bool:
    """Say whether a line below a whole text may speak of it: it orders something, or changes it and not in the game."""
    is_whole = block.parts[-1:] != [] and block.parts[-1].rstrip().endswith((".", "!", "?"))
    is_change = may_change(text) and _ABOUT_THE_GAME.search(text) is None
    return is_whole and (is_change or _ORDERED.fullmatch(text) is not None)


def without_talk(found: Parsed[Order]) -> Parsed[Order]:
    """Part whole sentences of small talk, which say nothing of the game, from what could not be read."""

    def is_talk(one: Complaint) -> bool:
        asks = one.text.split(" ", maxsplit=1)[0].casefold().strip(":,") in _ASKING
        is_whole = one.fault == "unreadable" and small_talk.is_whole(one.text) and not asks
        is_of_game = _ABOUT_THE_GAME.search(one.text) is not None
        return is_whole and (is_harmless(one.text) or (not is_of_game and small_talk.is_small_talk(one.text)))

    talk = tuple(filter(is_talk, found.complaints))
    left = tuple(one for one in found.complaints if one not in talk)
    return msgspec.structs.replace(found, complaints=left, passed=talk)
