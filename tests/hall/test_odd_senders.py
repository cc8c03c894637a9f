"""Law: whatever comes to a valid token and is no machine's gets exactly one letter; what acts has the domain of its From."""

import re
from datetime import timedelta

import pytest

from tests.conftest import Room, flat
from tests.depth import some

ADA = "ada@example.org"
SURE = (
    '"ada"@example.org',
    "ada@example.org",
    "Ada <ada@example.org>",
    '"Ada" <ada@example.org>',
    "ADA@Example.Org",
    "Ada, Home <ada@example.org>",
    "Ada <ada@example.org",
)
ODD = (
    "Ada@Home <ada@example.org>", "Dr: Ada <ada@example.org>", "Ada; <ada@example.org>", "a@b: Ada <ada@example.org>",
    "<mailto:ada@example.org>", "Ada <mailto:ada@example.org>", "=?utf-8?q?Ada_=3Cada=40example=2Eorg=3E?=",
    "=?utf-8?b?QWRhIDxhZGFAZXhhbXBsZS5vcmc+?=", "ada@example.net (Ada) <ada@example.org>",
)  # fmt: skip
UNCLEAR = (
    "ada@example.org, bo@example.org", "Ada <ada@example.org>, Bo <bo@example.org>", "friends: ada@example.org;",
    "=?utf-8?q?Ada?= =?utf-8?q?_at_home?=", "<ada@example.org> <bo@example.org>", "@",
    "Ada <ada@>",  "eve@example.net <ada@example.org> <eve@example.net>",
)  # fmt: skip


def sent(room: Room, value: str, results: str, *, text: str = "bid 3") -> list[tuple[str, str]]:
    """Let a good reply arrive with another From; return the letters that come of it."""
    mail = room.write(ADA, text)
    room.mailbox.waiting.remove(mail)
    raw = re.sub(rb"^From: .*$", b"From: " + value.encode(), mail.raw, count=1, flags=re.MULTILINE)
    raw = re.sub(rb"^Authentication-Results: .*\n", results.encode(), raw, count=1, flags=re.MULTILINE)
    room.mailbox.deliver(raw, mail.arrived)
    since = len(room.outbox.sent)
    room.sweep(timedelta(minutes=1))
    return [(to, flat(raw.decode())) for to, raw in room.outbox.sent[since:]]


def vouches(domain: str) -> str:
    """Return the header by which our mail server says which domain it found in From."""
    return f"Authentication-Results: mx.example.org; dmarc=pass header.from={domain}\n" if domain else ""


@pytest.mark.parametrize("domain", some(4, ["example.org", "example.net", ""]))
@pytest.mark.parametrize("value", [*SURE, *ODD, *UNCLEAR])
def test_each_form_of_from_is_taken_or_asked_about_once(room: Room, value: str, domain: str) -> None:
    """At the registered address, and nobody's token is struck for it."""
    room.found("ada", "bo")
    tokens = {seat: room.arena.token(room.table(), seat) for seat in room.table().seats}
    letters = sent(room, value, vouches(domain))
    assert [to for to, _ in letters] == [ADA], (value, letters)
    is_taken = "ada" in room.table().sets.hand
    assert is_taken or "| confirm" in letters[0][1]
    assert not is_taken or value in SURE or domain == "example.org"
    assert is_taken or value not in SURE
    assert is_taken or value not in ODD or domain != "example.org"
    assert tokens == {seat: room.arena.token(room.table(), seat) for seat in room.table().seats}


@pytest.mark.parametrize("value", some(4, [*ODD, *UNCLEAR]))
def test_what_was_asked_about_counts_once_it_is_confirmed(room: Room, value: str) -> None:
    """As it came, by the answer from the registered address."""
    room.found("ada", "bo")
    sent(room, value, "")
    room.write(ADA, re.search(r"confirm \d+", flat(room.last(ADA)))[0])  # type: ignore[index]
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)


@pytest.mark.parametrize("value", [*ODD[:2], *UNCLEAR[:2]])
def test_a_mail_that_comes_by_two_routes_is_asked_about_once(room: Room, value: str) -> None:
    """At once, or in another sweep."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 3")
    room.mailbox.waiting.remove(mail)
    raw = re.sub(rb"^From: .*$", b"From: " + value.encode(), mail.raw, count=1, flags=re.MULTILINE)
    raw = re.sub(rb"^Authentication-Results: .*\n", b"", raw, count=1, flags=re.MULTILINE)
    since = len(room.outbox.sent)
    for routes in ((b"one", b"two"), (b"three",)):
        for route in routes:
            room.mailbox.deliver(b"Received: by " + route + b"\n" + raw, mail.arrived)
        room.sweep(timedelta(minutes=1))
    assert [to for to, _ in room.outbox.sent[since:]] == [ADA]


@pytest.mark.parametrize("value", ["ada+games@example.org", "Ada <ADA+x@example.org>"])
def test_another_form_of_the_mailbox_is_held_and_strikes_no_token(room: Room, value: str) -> None:
    """It may be confirmed from there too: the letter that asks went to the registered address."""
    room.found("ada", "bo")
    token = room.arena.token(room.table(), next(iter(room.table().seats)))
    letters = sent(room, value, vouches("example.org"))
    assert [to for to, _ in letters] == [ADA] and "another form of your address" in letters[0][1]
    assert token == room.arena.token(room.table(), next(iter(room.table().seats)))
    again = sent(room, value, vouches("example.org"), text=re.search(r"confirm \d+", letters[0][1])[0])  # type: ignore[index]
    assert [to for to, _ in again] == [ADA] and room.table().sets.hand["ada"].orders == ("bid 3",)


def test_an_odd_from_with_a_token_of_nobody_is_answered_by_nothing(room: Room) -> None:
    """Where no server vouches for an address in it, nobody knows whom to ask."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 3")
    room.mailbox.waiting.remove(mail)
    raw = re.sub(rb"^From: .*$", b"From: Dr: Ada <ada@example.org>", mail.raw, count=1, flags=re.MULTILINE)
    raw = re.sub(rb"tide-1\.[a-z2-7]{16}", b"tide-1.aaaaaaaaaaaaaaaa", raw)
    raw = re.sub(rb"^Authentication-Results: .*\n", b"", raw)
    room.mailbox.deliver(raw, mail.arrived)
    since = len(room.outbox.sent)
    room.sweep()
    assert b"aaaaaaaaaaaaaaaa" in raw and not room.outbox.sent[since:]
