"""Lines that would read as orders and were not read: the receipt names each, with the reason, at most six."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters import new_text
from pbem.table.fold.journal import NotRead
from pbem.table.incoming import player_mail
from pbem.table.incoming.received import Received
from tests.conftest import Room, flat
from tests.depth import some
from tests.hall.test_talk import NOW, table_of

ADA = "ada@example.org"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Lend a brawl of two in its first round."""
    room = Room(tmp_path, {"brawl": rulesets_known()["brawl"]})
    room.found("ada", "bo")
    yield room
    room.arena.close()


def send(room: Room, text: str) -> str:
    """Send a mail of Ada's, and return its receipt on one line."""
    room.write(ADA, text)
    room.sweep()
    return flat(room.last(ADA))


@pytest.mark.parametrize(
    ("mail", "because"),
    [
        ("pass\n\n-- \ndefend with b", "below two dashes"),
        ("pass\n\n> defend with b", "in a quotation that is no letter of mine"),
        ("pass\n\n| defend with b", "behind a bar or a colon"),
        (": defend with b\npass", "behind a bar or a colon"),
        (
            "pass\n\n-----Original Message-----\nFrom: Bo <bo@example.org>\nSent: Monday 12:00\nTo: Ada\n\ndefend with b",
            "",
        ),
    ],
)
def test_an_order_that_was_not_read_is_named(room: Room, mail: str, because: str) -> None:
    """What was taken is on hand, and what was not has its reason."""
    told = send(room, mail)
    assert "not read defend with b" in told and because in told
    assert room.table().sets.hand["ada"].orders == ("pass",)


def test_an_order_on_one_line_with_who_wrote_is_named(room: Room) -> None:
    """A client that loses a line break glues the last order to its own words."""
    told = send(
        room, "pass\ndefend with b On Mon, 23 Nov 2026 at 12:02, The Arena <arena@example.org> wrote:\n> ROUND 1"
    )
    assert "not read defend with b It stands on one line" in told


@pytest.mark.parametrize("place", some(3, ["{}", "> so what\n> {}", "-- \nAda\n{}", "end\n{}"]))
@pytest.mark.parametrize("glued", ["Sent from my iPhone defend with b", "defend with b Sent from my iPhone"])
def test_an_order_on_the_line_of_a_phone_is_named(room: Room, place: str, glued: str) -> None:
    """What a phone adds does not hide what stands on its line, wherever that is."""
    assert "defend with b" in send(room, "pass\n\n" + place.format(glued))


def test_a_mail_that_holds_nothing_else_is_answered_so(room: Room) -> None:
    """Nothing new, and yet an order."""
    told = send(room, "-- \ndefend with b")
    assert "held nothing new" in told and "not read defend with b" in told
    assert "ada" not in room.table().sets.hand


def test_talk_in_such_places_is_not_named(room: Room) -> None:
    """A signature is no order, nor is what others say."""
    told = send(room, "pass\n\n> shall we meet?\n\n-- \nAda Lovelace\nAnalytical Engines, 12 St James's Square")
    assert "not read" not in told


def test_at_most_six_are_named_and_the_rest_are_counted(room: Room) -> None:
    """A whole table of lines does not fill the receipt."""
    lines = "\n".join(f"> defend with {die}, for Bo{' ' * count}" for count in range(1) for die in "ab")
    more = "\n".join(f"> attack Bo with {one} damage {two}" for one in "abcd" for two in "abcd" if one != two)
    told = send(room, f"pass\n\n{lines}\n{more}")
    assert told.startswith("Taken, except 12 lines") and told.count("not read") == 6
    assert "So it is with" in told


def test_ones_own_earlier_mail_is_only_counted(room: Room) -> None:
    """The answer to one's own mail quotes it; its lines do not count again, and are not held against anybody."""
    send(room, "defend with b\npass")
    told = send(room, "pass\n\n> defend with b\n> pass")
    assert "not read" not in told
    assert "2 lines of an earlier mail of yours" in told
    assert room.table().sets.hand["ada"].orders == ("pass",)


PLACES = st.sampled_from(["> {}", ">> {}", "| {}", ": {}", "-- \n{}", "> > {}"])
ORDERS = st.sampled_from(["defend with b", "pass", "drop a maneuver", "ask me", "attack Bo with a damage b"])


