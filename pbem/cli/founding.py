"""The terminal: a game to look at, and a game of one's own."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit

from pbem.cli import ruleset_commands
from pbem.cli.common import as_usage_errors, now, open_arena, progress


@click.command()
@click.option("--play", is_flag=True, help="Take one of the seats yourself.")
@click.option(
    "--how",
    type=click.Choice(["editor", "lines", "mail"]),
    default="editor",
    show_default=True,
    help="With --play: answer in your editor, line by line here, or with a mail client that opens a Maildir.",
)
@click.option(
    "--game", "ruleset", default="", metavar="RULESET", help="The ruleset; if left out, the one with a library."
)
@click.option("--seed", default="ember", show_default=True, help="Any word; the same word gives the same game.")
@click.option(
    "--letters",
    type=click.Choice(["some", "all", "none"]),
    default="some",
    show_default=True,
    help="Which letters to show whole: each kind once with every report, all, or none.",
)
@click.option("--fast", is_flag=True, help="Print on, and wait for no key; so does a pipe.")
@click.pass_obj
def demo(arena: Path, *, play: bool, how: Any, ruleset: str, seed: str, letters: str, fast: bool) -> None:
    """
    Play a whole game through an embedded mail server, told here.

    On a terminal it is told page by page, in colour unless NO_COLOR is set.
    """
    from pbem import demo as demonstration
    from pbem.demo import pages

    root = arena if arena != Path("arena") else Path("demo-arena")
    tell: Callable[[str], None] = click.echo
    ask, at_end = (lambda question: ""), (lambda: None)
    if sys.stdout.isatty() and sys.stdin.isatty() and not fast:
        width, height = shutil.get_terminal_size()
        pager = pages.Pager(click.echo, pages.key_of_terminal, height - 1, width, may_skip=not play)
        tell, ask, at_end = pager.tell, pager.ask, pager.resume
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        tell = pages.coloured(tell)
    seat = demonstration.at_terminal(tell, click.edit, click.prompt, how, ask) if play else None
    identical = demonstration.play(root, seed, tell, letters=letters, seat=seat, at_end=at_end, name=ruleset)
    raise Exit(0 if identical else 1)


class _Founding(click.Command):
    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List rulesets, presets and commands; rulesets are asked only here, since to load them takes time."""
        from pbem.hall.commands import library, presets
        from pbem.hall.store.catalogue import rulesets_known

        sections = {
            "Rulesets": [(one.name, one.title) for one in rulesets_known().values()],
            "Presets": [(f"{ruleset}: {one.name}", one.says) for ruleset, one in presets.all_presets()],
            "Commands of rulesets": [
                row for one in library.rulesets_with_library() for row in ruleset_commands.rows(one)
            ],
        }
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


