"""The first letters that a newcomer reads: refusals of a seat, the opening, the handbook."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.ground.terms import Complaint, OrderLine
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters import rendering
from pbem.table.incoming import moderator_lines
from pbem.testing.room import ARENA, MODERATOR
from pbem.world.settings import templates
from tests.conftest import Room, flat

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
HOW_TO_JOIN = "You have no seat yet. Reply with a line such as\n\n| join as NAME"


def test_each_refusal_of_a_name_ends_with_what_to_write(room: Room) -> None:
    """No name, a name too long, a reserved and a taken one: all end alike."""
    room.invite("ada", "bo")
    room.write(BO, "join as Bolt")
    room.sweep()
    for said in ("hello", f"join as {'x' * 40}", "join as moderator", "join as Bolt"):
        room.write(ADA, said)
        room.sweep()
        assert room.last(ADA).rstrip().endswith(HOW_TO_JOIN), room.last(ADA)


def test_a_join_names_what_else_was_written(room: Room) -> None:
    """A question beside it is not answered by silence; greetings, a closing and one's name ask for nothing."""
    room.invite("ada", "bo", "cy")
    room.write(ADA, "Hello Gwen,\njoin as Ada\nzone Asia/Tokyo\nLooking forward to it!\n🎉\nThanks\nAda")
    room.sweep()
    assert "Not read" not in room.last(ADA)
    room.write(BO, "join as Bo\nThe last one was dull\npress to all: hello\nzone Asia/Tokyo")
    room.sweep()
    assert set(room.table().seats) == {"ada", "bo"}
    assert "The last one was dull" in room.last(BO)
    assert "Not read, nor 1 more line: until you have a seat I read join and zone alone." in flat(room.last(BO))
    assert "This I show to the moderator too" in flat(room.last(BO))
    room.sweep(timedelta(hours=6, minutes=1))
    told = "\n".join(flat("\n".join(letter.body)) for letter in room.letters(MODERATOR))
    assert told.count("The last one was dull") == 1 and "hello" not in told and "Tokyo" not in told


@pytest.mark.parametrize(
    "said",
    [
        "I am away next week, is that all right?",
        "gm: my leg\nis broken",
        "Do you play too?",
        "press to gm: I can't play on Mondays",
    ],
)
def test_what_a_join_says_to_the_moderator_reaches_them(room: Room, said: str) -> None:
    """With the letter of the begin, or after six hours; the newcomer is told so, and nobody else reads it."""
    room.invite("ada", "bo", "cy")
    room.write(BO, f"join as Bo\n\n{said}\n\nzone Asia/Tokyo")
    room.sweep()
    words = flat(said.rpartition("gm: ")[2])
    assert "This I show to the moderator too" in flat(room.last(BO)) and "Not read" not in room.last(BO)
    assert words in flat(room.last(BO)).replace(": is", "is") and "Bo writes" not in room.last(MODERATOR)
    room.sweep(timedelta(hours=6, minutes=1))
    assert "From Bo" in room.last(MODERATOR) and words in flat(room.last(MODERATOR)).replace(": is", "is")
    assert "| to Bo: YOUR WORDS" in room.last(MODERATOR)
    assert not any(words in flat(room.last(who)) for who in (ADA, CY))


def test_a_moderator_who_plays_hears_nothing_of_a_join(room: Room) -> None:
    """The newcomer is told how to let it go, and it waits."""
    room.invite("ada", "bo", "gwen", "cy")
    room.write(MODERATOR, "join as Gwen\n\nIs this thing on, I wonder?")
    room.sweep()
    room.write(BO, "join as Bo\n\nI am away next week, is that all right?")
    room.sweep()
    waits = [one.text for one in room.table().unsent["bo"]]
    assert "| send it" in room.last(BO) and waits == ["I am away next week, is that all right?"]
    assert not room.table().unheard and "gwen" not in room.table().unsent


def test_only_the_word_that_was_asked_for_takes_a_seat(room: Room) -> None:
    """Whose address somebody else wrote under may say so without being seated; they are asked once more."""
    room.invite("ada", seats=2)
    eve = "eve@example.org"
    room.write(eve, "join tide-1 as Eve", to=ARENA, subject="tide-1")
    room.sweep()
    for said in (
        *("I never asked for this!", "No.", "I will not confirm that", "I'm Tom Miller", "My name is Eve Miller."),
        *("Call me Tom", "Yes?", "Yes, who is this?", "Thank you"),
    ):
        room.write(eve, said)
        room.sweep()
        assert not room.table().seats and "| confirm" in room.last(eve)
    room.write(eve, "Confirm, please")
    room.sweep()
    assert set(room.table().seats) == {"eve"}


