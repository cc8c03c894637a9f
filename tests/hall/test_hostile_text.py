"""Whatever people put into names, orders, press, reasons and headers stays text: in letters, files and logs alike."""

import base64
import email
import email.policy
import io
import tomllib
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.ground.terms import GameName, OrderLine, Person
from pbem.hall.commands import replay_check
from pbem.hall.commands.founding import found_game
from pbem.hall.commands.opening import words
from pbem.hall.site import build
from pbem.hall.store.catalogue import rulesets_known
from pbem.language.phrases import Unread, glance, misleading
from pbem.table.incoming import player_lines
from pbem.table.model import seating
from pbem.testing.room import ARENA
from pbem.world import log
from pbem.world.settings import templates
from tests.conftest import Room
from tests.depth import examples, some
from tests.letters.nasty import NASTY, UNSEEN
from tests.letters.test_bombs import without_caps
from tests.letters.test_writing import NAMES as HEADERS
from tests.site.pages import files, hold_sound

ADA, BO, CY, GWEN, EVE = (f"{who}@example.org" for who in ("ada", "bo", "cy", "gwen", "eve"))
HEROES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish"}
GAME = "ember-7"


def send(room: Room, sender: str, text: str, *, name: str = "", subject: str = "", to: str = "") -> None:
    """Send a mail as bytes, since no mail library lets such text pass."""
    to = to or room.reply_to(sender)
    room.written += 1
    body = base64.encodebytes(text.encode("utf-8", "surrogatepass")).decode()
    head = (
        f"From: {_word(name)} <{sender}>\nTo: {to}\nSubject: {_word(subject)}\nMessage-ID: <{room.written}@example.net>\n"
        "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n"
    )
    room.mailbox.deliver(f"{head}\n{body}".encode(), room.clock.now())


def _word(text: str) -> str:
    """Encode a text for a header, line ends and all."""
    return f"=?utf-8?b?{base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode()}?=" if text else ""


def check(letters: Sequence[bytes]) -> None:
    """Hold letters of ours to what all of them owe, whoever wrote what is in them."""
    for raw in letters:
        head, _, body = raw.partition(b"\r\n\r\n")
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert set(message.keys()) <= HEADERS and len(set(message.keys())) == len(message.keys()), head
        assert not message.defects
        assert message["From"].addresses[0].addr_spec == ARENA
        assert head.isascii() and max(map(len, head.split(b"\r\n"))) <= 998
        lines = body.decode().split("\r\n")
        assert max(map(len, lines)) <= 60, max(lines, key=len)
        assert not set("".join(lines)) & set(UNSEEN), body.decode()
        assert "1522756" not in body.decode()


def no_orders(room: Room, letters: Sequence[bytes]) -> None:
    """Say that no line of these letters reads as an order or a request, but examples and forms."""
    table = room.table(GAME)
    seat = next(iter(table.owing))
    for line in {line.strip() for raw in letters for line in raw.partition(b"\r\n\r\n")[2].decode().split("\r\n")}:
        if line and not line.startswith(("| ", "~ ")):
            parsed = table.ruleset.parse(table.state, seat, [OrderLine(1, line)])
            assert not parsed.orders, line
            assert not player_lines.REQUEST.match(line) or " " in line, line


def site_is_sound(room: Room) -> None:
    """Say that the pages for everybody are made, and have nothing on them but text and what is ours."""
    folder = room.root.parent / "site"
    assert not build.build(room.arena, folder, room.clock.now() + timedelta(days=1)).troubles
    hold_sound(files(folder))


SOME = pytest.mark.parametrize(
    "nasties", [NASTY[::5], pytest.param(NASTY, marks=pytest.mark.sweep)], ids=["every fifth", "all"]
)
FOLDED = ("dice", "base", "keys")
"""What a table holds besides: how it was folded."""


