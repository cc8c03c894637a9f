"""Law: a good reply with one header spoilt, in whatever way, gets exactly one letter, at the address that we know."""

import base64
import random
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from tests.conftest import Room, flat
from tests.depth import some

ADA, GWEN = "ada@example.org", "gwen@example.org"
Role = Literal["seat", "moderator", "invited"]
REPLIES: dict[Role, tuple[str, str]] = {
    "seat": (ADA, "bid 3"),
    "moderator": (GWEN, "status"),
    "invited": (ADA, "join as Ada"),
}
HEADERS = (
    "Authentication-Results", "From", "To", "Subject", "In-Reply-To", "Message-ID", "Date", "MIME-Version",
    "Content-Type", "Content-Transfer-Encoding", "References", "Reply-To", "Sender", "Cc", "Return-Path", "Received",
    "Delivered-To", "X-Mailer", "Comments", "Importance",
)  # fmt: skip
SPOILT: dict[str, Callable[[str], list[str]]] = {
    "gone": lambda value: [],
    "empty": lambda value: [""],
    "blank": lambda value: ["   "],
    "twice": lambda value: [value, value],
    "garbage": lambda value: ['%&$ \x01 ;;; <<>> "" (('],
    "not ASCII": lambda value: ["Grüße \u2603"],
    "long": lambda value: [value + "x" * 3000],
    "folded": lambda value: [value.replace(" ", "\n ")],
    "with tabs": lambda value: [f"\t{value}\t"],
    "encoded": lambda value: [f"=?utf-8?b?{base64.b64encode(value.encode()).decode()}?="],
    "encoded in nothing": lambda value: [f"=?foo?q?{value}?="],
    "something else": lambda value: ["something else altogether"],
    "in capitals": lambda value: [value.upper()],
    "with @": lambda value: [f"a@b@c {value}"],
}
NOBODYS = {("From", how) for how in ("gone", "empty", "blank", "garbage", "not ASCII", "something else")}
"""A From without any address is a machine's, and answered by nothing."""
OTHERS = ("long",)
"""A From that is spoilt so names another address, clearly: an invitation that comes from there is a stranger's."""
CASES = [(header, how) for header in HEADERS for how in SPOILT if (header, how) not in NOBODYS]


def spoilt(raw: bytes, header: str, how: str) -> bytes:
    """Return a mail with one of its headers spoilt, which it may not have had."""
    head, _, body = raw.partition(b"\n\n")
    rows = [row.decode().partition(": ") for row in re.split(rb"\n(?![ \t])", head)]
    value = next((value for name, _, value in rows if name == header), ADA)
    kept = [f"{name}: {value}" for name, _, value in rows if name != header]
    return "\n".join([*kept, *(f"{header}: {one}" for one in SPOILT[how](value))]).encode() + b"\n\n" + body


def begun(room: Room, role: Role) -> Room:
    """Begin a game, or invite to one."""
    room.invite("ada", "bo") if role == "invited" else room.found("ada", "bo")
    room.arena.close()
    return room


def letters(room: Room, role: Role, header: str, how: str, folder: Path) -> Iterator[str]:
    """Yield to whom letters go when a good reply comes with a header spoilt."""
    who, text = REPLIES[role]
    here = room.copied(folder)
    mail = here.write(who, text)
    here.mailbox.waiting.remove(mail)
    here.mailbox.deliver(spoilt(mail.raw, header, how), mail.arrived)
    since = len(here.outbox.sent)
    assert not here.sweep(timedelta(minutes=1)).troubles
    yield from (to for to, _ in here.outbox.sent[since:])
    here.arena.close()


def hold(room: Room, role: Role, cases: list[tuple[str, str]], folder: Path) -> None:
    """Hold the law for some cases."""
    begun(room, role)
    found = {
        (header, how): tuple(letters(room, role, header, how, folder / str(number)))
        for number, (header, how) in enumerate(cases)
    }
    is_elsewhere = {("From", how) for how in OTHERS} if role == "invited" else set()
    wrong = {case: got for case, got in found.items() if len(got) != 1 or got[0] != REPLIES[role][0]}
    assert {case: got for case, got in wrong.items() if len(got) != 1 or case not in is_elsewhere} == {}


@pytest.mark.parametrize("role", some(3, REPLIES))
def test_a_reply_with_a_spoilt_header_gets_one_letter(room: Room, role: Role, tmp_path: Path) -> None:
    """Some of all cases; a From is spoilt in each way."""
    drawn = random.Random(role).sample(CASES, 12)
    hold(room, role, [*dict.fromkeys([*drawn, *(case for case in CASES if case[0] == "From")])], tmp_path)


@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("role", REPLIES)
def test_each_reply_with_a_spoilt_header_gets_one_letter(room: Room, role: Role, tmp_path: Path) -> None:
    """All cases."""
    hold(room, role, CASES, tmp_path)


@pytest.mark.parametrize("how", [how for header, how in CASES if header == "From" and how not in OTHERS])
def test_who_was_invited_and_cannot_be_read_is_asked_at_the_known_address(room: Room, how: str, tmp_path: Path) -> None:
    """They have their seat, or one word from there takes it; no server vouches for the odd From."""
    begun(room, "invited")
    here = room.copied(tmp_path / "here")
    mail = here.write(ADA, "join as Ada")
    here.mailbox.waiting.remove(mail)
    raw = re.sub(rb"^Authentication-Results: .*\n", b"", mail.raw, flags=re.MULTILINE)
    here.mailbox.deliver(spoilt(raw, "From", how), mail.arrived)
    here.sweep()
    if not here.table().seats:
        assert "To take it, reply to this letter with one word" in flat(here.last(ADA))
        here.write(ADA, "confirm")
        here.sweep()
    assert [seated.name for seated in here.table().seats.values()] == ["Ada"]
    here.arena.close()
