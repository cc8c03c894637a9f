"""What a sentence that does not read may mean without the words that nobody knows: shown, never taken."""

from collections.abc import Sequence

from pbem.language.parses import Language, Meaning, Parses
from pbem.language.tokens import Token
from pbem.language.words import COMMON


def offer(language: Language, tokens: Sequence[Token]) -> tuple[Meaning, ...]:
    """
    Return the orders that a sentence may mean, or none.

    Shape: every word of it that orders use is in one of them, in their order. Where a word turns or limits
    what stands beside it, or a date stands there, nothing is offered: what was meant may be the contrary.
    """
    texts = [token.text for token in tokens]
    if any(token.kind == "other" for token in tokens) or COMMON.any_in("TURN", texts) or COMMON.any_in("LIMIT", texts):
        return ()
    kept = [token for token in tokens if token.kind != "word" or token.text in language.known]
    if len(kept) == len(tokens):
        return ()
    parses, orders, place = Parses(language, kept), list[Meaning](), 0
    while place < len(kept):
        longest = max((end for end, _ in parses.at(language.order, place)), default=place)
        meanings = [meaning for end, meaning in parses.at(language.order, place) if end == longest]
        if len(meanings) == 1:
            orders += meanings
            place = longest
        elif kept[place].kind != "mark" and not COMMON.has("CLAUSE", kept[place].text):
            return ()
        else:
            place += 1
    return () if parses.is_over else tuple(orders)
