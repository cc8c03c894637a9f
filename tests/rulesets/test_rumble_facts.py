"""What a moderator can name, set and do in Rumble, in the words that moderators use."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.language.phrases import Unread
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.state import Hero, Power, State

DICE = Dice(bytes(32))


def arena() -> State:
    """Return a game in its third round."""
    heroes = (
        Hero(Seat("ada"), "Mantisman", 80),
        Hero(Seat("bo"), "Plastiquegirl", 70),
        Hero(Seat("cy"), "Doctor Cuttlefish", 100),
        Hero(Seat("di"), "Bolt", 0, 2, 2),
    )
    powers = (
        Power(1, "Flight", "Burn 5.", "bo", owner="ada", strength=12),
        Power(2, "Tough Skin", "+20", "bo", owner="cy", strength=30),
    )
    return State(phase="round", round=3, house=dict(DEFAULTS), heroes=heroes, powers=powers)


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("energy Mantisman", "energy of ada"),
        ("Energy of Mantisman", "energy of ada"),
        ("energy(Mantisman)", "energy of ada"),
        ("energy of ada", "energy of ada"),
        ("defence of Mantisman", "defence of ada"),
        ("defense Cuttlefish", "defence of cy"),
        ("attack of Cuttlefish on Mantisman", "attack of cy on ada"),
        ("attack by Doctor Cuttlefish against Mantisman", "attack of cy on ada"),
        ("attack(Cuttlefish, Mantisman)", "attack of cy on ada"),
        ("damage of Cuttlefish on Mantisman", "damage of cy on ada"),
        ("damage from Cuttlefish to Mantisman", "damage of cy on ada"),
        ("damage to Mantisman", "damage to ada"),
        ("Damage on Mantisman", "damage to ada"),
        ("blocked by Mantisman from Cuttlefish", "blocked by ada from cy"),
        ("burnt by Mantisman", "burnt by ada"),
        ("burned by Mantisman", "burnt by ada"),
        ("out: Mantisman", "out: ada"),
        ("out of Mantisman", "out: ada"),
        ("Mantisman is out", "out: ada"),
        ("Mantisman eliminated", "out: ada"),
        ("out at costs: Mantisman", "out at costs: ada"),
        ("Mantisman is out at the costs", "out at costs: ada"),
        ("winning bid on P02", "winning bid on P02"),
        ("winning bid on Tough Skin", "winning bid on P02"),
        ("Winning bid on P02 Tough Skin", "winning bid on P02"),
        ("price of Flight", "price of P01"),
        ("P02 goes to Mantisman", "P02 goes to ada"),
        ("P02 Tough Skin goes to Mantisman", "P02 goes to ada"),
        ("strength of Flight", "strength of P01"),
        ("quiet rounds", "quiet rounds"),
        ("prevented for Mantisman", "prevented for ada"),
    ],
)
def test_facts_are_found_in_the_words_that_people_use(said: str, key: str) -> None:
    """A fact is named by heroes' names in any natural form."""
    assert RULESET.name_fact(arena(), said) == key


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("mood of Mantisman", "I know no fact called"),
        ("energy of Dracula", "There is no hero of that name"),
        ("energy of Mantismann", "Did you mean Mantisman?"),
        ("price of Gnashy Claws", "There is no power of that name"),
        ("energy of Cut-throat", "Known: Mantisman, Plastiquegirl, Doctor Cuttlefish or Bolt."),
    ],
)
def test_facts_that_there_are_not_are_answered_with_those_that_there_are(said: str, words: str) -> None:
    """The answer says what would have worked."""
    found = RULESET.name_fact(arena(), said)
    assert isinstance(found, Unread) and words in found.because


