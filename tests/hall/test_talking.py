"""Words to the moderator and from the moderator: who reads them, when they go, and that none of them is an order."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.hall.store.catalogue import rulesets_known, words_of
from pbem.letters.addressing import reply_address
from pbem.letters.reading import read
from pbem.testing.room import ARENA, MODERATOR
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO, CY = "ada@example.org", "bo@example.org", "cy@example.org"
GWEN = MODERATOR
A_MINUTE = timedelta(minutes=1)


def _sent(room: Room, since: int) -> list[tuple[str, str]]:
    """Return who got which letter since some place of the post, flattened."""
    return [(to, flat("\n".join(read(raw).body))) for to, raw in room.outbox.sent[since:]]


def _go(room: Room, who: str, text: str) -> list[tuple[str, str]]:
    """Let somebody write, sweep, and return what was sent."""
    since = len(room.outbox.sent)
    room.write(who, text)
    assert room.sweep().troubles == []
    return _sent(room, since)


@pytest.mark.parametrize(
    "head",
    ["gm:", "GM:", "To GM:", "moderator:", "To the moderator:", "the GM:", "game master:", "mod:", "press to gm:"],
)
def test_a_paragraph_goes_to_the_moderator_and_nobody_else_reads_it(room: Room, head: str) -> None:
    """It is no order, and holds nothing up: what stands beside it counts."""
    room.found("ada", "bo", "cy")
    sent = _go(room, ADA, f"bid 3\n\n{head} our daughter was born, can Fay take over?")
    assert [to for to, _ in sent] == [ADA, MODERATOR]
    (_, receipt), (_, words) = sent
    assert "On hand now: a bid of 3." in receipt and "Passed on to the moderator, and nobody else:" in receipt
    assert "From Ada" in words and "our daughter was born, can Fay take over?" in words and "| to Ada:" in words
    assert "| excuse Ada" in words
    assert room.table().moved(room.table().owing[0])


def test_a_paragraph_ends_at_a_blank_line_and_goes_on_over_lines(room: Room) -> None:
    """Both lines are passed on; what stands below the blank line is read."""
    room.found("ada", "bo")
    (_, receipt), (_, words) = _go(room, ADA, "gm: I am late.\nSorry for that!\n\nbid 2")
    assert "I am late." in words and "Sorry for that!" in words and "bid 2" not in words
    assert "a bid of 2" in receipt


def test_an_order_in_a_paragraph_to_the_moderator_is_named_and_holds_the_set_up(room: Room) -> None:
    """Nobody gave it as an order in so many words; it is passed on with the others, and asked about."""
    room.found("ada", "bo")
    (_, receipt), (_, words) = _go(room, ADA, "bid 2\n\ngm: sorry\nbid 4")
    assert "bid 4" in words and "It stands in your words to the moderator" in receipt
    table = room.table()
    ada = table.owing[0]
    assert table.sets.hand[ada].orders == ("bid 2",) and not table.moved(ada)


def test_words_to_the_moderator_without_words_are_refused(room: Room) -> None:
    """And nothing goes to the moderator."""
    room.found("ada", "bo")
    sent = _go(room, ADA, "gm:\n\nbid 2")
    assert [to for to, _ in sent] == [ADA] and "There are no words behind it" in sent[0][1]


def test_a_few_a_day_go_one_by_one_and_the_rest_with_the_next_letter(room: Room) -> None:
    """After six hours at the latest; the receipt says which."""
    room.found("ada", "bo")
    for text in ("one", "two", "three"):
        assert [to for to, _ in _go(room, ADA, f"gm: {text}")] == [ADA, MODERATOR]
    for text in ("four", "five"):
        sent = _go(room, ADA, f"gm: {text}")
        assert [to for to, _ in sent] == [ADA] and "with the next letter" in sent[0][1]
    assert [to for to, _ in _go(room, BO, "gm: six")] == [BO, MODERATOR]  # whoever writes much silences nobody
    _, *others = _go(room, MODERATOR, "status")
    assert others == [] and ": four" in room.last(MODERATOR) and ": five" in room.last(MODERATOR)
    _go(room, ADA, "gm: seven")
    since = len(room.outbox.sent)
    room.sweep(timedelta(hours=5))
    assert _sent(room, since) == []
    room.sweep(timedelta(hours=1))
    [(to, words)] = _sent(room, since)
    assert to == MODERATOR and ": seven" in words and ": four" not in words
    room.sweep(timedelta(hours=7))
    assert len(_sent(room, since)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "Our daughter was born, can Fay take over?",
        "I am on holiday until Monday and cannot write.",
        "Gwen, how do ties work here?",
        "Ich bin bis Freitag krank.",
    ],
)
def test_what_is_plainly_for_the_moderator_goes_by_itself(room: Room, said: str) -> None:
    """With the next letter; the receipt says so. The word private keeps it back."""
    room.found("ada", "bo")
    sent = _go(room, ADA, f"{said}\n\nbid 2")
    assert [to for to, _ in sent] == [ADA] and "I show to the moderator too" in sent[0][1]
    _go(room, BO, f"{said} (private)")
    _go(room, MODERATOR, "status")
    assert room.last(MODERATOR).count("writes to you:") == 1 and flat(said) in flat(room.last(MODERATOR))


def test_thanks_and_weather_go_to_nobody(room: Room) -> None:
    """The moderator asked for none of it."""
    room.found("ada", "bo")
    _go(room, ADA, "Hi all,\nLovely weather here in Rome.\n\nbid 2\n\nthanks")
    _go(room, MODERATOR, "status")
    assert "writes to you" not in room.last(MODERATOR)


def test_a_moderator_who_plays_hears_nothing_without_leave(room: Room) -> None:
    """They would read it as an opponent: it waits for `send it`, whether it was addressed to them or not."""
    room.found("ada", "gwen")
    for said in ("gm: is a bid of 4 wise?", "Is a bid of 4 wise, dear moderator?"):
        sent = _go(room, ADA, said)
        assert [to for to, _ in sent] == [ADA] and "The moderator plays in this game" in sent[0][1]
        since = len(room.outbox.sent)
        room.sweep(timedelta(hours=7))
        assert _sent(room, since) == []
        assert [to for to, _ in _go(room, ADA, "send it")] == [ADA, MODERATOR]
        assert "wise" in room.last(MODERATOR)
    assert "Not taken" in _go(room, ADA, "send it")[0][1]


def _as(room: Room, seat: str) -> str:
    """Return the address at which mail acts for a seat now, "" for the moderator."""
    return reply_address(ARENA, "tide-1", room.arena.token(room.table(), Seat(seat) if seat else None), plus=True)


def _tide(room: Room) -> None:
    """Play a phase of the two, approve what is to be approved, and see the next one open, or the end."""
    number = room.table().number
    for who, seat in ((ADA, "ada"), (GWEN, "gwen")):
        room.write(who, f"bid {1 if who == ADA else 2}", to=_as(room, seat), subject="Re: it")
    room.sweep()
    for _ in range(3):
        if room.table().status == "closed":
            room.write(GWEN, f"approve {room.table().proof}", to=_as(room, ""), subject="Re: it")
        room.sweep(timedelta(minutes=40))
    assert room.table().status == "over" or (room.table().number, room.table().status) == (number + 1, "open")


def _rule(room: Room, line: str) -> None:
    """Let the moderator rule, who plays."""
    room.write(GWEN, line, to=_as(room, ""), subject="Re: it")
    room.sweep()


@pytest.mark.parametrize("old_letter", [False, True])
def test_what_waits_for_leave_waits_in_later_phases(room: Room, old_letter: bool) -> None:
    """In answer to an older letter too, for it is no order; the answer says what went."""
    room.found("ada", "gwen")
    assert "two weeks" in _go(room, ADA, "gm: is a bid of 4 wise?")[0][1]
    letter = room.reply_to(ADA)
    _tide(room)
    since = len(room.outbox.sent)
    room.write(ADA, "send it", to=letter if old_letter else "")
    room.sweep()
    (to, receipt), (moderator, words) = _sent(room, since)
    assert (to, moderator) == (ADA, GWEN) and "is a bid of 4 wise?" in words
    assert "Passed on to the moderator" in receipt and "is a bid of 4 wise?" in receipt
    assert not room.table().unsent.get(room.table().owing[0])


@pytest.mark.parametrize("said", ["private", "Private!", "keep it back", "don't send it", "cancel my words"])
def test_what_waits_for_leave_can_be_dropped(room: Room, said: str) -> None:
    """Then `send it` finds nothing; the set on hand stands all the while, and so does a phase of its own."""
    room.found("ada", "gwen")
    _go(room, ADA, "bid 2\n\ngm: is a bid of 4 wise?")
    [(to, receipt)] = _go(room, ADA, said)
    assert to == ADA and receipt.startswith("Dropped: the moderator hears nothing of it.")
    assert "is a bid of 4 wise?" in receipt and "a bid of 2" in receipt
    [(to, receipt)] = _go(room, ADA, "send it")
    assert to == ADA and "Not taken" in receipt
    room.sweep(timedelta(hours=7))
    assert not [text for to, text in _sent(room, 0) if to == GWEN and "wise" in text]


def test_who_says_both_sends_nothing(room: Room) -> None:
    """What was not sent can be said again."""
    room.found("ada", "gwen")
    _go(room, ADA, "gm: is a bid of 4 wise?")
    assert [to for to, _ in _go(room, ADA, "send it\nprivate")] == [ADA]


def test_the_newest_few_texts_wait_and_nothing_waits_for_ever(room: Room) -> None:
    """The receipt shows all that would go, and what goes without; two weeks on a new phase has none of it."""
    room.found("ada", "gwen")
    for number in range(6):
        receipt = _go(room, ADA, f"gm: my plan {number}")[0][1]
    assert "my plan 1" in receipt.partition("Waits no more")[0]
    assert "my plan 0" in receipt.partition("Waits no more")[2]
    _go(room, ADA, "gm: my plan 5")
    seat = room.table().owing[0]
    assert [one.text for one in room.table().unsent[seat]] == [f"my plan {number}" for number in range(1, 6)]
    _rule(room, "pause")
    room.sweep(timedelta(days=15))
    assert len(room.table().unsent[seat]) == 5
    _rule(room, "resume")
    _tide(room)
    assert not room.table().unsent and "Not taken" in _go(room, ADA, "send it")[0][1]


def test_what_waits_ends_with_the_game(room: Room) -> None:
    """Nobody can send it by a slip of the pen a year later."""
    room.found("ada", "gwen")
    _go(room, ADA, "gm: is a bid of 4 wise?")
    while room.table().status != "over":
        _tide(room)
    assert [to for to, _ in _go(room, ADA, "send it")] == [ADA]


STEPS = st.lists(st.sampled_from(["words", "send it", "private", "bid", "tide", "undo", "days"]), max_size=9)


@given(STEPS)
def test_words_that_wait_go_once_and_only_with_leave(steps: list[str]) -> None:
    """Whatever mails and phases come between: all that waits goes with `send it`, and nothing does without."""
    with TemporaryDirectory() as folder:
        room = Room(Path(folder) / "arena")
        room.found("ada", "gwen", names={"ada": "Ada"})
        waits: list[str] = []
        gone: list[str] = []
        for number, step in enumerate(steps):
            if step == "words":
                said = f"plan{number}x"
                _go(room, ADA, f"gm: {said}")
                waits = [*waits, said][-5:]
            elif step == "send it":
                _go(room, ADA, "send it")
                gone, waits = [*gone, *waits], []
            elif step == "private":
                _go(room, ADA, "private")
                waits = []
            elif step == "bid":
                _go(room, ADA, "bid 1")
            elif step == "undo":
                _rule(room, "extend 24h")
                _rule(room, "undo")
            elif step == "days":
                room.reopen()
            elif room.table().number < 3:
                _tide(room)
            heard = " ".join(text for to, text in _sent(room, 0) if to == GWEN)
            assert set(re.findall(r"plan[0-9]x", heard)) == set(gone)
            assert [one.text for said in room.table().unsent.values() for one in said] == waits
        room.arena.close()


def test_the_moderators_words_go_to_those_they_name_alone(room: Room) -> None:
    """At once, a letter each; the echo says to whom; nothing of it is a ruling."""
    room.found("ada", "bo", "cy")
    sent = _go(room, MODERATOR, "Fine.\n\nto Ada and Cy: how lovely!\nFay is asked.\n\nextend 24h")
    told = {to: text for to, text in sent if "how lovely!" in text}
    assert set(told) == {MODERATOR, ADA, CY} and "Fay is asked." in told[CY] and "| gm: YOUR WORDS" in told[ADA]
    assert "Passed on to Ada and Cy, and nobody else:" in told[MODERATOR]
    assert room.table().ruled == 1


def test_a_block_of_words_runs_to_its_end(room: Room) -> None:
    """Blank lines are part of it; without an end nothing of it is sent, and nothing below it is done."""
    room.found("ada", "bo")
    _go(room, MODERATOR, "to Ada:\nhello\n\nthere\nend\nextend 24h")
    told = [text for to, text in _sent(room, 0) if to == ADA and "From the moderator" in text]
    assert len(told) == 1 and ": hello : : there" in told[0] and room.table().ruled == 1
    sent = _go(room, MODERATOR, "to Ada:\nhello\n\nextend 24h")
    assert [to for to, _ in sent] == [MODERATOR] and "These words have no end" in sent[0][1]
    assert "Not done, since the words to players above it have no end." in sent[0][1] and room.table().ruled == 1


def test_a_ruling_among_words_is_neither_done_nor_sent(room: Room) -> None:
    """Nobody can say which of the two is meant."""
    room.found("ada", "bo")
    for text in ("to Ada: fine\nextend 24h", "to Ada:\nfine\nextend 24h\nend", "to all: fine\nextend 24h"):
        sent = _go(room, MODERATOR, text)
        assert [to for to, _ in sent] == [MODERATOR] and "which reads as a ruling" in sent[0][1]
    assert room.table().ruled == 0 and room.table().announced == ()


@pytest.mark.parametrize(
    "said", ["To be honest I like it.", "To all of you who wait I say hello.", "Now that was fun."]
)
def test_chat_that_begins_like_words_to_somebody_goes_to_nobody(room: Room, said: str) -> None:
    """It is passed over, as all chat of a moderator's."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, said)
    room.sweep(timedelta(minutes=20))
    assert [to for to, _ in sent] == [MODERATOR] and "Passed over" in sent[0][1]
    assert not [to for to, text in _sent(room, 0) if to != MODERATOR and "From the moderator" in text]


