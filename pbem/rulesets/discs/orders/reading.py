"""Order lines of the discs, read each by itself: bullets and numbers, cards, conditions, acts, standing orders."""

import re
from collections.abc import Sequence
from functools import partial

from pbem.ruleset import OrderLine, Parsed, Refused, phrases, read_lines
from pbem.rulesets.discs.grid.plane import INCH, RADIUS
from pbem.rulesets.discs.model.order import Begin, Line, Order, Test
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.acts import VERBS, read_act
from pbem.rulesets.discs.orders.conditions import read_test
from pbem.rulesets.discs.orders.places import read_place
from pbem.rulesets.discs.orders.possible import never
from pbem.rulesets.discs.orders.standing import read_standing
from pbem.rulesets.discs.sight.sight import find, first

FORMS = (
    "throw at NAME; throw 135; throw at NAME off north; attack NAME; move to PLACE; move NE 3; hold; hold to 1; pass; "
    "stand; card 1: LINE; if TEST: LINE; on disc: block, dodge; on attack: dodge; on my disc: card, dive; recall: never"
)
ORDER_WORDS = frozenset(
    (
        *VERBS.replace(" ", "|").split("|"),
        "if",
        "when",
        "card",
        "cards",
        "on",
        "at",
        "recall",
        "begin",
        "start",
        "place",
    )
    + ("in", "by", "first", "second", "third", "fourth", "for")
)
"""The words that begin lines."""
_BULLET = re.compile(r"^(?:[-*+\u2022\u00b7\u25aa\u25e6\u2023]\s*|[a-h]\)\s*)+(?=\S)")
_NUMBER = re.compile(
    rf"^\(?(\d{{1,2}})(?:\s*[.):]\s*(?=[^\d\s])|\s*-\s+(?=[^\d\s])|(?:st|nd|rd|th)?:?\s+(?=(?:{VERBS}|if|when)\b))",
    re.IGNORECASE,
)
_POLITE = re.compile(r"^(?:please|pls|plz)\b[\s,]*|[\s,]+(?:please|pls|plz)$", re.IGNORECASE)
_CARD = re.compile(
    r"(?:at |on |for )?(?:my )?(?:card ?(?:no\.? ?)?(\d{1,6})|(\d{1,6})(?:st|nd|rd|th) card)(?:\s*[:,.-]\s*|\s+)(.+)",
    re.IGNORECASE,
)
_IF = re.compile(rf"(?:if|when)\s+(.+?)\s*(?::|,?\s+then\b\s*:?|,\s*(?=(?:{VERBS})\b))\s*(.+)", re.IGNORECASE)
_IN_ORDER = re.compile(
    r"(?:(?:try |do )?(?:these |them |all )?)?in (?:this |that |the given )?order(?: at each card)?", re.IGNORECASE
)
_BY_CARD = re.compile(r"by cards?|(?:as |these are )?cards? \d+ (?:to|-) \d+", re.IGNORECASE)


