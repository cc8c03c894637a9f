"""Laws of powers that run by themselves, over random pools of the archive and random orders; and of rounds without any."""

import tomllib
from collections.abc import Sequence

import msgspec
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Given, OrderLine, Outcome, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.house.options import DEFAULTS
from pbem.rulesets.rumble.model.state import Hero, Power, State, distinct
from pbem.rulesets.rumble.powers.archive import archive
from pbem.rulesets.rumble.powers.engine.active_abilities import used_ability
from pbem.rulesets.rumble.powers.language import lines
from pbem.rulesets.rumble.powers.language.runnable import runs
from pbem.rulesets.rumble.round.checkpoints import fatigue
from tests.rulesets.test_rumble_laws import DICE, read

SEATS = ("ada", "bo", "cy", "di", "eve")
RUNNING = [power for power in archive() if runs(power.lines)]
OFTEN = [*RUNNING, *(power for power in RUNNING if power.name == "Sidekick" for _ in range(9))]
NAMES = ("Bucky", "Robin", "Kato", "Tonto", "Watson", "Sancho", "Friday")


@st.composite
def states(draw: st.DrawFn, most: int = 7) -> State:
    """Draw a state with up to so many powers of the archive, all of which run, and Sidekicks of those who have one."""
    seats = SEATS[: draw(st.integers(2, 5))]
    heroes = tuple(
        Hero(Seat(seat), seat.title(), draw(st.integers(1, 120)), attacked=draw(st.sampled_from([(), seats[:1]])))
        for seat in seats
    )
    cards = draw(st.lists(st.sampled_from(OFTEN), max_size=most))
    names = distinct([card.name for card in cards])
    powers = tuple(
        Power(
            number, name, card.text, owner=draw(st.sampled_from(seats)), strength=draw(st.integers(0, 60)),
            lines=card.lines, used=draw(st.integers(0, 2)), spent=draw(st.integers(0, 60)),
        )
        for number, (name, card) in enumerate(zip(names, cards, strict=True), 1)
    )  # fmt: skip
    heroes += tuple(
        Hero(Seat(f"sidekick_{power.key}"), name, draw(st.integers(1, 60)), power=power.key)
        for name, power in zip(NAMES, [power for power in powers if "sidekick" in power.lines], strict=False)
    )
    house = dict(DEFAULTS) | {
        "power_damage_blockable": draw(st.sampled_from(["yes", "no"])),
        "modifier_order": draw(st.sampled_from(["mul_add_set", "add_mul_set"])),
        "round": draw(st.sampled_from(["down", "up"])),
    }
    return State(
        phase="round", round=draw(st.integers(1, 9)), house=house, heroes=heroes, powers=powers,
        quiet=draw(st.integers(0, 4)),
    )  # fmt: skip


@st.composite
def orders_of(draw: st.DrawFn, state: State, seat: str) -> tuple[str, ...]:
    """Draw lines as a player writes them: uses first, then Attacks and Defence as far as Energy goes."""
    said = [line for power in state.owned(seat) for line in draw(_uses(state, seat, power))]
    for hero in state.living:
        if hero.seat != seat and draw(st.booleans()):
            said.append(f"attack {hero.name} {draw(st.integers(0, 40))}")
    said.append(f"defend {draw(st.integers(0, 40))}")
    for one in state.sidekicks(seat):
        whom = draw(st.sampled_from([hero.name for hero in state.living if hero != one]))
        said.append(f"sidekick {one.name}: attack {whom} {draw(st.integers(0, 40))}; defend {draw(st.integers(0, 9))}")
    while said and _wrong(state, seat, said):
        said.pop(draw(st.integers(0, len(said) - 1)))
    return tuple(said)


