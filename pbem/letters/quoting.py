"""What mail clients write around a quotation, and what it introduces; knows no letter of ours."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pbem.letters.attributions import NARROWEST, attributions
from pbem.letters.blocks import Kind, blocks
from pbem.letters.client_phrases import GATE, NOTICE, SENT_FROM


def frame(texts: Sequence[str], kinds: Sequence[Kind], raw: Sequence[str]) -> Mapping[int, str]:
    """
    Return the places of loose lines that the writer's mail client or someone else wrote, and what each is taken for.

    Shape: `texts` are the lines cleaned, without quote marks, `raw` as they came. Taken are attributions, header
    blocks and what follows those that do not introduce a letter of ours, signatures and "Sent from my ...".
    """
    taken: dict[int, str] = {}
    headers = list(blocks(texts, kinds))
    for first, last in headers:
        taken.update(dict.fromkeys(range(first, last + 1), "header block"))
    wrote = [one for one in attributions(texts, kinds, raw) if one.first not in taken]
    for one in wrote:
        taken.update(dict.fromkeys(range(one.first, one.last + 1), "attribution"))
    openings = {last: True for _, last in headers} | {one.last: False for one in wrote if one.is_sure}
    for place in _foreign(texts, kinds, raw, openings, frozenset(taken)):
        taken.setdefault(place, "quoted without marks")
    taken.update(dict(_endings(texts, kinds, frozenset(taken))))
    return {place: reason for place, reason in taken.items() if kinds[place] == "loose"}


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


def _endings(texts: Sequence[str], kinds: Sequence[Kind], framed: frozenset[int]) -> Iterator[tuple[int, str]]:
    """
    Find signatures, what phones add, and the notices of companies.

    A signature goes from its two dashes to the next quotation or the end, a notice to the next blank line. A line of
    a signature may stand in our letter, such as a name; a quotation has two such lines in a row.
    """
    signing = noticing = False
    for place, text in enumerate(texts):
        kind = kinds[place]
        noticing = noticing and kind == "loose"
        if kind == "quoted" or place in framed or (signing and kind == "ours" and _goes_on(kinds, place)):
            signing = noticing = False
        elif text == "--":
            signing = True
        elif kind == "loose" and len(text) >= NARROWEST and NOTICE.match(text):
            noticing = True
        if signing or noticing:
            yield place, "signature" if signing else "notice"
        elif kind == "loose" and len(text) < 100 and place not in framed and SENT_FROM.fullmatch(text):
            yield place, "footer"
