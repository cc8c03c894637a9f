"""A seat goes to another person: who is asked, who is told, what counts until then and from then on."""

import contextlib
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.ground.terms import GameName, Person, Seat
from pbem.hall.commands import replay_check, ruling
from pbem.hall.commands.founding import found_game
from pbem.hall.keeping import mail_audit
from pbem.letters.addressing import reply_address
from pbem.letters.reading import read
from pbem.table.fold import handing_on
from pbem.table.fold.journal import FIRST_SUM, Entry, OrdersReceived, SeatHandedOn, decode
from pbem.table.rulings import replace
from pbem.testing.room import ARENA, MODERATOR
from tests.conftest import Room, flat
from tests.depth import at_first, some
from tests.hall.test_bounces import bounce
from tests.harbour import Harbour, HarbourRules
from tests.harbour.tiebreak import TieBreak
from tests.killing import Axe, Killed, points

ADA, BO, CY, FAY, GUS = (f"{name}@example.org" for name in ("ada", "bo", "cy", "fay", "gus"))
SEAT = Seat("bo")


def _sent(room: Room, since: int) -> list[tuple[str, str]]:
    """Return who got which letter since some place of the post, flattened."""
    return [(to, flat("\n".join(read(raw).body))) for to, raw in room.outbox.sent[since:]]


def _go(room: Room, who: str, text: str, to: str = "") -> list[tuple[str, str]]:
    """Let somebody write, sweep, and return what was sent."""
    since = len(room.outbox.sent)
    room.write(who, text, to=to, subject="Re: [tide-1] Tide 1" if to else "")
    assert room.sweep().troubles == []
    return _sent(room, since)


def _take(room: Room, who: str, text: str) -> list[tuple[str, str]]:
    """Let somebody take the seat, and return what was sent as the next phase opened, but for what all get."""
    _go(room, who, text)
    number = room.table().number
    assert room.arena.people.find(who) != room.table().seats[SEAT].person
    while room.table().number == number and room.table().status != "over":
        room.sweep(timedelta(days=1))
    since = len(room.outbox.sent)
    room.sweep(timedelta(seconds=1))
    return [(to, said) for to, said in _sent(room, since) if not said.startswith(("TIDE", "To everybody"))]


def _to(sent: list[tuple[str, str]], who: str) -> str:
    """Return the one letter that somebody got."""
    [text] = [text for to, text in sent if to == who]
    return text


def _holder(room: Room) -> str:
    """Return the address of whoever has Bo's seat."""
    return room.arena.people.contact(room.table().seats[SEAT].person).address


def _journal(room: Room) -> str:
    """Return all that the journals of the game hold, and all that is derived from them."""
    return "\n".join(file.read_text() for file in sorted((room.root / "games" / "tide-1").rglob("*.t[ox][mx]*")))


def _replayed(room: Room) -> None:
    """Hold every file of the game to its journal."""
    words = replay_check.Words(room.arena.words, room.arena.wording)
    folder = room.root / "games" / "tide-1"
    assert all(not one.difference for one in replay_check.replay(folder, room.rulesets, words, bytes(32)))


@pytest.fixture
def offered(room: Room) -> Room:
    """A tide in which Bo has bid, and Fay is asked to take his seat."""
    room.found("ada", "bo", "cy")
    _go(room, BO, "bid 4")
    _go(room, MODERATOR, "replace Bo by fay@example.org because he is ill")
    return room


@pytest.fixture
def taken(offered: Room) -> Room:
    """The same, once Fay has said yes."""
    _take(offered, FAY, "yes\nzone Europe/London")
    return offered


def test_the_newcomer_is_asked_and_the_old_player_told(room: Room) -> None:
    """The letter says which game, who asks, and how to say yes; the old player hears neither address nor reason."""
    room.found("ada", "bo", "cy")
    sent = _go(room, MODERATOR, "replace Bo by fay@example.org because his leg broke")
    assert {to for to, _ in sent} == {MODERATOR, BO, FAY}
    echo, asked, told = (_to(sent, who) for who in (MODERATOR, FAY, BO))
    assert "Ruling 1: replace Bo by fay@example.org Asked" in echo and "| undo 1" in echo and "such as why" in echo
    assert "take over Bo in tide-1, a game of Harbour" in asked and MODERATOR in asked and "| yes" in asked
    assert "Until they say yes the seat is yours" in told and "leg" not in asked + told + _journal(room)
    assert FAY not in told and BO not in asked and _holder(room) == BO


def test_until_the_yes_the_old_player_plays_on(offered: Room) -> None:
    """Their mail counts and the newcomer's does not, whatever it says but yes."""
    sent = _go(offered, FAY, "bid 9")
    assert "did not begin with yes" in _to(sent, FAY) and "Bo is played as before" in _to(sent, FAY)
    assert "a bid of 5" in _to(_go(offered, BO, "bid 5"), BO)
    assert offered.table().sets.hand[SEAT].orders == ("bid 5",) and _holder(offered) == BO


@pytest.mark.parametrize(
    "said", some(3, ["yes", "Yes!", "YES please", "> | yes\n\nyes", "ok, thanks", "confirm", "Yes, I will."])
)
def test_a_yes_takes_the_seat(offered: Room, said: str) -> None:
    """In the words in which people say it."""
    _take(offered, FAY, said)
    assert _holder(offered) == FAY


