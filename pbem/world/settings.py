"""The arena's settings, and the words of the letters, read from disk; knows no game."""

import re
from collections.abc import Iterator
from datetime import date
from importlib import resources
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta

from pbem.ground import records
from pbem.ground.terms import CharterError, TemplateError

Login: TypeAlias = Literal["password", "xoauth2", "oauthbearer"]
Tls: TypeAlias = Literal["none", "starttls", "tls"]


class ArenaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    Who we are.

    Shape: `plus` says whether mail to `name+anything@host` reaches us; without it the subject carries the token.
    `moderator` is told, at most daily, of what is odd with the arena as a whole; `zone` is where that person lives.
    `authserv` are the names that our own mail servers write into Authentication-Results, and no others (RFC 8601).
    """

    address: Annotated[str, Meta(examples=["arena@example.org"])]
    name: str = "Play by mail"
    plus: bool = True
    authserv: tuple[str, ...] = ()
    moderator: str = ""
    zone: str = "UTC"


class MaildirSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A local delivery folder that gets our mail and no other."""

    path: Annotated[str, Meta(examples=["/var/mail/arena"])]
    kind: Literal["maildir"] = "maildir"


class ServerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A mail server and our login there.

    Shape: `ca_file` is a PEM file of who signs the server's certificate, where the system does not know them;
    the secret is in `password_file`, printed by `token_command`, or got by what [oauth] says. Files are named
    from the arena's folder; one with a secret nobody else may be able to read.
    """

    host: Annotated[str, Meta(examples=["mail.example.org"])]
    port: Annotated[int, Meta(ge=1, le=65535)]
    tls: Tls = "tls"
    ca_file: str = ""
    user: str = ""
    login: Login = "password"
    password_file: str = ""
    token_command: tuple[str, ...] = ()


class ImapSettings(ServerSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    An account on an IMAP server.

    Shape: `processed` is the folder that mails go to once we are done with them, "" to mark them where they are.
    `dedicated` says that all mail of the account is ours; without it we touch only what is addressed to a game.
    Nothing that arrived before `since` is ours.
    """

    kind: Literal["imap"]
    port: Annotated[int, Meta(ge=1, le=65535)] = 993
    folder: str = "INBOX"
    processed: str = "Processed"
    dedicated: bool = False
    since: date | None = None
    idle: bool = True


