"""Laws of the brawl over random games: sets of lines of all kinds, house rules, two to six fighters."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from random import Random

import msgspec
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Given, Outcome, Seat
from pbem.language import phrases
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.order import Ask, CoopDie, DamageOrder, Defend, Drop, If, Order, Pass
from pbem.rulesets.brawl.order import Test as Query
from pbem.rulesets.brawl.round.asking import Asked, without_ask
from pbem.rulesets.brawl.round.declarations import Declared, Table
from pbem.rulesets.brawl.round.declaring import declare, declare_alone
from pbem.rulesets.brawl.round.old_turn import whole
from pbem.rulesets.brawl.state import BUFFER, MOST_DRUNK, State, with_fighters
from tests.depth import at_first
from tests.rulesets.brawl_worlds import (
    Turn,
    World,
    by_seat,
    fought,
    nobody_writes,
    of_version_3,
    read,
    some_set,
    worlds,
)


@given(worlds())
def test_any_set_can_be_adjudicated_shown_and_kept(world: World) -> None:
    """Whatever lines could be read, a round comes of them; both states survive TOML, and letters have their facts."""
    for turn in fought(world):
        for state in (turn.state, turn.outcome.state):
            assert RULESET.load(tomllib.loads(tomli_w.dumps(RULESET.dump(state))), RULESET.version) == state
            for seat in state.names:
                assert set(RULESET.asked(state, seat)) >= {"rows", "mine", "before"}
        for state, seat, sent in all_sent(turn):
            assert len(RULESET.hand(state, seat, sent)["rows"]) == len(sent)
            RULESET.check(state, seat, sent)


def all_sent(turn: Turn) -> Iterator[tuple[State, Seat, Sequence[Order]]]:
    """Yield what each seat sent or answered, with the state in which it was asked."""
    for state, sent in zip((turn.state, *turn.stops), (turn.orders, *turn.given.answers), strict=True):
        yield from ((state, seat, plan) for seat, plan in sent.items())


@given(worlds())
def test_orders_read_back_as_they_were_written(world: World) -> None:
    """`parse` of what `format` wrote gives the same orders, whatever fighters are called."""
    for turn in fought(world):
        for state, seat, sent in all_sent(turn):
            lines = RULESET.format(state, sent)
            assert read(state, seat, list(lines)) == sent
            assert RULESET.format(state, read(state, seat, list(lines))) == lines
            assert [phrases.parts(line) for line in lines] == [(line,) for line in lines]


@given(worlds())
def test_an_adjudication_is_the_same_twice_and_changes_no_argument(world: World) -> None:
    """Same arguments, same outcome, in whichever order the sets came; and the arguments are what they were."""
    for turn in fought(world):
        before = (RULESET.dump(turn.state), repr(turn.orders), repr(turn.given))
        backwards = dict(reversed(turn.orders.items()))
        assert RULESET.adjudicate(turn.state, backwards, turn.given, turn.dice) == turn.outcome
        assert (RULESET.dump(turn.state), repr(turn.orders), repr(turn.given)) == before


@given(worlds(), st.integers(0, 99))
def test_nothing_depends_on_the_order_in_which_seats_are_listed(world: World, seed: int) -> None:
    """With the fighters listed otherwise the same is done to each, the same is rolled, and the same side wins."""
    for turn in fought(world):
        listed = list(turn.state.fighters)
        Random(seed).shuffle(listed)
        other = RULESET.adjudicate(
            msgspec.structs.replace(turn.state, fighters=tuple(listed)), turn.orders, turn.given, turn.dice
        )
        assert by_seat(other.state) == by_seat(turn.outcome.state)
        assert (other.state.order, other.state.turn) == (turn.outcome.state.order, turn.outcome.state.turn)
        assert sorted(map(repr, other.verdicts)) == sorted(map(repr, turn.outcome.verdicts))
        ours, theirs = turn.outcome.result, other.result
        assert (set(ours.winners) if ours else None) == (set(theirs.winners) if theirs else None)


AMENDED = (("down", 2), ("away", True), ("away", False), ("item", 0), ("advantage", 0))
"""What the moderator may set of somebody."""


@settings(max_examples=at_first(2))
@given(worlds(declare="sequential"))
def test_what_the_moderator_sets_lets_nobody_lose_orders_of_version_3(world: World) -> None:
    """While a turn of it is open the others' orders read as they were, whoever is set down, away, or without an item."""
    for turn in fought(world):
        for place, old in enumerate([of_version_3(turn, place) for place in range(len(turn.stops))]):
            _, plans, _ = whole(old, {}, Given())
            for seat, (key, value) in zip(old.names, cycle((*AMENDED[place % len(AMENDED) :], *AMENDED)), strict=False):
                after = RULESET.amend(old, f"{key} of {seat}", value)
                if isinstance(after, State):
                    assert whole(after, {}, Given())[1] == plans, (key, value, seat)
                    owing = {one: (Pass(),) for one in RULESET.phase(after).owing}
                    RULESET.adjudicate(after, owing, Given(), turn.dice)