@pytest.mark.parametrize(
    "said",
    some(3, ["no", "No, thanks.", "Sorry, no!", "> | yes\n\nno", "No, thank you. I have no time.", "Sorry, I can't.",
     "no thanks, too busy right now", "I can't, sorry", "No - my exams are in May.", "no, thanks\n\nGood luck, Fay"]),
)  # fmt: skip
def test_a_no_ends_the_offer_and_is_told(offered: Room, said: str) -> None:
    """To the moderator with the address, to the seat's player without; a later yes takes nothing."""
    letter = offered.reply_to(FAY)
    sent = _go(offered, FAY, said)
    assert "says no" in _to(sent, MODERATOR) and "fay@example.org" in _to(sent, MODERATOR)
    assert "stays with you" in _to(sent, BO) and FAY not in _to(sent, BO)
    assert "You said no to Bo" in _to(sent, FAY) and len(sent) == 3
    assert not replace.offers(offered.table())
    offered.write(FAY, "yes", to=letter)
    offered.sweep()
    assert _holder(offered) == BO
    _go(offered, MODERATOR, "replace Bo by fay@example.org")
    _take(offered, FAY, "yes")
    assert _holder(offered) == FAY


def test_an_undo_of_a_declined_offer_leaves_all_as_it_is(offered: Room) -> None:
    """The phase is folded again without it, and the no meets nothing."""
    _go(offered, FAY, "no")
    _go(offered, MODERATOR, "extend 24h")
    _go(offered, MODERATOR, "undo 1")
    head = offered.table().head
    offered.reopen()
    assert offered.table().head == head and not replace.offers(offered.table()) and _holder(offered) == BO


@pytest.mark.parametrize(
    "said",
    some(
        3,
        [
            "no problem",
            "no\n\nyes",
            "yes but not yet",
            "yesterday I was ill",
            "who are you?",
            "thanks",
            "I can't wait!",
            "no problem, yes",
            "No, sorry. But ask me on Friday",
            "No. Yes!",
            "no idea who Bo is",
        ],
    ),
)
def test_what_is_no_yes_takes_nothing(offered: Room, said: str) -> None:
    """They are told what would."""
    assert "| yes" in _to(_go(offered, FAY, said), FAY)
    assert _holder(offered) == BO


def test_the_newcomer_is_welcomed_with_the_state_of_the_seat(offered: Room) -> None:
    """What is asked, its form and deadline in their own zone; nothing of what was on hand, of press, of words."""
    _go(offered, BO, "bid 4\n\ngm: my secret worry")
    _go(offered, ADA, "press to all: hear ye")
    sent = _take(offered, FAY, "yes\nzone Europe/London")
    welcome, _reports = [text for to, text in sent if to == FAY]
    assert "You play Bo from now on" in welcome and "You have 6 coins." in welcome and "~ bid ____" in welcome
    assert "in London" in welcome and "no orders on hand" in welcome and "House rules: all are as usual." in welcome
    assert "bid of 4" not in welcome and "worry" not in welcome and "hear ye" not in welcome
    assert SEAT not in offered.table().sets.hand
    assert "Somebody else plays Bo from now on" in _to(sent, BO) and FAY not in _to(sent, BO)
    assert "fay@example.org" in _to(sent, MODERATOR) and {to for to, _ in sent} == {FAY, BO, MODERATOR}
    assert "a bid of 3" in _to(_go(offered, FAY, "bid 3"), FAY)


def test_the_newcomer_learns_nothing_of_secret_orders(room: Room) -> None:
    """What the old player sent ahead, or let stand, is struck as the seat changes hands."""
    room.found("ada", "bo", "cy")
    _go(room, BO, "bid 1\nstanding on\nfor Tide 3: bid 2")
    _go(room, MODERATOR, "replace Bo by fay@example.org")
    welcome = next(text for to, text in _take(room, FAY, "yes") if to == FAY)
    assert "none for phases to come" in welcome and "bid 1" not in welcome and "bid 2" not in welcome
    assert room.table().title == "Tide 2" and SEAT not in room.table().sets.hand and SEAT not in room.table().sets.later


def test_where_each_set_stands_that_of_the_open_phase_does_not(room: Room) -> None:
    """The newcomer is shown none of them."""
    room.found("ada", "bo", "cy", standing=("tide",))
    _go(room, BO, "bid 1")
    room.sweep(timedelta(days=4))
    _go(room, BO, "bid 3")
    _go(room, ADA, "bid 4")
    _go(room, MODERATOR, "replace Bo by fay@example.org")
    welcome = next(text for to, text in _take(room, FAY, "yes") if to == FAY)
    assert "bid 1" not in welcome and "bid 3" not in welcome
    assert SEAT not in room.table().sets.hand and not room.table().sets.later.get(SEAT)
    _replayed(room)


def test_a_game_of_an_older_release_goes_on_with_what_was_sent_for_later(room: Room) -> None:
    """Its journal says nothing of a strike."""
    room.found("ada", "bo", "cy")
    _go(room, BO, "bid 1\nstanding on")
    table = handing_on.hand_on(room.table(), SEAT, Person("p-1"), is_struck=False)
    assert (
        SEAT in table.sets.later
        and SEAT not in handing_on.hand_on(table, SEAT, Person("p-2"), is_struck=True).sets.later
    )


