"""Cuts new text into sentences, each with the paragraph and the lines that it stands in; knows no game."""

import re
from collections.abc import Sequence

import msgspec

from pbem.ground.terms import OrderLine, Refused
from pbem.language import phrases
from pbem.language.bounds import refusal
from pbem.language.parses import Language
from pbem.language.tokens import Token, cut, written
from pbem.language.words import COMMON

_ROW = re.compile(r"(?:^(?!\s*[-*\u2022] )|[^\s.!?:;,])[^\S\n]{2}")
"""What a row of a table has, and hardly a line that somebody typed; points of a list are set in as well."""
_QUOTING = ": : "
"""What our letters put before what somebody is to write, besides a colon or a bar at the beginning of a line."""


def is_table_row(text: str) -> bool:
    """Say whether a line has blanks in it as the rows of our own tables do."""
    return _ROW.search(text) is not None


def _is_quoted(text: str) -> bool:
    """Say whether a line is, or is a part of, what our letters show as an example."""
    return _QUOTING in text or text.lstrip().startswith((":", "|", '"')) or text.count('"') % 2 == 1


class Sentence(msgspec.Struct, frozen=True):
    """
    Some tokens that say something together.

    Shape: `tokens` are without the mark that ends them; `paragraph` counts what blank lines part, `lines` are the
    numbers of the lines that it stands in. What is `refused` has a line that is too long, or holds what nobody can see;
    what `is_ours` looks like a line of our letters, which is an order in the very words of ours alone; what `quotes`
    has quotation marks. A sentence that `leads` is a line that ends in a colon, with others below it. One that says
    him is `about` whoever was named last before it.
    """

    tokens: tuple[Token, ...]
    paragraph: int
    lines: tuple[int, ...]
    is_question: bool = False
    refused: Refused | None = None
    is_ours: bool = False
    quotes: bool = False
    leads: bool = False
    about: str = ""

    @property
    def text(self) -> str:
        """What was written."""
        return written(self.tokens)


def sentences(language: Language, lines: Sequence[OrderLine]) -> tuple[Sentence, ...]:
    """
    Cut lines into sentences.

    Shape: a line ends a sentence, but where it or the next one says that it goes on; so does a full stop, but in a name
    and in a text that is free to its line's end.
    """
    cutting = _Cutting(language)
    for line in lines:
        cutting.take(line)
    cutting.end()
    return tuple(cutting.done)


_ENDING = re.compile(r"\s*[0-9]{1,3}(?:[.!]\s|[.!]?$)")
MOST_TOKENS = 400
"""The longest sentence that is looked into, or goes on on the next line; a longer one is talk, or asked about."""
SHORTEST_WRAPPED = 72
"""The characters of a line at which mail programs break it."""


def is_full(line: str, following: str) -> bool:
    """Say whether the first word of the following line would not have gone on a line any more, as programs break it."""
    return len(line) + 1 + len((following.split() or [""])[0]) > SHORTEST_WRAPPED


