"""Help on one topic is short, and from the handbook and the rules; status says when somebody was last heard."""

from datetime import timedelta

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.table import rulings
from pbem.table.model.calendar import show_instant
from pbem.table.outgoing.letter import MOST_ANSWERS
from pbem.testing.room import MODERATOR
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO = "ada@example.org", "bo@example.org"


def _asked(room: Room, who: str, text: str) -> str:
    room.write(who, text)
    assert room.sweep().troubles == []
    return room.last(who)


@pytest.fixture(scope="module")
def rumble(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A game of Rumble, with the real words."""
    room = Room(tmp_path_factory.mktemp("topics") / "arena", rulesets_known(), templates())
    room.found("ada", "bo", ruleset="rumble", names={"ada": "Mantisman", "bo": "Ray"})
    return room


@pytest.mark.parametrize("topic", ["attack", "defence", "press", "zone", "auction", "standing", "flaw", "wait"])
def test_a_topic_is_answered_in_short(rumble: Room, topic: str) -> None:
    """By thirty lines at most, with the word in it."""
    text = _asked(rumble, BO, f"help {topic}, please")
    assert f"Help on {topic}" in flat(text) and "no help" not in text and topic in text.partition("\n")[2].lower()
    assert len(text.strip().split("\n")) <= 32


def test_an_unknown_topic_lists_the_nearest(rumble: Room) -> None:
    """As lines that can be sent."""
    assert "| help " in _asked(rumble, BO, "help aucktion")


@pytest.mark.parametrize("said", ["help me with this", "help, I am lost here", "help is on its way, folks"])
def test_a_sentence_is_no_topic(rumble: Room, said: str) -> None:
    """It goes as talk."""
    assert "Help on" not in _asked(rumble, BO, said)


@pytest.mark.parametrize("said", ["help mantis", "help Ray", "help attack 30", "help with Mantisman"])
def test_what_may_be_meant_as_a_deed_is_no_topic(rumble: Room, said: str) -> None:
    """A line with a name or a number in it is asked about, and not answered as if it were done."""
    assert _asked(rumble, BO, said).startswith("Not ")


def test_small_words_before_a_topic_are_left_out(rumble: Room) -> None:
    """As people write it."""
    assert "Help on press, for" in flat(_asked(rumble, BO, "help with the press"))


@pytest.mark.parametrize(
    ("who", "said"), some(3, [(BO, "help {}{}{}"), (BO, "rules {}{}{}"), (MODERATOR, "help {}{}{}")])
)
def test_one_mail_is_answered_by_a_few_letters(rumble: Room, who: str, said: str) -> None:
    """However much it asks for; and its writer is told how much was left out."""
    since = len(rumble.letters(who))
    lines = [said.format("qvx", chr(97 + place // 5), "zwykj"[place % 5]) for place in range(40)]
    rumble.write(who, "\n".join(lines))
    assert rumble.sweep().troubles == []
    fresh = ["\n".join(one.body) for one in rumble.letters(who)[since:]]
    assert len(fresh) == MOST_ANSWERS + 1
    assert sum("35 things were left out" in flat(text) for text in fresh) == 1
    assert len(set(fresh)) == len(fresh)


@pytest.mark.parametrize("verb", some(4, sorted({form.split()[0] for kind in rulings.KINDS for form in kind.forms})))
def test_the_moderator_is_told_of_each_ruling(rumble: Room, verb: str) -> None:
    """By its first word: its forms, and what follows."""
    text = _asked(rumble, MODERATOR, f"help {verb.strip(':')}")
    assert f"| {verb}" in text and "no help" not in text


def test_the_manual_is_as_it_was(rumble: Room) -> None:
    """The word for the pieces of the library asks for their manual."""
    assert "Help on" not in flat(_asked(rumble, BO, "help powers"))


def test_the_moderator_sees_when_somebody_was_last_heard(room: Room) -> None:
    """Over phases, after a restart, for talk too; not one who plays."""
    room.found("ada", "bo")
    for who in (ADA, BO):
        room.write(who, "bid 3")
    at = show_instant(room.clock.now(), "UTC")
    room.sweep()
    room.sweep(timedelta(minutes=31))
    room.sweep(timedelta(hours=20))
    room.reopen()
    assert flat(_asked(room, MODERATOR, "status")).count(f"last heard {at}") == 2
    assert flat(_asked(room, BO, "hello")) and "last heard Tue 24 Nov" in flat(_asked(room, MODERATOR, "status"))


def test_a_moderator_who_plays_sees_only_who_has_moved(room: Room) -> None:
    """When somebody was heard would tell them more than others know."""
    room.found("gwen", "bo")
    assert "last heard" not in _asked(room, MODERATOR, "status")
