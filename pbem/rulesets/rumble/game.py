"""Rumble as the table knows it: one object that hands each question to the room that answers it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import msgspec

from pbem.ruleset import (
    Bot,
    Complaint,
    Dice,
    Fact,
    Given,
    Option,
    OrderLine,
    Outcome,
    Parsed,
    Phase,
    Preset,
    Reader,
    Seat,
    SimulatedRuleset,
    phrases,
)  # fmt: skip
from pbem.rulesets.rumble import changes, facts
from pbem.rulesets.rumble.auction import amendments, closing, inventing, powers_phase, second_thoughts
from pbem.rulesets.rumble.auction.amendments import AMENDMENTS
from pbem.rulesets.rumble.auction.bids import BIDS
from pbem.rulesets.rumble.auction.inventing import INVENTIONS
from pbem.rulesets.rumble.auction.keeps import KEEPS
from pbem.rulesets.rumble.bots.cast import CAST
from pbem.rulesets.rumble.bots.simulated import BOTS, dealable, ending, with_dealt
from pbem.rulesets.rumble.effects import application, do_lines, following
from pbem.rulesets.rumble.genres import genre_of, translation
from pbem.rulesets.rumble.house.options import DEFAULTS, OPTIONS, YOUNG
from pbem.rulesets.rumble.house.presets import PRESETS
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.model import state
from pbem.rulesets.rumble.model.order import Order, Orders
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import hero_names, said_twice, sets
from pbem.rulesets.rumble.orders.writing import write
from pbem.rulesets.rumble.powers import deck
from pbem.rulesets.rumble.rehearsal import explanations, guesses, power_library, trials
from pbem.rulesets.rumble.round import adjudication, old_reveal, question, undone
from pbem.rulesets.rumble.shown import charts, exhibits, happened, open_phase
from pbem.rulesets.rumble.shown.figures import FIGURES

EVENT_KINDS = frozenset(
    (
        "news", "pool_opened", "power_pooled", "power_vetoed", "power_reworded", "power_text", "bid_shown",
        "power_won", "price_paid", "flaw_taken", "flaw_cost", "power_unsold", "tie", "bids_void", "power_passed_on",
        "might_discard", "named", "ordered", "round_began", "powers_held", "power_used", "planned", "condition_unmet",
        "orders_cut",
        "at_reveal", "put_late", "not_done", "retargeted", "moved", "swapped", "wasted", "changed",
        "conflict", "endless", "ignored", "passed", "came_out", "stands", "revived", "eliminated", "fatigue",
        "defence_burnt",
        "power_discarded", "power_given", "power_drawn", "deck_empty", "power_edited", "edit_idle", "lines_lost",
        "lines_retired", "standstill", "pool_settled",
        "power_runs", "power_manual", "powers_meet", "ahead", "effect_idle", "ruling_idle", "ended", "record",
        "chart", "turning", "remembered", "never_fired",
        "shouted", "caption_asked", "sidekick_came",
    )
)  # fmt: skip
Close: TypeAlias = Callable[[State, Orders, Given, Dice], Outcome[State]]
CLOSING: Mapping[str, Close] = {
    "powers": powers_phase.adjudicate,
    "amend": amendments.adjudicate,
    "auction": closing.adjudicate,
    "rebid": closing.adjudicate,
    "keep": second_thoughts.adjudicate,
    "round": adjudication.adjudicate,
    "reveal": old_reveal.adjudicate,
}
"""What closes each kind of phase."""
READERS: Mapping[str, Reader[State, Any]] = {
    "powers": INVENTIONS,
    "amend": AMENDMENTS,
    "auction": BIDS,
    "rebid": BIDS,
    "keep": KEEPS,
}
"""What reads the mails of each kind of phase; a round's reader those of all others."""
ADVANCING: Mapping[str, Close] = {**CLOSING, "round": partial(adjudication.adjudicate, is_told=False)}
"""The same where nobody reads what happened."""


def _in_genre(state: State, found: Parsed[Order]) -> Parsed[Order]:
    told = {name: translation.complaints(state, getattr(found, name)) for name in ("complaints", "passed", "doubts")}
    return msgspec.structs.replace(found, **told)


