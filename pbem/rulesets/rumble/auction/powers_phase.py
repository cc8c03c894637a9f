"""The Powers phase: reads the powers that players invent, and makes the pool; knows no bids."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ruleset import (
    EVERYONE,
    MARK,
    MODERATOR_ALONE,
    Dice,
    Event,
    Given,
    Language,
    OrderLine,
    Outcome,
    Parsed,
    Reader,
    Reckoning,
    Refused,
    Shapes,
    WordClasses,
    amounts,
    bounded,
    complain,
    hidden_marked,
    is_table_row,
    marked_refusal,
    phrases,
)
from pbem.rulesets.rumble.auction import listed_powers
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import PowerRuling
from pbem.rulesets.rumble.genres import NEUTRAL, Genre, genre_of
from pbem.rulesets.rumble.model.order import Invent, Order, Orders, Unsigned
from pbem.rulesets.rumble.model.state import LONGEST_NAME, LONGEST_TEXT, PhaseKind, Power, PowerKind, State, distinct
from pbem.rulesets.rumble.orders import sets
from pbem.rulesets.rumble.orders.sets import POWERS_EACH
from pbem.rulesets.rumble.orders.writing import show_line, write_line
from pbem.rulesets.rumble.powers import deck
from pbem.rulesets.rumble.powers.archive import find, lines_of, named
from pbem.rulesets.rumble.powers.engine.meetings import meetings

LONGEST_LINE = 1_000
"""Characters of a line here: a mail program may send a whole power on one."""
KINDS: dict[str, PowerKind] = {"flaw": "flaw", "curse": "curse", "power": "power", "normal": "power", "none": "power"}
_ORDER_LIKE = re.compile(
    r"(?:use|discard|bids?|if|confirm|resign|plan|precog(?:nition)?)\b"
    r"|(?:att(?:ack(?:s|ing)?)?|atk|def(?:en[cs]e|end(?:s|ing)?)?|hold|reserve|block|hero|name|power|text|type)\b.*[0-9:]",
    re.IGNORECASE,
)
"""Names that could pass for an order where they begin a line of ours."""
_OTHER_PHASE = re.compile(
    r"(?:bids?|att(?:ack(?:s|ing)?)?|atk|def(?:en[cs]e|end(?:s|ing)?)?|use|hold|plan|block|discard|hero|confirm|resign"
    r"|if)\b",
    re.IGNORECASE,
)
"""How lines begin that belong to the auction or to a round."""
_UNSIGNED = re.compile(r"(?:(?:stay|please|mine|both) )*(?:unsigned|anonymous)(?: please)?[.!]?", re.IGNORECASE)
FORM = 'Write "power: NAME" and below it "text: WHAT IT DOES", or on one line: "power NAME: WHAT IT DOES".'
_TOO_EARLY = Refused("illegal", f"Powers are invented now; there are no bids and no fights yet. {FORM}", "R17")
_LOST = Refused("unreadable", f"I cannot tell what this belongs to. {FORM}", "R17")
_ASIDE = Refused(
    "ambiguous", "Is this part of the text above, or does it speak of it? Part of a text is about the game.", "R17"
)
_LIKE_AN_ORDER = Refused("illegal", "That name reads like an order. Change its first word.", "R17")


_NAME_AND_SENTENCE = re.compile(r"(?P<name>[^.:!?]*[^\W\d_]{4}[^\W\d_]*)\.\s+(?P<text>\S.*)")
"""A name that ends with a full stop; behind a shorter word, such as `Dr.`, it goes on."""


def in_block(text: str, words: Genre = NEUTRAL) -> bool:
    """Say whether a line begins a power or its text, which runs to the next blank line."""
    heard = words.hear_power(listed_powers.bare(phrases.clean(text).removeprefix("~ ")))
    line = OrderLine(0, "")
    is_begun = listed_powers.BEGINS.match(heard) is not None or listed_powers.listed(line, heard) is not None
    return is_begun or listed_powers.headed(line, heard, "", ()) is not None


def powers_of(lines: Sequence[OrderLine], words: Genre = NEUTRAL, each: int = POWERS_EACH) -> Parsed[Order]:
    """
    Read the powers of a set.

    Shape: `power:` opens one, `text:` goes on until a blank line or the next keyword, so that a text which a
    mail client wrapped is one text again; `type: flaw` or `type: curse` stands anywhere in between. Kind words
    below `each` whole powers and a blank line are nobody's orders. However many lines belong to another phase, that
    is said once.
    Rule: R17, B11; N14 for the word that opens a power, and no other.
    """
    blocks: list[listed_powers.Block] = []
    unsigned: tuple[Unsigned, ...] = ()
    refused: list[tuple[OrderLine, Refused]] = []
    whole = hidden_marked(bounded(lines, LONGEST_LINE))
    for place, line in enumerate(whole):
        text = listed_powers.bare(phrases.clean(line.text).removeprefix("~ "))
        if text.startswith("#"):
            continue
        if _UNSIGNED.fullmatch(text):
            unsigned = unsigned or (Unsigned(line=line.number),)
            if blocks:
                blocks[-1].open, blocks[-1].over = False, True
            continue
        is_row = is_table_row(line.text) or line.text.startswith("|")
        below = phrases.clean(whole[place + 1].text) if place + 1 < len(whole) else ""
        said, heard = OrderLine(line.number, text), words.hear_power(text)
        headed = None if is_row else listed_powers.headed(said, heard, below, blocks)
        if headed:
            blocks.append(headed)
            continue
        wrong = _take(said, heard, blocks, each, is_row=is_row)
        if wrong is _LOST and _OTHER_PHASE.match(words.hear_order(text)):
            wrong = _TOO_EARLY
        if wrong and not (wrong is _TOO_EARLY and any(before is wrong for _, before in refused)):
            refused.append((said, wrong))
    orders: list[Order] = []
    for block in blocks:
        made = _made(block)
        if isinstance(made, Invent) and not lines_of(made.name, made.text) and _reads_like_an_order(made.name, words):
            made = _LIKE_AN_ORDER
        if isinstance(made, Refused):
            refused.append((block.line, made))
        else:
            orders.append(made)
    return Parsed((*orders, *unsigned), tuple(complain(*one) for one in sorted(refused, key=lambda one: one[0].number)))


class Powers(Reader[State, Order]):
    """What is invented. Rule: R17."""

    rule = "R17"

    def language(self, state: State, seat: str) -> Language:
        """Return no words: texts are free."""
        return Language(words=WordClasses(""), shapes=Shapes(""), is_free=True)

    def write(self, state: State, order: Order) -> str:
        """Write a power in neutral words."""
        return write_line(state, order)

    def show(self, state: State, order: Order) -> str:
        """Write a power in the words of the game."""
        return show_line(state, order)

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read a seat's mail; whole sentences of small talk are none of it."""
        return listed_powers.without_talk(powers_of(lines, genre_of(state.house), sets.powers_each(state.house)))


