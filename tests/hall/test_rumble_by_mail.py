"""Rumble over the whole way of a mail: what clients do to orders, and what players write that cannot be."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.hall.store.catalogue import rulesets_known
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import some

ADA, BO, CY, GWEN = "ada@example.org", "bo@example.org", "cy@example.org", "gwen@example.org"
NAMES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Doctor Strangelove"}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The arena of the fixture below, played so far once."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=("powers",))
    while room.table("ember-7").title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.write(ADA, "defend 60\nattack Cuttlefish 40")
    room.sweep()
    assert room.table("ember-7").sets.hand["mantisman"].orders
    room.arena.close()
    return room


@pytest.fixture
def first_round(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """Three heroes of 100 Energy in their first round, with orders of Mantisman's on hand."""
    yield from begun.lent(tmp_path / "arena")


@pytest.mark.parametrize(
    ("said", "heard"),
    some(
        3,
        [
            ("attack Mandisnan 20\ndefend 10", "Did you mean"),
            ("attack Octopus 20\ndefend 10", "There is no hero of that name."),
            ("attack Doctor 20", 'Write "attack Doctor Cuttlefish 20" or "attack Doctor Strangelove 20"'),
            ("attack Cuttlefish 60\ndefend 50", "you have 100"),
            ("attack Cuttlefish -5", "below zero"),
            ("attack Cuttlefish 2.5", "not a whole number"),
            ("defend 123456789012345678901234567890", "more than anybody can have"),
            ("attack Mantisman 20", "[A3]"),
            ("bid P01 20", "Nothing is bid or invented any more"),
        ],
    ),
)
def test_what_cannot_be_is_refused_in_words_and_the_old_set_stands(first_round: Room, said: str, heard: str) -> None:
    """Each line is quoted with its reason; what was on hand is still there, and waits for a yes."""
    before = first_round.table("ember-7").sets.hand["mantisman"].orders
    first_round.write(ADA, said)
    first_round.sweep()
    assert heard in flat(first_round.last(ADA)), first_round.last(ADA)
    held = first_round.table("ember-7").sets.hand["mantisman"]
    assert (held.orders, held.doubtful) == (before, True)
    assert "Your orders on hand are unchanged" in first_round.last(ADA)


def test_of_two_bids_on_one_power_neither_counts(tmp_path: Path) -> None:
    """R18: the others are on hand, unless a set is that was taken before; as docs/playing.md says."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=())
    for who, powers in {
        ADA: ("Tough Skin", "Zypher"),
        BO: ("Hypnotism", "Flight"),
        CY: ("Tai-Chi", "Laser Eyes"),
    }.items():
        room.write(who, "\n\n".join(f"power: {power}" for power in powers))
    room.sweep()
    room.sweep(timedelta(hours=1))
    assert room.table("ember-7").title == "Auction"
    twice = "bid Flight 5\nbid Flight 7\nbid Zypher 3"
    room.write(ADA, twice)
    room.sweep()
    assert "You bid on this power twice. Keep one of the lines." in flat(room.last(ADA))
    assert room.table("ember-7").sets.hand["mantisman"].orders == ("bid Zypher 3",)
    room.write(ADA, "bid Tai-Chi 9")
    room.sweep()
    before = room.table("ember-7").sets.hand["mantisman"].orders
    room.write(ADA, twice)
    room.sweep()
    assert before and room.table("ember-7").sets.hand["mantisman"].orders == before
    room.arena.close()


def test_a_condition_that_the_client_wrapped_stays_a_condition(first_round: Room) -> None:
    """A wrapped `if` is put together again, and never becomes an order without its condition."""
    first_round.write(
        ADA, "if my energy < 40: defend 40,\n  attack Cuttlefish 0\nelse defend 50,\nattack Cuttlefish 50"
    )
    first_round.sweep()
    orders = first_round.table("ember-7").sets.hand["mantisman"].orders
    assert len(orders) == 1 and orders[0].startswith("if my energy < 40"), orders


@pytest.mark.parametrize("attribution", ["The Ember Arena wrote:", "Ember Arena:"])
def test_an_attribution_without_a_date_is_glued_to_no_order(first_round: Room, attribution: str) -> None:
    """The quoted letter stands between it and the orders below; they are taken as they are."""
    quoted = "\n".join(f"> {line}" for line in first_round.letters(BO)[-1].body)
    first_round.write(BO, f"{attribution}\n{quoted}\n\nattack Mantis 30\ndefend 20")
    first_round.sweep()
    assert first_round.table("ember-7").sets.hand["doctor-cuttlefish"].orders == ("attack Mantisman 30", "defend 20")


def test_a_condition_that_a_quotation_interrupts_stays_a_condition(first_round: Room) -> None:
    """A line that ends in a colon is no attribution where it begins as a condition does."""
    quoted = "\n".join(f"> {line}" for line in first_round.letters(BO)[-1].body)
    first_round.write(BO, f"if my energy < 40:\n{quoted}\ndefend 40")
    first_round.sweep()
    assert first_round.table("ember-7").sets.hand["doctor-cuttlefish"].orders == ("if my energy < 40: defend 40",)


def test_public_press_reaches_the_moderator_once_and_private_press_does_not(tmp_path: Path) -> None:
    """The moderator reads all that everybody reads, at the head of their next letter or after six hours."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=("powers",), press="private")
    room.write(ADA, "press to all: Cuttlefish is weak\npress to Cuttlefish: meet me on the roof")
    room.sweep()
    before = len(room.letters(GWEN))
    room.write(ADA, "press to Cuttlefish: on the roof, I said")
    room.sweep()
    assert len(room.letters(GWEN)) == before and "weak" not in room.last(GWEN)
    room.write(GWEN, "status")
    room.sweep()
    told = room.last(GWEN)
    assert "Mantisman to all players: : Cuttlefish is weak" in flat(told) and "roof" not in told
    room.write(GWEN, "status")
    room.sweep()
    assert "weak" not in room.last(GWEN)
    room.write(ADA, "press to all: I am coming\n\ngm: is he?")
    room.sweep()
    assert "is he?" in room.last(GWEN) and "coming" not in room.last(GWEN)
    room.sweep(timedelta(hours=7))
    assert "Mantisman to all players: : I am coming" in flat(room.last(GWEN))
    assert "Nothing of it is an order." in flat(room.last(GWEN))
    room.arena.close()


