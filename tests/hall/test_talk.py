"""Talk round orders: it is passed over and named, makes no set incomplete, and is asked about where it may change one."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice
from pbem.ground.terms import GameName, OrderLine, Person, Seat
from pbem.hall.store.catalogue import rulesets_known
from pbem.speech import chatter
from pbem.speech.chatter import COMMON, EVERYDAY
from pbem.table.fold import replay
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming import player_mail
from pbem.table.incoming.received import Received
from pbem.table.incoming.talk import is_clear
from pbem.table.model.charter import Charter, house
from pbem.table.model.table import Seated, Table
from tests.conftest import Room, flat
from tests.depth import shares, some

ADA = "ada@example.org"
SEAT = Seat("ada")
NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
ORDERS = {
    "brawl": ("defend with a", "drop b maneuver", "pass"),
    "discs": ("throw at Bo", "hold", "move to centre"),
    "rumble": ("attack Bo 20", "defend 30", "block largest first"),
}
PLAIN_TALK = (
    "Hi everybody, what a lovely evening for it",
    "My orders:",
    "here are my moves:",
    "Meine Befehle:",
    "Voici mes ordres :",
    "Mis jugadas:",
    "thanks for running this",
    "Good luck to you both!",
    "Ha!",
    "greetings from the train",
    "what a lovely evening",
    "I love these reports",
    "Cheers",
    "For this round:",
)
CLAUSES = (
    "unless Bo does the same", "but only if I am still up", "if nobody else does", "only when it helps", "not if Bo runs",
    "except when Bo is weak", "wenn Bo mich nicht angreift", "falls das geht", "sofern Bo noch da ist", "aber nur einmal",
    "sauf si Bo attaque", "seulement si possible", "mais pas sur Bo", "solo si Bo ataca", "pero no a Bo",
    "se Bo non scappa", "ma solo una volta", "alleen als Bo wegloopt", "tenzij Bo weggaat", "jeśli Bo ucieknie",
    "если Боб уйдёт", "но только раз", "om Bo springer", "men bara om Bo springer", "hvis Bo løber", "jos Bo pakenee",
    "ha Bo elfut", "se o Bo fugir, não", "actually not that one", "scratch the last one", "no, the other way round",
    "instead of what I said", "make that double", "same for the rest", "also the same on Cy", "forget the first line",
    "ignore the line above", "don't do this yet", "do not do that", "dont count this one", "never mind the second",
    "sorry, mistake above", "correction: other die", "oops, wrong way", "I changed my mind about Bo",
    "replace it with the best one", "swap the two", "cancel the second one", "undo that please", "draft only",
    "this is just a draft", "wait with this until Friday", "until Bo is gone", "whenever Bo moves", "provided he stays",
    "in case Bo comes", "otherwise the other thing", "else nothing", "rather the third", "without the middle one",
)  # fmt: skip


@cache
def table_of(name: str, third: str = "Cy") -> Table:
    """Return a table with a phase of orders open, in a game of three."""
    ruleset: Any = rulesets_known()[name]
    names = {Seat(one.casefold()): one for one in ("Ada", "Bo", third)}
    charter = Charter(
        game=GameName("tide-1"), ruleset=name, version=1, moderator=Person("gwen"), seats=3, created=NOW, seal=""
    )
    state = ruleset.begin(names, house(charter, ruleset.options), {}, Dice(bytes(32)))
    seats = {seat: Seated(seat, one, Person(one)) for seat, one in names.items()}
    table = msgspec.structs.replace(
        replay.first(charter, ruleset, bytes(32)),
        status="open", number=1, state=state, phase=ruleset.phase(state), seats=seats,
        opened=NOW, deadline=NOW + timedelta(days=3),
    )  # fmt: skip
    return msgspec.structs.replace(table, base=table)


def taken(name: str, *lines: str) -> tuple[OrdersReceived, Table]:
    """Return the entry of a mail with these new lines, and the table behind it."""
    said = tuple(OrderLine(number, line) for number, line in enumerate(lines, 1))
    mail = Received(phase=1, arrived=NOW, noted=NOW, mail="m", cause="c", key="k", message_id="", said=said)
    entry = player_mail.take(table_of(name), SEAT, mail)
    return entry, replay.step(table_of(name), entry)


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("talk", PLAIN_TALK)
def test_plain_talk_changes_nothing(name: str, talk: str) -> None:
    """Above orders or below them, a heading above them: they are taken whole, and the seat is ready."""
    lines = ORDERS[name]
    above, below = ([talk, *lines], [talk, "", *lines]), ([*lines, "", talk], [lines[0], "", talk, "", *lines[1:]])
    for mail in above if talk.endswith(":") else (*above, *below):
        entry, table = taken(name, *mail)
        assert (entry.orders, entry.complaints) == (lines, ())
        is_heading = talk.endswith(":")  # what a ruleset can take off the order below it is not even talk
        assert entry.passed == (talk,) or (is_heading and entry.passed == ())
        assert table.moved(SEAT)


@pytest.mark.parametrize("share", shares(7))
@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("clause", CLAUSES)
def test_no_clause_is_passed_over_as_if_it_said_nothing(name: str, clause: str, share: int) -> None:
    """
    Sixty that change an order, above, below, on its line, or at the end: the seat is never ready by them.

    Each in one of those places, in each game in another; a sweep tries them all.
    """
    lines = ORDERS[name]
    mails = (
        [*lines, clause],
        [lines[0], clause, *lines[1:]],
        [*lines, "", clause],
        [f"{lines[0]} {clause}", lines[1]],
        [f"{lines[0]}, {clause}", lines[1]],
        [clause, *lines],
        [f"{clause}:", *lines],
    )
    for mail in mails[(CLAUSES.index(clause) + 2 * list(ORDERS).index(name)) % share :: share]:
        entry, table = taken(name, *mail)
        assert not table.moved(SEAT), (mail, entry)


JOINED = (
    ("brawl", ("Sorry for the late mail, ignore the last", "if Cy is up:", "defend with a")),
    ("rumble", ("But this one counts", "if attacked by Bo:", "block largest first")),
    ("discs", ("But this one counts", "if Bo within 12:", "throw at Bo")),
    ("rumble", ("block first: Bo,", "Cy", "but keep it quiet")),
    ("brawl", ("if Cy is up: defend with a,", "drop b drink", "not for long")),
)


@pytest.mark.parametrize(("name", "lines"), JOINED)
def test_an_order_of_several_lines_is_asked_about_as_a_whole(name: str, lines: Sequence[str]) -> None:
    """It stays as it is, no half of it without the other, and the set waits for a yes."""
    alone, _ = taken(name, *lines[1:] if lines[0][0].isupper() else lines[:-1], "", *ORDERS[name])
    entry, table = taken(name, *lines, "", *ORDERS[name])
    assert entry.orders == alone.orders != ORDERS[name]
    assert entry.doubts
    assert not table.moved(SEAT)


def test_what_goes_on_with_a_word_that_turns_is_asked_about_as_a_whole() -> None:
    """Nothing of the sentence is taken, and the set waits. Rule: R5."""
    entry, table = taken("rumble", "if my energy < 40: attack Bo 20", "else attack Cy 30", "but not Dan", "defend 30")
    assert entry.orders == ("defend 30",) and [one.line for one in entry.complaints] == [1]
    assert not table.moved(SEAT)


TAKES_BACK = (
    "No attacks from me.", "Hallo, no news here.", "I won't be around on Friday", "i won't be around on friday",
    "Don't know yet about next week.", "not many orders today", "Only a few lines this time, sorry", "Nothing fancy:",
    "Perhaps more tomorrow.", "no time,", "maybe", "see ya", "but I am not sure", "I never liked him", "Wait for Bo",
    "Cancel my dentist, Gwen", "If anybody needs me, I am in Rome.", "When do we play next?", "Only kidding!",
    "if anybody needs me i am in rome for the whole of next week", "Unless I am mistaken it is my turn.", "Se ya!", "hope it is not too late", "ok bye", "Actually no more from me.", "ohne worte",
)  # fmt: skip


@given(st.sampled_from(sorted(ORDERS)), st.sampled_from((*CLAUSES, *TAKES_BACK)), st.integers(0, 2), st.booleans())
def test_no_sentence_takes_a_clear_order_away(name: str, talk: str, at: int, is_apart: bool) -> None:
    """Above, between and below orders, beside them or in a paragraph of its own: it is shown, and the set waits."""
    lines = ORDERS[name]
    gap = [""] if is_apart else []
    mail = [*lines[:at], *gap, talk, *gap, *lines[at:]]
    entry, table = taken(name, *mail)
    is_part = talk in CLAUSES and chatter.limits(talk) and not is_apart  # of the order above it
    missing = set(lines) - set(entry.orders)
    assert set(entry.orders) <= set(lines)
    assert not missing or (is_part and missing <= set(lines[max(0, at - 1) : at + 1])), entry
    assert not table.moved(SEAT) or talk in entry.passed


UNHEARD_OF = (
    "as long as he stays put", "assuming he stays", "once he has moved", "nevermind", "scrap that", "disregard the above",
    "this isn't final", "tentative", "maybe", "for example:", "es sei denn, er rennt", "vielleicht", "vergiss das",
    "à moins qu'il parte", "s'il reste", "a menos que corra", "mas", "пока", "как если", "如果他跑", "(joke)",
    "Cy's mail said:", "to be confirmed", "TBC", "WIP", "Option A:", "one of these:", "was:", "typo above", "I take it back",
)  # fmt: skip


@pytest.mark.parametrize("clause", some(3, UNHEARD_OF))
def test_only_words_that_are_known_to_be_harmless_pass_for_talk(clause: str) -> None:
    """What nobody thought of is asked about, above orders and below them."""
    lines = ORDERS["brawl"]
    for mail in ([*lines, clause], [*lines, "", clause], [f"{clause.rstrip(':')}:", *lines], [clause, "", *lines]):
        assert not taken("brawl", *mail)[1].moved(SEAT), mail


TALK = Path(__file__).parent / "talk"


EVERY = [*(pytest.param(name, 1, marks=pytest.mark.sweep, id=f"{name}, all") for name in ORDERS), ("brawl", 24)]


@pytest.mark.parametrize(("name", "step"), EVERY)
def test_no_line_that_changes_orders_passes_for_small_talk(name: str, step: int) -> None:
    """Four hundred, in nineteen languages, by somebody who did not know the reader: above, below and apart."""
    lines = _lines_of("doubts.txt")[::step]
    assert [line for line in lines if any(_is_ready(name, *mail) for mail in _around(name, line))] == []


@pytest.mark.parametrize(("name", "step"), EVERY)
def test_most_small_talk_keeps_nobody_waiting(name: str, step: int) -> None:
    """Of five hundred lines in as many languages; what speaks of power cuts and dice may be asked about."""
    lines = _lines_of("small_talk.txt")[::step]
    passed = [[_is_ready(name, *mail) for mail in _around(name, line)] for line in lines]
    apart, beside = ([all(ready[part]) for ready in passed] for part in (slice(0, 2), slice(2, 4)))
    assert sum(apart) / len(lines) > 0.6 and sum(beside) / len(lines) > 0.45


@pytest.mark.parametrize("called", ["The What", "So In For A", "You Are"])
def test_a_name_of_plain_words_keeps_nobody_waiting(called: str) -> None:
    """Whoever chooses it makes no doubt of what others say."""
    table = table_of("rumble")
    ruleset: Any = table.ruleset
    names = {seat: one.name if seat == SEAT else called for seat, one in table.seats.items()}
    named = msgspec.structs.replace(
        table, state=ruleset.begin(names, house(table.charter, ruleset.options), {}, Dice(bytes(32)))
    )
    assert called in named.labels().values()
    assert is_clear(named, "Sorry for the delay, you are so patient, what a week in the garden!")
    assert not is_clear(table, "What a week in the garden for Bo!")


def _lines_of(name: str) -> list[str]:
    return (TALK / name).read_text(encoding="utf-8").splitlines()


def _around(name: str, line: str) -> Iterator[tuple[str, ...]]:
    orders = ORDERS[name]
    yield from ((*orders, "", line), (line, "", *orders), (*orders, line), (line, *orders))


def _is_ready(name: str, *lines: str) -> bool:
    _, table = taken(name, *lines)
    return table.moved(SEAT)


@pytest.mark.parametrize("talk", ["Sorry for the late reply.", "No worries!", "No problem at all", "Good luck Bo!"])
def test_harmless_talk_takes_no_order_out(talk: str) -> None:
    """Directly above orders, or below them."""
    for mail in ([talk, *ORDERS["brawl"]], [*ORDERS["brawl"], talk]):
        entry, table = taken("brawl", *mail)
        assert entry.orders == ORDERS["brawl"] and table.moved(SEAT)


@pytest.mark.parametrize(("name", "heading"), [("rumble", "Orders:"), ("rumble", "Moves:"), ("discs", "Moves:")])
def test_a_heading_that_is_like_a_word_of_orders_refuses_none(name: str, heading: str) -> None:
    """It is no slip of the fingers."""
    entry, table = taken(name, heading, *ORDERS[name])
    assert entry.orders == ORDERS[name] and table.moved(SEAT)


HEADINGS = (
    "Moje rozkazy na rundę 1:", "Captain's log, round two. Our orders:", "Orders for Round 3:", "Attack orders:", "Wunschliste:",
    "Tässä siirtoni:", "Here goes nothing:", "Und nun zu meinen Taten:", "Throwing and moving:", "My bids and blows:",
)  # fmt: skip


@pytest.mark.parametrize("name", ORDERS)
@given(
    st.one_of(
        st.sampled_from(HEADINGS),
        st.lists(st.sampled_from(sorted(EVERYDAY | COMMON)), min_size=1, max_size=6).map(
            lambda said: f"{' '.join(said)}:"
        ),
    )
)
def test_no_heading_is_glued_to_the_order_below_it(name: str, heading: str) -> None:
    """In any words and languages: the orders stand as they would without it."""
    entry, _ = taken(name, heading, *ORDERS[name])
    assert entry.orders == ORDERS[name]


def test_nothing_in_doubt_is_kept_for_later() -> None:
    """Neither for a round to come, nor for all: it would lose its condition on the way."""
    for mail in (
        ["for Round 2: defend with a", "only if Bo attacks me"],
        ["pass", "", "only if Bo asks", "standing on"],
    ):
        entry, table = taken("brawl", *mail)
        assert not table.sets.later.get(SEAT) and not table.moved(SEAT)
        assert any("Nothing is kept for later" in one.because for one in entry.complaints)


LATER = (
    ("if Bo attacks me:", "for Round 2: pass"), ("for Round 2: pass", "pass only if Bo attacks"),
    ("for Round 2: pass", "wait, only if Bo runs"), ("for Round 2: pass", "cancel that"), ("for Round 2: pass", "dont do it"),
    ("if attacked by Bo:", "", "pass", "", "standing on"), ("pass", "wait, only if Bo runs", "", "standing on"),
)  # fmt: skip


@pytest.mark.parametrize("lines", LATER)
def test_nothing_is_kept_for_later_beside_a_line_that_cannot_be_read(lines: Sequence[str]) -> None:
    """It may have been its condition."""
    _, table = taken("brawl", *lines)
    assert not table.sets.later.get(SEAT)


SECOND = (
    "wait, that was wrong", "wait a bit please", "cancel all", "Cancel that please", "cancel the fifth order", "draft only",
    "ready only if Bo is", "pass only if Bo passes", "attack Bo only if he attacks", "defend only if Bo attacks", "dont",
    "Sorry, that should be Cy", "Please dont", "no matter what, dont", "more to come", "I guess", "let me think", "where it works",
    "yes\ncancel the other order", "These are for Friday", "ready\nwait, not that", "That was a silly idea", "sent too soon", "hopefully",
    "Moves for now", "These are for Friday", "I would do this", "attack Bo with z damage y",
)  # fmt: skip


@pytest.mark.parametrize("said", SECOND)
def test_a_second_mail_that_is_no_set_leaves_the_first_in_doubt(said: str) -> None:
    """Whoever writes again, and is not understood, has not said that what is on hand stands."""
    _, table = taken("brawl", *ORDERS["brawl"])
    said_lines = tuple(OrderLine(number, line) for number, line in enumerate(said.split("\n"), 1))
    mail = Received(
        phase=1,
        arrived=NOW + timedelta(hours=1),
        noted=NOW,
        mail="n",
        cause="d",
        key="l",
        message_id="",
        said=said_lines,
    )
    after = replay.step(table, player_mail.take(table, SEAT, mail))
    assert after.sets.hand[SEAT].orders == ORDERS["brawl"]
    assert not after.moved(SEAT)


@pytest.mark.parametrize(
    "lines",
    [
        ("if Cy is up: defend with a,", "", "drop b drink"), ("if Cy is up: defend with a;", "", "pass"),
        ("if Cy is up", "defend with a"), ("if Cy is up:", "", "defend with a"), ("unless Cy is up:", "defend with a"),
    ],
)  # fmt: skip
def test_what_a_condition_may_hold_for_is_never_ready_without_it(lines: Sequence[str]) -> None:
    """A blank line, a missing colon, or a word that is none of ours comes between."""
    _, table = taken("brawl", *lines)
    assert not table.moved(SEAT)


@pytest.mark.parametrize(("game", "test"), [("brawl", "Cy is up"), ("rumble", "Bo is in")])
def test_what_may_change_an_order_is_doubted_and_waited_for(game: str, test: str) -> None:
    """Below an order of several lines too."""
    entry, table = taken(game, f"if {test}:", ORDERS[game][-2 if game == "rumble" else 0], "unless he runs")
    assert entry.doubts == ("unless he runs",)
    assert not table.moved(SEAT)


def test_ready_in_the_same_mail_settles_no_doubt() -> None:
    """It cannot know of it."""
    _, table = taken("brawl", *ORDERS["brawl"], "", "unless Bo runs", "", "ready")
    assert not table.moved(SEAT)


talk = st.lists(st.sampled_from([*PLAIN_TALK, *CLAUSES, ""]), min_size=0, max_size=4)


@given(st.sampled_from(sorted(ORDERS)), talk, talk, st.integers(0, 7))
def test_orders_are_taken_as_they_stand_or_asked_about(
    name: str, above: Sequence[str], below: Sequence[str], chosen: int
) -> None:
    """Whatever talk stands round them: nothing is invented, and what is left out is named."""
    lines = [line for place, line in enumerate(ORDERS[name]) if chosen >> place & 1]
    entry, _ = taken(name, *above, *lines, *below)
    assert set(entry.orders) <= set(lines)
    named = " ".join(one.text for one in entry.complaints)
    assert all(line in named for line in set(lines) - set(entry.orders)) or not entry.taken
    titles = ("For this round:", "My orders:")  # which come off the order below them
    said = [line for line in (*above, *below) if line and line not in titles]
    assert all(line in entry.passed or line in named for line in said)
    if not any(clause in said for clause in CLAUSES) and lines:
        assert entry.orders == tuple(lines)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Lend a brawl of three in its first round."""
    room = Room(tmp_path, {"brawl": rulesets_known()["brawl"]})
    room.found("ada", "bo", "cy")
    yield room
    room.arena.close()


