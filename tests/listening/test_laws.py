"""Laws over drawn mails: every line accounted for, no condition left out, no order from talk or from a machine."""

import pytest

from pbem.table.incoming import moderator_lines, not_read
from tests.depth import DEPTH
from tests.letters.corpus.head_words import LINES, blocks
from tests.letters.test_heads import AT, wrapped
from tests.listening import drawn, machines
from tests.listening.judging import ADA, Seen
from tests.listening.scenes import GAME, SCENES, Stage


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        ("a few", 10),
        *(pytest.param(seed, 150 * DEPTH, marks=pytest.mark.sweep) for seed in ("accounts", "a", "b")),
    ],
)
def test_no_line_that_parses_as_an_order_ends_neither_taken_nor_named(seed: str, count: int, played: Stage) -> None:
    """Wherever it stands, in any scene, wrapped or not: below dashes, behind a bar, in a quotation, behind a date."""
    broken = [(mail, lines) for mail in drawn.accounts(count, seed) if (lines := drawn.unaccounted(mail, played))]
    assert not broken, f"{len(broken)} mails, such as {broken[0]}"


@pytest.mark.sweep
def test_no_set_is_ready_without_the_clause_that_stands_with_it(played: Stage) -> None:
    """Sixty conditions, negations and corrections, on the line of an order, below it, and below the set."""
    broken = [mail.text for mail in drawn.qualified(480) if drawn.came_of(mail, played).moved]
    assert not broken


@pytest.mark.sweep
def test_talk_gives_no_order(played: Stage) -> None:
    """Many mails in the words of orders, which order nothing."""
    found = [(mail.text, came.hand) for mail in drawn.talk(500 * DEPTH) if (came := drawn.came_of(mail, played)).hand]
    assert not found


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.sweep), 26], ids=["all", "a few"])
def test_few_machines_are_taken_for_people_and_none_acts(share: int, played: Stage) -> None:
    """Of 1,300 no more than 10 are answered but to be asked; none orders, changes a token, or counts as a false bounce."""
    came = [(one, machines.came_of(one.said, played)) for one in machines.robots(1300 // share)]
    mistaken = [one.said.name for one, found in came if machines.is_taken_for_a_person(one, found)]
    assert len(mistaken) <= 10, mistaken
    assert not [one.said.name for one, found in came if found.hand != found.before]
    assert not [one.said.name for one, found in came if _changed(one, found)]


def _changed(robot: machines.Robot, came: Seen) -> bool:
    """Say whether a machine changed a token, a seat or what is ordered ahead, or made a letter count that did not fail."""
    changed = {
        place for place, (now, then) in enumerate(zip(came.marks, came.marks_before, strict=True)) if now != then
    }
    return bool(changed - ({1} if robot.fails else set()))


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.sweep), 22], ids=["all", "a few"])
def test_no_person_is_taken_for_a_machine(share: int, played: Stage) -> None:
    """Of 550 people whose mail looks odd, each has on hand what they ordered."""
    came = [(one, machines.came_of(one.said, played)) for one in machines.people(550 // share)]
    assert not [(one.said.name, found.told) for one, found in came if not machines.is_on_hand(one, found)]


@pytest.mark.sweep
def test_no_machine_gets_into_a_loop_with_us(played: Stage) -> None:
    """One that answers each of our letters with the same mail gets two at most: nobody else writes meanwhile."""
    counts = {one.said.name: machines.answers_in_a_row(one, played) for one in machines.robots(260, "loops")}
    assert not {name: count for name, count in counts.items() if count > 2}


@pytest.mark.sweep
def test_no_line_above_a_quotation_reads_as_an_order_or_a_ruling(played: Stage) -> None:
    """Of what mail programs write there, in any scene, also wrapped; else it would be left as new."""
    heads = [head.format(who="The Arena: game-1", at=AT) for head in (*LINES, *blocks())]
    lines = {line for head in heads for how in (66, 78, 998) for line in wrapped(head, how)}
    said = []
    for scene in SCENES:
        with played.lend(scene) as room:
            table = room.table(GAME)
            said += [(scene, line) for line in lines if not_read.may_be_said(table, ADA, line)]
            said += [(scene, line) for line in lines if moderator_lines.is_said(table, line)]
    assert not said, {line for _, line in said}
