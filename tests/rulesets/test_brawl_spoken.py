"""Orders of a brawl as people type them: each wording gives exactly its canonical line or is asked, never another."""

from random import Random

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.language import forms
from pbem.ruleset import OrderLine, Seat
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.rulesets.brawl.language.rounds import language
from pbem.rulesets.brawl.state import Die, State
from tests.depth import DEPTH, some
from tests.rulesets.brawl_worlds import NAMES, World, fought, some_set, worlds
from tests.rulesets.test_brawl_lines import made, table

ME, THEM = Seat("ada"), Seat("them")
PLAIN = ("Bob", "Doctor Cuttlefish", "Terence", "Cy")
WORDINGS = {
    "attack {n} with {a} damage {b}": (
        "attack {n}: {a}, damage: {b}", "attack {n} {a} dmg {b}", "attack with {a} on {n}, damage {b}",
        "{a} hits {n}, {b} hurts", "{a} on {n}, {b} damage", "attack {n} ({a}) damage ({b})", "att {n} w/ {a} / dmg {b}",
        "attack {n} with {a} / damage {b}", "attack {n} with {a} and damage {b}", "I attack {n} with {a}, damage {b}.",
        "hit {n} with {a}, {b} for damage", "use {a} to attack {n}, {b} for damage", "Attack: {n} with {a}, damage {b}",
        "atack {n} with {a} damage {b}", "**attack {n} with {a}, damage {b}**", "1. {a} to hit {n}, {b} to hurt",
        "attack {n} with {a} for attack and {b} for damage", "punch {n} using {a}, hurting with {b}",
        "{n}: {a}, damage {b}", "{a} vs {n}, {b} dmg", "hit {n} with {a} and hurt him with {b}", "go for {n} with {a}, damage {b}",
        "attack {n} with {a}, use {b} for damage", "attack{n} with {a} damage {b}",
        "attack {n} with {a}, {b} does the damage", "attack {n} with {a} dealing {b}", "kick {n} with {a}, deal {b}",
        'attack "{n}" with "{a}" damage "{b}"', "first: attack {n} with {a}, damage {b}", "then attack {n} with {a} damage {b}",
    ),
    "defend with {a}": (
        "def {a}", "{a} defends", "defend {a}", "defence: {a}", "use {a} to defend", "{a} for defence", "guard with {a}",
        "defned with {a}", "- I'll defend with {a}, thanks", "defend myself with {a}",
        "put {a} on defence", "{a} into defence", "parry with {a}", "and then defend with {a}", "defend with {a} this round",
    ),
    "defend with {a} vs {n}": (
        "defend with {a} against {n}", "def {a} vs {n}", "use {a} to defend against {n}", "{a} defends vs {n}",
        "defend against {n} with {a}", "block vs {n} with {a}",
    ),
    "drop {a} regain": (
        "drop {a}: regain", "regain {a}", "regain with {a}", "{a}: regain", "use {a} to regain breath", "regain: {a}",
        "drop {a} (regain)", "{a} to regain", "regain breath with {a}", "regian with {a}", "drop {a} - regain",
        "{a} regain", "{a} -> regain", "{a} = regain", "next, regain with {a}",
    ),
    "drop {a} maneuver": ("manoeuvre {a}", "maneuver with {a}", "{a} for a maneuver", "drop {a} for manoeuvre"),
    "drop {a} pickup": ("pick up a chair with {a}", "pickup {a}", "{a}: pick up the bottle", "grab a stool with {a}",
                      "pick something up with {a}"),
    "drop {a} drink": ("drink with {a}", "{a} for a drink", "have a drink with {a}", "drop {a}: drink"),
    "drop {a} coop {n}": ("give {a} to {n}", "coop {n} with {a}", "{a}: helps {n}"),
    "drop {a} counter {n} old advantage": ("counter {n}'s old advantage with {a}", "{a}: counter {n} old advantage"),
    "delay {a} attack": ("keep {a} for an attack next round", "save {a} for attack", "delay {a} for an attack"),
    "if {n} attacks me: defend with {a}": (
        "if {n} attacks me, defend with {a}", "if {n} attacks me then {a} defends", "if {n} attacks me defend with {a}",
        "defend with {a} if {n} attacks me", "if {n} attacks me: def {a}",
    ),
}  # fmt: skip
"""Forms, and other words for them: `n` is a fighter, `a` and `b` are dice."""
ALL = sorted((canonical, said) for canonical, wordings in WORDINGS.items() for said in wordings)
DICE = ("a", "b", "c", "d", "e")