def read_set(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """
    Read a seat's lines, each by itself.

    Shape: a list with numbers can be read in two ways, unless a line of it says `in this order` or `by card`.
    Rule: M2, M7.
    """
    said = [phrases.without_stop(phrases.clean(line.text).removeprefix("~ ")).rstrip(":") for line in lines]
    meant = "".join("order " for text in said if _IN_ORDER.fullmatch(text))
    meant += "".join("card " for text in said if _BY_CARD.fullmatch(text))
    kept = [
        line
        for line, text in zip(lines, said, strict=True)
        if not (_IN_ORDER.fullmatch(text) or _BY_CARD.fullmatch(text))
    ]
    return read_lines(kept, partial(read_line, state, seat, numbers=meant.strip()), phrases.parts)


def read_line(state: State, seat: str, text: str, *, numbers: str = "") -> Order | Refused:
    """
    Read one line.

    Shape: `numbers` says what numbers before lines mean: "order" or "card"; else they are asked about.
    Errors: what is wrong with it by itself, with the rule.
    """
    text = _POLITE.sub("", _BULLET.sub("", text))
    if not (match := _NUMBER.match(text)):
        return _read(state, seat, text)
    rest = text[match.end() :]
    order = _read(state, seat, rest)
    if isinstance(order, Refused) or not isinstance(order, Line) or order.card or numbers == "order":
        return order
    if numbers == "card":
        return _read(state, seat, f"card {match[1]}: {rest}")
    because = (
        f'Is this number {match[1]} of what you try at each card, or for your card {match[1]}? Write "{rest}" or '
        f'"card {match[1]}: {rest}"; or add a line that says "in this order" or "by card", for all numbers.'
    )
    return Refused("ambiguous", because, "M7")


def _read(state: State, seat: str, text: str) -> Order | Refused:
    standing = read_standing(state, seat, text)
    if standing is not None:
        return standing
    if match := re.fullmatch(r"(?:begin|start|place)\s+(?:(?:me|us)\s+)?(?:at |in |on )?(.+)", text, re.IGNORECASE):
        return _begin(state, seat, match[1])
    if state.phase == "place" and re.fullmatch(r"[a-z]\s?\d{1,2}|\(?\d[\d.]*\s*,\s*\d[\d.]*\)?", text, re.IGNORECASE):
        return _begin(state, seat, text)
    return _line(state, seat, text)


def _begin(state: State, seat: str, said: str) -> Begin | Refused:
    """Read where to begin. Rule: T-ff."""
    if state.phase != "place":
        return Refused("illegal", "Where you begin is settled already. Write what to do at your cards.", "T-ff")
    place = read_place(state, seat, said)
    if not isinstance(place, Refused) and place.kind not in ("square", "point", "centre"):
        return Refused("unreadable", "Begin at a square, such as begin F4, or at a point in inches.", "T-ff")
    if isinstance(place, Refused):
        return place
    at = find(state, seat, place, first)
    if at is None or not state.grid.has_room(at):
        because = (
            f"A Base there would not lie wholly on the Grid: its middle is {RADIUS // INCH} inches or more inside."
        )
        return Refused("illegal", because, "T-y")
    return Begin(place)


def _line(state: State, seat: str, text: str) -> Line | Refused:
    """Read a line of the list: what it is for, what has to hold, what is done. Rule: M2, M5."""
    card, rest = 0, text
    tests: tuple[Test, ...] = ()
    while True:
        if match := _CARD.fullmatch(rest):
            if card:
                return Refused("unreadable", "A line is for one card. Write a line for each.", "M2")
            card, rest = int(match[1] or match[2]), match[3]
            if not card:
                return Refused("illegal", "Your cards of this phase are counted from 1.", "M2")
        elif re.match(r"(?:if|when)\s", rest, re.IGNORECASE):
            found = _tests(state, seat, rest)
            if isinstance(found, Refused):
                return found
            tests, rest = (*tests, *found[0]), found[1]
        else:
            break
    if ";" in rest:
        return Refused(
            "ambiguous", "A line has one act. Write each on a line of its own, with its card or its if.", "M2"
        )
    if re.search(r"\selse(?:\s|:)", rest, re.IGNORECASE):
        because = "There is no else: what is tried where a line cannot be done is the next line. Write two lines."
        return Refused("unreadable", because, "M2")
    if state.phase == "place":
        return Refused(
            "illegal", "First you choose where you begin: begin F4, and other squares if that is taken.", "T-ff"
        )
    act = read_act(state, seat, rest)
    if (act is None or isinstance(act, Refused)) and re.search(r"\s(?:if|when)\s", rest, re.IGNORECASE):
        return Refused("unreadable", "The condition comes first: if NAME within 12: throw at NAME.", "M5")
    if act is None:
        return Refused("unreadable", f"I cannot read this. Lines are: {FORMS}.", "M2")
    if isinstance(act, Refused):
        return act
    return never(state, seat, act, tests, card) or Line(act, tests, card)


def _tests(state: State, seat: str, text: str) -> tuple[tuple[Test, ...], str] | Refused:
    """Read the tests at the head of a line; return them with what stands behind."""
    match = _IF.fullmatch(text)
    if not match:
        because = "An if needs a colon and what to do then: if NAME within 12: throw at NAME."
        return Refused("unreadable", because, "M5")
    if re.search(r"\sor\s(?!(?:fewer|less|more)\b)", match[1], re.IGNORECASE):
        return Refused("unreadable", "Tests are joined by and. For or, write a second line.", "M5")
    tests: list[Test] = []
    for said in re.split(r"\s+and\s+(?:if\s+)?|\s*,\s*(?:and\s+)?(?=\D)", match[1], flags=re.IGNORECASE):
        test = read_test(state, seat, said)
        if isinstance(test, Refused):
            return test
        tests.append(test)
    return tuple(tests), match[2]
