"""A second mail that changes the set on hand: taken where it reads in one way, asked about where it reads in more."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import OrderLine
from pbem.hall.store.catalogue import rulesets_known
from pbem.table.fold import replay
from pbem.table.fold.journal import OrdersReceived
from pbem.table.incoming import player_mail
from pbem.table.incoming.received import Received
from pbem.table.model.table import Table
from tests.conftest import Room, flat
from tests.depth import at_first, some
from tests.hall.test_talk import NOW, ORDERS, SEAT, table_of

ADA = "ada@example.org"
POOLS = {
    "brawl": ("attack Bo with a damage b", "pass", "ask me", "if Bo is down: pass"),
    "discs": ("throw at Bo", "hold", "move to centre", "attack Cy", "on disc: block", "if Bo within 12: attack Bo"),
    "rumble": ("attack Bo 20", "attack Cy 10", "defend 30", "block largest first", "if my energy < 40: attack Bo 3"),
}
"""Orders of which every choice is a set that the game takes."""


def sent(table: Table, *lines: str, hours: int = 1) -> tuple[OrdersReceived, Table]:
    """Return the entry of Ada's next mail, and the table behind it."""
    said = tuple(OrderLine(number, line) for number, line in enumerate(lines, 1))
    name = f"{hours:03}-{table.head}"
    arrived = NOW + timedelta(minutes=hours)
    mail = Received(
        phase=1, arrived=arrived, noted=NOW, mail=name, cause=name, key=name, message_id="", said=said
    )  # fmt: skip
    entry = player_mail.take(table, SEAT, mail)
    return entry, replay.step(table, entry)


@cache
def with_set(name: str, *lines: str) -> Table:
    """Return a table on which Ada has a set."""
    entry, table = sent(table_of(name), *lines)
    assert entry.taken and not entry.complaints, entry.complaints
    return table


def on_hand(table: Table) -> tuple[str, ...]:
    """Return what Ada has on hand."""
    held = table.sets.hand.get(SEAT)
    return held.orders if held else ()


