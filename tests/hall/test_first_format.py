"""Games that an older release began, whose journals hold rulings and requests as words: read for ever, and played on."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomli_w

from pbem.ground import records
from pbem.ground.terms import ShelfError
from pbem.hall.commands import replay_check
from pbem.hall.mail.outgoing import filing
from pbem.hall.store import ledger
from pbem.table import rulings
from pbem.table.fold import journal, replay
from pbem.table.fold.journal import Entry
from pbem.table.model import first_format
from pbem.table.model.table import Table
from pbem.table.requests import Request
from pbem.table.requests.ahead import Ahead
from pbem.table.requests.standing import Standing
from tests.conftest import Room
from tests.depth import shares
from tests.promises.calm import entries

ADA, BO, GWEN = "ada@example.org", "bo@example.org", "gwen@example.org"
PINNED = (Path(__file__).parent.parent / "table" / "first_format.txt").read_text().split("\n")
GAMES = sorted((Path(__file__).parent.parent.parent / "games").glob("*/charter.toml"))


def words(request: Request) -> str:
    """Return a request as the first format had it."""
    match request:
        case Ahead(title=title, orders=orders):
            return f"for {title}: {'; '.join(orders)}"
        case Standing(is_on=is_on):
            return f"standing {'on' if is_on else 'off'}"
    return " ".join(msgspec.to_builtins(request).values())


@pytest.mark.parametrize(("line", "values"), list(zip(PINNED[::2], PINNED[1::2], strict=False)))
def test_each_word_of_the_first_format_is_read_as_it_was_meant(line: str, values: str) -> None:
    """The values are pinned; as a ruling of today they read the same as then."""
    kind, _, text = line.partition(": ")
    if kind == "request":
        assert first_format.request(text, "") == json.loads(values)
        return
    assert first_format.ruling(text, "so", "") == {**json.loads(values), "because": "so"}
    ruling: rulings.Ruling = msgspec.convert(json.loads(values), rulings.Ruling)
    assert ruling.show() == text


@pytest.mark.parametrize(
    "line", ["extend", "extend 2 hours", "set coins", "order ada bid 2", "veto P01", "approve", ""]
)
def test_a_word_that_is_none_of_the_first_format_stops_the_game(line: str) -> None:
    """With file and line; nothing is guessed at."""
    with pytest.raises(ShelfError, match=r'journal.toml, line 4: the ruling ".*" is none of the first format'):
        first_format.ruling(line, "", "journal.toml, line 4")
    with pytest.raises(ShelfError, match="the request .* is none"):
        first_format.request(f"do {line}", "journal.toml, line 4")


@pytest.mark.parametrize(
    "values",
    [
        {"lines": ["pause", "resume"], "reasons": ["so"]},
        {"lines": [3]},
        {"lines": ["pause"], "reasons": 3},
        {"requests": 3},
        {"press": ["all"]},
        {"press": [1, 2]},
    ],
)
def test_values_that_are_none_of_the_first_format_stop_the_game(values: dict[str, Any]) -> None:
    """With file and line, whatever stands there."""
    with pytest.raises(ShelfError, match="journal.toml, line 4: the .* is none of the first format"):
        first_format.entry({"kind": "RulingGiven", **values}, "journal.toml, line 4")


@pytest.mark.parametrize(
    "values", [{"standing": [{"number": 1}]}, {"standing": 3}, {"later": {"ada": [{"orders": []}]}}, {"later": 3}]
)
def test_a_start_that_is_none_of_the_first_format_stops_the_game(values: dict[str, Any]) -> None:
    """With its file."""
    with pytest.raises(ShelfError, match="state.toml: one of the values .* is none of the first format"):
        first_format.start(values, "state.toml")


def test_every_ruling_of_the_specimens_is_pinned() -> None:
    """As long as specimens have entries of the first format, each of their lines stands in the list."""
    texts = [path.read_text() for folder in GAMES for path in folder.parent.glob("phase-*/journal.toml")]
    old = [chunk for text in texts for chunk in text.split("[[entry]]\n") if chunk.startswith("format = 1\n")]
    lines = [line for chunk in old for line in records.parse(chunk.rpartition("sum =")[0], "").get("lines", ())]
    assert {f"ruling: {line}" for line in lines} <= set(PINNED)


def values_as_before(values: dict[str, Any], entry: Entry) -> dict[str, Any]:
    """Return an entry's values as the first format had them."""
    if "rulings" in values:
        given = values.pop("rulings")
        values["lines"] = [one.show() for one in getattr(entry, "rulings", ())]
        values["reasons"] = [one.get("because", "") for one in given]
    if "requests" in values:
        values["requests"] = [words(one) for one in getattr(entry, "requests", ())]
    if "press" in values:
        pairs = [(one["to"], one["text"]) for one in values["press"]]
        values["press"] = [one for to, text in pairs for one in (to if to == "all" else " ".join(to), text)]
    return values


