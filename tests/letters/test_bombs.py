"""Mails made to choke us cost little time and little memory, grow it in proportion, and are answered clearly."""

import gc
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.hall.mail.incoming.unpack import barring
from pbem.hall.mail.outgoing import caps
from pbem.hall.store.catalogue import rulesets_known
from pbem.letters import bodies, reading
from pbem.letters.reading import newly, read
from pbem.testing.room import ARENA
from pbem.world import mailbox
from pbem.world.settings import templates
from tests.conftest import Room, flat
from tests.depth import some
from tests.letters.bombs import BOMBS, bomb
from tests.letters.clients import LETTER

ADA, BO, CY, EVE = "ada@example.org", "bo@example.org", "cy@example.org", "eve@example.com"
HEROES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Plastiquegirl"}
GAME = "ember-7"
SMALL, LARGE = 20_000, 400_000


def read_whole(raw: bytes) -> None:
    """Read a mail as the sweep does, as far as its new lines."""
    newly(read(raw), [LETTER])


def cost(raw: bytes) -> float:
    """
    Return the least time that reading took, of three times: what else runs here only ever adds.

    The collector rests meanwhile, since it goes through all that this process holds, whichever tests ran before.
    """
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            begun = time.process_time()
            read_whole(raw)
            times.append(time.process_time() - begun)
    finally:
        gc.enable()
    return min(times)


def test_the_mailbox_hands_over_what_is_read() -> None:
    """One limit of size, in two wings that do not know each other."""
    assert reading.MOST_BYTES == mailbox.LARGEST
    assert len(BOMBS) >= 40


@pytest.mark.parametrize("name", some(4, BOMBS))
def test_a_bomb_keeps_its_sender(name: str) -> None:
    """Whatever it does to its text, its headers are read, so that somebody hears of it; and no codec is run by name."""
    letter = read(bomb(name, 6_000, EVE, ARENA))
    assert letter.senders == (EVE,)
    assert "bid 9" not in letter.body or name not in ("utf-7", "rot13", "unicode_escape", "raw-unicode-escape")


@pytest.mark.sweep
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_time_in_proportion(name: str) -> None:
    """
    Twice the bytes take less than 2.6 times the time; what takes hardly any counts as ten milliseconds.

    A busy machine can spoil a measurement, and none makes a quadratic one linear: the best of a few counts.
    """
    ratios = []
    for _ in range(5):
        once, twice, four = (max(0.010, cost(bomb(name, SMALL * times, EVE, ARENA))) for times in (1, 2, 4))
        ratios.append((min(twice / once, four / twice), four / once))
        if ratios[-1][0] < 2.6 and ratios[-1][1] < 2.6**2:
            return
    pytest.fail(f"{name}: {ratios}")


@pytest.mark.sweep
@pytest.mark.parametrize("name", BOMBS)
def test_a_large_bomb_costs_little(name: str) -> None:
    """Seconds at most, for a second of an attacker's line."""
    raw = bomb(name, LARGE, EVE, ARENA)
    begun = time.process_time()
    read_whole(raw)
    assert time.process_time() - begun < 15


@pytest.mark.parametrize(
    "name",
    some(
        3,
        ["a hundred thousand parts", "headers without end", "zipped", "flowed quotations", "lines", "a line of digits"],
    ),
)
def test_a_bomb_costs_little_memory(name: str) -> None:
    """A small part of what the machine has, whatever is packed in it."""
    raw = bomb(name, 60_000, EVE, ARENA)
    tracemalloc.start()
    read_whole(raw)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 * len(raw), most


def test_what_is_too_large_is_not_read_in_part() -> None:
    """Of a mail that was cut off at the limit nothing counts, since nobody knows what followed."""
    raw = bomb("one line", mailbox.LARGEST + 5_000, ADA, ARENA)[: mailbox.LARGEST + 1]
    letter = read(raw)
    assert letter.senders == (ADA,) and letter.body == () and letter.note == reading.TOO_LARGE
    crlf = read(raw.replace(b"\n", b"\r\n")[: mailbox.LARGEST + 1])
    assert crlf.note == reading.TOO_LARGE


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The first round of a game of three."""
    room = Room(tmp_path_factory.mktemp("begun") / "arena", rulesets_known(), templates())
    room.found(*HEROES, ruleset="rumble", name=GAME, names=HEROES, review=())
    while room.table(GAME).title != "Round 1":
        room.sweep(timedelta(hours=12))
    room.arena.close()
    return room


def without_caps(patch: pytest.MonkeyPatch) -> None:
    """Answer each mail on its own, however many come and however alike they are."""
    much = 10**6
    for name in ("ANSWERS", "DOMAIN"):
        patch.setattr(caps, name, much)
    for name in ("STRANGERS", "KNOWN"):
        patch.setattr(caps, name, dict.fromkeys(getattr(caps, name), (much, much)))
    patch.setattr(barring, "SAME_WORDS", much)


@pytest.fixture
def live(begun: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """The same in a folder of its own, where everybody is answered however much they write."""
    without_caps(monkeypatch)
    yield from begun.lent(tmp_path / "arena")


def address(room: Room, person: str) -> str:
    """Return where somebody's answers go."""
    return room.reply_to(person, "]")