HANDS = {
    "brawl": ("defend with a", "drop b maneuver", "pass"),
    "discs": ("on disc: block", "throw at Bo", "move to centre", "hold"),
    "rumble": ("attack Bo 20", "defend 40", "attack Cy 10"),
    "rumble of two": ("attack Bo 20", "defend 40"),
}
TAKEN = (
    ("rumble", "also block largest first", ("attack Bo 20", "defend 40", "attack Cy 10", "block largest first")),
    ("rumble", "and also attack Cy 5, please", ("attack Bo 20", "defend 40", "attack Cy 10", "also attack Cy 5")),
    ("rumble", "another 5 on Cy", ("attack Bo 20", "defend 40", "attack Cy 10", "also attack Cy 5")),
    ("rumble", "keep it all and add defend 3", ("attack Bo 20", "defend 40", "attack Cy 10", "also defend 3")),
    ("rumble", "defend 3 too", ("attack Bo 20", "defend 40", "attack Cy 10", "also defend 3")),
    (
        "rumble",
        "also:\nattack Cy 5\ndefend 1",
        ("attack Bo 20", "defend 40", "attack Cy 10", "also attack Cy 5", "also defend 1"),
    ),
    ("rumble", "drop 2", ("attack Bo 20", "defend 40")),  # the receipt lists attacks before the Defence
    ("rumble", "drop lines 1 and 3", ("attack Cy 10",)),
    ("rumble", "drop 1\ndrop 2", ("defend 40",)),
    ("rumble", "cancel the last line", ("attack Bo 20", "attack Cy 10")),
    ("rumble", "no attack on Bo", ("defend 40", "attack Cy 10")),
    ("rumble", "don't attack Bo!", ("defend 40", "attack Cy 10")),
    ("rumble", "forget the defence", ("attack Bo 20", "attack Cy 10")),
    ("rumble", "make that 25 on Bo", ("attack Bo 25", "defend 40", "attack Cy 10")),
    ("rumble", "make that 25 on Bo, after all", ("attack Bo 25", "defend 40", "attack Cy 10")),
    ("rumble", "defend 50 instead, on reflection, please", ("attack Bo 20", "defend 50", "attack Cy 10")),
    ("rumble of two", "Cy instead of Bo after all. Thanks!", ("attack Cy 20", "defend 40")),
    ("rumble", "One small change:\nmake the defence 50\nThanks!", ("attack Bo 20", "defend 50", "attack Cy 10")),
    ("rumble", "Sorry, make the defence 50, thanks", ("attack Bo 20", "defend 50", "attack Cy 10")),
    ("rumble", "defend 50 instead", ("attack Bo 20", "defend 50", "attack Cy 10")),
    ("rumble", "defend 50 instead of 40", ("attack Bo 20", "defend 50", "attack Cy 10")),
    ("rumble", "change the defence to 45", ("attack Bo 20", "defend 45", "attack Cy 10")),
    ("rumble of two", "Cy instead of Bo", ("attack Cy 20", "defend 40")),
    ("rumble of two", "instead of Bo attack Cy", ("attack Cy 20", "defend 40")),
    ("rumble of two", "swap Bo for Cy", ("attack Cy 20", "defend 40")),
    ("rumble of two", "instead of the defence, attack Cy 5", ("attack Bo 20", "attack Cy 5")),
    ("rumble", "line 3: defend 50", ("attack Bo 20", "defend 50", "attack Cy 10")),
    ("rumble", "make it 25 instead of 20", ("attack Bo 25", "defend 40", "attack Cy 10")),
    ("rumble", "Hi Gwen, one more: defend 3", ("attack Bo 20", "defend 40", "attack Cy 10", "also defend 3")),
    ("rumble", "5 more on Bo", ("attack Bo 25", "defend 40", "attack Cy 10")),
    ("rumble", "the rest on Cy", ("attack Bo 20", "defend 40", "attack Cy 10", "also attack Cy 30")),
    ("rumble", "raise the defence by 5", ("attack Bo 20", "defend 45", "attack Cy 10")),
    ("rumble", "lower the defence by ten", ("attack Bo 20", "defend 30", "attack Cy 10")),
    ("rumble", "no attack on Bo, and make the defence 50", ("defend 50", "attack Cy 10")),
    ("brawl", "no defence", ("drop b maneuver", "pass")),
    ("brawl", "drop line 2", ("defend with a", "pass")),
    ("brawl", "remove 2", ("defend with a", "pass")),
    ("brawl", "drop the maneuver", ("defend with a", "pass")),
    ("brawl", "regain instead of maneuver", ("defend with a", "drop b regain", "pass")),
    ("brawl", "also ask me", ("defend with a", "drop b maneuver", "pass", "ask me")),
    ("discs", "drop 2", ("on disc: block", "throw at Bo", "hold")),  # what is kept to is listed below the cards
    ("discs", "don't hold", ("on disc: block", "throw at Bo", "move to centre")),
    ("discs", "throw at Cy instead", ("on disc: block", "throw at Cy", "move to centre", "hold")),
    ("discs", "instead of Bo throw at Cy", ("on disc: block", "throw at Cy", "move to centre", "hold")),
    ("discs", "and pass", ("on disc: block", "throw at Bo", "move to centre", "hold", "pass")),
)


@pytest.mark.parametrize(("name", "said", "wanted"), some(3, TAKEN))
def test_what_reads_in_one_way_is_taken(name: str, said: str, wanted: tuple[str, ...]) -> None:
    """The rest stays as it is, and the seat is ready."""
    entry, table = sent(with_set(name.split(maxsplit=1)[0], *HANDS[name]), *said.split("\n"), hours=2)
    assert on_hand(table) == wanted, entry
    assert table.moved(SEAT) and entry.changes and not entry.complaints


