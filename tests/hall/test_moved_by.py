"""A moderator moves a player's letters: who may, from when it acts, and how the old address undoes it."""

import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.letters import addressing
from pbem.letters.reading import read
from pbem.testing.room import MODERATOR
from tests.conftest import Room, flat
from tests.depth import examples
from tests.harbour import HarbourRules

BO, NEW = "bo@example.org", "box@example.net"
SEAT = Seat("bo")


def _address(room: Room, key: Seat | None, game: str = "tide-1") -> str:
    """Return the address by which a role's mail comes, with the token of this phase."""
    here, token = room.arena.settings.arena, room.arena.token(room.table(game), key)
    return addressing.reply_address(here.address, game, token, plus=here.plus)


def _go(room: Room, who: str, text: str, to: str, game: str = "tide-1") -> dict[str, str]:
    """Let somebody write, sweep, and return who was sent what, flattened."""
    since = len(room.outbox.sent)
    room.write(who, text, to=to, subject=f"Re: [{game}] Tide")
    assert room.sweep().troubles == []
    sent: dict[str, str] = {}
    for reader, raw in room.outbox.sent[since:]:
        sent[reader] = sent.get(reader, "") + flat("\n".join(read(raw).body))
    return sent


def _asked(room: Room, game: str = "tide-1") -> dict[str, str]:
    """Let the moderator say where Bo's letters go."""
    return _go(room, MODERATOR, f"address Bo is {NEW}", _address(room, None, game), game)


def _where(room: Room) -> str:
    """Return where Bo's letters go."""
    return room.arena.people.contact(room.table().seats[SEAT].person).address


def _next_phase(room: Room) -> None:
    """Let the next phase open."""
    number = room.table().number
    for _ in range(9):
        room.sweep(timedelta(days=1))
        if room.table().number > number:
            return
    raise AssertionError("no phase opened")


def _agreed(room: Room) -> None:
    """Let the moderator ask, and the new address agree."""
    room.found("ada", "bo", "cy")
    _asked(room)
    _go(room, NEW, "confirm", room.reply_to(NEW))


def test_whoever_plays_moves_nobodys_letters(room: Room) -> None:
    """The refusal says who can, and nobody is written to."""
    room.found("gwen", "ada", "bo")
    sent = _asked(room)
    assert set(sent) == {MODERATOR} and "pbem address OLD" in sent[MODERATOR] and "You play" in sent[MODERATOR]
    assert room.arena.people.move_of(room.table().seats[SEAT].person) is None


def test_nobody_is_moved_who_has_a_part_in_a_game_of_somebody_elses(room: Room) -> None:
    """Invited, seated or the moderator there: what that game shows and takes is no matter of this one's moderator."""
    room.found("ada", "bo", "cy")
    room.usual = "tide-2"
    room.invite("bo", "dee", name="tide-2")
    room.usual = "tide-1"
    assert BO in set(_asked(room))  # the same moderator's, who does not play there either
    room.invite("gwen", "bo", name="tide-3")
    room.write(MODERATOR, "join as Gwen", to=room.reply_to(MODERATOR, "[tide-3]"), subject="Re: [tide-3]")
    room.sweep()
    assert "You play" in _asked(room)[MODERATOR]


def test_until_the_next_phase_the_old_address_alone_orders(room: Room) -> None:
    """Then the new one does; what was sent ahead is struck, not sooner."""
    _agreed(room)
    assert _where(room) == BO
    sent = _go(room, NEW, "bid 9", _address(room, SEAT))
    assert SEAT not in room.table().sets.hand
    assert "a bid of 4" in _go(room, BO, "bid 4\n\nfor Tide 2: bid 7", _address(room, SEAT))[BO]
    assert room.table().sets.hand[SEAT].orders == ("bid 4",) and room.table().sets.later[SEAT] and sent is not None
    _next_phase(room)
    assert _where(room) == NEW and not room.table().sets.later.get(SEAT) and SEAT not in room.table().sets.hand
    assert "a bid of 3" in _go(room, NEW, "bid 3", _address(room, SEAT))[NEW]


