"""Nothing grows with history: what a mail, a deadline or a crash costs depends on what is new alone."""

import hmac
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import GameName
from pbem.hall.mail.incoming.desk import desk, pending
from pbem.hall.mail.outgoing import caps
from pbem.hall.store import append_only, arena, game_folder
from pbem.hall.store.catalogue import rulesets_known
from pbem.world import disk
from pbem.world.index.connection import Connection
from pbem.world.shelf import Shelf
from tests.conftest import Room
from tests.figures.waves import begun, deliver, header
from tests.killing import Killed

GAME = GameName("game-0")
EARLY, LATE = "Round 8", "Round 45"  # early, but with more letters than a reply is held against


class Work:
    """What was done: files read and looked for, bytes of them, steps of the index, digests made with the secret."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count: Counter[str] = Counter()
        looks = ((Shelf, "read"), (Shelf, "find"), (Shelf, "names"), (Shelf, "stamp"), (Shelf, "exists"), (os, "fsync"))
        for owner, name in (*looks, (disk, "_at_once"), (disk, "open_handle"), (hmac, "digest")):
            patch.setattr(owner, name, self._counted(getattr(owner, name), name))
        for name in ("execute", "executemany"):
            patch.setattr(Connection, name, self._counted(getattr(Connection, name), name))

    def _counted(self, do: Callable[..., Any], name: str) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            found = do(*args, **kwargs)
            self.count[name] += 1
            if name == "read":
                self.count["bytes"] += len(found)
            return found

        return counted


@contextmanager
def done(room: Room) -> Iterator[Counter[str]]:
    """Yield what is counted until the end of the block."""
    with pytest.MonkeyPatch.context() as patch:
        work = Work(patch)
        yield work.count


def costs(room: Room) -> dict[str, Counter[str]]:
    """Return what a mail costs in a game that is in memory, one that is not, and one that is over the phase's end."""
    to, raw = [sent for sent in room.outbox.sent if sent[0].startswith("ada-")][-1]
    found = {}
    for what in ("kept", "opened"):
        room.write(to, "attack Cuttlefish 2\ndefend 3\nwait", to=header(raw, "Reply-To"), subject="Re: hello")
        if what == "opened":
            room.arena.drop(GAME)
        with done(room) as found[what]:
            assert room.sweep(timedelta(seconds=1)).entries == 1
    title = room.arena.index.games.phase_of(GAME)[0]
    while room.arena.index.games.phase_of(GAME)[0] == title:
        room.arena.drop(GAME)
        with done(room) as found["closed"]:
            room.sweep(timedelta(hours=24))
    return found


def test_a_game_costs_the_same_at_its_tenth_phase_and_its_fiftieth(tmp_path: Path) -> None:
    """As many files, steps of the index and digests; the bytes are those of what stands in the round."""
    room = begun(tmp_path, 1)
    found: dict[str, dict[str, Counter[str]]] = {}
    while len(found) < 2:
        title = room.arena.index.games.phase_of(GAME)[0]
        deliver(room, 1)
        room.sweep()
        if title in (EARLY, LATE):
            found[title] = costs(room)
        del room.outbox.sent[:-12]
        while room.arena.index.games.phase_of(GAME)[0] == title:
            room.sweep(timedelta(hours=24))
    room.arena.close()
    for what, late in found[LATE].items():
        early = found[EARLY][what]
        sizes = early.pop("bytes"), late.pop("bytes")
        assert late == early, what
        assert sizes[1] < 2 * sizes[0], what


def test_of_games_and_letters_the_latest_are_held_in_memory_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a daemon runs, and however many letters of ours people quote."""
    monkeypatch.setattr(arena, "HELD", 3)
    monkeypatch.setattr(arena, "LETTERS_HELD", 5)
    room = begun(tmp_path, 5)
    latest = {to: raw for to, raw in room.outbox.sent if to.startswith("ada-")}
    for turn in range(3):
        for to, raw in latest.items():
            room.write(to, f"attack Cuttlefish {turn + 1}", to=header(raw, "Reply-To"), subject="Re: hello")
            assert room.sweep(timedelta(seconds=1)).entries == 1
    assert room.arena.read_letter.cache_info().currsize == 5
    names = [GameName(f"game-{number}") for number in range(5)]
    held = {name: room.arena.ledger(name) for name in names[2:]}
    assert room.arena.ledger(names[2]) is held[names[2]]
    room.arena.ledger(names[0])  # puts out the one that was looked at longest ago
    assert room.arena.ledger(names[2]) is held[names[2]] and room.arena.ledger(names[4]) is held[names[4]]
    assert room.arena.ledger(names[3]) is not held[names[3]]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4), st.integers(1, 4))
def test_the_desk_recovers_what_is_new_and_nothing_else(takes: list[int], last: int) -> None:
    """Killed before the index knew of what came last, it reads that alone; each mail has one answer."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        room = Room(Path(folder) / "arena")
        room.invite("ada", "bo")
        writers = (f"guest-{number}@example.org" for number in count())
        for mails in takes:
            for _ in range(mails):
                room.write(next(writers), "hello, what is this?", to="arena@example.org", subject="hello")
            room.sweep()
        for _ in range(last):
            room.write(next(writers), "hello, what is this?", to="arena@example.org", subject="hello")
        with pytest.MonkeyPatch.context() as kill:
            kill.setattr(room.arena.index.games, "note_taken", _killed)
            with pytest.raises(Killed):
                room.sweep()
        room.reopen()
        read: list[str] = []
        decode = append_only._decode

        def noted(text: str) -> Any:
            read.append(text)
            return decode(text)

        patch.setattr(append_only, "_decode", noted)
        desk.recover(room.arena)
        assert sum("key = " in text for text in read) == last, "it read what it need not, or too little"
        assert all(room.arena.index.games.has_taken(entry["cause"]) for entry in pending.entries(room.arena))
        room.sweep()
        assert Counter(to for to, _ in room.outbox.sent if to.startswith("guest")) == Counter(
            f"guest-{number}@example.org" for number in range(sum(takes) + last)
        )
        room.arena.close()


