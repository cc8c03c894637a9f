"""The brawl as the table knows it: one object whose methods are those of the rooms beside it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pbem.ruleset import Complaint, Dice, Phase, Reader, Seat, SimulatedRuleset
from pbem.rulesets.brawl import absent, changes, charts, facts, happened, sets, shown
from pbem.rulesets.brawl.bots import BOTS, how_it_ended
from pbem.rulesets.brawl.cast import CAST
from pbem.rulesets.brawl.figures import FIGURES
from pbem.rulesets.brawl.language.reading import ROUNDS
from pbem.rulesets.brawl.language.words import WORDS
from pbem.rulesets.brawl.options import DEFAULTS, OPTIONS, PRESETS, YOUNG, advice, clashes, handicap
from pbem.rulesets.brawl.order import Order
from pbem.rulesets.brawl.round import adjudication, asking, old_turn, rolling, ruled
from pbem.rulesets.brawl.state import State

EVENT_KINDS = frozenset(
    (
        "news", "rolled", "declared", "dropped", "blows", "hurt", "saved", "knocked_out", "got_up", "breath",
        "ruled", "stands", "ended", "chart", "turning", "ruling_idle", "clash", "police", "left",
    )
)  # fmt: skip


class Brawl(SimulatedRuleset[State, Order]):
    """The Bare-Knuckle Fighter, and the Pub Brawl."""

    state_type = State
    name = "brawl"
    title = "Bare-Knuckle Fighter"
    contract = 2
    version = 5
    options = OPTIONS
    presets = PRESETS
    seats = range(2, 13)
    event_kinds = EVENT_KINDS
    phase_kinds = ("round", "turn")
    reserved = frozenset(("ask", "do-nothing", "nothing", "pass", "resign"))
    openings = frozenset(("ask", "resign")).union(*map(WORDS.single, ("DEFEND", "PARRY", "PASS")))
    called = ("Bud", "Maria", "Two-Fisted Tess")
    says_left = True
    figures = FIGURES

    changed = staticmethod(changes.changed)
    adjudicate = staticmethod(adjudication.adjudicate)
    advance = staticmethod(partial(adjudication.adjudicate, is_told=False))
    asked = staticmethod(shown.asked)
    hand = staticmethod(shown.hand)
    happened = staticmethod(happened.happened)
    charts = staticmethod(charts.charts)
    standing = staticmethod(facts.standing)
    name_fact = staticmethod(facts.name_fact)
    amend = staticmethod(facts.amend)
    effect = staticmethod(ruled.canonical)
    bots = BOTS
    cast = CAST
    ending = staticmethod(how_it_ended)

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> State:
        """
        Return the first round, with fighters made and dice rolled.

        Shape: a young house rule that is the default is not noted, so that states are what they were before there was
        any.
        Rule: K1-K5, K28.
        """
        chosen = {**DEFAULTS, **house}
        noted = {name: value for name, value in chosen.items() if name not in YOUNG or value != DEFAULTS[name]}
        teams = int(chosen["teams"])
        made = tuple(
            rolling.fighter(
                seat, name, place % teams + 1 if teams else 0, chosen, dice, more=handicap(chosen, len(seats), place)
            )
            for place, (seat, name) in enumerate(seats.items())
        )
        first, _ = rolling.begin_round(State(house=noted, fighters=made), dice)
        return first

    def clash(self, house: Mapping[str, str], seats: int) -> tuple[str, str] | None:
        """Return the first house rule that clashes with others or with the seats, and why. Rule: K28."""
        found = next(iter(clashes(house, seats)), None)
        return (found.option, found.because) if found else None

    def advice(self, house: Mapping[str, str], seats: int) -> str:
        """Say that teams of unequal sizes are no even fight, and what makes it one. Rule: K28."""
        return advice({**DEFAULTS, **house}, seats)

    def phase(self, state: State) -> Phase:
        """Say which phase a state is in, and who owes orders."""
        if state.phase == "over":
            return Phase(kind="over", title="The end", owing=())
        owing = (Seat(state.turn),) if state.turn else state.declaring()
        may = () if isinstance(state, asking.Asked) else state.lying()
        return Phase(kind=state.phase, title=f"Round {state.round}", owing=owing, may=may)

    def is_out(self, state: State, seat: Seat) -> bool:
        """Say whether a fighter has left the fight."""
        return state.fighter(seat).gone

    def sides(self, state: State) -> Mapping[Seat, str]:
        """Return the team of each fighter who is on one. Rule: K28."""
        return {one.seat: state.side(one.seat) for one in state.fighters if one.team}

    def label(self, state: State, seat: Seat) -> str:
        """Return a fighter's name."""
        return state.fighter(seat).name

    def is_in_order(self, state: State) -> bool:
        """Say so of any set: its lines are gone through one after the other."""
        return True

    def reader(self, state: State) -> Reader[State, Order]:
        """Return the reader of rounds, and of what is asked in their middle."""
        return ROUNDS

    def check(self, state: State, seat: Seat, orders: Sequence[Order]) -> tuple[Complaint, ...]:
        """Complain of what can never be done, whatever others declare. Rule: K7, K8, K10, K13, K14."""
        return (*sets.check(state, seat, orders), *asking.idle_counters(state, seat, orders))

    def lacks(self, state: State, seat: Seat, orders: Sequence[Order]) -> str:
        """Any line at all is a whole set."""
        return "" if orders else "what you do with your dice, or pass"

    def missing(self, state: State, seat: Seat, dice: Dice) -> tuple[Order, ...]:
        """Return the orders of a seat that sent nothing. Rule: M2, M3."""
        return absent.missing(state, seat)

    def load(self, data: Mapping[str, Any], version: int) -> State:
        """Return a state as it was dumped, also by older rules."""
        return old_turn.load(data)

    def lapsed(self, state: State, effect: str) -> bool:
        """Say whether an effect can do nothing any more: its fighter has left."""
        return state.fighter(effect.split()[1]).gone
