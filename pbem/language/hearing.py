"""What a mail comes to: the orders that count, a complaint for what does not, and the talk; knows no game."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from pbem.ground.terms import Complaint, OrderLine, Parsed, Placed, Refused, Slip
from pbem.language import phrases
from pbem.language.bounds import shown
from pbem.language.deciding import Said, is_as_we_write
from pbem.language.hindrance import hinders_offers, only_tells
from pbem.language.hints import why_unread
from pbem.language.nouns import Names
from pbem.language.parses import Elided, Language, Meaning, Parses
from pbem.language.together import read
from pbem.language.tokens import Token, cut
from pbem.language.words import COMMON

P = TypeVar("P", bound=Placed)


UNREAD = "I cannot read this as an order."
"""What is said of a line that is near no form, unless a game has better words."""
MOST_HINTED = 20
"""The sentences that cannot be read after which no other is shown what would have worked."""


class Moment(NamedTuple):
    """
    What a ruleset makes of meanings, at a moment of a game and for a seat.

    Shape: `order` makes an order of what is meant, or says why it cannot be given; `show` writes an order for a letter,
    and `worded` puts a line of ours into its words; `rule` is that of how orders are written, and `unread` what is said
    of a line that is near no form.
    """

    language: Language
    order: Callable[[Any], Any]
    show: Callable[[Any], str]
    worded: Callable[[str], str] = str
    rule: str = ""
    unread: str = UNREAD


def heard(moment: Moment, lines: Sequence[OrderLine]) -> Parsed[Any]:
    """Read a mail; its talk stands apart from its complaints."""
    said = read(moment.language, lines)
    at = Counter(line for one in said for line in one.sentence.lines)
    found = _Found(moment, lines, frozenset(line for line, count in at.items() if count == 1))
    for one in said:
        found.take(one)
    depends = bool(found.doubts) and any(order.depends for order in found.orders)
    slips = tuple(dict.fromkeys(found.slips))
    offered = tuple(found.whole or ()) if found.offers or depends else ()
    doubts = found.doubts if found.orders or found.complaints else map(_of_nothing, found.doubts)
    return Parsed(*map(tuple, (found.orders, found.complaints, slips, found.passed, doubts, offered)))


def _of_nothing(doubt: Complaint) -> Complaint:
    """Return a doubt about talk beside which no order stands: it is talk that was not read."""
    is_of_orders = doubt.fault == "ambiguous"
    return msgspec.structs.replace(doubt, fault="unreadable", because=UNREAD) if is_of_orders else doubt


def in_our_words(moment: Moment, line: str) -> Any:
    """Read one order as we write it, by first shapes alone; or say why it cannot be given."""
    first = moment.language.in_first_shapes
    tokens = cut(line, first.names)
    found = Parses(first, tokens).whole(first.line)
    if len(found) > 1:  # one reading may take a thing of this name, which we would write otherwise
        found = tuple(one for one in found if is_as_we_write(moment.language, one, tokens))
    return moment.order(found[0]) if len(found) == 1 else Refused("unreadable", UNREAD, moment.rule)


def with_talk_refused(found: Parsed[P]) -> Parsed[P]:
    """
    Return what was read with its talk among the complaints, for whoever asks whether lines are orders.

    Shape: talk that changes nothing is none of a line that has an order.
    """
    lines = {order.line for order in found.orders}
    passed = (one for one in found.passed if one.line not in lines)
    complaints = sorted((*found.complaints, *passed, *found.doubts), key=lambda one: one.line)
    return Parsed(found.orders, tuple(complaints), found.slips)


class _Found:
    """
    What has been found so far.

    Shape: `whole` is what was meant if each line that is asked about means the one thing that it can, None where one
    cannot; `offers` counts those.
    """

    def __init__(self, at: Moment, lines: Sequence[OrderLine], alone: frozenset[int]) -> None:
        self.at, self.alone = at, alone
        self.texts = {line.number: line.text.strip() for line in lines}
        self.hinted = 0
        self.offers = 0
        self.orders: list[Any] = []
        self.whole: list[Any] | None = []
        self.complaints: list[Complaint] = []
        self.slips: list[Slip] = []
        self.passed: list[Complaint] = []
        self.doubts: list[Complaint] = []

    def take(self, said: Said) -> None:
        """Take what becomes of a sentence."""
        match said.verdict:
            case "taken" | "waits":
                self._order(said)
            case "asked":
                self.complaints.append(self._complaint(said, self._asked(said)))
                self._offer(said, said.readings)
            case "passed":
                self.passed.append(self._complaint(said, Refused("unreadable", self.at.unread, self.at.rule)))
            case "unread":
                complaint = self._complaint(said, self._unread(said))
                (self.complaints if self._is_order(said) else self.doubts).append(complaint)
                if said.offered is not None:
                    self._offer(said, (said.offered,))
                elif self.whole is not None and self._leaves_in_doubt(said):
                    self._offer(said, ())

    def _leaves_in_doubt(self, said: Said) -> bool:
        """Say whether what was not read of a mail may be a part of what it orders, or turn it."""
        tokens, asks = said.sentence.tokens, said.sentence.is_question
        if hinders_offers(self.at.language, tokens, asks=asks):
            return True
        return self._is_order(said) and not asks and not only_tells(self.at.language, tokens)

    def _offer(self, said: Said, readings: Sequence[Sequence[Meaning]]) -> None:
        """Add what a sentence means to all that was meant, if it can mean one thing alone."""
        ways = [[self._made(meaning) for meaning in way] for way in readings]
        if self.whole is None or len(ways) != 1 or any(isinstance(one, Refused) for one in ways[0]):
            self.whole = None
            return
        self.whole += [one.at(said.sentence.lines[0]) for one in ways[0]]
        self.offers += 1

    def _order(self, said: Said) -> None:
        orders = [self.at.order(meaning) for meaning in said.orders]
        refused = next((one for one in orders if isinstance(one, Refused)), None)
        if refused:
            self.complaints.append(self._complaint(said, refused))
            self.whole = None
            return
        placed = [order.at(said.sentence.lines[0]) for order in orders]
        self.orders += placed
        self.whole = None if self.whole is None else [*self.whole, *placed]
        self.slips += [Slip(*slip) for slip in said.slips]
        if said.beside:
            unread = self._unread(said)
            beside = Complaint(said.sentence.lines[0], said.beside, unread.fault, unread.because, unread.rule)
            (self.doubts if said.verdict == "waits" else self.passed).append(beside)

    def _complaint(self, said: Said, refused: Refused) -> Complaint:
        numbers = said.sentence.lines
        is_all = all(number in self.alone for number in numbers)
        text = " ".join(self.texts[number] for number in numbers) if is_all else said.sentence.text
        return Complaint(numbers[0], shown(text), refused.fault, refused.because, refused.rule)

    def _is_order(self, said: Said) -> bool:
        """Say whether an unread sentence is plainly meant as an order: it begins as one, or has a number and a name."""
        language, tokens = self.at.language, said.sentence.tokens
        texts = [token.text for token in tokens]
        starts = [0, *(place + 1 for place, text in enumerate(texts) if COMMON.has("CLAUSE", text))]
        begins = any(place < len(texts) and texts[place] in language.verbs for place in starts)
        is_counted = any(token.kind in ("number", "other") for token in tokens)
        return begins or (is_counted and _names_somebody(language, tokens))

    def _unread(self, said: Said) -> Refused:
        """Say what could not be read of a sentence, and what would have worked."""
        if ways := self._shown((said.offered or (),)):
            return self._with_offer(self._hint(said), f"If you mean {ways[0]}, write just that.")
        if said.because and said.verdict != "asked" and not (said.verdict == "unread" and self._is_order(said)):
            return Refused("ambiguous", f"{said.because[0].upper()}{said.because[1:]}.", self.at.rule)
        found = self._hint(said) or Refused("unreadable", self.at.unread)
        return msgspec.structs.replace(found, rule=found.rule or self.at.rule)

    def _hint(self, said: Said) -> Refused | None:
        """Say what would have worked, of a bounded number of sentences."""
        self.hinted += 1
        is_shown = self.hinted <= MOST_HINTED
        return why_unread(self.at.language, said.sentence.tokens, worded=self.at.worded) if is_shown else None

    def _with_offer(self, hint: Refused | None, offered: str) -> Refused:
        """Say what a sentence may mean, behind why a word of it is no die or nobody's name, where that is so."""
        if hint is None or _WOULD_WORK in hint.because or hint.because.endswith("?"):
            return Refused("unreadable", f"{UNREAD} {offered}", self.at.rule)
        return msgspec.structs.replace(hint, because=f"{hint.because} {offered}", rule=hint.rule or self.at.rule)

    def _asked(self, said: Said) -> Refused:
        """Say why nothing of a sentence counts, and what it may mean."""
        if said.sentence.refused:
            return said.sentence.refused
        ways = self._shown(said.readings)
        only = self._only_refusal(said.readings)
        if not ways and only:
            return only
        if not ways and COMMON.has("LIMIT", said.beside.partition(" ")[0].casefold()):
            unread = self._unread(said)
            if unread.because != self.at.unread:
                return msgspec.structs.replace(unread, fault="ambiguous")
        would = f" Write {phrases.listed(ways)}." if ways else ""
        return Refused("ambiguous", f"{_BECAUSE.get(said.because) or said.because}.{would}", self.at.rule)

    def _made(self, meaning: Meaning) -> Any:
        return self.at.order(meaning.order if isinstance(meaning, Elided) else meaning)

    def _only_refusal(self, readings: Sequence[Sequence[Meaning]]) -> Refused | None:
        found = (self._made(meaning) for way in readings for meaning in way)
        return next((one for one in found if isinstance(one, Refused)), None)

    def _shown(self, readings: Sequence[Sequence[Meaning]]) -> list[str]:
        """Show the readings that can be ordered."""
        ways = ([self._made(meaning) for meaning in way] for way in readings)
        legal = (way for way in ways if way and not any(isinstance(one, Refused) for one in way))
        return [f'"{"; ".join(self.at.show(one) for one in way)}"' for way in legal]


def _names_somebody(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence has a name, or as much of one as nobody says by chance."""
    kinds = language.things or language.nouns
    names = [noun for kind, noun in language.nouns.items() if kind in kinds and isinstance(noun, Names)]
    likely = [place for place, token in enumerate(tokens) if len(token.text) >= SHORTEST_NAME]
    return any(True for noun in names for place in likely for _ in noun.spans(tokens, place))


_WOULD_WORK = "What would work:"
SHORTEST_NAME = 3
"""The letters of a word that may stand for a name beside a number."""
_BECAUSE = {
    "it can be read in several ways": "This can be read in more than one way",
    "it is a question": "This is a question, so nothing of it counts",
    "it may be no order": "This may be no order",
}
"""What the policy asks about, as a sentence to its sender."""
