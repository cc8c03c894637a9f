"""TOML text to frozen records and back, with file, line and what was expected in every mistake; knows no game."""

import hashlib
import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
import tomli
import tomli_w
from rapidfuzz import fuzz, process

from pbem.ground.terms import CharterError, ShelfError

T = TypeVar("T")

_NATIVE = (datetime, date)


def load(text: str, kind: type[T], file: str) -> T:
    """
    Read TOML into a record.

    Errors: CharterError "FILE, line N: what is there and what was expected".
    """
    return convert(parse(text, file), kind, text, file)


def parse(text: str, file: str) -> dict[str, Any]:
    """Read TOML into plain values. Errors: CharterError with file and line."""
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        match = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        number = int(match[1]) if match and match[1] else len(text.rstrip("\n").split("\n"))
        message = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise CharterError(f"{file}, line {number}: {_TOML.get(message, _TOML[''].format(message))}") from None
    except (RecursionError, ValueError) as error:
        raise CharterError(f"{file}: not readable as TOML ({error})") from None


_TOML = {
    "Invalid value": "text goes in quotes; numbers are digits, and yes or no is written true or false",
    "Cannot overwrite a value": "this is set for the second time; leave one of them out",
    "": '{}. Expected TOML such as: zone = "UTC"',
}
"""What the TOML reader says, and how we say it; "" for all else."""


def convert(data: dict[str, Any], kind: type[T], text: str, file: str) -> T:
    """
    Turn plain values into a record.

    Shape: `text` is where they came from, for the line of a mistake.
    Errors: CharterError "FILE, line N: what is there and what was expected".
    """
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        keys = re.findall(r"[\w-]+", re.sub(r"\[[^]]*\]", "", path.strip("`$")))
        unknown = re.search(r"unknown field `([\w-]+)`", message)
        place = locate(text, [*keys, unknown[1]] if unknown else keys)
        where = f"{file}, line {place}" if place else file
        raise CharterError(f"{where}: {_describe(message, keys, kind)}") from None


def _describe(message: str, keys: list[str], kind: Any) -> str:
    """Say in our words what msgspec found wrong at a place in a record of this kind."""
    field = re.search(r"(missing required|unknown) field `([\w-]+)`", message)
    here = _type_at(kind, keys)
    name = ".".join(keys)
    if field and field[1] == "unknown":
        return f"there is no setting {field[2]}. {meant(field[2], _fields(here))}"
    if field:
        return _missing([*keys, field[2]], _type_at(here, [field[2]]))
    values = [str(value) for value in get_args(here)] if get_origin(here) is Literal else []
    if values:
        return f"{name}: expected one of: {', '.join(values)}"
    expected = re.search(r"Expected `([^`]+)`(?: (<=|>=|<|>) (\S+))?", message)
    if expected:
        kinds = " or ".join(_KINDS.get(part, part) for part in expected[1].split(" | "))
        bound = f", {_BOUNDS[expected[2]]} {expected[3]}" if expected[2] else ""
        return f"{name}: expected {kinds}{bound}"
    return f"{name + ': ' if name else ''}{message[:1].lower()}{message[1:]}"


_KINDS = {
    "str": "text in quotes",
    "int": "a whole number, without quotes",
    "bool": "true or false, without quotes",
    "array": 'a list such as ["24h", "3h"]',
    "object": "a table",
    "datetime": "a time such as 2026-11-24T20:00:00Z",
    "date": "a date such as 2026-12-24",
}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "above", "<": "below"}


def _missing(keys: list[str], kind: Any) -> str:
    fields = _fields(kind)
    if not fields:
        return f"{'.'.join(keys)} is missing. Expected such as: {_example(keys[-1], kind)}"
    rows = [_example(field.name, field.type) for field in msgspec.structs.fields(kind) if field.required]
    return f"[{'.'.join(keys)}] is missing. Expected such as: [{'.'.join(keys)}] and below it {' and '.join(rows)}"