def test_the_public_reports_come_with_the_welcome(offered: Room) -> None:
    """Those of before the newcomer came, without what was for their predecessor alone."""
    offered.sweep(timedelta(days=4))
    welcome, history = [text for to, text in _take(offered, FAY, "yes") if to == FAY]
    assert "All reports so far come in a letter of their own" in welcome
    assert "TIDE 1 to all players" in history and "FOR BO ALONE" not in history


def test_mail_of_the_old_player_never_acts_and_is_answered(taken: Room) -> None:
    """Whatever token of theirs it holds, or none; they are told so, and the newcomer hears nothing of it."""
    tokens = [f"{line.split(': ')[1]}" for line in _replies(taken, BO)]
    assert len(tokens) > 3
    for to in (*tokens, "arena+tide-1@example.org"):
        taken.clock.advance(timedelta(days=1))
        before = taken.table().head
        taken.write(BO, "bid 7", to=to, subject="Re: [tide-1] Tide 1")
        since = len(taken.outbox.sent)
        assert taken.sweep(timedelta(0)).troubles == []
        answers = [text for who, text in _sent(taken, since) if who == BO]
        assert len(answers) == 1 and "You played Bo once; somebody else does now." in answers[0], answers
        new = taken.table().log[-1:] if taken.table().head > before else ()
        assert all(getattr(one, "seat", "") != SEAT for one in new)


def _replies(room: Room, who: str) -> list[str]:
    """Return each address that somebody's letters were answered to, once."""
    raws = (raw.decode() for to, raw in room.outbox.sent if to == who)
    return list(dict.fromkeys(line for raw in raws for line in raw.split("\r\n") if line.startswith("Reply-To: ")))


def test_tokens_made_for_the_old_player_are_dead_in_the_newcomers_hands_too(taken: Room) -> None:
    """Their own address with an old token is asked about, as any mail without one is."""
    old = _replies(taken, BO)[-2].split(": ")[1]
    sent = _go(taken, FAY, "bid 3", to=old)
    assert "would have acted as Bo" in _to(sent, FAY)
    assert SEAT not in taken.table().sets.hand


def test_a_held_mail_of_the_old_player_can_be_confirmed_by_nobody(offered: Room) -> None:
    """It was kept before the seat went on."""
    held = _to(_go(offered, BO, "bid 6", to="arena+tide-1@example.org"), BO)
    digits = held.partition("| confirm ")[2][:4]
    to = offered.reply_to(BO)
    _take(offered, FAY, "yes")
    assert "somebody else does now" in _to(_go(offered, BO, f"confirm {digits}", to=to), BO)
    _go(offered, FAY, f"confirm {digits}", to=to)
    assert SEAT not in offered.table().sets.hand


def test_a_move_of_the_old_player_moves_nobody_else(offered: Room) -> None:
    """They asked to move, and the seat went on before they confirmed."""
    offered.write(BO, "address bo@example.net", to=offered.reply_to(BO, "Your seat"))
    offered.sweep()
    _take(offered, FAY, "yes")
    sent = _go(offered, "bo@example.net", "confirm")
    assert [to for to, _ in sent if to == FAY] == [] and _holder(offered) == FAY


def test_the_next_report_says_so_and_never_who_or_why(taken: Room) -> None:
    """The name of the seat stays; the report of the phase after says nothing of it."""
    taken.sweep(timedelta(days=4))
    first = taken.root / "games" / "tide-1" / "phase-02" / "report.txt"
    assert "Bo is played by somebody else from now on." in first.read_text()
    assert "somebody else" not in (first.parent.parent / "phase-01" / "report.txt").read_text()
    for who in (ADA, CY):
        assert "Bo is played by somebody else" in "".join(flat("\n".join(one.body)) for one in taken.letters(who))


def test_no_address_reason_or_name_is_in_any_report_or_in_the_journal(room: Room) -> None:
    """Nor in what players are sent, to the end of the game and behind it; the mail itself is kept, as all mail is."""
    room.found("ada", "bo")
    _go(
        room,
        MODERATOR,
        "Poor Bo, an illness!\n\nreplace Bo by Fay Fullname <fay@example.org> because of his\nsecret illness",
    )
    _go(room, MODERATOR, "undo because his illness is over")
    _go(room, MODERATOR, "replace Zed by fay@example.org because of his illness")
    _go(room, MODERATOR, "replace Bo by fay@example.org\n\nbecause of his illness")
    _take(room, FAY, "yes")
    for _ in range(20):
        if room.table().status == "over":
            break
        room.write(FAY, "bid 1", to=room.reply_to(FAY, "[tide-1]"))
        room.sweep(timedelta(days=4))
    assert room.table().status == "over"
    text = _journal(room)
    assert "SeatHandedOn" in text and not any(word in text for word in ("example.org", "Fullname", "illness"))
    reports = [file.read_text() for file in (room.root / "games" / "tide-1").rglob("report.txt")]
    players = ["\n".join(one.body) for who in (ADA, BO) for one in room.letters(who)]
    assert reports and not any(word in one for one in (*reports, *players) for word in ("fay@", "Fullname", "illness"))
    _replayed(room)


@pytest.mark.parametrize(
    "line",
    [
        "replace Bo by fay@example.org",
        "Replace bo with Fay F. <fay@example.org>.",
        "replace Bo by fay@example.org <mailto:fay@example.org>",
        "replace Bo: fay@example.org",
        "replace Bo by FAY@example.org because he asked, and fay@example.org is keen",
    ],
)
def test_the_ruling_is_read_as_people_write_it(room: Room, line: str) -> None:
    """And the journal holds none of the addresses in it."""
    room.found("ada", "bo")
    _go(room, MODERATOR, line)
    assert set(replace.offers(room.table())) == {SEAT}
    assert "@example.org" not in _journal(room)
    assert room.arena.people.find(FAY)


