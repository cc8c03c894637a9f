"""What players say beside their orders: it reaches the moderator once, not before it can tell what anybody orders."""

import random
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ground.terms import Seat
from pbem.hall.store.catalogue import rulesets_known, words_of
from pbem.letters.addressing import reply_address
from pbem.letters.reading import read
from pbem.table.fold.journal import OrdersReceived
from pbem.testing.room import ARENA, MODERATOR
from tests.conftest import Room, flat
from tests.depth import at_first, some
from tests.hall.test_deputies import DEE, moderate, write
from tests.hall.test_talk import taken

ADA, BO, GWEN = "ada@example.org", "bo@example.org", MODERATOR
SAID = ("I'm away 5-9 December, no mail there!", "I quit", "I concede", "I object to ruling 3")
TELLS = "one day I come for Bo with forty"
NOW, LATER = "I show to the moderator too, with the next letter", "and not before, I show this to the moderator too"


def go(room: Room, who: str, text: str) -> str:
    """Let somebody write, sweep, and return the letters that they got, flattened."""
    since = len(room.outbox.sent)
    room.write(who, text)
    assert room.sweep().troubles == []
    return _told(room, who, since)


def _told(room: Room, who: str, since: int = 0) -> str:
    return " ".join(flat("\n".join(read(raw).body)) for to, raw in room.outbox.sent[since:] if to == who)


