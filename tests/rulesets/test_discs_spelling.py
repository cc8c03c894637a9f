"""Spellings of lines of the discs, from a grammar: each is read as its canonical line, or asked about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Complaint, OrderLine, Seat
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.play.setting_up import begin
from tests.depth import some

NUMBERS = ("zero", "one", "two", "three", "four")
ORDINALS = ("", "first", "second", "third", "fourth")
ACTS = {
    "throw at Bo": ("throw at Bo", "throw bo", "throw my disc at Bo", "throw towards Bo", "throw it at Bo"),
    "throw 120": (
        "throw 4 o'clock", "throw four o\u2019clock", "throw 4 oclock", "throw at 4 o\u00b4clock", "throw 120\u00b0",
        "throw 4:00", "throw at 120 degrees", "throw bearing 120", "throw four o`clock",
    ),
    "throw at Cy off north": ("throw at Cy off the north wall", "throw off north at Cy", "throw at Cy via north"),
    "move 45 by 3": ("move NE 3", "move north-east three", "move 3 inches NE", "move NE by three", "go northeast 3\u2033"),
    "move to K4": ("move to k4", "move k4", "walk to K 4", "move to square k4", "go to the square K4"),
    "move from Bo by 2.5": ("move from Bo 2.5", "move away from bo by 2.50 inches"),
    "hold": ("hold", "hold the card", "keep this card"),
    "hold to 2": ("hold to two", "hold up to 2 cards", "keep to two cards", "hold 2"),
    "pass": ("pass", "skip"),
    "stand": ("stand", "stand up", "get up"),
    "attack nearest": ("attack nearest", "strike anyone", "attack the nearest foe"),
}  # fmt: skip
TESTS = {
    "": ("",),
    "if Bo within 12: ": ("if Bo within 12: ", "if bo is within twelve inches: ", "when Bo is nearer than 12, ",
                          'if Bo within 12": ', "if Bo is within 12 of me then "),
    "if Bo beyond 4: ": ("if Bo beyond 4: ", "if Bo is beyond four inches: ", "if bo is farther than 4 then "),
    "if I hold 1 or more: ": ("if I hold 1 or more: ", "if I have at least one card, ", "if i hold more than zero: "),
}  # fmt: skip
REACTIONS = {
    "on disc: block, dodge": ("on disc block, dodge", "on disc - block, dodge", "on discs: block / dodge", "on disc= block then dodge",
                              "on the disc block or dodge"),
    "on disc of Bo: dodge": ("on disc of Bo: dodge", "on disc of bo dodge", "on Bo\u2019s disc: dodge", "on disc from Bo - dodge"),
    "on attack: dodge": ("on attack dodge", "on attacks: dodge", "on an attack -> dodge"),
    "on my disc: card if I hold 2": ("on my disc card if I hold two", "on my disk: catch if I hold 2 cards or more"),
    "recall: never": ("recall never", "recall: no", "never recall"),
}  # fmt: skip
CARDS = (
    "card {n}: ", "card {w}: ", "Card {n} ", "card {n} - ", "card {n}) ", "card #{n}: ", "card no. {n}: ",
    "card number {w}: ", "on card {n}, ", "at my card {w}: ", "{o} card: ", "on my {o} card, ", "the {o} card: ",
)  # fmt: skip
MARKS = (
    "#{n} ", "# {n} ", "#{n}: ", "{n}. ", "{n}) ", "({n}) ", "[{n}] ", "{n}: ", "{n} - ", "{n}.", "{n}/ ", "{n}, ",
    "{n}.) ", "no. {n}: ", "\u2022 {n}. ", "{n} \u2013 ", "{n}\ufe0f\u20e3 ", "{o}: ", "{w}: ", "{n}= ",
)  # fmt: skip
BULLETS = ("", "", "- ", "* ", "\u2022 ", "\u2013 ", "-> ", "\u2192 ", "\u2611 ", "[x] ", "+ ", "\u25cf", "a) ")
ENDS = ("", "", ".", " !", ",", " please", ";")
CASES = (str, str, str.upper, str.lower, str.capitalize, str.title)


def battle(*names: str) -> State:
    """Return a battle of these on a wide Grid."""
    return begin({Seat(name.lower()): name for name in names or ("Ada", "Bo", "Cy", "Di")}, {}, Dice(bytes(32)))


def read(*texts: str, state: State | None = None) -> tuple[list[str], tuple[Complaint, ...]]:
    """Read lines of Ada's; return them in canonical words."""
    state = state or battle()
    parsed = LISTS.parse(state, "ada", [OrderLine(number, text) for number, text in enumerate(texts, 1)])
    return [write_order(state, order) for order in parsed.orders], parsed.complaints


