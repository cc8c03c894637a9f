"""What a person newly wrote: our own letters taken away, then what mail clients add; knows no game."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

import msgspec

from pbem.ground.terms import OrderLine
from pbem.language import phrases
from pbem.language.bounds import LONGEST
from pbem.letters.blocks import Kind
from pbem.letters.client_phrases import SENT_FROM
from pbem.letters.forms import Form, form_lines, forms_of, without_blanks
from pbem.letters.heads import NARROWEST, NOBODY, IsSaid, Us
from pbem.letters.markup import SOFT, STRUCK
from pbem.letters.quoting import InBlock, frame

SHORTEST = 3
"""
The fewest characters of a line that is taken for ours because it equals one.

No line of ours parses as an order, but a line of one or two characters ("no", "2") is often a scrap of a table in
our letter and can be the whole of a person's answer; it is no evidence of quoting.
"""
NEVER_NEW = ("|", ":")
"""How examples in our letters begin, and what we quote of other people's words; such lines never count."""
LONGEST_RUN = 100
"""The most lines of one re-wrapped run; what follows them begins another."""
START = 4
"""How many characters lead to the lines of ours that a re-wrapped line may begin."""
MOST_HEADERS = 6
"""The most lines of a client's own between what is new and the letter that is quoted."""
_TARGET = re.compile(r"[<(\[]mailto:[^\s<>()\[\]]{1,4000}\?subject=[^\s<>()\[\]]{0,4000}[>)\]]")
"""Where a button of ours leads, as some programs write it beside what the button says."""
_INITIALS = re.compile(r"([A-Z]{1,4})>")


class _Line(msgspec.Struct, frozen=True):
    """
    A line of a mail; `bare` is clean and without quote marks, `key` has no blanks and no capitals either.

    Shape: `depth` counts the quote marks; `is_soft` tells that the HTML made it quoted in a client where people write
    between such lines; `is_struck` that it was struck through.
    """

    text: str
    bare: str
    key: str
    kind: Kind
    depth: int = 0
    is_soft: bool = False
    is_struck: bool = False


class _Known(msgspec.Struct, frozen=True):
    """
    A letter of ours: the keys of its lines, and `joined` those keys in one piece.

    Shape: `short` are the keys that are too short to be told by themselves; `starts` leads from the first
    characters of a line to the places in `joined` where such lines begin, `ends` are the places where lines end,
    and `marked` those where a quotation in our letter begins; `forms` are the patterns of its lines with blanks.
    """

    keys: frozenset[str]
    short: frozenset[str]
    joined: str
    starts: Mapping[str, tuple[int, ...]]
    ends: frozenset[int]
    marked: frozenset[int]
    forms: tuple[re.Pattern[str], ...]


class Classified(msgspec.Struct, frozen=True):
    """
    What a line of a mail was taken for: "new", "ours", "quoted", "attribution" and so on.

    Shape: `new` is what counts of it, with what a client wrapped off it, or None.
    """

    taken: str
    new: str | None = None


class Passed(msgspec.Struct, frozen=True):
    """
    A line that was not read, without the marks before it, and what it was taken for: "signature" and so on.

    Shape: "phone" where a phone's words stand on it, in what is not read for other reasons.
    """

    text: str
    taken: str


class Written(msgspec.Struct, frozen=True):
    """
    What a person newly wrote.

    Shape: `below` counts the lines that stood below their `end`, and so do not count; `polite` are greetings, closings
    and the writer's name, which are blank in `lines`; `passed` is what was taken for no new line, and is not ours.
    """

    lines: tuple[OrderLine, ...]
    below: int = 0
    polite: tuple[OrderLine, ...] = ()
    passed: tuple[Passed, ...] = ()


PASSED = frozenset(
    ("half filled", "form of another", "quoted", "quoted without marks", "example", "signature", "notice", "footer")
    + ("attribution", "header block", "below end", "struck through")
)
"""What lines are taken for that are neither new nor ours."""
_FRAMED = frozenset(("quoted", "quoted without marks", "signature", "notice", "below end"))
MOST_PASSED = 200
_MARKS = re.compile(r"(?:[>|:~ ]++|[A-Z]{1,4}>)*+")

MOST_IN_BLOCKS = 500
"""The most new lines behind which an `end` can close a block; no mail of more is read."""


_OURS, _QUOTED, _EXAMPLE = Classified("ours"), Classified("quoted"), Classified("example")
_STRUCK = Classified("struck through")
_BLANK, _NEW_BLANK, _END, _BELOW_END, _REST = (
    Classified("blank"),
    Classified("blank", ""),
    Classified("end"),
    Classified("below end"),
    Classified("new"),
)


def new_lines(body: Sequence[str], ours: Iterable[str]) -> tuple[OrderLine, ...]:
    """Return the lines of a mail that its writer newly wrote, in a mail that has no blocks."""
    return written(body, ours).lines