def test_words_to_nobody_we_know_are_not_sent(room: Room) -> None:
    """With the names that would do."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, "to Adda: your bid was late")
    assert [to for to, _ in sent] == [MODERATOR] and "Did you mean Ada?" in sent[0][1]


def test_words_to_all_leave_after_ten_minutes_or_are_taken_back(room: Room) -> None:
    """The echo shows them as they will stand; `undo` is in time until then, and `now` sends them at once."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, "to all: The server moves tonight.")
    assert [to for to, _ in sent] == [MODERATOR] and ": The server moves tonight." in sent[0][1]
    since = len(room.outbox.sent)
    room.sweep(timedelta(minutes=8))
    assert _sent(room, since) == []
    room.sweep(timedelta(minutes=2))
    assert [to for to, text in _sent(room, since) if "The server moves tonight." in text] == [ADA, BO]
    assert "have gone out" in _go(room, MODERATOR, "undo 1")[0][1]
    _go(room, MODERATOR, "to everybody: Never mind.")
    _go(room, MODERATOR, "undo")
    since = len(room.outbox.sent)
    room.sweep(timedelta(minutes=30))
    assert _sent(room, since) == []
    _go(room, MODERATOR, "to all:\nDinner\n\nis ready.\nend")
    since = len(room.outbox.sent)
    _go(room, MODERATOR, "now")
    room.sweep()
    assert [to for to, text in _sent(room, since) if "is ready." in text] == [ADA, BO]
    assert "Nothing of yours waits" in _go(room, MODERATOR, "now")[0][1]


