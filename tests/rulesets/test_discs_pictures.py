"""Pictures of the discs: whatever happened is in them, in letters and dashes as in colours, and nothing else decides."""

from xml.etree import ElementTree as ET

import msgspec
from hypothesis import given

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Seat
from pbem.ruleset import Outcome
from pbem.rulesets.discs import RULESET
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.shown.drawing import drawing
from pbem.rulesets.discs.shown.initials import initials
from pbem.rulesets.discs.shown.picture import DASHES, INKS, described, picture
from pbem.rulesets.discs.shown.scenes import Scene, replayed, scenes
from tests.rulesets.discs_worlds import Turned, World, played, worlds

SVG = "{http://www.w3.org/2000/svg}"


def drawn(turned: Turned, pace: str = "") -> tuple[Scene, ...]:
    """Return the scenes of a phase, as of a house with this pace."""
    house = turned.state.house | ({"pace": pace} if pace else {})
    state = msgspec.structs.replace(turned.state, house=house)
    return scenes(state, turned.outcome.state, turned.outcome.events, "blades: <Turn> 1 & more")


@given(worlds())
def test_a_picture_is_well_formed_and_the_same_each_time(world: World) -> None:
    """Names and titles of people are text in it; it says in words what it shows."""
    for turned in played(world, 2):
        for scene in drawn(turned):
            what = drawing(scene)
            svg = picture(what)
            assert svg == picture(what)
            root = ET.fromstring(svg)
            assert (root.findtext(f"{SVG}title") or "").startswith("blades: <Turn> 1 & more")
            assert root.findtext(f"{SVG}desc") == described(what)
            for base in what.bases:
                assert base.name in described(what)
                words = [element.text for element in root.iter(f"{SVG}text")]
                assert base.letter in words and any(word and base.name.startswith(word[:13]) for word in words)


def test_a_picture_of_the_largest_game_can_be_mailed() -> None:
    """With twelve seats and all their cards in one half of a turn it has less than 60 kB."""
    names = {Seat(f"program-{place}"): f"Program {place}" for place in range(12)}
    house = {option.name: option.default for option in RULESET.options} | {"grid": "60", "pace": "turn"}
    state = RULESET.setup(names, house, Dice(bytes(32)))
    for turn in range(3):
        dice = Dice(bytes(32)).at(str(turn))
        orders = {seat: RULESET.bots["hunter"](state, seat, dice) for seat in RULESET.phase(state).owing}
        outcome = RULESET.adjudicate(state, orders, Given(), dice)
        pictures = RULESET.pictures(state, outcome)
        assert len(pictures) == 2 and max(len(one.svg) for one in pictures) < 60_000
        state = outcome.state


def test_nobody_is_told_apart_by_colour_alone() -> None:
    """As many dashes as inks, and letters besides."""
    assert len(set(DASHES)) == len(set(INKS)) == len(DASHES) == len(INKS)


@given(worlds())
def test_every_flight_and_move_is_drawn(world: World) -> None:
    """With the card at which it was; who fell lies where they were, and is named in the legend."""
    for turned in played(world, 2):
        events = turned.outcome.events
        (scene,) = drawn(turned, "half")
        what = drawing(scene)
        flights = [event for event in events if event.kind in ("flight", "recalled")]
        assert [trail.card for trail in what.trails] == [event.facts["card"] for event in flights]
        assert [list(map(list, trail.points)) for trail in what.trails] == [event.facts["trail"] for event in flights]
        moves = sum(event.facts.get("act") == "move" for event in events)
        assert sum(len(base.moves) for base in what.bases) == moves
        fell = {event.facts["who"] for event in events if event.kind == "derezzed"}
        assert {base.name for base in what.bases if base.fell} == fell
        assert len(what.markers) == sum(program.disc is not None for program in turned.outcome.state.programs)
        ended = [trail for trail in what.trails if trail.ending == "hit"]
        struck = [one for one in events if one.kind == "crossed" and one.facts["does"] == "struck"]
        assert len(ended) <= len(struck)


def seen(state: State) -> list[object]:
    """Return what a picture shows of a state."""
    return [
        (one.out, None if one.out else (one.at, one.held, one.prone), one.disc and (one.disc.tip, one.disc.bearing))
        for one in state.programs
    ]


@given(worlds(closing="0"))
def test_the_middle_of_a_turn_is_what_was_told_until_then(world: World) -> None:
    """All that a picture shows follows from the report: told from its beginning to its end it leads to the new state."""
    for turned in played(world, 3):
        cards = max((event.facts.get("card", 0) for event in turned.outcome.events), default=0)
        parts = drawn(turned, "turn")
        assert len(parts) == (2 if cards > 1 else 1)
        at_cards = [event for event in turned.outcome.events if "card" in event.facts]
        assert [event for scene in parts for event in scene.events if "card" in event.facts] == at_cards
        told = replayed(parts[0].before, turned.outcome.events)
        assert seen(told) == seen(turned.outcome.state)
        if len(parts) == 2:
            assert seen(replayed(parts[0].before, parts[0].events)) == seen(parts[0].after) == seen(parts[1].before)


@given(worlds())
def test_a_map_shows_the_last_flights_alone(world: World) -> None:
    """Three of each Disc at most, so that old ones hide nothing."""
    for turned in played(world, 1):
        for scene in drawn(turned):
            rows = scene.text()
            assert {len(row) for row in rows[1:]} == {54}
            assert set(initials(scene.before).values()) >= {
                sign for row in rows[2:26] for sign in row if sign.isupper()
            }


def test_choosing_places_draws_nothing() -> None:
    """Nobody stands anywhere yet."""
    state = State(phase="place", house={option.name: option.default for option in RULESET.options})
    outcome = Outcome(state=state, verdicts=(), events=())
    assert RULESET.pictures(state, outcome) == ()
