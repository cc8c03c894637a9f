"""
Plays the specimen games anew after the rules have changed: `python -m tests.specimens [NAME ...]`.

One is the game of `pbem demo`. Each other keeps its seed, its terms and its people, who write what they wrote in the
phase of the same title, and when it stopped to ask them, as long as that is still taken; where it is not, or the game
goes on for longer, a program plays for them.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.hall.commands import replay_check
from pbem.hall.commands.founding import found_game
from pbem.hall.store import game_folder, ledger
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.fold import journal
from pbem.table.fold.journal import Entry, OrdersReceived, PersonInvited, PhaseClosed, RulingGiven, SeatTaken
from pbem.table.model.charter import Charter
from pbem.table.model.table import Table
from pbem.testing import keep
from pbem.world.settings import templates
from pbem.world.shelf import Shelf
from tests.conftest import Room

GAMES = Path(__file__).parent.parent / "games"
DEMO = "rumble-1"
MODERATOR = "gwen@example.org"
MOST_PHASES = 100
A_WHILE = timedelta(minutes=47)


def play_demo(scratch: Path) -> Path:
    """Play the game of the demonstration, and return its folder."""
    subprocess.run([sys.executable, "-m", "pbem", "demo", "--fast"], cwd=scratch, check=True, stdout=subprocess.DEVNULL)
    return scratch / "demo-arena" / "games" / DEMO


def play_anew(folder: Path, scratch: Path) -> Path:
    """Play a game anew in an arena of its own, and return its folder there."""
    rulesets = rulesets_known()
    shelf, name = Shelf(folder.parent), folder.name
    terms = game_folder.read_charter(shelf, (name,), rulesets)
    written: dict[str, list[Entry]] = {}
    for title, entries in _written(shelf, name, rulesets[terms.ruleset]):
        written.setdefault(title, []).extend(entries)
    room = Room(scratch / "arena", rulesets, templates(), start=terms.created)
    _sign_up(room, terms, replay_check.opened_seed(shelf, (name,)), written["Sign-up"])
    while (table := room.table(name)).status != "over":
        assert table.number < MOST_PHASES, f"{name} does not end"
        _play_phase(room, name, written.get(table.title, ()))
    room.arena.close()
    return room.root / "games" / name


def _written(shelf: Shelf, name: str, ruleset: Any) -> Iterator[tuple[str, Sequence[Entry]]]:
    """Yield the entries of each phase by its title."""
    ending = journal.FIRST_SUM
    for phase in game_folder.folders(shelf, (name,)):
        if not shelf.exists(name, phase, ledger.JOURNAL):
            continue
        found = journal.decode(shelf.read(name, phase, ledger.JOURNAL), ending, last=False)
        ending, title = found.sum, "Sign-up"
        if shelf.exists(name, phase, ledger.STATE):
            start = game_folder.read_start(shelf, (name,), phase, ruleset)
            title = ruleset.phase(ruleset.load(start.state, start.rules)).title
        yield title, found.entries


def _sign_up(room: Room, terms: Charter, seed: bytes, entries: Sequence[Entry]) -> None:
    seats = [entry for entry in entries if isinstance(entry, SeatTaken)]
    invited = [entry.person for entry in entries if isinstance(entry, PersonInvited)]
    in_order = sorted(seats, key=lambda entry: invited.index(entry.person) if entry.person in invited else len(invited))
    kept = ("zone", "close", "press", "review", "standing", "authentication", "preset")
    found_game(
        room.arena,
        terms.game,
        terms.ruleset,
        moderator=MODERATOR,
        invited=[_address(entry.seat) for entry in in_order],
        seats=terms.seats,
        now=room.clock.now(),
        seed=seed,
        house=terms.house,
        calendar=msgspec.to_builtins(terms.calendar),
        **{field: getattr(terms, field) for field in kept},
    )
    room.sweep()
    for entry in seats:
        room.write(_address(entry.seat), f"join as {entry.name}")
        room.sweep()


def _address(seat: str) -> str:
    return f"{seat}@example.org"


def _play_phase(room: Room, name: str, entries: Sequence[Entry]) -> None:
    """Let people write what they wrote then, and what they answered when it stopped, and let the moderator rule."""
    parts = _parts(entries)
    number = room.table(name).number
    while (table := room.table(name)).status == "open" and table.number == number:
        _play_open(room, name, next(parts, ()))
    for entry in (entry for part in parts for entry in part):
        if room.table(name).status == "closed":
            _write(room, name, entry)
    if (table := room.table(name)).status == "closed":
        room.write(MODERATOR, f"approve {table.proof}")
        room.sweep(A_WHILE)


def _parts(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    """Part the entries of a phase where it closed: to stop and ask, and in the end for its proof."""
    part: list[Entry] = []
    for entry in entries:
        if isinstance(entry, PhaseClosed):
            yield tuple(part)
            part = []
        else:
            part.append(entry)
    yield tuple(part)


def _play_open(room: Room, name: str, entries: Sequence[Entry]) -> None:
    """Let people write while a phase is open, or once more for a question, and close it."""

    def is_open() -> bool:
        now = room.table(name)
        return now.status == "open" and (now.number, now.questions) == (table.number, table.questions)

    table = room.table(name)
    for entry in entries:
        if is_open():
            _write(room, name, entry)
    if not entries:
        for seat in table.owing:
            _send(room, name, seat, _by_program(table, seat))
    if is_open():
        room.sweep(room.table(name).deadline - room.clock.now() + timedelta(minutes=5))


def _write(room: Room, name: str, entry: Entry) -> None:
    if isinstance(entry, OrdersReceived):
        table = room.table(name)
        lines = entry.said if not entry.orders or _is_taken(table, entry) else _by_program(table, entry.seat)
        _send(room, name, entry.seat, lines)
    elif isinstance(entry, RulingGiven):
        ruled = [f"{one.show()} because {one.because}" if one.because else one.show() for one in entry.rulings]
        said = [line for line in entry.said or ruled if not line.startswith("approve")]
        if any(said):
            room.write(MODERATOR, "\n".join(said))
            room.sweep(A_WHILE)


def _send(room: Room, name: str, seat: str, lines: Sequence[str]) -> None:
    room.write(_address(seat), "\n".join(lines), to=room.reply_to(_address(seat), f"[{name}]"))
    room.sweep(A_WHILE)


def _is_taken(table: Table, entry: OrdersReceived) -> bool:
    if entry.seat not in table.owing:
        return False
    lines = [OrderLine(number, line) for number, line in enumerate(entry.orders, 1)]
    parsed = table.ruleset.parse(table.state, entry.seat, lines)
    return not parsed.complaints and not table.ruleset.check(table.state, entry.seat, parsed.orders)


def _by_program(table: Table, seat: str) -> Sequence[str]:
    ruleset: Any = table.ruleset
    bot = next(iter(ruleset.bots.values()))
    dice = Dice(b"a program for whoever is gone").at(f"{table.charter.game} {table.number}")
    if Seat(seat) not in table.owing:
        return ()
    return ruleset.format(table.state, bot(table.state, Seat(seat), dice))  # type: ignore[no-any-return]


def main(names: Sequence[str]) -> None:
    """Play the specimens of these names anew, or all."""
    for folder in sorted(
        path.parent for path in GAMES.glob("*/charter.toml") if not names or path.parent.name in names
    ):
        with TemporaryDirectory() as scratch:
            played = play_demo(Path(scratch)) if folder.name == DEMO else play_anew(folder, Path(scratch))
            keep(played, folder)
        phases = list(replay_check.replay(folder, rulesets_known(), _words()))
        print(
            f"{folder.name}: {len(phases)} phases, {[one.difference for one in phases if one.difference] or 'identical'}"
        )


def _words() -> replay_check.Words:
    from pbem.hall.commands.opening import words

    return words()


if __name__ == "__main__":
    main(sys.argv[1:])
