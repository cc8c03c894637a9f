"""What people are called, and letters: names that press can be sent to, readers that are told apart, Message-IDs."""

import email
import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem import testing
from pbem.ground.terms import GameName, OrderLine, Person, Seat
from pbem.hall.mail.outgoing import arena_letters, quotable
from pbem.hall.store.catalogue import rulesets_known
from pbem.hall.sweep.reindexing import reindex
from pbem.language.phrases import Unread, listed
from pbem.letters import addressing, multipart, writing
from pbem.table import requests
from pbem.table.fold import replay
from pbem.table.fold.journal import SeatTaken
from pbem.table.incoming import player_lines
from pbem.table.model import seating
from pbem.table.model.charter import Charter
from pbem.table.model.table import Table
from pbem.table.requests.test import Test
from pbem.testing.room import ARENA, MODERATOR, NOON, reply_to
from tests.conftest import Room, flat, outbox_at
from tests.depth import some
from tests.harbour import HarbourRules
from tests.servers.scripted import ScriptedServer

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
WORDS = ("Bo", "Cy", "Ada", "and", "And", "ánd", "all", "but", "All", "everyone", "or", "to", "the", "n", "but!", "o")
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).flatmap(
    lambda words: st.sampled_from([" ", "-", "'", ". "]).map(lambda gap: gap.join(words))
)


def seated(names: Sequence[str]) -> Table:
    """Seat people under all of these names that are accepted."""
    charter = Charter(
        game=GameName("tide-1"), ruleset="harbour", version=1, moderator=Person("p-0"), seats=len(names), created=NOON,
        seal="", press="private",
    )  # fmt: skip
    rules: Any = HarbourRules()
    table = replay.first(charter, rules, bytes(32))
    for name in map(seating.spelled, names):
        person = Person(f"p-{table.head}x")
        seat = seating.seat_for(table, person, name)
        if not isinstance(seat, Unread):
            taken = SeatTaken(number=table.head + 1, noted=NOON, seat=seat, name=name, person=person)
            table = replay.step(table, taken)
    return table


@given(st.lists(NAMES, min_size=1, max_size=5, unique=True), st.data())
@example(["Bo", "Cy", "Bo and Cy"], None)
@example(["Bo", "Cy", "all but Bo"], None)
@example(["Bo", "and"], None)
def test_press_goes_to_those_whom_its_line_names(names: list[str], data: st.DataObject | None) -> None:
    """Of all names that are accepted, each list of some, or of all but some, is read back as just those."""
    table = seated(names)
    seats = list(table.seats)
    chosen = data.draw(st.lists(st.sampled_from(seats), min_size=1, unique=True)) if data and seats else seats
    labels = [table.label(seat) for seat in chosen]
    lines = {
        phrase: set(chosen) for phrase in (listed(labels, "and"), ", ".join(labels), listed(labels, "and").lower())
    }
    lines |= {f"all but {phrase}": set(seats) - set(chosen) for phrase in list(lines)} if seats != chosen else {}
    for to, meant in lines.items() if seats else ():
        press = player_lines.sort(
            table, seats[0], [OrderLine(1, f"press to {to}: hello end press"), OrderLine(2, "end press")]
        )
        assert not press.complaints, (to, press.complaints)
        assert set(press.press[0].to) == meant, to


@pytest.mark.parametrize(
    ("name", "such"), [("Bo and Cy", "such as Bo Cy."), ("All But Dee", "such as Dee."), ("and", "another name."), ("All but Ada", "name.")]
)  # fmt: skip
def test_a_name_that_reads_like_several_is_refused_with_one_that_would_do(name: str, such: str) -> None:
    """Where what is left of it can be had."""
    found = seating.seat_for(seated(["Ada", "all"]), Person("p-x"), name)
    assert isinstance(found, Unread) and "list of players" in found.because and found.because.endswith(such)


@pytest.mark.parametrize("name", ["Others", "the others", "All others", "Both", "None", "No One", "Every-one"])
def test_a_name_that_means_several_or_none_is_refused(name: str) -> None:
    """Press to others, or to both, is no press to somebody of that name."""
    found = seating.seat_for(seated(["Ada", "all"]), Person("p-x"), name)
    assert isinstance(found, Unread) and "mistaken for somebody else" in found.because


