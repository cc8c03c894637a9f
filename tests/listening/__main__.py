"""Prints how well mail is understood as people write it: all parts, laws, demonstrations, careless games; judges nothing."""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.listening import drawn, machines
from tests.listening.careless import Receipts, in_demo, in_haste
from tests.listening.drawn import Drawn
from tests.listening.judging import VERDICTS, verdict
from tests.listening.said import CLASSES, PARTS, Said, corpus
from tests.listening.scenes import Stage, stage
from tests.script import idle_disk

GAMES = ("rumble", "brawl", "discs")
_HEAD = ("mails", "right", "asked", "refused", "lost", "invented")


def main(given: Sequence[str] | None = None) -> None:
    """Print every figure; `--fast` of every eighth mail, and shorter games."""
    options = argparse.ArgumentParser(prog="python -m tests.listening", description=main.__doc__)
    options.add_argument("--fast", action="store_true", help="every eighth mail, and shorter games")
    options.add_argument("--about", type=int, choices=CLASSES, help="one class of mails alone, and nothing else")
    options.add_argument("--show", action="store_true", help="name each mail that is not right and not frozen")
    chosen = options.parse_args(given)
    step = 8 if chosen.fast else 1
    start = time.perf_counter()
    with stage() as played:
        mails = [one for one in corpus() if chosen.about in (None, one.about)][::step]
        print_corpus(mails, played, is_shown=chosen.show)
        if chosen.about in (None, 9):
            print_machines(played, step)
        if chosen.about is None:
            print_laws(played, step)
    if chosen.about is None:
        print_games(4 if chosen.fast else 20)
    print(f"\n{time.perf_counter() - start:.0f} seconds")


def print_corpus(mails: Iterable[Said], played: Stage, *, is_shown: bool = False) -> None:
    """Print a row for each class and part: how many mails, and what became of them."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for one in mails:
        came = verdict(one, played)
        for row in (_row(one), "all"):
            found.setdefault((row, one.part), Counter())[came] += 1
        if is_shown and came != "right" and not one.is_frozen:
            print(f"{came:<9} {one.about}  {one.name}")
    print(f"{'':<46} {'part':<7}" + "".join(f"{word:>9}" for word in _HEAD))
    for (row, part), counts in sorted(found.items(), key=lambda item: (item[0][0], PARTS.index(item[0][1]))):
        numbers = (counts.total(), *(counts[word] for word in VERDICTS))
        print(f"{row:<46} {part:<7}" + "".join(f"{number:>9}" for number in numbers), flush=True)


def _row(one: Said) -> str:
    name = f"{one.about} {CLASSES[one.about]}"
    if one.about == 9:
        name = "9 machines" if one.machine else "9 people whose mail looks odd"
    return name


def print_machines(played: Stage, step: int) -> None:
    """Print how many drawn machines are taken for people, and how many people for machines."""
    robots = [(one, machines.came_of(one.said, played)) for one in machines.robots(1300 // step)]
    people = [(one, machines.came_of(one.said, played)) for one in machines.people(550 // step)]
    mistaken = sum(machines.is_taken_for_a_person(one, came) for one, came in robots)
    asked = sum(machines.is_asked(came) for _, came in robots)
    gone = [came for one, came in people if not machines.is_on_hand(one, came)]
    held = sum(map(machines.is_asked, gone))
    print(f"\nmachines taken for people {mistaken:>4} of {len(robots)}; {asked} waited to be confirmed")
    print(
        f"people taken for machines {len(gone) - held:>4} of {len(people)}; {held} waited to be confirmed", flush=True
    )


def print_laws(played: Stage, step: int) -> None:
    """Print how often each law is broken among mails that are drawn."""
    print()
    _law("lines that parse as orders, neither taken nor named", drawn.accounts(400 // step), played, _is_unaccounted)
    _law("sets with a clause that are ready without it", drawn.qualified(480 // step), played, _is_ready)
    _law("mails of pure talk that gave an order", drawn.talk(1000 // step), played, _is_false)


def _law(what: str, mails: Iterable[Drawn], played: Stage, is_broken: Callable[[Drawn, Stage], bool]) -> None:
    broken = [is_broken(mail, played) for mail in mails]
    print(f"{what:<54} {sum(broken):>6} of {len(broken)} mails", flush=True)


def _is_unaccounted(mail: Drawn, played: Stage) -> bool:
    return bool(drawn.unaccounted(mail, played))


def _is_ready(mail: Drawn, played: Stage) -> bool:
    return drawn.came_of(mail, played).moved


def _is_false(mail: Drawn, played: Stage) -> bool:
    came = drawn.came_of(mail, played)
    return came.hand != came.before


def print_games(phases: int, games: Iterable[str] = GAMES) -> None:
    """Print which share of the receipts refuse something, in the demonstrations and in games of careless programs."""
    print(f"\n{'receipts that refuse':<28} {'demonstration':>22} {'five careless programs':>26}")
    with TemporaryDirectory() as root, idle_disk():
        for name in games:
            shown = in_demo(name, Path(root) / f"demo-{name}")
            haste = in_haste(name, Path(root) / f"haste-{name}", phases)
            print(f"{name:<28} {_share(shown):>22} {_share(haste):>26}", flush=True)


def _share(receipts: Receipts) -> str:
    asked = f", {receipts.asked} asked" if receipts.asked else ""
    return f"{receipts.refused} of {receipts.all} ({100 * receipts.refused / max(receipts.all, 1):.0f} %{asked})"


if __name__ == "__main__":
    main()
