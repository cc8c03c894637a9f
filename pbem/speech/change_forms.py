"""How people say what is to change of a set on hand, read from words alone; knows no set, and no game."""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from pbem.language import phrases
from pbem.language.words import COMMON

LONGEST = 200
"""Characters of a line that changes others; an order behind `also` can be longer."""
MOST_WORDS = 12
"""Of words with nothing between them that parts old from new, the most that are tried."""
MOST_PIECES = 6
"""The most changes on one line."""


IT = frozenset(("it", "that", "this", "them", "these", "those", "all", "everything", "one", "ones", "none", "anything"))
"""Words that name no order by themselves."""


class Out(NamedTuple):
    """
    Take an order out: by numbers of lines, 0 for the last, or by words; `verb` is what was said, "" for `no`.

    Shape: the last order, or the last one, may be the last mail, and is no number.
    """

    what: str
    verb: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that are said, none where there are words."""
        if match := _NUMBERS.fullmatch(self.what):
            return tuple(int(number) for number in re.findall(r"\d+", match["list"]))
        match = _ORDINAL.fullmatch(self.what)
        nth, what = (match["nth"].casefold(), (match["what"] or "").casefold()) if match else ("", "")
        return (_NTH[nth],) if nth in _NTH and (what == "line" or nth != "last") else ()

    @property
    def is_bare(self) -> bool:
        """Whether nothing says of what the numbers are."""
        return self.what[:1].isdigit()


class Put(NamedTuple):
    """Put new words in place of old ones, or of any one thing where no old ones are said, in the order `where`."""

    old: str
    new: str
    where: str = ""


class Shift(NamedTuple):
    """Raise or lower the number in the order `where`."""

    where: str
    by: int


Way: TypeAlias = Out | Put | Shift

_SAID = re.compile(
    r"^(?:(?:sorry|oops|whoops|ok|okay|yes|no|no,? wait|no no|wait|hang on|hold on|oh"
    r"|argh|hmm|um|er|damn|actually|please|pls|correction|typo|one (?:more )?change|change|i mean"
    r"|i meant|on second thoughts?|(?:hi|hello|hey|dear)(?: [^\W\d_]+){0,2})\b ?[,:!.] ?"
    r"|(?:please|pls|actually|sorry|oops|i meant?) )+",
    re.IGNORECASE,
)
"""What may stand before a change and says nothing of it."""
_THANKS = frozenset(("please", "pls", "thanks", "thx", "cheers", "you", "thank"))
"""What may stand behind it."""
_AFTER_ALL = re.compile(r"(?<=\S)[ ,]+(?:after all|on (?:second thoughts?|reflection))$", re.IGNORECASE)
"""The same, before the thanks."""
_KEEP = re.compile(
    r"^(?:keep|leave) (?:it|them|all|that|everything|the rest|the others)(?: all)?(?: as (?:it|they) (?:is|are))?,?"
    r"(?: and|,? but) ",
    re.IGNORECASE,
)
_REST_STAYS = re.compile(
    r"(?P<bare>.+?)[,;.]? (?:and )?(?:the )?(?:others?|rest|everything else) (?:stays?|(?:is|are|stays?|remains?) "
    r"(?:as (?:it|they) (?:is|are|was|were)|the same|unchanged)|as (?:before|it is|it was)|the same|unchanged)",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"(?:(?:sorry|oops|hi|hello|just|only|please|one|a|an|two|some|small|little|quick|more|the|my) )*"
    r"(?:change|correction|addition|update|amendment)s?(?: please| to my (?:orders|set))?"
)
_JOINS = r"(?:(?:and|these|here|this|is|are|my|the|take|use|with|instead) )*"
_NEW_SET = re.compile(
    r"(?:(?:sorry|oops|please) )*(?:forget|ignore|disregard|replace|scrap|scratch|cancel|never ?mind) (?:about )?"
    rf"(?:(?:that|it|this|them|all (?:of )?(?:that|it)|everything) {_JOINS}new (?:orders|set|ones?)"
    r"|(?:all )?(?:my|the) (?:last|previous|old|earlier|first) (?:mail|e-mail|email|message|orders|set|ones?)"
    rf"(?: {_JOINS}(?:(?:new )?(?:orders|set|ones?)|instead|these))?)(?: instead| please)?"
)
_SET = r"(?:ones?|numbers?|orders?|set|amounts?|bids?|figures?|version|mail)"
_WRONG = re.compile(
    rf"(?:(?:sorry|oops|whoops|please) )*(?:(?:those|these|that|they|it|i (?:sent|wrote|gave) (?:you )?the) )?"
    rf"(?:(?:were|was|are|is) )?(?:(?:the|all) )?(?:wrong|old|mixed up)(?: {_SET})?"
    rf"(?: (?:(?:here|these|this|the|are|is|my|now|come) )*(?:correct|right|new|real|proper|good) {_SET}(?: are| is)?)?"
    rf"|(?:(?:sorry|oops|whoops|please|here|these|this|the|are|is|my) )*(?:correct|right|real|proper|corrected) {_SET}"
    r"(?: are| is)?",
)
"""What says that a set before was a mistake, with or without that the right one stands below."""
_ALSO = frozenset(("also", "and also", "plus", "add", "in addition"))

_ANOTHER = r"(?:another|an? (?:extra|additional|further)) (?=[0-9])"
"""What adds where a number stands behind it."""
_ADD = re.compile(
    r"(?:(?:(?:and |but )?(?:also|as well|additionally|in addition|plus|besides)|and|add)\b ?[,:]?"
    r"|(?:one more|another|additional|extra)(?: order| line)?:"
    rf"|{_ANOTHER}) ?(?P<what>.+?)(?: to (?:my|the) (?:orders|set|list))?",
    re.IGNORECASE,
)
_TOO = re.compile(r"(?P<what>.+?),? (?:too|as well|in addition)", re.IGNORECASE)
_STRONG = re.compile(
    rf",? (?:too|as well|in addition)$|^(?:as well\b|and\b|(?:and |but )?also\b|plus\b|add\b|{_ANOTHER})"
    r"|\binstead\b|\brather than\b|\bin place of\b|, (?:and )?not ",
    re.IGNORECASE,
)
_RESTING = re.compile(r"\b(?:rest|remainder|remaining|leftover|everything else)\b", re.IGNORECASE)
_SURE = re.compile(r"\binstead\b|^make (?:that|it)\b", re.IGNORECASE)
_DENIES = r"no(?: more)?|not|without|don'?t|do not|stop"
_TAKES = r"drop|remove|delete|cancel|forget(?: about)?|scrap|scratch|strike|skip|omit|leave out|take out|take away"
_OUT = re.compile(
    rf"(?:(?P<verb>{_TAKES})|{_DENIES}) (?P<what>.+?)(?:,? (?:after all|any ?more|at all))?",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"(?:the )?(?:lines?|orders?|numbers?|nos?\.?|#)? ?(?P<list>#?\d{1,3}(?:(?: ?, ?| )(?:and )?#?\d{1,3})*)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:the |my )?(?P<nth>\w+)(?: (?P<what>line|order|one))?", re.IGNORECASE)
_NTH = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "5th": 5, "6th": 6, "last": 0,
}  # fmt: skip
_ON = r"(?:on|for|against|at|to|into|in|of|with|from)"
_MAKE = re.compile(r"make (?:that|it|this) (?P<new>.+)", re.IGNORECASE)
_MAKE_WHAT = re.compile(r"make (?P<both>.+)", re.IGNORECASE)
_CHANGE = re.compile(
    r"(?:change|set|turn|switch|raise|lower|increase|decrease|reduce|bump|put|up) (?P<old>.+?)(?: up| down)? (?:in)?to"
    r" (?P<new>.+)",
    re.IGNORECASE,
)
_SWAP = re.compile(r"(?:replace|swap|exchange|substitute) (?P<old>.+?) (?:for|with|by) (?P<new>.+)", re.IGNORECASE)
_INSTEAD_OF = re.compile(r"(?:instead of|rather than|not) (?P<old>.+?) ?[,:;] ?(?:but )?(?P<new>.+)", re.IGNORECASE)
_INSTEAD_OPEN = re.compile(r"instead of (?P<both>[^,:;]+)", re.IGNORECASE)
_IN_PLACE = re.compile(
    r"(?P<new>.+?)(?:,? (?:instead of|rather than|in place of)|, (?:and )?not) (?P<old>.+)", re.IGNORECASE
)
_LINE = re.compile(r"(?P<old>(?:line|order) \d{1,3}|(?:the )?\w+ (?:line|order)) ?: ?(?P<new>.+)", re.IGNORECASE)
_INSTEAD = re.compile(r"(?P<new>.+?),? instead", re.IGNORECASE)
_PLACED = re.compile(rf"(?P<new>.+?) {_ON} (?P<where>.+)", re.IGNORECASE)
_COUNT = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_MANY = rf"\d{{1,6}}|{'|'.join(_COUNT)}"
_MORE = re.compile(
    rf"(?P<many>{_MANY}) (?:more|(?P<down>less|fewer))(?: {_ON})?(?: (?P<where>.+))?"
    rf"|add (?P<plus>{_MANY})(?: more)? (?:to|on|for) (?P<there>.+)",
    re.IGNORECASE,
)
_BY = re.compile(
    rf"(?:raise|increase|bump|(?P<down>lower|decrease|reduce|cut)) (?P<where>.+?)(?: up| down)? by (?P<many>{_MANY})",
    re.IGNORECASE,
)


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, without the marks round them."""
    return [word for one in text.split() if (word := one.strip(",;:.!?'\"").casefold())]


