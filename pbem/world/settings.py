"""The daemon's settings and the words of the letters, read from disk; knows no game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pbem import records
from pbem.terms import CharterError, TemplateError


class ArenaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    Who we are.

    Shape: `plus` says whether mail to `name+anything@host` reaches us; without it the subject carries the token.
    """

    address: Annotated[str, Meta(examples=["arena@example.org"])]
    name: str = "Play by mail"
    plus: bool = True


class MailboxSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where mail comes in: a Maildir, as yet."""

    path: Annotated[str, Meta(examples=["/var/mail/arena"])]
    kind: Literal["maildir"] = "maildir"


class OutboxSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The mail server that takes our letters; the password stands alone in a file that only we can read."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] = 25
    user: str = ""
    password_file: str = ""
    tls: Literal["none", "starttls", "tls"] = "none"


class DaemonSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Units: `poll` is in seconds; `batch` is the most mails handled between two commits."""

    poll: Annotated[int, Meta(ge=1)] = 30
    batch: Annotated[int, Meta(ge=1)] = 200


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of `settings.toml`."""

    arena: ArenaSettings
    mailbox: MailboxSettings
    outbox: OutboxSettings = OutboxSettings()
    daemon: DaemonSettings = DaemonSettings()


def read(arena: Path) -> Settings:
    """
    Read an arena's settings.

    Errors: CharterError with file, line and what was expected; it also says how to make an arena.
    """
    path = arena / "settings.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        said = f"{path} is not there, so {arena} is no arena. To see one: pbem demo. To make one: the README."
        raise CharterError(said) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CharterError(f"{path} cannot be read: {error}") from None
    found = records.load(text, Settings, str(path))
    if not re.fullmatch(r"[^\s@<>]+@[^\s@<>]+", found.arena.address):
        place = records.locate(text, ["arena", "address"])
        raise CharterError(f"{path}, line {place}: address: expected one mail address, such as games@example.org")
    return found


def password(settings: OutboxSettings, arena: Path) -> str:
    """Read the outbox's password from its own file, or return "". Errors: CharterError."""
    if not settings.password_file:
        return ""
    path = arena / settings.password_file
    try:
        if path.stat().st_mode & 0o077:
            raise CharterError(f"{path} can be read by others. Make it yours alone: chmod 600 {path}")
        return path.read_text(encoding="utf-8").strip("\r\n")
    except OSError as error:
        raise CharterError(f"{path} cannot be read: {error.strerror}") from None


def templates() -> dict[str, str]:
    """
    Read every word that we say: template names such as "toy/report.j2" to their source.

    They lie beside the package in a checkout, inside it in an installed wheel. Errors: TemplateError.
    """
    package = Path(__file__).resolve().parent.parent
    inside, beside = package / "templates", package.parent / "templates"
    root = inside if inside.is_dir() else beside
    found = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.j2")}
    if not found:
        raise TemplateError(f"no templates in {inside} or {beside}. Install pbem again.")
    return found
