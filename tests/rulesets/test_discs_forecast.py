"""What a receipt shows of the discs: each line as things stand, and the Grid if nobody else acted."""

import math
import re
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, Seat
from pbem.ruleset import Reckoning, Refused
from pbem.rulesets.discs.grid.plane import At, aim, along
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.model.order import Line, OnAttack, OnDisc, OnMyDisc, Order, Place, Stand, Standing
from pbem.rulesets.discs.model.order import Test as Condition
from pbem.rulesets.discs.model.program import Disc, Program
from pbem.rulesets.discs.model.programme import Programme, programme
from pbem.rulesets.discs.model.state import State, with_program
from pbem.rulesets.discs.orders.kept import keep
from pbem.rulesets.discs.play import acting, crossing
from pbem.rulesets.discs.play.flying import throw
from pbem.rulesets.discs.play.forecast import FOLLOWED, follow, forecast
from pbem.rulesets.discs.play.play import Play
from pbem.rulesets.discs.shown.reactions import reaction
from pbem.rulesets.discs.sight.deeds import Cannot, chosen, deed
from pbem.rulesets.discs.sight.outlook import holds, nobody_ahead, stops
from pbem.rulesets.discs.sight.sight import first, flown, thrown
from tests.depth import examples
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
    orders = [LISTS.read(state, Seat("ada"), text) for text in said]
    rows = RULESET.hand(state, Seat("ada"), orders)["rows"]  # type: ignore[arg-type]
    assert [row["now"] for row in rows] == [
        "bearing 45 (NE), D4, F6, across Cy",
        "bearing 31 (NNE), C4, E7, across Cy",
        '4" E (bearing 82), to E3',
        'cannot be done: Cy is 4.74" away, and an Attack reaches less than 4"',
        "its condition does not hold",
        "can be done",
        "can be done",
        "cannot be done: you are not Prone",
        "",
    ]


def test_a_line_that_who_is_prone_does_not_look_at_is_shown_as_that() -> None:
    """Else a hold would seem to go before standing up."""
    state = lay(("ada at 4.65,4.65 prone", "bo at 19.35,19.35"), {}, Dice(bytes(32)))
    orders = [LISTS.read(state, Seat("ada"), text) for text in ("hold", "if I am prone: hold", "stand")]
    rows = RULESET.hand(state, Seat("ada"), orders)["rows"]  # type: ignore[arg-type]
    assert [row["now"] for row in rows] == ["not looked at, as you are Prone", "can be done", "can be done"]