def _example(name: str, kind: Any) -> str:
    meta = getattr(kind, "__metadata__", ())
    example = next((one.examples[0] for one in meta if isinstance(one, msgspec.Meta) and one.examples), "...")
    return f'{name} = "{example}"'


def _type_at(kind: Any, keys: list[str]) -> Any:
    """Return the annotation of a field within nested records, or None where there is no record."""
    for key in keys:
        found = [field.type for field in msgspec.structs.fields(kind) if field.name == key] if _fields(kind) else []
        kind = found[0] if found else None
    return kind


def _fields(kind: Any) -> list[str]:
    is_record = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return [field.name for field in msgspec.structs.fields(kind)] if is_record else []


def meant(word: str, known: Iterable[str]) -> str:
    """Say which of the known words was likely meant, or list them all."""
    names = list(known)
    close = process.extractOne(word.casefold(), names, scorer=fuzz.ratio, score_cutoff=70)
    return f"Did you mean {close[0]}?" if close else f"Known: {', '.join(names)}"


def locate(text: str, keys: list[str]) -> int:
    """Return the line, from 1, that sets the last of `keys` (found inside its tables), or 0."""
    found = 0
    lines = text.split("\n")
    start = 0
    for key in keys:
        pattern = re.compile(rf"^\s*(?:\[+.*\b{re.escape(key)}\]+|\"?{re.escape(key)}\"?\s*=)")
        for number in range(start, len(lines)):
            if pattern.match(lines[number]):
                found, start = number + 1, number
                break
    return found


def dump(record: object) -> str:
    """Write a record as TOML; fields with their default value are written too, None is left out."""
    plain = msgspec.to_builtins(record, builtin_types=_NATIVE)
    return tomli_w.dumps(without_none(plain))


def checked(text: str) -> str:
    """Put a check sum before TOML text, in a comment: only so can damage that still reads well be noticed."""
    return f"{_CHECK}{_sum(text)}. If you edit this file by hand, delete this line.\n{text}"


def is_check(line: str) -> bool:
    """Say whether a line is the one that holds a check sum."""
    return line.startswith(_CHECK)


def unchecked(text: str) -> str:
    """Return a text without the line that holds its check sum."""
    head, _, rest = text.partition("\n")
    return rest if is_check(head) else text


def intact(text: str) -> bool:
    """Say whether a text has no check sum, as those of older releases and of people, or one that fits."""
    head, _, rest = text.partition("\n")
    return not is_check(head) or head[len(_CHECK) :].startswith(f"{_sum(rest)}.")


CHANGED = (
    "is not as it was written: its check sum does not fit. Put it back from a backup; or, if somebody changed it on "
    "purpose, delete its first line."
)
"""What is said of a file that reads well and has another check sum than its own."""
_CHECK = "# Check sum "


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


FORMAT = 1
"""
Of which format our files are: people.toml, the lists of what was sent and came, the index, and of a game all but its
journal and the starts of its phases, which have a number of their own.

A file, or an entry, that says nothing of it is of the first. Who changes what a file can say, so that an older release
would read it wrongly, adds one.
"""


def newer(where: object, found: object, ours: int = FORMAT) -> str:
    """Write the error for a file of a format that we do not know."""
    return (
        f"{where} was written by a newer pbem ({found}; this one knows format {ours}). Nothing is wrong with it: go "
        "on with the newer version, or put back the copy from before the upgrade."
    )


def known(data: dict[str, Any], where: object, ours: int = FORMAT) -> dict[str, Any]:
    """Remove and check the format of a file's values. Errors: ShelfError where it is newer than ours."""
    found = data.pop("format", 1)
    if not isinstance(found, int) or found > ours:
        raise ShelfError(newer(where, f"format {found}", ours))
    return data


def plain(record: object) -> dict[str, Any]:
    """Turn a record into plain TOML values."""
    values: dict[str, Any] = without_none(msgspec.to_builtins(record, builtin_types=_NATIVE))
    return values


def without_none(value: Any) -> Any:
    """Remove every None from nested plain values, since TOML cannot write it."""
    if isinstance(value, dict):
        return {str(key): without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [without_none(item) for item in value]
    return value
