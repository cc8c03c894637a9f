"""New rules while a game runs: taken up at its next phase, old phases kept as they were, a pending proof waits."""

import hashlib
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.ground import records
from pbem.ground.chance import Dice
from pbem.ground.terms import CharterError, Complaint, Given, OrderLine, Outcome, Parsed, Seat, ShelfError
from pbem.hall.commands import replay_check
from pbem.hall.sweep.reindexing import reindex
from pbem.language.phrases import Unread
from pbem.rulesets.rumble import RULESET as RUMBLE
from pbem.table.fold import replay
from pbem.table.fold.journal import FORMAT, PhasePublished, RulingGiven
from pbem.table.rulings import Ruling
from pbem.table.rulings.approve import Approve
from pbem.table.rulings.extend import Extend
from pbem.table.rulings.note import Note
from pbem.table.rulings.order import OrderFor
from pbem.table.rulings.strike import Strike
from pbem.testing.room import ARENA
from tests.conftest import Room, flat
from tests.depth import some
from tests.harbour import Harbour, HarbourRules
from tests.rulesets.rumble_scene import lay

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


class NewRules(HarbourRules):
    """The next version, in which the sea takes a coin from everybody each tide."""

    version = 2

    def adjudicate(self, state: Harbour, orders: Any, given: Given, dice: Dice) -> Outcome[Harbour]:
        """Adjudicate as before, and take the coins."""
        outcome = super().adjudicate(state, orders, given, dice)
        coins: dict[Seat, int] = {seat: max(0, coins - 1) for seat, coins in outcome.state.coins.items()}
        return msgspec.structs.replace(outcome, state=msgspec.structs.replace(outcome.state, coins=coins))


def upgrade(room: Room, rules: HarbourRules) -> None:
    """Start again with other rules."""
    room.rulesets = {"harbour": rules}
    room.reopen()


def tide(room: Room, ada: int, bo: int) -> None:
    """Let both bid, and the phase close."""
    number = room.table("tide-1").number
    room.write(ADA, f"bid {ada}")
    room.write(BO, f"bid {bo}")
    while room.table("tide-1").number == number and room.table("tide-1").status == "open":
        room.sweep(timedelta(hours=2))


def replayed(room: Room) -> list[replay_check.Phase]:
    """Replay the game with the rules that there are now."""
    folder, seed = room.root / "games" / "tide-1", room.arena.seed(room.arena.games()[0])
    return list(
        replay_check.replay(folder, room.rulesets, replay_check.Words(room.arena.words, room.arena.wording), seed)
    )


def test_a_running_game_takes_up_new_rules_and_its_past_stays(room: Room) -> None:
    """What was closed under the old rules is chain-checked; what comes after is adjudicated by the new ones."""
    room.found("ada", "bo")
    tide(room, 2, 1)
    before = room.table("tide-1").state.coins
    upgrade(room, NewRules())
    assert room.table("tide-1").state.coins == before
    tide(room, 0, 1)
    assert room.table("tide-1").state.coins == {"ada": before["ada"] - 1, "bo": before["bo"] - 2}
    phases = replayed(room)
    assert not any(phase.difference for phase in phases)
    assert [(phase.folder, phase.version) for phase in phases if phase.entries] == [
        ("phase-00", 1), ("phase-01", 1), ("phase-02", 0),
    ]  # fmt: skip
    assert reindex(room.arena) == []
    assert room.sweep().troubles == []


def test_a_proof_that_waits_is_published_by_the_rules_it_was_made_by(room: Room) -> None:
    """The game stands still and says why; the old version publishes it, and the new one goes on."""
    room.found("ada", "bo", review=("tide",))
    tide(room, 2, 1)
    assert room.table("tide-1").status == "closed"
    upgrade(room, NewRules())
    room.write(GWEN, "approve 1")
    (trouble,) = room.sweep().troubles
    assert "tide-1: phase 1 was closed under version 1 of its rules and is not published" in trouble
    assert "stands still" in room.letters(GWEN)[-1].subject
    upgrade(room, HarbourRules())
    room.sweep(timedelta(minutes=20))
    assert room.table("tide-1").number == 2
    upgrade(room, NewRules())
    tide(room, 0, 0)
    assert room.sweep().troubles == []


