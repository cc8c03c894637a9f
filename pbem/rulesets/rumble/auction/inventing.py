"""Reads the mails of those who invent powers: which lines make a power, and which are talk. Rule: R17, B11."""

import re
from collections.abc import Sequence

from pbem.ruleset import (
    Complaint,
    Language,
    OrderLine,
    Parsed,
    Reader,
    Refused,
    amounts,
    bounded,
    complain,
    hidden_marked,
    is_table_row,
    marked_refusal,
    may_change,
    phrases,
    small_talk,
)
from pbem.rulesets.rumble.auction import power_lines
from pbem.rulesets.rumble.auction.made_powers import (
    FORM,
    KIND_BEHIND,
    KINDS,
    LIKE_AN_ORDER,
    LONGEST_LINE,
    ORDER_LIKE,
    as_written,
    made_power,
    of_archive,
    tagged_name,
)
from pbem.rulesets.rumble.auction.power_layout import (
    SENTENCE,
    Block,
    bare_text,
    ends_block,
    ends_sentence,
    is_listed_power,
    is_set_apart,
    parts_of,
    piece_of,
    unwrapped,
)
from pbem.rulesets.rumble.auction.power_lines import Piece
from pbem.rulesets.rumble.genres import NEUTRAL, Genre, genre_of
from pbem.rulesets.rumble.model.order import Invent, Order, Unsigned
from pbem.rulesets.rumble.model.state import LONGEST_NAME, State
from pbem.rulesets.rumble.orders import sets
from pbem.rulesets.rumble.orders.writing import show_line, write_line
from pbem.rulesets.rumble.powers.archive import lines_of, named

MOST_OF_A_NAME = 4
"""The most words of a name that has the game's own words in it, where no text stands beside it."""
MOST_UNCLEAR = 40
"""The unclear lines of a mail after which all others are; nobody has so much to say of two powers."""
LONGEST_ORDER = 8
"""The most words of a line that may be an order of another phase."""
_TOO_EARLY = Refused("illegal", f"Powers are invented now; there are no bids and no fights yet. {FORM}", "R17")
_LOST = Refused("unreadable", f"I cannot tell what this belongs to. {FORM}", "R17")
_ASIDE = Refused(
    "ambiguous", "Is this part of the text above, or does it speak of it? Part of a text is about the game.", "R17"
)
_NAMELESS = Refused("unreadable", f"First say what the power is called. {FORM}", "R17")
_ODD_KIND = Refused("unreadable", "A power is of type flaw, type curse, or of no type.", "B11")
_WHOSE_KIND = Refused(
    "ambiguous", "Is that the power above it or the one below? Write the type below the text of its power.", "B11"
)
_TWO_KINDS = Refused("ambiguous", "This power has a type already. Keep one.", "B11")
_OTHER_PHASE = re.compile(
    r"(?:bids?|att(?:ack(?:s|ing)?)?|atk|def(?:en[cs]e|end(?:s|ing)?)?|use|hold|plan|block|discard|hero|confirm|resign"
    r"|if)\b",
    re.IGNORECASE,
)
"""How lines begin that belong to the auction or to a round."""
_ORDERED = re.compile(
    r"(?:(?:also|and|plus)\s+)?(?:bids?|att(?:ack)?|atk|def(?:end)?|drop|make that)\b.*[0-9]\W*|what if\b.*",
    re.IGNORECASE,
)
"""What is ordered in another phase, or changes what is on hand."""
SPEAKS = re.compile(
    r"\((?:gm|moderator|question|note|was|i'm|i am|my)\b|\?\s*$|\b(?:make that|no wait|what do you think)\b"
    r"|\b(?:my|the) (?:second|other|first) (?:one|power|is)\b|\btype\s*:|:-?\)",
    re.IGNORECASE,
)
"""What hardly stands in the text of a power."""
_ANOTHER = re.compile(
    r"[;.!]\s+(?:[2-9][.)]\s+\S|[A-Z][\w']+(?: [\w']+){0,3}?(?:\s*\((?:flaw|curse)\))?(?::|\s-\s))|\s[2-9]\.\s[A-Z]"
)
"""What may begin another power within a text."""