def orders_of(room: Room) -> tuple[str, ...]:
    """Return lines that the game would take."""
    return ORDERS[room.table().charter.ruleset]


def send(room: Room, *lines: str) -> str:
    """Send a mail of Ada's, and return its receipt on one line."""
    room.write(ADA, "\n".join(lines))
    swept = room.sweep()
    assert not swept.troubles, swept.troubles
    return flat(room.last(ADA))


def test_what_was_taken_for_talk_is_named(room: Room) -> None:
    """At most three lines of it, so that nobody wonders what was read."""
    told = send(room, "What a lovely evening for a game", *orders_of(room))
    assert "I took this for talk: : What a lovely evening for a game" in told


def test_an_order_beside_talk_that_may_change_it_is_asked_about(room: Room) -> None:
    """It waits for a yes, or for the set without that talk."""
    lines = orders_of(room)
    told = send(room, *lines[1:], "", lines[0], "unless he runs away")
    assert "I am not sure about this: : unless he runs away" in told
    assert not room.table().moved("ada")
    send(room, *lines)
    assert room.table().sets.hand["ada"].orders == lines and room.table().moved("ada")


def test_yes_settles_a_doubt_and_so_does_a_new_mail(room: Room) -> None:
    """Until then the phase waits; at the deadline the orders count."""
    lines = orders_of(room)
    told = send(room, *lines, "", "Bo will not like this")
    assert (
        told.startswith("Taken, but I am not sure about 1 line.")
        and ": Bo will not like this" in told
        and "reply: yes" in told
    )
    assert not room.table().moved("ada")
    room.reopen()
    assert not room.table().moved("ada")
    told = send(room, "yes")
    assert room.table().moved("ada") and "not sure" not in told
    send(room, "actually, not that one")
    assert not room.table().moved("ada")
    send(room, *lines)
    assert room.table().moved("ada")