def test_a_state_that_was_changed_since_is_found(room: Room) -> None:
    """Of a phase that is not adjudicated again, at least the state that it led to must be the one in its journal."""
    room.found("ada", "bo")
    tide(room, 2, 1)
    upgrade(room, NewRules())
    path = room.root / "games" / "tide-1" / "phase-02" / "state.toml"
    _, _, text = path.read_text().partition("\n")  # which has a check sum of its own, as older releases had not
    path.write_text(text.replace("ada = 8", "ada = 9"))
    with pytest.raises(ShelfError, match="phase-02/state.toml is not what entry"):
        replayed(room)


class Renamed(HarbourRules):
    """A release in which a bid is called an offer; old bids may still be read, or not."""

    def __init__(self, *, reads_bids: bool) -> None:
        """Say whether bids are read."""
        self.reads_bids = reads_bids

    def hear(self, state: Harbour, seat: Seat, lines: Any) -> Parsed[Any]:
        """Read the offers of a mail."""
        return self.parse(state, seat, lines)

    def parse(self, state: Harbour, seat: Seat, lines: Any) -> Parsed[Any]:
        """Read offers, and bids if so."""
        said = [OrderLine(line.number, re.sub("^offer ", "bid ", line.text)) for line in lines]
        old = [line for line in lines if line.text.startswith("bid ") and not self.reads_bids]
        found = super().parse(state, seat, [one for one, line in zip(said, lines, strict=True) if line not in old])
        wrong = tuple(Complaint(line.number, line.text, "unreadable", "Write offer 3.", "H1") for line in old)
        return Parsed(found.orders, (*found.complaints, *wrong))

    def format(self, state: Harbour, orders: Any) -> tuple[str, ...]:
        """Write them back."""
        return tuple(line.replace("bid", "offer") for line in super().format(state, orders))


STATUSES: dict[str, tuple[tuple[str, str], ...]] = {
    "sign-up": (),
    "open": ((ADA, "bid 3"), (GWEN, "extend 2h because of the fog")),
    "open, set": ((ADA, "bid 3"), (GWEN, "set coins Bo 9 because of the fog")),
    "later": ((ADA, "for Tide 2: bid 3"),),
    "standing": ((ADA, "bid 3\nstanding on"), (BO, "bid 1")),
    "proof": ((ADA, "bid 3"), (BO, "bid 1"), (GWEN, "overrule bid of bo = 5 because of the fog")),
    "paused": ((ADA, "bid 3"), (GWEN, "pause because of the fog")),
}


def come_to(room: Room, status: str) -> None:
    """Bring a game into a status."""
    if status == "sign-up":
        room.invite("ada", "bo")
        room.write(ADA, "join as Ada")
        room.sweep()
        return
    room.found("ada", "bo", review=("tide",) if status == "proof" else ())
    for who, said in STATUSES[status]:
        room.write(who, said)
        room.sweep()


def play_on(room: Room, status: str, word: str) -> list[Any]:
    """Let a game go on for some days, and return what came of it."""
    if status == "sign-up":
        room.write(BO, "join as Bo")
    if status == "paused":
        room.sweep()
        room.write(GWEN, "resume because it is clear")
    if status == "proof":
        room.sweep()
        room.write(GWEN, "approve 2")
    for number in range(2):
        room.sweep(timedelta(hours=20))
        if number:
            room.write(BO, f"{word} {number}")
        room.sweep(timedelta(hours=60))
    table = room.table()
    return [table.number, table.state, table.deadline, [letter.subject for letter in room.letters(ADA)]]


