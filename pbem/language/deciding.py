"""What counts of a sentence: the policy, in one place. It is taken, asked about, or passed over as talk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from pbem.language.beside import (
    adds_to,
    bears_on,
    binds,
    is_counted,
    is_fragment,
    is_known,
    is_leading,
    is_plain_heading,
    leaves_open,
    may_change,
    says_all,
    speaks_of_orders,
)
from pbem.language.forms import said_as
from pbem.language.gist import gist, has_share, may_have_gist
from pbem.language.parses import SHORTEST_MENDED, Elided, Language, Meaning, Parses
from pbem.language.sentences import MOST_TOKENS, Sentence
from pbem.language.tokens import Token, cut, written
from pbem.language.words import COMMON, is_past_of

Verdict: TypeAlias = Literal["taken", "waits", "asked", "unread", "passed"]
"""
What becomes of a sentence.

taken: its orders count. waits: they count once their writer says yes, since something beside them may change them.
asked: it may be an order, and nothing of it counts. unread: nothing was read of it and it may change the others, so
they wait; `because` says so where it speaks of them. passed: talk that changes nothing.
"""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """
    A sentence, and what becomes of it.

    Shape: `orders` are what counts of it, in their order; `readings` what it may mean where it is asked about, each as
    many orders; `beside` is the part of it that was not read; `slips` are the words that were taken for others;
    `offered` is what it may mean by the words in it that weigh, None where that cannot be told.
    """

    sentence: Sentence
    verdict: Verdict
    orders: tuple[Meaning, ...] = ()
    readings: tuple[tuple[Meaning, ...], ...] = ()
    beside: str = ""
    slips: tuple[tuple[str, str], ...] = ()
    because: str = ""
    offered: tuple[Meaning, ...] | None = None


SHORTEST_TYPED = 4
"""The letters of the shortest word in which a slip is looked for; what it is mended to has one more."""
MOST_MENDED = 12
"""The most ways to mend a sentence; where there are more, none is likely."""


OF_THEM = "it may be about the orders beside it"
"""Why talk keeps orders waiting that may be about them."""


def doubted(said: Said) -> Said:
    """Return talk as what may change the orders beside it."""
    is_talk = said.verdict in ("passed", "unread")
    return msgspec.structs.replace(said, verdict="unread", because=OF_THEM) if is_talk else said


def parted(language: Language, sentence: Sentence) -> Iterator[Sentence]:
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
    if not is_said or COMMON.any_in("ANOTHER_TIME", [token.text for token in inner]):
        return 0
    changes = says_all(inner) or bears_on(language, inner) or may_change(language, inner)
    return 0 if changes else end


def decided(language: Language, sentence: Sentence, *, guesses: bool) -> Said:
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
    said = _by_clauses(language, sentence) if guesses and is_worth_it else _talk(language, sentence)
    return doubted(said) if speaks_of_orders(language, tokens) else said


def _talk(language: Language, sentence: Sentence) -> Said:
    is_about_this = (
        sentence.is_question and is_fragment(sentence.tokens) and any(token.text in _THIS for token in sentence.tokens)
    )
    is_open = is_about_this or may_change(language, sentence.tokens)
    return Said(sentence=sentence, verdict="unread" if is_open else "passed")


_THIS = frozenset(("this", "these", "those"))
"""What a question about the orders below it says."""


def _in_our_words(language: Language, sentence: Sentence) -> Said:
    """Decide on what looks like a line of our letters: an order as we write it, or nothing."""
    found = () if sentence.quotes else _whole(language.in_first_shapes, sentence.tokens)
    if len(found) == 1 and found[0]:
        return Said(sentence=sentence, verdict="taken", orders=found[0])
    return _talk(language, sentence)


def _may_be_order(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence has a word with which orders begin, a name or a number, without which it can be none."""
    return (
        is_counted(tokens)
        or any(
            token.kind not in ("word", "mark") or token.text in language.openings or token.text in language.name_words
            for token in tokens
        )
        or may_have_gist(language, tokens)
        or any(True for noun in language.places for place in range(len(tokens)) for _ in noun.spans(tokens, place))
    )


def _by_clauses(language: Language, sentence: Sentence) -> Said:
    """Decide on a sentence that does not read as a whole."""
    orders, rest = _clauses(language, sentence.tokens)
    beside = "; ".join(written(_bare(run)) for run in rest)
    if not orders:
        verdict: Verdict = "unread" if may_change(language, sentence.tokens) else "passed"
        offered = _offered(language, sentence) if verdict == "unread" and not sentence.quotes else None
        return Said(sentence=sentence, verdict=verdict, beside=beside, offered=offered)
    is_share = any(has_share(language, run) for run in rest)
    is_torn = any(_is_amiss(language, sentence, run) for run in rest)
    if sentence.is_question or sentence.quotes or is_share or is_torn or any(_is_part(language, run) for run in rest):
        because = "it is a question" if sentence.is_question else f'"{beside}" was not read'
        whole = None if sentence.quotes else _offered(language, sentence)
        is_of_things = any(says_all(run) for run in rest) or any(
            token.text in language.name_words for run in rest for token in run
        )
        is_of_deeds = any(may_have_gist(language, run) for run in rest)
        is_clear = not (sentence.quotes or is_torn or is_of_things or is_of_deeds)
        is_clear = is_clear and not any(leaves_open(language, run, asks=sentence.is_question) for run in rest)
        readings = (whole,) if whole else (orders,) if is_clear else ()
        return Said(sentence=sentence, verdict="asked", readings=readings, beside=beside, because=because)
    whole = gist(language, sentence.tokens, about=sentence.about) if rest else None
    if whole and whole != with_verbs(orders):
        because = f'"{beside}" was not read'
        return Said(sentence=sentence, verdict="asked", readings=(whole,), beside=beside, because=because)
    says_more = any(adds_to(language, run) or (run[-1].text == ":" and not is_plain_heading(run)) for run in rest)
    verdict = "waits" if says_more or any(may_change(language, run) for run in rest) else "taken"
    because = OF_THEM if says_more or any(speaks_of_orders(language, run) for run in rest) else ""
    return Said(sentence=sentence, verdict=verdict, orders=orders, beside=beside, because=because)


