"""Names that a mail may mean whose writer did not say clearly how to be called: they are offered, and never taken."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from pbem.ground.terms import OrderLine
from pbem.language.sentences import MOST_TOKENS, Sentence, sentences
from pbem.language.tokens import Token
from pbem.language.words import COMMON
from pbem.table.model.coming import MOST_LINES, beneath_greeting, is_corrected
from pbem.table.model.coming_words import (
    LANGUAGE,
    LITTLE,
    PLACE,
    TITLE,
    WORDS,
    Placed,
    behind_forms,
    parts_of,
    read_parts,
)

MOST_SENTENCES = 5
"""The sentences of a mail in which a name by itself may be meant."""
MOST_OFFERED = 4
"""The most names that are offered."""
_Way: TypeAlias = Callable[[Sequence[Token]], Iterator[Placed]]
_NEAR = 5
"""How far behind an `if` stands that it is about a name being free."""
_DRAWN = ("t", "re", "m", "ll", "ve", "d")
"""What is drawn together behind a word, which no name is: We're."""
_COMES = ("YES", "JOIN", "ENTER")


def names(lines: Sequence[OrderLine], others: Collection[str] = ()) -> tuple[str, ...]:
    """
    Find the names that a mail may mean, the likeliest first; they are offered, and never taken.

    Shape: those behind a form, wherever in a sentence, come before those that have capitals beside a word of heroes and
    names; others count only where somebody comes and says little else. `others` are names that are none here: the
    writer's own, the moderator's. Where somebody may decline there is none, nor in what hangs on a condition.
    """
    said = beneath_greeting(lines, others)
    told = [one for one in sentences(LANGUAGE, said) if len(one.tokens) <= MOST_TOKENS]
    declines = any(_has(one, kind) for one in told for kind in ("DECLINES", "UNDECIDED"))
    if len(said) > MOST_LINES or declines or is_corrected(said):
        return ()
    strange = frozenset(word for one in others for word in one.casefold().split())
    does_come = any(_has(one, kind) for one in told for kind in _COMES) or any(map(_says_where, told))
    is_short = does_come and len(told) <= MOST_SENTENCES
    ways: tuple[_Way, ...] = (_behind_any_form, _beside_words_of_names, *((_by_themselves,) if is_short else ()))
    found: dict[str, None] = {}
    for way in ways:
        if way is not _by_themselves or not found:
            both = [(one, place, name) for one in told for place, name in way(one.tokens)]
            mine = [name for one, place, name in both if _is_wished(one, place) and _may_be_said(one, name)]
            found |= {name: None for name in mine if strange.isdisjoint(name.casefold().split())}
    return tuple(one for one in found if not any(_is_longer(other, one) for other in found))[:MOST_OFFERED]


def _is_longer(one: str, other: str) -> bool:
    """Say whether a name holds another and more, as whole words."""
    return one != other and f" {other} ".casefold() in f" {one} ".casefold()


def _says_where(sentence: Sentence) -> bool:
    return any(part.kind == "place" for _, part in parts_of(sentence))


def _has(sentence: Sentence, kind: str) -> bool:
    return WORDS.any_in(kind, [token.text for token in sentence.tokens])


def _is_wished(sentence: Sentence, place: int) -> bool:
    """Say whether a name at a place may be its writer's wish: it hangs on nothing, and nobody else is spoken of."""
    texts = [token.text for token in sentence.tokens]
    breaks = (n for n in range(place) if WORDS.has("BREAK", texts[n]) or COMMON.has("CLAUSE", texts[n]))
    begins = max(breaks, default=-1) + 1
    limits = [n for n in range(len(texts)) for _ in COMMON.ends("LIMIT", texts, n)]
    is_hung = any(n in (0, begins) or not WORDS.any_in("FREE", texts[n : n + _NEAR]) for n in limits)
    is_told = any(WORDS.any_in(kind, texts[begins:place]) for kind in ("ONCE", "THEY")) or COMMON.any_in("SAYS", texts)
    is_not = COMMON.any_in("TURN", texts[max(begins, place - 2) : place])
    return not is_hung and not is_told and not is_not


def _may_be_said(sentence: Sentence, name: str) -> bool:
    """Say whether words may be a name: none turns, and a question has only names in capitals."""
    words = name.casefold().split()
    return not COMMON.any_in("TURN", words) and not (sentence.is_question and name.islower())


def _behind_any_form(tokens: Sequence[Token]) -> Iterator[Placed]:
    """Yield the names behind any form."""
    return behind_forms(tokens, "named", "weak", "told")


def _beside_words_of_names(tokens: Sequence[Token]) -> Iterator[Placed]:
    """Yield the names in capitals of a sentence that speaks of heroes and names."""
    texts = [token.text for token in tokens]
    is_about = any(WORDS.any_in(kind, texts) for kind in ("HERO", "NAMED", "CALL", "CHOOSE", "TELLS", "BE"))
    return _in_capitals(tokens) if is_about else iter(())


def _by_themselves(tokens: Sequence[Token]) -> Iterator[Placed]:
    """Yield the names in capitals, and what stands alone between two marks and may be one in small letters."""
    yield from _in_capitals(tokens)
    yield from ((0, said.what) for _, said in read_parts(tuple(tokens), is_loose=True) if said.kind == "bare")


def _in_capitals(tokens: Sequence[Token]) -> Iterator[Placed]:
    """Yield the names in capitals that are no places, each with its place; a sentence's first word alone is none."""
    place = 0
    while place < len(tokens) and not tokens[0].line.isupper():
        is_talk = place == 0 and tokens[0].text in LITTLE and tokens[0].text != "the"
        ends = [] if is_talk else [*TITLE.spans(tokens, place)]
        end, name = max(ends, default=(place + 1, ""))
        name = name.removeprefix("the ")
        is_drawn = name.casefold().rpartition("'")[2] in _DRAWN
        is_place = any(True for _ in PLACE.spans(tokens, place))
        if name[:1].isupper() and (place or " " in name) and not is_drawn and not is_place:
            yield place, name
        place = end