class Inventions(Reader[State, Order]):
    """What is invented. Rule: R17."""

    rule = "R17"

    def language(self, state: State, seat: str) -> Language:
        """Return the words for what stands around texts, which are free."""
        return power_lines.language(genre_of(state.house))

    def write(self, state: State, order: Order) -> str:
        """Write a power in neutral words."""
        return write_line(state, order)

    def show(self, state: State, order: Order) -> str:
        """Write a power in the words of the game."""
        return show_line(state, order)

    def hear(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read a seat's mail, its talk apart from its powers."""
        return invented(lines, genre_of(state.house), sets.powers_each(state.house))

    def parse(self, state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read powers as we write them, word by word; other lines as those of a mail, without kind words."""
        written = as_written(lines)
        if written is not None:
            return written
        meant = invented(lines, genre_of(state.house), sets.powers_each(state.house), is_sure=True)
        return with_doubts_refused(meant)


def with_doubts_refused(found: Parsed[Order]) -> Parsed[Order]:
    """Return what was read with what is in doubt among the complaints, and without its talk."""
    wrong = sorted((*found.complaints, *found.doubts), key=lambda one: one.line)
    return Parsed(found.orders, tuple(wrong))


def in_block(text: str, genre: Genre = NEUTRAL) -> bool:
    """Say whether a line begins a power or its text, which runs to the next blank line."""
    piece = piece_of(bare_text(text), genre)
    if piece is None:
        return False
    is_listed = piece.what == "listed" and is_listed_power(text, piece, None)
    return piece.what in ("named", "whole", "text", "kind") or is_listed


def invented(
    lines: Sequence[OrderLine], genre: Genre = NEUTRAL, each: int = sets.POWERS_EACH, *, is_sure: bool = False
) -> Parsed[Order]:
    """
    Read the powers of a mail.

    Shape: what opens a power is followed by its text, down to a blank line or the next such word, so that a text which
    a mail client wrapped is one text again; its type stands anywhere in between. Sentences that speak to people end a
    text, and are talk. However many lines belong to another phase, that is said once. What may be no part of a text is
    in doubt, unless it `is_sure` that all is meant.
    Rule: R17, B11; N14 for the word that opens a power, and no other.
    """
    reading = _Reading(genre, each)
    whole = [
        *unwrapped([part for line in hidden_marked(bounded(lines, LONGEST_LINE)) for part in parts_of(line)], genre)
    ]
    for place, line in enumerate(whole):
        below = phrases.clean(whole[place + 1].text) if place + 1 < len(whole) else ""
        reading.take(line, below, is_last=not any(one.text.strip() for one in whole[place + 1 :]))
    return reading.done(is_sure=is_sure)


class _Reading:
    """
    What has been read so far: powers as they grow, what was refused, and talk.

    Shape: `odd` are lines of a text that may be none, `doubts` talk that may speak of a power.
    """

    def __init__(self, genre: Genre, each: int) -> None:
        self.genre, self.each = genre, each
        self.blocks: list[Block] = []
        self.stock: list[Invent] = []
        self.asked: list[Invent] = []
        self.announced: list[str] = []
        self.unsigned: tuple[Unsigned, ...] = ()
        self.refused: list[tuple[OrderLine, Refused]] = []
        self.passed: list[OrderLine] = []
        self.doubts: list[OrderLine] = []
        self.odd: list[OrderLine] = []
        self.below = ""

    @property
    def last(self) -> Block | None:
        """The power that was begun last."""
        return self.blocks[-1] if self.blocks else None

    def take(self, line: OrderLine, below: str, *, is_last: bool = False) -> None:
        """Take a line, above another."""
        text = phrases.clean(line.text).removeprefix("~ ")
        bare, self.below = bare_text(line.text), below
        if text.startswith("#") and not is_set_apart(text):
            return
        if not bare:
            self._end()
            return
        said = OrderLine(line.number, text)
        if len(self.refused) + len(self.doubts) + len(self.odd) + len(self.passed) > MOST_UNCLEAR:
            self.doubts.append(said)
            return
        if marked := marked_refusal(line.text):
            self.refused.append((said, marked))
            return
        is_row = is_table_row(line.text) or line.text.startswith("|")
        if text.startswith("*") and text[1:2].isalnum() and not power_lines.is_bold(text):  # `*Dead Note`: a slip
            self._end()
            self.doubts.append(said)
            return
        piece = piece_of(bare, self.genre)
        sentences = [bare] if is_row else SENTENCE.split(bare)
        is_one = len(sentences) == 1 or (piece is not None and piece.what != "untitled")
        if piece and is_one and self._takes(said, piece, is_row=is_row):
            return
        if not is_row and self._begins(said, bare, below):
            return
        if (
            is_last
            and small_talk.is_signature(bare)
            and not (self.last and self.last.open and not ends_block(self.last))
        ):
            self.passed.append(said)
            return
        if len(sentences) == 1 or (self.last and self.last.open and not ends_block(self.last)):
            self._take_plain(said, bare)
            return
        for sentence in sentences:
            part = OrderLine(line.number, sentence)
            told = piece_of(sentence, self.genre)
            if not (told and self._takes(part, told, is_row=False)) and not self._begins(part, sentence, ""):
                self._take_plain(part, sentence)

    def _end(self) -> None:
        if self.last:
            self.last.open, self.last.over = False, True

    def _takes(self, line: OrderLine, piece: Piece, *, is_row: bool) -> bool:
        """Take what says by itself what it is."""
        last = self.last
        match piece.what:
            case "unsigned":
                self.unsigned = self.unsigned or (Unsigned(line=line.number),)
                self._end()
            case "whole" if piece.joint in (".", ",") and not power_lines.is_rule(piece.text):
                self.blocks.append(Block(line, Piece("named", f"{piece.name}{piece.joint} {piece.text}"), []))
            case "told" if last and last.open and not ends_block(last):
                return False
            case "told" if piece.of_name:
                if not (last and not last.piece.name and power_lines.is_title(piece.name)):
                    return False
                last.piece = last.piece._replace(name=piece.name)
            case "told" if _is_told(piece):
                text = [piece.text] if piece.text else []
                self.blocks.append(Block(line, piece, text, piece.kind or "power", open=True, listed=True))
            case "told":
                return False
            case "untitled" if not power_lines.is_strict_rule(piece.text) or piece.text.endswith("?"):
                return False
            case "untitled":
                self.blocks.append(Block(line, piece, [piece.text], piece.kind or "power", open=True, listed=True))
            case "announced":
                names = power_lines.parted(phrases.without_stop(piece.name))
                if not all(map(_may_be_name, names)):
                    return False
                self.announced += names
            case "named" if (
                len(piece.name.split()) > MOST_OF_A_NAME and power_lines.is_strict_rule(piece.name) and not piece.rest
            ):
                untitled = Piece("untitled", text=piece.name)
                self.blocks.append(Block(line, untitled, [piece.name], piece.kind or "power", open=True, listed=True))
            case "named" | "whole":
                text = [piece.text] if piece.text else []
                if power_lines.may_be_of_the_name(line.text):
                    self.odd.append(line)
                self.blocks.append(Block(line, piece, text, piece.kind or "power", open=bool(text)))
            case "text" | "kind" if last is None:
                self.refused.append((line, _NAMELESS))
            case "text" if last:
                self._begin_text(line, last, piece.text)
            case "kind" if last and last.over and self.below and self._opens(self.below):
                self.refused.append((line, _WHOSE_KIND))
            case "kind" if last and piece.kind and last.kind not in ("power", piece.kind):
                self.refused.append((line, _TWO_KINDS))
            case "kind" if last and piece.kind:
                last.kind, last.open, last.over = piece.kind, False, False
            case "kind":
                self.refused.append((line, _ODD_KIND))
            case "listed" if last and _wants_text(last) and not is_set_apart(line.text) and not last.over:
                last.parts.append(line.text)  # a label of people's own, such as `Wirkung:`
                last.open = True
                self.odd.append(line)
            case "listed" if not is_row and is_listed_power(line.text, piece, last):
                self.blocks.append(Block(line, piece, [piece.text], piece.kind or "power", open=True, listed=True))
            case _:
                return False
        return True

    def _opens(self, text: str) -> bool:
        piece = piece_of(bare_text(text), self.genre)
        return piece is not None and (piece.what in ("named", "whole") or is_listed_power(text, piece, None))

    def _announced(self, line: OrderLine, text: str) -> bool:
        """Take what is said of a power that was named before: `Cold Breath lets me...`."""
        name = next((one for one in self.announced if text.casefold().startswith(f"{one.casefold()} ")), "")
        rest = text[len(name) :].lstrip(" :-=,")
        if not name or not power_lines.is_rule(rest):
            return False
        is_clause = rest[:1].islower() and not power_lines.begins_clause(rest)
        self.announced.remove(name)
        self.blocks.append(Block(line, Piece("told", name), [text if is_clause else rest], open=True, listed=True))
        return True

    def _begin_text(self, line: OrderLine, block: Block, text: str) -> None:
        if block.parts and not block.piece.rest and not line.text.casefold().startswith("text"):
            block.parts.append(phrases.clean(line.text))  # a label of people's own: `Effect: ...`
            block.open = True
            return
        if block.parts and not block.piece.rest:
            because = f"{block.piece.name} has a text already. Keep one."
            self.refused.append((line, Refused("ambiguous", because, "R17")))
            return
        block.parts = [text] if text else []
        block.open, block.over, block.texted = True, False, True

    def _begins(self, line: OrderLine, text: str, below: str) -> bool:
        """Take a name alone above its text, one that was announced, or powers of the archive by their names."""
        last = self.last
        if self._announced(line, text):
            return True
        is_marked = is_set_apart(line.text)
        name, kind = tagged_name(power_lines.unmarked(text).strip('*_#"\u201c\u201d: '))
        is_between = last is None or last.over or is_marked
        is_between = is_between or (
            last is not None and last.listed and last.parts[-1:] != [] and ends_sentence(last.parts[-1])
        )
        is_alone = 1 < len(name) <= LONGEST_NAME and not set(name) & set(":;,.!?*_")
        is_name = power_lines.is_title(name) or (is_marked and power_lines.is_plain_name(name))
        under = piece_of(bare_text(below), self.genre)
        is_own = under is not None and (under.what in ("named", "whole", "told") or is_listed_power(below, under, None))
        is_text = power_lines.is_rule(below) and not below.endswith("?") and not is_own
        if is_between and is_alone and is_name and is_text:
            self.blocks.append(Block(line, Piece("named", name), [], kind, open=True, listed=True))
            return True
        known = tuple(of_archive(text)) if is_between or not (last and last.open) else ()
        if not known:
            return False
        self._end()
        if is_marked or power_lines.is_taken(text):
            self.stock += (one.at(line.number) for one in known)
        else:
            names = phrases.listed([f'"power: {one.name}"' for one in known], "and")
            because = f"If you send what the archive has under this name, write {names}."
            self.refused.append((line, Refused("ambiguous", because, "R17")))
            self.asked += (one.at(line.number) for one in known)
        return True

    def _take_plain(self, line: OrderLine, text: str) -> None:
        """
        Take a line that says of itself nothing: more of a text, or talk.

        Shape: what stands right below a text may be more of it, or speak of it; unless it is plainly one of these its
        sender is asked.
        """
        last = self.last
        if last and last.open and last.parts:
            self._take_below(line, text, last)
        elif last and (last.open or (_wants_text(last) and not text.endswith("?"))):
            last.parts.append(text)
            last.open = True
            if not power_lines.is_rule(text):
                self.odd.append(line)
        elif power_lines.is_sure_talk(text):
            self._pass(line)
        elif _OTHER_PHASE.match(self.genre.hear_order(text)) and len(text.split()) <= LONGEST_ORDER:
            if not any(before is _TOO_EARLY for _, before in self.refused):
                self.refused.append((line, _TOO_EARLY))
        elif power_lines.is_strict_rule(text) and not power_lines.is_aside(text) and not self._made_enough():
            self.refused.append((line, _LOST))
        else:
            self._pass(line)

    def _take_below(self, line: OrderLine, text: str, last: Block) -> None:
        if _is_beside(text):
            self.refused.append((line, _ASIDE))
        elif ends_block(last) and power_lines.is_aside(text):
            self._pass(line)
        else:
            is_long = len(last.parts[-1]) > LONGEST_NAME
            goes_on = not ends_block(last) and text[:1].islower() and is_long
            is_sure = (goes_on or power_lines.is_strict_rule(text)) and not power_lines.leads_aside(text)
            last.parts.append(text)
            self.odd += [] if is_sure else [line]

    def _pass(self, line: OrderLine) -> None:
        """Take a line for talk; what may speak of a power is in doubt."""
        self._end()
        said = power_lines.words_of(line.text)
        names = (power_lines.words_of(block.piece.name) for block in self.blocks)
        holds = "power" in said and ":" in line.text  # which may be one
        is_of_power = holds or any(words and words <= said for words in names)
        is_sure = power_lines.is_sure_talk(line.text) and not is_of_power
        changes = may_change(line.text) and not line.text.endswith("?")
        (self.passed if is_sure and not changes else self.doubts).append(line)

    def _made_enough(self) -> bool:
        return sum(bool(block.parts) for block in self.blocks) + len(self.stock) >= self.each

    def done(self, *, is_sure: bool) -> Parsed[Order]:
        """Return what was read."""
        orders: list[Order] = [*self.stock]
        for block in self.blocks:
            self._part(block)
            made = self._made(block)
            if isinstance(made, Refused):
                self.refused.append((block.line, made))
            else:
                orders.append(made)
        orders.sort(key=lambda one: one.line)
        refused = sorted(self.refused, key=lambda one: one[0].number)
        passed, doubts = map(_told, (self.passed, (*self.doubts, *(() if is_sure else self.odd))))
        is_open = self.asked and len(refused) == len({one.line for one in self.asked})
        offered = sorted((*orders, *self.asked), key=lambda one: one.line) if is_open else ()
        wrong = tuple(complain(*one) for one in refused)
        return Parsed((*orders, *self.unsigned), wrong, (), passed, doubts, tuple(offered))

    def _part(self, block: Block) -> None:
        """Take what speaks to people off the end of a text, and what says of which type the power is."""
        text = " ".join(block.parts).strip()
        if tagged := KIND_BEHIND.fullmatch(text):
            text, block.kind = tagged[1], KINDS[tagged[2].casefold()]
        sentences = SENTENCE.split(text)
        bare = re.sub(r"\s*\([^)]*\)", "", sentences[0]).rstrip("!. ")
        first = piece_of(bare, self.genre) if len(sentences) > 1 else None
        if first and first.what == "kind" and first.kind:
            block.kind, text = first.kind, text[text.index(sentences[0]) + len(sentences[0]) :].strip()
            sentences = sentences[1:]
        while len(sentences) > 1:
            piece = piece_of(sentences[-1], self.genre)
            if piece and piece.what == "kind" and piece.kind:
                block.kind = piece.kind
            elif power_lines.is_aside(sentences[-1]):
                self._pass(OrderLine(block.line.number, sentences[-1]))
            else:
                break
            sentences.pop()
            text = text[: text.rindex(sentences[-1]) + len(sentences[-1])]
        block.parts = [text] if text else []
        self.odd += (OrderLine(block.line.number, one) for one in sentences if self._is_odd(one, block, sentences))
        self.odd += [OrderLine(block.line.number, text)] if _ANOTHER.search(text) else []

    def _is_odd(self, sentence: str, block: Block, sentences: Sequence[str]) -> bool:
        """Say whether a sentence of a text may be another power, speak of its type, or to somebody."""
        if sentence != sentences[0]:
            piece = piece_of(sentence, self.genre)
            if piece and piece.what in ("listed", "told") and power_lines.is_title(piece.name):
                return True
        if sentence == sentences[-1] and small_talk.is_signature(sentence) and len(sentences) > 1:
            return True
        is_short = len(sentence.split()) <= LONGEST_ORDER
        is_kind = power_lines.says_kind(sentence) or (is_short and power_lines.names_kind(sentence))
        return (is_kind and block.kind == "power") or SPEAKS.search(sentence) is not None

    def _made(self, block: Block) -> Invent | Refused:
        made = made_power(block)
        if isinstance(made, Invent) and not lines_of(made.name, made.text) and self._reads_like_an_order(made.name):
            return LIKE_AN_ORDER
        return made

    def _reads_like_an_order(self, name: str) -> bool:
        heard = self.genre.hear_order(self.genre.hear_power(f"{name}:")[:-1])
        return ORDER_LIKE.match(heard) is not None or amounts.is_on_somebody(heard)


def _told(lines: Sequence[OrderLine]) -> tuple[Complaint, ...]:
    return tuple(complain(line, _LOST) for line in sorted(lines, key=lambda line: line.number))


def _is_told(piece: Piece) -> bool:
    """Say whether a sentence calls a power something: `the second one is Wall. It...`, not `a flaw is bad to have`."""
    is_name = power_lines.is_title(piece.name) or power_lines.is_plain_name(piece.name)
    return is_name and (not piece.text or power_lines.is_rule(piece.text))


def _may_be_name(name: str) -> bool:
    return power_lines.is_title(name) or power_lines.is_plain_name(name) or (name.isupper() and len(name) > 1)


def _wants_text(block: Block) -> bool:
    """Say whether a text may stand right below a name."""
    return not block.over and not block.parts and named(block.piece.name) is None


def _is_beside(text: str) -> bool:
    """Say whether a line below a whole text may speak of it: it orders something, or changes it and not in the game."""
    is_change = may_change(text) and not power_lines.is_rule(text)
    return is_change or _ORDERED.fullmatch(text) is not None


INVENTIONS = Inventions()
