"""The moderator by reply: each kind of line, its echo, and what it does to the game."""

import re
import textwrap
import tomllib
from datetime import timedelta

import pytest

from pbem.table.clock import schedule
from pbem.testing.room import reply_to
from tests.conftest import Room, flat

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"


def test_extend_moves_the_deadline_and_tells_everybody(open_room: Room) -> None:
    """`extend 24h` is echoed with old and new deadline, and every player hears of it."""
    before = open_room.table().deadline
    open_room.write(GWEN, "extend 24h")
    open_room.sweep()
    assert open_room.table().deadline == before + timedelta(hours=24)
    assert "deadline: Thu 26 Nov 12:02 UTC -> Fri 27 Nov 12:02" in " ".join(open_room.last(GWEN).split())
    assert "The moderator has ruled" in open_room.last(ADA)


def test_an_extension_beyond_the_charters_cap_is_refused(open_room: Room) -> None:
    """The echo says how far the charter lets a phase be extended, and nothing moves."""
    before = open_room.table().deadline
    open_room.write(GWEN, "extend 30 days")
    open_room.sweep()
    assert open_room.table().deadline == before
    assert "extended by 7 days in all" in " ".join(open_room.last(GWEN).split())


def test_pause_stops_the_clock_and_resume_gives_the_time_back(open_room: Room) -> None:
    """The deadline moves by as long as the pause lasted, and nothing closes meanwhile."""
    before = open_room.table().deadline
    open_room.write(GWEN, "pause")
    open_room.sweep()
    open_room.sweep(timedelta(days=10))
    assert open_room.table().number == 1
    open_room.write(GWEN, "resume")
    open_room.sweep()
    assert open_room.table().deadline - before == timedelta(days=10, minutes=1)


def test_set_changes_a_fact_and_shows_the_difference(open_room: Room) -> None:
    """`set coins Ada 7` changes the state at once; the echo shows 10 -> 7."""
    open_room.write(GWEN, "set coins Ada 7 because she paid for the pilot")
    open_room.sweep()
    assert open_room.table().state.coins["ada"] == 7
    assert "coins of Ada: 10 -> 7" in open_room.last(GWEN)


def test_a_ruling_that_changes_facts_needs_its_reason(open_room: Room) -> None:
    """Without `because` it is refused, and the words that would work are given."""
    open_room.write(GWEN, "set coins Ada 7")
    open_room.sweep()
    assert open_room.table().state.coins["ada"] == 10
    assert "because REASON" in open_room.last(GWEN)


def test_test_carries_nothing_out(open_room: Room) -> None:
    """A mail with `test` shows the difference that it would make, and changes nothing."""
    open_room.write(GWEN, "set coins Ada 7 because she paid\ntest")
    open_room.sweep()
    assert open_room.table().state.coins["ada"] == 10
    assert "coins of Ada: 10 -> 7" in open_room.last(GWEN)
    assert "nothing of this was carried out" in open_room.last(GWEN)


def test_undo_takes_back_the_last_ruling(open_room: Room) -> None:
    """`undo` folds the phase again without it, and the echo names it."""
    open_room.write(GWEN, "set coins Ada 7 because she paid")
    open_room.sweep()
    open_room.write(GWEN, "undo")
    open_room.sweep()
    assert open_room.table().state.coins["ada"] == 10
    assert "ruling 1" in open_room.last(GWEN)


def test_strike_takes_one_order_and_tells_its_owner(open_room: Room) -> None:
    """The struck seat gets a letter with what is left on hand."""
    open_room.write(ADA, "bid 3\nbid 2")
    open_room.sweep()
    open_room.write(GWEN, "strike Ada 2 because one bid is enough")
    open_room.sweep()
    assert open_room.table().sets.hand["ada"].orders == ("bid 3",)
    assert "a bid of 3" in open_room.last(ADA)


def test_order_puts_a_set_on_hand(open_room: Room) -> None:
    """`order Bo: bid 2` stands in for a player who wrote by another way."""
    open_room.write(GWEN, "order Bo: bid 2 because he telephoned")
    open_room.sweep()
    assert open_room.table().sets.hand["bo"].orders == ("bid 2",)


