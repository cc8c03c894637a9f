"""The rules of Eight Coves as code; every function is pure."""

from collections.abc import Mapping, Sequence

import msgspec

from coves.bots import BOTS
from coves.coast import COVES, WINDS, Order, Sea
from coves.orders import DAYS, LANGUAGE
from pbem.ruleset import (
    EVERYONE,
    Bot,
    Complaint,
    Dice,
    Event,
    Facts,
    Given,
    Only,
    Option,
    Outcome,
    Phase,
    Reader,
    Reckoning,
    Result,
    Seat,
    SimulatedRuleset,
    examples,
    phrases,
)

OPTIONS = (
    Option(
        name="adrift",
        default="no",
        choices=("no", "yes"),
        says={"no": "Who sends nothing stays.", "yes": "Who sends nothing drifts with the wind."},
        rule="C6",
        missing_in=("day",),
    ),
    Option(name="days", default="12", choices=(), says={"": "After {} days the sea takes the treasure."}, rule="C7"),
)


class Coves(SimulatedRuleset[Sea, Order]):
    """Eight Coves."""

    name = "coves"
    title = "Eight Coves"
    package = __package__
    contract = 2
    version = 1
    options: tuple[Option, ...] = OPTIONS
    seats = range(2, 7)
    event_kinds = frozenset({"evening", "clue"})
    phase_kinds: tuple[str, ...] = ("day",)
    reserved = frozenset(name.lower() for name in (*COVES, *WINDS))
    state_type = Sea
    forms = examples(LANGUAGE)
    settable = ("place", "treasure", "wind")
    derived = ("place", "distance", "find")
    values: Mapping[str, Sequence[str]] = {"place": COVES, "treasure": COVES, "wind": tuple(WINDS)}
    bots: Mapping[str, Bot[Sea, Order]] = BOTS

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> Sea:
        """Put ships and treasure in their coves. Rule: C1."""
        place = {seat: dice.pick(f"place {seat}", COVES) for seat in seats}
        treasure, wind = dice.pick("treasure", COVES), dice.pick("wind", tuple(WINDS))
        return Sea(dict(seats), place, {seat: {} for seat in seats}, treasure, wind, dict(house))

    def phase(self, state: Sea) -> Phase:
        """Every phase is a day, and all ships do something."""
        return Phase(kind="day", title=f"Day {state.day}", owing=tuple(state.names))

    def view(self, state: Sea, seat: Seat) -> Sea:
        """Leave out the treasure, where the others lie, and what they have learnt. Rule: C1, C4."""
        place = {other: cove if other == seat else "" for other, cove in state.place.items()}
        clues = {other: known if other == seat else {} for other, known in state.clues.items()}
        return msgspec.structs.replace(state, place=place, clues=clues, treasure="")

    def reader(self, state: Sea) -> Reader[Sea, Order]:
        """Return the reader of days: every phase is one."""
        return DAYS

    def check(self, state: Sea, seat: Seat, orders: Sequence[Order]) -> tuple[Complaint, ...]:
        """Refuse a second order, a way that is too long, and one that leads off the coast. Rule: C2, C3."""
        if len(orders) > 1:
            return (Complaint(0, "", "illegal", "A ship does one thing a day. Send one order.", "C2"),)
        return tuple(
            Complaint(order.line, DAYS.write(state, order), "illegal", wrong, "C3")
            for order in orders
            if (wrong := _wrong(state, seat, order))
        )

    def stands(self, state: Sea, seat: Seat, orders: Sequence[Order]) -> bool:
        """Let no ship dig twice for one word. Rule: C8."""
        return not any(order.digs for order in orders)

    def missing(self, state: Sea, seat: Seat, dice: Dice) -> tuple[Order, ...]:
        """Let a ship stay, or drift. Rule: C6."""
        drift = Order(coves=WINDS[state.wind])
        return (drift,) if state.house["adrift"] == "yes" and not _wrong(state, seat, drift) else (Order(),)

    def adjudicate(self, state: Sea, orders: Mapping[Seat, Sequence[Order]], given: Given, dice: Dice) -> Outcome[Sea]:
        """Sail, dig and look. Rule: C3-C5, C7."""
        sums = Reckoning(given.pinned)
        names, did = state.names, {seat: orders[seat][0] for seat in state.names}
        place = {
            seat: sums.word(f"place of {seat}", f"place of {names[seat]}", _reached(state, seat, did[seat]), rule="C3")
            for seat in names
        }
        dug = [seat for seat in names if did[seat].digs]
        finders = tuple(
            seat
            for seat in dug
            if sums.claim(f"find of {seat}", f"{names[seat]} finds it", place[seat] == state.treasure, rule="C5")
        )
        clues = {}
        for seat in names:
            far = abs(COVES.index(place[seat]) - COVES.index(state.treasure))
            far = sums.number(f"distance of {seat}", f"distance that {names[seat]} learns", far, place[seat], "C4")
            clues[seat] = {**state.clues[seat], place[seat]: far}
        wind = dice.pick("wind", tuple(WINDS))
        told: Facts = {"dug": [names[seat] for seat in dug], "wind": wind}
        events = [Event(kind="evening", to=EVERYONE, facts=told, rule="C5")]
        for seat in names:
            learnt = {"place": place[seat], "distance": clues[seat][place[seat]]}
            events.append(Event(kind="clue", to=Only((seat,)), facts=learnt, rule="C4"))
        after = Sea(names, place, clues, state.treasure, wind, state.house, state.day + 1)
        return Outcome(
            state=after, verdicts=tuple(sums.verdicts), events=tuple(events), result=self._result(state, finders)
        )

    def _result(self, state: Sea, finders: tuple[Seat, ...]) -> Result | None:
        if finders:
            found = phrases.listed([state.names[seat] for seat in finders], "and")
            return Result(finders, f"{found} dug up the treasure in {state.treasure}.")
        if state.day >= int(state.house["days"]):
            return Result((), f"The sea has taken the treasure, which lay in {state.treasure}.")
        return None

    def asked(self, state: Sea, seat: Seat) -> Facts:
        """Return where a ship lies, the wind, and what it has learnt."""
        return {"coves": COVES, "place": state.place[seat], "wind": state.wind, "clues": state.clues[seat]}


def _reached(state: Sea, seat: Seat, order: Order) -> str:
    return COVES[COVES.index(state.place[seat]) + order.coves]


def _wrong(state: Sea, seat: Seat, order: Order) -> str:
    """Say why a ship cannot sail so, or ""."""
    if abs(order.coves) == 2 and order.coves * WINDS[state.wind] < 0:
        return f"The wind blows {state.wind}, so against it you can sail one cove only."
    if not 0 <= COVES.index(state.place[seat]) + order.coves < len(COVES):
        return f"There is no cove so far from {state.place[seat]}."
    return ""
