"""Order lines of the discs, read each by itself: bullets and numbers, cards, conditions, acts, standing orders."""

import re
from collections.abc import Sequence
from functools import partial

import msgspec

from pbem.ruleset import Complaint, OrderLine, Parsed, Refused, Same, may_change, phrases, read_lines
from pbem.rulesets.discs.grid.plane import INCH, RADIUS
from pbem.rulesets.discs.model.order import Act, Begin, Line, Order, Test, With
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.acts import VERBS, read_act
from pbem.rulesets.discs.orders.conditions import read_test
from pbem.rulesets.discs.orders.hints import FOR_ALL_NUMBERS, listed_once, unreadable
from pbem.rulesets.discs.orders.names import find_program
from pbem.rulesets.discs.orders.places import read_place
from pbem.rulesets.discs.orders.possible import never
from pbem.rulesets.discs.orders.several import several
from pbem.rulesets.discs.orders.spelling import SHARP, as_said, straightened, uncut
from pbem.rulesets.discs.orders.spoken import speech
from pbem.rulesets.discs.orders.standing import Standing, read_standing
from pbem.rulesets.discs.orders.writing import write_order
from pbem.rulesets.discs.sight.sight import find, first

_INNER_WORDS_SAID = """
disc discs disk dodge block catch dive react north south east west wall walls centre center nearest weakest
square base bank degrees inches ahead away prone
"""
INNER_WORDS = frozenset(_INNER_WORDS_SAID.split())
"""What lines are about."""
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
_LINE = rf"(?:{VERBS}|if|when|on|at|my|the|for|recall|never|cards?|begin|each|every)\b|\d{{1,2}}(?:st|nd|rd|th) card"
"""How lines begin that may stand behind a number with nothing between."""
_NUMBER = re.compile(
    rf"^[\[(]?(?:(?:(?:no\.?|number) ?)?{SHARP}?\s?(?P<number>\d{{1,2}})(?:"
    rf"\s*[\]).:,=/|>]+\s*(?=[^\d\s]|{_LINE})|\s*-+>?\s+(?=[^\d\s]|{_LINE})|\s*-\s*(?={_LINE})|\s+(?={_LINE})|"
    rf"(?:st|nd|rd|th)\s*[:,]\s*(?=\S)|(?:st|nd|rd|th)\s+(?={_LINE})(?!cards?\b)))",
    re.IGNORECASE,
)
_CARD_WORD = rf"(?:(?:at|on|for|with|in) )?(?:my |the )?cards? ?(?:no\.? ?|number )?{SHARP}? ?"
_CARD = re.compile(
    rf"(?:{_CARD_WORD}(\d{{1,6}})|(?:(?:at|on|for|with|in) )?(?:my |the )?(\d{{1,6}})(?:st|nd|rd|th) card)"
    r"(?:\s*[:,.)=>-]+\s*|\s+)(.+)",
    re.IGNORECASE,
)
_CARDS = re.compile(
    rf"{_CARD_WORD}(?P<cards>\d{{1,2}}(?:\s*(?:,\s*and\b|,|\band\b|&|\+|\bto\b|-)\s*(?:cards? )?\d{{1,2}})+)"
    r"(?:\s*[:.)=>-]+\s*|,?\s+)(?P<rest>[^\d\s].*)",
    re.IGNORECASE,
)
"""A line for several cards, each with its number, or from one to another."""
_EACH_CARD = re.compile(
    r"(?:(?:at|on|for) )?(?:each|every|any|all)(?: of)?(?: my| the)? cards?(?:\s*[:,-]\s*|\s+)(.+)", re.IGNORECASE
)
_CARD_BEHIND = re.compile(rf"(.+?),? {_CARD_WORD}(\d{{1,6}})", re.IGNORECASE)
_IF = re.compile(rf"(?:if|when)\s+(.+?)\s*(?::|,?\s+then\b\s*:?|,\s*(?=(?:{VERBS})\b))\s*(.+)", re.IGNORECASE)
_WITH = re.compile(
    r"(?:(?:(?:join )?(?:the )?team (?:of|with)|same team as|with) (.+)|(?:join )?(.+)'s? team)", re.IGNORECASE
)
"""With whom one wants to be on a team."""
_IN_ORDER = re.compile(
    r"(?:(?:try |do )?(?:these |them |all )?)?in (?:this |that |the given )?order(?: at each card)?", re.IGNORECASE
)
_BY_CARD = re.compile(r"by cards?|(?:as |these are )?cards? \d+ (?:to|-) \d+", re.IGNORECASE)