class OutboxSettings(ServerSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The mail server that takes our letters; `daily` is the most it takes in 24 hours, 0 for no limit."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] = 25
    tls: Tls = "none"
    daily: Annotated[int, Meta(ge=0)] = 0


class OauthSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a refresh token is exchanged for access tokens (RFC 6749, 6); a new one is written to its file."""

    token_url: Annotated[str, Meta(examples=["https://oauth2.example.org/token"])]
    client_id: Annotated[str, Meta(examples=["pbem"])]
    refresh_token_file: Annotated[str, Meta(examples=["secrets/refresh-token"])]
    client_secret_file: str = ""
    scope: str = ""


class DaemonSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    Shape: `metrics` is a port on loopback for Prometheus, 0 for none.

    Units: `poll` is in seconds; `batch` is the most mails handled between two commits.
    """

    poll: Annotated[int, Meta(ge=1)] = 30
    batch: Annotated[int, Meta(ge=1)] = 200
    metrics: Annotated[int, Meta(ge=0, le=65535)] = 0


class SiteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    The pages for everybody.

    Shape: `folder` is where they are made at each report, from the arena's folder, "" for nowhere; `url` is where they
    can be read, with a slash behind it; search engines may list them where `indexed`; `deadlines` shows when open
    phases close, and makes a calendar of it.
    """

    folder: str = ""
    url: str = ""
    indexed: bool = False
    deadlines: bool = True


class ChatSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A chat in which it is said that a report is out, and how much time is left.

    Shape: `url_file` holds its address, which is a secret, on one line, and `token_file` what it asks for besides, ""
    for nothing; both are named from the arena's folder. It hears of `games`, all where none is named, or of those in
    which a `person` plays or moderates.
    """

    name: Annotated[str, Meta(pattern=r"^[\w-]{1,40}$")]
    kind: Literal["json", "discord", "matrix", "ntfy"] = "json"
    url_file: str
    token_file: str = ""
    games: tuple[str, ...] = ()
    person: str = ""


class ForumSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A forum on which games are read, and an account of ours there.

    Shape: `url` ends with a slash; `category` is the number of the one in which topics are opened; `secret_file` holds
    the password of a Misago, or the API key of a Discourse, and is named from the arena's folder.
    """

    kind: Literal["misago", "discourse"]
    url: Annotated[str, Meta(pattern=r"^https?://\S+/$")]
    user: str
    secret_file: str
    category: int


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of `settings.toml`."""

    arena: ArenaSettings
    mailbox: MaildirSettings | ImapSettings
    outbox: OutboxSettings = OutboxSettings()
    oauth: OauthSettings | None = None
    daemon: DaemonSettings = DaemonSettings()
    site: SiteSettings = SiteSettings()
    chat: tuple[ChatSettings, ...] = ()
    forum: ForumSettings | None = None


class _WithMaildir(Settings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    mailbox: MaildirSettings


class _WithImap(Settings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    mailbox: ImapSettings


S = TypeVar("S", bound=ServerSettings)
_KINDS: dict[object, type[Settings]] = {"maildir": _WithMaildir, "imap": _WithImap}
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")


def read(arena: Path) -> Settings:
    """
    Read an arena's settings.

    Errors: CharterError with file, line and what was expected; it also says how to make an arena.
    """
    path = arena / "settings.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        message = f"{path} is not there, so {arena} is no arena. To see one: pbem demo. To make one: pbem init"
        raise CharterError(message) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CharterError(f"{path} cannot be read: {error}") from None
    plain = records.parse(text, str(path))
    mailbox = plain.get("mailbox")
    kind = mailbox.get("kind", "maildir") if isinstance(mailbox, dict) else "maildir"
    if not isinstance(kind, str) or kind not in _KINDS:
        place = records.locate(text, ["mailbox", "kind"])
        raise CharterError(f"{path}, line {place}: mailbox.kind: expected one of: {', '.join(map(str, _KINDS))}")
    found = records.convert(plain, _KINDS[kind], text, str(path))
    for table, name, expected in _faults(found):
        place = records.locate(text, [table, name]) or records.locate(text, [table])
        raise CharterError(f"{path}, line {place}: {name}: expected {expected}")
    mailbox = _resolved(found.mailbox, arena) if isinstance(found.mailbox, ImapSettings) else found.mailbox
    return msgspec.structs.replace(found, mailbox=mailbox, outbox=_resolved(found.outbox, arena))


def _resolved(server: S, arena: Path) -> S:
    return msgspec.structs.replace(server, ca_file=str(arena / server.ca_file)) if server.ca_file else server


def _faults(found: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield what types cannot say: table, field, and what was expected there."""
    address = "one mail address, such as games@example.org"
    if not _ADDRESS.fullmatch(found.arena.address):
        yield "arena", "address", address
    if "+" in found.arena.address and found.arena.plus:
        yield "arena", "address", "one without a +, or plus = false beside it: a game's key goes behind the +"
    if found.arena.moderator and not _ADDRESS.fullmatch(found.arena.moderator):
        yield "arena", "moderator", address
    if not _is_zone(found.arena.zone):
        yield "arena", "zone", "an IANA zone, such as Europe/London"
    if isinstance(found.mailbox, ImapSettings):
        if not found.mailbox.user:
            yield "mailbox", "user", "the name of the account, often its whole address"
        if _folded(found.mailbox.processed) == _folded(found.mailbox.folder):
            yield "mailbox", "processed", f"a folder other than {found.mailbox.folder}, which mail is taken from"
        yield from _login_faults("mailbox", found.mailbox, found.oauth)
    yield from _login_faults("outbox", found.outbox, found.oauth)
    if found.oauth and not is_private(found.oauth.token_url):
        yield "oauth", "token_url", "an address that begins with https://"


def _folded(folder: str) -> str:
    """Return a folder's name, of which INBOX alone has no capitals (RFC 3501, 5.1)."""
    return "INBOX" if folder.upper() == "INBOX" else folder


def _login_faults(table: str, server: ServerSettings, oauth: OauthSettings | None) -> Iterator[tuple[str, str, str]]:
    ways = [bool(server.password_file), bool(server.token_command), bool(oauth)]
    if not server.user:
        return
    if server.login == "password" and not server.password_file:
        yield table, "password_file", "the file that holds the password, such as secrets/password"
    if server.login != "password" and not any(ways[1:]):
        yield table, "login", f"a token_command beside it, or a table [oauth], for {server.login}"
    if server.tls == "none" and not _is_loopback(server.host):
        yield table, "tls", f"tls or starttls: a password does not go to {server.host} in clear"


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return False
    return True


def is_private(url: str) -> bool:
    """Say whether what goes to an address is read by nobody on the way: https, or this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname or ""))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


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


def templates_of(package: str, ruleset: str) -> dict[str, str]:
    """Read the words that a ruleset keeps in its own package's folder `templates`; there may be none."""
    root = resources.files(package) / "templates"
    files = [file for file in root.iterdir() if file.name.endswith(".j2")] if root.is_dir() else []
    return {f"{ruleset}/{file.name}": file.read_text(encoding="utf-8") for file in files}
