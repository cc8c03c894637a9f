"""Laws of Rumble over arbitrary states, orders and rulings."""

import tomllib

import msgspec
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Outcome, Seat
from pbem.language import phrases
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.model.order import Block, Invent, Order, Plan
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders.sets import missing
from pbem.rulesets.rumble.round.division import divide
from tests.rulesets import rumble_worlds as worlds
from tests.rulesets.rumble_scene import lay

DICE = Dice(b"a seed for every law of the house")


def read(state: State, seat: str, lines: tuple[str, ...]) -> tuple[Order, ...]:
    """Read canonical lines, of which each must be taken."""
    parsed = RULESET.parse(state, Seat(seat), [OrderLine(n, line) for n, line in enumerate(lines, 1)])
    assert parsed.complaints == ()
    return parsed.orders


def sets_of_all(data: st.DataObject, state: State) -> dict[Seat, tuple[Order, ...]]:
    """Draw a set for everybody who owes, and leave what breaks the budget to the rules for the absent."""
    orders: dict[Seat, tuple[Order, ...]] = {}
    for hero in state.living:
        drawn = data.draw(worlds.sets(state, hero.seat))
        wrong = RULESET.check(state, hero.seat, drawn)
        orders[hero.seat] = missing(state, hero.seat, DICE.at(hero.seat)) if wrong else drawn
    return orders


EFFECTS = (
    "gain {a} 10", "lose {b} 15", "deal 20 to {a} from {b}", "deal 5 to {b} unblockable", "attack({a}, {b}) += 20",
    "attack({b}, any) *= 2", "attack(any, {a}) /= 2", "defence({a}) -= 10", "defence({b}) = 0", "shield {a} 10",
    "shield {b} all", "ignore attack of {a} on {b}", "energy({a}) = 50", "revive {b} 30", "eliminate {a}",
    "discard P01", "give P01 to {a}", "lose {a} 20 at costs", "gain {b} 5 at end", "attack({a}, {b}) = 30",
)  # fmt: skip


def rulings_for(data: st.DataObject, state: State) -> Given:
    """Draw effects that the moderator might rule."""
    seats = list(state.names)
    effects = []
    for text in data.draw(st.lists(st.sampled_from(EFFECTS), max_size=4)):
        a = data.draw(st.sampled_from(seats))
        b = data.draw(st.sampled_from([seat for seat in seats if seat != a]))
        said = RULESET.effect(state, text.format(a=a, b=b))
        assert isinstance(said, str)
        effects.append(said)
    return Given({}, tuple(effects))


@given(st.data())
def test_orders_of_a_round_read_back_as_they_were_written(data: st.DataObject) -> None:
    """`parse` of what `format` wrote gives the same orders, whatever heroes and powers are called."""
    state = data.draw(worlds.states())
    seat = data.draw(st.sampled_from([hero.seat for hero in state.living]))
    orders = data.draw(worlds.sets(state, seat))
    lines = RULESET.format(state, orders)
    assert read(state, seat, lines) == orders
    assert RULESET.format(state, read(state, seat, lines)) == lines
    assert [phrases.parts(line) for line in lines] == [(line,) for line in lines]


@given(st.data())
def test_orders_are_read_again_after_somebody_is_ruled_out(data: st.DataObject) -> None:
    """Each canonical line is an order or a complaint, in a state that no longer asks that hero for any."""
    state = data.draw(worlds.states())
    seat = data.draw(st.sampled_from([hero.seat for hero in state.living]))
    orders = data.draw(worlds.sets(state, seat))
    lines = [OrderLine(n, line) for n, line in enumerate(RULESET.format(state, orders), 1)]
    gone = data.draw(st.sampled_from([hero.seat for hero in state.living]))
    after = RULESET.amend(state, f"out: {gone}", True)
    assert isinstance(after, State) and gone not in RULESET.phase(after).owing
    parsed = RULESET.parse(after, seat, lines)
    RULESET.check(after, seat, parsed.orders)
    RULESET.hand(after, seat, parsed.orders)
    kept = {order.line for order in parsed.orders} | {complaint.line for complaint in parsed.complaints}
    assert kept == {line.number for line in lines}


@given(st.data())
def test_bids_read_back_as_they_were_written(data: st.DataObject) -> None:
    """Bids, replacements and wishes to discard survive writing and reading."""
    state = data.draw(worlds.states(phase="auction", living=True))
    orders = data.draw(worlds.bids(state))
    assert read(state, "ada", RULESET.format(state, orders)) == orders


@given(st.lists(worlds.inventions(), max_size=2))
def test_powers_read_back_as_they_were_read(inventions: list[Invent]) -> None:
    """Whatever power can be read from people's lines is written in lines that read the same."""
    state = _two()
    lines = [
        line for one in inventions for line in (f"power: {one.name}", f"text: {one.text}", f"type: {one.kind}", "")
    ]
    parsed = RULESET.parse(state, Seat("ada"), [OrderLine(n, line) for n, line in enumerate(lines, 1)])
    assert read(state, "ada", RULESET.format(state, parsed.orders)) == parsed.orders


