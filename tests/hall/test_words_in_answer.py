"""Words alone in reply to a letter that passed somebody's words on go to whoever wrote those."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.table.fold.journal import OrdersReceived
from tests.conftest import Room, flat

NAMES = {"ada": "Captain Anvil", "bo": "Doctor Cuttlefish", "cy": "Mantisman"}
ADA, BO, GWEN = (f"{who}@example.org" for who in ("ada", "bo", "gwen"))
SET = ("attack Mantisman 20", "defend 40")
MAILS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "words_in_answer.toml").read_text())["mail"]


def founded(root: Path, press: str = "private") -> Room:
    """Found a Rumble of three in its first round, with a set of Ada's on hand."""
    room = Room(root, {"rumble": rulesets_known()["rumble"]})
    room.found(*NAMES, ruleset="rumble", names=NAMES, review=(), press=press)
    while room.table().title != "Round 1":
        room.sweep(timedelta(days=1))
    said(room, ADA, "\n".join(SET))
    return room


def said(room: Room, who: str, text: str, answering: bytes = b"") -> OrdersReceived | None:
    """Send a mail, and return its entry if it is a seat's."""
    head = room.table().head
    room.write(who, text, answering=answering)
    room.sweep()
    new = [one for one in room.table().log if one.number > head and isinstance(one, OrdersReceived)]
    return new[0] if new else None


def to_ada(room: Room) -> bytes:
    """Return the last letter to Ada."""
    return [raw for to, raw in room.outbox.sent if to == ADA][-1]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Lend a game."""
    room = founded(tmp_path)
    yield room
    room.arena.close()


def where(entry: OrdersReceived | None) -> str:
    """Return to whom the words of a mail went at once."""
    to = {press.to for press in entry.press} if entry else set()
    return "gwen" if "moderator" in to else "bo" if ("doctor-cuttlefish",) in to else ""


def test_replies_of_people_go_to_whom_they_answer(room: Room) -> None:
    """Of the replies to Bo and to Gwen most do; none of them changes a set, and none with an order in it goes."""
    said(room, BO, "press to Captain Anvil: Truce? I leave you alone if you go for Cy.")
    letters = {"from_bo": to_ada(room)}
    said(room, GWEN, "to Captain Anvil: Are you all right with Friday evening as the deadline?")
    letters["from_gwen"] = to_ada(room)
    went = Counter[tuple[str, str]]()
    for mail in (mail for mail in MAILS if mail["letter"] in letters and mail["goes"] in ("bo", "gwen", "ask")):
        entry = said(room, ADA, mail["text"].strip(), letters[mail["letter"]])
        to = where(entry)
        if mail["order"]:
            assert not to, mail["text"]
            said(room, ADA, "\n".join(SET))
        elif mail["goes"] != "ask":
            went[mail["goes"], to] += 1
            assert to in ("", mail["goes"]), mail["text"]
            assert room.table().sets.hand["captain-anvil"].orders == SET, mail["text"]
    assert went["bo", "bo"] >= 11 and went["gwen", "gwen"] >= 10
    assert went["bo", ""] <= 2 and went["gwen", ""] <= 2


def test_both_are_told(room: Room) -> None:
    """The letter says where a reply goes; who replies is told that it went, and nobody else reads it."""
    said(room, BO, "press to Captain Anvil: Truce?")
    letter = to_ada(room)
    assert "A reply of words alone goes to Doctor Cuttlefish, and to nobody else." in flat(room.last(ADA))
    before = len(room.outbox.sent)
    said(room, ADA, "Fine by me, but not a word to Mantisman.", letter)
    new = [(to, flat(raw.decode())) for to, raw in room.outbox.sent[before:]]
    assert any(to == BO and "Fine by me, but not a word to Mantisman." in text for to, text in new)
    assert any(to == ADA and "Your press to Doctor Cuttlefish" in text for to, text in new)
    assert not any(to in ("cy@example.org", GWEN) for to, _ in new)


def test_a_yes_to_somebody_is_none_to_a_letter_of_ours(room: Room) -> None:
    """With a set that waits for a yes it is asked what it is said to."""
    said(room, ADA, "attack Mantisman 25\ndefend 40\nor maybe not")
    said(room, BO, "press to Captain Anvil: Truce?")
    said(room, ADA, "yes", to_ada(room))
    assert "For Doctor Cuttlefish write press to Doctor Cuttlefish: and your words." in flat(room.last(ADA))
    assert not room.table().moved("captain-anvil")


def test_words_to_somebody_else_do_not_go_to_who_wrote(room: Room) -> None:
    """A mail that calls another by name was meant for them."""
    said(room, BO, "press to Captain Anvil: Truce?")
    letter = to_ada(room)
    for text in ("Mantisman, do you hear what he says?", "Dear Mantisman,\nhe offers a truce, what do we do"):
        assert not where(said(room, ADA, text, letter)), text


def test_the_word_private_keeps_words_back_from_whom_they_answer(room: Room) -> None:
    """From the moderator and from a player, in whatever line it stands."""
    said(room, BO, "press to Captain Anvil: Truce?")
    letters = [to_ada(room)]
    said(room, GWEN, "to Captain Anvil: Is Friday all right?")
    letters.append(to_ada(room))
    for letter in letters:
        for text in (
            "private: he must not know",
            "private\nnobody is to read what I think",
            "I trust nobody here, private",
        ):
            before = len(room.outbox.sent)
            assert not where(said(room, ADA, text, letter)), text
            assert {to for to, _ in room.outbox.sent[before:]} <= {ADA}, text


def test_where_press_is_public_its_writer_is_asked(tmp_path: Path) -> None:
    """Words for one player alone cannot go there, and are not shown to all."""
    room = founded(tmp_path, "public")
    said(room, BO, "press to all: Who fears the Doctor?")
    assert "A reply of words alone" not in flat(room.last(ADA))
    assert not where(said(room, ADA, "Not me, old man.", to_ada(room)))
    assert "press is public in this game, so I passed nothing on" in flat(room.last(ADA))
    room.arena.close()


@pytest.mark.parametrize("rounds", [1, 2])
def test_words_answer_a_letter_of_an_earlier_round(room: Room, rounds: int) -> None:
    """They go as they would have gone then, but orders in such an answer are for a round that is closed."""
    said(room, BO, "press to Captain Anvil: Truce?")
    letters = [to_ada(room)]
    said(room, GWEN, "to Captain Anvil: Is Friday all right?")
    letters.append(to_ada(room))
    for _ in range(rounds):
        at = room.table().title
        while room.table().title == at:
            room.sweep(timedelta(days=1))
    assert [where(said(room, ADA, "Fine by me.", letter)) for letter in letters] == ["bo", "gwen"]
    entry = said(room, ADA, "Fine by me.\nattack Mantisman 20", letters[0])
    assert not where(entry) and "of a phase that is closed" in flat(room.last(ADA))
    assert "captain-anvil" not in room.table().sets.hand
