"""What all order languages share: clean lines, continuations, names, whole numbers, conditions; knows no game."""

import operator
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeVar

import msgspec
from rapidfuzz import fuzz

from pbem.ground.terms import OrderLine

K = TypeVar("K", bound=str)

_LOOKALIKES = str.maketrans(
    {
        "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2009": " ", "\t": " ",
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
        "\u2026": "...", "\u00d7": "x", "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "",
    }
)  # fmt: skip
_CONTINUED = re.compile(r"(?:[,;:]|\b(?:else|and|or))$", re.IGNORECASE)
_CONTINUES = re.compile(r"^(?:else|and|or)\b", re.IGNORECASE)
_ELSE = re.compile(r"^else\b", re.IGNORECASE)
_OPENS = re.compile(r"\W*(?:if|when|unless|in case|should)\b", re.IGNORECASE)

MOST = 1_000_000
"""The greatest number that any order may hold; far above all Energy there ever was."""


def clean(text: str) -> str:
    """Straighten what phones and editors make of a line: curly quotes, odd blanks, long dashes, double spaces."""
    return " ".join(text.translate(_LOOKALIKES).split())


def unseen(text: str) -> str:
    """
    Name the first character that nobody can see and that could make a line read otherwise, as U+202E; "" if none.

    Control and format characters (bidirectional marks among them) and Unicode's own line ends count; tabs, a
    carriage return at the end, and what `clean` straightens silently do not.
    """
    if text.isascii() and text.isprintable():
        return ""
    for character in text.rstrip("\r").translate(_LOOKALIKES):
        if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs"):
            return f"U+{ord(character):04X}"
    return ""


LONGEST_NAME = 30
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "\u0131": "i"}
)
_GLANCE = str.maketrans("01i", "oll", " .'!-")
_ROLES = ("moderator", "gamemaster", "gm", "admin", "administrator", "system")
_SEVERAL = ("everyone", "everybody", "nobody", "no one", "none", "others", "all others", "both", "players")


def is_address(text: str) -> bool:
    """Say whether a text is one mail address, and shows all that stands in it."""
    return bool(re.fullmatch(r"[^\s@<>,;\"]+@[^\s@<>,;\"]+", text)) and not unseen(text)


def plain(name: str) -> str:
    """Return a name in small ASCII letters, as far as it can be written with them."""
    flat = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).lower().translate(_LETTERS))
    return flat.encode("ascii", "ignore").decode()


def glance(name: str) -> str:
    """
    Return what a name looks like at a glance: names that are equal so can be mistaken for one another.

    Rule: the skeleton of UTS 39, for the letters that a name can have; those of other scripts it cannot.
    """
    return plain(name).translate(_GLANCE).replace("rn", "m").replace("vv", "w")


def misleading(name: str) -> str:
    """
    Say why people, or a mail program, could take a name for something else, or "".

    Shape: what is meant is a name of a person or a hero, with NFKC done. What everybody has to type in their orders
    is in Latin letters, and so none of another script passes for one.
    """
    if len(name) > LONGEST_NAME:
        return f"That name has {len(name)} characters; {LONGEST_NAME} is the most."
    if any(unicodedata.category(letter)[0] in "CZ" and letter != " " for letter in name):
        return "That name holds characters that cannot be seen. Use letters and blanks."
    letters = [letter for letter in name if letter.isalpha()]
    figures = [figure for figure in name if figure.isnumeric()]
    if not letters or not all(plain(letter).isalpha() for letter in letters) or not "".join(figures).isascii():
        return "A name needs letters that plain mail can carry: A to Z, with accents if you like."
    if not re.fullmatch(r"\w(?:[\w '.!-]*[\w.!])?", _without_marks(name)) or "_" in name:
        return "A name is made of letters, digits, spaces and - ' . ! and ends in a letter, a digit, . or !"
    seen = glance(name)
    is_taken = seen.removeprefix("the") in map(glance, (*_ROLES, *_SEVERAL)) or glance("moderator") in seen
    return f"{name} would be mistaken for somebody else. Choose another name." if is_taken else ""


def _without_marks(name: str) -> str:
    """Take the marks off letters, at most two off each; where there are more they stay, and mislead."""
    return re.sub(r"(\w)[\u0300-\u036f]{1,2}(?![\u0300-\u036f])", r"\1", unicodedata.normalize("NFD", name))