def written(
    body: Sequence[str],
    ours: Iterable[str],
    in_block: InBlock = lambda new: False,
    us: Us = NOBODY,
    is_said: IsSaid = lambda text: False,
) -> Written:
    """
    Return what the writer of a mail newly wrote.

    Shape: `body` are the lines of the mail, `ours` the texts of our letters that it may quote; `us` says who we are,
    `is_said` which lines no client writes. A blank line belongs to the new line above it. A line that is just `end`
    ends what counts, unless a block is open there.
    """
    lines = classified(body, ours, in_block, us, is_said)
    kept = [line.new for line in lines if line.new is not None]
    while kept and not kept[-1]:
        kept.pop()
    below = sum(line is _BELOW_END for line in lines)
    passed = (_passed(text, line) for text, line in zip(body, lines, strict=True) if line.taken in PASSED)
    return Written(
        tuple(OrderLine(number, text) for number, text in enumerate(kept, 1)),
        below,
        passed=tuple(islice((one for one in passed if one.text), MOST_PASSED)),
    )


def _passed(text: str, line: Classified) -> Passed:
    said = without_blanks(_MARKS.sub("", phrases.clean(text.replace(STRUCK, "")), count=1))
    is_phone = line.taken in _FRAMED and len(said) <= LONGEST and SENT_FROM.search(said)
    return Passed(said, "phone" if is_phone else line.taken)


def classified(
    body: Sequence[str],
    ours: Iterable[str],
    in_block: InBlock = lambda new: False,
    us: Us = NOBODY,
    is_said: IsSaid = lambda text: False,
) -> list[Classified]:
    """Return what each line of a mail was taken for."""
    lines = [_line(text) for text in body]
    initials = _initials(lines)
    if initials:
        lines = [_line(text, initials) for text in body]
    known = [_known_letter(text) for text in ours]
    mine = _ours(lines, known)
    kinds = _kinds(lines, mine)
    texts = [line.bare for line in lines]
    framed = frame(texts, kinds, body, us, is_said, in_block) if "loose" in kinds else {}
    forms = form_lines(
        texts, [line.depth for line in lines], kinds, framed, [one for at in known for one in at.forms], us
    )
    rests = _wrapped_forms(lines, kinds)
    wrapped = {rest for places in rests.values() for rest in places}
    result: list[Classified] = []
    new: list[str] = []
    is_below_new = is_over = False
    for place, line in enumerate(lines):
        kind = kinds[place]
        if kind == "ours" or (kind == "quoted" and not line.is_struck and place not in forms and place not in wrapped):
            result.append(_OURS if kind == "ours" else _QUOTED)  # most lines of most mails
            is_below_new = False
            continue
        form = forms.get(place)
        one = (
            _STRUCK
            if line.is_struck
            else _REST
            if place in wrapped
            else _of_form(form)
            if form
            else _classify(line, kind, framed.get(place, ""))
        )
        if is_over and one.new is not None:
            one = _BELOW_END if line.key else _BLANK
        elif one is _NEW_BLANK and not is_below_new:
            one = _BLANK
        elif one.new is not None and line.key == "end" and not (len(new) <= MOST_IN_BLOCKS and in_block(new)):
            one, is_over = _END, True
        elif one is not _BLANK and one is not _NEW_BLANK and one is not _REST:
            is_below_new = one.new is not None
        if place in rests and not is_over:
            one = Classified("new", " ".join([one.new or "", *(lines[rest].bare for rest in rests[place])]))
        if one.new is not None:
            new.append(one.new)
        result.append(one)
    return result


def _initials(lines: Sequence[_Line]) -> str:
    """Return the initials with which a client marks what it quotes, as in "AL> defend 50", or ""."""
    seen: set[str] = set()
    for line in lines:
        match = _INITIALS.match(line.bare) if line.kind == "loose" and ">" in line.bare else None
        if match and match[1] in seen:
            return match[1]
        if match:
            seen.add(match[1])
    return ""


def _line(text: str, initials: str = "") -> _Line:
    if STRUCK in text:
        bare = phrases.clean(text.replace(STRUCK, "")).lstrip("> ")
        return _Line(text, bare, bare.replace(" ", "").casefold(), "quoted" if bare else "blank", is_struck=bool(bare))
    clean = " ".join(text.split()) if text.isascii() else phrases.clean(text)  # the same, and five times as fast
    if initials:
        clean = _unsigned(clean, initials)
    quoted = clean.startswith(">")
    bare = clean.lstrip("> ") if quoted else clean
    kind: Kind = "quoted" if quoted else "loose" if bare else "blank"
    depth = clean[: len(clean) - len(bare)].count(">") if quoted else 0
    said = _TARGET.sub("", bare) if "?subject=" in bare else bare
    return _Line(text, bare, said.replace(" ", "").casefold(), kind, depth, quoted and text.startswith(SOFT))


@lru_cache(maxsize=2048)  # letters of ours have most of their lines in common, and those are short
def _line_of_ours(text: str) -> _Line:
    return _line(text)


def _unsigned(clean: str, initials: str) -> str:
    """Take the initials from the marks of a line."""
    marks, rest = "", clean
    while rest.startswith((">", f"{initials}>")):
        marks, rest = f"{marks}>", rest.partition(">")[2].lstrip(" ")
    return f"{marks} {rest}" if marks else clean