ASKED = (
    ("rumble", "make that 25"), ("rumble", "no attack"), ("rumble", "attack Cy 20 instead"), ("rumble", "drop 7"),
    ("rumble", "drop 40"), ("rumble", "no 40"), ("rumble", "Cy instead of Bo"), ("rumble", "attack Bo 5 instead of the defence"), ("rumble", "make the attack on Bo half"), ("rumble", "all on Cy instead of Bo"), ("rumble", "also attack Zed 10"),
    ("rumble", "also attack Cy 90"), ("rumble", "make the defence 95"), ("rumble", "drop 1, 2 and 3"),
    ("rumble", "no attack on Bo if he is down"), ("rumble", "make that 25 on Bo unless Cy moves"),
    ("rumble", "no attack on Bo\nonly if he is down"), ("rumble", "no attack on Bo\n\nunless he runs"),
    ("rumble", "no attack on Bo\ndefend 60"), ("rumble", "defend 60\nno attack on Bo"), ("rumble", "don't drop 2"),
    ("rumble", "also attack Cy 5\ndefend 1"), ("rumble", "drop 2\nmake that 25"), ("rumble", "no attack on Dan"),
    ("rumble", "make that 25 on Bo\nwait, not that"), ("rumble", "40 instead of 50"), ("rumble", "not 20"),
    ("brawl", "drop 2"), ("brawl", "drop b"), ("brawl", "pass instead"), ("brawl", "b instead of a"),
    ("brawl", "also defend with a"), ("discs", "attack Cy instead"), ("discs", "no throwing at Cy"), ("discs", "drop 9"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "said"), some(3, ASKED))
def test_what_reads_in_more_ways_or_none_changes_nothing(name: str, said: str) -> None:
    """It is asked about, and the seat is waited for."""
    entry, table = sent(with_set(name, *HANDS[name]), *said.split("\n"), hours=2)
    assert on_hand(table) == HANDS[name] and not entry.taken
    assert not table.moved(SEAT) and (entry.complaints or entry.doubts)


def test_both_readings_are_named() -> None:
    """In the words of the game, so that either can be said."""
    entry, _ = sent(with_set("rumble", *HANDS["rumble"]), "attack Cy 20 instead", hours=2)
    because = entry.complaints[0].because
    assert '"attack Cy 20" in place of "attack Bo 20"' in because and '"attack Cy 10"' in because


def test_a_change_that_is_made_settles_one_that_was_not() -> None:
    """Who was asked answers so; what else is in doubt stays so until a yes."""
    table = with_set("rumble", *HANDS["rumble"])
    asked = sent(table, "make that 25", hours=2)[1]
    assert not asked.moved(SEAT)
    assert sent(asked, "make that 25 on Bo", hours=3)[1].moved(SEAT)
    doubtful = sent(table, *HANDS["rumble"], "", "Bo will not like this", hours=2)[1]
    entry, table = sent(doubtful, "make that 25 on Bo", hours=3)
    assert on_hand(table)[0] == "attack Bo 25" and entry.doubts == ("Bo will not like this",)
    assert not table.moved(SEAT) and sent(table, "yes", hours=4)[1].moved(SEAT)


def test_a_change_makes_no_set_whole() -> None:
    """What could not be read of it is still not there."""
    _, table = sent(table_of("rumble"), "attack Bo 20", "defend plenty", hours=1)
    assert table.sets.hand[SEAT].incomplete
    _, table = sent(table, "also defend 20", hours=2)
    assert on_hand(table) == ("attack Bo 20", "defend 20") and table.sets.hand[SEAT].incomplete


@pytest.mark.parametrize("word", some(4, ["and ", "instead ", "also ", "put it first "]))
def test_with_nothing_on_hand_the_longest_mail_is_a_set_of_its_own(word: str) -> None:
    """However much of it sounds like changes; nothing of it is read too often."""
    entry, after = sent(table_of("rumble"), *[(word * 200)[:490]] * 50)
    assert not entry.taken and on_hand(after) == ()


