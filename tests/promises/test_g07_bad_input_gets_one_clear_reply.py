"""
G7. Bad input gets one clear reply: it quotes the line, says what would have worked, and what stands now.

Never silence, never a traceback, never anything of another player's.
"""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import some
from tests.letters.test_bombs import without_caps

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish"}
GAME = "ember-7"
SECRET = "attack Mantisman 17"

STANDS = ("On hand now", "You have no orders on hand", "Your orders on hand are unchanged")
"""How a reply says what stands."""
FAULTS = ("Traceback", "Error", "Exception", "line 1, in", "None", "{{", "StrictUndefined")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The first round of a game of two, where nothing of what comes is taken; the other player's orders are on hand."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=())
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.write(BO, f"{SECRET}\ndefend 33\nwait")
    room.sweep()
    with pytest.MonkeyPatch.context() as patch:
        without_caps(patch)  # of robots that say the same again and again G8 speaks
        yield room
    room.arena.close()


ORDERS = {
    "attakcc Cuttlefish 20": 'If you mean "attack Doctor Cuttlefish 20", write just that',
    "attack Cuttelfihs 20": "Did you mean Doctor Cuttlefish",
    "attack Octopus 20": "There is no hero of that name",
    "attack Cuttlefish": "attack",
    "attack Cuttlefish 1000": "100",
    "attack Cuttlefish -5": "below zero",
    "attack Cuttlefish 2.5": "whole number",
    "attack Cuttlefish ٢٠": "",
    "attack Mantisman 20": "[A3]",
    "defend plenty": "not a number",
    "bid P01 20": "",
    "use Flight": "",
    "for Round 1: attack Cuttlefish 3": "Leave out the for",
    "zone CET": "Europe/",
    "standing maybe": "standing on",
    "press to Nobody: hello": "",
    "press to all:\nwithout an end": "end press",
    "address new@example.com\nattack Cuttlefish 5 5": "mail of its own",
    "if : attack": "",
    "x" * 3000: "",
    "attack \u202e Cuttlefish \u2066 20 \u2028 defend 5 junk": "",
}
"""Lines that are no orders, each with a word that must stand in the reply, where one must."""


@pytest.mark.parametrize("said", some(3, ORDERS), ids=lambda said: said[:30].encode("ascii", "replace").decode())
def test_a_player_is_told_which_line_why_and_what_stands(game: Room, said: str) -> None:
    """One letter, to the sender alone."""
    before = len(game.outbox.sent)
    game.write(ADA, said)
    assert not game.sweep().troubles
    sent = game.outbox.sent[before:]
    assert [to for to, _ in sent] == [ADA]
    text = "\n".join(game.letters(ADA)[-1].body)
    assert ORDERS[said] in flat(text), text
    assert (
        re.search(r"^(line +[0-9]+|the set|the mail)", text, re.MULTILINE) and said.split(maxsplit=1)[0][:10] in text
    ), text
    check(text)


RULINGS = {
    "overule energy of Cuttlefish = 3 because": "overrule",
    "set energy Cuttlefish 50": "because",
    "set energy Octopus 50 because of the flood": "Octopus",
    "approve 1": "no proof",
    "extend": "24h",
    "extend 9999d because": "",
    "deadline tomorrow because": "2026-11-24",
    "undo 7": "",
    "strike Mantisman: attack 5 because": "",
    "do something odd because of it": "",
    "power P01 = nonsense because": "",
}


@pytest.mark.parametrize("said", RULINGS)
def test_a_moderator_is_told_too(game: Room, said: str) -> None:
    """One letter; nothing is ruled."""
    before = len(game.outbox.sent)
    game.write(GWEN, said)
    assert not game.sweep().troubles
    assert [to for to, _ in game.outbox.sent[before:]] == [GWEN]
    text = "\n".join(game.letters(GWEN)[-1].body)
    assert "Not taken" in text and RULINGS[said] in flat(text) and said.split(maxsplit=1)[0] in text, text
    assert not game.table(GAME).rulings


def check(text: str) -> None:
    """Hold a reply to what every reply owes."""
    assert any(words in text for words in STANDS), text
    assert not any(word in text for word in FAULTS), text
    assert SECRET not in flat(text) and "33" not in text, text
    assert max(map(len, text.split("\n"))) <= 60, text


WORDS = ["attack", "defend", "use", "if", "else", ":", ";", "Cuttlefish", "Mantis", "me", "5", "-1", "99999999999", "<",
         "press to all:", "end press", "for Round 2:", "zone", "standing on", "discard", "because", "~", "|", ">", "\n",
         "\u2028", "\u202e", "\x00", "{{ 1234 * 1234 }}", "%(x)s", "\U000e0041", "\ufeff", "attack Cuttlefish 5", "end", "#"]  # fmt: skip
"""What random mails are made of."""


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), min_size=1, max_size=14))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_sent_is_answered_once_and_breaks_nothing(game: Room, words: list[str]) -> None:
    """Any text at all: no trouble, no silence, nothing of the other player's, and nobody else is written to but by press."""
    before = len(game.outbox.sent)
    game.write(ADA, " ".join(words).encode("utf-8", "replace").decode())
    assert not game.sweep(timedelta(0)).troubles
    sent = game.outbox.sent[before:]
    mine = [raw.decode() for to, raw in sent if to == ADA]
    assert mine, "silence"
    for text in mine:
        assert SECRET not in flat(text) and "Traceback" not in text and "1522756" not in text, text
    others = [raw for to, raw in sent if to != ADA]
    assert all(b"Press from" in raw for raw in others), others
