"""What clocks promise: aware instants in UTC that never go backwards."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from pbem.world.clock import Clock, FastClock, SystemClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize("clock", [SystemClock(), FastClock(NOON)])
def test_now_is_aware_and_in_utc(clock: Clock) -> None:
    """Whatever clock is asked, its answer says that it is UTC."""
    assert clock.now().utcoffset() == timedelta(0)


def test_a_fast_clock_stands_still_until_it_is_moved() -> None:
    """Reading does not move it; advancing moves it by just the span."""
    clock = FastClock(NOON)
    assert (clock.now(), clock.now()) == (NOON, NOON)
    clock.advance(timedelta(hours=1))
    clock.advance_to(NOON + timedelta(hours=5))
    assert clock.now() == NOON + timedelta(hours=5)


def test_a_fast_clock_never_goes_backwards() -> None:
    """An instant that has passed leaves it alone; a span below zero is refused."""
    clock = FastClock(NOON)
    clock.advance_to(NOON - timedelta(days=1))
    assert clock.now() == NOON
    with pytest.raises(ValueError, match="does not go back"):
        clock.advance(timedelta(seconds=-1))


def test_a_fast_clock_takes_any_zone_and_refuses_none() -> None:
    """Instants of other zones are turned into UTC; a naive one is nobody's."""
    clock = FastClock(NOON.astimezone(timezone(timedelta(hours=9))))
    assert clock.now() == NOON
    assert clock.now().tzinfo is UTC
    with pytest.raises(ValueError, match="has no zone"):
        clock.advance_to(datetime(2027, 1, 1))
