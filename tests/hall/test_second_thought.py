"""A second thought: a phase in which all have moved stays open a while, so that the last of them can change their mind."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.hall.commands import replay_check, status
from pbem.table.model.charter import usual_second_thought
from pbem.testing.room import MODERATOR
from tests.conftest import Room, flat
from tests.depth import shares, some
from tests.harbour.tiebreak import TieBreak
from tests.killing import Axe, Killed, points

ADA, BO = "ada@example.org", "bo@example.org"
CALENDAR = {"second_thought": "30m"}
EARLY = "All have moved. The phase closes before its deadline, at"


def _moved(room: Room, *, calendar: dict[str, Any] | None = None, **terms: Any) -> None:
    """Found a game of two, and let both move at 12:03; it closes at 12:33 then, and two minutes for mail under way."""
    room.found("ada", "bo", calendar=CALENDAR if calendar is None else calendar, **terms)
    for who in (ADA, BO):
        room.write(who, "bid 2")
    room.sweep()
    assert f"{room.clock.now():%H:%M}" == "12:03"


def _go(room: Room, who: str, text: str, minutes: int = 1) -> str:
    """Let some minutes pass, let somebody write, sweep, and return their letter."""
    room.clock.advance(timedelta(minutes=minutes))
    room.write(who, text)
    assert room.sweep(timedelta(0)).troubles == []
    return flat(room.last(who))


def _pass(room: Room, minutes: int) -> bool:
    """Let some minutes pass, and say whether the first phase is open still."""
    assert room.sweep(timedelta(minutes=minutes)).troubles == []
    return _is_open(room)


def _is_open(room: Room) -> bool:
    return (room.table().number, room.table().status) == (1, "open")


def _since(room: Room, letters: int) -> Sequence[tuple[str, str]]:
    return [(to, flat(raw.decode())) for to, raw in room.outbox.sent[letters:]]


def test_a_phase_in_which_all_have_moved_closes_after_a_while(room: Room) -> None:
    """The letters say when; it takes two minutes more, for mail under way, as at a deadline."""
    _moved(room)
    assert EARLY in flat(room.last(BO)) and "12:33 UTC (in 30 min)" in room.last(BO)
    assert _is_open(room) and _pass(room, 31) and not _pass(room, 1)


def test_mail_stamped_before_an_early_close_counts_though_it_came_late(room: Room) -> None:
    """As before a deadline: the mail server's stamp decides."""
    _moved(room)
    room.clock.advance(timedelta(minutes=30))
    room.write(ADA, "bid 3", span=timedelta(seconds=-1))
    room.sweep(timedelta(minutes=1))
    assert _is_open(room) and room.table().sets.hand["ada"].orders == ("bid 3",)
    assert "13:04 UTC" in room.last(ADA)  # the time once more, from when we heard of it


def test_mail_stamped_after_an_early_close_is_too_late(room: Room) -> None:
    """Though the phase is open for mail under way, and though nobody swept for hours: what letters told is kept."""
    _moved(room)
    late = _go(room, ADA, "bid 3", minutes=31)
    assert "Your mail reached our server after Tide 1 had closed, since all had moved." in late
    assert _is_open(room) and room.table().sets.hand["ada"].orders == ("bid 2",)
    for text in ("wait", "cancel"):
        assert "had closed, since all had moved" in _go(room, BO, text, minutes=0)
    assert not _pass(room, 1)


def test_mail_that_came_while_nobody_swept_is_held_to_the_close_that_was_told(room: Room) -> None:
    """The first set is in time and moves the close; the second is in time by the new one."""
    _moved(room)
    room.write(ADA, "bid 3", span=timedelta(minutes=29))
    room.write(ADA, "bid 4", span=timedelta(minutes=50))
    room.sweep(timedelta(hours=5))
    assert _is_open(room) and room.table().sets.hand["ada"].orders == ("bid 4",)
    assert "17:33 UTC" in room.last(ADA)
    assert _pass(room, 31) and not _pass(room, 1)


def test_a_late_mail_of_a_long_night_is_late(room: Room) -> None:
    """The moment that was told counts, not when we come to close the phase."""
    _moved(room)
    room.write(ADA, "bid 3", span=timedelta(minutes=40))
    room.sweep(timedelta(hours=5))
    assert not _is_open(room)
    assert any("had closed, since all had moved" in flat("\n".join(one.body)) for one in room.letters(ADA))


