"""Prints all figures, on this disk and on one that is slow; judges nothing."""

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.ground.terms import GameName, Seat
from pbem.hall.commands import replay_check
from pbem.hall.commands.opening import words
from pbem.hall.store.arena import Doors
from pbem.hall.store.catalogue import rulesets_known
from pbem.hall.sweep.sweep import sweep
from pbem.ruleset import Dice, Given, OrderLine
from pbem.world.index.games import Row
from pbem.world.settings import templates
from tests.conftest import Room
from tests.figures import best, probe, show, slow_disk, waves

PLAYERS = ("ada", "bo", "cy", "dee", "eli")
NAMES = ("Mantisman", "Cuttlefish", "Plastiquegirl", "Breeze", "Zypher")


def in_round_one(root: Path, games: int) -> Room:
    """Return an arena whose games stand in their first round, five heroes each."""
    room = Room(root, rulesets_known(), templates())
    for number in range(games):
        room.found(*PLAYERS, ruleset="rumble", name=f"game-{number}", names=dict(zip(PLAYERS, NAMES, strict=True)))
    while any(room.table(f"game-{number}").title != "Round 1" for number in range(games)):
        room.sweep(timedelta(hours=24))
    return room


def mails(room: Room, games: int, each: int) -> int:
    """Put mails into the mailbox: for each game and player, replies that quote the letter they answer."""
    latest: dict[tuple[str, str], bytes] = {}
    for to, raw in room.outbox.sent:
        game = raw.split(b"Message-ID: <", 1)[1].split(b".", 1)[0].decode()
        latest[(game, to.partition("@")[0])] = raw
    count = 0
    for number in range(games):
        for turn in range(each):
            for place, player in enumerate(PLAYERS):
                raw = latest[(f"game-{number}", player)]
                header, _, body = raw.partition(b"\r\n\r\n")
                fields = dict(line.split(": ", 1) for line in header.decode().split("\r\n") if ": " in line)
                target = NAMES[(place + 1 + turn) % 5] if (1 + turn) % 5 else NAMES[(place + 1) % 5]
                quoted = body.replace(b"\r\n", b"\r\n> ")
                text = f"attack {target} {10 + turn}\r\ndefend {40 + turn}\r\nblock largest first\r\nwait\r\n"
                mail = (
                    f"From: {player}@example.org\r\nTo: {fields['Reply-To']}\r\n"
                    f"Subject: Re: {fields['Subject']}\r\nMessage-ID: <f{count}@example.net>\r\n"
                    f"In-Reply-To: {fields['Message-ID']}\r\nDate: {fields['Date']}\r\n"
                    f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\nOn Monday, the arena wrote:\r\n> "
                )
                room.mailbox.deliver(mail.encode() + quoted, room.clock.now() + timedelta(seconds=count / 1000))
                count += 1
    return count


def mail_figures(folder: Path, games: int, each: int) -> None:
    """Print mails a second in a batch, and the time of a single mail."""
    room = in_round_one(folder / "batch", games)
    # a daemon has its templates ready; the first receipt of its life pays for them
    room.write("ada@example.org", "attack Cuttlefish 1\ndefend 1\nwait")
    room.sweep()
    count = mails(room, games, each)
    rate = probe(folder)
    room.outbox.down = True
    start = time.perf_counter()
    swept = room.sweep(timedelta(minutes=5))
    seconds = time.perf_counter() - start
    assert swept.mails == count and swept.entries >= count, (swept.mails, swept.entries, count)
    assert len(list((room.root / "games").rglob("*.receipt.*"))) >= count
    show(
        f"mails a second, {count} over {games} games",
        f"{count / seconds:.0f}",
        "aim 300",
        f"{count / seconds / rate:.0%} of {rate:.0f} fsyncs/s",
    )
    room.outbox.down = False
    room.sweep(timedelta(hours=2))
    singles = []
    for _ in range(15):
        room.write("ada@example.org", "attack Cuttlefish 20\ndefend 30\nwait")
        room.outbox.down = True
        start = time.perf_counter()
        room.sweep(timedelta(seconds=1))
        singles.append((time.perf_counter() - start) * 1000)
        room.outbox.down = False
        room.sweep(timedelta(hours=1))
    rate = probe(folder)
    show("a single mail, a whole sweep", f"{sorted(singles)[7]:.1f} ms", "aim 5 ms", f"{rate:.0f} fsyncs/s")
    room.arena.close()


def empty_sweeps(folder: Path) -> None:
    """Print a sweep with nothing to do, with many games running."""
    for games in (1_000, 10_000):
        room = Room(folder / f"empty-{games}", rulesets_known(), templates())
        later = datetime(2027, 6, 1, tzinfo=UTC)
        stamp = room.arena.stamp("game-0", "rumble")  # of files that are not there, and so are as we left them
        ends = (later + timedelta(minutes=n) for n in range(games))
        rows = [Row(f"game-{n}", "rumble", "Round 3", "open", end, stamp=stamp) for n, end in enumerate(ends)]
        room.arena.index.games.store(*rows)
        doors = Doors(room.clock, room.mailbox, room.outbox)
        took = best(lambda room=room, doors=doors: sweep(room.arena, doors), 10)  # type: ignore[misc]
        assert not (room.root / "games").exists()
        show(f"empty sweep, {games} games", f"{took:.2f} ms", "under 50 ms", f"{probe(folder):.0f} fsyncs/s")
        room.arena.close()


