"""Games of five programs who decide as simple bots do and write it down as people in haste; counts what is refused."""

import re
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pbem import demo
from pbem.ground.terms import Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters.reading import Letter, read
from pbem.testing.room import MODERATOR
from pbem.world.settings import templates
from tests.conftest import Room
from tests.listening.clauses import PROSE
from tests.listening.judging import REFUSALS

GAME = "game-1"
PLAYERS = {"ada": "Mantisman", "bob": "Bob", "cy": "Cy", "dee": "Doctor Cuttlefish", "eli": "Zypher"}


class Receipts(NamedTuple):
    """How many receipts there were, how many of them refused something, and how many asked with "Taken, but"."""

    all: int
    refused: int
    asked: int


def counted(letters: Sequence[Letter]) -> Receipts:
    """Count the receipts among letters."""
    texts = [" ".join(letter.body) for letter in letters if ".receipt." in letter.message_id]
    refused = sum(any(words in text for words in REFUSALS) for text in texts)
    return Receipts(len(texts), refused, sum("Taken, but" in text for text in texts))


def in_demo(name: str, root: Path) -> Receipts:
    """Play the demonstration of a ruleset, and count the receipts of its players."""
    with redirect_stdout(StringIO()):
        demo.play(root, "listening", lambda text: None, letters="none", name=name)
    return counted([read(path.read_bytes()) for path in sorted(root.glob("games/*/post/out/*.receipt.*"))])


def in_haste(name: str, root: Path, phases: int) -> Receipts:
    """Let five careless programs play a game of a ruleset by mail, for so many phases, and count their receipts."""
    ruleset = rulesets_known()[name]
    room = Room(root, rulesets_known(), templates())
    room.found(*PLAYERS, names=PLAYERS, ruleset=name, name=GAME)
    people = {room.arena.people.contact(one.person).address: seat for seat, one in room.table(GAME).seats.items()}
    writers = {seat: _Careless(room, who, seat, ruleset) for who, seat in people.items()}
    for _ in range(phases * 200):
        table = room.table(GAME)
        if table.status == "over" or table.number > phases:
            break
        for seat in table.owing:
            writers[seat].write()
        if table.status == "closed":
            room.write(MODERATOR, f"approve {table.proof}", to=room.reply_to(MODERATOR, f"[{GAME}]"))
        troubles = room.sweep(timedelta(hours=1)).troubles
        assert not troubles, troubles
    letters = [letter for who in people for letter in room.letters(who)]
    room.arena.close()
    return counted(letters)


class _Careless:
    """Somebody who writes in haste, reads what comes back, and mends what is complained of by writing as they are told."""

    def __init__(self, room: Room, address: str, seat: Seat, ruleset: Any) -> None:
        self.room, self.address, self.seat = room, address, seat
        self.bot = next(iter(ruleset.bots.values()))
        self.name = ruleset.name
        self.answered = 0
        self.asked: tuple[int, int] = (0, 0)
        self.tries = 0
        self.asked_for: list[str] = []

    def write(self) -> None:
        """Answer the question of the phase once; then only what is refused or asked about."""
        table = self.room.table(GAME)
        letters = self.room.letters(self.address)
        text = " ".join(letters[-1].body)
        at = (table.number, table.questions)
        if at != self.asked:
            self.asked, self.tries = at, 0
        elif len(letters) == self.answered or self.tries > 3:
            return
        chance = Random(f"{self.address} {at} {self.tries}")
        if self.tries and "Taken, but" in text:
            said = "yes"
        else:
            lines = self._decided("\n".join(letters[-1].body))
            said = "\n".join(lines) if self.tries else careless(lines, chance)
        self.room.write(self.address, said, to=self.room.reply_to(self.address, f"[{GAME}]"))
        self.answered, self.tries = len(letters), self.tries + 1

    def _decided(self, letter: str) -> Sequence[str]:
        """Decide what to order, as canonical lines: what a bot would, or what a letter asks that no bot knows."""
        table = self.room.table(GAME)
        dice = self.room.dice.at(f"{table.number} {self.seat} {table.questions}")
        if table.phase.kind == "powers":
            return [f"power {name}: {text}" for name, text in dice.shuffle("powers", list(_POWERS))[:2]]
        if table.phase.kind in ("auction", "rebid"):
            if self.tries == 0:
                self.asked_for = re.findall(r"^~ bid (P\d+)", letter, re.MULTILINE)
            return [f"bid {number} {dice.face(number, 12)}" for number in self.asked_for[:3]]
        lines: Sequence[str] = table.ruleset.format(table.state, self.bot(table.seen_by(self.seat), self.seat, dice))
        return lines