def brawl(name: str, values: tuple[int, ...] = (1, 2, 3, 4, 5)) -> State:
    """Return a round in which the slowest is called so."""
    me = made(ME, "Mantisman")
    me = msgspec.structs.replace(me, dice=tuple(Die(*one) for one in zip(DICE, values, strict=True)))
    return table(made(THEM, name, advantage=1), made(Seat("zed"), "Zed"), me)


def read(state: State, *lines: str) -> tuple[tuple[str, ...], list[str]]:
    """Return the canonical lines of what was read, and the faults of what was not."""
    parsed = RULESET.parse(state, ME, [OrderLine(n, line) for n, line in enumerate(lines, 1)])
    return RULESET.format(state, parsed.orders), [one.fault for one in parsed.complaints]


def canonical_of(state: State, line: str) -> tuple[str, ...]:
    """Return a line as it is written."""
    orders, faults = read(state, line)
    assert not faults
    return orders


@pytest.mark.parametrize(("canonical", "said"), some(3, ALL), ids=[said for _, said in ALL])
def test_each_wording_is_read(canonical: str, said: str) -> None:
    """With dice by letter, by letter and number, and by face, of fighters with names of their own."""
    for name, (a, b) in zip(PLAIN, (("c", "d"), ("c3", "d4"), ("the three", "the four"), ("b", "e5")), strict=True):
        state = brawl(name)
        meant = canonical.format(n=THEM, a=a, b=b)
        assert read(state, said.format(n=name, a=a, b=b)) == (canonical_of(state, meant), [])


@given(
    st.sampled_from(ALL), st.sampled_from((*PLAIN, *NAMES)), st.permutations(DICE), st.integers(1, 2), st.integers(1, 2),
    st.sampled_from(("", "- ", "please ", "I ", "hi, ")), st.sampled_from(("", ".", " please", " \U0001f44d")),
)  # fmt: skip
@example(
    ("attack {n} with {a} damage {b}", "{a} on {n}, {b} damage"), "The Drink!", ["a", "b", "c", "d", "e"], 1, 1, "", ""
)
def test_no_wording_is_read_as_anything_else(
    one: tuple[str, str], name: str, dice: list[str], most: int, more: int, before: str, behind: str
) -> None:
    """Whatever fighters are called: it is read as it was meant, or it is not read."""
    canonical, said = one
    state = brawl(name)
    is_pair = "{b}" in canonical or canonical.startswith("defend")
    a, b = " ".join(dice[: most if is_pair else 1]), " and ".join(dice[2 : 2 + more])
    orders, faults = read(state, f"{before}{said.format(n=name, a=a, b=b)}{behind}")
    meant, wrong = read(state, canonical.format(n=THEM, a=a, b=b))
    assert orders in (meant, ()), said
    is_cut = before not in ("", "- ") and said.startswith("1. ")  # please 1. is a sentence of its own
    assert bool(orders) != bool(faults) or wrong or (is_cut and orders)


@given(st.lists(st.sampled_from(ALL), min_size=2, max_size=2), st.permutations(DICE),
       st.sampled_from((", ", "; ", " and ", ", and ", " & ", " + ", " / ", ". ", ", then ")))  # fmt: skip
def test_orders_on_one_line_are_read_each_or_none(both: list[tuple[str, str]], dice: list[str], between: str) -> None:
    """What is cut off one order is nowhere given to the next."""
    state = brawl("Bob")
    pairs = (dice[:2], dice[2:4])
    said = [one[1].format(n="Bob", a=a, b=b) for one, (a, b) in zip(both, pairs, strict=True)]
    meant = [canonical_of(state, one[0].format(n=THEM, a=a, b=b))[0] for one, (a, b) in zip(both, pairs, strict=True)]
    orders, faults = read(state, between.join(said))
    is_open = any(one[0].startswith("if") for one in both)
    if is_open:  # what stands behind a condition may go with it; what stands before it does not
        assert not orders or all(order in meant or order.startswith("if ") for order in orders)
        return
    assert list(orders) == meant or faults
    assert set(orders) <= set(meant)


