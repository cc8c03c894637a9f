"""Many games at once: mails and deadlines of a thousand games, a single mail, an arena of twenty thousand."""

import gc
import os
import re
import shutil
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

from pbem.daemon import Daemon
from pbem.ground.terms import GameName
from pbem.hall.commands import founding
from pbem.hall.store.arena import Doors
from pbem.hall.store.catalogue import rulesets_known
from pbem.testing.room import MODERATOR
from pbem.world.log import SILENT
from pbem.world.settings import templates
from tests.conftest import Room
from tests.figures import probe, show

PLAYERS = ("ada", "bo")
BOTH = ("ada@example.org", "bo@example.org")
NAMES = {"ada": "Mantisman", "bo": "Cuttlefish"}


def begun(root: Path, count: int, review: tuple[str, ...] = ()) -> Room:
    """
    Return an arena of games of two heroes in their first round, each with people of its own, begun in waves.

    Shape: a moderator reviews the phases of these kinds before they are published.
    """
    room = Room(root, rulesets_known(), templates())
    invited = {GameName(f"game-{n}"): [f"{who}-{n}@example.org" for who in PLAYERS] for n in range(count)}
    first, *others = invited
    founding.found_game(
        room.arena, first, "rumble", moderator=MODERATOR, invited=invited[first], seats=2, now=room.clock.now(),
        others={game: invited[game] for game in others}, calendar={"reminders": []}, review=review,
    )  # fmt: skip
    room.sweep()
    for to, raw in [*room.outbox.sent]:
        if b".invitation." in raw:
            name = NAMES[to.partition("-")[0]]
            room.write(to, f"join as {name}", to=header(raw, "Reply-To"), subject=header(raw, "Subject"))
    room.outbox.sent.clear()
    room.sweep()
    while any(room.arena.index.games.phase_of(game)[0] != "Round 1" for game in invited):
        room.outbox.sent.clear()
        room.sweep(timedelta(hours=24))
    return room


def header(raw: bytes, name: str) -> str:
    """Return a field of a letter."""
    return next(line for line in raw.decode().split("\r\n") if line.startswith(f"{name}: ")).partition(": ")[2]


def deliver(room: Room, each: int) -> int:
    """Put orders for every game into the mailbox, so many from each player; return how many mails."""
    latest = {to: raw for to, raw in room.outbox.sent if to != MODERATOR}
    count = 0
    for turn in range(each):
        for to, raw in latest.items():
            other = NAMES["bo" if to.startswith("ada") else "ada"]
            text = f"attack {other} {10 + turn}\ndefend {40 + turn}\nwait"
            room.write(to, text, to=header(raw, "Reply-To"), subject=f"Re: {header(raw, 'Subject')}")
            count += 1
    return count


def many(folder: Path, games: int) -> None:
    """
    Print mails and deadlines a second, with games that share their commits.

    A run right behind another is slower: for some minutes ext4 looks past each inode that was deleted, and a file costs
    the system ten times what it does otherwise.
    """
    start = time.perf_counter()
    room = begun(folder / "many", games)
    show(f"founding and beginning {games} games", f"{games / (time.perf_counter() - start):.0f} a second")
    _settle(room)
    count = deliver(room, 1)
    rate = probe(folder)
    start = time.perf_counter()
    swept = room.sweep(timedelta(minutes=2))
    seconds = time.perf_counter() - start
    assert swept.entries >= count == 2 * games and swept.sent == count and not swept.troubles, swept.troubles[:2]
    aim = "aim 300, slow 200"
    show(f"mails a second, {count} over {games} games", f"{count / seconds:.0f}", aim, f"{rate:.0f} fsyncs/s")
    entries = _due(folder, room, games, "published at once")
    assert entries >= 2 * games  # each has closed, and is published
    room.arena.close()
    gc.unfreeze()
    reviewed = begun(folder / "reviewed", games, review=("round",))  # as Rumble is founded where nothing is said of it
    assert deliver(reviewed, 1) == 2 * games
    reviewed.sweep(timedelta(minutes=2))
    _settle(reviewed)
    entries = _due(folder, reviewed, games, "to be reviewed")
    assert entries == games
    reviewed.arena.close()
    gc.unfreeze()


def _settle(room: Room) -> None:
    """Come to where a daemon is that has run for a while: its templates are compiled, its memory is in order."""
    for name in ("receipt.j2", "rumble/hand.j2"):
        room.arena.words.get_template(name)
    gc.collect()
    gc.freeze()


def _due(folder: Path, room: Room, games: int, then: str) -> int:
    """Print how many games a second close at their deadline; return how many entries that made."""
    room.outbox.sent.clear()
    rate = probe(folder)
    start = time.perf_counter()
    swept = room.sweep(timedelta(hours=100))
    seconds = time.perf_counter() - start
    assert not swept.troubles, swept.troubles[:2]
    assert len(room.outbox.sent) >= games
    show(f"games due at one minute, {games}, {then}", f"{games / seconds:.0f}", "aim 200", f"{rate:.0f} fsyncs/s")
    return swept.entries