@pytest.mark.parametrize("status", some(3, STATUSES))
def test_a_game_goes_on_through_an_upgrade_as_without_one(room: Room, tmp_path: Path, status: str) -> None:
    """In whatever status it finds the game, a release that reads what was taken changes nothing of it."""
    come_to(room, status)
    room.arena.close()
    other = room.copied(tmp_path / "other")
    room.arena = room.open()
    upgrade(other, Renamed(reads_bids=True))
    assert play_on(other, status, "offer") == play_on(room, status, "bid")
    assert not other.sweep().troubles
    other.arena.close()


@pytest.mark.parametrize("status", some(3, [status for status in STATUSES if status != "sign-up"]))
def test_what_was_taken_and_no_longer_reads_stops_the_game_or_is_told(room: Room, status: str) -> None:
    """Nothing that somebody was told is on hand goes unsaid; nobody else reads a word of it."""
    come_to(room, status)
    number = room.table().number
    upgrade(room, Renamed(reads_bids=False))
    if status == "paused":
        room.write(GWEN, "resume because it is clear")
        room.sweep()
    troubles = [trouble for _ in range(5) for trouble in room.sweep(timedelta(hours=20)).troubles]
    if status == "later":
        told = [flat("\n".join(letter.body)) for letter in room.letters(ADA)]
        assert any(
            "Orders that were to stand in this phase no longer can: bid 3: Write offer 3." in one for one in told
        )
        return
    assert any("line 1 of Ada's orders" in one for one in troubles)
    assert not any("bid 3" in one for one in troubles)
    assert "cannot read it" in flat(room.last(GWEN)) and "bid 3" not in room.last(GWEN)
    if status == "proof":
        upgrade(room, HarbourRules())
        room.write(GWEN, "approve 2", to=room.reply_to(GWEN, "| approve 2"))
        room.sweep(timedelta(minutes=11))
        assert room.table().number == number + 1
        return
    assert room.table().number == number and room.table().status == "open"
    for who, said in ((ADA, "status"), (GWEN, "strike Ada 1 because of the upgrade")):
        room.write(who, said, to=address(room, who))
        room.sweep()
    assert any("cannot read it now" in flat("\n".join(letter.body)) for letter in room.letters(ADA))
    assert not room.sweep(timedelta(minutes=11)).troubles
    assert (room.table().number, room.table().status) in ((number + 1, "open"), (number, "over"))


class Translated(Renamed):
    """A release that knows offers alone, and says what a bid was."""

    grammar = 2

    def __init__(self) -> None:
        """Read no bids."""
        super().__init__(reads_bids=False)

    def translated(self, lines: Sequence[str], grammar: int) -> tuple[str, ...]:
        """Call a bid of the first grammar an offer."""
        assert grammar == 1
        return tuple(re.sub("^bid ", "offer ", line) for line in lines)


PLAY = (
    (ADA, "bid 3\nstanding on"),
    (BO, "bid 2\nfor Tide 2: bid 1"),
    (GWEN, "order Bo: bid 4 because he rang\ndo gain Ada 2 each round because of luck"),
    (GWEN, "undo 1"),
    (GWEN, "strike Bo 1 because he asked"),
    (BO, "bid 1"),
    (GWEN, "close now"),
    (GWEN, "approve 1"),
    (GWEN, "status"),
    (GWEN, "close now"),
)


