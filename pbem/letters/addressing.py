"""Whose letter it is: tokens in plus addresses or subjects, made and recognised; knows no disk and no game."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable

import msgspec

TOKEN = 16
"""Characters of a token, five bits each: 80 bits."""


class Addressed(msgspec.Struct, frozen=True):
    """
    What the recipients and the subject of a mail say: a game's name or "", and a token or "".

    Shape: `others` are the games that it was addressed to as well, or the other tags that might be a game's.
    """

    game: str
    token: str
    others: tuple[str, ...] = ()


def token(secret: bytes, game: str, phase: int, role: str) -> str:
    """
    Return the token of a role ("seat ada", "moderator", "invited p-12ab") in one phase of a game.

    It is computed, never stored: whoever holds the arena's secret can check it, nobody else can make one.
    """
    text = f"{game}/{phase}/{role}".encode()
    return _in_letters(hmac.digest(secret, text, "sha256"))


_CHECK = 8
"""Characters by which a name that we made is told from others, 40 bits."""


def name(secret: bytes, of: str, kind: str, about: str) -> str:
    """
    Return the name under which a letter of ours goes out: its game or "desk", its kind, and a digest.

    Shape: `about` tells it from all others of its kind, and counts nothing that its reader may not know.
    """
    head = f"{of}.{kind}.{_digest(secret, f'name {of} {kind}', about)}"
    return f"{head}{_digest(secret, 'ours', head)[:_CHECK]}"


def is_name(secret: bytes, text: str) -> bool:
    """Say whether a letter of ours goes out under this name."""
    head = text[:-_CHECK]
    return hmac.compare_digest(text[-_CHECK:].encode(), _digest(secret, "ours", head)[:_CHECK].encode())


def _digest(secret: bytes, what: str, text: str) -> str:
    found = hmac.digest(secret, f"{what}/{text}".encode("utf-8", "replace"), "sha256")
    return _in_letters(found)


def _in_letters(digest: bytes) -> str:
    return base64.b32encode(digest[: TOKEN * 5 // 8]).decode().lower()


def mark(secret: bytes, identity: str) -> str:
    """Return the mark that a letter of ours bears: whoever shows it has had the letter, and nobody can guess it."""
    return token(secret, identity, 0, "letter")


def normal(address: str) -> str:
    """Return the mailbox behind an address, whatever tag its owner put on it, for counting."""
    local, _, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def box(address: str) -> str:
    """Return what all addresses of one mailbox share: no tag, and no dots where a provider ignores them."""
    local, _, host = normal(address).rpartition("@")
    is_dotless = host in ("gmail.com", "googlemail.com")
    return f"{local.replace('.', '')}@gmail.com" if is_dotless else f"{local}@{host}"


def reply_address(address: str, game: str, token: str, *, plus: bool) -> str:
    """Return the address that a reply goes to: `arena+ember-7.TOKEN@host`, or the plain one."""
    name, _, host = address.rpartition("@")
    return f"{name}+{game}.{token}@{host}" if plus else address


def subject(game: str, title: str, token: str, *, plus: bool, remark: str = "") -> str:
    """Return the subject of a letter: `[ember-7] Round 3: not taken`; it carries the token where the address cannot."""
    return f"[{game}{'' if plus else f' {token}'}] {title}{f': {remark}' if remark else ''}"


GAME = r"[a-z0-9][a-z0-9-]{0,31}"
"""What a game can be called."""

_PLUS = re.compile(rf"^({GAME})\.([a-z2-7]{{{TOKEN}}})$", re.IGNORECASE)
_TAG = re.compile(rf"\[({GAME})(?:\s+([a-z2-7]{{{TOKEN}}}))?\]", re.IGNORECASE)


def addressed(recipients: Iterable[str], subject: str, address: str) -> Addressed:
    """
    Find game and token in the recipients, else in the subject: its first tag with a token, else its last tag.

    A mail client that shortens or quotes the subject may leave the game without the token, and mail servers put
    tags of their own before it; a token in the body is never looked for.
    """
    name, _, host = address.lower().rpartition("@")
    found: list[tuple[str, str]] = []
    for recipient in recipients:
        local, _, at = recipient.rpartition("@")
        user, plus, detail = local.partition("+")
        match = _PLUS.match(detail) if plus else None
        if match and user.lower() == name and at.lower() == host:
            found.append((match[1].lower(), match[2].lower()))
    if not found:
        tags = [(match[1].lower(), (match[2] or "").lower()) for match in _TAG.finditer(subject)]
        found = [tag for tag in tags if tag[1]] or tags[::-1]
    if not found:
        return Addressed("", "")
    (game, token), *rest = found
    return Addressed(game, token, tuple(dict.fromkeys(other for other, _ in rest if other != game)))


_SECRET = re.compile(rf"((?:\+{GAME}\.|\[{GAME}\s+)[a-z2-7]{{4}})[a-z2-7]{{{TOKEN - 4}}}(?=[@\]])", re.IGNORECASE)


def masked(text: str) -> str:
    """Cut each token in a text to its first four characters, so that it can be shown."""
    return _SECRET.sub(r"\1...", text)


def is_ours(sender: str, address: str) -> bool:
    """Say whether a sender is ourselves, under any plus form."""
    name, _, host = address.lower().rpartition("@")
    local, _, at = sender.lower().rpartition("@")
    return at == host and local.partition("+")[0] == name


def content_key(sender: str, token: str, message_id: str, date: str, new: Iterable[str]) -> str:
    """
    Return the key that is the same when a mail comes again: sender, token, Message-ID, Date and new text, hashed.

    Raw bytes differ by route and Message-IDs are reused, so neither alone will do.
    """
    parts = "\0".join((sender.lower(), token, message_id, date, *new))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:40]