@pytest.mark.parametrize(
    ("line", "because"),
    some(
        3,
        [
            ("replace Bo by ada@example.org", "plays Ada in this game"),
            ("replace Bo by bo@example.org", "plays Bo already"),
            ("replace Bo by gwen@example.org", "That is the moderator's address"),
            ("replace Bo by arena@example.org", "That is my own address"),
            ("replace Bo by arena+tide-1@example.org", "That is my own address"),
            ("replace Bo by fäy@example.org", "none that I can write to"),
            ("replace Bo by Fay", "Write replace NAME by ADDRESS"),
            ("replace Bo", "Write replace NAME by ADDRESS"),
            ("replace Zed by fay@example.org", "Zed"),
            ("replace Bo by p-0123456789", "Nobody was asked"),
            ("replcae Bo by fay@example.org", "Did you mean replace?"),
        ],
    ),
)
def test_what_cannot_be_is_refused_with_what_would_have_worked(room: Room, line: str, because: str) -> None:
    """Nobody is asked or stored, and the answer shows the address as it was written, which the journal does not."""
    room.found("ada", "bo", "cy")
    sent = _go(room, MODERATOR, line)
    assert [to for to, _ in sent] == [MODERATOR]
    assert because in _to(sent, MODERATOR) and "Not taken" in _to(sent, MODERATOR), sent
    assert room.arena.people.find(FAY) is None and "@example.org" not in _journal(room)


def test_neither_a_refused_ruling_nor_words_to_a_player_leave_an_address(room: Room) -> None:
    """The answer names the line; words to players stay as they are."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, "please replace Bo by fay@example.org\n\nreplace Bo by\nfay@example.org")
    assert "replace Bo by This names no player" in _to(sent, MODERATOR) and "@example.org" not in _journal(room)
    assert "You are asked to take over Bo" in _to(sent, FAY)
    sent = _go(room, MODERATOR, "to Bo: write me at gwen@example.org, or I replace you by fay@example.org")
    assert "gwen@example.org, or I replace you by" in _to(sent, BO) and ": fay@example.org" in _to(sent, BO)


def test_whoever_held_a_seat_cannot_come_back_or_take_another(taken: Room) -> None:
    """They know its secrets."""
    for name in ("Bo", "Ada"):
        assert "had the seat of Bo once" in _to(_go(taken, MODERATOR, f"replace {name} by {BO}"), MODERATOR)


def test_nobody_is_asked_for_two_seats(offered: Room) -> None:
    """The answer names the ruling that would have to be taken back."""
    sent = _go(offered, MODERATOR, "replace Ada by fay@example.org")
    assert "is asked to play Bo; undo 1 takes that back" in _to(sent, MODERATOR)


def test_a_seat_cannot_be_replaced_before_the_game_begins_nor_behind_its_end(room: Room) -> None:
    """Then there is nothing to take over."""
    room.invite("ada", "bo")
    _go(room, ADA, "join as Ada")
    refused = _to(_go(room, MODERATOR, "replace Ada by fay@example.org"), MODERATOR)
    assert "has not begun" in refused and "eject NAME" in refused


def test_a_second_ruling_supersedes_the_first(offered: Room) -> None:
    """The first newcomer is told, and their yes takes nothing; the old player hears nothing new."""
    first = offered.reply_to(FAY)
    sent = _go(offered, MODERATOR, "replace Bo by gus@example.org")
    assert {to for to, _ in sent} == {MODERATOR, FAY, GUS} and "You no longer are" in _to(sent, FAY)
    assert "not you, so nothing was done" in _to(_go(offered, FAY, "yes", to=first), FAY)
    _take(offered, GUS, "yes")
    assert _holder(offered) == GUS


def test_undo_takes_an_offer_back_before_the_yes_and_not_behind_it(offered: Room) -> None:
    """Both hear of it; once the seat is taken the answer says what to do instead."""
    sent = _go(offered, MODERATOR, "undo 1")
    assert "You no longer are" in _to(sent, FAY) and "Bo stays with you" in _to(sent, BO)
    echo = _to(sent, MODERATOR)
    assert "Nobody is asked any more to take over Bo." in echo and "Nothing changes" not in echo
    assert "nothing was done" in _to(_go(offered, FAY, "yes"), FAY) and _holder(offered) == BO
    _go(offered, MODERATOR, "replace Bo by fay@example.org")
    _take(offered, FAY, "yes")
    assert "By ruling 2 a seat went to somebody else" in _to(_go(offered, MODERATOR, "undo 2"), MODERATOR)
    assert _holder(offered) == FAY


def test_an_undo_of_another_ruling_leaves_the_seat_where_it_went(room: Room) -> None:
    """The phase is folded again, with the yes in it."""
    room.found("ada", "bo", "cy")
    _go(room, MODERATOR, "set coins Ada 7 because so")
    _go(room, MODERATOR, "replace Bo by fay@example.org")
    _take(room, FAY, "yes")
    _go(room, FAY, "bid 2")
    _go(room, MODERATOR, "undo 1")
    assert _holder(room) == FAY and room.table().sets.hand[SEAT].orders == ("bid 2",)


def test_an_offer_outlives_the_phase_and_can_be_taken_back_then(offered: Room) -> None:
    """It stands until it is answered, whatever is published meanwhile."""
    offered.sweep(timedelta(days=4))
    assert offered.table().number == 2 and set(replace.offers(offered.table())) == {SEAT}
    offered.reopen()
    other = offered.reply_to(FAY)
    _go(offered, MODERATOR, "undo 1")
    assert not replace.offers(offered.table())
    assert "nothing was done" in _to(_go(offered, FAY, "yes", to=other), FAY)


def test_the_end_of_the_game_ends_the_offer(room: Room) -> None:
    """Whoever was asked is told, and their yes comes too late."""
    room.found("ada", "bo")
    _go(room, MODERATOR, "replace Bo by fay@example.org")
    for _ in range(20):
        if room.table().status == "over":
            break
        room.sweep(timedelta(days=4))
    assert room.table().status == "over" and "You no longer are" in flat(room.last(FAY))
    assert "nothing was done" in _to(_go(room, FAY, "yes"), FAY) and _holder(room) == BO


def test_the_moderator_can_name_the_new_address_of_a_player(room: Room) -> None:
    """Both addresses are written to, and it acts from the phase on that opens after the new one has agreed."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, "address Bo is bo@example.net")
    assert {to for to, _ in sent} == {MODERATOR, BO, "bo@example.net"} and _holder(room) == BO
    assert "If that address is not yours" in _to(sent, BO) and "| confirm" in _to(sent, "bo@example.net")
    sent = _go(room, "bo@example.net", "confirm")
    assert {to for to, _ in sent} == {MODERATOR, "bo@example.net"} and _holder(room) == BO
    room.sweep(timedelta(days=4))
    assert _holder(room) == "bo@example.net"
    assert "bo@example" not in _journal(room) and mail_audit.audit(room.arena).exact


