"""TOML text to frozen records and back, with file, line and what was expected in every mistake; knows no game."""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime
from typing import Any, TypeVar

import msgspec
import tomli_w

from pbem.terms import CharterError

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
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        line = match[1] if match and match[1] else str(text.count("\n") + 1)
        said = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise CharterError(f'{file}, line {line}: {said}. Expected TOML such as: zone = "UTC"') from None
    except (RecursionError, ValueError) as error:
        raise CharterError(f"{file}: not readable as TOML ({error})") from None


def convert(data: dict[str, Any], kind: type[T], text: str, file: str) -> T:
    """Turn plain values into a record; `text` is where they came from, for the line of a mistake."""
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at `")
        keys = re.findall(r"[\w-]+|\[\.\.\.\]", path.strip("`$"))
        missing = re.search(r"(?:missing required field|unknown field) `([\w-]+)`", said)
        wanted = keys + ([missing[1]] if missing else [])
        place = locate(text, [key for key in wanted if key != "[...]" and not key.isdigit()])
        where = f"{file}, line {place}" if place else file
        name = ".".join(wanted)
        raise CharterError(f"{where}: {name + ': ' if name else ''}{said[:1].lower()}{said[1:]}") from None


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


def plain(record: object) -> dict[str, Any]:
    """Turn a record into plain TOML values."""
    values: dict[str, Any] = without_none(msgspec.to_builtins(record, builtin_types=_NATIVE))
    return values


def without_none(value: Any) -> Any:
    """Leave out every None of nested plain values: TOML has no word for it."""
    if isinstance(value, dict):
        return {str(key): without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [without_none(item) for item in value]
    return value
