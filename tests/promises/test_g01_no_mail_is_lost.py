"""
G1. A mail that has reached the mailbox is never lost: it comes to exactly one recorded end, its bytes are kept.

A mail that the mail server names and cannot hand out is kept once it does (tests/hall/test_withheld.py); until then it
is told, and asked for again and again.
"""

import errno
import gc
import json
import os
import resource
import shutil
import subprocess
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import pbem
from pbem.daemon import Daemon
from pbem.hall.commands import opening
from pbem.hall.keeping import mail_audit
from pbem.hall.store.arena import Doors
from pbem.world import disk
from pbem.world.log import SILENT
from pbem.world.shelf import Shelf
from tests.conftest import Room, flat, steady
from tests.depth import some
from tests.keeping.test_digest import MOD, moderated
from tests.script import Stage, besides_troubles, differences, outcome
from tests.servers import MissingError, installed

ADA, BO = "ada@example.org", "bo@example.org"


# The accounts


def test_each_mail_of_the_script_has_one_disposition(script: Sequence[Stage]) -> None:
    """As many mails as came, each in one place: what was done is counted from the journals and the raw mail alone."""
    came = {mail.digest for mail in script[0].before.mailbox.marked}
    for stage in script:
        came |= {mail.digest for mail in stage.before.mailbox.waiting}
        assert set(stage.clean.found) == came, stage.name
    last = list(script[-1].clean.found.values())
    assert {one: last.count(one) for one in set(last)} == {"applied": 15, "refused": 3, "held": 1}


def test_every_kind_of_mail_is_accounted_for(room: Room) -> None:
    """Orders, their repeat by another way, a line nobody can read, a stranger, a robot, a sign-up, a mail that breaks us."""
    room.found("ada", "bo")
    before = mail_audit.audit(room.arena).counts()
    mail = room.write(ADA, "bid 3")
    room.write(BO, "bidd 3")
    room.write("someone@example.net", "hello?", to="arena@example.org", subject="hello")
    room.mailbox.deliver(b"Received: from a by b\n" + mail.raw, room.clock.now())
    robot = b"Auto-Submitted: auto-replied\n" + mail.raw.replace(b"bid 3", b"I am away")
    room.mailbox.deliver(robot, room.clock.now())
    room.sweep()
    found = mail_audit.audit(room.arena)
    assert found.exact
    more = {one: count - before[one] for one, count in found.counts().items() if count != before[one]}
    assert more == {"applied": 1, "refused": 2, "ignored": 1, "duplicate": 1}