def adjudication() -> None:
    """Print the adjudication of a round of eight heroes who attack two others each."""
    ruleset: Any = rulesets_known()["rumble"]
    seats = {Seat(f"hero-{n}"): f"Hero {chr(65 + n)}" for n in range(8)}
    house = {option.name: option.default for option in ruleset.options}
    state = ruleset.setup(seats, house, Dice(bytes(32)))
    while ruleset.phase(state).kind != "round":
        orders = {seat: ruleset.missing(state, seat, Dice(bytes(32))) for seat in ruleset.phase(state).owing}
        state = ruleset.adjudicate(state, orders, Given(), Dice(bytes(32))).state
    names = list(seats.values())
    orders = {}
    for place, seat in enumerate(seats):
        lines = [
            OrderLine(1, f"attack {names[(place + 1) % 8]} 20"),
            OrderLine(2, f"attack {names[(place + 2) % 8]} 10"),
            OrderLine(3, "defend 25"),
        ]
        orders[seat] = ruleset.parse(state, seat, lines).orders
    took = best(lambda: ruleset.adjudicate(state, orders, Given(), Dice(bytes(32))), 50)
    show("adjudicating a round of eight heroes", f"{took:.2f} ms", "under 2 ms")


def replaying(folder: Path) -> None:
    """Print the replay of a game of twenty phases."""
    room = Room(folder / "replay", rulesets_known(), templates())
    game = room.found(*PLAYERS, ruleset="rumble", name="long-1", house={"stalemate": "none"})
    while room.table("long-1").number < 21:
        room.sweep(timedelta(hours=24))
    phases: list[replay_check.Phase] = []

    def again() -> None:
        folder = room.root / "games" / game
        phases[:] = list(replay_check.replay(folder, rulesets_known(), words(), room.arena.seed(game)))

    took = best(again, 3)
    assert len(phases) >= 21 and not any(phase.difference for phase in phases)
    show(f"replaying a game of {len(phases) - 1} phases", f"{took:.0f} ms", "under 500 ms")
    room.arena.close()


def cold_help() -> None:
    """Print `pbem --help` as a process of its own."""
    command = [sys.executable, "-m", "pbem", "--help"]
    took = best(lambda: subprocess.run(command, check=True, capture_output=True), 5)
    show("pbem --help, cold", f"{took:.0f} ms", "under 100 ms")


def memory(folder: Path, games: int) -> None:
    """Print the memory of a process that has swept mail for that many games."""
    code = (
        "import sys; from pathlib import Path; from tests.figures.__main__ import many_games; "
        f"many_games(Path({str(folder / 'memory')!r}), {games})"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    show(f"memory after sweeps over {games} games", done.stdout.strip(), "under 120 MB")


def many_games(root: Path, games: int) -> None:
    """Run that many games through sign-up and their first phases, and print the most memory that it took."""
    room = Room(root, rulesets_known(), templates())
    from pbem.hall.commands.founding import found_game

    for number in range(games):
        found_game(
            room.arena,
            GameName(f"game-{number}"),
            "rumble",
            moderator="gwen@example.org",
            invited=["ada@example.org", "bo@example.org"],
            seats=2,
            now=room.clock.now(),
            seed=hashlib.sha256(str(number).encode()).digest(),
        )
    room.sweep()
    for to, raw in room.outbox.sent:
        fields = dict(line.split(": ", 1) for line in raw.decode().split("\r\n\r\n")[0].split("\r\n") if ": " in line)
        room.write(to, f"join as {to[:2].title()}", to=fields["Reply-To"], subject=fields["Subject"])
    room.outbox.sent.clear()
    room.sweep()
    for _ in range(3):
        room.sweep(timedelta(hours=80))
        room.outbox.sent.clear()
    assert len(room.arena.index.games.rows()) == games
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer games, in some seconds")
    parser.add_argument("--waves", action="store_true", help="only those of many games at once")
    parser.add_argument(
        "--slow", type=float, default=0, metavar="MS", help="again, with syncs that take so much longer"
    )
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not wanted.waves:
            cold_help()
            adjudication()
            empty_sweeps(folder)
            replaying(folder)
            mail_figures(folder, 10 if wanted.short else 50, 4)
            memory(folder, 100 if wanted.short else 1000)
        waves.few(folder)
        waves.system_calls(folder)
        waves.many(folder, 100 if wanted.short else 1000)
        if not wanted.slow and not os.environ.get(slow_disk.DELAY):
            waves.large(folder, 500 if wanted.short else 20_000)
        if wanted.slow:
            print(f"\nWith {wanted.slow:g} ms added to each sync:")
            slow_disk.again(folder, wanted.slow, "--waves", *(["--short"] if wanted.short else []))


if __name__ == "__main__":
    main()