def test_excuse_lets_the_phase_close_without_a_seat(open_room: Room) -> None:
    """An excused seat is not waited for and not counted as an NMR."""
    open_room.write(ADA, "bid 3")
    open_room.write(GWEN, "excuse bo")
    open_room.sweep()
    assert open_room.table().number == 2
    assert open_room.table().seats["bo"].nmr == 0


def test_close_now_ends_the_phase(open_room: Room) -> None:
    """The phase closes in the same sweep."""
    open_room.write(GWEN, "close now")
    open_room.sweep()
    assert open_room.table().number == 2


def test_a_note_is_printed_in_the_report(open_room: Room) -> None:
    """A line of the moderator's stands among the rulings of the report."""
    open_room.write(GWEN, "note Fog over the harbour tonight.\nclose now")
    open_room.sweep()
    assert "Fog over the harbour tonight." in open_room.last(ADA)


def test_a_proof_goes_to_the_moderator_alone(reviewed: Room) -> None:
    """Nobody else has a letter about the closed phase before it is approved."""
    assert reviewed.table().status == "closed"
    assert "Proof 1" in reviewed.last(GWEN)
    assert not any("takes the hulk" in "\n".join(letter.body) for letter in reviewed.letters(ADA))


def test_overrule_adjudicates_again_from_the_same_state(reviewed: Room) -> None:
    """Pinning Bo's bid at 5 gives Bo the hulk, in a second proof that shows the pin, with the reason in the report."""
    reviewed.write(GWEN, "overrule V2 = 5 because the tide was with him")
    reviewed.sweep()
    proof = reviewed.last(GWEN)
    assert "Proof 2" in proof and "overrule bid of Bo = 5" in proof and "Bo takes the hulk for 5" in proof
    reviewed.write(GWEN, "status")
    reviewed.sweep()
    assert re.search(r"V2 +bid of Bo = 5 \(ruled\)", reviewed.last(GWEN))
    reviewed.write(GWEN, "approve 2")
    reviewed.sweep()
    assert "Bo takes the hulk for 5" in reviewed.last(ADA)
    assert "because the tide was with him" in reviewed.last(ADA)


def test_approving_an_old_proof_is_refused(reviewed: Room) -> None:
    """`approve` names its proof, so that nothing goes out that the moderator has not seen."""
    reviewed.write(GWEN, "overrule V2 = 5 because so")
    reviewed.sweep()
    reviewed.write(GWEN, "approve 1")
    reviewed.sweep()
    assert reviewed.table().status == "closed"
    assert "approve 2" in reviewed.last(GWEN)


def test_silence_approves_when_the_review_lapses(reviewed: Room) -> None:
    """After the review's time the report goes out as the newest proof shows it."""
    reviewed.sweep(timedelta(hours=47))
    assert reviewed.table().number == 1
    reviewed.sweep(timedelta(hours=2))
    assert reviewed.table().number == 2


@pytest.mark.parametrize(
    "later", ["", "overrule V2 = 5 because so", "note Patience.", "overrule V2 = 5 because a\nundo"]
)
def test_hold_holds_until_it_is_approved(reviewed: Room, later: str) -> None:
    """However long the moderator is silent, and whatever else they rule; the newest proof goes out, and only by word."""
    reviewed.write(GWEN, "hold")
    reviewed.sweep()
    if later:
        reviewed.write(GWEN, later)
        reviewed.sweep()
    for _ in range(12):
        reviewed.sweep(timedelta(days=7))
    assert reviewed.table().status == "closed" and reviewed.table().held
    proofs = [
        "\n".join(letter.body) for letter in reviewed.letters(GWEN) if "Nobody has seen this yet" in letter.body[2]
    ]
    for text in proofs[1:]:
        assert "You hold it: nothing goes out until you approve it." in text and "To stop it" not in text
    reviewed.write(GWEN, f"approve {reviewed.table().proof}")
    reviewed.sweep()
    assert reviewed.table().number == 2 and not reviewed.table().held


