"""Laws of questions in the middle of a phase, over drawn mails, rulings and times: a game goes on, and folds the same."""

import tempfile
from datetime import timedelta
from pathlib import Path

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.table.model.table import Table
from tests.conftest import Room
from tests.depth import at_first
from tests.harbour.tiebreak import TieBreak

SEATS = ("ada", "bo", "cy")
bids = st.builds(lambda seat, coins: (seat, f"bid {coins}"), st.sampled_from(SEATS), st.integers(0, 3))
odd_lines = st.builds(
    lambda seat, said: (seat, said),
    st.sampled_from(SEATS),
    st.sampled_from(["wait", "ready", "cancel", "standing on", "for Tide 2: bid 1", "bid lots", "status", "to Bo: hm"]),
)
rulings = st.sampled_from([
    "extend 1h because of rain",
    "close now because all is said",
    "pause because of a storm",
    "resume",
    "set coins of Bo 5 because he found one",
    "set coins of Bo 2 because of a fine",
    "set coins of Ada 1 because of a fine\nset coins of Bo 1 because of a fine",
    "set coins of Cy 2 because of a fine\nextend 1h because of the fine",
    "order Bo: bid 2 because he called",
    "order Ada: bid 0 because she called",
    "excuse Cy because he is ill",
    "strike Ada 1 because it was a slip",
    "overrule bid of Bo = 1 because he meant so",
    "hold", "undo 1", "undo 2", "undo 3", "approve 1", "approve 2", "test\nclose now because of a test",
]).map(lambda said: ("gwen", said))  # fmt: skip
spans = st.sampled_from([1, 30, 60, 24 * 60 + 5, 73 * 60]).map(lambda minutes: ("", str(minutes)))
steps = st.lists(st.one_of(bids, bids, bids, odd_lines, rulings, spans), min_size=3, max_size=25)
tie = [("ada", "bid 3"), ("bo", "bid 3"), ("cy", "bid 2")]
plays = st.one_of(steps, st.tuples(rulings, steps).map(lambda drawn: [*tie, drawn[0], *drawn[1]]))


@settings(max_examples=at_first(2))
@given(plays, st.booleans())
@example(
    [*tie, ("gwen", "set coins of Ada 1 because of a fine\nset coins of Bo 1 because of a fine"), ("", "30")], False
)
@example([*tie, ("ada", "bid 0"), ("gwen", "set coins of Bo 2 because of a fine"), ("gwen", "undo 1")], True)
def test_a_game_with_questions_goes_on_and_folds_the_same(steps: list[tuple[str, str]], has_review: bool) -> None:
    """Whatever is written when: nothing breaks, a fresh process sees the same table, and the game comes to its end."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder), {"harbour": TieBreak()})
        room.found(*SEATS, review=("tide",) if has_review else ())
        asked: set[str] = set()
        for who, said in steps:
            if who:
                room.write(f"{who}@example.org", said)
            swept = room.sweep(timedelta(minutes=1 if who else int(said)))
            assert not swept.troubles, swept.troubles
            before = room.table()
            room.reopen()
            assert folded(room.table()) == folded(before)
            if before.sealed:
                assert before.owing == tied(before)
                asked |= set(before.owing)
            assert readers(room) == asked
        room.write("gwen@example.org", "resume\nclose now because it is late")
        for _ in range(60):
            room.write("gwen@example.org", f"approve {room.table().proof}")
            assert not room.sweep(timedelta(hours=80)).troubles
            if room.table().status == "over":
                break
        assert room.table().status == "over"
        room.arena.close()


def folded(table: Table) -> list[object]:
    """Return what a table says, in which the same journal gives the same."""
    said = {
        field: getattr(table, field) for field in table.__struct_fields__ if field not in ("base", "sealed", "keys")
    }
    said["ruleset"] = said["log"] = said["dice"] = None
    return [*said.values(), table.sealed and msgspec.structs.replace(table.sealed, base=None, log=()).sets.hand]


def tied(table: Table) -> tuple[str, ...]:
    """Reckon who has bid alike by the sets that are in, the answers, and the purses of now."""
    assert table.sealed is not None
    sent = dict.fromkeys(SEATS, 0)
    for hand in (table.sealed.sets.hand, *table.sets.answers):
        for seat, held in hand.items():
            more = sum(int(line.removeprefix("bid ")) for line in held.orders)
            sent[seat] = min(table.state.coins[seat], sent[seat] + more)
    return tuple(seat for seat in SEATS if sent[seat] == max(sent.values()))


def readers(room: Room) -> set[str]:
    """Return who has had a question."""
    said = {seat: [line for one in room.letters(f"{seat}@example.org") for line in one.body] for seat in SEATS}
    return {seat for seat, lines in said.items() if any("A question: tide-1" in line for line in lines)}