def test_a_players_address_is_moved_by_no_doubtful_mail_nor_to_somebody_elses(room: Room) -> None:
    """Each refusal says what would do, and stays with the moderator."""
    room.found("ada", "bo")
    for said, because in (
        ("address Bo is ada@example.org", "I cannot send their letters to ada@example.org"),
        ("address Bo is bo@example.org", "That is where their letters go already"),
        ("address Zed is zed@example.org", "no player of that name"),
    ):
        sent = _go(room, MODERATOR, said)
        assert [to for to, _ in sent] == [MODERATOR]
        assert because in _to(sent, MODERATOR) and "Nobody was asked" in _to(sent, MODERATOR)
        room.clock.advance(timedelta(hours=20))


def test_a_forged_mail_moves_no_players_address(room: Room) -> None:
    """Where no server vouches for the moderator's mail, whoever runs the arena has to do it."""
    room.found("ada", "bo", authentication="nobody")
    mail = room.write(MODERATOR, "address Bo is bo@example.net")
    room.mailbox.waiting.remove(mail)
    room.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=none"), mail.arrived)
    since = len(room.outbox.sent)
    room.sweep()
    [(to, text)] = _sent(room, since)
    assert to == MODERATOR and "No mail server vouches for your mail" in text


def test_a_new_address_among_other_lines_is_not_journaled(room: Room) -> None:
    """It moves nothing there, and the answer says where it would."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, "address Bo is bo@example.net because his old one is full\n\nextend 24h")
    assert "only where it is alone in its mail" in _to(sent, MODERATOR) and _holder(room) == BO
    assert "bo@example.net" not in [to for to, _ in sent]
    assert "bo@example" not in _journal(room) and "his old one" not in _journal(room)


def test_a_seat_that_has_gone_on_moves_to_no_address_named_for_the_old_player(offered: Room) -> None:
    """The confirmation comes too late."""
    _go(offered, MODERATOR, "address Bo is bo@example.net")
    to = offered.reply_to("bo@example.net")
    _take(offered, FAY, "yes")
    _go(offered, "bo@example.net", "confirm", to=to)
    assert _holder(offered) == FAY


class Leaking(HarbourRules):
    """A harbour in which whoever has no coin left is out."""

    def is_out(self, state: Harbour, seat: Seat) -> bool:
        """Say whether a tug is sunk."""
        return state.coins[seat] == 0


@pytest.fixture
def leaking(tmp_path: Path) -> Iterator[Room]:
    """A room where such a harbour is played."""
    made = Room(tmp_path / "leaking", {"harbour": Leaking()})
    made.found("ada", "bo", "cy")
    yield made
    made.arena.close()


def test_a_seat_that_is_out_ends_the_offer(leaking: Room) -> None:
    """Nothing is left to play; nor can it be offered anew."""
    _go(leaking, MODERATOR, "replace Bo by fay@example.org")
    _go(leaking, BO, "bid 10")
    since = len(leaking.outbox.sent)
    leaking.sweep(timedelta(days=4))
    assert "You no longer are" in _to(_sent(leaking, since), FAY) and leaking.table().standing == ()
    assert "nothing was done" in _to(_go(leaking, FAY, "yes"), FAY) and _holder(leaking) == BO
    assert "Bo is out of the game" in _to(_go(leaking, MODERATOR, "replace Bo by gus@example.org"), MODERATOR)


def test_a_forged_replace_asks_nobody(room: Room) -> None:
    """With the moderator's token and From, where no server vouches for it, it waits for their own word."""
    room.found("ada", "bo", authentication="nobody")
    mail = room.write(MODERATOR, "replace Bo by fay@example.org")
    room.mailbox.waiting.remove(mail)
    room.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=none"), mail.arrived)
    since = len(room.outbox.sent)
    room.sweep()
    [(to, held)] = _sent(room, since)
    assert to == MODERATOR and "It settles who plays, so I keep it" in held
    assert room.arena.people.find(FAY) is None and not replace.offers(room.table())
    sent = _go(room, MODERATOR, f"confirm {held.partition('| confirm ')[2][:4]}")
    assert {to for to, _ in sent} == {MODERATOR, BO, FAY} and "@example.org" not in _journal(room)
    _take(room, FAY, "yes")
    assert _holder(room) == FAY