def test_a_yes_that_answers_nothing_is_talk(room: Room) -> None:
    """It is no order, and takes none away."""
    send(room, *orders_of(room))
    send(room, "yes")
    assert room.table().sets.hand["ada"].orders == orders_of(room)
    assert room.table().moved("ada")


@pytest.mark.parametrize("said", ["not yet", "draft", "Hold on!", "just a draft", "Not final."])
def test_who_is_not_done_is_waited_for(room: Room, said: str) -> None:
    """The same as wait."""
    told = send(room, said, *orders_of(room))
    assert "ada" in room.table().waits and "I shall wait for you" in told
    assert room.table().sets.hand["ada"].orders == orders_of(room)


def test_a_mail_of_talk_alone_orders_nothing_and_says_so(room: Room) -> None:
    """What is on hand stays as it was."""
    told = send(room, "What a lovely evening it is")
    assert told.startswith("There are no orders in your mail. You have no orders on hand.")
    assert "ada" not in room.table().sets.hand
    send(room, *orders_of(room))
    told = send(room, "What a lovely evening it is")
    assert told.startswith("There are no orders in your mail. Your orders on hand are unchanged.")
    assert room.table().sets.hand["ada"].orders == orders_of(room) and room.table().moved("ada")


@pytest.mark.parametrize("said", ["yes please", "Yes, that is what I mean.", "ok"])
def test_a_yes_can_be_said_in_other_words(room: Room, said: str) -> None:
    """As people do."""
    send(room, *orders_of(room), "", "Bo will not like this")
    send(room, said)
    assert room.table().moved("ada")


@pytest.mark.parametrize(
    "tail", ["Thanks, not yet!", "Cheers, draft only", "| only if Bo attacks", ": only if Bo attacks"]
)
def test_no_courtesy_or_mark_hides_what_changes_an_order(room: Room, tail: str) -> None:
    """It is shown, and waited for."""
    told = send(room, *orders_of(room), "", tail)
    assert not room.table().moved("ada")
    assert tail.strip("|: ") in told


def test_a_refused_set_names_an_order_that_talk_stands_beside(room: Room) -> None:
    """Since it is not on hand, whoever may have said it."""
    send(room, *orders_of(room))
    told = send(room, "Eve: drop c maneuver", "defend with z")
    assert "it was not taken either: : Eve: drop c maneuver" in told
