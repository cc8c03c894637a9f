"""What words beside orders do to them: are a part of one, turn or limit it, tell of it, or only talk. Knows no game."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.language.nouns import NUMBER_WORDS, Numbers
from pbem.language.parses import Language
from pbem.language.sentences import MOST_TOKENS
from pbem.language.tokens import Token
from pbem.language.words import ALONE_AROUND, COMMON, ENGLISH, TALK


def bears_on(language: Language, tokens: Sequence[Token]) -> bool:
    """
    Say whether words beside an order may be a part of it.

    Shape: they are where they have a number, an order word, a thing, what turns, limits or corrects; where they begin
    with another choice, or bind the order behind them to the one before; and, in a fragment, where they have a range,
    a share or the like, a place in a row, a word that orders alone have, or go on with others.
    """
    texts = [token.text for token in tokens]
    if is_counted(tokens) or _turns(tokens) or corrects(tokens) or any(text in language.verbs for text in texts):
        return True
    is_choice = COMMON.has("CHOICE", next((token.text for token in tokens if token.kind == "word"), ""))
    is_piece = is_fragment(tokens) and _is_of_an_order(language, tokens)
    return is_choice or is_piece or binds(tokens) or is_thing(language, tokens)


def says_all(tokens: Sequence[Token]) -> bool:
    """Say whether words only say that all are meant: `everyone`, `all of them`."""
    words = [token.text for token in tokens if token.kind == "word" and not COMMON.has("CLAUSE", token.text)]
    return any(COMMON.has("WHOLE", word) for word in words) and all(
        COMMON.has("WHOLE", word) or word in ("of", "the", "them", "us", "you") for word in words
    )


def binds(tokens: Sequence[Token]) -> bool:
    """Say whether words end in one that makes the order behind them hang on the one before, as a colon does: but."""
    said = [token.text for token in tokens if token.kind == "word"]
    return COMMON.has("BINDS", said[-1]) if said else any(token.text == ":" for token in tokens)


def is_fragment(tokens: Sequence[Token]) -> bool:
    """Say whether words are too few to speak of something of their own."""
    return sum(token.kind == "word" for token in tokens) < SHORTEST_SENTENCE


def _is_of_an_order(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a fragment has a figure of any kind, or a word that hardly stands in talk: `prone`, `the first`."""
    texts = [token.text for token in tokens]
    if any(token.kind == "other" or COMMON.has("NTH", token.text) for token in tokens):
        return True
    goes_on = COMMON.has("ADDS", texts[0]) and COMMON.any_in("REFER", texts)
    return goes_on or any(text in language.own_words for text in texts)


def leaves_open(language: Language, tokens: Sequence[Token], *, asks: bool = False) -> bool:
    """
    Say whether words beside orders leave in doubt what all of them are, so that a yes to the orders says too little.

    Shape: they do where they may be a part of one; not where a sentence only says no of something, or asks.
    """
    texts = [token.text for token in tokens]
    is_short = is_fragment(tokens)
    said = [text for text in texts if is_short or text not in DENYING]
    turns = not asks and COMMON.any_in("TURN", said)
    limits = any(COMMON.any_in(kind, texts) for kind in ("CHOICE", *(() if asks else ("LIMIT", "SAYS", "TOLD"))))
    is_verb = not asks and any(text in language.verbs for text in texts)
    return is_counted(tokens) or turns or limits or is_verb or (not asks and is_thing(language, tokens))


def without_rounds(tokens: Sequence[Token]) -> list[Token]:
    """Leave out which round it is, with its number, and what only measures: round 3, r3, 5 pounds."""
    is_round = [COMMON.has("ROUND", one.text) or one.text in _SHORT_ROUNDS for one in tokens]
    is_number = [_numbers_a_round(one) for one in tokens]
    is_its = [is_number[place] and any(is_round[max(0, place - 1) : place]) for place in range(len(tokens))]
    gone = {near for place, its in enumerate(is_its) if its for near in (place - 1, place)}
    gone |= {place for place, (one, unit) in enumerate(pairwise(tokens)) if _is_any_number(one) and _measures(unit)}
    return [one for place, one in enumerate(tokens) if place not in gone]


def _is_any_number(token: Token) -> bool:
    return token.kind in ("number", "other") or token.text in NUMBER_WORDS


def _numbers_a_round(token: Token) -> bool:
    if token.kind in ("number", "other"):
        return token.text.isdecimal() and len(token.text) <= LONGEST_ROUND and int(token.text) <= LAST_ROUND
    return token.text in _SMALL


