"""Laws: each line of a mail is carried out, refused or passed over; only what was wrapped off a line belongs to it."""

import re
import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.ground.terms import Complaint, GameName, OrderLine, Person, Seat
from pbem.language import wrapping
from pbem.table.fold import replay
from pbem.table.incoming import moderator_lines, moderator_mail, player_lines, player_mail
from pbem.table.incoming.received import Received
from pbem.table.model.charter import Charter
from pbem.table.model.table import Seated, Table
from tests.harbour import HarbourRules

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


def table_at(status: str, moderator: str = "gwen") -> Table:
    """Return the table of a harbour game of two, open or at the proof."""
    ruleset: Any = HarbourRules()
    seats = {Seat("ada"): "Ada", Seat("bo"): "Bo"}
    charter = Charter(
        game=GameName("tide-1"),
        ruleset="harbour",
        version=1,
        moderator=Person(moderator),
        seats=2,
        created=NOW,
        seal="",
    )
    state = ruleset.setup(seats, {"nmr_bid": "0"}, None)
    seated = {seat: Seated(seat, name, Person(name.lower())) for seat, name in seats.items()}
    table = msgspec.structs.replace(
        replay.first(charter, ruleset, bytes(32)),
        status="open", number=1, state=state, phase=ruleset.phase(state), seats=seated,
        opened=NOW, deadline=NOW + timedelta(days=3),
    )  # fmt: skip
    table = msgspec.structs.replace(table, base=table)
    if status == "closed":
        from pbem.table.fold.journal import PhaseClosed

        table = replay.step(table, PhaseClosed(number=1, noted=NOW, phase=1, version=1, why="so"))
    return table


TABLES = {status: table_at(status) for status in ("open", "closed")}


def received(lines: Sequence[str]) -> Received:
    """Return a mail with these new lines."""
    said = tuple(OrderLine(number, line) for number, line in enumerate(lines, 1))
    return Received(phase=1, arrived=NOW, noted=NOW, mail="m", cause="c", key="k", message_id="", said=said)


MARK = re.compile("zq[0-9]+qz")
RULED = (
    "extend 1h because {}", "note {}", "pause because {}", "resume because {}", "set coins Ada 7 because {}",
    "do gain Bo 2 because {}", "excuse Bo because {}", "hold because {}", "overrule V1 = 3 because {}",
    "strike Ada 1 because {}", "order Bo: bid 2 because {}", "approve 1 because {}", "close now because {}",
)  # fmt: skip
REFUSED = ("aprove {}", "set coins {} 7", "extend {}", "V1 = {}", "P03 is {}", "notes {}", "do {}", "close {}")
CHAT = ("She told me that {}", "tell Bo: {}", "{}", "kick {}", "{} is ill, and so is Dee", "- {}", "(and {})", "and {}")


@st.composite
def lines(draw: st.DrawFn, forms: Sequence[str]) -> list[str]:
    """Draw the lines of a mail, each but the blank ones with a word of its own, some of them as long as a mail is wide."""
    drawn = draw(st.lists(st.sampled_from([*forms, ""]), min_size=1, max_size=8))
    width = draw(st.sampled_from((30, 60, 72, 78, 120)))
    result = []
    for number, form in enumerate(drawn):
        line = form.format(f"zq{number}qz")
        if "{}" in form and draw(st.booleans()):
            line = f"{line}{' and so' * (max(0, width - len(line)) // 7)}"
        result.append(line)
    return result


def marks(text: str) -> list[str]:
    """Return the words by which the lines of a mail are told apart."""
    return MARK.findall(text)


