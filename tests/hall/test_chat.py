"""What is said in chats: public facts, once, in the games that a hook hears of; nothing waits for a chat."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from pbem.daemon import Daemon
from pbem.ground.terms import HookError
from pbem.hall.chat import saying
from pbem.hall.store.arena import Doors
from pbem.world import log
from pbem.world.settings import ChatSettings, SiteSettings
from pbem.world.webhook import Message
from tests.conftest import Room, steady

ADA, BO = "ada@example.org", "bo@example.org"


class Chat:
    """A chat in memory: what was said, by hook, and what it is to answer."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.said: list[tuple[str, Message]] = []
        self.fails: HookError | None = None

    def take(self, wanted: ChatSettings, message: Message) -> None:
        """Take a message, or fail."""
        if self.fails:
            raise self.fails
        self.said.append((wanted.name, message))

    def texts(self, hook: str = "club") -> list[str]:
        """Return what one hook was told."""
        return [message.text for name, message in self.said if name == hook]


def with_hooks(room: Room, *hooks: ChatSettings) -> None:
    """Open a room's arena anew, with hooks."""
    site = SiteSettings(url="https://games.example.org/")
    room.settings = msgspec.structs.replace(room.settings, chat=hooks, site=site)
    room.reopen()


def hook(name: str = "club", **terms: Any) -> ChatSettings:
    """Return the settings of a hook."""
    return ChatSettings(name=name, url_file="secrets/hook", **terms)