def _two() -> State:
    return RULESET.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, DICE)


@given(st.data())
def test_an_adjudication_is_the_same_twice_and_changes_no_argument(data: st.DataObject) -> None:
    """Same arguments, same outcome; and the arguments are what they were."""
    state = data.draw(worlds.states())
    orders = sets_of_all(data, state)
    given_ = rulings_for(data, state)
    before = (RULESET.dump(state), {seat: RULESET.format(state, sent) for seat, sent in orders.items()}, repr(given_))
    first = RULESET.adjudicate(state, orders, given_, DICE)
    assert RULESET.adjudicate(state, orders, given_, DICE) == first
    after = (RULESET.dump(state), {seat: RULESET.format(state, sent) for seat, sent in orders.items()}, repr(given_))
    assert before == after
    backwards = dict(reversed(orders.items()))
    assert RULESET.adjudicate(state, backwards, given_, DICE) == first


@given(st.data())
def test_energy_is_accounted_for(data: st.DataObject) -> None:
    """Energy before, with every gain and loss that the report names, is Energy after."""
    state = data.draw(worlds.states())
    outcome = RULESET.adjudicate(state, sets_of_all(data, state), rulings_for(data, state), DICE)
    for event in outcome.events:
        if event.kind == "stands":
            changes = sum(part["amount"] for part in event.facts["why"])
            assert event.facts["before"] + changes == event.facts["after"]
    hurt = {hero.seat: hero.energy for hero in outcome.state.heroes}
    told = {e.facts["hero"]: e.facts["after"] for e in outcome.events if e.kind == "stands"}
    assert all(told[outcome.state.names[hero.seat]] == hurt[hero.seat] for hero in state.living)


@given(st.data())
def test_energy_never_rises_without_a_ruling(data: st.DataObject) -> None:
    """Where the moderator says nothing, nobody has more after a round than before."""
    state = data.draw(worlds.states())
    outcome = RULESET.adjudicate(state, sets_of_all(data, state), Given(), DICE)
    for hero in state.living:
        assert outcome.state.hero(hero.seat).energy <= hero.energy


@given(st.data())
def test_no_more_is_blocked_than_defence(data: st.DataObject) -> None:
    """The blocked parts of what comes in against a hero come to no more than the Defence."""
    state = data.draw(worlds.states())
    outcome = RULESET.adjudicate(state, sets_of_all(data, state), rulings_for(data, state), DICE)
    values = {verdict.key: int(verdict.value) for verdict in outcome.verdicts}
    for hero in state.living:
        blocked = sum(n for key, n in values.items() if key.startswith(f"blocked by {hero.seat} from "))
        assert blocked <= values.get(f"defence of {hero.seat}", 0)


piles = st.lists(st.tuples(st.sampled_from(worlds.SEATS), st.integers(0, 50)), min_size=1, max_size=5)
ways = st.one_of(st.none(), worlds.blocks([Seat(seat) for seat in worlds.SEATS]))


@given(st.integers(0, 150), piles, ways, st.sampled_from(("smallest", "largest", "pro_rata")))
def test_the_division_never_changes_the_sum(
    defence: int, pile: list[tuple[str, int]], block: Block | None, default: str
) -> None:
    """However the defender divides, as much is blocked as can be, and no Attack more than its points."""
    shares = divide(defence, pile, block, default)
    assert sum(shares) == min(defence, sum(amount for _, amount in pile))
    assert all(0 <= share <= amount for share, (_, amount) in zip(shares, pile, strict=True))


@given(st.data())
def test_a_state_survives_toml(data: st.DataObject) -> None:
    """What `dump` gives is TOML, and `load` of it is the state."""
    state = data.draw(worlds.states())
    after = RULESET.adjudicate(state, sets_of_all(data, state), rulings_for(data, state), DICE).state
    for one in (state, after):
        assert RULESET.load(tomllib.loads(tomli_w.dumps(RULESET.dump(one))), RULESET.version) == one


@given(st.data())
def test_every_verdict_can_be_named_pinned_and_followed(data: st.DataObject) -> None:
    """Each verdict's key reads back as itself, and pinning its own value changes nothing but the mark."""
    state = data.draw(worlds.states())
    orders, given_ = sets_of_all(data, state), rulings_for(data, state)
    outcome = RULESET.adjudicate(state, orders, given_, DICE)
    for verdict in outcome.verdicts:
        assert RULESET.name_fact(state, verdict.key) == verdict.key
    pinned = {verdict.key: verdict.value for verdict in outcome.verdicts}
    again = RULESET.adjudicate(state, orders, Given(pinned, given_.effects), DICE)
    assert again.state == outcome.state
    assert {v.key: v.value for v in again.verdicts} == pinned
    assert len({v.key for v in outcome.verdicts}) == len(outcome.verdicts)


