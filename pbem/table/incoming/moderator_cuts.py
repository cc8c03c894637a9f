"""A moderator's new lines put together into rulings: blocks, wrapped lines, limits of length."""

import re
from collections.abc import Callable, Sequence

import msgspec

from pbem.ground.terms import OrderLine
from pbem.language import phrases, wrapping
from pbem.table import rulings
from pbem.table.rulings.do import Do
from pbem.table.rulings.note import Note
from pbem.table.rulings.order import OrderFor

LONGEST = 500
"""Characters of a ruling, up to the text that stands behind a colon or a `because`; of a block, those of each line."""
LONGEST_TEXT = 2_000
"""Characters of such a text, and of a note."""
MOST_REASONS = 10
"""How often one line may say because: each may begin the reason."""

_ENDLESS = "This line opens a block, which has no end. Below its last line write: end because REASON"
BECAUSE = re.compile(r"(?<![\w-])because(?![\w-])", re.IGNORECASE)
_NOTE = re.compile(rf"{Note.verb()}\b", re.IGNORECASE)
_ENDS = re.compile(r"end\b[\s.!]*(?=$|because\b)", re.IGNORECASE)
_VERBS = "|".join(kind.verb() for kind in rulings.KINDS if not kind.is_fixed and kind is not Do)
_OPENS_NO_BLOCK = re.compile(rf"(?:{_VERBS})\b", re.IGNORECASE)
_ORDER = re.compile(rf"{OrderFor.verb()}\b", re.IGNORECASE)
_OPEN_ORDER = re.compile(rf"{OrderFor.verb()}\b.*[:;,]$", re.IGNORECASE)
_LABEL = re.compile(r"[^\W\d_][\w .'!-]{0,40}:(?:\s|$)")


class Cut(msgspec.Struct, frozen=True):
    """
    A line to read, made of one or several new lines; `wrong` says why it cannot be read at all.

    Shape: `behind` is what stands behind the end of a block, its reason; None where the line has its own.
    """

    line: OrderLine
    wrong: str = ""
    behind: str | None = None

    @property
    def because(self) -> str | None:
        """The reason of a block; None where it is to be found in the line."""
        return None if self.behind is None else BECAUSE.sub("", self.behind, count=1).strip(" :")

    @property
    def last(self) -> str:
        """The words that it ends with."""
        return self.line.text if self.behind is None else self.behind


def ends_block(text: str) -> bool:
    """Say whether a line closes a block that is open."""
    return _ENDS.match(text) is not None


def opens_block(text: str) -> bool:
    """Say whether a line opens a block of effects."""
    return text.endswith("=") and not _OPENS_NO_BLOCK.match(text)


def cut(new_lines: Sequence[OrderLine], stands_alone: Callable[[str], bool]) -> tuple[Cut, ...]:
    """
    Clean a moderator's lines and put together what is one.

    Shape: a line that closes with = opens lines up to one that says end; a blank line among them says also. Any
    other line goes on with the next where it asks for that, or the next begins with its reason; else only where a
    mail program visibly wrapped it and the next cannot be a line of its own, as `stands_alone` says.
    """
    rests = wrapping.wrapped_off(new_lines)
    result: list[Cut] = []
    block: list[OrderLine] = []
    is_below = False
    for place, line in enumerate(new_lines):
        text = phrases.clean(line.text)
        above = result[-1] if is_below and not result[-1].wrong else None
        if block and not _ENDS.match(text):
            block.append(OrderLine(line.number, text or "also"))
        elif not text:
            pass
        elif block:
            result.append(_in_one(block, text))
            block = []
        elif opens_block(text):
            if any(_ENDS.match(phrases.clean(one.text)) for one in new_lines[place + 1 :]):
                block = [OrderLine(line.number, text)]
            else:
                result.append(Cut(OrderLine(line.number, text), _ENDLESS))
        elif above and (
            _asks_for(above.last, text) or (line.number in rests and not (stands_alone(text) or _LABEL.match(text)))
        ):
            result[-1] = _longer(above, text)
        else:
            result.append(_bounded(OrderLine(line.number, text)))
        is_below = bool(text and not block)
    return tuple(result)


def _longer(above: Cut, text: str) -> Cut:
    """Append a wrapped line to the line above it, or to the reason of the block above it."""
    if above.behind is not None:
        behind = f"{above.behind} {text}".strip()
        return Cut(above.line, _too_long("The reason of this block", behind, LONGEST_TEXT), behind)
    return _bounded(OrderLine(above.line.number, f"{above.line.text} {text}"))


def _asks_for(above: str, text: str) -> bool:
    """Say whether the line below belongs to a ruling: by its own last word or sign, or since the line is its reason."""
    if _NOTE.match(above):
        return False
    if re.match(r"because\b", text, re.IGNORECASE):
        return not BECAUSE.search(above)
    return bool(re.search(r"\bbecause:?$", above, re.IGNORECASE) or _OPEN_ORDER.match(above))


def _in_one(block: Sequence[OrderLine], end: str) -> Cut:
    """Put a block on one line, with the reason that stands behind its end."""
    inner = "; ".join(one.text.rstrip(" ;") for one in block[1:])
    behind = _ENDS.sub("", end, count=1)
    longest = max(block, key=lambda one: len(one.text))
    wrong = (
        _too_long("A line of this block", longest.text, LONGEST)
        or _too_long("This block", inner, LONGEST_TEXT)
        or _too_long("The reason of this block", behind, LONGEST_TEXT)
    )
    return Cut(OrderLine(block[0].number, f"{block[0].text} {inner}"), wrong, behind)


def _bounded(line: OrderLine) -> Cut:
    """Refuse a line that is too long."""
    because = list(BECAUSE.finditer(line.text))
    if _NOTE.match(line.text):
        return Cut(line, _too_long("This note", line.text, LONGEST_TEXT))
    if len(because) > MOST_REASONS:
        return Cut(line, f"This line says because {len(because)} times; {MOST_REASONS} times is the most.")
    start = because[0].start() if because else len(line.text)
    colon = line.text.find(":", 0, start)
    head = colon if colon >= 0 else start
    wrong = _too_long("This ruling, up to its text or reason,", line.text[:head], LONGEST)
    if _ORDER.match(line.text):
        longest = max(phrases.parts(line.text[head + 1 : start]), key=len, default="")
        wrong = wrong or _too_long("An order of this ruling", longest, LONGEST)
    return Cut(line, wrong or _too_long("The text of this ruling", line.text[head:], LONGEST_TEXT))


def _too_long(what: str, text: str, most: int) -> str:
    return f"{what} has {len(text):,} characters; {most:,} is the most." if len(text) > most else ""
