"""Law: `another N` behind an order adds N to that order alone, or it is asked about; it doubles nothing (A4)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.model.order import Attack, Defend, Hold, Idle, Use
from pbem.rulesets.rumble.model.state import Power, State
from pbem.rulesets.rumble.orders.said_twice import told_apart
from pbem.rulesets.rumble.powers.archive import lines_of
from tests.depth import examples
from tests.hall.test_changes import on_hand, sent, with_set
from tests.hall.test_talk import SEAT

NAMES = {"bo": "Bolt", "cy": "Tom and Jerry", "di": "Agent 47", "eve": "Cuttle"}
POWERS = {
    "Laser Eyes": "Spend 10 and choose a Hero: Do 5 unavoidable damage to that Hero.",
    "Precognition": "You may choose how to put Energy into Attack or Defense after other people have revealed their choices.",
}  # fmt: skip
ATTACKS = ("attack {} {}", "attack {} with {}", "attack {}: {}", "hit {} for {} energy")
DEFENDS = ("defend {}", "defence {}", "{} for defence", "defend: {}")
OTHERS = ("block largest first", "use Laser Eyes on Bolt", "ask me")
MORE = ("{}and another {}", "{}another {}", "{}plus an extra {}", "{}and {} more", "{}and an additional {} energy")
BETWEEN = (", ", "; ", " and ", ". ", "\n", "\nalso ", ", also ")


def _state() -> State:
    seats = {Seat("ada"): "Mantis"} | {Seat(seat): name for seat, name in NAMES.items()}
    state = RULESET.setup(seats, {}, Dice(bytes(32)))
    powers = tuple(
        Power(number, name, text, owner="ada", lines=lines_of(name, text))
        for number, (name, text) in enumerate(POWERS.items(), 1)
    )
    return msgspec.structs.replace(state, phase="round", round=1, powers=powers)


STATE = _state()


def attacks(names: Sequence[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str, int]]:
    """Draw an order to attack somebody: what it adds to, its words, its amount."""
    return st.builds(
        lambda form, one, n: (one[0], form.format(one[1], n), n),
        st.sampled_from(ATTACKS), st.sampled_from(names), st.integers(1, 6),
    )  # fmt: skip


defends = st.builds(lambda form, n: ("defend", form.format(n), n), st.sampled_from(DEFENDS), st.integers(1, 6))
idles = st.integers(1, 6).map(lambda n: ("idle", f"idle {n}", n))
holds = st.integers(1, 6).map(lambda n: ("hold", f"hold {n} for Precognition", n))
others = st.sampled_from(OTHERS).map(lambda text: ("", text, 0))
more = st.lists(
    st.tuples(st.sampled_from(MORE), st.sampled_from((" ", " ", ", ", "\n")), st.integers(1, 6)), max_size=2
)


def said(
    orders: Sequence[tuple[tuple[str, str, int], Sequence[tuple[str, str, int]]]], between: Sequence[str]
) -> tuple[str, Counter[str], bool]:
    """Return the text of orders with what adds to each, the sums that it says, and whether all of them can be known."""
    text, sums, is_clear = "", Counter[str](), True
    for (what, words, amount), adding in orders:
        joint = between[len(text) % len(between)]
        text += (joint if text else "") + words
        sums[what] += amount
        for form, lead, extra in adding:
            text += form.format(lead, extra)
            sums[what] += extra
            is_clear = is_clear and what != ""
    return text, sums, is_clear


def summed(orders: Sequence[Any]) -> Counter[str]:
    """Return what a set comes to, for each thing."""
    sums = Counter[str]()
    for one in orders:
        match one:
            case Attack():
                sums[one.on] += one.amount
            case Defend() | Idle() | Hold():
                sums[type(one).__name__.casefold()] += one.amount
            case Use():
                sums["use"] += one.times
    return sums


pairs = st.tuples(st.one_of(attacks([*NAMES.items()]), defends, idles, holds, others), more)


@settings(max_examples=examples(300))
@given(
    st.lists(pairs, min_size=1, max_size=4, unique_by=lambda one: one[0][0] or one[0][1]),
    st.lists(st.sampled_from(BETWEEN), min_size=1, max_size=3),
)
def test_the_sum_is_what_was_said(orders: Any, between: Sequence[str]) -> None:
    """Of orders, powers and holds, in any words and on any lines; a power is used once."""
    text, wanted, is_clear = said(orders, between)
    wanted["use"] = text.count("use ")
    lines = [OrderLine(number, line) for number, line in enumerate(text.split("\n"), 1)]
    parsed = RULESET.parse(STATE, Seat("ada"), lines)
    once, again = told_apart(parsed.orders, adds=False)
    found = summed([*once, *again])
    assert not found - wanted, (text, found)
    if not parsed.complaints and not again:
        assert is_clear and not (found - wanted or wanted - found), (text, found)


@settings(max_examples=examples(60))
@given(
    attacks([("cy", "Cy")]), more, defends, st.sampled_from(BETWEEN[:4]), st.sampled_from(("also ", "and ", "plus "))
)
def test_so_it_is_with_what_joins_the_set_on_hand(attack: Any, adding: Any, defend: Any, joint: str, lead: str) -> None:
    """What was on hand stays once, and so does what stands before."""
    text, wanted, _ = said([(defend, ()), (attack, adding)], [joint])
    table = with_set("rumble", "attack Bo 20", "defend 3")
    entry, after = sent(table, *f"{lead}{text}".split("\n"), hours=2)
    if not after.moved(SEAT):
        assert on_hand(after) == on_hand(table)
        return
    assert entry.changes
    assert summed(after.orders(SEAT)) == wanted + Counter(bo=20, defend=3), text
