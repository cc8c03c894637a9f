"""Whatever set or answer is taken is done: of what would not be, its sender hears when it comes, not in the report."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.round.question import Asking
from pbem.rulesets.rumble.round.reveal import NOBODY
from tests.rulesets.rumble_scene import lay

DICE = Dice(b"a seed for what is not done here!")
ADA, BO, CY = Seat("ada"), Seat("bo"), Seat("cy")
MINE = (
    "Zypher",
    "Barter With Fate",
    "Lizard DNA",
    "Quick Reflexes",
    "Precognition",
    "Combat Roll",
    "Clockwork Being",
    "Tough Skin",
)
THEIRS = ("Laser Eyes", "Psionic Head Exploding Rays", "Energy Bolts", "Ghost Punch")
USES = (
    *(f"use Zypher on {power} to {name}" for power in THEIRS for name in ("Bo", "Cy", "Ada")),
    *(f"barter discarding {power}" for power in MINE),
    "use Lizard DNA on Bo", "use Quick Reflexes", "use Combat Roll", "combat roll: Bo",
)  # fmt: skip
CONDITIONS = (
    "",
    "",
    "if damage > 5: ",
    "if attacked by Bo: ",
    "if targeted by Laser Eyes: ",
    "if incoming < 5: ",
    "if my energy < 40: ",
)
LINES = (
    "attack Bo 5", "defend 3", "confirm", "ask me", "hold 4 for Precognition", "plan Precognition: defend exactly incoming",
    "move 3 attack to defence", *(f"discard {power}" for power in MINE),
)  # fmt: skip
uses = st.tuples(st.sampled_from(CONDITIONS), st.sampled_from(USES)).map("".join)
sets = st.lists(st.one_of(st.sampled_from(LINES), uses), min_size=1, max_size=5)
others = st.lists(
    st.sampled_from(("attack Ada 5", "attack Ada 40", "use Laser Eyes on Ada", "use Laser Eyes on Cy", "use Energy Bolts on Ada X=5")),
    max_size=2, unique=True,
)  # fmt: skip


@st.composite
def worlds(draw: st.DrawFn, sure: Sequence[str] = ()) -> State:
    """Draw a round in which Ada has some powers for the reveal, those that are `sure` too, and Bo some to turn."""
    drawn = draw(st.lists(st.sampled_from(MINE), min_size=1, max_size=5, unique=True))
    mine = [*sure, *(name for name in drawn if name not in sure)]
    energy = (
        draw(st.sampled_from((0, 5, 10, 40, 100))) if "Clockwork Being" in mine else draw(st.sampled_from((5, 10, 40)))
    )
    given = [f"ada: Ada {energy}", "bo: Bo 100", "cy: Cy 60"]
    given += [f"ada: power {name} 10: archive" for name in mine]
    given += [f"bo: power {name} 10: archive" for name in THEIRS]
    return lay(given, {}, DICE)


def taken(state: State, seat: Seat, lines: Sequence[str]) -> tuple[object, ...] | None:
    """Return a set in which every line is read, and that is taken; None for any other."""
    parsed = RULESET.parse(state, seat, [OrderLine(number, line) for number, line in enumerate(lines, 1)])
    is_taken = parsed.orders and not parsed.complaints and not RULESET.check(state, seat, parsed.orders)
    return parsed.orders if is_taken else None


@given(worlds(), sets)
def test_alone_in_a_round_a_set_is_done_whole(state: State, lines: list[str]) -> None:
    """Nobody else does anything: nothing is left undone but what needs somebody else's use."""
    orders = taken(state, ADA, lines)
    if orders is None:
        return
    outcome = RULESET.adjudicate(state, {ADA: orders, BO: (), CY: ()}, Given(), DICE)  # type: ignore[dict-item]
    if outcome.asks:
        answered: dict[Seat, Sequence[object]] = {ADA: ()}
        outcome = RULESET.adjudicate(state, {ADA: orders, BO: (), CY: ()}, Given(answers=(answered,)), DICE)  # type: ignore[dict-item]
    undone = [event.facts["because"] for event in outcome.events if event.kind == "not_done"]
    assert [because for because in undone if because != NOBODY] == [], lines


