"""What counts of a mail: the policy, in one place. Each sentence is taken, asked about, or passed over as talk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.ground.terms import OrderLine
from pbem.language.forms import said_as
from pbem.language.nouns import Numbers
from pbem.language.offers import offer
from pbem.language.parses import SHORTEST_MENDED, Elided, Language, Meaning, Parses
from pbem.language.sentences import Sentence, sentences
from pbem.language.tokens import Token, cut, written
from pbem.language.words import COMMON, TALK

Verdict: TypeAlias = Literal["taken", "waits", "asked", "unread", "passed"]
"""
What becomes of a sentence.

taken: its orders count. waits: they count once their writer says yes, since something beside them may change them.
asked: it may be an order, and nothing of it counts. unread: nothing was read of it and it may change the others, so
they wait. passed: talk that changes nothing.
"""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """
    A sentence, and what becomes of it.

    Shape: `orders` are what counts of it, in their order; `readings` what it may mean where it is asked about, each as
    many orders; `beside` is the part of it that was not read; `slips` are the words that were taken for others;
    `offered` is what it may mean without the words that nobody knows.
    """

    sentence: Sentence
    verdict: Verdict
    orders: tuple[Meaning, ...] = ()
    readings: tuple[tuple[Meaning, ...], ...] = ()
    beside: str = ""
    slips: tuple[tuple[str, str], ...] = ()
    because: str = ""
    offered: tuple[Meaning, ...] = ()


MOST_TOKENS = 400
"""The longest sentence that is looked into; a longer one is talk, or asked about."""
SHORTEST_TYPED = 4
"""The letters of the shortest word in which a slip is looked for; what it is mended to has one more."""
MOST_KNOWN = 1_000
"""Of how many sentences we remember what was decided."""
MOST_GUESSED = 60
"""The sentences that nobody can read after which no other is mended, or read in part."""
MOST_MENDED = 12
"""The most ways to mend a sentence; where there are more, none is likely."""


def read(language: Language, lines: Sequence[OrderLine]) -> tuple[Said, ...]:
    """Read a mail: each of its sentences whole if it can be, else by its clauses."""
    if len(language.said) > MOST_KNOWN:
        language.said.clear()
    found: list[Said] = []
    in_vain = 0
    for sentence in (part for whole in sentences(language, lines) for part in _parted(language, whole)):
        key = msgspec.structs.replace(sentence, paragraph=0, lines=()), in_vain < MOST_GUESSED
        if (known := language.said.get(key)) is None:
            known = language.said[key] = _decided(language, sentence, guesses=in_vain < MOST_GUESSED)
        said = msgspec.structs.replace(known, sentence=sentence)
        in_vain += said.verdict == "unread"
        found.append(said)
    corrected = tuple(_corrected(found))
    return tuple(_alone(language, one, corrected) for one in corrected)


def _corrected(all_said: Sequence[Said]) -> Iterator[Said]:
    """Yield each sentence; one whose orders the next one corrects in words that were not read is asked about."""
    for said, following in zip(all_said, [*all_said[1:], None], strict=False):
        is_near = following is not None and following.sentence.paragraph == said.sentence.paragraph
        if said.orders and following and is_near and not following.orders and _corrects(following.sentence.tokens):
            because = f'"{following.sentence.text}" was not read'
            yield msgspec.structs.replace(said, verdict="asked", orders=(), readings=(said.orders,), because=because)
        else:
            yield said


def _corrects(tokens: Sequence[Token]) -> bool:
    """Say whether a sentence begins as a correction does: hang on, oh no wait, no with a number."""
    words = [token.text for token in tokens if token.kind != "mark"]
    begun = next((place for place, word in enumerate(words) if not COMMON.has("SIGH", word)), len(words))
    is_no = words[begun : begun + 1] == ["no"] and is_counted(tokens)
    return is_no or any(True for _ in COMMON.ends("CORRECTS", words, begun))


def _parted(language: Language, sentence: Sentence) -> Iterator[Sentence]:
    """Yield a sentence without what stands in brackets and changes nothing, `Flight 7 (love it)`, and then that."""
    tokens, kept, asides, place = sentence.tokens, list[Token](), list[tuple[Token, ...]](), 0
    is_looked_into = not (sentence.is_ours or sentence.refused) and len(tokens) <= MOST_TOKENS
    while place < len(tokens):
        end = _end_of_aside(language, tokens, place) if is_looked_into else 0
        if end:
            asides.append(tokens[place + 1 : end])
        else:
            kept.append(tokens[place])
        place = end + 1 if end else place + 1
    if not asides or all(token.kind == "mark" for token in kept):
        yield sentence
        return
    yield msgspec.structs.replace(sentence, tokens=tuple(kept))
    yield from (msgspec.structs.replace(sentence, tokens=inner, is_question=False) for inner in asides)


def _end_of_aside(language: Language, tokens: Sequence[Token], place: int) -> int:
    """Return where an aside ends that begins at a place, or 0 where none does."""
    rest = [token.text for token in tokens[place + 1 :]]
    if tokens[place].text != "(" or ")" not in rest:
        return 0
    end = place + 1 + rest.index(")")
    inner = tokens[place + 1 : end]
    is_said = any(token.kind != "mark" for token in inner) and all(token.text != "(" for token in inner)
    return end if is_said and not bears_on(language, inner) and not may_change(language, inner) else 0


def _decided(language: Language, sentence: Sentence, *, guesses: bool) -> Said:
    """Decide on a sentence; one that does not read as it stands is looked into no further unless we take guesses."""
    if sentence.refused:
        return Said(sentence=sentence, verdict="asked", because=sentence.refused.because)
    tokens = sentence.tokens
    if sentence.is_ours:
        return _in_our_words(language, sentence)
    is_name = tuple(token.text for token in _bare(tokens)) in language.long_names
    is_worth_it = not is_name and _may_be_order(language, tokens)
    found = (_as_we_write(language, tokens) or _whole(language, tokens)) if is_worth_it else ()
    slips = tuple[tuple[str, str], ...]()
    if not found and guesses:
        mended = [(again, slip) for way, slip in _mended(language, tokens) for again in _whole(language, way)]
        found = tuple(dict.fromkeys(again for again, _ in mended))
        slips = mended[0][1] if len(found) == 1 else ()
    if found and sentence.is_question and not COMMON.has("TAG", tokens[-1].text):
        return Said(sentence=sentence, verdict="asked", readings=found, because="it is a question")
    if len(found) == 1:
        return Said(sentence=sentence, verdict="taken" if found[0] else "passed", orders=found[0], slips=slips)
    if found:
        return Said(sentence=sentence, verdict="asked", readings=found, because="it can be read in several ways")
    if not (guesses and is_worth_it):
        return Said(sentence=sentence, verdict="unread" if may_change(language, tokens) else "passed")
    return _by_clauses(language, sentence)


def _in_our_words(language: Language, sentence: Sentence) -> Said:
    """Decide on what looks like a line of our letters: an order as we write it, or nothing."""
    found = () if sentence.quotes else _whole(language.in_first_shapes, sentence.tokens)
    if len(found) == 1 and found[0]:
        return Said(sentence=sentence, verdict="taken", orders=found[0])
    return Said(sentence=sentence, verdict="unread" if may_change(language, sentence.tokens) else "passed")


def _may_be_order(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence has a word with which orders begin, a name or a number, without which it can be none."""
    return is_counted(tokens) or any(
        token.kind not in ("word", "mark") or token.text in language.openings or token.text in language.name_words
        for token in tokens
    )


