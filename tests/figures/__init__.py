"""Figures: how fast the moderator is here and now, each beside a probe of the disk; they print, and judge nothing."""

import os
import time
from collections.abc import Callable
from pathlib import Path


def probe(folder: Path, count: int = 300) -> float:
    """Return how many appends a second the disk makes durable, one fsync each."""
    with (folder / "probe").open("ab") as file:
        start = time.perf_counter()
        for _ in range(count):
            file.write(b"x" * 300)
            file.flush()
            os.fsync(file.fileno())
        return count / (time.perf_counter() - start)


def show(what: str, value: str, aim: str = "", beside: str = "") -> None:
    """Print one figure."""
    print(f"{what:<52} {value:>14}   {aim:<18} {beside}", flush=True)


def best(work: Callable[[], object], times: int) -> float:
    """Return the best of several runs, in milliseconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append((time.perf_counter() - start) * 1000)
    return min(found)
