"""The terminal: what each command says and takes; the work is done in the hall."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.terms import CharterError, GameName

if TYPE_CHECKING:
    from pbem.hall.arena import Arena
    from pbem.hall.proofs import Words

EPILOG = """
\b
Exit codes: 0 done; 1 a replay differs, or a sweep met trouble; 2 the
command line is wrong; 75 the disk, the mail server or another process is
in the way, try again; 78 a settings or charter file holds a mistake.
"""


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
    raise SystemExit(0 if identical else 1)


@pbem.command()
@click.argument("ruleset")
@click.argument("game")
@click.option("--moderator", required=True, metavar="ADDRESS", help="Who rules.")
@click.option("--invite", multiple=True, metavar="ADDRESS", help="Who is asked to play; as often as you like.")
@click.option("--seats", type=int, help="Seats; as many as are invited, if left out.")
@click.option("--zone", default="UTC", show_default=True, help="The game's own zone, such as Europe/London.")
@click.option("--calendar", multiple=True, metavar="KIND=RULE", help='Such as round="every Tue and Fri 20:00".')
@click.option("--house", multiple=True, metavar="NAME=VALUE", help="A house rule other than its default.")
@click.option("--close", type=click.Choice(["when ready", "at deadline"]), default="when ready", show_default=True)
@click.option("--press", type=click.Choice(["public", "private", "none"]), default="public", show_default=True)
@click.option("--review", multiple=True, metavar="KIND", help="Kinds of phase whose proof waits for the moderator.")
@click.pass_obj
def new(arena: Path, /, ruleset: str, game: str, **given: Any) -> None:
    """Found a game and invite its players: pbem new rumble ember-7."""
    from pbem.hall import founding

    opened = _open(arena)
    name = founding.game_name(game)
    invited = list(given["invite"])
    terms: dict[str, Any] = {key: given[key] for key in ("zone", "close", "press")}
    if given["review"]:
        terms["review"] = tuple(kind for kind in given["review"] if kind != "none")
    rules = dict(_pairs(given["calendar"], "--calendar"))
    calendar = {"rules": {"default": "72h after opening", **rules}} if rules else {}
    with opened.shelf.lock("sweep.lock"):
        charter = founding.found_game(
            opened,
            name,
            ruleset,
            moderator=given["moderator"],
            invited=invited,
            seats=given["seats"] or len(invited),
            now=_now(),
            house=dict(_pairs(given["house"], "--house")),
            calendar=calendar,
            **terms,
        )
    click.echo(opened.shelf.read("games", name, "charter.toml").decode())
    click.echo(f"{name} waits for {charter.seats} players. The next sweep sends {len(invited)} invitations.")


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
    """Sweep once: drain the mailbox, do what is due, send what is on file."""
    from pbem import daemon

    swept = daemon.opened(arena, click.echo).wake()
    if not (swept.mails or swept.entries or swept.sent or swept.troubles):
        click.echo("Nothing to do.")
    raise SystemExit(1 if swept.troubles else 0)


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
            {"name": r.name, "ruleset": r.ruleset, "phase": r.title, "status": r.status, "wakes": _iso(r.wakes)}
            for r in rows
        ]
        click.echo(json.dumps(plain, indent=2))
        return
    if not rows:
        click.echo("No games yet. To found one: pbem new RULESET GAME --moderator ADDRESS --invite ADDRESS ...")
    for row in rows:
        wakes = f"{row.wakes:%Y-%m-%d %H:%M} UTC" if row.wakes else "-"
        click.echo(f"{row.name:<20} {row.ruleset:<10} {row.title:<16} {row.status:<8} {wakes}")


@pbem.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def show(arena: Path, game: str, *, as_json: bool) -> None:
    """Show how a game stands: phase, deadline, who has moved (not what)."""
    from pbem.hall import looking

    facts = looking.standing(_open(arena), _known(arena, game))
    click.echo(json.dumps(facts, indent=2, default=_iso) if as_json else looking.told(facts))


@pbem.command()
@click.argument("game")
@click.argument("lines", nargs=-1, required=True)
@click.option("--phase", type=int, required=True, help="The number of the phase that it is about (pbem show).")
@click.pass_obj
def rule(arena: Path, game: str, lines: tuple[str, ...], phase: int) -> None:
    """Rule as the moderator, with the lines that a letter takes: pbem rule ember-7 --phase 3 "extend 24h"."""
    from pbem.hall import looking

    opened = _open(arena)
    with opened.shelf.lock("sweep.lock"):
        echo, taken = looking.rule(opened, _known(arena, game), phase, lines, _now())
    click.echo(echo)
    raise SystemExit(0 if taken else 1)


@pbem.command()
@click.argument("game")
@click.pass_obj
def replay(arena: Path, game: str) -> None:
    """Fold a game again from its charter and compare every derived file: a name in the arena, or a folder."""
    from pbem.hall import proofs

    folder, seed = _folder(arena, game)
    phases = entries = skipped = 0
    for phase in proofs.replay(folder, _rulesets(), _words(), seed):
        click.echo(f"{phase.folder}  {phase.title:<16} {phase.entries:>3} entries, {phase.compared} files the same")
        if phase.difference:
            click.echo(phase.difference)
            raise SystemExit(1)
        phases, entries, skipped = phases + 1, entries + phase.entries, skipped + phase.skipped
    if skipped:
        click.echo(f"{skipped} reports were told in other words than ours and not compared.")
    click.echo(f"{entries} entries, {phases} phases, identical.")


@pbem.command()
@click.argument("game")
@click.option("--phase", type=int, help="The number of a phase; the latest report if left out.")
@click.pass_obj
def report(arena: Path, game: str, phase: int | None) -> None:
    """Print the public report of a phase: a name in the arena, or a folder."""
    from pbem.hall import looking

    folder, _ = _folder(arena, game)
    click.echo(looking.report(folder, phase), nl=False)


@pbem.command()
@click.pass_obj
def reindex(arena: Path) -> None:
    """Make the index again from the games' folders."""
    from pbem.hall import reindexing

    opened = _open(arena)
    with opened.shelf.lock("sweep.lock"):
        troubles = reindexing.reindex(opened)
    for trouble in troubles:
        click.echo(trouble, err=True)
    click.echo(f"{len(opened.games()) - len(troubles)} games indexed.")
    raise SystemExit(1 if troubles else 0)


def _open(arena: Path) -> Arena:
    from pbem.hall import opening

    return opening.arena(arena)


def _known(arena: Path, game: str) -> GameName:
    if not (arena / "games" / game / "charter.toml").is_file():
        raise CharterError(f"There is no game called {game} in {arena}. To list them: pbem games")
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


def _iso(instant: datetime | None) -> str | None:
    return instant.astimezone(UTC).isoformat() if instant else None
