"""Laws of whole phases of the discs, over drawn battles with drawn lines."""

import re
import timeit
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import EVERYONE, Event, Given, Only, Refused, Seat
from pbem.rulesets.discs.bots import HUNTER
from pbem.rulesets.discs.grid.bearings import CORNERS, read_bearing, word_of
from pbem.rulesets.discs.grid.grid import Grid
from pbem.rulesets.discs.grid.plane import At, along, covers
from pbem.rulesets.discs.grid.squares import square_middle, square_of
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.language.writing import write_order
from pbem.rulesets.discs.model.order import Line, OnAttack, OnDisc, Order, Place, Way
from pbem.rulesets.discs.model.program import CARDS, Disc
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.orders.kept import with_kept
from tests.depth import at_first
from tests.rulesets.discs_symmetry import SYMMETRIES, Symmetry
from tests.rulesets.discs_worlds import RULESET, Turned, World, played, worlds


@given(worlds())
def test_cards_are_conserved(world: World) -> None:
    """Who is not De-Rezzed has five; who is holds none, and has none at all once the Disc is gone."""
    for turned in played(world):
        state = turned.outcome.state
        for one in state.programs:
            assert min(one.held, one.deck, one.used) >= 0 and one.held <= state.limit
            if not one.out:
                assert one.held + one.deck + one.used == CARDS
            else:
                assert not one.held and not one.prone
                assert one.disc or not (one.deck or one.used)
                assert world.state.house["ghost_cards"] == "move" or not (one.deck or one.used)
        assert state.deck or turned.outcome.result


def crowded(state: State) -> bool:
    """Say whether walls have pushed somebody nearer to another than a Move could bring them."""
    places = [one.at for one in state.standing()]
    return any(one.squared(other) < 200**2 for one in places for other in places if one is not other)


@given(worlds())
def test_nothing_leaves_the_grid(world: World) -> None:
    """Neither Bases nor Markers, nor what is told of where they went; and Programs keep apart."""
    for turned in played(world):
        state = turned.outcome.state
        whole = turned.state.grid
        for one in state.standing():
            assert state.grid.has_room(one.at)
        if state.house["stack"] == "no" and state.inset == turned.state.inset and not crowded(turned.state):
            assert not crowded(state)
        for one in state.programs:
            if one.disc:
                assert state.grid.holds(one.disc.tip)
                assert state.grid.holds(along(one.disc.tip, one.disc.bearing, -state.sizes.marker))
                assert 0 <= one.disc.bearing < 360
        for event in turned.outcome.events:
            assert all(whole.holds(At(*place)) for place in event.facts.get("trail", ()))


@given(worlds())
def test_who_let_a_disc_by_still_has_it_on_the_base(world: World) -> None:
    """Nobody else is noted, and nobody at all where each flight crosses anew."""
    for turned in played(world):
        state = turned.outcome.state
        for one in state.programs:
            for seat in one.disc.passed if one.disc else ():
                other = state.program(seat)
                assert one.disc and not other.out and covers(state.marker(one.disc), other.at)
                assert state.house["passage"] == "once"


@given(worlds())
def test_a_flight_crosses_a_base_once(world: World) -> None:
    """Between one flight and the next, the Disc meets nobody twice unless it was put down in between."""
    for turned in played(world):
        met: set[tuple[str, str]] = set()
        for event in turned.outcome.events:
            if event.kind in ("flight", "placed", "card", "recalled"):
                met = set()
            elif event.kind == "crossed":
                pair = event.facts["owner"], event.facts["seat"]
                assert pair not in met
                met.add(pair)


@settings(max_examples=at_first(2))
@given(worlds())
def test_the_prone_and_the_de_rezzed_do_nothing(world: World) -> None:
    """Who lies neither acts nor reacts before standing up; who is out does nothing any more."""
    for turned in played(world):
        prone = {one.name: one.prone for one in turned.state.programs}
        out = {one.name: one.out for one in turned.state.programs}
        for event in turned.outcome.events:
            who = str(event.facts.get("who"))
            if event.kind == "card":
                act = event.facts["act"]
                assert (act == "ghost") is out[who]
                assert not prone[who] or act in ("stand", "hold", "pass", "ghost")
                prone[who] = prone[who] and act != "stand"
            elif event.kind in ("crossed", "attacked"):
                does = event.facts["does"]
                assert not out[who]
                assert not prone[who] or does in ("struck", "lies")
                prone[who] = prone[who] or does in ("prone", "dive")
            elif event.kind == "derezzed":
                out[who], prone[who] = True, False
        assert out == {one.name: one.out for one in turned.outcome.state.programs}
        assert prone == {one.name: one.prone for one in turned.outcome.state.programs}