POWERS = Powers()


def merged(held: Sequence[Order], sent: Sequence[Order], each: int) -> Sequence[Order]:
    """
    Return the powers that are meant where some are on hand and fewer than `each` come: these join them.

    Shape: one of a name that is on hand takes its place; what was to stay unsigned does.
    Rule: R17.
    """
    named = {one.name.casefold(): one for one in sent if isinstance(one, Invent)}
    if len(named) >= each:
        return sent
    kept = tuple(named.pop(one.name.casefold(), one) for one in held if isinstance(one, Invent))
    unsigned = tuple(one for one in (*held, *sent) if isinstance(one, Unsigned))[:1]
    return (*kept, *named.values(), *unsigned)


def _reads_like_an_order(name: str, words: Genre) -> bool:
    heard = words.hear_order(words.hear_power(f"{name}:")[:-1])
    return _ORDER_LIKE.match(heard) is not None or amounts.is_on_somebody(heard)


def _take(line: OrderLine, text: str, blocks: list[listed_powers.Block], each: int, *, is_row: bool) -> Refused | None:
    """
    Take one line, whose text is heard in neutral words, into the power it belongs to, or open a new one.

    Shape: `is_row` says that it stands as rows of our own tables and examples do, which list no power.
    """
    last = blocks[-1] if blocks else None
    if not text:
        if last:
            last.open, last.over = False, True
        return None
    opened = _block_of(line, text)
    if opened:
        blocks.append(opened)
        return None
    keyword = re.match(r"(text|type|kind)\s*:\s*(.*)$", text, re.IGNORECASE)
    if keyword and last is None:
        return Refused("unreadable", f"First say what the power is called. {FORM}", "R17")
    if keyword and last:
        take = _begin_text if keyword[1].lower() == "text" else _set_kind
        return take(last, keyword[2])
    listed = listed_powers.listed(line, text) if last is None or last.listed or not last.open else None
    if listed and not is_row:
        blocks.append(listed)
        return None
    if last and last.open and listed_powers.is_aside(last, text):
        return _ASIDE
    if last and (last.open or (_wants_text(last) and listed_powers.is_text(text))):
        last.parts.append(text)
        last.open = True
        return None
    if last and last.over and len(blocks) >= each and not listed_powers.LIKE_A_POWER.match(text):
        whole = [block for block in blocks if isinstance(_made(block), Invent)]
        if len(whole) >= each:
            return None
    if _OTHER_PHASE.match(text):
        return _TOO_EARLY
    return None if listed_powers.is_head(text, is_first=not blocks) else _LOST


