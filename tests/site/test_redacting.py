"""What the moderator takes off the pages: the text alone, everywhere on them, and in nothing else."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.ground.terms import GameName
from pbem.hall.commands import replay_check
from pbem.hall.store import published
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.rulings.redact import Redact
from pbem.testing.room import MODERATOR
from pbem.world.settings import templates
from tests.conftest import Room
from tests.depth import some
from tests.hall.test_list import LIST, as_posted
from tests.site.pages import built, files

ADA, BO = "ada@example.org", "bo@example.org"
AWFUL = "A text, with more than one line of words in a letter, that nobody wants to see on a page again."


def shown(room: Room) -> dict[str, bytes]:
    """Make the site anew and return its files."""
    folder = room.root.parent / "site"
    assert not built(room.arena, folder, room.clock.now() + timedelta(days=1)).troubles
    return files(folder)


def rule(room: Room, text: str, game: str = "tide-1") -> str:
    """Let the moderator write, in answer to the latest letter of the game; return the echo."""
    room.write(MODERATOR, text, to=room.reply_to(MODERATOR, f"[{game}]"), subject="Re: it")
    assert not room.sweep().troubles
    return room.last(MODERATOR)


@pytest.fixture
def said(room: Room) -> Room:
    """A harbour game whose first tide is out, in which three things were said to all."""
    room.found("ada", "bo")
    room.write(ADA, "press to all: the first wombat")
    room.write(BO, "press to all: the second numbat\n\nbid 1")
    room.sweep()
    room.write(ADA, "press to all: the third quokka\n\nbid 3")
    while room.table().number == 1:
        room.sweep()
    return room


def everywhere(site: dict[str, bytes]) -> bytes:
    """Return all bytes of a site."""
    return b"\n".join(site.values())


def test_press_is_taken_off_by_the_number_that_the_page_shows(said: Room) -> None:
    """The others stay; the journal has it still, so that the game replays; no report tells of it, nor of the reason."""
    before = shown(said)
    assert b'<li id="press-2">' in before["games/tide-1/phase-01.html"] and b"numbat" in everywhere(before)
    echo = rule(said, "redact press 2 because a bandicoot asked me to")
    assert "What letters have sent stays sent." in " ".join(echo.split()), echo
    after = everywhere(shown(said))
    assert b"numbat" not in after and b"wombat" in after and b"quokka" in after
    assert b"(taken off by the moderator)" in after and b"bandicoot" not in after
    said.write(ADA, "bid 2")
    said.write(BO, "bid 2")
    while (said.table().number, said.table().status) == (2, "open"):
        said.sweep(timedelta(hours=5))
    assert b"numbat" not in everywhere(shown(said))
    for letter in (*said.letters(ADA), *said.letters(BO)):
        assert "redact" not in "\n".join(letter.body) and "bandicoot" not in "\n".join(letter.body)
    journal = said.root / "games" / "tide-1" / "phase-02" / "journal.toml"
    assert "numbat" not in journal.read_text(encoding="utf-8") and 'what = "press 2"' in journal.read_text(
        encoding="utf-8"
    )
    phases = list(
        replay_check.replay(
            said.root / "games" / "tide-1",
            said.rulesets,
            replay_check.Words(said.arena.words, said.arena.wording),
            said.arena.seed(GameName("tide-1")),
        )
    )
    assert phases and not any(phase.difference for phase in phases)


def test_undo_puts_it_back(said: Room) -> None:
    """In the phase in which it was taken off."""
    before = shown(said)
    rule(said, "redact press 1")
    assert b"wombat" not in everywhere(shown(said))
    rule(said, "undo")
    assert shown(said) == before


@pytest.mark.parametrize("line", some(2, ["redact press 4", "redact press 0", "redact P01", "redact press 999999"]))
def test_what_is_not_there_is_refused(said: Room, line: str) -> None:
    """With where its number can be found; nothing is taken off."""
    before = shown(said)
    assert "Nothing of that number was told to everybody" in " ".join(rule(said, line).split())
    assert shown(said) == before


@pytest.mark.parametrize("line", ["redact", "redact everything", "redact 12", "redact press P03", "redact press"])
def test_what_cannot_be_read_is_refused(said: Room, line: str) -> None:
    """With the two forms that there are."""
    assert "Write redact press 12" in " ".join(rule(said, line).split())


def test_it_can_be_tried(said: Room) -> None:
    """A mail with `test` takes nothing off."""
    before = shown(said)
    rule(said, "redact press 1\ntest")
    assert shown(said) == before


@pytest.fixture
def rumble(tmp_path: Path) -> Iterator[Room]:
    """A game of Rumble in its auction, with a power whose text is not what it should be."""
    room = Room(tmp_path / "rumble" / "arena", rulesets_known(), templates())
    room.found("ada", "bo", ruleset="rumble", name="ember-7", review=())
    power = f"power: Fine\ntext: {AWFUL}\n\npower: Hide\ntext: +5 to your Defence."
    room.write(ADA, power, to=room.reply_to(ADA, "[ember-7]"), subject="Re: it")
    while room.table("ember-7").title != "Round 1":
        assert not room.sweep(timedelta(hours=12)).troubles
    yield room
    room.arena.close()


def test_text_of_a_power_is_taken_off_wherever_it_stands(rumble: Room) -> None:
    """In cards and quotations, and in the report as it was mailed, where it is wrapped; its name and the others stay."""
    before = shown(rumble)
    assert AWFUL.encode() in everywhere(before)
    number = next(power.key for power in rumble.table("ember-7").state.powers if power.text == AWFUL)
    rule(rumble, f"redact {number.lower()}", "ember-7")
    after = shown(rumble)
    flat = " ".join(everywhere(after).decode().replace("\n: ", " ").replace(":", " ").split())
    for word in ("nobody wants to see", "more than one line", "on a page again"):
        assert word not in flat
    assert "+5 to your Defence." in flat and "Fine" in flat and "taken off by the moderator" in flat
    assert after.keys() == before.keys()


def test_it_can_be_done_when_the_game_is_over(said: Room) -> None:
    """Since then most read it."""
    while said.table().status != "over":
        for who, bid in ((ADA, "bid 1"), (BO, "bid 0")):
            if said.table().status == "open":
                said.write(who, bid, to=said.reply_to(who, "[tide-1]"), subject="Re: it")
        said.sweep(timedelta(hours=5))
    assert b"quokka" in everywhere(shown(said))
    echo = rule(said, "redact press 3")
    assert b"quokka" not in everywhere(shown(said)), echo
    rule(said, "undo")
    assert b"quokka" in everywhere(shown(said))


def test_it_stays_off_where_the_rules_have_changed_since(
    said: Room, rumble: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phases that were closed under older rules are not worked out again, and show no more than before."""
    number = next(power.key for power in rumble.table("ember-7").state.powers if power.text == AWFUL)
    rule(said, "redact press 2\n\nredact press 3")
    rule(said, "undo 2")
    rule(rumble, f"redact {number}", "ember-7")
    for room, who in ((said, ADA), (rumble, ADA)):
        game, before = room.arena.games()[0], room.table(room.arena.games()[0]).number
        while (room.table(game).number, room.table(game).status) == (before, "open"):
            room.sweep(timedelta(hours=12))
        assert room.letters(who)
    for room in (said, rumble):
        (ruleset,) = {row.ruleset for row in room.arena.index.games.rows()}
        monkeypatch.setattr(type(room.rulesets[ruleset]), "version", 99)
    after = everywhere(shown(said)).decode()
    assert "numbat" not in after and "quokka" in after and "wombat" in after
    flat = " ".join(everywhere(shown(rumble)).decode().replace(":", " ").split())
    assert "nobody wants to see" not in flat and "taken off by the moderator" in flat


