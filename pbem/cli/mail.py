"""The terminal: looking into a mail, to see how it was read."""

import json
from pathlib import Path

import click

from pbem.cli.common import open_arena, read_file


@click.group()
def mail() -> None:
    """Look into mail that came."""


@mail.command("read")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="For programs: one object a file, each on a line.")
@click.pass_obj
def read(arena: Path, files: tuple[str, ...], *, as_json: bool) -> None:
    """
    Show how a mail was read: each line, and as what it was taken.

    FILE is a raw mail, such as those in post/in of a game; - is the standard input. Nothing is changed, and no
    arena is needed; in one, who wrote it, our letters and the game are known, as they are to the daemon.
    """
    from pbem.hall.commands import mail_reading
    from pbem.hall.keeping import new_arena

    opened = open_arena(arena) if new_arena.is_there(arena) else None
    for number, file in enumerate(files):
        raw = read_file(file, "Name a file that holds one mail.")
        found = mail_reading.explain(raw, opened)
        if as_json:
            click.echo(json.dumps({"file": file, **found}, ensure_ascii=False))
        else:
            click.echo("\n" * bool(number) + mail_reading.as_text(file, found))
