"""Other words for bids, put into their form: any order of words, several powers, all others, what is bid in a tie."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache, partial

from pbem.ruleset import Complaint, Parsed, Placed, Speech, amounts, phrases
from pbem.rulesets.rumble.genres import Genre, genre_of
from pbem.rulesets.rumble.model.names import find_power, pool_number
from pbem.rulesets.rumble.model.order import Bid
from pbem.rulesets.rumble.model.state import Power, State

OFFERS = (
    "bid", "bids", "bidding", "offer", "offers", "offering", "pay", "paying", "give", "giving", "max", "maximum",
    "up to", "at most", "raise", "increase", "make it", "make that", "go up", "buy", "buying", "take", "biete",
    "bieten", "gebot", "offre", "mise", "ofrezco", "bied",
)  # fmt: skip
_FOR = ("for", "f\u00fcr", "pour", "para", "por", "voor")
_ONCE_MORE = ("again", "then", "this time", "now", "it is", "say", "let's say", "let us say", "still", "for me", "here")
"""What is said around a number alone, where one power is tied."""
_EACH = ("each", "apiece", "both")
_NOTHING = r"nothing|zero|no bids?|nil"
_EVERYTHING = re.compile(
    r"everything|all|each|every (?:single )?(?:power|one|thing)|each (?:one|power)"
    r"|all (?:of )?(?:the |these )?(?:powers|them)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:the )?(?:rest|remainder|others?|remaining(?: ones| powers)?)(?: of (?:them|the powers|it))?"
    r"|(?:everything|anything) else|all (?:of )?(?:the )?(?:rest|others?|other powers|other ones)"
    r"|every other(?: power| one)?",
    re.IGNORECASE,
)
_HEADED = re.compile(rf"\b({_OTHERS.pattern})\s*:\s*", re.IGNORECASE)
"""The others before a colon, which holds for nothing else."""
_TOLD = re.compile(r"\bgoes to\b|^of\b", re.IGNORECASE)
"""What reports say of a power that is won or of Energy that is left, and no bid says, whatever anybody is called."""
_ELSE = re.compile(r"else|otherwise", re.IGNORECASE)
_TIE = (
    r"(?:(?:it'?s|it is|that is|that's|we are|we're|i'?m|i am|there is|there's|they are) )?"
    r"(?:an? |the |another )?(?:tied?|ties|draw)(?: again)?"
)
_IN_A_TIE = r"(?:if|when|in case of|in case|should there be|on|for)"
_GO = r"(?:(?:and|then|but|or|bid|go|raise|increase)\s+)*(?:(?:it )?to\s+)?"
_END = r"\)?(?=$|\s*[,;.]|\s+and\b)"
_TIES = (
    re.compile(rf"[\s,;(]+{_GO}([0-9]+),?\s+{_IN_A_TIE}\s+{_TIE}{_END}", re.IGNORECASE),
    re.compile(rf"[\s,;(]+(?:and |but )?{_IN_A_TIE}\s+{_TIE}\s*[,:]?\s+{_GO}([0-9]+){_END}", re.IGNORECASE),
)
"""What is bid in a tie, with the condition before it or behind it."""
_TAIL = re.compile(
    r"(?:,?\s+then\s+[0-9].*"
    r"|(?:\s*[,;(]|\s[-\u2013\u2014]|\s)\s*(?:and\s+|i\s+)*(?P<discard>(?:maybe[- ]|might[- ])?discard)"
    r"(?:\s+it|\s+that|\s+this)?\s*\)?"
    r"|[,\s]+(?:and\s+)?keep(?:\s+it)?|\s*,?\s*if\s+(?:I\s+)?w[io]n\b.*)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:\s*(?:[;,&+/|]|\band\b)\s*)+(?!then\b|if\b)(?=\w)", re.IGNORECASE)
_HINT = re.compile(
    rf"[0-9\u2460-\u2473\uff10-\uff19]|\b(?:{_NOTHING}|{amounts.any_of(amounts.NUMBERS)})\b", re.IGNORECASE
)


class Others(Placed, frozen=True, eq=False):
    """A bid on each power that no other line of the set names."""

    amount: int


def speech(state: State, seat: str, *, is_bare: bool) -> Speech:
    """Return how bids are said, besides in their form; `is_bare` says that a number alone may be one."""
    ways = partial(_ways, state, seat, is_bare=is_bare)
    return Speech(ways, partial(_pieces, state), cache(partial(_words, state)), hint=_HINT)


def read_others(text: str) -> Others | None:
    """Read a bid on all other powers; None for any other line."""
    match = re.fullmatch(r"bid the rest ([0-9]{1,3})", text)
    return Others(int(match[1])) if match else None


def reckoned(state: State, seat: str, found: Parsed[Bid | Others]) -> Parsed[Bid]:
    """
    Put bids for what is bid on all other powers: those are known once every line is read.

    Shape: nothing bid on the others is what stands for no bid.
    """
    others = [one for one in found.orders if isinstance(one, Others)]
    bids = tuple(one for one in found.orders if isinstance(one, Bid))
    if not others:
        return Parsed(bids, found.complaints, found.slips)
    named = {bid.power for bid in bids}
    left = [power for power in _open(state, seat) if power.key not in named]
    because = ""
    if found.complaints:
        because = "I cannot tell which the others are while another line is not read. Write a bid for each."
    elif len(others) > 1 or not left:
        because = "Two lines say what you bid on the others. Keep one." if left else "There are no others to bid on."
    if because:
        said = (Complaint(one.line, f"{one.amount} on the rest", "ambiguous", because, "R18") for one in others)
        return Parsed(bids, (*found.complaints, *said), found.slips)
    (rest,) = others
    is_silent = not rest.amount and bids and state.phase == "auction"
    added = () if is_silent else (Bid(power.key, rest.amount, line=rest.line) for power in left)
    return Parsed((*bids, *added), (), found.slips)


def _open(state: State, seat: str) -> list[Power]:
    """Return the powers that a seat may bid on now."""
    return [power for power in state.pool() if state.phase != "rebid" or seat in state.ties.get(power.key, ())]


def _words(state: State) -> frozenset[str]:
    """Return what slips of the fingers are mended to."""
    names = (word.casefold() for power in state.pool() for word in power.name.split())
    return frozenset(("bid", "bids", "offer", "discard", "keep", *names)) - {*amounts.FILLERS, *amounts.AIMS}


@lru_cache(maxsize=64)
def _known(genre: Genre) -> amounts.Vocabulary:
    words = {
        "again": _ONCE_MORE, "offer": OFFERS, "aim": (*amounts.AIMS, *_FOR), "each": _EACH,
        "nothing": (*amounts.FILLERS, "to", "into", "power"),
    }  # fmt: skip
    kinds = {kind: amounts.any_of(said) for kind, said in words.items()}
    return amounts.vocabulary((genre.energy, genre.one_energy, *genre.also.energy), kinds, {"none": _NOTHING})


def _pieces(state: State, text: str) -> tuple[str, ...]:
    """Cut a line between bids; what stands behind a `then` belongs to the bid before it."""
    text = _HEADED.sub(r"\1 ", _with_ties(text))
    if re.search(phrases.OPEN, text, re.IGNORECASE):
        return (text,)
    pieces = tuple(piece for piece in _BETWEEN.split(text) if piece)
    if len(pieces) > 1:
        return pieces
    return amounts.at_amounts(text, _known(genre_of(state.house))) if " then " not in text else (text,)


def _with_ties(text: str) -> str:
    """Say what is bid in a tie behind a `then`."""
    for form in _TIES:
        text = form.sub(r" then \1", text)
    return text


def _ways(state: State, seat: str, text: str, *, is_bare: bool) -> Iterator[tuple[str, ...]]:
    """Say bids in their form, in every way that they may be meant; a name of somebody, or a power's, is none."""
    names = {name.casefold() for name in (*state.names.values(), *(one.name for one in state.powers))}
    if _TOLD.search(text) or text.casefold() in names:
        return
    text = _with_ties(text)
    tail = _TAIL.search(text)
    head, rest = (text[: tail.start()], tail[0]) if tail else (text, "")
    rest = f", {tail['discard']}" if tail and tail["discard"] else rest
    powers = {power.key: power.name for power in state.pool()}
    head = amounts.plain(head, powers.values(), amounts.any_of(OFFERS))
    for one in amounts.meant(head, _known(genre_of(state.house)), partial(_is_name, powers)):
        is_alone = is_bare or not head[0].isdigit()
        for lines in _bids(state, seat, one, is_alone=is_alone):
            if len(lines) == 1 or not rest:
                yield tuple(f"{line}{rest}" for line in lines)


