"""The terminal: what each command says and takes; the work is done in the hall."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.exceptions import Exit

from pbem.terms import CharterError, GameName

if TYPE_CHECKING:
    from pbem.hall.arena import Arena
    from pbem.hall.proofs import Words

T = TypeVar("T")

EPILOG = """
\b
Exit codes: 0 done; 1 a replay differs, a ruling was refused, a sweep met
trouble, or a demo was given up; 2 the command line is wrong, or names
what is not there; 75 the disk, the mail server or another process is in
the way, try again; 78 a settings or charter file holds a mistake; 130
stopped by Ctrl-C. Whoever stops reading, as head does, is no trouble.
"""


class _Unfit(click.ClickException):
    """What the command line names is not there, or cannot be."""

    exit_code = 2


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the order in which a newcomer meets them."""
        return list(self.commands)


@click.group(cls=_Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--arena",
    default="arena",
    envvar="PBEM_ARENA",
    type=click.Path(path_type=Path),
    show_default=True,
    help="The arena's folder.",
)
@click.version_option(package_name="pbem")
@click.pass_context
def pbem(ctx: click.Context, arena: Path) -> None:
    """
    Moderates games that are played by mail.

    Mail comes in, orders are applied, reports go out; a human moderator overrules by replying. To see a whole
    game in a minute, with no account and no server: pbem demo
    """
    ctx.obj = arena


@pbem.command()
@click.option("--play", is_flag=True, help="Take one of the seats yourself.")
@click.option(
    "--how",
    type=click.Choice(["editor", "lines", "mail"]),
    default="editor",
    show_default=True,
    help="With --play: answer in your editor, line by line here, or with a mail client that opens a Maildir.",
)
@click.option("--seed", default="ember", show_default=True, help="Any word; the same word gives the same game.")
@click.option(
    "--letters",
    type=click.Choice(["some", "all", "none"]),
    default="some",
    show_default=True,
    help="Which letters to show whole: each kind once with every report, all, or none.",
)
@click.pass_obj
def demo(arena: Path, *, play: bool, how: Any, seed: str, letters: str) -> None:
    """Play a whole game through an embedded mail server, told here."""
    from pbem import demo as demonstration

    root = arena if arena != Path("arena") else Path("demo-arena")
    seat = demonstration.at_terminal(click.echo, click.edit, click.prompt, how) if play else None
    identical = demonstration.play(root, seed, click.echo, letters=letters, seat=seat)
    raise Exit(0 if identical else 1)


@pbem.command()
@click.argument("ruleset")
@click.argument("game")
@click.option("--moderator", required=True, metavar="ADDRESS", help="Who rules.")
@click.option("--invite", multiple=True, metavar="ADDRESS", help="Who is asked to play; as often as you like.")
@click.option("--seats", type=int, help="Seats; as many as are invited, if left out.")
@click.option("--zone", default="UTC", show_default=True, help="The game's own zone, such as Europe/London.")
@click.option("--calendar", multiple=True, metavar="KIND=RULE", help='Such as round="every Tue and Fri 20:00".')
@click.option("--reminders", metavar="SPANS", help="Before the deadline, such as 24h,3h; none for none.")
@click.option("--grace", metavar="SPAN", help="How long a deadline waits for who has not moved; 0h if left out.")
@click.option("--house", multiple=True, metavar="NAME=VALUE", help="A house rule other than its default.")
@click.option("--close", type=click.Choice(["when ready", "at deadline"]), default="when ready", show_default=True)
@click.option("--press", type=click.Choice(["public", "private", "none"]), default="public", show_default=True)
@click.option("--review", multiple=True, metavar="KIND", help="Kinds of phase whose proof waits for the moderator.")
@click.pass_obj
def new(arena: Path, /, ruleset: str, game: str, **given: Any) -> None:
    """Found a game and invite its players: pbem new rumble ember-7."""
    from pbem.hall import founding, looking

    opened = _open(arena)
    name = _fit(lambda: founding.game_name(opened, game))
    invited = _fit(lambda: founding.addresses(given["invite"]))
    moderator = _fit(lambda: founding.address(given["moderator"]))
    terms: dict[str, Any] = {key: given[key] for key in ("zone", "close", "press")}
    if given["review"]:
        terms["review"] = tuple(kind for kind in given["review"] if kind != "none")
    with opened.shelf.lock("sweep.lock"):
        charter = founding.found_game(
            opened,
            name,
            ruleset,
            moderator=moderator,
            invited=invited,
            seats=given["seats"] or len(invited),
            now=_now(),
            house=dict(_pairs(given["house"], "--house")),
            calendar=_calendar(given),
            **terms,
        )
    click.echo(opened.shelf.read("games", name, "charter.toml").decode())
    letters = looking.counted(len(invited), "invitation")
    click.echo(f"{name} waits for {looking.counted(charter.seats, 'player')}. The next sweep sends {letters}.")


