"""
Figures of styles of play in Disc Battle: what share of its games each program wins among four.

Run with `python -m tests.figures.of_styles [--games N] [--house NAME=VALUE ...]`; prints two tables, of four different
programs and of each against three of another kind, with standard errors, and judges nothing. A single row is
`pbem simulate --game discs --bot NAME --bot NAME ...`.
"""

import argparse
from collections.abc import Mapping, Sequence
from itertools import combinations

from pbem.hall.commands import simulation
from pbem.rulesets.discs.bots import STYLES

WIDTH = 13


def shares(
    bots: tuple[str, ...], games: int, house: Mapping[str, str]
) -> tuple[Mapping[str, Mapping[str, float]], float]:
    """Play games of these four; return what each style won, with its error, and the share of games that nobody won."""
    ruleset = simulation.ruleset_to_simulate("discs")
    match = simulation.match_of(ruleset, len(bots), bots, (), house)
    found = simulation.simulate(
        simulation.Run("discs", match, "styles"), games, simulation.cores_here(), lambda _: None
    )
    won = sum(count for ending, count in found["endings"].items() if ending.startswith("the last"))
    return found["bots"], 1 - won / games


def row(head: str, cells: Sequence[str]) -> str:
    """Return a line of a table."""
    return f"{head:<10}{''.join(f'{cell:>{WIDTH}}' for cell in cells)}"


def cell(share: Mapping[str, float]) -> str:
    """Return a share with its standard error, in percent."""
    return f"{100 * share['won']:.1f} +- {100 * share['error']:.1f}"


def main() -> None:
    """Play, and print."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--games", type=int, default=1000)
    given.add_argument("--house", action="append", default=[], metavar="NAME=VALUE")
    asked = given.parse_args()
    house = dict(said.split("=", 1) for said in asked.house)
    print(f"{asked.games} games a row; {', '.join(asked.house) or 'the usual house rules'}; percent of games won\n")
    print(row("", (*STYLES, "nobody")))
    known: dict[str, list[float]] = {name: [] for name in STYLES}
    for left_out in reversed([*STYLES]):
        found, nobody = shares(tuple(name for name in STYLES if name != left_out), asked.games, house)
        for name in found:
            known[name].append(found[name]["won"])
        cells = [cell(found[name]) if name in found else "" for name in STYLES]
        print(row("", (*cells, f"{100 * nobody:.1f}")), flush=True)
    print(row("mean", [f"{100 * sum(each) / len(each):.1f}" for each in known.values()]))
    print("\nOne of the row's against three of the column's; 25 is fair\n")
    print(row("", tuple(STYLES)))
    table = {}
    for one, other in (pair for both in combinations(STYLES, 2) for pair in (both, both[::-1])):
        table[one, other] = cell(shares((one, other, other, other), asked.games, house)[0][one])
    for one in STYLES:
        print(row(one, [table.get((one, other), "") for other in STYLES]))


if __name__ == "__main__":
    main()
