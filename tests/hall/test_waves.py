"""Games that share their commits: the same as one by one, in few syncs; what is wrong at one is wrong at it alone."""

import errno
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import CharterError, GameName, Seat, ShelfError, TemplateError
from pbem.hall.commands import ruling
from pbem.hall.commands.founding import found_game
from pbem.hall.mail.incoming.checks import intake
from pbem.hall.mail.incoming.desk import desk
from pbem.hall.mail.outgoing import filing
from pbem.hall.sweep import due, finish, waves
from pbem.testing.room import MODERATOR
from pbem.world import disk, shelf
from pbem.world.index.connection import Connection
from tests.conftest import Room, flat
from tests.depth import examples, shares, some
from tests.killing import Axe, Killed, points
from tests.script import differences, outcome

GAMES = ("ebb-1", "flow-1", "tide-1")
PLAYERS = ("ada", "bo")
ACTS = st.lists(
    st.tuples(
        st.sampled_from((*GAMES, "")),
        st.sampled_from((*PLAYERS, "gwen", "eve")),
        st.sampled_from(("bid 1", "bid 3", "bidd", "press to all: hello", "status", "confirm", "pause", "resume")),
        st.sampled_from((0, 0, 0, 1, 50)),
    ),
    max_size=14,
)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Three games in their first tide, closed: tests play on in copies."""
    room = Room(tmp_path_factory.mktemp("waves") / "arena")
    for name in GAMES:
        room.found(*PLAYERS, name=name)
    room.arena.close()
    return room


def played(three: Room, acts: list[tuple[str, str, str, int]], root: Path, most: int) -> Any:
    """Let these things be written, with sweeps so many hours later where there are some, and return what that leaves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waves, "MOST", most)
        room = three.copied(root)
        for game, who, text, hours in (*acts, ("", "eve", "hello", 100)):
            to = (
                room.reply_to(f"{who}@example.org", f"[{game}]")
                if game and who != "eve"
                else f"arena+{game}@example.org"
            )
            room.write(f"{who}@example.org", text, to=to if game else "arena@example.org", subject="Re: hello")
            if hours:
                assert not room.sweep(timedelta(hours=hours)).troubles
        found = outcome(room)
        room.arena.close()
    return found


@settings(max_examples=examples(8))
@given(ACTS)
def test_a_wave_does_what_its_games_do_alone(three: Room, acts: list[tuple[str, str, str, int]]) -> None:
    """The same files, letters, ends of mails and index, whatever is written to whom, however many games share a wave."""
    with TemporaryDirectory() as folder:
        alone = played(three, acts, Path(folder) / "alone", 1)
        for most in (2, 100):
            assert not differences(played(three, acts, Path(folder) / str(most), most), alone)


@pytest.mark.parametrize("games", [GAMES[:2], GAMES[1::-1]])
@pytest.mark.parametrize("before", [0, 3])
def test_letters_of_a_wave_know_what_a_reader_wished_in_another_game_of_it(
    three: Room, tmp_path: Path, games: tuple[str, str], before: int
) -> None:
    """Whichever was written first, behind however many mails: a letter is made once all mails of the wave are read."""
    room = three.copied(tmp_path / "arena")
    ada, bo = "ada@example.org", "bo@example.org"
    for number in range(before):
        room.write(bo, f"bid {number}", to=room.reply_to(bo, f"[{GAMES[0]}]"), subject="Re: hello")
    for game in games:
        text = "zone Asia/Tokyo" if game == GAMES[0] else "bid 1"
        room.write(ada, text, to=room.reply_to(ada, f"[{game}]"), subject="Re: hello")
    room.outbox.sent.clear()
    room.sweep(timedelta(minutes=5))
    (text,) = ["\n".join(letter.body) for letter in room.letters(ada) if f"[{GAMES[1]}]" in letter.subject]
    assert "in Tokyo" in text, text
    room.arena.close()


