"""The order language of the discs: what people write on phones is read, and canonical lines read back the same."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.rulesets.discs.grid.bearings import BEARINGS, point_of, read_bearing
from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.grid.squares import COLUMNS, ROWS, read_inches, square_middle, square_of, write_inches
from pbem.rulesets.discs.language import names
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Order
from pbem.rulesets.discs.model.program import Disc
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.orders.sets import check
from pbem.rulesets.discs.play.setting_up import begin
from tests.depth import some
from tests.letters.nasty import NASTY
from tests.rulesets.discs_worlds import World, lines, worlds


def battle(**house: str) -> State:
    """Return a battle of four at its beginning."""
    return begin({Seat(name.lower()): name for name in ("Ada", "Bo", "Cy", "Di")}, house, Dice(bytes(32)))


def read(state: State, *texts: str, seat: str = "ada") -> tuple[tuple[Order, ...], tuple[Complaint, ...]]:
    """Read lines, and hold what was understood to be what is written of it."""
    parsed = LISTS.parse(state, seat, [OrderLine(number, text) for number, text in enumerate(texts, 1)])
    again = [write_order(state, order) for order in parsed.orders]
    assert tuple(LISTS.read(state, seat, text) for text in again) == parsed.orders
    return parsed.orders, parsed.complaints


def written(state: State, *texts: str) -> list[str]:
    """Return the canonical lines of what was written, all of which is understood."""
    orders, complaints = read(state, *texts)
    assert complaints == ()
    return [write_order(state, order) for order in orders]


@pytest.mark.parametrize(
    ("said", "canonical"),
    some(3, [
        ("Throw At Bo.", "throw at Bo"),
        ("- throw at Bo", "throw at Bo"),
        ("\u2022 Throw at bo!", "throw at Bo"),
        ("* throw my disc at Bo", "throw at Bo"),
        ("a) throw at Bo", "throw at Bo"),
        ("when Bo within 4: attack Bo", "if Bo within 4: attack Bo"),
        ("throw 4 o'clock", "throw 120"),
        ("Throw 4 o\u2019clock", "throw 120"),
        ("throw at 12 o\u2018clock", "throw 0"),
        ("throw 1:30", "throw 45"),
        ("throw 6:30 o'clock", "throw 195"),
        ("throw nne", "throw 22"),
        ("throw North-North-West", "throw 337"),
        ("throw to the south east", "throw 135"),
        ("throw 360", "throw 0"),
        ("throw 135\u00b0", "throw 135"),
        ("throw bearing 135 degrees", "throw 135"),
        ("throw at Bo off the north wall", "throw at Bo off north"),
        ("throw at Bo off east, north", "throw at Bo off north and east"),
        ("throw at f4", "throw at F4"),
        ("throw at (13.5, 7)", "throw at 13.5,7"),
        ("throw at 13.50,7.0", "throw at 13.5,7"),
        ("throw at the middle", "throw at centre"),
        ("throw at Cy's disc", "throw at disc of Cy"),
        ("attack", "attack nearest"),
        ("ATTACK ANYONE", "attack nearest"),
        ("attack the weakest foe", "attack weakest"),
        ("move to k4", "move to K4"),
        ("move towards Bo 3 inches", "move to Bo by 3"),
        ("move away from Bo by 2.50", "move from Bo by 2.5"),
        ("move NE 3", "move 45 by 3"),
        ("move 270 3.5", "move 270 by 3.5"),
        ("move by 3", None),
        ("move left of Bo", "move left of Bo"),
        ("move to the right of Bo by 4", "move right of Bo"),
        ("go to my disc", "move to my disc"),
        ("move to the north wall", "move to north wall"),
        ("move to corner SW", "move to SW corner"),
        ("keep the card", "hold"),
        ("hold up to 1 card", "hold to 1"),
        ("stand up", "stand"),
        ("Card 2: move to k4", "card 2: move to K4"),
        ("2nd card: hold", "card 2: hold"),
        ("card 1 throw at Bo", "card 1: throw at Bo"),
        ("if I hold no cards, hold", "if I hold 0: hold"),
        ("if Bo is within 3.9 then attack Bo", "if Bo within 3.9: attack Bo"),
        ("card 1: if bo within 12: throw at bo", "card 1: if Bo within 12: throw at Bo"),
        ("if bo within 12: card 1: throw at bo", "card 1: if Bo within 12: throw at Bo"),
        ("if I hold at least 1 and Bo's disc is heading at me: move left of Bo",
         "if I hold 1 or more and disc of Bo heading at me: move left of Bo"),
        ("if Bo has fewer than 2 cards: throw at Bo", "if Bo holds 1 or fewer: throw at Bo"),
        ("if nearest is prone: attack nearest", "if nearest is prone: attack nearest"),
        ("if I have no disc: move to my disc", "if my disc is out: move to my disc"),
        ("if i have a clear shot at the nearest: throw at nearest", "if clear shot at nearest: throw at nearest"),
        ("if only two are left: throw at nearest", "if only 2 left: throw at nearest"),
        ("on discs: dodge / block", "on disc: dodge, block"),
        ("on any disc: nothing", "on disc: never"),
        ("on Bo\u2019s disc: block", "on disc of Bo: block"),
        ("on disc: only block", "on disc: only block"),
        ("on disc block only", "on disc: only block"),
        ("on Bo\u2019s disc only block", "on disc of Bo: only block"),
        ("on disc: only dodge", "on disc: dodge"),
        ("on disc: only block, dodge", "on disc: block, dodge"),
        ("On Attack: never", "on attack: never"),
        ("on my disk: catch, dive", "on my disc: card, dive"),
        ("on my disc: card if I hold 2 or more", "on my disc: card if I hold 2"),
        ("recall: always", "recall: when away"),
        ("never recall", "recall: never"),
        ("don\u2019t recall", "recall: never"),
        ("recall: off", "recall: never"),
        ("pls throw at bo", "throw at Bo"),
        ("Throw at bo, please!", "throw at Bo"),
        ("throw it at bo", "throw at Bo"),
        ("throw straight at bo", "throw at Bo"),
        ("throw at bo via the north wall", "throw at Bo off north"),
        ("throw off the north wall at bo", "throw at Bo off north"),
        ("throw off the top wall at bo", "throw at Bo off north"),
        ("throw at bo off the left wall", "throw at Bo off west"),
        ("throw at the closest", "throw at nearest"),
        ("attack the nearest player", "attack nearest"),
        ("throw at the top right corner", "throw at NE corner"),
        ("move to the bottom wall", "move to south wall"),
        ("move 3 inches north", "move 0 by 3"),
        ("move 3\u201d NE", "move 45 by 3"),
        ("move 2.5 to bo", "move to Bo by 2.5"),
        ("card2: hold", "card 2: hold"),
        ("card no. 2: hold", "card 2: hold"),
        ("if bo is closer than 12 inches of me: throw at bo", "if Bo within 12: throw at Bo"),
        ("if the disc is coming at me: hold", "if any disc heading at me: hold"),
        ("if I\u2019m prone: stand", "if I am prone: stand"),
        ("on disc: block and dodge", "on disc: block, dodge"),
        ("recall if nobody is ahead", "recall: if nobody ahead"),
    ]),
)  # fmt: skip
def test_what_people_write_is_read(said: str, canonical: str | None) -> None:
    """Capitals of a phone, typographic apostrophes, bullets, hours and points of the compass, long and short words."""
    orders, complaints = read(battle(), said)
    if canonical is None:
        assert complaints and not orders
    else:
        assert complaints == () and [write_order(battle(), order) for order in orders] == [canonical]


@pytest.mark.parametrize(
    ("said", "fault", "rule", "because"),
    some(
        3,
        [
            ("dance", "unreadable", "M2", "I cannot read this as an order."),
            ("throw", "unreadable", "D14", "throw at NAME"),
            ("throw at Zoe", "unreadable", "M3", "Known: Bo or Cy"),
            ("throw at Addda", "illegal", "M3", "That is you"),
            ("throw 400", "illegal", "T-ll", "degrees from 0 to 359"),
            ("throw 22.5", "illegal", "T-ll", "such as 22"),
            ("throw 14 o'clock", "illegal", "M4", "No clock shows"),
            ("throw at N13", "illegal", "D2", "from A1 in the south-west to L12"),
            ("throw at F0", "illegal", "D2", "no square F0"),
            ("throw at 25,3", "illegal", "D2", "whose sides are 24 inches"),
            ("throw at 1.123,3", "illegal", "T-ll", "whole hundredths"),
            ("throw at up wall", "unreadable", "M3", '"north", "east" or "south"'),
            ("throw at Bo off north and south", "unreadable", "M3", "off two that meet"),
            ("throw at Bo off the ceiling", "unreadable", "D14", 'cannot read "off the ceiling"'),
            ("throw from Bo", "unreadable", "D14", "at Bo"),
            ("throw at my disc", "illegal", "M3", "cannot be thrown at itself"),
            ("throw at me", "illegal", "M3", "That is you"),
            ("attack Ada", "illegal", "M3", "That is you"),
            ("attack F4", "unreadable", "D8", "Attack a Program"),
            ("attack Di", "illegal", "M3", "Di is De-Rezzed"),
            ("move", "unreadable", "D12", "move to NAME"),
            ("move NE 5", "illegal", "T-y", "0.01 to 4 inches"),
            ("move NE by 0", "illegal", "T-y", "0.01 to 4 inches"),
            ("move to Bo off north", "unreadable", "D12", '"move to Bo"'),
            ("hold to 3", "illegal", "T-a", "1 to 2 cards"),
            ("hold to 0", "illegal", "T-a", "1 to 2 cards"),
            ("card 0: hold", "illegal", "M2", "counted from 1"),
            ("card 5: hold", "illegal", "M2", "at most 4 cards of yours"),
            ("card 1: card 2: hold", "ambiguous", "M2", '"card 1" was not read'),
            ("card 1: throw at Bo; hold", "ambiguous", "M2", "A line has one act"),
            ("if Bo within 4 dance with Bo", "unreadable", "M5", "if Bo within 4: throw at NAME"),
            ("attack Bo if Bo sings", "unreadable", "D8", 'cannot read "if Bo sings"'),
            ("if Bo is near: attack Bo", "ambiguous", "M5", "if NAME within 12: attack Bo"),
            ("if Bo within x: attack Bo", "ambiguous", "M5", "if NAME within 12: attack Bo"),
            ("if I hold many: hold", "unreadable", "M5", '"many" is not a number'),
            ("if centre is prone: hold", "unreadable", "M5", "is no Program"),
            ("if Bo is prone or Cy is prone: hold", "unreadable", "M5", 'cannot read "or Cy is prone"'),
            ("if I hold 3: throw at Bo", "illegal", "M5", "can never be true: one holds 0 to 2"),
            ("if Bo holds fewer than 0: hold", "illegal", "M5", "can never be true"),
            ("if Bo within 0: attack Bo", "illegal", "M5", "nearer than 0"),
            ("if only 1 left: hold", "illegal", "M5", "the game is over"),
            ("if only 5 left: hold", "illegal", "M5", "there are 3 left already"),
            ("if I hold 0 and I hold 1 or more: hold", "illegal", "M5", "at once"),
            ("if my disc is out and my disc is in hand: hold", "illegal", "M5", "at once"),
            ("if my disc is away and clear shot at Bo: hold", "illegal", "M5", "at once"),
            ("if my disc is out: throw at Bo", "illegal", "D14", "you need your Disc in hand"),
            ("if my disc is in hand: move to my disc", "illegal", "M3", "no place while it is in hand"),
            ("if I am prone: throw at Bo", "illegal", "T-rr", "can stand, hold or pass"),
            ("if I hold 2: hold", "illegal", "D4", "fewer than 2"),
            ("on disc: prone", "illegal", "T-x", "when you hold no card"),
            ("on disc: catch", "unreadable", "M8", '"block" or "dodge"'),
            ("on disc: block, never", "ambiguous", "M2", '"never" was not read'),
            ("on disc", "unreadable", "M8", "on disc: block"),
            ("on attack: block", "illegal", "T-g", "cannot Block an Attack"),
            ("on attack: dodge, never", "ambiguous", "M2", '"never" was not read'),
            ("on my disc: card if I hold 3", "illegal", "T-a", "1 to 2 cards"),
            ("on my disc: kick", "unreadable", "M8", "on my disc: card"),
            ("on disc of Zoe: block", "unreadable", "M8", "no Program of that name"),
            ("recall: sometimes", "unreadable", "D19", '"never"'),
            ("recall my disc", "unreadable", "D19", "recall: when away"),
            ("recall", "unreadable", "D19", "recall: when away"),
            ("begin F4", "illegal", "T-ff", "settled already"),
            ("3. hold", "ambiguous", "M7", '"card 3: hold"'),
            ("3 - hold", "ambiguous", "M7", '"card 3: hold"'),
            ("3: hold", "ambiguous", "M7", '"card 3: hold"'),
        ],
    ),
)
def test_what_cannot_be_taken_is_answered_with_what_would_have_worked(
    said: str, fault: str, rule: str, because: str
) -> None:
    """What was seen, what would have worked, and the number of the rule."""
    orders, complaints = read(with_program(battle(), "di", out=True, held=0), said)
    assert orders == () and len(complaints) == 1
    assert (complaints[0].fault, complaints[0].rule, complaints[0].text) == (fault, rule, said)
    assert because in complaints[0].because


def test_the_disc_of_who_is_no_more_can_be_named_while_it_flies() -> None:
    """It still comes at one; once it is gone there is no such thing."""
    said = ("on disc of Di: dodge", "if Di's disc heading at me: move from disc of Di")
    gone = with_program(battle(), "di", out=True, held=0, deck=0, used=0)
    flying = with_program(gone, "di", disc=Disc(At(1000, 1000), 90))
    assert written(flying, *said) == ["on disc of Di: dodge", "if disc of Di heading at me: move from disc of Di"]
    assert [complaint.rule for complaint in read(gone, *said)[1]] == ["M3", "M3"]


@pytest.mark.parametrize(
    ("said", "rule", "because"),
    [
        ("move to c 4", "M2", '"move to C4" or "move to Cy"'),
        ("move e 3", "M2", '"move to E3"'),
        ("throw e", "M2", '"throw 90"'),
        ("move E", "M2", '"move to Eve"'),
        ("hold 1", "D4", '"hold to 1"'),
        ("card 2: wait", "D4", '"hold"'),
        ("do nothing", "D4", '"pass"'),
        ("throw at e", "M2", "Eve"),
        ("move towards E", "M2", '"move 90"'),
        ("move 3", "M4", "3 degrees, 3 o'clock"),
        ("move 3 2", "M4", "3 degrees"),
        ("throw at 12", "M4", "12 degrees"),
        ("hold card 2", "M2", '"card 2: hold"'),
        ("keep my card 1", "M2", '"card 1: hold"'),
        ("1 throw at Cy", "M7", '"card 1: throw at Cy"'),
        ("1- hold", "M7", '"card 1: hold"'),
        ("2nd hold", "M7", '"card 2: hold"'),
    ],
)
def test_what_can_be_two_things_is_asked_about(said: str, rule: str, because: str) -> None:
    """A square or the beginning of a name; degrees, an hour or inches; a card of one's own or how many to hold."""
    state = begin({Seat(name.lower()): name for name in ("Ada", "Cy", "Eve")}, {}, Dice(bytes(32)))
    orders, complaints = read(state, said)
    assert orders == () and [(one.fault, one.rule) for one in complaints] == [("ambiguous", rule)]
    assert because in complaints[0].because


