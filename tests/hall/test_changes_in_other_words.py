"""What strangers wrote to change a set on hand: made as they meant it, offered, or asked about; never otherwise in silence."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import OrderLine, Seat
from pbem.table.fold import replay
from pbem.table.incoming import player_mail
from pbem.table.incoming.received import Received
from pbem.table.model.table import Table
from tests.conftest import Room
from tests.depth import shares
from tests.listening.scenes import GAME, Scene, say, second_round, stage, until

MAILS = tomllib.loads((Path(__file__).parent / "changes_in_other_words.toml").read_text(encoding="utf-8"))["mail"]
FOUR = ("attack Bob 20", "attack Cy 30", "defend 40", "use Laser 10 on Cy")
LINES = ("throw at Bob", "attack Cy", "move to Dee", "hold")
OTHERS = {"bob": "Bob", "cy": "Cy", "dee": "Dee"}


def a_laser(room: Room) -> None:
    """Sell Ada a Laser and a Shield, play a round without harm, and let her send four orders."""
    laser = "power: Laser: Spend X: a Hero of your choice loses X Energy.\n\npower: Shield: +5 to your Defence."
    others = dict.fromkeys(("bob", "cy", "dee"), "power: Nothing: nothing.")
    say(room, ada=laser, **others)
    until(room, "Auction")
    say(room, ada="bid Laser 5\nbid Shield 3")
    second_round(room, "defend 90")
    say(room, gwen="set energy of Mantisman = 100 because of the list")
    say(room, ada="\n".join(FOUR))


def a_list(room: Room) -> None:
    """Let Ada send four lines."""
    say(room, ada="\n".join(LINES))


SCENES = {
    "rumble": Scene("rumble", a_laser, FOUR, people={"ada": "Mantisman", **OTHERS}),
    "discs": Scene("discs", a_list, LINES, people={"ada": "Ada", **OTHERS}),
}
SEATS = {"rumble": Seat("mantisman"), "discs": Seat("ada")}
LEAST = {1: 25, 12: 2}
"""How many of the changes are made as they were meant, at once or by a yes; by the share of mails that is tried."""


@pytest.fixture(scope="module")
def tables() -> Iterator[dict[str, Table]]:
    """Lend the tables at which the mails were written."""
    with stage(SCENES) as found:
        yield {name: found.room(name).table(GAME) for name in SCENES}


def canonical(table: Table, game: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines as the game keeps them; the order of Rumble's means nothing."""
    said = [OrderLine(number, one) for number, one in enumerate(lines, 1)]
    parsed = table.ruleset.parse(table.state, SEATS[game], said)
    assert not parsed.complaints
    found = table.ruleset.format(table.state, parsed.orders)
    return tuple(sorted(found)) if game == "rumble" else found


def became(table: Table, mail: dict[str, Any]) -> str:
    """Send a mail, and return what became of it."""
    game = mail["game"]
    seat, before = SEATS[game], table.sets.hand[SEATS[game]].orders
    wanted = canonical(table, game, mail["result"]) if "result" in mail else ()
    said = tuple(OrderLine(number, line) for number, line in enumerate(mail["text"].split("\n"), 1))
    now = table.sets.hand[seat].stamp[0] + timedelta(minutes=1)
    received = Received(
        phase=table.number, arrived=now, noted=now, mail="m99999", cause="c", key="k", message_id="", said=said
    )  # fmt: skip
    entry = player_mail.take(table, seat, received)
    later = replay.step(table, entry)
    held = later.sets.hand.get(seat)
    after = held.orders if held else ()
    offered = canonical(table, game, entry.offered) if entry.offered else ()
    if after != before and ("result" not in mail or canonical(table, game, after) != wanted):
        return "otherwise" if later.moved(seat) else "otherwise, but it waits"
    if after != before:
        return "right"
    return "as it was" if not offered else "offered" if offered == wanted else "offered otherwise"


@pytest.mark.parametrize("share", shares(12))
def test_no_change_is_made_otherwise_than_it_was_meant(tables: dict[str, Table], share: int) -> None:
    """Nor offered; a line alone that reads as an order is a new set, of which the receipt tells."""
    found = {mail["text"]: became(tables[mail["game"]], mail) for mail in MAILS[::share]}
    alone = [text for text, what in found.items() if what == "otherwise"]
    assert set(alone) <= {"throw at Cy"}
    counted = Counter(found.values())
    assert not counted["offered otherwise"], [text for text, what in found.items() if what == "offered otherwise"]
    assert counted["right"] + counted["offered"] >= LEAST[share], counted