def _fit(check: Callable[[], T]) -> T:
    """Check a word of the command line; a mistake in it is none of a file."""
    try:
        return check()
    except CharterError as error:
        raise _Unfit(str(error)) from None


def _calendar(given: dict[str, Any]) -> dict[str, Any]:
    """Put together what the charter's [calendar] says other than its defaults."""
    found: dict[str, Any] = {}
    rules = dict(_pairs(given["calendar"], "--calendar"))
    for name in rules.keys() & {"reminders", "grace"}:
        raise click.UsageError(f"{name} is no kind of phase. Write --{name} {rules[name]}")
    if rules:
        found["rules"] = {"default": "72h after opening", **rules}
    if given["reminders"]:
        spans = [span.strip() for span in given["reminders"].split(",")]
        found["reminders"] = [span for span in spans if span not in ("", "none")]
    if given["grace"]:
        found["grace"] = given["grace"]
    return found


def _pairs(given: tuple[str, ...], option: str) -> list[tuple[str, str]]:
    pairs = []
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"{option} {text}: write {option} NAME=VALUE")
        pairs.append((name.strip(), value.strip()))
    return pairs


@pbem.command()
@click.pass_obj
def sweep(arena: Path) -> None:
    """Sweep once: take mail in, do what is due, send letters."""
    from pbem import daemon

    sweeper = daemon.opened(arena, click.echo)
    swept = sweeper.wake()
    waiting = sweeper.waiting()
    if waiting:
        click.echo(waiting)
    elif not (swept.mails or swept.entries or swept.sent or swept.troubles):
        click.echo("Nothing to do.")
    raise Exit(1 if swept.troubles else 0)


@pbem.command()
@click.pass_obj
def run(arena: Path) -> None:
    """Sweep at every poll and every deadline, until stopped."""
    from pbem import daemon

    daemon.opened(arena, click.echo).run()