def test_what_can_be_one_thing_only_is_not_asked_about() -> None:
    """A Move is no longer than 4 inches; a bearing with its word is no hour; a name may look like no square."""
    state = begin({Seat(name.lower()): name for name in ("Ada", "Cy", "Eve", "T1")}, {}, Dice(bytes(32)))
    said = (
        "move to c 7",
        "move c4",
        "throw w",
        "throw 3 degrees",
        "move bearing 4 2",
        "throw 13",
        "attack t1",
        "move t1 2",
    )
    listed = [
        "move to C7", "move to C4", "throw 270", "throw 3 degrees", "move 4 degrees by 2", "throw 13", "attack t1",
        "move to t1 by 2",
    ]  # fmt: skip
    assert written(state, *said) == listed


def test_a_list_with_numbers_is_asked_about() -> None:
    """In this order at each card, or cards 1 to 4? One more line answers it; standing orders need no answer."""
    said = ("1. attack nearest", "2. throw at Bo", "3) hold", "(4) on attack: never")
    orders, complaints = read(battle(), *said)
    assert [complaint.fault for complaint in complaints] == ["ambiguous"] * 3
    assert [write_order(battle(), order) for order in orders] == ["on attack: never"]
    listed = ["attack nearest", "throw at Bo", "hold", "on attack: never"]
    assert written(battle(), "In this order:", *said) == listed
    assert written(battle(), *said, "by card") == [*(f"card {n}: {listed[n - 1]}" for n in (1, 2, 3)), listed[3]]
    assert written(battle(), *said, "cards 1 to 4") == written(battle(), "By card.", *said)
    assert read(battle(), "in this order", "by card", *said)[1] != ()
    assert written(battle(), "1. card 2: hold") == ["card 2: hold"]


