"""
Entries of the first format, in which rulings, requests and press were words: read into the values of today.

Frozen: it holds the words as that format had them, whatever rulings and requests are called since, so it imports
nothing of theirs. Journals are never rewritten; what was written so is read so for ever.
"""

import re
from collections.abc import Mapping
from typing import Any

from pbem.ground.terms import ShelfError
from pbem.language import phrases

_FIXED = ("hold", "close now", "begin", "pause", "resume", "invite again")
_UNITS = {"day": 24 * 60, "days": 24 * 60, "h": 60, "min": 1}
_EACH = " each round"


def entry(body: dict[str, Any], where: str) -> dict[str, Any]:
    """
    Return an entry's values as those of today.

    Shape: plain TOML values in and out; `where` is file and line.
    Errors: ShelfError with what cannot be read.
    """
    if "rulings" in body:
        raise _unread("the list of rulings", body["rulings"], where)
    if body.get("kind") == "RulingGiven":
        lines = _texts(body.pop("lines", []), where)
        reasons = _texts(body.pop("reasons", [""] * len(lines)), where)
        if len(lines) != len(reasons):
            raise _unread("the list of reasons", reasons, where)
        body["rulings"] = [ruling(*one, where) for one in zip(lines, reasons, strict=True)]
    if "requests" in body:
        body["requests"] = [request(line, where) for line in _texts(body["requests"], where)]
    if "press" in body:
        words = _texts(body["press"], where)
        if len(words) % 2:
            raise _unread("the press", words, where)
        pairs = zip(words[::2], words[1::2], strict=True)
        body["press"] = [{"to": to if to == "all" else to.split(), "text": text} for to, text in pairs]
    return body


def _texts(found: Any, where: str) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise _unread("the list", found, where)
    return found


def ruling(line: str, because: str, where: str) -> dict[str, Any]:
    """Return the values of a ruling that was kept as a line, with its reason apart."""
    found = _ruling(line)
    if found is None:
        raise _unread("the ruling", line, where)
    return {**found, "because": because} if because else found


def _ruling(line: str) -> dict[str, Any] | None:
    if line in _FIXED:
        return {"verb": line}
    verb, _, rest = line.partition(" ")
    match verb:
        case "approve" if rest.isdecimal():
            return {"verb": verb, "proof": int(rest)}
        case "undo" if rest.isdecimal():
            return {"verb": verb, "number": int(rest)}
        case "overrule" | "set":
            key, equals, value = rest.rpartition(" = ")
            known = _value(value)
            return {"verb": verb, "key": key, "value": known} if equals and known is not None else None
        case "do" if rest:
            if not rest.endswith(_EACH):
                return {"verb": verb, "effect": rest}
            is_text = rest.startswith("reword ")  # whose words may end so, and mean it; it held in each round as well
            return {"verb": verb, "effect": rest if is_text else rest.removesuffix(_EACH), "each": True}
        case "strike":
            seat, colon, order = rest.partition(": ")
            return {"verb": verb, "seat": seat, "order": order} if colon else None
        case "order":
            seat, colon, orders = rest.partition(": ")
            return {"verb": verb, "seat": seat, "orders": list(phrases.parts(orders))} if colon else None
        case "excuse" if rest:
            return {"verb": verb, "seat": rest}
        case "extend":
            minutes = _minutes(rest)
            return None if minutes is None else {"verb": verb, "span": f"PT{minutes * 60}S"}
        case "deadline":
            match = re.fullmatch(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC", rest)
            return {"verb": verb, "instant": f"{match[1]}T{match[2]}:00Z"} if match else None
        case "note" if rest:
            return {"verb": verb, "text": rest}
    return None


def _value(text: str) -> int | bool | None:
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def _minutes(text: str) -> int | None:
    """Read a span such as `1 day 3 h 5 min`."""
    pieces = re.findall(r"(\d+) (days|day|h|min)", text)
    if not pieces or " ".join(f"{count} {unit}" for count, unit in pieces) != text:
        return None
    return sum(int(count) * _UNITS[unit] for count, unit in pieces)


def request(line: str, where: str) -> dict[str, Any]:
    """Return the values of a request that was kept as a line."""
    word, _, rest = line.partition(" ")
    found = _request(word, rest)
    if found is None:
        raise _unread("the request", line, where)
    return {"word": word, **found}


def _request(word: str, rest: str) -> dict[str, Any] | None:
    match word:
        case "status" | "preview" | "cancel" | "ready" | "wait" | "test" if not rest:
            return {}
        case "help":
            return {"about": rest} if rest else {}
        case "history":
            return {"wanted": rest} if rest else {}
        case "archive":
            return {"words": rest} if rest else {}
        case "zone" if rest:
            return {"zone": rest}
        case "standing" if rest in ("on", "off"):
            return {"is_on": rest == "on"}
        case "for":
            title, colon, orders = rest.partition(": ")
            return {"title": title, "orders": list(phrases.parts(orders))} if colon else None
    return None


def start(data: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the values of a phase's start as those of today; as with an entry."""
    standing: list[dict[str, Any]] = data.get("standing", [])
    later: Mapping[str, list[dict[str, Any]]] = data.get("later", {})
    try:
        data["standing"] = [_standing(one, where) for one in standing]
        data["later"] = {seat: [_kept(one) for one in kept] for seat, kept in later.items()}
    except (AttributeError, KeyError, TypeError):
        raise _unread("one of the values", f"standing = {standing}, later = {later}", where) from None
    return data


def _standing(ruled: dict[str, Any], where: str) -> dict[str, Any]:
    line, because = ruled.pop("line"), ruled.pop("because", "")
    return {**ruled, "ruling": ruling(line, because, where)}


def _kept(kept: dict[str, Any]) -> dict[str, Any]:
    when = kept.pop("when")
    is_kind = when.startswith("kind:")
    return {**kept, "kind": when.removeprefix("kind:")} if is_kind else {**kept, "title": when}


def _unread(what: str, line: object, where: str) -> ShelfError:
    return ShelfError(
        f'{where}: {what} "{line}" is none of the first format. Go on with the release that wrote it, or put the '
        "file back from a backup."
    )