@click.command(cls=_Founding)
@click.argument("ruleset")
@click.argument("game")
@click.option("--moderator", required=True, metavar="ADDRESS", help="Who rules.")
@click.option("--invite", multiple=True, metavar="ADDRESS", help="Who is asked to play; as often as you like.")
@click.option("--seats", type=int, help="Seats; as many as are invited, if left out.")
@click.option("--zone", default="UTC", show_default=True, help="The game's own zone, such as Europe/London.")
@click.option("--calendar", multiple=True, metavar="KIND=RULE", help='Such as round="every Tue and Fri 20:00".')
@click.option("--reminders", metavar="SPANS", help="Before the deadline, such as 24h,3h; none for none.")
@click.option("--grace", metavar="SPAN", help="How long a deadline waits for who has not moved; 0h if left out.")
@click.option(
    "--second-thought",
    metavar="SPAN",
    help="How long a phase stays open once all have moved; 30m if left out, or 2m where a phase is shorter than 6h.",
)
@click.option("--preset", default="", metavar="NAME", help="Many terms at once, below; what else you say goes first.")
@click.option("--house", multiple=True, metavar="NAME=VALUE", help="A house rule other than its default.")
@click.option("--close", type=click.Choice(["when ready", "at deadline"]), show_default="when ready")
@click.option("--press", type=click.Choice(["public", "private", "none"]), show_default="public")
@click.option(
    "--authentication",
    type=click.Choice(["moderator", "everybody", "nobody"]),
    show_default="moderator",
    help="Whose mail the mail server must vouch for, where settings.toml has an authserv.",
)
@click.option("--review", multiple=True, metavar="KIND", help="Kinds of phase whose proof waits for the moderator.")
@click.option(
    "--list", "mailing_list", default="", metavar="ADDRESS", help="A mailing list where all may read of the game."
)
@click.option("--forum", is_flag=True, help="Open a topic on the arena's forum, where all may read of the game.")
@click.option(
    "--threads/--no-threads",
    default=True,
    show_default=True,
    help="With --forum: people may play in private threads there, which whoever runs the forum may be able to read.",
)
@click.option("--count", type=click.IntRange(1, 99999), metavar="N", help="Found so many, GAME-1 to GAME-N.")
@click.option("--html", is_flag=True, help="Reports come as HTML too, to all who have not asked for text.")
@click.option("--standing", multiple=True, metavar="KIND", help="Kinds of phase whose orders stand for later ones.")
@click.pass_obj
def new(arena: Path, /, ruleset: str, game: str, **given: Any) -> None:
    """Found a game, and invite its players."""
    from pbem.hall.commands import founding, opening, status

    opened = open_arena(arena)
    with as_usage_errors():
        names = [f"{game}-{number}" for number in range(1, given["count"] + 1)] if given["count"] else [game]
        name, *others = [founding.game_name(opened, one) for one in names]
        invited = founding.addresses(given["invite"])
        moderator = founding.address(given["moderator"])
        opening.check_carried(opened, [moderator, *invited])
    plain = ("zone", "preset", "close", "press", "authentication", "mailing_list", "forum", "threads", "html")
    terms: dict[str, Any] = {key: given[key] for key in plain if given[key] is not None}
    for term in ("review", "standing"):
        if given[term]:
            terms[term] = tuple(kind for kind in given[term] if kind != "none")
    house, calendar = dict(pairs(given["house"], "--house")), _calendar(given)
    terms |= {"moderator": moderator, "invited": invited, "seats": given["seats"] or len(invited)}
    with opened.shelf.lock("sweep.lock"), as_usage_errors(), progress("founded", len(names)) as told:
        charter = founding.found_game(
            opened,
            name,
            ruleset,
            now=now(),
            house=house,
            calendar=calendar,
            others=dict.fromkeys(others, invited),
            told=told,
            **terms,
        )
    _, _, text = opened.shelf.read("games", name, "charter.toml").decode().partition("\n")  # its check sum says nothing
    click.echo(text)
    for hint in (*status.skipped_deadlines(charter), *founding.advice(opened, charter)):
        click.echo(hint)
    if charter.mailing_list:
        here = opened.settings.arena.address
        click.echo(f"The list has to have {here} on it. To try that: pbem doctor --list {charter.mailing_list}")
    letters = status.counted(len(invited) * len(names), "invitation")
    which = f"{name} waits" if not others else f"{name} to {others[-1]} wait"
    each = " each" if others else ""
    click.echo(f"{which} for {status.counted(charter.seats, 'player')}{each}. The next sweep sends {letters}.")


def _calendar(given: dict[str, Any]) -> dict[str, Any]:
    """Put together what the charter's [calendar] says other than its defaults."""
    from pbem.hall.commands.presets import USUAL

    found: dict[str, Any] = {}
    rules = dict(pairs(given["calendar"], "--calendar"))
    for name in rules.keys() & {"reminders", "grace", "second_thought"}:
        option = name.replace("_", "-")
        raise click.UsageError(f"{name} is no kind of phase. Write --{option} {rules[name]}")
    if rules:
        found["rules"] = rules
    if given["reminders"]:
        spans = [span.strip() for span in given["reminders"].split(",")]
        found["reminders"] = [span for span in spans if span not in ("", "none")]
    if given["grace"]:
        found["grace"] = given["grace"]
    found["second_thought"] = given["second_thought"] or USUAL
    return found


def pairs(given: tuple[str, ...], option: str) -> list[tuple[str, str]]:
    """Cut what an option was given, as NAME=VALUE, as often as it was."""
    found = []
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"{option} {text}: write {option} NAME=VALUE")
        found.append((name.strip(), value.strip()))
    return found
