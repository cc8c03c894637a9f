"""What the shelf promises: files whole or absent, durable in order, private; no links; locks."""

import errno
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import ShelfError
from pbem.world import disk
from pbem.world import shelf as room
from pbem.world.index import Index
from pbem.world.index.counters import Counted
from pbem.world.shelf import STEPS, Shelf, UnsyncedError

GAME = ("games", "ember-7")
OURS = str(Path(room.__file__).parents[2])


class Crash(BaseException):
    """The process stops here: nothing of ours runs any more."""


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A shelf in a temporary folder that does not exist yet."""
    return Shelf(tmp_path / "arena")


def temporaries(shelf: Shelf) -> list[str]:
    """List what lies in the folder for temporaries."""
    return os.listdir(shelf.root / ".tmp")


# Reading and writing


def test_what_is_written_is_read(shelf: Shelf) -> None:
    """A file comes back as it was put, in folders that are made on the way, and can be replaced."""
    shelf.write(b"one", *GAME, "state.toml")
    shelf.write(b"two\r\n\0", *GAME, "state.toml")
    assert shelf.read(*GAME, "state.toml") == b"two\r\n\0"
    assert shelf.exists(*GAME)
    assert shelf.exists(*GAME, "state.toml")
    assert not shelf.exists("games", "nowhere", "state.toml")


def test_names_are_sorted_and_hide_what_is_ours(shelf: Shelf) -> None:
    """A listing has files and folders in order of name and no temporaries; an absent folder is empty."""
    for name in ("b", "a", "c"):
        shelf.write(b"", "strays", name)
    assert shelf.names("strays") == ["a", "b", "c"]
    assert shelf.names() == ["strays"]
    assert shelf.names("nowhere", "at", "all") == []


def test_a_missing_file_is_named(shelf: Shelf) -> None:
    """Reading what is not there says where it is not."""
    shelf.write(b"", "x")
    with pytest.raises(ShelfError, match=r"nothing at .*arena/games/ember-7/charter\.toml"):
        shelf.read(*GAME, "charter.toml")


def test_append_adds_and_cut_takes_a_torn_tail_off(shelf: Shelf) -> None:
    """A file grows at its end alone, and is cut to a size, but never made longer by that."""
    shelf.append(b"one\n", *GAME, "journal.toml")
    shelf.append(b"two\n", *GAME, "journal.toml")
    shelf.append(b"thr", *GAME, "journal.toml")
    shelf.cut(8, *GAME, "journal.toml")
    assert shelf.read(*GAME, "journal.toml") == b"one\ntwo\n"
    with pytest.raises(ShelfError, match="has 8 bytes and cannot be cut to 9"):
        shelf.cut(9, *GAME, "journal.toml")


def test_once_leaves_what_is_there(shelf: Shelf) -> None:
    """A second write of a name made of the content is no write."""
    shelf.write(b"first", "in", "abc.eml", once=True)
    shelf.write(b"second", "in", "abc.eml", once=True)
    assert shelf.read("in", "abc.eml") == b"first"
    assert temporaries(shelf) == []


def test_only_the_owner_may_look(shelf: Shelf) -> None:
    """Folders are 0700 and files 0600, temporaries, locks and the arena itself among them."""
    old = os.umask(0)
    try:
        shelf.write(b"secret", *GAME, "phase-01", "state.toml")
        shelf.append(b"secret", *GAME, "journal.toml")
        with shelf.lock("lock"), shelf.batch() as batch:
            batch.write(b"secret", "x")
            modes = {path: path.stat().st_mode & 0o777 for path in [shelf.root, *shelf.root.rglob("*")]}
    finally:
        os.umask(old)
    assert len(modes) == 9
    assert {path: oct(mode) for path, mode in modes.items()} == {
        path: oct(0o700 if path.is_dir() else 0o600) for path in modes
    }


# Places


@pytest.mark.parametrize(
    "part", ["", ".", "..", "a/b", "/etc", "a\0b", ".hidden", "a\nb", "a\u2028b", "\udc80", "x" * 256]
)
def test_only_plain_names_are_places(shelf: Shelf, part: str) -> None:
    """Nothing that could lead elsewhere, hide, or break a line is taken as a name, wherever it stands."""
    for parts in ((part,), ("games", part), (part, "charter.toml")):
        for act in (shelf.read, shelf.exists, shelf.names):
            with pytest.raises(ShelfError, match="is not a plain name"):
                act(*parts)
        for put in (shelf.write, shelf.append):
            with pytest.raises(ShelfError, match="is not a plain name"):
                put(b"x", *parts)
        with pytest.raises(ShelfError, match="is not a plain name"):
            shelf.cut(0, *parts)
        with pytest.raises(ShelfError, match="is not a plain name"), shelf.lock(*parts):
            pass


@pytest.mark.parametrize("link", ["games", "games/ember-7", "games/ember-7/journal.toml"])
def test_links_are_refused(shelf: Shelf, tmp_path: Path, link: str) -> None:
    """A link in the arena, folder or file, is neither read nor written through nor replaced."""
    elsewhere = tmp_path / "elsewhere"
    Shelf(elsewhere).write(b"theirs", *GAME, "journal.toml")
    place = shelf.root / link
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere / link)
    parts = (*GAME, "journal.toml")
    acts: list[Callable[[], object]] = [
        lambda: shelf.read(*parts),
        lambda: shelf.exists(*parts),
        lambda: shelf.write(b"x", *parts),
        lambda: shelf.append(b"x", *parts),
        lambda: shelf.cut(0, *parts),
    ]
    for act in acts:
        with pytest.raises(ShelfError, match="is a link, or lies behind one"):
            act()
    with pytest.raises(ShelfError, match="is a link, or lies behind one"), shelf.batch() as batch:
        batch.append(b"x", "elsewhere")
        batch.then()
        batch.write(b"x", *parts)
    assert not shelf.exists("elsewhere"), "something was done before the link was refused"
    with pytest.raises(ShelfError, match="is a link, or lies behind one"), shelf.lock(*parts):
        pass
    assert Shelf(elsewhere).read(*parts) == b"theirs"
    assert place.is_symlink()


def test_a_pipe_is_no_file_and_does_not_block(shelf: Shelf) -> None:
    """Something that is no plain file is refused at once."""
    shelf.write(b"", "x")
    os.mkfifo(shelf.root / "pipe")
    with pytest.raises(ShelfError, match="is not a plain file"):
        shelf.read("pipe")


def test_a_folder_is_not_replaced_by_a_file(shelf: Shelf) -> None:
    """Writing onto a folder says that it is one."""
    shelf.write(b"", *GAME, "charter.toml")
    with pytest.raises(ShelfError, match="is a folder where a file belongs"):
        shelf.write(b"", *GAME)


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="needs a mount to step into")
def test_a_tree_that_goes_over_to_another_disk_is_not_written() -> None:
    """Below a mount, one sync of the file system would not do, so no folder there is written."""
    with disk.folder(Path("/"), ("proc",)) as handle:
        assert "self" in os.listdir(handle)
    with pytest.raises(OSError) as told, disk.folder(Path("/"), ("proc",), set()):
        pass
    assert "Keep it all on one file system" in disk.sentence(told.value, Path("/proc"))


ABROAD = """
import sys
from pathlib import Path
from pbem.world.shelf import Shelf
shelf = Shelf(Path(sys.argv[1]))
assert sys.getfilesystemencoding() == "ascii"
shelf.write(b"x", "zo\\u00eb", "\\u6708.txt")
assert shelf.names() == ["zo\\u00eb"] and shelf.read("zo\\u00eb", "\\u6708.txt") == b"x"
"""


def test_names_are_the_same_bytes_in_any_locale(shelf: Shelf) -> None:
    """
    A process that knows ASCII alone writes the names that one of UTF-8 reads.

    Rule: F26.
    """
    abroad = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": OURS}
    subprocess.run([sys.executable, "-c", ABROAD, str(shelf.root)], env=abroad, check=True, timeout=30)
    assert os.listdir(os.fsencode(shelf.root) + "/zo\u00eb".encode()) == ["\u6708.txt".encode()]
    assert shelf.read("zo\u00eb", "\u6708.txt") == b"x"


def test_an_arena_may_be_reached_by_a_link_that_is_set_anew(tmp_path: Path) -> None:
    """What is read and written from then on is where it leads now, whether or not the old place is still there."""
    for name in ("v1", "v2"):
        Shelf(tmp_path / name).write(name.encode(), "x")
    link = tmp_path / "arena"
    link.symlink_to("v1")
    shelf = Shelf(link)
    assert shelf.read("x") == b"v1"
    link.unlink()
    link.symlink_to("v2")
    assert shelf.read("x") == b"v2" and shelf.exists("x")
    (tmp_path / "v2").rename(tmp_path / "v3")
    link.unlink()
    link.symlink_to("v3")
    shelf.write(b"new", "y")
    assert shelf.read("x") == b"v2" and shelf.exists("y") and shelf.names() == ["x", "y"]


# Batches


def fill(shelf: Shelf) -> None:
    """Put a game on the shelf as it stands before the batch below."""
    shelf.write(b"old", *GAME, "state.toml")
    shelf.append(b"one\n", *GAME, "journal.toml")


def work(shelf: Shelf) -> None:
    """Do a batch of everything: make in new folders, keep, append to an old and to a new file, derive."""
    with shelf.batch() as batch:
        batch.write(b"draft", *GAME, "post", "out", "1.eml")
        batch.write(b"letter", *GAME, "post", "out", "1.eml")
        batch.write(b"mail", "in", "abc.eml", once=True)
        batch.write(b"new", *GAME, "state.toml", derived=True, instead_of=b"old")
        batch.then()
        batch.append(b"two\n", *GAME, "journal.toml")
        batch.append(b"three\n", *GAME, "journal.toml")
        batch.append(b"begun\n", "desk", "journal.toml")


def standing(shelf: Shelf) -> dict[str, bytes]:
    """Return all files of an arena by their places, temporaries apart."""
    return {
        str(path.relative_to(shelf.root)): path.read_bytes()
        for path in sorted(shelf.root.rglob("*"))
        if path.is_file() and path.parent.name != ".tmp"
    }


BEFORE = {"games/ember-7/journal.toml": b"one\n", "games/ember-7/state.toml": b"old"}
AFTER = {
    "desk/journal.toml": b"begun\n",
    "games/ember-7/journal.toml": b"one\ntwo\nthree\n",
    "games/ember-7/post/out/1.eml": b"letter",
    "games/ember-7/state.toml": b"new",
    "in/abc.eml": b"mail",
}
APPENDED = {place for place in AFTER if place.endswith("journal.toml")}
DERIVED = {"games/ember-7/state.toml"}


def reached(act: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """List the steps of a run without crashes, each with its occurrence."""
    seen: Counter[str] = Counter()
    order: list[tuple[str, int]] = []

    def note(name: str) -> None:
        seen[name] += 1
        order.append((name, seen[name]))

    with monkeypatch.context() as patch:
        patch.setattr(room, "STEP", note)
        act()
    return order


def stop_at(name: str, occurrence: int, how: BaseException) -> Callable[[str], None]:
    """Return a STEP that raises at one occurrence of a step."""
    left = [occurrence]

    def step(reached_now: str) -> None:
        if reached_now == name:
            left[0] -= 1
            if left[0] == 0:
                raise how

    return step


def test_a_batch_does_all_of_it(shelf: Shelf) -> None:
    """After a batch all of it is there, the last write of a name counting, and no temporaries."""
    fill(shelf)
    assert standing(shelf) == BEFORE
    work(shelf)
    assert standing(shelf) == AFTER
    assert temporaries(shelf) == []


def test_a_crash_at_any_step_leaves_each_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Whatever step a batch is killed at, each file is old or new, and each stage comes after the one before.

    After tidying no temporary is left, and each file can be written again. All steps are reached.
    """
    trial = Shelf(tmp_path / "trial")
    fill(trial)
    points = reached(lambda: work(trial), monkeypatch)
    cuts = reached(lambda: trial.cut(4, *GAME, "journal.toml"), monkeypatch)
    assert {name for name, _ in points + cuts} == set(STEPS)
    for number, (name, occurrence) in enumerate(points):
        shelf = Shelf(tmp_path / f"{number}")
        fill(shelf)
        with monkeypatch.context() as patch:
            patch.setattr(room, "STEP", stop_at(name, occurrence, Crash()))
            with pytest.raises(Crash):
                work(shelf)
        Shelf(shelf.root).tidy()
        left = standing(shelf)
        assert temporaries(shelf) == []
        for place in BEFORE.keys() | left.keys():
            assert left[place] in (BEFORE.get(place, b""), AFTER[place]), (name, occurrence, place)
        if any(left.get(place, b"") not in (b"", BEFORE.get(place)) for place in APPENDED):
            assert all(left[place] == AFTER[place] for place in AFTER.keys() - APPENDED - DERIVED), (name, occurrence)
        if any(left[place] == AFTER[place] for place in DERIVED):
            assert all(left.get(place) == AFTER[place] for place in AFTER), (name, occurrence)
        with shelf.batch() as batch:
            for place, data in AFTER.items():
                batch.write(data, *place.split("/"))
        assert standing(shelf) == AFTER