def test_a_player_called_as_the_moderator_is_known_gets_other_letters(room: Room) -> None:
    """Both have the opening, the report and what follows, each with a name of its own."""
    moderator = room.arena.people.admit(GWEN)
    room.found("ada", "bo", names={"ada": moderator})
    assert Seat(moderator) in room.table().seats
    for who in (ADA, BO):
        room.write(who, "bid 1")
    room.sweep()
    for who in (ADA, GWEN):
        subjects = [letter.subject for letter in room.letters(who)]
        assert subjects.count("[tide-1] Tide 1") == 1 + (who == ADA) and subjects.count("[tide-1] Tide 2") == 1, who
    ids = [letter.message_id for who in (ADA, BO, GWEN) for letter in room.letters(who)]
    assert len(ids) == len(set(ids)) == len(list(room.root.rglob("post/out/*.eml")))


def heads(room: Room, who: str) -> list[dict[str, str]]:
    """Return the headers of all letters to somebody."""
    raws = [raw for to, raw in room.outbox.sent if to == who]
    return [dict(email.message_from_bytes(raw).items()) for raw in raws]


@pytest.mark.parametrize(("few", "many"), [(0, 3)])
def test_no_header_counts_what_others_write(tmp_path_factory: pytest.TempPathFactory, few: int, many: int) -> None:
    """Whatever Bo writes, the letters to Ada and to the moderator have the same headers until the phase ends."""
    worlds = []
    for others in (few, many):
        room = Room(tmp_path_factory.mktemp("world") / "arena")
        room.found("ada", "bo")
        for number in range(others):
            room.write(BO, f"bid 2\nnonsense {number}")
        room.written = 10
        room.sweep()
        room.write(ADA, "status")
        room.write(ADA, "press to all: hello\nend press")
        room.write(GWEN, "extend 1h")
        room.sweep()
        room.sweep(timedelta(days=3))
        worlds.append([[one for one in heads(room, who) if "Tide 2" not in one["Subject"]] for who in (ADA, GWEN)])
        room.arena.close()
    assert worlds[0] == worlds[1] and len(worlds[0][0]) >= 6


def test_a_letter_is_found_by_its_name_or_the_one_of_older_releases(room: Room) -> None:
    """After the index was made anew too, and in an arena that was put back: names follow from the arena's key."""
    room.found("ada", "bo")
    raw = next(raw for to, raw in reversed(room.outbox.sent) if to == ADA)
    (path,) = (path for path in room.root.rglob("post/out/*.eml") if path.read_bytes() == raw)
    name = writing.name_of(raw)
    assert arena_letters.identity_of(room.arena, name) == path.stem and addressing.is_name(room.arena.secret, name)
    assert arena_letters.identity_of(room.arena, path.stem) == path.stem
    assert not arena_letters.identity_of(room.arena, f"{name[:-1]}{'a' if name[-1] != 'a' else 'b'}")
    (room.root / "index.sqlite").unlink()
    room.reopen()
    reindex(room.arena)
    room.sweep()
    assert arena_letters.identity_of(room.arena, name) == path.stem
    path.write_bytes(re.sub(rb"(?m)^Message-ID: .*@", f"Message-ID: <{path.stem}@".encode(), raw))
    room.reopen()
    ledger = room.arena.ledger(GameName("tide-1"))
    for number in range(quotable.LATEST + 1):
        room.write(ADA, f"bid {number % 9}")
    room.sweep()
    old = quotable.words_sent(
        room.arena, ledger, Seat("ada"), Person("p-x"), (f"<{path.stem}@{ARENA.partition('@')[2]}>",)
    )
    assert multipart.text_of(raw) in old


def test_a_letter_of_ours_under_an_older_name_is_no_mail_to_answer(room: Room, tmp_path: Path) -> None:
    """It is known by its file."""
    room.found("ada", "bo")
    stem = next(path.stem for path in room.root.rglob("post/out/*.opening.ada.eml"))
    before = len(room.outbox.sent)
    raw = f"From: eve@example.com\nTo: {ARENA}\nMessage-ID: <{stem}@example.org>\nSubject: x\n\nhello\n".encode()
    room.mailbox.deliver(raw, room.clock.now())
    room.sweep()
    assert len(room.outbox.sent) == before


