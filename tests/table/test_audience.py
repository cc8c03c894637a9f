"""Who is told what: an event for one seat reaches that seat and the moderator, and no other byte."""

from tests.conftest import Room

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


def test_what_is_for_one_seat_is_told_to_nobody_else(room: Room) -> None:
    """Each purse stands in its owner's report and the moderator's, not in the other's, nor in the public files."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    phase = room.root / "games" / "tide-1" / "phase-01"
    assert "You have 7 coins left." in room.last(ADA) and "10 coins left" not in room.last(ADA)
    assert "You have 10 coins left." in room.last(BO) and "7 coins left" not in room.last(BO)
    assert "7 coins left" in room.last(GWEN) and "10 coins left" in room.last(GWEN)
    assert "coins left" not in (phase / "report.txt").read_text()
    assert "10 coins left" not in (phase / "seats" / "ada.txt").read_text()
    assert "10 coins left" in (phase / "seats" / "bo.txt").read_text()
