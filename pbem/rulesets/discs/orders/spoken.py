"""Other words for lines of the discs, put into their forms: verbs of people, conditions without a colon, pronouns."""

import re
from collections.abc import Callable, Iterator

from pbem.ruleset import Refused, Speech
from pbem.rulesets.discs.model.order import Line, Order
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders.acts import VERBS
from pbem.rulesets.discs.orders.conditions import read_test
from pbem.rulesets.discs.orders.names import PLAIN
from pbem.rulesets.discs.orders.places import write_place
from pbem.rulesets.discs.orders.several import is_list

Read = Callable[[str], Order | Refused]

THROWS = ("fling", "toss", "hurl", "lob", "chuck", "sling", "launch", "shoot", "fire", "aim")
MOVES = ("sprint", "dash", "jog")
ATTACKS = ("punch", "kick")
ACTS = (*THROWS, *MOVES, *ATTACKS, "hit", "bank", "bounce", "save")
"""What people say for acts, besides what the forms have; none of it is a word of a request or a ruling."""
_WORDS = """
    throw attack strike move walk hold pass stand disc discs within beyond holds prone off north south
    east west wall corner centre center nearest weakest dodge block recall never heading left right inches when card
    first second third then next
"""
_THROW, _MOVE, _ATTACK = map("|".join, (THROWS, MOVES, ATTACKS))
_VERBS = rf"{VERBS}|{'|'.join(ACTS)}"
_DISC = r"(?:(?:my |the )?dis[ck]|it)"
_REACTION = r"(?:block|dodge|catch|dive)\b|on (?:my )?(?:dis[ck]|attack)|recall\b"
_CARD = (
    r"(?:(?:at|on|for) )?(?:my |the )?"
    r"(?:cards? ?(?:[0-9]+|one|two|three|four)\b|(?:[0-9]+(?:st|nd|rd|th)|first|second|third|fourth) card)"
)
_BETWEEN = re.compile(rf"\s*(?:[,;&+/]\s*|\b(?:and|plus)\b\s*)+(?=(?:{_VERBS})\b|{_REACTION})", re.IGNORECASE)
_BETWEEN_CARDS = re.compile(rf"\s*(?:[,;&+/.]\s*|\b(?:and|then)\b\s*)+(?={_CARD})", re.IGNORECASE)
_THEN = re.compile(rf"\s*:\s*|,?\s+then\s+|\s*,\s*(?:and\s+)?(?=(?:{_VERBS})\b)|\s+(?=(?:{_VERBS})\b)", re.IGNORECASE)
"""Where a condition may end and what is done then begins."""
_ELSE = re.compile(
    r"[,;]?\s+(?:or else|else|otherwise|failing that"
    r"|if (?:that|this|it) (?:is not possible|isn't possible|is impossible|does not work|doesn't work|fails)"
    r"|if (?:not possible|impossible))\b[,:]?\s+(?!(?:do )?nothing\b)",
    re.IGNORECASE,
)
"""
What says that the next act is for when the one before cannot be done, as in a list it is anyway.

Who says `else nothing` may mean that no line is next, and so that the card is held.
"""
_MOST = re.compile(
    r"\b(?:(?:whoever|whichever(?: \w+)?|anyone who|the (?:one|1) (?:who|that)|who)(?: is|'s) (?:the )?"
    r"(nearest|closest|weakest)|(nearest|closest|weakest) (?:1|one|guy|man|fellow|target|person|rival|other))"
    r"(?: to me)?\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"^((?:throw|attack|move|go|run|walk)(?: at| to)?)\s*(?:[-=]+>|\u2192|[:=]|-(?=\s))\s*", re.IGNORECASE
)
_DOWN = re.compile(r"^(?:(?:i am|i'm) )?(?:prone|down|lying down|on the (?:floor|ground))$", re.IGNORECASE)
_HIM = re.compile(r"\b(?:him|her|them)\b", re.IGNORECASE)


def speech(state: State, seat: str, read: Read) -> Speech:
    """Return how lines are said, besides in their forms; `read` reads a line as it stands."""
    return Speech(
        ways=lambda text: _ways(state, seat, text),
        pieces=lambda text: _pieces(state, seat, text, read),
        words=lambda: _known(state),
        numbered=True,
    )