@given(worlds())
def test_states_survive_their_dump_and_adjudication_is_deterministic(world: World) -> None:
    """The same call gives the same outcome, of the state as of the one that was written and read."""
    for turned in played(world, 2):
        state = RULESET.load(RULESET.dump(turned.state), RULESET.version)
        assert state == turned.state
        assert RULESET.adjudicate(state, turned.orders, Given(), turned.dice) == turned.outcome
        assert {event.kind for event in turned.outcome.events} <= RULESET.event_kinds


@given(worlds())
def test_every_verdict_can_be_named_and_pinned(world: World) -> None:
    """Each verdict's key reads back as itself, and pinning its own value changes nothing but the mark."""
    for turned in played(world, 2):
        verdicts = turned.outcome.verdicts
        keys = [verdict.key for verdict in verdicts]
        assert len(set(keys)) == len(keys)
        assert [RULESET.name_fact(turned.state, key) for key in keys] == keys
        for verdict in verdicts:
            shown = {True: "yes", False: "no"}.get(verdict.value, str(verdict.value))  # type: ignore[call-overload]
            assert RULESET.read_value(turned.state, verdict.key, shown) == verdict.value
        pinned = {verdict.key: verdict.value for verdict in verdicts}
        again = RULESET.adjudicate(turned.state, turned.orders, Given(pinned), turned.dice)
        assert again.state == turned.outcome.state
        assert [verdict.value for verdict in again.verdicts] == [verdict.value for verdict in verdicts]


@given(worlds())
def test_what_is_told_follows_from_what_can_be_seen(world: World) -> None:
    """No line of anybody's stands in what others are told, and lines that were not followed change nothing."""
    for turned in played(world, 2):
        followed: dict[Seat, set[str]] = {seat: set() for seat in turned.orders}
        for event in turned.outcome.events:
            if event.kind == "followed":
                assert isinstance(event.to, Only) and len(event.to.seats) == 1
                followed[event.to.seats[0]].add(event.facts["line"])
            elif event.kind != "programmes":
                assert event.to == EVERYONE and "line" not in event.facts
        if world.state.house["team_talk"] == "yes":
            continue
        cut = {
            seat: tuple(
                order for order in sent
                if not isinstance(order, Line) or write_order(turned.state, order) in followed[seat]
            )
            for seat, sent in turned.orders.items()
        }  # fmt: skip
        again = RULESET.adjudicate(turned.state, cut, Given(), turned.dice)
        assert again.state == turned.outcome.state


class Follower:
    """Somebody who reads a report with pencil and paper: where all stand, from what was told alone."""

    def __init__(self, state: State) -> None:
        """Begin with the table of the report before."""
        self.at = {str(one.seat): one.at for one in state.programs}
        self.cards = {str(one.seat): [one.held, one.deck, one.used] for one in state.programs}
        self.prone = {str(one.seat): one.prone for one in state.programs}
        self.out = {str(one.seat): one.out for one in state.programs}
        self.disc = {str(one.seat): (one.disc.tip, one.disc.bearing) if one.disc else None for one in state.programs}
        self.ghosts_keep = state.house["ghost_cards"] == "move"

    def spend(self, seat: str) -> None:
        """Put a held card to the used ones."""
        held, deck, used = self.cards[seat]
        self.cards[seat] = [held - 1, deck, used + 1]

    def follow(self, event: Event) -> None:
        """Write down what an event changes."""
        facts, seat = event.facts, event.facts.get("seat", "")
        match event.kind:
            case "card":
                held, deck, used = self.cards[seat]
                keeps = facts["act"] == "hold"
                self.cards[seat] = [held + keeps, deck - 1, used + (not keeps)]
                if facts["act"] == "move":
                    self.at[seat] = At(*facts["trail"][-1])
                elif facts["act"] == "stand":
                    self.prone[seat] = False
            case "flight" if not facts["cut"]:
                self.disc[facts["owner"]] = At(*facts["trail"][-1]), facts["bearing"]
            case "recalled":
                self.disc[facts["owner"]] = At(*facts["trail"][-1]), facts["bearing"]
            case "placed":
                self.disc[facts["owner"]] = At(*facts["at"]), facts["bearing"]
            case "crossed" | "attacked":
                if facts["does"] in ("block", "dodge", "catch"):
                    self.spend(seat)
                if facts["does"] in ("prone", "dive"):
                    self.prone[seat] = True
                if facts["does"] in ("catch", "dive"):
                    self.disc[seat] = None
                assert self.cards[seat][0] == facts["held"]
            case "derezzed":
                self.out[seat], self.prone[seat] = True, False
                keeps = facts["flies"] and self.ghosts_keep
                self.cards[seat] = [0, *self.cards[seat][1:]] if keeps else [0, 0, 0]
            case "gone":
                self.disc[seat], self.cards[seat] = None, [0, 0, 0]
            case "walls":
                for row in facts["pushed"]:
                    if row["what"] == "base":
                        self.at[row["seat"]] = At(*row["at"])
                    else:
                        self.disc[row["seat"]] = At(*row["at"]), (self.disc[row["seat"]] or (None, 0))[1]
            case "turn":
                self.cards = {one: [held, deck + used, 0] for one, (held, deck, used) in self.cards.items()}


