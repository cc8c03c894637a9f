"""The letters of brawls that are played by mail: narrow, sealed, and never to be read back as orders."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.letters.multipart import text_of
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.state import Die, State
from pbem.world.settings import templates
from tests.conftest import Room
from tests.depth import shares, some
from tests.rulesets.brawl_scene import lay

NAMES = {"bud": "Bud Grande", "maria": "Maria", "terence": "Terence the Unlikely-Looking"}
HOUSES: dict[str, dict[str, str]] = {
    "pub": {"endurance": "40", "health": "14"},
    "teams, police": {"teams": "2", "police": "5", "groups": "on", "health": "20"},
    "sequential": {"declare": "sequential", "health": "9"},
    "boxing": {"game": "bare", "boxing": "yes", "end": "first_ko", "tie": "blind"},
}


def lines(state: State, seat: Seat, turn: int) -> list[str]:
    """Write what somebody could order, other things each turn."""
    me = state.fighter(seat)
    letters = [die.letter for die in me.dice if not die.use]
    others = [one.name for one in state.fighters if one.seat != seat]
    on = others[turn % len(others)]
    if me.away:
        return [f"drop {letters[0]} move"] if letters else ["pass"]
    said = [f"attack {on} with {letters[0]} damage {letters[1]}"] if len(letters) > 1 else []
    actions = ["advantage", "maneuver", "regain"]
    if state.is_pub:
        actions += ["drink", "pickup", f"coop {on}", "drink", "pickup"]
    drops = [f"drop {letter} {actions[(turn + place) % len(actions)]}" for place, letter in enumerate(letters[2:3])]
    slower = [state.names[one] for rank in state.order[: state.rank(seat)] for one in rank]
    if slower and len(letters) > 3 and state.house["declare"] == "contingent":
        drops.append(f"if {slower[0]} attacks me: defend with {letters[3]} else drop {letters[3]} maneuver")
        drops.append(f"if {slower[0]} drinks: drop {letters[3]} counter {slower[0]} drink")
    if turn % 4 == 3 and state.phase == "round" and len(letters) > 2:
        return ["ask me"]
    return said + drops or ["pass"]


@pytest.fixture(scope="module", params=some(2, HOUSES))
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A game, as far as it goes in nine turns."""
    room = Room(tmp_path_factory.mktemp("brawl") / "arena", {"brawl": RULESET}, templates())
    seats = ("bud", "maria") if request.param == "boxing" else ("bud", "maria", "terence")
    room.found(*seats, ruleset="brawl", name="pub-1", names=NAMES, house=HOUSES[request.param])
    for turn in range(9):
        table = room.table("pub-1")
        if table.status == "over":
            break
        for place, seat in enumerate(table.owing):
            said = lines(table.state, seat, turn + place)
            room.write(f"{seat.split('-')[0]}@example.org", "\n".join(said))
        room.sweep()
        if turn < 2:
            for player in seats:
                room.write(f"{player}@example.org", ("status", "help")[turn])
            room.sweep()
    yield room
    room.arena.close()


def texts(room: Room) -> set[str]:
    """Return every line that was sent."""
    return {line for _, raw in room.outbox.sent for line in text_of(raw).split("\n")}


def test_no_line_is_wider_than_it_may_be(played: Room) -> None:
    """A client that quotes with a mark need not wrap any of them."""
    assert not {line for line in texts(played) if len(line) > 56}


@pytest.mark.parametrize("share", shares(25))
def test_no_line_of_ours_is_an_order(played: Room, share: int) -> None:
    """Whatever stands alone on a line of a letter is nobody's order; forms and examples never count."""
    table = played.table("pub-1")
    dice = tuple(Die(letter, 3) for letter in "abcdefgh")
    fighters = tuple(msgspec.structs.replace(one, dice=dice, gone=False, down=0) for one in table.state.fighters)
    order = tuple((one.seat,) for one in fighters)
    state = msgspec.structs.replace(table.state, phase="round", turn="", fighters=fighters, order=order)
    for line in sorted(texts(played))[::share]:
        if line.strip() and not line.startswith(("| ", "~ ")) and not line.strip().startswith(":"):
            found = [RULESET.parse(state, seat, [OrderLine(1, line.strip())]).orders for seat in state.names]
            assert not any(found), line