def _by_clauses(language: Language, sentence: Sentence) -> Said:
    """Decide on a sentence that does not read as a whole."""
    orders, rest = _clauses(language, sentence.tokens)
    beside = "; ".join(written(_bare(run)) for run in rest)
    if not orders:
        verdict: Verdict = "unread" if may_change(language, sentence.tokens) else "passed"
        offered = offer(language, sentence.tokens) if verdict == "unread" else ()
        return Said(sentence=sentence, verdict=verdict, beside=beside, offered=offered)
    if sentence.is_question or sentence.quotes or any(bears_on(language, run) for run in rest):
        because = "it is a question" if sentence.is_question else f'"{beside}" was not read'
        whole = offer(language, sentence.tokens)
        is_clear = not sentence.quotes and not any(hinders(language, run, asks=sentence.is_question) for run in rest)
        readings = (whole,) if whole else (orders,) if is_clear else ()
        return Said(sentence=sentence, verdict="asked", readings=readings, beside=beside, because=because)
    verdict = "waits" if any(may_change(language, run) for run in rest) else "taken"
    return Said(sentence=sentence, verdict=verdict, orders=orders, beside=beside)


def _alone(language: Language, said: Said, all_said: Sequence[Said]) -> Said:
    """
    Ask about an order whose verb was left out where it is likely to be none.

    Shape: `Bob 20` below other orders is one; in a paragraph of its own beside theirs it is asked, and alone where the
    name may make the number a date, or something beside it was not read. Several are a list, which is asked about
    only where its own paragraph has something that was not read.
    """
    elided = [order for order in said.orders if isinstance(order, Elided)]
    if not elided:
        return said
    plain = {one.sentence.paragraph for one in all_said if any(not isinstance(order, Elided) for order in one.orders)}
    orders = _with_verbs(said.orders)
    is_doubtful = len(elided) == len(orders) and any(token.doubtful for token in said.sentence.tokens)
    if said.beside:
        because, readings = f'"{said.beside}" was not read', (orders,) if said.verdict == "taken" else ()
        return msgspec.structs.replace(said, verdict="asked", orders=(), readings=readings, because=because)
    is_odd = _is_odd(all_said) if not plain else said.sentence.paragraph not in plain
    is_odd = is_odd and not language.is_listed
    is_odd = is_odd or (any(one.is_bare for one in elided) and not _is_all(said, all_said))
    if is_doubtful or is_odd:
        because = "it may be no order"
        return msgspec.structs.replace(said, verdict="asked", orders=(), readings=(orders,), because=because)
    return msgspec.structs.replace(said, orders=orders)