@given(worlds())
def test_what_is_told_is_all_there_is(world: World) -> None:
    """Who reads the report with pencil and paper knows how all stand at its end, in the order in which it came about."""
    for turned in played(world):
        follower = Follower(turned.state)
        for event in turned.outcome.events:
            if event.to == EVERYONE:
                follower.follow(event)
        for one in turned.outcome.state.programs:
            assert follower.cards[one.seat] == [one.held, one.deck, one.used]
            assert (follower.prone[one.seat], follower.out[one.seat]) == (one.prone, one.out)
            disc = (one.disc.tip, one.disc.bearing) if one.disc else None
            assert (follower.at[one.seat], follower.disc[one.seat]) == (one.at, disc)


@given(worlds(team_talk="yes", teams="2"))
def test_lists_are_shown_to_team_mates_alone(world: World) -> None:
    """Where the house says so; and to nobody where it does not."""
    for turned in played(world, 2):
        team = {one.seat: one.team for one in turned.state.programs}
        names = {one.name: one.seat for one in turned.state.programs}
        told = [event for event in turned.outcome.events if event.kind == "programmes"]
        for event in told:
            assert isinstance(event.to, Only)
            (reader,) = event.to.seats
            mates = {names[row["name"]] for row in event.facts["rows"]}
            assert mates and reader not in mates and {team[mate] for mate in mates} == {team[reader]}
        quiet = msgspec.structs.replace(turned.state, house={**turned.state.house, "team_talk": "no"})
        outcome = RULESET.adjudicate(quiet, turned.orders, Given(), turned.dice)
        assert not any(event.kind == "programmes" for event in outcome.events)


def mirrored(symmetry: Symmetry, grid: Grid, side: int, value: Any) -> Any:
    """Return the mirror image of a state or an order, whatever is in it."""
    match value:
        case At():
            return symmetry.place(grid, value)
        case Disc():
            return Disc(symmetry.place(grid, value.tip), symmetry.bearing(value.bearing), value.passed)
        case Place(kind="square"):
            middle = symmetry.place(grid, square_middle(side, value.name))
            return msgspec.structs.replace(value, name=square_of(side, middle))
        case Place(kind="wall"):
            return msgspec.structs.replace(value, name=_wall(symmetry, value.name))
        case Place(kind="corner"):
            way = read_bearing(value.name)
            assert isinstance(way, int)
            assert word_of(symmetry.bearing(way)) in CORNERS
            return msgspec.structs.replace(value, name=word_of(symmetry.bearing(way)))
        case Way():
            how = {"left": "right", "right": "left"}.get(value.how, value.how) if symmetry.mirrors else value.how
            off = tuple(_wall(symmetry, wall) for wall in value.off)
            place = mirrored(symmetry, grid, side, value.place)
            return Way(how, place, symmetry.bearing(value.bearing), off)  # type: ignore[arg-type]
        case msgspec.Struct():
            fields = {field: getattr(value, field) for field in value.__struct_fields__}
            return type(value)(**{name: mirrored(symmetry, grid, side, held) for name, held in fields.items()})
        case tuple():
            return tuple(mirrored(symmetry, grid, side, held) for held in value)
    return value


def _wall(symmetry: Symmetry, wall: str) -> str:
    bearing = read_bearing(wall)
    assert isinstance(bearing, int)
    walls = {0: "north", 90: "east", 180: "south", 270: "west"}
    return walls[symmetry.bearing(bearing)]


