"""The terminal: what there is to say to the program; the work is done in the hall."""

import textwrap
from pathlib import Path

import click

from pbem.cli import founding, games, mail, ruleset_commands, running, setting_up, simulating, strays

EXIT_CODES = {
    0: "done, also where whoever reads the output stops early, as head does",
    1: "a replay differs, a ruling or a line was refused, a sweep met trouble, or a demo was given up",
    2: "the command line is wrong, or names what is not there",
    75: "the disk, the mail server or another process is in the way, try again",
    78: "a settings file, a charter or a template is missing or holds a mistake, and the error says where",
    130: "stopped by Ctrl-C",
}
_CODES = "; ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items())
EPILOG = f"""
\b
Rulesets bring commands of their own, to look at what their games are made
of. To list rulesets, presets and such commands: pbem new --help

\b
{textwrap.fill(f"Exit codes: {_CODES}.", 76)}
"""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the order in which a newcomer meets them."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command of ours, or of a ruleset's; those are asked only then, since to load them takes time."""
        return super().get_command(ctx, cmd_name) or ruleset_commands.command(cmd_name)


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


for command in (
    founding.demo, setting_up.init, setting_up.doctor, founding.new,
    running.sweep, running.run, running.health,
    games.games, games.show, games.check, games.rule, games.address, games.replay, games.report, games.site, mail.mail,
    strays.strays, strays.trace, running.rescan, running.reindex, simulating.simulate,
):  # fmt: skip
    pbem.add_command(command)