def test_a_new_set_gives_the_time_once_more_and_no_more(room: Room) -> None:
    """So nobody can hold the others up by changing a figure again and again."""
    _moved(room)
    assert "12:53 UTC" in _go(room, ADA, "bid 3", minutes=20)
    assert "12:53 UTC" in _go(room, BO, "bid 4", minutes=20)
    assert _is_open(room) and _pass(room, 11) and not _pass(room, 1)


def test_the_same_set_again_changes_nothing(room: Room) -> None:
    """Nor does a question, nor words to the moderator."""
    _moved(room)
    for text in ("status", "gm: hello", "bid 2"):
        assert "12:33 UTC" in _go(room, ADA, text, minutes=5)
    assert not _pass(room, 17)


def test_several_sets_before_anybody_was_told_a_time_take_none_away(room: Room) -> None:
    """What comes in the same sweep moves no close that was announced."""
    room.found("ada", "bo", calendar=CALENDAR)
    for who, text in ((ADA, "bid 2"), (BO, "bid 2"), (ADA, "bid 3")):
        room.write(who, text)
    room.sweep()
    assert "12:53 UTC" in _go(room, BO, "bid 4", minutes=20)


def test_cancelling_ends_the_wait_and_gives_the_time_once_more_at_most(room: Room) -> None:
    """Whoever cancels again and again moves the close of the others once; where it is past, none is waited for."""
    _moved(room)
    assert EARLY not in _go(room, ADA, "cancel", minutes=10) and _pass(room, 60)
    assert "13:43 UTC" in _go(room, ADA, "bid 2", minutes=0)
    assert EARLY not in _go(room, ADA, "cancel", minutes=10)
    assert "13:43 UTC" in _go(room, ADA, "bid 3", minutes=10)
    assert "13:43 UTC" in _go(room, BO, "bid 3", minutes=5)
    assert EARLY not in _go(room, ADA, "cancel", minutes=1) and _pass(room, 30)
    _go(room, ADA, "bid 4", minutes=0)
    assert not _is_open(room)


def test_a_new_set_and_a_cancel_share_the_one_time_more(room: Room) -> None:
    """Once a phase, however it came about."""
    _moved(room)
    assert "12:43 UTC" in _go(room, BO, "bid 3", minutes=10)
    _go(room, ADA, "cancel", minutes=10)
    assert "12:43 UTC" in _go(room, ADA, "bid 1", minutes=5)
    _go(room, BO, "wait", minutes=5)
    assert "12:43 UTC" in _go(room, BO, "ready", minutes=5)
    assert _pass(room, 6) and not _pass(room, 1)


def test_a_new_phase_has_a_time_more_of_its_own(room: Room) -> None:
    """Nothing of it is left over from the phase before."""
    _moved(room)
    _go(room, BO, "bid 3", minutes=10)
    assert not _pass(room, 32)
    assert room.table().number == 2
    for who in (ADA, BO):
        room.write(who, "bid 0")
    room.sweep()
    assert "(in 30 min)" in room.last(BO)
    assert "(in 30 min)" in _go(room, ADA, "bid 1", minutes=10)


def test_who_waits_stops_the_clock_and_ready_of_all_needs_none(room: Room) -> None:
    """`wait` keeps the phase open; once all have said ready nobody wants to think again."""
    _moved(room)
    _go(room, ADA, "wait")
    assert _pass(room, 120)
    for who in (ADA, BO):
        assert _is_open(room)
        room.write(who, "ready")
        room.sweep()
    assert not _is_open(room)


def test_close_now_waits_for_no_second_thought(room: Room) -> None:
    """The moderator said so."""
    _moved(room)
    _go(room, MODERATOR, "close now")
    assert not _is_open(room)


def test_the_deadline_comes_first(room: Room) -> None:
    """A phase never stays open for a second thought beyond it."""
    room.found("ada", "bo", calendar={"second_thought": "30m", "rules": {"default": "2h after opening"}})
    room.write(ADA, "bid 2")
    room.sweep(timedelta(minutes=105))
    assert EARLY not in _go(room, BO, "bid 2") and "Deadline" in room.last(BO)
    assert _is_open(room) and not _pass(room, 18)
    assert 'why = "the deadline has passed"' in room.root.joinpath("games/tide-1/phase-01/journal.toml").read_text()


