"""What people say who change the set on hand, read from tables of words and shapes; knows no set, and no game."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from pbem.language import phrases
from pbem.language.beside import corrects
from pbem.language.nouns import Nth
from pbem.language.parses import Language, Meaning, Parses
from pbem.language.shapes import Choice, Class, Element, Literal, Shape, Shapes, Slot
from pbem.language.tokens import Token, cut, written
from pbem.language.words import COMMON, table
from pbem.speech import chatter
from pbem.speech.change_nouns import MOST_TOKENS, WORDS, Amount, Digits, OfClass, Range, Text

LONGEST = 200
"""Characters of a line that changes others; an order behind `also` can be longer."""
LONGEST_LINE = 1_000
"""Characters of a line of several sentences of which some may change others."""
MOST_PIECES = 6
"""The most changes on one line."""
IT = frozenset(" ".join(one) for one in WORDS.classes["IT"])
"""Words that name no order by themselves."""
LAST = 0
"""The number of the last line."""


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
        return next((one for one in _whole("rows", _cut(self.what)) if isinstance(one, tuple)), ())

    @property
    def is_bare(self) -> bool:
        """Whether nothing says of what the numbers are."""
        return self.what[:1].isdigit()


class Put(NamedTuple):
    """
    Put new words in place of old ones, or of any one thing where no old ones are said, in the order `where`.

    Shape: what `is_told` may be no wish, as in `Bo is now 19`; so its `where` has to say what the order does.
    """

    old: str
    new: str
    where: str = ""
    is_told: bool = False


class Shift(NamedTuple):
    """Raise or lower the number in the order `where`."""

    where: str
    by: int


class Keep(NamedTuple):
    """Take out all orders but these."""

    what: str


class Stay(NamedTuple):
    """Leave an order as it is."""

    what: str


class Exchange(NamedTuple):
    """Put each of two things in the place of the other: two lines, or two names wherever they stand."""

    one: str
    other: str


class Spot(NamedTuple):
    """A place in a list: its `top`, its `end`, `before` or `after` what is named, or the `n`th."""

    how: str
    what: str = ""
    n: int = 0


class Move(NamedTuple):
    """Move an order to another place of a list, or put a new one there, where it is none on hand."""

    what: str
    to: Spot


class Give(NamedTuple):
    """Take so much of one order, 0 for all, and give it to another."""

    source: str
    target: str
    by: int = 0


Way: TypeAlias = Out | Put | Shift | Keep | Stay | Exchange | Move | Give


def _valued(new: str) -> tuple[Way, ...]:
    """Return the ways in which words that name nothing old can be put into an order."""
    return _placed_in("", new)


def _placed_in(old: str, new: str) -> tuple[Way, ...]:
    """Put new words in place of old ones: all of them, or what stands before an `on` into what stands behind it."""
    tokens = _cut(new)
    at = next((n for n in range(1, len(tokens) - 1) if WORDS.has("ON", tokens[n].text)), 0)
    part = (Put(old, written(tokens[:at]), written(tokens[at + 1 :])),) if at else ()
    return (Put(old, new), *part)


def _made(new: str) -> tuple[Way, ...] | None:
    """Return what `make that 25` says; `make that 25 instead of 20` is another shape's."""
    is_empty = all(WORDS.has("EMPTY", word) for word in words(new))
    return None if is_empty or _has("PLACE", new) else _valued(new)


def _out(what: str, verb: str = "") -> tuple[Way, ...] | None:
    """Return what `drop Bo` says; `drop 20 on Bo` may be the contrary, and `the attack by Bo` is his."""
    tokens = _cut(what)
    is_amount = len(tokens) > 1 and tokens[0].kind == "number" and WORDS.has("ON", tokens[1].text)
    return None if is_amount or _is_anothers(tokens) else (Out(what, verb),)


def _told(where: str, new: Any) -> tuple[Way, ...] | None:
    return None if _is_anothers(_cut(where)) else (Put("", str(new), where, is_told=True),)


def _is_anothers(tokens: Sequence[Token]) -> bool:
    """Say whether something may be another's: the attack by Bo, from Bo, of Bo; not the attack of 30."""
    texts = [token.text for token in tokens]
    is_of = any(one == "of" and behind.kind != "number" for one, behind in zip(texts, tokens[1:], strict=False))
    return is_of or "by" in texts or "from" in texts