def test_a_yes_from_elsewhere_takes_nothing_and_the_newcomer_is_asked(offered: Room) -> None:
    """Of another address, or found not to be theirs."""
    to = offered.reply_to(FAY)
    assert "may not be yours" in _to(_go(offered, GUS, "yes", to=to), FAY)
    mail = offered.write(FAY, "yes")
    offered.mailbox.waiting.remove(mail)
    offered.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=fail"), mail.arrived)
    since = len(offered.outbox.sent)
    offered.sweep()
    assert "may not be yours" in _to(_sent(offered, since), FAY) and _holder(offered) == BO


def test_a_test_offers_nothing(room: Room) -> None:
    """It says what it would do; nobody is stored."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, "test\nreplace Bo by fay@example.org")
    assert [to for to, _ in sent] == [MODERATOR] and "would be asked to take over Bo" in _to(sent, MODERATOR)
    assert room.arena.people.find(FAY) is None


def test_it_can_be_ruled_from_the_terminal(room: Room) -> None:
    """As by mail, with the address in the echo and not in the journal."""
    room.found("ada", "bo")
    echo, taken = ruling.rule(room.arena, GameName("tide-1"), 1, ["replace Bo by fay@example.org"], room.clock.now())
    room.sweep()
    assert taken and FAY in echo and "@example.org" not in _journal(room)
    _take(room, FAY, "yes")
    assert _holder(room) == FAY


def test_orders_that_have_closed_count_though_the_seat_goes_on_at_the_proof(room: Room) -> None:
    """What is adjudicated is not on hand any more."""
    room.found("ada", "bo", review=("tide",))
    _go(room, MODERATOR, "replace Bo by fay@example.org")
    _go(room, BO, "bid 4")
    _go(room, ADA, "bid 1")
    assert room.table().status == "closed"
    _go(room, FAY, "yes")
    _go(room, MODERATOR, "overrule bid of Ada = 2 because so")
    _go(room, MODERATOR, "approve 2")
    room.sweep(timedelta(seconds=1))
    report = (room.root / "games" / "tide-1" / "phase-01" / "report.txt").read_text()
    assert "Bo takes" in report and room.table().state.hulks[SEAT] == 1 and _holder(room) == FAY


def test_a_moderator_who_plays_can_give_their_own_seat_away(room: Room) -> None:
    """They moderate on, and are told nothing of what does not count any more."""
    room.found("bo", "gwen")
    _go(room, MODERATOR, "replace Gwen by fay@example.org", to=room.reply_to(MODERATOR, "You are the moderator"))
    sent = _take(room, FAY, "yes")
    assert "Gwen has gone to somebody else" in _to(sent, MODERATOR) and not room.table().moderator_plays()
    assert "Ruling 2" in _to(_go(room, MODERATOR, "note Fine"), MODERATOR)


def test_words_that_waited_for_leave_go_with_the_old_player(room: Room) -> None:
    """The newcomer's `send it` sends nothing of theirs."""
    room.found("bo", "gwen")
    _go(room, BO, "gm: a secret of mine")
    _go(room, MODERATOR, "replace Bo by fay@example.org")
    _take(room, FAY, "yes")
    sent = _go(room, FAY, "send it")
    assert "secret" not in "".join(text for _, text in sent)


def test_a_game_that_was_handed_on_is_read_again_and_replays(taken: Room) -> None:
    """From the journal, and from the start of the next phase."""
    taken.sweep(timedelta(days=4))
    before: Any = taken.table()
    taken.reopen()
    after = taken.table()
    assert (after.seats, after.past, after.sets.hand) == (before.seats, before.past, before.sets.hand)
    assert list(after.past[SEAT]) == [taken.arena.people.find(BO)]
    _replayed(taken)


def test_the_journal_says_which_ruling_the_yes_answers(taken: Room) -> None:
    """With the person; it comes of no mail, but of the phase that opened."""
    [entry] = [one for one in taken.table().log if isinstance(one, SeatHandedOn)]
    assert entry.ruling == 1 and entry.struck and entry.person == taken.arena.people.find(FAY)


def test_an_offer_that_comes_back_is_told_the_moderator(offered: Room) -> None:
    """Most likely the address was mistyped."""
    bounce(offered, next(raw for to, raw in offered.outbox.sent if to == FAY), recipient=FAY)
    offered.sweep()
    assert "whether they take over Bo could not be delivered" in flat(offered.last(MODERATOR))
    _go(offered, MODERATOR, "replace Bo by gus@example.org")
    assert [one.ruling.person for one in replace.offers(offered.table()).values()] == [offered.arena.people.find(GUS)]


