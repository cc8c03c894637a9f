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
    OrderLine,
    Outcome,
    Parsed,
    Reckoning,
    Refused,
    bounded,
    complain,
    courtesy,
    hidden_marked,
    is_harmless,
    is_heading,
    is_table_row,
    marked_refusal,
    may_change,
    phrases,
)
from pbem.rulesets.rumble.effects import application
from pbem.rulesets.rumble.effects.power_rulings import PowerRuling
from pbem.rulesets.rumble.genres import NEUTRAL, Genre
from pbem.rulesets.rumble.model.order import Invent, Order, Orders
from pbem.rulesets.rumble.model.state import LONGEST_NAME, LONGEST_TEXT, PhaseKind, Power, PowerKind, State, distinct
from pbem.rulesets.rumble.orders.sets import POWERS_EACH
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
FORM = 'Write "power: NAME" and below it "text: WHAT IT DOES", or on one line: "power NAME: WHAT IT DOES".'
_TOO_EARLY = Refused("illegal", f"Powers are invented now; there are no bids and no fights yet. {FORM}", "R17")
_LOST = Refused("unreadable", f"I cannot tell what this belongs to. {FORM}", "R17")
_ASIDE = Refused(
    "ambiguous", "Is this part of the text above, or does it speak of it? Part of a text is about the game.", "R17"
)
_LIKE_AN_ORDER = Refused("illegal", "That name reads like an order. Change its first word.", "R17")