def test_how_all_stand_is_printed_once_a_letter(played: Room) -> None:
    """A report has the table; what is asked below it does not print it again."""
    for _, raw in played.outbox.sent:
        rows = [line for line in text_of(raw).split("\n") if line.startswith("  Maria") and "Base Attack" in line]
        assert len(rows) <= 1, text_of(raw)


def test_what_was_declared_is_told_once_a_letter(played: Room) -> None:
    """In a question or in the report of the round, which are letters of their own."""
    for _, raw in played.outbox.sent:
        flat = " ".join(text_of(raw).split())
        said = re.findall(r"\S+ hits at .+? to hurt", flat)
        assert len(said) == len(set(said)), text_of(raw)


def test_the_example_of_a_defense_is_against_a_foe() -> None:
    """A friend who declares just before is no example, as long as a slower foe is there."""
    given = [
        "terence: Terence ba 7 bd 8 e 20 h 10 dice 2",
        "maria: Maria ba 7 bd 8 e 20 h 10 dice 3",
        "bud: Bud ba 7 bd 8 e 20 h 10 dice 4",
        "bud: team 1",
        "maria: team 1",
        "terence: team 2",
    ]
    assert RULESET.asked(lay(given, {"teams": "2"}, Dice(bytes(32))), Seat("bud"))["feared"] == "Terence"


def test_who_is_down_resigns_by_mail_and_is_not_waited_for(tmp_path: Path) -> None:
    """Nothing is asked of them, and yet their mail is taken; the others' sets close the round."""
    room = Room(tmp_path / "arena", {"brawl": RULESET}, templates())
    room.found("bud", "maria", "terence", ruleset="brawl", name="pub-1", names=NAMES)
    room.write("gwen@example.org", "set down of Bud 9 because he slept badly")
    room.sweep()
    table = room.table("pub-1")
    while "bud-grande" in table.owing:  # a six on the floor would give them a die
        for seat in table.owing:
            room.write(f"{seat.split('-')[0]}@example.org", "pass")
        room.sweep()
        table = room.table("pub-1")
    room.write("bud@example.org", "resign")
    room.sweep()
    assert "On hand now" in room.last("bud@example.org") and not room.table("pub-1").state.fighter("bud-grande").gone
    for seat in table.owing:
        room.write(f"{seat.split('-')[0]}@example.org", "pass")
    assert not room.sweep().troubles
    assert room.table("pub-1").state.fighter("bud-grande").gone
    assert any("Bud Grande has resigned" in line for line in texts(room))
    room.arena.close()


def receipt(room: Room, text: str) -> str:
    """Return what Bud is answered, in one line."""
    room.write("bud@example.org", text)
    room.sweep()
    return " ".join(room.last("bud@example.org").split())


def test_a_receipt_says_what_each_die_that_is_left_over_does(tmp_path: Path) -> None:
    """M3: moves back, defends, is dropped; who passes, resigns or has none left over is told nothing of it."""
    room = Room(tmp_path / "arena", {"brawl": RULESET}, templates())
    room.found("bud", "maria", ruleset="brawl", name="pub-1", names=NAMES)
    room.write("gwen@example.org", "set away of Bud yes because he slept badly")
    room.sweep()
    state = room.table("pub-1").state
    best, *rest, worst = sorted(state.fighter("bud-grande").dice, key=lambda die: -die.value)
    assert rest, "another seed"
    said = f"{worst.label} moves you back in and {rest[0].label} defends"
    assert said in receipt(room, f"defend with {best.letter}")
    assert f"{best.label} and {rest[0].label} defend, as if" in receipt(room, f"drop {worst.letter} move")
    assert "Unless your conditions change that, " in receipt(
        room, f"defend with {best.letter}\nif Maria is down: drop {rest[0].letter} drink"
    )
    for text in (f"defend with {best.letter}\npass", f"defend with {best.letter}\nif my health < 99: pass", "resign"):
        assert "as if you had sent nothing" not in receipt(room, text), text
    room.arena.close()
