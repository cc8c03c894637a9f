"""A mail that the mailbox names and does not hand out: phases wait for it for three sweeps, and no longer."""

from datetime import timedelta

import pytest

from pbem.hall.keeping import health
from pbem.hall.sweep.sweep import MOST_WAITED
from tests.conftest import Room, flat

ADA, BO = "ada@example.org", "bo@example.org"


@pytest.fixture
def due(room: Room) -> Room:
    """Return a game whose deadline has passed, with an order of each, of which Ada's cannot be had."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.mailbox.kept = {mail.name for mail in room.mailbox.waiting}
    room.write(BO, "bid 2")
    deadline = room.table().deadline
    assert deadline
    room.clock.advance(deadline - room.clock.now() + timedelta(minutes=5))
    return room


def test_a_phase_waits_for_it_for_three_sweeps(due: Room) -> None:
    """The mail of others is taken at once; then it is passed over, and told until it comes."""
    for sweep in range(MOST_WAITED):
        swept = due.sweep(timedelta(minutes=1))
        is_last = sweep == MOST_WAITED - 1
        assert is_last or due.table().hand["bo"].orders == ("bid 2",)
        assert (due.table().number > 1 or due.table().status == "closed") == is_last
        assert any("does not hand it out" in trouble for trouble in swept.troubles)
    told = health.assess(due.arena, due.sweep(timedelta(minutes=1)), None, due.clock.now())
    assert any("does not hand it out" in line for line in health.state(told, []))
    (odd,) = [one for one in due.arena.index.counters.odd() if "does not hand it out" in one.what]
    assert odd.times == MOST_WAITED + 1


def test_once_it_comes_it_is_judged_by_when_it_arrived(due: Room) -> None:
    """Nothing of it is lost: who sent it, in time, is told why it does not count by itself."""
    for _ in range(MOST_WAITED):
        due.sweep(timedelta(minutes=1))
    due.mailbox.kept.clear()
    swept = due.sweep(timedelta(minutes=1))
    assert not swept.troubles and swept.mails == 1
    assert "bid 3" in flat(due.last(ADA)) or "phase that is closed" in flat(due.last(ADA))


def test_a_mail_that_comes_in_the_second_sweep_counts(due: Room) -> None:
    """As if nothing had been."""
    due.sweep(timedelta(minutes=1))
    due.mailbox.kept.clear()
    due.sweep(timedelta(minutes=1))
    assert any(letter.body[0].startswith("Taken") for letter in due.letters(ADA))
    assert due.table().number == 2