def test_words_to_all_go_with_the_report_that_comes_first(room: Room) -> None:
    """A phase that is published does not lose them."""
    room.found("ada", "bo")
    room.write(ADA, "bid 1")
    room.sweep()
    _go(room, MODERATOR, "to all: Last round soon.")
    room.write(BO, "bid 2")
    since = len(room.outbox.sent)
    for _ in range(4):
        room.sweep(timedelta(minutes=2))
        if room.table().status == "closed":
            room.write(MODERATOR, f"approve {room.table().proof}")
    assert room.table().number == 2
    assert [to for to, text in _sent(room, since) if "Last round soon." in text] == [ADA, BO]


def test_words_cross_the_end_of_a_game(room: Room) -> None:
    """A player can still say goodbye to the moderator, and the moderator answer."""
    room.found("ada", "bo")
    for _ in range(20):
        if room.table().status == "over":
            break
        for who, bid in ((ADA, 1), (BO, 2)):
            room.write(who, f"bid {bid}")
        room.sweep()
        if room.table().status == "closed":
            room.write(MODERATOR, f"approve {room.table().proof}")
            room.sweep()
    assert room.table().status == "over"
    assert [to for to, _ in _go(room, ADA, "gm: thank you for all the work")] == [ADA, MODERATOR]
    assert ADA in [to for to, text in _go(room, MODERATOR, "to Ada: welcome!") if "welcome!" in text]