def test_a_move_that_a_mail_of_the_wave_brings_holds_for_the_next(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever moves in one game writes to another from the new address at once, and nobody calls their token stolen."""
    room = three.copied(tmp_path / "arena")
    ada, new = "ada@example.org", "ada@example.net"
    person = room.arena.people.person(ada)
    doubt = intake.is_in_doubt

    def moving(mail: Any) -> Any:
        if mail.parcel.game == GAMES[0]:
            mail.arena.people.move(person, new)
        return doubt(mail)

    monkeypatch.setattr(intake, "is_in_doubt", moving)
    room.write(ada, "bid 1", to=room.reply_to(ada, f"[{GAMES[0]}]"), subject="Re: hello")
    room.write(new, "bid 3", to=room.reply_to(ada, f"[{GAMES[1]}]"), subject="Re: hello")
    room.sweep(timedelta(minutes=5))
    assert room.arena.ledger(GameName(GAMES[1])).table.sets.hand[Seat("ada")].orders == ("bid 3",)
    room.arena.close()


# What it costs


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count what waits for the disk: files and folders synced one by one, the file system, the index."""
    found: Counter[str] = Counter()
    sync, together = disk.sync, Connection.together

    @contextmanager
    def counting(db: Connection, *, soon: bool = False) -> Iterator[None]:
        if not db.in_transaction and not soon:
            before = db.total_changes
            with together(db, soon=soon):
                yield
            found["index"] += db.total_changes > before
        else:
            with together(db, soon=soon):
                yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "sync", lambda root, parts: (found.update(["one"]), sync(root, parts)))
        patch.setattr(disk, "_syncfs", lambda root: found.update(["all"]))
        patch.setattr(Connection, "together", counting)
        yield found


def test_a_mail_and_its_receipt_take_four_syncs(three: Room, tmp_path: Path) -> None:
    """The journal with the bytes of the mail and the letter; their names; the index; the note that it was sent."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    room.write("ada@example.org", "bid 3", to=room.reply_to("ada@example.org", "[tide-1]"))
    with counted() as found:
        assert room.sweep().sent == 1
    assert sum(found.values()) == 4, found


@pytest.mark.parametrize("count", [1, 3])
def test_deadlines_take_as_many_syncs_for_one_as_for_many(three: Room, tmp_path: Path, count: int) -> None:
    """All that is due at one instant."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    for game in GAMES[count:]:
        ruling.rule(room.arena, GameName(game), 1, ["pause because of the test"], room.clock.now())
    room.sweep()
    room.outbox.down = True
    with counted() as found:
        assert room.sweep(timedelta(hours=80)).entries >= 2 * count
    assert found["all"] + found["one"] == 2 and found["index"] <= 3, found


@pytest.mark.parametrize("count", [1, 40])
def test_founding_takes_six_syncs_however_many_games(room: Room, count: int) -> None:
    """With people who are new; and each is a game like any other."""
    names = [GameName(f"cup-{number}") for number in range(1, count + 1)]
    others = {name: (f"{name}-a@example.org", f"{name}-b@example.org") for name in names[1:]}
    with counted() as found:
        found_game(
            room.arena, names[0], "harbour", moderator=MODERATOR, invited=["ada@example.org"], seats=2,
            now=room.clock.now(), others=others,
        )  # fmt: skip
    assert sum(found.values()) <= 6, found
    assert {row.name for row in room.arena.index.games.rows()} == {*names}
    room.sweep()
    assert sum(b"cup-" in raw and b".invitation." in raw for _, raw in room.outbox.sent) == 2 * count - 1
    assert len({room.arena.seed(name) for name in names}) == count
    room.write("ada@example.org", "join as Ada", to=room.reply_to("ada@example.org"))
    room.sweep()
    assert "ada" in room.table("cup-1").seats