def test_lines_of_an_older_grammar_are_read_as_they_were_meant(tmp_path: Path) -> None:
    """On hand, sent ahead, standing, in a ruling and its undo: whenever the game is upgraded, it goes on as it would have."""
    ends = []
    for place in range(len(PLAY) + 1):
        room = Room(tmp_path / str(place), {"harbour": HarbourRules()})
        room.found("ada", "bo", review=("tide",), close="at deadline")
        for number, (who, text) in enumerate(PLAY):
            if number == place:
                upgrade(room, Translated())
            room.write(who, text.replace("bid", "offer") if number >= place else text)
            assert not room.sweep(timedelta(minutes=5)).troubles
        if place == len(PLAY):
            upgrade(room, Translated())
        table = room.table()
        orders = {seat: [str(one) for one in table.orders(seat)] for seat in table.sets.hand}
        ends.append((table.status, table.number, table.state, orders, [ruled.number for ruled in table.standing]))
        assert not any(phase.difference for phase in replayed(room)) and not table.unread
        room.arena.close()
    assert all(end == ends[0] for end in ends) and ends[0][:2] == ("closed", 2) and ends[0][3]


def test_a_replay_says_that_it_cannot_read_what_was_played(room: Room) -> None:
    """It does not play the phase again as if nothing had been sent."""
    room.found("ada", "bo")
    tide(room, 2, 1)
    upgrade(room, Renamed(reads_bids=False))
    with pytest.raises(CharterError, match="line 1 of Ada's orders, was taken by another version"):
        replayed(room)