def test_a_game_with_words_in_it_replays(room: Room) -> None:
    """What was said is in the journal, and folds to the same in a fresh process."""
    room.found("ada", "bo")
    _go(room, ADA, "gm: hello\n\nbid 2")
    _go(room, MODERATOR, "to all: hello\n\nto Ada: you too")
    held = room.table()
    room.reopen()
    table = room.table()
    assert (table.head, table.announced, table.heard) == (held.head, held.announced, held.heard)
    room.sweep(timedelta(minutes=11))
    assert "hello" in room.last(BO)


@pytest.mark.parametrize("said", some(3, ["wait", "cancel", "not yet", "ready", "standing on", "bid 4"]))
def test_what_asks_for_something_in_a_paragraph_to_the_moderator_holds_the_set_up(room: Room, said: str) -> None:
    """It is passed on, named, and the phase does not close over it."""
    room.found("ada", "bo")
    _go(room, BO, "bid 1")
    for text in (f"bid 2\n\ngm: sorry\n{said}", f"bid 2\n\ngm: {'so late ' * 8}with this\n{said}\nthanks"):
        receipt = _go(room, ADA, text)[0][1]
        assert f"not read {said}" in receipt and room.table().status == "open" and room.table().number == 1


@pytest.mark.parametrize("head", ["press to all: hello folks", "press to all:\nhello"])
def test_words_to_the_moderator_are_no_part_of_press(room: Room, head: str) -> None:
    """What stands between press and its end is for one of the two, and never for everybody."""
    room.found("ada", "bo")
    _go(room, ADA, f"{head}\n\ngm: my secret\nend press")
    room.sweep()
    assert not [text for to, text in _sent(room, 0) if to == BO and "my secret" in text]


def test_words_above_a_quotation_go_to_whom_they_name(room: Room) -> None:
    """They are no mail program's line above it; the ruling below them is done, or asked about."""
    room.found("ada", "bo", "cy")
    _go(room, ADA, "gm: my bid was a bluff")
    sent = _go(room, MODERATOR, "to Bo:\n> : my bid was a bluff\nkeep it quiet\nend\nextend 24h")
    assert [to for to, said in sent if "From the moderator" in said] == [BO] and room.table().ruled == 1
    sent = _go(room, MODERATOR, "to Bo: look what she wrote:\n> : my bid was a bluff\n\nextend 24h")
    assert [to for to, _ in sent] == [MODERATOR] and "which reads as a ruling" in sent[0][1]


def test_a_ruling_below_long_words_is_not_sent_with_them(room: Room) -> None:
    """However much the line break looks like a mail program's."""
    room.found("ada", "bo")
    line = "to Ada: this is a long line which is somewhat near the limit of seventy"
    sent = _go(room, MODERATOR, f"{line}\nextend 24h because Ada asked")
    assert [to for to, _ in sent] == [MODERATOR] and "which reads as a ruling" in sent[0][1]