def test_each_due_game_is_visited_once(three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a game to which nothing is due not at all."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    ruling.rule(room.arena, GameName("ebb-1"), 1, ["pause because of the test"], room.clock.now())
    room.sweep()
    visited: list[str] = []
    real = waves.visit_all

    def visiting(arena: Any, visits: Any, now: Any) -> Any:
        visited.extend(one.game for one in visits)
        return real(arena, visits, now)

    monkeypatch.setattr(waves, "visit_all", visiting)
    room.sweep(timedelta(hours=80))
    assert sorted(visited) == ["flow-1", "tide-1"]


def test_founding_that_was_stopped_leaves_a_folder_that_is_told_of(room: Room) -> None:
    """Nothing that lies there is thrown away, or taken for a part of the new game; nor does it trouble a sweep."""
    for step in ("before-rename", "before-sync"):
        with pytest.MonkeyPatch.context() as patch:
            left = [2]

            def stop(name: str, step: str = step, left: list[int] = left) -> None:
                left[0] -= name == step
                if not left[0]:
                    raise KeyboardInterrupt

            patch.setattr(shelf, "STEP", stop)
            with pytest.raises(KeyboardInterrupt):
                room.invite("ada", name=f"x-{step}", seats=2)
        room.reopen()
        assert not room.sweep().troubles
        if room.arena.has_game(f"x-{step}"):
            continue
        with pytest.raises(
            CharterError, match="without a charter: somebody took that away, or the founding was stopped"
        ):
            room.invite("ada", name=f"x-{step}", seats=2)
    room.invite("ada", name="y-1", seats=2)
    assert not room.sweep().troubles


# What is wrong at one


WRONGS: dict[str, Callable[[Path, pytest.MonkeyPatch], None]] = {
    "an edit that nobody can read": lambda game, patch: _edit(game / "state.toml"),
    "a folder where a letter goes": lambda game, patch: _in_the_way(game / "post" / "out"),
    "a letter that cannot be written": lambda game, patch: _unwritable(patch, game.name),
    "what the index cannot note": lambda game, patch: _not_noted(patch, game.name),
}


def _edit(file: Path) -> None:
    file.write_text("what is this?")


def _in_the_way(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.write_bytes(b"in the way")


def _not_noted(patch: pytest.MonkeyPatch, game: str) -> None:
    real = finish.note

    def broken(arena: Any, ledger: Any, *more: Any) -> None:
        real(arena, ledger, *more)
        if ledger.charter.game == game:
            raise ShelfError("post/out is a link")

    patch.setattr(finish, "note", broken)


def _unwritable(patch: pytest.MonkeyPatch, game: str) -> None:
    real = filing.envelope

    def broken(arena: Any, step: Any, *more: Any) -> bytes:
        if step.after.charter.game == game:
            raise KeyError("a fault of ours")
        return real(arena, step, *more)

    patch.setattr(filing, "envelope", broken)


@pytest.mark.parametrize("wrong", some(3, WRONGS))
@pytest.mark.parametrize("game", GAMES)
def test_what_is_wrong_at_one_game_holds_up_no_other(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, game: str
) -> None:
    """The mails of the others are taken, answered and marked; that of the game that is broken waits."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    for name in GAMES:
        room.write("ada@example.org", "bid 3", to=room.reply_to("ada@example.org", f"[{name}]"), subject=f"Re: {name}")
    WRONGS[wrong](room.root / "games" / game, monkeypatch)
    swept = room.sweep()
    assert swept.still == {game} and len(room.mailbox.waiting) == 1 and game.encode() in room.mailbox.waiting[0].raw
    ours = [raw for to, raw in room.outbox.sent if to == "ada@example.org" and f"[{game}]".encode() in raw]
    assert not any(b".receipt." in raw for raw in ours)
    for name in {*GAMES} - {game}:
        assert room.table(name).sets.hand["ada"].orders == ("bid 3",)
        assert any(f"[{name}]".encode() in raw and b".receipt." in raw for _, raw in room.outbox.sent)


@pytest.mark.parametrize("at", [1, 2])
def test_a_sync_that_fails_stops_its_wave_until_the_next_sweep(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Nothing is answered that may not be on the disk, no phase closes, and the next sweep does it all once."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    sent = len(room.outbox.sent)
    for name in GAMES:
        room.write("ada@example.org", "bid 3", to=room.reply_to("ada@example.org", f"[{name}]"))
    left = [at]

    def failing(name: str) -> None:
        left[0] -= name == "before-sync"
        if name == "before-sync" and not left[0]:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(shelf, "STEP", failing)
        swept = room.sweep(timedelta(hours=80))
    assert swept.still == {*GAMES} and len(room.mailbox.waiting) == 3 and len(room.outbox.sent) == sent
    assert len([one for one in swept.troubles if "The disk failed" in one]) == 1
    assert {room.table(name).number for name in GAMES} == {1}
    swept = room.sweep(timedelta(minutes=11))
    assert not swept.troubles and not room.mailbox.waiting
    letters = [flat(raw.decode()) for _, raw in room.outbox.sent[sent:]]
    for name in GAMES:
        assert room.table(name).number == 2
        assert sum(f"[{name}]" in one and ".receipt." in one for one in letters) == 1


def test_an_index_that_fails_is_told_of_once(three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done is found again, and each mail is answered once."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    for name in GAMES:
        room.write("ada@example.org", "bid 3", to=room.reply_to("ada@example.org", f"[{name}]"))
    together, note = Connection.together, finish.note
    noted: list[str] = []

    def noting(arena: Any, ledger: Any, *more: Any) -> None:
        note(arena, ledger, *more)
        noted.append(ledger.charter.game)

    @contextmanager
    def failing(db: Connection, *, soon: bool = False) -> Iterator[None]:
        is_outer = not db.in_transaction
        with together(db, soon=soon):
            yield
            if is_outer and noted:
                noted.clear()
                raise ShelfError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(finish, "note", noting)
        patch.setattr(Connection, "together", failing)
        swept = room.sweep()
    assert swept.troubles.count("the disk is full") == 1 and len(room.mailbox.waiting) == 3
    assert not room.sweep(timedelta(minutes=11)).troubles and not room.mailbox.waiting
    receipts = [raw for _, raw in room.outbox.sent if b".receipt." in raw]
    assert len(receipts) == 3 and all(room.table(name).sets.hand["ada"].orders == ("bid 3",) for name in GAMES)


@pytest.mark.parametrize("share", shares(4))
def test_what_a_killed_wave_owes_goes_though_its_mail_has_gone(three: Room, tmp_path: Path, share: int) -> None:
    """
    Killed at any point of it, and started again with an empty mailbox: what is journaled is answered, once.

    At a quarter of the points; a sweep tries them all.
    """
    owed = set()
    for at in range(1, 200, share):
        room = three.copied(tmp_path / f"{at}")
        room.sweep()
        for name in GAMES:
            room.write("ada@example.org", "bid 3", to=room.reply_to("ada@example.org", f"[{name}]"))
        axe = Axe(at)
        try:
            with points(axe):
                room.sweep(timedelta(0))
        except Killed:
            room.reopen()
            room.arena.shelf.tidy()
        room.mailbox.waiting.clear()
        assert not room.sweep(timedelta(0)).troubles
        taken = {name for name in GAMES if "ada" in room.table(name).sets.hand}
        sent = Counter(raw.split(b"]")[0].rpartition(b"[")[2] for _, raw in room.outbox.sent if b".receipt." in raw)
        assert {name.decode() for name in sent} == taken, axe.passed[-1]
        owed.add(len(taken))
        room.arena.close()
        if not axe.fell:
            break
    assert owed >= {0, 3}


def test_a_phase_is_durable_before_what_comes_behind_it(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one visit goes through several, as where an older copy was put back: else the chain could have a gap."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    synced: list[set[str]] = []
    settle = disk.settle

    def noting(root: int, places: Any) -> None:
        synced.append({"/".join(one) for one in places})
        settle(root, places)

    monkeypatch.setattr(disk, "settle", noting)

    def work(ledger: Any, batch: Any) -> Any:
        for days in (4, 8):
            yield from due.advance(room.arena, ledger, batch, room.clock.now() + timedelta(days=days))
        return ()

    waves.visit(room.arena, GameName("tide-1"), work, room.clock.now())
    journals = [[place for place in places if place.endswith("journal.toml")] for places in synced]
    found = [places for places in journals if places]
    assert found == [[f"games/tide-1/phase-0{number}/journal.toml"] for number in (1, 2)]


# What happens in the middle


def test_an_edit_behind_our_own_writing_is_seen_by_the_next_sweep(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index knows the file as we wrote it, however soon a person saves theirs."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    room.write("ada@example.org", "bid 3", to=room.reply_to("ada@example.org", "[tide-1]"))
    file = room.root / "games" / "tide-1" / "state.toml"
    real = finish.note

    def edited(arena: Any, ledger: Any, *more: Any) -> None:
        if ledger.charter.game == "tide-1":
            file.write_text(file.read_text().replace('"coins of bo" = 10', '"coins of bo" = 6'))
        real(arena, ledger, *more)

    with monkeypatch.context() as patch:
        patch.setattr(finish, "note", edited)
        room.sweep(timedelta(0))
    assert room.sweep(timedelta(0)).entries == 1
    assert "coins of Bo: 10 -> 6" in room.last(MODERATOR)


@pytest.mark.parametrize("how", ["forestalled", "unsynced"])
def test_a_change_of_address_that_is_stopped_halfway_is_told_of(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The visit is made again; whoever moved hears of it at the new address, once."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    ada, new = "ada@example.org", "ada@example.com"
    room.write(ada, f"address {new}", to=room.reply_to(ada, "[tide-1]"))
    room.sweep()
    room.write(new, "confirm", to=room.reply_to(new))
    room.sweep()
    room.write(ada, "confirm", to=room.reply_to(ada))
    failure, left = waves._failure, [1]

    def forestalled(arena: Any, one: Any, error: Any) -> Any:
        left[0] -= 1
        return failure(arena, one, error) if left[0] < 0 else waves._ForestalledError("edited just now")

    def unsynced(name: str) -> None:
        if name == "before-sync" and room.arena.people.find(new):
            left[0] -= 1
            if left[0] == 0:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        if how == "forestalled":
            patch.setattr(waves, "_failure", forestalled)
        else:
            patch.setattr(shelf, "STEP", unsynced)
        room.sweep(timedelta(0))
    room.sweep(timedelta(minutes=11))
    letters = [flat(raw.decode()) for to, raw in room.outbox.sent if to == new]
    assert sum("all your letters come here" in one for one in letters) == 1 and not room.mailbox.waiting
    count = len(room.outbox.sent)
    for _ in range(2):  # nobody is pestered with what was confirmed
        room.write(ada, "confirm", to=room.reply_to(ada))
        room.sweep(timedelta(minutes=11))
    assert not any("all your letters come here" in flat(raw.decode()) for _, raw in room.outbox.sent[count:])


def test_who_was_heard_in_this_very_sweep_is_among_those_last_heard(three: Room, tmp_path: Path) -> None:
    """A letter says what its entries say, those too that become durable with it."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    room.clock.advance(timedelta(hours=2))
    room.write("ada@example.org", "bid 3", to=room.reply_to("ada@example.org", "[tide-1]"))
    room.write(MODERATOR, "status", to=room.reply_to(MODERATOR, "[tide-1]"))
    room.sweep(timedelta(0))
    once = [line for line in room.last(MODERATOR).split("\n") if "heard" in line]
    room.write(MODERATOR, "status\nstatus", to=room.reply_to(MODERATOR, "[tide-1]"))
    room.sweep(timedelta(0))
    assert once and once == [line for line in room.last(MODERATOR).split("\n") if "heard" in line]


def test_a_seed_that_is_left_over_is_no_seed_of_a_new_game(room: Room) -> None:
    """Its seal would not fit, and the game would be dead; the seed is what an archived game is replayed with."""
    room.found("ada", "bo", name="cup-1")
    (room.root / "games" / "cup-1").rename(room.root / "cup-1.archived")
    room.reopen()
    with pytest.raises(CharterError, match=r"There is a secrets/cup-1\.seed, of an earlier game of that name"):
        room.invite("ada", name="cup-1", seats=2)
    (room.root / "secrets" / "cup-1.seed").rename(room.root / "cup-1.seed")
    assert room.invite("ada", "bo", name="cup-1") == "cup-1"
    room.write("ada@example.org", "join as Ada", to=room.reply_to("ada@example.org", "[cup-1]"))
    assert not room.sweep().troubles and "ada" in room.table("cup-1").seats


@pytest.mark.parametrize("name", ["caf\udce9.eml", "notes.txt", "a\nb.eml"])
def test_what_somebody_put_beside_the_letters_is_no_letter(three: Room, tmp_path: Path, name: str) -> None:
    """Neither sent nor in the way."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    (room.root / "games" / "tide-1" / "post" / "out" / name).write_bytes(b"hello")
    (room.root / "games" / "tide-1" / "state.toml").touch()
    room.reopen()
    assert not room.sweep().troubles and room.arena.index.outgoing.waiting()[0] == 0


@pytest.mark.parametrize("fault", [KeyError("a fault of ours"), TemplateError("held.j2 is missing")])
def test_a_question_that_cannot_be_asked_holds_up_no_other(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Mail that is to be held, in several games, and a stranger's: what is answered on the desk is answered for each."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    real = desk._letter

    def broken(arena: Any, case: Any, *more: Any) -> bytes:
        if case.game == "ebb-1":
            raise fault
        return real(arena, case, *more)

    monkeypatch.setattr(desk, "_letter", broken)
    for name in ("ebb-1", "flow-1"):
        room.write("ada@example.org", "bid 3", to="arena@example.org", subject=f"[{name}] bids")
    room.write("eve@example.com", "hello", to="arena@example.org", subject="hello")
    for _ in range(4):
        room.sweep(timedelta(minutes=11))
    letters = [flat(raw.decode()) for _, raw in room.outbox.sent]
    assert sum("desk.held" in one and "[flow-1]" in one for one in letters) == 1
    assert sum("desk.stranger" in one for one in letters) == 1
    is_ours = isinstance(fault, KeyError)
    assert len(room.mailbox.waiting) == (0 if is_ours else 1)
    assert not (room.root / "strays").exists() or not any(
        "broke us" in path.read_text() and b"flow-1" in (room.root / "in" / f"{path.stem}.eml").read_bytes()
        for path in (room.root / "strays").glob("*.txt")
    )
    room.sweep(timedelta(hours=90))
    assert room.table("flow-1").number == 2


def test_an_answer_of_the_desk_that_went_is_not_sent_again(
    three: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though we were killed before its case was noted, and its mail comes again."""
    room = three.copied(tmp_path / "arena")
    room.sweep()
    room.write("eve@example.com", "hello", to="arena@example.org", subject="hello")
    left = [1]

    def killed(name: str) -> None:
        left[0] -= name == "before-append"
        if not left[0]:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(shelf, "STEP", killed)
        room.sweep()
    room.reopen()
    mailbox, room.mailbox.waiting[:] = [*room.mailbox.waiting], []
    room.sweep()
    room.mailbox.waiting[:] = mailbox
    room.sweep()
    assert sum(b"desk.stranger" in raw for _, raw in room.outbox.sent) == 1 and not room.mailbox.waiting
