"""Pools that are dealt: no power twice, of the tiers that were asked for, and everybody reads them before they bid."""

import pytest

from pbem.ground.terms import Given, OrderLine, Seat
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.powers.archive import archive
from tests.rulesets.test_rumble_laws import DICE
from tests.rulesets.test_rumble_letters import hold_to_the_law, letter

TIER = {power.name: power.tier for power in archive()}
TWO = {Seat("ada"): "Ada", Seat("bo"): "Bo"}


@pytest.mark.parametrize(
    ("tiers", "allowed"),
    [
        ("all", {"unsorted", "intermediate", "advanced"}),
        ("intermediate", {"unsorted", "intermediate"}),
        ("unsorted", {"unsorted"}),
    ],
)
def test_a_dealt_pool_is_of_its_tiers(tiers: str, allowed: set[str]) -> None:
    """As many seats as possible are dealt all that there is, each power once, in a drawn order."""
    seats = {Seat(f"s{number}"): f"Hero {number}" for number in range(1, 33)}
    state = RULESET.setup(seats, {"pool": "dealt", "tiers": tiers}, DICE)
    names = [power.name for power in state.powers]
    assert RULESET.phase(state).kind == "auction" and len(RULESET.phase(state).owing) == 32
    assert sorted(names) == sorted(name for name, tier in TIER.items() if tier in allowed)
    assert [power.key for power in state.powers[:2]] == ["P01", "P02"] and names != sorted(names)


def test_a_dealt_pool_holds_two_powers_a_hero_and_stands_in_the_first_letter() -> None:
    """The letter that asks for bids has their texts, and no line of it is an order."""
    state = RULESET.setup(TWO, {"pool": "dealt"}, DICE)
    assert len(state.powers) == 4 and all(power.lines for power in state.powers)
    told = letter("asked", RULESET.asked(state, Seat("ada")))
    flat = " ".join(told.replace(":", " ").split())
    assert all(" ".join(power.text.replace(":", " ").split()) in flat for power in state.powers)
    hold_to_the_law(told, (state,))


def test_a_mixed_pool_has_one_invented_and_one_dealt_power_a_hero() -> None:
    """Each is asked for one; what is dealt bears no name that somebody thought of."""
    state = RULESET.setup(TWO, {"pool": "mixed"}, DICE)
    asked = letter("asked", RULESET.asked(state, Seat("ada")))
    assert "Invent one power for" in asked and asked.count("text: ____") == 1
    lines = ["power: Flight", "text: You may fly.", "", "Hope you like it,", "Ada"]
    parsed = RULESET.parse(state, Seat("ada"), [OrderLine(n, line) for n, line in enumerate(lines, 1)])
    assert not parsed.complaints and not RULESET.check(state, Seat("ada"), parsed.orders)
    assert RULESET.lacks(state, Seat("ada"), parsed.orders) == ""
    after = RULESET.adjudicate(state, {Seat("ada"): parsed.orders, Seat("bo"): ()}, Given(), DICE).state
    assert sorted(power.author for power in after.powers) == ["", "", "ada"]
    assert sum(power.name == "Flight" for power in after.powers) == 1 and after.phase == "auction"


@pytest.mark.parametrize("pool", ["invented", "dealt", "mixed"])
def test_the_opening_says_where_powers_come_from(pool: str) -> None:
    """So do the invitation and the handbook."""
    facts = {"names": ["Ada"], "house": {"pool": pool}, "figures": dict(RULESET.figures)}
    said = {
        "invented": ("everyone invents two powers", "all invent powers"),
        "dealt": ("two powers for each are dealt", "all bid for powers in secret"),
        "mixed": ("everyone invents one power, and as many are dealt", "all invent powers"),
    }[pool]
    for brief, words in zip((False, True), said, strict=True):
        assert words in " ".join(letter("opening", facts | {"brief": brief}).split())
