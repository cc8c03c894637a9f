"""Why a sentence does not read, and what would have worked: the nearest forms, and the words that are not theirs."""

from collections.abc import Callable, Sequence

import msgspec

from pbem.ground.terms import Refused
from pbem.language import phrases
from pbem.language.forms import form, said_as
from pbem.language.parses import Language, Parses, is_optional
from pbem.language.shapes import Choice, Class, Element, Literal, Repeat, Shape, Slot
from pbem.language.tokens import Token, written

MOST_SHOWN = 3
"""The most forms that are shown for a sentence."""
MOST_SKIPPED = 3
"""The words that are left over of a sentence after which more make no difference."""
DEEPEST = 1
"""How many kinds within kinds are looked into for a part of what a slot needs."""
MOST_TOKENS = 16
"""The most words of a sentence that are looked at."""


class _Match(msgspec.Struct, frozen=True):
    """
    How much of a shape is in a sentence.

    Shape: `words` counts those of its own, a verb more than others, `slots` are those that were read, as we write them,
    `missing` counts what it needs and does not have. `gap` is the kind of the first slot that was not read, with the
    place where it should begin and the one where what follows it was found again; `skipped` are the places of words
    that the shape has no use for.
    """

    words: int = 0
    slots: tuple[tuple[str, str], ...] = ()
    missing: int = 0
    place: int = 0
    gap: tuple[str, int, int] | None = None
    skipped: tuple[int, ...] = ()
    depth: int = 0

    @property
    def read(self) -> int:
        """How much of a sentence was read."""
        return self.words + len(self.slots)

    @property
    def rank(self) -> tuple[int, int]:
        """How near it is: the most that was read and the least that is left over first, then the least missing."""
        return self.read - min(len(self.skipped), MOST_SKIPPED), -self.missing


def why_unread(
    language: Language, tokens: Sequence[Token], kind: str = "", worded: Callable[[str], str] = str
) -> Refused | None:
    """
    Say what in a sentence could not be read: the smallest thing in the shape that is nearest.

    Shape: None where nothing is near. A noun says why words are none of its own, as a name that nobody has; else the
    nearest forms are shown, as the game's letters word them.
    """
    tokens = tokens[:MOST_TOKENS]
    near = _nearest(language, tokens, kind or language.line, is_inner=bool(kind))
    if not near:
        return None
    first, match = near[0]
    rule = language.rules.get(first.act or first.kind, language.rules.get(kind, ""))
    if match.gap and match.missing == 1:
        inner, start, end = match.gap
        words = tokens[start:end]
        noun = language.nouns.get(_noun_of(language, inner))
        because = noun.why_not(words) if noun and words else None
        if because:
            return msgspec.structs.replace(because, rule=language.rules.get(inner, rule))
        is_alone = inner in language.shapes.of and Parses(language, words).whole(language.line)
        if is_alone:
            return Refused("unreadable", f'"{written(words)}" stands on a line of its own.', rule)
        is_inner = inner in language.shapes.of and inner != kind and words
        because = why_unread(language, words, inner, worded) if is_inner else None
        if because:
            return msgspec.structs.replace(because, rule=because.rule or rule)
    shown = dict.fromkeys(form(language, _canonical(language, shape), one.slots) for shape, one in near)
    would = phrases.listed([f'"{worded(one)}"' for one in shown][:MOST_SHOWN])
    said = written([tokens[place] for place in match.skipped]) if not match.missing else ""
    said = said or (written(tokens) if kind else "")  # a part of a line alone is no order
    what = f'"{said}" there' if said else "this as an order"
    return Refused("unreadable", f"I cannot read {what}. What would work: {would}.", rule)


def _noun_of(language: Language, kind: str) -> str:
    """Return the noun that may stand for a kind, or the kind itself."""
    others = (shape.elements[0] for shape in language.shapes.of.get(kind, ()) if shape.is_other_kind)
    return next((one.kind for one in others if isinstance(one, Slot) and one.kind in language.nouns), kind)


def _nearest(
    language: Language, tokens: Sequence[Token], kind: str, *, is_inner: bool = False
) -> list[tuple[Shape, _Match]]:
    """
    Return the best match of each act that has most of the sentence, the nearest first.

    Shape: it has what the act begins with, and more than a name alone; of what stands in a slot any act may be meant.
    """
    parses, has = Parses(language, tokens), dict[Element, bool]()
    found: dict[str, tuple[Shape, _Match]] = {}
    for shape in language.shapes.that_may_be(kind):
        act = shape.act or shape.kind
        begins = 0 if act in language.unshown else _beginning(parses, shape, has)
        if act in language.unshown or not (begins or is_inner):
            continue
        match = _matched(parses, shape.elements, _Match())
        match = _found(match, len(tokens), len(tokens))
        if begins:
            match = msgspec.structs.replace(match, words=match.words + begins - 1)
        is_near = is_inner or match.words or len(match.slots) > 1
        if is_near and (act not in found or match.rank > found[act][1].rank):
            found[act] = shape, match
    ranked = sorted(found.values(), key=lambda both: both[1].rank, reverse=True)
    return [both for both in ranked if 2 * both[1].read > ranked[0][1].read or is_inner]