def _known(state: State) -> frozenset[str]:
    """Return what slips of the fingers are mended to: words of lines and of names."""
    names = (word.casefold() for one in state.programs for word in one.name.split())
    return frozenset((*_WORDS.split(), *PLAIN, *names))


def _pieces(state: State, seat: str, text: str, read: Read) -> tuple[str, ...]:
    """Cut a line whose parts each say their card, or whose acts can only be a list."""
    by_card = [piece for piece in _BETWEEN_CARDS.split(text) if piece]
    if len(by_card) > 1 and all(re.match(_CARD, piece, re.IGNORECASE) for piece in by_card):
        return tuple(by_card)
    if _ELSE.search(text) and _standing_first(text):
        return (text,)  # what is done else is no line of the list
    text = _ELSE.sub(", ", text)
    pieces = tuple(piece for piece in _BETWEEN.split(text) if piece)
    if re.search(r"\b(?:if|when)\b|:|\bcards? ?[0-9]", text, re.IGNORECASE) or not pieces[1:]:
        return (text,)
    acts = []
    for piece in pieces:
        said = (piece, *(way[0] for way in _ways(state, seat, piece) if len(way) == 1))
        acts += [next((order for order in map(read, said) if not isinstance(order, Refused)), None)]
    found = [order.act if isinstance(order, Line) else order for order in acts]
    return pieces if None not in found and is_list(text, found) else (text,)  # type: ignore[arg-type]


def _standing_first(text: str) -> bool:
    """Say whether a line begins with what to do when it comes to it."""
    return re.match(rf"(?:{_REACTION}|recall\b)", text, re.IGNORECASE) is not None


