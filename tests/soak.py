"""A soak: many mails to many games with faults among them, and the accounts of it; `python -m tests.soak`."""

import argparse
import hashlib
import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.ground.terms import GameName, OutboxError, Seat, WorldError
from pbem.hall.commands.founding import found_game
from pbem.hall.keeping import mail_audit
from pbem.hall.store.arena import Doors
from pbem.hall.sweep.sweep import sweep
from pbem.letters import addressing
from pbem.world import shelf
from tests.conftest import Room
from tests.killing import Axe, Killed
from tests.promises.calm import START, harbour
from tests.promises.storm import Full

PLAYERS = ("ada", "bo", "cy")
FAULTS = 0.01
"""How likely each mail is to be odd, each sweep and each letter to break."""
BATCH = 200
DAYS = 10


class Sieve:
    """An outbox that loses one letter's answer in a hundred, and keeps no letter but its name."""

    def __init__(self, chance: random.Random) -> None:
        """Take the chance by which letters fail."""
        self.chance = chance
        self.taken: Counter[str] = Counter()
        self.lost = 0
        self.refused = 0

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Take a letter, or do not."""
        if self.chance.random() < FAULTS / 2:
            self.refused += 1
            raise OutboxError("450 later")
        self.taken[raw.split(b"Message-ID: <", 1)[1].split(b"@", 1)[0].decode()] += 1
        if self.chance.random() < FAULTS / 2:
            self.lost += 1
            raise OutboxError("the answer was lost")

    def close(self) -> None:
        """Have nothing to close."""


def main() -> None:
    """Soak, print the accounts, and end with 1 where they are not exact."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    with TemporaryDirectory() as folder:
        raise SystemExit(0 if soak(Path(folder), said.mails, said.games, said.seed) else 1)


def soak(folder: Path, mails: int, games: int, seed: int) -> bool:
    """Let so many mails come to so many games; say whether every one is accounted for."""
    chance = random.Random(seed)
    room = Room(folder / "arena", harbour(), start=START)
    names = [f"tide-{number}" for number in range(games)]
    for name in names:
        _found(room, name)
    founding = len(room.mailbox.marked)
    outbox = Sieve(chance)
    doors = Doors(room.clock, room.mailbox, outbox)
    came: set[str] = {mail.digest for mail in room.mailbox.marked}
    faults: Counter[str] = Counter()
    began, written = time.monotonic(), 0
    room.mailbox.marked.clear()
    recent: list[bytes] = []
    while written < mails or room.mailbox.waiting:
        for _ in range(min(BATCH, mails - written)):
            written += 1
            raw, what = _mail(room, chance, names, written, recent)
            faults[what] += what != ""
            came.add(room.mailbox.deliver(raw, room.clock.now()).digest)
        room.clock.advance(timedelta(days=DAYS) * BATCH / max(mails, BATCH))
        faults[_look(room, doors, chance)] += 1
        if written >= mails:
            room.clock.advance(timedelta(minutes=10))
        room.mailbox.marked.clear()
    for _ in range(30):
        room.clock.advance(timedelta(hours=1))
        sweep(room.arena, doors)
    took = time.monotonic() - began
    found = mail_audit.audit(room.arena)
    unsent = room.arena.index.outgoing.waiting()[0]
    twice = sum(times - 1 for times in outbox.taken.values())
    crashes = faults["crash"]
    print(f"{written} mails to {games} games in {took:.0f} s ({written / took:.0f} a second), seed {seed}")
    print(f"  odd among them: {', '.join(f'{times} {what}' for what, times in sorted(faults.items()) if what)}")
    print(f"  {len(came)} different mails (with {founding} of the founding); the accounts know {found.came}:")
    print(f"  {', '.join(f'{times} {what}' for what, times in found.counts().items())}")
    print(
        f"  waiting {len(found.waiting)}, lost {len(found.lost)}, twice {len(found.twice)}, {found.troubles or 'sound'}"
    )
    print(f"  {len(outbox.taken)} letters, {twice} repeats ({outbox.lost} answers lost, {crashes} crashes)")
    exact = found.exact and set(found.found) == came and not unsent and twice <= outbox.lost + 20 * crashes
    print(f"  {'exact' if exact else 'NOT EXACT'}")
    room.arena.close()
    return exact


def _found(room: Room, name: str) -> None:
    people = [f"{player}.{name}@example.org" for player in PLAYERS]
    found_game(
        room.arena, GameName(name), "harbour", moderator=f"gwen.{name}@example.org", invited=people, seats=3,
        now=room.clock.now(), seed=hashlib.sha256(name.encode()).digest(), close="at deadline",
        calendar={"rules": {"default": "every day 12:00"}},
    )  # fmt: skip
    room.sweep(timedelta(0))
    for player, address in zip(PLAYERS, people, strict=True):
        room.write(address, f"join as {player.capitalize()}")
    room.sweep(timedelta(0))
    room.outbox.sent.clear()


def _mail(room: Room, chance: random.Random, names: list[str], number: int, recent: list[bytes]) -> tuple[bytes, str]:
    """Write a mail as a player does, or an odd one."""
    odd = chance.random()
    if odd < FAULTS and recent:
        return chance.choice(recent), "duplicates"
    name, player = chance.choice(names), chance.choice(PLAYERS)
    table = room.table(name)
    token = room.arena.token(table, Seat(player))
    sender, what, more = f"{player}.{name}@example.org", "", ""
    if odd < 2 * FAULTS:
        sender, what = "eve@example.com", "forged"
    elif odd < 3 * FAULTS:
        more, what = "Auto-Submitted: auto-replied\r\n", "robots"
    elif odd < 4 * FAULTS:
        token, what = "", "without a token"
    to = addressing.reply_address("arena@example.org", name, token, plus=True) if token else "arena@example.org"
    said = chance.choice(["bid 1", "bid 2\nstatus", "bidd 3", "press to all: hello", "bid 99", "ready"])
    raw = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: Re: [{name}] {table.title}\r\nMessage-ID: <{number}@example.net>\r\n"
        f"Date: Mon, 25 Nov 2024 10:00:00 +0000\r\n{more}\r\n{said}\r\n"
    ).encode()
    recent.append(raw)
    del recent[:-500]
    return raw, what


def _look(room: Room, doors: Doors, chance: random.Random) -> str:
    """Sweep, and let one in a hundred break; what was broken is mended by the next."""
    fault = chance.choice(["crash", "full disk", "mailbox away"]) if chance.random() < FAULTS * 5 else ""
    if fault == "mailbox away":
        room.mailbox.away = "away"
    at = chance.randint(1, 400)
    steps: dict[str, Callable[[str], None]] = {"crash": Axe(at), "full disk": Full(at)}
    shelf.STEP = steps.get(fault, _go_on)
    try:
        sweep(room.arena, doors)
    except Killed:
        room.reopen()
        room.arena.shelf.tidy()
    except WorldError:  # as the daemon does
        room.arena.forget()
    finally:
        shelf.STEP, room.mailbox.away = _go_on, ""
    return fault


def _go_on(name: str) -> None:
    pass


if __name__ == "__main__":
    main()
