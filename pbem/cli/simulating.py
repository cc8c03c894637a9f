"""The terminal: whole games between programs, by the thousand, and what came of them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import as_usage_errors
from pbem.cli.founding import pairs

if TYPE_CHECKING:
    from pbem.hall.commands.simulation import Run


class _Cores(click.ParamType[int]):
    name = "cores"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number of processes, or all for one on each core."""
        from pbem.hall.commands import simulation

        if value == "all":
            return simulation.cores_here()
        return click.IntRange(1, 256).convert(value, param, ctx)


class _Simulating(click.Command):
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Have an option for the pieces of each library; rulesets are asked only now, since to load them takes time."""
        return [*super().get_params(ctx), *map(_dealt, _pieces())]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the programs."""
        from pbem.hall.commands import simulation

        with formatter.section("Programs, by ruleset"):
            formatter.write_dl([(one.name, ", ".join(one.bots)) for one in simulation.able()])


def _pieces() -> list[str]:
    """Return what the pieces of each library are called."""
    from pbem.hall.commands import library

    return [ruleset.pieces[1] for ruleset in library.rulesets_with_library()]


def _dealt(pieces: str) -> click.Option:
    help_text = (
        f"{pieces.capitalize()} that are dealt to the seats, for nothing: by name, or so many that each game draws for "
        "itself; as often as you like."
    )
    return click.Option([f"--{pieces}", pieces], multiple=True, metavar="NUMBER|NAME", help=help_text)


@click.command(cls=_Simulating)
@click.option("--game", default="", metavar="RULESET", help="The ruleset; if left out, the one with most to deal.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="How many.")
@click.option("--seats", type=int, default=4, show_default=True, help="Seats of each game.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME",
    help="The program in every seat, below; or as many as there are seats, which each game deals anew. The first, if "
    "left out.",
)
@click.option("--house", multiple=True, metavar="NAME=VALUE", help="A house rule other than its default.")
@click.option("--seed", help="Any word; the same word gives the same games. Drawn, if left out.")
@click.option("--cores", type=_Cores(), default="all", show_default=True, metavar="NUMBER|all", help="Processes.")
@click.option(
    "--on", default="", metavar="ADDRESS", help="A dask cluster that plays them, such as tcp://10.0.0.5:8786."
)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def simulate(*, game: str, games: int, seats: int, as_json: bool, **given: Any) -> None:
    """Play whole games between bots, without mail, and count what comes of them."""
    import secrets

    from pbem.hall.commands import simulation

    house = dict(pairs(given["house"], "--house"))
    dealt = tuple(piece for pieces in _pieces() for piece in given[pieces])
    with as_usage_errors():
        ruleset = simulation.ruleset_to_simulate(game)
        match = simulation.match_of(ruleset, seats, given["bots"], dealt, house)
    run = simulation.Run(ruleset.name, match, given["seed"] or secrets.token_hex(4))
    start = time.perf_counter()
    figures = _with_bar(run, games, given["cores"], given["on"])
    seconds = time.perf_counter() - start
    pace = {"on": given["on"]} if given["on"] else {"cores": given["cores"]}
    pace |= {"seconds": round(seconds, 3), "games_a_second": round(games / seconds, 1)}
    terms = {"ruleset": run.ruleset, "seats": seats, "bot": ", ".join(match.bots), "house": house, "seed": run.seed}
    if as_json:
        click.echo(json.dumps(terms | figures | {"pace": pace}, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(_report(ruleset.title, terms, figures, pace)))


def _with_bar(run: Run, games: int, cores: int, on: str) -> dict[str, Any]:
    """Play, with a bar on a terminal."""
    from pbem.hall.commands import simulation

    if not sys.stdout.isatty():
        return simulation.simulate(run, games, cores, lambda _: None, on)
    with click.progressbar(length=games, label="Playing", file=sys.stderr) as bar:
        return simulation.simulate(run, games, cores, bar.update, on)


def _report(title: str, terms: Mapping[str, Any], figures: Mapping[str, Any], pace: Mapping[str, Any]) -> Iterator[str]:
    """Write the figures for people."""
    seats, games = terms["seats"], figures["games"]
    yield f"{title}: {games} games of {seats} seats, bot {terms['bot']}, seed {terms['seed']}"
    if terms["house"]:
        yield ", ".join(f"{name} = {value}" for name, value in terms["house"].items())
    cores = pace.get("on") or ("one core" if pace["cores"] == 1 else f"{pace['cores']} cores")
    yield f"{pace['games_a_second']:.0f} games a second on {cores}; digest {figures['digest']}"
    yield ""
    for kind, length in figures["phases"].items():
        yield f"{kind.capitalize()}s a game: {length['mean']:.1f} on average, {length['longest']} at the most"
        yield from _spread(length)
    yield "\nHow games ended"
    for ending, count in figures["endings"].items():
        yield f"{count / games:8.1%}  {ending}"
    yield f"\nWins by seat, a draw shared out; even is {1 / seats:.1%}"
    for place, share in enumerate(figures["seats"], 1):
        yield f"  seat {place:<3} {_share(share)}"
    if figures["bias"]["games"]:
        yield _bias(figures["bias"])
    if figures["bots"]:
        width = max(map(len, figures["bots"]))
        yield "\nWins by program, for each seat of its"
        for name, share in figures["bots"].items():
            yield f"  {name:<{width}}  {_share(share)}"
    if figures["pieces"]:
        width = max(map(len, figures["pieces"]))
        yield "\nWins by who was dealt what"
        for name, share in figures["pieces"].items():
            yield f"  {name:<{width}}  {_share(share)}  in {share['games']} games"


def _spread(length: Mapping[str, Any]) -> Iterator[str]:
    """Write how many games had so many phases, in ten rows or so, with a bar for each."""
    counts = {int(many): count for many, count in length["games"].items()}
    width = max(1, -(-(length["longest"] - min(counts)) // 10))
    starts = range(min(counts), length["longest"] + 1, width)
    rows = [sum(counts.get(many, 0) for many in range(start, start + width)) for start in starts]
    for start, count in zip(starts, rows, strict=True):
        name = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
        yield f"{count / sum(rows):8.1%}  {name:<10}  {'#' * round(30 * count / max(rows))}".rstrip()


def _bias(bias: Mapping[str, Any]) -> str:
    """Write how far from even the wins are."""
    return (
        f"  even seats would be as far apart, or farther, in {bias['chance']:.0%} of runs (chi-square "
        f"{bias['square']:.1f}, degrees {bias['degrees']}, of {bias['games']} games with one winner)"
    )


def _share(share: Mapping[str, Any]) -> str:
    return f"{share['won']:6.1%} +- {share['error']:.1%}"