@pytest.mark.parametrize(
    ("said", "canonical"),
    [
        ("gain Mantisman 10", "gain ada 10"),
        ("Mantisman gains 10 Energy", "gain ada 10"),
        ("energy(Mantisman) += 10", "gain ada 10"),
        ("lose Cuttlefish 10", "lose cy 10"),
        ("Doctor Cuttlefish loses 10 at costs", "lose cy 10 at costs"),
        ("gain Mantisman 3 at the end of the round", "gain ada 3 at end"),
        ("deal 10 to Mantisman", "deal 10 to ada"),
        ("deal 10 damage to Mantisman from Cuttlefish", "deal 10 to ada from cy"),
        ("deal 10 unblockable damage to Mantisman", "deal 10 to ada unblockable"),
        ("deal 10 to Mantisman by Cuttlefish unavoidable", "deal 10 to ada from cy unblockable"),
        ("Mantisman takes 10 damage", "deal 10 to ada"),
        ("attack(Cuttlefish, Mantisman) += 20", "attack(cy, ada) += 20"),
        ("attack of Cuttlefish on Mantisman *= 2", "attack(cy, ada) *= 2"),
        ("Attack(Cuttlefish,any)+=10", "attack(cy, any) += 10"),
        ("attack(any, Mantisman) = 0", "attack(any, ada) = 0"),
        ("attack(Cuttlefish, Mantisman) /= 2", "attack(cy, ada) /= 2"),
        ("attack(Cuttlefish, Mantisman) *= 1 / 2", "attack(cy, ada) /= 2"),
        ("defence of Mantisman x=1/3", "defence(ada) /= 3"),
        ("defence(Mantisman) -= 15", "defence(ada) -= 15"),
        ("defense of Mantisman = 0", "defence(ada) = 0"),
        ("shield Mantisman all", "shield ada all"),
        ("shield Mantisman 10", "shield ada 10"),
        ("ignore attack of Cuttlefish on Mantisman", "ignore attack of cy on ada"),
        ("ignore the attack by Cuttlefish against Mantisman", "ignore attack of cy on ada"),
        ("energy(Mantisman) = 50", "energy(ada) = 50"),
        ("give P02 to Mantisman", "give P02 to ada"),
        ("give Tough Skin to Mantisman", "give P02 to ada"),
        ("discard p1", "discard P01"),
        ("revive Mantisman at 50", "revive ada 50"),
        ("eliminate Mantisman", "eliminate ada"),
        ("Mantisman is out", "eliminate ada"),
        ("win Mantisman", "win ada"),
        ("Mantisman wins", "win ada"),
        ("veto Flight", "veto P01"),
        ("reword P01: Burn 6: nobody hits you.", "reword P01: Burn 6: nobody hits you."),
    ],
)
def test_effects_are_read_in_many_spellings_and_written_in_one(said: str, canonical: str) -> None:
    """Each spelling comes to the canonical words, and those read back as themselves."""
    assert RULESET.effect(arena(), said) == canonical
    assert RULESET.effect(arena(), canonical) == canonical


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("tickle Mantisman", "I know no effect that reads so. Known: gain NAME 10"),
        ("gain Dracula 10", "There is no hero of that name"),
        ("gain Mantisman -10", "below zero"),
        ("deal 2.5 to Mantisman", "not a whole number"),
        ("attack(Mantisman, Mantisman) += 3", "Name two heroes"),
        ("attack(any, any) += 3", "any for one of them"),
        ("defence(Mantisman) /= 0", "divided by 0"),
        ("energy(Mantisman) *= 2", "Energy is set or changed by a number"),
        ("revive Mantisman 0", "1 Energy at least"),
        ("give P09 to Mantisman", "There is no power of that name"),
        (f"reword P01: {'x' * 501}", "longer than 500"),
    ],
)
def test_effects_that_make_no_sense_are_answered_with_those_that_do(said: str, words: str) -> None:
    """The answer says what would have worked."""
    found = RULESET.effect(arena(), said)
    assert isinstance(found, Unread) and words in found.because


def test_the_moderator_reads_names_where_rulings_did_nothing() -> None:
    """Seats, of which one may be the beginning of another, stand in effects as whole words and are shown as names."""
    heroes = (Hero(Seat("cy"), "Cuttlefish"), Hero(Seat("cy-fox"), "Foxy"), Hero(Seat("di"), "Bolt", 0, 2, 2))
    state = State(phase="round", round=3, house=dict(DEFAULTS), heroes=heroes)
    effects = [
        RULESET.effect(state, said) for said in ("attack of Foxy on Cuttlefish += 3", "deal 5 to Bolt from Foxy")
    ]
    assert effects == ["attack(cy-fox, cy) += 3", "deal 5 to di from cy-fox"]
    given_ = Given({"damage of cy-fox on cy": 3}, tuple(str(effect) for effect in effects))
    told = [event.facts for event in RULESET.adjudicate(state, {}, given_, DICE).events]
    idle = sorted(facts["effect"] for facts in told if "effect" in facts)
    assert idle == ["attack(Foxy, Cuttlefish) += 3", "deal 5 to Bolt from Foxy"]
    assert [facts["key"] for facts in told if "key" in facts] == ["damage of Foxy on Cuttlefish"]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("power: Tough Hide", True),
        ("Power 2 : Tough Hide", True),
        ("power Tough Hide: +15 to your Defence.", True),
        ("name: Tough Hide", True),
        ("~ text: You heal everyone and", True),
        ("TYPE: flaw", True),
        ("power to the people", False),
        ("help them to survive", False),
        ("", False),
    ],
)
def test_a_power_is_a_block_of_free_text(text: str, begins: bool) -> None:
    """In the Powers phase, and only there, what follows the beginning of a power is its text and no request."""
    asked = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)
    assert RULESET.in_block(asked, text) is begins
    assert RULESET.in_block(arena(), text) is False