def places(declared: Declared, table: Table) -> list[str]:
    """Return the letters of a seat's dice, once for each place in which one lies."""
    found = [letter for blow in declared.blows for letter in (*blow.dice, *blow.damage)]
    found += [letter for guard in declared.guards for letter in guard.dice]
    found += [letter for letter, _ in declared.delays]
    return found + [drop.letter for drop in table.drops if drop.seat == declared.seat]


def plans_of(turn: Turn) -> dict[str, tuple[Order, ...]]:
    """Return the sets of a round without any wish to be asked, so that all is declared."""
    return {str(seat): without_ask(plan) for _, seat, plan in all_sent(turn)}


@given(worlds(declare="contingent", game="pub"))
def test_each_die_is_in_one_place(world: World) -> None:
    """A die is in one action at most; who is given one has it of whoever dropped it for that, and nobody else has."""
    for turn in fought(world, resigning=False):
        table = declare(turn.state, plans_of(turn))
        gifts: Counter[int] = Counter()
        for seat, declared in table.declared.items():
            me = turn.state.fighter(seat)
            own = {die.letter: die for die in me.dice}
            assert max(Counter(places(declared, table)).values(), default=0) <= 1
            assert len(declared.blows) <= 2 and len(declared.guards) <= 2
            assert set(places(declared, table)) <= set(declared.dice)
            assert set(declared.dice) == set(own) | set(declared.gifts)
            assert all(declared.dice[letter] == die for letter, die in own.items())
            for letter, number in declared.gifts.items():
                gift = table.drops[number]
                assert (gift.action, gift.on, gift.die) == ("coop", seat, declared.dice[letter].value)
                assert letter not in own and gift.seat != seat
            gifts.update(declared.gifts.values())
        assert gifts == Counter(drop.number for drop in table.drops if drop.action == "coop")
        assert [drop.number for drop in table.drops] == list(range(len(table.drops)))


@given(worlds(declare="contingent"))
def test_delayed_dice_are_used_for_what_they_were_delayed_for(world: World) -> None:
    """They lie in such an action or nowhere, and only dice of one's own roll are delayed, two at most."""
    for turn in fought(world, resigning=False):
        table = declare(turn.state, plans_of(turn))
        for seat, declared in table.declared.items():
            held = {die.letter: die.use for die in turn.state.fighter(seat).dice}
            lies = {letter: "defense" for guard in declared.guards for letter in guard.dice}
            for blow in declared.blows:
                lies |= dict.fromkeys(blow.dice, "attack") | dict.fromkeys(blow.damage, "damage")
            lies |= {drop.letter: "drop" for drop in table.drops if drop.seat == seat}
            lies |= {letter: "delay" for letter, _ in declared.delays}
            assert all(held.get(letter, "") in ("", use) for letter, use in lies.items())
            assert len(declared.delays) <= 2 and all(held.get(letter) == "" for letter, _ in declared.delays)


@given(worlds())
def test_pools_hold_what_was_rolled_and_what_was_delayed(world: World) -> None:
    """No die appears or vanishes between rounds: faces above 1, a die for each six, and those delayed by who stands."""
    for turn in fought(world):
        after = turn.outcome.state
        rolled = next((event.facts for event in turn.outcome.events if event.kind == "rolled"), None)
        if rolled is None:
            continue
        kept = delayed_by(turn.state, turn.orders, turn.outcome)
        for row in rolled["rows"]:
            one = after.fighter(row["seat"])
            faces, extras = row["faces"], row["extras"]
            assert len(extras) == faces.count(6)
            assert len(faces) == (0 if one.gone else int(row["six"] == 6) if one.down else 2 if row["dizzy"] else 3)
            free = [die.value for die in one.dice if not die.use]
            assert free == [face for face in (*faces, *extras) if face > 1]
            assert one.initiative == sum(free)
            held = [(die.value, die.use) for die in one.dice if die.use]
            assert held == ([] if one.down or one.gone else kept.get(one.seat, []))