@pytest.mark.parametrize("acts", [False, True])
def test_the_old_address_says_no(room: Room, acts: bool) -> None:
    """With its token, before it acts or in the week after; all is as before, and both are told."""
    _agreed(room)
    _go(room, BO, "for Tide 2: bid 7", _address(room, SEAT))
    to = _address(room, SEAT)
    if acts:
        _next_phase(room)
        sent = _go(room, BO, "bid 2", to)
        assert "| no" in sent[BO] and NEW not in sent and SEAT not in room.table().sets.hand
    sent = _go(room, BO, "no", to)
    assert _where(room) == BO and "as before" in sent[BO] and "says no" in sent[MODERATOR] and NEW not in sent
    if not acts:
        _next_phase(room)
        assert room.table().sets.hand[SEAT].orders == ("bid 7",)
    assert _where(room) == BO and "a bid of 5" in _go(room, BO, "bid 5", _address(room, SEAT))[BO]
    _go(room, NEW, "confirm", room.reply_to(NEW))
    assert _where(room) == BO


def test_after_a_week_a_no_does_nothing(room: Room) -> None:
    """The new address is theirs by then."""
    _agreed(room)
    to = _address(room, SEAT)
    _next_phase(room)
    room.clock.advance(timedelta(days=8))
    _go(room, BO, "no", to)
    assert _where(room) == NEW


def test_a_no_that_nobody_vouches_for_is_asked_about(room: Room) -> None:
    """Without token and word of the mail server it acts once the old address confirms it."""
    _agreed(room)
    mail = room.write(BO, "no", to="arena+tide-1@example.org", subject="Re: [tide-1] Tide")
    room.mailbox.waiting.remove(mail)
    room.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=none"), mail.arrived)
    room.sweep()
    assert room.arena.people.move_of(room.table().seats[SEAT].person)
    _go(room, BO, "confirm", room.reply_to(BO))
    assert room.arena.people.move_of(room.table().seats[SEAT].person) is None


def test_whoever_runs_the_arena_is_told_without_an_address(room: Room) -> None:
    """Game and person stand in the digest's list of what is odd."""
    _agreed(room)
    [odd] = [one.what for one in room.arena.index.counters.odd() if "Bo" in one.what]
    assert "tide-1" in odd and "@" not in odd


STEPS = st.lists(st.sampled_from(["address", "confirm", "steal", "undo 1", "replace", "order", "later"]), max_size=6)


@settings(max_examples=examples(12), deadline=None)
@given(st.booleans(), STEPS)
@example(True, ["order", "address", "confirm", "steal"])
@example(False, ["order", "address", "confirm", "steal"])
def test_nothing_of_the_open_phase_changes_by_it(plays: bool, steps: list[str]) -> None:
    """Whatever is asked, in whatever order: what Bo's address ordered is what counts, and a player moves nothing."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder) / "room", {"harbour": HarbourRules()})
        room.found(*(("gwen",) if plays else ()), "ada", "bo", "cy", close="at deadline")
        wanted = 0
        for step in steps:
            if step == "address":
                _asked(room)
            elif step == "confirm" and any(to == NEW for to, _ in room.outbox.sent):
                _go(room, NEW, "confirm", room.reply_to(NEW))
            elif step == "steal":
                _go(room, NEW, "bid 1", _address(room, SEAT))
            elif step == "undo 1":
                _go(room, MODERATOR, "undo 1", _address(room, None))
            elif step == "replace":
                _go(room, MODERATOR, "replace Bo by fay@example.org", _address(room, None))
            elif step in ("order", "later"):
                wanted += step == "order"
                text = f"bid {wanted + 1}" if step == "order" else "for Tide 2: bid 7"
                _go(room, BO, text, _address(room, SEAT))
            held = room.table().sets.hand.get(SEAT)
            assert (held.orders if held else ()) == ((f"bid {wanted + 1}",) if wanted else ())
            assert _where(room) == BO and room.table().number == 1
        if plays:
            _next_phase(room)
            assert _where(room) == BO