def _is_all(said: Said, all_said: Sequence[Said]) -> bool:
    """Say whether a sentence is all that a mail says but for talk, and no end of somebody's sentence: `1 Energy.`."""
    last = said.sentence.tokens[-1]
    is_stopped = last.line[last.end :].lstrip().startswith(".")
    return not is_stopped and all(one is said or one.verdict == "passed" for one in all_said)


def _is_odd(all_said: Sequence[Said]) -> bool:
    """Say whether orders of a mail of which none has its verb may be something else, for what was not read there."""
    elided = [one.sentence.paragraph for one in all_said if any(isinstance(order, Elided) for order in one.orders)]
    unread = {one.sentence.paragraph for one in all_said if one.verdict == "unread"}
    return bool(unread) and (len(elided) == 1 or not unread.isdisjoint(elided))


def _whole(language: Language, tokens: Sequence[Token]) -> tuple[tuple[Meaning, ...], ...]:
    """Return the distinct meanings of a sentence: of the first tier in which it has one."""
    if len(tokens) > MOST_TOKENS:
        return ()
    parses = Parses(language, tokens)
    for tier in language.tiers:
        found = tuple(meaning for meaning in parses.whole(tier) if isinstance(meaning, tuple))
        if found and not parses.is_over:
            return _plainest(found)
    return ()


def _plainest(found: Sequence[tuple[Meaning, ...]]) -> tuple[tuple[Meaning, ...], ...]:
    """Leave out what means the same as another reading but for a verb that was left out."""
    plain = {_with_verbs(way): way for way in found if any(isinstance(order, Elided) for order in way)}
    return tuple((plain | {_with_verbs(way): way for way in found if way == _with_verbs(way)}).values())


def _with_verbs(orders: Sequence[Meaning]) -> tuple[Meaning, ...]:
    return tuple(order.order if isinstance(order, Elided) else order for order in orders)


def _as_we_write(language: Language, tokens: Sequence[Token]) -> tuple[tuple[Meaning, ...], ...]:
    """Return the one order that stands there in our very words, which mean nothing else then."""
    texts = [one.text for one in tokens]
    found = Parses(language.in_first_shapes, tokens).whole(language.line) if len(tokens) <= MOST_TOKENS else ()
    said = ((order, said_as(language, language.line, order)) for order in found)
    return tuple((order,) for order, ours in said if ours and [one.text for one in cut(ours, language.names)] == texts)


