"""Receipts: the verdict first, what a refusal says, and how short it is."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known, words_of
from pbem.letters.reading import Letter, read
from tests.conftest import Room, flat
from tests.depth import some

ADA = "ada@example.org"
MOST = 20
"""Lines of a receipt that refuses one line."""

FAULTS = {
    "rumble": ("power: Tough Hide\ntext: +15 to your Defence.\nfoo bar 5 baz", "foo bar 5 baz"),
    "brawl": ("regain with a", "attack Bo with 9"),
    "discs": ("pass", "throw everything 9 at Bo"),
}


@pytest.fixture(params=sorted(FAULTS))
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> Room:
    """A game that has just begun, in its first phase."""
    room = Room(tmp_path / "arena", rulesets_known(), words_of(rulesets_known().values()))
    room.found("ada", "bo", ruleset=request.param, name="ember-7")
    return room


def _answer(room: Room, text: str) -> Letter:
    since = len(room.outbox.sent)
    room.write(ADA, text)
    assert room.sweep().troubles == []
    return next(read(raw) for to, raw in room.outbox.sent[since:] if to == ADA)


@pytest.mark.parametrize("holds", some(3, [False, True]))
def test_a_refusal_says_so_first_and_in_its_subject_and_is_short(asked: Room, holds: bool) -> None:
    """The line, what would work, what stands; no form, which is sent on request, and a reply to it is understood."""
    taken, wrong = FAULTS[asked.table("ember-7").charter.ruleset]
    if holds:
        assert not _answer(asked, taken.split("\nfoo")[0]).subject.endswith("not taken")
    refusal = _answer(asked, wrong)
    assert refusal.subject == f"[ember-7] {asked.table('ember-7').title}: not taken"
    stands = "Your orders on hand are unchanged." if holds else "You have no orders on hand."
    assert flat("\n".join(refusal.body)).startswith(f"Not taken: 1 line. {stands}")
    assert wrong in "\n".join(refusal.body) and not any(line.startswith("~") for line in refusal.body)
    assert len(refusal.body) <= MOST, "\n".join(refusal.body)
    sheet = _answer(asked, "form")
    assert any(line.startswith("~") for line in sheet.body) and not sheet.subject.endswith("not taken")


@pytest.mark.parametrize(
    ("said", "verdict"),
    some(
        3,
        [
            ("power: Hide\ntext: +5 to your Defence.\npower: Wings\ntext: +3 to your Defence.", "Taken."),
            ("power: Hide\ntext: +5 to your Defence.", "Taken. Still lacking: one more power."),
            ("power: Hide\ntext: +5 to your Defence.\npower: Wings", "Taken in part: 1 line fell away."),
            ("What a lovely evening it is", "There are no orders in your mail. You have no orders on hand."),
            ("cancel", "Cancelled. You have no orders on hand."),
            ("ready", "Not ready yet; lacking: orders."),
            ("status", "You have no orders on hand."),
            ("zone Nowhere", "Not done: 1 line. You have no orders on hand."),
            ("", "Your mail held no text. You have no orders on hand."),
            ("gm: I may be late.", "Your words are for the moderator."),
        ],
    ),
)
def test_the_first_words_say_what_became_of_the_mail(tmp_path: Path, said: str, verdict: str) -> None:
    """They are what a phone shows of a letter."""
    room = Room(tmp_path / "arena", rulesets_known(), words_of(rulesets_known().values()))
    room.found("ada", "bo", ruleset="rumble", name="ember-7")
    assert flat("\n".join(_answer(room, said).body)).startswith(f"{verdict} To you alone.")


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (("bid 2", "perhaps rather not, we will see", "yes"), "Your orders on hand stand, and count."),
        (("bid 2", "foo 77\ncancel"), "Cancelled. You have no orders on hand. Not done: 1 line."),
        (("bid 2", "cancel\nbid 77"), "Cancelled. You have no orders on hand. Not done: what follows."),
        (("status\nhelp",), "You have no orders on hand."),
    ],
)
def test_the_last_of_several_mails_says_what_became_of_it(room: Room, said: tuple[str, ...], verdict: str) -> None:
    """No mail is without a verdict, and none says that nothing was taken where orders are gone."""
    room.found("ada", "bo")
    for text in said:
        since = len(room.outbox.sent)
        room.write(ADA, text)
        room.sweep()
    letter = next(read(raw) for to, raw in room.outbox.sent[since:] if to == ADA)
    assert flat("\n".join(letter.body)).startswith(f"{verdict} To you alone.") and "not taken" not in letter.subject


def test_after_the_end_and_before_the_start_words_to_the_moderator_are_no_refused_orders(room: Room) -> None:
    """They go there, and the first words say so; an order is refused all the same."""
    room.invite("ada", "bo")
    room.write(ADA, "join as Ada")
    room.sweep()
    for ask in ("Could we begin a week later?", "Shall we play again, Gwen?"):
        room.write(ADA, ask)
        room.sweep()
        letter = room.letters(ADA)[-1]
        assert letter.body[0] == "Your words are for the moderator." and "not taken" not in letter.subject
        room.write("bo@example.org", "join as Bo")
        room.sweep()
        while room.table().status != "over":
            for who, bid in ((ADA, 1), ("bo@example.org", 2)):
                room.write(who, f"bid {bid}")
            if room.table().status == "closed":
                room.write("gwen@example.org", f"approve {room.table().proof}")
            room.sweep()
    room.write(ADA, "bid 3")
    room.sweep()
    assert room.letters(ADA)[-1].subject.endswith(": not taken")


@pytest.mark.parametrize(("typed", "meant"), [("atack", "attack"), ("defned", "defend"), ("def end", "defend")])
def test_a_slip_that_was_mended_is_shown_as_it_was_typed_and_as_it_was_read(
    tmp_path: Path, typed: str, meant: str
) -> None:
    """Else nobody would look whether that is what they wrote."""
    room = Room(tmp_path / "arena", rulesets_known(), words_of(rulesets_known().values()))
    room.found("ada", "bo", ruleset="rumble", name="ember-7")
    while room.table("ember-7").title != "Round 1":
        room.sweep(timedelta(hours=24))
    body = flat("\n".join(_answer(room, f"{typed} {'Bo ' if meant == 'attack' else ''}20").body))
    assert f'I read "{typed}" as "{meant}".' in body
    assert "I read" not in flat("\n".join(_answer(room, "attack Bo 30").body))


@pytest.mark.parametrize("count", [30, 31, 40])
def test_of_very_many_lines_that_cannot_be_read_thirty_are_quoted(room: Room, count: int) -> None:
    """The others are counted."""
    room.found("ada", "bo")
    body = "\n".join(_answer(room, "\n".join(f"bid x{number}" for number in range(1, count + 1))).body)
    assert body.count("bid x") == 30
    more = {30: "", 31: "So it is with 1 line more.", 40: "So it is with 10 lines more."}[count]
    assert more in body and (more or "So it is" not in body)