def test_with_nothing_on_hand_also_says_nothing() -> None:
    """It is simply a set; and in a set of its own it joins what stands above it."""
    entry, table = sent(table_of("rumble"), "also attack Bo 20")
    assert on_hand(table) == ("attack Bo 20",) and table.moved(SEAT) and not entry.changes
    for before in (table_of("rumble"), with_set("rumble", *HANDS["rumble"])):
        entry, table = sent(before, "attack Bo 30", "also defend 5", hours=2)
        assert on_hand(table) == ("attack Bo 30", "defend 5") and table.moved(SEAT) and not entry.changes


def test_an_older_mail_changes_nothing() -> None:
    """Two mails that cross: the one that was written later stands."""
    table = with_set("rumble", *HANDS["rumble"])
    table = sent(table, "defend 60", hours=9)[1]
    for said in ("drop 1", "back", "also attack Bo 5"):
        entry, after = sent(table, said, hours=5)
        assert on_hand(after) == ("defend 60",) and entry.complaints[0].fault == "late"


def test_back_refuses_where_there_is_nothing_to_go_back_to() -> None:
    """Nor beside orders; and the seat is waited for, since it wants something else."""
    table = with_set("brawl", *HANDS["brawl"])
    entry, after = sent(table, "back", hours=2)
    assert "nothing to go back to" in entry.complaints[0].because and not after.moved(SEAT)
    table = sent(table, "pass", hours=2)[1]
    for lines in (("back", "defend with a"), ("back", "also ask me"), ("cancel", "back")):
        entry, after = sent(table, *lines, hours=3)
        assert on_hand(after) == ("pass",) and not entry.taken and not after.moved(SEAT)
        assert "Send back alone" in " ".join(one.because for one in entry.complaints)


def test_a_set_in_doubt_comes_back_in_doubt() -> None:
    """It waits for a yes as before."""
    table = sent(table_of("brawl"), *HANDS["brawl"], "", "Bo will not like this")[1]
    table = sent(table, "pass", hours=2)[1]
    assert table.moved(SEAT)
    table = sent(table, "back", hours=3)[1]
    assert on_hand(table) == HANDS["brawl"] and not table.moved(SEAT)
    entry, table = sent(table, "no defence", hours=4)
    assert entry.doubts == ("Bo will not like this",) and not table.moved(SEAT)


names = st.sampled_from(sorted(POOLS))


def chosen(name: str, bits: int) -> tuple[str, ...]:
    """Return some of the orders of a pool; never none."""
    pool = POOLS[name]
    return tuple(line for place, line in enumerate(pool) if bits >> place & 1) or pool[:1]


@given(names, st.integers(1, 63), st.integers(0, 5))
def test_what_is_added_and_denied_leaves_the_set_as_it_was(name: str, bits: int, which: int) -> None:
    """`also X`, then `no X` or `back`."""
    pool = POOLS[name]
    more = pool[which % len(pool)]
    before = tuple(line for line in chosen(name, bits) if line != more) or (pool[(which + 1) % len(pool)],)
    table = with_set(name, *before)
    added = sent(table, f"also {more}", hours=2)[1]
    assert on_hand(added) == (*before, more) and added.moved(SEAT)
    assert on_hand(sent(added, f"no {more}", hours=3)[1]) == before
    assert on_hand(sent(added, "back", hours=3)[1]) == before


mails = st.one_of(
    st.integers(1, 63),
    st.sampled_from(["cancel", "drop 1", "remove line 2", "also pass", "also defend 5", "no attack on Bo"]),
)


