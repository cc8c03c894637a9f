"""The terminal: looking at games and ruling in them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from pbem.cli.common import (
    Unfit,
    as_usage_errors,
    game_folder,
    is_folder,
    iso,
    known_game,
    now,
    open_arena,
    progress,
    short,
)
from pbem.ground.terms import WorldError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.hall.commands.dressing import Dress
    from pbem.hall.commands.replay_check import Words

NO_GAMES = "No games yet. To found one: pbem new RULESET GAME --moderator ADDRESS --invite ADDRESS ..."


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def games(arena: Path, *, as_json: bool) -> None:
    """List the games of the arena."""
    from pbem.hall.keeping import health

    opened = open_arena(arena)
    rows, last = opened.index.games.rows(), health.read(opened)
    still = last.still if last else ()
    if as_json:
        plain = [
            {"name": r.name, "ruleset": r.ruleset, "phase": r.title, "status": r.status, "deadline": iso(r.deadline)}
            | {"still": r.name in still}
            for r in rows
        ]
        click.echo(json.dumps(plain, indent=2))
        return
    if not rows:
        click.echo(NO_GAMES)
    table = [("GAME", "RULES", "PHASE", "STATE", "DEADLINE")] if rows else []
    table += [
        (row.name, row.ruleset, row.title, _state(row.status, row.name in still), short(row.deadline)) for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip())


@click.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def show(arena: Path, game: str, *, as_json: bool) -> None:
    """
    Show how a game stands, and who has moved (not what).

    GAME is a name in the arena, or any game's folder.
    """
    from pbem.hall.commands import replay_check, status
    from pbem.hall.store.catalogue import rulesets_known

    if is_folder(game):
        folder, seed = game_folder(arena, game)
        facts = status.facts_of(replay_check.table(folder, rulesets_known(), seed))
    else:
        opened = open_arena(arena)
        facts = status.facts_of(opened.ledger(known_game(arena, game)).table, opened.people)
    click.echo(json.dumps(facts, indent=2, default=iso) if as_json else status.as_text(facts))


@click.command()
@click.argument("game", required=False)
@click.pass_obj
def check(arena: Path, game: str | None) -> None:
    """
    Check the files of a game, or of all, after an edit by hand.

    It says what the next sweep will make of them, and which line is wrong; exit code 1 where a game would stand still.
    """
    from pbem.hall.commands import checking

    opened = open_arena(arena)
    wanted = [known_game(arena, game)] if game else opened.games()
    with opened.shelf.lock("sweep.lock"):
        found = [checking.check(opened, one, now()) for one in wanted]
    for message, _ in found:
        click.echo(message)
    if not found:
        click.echo(NO_GAMES)
    raise Exit(0 if all(sound for _, sound in found) else 1)


@click.command()
@click.argument("game")
@click.argument("lines", nargs=-1, required=True)
@click.option("--phase", type=int, required=True, help="The number of the phase that it is about (pbem show).")
@click.pass_obj
def rule(arena: Path, game: str, lines: tuple[str, ...], phase: int) -> None:
    """
    Rule as the moderator, as by letter.

    It takes the lines that a letter takes: pbem rule ember-7 --phase 3 "extend 24h because snow"
    """
    from pbem.hall.commands import ruling

    opened = open_arena(arena)
    with opened.shelf.lock("sweep.lock"):
        echo, taken = ruling.rule(opened, known_game(arena, game), phase, lines, now())
    click.echo(echo)
    raise Exit(0 if taken else 1)


@click.command()
@click.argument("old")
@click.argument("new")
@click.pass_obj
def address(arena: Path, old: str, new: str) -> None:
    """
    Let somebody's letters go to another address, where the old one is lost.

    Who still reads the old one writes `address NEW` to a game; both addresses are asked then.
    """
    from pbem.hall.commands import founding
    from pbem.hall.mail.incoming.checks import moving

    opened = open_arena(arena)
    with as_usage_errors():
        founding.address(new)
        with opened.shelf.lock("sweep.lock"):
            moving.by_hand(opened, old, new)
    click.echo(f"Letters to {old} go to {new} from now on, in all games, and only mail from there counts as theirs.")


@click.command()
@click.argument("game", default="")
@click.pass_obj
def replay(arena: Path, game: str) -> None:
    """
    Replay a game from its charter and compare every file.

    GAME is a name in the arena, or any game's folder. Without one, all games of the arena are replayed, and those
    that differ are told of.
    """
    from pbem.hall.commands import opening, status

    if not game:
        _replay_all(arena)
        return
    folder, seed = game_folder(arena, game)
    entries, phases, skipped = _replay(folder, seed, opening.words(), click.echo)
    if skipped:
        were = "report was" if skipped == 1 else "reports were"
        click.echo(f"{skipped} {were} written with other templates than ours, and not compared.")
    click.echo(status.identical(entries, phases))


def _replay_all(arena: Path) -> None:
    """Replay every game of an arena; print what differs, and the sum."""
    from pbem.hall.commands import opening, status

    words = opening.words()
    names = sorted(path.parent.name for path in (arena / "games").glob("*/charter.toml"))
    sums, wrong = (0, 0), 0
    with progress("replayed", len(names)) as told:
        for number, name in enumerate(names, 1):
            said: list[str] = []
            try:
                entries, phases, _ = _replay(*game_folder(arena, name), words, said.append)
                sums = (sums[0] + entries, sums[1] + phases)
            except Exit:
                wrong += 1
                click.echo(f"{name}: {said[-1]}")
            except WorldError as error:
                wrong += 1
                click.echo(f"{name}: {error}")
            told(number)
    if wrong:
        click.echo(f"{status.counted(wrong, 'game')} of {len(names)} cannot be replayed, or differ.")
        raise Exit(1)
    click.echo(f"{status.counted(len(names), 'game')}: {status.identical(*sums)}")


def _replay(folder: Path, seed: bytes | None, words: Words, say: Callable[[str], object]) -> tuple[int, int, int]:
    """Replay a game, saying what it finds; return how many entries and phases it has, and reports that were skipped."""
    from pbem.hall.commands import replay_check, status
    from pbem.hall.store.catalogue import rulesets_known

    phases = entries = skipped = 0
    for phase in replay_check.replay(folder, rulesets_known(), words, seed):
        files = status.counted(phase.compared, "file")
        taken = status.counted(phase.entries, "entry", "entries")
        result = f"{files} the same" if not phase.version else f"closed under version {phase.version}: its chain holds"
        say(f"{phase.folder}  {phase.title:<16} {taken:>11}, {result}")
        if phase.difference:
            say(phase.difference)
            raise Exit(1)
        phases, entries, skipped = phases + 1, entries + phase.entries, skipped + phase.skipped
    return entries, phases, skipped


@click.command()
@click.argument("game")
@click.option("--phase", type=int, help="The number of a phase; the latest report if left out.")
@click.option(
    "--as",
    "dress",
    type=click.Choice(["text", "html", "markdown", "bbcode"]),
    default="text",
    show_default=True,
    help="A page that stands alone, or text to paste into a forum.",
)
@click.pass_obj
def report(arena: Path, game: str, phase: int | None, dress: Dress) -> None:
    """
    Print the public report of a phase.

    GAME is a name in the arena, or any game's folder.
    """
    from pbem.hall.commands import dressing, status

    folder, seed = game_folder(arena, game)
    found = status.reports(folder)
    if phase is not None and phase not in found:
        raise Unfit(f"{game} has no report of phase {phase}. Phases with one: {', '.join(map(str, found))}")
    number = max(found) if phase is None else phase
    click.echo(dressing.report(folder, number, found[number].read_text(encoding="utf-8"), dress, seed), nl=False)


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.pass_obj
def site(arena: Path, folder: Path | None) -> None:
    """
    Make pages for everybody from the reports of all games.

    FOLDER is where they go; left out, it is that of [site] in settings.toml, where a running daemon makes them at each
    report. Only what has changed is written.
    """
    from pbem.hall.commands.status import counted
    from pbem.hall.site import build

    opened = open_arena(arena)
    with opened.shelf.lock("sweep.lock"):
        place = folder.resolve() if folder else build.folder_of(opened)
        built = build.build(opened, place, now(), workers=os.cpu_count() or 1)
    for trouble in built.troubles:
        click.echo(trouble, err=True)
    pages = counted(built.written, "page")
    click.echo(f"{pages} written for {counted(built.games, 'game')} with news. To look at them: {place / 'index.html'}")
    raise Exit(1 if built.troubles else 0)


def _state(status: str, is_still: bool) -> str:
    state = "proof waits" if status == "closed" else status
    return f"stands still ({state})" if is_still else state