def test_a_ruling_for_each_round_ends_with_its_hero(tmp_path: Path) -> None:
    """Once whom it is about is out it is printed no more, and does not stand in the next round's start."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=("powers",), house={"left_over": "idle"})
    while room.table("ember-7").title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.write(GWEN, "do gain Cuttlefish 3 each round because a\ndo gain Mantisman 3 each round because b")
    room.sweep()
    room.write(ADA, "attack Cuttlefish 100")
    room.write(BO, "attack Mantisman 1")
    room.write(CY, "attack Cuttlefish 50")
    room.sweep()
    assert "do gain Doctor Cuttlefish 3 each round" in flat(room.last(ADA)) and "Out of the game" in room.last(ADA)
    assert [ruled.number for ruled in room.table("ember-7").standing] == [2]
    room.write(ADA, "defend 10")
    room.write(CY, "defend 10")
    room.sweep()
    assert "do gain Mantisman 3 each round" in flat(room.last(ADA))
    assert "do gain Doctor Cuttlefish" not in flat(room.last(ADA))
    assert "This did nothing" not in room.last(GWEN)
    room.arena.close()


def test_latin_1_crlf_tabs_no_break_spaces_and_smart_quotes_are_read(first_round: Room) -> None:
    """What a phone and an old client make of orders is understood."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = BO, first_round.reply_to(BO), "Re: Round 1"
    message["Message-ID"] = "<phone@example.net>"
    message.set_content("placeholder")
    body = "d\u00e9fend".replace("\u00e9", "e") + "\u00a050\r\nattack\t\u201cMantisman\u201d 20\r\n# caf\u00e9\r\n"
    message.set_payload(body.encode("cp1252"))
    del message["Content-Type"], message["Content-Transfer-Encoding"]
    message["Content-Type"] = 'text/plain; charset="iso-8859-1"'
    message["Content-Transfer-Encoding"] = "8bit"
    head = "".join(f"{name}: {value}\r\n" for name, value in message.items())
    first_round.mailbox.deliver(f"{head}\r\n".encode() + body.encode("cp1252"), first_round.clock.now())
    first_round.sweep()
    assert len(first_round.table("ember-7").sets.hand["doctor-cuttlefish"].orders) == 2, first_round.last(BO)


