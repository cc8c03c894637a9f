"""The question at the reveal of Rumble, by mail: who is asked alone sees all orders, and answers; all see the report."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from pbem.hall.commands import replay_check
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.fold.journal import QuestionAsked
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Bolt", "cy": "Plastiquegirl"}
GAME = "ember-7"


def begin(room: Room, **terms: object) -> None:
    """Play as far as the first round: Mantisman has what answers when all lies open, and so has Bolt."""
    room.found(
        *NAMES,
        ruleset="rumble",
        name=GAME,
        names=NAMES,
        house={"resign": "yes", "left_over": "idle"},
        **{"review": (), **terms},
    )
    for who, powers in (
        (ADA, ("Precognition", "Barter With Fate")),
        (BO, ("Zypher", "Laser Eyes")),
        (CY, ("Tough Skin",)),
    ):
        room.write(who, "\n\n".join(f"power: {power}" for power in powers))
    room.write(GWEN, "close now because all is sent")
    room.sweep()
    room.write(ADA, "bid Precognition 5\nbid Barter 5")
    room.write(BO, "bid Zypher 6\nbid Laser Eyes 4")
    room.write(CY, "bid Tough Skin 10")
    room.sweep()
    assert room.table(GAME).title == "Round 1"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Play so far once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    begin(room)
    room.arena.close()
    return room


@pytest.fixture
def room(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """Three heroes of 90 Energy in their first round."""
    yield from begun.lent(tmp_path / "arena")


def order(room: Room, *, bolt_asks: bool = False) -> None:
    """Let all send a round in which Mantisman is to be asked."""
    room.write(ADA, "hold 40 for Precognition\nprecog: defend exactly incoming\ndefend 20\nask me")
    room.write(
        BO, f"attack Mantisman 30\nuse Laser Eyes on Mantisman\ndefend 40{chr(10) * bolt_asks}{'ask me' * bolt_asks}"
    )
    room.write(CY, "attack Bolt 50\ndiscard Tough Skin\nif attacked by Mantisman: block largest first")
    room.sweep()
    assert room.table(GAME).sealed is not None


def energies(room: Room) -> dict[str, int]:
    """Return how much Energy everybody has."""
    return {hero.name: hero.energy for hero in room.table(GAME).state.heroes}


def same_again(room: Room) -> None:
    """Fold the whole game again, and hold it to what is on file."""
    words = replay_check.Words(room.arena.words, room.arena.wording)
    phases = list(replay_check.replay(room.root / "games" / GAME, room.rulesets, words, bytes(32)))
    assert [phase.difference for phase in phases] == [""] * len(phases)


QUESTION = """\
All orders lie open to you, since you wrote to be asked.
You may answer them with powers that take no Spend and
no Burn; nothing is paid or lost yet.

What was ordered
  Mantisman         Defence 20; 40 held back for
                    Precognition; 30 put nowhere
  Bolt              Defence 40; 30 on Mantisman; Laser
                    Eyes on Mantisman (spending 10); 10
                    put nowhere
  Plastiquegirl     50 on Bolt; Tough Skin goes; 40 put
                    nowhere

What comes at you
  30 from Bolt
  against your Defence of 20
If nobody answers anything, your Defence comes to 60,
and you end on 85; what others keep secret and the
moderator rules is left out.

You held back 40 Energy. Put it where you like.

