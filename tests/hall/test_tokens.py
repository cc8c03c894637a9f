"""Whose letter a mail answers: every token is found again, and one that is nobody's costs no more than another."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Person, Seat
from pbem.hall.mail.incoming.arrival.authority import AHEAD
from pbem.hall.store import tokens
from pbem.letters import addressing
from pbem.table.model.table import DEPUTY
from tests.conftest import Room

ADA, BO = "ada@example.org", "bo@example.org"
SECRET = b"a secret of 32 bytes for a test."
NOBODYS = "a" * addressing.TOKEN


@given(
    key=st.sampled_from([Seat("ada"), Seat("bo"), None, DEPUTY]),
    phase=st.integers(0, 9),
    number=st.integers(0, 9),
    past=st.integers(0, 3),
    leaks=st.integers(0, 3),
    question=st.integers(0, 6),
    most=st.integers(0, 6),
    by_button=st.booleans(),
    deputy=st.booleans(),
)
def test_a_token_is_found_again_or_none_is(
    begun: Room,
    key: Seat | None,
    phase: int,
    number: int,
    past: int,
    leaks: int,
    question: int,
    most: int,
    by_button: bool,
    deputy: bool,
) -> None:
    """For each role, however often its seat changed hands and its tokens were seen; and for no role that is none."""
    table = msgspec.structs.replace(
        begun.table(),
        number=number,
        past={Seat("ada"): (Person("p-1"),) * past},
        leaks={(key or "", number): leaks},
        deputy=Person("p-2") if deputy else None,
    )
    bearer = tokens.Bearer.of(table, key, phase)
    is_seat = key not in (None, DEPUTY)
    own = bearer.token(SECRET, question)
    token = bearer.button(SECRET, own) if by_button and is_seat else own
    is_there = (key != DEPUTY or deputy) and question <= (most if key else 0)
    assert tokens.find(SECRET, table, token, phase, most) == ((key, phase, question) if is_there else None)
    assert tokens.find(SECRET, table, token, phase, most, [key]) == (
        (key, phase, question) if question <= (most if key else 0) else None
    )
    assert tokens.find(SECRET, table, token, phase, most, {Seat("ada"), Seat("bo"), None} - {key}) is None
    others = msgspec.structs.replace(table, charter=msgspec.structs.replace(table.charter, game="another"))
    assert tokens.find(SECRET, others, token, phase, most) is None
    assert tokens.find(SECRET, table, token, phase + 1, most) is None
    assert tokens.find(b"another", table, token, phase, most) is None


@pytest.mark.parametrize("phases", [1, 2])
def test_a_token_of_nobody_is_held_against_all_phases_once(
    room: Room, monkeypatch: pytest.MonkeyPatch, phases: int
) -> None:
    """However many phases there were: the second such mail costs what its answer takes."""
    room.found("ada", "bo")
    for phase in range(1, phases):
        assert room.table().number == phase
        for who in (ADA, BO):
            room.write(who, "bid 1")
        room.sweep(timedelta(hours=100))
    tokens._of_phase.cache_clear()
    made, reckon = [], addressing.token
    monkeypatch.setattr(addressing, "token", lambda *of: made.append(of) or reckon(*of))  # type: ignore[func-returns-value]
    counts = []
    for _ in range(3):
        made.clear()
        room.write(ADA, "bid 2", to=f"arena+tide-1.{NOBODYS}@example.org", subject="Re: hello")
        room.sweep()
        counts.append(len(made))
    assert counts[0] > AHEAD > 30 > max(counts[1:]), counts


def test_an_invitation_is_known_without_a_look_at_what_is_to_come(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most mails of a game that begins answer one."""
    room.invite("ada", "bo")
    looked: list[Any] = []
    find = tokens.find
    monkeypatch.setattr(tokens, "find", lambda *of: looked.append(of[3]) or find(*of))  # type: ignore[func-returns-value]
    room.write(ADA, "join as Ada")
    room.sweep()
    assert room.table().seats and set(looked) == {0}


def test_who_moves_in_one_game_may_take_a_seat_in_another_at_once(room: Room) -> None:
    """Both mails were written from the old address, and neither is anybody else's."""
    new = "ada@example.net"
    room.found("ada", "bo")
    room.invite("ada", "bo", name="tide-2")
    invitation = room.reply_to(ADA, "[tide-2]")
    room.write(ADA, f"my address is {new}", to=room.reply_to(ADA, "[tide-1]"), subject="Re: hello")
    room.sweep()
    room.write(new, "confirm")
    room.sweep()
    room.write(ADA, "confirm", to=room.reply_to(ADA, "[tide-1]"), subject="Re: hello")
    room.write(ADA, "join as Ada", to=invitation, subject="Re: hello")
    room.sweep()
    assert list(room.table("tide-2").seats) == ["ada"]
    assert room.arena.people.contact(room.table().seats[Seat("ada")].person).address == new