@given(st.lists(st.tuples(PLACES, ORDERS), min_size=1, max_size=5))
def test_no_line_that_reads_as_an_order_is_neither_taken_nor_named(placed: list[tuple[str, str]]) -> None:
    """Whatever stands before it: it is on hand, or named."""
    body = [line for place, order in placed for line in place.format(order).split("\n")]
    found = new_text.written(["resign", "", *body], [])
    mail = Received(
        phase=1, arrived=NOW, noted=NOW, mail="m", cause="c", key="k", message_id="", said=found.lines,
        passed=tuple(NotRead(one.text, one.taken) for one in found.passed),
    )  # fmt: skip
    entry = player_mail.take(table_of("brawl"), Seat("ada"), mail)
    assert entry.orders == ("resign",)
    assert {order for _, order in placed} <= {one.text for one in entry.not_read}


BLOWS = st.sampled_from(
    ["attack Bo with a damage b", "defend with a", "drop b maneuver", "drop b regain", "defend with c", "pass"]
)


@given(st.lists(BLOWS, min_size=1, max_size=6))
def test_each_line_of_a_refused_set_is_named(orders: list[str]) -> None:
    """What is wrong has its reason; what could be read, and fell with it, is named all the same."""
    said = tuple(OrderLine(number, text) for number, text in enumerate(orders, 1))
    mail = Received(phase=1, arrived=NOW, noted=NOW, mail="m", cause="c", key="k", said=said, message_id="")
    entry = player_mail.take(table_of("brawl"), Seat("ada"), mail)
    refused = {one.text for one in entry.complaints}
    assert set(orders) <= {*entry.orders, *entry.fell} | refused
    assert not set(entry.fell) & refused


def test_what_fell_with_a_refused_set_stands_in_the_receipt(room: Room) -> None:
    """Its lines have to be sent again, and nobody has to guess which were read."""
    told = send(room, "defend with a\n\n-----\ndefend with a b\ndrop c regain")
    assert told.startswith("Not taken: 1 line. You have no orders on hand.")
    assert "I could read what follows, and it was not taken either: : defend with a : drop c regain" in told
    assert "ada" not in room.table().sets.hand


@pytest.mark.parametrize(
    "line",
    [
        "# defend with b",
        "Bo wrote: defend with b",
        "drop a or so: pass: defend with b",
        "BG> defend with b",
        "BG> BG> defend with b",
    ],
)
def test_an_order_behind_a_sharp_a_colon_or_initials_is_named_in_a_quotation(room: Room, line: str) -> None:
    """What people and programs write before a line does not hide it."""
    assert "not read defend with b" in send(room, f"pass\n\n> so what\n> {line}")


def test_doubtful_lines_are_named_beside_a_refused_set(room: Room) -> None:
    """What may change the set is told, whether something is on hand or not, and what is complained of is told once."""
    for _ in range(2):
        told = send(room, "defend with a\n\nOn Monday at 8:00 drop c regain\n\ndefend with a b")
        assert "I am not sure about this: : On Monday at 8:00 drop c regain" in told
        assert told.count("defend with a b") == 1
        send(room, "pass")


@pytest.mark.parametrize("place", ["{}", "> {}", "-- \n{}", "end\n{}"])
def test_an_order_behind_a_date_is_named_wherever_that_line_stands(room: Room, place: str) -> None:
    """A line with a year is often a mail program's, and what is glued to it a person's."""
    glued = "On Mon, Nov 23, 2026 at 8:00 AM defend with b"
    assert "defend with b" in send(room, "pass\n\n" + place.format(glued))


def test_a_half_filled_line_of_the_form_is_waited_for(room: Room) -> None:
    """What else was sent counts at the deadline."""
    form = next(line for line in room.last(ADA).split("\n") if line.startswith("~ attack"))
    assert form == "~ attack ____ with ____ damage ____"
    quoted = "\n".join(f"> {line}" for line in room.last(ADA).split("\n"))
    half = quoted.replace(f"> {form}", "> ~ attack Bo with ____ damage b")
    told = send(room, f"defend with a\n\nOn Mon, The Arena wrote:\n{half}")
    assert "not read attack Bo with ____ damage b A blank in it is still empty" in told
    assert room.table().sets.hand["ada"].orders == ("defend with a",)
    assert not room.table().moved("ada")
    send(room, "yes")
    assert room.table().moved("ada")


@pytest.mark.parametrize("said", ["#1 defend with b", "# defend with b", "## 2. defend with b"])
def test_an_order_behind_a_sharp_is_named(room: Room, said: str) -> None:
    """It is a comment, and whoever numbers orders so is told."""
    told = send(room, f"pass\n{said}")
    assert "not read defend with b It stands behind a #" in told
