"""V-numbers of a phase's proofs: a number means one fact for as long as the phase is under review."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room, flat

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "The Breeze"}
GAME = "ember-7"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, played so far once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name=GAME, names=NAMES, review=("round",), house={"left_over": "idle"})
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.write(ADA, "attack The Breeze 34\ndefend 20")
    room.write(BO, "attack Mantisman 30")
    room.write(CY, "defend 5")
    room.sweep()
    assert "Proof 1" in room.last(GWEN)
    room.arena.close()
    return room


@pytest.fixture
def proof(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """A round of three heroes whose proof 1 is with the moderator; Mantisman hits The Breeze."""
    yield from begun.lent(tmp_path / "arena")


def numbers(room: Room) -> dict[str, str]:
    """Return the V-number of each verdict of the proof that waits, by the verdict's words, as `status` lists them."""
    room.write(GWEN, "status")
    room.sweep()
    listed = flat(room.last(GWEN)).partition("Verdicts of proof")[2]
    return {text: number for number, text in re.findall(r"\b(V\d+) ((?:(?! = ).)+) = ", listed)}


def test_a_verdict_keeps_its_number_when_rulings_add_and_take_away_others(proof: Room) -> None:
    """Power damage puts new facts among the old ones; the old keep their numbers, also after it is taken back."""
    before = numbers(proof)
    assert "Damage of Mantisman on The Breeze" in before
    proof.write(GWEN, "do deal 7 to Mantisman because Laser Eyes never miss")
    proof.sweep()
    second = numbers(proof)
    assert before.items() <= second.items() and len(second) > len(before)
    assert len(set(second.values())) == len(second)
    proof.write(GWEN, "undo")
    proof.sweep()
    assert numbers(proof) == before
    proof.write(GWEN, "do deal 7 to The Breeze because Laser Eyes hit her instead")
    proof.sweep()
    third = numbers(proof)
    assert {text: number for text, number in third.items() if text in before}.items() <= before.items()
    new = {number for text, number in third.items() if text not in second}
    assert new and not new & set(second.values())


def test_a_line_that_is_sent_again_overrules_what_it_was_first_about(proof: Room) -> None:
    """Refused for want of a reason beside a good `do`, the same V-number means the same fact in the next proof."""
    said = numbers(proof)["Damage of Mantisman on The Breeze"]
    proof.write(GWEN, f"overrule {said} = 0\ndo deal 7 to Mantisman because Laser Eyes never miss")
    proof.sweep()
    echo = next(text for letter in proof.letters(GWEN) if "Not taken" in (text := flat("\n".join(letter.body))))
    assert f"{said} is: Damage of Mantisman on The Breeze. A ruling that changes facts says why." in echo
    proof.write(GWEN, f"overrule {said} = 0 because it was only a feint")
    proof.sweep()
    ruled = proof.table(GAME).rulings[-1]
    assert ruled.ruling.show() == "overrule damage of mantisman on the-breeze = 0"
    echo = flat(proof.last(GWEN))
    assert f"{said} is: Damage of Mantisman on The Breeze." in echo
    assert "Damage of Mantisman on The Breeze: 29 -> 0" in echo


def test_a_number_whose_fact_is_gone_is_refused_in_words(proof: Room) -> None:
    """Where a ruling took the fact out of the proof its number names no other one."""
    before = numbers(proof)
    proof.write(GWEN, "do deal 7 to Mantisman because Laser Eyes never miss")
    proof.sweep()
    (gone,) = [
        n for text, n in numbers(proof).items() if text not in before and "amage" in text and "locked" not in text
    ]
    proof.write(GWEN, "undo")
    proof.sweep()
    proof.write(GWEN, f"overrule {gone} = 3 because so")
    proof.sweep()
    assert "no longer has that fact" in flat(proof.last(GWEN))
    assert proof.table(GAME).rulings == ()


def test_numbers_are_the_same_when_the_game_is_folded_again(proof: Room) -> None:
    """They follow from the journal alone."""
    proof.write(GWEN, "do deal 7 to Mantisman because Laser Eyes never miss")
    proof.sweep()
    proof.write(GWEN, "undo")
    proof.sweep()
    before = proof.table(GAME).numbered
    proof.reopen()
    assert proof.table(GAME).numbered == before