@pytest.mark.parametrize("takes", [True, False])
def test_a_letter_to_an_address_beyond_ascii_goes_there_or_nowhere(room: Room, takes: bool) -> None:
    """Never to one with something else in place of its letters; who cannot be written to takes no seat."""
    server = ScriptedServer()
    server.features = ["8BITMIME", *["SMTPUTF8"] * takes]
    room.invite("ada", "bo", seats=3)
    outbox: Any = outbox_at(server.port, timeout=5)
    outbox.sent = []
    room.outbox = outbox
    mail = room.write("zed@example.org", "join tide-1 as Joerg", to=ARENA)
    room.mailbox.waiting.remove(mail)
    room.mailbox.deliver(mail.raw.replace(b"zed@", "j\u00f6rg@".encode()), mail.arrived)
    swept = room.sweep()
    heard = [command for command in server.said if command.startswith("RCPT")]
    assert heard == ["RCPT TO:<j\u00f6rg@example.org>"] * takes
    assert any("takes no addresses beyond ASCII" in trouble for trouble in swept.troubles) is not takes
    assert not room.table().seats
    if takes:
        assert "\r\nTo: j\u00f6rg@example.org\r\n".encode() in server.taken[0]
        to = reply_to(server.taken[0])
        mail = room.write("zed@example.org", "confirm", to=to)
        room.mailbox.waiting.remove(mail)
        room.mailbox.deliver(mail.raw.replace(b"zed@", "j\u00f6rg@".encode()), mail.arrived)
        room.sweep()
        assert list(room.table().seats) == ["joerg"]
    room.outbox.close()
    server.close()


def test_no_name_reads_like_a_request() -> None:
    """Whatever players can ask for, nobody can be called so, nor by a name that begins so."""
    words = {word for kind in requests.KINDS if kind is not Test for word in (kind.word(), *kind.also)}
    for word in words:
        found = seating.seat_for(seated(["Ada", "me"]), Person("p-x"), word.capitalize())
        assert isinstance(found, Unread) and "cannot be told from other words" in found.because, word


HEROES = st.sampled_from(("Mantisman", "Doctor Cuttlefish", "The Block", "Ada", "Bo the Anvil", "Kind Lady"))
KIND = st.sampled_from(
    (" please", ", please", ", Please", " please!", " thanks", ", thanks", ", thanks a lot", ", Thank you very much")
    + (" pls", " bitte", ", danke", " thank you", ", best regards", " please, thanks.", ", cheers")
)
DOUBTFUL = st.sampled_from((" Please", " Thanks", " Thank You", " CHEERS", " thanks a lot", " best", " Bitte", " love"))


@given(HEROES, KIND)
def test_kind_words_behind_a_name_are_no_part_of_it(name: str, kind: str) -> None:
    """Whoever joins as Mantisman, please, is Mantisman."""
    wish = seating.wish([OrderLine(1, f"join tide-1 as {name}{kind}")])
    assert wish and wish[0] == "tide-1" and seating.spelled(wish[1]) == name
    assert not isinstance(seating.seat_for(seated(["Zed", "and"]), Person("p-x"), wish[1]), Unread)


@given(HEROES, DOUBTFUL)
def test_what_may_be_a_part_of_the_name_is_asked_about(name: str, kind: str) -> None:
    """Both answers that the question names work: one gives all of it, the other the name alone."""
    table = seated(["Zed", "and"])
    wish = seating.wish([OrderLine(1, f"join as {name}{kind}")])
    found = seating.seat_for(table, Person("p-x"), wish[1]) if wish else None
    assert isinstance(found, Unread) and f'whether "{kind.strip()}" is a part of the name' in found.because
    answers = re.findall(r"join as [^.]+", found.because)
    names = [seating.wish([OrderLine(1, answer)]) for answer in answers]
    assert [seating.spelled(one[1]) for one in names if one] == [f"{name}{kind}", name]
    for one in filter(None, names):
        assert not isinstance(seating.seat_for(table, Person("p-x"), one[1]), Unread)


@pytest.mark.parametrize("name", ["Thank You", "Please", "Just Ice", "Ok Corral", "Pretty Polly", "Thanks Giver"])
def test_a_name_may_be_kind_words_itself(name: str) -> None:
    """Only what stands behind one is in question."""
    wish = seating.wish([OrderLine(1, f"join as {name}")])
    assert wish and wish[1] == name
    assert not isinstance(seating.seat_for(seated(["Zed", "and"]), Person("p-x"), wish[1]), Unread)


@pytest.mark.parametrize("with_invitation", [True, False])
def test_a_player_takes_another_name_until_the_game_begins(room: Room, with_invitation: bool) -> None:
    """In answer to the invitation or to any later letter; the seat and its letters stay theirs."""
    room.invite("ada", "bo")
    to = room.reply_to(ADA)
    room.write(ADA, "join as Mantisman")
    room.sweep()
    room.write(ADA, "join as Plastiquegirl please\nzone Europe/London", to=to if with_invitation else "")
    room.sweep()
    assert [(one.name, one.person) for one in room.table().seats.values()] == [
        ("Plastiquegirl", room.arena.people.find(ADA))
    ]
    assert "Welcome, Plastiquegirl." in room.last(ADA) and "Europe/London" in room.last(ADA)
    room.write(BO, "join as Mantisman")
    room.sweep()
    assert "is taken" in flat(room.last(BO))
    room.write(BO, "join as Bo")
    room.sweep()
    assert "Plastiquegirl" in room.last(BO) and "Mantisman" not in room.last(BO)
    room.write(ADA, "join as Zed", to=room.reply_to(ADA))
    room.sweep()
    assert list(room.table().labels().values()) == ["Plastiquegirl", "Bo"] and "join as Zed" in room.last(ADA)
    for who, bid in ((ADA, "bid 3"), (BO, "bid 1")):
        room.write(who, bid)
    room.sweep()
    assert "Plastiquegirl takes" in room.last(BO)