def test_who_holds_is_reminded_and_the_players_are_told_once(reviewed: Room) -> None:
    """When the review would have lapsed, after twice that time, four times; nobody hears what the proof says."""
    reviewed.write(GWEN, "hold")
    reviewed.sweep()
    sent = len(reviewed.letters(ADA))
    reminded = []
    for day in range(1, 18):
        before = len(reviewed.letters(GWEN))
        reviewed.sweep(timedelta(days=1))
        new = reviewed.letters(GWEN)[before:]
        assert len(new) <= 1
        reminded += [day for letter in new if "You hold proof 1" in flat("\n".join(letter.body))]
    assert reminded == [2, 4, 8, 16]
    told = reviewed.letters(ADA)[sent:]
    assert len(told) == 1 and "The report of Tide 1 waits" in flat("\n".join(told[0].body))
    assert len(reviewed.letters(BO)) == len(reviewed.letters(ADA))
    reviewed.reopen()
    reviewed.sweep()
    assert len(reviewed.letters(ADA)) == sent + 1
    assert schedule.wakes(reviewed.table(), reviewed.clock.now()) == reviewed.table().closed + timedelta(days=32)


def test_an_effect_may_hold_for_each_phase_until_it_is_taken_back(open_room: Room) -> None:
    """`do ... each round` acts in this phase and the next ones, and `undo` with its number ends it."""
    open_room.write(GWEN, "do gain Ada 2 each round because of her tugboat licence\nclose now")
    open_room.write(ADA, "bid 1")
    open_room.sweep()
    assert open_room.table().state.coins["ada"] == 11
    open_room.write(BO, "bid 1")
    open_room.write(GWEN, "close now")
    open_room.sweep()
    assert open_room.table().state.coins["ada"] == 13
    open_room.write(GWEN, "undo 1")
    open_room.sweep()
    assert open_room.table().standing == ()


def test_an_effect_that_is_given_at_the_proof_is_kept_like_any_other(reviewed: Room) -> None:
    """The start of the next phase says its number, its phase and what it is, as older releases read it."""
    reviewed.write(GWEN, "do gain Ada 2 each round because of her tugboat licence")
    reviewed.sweep()
    reviewed.write(GWEN, "approve 2")
    reviewed.sweep()
    assert reviewed.table().number == 2 and len(reviewed.table().standing) == 1
    game = reviewed.root / "games" / reviewed.table().charter.game
    start = tomllib.loads((game / "phase-02" / "state.toml").read_text())
    ruling = {"verb": "do", "effect": "gain ada 2", "each": True, "because": "of her tugboat licence"}
    assert start["standing"] == [{"number": 1, "phase": 1, "ruling": ruling}]


def test_a_ruling_about_a_published_phase_is_refused_politely(open_room: Room) -> None:
    """A reply to an old letter names the old phase, and must not act on the new one by accident."""
    old = open_room.letters(GWEN)[-1]
    open_room.write(GWEN, "close now")
    open_room.sweep()
    raw = next(raw for to, raw in open_room.outbox.sent if to == GWEN and old.message_id.encode() in raw)
    address = reply_to(raw)
    open_room.write(GWEN, "close now", to=address, subject="Re: [tide-1] Tide 1")
    open_room.sweep()
    assert open_room.table().number == 2
    assert "about a phase that is published" in " ".join(open_room.last(GWEN).split())


def test_a_reason_that_the_client_wrapped_stays_whole(open_room: Room) -> None:
    """Where the line above is as full as the mail is wide, what follows was wrapped off it; so is a lone reason."""
    reason = "the pilot who brought the great hulk in by night had to be paid in full"
    said = textwrap.fill(f"set coins Ada 7 because {reason}", 72)
    assert said.count("\n") == 1
    open_room.write(GWEN, f"{said}\n\nset coins Bo 7\nbecause he asked\nstatus")
    open_room.sweep()
    assert [ruled.ruling.because for ruled in open_room.table().rulings] == [reason, "he asked"]
    assert "nothing yet" in open_room.last(GWEN)


def test_undo_works_as_often_as_there_are_rulings(open_room: Room) -> None:
    """Each `undo` takes back the latest ruling in force; a second one in the phase, or in one mail, too."""
    for line in ("set coins Ada 7 because a", "undo", "set coins Ada 8 because b", "set coins Ada 9 because c"):
        open_room.write(GWEN, line)
        assert not open_room.sweep().troubles
    open_room.write(GWEN, "undo\nundo")
    assert not open_room.sweep().troubles
    assert open_room.table().state.coins["ada"] == 10
    open_room.reopen()
    assert open_room.table().state.coins["ada"] == 10