def test_a_failure_at_any_step_is_cleaned_up_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk at any step is a ShelfError; no temporary stays, and appends in doubt are taken back."""
    trial = Shelf(tmp_path / "trial")
    fill(trial)
    points = reached(lambda: work(trial), monkeypatch)
    for number, (name, occurrence) in enumerate(points[:-1]):
        shelf = Shelf(tmp_path / f"{number}")
        fill(shelf)
        with monkeypatch.context() as patch:
            patch.setattr(room, "STEP", stop_at(name, occurrence, OSError(errno.ENOSPC, "full")))
            with pytest.raises(ShelfError, match="The disk is full"):
                work(shelf)
        assert temporaries(shelf) == []
        left = standing(shelf)
        if any(left.get(place, b"") not in (b"", BEFORE.get(place)) for place in APPENDED):
            assert (name, occurrence) == [one for one in points if one[0] == "before-rename"][-1]
            assert left == AFTER | {place: BEFORE[place] for place in DERIVED}
            continue  # only what is derived was still to be done
        work(shelf)
        assert standing(shelf) == AFTER


def test_what_is_durable_is_not_taken_back(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure after the last sync leaves all of the batch done."""
    fill(shelf)
    monkeypatch.setattr(room, "STEP", stop_at("done", 1, RuntimeError()))
    with pytest.raises(RuntimeError):
        work(shelf)
    assert standing(shelf) == AFTER


