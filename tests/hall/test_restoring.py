"""An older backup put back: the mails since then come again, and the game is what it was, with nothing lost."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.ground.terms import GameName
from pbem.hall.commands import opening, replay_check, ruling
from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room

ADA, BO, CY, GWEN = (f"{name}@example.org" for name in ("ada", "bo", "cy", "gwen"))
GAME = GameName("ember-7")
NAMES = {"ada": "Mantisman", "bo": "Cuttlefish", "cy": "Breeze"}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A game of Rumble in its first round."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=())
    while not room.table(GAME).title.startswith("Round"):
        room.sweep(timedelta(hours=12))
    return room


def play(room: Room, rounds: int) -> None:
    """Play rounds: orders, a change of mind, a ruling, and a deadline or an early end."""
    for number in range(rounds):
        room.write(ADA, f"attack Cuttlefish {9 + number}\ndefend 40")
        room.sweep(timedelta(hours=1))
        room.write(BO, f"attack Breeze 7\ndefend {30 + number}")
        room.write(GWEN, f"do lose {3 + number} Breeze because of the rain")
        room.sweep(timedelta(hours=2))
        room.write(ADA, f"attack Breeze {5 + number}\ndefend 20")
        if number % 2:
            room.write(CY, "attack Mantisman 4\ndefend 41")
        here = room.table(GAME).number
        while room.table(GAME).number == here:
            room.sweep(timedelta(hours=6))


def outcomes(room: Room) -> dict[str, str]:
    """Return what came of each phase, replayed."""
    folder = room.root / "games" / GAME
    assert not any(
        p.difference for p in replay_check.replay(folder, rulesets_known(), opening.words(), room.arena.seed(GAME))
    )
    return {path.parent.name: path.read_text() for path in sorted(folder.glob("phase-*/outcome.toml"))}


@pytest.mark.parametrize(
    "kept", [pytest.param(0, marks=pytest.mark.sweep), 1, pytest.param(2, marks=pytest.mark.sweep)]
)
def test_an_arena_from_a_backup_comes_to_where_it_was(room: Room, kept: int) -> None:
    """Whatever was lost is done again from the mails, phase by phase as then; its reports go again."""
    play(room, kept)
    saved = room.clock.now()
    backup = room.root.with_name("backup")
    shutil.copytree(room.root, backup)
    before = {name: len(room.letters(name)) for name in (ADA, BO, CY)}
    play(room, 3)
    room.write(BO, "attack Mantisman 11\ndefend 12")
    room.sweep(timedelta(hours=1))
    wanted, table = outcomes(room), room.table(GAME)
    room.arena.close()
    shutil.rmtree(room.root)
    backup.rename(room.root)
    room.arena = room.open()
    assert len(outcomes(room)) < len(wanted)
    assert room.mailbox.unmark(saved - timedelta(hours=1)) > 10
    swept = room.sweep(timedelta(hours=1))
    assert swept.troubles == []
    again = room.table(GAME)
    assert outcomes(room) == wanted
    assert again.number == table.number and again.state == table.state
    assert again.sets.hand["cuttlefish"].orders == table.sets.hand["cuttlefish"].orders
    assert not room.mailbox.waiting
    for name, count in before.items():
        sent = [letter for letter in room.letters(name)[count:] if ".report." in letter.message_id]
        assert len(sent) == 6  # each of the three rounds, then and now


def test_mails_that_are_known_change_nothing(room: Room) -> None:
    """Taking marks off where nothing was lost is harmless: no entry, no letter."""
    play(room, 2)
    head, sent = room.table(GAME).head, len(room.outbox.sent)
    assert room.mailbox.unmark(room.clock.now() - timedelta(days=30)) > 10
    swept = room.sweep(timedelta(0))
    assert (swept.entries, swept.sent, swept.troubles) == (0, 0, [])
    assert room.table(GAME).head == head and len(room.outbox.sent) == sent


def test_a_token_of_nobody_does_not_move_a_game(room: Room) -> None:
    """Only a token that we made for a later phase says that we were further."""
    number = room.table(GAME).number
    room.write(ADA, "defend 40", to=f"arena+{GAME}.{'a' * 16}@example.org")
    room.sweep(timedelta(hours=1))
    assert room.table(GAME).number == number


def test_a_ruling_of_the_terminal_that_was_lost_is_asked_for_and_mail_waits(room: Room) -> None:
    """No order is burned meanwhile; once it is given again, the game goes on with the mail as it came."""
    backup = room.root.with_name("backup")
    shutil.copytree(room.root, backup)
    number = room.table(GAME).number
    ruling.rule(room.arena, GAME, number, ["close now because of the storm"], room.clock.now())
    room.sweep(timedelta(minutes=10))
    assert room.table(GAME).number == number + 1
    room.write(BO, "attack Mantisman 11\ndefend 12")
    room.sweep(timedelta(minutes=10))
    room.arena.close()
    shutil.rmtree(room.root)
    backup.rename(room.root)
    room.arena = room.open()
    room.mailbox.unmark(room.clock.now() - timedelta(hours=1))
    (trouble,) = room.sweep().troubles
    assert "pbem rescan" in trouble and "give it again with pbem rule" in trouble and room.mailbox.waiting
    ruling.rule(room.arena, GAME, number, ["close now because of the storm"], room.clock.now())
    assert room.sweep(timedelta(minutes=10)).troubles == []
    if not room.table(GAME).sets.hand:
        room.sweep(timedelta(minutes=10))
    assert room.table(GAME).number == number + 1
    assert room.table(GAME).sets.hand["cuttlefish"].orders and not room.mailbox.waiting