_BEGINS = re.compile(r"(?:power(?:\s*[12])?|name|text|type|kind)\s*:|power\s+[^:]+:", re.IGNORECASE)
"""Lines that begin a power, or a part of one."""
_NUMBER = re.compile(r"(?:\(?[1-9][.):]|#[1-9][.:]?|[-*\u2022])\s*(?=\S)")
_NAME_AND_TEXT = re.compile(
    r"(?P<name>[^:;.!?()=]{1,40}?(?:\s\((?:flaw|curse)\))?)"
    r"(?:\s+(?:-+>?|=>?|\u2192)\s+|(?P<colon>\s*:\s*)|\s*\((?=.*\)$))(?P<text>\S.*)",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(\*{1,2}|_{1,2})(?P<name>[^*_:]{1,40}?):?\1\s*[:-]*\s*(?P<text>.*)")
"""A name between marks that a program shows in bold."""
_NO_NAME_SAID = """
note notes ps nb btw fyi edit update question questions remark comment comments reminder warning example rule rules
subject from to cc bcc date re fw fwd sent reason flavour flavor hint summary explanation attention important my cost
effect effects target trigger duration range limit spend burn drain use each also or and but if when so as here this
archive help history zone standing address for press join
"""
_NO_NAMES = frozenset(_NO_NAME_SAID.split())
"""Words before a colon that call no power."""
_NAME_AND_SENTENCE = re.compile(r"(?P<name>[^.:!?]*[^\W\d_]{4}[^\W\d_]*)\.\s+(?P<text>\S.*)")
"""A name that ends with a full stop; behind a shorter word, such as `Dr.`, it goes on."""
_ABOUT_THE_GAME = re.compile(
    r"\b(?:you|your|attack|attacks|defen[cs]e|energy|damage|spend|burn|drain|power|powers|hero|heroes|round|rounds|"
    r"opponents?|bids?)\b",
    re.IGNORECASE,
)
_HEADING = frozenset(("power", "powers", "two", "both", "one", "idea", "ideas", "first", "second"))
_SUBJECT = re.compile(r"(?:re:\s*)?(?:\[[^\]]*\]\s*)?(?:round|auction|powers)(?:\s+\d+)?\W*", re.IGNORECASE)
"""A letter's subject, as mail programs repeat it behind a word for it in any language."""
_NUMBERED = re.compile(r"(?:power|idea)\s*#?\s*[1-9]\s*:?|[\W_]+", re.IGNORECASE)
"""A power's number alone, or a row of marks."""
_POWERS_SAID = re.compile(r"(?:\b(?:both|first|second|two|new|own)\s+)*\bpowers?\b", re.IGNORECASE)
"""What is said of powers above the first of them, and calls none."""
_BETTER = re.compile(
    r"(?:better|new|other|different|changed) (?:words?|wording|text|name)s? (?:for|of) [^:]+:", re.IGNORECASE
)
"""What says only that a power stands below it."""
_LIKE_A_POWER = re.compile(r"(?:powers?|name|text|type|kind)\b|.*\bpower\b[^:]*:\s*\S", re.IGNORECASE)
"""What no kind words begin with, or hold behind a mail program's own."""


class _Block(msgspec.Struct):
    """
    A power while it is being read, line by line.

    Shape: `texted` says that a `text:` line gave the text, so that a colon in the name is part of it; `open` that
    more lines of text may follow, `over` that a blank line came; `listed` that it stands in a list of people's own.
    """

    line: OrderLine
    name: str
    parts: list[str]
    kind: PowerKind = "power"
    texted: bool = False
    open: bool = False
    over: bool = False
    listed: bool = False


def in_block(text: str, words: Genre = NEUTRAL) -> bool:
    """Say whether a line begins a power or its text, which runs to the next blank line."""
    heard = words.hear_power(_bare(phrases.clean(text).removeprefix("~ ")))
    line = OrderLine(0, "")
    is_begun = _BEGINS.match(heard) is not None or _listed(line, heard) is not None
    return is_begun or _headed(line, heard, "", ()) is not None


def parse(lines: Sequence[OrderLine], words: Genre = NEUTRAL, each: int = POWERS_EACH) -> Parsed[Order]:
    """
    Read the powers of a set.

    Shape: `power:` opens one, `text:` goes on until a blank line or the next keyword, so that a text which a
    mail client wrapped is one text again; `type: flaw` or `type: curse` stands anywhere in between. Kind words
    below `each` whole powers and a blank line are nobody's orders. However many lines belong to another phase, that
    is said once.
    Rule: R17, B11; N14 for the word that opens a power, and no other.
    """
    blocks: list[_Block] = []
    refused: list[tuple[OrderLine, Refused]] = []
    whole = hidden_marked(bounded(lines, LONGEST_LINE))
    for place, line in enumerate(whole):
        text = _bare(phrases.clean(line.text).removeprefix("~ "))
        if text.startswith("#"):
            continue
        is_row = is_table_row(line.text) or line.text.startswith("|")
        below = phrases.clean(whole[place + 1].text) if place + 1 < len(whole) else ""
        headed = None if is_row else _headed(OrderLine(line.number, text), words.hear_power(text), below, blocks)
        if headed:
            blocks.append(headed)
            continue
        wrong = _take(OrderLine(line.number, text), words.hear_power(text), blocks, each, is_row=is_row)
        if wrong is _LOST and _OTHER_PHASE.match(words.hear_order(text)):
            wrong = _TOO_EARLY
        if wrong and not (wrong is _TOO_EARLY and any(before is wrong for _, before in refused)):
            refused.append((OrderLine(line.number, text), wrong))
    orders: list[Order] = []
    for block in blocks:
        made = _made(block)
        if isinstance(made, Invent) and not lines_of(made.name, made.text) and _reads_like_an_order(made.name, words):
            made = _LIKE_AN_ORDER
        if isinstance(made, Refused):
            refused.append((block.line, made))
        else:
            orders.append(made)
    return Parsed(tuple(orders), tuple(complain(*one) for one in sorted(refused, key=lambda one: one[0].number)))


def _bare(text: str) -> str:
    """Take the mark of a list away where the words of a power's own form stand behind it."""
    mark = _NUMBER.match(text)
    return text[mark.end() :] if mark and _BEGINS.match(text, mark.end()) else text


def merged(held: Sequence[Order], sent: Sequence[Order], each: int) -> Sequence[Order]:
    """
    Return the powers that are meant where some are on hand and fewer than `each` come: these join them.

    Shape: one of a name that is on hand takes its place.
    Rule: R17.
    """
    if len(sent) >= each:
        return sent
    named = {one.name.casefold(): one for one in sent if isinstance(one, Invent)}
    kept = tuple(named.pop(one.name.casefold(), one) if isinstance(one, Invent) else one for one in held)
    return (*kept, *named.values())


def _reads_like_an_order(name: str, words: Genre) -> bool:
    heard = words.hear_order(words.hear_power(f"{name}:")[:-1])
    return _ORDER_LIKE.match(heard) is not None


def _take(line: OrderLine, text: str, blocks: list[_Block], each: int, *, is_row: bool) -> Refused | None:
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
    listed = _listed(line, text) if last is None or last.listed or not last.open else None
    if listed and not is_row:
        blocks.append(listed)
        return None
    if last and last.open and _is_aside(last, text):
        return _ASIDE
    if last and (last.open or (_wants_text(last) and _is_text(text))):
        last.parts.append(text)
        last.open = True
        return None
    if last and last.over and len(blocks) >= each and not _LIKE_A_POWER.match(text):
        whole = [block for block in blocks if isinstance(_made(block), Invent)]
        if len(whole) >= each:
            return None
    if _OTHER_PHASE.match(text):
        return _TOO_EARLY
    return None if _is_head(text, is_first=not blocks) else _LOST


def _is_head(text: str, *, is_first: bool) -> bool:
    """Say whether a line only says that powers stand below it, or parts them; above the first without a colon too."""
    is_said = text.endswith(":") and is_heading(text, _HEADING)
    is_kind = is_first and is_harmless(_POWERS_SAID.sub(" ", text))
    return is_said or is_kind or _NUMBERED.fullmatch(text) is not None or _BETTER.fullmatch(text) is not None


def _block_of(line: OrderLine, text: str) -> _Block | None:
    block = re.match(r"(?:power(?:\s*[12])?|name)\s*:\s*(.*)$", text, re.IGNORECASE)
    if block:
        return _Block(line, block[1].strip(), [], open=":" in block[1].strip(" :"))
    whole = re.match(r"power\s+([^:]+?)\s*:\s*(.*)$", text, re.IGNORECASE)
    return _Block(line, whole[1], [whole[2]] if whole[2] else [], open=True) if whole else None


def _wants_text(block: _Block) -> bool:
    """Say whether a text may stand right below a name."""
    return not block.over and not block.parts and named(block.name) is None


def _listed(line: OrderLine, text: str) -> _Block | None:
    """Read a power as people list them: `1. NAME - TEXT`, `1. NAME` of the archive, and the first without a number."""
    number = _NUMBER.match(text)
    bare = text[number.end() :] if number else text
    if number and named(phrases.without_stop(bare)):
        return _Block(line, phrases.without_stop(bare), [], listed=True)
    match = _NAME_AND_TEXT.fullmatch(bare)
    is_called = number or (match and _is_title(match["name"]) and not text.endswith(")"))
    if not match or not _is_text(match["text"]) or not is_called:
        return None
    is_boxed = match["text"].endswith(")") and "(" not in match["text"]
    return _Block(line, match["name"], [match["text"].removesuffix(")" if is_boxed else "")], open=True, listed=True)


def _headed(line: OrderLine, text: str, below: str, blocks: Sequence[_Block]) -> _Block | None:
    """Read a power whose name stands in bold, or alone on a line with its text right below it."""
    bold = _BOLD.fullmatch(text)
    if bold and _is_title(bold["name"]) and (not bold["text"] or _is_text(bold["text"])):
        return _Block(line, bold["name"], [bold["text"]] if bold["text"] else [], open=True, listed=True)
    last = blocks[-1] if blocks else None
    is_between = last is None or last.over or (last.listed and bool(last.parts) and last.parts[-1][-1:] in ".!")
    is_alone = re.fullmatch(r"[^:;,.!?()*_]{2,40}", text) is not None and _is_title(text)
    if not (is_between and is_alone and below and _is_text(below)) or _listed(line, below):
        return None
    return _Block(line, text, [], open=True, listed=True)


def _is_title(text: str) -> bool:
    """Say whether a text is written as names of powers are, and is no small talk."""
    first, *rest = re.sub(r"\s\((?:flaw|curse)\)$", "", text, flags=re.IGNORECASE).split() or [""]
    is_capital = all(word[:1].isupper() or len(word) < 4 for word in rest) and first[:1].isupper()
    is_said = is_harmless(text) or courtesy(text) or is_heading(text, _HEADING) or _LIKE_A_POWER.match(text)
    is_name = not text.isupper() and "," not in text and first.casefold().strip(".") not in _NO_NAMES
    return is_capital and is_name and not is_said


def _is_text(text: str) -> bool:
    """Say whether a text can be what a power does: it is about the game, and no question."""
    is_said = text.endswith("?") or _BEGINS.match(text) or _SUBJECT.fullmatch(text)
    return _ABOUT_THE_GAME.search(text) is not None and not is_said


def _is_aside(block: _Block, text: str) -> bool:
    """Say whether a line below a whole text may speak of it: it changes something, and not in the game."""
    is_whole = block.parts[-1:] != [] and block.parts[-1].rstrip().endswith((".", "!", "?"))
    return is_whole and may_change(text) and _ABOUT_THE_GAME.search(text) is None


def _begin_text(block: _Block, text: str) -> Refused | None:
    if block.parts:
        return Refused("ambiguous", f"{block.name} has a text already. Keep one.", "R17")
    block.parts = [text] if text else []
    block.open, block.over, block.texted = True, False, True
    return None


def _set_kind(block: _Block, text: str) -> Refused | None:
    kind = KINDS.get(text.strip(" .").casefold())
    if kind is None:
        return Refused("unreadable", "A power is of type flaw, type curse, or of no type.", "B11")
    block.kind = kind
    block.open, block.over = False, False
    return None


def _name_and_text(block: _Block) -> tuple[str, str]:
    """Return name and text; in `power: NAME: TEXT` the text stands behind the colon, or where a sentence begins."""
    name, text = block.name.strip(), " ".join(block.parts).strip()
    sentence = _NAME_AND_SENTENCE.fullmatch(name) if not block.texted else None
    if sentence and _is_text(sentence["text"]):
        return sentence["name"], f"{sentence['text']} {text}".strip()
    head, colon, tail = name.partition(":")
    if colon and tail.strip() and head.strip() and not block.texted:
        return head.strip(), f"{tail.strip()} {text}".strip()
    return name, text


def _made(block: _Block) -> Invent | Refused:
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
    reviewed, review = _reviewed(msgspec.structs.replace(state, powers=pool), given.effects)
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
