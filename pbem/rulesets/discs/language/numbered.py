"""Numbers before lines, which may be the order in which lines are tried, or the cards that they are for. Rule: M7."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from pbem.ruleset import Complaint, Language, OrderLine, Parsed, Token, cut, written
from pbem.rulesets.discs.model.order import Line, Order

_MARKS = frozenset((")", "]", ".", ":", ",", "=", "/", "|", ">", "-", "->"))
"""What may stand behind a number before a line."""
_OPENING = frozenset(("(", "[", "#", "no", "number"))
LARGEST = 99


class Numbered(NamedTuple):
    """
    The lines of a mail without their numbers.

    Shape: `numbers` has, by line, the number that was there and the text behind it; `meant` is what a line of the mail
    says that they mean.
    """

    lines: tuple[OrderLine, ...]
    numbers: dict[int, tuple[int, str]]
    meant: Literal["", "order", "card"]


def without_numbers(language: Language, lines: Sequence[OrderLine]) -> Numbered:
    """Take the numbers off lines, and the lines that say what they mean."""
    kept: list[OrderLine] = []
    numbers: dict[int, tuple[int, str]] = {}
    meant: Literal["", "order", "card"] = ""
    for line in lines:
        tokens = cut(line.text, language.names, is_first=False)
        if said := _says(language, tokens):
            meant = said
            continue
        found = _number(language, tokens)
        if found:
            numbers[line.number] = found
        kept.append(msgspec.structs.replace(line, text=found[1]) if found else line)
    if meant == "card":
        kept = [
            msgspec.structs.replace(line, text=f"card {numbers[line.number][0]}: {line.text}")
            if line.number in numbers
            else line
            for line in kept
        ]
    return Numbered(tuple(kept), numbers, meant)


def _says(language: Language, tokens: Sequence[Token]) -> Literal["", "order", "card"]:
    """Say what a line says of the numbers, where it does: in this order, by card."""
    texts = [token.text for token in tokens if token.kind != "mark"]
    if len(texts) in language.words.ends("IN_ORDER", texts, 0):
        return "order"
    return "card" if len(texts) in language.words.ends("BY_CARD", texts, 0) else ""


def _number(language: Language, tokens: Sequence[Token]) -> tuple[int, str] | None:
    """Return the number before a line, with what stands behind it."""
    place = next((at for at, token in enumerate(tokens) if token.text not in _OPENING), len(tokens))
    token = tokens[place] if place < len(tokens) else None
    if token is None or token.kind not in ("number", "ordinal") or token.value > LARGEST:
        return None
    behind = next((at for at in range(place + 1, len(tokens)) if tokens[at].text not in _MARKS), len(tokens))
    is_marked = behind > place + 1
    is_led = behind < len(tokens) and (tokens[behind].text in language.verbs or tokens[behind].text in _HEADS)
    if behind == len(tokens) or not (is_marked or is_led) or tokens[behind].kind == "number":
        return None
    if token.kind == "ordinal" and tokens[behind].text.startswith("card"):
        return None
    return token.value, written(tokens[behind:])


_HEADS = frozenset(("if", "when", "on", "card", "cards", "my", "the", "never", "each", "every"))
"""How lines begin besides their verbs, where nothing stands between the number and them."""


def asked_about(found: Parsed[Order], lines: Sequence[OrderLine], numbered: Numbered) -> Parsed[Order]:
    """Ask about lines with numbers, where nothing says what they mean; the first says how to answer for all."""
    if numbered.meant or not numbered.numbers:
        return found
    texts = {line.number: line.text.strip() for line in lines}
    doubtful = [
        order for order in found.orders if isinstance(order, Line) and not order.card and order.line in numbered.numbers
    ]
    at = dict.fromkeys(order.line for order in doubtful)
    asked = [_complaint(texts[line], line, *numbered.numbers[line], is_first=not nth) for nth, line in enumerate(at)]
    return msgspec.structs.replace(
        found,
        orders=tuple(order for order in found.orders if order.line not in at),
        complaints=tuple(sorted((*found.complaints, *asked), key=lambda one: one.line)),
        offered=(),
    )


def _complaint(text: str, line: int, number: int, rest: str, *, is_first: bool) -> Complaint:
    also = '; or add a line that says "in this order" or "by card", for all numbers' if is_first else ""
    because = (
        f'Is this number {number} of what you try at each card, or for your card {number}? Write "{rest}" or '
        f'"card {number}: {rest}"{also}.'
    )
    return Complaint(line, text, "ambiguous", because, "M7")