def _closed(
    close: Close, state: State, orders: Mapping[Seat, Sequence[Order]], given: Given, dice: Dice
) -> Outcome[State]:
    by_seat = {str(seat): tuple(sent) for seat, sent in orders.items()}
    application.check_lines(state, given.effects)
    state, retired = application.hand_to_moderator(state, given.effects)
    outcome = close(state, by_seat, given, dice)
    outcome = msgspec.structs.replace(outcome, events=(*outcome.events, *retired))
    return translation.outcome(state, application.in_names(outcome))


class Rumble(SimulatedRuleset[State, Order]):
    """Rumble classic (2003)."""

    state_type = State
    name = "rumble"
    title = "Rumble"
    contract = 2
    version = 6
    options: tuple[Option, ...] = OPTIONS
    presets: tuple[Preset, ...] = PRESETS
    seats = range(2, 33)
    event_kinds = EVENT_KINDS
    phase_kinds: tuple[str, ...] = ("powers", "amend", "auction", "rebid", "keep", "round", "reveal")
    reserved = frozenset(("idle", "unsigned"))
    questions = ("reveal",)
    reviewed: tuple[str, ...] = ("powers", "amend", "round")
    called = ("Mantisman", "Doctor Cuttlefish", "Plastiquegirl")
    says_left = True
    figures: Mapping[str, int] = FIGURES
    cast = CAST
    bots: Mapping[str, Bot[State, Order]] = BOTS
    dealable = staticmethod(dealable)
    ending = staticmethod(ending)
    pieces = power_library.PIECES
    library = staticmethod(power_library.library)
    search = staticmethod(power_library.search)
    find_piece = staticmethod(power_library.find_piece)
    read_piece = staticmethod(power_library.read_piece)
    explain_piece = staticmethod(explanations.of_lines)
    manual = staticmethod(power_library.manual)
    changed = staticmethod(changes.changed)
    renewed = staticmethod(application.with_todays_lines)
    format = staticmethod(write)
    missing = staticmethod(sets.missing)
    words = staticmethod(genre_of)
    asked = staticmethod(open_phase.asked)
    owned = staticmethod(open_phase.owned)
    hand = staticmethod(open_phase.hand)
    happened = staticmethod(happened.happened)
    exhibited = exhibits.EXHIBITED
    exhibits = staticmethod(exhibits.exhibits)
    charts = staticmethod(charts.charts)
    standing = staticmethod(facts.standing)
    explain = staticmethod(explanations.of_effect)
    fate = staticmethod(following.fate)
    foreseen = staticmethod(following.foreseen)
    guess = staticmethod(guesses.guess)
    forecast = staticmethod(guesses.forecast)

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> State:
        """
        Return the first state.

        Shape: a young house rule, such as the genre, is noted only if it is not the default, so that older states
        stay as they were.
        Rule: R2, N14, C16.
        """
        chosen = {**DEFAULTS, **house}
        noted = {name: value for name, value in chosen.items() if name not in YOUNG or value != DEFAULTS[name]}
        return deck.with_pool(state.setup(seats, noted), dice)

    def begin(
        self, seats: Mapping[Seat, str], house: Mapping[str, str], dealt: Mapping[str, Seat], dice: Dice
    ) -> State:
        """Return the first round of a simulated game."""
        return with_dealt(self.setup(seats, house, dice), dealt)

    def is_out(self, state: State, seat: Seat) -> bool:
        """Say whether a seat decides for no hero any more."""
        return seat not in state.playing

    def phase(self, state: State) -> Phase:
        """Say which phase a state is in, and who owes orders."""
        words, kind = genre_of(state.house), state.phase
        now = f"{words.round.title()} {state.round}"
        titles = {"powers": words.powers.title(), "amend": "Amendments", "auction": "Auction", "rebid": "Rebid"}
        titles |= {"keep": "Second thoughts", "round": now, "reveal": f"{now} reveal", "over": "The end"}
        owing: Iterable[str] = state.playing
        match kind:
            case "rebid":
                owing = closing.tied_seats(state)
            case "keep":
                owing = second_thoughts.pending(state)
            case "reveal":
                assert isinstance(state, question.Asking)
                owing = state.asked
            case "over":
                owing = ()
        return Phase(kind=kind, title=titles[kind], owing=tuple(map(Seat, owing)), names_absent=kind != "amend")

    def label(self, state: State, seat: Seat) -> str:
        """Return a hero's name."""
        return state.hero(seat).name

    def reader(self, state: State) -> Reader[State, Order]:
        """Return the reader of a phase. Rule: R5, R17, R18."""
        return READERS.get(state.phase, ROUNDS)

    def hear(self, state: State, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read a mail, its talk apart from its orders, and answer in the words of the game. Rule: N14."""
        return _in_genre(state, super().hear(state, seat, lines))

    def parse(self, state: State, seat: Seat, lines: Sequence[OrderLine]) -> Parsed[Order]:
        """Read lines of which each is meant as an order, and answer in the words of the game. Rule: N14."""
        return _in_genre(state, super().parse(state, seat, lines))

    def told_apart(
        self, state: State, orders: Sequence[Order], *, adds: bool
    ) -> tuple[Sequence[Order], Sequence[Order]]:
        """Part the lines that give a second amount for one thing from the others. Rule: A4."""
        return said_twice.told_apart(orders, adds=adds)

    def names_given(self, orders: Sequence[Order]) -> Collection[str]:
        """Return the names of the hero and of its Sidekicks that a set gives. Rule: B10, N11."""
        return hero_names.given(orders)

    def in_block(self, state: State, text: str) -> bool:
        """Say whether a line begins a power's free text. Rule: R17, B18."""
        if state.phase == "amend":
            return amendments.in_block(text)
        return state.phase == "powers" and inventing.in_block(text, genre_of(state.house))

    def check(self, state: State, seat: Seat, orders: Sequence[Order]) -> tuple[Complaint, ...]:
        """Complain of what is wrong with a set as a whole. Rule: R5, A1, A9, R17, R18."""
        if isinstance(state, question.Asking):
            found = question.check(state, seat, orders)
            idle = [] if found else undone.of_answer(state, seat, orders)
        else:
            found = [*sets.check(state, seat, orders)]
            idle = undone.of_set(state, seat, orders) if state.phase == "round" and not found else []
        return translation.complaints(state, [*found, *(sets.complaint(state, *fault) for fault in idle)])

    def merged(self, state: State, seat: Seat, held: Sequence[Order], sent: Sequence[Order]) -> Sequence[Order]:
        """Return the set that is meant: fewer powers than are asked for join those on hand. Rule: R17."""
        if state.phase != "powers":
            return sent
        return powers_phase.merged(held, sent, sets.powers_each(state.house))

    def may_be_short(self, state: State, seat: Seat, orders: Sequence[Order]) -> bool:
        """Say whether whoever has invented fewer powers may leave it at that. Rule: B13."""
        return state.phase == "powers" and bool(orders)

    def lacks(self, state: State, seat: Seat, orders: Sequence[Order]) -> str:
        """Return "" when a set is complete, else what it lacks."""
        return translation.in_genre(state, sets.lacks(state, seat, orders))

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[Order]], given: Given, dice: Dice
    ) -> Outcome[State]:
        """Close the phase. Rule: R4 and what each phase cites."""
        return _closed(CLOSING[state.phase], state, orders, given, dice)

    def advance(self, state: State, orders: Mapping[Seat, Sequence[Order]], given: Given, dice: Dice) -> Outcome[State]:
        """Close the phase of a simulated game, where nobody reads what happened."""
        return _closed(ADVANCING[state.phase], state, orders, given, dice)

    def load(self, data: Mapping[str, Any], version: int) -> State:
        """Return the state that `dump` wrote, or an older release."""
        return old_reveal.load(data) if data.get("phase") == "reveal" else super().load(data, version)

    def name_fact(self, state: State, said: str) -> str | phrases.Unread:
        """Find the key of a fact that a person named in words."""
        return translation.read_in_genre(state, said, facts.name_fact)

    def amend(self, state: State, key: str, value: Fact) -> State | phrases.Unread:
        """Return the state with one fact set."""
        return translation.unread(state, facts.amend(state, key, value))

    def effect(self, state: State, said: str) -> str | phrases.Unread:
        """Read what stands after `do` and return it in canonical words."""
        return translation.read_in_genre(state, said, trials.canonical)

    def lapsed(self, state: State, effect: str) -> bool:
        """Say whether an effect can do nothing any more. Rule: A32."""
        return do_lines.lapsed(state, effect)
