"""The terminal: a new arena, asked for in a dialogue, and the doctor who looks it over."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
import msgspec
from click.exceptions import Exit

from pbem.cli.common import as_usage_errors, now, open_arena
from pbem.ground.terms import ShelfError

if TYPE_CHECKING:
    from pbem.hall.keeping.providers import Provider
    from pbem.hall.store.arena import Arena
    from pbem.world.settings import ImapSettings, MaildirSettings, OauthSettings, OutboxSettings, Settings, Tls

PORT = click.IntRange(1, 65535)
PASSWORD = "secrets/password"  # noqa: S105  a file's name
PATIENCE = 15
"""Seconds that the doctor waits for a mail server to answer."""
SWEEP = 20
"""Seconds that the doctor waits for a sweep of the daemon to end."""


@click.command()
@click.pass_obj
def init(arena: Path) -> None:
    """
    Set up an arena: asks for its mail account, and looks it over.

    Run again, it mends an answer: Enter keeps each of the others. What is not asked stays as it is in settings.toml.
    """
    from pbem.hall.keeping import new_arena
    from pbem.world import settings

    before = settings.read(arena) if new_arena.is_there(arena) else None
    if before:
        click.echo(f"{arena.resolve()} is set up already. Enter keeps what it has; Ctrl-C changes nothing.\n")
    else:
        click.echo(f"A new arena in {arena.resolve()}. Enter takes what stands in [brackets].\n")
    wanted, secrets = _ask_settings(arena, before)
    if before:
        kept = new_arena.mend_arena(arena, wanted, secrets)
        click.echo(f"\n{arena / 'settings.toml'} is written; as it was before, it is in {kept.name}.")
        click.echo("A running daemon reads it again on SIGHUP (systemctl reload pbem). The doctor looks it over.\n")
    else:
        new_arena.found_arena(arena, wanted, secrets)
        click.echo(f"\n{arena / 'settings.toml'} is written. The doctor looks it over.\n")
    raise Exit(0 if _look_over(arena) else 1)


def _ask_settings(arena: Path, before: Settings | None) -> tuple[Settings, dict[str, str]]:
    """Ask for what settings hold; what they were before is offered, and whatever is not asked stays."""
    from pbem.world.settings import ArenaSettings, Settings

    here = before.arena if before else ArenaSettings(address="", zone=_zone_here())
    address = _ask("The address that players write to", here.address or None, check=_address)
    provider = _provider(address, before)
    name = _ask("What the arena is called in letters", here.name)
    moderator = _ask(
        "Your own address, for what is odd (none for none)",
        here.moderator or "none",
        check=lambda answer: "none" if answer.strip() == "none" else _address(answer),
    )
    zone = _ask("Your time zone", here.zone, check=_zone)
    secrets: dict[str, str] = {}
    mailbox, outbox, oauth = _account(arena, address, provider, secrets, before)
    question = "Does mail to name+anything arrive there too?"
    plus = provider.plus if provider else click.confirm(question, default=here.plus)
    known = {"name": name, "moderator": "" if moderator == "none" else moderator, "zone": zone, "plus": plus}
    arena_settings = msgspec.structs.replace(here, address=address, **known)
    wanted = Settings(arena=arena_settings, mailbox=mailbox, outbox=outbox, oauth=oauth)
    return msgspec.structs.replace(wanted, daemon=before.daemon) if before else wanted, secrets


@click.command()
@click.option(
    "--list",
    "mailing_list",
    default="",
    metavar="ADDRESS",
    help="Post a letter to a mailing list, and look at the copy.",
)
@click.pass_obj
def doctor(arena: Path, mailing_list: str) -> None:
    """Look an arena over: files, mailbox, sending, plus addressing, clock."""
    raise Exit(0 if _look_over(arena, mailing_list) else 1)


def _look_over(arena: Path, mailing_list: str = "") -> bool:
    from pbem.hall.commands import founding, opening
    from pbem.hall.keeping import doctor as doctors
    from pbem.hall.keeping import lists

    opened = open_arena(arena)
    with as_usage_errors():
        mailing_list = mailing_list and founding.address(mailing_list)
    doors = opening.doors(opened, patience=PATIENCE)
    ill = 0
    with _between_sweeps(opened):
        found = doctors.look_over(opened, doors, time.sleep, PATIENCE)
        of_list = lists.look_over(opened, doors, mailing_list, time.sleep) if mailing_list else ()
        for finding in chain(found, of_list):
            click.echo(f"{'ok ' if finding.is_well else 'BAD'}  {finding.what:<10}  {finding.seen}")
            if not finding.is_well:
                ill += 1
                click.echo(f"     {'':<10}  -> {finding.todo}")
        doors.mailbox.close()
        doors.outbox.close()
    if not ill:
        click.echo("\nAll is well. To found a game: pbem new RULESET GAME --moderator ADDRESS --invite ADDRESS ...")
    return not ill


@contextmanager
def _between_sweeps(opened: Arena) -> Iterator[None]:
    """Keep the daemon from taking the letter to ourselves; wait for a sweep that is under way."""
    with ExitStack() as held:
        for left in reversed(range(SWEEP)):
            try:
                held.enter_context(opened.shelf.lock("sweep.lock"))
                break
            except ShelfError:
                if not left:
                    raise
                time.sleep(1)
        yield


def _ask(text: str, default: str | None = None, check: Callable[[str], str] = str.strip) -> str:
    """Ask until the answer can be; `check` returns it as it is meant, or says why it cannot."""
    answer: str = click.prompt(text, default=default, value_proc=check)
    return answer


def _address(answer: str) -> str:
    answer = answer.strip()
    if not re.fullmatch(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+", answer):
        raise click.BadParameter("write one mail address, such as arena@example.org")
    return answer


def _zone(answer: str) -> str:
    try:
        return ZoneInfo(answer.strip()).key
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise click.BadParameter("write an IANA zone, such as Europe/London or Asia/Tokyo") from None


def _zone_here() -> str:
    try:
        import tzlocal

        return str(tzlocal.get_localzone_name())
    except ValueError:  # a machine that does not say where it is
        return "UTC"


def _certificates(answer: str) -> str:
    answer = answer.strip()
    if answer != "none" and not Path(answer).is_file():
        raise click.BadParameter(f"there is no file {answer}")
    return answer


def _tls(what: str, port: int, known: Tls = "tls") -> Tls:
    """Return how a port is encrypted: known ports by custom, others by asking."""
    if port in _CUSTOM:
        return _CUSTOM[port]
    answer: Tls = click.prompt(
        f"Does port {port} for {what} begin with TLS, or in clear (starttls)",
        type=click.Choice(["tls", "starttls"]), default=known if known != "none" else "tls",
    )  # fmt: skip
    return answer


_CUSTOM: dict[int, Tls] = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls", 25: "starttls"}


def _provider(address: str, before: Settings | None) -> Provider | None:
    """Find out which mail provider it is; None for a server of one's own."""
    from pbem.hall.keeping import providers

    found = providers.provider_of(address)
    hosts = [provider.name for provider in providers.PROVIDERS if before and before.outbox.host == provider.smtp]
    is_it = found is not None and (before is None or found.name in hosts)
    if found and click.confirm(f"That is {found.name}?", default=is_it):
        return found
    names = [provider.name for provider in providers.PROVIDERS]
    click.echo(f"Providers that are known here: {', '.join(names)}; and own, for any other mail server.")
    default = next(iter(hosts), "own")
    name = click.prompt("Which is it", type=click.Choice([*names, "own"]), default=default, show_choices=False)
    return providers.by_name(name)


