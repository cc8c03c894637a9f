"""G3. Every file is at all times whole and valid; after power loss it has every mail that was answered."""

import copy
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from pbem.ground.terms import ShelfError
from pbem.hall.store import append_only
from pbem.hall.sweep.reindexing import reindex
from pbem.world.shelf import Shelf
from tests.conftest import Room
from tests.depth import every
from tests.power import MODES, Found, recorded, states
from tests.script import Stage, besides_troubles, differences, idle_disk, outcome, sweep
from tests.servers import installed
from tests.tracing import Fault, Tracing, tracing

FEW = 23
"""Of so many states that the disk may be found in, the quick tests try one; the sweep tries all."""
INDEXES = ("as it was", "older", "lost", "damaged")
"""What became of the index, which is SQLite's to guard and can be made again from the folders."""


@pytest.fixture(autouse=True)
def _idle_disk() -> Iterator[None]:
    with idle_disk():
        yield


def found(stage: Stage, folder: Path) -> Iterator[tuple[Found, list[tuple[str, bytes]]]]:
    """Yield every state in which a stage of the script may leave the disk, with the letters that were sent by then."""
    room = stage.before.copied(folder)
    with recorded(room) as recorder:
        sweep(room)
    room.arena.close()
    shutil.rmtree(folder)
    for state in states(stage.before.root, recorder.told):
        yield state, room.outbox.sent[: state.sent]


def lay(state: Found, index: str, folder: Path) -> None:
    """Put on the disk what is found there."""
    for name, data in state.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    if index != "lost":
        for name, data in (state.older if index == "older" else state.copies).items():
            (folder / name).write_bytes(data)
    if index == "damaged":
        (folder / "index.sqlite").write_bytes(b"rubbish" * 999)


def started(stage: Stage, state: Found, sent: Sequence[tuple[str, bytes]], index: str, folder: Path) -> Room:
    """Start on what is found, with the mail that was not marked by then; do about the index what its error says."""
    before = stage.before

    def opened() -> Room:
        return Room(folder, before.rulesets, before.words, start=before.clock.now())

    if index == "damaged":
        with pytest.raises(ShelfError, match=r"index.sqlite is damaged .* Delete it and run: pbem reindex"):
            opened()
        (folder / "index.sqlite").unlink()
    room = opened()
    if index in ("lost", "damaged"):
        assert reindex(room.arena) == []
    room.mailbox, room.outbox = copy.deepcopy(before.mailbox), copy.deepcopy(before.outbox)
    room.mailbox.mark([mail for mail in room.mailbox.waiting if mail.name not in state.waiting])
    room.outbox.sent = list(sent)
    return room


def trial(stage: Stage, state: Found, sent: Sequence[tuple[str, bytes]], index: str, folder: Path) -> None:
    """Go on after the power went: what was said stands, and all is as if nothing had been."""
    where = f"{stage.name}, {state.at} things told, {state.mode}, the index {index}"
    lay(state, index, folder)
    room = started(stage, state, sent, index, folder)
    try:
        sweep(room)
    except AssertionError as error:
        raise AssertionError(f"{where}: {error}") from error
    wrong = differences(outcome(room), stage.clean)
    assert not wrong, f"{where}: {wrong}"
    room.arena.close()
    shutil.rmtree(folder)


