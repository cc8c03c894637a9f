"""A mail: what becomes of its sentences, each heard with those above and beside it that it may hang on."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import msgspec

from pbem.ground.terms import OrderLine
from pbem.language.beside import bears_on, corrects, is_leading, is_plain_heading, may_head
from pbem.language.deciding import Said, decided, doubted, parted, with_verbs
from pbem.language.gist import gist, with_whom
from pbem.language.parses import Elided, Language
from pbem.language.sentences import Sentence, sentences
from pbem.language.words import COMMON

MOST_KNOWN = 1_000
"""Of how many sentences we remember what was decided."""
MOST_GUESSED = 60
"""The sentences that nobody can read after which no other is mended, or read in part."""
MOST_BELOW = 40
"""The lines below another that are read with it; of the others it stays open whether they belong to it."""


def read(language: Language, lines: Sequence[OrderLine]) -> tuple[Said, ...]:
    """Read a mail: each of its sentences whole if it can be, else by its clauses."""
    if len(language.said) > MOST_KNOWN:
        language.said.clear()
    found = _Deciding(language)
    parts = [*with_whom(language, [part for whole in sentences(language, lines) for part in parted(language, whole)])]
    place = 0
    while place < len(parts):
        below = _below(parts, place)
        found.take(parts[place]) if not below else found.take_block(parts[place], below)
        place += 1 + len(below)
    found.all = [*_understood_together(language, found.all)]
    corrected = tuple(_headed(language, tuple(_corrected(found.all))))
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
            known = self.language.said[key] = decided(self.language, sentence, guesses=guesses)
        return msgspec.structs.replace(known, sentence=sentence)

    def take(self, sentence: Sentence) -> None:
        """Take a sentence, with the one before it where it says what is done otherwise."""
        said = self.decide(sentence)
        last = self.all[-1] if self.all else None
        if last and last.sentence.paragraph == sentence.paragraph and _is_otherwise(sentence):
            both = self.decide(_joined(last.sentence, sentence, mark=","))
            if _is_whole(both) and both.orders != (*last.orders, *said.orders):
                self.all[-1] = both
                return
        if last and said.orders and last.verdict in ("unread", "passed") and self._may_depend(sentence, last.sentence):
            self.all[-1] = self._with_question(last.sentence, said)
            return
        if last and said.offered and self._may_depend(sentence, last.sentence):
            said = msgspec.structs.replace(said, offered=None)  # no disc on me? go mid
        self._add(said)

    def _may_depend(self, sentence: Sentence, question: Sentence) -> bool:
        """Say whether a sentence may depend on a question right before it on its line: one about the game."""
        is_behind = question.is_question and not sentence.is_question and question.lines[-1] == sentence.lines[0]
        return is_behind and (is_leading(self.language, question.tokens) or bears_on(self.language, question.tokens))

    def _with_question(self, question: Sentence, said: Said) -> Said:
        """Read an order behind a question as one behind a condition, `Bo prone? hit him`; else ask about it."""
        both = msgspec.structs.replace(_joined(question, said.sentence, mark=":"), is_question=False)
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
        together = self.decide(_joined(above, first, *others))
        if _is_whole(together):
            self._add(together if not others else _asked(together, _UNDER))
            return
        with_it = [self._decide_under(above, one) for one in below[:MOST_BELOW]]
        if not any(map(_is_whole, with_it)):
            head = self.decide(above)
            self._add(_asked(head, "what stands below it was not read") if head.orders else doubted(head))
        for one, both in zip_longest(below, with_it):
            alone = self.decide(one)
            reads_alone = bool(alone.orders) and not any(isinstance(order, Elided) for order in alone.orders)
            if both is None:
                self._add(_asked(alone, _UNDER) if alone.orders else alone)
            elif _is_whole(both):
                self._add(_asked(both, _UNDER) if reads_alone and others else both)
            elif alone.orders and is_leading(self.language, above.tokens):
                self._add(_asked(alone, f'"{above.text}" was not read'))
            else:
                self._add(alone)

    def _decide_under(self, above: Sentence, one: Sentence) -> Said:
        """Decide on a sentence with the line above it; it counts as one that nobody can read where it is not whole."""
        both = self.decide(_joined(above, one))
        self.in_vain += not _is_whole(both)
        return both

    def _add(self, said: Said) -> None:
        self.in_vain += said.verdict == "unread"
        self.all.append(said)


_UNDER = "it may hang on the line above it, or stand by itself"
"""Why what stands below a heading is asked about."""


def _joined(first: Sentence, *others: Sentence, mark: str = "") -> Sentence:
    """Return one sentence of several: the second behind a mark, if one is wanted, each further one behind a comma."""
    tokens, marks = [*first.tokens], (mark, *[","] * len(others))
    for other, before in zip(others, marks, strict=False):
        head = other.tokens[0]
        tokens += [msgspec.structs.replace(head, kind="mark", text=before, end=head.start)] if before else []
        tokens += other.tokens
    every = (first, *others)
    return msgspec.structs.replace(
        first,
        tokens=tuple(tokens),
        lines=tuple(dict.fromkeys(line for one in every for line in one.lines)),
        is_question=any(one.is_question for one in every),
        quotes=any(one.quotes for one in every),
        refused=next((one.refused for one in every if one.refused), None),
        is_ours=False,
        leads=False,
    )


def _is_whole(said: Said) -> bool:
    """Say whether all of a sentence was read, in one way or several."""
    return (bool(said.orders) or bool(said.readings)) and not said.beside


def _asked(said: Said, because: str) -> Said:
    readings = said.readings or (said.orders,)
    return msgspec.structs.replace(said, verdict="asked", orders=(), readings=readings, because=because)


def _understood_together(language: Language, all_said: Sequence[Said]) -> Iterator[Said]:
    """Yield each sentence; two of a line of which neither can be understood may be one: `hit Bo!!! with 20!!!`."""
    rest = list(all_said)
    while rest:
        first, second = rest.pop(0), rest[0] if rest else None
        both = None
        if second and _is_open(first) and _is_open(second) and first.sentence.lines[-1] == second.sentence.lines[0]:
            both = gist(language, [*first.sentence.tokens, *second.sentence.tokens], about=first.sentence.about)
        if second and both is not None:
            yield msgspec.structs.replace(first, offered=both)
            rest[0] = msgspec.structs.replace(second, offered=())
        else:
            yield first


def _is_open(said: Said) -> bool:
    is_said = not (said.sentence.is_question or said.sentence.quotes)
    return said.verdict == "unread" and said.offered is None and is_said


def _headed(language: Language, all_said: Sequence[Said]) -> Iterator[Said]:
    """Yield each sentence; one right above orders that may be a heading of theirs makes them wait."""
    for said, below in zip(all_said, [*all_said[1:], None], strict=False):
        is_above = below is not None and bool(below.orders) and below.sentence.paragraph == said.sentence.paragraph
        yield doubted(said) if is_above and may_head(language, said.sentence.tokens) else said


def _corrected(all_said: Sequence[Said]) -> Iterator[Said]:
    """Yield each sentence; one whose orders the next one corrects in words that were not read is asked about."""
    for said, following in zip(all_said, [*all_said[1:], None], strict=False):
        is_near = following is not None and following.sentence.paragraph == said.sentence.paragraph
        if said.orders and following and is_near and not following.orders and corrects(following.sentence.tokens):
            because = f'"{following.sentence.text}" was not read'
            yield _asked(said, because)
        else:
            yield said


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
    orders = with_verbs(said.orders)
    is_doubtful = len(elided) == len(orders) and any(token.doubtful for token in said.sentence.tokens)
    if said.beside:
        is_all = said.verdict == "taken" or gist(language, said.sentence.tokens, about=said.sentence.about) == orders
        because, readings = f'"{said.beside}" was not read', (orders,) if is_all else ()
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
