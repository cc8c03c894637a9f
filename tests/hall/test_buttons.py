"""Buttons in a letter: an address of their own, which takes orders of its phase and words to the moderator alone."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import lxml.html
import msgspec
import pytest

from pbem.ground.terms import GameName, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters import multipart
from pbem.world.settings import templates
from tests.conftest import Room
from tests.depth import some

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
GAME = GameName("ember-7")


def rumble(root: Path, *, plus: bool = True) -> Room:
    """Return a game of Rumble in its first round; Ada's reports come as HTML."""
    room = Room(root, rulesets_known(), templates(), plus=plus)
    names = {"ada": "Mantisman", "bo": "Doctor Cuttlefish"}
    room.found("ada", "bo", ruleset="rumble", name=GAME, names=names, review=(), press="private")
    subject = next(one.subject for one in reversed(room.letters(ADA)))
    room.write(ADA, "mail: html", to=room.reply_to(ADA, f"[{GAME}"), subject=f"Re: {subject}")
    while room.table(GAME).title != "Round 1":
        assert not room.sweep(timedelta(hours=12)).troubles
    return room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """The same, for one test."""
    made = rumble(tmp_path / "arena")
    yield made
    made.arena.close()


def buttons(room: Room) -> dict[str, tuple[str, str, str]]:
    """Return the buttons of Ada's newest report: what each says, with address, subject and text of its mail."""
    page = next(page for to, raw in reversed(room.outbox.sent) if to == ADA and (page := multipart.html_of(raw)))
    found = {}
    for link in lxml.html.document_fromstring(page).xpath("//a"):
        parts = urlsplit(link.get("href"))
        asked = parse_qs(parts.query)
        found[link.text_content()] = (parts.path, asked["subject"][0], asked["body"][0])
    return found


def press(room: Room, text: str, sender: str = ADA) -> str:
    """Send what somebody writes behind a button; return the answer."""
    to, subject, _ = buttons(room)["Write my orders"]
    room.write(sender, text, to=to, subject=subject)
    assert not room.sweep().troubles
    return " ".join(room.last(sender).split())


def test_letter_has_two_buttons_with_an_address_of_their_own(room: Room) -> None:
    """One opens the form, one words to the moderator; neither address is that to which the letter is answered."""
    found = buttons(room)
    assert list(found) == ["Write my orders", "Ask the moderator"]
    to, subject, body = found["Write my orders"]
    assert to != room.reply_to(ADA, f"[{GAME}] Round 1") and subject == f"Re: [{GAME}] Round 1"
    assert re.search(r"attack ____ ____\r\n", body) and found["Ask the moderator"] == (to, subject, "gm: \r\n")


def test_orders_are_taken(room: Room) -> None:
    """As in a reply; the form as it opens, filled in, is what the letter's would be."""
    _, _, body = buttons(room)["Write my orders"]
    answer = press(
        room, body.replace("attack ____ ____", "attack Cuttlefish 20", 1).replace("defend ____", "defend 30")
    )
    assert answer.startswith("Taken"), answer
    assert room.table(GAME).sets.hand["mantisman"].orders == ("attack Doctor Cuttlefish 20", "defend 30")


def test_words_to_the_moderator_are_passed_on(room: Room) -> None:
    """To nobody else."""
    assert "Passed on to the moderator" in press(room, "gm: our daughter was born")
    assert "our daughter was born" in room.last(GWEN)


OTHER = (
    "ready", "wait", "yes", "cancel", "back", "status", "zone Asia/Tokyo", "mail: text", "standing on", "help", "rules",
    "history", "resend", "for Round 2: attack Cuttlefish 5", "press to all: hello", "press to Cuttlefish: hello",
    "what if Cuttlefish: attack me 40", "send it", "address eve@example.com", "join as Eve", "confirm 1234", "approve 1",
    "overrule V1 = 3", "replace Bo by eve@example.com", "resign now please",
)  # fmt: skip