def test_a_join_without_a_name_is_asked_for_it_once(room: Room) -> None:
    """The letter says what was missing, and then in one line what to write."""
    room_with_two_invited(room)
    room.write(ADA, "hello")
    room.sweep()
    text = room.last(ADA)
    assert "did not say by which name you want to be known" in flat(text)
    assert text.count("join") == 1


def room_with_two_invited(room: Room) -> None:
    """Found a game for three to which Ada and Bo were invited."""
    room.invite("ada", "bo", seats=3)


def test_who_comes_too_late_is_told_the_truth(room: Room) -> None:
    """A seat was free, but the game has begun; and `begin` told the moderator that somebody would miss it."""
    room.invite("ada", "bo", "cy")
    room.write(ADA, "join as Ada")
    room.write(BO, "join as Bo")
    room.sweep()
    room.write(GWEN, "begin")
    room.sweep()
    echo = next(text for letter in room.letters(GWEN) if "begins now" in (text := "\n".join(letter.body)))
    assert "1 of the 3 who were invited has no seat" in flat(echo)
    room.write(CY, "join as Cy")
    room.sweep()
    assert "tide-1 began with 2 of 3 seats taken; nobody can join it any more." in flat(room.last(CY))
    assert "You have no seat yet" not in room.last(CY)


def test_an_echo_can_name_who_has_not_joined() -> None:
    """Where addresses may be shown, the moderator reads them."""
    facts = {
        "game": "tide-1", "title": "Sign-up", "test": False, "complaints": [], "passed": [], "carried": True, "lines": [], "late": [],
        "followed": [],
        "undone": [], "changes": [], "absent": ["p-1"], "invited": 3, "said_nothing": False, "note": "",
        "wants_status": False, "left_out": 0, "handbook_of_rulings": [], "manual": "", "explained": "", "archive": "", "verdicts": [], "waiting_proof": 0, "open": False, "address": {"p-1": "cy@example.org"}.get,
        "unanswered": [], "invited_now": [], "invited_again": [], "unseated": [], "words": [], "told": [], "announced": [], "offered": [], "withdrawn": [], "to_deputy": False, "deputy": None, "deputy_asked": {}, "deputy_holds": False, "uninvited": [], "again": False,
    }  # fmt: skip
    text = rendering.render(rendering.environment(templates()), "echo.j2", facts)
    assert "one once the game has begun:\n  cy@example.org\n" in text


def test_the_invitation_says_what_is_asked_of_whom(tmp_path: Path) -> None:
    """What the game is, in the ruleset's words, its pace, how to join with one's zone, and how to decline."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    calendar = {"rules": {"default": "48h after opening", "round": "every Tue and Fri 20:00"}}
    room.invite("ada", "bo", ruleset="rumble", name="ember-7", calendar=calendar)
    words = flat(room.last(ADA))
    assert "Rumble is superhero combat by letter" in words and "The last hero standing wins." in words
    assert "round: every Tue and Fri 20:00, at least 24h all other phases: 48h after opening" in words
    assert "| zone Europe/London" in words and "To decline, do nothing" in words
    assert [line for line in room.last(ADA).split("\n") if len(line) > 56] == []
    room.arena.close()


def test_a_stopped_clock_shows_no_deadline_as_if_it_ran(room: Room) -> None:
    """The deadline's line says that the clock is stopped, and how much time there was."""
    room.found("ada", "bo")
    room.write(GWEN, "pause")
    room.sweep()
    for reader in (ADA, GWEN):
        words = flat(room.last(reader))
        assert "Deadline none while the clock is stopped" in words and "2 days 23 h to go" in words
        assert "(in " not in words


def test_the_handbook_of_the_moderator_explains_every_ruling(room: Room) -> None:
    """Each verb stands there behind a bar, and each group of lines is followed by words."""
    room.found("ada", "bo")
    room.write(GWEN, "help")
    room.sweep()
    text = room.last(GWEN).partition("| bid 3")[0]
    assert text.startswith("To the moderator alone. Your mail to tide-1, ")
    verbs = {verb for verb in moderator_lines.VERBS if verb not in ("help", "forum")}  # this game is on none
    assert {verb for verb in verbs if f"\n| {verb}" in text} == verbs
    for group in re.findall(r"(?:^\| .+\n)+(.*)$", text, re.MULTILINE):
        assert group.startswith("  ") and len(group) > 20