@given(worlds(stall="free", grid="24"), st.sampled_from(SYMMETRIES[1:]))
def test_the_mirror_image_of_a_battle_comes_out_as_its_mirror_image(world: World, symmetry: Symmetry) -> None:
    """Under all eight symmetries of the square, once the direction die falls as its mirror image."""
    grid = Grid(0, 2400)
    for turned in played(world, 1):
        state = mirrored(symmetry, grid, 24, turned.state)
        orders = {seat: mirrored(symmetry, grid, 24, sent) for seat, sent in turned.orders.items()}
        pinned: dict[str, Any] = {}
        for verdict in turned.outcome.verdicts:
            if verdict.key.startswith("die"):
                way = read_bearing(str(verdict.value))
                assert isinstance(way, int)
                pinned[verdict.key] = word_of(symmetry.bearing(way))
        outcome = RULESET.adjudicate(state, orders, Given(pinned), turned.dice)
        assert outcome.state == mirrored(symmetry, grid, 24, turned.outcome.state)
        assert outcome.result == turned.outcome.result
        assert [event.kind for event in outcome.events] == [event.kind for event in turned.outcome.events]


def relabelled(names: Mapping[str, str], value: Any, field: str = "") -> Any:
    """Return a state or an order with other seats and names in place of each, where seats and names stand."""
    match value:
        case str() if field == "kept":
            return re.sub(r"(?<=on disc of )[^:]+", lambda match: names.get(match[0], match[0]), value)
        case str():
            is_name = field in ("seat", "by", "passed") or (field == "name" and value in names)
            return names.get(value, value) if is_name else value
        case At():
            return value
        case msgspec.Struct():
            fields = {name: relabelled(names, getattr(value, name), name) for name in value.__struct_fields__}
            return type(value)(**fields)
        case tuple():
            return tuple(relabelled(names, held, field) for held in value)
    return value


@given(worlds())
def test_who_somebody_is_called_does_not_matter(world: World) -> None:
    """Seats and names that are exchanged for others give the same battle, with others in it."""
    short = {one.seat: Seat(f"seat-{place}") for place, one in enumerate(world.state.programs)}
    for turned in played(world, 2):
        names: dict[str, str] = {str(seat): str(other) for seat, other in short.items()}
        names |= {one.name: f"Name{place}" for place, one in enumerate(turned.state.programs)}
        state = msgspec.structs.replace(
            turned.state, programs=tuple(relabelled(names, one) for one in turned.state.programs)
        )
        orders = {short[seat]: relabelled(names, sent) for seat, sent in turned.orders.items()}
        outcome = RULESET.adjudicate(state, orders, Given(), turned.dice)
        assert outcome.state.programs == tuple(relabelled(names, one) for one in turned.outcome.state.programs)
        assert [verdict.value for verdict in outcome.verdicts] == [
            relabelled(names, verdict.value, "seat" if verdict.key.startswith("card") else "")
            for verdict in turned.outcome.verdicts
        ]


@given(worlds())
def test_no_list_is_asked_of_others_than_its_writer(world: World) -> None:
    """What a seat is shown of how things stand has nothing in it but what all can see."""
    for turned in played(world, 1):
        for seat, sent in turned.orders.items():
            seen = RULESET.view(turned.state, seat)
            assert {one.seat for one in seen.programs if one.kept} <= {seat}
            assert [msgspec.structs.replace(one, kept=()) for one in seen.programs] == [
                msgspec.structs.replace(one, kept=()) for one in turned.state.programs
            ]
            assert RULESET.asked(turned.state, seat)["me"] == turned.state.names[seat]
            assert len(RULESET.hand(turned.state, seat, sent)["rows"]) == len(sent)


def _orders(state: State, seat: Seat, lines: tuple[str, ...]) -> tuple[Order, ...]:
    said = [LISTS.read(state, seat, text) for text in lines]
    assert not [one for one in said if isinstance(one, Refused)]
    return tuple(one.at(number) for number, one in enumerate(said, 1) if not isinstance(one, Refused))


def winners(programmes: tuple[tuple[str, ...], ...], seed: int, **house: str) -> tuple[Seat, ...]:
    """Play a whole game of such programmes; return who won."""
    dice = Dice(seed.to_bytes(32, "big"))
    state = RULESET.setup({Seat(f"s{place}"): f"S{place}x" for place in range(len(programmes))}, house, dice)
    for number in range(400):
        sent = {
            one.seat: _orders(state, one.seat, lines)
            for one, lines in zip(state.programs, programmes, strict=True)
            if not one.out
        }
        outcome = RULESET.adjudicate(state, sent, Given(), dice.at(str(number)))
        if outcome.result:
            return outcome.result.winners
        state = outcome.state
    raise AssertionError("it never ends")