@given(lines((*RULED, *REFUSED, *CHAT)), st.sampled_from(("open", "closed")), st.booleans())
def test_each_line_of_a_moderator_is_ruled_refused_or_passed_over(said: list[str], status: str, is_test: bool) -> None:
    """None is in two places, none in none, and none is among another's words unless it was visibly wrapped off it."""
    entry = moderator_mail.rule(TABLES[status], received([*said, *["test"] * is_test]))
    ruled = [f"{one.show()} {one.because}" for one in entry.rulings]
    texts = [*ruled, *(one.text for one in entry.complaints), *entry.passed]
    assert sorted(mark for text in texts for mark in marks(text)) == sorted(marks(" ".join(said)))
    rests = wrapping.wrapped_off([OrderLine(number, line) for number, line in enumerate(said, 1)])
    mine = {mark: number for number, line in enumerate(said, 1) for mark in marks(line)}
    for text in texts:
        numbers = [mine[mark] for mark in marks(text)]
        assert all(number in rests for number in numbers[1:]), (text, said)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
    chat = [mark for mark, number in mine.items() if any(said[number - 1] == form.format(mark) for form in CHAT)]
    assert not [mark for mark in chat if mine[mark] not in rests and mark in " ".join(ruled)]


TOLD = ("to Ada: {}", "to Bo and Ada: {}", "to all: {}", "to Adda: {}", "to Bo:", "to all:", "end")


@given(lines((*RULED, *REFUSED, *CHAT, *TOLD, *TOLD)), st.sampled_from(("open", "closed")))
def test_words_to_players_are_one_paragraph_or_one_block(said: list[str], status: str) -> None:
    """No line is in two places or in none; what is sent is from one place of the mail, and holds no ruling of it."""
    entry = moderator_mail.rule(TABLES[status], received(said))
    shown = [f"{one.show()} {one.because}" for one in entry.rulings]
    texts = [*shown, *(one.text for one in entry.complaints), *entry.passed]
    found = [mark for text in texts for mark in marks(text)]
    # Of words that are refused the first line is quoted, and what stands below it belongs to them.
    refused = any(one.text.startswith("to ") for one in entry.complaints)
    assert sorted(found) == sorted(marks(" ".join(said))) or (refused and len(set(found)) == len(found))
    mine = {mark: number for number, line in enumerate(said, 1) for mark in marks(line)}
    rulings = {mine[mark] for mark in mine if any(said[mine[mark] - 1].startswith(form[:-2]) for form in RULED)}
    rests = wrapping.wrapped_off([OrderLine(number, line) for number, line in enumerate(said, 1)])
    for one in entry.rulings:
        if one.is_talk:
            numbers = [mine[mark] for mark in marks(one.show())]
            assert numbers == sorted(set(numbers)) and not (set(numbers[1:]) & rulings) - rests, said
            assert not any(
                said[number - 1] == "end" for number in range(min(numbers, default=1), max(numbers, default=1))
            )


@given(lines((*RULED, *REFUSED, *CHAT)), st.sampled_from(("open", "closed")))
def test_nothing_is_let_out_by_a_mail_with_a_refused_line(said: list[str], status: str) -> None:
    """Neither `approve` nor `close now` is carried out beside a refusal, wherever it stands; beside chat it is."""
    final = "approve 1" if status == "closed" else "close now"
    for place in (0, len(said)):
        entry = moderator_mail.rule(TABLES[status], received([*said[:place], final, *said[place:]]))
        refused = [one for one in entry.complaints if not one.because.startswith("This mail makes proof")]
        assert not (refused and any(one.verb() in ("approve", "close now", "begin") for one in entry.rulings)), said


WORDS = (
    "the",
    "hulk",
    "lies",
    "deep",
    "in",
    "mud",
    "below",
    "a",
    "grey",
    "quay",
    "where",
    "gulls",
    "wait",
    "all",
    "day",
)


@given(
    st.lists(st.sampled_from(WORDS), min_size=15, max_size=60),
    st.integers(wrapping.NARROWEST, wrapping.WIDEST),
    st.sampled_from(("note ", "set coins Ada 7 because ", "pause because ")),
)
def test_what_a_mail_program_wrapped_is_put_together(words: list[str], width: int, head: str) -> None:
    """At any width that mail programs use, in a mail whose widest line is nearly as wide as that."""
    said = textwrap.wrap(head + " ".join(words), width)
    assume(max(map(len, said)) >= wrapping.NARROWEST)
    entry = moderator_mail.rule(TABLES["open"], received(said))
    assert f"{entry.rulings[0].show()} {entry.rulings[0].because}".strip().endswith(" ".join(words))
    assert not entry.complaints and not entry.passed


FULL = "extend 24h because Dee is ill and cannot write before the weekend, so"
"""Seventy columns, behind which "she" finds no room in a mail of that width."""