def test_a_pause_stops_the_wait_and_the_rest_comes_after_it(room: Room) -> None:
    """Nothing closes meanwhile; whoever writes is told how much is left of it."""
    _moved(room)
    _go(room, MODERATOR, "pause", minutes=10)
    assert "20 min to go" in flat(room.last(BO)) and EARLY not in flat(room.last(BO))
    assert _pass(room, 300)
    assert EARLY in _go(room, MODERATOR, "resume", minutes=0)
    assert EARLY in flat(room.last(BO)) and "17:33 UTC (in 20 min)" in room.last(BO)
    assert _pass(room, 21) and not _pass(room, 1)


def test_a_set_while_the_clock_stands_has_the_whole_wait_after_it(room: Room) -> None:
    """Whether it is the last that was awaited, or another one."""
    room.found("ada", "bo", calendar=CALENDAR)
    _go(room, MODERATOR, "pause")
    for who in (ADA, BO):
        assert EARLY not in _go(room, who, "bid 2", minutes=60)
    assert "30 min to go" in flat(room.last(BO))
    _go(room, MODERATOR, "resume", minutes=60)
    assert "(in 30 min)" in room.last(ADA)
    _go(room, MODERATOR, "pause", minutes=10)
    assert "30 min to go" in _go(room, ADA, "bid 3", minutes=60)
    _go(room, MODERATOR, "resume", minutes=60)
    assert "(in 30 min)" in room.last(BO) and _pass(room, 31) and not _pass(room, 1)


@pytest.mark.parametrize(("ruling", "taken_back"), [("pause", "20 min"), ("extend 24h", "30 min")])
def test_an_undo_of_what_moved_the_clock_leaves_time(room: Room, ruling: str, taken_back: str) -> None:
    """The rest of the wait where a pause is taken back; a whole one where more time is."""
    _moved(room)
    _go(room, MODERATOR, ruling, minutes=10)
    assert _pass(room, 60)
    _go(room, MODERATOR, "undo 1", minutes=0)
    assert EARLY in flat(room.last(BO)) and f"(in {taken_back})" in room.last(BO)


def test_an_extension_moves_the_early_close_as_far(room: Room) -> None:
    """A moderator who gives time while all have moved gives it to them; all are told."""
    _moved(room)
    letters = len(room.outbox.sent)
    assert "Tue 24 Nov 12:33" in _go(room, MODERATOR, "extend 24h", minutes=10)
    assert [to for to, text in _since(room, letters) if EARLY in text] == [MODERATOR, ADA, BO]
    assert _pass(room, 24 * 60 + 21) and not _pass(room, 1)


def test_an_earlier_deadline_cuts_the_wait_and_a_later_one_gives_it_back(room: Room) -> None:
    """The deadline comes first, wherever the moderator puts it."""
    _moved(room)
    assert EARLY not in _go(room, MODERATOR, "deadline 2026-11-23 12:20 UTC", minutes=5)
    assert "12:20 UTC" in room.last(BO) and EARLY not in flat(room.last(BO))
    assert not _pass(room, 14)


def test_a_struck_order_ends_the_wait(room: Room) -> None:
    """The seat owes orders again; the phase goes on until all have moved once more."""
    _moved(room)
    assert EARLY not in _go(room, MODERATOR, "strike Ada 1 because a mistake", minutes=10)
    assert EARLY not in flat(room.last(ADA)) and _pass(room, 60)
    assert "13:43 UTC" in _go(room, ADA, "bid 1", minutes=0)


def test_an_order_of_the_moderators_counts_as_the_seats_set(room: Room) -> None:
    """It completes what all owe, or restarts the wait once, as a set of the seat's would."""
    room.found("ada", "bo", calendar=CALENDAR)
    _go(room, ADA, "bid 2")
    assert "12:34 UTC" in _go(room, MODERATOR, "order Bo: bid 1 because said on the phone")
    assert "12:44 UTC" in _go(room, MODERATOR, "order Bo: bid 2 because misheard", minutes=10)
    assert EARLY in flat(room.last(BO)) and "12:44 UTC" in room.last(BO)
    assert "12:44 UTC" in _go(room, ADA, "bid 0", minutes=10)
    assert not _pass(room, 22)