def test_status_says_who_is_asked(offered: Room) -> None:
    """With the number that takes it back."""
    assert "Asked to take over Bo fay@example.org" in _to(_go(offered, MODERATOR, "status"), MODERATOR)


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Room]:
    """A tide in which Ada and Bo bid alike, and are asked in the middle of it what they add."""
    made = Room(tmp_path / "asking", {"harbour": TieBreak()})
    made.found("ada", "bo", "cy")
    for who, coins in ((ADA, 4), (BO, 4), (CY, 1)):
        made.write(who, f"bid {coins}")
    made.sweep()
    yield made
    made.arena.close()


def test_a_seat_goes_on_in_the_middle_of_a_phase(asking: Room) -> None:
    """Orders that have closed count, and the old player answers the question; the newcomer has the next phase."""
    _go(asking, BO, "bid 1\nwait")
    _go(asking, MODERATOR, "replace Bo by fay@example.org")
    assert "as soon as" in _to(_go(asking, FAY, "yes"), FAY) and _holder(asking) == BO
    _go(asking, MODERATOR, "set coins of Cy 2 because of a fine")
    _go(asking, ADA, "bid 2")
    _go(asking, BO, "bid 3\nready")
    asking.sweep(timedelta(seconds=1))
    report = (asking.root / "games" / "tide-1" / "phase-01" / "report.txt").read_text()
    assert "Bo takes" in report and asking.table().state.hulks[SEAT] == 1 and _holder(asking) == FAY
    assert asking.table().state.coins == {"ada": 10, "bo": 3, "cy": 2}
    _replayed(asking)


STEPS = st.sampled_from(
    ["bo bids", "bo bids with an old token", "fay bids", "fay says yes", "gus says yes", "gus bids"]
    + ["replace by fay", "replace by gus", "undo", "undo 1", "set", "deadline", "sweep", "crash", "reopen", "all bid"]
)
YESES = ["replace by fay", "bo bids", "fay says yes"]


@settings(max_examples=at_first(2))
@given(
    st.lists(STEPS, max_size=6).map(lambda steps: [*YESES[:1], *steps]) | st.lists(STEPS, min_size=3, max_size=12),
    st.integers(1, 60),
)
@example([*YESES, "bo bids with an old token", "fay bids", "undo 1", "deadline", "undo"], 30)
@example(["replace by fay", "crash", "fay says yes", "crash", "bo bids", "fay bids", "set", "undo"], 17)
@example(["all bid", "sweep", "replace by fay", "fay says yes", "sweep", "fay bids", "set", "undo 2", "gus bids"], 5)
def test_at_every_moment_one_persons_mail_acts_for_the_seat(steps: list[str], at: int) -> None:
    """Whatever comes in which order, and wherever we are killed; the journal gives the same state, and no address."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder) / "arena", {"harbour": TieBreak()})
        room.found("ada", "bo", "cy")
        for step in steps:
            room = _stepped(room, step, at)
            _one_acted(room)
        room.sweep()
        room.sweep(timedelta(days=1))
        _one_acted(room)
        if room.table().status != "over":
            _one_acts(room, Path(folder) / "copy")
        _replayed(room)
        assert (
            "@example.org" not in _journal(room)
            and "broken leg" not in _journal(room)
            and mail_audit.audit(room.arena).exact
        )
        room.arena.close()


def _stepped(room: Room, step: str, at: int) -> Room:
    """Let something happen; whoever has no letter cannot answer one. Mail waits for the next sweep."""
    who, _, what = step.partition(" ")
    address = f"{who}@example.org"
    if who in ("bo", "fay", "gus"):
        replies = _replies(room, address)
        if replies:
            is_old = what.endswith("old token")
            to = replies[len(replies) // 2 if is_old else -1].removeprefix("Reply-To: ")
            room.write(address, "yes" if what == "says yes" else f"bid {len(step) % 4}", to=to, subject="[tide-1] Tide")
        return room
    match step:
        case "replace by fay" | "replace by gus":
            room.write(MODERATOR, f"replace Bo by {step[-3:]}@example.org because of a broken leg")
        case "undo" | "undo 1":
            room.write(MODERATOR, step)
        case "set":
            room.write(MODERATOR, "set coins of Cy 5 because of a fine")
        case "all bid":
            for one in (ADA, BO, CY):
                room.write(one, "bid 2")
        case "reopen":
            room.reopen()
        case "crash":
            axe = Axe(at)
            with points(axe), contextlib.suppress(Killed):
                room.sweep()
            room.reopen()
    if step not in ("crash", "reopen"):
        swept = room.sweep(timedelta(days=4) if step == "deadline" else timedelta(minutes=1))
        assert not swept.troubles, swept.troubles
    return room


def _one_acted(room: Room) -> None:
    """Hold each mail that has acted for the seat to who had it then."""
    has = room.arena.people.find(BO)
    for entry in _entries(room):
        if isinstance(entry, SeatHandedOn):
            has = entry.person
        if isinstance(entry, OrdersReceived) and entry.seat == SEAT:
            kept = [room.root / "games" / "tide-1" / "post" / "in", room.root / "in"]
            raw = next(one.read_bytes() for place in kept if (one := place / f"{entry.cause}.eml").exists())
            assert room.arena.people.find(read(raw).senders[0]) == has
    assert room.table().seats[SEAT].person == has


def _entries(room: Room) -> list[Entry]:
    ending, found = FIRST_SUM, list[Entry]()
    for file in sorted((room.root / "games" / "tide-1").glob("phase-*/journal.toml")):
        decoded = decode(file.read_bytes(), ending)
        found += decoded.entries
        ending = decoded.sum
    return found


def _one_acts(room: Room, root: Path) -> None:
    """Let everybody who ever had to do with the seat write in a copy, by each address that they were ever given."""
    room.arena.close()
    copy = room.copied(root)
    room.arena = room.open()
    before = len(_entries(copy))
    for who in (BO, FAY, GUS):
        for place, reply in enumerate(_replies(copy, who)):
            copy.write(who, f"bid 1\n\nthis is {place}", to=reply.removeprefix("Reply-To: "), subject="[tide-1] Tide")
    copy.sweep(timedelta(seconds=1))
    acted = [one for one in _entries(copy)[before:] if isinstance(one, OrdersReceived) and one.seat == SEAT]
    senders = {read((copy.root / "games/tide-1/post/in" / f"{one.cause}.eml").read_bytes()).senders[0] for one in acted}
    assert senders == {_holder(copy)}
    copy.arena.close()


def _tries(room: Room, line: str = "address Bo is thief@example.net") -> list[tuple[str, str]]:
    """Let the moderator name another address for Bo, confirm from there, and return what was sent of it."""
    token = room.arena.token(room.table(), None)
    sent = _go(room, MODERATOR, line, to=reply_address(ARENA, "tide-1", token, plus=True))
    if "thief@example.net" in {to for to, _ in sent}:
        _go(room, "thief@example.net", "confirm", to=room.reply_to("thief@example.net"))
    return sent


@pytest.mark.parametrize("hours", [0, 30, 71, 97])
def test_a_moderator_who_plays_moves_no_players_letters(room: Room, hours: int) -> None:
    """At whatever instant: nobody is written to, Bo's mail counts as before, and no letter of his goes elsewhere."""
    room.found("ada", "bo", "gwen")
    _go(room, BO, "bid 3\nstanding on")
    room.sweep(timedelta(hours=hours))
    sent = _tries(room)
    assert {to for to, _ in sent} == {MODERATOR}
    assert "You play with them yourself" in sent[0][1] and "pbem address OLD thief@example.net" in sent[0][1]
    assert _holder(room) == BO and not room.letters("thief@example.net")
    assert room.arena.people.find("thief@example.net") is None