def _account(
    arena: Path, address: str, provider: Provider | None, secrets: dict[str, str], before: Settings | None
) -> tuple[ImapSettings | MaildirSettings, OutboxSettings, OauthSettings | None]:
    """Ask for the account: where mail comes in, where it goes out, and the secrets, which go into files apart."""
    from pbem.world.settings import ImapSettings, MaildirSettings, OutboxSettings

    out = before.outbox if before else OutboxSettings()
    known = before.mailbox if before else None
    is_imap = not isinstance(known, MaildirSettings)
    if provider is None and not click.confirm(
        "Is the mailbox on an IMAP server (no: a Maildir here)?", default=is_imap
    ):
        there = str(arena / known.path) if isinstance(known, MaildirSettings) else str(arena / "Maildir")
        maildir = _ask("The Maildir that the mail server delivers to", there)
        host = _ask("The mail server that takes our letters", out.host)
        return MaildirSettings(path=str(Path(maildir).resolve())), msgspec.structs.replace(out, host=host), None
    if provider:
        click.echo(f"\n{provider.needs}\n")
    domain = address.rpartition("@")[2]
    box = known if isinstance(known, ImapSettings) else ImapSettings(kind="imap", host=f"mail.{domain}", port=993)
    imap = provider.imap if provider else _ask("IMAP server", box.host)
    imap_port = provider.imap_port if provider else click.prompt("IMAP port", default=box.port, type=PORT)
    imap_tls = _tls("IMAP", imap_port, box.tls)
    mends = isinstance(known, ImapSettings)
    smtp = provider.smtp if provider else _ask("Mail server for sending", out.host if mends else imap)
    port = out.port if mends else 465
    smtp_port = provider.smtp_port if provider else click.prompt("Its port", default=port, type=PORT)
    smtp_tls = provider.smtp_tls if provider else _tls("sending", smtp_port, out.tls)
    question = "File with the certificate of a private authority (none for none)"
    ca_file = "" if provider else _ask(question, box.ca_file or "none", check=_certificates)
    ca_file = "" if ca_file in ("", "none") else str(Path(ca_file).resolve())
    user = _ask("User name there", box.user or address)
    is_same = mends and (box.host, box.user) == (imap, user)
    login, file, oauth = box.login, box.password_file, before.oauth if before else None
    by_hand = is_same and file != PASSWORD and not (provider and provider.token_url)
    if not by_hand:
        oauth = _tokens(arena, provider, secrets, before) if provider and provider.token_url else None
        login, file = ("xoauth2", "") if oauth else ("password", PASSWORD)
        if not oauth:
            _secret(arena, "Password", PASSWORD, secrets)
    dedicated = click.confirm("Is this account for the arena alone?", default=mends and box.dedicated)
    mailbox = msgspec.structs.replace(
        box, host=imap, port=imap_port, tls=imap_tls, ca_file=ca_file, user=user, login=login, password_file=file,
        dedicated=dedicated, since=box.since if is_same else now().date(),
    )  # fmt: skip
    outbox = msgspec.structs.replace(
        out, host=smtp, port=smtp_port, tls=smtp_tls, ca_file=ca_file, daily=provider.daily if provider else out.daily,
        user=out.user if is_same else user, login=out.login if by_hand else login,
        password_file=out.password_file if by_hand else file,
    )  # fmt: skip
    return mailbox, outbox, oauth