def test_who_is_excused_is_not_waited_for(room: Room) -> None:
    """The others still have their time; with nobody left who could think again there is none."""
    room.found("ada", "bo", calendar=CALENDAR)
    _go(room, ADA, "bid 2")
    assert "12:34 UTC" in _go(room, MODERATOR, "excuse Bo") and _is_open(room)
    _go(room, MODERATOR, "excuse Ada")
    assert not _is_open(room)


def test_ready_of_all_who_are_not_excused_is_ready_of_all(room: Room) -> None:
    """Nobody else can think again."""
    room.found("ada", "bo", calendar=CALENDAR)
    _go(room, ADA, "bid 2\nready")
    _go(room, MODERATOR, "excuse Bo")
    assert not _is_open(room)


def test_an_undo_of_a_struck_order_leaves_time(room: Room) -> None:
    """Though the minute that was told before is past; it is the one time more of this phase."""
    _moved(room)
    _go(room, MODERATOR, "strike Ada 1 because a mistake", minutes=10)
    assert "13:43 UTC" in _go(room, MODERATOR, "undo 1", minutes=60)
    assert "13:43 UTC" in _go(room, ADA, "bid 4", minutes=10)


def test_a_question_in_the_middle_of_a_phase_has_no_second_thought(tmp_path: Path) -> None:
    """Who is asked alone holds up all others; the bids themselves have one."""
    room = Room(tmp_path / "arena", {"harbour": TieBreak()})
    room.found("ada", "bo", calendar=CALENDAR)
    for who in (ADA, BO):
        room.write(who, "bid 4")
    assert _pass(room, 1) and not room.table().sealed
    room.sweep(timedelta(minutes=32))
    assert room.table().sealed
    for who in (ADA, BO):
        _go(room, who, f"bid {len(who) % 2}")
    assert room.table().number == 2
    room.arena.close()


@pytest.mark.parametrize("text", ["status", "bid 2", "ready", "gm: hello", "help", "bid 77"])
def test_every_letter_shows_the_early_close_in_the_readers_zone(room: Room, text: str) -> None:
    """Whatever they wrote."""
    _moved(room)
    _go(room, ADA, "zone Europe/Berlin")
    letter = _go(room, ADA, text)
    assert EARLY in letter and "13:33 in Berlin" in letter and "12:33 UTC" in letter
    assert "Deadline" not in letter


def test_the_moderator_is_shown_the_early_close_too(room: Room) -> None:
    """In echoes, with words of players, and on the terminal."""
    _moved(room)
    for text in ("status", "help", "note Fine weather."):
        assert EARLY in _go(room, MODERATOR, text) and "12:33 UTC" in room.last(MODERATOR)
    _go(room, ADA, "gm: a word")
    assert "12:33 UTC" in room.last(MODERATOR)
    assert "all have moved, so it closes at 2026-11-23 12:33 UTC" in status.as_text(status.facts_of(room.table()))
    _go(room, MODERATOR, "to all: Hello. now")
    assert "12:33 UTC" in room.last(BO)


def test_a_game_founded_before_has_none(room: Room) -> None:
    """Its phases close as they did, and its first letters say so."""
    _moved(room, calendar={})
    assert not _is_open(room) and "A phase also ends as soon as all have moved" in flat(
        "\n".join(room.letters(ADA)[0].body)
    )


@pytest.mark.parametrize(
    ("rules", "wait"),
    [
        (["72h after opening"], "30m"),
        (["2h after opening"], "2m"),
        (["72h after opening", "20m after opening"], "2m"),
        (["every Tue 20:00"], "30m"),
    ],
)
def test_new_games_wait_as_long_as_their_pace_asks_for(rules: list[str], wait: str) -> None:
    """Half an hour by mail, two minutes where people sit at their screens."""
    assert usual_second_thought(rules) == wait


