"""Strays: listed with their reason, shown, and taken once more with their own time of arrival, once."""

from datetime import timedelta
from typing import Any

import pytest

from pbem.ground.terms import CharterError
from pbem.hall.keeping import mail_audit, strays
from pbem.hall.mail.incoming.desk import desk, pending
from pbem.hall.mail.incoming.unpack import barring
from pbem.hall.sweep.reindexing import reindex
from pbem.testing.room import ARENA
from pbem.world.index.counters import Counted, What
from tests.conftest import Room
from tests.harbour import HarbourRules

ADA, BO, EVE = "ada@example.org", "bo@example.org", "eve@example.com"


@pytest.fixture
def broken(room: Room, monkeypatch: pytest.MonkeyPatch) -> tuple[Room, str]:
    """A mail of Bo's that a fault of ours has set aside; the fault is mended."""
    room.found("ada", "bo")
    parse = HarbourRules.parse

    def breaks(self: HarbourRules, state: Any, seat: Any, lines: Any) -> Any:
        if seat == "bo":
            raise KeyError("no such word")
        return parse(self, state, seat, lines)

    with monkeypatch.context() as within:
        within.setattr(HarbourRules, "parse", breaks)
        mail = room.write(BO, "bid 3")
        for _ in range(3):
            room.sweep()
    assert not room.mailbox.waiting
    return room, mail.digest


def test_a_stray_is_listed_with_its_reason(broken: tuple[Room, str]) -> None:
    """Whom it is from, and what broke; not a word of what it says."""
    room, digest = broken
    (found,) = strays.strays(room.arena)
    assert (found.digest, found.sender, found.subject) == (digest, BO, "Re: [tide-1] Tide 1")
    assert "broke us 3 times: KeyError at test_strays.py, line" in found.why


def test_a_stray_is_taken_once_more_when_what_broke_it_is_mended(broken: tuple[Room, str]) -> None:
    """It acts as any mail does, is answered, and is no stray any more; the accounts have it once, also anew."""
    room, digest = broken
    assert strays.retry(room.arena, strays.find_digest(room.arena, digest[:8]), room.clock.now()) == (
        True,
        "taken in tide-1",
    )
    assert room.table().sets.hand["bo"].orders == ("bid 3",)
    assert not list(strays.strays(room.arena))
    assert not room.arena.index.counters.value(Counted(what=What.TRIES, about=digest)), (
        "its tries are counted from zero again"
    )
    room.sweep()
    assert "a bid of 3" in room.last(BO)
    reindex(room.arena)
    found = mail_audit.audit(room.arena)
    assert found.exact and found.found[digest] == "applied"
    with pytest.raises(CharterError, match="No strays begin with"):
        strays.find_digest(room.arena, digest)


def test_what_is_still_broken_stays_a_stray(broken: tuple[Room, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be tried again later; nothing is lost, and the game goes on."""
    room, digest = broken

    def breaks(*_: Any) -> Any:
        raise KeyError("still")

    with monkeypatch.context() as within:
        within.setattr(HarbourRules, "parse", breaks)
        done, said = strays.retry(room.arena, digest, room.clock.now())
    assert not done and "KeyError" in said
    assert [one.digest for one in strays.strays(room.arena)] == [digest]
    assert strays.retry(room.arena, digest, room.clock.now())[0]


def test_a_strangers_mail_stays_a_stray_and_is_accounted_for(room: Room) -> None:
    """To take it once more changes nothing, however often."""
    room.found("ada", "bo")
    mail = room.write(EVE, "buy my watches", to=ARENA, subject="watches")
    room.sweep()
    for _ in range(2):
        done, said = strays.retry(room.arena, mail.digest, room.clock.now())
        assert not done and said == "stranger: no game named"
    found = mail_audit.audit(room.arena)
    assert found.exact and found.found[mail.digest] == "refused"
    assert len(room.letters(EVE)) == 1


def test_a_mail_that_was_kept_is_no_stray(room: Room) -> None:
    """It waits for one word of its writer, not for whoever runs the arena."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3", to=ARENA, subject="tide-1")
    room.sweep()
    assert not list(strays.strays(room.arena))


def test_a_stray_that_a_game_took_is_kept_and_one_of_nobodys_goes_unmissed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both were taken for a robot's; when two weeks are over the accounts are exact all the same."""
    room.found("ada", "bo")
    with monkeypatch.context() as within:
        within.setattr(barring, "why_barred", lambda *_: "a robot")
        mine, nobodys = room.write(BO, "bid 3"), room.write(EVE, "hats", to=ARENA, subject="hats")
        room.sweep()
    assert strays.retry(room.arena, mine.digest, room.clock.now()) == (True, "taken in tide-1")
    room.sweep(timedelta(days=20))
    kept = {path.stem for path in room.root.rglob("*.eml")}
    assert mine.digest in kept and nobodys.digest not in kept
    assert mail_audit.audit(room.arena).exact


def test_a_stray_is_taken_once_more_though_the_index_learns_of_the_desk_meanwhile(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of an older release does, which has not noted how far it knows the desk's journal."""
    room.found("ada", "bo")
    with monkeypatch.context() as patch:
        patch.setattr(pending, "ROOM", 0)  # as if many waited in this name
        mail = room.write("ada@example.org", "bid 3", to="arena@example.org", subject="[tide-1] orders")
        room.sweep()
    room.arena.index.counters.reset([desk.NOTED])
    assert strays.retry(room.arena, mail.digest, room.clock.now())[0]
    assert [entry["why"] for entry in pending.entries(room.arena)] == ["unkept", "retried", "held"]
