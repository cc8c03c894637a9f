"""What strangers wrote to change a set on hand: made as they meant it, offered, or asked about; never otherwise in silence."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.ground.terms import OrderLine
from tests.conftest import Room
from tests.listening.filling import dressed
from tests.listening.scenes import GAME, Scene, Stage, say, second_round, stage, until

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
SEATS = {"rumble": "mantisman", "discs": "ada"}
LEAST = 16
"""How many of the changes are made as they were meant, at once or by a yes."""


@pytest.fixture(scope="module")
def staged() -> Iterator[Stage]:
    """Lend the moments at which the mails were written."""
    with stage(SCENES) as found:
        yield found


def canonical(room: Room, game: str, lines: list[str]) -> tuple[str, ...]:
    """Return lines as the game keeps them; the order of Rumble's means nothing."""
    table = room.table(GAME)
    parsed = table.ruleset.parse(table.state, SEATS[game], [OrderLine(n, one) for n, one in enumerate(lines, 1)])
    assert not parsed.complaints
    found = table.ruleset.format(table.state, parsed.orders)
    return tuple(sorted(found)) if game == "rumble" else found


def became(staged: Stage, mail: dict[str, Any]) -> str:
    """Send a mail, and return what became of it."""
    game = mail["game"]
    with staged.lend(game) as room:

        def on_hand() -> list[str]:
            held = room.table(GAME).hand.get(SEATS[game])
            return list(held.orders) if held else []

        before = on_hand()
        wanted = canonical(room, game, mail["result"]) if "result" in mail else ()
        room.mailbox.deliver(dressed(room, mail["text"]), room.clock.now())
        assert not room.sweep().troubles
        after, table = on_hand(), room.table(GAME)
        counts = table.moved(SEATS[game])
        offer = table.offers.get(SEATS[game])
        offered = canonical(room, game, list(offer.orders)) if offer else ()
        if after != before and ("result" not in mail or canonical(room, game, after) != wanted):
            return "otherwise" if counts else "otherwise, but it waits"
        if after != before:
            return "right"
        return "as it was" if not offered else "offered" if offered == wanted else "offered otherwise"


def test_no_change_is_made_otherwise_than_it_was_meant(staged: Stage) -> None:
    """Nor offered; a line alone that reads as an order is a new set, of which the receipt tells."""
    found = {mail["text"]: became(staged, mail) for mail in MAILS}
    alone = [text for text, what in found.items() if what == "otherwise"]
    assert alone == ["throw at Cy"]
    counted = Counter(found.values())
    assert not counted["offered otherwise"], [text for text, what in found.items() if what == "offered otherwise"]
    assert counted["right"] + counted["offered"] >= LEAST, counted