@pytest.fixture
def chat(room: Room, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """A chat that hears of all games of a room."""
    made = Chat()
    with_hooks(room, hook())
    monkeypatch.setattr(saying, "Webhook", lambda wanted, root: _Door(made, wanted))
    return made


class _Door:
    def __init__(self, chat: Chat, wanted: ChatSettings) -> None:
        self.chat, self.wanted = chat, wanted

    def say(self, message: Message) -> None:
        """Hand it over."""
        self.chat.take(self.wanted, message)


def wake(room: Room, span: timedelta = timedelta(minutes=1)) -> list[str]:
    """Let time pass and a daemon wake; return the troubles."""
    room.clock.advance(span)
    return Daemon(room.arena, Doors(room.clock, room.mailbox, room.outbox), log.SILENT, steady(room)).wake().troubles


def to_the_end(room: Room) -> None:
    """Play until the game is over."""
    while room.table().status != "over":
        for who, bid in ((ADA, "bid 1"), (BO, "bid 0")):
            if room.table().status == "open":
                room.write(who, bid, to=room.reply_to(who, "[tide-1]"), subject="Re: it")
        assert not wake(room, timedelta(hours=5))


def test_a_game_is_told_from_its_beginning_to_its_end(room: Room, chat: Chat) -> None:
    """That it has begun, each report with what comes next, how it ended; with the page, and each once."""
    room.found("ada", "bo")
    wake(room)
    assert len(chat.texts()) == 1 and chat.texts()[0].startswith("tide-1 has begun. Next comes Tide 1, until ")
    to_the_end(room)
    said = chat.texts()
    assert said[1].startswith("tide-1: Tide 1 is out. Next comes Tide 2, until ")
    assert said[-1].startswith("tide-1 is over. ") and "Ada" in said[-1]
    assert len(said) == len(set(said)) == room.table().number + 1
    assert {message.url for _, message in chat.said} == {"https://games.example.org/games/tide-1/index.html"}
    for _ in range(3):
        room.reopen()
        wake(room)
    assert chat.texts() == said


def test_reminders_say_how_much_time_is_left_and_not_who_has_not_moved(room: Room, chat: Chat) -> None:
    """And nothing once the phase has closed."""
    room.found("ada", "bo")
    wake(room)
    room.write(ADA, "bid 3")
    before = len(chat.said)
    while room.table().number == 1:
        wake(room, timedelta(hours=1))
    told = [message for _, message in chat.said[before:] if message.event == "reminder"]
    assert [one.text for one in told] == ["tide-1: 1 day left in Tide 1.", "tide-1: 3 h left in Tide 1."]


def test_nothing_is_said_that_is_not_for_everybody(room: Room, chat: Chat) -> None:
    """No order, no press, no words to the moderator, no address; only names, titles and times."""
    room.found("ada", "bo", review=("tide",), press="private")
    room.write(ADA, "bid 3\n\ngm: wombat\n\npress to Bo: numbat\n\npress to all: quokka")
    room.write(BO, "bid 1")
    wake(room)
    room.write("gwen@example.org", f"to Ada: bilby\n\napprove {room.table().proof}")
    wake(room)
    told = " ".join(message.text for _, message in chat.said)
    assert "Tide 1 is out" in told
    for word in ("wombat", "numbat", "quokka", "bilby", "example.org", "p-"):
        assert word not in told


def test_hooks_hear_of_their_games_and_of_a_persons(room: Room, chat: Chat) -> None:
    """By name, or by a part in it: a seat or the moderator's."""
    with_hooks(
        room,
        hook("all"),
        hook("one", games=("tide-2",)),
        hook("adas", person=ADA),
        hook("cys", person="cy@example.org"),
        hook("gwens", person="gwen@example.org"),
    )
    room.found("ada", "bo", name="tide-1")
    room.found("bo", "cy", name="tide-2")
    wake(room)
    games = {name: {message.game for who, message in chat.said if who == name} for name, _ in chat.said}
    both = {"tide-1", "tide-2"}
    assert games == {"all": both, "one": {"tide-2"}, "adas": {"tide-1"}, "cys": {"tide-2"}, "gwens": both}


def test_chat_that_is_away_hears_it_later_and_stops_no_game(room: Room, chat: Chat) -> None:
    """Ever more rarely, in order, until it is no news any more."""
    chat.fails = HookError("It cannot be reached: TimeoutError.")
    room.found("ada", "bo")
    assert wake(room) == ["chat club: It cannot be reached: TimeoutError."]
    assert wake(room, timedelta(seconds=5)) == []
    assert room.table().status == "open"
    assert wake(room, timedelta(minutes=2))
    chat.fails = None
    room.reopen()
    assert not wake(room, timedelta(hours=2)) and len(chat.texts()) == 1


def test_what_is_no_news_any_more_is_not_said(room: Room, chat: Chat) -> None:
    """A day later nobody wants to hear that a game has begun."""
    chat.fails = HookError("It cannot be reached: TimeoutError.")
    room.found("ada", "bo")
    wake(room)
    chat.fails = None
    wake(room, timedelta(hours=25))
    assert not any("has begun" in text for text in chat.texts())


def test_what_is_refused_for_good_is_not_said_again(room: Room, chat: Chat) -> None:
    """It is told once; what comes later is tried."""
    chat.fails = HookError("It refuses what we say (404).", is_final=True)
    room.found("ada", "bo")
    assert wake(room) == ["chat club: It refuses what we say (404)."]
    chat.fails = None
    assert not wake(room, timedelta(hours=2)) and not chat.said
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    while room.table().number == 1:
        wake(room)
    assert [text[:22] for text in chat.texts()] == ["tide-1: Tide 1 is out."]


def test_chat_that_asks_for_a_pause_has_it(room: Room, chat: Chat) -> None:
    """As long as it says."""
    chat.fails = HookError("It takes no more just now (429).", pause=1_800)
    room.found("ada", "bo")
    wake(room)
    chat.fails = None
    wake(room, timedelta(minutes=20))
    assert not chat.said
    wake(room, timedelta(minutes=20))
    assert len(chat.texts()) == 1


def test_report_that_came_out_before_a_crash_is_told_after_it(room: Room, chat: Chat) -> None:
    """The message is noted with the letters of its entry, or found again with them."""
    room.found("ada", "bo")
    room.write(ADA, "bid 3")
    room.write(BO, "bid 1")
    while room.table().number == 1:
        room.sweep()  # nothing is said by a sweep alone
    assert not chat.said
    room.reopen()
    wake(room)
    assert any("Tide 1 is out" in text for text in chat.texts())


def test_hook_that_was_taken_away_is_forgotten(room: Room, chat: Chat) -> None:
    """What waited for it waits for nobody."""
    room.found("ada", "bo")
    with_hooks(room)
    assert not wake(room) and not chat.said
    with_hooks(room, hook("other"))
    wake(room)
    assert not chat.texts("club")
