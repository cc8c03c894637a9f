"""
Prints whether waiting pays in the discs: `python -m tests.figures.waiting [GAMES]`.

Among four Programs, by house rules: four styles against each other, and each of them alone among three of another.
"""

import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from pbem.ruleset import Dice
from pbem.rulesets.discs import RULESET
from pbem.rulesets.discs.bots import STYLES
from pbem.rulesets.discs.model.options import PRESETS
from pbem.table.simulation import Match, Share, figures, play

GAMES, SEATS = 400, 4
HOUSES: Mapping[str, dict[str, str]] = {"as founded": {}, **{one.name: dict(one.house) for one in PRESETS}}
NAMES = [style.__name__ for style in STYLES]


def shares(house: dict[str, str], bot: str, games: int) -> tuple[Share, ...]:
    """Return what each seat won."""
    match = Match(seats=SEATS, bot=bot, house=house)
    dice = Dice(bytes(32)).at(bot)
    return figures(match, [play(RULESET, match, dice.at(str(number))) for number in range(games)]).seats


def main() -> None:
    """Print a table for each set of house rules."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    bots = ["styles", *(f"{one}-among-{other}s" for one in NAMES for other in NAMES if one != other)]
    with ProcessPoolExecutor() as pool:
        for name, house in HOUSES.items():
            found = dict(zip(bots, pool.map(partial(_first, house, games), bots), strict=True))
            print(f"{name}, {games} games a row, percent won, a draw shared out")
            print("  each other:", ", ".join(map(_told, NAMES, found["styles"])))
            for one in NAMES:
                alone = (f"{other}s {_figure(found[f'{one}-among-{other}s'][0])}" for other in NAMES if other != one)
                print(f"  {one} among three", ", ".join(alone))


def _first(house: dict[str, str], games: int, bot: str) -> tuple[Share, ...]:
    return shares(house, bot, games)


def _told(name: str, share: Share) -> str:
    return f"{name} {_figure(share)}"


def _figure(share: Share) -> str:
    return f"{share.won * 100:.1f} +- {share.error * 100:.1f}"


if __name__ == "__main__":
    main()
