"""G11. A broken game stops itself and no other; its moderator hears what, where and how to mend it."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon import Daemon
from pbem.ground.terms import WorldError
from pbem.hall.keeping import health
from pbem.hall.store import append_only, edits, game_folder
from pbem.hall.store.arena import Doors
from pbem.hall.store.people import People
from pbem.hall.sweep.reindexing import reindex
from pbem.letters import addressing
from pbem.table.fold import replay
from pbem.table.fold.journal import RulingGiven
from pbem.world import settings
from pbem.world.log import SILENT
from pbem.world.shelf import Shelf
from tests.conftest import Room, steady
from tests.keeping.test_digest import moderated
from tests.script import idle_disk

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
PLACE = ("games", "tide-1")
FEW, LEAST = 149, 12
"""Of so many damages the quick tests try one, and of a short file so many at least; the sweep tries all."""


@pytest.fixture(autouse=True)
def _idle_disk() -> Iterator[None]:
    with idle_disk():
        yield


# Any byte


def played(room: Room) -> None:
    """A game in its second phase, with orders on hand, a ruling, and a letter on its way."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    room.sweep()
    room.write(GWEN, "set coins Ada 7 because of the fine")
    room.write(ADA, "bid 2")
    room.write("someone@example.net", "hello?", to="arena@example.org", subject="hello")
    room.sweep()
    room.arena.close()


def game(room: Room, root: Path) -> Any:
    """Load a game as the sweep does; a change under [facts] is told, and can be undone: it reads as a ruling."""
    found = game_folder.open_ledger(Shelf(root), PLACE, room.rulesets, bytes(32))
    edit = edits.hand_edit(found, room.clock.now())
    return edit or (found.charter, replay.start(found.table, found.sum))


LOADS: dict[str, Callable[[Room, Path], Any]] = {
    "games/tide-1/charter.toml": game,
    "games/tide-1/state.toml": game,
    "games/tide-1/phase-01/journal.toml": lambda room, root: list(replayed(room, root)),
    "games/tide-1/phase-02/journal.toml": game,
    "games/tide-1/phase-02/state.toml": game,
    "people.toml": lambda room, root: People(Shelf(root), bytes(32))._contacts,
    "settings.toml": lambda room, root: settings.read(root),
    "desk/journal.toml": lambda room, root: append_only.read("entry", Shelf(root), "desk", "journal.toml"),
    "games/tide-1/post/sent.toml": lambda room, root: append_only.read(
        "sent", Shelf(root), *PLACE, "post", "sent.toml"
    ),
}
"""What reads each kind of file."""


def replayed(room: Room, root: Path) -> Iterator[Any]:
    """Yield what a replay reads of each phase."""
    terms = game_folder.read_charter(Shelf(root), PLACE, room.rulesets)
    for phase in game_folder.phases(Shelf(root), PLACE, room.rulesets["harbour"], terms, bytes(32)):
        yield phase.entries


def damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file with one byte changed, cut off, or with a block of zeros, at each of its bytes."""
    for at in range(len(data)):
        yield f"byte {at} changed", data[:at] + bytes([data[at] ^ (1, 4, 32, 128)[at % 4]]) + data[at + 1 :]
        yield f"cut at {at}", data[:at]
        yield f"zeros from {at}", data[:at] + bytes(min(16, len(data) - at)) + data[at + 16 :]


def judged(room: Room, root: Path, name: str, broken: bytes, whole: Any) -> str:
    """Say what comes of a damaged file: refused, equal, told, or left out (a note of a list); all else is wrong."""
    (root / name).write_bytes(broken)
    try:
        found = LOADS[name](room, root)
    except WorldError:
        return "refused"
    if found == whole:
        return "equal"
    if name in ("desk/journal.toml", "games/tide-1/post/sent.toml"):
        as_it_was = all(any(line.items() >= known.items() for known in whole) for line in found)
        return "left out" if as_it_was else "accepted"
    if name.endswith("tide-1/state.toml"):
        reasons = {one.because for one in found.rulings} if isinstance(found, RulingGiven) else set()
        return "told" if reasons == {"edited by hand"} else "accepted"
    return "accepted"


def damaged(room: Room, root: Path, few: int) -> dict[str, Counter[str]]:
    """Try one of so many damages of each file, and say what came of them."""
    played(room)
    shutil.copytree(room.root, root)
    (root / "settings.toml").write_text('[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "Maildir"\n')
    found: dict[str, Counter[str]] = {}
    for name, load in LOADS.items():
        data = (root / name).read_bytes()
        whole = load(room, root)
        found[name] = Counter()
        step = min(few, max(1, len(data) * 3 // LEAST))
        for number, (what, broken) in enumerate(damages(data)):
            if number % step == 0:
                verdict = judged(room, root, name, broken, whole)
                assert verdict != "accepted" or name == "settings.toml", f"{name}: {what}"
                assert name.endswith("tide-1/phase-02/journal.toml") or (root / name).read_bytes() == broken
                found[name][verdict] += 1
        (root / name).write_bytes(data)
    return found


def test_some_damage_to_any_file_is_refused_or_changes_nothing(room: Room, tmp_path: Path) -> None:
    """Bytes changed, cut or zeroed: the file says what it said, or is refused; what was not ours to write is kept."""
    found = damaged(room, tmp_path / "damaged", FEW)
    assert all(verdicts["refused"] + verdicts["left out"] for verdicts in found.values()), found


@pytest.mark.sweep
@pytest.mark.timeout(600)
def test_any_damage_to_any_file_is_refused_or_changes_nothing(
    room: Room, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Every byte of every kind of file changed, the file cut off there, and a block of zeros put there."""
    found = damaged(room, tmp_path / "damaged", 1)
    for name, verdicts in found.items():
        record_property("tried", f"damage to {name}: {dict(verdicts)}")
    assert all(verdicts["refused"] + verdicts["left out"] for verdicts in found.values())


