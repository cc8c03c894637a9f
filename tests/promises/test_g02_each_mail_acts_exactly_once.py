"""G2. Each mail acts exactly once, chance included, through any crash, restart or duplicate."""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from email.message import EmailMessage
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.ground.terms import Mail, ShelfError
from pbem.hall.mail.outgoing import sending
from pbem.world.index.games import Games
from tests.conftest import Room
from tests.depth import every
from tests.imap_room import Inbox
from tests.killing import WINDOWS, Axe, Killed, points
from tests.script import (
    SCRIPT,
    Outcome,
    Stage,
    besides_troubles,
    differences,
    idle_disk,
    message,
    outcome,
    prepare,
    room_of,
    sweep,
)
from tests.servers import Dovecot, installed, running

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
FEW = 131
"""Of so many points at which we are killed, the quick tests try one; the sweep tries all."""
PAIRS = every(122)
"""Of so many points of a recovery at which we are killed again, the sweep tries one."""

AT_SERVER, OF_SERVER = 17, 4
"""With the mail at a real mail server, one of so many points is tried, and of those at the server itself so many a sweep."""


@pytest.fixture(autouse=True)
def _idle_disk() -> Iterator[None]:
    with idle_disk():
        yield


# Killed anywhere


def killed(room: Room, at: int) -> str:
    """Start as a new process and sweep, to be killed at a point; return which that was, or "" where it was not reached."""
    axe = Axe(at)
    try:
        with points(axe):
            room.reopen()
            room.arena.shelf.tidy()
            room.sweep(timedelta(0))
    except Killed:
        return axe.passed[at - 1]
    return ""


def sent(room: Room) -> Counter[str]:
    """Count how often each letter went, by its identity; each time it was the same bytes."""
    bodies = {message(raw): raw for _, raw in room.outbox.sent}
    assert all(bodies[message(raw)] == raw for _, raw in room.outbox.sent)
    return Counter(message(raw).decode().partition("<")[2].rpartition("@")[0] for _, raw in room.outbox.sent)


def noted(room: Room) -> dict[str, int]:
    """Return the letters that are noted on file as delivered, with how often each of them went."""
    places = [("desk", "post"), *(("games", game, "post") for game in room.arena.games())]
    went = sent(room)
    return {name: went[name] for place in places for name in sending.settled_letters(room.arena, place)}


def trial(stage: Stage, folder: Path, *at: int) -> int:
    """
    Let a stage be killed at these points, each in the recovery from the one before, then settle, and look.

    Shape: returns how many of the kills came to pass; a recovery may have fewer points than the one asked for.
    """
    room = stage.before.copied(folder)
    done: dict[str, int] = {}
    names = []
    for one in at:
        names.append(killed(room, one))
        done = noted(room) | done
    room.reopen()
    sweep(room)
    where = f"{stage.name}, killed at {', then '.join(f'{name} ({one})' for name, one in zip(names, at, strict=True))}"
    assert not differences(outcome(room), stage.clean), f"{where}: {differences(outcome(room), stage.clean)}"
    assert all(sent(room)[name] == times for name, times in done.items()), where
    room.arena.close()
    shutil.rmtree(folder)
    return sum(map(bool, names))


def places(script: Sequence[Stage]) -> list[tuple[Stage, int]]:
    """List every point of the script, as a stage and the number of the point within it."""
    return [(stage, at) for stage in script for at in range(1, len(stage.passed) + 1)]


def test_the_script_enters_every_crash_window(script: Sequence[Stage]) -> None:
    """A sweep over points that are never passed would prove nothing: each point of each window is passed."""
    seen = {name for stage in script for name in stage.passed}
    assert not [(window, name) for window, names in WINDOWS.items() for name in names if name not in seen]