def test_a_receipt_says_where_dice_choose() -> None:
    """Of two that are equally near it shows one, and says that it may be the other."""
    state = lay(("ada at 12,12", "bo at 12,20", "cy at 20,12"), {}, Dice(bytes(32)))
    orders = [LISTS.read(state, Seat("ada"), text) for text in ("throw at nearest", "throw at Cy", "attack nearest")]
    rows = RULESET.hand(state, Seat("ada"), orders)["rows"]  # type: ignore[arg-type]
    assert [row["now"] for row in rows] == [
        "bearing 0 (N), G8, G12, across Bo; the dice choose between Bo and Cy",
        "bearing 90 (E), H7, L7, across Cy",
        'cannot be done: Bo is 8" away, and an Attack reaches less than 4"',
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


def _reads(state: State, seat: str, *said: str) -> list[Order]:
    orders = [LISTS.read(state, Seat(seat), text) for text in said]
    assert not [order for order in orders if isinstance(order, Refused)], orders
    return orders  # type: ignore[return-value]


def _shown(state: State, seat: str, *said: str) -> list[str]:
    """Return what a receipt says of a seat's lines."""
    return [row["now"] for row in RULESET.hand(state, seat, _reads(state, seat, *said))["rows"]]


def test_a_bank_shot_is_followed_from_flight_to_flight() -> None:
    """To whom it would meet, with the walls on its way; or to where its owner would recall it first."""
    state = lay(("ada at 4.65,4.65 deck 4", "bo at 19.35,19.35"), {}, Dice(bytes(32)))
    bank = "throw at Bo off north"
    way = "bearing 31 (NNE), C4, E7; then G11"
    met = f"{way}; then wall I12, J11; then L8; would meet Bo on its 4th flight"
    assert _shown(state, "ada", bank, "recall: never")[0] == met
    assert _shown(state, "ada", bank)[0] == f"{way}; you would recall it in place of its 3rd flight"
    back = "bearing 0 (N), C4, C8; then C12; then wall C12, C9; then C5; then C1; would meet you on its 5th flight"
    assert _shown(state, "ada", "throw 0", "recall: never")[0] == back
    state = lay(("ada at 6,6 deck 4", "bo at 20,20"), {"walls": "die"}, Dice(bytes(32)))
    assert _shown(state, "ada", "throw 270") == ["bearing 270 (W), C4, A4, where the die turns it"]
    state = lay(("ada at 40,40 deck 4", "bo at 80,20"), {"grid": "96"}, Dice(bytes(32)))
    far = "bearing 271 (W), E6, D6; would meet nobody on its first 8 flights"
    assert _shown(state, "ada", "throw 271", "recall: never")[0] == far


@given(worlds(), st.integers(0, 359))
def test_a_followed_throw_meets_whom_it_flies_to(world: World, bearing: int) -> None:
    """Reckoned flight by flight: nobody moves, the die is not rolled, and its owner recalls it as they said."""
    state = world.state
    me = next((one for one in state.standing() if one.is_armed and not one.prone), None)
    if me is None:
        return
    whole = programme(some_set(state, me.seat, world.rng))
    flight, flights, recalled = thrown(state, me.seat, bearing, stops=stops(state, me)), 1, False
    while flights <= FOLLOWED:
        targets = [one for one in state.standing() if not state.spares(me.seat, one.seat)]
        met = {one.seat for one in targets if flight.meets(one.at, behind=one == me and flights == 1) is not None}
        if met or flight.walled:
            break
        flown_disc = Disc(flight.tip, flight.bearing)
        after = with_program(state, me.seat, disc=flown_disc)
        mine = after.program(me.seat)
        recalled = after.is_away(mine) and aim(flown_disc.tip, me.at) != flown_disc.bearing
        recalled &= whole.recall.when == "away" or (whole.recall.when != "never" and nobody_ahead(after, mine))
        if recalled or flights == FOLLOWED:
            break
        flight, flights = flown(state, flown_disc, stops=stops(state, me)), flights + 1
    shot = follow(state, me.seat, whole, bearing)
    assert (set(shot.met), len(shot.flights)) == (met, flights)
    assert shot.ends == ("meets" if met else "die" if flight.walled else "recalled" if recalled else "")


@given(worlds())
def test_what_cannot_be_done_says_truly_why(world: World) -> None:
    """Each reason is so; and a line without one is done if it is the first of a list."""
    state, rng = world.state, world.rng
    for me in state.standing():
        for order in (one for one in some_set(state, me.seat, rng) if isinstance(one, Line)):
            found = deed(state, me.seat, order.act, first)
            plain = Programme(lines=(Line(order.act),))
            if isinstance(found, Cannot):
                assert _is_so(state, me, found.because), found
                assert chosen(state, me.seat, plain, 1, first)[1] is None
            elif not me.prone or isinstance(order.act, Stand):
                assert chosen(state, me.seat, plain, 1, first)[1] is not None


def _is_so(state: State, me: Program, because: str) -> bool:
    """Say whether a reason is true of a Program, looked up by its words."""
    named = {one.name: one for one in state.programs}
    simple = {
        "each card has to be used this turn": state.forced, "you are not Prone": not me.prone, "you are Prone": me.prone,
        "your Disc is out": me.disc is not None, "your Disc is in hand": me.disc is None,
        "no foe is left": not state.foes(me.seat), "you are at that very place": True,
    }  # fmt: skip
    if because in simple:
        return simple[because]
    if match := re.fullmatch(r"you hold (\d) cards? already", because):
        return me.held == int(match[1])
    if match := re.fullmatch(r'(.+) is ([\d.]+)" away, and an Attack reaches less than 4"', because):
        return float(match[2]) >= 4 and abs(math.dist(named[match[1]].at, me.at) / 100 - float(match[2])) < 0.01
    if match := re.fullmatch(r'your Base fits nowhere within ([\d.]+)" along bearing (\d+)', because):
        most, way = round(float(match[1]) * 100), int(match[2])
        return not any(state.fits(me.seat, at) for n in range(1, most + 1) if (at := along(me.at, way, n)) != me.at)
    if match := re.fullmatch(r"(.+) is of your team", because):
        return state.spares(me.seat, named[match[1]].seat)
    if match := re.fullmatch(r"the Disc of (.+) is (in hand|gone)", because):
        return named[match[1]].disc is None and named[match[1]].out is (match[2] == "gone")
    match = re.fullmatch(r"(.+) is De-Rezzed", because)
    return match is not None and named[match[1]].out


GUARDS = (
    "on disc: block",
    "on disc: only block",
    "on disc: block, dodge",
    "on disc: dodge",
    "on disc: never",
    "on disc of Bo: block",
    "on disc of Bo: only block",
    "on disc of Bo: dodge",
    "on disc of Bo: never",
    "on attack: never",
    "on attack: dodge",
)


@settings(max_examples=examples(60))
@given(
    st.lists(st.sampled_from(GUARDS), unique_by=lambda line: line.partition(":")[0], max_size=3),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_a_receipt_warns_where_a_card_in_hand_may_not_save(
    said: list[str], throws: bool, is_out: bool, before: bool
) -> None:
    """Now, or once a line has thrown the Disc; said in this set or before it; beside the line that costs it alone."""
    state = lay(("ada at 10,10 held 1 deck 4", "bo at 20,12", "cy at 20,3"), {}, Dice(bytes(32)))
    state = with_program(state, "ada", disc=Disc(At(200, 2200), 0) if is_out else None)
    guards, lines = _reads(state, "ada", *said), _reads(state, "ada", "throw at Bo" if throws else "move to centre")
    whole = programme([*lines, *guards])
    struck: set[str] = {"on attack"} if "on attack: never" in said else set()
    for out, (owner, line) in product({is_out, is_out or throws}, (("bo", "on disc of Bo"), ("cy", "on disc"))):
        play = Play(
            with_program(state, "ada", disc=Disc(At(200, 2200), 0) if out else None),
            {"ada": whole},
            Reckoning({}),
            Dice(bytes(32)),
        )
        play.change(owner, disc=Disc(At(1000, 1000), 0))
        crossing.cross(play, owner, "ada", "")
        if any(event.facts.get("does") == "struck" for event in play.events):
            struck.add(line)
    shown = (
        RULESET.hand(keep(state, {Seat("ada"): guards}), "ada", lines)
        if before
        else RULESET.hand(state, "ada", [*lines, *guards])
    )
    rows = {row["line"].partition(":")[0]: row["risk"] for row in (*shown["rows"], *shown["kept"])}
    assert {line for line, risk in rows.items() if risk} == struck & set(rows)
    for line, risk in rows.items():
        cure = risk.rpartition("write: ")[2]
        assert not risk or (cure.startswith(f"{line}:") and _reads(state, "ada", cure))


@given(worlds(), st.data())
def test_a_shot_is_clear_where_the_throw_comes_to_its_target_first(world: World, data: st.DataObject) -> None:
    """Which is so of one alone, however many it comes to at once: whom it crosses first, where it is played."""
    state = world.state
    me = data.draw(st.sampled_from([one for one in state.standing() if one.is_armed] or [state.standing()[0]]))
    state = with_program(state, me.seat, disc=None, prone=False)
    target = data.draw(st.sampled_from(state.others(me.seat) or [me]))
    beside = data.draw(st.sampled_from(state.others(me.seat) or [me]))
    if data.draw(st.booleans()) and beside.seat != target.seat:
        state = with_program(state, beside.seat, at=target.at)
    way = aim(me.at, target.at)
    if way is None:
        return
    play = Play(state, {}, Reckoning({}), Dice(bytes(32)))
    throw(play, me.seat, way)
    kinds = [event for event in play.events if event.kind in ("crossed", "placed")]
    met = kinds[0].facts["seat"] if kinds and kinds[0].kind == "crossed" else ""
    is_clear = holds(state, me.seat, Condition("clear", Place("seat", seat=target.seat)), first)
    assert is_clear is (met == target.seat)