@given(st.tuples(*[st.integers(1, 6)] * 5), st.integers(1, 6), st.sampled_from(("the", "my")), st.booleans())
def test_a_die_is_named_by_its_face_where_one_alone_shows_it(
    values: tuple[int, ...], face: int, article: str, in_words: bool
) -> None:
    """Two of a face are asked about; what nobody rolled is refused."""
    state = brawl("Bob", values)
    word = ("", "one", "two", "three", "four", "five", "six")[face] if in_words else str(face)
    orders, faults = read(state, f"drop {article} {word}: regain")
    letters = [letter for letter, value in zip(DICE, values, strict=True) if value == face]
    if len(letters) == 1:
        assert (orders, faults) == ((f"drop {letters[0]} regain",), [])
    else:
        assert (orders, faults) == ((), ["ambiguous" if letters else "illegal"])
    how_many = read(state, f"defend with {article} {word} dice")
    assert how_many[0] == ()


def test_no_order_is_taken_for_a_courtesy() -> None:
    """Neither a die in brackets nor what stands behind a word of thanks."""
    state = brawl("Bob")
    assert read(state, "attack Bob (b c) damage (a)") == (("attack Bob with b c damage a",), [])
    assert read(state, "I defend with b, a") == (("defend with b a",), [])
    assert read(state, "I defend with a, thanks, regain d") == (("defend with a", "drop d regain"), [])
    assert read(state, "hi Bob, I defend with a, thanks, Gwen") == (("defend with a",), [])


@pytest.mark.parametrize(
    "said",
    [
        "a drink", "A drink, anyone?", "attack Bob with a", "defend with a six", "defend with my two dice", "the six",
        "attack Bob with c, not d, damage e", "attack Bob with c damage d unless Zed drinks", "don't defend with c",
        "defend with c or d", "attack Bob or Zed with c damage d", "regain!", "I drink a beer", "take a chair",
        "attack Bob with a chair damage b", "maybe defend with c", "defend with c instead", "keep c", "c", "Def",
    ],
)  # fmt: skip
def test_talk_and_doubt_are_no_orders(said: str) -> None:
    """An article is no die, and no word that changes an order is dropped."""
    assert read(brawl("Bob"), said)[0] == ()


def holds(world: World) -> None:
    """Hold canonical lines of a brawl to be read as themselves, with and without what people put around them."""
    rng = Random(world.seed)
    for turn in fought(world, 2):
        state = turn.state
        for seat in RULESET.phase(state).owing:
            for order in some_set(state, seat, rng):
                (line,) = RULESET.format(state, (order,))
                assert ROUNDS.read(state, seat, line) == order
                assert forms.write(language(state, seat), order.at(0), "line") == line
                for said in (line, f"* {line}", f"{line}.", f"**{line}**", f"{line} \U0001f642"):
                    parsed = RULESET.parse(state, seat, [OrderLine(1, said)])
                    assert parsed.orders in ((order,), ()), said
                    assert parsed.orders == (order,) or said not in (line, f"{line}."), said


@settings(max_examples=10)
@given(worlds())
def test_canonical_lines_are_read_as_themselves(world: World) -> None:
    """Whatever fighters are called."""
    holds(world)


@pytest.mark.sweep
@settings(max_examples=200 * DEPTH)
@given(worlds())
def test_canonical_lines_are_read_as_themselves_in_many_brawls(world: World) -> None:
    """The same, long."""
    holds(world)


def test_who_is_asked_about_one_die_says_what_it_is_for() -> None:
    """A bare deed answers the question; elsewhere it is no order."""
    state = table(made(THEM, "Bob"), made(ME, "Ada", "c"))
    assert read(state, "regain")[0] == ()
    asked = msgspec.structs.replace(state, phase="turn", turn=ME)
    assert read(asked, "regain") == (("drop c regain",), [])
    assert read(asked, "Defend!") == (("defend with c",), [])
    assert read(asked, "pick up a chair") == (("drop c pickup",), [])