def _is_amiss(language: Language, sentence: Sentence, run: Sequence[Token]) -> bool:
    """Say whether words beside an order may make it another, or say sorry for it before the next one."""
    texts = [token.text for token in run]
    behind = [token.text for token in sentence.tokens[sentence.tokens.index(run[-1]) + 1 :]]
    is_first = run[0] == sentence.tokens[0]
    if (behind and "sorry" in texts) or (says_all(run) and (not is_first or "but" in (*texts, *behind[:1]))):
        return True
    words = language.gist.words if language.gist else None
    is_of_then = texts[-1] == ":" and words is not None and words.any_in("TELLS", texts)
    return is_of_then or (words is not None and words.any_in("BOUNDS", texts))


def _offered(language: Language, sentence: Sentence) -> tuple[Meaning, ...] | None:
    """Return what a sentence may mean, by its gist where a game has one."""
    return gist(language, sentence.tokens, asks=sentence.is_question, about=sentence.about)


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
    plain = {with_verbs(way): way for way in found if any(isinstance(order, Elided) for order in way)}
    return tuple((plain | {with_verbs(way): way for way in found if way == with_verbs(way)}).values())


def with_verbs(orders: Sequence[Meaning]) -> tuple[Meaning, ...]:
    """Return orders with the verbs that were left out."""
    return tuple(order.order if isinstance(order, Elided) else order for order in orders)


def _as_we_write(language: Language, tokens: Sequence[Token]) -> tuple[tuple[Meaning, ...], ...]:
    """Return the one order that stands there in our very words, which mean nothing else then."""
    found = Parses(language.in_first_shapes, tokens).whole(language.line) if len(tokens) <= MOST_TOKENS else ()
    return tuple((order,) for order in found if is_as_we_write(language, order, tokens))


def is_as_we_write(language: Language, order: Meaning, tokens: Sequence[Token]) -> bool:
    """Say whether tokens are an order in our very words."""
    ours = said_as(language, language.line, order)
    return ours is not None and [one.text for one in cut(ours, language.names)] == [one.text for one in tokens]


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
        is_strange = token.kind == "word" and token.text.isalpha() and not is_known(language, token.text)
        is_past = is_past_of(token.text, language.known)
        near = language.near(token.text) if is_strange and not is_past and len(token.text) >= SHORTEST_TYPED else ()
        ways.append([msgspec.structs.replace(token, text=word) for word in near] or [token])
    count = 1
    for way in ways:
        count *= len(way)
    for mended in product(*ways) if count <= MOST_MENDED else ():
        slips = tuple((old.text, new.text) for old, new in zip(tokens, mended, strict=True) if old.text != new.text)
        if slips:
            yield mended, slips
    for place, token in enumerate(tokens):
        for end in range(1, len(token.text)) if token.kind == "word" and not is_known(language, token.text) else ():
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


def _is_part(language: Language, run: Sequence[Token]) -> bool:
    """Say whether words of an order's sentence that were not read may be a part of it."""
    is_of_others = is_leading(language, run) or COMMON.any_in("BYGONE", [token.text for token in run])
    ends = [end - place for noun in language.places for place in range(len(run)) for end, _ in noun.spans(run, place)]
    is_of_a_place = any(length > 1 for length in ends)  # off to the north east, and not right now
    return bears_on(language, run) or is_of_a_place or (run[-1].text == ":" and is_of_others)


def _runs(tokens: Sequence[Token], gaps: Sequence[tuple[int, int]]) -> list[Sequence[Token]]:
    """Join gaps that touch, and leave out those with nothing but marks and words that join two that stand alone."""
    joined: list[tuple[int, int]] = []
    for start, end in gaps:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return [run for start, end in joined if _says_something(run := tokens[start:end])]


def _says_something(run: Sequence[Token]) -> bool:
    is_more = any(token.kind != "mark" and not COMMON.has("CLAUSE", token.text) for token in run)
    return is_more or binds(run)


def _bare(tokens: Sequence[Token]) -> Sequence[Token]:
    """Leave out the marks at both ends."""
    said = [place for place, token in enumerate(tokens) if token.kind != "mark"]
    return tokens[said[0] : said[-1] + 1] if said else tokens
