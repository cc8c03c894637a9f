"""What counts of a mail: the policy, in one place. Each sentence is taken, asked about, or passed over as talk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from pbem.ground.terms import OrderLine
from pbem.language.beside import (
    MOST_TOKENS,
    adds_to,
    bears_on,
    binds,
    corrects,
    hinders,
    is_counted,
    is_known,
    is_leading,
    is_plain_heading,
    may_change,
    speaks_of_orders,
)
from pbem.language.forms import said_as
from pbem.language.offers import offer
from pbem.language.parses import SHORTEST_MENDED, Elided, Language, Meaning, Parses
from pbem.language.sentences import Sentence, sentences
from pbem.language.tokens import Token, cut, written
from pbem.language.words import COMMON

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
    found = _Deciding(language)
    parts = [part for whole in sentences(language, lines) for part in _parted(language, whole)]
    place = 0
    while place < len(parts):
        below = _below(parts, place)
        found.take(parts[place]) if not below else found.take_block(parts[place], below)
        place += 1 + len(below)
    corrected = tuple(_corrected(found.all))
    return tuple(_alone(language, one, corrected) for one in corrected)


def _below(parts: Sequence[Sentence], place: int) -> Sequence[Sentence]:
    """Return the sentences to which a line that stands above them may belong: to the next condition, or heading."""
    above = parts[place]
    if not above.leads or is_plain_heading(above.tokens):
        return ()
    end = place + 1
    while end < len(parts) and parts[end].paragraph == above.paragraph and not parts[end].leads:
        if COMMON.has("LIMIT", parts[end].tokens[0].text) and not _is_otherwise(parts[end]):
            break
        end += 1
    return parts[place + 1 : end]


def _is_otherwise(sentence: Sentence) -> bool:
    return any(True for _ in COMMON.ends("OTHERWISE", [token.text for token in sentence.tokens], 0))


def _is_asked_before(question: Sentence, sentence: Sentence) -> bool:
    """Say whether a sentence stands right behind a question on its line, whose answer may be what it hangs on."""
    return question.is_question and not sentence.is_question and question.lines[-1] == sentence.lines[0]


class _Deciding:
    """What was decided so far on the sentences of a mail."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.all: list[Said] = []
        self.in_vain = 0

    def decide(self, sentence: Sentence) -> Said:
        """Decide on a sentence by itself."""
        guesses = self.in_vain < MOST_GUESSED
        key = msgspec.structs.replace(sentence, paragraph=0, lines=()), guesses
        if (known := self.language.said.get(key)) is None:
            known = self.language.said[key] = _decided(self.language, sentence, guesses=guesses)
        return msgspec.structs.replace(known, sentence=sentence)

    def take(self, sentence: Sentence) -> None:
        """Take a sentence, with the one before it where it says what is done otherwise."""
        said = self.decide(sentence)
        last = self.all[-1] if self.all else None
        if last and last.sentence.paragraph == sentence.paragraph and _is_otherwise(sentence):
            both = self.decide(_joined(last.sentence, sentence, ","))
            if _is_whole(both) and both.orders != (*last.orders, *said.orders):
                self.all[-1] = both
                return
        if last and said.orders and last.verdict == "unread" and _is_asked_before(last.sentence, sentence):
            self.all[-1] = self._with_question(last.sentence, said)
            return
        self._add(said)

    def _with_question(self, question: Sentence, said: Said) -> Said:
        """Read an order behind a question as one behind a condition, `Bo prone? hit him`; else ask about it."""
        both = msgspec.structs.replace(_joined(question, said.sentence, ":"), is_question=False)
        led = msgspec.structs.replace(both, tokens=(msgspec.structs.replace(both.tokens[0], text="if"), *both.tokens))
        found = next((one for one in map(self.decide, (both, led)) if _is_whole(one)), None)
        return found or _asked(said, f'"{question.text}" before it was not read')

    def take_block(self, above: Sentence, below: Sequence[Sentence]) -> None:
        """
        Take a line that stands above others.

        Shape: with one below it, it is a sentence, if that can be read so. Above several, what reads by itself too is
        asked about: it may be under that line or not. Where nothing reads with it, and it may be a part of all, they
        are asked about as well.
        """
        first, *others = below
        whole = _joined(above, first)
        for other in others:
            whole = _joined(whole, other, ",")
        together = self.decide(whole)
        if _is_whole(together):
            self._add(together if not others else _asked(together, _UNDER))
            return
        with_it = [self.decide(_joined(above, one)) for one in below]
        if not any(map(_is_whole, with_it)):
            head = self.decide(above)
            self._add(_asked(head, "what stands below it was not read") if head.orders else _doubted(head))
        for one, both in zip(below, with_it, strict=True):
            alone = self.decide(one)
            reads_alone = bool(alone.orders) and not any(isinstance(order, Elided) for order in alone.orders)
            if _is_whole(both):
                self._add(_asked(both, _UNDER) if reads_alone and others else both)
            elif alone.orders and is_leading(self.language, above.tokens):
                self._add(_asked(alone, f'"{above.text}" was not read'))
            else:
                self._add(alone)

    def _add(self, said: Said) -> None:
        self.in_vain += said.verdict == "unread"
        self.all.append(said)


