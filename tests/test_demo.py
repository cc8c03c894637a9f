"""The demonstration with a person at the terminal, and the order in which its letters are told."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem import demo
from pbem.demo import Seat
from pbem.ground.terms import CharterError


class Terminal:
    """A terminal where somebody types lines that were thought of before; then nothing but Enter."""

    def __init__(self, typed: Iterable[str]) -> None:
        """Take what will be typed."""
        self.typed = list(typed)
        self.prompts = 0
        self.told: list[str] = []

    def prompt(self, text: str, **options: object) -> str:
        """Type the next line."""
        self.prompts += 1
        return self.typed.pop(0) if self.typed else ""

    def seat(self) -> Seat:
        """Sit down."""
        return demo.at_terminal(self.told.append, lambda text: None, self.prompt, "lines")

    def story(self) -> str:
        """Return all that was told."""
        return "\n".join(self.told)


def test_a_dot_ends_a_mail_and_blank_lines_stay_in_it() -> None:
    """An empty line right away is no answer; how to end a mail is said once."""
    terminal = Terminal(["power: Tough Hide", "", "power: Patience", ".", ""])
    seat = terminal.seat()
    assert seat.answer
    assert seat.answer("a letter") == "power: Tough Hide\n\npower: Patience"
    assert seat.answer("another") == ""
    assert terminal.story().count('a single "."') == 1


def test_an_editor_opens_only_for_letters_that_ask(tmp_path: Path) -> None:
    """A form or an example of joining opens it, with the letter quoted; a receipt does not."""
    opened: list[str] = []

    def edit(text: str) -> str:
        opened.append(text)
        return text

    seat = demo.at_terminal(lambda text: None, edit, lambda text, **more: "", "editor")
    assert seat.answer
    assert seat.answer("To you alone. Orders.") == "" and not opened
    assert seat.answer("~ bid ____") == "" and opened == ["\n\n> ~ bid ____\n"]


def test_a_game_that_nobody_joins_ends_in_one_friendly_line(tmp_path: Path) -> None:
    """The last letter is shown again for each empty answer, three in all; then the demonstration says how to go on."""
    terminal = Terminal([])
    assert not demo.play(tmp_path / "arena", "ember", terminal.told.append, seat=terminal.seat())
    assert terminal.prompts == 3
    assert terminal.story().count("| join as") == 3
    assert terminal.told[-1].strip().endswith("To begin again: pbem demo --play")


def test_a_refused_first_mail_does_not_end_the_game(tmp_path: Path) -> None:
    """Whoever says hello is told how to join, joins, asks for help, and each answer is there before others write."""
    typed = ["hello", ".", "join as Zed", ".", "", "help", ".", "power: Foo", "text: Bar.", "", "power: Baz"]
    terminal = Terminal([*typed, "text: Quux.", "."])
    seat = terminal.seat()
    story = terminal.told
    with pytest.raises(KeyboardInterrupt):
        demo.play(tmp_path / "arena", "ember", lambda text: _tell(story, text, "Auction"), seat=seat)
    told = terminal.story()
    assert "You have no seat yet." in told and "Welcome, Zed." in told
    help_, orders = told.index("The handbook, for"), told.index("Orders for rumble-1, Powers, Zed")
    assert help_ < orders
    between = told[told.index("BEGINS") : help_]
    assert not re.search(r"(Bo|Cy|Dee) has written", between), between


def _tell(story: list[str], text: str, last: str) -> None:
    """Tell, and leave when a letter of a phase has come."""
    story.append(text)
    if f"You have a letter: [rumble-1] {last}" in text:
        raise KeyboardInterrupt


def test_people_talk_leave_and_think_again(tmp_path: Path) -> None:
    """Somebody's question is answered, a seat goes to who says yes, and a set changes once all have moved."""
    told: list[str] = []
    assert demo.play(tmp_path / "arena", "ember", told.append, letters="all")
    story = "\n".join(told)
    mails = re.findall(r"(?m)^\w{3} .+ \d\d:\d\d  (\w+) writes\n((?:      .*\n|\n)+)", story)
    cast = demo.with_cast("rumble").cast
    question, reply = next((asked, reply) for asked, reply in cast.replies.items() if reply in story)
    asker = next(name for name, text in mails if question in text)
    told_them = story.partition(f"{asker} has a letter: [rumble-1] Round 2\n    | To you alone. From the moderator")[2]
    assert reply[:30] in told_them.partition("has a letter")[0]
    leaving = cast.leaving
    assert leaving and (leaving.successor, "      yes\n\n") in mails
    assert not any(name == leaving.player for name, _ in mails[mails.index((leaving.successor, "      yes\n\n")) :])
    again = next(place for place, (_, text) in enumerate(mails) if "after all" in text)
    name, text = mails[again]
    before = story[: story.index(text)].rpartition(f"{name} has a letter")[2]
    behind = story[story.index(text) :].partition(f"{name} has a letter")[2].partition("has a letter")[0]
    assert "All have moved." in before and "Your set has changed." in behind


@pytest.mark.sweep
def test_the_same_seed_tells_the_same_story(tmp_path: Path) -> None:
    """But for the port of the post office, and digits that only whoever is asked can know, nothing differs."""
    stories = []
    for name in ("one", "two"):
        told: list[str] = []
        demo.play(tmp_path / name, "ember", told.append, letters="none")
        told = [re.sub(r"confirm \d+", "confirm", line) for line in told]
        stories.append([line for line in told if str(tmp_path) not in line and "post office" not in line])
    assert stories[0] == stories[1]


@pytest.mark.parametrize("name", ["", "brawl", "discs", "rumble"])
def test_each_game_can_be_shown(name: str) -> None:
    """By its name; without one the game that has a library of powers."""
    ruleset = demo.with_cast(name)
    assert ruleset.name == (name or "rumble")
    assert len(ruleset.cast.people) == 5


def test_a_game_without_a_cast_is_refused_with_those_that_have_one() -> None:
    """As an unknown one is."""
    with pytest.raises(CharterError, match="These do: brawl, discs and rumble"):
        demo.with_cast("chess")