@given(names, st.integers(1, 63), st.lists(mails, min_size=1, max_size=4))
def test_back_gives_what_the_last_change_took(name: str, bits: int, more: Sequence[int | str]) -> None:
    """Exactly the set before; and a second one gives what was there when the first came."""
    table = with_set(name, *chosen(name, bits))
    sets = [on_hand(table)]
    for place, one in enumerate(more):
        lines = chosen(name, one) if isinstance(one, int) else (one,)
        table = sent(table, *lines, hours=place + 2)[1]
        sets += [on_hand(table)] if on_hand(table) != sets[-1] else []
    entry, back = sent(table, "back", hours=20)
    if len(sets) == 1 or not sets[-2]:
        assert on_hand(back) == on_hand(table) and entry.complaints
        return
    assert on_hand(back) == sets[-2]
    again = sent(back, "back", hours=21)[1]
    assert on_hand(again) == (sets[-1] or sets[-2])


FORMS = (
    "also {}", "no {}", "drop {}", "make that {}", "make {} {}", "{} instead", "{} instead of {}", "instead of {} {}",
    "not {}, {}", "change {} to {}", "swap {} for {}", "{} on {} instead", "without {}", "and {}", "don't {}", "{}, not {}",
    "remove line {}", "forget {}",
)  # fmt: skip
VOCABULARY = (
    "Bo", "Cy", "the attack", "attack", "attack Bo", "attack Cy 5", "defend", "defence", "25", "10", "2", "a", "b", "hold",
    "throw at Cy", "the move", "centre", "pass", "nearest", "block", "largest", "everything", "it", "the last line", "if",
)  # fmt: skip
said_in_haste = st.tuples(
    st.sampled_from(FORMS), st.sampled_from(VOCABULARY), st.sampled_from(VOCABULARY)
).map(lambda one: one[0].format(*one[1:]))  # fmt: skip


@settings(max_examples=at_first(2))
@given(names, st.integers(1, 63), st.lists(said_in_haste, min_size=1, max_size=2))
def test_no_change_makes_up_an_order(name: str, bits: int, said: Sequence[str]) -> None:
    """Every word of what is on hand was there, or is in the mail; what is not taken changes nothing, and is asked about."""
    before = chosen(name, bits)
    entry, table = sent(with_set(name, *before), *said, hours=2)
    assert {word for line in on_hand(table) for word in _words(line)} <= {
        word for line in (*before, *said) for word in _words(line)
    }
    if not entry.taken:
        assert on_hand(table) == before and not table.moved(SEAT)
    elif entry.changes:
        assert on_hand(table) != before


_SAME = {"defence": "defend"}


def _words(line: str) -> list[str]:
    line += " nearest" * ("attack" in line)  # the discs need no name
    return [_SAME.get(word, word) for word in line.casefold().replace(":", "").replace(",", "").split()] + (
        ["to"] * ("throw" in line or "move" in line or "centre" in line)
    )


@pytest.fixture(params=["rumble", "brawl", "discs"])
def room(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Room]:
    """Lend a game of three in its first phase of orders."""
    name = request.param
    room = Room(tmp_path, {name: rulesets_known()[name]})
    room.found("ada", "bo", "cy", ruleset=name)
    if name == "rumble":
        for _ in range(3):
            if room.table().title != "Round 1":
                room.sweep(timedelta(days=8))
    yield room
    room.arena.close()


def send(room: Room, *lines: str) -> str:
    """Send a mail of Ada's, and return its receipt on one line."""
    room.write(ADA, "\n".join(lines))
    swept = room.sweep()
    assert not swept.troubles, swept.troubles
    return flat(room.last(ADA))


def test_a_smaller_set_says_first_what_it_replaced(room: Room) -> None:
    """And how to have that again; a restart between makes no difference."""
    name = room.table().charter.ruleset
    lines = HANDS[name][-3:] if name != "rumble" else HANDS[name]
    assert "replaced" not in send(room, *lines)
    told = send(room, lines[-1])
    assert 'This replaced 3 orders; "back" restores them.' in told
    assert told.index("This replaced") < told.index("On hand now" if "On hand now" in told else "on hand")
    room.reopen()
    assert "What you had before is on hand again" in send(room, "back")
    assert room.table().sets.hand["ada"].orders == lines
    room.reopen()
    send(room, "back, please")
    assert room.table().sets.hand["ada"].orders == lines[-1:]
    assert "replaced" not in send(room, lines[0])