def delayed_by(state: State, orders: dict[Seat, tuple[Order, ...]], outcome: Outcome[State]) -> dict[str, list[object]]:
    """Return what each seat was told to have delayed: values with uses."""
    found: dict[str, list[object]] = {}
    for event in outcome.events:
        if event.kind == "declared":
            kept = [line.split() for line in event.facts["lines"] if line.startswith("keeps ")]
            found.setdefault(event.facts["seat"], []).extend((int(words[1][1:]), words[3]) for words in kept)
    return found


def alone(table: Table, seats: set[str]) -> dict[str, tuple[object, ...]]:
    """Return what seats declared by themselves: without what they did with dice that others gave behind their turn."""
    return {
        seat: (table.declared[seat].chosen, table.declared[seat].delays) for seat in seats if seat in table.declared
    }


NEVER, EVER = Query("round", sign="<", number=0), Query("always")


@given(worlds(left_over="defends", nmr="defend"))
def test_a_set_in_part_of_silence_comes_to_the_whole_of_it(world: World) -> None:
    """M3: whichever lines of silence's a set has, or lines of which nothing comes, all dice do what silence does."""
    chance = Random(world.seed)
    for turn in fought(world):
        for seat in turn.orders:
            whole = tuple(nobody_writes(turn.state, seat))
            parts: list[tuple[Order, ...]] = [(order,) for order in whole if not isinstance(order, CoopDie | Pass)]
            parts += [tuple(chance.sample(part, chance.randint(1, len(part)))) for part in (sum(parts, ()),) if part]
            parts += [(Ask(),), (DamageOrder("high"),), (If((NEVER,), (Pass(),)),), (If((EVER,), (Ask(),)),)]
            for part in parts:
                done = declare_alone(turn.state, seat, part).chosen
                assert sorted(map(repr, done)) == sorted(repr(one) for one in whole if isinstance(one, Drop | Defend))


@given(worlds(left_over="defends", nmr="defend", game="pub"))
def test_a_given_die_moves_back_whom_nothing_else_does(world: World) -> None:
    """M3: one that is given to a fighter with a set in part does what it would if they had sent nothing."""
    for turn in fought(world):
        for one in turn.state.fighters:
            giver = next((f for f in turn.state.fighters if f.dice and f.seat != one.seat and f.is_up), None)
            bare = msgspec.structs.replace(one, dice=(), away=True)
            if giver is None or one.gone or one.down or giver.away:
                continue
            state = with_fighters(turn.state, [bare])
            gift: dict[str, Sequence[Order]] = {giver.seat: (Drop(giver.dice[0].letter, "coop", one.seat), Pass())}
            plans = {f.seat: (Pass(),) for f in state.fighters} | gift
            silent, part = (
                declare(state, plans | {one.seat: plan})
                for plan in (tuple(nobody_writes(state, one.seat)), (DamageOrder("high"),))
            )
            assert [drop.action for drop in silent.drops] == [drop.action for drop in part.drops]


@given(worlds())
def test_pass_behind_an_if_that_holds_counts_like_pass(world: World) -> None:
    """M3: and behind one that does not hold it counts nothing, whatever else a set says."""
    for turn in fought(world):
        for seat, plan in turn.orders.items():
            said = tuple(order for order in plan if not isinstance(order, Pass))
            for test, then, otherwise, like in (
                (EVER, (Pass(),), (), (Pass(),)), (NEVER, (Ask(),), (Pass(),), (Pass(),)),
                (NEVER, (Pass(),), (), (Ask(),)), (EVER, (Ask(),), (Pass(),), (Ask(),)),
            ):  # fmt: skip
                behind = declare_alone(turn.state, seat, (*said, If((test,), then, otherwise)))
                assert behind.chosen == declare_alone(turn.state, seat, (*said, *like)).chosen


