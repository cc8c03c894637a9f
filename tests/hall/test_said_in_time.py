"""What letters say in time: of a ruling on facts, of a phase that closes at once, of a set that is not whole."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.ground.terms import GameName
from pbem.hall.commands import status
from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room, flat

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish"}
GAME = "ember-7"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, played so far once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES)
    room.arena.close()
    return room


@pytest.fixture
def rumble(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """A game of Rumble with the review that it has by itself, in the Powers phase."""
    yield from begun.lent(tmp_path / "arena")


def to_the_first_round(room: Room) -> None:
    """Let phases pass until the first round is open."""
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))


def letters_to(room: Room, to: str) -> str:
    """Return all that somebody was sent."""
    return "\n".join("\n".join(letter.body) for letter in room.letters(to))


def test_a_ruling_on_what_everybody_sees_is_told_to_all_with_how_things_stand(rumble: Room) -> None:
    """Energy is public, so each seat hears of it, beside the clock's rulings, and reads the new sum."""
    to_the_first_round(rumble)
    rumble.write(ADA, "attack Cuttlefish 10")
    rumble.sweep()
    rumble.write(GWEN, "set energy Cuttlefish 50 because of the flood\nextend 2h")
    rumble.sweep()
    for reader in (ADA, BO):
        told = flat(rumble.last(reader))
        assert "set energy of Doctor Cuttlefish = 50 because of the flood" in told, told
        assert "extend 2 h" in told
    assert "Split your 50 Energy" in flat(rumble.last(BO))
    assert "Attack on Doctor Cuttlefish" in rumble.last(ADA)
    rumble.write(GWEN, "undo 1")
    rumble.sweep()
    assert "Ruling 1 is taken back" in rumble.last(BO) and "Split your 100 Energy" in flat(rumble.last(BO))


def test_a_ruling_on_what_one_seat_sees_is_told_to_no_other(room: Room) -> None:
    """A purse of Harbour is shown to its owner alone, so nobody else hears that it was changed."""
    room.found("ada", "bo")
    before = len(room.letters(BO))
    room.write(GWEN, "set coins Ada 7 because of the storm")
    room.sweep()
    assert "because of the storm" in room.last(ADA) and "To you alone" in room.last(ADA)
    assert len(room.letters(BO)) == before
    room.write(GWEN, "set coins Ada 6 because of the rain\nextend 2h")
    room.sweep()
    assert "extend 2 h" in room.last(BO) and "rain" not in letters_to(room, BO)


def test_the_receipt_that_completes_a_phase_says_that_it_closes_now(room: Room) -> None:
    """Whom nobody is waited for is told no deadline; the one before is told who is waited for."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    assert "Deadline" in room.last(ADA) and "Waiting for 1 of 2." in room.last(ADA)
    room.write(BO, "bid 1")
    room.sweep()
    receipt = next(text for text in _bodies(room, BO) if text.startswith("Taken."))
    assert "All have moved, so the phase closes now." in receipt
    assert "Deadline" not in receipt and "waited for" not in receipt


def test_where_a_phase_ends_at_its_deadline_it_does_not_close_at_once(room: Room) -> None:
    """Then the deadline is said, and that nobody is waited for."""
    room.found("ada", "bo", close="at deadline")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    assert "Deadline" in room.last(BO) and "Nobody is waited for any more." in room.last(BO)


def test_the_echo_of_close_now_shows_no_deadline(room: Room) -> None:
    """The phase closes in the same sweep, so nobody is waited for."""
    room.found("ada", "bo")
    room.write(GWEN, "close now")
    room.sweep()
    echo = next(text for text in _bodies(room, GWEN) if "Your rulings" in text)
    assert "The phase closes now." in echo and "Deadline" not in echo and "Waiting for" not in echo


def test_a_round_waits_for_its_moderator_by_itself(rumble: Room) -> None:
    """What powers did has to be said before a report goes out; silence still lets it out."""
    to_the_first_round(rumble)
    rumble.write(ADA, "defend 10")
    rumble.write(BO, "defend 10")
    rumble.sweep()
    assert rumble.table(GAME).status == "closed"
    assert "Proof 1" in rumble.last(GWEN)
    told = status.as_text(status.facts_of(rumble.arena.ledger(GameName(GAME)).table, rumble.arena.people))
    assert "proof 1 waits for the moderator to say: approve 1; silence lets it out at 20" in told
    rumble.write(GWEN, "hold")
    rumble.sweep()
    assert "held until then" in status.as_text(
        status.facts_of(rumble.arena.ledger(GameName(GAME)).table, rumble.arena.people)
    )
    rumble.write(GWEN, "approve 1")
    rumble.sweep()
    assert rumble.table(GAME).title == "Round 2"


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (
            {},
            "as a proof: powers, amend and round. It goes out when you approve it, and by itself once you have said nothing",
        ),
        ({}, "Reports of other kinds go out unseen: auction, rebid and keep."),
        ({"review": ()}, "None: every report goes out as soon as its phase closes"),
    ],
)
def test_the_founding_letter_says_which_reports_wait(tmp_path: Path, terms: dict[str, object], said: str) -> None:
    """And where that is changed."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, **terms)
    founded = flat(_bodies(room, GWEN)[0])
    assert said in founded and "the line review in charter.toml" in founded
    room.arena.close()