def test_a_body_that_raises_does_nothing(shelf: Shelf) -> None:
    """If the body of a batch gives up, nothing of it is done, and its own exception comes out unchanged."""
    fill(shelf)
    with pytest.raises(FileNotFoundError, match="the caller's"), shelf.batch() as batch:
        batch.write(b"new", *GAME, "state.toml")
        batch.append(b"two\n", *GAME, "journal.toml")
        raise FileNotFoundError("the caller's own")
    assert standing(shelf) == BEFORE
    assert temporaries(shelf) == []


def told_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have what the disk is told taken down, in order, temporaries apart."""
    told: list[str] = []
    settle, rename, pour = disk.settle, os.rename, disk.fill

    def note_settle(root: int, places: list[disk.Parts]) -> None:
        told.append(
            "sync " + " ".join(sorted({"/".join(place) if place[:1] != (".tmp",) else "." for place in places}))
        )
        settle(root, places)

    def note_rename(old: str, new: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        told.append(f"rename {new}")
        rename(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def note_fill(handle: int, data: bytes) -> None:
        told.append(f"put {bytes(data).decode()}")
        pour(handle, data)

    monkeypatch.setattr(disk, "settle", note_settle)
    monkeypatch.setattr(os, "rename", note_rename)
    monkeypatch.setattr(disk, "fill", note_fill)
    return told


def test_nothing_shows_before_it_is_durable(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes are synced before the rename, folders after it; what is in the next stage begins only then."""
    fill(shelf)
    told = told_by(monkeypatch)
    with shelf.batch() as batch:
        batch.write(b"one", *GAME, "state.toml")
        batch.then()
        batch.append(b"two", "desk", "journal.toml")
    game = "/".join(GAME)
    assert told == [
        "put one", "sync .", "rename state.toml", f"sync {game}", "put two", "sync  desk desk/journal.toml",
    ]  # fmt: skip