def test_a_moderator_who_takes_a_seat_reads_nothing_that_waited(room: Room) -> None:
    """It was said to somebody who did not play; now it waits for leave."""
    room.invite("ada", "bo", "gwen")
    _go(room, ADA, "join as Ada")
    for number in range(5):
        _go(room, ADA, f"gm: plan {number}")
    room.write(MODERATOR, "join as Gwen", to=room.reply_to(MODERATOR, "join"))
    room.sweep()
    assert room.table().moderator_plays()
    _go(room, BO, "join as Bo")
    room.sweep(timedelta(hours=7))
    assert not [text for to, text in _sent(room, 0) if to == MODERATOR and "plan 4" in text]


def test_nobody_is_called_all_players(room: Room) -> None:
    """What is said to them would go to everybody."""
    room.invite("ada", "bo")
    assert "Ada" not in str(_go(room, ADA, "join as All players")[-1][1]) and room.table().seats == {}


def test_an_order_said_to_the_moderator_is_named(room: Room) -> None:
    """Whoever writes `gm:` before an order may mean it as one."""
    room.found("ada", "bo")
    _go(room, BO, "bid 1")
    receipt = _go(room, ADA, "bid 2\n\ngm: bid 7")[0][1]
    assert "not read bid 7" in receipt and room.table().status == "open" and room.table().number == 1