def core(text: str) -> str:
    """Return a line without what people say round a change."""
    said = phrases.without_stop(phrases.clean(text)).split()
    while len(said) > 1 and said[-1].casefold().strip(" .,!;") in _THANKS:
        said.pop()
    return _KEEP.sub("", _SAID.sub("", _AFTER_ALL.sub("", " ".join(said).strip(" .,!;")))).strip(" .,!;")


def says_change(text: str) -> bool:
    """Say whether a line says by itself that changes stand below it."""
    return len(text) <= LONGEST and _HEAD.fullmatch(" ".join(words(text))) is not None


def says_also(text: str) -> bool:
    """Say whether a line says by itself that all orders below it are added."""
    return " ".join(words(text[:LONGEST])) in _ALSO


def says_new_set(text: str) -> bool:
    """Say whether a line says by itself that the set before counts no more."""
    said = " ".join(words(text[: LONGEST + 1]))
    is_wrong = text.rstrip().endswith(":") and _WRONG.fullmatch(said)
    return len(text) <= LONGEST and bool(is_wrong or _NEW_SET.fullmatch(said))


def says_rest(text: str) -> bool:
    """Say whether a line is about what other orders leave over."""
    return _RESTING.search(text) is not None


def is_plain(text: str) -> bool:
    """Say whether the core of a line is a change even where a game would read it as an order."""
    return _STRONG.search(text) is not None or _REST_STAYS.fullmatch(text) is not None


