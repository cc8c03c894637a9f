"""What letters of the discs say of a player's own lines: all that a reply repeats of them is new."""

from hypothesis import given

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Only
from pbem.letters.new_text import new_lines
from pbem.letters.rendering import environment, render
from pbem.ruleset import Facts
from pbem.rulesets.discs.orders.kept import keep
from pbem.world.settings import templates
from tests.conftest import flat
from tests.rulesets.discs_scene import lay
from tests.rulesets.discs_worlds import RULESET, World, played, some_set, worlds

ENVIRONMENT = environment(templates())


def rendered(name: str, facts: Facts, beside: tuple[str, ...] = ()) -> str:
    """Render a part of a letter, with others beside it."""
    return render(ENVIRONMENT, f"discs/{name}.j2", facts | {"beside": {one: {} for one in (name, *beside)}})


@given(worlds())
def test_what_letters_repeat_of_a_players_lines_is_new_in_a_reply(world: World) -> None:
    """Written again as it stands there, with a number before it or none; a quotation of it has its mark."""
    for one in world.state.standing():
        orders = some_set(world.state, one.seat, world.rng)
        state = keep(world.state, {one.seat: orders})
        lines = RULESET.format(state, orders)
        letter = rendered("hand", RULESET.hand(state, one.seat, orders), ("asked",))
        letter += rendered("asked", RULESET.asked(state, one.seat), ("hand",))
        for said in (line for text in lines for line in (text, f"1 {text}", f"2. {text}", f"(3) {text}")):
            assert [line.text for line in new_lines([said], [letter])] == [said]
        copied = [line for line in letter.split("\n") if line.strip().startswith(":")]
        assert len(copied) >= len(lines) and new_lines(copied, [letter]) == ()


@given(worlds())
def test_the_lines_that_cards_followed_are_new_in_a_reply(world: World) -> None:
    """They are told to their writer, each with its card."""
    for turned in played(world, 1):
        for seat in turned.orders:
            told = [one for one in turned.outcome.events if one.to == Only((seat,))]
            letter = rendered("private", {"events": told})
            for event in told:
                for said in (event.facts.get("line", "hold"), f"{event.facts.get('card')} {event.facts.get('line')}"):
                    assert [line.text for line in new_lines([said], [letter])] == [said]


@given(worlds())
def test_a_letter_has_one_map(world: World) -> None:
    """Where it asks anew it shows the Grid as it is, and else how it would be if nobody else acted."""
    seat = world.state.standing()[0].seat
    orders = some_set(world.state, seat, world.rng)
    hand, asked = RULESET.hand(world.state, seat, orders), RULESET.asked(world.state, seat)
    frames = [
        (rendered("hand", hand, beside) + (rendered("asked", asked, ("hand",)) if beside else "")).count("   +--")
        for beside in ((), ("asked",))
    ]
    assert frames == [2, 2]


def test_a_report_says_where_walls_push_to() -> None:
    """In its log, beside who it was; the outcome of an older release does not say."""
    state = lay(("ada at 2,12", "bo at 20,20 deck 1", "disc of ada at 24,12 going E", "turn 8"), {}, Dice(bytes(32)))
    events = RULESET.adjudicate(state, {}, Given(), Dice(bytes(32))).events
    told = flat(rendered("report", {"events": events, "drawn": []}))
    assert "Pushed: Ada to B7 and the disc of Ada to L7." in told
    for event in events:
        for row in event.facts.get("pushed", ()):
            del row["square"]
    assert "Pushed: Ada and the disc of Ada." in flat(rendered("report", {"events": events, "drawn": []}))