def test_who_has_a_seat_is_not_told_to_join(room: Room) -> None:
    """A second wish by the same invitation is answered as from who has a seat."""
    room.invite("ada", "bo")
    room.write(ADA, "join as Ada")
    room.write(ADA, "join as Anna")
    room.sweep()
    texts = ["\n".join(letter.body) for letter in room.letters(ADA)[1:]]
    assert any("Welcome, Ada." in text for text in texts)
    assert not any("You have no seat yet" in text or "| join" in text for text in texts)


def test_the_opening_says_how_the_calendar_runs(room: Room) -> None:
    """Particular kinds of phase come first; whose clock it is, and how to see one's own, is said with an example."""
    calendar = {"rules": {"default": "48h after opening", "tide": "every day 20:00"}}
    room.found("ada", "bo", zone="Europe/London", calendar=calendar)
    text = room.last(ADA)
    assert text.index("tide: every day 20:00") < text.index("all other phases: 48h after opening")
    assert "runs by the clock of Europe/London" in " ".join(text.split())
    assert "zone Asia/Tokyo sets your own zone." in " ".join(text.split())


def test_the_handbook_explains_each_request_after_its_example(room: Room) -> None:
    """Everything that can be written in every game stands there with a bar, and press says where it ends."""
    room.found("ada", "bo")
    room.write(ADA, "help")
    room.sweep()
    text = room.last(ADA)
    for example in ("status", "cancel", "wait", "ready", "standing on", "history Round 2", "end press", "end"):
        assert f"\n| {example}\n" in text, example
    words = " ".join(text.split())
    assert "Press of one line needs no end. Press of several lines runs on until end press." in words
    assert "Lines that begin with ~ are a form" in words
    assert "The first holds it open for you until the deadline" in words


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, played so far once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found("ada", "bo", ruleset="rumble", name="ember-7")
    room.arena.close()
    return room