def _block_of(line: OrderLine, text: str) -> listed_powers.Block | None:
    block = re.match(r"(?:power(?:\s*[12])?|name)\s*:\s*(.*)$", text, re.IGNORECASE)
    if block:
        return listed_powers.Block(line, block[1].strip(), [], open=":" in block[1].strip(" :"))
    whole = re.match(r"power\s+([^:]+?)\s*:\s*(.*)$", text, re.IGNORECASE)
    return listed_powers.Block(line, whole[1], [whole[2]] if whole[2] else [], open=True) if whole else None


def _wants_text(block: listed_powers.Block) -> bool:
    """Say whether a text may stand right below a name."""
    return not block.over and not block.parts and named(block.name) is None


def _begin_text(block: listed_powers.Block, text: str) -> Refused | None:
    if block.parts:
        return Refused("ambiguous", f"{block.name} has a text already. Keep one.", "R17")
    block.parts = [text] if text else []
    block.open, block.over, block.texted = True, False, True
    return None


def _set_kind(block: listed_powers.Block, text: str) -> Refused | None:
    kind = KINDS.get(text.strip(" .").casefold())
    if kind is None:
        return Refused("unreadable", "A power is of type flaw, type curse, or of no type.", "B11")
    block.kind = kind
    block.open, block.over = False, False
    return None


def _name_and_text(block: listed_powers.Block) -> tuple[str, str]:
    """Return name and text; in `power: NAME: TEXT` the text stands behind the colon, or where a sentence begins."""
    name, text = block.name.strip(), " ".join(block.parts).strip()
    sentence = _NAME_AND_SENTENCE.fullmatch(name) if not block.texted else None
    if sentence and listed_powers.is_text(sentence["text"]):
        return sentence["name"], f"{sentence['text']} {text}".strip()
    head, colon, tail = name.partition(":")
    if colon and tail.strip() and head.strip() and not block.texted:
        return head.strip(), f"{tail.strip()} {text}".strip()
    return name, text