def _beginning(parses: Parses, shape: Shape, has: dict[Element, bool]) -> int:
    """
    Say how well what a shape has to begin with is in a sentence: 0 for not at all, most for our own verb.

    Shape: the first word that it has to have is there too. `has` keeps which elements are in the sentence, since many
    shapes begin alike.
    """
    words = parses.language.paths.needed(shape)
    if words is not None and words.isdisjoint(parses.texts):
        return 0

    def is_there(element: Element) -> bool:
        if element not in has:
            has[element] = not _matched(parses, (element,), _Match()).missing
        return has[element]

    if not is_there(_first(shape)):
        return 0
    ours = _first(_canonical(parses.language, shape))
    if isinstance(ours, Slot) or not is_there(ours):
        return 1
    said = " ".join(parses.texts)
    is_own_word = isinstance(ours, Literal) or (
        isinstance(ours, Class) and parses.language.words.canonical(ours.name) in said
    )
    return 4 if is_own_word else 2


def _first(shape: Shape) -> Element:
    return next(one for one in shape.elements if not is_optional(one))


def _canonical(language: Language, shape: Shape) -> Shape:
    """Return the shape of an act that we write ourselves."""
    return next(one for one in language.shapes.of[shape.kind] if one.act == shape.act and not one.is_other_kind)


def _matched(parses: Parses, elements: Sequence[Element], so_far: _Match) -> _Match:
    """Go along a shape, taking of a sentence what comes next in it, and leaving out what does not."""
    match = so_far
    for nth, element in enumerate(elements):
        match element:
            case Literal() | Class():
                match = _word(parses, element, match)
            case Slot():
                ways = _slot(parses, element, match)
                if len(ways) > 1:
                    ends = [_matched(parses, elements[nth + 1 :], way) for way in ways]
                    return max(ends, key=lambda one: one.rank)
                match = ways[0]
            case Choice(options):
                match = max((_matched(parses, option, match) for option in options), key=lambda way: way.rank)
            case Repeat():
                pass
    return match


def _word(parses: Parses, element: Literal | Class, match: _Match) -> _Match:
    """Look for a word of a shape from a place on."""
    for place in range(match.place, len(parses.texts)):
        if isinstance(element, Class):
            end = next(parses.language.words.ends(element.name, parses.texts, place), 0)
        else:
            end = place + 1 if parses.texts[place] == element.text else 0
        if end:
            is_word = parses.texts[place][0].isalpha()
            return _found(match, place, end, words=match.words + is_word)
    return msgspec.structs.replace(match, missing=match.missing + 1)


def _slot(parses: Parses, slot: Slot, match: _Match) -> list[_Match]:
    """Look for what fills a slot from a place on: the longest that stands there, or nothing, or a part of it."""
    for place in range(match.place, len(parses.texts)):
        is_letter = parses.tokens[place].kind == "word" and len(parses.texts[place]) == 1
        is_likely = place == match.place or not is_letter  # which may be the beginning of any name
        if is_likely and (found := parses.at(slot.kind, place)):
            end, meaning = max(found, key=lambda one: one[0])
            said = said_as(parses.language, slot.kind, meaning)
            if said is not None:
                return [_found(match, place, end, slots=(*match.slots, (slot.name, said)))]
    gap = match.gap or (slot.kind, match.place, len(parses.texts))
    without = msgspec.structs.replace(match, missing=match.missing + 1, gap=gap)
    inner = parses.language.shapes.of.get(slot.kind, ()) if match.depth < DEEPEST else ()
    deeper = msgspec.structs.replace(match, depth=match.depth + 1)
    within = max(
        (_matched(parses, shape.elements, deeper) for shape in inner), key=lambda one: one.rank, default=without
    )
    is_nearer = within.read > match.read and within.missing <= without.missing + within.read - match.read
    return [without, msgspec.structs.replace(within, depth=match.depth)] if is_nearer else [without]


def _found(match: _Match, place: int, end: int, **changed: object) -> _Match:
    """Go on behind what was found; what was looked for before it ends there."""
    gap = match.gap and (*match.gap[:2], min(match.gap[2], place))
    is_gap = match.gap is not None and match.gap[1] == match.place
    skipped = match.skipped if is_gap else (*match.skipped, *range(match.place, place))
    return msgspec.structs.replace(match, place=end, gap=gap, skipped=skipped, **changed)
