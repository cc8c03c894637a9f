"""The proof: the report with the numbers of its verdicts, what needs the moderator, and a word that lets it out."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.hall.commands import replay_check
from pbem.hall.store.catalogue import rulesets_known
from pbem.testing.room import MODERATOR
from tests import moderator_mail
from tests.conftest import Room, flat
from tests.depth import examples, some

GAME = "ember-7"
PLAYERS = ("ada", "bo", "cy", "dee")
QUIET = 80
"""Lines of a letter that a quiet round may cost its moderator."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Four heroes in round 1, whose reports wait for the moderator, played once for this file."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known())
    room.found(*PLAYERS, ruleset="rumble", name=GAME, review=("round",))
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.arena.close()
    return room


@pytest.fixture
def game(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """A copy of it for one test."""
    yield from begun.lent(tmp_path / "arena")


def _play(room: Room, *orders: tuple[str, str]) -> None:
    for who, text in orders:
        room.write(f"{who}@example.org", text)
    for who in [one for one in PLAYERS if one not in dict(orders)]:
        room.write(f"{who}@example.org", "defend 50")
    room.sweep()
    assert room.table(GAME).status == "closed"


def _rule(room: Room, text: str) -> list[str]:
    """Let the moderator write, and return the letters that they have for it."""
    had = len(room.letters(MODERATOR))
    room.write(MODERATOR, text)
    assert not room.sweep().troubles
    return ["\n".join(letter.body) for letter in room.letters(MODERATOR)[had:]]


def test_a_bare_approval_is_answered_by_the_report_alone(game: Room) -> None:
    """The moderator has read it, and hears of the game again with the next proof; players have it at once."""
    _play(game, ("ada", "attack Bo 30"))
    assert _rule(game, "approve 1\n\nThanks") == []
    assert game.table(GAME).title == "Round 2" and "ROUND 1" in game.last("ada@example.org")
    _play(game, ("bo", "attack Ada 30"))
    assert "Proof 1 of ember-7, Round 2." in game.last(MODERATOR)


def test_an_approval_that_is_none_is_answered(game: Room) -> None:
    """Another number, a line that cannot be read, a question: each has its echo."""
    _play(game)
    assert "Proof 7 is not the newest. Write approve 1" in flat(_rule(game, "approve 7")[0])
    assert "line 2" in _rule(game, "approve 1\nextnd 24h")[0] and game.table(GAME).status == "closed"
    assert len(_rule(game, "approve 1\nstatus")) == 1 and game.table(GAME).status == "open"


def test_in_answer_to_the_proof_that_went_out_the_clock_and_words_are_for_now(game: Room) -> None:
    """Whoever let it out has no other letter; what is about facts could be meant for the round before, and is asked."""
    _play(game)
    _rule(game, "approve 1")
    before = game.table(GAME).deadline
    proof = game.reply_to(MODERATOR)
    assert "Ruling 1: extend 1 day" in flat(_rule(game, "extend 24h because of the fog")[0])
    assert game.table(GAME).deadline - before == timedelta(hours=24)
    game.write(MODERATOR, "do deal 10 to Bo because of the fog", to=proof, subject="Re: [ember-7] Round 1")
    game.sweep()
    assert "about a phase that is published. Now it is Round 2; answer this letter" in flat(game.last(MODERATOR))
    assert "Ruling 2: do deal 10 to Bo" in flat(_rule(game, "do deal 10 to Bo because of the fog")[0])


@pytest.mark.parametrize(
    "line",
    some(3, ["resume", "extend 0h", "extend 9999h", "to Eve: hi", "to Gwen: hi", "to all but Eve: hi", "pause\npause"]),
)
def test_what_cannot_be_done_in_answer_to_that_proof_is_refused(game: Room, line: str) -> None:
    """As in answer to any letter of the phase."""
    _play(game)
    _rule(game, "approve 1")
    [letter] = _rule(game, line)
    assert "Not taken" in letter and "broke" not in letter


def test_words_that_wait_outlast_a_bare_approval(game: Room) -> None:
    """What players say while the proof waits comes with the next letter, or after six hours, and once."""
    _play(game)
    game.write("bo@example.org", "I am away on Friday, Gwen.")
    game.sweep()
    assert "This I show to the moderator too" in flat(game.last("bo@example.org"))
    assert _rule(game, "approve 1") == []
    game.reopen()
    had = len(game.letters(MODERATOR))
    game.sweep(timedelta(hours=6, minutes=5))
    game.sweep(timedelta(hours=6, minutes=5))
    told = ["\n".join(letter.body) for letter in game.letters(MODERATOR)[had:]]
    assert sum("I am away on Friday, Gwen." in text for text in told) == 1
    folder = game.root / "games" / GAME
    words = replay_check.Words(game.arena.words, game.arena.wording)
    assert all(not one.difference for one in replay_check.replay(folder, game.rulesets, words, bytes(32)))


def test_words_to_all_beside_an_approval_go_with_the_report(game: Room) -> None:
    """The answer says so, and offers nothing that would be too late."""
    _play(game)
    [echo] = _rule(game, "approve 1\nto all: What a night!")
    assert "Goes to all players with the report, as it stands here:" in flat(echo) and "| undo" not in echo
    assert "What a night!" in game.last("ada@example.org")


WORDS = st.sampled_from(
    ("note Well fought, all.", "headline: NIGHT OF THE FISTS", "story: It rained.", "to all: What a night!")
)
OTHERS = st.sampled_from(("do deal 10 to Cy because of a brick", "set energy Cy 70 because of a brick", "extnd 24h"))


@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(WORDS, min_size=1, max_size=3, unique=True), place=st.integers(0, 3), other=st.none() | OTHERS,
    twice=st.booleans(),
)  # fmt: skip
def test_words_for_the_report_beside_an_approval_need_no_new_proof(
    begun: Room, tmp_path_factory: pytest.TempPathFactory, words: list[str], place: int, other: str | None, twice: bool
) -> None:
    """They stand in the report that it lets out, before or behind it in the mail; anything else is seen first."""
    room = begun.copied(tmp_path_factory.mktemp("words") / "arena")
    _play(room, ("ada", "attack Bo 30"))
    proof = 1
    if twice:
        _rule(room, "note It was a long day.")
        proof = 2
    lines = [*words[:place], f"approve {proof}", *words[place:], *([other] if other else [])]
    [echo] = _rule(room, "\n\n".join(lines))
    is_out = room.table(GAME).title == "Round 2"
    assert is_out is (other is None)
    if other:
        assert f"approve {proof}" in flat(echo) and room.table(GAME).status == "closed"
    for line in words if is_out else ():
        said = line.partition(" " if line.startswith("note") else ": ")[2]
        assert any(said in "\n".join(letter.body) for letter in room.letters("ada@example.org")[-3:]), said
    if is_out:
        assert "Round 2" not in echo or "proof" not in echo
        folder = room.root / "games" / GAME
        found = replay_check.replay(
            folder, room.rulesets, replay_check.Words(room.arena.words, room.arena.wording), bytes(32)
        )
        assert all(not one.difference for one in found)
    room.arena.close()