def _ways(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say a line in its form, in every way that it may be meant; what is no place or no name is refused there."""
    text = re.sub(r"\s*@\s*", " at ", text)
    text = _MARK.sub(r"\1 ", _MOST.sub(lambda one: one[1] or one[2], text))
    if match := re.match(rf"(?:{_CARD}|\(?[0-9]{{1,2}}[.):])[\s:,]+", text, re.IGNORECASE):
        rest = _ways(state, seat, text[match.end() :])
        yield from ((f"{match[0].rstrip(' ,')} {way[0]}",) for way in rest if len(way) == 1)
    else:
        yield (text,)
        yield from _conditions(state, seat, text)
        yield from ((act,) for act in _acts(text))
        yield from _standing(text)


def _conditions(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say a condition with its colon, before its act, and whom it is about for `him`, where it is about one alone."""
    if match := re.match(r"(?:if|when)\s+", text, re.IGNORECASE):
        for cut in _THEN.finditer(text, match.end()):
            yield from _guarded(state, seat, text[match.end() : cut.start()], text[cut.end() :])
    elif match := re.fullmatch(r"([^,;:]+?),? (?:if|when) ([^;:]+)", text, re.IGNORECASE):
        at = re.search(r"\b(?:at|attack) (.+)", match[1], re.IGNORECASE)
        said = re.sub(r"^s?he\b", lambda he: at[1] if at else he[0], match[2], flags=re.IGNORECASE)
        yield from _guarded(state, seat, said, match[1])


def _guarded(state: State, seat: str, said: str, act: str) -> Iterator[tuple[str, ...]]:
    said = _DOWN.sub("I am prone", said)
    tests = [read_test(state, seat, one) for one in re.split(r"\s+and\s+", said, flags=re.IGNORECASE)]
    if not act or any(isinstance(test, Refused) for test in tests):
        return
    places = [test.place for test in tests if not isinstance(test, Refused) and test.place]
    about = sorted({write_place(state, one) for one in places if one.kind in ("seat", "nearest", "weakest")})
    whom = about[0] if len(about) == 1 else ""
    if re.fullmatch(rf"attack|strike|{_ATTACK}", act.strip(), re.IGNORECASE) and whom:
        act = f"attack {whom}"
    if whom or not _HIM.search(act):
        act = _HIM.sub(whom, act)
        yield from ((f"if {said}: {one}",) for one in (act, *_acts(act)))


def _acts(text: str) -> Iterator[str]:
    """Say an act with its verb; who says `hit` may mean the Disc or the hand."""
    if match := re.fullmatch(rf"(?:{_THROW})(?: {_DISC})? (.+)", text, re.IGNORECASE):
        yield f"throw {match[1]}"
    if match := re.fullmatch(
        rf"(?:bank|bounce)(?: {_DISC}| a shot)? off (?:the )?(.+?),? (?:at|to|towards?|into) (.+)", text, re.IGNORECASE
    ):
        yield f"throw at {match[2]} off {match[1]}"
    if match := re.fullmatch(
        rf"(?:throw|{_THROW})(?: {_DISC})? (.+?),?"
        r" (?:(?:banking|bouncing|banked|bounced|with an? (?:bank|bounce|ricochet))(?: it)? off|via) (.+)",
        text, re.IGNORECASE,
    ):  # fmt: skip
        yield f"throw {match[1]} off {match[2]}"
    if re.fullmatch(r"(?:save|keep) (?:the |my |this )?card", text, re.IGNORECASE):
        yield "hold"
    if match := re.fullmatch(rf"(?:{_MOVE}) (.+)", text, re.IGNORECASE):
        yield f"move {match[1]}"
    if match := re.fullmatch(
        rf"(?:move|go|step|walk|run|{_MOVE}) (?:over|closer|nearer|up|straight|on) to (.+)", text, re.IGNORECASE
    ):
        yield f"move to {match[1]}"
    if match := re.fullmatch(
        rf"(?:attack|{_ATTACK}|hit|strike) (.+?),? (?:with|using|by) (?:my |the )?(?:bare )?(?:hands?|fists?)",
        text, re.IGNORECASE,
    ):  # fmt: skip
        yield f"attack {match[1]}"
    elif match := re.fullmatch(rf"(?:hit|strike) (.+?) with {_DISC}", text, re.IGNORECASE):
        yield f"throw at {match[1]}"
    elif match := re.fullmatch(rf"(?:{_ATTACK}|hit) (.+)", text, re.IGNORECASE):
        yield f"attack {match[1]}"
    if match := re.fullmatch(r"hit (.+)", text, re.IGNORECASE):
        yield f"throw at {match[1]}"


def _standing(text: str) -> Iterator[tuple[str, ...]]:
    """Say what is done when something comes, with the reaction first."""
    guards = r"((?:block|dodge)(?:(?:\s*[,/]\s*|\s+(?:and|or|then)\s+)(?:block|dodge))?)"
    which = r"(?:(?:any|every|all|the|an?)(?: of the)? )?(?:incoming )?"
    if match := re.fullmatch(rf"{guards} {which}dis[ck]s?", text, re.IGNORECASE):
        yield (f"on disc: {match[1]}",)
    if match := re.fullmatch(rf"{guards} (?:the )?dis[ck]s? (?:of|from) (.+)", text, re.IGNORECASE):
        yield (f"on disc of {match[2]}: {match[1]}",)
    comes = r"(?:if|when) (?:an?|any|the) dis[ck] (?:comes?|flies|is (?:coming|heading))(?: at me| for me| my way)?"
    behind = re.fullmatch(rf"{guards},? {comes}", text, re.IGNORECASE)
    if match := behind or re.fullmatch(rf"{comes}(?:\s*[,:]|,? then)? {guards}", text, re.IGNORECASE):
        yield (f"on disc: {match[1]}",)
    attacked = r"(?:if|when) (?:(?:i am |i'm )?attacked|(?:somebody|someone|anybody) attacks me)"
    if re.fullmatch(
        rf"dodge {which}attacks?|dodge,? {attacked}|{attacked}(?:\s*[,:]|,? then)? dodge", text, re.IGNORECASE
    ):
        yield ("on attack: dodge",)
    if re.fullmatch(r"dodge (?:everything|anything)", text, re.IGNORECASE):
        yield "on disc: dodge", "on attack: dodge"
    if re.fullmatch(r"catch (?:my )(?:own )?dis[ck]", text, re.IGNORECASE):
        yield ("on my disc: card",)
    if re.fullmatch(r"dive for my (?:own )?dis[ck]", text, re.IGNORECASE):
        yield ("on my disc: dive",)
