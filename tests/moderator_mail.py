"""
Prints what a game costs its moderator in letters and lines, and judges nothing: `python -m tests.moderator_mail`.

Five heroes invent ten powers and bid for them; the moderator says what two of those do that do not run by themselves,
overrules one verdict, and approves everything else. It ends with the sixth round.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbem.hall.store.catalogue import rulesets_known
from pbem.letters.reading import Letter
from pbem.testing.room import MODERATOR
from tests.conftest import Room

PLAYERS = ("ada", "bo", "cy", "dee", "eve")
POWERS = (
    ("Tough Hide", "+15 to your Defence."),
    ("Second Wind", "Burn 5: gain 12 Energy at the end of the round, if nobody damaged you."),
    ("Laser Eyes", "Spend 10 and choose a Hero: 5 unblockable damage to that Hero."),
    ("Patience", "Burn 10: gain 15 Energy at the end of the round, if you attacked nobody."),
    ("Big, Gnashy Claws", "If you use no other power in a round, +20 to your Attack."),
    ("Ink Cloud", "Spend 15: ignore one Attack on you this round."),
    ("Regeneration", "Gain 3 Energy at the beginning of each round."),
    ("Grudge", "+5 to each of your Attacks."),
    ("Mirror", "Whoever attacked you most last round is not told so, and blushes."),
    ("Long Memory", "You may copy the last power that was used against you, at twice its price."),
)
ROUNDS = 6
GAME = "rumble-9"


def letters() -> list[Letter]:
    """Play the game, and return all letters that the moderator had."""
    with TemporaryDirectory() as scratch:
        room = Room(Path(scratch) / "arena", rulesets_known())
        room.found(*PLAYERS, ruleset="rumble", name=GAME, review=("powers", "round"))
        while (table := room.table(GAME)).status != "over" and _rounds(table) <= ROUNDS:
            _play(room)
        room.arena.close()
        return room.letters(MODERATOR)


def _rounds(table: Any) -> int:
    return int(table.state.round) if table.state else 0


def _play(room: Room) -> None:
    """Let everybody write once, and the moderator rule, until the phase is published."""
    table = room.table(GAME)
    for seat in table.owing:
        _write(room, f"{seat}@example.org", _orders(table, seat))
    if table.title == "Round 2":
        _write(room, "bo@example.org", ["press to all: May the best cape win."])
        _write(room, "ada@example.org", ["gm: I am away on Sunday."])
    room.sweep(timedelta(minutes=40))
    while (now := room.table(GAME)).status == "closed":
        _write(room, MODERATOR, _rulings(now))
        room.sweep()
    if (now := room.table(GAME)).number == table.number and now.status == "open":
        room.sweep(now.deadline - room.clock.now() + timedelta(minutes=5))


def _orders(table: Any, seat: str) -> Sequence[str]:
    place = PLAYERS.index(seat)
    if table.phase.kind == "powers":
        return [f"power: {name}\ntext: {text}\n" for name, text in POWERS[2 * place : 2 * place + 2]]
    if table.phase.kind == "auction":
        return [f"bid P{2 * place + one:02} {8 + place + one}" for one in (1, 2)]
    if table.phase.kind == "rebid":
        return [f"bid {key} {10 + place}" for key, seats in table.state.ties.items() if seat in seats]
    energy = table.state.hero(seat).energy
    other = PLAYERS[(place + table.state.round) % len(PLAYERS)]
    if other == seat or not table.state.hero(other).is_in:
        return [f"defend {energy}"]
    force = min(energy // 3, 24)
    return [f"attack {table.label(other)} {force}", f"defend {energy - force}"]


def _rulings(table: Any) -> Sequence[str]:
    """Say what two powers do, in the first proofs of rounds 1 and 2, and overrule a verdict in that of round 3."""
    first = {
        "Round 1": "do defence(Ada) += 15 each round because Tough Hide is always on",
        "Round 2": "do attack(Dee, any) += 5 each round because a Grudge is never forgotten",
        "Round 3": "overrule V1 = 3 because the roof is wet",
    }
    return [first[table.title]] if table.proof == 1 and table.title in first else [f"approve {table.proof}"]


def _write(room: Room, who: str, lines: Sequence[str]) -> None:
    room.write(who, "\n".join(lines), to=room.reply_to(who, f"[{GAME}]"))
    assert not room.sweep().troubles


def main() -> None:
    """Print a row for each kind of letter, by how it begins, and the sums."""
    found = letters()
    kinds = [letter.message_id.split(".")[1] for letter in found]
    for kind, count in Counter(kinds).most_common():
        sizes = sorted(len(letter.body) for letter, one in zip(found, kinds, strict=True) if one == kind)
        print(f"{kind:<12} {count:>3} letters  {sum(sizes):>5} lines  from {sizes[0]} to {sizes[-1]}")
    print(f"{'all':<12} {len(found):>3} letters  {sum(len(letter.body) for letter in found):>5} lines")


if __name__ == "__main__":
    main()