def test_the_wait_holds_through_a_restart_and_a_replay(room: Room) -> None:
    """It is reckoned from the journal, whatever came in between."""
    _moved(room)
    for who, text in (
        (ADA, "bid 3"),
        (MODERATOR, "pause"),
        (BO, "cancel"),
        (MODERATOR, "resume"),
        (BO, "bid 1"),
        (MODERATOR, "extend 1h"),
        (MODERATOR, "undo 3"),
    ):
        _go(room, who, text, minutes=3)
    told = (room.table().early, room.table().thought_again)
    room.reopen()
    assert (room.table().early, room.table().thought_again) == told and told[0]
    while _is_open(room):
        _pass(room, 1)
    folder = room.root / "games" / room.usual
    words = replay_check.Words(room.arena.words, room.arena.wording)
    replayed = list(replay_check.replay(folder, room.rulesets, words, bytes(32)))
    assert replayed and not any(one.difference for one in replayed)


@pytest.mark.parametrize("share", shares(4))
def test_a_sweep_that_is_killed_anywhere_tells_the_same_time(room: Room, tmp_path: Path, share: int) -> None:
    """
    The minute is one of the journal's, so each letter tells the same, and the phase closes as if nothing had been.

    At a quarter of the points; a sweep tries them all.
    """
    _moved(room)
    room.write(ADA, "cancel\nbid 3")
    room.write(BO, "bid 1")
    room.clock.advance(timedelta(minutes=10))
    room.arena.close()
    at, ends = 0, set()
    while True:
        other, axe = room.copied(tmp_path / f"killed-{at}"), Axe(at)
        try:
            with points(axe):
                other.sweep(timedelta(0))
        except Killed:
            other.reopen()
            other.sweep(timedelta(0))
        table = other.table()
        ends.add((table.early, table.thought_again, table.sets.hand["ada"].orders, table.sets.hand["bo"].orders))
        assert _pass(other, 31) and not _pass(other, 1)
        other.arena.close()
        if at and not axe.fell:
            break
        at += share
    [(early, again, *hands)] = ends
    assert f"{early.at:%H:%M}" == "12:43" and again and hands == [("bid 3",), ("bid 1",)] and at > 20
    room.arena = room.open()


def test_the_handbook_says_how_long_the_wait_is(room: Room) -> None:
    """In the game's own length."""
    _moved(room)
    assert "A phase ends 30 min after all have moved." in _go(room, ADA, "help")


@pytest.mark.parametrize("seed", some(3, range(8)))
def test_players_move_the_close_once_whatever_they_write(room: Room, seed: int) -> None:
    """Nobody is told a third time in a phase, and it stays open no longer than its deadline says."""
    dice, deadline = random.Random(seed), timedelta(hours=8)
    room.found("ada", "bo", "cy", calendar={"second_thought": "30m", "rules": {"default": "8h after opening"}})
    begun, told = room.clock.now(), list[datetime]()
    while _is_open(room):
        if dice.random() < 0.7:
            text = dice.choice(("bid 0", "bid 1", "bid 2", "bid 3", "cancel", "back", "wait", "ready", "bid 1\nready"))
            room.write(dice.choice((ADA, BO, "cy@example.org")), text, span=-timedelta(seconds=dice.randrange(90)))
        room.sweep(timedelta(seconds=dice.randrange(1, 1200)))
        early = held.at if (held := room.table().early) else None
        if _is_open(room) and early and early not in told:
            told.append(early)
        assert room.clock.now() <= begun + deadline + timedelta(minutes=25)
    assert len(told) <= 2 and told == sorted(told)
    assert all(early <= begun + deadline + timedelta(minutes=30) for early in told)


@pytest.mark.parametrize(
    "rulings",
    [
        ("deadline 2026-11-23 20:00 UTC", "undo 1"),
        ("deadline 2026-11-23 20:00 UTC", "deadline 2026-11-26 12:02 UTC"),
        ("deadline 2026-11-23 12:20 UTC", "undo 1"),
        ("extend 24h", "undo 1", "deadline 2026-11-23 20:00 UTC", "deadline 2026-11-26 12:02 UTC"),
    ],
)
def test_a_deadline_that_comes_back_moves_the_close_no_further(room: Room, rulings: Sequence[str]) -> None:
    """Whatever is done to it and undone, all who have moved wait no longer than one whole wait more."""
    _moved(room)
    for ruling in rulings:
        _go(room, MODERATOR, ruling)
    assert not _pass(room, 33)
