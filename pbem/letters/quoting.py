"""What mail clients write around a quotation, and what it introduces; knows no letter of ours."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple, TypeAlias

from pbem.letters.attributions import attributions
from pbem.letters.blocks import Kind, blocks
from pbem.letters.client_phrases import GATE, NOTICE, SENT_FROM
from pbem.letters.heads import ADDRESS, CLOCK, DAY, NARROWEST, NOBODY, IsSaid, Us, heads

InBlock: TypeAlias = Callable[[Sequence[str]], bool]
"""Says whether behind these new lines a block stands open, which an `end` closes instead of the mail."""

WHOLE = 4
"""The lines of a whole header block: From, Sent, To and Subject."""

MOST_NOTICES = 20
"""The most lines that are looked at as the beginning of a notice, since each line below one is held against orders."""
FAR = 30
"""How many lines below a notice orders are looked for."""


class _Opening(NamedTuple):
    """
    What introduces quoted text: its first and last line, and whether it is a header block.

    Shape: `is_sure` tells that what follows it without marks is quoted too.
    """

    first: int
    last: int
    is_block: bool = False
    is_sure: bool = True


def frame(
    texts: Sequence[str],
    kinds: Sequence[Kind],
    raw: Sequence[str],
    us: Us = NOBODY,
    is_said: IsSaid = lambda text: False,
    in_block: InBlock = lambda new: False,
) -> Mapping[int, str]:
    """
    Return the places of loose lines that the writer's mail client or someone else wrote, and what each is taken for.

    Shape: `texts` are the lines cleaned, without quote marks, `raw` as they came. Taken are attributions, header
    blocks and what follows those that do not introduce a letter of ours, signatures and "Sent from my ...".
    """
    taken: dict[int, str] = {}
    openings = [_Opening(first, last, is_block=True) for first, last in blocks(texts, kinds)]
    inside = {place for one in openings for place in range(one.first, one.last + 1)}
    wrote = (one for one in attributions(texts, kinds, raw, is_said) if one.first not in inside)
    openings += [_Opening(one.first, one.last, is_sure=one.is_sure) for one in wrote]
    above = [_Opening(first, last, is_sure=False) for first, last in heads(texts, kinds, us, is_said)]
    if "ours" in kinds:
        openings = [one for one in openings if not _is_the_writers(texts, kinds, one, openings, us, in_block)]
    for one in (*openings, *above):
        reason = "header block" if one.is_block else "attribution"
        for place in range(one.first, one.last + 1):
            taken.setdefault(place, reason)
    sure = {one.last: one.is_block for one in openings if one.is_sure}
    for place in _foreign(texts, kinds, raw, sure, frozenset(taken)):
        taken.setdefault(place, "quoted without marks")
    taken.update(dict(_endings(texts, kinds, frozenset(taken), is_said)))
    return {place: reason for place, reason in taken.items() if kinds[place] == "loose"}


def _is_the_writers(
    texts: Sequence[str],
    kinds: Sequence[Kind],
    one: _Opening,
    openings: Iterable[_Opening],
    us: Us,
    in_block: InBlock,
) -> bool:
    """
    Say whether the writer typed an opening, in a mail that holds our letter elsewhere: "As I wrote on 22.11.2026:".

    What has an address, or stands right above marked lines or ours, is a client's, and so is a whole header block with
    its day and time, and what names us above our letter; unless it stands in a block of the writer's, such as press.
    """
    lines = texts[one.first : one.last + 1]
    if any(map(ADDRESS.search, lines)):
        return False
    end = min((other.first for other in openings if other.first > one.last), default=len(texts))
    below = [place for place in range(one.last + 1, end) if kinds[place] != "blank"]
    if not below or kinds[below[0]] != "loose":
        return False
    is_whole = one.is_block and len(lines) >= WHOLE and any(map(DAY.search, lines)) and any(map(CLOCK.search, lines))
    is_above_ours = 2 * sum(kinds[place] == "ours" for place in below) >= len(below)
    if is_whole or (is_above_ours and (us.is_named_in(" ".join(lines)) or GATE.match(texts[below[0]]))):
        return in_block([texts[place] for place in range(one.first) if kinds[place] == "loose"])
    return True


def _foreign(
    texts: Sequence[str],
    kinds: Sequence[Kind],
    raw: Sequence[str],
    openings: Mapping[int, bool],
    framed: frozenset[int],
) -> Iterator[int]:
    """
    Find what stands below an opening without quote marks and is not a letter of ours.

    Shape: `openings` are the last lines of header blocks (true) and of attributions (false).
    Where quote marks or a letter of ours follow, loose lines are answers between its lines, and stay; only what
    a mail gate set above our letter ("CAUTION: ...") goes. Where the client indented what it quoted, only indented
    lines go. Below an attribution all goes if something was written above it: else a person may have cut the
    quotation away and written below.
    """
    places = sorted(openings)
    for last, end in pairwise([*places, len(kinds)]):
        rest = (place for place in range(last + 1, end) if kinds[place] != "blank" and place not in framed)
        first = next(rest, None)
        if first is None or kinds[first] != "loose":
            continue
        below = [first, *rest]
        loose = [place for place in below if kinds[place] == "loose"]
        ours = [place for place in below if kinds[place] == "ours"]
        if not openings[last] and raw[below[0]][:1].isspace():
            yield from (place for place in loose if raw[place][:1].isspace())
        elif 2 * len(ours) >= len(below):
            if GATE.match(texts[below[0]]):
                yield from range(last + 1, ours[0])
        elif openings[last] or any(kinds[place] == "loose" and place not in framed for place in range(last)):
            yield from loose


def _goes_on(kinds: Sequence[Kind], place: int) -> bool:
    return next((kind for kind in kinds[place + 1 : place + 4] if kind != "blank"), "") == "ours"


def _endings(
    texts: Sequence[str], kinds: Sequence[Kind], framed: frozenset[int], is_said: IsSaid
) -> Iterator[tuple[int, str]]:
    """
    Find signatures, what phones add, and the notices of companies.

    A signature goes from its two dashes to the next quotation or the end, a notice to the next blank line, and none
    stands above what its writer has to say. A line of a signature may stand in our letter, such as a name; a quotation
    has two such lines in a row.
    """
    signing = noticing = False
    notices = 0
    for place, text in enumerate(texts):
        kind = kinds[place]
        noticing = noticing and kind == "loose"
        if kind == "quoted" or place in framed or (signing and kind == "ours" and _goes_on(kinds, place)):
            signing = noticing = False
        elif text == "--":
            signing = True
        elif kind == "loose" and notices < MOST_NOTICES and len(text) >= NARROWEST and NOTICE.match(text):
            notices += 1
            noticing = not _is_said_below(texts, kinds, place, is_said)
        if signing or noticing:
            yield place, "signature" if signing else "notice"
        elif kind == "loose" and len(text) < 100 and place not in framed and SENT_FROM.fullmatch(text):
            yield place, "footer"


def _is_said_below(texts: Sequence[str], kinds: Sequence[Kind], place: int, is_said: IsSaid) -> bool:
    below = takewhile(lambda at: kinds[at] in ("loose", "blank"), range(place + 1, min(place + FAR, len(texts))))
    return any(is_said(texts[at]) for at in below if texts[at])
