"""After a crash: every letter goes, nothing acts twice, and damage is told apart from a torn tail."""

import itertools
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.ground.terms import GameName, Phase, ShelfError
from pbem.hall.commands import replay_check, ruling
from pbem.hall.commands.founding import found_game
from pbem.hall.commands.replay_check import Words
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.mail.outgoing import filing
from pbem.hall.store import append_only, game_folder
from pbem.hall.sweep import reindexing
from pbem.hall.sweep.reindexing import reindex
from pbem.hall.sweep.sweep import PUT_BACK
from pbem.testing.room import ARENA
from pbem.world.index.connection import Connection
from pbem.world.shelf import Shelf
from tests.conftest import Room
from tests.depth import some
from tests.harbour import Harbour, HarbourRules
from tests.killing import Killed
from tests.script import message

ADA, BO, CY, GWEN, EVE = (f"{name}@example.org" for name in ("ada", "bo", "cy", "gwen", "eve"))
TIDE_1 = GameName("tide-1")


WRONGS: dict[str, Callable[[bytes], bytes | None]] = {
    "cut in an entry": lambda raw: raw[:-9],
    "cut behind an entry": lambda raw: raw[: raw.rindex(b"[[entry]]")],
    "emptied": lambda raw: b"",
    "gone": lambda raw: None,
    "added to": lambda raw: raw + b"[[entry]]\nkind = 'x'\n",
    "put there anew": lambda raw: raw,
}


@pytest.mark.parametrize("wrong", some(4, WRONGS))
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_journal_that_was_changed_while_it_is_held_is_read_again(room: Room, wrong: str, by_hand: bool) -> None:
    """Nothing is added to what we have not read: the game stands still and says so, or goes on where all is there."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    path = room.root / "games" / TIDE_1 / "phase-01" / "journal.toml"
    raw = path.read_bytes()
    found = WRONGS[wrong](raw)
    path.unlink()
    if found is not None:
        path.with_suffix(".new").write_bytes(found)
        path.with_suffix(".new").rename(path)
    if by_hand:
        try:
            ruling.rule(room.arena, TIDE_1, 1, ["extend 1h because of it"], room.clock.now())
        except ShelfError:
            room.arena.forget()
    room.write(BO, "status")
    swept = room.sweep()
    if wrong in ("put there anew", "added to"):
        assert not swept.troubles and path.read_bytes().startswith(raw) and path.read_bytes() != raw
        assert room.table().sets.hand["ada"].orders == ("bid 3",)
        return
    assert any("tide-1" in trouble and "the journal" in trouble for trouble in swept.troubles)
    assert (path.read_bytes() if path.exists() else None) == found and room.mailbox.waiting
    path.write_bytes(raw)
    assert not room.sweep().troubles and room.table().sets.hand["ada"].orders == ("bid 3",)


def kill_in(
    room: Room, patch: pytest.MonkeyPatch, at: object, name: str, when: Callable[..., bool] = lambda *_: True
) -> None:
    """Let a sweep be killed as it calls something, start a new process, and sweep again."""
    real: Callable[..., Any] = getattr(at, name)

    def killed(*arguments: Any, **named: Any) -> Any:
        if when(*arguments):
            raise Killed(name)
        return real(*arguments, **named)

    with patch.context() as within, pytest.raises(Killed):
        within.setattr(at, name, killed)
        room.sweep(timedelta(0))
    room.reopen()
    room.arena.shelf.tidy()
    swept = room.sweep(timedelta(0))
    assert not swept.troubles, swept.troubles


def has_kind(kind: str) -> Callable[..., bool]:
    """Say of a call of `Outgoing.add` whether letters of a kind are among those filed."""
    return lambda letters, now: any(f".{kind}." in new.letter for new in letters)


def half(room: Room, *invited: str) -> None:
    """A game that waits for its second player, Bo unless others were invited."""
    invited = invited or (ADA, BO)
    found_game(room.arena, TIDE_1, "harbour", moderator=GWEN, invited=invited, seats=2, now=room.clock.now())
    room.sweep()
    room.write(ADA, "join as Ada")
    room.sweep()


def begun(room: Room, who: str) -> bool:
    """Say whether somebody has the letter that opens the game."""
    return any("tide-1 BEGINS" in letter.body[0] for letter in room.letters(who))


def doubled(room: Room) -> list[bytes]:
    """Return the letters that went more than once."""
    return [name for name, times in Counter(message(raw) for _, raw in room.outbox.sent).items() if times > 1]


def test_opening_letters_go_after_a_crash_while_the_game_begins(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letters lie on file, the index does not know of them, and the phase before has no start of its own."""
    half(room)
    room.write(BO, "join as Bo")
    kill_in(room, monkeypatch, room.arena.index.outgoing, "add", has_kind("opening"))
    assert all(begun(room, who) for who in (ADA, BO, GWEN))
    assert not doubled(room)