def test_an_invitation_says_who_invites(room: Room) -> None:
    """The moderator's address is what a friend knows."""
    room.found("ada", "bo")
    assert GWEN in _bodies(room, ADA)[0]


def test_one_power_of_two_is_not_ready_and_says_so(rumble: Room) -> None:
    """The receipt names the second power as what is missing."""
    rumble.write(ADA, "power: Tough Hide\ntext: +15 to your Defence.")
    rumble.sweep()
    told = flat(rumble.last(ADA))
    assert told.startswith("Taken. Still lacking: one more power.") and "It counts as ready only once" in told
    rumble.write(ADA, "cancel")
    rumble.sweep()
    rumble.write(ADA, "power: Tough Hide\ntext: +15 to your Defence.\n\npower: Bare")
    rumble.sweep()
    assert "Still lacking: one more power, in a set whose lines can all be read." in flat(rumble.last(ADA))


def test_to_leave_an_unreadable_line_out_completes_a_set(rumble: Room) -> None:
    """The receipt says so, and it is so."""
    to_the_first_round(rumble)
    rumble.write(ADA, "defend 10\nattack Nobody 20")
    rumble.sweep()
    assert "a set whose lines can all be read (to leave the others out is enough)" in flat(rumble.last(ADA))
    rumble.write(ADA, "defend 10.")
    rumble.sweep()
    assert "Complete now." in rumble.last(ADA) and rumble.table(GAME).moved("mantisman")


def test_requests_may_end_in_a_full_stop(room: Room) -> None:
    """As orders may; press keeps its own."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3.\nstanding on.\nzone Europe/London.\npress to all: Good luck.")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    assert any("From now on your letters show times in Europe/London" in text for text in _bodies(room, ADA))
    assert ": Good luck." in room.last(BO)
    assert room.table().sets.later["ada"]


def test_the_clocks_rulings_may_end_in_a_full_stop(room: Room) -> None:
    """A span and an instant are read without it."""
    room.found("ada", "bo")
    room.write(GWEN, "extend 24h.\ndeadline 2026-11-28 20:00.")
    room.sweep()
    assert "Not taken" not in room.last(GWEN) and "28 Nov 20:00" in room.last(ADA)


def test_a_ruling_in_a_phase_that_closes_now_asks_for_nothing(rumble: Room) -> None:
    """The notice says what was ruled, and that it is too late to answer it."""
    to_the_first_round(rumble)
    rumble.write(GWEN, "set energy Cuttlefish 50 because of the flood\nclose now")
    rumble.sweep()
    told = rumble.last(BO)
    assert "because of the flood" in told and "The phase closes now." in told
    assert "Deadline" not in told and "Split your" not in told


def _bodies(room: Room, to: str) -> list[str]:
    """Return the texts that somebody was sent, oldest first."""
    return ["\n".join(letter.body) for letter in room.letters(to)]
