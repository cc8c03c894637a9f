"""Mail that is not what it should be: each has its letter, nothing is lost, and what was on hand stands."""

from datetime import timedelta

import pytest

from pbem.ground.terms import GameName, Seat
from pbem.hall.mail.outgoing import quotable
from pbem.testing.room import ARENA
from tests.conftest import Room, flat

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"


@pytest.fixture
def open_room(room: Room) -> Room:
    """A harbour game in its first tide, with a bid of Ada's on hand."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4")
    room.sweep()
    return room


def test_a_stranger_gets_one_fixed_letter_a_day(open_room: Room) -> None:
    """The letter holds none of the stranger's words; the second mail of the day gets none."""
    open_room.write(EVE, "buy my watches", to=ARENA, subject="watches")
    open_room.write(EVE, "buy my hats", to=ARENA, subject="hats")
    open_room.sweep()
    assert len(open_room.letters(EVE)) == 1
    assert "watches" not in open_room.last(EVE)
    open_room.write(EVE, "and now?", to=ARENA, subject="hats", span=timedelta(days=1))
    open_room.sweep(timedelta(days=1))
    assert len(open_room.letters(EVE)) == 2


def test_a_mail_to_an_unknown_game_is_answered(open_room: Room) -> None:
    """The letter names the game that was asked for."""
    open_room.write(ADA, "bid 3", to=ARENA, subject="Re: [ember-99] Round 3")
    open_room.sweep()
    assert "a game called ember-99" in " ".join(open_room.last(ADA).split())


def test_a_mail_with_nothing_in_it_leaves_the_set_on_hand(open_room: Room) -> None:
    """The receipt says that nothing was read, and shows what stands."""
    open_room.write(ADA, "")
    open_room.sweep()
    assert "Your mail held no text." in open_room.last(ADA)
    assert "a bid of 4" in open_room.last(ADA)


def test_a_reply_to_a_closed_phase_is_late_and_shows_the_present_one(open_room: Room) -> None:
    """Orders with an older phase's token are not taken; the letter has the current form."""
    address = open_room.reply_to(ADA, "Tide 1")
    open_room.write(BO, "bid 1")
    open_room.sweep()
    open_room.write(ADA, "bid 2", to=address, subject="Re: [tide-1] Tide 1")
    open_room.sweep()
    text = " ".join(open_room.last(ADA).split())
    assert (
        "answers a letter of a phase that is closed. This is Tide 2 now. To send orders for it, reply to this" in text
    )
    assert "line 1 bid 2" in text and "the set" not in text
    assert "~ bid ____" in open_room.last(ADA)
    assert "ada" not in open_room.table().sets.hand


def test_a_right_token_from_a_wrong_address_changes_nothing_and_tells_the_owner(open_room: Room) -> None:
    """The sender hears nothing; the owner is told that a mail in their name was refused."""
    open_room.write(EVE, "bid 0", to=open_room.reply_to(ADA), subject="Re: [tide-1] Tide 1")
    open_room.sweep()
    assert open_room.table().sets.hand["ada"].orders == ("bid 4",)
    assert not open_room.letters(EVE)
    assert "A mail in your name" in open_room.last(ADA)


def test_a_known_address_without_a_token_gets_a_letter_that_can_be_answered(open_room: Room) -> None:
    """A fresh mail that names the game is not taken, but its answer carries the sender's token."""
    open_room.write(BO, "bid 2", to=ARENA, subject="tide-1")
    open_room.sweep()
    assert "bo" not in open_room.table().sets.hand
    open_room.write(BO, "bid 2")
    open_room.sweep()
    assert open_room.table().number == 2


def test_orders_over_budget_are_refused_whole(open_room: Room) -> None:
    """A set that is illegal as a whole is never cut down, even where nothing is on hand."""
    open_room.write(BO, "bid 11")
    open_room.sweep()
    assert "bo" not in open_room.table().sets.hand
    assert "11 coins bid; you have 10." in open_room.last(BO)


def test_with_nothing_on_hand_the_readable_rest_is_kept_as_incomplete(open_room: Room) -> None:
    """A typing slip at the last minute is not a lost turn, but such a set does not count as ready."""
    open_room.write(BO, "bid 2\nbid tree")
    open_room.sweep()
    assert open_room.table().number == 1
    assert open_room.table().sets.hand["bo"].incomplete
    assert "Taken in part" in open_room.last(BO)
    assert "bid tree" in open_room.last(BO)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("bid -3", "below zero"),
        ("bid 2.5", "not a whole number"),
        ("bid 99999999999999999999", "more than anybody can have"),
        ("bid lots", "not a number"),
    ],
)
def test_odd_numbers_are_complained_of_in_words(open_room: Room, said: str, heard: str) -> None:
    """Negative, fractional and enormous numbers each have their sentence."""
    open_room.write(BO, said)
    open_room.sweep()
    assert heard in open_room.last(BO)