def without_comment(text: str) -> str:
    """Cut a comment: a `#` that begins the line or follows a blank, and no number behind it, and all after it."""
    return re.sub(r"(?:^|\s)#(?![0-9]).*$", "", text).rstrip()


def joined(lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """
    Put lines that a mail client wrapped together again, cleaned, without comments and blank lines.

    A line goes on if it ends in a comma, semicolon, colon, `else`, `and`, `or`, or if the next one begins
    with `else`, `and`, `or`, one with a condition also if the next one begins with `then`; below a blank line with
    `else` alone, since a sentence may begin with the others. The joined line keeps the number of its first part.
    """
    result: list[OrderLine] = []
    open_end = is_below_blank = False
    for line in lines:
        text = clean(without_comment(line.text))
        if not text:
            open_end = open_end and bool(line.text.strip())
            is_below_blank = is_below_blank or not line.text.strip()
            continue
        is_next = (_ELSE if is_below_blank else _CONTINUES).match(text) is not None
        is_then = text[:5].lower() == "then " and bool(result) and _OPENS.match(result[-1].text) is not None
        if result and (open_end or is_next or is_then):
            result[-1] = OrderLine(result[-1].number, f"{result[-1].text} {text}")
        else:
            result.append(OrderLine(line.number, text))
        open_end, is_below_blank = bool(_CONTINUED.search(text)), False
    return tuple(result)


_OPENS = re.compile(r"\bif\b|:", re.IGNORECASE)
"""What makes a part of a line go on to its end, semicolons and all."""


def parts(text: str) -> tuple[str, ...]:
    """
    Cut a line at its semicolons, as far as the first part that has a condition or a colon.

    That part goes on to the end of the line, so a condition holds for all that stands behind it.
    """
    found = [part.strip() for part in text.split(";") if part.strip()]
    whole = next((place for place, part in enumerate(found) if _OPENS.search(part)), len(found))
    return (*found[:whole], "; ".join(found[whole:])) if whole < len(found) else tuple(found)


def without_stop(text: str) -> str:
    """Take away the full stop, exclamation mark, comma or semicolon that a phone or a habit puts behind a line."""
    return text.rstrip(" .!,;")


class Unread(msgspec.Struct, frozen=True):
    """Why a phrase could not be read: the fault, and the sentence that says what would have worked."""

    fault: Literal["unreadable", "ambiguous", "illegal"]
    because: str


def number(text: str, *, most: int = MOST) -> int | Unread:
    """
    Read a whole number in ASCII digits, 0 to `most`; a full stop and the like behind it is not looked at.

    Errors: `Unread` with words of its own for a negative, a fractional, an enormous number and no number at all.
    """
    text = clean(text)
    text = without_stop(text) or text
    if re.fullmatch(r"[0-9]+", text):
        if len(text.lstrip("0")) > len(str(most)) or int(text) > most:
            excerpt = text if len(text) <= 12 else f"{text[:9]}..."
            return Unread("illegal", f"{excerpt} is more than anybody can have. Use 0 to {most}.")
        return int(text)
    if re.fullmatch(r"-\s*[0-9]+(?:[.,][0-9]+)?", text):
        return Unread("illegal", f"{text} is below zero. Use whole numbers from 0.")
    if re.fullmatch(r"[0-9]*[.,][0-9]+|[0-9]+\s*/\s*[0-9]+", text):
        return Unread("illegal", f"{text} is not a whole number. Use whole numbers such as 20.")
    return Unread("unreadable", f'"{text}" is not a number. Write digits, such as 20.')


def value(text: str) -> int | bool | Unread:
    """Read a whole number, or yes or no."""
    if text.lower() in ("yes", "true"):
        return True
    if text.lower() in ("no", "false"):
        return False
    found = number(text)
    if isinstance(found, Unread) and found.fault == "unreadable":
        return Unread("unreadable", f'"{text}" is neither a number nor yes or no.')
    return found


def listed(names: Sequence[str], last: str = "or") -> str:
    """Write names as people do: `A, B or C`; parted by semicolons, `A; B, the First; or C`, where one has a comma."""
    if len(names) < 2:
        return "".join(names)
    if any("," in name for name in names):
        return f"{'; '.join(names[:-1])}; {last} {names[-1]}"
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def find(words: str, names: Mapping[K, str], thing: str) -> K | Unread:
    """
    Find whom or what a person named.

    Shape: `names` maps a key to the name that letters show; both may be written, in any case, and so may any
    unique beginning of the name or of one of its words; behind an article that is no part of it, whole words only.
    Where nothing is found so, titles may be short or long, blanks may be missing, and words may be left out or short.
    `thing` is the noun for the complaint ("hero").
    Errors: `ambiguous` with the candidates; `unreadable` with a did-you-mean or the list.
    """
    known = tuple(names.items())
    found = _place(words, known, thing)
    return found if isinstance(found, Unread) else known[found][0]


@lru_cache(maxsize=1024)  # what may be an order is tried in many wordings, with the same names in them
def _place(words: str, known: tuple[tuple[str, str], ...], thing: str) -> int | Unread:
    """Return the place of what was named; not its key, since one that is equal can be of another type."""
    names = dict(known)
    candidates = meant(words, known)
    if len(candidates) == 1:
        return list(names).index(candidates[0])
    if candidates:
        return Unread(
            "ambiguous",
            f'"{words}" could be {listed([names[key] for key in candidates])}. Write more of the name.',
        )
    wanted = _folded(words)
    close = max(names, key=lambda key: _likeness(wanted, _folded(names[key])), default=None)
    if close is not None and _likeness(wanted, _folded(names[close])) >= _ALIKE:
        return Unread("unreadable", f"There is no {thing} of that name. Did you mean {names[close]}?")
    those = f" Known: {listed(list(names.values()))}." if names else ""
    return Unread("unreadable", f"There is no {thing} of that name.{those}")


@lru_cache(maxsize=4096)
def meant(words: str, known: tuple[tuple[K, str], ...]) -> tuple[K, ...]:
    """Return the keys whose names words may stand for, as `find` has it: of several none is more likely."""
    wanted = _folded(words)
    exact = tuple(key for key, name in known if wanted in (_folded(name), _folded(key)))
    begins = exact or tuple(key for key, name in known if wanted and _begins(wanted, _folded(name)))
    bare = wanted.removeprefix("the ").strip()
    whole = begins or tuple(key for key, name in known if bare and _has_words(bare, _folded(name)))
    return whole or tuple(key for key, name in known if _is_short_for(wanted, _folded(name)))


_ALIKE = 60
"""How alike, of 100, what was said and a name must be before the name is offered."""


@lru_cache(maxsize=4096)
def _likeness(words: str, name: str) -> float:
    """Compare letter by letter with the whole name and with each of its words, so short names are like few."""
    return max(fuzz.ratio(words, part) for part in (name, *name.split()))


@lru_cache(maxsize=4096)
def _folded(name: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", clean(name)) if not unicodedata.combining(c))
    return plain.casefold().replace("-", " ").strip(" .'\"")


def _begins(wanted: str, name: str) -> bool:
    words = name.split()
    if any(" ".join(words[start:]).startswith(wanted) for start in range(len(words))):
        return True
    said, whole = _titled(wanted), _titled(name)
    return bool(said) and " ".join(whole).startswith(" ".join(said))


def _has_words(wanted: str, name: str) -> bool:
    return f" {wanted} " in f" {name} "


TITLES = {
    "dr": "doctor", "mr": "mister", "mrs": "missus", "prof": "professor", "capt": "captain", "cpt": "captain",
    "cap": "captain", "sgt": "sergeant", "lt": "lieutenant", "col": "colonel", "gen": "general", "maj": "major",
    "cmdr": "commander", "adm": "admiral", "st": "saint", "jr": "junior", "sr": "senior",
}  # fmt: skip
"""Short titles, and what they are short for."""


@lru_cache(maxsize=4096)
def _is_short_for(wanted: str, name: str) -> bool:
    """
    Say whether words are a name with its title short or long, without its blanks, or with words short or left out.

    Shape: of several words each begins one of the name, in their order, and one of them is written out.
    """
    said, whole = _titled(wanted), _titled(name)
    if len(wanted) > 3 and "".join(wanted.split()) == "".join(name.split()):
        return True
    left = iter(whole)
    is_in_order = all(any(word.startswith(one) for word in left) for one in said)
    return is_in_order and bool(set(said) & set(whole))


@lru_cache(maxsize=4096)
def _titled(name: str) -> tuple[str, ...]:
    """Return the words of a name, with its titles in full."""
    words = (word.strip(".'\"") for word in name.replace(".", ". ").split())
    return tuple(TITLES.get(word, word) for word in words if word)


_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip


def holds(sign: str, value: int, number: int) -> bool:
    """Say whether a value stands to a number as a sign says: <, <=, =, >= or >."""
    return _HOLDS[sign](value, number)
