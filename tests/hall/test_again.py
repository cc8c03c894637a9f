"""`again`, once a game is over: the next one is founded on the same terms, with the same people, and once."""

import contextlib
from pathlib import Path

import pytest

from pbem.ground.terms import GameName
from pbem.letters.reading import read
from pbem.table.fold.journal import RulingGiven
from pbem.table.incoming import moderator_mail
from pbem.table.rulings.again import Again
from pbem.testing.room import MODERATOR, NOON
from tests.conftest import Room, flat
from tests.depth import shares
from tests.killing import Axe, Killed, points

ADA, BO, FAY = (f"{name}@example.org" for name in ("ada", "bo", "fay"))


def go(room: Room, who: str, text: str) -> list[tuple[str, str]]:
    """Let somebody write, sweep, and return who got which letter, flattened."""
    since = len(room.outbox.sent)
    room.write(who, text)
    assert room.sweep().troubles == []
    return sent(room, since)


def sent(room: Room, since: int) -> list[tuple[str, str]]:
    """Return who got which letter since some place of the post, flattened."""
    return [(to, flat("\n".join(read(raw).body))) for to, raw in room.outbox.sent[since:]]


def play_out(room: Room, *players: str) -> None:
    """Let everybody play until the game is over."""
    for _ in range(20):
        if room.table().status == "over":
            break
        for number, who in enumerate(players, 1):
            room.write(who, f"bid {number}")
        room.sweep()
        if room.table().status == "closed":
            room.write(MODERATOR, f"approve {room.table().proof}")
            room.sweep()
    assert room.table().status == "over"


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A game that is over, whose second seat somebody else has taken over, closed."""
    room = Room(tmp_path_factory.mktemp("again") / "arena")
    room.found("ada", "bo", press="none", review=("tide",))
    go(room, MODERATOR, f"replace Bo by {FAY}")
    go(room, FAY, "yes")
    play_out(room, ADA, BO, FAY)
    room.arena.close()
    return room


@pytest.fixture
def over(ended: Room, tmp_path: Path) -> Room:
    """A copy of it."""
    return ended.copied(tmp_path / "arena")


def test_the_next_game_has_the_same_terms_and_people(over: Room) -> None:
    """Whoever had a seat at the end is invited, and nobody else; the seed is another, and the game can be played."""
    assert "| again" in over.last(MODERATOR) and "| again" not in over.last(ADA)
    letters = go(over, MODERATOR, "again")
    assert [to for to, _ in letters] == [MODERATOR, MODERATOR, ADA, FAY]
    assert "its first letter tells you its name" in letters[0][1] and "tide-2 is founded" in letters[1][1]
    assert "tide-2" in letters[2][1] and "tide-2" in letters[3][1]
    old, new = (over.arena.ledger(GameName(name)).charter for name in ("tide-1", "tide-2"))
    assert (new.press, new.review, new.seats, new.moderator) == (old.press, old.review, old.seats, old.moderator)
    assert new.follows == "tide-1" and new.seal != old.seal and not old.follows
    go(over, ADA, "join as Ada")
    go(over, FAY, "join as Fay")
    assert over.table("tide-2").status == "open"


def test_it_is_done_once(over: Room) -> None:
    """A second time it is refused; a third game follows the second."""
    go(over, MODERATOR, "again")
    letter = over.outbox.sent[-4]
    assert "founded already" in go_to(over, letter, "again")
    assert over.arena.has_game("tide-2") and not over.arena.has_game("tide-3")


def go_to(room: Room, letter: tuple[str, bytes], text: str) -> str:
    """Answer a letter, and return the one that comes."""
    since = len(room.outbox.sent)
    head = read(letter[1])
    address = next(line for line in letter[1].decode().split("\r\n") if line.startswith("Reply-To: "))[10:]
    room.write(letter[0], text, to=address, subject=f"Re: {head.subject}")
    room.sweep()
    [(_, said)] = sent(room, since)
    return said


def test_a_name_that_is_taken_is_passed_over(over: Room) -> None:
    """And nobody else's game is touched."""
    (over.root / "games" / "tide-2").mkdir(parents=True)
    text = (over.root / "games" / "tide-1" / "charter.toml").read_text()
    (over.root / "games" / "tide-2" / "charter.toml").write_text(text)
    go(over, MODERATOR, "again")
    assert over.arena.has_game("tide-3") and (over.root / "games" / "tide-2" / "charter.toml").read_text() == text


@pytest.mark.parametrize("said", ["again", "Again!", "test\nagain"])
def test_before_the_end_and_as_a_test_nothing_is_founded(room: Room, ended: Room, tmp_path: Path, said: str) -> None:
    """They are told when it can be."""
    if said.startswith("test"):
        room = ended.copied(tmp_path / "other")
        assert "would be founded" in go(room, MODERATOR, said)[0][1]
    else:
        room.found("ada", "bo")
        assert "not over yet" in go(room, MODERATOR, said)[0][1]
    assert not room.arena.has_game("tide-2")


@pytest.mark.parametrize("said", ["Again, thanks for the game!", "again and again I said so", "once again"])
def test_chat_founds_nothing(over: Room, said: str) -> None:
    """The word has to stand alone."""
    go(over, MODERATOR, said)
    assert not over.arena.has_game("tide-2")


def test_without_a_voucher_it_is_confirmed() -> None:
    """It writes to many, so nobody does it with a token alone."""
    assert moderator_mail.is_guarded(RulingGiven(number=9, noted=NOON, phase=3, rulings=(Again(),)))


@pytest.mark.parametrize("share", shares(4))
def test_killed_at_every_point_there_is_one_next_game(ended: Room, tmp_path: Path, share: int) -> None:
    """
    With every letter, each once or, where the server had it, with the same name.

    At a quarter of the points; a sweep tries them all.
    """
    whole = ended.copied(tmp_path / "whole")
    axe = Axe()
    whole.write(MODERATOR, "again")
    with points(axe):
        whole.sweep()
    wanted = {(to, read(raw).subject) for to, raw in whole.outbox.sent}
    whole.arena.close()
    count = len(axe.passed)
    assert count > 40
    for at in range(1, count + 1, share):
        room = ended.copied(tmp_path / str(at))
        room.write(MODERATOR, "again")
        axe = Axe(at)
        with points(axe), contextlib.suppress(Killed):
            room.sweep()
        room.reopen()
        room.sweep()
        names = sorted(path.name for path in (room.root / "games").iterdir() if path.is_dir())
        assert names == ["tide-1", "tide-2"], (axe.passed[-1], names)
        assert {(to, read(raw).subject) for to, raw in room.outbox.sent} == wanted, axe.passed[-1]
        assert len(room.table("tide-2").invited) == 2
        room.arena.close()
