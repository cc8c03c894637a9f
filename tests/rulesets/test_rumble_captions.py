"""Captions: whatever is shouted, each word adds once, can be struck by name, and reads back."""

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.ground.terms import MODERATOR_ALONE, Given, OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.order import Attack, Captions, Order
from pbem.rulesets.rumble.model.state import Hero, Power, State
from pbem.rulesets.rumble.powers.archive import Archived, find
from pbem.rulesets.rumble.powers.language.runnable import runs
from tests.rulesets.test_rumble_laws import DICE
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter, private, public, report

ADA, BO, CY = Seat("ada"), Seat("bo"), Seat("cy")
NAMES = {ADA: "Mantisman", BO: "Plastiquegirl", CY: "Doctor Cuttlefish"}


def arena(*owners: Seat, shouted: tuple[str, ...] = ()) -> State:
    """Return a round in which some seats have Batman Captions."""
    found = find("Batman Captions")
    assert isinstance(found, Archived)
    powers = tuple(
        Power(number, f"Captions {number}", found.text, owner=seat, lines=found.lines)
        for number, seat in enumerate(owners, 1)
    )
    heroes = tuple(Hero(seat, name) for seat, name in NAMES.items())
    return State(phase="round", round=2, house=dict(DEFAULTS), heroes=heroes, powers=powers, shouted=shouted)


words = st.lists(st.sampled_from(("KRAK", "ZOWIE", "KER-POW", "AÏE", "D'OH")), max_size=4, unique=True)


@st.composite
def attacks(draw: st.DrawFn, seat: Seat) -> list[Order]:
    """Draw Attacks of a seat on the two others."""
    found = [Attack(on, draw(st.integers(0, 20))) for on in NAMES if on != seat]
    return [one for one in found if one.amount]


@given(st.data())
def test_each_word_adds_once_and_nothing_else_changes(data: st.DataObject) -> None:
    """With captions all take together 5 more for each that counts, and no word is remembered twice."""
    state = arena(ADA, BO, shouted=("THWIP",))
    plain = {seat: data.draw(attacks(seat)) for seat in NAMES}
    sent: dict[Seat, tuple[Order, ...]] = {seat: tuple(orders) for seat, orders in plain.items()}
    for seat in (ADA, BO):
        on = data.draw(st.sampled_from(("", *NAMES)))
        sent[seat] += (Captions(tuple(data.draw(words)) or ("KRAK",), on),)
    struck = {f"caption {word}": False for word in data.draw(words)}
    without = RULESET.adjudicate(state, {seat: tuple(orders) for seat, orders in plain.items()}, Given(), DICE)
    outcome = RULESET.adjudicate(state, sent, Given(struck), DICE)
    count = {v.key: v.value for v in outcome.verdicts if v.key.startswith("caption ")}
    left = [sum(hero.energy for hero in one.state.heroes) for one in (without, outcome)]
    assert left[0] - left[1] == 5 * sum(map(bool, count.values()))
    assert outcome.state.shouted == ("THWIP", *(key.removeprefix("caption ") for key in count))
    assert len(set(outcome.state.shouted)) == len(outcome.state.shouted)
    assert all(RULESET.name_fact(state, key.lower()) == key for key in count)
    assert len([e for e in outcome.events if e.kind == "caption_asked" and e.to == MODERATOR_ALONE]) == len(count)
    for text in (report(public(outcome)), letter("private", private(outcome))):
        hold_to_the_law(text, (state, outcome.state))


@given(st.text(min_size=1, max_size=40), st.sampled_from(("", "on Plastiquegirl: ", "on me: ")))
@example("C", "")  # as Captions is used on C would be
def test_what_is_taken_reads_back(said: str, on: str) -> None:
    """Whatever is written as a caption, its canonical line is the same order again."""
    state = arena(ADA)
    found = RULESET.parse(state, ADA, [OrderLine(1, f"captions {on}{said}")]).orders
    again = [OrderLine(n, line) for n, line in enumerate(RULESET.format(state, found), 1)]
    assert RULESET.parse(state, ADA, again).orders == found


def test_a_question_about_anything_else_is_the_moderators() -> None:
    """Lines that ask run only where they ask of a caption that adds a number to damage."""
    found = find("Batman Captions")
    assert isinstance(found, Archived) and runs(found.lines)
    for was, now in (
        ("Is the caption a sound effect?", "Does its owner wear a hat?"),
        ("optional\n", ""),
        ("damage += 5", "damage *= 2"),
        ("do: damage += 5", "do: damage += 5\ndo: gain me 5"),
        ("instead: damage", "when: damage"),
    ):
        assert not runs(found.lines.replace(was, now)), now


def test_the_words_are_kept_with_the_state() -> None:
    """A state with words loads as it was, and one without says nothing of them."""
    state = arena(ADA, shouted=("KRAK",))
    assert RULESET.load(RULESET.dump(state), RULESET.version) == state
    assert "shouted" not in RULESET.dump(msgspec.structs.replace(state, shouted=()))