@pytest.mark.parametrize("said", ["- extend 24h", "1. extend 24h", "please extend 24h", "extend 24h, thanks"])
def test_a_ruling_is_told_from_words_whatever_stands_around_it(room: Room, said: str) -> None:
    """Marks of a list and kind words make it no part of what is said to a player."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, f"to Ada: fine\n{said}")
    assert [to for to, _ in sent] == [MODERATOR] and "which reads as a ruling" in sent[0][1]


def test_a_yes_in_free_words_to_the_moderators_words_is_for_them(room: Room) -> None:
    """It settles no orders, and the moderator reads it."""
    room.found("ada", "bo")
    _go(room, ADA, "bid 4\n\nperhaps rather not, we will see what Bo does")
    _go(room, MODERATOR, "to Ada: Would you like a day more to think?")
    assert "Passed on to the moderator" in _go(room, ADA, "Sure, sounds good!")[0][1]
    assert room.table().sets.hand["ada"].doubtful


def test_a_bare_yes_to_the_moderators_words_settles_no_orders(room: Room) -> None:
    """It is asked about, and the phase stays open; `yes, they stand` can only mean the orders."""
    room.found("ada", "bo")
    _go(room, BO, "bid 1")
    _go(room, ADA, "bid 4\n\nperhaps rather not, we will see what Bo does")
    _go(room, MODERATOR, "to Ada: Would you like a day more to think?")
    assert "You answer the moderator's words" in _go(room, ADA, "Yes")[0][1]
    assert room.table().number == 1 and room.table().status == "open"
    _go(room, MODERATOR, "to Ada: So your bid of 4 stands?")
    _go(room, ADA, "yes, they stand")
    assert (room.table().number, room.table().status) != (1, "open")


def test_the_answer_to_several_rulings_says_what_becomes_of_words_to_all(room: Room) -> None:
    """Taken back in the same mail they are not promised; hurried they go now; in a test they would go."""
    room.found("ada", "bo")
    assert "in ten minutes" not in _go(room, MODERATOR, "to all: hello\n\nundo")[0][1]
    assert "Goes to all players now" in _go(room, MODERATOR, "to all: hello\n\nnow")[0][1]
    sent = _go(room, MODERATOR, "test\n\nto Ada: hello\n\nto all: the tide turns")
    assert "Would go to all players" in sent[-1][1] and "Would go to Ada, and nobody else:" in sent[-1][1]
    since = len(room.outbox.sent)
    room.sweep(timedelta(minutes=30))
    assert not [text for to, text in _sent(room, since) if "the tide turns" in text]


def test_after_the_end_talk_goes_at_once_and_words_to_all_can_be_taken_back(room: Room) -> None:
    """No other letter comes that could have the first, and nothing is ruled any more but that."""
    room.found("ada", "bo")
    while room.table().status != "over":
        for who, bid in ((ADA, 1), (BO, 2)):
            room.write(who, f"bid {bid}")
        if room.table().status == "closed":
            room.write(MODERATOR, f"approve {room.table().proof}")
        room.sweep()
    sent = _go(room, ADA, "Shall we play again, dear moderator?")
    assert [to for to, _ in sent] == [ADA, MODERATOR] and "Passed on to the moderator" in sent[0][1]
    _go(room, MODERATOR, "to all: bye")
    assert "Not taken" not in _go(room, MODERATOR, "undo")[0][1]
    since = len(room.outbox.sent)
    room.sweep(timedelta(minutes=30))
    assert _sent(room, since) == []


@pytest.fixture
def brawl(tmp_path: Path) -> Iterator[Room]:
    """A brawl of two, in its first round."""
    known = rulesets_known()
    room = Room(tmp_path / "arena", known, words_of(known.values()))
    room.found("ada", "bo", ruleset="brawl", name="pub-1")
    yield room
    room.arena.close()


def test_what_is_for_the_moderator_is_no_fault(brawl: Room) -> None:
    """It is refused as no order, alone or beside orders; over a set on hand it waits for a yes, as other talk does."""
    (_, receipt), *others = _go(brawl, ADA, "Hi Gwen, our daughter was born! Can Fay take over for me?")
    assert "Not taken" not in receipt and "I cannot read" not in receipt and "I show to the moderator too" in receipt
    assert others == []
    _go(brawl, ADA, "regain with a")
    receipt = _go(brawl, ADA, "Can Fay take over for me?")[0][1]
    assert receipt.startswith("Your orders on hand stand, but I am not sure about 1 line.")


@pytest.mark.parametrize("said", ["attack Bo?", "a hits nobody at all?", "regain with q, or not?"])
def test_an_order_that_asks_is_complained_of_all_the_same(brawl: Room, said: str) -> None:
    """The moderator may read it too; whoever wrote it may have meant it."""
    assert "Not taken" in _go(brawl, ADA, said)[0][1]


def test_all_of_what_is_said_before_the_game_begins_goes_to_the_moderator(room: Room) -> None:
    """Nothing can be ordered then, so that every line is talk."""
    room.invite("ada", "bo")
    _go(room, ADA, "join as Ada")
    _go(room, ADA, "Hello Gwen,\nI have a wish.\nCould we begin a week later?")
    _go(room, MODERATOR, "status")
    assert "I have a wish. : Could we begin a week later?" in flat(room.last(MODERATOR))


def test_the_answer_names_the_words_to_all_that_undo_takes_back(room: Room) -> None:
    """Another ruling of the mail may be the latest."""
    room.found("ada", "bo")
    sent = _go(room, MODERATOR, "to all: hello\n\nextend 24h")
    assert "| undo 1" in sent[0][1]
    _go(room, MODERATOR, "undo 1")
    since = len(room.outbox.sent)
    room.sweep(timedelta(minutes=30))
    assert _sent(room, since) == []


def test_a_headline_and_a_story_stand_above_the_report(room: Room) -> None:
    """In the words of the moderator, each a paragraph, the latest headline alone; no reader takes them for orders."""
    room.invite("ada", "bo")
    assert "The game has not begun" in _go(room, MODERATOR, "headline: Early fog")[0][1]
    for who in ("ada", "bo"):
        _go(room, f"{who}@example.org", f"join as {who.capitalize()}")
    _go(room, MODERATOR, "headline: Fog over the harbour\n\nstory: Nobody saw the tugs leave.\nNobody but one.")
    _go(room, MODERATOR, "headline: Two tugs in the fog")
    assert room.table().ruled == 3
    for who in (ADA, BO):
        room.write(who, "bid 2")
    room.sweep()
    for _ in range(3):
        if room.table().status == "closed":
            room.write(MODERATOR, f"approve {room.table().proof}")
        room.sweep(timedelta(minutes=3))
    report = next("\n".join(letter.body) for letter in room.letters(ADA) if "TIDE 1" in "\n".join(letter.body)[:60])
    assert "\n: Two tugs in the fog\n\n: Nobody saw the tugs leave.\n: Nobody but one.\n" in report
    assert "Fog over the harbour" not in report and "Ruling 1: headline" not in report


@pytest.mark.parametrize("said", ["Headlines are fun.", "Story time later!", "A story: it rained."])
def test_chat_about_stories_is_in_no_report(room: Room, said: str) -> None:
    """Only what stands behind `headline:` or `story:` is."""
    room.found("ada", "bo")
    assert "Passed over" in _go(room, MODERATOR, said)[0][1] and room.table().ruled == 0


def test_a_reply_to_words_goes_to_whoever_said_them(room: Room) -> None:
    """Rulings in it are done; what answers another letter, or has a line that is refused, goes to nobody."""
    room.found("ada", "bo")
    words = _go(room, ADA, "gm: our daughter was born, can Fay take over?")[1][1]
    assert "What you reply to this letter goes to Ada alone" in words
    sent = _go(room, MODERATOR, "Congratulations!\nI shall ask Fay.\n\nextend 24h")
    told = [text for to, text in sent if to == ADA and "I shall ask Fay." in text]
    assert len(told) == 1 and "Congratulations!" in told[0] and room.table().ruled == 1
    assert not [text for to, text in sent if to == BO and "Fay" in text]
    assert [to for to, _ in _go(room, MODERATOR, "I like Fay.")] == [MODERATOR]  # answers the echo
    _go(room, ADA, "gm: and now?")
    sent = _go(room, MODERATOR, "Let us see.\n\nextnd 24h")
    assert [to for to, _ in sent] == [MODERATOR] and "Let us see." in sent[0][1]


def _next_phase(room: Room) -> None:
    """Let the phase end, with the moderator's word where its report waits for that."""
    number = room.table().number
    for _ in range(5):
        room.sweep(timedelta(hours=80))
        if room.table().status == "closed":
            room.write(MODERATOR, f"approve {room.table().proof}")
        if room.table().number > number or room.table().status == "over":
            return
    raise AssertionError("the phase did not end")


@pytest.mark.parametrize("phases", [1, 2])
@pytest.mark.parametrize(
    "said", some(3, ["I shall ask Fay.", "to Ada: I shall ask Fay.", "to all: I shall ask Fay.\n\nnow"])
)
def test_words_are_answered_in_any_later_phase(room: Room, phases: int, said: str) -> None:
    """What is said to players is about no phase; a ruling in such a mail is too late all the same."""
    room.found("ada", "bo")
    _go(room, ADA, "gm: our daughter was born, can Fay take over?")
    words = [raw for to, raw in room.outbox.sent if to == MODERATOR][-1]
    for _ in range(phases):
        _next_phase(room)
    room.reopen()
    since = len(room.outbox.sent)
    room.write(MODERATOR, said, answering=words)
    assert not room.sweep().troubles
    heard = [to for to, text in _sent(room, since) if "I shall ask Fay." in text and to != MODERATOR]
    assert sorted(heard) == ([ADA, BO] if said.startswith("to all") else [ADA])
    room.write(MODERATOR, "extend 24h", answering=words)
    room.sweep()
    assert "That was about a phase that is published." in flat(room.last(MODERATOR))


