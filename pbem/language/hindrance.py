"""Whether a sentence that was not read leaves in doubt what its whole mail orders, so that none of it is offered."""

from collections.abc import Sequence
from itertools import pairwise

from pbem.language.beside import DENYING, SHORTEST_SENTENCE, is_counted, is_fragment, is_known, is_thing, without_rounds
from pbem.language.gist import has_share
from pbem.language.parses import Language
from pbem.language.tokens import Token
from pbem.language.weighing import has_any, own_classes, weighed
from pbem.language.words import COMMON

_ORDERS = "orders"
_ONTO, _THEM = frozenset(("on", "at", "into", "against", "for", "to")), frozenset(("him", "her", "them", "it"))
"""With these somebody is meant of whom only the sentences before it say who it is."""
_WE = frozenset(("i", "we"))
_GETTING = frozenset(("get", "gets", "getting", "receives", "takes"))
"""With these before a number somebody gets it."""
_SAYING_SO = frozenset(
    ["but", "i", "will", "would", "do", "did", "it", "that", "this", "really", "so", "then", "actually"]
)
"""The words beside a no that only say that it is one."""
SHORTEST_OTHER = 3
"""The letters of a word that nobody knows, by which a fragment speaks of something else: `cya on discord at 9`."""


def hinders_offers(language: Language, tokens: Sequence[Token], *, asks: bool = False) -> bool:
    """
    Say whether a sentence that was not read leaves in doubt what its whole mail orders.

    Shape: it does where it speaks of the game, or of somebody named before, with an amount or with what limits or turns
    something; and a fragment that may be a part of an order. What only tells of what was or asks, and a date, a price
    or a no in talk of other things does not.
    """
    said = without_rounds(tokens)
    texts = [one.text for one in said]
    if _ORDERS in texts and COMMON.any_in("ANOTHER_TIME", texts):
        return True
    if only_tells(language, tokens) or _weighs_nothing(language, tokens):
        return False
    is_amount = is_counted(said) or has_share(language, said)
    limits = not asks and any(COMMON.any_in(kind, texts) for kind in ("LIMIT", "CHOICE"))
    turns = not asks and COMMON.any_in(
        "TURN", texts if _only_denies(texts) else [one for one in texts if one not in DENYING]
    )
    has_deed = has_any(language, texts, ("EACH", *own_classes(language)))
    named = [form for text in texts for form in (text, text.removesuffix("'s"), text.removesuffix("s"))]
    speaks = has_deed or any(text in language.name_words or text in language.telling for text in named)
    is_odd = speaks and has_any(language, texts, ("HINDERS", "BOUNDS"))
    bears = is_amount or limits or turns or (has_deed and not asks and not language.has_amounts)
    if not language.has_amounts and (COMMON.any_in("CORRECTS", texts) or _only_names(language, texts)):
        return True
    if not is_fragment(said):
        names = any(text in language.name_words for text in named)
        return (is_odd and names) or (bears and (speaks or _is_of_one_named(language, texts)))
    orders = not asks and (has_deed or any(text in language.telling for text in texts) or is_thing(language, said))
    is_of_others = any(len(text) >= SHORTEST_OTHER and not is_known(language, text) for text in texts)
    return is_odd or ((bears or orders) and (speaks or not is_of_others))


def _only_names(language: Language, texts: Sequence[str]) -> bool:
    """Say whether words only say who was meant: `actually Bo`, which stands in place of somebody before it."""
    others = [text for text in texts if text not in language.name_words and text.isalpha()]
    return len(others) < len(texts) and all(text in DENYING or text in _SAYING_SO for text in others)


def _is_of_one_named(language: Language, texts: Sequence[str]) -> bool:
    """Say whether something is given to somebody who was named before: `35 on him`, `I give her ten`."""
    is_onto = any(first in _ONTO and second in _THEM for first, second in pairwise(texts))
    return is_onto or (any(text in language.verbs for text in texts) and any(text in _THEM for text in texts))


def _only_denies(texts: Sequence[str]) -> bool:
    """Say whether words say no and nothing else, or no of what was said: `not`, `but I will not`, `not that much`."""
    is_all = all(text in DENYING or text in _SAYING_SO for text in texts if text.isalpha())
    return is_all or (len(texts) < SHORTEST_SENTENCE and COMMON.any_in("REFER", texts))


def only_tells(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence tells of what was, or asks something: no order, whoever is in it, and bounds to none."""
    texts = [token.text for token in tokens if token.kind == "word"]
    is_told = has_any(language, texts, ("TELLS",)) or has_any(language, texts[:1], ("ASKS",))
    if _tells_what_one_has(language, tokens):
        is_told, texts = True, [text for text in texts if text not in ("only", "left")]  # has only 40 left
    if has_any(language, texts, ("PLANNED",)) and not is_counted(tokens):
        return True
    if not is_told or language.gist is None:
        return False
    binds = any(COMMON.any_in(kind, texts) for kind in ("LIMIT", "CHOICE"))
    acts = any(
        first in _WE and (second in language.verbs or has_any(language, (second,), own_classes(language)))
        for first, second in pairwise(texts)
    )
    gives = any(first in _ONTO and second in _THEM for first, second in pairwise(texts))
    gives = gives or any(one.text in _GETTING and is_counted([other]) for one, other in pairwise(tokens))
    return not (binds or acts or gives or has_any(language, texts, ("INTENDS", "HINDERS")))


def _tells_what_one_has(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence only says how somebody else stands: Bolt has 55, I see that Breeze is on 90."""
    texts = [token.text for token in tokens]
    names = [place for place, text in enumerate(texts) if text in language.name_words]
    stands = any(
        has_any(language, texts[place + 1 : place + 2], ("STATES",)) and is_counted(tokens[place + 2 : place + 5])
        for place in names
    )
    return stands and not any(has_any(language, texts, (kind,)) for kind in own_classes(language))


def _weighs_nothing(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether no word of a sentence weighs, in a game with a coarse table: `until next round`."""
    if language.gist is None:
        return False
    found = weighed(language, without_rounds(tokens))
    return not (found.tokens or found.hinders)