def filled(pattern: str, number: int) -> str:
    """Write a number in one of its ways."""
    return pattern.format(n=number, w=NUMBERS[number], o=ORDINALS[number])


@st.composite
def spelt(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a line in canonical words, and one of its spellings."""
    act, test = draw(st.sampled_from(sorted(ACTS))), draw(st.sampled_from(sorted(TESTS)))
    if draw(st.booleans()) or (act == "hold" and "hold" in test):
        test = ""
    number = draw(st.integers(0, 4))
    card = draw(st.sampled_from(CARDS)) if number else ""
    said = f"{filled(card, number)}{draw(st.sampled_from(TESTS[test]))}{draw(st.sampled_from(ACTS[act]))}"
    return f"{f'card {number}: ' if number else ''}{test}{act}", said


@given(spelt(), st.sampled_from(BULLETS), st.sampled_from(ENDS), st.sampled_from(CASES))
def test_each_spelling_is_read_as_its_line(line: tuple[str, str], bullet: str, end: str, case: object) -> None:
    """Whatever a phone makes of its capitals, apostrophes and ends."""
    canonical, said = line
    orders, complaints = read(f"{bullet}{case(said)}{end}")  # type: ignore[operator]
    assert (orders, complaints) == ([canonical], ())


@pytest.mark.parametrize("canonical", some(3, REACTIONS))
def test_reactions_need_no_colon(canonical: str) -> None:
    """With a number or a bullet before them too, which mean nothing there."""
    for said in REACTIONS[canonical]:
        for mark in ("", "- ", *(filled(mark, 1) for mark in MARKS)):
            assert read(f"{mark}{said}") == ([canonical], ())


@given(spelt(), st.integers(1, 4), st.sampled_from(MARKS), st.sampled_from(CASES))
def test_a_number_before_a_line_is_asked_about_in_each_spelling(
    line: tuple[str, str], number: int, mark: str, case: object
) -> None:
    """It is none only where the line says its card; a line that says what numbers are answers for all of them."""
    canonical, said = line
    text = case(f"{filled(mark, number)}{said}")  # type: ignore[operator]
    if canonical.startswith("card"):
        assert read(text) == ([canonical], ())
        return
    orders, complaints = read(text)
    assert orders == [] and [one.rule for one in complaints] == ["M7"]
    assert f'"card {number}: ' in complaints[0].because and complaints[0].text.startswith(text[:1])
    assert read("in this order", text) == ([canonical], ())
    assert read(text, "by card") == ([f"card {number}: {canonical}"], ())


ENDING = ("throw at Bo", "throw 120", "throw at Cy off north", "move to K4", "stand", "attack nearest")
"""Acts that cannot be done again and again, so that a line behind them gets its turn."""
LISTING = (", ", " and ", " & ", " / ", " + ")


@given(st.lists(st.sampled_from([act for act in ACTS if act != "hold to 2"]), min_size=2, max_size=4, unique=True),
       st.sampled_from((*LISTING, " then ", ", then ", " and then ", ". ", " -> ", " or ")),
       st.sampled_from(("", "card 1: ", "if Bo within 12: ")))  # fmt: skip
def test_several_acts_on_one_line_are_a_list_where_they_can_be_nothing_else(
    acts: list[str], between: str, head: str
) -> None:
    """Else they are asked about, with the lines that they would be, each of which is read as it stands there."""
    orders, complaints = read(head + between.join(acts))
    are_of_one_kind = len({act.split()[0] for act in acts}) < len(acts)
    is_list = between in LISTING and set(acts[:-1]) <= set(ENDING) and not are_of_one_kind
    if between == ". " or (is_list and not head):
        assert (orders, complaints) == ([f"{head}{acts[0]}", *acts[1:]], ())
        return
    if between == " or ":
        assert orders == [] and complaints
        return
    assert orders == [] and [one.fault for one in complaints] == ["ambiguous"]
    because = complaints[0].because
    assert because.startswith("A line has one act")
    lines = [f"{head}{act}" for act in acts]
    assert " / ".join(f'"{line}"' for line in lines) in because
    assert read(*lines) == (lines, ())


def test_an_act_and_a_reaction_on_one_line_are_asked_about() -> None:
    """Block and dodge are lines of their own; where the line says when, it is one already."""
    for said in ("throw at Bo and block", "hold, dodge", "move to centre and catch", "block or dodge"):
        orders, complaints = read(said)
        assert orders == [] and '"on disc: block, dodge"' in complaints[0].because
    assert read("throw at Bo, on disc: block, dodge") == (["throw at Bo", "on disc: block, dodge"], ())


@given(st.sets(st.integers(1, 4), min_size=2), st.sampled_from((", ", " and ", " & ", " + ")), st.booleans())
def test_a_line_for_several_cards_is_one_for_each(cards: set[int], between: str, in_words: bool) -> None:
    """From one to another too."""
    listed = between.join(NUMBERS[card] if in_words else str(card) for card in sorted(cards))
    lines = [f"card {card}: throw at Bo" for card in sorted(cards)]
    assert read(f"cards {listed}: throw at Bo") == (lines, ())
    assert read(f"card {listed} throw at Bo") == (lines, ())
    least, most = min(cards), max(cards)
    every = [f"card {card}: hold" for card in range(least, most + 1)]
    for said in (f"cards {least}-{most}: hold", f"cards {NUMBERS[least]} to {NUMBERS[most]}: hold"):
        assert read(said) == (every, ())


def test_a_comment_that_is_no_line_stays_one() -> None:
    """It is passed over."""
    assert read("# I hope that this works", "hold # for a while") == (["hold"], ())


def test_numbers_that_are_names_stay_names() -> None:
    """A Program called Two is no number, and neither is one whose name begins like a number."""
    state = battle("Ada", "Two", "Seven Of Nine", "Tenna")
    assert read("throw at Two", "attack seven", "move to Tenna 3", state=state) == (
        ["throw at Two", "attack seven of nine", "move to Tenna by 3"], (),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["Eve", "Edward", "Esther"])
@pytest.mark.parametrize("said", ["throw e", "throw at e", "move e", "move e 3", "card 1: move E", "move to e by 2"])
def test_a_bearing_that_begins_a_name_is_asked_about(name: str, said: str) -> None:
    """However many names it begins; who says more of either is understood."""
    for names in ((name,), (name, "Emil")):
        orders, complaints = read(said, state=battle("Ada", *names))
        assert orders == [] and [one.fault for one in complaints] == ["ambiguous"]
    assert read(f"throw {name[:2]}", "throw 90", "throw east", state=battle("Ada", name))[0] == [
        f"throw at {name}", "throw 90", "throw 90",
    ]  # fmt: skip


def test_a_square_that_begins_a_name_is_asked_about() -> None:
    """It is called a square then, also where we write it."""
    state = battle("Ada", "F4 Phantom")
    assert [one.fault for one in read("throw at F4", state=state)[1]] == ["ambiguous"]
    assert read("throw at square F4", state=state) == (["throw at square F4"], ())


@pytest.mark.parametrize("box", ["[ ]", "\u2610", "\u2612"])
def test_a_line_behind_a_box_that_is_not_ticked_is_not_taken(box: str) -> None:
    """It may say that the line is not meant."""
    orders, complaints = read(f"{box} throw at Bo")
    assert not orders and len(complaints) == 1


def test_a_letter_says_but_once_how_all_numbers_are_answered_for() -> None:
    """Later lines are told what we saw, and the nearest form."""
    _, complaints = read("foo", "bar baz", "throw at Zoe", "1. hold", "2. hold")
    said = [one.because for one in complaints]
    assert said[0] == said[1] == "I cannot read this as an order."
    assert sum('"in this order"' in because for because in said) == 1
