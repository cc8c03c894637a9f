"""Laws of the journal's text: it reads back, a torn tail is cut, damage is never taken for an entry."""

import hashlib
import re
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import Complaint, Fact, Person, Seat, ShelfError
from pbem.table import requests, rulings
from pbem.table.fold.journal import (
    FIRST_SUM,
    FORMAT,
    Entry,
    GameBegun,
    OrdersReceived,
    Press,
    ReminderGiven,
    RulingGiven,
    decode,
    encode,
)

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
text = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)
complaint = st.builds(
    Complaint, st.integers(0, 99), text, st.sampled_from(["unreadable", "illegal", "late"]), text, text
)
FIELDS: dict[object, st.SearchStrategy[Any]] = {
    str: text,
    bool: st.booleans(),
    int: st.integers(0, 10**6),
    Literal["html", "text"]: st.sampled_from(["html", "text"]),
    Fact: st.booleans() | st.integers(-(10**6), 10**6),
    Seat: st.sampled_from([Seat("ada"), Seat("bo-9")]),
    Person: st.sampled_from([Person("p-12"), Person("p-34")]),
    Person | None: st.none() | st.sampled_from([Person("p-12"), Person("p-34")]),
    tuple[str, ...]: st.lists(text, max_size=3).map(tuple),
    tuple[Seat, ...]: st.lists(st.sampled_from([Seat("ada"), Seat("bo-9")]), max_size=3).map(tuple),
    datetime: st.datetimes(datetime(2026, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC)),
    timedelta: st.integers(0, 10**6).map(lambda minutes: timedelta(minutes=minutes)),
}


