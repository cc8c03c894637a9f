"""What a fighter is told first is true: derived again from the other facts of the round."""

from hypothesis import given, settings

from pbem.ground.terms import OrderLine, Seat
from pbem.letters.dresses.text import WIDTH
from pbem.letters.rendering import environment, render
from pbem.ruleset import Facts
from pbem.rulesets.brawl import RULESET
from pbem.rulesets.brawl.happened import happened
from pbem.world.settings import templates
from tests.depth import at_first
from tests.rulesets.brawl_worlds import Turn, World, fought, worlds

ENVIRONMENT = environment(templates())


@settings(max_examples=at_first(2))
@given(worlds())
def test_what_happened_in_a_round_is_what_the_report_says(world: World) -> None:
    """Hits, harm, knock-outs and how they stand, fighter by fighter."""
    for turn in fought(world, 4):
        if turn.outcome.result:
            return
        for seat in turn.state.names:
            said = happened(turn.outcome, seat)
            if said:
                hold_to_the_truth(turn, seat, said)
                text = render(ENVIRONMENT, "brawl/happened.j2", said | {"silent": False})
                assert all(len(line) <= WIDTH for line in text.split("\n"))
                lines = [OrderLine(2 * number, line) for number, line in enumerate(text.split("\n"), 1)]
                for state in (turn.state, turn.outcome.state):
                    assert not RULESET.parse(state, Seat(seat), lines).orders, text
            else:
                assert turn.outcome.state.fighter(seat).gone


def hold_to_the_truth(turn: Turn, seat: str, said: Facts) -> None:
    """Derive again what one fighter is told."""
    after, name = turn.outcome.state.fighter(seat), turn.state.names[Seat(seat)]
    hurts = [event.facts for event in turn.outcome.events if event.kind == "hurt"]
    mine, dealt = ([one for one in hurts if one[key] == name] for key in ("on", "who"))
    for rows, found in ((mine, [said["took"]] if said["took"] else []), (dealt, said["dealt"])):
        for what in ("endurance", "health"):
            assert sum(one[what] for one in found) == sum(one[what][0] - one[what][1] for one in rows)
    assert sum(one["hit"] for one in said["coming"]) == len(mine)
    assert sum(one["hit"] for one in said["made"]) == len(dealt)
    assert {one["name"] for one in said["coming"] if one["hit"]} == {one["who"] for one in mine}
    assert (said["stands"]["endurance"], said["stands"]["health"]) == (after.endurance, after.health)
    assert bool(said["fell"]) is (after.knocked > turn.state.fighter(seat).knocked)
    assert said["left"] is (after.gone and not turn.state.fighter(seat).gone)