def test_an_extension_can_be_taken_back_though_another_came_after(open_room: Room) -> None:
    """Extensions add up, so taking the first back leaves the second."""
    before = open_room.table().deadline
    open_room.write(GWEN, "extend 24h\nextend 12h")
    open_room.sweep()
    open_room.write(GWEN, "undo 1")
    open_room.sweep()
    assert open_room.table().deadline == before + timedelta(hours=12)
    assert "Ruling 1 is taken back" in open_room.last(ADA)


@pytest.mark.parametrize(
    "said", ["status?", "Status.", "help me", "test this please", "close now or wait for Bo?", "hlep"]
)
def test_a_line_that_is_nearly_a_ruling_stops_nothing(open_room: Room, said: str) -> None:
    """It is answered in words, and the phase is as it was."""
    open_room.write(GWEN, said)
    assert not open_room.sweep().troubles
    assert open_room.table().number == 1
    assert "To the moderator alone" in open_room.last(GWEN)


def test_striking_the_last_order_leaves_nothing_on_hand(open_room: Room) -> None:
    """Then the seat has sent nothing, and the house rule for that holds; equal lines are struck one by one."""
    open_room.write(ADA, "bid 3\nbid 3")
    open_room.sweep()
    open_room.write(GWEN, "strike Ada 1 because once is enough")
    open_room.sweep()
    assert open_room.table().sets.hand["ada"].orders == ("bid 3",)
    open_room.write(GWEN, "strike Ada 1 because none is better")
    open_room.sweep()
    assert "ada" not in open_room.table().sets.hand
    assert "You have no orders on hand" in open_room.last(ADA)


def test_orders_that_a_ruling_made_impossible_are_taken_off_and_told(open_room: Room) -> None:
    """After `set coins Ada 2` a bid of 3 cannot stand: its owner hears why, and the game goes on."""
    open_room.write(ADA, "bid 3")
    open_room.sweep()
    open_room.write(GWEN, "set coins Ada 2 because of the storm")
    assert not open_room.sweep().troubles
    assert "ada" not in open_room.table().sets.hand
    assert "Your orders on hand no longer fit, and were taken off." in flat(open_room.last(ADA))
    assert "3 coins bid; you have 2." in open_room.last(ADA)


def test_a_ruling_on_one_seats_orders_is_told_to_no_other(open_room: Room) -> None:
    """While orders are open, a notice holds the clock's rulings and those on the reader's own set."""
    open_room.write(BO, "bid 7")
    open_room.sweep()
    open_room.write(GWEN, "strike Bo 1 because he asked\nextend 24h\norder Ada: bid 2 because she rang")
    open_room.sweep()
    everything = "\n".join("\n".join(letter.body) for letter in open_room.letters(ADA))
    assert "bid 7" not in everything and "he asked" not in everything
    assert "she rang" in everything
    open_room.write(GWEN, "close now")
    open_room.sweep()
    assert "the orders of Bo were changed" in open_room.last(ADA)


def test_close_now_ends_a_paused_phase_too(open_room: Room) -> None:
    """And orders that come while the clock is stopped are taken."""
    open_room.write(GWEN, "pause")
    open_room.sweep()
    open_room.write(ADA, "bid 3")
    open_room.sweep(timedelta(days=10))
    open_room.write(BO, "bid 1", span=timedelta(days=10))
    open_room.sweep(timedelta(days=10))
    assert set(open_room.table().sets.hand) == {"ada", "bo"}
    open_room.write(GWEN, "close now")
    open_room.sweep()
    assert open_room.table().number == 2


def test_nothing_is_ruled_after_the_end(room: Room) -> None:
    """A finished game's facts are history; the echo says so."""
    room.found("ada", "bo")
    for _ in range(2):
        room.write(ADA, "bid 3")
        room.write(BO, "bid 1")
        room.sweep()
    assert room.table().status == "over"
    room.write(GWEN, "set coins Ada 99 because why not")
    room.sweep()
    assert "The game is over" in room.last(GWEN)


def test_a_ruling_for_a_phase_that_has_not_come_says_so(open_room: Room) -> None:
    """`pbem rule --phase 9` names a phase to come, not one that is published."""
    from pbem.ground.terms import GameName
    from pbem.hall.commands import ruling

    echo, taken = ruling.rule(open_room.arena, GameName("tide-1"), 9, ["note hello"], open_room.clock.now())
    assert not taken and "Phase 9 has not come yet" in " ".join(echo.split())