@pytest.fixture(params=["brawl", "discs", "harbour"])
def begun(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    """A game of two in which lines of orders begin with words that are known."""
    known = rulesets_known()
    room = (
        Room(tmp_path / "arena")
        if request.param == "harbour"
        else Room(tmp_path / "arena", known, words_of(known.values()))
    )
    room.found("ada", "bo", ruleset=request.param, name="tide-1")
    yield room
    room.arena.close()


@pytest.mark.parametrize("said", some(4, SAID))
def test_words_stand_in_the_moderators_next_letter(begun: Room, said: str) -> None:
    """Once, without a question mark; what is no absence is complained of as well, since it may be meant as an order."""
    assert f": {said}" in go(begun, ADA, said).partition(NOW)[2]
    assert said in go(begun, GWEN, "status")
    assert said not in go(begun, GWEN, "status")


@pytest.mark.parametrize("said", SAID)
def test_so_they_do_in_late_mail(reviewed: Room, said: str) -> None:
    """Behind the close, with or without orders in the same mail, and behind the report."""
    assert NOW in go(reviewed, ADA, f"bid 7\n\n{said}")
    told = go(reviewed, GWEN, "status")
    assert said in told and "bid 7" not in told
    reviewed.written = 50
    assert NOW in go(reviewed, BO, f"{said} Bye.")
    assert f"{said} Bye." in go(reviewed, GWEN, "approve 1\nnote Fog.")
    reviewed.sweep(timedelta(hours=60))
    assert _told(reviewed, GWEN).count(f"{said} Bye.") == 1


@pytest.mark.parametrize("said", [f"{SAID[1]} (private)", f"private: {SAID[0]}", f"{SAID[2]}\nkeep this private"])
def test_private_keeps_them_back(open_room: Room, said: str) -> None:
    """At the head or the end of the line, or on a line beside it; not once the phase is closed either."""
    assert "moderator too" not in go(open_room, ADA, said)
    open_room.sweep(timedelta(days=8))
    words = said.replace(" (private)", "").replace("private: ", "").partition("\n")[0]
    assert words not in _told(open_room, GWEN)


def test_who_plays_reads_none_of_it_without_leave(room: Room) -> None:
    """It waits for `send it`; what may tell of orders does not even wait, for who lets it go would forget that it has."""
    room.found("ada", "gwen")
    told = go(room, ADA, f"{SAID[1]}\n\n{TELLS}\n\nbidd 7")
    assert SAID[1] in told.partition("It waits for your leave")[2] and TELLS not in told.partition("It waits for")[2]
    go(room, GWEN, "bid 1")
    assert SAID[1] not in _told(room, GWEN)
    go(room, ADA, "send it")
    room.sweep(timedelta(days=8))
    assert _told(room, GWEN).count(SAID[1]) == 1
    assert TELLS not in _told(room, GWEN) and "bidd" not in _told(room, GWEN)


def test_a_deputy_alone_hears_them(room: Room) -> None:
    """With their next letter; the moderator, who plays, hears of none, and both have what may tell in no letter before."""
    room.found("gwen", "ada", "bo", review=("tide",))
    moderate(room, f"deputy {DEE}")
    go(room, DEE, "yes")
    write(room, "ada", f"{SAID[1]}\n\n{TELLS}")
    room.sweep()
    room.sweep(timedelta(hours=7))
    assert SAID[1] in _told(room, DEE) and TELLS not in _told(room, DEE)
    for seat in ("ada", "bo", "gwen"):
        write(room, seat, "bid 1")
    room.sweep()
    assert room.table().proof == 1 and _told(room, DEE).count(TELLS) == 1
    assert not any(said in _told(room, GWEN) for said in (SAID[1], TELLS))


@pytest.mark.parametrize("review", [("tide",), ()])
def test_what_may_tell_of_orders_waits_for_the_close(room: Room, review: tuple[str, ...]) -> None:
    """It stands at the head of the proof, or of the report, and in nothing before; the receipt says so."""
    room.found("ada", "bo", review=review)
    assert TELLS in go(room, ADA, f"Hello Gwen,\n\n{TELLS}\n\nbid 3").partition(LATER)[2]
    go(room, GWEN, "status")
    room.sweep(timedelta(hours=20))
    assert TELLS not in _told(room, GWEN)
    go(room, ADA, "yes")
    go(room, BO, "bid 1")
    room.sweep(timedelta(hours=2))
    assert _told(room, GWEN).count(f"Ada writes to you: : {TELLS}") == 1


def test_what_may_tell_of_a_late_set_waits_for_the_report(reviewed: Room) -> None:
    """Whether a late set counts the moderator says without having read a word of what is in it."""
    assert "Once the report is out" in go(reviewed, BO, f"bid 4\n\n{TELLS}\n\n{SAID[0]}")
    told = go(reviewed, GWEN, "status")
    assert SAID[0] in told and TELLS not in told
    go(reviewed, GWEN, "approve 1\nnote Fog.")
    assert TELLS not in _told(reviewed, GWEN)
    reviewed.sweep(timedelta(hours=60))
    reviewed.sweep(timedelta(hours=7))
    assert _told(reviewed, GWEN).count(TELLS) == 1


def test_of_a_long_mail_five_lines_go(room: Room) -> None:
    """As wide as letters are; gm: sends all."""
    room.found("ada", "bo")
    lines = [f"Somebody {word} the curtains." for word in ("ironed", "dyed", "hemmed", "folded", "tore", "sold", "ate")]
    go(room, ADA, "\n".join(lines))
    go(room, BO, " ".join((*lines, *lines)))
    told = go(room, GWEN, "status")
    ada, _, bo = told.partition("Bo writes to you:")
    assert [line in ada for line in lines] == [True] * 5 + [False] * 2
    assert lines[4] in bo and bo.count(lines[4]) == 1 and "..." in bo


COURTESIES = (
    "Hi Gwen", "Hello all,", "thanks", "Thanks for running this!", "Cheers", "Ada", "Best, Ada", "Lovely weather in Rome.",
    "Good luck everybody", "My orders:", "Orders for this round:", "Sent from my iPhone", "What a lovely evening for it", ":-)",
    "-- \nAda Ames\nHigh Street 12",
)  # fmt: skip


def test_courtesies_go_to_nobody(begun: Room) -> None:
    """Nor headings and signatures, above orders, below them or alone."""
    order = {"brawl": "regain with a", "discs": "hold", "harbour": "bid 1"}[begun.table().ruleset.name]
    for said in COURTESIES:
        for mail in (f"{said}\n\n{order}", f"{order}\n\n{said}", said):
            begun.write(ADA, mail)
    begun.sweep()
    assert not begun.table().unheard


FORMS = {
    "rumble": (
        "attack {n} {a}", "attack {n} with {a}", "defend {a}", "block largest first", "hold {a}", "{a} on {n}",
        "hit {n} with {a}, rest defence", "attack {n} {a} if Cy attacks me", "plan: wait for {n}", "use Laser on {n}",
    ),
    "brawl": (
        "defend with a", "drop b maneuver", "pass", "attack {n} with a damage b", "regain with a", "block {n}", "dodge",
        "drop a drink", "coop {n} with b",
    ),
    "discs": (
        "throw at {n}", "hold", "move to centre", "throw {a}", "on disc: block, dodge", "move NE 3", "recall: never",
        "stand", "throw at {n} off north", "pass", "card 1: hold",
    ),
}  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def slipped(chance: random.Random, word: str) -> str:
    """Return a word with one slip of the fingers in it."""
    at, letter = chance.randrange(len(word)), chance.choice(LETTERS)
    head, tail = word[:at], word[at:]
    turned = tail[1:2] + tail[:1] + tail[2:]
    return head + chance.choice([tail[1:], letter + tail[1:], letter + tail, turned])


def order_with_slips(chance: random.Random, game: str) -> str:
    """Return an order of a game with a slip in one word of it, or in each."""
    said = chance.choice(FORMS[game]).format(n=chance.choice(["Bo", "Cy"]), a=chance.randint(1, 60)).split()
    at = chance.randrange(len(said) + 1)
    words = [slipped(chance, word) if at in (number, len(said)) else word for number, word in enumerate(said)]
    return " ".join(filter(None, words))


@pytest.mark.parametrize("game", FORMS)
@given(st.randoms(use_true_random=False))
def test_no_order_with_slips_goes_as_words(game: str, chance: random.Random) -> None:
    """In any words of it; beside a question it does not go along with that, only once all orders lie open."""
    line = order_with_slips(chance, game)
    question = "How do ties work here?"
    for mail in ([line], [line, question], [question, line], ["Hi Gwen,", line, "I concede"], [line, "", "I concede"]):
        entry, _ = taken(game, *mail)
        assert not {line} & {part for text in entry.asides for part in text.split("\n")}, (mail, entry)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A tide of three, closed, to be copied."""
    room = Room(tmp_path_factory.mktemp("worlds") / "arena")
    room.found("ada", "bo", "cy", review=("tide",))
    room.arena.close()
    return room


def _world(worlds: Room, root: Path, said: list[str]) -> list[tuple[str, bytes]]:
    """Return what all but Bo are sent until the tide closes, in a world in which Bo writes these lines among others."""
    room = worlds.copied(root)
    since = len(room.outbox.sent)
    for lines in (["I concede", "", *said], [*said, "How do ties work here?"], ["cancel"], ["bid 4"]):
        room.write(BO, "\n".join(lines))
        room.sweep()
    go(room, GWEN, "status")
    room.sweep(timedelta(hours=7))
    assert room.table().status == "open"
    room.arena.close()
    return [row for row in room.outbox.sent[since:] if row[0] != BO]


@pytest.mark.parametrize(
    "pair", [(1, 2), *(pytest.param((n, n + 500), marks=pytest.mark.sweep) for n in range(3, 150))]
)
def test_worlds_that_differ_in_slips_are_one_to_the_moderator(
    worlds: Room, tmp_path: Path, pair: tuple[int, int]
) -> None:
    """Of lines in which Bo bids, with a slip in each word, not a byte reaches a moderator who does not play either."""
    told = []
    for seed in pair:
        chance = random.Random(seed)
        bids = [("bid", str(chance.randint(10, 99))) for _ in range(chance.randint(1, 3))]
        said = [" ".join(filter(None, (slipped(chance, word) for word in bid))) for bid in bids]
        told.append(_world(worlds, tmp_path / str(seed), said))
    assert told[0] == told[1]
    assert any(b"I concede" in raw for _, raw in told[0]) and any(b"How do ties work" in raw for _, raw in told[0])


KINDS = {
    "plain": ("I'm away 5-9 December, no mail there!", "How do ties work here?", "Gwen, a word with the moderator please"),
    "clear": ("I quit", "I concede", "I object to ruling 3", "That was unfair", "Ich habe genug davon"),
    "tells": (TELLS, "Bo cheats", "maybe I shall come with 40", "Forty are enough for that", "Unless somebody else does"),
    "courtesy": ("thanks", "Lovely weather in Rome.", "Good luck everybody", "My orders:"),
    "private": ("I hate this (private)", "private: I am away from Monday", "private"),
    "order": ("{order}", "{slip}", "unless he runs", "- then 20 on Cy", "Bo"),
}  # fmt: skip
"""What a line is, and such lines; orders as they are written in each game."""
MEANT = {
    "rumble": ("defend 30", "defned 30 40"),
    "brawl": ("pass", "atack Bbo wiht 40"),
    "discs": ("hold", "thorw at Bbo"),
}
LINES = st.lists(st.sampled_from([(kind, line) for kind, lines in KINDS.items() for line in lines]), max_size=9)


def kind_of(line: str) -> str:
    """Say what a drawn line is."""
    return next(kind for kind, lines in KINDS.items() if line in lines)


@pytest.mark.parametrize("game", MEANT)
@given(LINES)
def test_each_line_goes_or_is_kept_back_for_a_reason(game: str, drawn: list[tuple[str, str]]) -> None:
    """
    Words go, in their order, once; what may tell is held; of both at most five lines a mail, and all that is plain.

    Courtesies, orders that are read or complained of, and what is private go to nobody.
    """
    drawn = list(dict.fromkeys(drawn))
    order, slip = MEANT[game]
    lines = [line.format(order=order, slip=slip) for _, line in drawn]
    entry, _ = taken(game, *(part for line in lines for part in (line, "")))
    said = [(kind, line) for kind, line in drawn if kind in ("clear", "tells")][:5]
    now = [line for kind, line in drawn if kind == "plain"] + [line for kind, line in said if kind == "clear"]
    later = [line for kind, line in said if kind == "tells"]
    assert [part for text in entry.asides for part in text.split("\n")] == now
    assert [part for text in entry.held for part in text.split("\n")] == later


STEPS = st.lists(
    st.one_of(
        st.lists(st.sampled_from([*KINDS["plain"], *KINDS["clear"], *KINDS["tells"], "bid 3"]), min_size=1, max_size=3),
        st.sampled_from(("status", "hours", "close", "approve")),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=at_first(2))
@given(STEPS)
def test_words_are_told_once_and_what_may_tell_not_before_the_close(steps: list[list[str] | str]) -> None:
    """Whatever is written and whatever comes between, in time and late; each text of each mail, however often it is said."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder) / "arena")
        room.found("ada", "bo", review=("tide",))
        said: list[str] = []
        for step in [*steps, "close", "approve", "hours", "hours"]:
            _take(room, step)
            entry = room.table().log[-1] if isinstance(step, list) and room.table().log else None
            for text in (*entry.asides, *entry.held) if isinstance(entry, OrdersReceived) else ():
                said += text.split("\n")
            told = _told(room, GWEN)
            held = [one.text for one in room.table().unheard if one.held and room.table().status == "open"]
            assert all(told.count(line) < said.count(line) for text in held for line in text.split("\n"))
        assert all(told.count(line) == said.count(line) for line in said), (said, told)
        room.arena.close()


def _take(room: Room, step: list[str] | str) -> None:
    """Let Ada write, or the moderator, or time pass."""
    table = room.table()
    if isinstance(step, list):
        go(room, ADA, "\n\n".join(dict.fromkeys(step)))
    elif step == "status":
        go(room, GWEN, "status")
    elif step == "hours":
        room.sweep(timedelta(hours=7))
    elif step == "close" and table.status == "open":
        room.sweep(table.deadline - room.clock.now() + timedelta(minutes=5))
    elif step == "approve" and table.status == "closed":
        go(room, GWEN, f"approve {table.proof}")


LIKE_TROUBLE = {
    "rumble": (
        "Ill put 15 on Bo", "ill hit Bo hard with 40 if he moves", "If he is absent 40 on Bo", "sick 23 on Bo",
        "when Bo is absent: attack Cy 40", "if I can't move then 40 on Bo, else 20", "I take over Bo with 40",
        "mod attack 40 Bo", "GM 40 on Bo perhaps", "43 back on Bo",
    ),
    "brawl": ("ill attack Bo with a", "Cannot move, so guard with c", "sick punch on Bo with b"),
    "discs": ("ill throw at Bo", "Bo cannot move so throw at Bo", "If I am away throw at Cy"),
}  # fmt: skip
"""What has a word of absence or trouble in it, and tells what somebody orders."""
SAYS_MORE = (
    "I smash Cyr", "Cyr gets it all", "I am going all in on the leader", "he gets all I have", "I strike first",
    "sorry, the other half on her", "No shield for me", "toda la energia contra ella", "wszystko na niego",
    "全部攻撃", "I finish the elastic one",
)  # fmt: skip
"""What names nobody as the letters do, and may tell all the same: deeds, shares, names cut short, other languages."""


@pytest.mark.parametrize(("game", "said"), [(game, said) for game, lines in LIKE_TROUBLE.items() for said in lines])
def test_what_sounds_like_trouble_and_tells_does_not_go_at_once(game: str, said: str) -> None:
    """It waits for the close, or is named in the receipt; what tells of absence alone goes beside it."""
    entry, _ = taken(game, said, "", "I am ill, sorry")
    assert not any(said in text for text in (*entry.asides, *(one.text for one in entry.press))), entry
    assert any("I am ill, sorry" in text for text in entry.asides)


@pytest.mark.parametrize("said", SAYS_MORE)
def test_what_may_tell_in_other_words_does_not_go_at_once(said: str) -> None:
    """Deeds and shares, and whatever half of is known to nobody."""
    entry, _ = taken("rumble", said)
    assert not any(said in text for text in entry.asides), entry


def test_what_late_mail_may_tell_waits_for_the_report_though_it_was_read_before_the_close(room: Room) -> None:
    """So most late mail comes: read in the sweep that closes the phase."""
    room.found("ada", "bo", "cy", review=("tide",))
    room.write(ADA, "bid 3")
    room.sweep()
    room.clock.advance(room.table().deadline - room.clock.now() + timedelta(seconds=90))
    assert "Once the report is out, and not before" in go(room, BO, f"bid 4\n\n{TELLS}")
    assert room.table().status == "closed" and room.table().sets.late
    assert TELLS not in _told(room, GWEN)
    assert TELLS in go(room, GWEN, "approve 1\nstatus") + _passed_on(room)


def _passed_on(room: Room) -> str:
    room.sweep(timedelta(hours=7))
    return _told(room, GWEN)


@pytest.mark.parametrize("again", ["", "deputy dee@example.org"])
def test_words_that_are_held_outlive_whoever_was_to_hear_them(room: Room, again: str) -> None:
    """A deputy who is let go hears nothing, nor does a moderator who plays; another deputy does, or it waits for leave."""
    room.found("ada", "gwen", review=("tide",))
    desk = reply_address(ARENA, "tide-1", room.arena.token(room.table(), None), plus=True)

    def rule(text: str) -> None:
        room.write(GWEN, text, to=desk)
        room.sweep()
        if "dee@" in text:
            room.write(DEE, "yes")
            room.sweep()

    rule("deputy dee@example.org")
    assert "deputy" in go(room, ADA, f"bid 2\n\n{TELLS}")
    rule("deputy nobody")
    if again:
        rule(again)
    room.sweep(room.table().deadline - room.clock.now() + timedelta(minutes=5))
    assert TELLS not in _told(room, GWEN)
    assert (TELLS in _told(room, DEE)) is bool(again)
    assert again or [one.text for one in room.table().unsent[Seat("ada")]] == [TELLS]


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("Ada Smith", ""),
        ("Ada Smith\nAccount Executive", ""),
        ("Ada\nSmith & Sons\n+44 20 7946 0000", ""),
        ("Ada\n\nI quit", "I quit"),
        ("Ada\nThat was unfair", "That was unfair"),
        ("Ada\nTHAT WAS UNFAIR", "THAT WAS UNFAIR"),
        ("Ada\nI Quit", "I Quit"),
    ],
)
def test_a_signature_is_no_word_and_what_is_said_below_it_is(below: str, told: str) -> None:
    """Where nothing marks it: a name among the last lines, and no sentence behind it."""
    entry, _ = taken("brawl", "pass", "", *below.split("\n"))
    assert told in (*entry.asides, *entry.held) or not (told or entry.asides or entry.held), entry