def _bids(state: State, seat: str, meant: amounts.Meant, *, is_alone: bool) -> Iterator[tuple[str, ...]]:
    """Say a bid in its form, or each of several; `is_alone` says that nothing else is on the line, or in the mail."""
    is_again, is_none = state.phase == "rebid", meant.amount == "none"
    if (is_none or "again" in meant.said) and is_none is is_again:
        return
    amount = "0" if is_none else meant.amount
    if not meant.name:
        tied = _open(state, seat)
        if is_again and is_alone and len(tied) == 1:
            yield (f"bid {tied[0].key} {amount}",)
        return
    if meant.name.casefold() in {power.name.casefold() for power in state.pool()}:
        yield from _named(state, meant, amount)
    elif _ELSE.fullmatch(meant.name):
        if is_none:
            yield ("bid the rest 0",)
    elif _OTHERS.fullmatch(meant.name):
        yield (f"bid the rest {amount}",)
    elif _EVERYTHING.fullmatch(meant.name):
        if " " in meant.name or meant.name.casefold() == "everything" or "aim" in meant.said:
            yield tuple(f"bid {power.key} {amount}" for power in _open(state, seat))
    else:
        yield from _named(state, meant, amount)


def _named(state: State, meant: amounts.Meant, amount: str) -> Iterator[tuple[str, ...]]:
    """Say a bid on a power, or the same on each of several, by their numbers."""
    powers = {power.key: power.name for power in state.pool()}
    names = re.split(r"\s*,\s*(?:and )?|\s+(?:and|&|\+)\s+", re.sub(r"^both ", "", meant.name, flags=re.IGNORECASE))
    is_short = any(len(name) < 3 and not _is_name(powers, name) for name in names)
    if is_short or (len(names) > 1 and "each" not in meant.said):
        return
    found = [find_power(name, powers) for name in names]
    if not any(isinstance(one, phrases.Unread) and one.fault == "unreadable" for one in found):
        yield tuple(
            f"bid {name if isinstance(one, phrases.Unread) else one} {amount}"
            for one, name in zip(found, names, strict=True)
        )


def _is_name(powers: Mapping[str, str], name: str) -> bool:
    """Say whether this is a power by its number, or by a word of its name, or stands for several powers."""
    if any(form.fullmatch(name) for form in (_ELSE, _OTHERS, _EVERYTHING)):
        return True
    said = name.casefold()
    return (
        pool_number(name) in powers
        or sum(said in (one.casefold(), *one.casefold().split()) for one in powers.values()) == 1
    )
