"""The phase between the pool and the bids, in which inventors amend their texts; sells nothing."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ruleset import (
    EVERYONE,
    MARK,
    Complaint,
    Dice,
    Event,
    Given,
    Language,
    OrderLine,
    Outcome,
    Parsed,
    Reader,
    Refused,
    Shapes,
    WordClasses,
    bounded,
    complain,
    hidden_marked,
    marked_refusal,
    phrases,
    refuse,
)
from pbem.rulesets.rumble.auction import listed_powers
from pbem.rulesets.rumble.auction.powers_phase import LONGEST_LINE, questions
from pbem.rulesets.rumble.effects import application, do_lines
from pbem.rulesets.rumble.effects.power_rulings import Define, PowerRuling, Reword, Said
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import find_power
from pbem.rulesets.rumble.model.order import Amend, Order, Orders, Pass
from pbem.rulesets.rumble.model.state import LONGEST_TEXT, Power, State, with_power
from pbem.rulesets.rumble.orders.writing import show_line, write_line

FORM = "Write reword NAME: NEW TEXT, or pass."
_BEGINS = re.compile(r"(?:reword|amend)\s+([^:]+?)\s*:\s*(.*)$", re.IGNORECASE)


def mine(state: State, seat: str) -> tuple[Power, ...]:
    """Return the powers of the pool that a seat invented, and that are still there. Rule: B18."""
    return tuple(power for power in state.pool() if power.author == seat)


def in_block(text: str) -> bool:
    """Say whether a line begins a new text, which runs to the next blank line."""
    return _BEGINS.match(phrases.clean(text).removeprefix("~ ")) is not None


def texts_of(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """
    Read a set: `reword NAME: TEXT`, whose text goes on until a blank line or the next such line; or `pass`.

    Rule: B18, R17.
    """
    blocks: list[tuple[OrderLine, list[str]]] = []
    orders: list[Order] = []
    complaints: list[Complaint] = []
    is_open = False
    for line in hidden_marked(bounded(lines, LONGEST_LINE)):
        text = genre_of(state.house).hear_order(phrases.clean(line.text).removeprefix("~ "))
        if match := _BEGINS.match(text):
            blocks.append((OrderLine(line.number, text), [match[1], match[2]]))
        elif re.fullmatch(r"pass[.!]?", text, re.IGNORECASE):
            orders.append(Pass(line=line.number))
        elif is_open and text:
            blocks[-1][1].append(text)
            continue
        elif text and not text.startswith("#"):
            because = f"Nobody bids yet; only texts of your own are amended now. {FORM}"
            complaints.append(complain(OrderLine(line.number, text), Refused("unreadable", because, "B18")))
        is_open = match is not None
    for begun, block in blocks:
        found = _read(state, seat, block)
        if isinstance(found, Refused):
            complaints.append(complain(begun, found))
        else:
            orders.append(found.at(begun.number))
    by_line = sorted(orders, key=lambda order: order.line)
    return Parsed(tuple(by_line), tuple(sorted(complaints, key=lambda complaint: complaint.line)))


class Amendments(Reader[State, Order]):
    """What inventors make of their texts. Rule: B18."""

    rule = "B18"

    def language(self, state: State, seat: str) -> Language:
        """Return no words: texts are free."""
        return Language(words=WordClasses(""), shapes=Shapes(""), is_free=True)

    def write(self, state: State, order: Order) -> str:
        """Write an amendment in neutral words."""
        return write_line(state, order)

    def show(self, state: State, order: Order) -> str:
        """Write an amendment in the words of the game."""
        return show_line(state, order)

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read a seat's mail; whole sentences of small talk are none of it."""
        return listed_powers.without_talk(texts_of(state, seat, lines))


AMENDMENTS = Amendments()


def _read(state: State, seat: str, block: Sequence[str]) -> Amend | Refused:
    name, text = block[0], " ".join(block[1:]).strip()
    if MARK in name or MARK in text:
        return marked_refusal(f"{name} {text}") or Refused("illegal", FORM, "R17")
    own = {power.key: power.name for power in mine(state, seat)}
    if not own:
        return Refused("illegal", "There is nothing of yours in the pool. Write pass.", "B18")
    found = find_power(name, own)
    if isinstance(found, phrases.Unread):
        return refuse(found, "B18")
    if not text:
        return Refused("unreadable", f"Say how {own[found]} is to read: reword {found}: NEW TEXT.", "B18")
    if secret := listed_powers.secret_in("", text):
        return secret
    if len(text) > LONGEST_TEXT:
        return Refused("illegal", f"That text has {len(text)} characters; {LONGEST_TEXT} is the most.", "R17")
    return Amend(found, text)


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


def _parted(state: State, after: State, early: Sequence[Said]) -> tuple[list[Said], list[Event]]:
    """
    Return what the moderator said before the orders were closed, and tell of the lines in it that ended since.

    Shape: lines for a power whose author has amended its words, unless the moderator gave it words of their own first.
    """
    amended = {power.key for power in state.pool() if power.text != after.card(power.key).text}
    kept: list[Said] = []
    ended: list[Event] = []
    for effect in early:
        if isinstance(effect, Define) and effect.power in amended:
            ended.append(application.lines_ended(after.card(effect.power), do_lines.in_lines(effect)))
            continue
        if isinstance(effect, Reword):
            amended.discard(effect.power)
        kept.append(effect)
    return kept, ended