@pytest.mark.parametrize(
    "said", ["bid\t2", "bid\u00a02", "BID 2\r\n", "> old words\n\nbid 2\n\nThanks!\nBo", "bid 2\n-- \nbid 9"]
)
def test_what_phones_and_habits_do_to_an_order_is_understood(open_room: Room, said: str) -> None:
    """Tabs, no-break spaces, capitals, quotes, courtesies and signatures do not hide an order."""
    open_room.write(BO, said)
    open_room.sweep()
    assert open_room.table().number == 2, open_room.last(BO)


def test_the_newest_arrival_wins_whichever_is_read_first(room: Room) -> None:
    """An older mail that turns up later does not replace the newer set, and its sender is told."""
    room.found("ada", "bo")
    room.write(ADA, "bid 5", span=timedelta(minutes=-1))
    newer = room.mailbox.waiting.pop()
    room.write(ADA, "bid 3", span=timedelta(minutes=-5))
    older = room.mailbox.waiting.pop()
    room.mailbox.waiting.append(newer)
    room.sweep()
    room.mailbox.waiting.append(older)
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 5",)
    assert "The newer one stands" in " ".join(room.last(ADA).split())


def test_mail_that_arrived_in_time_counts_after_an_outage(room: Room) -> None:
    """Down over the deadline: what the mail server stamped before it counts, what it stamped later is late."""
    room.found("ada", "bo")
    room.write(ADA, "bid 5", span=timedelta(hours=71))
    room.write(BO, "bid 6", span=timedelta(hours=74))
    room.sweep(timedelta(hours=100))
    assert room.table().number == 2
    assert room.table().state.hulks == {"ada": 1, "bo": 0}
    assert any("after the deadline of Tide 1" in " ".join(" ".join(x.body).split()) for x in room.letters(BO))


def test_a_sign_up_from_nowhere_is_confirmed_first(room: Room) -> None:
    """`join` from an unknown address is asked to confirm; only the confirming reply takes the seat."""
    room.found("ada", "bo", name="tide-1")
    from pbem.hall.commands.founding import found_game

    found_game(room.arena, GameName("tide-2"), "harbour", moderator=GWEN, invited=[], seats=2, now=room.clock.now())
    room.write(EVE, "join tide-2 as Eve", to=ARENA, subject="hello")
    room.sweep()
    assert room.table("tide-2").seats == {}
    assert "Somebody, I think you" in room.last(EVE)
    room.write(EVE, "confirm")
    room.sweep()
    assert [seated.name for seated in room.table("tide-2").seats.values()] == ["Eve"]


def test_a_game_whose_seats_are_all_for_the_invited_takes_nobody_else(room: Room) -> None:
    """An outsider is told so at once, is not asked to confirm, and is not pointed to such games by the desk."""
    from pbem.hall.commands.founding import found_game

    now = room.clock.now()
    for name, seats in (("tide-7", 2), ("tide-8", 3)):
        found_game(room.arena, GameName(name), "harbour", moderator=GWEN, invited=[ADA, BO], seats=seats, now=now)
    room.write(EVE, "join tide-7 as Eve", to=ARENA, subject="hello")
    room.sweep()
    assert "tide-7 is for invited players." in room.last(EVE) and "| join" not in room.last(EVE)
    room.write(EVE, "which games are there?", to=ARENA, subject="hello?")
    room.sweep()
    assert "tide-8" in room.last(EVE) and "tide-7" not in room.last(EVE)
    room.write(EVE, "join tide-8 as Eve", to=ARENA, subject="hello")
    room.sweep()
    room.write(EVE, "confirm")
    room.sweep()
    assert [seated.name for seated in room.table("tide-8").seats.values()] == ["Eve"]
    room.write("fay@example.com", "join tide-8 as Fay", to=ARENA, subject="me too")
    room.sweep()
    assert "tide-8 is for invited players." in room.last("fay@example.com")


def test_the_zone_in_the_mail_that_joins_is_taken(room: Room) -> None:
    """The welcome letter shows that it was, or what was wrong with it; the opening has the reader's own time."""
    room.invite("ada", "bo", name="tide-5")
    room.write(ADA, "join as Ada\nzone Europe/Paris\n\nLooking forward to it!")
    room.sweep()
    assert "From now on your letters show times in Europe/Paris." in flat(room.last(ADA))
    room.write(BO, "join as Bo\nzone CET")
    room.sweep()
    welcome = flat("\n".join(room.letters(BO)[-2].body))
    assert '"CET" does not say where' in welcome and "| zone Europe/London" in welcome
    assert "in Paris" in room.last(ADA) and "Paris" not in room.last(BO)


def test_without_plus_addresses_the_subject_carries_the_token(room: Room) -> None:
    """Where the account has no plus addressing a reply is known by the tag in its subject."""
    from pbem.world.settings import ArenaSettings, MaildirSettings, Settings

    room.arena.close()
    room.settings = Settings(arena=ArenaSettings(address=ARENA, plus=False), mailbox=MaildirSettings(path="-"))
    room.arena = room.open()
    room.found("ada", "bo")
    assert room.letters(ADA)[-1].subject.startswith("[tide-1 ")
    room.write(ADA, "bid 3")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)