@st.composite
def _uses(draw: st.DrawFn, state: State, seat: str, power: Power) -> list[str]:
    ability = used_ability(power)
    if ability is None or draw(st.booleans()):
        return []
    heroes = [hero.name for hero in state.living]
    cards = [one.name for one in state.powers]
    named = [draw(st.sampled_from(cards if c.what in ("power", "use") else heroes)) for c in ability.choices]
    word = "discarding" if "discard P" in power.lines.partition("\n")[0] else "on"
    on = f" {word} {' against '.join(named)}" if named else ""
    if ability.optional and not ability.costs and draw(st.booleans()):
        return (
            [f"never use {power.name}"]
            if draw(st.booleans())
            else [f"use {power.name} on {draw(st.sampled_from(heroes))}"]
        )
    if ability.at_reveal and not power.name.startswith("Quick") and draw(st.booleans()):
        return [f"if {draw(st.sampled_from(['would die', 'incoming > 10', 'always']))}: use {power.name}{on}"]
    x = f" X={draw(st.integers(1, 40))}" if "X" in power.lines.partition("\n")[0] else ""
    times = draw(st.sampled_from(["", "", " x2", " x3"]))
    return [f"use {power.name}{on}{x}{times}"]


def _wrong(state: State, seat: str, said: Sequence[str]) -> bool:
    parsed = RULESET.parse(state, Seat(seat), [OrderLine(n, line) for n, line in enumerate(said, 1)])
    return bool(parsed.complaints or RULESET.check(state, Seat(seat), parsed.orders))


def play(data: st.DataObject, state: State) -> Outcome[State]:
    """Let everybody order something legal, and close the round."""
    said = {seat: data.draw(orders_of(state, seat)) for seat in state.playing}
    return RULESET.adjudicate(state, {seat: read(state, seat, lines) for seat, lines in said.items()}, Given(), DICE)


def energies(state: State) -> dict[str, int]:
    """Return everybody's Energy."""
    return {hero.seat: hero.energy for hero in state.heroes}


@given(st.data())
def test_every_energy_change_is_told_with_its_cause(data: st.DataObject) -> None:
    """What a hero had, with all that the report names, is what the hero has when the next round begins."""
    state = data.draw(states())
    outcome = play(data, state)
    now = {state.names[seat]: energy for seat, energy in energies(state).items()}
    for event in outcome.events:
        if event.kind == "stands":
            now[event.facts["hero"]] += sum(part["amount"] for part in event.facts["why"])
        if event.kind == "round_began":
            now[event.facts["hero"]] = event.facts["energy"]
    assert now == {outcome.state.names[seat]: energy for seat, energy in energies(outcome.state).items()}


@given(st.data())
def test_the_order_in_which_powers_are_kept_makes_no_difference(data: st.DataObject) -> None:
    """They act by their numbers in the pool, wherever they stand in the state's file."""
    state = data.draw(states())
    shuffled = msgspec.structs.replace(state, powers=tuple(data.draw(st.permutations(state.powers))))
    said = {seat: read(state, seat, data.draw(orders_of(state, seat))) for seat in state.playing}
    one = RULESET.adjudicate(state, said, Given(), DICE)
    other = RULESET.adjudicate(shuffled, said, Given(), DICE)
    assert energies(one.state) == energies(other.state) and one.verdicts == other.verdicts
    assert one.result == other.result


@given(st.data())
def test_nothing_is_worth_less_than_nothing_and_every_number_says_how(data: st.DataObject) -> None:
    """Attacks, Defences, blocks and damage are never negative, whatever powers take away."""
    outcome = play(data, data.draw(states()))
    for verdict in outcome.verdicts:
        if not verdict.key.startswith("energy"):
            assert int(verdict.value) >= 0, verdict


@given(st.data())
def test_a_round_ends_and_comes_out_the_same_again(data: st.DataObject) -> None:
    """Nothing of the archive strikes without end (C24), and the same orders and dice give the same round."""
    state = data.draw(states())
    said = {hero.seat: read(state, hero.seat, data.draw(orders_of(state, hero.seat))) for hero in state.living}
    outcome = RULESET.adjudicate(state, said, Given(), DICE)
    assert not [event for event in outcome.events if event.kind == "endless"]
    assert RULESET.adjudicate(state, said, Given(), DICE) == outcome