@given(st.data())
def test_a_pinned_damage_reaches_energy(data: st.DataObject) -> None:
    """Pinning one Attack's damage moves the damage to the hero, the Energy and who is out along with it."""
    state = data.draw(worlds.states())
    orders = sets_of_all(data, state)
    outcome = RULESET.adjudicate(state, orders, Given(), DICE)
    for verdict in outcome.verdicts:
        if verdict.key.startswith("damage of "):
            on = verdict.key.rpartition(" ")[2]
            pinned = Given({verdict.key: int(verdict.value) + 500})
            again = RULESET.adjudicate(state, orders, pinned, DICE)
            values = {v.key: v.value for v in outcome.verdicts}
            changed = {v.key: v.value for v in again.verdicts}
            assert changed[f"damage to {on}"] == int(values[f"damage to {on}"]) + 500
            assert not again.state.hero(on).is_in


@given(st.data())
def test_every_event_is_of_a_known_kind(data: st.DataObject) -> None:
    """No adjudication gives an event of a kind that the ruleset does not list."""
    state = data.draw(worlds.states())
    outcome = RULESET.adjudicate(state, sets_of_all(data, state), rulings_for(data, state), DICE)
    assert {event.kind for event in outcome.events} <= RULESET.event_kinds


@given(st.data())
def test_an_auction_charges_exactly_what_was_paid(data: st.DataObject) -> None:
    """After an auction all Energy that is gone was paid for a power, and each power has one owner at most."""
    state = data.draw(worlds.states(phase="auction", living=True))
    orders = {hero.seat: data.draw(worlds.bids(state)) for hero in state.heroes}
    while state.phase in ("auction", "rebid"):
        outcome = RULESET.adjudicate(state, orders, Given(), DICE)
        prices = sum(int(v.value) for v in outcome.verdicts if v.key.startswith("price of "))
        assert sum(h.energy for h in state.heroes) - sum(h.energy for h in outcome.state.heroes) == prices
        assert RULESET.load(tomllib.loads(tomli_w.dumps(RULESET.dump(outcome.state))), RULESET.version) == outcome.state
        state, orders = outcome.state, {}
    assert state.ties == {}


@pytest.mark.parametrize("seed", range(6))
def test_a_game_of_random_orders_ends(seed: int) -> None:
    """With fatigue every game ends, whatever is ordered."""
    dice = Dice(bytes([seed]) * 32)
    seats = {Seat(seat): seat.title() for seat in worlds.SEATS}
    state = RULESET.setup(seats, {"nmr": "random", "stalemate": "fatigue"}, dice)
    outcome: Outcome[State] | None = None
    for turn in range(400):
        scope = dice.at(str(turn))
        owing = RULESET.phase(state).owing
        orders = {seat: RULESET.missing(state, seat, scope.at(seat)) for seat in owing}
        outcome = RULESET.adjudicate(state, orders, Given(), scope)
        state = outcome.state
        if outcome.result:
            break
    assert outcome and outcome.result and state.phase == "over"


def test_all_out_defenders_tire() -> None:
    """Heroes who only ever defend all fall to fatigue in the end."""
    state = msgspec.structs.replace(_two(), phase="round", round=1)
    state = msgspec.structs.replace(state, house={**state.house, "stalemate": "fatigue"})
    for _ in range(40):
        orders = {seat: RULESET.missing(state, seat, DICE) for seat in RULESET.phase(state).owing}
        outcome = RULESET.adjudicate(state, orders, Given(), DICE)
        state = outcome.state
        if outcome.result:
            break
    assert outcome.result and set(outcome.result.winners) == {"ada", "bo"}


@pytest.mark.parametrize(
    "parts",
    [
        ("attack Bo 20", "defend 30", "hold 5", "block first: Ada, Bo"),
        ("defend 10", "if attacked by Bo: defend 20; attack Cy 5"),
        ("bid Flight 20", "bid Edit 3, if win double 20 in Flight; else halve 5 in Laser"),
        ("defend 10", "plan Precognition: defend exactly incoming; rest attack Bo"),
        ("strategy Precognition: defend exactly incoming; rest attack Bo",),  # as another genre may call it
        ("sidekick Bucky: attack Bo 20; defend 30",),
        ("power Flight: You fly; and land.",),
    ],
)
def test_a_line_is_cut_where_an_order_ends(parts: tuple[str, ...]) -> None:
    """Nothing is cut behind a colon or a condition, which may open several orders."""
    assert phrases.parts("; ".join(parts)) == parts


def test_a_condition_of_a_plan_holds_for_all_behind_it() -> None:
    """A28: a semicolon ends no condition; what is kept says so, with a comma."""
    state = lay(["ada: Max 100", "bo: Moritz 100", "ada: power Precognition 10: archive"], {}, DICE)
    steps = "defend 1; if attacked by Moritz: defend 2; rest attack Moritz"
    (plan,) = RULESET.parse(state, Seat("ada"), [OrderLine(1, f"plan Precognition: {steps}")]).orders
    assert isinstance(plan, Plan) and plan.text == "defend 1; if attacked by Moritz: defend 2, rest attack Moritz"