def _made(block: listed_powers.Block) -> Invent | Refused:
    name, text = _name_and_text(block)
    tagged = re.match(r"(.+?)\s*\((flaw|curse)\)$", name, re.IGNORECASE)
    name = tagged[1] if tagged else name
    known = named(name) if not text else None
    name, text = (known.name, known.text) if known else (name, text)
    kind = KINDS[tagged[2].casefold()] if tagged else block.kind
    if MARK in name or MARK in text:
        return marked_refusal(f"{name} {text}") or Refused("illegal", FORM, "R17")
    if not name:
        return Refused("unreadable", f"This power has no name. {FORM}", "R17")
    if secret := listed_powers.secret_in(name, text):
        return secret
    if len(name) > LONGEST_NAME:
        return Refused("illegal", f"That name has {len(name)} characters; {LONGEST_NAME} is the most.", "R17")
    if re.fullmatch(r"[Pp][0-9]+|[^\w]+", name):
        return Refused("illegal", "A power needs a name in words, such as Tough Hide.", "R17")
    if _ORDER_LIKE.match(name) and not lines_of(name, text):  # Precognition is a power of the archive
        return _LIKE_AN_ORDER
    if not text:
        meant = find(name)
        hint = "" if isinstance(meant, phrases.Unread) else f" Of the archive there is power: {meant.name}."
        return Refused("unreadable", f"{name} has no text. {FORM}{hint}", "R17")
    if len(text) > LONGEST_TEXT:
        return Refused("illegal", f"That text has {len(text)} characters; {LONGEST_TEXT} is the most.", "R17")
    return Invent(name, text, kind, line=block.line.number)


def adjudicate(state: State, orders: Orders, given: Given, dice: Dice) -> Outcome[State]:
    """
    Make the pool: powers in a drawn order, so that the order betrays no author.

    Shape: `veto P03` and `reword P03: TEXT` among the effects name the numbers of this very draw.
    Rule: R17, B7, B15; C16 for those that are dealt.
    """
    book = Reckoning(given.pinned)
    sent = [(seat, order) for seat, given_ in orders.items() for order in given_ if isinstance(order, Invent)]
    sent.sort(key=lambda pair: (list(state.names).index(pair[0]), pair[1].name))
    dealt = deck.deal(state, [order.name for _, order in sent], dice)
    sent += [("", Invent(card.name, card.text, card.kind)) for card in dealt]
    drawn = dice.shuffle("pool", sent)
    pool = tuple(
        Power(number, order.name, order.text, seat, order.kind, lines=lines_of(order.name, order.text))
        for number, (seat, order) in enumerate(drawn, 1)
    )
    unsigned = tuple(seat for seat, given_ in orders.items() if any(isinstance(one, Unsigned) for one in given_))
    made = msgspec.structs.replace(state, powers=pool, unsigned=unsigned)
    reviewed, review = _reviewed(made, given.effects)
    after = _numbered(reviewed)
    left = after.pool()
    facts = {"count": len(left), "sent": len(pool), "heroes": [hero.name for hero in state.heroes]}
    events = [Event(kind="pool_opened", to=EVERYONE, facts=facts, rule="R17")]
    for power in left:
        pooled = {"number": power.key, "name": power.name, "text": power.text, "kind": power.kind}
        events.append(Event(kind="power_pooled", to=EVERYONE, facts=pooled, rule="R17"))
    events += questions(left)
    opens: PhaseKind = "amend" if state.house.get("amendments") == "yes" else "auction"
    after = msgspec.structs.replace(after, phase=opens if left else "round", round=0 if left else 1)
    return Outcome(state=after, verdicts=tuple(book.verdicts), events=(*events, *review, *book.idle()), result=None)


"""What the moderator can do with powers that nobody has."""


def questions(pool: Sequence[Power]) -> tuple[Event, ...]:
    """Ask the moderator how powers meet; what is not answered stays as the default has it."""
    asked = [(one.rule, {"question": one.question, "default": one.default}) for one in meetings(pool)]
    return tuple(Event(kind="powers_meet", to=MODERATOR_ALONE, facts=facts, rule=rule) for rule, facts in asked)


def _reviewed(state: State, lines: Sequence[str]) -> tuple[State, tuple[Event, ...]]:
    effects, idle = application.gather(state, lines)
    review, other = application.parted(effects, PowerRuling, "Nobody has a power yet.", "B15")
    state, events = application.rework(state, review)
    return state, (*events, *other, *idle)


def _numbered(state: State) -> State:
    """
    Tell powers of the same name apart.

    Rule: B7.
    """
    left = [power for power in state.powers if power.in_play]
    names = dict(zip([power.number for power in left], distinct([power.name for power in left]), strict=True))
    powers = tuple(msgspec.structs.replace(power, name=names.get(power.number, power.name)) for power in state.powers)
    return msgspec.structs.replace(state, powers=powers)