@pytest.fixture
def ember(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """A game whose ruleset has a manual of its own, in its first phase."""
    yield from begun.lent(tmp_path / "arena")


MANUAL = "THE LANGUAGE OF POWERS"


@pytest.mark.parametrize("said", ["help powers", "Help: Powers.", "HELP  POWERS!", "Help powers, please!"])
def test_who_asks_for_the_manual_is_sent_it_and_nothing_else(ember: Room, said: str) -> None:
    """A letter of its own, narrow enough to be quoted, with the deadline below it; no receipt, no order."""
    before = len(ember.letters(ADA))
    ember.write(ADA, said)
    ember.sweep()
    assert len(ember.letters(ADA)) == before + 1
    text = ember.last(ADA)
    assert text.startswith(f"To you alone. The manual of powers, for ember-7.\n\n{MANUAL}\n")
    assert "\n| do: deal 5 to T unblockable\n" in text and "\n\nDeadline  " in text
    assert [line for line in text.split("\n") if len(line) > 56] == []
    assert ember.table("ember-7").sets.hand == {}


def test_handbook_manual_and_orders_can_be_sent_for_in_one_mail(ember: Room) -> None:
    """Each has its letter, whichever comes first, and the orders their receipt."""
    before = len(ember.letters(ADA))
    ember.write(ADA, "help powers\nhelp\n\npower: Tough Hide\ntext: +15 to your Defence.\n\nhelp powers")
    ember.sweep()
    texts = ["\n".join(letter.body) for letter in ember.letters(ADA)[before:]]
    assert sorted(text.split("\n")[0] for text in texts) == [
        "Taken. Still lacking: one more power.",
        "To you alone. The handbook, for ember-7.",
        "To you alone. The manual of powers, for ember-7.",
    ]


def test_help_with_other_words_is_no_request(ember: Room, room: Room) -> None:
    """A sentence is answered as a line that cannot be read; one word is a topic, and no manual but under its own."""
    room.found("ada", "bo")
    for here, said in (
        (ember, "help me with powers please"),
        (room, "help us with powers"),
    ):
        here.write(ADA, said)
        here.sweep()
        assert "Not taken" in here.last(ADA) and said in here.last(ADA) and MANUAL not in here.last(ADA)
    for here, said in ((ember, "help bowers"), (room, "help powers"), (room, "help bid")):
        here.write(ADA, said)
        here.sweep()
        assert f"Help on {said[5:]}" in here.last(ADA) and MANUAL not in here.last(ADA)


@pytest.mark.parametrize(
    ("said", "has", "has_not"),
    [
        ("archive", ("No. 1 Lizard DNA", "No. 57 Strong Punch"), ()),
        ("archive defense", ("No. 15 Reflex Training", "No. 22 Tough Skin"), ("No. 34 Barter",)),
        ("Archive: Defence, burn.", ("No. 11 Quick Reflexes",), ("No. 22 Tough Skin",)),
        ("archive zeppelin", ("No power of the printed set holds zeppelin.",), ("No. ",)),
    ],
)
def test_who_asks_for_the_archive_is_sent_it(
    ember: Room, said: str, has: Sequence[str], has_not: Sequence[str]
) -> None:
    """Whole or what holds all words, in either spelling; to players in a letter of its own, to the moderator too."""
    for who, begins in ((ADA, "To you alone. The archive, for ember-7.\n"), (GWEN, "To the moderator alone.")):
        before = len(ember.letters(who))
        ember.write(who, said)
        ember.sweep()
        assert len(ember.letters(who)) == before + 1
        text = ember.last(who)
        words = " ".join(text.split())
        assert text.startswith(begins) and [line for line in text.split("\n") if len(line) > 56] == []
        assert all(one in words for one in has) and not any(one in words for one in has_not)
    assert ember.table("ember-7").sets.hand == {} and ember.table("ember-7").rulings == ()


def test_a_sentence_about_an_archive_asks_for_none(ember: Room, room: Room) -> None:
    """Nor does a word of it where a ruleset has none; several searches in one mail are answered each."""
    room.found("ada", "bo")
    for here, said in ((ember, "archive of all that we ever said to each other"), (room, "archive defence")):
        here.write(ADA, said)
        here.sweep()
        assert "The archive, for" not in here.last(ADA) and "Not taken" in here.last(ADA)
    before = len(ember.letters(ADA))
    ember.write(ADA, "archive flight\narchive defence\narchive flight")
    ember.sweep()
    assert len(ember.letters(ADA)) == before + 2


def test_a_power_of_the_archive_is_sent_by_its_name_alone(ember: Room) -> None:
    """Its text is echoed; a slip in the name is a power without a text, with a hint."""
    ember.write(ADA, "power: flight\n\npower: Tough Skni")
    ember.sweep()
    text = flat(ember.last(ADA))
    assert "Flight" in text and "All Attacks made by you" in text
    assert "Tough Skni has no text." in text and "Of the archive there is power: Tough Skin." in text
    ember.write(ADA, "power: flight\ntype: curse\n\npower: Tough Skin")
    ember.sweep()
    assert ember.table("ember-7").lacks(next(iter(ember.table("ember-7").seats))) == ""


def test_the_moderator_is_sent_the_manual_in_the_answer(ember: Room) -> None:
    """Alone, with rulings in the same mail, below a line that could go on, and with the handbook."""
    ember.write(GWEN, "Help powers.")
    ember.sweep()
    assert ember.last(GWEN).count(MANUAL) == 1 and "could read" not in ember.last(GWEN)
    ember.write(GWEN, "note Ada has a new hat\nhelp powers\nhelp")
    ember.sweep()
    text = ember.last(GWEN)
    assert text.count(MANUAL) == 1 and "note Ada has a new hat\n" in text
    assert "What powers did, for the moderator" in text and "\n| help powers\n" in text
    assert [line for line in text.split("\n") if len(line) > 56] == []
    ember.write(GWEN, "help bowers")
    ember.sweep()
    assert "I have no help on that" in flat(ember.last(GWEN)) and MANUAL not in ember.last(GWEN)


def test_no_line_of_the_manual_is_a_ruling_or_a_request(ember: Room) -> None:
    """Whatever a mail program does with the manual, nothing in it rules; quoted whole it says nothing at all."""
    ember.write(GWEN, "help powers")
    ember.sweep()
    table, text = ember.table("ember-7"), ember.last(GWEN)
    for line in text[text.index(MANUAL) :].split("\n"):
        if line and not line.startswith(("|", ":")):
            assert isinstance(moderator_lines.read(table, OrderLine(1, line.strip())), Complaint), line
            assert not moderator_lines.request(table, line)
    ruled = ember.table("ember-7").ruled
    for mark in ("> ", ""):
        ember.write(GWEN, "\n".join(f"{mark}{line}" for line in text.split("\n")))
        ember.sweep()
        assert "Not taken" not in ember.last(GWEN) and ember.table("ember-7").ruled == ruled


def test_every_manual_has_its_word_in_the_handbook(ember: Room) -> None:
    """Players and the moderator read there how to send for it."""
    for reader in (ADA, GWEN):
        ember.write(reader, "help")
        ember.sweep()
        assert "\n| help powers\n" in ember.last(reader)