@pytest.fixture
def posted(room: Room) -> Room:
    """A harbour game on a list, whose first tide is out, to which two people posted, one of them orders too."""
    room.found("ada", "bo", mailing_list=LIST)
    room.write(ADA, "bid 1")
    room.sweep()
    texts = (
        (ADA, "What a wombat.\nWrite to bo@example.org"),
        ("eve@example.org", "<script>alert('numbat')</script>\n[x](javascript:alert(1)) @everyone"),
        (ADA, "bid 9\nThe quokka is mine"),
        ("eve@example.org", "A bandicoot!"),
    )
    for number, (sender, text) in enumerate(texts):
        room.mailbox.deliver(as_posted("mlmmj", sender, text, number), room.clock.now())
        room.sweep()
    room.write(BO, "bid 3")
    while room.table().number == 1:
        room.sweep()
    return room


def test_what_was_posted_to_the_list_stands_on_the_pages(posted: Room) -> None:
    """By number, those who post told apart and not named; nothing in it becomes markup, and orders are left out."""
    page = shown(posted)["games/tide-1/phase-01.html"].decode()
    assert [re.findall(r'id="post-(\d)"><b>Reader (\d)', page)] == [[("1", "1"), ("2", "2"), ("4", "2")]]
    assert "1 post that reads as orders is left out." in page
    assert "&lt;script&gt;alert(" in page
    assert "<script>alert('numbat')" not in page
    everything = everywhere(shown(posted))
    assert b"quokka" not in everything
    assert b"@example.org" not in everything


def test_a_post_is_taken_off_by_its_number(posted: Room) -> None:
    """The others stay, press of the same number too; an undo puts it back."""
    rule(posted, "redact post 2")
    assert b"numbat" not in everywhere(shown(posted))
    assert b"wombat" in everywhere(shown(posted))
    rule(posted, "undo 1")
    assert b"numbat" in everywhere(shown(posted))
    assert "Nothing of that number" in rule(posted, "redact post 9")


def test_words_that_were_changed_since_are_not_taken_off_for_those_that_were_meant() -> None:
    """A ruling names words by their digest, besides what they are and their number."""
    said = (published.Press(1, "Ada", "rude"), published.Press(2, "Bo", "rude"), published.Press(3, "Cy", "kind"))
    texts = [(ruling, published.digest(["rude"])) for ruling in ("press 2", "press 3", "post 1")]
    left = [
        tuple(one.text for one in published.without_said(said, Redact(what=what, digest=digest)))
        for what, digest in texts
    ]
    assert left == [("rude", "", "kind"), ("rude", "rude", "kind"), ("rude", "rude", "kind")]