def few(folder: Path) -> None:
    """Print mails a second where many are for the same games, and the time of a single mail with its receipt."""
    room = begun(folder / "few", 10)
    count = deliver(room, 10)
    _settle(room)
    start = time.perf_counter()
    swept = room.sweep(timedelta(minutes=2))
    seconds = time.perf_counter() - start
    assert swept.entries >= count == 200 and not swept.troubles
    show(f"mails a second, {count} over 10 games", f"{count / seconds:.0f}", "aim 500", f"{probe(folder):.0f} fsyncs/s")
    walls, cpus = [], []
    latest = {to: raw for to, raw in room.outbox.sent if to.startswith("ada-")}
    room.sweep(timedelta(hours=25))  # above a day's cap answers come together
    for to, raw in latest.items():
        room.write(to, "attack Cuttlefish 20\ndefend 30\nwait", to=header(raw, "Reply-To"), subject="Re: hello")
        wall, cpu = time.perf_counter(), time.process_time()
        swept = room.sweep(timedelta(seconds=1))
        walls.append((time.perf_counter() - wall) * 1000)
        cpus.append((time.process_time() - cpu) * 1000)
        assert swept.entries == 1 and swept.sent == 1
    beside = f"{sorted(cpus)[5]:.1f} ms of processor"
    show("a single mail, its receipt sent", f"{sorted(walls)[5]:.1f} ms", "aim 5, slow disk 25", beside)
    room.arena.close()
    gc.unfreeze()


def system_calls(folder: Path) -> None:
    """Print what a single mail asks of the system, its receipt sent, where strace is there to count it."""
    if shutil.which("strace"):
        log, code = folder / "calls", f"from tests.figures.waves import take_one; take_one({str(folder / 'one')!r})"
        trace = ("strace", "-f", "-o", log, sys.executable, "-c", code)
        subprocess.run(trace, check=True, stderr=subprocess.DEVNULL)
        _, counted, _ = log.read_text().split(f'write(2, "{_MARK}')
        calls = [re.sub(r"^\d+ +", "", line).partition("(")[0] for line in counted.splitlines()[1:-1]]
        syncs = sum(call in ("fsync", "fdatasync", "syncfs") for call in calls)
        show("system calls of a single mail", f"{len(calls)}", "at most 150", f"{syncs} syncs, at most 5")


_MARK = "here it is counted"


def take_one(root: str) -> None:
    """Take a third mail in a game of one's own, between two marks for who traces this process."""
    room = begun(Path(root), 1)
    to, raw = next(sent for sent in reversed(room.outbox.sent) if sent[0].startswith("ada-"))
    for mail in range(3):
        room.write(to, "attack Cuttlefish 20\ndefend 30", to=header(raw, "Reply-To"), subject="Re: hello")
        if mail == 2:
            os.write(2, _MARK.encode())
        room.sweep(timedelta(seconds=1))
    os.write(2, _MARK.encode())
    room.arena.close()


def large(folder: Path, games: int) -> None:
    """Print what an arena of very many games costs: founding, start of a daemon, one mail, a list, an idle sweep, memory."""
    code = f"import sys; from pathlib import Path; from tests.figures.waves import {{}}; {{}}(Path({str(folder)!r}), {games})"
    for work in ("found_many", "live_with_many", "live_with_many"):  # the second process finds compiled templates
        subprocess.run([sys.executable, "-c", code.format(work, work)], check=True)


def found_many(folder: Path, games: int) -> None:
    """Found very many games, two people invited to each."""
    room = Room(folder / "large", rulesets_known(), templates())
    names = [GameName(f"cup-{number}") for number in range(1, games + 1)]
    start = time.perf_counter()
    founding.found_game(
        room.arena, names[0], "rumble", moderator=MODERATOR, invited=BOTH, seats=4,
        now=room.clock.now(), others=dict.fromkeys(names[1:], BOTH),
    )  # fmt: skip
    show(f"founding {games} games, a wave at a time", f"{games / (time.perf_counter() - start):.0f} a second")
    room.arena.index.outgoing.remove([one.letter for one in room.arena.index.outgoing.to_send()])
    size = subprocess.run(["du", "-sm", room.root], check=True, capture_output=True, text=True).stdout.split()[0]
    show(f"size on disk of {games} games", f"{int(size) * 1024 / games:.0f} kB each")
    room.arena.close()


def live_with_many(folder: Path, games: int) -> None:
    """Start on them, as a daemon does, and live for a while."""
    start = time.perf_counter()
    room = Room(folder / "large", rulesets_known(), templates())
    room.arena.keep_compiled()
    daemon = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT)
    daemon.wake()
    show(f"daemon's start with {games} games", f"{time.perf_counter() - start:.2f} s", "under 2 s")
    show("memory then", f"{_most_memory():.0f} MB", "under 100 MB")
    letters = (room.root / "games/cup-7/post/out").glob("*invitation*")
    raw = min(raw for raw in map(Path.read_bytes, letters) if b"To: ada@" in raw)
    room.write("ada@example.org", "join as Ada", to=header(raw, "Reply-To"), subject=header(raw, "Subject"))
    start = time.perf_counter()
    assert daemon.wake().mails
    show("the first mail of a process", f"{(time.perf_counter() - start) * 1000:.1f} ms")
    start = time.perf_counter()
    daemon.wake()
    show("an idle sweep", f"{(time.perf_counter() - start) * 1000:.1f} ms", "under 50 ms")
    start = time.perf_counter()
    rows = room.arena.index.games.rows()
    assert len(rows) == games
    show("`pbem games` reads its rows in", f"{(time.perf_counter() - start) * 1000:.0f} ms")
    room.arena.close()


def _most_memory() -> float:
    """Return the most MB that this process has had at a time, not what the one had that began it, as getrusage says."""
    found = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) / 1024