@given(
    worlds(),
    others,
    st.lists(st.sampled_from(LINES[2:]), max_size=2, unique=True),
    st.lists(uses, min_size=1, max_size=3),
)
def test_an_answer_that_is_taken_is_done(state: State, theirs: list[str], mine: list[str], said: list[str]) -> None:
    """Whoever is asked sees all orders, so that all of an answer can be held against them; no other use is told."""
    before, sent = taken(state, ADA, ["ask me", *mine]), taken(state, BO, theirs or ["defend 1"])
    if before is None or sent is None:
        return
    orders = {ADA: before, BO: sent, CY: ()}
    asking = RULESET.adjudicate(state, orders, Given(), DICE)  # type: ignore[arg-type]
    if not asking.asks:
        return
    assert isinstance(asking.state, Asking)
    answer = taken(asking.state, ADA, [line.rpartition(": ")[2] for line in said])
    if answer is None:
        return
    given_ = Given(answers=({ADA: answer},))
    outcome = RULESET.adjudicate(state, orders, given_, DICE)  # type: ignore[arg-type]
    assert [event.facts for event in outcome.events if event.kind == "not_done"] == [], (theirs, mine, said)
    used = [event.facts["power"] for event in outcome.events if event.kind == "at_reveal"]
    fallen = outcome.state.hero(ADA).out_step == 1  # at the costs of her own orders, before anything was used
    assert len(used) == (0 if fallen else sum(type(order).__name__ == "Use" for order in answer))


SECRETS = (
    "if attacked by Ada: use Ghost Punch on Ada", "if attacked by Ada: use Ghost Punch on Cy", "if damage > 0: block evenly",
)  # fmt: skip
TURNS = tuple(f"use Zypher on Ghost Punch to {name}" for name in ("Bo", "Cy", "Ada"))


@given(
    worlds(sure=("Zypher",)),
    others,
    st.sampled_from(SECRETS),
    st.lists(st.one_of(st.sampled_from(TURNS), uses), min_size=1, max_size=2),
)
def test_no_answer_tells_what_others_keep_secret(state: State, theirs: list[str], secret: str, said: list[str]) -> None:
    """Whether an answer is taken, and why not, hangs on what lies open alone. Rule: C2, A27."""
    sent, hidden = taken(state, BO, theirs or ["defend 1"]), taken(state, BO, [*theirs, secret])
    before = taken(state, ADA, ["ask me", "attack Bo 5"])
    if before is None or sent is None or hidden is None:
        return
    told = []
    for bo in (sent, hidden):
        asking = RULESET.adjudicate(state, {ADA: before, BO: bo, CY: ()}, Given(), DICE)  # type: ignore[dict-item]
        lines = [OrderLine(number, line.rpartition(": ")[2]) for number, line in enumerate(said, 1)]
        parsed = RULESET.parse(asking.state, ADA, lines)
        told.append((asking.asks, parsed, RULESET.check(asking.state, ADA, parsed.orders)))
    assert told[0] == told[1]


@given(worlds(), sets, st.integers(0, 2))
def test_whoever_may_be_asked_is_asked(state: State, lines: list[str], kept: int) -> None:
    """Where `ask me` is taken, its sender is asked, whatever else the set says, or if it discards all powers but some."""
    lines = [f"discard {power.name}" for power in state.owned(ADA)[kept:]] or lines
    orders = taken(state, ADA, [*lines, "ask me"])
    if orders is not None:
        outcome = RULESET.adjudicate(state, {ADA: orders, BO: (), CY: ()}, Given(), DICE)  # type: ignore[dict-item]
        assert outcome.asks
