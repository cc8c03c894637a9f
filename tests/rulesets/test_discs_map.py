"""The text map of the discs: as wide as it may be, never an order, and everything where it is."""

import msgspec
from hypothesis import given

from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.grid.squares import COLUMNS, square_of
from pbem.rulesets.discs.shown.initials import initials, trail_signs
from pbem.rulesets.discs.shown.text_map import ARROWS, text_map
from tests.rulesets.discs_worlds import World, played, worlds


def flights(world: World) -> list[tuple[str, list[At]]]:
    """Return the trails of a phase."""
    return [
        (event.facts["owner"], [At(*place) for place in event.facts["trail"]])
        for turned in played(world, 1)
        for event in turned.outcome.events
        if event.kind == "flight"
    ]


@given(worlds())
def test_a_map_is_54_columns_wide_and_27_lines_high(world: World) -> None:
    """Each line begins with the frame, so none can be taken for an order, and no blank at an end is lost."""
    for trails in ((), flights(world)):
        lines = text_map(world.state, trails)
        assert len(lines) in ((28, 29, 30) if trails else (27,)) and {len(line) for line in lines[1:]} == {54}
        assert all(line.startswith("|") for line in lines)
        assert all(line.endswith(("|", "+")) for line in lines[1:]) and lines[0].endswith("L")
        assert "\n".join(text_map(world.state, trails, plain=True)[:27]).isascii()  # names stand in a caption below


@given(worlds(stack="no"))
def test_everybody_stands_in_their_square(world: World) -> None:
    """The capital of each Program is in its square, unless a Disc lies on it; who is De-Rezzed is not on the map."""
    lines = text_map(world.state)[2:-1]
    side = int(world.state.house["grid"])
    letters = initials(world.state)
    for one in world.state.programs:
        found = [
            f"{COLUMNS[(line.index(letters[one.seat]) - 5) // 4]}{12 - row // 2}"
            for row, line in enumerate(lines)
            if letters[one.seat] in line
        ]
        assert found in ([], [square_of(side, one.at)])
        assert found or one.out or any(other.disc for other in world.state.programs)
        assert not (found and one.out)


@given(worlds())
def test_every_disc_is_an_arrow(world: World) -> None:
    """As many as there are, but for those that lie in one place."""
    text = "".join(text_map(world.state))
    discs = sum(one.disc is not None for one in world.state.programs)
    assert min(discs, 1) <= sum(text.count(arrow) for arrow in ARROWS) <= discs


@given(worlds())
def test_a_caption_says_whose_flights_are_drawn(world: World) -> None:
    """Each with its sign, below the map; and no trail is drawn across what the walls have closed off."""
    trails = flights(world)
    drawn, signs = text_map(world.state, trails), trail_signs(world.state)
    caption = "".join(line[5:53] for line in drawn[27:])
    assert caption.startswith("Flights: ") is bool(trails)
    for one in world.state.programs:
        assert (f" {3 * signs[one.seat]}" in caption) is (one.seat in {owner for owner, _ in trails})
    closed = msgspec.structs.replace(world.state, inset=300)
    for bare, line in zip(text_map(closed)[2:26], text_map(closed, trails)[2:26], strict=True):
        assert bare.count("#") == line.count("#")


@given(worlds())
def test_letters_and_signs_are_everybodys_own(world: World) -> None:
    """Two names with the same first letter do not share one."""
    letters, signs = initials(world.state), trail_signs(world.state)
    assert len(set(letters.values())) == len(set(signs.values())) == len(world.state.programs)