@pbem.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def games(arena: Path, *, as_json: bool) -> None:
    """List the games of the arena."""
    rows = _open(arena).index.games()
    if as_json:
        plain = [
            {"name": r.name, "ruleset": r.ruleset, "phase": r.title, "status": r.status, "deadline": _iso(r.deadline)}
            for r in rows
        ]
        click.echo(json.dumps(plain, indent=2))
        return
    if not rows:
        click.echo("No games yet. To found one: pbem new RULESET GAME --moderator ADDRESS --invite ADDRESS ...")
    table = [("GAME", "RULES", "PHASE", "STATE", "DEADLINE")] if rows else []
    table += [(row.name, row.ruleset, row.title, row.status, _short(row.deadline)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip())


@pbem.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def show(arena: Path, game: str, *, as_json: bool) -> None:
    """Show how a game stands, and who has moved (not what)."""
    from pbem.hall import looking

    facts = looking.standing(_open(arena), _known(arena, game))
    click.echo(json.dumps(facts, indent=2, default=_iso) if as_json else looking.told(facts))


@pbem.command()
@click.argument("game")
@click.argument("lines", nargs=-1, required=True)
@click.option("--phase", type=int, required=True, help="The number of the phase that it is about (pbem show).")
@click.pass_obj
def rule(arena: Path, game: str, lines: tuple[str, ...], phase: int) -> None:
    """
    Rule as the moderator, as by letter.

    It takes the lines that a letter takes: pbem rule ember-7 --phase 3 "extend 24h because snow"
    """
    from pbem.hall import looking

    opened = _open(arena)
    with opened.shelf.lock("sweep.lock"):
        echo, taken = looking.rule(opened, _known(arena, game), phase, lines, _now())
    click.echo(echo)
    raise Exit(0 if taken else 1)


@pbem.command()
@click.argument("game")
@click.pass_obj
def replay(arena: Path, game: str) -> None:
    """
    Replay a game from its charter and compare every file.

    GAME is a name in the arena, or any game's folder.
    """
    from pbem.hall import looking, proofs

    folder, seed = _folder(arena, game)
    phases = entries = skipped = 0
    for phase in proofs.replay(folder, _rulesets(), _words(), seed):
        files = looking.counted(phase.compared, "file")
        taken = looking.counted(phase.entries, "entry", "entries")
        click.echo(f"{phase.folder}  {phase.title:<16} {taken:>11}, {files} the same")
        if phase.difference:
            click.echo(phase.difference)
            raise Exit(1)
        phases, entries, skipped = phases + 1, entries + phase.entries, skipped + phase.skipped
    if skipped:
        were = "report was" if skipped == 1 else "reports were"
        click.echo(f"{skipped} {were} told in other words than ours and not compared.")
    click.echo(looking.identical(entries, phases))


@pbem.command()
@click.argument("game")
@click.option("--phase", type=int, help="The number of a phase; the latest report if left out.")
@click.pass_obj
def report(arena: Path, game: str, phase: int | None) -> None:
    """
    Print the public report of a phase.

    GAME is a name in the arena, or any game's folder.
    """
    from pbem.hall import looking

    folder, _ = _folder(arena, game)
    found = looking.reports(folder)
    if phase is not None and phase not in found:
        raise _Unfit(f"{game} has no report of phase {phase}. Phases with one: {', '.join(map(str, found))}")
    click.echo(found[max(found) if phase is None else phase].read_text(encoding="utf-8"), nl=False)


@pbem.command()
@click.pass_obj
def reindex(arena: Path) -> None:
    """Make the index again from the games' folders."""
    from pbem.hall import looking, reindexing

    opened = _open(arena)
    with opened.shelf.lock("sweep.lock"):
        troubles = reindexing.reindex(opened)
    for trouble in troubles:
        click.echo(trouble, err=True)
    click.echo(f"{looking.counted(len(opened.games()) - len(troubles), 'game')} indexed.")
    raise Exit(1 if troubles else 0)


def _open(arena: Path) -> Arena:
    from pbem.hall import opening

    return opening.arena(arena)


def _known(arena: Path, game: str) -> GameName:
    if not (arena / "games" / game / "charter.toml").is_file():
        raise _Unfit(f"There is no game called {game} in {arena}. To list them: pbem games")
    return GameName(game)


def _folder(arena: Path, game: str) -> tuple[Path, bytes | None]:
    """Take a game's name in the arena, with its sealed seed, or any game's folder."""
    folder = Path(game)
    if (folder / "charter.toml").is_file():
        return folder.resolve(), None
    name = _known(arena, game)
    seed = arena / "secrets" / f"{name}.seed"
    return (arena / "games" / name).resolve(), seed.read_bytes() if seed.is_file() else None


def _rulesets() -> Any:
    from pbem.hall.catalogue import rulesets_known

    return rulesets_known()


def _words() -> Words:
    from pbem.hall import opening

    return opening.words()


def _now() -> datetime:
    from pbem.world.clock import SystemClock

    return SystemClock().now()


def _short(instant: datetime | None) -> str:
    return f"{instant:%a %Y-%m-%d %H:%M} UTC" if instant else "-"


def _iso(instant: datetime | None) -> str | None:
    return instant.astimezone(UTC).isoformat() if instant else None