def _killed(*_: Any) -> None:
    raise Killed


# Many games, many letters, much talk


def others(room: Room, count: int, *, with_folders: bool = False) -> None:
    """Let the index know of so many games besides, which are as we left them and have nothing to do."""
    games = room.arena.index.games
    row = next(row for row in games.rows() if row.name == GAME)
    for number in range(count):
        name = f"other-{number:05d}"
        if with_folders:
            shutil.copytree(room.root / "games" / GAME, room.root / "games" / name, dirs_exist_ok=True)
        stamp = room.arena.stamp(name, row.ruleset)
        games.store(msgspec.structs.replace(row, name=name, wakes=None, stamp=stamp))


def work_of(room: Room, text: str = "", answering: bytes = b"") -> Counter[str]:
    """Return what a sweep does with one mail of Ada's, or with none."""
    if text:
        to, raw = [sent for sent in room.outbox.sent if sent[0].startswith("ada-")][-1]
        room.write(to, text, answering=answering or raw)
    with done(room) as found:
        assert room.sweep(timedelta(seconds=1)).entries == bool(text)
    return found


FOLDERS = [False, pytest.param(True, marks=[pytest.mark.sweep, pytest.mark.timeout(600)])]


@pytest.mark.parametrize("with_folders", FOLDERS)
def test_a_mail_and_an_idle_sweep_cost_the_same_beside_five_thousand_games_as_beside_twenty(
    tmp_path: Path, with_folders: bool
) -> None:
    """In calls, opens, looks at files and syncs: at most three more, whether the games are rows or folders too."""
    room = begun(tmp_path, 1)
    found: list[tuple[Counter[str], Counter[str]]] = []
    for count_ in (20, 5_000):
        others(room, count_, with_folders=with_folders)
        work_of(room, "attack Cuttlefish 3\ndefend 4\nwait")
        found.append((work_of(room), work_of(room, "attack Cuttlefish 2\ndefend 3\nwait")))
    for few, many in zip(*found, strict=True):
        few["bytes"] = many["bytes"] = 0
        assert all(many[what] <= few[what] + 3 for what in many), (few, many)
    room.arena.close()


LETTERS = [(20, 150, 30), pytest.param((10, 2_000, 1_000), marks=[pytest.mark.sweep, pytest.mark.timeout(600)])]
"""How many letters at first, how many at last, and how many of them are held in memory."""


@pytest.mark.parametrize("letters", LETTERS)
def test_a_mail_that_answers_an_old_letter_costs_the_same_whatever_its_writer_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letters: tuple[int, int, int]
) -> None:
    """Each letter is read once for its name, however often such mail comes, and however few are held in memory."""
    monkeypatch.setattr(caps, "ANSWERS", 5_000)
    monkeypatch.setattr(arena, "LETTERS_HELD", letters[2])
    room = begun(tmp_path, 1)
    first = [raw for to, raw in room.outbox.sent if to.startswith("ada-")][-1]
    found = []
    for many in letters[:2]:
        while sum(to.startswith("ada-") for to, _ in room.outbox.sent) < many:
            work_of(room, "attack Cuttlefish 2\ndefend 3\nwait")
        for coins in (4, 5, 6):
            last = work_of(room, f"attack Cuttlefish 2\ndefend {coins}\nwait", answering=first)
        found.append(last)
    before, after = found
    before["bytes"] = after["bytes"] = 0
    assert all(after[what] <= before[what] for what in after), (before, after)
    room.arena.close()


def test_an_edit_is_read_before_whatever_happens_next_in_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where no sweep has come to look at it yet: a mail, and a close, find what a person changed."""
    monkeypatch.setattr(arena.Arena, "edited", lambda self: [])
    room = begun(tmp_path, 1)
    charter = room.root / "games" / GAME / "charter.toml"
    sound = charter.read_text()
    charter.write_text(sound.replace("seats = 2", "seats = x"))
    assert not room.sweep().troubles
    to, raw = [sent for sent in room.outbox.sent if sent[0].startswith("ada-")][-1]
    room.write(to, "wait", to=header(raw, "Reply-To"), subject="Re: hello")
    assert any("charter.toml, line" in trouble for trouble in room.sweep().troubles)
    charter.write_text(sound)
    assert not room.sweep().troubles
    charter.write_text(sound.replace("seats = 2", "seats = x"))
    title = room.arena.index.games.phase_of(GAME)[0]
    assert any("charter.toml, line" in trouble for trouble in room.sweep(timedelta(days=9)).troubles)
    assert room.arena.index.games.phase_of(GAME)[0] == title
    room.arena.close()


def test_entries_since_a_letter_are_found_without_the_phases_before_it() -> None:
    """The same as all journals together have, whichever the entry; of the last phase no other journal is read."""
    shelf, place, ruleset = Shelf(Path(__file__).parents[2]), ("games", "rumble-1"), rulesets_known()["rumble"]
    names = game_folder.folders(shelf, place)
    every = [one for _, read in game_folder.journals(shelf, place, names, ruleset=ruleset) for one in read.entries]
    for first in range(len(every)):
        assert game_folder.entries_from(shelf, place, every[first].number, ruleset) == tuple(every[first:])
    with pytest.MonkeyPatch.context() as patch:
        work = Work(patch)
        game_folder.entries_from(shelf, place, every[-1].number, ruleset)
    assert len(names) > 5 and work.count["read"] <= 3