def _mended(
    language: Language, tokens: Sequence[Token]
) -> Iterator[tuple[tuple[Token, ...], tuple[tuple[str, str], ...]]]:
    """
    Yield the ways to mend words that nobody knows or that were torn, each with what was taken for what.

    Shape: a word that stands alone is no slip: `design` is not resign.
    """
    if sum(token.kind != "mark" for token in tokens) == 1:
        return
    ways = []
    for token in tokens:
        is_strange = token.kind == "word" and token.text.isalpha() and not _is_known(language, token.text)
        near = language.near(token.text) if is_strange and len(token.text) >= SHORTEST_TYPED else ()
        ways.append([msgspec.structs.replace(token, text=word) for word in near] or [token])
    count = 1
    for way in ways:
        count *= len(way)
    for mended in product(*ways) if count <= MOST_MENDED else ():
        slips = tuple((old.text, new.text) for old, new in zip(tokens, mended, strict=True) if old.text != new.text)
        if slips:
            yield mended, slips
    for place, token in enumerate(tokens):
        for end in range(1, len(token.text)) if token.kind == "word" and not _is_known(language, token.text) else ():
            if token.text[:end] in language.verbs and token.text[end:] in language.name_words:
                parts = (token.text[:end], token.text[end:])
                both = [msgspec.structs.replace(token, text=text) for text in parts]
                yield (*tokens[:place], *both, *tokens[place + 1 :]), ((token.text, " ".join(parts)),)
    for place, (first, second) in enumerate(pairwise(tokens)):
        whole = first.text + second.text
        if first.kind == second.kind == "word" and len(whole) >= SHORTEST_MENDED and whole in language.known:
            joined = msgspec.structs.replace(first, text=whole, end=second.end)
            yield (*tokens[:place], joined, *tokens[place + 2 :]), ((f"{first.text} {second.text}", whole),)


class _Cover(NamedTuple):
    """A way to read the clauses of a sentence: how many tokens they have, what they order, and what is between them."""

    covered: int = 0
    orders: tuple[Meaning, ...] = ()
    gaps: tuple[tuple[int, int], ...] = ()


def _clauses(language: Language, tokens: Sequence[Token]) -> tuple[tuple[Meaning, ...], list[Sequence[Token]]]:
    """Return the orders of the clauses that read, covering as much as can be, and the runs between them."""
    if len(tokens) > MOST_TOKENS:
        return (), [tokens]
    marks = {place for place, token in enumerate(tokens) if COMMON.has("CLAUSE", token.text)}
    cuts = sorted({0, len(tokens)} | marks | {place + 1 for place in marks})
    parses, words = Parses(language, tokens), sum(token.kind != "mark" for token in tokens)
    best = {0: _Cover()}
    for place, following in pairwise(cuts):
        so_far = best[place]
        ends: dict[int, list[Meaning]] = {}
        for end, meaning in parses.at(language.clause, place):
            ends.setdefault(end, []).append(meaning)
        ways = [(following, so_far._replace(gaps=(*so_far.gaps, (place, following))))]
        for end, (meaning, *others) in ends.items():
            is_word = end - place == 1 < words and place > 0  # `confirm`, `pass`: words of many sentences
            if end in cuts and not others and isinstance(meaning, tuple) and not is_word:
                longer = _Cover(so_far.covered + end - place, (*so_far.orders, *meaning), so_far.gaps)
                ways.append((end, longer))
        for end, way in ways:
            if end not in best or way.covered > best[end].covered:
                best[end] = way
    if parses.is_over:
        return (), [tokens]
    return best[len(tokens)].orders, _runs(tokens, best[len(tokens)].gaps)


def _runs(tokens: Sequence[Token], gaps: Sequence[tuple[int, int]]) -> list[Sequence[Token]]:
    """Join gaps that touch, and leave out those with nothing but marks and words that join."""
    joined: list[tuple[int, int]] = []
    for start, end in gaps:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    runs = [tokens[start:end] for start, end in joined]
    return [run for run in runs if any(token.kind != "mark" and not COMMON.has("CLAUSE", token.text) for token in run)]


def _bare(tokens: Sequence[Token]) -> Sequence[Token]:
    """Leave out the marks at both ends."""
    said = [place for place, token in enumerate(tokens) if token.kind != "mark"]
    return tokens[said[0] : said[-1] + 1]


