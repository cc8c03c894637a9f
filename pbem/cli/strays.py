"""The terminal: what became of a mail; those that were set aside, to be looked at and taken once more."""

import json
from pathlib import Path

import click
from click.exceptions import Exit

from pbem.cli.common import Unfit, as_usage_errors, iso, now, open_arena, short


@click.command()
@click.argument("message_id")
@click.pass_obj
def trace(arena: Path, message_id: str) -> None:
    """
    Tell what became of one mail, from the files alone.

    MESSAGE_ID is that of the mail, as its headers or the log have it, or of a letter of ours.
    """
    from pbem.hall.keeping import tracing

    found = tracing.story(open_arena(arena), message_id)
    if not found:
        raise Unfit(tracing.NOT_KNOWN)
    click.echo("\n".join(found))


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_context
def strays(context: click.Context, *, as_json: bool) -> None:
    """
    List mail that was set aside, or that could not act, with the reason.

    Such mail is of machines and strangers for the most part, and goes after two weeks.
    """
    from pbem.hall.keeping import strays as keeping

    if context.invoked_subcommand:
        return
    found = list(keeping.strays(open_arena(context.obj)))
    if as_json:
        rows = [{"mail": one.digest, "why": one.why, "arrived": iso(one.arrived), "from": one.sender} for one in found]
        click.echo(json.dumps(rows, indent=2))
        return
    for one in found:
        click.echo(f"{one.digest[:12]}  {short(one.arrived)}  {one.sender or '(nobody clear)'}  {one.subject[:60]!r}")
        click.echo(f"{'':12}  {one.why}")
    if not found:
        click.echo("No strays.")


@strays.command("show")
@click.argument("digest")
@click.pass_obj
def show(arena: Path, digest: str) -> None:
    """Show why a mail was set aside, and how it was read. DIGEST is how its digest begins."""
    from pbem.hall.commands import mail_reading
    from pbem.hall.keeping import strays as keeping

    opened = open_arena(arena)
    with as_usage_errors():
        name = keeping.find_digest(opened, digest)
        raw = keeping.raw(opened, name)
    click.echo(opened.shelf.read("strays", f"{name}.txt").decode("utf-8", "replace").strip() + "\n")
    click.echo(mail_reading.as_text(f"{name[:12]}.eml", mail_reading.explain(raw, opened)))


@strays.command("retry")
@click.argument("digests", nargs=-1, required=True, metavar="DIGEST...")
@click.pass_obj
def retry(arena: Path, digests: tuple[str, ...]) -> None:
    """Take strays once more, where what broke them was mended. They keep their own time of arrival."""
    from pbem.hall.keeping import strays as keeping

    opened = open_arena(arena)
    is_done = True
    for digest in digests:
        with as_usage_errors():
            name = keeping.find_digest(opened, digest)
            with opened.shelf.lock("sweep.lock"):
                done, outcome = keeping.retry(opened, name, now())
        click.echo(f"{name[:12]}  {outcome if done else f'still a stray: {outcome}'}")
        is_done &= done
    raise Exit(0 if is_done else 1)
