"""
Figures of the site: how long the pages of a thousand finished games take, and those of one new phase among them.

Run with `python -m tests.figures.of_site [--games 1000]`; prints, and judges nothing. The games are the specimens, over
and over, under other names.
"""

import argparse
import os
import resource
import shutil
import tempfile
import time
from pathlib import Path

import msgspec

from pbem.hall.site import build
from pbem.hall.store.arena import Arena
from tests.site.pages import LATER, arena_of_specimens, opened


def copies(root: Path, arena: Arena, count: int) -> None:
    """Fill an arena with copies of its games, until there are so many: what the site is made from, and no mail."""
    games = arena.index.games.rows()
    for number in range(len(games), count):
        row = games[number % len(games)]
        game, name = row.name, f"{row.name}-{number}"
        arena.index.games.store(msgspec.structs.replace(row, name=name))
        ignored = shutil.ignore_patterns("seats", "post", "outcome.toml", "*.svg")
        shutil.copytree(root / "games" / game, root / "games" / name, ignore=ignored)
        shutil.copy(root / "secrets" / f"{game}.seed", root / "secrets" / f"{name}.seed")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    count = parser.parse_args().games
    with tempfile.TemporaryDirectory() as folder:
        root, site = Path(folder) / "arena", Path(folder) / "site"
        arena_of_specimens(root)
        arena = opened(root)
        copies(root, arena, count)
        for what, news, workers in (
            ("made the first time", None, os.cpu_count() or 1),
            ("with nothing new", None, 1),
            ("with one new phase, as the daemon makes them", {"rumble-2"}, 1),
        ):
            began = time.perf_counter()
            built = build.build(arena, site, LATER, news, workers=workers)
            seconds = time.perf_counter() - began
            assert not built.troubles, built.troubles
            print(
                f"site of {count} finished games, {what}: {seconds:.1f} s, {built.games} games, {built.written} files written"
            )
        most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
        size = sum(one.stat().st_size for one in site.rglob("*")) / 1e6
        print(f"memory: {most:.0f} MB at most in a process; the site has {size:.0f} MB")
        arena.close()


if __name__ == "__main__":
    main()