def _moved(old: str, new: str) -> tuple[Way, ...]:
    return _valued(new) if old.casefold() in IT else (Put(old, new), Put("", new, old))


def _is_it(text: str) -> bool:
    return text.split(maxsplit=1)[0].casefold() in ("that", "it", "this")


def _placed(new: str, old: str) -> tuple[Way, ...] | None:
    said = new.split(maxsplit=1)
    if said[0].casefold() == "make" and len(said) > 1 and _is_it(said[1]):
        return None
    return _placed_in(old, new)


_LANGUAGE = Language(
    words=WORDS,
    shapes=Shapes(table("pbem.speech", "tables/changes.shapes")),
    nouns={
        "text": Text(),
        "plain": Text(12, but=frozenset((",", ":", ";"))),
        "thing": Text(not_first="ON"),
        "one": Text(not_first="ON", but=frozenset((",", ":"))),
        "word": Text(1),
        "verb": OfClass("TAKES"),
        "hard": OfClass("HARD"),
        "definite": Text(is_definite=True),
        "number": Amount(1, 999_999),
        "digits": Digits(),
        "nth": Nth(),
        "range": Range(),
    },
    acts={
        "out": _out,
        "told": _told,
        "no": _out,
        "make": _made,
        "make_what": lambda where, new: None if _is_it(where) else (Put("", str(new), where),),
        "line": lambda new, n=LAST: (Put(f"line {n}" if n else "last line", new),),
        "put": lambda old, new: (Put(old, new),),
        "moved": _moved,
        "placed": _placed,
        "keep": lambda what: (Keep(what),),
        "stay": lambda what: None if what.casefold().startswith("only ") else (Stay(what),),
        "exchange": lambda one, other: (Exchange(one, other),),
        "move": lambda what, to: (Move(what, to),),
        "give": lambda source, target, n=0: (Give(source, target, n),),
        "arrow": lambda old, new, where="": (Put(str(old), str(new), where),),
        "within": lambda n, old, new: (Put(old, new, f"line {n}"),),
        "top": lambda: Spot("top"),
        "end": lambda: Spot("end"),
        "before": lambda what: Spot("before", what),
        "after": lambda what: Spot("after", what),
        "nth": lambda n: Spot("nth", n=n),
        "more": lambda n, where="": (Shift(where, n),),
        "less": lambda n, where="": (Shift(where, -n),),
        "rows": lambda n: n if isinstance(n, tuple) else (n,),
        "range": lambda r: r,
        "clear": lambda: (Keep(""),),
        "last": lambda: (LAST,),
        "rest": lambda bare: bare,
        "kept": lambda bare: bare,
        "more_of": lambda bare: bare,
        "change": lambda: "change",
        "also": lambda: "also",
        "new": lambda: "new",
        "wrong": lambda **_: "wrong",
        **{kind: (lambda **_: True) for kind in ("lead", "adding", "to_list")},
    },
)
_KINDS = ("shift", "rather", "halves", "said")
"""The kinds of ways, in the order in which they are looked for; the first by which a line can be meant is meant."""


def _needs(shape: Shape) -> tuple[frozenset[str], ...]:
    """Return the words of which a text has one from each, where it is of a shape."""
    firsts = (_firsts(element) for element in shape.elements)
    return tuple(words for words in firsts if words)


def _firsts(element: Element) -> frozenset[str]:
    match element:
        case Literal(text):
            return frozenset((text,))
        case Class(name):
            return frozenset(WORDS.firsts(name))
        case Slot(_, "verb" | "hard" as kind):
            return frozenset(WORDS.firsts("TAKES" if kind == "verb" else "HARD"))
        case Choice(options) if () not in options:
            every = [next((words for one in option if (words := _firsts(one))), None) for option in options]
            return frozenset[str]().union(*(words for words in every if words)) if None not in every else frozenset()
    return frozenset()


_NEEDS = {kind: tuple(map(_needs, shapes)) for kind, shapes in _LANGUAGE.shapes.of.items()}
"""By kind, what each shape needs: most lines have it of none, and so need not be looked at word by word."""


