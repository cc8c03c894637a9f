"""The phase between the pool and the bids, in which inventors amend their texts; sells nothing."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from pbem.ruleset import (
    EVERYONE,
    Dice,
    Event,
    Given,
    Language,
    Names,
    OrderLine,
    Outcome,
    Parsed,
    Parses,
    Reader,
    Refused,
    Shapes,
    Token,
    WordClasses,
    bounded,
    complain,
    cut,
    hidden_marked,
    marked_refusal,
    may_change,
    phrases,
    refuse,
    table,
)
from pbem.rulesets.rumble.auction import power_lines
from pbem.rulesets.rumble.auction.inventing import SPEAKS, with_doubts_refused
from pbem.rulesets.rumble.auction.made_powers import LONGEST_LINE, SHORTEST_BEGUN, secret_in
from pbem.rulesets.rumble.auction.power_layout import SENTENCE, unwrapped
from pbem.rulesets.rumble.auction.power_lines import FreeText
from pbem.rulesets.rumble.auction.powers_phase import questions
from pbem.rulesets.rumble.effects import application, do_lines
from pbem.rulesets.rumble.effects.power_rulings import Define, PowerRuling, Reword
from pbem.rulesets.rumble.effects.power_rulings import Said as Ruled
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import find_power
from pbem.rulesets.rumble.model.order import Amend, Order, Orders, Pass
from pbem.rulesets.rumble.model.state import LONGEST_TEXT, Power, State, with_power
from pbem.rulesets.rumble.orders.writing import show_line, write_line

FORM = "Write reword NAME: NEW TEXT, or pass."
_LOST = Refused("unreadable", f"Nobody bids yet; only texts of your own are amended now. {FORM}", "B18")
_INSTRUCTION = Refused(
    "ambiguous", "This says what is to change, and I print texts as they stand. Write the whole new text.", "B18"
)
SHAPES = Shapes(table("pbem.rulesets.rumble.auction", "amendments.shapes"))
WORDS = WordClasses(table("pbem.rulesets.rumble.auction", "amendments.words"))
SHAPES.check(WORDS, ("power", "text"))


class _Mine(Names[str], frozen=True, dict=True):
    """Powers of one's own, by their names or by their numbers in the pool."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the power that is named at a place."""
        key = next((key for key in self.of if place < len(tokens) and tokens[place].text == key.casefold()), "")
        if key:
            yield place + 1, key
        else:
            yield from super().spans(tokens, place)


def mine(state: State, seat: str) -> tuple[Power, ...]:
    """Return the powers of the pool that a seat invented, and that are still there. Rule: B18."""
    return tuple(power for power in state.pool() if power.author == seat)


class Said(NamedTuple):
    """What a line says: the new text of a power, perhaps below it; that one stays; or that nothing is amended."""

    what: Literal["amend", "stays", "pass"]
    power: str = ""
    text: str = ""