_POWERS = (
    ("Tough Hide", "+15 to your Defence."),
    ("Second Wind", "Burn 5: gain 12 Energy at the end of the round, if nobody damaged you."),
    ("Ink Cloud", "Spend 15: ignore one Attack on you this round."),
    ("Grudge", "+5 to each of your Attacks."),
    ("Slow Healer", "Gain 3 Energy at the beginning of each round."),
)
_HEADINGS = ("My orders:", "Hi Gwen, here are my moves:", "Orders", "Here goes:", "This time:")
_WAYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"attack (.+?) (\d+)", (r"\2 on \1", r"attack \1 with \2", r"hit \1 for \2", r"\1 \2", r"Attack \1 \2!", r"I attack \1 with \2.")),
    (r"defend (\d+)", (r"\1 defence", r"def \1", r"defend with \1", r"\1 on defence", r"defence: \1", r"Defend \1")),
    (r"bid (.+?) (\d+)", (r"\1 \2", r"\2 on \1", r"bid \2 for \1", r"\1: \2")),
    (r"use (.+)", (r"\1", r"use \1 please", r"use \1!")),
    (r"attack (.+?) with (.+?) damage (.+)", (r"hit \1 with \2, damage \3", r"attack \1: \2, damage \3", r"attack \1 with \2 and damage \3")),
    (r"defend with (.+)", (r"block with \1", r"def \1", r"defence: \1", r"I defend with \1")),
    (r"drop (\w) (regain|maneuver|advantage|drink)", (r"\2 with \1", r"drop \1 for \2", r"\1: \2")),
    (r"throw at (.+)", (r"throw at \1!", r"throw my disc at \1", r"I throw at \1.", r"throw @ \1")),
    (r"move to (.+)", (r"go to \1", r"move \1", r"run to \1")),
    (r"attack (\w+)", (r"attack \1, please", r"Attack \1!!", r"attack \1 :-)")),
    (r"hold", (r"then hold", r"hold my card", r"Hold.")),
)  # fmt: skip
"""How canonical lines are written in haste."""


def careless(lines: Sequence[str], chance: Random) -> str:
    """Write a set down as somebody does who does not look at the handbook."""
    if any(line.startswith("power ") for line in lines):
        way = chance.choice((r"power: \1\ntext: \2", r"power: \1\n\2", r"power \1: \2", r"\1: \2", r"\1 - \2"))
        said = "\n\n".join(re.sub(r"^power (.+?): (.+)$", way, line) for line in lines)
    else:
        said = _joined([_said(line, chance.choice) for line in lines], chance)
    above = [chance.choice(PROSE[:3])] * (chance.random() < 0.6) + [chance.choice(PROSE[3:8])] * (chance.random() < 0.4)
    heading = [chance.choice(_HEADINGS)] * (chance.random() < 0.3)
    below = [chance.choice(PROSE[8:])] * (chance.random() < 0.5)
    return "\n".join([*above, *heading, said, "", *below]).strip("\n")


def _said(line: str, choice: Callable[[Sequence[str]], str]) -> str:
    for pattern, ways in _WAYS:
        if match := re.fullmatch(pattern, line):
            return match.expand(choice(ways))
    return line


def _joined(lines: Sequence[str], chance: Random) -> str:
    if chance.random() < 0.25 and not any(":" in line or "if " in line for line in lines):
        return ", ".join(line.rstrip("!.") for line in lines)
    bullet = chance.choice(("", "", "", "- ", "* "))
    return "\n".join(bullet + line for line in lines)