def _secret(arena: Path, what: str, file: str, secrets: dict[str, str]) -> None:
    """Ask for a secret; where its file is there already, Enter keeps it."""
    if not (arena / file).exists():
        secrets[file] = click.prompt(f"{what} (it is not shown)", hide_input=True)
    elif given := click.prompt(
        f"{what} (it is not shown; Enter keeps the one there is)", default="", show_default=False, hide_input=True
    ):
        secrets[file] = given


def _tokens(arena: Path, provider: Provider, secrets: dict[str, str], before: Settings | None) -> OauthSettings:
    """Ask for what access tokens are made with."""
    from pbem.world.settings import OauthSettings

    client = _ask("The client id of your application", before.oauth.client_id if before and before.oauth else None)
    secret = click.prompt("Its client secret (none if it has none; it is not shown)", default="none", hide_input=True)
    _secret(arena, "The refresh token", "secrets/refresh-token", secrets)
    if secret != "none":  # noqa: S105  the word that says there is none
        secrets["secrets/client-secret"] = secret
    return OauthSettings(
        token_url=provider.token_url, client_id=client, scope=provider.scope,
        refresh_token_file="secrets/refresh-token",  # noqa: S106  a file's name
        client_secret_file="secrets/client-secret" if "secrets/client-secret" in secrets else "",
    )  # fmt: skip