def test_letters_are_written_after_a_crash_before_any_is_on_file(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry that begins the game is durable and nothing else is."""
    half(room)
    room.write(BO, "join as Bo")
    kill_in(room, monkeypatch, filing, "start_file")
    assert all(begun(room, who) for who in (ADA, BO, GWEN))


class _Quick(HarbourRules):
    """The harbour, where nobody owes orders in the second tide."""

    def phase(self, state: Harbour) -> Phase:
        """Ask nobody in the second tide."""
        found = super().phase(state)
        return msgspec.structs.replace(found, owing=()) if state.tide == 2 else found

    def adjudicate(self, state: Harbour, orders: Any, given: Any, dice: Any) -> Any:
        """Count a tug that was not asked as one that bids nothing."""
        return super().adjudicate(state, {seat: orders.get(seat, ()) for seat in state.names}, given, dice)


def test_both_reports_go_when_two_phases_end_in_one_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash behind the second report loses neither."""
    room = Room(tmp_path / "arena", {"harbour": _Quick()})
    room.found("ada", "bo")
    room.write(ADA, "bid 1")
    room.write(BO, "bid 2")
    kill_in(room, monkeypatch, room.arena.index.outgoing, "add", has_kind("report"))
    told = "\n".join("\n".join(letter.body) for letter in room.letters(ADA))
    assert "TIDE 1" in told and "TIDE 2" in told
    room.arena.close()


def test_a_mail_fetched_again_acts_once_even_where_our_own_letter_holds_its_line(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The echo of a ruling quotes its reason, so what is new in the mail is less than it was; its bytes tell it."""
    room.found("ada", "bo")
    room.write(GWEN, "extend 24h\n\nset coins Ada 7\nbecause she paid for the pilot")
    before = room.table().deadline
    kill_in(room, monkeypatch, room.mailbox, "mark")
    assert room.table().deadline - before == timedelta(hours=24)
    assert len(room.table().rulings) == 2


def test_a_join_fetched_again_is_answered_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody hears that they have no seat by the mail that gave them one."""
    half(room)
    room.write(BO, "join as Bo")
    kill_in(room, monkeypatch, room.mailbox, "mark")
    assert [letter.subject for letter in room.letters(BO)] == [
        "[tide-1] Sign-up",
        "[tide-1] Sign-up",
        "[tide-1] Tide 1",
    ]


def test_mail_of_the_desk_fetched_again_is_answered_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before the desk's mail is known to the index, its journal makes it known."""
    room.found("ada", "bo")
    room.write(BO, "bid 2", to=ARENA, subject="tide-1")
    kill_in(room, monkeypatch, room.arena.index.games, "note_taken")
    assert not doubled(room)
    assert "reply to this letter with this one line" in " ".join(room.last(BO).split())


def test_a_torn_line_of_the_desk_is_left_out(room: Room) -> None:
    """A crash in the middle of an append stops no sign-up, then or later."""
    half(room, ADA)
    room.write(EVE, "join tide-1 as Eve", to=ARENA, subject="hello")
    room.sweep()
    path = room.root / "desk" / "journal.toml"
    path.write_text(path.read_text() + '[[entry]]\nnoted = 2026-11-23 12:00:00+00:00\nname = "Ol')
    room.write(CY, "join tide-1 as Cy", to=ARENA, subject="hello")
    room.sweep()
    assert [entry.get("name") for entry in pending.entries(room.arena)] == ["Eve", "Cy"]
    room.write(CY, "confirm")
    room.sweep()
    assert "cy" in room.table().seats


def test_a_crash_in_the_middle_of_sending_repeats_few(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """What went before it is noted, so that a hundred letters are not sent again."""
    room.found("ada", "bo", "cy")
    for who in (ADA, BO, CY):
        room.write(who, "bid 1")
    calls = itertools.count()
    kill_in(room, monkeypatch, room.outbox, "send", lambda *_: next(calls) == 4)
    assert not doubled(room)
    assert all(any("TIDE 1" in letter.body[0] for letter in room.letters(who)) for who in (ADA, BO, CY))


def test_a_lost_letter_stops_no_other(room: Room) -> None:
    """It is reported and tried again later; letters before it do not go again, letters behind it go."""
    room.found("ada", "bo")
    room.outbox.down = True
    room.write(ADA, "bid 3")
    room.write(BO, "bid 3000")
    room.sweep()
    room.outbox.down = False
    out = room.root / "games" / "tide-1" / "post" / "out"
    lost = next(out.glob("*receipt.ada*"))
    raw = lost.read_bytes()
    lost.unlink()
    before = len(room.outbox.sent)
    swept = room.sweep(timedelta(minutes=10))
    assert [trouble for trouble in swept.troubles if "receipt.ada: not read" in trouble]
    assert len(room.outbox.sent) == before + 1 and "3000 coins bid" in room.last(BO)
    lost.write_bytes(raw)
    assert not room.sweep(timedelta(minutes=10)).troubles
    assert len(room.outbox.sent) == before + 2 and room.outbox.sent[-1][1] == raw


def test_people_agree_with_their_file_after_a_write_that_failed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person that could not be written is not known, and is written at the next try."""

    def full(data: bytes, *parts: str, once: bool = False) -> None:
        raise ShelfError("disk full")

    with monkeypatch.context() as within, pytest.raises(ShelfError):
        within.setattr(room.arena.shelf, "write", full)
        room.arena.people.admit(EVE)
    assert room.arena.people.find(EVE) is None
    room.arena.people.admit(EVE)
    assert EVE in (room.root / "people.toml").read_text()


def _journal(room: Room, phase: str = "phase-01") -> Path:
    return room.root / "games" / "tide-1" / phase / "journal.toml"


def test_a_last_entry_that_was_changed_stops_the_game(room: Room) -> None:
    """It is not cut away as if it had never been finished."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    path = _journal(room)
    path.write_text(path.read_text().replace('"bid 3"', '"bid 9"'))
    changed = path.read_bytes()
    room.reopen()
    room.write(BO, "bid 1")
    assert [trouble for trouble in room.sweep().troubles if "journal.toml, line 1" in trouble]
    assert path.read_bytes() == changed


def test_a_torn_tail_is_cut_and_the_game_goes_on(room: Room) -> None:
    """An append that was never finished costs nothing: its mail is still in the mailbox."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    path = _journal(room)
    whole = path.read_bytes()
    path.write_bytes(whole + b'[[entry]]\nkind = "Ord')
    room.reopen()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    assert path.read_bytes() == whole


def _replayed(room: Room) -> list[str]:
    words = Words(room.arena.words, room.arena.wording)
    found = replay_check.replay(room.root / "games" / "tide-1", room.rulesets, words, bytes(32))
    return [phase.difference for phase in found if phase.difference]


def test_a_journal_whose_end_is_gone_is_noticed(room: Room) -> None:
    """Both the replay and the sweep say so, from the entry that `state.toml` was written from."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    assert _replayed(room) == []
    head = room.table().head
    _journal(room).unlink()
    room.reopen()
    gone = f"the journal ends with entry {head - 1}, but state.toml was written from entry {head}"
    assert gone in _replayed(room)[0]
    with pytest.raises(ShelfError, match=gone):
        room.table()


def test_reindex_finds_a_game_without_players_and_one_with_a_torn_tail(room: Room) -> None:
    """Neither is left out, and both go on."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.sweep()
    found_game(room.arena, GameName("tide-2"), "harbour", moderator=GWEN, invited=[], seats=2, now=room.clock.now())
    path = _journal(room)
    path.write_bytes(path.read_bytes() + b'[[entry]]\nkind = "Ord')
    room.reopen()
    assert reindex(room.arena) == []
    assert [row.name for row in room.arena.index.games.rows()] == ["tide-1", "tide-2"]
    room.sweep(timedelta(days=4))
    assert room.table().number == 2


def test_reindex_leaves_a_broken_game_in_hand(room: Room) -> None:
    """It is named, and the next sweep visits it and tells the moderator."""
    room.found("ada", "bo")
    charter = room.root / "games" / "tide-1" / "charter.toml"
    sound = charter.read_text()
    charter.write_text(sound.replace("seats", "seat", 1))
    room.reopen()
    assert len(reindex(room.arena)) == 1
    assert room.sweep().troubles
    charter.write_text(sound)
    assert not room.sweep().troubles
    assert [row.name for row in room.arena.index.games.rows()] == ["tide-1"]


def test_a_reindexed_arena_knows_the_mail_that_it_took(room: Room) -> None:
    """Mail that comes again after the index was made anew does nothing."""
    room.found("ada", "bo")
    mails = [room.write(ADA, "bid 3"), room.write(BO, "bid 2", to=ARENA, subject="tide-1")]
    room.sweep()
    before = len(room.outbox.sent), room.table().head
    assert reindex(room.arena) == []
    for mail in mails:
        room.mailbox.deliver(mail.raw, mail.arrived)
    room.sweep()
    assert (len(room.outbox.sent), room.table().head) == before


def test_folders_are_in_order_of_their_numbers(tmp_path: Path) -> None:
    """Phase 100 follows phase 99, and what is no phase's folder is left out."""
    for name in ("phase-100", "phase-09", "phase-99", "phase-x", "post"):
        (tmp_path / "tide-1" / name).mkdir(parents=True)
    assert game_folder.folders(Shelf(tmp_path), ("tide-1",)) == ["phase-09", "phase-99", "phase-100"]


def test_a_reindex_that_is_ended_half_way_leaves_every_game_in_hand(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next sweep visits each, so that none is forgotten for good."""
    for name in ("tide-a", "tide-b", "tide-c"):
        room.found("ada", "bo", name=name)
    taken = iter(range(9))

    def ended(*arguments: Any) -> Any:
        if next(taken) == 1:
            raise KeyboardInterrupt
        return real(*arguments)

    real = game_folder.phases
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(game_folder, "phases", ended)
        reindex(room.arena)
    room.reopen()
    room.sweep()
    assert [row.name for row in room.arena.index.games.rows()] == ["tide-a", "tide-b", "tide-c"]
    assert all(row.wakes for row in room.arena.index.games.rows())


def test_an_index_that_was_not_made_to_its_end_is_made_again(room: Room, tmp_path: Path) -> None:
    """Wherever whoever made it anew was killed: the next opening makes it whole, and no mail acts or is answered again."""
    room.found("ada", "bo")
    for who in (ADA, BO):
        room.write(who, "bid 1\npress to all: hello")
    room.write(EVE, "what is this?", to=ARENA, subject="hello")
    room.sweep()
    room.arena.close()
    for killed_at in itertools.count():
        one = room.copied(tmp_path / f"at-{killed_at}")
        one.arena.close()
        for file in one.root.glob("index.sqlite*"):
            file.unlink()
        statements = itertools.count()
        do = Connection.execute

        def counted(connection: Connection, *asked: Any) -> Any:
            if next(statements) == killed_at:  # noqa: B023  used within this turn alone
                raise Killed
            return do(connection, *asked)  # noqa: B023

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Connection, "execute", counted)
            try:
                one.reopen()
                reindexing.begin(one.arena)
                reindexing.make_whole(one.arena)
                killed = False
            except Killed:
                killed = True
        is_new = not (one.root / "index.sqlite").exists()
        one.reopen()
        if is_new:
            reindexing.begin(one.arena)
        assert reindexing.is_due(one.arena) == killed
        one.outbox.sent.clear()
        one.mailbox.unmark(one.clock.now() - timedelta(days=9))
        head = one.table().head
        assert one.sweep().troubles in ([], [PUT_BACK]) and not one.sweep(timedelta(minutes=5)).troubles
        assert (one.table().head, one.outbox.sent) == (head, []), f"killed at statement {killed_at}"
        assert not reindexing.is_due(one.arena)
        one.arena.close()
        if not killed:
            return


@pytest.mark.parametrize("writes_again", [False, True])
def test_an_older_index_that_was_put_back_learns_what_the_desk_did_since(
    room: Room, tmp_path: Path, *, writes_again: bool
) -> None:
    """At the first sweep, whether or not anybody writes to the desk, and nothing has failed meanwhile."""
    room.invite("ada", "bo")
    room.write("guest-0@example.org", "hello?", to=ARENA, subject="hello")
    room.sweep()
    before = room.copied(tmp_path / "before")
    before.arena.close()
    room.outbox.down = True
    for nth in (1, 2):
        room.write(f"guest-{nth}@example.org", "hello?", to=ARENA, subject="hello")
    room.sweep()
    room.outbox.down = False
    room.arena.close()
    for file in before.root.glob("index.sqlite*"):
        (room.root / file.name).write_bytes(file.read_bytes())
    for file in room.root.glob("index.sqlite-*"):
        file.unlink()
    room.reopen()
    if writes_again:
        room.write("guest-3@example.org", "hello?", to=ARENA, subject="hello")
    room.sweep(timedelta(minutes=30))
    room.sweep(timedelta(minutes=30))
    assert Counter(to for to, _ in room.outbox.sent if to.startswith("guest")) == Counter(
        f"guest-{nth}@example.org" for nth in range(3 + writes_again)
    )
    assert all(room.arena.index.games.has_taken(entry["cause"]) for entry in pending.entries(room.arena))


def test_a_desk_that_cannot_be_read_keeps_no_arena_shut(room: Room) -> None:
    """It is named where the index is made, and by the sweeps; games go on, and once it is mended so does the desk."""
    room.found("ada", "bo")
    room.write(EVE, "what is this?", to=ARENA, subject="hello")
    room.sweep()
    journal = room.root / "desk" / "journal.toml"
    sound = journal.read_bytes()
    journal.write_bytes(sound + append_only.encode("entry", {"format": 9, "why": "something new"}))
    assert len(reindex(room.arena)) == 1
    assert not reindexing.is_due(room.arena)
    room.write(ADA, "bid 3")
    assert any("newer pbem" in trouble for trouble in room.sweep().troubles)
    assert "a bid of 3" in room.last(ADA)
    journal.write_bytes(sound)
    assert not room.sweep(timedelta(hours=2)).troubles
    assert all(room.arena.index.games.has_taken(entry["cause"]) for entry in pending.entries(room.arena))


def test_a_folder_that_is_no_game_has_no_index_made_anew(room: Room) -> None:
    """Such as one that was to be founded, and is not, or a file of somebody's."""
    (room.root / "games" / "tide-1" / "post").mkdir(parents=True)
    (room.root / "games" / "notes.txt").write_text("mine")
    for _ in range(2):
        room.reopen()
        assert not reindexing.is_due(room.arena)
        assert not room.sweep().troubles


def test_a_sweep_makes_an_index_whole_that_nobody_else_did(room: Room) -> None:
    """An opening beside whoever makes it anew goes on without; should that one be killed, mail still acts once."""
    room.found("ada", "bo")
    mails = [room.write(ADA, "bid 3"), room.write(BO, "bid 2")]
    room.sweep()
    reindexing.begin(room.arena)  # and was killed behind it
    room.arena.index.empty()
    room.arena.index.games.mark_busy([TIDE_1])
    room.reopen()
    before = len(room.outbox.sent), room.table().head
    for mail in mails:
        room.mailbox.deliver(mail.raw, mail.arrived)
    room.sweep()
    assert (len(room.outbox.sent), room.table().head) == before
    assert not reindexing.is_due(room.arena)