class Amendments(Reader[State, Order]):
    """What inventors make of their texts. Rule: B18."""

    rule = "B18"

    def language(self, state: State, seat: str) -> Language:
        """Return what may be said of a seat's own powers, whose texts are free."""
        own = {power.key: power.name for power in mine(state, seat)}
        return Language(
            words=WORDS,
            shapes=SHAPES,
            nouns={"power": _Mine(own, least=SHORTEST_BEGUN, thing="power"), "text": FreeText()},
            acts={
                "amend": lambda power, text="": Said("amend", power, text),
                "stays": lambda power: Said("stays", power),
                "pass": lambda: Said("pass"),
            },
            names=frozenset(own.values()),
            is_free=True,
        )

    def write(self, state: State, order: Order) -> str:
        """Write an amendment in neutral words."""
        return write_line(state, order)

    def show(self, state: State, order: Order) -> str:
        """Write an amendment in the words of the game."""
        return show_line(state, order)

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """
        Read a seat's mail: new texts, each of which goes on until a blank line or the next one, and talk.

        Rule: B18, R17.
        """
        return self._heard(state, seat, lines, is_sure=False)

    def _heard(self, state: State, seat: str, lines: Sequence[OrderLine], *, is_sure: bool) -> Parsed[Order]:
        reading = _Reading(state, seat, self.at(state, seat).language)
        for line in unwrapped([*hidden_marked(bounded(lines, LONGEST_LINE))], genre_of(state.house)):
            reading.take(line)
        return reading.done(is_sure=is_sure)

    def parse(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read amendments as we write them, word by word; other lines as those of a mail, without kind words."""
        written = _as_written(state, seat, lines)
        return with_doubts_refused(self._heard(state, seat, lines, is_sure=True)) if written is None else written


AMENDMENTS = Amendments()


_WRITTEN = re.compile(r"reword (?P<power>P[0-9]+): (?P<text>.+)|(?P<pass>pass)")


def _as_written(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order] | None:
    """Read amendments in the lines in which we keep them; None for any other lines."""
    own = {power.key for power in mine(state, seat)}
    orders: list[Order] = []
    for line in lines:
        match = _WRITTEN.fullmatch(line.text)
        if match is None or (match["power"] and match["power"] not in own) or marked_refusal(line.text):
            return None
        if match["text"] and (len(match["text"]) > LONGEST_TEXT or secret_in("", match["text"])):
            return None
        order: Order = Pass() if match["pass"] else Amend(match["power"], match["text"])
        orders.append(order.at(line.number))
    return Parsed(tuple(orders), ()) if orders else None


def in_block(text: str) -> bool:
    """Say whether a line begins a new text, which runs to the next blank line."""
    return _BEGINS.match(phrases.clean(text).removeprefix("~ ")) is not None


_BEFORE = ("type:", "kind:", "power:", "text:")
"""What belongs to the phase before."""
_BEGINS = re.compile(r"(?:reword|amend|(?:new )?text of)\s+[^:]+:", re.IGNORECASE)


class _Reading:
    """What has been read so far: texts as they grow, what was refused, and talk."""

    def __init__(self, state: State, seat: str, language: Language) -> None:
        self.state, self.seat, self.language = state, seat, language
        self.own = {power.key: power.name for power in mine(state, seat)}
        self.texts: list[tuple[OrderLine, Said, list[str]]] = []
        self.orders: list[Order] = []
        self.refused: list[tuple[OrderLine, Refused]] = []
        self.passed: list[OrderLine] = []
        self.doubts: list[OrderLine] = []
        self.odd: list[OrderLine] = []
        self.is_open = False

    def take(self, line: OrderLine) -> None:
        """Take a line."""
        text = genre_of(self.state.house).hear_order(phrases.clean(line.text).removeprefix("~ "))
        said = OrderLine(line.number, text)
        if not text or text.startswith("#"):
            self.is_open = False
            return
        if marked := marked_refusal(line.text):
            self.refused.append((said, marked))
            return
        found = self._said(text)
        wants = bool(self.texts) and not self.texts[-1][2]
        match found:
            case Said("amend", _, new) if new and not _BEGINS.match(text) and not power_lines.is_strict_rule(new):
                self.refused.append((said, _INSTRUCTION))
            case Said("amend", _, new):
                self.texts.append((said, found, [new] if new else []))
                self.is_open = True
            case Said("pass"):
                self.orders.append(Pass(line=line.number))
            case Said("stays"):
                self.passed.append(said)
            case None if text.casefold().startswith(_BEFORE):
                self.refused.append((said, _LOST))
            case None if self.is_open or (wants and power_lines.is_strict_rule(text)):
                self._go_on(said)
            case None if _BEGINS.match(text):
                self.refused.append((said, self._unknown(text)))
            case None if power_lines.is_aside(text) or not power_lines.is_strict_rule(text):
                self._pass(said)
            case _:
                self.refused.append((said, _LOST))

    def _said(self, text: str) -> Said | None:
        found = Parses(self.language, cut(text, self.language.names, is_first=False)).whole("piece")
        told = {one for one in found if isinstance(one, Said)}
        return min(told, key=lambda one: len(one.text)) if len({one.power for one in told}) == 1 else None

    def _go_on(self, line: OrderLine) -> None:
        """Take more of a text, up to a sentence that speaks to people."""
        *_, parts = self.texts[-1]
        self.is_open = True
        for sentence in SENTENCE.split(line.text):
            if parts and power_lines.is_aside(sentence):
                self.is_open = False
            if self.is_open:
                goes_on = bool(parts) and not parts[-1].endswith((".", "!", "?")) and sentence[:1].islower()
                is_sure = (goes_on or power_lines.is_strict_rule(sentence)) and not power_lines.leads_aside(sentence)
                self.odd += [] if is_sure else [OrderLine(line.number, sentence)]
                parts.append(sentence)
            else:
                self._pass(OrderLine(line.number, sentence))

    def _pass(self, line: OrderLine) -> None:
        """Take a line for talk, in doubt where it may speak of one's own powers."""
        said = {token.text for token in cut(line.text)}
        is_named = any({*name.casefold().split()} <= said or key.casefold() in said for key, name in self.own.items())
        is_sure = power_lines.is_sure_talk(line.text) and not is_named
        changes = may_change(line.text) and not line.text.endswith("?")
        (self.passed if is_sure and not changes else self.doubts).append(line)

    def _unknown(self, text: str) -> Refused:
        """Say why a line that begins as an amendment is of no power of one's own."""
        if not self.own:
            return Refused("illegal", "There is nothing of yours in the pool. Write pass.", "B18")
        said = text.partition(":")[0].split()
        name = " ".join(word for word in said if word.casefold() not in ("reword", "amend", "new", "text", "of"))
        found = find_power(name, self.own)
        return refuse(found, "B18") if isinstance(found, phrases.Unread) else _LOST

    def done(self, *, is_sure: bool) -> Parsed[Order]:
        """Return what was read."""
        orders = [*self.orders]
        for begun, said, parts in self.texts:
            sentences = SENTENCE.split(" ".join(parts).strip())
            while len(sentences) > 1 and power_lines.is_aside(sentences[-1]):
                self._pass(OrderLine(begun.number, sentences.pop()))
            self.odd += (OrderLine(begun.number, one) for one in sentences[1:] if self._said(one.rstrip(".")))
            found = self._amended(said, " ".join(sentences))
            if isinstance(found, Refused):
                self.refused.append((begun, found))
            else:
                orders.append(found.at(begun.number))
        refused = sorted(self.refused, key=lambda one: one[0].number)
        doubts = [*self.doubts, *(() if is_sure else self.odd)]
        passed, unsure = (tuple(complain(line, _LOST) for line in lines) for lines in (self.passed, doubts))
        by_line = tuple(sorted(orders, key=lambda order: order.line))
        return Parsed(by_line, tuple(complain(*one) for one in refused), (), passed, unsure)

    def _amended(self, said: Said, text: str) -> Amend | Refused:
        name = self.own[said.power]
        if not text:
            return Refused("unreadable", f"Say how {name} is to read: reword {said.power}: NEW TEXT.", "B18")
        text = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
        if SPEAKS.search(text):
            return _INSTRUCTION
        if WORDS.has("MAKE", text.split(maxsplit=1)[0].casefold().strip(",.:")):
            return _INSTRUCTION
        if secret := secret_in("", text):
            return secret
        if len(text) > LONGEST_TEXT:
            return Refused("illegal", f"That text has {len(text)} characters; {LONGEST_TEXT} is the most.", "R17")
        return Amend(said.power, text)


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Give powers their new texts, then do what the moderator says of them, and open the auction.

    Rule: B18, B15; B19 for lines, which end with the words for which they were said.
    """
    blind = len(given.effects) - given.at_proof
    (early, idle), (late, more) = (
        application.gather(state, said) for said in (given.effects[:blind], given.effects[blind:])
    )
    after, amended = _amended(state, orders)
    kept, ended = _parted(state, after, early)
    fitting, odd = application.parted((*kept, *late), PowerRuling, "Nobody has a power yet.", "B15")
    after, reworked = application.rework(after, fitting)
    left = after.pool()
    changed = [power for power in left if power.text != state.card(power.key).text]
    reported = {event.facts["number"] for event in reworked if event.kind == "power_text"}
    texts = [{"number": one.key, "name": one.name, "text": one.text} for one in changed if one.key not in reported]
    new_texts = [Event(kind="power_text", to=EVERYONE, facts=text, rule="B18") for text in texts]
    facts = {"changed": len(changed), "count": len(left)}
    settled = Event(kind="pool_settled", to=EVERYONE, facts=facts, rule="B18")
    asked = questions(left) if changed else ()
    after = msgspec.structs.replace(after, phase="auction" if left else "round", round=0 if left else 1)
    events = (settled, *new_texts, *amended, *ended, *reworked, *asked, *odd, *idle, *more)
    return Outcome(state=after, verdicts=(), events=events, result=None)


def _amended(state: State, orders: Orders) -> tuple[State, list[Event]]:
    """Give powers the texts that their authors want, and tell of lines that end by it."""
    after = state
    events: list[Event] = []
    for seat, sent in orders.items():
        for order in sent:
            if isinstance(order, Amend) and (power := after.card(order.power)).in_play and power.author == seat:
                power, ended = application.reworded(power, order.text, power)
                after = with_power(after, power)
                events += ended
    return after, events


def _parted(state: State, after: State, early: Sequence[Ruled]) -> tuple[list[Ruled], list[Event]]:
    """
    Return what the moderator said before the orders were closed, and tell of the lines in it that ended since.

    Shape: lines for a power whose author has amended its words, unless the moderator gave it words of their own first.
    """
    amended = {power.key for power in state.pool() if power.text != after.card(power.key).text}
    kept: list[Ruled] = []
    ended: list[Event] = []
    for effect in early:
        if isinstance(effect, Define) and effect.power in amended:
            ended.append(application.lines_ended(after.card(effect.power), do_lines.in_lines(effect)))
            continue
        if isinstance(effect, Reword):
            amended.discard(effect.power)
        kept.append(effect)
    return kept, ended