@given(worlds(declare="contingent"), st.integers(1, 5), st.integers(0, 99))
def test_no_declaration_depends_on_a_faster_one(world: World, rank: int, seed: int) -> None:
    """What a seat declares is the same whatever those of its own rank and the faster ones send."""
    for turn in fought(world, resigning=False):
        rng, plans = Random(seed), plans_of(turn)
        slow = {str(seat) for seats in turn.state.order[:rank] for seat in seats}
        other = {seat: some_set(turn.state, seat, rng, resigning=False) for seat in turn.orders}
        redrawn = plans_of(msgspec.structs.replace(turn, orders=other))
        kept = {seat: sent for seat, sent in plans.items() if seat in slow}
        first, second, slowest = (declare(turn.state, one) for one in (plans, redrawn | kept, kept))
        assert alone(first, slow) == alone(second, slow)
        early = next((drop.number for drop in slowest.drops if drop.seat not in slow), len(slowest.drops))
        assert first.drops[:early] == second.drops[:early] == slowest.drops[:early]


@given(worlds(declare="contingent", tie="blind"))
def test_who_is_tied_knows_nothing_of_each_other(world: World) -> None:
    """Each of the same rank declares as it would if the others of that rank had sent nothing."""
    for turn in fought(world, resigning=False):
        plans = plans_of(turn)
        whole = declare(turn.state, plans)
        for tied in turn.state.order:
            for seat in tied:
                others = {o: sent if o == seat or o not in tied else () for o, sent in plans.items()}
                assert alone(whole, {seat}) == alone(declare(turn.state, others), {seat})


@given(worlds(game="pub"))
def test_a_sealed_set_is_told_to_nobody_before_its_turn(world: World) -> None:
    """Who is asked sees what slower ones declared, which is what is told of them at the end, and nothing else."""
    for turn in fought(world):
        told = [event.facts["lines"] for event in turn.outcome.events if event.kind == "declared"]
        answers: tuple[Mapping[Seat, Sequence[Order]], ...] = ()
        for stop, answer in zip(turn.stops, turn.given.answers, strict=True):
            slow = {stop.names[seat] for seat in stop.names if -1 < stop.rank(seat) < stop.rank(stop.turn)}
            rows = RULESET.asked(stop, Seat(stop.turn))["before"]
            assert {row["name"] for row in rows} <= slow
            seen = [row["lines"] for row in rows if row["lines"] != ["does nothing"]]
            assert seen == [lines for lines in told if lines != ["does nothing"]][: len(seen)]
            for seat in stop.names:
                assert seat == stop.turn or not RULESET.asked(stop, seat)["before"]
            known = {seat for seat in turn.orders if stop.rank(seat) < stop.rank(stop.turn)}
            hidden: dict[Seat, Sequence[Order]] = {
                seat: turn.orders[seat] if seat in known else () for seat in turn.orders
            }
            if stop.turn in hidden:
                hidden[Seat(stop.turn)] = (Ask(),)
            given = Given({}, turn.given.effects, answers)
            again = RULESET.adjudicate(turn.state, hidden, given, turn.dice).state
            assert isinstance(again, Asked) and (again.turn, again.seen) == (stop.turn, stop.seen)
            answers = (*answers, answer)


@given(worlds(declare="contingent"))
def test_a_round_is_the_same_whether_its_sets_were_sent_at_once_or_when_asked(world: World) -> None:
    """Whoever answers with some lines might as well have sent them with all others; `ask me` alone is no line of these."""
    for turn in fought(world, resigning=False):
        answers = {seat: plan for answer in turn.given.answers for seat, plan in answer.items()}
        answered = {seat: without_ask(plan) for seat, plan in answers.items()}
        if any(plan and not answered[seat] for seat, plan in answers.items()):
            continue
        given = Given({}, turn.given.effects)
        assert RULESET.adjudicate(turn.state, turn.orders | answered, given, turn.dice) == turn.outcome


@given(worlds())
def test_a_round_that_version_3_stopped_in_a_turn_comes_out_as_one_that_asks(world: World) -> None:
    """Who is asked sees the same, silence means the same, and so does an answer; what was ruled before counts once."""
    for turn in fought(world):
        answers = turn.given.answers
        for place, stop in enumerate(turn.stops):
            old, seat = of_version_3(turn, place), Seat(stop.turn)
            assert RULESET.load(tomllib.loads(tomli_w.dumps(RULESET.dump(old))), 3) == old
            assert RULESET.phase(old).owing == (seat,)
            assert RULESET.asked(old, seat) == RULESET.asked(stop, seat)
            assert RULESET.missing(old, seat, world.dice) == RULESET.missing(stop, seat, world.dice)
            for again in ((), turn.given.effects):  # what is ruled for each round comes with each of its turns
                given = Given({}, again, answers[place + 1 :])
                assert RULESET.adjudicate(old, answers[place], given, turn.dice) == turn.outcome


