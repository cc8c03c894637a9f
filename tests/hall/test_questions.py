"""Questions in the middle of a phase: to those alone who are asked, with a deadline of their own."""

import email
import shutil
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import Seat
from pbem.hall.commands import replay_check, status
from pbem.ruleset import Fact, Refused, phrases
from pbem.table.fold.journal import PhaseClosed, QuestionAsked
from tests.conftest import Room, flat
from tests.depth import some
from tests.harbour import Bid, Bids, Harbour
from tests.harbour.tiebreak import Tie, TieBreak

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Room]:
    """Lend an arena whose harbour asks."""
    room = Room(tmp_path / "arena", {"harbour": TieBreak()})
    yield room
    room.arena.close()


@pytest.fixture
def room(rooms: Room) -> Room:
    """Return it with a game of three in which Ada and Bo have bid alike, and are asked."""
    rooms.found("ada", "bo", "cy")
    bid(rooms, ada=4, bo=4, cy=1)
    return rooms


def bid(room: Room, **coins: int) -> None:
    """Let players bid."""
    for name, many in coins.items():
        room.write(f"{name}@example.org", f"bid {many}")
    room.sweep()


def texts(room: Room, who: str, text: str) -> int:
    """Return how many letters to somebody hold a text."""
    return sum(text in flat("\n".join(letter.body)) for letter in room.letters(who))


def kinds(room: Room) -> list[str]:
    """Return the entries of the phase, by kind."""
    return [type(entry).__name__ for entry in room.table().log]


def test_only_those_who_are_asked_hear_of_it(room: Room) -> None:
    """Ada and Bo have a letter with the form; Cy and the moderator have none, and the phase has not moved on."""
    asked = flat(room.last(ADA))
    assert "before they are played you are asked something" in asked
    assert "You have 6 coins." in asked
    assert "~ bid ____" in room.last(BO)
    assert "question" not in room.last(CY)
    assert "question" not in room.last(GWEN)
    assert (room.table().number, room.table().title) == (1, "Tide 1")


@pytest.mark.parametrize(
    "said",
    some(
        4,
        ["bid 7", "status", "wait", "bid 7\nto Ada: who waits for whom?", "help", "cancel", "bid 7|cancel"]
        + ["bid 7|bid 8|cancel\ngm: sorry", "bid 7|status|back", "bid 7|ready", "bid 7|cancel|cancel|status"],
    ),
)
def test_who_is_not_asked_sees_a_closed_phase(rooms: Room, tmp_path: Path, said: str) -> None:
    """Whatever Cy writes, what he is told differs by no byte from what is told while a report waits for its review."""
    other = Room(tmp_path / "other", {"harbour": TieBreak()})
    letters = []
    for one, bo in ((rooms, 4), (other, 3)):
        one.found("ada", "bo", "cy", review=("tide",))
        bid(one, ada=4, bo=bo, cy=1)
        for mail in said.split("|"):
            one.write(CY, mail)
            one.sweep()
        letters.append(["\n".join(letter.body) for letter in one.letters(CY)])
    assert letters[0] == letters[1]
    assert rooms.table().sealed and rooms.table().sets.hand == {} and other.table().status == "closed"
    assert rooms.table().sets.late == other.table().sets.late or "cancel" not in said
    other.arena.close()


def test_press_of_somebody_who_is_not_asked_has_letters_of_its_own(room: Room) -> None:
    """Two that Cy sends while others are asked, and what was sent before, are told apart by mail programs."""
    for words in ("who waits", "for whom"):
        room.write(CY, f"press to all: {words}?")
        room.sweep()
    sent = [email.message_from_bytes(raw) for _, raw in room.outbox.sent]
    names = [(message["To"], message["Message-ID"]) for message in sent]
    assert len(names) == len(set(names))