def bears_on(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether words beside an order may be a part of it: a number, an order word, a thing, what turns or limits."""
    is_part = is_counted(tokens) or _turns(tokens) or any(token.text in language.verbs for token in tokens)
    return is_part or _is_thing(language, tokens)


def hinders(language: Language, tokens: Sequence[Token], *, asks: bool = False) -> bool:
    """
    Say whether words beside orders leave in doubt what all of them are, so that a yes to the orders says too little.

    Shape: they do where they may be a part of one; not where a sentence only says no of something, or asks.
    """
    texts = [token.text for token in tokens]
    is_fragment = sum(token.kind == "word" for token in tokens) < SHORTEST_SENTENCE
    said = [text for text in texts if is_fragment or text not in _DENYING]
    turns = not asks and COMMON.any_in("TURN", said)
    limits = any(COMMON.any_in(kind, texts) for kind in ("CHOICE", *(() if asks else ("LIMIT", "SAYS", "TOLD"))))
    is_verb = not asks and any(text in language.verbs for text in texts)
    return is_counted(tokens) or turns or limits or is_verb or (not asks and _is_thing(language, tokens))


_DENYING = frozenset(("not", "no", "nothing", "without", "nobody"))
"""The words that say no of what a sentence says, and take nothing back that stands beside it."""


def _is_thing(language: Language, tokens: Sequence[Token]) -> bool:
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
    if len(tokens) > MOST_TOKENS or is_counted(tokens) or _corrects(tokens):
        return True
    if any(COMMON.has("ROUND", last.text) and token.kind == "other" for last, token in pairwise(tokens)):
        return True  # of a round that may be another one
    if COMMON.any_in("TURN", texts) or any(text in language.name_words or text in language.verbs for text in texts):
        return True
    words = [token.text for token in tokens if token.kind == "word"]
    is_initial = len(words) == 1 and len(words[0]) <= LONGEST_INITIALS and words[0] not in COMMON.known
    if is_initial or all(COMMON.has("LAUGH", word) for word in words):
        return False
    if words and (COMMON.has("CHOICE", words[0]) or COMMON.has("CHOICE", words[-1])):
        return True
    is_fragment = len(words) < SHORTEST_SENTENCE or TALK.any_in("CHANGING", words[:1])
    if _limits(words) and (is_fragment or COMMON.any_in("REFER", texts)):
        return True
    return any(token.kind == "word" and not _is_talk(language, token.text) for token in tokens)


LONGEST_INITIALS = 2
"""The letters of a word that says nothing by itself but who signs."""
_NUMBERS = Numbers()


def _limits(words: Sequence[str]) -> bool:
    """Say whether a word limits what stands beside it, or changes it in any language that people write."""
    return COMMON.any_in("LIMIT", words) or TALK.any_in("CHANGING", words)


SHORTEST_SENTENCE = 5
"""The words of a sentence that speaks of something of its own; fewer are a fragment, which may be of another."""
_HARMLESS = TALK.single("HARMLESS") | TALK.single("EVERYDAY") | TALK.single("ENGLISH") | TALK.single("COMMON")
_EVERY_WORD = _HARMLESS | TALK.known
_WEIGHTY = frozenset(
    word for kind in ("TURN", "LIMIT", "SAYS", "TOLD", "REFER") for phrase in COMMON.classes[kind] for word in phrase
) | frozenset(word for phrase in TALK.classes["CHANGING"] for word in phrase)
"""The words that may change what stands beside them."""
_ALL = tuple(sorted(_EVERY_WORD | COMMON.known))


def _is_talk(language: Language, word: str) -> bool:
    """Say whether a word is known, or one slip from words of talk alone: `freind`, but neither atack nor insted."""
    return _is_known(language, word) or (not language.near(word) and _is_slip_of_talk(word))


@lru_cache(maxsize=4096)
def _is_slip_of_talk(word: str) -> bool:
    if len(word) < SHORTEST_SLIP or not word.isalpha():
        return False
    near = {found[0] for found in process.extract(word, _ALL, scorer=OSA.distance, score_cutoff=1, limit=None)}
    return bool(near & _HARMLESS) and near <= _HARMLESS - _WEIGHTY


SHORTEST_SLIP = 6
"""The letters of the shortest word that is taken for a slip of one that people talk with."""


def _is_known(language: Language, word: str) -> bool:
    return word in language.known or word in _EVERY_WORD or word in COMMON.known