def test_a_ruling_is_answered_with_its_new_proof_in_one_letter(game: Room) -> None:
    """What changes, and below it the report as it would go out now."""
    _play(game, ("ada", "attack Bo 60"))
    [letter] = _rule(game, "do deal 10 to Cy unblockable because of a brick")
    assert letter.startswith("To the moderator alone. Proof 2 of ember-7, Round 1.")
    assert "Energy of Cy: 100 -> 90" in letter and "| approve 2" in letter and "What was ordered" in letter


amounts = st.integers(0, 50)


@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(blows=st.lists(st.tuples(amounts, amounts, st.integers(1, 3)), min_size=4, max_size=4))
def test_each_marked_sum_is_the_verdict_of_its_number(begun: Room, blows: list[tuple[int, int, int]]) -> None:
    """Behind a sum stands the number of the verdict with that value; `overrule` of it is about just that fact."""
    for room in begun.lent(begun.root.parent / f"marked-{'-'.join(str(one) for blow in blows for one in blow)}"):
        _play(
            room,
            *(
                (who, f"attack {PLAYERS[(place + to) % 4].capitalize()} {blow}\ndefend {guard}")
                for place, (who, (blow, guard, to)) in enumerate(zip(PLAYERS, blows, strict=True))
            ),
        )
        table, proof = room.table(GAME), flat(room.last(MODERATOR))
        values = {f"V{table.numbered.index(one.key) + 1}": one for one in table.outcome.verdicts}
        marked = re.findall(r"on (\w+): [^=\[]+ = (no|\d+) damage \[(V\d+)\]", proof)
        assert {name for name, _, _ in marked} == {
            one.text.removeprefix("Damage to ") for one in values.values() if one.text.startswith("Damage to ")
        }
        for name, damage, number in marked:
            assert values[number].text == f"Damage to {name}"
            assert values[number].value == (0 if damage == "no" else int(damage))
        assert "[V" not in flat(_report_of(room))


def _report_of(room: Room) -> str:
    """Let the report out, and return what a player has of it."""
    _rule(room, f"approve {room.table(GAME).proof}")
    return room.last("ada@example.org")


def test_status_lists_every_verdict_by_its_number(game: Room) -> None:
    """Those that the report does not print too: each can be overruled."""
    _play(game, ("ada", "attack Bo 60"))
    [letter] = _rule(game, "status")
    table = game.table(GAME)
    listed = re.findall(r"\b(V\d+) ((?:(?! = ).)+) = ", flat(letter).partition("Verdicts of proof 1")[2])
    assert [text for _, text in listed] == [one.text for one in table.outcome.verdicts]
    number = next(number for number, text in listed if text == "Attack of Ada on Bo")
    assert "Attack of Ada on Bo: 60 -> 7" in flat(_rule(game, f"overrule {number} = 7 because of the wind")[0])


def test_a_quiet_round_costs_one_letter_of_eighty_lines(tmp_path: Path) -> None:
    """Of five heroes with ten invented powers, six rounds: the rounds with no ruling cost a proof and a word each."""
    letters = [letter for letter in moderator_mail.letters() if letter.message_id.split(".")[1] == "proof"]
    quiet = [letter for letter in letters if "Ruled" not in letter.body]
    assert len(quiet) >= 6 and max(len(letter.body) for letter in quiet) <= QUIET