class _Cutting:
    """
    The sentences so far, and the one that is not over yet, in which a bracket may be open.

    Shape: it `is_asking` where a question mark stands by itself before a sentence, or in brackets within it.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self.done: list[Sentence] = []
        self.paragraph = 0
        self.tokens: list[Token] = []
        self.lines: list[int] = []
        self.refused: Refused | None = None
        self.quotes = self.is_open = False
        self.is_asking = False

    def take(self, line: OrderLine) -> None:
        """Take a line."""
        text = phrases.without_comment(line.text)
        if not text.strip():
            if not line.text.strip():
                self.end()
                self.paragraph += 1
            return
        tokens = cut(text, self.language.names, is_first=not self._hangs(text))
        leads = bool(self.tokens and tokens) and self._is_heading()
        is_open = bool(tokens) and 0 < len(self.tokens) <= MOST_TOKENS and not leads
        goes_on = is_open and (self._goes_on(tokens) or self._is_wrapped(tokens))
        is_row = is_table_row(text) and not goes_on
        if is_row or _is_quoted(text):
            self.end(leads=leads)
            bare = tokens[:-1] if tokens and tokens[-1].ends_a_sentence else tokens
            if any(token.kind != "mark" for token in bare):
                self.done.append(Sentence(bare, self.paragraph, (line.number,), is_ours=True, quotes='"' in text))
            return
        if not goes_on:
            self.end(leads=leads)
        marked = refusal(line.text)
        self.refused = self.refused or marked
        self.quotes = self.quotes or '"' in text
        is_free = marked is not None or (bool(tokens) and self.language.words.has("FREE", tokens[0].text))
        for place, token in enumerate(tokens):
            following = tokens[place + 1].text if place + 1 < len(tokens) else ""
            asks_before = token.text == "?" and COMMON.has("THEREFORE", following)
            ends = token.ends_a_sentence and not is_free and not asks_before
            is_led = ends and self._leads(tokens[place:])
            is_inside = self.is_open and any(one.text == ")" for one in tokens[place:])
            if ends and not is_led and not is_inside:
                self.end(asks=token.text == "?")
            elif ends and is_inside and token.text == "?" and self.tokens[-1].text == "(":
                self.is_asking = True
            elif not (token.text == "!" and is_led):
                self.is_open = token.text == "(" or (self.is_open and token.text != ")")
                self.tokens.append(token)
                self.lines += [] if line.number in self.lines else [line.number]

    def _goes_on(self, tokens: Sequence[Token]) -> bool:
        last = self.tokens[-1].text
        if last == ":" and self._behind(self.tokens[-1]):
            return False  # a form's line, which was left open
        if last == ";" and self.language.words.has("FREE", self.tokens[0].text):
            return True  # a plan of several steps
        if COMMON.has("HANGING", last) and tokens[0].text in self.language.verbs:
            return False  # "what I could live with", and an order below it
        is_open = COMMON.has("GOES_ON", last) or COMMON.has("CARRIES_ON", tokens[0].text)
        return is_open or (tokens[0].text == "then" and COMMON.has("LIMIT", self.tokens[0].text))

    def _hangs(self, text: str) -> bool:
        """Say whether the sentence of a long line ends with a number below it: `Make that`, and then `23.` alone."""
        is_open = bool(self.tokens) and self.tokens[-1].kind == "word" and is_full(self.tokens[-1].line, text)
        return is_open and _ENDING.match(text) is not None

    def _leads(self, following: Sequence[Token]) -> bool:
        """Say whether dots, or shouts, lead from a name to its number: `Ink Cloud ... 7`, `INK CLOUD!!! 7!!!`."""
        names = self.language.name_words
        if not self.tokens or self.tokens[-1].text not in names:
            return False
        said = [token for token in following if token.text not in ("!", "...")]
        is_number = bool(said) and said[0].kind == "number"
        behind = following[following.index(said[0]) + 1 :] if is_number else ()
        is_shouted = not behind or behind[0].text == "!"
        return is_number and (following[0].text == "..." or (is_shouted and following[0].text == "!"))

    def _is_wrapped(self, tokens: Sequence[Token]) -> bool:
        """Say whether a mail program broke a long line before these: they begin small, and with no part of an order."""
        first, openings, names = tokens[0], self.language.openings, self.language.name_words
        last = self.tokens[-1]
        is_long = is_full(last.line, first.line)
        if is_long and (self._hangs(first.line) or self.language.has_side_by_side(last.text, first.text)):
            return True
        is_small = first.line[first.start : first.start + 1].islower() and first.kind == "word"
        is_new = first.text in openings or first.text in names or COMMON.has("LIMIT", first.text)
        return is_long and is_small and not is_new

    def _is_heading(self) -> bool:
        """Say whether what is not over yet is a line that stands above others: it ends in its only colon."""
        last = self.tokens[-1]
        if last.text != ":" or len(self.lines) > 1 or self._behind(last):
            return False
        is_only = sum(token.text == ":" for token in self.tokens) == 1
        return is_only and not self.language.words.has("FREE", self.tokens[0].text)

    @staticmethod
    def _behind(last: Token) -> str:
        """Return what stands behind the last token of a line, but for what makes it bold."""
        return last.line[last.end :].strip(" *")

    def end(self, *, asks: bool = False, leads: bool = False) -> None:
        """End the sentence that is not over yet, where it has a word."""
        if any(token.kind != "mark" for token in self.tokens):
            asks = asks or self.is_asking
            said = Sentence(tuple(self.tokens), self.paragraph, tuple(self.lines), asks, self.refused)
            self.done.append(msgspec.structs.replace(said, quotes=self.quotes, leads=leads))
            self.is_asking = False
        elif asks and self.done and self.done[-1].paragraph == self.paragraph:
            self.done[-1] = msgspec.structs.replace(self.done[-1], is_question=True)
        else:
            self.is_asking = self.is_asking or asks
        self.tokens, self.lines, self.refused, self.quotes, self.is_open = [], [], None, False, False