~ attack ____ ____
~ defend ____
"""


def test_who_wrote_ask_me_sees_all_orders_alone_and_all_see_the_answer_in_the_report(room: Room) -> None:
    """What Mantisman answers counts instead of the plan; conditions of others and plans are in no letter."""
    letters = {who: len(room.letters(who)) for who in (BO, CY, GWEN)}
    order(room)
    asked = room.last(ADA)
    assert QUESTION in asked and "~ use P" in asked and asked.startswith("To you alone. A question: ember-7, Round 1.")
    assert "block" not in asked and "exactly" not in asked
    assert all(len(line) <= 56 for line in asked.splitlines())
    assert [len(room.letters(who)) - letters[who] for who in (BO, CY, GWEN)] == [1, 1, 0]  # receipts of orders
    room.write(ADA, "attack Bolt 30\nuse Barter discarding Barter")
    room.sweep()
    report = flat(room.last(CY))
    assert room.table(GAME).title == "Round 2"
    assert "Mantisman Defence 20; 40 held back for Precognition; 30 put nowhere" in report
    assert "Mantisman puts the 40 held back: Defence 10; 30 on Bolt" in report
    assert "Mantisman uses Barter With Fate discarding Barter With Fate" in report
    assert energies(room) == {"Mantisman": 90, "Bolt": 50, "Plastiquegirl": 90}
    assert sum("ROUND 1 to all players" in flat("\n".join(one.body)) for one in room.letters(CY)) == 1
    same_again(room)


def test_who_is_asked_and_says_nothing_stands_by_the_orders(room: Room) -> None:
    """After a day, since no more is given to a question; it is no missed round."""
    order(room)
    (asked,) = [entry for entry in room.table(GAME).log if isinstance(entry, QuestionAsked)]
    assert timedelta(hours=24) <= asked.deadline - asked.noted <= timedelta(hours=24, minutes=2)
    room.sweep(timedelta(hours=25))
    assert room.table(GAME).title == "Round 2"
    assert "Mantisman puts the 40 held back: Defence 40" in flat(room.last(BO))
    assert energies(room) == {"Mantisman": 85, "Bolt": 80, "Plastiquegirl": 90}
    assert {one.nmr for one in room.table(GAME).seats.values()} == {0}


def test_two_who_are_asked_at_once_do_not_hear_of_each_other_and_both_count(room: Room) -> None:
    """The round waits for both, whoever answers first."""
    order(room, bolt_asks=True)
    assert "Zypher" in room.last(BO) and "Nobody else is told" in room.last(BO)
    room.write(ADA, "defend 40")
    room.sweep()
    room.write(BO, "status")
    room.sweep()
    assert "Waiting for 1 of 1." in room.last(BO)
    room.write(BO, "pass")
    room.sweep()
    assert room.table(GAME).title == "Round 2"
    assert energies(room) == {"Mantisman": 85, "Bolt": 80, "Plastiquegirl": 90}


@pytest.mark.parametrize(
    ("said", "after"),
    some(
        3,
        [
            ("do gain Mantisman 5 because of a gift", {"Mantisman": 90}),
            ("do gain Mantisman 5 each round because of a gift", {"Mantisman": 90}),
            ("set quiet rounds 2 because of a slip", {"Mantisman": 85}),
            ("set energy of Plastiquegirl 70 because of a slip", {"Plastiquegirl": 70, "Bolt": 80}),
            ("overrule damage of Plastiquegirl on Bolt = 3 because of the wind", {"Bolt": 87}),
            ("order Mantisman: use Barter discarding Barter because she called", {"Mantisman": 90}),
            ("do power P01 = do: defence(me) += 100 because it should", {"Mantisman": 85}),
        ],
    ),
)
def test_what_is_ruled_while_the_question_is_out_counts_once_with_the_round(
    room: Room, said: str, after: dict[str, int]
) -> None:
    """Whatever it is, the proof and the report show it, and the game folds the same."""
    order(room)
    room.write(GWEN, said)
    assert not room.sweep().troubles
    room.reopen()
    if room.table(GAME).title == "Round 1":
        room.write(ADA, "pass")
        room.sweep()
    room.sweep(timedelta(hours=25))
    assert room.table(GAME).title == "Round 2", room.last(GWEN)
    assert {name: energies(room)[name] for name in after} == after
    assert "Ruling 2: " in room.last(CY)
    same_again(room)


@pytest.mark.parametrize(
    "said",
    some(
        3,
        [
            "set energy of Mantisman 50",
            "set energy of Mantisman 25",
            "set energy of Mantisman 3",
            "overrule burnt by Mantisman = 40",
            "overrule burnt by Mantisman = 85",
            "overrule attack of Bolt on Mantisman = 3",
            "overrule attack of Plastiquegirl on Mantisman = 7",
            "overrule defence of Mantisman = 1",
            "set energy of Bolt 10",
        ],
    ),
)
def test_what_is_asked_after_a_ruling_is_what_can_be_answered(room: Room, said: str) -> None:
    """The letter names the ruling and shows its figures; just what it says is held back can be put, and is put."""
    order(room)
    letters = len(room.letters(ADA))
    room.write(GWEN, f"{said} because of a slip")
    room.sweep()
    assert len(room.letters(ADA)) == letters + 1, "she is not asked anew"
    asked = flat(room.last(ADA))
    assert "Ruling 2" in asked and "because of a slip" in asked and "What is asked of Mantisman now" in asked
    held = int(match[1]) if (match := re.search(r"You held back (\d+) Energy", asked)) else 0
    for too_much in (held + 1, 40 if held < 40 else 41):
        room.write(ADA, f"defend {too_much}")
        room.sweep()
        assert "Not taken" in flat(room.last(ADA))
    if held:
        room.write(ADA, f"defend {held}")
    else:
        room.write(ADA, "pass")
    room.sweep()
    assert room.table(GAME).title == "Round 2"
    assert not held or f"Mantisman puts the {held} held back: Defence {held}" in flat(room.last(CY))
    for amount, ruled in re.findall(r"(\d+) from \w+(, as ruled)?", asked):
        assert not ruled or f"on Mantisman: {amount}, as ruled" in flat(room.last(CY))
    same_again(room)


def test_an_answer_that_was_given_to_other_figures_closes_nothing(room: Room) -> None:
    """Mantisman answered first; since a ruling she is asked anew, with a day for it, and her answer waits for her."""
    order(room, bolt_asks=True)
    room.write(ADA, "defend 25")
    room.sweep(timedelta(hours=20))
    room.write(GWEN, "set energy of Mantisman 25 because of a slip")
    room.sweep()
    assert room.table(GAME).deadline > room.clock.now() + timedelta(hours=23)
    assert "Your answer stands, for all that; now it reads" in flat(room.last(ADA))
    room.write(BO, "pass")
    room.sweep()
    assert room.table(GAME).title == "Round 1"
    room.write(ADA, "ready")
    room.sweep()
    assert room.table(GAME).title == "Round 2"
    assert "Mantisman puts the 25 held back: Defence 25" in flat(room.last(CY))
    same_again(room)


def test_a_text_that_is_changed_while_the_question_is_out_is_told_with_the_round(room: Room) -> None:
    """Who is asked answers by the words that all know; the new ones hold from the next round on."""
    order(room)
    key = next(power.key for power in room.table(GAME).state.powers if power.name == "Barter With Fate")
    room.write(GWEN, f"do reword {key}: It does nothing. because it was too strong")
    room.sweep()
    room.write(ADA, "use Barter discarding Barter")
    room.sweep()
    assert energies(room)["Mantisman"] == 90
    room.sweep()
    assert room.table(GAME).title == "Round 2"


def test_nobody_resigns_at_the_question(room: Room) -> None:
    """It is a part of the orders, which lie open; the answer says what can be done still."""
    order(room)
    room.write(ADA, "resign")
    room.sweep()
    told = flat(room.last(ADA))
    assert "line 1 resign All orders lie open; now only powers that take no Spend and no Burn can be used" in told
    assert room.table(GAME).sets.hand == {}
    room.sweep(timedelta(hours=25))
    assert energies(room)["Mantisman"] == 85


def test_the_proof_of_the_round_has_orders_and_answers(tmp_path: Path) -> None:
    """There is one, behind the answers; what is ruled on it is played with them."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    begin(room, review=("round",))
    order(room)
    assert "Proof" not in room.last(GWEN)
    room.write(ADA, "attack Bolt 40")
    room.sweep()
    assert room.last(GWEN).startswith("To the moderator alone. Proof 1 of")
    assert "Mantisman puts the 40 held back: 40 on Bolt" in flat(room.last(GWEN))
    room.write(GWEN, "order Mantisman: hold 10 for Precognition; ask me because she said so")
    room.sweep()
    assert "Mantisman puts the 10 held back: 10 on Bolt" in flat(room.last(GWEN)), room.last(GWEN)
    room.write(GWEN, "approve 2")
    room.sweep()
    assert room.table(GAME).title == "Round 2"
    same_again(room)
    room.arena.close()


