"""What every small game repeats: a game that says the least is a ruleset, and its defaults say what they refuse."""

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from pbem.ground.terms import OrderLine
from pbem.language.phrases import Unread
from pbem.ruleset import Dice, Given, Language, Outcome, Phase, Placed, Reader, Ruleset, Seat, SimpleTables
from tests import harbour

ADA = Seat("ada")


class Nod(Placed, frozen=True, eq=False):
    """The one order."""


class Names(msgspec.Struct, frozen=True):
    """The one thing that there is."""

    names: dict[Seat, str]


class Nods(Reader[Names, Nod]):
    """The least that can be sent."""

    def language(self, state: Names, seat: str) -> Language:
        """A nod."""
        return TABLES.language({"nod": Nod}, {})


TABLES = SimpleTables("NOD nod nods", "order.nod: NOD")
NODS = Nods()


class Nodding(Ruleset[Names, Nod]):
    """A game in which everybody nods, for ever."""

    name, title, version, seats = "nodding", "Nodding", 1, range(1, 3)
    event_kinds = frozenset[str]()
    phase_kinds: tuple[str, ...] = ("day",)
    state_type = Names

    def setup(self, seats: Mapping[Seat, str], house: Mapping[str, str], dice: Dice) -> Names:
        """Seat them."""
        return Names(dict(seats))

    def phase(self, state: Names) -> Phase:
        """Another day."""
        return Phase(kind="day", title="A day", owing=tuple(state.names))

    def reader(self, state: Names) -> Reader[Names, Nod]:
        """Nods alone are sent."""
        return NODS

    def adjudicate(
        self, state: Names, orders: Mapping[Seat, Sequence[Nod]], given: Given, dice: Dice
    ) -> Outcome[Names]:
        """Go on."""
        return Outcome(state=state, verdicts=(), events=())


NODDING: Ruleset[Names, Nod] = Nodding()
STATE = NODDING.setup({ADA: "Ada"}, {}, Dice(bytes(32)))


def test_a_game_that_says_the_least_is_played() -> None:
    """Its lines are read and written, its state is kept, and what it does not say is what is usual."""
    parsed = NODDING.parse(STATE, ADA, [OrderLine(1, "nod; Nod"), OrderLine(2, "bow")])
    assert NODDING.format(STATE, parsed.orders) == ("nod", "nod")
    assert [(one.line, one.text, one.because) for one in parsed.complaints] == [
        (2, "bow", 'I cannot read this as an order. What would work: "nod".')
    ]
    assert NODDING.load(NODDING.dump(STATE), 1) == STATE
    assert (NODDING.lacks(STATE, ADA, ()), NODDING.lacks(STATE, ADA, (Nod(),))) == ("an order", "")
    assert NODDING.hand(STATE, ADA, (Nod(),)) == {"orders": ["nod"]}
    assert NODDING.label(STATE, ADA) == "Ada"


def test_a_game_without_facts_and_effects_says_so() -> None:
    """A moderator hears that there is nothing to name."""
    refusals = [
        NODDING.name_fact(STATE, "coins of ada"),
        NODDING.effect(STATE, "gain ada 3"),
    ]
    assert [isinstance(one, Unread) and one.because for one in refusals] == [
        "Nodding has no facts that a ruling can name.",
        "Nodding has no effects.",
    ]


@pytest.mark.parametrize(
    ("key", "value", "because"),
    [
        ("hulks of ada", 3, "Only coins can be set."),
        ("coins of nobody", 3, "Only coins can be set."),
        ("coins of ada", True, "Write a number for coins of ada."),
    ],
)
def test_what_cannot_be_set_is_refused(key: str, value: int, because: str) -> None:
    """A value of another kind too."""
    state = harbour.RULESET.setup({ADA: "Ada"}, {"nmr_bid": "0"}, Dice(bytes(32)))
    assert harbour.RULESET.amend(state, key, value) == Unread("illegal", because)
