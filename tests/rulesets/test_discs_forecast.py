"""What a receipt shows of the discs: each line as things stand, and the Grid if nobody else acted."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.chance import Dice
from pbem.ruleset import Reckoning
from pbem.rulesets.discs.grid.plane import At
from pbem.rulesets.discs.model.order import OnAttack, OnDisc, OnMyDisc
from pbem.rulesets.discs.model.program import Disc, Program
from pbem.rulesets.discs.model.programme import programme
from pbem.rulesets.discs.model.state import with_program
from pbem.rulesets.discs.orders.standing import Standing
from pbem.rulesets.discs.play import acting, crossing
from pbem.rulesets.discs.play.forecast import forecast
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.shown.reactions import reaction
from pbem.terms import Given, Seat
from tests.rulesets.discs_scene import lay
from tests.rulesets.discs_worlds import RULESET, World, some_set, worlds


def only(state_program: Program) -> dict[str, int]:
    """Return the cards of somebody who has none in the deck."""
    return {"deck": 0, "used": state_program.used + state_program.deck}


@given(worlds(pace="turn", stall="free"))
def test_a_forecast_is_what_comes_of_it_if_nobody_else_acts(world: World) -> None:
    """Where nobody is crossed and nothing is left to dice, the phase comes out as its forecast."""
    state = world.state
    me = state.standing()[0]
    for other in state.programs:
        if other.seat != me.seat and not other.out:
            state = with_program(state, other.seat, **only(other))
    orders = some_set(state, me.seat, world.rng)
    found = forecast(state, me.seat, orders)
    outcome = RULESET.adjudicate(state, {Seat(me.seat): orders}, Given(), world.dice)
    kinds = {event.kind for event in outcome.events}
    if kinds & {"crossed", "placed", "attacked", "walls", "ended"} or state.deck != me.deck:
        return
    for one, other in zip(found.state.programs, outcome.state.programs, strict=True):
        assert (one.at, one.disc, one.prone, one.held) == (other.at, other.disc, other.prone, other.held)
    flights = [event for event in outcome.events if event.kind == "flight"]
    assert len(found.trails) == len(flights)


@given(worlds())
def test_receipts_and_forms_have_a_map_and_every_line(world: World) -> None:
    """No line of a map is wider than 54 columns, and each order has its row."""
    for one in world.state.standing():
        orders = some_set(world.state, one.seat, world.rng)
        shown = RULESET.hand(world.state, one.seat, orders)
        assert [row["line"] for row in shown["rows"]] == list(RULESET.format(world.state, orders))
        assert (
            {len(line) for line in shown["map"][1:]}
            == {54}
            == {len(line) for line in RULESET.asked(world.state, one.seat)["map"][1:]}
        )


def test_each_line_is_shown_as_it_would_come_out_now() -> None:
    """With its bearing, its squares, and whom it would meet."""
    given_ = ("ada at 4.65,4.65 deck 4", "bo at 19.35,19.35", "cy at 8,8 held 0")
    state = lay(given_, {}, Dice(bytes(32)))
    said = (
        "throw at Bo", "throw at Bo off north", "move to K4", "attack Cy", "if I hold 0: hold", "hold", "pass",
        "stand", "on attack: never",
    )  # fmt: skip
    orders = [RULESET.read(state, Seat("ada"), text) for text in said]
    rows = RULESET.hand(state, Seat("ada"), orders)["rows"]  # type: ignore[arg-type]
    assert [row["now"] for row in rows] == [
        "bearing 45 (NE), D4, F6, across Cy",
        "bearing 31 (NNE), C4, E7, across Cy",
        '4" E (bearing 82), to E3',
        "cannot be done",
        "its condition does not hold",
        "can be done",
        "can be done",
        "cannot be done",
        "",
    ]


def test_a_line_that_who_is_prone_does_not_look_at_is_shown_as_that() -> None:
    """Else a hold would seem to go before standing up."""
    state = lay(("ada at 4.65,4.65 prone", "bo at 19.35,19.35"), {}, Dice(bytes(32)))
    orders = [RULESET.read(state, Seat("ada"), text) for text in ("hold", "if I am prone: hold", "stand")]
    rows = RULESET.hand(state, Seat("ada"), orders)["rows"]  # type: ignore[arg-type]
    assert [row["now"] for row in rows] == ["not looked at, as you are Prone", "can be done", "can be done"]


def test_a_receipt_says_where_dice_choose() -> None:
    """Of two that are equally near it shows one, and says that it may be the other."""
    state = lay(("ada at 12,12", "bo at 12,20", "cy at 20,12"), {}, Dice(bytes(32)))
    orders = [RULESET.read(state, Seat("ada"), text) for text in ("throw at nearest", "throw at Cy", "attack nearest")]
    rows = RULESET.hand(state, Seat("ada"), orders)["rows"]  # type: ignore[arg-type]
    assert [row["now"] for row in rows] == [
        "bearing 0 (N), G8, G12, across Bo; the dice choose between Bo and Cy",
        "bearing 90 (E), H7, L7, across Cy",
        "cannot be done",
    ]


REACTIONS: tuple[Standing, ...] = (
    OnDisc(("block", "dodge")), OnDisc(("block",)), OnDisc(("dodge", "block")), OnDisc(()), OnAttack(True), OnAttack(False),
    OnMyDisc(card=True, dive=True), OnMyDisc(card=True, dive=False, least=2), OnMyDisc(card=False, dive=True),
    OnMyDisc(card=False, dive=False),
)  # fmt: skip


@given(st.sampled_from(REACTIONS), st.integers(0, 2), st.booleans(), st.booleans(), st.sampled_from(("no", "yes")))
def test_a_receipt_says_where_a_reaction_cannot_help(
    order: Standing, held: int, prone: bool, is_out: bool, dives: str
) -> None:
    """What it says is what becomes of the Program if it comes to it at once; and it says it of no other."""
    state = lay((f"ada at 10,10 held {held}", "bo at 12,12"), {"dive_attack": dives}, Dice(bytes(32)))
    state = with_program(state, "ada", prone=prone, disc=Disc(At(2000, 200), 0) if is_out else None)
    mine = programme((order,))
    said = reaction(state, "ada", mine, order)
    play = Play(state, {"ada": mine}, Reckoning({}), Dice(bytes(32)))
    hoped: tuple[str, ...]
    match order:
        case OnAttack():
            acting._attack(play, "bo", "ada")
            hoped = ("dodge",) if order.dodges else ("dodge", "struck", "prone")
        case OnMyDisc():
            crossing.cross(play, "ada", "ada", "")
            hoped = ("catch", "dive") if order.card or order.dive else ("let by", "lies")
        case _:
            play.change("bo", disc=Disc(At(1000, 1000), 0))
            crossing.cross(play, "bo", "ada", "")
            hoped = order.guards[:1] if isinstance(order, OnDisc) else ()
    became = next(event.facts["does"] for event in play.events if event.kind in ("crossed", "attacked"))
    words = {
        "struck": "De-Rezzed",
        "prone": "fall Prone",
        "dodge": "would Dodge",
        "let by": "let it by",
        "lies": "let it by",
    }
    if said:
        assert words[became] in said or (became == "let by" and "dive only after" in said)
    else:
        assert became in hoped