def test_the_form_filled_in_the_quoted_letter_counts(first_round: Room) -> None:
    """Many people will write into the quoted form; those lines count, and the empty ones do not."""
    letter = first_round.letters(CY)[-1]
    lines = [line.replace("~ attack ____ ____", "~ attack Mantis 30") for line in letter.body]
    lines = [line.replace("~ defend ____", "~ defend 40") for line in lines]
    first_round.write(CY, "On Monday the arena wrote:\n" + "\n".join(f"> {line}" for line in lines))
    first_round.sweep()
    orders = first_round.table("ember-7").sets.hand["doctor-strangelove"].orders
    assert "defend 40" in orders and any("Mantisman 30" in order for order in orders), orders


def test_orders_sent_ahead_are_looked_at_when_their_phase_opens(first_round: Room) -> None:
    """`for Round 2: ...` is kept, stands in Round 2, and does not end that round by itself."""
    first_round.write(ADA, "for Round 2: defend 10; attack Cuttlefish 20")
    first_round.sweep()
    first_round.write(BO, "defend 50")
    first_round.write(CY, "defend 50")
    first_round.sweep()
    table = first_round.table("ember-7")
    assert table.title == "Round 2"
    assert len(table.sets.hand["mantisman"].orders) == 2
    assert "mantisman" in table.waiting_for()


def test_what_is_sent_ahead_for_a_phase_again_is_in_place_of_what_was_kept_for_it(first_round: Room) -> None:
    """The second `for Round 2:` counts alone, in whatever case; what is kept for another round stays."""
    for said in ("for Round 2: defend 10", "for Round 3: defend 30", "FOR ROUND 2: attack Cuttlefish 20"):
        first_round.write(ADA, said)
        first_round.sweep()
    kept = {one.title: one.orders for one in first_round.table("ember-7").sets.later["mantisman"]}
    assert kept == {"round 3": ("defend 30",), "round 2": ("attack Cuttlefish 20",)}
    assert len(first_round.table("ember-7").sets.later["mantisman"]) == len(kept)
    first_round.write(BO, "defend 50")
    first_round.write(CY, "defend 50")
    first_round.sweep()
    table = first_round.table("ember-7")
    assert (table.title, table.sets.hand["mantisman"].orders) == ("Round 2", ("attack Doctor Cuttlefish 20",))


def test_a_condition_keeps_what_stands_behind_it_when_orders_are_cut(first_round: Room) -> None:
    """Ahead and by ruling too, nothing is cut behind an if; what stands on a line of its own is free of it."""
    first_round.write(ADA, "for Round 2: defend 10; if my energy < 40: defend 20; attack Cuttlefish 20\n"
                           "for Round 2: attack Strangelove 1")  # fmt: skip
    first_round.write(GWEN, "order Cuttlefish: defend 1; if my energy < 40: defend 20; attack Mantisman 20 because so")
    first_round.sweep()
    table = first_round.table("ember-7")
    condition = "if my energy < 40: defend 20"
    assert table.sets.later["mantisman"][0].orders == (
        "defend 10", f"{condition}; attack Cuttlefish 20", "attack Strangelove 1",
    )  # fmt: skip
    assert table.sets.hand["doctor-cuttlefish"].orders == ("defend 1", f"{condition}, attack Mantisman 20")


def test_what_was_sent_ahead_and_became_impossible_is_told_at_the_opening(first_round: Room) -> None:
    """The phase's letter says which orders no longer stand, while there is time to send others."""
    first_round.write(ADA, "for Round 2: defend 100")
    first_round.write(BO, "attack Mantisman 90")
    first_round.write(CY, "defend 50")
    first_round.sweep()
    table = first_round.table("ember-7")
    assert table.title == "Round 2" and "mantisman" not in table.sets.hand
    assert "Orders that were to stand in this phase no longer can" in first_round.last(ADA)


def test_standing_orders_carry_over_but_wait_for_their_owner(first_round: Room) -> None:
    """`standing on` repeats a set in later rounds; it counts at the deadline and does not hurry anybody."""
    first_round.write(ADA, "standing on")
    first_round.write(BO, "defend 50")
    first_round.write(CY, "defend 50")
    first_round.sweep()
    table = first_round.table("ember-7")
    assert table.title == "Round 2" and table.sets.hand["mantisman"].orders
    first_round.write(ADA, "standing off\ncancel")
    first_round.sweep()
    assert "mantisman" not in first_round.table("ember-7").sets.hand


