"""What a sentence that does not read may mean without words that orders do not use, or by its sound: never taken."""

from collections.abc import Sequence

from pbem.language.nouns import Names, Numbers
from pbem.language.parses import Language, Meaning, Parses
from pbem.language.sounds import heard_as
from pbem.language.tokens import Token
from pbem.language.weighing import SHORTEST_CALL
from pbem.language.words import COMMON, ENGLISH

_JOINING = frozenset((",", ";", "and", "&"))
_PARTS_OF_ALL = frozenset(("%", "/"))
"""Marks that make a share or a choice of a number."""


def offer(language: Language, tokens: Sequence[Token]) -> tuple[Meaning, ...]:
    """
    Return the orders that a sentence may mean, or none.

    Shape: every number, name and order word of it is in one of them, in their order, and it can be read in one way
    only. Where a word turns or limits what stands beside it or tells of it, or a date stands there, nothing is offered:
    what was meant may be the contrary.
    """
    texts = [token.text for token in tokens]
    if any(token.kind in ("other", "ordinal") for token in tokens) or not _PARTS_OF_ALL.isdisjoint(texts):
        return ()
    if any(COMMON.any_in(kind, texts) for kind in ("TURN", "LIMIT", "CHOICE", "SAYS", "TOLD", "DIFFERS", "ALTERS")):
        return ()
    if not any(_is_number(tokens, place) for place in range(len(tokens))):
        return ()
    if "times" in texts and COMMON.any_in("REFER", texts):
        return ()
    spelt = heard_as(tokens, language.name_words, language.known | ENGLISH)
    is_heard = spelt != tuple(tokens)
    tokens = [token for token in spelt if not _is_order_alone(language, token)]
    weighty = {place for place in range(len(tokens)) if _is_weighty(language, tokens, place)}
    known = [token for place, token in enumerate(tokens) if place in weighty or token.text in language.known]
    plain = [token for place, token in enumerate(tokens) if place in weighty or _is_heavy(language, token)]
    ways = [kept for kept in (tokens, known, plain) if len(kept) < len(tokens) or is_heard]
    for kept in ways:
        found = _ways(language, _trimmed(kept))
        if found:
            return found[0] if len(found) == 1 else ()
    return ()


def _ways(language: Language, tokens: Sequence[Token]) -> tuple[tuple[Meaning, ...], ...]:
    """Return the meanings of tokens as a whole, of the first tier in which there are any."""
    parses = Parses(language, tokens)
    for tier in language.tiers:
        found = tuple(meaning for meaning in parses.whole(tier) if isinstance(meaning, tuple) and meaning)
        if found:
            return () if parses.is_over else found
    return ()


def _is_number(tokens: Sequence[Token], place: int) -> bool:
    """Say whether a number begins at a place; one is a word of many sentences."""
    return tokens[place].kind == "number" or any(n > 1 for _, n in _NUMBERS.spans(tokens, place))


def _is_weighty(language: Language, tokens: Sequence[Token], place: int) -> bool:
    """Say whether a word has to be in one of the orders: a number, a name, a word with which orders begin."""
    token = tokens[place]
    if _is_number(tokens, place):
        return True
    if token.text in language.verbs or token.text in language.name_words:
        return True
    names = (noun for noun in language.nouns.values() if isinstance(noun, Names))
    is_counted = any(0 <= near < len(tokens) and _is_number(tokens, near) for near in (place - 1, place + 1))
    is_long = token.kind == "word" and len(token.text) >= SHORTEST_CALL and (is_counted or token.text not in ENGLISH)
    return is_long and any(True for noun in names for _ in noun.spans(tokens, place))


def _is_order_alone(language: Language, token: Token) -> bool:
    """Say whether a word is an order by itself, which it hardly is among others: `confirm`, `pass`."""
    return token.text in language.verbs and bool(Parses(language, [token]).whole(language.order))


def _is_heavy(language: Language, token: Token) -> bool:
    """Say whether orders use a word that people hardly use otherwise, or a mark that joins orders."""
    if token.text in _JOINING:
        return True
    return token.kind == "word" and token.text in language.known and token.text not in ENGLISH


def _trimmed(tokens: Sequence[Token]) -> Sequence[Token]:
    """Leave out what joins nothing: at both ends, and beside another such word."""
    kept: list[Token] = []
    for token in tokens:
        if token.text not in _JOINING or (kept and kept[-1].text not in _JOINING):
            kept.append(token)
    return kept[:-1] if kept and kept[-1].text in _JOINING else kept


_NUMBERS = Numbers()
