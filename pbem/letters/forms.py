"""The lines of our forms, `~ attack ____ ____`, as they come back: filled in, half, not at all, or by somebody else."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, TypeAlias

from pbem.letters.blocks import Kind
from pbem.letters.heads import Us

MARK = "~"
LONGEST = 200
"""Characters of the longest line that is held against our forms."""
Taken: TypeAlias = Literal["new", "form", "half filled", "form of another"]

_BLANK = re.compile(r"_{2,}")
_ATTACHED = re.compile(r"(?<=[^\s_])_{2,}|_{2,}(?=[^\s_])")
"""A blank with something typed right before it or behind it, which is left over."""
_EDGES = re.compile(r"(?<!\S)_+(?=[^\s_])|(?<=[^\s_])_+(?!\S)")
"""What is left of a blank round what was typed into its middle."""
_BULLET = re.compile(r"^[-*\u2022]\s+")
"""What a program or a person makes of the mark of a form line."""
_COMMENT = re.compile(r"\s+#.*$")
_ADDRESS = re.compile(r"[\w.+=-]+@[\w.-]+\w", re.ASCII)


class Form(NamedTuple):
    """A form line that came back: what it is taken for, and what was filled in."""

    taken: Taken
    text: str


def forms_of(lines: Iterable[str]) -> Iterator[re.Pattern[str]]:
    """
    Return a pattern for each line of a letter of ours that has blanks to fill in, without its mark.

    Shape: a group for each blank, and one for what was typed behind our comment.
    """
    for line in lines:
        if not line.startswith(MARK):
            continue
        form = _COMMENT.sub("", line.removeprefix(MARK)).strip()
        comment = _COMMENT.search(line)
        if _BLANK.search(form):
            words = [_spaced(part) for part in _BLANK.split(form)]
            behind = _spaced(comment[0].strip()) if comment else "#"
            yield re.compile(f"{'(.+?)'.join(words)}(?:\\s+{behind}(.*)|\\s+#.*)?", re.IGNORECASE)


def _spaced(text: str) -> str:
    return re.escape(text).replace("\\ ", r"\s+")


def without_blanks(text: str) -> str:
    """Strip the blanks that are left right beside what was typed into them."""
    return _ATTACHED.sub("", text) if "__" in text and re.search(r"[^\s_]", text) else text


def form_lines(
    texts: Sequence[str],
    depths: Sequence[int],
    kinds: Sequence[Kind],
    framed: Mapping[int, str],
    forms: Sequence[re.Pattern[str]],
    us: Us,
) -> Mapping[int, Form]:
    """
    Find the form lines of a mail, by their places.

    Shape: `texts` are the lines without quote marks, `depths` count these; `framed` are the lines that a client wrote,
    `forms` the patterns of the letters that may be quoted, and `us` says who we are.
    They count where our letter itself is quoted, and what the writer typed; not in a mail that it quotes in turn, nor
    below a head that names somebody else. A form line whose mark was typed over counts between lines of our letter.
    """
    marked = [
        place
        for place, text in enumerate(texts)
        if text.startswith(MARK) and text.strip(f"{MARK} ") and kinds[place] != "ours"
    ]
    ours = [place for place, kind in enumerate(kinds) if kind == "ours"]
    typed_over = sorted(
        {
            *_typed_over(texts, kinds, forms, range(len(texts))),
            *_typed_over(texts, kinds, forms, range(len(texts))[::-1]),
        }
    )
    level = _level([depths[place] for place in ours or marked], ours, depths)
    nested = (place for place, text in enumerate(texts) if text and 0 < depths[place] < level)
    first_nested, first_anothers = next(nested, len(texts)), _first_of_another(texts, kinds, framed, us)
    found: dict[int, Form] = {}
    for place in (*marked, *typed_over):
        form = _read(texts[place], forms)
        is_far = depths[place] not in (0, level) or (depths[place] == level and first_nested < place)
        is_anothers = is_far or first_anothers < place
        found[place] = Form("form of another", form.text) if is_anothers and form.taken == "new" else form
    return found


def _typed_over(
    texts: Sequence[str], kinds: Sequence[Kind], forms: Sequence[re.Pattern[str]], places: range
) -> Iterator[int]:
    """Find the filled lines without their mark that follow a line of ours, or one another, in either direction."""
    is_next = False
    for place in places:
        if kinds[place] == "ours":
            is_next = True
        elif texts[place] and not texts[place].startswith(MARK):
            is_next = is_next and kinds[place] == "quoted" and _is_filled(texts[place], forms)
            if is_next:
                yield place


def _level(found: Sequence[int], ours: Sequence[int], depths: Sequence[int]) -> int:
    """
    Return how deep our letter is quoted, where it is quoted in the shallowest way.

    Shape: a client that wraps what it quotes may leave the marks off what it wrapped, never from two lines in a row.
    """
    if any(before + 1 == place and depths[before] == depths[place] == 0 for before, place in pairwise(ours)):
        return 0
    return min((depth for depth in found if depth), default=0)


def _read(text: str, forms: Sequence[re.Pattern[str]]) -> Form:
    """Say whether a form line is filled in, half, or as it was."""
    whole = text.removeprefix(MARK)
    said = _typed(whole)
    blanks = len(_BLANK.findall(said))
    if not blanks:
        return Form("new", _without_edges(whole))  # a bullet may be the writer's own
    filled = [match for form in forms if len(said) <= LONGEST and (match := form.fullmatch(said))]
    is_half = any(any((group or "").strip(" _") for group in match.groups()) for match in filled)
    return Form("half filled" if is_half else "form", said)


def _is_filled(text: str, forms: Sequence[re.Pattern[str]]) -> bool:
    """Say whether a line is one of a form, with something in each of its blanks."""
    said = _typed(text)
    if len(said) > LONGEST or _BLANK.search(said):
        return False
    return any(
        (match := form.fullmatch(said)) and all(group.strip() for group in match.groups()[:-1]) for form in forms
    )


def _typed(text: str) -> str:
    """Return what was typed into a form line, without what is left of its blanks and a bullet in place of its mark."""
    return _BULLET.sub("", _without_edges(text), count=1)


def _without_edges(text: str) -> str:
    return _EDGES.sub("", without_blanks(text).strip())


def _first_of_another(texts: Sequence[str], kinds: Sequence[Kind], framed: Mapping[int, str], us: Us) -> int:
    """
    Return where the first head of somebody else begins, else the end.

    It begins with an address that is not ours; where no line of ours is found, it is enough that it names us not.
    """
    places = sorted(place for place, taken in framed.items() if taken in ("attribution", "header block"))
    for _, group in groupby(enumerate(places), lambda one: one[1] - one[0]) if us.address else ():
        head = [place for _, place in group]
        lines = [texts[place] for place in head]
        # An address may be torn anywhere, or stand right behind a name.
        first = [
            match[0] for how in (" ".join(lines), "".join("".join(lines).split())) if (match := _ADDRESS.search(how))
        ]
        is_nameless = not first and "ours" not in kinds and not us.is_named_in(" ".join(lines)) and bool(us.name)
        if is_nameless or (first and not any(map(us.wrote_from, first))):
            return head[0]
    return len(texts)