def test_reasons_and_orders_may_hold_the_word_because(open_room: Room) -> None:
    """The reason stands apart in the journal, so that a ruling reads back whatever it is made of."""
    open_room.write(GWEN, "set coins Ada 7 because she said: because I say so")
    open_room.sweep()
    ruled = open_room.table().rulings[0]
    assert (ruled.ruling.show(), ruled.ruling.because) == ("set coins of ada = 7", "she said: because I say so")
    open_room.reopen()
    assert open_room.table().state.coins["ada"] == 7


def test_the_moderator_hears_of_a_game_when_it_is_founded(room: Room) -> None:
    """The first letter carries the moderator's token, so that `begin` can be a reply."""
    room.invite("ada", "bo", name="tide-9", seats=3)
    assert "tide-9 is founded" in room.last(GWEN)
    room.write(ADA, "join as Ada", to=room.reply_to(ADA), subject="Re: [tide-9] Sign-up")
    room.write(BO, "join as Bo", to=room.reply_to(BO), subject="Re: [tide-9] Sign-up")
    room.sweep()
    room.write(GWEN, "begin", to=room.reply_to(GWEN), subject="Re: [tide-9] Sign-up")
    room.sweep()
    assert room.table("tide-9").status == "open"


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("pause", 'verb = "pause"'),
        ("extend 24h", 'span = "P1D"'),
        ("deadline 2026-11-27 20:00", "instant = 2026-11-27 20:00:00+00:00"),
        ("excuse bo", 'seat = "bo"'),
        ("close now", 'verb = "close now"'),
    ],
)
def test_a_reason_is_kept_and_printed_whatever_is_ruled(open_room: Room, line: str, canonical: str) -> None:
    """Of a ruling that needs none too it stands in the journal, and in the report, but for why somebody is excused."""
    open_room.write(GWEN, f"{line} because Ada moves house and has no net\n\nnote Patience.")
    open_room.sweep()
    kept = (open_room.root / "games" / "tide-1" / "phase-01" / "journal.toml").read_text()
    assert canonical in kept and '"Ada moves house and has no net"' in kept
    if open_room.table().number == 1:
        open_room.write(GWEN, "close now")
        open_room.sweep()
    is_printed = "because Ada moves house and has no net" in flat(open_room.last(BO))
    assert is_printed != line.startswith("excuse")


def test_the_end_of_a_pause_keeps_its_reason_too(open_room: Room) -> None:
    """`resume because ...` is told to everybody with it."""
    open_room.write(GWEN, "pause")
    open_room.sweep()
    open_room.write(GWEN, "resume because she is back")
    open_room.sweep()
    assert "resume because she is back" in flat(open_room.last(ADA))


def test_a_held_proof_goes_out_once_it_is_approved(reviewed: Room) -> None:
    """Every echo says what changed, and what changes nothing says that; a bare approval has the report for an answer."""
    reviewed.write(GWEN, "hold")
    reviewed.sweep()
    assert "the proof: waits -> held" in flat(reviewed.last(GWEN))
    reviewed.write(GWEN, "hold")
    reviewed.sweep()
    assert "Nothing changes by it." in reviewed.last(GWEN)
    reviewed.write(GWEN, "approve 1")
    reviewed.sweep()
    assert "Nothing changes by it." in reviewed.last(GWEN) and reviewed.table().number == 2
    assert "TIDE 1" in reviewed.last(ADA)


def test_a_test_with_a_bad_line_asks_for_all_lines(open_room: Room) -> None:
    """Nothing was carried out, so nothing may be left out when it is meant; every line is narrow."""
    open_room.write(GWEN, "set coins Ada 7 because she paid\nset coins Bo 3\ntest")
    open_room.sweep()
    echo = open_room.last(GWEN)
    assert "nothing was carried out. When you mean it, send all lines again" in flat(echo)
    assert "send only these" not in echo
    open_room.write(GWEN, "set coins Ada 7 because she paid\nset coins Bo 3")
    open_room.sweep()
    assert "The other lines were carried out; send only these again." in open_room.last(GWEN)
    assert [line for line in f"{echo}\n{open_room.last(GWEN)}".split("\n") if len(line) > 56] == []