def test_a_change_is_shown(room: Room) -> None:
    """What went out of the set, and what came into it."""
    name = room.table().charter.ruleset
    send(room, *HANDS[name])
    told = send(room, "drop line 2")
    assert "Your set has changed" in told and "This went out: :" in told and "This came in" not in told
    assert len(room.table().sets.hand["ada"].orders) == len(HANDS[name]) - 1
    told = send(room, "drop line 9")
    assert "I cannot tell what this changes" in told and "Not taken" in told
    assert not room.table().moved("ada")


def test_with_all_others_ready_nothing_is_promised(room: Room) -> None:
    """The phase closes with that set, so nothing can be restored any more."""
    name = room.table().charter.ruleset
    send(room, *HANDS[name], "wait")
    for who in ("bo", "cy"):
        room.write(f"{who}@example.org", HANDS[name][-1].replace("Cy", "Ada"))
    told = send(room, HANDS[name][-1], "ready")
    assert "to restore" not in told and '"back"' not in told


def test_one_power_joins_those_on_hand(tmp_path: Path) -> None:
    """Or takes the place of that of its name; one too many is asked about."""
    room = Room(tmp_path, {"rumble": rulesets_known()["rumble"]})
    room.found("ada", "bo", "cy", ruleset="rumble")
    hide, clumsy = (
        ("power: Tough Hide", "text: +15 to your Defence."),
        ("power: Clumsy", "text: You cannot attack twice."),
    )
    send(room, *hide)
    told = send(room, *clumsy)
    assert "This came in: : power: Clumsy" in told and "This went out" not in told
    assert room.table().sets.hand["ada"].orders == (*hide, *clumsy) and room.table().moved("ada")
    send(room, "power: clumsy", "text: You cannot attack at all.")
    better = (*hide, "power: clumsy", "text: You cannot attack at all.")
    assert room.table().sets.hand["ada"].orders == better and room.table().moved("ada")
    told = send(room, "power: Third", "text: +1 to your Defence.")
    assert "Send all that you mean" in told
    assert room.table().sets.hand["ada"].orders == better and not room.table().moved("ada")
    send(room, "drop 1")
    assert room.table().sets.hand["ada"].orders == better[2:]
    send(room, "also power: Third", "text: +1 to your Defence.")
    assert room.table().sets.hand["ada"].orders == (*better[2:], "power: Third", "text: +1 to your Defence.")
    send(room, *hide, "", *clumsy)
    assert room.table().sets.hand["ada"].orders == (*hide, *clumsy)
    room.arena.close()


@pytest.mark.parametrize(
    "head",
    [
        "Sorry, wrong numbers! Correct ones:", "Oops, those were the wrong orders. Here are the right ones:", "Correct orders:",
        "The right numbers are:", "I sent you the wrong ones, these are my new orders:",
    ],
)  # fmt: skip
def test_what_was_wrong_counts_no_more(head: str) -> None:
    """The right set stands below; a head that says more than that is named."""
    _, table = sent(with_set("rumble", *HANDS["rumble"]), head, "attack Bo 7", "defend 8", hours=2)
    assert on_hand(table) == ("attack Bo 7", "defend 8")
    assert table.moved(SEAT)
    entry, _ = sent(with_set("rumble", *HANDS["rumble"]), f"{head[:-1]} if Bo attacks:", "attack Bo 7", hours=2)
    assert entry.complaints or entry.doubts or entry.not_read