def encode_as_before(given: Sequence[Entry], previous: str) -> tuple[bytes, str]:
    """Write entries as an older release did."""
    parts = []
    for entry in given:
        body = tomli_w.dumps({"format": 1, **values_as_before(records.plain(entry), entry)})
        previous = journal._sum(previous, body)
        parts.append(f'[[entry]]\n{body}sum = "{previous}"\n\n')
    return "".join(parts).encode(), previous


def start_as_before(table: Table, sum_: str) -> bytes:
    """Write a phase's start as an older release did."""
    start = replay.start(table, sum_)
    values = records.plain(start)
    del values["grammar"]
    values["standing"] = [
        {"number": one.number, "phase": one.phase, "line": one.ruling.show(), "because": one.ruling.because}
        for one in start.standing
    ]
    values["later"] = {
        seat: [{"when": one.title or f"kind:{one.kind}", "orders": list(one.orders)} for one in kept]
        for seat, kept in start.later.items()
    }
    heading = f"# Derived from the journal up to entry {start.head}; `pbem replay` compares it.\n"
    return records.checked(f"{heading}format = 1\n{tomli_w.dumps(values)}").encode()


@contextmanager
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let files be written as an older release did."""
    with monkeypatch.context() as before:
        before.setattr(journal, "encode", encode_as_before)
        for door in (ledger, filing):
            before.setattr(door, "start_file", start_as_before)
        yield


PLAY = (
    (ADA, "zone Asia/Tokyo\njoin as Ada"),
    (GWEN, "invite again\nstatus"),
    (BO, "join as Bo"),
    (ADA, "bid 3\nstanding on"),
    (BO, "for Tide 2: bid 2\nbid 2\npress to Ada: Halves?\nend press\nwait"),
    (GWEN, "do gain Ada 2 each round because the tide likes her\nextend 2h because of fog\nset coins of Bo 8 because he paid"),
    (GWEN, "order Bo: bid 1 because he rang\nnote Fog tonight.\nexcuse Ada"),
    (GWEN, "undo 4\npause"),
    (GWEN, "close now\ntest"),
    (GWEN, "resume\ndeadline 2026-11-27 20:00"),
    (GWEN, "close now"),
    (GWEN, "overrule bid of Ada = 1 because it was misread\nhold"),
    (GWEN, "approve 2"),
    (BO, "ready\npress to all: Hello\nend press"),
    (ADA, "cancel\nstanding off\nstatus\nhistory"),
    (GWEN, "strike Bo 1 because he asked\nstatus\nhelp"),
    (ADA, "bid 4\nstanding on"),
    (GWEN, "close now"),
    (GWEN, "approve 1"),
)  # fmt: skip


def write(room: Room, place: int) -> None:
    """Send one mail of the play, and let the game go on until nothing is due."""
    who, text = PLAY[place]
    room.write(who, text)
    room.sweep(timedelta(minutes=5))
    room.sweep(timedelta(minutes=5))


def begin(root: Path) -> Room:
    """Found the game."""
    room = Room(root)
    room.invite("ada", "bo", review=("tide",), press="private", close="at deadline")
    return room


def outcome(room: Room) -> tuple[Any, ...]:
    """Return what must not depend on the format of what was journaled: entries, the table, and every letter."""
    table = room.table()
    log = entries(room, "tide-1")
    sent = [(to, raw.partition(b"\r\n\r\n")[2]) for to, raw in room.outbox.sent]
    assert not [one.difference for one in replayed(room) if one.difference]
    return log, replay.start(table, ""), table.status, table.proof, table.sets.hand, table.rulings, table.outcome, sent


def replayed(room: Room) -> list[replay_check.Phase]:
    """Replay the game."""
    seed = room.arena.seed(room.arena.games()[0])
    words = replay_check.Words(room.arena.words, room.arena.wording)
    return list(replay_check.replay(room.root / "games" / "tide-1", room.rulesets, words, seed))


@pytest.mark.parametrize("share", shares(4))
def test_a_game_that_is_upgraded_at_any_time_equals_the_game_played_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int
) -> None:
    """
    In sign-up, open, paused, at the proof, held and let out: behind old entries come new ones, and all is the same.

    The game is played on from a quarter of the places where it is upgraded; a sweep tries them all.
    """
    whole = begin(tmp_path / "whole")
    for place in range(len(PLAY)):
        write(whole, place)
    expected = outcome(whole)
    whole.arena.close()
    seen = set()
    with as_before(monkeypatch):
        old = begin(tmp_path / "old")
    for place in range(len(PLAY)):
        if place:
            with as_before(monkeypatch):
                write(old, place - 1)
        old.arena.close()
        room = old.copied(tmp_path / f"at-{place}")
        old.arena = old.open()
        seen.add((room.table().status, room.table().paused is not None, room.table().held))
        for rest in range(place, len(PLAY)) if not place % share else ():
            write(room, rest)
        assert place % share or outcome(room) == expected, place
        room.arena.close()
    assert seen >= {("sign-up", False, False), ("open", True, False), ("closed", False, True), ("closed", False, False)}
    assert expected[2] == "over"
    old.arena.close()
