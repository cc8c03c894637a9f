"""Lines of the discs as people type them: each wording gives exactly its canonical line or is asked, never another."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.play.setting_up import begin
from pbem.table.model.seating import slug
from tests.depth import DEPTH, some
from tests.rulesets.discs_worlds import NAMES, RULESET, World, some_set, worlds
from tests.rulesets.test_discs_spelling import MARKS, battle, filled, read

PLAIN = ("Bob", "Doctor Cuttlefish", "Terence", "Cy")
WORDINGS = {
    "throw at {n}": (
        "fling my disc at {n}", "toss it at {n}", "**throw at {n}**", "throw at {n} \U0001f94f", "I throw at {n}.",
        "I'll throw my disc at {n}", "shoot {n}", "trow at {n}", "throw @ {n}", "throw at {n} (he had it coming)", "okay, throw at {n}",
        "throw -> {n}", "throw at: {n}", "aim at {n}", "hit {n} with my disc", "try to throw at {n}", "just throw at {n}",
    ),
    "throw at {n} off north": (
        "bank it off north at {n}", "bank my disc off the north wall at {n}", "throw at {n}, banking off north",
        "bounce it off the north wall into {n}", "fling it at {n} off north",
        "throw at {n} with a bounce off the north wall", "throw at {n} via the north wall",
    ),
    "move to {s}": ("I move to {s}", "**go to {s}**", "dash to {s}", "I'm going to walk to {s}", "walk over to {s}",
                      "move -> {s}", "run straight to {s}", "could you move to {s}"),
    "attack {n}": ("punch {n}", "I attack {n}!", "_attack {n}_", "atack {n}", "attack {n} with my hands",
                   "hit {n} with my fist"),
    "if {n} within 12: throw at {n}": (
        "if {n} is within 12 throw at {n}", "when {n} is within 12, throw at him", "throw at {n} if he is within 12",
        "if {n} is within 12, fling my disc at him", "throw at her when {n} is within 12", "if {n} within 12 then shoot {n}",
    ),
    "if I am prone: stand": ("stand up if I'm prone", "if I am prone get up", "when I am prone, stand up", "if I'm down, stand up",
                                  "stand up when prone"),
    "card 2: throw at {n}": ("card 2 fling at {n}", "2nd card: toss it at {n}", "at card 2 shoot {n}", "second card: fling it at {n}"),
    "on disc: dodge": ("dodge any disc", "dodge discs", "dodge if a disc comes", "if a disc comes at me, dodge"),
    "on disc: block, dodge": ("block or dodge any disc", "block then dodge all discs", "block, dodge incoming discs"),
    "on disc of {n}: dodge": ("dodge the disc of {n}", "dodge discs from {n}"),
    "on attack: dodge": ("dodge attacks", "dodge if attacked", "when attacked, dodge"),
    "on my disc: card": ("catch my disc",),
    "hold": ("save my card", "I hold", "**hold**", "hold \u270b", "hold, please"),
}  # fmt: skip
"""Lines, and other words for them: `n` is a Program, `s` a square."""
ALL = sorted((canonical, said) for canonical, wordings in WORDINGS.items() for said in wordings)


@pytest.mark.parametrize(("canonical", "said"), some(3, ALL), ids=[said for _, said in ALL])
def test_each_wording_is_read(canonical: str, said: str) -> None:
    """Of Programs with names of their own."""
    for name in PLAIN:
        state = battle("Ada", name, "Zed")
        meant = canonical.format(n=name, s="F4")
        assert read(said.format(n=name, s="F4"), state=state) == ([meant], ())


MOST = ("whoever is {}", "whichever Program is {}", "the {} one", "{} guy", "the one who's {} to me")


@given(st.sampled_from(("throw at", "attack", "fling it at", "punch")), st.sampled_from(MOST),
       st.sampled_from((("nearest", "nearest"), ("closest", "nearest"), ("weakest", "weakest"))))  # fmt: skip
def test_who_is_nearest_may_be_said_in_a_clause(verb: str, clause: str, most: tuple[str, str]) -> None:
    """No matter what they call it."""
    said, meant = most
    act = "attack" if verb in ("attack", "punch") else "throw at"
    assert read(f"{verb} {clause.format(said)}", state=battle("Ada", "Bob", "Zed")) == ([f"{act} {meant}"], ())


OTHERWISE = (", otherwise {}", ", or else {}", " else {}", "; otherwise {}", ", failing that, {}", ", if not possible {}",
             ", if that does not work, {}")  # fmt: skip


@given(st.lists(st.sampled_from(("throw at Bob", "attack Cy", "move to F4")), min_size=1, max_size=2, unique=True),
       st.sampled_from(OTHERWISE), st.sampled_from(("hold", "pass")))  # fmt: skip
def test_what_is_done_otherwise_is_the_next_line(acts: list[str], how: str, last: str) -> None:
    """As in every list, also behind a condition; not behind what always can be done."""
    state = battle("Ada", "Bob", "Cy")
    line = acts[0] + "".join(how.format(act) for act in (*acts[1:], last))
    orders, complaints = read(line, state=state)
    assert orders == [*acts, last] or (";" in how and complaints)
    orders, complaints = read(f"if Bob within 12: {line}", state=state)
    assert orders == [f"if Bob within 12: {acts[0]}", *acts[1:], last] or complaints
    orders, complaints = read(last + how.format(acts[0]), state=state)
    assert complaints and acts[0] not in orders


@given(st.sampled_from(ALL), st.sampled_from((*PLAIN, *NAMES[1:])), st.sampled_from(("A1", "k4", "L12", "(13.5, 7)")),
       st.sampled_from(("", "- ", "please ", "I ", "hi, ")), st.sampled_from(("", ".", " please", " \U0001f44d")))  # fmt: skip
def test_no_wording_is_read_as_anything_else(
    one: tuple[str, str], name: str, square: str, before: str, behind: str
) -> None:
    """Whatever Programs are called: it is read as it was meant, or it is not read."""
    canonical, said = one
    seat = Seat(slug(name))
    state = begin({Seat("ada"): "Ada", seat: name, Seat("zed"): "Zed"}, {}, Dice(bytes(32)))
    meant, _ = read(canonical.format(n=seat, s=square), state=state)
    orders, complaints = read(f"{before}{said.format(n=name, s=square)}{behind}", state=state)
    assert orders in (meant, []) or name == "Disc of Bo"  # which is the Disc of somebody where it is no name
    assert orders or complaints


@given(st.sampled_from([one for one in ALL if not one[0].startswith(("on ", "card"))]), st.sampled_from(MARKS),
       st.integers(1, 4))  # fmt: skip
def test_a_number_before_other_words_is_never_left_out(one: tuple[str, str], mark: str, number: int) -> None:
    """It is asked about, or the line is not read at all."""
    orders, complaints = read(f"{filled(mark, number)}{one[1].format(n='Cy', s='F4')}")
    assert orders == [] and complaints


@pytest.mark.parametrize(
    "said",
    [
        "I hold 2", "I hold 2 cards.", "I have 1 card", "Stan", "told Bo", "old chap", "don't throw at Bo", "hit Bo", "throw at Bo else nothing",
        "never throw at Bo", "throw at Bo, not Cy", "throw at Bo unless Cy is prone", "throw at Bo if I can",
        "first throw at Bo, then hold", "throw at Bo then hold", "throw at Bo and after that hold", "hold & throw at Bo",
        "move N 3 and throw at Bo", "throw at Bo and throw at Cy", "pass and attack Bo", "if I hold > 1: throw at Bo",
        "if I hold > 1 throw at Bo", "when Bo is within 12 and Cy is prone, throw at him", "throw at him", "sing to Bo",
        "if Bo within 12: throw at Bo and hold", "throw at Bo or hold", "dodge", "dodge Bo", "throw it", "move est 3",
        "throw at Bo \u274c", "move to F4 or K4", "instead throw at Bo", "maybe throw at Bo",
    ],
)  # fmt: skip
def test_talk_and_doubt_are_no_orders(said: str) -> None:
    """A statement is no order, and no word that changes an order is dropped."""
    orders, complaints = read(said)
    assert orders == [] and complaints


def test_a_time_keeps_its_colon() -> None:
    """The hour is no number of inches."""
    assert read("I move 4:30") == (["move 135"], ())


def holds(world: World) -> None:
    """Hold canonical lines of a battle to be read as themselves, with and without what people put around them."""
    rng = Random(world.seed)
    for seat in RULESET.phase(world.state).owing:
        for order in some_set(world.state, seat, rng):
            line = write_order(world.state, order)
            assert LISTS.read(world.state, seat, line) == order
            for said in (line, f"* {line}", f"{line}.", f"**{line}**", f"{line} \U0001f642"):
                parsed = RULESET.parse(world.state, Seat(seat), [OrderLine(1, said)])
                assert parsed.orders == (order,) or (parsed.orders == () and said.startswith("**")), said


@settings(max_examples=15)
@given(worlds())
def test_canonical_lines_are_read_as_themselves(world: World) -> None:
    """Whatever Programs are called."""
    holds(world)


@pytest.mark.sweep
@pytest.mark.timeout(600)
@settings(max_examples=150 * DEPTH)
@given(worlds())
def test_canonical_lines_are_read_as_themselves_in_many_battles(world: World) -> None:
    """The same, long."""
    holds(world)