def test_four_short_lines_from_a_phone_are_a_whole_set() -> None:
    """As somebody types them on the way, with whatever the phone makes of them."""
    said = ("Card 1: throw at Bo off north", "Card 2: Move to k4", "Hold.", "Move from bo")
    listed = ["card 1: throw at Bo off north", "card 2: move to K4", "hold", "move from Bo"]
    assert written(battle(), *said) == listed
    assert check(battle(), "ada", read(battle(), *said)[0]) == ()


def test_several_lines_may_stand_on_one() -> None:
    """Parted by semicolons, as long as none of them begins with a card or a condition."""
    assert written(battle(), "hold to 1; throw at Bo; move to centre") == ["hold to 1", "throw at Bo", "move to centre"]


@pytest.mark.parametrize(
    ("house", "said", "rule"),
    [
        ({}, ("on disc: block", "on disc: dodge"), "M8"),
        ({}, ("recall: never", "recall: when away"), "M8"),
        ({}, ("card 1: move west",), "T-tt"),
        ({"pace": "card"}, ("move 270",), "T-tt"),
        ({"pace": "card"}, ("move to Bo",), "T-tt"),
        ({"pace": "card"}, ("throw at Bo",), "D14"),
        ({"pace": "card"}, ("attack Bo",), "D14"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_whole_set_is_said(house: dict[str, str], said: tuple[str, ...], rule: str) -> None:
    """What is said twice, and what cannot be done at the card it is for."""
    state = with_program(battle(**house), "ada", at=At(200, 1200))
    state = with_program(state, "bo", at=At(400, 1200))
    if rule == "D14":
        state = with_program(state, "ada", disc=Disc(At(1200, 1200), 0))
    orders, complaints = read(state, *said)
    assert complaints == ()
    found = check(state, "ada", orders)
    assert [complaint.rule for complaint in found] == [rule] and found[0].because


def test_a_line_that_may_work_later_is_not_complained_of() -> None:
    """A Disc may be back, and a Program elsewhere, by the time that a card comes up."""
    state = with_program(battle(), "ada", at=At(200, 1200), disc=Disc(At(1200, 1200), 0))
    orders, _ = read(
        state, "throw at Bo", "move west", "card 2: move west", "on disc of Bo: block", "on disc of Cy: block"
    )
    assert check(state, "ada", orders) == ()
    alone = msgspec.structs.replace(state, house={**state.house, "pace": "card"})
    assert check(alone, "ada", read(alone, "throw at Bo", "move west", "hold")[0]) == ()


def test_places_are_chosen_before_the_first_card() -> None:
    """Squares and points; lines for cards come later."""
    state = battle(setup="choose")
    assert written(state, "begin F4", "Start at the centre", "place 13.5,7") == [
        "begin F4",
        "begin centre",
        "begin 13.5,7",
    ]
    assert written(state, "f4", "c 3", "13.5, 7") == ["begin F4", "begin C3", "begin 13.5,7"]
    for said, rule in (
        ("hold", "T-ff"),
        ("begin Bo", "T-ff"),
        ("begin N1", "D2"),
        ("begin", "T-ff"),
        ("begin A1", "T-y"),
        ("begin 1,12", "T-y"),
    ):
        assert [complaint.rule for complaint in read(state, said)[1]] == [rule]


@given(worlds())
def test_canonical_lines_read_back_the_same(world: World) -> None:
    """Whatever the names are; and a canonical line is one that its writer could have written."""
    state = world.state
    for program in state.standing():
        said = lines(state, program.seat, world.rng)
        parsed = LISTS.parse(state, program.seat, [OrderLine(n, text) for n, text in enumerate(said, 1)])
        canonical = [write_order(state, order) for order in parsed.orders]
        again = LISTS.parse(state, program.seat, [OrderLine(n, text) for n, text in enumerate(canonical, 1)])
        assert again.orders == parsed.orders and again.complaints == ()
        assert [write_order(state, order) for order in again.orders] == canonical
        known = {"M2", "M4", "M5", "D14", "M3", "T-rr", "D4", "T-a", "T-cc"}
        assert {complaint.rule for complaint in parsed.complaints} <= known, parsed.complaints
        check(state, program.seat, parsed.orders)


WORDS = (
    "throw", "at", "Ada", "if", "and", ":", "card", "1", "hold", "to", "move", "by", "3", "within", "12", "on", "disc",
    "of", "my", "off", "north", "wall", "F4", "13.5,7", ";", ",", "is", "prone", "I", "-", "2.", "o'clock", "4", "recall",
    "never", "attack", "nearest", "left", "only", "clear shot", "heading", "me", "block", "else", "then", "\u2019", "99999",
)  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(NASTY)), max_size=14).map(" ".join))
def test_hostile_lines_are_never_more_than_a_complaint(text: str) -> None:
    """Any words in any order are read or complained of, and what is read is written and read back."""
    orders, complaints = read(battle(), text)
    assert len(complaints) <= 14 and all(complaint.because for complaint in complaints)
    check(battle(), "ada", orders)