@pytest.mark.parametrize("part", ["seat", "moderator"])
def test_no_moderator_moves_letters_of_another_moderators_game(room: Room, part: str) -> None:
    """What one game may change in what the arena knows of a person ends where another game begins."""
    room.found("ada", "bo")
    other = {"seat": ("cy@example.org", ["bo@example.org", "dee@example.org"]), "moderator": (BO, ["cy@example.org"])}
    moderator, invited = other[part]
    found_game(
        room.arena, GameName("tide-9"), "harbour", moderator=moderator, invited=invited, seats=2, now=room.clock.now()
    )
    room.sweep()
    if part == "seat":
        room.write(BO, "join as Bo", to=room.reply_to(BO))
        room.sweep()
    sent = _tries(room)
    assert {to for to, _ in sent} == {MODERATOR} and "another moderator" in sent[0][1]
    assert _holder(room) == BO and not room.letters("thief@example.net")


@settings(max_examples=at_first(2))
@given(st.lists(st.sampled_from(["replace", "yes", "undo", "address", "bid", "ahead", "fay bids"]), max_size=7))
@example(["bid", "ahead", "replace", "yes", "fay bids", "undo"])
@example(["replace", "yes", "bid", "address"])
def test_nothing_that_a_playing_moderator_does_changes_the_open_phase(steps: list[str]) -> None:
    """Whatever is asked, agreed and taken back: what Bo sent is on hand, and what he sent ahead he alone has had."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder) / "arena", {"harbour": HarbourRules()})
        room.found("gwen", "ada", "bo", close="at deadline")
        said = 0
        ahead: tuple[str, ...] = ()
        for step in steps:
            rulings = {"replace": "replace Bo by fay@example.org", "undo": "undo", "address": f"address Bo is {GUS}"}
            asked = [to for to, _ in room.outbox.sent]
            if step in rulings:
                _go(room, MODERATOR, rulings[step], to=room.reply_to(MODERATOR, "You are the moderator"))
            elif step in ("yes", "fay bids"):
                if FAY in asked:
                    _go(room, FAY, "yes" if step == "yes" else "bid 9")
            elif step == "bid":
                said += 1
                _go(room, BO, f"bid {said}")
            else:
                ahead = ("bid 8",)
                _go(room, BO, "for Tide 2: bid 8")
            table = room.table()
            assert (table.sets.hand[SEAT].orders if SEAT in table.sets.hand else ()) == (
                (f"bid {said}",) if said else ()
            )
            assert table.number == 1 and _holder(room) == BO
        sent = len(room.outbox.sent)
        _opened(room)
        table = room.table()
        later = table.sets.hand[SEAT].orders if SEAT in table.sets.hand else ()
        assert later == (ahead if _holder(room) == BO else ()) and GUS not in [to for to, _ in room.outbox.sent]
        assert not any("bid 8" in text for to, text in _sent(room, sent) if to == FAY)


def _opened(room: Room) -> None:
    """Let the second phase open, and what is due with it be done."""
    while room.table().number == 1:
        room.sweep(timedelta(days=1))
    room.sweep(timedelta(seconds=1))
