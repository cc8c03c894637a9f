"""The deputy of a moderator who plays: who becomes it, who hears what, what each may rule, and a hold of either."""

import re
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.hall.commands import replay_check
from pbem.letters.addressing import reply_address
from pbem.letters.reading import read
from pbem.table.model.table import DEPUTY
from pbem.testing.room import ARENA, MODERATOR
from tests.conftest import Room, flat
from tests.depth import at_first

ADA, BO, GWEN, DEE, EVE = (f"{name}@example.org" for name in ("ada", "bo", "gwen", "dee", "eve"))


def go(room: Room, who: str, text: str) -> dict[str, str]:
    """Let somebody write, sweep, and return the letters that were sent, by who got them, flattened and put together."""
    since = len(room.outbox.sent)
    room.write(who, text)
    assert room.sweep().troubles == []
    found: dict[str, str] = {}
    for to, raw in room.outbox.sent[since:]:
        found[to] = " ".join(filter(None, (found.get(to), flat("\n".join(read(raw).body)))))
    return found


def journal(room: Room) -> str:
    """Return all that the files of the game's journal, states and reports hold."""
    return "\n".join(file.read_text() for file in sorted((room.root / "games" / "tide-1").rglob("*.t[ox][mx]*")))


def close(room: Room) -> dict[str, str]:
    """Let the last of them move, so that there is a proof; return the letters."""
    since = len(room.outbox.sent)
    for seat in ("ada", "bo", "gwen"):
        write(room, seat, "bid 3")
    room.sweep()
    return {to: flat("\n".join(read(raw).body)) for to, raw in room.outbox.sent[since:]}


@pytest.fixture
def playing(room: Room) -> Room:
    """A tide with Gwen, who moderates it, in a seat."""
    room.found("gwen", "ada", "bo", review=("tide",))
    return room


@pytest.fixture
def asked(playing: Room) -> Room:
    """The same, when Dee has been asked."""
    moderate(playing, f"deputy {DEE}")
    return playing


@pytest.fixture
def standing_in(asked: Room) -> Room:
    """The same, when Dee has said yes."""
    go(asked, DEE, "Yes, gladly!")
    return asked


def write(room: Room, seat: str, text: str) -> None:
    """Let a seat write under its own token, "" being the moderator's: Gwen has two."""
    to = reply_address(ARENA, "tide-1", room.arena.token(room.table(), Seat(seat) if seat else None), plus=True)
    room.write(f"{seat or 'gwen'}@example.org", text, to=to, subject="Re: [tide-1] Tide")


def moderate(room: Room, text: str) -> dict[str, str]:
    """Let Gwen rule, with the moderator's token."""
    since = len(room.outbox.sent)
    write(room, "", text)
    assert room.sweep().troubles == []
    return {to: flat("\n".join(read(raw).body)) for to, raw in room.outbox.sent[since:]}


def test_a_deputy_says_yes_and_no_journal_has_an_address(asked: Room) -> None:
    """Until then nothing has changed; the moderator is told, and what players say goes to the deputy from then on."""
    assert "stand in for the moderator of tide-1" in flat(asked.last(DEE))
    assert asked.table().deputy is None and "Until they say yes" in flat(asked.last(GWEN))
    said = go(asked, ADA, "gm: is Gwen allowed to do that?")
    assert set(said) == {ADA} and "waits for your leave" in said[ADA]
    found = go(asked, DEE, "Yes, gladly!")
    assert set(found) == {DEE, GWEN}
    assert "You stand in for the moderator of tide-1 now" in found[DEE] and "You have a deputy" in found[GWEN]
    assert asked.table().deputy is not None and DEE not in journal(asked)
    found = go(asked, ADA, "send it")
    assert set(found) == {ADA, DEE} and "is Gwen allowed to do that?" in found[DEE]


@pytest.mark.parametrize(
    ("said", "is_no"), [("no", True), ("No, thanks.", True), ("What is this?", False), ("no\nyes", False)]
)
def test_whoever_is_asked_can_say_no(asked: Room, said: str, *, is_no: bool) -> None:
    """The moderator hears of it; what is neither yes nor no is answered."""
    found = go(asked, DEE, said)
    assert asked.table().deputy is None
    if is_no:
        assert set(found) == {DEE, GWEN} and "says no" in found[GWEN]
        assert "Nobody is asked that any more" in go(asked, DEE, "yes")[DEE]
    else:
        assert set(found) == {DEE} and "did not begin with yes" in found[DEE]