@given(worlds())
def test_nobody_falls_with_cards_in_hand_who_did_not_ask_for_it(world: World) -> None:
    """Whatever a list says or leaves out: a Program that holds a card is struck after `never` or `only` alone."""
    for turned in played(world):
        for place, event in enumerate(turned.outcome.events):
            facts = event.facts
            if event.kind not in ("crossed", "attacked") or facts["does"] != "struck" or not facts["held"]:
                continue
            said = with_kept(turned.state, facts["seat"], turned.orders.get(facts["seat"], ()))
            on_disc = [one for one in said if isinstance(one, OnDisc) and one.seat in ("", facts.get("owner"))]
            on_attack = [one for one in said if isinstance(one, OnAttack)]
            asked = (
                any(one.only or not one.guards for one in on_disc)
                if event.kind == "crossed"
                else any(not one.dodges for one in on_attack)
            )
            assert asked or _was_prone(turned, place, facts["seat"])


def _was_prone(turned: Turned, place: int, seat: str) -> bool:
    """Say whether a Program lay on the floor when an event happened, by what was told before."""
    prone = turned.state.program(seat).prone
    for event in turned.outcome.events[:place]:
        if event.facts.get("seat") == seat and event.kind in ("crossed", "attacked"):
            prone = prone or event.facts["does"] in ("prone", "dive")
        if event.facts.get("seat") == seat and event.kind == "card" and event.facts["act"] == "stand":
            prone = False
    return prone


@given(worlds(), st.data())
def test_a_list_in_part_leaves_the_rest_as_it_would_be_without_it(world: World, data: st.DataObject) -> None:
    """Lines that never come to be done, and reactions as they are by default, come to the same as silence."""
    for turned in played(world, 1):
        seat = data.draw(st.sampled_from(sorted(turned.orders)))
        idle = data.draw(st.sets(st.sampled_from(IDLE)))
        silent = {**turned.orders, seat: RULESET.missing(turned.state, seat, turned.dice)}
        in_part = {**turned.orders, seat: _orders(turned.state, seat, tuple(sorted(idle)))}
        one, other = (RULESET.adjudicate(turned.state, sent, Given(), turned.dice) for sent in (silent, in_part))
        assert _but_for_kept(one.state) == _but_for_kept(other.state)
        assert (one.verdicts, one.result) == (other.verdicts, other.result)


IDLE = (
    "if I hold 0 and only 2 left and nearest within 0.01: pass", "if nearest within 0.01: throw 90",
    "on attack: dodge", "on my disc: card, dive",
)  # fmt: skip


def _but_for_kept(state: State) -> State:
    for program in state.programs:
        state = with_program(state, program.seat, kept=())
    return state


@pytest.mark.parametrize("games", [12, pytest.param(60, marks=pytest.mark.sweep)])
def test_who_only_holds_does_not_beat_the_others(games: int) -> None:
    """Among three who hunt, whoever only holds or sends nothing wins no more than a fourth of the games."""
    won = [winners((("hold",), HUNTER, HUNTER, HUNTER), seed) for seed in range(games)]
    assert sum(Seat("s0") in found for found in won) <= games / 4


def test_battles_end() -> None:
    """Of hunters at any pace, of those who only hold, and of those who only throw into the void."""
    for pace in ("half", "turn", "beat", "card"):
        winners((HUNTER, HUNTER, HUNTER), 7, pace=pace)
    assert winners((("hold",), ("hold",)), 1) == () == winners((("hold",), ("hold",)), 1, stall="free")


def test_a_turn_of_six_programs_is_quick() -> None:
    """It takes under 20 milliseconds; here it may take five times as long, as other tests run beside it."""
    dice = Dice(bytes(32))
    seats = {Seat(f"s{place}"): f"S{place}x" for place in range(6)}
    state = RULESET.setup(seats, {"pace": "turn", "grid": "30"}, dice)
    orders = {seat: _orders(state, seat, HUNTER) for seat in seats}
    taken = min(timeit.repeat(lambda: RULESET.adjudicate(state, orders, Given(), dice), number=1, repeat=5))
    assert taken < 0.1


def test_drawn_battles_have_all_in_them() -> None:
    """So that the laws above mean something: every kind of event, and every way to meet a Disc, comes up in 150."""
    kinds = {"begins", "teams", "ruling_idle", "walls", "programmes"}
    ways: set[str] = set()

    def has_all() -> bool:
        every_way = {"block", "dodge", "catch", "dive", "prone", "struck", "let by"}
        return RULESET.event_kinds <= kinds and every_way <= ways

    @settings(max_examples=150, database=None, phases=[Phase.generate])
    @given(worlds())
    def collect(world: World) -> None:
        for turned in () if has_all() else played(world):
            kinds.update(event.kind for event in turned.outcome.events)
            ways.update(event.facts["does"] for event in turned.outcome.events if event.kind == "crossed")

    collect()
    assert has_all(), (RULESET.event_kinds - kinds, ways)
