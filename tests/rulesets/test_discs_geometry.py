"""Laws of the discs' geometry over drawn Grids, places and bearings, with real-number geometry as the other witness."""

import ast
import itertools
import math
import timeit
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.rulesets import discs
from pbem.rulesets.discs.grid.flight import Flight, fly
from pbem.rulesets.discs.grid.grid import Grid
from pbem.rulesets.discs.grid.plane import (
    RADIUS,
    UNITS,
    At,
    Strip,
    aim,
    along,
    covers,
    distance,
    entry,
    far,
    near,
    rounded,
)
from pbem.rulesets.discs.grid.sines import MILLION, SINES, cosine, sine
from tests.depth import examples
from tests.rulesets.discs_symmetry import SYMMETRIES, Symmetry

REACH = {200: 800, 400: 1200}
"""How far a Disc goes in a step, by the length of its Marker, in both sizes."""


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Draw a Grid, whose walls may have come in."""
    low = draw(st.sampled_from((0, 0, 100, 250)))
    return Grid(low, low + draw(st.sampled_from((1200, 1300, 2400, 3000, 4800))))


def places(grid: Grid, gap: int = 0) -> st.SearchStrategy[At]:
    """Draw a place on a Grid, so far from the walls at least; on a wall and at round places rather often."""
    line = st.one_of(
        st.integers(grid.low + gap, grid.high - gap),
        st.sampled_from((grid.low + gap, grid.high - gap, (grid.low + grid.high) // 2)),
    )
    return st.builds(At, line, line)


bearings = st.one_of(st.integers(0, 359), st.sampled_from((0, 45, 90, 135, 180, 225, 270, 315)))


@st.composite
def flights(draw: st.DrawFn) -> tuple[Flight, int]:
    """Draw a flight, with the length of its Marker."""
    grid = draw(grids())
    marker = draw(st.sampled_from(sorted(REACH)))
    return fly(grid, draw(places(grid)), draw(bearings), REACH[marker], marker), marker


def test_the_table_of_sines_is_that_of_mathematics() -> None:
    """Each of its numbers is the nearest whole millionth, and the quarters fit together."""
    assert [round(math.sin(math.radians(degree)) * MILLION) for degree in range(91)] == list(SINES)
    assert [UNITS[b] for b in range(360)] == [(sine(b), cosine(b)) for b in range(360)]
    for bearing in range(-360, 720):
        assert abs(sine(bearing) - math.sin(math.radians(bearing)) * MILLION) < 0.51
        assert abs(cosine(bearing) - math.cos(math.radians(bearing)) * MILLION) < 0.51


def test_no_floating_point_decides_anything() -> None:
    """
    The ruleset neither writes nor makes one: no such number, no division but of whole ones, no mathematics but roots.

    Places in a picture are whole tenths of a pixel too, so that it has the same bytes wherever it is drawn.
    """
    for path in sorted(Path(discs.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Div), path.name
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), path.name
            assert not (isinstance(node, ast.Name) and node.id in ("float", "round", "pow")), path.name
            if isinstance(node, ast.ImportFrom) and node.module == "math":
                assert [name.name for name in node.names] == ["isqrt"], path.name
            assert not (isinstance(node, ast.Import) and any(name.name == "math" for name in node.names)), path.name


@given(st.integers(-(10**10), 10**10))
def test_halves_are_rounded_away_from_zero(millionths: int) -> None:
    """Up and down alike, so that a mirror image is rounded to the mirror image."""
    assert rounded(-millionths) == -rounded(millionths)
    assert abs(rounded(millionths) * MILLION - millionths) <= MILLION // 2
    assert rounded(MILLION // 2) == 1


@given(places(Grid(0, 9600)), places(Grid(0, 9600)))
def test_an_aim_is_the_nearest_whole_degree(start: At, goal: At) -> None:
    """As the arc tangent has it; nobody is exactly halfway between two."""
    found = aim(start, goal)
    if found is None:
        assert start == goal
        return
    exact = math.degrees(math.atan2(goal.x - start.x, goal.y - start.y)) % 360
    assert abs((exact - found + 180) % 360 - 180) < 0.5 + 1e-4


def test_no_two_places_of_a_grid_lie_exactly_between_two_degrees() -> None:
    """So an aim has no ties, and its mirror image is the aim of the mirror image."""
    for degree in range(90):
        east, north = sine(degree) + sine(degree + 1), cosine(degree) + cosine(degree + 1)
        assert max(east, north) // math.gcd(east, north) > 9600


@given(places(Grid(0, 4800)), places(Grid(0, 4800)))
def test_a_distance_is_the_nearest_hundredth(one: At, other: At) -> None:
    """In whole numbers, from one as from the other."""
    assert abs(distance(one, other) - math.dist(one, other)) <= 0.5 + 1e-6
    assert distance(one, other) == distance(other, one)


@given(flights())
def test_nothing_leaves_the_grid(drawn: tuple[Flight, int]) -> None:
    """Neither the trail nor either end of the Marker, which no wall lies across."""
    flight, marker = drawn
    assert all(flight.grid.holds(place) for place in flight.trail())
    assert flight.grid.holds(flight.tip)
    assert flight.grid.holds(along(flight.tip, flight.bearing, -marker))
    assert flight.trail()[-1] == flight.tip


@given(flights())
def test_the_length_of_a_path_is_conserved(drawn: tuple[Flight, int]) -> None:
    """A trail is as long as the strip, however often it is turned: to the hundredths that its corners are given in."""
    flight, marker = drawn
    trail = flight.trail()
    whole = sum(math.dist(one, other) for one, other in itertools.pairwise(trail))
    assert abs(whole - flight.strip.length) <= 1.5 * len(trail)
    assert REACH[marker] <= flight.strip.length < REACH[marker] + 2 * marker


@given(flights())
def test_a_flight_goes_on_no_further_than_it_has_to(drawn: tuple[Flight, int]) -> None:
    """At each length before its end a wall lay across the Marker."""
    flight, marker = drawn
    for length in range(REACH[marker], flight.strip.length):
        tip = along(flight.strip.start, flight.strip.bearing, length)
        tail = along(tip, flight.strip.bearing, -marker)
        assert any(
            min(one, other) < flight.grid.low + wall * flight.grid.side < max(one, other)
            for one, other in zip(tail, tip, strict=True)
            for wall in range(-2, 4)
        )


@given(flights())
def test_a_reflection_keeps_the_angle(drawn: tuple[Flight, int]) -> None:
    """Each piece of a trail makes the same angle with the walls, and the last points where the Marker does."""
    flight, _ = drawn
    east, north = UNITS[flight.strip.bearing]
    for one, other in itertools.pairwise(flight.trail()):
        length = math.dist(one, other)
        if length > 100:
            assert abs(abs(other.x - one.x) / length - abs(east) / MILLION) < 0.03
            assert abs(abs(other.y - one.y) / length - abs(north) / MILLION) < 0.03
    signs = (-1) ** flight.cells[0], (-1) ** flight.cells[1]
    assert UNITS[flight.bearing] == (signs[0] * east, signs[1] * north)


@given(flights(), st.data(), st.sampled_from(SYMMETRIES))
def test_the_mirror_image_of_a_flight_is_the_flight_of_the_mirror_image(
    drawn: tuple[Flight, int], data: st.DataObject, symmetry: Symmetry
) -> None:
    """Under all eight symmetries of the square: where it goes, which Bases it crosses, and after which length."""
    flight, marker = drawn
    grid, strip = flight.grid, flight.strip
    image = fly(grid, symmetry.place(grid, strip.start), symmetry.bearing(strip.bearing), REACH[marker], marker)
    assert image.tip == symmetry.place(grid, flight.tip)
    assert image.bearing == symmetry.bearing(flight.bearing)
    assert image.trail() == tuple(symmetry.place(grid, place) for place in flight.trail())
    base = data.draw(places(grid, RADIUS))
    for behind in (False, True):
        met = flight.meets(base, behind=behind)
        assert image.meets(symmetry.place(grid, base), behind=behind) == met
    start = data.draw(places(grid))
    bearing = aim(start, base)
    if bearing is not None:
        assert aim(symmetry.place(grid, start), symmetry.place(grid, base)) == symmetry.bearing(bearing)


def _real_gap(start: tuple[float, float], degrees: float, length: float, base: tuple[float, float]) -> float:
    """Return how far a place is from a rectangle one inch wide, by its corners and edges in real numbers."""
    ahead = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    aside = ahead[1] * 50, -ahead[0] * 50
    end = start[0] + ahead[0] * length, start[1] + ahead[1] * length
    corners = [
        (place[0] + sign * aside[0], place[1] + sign * aside[1])
        for place, sign in ((start, 1), (end, 1), (end, -1), (start, -1))
    ]
    edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    sides = [(b[0] - a[0]) * (base[1] - a[1]) - (b[1] - a[1]) * (base[0] - a[0]) for a, b in edges]
    if all(side >= 0 for side in sides) or all(side <= 0 for side in sides):
        return 0.0
    gaps = []
    for a, b in edges:
        along_edge = b[0] - a[0], b[1] - a[1]
        square = along_edge[0] ** 2 + along_edge[1] ** 2
        share = ((base[0] - a[0]) * along_edge[0] + (base[1] - a[1]) * along_edge[1]) / square if square else 0.0
        share = min(1.0, max(0.0, share))
        gaps.append(math.dist(base, (a[0] + share * along_edge[0], a[1] + share * along_edge[1])))
    return min(gaps)


def _walls_met(grid: Grid, start: At, degrees: int, length: int) -> list[tuple[int, int]]:
    """Follow a path in real numbers from wall to wall; return each wall by its axis and its line."""
    place, way = list(map(float, start)), [math.sin(math.radians(degrees)), math.cos(math.radians(degrees))]
    left = float(length)
    met: list[tuple[int, int]] = []
    while True:
        gaps = []
        for axis in (0, 1):
            if abs(way[axis]) > 1e-9:
                line = grid.high if way[axis] > 0 else grid.low
                gaps.append(((line - place[axis]) / way[axis], axis, line))
        gap, axis, line = min(gaps)
        if gap >= left - 1e-6:
            return met
        met.append((axis, line))
        place = [place[0] + way[0] * gap, place[1] + way[1] * gap]
        way[axis] = -way[axis]
        left -= gap


@settings(max_examples=examples(500))
@given(flights(), st.data())
def test_crossings_are_those_of_real_numbers(drawn: tuple[Flight, int], data: st.DataObject) -> None:
    """A Base is crossed by the strip, or by its image behind walls that the path went through, but for a hair."""
    flight, _ = drawn
    start, bearing, length = flight.strip
    base = data.draw(places(flight.grid, RADIUS))
    met = _walls_met(flight.grid, start, bearing, length)
    gaps = []
    for count in range(len(met) + 1):
        for walls in itertools.combinations(met, count):
            place, degrees = list(map(float, start)), float(bearing)
            for axis, line in walls:
                place[axis] = 2 * line - place[axis]
                degrees = -degrees if axis == 0 else 180 - degrees
            gaps.append(_real_gap((place[0], place[1]), degrees, length, base))
    if abs(min(gaps) - RADIUS) > 0.02:
        assert (flight.meets(base) is not None) is (min(gaps) < RADIUS)


@given(flights(), st.data())
def test_an_entry_is_where_a_strip_comes_to_overlap(drawn: tuple[Flight, int], data: st.DataObject) -> None:
    """A hundredth before it the strip does not cover the Base, and a hundredth behind it does."""
    flight, _ = drawn
    base = data.draw(places(flight.grid, RADIUS))
    found = entry(flight.strip, base)
    assert (found is not None) is covers(flight.strip, base)
    if found is not None:
        start, bearing, length = flight.strip
        before, behind = found // MILLION - 1, found // MILLION + 2
        assert before < 0 or not covers(Strip(start, bearing, before), base)
        assert covers(Strip(start, bearing, min(behind, length)), base)


@given(flights(), st.data())
def test_what_stops_at_walls_is_cut_at_the_first_one(drawn: tuple[Flight, int], data: st.DataObject) -> None:
    """It ends on a wall where it would have gone through one, and else flies as ever."""
    flight, marker = drawn
    start, bearing, length = flight.strip
    cut = fly(flight.grid, start, bearing, REACH[marker], marker, stops=True)
    through = not flight.grid.holds(along(start, bearing, REACH[marker]))
    assert cut.walled is through
    if not through:
        assert cut == flight
        return
    assert {flight.grid.low, flight.grid.high} & set(cut.tip) and flight.grid.holds(cut.tip)
    assert cut.strip.length <= length and cut.cells == (0, 0)
    assert cut.trail() == ((start, cut.tip) if start != cut.tip else (start,))


shallow = st.builds(lambda wall, off: (wall + off) % 360, st.sampled_from((0, 90, 180, 270)), st.integers(-5, 5))


@given(grids(), st.data(), st.one_of(bearings, shallow), st.sampled_from(sorted(REACH)))
def test_what_stops_comes_to_its_wall_neither_early_nor_late(
    grid: Grid, data: st.DataObject, bearing: int, marker: int
) -> None:
    """Within a hundredth of where the line meets the wall in real numbers, however small the angle; on it, at once."""
    line = st.one_of(
        st.integers(grid.low, grid.high), st.integers(grid.low, grid.low + 80), st.integers(grid.high - 80, grid.high)
    )
    start = data.draw(st.builds(At, line, line))
    cut = fly(grid, start, bearing, REACH[marker], marker, stops=True)
    if cut.walled:
        gaps = [
            ((grid.high if step > 0 else grid.low) - line) / (step / MILLION)
            for line, step in zip(start, UNITS[bearing], strict=True)
            if step
        ]
        assert abs(cut.strip.length - min(gaps)) < 1
        assert min(gaps) or not cut.strip.length


@pytest.mark.parametrize(
    ("grid", "start", "bearing", "tip", "heading"),
    [
        pytest.param(24, (1200, 1000), 90, (2000, 1000), 90, id="TR1"),
        pytest.param(36, (2000, 1000), 90, (2800, 1000), 90, id="TR2"),
        pytest.param(36, (2800, 1000), 90, (3600, 1000), 90, id="TR5 to the wall"),
        pytest.param(36, (3600, 1000), 90, (2800, 1000), 270, id="TR5 back"),
        pytest.param(24, (2000, 1000), 90, (2000, 1000), 270, id="TR6"),
        pytest.param(24, (1700, 1000), 90, (2200, 1000), 270, id="TR13"),
        pytest.param(24, (0, 1200), 270, (800, 1200), 90, id="N1"),
        pytest.param(24, (2200, 2200), 45, (2034, 2034), 225, id="N5"),
    ],
)
def test_worked_examples(grid: int, start: tuple[int, int], bearing: int, tip: tuple[int, int], heading: int) -> None:
    """The flights of the worked examples end where they are said to."""
    flight = fly(Grid(0, grid * 100), At(*start), bearing, 800, 200)
    assert (flight.tip, flight.bearing) == (tip, heading)


@pytest.mark.parametrize(("place", "is_crossed"), [((1600, 1200), True), ((1600, 1260), False), ((1600, 1250), False)])
def test_a_base_that_is_touched_is_not_crossed(place: tuple[int, int], is_crossed: bool) -> None:
    """TR3 and TR4: a gap of 1.5 inches is less than 2; 2.1 is not, nor is 2 itself."""
    flight = fly(Grid(0, 2400), At(1200, 1000), 90, 800, 200)
    assert (flight.meets(At(*place)) is not None) is is_crossed


def test_the_nearest_point_of_a_marker_counts_for_a_recall() -> None:
    """TR7: at 12 inches from the edge of the Base exactly it is not yet away."""
    for x, is_away, is_near in ((2400, False, False), (2401, True, False), (2399, False, True)):
        marker = Strip(At(x, 1000), 90, 200)
        assert (far(marker, At(1000, 1000), 1400), near(marker, At(1000, 1000), 1400)) == (is_away, is_near)


def test_an_aim_off_a_wall() -> None:
    """N7: from (4.65,4.65) at (19.35,19.35) off the north wall of a Grid of 24 inches."""
    image = At(1935, Grid(0, 2400).image(1935, 1))
    assert aim(At(465, 465), image) == 31


def test_a_bearing_off_walls_is_one_of_four() -> None:
    """N12: 37 for ever becomes 37, 143, 217 or 323, and all of them in the end."""
    grid, place, bearing, seen = Grid(0, 2400), At(1200, 1200), 37, set()
    for _ in range(500):
        flight = fly(grid, place, bearing, 800, 200)
        place, bearing = flight.tip, flight.bearing
        seen.add(bearing)
    assert seen == {37, 143, 217, 323}


def test_a_flight_among_six_bases_is_quick() -> None:
    """It takes well under 100 microseconds; here it may take five times as long, as other tests run beside it."""
    bases = [At(300, 300), At(800, 900), At(2000, 400), At(1200, 2000), At(1700, 1500), At(2100, 2100)]

    def one() -> None:
        flight = fly(Grid(0, 2400), At(2000, 2000), 33, 800, 200)
        for base in bases:
            flight.meets(base)

    assert min(timeit.repeat(one, number=200, repeat=5)) / 200 < 500e-6