def test_a_broken_game_stops_itself_and_no_other(room: Room) -> None:
    """A journal that was tampered with stops its game; its moderator is told once; another game goes on."""
    room.found("ada", "bo", name="tide-1")
    room.found("ada", "bo", name="tide-2")
    path = room.root / "games" / "tide-1" / "phase-00" / "journal.toml"
    path.write_text(path.read_text().replace('name = "Ada"', 'name = "Eva"'))
    start = room.root / "games" / "tide-1" / "phase-01" / "state.toml"
    start.unlink()
    room.reopen()
    room.write(ADA, "bid 3")
    tide_2 = room.letters(BO)[-1].subject
    assert "[tide-2]" in tide_2
    room.write(BO, "bid 1")
    room.write(ADA, "bid 2", to=room.reply_to(ADA, "[tide-1] Tide 1"), subject="Re: [tide-1] Tide 1")
    swept = room.sweep()
    assert [trouble for trouble in swept.troubles if "check sum does not fit" in trouble]
    assert room.table("tide-2").number == 2
    assert len(room.mailbox.waiting) == 1
    assert sum("stands still" in letter.subject for letter in room.letters(GWEN)) == 1
    room.sweep()
    assert sum("stands still" in letter.subject for letter in room.letters(GWEN)) == 1


def test_a_mail_by_another_route_is_answered_once(open_room: Room) -> None:
    """Redelivered with other headers it is the same mail, to a game and to the desk."""
    lost = open_room.write(BO, "bid 2", to=ARENA, subject="tide-1")
    open_room.sweep()
    before = len(open_room.letters(BO))
    open_room.mailbox.deliver(b"Received: by mx2.example.org\r\n" + lost.raw, lost.arrived)
    open_room.sweep()
    assert len(open_room.letters(BO)) == before


def test_a_seated_player_who_answers_the_invitation_gets_a_letter_that_can_be_answered(open_room: Room) -> None:
    """They hear neither that the seats are taken nor nothing; the letter's token is of the present phase."""
    open_room.write(BO, "bid 2", to=open_room.reply_to(BO, ".invitation."), subject="Re: [tide-1] Sign-up")
    open_room.sweep()
    assert "reply to this letter with this one line" in flat(open_room.last(BO))
    open_room.write(BO, "bid 2")
    open_room.sweep()
    assert open_room.table().number == 2


def test_letters_that_ask_to_confirm_are_capped(room: Room) -> None:
    """Nobody can make us fill a mailbox with them."""
    from pbem.hall.commands.founding import found_game

    found_game(room.arena, GameName("tide-3"), "harbour", moderator=GWEN, invited=[], seats=2, now=room.clock.now())
    for number in range(9):
        room.write(EVE, f"join tide-3 as Eve{number}x", to=ARENA, subject="hi")
    room.sweep()
    assert len(room.letters(EVE)) == 3


@pytest.mark.parametrize("tag", ["[EXTERNAL] Re: {}", "Re: [list] {}", "Re: {} [EXT]"])
def test_tags_of_mail_servers_do_not_hide_ours(room: Room, tag: str) -> None:
    """The tag with a token counts, wherever it stands; without one, the tag of a game that is here."""
    from pbem.world.settings import ArenaSettings, MaildirSettings, Settings

    room.arena.close()
    room.settings = Settings(arena=ArenaSettings(address=ARENA, plus=False), mailbox=MaildirSettings(path="-"))
    room.arena = room.open()
    room.found("ada", "bo")
    room.write(ADA, "bid 3", to=ARENA, subject=tag.format(room.letters(ADA)[-1].subject))
    room.write(BO, "bid 1", to=ARENA, subject=tag.format("[tide-1] Tide 1"))
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    assert "reply to this letter with this one line" in flat(room.last(BO))


def test_a_mail_to_two_games_says_in_which_it_counts(room: Room) -> None:
    """It acts in the first alone, and its entry there says so."""
    room.found("ada", "bo", name="tide-1")
    room.found("ada", "bo", name="tide-2")
    raws = [raw for to, raw in room.outbox.sent if to == ADA and b" BEGINS " in raw]
    lines = [line for raw in raws for line in raw.decode().split("\r\n") if line.startswith("Reply-To: ")]
    room.write(ADA, "bid 3", to=", ".join(line[10:] for line in lines), subject="both")
    room.sweep()
    assert room.table("tide-1").sets.hand["ada"].orders == ("bid 3",) and not room.table("tide-2").sets.hand
    assert "went to tide-2 as well. It counts in tide-1 alone" in room.table("tide-1").log[-1].note


def test_the_latest_letters_to_a_reader_are_known_for_ours(open_room: Room) -> None:
    """As many as `pbem mail read` takes away, and the one that is answered, however old."""
    for number in range(quotable.LATEST):
        open_room.write(ADA, f"bid {number % 9}")
    open_room.sweep()
    ledger, first = open_room.arena.ledger(GameName("tide-1")), open_room.letters(ADA)[1].message_id
    for answered, known in (((), quotable.LATEST), ((first,), quotable.LATEST + 1)):
        texts = quotable.words_sent(open_room.arena, ledger, Seat("ada"), ledger.charter.moderator, answered)
        assert len(texts) == known