def test_press_of_somebody_who_is_asked_names_them_as_all_know_them(
    rooms: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they will be called behind the phase is told with its report."""
    monkeypatch.setattr(TieBreak, "label", lambda self, state, seat: state.names[seat] + "!" * len(state.tied))
    rooms.found("ada", "bo", "cy")
    bid(rooms, ada=4, bo=4, cy=1)
    rooms.write(ADA, "press to all: hm")
    rooms.sweep()
    assert "Press from Ada!! to all" in rooms.last(BO)
    assert "Press from Ada to all" in rooms.last(CY)


def test_a_moderator_who_plays_hears_of_no_question_to_others(rooms: Room) -> None:
    """Neither in the status nor in the answer to a ruling; nor does anybody else hear that its deadline moved."""
    rooms.found("ada", "bo", "gwen")
    rooms.write(GWEN, "bid 1", to=rooms.reply_to(GWEN, "~ bid ____"))
    bid(rooms, ada=4, bo=4)
    assert rooms.table().sealed is not None
    sent = len(rooms.outbox.sent)
    rooms.write(GWEN, "status", to=rooms.reply_to(GWEN, "To the moderator"))
    rooms.sweep()
    told = flat(rooms.last(GWEN))
    assert "nothing asked" not in told
    assert "nothing yet" not in told
    assert len(rooms.outbox.sent) == sent + 1


@pytest.mark.parametrize(
    "said",
    some(4, ["extend 1d because of rain", "pause", "close now", "hold", "approve 1", "excuse Ada", "note hm", "undo", "test\npause",
     "set coins of Ada 3 because of rain", "deadline 2026-11-25 20:00", "resume"]),
)  # fmt: skip
def test_a_moderator_who_plays_rules_on_nothing_while_others_are_asked(rooms: Room, said: str) -> None:
    """The answer is the same whatever it is about, and says nothing of an open phase; the terminal neither."""
    rooms.found("ada", "bo", "gwen")
    rooms.write(GWEN, "bid 1", to=rooms.reply_to(GWEN, "~ bid ____"))
    bid(rooms, ada=4, bo=4)
    before = rooms.table()
    rooms.write(GWEN, said, to=rooms.reply_to(GWEN, "To the moderator"))
    rooms.sweep()
    told = flat(rooms.last(GWEN))
    assert "Tide 1 is closed, and its report is on its way." in told
    assert "open" not in told
    assert "Deadline" not in rooms.last(GWEN)
    assert (rooms.table().deadline, rooms.table().paused) == (before.deadline, None)
    facts = status.facts_of(rooms.table())
    assert (facts["status"], facts["title"], facts["deadline"]) == ("closed", "Tide 1", None)


def test_who_is_asked_hears_of_nobody_else_who_is(rooms: Room) -> None:
    """Neither how many are, nor who has answered; not even a moderator who plays, and is asked."""
    rooms.found("ada", "bo", "gwen")
    rooms.write(GWEN, "bid 4", to=rooms.reply_to(GWEN, "~ bid ____"))
    bid(rooms, ada=4, bo=1)
    rooms.write(ADA, "status")
    rooms.write(GWEN, "status", to=rooms.reply_to(GWEN, "To the moderator"))
    rooms.sweep()
    assert "Waiting for 1 of 1." in rooms.last(ADA)
    assert "Waiting for 1 of 1." in rooms.last(GWEN)
    states = {row["player"]: row["state"] for row in status.facts_of(rooms.table())["seats"]}
    assert states == {"Ada": "on hand", "Bo": "on hand", "Gwen": "nothing yet"}


def test_a_list_of_games_tells_a_moderator_who_plays_of_no_question_to_others(rooms: Room) -> None:
    """It says that the phase is closed, as for who is not asked."""
    rooms.found("ada", "bo", "gwen")
    rooms.write(GWEN, "bid 1", to=rooms.reply_to(GWEN, "~ bid ____"))
    bid(rooms, ada=4, bo=4)
    row = rooms.arena.index.games.rows()[0]
    assert (row.status, row.deadline) == ("closed", None)


def test_an_answer_counts_for_its_question_alone(room: Room) -> None:
    """It cannot stand, and it is not kept for the next time."""
    room.write(ADA, "bid 1\nstanding on")
    room.sweep()
    assert "Such a set counts in this phase alone." in flat(room.last(ADA))
    bid(room, bo=1)
    assert kinds(room).count("QuestionAsked") == 2
    assert room.table().sets.hand == {}


def test_a_set_that_stands_is_no_answer_and_outlives_one(rooms: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a question is of the kind of phase for which it stands."""
    phase = TieBreak.phase
    monkeypatch.setattr(TieBreak, "phase", lambda self, state: msgspec.structs.replace(phase(self, state), kind="tide"))
    rooms.found("ada", "bo", "cy", standing=("tide",))
    bid(rooms, ada=4, bo=4, cy=1)
    assert rooms.table().sealed is not None
    assert rooms.table().sets.hand == {}
    bid(rooms, ada=1, bo=2)
    assert rooms.table().number == 2
    assert {seat: held.orders for seat, held in rooms.table().sets.hand.items()} == {
        "ada": ("bid 4",), "bo": ("bid 4",), "cy": ("bid 1",)
    }  # fmt: skip


def test_a_question_ends_with_its_last_answer_also_where_phases_wait_for_deadlines(rooms: Room) -> None:
    """Nobody else can change anything before it."""
    rooms.found("ada", "bo", close="at deadline")
    bid(rooms, ada=4, bo=4)
    rooms.sweep(timedelta(hours=73))
    rooms.sweep()
    assert rooms.table().sealed is not None
    bid(rooms, ada=1, bo=2)
    assert rooms.table().number == 2


def test_its_deadline_can_be_moved_and_its_clock_stopped(room: Room) -> None:
    """Those hear of it who are asked."""
    letters = len(room.letters(CY))
    deadline = room.table().deadline
    room.write(GWEN, "extend 1d because of a wedding")
    room.sweep()
    assert room.table().deadline - deadline == timedelta(days=1)
    assert "Deadline" in room.last(ADA)
    assert len(room.letters(CY)) == letters
    room.write(GWEN, "close now because all is said")
    room.sweep()
    assert kinds(room).count("QuestionAsked") == 2  # nobody added anything, so they bid alike still


def test_answers_are_read_where_they_are_asked_and_end_the_phase(room: Room) -> None:
    """Bo adds more than Ada, has the hulk, and pays both; one report goes to all, about one phase."""
    bid(room, ada=1, bo=2)
    table = room.table()
    assert table.number == 2
    assert table.state.hulks == {"ada": 0, "bo": 1, "cy": 0}
    assert table.state.coins["bo"] == 4
    assert "Bo" in room.last(CY)
    assert sum("[tide-1] TIDE 1" in "\n".join(letter.body) for letter in room.letters(CY)[-3:]) == 1


def test_whoever_still_bids_alike_is_asked_again(room: Room) -> None:
    """Each time has a question of its own, and a deadline."""
    bid(room, ada=1, bo=1)
    assert kinds(room).count("QuestionAsked") == 2
    assert "You have 5 coins." in room.last(ADA)
    bid(room, ada=0, bo=1)
    assert room.table().state.hulks["bo"] == 1


def test_silence_is_answered_by_the_rules_after_a_day(room: Room) -> None:
    """A day, not the three days of a tide, and nobody is held to have missed a phase."""
    opened = room.clock.now()
    room.sweep(timedelta(hours=23))
    assert room.table().sealed is not None
    bid(room, bo=1)
    room.sweep(timedelta(hours=2))
    assert room.table().number == 2
    assert room.table().state.hulks["bo"] == 1
    assert room.clock.now() - opened < timedelta(hours=28)
    assert {one.nmr for one in room.table().seats.values()} == {0}
    assert "sent nothing" not in room.last(CY)


def test_a_charter_can_give_questions_a_rule(rooms: Room) -> None:
    """It names the kind of phase that a question is of."""
    rooms.found("ada", "bo", calendar={"rules": {"default": "72h", "tie": "3h"}})
    bid(rooms, ada=4, bo=4)
    asked = next(entry for entry in rooms.table().log if isinstance(entry, QuestionAsked))
    assert asked.deadline - asked.noted < timedelta(hours=3, minutes=2)


def test_no_report_is_said_to_come_of_a_question(rooms: Room) -> None:
    """The moderator is told which reports go out unseen, and a question has none."""
    rooms.found("ada", "bo", review=("tide",))
    told = flat("\n".join(rooms.letters(GWEN)[0].body))
    assert "as a proof: tide." in told
    assert "unseen" not in told


def test_reminders_go_to_those_who_owe_an_answer(rooms: Room) -> None:
    """They quote the question."""
    rooms.found("ada", "bo", "cy", calendar={"reminders": ("6h",)})
    bid(rooms, ada=4, bo=4, cy=1)
    bid(rooms, bo=2)
    rooms.sweep(timedelta(hours=19))
    assert "A reminder" in rooms.last(ADA)
    assert "You have 6 coins." in rooms.last(ADA)
    assert "A reminder" not in rooms.last(BO)
    assert "A reminder" not in rooms.last(CY)


def test_mail_that_was_stamped_before_the_question_is_no_answer(rooms: Room) -> None:
    """It crossed with the question, and was meant as a bid for the tide."""
    rooms.found("ada", "bo", "cy")
    bid(rooms, ada=4, bo=4)
    rooms.write(ADA, "bid 3", span=timedelta(hours=71))
    late = rooms.mailbox.waiting.pop()
    rooms.sweep(timedelta(hours=73))
    rooms.sweep(timedelta(hours=1))
    assert rooms.table().sealed is not None
    rooms.mailbox.waiting.append(late)
    rooms.sweep()
    assert "crossed with our question" in flat(rooms.last(ADA))
    assert rooms.table().sets.hand == {}


def test_mail_that_answers_a_letter_from_before_the_question_is_no_answer(room: Room) -> None:
    """Ada mends her bid for the tide, and has not seen that it is closed; the next letter to her can be answered."""
    room.write(ADA, "bid 3", to=room.reply_to(ADA, "Orders for"))
    room.sweep()
    assert "answers another letter" in flat(room.last(ADA))
    assert room.table().sets.hand == {}
    bid(room, ada=1)
    assert room.table().sets.hand["ada"].orders == ("bid 1",)


def test_an_answer_to_the_first_question_is_none_to_the_second(room: Room) -> None:
    """Each question is answered to an address of its own."""
    first = room.reply_to(ADA, "A question")
    bid(room, ada=1, bo=1)
    room.write(ADA, "bid 2", to=first)
    room.sweep()
    assert "answers another letter" in flat(room.last(ADA))
    assert room.table().sets.hand == {}


@pytest.mark.parametrize("is_held_before", [True, False])
def test_mail_that_was_held_answers_what_was_asked_when_it_came(rooms: Room, is_held_before: bool) -> None:
    """Confirmed while Ada is asked, a bid for the tide is no answer; one that came since is."""

    def held() -> tuple[str, str]:
        rooms.write(ADA, "bid 2", to="arena+tide-1.aaaaaaaaaaaaaaaa@example.org")
        rooms.sweep()
        return next(word for word in rooms.last(ADA).split() if word.isdigit() and len(word) == 4), rooms.reply_to(ADA)

    rooms.found("ada", "bo", "cy")
    opening = rooms.reply_to(ADA)
    digits, to = held() if is_held_before else ("", "")
    rooms.write(ADA, "bid 4", to=opening)
    bid(rooms, bo=4, cy=1)
    if not is_held_before:
        digits, to = held()
    rooms.write(ADA, f"confirm {digits}", to=to)
    rooms.sweep()
    assert list(rooms.table().sets.hand) == ([] if is_held_before else ["ada"])


def test_an_arena_that_is_put_back_takes_answers_for_answers(rooms: Room) -> None:
    """As the mails come once more, the phase is closed, and asks, where it did; the game goes on as it was."""
    rooms.found("ada", "bo", "cy")
    saved, backup = rooms.clock.now(), rooms.root.with_name("backup")
    shutil.copytree(rooms.root, backup)
    bid(rooms, ada=4, bo=4, cy=1)
    bid(rooms, ada=1, bo=1)
    bid(rooms, ada=0, bo=1)
    rooms.arena.close()
    shutil.rmtree(rooms.root)
    backup.rename(rooms.root)
    rooms.arena = rooms.open()
    assert rooms.table().number == 1
    rooms.mailbox.unmark(saved)
    assert not rooms.sweep().troubles
    assert rooms.table().number == 2
    assert rooms.table().state.hulks["bo"] == 1
    assert rooms.table().state.coins["bo"] == 4


def test_a_ruling_on_a_fact_counts_when_the_phase_is_played(room: Room) -> None:
    """A purse that is set while Ada and Bo are asked is set in what follows, once."""
    room.write(GWEN, "set coins of Cy 9 because a coin was lost")
    room.sweep()
    bid(room, ada=1, bo=2)
    assert room.table().state.coins == {"ada": 10, "bo": 4, "cy": 9}


def test_a_fact_that_leaves_nothing_to_ask_withdraws_the_question(room: Room) -> None:
    """Bo has no 4 coins: Ada's bid is the highest alone, and both hear that nothing is wanted of them."""
    bid(room, bo=1)
    room.write(GWEN, "set coins of Bo 2 because two were false")
    room.sweep()
    assert room.table().number == 2
    assert room.table().state.hulks == {"ada": 1, "bo": 0, "cy": 0}
    assert [texts(room, who, "A question is withdrawn") for who in (ADA, BO, CY, GWEN)] == [1, 1, 0, 0]
    assert texts(room, ADA, "nothing is asked of you any more") == 1


def test_who_is_asked_only_since_a_ruling_has_a_whole_day(room: Room) -> None:
    """
    With 1 coin each all three have bid alike: Cy is asked too, and what Ada has answered stands if it still can.

    She answered with nine coins in her purse, so that the phase does not close upon it before she has agreed.
    """
    bid(room, ada=0)
    room.sweep(timedelta(hours=20))
    before = room.table()
    room.write(GWEN, "set coins of Ada 1 because of a fine\nset coins of Bo 1 because of a fine")
    room.sweep()
    table = room.table()
    assert table.owing == ("ada", "bo", "cy")
    assert table.deadline is not None and before.deadline is not None
    assert timedelta(hours=19) < table.deadline - before.deadline < timedelta(hours=21)
    assert "before they are played you are asked something" in flat(room.last(CY))
    assert "~ bid ____" in room.last(CY)
    assert "A ruling" in room.last(BO)
    assert "You have 0 coins." in flat(room.last(BO))
    assert table.sets.hand["ada"].orders == ("bid 0",)
    room.reopen()
    assert (room.table().owing, room.table().sets.hand, room.table().deadline) == (
        table.owing,
        table.sets.hand,
        table.deadline,
    )
    assert "Your answer stands, for all that; now it reads" in flat(room.last(ADA))
    assert "say ready; or answer anew" in flat(room.last(ADA))
    bid(room, bo=0, cy=1)
    assert room.table().number == before.number
    room.write(ADA, "ready")
    room.sweep()
    assert room.table().state.hulks["cy"] == 1


def test_an_answer_of_somebody_whom_a_fact_leaves_out_is_let_fall(rooms: Room) -> None:
    """Ada has no 4 coins any more, so Bo and Cy alone are asked; what she answered stands nowhere, though it reads."""
    rooms.found("ada", "bo", "cy")
    bid(rooms, ada=4, bo=4, cy=4)
    bid(rooms, ada=1, bo=1)
    rooms.write(GWEN, "set coins of Ada 3 because of a fine")
    rooms.sweep()
    assert rooms.table().owing == ("bo", "cy")
    assert {seat: held.orders for seat, held in rooms.table().sets.hand.items()} == {"bo": ("bid 1",)}
    assert texts(rooms, ADA, "nothing is asked of you any more") == 1


def test_an_answer_that_a_fact_makes_impossible_is_let_fall(room: Room) -> None:
    """Ada has 1 coin beyond her bid, not 2: she is asked still, and told why her answer fell."""
    bid(room, ada=9)
    room.write(GWEN, "set coins of Ada 8 because of a fine")
    room.sweep()
    assert (room.table().owing, room.table().sets.hand) == (("ada", "bo"), {})
    assert "9 coins bid; you have 8." in flat(room.last(ADA))


def test_an_answer_that_an_undo_makes_impossible_is_let_fall(room: Room) -> None:
    """Ada answered out of a purse that is hers no more; she is asked still."""
    room.write(GWEN, "set coins of Ada 20 because of a find")
    room.sweep()
    bid(room, ada=15)
    assert room.table().sets.hand["ada"].orders == ("bid 15",)
    room.write(GWEN, "undo 1")
    room.sweep()
    assert (room.table().owing, room.table().sets.hand) == (("ada", "bo"), {})
    assert "15 coins bid; you have 10." in flat(room.last(ADA))


def test_an_undo_asks_again_what_was_asked_before(room: Room) -> None:
    """The fine is taken back, so Ada and Bo alone are asked, by a purse of ten."""
    room.write(GWEN, "set coins of Ada 1 because of a fine\nset coins of Bo 1 because of a fine")
    room.sweep()
    room.write(GWEN, "undo 1\nundo 2")
    room.sweep()
    assert room.table().owing == ("ada", "bo")
    assert "You have 6 coins." in flat(room.last(BO))
    assert "A question is withdrawn" in room.last(CY)


def test_a_phase_that_is_closed_by_hand_asks_nobody_anew(room: Room) -> None:
    """What is set in the same mail counts; Cy is not asked, though all three are alike now."""
    room.write(GWEN, "set coins of Ada 1 because of a fine\nset coins of Bo 1 because of a fine\nclose now")
    room.sweep()
    assert (texts(room, CY, "you are asked something"), room.table().number) == (
        1,
        1,
    )  # by the question behind that one, as all three are alike still


def test_no_fact_is_set_with_which_orders_that_are_in_could_not_be_read(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would be lost without a word."""

    def order(self: Bids, state: Tie, seat: Seat, meant: Bid) -> Bid | Refused:
        return Refused("illegal", "No.") if state.coins[seat] == 9 and meant.coins == 1 else meant

    monkeypatch.setattr(Bids, "order", order)
    room.write(GWEN, "set coins of Cy 9 because a coin was lost")
    room.sweep()
    assert "The orders of Cy are in, and could not be read any more with that" in flat(room.last(GWEN))
    assert room.table().sealed is not None
    assert room.table().sealed.state.coins["cy"] == 10


def test_a_ruling_at_the_proof_is_adjudicated_with_the_answers(rooms: Room) -> None:
    """What Ada and Bo answered counts in every proof; whom a ruling would have asked anew says nothing."""
    rooms.found("ada", "bo", "cy", review=("tide",))
    bid(rooms, ada=4, bo=4, cy=1)
    bid(rooms, ada=1, bo=2)
    assert rooms.table().proof == 1
    assert "Proof 1" in rooms.last(GWEN) or "proof" in rooms.last(GWEN)
    rooms.write(GWEN, "order Cy: bid 6 because he wrote so in time")
    rooms.sweep()
    assert rooms.table().proof == 2
    assert rooms.table().outcome.result is None
    assert rooms.table().outcome.asks is False
    rooms.write(GWEN, "approve 2")
    rooms.sweep()
    assert rooms.table().number == 2


def test_an_undo_that_leaves_nothing_to_ask_goes_on_without(rooms: Room) -> None:
    """The bid that made them alike was the moderator's; taken back, the phase has its proof."""
    rooms.found("ada", "bo", "cy", review=("tide",))
    rooms.write(GWEN, "order Bo: bid 4 because he wrote so on the phone")
    rooms.sweep()
    bid(rooms, ada=4, cy=1)
    assert rooms.table().sealed is not None
    bid(rooms, ada=2)
    rooms.write(GWEN, "undo 1")
    rooms.sweep()
    table = rooms.table()
    assert (table.status, table.sealed, table.outcome.asks) == ("closed", None, False)
    assert f"approve {table.proof}" in rooms.last(GWEN)
    assert table.outcome.state.hulks["ada"] == 1


def test_no_number_means_two_proofs(rooms: Room) -> None:
    """An undo at proof 1 leaves somebody to ask; what is shown behind the answers is another proof."""
    rooms.found("ada", "bo", "cy", review=("tide",))
    bid(rooms, bo=4)
    rooms.write(GWEN, "order Bo: bid 3 because he wrote so on the phone")
    rooms.sweep()
    bid(rooms, ada=4, cy=1)
    proof = rooms.table().proof
    rooms.write(GWEN, "undo 1")
    rooms.sweep()
    assert rooms.table().sealed is not None
    bid(rooms, ada=1, bo=2)
    assert rooms.table().proof > proof
    rooms.write(GWEN, f"approve {proof}")
    rooms.sweep()
    assert rooms.table().number == 1
    before = rooms.table()
    rooms.reopen()
    assert rooms.table().proof == before.proof
    rooms.write(GWEN, f"approve {before.proof}")
    rooms.sweep()
    assert rooms.table().number == 2


def test_an_answer_of_somebody_whom_an_undo_leaves_out_is_let_fall(
    rooms: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bo is asked no more, so what he answered can no longer be read; the phase goes on with Ada and Cy."""

    def order(self: Bids, state: Tie, seat: Seat, meant: Bid) -> Bid | Refused:
        is_asked = not state.tied or seat in state.tied
        return meant if is_asked else Refused("illegal", "You are not asked.")

    monkeypatch.setattr(Bids, "order", order)
    rooms.found("ada", "bo", "cy")
    bid(rooms, bo=3)
    rooms.write(GWEN, "order Bo: bid 4 because he wrote so on the phone")
    rooms.sweep()
    bid(rooms, ada=4, cy=4)
    bid(rooms, bo=2)
    rooms.write(GWEN, "undo 1")
    assert not rooms.sweep().troubles
    assert (rooms.table().owing, rooms.table().sets.hand) == (("ada", "cy"), {})
    rooms.write(ADA, "bid 1")
    rooms.write(CY, "bid 2")
    assert not rooms.sweep().troubles
    assert rooms.table().state.hulks["cy"] == 1


def test_a_fact_is_not_set_while_somebody_is_asked_where_the_phase_could_not_begin_with_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The phase is played again from its beginning, with what was set in it."""
    amend = TieBreak.amend

    def amended(self: TieBreak, state: Tie, key: str, value: Fact) -> Harbour | phrases.Unread:
        return amend(self, state, key, value) if state.tied else phrases.Unread("illegal", "Not so early.")

    monkeypatch.setattr(TieBreak, "amend", amended)
    room.write(GWEN, "set coins of Cy 9 because a coin was lost")
    room.sweep()
    assert "Not so early" in flat(room.last(GWEN))
    bid(room, ada=1, bo=2)
    assert room.table().number == 2


def test_the_game_is_the_same_when_it_is_folded_again(room: Room) -> None:
    """From disk, in the middle of the question and behind it; the check of the whole game agrees."""
    before = room.table()
    room.reopen()
    assert room.table().sets.hand == before.sets.hand
    assert room.table().owing == before.owing
    bid(room, ada=1, bo=2)
    room.reopen()
    assert room.table().state.hulks["bo"] == 1
    assert sum(isinstance(entry, PhaseClosed) for entry in room.table().log) == 0
    words = replay_check.Words(room.arena.words, room.arena.wording)
    phases = list(replay_check.replay(room.root / "games" / "tide-1", room.rulesets, words, bytes(32)))
    assert [phase.difference for phase in phases] == [""] * len(phases)


def test_programs_play_a_game_with_questions_to_its_end(rooms: Room) -> None:
    """By mail and without."""

    def program(state: Harbour, seat: Seat, dice: Dice) -> Sequence[Bid]:
        return (Bid(coins=min(2, state.coins[seat])),)

    rooms.found("ada", "bo", "cy")
    rooms.play(program)
    assert rooms.table().status == "over"


def test_a_clock_that_is_moved_while_some_are_asked_is_told_to_each_alone(room: Room) -> None:
    """Nobody else hears of the question, so the letter is to nobody else."""
    room.write(GWEN, "extend 1h because of rain")
    room.sweep()
    assert "To you alone. A ruling" in flat(room.last(ADA))
    assert texts(room, CY, "A ruling") == 0


def test_an_order_that_another_ruling_of_the_same_mail_takes_off_is_told_of(rooms: Room) -> None:
    """With the reason, though there was none on hand before."""
    rooms.found("ada", "bo", "cy")
    rooms.write(GWEN, "order Bo: bid 9 because he called\nset coins of Bo 3 because of a fine")
    rooms.sweep()
    assert "bo" not in rooms.table().sets.hand
    assert "9 coins bid; you have 3" in flat(rooms.last(BO))