@given(st.data())
def test_what_waits_for_the_reveal_is_nobodys_to_see_before(data: st.DataObject) -> None:
    """Where orders lie open and somebody is asked, nobody is told more or other for what others keep behind conditions."""
    state = data.draw(states())
    gust = Power(99, "Gust", "Drain 1: +1.", owner="ada", lines="cost: drain 1\ndo: defence(me) += 1")
    late = Power(98, "Gale", "Drain 1: +9.", owner="bo", lines="cost: drain 1\ndo: defence(me) += 9")
    state = msgspec.structs.replace(state, powers=(*state.powers, gust, late))
    said = {hero.seat: data.draw(orders_of(state, hero.seat)) for hero in state.living}
    ada, bo = Seat("ada"), Seat("bo")
    said[ada] = (*said[ada], "ask me: Gust")
    hidden = {**said, bo: (*said[bo], "if would die: use Gale", "if incoming > 5: block evenly")}
    one, other = (
        RULESET.adjudicate(state, {seat: read(state, seat, lines) for seat, lines in sets.items()}, Given(), DICE)
        for sets in (said, hidden)
    )
    assert one.asks and other.asks and RULESET.phase(one.state) == RULESET.phase(other.state)
    assert RULESET.asked(one.state, ada) == RULESET.asked(other.state, ada)
    answer = read(one.state, ada, ("use Gust",))
    assert RULESET.hand(one.state, ada, answer) == RULESET.hand(other.state, ada, answer)


@given(st.data())
def test_uses_are_counted_and_never_beyond_their_number(data: st.DataObject) -> None:
    """Exhaust holds over the game, whatever was used before; who spent on a power has it added up."""
    state = data.draw(states())
    said = {seat: read(state, seat, data.draw(orders_of(state, seat))) for seat in state.playing}
    after = RULESET.adjudicate(state, said, Given(), DICE).state
    for before, power in zip(state.powers, after.powers, strict=True):
        ability = used_ability(power)
        for price in ability.costs if ability else ():
            if isinstance(price, lines.Exhaust):
                assert power.used <= max(price.times, before.used)
        assert power.used >= before.used and (power.spent >= before.spent or power.owner != before.owner)


@given(st.data())
def test_a_use_reads_back_with_its_price(data: st.DataObject) -> None:
    """The canonical line names what a use takes, and reading it again changes nothing."""
    state = data.draw(states())
    for seat in state.playing:
        orders = read(state, seat, data.draw(orders_of(state, seat)))
        canonical = RULESET.format(state, orders)
        assert RULESET.format(state, read(state, seat, canonical)) == canonical


@given(st.data())
def test_a_state_with_powers_survives_toml(data: st.DataObject) -> None:
    """Lines, counters and all."""
    state = data.draw(states())
    assert RULESET.load(tomllib.loads(tomli_w.dumps(RULESET.dump(state))), RULESET.version) == state


@given(st.data())
def test_unblockable_damage_goes_past_any_defence(data: st.DataObject) -> None:
    """More Defence changes nothing of what Laser Eyes do."""
    card = next(power for power in archive() if power.name == "Laser Eyes")
    power = Power(1, card.name, card.text, owner="ada", lines=card.lines)
    defence = data.draw(st.integers(0, 100))
    times = data.draw(st.integers(1, 5))
    heroes = (Hero(Seat("ada"), "Ada", 100), Hero(Seat("bo"), "Bo", 100))
    state = State(phase="round", round=2, house=dict(DEFAULTS), heroes=heroes, powers=(power,))
    said = {
        "ada": read(state, "ada", (f"use Laser Eyes on Bo x{times}",)),
        "bo": read(state, "bo", (f"defend {defence}",)),
    }
    outcome = RULESET.adjudicate(state, {Seat(seat): orders for seat, orders in said.items()}, Given(), DICE)
    assert energies(outcome.state) == {"ada": 100, "bo": 100 - 5 * times}


