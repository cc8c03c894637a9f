"""Reads a power's formal lines and writes them; says of each line that cannot be what would have worked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz, process

from pbem.ruleset import Complaint, OrderLine, phrases
from pbem.rulesets.rumble.powers.language import expressions, forms, lines, sense
from pbem.rulesets.rumble.powers.language.expressions import Expression, Reader
from pbem.rulesets.rumble.powers.language.forms import Formed, Stuck
from pbem.rulesets.rumble.powers.language.lines import Ability, Does, Effects

KEYS: Mapping[str, str] = {
    "cost": "what a use takes, parted by commas",
    "at": "for a use that is made or done once all orders lie open",
    "when": "what has to happen",
    "instead": "the damage or the death that it changes before it takes effect",
    "each": "for each of whom or what it is done",
    "nth": "which time of all",
    "choose": "what the owner names",
    "if": "a test that has to hold",
    "optional": "the owner may do it, and need not",
    "ask": "a question for the moderator, so far of captions alone",
    "do": "what is done, perhaps with if and a test behind it",
}
"""The words that lines begin with, in the order in which they are written."""
_ALIKE = 70
"""How alike, of 100, a word and the first of a form must be before the form is offered alone."""
MOST_SHOWN, NEAREST = 7, 3
"""How many forms a complaint lists, and how many of more than that."""
_MANY = ("cost", "choose", "if", "do")
MOST_LINES = 40


def read(text: str) -> Effects | tuple[Complaint, ...]:
    """
    Read formal lines; a blank line, or one that says also, parts abilities.

    Errors: a complaint for each line that cannot be, with what would have been legal there.
    """
    said = _numbered(text)
    if sum(bool(line.text) for line in said) > MOST_LINES:
        return (Complaint(0, "", "illegal", f"A power has at most {MOST_LINES} lines."),)
    abilities: list[Ability] = []
    complaints: list[Complaint] = []
    for group in _groups(said):
        ability, wrong = _ability(group)
        abilities.append(ability)
        complaints += wrong
    if not abilities:
        return (Complaint(0, "", "unreadable", "There are no lines. Such as do: defence(me) += 10"),)
    return tuple(complaints) or tuple(abilities)


def said(text: str) -> Effects:
    """Return what lines say, each read by itself, whether or not they go together; nothing where one does not read."""
    found: list[Ability] = []
    for group in _groups(_numbered(text)):
        fields: dict[str, Any] = {}
        if any(isinstance(_line(line.text, fields), phrases.Unread) for line in group):
            return ()
        found.append(Ability(**fields))
    return tuple(found)


def _numbered(text: str) -> list[OrderLine]:
    return [OrderLine(number, phrases.clean(line)) for number, line in enumerate(text.split("\n"), 1)]


def line_of(text: str, place: int, key: str, part: Any) -> OrderLine:
    """Return the line in which some part of an ability stands, by the word that it begins with; else its first."""
    group = list(_groups(_numbered(text)))[place]
    for line in group:
        found = _line(line.text, {})
        if _key(line.text) == key and (found == part or (isinstance(found, tuple) and part in found)):
            return line
    return group[0]


def write(effects: Effects) -> str:
    """Write abilities as lines; `read` gives the same again."""
    return "\n\n".join("\n".join(_lines(ability)) for ability in effects)


def on_one_line(effects: Effects) -> str:
    """Write abilities on one line, for where there are no others; `from_one_line` gives the lines again."""
    return "; also; ".join("; ".join(_lines(ability)) for ability in effects)


_BEGINS = re.compile(rf"(?<![\w;])\s*(?=\b(?:{'|'.join(KEYS)})\s*:)", re.IGNORECASE)


def from_one_line(text: str) -> str:
    """Part what was written on one line, at semicolons and before each word that begins a line; not in quotes."""
    parts = re.split(r'("[^"]*")', text)
    parts[::2] = [_BEGINS.sub("\n", part.replace(";", "\n")) for part in parts[::2]]
    return "\n".join(line.strip() for line in "".join(parts).split("\n") if line.strip())


def _groups(said: Sequence[OrderLine]) -> Iterator[list[OrderLine]]:
    group: list[OrderLine] = []
    for line in (*said, OrderLine(0, "")):
        if line.text and line.text.lower() != "also":
            group.append(line)
        elif group:
            yield group
            group = []


def _ability(group: Sequence[OrderLine]) -> tuple[Ability, list[Complaint]]:
    """Read the lines of one ability; what is wrong with its parts, and then with the whole."""
    fields: dict[str, Any] = {}
    places: list[tuple[OrderLine, Any]] = []
    complaints: list[Complaint] = []
    for line in group:
        found = _line(line.text, fields)
        if isinstance(found, phrases.Unread):
            complaints.append(Complaint(line.number, line.text, found.fault, found.because))
        else:
            places.append((line, found))
    ability = Ability(**fields)
    if not complaints:
        complaints = [
            Complaint(line.number, line.text, "illegal", because)
            for line, part in places
            if (because := sense.wrong_part(ability, part))
        ]
    if not complaints and (because := sense.wrong_whole(ability)):
        complaints = [Complaint(group[0].number, group[0].text, "illegal", because)]
    return ability, complaints


def _line(text: str, fields: dict[str, Any]) -> Any | phrases.Unread:
    """Read one line into the fields of an ability, and return what it was."""
    key, (_, colon, rest) = _key(text), text.partition(":")
    if key not in KEYS or (not colon and key != "optional"):
        known = phrases.listed([f"{word}:" if word != "optional" else word for word in KEYS])
        return phrases.Unread("unreadable", f"A line begins with {known}.")
    if key in fields and key not in _MANY:
        return phrases.Unread("illegal", f"One ability has one line {key}. For another ability, leave a line blank.")
    if key == "ask":
        found: Any | phrases.Unread = _question(rest)
        _put(key, found, fields)
        return found
    tokens = expressions.tokens(rest)
    if isinstance(tokens, phrases.Unread):
        return tokens
    reader = Reader(tokens)
    found = _content(key, reader)
    if isinstance(found, phrases.Unread):
        return found
    if reader.next().kind != "end":
        equal = " Equal is written ==, as in round == 5." if reader.quoted() == '"="' else ""
        return phrases.Unread(
            "unreadable", f"I did not expect {reader.quoted()}.{equal} {_forms_of(key, rest)}".strip()
        )
    _put(key, found, fields)
    return found


def _key(text: str) -> str:
    return text.partition(":")[0].strip().lower()


def _put(key: str, found: Any, fields: dict[str, Any]) -> None:
    field = lines.FIELDS[key]
    before: tuple[Any, ...] = fields.get(field, ())
    fields[field] = (*before, *(found if key == "cost" else (found,))) if key in _MANY else found


KINDS: Mapping[str, tuple[type[Formed], ...]] = {
    "when": lines.EVENTS,
    "instead": (lines.Damage, lines.Death),
    "each": (lines.EachAttack, lines.EachHero),
    "nth": (lines.Nth,),
    "choose": (lines.Choose,),
    "do": lines.EFFECTS,
    "cost": lines.PRICES,
}
"""The forms of those lines that have any."""


def _content(key: str, reader: Reader) -> Any | phrases.Unread:
    match key:
        case "optional":
            return True
        case "at":
            return True if reader.take("reveal") else phrases.Unread("unreadable", "It is at: reveal")
        case "if":
            return expressions.read(reader, "test")
        case "cost":
            return _prices(reader)
        case "do":
            return _does(reader)
    return _formed(key, reader)


def _question(rest: str) -> str | phrases.Unread:
    match = re.fullmatch(r'\s*"([^"]*[^"\s][^"]*)"\s*', rest)
    return match[1] if match else phrases.Unread("unreadable", 'Write the question in quotes: ask: "Is it so?"')


def _formed(key: str, reader: Reader) -> Any | phrases.Unread:
    found = forms.read(reader, KINDS[key])
    if not isinstance(found, Stuck):
        return found
    if found.place:
        near = phrases.listed([*map(forms.spelled_out, found.near)])
        return phrases.Unread("unreadable", f"{found.because} It is {near}.")
    close = _meant(key, reader.next().text)
    hint = f"Did you mean {phrases.listed(close)}?" if close else _forms_of(key, reader.rest())
    return phrases.Unread("unreadable", f"I know none that begins with {reader.quoted()}. {hint}")


def _meant(key: str, word: str) -> list[str]:
    """Return the forms that begin with a word so like this one that it may have been meant."""
    shown = [forms.spelled_out(kind) for kind in KINDS[key]]
    firsts = {first for form in shown for first in re.findall(r"^[a-z]+", form)}
    close = process.extractOne(word.lower(), sorted(firsts), scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return [form for form in shown if close and re.match(rf"{close[0]}\b", form)]


def _forms_of(key: str, said: str) -> str:
    """Say which forms a line has; of many the three nearest to what was said."""
    shown = [forms.spelled_out(kind) for kind in KINDS.get(key, ())]
    if not shown:
        return ""
    if len(shown) <= MOST_SHOWN:
        return f"It is {phrases.listed(shown)}."
    near = process.extract(_shape(said), [*map(_shape, shown)], scorer=fuzz.token_sort_ratio, limit=NEAREST)
    return f"The nearest are {phrases.listed([shown[place] for _, _, place in near])}. help powers sends all of them."


def _shape(text: str) -> str:
    """Return what a form, or a line, is made of: its words, with one for all numbers and one for all heroes."""
    text = re.sub(r"\[[^]]*\]", " ", text)
    words = re.findall(r"[A-Za-z]+|[0-9]+", text)
    heroes = ("me", "hero", "heroes", "opponent", "opponents", "any", "anybody", "all", "others", "nobody")
    return " ".join(
        "number" if word.isdigit() else "heroes" if word.lower() in heroes or len(word) == 1 else word.lower()
        for word in words
    )


def _prices(reader: Reader) -> tuple[lines.Price, ...] | phrases.Unread:
    found: list[lines.Price] = []
    while True:
        price = _formed("cost", reader)
        if isinstance(price, phrases.Unread):
            return price
        found.append(price)
        if not reader.take(","):
            return tuple(found)


def _does(reader: Reader) -> Does | phrases.Unread:
    effect = _formed("do", reader)
    if isinstance(effect, phrases.Unread):
        return effect
    test: Expression | phrases.Unread | None = expressions.read(reader, "test") if reader.take("if") else None
    return test if isinstance(test, phrases.Unread) else Does(effect, test)


def _lines(ability: Ability) -> Iterator[str]:
    if ability.costs:
        yield f"cost: {', '.join(forms.write(price) for price in ability.costs)}"
    yield from (_written(key, part) for key, part in ability.rows() if key != "cost")


def _written(key: str, part: Any) -> str:
    match part:
        case Does(effect, test):
            return f"do: {forms.write(effect)}{f' if {expressions.write(test)}' if test else ''}"
        case Formed():
            return f"{key}: {forms.write(part)}"
        case str(question):
            return f'ask: "{question}"'
        case True:
            return "at: reveal" if key == "at" else key
    return f"if: {expressions.write(part)}"