@pytest.mark.parametrize("said", ["I shall ask Fay.", "to Ada: I shall ask Fay.", "to all: I shall ask Fay."])
def test_an_old_token_alone_speaks_to_nobody(room: Room, said: str) -> None:
    """Letters of before are forwarded and quoted: where no server vouches for the mail the moderator is asked."""
    room.found("ada", "bo", authentication="nobody")
    _go(room, ADA, "gm: can Fay take over?")
    words = [raw for to, raw in room.outbox.sent if to == MODERATOR][-1]
    _next_phase(room)
    mail = room.write(MODERATOR, said, answering=words)
    room.mailbox.waiting.remove(mail)
    room.mailbox.deliver(mail.raw.replace(b"dmarc=pass", b"dmarc=none"), mail.arrived)
    since = len(room.outbox.sent)
    room.sweep(timedelta(minutes=15))
    assert [to for to, _ in _sent(room, since)] == [MODERATOR]
    held = flat(room.last(MODERATOR))
    assert "in answer to a letter of a phase that is over, so I keep it" in held
    room.write(MODERATOR, re.search(r"confirm \d+", held)[0])  # type: ignore[index]
    for _ in range(2):
        room.sweep(timedelta(minutes=15))
    assert [to for to, text in _sent(room, since) if "I shall ask Fay." in text and to == ADA] == [ADA]


@pytest.mark.parametrize("phases", [0, 1])
def test_words_of_who_has_left_are_answered_to_nobody(room: Room, phases: int) -> None:
    """Whoever has the seat now has not said them."""
    room.found("ada", "bo")
    _go(room, ADA, "gm: I am leaving, and my reasons are mine.")
    words = [raw for to, raw in room.outbox.sent if to == MODERATOR][-1]
    for place in range(2):
        if place == phases:
            room.write(MODERATOR, "replace Ada by fay@example.org")
            room.sweep()
            room.write("fay@example.org", "yes")
            room.sweep()
            _go(room, "bo@example.org", "bid 1")
            _next_phase(room)
            room.sweep(timedelta(seconds=1))
            assert room.table().past
        if place < phases:
            _next_phase(room)
    since = len(room.outbox.sent)
    room.write(MODERATOR, "I am sorry to hear that.", answering=words)
    room.sweep()
    told = [(to, text) for to, text in _sent(room, since) if "I am sorry to hear that." in text]
    assert [to for to, _ in told] == [MODERATOR] and "somebody who has no seat any more" in told[0][1]


@pytest.mark.parametrize(
    "line",
    some(4, [
        "press to Bo: do not tell Ada", "tell Bo: beware of Ada", "private: Ada is a pest", "gm: a note to myself",
        "Dear Bo, Ada asks for you", "Bo, she is up to something", "Hi all, Ada is away", "to Bob: hm",
        "I am currently out of the office until Monday.", "Automatic reply: I'm on vacation", "cc Bo: see below",
        "everybody: hush",
        "P.S. to Bo: your bid of 4 stands",
        "My dear Bo, your bid of 4 is on hand",
        "Sorry Bo, your bid of 4 was late",
        "sorry bo, your bid of 4 was late",
        "[private] Ada cheats, I think",
        "To everyone, hello",
        "Hey there Bo, psst",
        "@all hello",
        "Hi Bo and Ada, both of you",
        "announce: Ada is sick",
        "Your bid of 4 stands, Bo.",
        "Cy/Bo: hm",
    ]),
)  # fmt: skip
def test_a_reply_that_may_be_for_others_goes_to_nobody(room: Room, line: str) -> None:
    """The moderator is told how to say it to the player alone, and all stands as before."""
    room.found("ada", "bo")
    _go(room, ADA, "gm: may I ask something?")
    sent = _go(room, MODERATOR, f"Well now.\n{line}\nSee you.")
    assert not [text for to, text in sent if to == ADA], sent
    assert [to for to, _ in sent] in ([MODERATOR], [MODERATOR, BO])


@pytest.mark.parametrize(
    "said",
    [
        "I heard the same of Bo.",
        "The deadline is Monday: be there.",
        "It is for you to say.",
        "All is well.",
        "Thanks!",
    ],
)
def test_a_reply_in_plain_words_is_passed_on(room: Room, said: str) -> None:
    """Names and colons in the midst of a sentence address nobody."""
    room.found("ada", "bo")
    _go(room, ADA, "gm: may I ask something?")
    sent = _go(room, MODERATOR, said)
    assert [text for to, text in sent if to == ADA and said in text], sent