def drawn(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Return records of a class, with whatever its fields can hold."""
    return st.builds(kind, **{field.name: FIELDS[field.type] for field in msgspec.structs.fields(kind)})


ruling = st.one_of([drawn(kind) for kind in rulings.KINDS])
request = st.one_of([drawn(kind) for kind in requests.KINDS])
press = st.builds(Press, st.sampled_from(["all", "moderator"]) | st.lists(FIELDS[Seat], max_size=2).map(tuple), text)


@st.composite
def journals(draw: st.DrawFn) -> list[Entry]:
    """Entries in a row, with whatever people may write in them."""
    entries: list[Entry] = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        common = {"number": number, "noted": NOON}
        kind = draw(st.sampled_from(["begun", "orders", "ruling", "reminder"]))
        if kind == "begun":
            entries.append(GameBegun(**common, deadline=NOON))  # type: ignore[arg-type]
        elif kind == "reminder":
            seats = draw(st.lists(FIELDS[Seat], max_size=2))
            entries.append(ReminderGiven(number=number, noted=NOON, before="3h", seats=tuple(seats)))
        elif kind == "orders":
            entries.append(
                OrdersReceived(
                    number=number,
                    noted=NOON,
                    seat=Seat("ada"),
                    phase=1,
                    arrived=NOON,
                    mail=draw(text),
                    cause=draw(text),
                    key=draw(text),
                    said=tuple(draw(st.lists(text, max_size=4))),
                    orders=tuple(draw(st.lists(text, max_size=4))),
                    taken=draw(st.booleans()),
                    requests=tuple(draw(st.lists(request, max_size=2))),
                    press=tuple(draw(st.lists(press, max_size=2))),
                    complaints=tuple(draw(st.lists(complaint, max_size=2))),
                )
            )
        else:
            given = tuple(draw(st.lists(ruling, max_size=3)))
            entries.append(RulingGiven(number=number, noted=NOON, phase=2, rulings=given, test=draw(st.booleans())))
    return entries


@given(journals())
def test_a_journal_reads_back(entries: list[Entry]) -> None:
    """`decode` of `encode` gives the same entries and the same sum, whatever people wrote."""
    data, ending = encode(entries, FIRST_SUM)
    found = decode(data, FIRST_SUM)
    assert list(found.entries) == entries
    assert (found.sum, found.good, found.torn) == (ending, len(data), 0)


@given(journals(), st.data())
def test_a_torn_tail_is_cut_to_whole_entries(entries: list[Entry], data: st.DataObject) -> None:
    """Cut anywhere, a journal gives a prefix of its entries, and says how many bytes stand for them."""
    raw, _ = encode(entries, FIRST_SUM)
    at = data.draw(st.integers(0, len(raw)))
    found = decode(raw[:at], FIRST_SUM)
    assert list(found.entries) == entries[: len(found.entries)]
    assert found.good + found.torn == at
    assert decode(raw[: found.good], FIRST_SUM).entries == found.entries


@given(journals(), st.data())
def test_a_tear_costs_no_entry_that_was_whole(entries: list[Entry], data: st.DataObject) -> None:
    """Whatever of an append is on the disk behind whole entries, they are all read; elsewhere a tear is damage."""
    raw, ending = encode(entries, FIRST_SUM)
    more, _ = encode([GameBegun(number=len(entries) + 1, noted=NOON, deadline=NOON)], ending)
    tail = more[: data.draw(st.integers(1, more.rindex(b'"')))]
    found = decode(raw + tail, FIRST_SUM)
    assert list(found.entries) == entries and (found.good, found.torn) == (len(raw), len(tail))
    with pytest.raises(ShelfError, match="has no end"):
        decode(raw + tail, FIRST_SUM, last=False)


@given(journals())
def test_a_last_entry_that_was_changed_is_damage(entries: list[Entry]) -> None:
    """An entry with its whole ending is never taken for a torn tail, so an edit is not cut away."""
    raw, _ = encode(entries, FIRST_SUM)
    at = raw.rindex(b"number = ")
    with pytest.raises(ShelfError, match="check sum"):
        decode(raw[:at] + b"x" + raw[at:], FIRST_SUM)


@given(journals(), st.data())
def test_a_flipped_byte_is_never_taken_for_an_entry(entries: list[Entry], data: st.DataObject) -> None:
    """Damage is refused, or seen as a torn tail; what is read is a prefix of what was written."""
    raw, _ = encode(entries, FIRST_SUM)
    at = data.draw(st.integers(0, len(raw) - 1))
    broken = raw[:at] + bytes([raw[at] ^ data.draw(st.integers(1, 255))]) + raw[at + 1 :]
    try:
        found = decode(broken, FIRST_SUM)
    except ShelfError:
        return
    assert list(found.entries) == entries[: len(found.entries)]


def test_damage_in_the_middle_names_the_line() -> None:
    """An entry that is not the last and does not fit its sum stops the reading, with file and line."""
    raw, _ = encode([GameBegun(number=n, noted=NOON, deadline=NOON) for n in (1, 2, 3)], FIRST_SUM)
    with pytest.raises(ShelfError, match=r"journal.toml, line 9: .*check sum"):
        decode(raw.replace(b"number = 2", b"number = 9"), FIRST_SUM)


@given(journals(), st.sampled_from([f"format = {FORMAT + 1}\n", 'colour = "red"\n', 'kind = "Coloured"\n', ""]))
def test_what_a_newer_release_wrote_is_no_damage(entries: list[Entry], news: str) -> None:
    """A format, a kind or a field that we do not know has its own sentence; no format at all is that of old."""
    data, ending = encode(entries[:-1], FIRST_SUM)
    body = (
        encode(entries[-1:], ending)[0].decode().removeprefix(f"[[entry]]\nformat = {FORMAT}\n").rpartition("sum = ")[0]
    )
    if news.startswith("kind"):
        body = re.sub(r"(?m)^kind = .*\n", "", body, count=1)
    body = news + ("" if news.startswith("format") else f"format = {FORMAT}\n" * bool(news)) + body
    sum_ = hashlib.sha256(f"{ending}\n{body}".encode()).hexdigest()[:32]
    data += f'[[entry]]\n{body}sum = "{sum_}"\n\n'.encode()
    has_values = any(getattr(entries[-1], field, ()) for field in ("rulings", "requests", "press"))
    if not news and not has_values:
        assert list(decode(data, FIRST_SUM).entries) == entries
        return
    said = "was written by a newer pbem" if news else ".*"  # that of old had words for these
    with pytest.raises(ShelfError, match=rf"journal.toml, line \d+:? {said}"):
        decode(data, FIRST_SUM)
