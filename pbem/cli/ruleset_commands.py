"""The terminal: the commands that rulesets offer for libraries of their own, made when they are called for."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from pbem.cli.common import Unfit, read_file

if TYPE_CHECKING:
    from pbem.ruleset import Complaint, LibraryRuleset

WIDTH = 72


def command(word: str) -> click.Command | None:
    """Make the command of this name, if a ruleset offers one."""
    from pbem.hall.commands import library

    ruleset = library.ruleset_with(word)
    if ruleset is None:
        return None
    return _pieces(ruleset) if word == ruleset.pieces[1] else _piece(ruleset)


def rows(ruleset: LibraryRuleset) -> list[tuple[str, str]]:
    """Name a ruleset's commands, each with what it does."""
    return [(word, made.get_short_help_str(80)) for word in reversed(ruleset.pieces) if (made := command(word))]


def _pieces(ruleset: LibraryRuleset) -> click.Command:
    """Make the command that lists the library."""
    from pbem.hall.commands import library

    one, many = ruleset.pieces

    @click.command(many, help=f"List the {many} of {ruleset.title} in which each WORD stands; all if there is none.")
    @click.argument("words", nargs=-1, metavar="[WORD]...")
    @click.option("--json", "as_json", is_flag=True, help="For programs, with all that is known.")
    def listed(words: tuple[str, ...], *, as_json: bool) -> None:
        rows = ruleset.search(" ".join(words))
        if as_json:
            click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        elif rows:
            click.echo(library.render(ruleset, many, {many: rows}), nl=False)
        else:
            click.echo(f"No {one} holds {' and '.join(words)}. To list all: pbem {many}")

    return listed


def _piece(ruleset: LibraryRuleset) -> click.Group:
    """Make the command that shows one piece, checks lines for another, and prints how such lines are written."""
    from pbem.hall.commands import library
    from pbem.ruleset import phrases

    one, many = ruleset.pieces
    group = click.Group(one, help=f"Look at a {one} of {ruleset.title}, or check the lines of one's own.")

    @group.command("show", help=f"Show a {one}. NAME is its name, a beginning of it, or its number in pbem {many}.")
    @click.argument("name", nargs=-1, required=True)
    @click.option("--json", "as_json", is_flag=True, help="For programs.")
    def show(name: tuple[str, ...], *, as_json: bool) -> None:
        found = ruleset.find_piece(" ".join(name))
        if isinstance(found, phrases.Unread):
            # The names of all are what the list is for.
            raise Unfit(f"{found.because.partition(' Known:')[0]} To list them: pbem {many}")
        text = (
            json.dumps(found, indent=2, ensure_ascii=False) + "\n" if as_json else library.render(ruleset, one, found)
        )
        click.echo(text, nl=False)

    @group.command("check", help=f"Check the lines of a {one} of one's own. FILE holds them; - is the standard input.")
    @click.argument("file")
    @click.option("--json", "as_json", is_flag=True, help="For programs.")
    def check(file: str, *, as_json: bool) -> None:
        found = ruleset.read_piece(_text(file))
        if not isinstance(found, str):
            wrong = [{"line": one.line, "text": one.text, "because": one.because} for one in found]
            answer = json.dumps({"complaints": wrong}, indent=2, ensure_ascii=False) if as_json else ""
            click.echo(answer or "\n".join(_complaint_text(complaint) for complaint in found))
            raise Exit(1)
        facts = ruleset.explain_piece(found)
        if as_json:
            click.echo(json.dumps({"lines": found, **facts}, indent=2, ensure_ascii=False))
            return
        click.echo(f"{found}\n\nIt reads and runs.\n")
        click.echo(library.render(ruleset, "explained", {"rows": [facts], "width": WIDTH}), nl=False)

    @group.command("manual", help=f"Print how the lines of a {one} are written.")
    def manual() -> None:
        click.echo(library.render(ruleset, "manual", ruleset.manual()), nl=False)

    return group


def _text(file: str) -> str:
    """Read a text file. Errors: Unfit where it cannot be read."""
    raw = read_file(file, "Name a text file, or - for the standard input.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = "The standard input" if file == "-" else file
        line = raw.count(b"\n", 0, error.start) + 1
        raise Unfit(f"{name} is no UTF-8 from line {line} on. Save it as UTF-8, or as plain ASCII.") from error


def _complaint_text(complaint: Complaint) -> str:
    """Write a complaint: the line that it is about, and below it what would have worked."""
    if not complaint.line:
        return textwrap.fill(complaint.because, WIDTH, break_on_hyphens=False)
    because = textwrap.fill(complaint.because, WIDTH - 2, break_on_hyphens=False)
    return f"line {complaint.line}: {complaint.text}\n{textwrap.indent(because, '  ')}"