@pytest.mark.parametrize(
    ("above", "below", "wrapped"),
    [
        (FULL, "she says it herself", True),
        (FULL.replace("so", "she"), "tells me in confidence that it is twins", True),
        (FULL[:60], "she says it herself", False),  # there was room for the word: a person began a new line
        (FULL, "", False),
        (FULL, "She told me in confidence that it is twins", False),
        (FULL.replace(", so", ", of"), "Ada I know nothing", True),
        (FULL.replace(", so", " now."), "she told me in confidence that it is twins", False),
        (FULL, "- she told me in confidence that it is twins", False),
        (f"{FULL} {FULL}", "she says it herself", False),  # a program that sends such a line wraps none
    ],
)
def test_a_line_was_wrapped_where_one_can_see_it(above: str, below: str, *, wrapped: bool) -> None:
    """By the width of the mail, of which another line is a sample, and since no sentence begins there."""
    said = [
        OrderLine(number, line) for number, line in enumerate((FULL if len(above) < 100 else "", "", above, below), 1)
    ]
    assert wrapping.wrapped_off(said) == (frozenset({4}) if wrapped else frozenset())


PLAYED = (
    "press to Bo: {}",
    "press to all: {}",
    "press to Nobody: {}",
    "for Tide 7: {}",
    "{}",
    "bid {}",
    "help {}",
    "if {}:",
)
FIXED = ("press to all:", "end press", "bid 3", "status", "ready", "wait", "standing on", "press to Bo:")


@given(lines((*PLAYED, *FIXED)))
def test_each_line_of_a_player_is_taken_passed_on_or_refused(said: list[str]) -> None:
    """Words are in the press, a request, a complaint or talk; a bid is on hand, was passed on as press, or was refused."""
    entry = player_mail.take(TABLES["open"], Seat("ada"), received(said))
    requests = [one.show(TABLES["open"]) for one in entry.requests]
    texts = [*(one.text for one in entry.press), *requests, *(one.text for one in entry.complaints), *entry.passed]
    told = [mark for text in texts for mark in marks(text)]
    assert sorted(told) == sorted(marks(" ".join(said)))
    parts = player_lines.sort(TABLES["open"], Seat("ada"), received(said).said)
    texts = [
        *(one.text for one in parts.press),
        *(one.text for one in parts.complaints),
        *(line.text for line in parts.orders),
    ]
    kept = [line for text in texts for line in text.split("\n")]
    assert sum(line.startswith("bid 3") for line in kept) == sum(line.startswith("bid 3") for line in said)


@pytest.mark.parametrize("new", [["power P1 =", "x"], ["do power P1 =", "end", "power P2 =", "y"], ["a", "p = "]])
def test_an_open_block_is_known(new: list[str]) -> None:
    """So that `end` closes it and not the mail."""
    assert moderator_lines.in_block(new)
    assert not moderator_lines.in_block([*new, "end"])
    assert not moderator_lines.in_block([*new, "end because so"])
    assert not moderator_lines.in_block([*new[:-1], "set coins Ada =", "end"])


KIND = st.sampled_from(("", "please ", "Ok, ", "please, ", "Kindly "))
THANKS = st.sampled_from(("", " please", ", thanks!", " pls.", ", thank you very much", " - cheers", " please, thanks"))
PLAIN = (
    "extend 2h",
    "pause",
    "excuse Bo",
    "close now",
    "extend 2h because I am ill",
    "note Well played",
    "to Bo: well done",
)


@given(st.sampled_from(PLAIN), KIND, THANKS)
def test_kind_words_around_a_ruling_change_nothing(said: str, before: str, behind: str) -> None:
    """And what a person says for others to read keeps them, as does a reason."""
    table = TABLES["open"]
    plain = moderator_lines.read(table, OrderLine(1, said))
    found = moderator_lines.read(table, OrderLine(1, f"{before}{said}{behind}"))
    assert not isinstance(plain, Complaint)
    if said.startswith(("note", "to ")) or "because" in said:
        assert isinstance(found, Complaint) or found == plain or behind.strip() in f"{found.show()} {found.because}"
    else:
        assert found == plain