def test_an_offer_can_be_taken_back_and_another_put_in_its_place(asked: Room) -> None:
    """Whoever was asked is told, and their yes comes too late."""
    found = moderate(asked, f"deputy {EVE}")
    assert "You no longer are" in found[DEE] and "You are asked to stand in" in found[EVE]
    assert "Nobody is asked that any more" in go(asked, DEE, "yes")[DEE]
    found = moderate(asked, "undo")
    assert "You no longer are" in found[EVE] and "You are asked to stand in" in found[DEE]
    assert "You no longer are" in moderate(asked, "undo")[DEE] and asked.table().rulings == ()


@pytest.mark.parametrize(
    ("who", "because"),
    [
        (ADA, "plays in this game"),
        (GWEN, "your own address"),
        ("nobody", "There is no deputy"),
        ("Dee", "names no address"),
        ("tide@arena.example", "Nobody was asked"),
    ],
)
def test_who_cannot_be_asked(playing: Room, who: str, because: str) -> None:
    """Whoever has a part in the game, and what is no address."""
    if because == "Nobody was asked":
        who = ARENA
    found = moderate(playing, f"deputy {who}")
    assert set(found) == {GWEN} and because in found[GWEN] and playing.table().deputy is None


def test_a_moderator_who_does_not_play_needs_no_deputy(room: Room) -> None:
    """And is told so."""
    room.found("ada", "bo")
    assert "all that a deputy could do is yours" in go(room, MODERATOR, f"deputy {DEE}")[MODERATOR]


def test_a_deputy_takes_no_seat(standing_in: Room) -> None:
    """Neither by replacing somebody nor before the game begins."""
    assert "your deputy's address" in moderate(standing_in, f"replace Bo by {DEE}")[GWEN]


def test_words_go_to_the_deputy_and_the_answer_to_that_player_alone(standing_in: Room) -> None:
    """The moderator, who plays against them, reads neither; their own words to the moderator go there too."""
    found = go(standing_in, ADA, "bid 4\n\ngm: Our daughter was born, can Fay take over?")
    assert set(found) == {ADA, DEE} and "Passed on to the moderator's deputy" in found[ADA]
    assert "Our daughter was born" in found[DEE] and "to Gwen: and your words" in found[DEE]
    found = go(standing_in, DEE, "Congratulations! I shall ask.")
    assert set(found) == {ADA, DEE} and "From the moderator's deputy" in found[ADA]
    found = go(standing_in, DEE, "to Gwen: Ada would like Fay to play on.\n\nextend 24h")
    assert "Ada would like Fay" in found[GWEN] and "this is the moderator's" in found[DEE]
    assert not standing_in.table().extended
    since = len(standing_in.outbox.sent)
    write(standing_in, "gwen", "gm: may I pause for Ada?")
    standing_in.sweep()
    assert {to for to, _ in standing_in.outbox.sent[since:]} == {GWEN, DEE}
    assert "daughter" not in journal(standing_in).partition("report")[2]


def test_words_by_themselves_wait_for_the_deputys_next_letter(standing_in: Room) -> None:
    """And go after six hours at latest, past the moderator."""
    go(standing_in, ADA, "Sorry, I am away until Sunday, my mother is ill.")
    assert standing_in.table().unheard
    moderate(standing_in, "status")
    assert standing_in.table().unheard
    since = len(standing_in.outbox.sent)
    standing_in.sweep(timedelta(hours=7))
    (to, raw), *others = standing_in.outbox.sent[since:]
    assert to == DEE and not others and "my mother is ill" in flat("\n".join(read(raw).body))


def test_both_have_the_proof_and_each_rules_on_their_own(standing_in: Room) -> None:
    """What touches the moderator's seat is the deputy's; all else the moderator's; each new proof goes to both."""
    found = close(standing_in)
    assert "Proof 1 of" in found[GWEN] and "Proof 1 of" in found[DEE] and "note A LINE" not in found[DEE]
    found = moderate(standing_in, "overrule bid of Gwen = 9 because I meant that")
    assert set(found) == {GWEN} and "it is for your deputy" in found[GWEN]
    found = go(standing_in, DEE, "overrule bid of Bo = 1 because so")
    assert set(found) == {DEE} and "this is the moderator's" in found[DEE]
    found = go(standing_in, DEE, "overrule V1 = 2 because it was a slip")
    assert "Proof 2 of" in found[GWEN] and "Proof 2 of" in found[DEE] and "bid of Gwen: 3 -> 2" in found[DEE]
    assert "is the moderator's to take back" not in go(standing_in, DEE, "undo")[DEE]
    moderate(standing_in, "overrule bid of Bo = 2 because of fog")
    number = standing_in.table().ruled
    assert "is the moderator's to take back" in go(standing_in, DEE, f"undo {number}")[DEE]
    assert "hold nothing back" in go(standing_in, DEE, f"approve {standing_in.table().proof}")[DEE]
    go(standing_in, DEE, "overrule V1 = 1 because it was a slip")
    number = standing_in.table().ruled
    assert "your deputy's to take back" in moderate(standing_in, f"undo {number}")[GWEN]
    report = moderate(standing_in, f"approve {standing_in.table().proof}")[ADA]
    assert "TIDE 2" in report and "has a deputy from now on" in report
    moderate(standing_in, "deputy nobody")
    close(standing_in)
    report = moderate(standing_in, f"approve {standing_in.table().proof}")[ADA]
    assert "The moderator has no deputy any more." in report and "has a deputy" not in report