def test_what_is_amiss_shows_in_the_accounts(room: Room) -> None:
    """A mail that waits, one whose bytes are gone, one that a journal has twice, a journal that cannot be read."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 3")
    room.sweep()
    assert mail_audit.audit(room.arena).exact
    raw = room.root / "games" / "tide-1" / "post" / "in" / f"{mail.digest}.eml"
    kept = raw.read_bytes()
    raw.unlink()
    assert mail_audit.audit(room.arena).lost == (mail.digest,)
    raw.write_bytes(kept)
    (room.root / "in").mkdir()
    (room.root / "in" / f"{'0' * 64}.eml").write_bytes(b"From: ada@example.org\n\n")
    assert mail_audit.audit(room.arena).waiting == ("0" * 64,)
    (room.root / "in" / f"{'0' * 64}.eml").unlink()
    desk = room.root / "desk" / "journal.toml"
    Shelf(room.root).append(
        f'[[entry]]\ncause = "{mail.digest}"\nkey = "k"\nwhy = "stranger"\n\n'.encode(), "desk", "journal.toml"
    )
    assert mail_audit.audit(room.arena).twice == (mail.digest,)
    desk.unlink()
    journal = room.root / "games" / "tide-1" / "phase-01" / "journal.toml"
    journal.write_bytes(journal.read_bytes().replace(b"bid 3", b"bid 4"))
    (trouble,) = mail_audit.audit(room.arena).troubles
    assert trouble.startswith("tide-1: ") and "check sum" in trouble


def test_the_terminal_prints_the_accounts(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pbem health --accounts` has a line for each disposition and their sum, and for programs the same in JSON."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 3")
    room.sweep()
    room.arena.close()
    (room.root / "settings.toml").write_text('[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "Maildir"\n')
    monkeypatch.setattr(opening, "rulesets_known", lambda: room.rulesets)
    said = CliRunner().invoke(pbem, ["--arena", str(room.root), "health", "--accounts"])
    assert said.exit_code == 0 and "      3  applied\n" in said.output and said.output.endswith("      3  in all\n")
    (room.root / "games" / "tide-1" / "post" / "in" / f"{mail.digest}.eml").unlink()
    said = CliRunner().invoke(pbem, ["--arena", str(room.root), "health", "--accounts", "--json"])
    found = json.loads(said.output)
    assert said.exit_code == 1 and (found["applied"], found["lost"]) == (3, [mail.digest])


# A disk that is full, or fails, or has no handles left


def daemon(room: Room) -> Daemon:
    """Put a daemon around a room whose arena has a moderator."""
    moderated(room)
    return Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), SILENT, steady(room))


def settled(room: Room, stage: Stage, where: object) -> None:
    """Hold a room against an undisturbed one; what its moderators were told of the trouble is besides."""
    wrong = differences(besides_troubles(outcome(room)), stage.clean)
    assert not wrong, f"{stage.name}, {where}: {wrong}"


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Mount a small disk. Errors: MissingError where that may not be."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        raise MissingError("a small disk can be mounted by root alone, with the right SYS_ADMIN")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def full(stage: Stage, folder: Path, free: int) -> tuple[bool, bool]:
    """
    Sweep a stage on a disk with so many bytes free, twice; make room, and sweep again.

    Shape: returns whether the disk was full, and whether the moderator was told so at once.
    """
    room = stage.before.copied(folder / "arena")
    around = daemon(room)
    waiting = list(room.mailbox.waiting)
    filler = folder / "filler"
    with filler.open("wb") as handle, suppress(OSError):
        handle.write(bytes(os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize - free))
    assert os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize == free
    troubles = [around.wake().troubles for _ in range(2)]
    alarms = room.letters(MOD)
    assert len(alarms) <= 1
    if not room.outbox.sent[len(stage.before.outbox.sent) + len(alarms) :]:
        assert set(room.mailbox.waiting) <= set(waiting)
    filler.unlink()
    after = around.wake()
    assert not after.troubles and not room.mailbox.waiting, after.troubles
    room.arena.index.outgoing.retry_now(room.clock.now())
    around.wake()
    settled(room, stage, f"{free} bytes free")
    room.arena.close()
    shutil.rmtree(folder / "arena")
    return bool(troubles[0]), "can write nothing" in flat("\n".join(alarms[0].body if alarms else ()))


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=[pytest.mark.sweep, pytest.mark.timeout(300)])])
def test_a_full_disk_costs_time_alone(script: Sequence[Stage], tmp_path: Path, step: int) -> None:
    """Mail stays in the mailbox, the moderator is told by a letter that needs no disk, and room is all it takes."""
    stages = [stage for stage in script if stage.name in (("begin",) if step > 1 else ("sign-up", "begin", "approve"))]
    verdicts = []
    with installed(), small_disk(tmp_path / "disk", 2 << 20) as disk:
        for stage in stages:
            for free in range(0, 50 * 4096, step * 4096):
                verdicts.append(full(stage, disk, free))
    assert verdicts[0] == (True, True)
    assert verdicts[-1] == (False, False)


def test_a_disk_that_fails_to_keep_an_entry_is_read_again_and_not_asked_again(
    script: Sequence[Stage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After EIO nobody knows what of the file is there: it is as it was before, and the entry is written anew."""
    stage = next(stage for stage in script if stage.name == "order")
    room = stage.before.copied(tmp_path / "arena")
    around = daemon(room)
    journal = room.root / "games" / "tide-1" / "phase-01" / "journal.toml"
    before = journal.read_bytes() if journal.exists() else b""
    failed: list[disk.Parts] = []
    really = disk.settle

    def settle(root: int, places: Collection[disk.Parts]) -> None:
        journals = [parts for parts in places if parts[-1:] == ("journal.toml",)]
        if journals and not failed:
            failed.extend(journals)
            raise OSError(errno.EIO, "")
        really(root, places)

    monkeypatch.setattr(disk, "settle", settle)
    assert any("The disk failed" in trouble for trouble in around.wake().troubles)
    assert failed and room.mailbox.waiting
    assert journal.read_bytes() == before
    assert not around.wake().troubles
    settled(room, stage, "EIO")


@pytest.mark.parametrize("spare", some(3, [0, 2, 4]))
def test_a_lack_of_file_handles_costs_time_alone(script: Sequence[Stage], tmp_path: Path, spare: int) -> None:
    """With hardly any handle to spare the sweep stops with a sentence that says so; with enough of them it goes on."""
    stage = next(stage for stage in script if stage.name == "begin")
    room = stage.before.copied(tmp_path / "arena")
    around = daemon(room)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    gc.collect()  # or handles that nobody holds any more are set free as we go, and there are enough
    lowest = os.open("/dev/null", os.O_RDONLY)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + spare, hard))
    try:
        troubles = around.wake().troubles
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert any("Too many files are open" in trouble for trouble in troubles), troubles
    around.wake()
    room.arena.index.outgoing.retry_now(room.clock.now())
    assert not around.wake().troubles
    settled(room, stage, f"{spare} handles")