def power_goes(script: Sequence[Stage], folder: Path, few: int) -> Counter[str]:
    """Try one of so many states, each with the index in another condition than the last; count them by mode."""
    tried: Counter[str] = Counter()
    number = 0
    for stage in script:
        for state, sent in found(stage, folder / "recorded"):
            number += 1
            if number % few == 0:
                trial(stage, state, sent, INDEXES[number // few % len(INDEXES)], folder / f"{number}")
                tried[state.mode] += 1
    return tried


def test_power_that_goes_at_some_points_costs_nothing_that_was_said(script: Sequence[Stage], tmp_path: Path) -> None:
    """Some of the states that two sweeps may leave; whoever was answered is in the journal, and every file is whole."""
    some = [stage for stage in script if stage.name in ("begin", "order")]
    assert sum(power_goes(some, tmp_path, FEW).values()) >= 6


@pytest.mark.sweep
@pytest.mark.timeout(600)
def test_power_that_goes_anywhere_costs_nothing_that_was_said(
    script: Sequence[Stage], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Every state: nothing unsynced, names alone, data alone, half of a write, zeros; the index kept, lost, damaged."""
    tried = power_goes(script, tmp_path, 1)
    assert set(tried) == set(MODES)
    record_property("tried", f"the power went with the disk in {sum(tried.values())} states: {dict(tried)}")


@pytest.mark.parametrize("tail", [b"", b"\0"], ids=["cut", "zeros"])
def test_a_note_that_is_torn_takes_no_other_with_it(tmp_path: Path, tail: bytes) -> None:
    """Cut at any byte, or followed by zeros, the last line of a list is left out; those before and after it are read."""
    shelf = Shelf(tmp_path)
    lines = [append_only.encode("entry", {"name": name, "said": "a\n\nb"}) for name in ("Ada", "Bo", "Cy")]
    for at in range(len(lines[1])):
        torn = lines[1][:at] + tail * (len(lines[1]) - at)
        shelf.write(lines[0] + torn + lines[2], "journal.toml")
        assert [line["name"] for line in append_only.read("entry", shelf, "journal.toml")] in (
            ["Ada", "Cy"],
            ["Ada", "Bo", "Cy"],
        )


# Killed, or failed, at any system call

WAYS = {"signal=KILL": 6, "error=EIO": 40, "error=EIO +": 40, "error=ENOSPC": 40, "error=ENOSPC +": 40}
"""What happens at a call, with + at all of its kind from there on; of so many calls CI tries one."""
AGAIN = 3
"""Of so many kills one is followed by another in the recovery."""


def failed(tracing: Tracing, stage: Stage, folder: Path, *faults: Fault) -> None:
    """Sweep with these faults, one process after the other; then settle without, and all is as if nothing had been."""
    where = f"{stage.name}, {', then '.join(map(str, faults))}"
    tracing.lay(stage, folder)
    for fault in faults:
        code = tracing.fail(stage, folder, fault)
        assert code in ((-9, 0) if "KILL" in fault.what else (0, 75)), f"{where}: ended with {code}"
    room = tracing.left(stage, folder)
    sweep(room)
    wrong = differences(besides_troubles(outcome(room)), stage.clean)
    assert not wrong, f"{where}: {wrong}"
    room.arena.close()
    shutil.rmtree(folder)


@pytest.mark.sweep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("way", WAYS)
def test_a_sweep_that_is_killed_or_denied_any_system_call_goes_on_as_if_nothing_had_been(
    script: Sequence[Stage], tmp_path: Path, way: str, record_property: Callable[[str, object], None]
) -> None:
    """Killed at a call, told that the disk failed or is full, there or from there on, it recovers what it was about."""
    what, _, onwards = way.partition(" ")
    calls = tried = kills = 0
    with installed(), tracing() as tracer:
        for stage in script:
            tracer.lay(stage, tmp_path / "counted")
            listed = tracer.calls(stage, tmp_path / "counted")
            shutil.rmtree(tmp_path / "counted")
            for number, (call, at) in enumerate(listed, calls):
                if number % every(WAYS[way]) == 0:
                    faults = [Fault(what, call, f"{at}{onwards}")]
                    if "KILL" in way and number % (every(WAYS[way]) * AGAIN) == 0:
                        faults.append(Fault(what, *_other(listed, number)))
                        kills += 1
                    failed(tracer, stage, tmp_path / f"{number}", *faults)
                    tried += 1
            calls += len(listed)
    assert tried >= len(script)
    said = f"{way} at {tried} of the {calls} system calls that change something"
    record_property("tried", f"{said}, at {kills} of them and again in recovery" if kills else said)


def _other(listed: Sequence[tuple[str, int]], number: int) -> tuple[str, str]:
    """Choose a call to be killed at in recovery, which has fewer of each kind than the sweep before."""
    call, at = listed[number * 7 % len(listed)]
    return call, f"{1 + at // 2}"