def test_a_hold_of_either_holds(standing_in: Room) -> None:
    """However long the review; each ends their own, and the moderator can go on without a deputy."""
    close(standing_in)
    assert "Your deputy holds proof 1" in go(standing_in, DEE, "hold")[GWEN]
    assert "Your deputy holds this report" in moderate(standing_in, "approve 1")[GWEN]
    since = len(standing_in.outbox.sent)
    standing_in.sweep(timedelta(hours=60))
    reminded = {to for to, raw in standing_in.outbox.sent[since:]}
    assert standing_in.table().status == "closed" and reminded == {ADA, BO, GWEN, DEE}
    moderate(standing_in, "hold")
    assert "holds the report no longer" in go(standing_in, DEE, "approve 1")[GWEN]
    assert standing_in.table().status == "closed" and standing_in.table().is_held()
    assert "TIDE 2" in moderate(standing_in, "approve 1")[ADA]


def test_without_a_deputy_their_hold_ends(standing_in: Room) -> None:
    """They are told, their mail counts no more, and what waits for them waits for leave again."""
    close(standing_in)
    go(standing_in, DEE, "hold")
    go(standing_in, BO, "Sorry, I am away until Sunday, my mother is ill.")
    assert "You no longer stand in" in moderate(standing_in, "deputy nobody")[DEE]
    assert not standing_in.table().is_held() and not standing_in.table().unheard
    assert any("my mother is ill" in one.text for one in standing_in.table().unsent[Seat("bo")])
    assert "TIDE 2" in moderate(standing_in, "approve 1")[ADA]
    found = go(standing_in, DEE, "hold")
    assert GWEN not in found and not standing_in.table().is_held()


def test_a_deputys_token_in_other_hands_counts_no_more(standing_in: Room) -> None:
    """They are told, and write on with the one in that letter."""
    to = reply_address(ARENA, "tide-1", standing_in.arena.token(standing_in.table(), DEPUTY), plus=True)
    standing_in.write(BO, "to Ada: surrender now", to=to, subject="Re: [tide-1] Tide 1")
    standing_in.sweep()
    assert "surrender" not in standing_in.last(ADA) and "acted as the moderator's deputy" in flat(standing_in.last(DEE))
    assert "Passed on to Ada" in go(standing_in, DEE, "to Ada: good luck")[DEE]


def test_a_replaced_moderator_needs_no_deputy_and_reads_nothing_said_to_one(standing_in: Room) -> None:
    """What was said of them to somebody else waits for its writer's leave."""
    go(standing_in, ADA, "Gwen is cheating, dear moderator! I am away until Sunday.")
    assert standing_in.table().unheard
    moderate(standing_in, f"replace Gwen by {EVE}")
    go(standing_in, EVE, "yes")
    while standing_in.table().moderator_plays():  # until the next phase opens
        standing_in.sweep(timedelta(hours=12))
    assert not standing_in.table().unheard
    to = reply_address(ARENA, "tide-1", standing_in.arena.token(standing_in.table(), DEPUTY), plus=True)
    standing_in.write(DEE, "excuse Bo", to=to, subject="Re: [tide-1] Tide 2")
    standing_in.sweep()
    assert "every ruling is theirs" in flat(standing_in.last(DEE))
    assert "cheating" not in " ".join(flat("\n".join(one.body)) for one in standing_in.letters(GWEN))


class Deputised(NamedTuple):
    """What is drawn: who writes, or lets time pass, and what."""

    who: str
    text: str