@pytest.mark.parametrize(
    ("name", "whose"),
    [("Ember Hall", "this arena"), ("the EMBER hall", "this arena"), ("Gwen Stacy", "the moderator")]
    + [("Gvven Stacy", "the moderator"), ("Gwendolin", ""), ("Ember", "")],
)
def test_no_hero_is_called_as_the_arena_or_the_moderator(room: Room, name: str, whose: str) -> None:
    """Refused with the set, which can be sent again; whoever had such a name before keeps it."""
    here = msgspec.structs.replace(room.settings.arena, name="The Ember Hall")
    room.settings = msgspec.structs.replace(room.settings, arena=here)
    room.reopen()
    moderator = room.table(GAME).charter.moderator
    room.arena.people.amend(moderator, name="Gwen Stacy")
    room.write(ADA, f"hero: {name}\ndefend 40")
    room.sweep()
    told = flat(room.last(ADA))
    assert (f"{name} is the name of {whose}. Choose another name." in told) is bool(whose)
    assert ("mantisman" in room.table(GAME).sets.hand) is not bool(whose)
    room.arena.people.amend(moderator, name="Mantisman")
    room.write(ADA, "hero: Mantisman\ndefend 30")
    room.sweep()
    assert "defend 30" in room.table(GAME).sets.hand["mantisman"].orders


def test_the_question_says_what_comes_of_the_round_and_nothing_that_others_keep_secret(
    begun: Room, tmp_path: Path
) -> None:
    """Powers make of Attacks and Defence what they are worth; conditions and plans of others change no byte of it."""
    told = set()
    for number, secret in enumerate(("", "\nif incoming > 10: block largest first", "\nblock first: Mantisman")):
        for room in begun.lent(tmp_path / str(number)):
            room.write(ADA, "defend 20\nattack Plastiquegirl 10\nidle\nask me")
            room.write(BO, f"attack Mantisman 30\nattack Plastiquegirl 5\ndefend 40{secret}")
            room.write(CY, f"attack Bolt 50\ndefend 7{secret}")
            room.sweep()
            told.add(room.last(ADA))
    (letter,) = told
    assert "If nobody answers anything, you end on 80;" in flat(letter)