@pytest.mark.parametrize(
    ("said", "because"),
    [("Bo", "Bo is taken"), ("moderator", "mistaken for somebody"), ("x" * 40, "40 characters"), ("Ada", "your name already")],
)  # fmt: skip
def test_another_name_that_cannot_be_had_is_refused_and_the_old_one_stays(room: Room, said: str, because: str) -> None:
    """The letter says what they are called, and is answered with another name."""
    room.invite("ada", "bo", "cy")
    for who, name in ((ADA, "Ada"), (BO, "Bo")):
        room.write(who, f"join as {name}")
    room.sweep()
    room.write(ADA, f"join as {said}")
    room.sweep()
    told = flat(room.last(ADA))
    assert because in told and "You are called Ada." in told and room.table().label(Seat("ada")) == "Ada"
    room.write(ADA, "join as Zed")
    room.sweep()
    assert room.table().label(Seat("ada")) == "Zed" and "no seat" not in told


@pytest.mark.parametrize("is_invited", [True, False])
@pytest.mark.parametrize(
    ("name", "is_free"),
    some(
        4,
        [
            ("The Arena", False),
            ("Arena", False),
            ("Ember Hall", False),
            ("the ember hall", False),
            ("Gwen Stacy", False),
        ]
        + [("GWEN STACY", False), ("Gvven Stacy", False), ("Moderator", False), ("Gwen", True), ("Ember", True)],
    ),
)
def test_nobody_is_called_as_the_arena_or_the_moderator(room: Room, name: str, is_free: bool, is_invited: bool) -> None:
    """Neither by an invitation nor by asking for a seat; the moderator may be called by their own name."""
    here = msgspec.structs.replace(room.settings.arena, name="The Ember Hall")
    room.settings = msgspec.structs.replace(room.settings, arena=here)
    room.reopen()
    room.invite("ada", "gwen", seats=3)
    room.arena.people.amend(room.table().charter.moderator, name="Gwen Stacy")
    if is_invited:
        room.write(ADA, f"join as {name}")
    else:
        room.write("eve@example.com", f"join tide-1 as {name}", to=ARENA)
    room.sweep()
    told = flat(room.last(ADA if is_invited else "eve@example.com"))
    assert ("Welcome" in told or "| confirm" in told) is is_free and ("Choose another name" in told) is not is_free
    if name == "Gwen Stacy" and is_invited:
        room.write(
            GWEN,
            "join as Gwen Stacy",
            to=next(reply_to(raw) for to, raw in room.outbox.sent if b"invitation" in raw and to == GWEN),
        )
        room.sweep()
        assert room.table().seats["gwen-stacy"].person == room.table().charter.moderator


@pytest.mark.parametrize("ruleset", some(2, [*rulesets_known().values(), HarbourRules()]), ids=lambda one: one.name)
def test_invitations_suggest_names_of_their_own_game(ruleset: Any, tmp_path: Path) -> None:
    """The first that nobody has, and each of them is a name that can be had; none is another game's."""
    others = {name for other in rulesets_known().values() if other.name != ruleset.name for name in other.called}
    assert len(set(ruleset.called)) >= 3 and not others & set(ruleset.called)
    room = testing.Room(tmp_path / "arena", {ruleset.name: ruleset})
    players = [f"p{number}" for number in range(len(ruleset.called))]
    seats = min(len(players) + 1, ruleset.seats[-1])
    room.invite(*players[: seats - 1], seats=seats)
    for name, player in zip(ruleset.called, players[: seats - 1], strict=False):
        who = f"{player}@example.org"
        room.write(MODERATOR, f"invite again {who}", to=room.reply_to(MODERATOR))
        room.sweep()
        assert f"\n| join as {name}\n" in room.last(who)
        room.write(who, f"join as {name}")
        room.sweep()
        assert f"Welcome, {name}." in room.last(who)
    room.arena.close()


def test_where_all_names_are_taken_none_is_suggested() -> None:
    """What to write in its place is plain."""
    assert seating.example(seated(["Max", "Kim", "and"])) == "Zoe"
    assert seating.example(seated(["Zoe", "Max", "Kim", "and"])) == "NAME"