MAILS = st.lists(
    st.one_of(
        st.builds(Deputised, st.just(""), st.sampled_from((f"deputy {DEE}", f"deputy {EVE}", "deputy nobody", "undo", "hold",
            "approve 1", "approve 2", "overrule bid of Gwen = 2 because so", "overrule bid of Bo = 2 because so", "status"))),
        st.builds(Deputised, st.sampled_from(("dee", "eve")), st.sampled_from(("yes", "no", "hold", "approve 1", "approve 2",
            "to Ada: hello", "overrule bid of Gwen = 1 because so", "undo", "strike Gwen 1 because so", "excuse Gwen"))),
        st.builds(Deputised, st.sampled_from(("ada", "bo")), st.sampled_from(("gm: SECRET", "send it", "private", "bid 2",
            "I am away until Sunday, my mother is ill. SECRET", "wait"))),
        st.builds(Deputised, st.just("gwen"), st.sampled_from(("bid 3", "gm: a word of mine"))),
        st.builds(Deputised, st.just("time"), st.sampled_from(("1", "7", "30", "80"))),
    ),
    min_size=3,
    max_size=14,
)  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A tide with Gwen in a seat, closed, to be copied."""
    room = Room(tmp_path_factory.mktemp("deputies") / "arena")
    room.found("gwen", "ada", "bo", review=("tide",))
    room.arena.close()
    return room


@settings(max_examples=at_first(2))
@given(MAILS)
def test_whatever_is_written_no_moderator_who_plays_reads_what_was_said_to_them(
    base: Room, mails: list[Deputised]
) -> None:
    """
    Unless its writer let it go; nothing that was said is lost, nor ruled by who may not; the journal says it again.

    Where there is no deputy only `send it` brings words to a moderator who plays.
    """
    with tempfile.TemporaryDirectory() as folder:
        room = base.copied(Path(folder) / "arena")
        let_go = False
        for number, mail in enumerate(mails):
            since, before = len(room.outbox.sent), room.table()
            if mail.who == "time":
                room.sweep(timedelta(hours=int(mail.text)))
            elif mail.who in ("dee", "eve"):
                if room.letters(f"{mail.who}@example.org"):
                    room.write(f"{mail.who}@example.org", mail.text)
            else:
                write(room, mail.who, mail.text.replace("SECRET", f"secret {number}"))
            assert room.sweep().troubles == []
            let_go = let_go or mail.text == "send it"
            told = [flat("\n".join(read(raw).body)) for to, raw in room.outbox.sent[since:] if to == GWEN]
            assert let_go or not any("secret" in text for text in told)
            table = room.table()
            if before.deputy_holds and before.status == "closed" and table.number != before.number:
                assert mail.text in ("deputy nobody", "approve 1", "approve 2")
            if mail.text.startswith("overrule bid of Gwen") and table.number == before.number:
                ruled = table.ruled - before.ruled
                may = mail.who in ("dee", "eve") if before.acting_deputy() else mail.who == ""
                assert not ruled or may
            said = {one for raws in (room.outbox.sent,) for _, raw in raws for one in _secrets(raw)}
            waiting = {one.text for mine in table.unsent.values() for one in mine} | {one.text for one in table.unheard}
            mine = f"secret {number}"
            if "SECRET" in mail.text and table.number == before.number:
                assert any(mine in text for text in waiting) or mine in said
        ledger = room.table()
        room.reopen()
        assert room.table().head == ledger.head
        words = replay_check.Words(room.arena.words, room.arena.wording)
        found = replay_check.replay(room.root / "games" / "tide-1", room.rulesets, words, bytes(32))
        assert all(not one.difference for one in found)
        room.arena.close()


def _secrets(raw: bytes) -> list[str]:
    return re.findall(r"secret [0-9]+", flat("\n".join(read(raw).body)))


@pytest.mark.parametrize(
    "form", ["ada+1@example.org", "ADA+x@example.org", "gwen+deputy@example.org", "bo+@example.org"]
)
@pytest.mark.parametrize("line", ["deputy {}", "replace Ada by {}", "invite {}"])
def test_another_form_of_a_players_mailbox_gets_no_part(room: Room, form: str, line: str) -> None:
    """Whoever plays would read proofs, or have two seats; the address itself is refused in the same words."""
    room.found("ada", "bo", "gwen")
    told = go(room, GWEN, line.format(form))
    assert set(told) == {GWEN}
    assert "Nobody was asked" in told[GWEN] or "plays on" in told[GWEN] or "game has begun" in told[GWEN], told
    assert room.arena.people.find(form) in (None, room.arena.people.find(form.lower().replace("+1", "")))