@given(st.data())
def test_a_round_without_powers_is_the_plain_sum(data: st.DataObject) -> None:
    """Attacks less Defence, no more and no less (R8), and fatigue where nobody is hurt (A20): reckoned here anew."""
    state = data.draw(states(most=0))
    house = {**state.house, "left_over": "idle", "stalemate": data.draw(st.sampled_from(("told", "fatigue")))}
    state = msgspec.structs.replace(state, house=house)
    said = {seat: data.draw(orders_of(state, seat)) for seat in state.playing}
    orders = {seat: read(state, seat, lines) for seat, lines in said.items()}
    by_name: dict[str, str] = {hero.name: hero.seat for hero in state.heroes}
    coming: dict[str, int] = dict.fromkeys(state.names, 0)
    guard: dict[str, int] = {seat: state.hero(seat).energy if not lines else 0 for seat, lines in said.items()}  # A21
    for seat, written in said.items():
        for line in written:
            words = line.split()
            if words[0] == "attack":
                coming[by_name[words[1]]] += int(words[2])
            else:
                guard[seat] = int(words[1])
    damage: dict[str, int] = {seat: max(0, coming[seat] - guard[seat]) for seat in coming}
    tired = 0 if any(damage.values()) or house["stalemate"] == "told" else fatigue(state.quiet + 1)
    outcome = RULESET.adjudicate(state, orders, Given(), DICE)
    assert energies(outcome.state) == {seat: state.hero(seat).energy - damage[seat] - tired for seat in damage}


@given(st.data())
def test_a_sidekick_is_in_as_long_as_its_power_is(data: st.DataObject) -> None:
    """Neither is ever there without the other, and those who win or owe orders are players."""
    outcome = play(data, data.draw(states()))
    for hero in outcome.state.heroes:
        power = outcome.state.power(hero.power)
        assert power is None or (power.in_play == hero.is_in and power.owner in SEATS)
    winners = outcome.result.winners if outcome.result else ()
    assert {*winners, *RULESET.phase(outcome.state).owing} <= {*SEATS}
    assert bool(outcome.result) or len(outcome.state.playing) > 1


@given(st.data())
def test_what_is_counted_is_the_same_before_and_after_damage(data: st.DataObject) -> None:
    """The damage that `instead ... nth` changes is that which `when ... nth` answers, Burns among them (A10, C17)."""
    place, span = data.draw(st.integers(1, 4)), data.draw(st.sampled_from(["round", "game"]))
    kind = data.draw(st.sampled_from(["", "attack ", "power "]))
    blows = data.draw(st.lists(st.integers(0, 20), min_size=3, max_size=3))
    strokes, burns = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))
    house = dict(DEFAULTS) | {"burn_is_damage": data.draw(st.sampled_from(["yes", "no"]))}
    heroes = tuple(Hero(Seat(seat), seat.title(), 200) for seat in SEATS[:4])
    flow, gun = "cost: burn 3\ndo: lose me 1", "cost: spend 1\nchoose: T = hero\ndo: deal 4 to T"
    said = {seat: [f"attack Ada {blow}"] for seat, blow in zip(SEATS[1:], blows, strict=False) if blow}
    said["bo"] = [*said.get("bo", []), *["use Gun on Ada"] * strokes, "defend 1"]
    said["ada"] = [*["use Flow"] * burns, "attack Bo 1"]

    def left(counting: str) -> int:
        powers = (
            Power(1, "Flow", "It flows.", owner="ada", lines=flow),
            Power(2, "Gun", "Bang.", owner="bo", lines=gun),
            Power(3, "Tally", "It counts.", owner="ada", lines=counting),
        )
        state = State(phase="round", round=2, house=house, heroes=heroes, powers=powers)
        orders = {Seat(seat): read(state, seat, tuple(lines)) for seat, lines in said.items()}
        return energies(RULESET.adjudicate(state, orders, Given(), DICE).state)["ada"]

    def counting(key: str, what: str) -> int:
        return left(f"{key}: {kind}damage to me\nnth: {place} each {span}\ndo: {what}") - left(
            "do: attack(me, any) += 0"
        )

    burnt = house["burn_is_damage"] == "yes" and burns > 0 and place == 1 and not kind
    assert counting("instead", "damage = 0") == (0 if burnt else counting("when", "gain me amount"))