def is_sure(text: str) -> bool:
    """Say whether the core of a line can hardly be anything but a change, though nothing is found that it changes."""
    is_numbered = any(isinstance(way, Out) and way.numbers and way.verb for way in ways(text))
    return is_numbered or _SURE.search(text) is not None


def asks(text: str) -> bool:
    """Say whether a line is a question, and not only polite: `drop Cy?`, but not `drop Cy, ok?`."""
    said = words(text)
    return text.rstrip().endswith("?") and bool(said) and not COMMON.has("TAG", said[-1])


def joins(text: str) -> bool:
    """Say whether the core of a line begins with a bare `and`, which goes on with what stands above it."""
    return text[:4].casefold() == "and "


def added(text: str) -> str:
    """Return what the core of a line adds, if it adds anything."""
    match = _ADD.fullmatch(text) or _TOO.fullmatch(text)
    return match["what"] if match else ""


def ways(text: str) -> tuple[Way, ...]:
    """Return the ways in which the core of a line can be meant as a change, but for what it adds."""
    return tuple(_ways(text)) if len(text) <= LONGEST else ()


def pieces(text: str) -> tuple[str, ...]:
    """Cut the core of a line where it can say several things; none where it cannot."""
    found = tuple(core(piece) for piece in re.split(r"[,;.] (?:and |but )?| and ", text))
    return found if 1 < len(found) <= MOST_PIECES and all(found) else ()


def _ways(text: str) -> Iterator[Way]:
    stays = _REST_STAYS.fullmatch(text)
    if stays:
        text = stays["bare"]
        yield from _valued(text)
    if match := _MORE.fullmatch(text):
        count = _count(match["many"] or match["plus"])
        yield Shift(match["where"] or match["there"] or "", -count if match["down"] else count)
    elif match := _BY.fullmatch(text):
        yield Shift(match["where"], -_count(match["many"]) if match["down"] else _count(match["many"]))
    elif match := _INSTEAD_OF.fullmatch(text):
        yield Put(match["old"], match["new"])
    elif match := _INSTEAD_OPEN.fullmatch(text):
        yield from (Put(old, new) for old, new in _halves(match["both"]))
    else:
        yield from _other_ways(text)


def _other_ways(text: str) -> Iterator[Way]:
    if (match := _MAKE.fullmatch(text)) and _IN_PLACE.fullmatch(match["new"]):
        text = match["new"]
    if match := _OUT.fullmatch(text):
        yield Out(match["what"], (match["verb"] or "").casefold())
    if match := _MAKE.fullmatch(text):
        yield from _valued(match["new"])
    elif match := _MAKE_WHAT.fullmatch(text):
        yield from (Put("", new, where) for where, new in _halves(match["both"]))
    if (match := _LINE.fullmatch(text)) and Out(match["old"]).numbers:
        yield Put(match["old"], match["new"])
    for form in (_CHANGE, _SWAP):
        if match := form.fullmatch(text):
            is_it = match["old"].casefold() in IT
            yield from (
                _valued(match["new"])
                if is_it
                else (
                    Put(match["old"], match["new"]),
                    Put("", match["new"], match["old"]),
                )
            )
    if match := _IN_PLACE.fullmatch(text):
        yield Put(match["old"], match["new"])
        if part := _PLACED.fullmatch(match["new"]):
            yield Put(match["old"], part["new"], part["where"])
    elif match := _INSTEAD.fullmatch(text):
        yield from _valued(match["new"])


def _valued(new: str) -> Iterator[Put]:
    """Yield the ways in which words that name nothing old can be put into an order."""
    yield Put("", new)
    if match := _PLACED.fullmatch(new):
        yield Put("", match["new"], match["where"])


def _halves(text: str) -> Iterator[tuple[str, str]]:
    said = text.split()
    if len(said) > MOST_WORDS:
        return iter(())
    return ((" ".join(said[:place]), " ".join(said[place:])) for place in range(1, len(said)))


def _count(text: str) -> int:
    return _COUNT.get(text.casefold()) or int(text)