_UNDER = "it may hang on the line above it, or stand by itself"
"""Why what stands below a heading is asked about."""


def _doubted(said: Said) -> Said:
    """Return talk as what may change the orders beside it."""
    is_talk = said.verdict in ("passed", "unread")
    return msgspec.structs.replace(said, verdict="unread", because=_OF_THEM) if is_talk else said


_OF_THEM = "it may be about the orders beside it"


def _joined(first: Sentence, second: Sentence, mark: str = "") -> Sentence:
    """Return a sentence of two, the second behind a mark, if one is wanted."""
    head = second.tokens[0]
    between = (msgspec.structs.replace(head, kind="mark", text=mark, end=head.start),) if mark else ()
    return msgspec.structs.replace(
        first,
        tokens=(*first.tokens, *between, *second.tokens),
        lines=tuple(dict.fromkeys((*first.lines, *second.lines))),
        is_question=first.is_question or second.is_question,
        quotes=first.quotes or second.quotes,
        refused=first.refused or second.refused,
        is_ours=False,
        leads=False,
    )


def _is_whole(said: Said) -> bool:
    """Say whether all of a sentence was read, in one way or several."""
    return (bool(said.orders) or bool(said.readings)) and not said.beside


def _asked(said: Said, because: str) -> Said:
    readings = said.readings or (said.orders,)
    return msgspec.structs.replace(said, verdict="asked", orders=(), readings=readings, because=because)


def _corrected(all_said: Sequence[Said]) -> Iterator[Said]:
    """Yield each sentence; one whose orders the next one corrects in words that were not read is asked about."""
    for said, following in zip(all_said, [*all_said[1:], None], strict=False):
        is_near = following is not None and following.sentence.paragraph == said.sentence.paragraph
        if said.orders and following and is_near and not following.orders and corrects(following.sentence.tokens):
            because = f'"{following.sentence.text}" was not read'
            yield _asked(said, because)
        else:
            yield said


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
    said = _by_clauses(language, sentence) if guesses and is_worth_it else _talk(language, sentence)
    return _doubted(said) if speaks_of_orders(language, tokens) else said


def _talk(language: Language, sentence: Sentence) -> Said:
    return Said(sentence=sentence, verdict="unread" if may_change(language, sentence.tokens) else "passed")


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
        or any(True for noun in language.places for place in range(len(tokens)) for _ in noun.spans(tokens, place))
    )


def _by_clauses(language: Language, sentence: Sentence) -> Said:
    """Decide on a sentence that does not read as a whole."""
    orders, rest = _clauses(language, sentence.tokens)
    beside = "; ".join(written(_bare(run)) for run in rest)
    if not orders:
        verdict: Verdict = "unread" if may_change(language, sentence.tokens) else "passed"
        offered = offer(language, sentence.tokens) if verdict == "unread" else ()
        return Said(sentence=sentence, verdict=verdict, beside=beside, offered=offered)
    if sentence.is_question or sentence.quotes or any(_is_part(language, run) for run in rest):
        because = "it is a question" if sentence.is_question else f'"{beside}" was not read'
        whole = offer(language, sentence.tokens)
        is_clear = not sentence.quotes and not any(hinders(language, run, asks=sentence.is_question) for run in rest)
        readings = (whole,) if whole else (orders,) if is_clear else ()
        return Said(sentence=sentence, verdict="asked", readings=readings, beside=beside, because=because)
    is_led = any(adds_to(run) or (run[-1].text == ":" and not is_plain_heading(run)) for run in rest)
    verdict = "waits" if is_led or any(may_change(language, run) for run in rest) else "taken"
    because = _OF_THEM if is_led or any(speaks_of_orders(language, run) for run in rest) else ""
    return Said(sentence=sentence, verdict=verdict, orders=orders, beside=beside, because=because)


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
        is_strange = token.kind == "word" and token.text.isalpha() and not is_known(language, token.text)
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
    return bears_on(language, run) or (run[-1].text == ":" and is_of_others)


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
    return tokens[said[0] : said[-1] + 1]