@given(worlds())
def test_all_stay_within_their_limits(world: World) -> None:
    """Health is never above its start nor below the Buffer, drinks bring 10 at most, nothing falls below 0."""
    for turn in fought(world, ruling=False):
        for one in turn.outcome.state.fighters:
            assert -BUFFER <= one.health <= one.full_health
            assert 0 <= one.buffer <= BUFFER
            assert 0 <= one.drunk <= MOST_DRUNK
            assert one.endurance >= 0
            assert one.endurance <= one.full_endurance or world.house["regain_cap"] == "none"
            assert min(one.advantage, one.maneuver, one.dizzy, one.knocked) >= 0
            assert 0 <= one.down <= 3 and not (one.cold and not one.down)
            was = turn.state.fighter(one.seat)
            assert one.drunk >= was.drunk and one.knocked in (was.knocked, was.knocked + 1)
            assert (one.full_health, one.full_endurance) == (was.full_health, was.full_endurance)


@given(worlds())
def test_rulings_keep_health_within_its_limits(world: World) -> None:
    """So does whatever a moderator does."""
    for turn in fought(world):
        for one in turn.outcome.state.fighters:
            assert -BUFFER <= one.health <= one.full_health and one.endurance >= 0


@given(worlds())
def test_who_has_left_does_nothing_and_has_nothing_done_to_them(world: World) -> None:
    """They have no dice, declare nothing, are told to do nothing, are hit by nobody, and never win."""
    for turn in fought(world, 12):
        after = turn.outcome.state
        gone = {one.seat for one in after.fighters if one.gone}
        assert not any(after.fighter(seat).dice for seat in gone)
        assert not gone & set(RULESET.phase(after).owing)
        told = [event for event in turn.outcome.events if event.facts.get("seat") in gone]
        assert {event.kind for event in told} <= {"ruled", "left"}
        if turn.outcome.result:
            assert not gone & set(turn.outcome.result.winners) or world.house["teams"] != "0"


@given(worlds(game="pub", declare="contingent"))
def test_a_die_that_was_taken_away_does_nothing(world: World) -> None:
    """Where a Coop is countered, its die works for nothing: neither as a drop nor in an attack or a defense."""
    for turn in fought(world, resigning=False, ruling=False):
        plans = plans_of(turn)
        table = declare(turn.state, plans)
        orders = {Seat(seat): sent for seat, sent in plans.items()}
        outcome = RULESET.adjudicate(turn.state, orders, turn.given, turn.dice)
        works = {verdict.key: verdict.value for verdict in outcome.verdicts}
        rows = [row for event in outcome.events if event.kind == "blows" for row in event.facts["rows"]]
        for seat, declared in table.declared.items():
            for letter in (one for one, number in declared.gifts.items() if not works[table.drops[number].key]):
                mine = [drop for drop in table.drops if (drop.seat, drop.letter) == (seat, letter)]
                assert not any(works[drop.key] for drop in mine)
                used = [die for row in rows if row["seat"] == seat for die, _ in (*row["dice"], *row["damage"])]
                used += [die for row in rows if row["on"] == turn.state.fighter(seat).name for die, _ in row["guard"]]
                assert declared.dice[letter].label not in used


@given(worlds())
def test_every_verdict_can_be_named_and_pinned(world: World) -> None:
    """Each verdict's key reads back as itself, and pinning its own value changes nothing but the mark."""
    for turn in fought(world, 4):
        keys = [verdict.key for verdict in turn.outcome.verdicts]
        assert len(set(keys)) == len(keys)
        assert [RULESET.name_fact(turn.state, key) for key in keys] == keys
        pinned = {verdict.key: verdict.value for verdict in turn.outcome.verdicts}
        again = RULESET.adjudicate(
            turn.state, turn.orders, msgspec.structs.replace(turn.given, pinned=pinned), turn.dice
        )
        assert again.state == turn.outcome.state
        assert [verdict.value for verdict in again.verdicts] == [verdict.value for verdict in turn.outcome.verdicts]
