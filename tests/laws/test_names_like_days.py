"""Law: on somebody who is called like a day or a month as much is added as on anybody else (A4)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.speech.figures import CALENDAR
from tests.depth import examples, some
from tests.hall.test_changes import on_hand, sent
from tests.hall.test_talk import SEAT, table_of

NAMES = sorted({day.capitalize() for day in CALENDAR if day.isascii() and len(day) > 1})
FORMS = ("another {} on {}", "also {} on {}", "an extra {} on {}", "also: {} on {}", "and another {} on {}", "plus {} on {}", "add {} on {}", "{} on {} too", "also {1} {0}", "another {} on {}, please")  # fmt: skip


def added(name: str, form: str, amount: int, *before: str) -> tuple[tuple[str, ...], bool, bool]:
    """Return what is on hand once somebody has sent a set, and another mail; whether it changed it, and is settled."""
    table = sent(table_of("rumble", name), *before)[1] if before else table_of("rumble", name)
    entry, after = sent(table, form.format(amount, name), hours=2)
    return on_hand(after), entry.changes, after.moved(SEAT)


@settings(max_examples=examples(100))
@given(st.sampled_from(NAMES), st.sampled_from(FORMS), st.integers(1, 31), st.booleans())
def test_it_joins_the_set_on_hand(name: str, form: str, amount: int, is_there: bool) -> None:
    """As `also attack` does."""
    before = ("attack Bo 20", "defend 30", *([f"attack {name} 2"] if is_there else []))
    wanted = (*before, f"also attack {name} {amount}" if is_there else f"attack {name} {amount}")
    assert added(name, form, amount, *before) == (wanted, True, True)


@pytest.mark.parametrize("name", ["Mo", "Mon", "May", "Sun", "Sat", "Mi", "Fr", "Wed", "Thu", "Tue", "Fri", "Di"])
@pytest.mark.parametrize("form", some(4, FORMS))
def test_no_day_is_read_otherwise_than_another_name(name: str, form: str) -> None:
    """Whatever the words."""
    before = ("attack Bo 20", "defend 30")
    hand, *rest = added("Zed", form, 5, *before)
    assert added(name, form, 5, *before) == (tuple(one.replace("Zed", name) for one in hand), *rest)