def test_who_said_wait_is_told_so_until_they_say_ready(first_round: Room) -> None:
    """Orders that come later do not take the word back; each receipt says that it holds the round open."""
    first_round.write(ADA, "wait")
    first_round.sweep()
    assert "I shall wait for you" in first_round.last(ADA) and "as you asked" not in flat(first_round.last(ADA))
    first_round.write(ADA, "defend 30")
    first_round.sweep()
    assert "I still wait for you until the deadline, as you asked." in flat(first_round.last(ADA))
    first_round.write(ADA, "ready")
    first_round.sweep()
    assert "You are marked ready." in first_round.last(ADA) and "still wait" not in first_round.last(ADA)


def test_press_to_all_reaches_everybody_and_is_no_order(first_round: Room) -> None:
    """Press is passed on with a mark before every line; the sender's orders on hand stay."""
    before = first_round.table("ember-7").sets.hand["mantisman"]
    first_round.write(ADA, "press to all:\nCuttlefish is weak.\nattack Cuttlefish 99\nend press")
    first_round.sweep()
    assert ": attack Cuttlefish 99" in first_round.last(BO)
    assert "Press from Mantisman" in first_round.last(BO)
    assert first_round.table("ember-7").sets.hand["mantisman"] == before
    first_round.write(BO, "defend 10\n\n" + "\n".join(f"> {line}" for line in first_round.last(BO).split("\n")))
    first_round.sweep()
    assert first_round.table("ember-7").sets.hand["doctor-cuttlefish"].orders == ("defend 10",)


def test_private_press_is_refused_where_the_house_says_public(first_round: Room) -> None:
    """The charter decides, and the letter says what would have worked."""
    first_round.write(ADA, "press to Cuttlefish: meet me on the roof")
    first_round.sweep()
    assert "Press is public in this game" in flat(first_round.last(ADA))
    assert "roof" not in first_round.last(BO)


def test_a_zone_that_is_given_is_the_zone_of_later_letters(first_round: Room) -> None:
    """`zone Asia/Tokyo` changes how this player's letters show times, from the very answer on."""
    first_round.write(BO, "zone Asia/Tokyo")
    first_round.sweep()
    assert "in Tokyo" in first_round.last(BO)


def test_the_moderator_says_what_a_power_did(tmp_path: Path) -> None:
    """A `do` line at the proof is an input of adjudication: the new proof and the report follow from it."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=("round",), house={"left_over": "idle"})
    while room.table("ember-7").title != "Round 1":
        room.sweep(timedelta(hours=12))
    for sender in (ADA, BO, CY):
        room.write(sender, "defend 50")
    room.sweep()
    room.write(GWEN, "do deal 10 to Mantisman unblockable because Laser Eyes never miss")
    room.sweep()
    assert "Energy of Mantisman: 100 -> 90" in flat(room.last(GWEN)), room.last(GWEN)
    room.write(GWEN, "approve 2")
    room.sweep()
    assert "100 -> 90" in flat(room.last(ADA))
    assert "because Laser Eyes never miss" in flat(room.last(ADA))
    room.arena.close()


def test_who_has_invented_one_power_may_leave_it_at_that(tmp_path: Path) -> None:
    """With `ready`, in the same mail or later; without it a second one is waited for, and nobody is ready with none."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*NAMES, ruleset="rumble", name="ember-7", names=NAMES, review=())
    for who in (BO, CY):
        room.write(
            who, "\n\n".join(f"power: {name}\ntext: It does {name}." for name in (f"{who[:2]} Ray", f"{who[:2]} Eye"))
        )
    room.write(ADA, "ready")
    room.sweep()
    assert "Not ready yet" in room.last(ADA)
    room.write(ADA, "power: Tough Skin")
    room.sweep()
    assert "Still lacking: one more power" in flat(room.last(ADA)) and room.table("ember-7").waiting_for()
    room.write(ADA, "ready")
    room.sweep()
    receipt, report = room.letters(ADA)[-2:]
    assert "You are marked ready." in receipt.body and "lacking" not in "\n".join(receipt.body)
    assert "POWERS" in report.body[0] and room.table("ember-7").title == "Auction"
    assert len(room.table("ember-7").state.powers) == 5
    room.arena.close()