def test_an_answer_to_the_moderators_words_goes_to_the_moderator(room: Room) -> None:
    """All talk of it; the word private keeps a line back; orders in it count; thanks alone are passed on."""
    room.found("ada", "bo")
    _go(room, MODERATOR, "to Ada: are you well?")
    receipt = _go(room, ADA, "Very well and fine.\nPrivate: I am not.\n\nbid 2")[0][1]
    assert "a bid of 2" in receipt and "Very well and fine." in receipt.partition("show to the moderator")[2]
    _go(room, MODERATOR, "status")
    heard = flat(room.last(MODERATOR))
    assert "Very well and fine." in heard and "I am not" not in heard
    _go(room, MODERATOR, "to Ada: good!")
    receipt = _go(room, ADA, "Thank you!")[0][1]
    assert receipt.startswith("Your words are for the moderator.")
    assert "Thank you" in receipt.partition("show to the moderator")[2]


@pytest.mark.parametrize("asked", ["rules", "rules\nextend 24h", "rules\nstatus", "status", "extend 24h"])
def test_what_waits_is_told_once_in_whatever_letter_comes_next(room: Room, asked: str) -> None:
    """Whatever the moderator asks for, and in however many letters it is answered."""
    room.found("ada", "bo")
    _go(room, ADA, "bid 2\n\nOur daughter was born, can Fay take over?")
    sent = _go(room, MODERATOR, asked)
    assert sum(text.count("can Fay take over?") for to, text in sent if to == MODERATOR) == 1, sent


def _offered(room: Room, said: str) -> list[str]:
    """Return the lines that stand ready to copy where Ada says something to the moderator, behind the answer."""
    since = len(room.outbox.sent)
    room.write(ADA, f"gm: {said}")
    assert room.sweep().troubles == []
    letters = [read(raw).body for to, raw in room.outbox.sent[since:] if to == MODERATOR]
    first, *others = [line[2:] for line in letters[-1] if line.startswith("| ")]
    assert first == "to Ada: YOUR WORDS" and len(others) <= 3, others
    return others


EXCUSE, EXTEND = "excuse Ada", "extend 24h"
WANTED = [
    ("our daughter was born, can Fay take over?", ["replace Ada by ADDRESS", EXCUSE, EXTEND]),
    ("can fay@example.org stand in for me?", ["replace Ada by fay@example.org", EXCUSE, EXTEND]),
    ("fay@example.org or eve@example.org could replace me.", ["replace Ada by ADDRESS", EXCUSE, EXTEND]),
    ("please replace me, but do not ask fay@example.org", ["replace Ada by ADDRESS", EXCUSE, EXTEND]),
    (
        "can fay@example.org stand in for me? Bo said so, and Bo moved to bob@example.net",
        ["replace Ada by ADDRESS", EXCUSE, EXTEND],
    ),
    ("my mailbox is full, my new address is ada@example.net", ["address Ada is ada@example.net"]),
    ("could we pause over Christmas?", ["pause"]),
    ("is the deadline too early for Bo?", [EXTEND, "deadline"]),
    ("I am ill.", [EXCUSE, EXTEND]),
    ("how do ties work?", []),
    (f"{'x' * 60}@example.org can take over", ["replace Ada by ADDRESS", EXCUSE, EXTEND]),
]


@pytest.mark.parametrize(("said", "wanted"), WANTED)
def test_what_would_grant_a_wish_stands_ready_to_copy(room: Room, said: str, wanted: list[str]) -> None:
    """As far as it fits: who asks about the rules is answered, and nothing more."""
    room.found("ada", "bo")
    offered = _offered(room, said)
    assert [line if not line.startswith("deadline") else "deadline" for line in offered] == wanted


@pytest.mark.parametrize("said", some(4, [said for said, _ in WANTED]))
def test_every_line_that_is_offered_can_be_carried_out(room: Room, said: str) -> None:
    """As it stands, with an address put in; no reason stands there, for a report prints those."""
    room.found("ada", "bo")
    for number, line in enumerate(_offered(room, said)):
        copied = line.replace("ADDRESS", f"eve{number}@example.org")
        room.write(MODERATOR, copied, to=_as(room, ""), subject="Re: it")
        room.sweep()
        echo = flat(room.last(MODERATOR))
        assert "Not taken" not in echo and "Passed over" not in echo, echo


def test_nothing_is_offered_that_cannot_be_done(room: Room) -> None:
    """Before the start there is nothing to take over, and no deadline."""
    room.invite("ada", "bo", seats=3)
    _go(room, ADA, "join as Ada")
    assert _offered(room, "can I drop out?") == ["eject Ada"]
    assert _offered(room, "my friend eve@example.org wants to play") == ["invite eve@example.org"]


def test_what_was_granted_is_not_offered_again(room: Room) -> None:
    """Nor anything once the game is over."""
    room.found("ada", "bo")
    _rule(room, "excuse Ada\npause")
    assert _offered(room, "I am ill, could we pause?") == [EXTEND]
    _rule(room, "resume\nextend 13 days")
    while room.table().status != "over":
        for who, bid in ((ADA, 1), (BO, 2)):
            room.write(who, f"bid {bid}", to=_as(room, who[:-12]), subject="Re: it")
        room.sweep(timedelta(minutes=40))
        if room.table().status == "closed":
            _rule(room, f"approve {room.table().proof}")
    assert _offered(room, "our daughter was born, can Fay take over?") == []