@pytest.mark.parametrize("line", some(4, OTHER))
def test_nothing_else_is_done(room: Room, line: str) -> None:
    """No request, no press, no move, no ruling: the table holds what it held, and nobody else hears anything."""
    press(room, "attack Cuttlefish 20\ndefend 30")
    held, people = room.table(GAME), (room.root / "people.toml").read_bytes()
    before = len(room.outbox.sent)
    press(room, line)
    now = room.table(GAME)
    changed = {name for name in held.__struct_fields__ if getattr(held, name) != getattr(now, name)}
    assert changed <= {"head", "log", "keys", "heard", "dice", "base", "sets"}, changed
    sets = {name for name in held.sets.__struct_fields__ if getattr(held.sets, name) != getattr(now.sets, name)}
    assert sets <= {"hand"}, sets
    assert [one.orders for one in now.sets.hand.values()] == [one.orders for one in held.sets.hand.values()]
    assert {to for to, _ in room.outbox.sent[before:]} <= {ADA}
    assert (room.root / "people.toml").read_bytes() == people


@pytest.mark.parametrize("line", some(2, ["ready", "zone Asia/Tokyo", "press to all: hello", "status"]))
def test_what_is_not_done_is_said_with_what_would_work(room: Room, line: str) -> None:
    """Orders beside it count."""
    answer = press(room, f"attack Cuttlefish 20\ndefend 30\n\n{line}")
    assert "A button takes orders, and gm: words to the moderator. For this, reply to the letter itself." in answer
    assert room.table(GAME).sets.hand["mantisman"].orders == ("attack Doctor Cuttlefish 20", "defend 30")
    assert not room.table(GAME).ready


def test_button_dies_with_its_phase(room: Room) -> None:
    """Orders that come by it later are late, and words to the moderator are not passed on."""
    to, subject, _ = buttons(room)["Write my orders"]
    while room.table(GAME).title == "Round 1":
        room.sweep(timedelta(hours=12))
    room.write(ADA, "gm: are you there?\n\nattack Cuttlefish 20\ndefend 30", to=to, subject=subject)
    before = len(room.letters(GWEN))
    room.sweep()
    assert "mantisman" not in room.table(GAME).sets.hand
    assert "This button was for a phase that is over" in " ".join(room.last(ADA).split())
    assert not any("are you there" in "\n".join(letter.body) for letter in room.letters(GWEN)[before:])


def test_button_in_other_hands_is_a_leak(room: Room) -> None:
    """Letter and button get other addresses; what was sent does not count."""
    to, _, _ = buttons(room)["Write my orders"]
    room.write("eve@example.com", "attack Cuttlefish 99", to=to, subject="Re: it")
    assert not room.sweep().troubles and not room.letters("eve@example.com")
    assert "mantisman" not in room.table(GAME).sets.hand
    assert room.table(GAME).leaks
    new = room.arena.button_token(room.table(GAME), Seat("mantisman"))
    assert new not in to
    room.write(ADA, "attack Cuttlefish 20", to=to, subject="Re: it")
    room.sweep()
    assert "mantisman" not in room.table(GAME).sets.hand


def test_held_mail_by_a_button_does_no_more_once_it_is_confirmed(room: Room) -> None:
    """Where the mail server found against it, its owner is asked; what counts then is what a button takes."""
    charter = msgspec.structs.replace(room.table(GAME).charter, authentication="everybody")
    assert charter.authentication == "everybody"
    to, subject, _ = buttons(room)["Write my orders"]
    mail = room.write(ADA, "attack Cuttlefish 20\ndefend 30\n\nready", to=to, subject=subject)
    room.mailbox.waiting.clear()
    room.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=fail"), mail.arrived)
    room.sweep()
    assert "mantisman" not in room.table(GAME).sets.hand
    (digits,) = re.findall(r"confirm (\d{4})", room.last(ADA))
    room.write(ADA, f"confirm {digits}")
    room.sweep()
    assert room.table(GAME).sets.hand["mantisman"].orders == ("attack Doctor Cuttlefish 20", "defend 30")
    assert not room.table(GAME).ready


def test_without_plus_addressing_the_subject_has_the_token(tmp_path: Path) -> None:
    """That of the button."""
    room = rumble(tmp_path / "arena", plus=False)
    to, subject, _ = buttons(room)["Write my orders"]
    token = room.arena.button_token(room.table(GAME), Seat("mantisman"))
    assert to == "arena@example.org" and subject == f"Re: [{GAME} {token}] Round 1"
    answer = press(room, "attack Cuttlefish 20\n\nready")
    assert "A button takes orders" in answer and room.table(GAME).sets.hand["mantisman"].orders
    room.arena.close()


def test_moderator_and_those_who_want_text_have_none(room: Room) -> None:
    """Only who wished for HTML, and holds a seat."""
    for to, raw in room.outbox.sent:
        assert to == ADA or not multipart.html_of(raw)
