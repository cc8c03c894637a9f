"""The letter with a report: when the next phase ends, the news, what happened to its reader, then table and sums."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room, flat

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
GAME = "ember-7"
NAMES = {"ada": "Ada", "bo": "Bo", "cy": "Cy"}
TEXTS = ("+15 to your Defence.", "Burn 10: gain 15 Energy.", "+5 to each of your Attacks.")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, played so far once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=("powers",))
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.arena.close()
    return room


@pytest.fixture
def game(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """Three heroes of 100 Energy in their first round."""
    yield from begun.lent(tmp_path / "arena")


def close(room: Room, **orders: str) -> None:
    """Let everybody send something, and the round close."""
    title = room.table(GAME).title
    for who, text in orders.items():
        room.write(f"{who}@example.org", text.replace("; ", "\n"))
    room.sweep()
    while room.table(GAME).title == title:
        room.sweep(timedelta(hours=12))


def on_file(room: Room, name: str) -> str:
    """Return a file of the phase that was closed last."""
    return (room.root / "games" / GAME / f"phase-{room.table(GAME).number - 1:02d}" / name).read_text()


def test_a_report_opens_with_what_a_phone_shows(game: Room) -> None:
    """Its title, when the next phase ends, the news, what happened to the reader; then the table, then the sums."""
    close(game, ada="attack Bo 40; defend 60", bo="attack Ada 70; defend 30", cy="attack Ada 20; defend 80")
    text = game.last(ADA)
    lines = text.split("\n")
    assert lines[0].startswith("[ember-7] ROUND 1") and lines[1].startswith("Next comes Round 2, until ")
    places = [text.index(words) for words in (lines[3], "FOR ADA ALONE", "####", "What was ordered", "ROUND 2: what")]
    assert lines[3] and places == sorted(places)
    assert (
        "FOR ADA ALONE You were attacked by Bo with 70 and Cy with 20. Past your Defence of 60 came 30 of Bo. "
        "Your 40 on Bo did 10. Your Energy went from 100 to 70 (-30 damage). Ada" in flat(text)
    )
    assert "FOR BO ALONE You were attacked by Ada with 40." in flat(game.last(BO))
    assert sum("####" in line for line in lines) == 3  # the table of the report is that of what is asked


def test_what_happened_is_for_its_reader_and_on_file_for_the_seat(game: Room) -> None:
    """The public report and the moderator's have nothing of it."""
    close(game, ada="attack Bo 40; defend 60", bo="attack Ada 70; defend 30", cy="defend 100")
    for public in (on_file(game, "report.txt"), game.last(GWEN)):
        assert "What was ordered" in public and "ALONE" not in public and "You were" not in public
    assert on_file(game, "seats/ada.txt").startswith("You were attacked by Bo with 70.")
    assert "Next comes" in game.last(GWEN) and "Next comes" not in on_file(game, "report.txt")
    game.write(ADA, "resend")
    game.sweep()
    again = flat(game.last(ADA))
    assert again.index("FOR ADA ALONE You were attacked by Bo with 70.") < again.index("ROUND 1 to all players")


def test_who_sent_nothing_is_told_what_was_done(game: Room) -> None:
    """And the others only that nothing came."""
    close(game, ada="attack Bo 40; defend 60", bo="attack Ada 70; defend 30")
    assert "FOR CY ALONE No orders came from you" in flat(game.last(CY))
    assert "came from you" not in game.last(ADA) and "No orders came from Cy" in flat(game.last(ADA))


def test_who_falls_hears_how_and_later_nothing(game: Room) -> None:
    """A later round happens to others."""
    close(game, ada="attack Cy 100", bo="attack Cy 50; defend 50", cy="attack Bo 100")
    told = flat(game.last(CY).partition("FOR CY ALONE")[2].partition("\n\n  ")[0])
    assert told.endswith("went from 100 to -50 (-150 damage). You are out, brought down by Ada and Bo.")
    close(game, ada="defend 100", bo="attack Ada 20; defend 30")
    assert "FOR ADA ALONE" in game.last(ADA) and "ALONE" not in game.last(CY)


def test_the_moderators_headline_comes_before_the_news(game: Room) -> None:
    """And the news before what happened."""
    game.write(GWEN, "headline: Rain over the roofs")
    close(game, ada="attack Bo 40; defend 60", bo="attack Ada 70; defend 30", cy="defend 100")
    text = game.last(ADA)
    assert text.index("Next comes") < text.index(": Rain over") < text.index("FOR ADA ALONE")


def test_texts_of_powers_come_once_a_letter(tmp_path: Path) -> None:
    """Where the pool opens and authors may amend what they wrote; what was reworded is printed as it reads now."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, house={"amendments": "yes"}, review=("powers",))
    for who, text in zip((ADA, BO, CY), TEXTS, strict=True):
        room.write(who, f"power: Of {who[:2]}\ntext: {text}\npower: More of {who[:2]}\ntext: {text[:-1]} twice.")
    room.sweep()
    assert room.table(GAME).status == "closed"
    number = next(power.key for power in room.table(GAME).outcome.state.powers if power.name == "Of ad")
    room.write(GWEN, f"reword {number}: +15 to your Defence, always. because shorter")
    room.sweep()
    room.write(GWEN, "approve 2")
    room.sweep()
    assert room.table(GAME).title == "Amendments"
    for who in (ADA, BO, CY):
        report, _, rest = flat(room.last(who)).partition("Rulings Ruling 1: ")  # which the ruling quotes
        letter = report + rest.partition("AMENDMENTS: ")[2]
        assert ("was reworded" in letter) is (who == ADA) and "~ reword" in letter
        for one in ("+15 to your Defence, always.", *TEXTS[1:], *(f"{text[:-1]} twice." for text in TEXTS)):
            assert letter.count(one) == 1, room.last(who)
    room.arena.close()
