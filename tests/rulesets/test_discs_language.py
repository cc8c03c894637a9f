"""The tables of the discs: what they write is what is written, and first shapes alone read it back."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine, Seat
from pbem.language.forms import write
from pbem.rulesets.discs.language.lists import language
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.language.writing import write_order
from tests.rulesets.discs_worlds import World, lines, worlds


@given(worlds(), st.integers(0, 3))
def test_tables_write_what_is_written_and_first_shapes_read_it_back(world: World, place: int) -> None:
    """Letter for letter, for every seat and whatever Programs are called."""
    standing = world.state.standing()
    seat = Seat(standing[place % len(standing)].seat)
    tables = language(world.state, seat)
    said = [OrderLine(number, text) for number, text in enumerate(lines(world.state, seat, world.rng), 1)]
    for order in LISTS.parse(world.state, seat, said).orders:
        text = write_order(world.state, order)
        assert write(tables, order.at(0)) == text
        assert LISTS.read(world.state, seat, text) == order, text
        assert LISTS.hear(world.state, seat, [OrderLine(1, text)]).orders == (order,), text