def read_set(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order]:
    """
    Read a seat's lines, each by itself.

    Shape: a list with numbers can be read in two ways, unless a line of it says `in this order` or `by card`; where no
    line has a number, such a line says something else.
    Rule: M2, M7.
    """
    lines, asked = _below_a_heading(lines)
    said = [phrases.without_stop(phrases.clean(line.text).removeprefix("~ ")).rstrip(":") for line in lines]
    is_numbered = any(_NUMBER.match(straightened(state, text.replace("#", SHARP))) for text in said)
    tells = [
        "order" if _IN_ORDER.fullmatch(text) else "card" if is_numbered and _BY_CARD.fullmatch(text) else ""
        for text in said
    ]
    meant = " ".join(dict.fromkeys(filter(None, tells)))
    read = partial(read_line, state, seat, numbers=meant)
    kept = [
        OrderLine(line.number, uncut(line.text, lambda text: _may_be_line(text, read(text))))
        for line, text, tell in zip(lines, said, tells, strict=True)
        if not tell
    ]
    as_of = (Same(state), seat, meant)
    found: Parsed[Order] = read_lines(kept, read, partial(_parts, state), speech(state, seat, read), as_of=as_of)
    complaints = tuple(sorted((*found.complaints, *asked), key=lambda one: one.line))
    return listed_once(as_said(msgspec.structs.replace(found, complaints=complaints)))


def hear(state: State, seat: str, lines: Sequence[OrderLine]) -> Parsed[Order] | None:
    """Read a mail as a whole where a line stands above others that may depend on it; None for any other."""
    return read_set(state, seat, lines) if _below_a_heading(lines)[1] else None


_HEADING = re.compile(r"\s*(?:(?:if|when)\s.*|(?:(?:on|for|at)\s)?cards?\s\d[\d\s,&+and/to-]*):\s*$", re.IGNORECASE)
"""A condition, or for which cards, with nothing behind it on its line."""


def _below_a_heading(lines: Sequence[OrderLine]) -> tuple[Sequence[OrderLine], list[Complaint]]:
    """Leave out a heading above several lines, and these: it may be for all of them, or for the first. Rule: M2, M5."""
    kept, asked, place = list[OrderLine](), list[Complaint](), 0
    while place < len(lines):
        end = place + 1
        while end < len(lines) and lines[end].text.strip() and not _HEADING.match(lines[end].text):
            end += 1
        if _HEADING.match(lines[place].text) and end > place + 2:
            head = lines[place].text.strip()
            because = f'Is "{head}" for one line below it, or for all? Write it before each line that it is for.'
            asked += [
                Complaint(line.number, line.text.strip(), "ambiguous", because, "M5") for line in lines[place:end]
            ]
            place = end
        else:
            kept.append(lines[place])
            place += 1
    return kept, asked


def _parts(state: State, text: str) -> tuple[str, ...]:
    """Part a line that holds several orders at its semicolons, and one that is for several cards by these."""
    return tuple(line for part in phrases.parts(text) for line in _by_cards(state, part))


def _by_cards(state: State, text: str) -> tuple[str, ...]:
    match = _CARDS.fullmatch(straightened(state, text))
    if not match:
        return (text,)
    numbers = [int(number) for number in re.findall(r"\d+", match["cards"])]
    if re.fullmatch(r"\d+\s*(?:to|-)\s*(?:cards? )?\d+", match["cards"], re.IGNORECASE):
        numbers = list(range(numbers[0], numbers[1] + 1)) or numbers
    elif re.search(r"to|-", match["cards"], re.IGNORECASE):
        return (text,)
    return tuple(f"card {number}: {match['rest']}" for number in dict.fromkeys(numbers))


def _may_be_line(text: str, found: Order | Refused) -> bool:
    """Say whether a text was meant as a line, so that it must not be passed over as a comment."""
    is_begun = re.match(r"(?:throw|attack|move)\s|cards? \d", text, re.IGNORECASE)
    return bool(is_begun) or may_change(text) or not isinstance(found, Refused) or found.fault != "unreadable"


def read_line(state: State, seat: str, text: str, *, numbers: str = "") -> Order | Refused:
    """
    Read one line.

    Shape: `numbers` says what numbers before lines mean: "order" or "card"; else they are asked about.
    Errors: what is wrong with it by itself, with the rule.
    """
    text = straightened(state, text)
    match = _NUMBER.match(text)
    rest = straightened(state, text[match.end() :]) if match else text
    if SHARP in rest and not _CARD.match(rest):
        behind = rest.partition(SHARP)[2].strip()
        because = f'All behind a # is a comment, and is not read. If "{behind}" is meant, write it without the #.'
        return Refused("ambiguous", because, "M2")
    if not match:
        return _read(state, seat, text)
    order = _read(state, seat, rest)
    if isinstance(order, Refused) or not isinstance(order, Line) or order.card or numbers == "order":
        return order
    number = int(match["number"])
    if numbers == "card":
        return _read(state, seat, f"card {number}: {rest}")
    because = (
        f'Is this number {number} of what you try at each card, or for your card {number}? Write "{rest}" or '
        f'"card {number}: {rest}"{FOR_ALL_NUMBERS}.'
    )
    return Refused("ambiguous", because, "M7")


