"""
Figures of dear mails: the processor time that the sweep of one mail takes which is written to be dear to read.

Run with `python -m tests.figures.of_mails`; prints the dearest of each kind, and judges nothing. How often a line is
read is held by tests/hall/test_steps.py, that no pattern takes more than its share by tests/letters/test_patterns.py.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pbem.hall.store.catalogue import rulesets_known
from pbem.hall.sweep import turns
from pbem.world.settings import templates
from tests.conftest import Room
from tests.hall.test_rumble_question import BO, GWEN, begin

WORDS = (
    *("attack", "defend", "Mantisman", "Bolt", "Plastiquegirl", "block", "use", "spend", "20", "and", "then", "the"),
    *("all", "energy", "order", "set", "overrule", "strike", "do", "gain", "each", "round", "because", "undo", "bid"),
    *("deadline", "power", "text", "P01", "P02", "if", "my", "hold", "move", "when", "told"),
)

Line = Callable[[random.Random, int], str]


def _words(chance: random.Random) -> list[str]:
    return [chance.choice(WORDS) for _ in range(chance.randint(2, 12))]


def _slipped(chance: random.Random, word: str) -> str:
    place = chance.randrange(max(1, len(word) - 1))
    return f"{word[:place]}{word[place + 1 : place + 2]}{word[place]}{word[place + 2 :]}"


def _slips(chance: random.Random, number: int) -> str:
    return f"{' '.join(_slipped(chance, word) for word in _words(chance))} {number}"


KINDS: dict[str, Line] = {
    "slips": _slips,
    "slips with orders between": lambda chance, n: _slips(chance, n) if n % 20 else "attack Bolt 1",
    "words of the game": lambda chance, n: " ".join(_words(chance)),
    "talk": lambda chance, n: f"{' '.join(_words(chance)).capitalize()}, you know?",
    "conditions": lambda chance, n: f"if attacked by Bolt with {n}: defend {n}, attack Bolt 1 else block largest first",
    "words to others": lambda chance, n: f"to Bolt: {' '.join(_words(chance))}",
    "questions to the moderator": lambda chance, n: f"gm: what about {' '.join(_words(chance))}?",
    "powers": lambda chance, n: f"power: X{n}\ntext: +{n} to your Defence, and spend {n}: lose {n} Energy.\n",
    "rulings": lambda chance, n: f"set energy Bolt {n % 90 + 1} because so {n}",
    "effects": lambda chance, n: f"do gain Bolt {n % 9 + 1} because so {n}",
    "effects with slips": lambda chance, n: f"do {_slips(chance, n)} because so",
    "orders for others": lambda chance, n: f"order Bolt: attack Mantisman {n % 30 + 1}; defend {n % 40} because so",
    "lines for a power": lambda chance, n: f"do power P01 = when attacked: defence(me) += {n}; because so",
}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=499)
    parser.add_argument("--kinds", type=int, default=len(KINDS), help="how many kinds of mail are tried")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = Room(Path(folder) / "arena", rulesets_known(), templates())
        begin(base)
        base.arena.close()
        dearest = 0.0
        for kind, line in [*KINDS.items()][: said.kinds]:
            for who, writer in (("player", BO), ("moderator", GWEN)):
                room = base.copied(Path(folder) / f"{kind} {who}".replace(" ", "-"))
                chance = random.Random(kind)
                mail = room.write(writer, "\n".join(line(chance, number) for number in range(said.lines)))
                began = time.process_time()
                swept = room.sweep()
                seconds = time.process_time() - began
                assert swept.mails == 1 and not swept.troubles, swept.troubles
                dearest = max(dearest, seconds)
                print(
                    f"{kind}, from a {who}: {seconds:.2f} s of processor time, {len(mail.raw) // 1000} kB", flush=True
                )
                room.arena.close()
    print(f"the dearest of them: {dearest:.2f} s; a writer's budget is {turns.BUDGET:,} lines and kilobytes a day")


if __name__ == "__main__":
    main()