def reads_back(room: Room, game: str) -> None:
    """Say that journal and state are what they were when they are read from the disk."""
    held = room.table(game)
    room.reopen()
    again = room.table(game)
    different = [
        name for name in held.__struct_fields__ if getattr(held, name) != getattr(again, name) and name not in FOLDED
    ]
    assert not different
    for path in (room.root / "games" / game).rglob("*.toml"):
        tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def uncapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody is answered, however much they write."""
    without_caps(monkeypatch)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The first round of a game of two."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*HEROES, ruleset="rumble", name=GAME, names=HEROES, review=(), press="private")
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.arena.close()
    return room


@pytest.fixture
def game(begun: Room, tmp_path: Path) -> Iterator[Room]:
    """The same in a folder of its own."""
    yield from begun.lent(tmp_path / "arena")


@SOME
def test_no_nasty_string_is_more_than_text_anywhere(game: Room, nasties: Sequence[str]) -> None:
    """
    In orders, names, press, zones, subjects and display names, in notes and reasons: letters stay whole and narrow.

    Each mail is answered to its sender, nothing is troubled, the disk reads back, and the game replays identically.
    """
    send(game, BO, "attack Mantisman 20\ndefend 30")
    game.sweep()
    for nasty in nasties:
        before = len(game.outbox.sent)
        said = [f"press to all: {nasty}", f"hero: {nasty}", f"zone {nasty}", f"attack {nasty} 5", f"attack Cuttlefish {nasty}",
                f"press to {nasty}: hello", f"for {nasty}: wait", nasty]  # fmt: skip
        send(game, ADA, "\n".join(said), name=nasty, subject=f"[{nasty}] {nasty}")
        send(game, GWEN, f"note {nasty}\nset energy of Cuttlefish = 50 because {nasty}\ndo {nasty}", name=nasty)
        swept = game.sweep()
        assert not swept.troubles and not game.mailbox.waiting, (nasty, swept.troubles)
        assert {ADA, GWEN} <= {to for to, _ in game.outbox.sent[before:]}, repr(nasty)
    sent = list(game.outbox.sent)
    check([raw for _, raw in sent])
    reads_back(game, GAME)
    send(game, ADA, "attack Cuttlefish 5\ndefend 20")
    while game.table(GAME).title == "Round 1":
        assert not game.sweep(timedelta(hours=24)).troubles
    check([raw for _, raw in game.outbox.sent[len(sent) :]])
    no_orders(game, [raw for to, raw in sent if to in (ADA, BO)])
    phases = list(
        replay_check.replay(game.root / "games" / GAME, rulesets_known(), words(), seed=game.arena.seed(GameName(GAME)))
    )
    assert len(phases) > 2 and not [phase.difference for phase in phases if phase.difference]
    site_is_sound(game)
    assert (game.root / "people.toml").stat().st_size < 2_000


@SOME
def test_no_nasty_power_is_more_than_text(tmp_path: Path, nasties: Sequence[str]) -> None:
    """Names and texts of powers: refused with their reason, or shown as they are."""
    room = Room(tmp_path / "arena", rulesets_known(), templates())
    room.found(*HEROES, ruleset="rumble", name=GAME, names=HEROES, review=())
    for nasty in nasties:
        before = len(room.outbox.sent)
        send(
            room,
            ADA,
            f"power: {nasty}\ntext: Gain 5 Energy, {nasty}.\n\npower: Hide {nasty}\ntext: +5 to your Defence.",
        )
        assert not room.sweep().troubles, nasty
        assert ADA in {to for to, _ in room.outbox.sent[before:]}, nasty
    reads_back(room, GAME)
    while room.table(GAME).title != "Round 1":
        assert not room.sweep(timedelta(hours=12)).troubles
    check([raw for _, raw in room.outbox.sent])
    no_orders(room, [raw for _, raw in room.outbox.sent])
    site_is_sound(room)
    room.arena.close()


@SOME
def test_nobody_joins_under_a_nasty_name(room: Room, nasties: Sequence[str]) -> None:
    """Each is refused with one letter, or is a name that reads as it is typed."""
    names = [name for name in nasties if name.strip(" .\"'\t")]
    invited = [f"p{number}@example.org" for number in range(len(names))]
    now = room.clock.now()
    for game in range(0, len(names), 4):
        found_game(
            room.arena,
            GameName(f"tide-{game}"),
            "harbour",
            moderator=GWEN,
            invited=invited[game : game + 4],
            seats=4,
            now=now,
        )
    room.sweep()
    for person, name in zip(invited, names, strict=True):
        send(room, person, f"join as {name}", name=name)
    assert not room.sweep().troubles
    taken = [seated.name for row in room.arena.index.games.rows() for seated in room.table(row.name).seats.values()]
    assert taken and all(not misleading(name) and name.isprintable() for name in taken), taken
    for person in invited:
        assert len(room.letters(person)) == 2, room.last(person)
    check([raw for _, raw in room.outbox.sent])
    site_is_sound(room)


TAKEN = {"Ada": "Ada", "ADA": "taken", "Ad\u00e1": "taken", "Bo": "Bo", "B0": "looks too much like Bo", "Jørgen": "Jørgen",
         "\uff23\uff59": "Cy", "\ufb01nn": "finn", "I\u0307lker": "İlker", "Mary-Ann O'Neil": "Mary-Ann O'Neil"}  # fmt: skip
REFUSED = {"\u0410da": "A to Z", "A\u0301\u0302\u0303da": "made of letters", "Ada\u0663": "A to Z", "a" * 31: "30 is the most",
           "Ad\U000e0041a": "cannot be seen", "Ad\u2060a": "cannot be seen", "Moderat0r": "somebody else", "the rnoderator": "somebody else",
           "G.M.": "somebody else", "adm1n": "somebody else", "5ystem 5": "in a number", "bid 3": "in a number", "ready": "other words",
           "Help Me": "other words", "{{7*7}}": "A to Z", "a{{7}}": "made of letters", "...": "did not say", "Ada: bid": "made of letters"}  # fmt: skip


def test_names_are_told_apart_at_a_glance(room: Room) -> None:
    """What others have to type is in letters of one script, looks like nobody else's, and is spelled one way."""
    room.found("zed", "yan")
    table = room.table()

    terms = msgspec.structs.replace(table.charter, seats=9)
    table = msgspec.structs.replace(table, charter=terms, status="sign-up", seats={}, invited=(Person("p"),))
    seats = dict(table.seats)
    for said, heard in {**TAKEN, **REFUSED}.items():
        wish = seating.wish([OrderLine(1, f"join as {said}")])
        assert wish
        found = seating.seat_for(msgspec.structs.replace(table, seats=seats), Person("p"), wish[1])
        if isinstance(found, Unread):
            assert heard in found.because, (said, found.because)
            assert len(found.because) < 200
        else:
            assert wish[1] == heard, said
            person = Person(f"q{len(seats)}")
            example = next(iter(room.table().seats.values()))
            seats[found] = msgspec.structs.replace(example, name=wish[1], person=person)
            seats = dict(list(seats.items())[-3:])


