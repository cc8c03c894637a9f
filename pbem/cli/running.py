"""The terminal: running an arena, and looking after it."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from click.exceptions import Exit

from pbem.cli.common import Unfit, now, open_arena, progress, short

if TYPE_CHECKING:
    from pbem.hall.store.arena import Arena


@click.command()
@click.option("--now", "at_once", is_flag=True, help="Send letters at once that wait for their next try.")
@click.pass_obj
def sweep(arena: Path, *, at_once: bool) -> None:
    """Sweep once: take mail in, do what is due, send letters."""
    from pbem import daemon
    from pbem.hall.commands.status import counted
    from pbem.world.log import SILENT

    sweeper = daemon.open_daemon(open_arena(arena), SILENT)
    if at_once:
        sweeper.arena.index.outgoing.retry_now(now())
    swept = sweeper.wake()
    for trouble in swept.troubles:
        click.echo(trouble)
    if swept.mails or swept.entries or swept.sent:
        mails, entries = counted(swept.mails, "mail in", "mails in"), counted(swept.entries, "entry", "entries")
        click.echo(f"{mails}, {entries}, {counted(swept.sent, 'letter out', 'letters out')}")
    count, until = sweeper.arena.index.outgoing.waiting()
    if count and until:
        letters = counted(count, "letter waits", "letters wait")
        click.echo(f"{letters} for the mail server; next try {until:%H:%M} UTC, or at once with --now")
    elif not (swept.mails or swept.entries or swept.sent or swept.troubles):
        click.echo("Nothing to do.")
    raise Exit(1 if swept.troubles else 0)


@click.command()
@click.pass_obj
def run(arena: Path) -> None:
    """
    Sweep at every poll and every deadline, until stopped.

    It logs one line an event to the terminal. Ctrl-C or SIGTERM ends it cleanly; SIGHUP reads settings.toml anew.
    """
    from pbem import daemon
    from pbem.world import log

    sweeper = daemon.open_daemon(open_arena(arena), log.to(sys.stdout))
    seconds = sweeper.arena.settings.daemon.poll
    with suppress(OSError):
        click.echo(f"Sweeping {arena} every {seconds} s and at each deadline. Ctrl-C stops it.")
    sweeper.run()


@click.command()
@click.option("--within", default=15, show_default=True, metavar="MINUTES", help="How old the last good sweep may be.")
@click.option("--accounts", "with_accounts", is_flag=True, help="Show what became of every mail that came in, instead.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def health(arena: Path, *, within: int, with_accounts: bool, as_json: bool) -> None:
    """Say whether all is well, for monitoring: exit code 0 if so, 1 if not."""
    from pbem.hall.keeping import health as healths

    opened = open_arena(arena)
    if with_accounts:
        raise Exit(_print_accounts(opened, as_json=as_json))
    found = healths.read(opened)
    ills = healths.problems(opened, found, timedelta(minutes=within), now())
    if as_json:
        facts = msgspec.to_builtins(found) if found else {}
        click.echo(json.dumps({"well": not ills, "ills": ills, **facts}, indent=2))
    else:
        click.echo("\n".join(healths.state(found, ills) if found else ills))
    raise Exit(1 if ills else 0)


def _print_accounts(opened: Arena, *, as_json: bool) -> int:
    """Print what became of the mails; return 1 where a mail is lost, acted twice, or cannot be accounted for."""
    from pbem.hall.keeping import mail_audit

    found = mail_audit.audit(opened)
    counts = found.counts()
    wrong = bool(found.lost or found.twice or found.troubles)
    if as_json:
        ills = {name: getattr(found, name) for name in ("waiting", "lost", "twice", "troubles")}
        click.echo(json.dumps({"came": found.came, **counts, **ills}, indent=2))
        return int(wrong)
    for name, number in (*counts.items(), ("waiting", len(found.waiting))):
        click.echo(f"{number:7}  {name}")
    click.echo(f"{found.came:7}  in all")
    for digest in found.lost:
        click.echo(f"The mail {digest} is in a journal, and its bytes are gone. Put them back from a backup.")
    for digest in found.twice:
        click.echo(f"The mail {digest} has acted more than once. That is a fault of the program: report it.")
    for trouble in found.troubles:
        click.echo(trouble)
    return int(wrong)


@click.command()
@click.option(
    "--since", metavar="DATE", help="Such as 2026-11-20; the day before the last sweep that is known, if left out."
)
@click.pass_obj
def rescan(arena: Path, since: str | None) -> None:
    """
    Take mail that was done with up again, after an older backup was put back.

    What is known already changes nothing; what was lost is done again, phase by phase, as it was then.
    """
    from pbem.hall.commands import opening
    from pbem.hall.commands.status import counted
    from pbem.hall.keeping import health as healths

    opened = open_arena(arena)
    last = healths.read(opened)
    try:
        day = datetime.fromisoformat(since).replace(tzinfo=UTC) if since else None
    except ValueError:
        raise Unfit(f"--since {since}: write a date such as 2026-11-20") from None
    if day is None and last is None:
        raise Unfit("No earlier sweep is known here. Give a date: pbem rescan --since 2026-11-20")
    start = day or (last.swept - timedelta(days=1) if last else now())
    mailbox = opening.doors(opened).mailbox
    with opened.shelf.lock("daemon.lock"), opened.shelf.lock("sweep.lock"):  # no phase closes on half of the mail
        count = mailbox.unmark(start)
    mailbox.close()
    click.echo(f"{counted(count, 'mail')} since {short(start)} will be looked at again by the next sweep.")


@click.command()
@click.pass_obj
def reindex(arena: Path) -> None:
    """Make the index again from the games' folders."""
    from pbem.hall.commands import opening
    from pbem.hall.commands.status import counted
    from pbem.hall.sweep import reindexing

    opened = opening.unfilled(arena)  # else a new one would be filled twice
    # A running daemon would go on with the file that it has open, even where it was deleted.
    games = len(opened.games())
    with opened.shelf.lock("daemon.lock"), opened.shelf.lock("sweep.lock"), progress("indexed", games) as told:
        troubles = reindexing.reindex(opened, told)
    for trouble in troubles:
        click.echo(trouble, err=True)
    click.echo(f"{counted(games - len(troubles), 'game')} indexed.")
    raise Exit(1 if troubles else 0)