def survives(room: Room, names: Sequence[str], size: int) -> None:
    """Deliver bombs, from a player and from a stranger, between the orders of two others, and look around."""
    room.write(ADA, "attack Cuttlefish 20\ndefend 30")
    digests = []
    to = address(room, CY)
    for name in names:
        for sender, where in ((CY, to), (EVE, ARENA)):
            digests.append(room.mailbox.deliver(bomb(name, size, sender, where), room.clock.now()).digest)
    room.write(BO, "attack Mantisman 10\ndefend 40")
    swept = room.sweep()
    assert not swept.troubles and not room.mailbox.waiting and not swept.still
    table = room.table(GAME)
    assert set(table.sets.hand) >= {"mantisman", "doctor-cuttlefish"}
    disposed = {entry.cause for entry in table.log if hasattr(entry, "cause")}
    desk = (room.root / "desk" / "journal.toml").read_text()
    assert not [digest for digest in digests if digest not in disposed and digest not in desk]
    games, arena = room.root / "games" / GAME / "post" / "in", room.root / "in"
    assert all((games / f"{digest}.eml").exists() or (arena / f"{digest}.eml").exists() for digest in digests)
    answered = [letter for letter in room.letters(CY) if letter.automatic]
    assert len(answered) >= len(names) * 0.9, "all but those that look like a machine's, or go elsewhere"
    assert all(len(line) <= 60 for letter in answered for line in letter.body)


def test_bombs_between_two_orders_harm_neither(live: Room) -> None:
    """Both orders count, each bomb has its entry, nothing is troubled, and the phase closes at its deadline."""
    survives(live, [*BOMBS][::5], 3_000)
    while live.table(GAME).title == "Round 1":
        assert not live.sweep(timedelta(hours=24)).troubles


@pytest.mark.sweep
@pytest.mark.timeout(300)
def test_large_bombs_between_two_orders_harm_neither(live: Room) -> None:
    """The same with all bombs, ten times as large."""
    survives(live, [*BOMBS], 30_000)


@pytest.mark.parametrize(
    ("raw", "heard"),
    some(
        3,
        [
            (bomb("one line", mailbox.LARGEST, CY, "{to}")[: mailbox.LARGEST + 1], "larger than the 1 MB that I read"),
            (bomb("lines", 200_000, CY, "{to}"), "more than 20,000 lines"),
            (bomb("forms", 5_000, CY, "{to}"), "625 new lines, so nothing of it was read; 500 is the most"),
            (bomb("one line", 60_000, CY, "{to}"), "59,999 new characters, so nothing of it was read"),
            (bomb("a hundred thousand parts", 3_000, CY, "{to}"), "too tangled to be taken apart"),
            (bomb("one header without end", 400_000, CY, "{to}"), "too tangled to be taken apart"),
            (bomb("empty paragraphs", 300_000, CY, "{to}"), "more than 30,000 HTML tags"),
            (bomb("empty paragraphs in many parts", 300_000, CY, "{to}"), "more than 30,000 HTML tags"),
        ],
    ),
    ids=["bytes", "lines", "new lines", "new characters", "parts", "headers", "tags", "tags in parts"],
)
def test_a_mail_beyond_a_limit_has_one_clear_reply(live: Room, raw: bytes, heard: str) -> None:
    """It says which limit, what to do, and that the orders on hand stand."""
    live.write(CY, "attack Mantisman 10\ndefend 40")
    live.sweep()
    before = len(live.letters(CY))
    live.mailbox.deliver(raw.replace(b"{to}", address(live, CY).encode(), 1), live.clock.now())
    assert not live.sweep().troubles
    assert len(live.letters(CY)) == before + 1
    text = flat(live.last(CY))
    assert heard in text and "nothing of it was read" in text
    assert "Your orders on hand are unchanged" in text and "Attack on Mantisman" in text


def test_html_beyond_the_limit_beside_plain_text_is_not_looked_at() -> None:
    """The plain text is read, as ever; nobody is told to send what they sent."""
    parts = f"--x\nContent-Type: text/plain\n\nbid 9\n--x\nContent-Type: text/html\n\n{'<p>' * 100_000}\n--x--\n"
    kind = "Content-Type: multipart/alternative; boundary=x"
    letter = read(f"From: {ADA}\nTo: {ARENA}\n{kind}\n\n{parts}".encode())
    assert letter.body == ("bid 9",) and not letter.note
    only = read(f"From: {ADA}\nTo: {ARENA}\n{kind}\n\n{parts.replace('bid 9', ' ')}".encode())
    assert only.body == () and only.note == bodies.TOO_MARKED
