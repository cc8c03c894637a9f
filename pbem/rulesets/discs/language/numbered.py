"""For which cards lines are: numbers before them, and lines between those for one card. Rule: M2, M7."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from pbem.ruleset import Complaint, Language, OrderLine, Parsed, Token, cut, written
from pbem.rulesets.discs.language.nouns import count_of
from pbem.rulesets.discs.model.order import Line, Order

_MARKS = frozenset((")", "]", ".", ":", ",", "=", "/", "|", ">", "-", "->"))
"""What may stand behind a number before a line."""
_LED = frozenset(("no", "number"))
LARGEST = 99


Meant: TypeAlias = Literal["", "order", "card"]
"""What numbers before lines mean: the order in which they are tried, or cards; "" where nothing says it."""


class Numbered(NamedTuple):
    """
    The lines of a mail without their numbers.

    Shape: `numbers` has, by line, the number that was there and the text behind it; `meant` is what a line of the mail
    says that they mean.
    """

    lines: tuple[OrderLine, ...]
    numbers: dict[int, tuple[int, str]]
    meant: Meant


def without_numbers(language: Language, lines: Sequence[OrderLine], is_for_a_card: Callable[[str], bool]) -> Numbered:
    """Take the numbers off lines, and the lines that say what they mean; those of standing orders mean nothing."""
    kept: list[OrderLine] = []
    numbers: dict[int, tuple[int, str]] = {}
    says: set[Meant] = set()
    for line in lines:
        tokens = cut(line.text, language.names, is_first=False)
        if said := _says(language, tokens):
            says.add(said)
            continue
        found = _number(language, tokens)
        if found:
            numbers[line.number] = found
        kept.append(msgspec.structs.replace(line, text=found[1]) if found else line)
    meant: Meant = says.pop() if len(says) == 1 else ""
    if meant == "card":
        kept = [
            msgspec.structs.replace(line, text=f"card {numbers[line.number][0]}: {line.text}")
            if line.number in numbers and is_for_a_card(line.text)
            else line
            for line in kept
        ]
    return Numbered(tuple(kept), numbers, meant)


def _says(language: Language, tokens: Sequence[Token]) -> Meant:
    """Say what a line says of the numbers, where it does: in this order, by card."""
    texts = [token.text for token in tokens if token.kind != "mark"]
    if len(texts) in language.words.ends("IN_ORDER", texts, 0):
        return "order"
    is_by_card = len(texts) in language.words.ends("BY_CARD", texts, 0)
    is_range = len(texts) == len(("cards", "1", "to", "4")) and texts[0] in ("card", "cards")
    is_range = is_range and texts[1] == "1" and texts[2] == "to"
    return "card" if is_by_card or is_range else ""


def _number(language: Language, tokens: Sequence[Token]) -> tuple[int, str] | None:
    """Return the number before a line, with what stands behind it."""
    place = next((at for at, one in enumerate(tokens) if one.kind != "mark" and one.text not in _LED), len(tokens))
    number = count_of(tokens[place]) if place < len(tokens) else 0
    if not 1 <= number <= LARGEST:
        return None
    behind = next((at for at in range(place + 1, len(tokens)) if tokens[at].text not in _MARKS), len(tokens))
    is_marked = behind > place + 1 or any(one.text == "#" for one in tokens[:place])
    is_led = behind < len(tokens) and (tokens[behind].text in language.verbs or tokens[behind].text in _HEADS)
    if behind == len(tokens) or not (is_marked or is_led) or tokens[behind].kind == "number":
        return None
    if tokens[place].kind != "number" and tokens[behind].text.startswith("card") and not is_marked:
        return None
    return number, written(tokens[behind:])


_HEADS = frozenset(("if", "when", "on", "card", "cards", "my", "the", "never", "each", "every"))
"""How lines begin besides their verbs, where nothing stands between the number and them."""


def asked_about(
    found: Parsed[Order], lines: Sequence[OrderLine], numbered: Numbered, show: Callable[[Order], str]
) -> Parsed[Order]:
    """Ask about lines with numbers, where nothing says what they mean; the first says how to answer for all."""
    if numbered.meant == "card" and not numbered.numbers:
        return _without_cards(found, lines, show)
    if numbered.meant or not numbered.numbers:
        return found
    texts = {line.number: line.text.strip() for line in lines}
    doubtful = [
        order for order in found.orders if isinstance(order, Line) and not order.card and order.line in numbered.numbers
    ]
    at = {order.line: show(order) for order in reversed(doubtful)}
    asked = [
        _complaint(texts[line], line, numbered.numbers[line][0], at[line], is_first=not nth)
        for nth, line in enumerate(sorted(at))
    ]
    return msgspec.structs.replace(
        found,
        orders=tuple(order for order in found.orders if order.line not in at),
        complaints=tuple(sorted((*found.complaints, *asked), key=lambda one: one.line)),
        offered=(),
    )


def _without_cards(found: Parsed[Order], lines: Sequence[OrderLine], show: Callable[[Order], str]) -> Parsed[Order]:
    """Ask about lines that are said to be by card, and do not say for which."""
    texts = {line.number: line.text.strip() for line in lines}
    open_to_all = [order for order in found.orders if isinstance(order, Line) and not order.card]
    asked = [
        Complaint(
            order.line,
            texts[order.line],
            "ambiguous",
            f'For which card is this? You say that your lines are by card. Write "card {nth}: {show(order)}".',
            "M7",
        )
        for nth, order in enumerate(open_to_all, 1)
    ]
    return msgspec.structs.replace(
        found,
        orders=tuple(order for order in found.orders if order not in open_to_all),
        complaints=tuple(sorted((*found.complaints, *asked), key=lambda one: one.line)),
        offered=(),
    )


def between_cards(found: Parsed[Order], lines: Sequence[OrderLine], show: Callable[[Order], str]) -> Parsed[Order]:
    """
    Ask about a line for every card that stands between those for one, unless it is written just as we write it.

    Rule: M2.
    """
    texts = {line.number: line.text for line in lines}
    said = [order for order in found.orders if isinstance(order, Line)]
    cards = [place for place, order in enumerate(said) if order.card]
    asked = {
        order: said[max(at for at in cards if at < place)].card
        for place, order in enumerate(said)
        if cards and not order.card and cards[0] < place < cards[-1] and texts[order.line] != show(order)
    }
    because = (
        'Is this for card {card} alone, or for every card? Write "card {card}: {line}", or "{line}" alone on a line.'
    )
    told = [
        Complaint(order.line, texts[order.line].strip(), "ambiguous", because.format(card=card, line=show(order)), "M2")
        for order, card in asked.items()
    ]
    return msgspec.structs.replace(
        found,
        orders=tuple(order for order in found.orders if order not in asked),
        complaints=tuple(sorted((*found.complaints, *told), key=lambda one: one.line)),
        offered=() if asked else found.offered,
    )


def _complaint(text: str, line: int, number: int, rest: str, *, is_first: bool) -> Complaint:
    also = '; or add a line that says "in this order" or "by card", for all numbers' if is_first else ""
    because = (
        f'Is this number {number} of what you try at each card, or for your card {number}? Write "{rest}" or '
        f'"card {number}: {rest}"{also}.'
    )
    return Complaint(line, text, "ambiguous", because, "M7")