@given(st.text(max_size=60))
@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_reads_back_from_the_disk(game: Room, text: str) -> None:
    """In press and in a note, halves of characters included."""
    send(game, ADA, f"press to all:\n{text}\nend press", name=text, subject=text)
    send(game, GWEN, f"note {text}", name=text)
    before = len(game.outbox.sent)
    assert not game.sweep(timedelta(0)).troubles
    check([raw for _, raw in game.outbox.sent[before:]])
    reads_back(game, GAME)


@given(st.text(max_size=80))
def test_a_name_that_is_no_misleading_one_is_plain_to_see(name: str) -> None:
    """Letters of one script, ASCII digits, nothing unseen; and it looks like itself, whatever the case."""
    if not misleading(name):
        assert name.isprintable() and glance(name) and len(name) <= 30
        assert glance(name) == glance(name.upper()) or not name.isascii()


@pytest.mark.parametrize("nasty", some(4, NASTY), ids=lambda nasty: ascii(nasty)[:30])
def test_a_log_line_of_anything_reads_back(nasty: str) -> None:
    """One line an event, no control in it, and a reader of key=value gets the value again."""
    stream = io.StringIO()
    log.to(stream).warning("trouble", said=nasty, more="x")
    line = stream.getvalue()
    assert line.count("\n") == 1 and line[:-1].isprintable()
    assert line.rstrip("\n").endswith(" more=x")
    said = line.rstrip("\n").removesuffix(" more=x").partition(" said=")[2]
    said = said[1:-1].replace('\\"', '"') if said.startswith('"') else said
    assert said == "".join(letter if letter.isprintable() else "?" for letter in nasty)[: log.LONGEST]


@pytest.mark.parametrize(
    "game", ["../x", "..%2fx", "a\x00b", "CON", "a" * 300, "x.", "e\u0301", "desk", "secrets", "/etc", ""]
)
def test_no_path_is_made_of_what_a_mail_calls_a_game(room: Room, game: str) -> None:
    """Subject, address and words alike: a stranger's mail, and no file anywhere but where mail lies."""
    room.found("ada", "bo")
    before = {path.parent for path in room.root.rglob("*")}
    to = f"arena+{game}.{'a' * 16}@example.org" if game.isascii() and game.isprintable() and "/" not in game else ARENA
    send(room, EVE, f"join {game} as Eve", subject=f"[{game} {'a' * 16}] hello {game}", to=to)
    assert not room.sweep().troubles
    made = {path.parent.relative_to(room.root).parts[0] for path in room.root.rglob("*") if path.parent not in before}
    assert made <= {"strays", "desk", "in"}, made
    assert len(room.letters(EVE)) == 1