def _kinds(lines: Sequence[_Line], mine: frozenset[int]) -> list[Kind]:
    """
    Say what is known of each line.

    Below Outlook's header block a person may have written between the lines of our letter, and the HTML does not
    tell: where little more than that block stands above the first line of ours, the other lines are loose.
    """
    kinds: list[Kind] = ["ours" if place in mine else line.kind for place, line in enumerate(lines)]
    soft = [place for place, line in enumerate(lines) if line.is_soft and line.bare]
    if any(kinds[place] == "ours" for place in soft[: MOST_HEADERS + 1]):
        for place in soft:
            kinds[place] = "loose" if kinds[place] == "quoted" else kinds[place]
    return kinds


def _of_form(form: Form) -> Classified:
    """Say what a form line is taken for."""
    return Classified("new", form.text) if form.taken == "new" else Classified(form.taken)


def _classify(line: _Line, kind: Kind, framed: str) -> Classified:
    """Say what a line that is not ours and no form line is taken for, once its surroundings are known."""
    if framed:
        return Classified(framed)
    if kind == "quoted":
        return _QUOTED
    if not line.bare:
        return _NEW_BLANK
    if line.bare.startswith(NEVER_NEW):
        return _EXAMPLE
    return Classified("new", without_blanks(line.bare if line.is_soft else line.text.rstrip()))


def _wrapped_forms(lines: Sequence[_Line], kinds: Sequence[Kind]) -> Mapping[int, Sequence[int]]:
    """Return the places of quoted form lines, each with the places of what a client wrapped off it."""
    rests: dict[int, list[int]] = {}
    form: int | None = None
    for place, line in enumerate(lines):
        if kinds[place] == "quoted" and line.bare.startswith("~"):
            form = place
        elif form is not None:
            width = len(lines[place - 1].text) + 1 + len(line.bare.partition(" ")[0])
            is_rest = kinds[place] != "ours" and line.bare and line.bare[0] not in "~|" and width >= NARROWEST
            if is_rest:
                rests.setdefault(form, []).append(place)
            else:
                form = None
    return rests


@lru_cache(maxsize=512)  # a letter of ours is answered more than once, and taking it apart costs as much as the reply
def _known_letter(text: str) -> _Known:
    lines = [line for line in map(_line_of_ours, text.split("\n")) if line.key]
    starts: dict[str, tuple[int, ...]] = {}
    marked: set[int] = set()
    ends: set[int] = set()
    offset = 0
    for line in lines:
        starts[line.key[:START]] = (*starts.get(line.key[:START], ()), offset)
        if line.kind == "quoted":
            marked.add(offset)
        offset += len(line.key)
        ends.add(offset)
    # What we quote from another person may read like an order; whoever writes the same without a mark means it.
    keys = frozenset(line.key for line in lines if line.kind != "quoted" and len(line.key) >= SHORTEST)
    short = frozenset(line.key for line in lines if len(line.key) < SHORTEST)
    joined = "".join(line.key for line in lines)
    forms = tuple(forms_of(line.bare for line in lines if line.kind != "quoted"))
    return _Known(keys, short, joined, starts, frozenset(ends), frozenset(marked), forms)


def _ours(lines: Sequence[_Line], known: Sequence[_Known]) -> frozenset[int]:
    """Return the places of lines that equal one of ours, by themselves or as a run that a client re-wrapped."""
    found = {place for letter in known for place, line in enumerate(lines) if line.key in letter.keys}
    begun = 0
    for place in range(len(lines)):
        if place < begun or place in found or not lines[place].key:
            continue
        for letter in known:
            begun = max(begun, _run(lines, place, letter))
        found.update(range(place, begun))
    short = frozenset[str]().union(*(letter.short for letter in known))
    for place in range(1, len(lines)):  # such as a name of two letters in our list of players
        if place - 1 in found and lines[place].key in short:
            found.add(place)
    return frozenset(place for place in found if not _is_reason(lines, place, found))


def _is_reason(lines: Sequence[_Line], place: int, ours: Container[int]) -> bool:
    """Say whether a line gives the reason of a new one above it, which our letters print likewise behind a ruling."""
    if lines[place].kind == "quoted" or not lines[place].key.startswith("because") or place - 1 in ours:
        return False
    return place > 0 and lines[place - 1].kind == "loose"


def _run(lines: Sequence[_Line], place: int, letter: _Known) -> int:
    """
    Return where the longest run from a line ends whose text is whole lines of ours; the line itself if none.

    A client that wraps lines, joins them, or fills paragraphs anew leaves the words and their order as they were.
    """
    best = place
    key = lines[place].key
    for start in letter.starts.get(key[:START], ()) if len(key) >= START else ():
        if start in letter.marked and lines[place].kind != "quoted":
            continue
        offset = start
        for end in range(place, min(place + LONGEST_RUN, len(lines))):
            if not letter.joined.startswith(lines[end].key, offset):
                break
            offset += len(lines[end].key)
            if offset in letter.ends and lines[end].key:
                best = max(best, end + 1)
    return best
