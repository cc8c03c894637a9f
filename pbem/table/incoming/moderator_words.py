"""A moderator's own words among their lines, as `to NAME: ...`: a paragraph, or a block up to its end."""

import re
from collections.abc import Callable, Sequence

import msgspec

from pbem.ground.terms import OrderLine
from pbem.language import phrases, wrapping
from pbem.speech.typed import tidied
from pbem.table.incoming.moderator_cuts import Cut
from pbem.table.rulings.headline import Headline, Story
from pbem.table.rulings.tell import Tell

LONGEST = 4_000
"""Characters of what is said to players at once."""

_TO_SOMEBODY = rf"{Tell.verb()}\s+(?P<names>[^:@]{{1,120}}?)"
_IN_REPORT = rf"(?P<verb>{Headline.verb()}|{Story.verb()})"
_TOLD = re.compile(rf"(?:{_TO_SOMEBODY}|{_IN_REPORT})\s*:\s*(?P<text>.*)", re.IGNORECASE)
_ALL = ("all", "all players", "everyone", "everybody")
_END = re.compile(r"end[\s.!]*", re.IGNORECASE)
_ENDLESS = (
    "These words have no end, so that I cannot tell them from rulings: nothing of them was passed on, and nothing "
    "below them was done. Close them with a line: end"
)
_BELOW = "Not done, since the words to players above it have no end."


class Words(msgspec.Struct, frozen=True):
    """What a mail says to players, and its other lines, blank where words stood."""

    told: tuple[Cut, ...]
    rest: tuple[OrderLine, ...]


def opens_block(text: str) -> bool:
    """Say whether a line opens words that go on to a line `end`: it names who they are for, and no word of them."""
    match = _TOLD.fullmatch(text)
    return match is not None and not match["text"]


def is_to_somebody(text: str) -> bool:
    """Say whether a line is said to somebody, known or not: `to NAME: ...`, or to all readers of the report."""
    return _TOLD.fullmatch(text) is not None


def take_out(new_lines: Sequence[OrderLine], stands_alone: Callable[[str], bool]) -> Words:
    """
    Take words to players out of a moderator's lines.

    Shape: behind a colon they are one paragraph, up to a blank line; where nothing stands there they go on to a line
    `end`. A line among them that is a ruling by itself, as `stands_alone` says, may be meant as one: then they are
    wrong as a whole, and it is not done either.
    """
    rests = wrapping.wrapped_off(new_lines)
    told: list[Cut] = []
    rest: list[OrderLine] = []
    place = 0
    while place < len(new_lines):
        line = new_lines[place]
        match = _TOLD.fullmatch(phrases.clean(line.text))
        place += 1
        if not match:
            rest.append(line)
            continue
        is_block = not match["text"]
        end = _end(new_lines, place, is_block=is_block)
        if end is None:
            told.append(Cut(OrderLine(line.number, line.text.strip()), _ENDLESS))
            below = (one for one in new_lines[place:] if one.text.strip())
            told.extend(Cut(OrderLine(one.number, one.text.strip()), _BELOW) for one in below)
            break
        said = new_lines[place:end]
        told.append(_told(line, match, said, rests, stands_alone))
        rest.extend(OrderLine(one.number, "") for one in (line, *said))
        place = end + is_block
    return Words(tuple(told), tuple(rest))


def _end(new_lines: Sequence[OrderLine], place: int, *, is_block: bool) -> int | None:
    """Return the place behind the last line of words, or None where a block is not closed."""
    for end in range(place, len(new_lines)):
        text = phrases.clean(new_lines[end].text)
        if _END.fullmatch(text) if is_block else not text or _TOLD.fullmatch(text):
            return end
        if is_block and opens_block(text):
            return None
    return None if is_block else len(new_lines)


def _told(
    line: OrderLine,
    match: re.Match[str],
    said: Sequence[OrderLine],
    wrapped: frozenset[int],
    stands_alone: Callable[[str], bool],
) -> Cut:
    text = match["text"]
    for one in said:
        text += (" " if one.number in wrapped and text else "\n") + one.text.strip()
    names = match["names"] or ""
    names = "all" if names.casefold() in _ALL else names
    head = match["verb"].lower() if match["verb"] else f"{Tell.verb()} {names}"
    whole = OrderLine(line.number, f"{head}: {text.strip()}")
    if len(text) > LONGEST:
        because = f"These words have {len(text):,} characters; {LONGEST:,} is the most. Nothing was passed on."
        return Cut(OrderLine(line.number, line.text.strip()), because)
    lines = (tidied(one.text) for one in said)
    ruling = next((one for one in lines if stands_alone(one)), "")
    if not ruling:
        return Cut(whole)
    because = (
        f'Among these words stands "{ruling[:60]}", which reads as a ruling. Nothing was passed on, and it was not '
        "done. If it is one, put a blank line above it; if not, say it in other words."
    )
    return Cut(OrderLine(line.number, line.text.strip()), because)