def _read(state: State, seat: str, text: str) -> Order | Refused:
    standing = read_standing(state, seat, text)
    if standing is not None:
        return standing
    if match := re.fullmatch(r"(?:begin|start|place)\s+(?:(?:me|us)\s+)?(?:at |in |on )?(.+)", text, re.IGNORECASE):
        return _begin(state, seat, match[1])
    if state.chooses_teams and (match := _WITH.fullmatch(text)):
        mate = find_program(state, seat, match[1] or match[2], "T-yy")
        return With(mate) if isinstance(mate, str) else mate
    if state.chooses_places and re.fullmatch(r"[a-z]\s?\d{1,2}|\(?\d[\d.]*\s*,\s*\d[\d.]*\)?", text, re.IGNORECASE):
        return _begin(state, seat, text)
    return _line(state, seat, text)


def _begin(state: State, seat: str, said: str) -> Begin | Refused:
    """Read where to begin. Rule: T-ff."""
    if not state.chooses_places:
        now = "with whom you want to be: team of NAME" if state.chooses_teams else "what to do at your cards"
        return Refused("illegal", f"Where you begin is settled already. Write {now}.", "T-ff")
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
        if _CARDS.fullmatch(rest):
            return Refused("unreadable", "A line is for one card. Write a line for each.", "M2")
        if match := _EACH_CARD.fullmatch(rest):
            rest = match[1]
        elif match := _CARD.fullmatch(rest):
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
    if re.search(r"\selse(?:\s|:)", rest, re.IGNORECASE):
        because = "There is no else: what is tried where a line cannot be done is the next line. Write two lines."
        return Refused("unreadable", because, "M2")
    if state.phase == "place":
        first_of_all = [
            *(["where you begin: begin F4, and other squares if that is taken"] if state.chooses_places else []),
            *(["with whom you are on a team: team of NAME"] if state.chooses_teams else []),
        ]
        rule = "T-ff" if state.chooses_places else "T-yy"
        return Refused("illegal", f"First you choose {'; and '.join(first_of_all)}.", rule)
    act = read_act(state, seat, rest)
    if act is not None and not isinstance(act, Refused):
        return never(state, seat, act, tests, card) or Line(act, tests, card)
    misplaced = _misplaced(state, seat, text.removesuffix(rest), rest, act)
    return misplaced or act or _team(state, seat, rest) or unreadable(rest, partial(_reads, state, seat))


_DEALT = {
    "seats": "Seats were dealt into teams",
    "dice": "The dice have dealt seats into teams",
    "choice": "Teams were chosen before the first card",
}
"""How teams were made, by the house rule teams_by."""


def _team(state: State, seat: str, text: str) -> Refused | None:
    """Say whose team a seat is on, and who can change that, where words ask for one. Rule: T-yy, M10."""
    if not re.search(r"\bteams?\b", text, re.IGNORECASE):
        return None
    if state.house["teams"] == "0":
        because = "Everyone is alone in this game: whether there are teams is said when a game is founded."
        return Refused("unreadable", because, "T-yy")
    mates = [one.name for one in state.programs if one.seat != seat and state.side(one.seat) == state.side(seat)]
    yours = f"You are on a team with {phrases.listed(mates, 'and')}" if mates else "You are alone on your team"
    dealt = _DEALT[state.house.get("teams_by", "seats")]
    because = f"{yours}. {dealt}; the moderator can change that. Ask with a line gm: YOUR WORDS."
    return Refused("unreadable", because, "T-yy")


def _misplaced(state: State, seat: str, head: str, text: str, refused: Refused | None) -> Refused | None:
    """Say how to write what cannot be read where it stands: a condition or a card behind its act, or several acts."""
    if re.search(r"\s(?:if|when)\s", text, re.IGNORECASE):
        return Refused("unreadable", "The condition comes first: if NAME within 12: throw at NAME.", "M5")
    is_asked = refused is not None and refused.fault == "ambiguous"
    match = None if is_asked else _CARD_BEHIND.fullmatch(text)
    if match and not isinstance(found := _canonical(state, seat, match[1]), Refused):
        return Refused("unreadable", f'The card comes first. Write "card {int(match[2])}: {found}".', "M2")
    return several(head, text, partial(_bare, state, seat), partial(_write, state))


def _reads(state: State, seat: str, text: str) -> bool:
    return not isinstance(_canonical(state, seat, text), Refused)


def _canonical(state: State, seat: str, text: str) -> str | Refused:
    """Return an act or a standing order in the words in which it is written; in what is refused nothing is parted."""
    found = _bare(state, seat, text)
    return found if isinstance(found, Refused) else _write(state, found)


def _bare(state: State, seat: str, text: str) -> Act | Standing | Refused:
    """Read an act or a standing order, with no card or condition before it."""
    found = read_standing(state, seat, text) or read_act(state, seat, text)
    return Refused("unreadable", "I cannot read this.", "M2") if found is None else found


def _write(state: State, order: Act | Standing) -> str:
    return write_order(state, Line(order) if isinstance(order, Act) else order)


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