@pytest.mark.parametrize("line", ["strike Ada 1 because of it", "order Ada: bid 2 because of it"])
def test_a_ruling_that_quotes_orders_is_not_quoted(room: Room, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """What stops a game is told to its moderator, who may play, and to the log."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.write(GWEN, line)
    room.sweep()
    verb = line.partition(" ")[0]
    for kind in (Strike, OrderFor):
        monkeypatch.setattr(kind, "unfit", lambda *_: Unread("unreadable", "bid 3?"))
    room.reopen()
    (trouble,) = {trouble for _ in range(5) for trouble in room.sweep(timedelta(hours=20)).troubles}
    assert f"ruling 1, {verb}, was" in trouble and "bid" not in trouble and "bid" not in room.last(GWEN)


def address(room: Room, who: str) -> str:
    """Return the address of somebody's role in the present phase."""
    seat = Seat("ada") if who == ADA else None
    return f"arena+tide-1.{room.arena.token(room.table(), seat)}@example.org"


@pytest.mark.parametrize("mend", ["undo 1", "older release"])
def test_a_ruling_that_no_longer_reads_stops_the_game(room: Room, monkeypatch: pytest.MonkeyPatch, mend: str) -> None:
    """With its line; it is taken back and given anew, or the older release goes on to the next phase."""
    room.found("ada", "bo")
    room.write(GWEN, "extend 2h because of the fog")
    room.sweep()
    number = room.table().number
    with monkeypatch.context() as newer:
        newer.setattr(Extend, "unfit", lambda *_: Unread("unreadable", "Say longer 2h."))
        room.reopen()
        (trouble,) = {trouble for _ in range(5) for trouble in room.sweep(timedelta(hours=20)).troubles}
        assert "ruling 1, extend 2 h, was taken by another version" in trouble and "Say longer 2h." in trouble
        assert room.table().number == number and "undo 1" in room.last(GWEN)
        if mend == "undo 1":
            room.write(GWEN, "undo 1", to=address(room, GWEN))
            assert not room.sweep().troubles and room.table().number == number + 1
    if mend == "older release":
        room.reopen()
        assert not room.sweep().troubles and room.table().number == number + 1


def test_orders_that_lie_open_and_no_longer_read_are_not_left_out() -> None:
    """They are in the state, not on hand."""
    state = RUMBLE.setup({Seat("ada"): "Ada", Seat("bo"): "Bo"}, {}, Dice(bytes(32)))
    with pytest.raises(CharterError, match="orders of Ada, from the phase before"):
        RUMBLE.load({**RUMBLE.dump(state), "phase": "reveal", "sealed": {"ada": ["tickle Bo 3"]}, "asked": ["ada"]}, 4)


def test_a_power_whose_lines_no_longer_read_does_not_stop_running_unsaid() -> None:
    """The round does not close, until the moderator takes the lines away or gives others."""
    dice = Dice(bytes(32))
    state = lay(["ada: Ann 50", "bo: Bolt 50", "ada: power Tough Hide 5: +15. = do: defence(me) += 15"], {}, dice)
    (hide,) = state.powers
    state = msgspec.structs.replace(state, powers=(msgspec.structs.replace(hide, lines="does: defence(me) += 15"),))
    orders: dict[Seat, tuple[Any, ...]] = {Seat("ada"): (), Seat("bo"): ()}
    with pytest.raises(CharterError, match="lines of P01, Tough Hide, .* do manual P01 because REASON"):
        RUMBLE.adjudicate(state, orders, Given({}, ()), dice)
    for said in ("manual P01", "power P01 = do: defence(me) += 15"):
        RUMBLE.adjudicate(state, orders, Given({}, (said,)), dice)


FILES = {
    "state": "games/tide-1/state.toml",
    "start": "games/tide-1/phase-01/state.toml",
    "people": "people.toml",
    "sent": "games/tide-1/post/sent.toml",
    "came": "desk/journal.toml",
}


@pytest.mark.parametrize("name", [*FILES, "index"])
def test_a_file_of_a_newer_release_is_told_as_one(room: Room, name: str) -> None:
    """Each says of which format it is; one that we do not know is left as it is, and not called damaged."""
    room.found("ada", "bo")
    room.write("eve@example.com", "hello", to=ARENA, subject="hello")
    room.write(ADA, "bid 3")
    room.sweep()
    room.arena.close()
    path = room.root / FILES.get(name, "index.sqlite")
    if name == "index":
        with closing(sqlite3.connect(path)) as index:
            assert index.execute("pragma user_version").fetchone() == (1,)
            index.execute("pragma user_version = 2")
    else:
        text, ours = path.read_text(), FORMAT if name == "start" else 1
        assert re.search(rf"(?m)^format = {ours}$", text)
        text = re.sub(rf"(?m)^format = {ours}$", f"format = {ours + 1}", text, count=1)
        path.write_text(resummed(name, text))
    if name == "sent":  # it is read where the index may not know all
        (room.root / FILES["state"]).touch()
    before = path.read_bytes()
    said = []
    try:
        room.arena = room.open()
        room.write(ADA, "status", to=ARENA, subject="[tide-1]")
        said = room.sweep().troubles
    except ShelfError as error:
        said = [str(error)]
    assert any("written by a newer pbem" in one and path.name in one for one in said), said
    assert name == "index" or path.read_bytes() == before


def resummed(name: str, text: str) -> str:
    """Give a file its check sum anew."""
    rest = text.partition("\n")[2]
    if name == "state":
        return f'check = "{hashlib.sha256(rest.encode()).hexdigest()[:32]}"\n{rest}'
    if name in ("start", "people"):
        return records.checked(rest)
    first, end, others = text.partition('\nsum = "')
    body = first.partition("]]\n")[2]
    sum_ = hashlib.sha256(body.encode()).hexdigest()[:16]
    return f"{first}{end}{sum_}{others[16:]}"


def test_an_approval_of_before_stands_however_proofs_are_counted_now(room: Room) -> None:
    """Older releases made no proof for a note; a game in which proof 1 was approved below one still replays."""
    room.found("ada", "bo", review=("tide",))
    room.write("ada@example.org", "bid 3")
    room.write("bo@example.org", "bid 1")
    room.sweep()
    table = room.table()
    given: tuple[Ruling, ...] = (Note(text="Fog."), Approve(proof=1))
    for number, ruling in enumerate(given, table.head + 1):
        entry = RulingGiven(number=number, noted=room.clock.now(), phase=1, rulings=(ruling,))
        table = replay.step(table, entry)
    published = PhasePublished(number=table.head + 1, noted=room.clock.now(), phase=1, state="", wording="", why="so",
                               deadline=room.clock.now())  # fmt: skip
    assert replay.step(table, published).number == 2