@given(st.text(max_size=200))
def test_any_text_is_never_more_than_a_complaint(text: str) -> None:
    """Whatever the characters are."""
    read(battle(), text)
    read(battle(setup="choose"), text)


@given(st.sampled_from(list(BEARINGS)))
def test_points_of_the_compass_are_bearings(point: str) -> None:
    """Each is read as its own bearing, and that bearing is shown as it."""
    assert read_bearing(point.lower()) == BEARINGS[point]
    assert point_of(BEARINGS[point]) == point


@given(st.integers(0, 359))
def test_a_bearing_is_shown_as_the_nearest_point(bearing: int) -> None:
    """At most 11.25 degrees away, and half a degree for what is rounded down."""
    gap = abs((BEARINGS[point_of(bearing)] - bearing + 180) % 360 - 180)
    assert gap <= 11.75


def test_squares_are_where_their_middles_are() -> None:
    """Twelve by twelve on every Grid."""
    for side in (12, 13, 24, 30, 96):
        for column in COLUMNS:
            for row in range(1, ROWS + 1):
                assert square_of(side, square_middle(side, f"{column}{row}")) == f"{column}{row}"
    assert square_of(24, At(0, 0)) == "A1" and square_of(24, At(2400, 2400)) == "L12"


@given(st.integers(0, 99999))
def test_inches_read_back(length: int) -> None:
    """In hundredths."""
    assert read_inches(write_inches(length)) == length


def test_names_that_are_places_are_reserved() -> None:
    """Nobody is called Nearest, Centre, North or NE."""
    assert {
        "nearest",
        "weakest",
        "centre",
        "north",
        "ne",
        "my-disc",
        "north-wall",
        "4-o-clock",
        "north-east",
        "a1",
        "f4",
        "l12",
    } <= names.RESERVED
    assert {"nnw", "north-northwest", "s", "w-s-w", "southeast"} <= names.RESERVED
