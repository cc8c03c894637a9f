"""Him and her are whoever was named last, in a sentence or before it, and nobody where that is not one."""

import pytest

from tests.rulesets.gist_lists import lines_of
from tests.rulesets.test_brawl_gist import heard as brawl
from tests.rulesets.test_brawl_gist import written as in_brawl
from tests.rulesets.test_rumble_gist import heard as rumble
from tests.rulesets.test_rumble_gist import written as in_rumble


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Breeze is such a pest. 20 points on her please", ["attack Breeze 20"]),
        ("Bolt annoys me, so I slam him with 20", ["attack Bolt 20"]),
        ("65 def, 15 poke on bolt just to annoy him", ["attack Bolt 15", "defend 65"]),
        ("Bolt and Breeze are pests. 20 points on her please", []),
        ("Bolt is a pest. Breeze too. 20 points on her please", ["attack Breeze 20"]),
        ("20 points on her please", []),
        ("Bolt beat Breeze, so I slam him with 20", []),
        ("Bolt annoys me. her shield is 20", []),
    ],
)
def test_in_a_round_of_rumble(text: str, offered: list[str]) -> None:
    """Nothing is offered where it may be somebody else."""
    assert in_rumble(rumble(text).offered) == offered


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Bud is mean!! smash him with a and do damage with d", ["attack Bud with a damage d"]),
        ("bud is my friend so i give him my d", ["drop d coop Bud"]),
        ("smash him with a and do damage with d", []),
        ("Bud hit Doctor Hook. smash him with a and do damage with d", []),
    ],
)
def test_in_a_round_of_the_brawl(text: str, offered: list[str]) -> None:
    """The same."""
    assert in_brawl(brawl(lines_of(text)).offered) == offered
