"""Mails of a brawl and of a disc battle that were written to be misheard: what came of them once does not any more."""

from typing import Any

import pytest

from tests.rulesets import gist_lists
from tests.rulesets.test_brawl_gist import heard as in_a_brawl
from tests.rulesets.test_brawl_gist import written as of_a_brawl
from tests.rulesets.test_discs_gist import heard as in_discs
from tests.rulesets.test_discs_gist import written as of_discs

MAILS = gist_lists.read("gist_misheard.toml")["mail"]
GAMES: dict[str, tuple[Any, Any]] = {"brawl": (in_a_brawl, of_a_brawl), "discs": (in_discs, of_discs)}


@pytest.mark.parametrize("cause", sorted({mail["cause"] for mail in MAILS}))
def test_what_was_misheard_is_neither_taken_nor_offered(cause: str) -> None:
    """Amounts for dice, articles for a die, others' deeds, conditions and corrections that were lost, pasts."""
    for mail in (one for one in MAILS if one["cause"] == cause):
        hear, write = GAMES[mail["game"]]
        found = hear(gist_lists.lines_of(mail["text"]))
        assert write(found.offered) != mail["got"], mail["text"]
        assert found.complaints or found.doubts or write(found.orders) != mail["got"], mail["text"]


@pytest.mark.parametrize("game", [*GAMES])
@pytest.mark.parametrize(
    "text", ["attack {} with it", "{} to bud", "throw {}", "round {}, hit bud", "a {} on bud and b damage"]
)
def test_a_number_of_ten_thousand_digits_is_no_more_than_a_complaint(game: str, text: str) -> None:
    """Wherever a coarse table meets it."""
    found = GAMES[game][0](gist_lists.lines_of(text.format("1" * 10_000)))
    assert not found.orders
    assert not found.offered