def test_a_kill_at_some_points_changes_nothing(script: Sequence[Stage], tmp_path: Path) -> None:
    """Spread over the script, and killed again in the recovery: the same journals and letters, and the mail is marked."""
    some = places(script)[::FEW]
    kills = [trial(stage, tmp_path / f"{n}", at, 1 + n * 7 % 30) for n, (stage, at) in enumerate(some)]
    assert all(kills) and sum(kills) > len(some) * 1.5


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_a_kill_at_every_point_changes_nothing(
    script: Sequence[Stage], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Every point on the way of every mail of the script."""
    tried = [trial(stage, tmp_path / f"{number}", at) for number, (stage, at) in enumerate(places(script))]
    assert all(tried)
    record_property("tried", f"killed at each of {len(tried)} points of {len(script)} sweeps")


@pytest.mark.sweep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("half", [0, 1])
def test_a_kill_at_every_point_and_another_in_its_recovery_change_nothing(
    script: Sequence[Stage], tmp_path: Path, half: int, record_property: Callable[[str, object], None]
) -> None:
    """Pairs of points: every first, and of the second ones each in its turn."""
    pairs = 0
    for number, (stage, at) in enumerate(places(script)):
        if number % 2 == half:
            for again in range(1 + number % PAIRS, len(stage.passed) + 20, PAIRS):
                pairs += trial(stage, tmp_path / f"{number}-{again}", at, again) == 2
    assert pairs > len(places(script)) // every(12)
    record_property("tried", f"killed at {pairs} points, and again at one in the recovery from each")


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(2, 12))])
def test_a_game_in_which_every_sweep_is_killed_is_the_same_game(
    script: Sequence[Stage], tmp_path: Path, seed: int
) -> None:
    """Killed once in each sweep from sign-up to the second tide's end, it ends as if nothing had been."""
    dice = random.Random(seed)
    room = room_of(tmp_path / "room")
    for act, stage in zip(SCRIPT, script, strict=True):
        prepare(room, act)
        assert killed(room, dice.randint(1, len(stage.passed)))
        room.reopen()
        sweep(room)
    assert not differences(outcome(room), script[-1].clean)


class AtServer(NamedTuple):
    """Where the mail of a trial lies, and what a stage comes to there when nothing goes wrong, with its points."""

    dovecot: Dovecot
    clean: Outcome
    passed: tuple[str, ...]


def swept_at(dovecot: Dovecot, stage: Stage, folder: Path) -> AtServer:
    """Sweep a stage whose mail lies at a mail server, undisturbed."""
    room = stage.before.copied(folder)
    with closing(Inbox(room, dovecot)):
        axe = sweep(room)
        found = AtServer(dovecot, outcome(room), tuple(axe.passed))
    room.arena.close()
    return found


def trial_at(where: AtServer, stage: Stage, folder: Path, *at: int) -> int:
    """Let a stage be killed at these points, its mail at a mail server, each in the recovery from the one before."""
    room = stage.before.copied(folder)
    done: dict[str, int] = {}
    fell: list[bool] = []
    with closing(Inbox(room, where.dovecot)) as inbox:
        for one in at:
            fell.append(bool(killed(room, one)))
            inbox.start_again()
            done = noted(room) | done
        room.reopen()
        sweep(room)
        said = f"{stage.name}, killed at {at}, first {where.passed[at[0] - 1]}"
        assert not differences(outcome(room), where.clean), f"{said}: {differences(outcome(room), where.clean)}"
        assert all(sent(room)[name] == times for name, times in done.items()), said
        assert fell[0] and len(inbox.done) == len(stage.before.mailbox.waiting), said
    room.arena.close()
    shutil.rmtree(folder)
    return sum(fell)


@pytest.mark.sweep
@pytest.mark.timeout(300)
def test_a_kill_while_the_mail_lies_at_a_real_server_changes_nothing(
    script: Sequence[Stage], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Before and behind each thing asked of the server, and spread over all other points; some killed twice."""
    kills = tries = 0
    with installed(), running(Dovecot()) as dovecot:
        for stage in script:
            where = swept_at(dovecot, stage, tmp_path / stage.name)
            asked = [at for at, name in enumerate(where.passed, 1) if name.startswith("imap.")]
            assert ("imap.move done" in where.passed) == bool(stage.before.mailbox.waiting)
            assert where.clean.games == stage.clean.games, "in memory it is the same game"
            spread = range(1 + tries % 7, len(where.passed), AT_SERVER)
            for at in sorted({*asked[:: max(1, len(asked) // OF_SERVER)], *spread}):
                again = (1 + tries * 7 % 40,) if tries % 3 == 0 else ()
                kills += trial_at(where, stage, tmp_path / f"{tries}", at, *again)
                tries += 1
    assert kills > tries
    record_property("tried", f"killed at {kills} points with the mail at a real mail server")


def test_a_letter_that_was_noted_as_sent_does_not_go_again(script: Sequence[Stage], tmp_path: Path) -> None:
    """Killed after the note beside the letters and before the index had it, the next process reads the note."""
    stage = next(stage for stage in script if stage.name == "close")
    room = stage.before.copied(tmp_path / "room")
    behind = max(at for at, name in enumerate(stage.passed, 1) if name == "outgoing.remove")
    assert killed(room, behind) == "outgoing.remove"
    before = noted(room)
    room.reopen()
    sweep(room)
    assert before and noted(room) == before


def test_a_desk_whose_index_fails_answers_once(script: Sequence[Stage], tmp_path: Path) -> None:
    """What it noted is known before anything else is, though what went wrong was itself told by a letter of the desk."""
    stage = next(stage for stage in script if stage.name == "sign-up")
    room = stage.before.copied(tmp_path / "room")
    real = Games.note_taken
    failed: list[int] = []

    def note_taken(games: Games, marks: Iterable[tuple[str, str]]) -> None:
        marks = list(marks)
        if not failed and any(place == "desk" for _, place in marks):
            failed.append(1)
            raise ShelfError("the disk is full")
        real(games, marks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Games, "note_taken", note_taken)
        assert "tide-1: the disk is full" in room.sweep(timedelta(0)).troubles
    sweep(room)
    assert failed and not differences(besides_troubles(outcome(room)), stage.clean)


# Delivered again


def resent(mail: Mail, change: Callable[[EmailMessage], None], *, encoding: str = "7bit") -> bytes:
    """Write a mail anew as its sender's program or the way may do it: same author, date and words."""
    import email
    import email.policy

    old = email.message_from_bytes(mail.raw, policy=email.policy.default)
    new = EmailMessage()
    for name in ("From", "To", "Subject", "Message-ID", "Date", "In-Reply-To"):
        if old[name]:
            new[name] = old[name]
    assert isinstance(old, EmailMessage)
    new.set_content(old.get_content(), cte=encoding)
    change(new)
    return new.as_bytes()


def other_id(new: EmailMessage) -> None:
    """Give it another Message-ID, as whoever sends it a second time does."""
    new.replace_header("Message-ID", "<another@example.net>")


def both_parts(new: EmailMessage) -> None:
    """Say it in HTML as well."""
    text = new.get_content()
    new.add_alternative(f"<p>{text.strip()}</p>", subtype="html")


SAME: dict[str, Callable[[Mail], bytes]] = {
    "the same bytes": lambda mail: mail.raw,
    "by another route": lambda mail: b"Received: from elsewhere.example by here.example; Mon, 23 Nov 2026\n" + mail.raw,
    "other line ends": lambda mail: mail.raw.replace(b"\n", b"\r\n"),
    "another encoding": lambda mail: resent(mail, lambda new: None, encoding="base64"),
    "another structure": lambda mail: resent(mail, both_parts),
}
"""One mail that comes twice, as servers and lists do it."""


def test_a_mail_delivered_twice_acts_once(room: Room) -> None:
    """Whatever the way did to its bytes, no entry is made of the second and no letter goes."""
    room.found("ada", "bo", "cy")
    mail = room.write(ADA, "bid 3")
    room.sweep()
    before = room.table().head, len(room.outbox.sent), room.table().sets.hand
    for how, change in SAME.items():
        room.mailbox.deliver(change(mail), room.clock.now())
        assert not room.sweep().troubles
        assert (room.table().head, len(room.outbox.sent), room.table().sets.hand) == before, how


def test_a_mail_sent_again_under_another_id_says_the_same_again(room: Room) -> None:
    """It is a mail of its own, answered like any other, and the orders on hand are those that were on hand."""
    room.found("ada", "bo", "cy")
    mail = room.write(ADA, "bid 3")
    room.sweep()
    head, orders = room.table().head, room.table().sets.hand["ada"].orders
    room.mailbox.deliver(resent(mail, other_id), room.clock.now())
    room.sweep()
    assert room.table().head == head + 1
    assert room.table().sets.hand["ada"].orders == orders == ("bid 3",)


IDS = ("", "Message-ID: \n", "Message-ID: <2@x.net>\nMessage-ID: <3@x.net>\n", f"Message-ID: <{'x' * 10_000}@x.net>\n")
"""Message-IDs that mails have: none, an empty one, two, 10 kB of one."""


def test_what_the_id_of_a_mail_says_decides_nothing(room: Room) -> None:
    """Other words under the same Message-ID, or under none, two or 10 kB of one, are other orders, each answered once."""
    room.found("ada", "bo", "cy")
    first = room.write(ADA, "bid 3").raw
    room.sweep()
    head, _, body = first.partition(b"\n\n")
    known = next(line for line in head.decode().split("\n") if line.startswith("Message-ID")) + "\n"
    for coins, line in enumerate((known, *IDS), 4):
        answers = len(room.letters(ADA))
        raw = head.replace(known.encode(), line.encode()) + b"\n\n" + body.replace(b"bid 3", f"bid {coins}".encode())
        for _ in range(2):
            room.mailbox.deliver(raw, room.clock.now())
            assert not room.sweep().troubles
        assert room.table().sets.hand["ada"].orders == (f"bid {coins}",), line[:40]
        assert len(room.letters(ADA)) == answers + 1, line[:40]


# Out of order

MAILS = ((ADA, "bid 1"), (ADA, "bid 3"), (BO, "bid 2"), (GWEN, "set coins Ada 7 because of the pilot"))
ORDERS = list(permutations(range(len(MAILS))))


def play(room: Room, order: Sequence[int], *, twice: bool) -> Any:
    """Let the mails reach us in some order, each with its own stamp of arrival, and the phase close; return the state."""
    room.found("ada", "bo", "cy")
    mails = [room.write(who, text, span=timedelta(minutes=place)) for place, (who, text) in enumerate(MAILS)]
    for place in order:
        room.mailbox.waiting = [mails[place]]
        room.sweep(timedelta(0))
        if twice:
            room.mailbox.deliver(mails[place].raw, mails[place].arrived)
            room.sweep(timedelta(0))
    room.sweep(timedelta(hours=73))
    assert room.table().number == 2
    return room.table().state


@pytest.mark.parametrize(
    "order", [pytest.param(o, marks=[] if n % 12 == 9 else pytest.mark.sweep) for n, o in enumerate(ORDERS)], ids=str
)
def test_the_order_in_which_mail_reaches_us_changes_nothing(room: Room, tmp_path: Path, order: Sequence[int]) -> None:
    """What counts is the mail server's stamp of arrival; nor does it matter that some come twice."""
    calm = Room(tmp_path / "calm", room.rulesets, room.words)
    wanted = play(calm, range(len(MAILS)), twice=False)
    calm.arena.close()
    assert play(room, order, twice=order[0] % 2 == 1) == wanted
    assert wanted.hulks["ada"] == 1
