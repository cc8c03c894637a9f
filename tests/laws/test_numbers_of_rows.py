"""Law: each row of a set on hand has a number of its own in the letter, and `drop` takes out that row, or is refused."""

import re
from functools import cache

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.rulesets.rumble.model.state import Hero, Power
from pbem.table.model.table import Table
from tests.depth import examples
from tests.hall.test_changes import on_hand, sent
from tests.hall.test_talk import SEAT, table_of
from tests.rulesets.test_rumble_letters import letter

MINE = ("attack Bo 10", "attack Cy 10", "defend 10", "block largest first")
ROBINS = ("attack Bo 10", "attack Cy 10", "defend 10")


@cache
def with_a_sidekick() -> Table:
    """Return the table of a first round in which Ada has a Sidekick."""
    table = table_of("rumble")
    robin = Hero(Seat("sidekick_P01"), "Robin", 50, power="P01")
    power = Power(1, "Sidekick", "You have a Sidekick.", owner="ada", lines="when: won\ndo: sidekick 50")
    state = msgspec.structs.replace(table.state, heroes=(*table.state.heroes, robin), powers=(power,))
    table = msgspec.structs.replace(table, state=state, phase=table.ruleset.phase(state))
    return msgspec.structs.replace(table, base=table)


def numbered_rows(table: Table) -> list[tuple[str, str, str]]:
    """Return the rows of the letter that shows the set on hand: whose they are, their numbers, their words."""
    text = letter("hand", table.ruleset.hand(table.seen_by(SEAT), SEAT, tuple(table.orders(SEAT))))
    found = []
    whose = ""
    for line in text.split("\n"):
        whose = line if "On hand" in line else whose
        if row := re.fullmatch(r" +(\d+)  (.+)", line):
            found.append((whose, row[1], row[2]))
    return found


def chosen(pool: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Draw some lines of a pool, in any order."""
    return st.lists(st.sampled_from(pool), min_size=1, unique=True)


@settings(max_examples=examples(40))
@given(chosen(MINE), chosen(ROBINS), st.booleans())
def test_what_is_dropped_is_the_row_of_that_number(mine: list[str], robins: list[str], is_on_one_line: bool) -> None:
    """The owner's rows and the Sidekick's; part of a line is not taken out alone."""
    said = [f"sidekick: {'; '.join(robins)}"] if is_on_one_line else [f"sidekick: {line}" for line in robins]
    table = sent(with_a_sidekick(), *mine, *said)[1]
    rows = numbered_rows(table)
    assert [number for _, number, _ in rows] == [str(at + 1) for at in range(len(mine) + len(robins))]
    for at, (whose, number, _) in enumerate(rows):
        entry, after = sent(table, f"drop line {number}", hours=2)
        if entry.taken:
            left = [(one, words) for one, _, words in (*rows[:at], *rows[at + 1 :])]
            assert [(one, words) for one, _, words in numbered_rows(after)] == left
        else:
            assert "Robin" in whose and is_on_one_line and len(robins) > 1
            assert on_hand(after) == on_hand(table) and not after.moved(SEAT)