def test_a_journal_and_the_bytes_of_its_letters_are_one_sync(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters show once the journal that calls for them is durable; what is derived comes last, and is not waited for."""
    fill(shelf)
    told = told_by(monkeypatch)
    with shelf.batch() as batch:
        batch.append(b"two", *GAME, "journal.toml")
        batch.then()
        batch.write(b"new", *GAME, "state.toml", derived=True)
        batch.write(b"letter", *GAME, "1.eml")
        batch.write(b"mail", *GAME, "2.eml")
    game = "/".join(GAME)
    assert told == [
        "put new", "put letter", "put mail", "put two", f"sync . {game}/journal.toml",
        "rename 1.eml", "rename 2.eml", f"sync {game}", "rename state.toml",
    ]  # fmt: skip


def test_a_wave_takes_no_more_syncs_than_one_batch(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many games share it: one sync for all journals, one for all letters; each in its order."""
    told = told_by(monkeypatch)
    with shelf.wave() as wave:
        for number in range(7):
            batch = wave.batch()
            batch.append(b"entry", "games", f"g-{number}", "journal.toml")
            batch.then()
            batch.write(b"letter", "games", f"g-{number}", "1.eml")
        assert not wave.finish()
    assert len([one for one in told if one.startswith("sync ")]) == 2
    first, last = (number for number, one in enumerate(told) if one.startswith("sync "))
    assert all("entry" in one or "letter" in one for one in told[:first])
    assert told[first + 1 : last] == ["rename 1.eml"] * 7


@given(st.lists(st.sampled_from(("", "append", "rename", "changed")), min_size=1, max_size=6), st.booleans())
def test_what_fails_at_one_batch_fails_for_it_alone(wrongs: list[str], is_unsynced: bool) -> None:
    """A file in the way, an unwritable one, one that changed: the others are done. A sync that fails stops all of them."""
    is_unsynced = is_unsynced and not {*wrongs} <= {"append", "changed"}  # of which nothing is left to sync
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        shelf = Shelf(Path(name))
        for number in range(len(wrongs)):
            shelf.append(b"one\n", "games", f"g-{number}", "journal.toml")
        with shelf.wave() as wave:
            batches = [wave.batch() for _ in wrongs]
            for number, (wrong, batch) in enumerate(zip(wrongs, batches, strict=True)):
                place = ("games", f"g-{number}")
                batch.append(b"two\n", *place, "journal.toml", onto=shelf.footing(*place, "journal.toml"))
                batch.then()
                batch.write(b"letter", *place, "out", "1.eml")
                if wrong == "append":
                    shelf.append(b"more", *place, "journal.toml")
                if wrong == "rename":
                    (shelf.root / "games" / f"g-{number}" / "out").write_bytes(b"in the way")
                if wrong == "changed":
                    batch.expect(b"of old", *place, "journal.toml")
            if is_unsynced:
                patch.setattr(room, "STEP", stop_at("before-sync", 1, OSError(errno.EIO, "")))
                with pytest.raises(UnsyncedError, match="The disk failed"):
                    wave.finish()
                failed = dict.fromkeys(batches)
            else:
                failed = dict(wave.finish())
        for number, (wrong, batch) in enumerate(zip(wrongs, batches, strict=True)):
            left = standing(shelf)
            begun = b"one\nmore" if wrong == "append" else b"one\n"
            is_done = not is_unsynced and wrong not in ("append", "changed")
            assert left[f"games/g-{number}/journal.toml"] == (b"one\ntwo\n" if is_done else begun)
            assert (left.get(f"games/g-{number}/out/1.eml") == b"letter") is (is_done and not wrong)
            assert (batch in failed) is (is_unsynced or bool(wrong))
        assert temporaries(shelf) == []


def test_a_file_that_is_there_already_is_made_durable_all_the_same(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repeat after a failure between rename and sync is no no-op for the folder: it is synced now."""
    with monkeypatch.context() as patch:
        patch.setattr(room, "STEP", stop_at("before-sync", 2, OSError(errno.EIO, "")))
        with pytest.raises(ShelfError, match="The disk failed"):
            shelf.write(b"mail", "in", "abc.eml", once=True)
    steps = reached(lambda: shelf.write(b"mail", "in", "abc.eml", once=True), monkeypatch)
    assert [name for name, _ in steps] == ["before-check", "before-sync", "done"]


@pytest.mark.parametrize("with_syncfs", [True, False])
def test_large_batches_need_no_call_a_file(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, with_syncfs: bool) -> None:
    """A batch of many files is done with one sync of the file system, or threads where there is none."""
    if not with_syncfs:
        monkeypatch.setattr(disk, "_syncfs", None)
    synced: list[int] = []
    monkeypatch.setattr(disk, "sync", lambda root, parts: synced.append(1))
    with shelf.batch() as batch:
        for number in range(50):
            batch.write(str(number).encode(), "in", f"{number}.eml")
            batch.append(b"x", "games", f"g{number}", "journal.toml")
    assert len(shelf.names("in")) == len(shelf.names("games")) == 50
    assert (len(synced) >= 150) is not with_syncfs


def test_tidy_leaves_temporaries_of_work_in_hand(shelf: Shelf) -> None:
    """Who tidies while somebody writes takes nothing from them."""
    with shelf.batch() as batch:
        batch.write(b"x", "x")
        assert Shelf(shelf.root).tidy() == 0
    assert shelf.read("x") == b"x"


def test_tidy_makes_what_a_crash_left_visible_durable(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that a killed process appended but did not sync is on the disk before anybody reads it."""
    monkeypatch.setattr(room, "STEP", stop_at("before-sync", 1, Crash()))
    with pytest.raises(Crash):
        shelf.append(b"entry", *GAME, "journal.toml")
    told: list[str] = []
    monkeypatch.setattr(disk, "settle_all", lambda root: told.append(os.readlink(f"/proc/self/fd/{root}")))
    shelf.tidy()
    assert told == [str(shelf.root)]


def test_tidy_of_nothing_makes_nothing(shelf: Shelf) -> None:
    """An arena that does not exist is tidy."""
    assert shelf.tidy() == 0
    assert not shelf.root.exists()


# A disk that fails


def test_a_short_write_is_gone_on_with(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system takes three bytes at a time, all bytes get there."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, bytes(data)[:3]))
    shelf.write(b"0123456789", "x")
    assert shelf.read("x") == b"0123456789"


def test_a_disk_that_fills_up_halfway_changes_nothing(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write or an append that runs out of room leaves the file as it was, and says what to do."""
    fill(shelf)
    write = os.write

    def little_room(handle: int, data: bytes) -> int:
        if len(data) < 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, bytes(data)[:3])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", little_room)
        with pytest.raises(ShelfError, match=r"The disk is full: .*state\.toml could not be written\. Make room"):
            shelf.write(b"newer", *GAME, "state.toml")
        with pytest.raises(ShelfError, match=r"The disk is full: .*journal\.toml"):
            shelf.append(b"four\n", *GAME, "journal.toml")
    assert standing(shelf) == BEFORE
    assert temporaries(shelf) == []


def test_a_batch_goes_on_after_one_file_found_no_room(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever catches the failure of one write in a batch gets the others, and no half of that one."""
    with shelf.batch() as batch:
        batch.write(b"good", "a")
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", no_room)
            with pytest.raises(ShelfError):
                batch.write(b"bad", "b")
    assert standing(shelf) == {"a": b"good"}
    assert temporaries(shelf) == []


def no_room(handle: int, data: bytes) -> int:
    """Stand in for os.write on a full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_really_full_device_is_told_in_the_same_words() -> None:
    """What the system says of a full device becomes the sentence that says to make room."""
    with pytest.raises(OSError) as told, disk.open_handle("/dev/full", os.O_WRONLY) as handle:
        disk.fill(handle, b"x")
    assert disk.sentence(told.value, Path("arena/x")).startswith("The disk is full: arena/x")


def test_an_unforeseen_error_still_has_its_path() -> None:
    """An error without words of its own is told in the system's."""
    assert disk.sentence(OSError(errno.EBUSY, ""), Path("x")) == "x could not be used: Device or resource busy."


# Locks

HOLD = """
import sys
from pathlib import Path
from pbem.world.shelf import Shelf
with Shelf(Path(sys.argv[1])).lock("games", "ember-7", "lock"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_has_one_holder_whom_the_others_are_told(shelf: Shelf) -> None:
    """A second process is told the first one's id, and gets the lock as soon as the first is killed."""
    command = [sys.executable, "-c", HOLD, str(shelf.root)]
    environment = {**os.environ, "PYTHONPATH": OURS}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with (
            pytest.raises(ShelfError, match=rf"lock is held by process {other.pid},"),
            shelf.lock(*GAME, "lock"),
        ):
            pass
        other.kill()
        other.wait()
        with shelf.lock(*GAME, "lock"):
            assert shelf.read(*GAME, "lock") == f"{os.getpid()}\n".encode()
    assert shelf.read(*GAME, "lock") == b""


def test_a_lock_tells_nothing_of_a_holder_who_died(shelf: Shelf) -> None:
    """What a killed holder left in the file is gone once somebody else holds it."""
    shelf.write(b"123456789012\n", "lock")
    with shelf.lock("lock"):
        assert shelf.read("lock") == f"{os.getpid()}\n".encode()


def test_a_lock_is_let_go_when_its_body_raises(shelf: Shelf) -> None:
    """After an exception the lock can be taken again."""
    with pytest.raises(RuntimeError), shelf.lock("lock"):
        raise RuntimeError
    with shelf.lock("lock"):
        assert shelf.exists("lock")


def test_an_index_on_a_full_disk_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite speaks of errors of the disk, or of a file that cannot be opened; whoever starts us reads what to do."""
    (tmp_path / "index.sqlite").mkdir()
    with pytest.raises(ShelfError, match="Check who owns it"):
        Index(tmp_path / "index.sqlite")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    with pytest.raises(ShelfError, match="The disk is full: .*index.sqlite cannot be used. Make room"):
        Index(tmp_path / "index.sqlite")


def test_an_index_that_is_opened_anew_is_not_taken_away_by_another_process(tmp_path: Path) -> None:
    """
    As a daemon does that reads its settings anew, while a command of the terminal looks in.

    The last process that closes an index takes its log away; whether it is the last it sees by our locks.
    """
    path = tmp_path / "index.sqlite"
    before = Index(path)
    before.counters.increment(Counted(what="something"))
    index = Index(path)
    before.close()
    look = f"import sqlite3; file = sqlite3.connect({str(path)!r}); file.execute('select * from told'); file.close()"
    subprocess.run([sys.executable, "-S", "-c", look], check=True)
    assert (tmp_path / "index.sqlite-wal").exists()
    index.close()
