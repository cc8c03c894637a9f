"""What bids come to by their weighty words: offered, never taken, and never other bids than were made."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Parsed
from pbem.language.gist import gist
from pbem.language.tokens import cut
from pbem.rulesets.rumble import RULESET
from pbem.rulesets.rumble.auction.bids import BIDS
from pbem.rulesets.rumble.auction.tables import language
from pbem.rulesets.rumble.model.order import Bid
from tests.rulesets import gist_lists
from tests.rulesets.test_rumble_bids_spoken import auction

POWERS = ("Laser Eyes", "Ink Cloud", "Thick Skin", "Regeneration", "Hypnosis", "Time Warp")
STATE = auction(names=POWERS)
TABLES = language(STATE, "ada")
LISTS = gist_lists.read("gist_of_bids.toml")
FORMS = ("{n} {power}", "{power} {n}", "bid {n} {power}", "bid {power} {n}", "{power} offer {n}")
KEYS = [power.key for power in STATE.pool()]


def heard(text: str) -> Parsed[Any]:
    """Read a mail."""
    return heard_lines(gist_lists.lines_of(text))


def heard_lines(lines: Any) -> Parsed[Any]:
    """Read a mail by its lines."""
    return BIDS.hear(STATE, "ada", lines)


def written(bids: Any) -> list[str]:
    """Return bids as lines, sorted, but for those of nothing."""
    return sorted(line for line in RULESET.format(STATE, bids) if not line.endswith(" 0"))


BIDS_DRAWN = st.lists(
    st.tuples(st.integers(0, 5), st.integers(2, 40), st.sampled_from(FORMS)),
    min_size=1,
    max_size=4,
    unique_by=lambda b: b[0],
)


@given(BIDS_DRAWN, st.sampled_from(("", "Regeneration", "77", "twice", "if", "discard", "tied")), st.integers(0, 4))
def test_each_number_and_each_power_has_its_place(drawn: list[tuple[int, int, str]], more: str, at: int) -> None:
    """Bids in a row come to just these; one word more that weighs is never left out in silence."""
    said = [form.format(power=POWERS[power], n=n) for power, n, form in drawn]
    bids = tuple(Bid(KEYS[power], n) for power, n, _ in drawn)
    found = gist(TABLES, cut(", ".join([*said[:at], *([more] if more else []), *said[at:]]), TABLES.names))
    assert found == bids if not more else found != bids


@pytest.mark.parametrize(
    "text",
    [
        "20 on Ink Cloud because I like it and Hypnosis gets double", "Laser Eyes went for 30 last time",
        "Ink Cloud is worth 20 to me", "I would not pay 20 for Hypnosis", "does bid Hypnosis 20 beat 19?",
        "bid 20 on Ink Cloud unless Bo does", "at least 20 on Ink Cloud, and Hypnosis the same",
    ],
)  # fmt: skip
def test_what_binds_or_tells_is_neither_taken_nor_offered(text: str) -> None:
    """A condition, a telling, a second bid that is not a number."""
    found = heard(text)
    assert not found.offered and (not found.orders or found.complaints or found.doubts)


@pytest.mark.parametrize(("kind", "least", "wrong"), [("phrase", 12, 0), ("mail", 3, 3), ("talk", 0, 1)])
def test_the_list_of_another(kind: str, least: int, wrong: int) -> None:
    """Nothing is taken that was not meant, and hardly anything offered so."""
    came = gist_lists.counted(LISTS[kind], heard_lines, written)
    assert not came["wrong"]
    assert came["right"] + came["behind a yes"] >= least
    assert came["offered wrong"] <= wrong