def test_settings_that_were_changed_are_told(room: Room) -> None:
    """People write them, so there is no check sum to refuse them by; that they changed is told the arena's moderator."""
    moderated(room)
    daemon = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT, steady(room))
    path = room.root / "settings.toml"
    path.write_text('[arena]\naddress = "arena@example.org"\n')
    for _ in range(2):
        daemon.wake()
    assert not room.arena.index.counters.odd()
    assert health.read(room.arena)
    path.write_text('[arena]\naddress = "brena@example.org"\n')
    daemon.wake()
    (odd,) = room.arena.index.counters.odd()
    assert "settings.toml was changed" in odd.what


# One of many

HURT: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "tide-a": ("phase-01/journal.toml", lambda data: data.replace(b"bid 3", b"bid 9"), "journal.toml, line 1"),
    "tide-b": ("phase-01/journal.toml", lambda data: b"", "the journal ends with entry"),
    "tide-c": ("charter.toml", lambda data: data.replace(b"seats = 2", b"seats = 3"), "charter.toml is not as it was"),
    "tide-d": ("charter.toml", lambda data: data.replace(b"seats = 2", b"seats = \0"), "charter.toml, line"),
    "tide-e": ("state.toml", lambda data: data.replace(b"phase = 1", b"phase = 2"), "state.toml, line"),
    "tide-f": (
        "phase-01/state.toml",
        lambda data: data.replace(b"ada = 10", b"ada = 18"),
        "phase-01/state.toml is not",
    ),
    "tide-g": ("phase-01/journal.toml", lambda data: bytes(len(data)), "the journal ends with entry"),
}
"""What is done to which file of a game, and what its moderator is told."""


def test_games_that_are_damaged_stand_still_and_the_sound_one_goes_on(room: Room) -> None:
    """Each in another way: each moderator hears which file it is, the mail waits, the bytes stay, and repair is all."""
    for name in (*HURT, "tide-z"):
        room.found("ada", "bo", name=name)
        room.write(ADA, "bid 3")
        room.sweep()
    sound: dict[Path, bytes] = {}
    broken: dict[Path, bytes] = {}
    for name, (file, harm, _) in HURT.items():
        path = room.root / "games" / name / file
        sound[path] = path.read_bytes()
        broken[path] = harm(sound[path])
        assert broken[path] != sound[path]
        path.write_bytes(broken[path])
    room.reopen()
    for name in (*HURT, "tide-z"):
        token = addressing.token(room.arena.secret, name, 1, "seat bo")
        room.write(BO, "bid 1", to=f"arena+{name}.{token}@example.org", subject=name)
    swept = room.sweep()
    assert swept.still == set(HURT)
    assert room.table("tide-z").number == 2
    assert len(room.mailbox.waiting) == len(HURT)
    told = [letter for letter in room.letters(GWEN) if "stands still" in letter.subject]
    for name, (_, _, words) in HURT.items():
        (letter,) = [letter for letter in told if name in letter.subject]
        assert words.replace(" ", "") in "".join("".join(letter.body).split()), (name, letter.body)  # paths are long
    assert all(path.read_bytes() == data for path, data in broken.items())
    for path, data in sound.items():
        path.write_bytes(data)
    swept = room.sweep(timedelta(minutes=20))
    assert not swept.troubles and not room.mailbox.waiting
    assert all(room.table(name).number == 2 for name in HURT)


def test_a_seed_that_is_not_the_one_that_was_sealed_stops_the_game(room: Room) -> None:
    """No die is cast with it: the seal in the charter tells."""
    room.found("ada", "bo")
    path = room.root / "secrets" / "tide-1.seed"
    path.write_bytes(bytes([1]) + bytes(31))
    room.reopen()
    room.write(ADA, "bid 3")
    (trouble,) = room.sweep().troubles
    assert "tide-1.seed does not fit the seal" in trouble
    path.write_bytes(bytes(32))
    assert not room.sweep(timedelta(minutes=20)).troubles


def test_an_index_that_turns_out_damaged_is_told_with_what_to_do(room: Room) -> None:
    """SQLite notices only when it comes to the place: the daemon says so, goes on trying, and a new index is all it takes."""
    room.found("ada", "bo")
    around = Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT, steady(room))
    room.reopen()
    path = room.root / "index.sqlite"
    path.write_bytes(path.read_bytes()[:4096] + b"rubbish!" * (len(path.read_bytes()) // 8))
    room.write(ADA, "bid 3")
    around.arena = room.arena
    (trouble,) = around.wake().away
    assert trouble.startswith(f"{path} is damaged") and trouble.endswith("Delete it and run: pbem reindex")
    assert room.mailbox.waiting
    room.arena.close()
    for part in room.root.glob("index.sqlite*"):
        part.unlink()
    room.arena = around.arena = room.open()
    assert reindex(room.arena) == []
    assert not around.wake().troubles and not room.mailbox.waiting


def test_people_that_were_damaged_stop_the_arena_with_a_sentence(room: Room) -> None:
    """Whose address is whose concerns every game: nothing is sent anywhere before somebody has looked."""
    room.found("ada", "bo")
    path = room.root / "people.toml"
    path.write_bytes(path.read_bytes().replace(b"ada@", b"ida@"))
    with pytest.raises(WorldError, match=r"people.toml is not as it was written: its check sum does not fit"):
        room.open()