_KEYS = frozenset[str]().union(*(words for needs in _NEEDS.values() for one in needs for words in one[:1]))
_KEYS |= frozenset(word for kind in ("STRONG", "ANOTHER", "TOO", "THANKS", "AFTER_ALL") for word in WORDS.firsts(kind))
"""Words of which each line has one that is more than an order, or than talk that is no change."""


def _is_likely(text: str) -> bool:
    """Say whether a line may have one of the words by which changes are known; looked at before it is cut."""
    return not _KEYS.isdisjoint(words(text)) or "n't" in text or "nt " in text


@lru_cache(maxsize=512)
def _cut(text: str) -> tuple[Token, ...]:
    return cut(text, is_first=False)


def _whole(kind: str, tokens: Sequence[Token]) -> tuple[Meaning, ...]:
    if not 0 < len(tokens) <= MOST_TOKENS:
        return ()
    texts = {token.text for token in tokens}
    is_likely = any(all(not words.isdisjoint(texts) for words in needs) for needs in _NEEDS[kind])
    return Parses(_LANGUAGE, tokens).whole(kind) if is_likely else ()


def _has(kind: str, text: str) -> bool:
    return WORDS.any_in(kind, [token.text for token in _cut(text)])


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, without the marks round them."""
    return [word for one in text.split() if (word := one.strip(",;:.!?'\"").casefold())]


@lru_cache(maxsize=256)
def core(text: str) -> str:
    """Return a line without what people say round a change."""
    if not _is_likely(text):
        return phrases.without_stop(phrases.clean(text)).strip(" .,!;")
    text = phrases.without_stop(phrases.clean(text))
    tokens = cut(text, is_first=not text.startswith("+"))
    texts = [token.text for token in tokens]
    end = len(tokens)
    reason = next((at for at in range(2, end) if any(True for _ in WORDS.ends("REASON", texts, at))), end)
    end = reason if _says_why(tokens[reason:end]) else end
    while end > 1 and (texts[end - 1] in _ENDS or WORDS.has("THANKS", texts[end - 1])):
        end -= 1
    for place in range(max(1, end - 3), end):
        if end in WORDS.ends("AFTER_ALL", texts, place):
            end = place
            break
    while end > 1 and texts[end - 1] in _ENDS:
        end -= 1
    begins, is_more = 0, True
    while is_more and begins < end:
        ends = [at for at, _ in Parses(_LANGUAGE, tokens[begins : begins + MOST_TOKENS]).at("lead", 0)]
        is_more = bool(ends) and begins + max(ends) < end
        begins += max(ends) if is_more else 0
    return written(tokens[begins:end]) if begins < end else ""


_ENDS = frozenset((".", ",", "!", ";", "?"))


def _says_why(tokens: Sequence[Token]) -> bool:
    """Say whether words are a reason and nothing else: in one clause, with no number, and no word that turns."""
    inner = [token for token in tokens[:-1] if token.kind in ("number", "other") or token.text in (*_ENDS, "and", "&")]
    is_counted = bool(tokens) and tokens[-1].kind in ("number", "other")
    return not inner and not is_counted and not chatter.may_change(written(tokens))


def _head(text: str, act: str) -> bool:
    """Say whether a line is a heading that says one thing."""
    if len(text) > LONGEST or not _is_likely(text):
        return False
    bare = [token for token in _cut(text) if token.kind != "mark"]
    return act in _whole("head", bare)


def says_change(text: str) -> bool:
    """Say whether a line says by itself that changes stand below it."""
    return _head(text, "change")


def says_also(text: str) -> bool:
    """Say whether a line says by itself that all orders below it are added."""
    return _head(text, "also")


def says_new_set(text: str) -> bool:
    """Say whether a line says by itself that the set before counts no more."""
    return _head(text, "new") or (text.rstrip().endswith(":") and _head(text, "wrong"))


def says_rest(text: str) -> bool:
    """Say whether a line is about what other orders leave over."""
    return any(WORDS.has("RESTING", word) for word in words(text)) or "everything else" in text.casefold()


def is_plain(text: str) -> bool:
    """Say whether the core of a line is a change even where a game would read it as an order."""
    texts = [token.text for token in _cut(text[: 5 * LONGEST])]
    begins = any(
        True for kind in ("STRONG", "ANOTHER") for end in WORDS.ends(kind, texts, 0) if _goes_on(kind, texts, end)
    )
    ends = any(len(texts) in WORDS.ends("TOO", texts, place) for place in range(1, len(texts)))
    is_placed = "instead" in texts or WORDS.any_in("PLACE", texts) or WORDS.any_in("COMMA_NOT", texts)
    said = words(text)
    keeps = len(said) > 1 and WORDS.has("KEEP", said[0]) and bool(Out(" ".join(said[1:])).numbers)
    return begins or ends or is_placed or keeps or bool(_whole("rest", _cut(text)))


def _goes_on(kind: str, texts: Sequence[str], end: int) -> bool:
    return kind != "ANOTHER" or (end < len(texts) and texts[end].isdecimal())


def says_others_stay(text: str) -> bool:
    """Say whether a sentence says that all else stays as it is, or that what follows is new."""
    return bool(_whole("others", [token for token in _cut(text) if not token.ends_a_sentence]))


def joins_on(text: str) -> str:
    """Return what a line that joins the orders on hand adds: `+ attack Bo 5`, `then hold`; "" for any other."""
    tokens = _cut(text) if len(text) <= LONGEST else ()
    more = [one for one in _whole("more", tokens) if isinstance(one, str)]
    ends = [*WORDS.ends("JOINS_ON", [token.text for token in tokens], 0)]
    return more[0] if more else written(tokens[max(ends) :]) if ends and max(ends) < len(tokens) else ""


def kept_beside(text: str) -> str:
    """Return what stands beside the words that all else stays as it is, in one sentence; "" for any other."""
    found = (one for one in _whole("kept", _cut(text)) if isinstance(one, str)) if len(text) <= LONGEST else ()
    return max(found, key=len, default="")


def may_alter(text: str) -> bool:
    """Say whether a line has a word by which people change a set on hand."""
    said = words(text)
    kinds = ("TAKES", "DENIES", "RAISES", "LOWERS", "MORE", "LESS", "REST", "KEEP", "MORE_OF", "PLACE", "ALTERS")
    return any(WORDS.any_in(kind, said) for kind in kinds)


def fixes(text: str) -> bool:
    """Say whether a sentence corrects what stands before it."""
    tokens = _cut(text[:LONGEST_LINE])
    bare = [token for token in tokens if not token.ends_a_sentence]
    if len(bare) == 1 and bare[0].text == "sorry":
        return False  # for the trouble
    if bare and len(bare) <= MOST_TOKENS and _whole("spot", bare):
        return True
    is_no = bool(tokens) and tokens[0].text == "no" and (len(tokens) == 1 or tokens[1].kind == "mark")
    return is_no or corrects(tokens) or any(True for _ in WORDS.ends("FIXES", [token.text for token in tokens], 0))


def begins_on(what: str) -> bool:
    """Say whether words begin as no name of an order does: `on Bo`, but for an order that begins so itself."""
    said = words(what)
    return bool(said) and (WORDS.has("ON", said[0]) or said[0] == "by")


def is_hard(verb: str) -> bool:
    """Say whether people fight with a verb, too."""
    return any(True for _ in WORDS.ends("HARD", words(verb), 0))


def reorders(text: str) -> bool:
    """Say whether the core of a line puts orders in other places, so that their numbers are other ones."""
    return any(isinstance(way, Move | Exchange) for way in ways(text))


def takes_back(text: str) -> bool:
    """Say whether a sentence takes back what stands before it, or was sent before, and goes on."""
    return any(True for _ in WORDS.ends("TAKES_BACK", [token.text for token in _cut(text[:LONGEST_LINE])], 0))


def more_behind(text: str) -> tuple[str, str] | None:
    """Return what stands before and behind a word by which orders are added; None where there is none."""
    tokens = _cut(text) if len(text) <= LONGEST_LINE else ()
    texts = [token.text for token in tokens]
    found = [(at, end) for at in range(len(texts)) for end in WORDS.ends("MORE_OF", texts, at)]
    return (written(tokens[: found[0][0]]), written(tokens[found[0][1] :])) if found else None


def is_sure(text: str) -> bool:
    """Say whether the core of a line can hardly be anything but a change, though nothing is found that it changes."""
    is_numbered = any(isinstance(way, Out) and way.numbers and way.verb for way in ways(text))
    said = words(text)
    return is_numbered or "instead" in said or (said[:1] == ["make"] and said[1:2] in (["that"], ["it"]))


def asks(text: str) -> bool:
    """Say whether a line is a question, and not only polite: `drop Cy?`, but not `drop Cy, ok?`."""
    said = text.split()
    while said and WORDS.has("THANKS", said[-1].strip(".,!").casefold()):
        said.pop()
    return bool(said) and said[-1].endswith("?") and not COMMON.has("TAG", said[-1].strip("?!.,").casefold())


def joins(text: str) -> bool:
    """Say whether the core of a line begins with a bare `and`, which goes on with what stands above it."""
    return text[:4].casefold() == "and "


def added(text: str) -> str:
    """Return what the core of a line adds, if it adds anything."""
    tokens = _cut(text) if _is_likely(text) else ()
    texts = [token.text for token in tokens]
    ends = [end for end, _ in Parses(_LANGUAGE, tokens[:MOST_TOKENS]).at("adding", 0) if end < len(tokens)]
    if ends:
        lists = [at for at in range(max(ends) + 1, len(tokens)) if _is_all("to_list", tokens[at:])]
        return written(tokens[max(ends) : lists[0] if lists else len(tokens)])
    another = next((end for end in WORDS.ends("ANOTHER", texts, 0) if _goes_on("ANOTHER", texts, end)), 0)
    if another:
        return written(tokens[another:])
    too = next((at for at in range(1, len(texts)) if len(texts) in WORDS.ends("TOO", texts, at)), 0)
    return written(tokens[: too - (texts[too - 1] == ",")]) if too else ""


def _is_all(kind: str, tokens: Sequence[Token]) -> bool:
    return len(tokens) <= 4 and bool(_whole(kind, tokens))


@lru_cache(maxsize=256)
def ways(text: str) -> tuple[Way, ...]:
    """Return the ways in which the core of a line can be meant as a change, but for what it adds."""
    tokens = _cut(text) if len(text) <= LONGEST and _is_likely(text) else ()
    bare = next((one for one in _whole("rest", tokens) if isinstance(one, str)), "")
    found: list[Way] = [*_valued(bare)] if bare else []
    tokens = _cut(bare) if bare else tokens
    for kind in _KINDS:
        meant: list[Any] = [way for one in _whole(kind, tokens) if isinstance(one, tuple) for way in one]
        if meant:
            return tuple(dict.fromkeys((*found, *meant)))
    return tuple(found)


def each(text: str) -> tuple[str, ...]:
    """Cut what names several orders: `the laser and 2`, `1, 2 and 4`."""
    tokens = _cut(text)
    places = [n for n, token in enumerate(tokens) if token.text in (",", "and", "&", "+")]
    starts = [0, *(n + 1 for n in places)]
    parts = (tokens[start:end] for start, end in zip(starts, [*places, len(tokens)], strict=True))
    return tuple(written(part) for part in parts if part)


def sentences_of(text: str) -> tuple[str, ...]:
    """Cut a line into sentences, each with the mark that ends it."""
    tokens = _cut(text) if len(text) <= LONGEST_LINE else ()
    ends = [n + 1 for n, token in enumerate(tokens) if token.ends_a_sentence]
    starts = [0, *ends]
    parts = (tokens[start:end] for start, end in zip(starts, [*ends, len(tokens)], strict=True))
    return tuple(written(part) for part in parts if any(token.kind != "mark" for token in part))


def pieces(text: str) -> tuple[str, ...]:
    """Cut the core of a line where it can say several things; none where it cannot."""
    tokens = _cut(text)
    places = [n for n, token in enumerate(tokens) if token.text in (",", ";", ".", "and", "n", "&")]
    starts = [0, *(n + 1 for n in places)]
    parts = [tokens[start:end] for start, end in zip(starts, [*places, len(tokens)], strict=True)]
    if any(part and fixes(written(part)) for part in parts[1:]):
        return ()
    parts = [part[1:] if part and part[0].text in ("and", "but") else part for part in parts]
    found = tuple(core(written(part)) for part in parts if part)
    return found if 1 < len(found) <= MOST_PIECES and all(found) else ()
