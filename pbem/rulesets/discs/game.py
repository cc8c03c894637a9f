"""The discs as the table knows them: one object whose functions hand on to the rooms beside it."""

from collections.abc import Mapping, Sequence

from pbem.ruleset import Dice, Outcome, Phase, Picture, Reader, Seat, SimulatedRuleset
from pbem.rulesets.discs import facts
from pbem.rulesets.discs.amending import amend
from pbem.rulesets.discs.bots import BOTS, ending
from pbem.rulesets.discs.cast import CAST
from pbem.rulesets.discs.changes import changed
from pbem.rulesets.discs.grid.plane import INCH
from pbem.rulesets.discs.language import names
from pbem.rulesets.discs.language.reading import LISTS
from pbem.rulesets.discs.model import program
from pbem.rulesets.discs.model.options import OPTIONS, PRESETS, clash
from pbem.rulesets.discs.model.order import Line, Order
from pbem.rulesets.discs.model.programme import DEFAULT
from pbem.rulesets.discs.model.state import State
from pbem.rulesets.discs.orders import sets
from pbem.rulesets.discs.play import phase, turns
from pbem.rulesets.discs.play.setting_up import begin
from pbem.rulesets.discs.shown import happened, letters
from pbem.rulesets.discs.shown.text_map import text_map

EVENT_KINDS = frozenset(
    (
        "news", "begins", "teams", "card", "followed", "flight", "recalled", "crossed", "placed", "attacked",
        "derezzed", "gone", "walls", "turn", "stands", "programmes", "ended", "ruling_idle",
    )
)  # fmt: skip
FIGURES = {
    "cards": program.CARDS,
    "held": program.HELD,
    "farthest": program.FARTHEST // INCH,
    "away": program.AWAY // INCH,
    "apart": program.APART // INCH,
    "narrowest": program.NARROWEST // INCH,
    "quiet": turns.QUIET,
}


class Discs(SimulatedRuleset[State, Order]):
    """
    Tron Disc Battle.

    Of a state nothing is hidden but what others' Programs keep to, since cards are drawn when they are turned (T-zz).
    """

    state_type = State
    name = "discs"
    title = "Disc Battle"
    contract = 2
    version = 2
    options = OPTIONS
    presets = PRESETS
    seats = range(2, 13)
    event_kinds = EVENT_KINDS
    phase_kinds = ("place", "list")
    reserved = names.RESERVED
    openings = names.OPENINGS
    called = ("Vector", "Lumen", "Cobalt")
    figures = FIGURES
    bots = BOTS
    cast = CAST

    setup = staticmethod(begin)
    clash = staticmethod(clash)
    check = staticmethod(sets.check)
    adjudicate = staticmethod(phase.adjudicate)
    view = staticmethod(letters.view)
    asked = staticmethod(letters.asked)
    hand = staticmethod(letters.hand)
    happened = staticmethod(happened.happened)
    standing = staticmethod(facts.standing)
    name_fact = staticmethod(facts.name_fact)
    read_value = staticmethod(facts.read_value)
    amend = staticmethod(amend)
    ending = staticmethod(ending)
    changed = staticmethod(changed)

    def phase(self, state: State) -> Phase:
        """Say which phase a state is in: whoever is not De-Rezzed owes lines, as anybody's card may come up."""
        owing = tuple(one.seat for one in state.standing())
        match state.phase:
            case "place":
                return Phase(kind="place", title=f"Choosing {state.chosen}", owing=owing)
            case "list":
                return Phase(kind="list", title=_title(state), owing=owing)
            case "over":
                return Phase(kind="over", title="The end", owing=())

    def is_out(self, state: State, seat: Seat) -> bool:
        """Say whether a Program is De-Rezzed."""
        return state.program(seat).out

    def pictures(self, state: State, outcome: Outcome[State]) -> tuple[Picture, ...]:
        """Draw each half turn."""
        return letters.pictures(state, outcome, self.phase(state).title)

    def map(self, state: State) -> tuple[str, ...]:
        """Draw the Grid as it is now."""
        return text_map(state)

    def sides(self, state: State) -> Mapping[Seat, str]:
        """Return the team of each Program that is on one. Rule: T-yy."""
        return {one.seat: state.side(one.seat) for one in state.programs if one.team}

    def reader(self, state: State) -> Reader[State, Order]:
        """Return the reader of lists and of places."""
        return LISTS

    def is_in_order(self, state: State) -> bool:
        """Say so of a list, whose first line that can be done is."""
        return state.phase == "list"

    def lacks(self, state: State, seat: Seat, orders: Sequence[Order]) -> str:
        """Any line at all is a whole set."""
        if state.phase == "place":
            return (
                "" if orders else "a place to begin" if state.chooses_places else "with whom you want to be on a team"
            )
        return "" if orders else "a line for your cards"

    def stands(self, state: State, seat: Seat, orders: Sequence[Order]) -> bool:
        """Let no line stand that is for one card of one phase. Rule: M2."""
        return not any(isinstance(order, Line) and order.card for order in orders)

    def missing(self, state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
        """Return the orders of a seat that sent nothing. Rule: M9."""
        return () if state.phase == "place" else DEFAULT


def _title(state: State) -> str:
    """Name a phase of cards: by its half, beat or card, where a turn has several. Rule: M1."""
    match state.house["pace"]:
        case "half":
            return f"Turn {state.turn}, {'first' if state.part == 1 else 'second'} half"
        case "turn":
            return f"Turn {state.turn}"
        case pace:
            return f"Turn {state.turn}, {pace} {state.part}"