@pytest.mark.parametrize("game", ["rumble", "brawl", "discs"])
@pytest.mark.parametrize("idle", some(3, ["now", "please", "this round", "then", "right now", "thanks"]))
def test_what_says_nothing_names_no_order(game: str, idle: str) -> None:
    """So that `not now` takes none out."""
    before = with_set(game, *HANDS[game])
    for verb in ("not", "no", "don't", "drop"):
        assert on_hand(sent(before, f"{verb} {idle}", hours=2)[1]) == on_hand(before)


WRONG = {"brawl": "defend with q", "discs": "throw at Zorro", "rumble": "attack Zorro 20"}
ASIDE = ("", "Hello Gwen, lovely weather here!", "Thanks for running this.")


@given(
    st.sampled_from(sorted(ORDERS)), st.integers(0, 2), st.sampled_from(ASIDE), st.sampled_from(ASIDE), st.booleans()
)
def test_a_lone_line_takes_the_place_of_the_one_that_fell(
    name: str, at: int, above: str, beside: str, is_apart: bool
) -> None:
    """It is as if it had stood there from the first: nothing else is lost, and the set is whole."""
    lines = ORDERS[name]
    gap = [""] if is_apart else []
    first = [above, *gap, *lines[:at], WRONG[name], *gap, *lines[at + 1 :]]
    entry, table = sent(table_of(name), *first)
    assert table.sets.hand[SEAT].incomplete and len(entry.complaints) == 1 and len(table.sets.hand[SEAT].orders) == 2
    entry, table = sent(table, *filter(None, (beside, lines[at])), hours=2)
    assert on_hand(table) == lines and entry.changes
    assert not table.sets.hand[SEAT].incomplete and table.moved(SEAT)


def test_a_lone_line_takes_no_half_of_what_fell() -> None:
    """Where that went over two lines, its rest would be left: it is asked about."""
    said = ("if attacked by Zorro: attack Zorro 20,", "else defend 10", "defend 20")
    _, table = sent(table_of("rumble"), *said)
    assert table.sets.hand[SEAT].incomplete
    entry, after = sent(table, "if attacked by Bo: attack Bo 20, else defend 10", hours=2)
    assert on_hand(after) in (("defend 20",), ("if attacked by Bo: attack Bo 20, else defend 10", "defend 20"))
    assert entry.taken == (len(on_hand(after)) == 2)


def test_a_lone_line_that_may_be_meant_otherwise_is_asked_about() -> None:
    """Two lines fell, the set has changed since, or it is about what another line is about: nothing is lost."""
    two = sent(table_of("rumble"), "attack Bo 20", "attack Zorro 5", "defend plenty")[1]
    changed = sent(sent(table_of("rumble"), "attack Bo 20", "defend plenty")[1], "make that 25 on Bo", hours=2)[1]
    same = sent(table_of("rumble"), "defend 20", "attack Zorro 5")[1]
    for table, line, more in (
        (two, "defend 30", "defend 30"),
        (changed, "defend 30", "defend 30"),
        (same, "defend 50", "also defend 50"),
    ):
        entry, after = sent(table, line, hours=3)
        assert not entry.taken and entry.complaints[0].because.endswith(f"or write: also {line}")
        assert after.sets.hand[SEAT].orders == table.sets.hand[SEAT].orders and after.sets.hand[SEAT].incomplete
        assert sent(after, f"also {line}", hours=4)[1].sets.hand[SEAT].orders == (*table.sets.hand[SEAT].orders, more)


def test_two_lines_on_an_incomplete_set_are_a_new_one() -> None:
    """As ever; and a set that is whole is replaced by one line too."""
    table = sent(table_of("rumble"), "attack Bo 20", "defend plenty")[1]
    assert on_hand(sent(table, "attack Cy 20", "defend 30", hours=2)[1]) == ("attack Cy 20", "defend 30")
    assert on_hand(sent(with_set("rumble", "attack Bo 20", "defend 5"), "defend 30", hours=2)[1]) == ("defend 30",)
