"""Games that many tests of the hall begin with."""

import pytest

from tests.conftest import Room


@pytest.fixture
def open_room(room: Room) -> Room:
    """A harbour game in its first tide."""
    room.found("ada", "bo")
    return room


@pytest.fixture
def reviewed(room: Room) -> Room:
    """A harbour game whose tides wait for the moderator; both bids are in and proof 1 is out."""
    room.found("ada", "bo", review=("tide",))
    room.write("ada@example.org", "bid 3")
    room.write("bo@example.org", "bid 1")
    room.sweep()
    return room
