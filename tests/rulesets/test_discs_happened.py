"""What a player of the discs is told first is true: derived again from where the cards have led."""

from hypothesis import given

from pbem.ground.terms import OrderLine
from pbem.letters.dresses.text import WIDTH
from pbem.letters.rendering import environment, render
from pbem.rulesets.discs.grid.squares import square_of
from pbem.world.settings import templates
from tests.rulesets.discs_worlds import RULESET, World, played, worlds

ENVIRONMENT = environment(templates())


@given(worlds())
def test_what_happened_at_the_cards_is_what_came_of_them(world: World) -> None:
    """Whose cards came, what became of each, where they are; who had been De-Rezzed before hears nothing."""
    for turned in played(world, 3):
        state, outcome = turned.state, turned.outcome
        after = outcome.state
        for one in state.programs:
            said = RULESET.happened(outcome, one.seat)
            assert bool(said) is not one.out
            if not said:
                continue
            now = after.program(one.seat)
            assert said["stands"]["square"] == square_of(int(state.house["grid"]), now.at)
            assert bool(said["by"]) is now.out
            assert [met["does"] for met in said["coming"]].count("struck") == now.out
            assert not now.out or said["by"] == after.program(now.by).name
            struck = {met["name"] for met in said["made"] if met["does"] == "struck"}
            assert struck == {
                other.name for other in after.programs if other.by == one.seat and not state.program(other.seat).out
            }
            text = render(ENVIRONMENT, "discs/happened.j2", said | {"silent": False})
            lines = [OrderLine(2 * number, line) for number, line in enumerate(text.split("\n"), 1)]
            assert all(len(line.text) <= WIDTH for line in lines)
            for known in (state, after):
                assert not RULESET.parse(known, one.seat, lines).orders, text