LONGEST_ROUND = 6
"""The digits of a number that may be a round's: some write 03, and nobody a thousand."""
LAST_ROUND = 19
"""The number of the last round that is looked for: `this round 60` is an amount."""
_SMALL = frozenset(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"))


def _measures(token: Token) -> bool:
    return len(token.text) >= SHORTEST_MEASURE and COMMON.has("MEASURE", token.text)


SHORTEST_MEASURE = 4
"""The letters of the shortest word that only measures what stands before it; `20 min` may be the least."""


_SHORT_ROUNDS = frozenset(("r", "rd", "rnd"))
DENYING = frozenset(("not", "no", "nothing", "without", "nobody"))
"""The words that say no of what a sentence says, and take nothing back that stands beside it."""


def is_thing(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether words are but a thing of the game: `all but a`, `Bob and 20 on Cy`."""
    said = [token for token in tokens if not COMMON.has("CLAUSE", token.text)]
    nouns = (language.nouns[kind] for kind in language.things)
    return any(end == len(said) for noun in nouns for end, _ in noun.spans(said, 0)) if said else False


def is_counted(tokens: Sequence[Token]) -> bool:
    """Say whether there is a number, also in words; one is a word of many sentences."""
    is_number = any(token.kind in ("number", "ordinal") for token in tokens)
    return is_number or any(n > 1 for place in range(len(tokens)) for _, n in _NUMBERS.spans(tokens, place))


def _turns(tokens: Sequence[Token]) -> bool:
    texts = [token.text for token in tokens]
    return any(COMMON.any_in(kind, texts) for kind in ("TURN", "LIMIT", "SAYS", "TOLD"))


def may_change(language: Language, tokens: Sequence[Token]) -> bool:
    """
    Say whether words may change the orders beside them.

    Shape: they do where they have a name or a number of the game, an order word, a word that takes back or corrects, a
    limiting or changing word in a fragment, at its head, or beside it or that, a choice at either end, or a word that
    nobody knows.
    """
    texts = [token.text for token in tokens]
    if len(tokens) > MOST_TOKENS or is_counted(tokens) or corrects(tokens):
        return True
    if any(COMMON.has("ROUND", last.text) and token.kind == "other" for last, token in pairwise(tokens)):
        return True  # of a round that may be another one
    if speaks_of_orders(language, tokens):
        return True
    if COMMON.any_in("TURN", texts) or any(text in language.name_words or text in language.verbs for text in texts):
        return True
    words = [token.text for token in tokens if token.kind == "word"]
    is_initial = len(words) == 1 and len(words[0]) <= LONGEST_INITIALS and words[0] not in COMMON.known
    if is_initial or all(COMMON.has("LAUGH", word) for word in words):
        return False
    if words and (COMMON.has("CHOICE", words[0]) or COMMON.has("CHOICE", words[-1])):
        return True
    is_short = len(words) < SHORTEST_SENTENCE or TALK.any_in("CHANGING", words[:1])
    if _limits(words) and (is_short or COMMON.any_in("REFER", texts)):
        return True
    return any(token.kind == "word" and not _is_talk(language, token.text) for token in tokens)


def speaks_of_orders(language: Language, tokens: Sequence[Token]) -> bool:
    """
    Say whether words speak of the orders beside them.

    Shape: of some of these, by a figure; of all, at another time, or to take them back; or of more or less of what was
    said, in a fragment.
    """
    texts = [token.text for token in tokens]
    refers = COMMON.any_in("REFER", texts)
    has_figure = any(token.kind == "other" for token in tokens)
    is_of_some = has_figure and (refers or any(text in language.own_words for text in texts))
    is_bare = has_figure and all(token.kind in ("other", "mark") for token in tokens)
    differs = is_fragment(tokens) and COMMON.any_in("DIFFERS", texts)
    takes_back = COMMON.any_in("TAKES_BACK", texts)
    return is_of_some or is_bare or differs or takes_back or (refers and COMMON.any_in("ANOTHER_TIME", texts))


def may_head(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a line without any mark may stand above orders as a heading of theirs: `First card`, `Old`."""
    last = tokens[-1]
    is_bare = all(token.kind != "mark" for token in tokens) and not last.line[last.end :].strip()
    texts = [token.text for token in tokens]
    says = any(COMMON.any_in(kind, texts) for kind in ("ANOTHER_TIME", "BYGONE", "CHOICE"))
    says = says or _is_of_an_order(language, tokens)
    return is_bare and is_fragment(tokens) and says


def adds_to(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a fragment of an order's own sentence has a word that says something: `as a threat`, `I wish`."""
    said = [token.text for token in tokens if token.kind != "mark"]
    is_one_more = len(said) > 1 and COMMON.has("ADDS", said[0]) and said[1] in _BEFORE_A_THING
    is_more = is_one_more and (said[-1] not in _PLAIN or said[-1] in language.known or COMMON.has("OTHERS", said[1]))
    return is_more or (is_fragment(tokens) and not all(text in _PLAIN or COMMON.has("CLAUSE", text) for text in said))


_BEFORE_A_THING = frozenset(("a", "an", "his", "her", "their", "one", "another", "some"))
"""The words behind an `and` that begin one thing more: and a beer, and his mates."""
_ASKING = frozenset(("what", "how", "why", "thoughts"))


def is_plain_heading(tokens: Sequence[Token]) -> bool:
    """Say whether what stands above orders only says so, and neither whose nor of when they are."""
    texts = [token.text for token in tokens if token.kind != "mark"]
    is_asking = not _ASKING.isdisjoint(texts[:1])
    return all(text in _PLAIN for text in texts) and not says_more(texts) and not is_asking


def says_more(words: Sequence[str]) -> bool:
    """Say whether a word of a heading makes the orders below it others than those of now, or of its writer."""
    kinds = (*_OF_OTHERS, "ANOTHER_TIME", "BYGONE", "TURN", "CHOICE")
    return any(COMMON.any_in(kind, words) for kind in kinds)


def is_leading(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether what stands above orders may be a part of each: a condition, a name, somebody else's words."""
    texts = [token.text for token in tokens]
    return any(text in language.name_words for text in texts) or any(COMMON.any_in(kind, texts) for kind in _OF_OTHERS)


_OF_OTHERS = ("OTHERS", "LIMIT", "SAYS", "TOLD")


LONGEST_INITIALS = 2
"""The letters of a word that says nothing by itself but who signs."""
_NUMBERS = Numbers()


def _limits(words: Sequence[str]) -> bool:
    """Say whether a word limits what stands beside it, or changes it in any language that people write."""
    return COMMON.any_in("LIMIT", words) or TALK.any_in("CHANGING", words)


SHORTEST_SENTENCE = 5
"""The words of a sentence that speaks of something of its own; fewer are a fragment, which may be of another."""
_EVERY_WORD = ENGLISH | TALK.known
_PLAIN = TALK.single("HEADING") | TALK.single("HARMLESS") | TALK.single("COMMON") | ALONE_AROUND
"""The words of a heading that says nothing."""
_WEIGHTY = frozenset(
    word for kind in ("TURN", "LIMIT", "SAYS", "TOLD", "REFER") for phrase in COMMON.classes[kind] for word in phrase
) | frozenset(word for phrase in TALK.classes["CHANGING"] for word in phrase)
"""The words that may change what stands beside them."""
_ALL = tuple(sorted(_EVERY_WORD | COMMON.known))


def _is_talk(language: Language, word: str) -> bool:
    """Say whether a word is known, or one slip from words of talk alone: `freind`, but neither atack nor insted."""
    return is_known(language, word) or (not language.near(word) and _is_slip_of_talk(word))


@lru_cache(maxsize=4096)
def _is_slip_of_talk(word: str) -> bool:
    if len(word) < SHORTEST_SLIP or not word.isalpha():
        return False
    near = {found[0] for found in process.extract(word, _ALL, scorer=OSA.distance, score_cutoff=1, limit=None)}
    return bool(near & ENGLISH) and near <= ENGLISH - _WEIGHTY


SHORTEST_SLIP = 6
"""The letters of the shortest word that is taken for a slip of one that people talk with."""


def is_known(language: Language, word: str) -> bool:
    """Say whether a word may stand in an order, or is one that people talk with."""
    return word in language.known or word in _EVERY_WORD or word in COMMON.known


def corrects(tokens: Sequence[Token]) -> bool:
    """Say whether a sentence begins as a correction does: hang on, oh no wait, no with a number."""
    words = [token.text for token in tokens if token.kind != "mark"]
    begun = next((place for place, word in enumerate(words) if not COMMON.has("SIGH", word)), len(words))
    is_no = words[begun : begun + 1] == ["no"] and is_counted(tokens)
    return is_no or any(True for _ in COMMON.ends("CORRECTS", words, begun))