@given(st.text(max_size=60))
def test_any_words_are_answered(said: str) -> None:
    """Whatever a moderator writes, there is an answer and no exception."""
    state = arena()
    for found in (RULESET.effect(state, said), RULESET.name_fact(state, said), RULESET.amend(state, said, 3)):
        assert found is not None


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_lines_are_answered(texts: list[str]) -> None:
    """Whatever a player writes in any phase, each line is an order or a complaint, and no exception."""
    for phase in ("powers", "auction", "rebid", "round"):
        state = msgspec.structs.replace(arena(), phase=phase)
        parsed = RULESET.parse(state, Seat("ada"), [OrderLine(n, text) for n, text in enumerate(texts, 1)])
        RULESET.check(state, Seat("ada"), parsed.orders)
        assert all(1 <= complaint.line <= len(texts) and complaint.because for complaint in parsed.complaints)


def test_every_standing_fact_can_be_set_to_what_it_is() -> None:
    """`amend` takes each fact of `standing` by the key that `name_fact` finds, and changes nothing else."""
    state = arena()
    for key, value in RULESET.standing(state).items():
        assert RULESET.name_fact(state, key) == key
        assert RULESET.amend(state, key, value) == state


def test_a_hero_who_is_ruled_back_in_owes_orders_again() -> None:
    """A hero set to be in has one Energy at least."""
    state = RULESET.amend(arena(), "out: di", False)
    assert isinstance(state, State)
    assert "di" in RULESET.phase(state).owing
    assert state.hero("di").energy == 1


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("mood of ada", 3, "There is no fact"),
        ("energy of ada", True, "a whole number"),
        ("out: ada", 3, "yes or no"),
        ("energy of ada", -3, "from 0"),
        ("energy of ada", 10**9, "energy of Mantisman is a number from 0"),
    ],
)
def test_a_fact_is_not_set_to_what_it_cannot_be(key: str, value: int, words: str) -> None:
    """The kind of value and its bounds are held."""
    found = RULESET.amend(arena(), key, value)
    assert isinstance(found, Unread) and words in found.because


def test_authors_are_told_to_nobody() -> None:
    """No event of the Powers phase names an author, nor a letter's fact, but a veto goes to the author alone."""
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)
    lines = [OrderLine(1, "power Flight: Burn 5."), OrderLine(2, "power Tough Skin: +20")]
    orders = {Seat("ada"): RULESET.parse(state, Seat("ada"), lines).orders, Seat("bo"): ()}
    outcome = RULESET.adjudicate(state, orders, Given(), DICE)
    for event in outcome.events:
        assert "author" not in str(event.facts)
        assert event.kind == "pool_opened" or "Ada" not in str(event.facts)
    asked = {name: value for name, value in RULESET.asked(outcome.state, Seat("bo")).items() if name != "house"}
    assert "author" not in str(asked)
    assert "author" not in str(RULESET.hand(outcome.state, Seat("bo"), ()))


def test_the_order_of_the_pool_is_drawn() -> None:
    """The same powers lie in another order under another seed, so the order tells nothing."""
    state = RULESET.setup({Seat(f"s{n}"): f"P{n}x" for n in range(8)}, {}, DICE)
    orders = {
        Seat(f"s{n}"): RULESET.parse(state, Seat(f"s{n}"), [OrderLine(1, f"power Thing {chr(65 + n)}: x")]).orders
        for n in range(8)
    }
    pools = {
        tuple(p.name for p in RULESET.adjudicate(state, orders, Given(), Dice(bytes([seed]) * 32)).state.powers)
        for seed in range(5)
    }
    assert len(pools) == 5


def test_a_power_is_cleaned_of_nothing_that_a_person_can_see() -> None:
    """Hidden characters in a name or text are refused; accents, emoji and dashes stay or become plain."""
    state = RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)

    def read(text: str) -> tuple[int, int]:
        parsed = RULESET.parse(state, Seat("ada"), [OrderLine(1, text)])
        return len(parsed.orders), len(parsed.complaints)

    assert read("power D\u00fcsentrieb \U0001f680: fast \u2013 very") == (1, 0)
    assert read("power Fl\u202eight: x") == (0, 1)
    assert read("power Flight: x\u2028attack Bo 20") == (0, 1)
    assert read("power Flight: x\u0000y") == (0, 1)
