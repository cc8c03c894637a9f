"""What the post office promises: through a real server and back, durable before 250, by its clock."""

import os
import re
import smtplib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.ground.terms import OutboxError
from pbem.world import disk
from pbem.world.clock import FastClock
from pbem.world.mailbox import MaildirMailbox
from pbem.world.outbox import SmtpOutbox
from pbem.world.post_office import LARGEST, PostOffice
from tests.conftest import outbox_at

NOON = datetime(2026, 3, 2, 12, 0, 0, 250_000, tzinfo=UTC)
ADA, BO = "ada@example.org", "bo@example.org"
LETTER = b"Subject: orders\n\nStrike Bo.\n"


@pytest.fixture
def clock() -> FastClock:
    """A clock that stands at noon."""
    return FastClock(NOON)


@pytest.fixture
def office(tmp_path: Path, clock: FastClock) -> Iterator[PostOffice]:
    """An open post office for Ada and Bo."""
    with PostOffice(tmp_path / "post", [ADA, BO], clock) as office:
        yield office


@pytest.fixture
def outbox(office: PostOffice) -> Iterator[SmtpOutbox]:
    """An outbox that hands letters to it."""
    outbox = outbox_at(office.port, timeout=10)
    yield outbox
    outbox.close()


def test_a_letter_goes_out_and_comes_in(office: PostOffice, outbox: SmtpOutbox, clock: FastClock) -> None:
    """A letter sent over SMTP is fetched from the Maildir with its way on top, until it is marked."""
    outbox.send("Moderator@example.com", "Ada+game.T0ken@example.org", LETTER)
    clock.advance(timedelta(minutes=5))
    outbox.send("", ADA, b"later\n")
    mailbox = MaildirMailbox(office.maildir(ADA))
    first, second = mailbox.fetch(10)
    assert first.raw == (
        b"Return-Path: <Moderator@example.com>\n"
        b"Delivered-To: Ada+game.T0ken@example.org\n"
        b"Received: from [127.0.0.1] by localhost with ESMTP\n"
        b" for <Ada+game.T0ken@example.org>; Mon, 02 Mar 2026 12:00:00 +0000\n"
        b"Subject: orders\n\nStrike Bo.\n"
    )
    assert second.raw.startswith(b"Return-Path: <>\n")
    assert (first.arrived, second.arrived) == (NOON, NOON + timedelta(minutes=5))
    mailbox.mark([first])
    assert mailbox.fetch(10) == [second]
    assert MaildirMailbox(office.maildir(BO)).fetch(10) == []


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SmtpOutbox, MaildirMailbox]]:
    """An outbox and the mailbox at the other end, for many examples."""
    with PostOffice(tmp_path_factory.mktemp("post"), [ADA], FastClock(NOON)) as office:
        outbox = outbox_at(office.port, timeout=10)
        yield outbox, MaildirMailbox(office.maildir(ADA))
        outbox.close()


odd = st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b".", b"..", b"x", b"\0", b"\xff", b"\n.\n", b"From "]))


@given(raw=st.one_of(st.binary(max_size=2000), odd.map(b"".join)))
@example(raw=b"\r\n.\r\nMAIL FROM:<x@example.org>\r\n")
@example(raw=b"y" * 100_000)
def test_any_bytes_arrive_as_they_were_sent(line: tuple[SmtpOutbox, MaildirMailbox], raw: bytes) -> None:
    """Outbox, server and mailbox change nothing below the headers they add, line ends apart."""
    outbox, mailbox = line
    outbox.send("", ADA, raw)
    [mail] = mailbox.fetch(10)
    mailbox.mark([mail])
    sent = re.sub(rb"\r\n?|\n", b"\n", raw)
    assert mail.raw.split(b"\n", 4)[4] == (sent if sent.endswith(b"\n") or not sent else sent + b"\n")


def test_an_address_is_found_in_any_case_and_with_any_tag(office: PostOffice) -> None:
    """Any tag after the plus and any case of letters lead to the same mailbox, and nothing else does."""
    box = office.maildir(ADA)
    assert office.maildir("ADA@Example.Org") == office.maildir("ada+x+y@example.org") == box
    for stranger in (
        "ad@example.org",
        "ada@example.com",
        "ada",
        "+x@example.org",
        "ada@x+ada@example.org",
        "../new",
    ):
        with pytest.raises(OutboxError, match="no mailbox for") as told:
            office.maildir(stranger)
        assert told.value.permanent


def test_an_unknown_recipient_is_refused_for_good(office: PostOffice, outbox: SmtpOutbox) -> None:
    """Nobody's mail is refused at RCPT with 550, and the connection goes on."""
    with pytest.raises(OutboxError, match="550 5.1.1 There is no mailbox for cy@example.org here") as told:
        outbox.send(ADA, "cy@example.org", LETTER)
    assert told.value.permanent
    outbox.send(ADA, BO, LETTER)
    assert len(MaildirMailbox(office.maildir(BO)).fetch(10)) == 1


@pytest.mark.parametrize("address", ["../x@example.org", "a/b@example.org", ".a@example.org", "ada", "a b@x.org"])
def test_an_address_that_is_no_folder_name_gets_no_mailbox(tmp_path: Path, clock: FastClock, address: str) -> None:
    """Only what can name a folder can name a mailbox."""
    with pytest.raises(ValueError, match="cannot be the name of a mailbox"):
        PostOffice(tmp_path, [address], clock)


def test_addresses_beyond_ascii_are_served(tmp_path: Path, clock: FastClock) -> None:
    """SMTPUTF8 is offered, and such an address has a mailbox like any other."""
    with PostOffice(tmp_path, ["zoë@example.org"], clock) as office:
        outbox = outbox_at(office.port)
        outbox.send("", "zoë+tag@example.org", LETTER)
        outbox.close()
        [mail] = MaildirMailbox(office.maildir("zoë@example.org")).fetch(1)
    assert "Delivered-To: zoë+tag@example.org\n".encode() in mail.raw


def test_letters_of_one_instant_keep_their_order(office: PostOffice, outbox: SmtpOutbox) -> None:
    """While the clock stands still, the names of the files keep the order of delivery."""
    for number in range(12):
        outbox.send("", ADA, b"%d\n" % number)
    mails = MaildirMailbox(office.maildir(ADA)).fetch(20)
    assert [mail.raw.split(b"\n")[4] for mail in mails] == [b"%d" % number for number in range(12)]


def test_the_same_letter_at_the_same_time_is_the_same_bytes(tmp_path: Path, clock: FastClock) -> None:
    """Nothing of the machine, the process or the port gets into a mail: only its file name is its own."""
    for place in ("one", "two"):
        with PostOffice(tmp_path / place, [ADA], clock) as office:
            outbox = outbox_at(office.port)
            outbox.send(BO, ADA, LETTER)
            outbox.close()
    one, two = (MaildirMailbox(tmp_path / place / ADA).fetch(1)[0] for place in ("one", "two"))
    assert one.raw == two.raw
    assert one.name != two.name


def test_a_letter_is_durable_before_it_is_taken(office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is synced, then renamed, then its folder synced, and only then does delivery return."""
    told: list[str] = []
    sync, rename = disk.sync, os.rename

    def note_sync(root: Path, parts: disk.Parts) -> None:
        told.append(f"sync {parts[0]}")
        sync(root, parts)

    def note_rename(old: Path, new: Path) -> None:
        told.append("rename")
        rename(old, new)

    monkeypatch.setattr(disk, "sync", note_sync)
    monkeypatch.setattr(os, "rename", note_rename)
    office.deliver(ADA, LETTER)
    assert told == ["sync tmp", "rename", "sync new"]
    assert os.listdir(office.maildir(ADA) / "tmp") == []


def test_mail_is_private(office: PostOffice) -> None:
    """Folders are 0700 and files 0600."""
    office.deliver(ADA, LETTER)
    paths = list(office.maildir(ADA).rglob("*"))
    assert len(paths) == 4
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_file()} == {0o600}


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ZeroDivisionError()])
def test_a_letter_that_cannot_be_delivered_now_is_to_be_sent_again(
    office: PostOffice, outbox: SmtpOutbox, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A full disk, and even a mistake of ours, is a 4xx: nothing is taken, the sender keeps the letter."""

    def fail(handle: int, data: bytes) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(disk, "fill", fail)
        with pytest.raises(OutboxError, match="451 4.3.0") as told:
            outbox.send("", ADA, LETTER)
    assert not told.value.permanent
    outbox.send("", ADA, LETTER)
    assert len(MaildirMailbox(office.maildir(ADA)).fetch(10)) == 1


def test_a_letter_beyond_the_limit_is_refused_for_good(outbox: SmtpOutbox) -> None:
    """More than ten mebibytes are not taken."""
    with pytest.raises(OutboxError, match="552") as told:
        outbox.send("", ADA, b"x" * 70 + b"\n" + (b"x" * 70 + b"\n") * (LARGEST // 71))
    assert told.value.permanent


def test_a_sender_cannot_write_headers(office: PostOffice) -> None:
    """Line ends in an address that got so far end up as question marks."""
    office.deliver(ADA, LETTER, sender="x@example.org>\r\nX-Evil: yes")
    [mail] = MaildirMailbox(office.maildir(ADA)).fetch(1)
    assert mail.raw.startswith(b"Return-Path: <x@example.org>??X-Evil: yes>\nDelivered-To: ")


def test_clients_at_the_same_time_lose_nothing(office: PostOffice) -> None:
    """Several connections at once deliver all their letters, each to both of its recipients."""

    def send_ten() -> None:
        with smtplib.SMTP("127.0.0.1", office.port, "client.example.org", timeout=10) as client:
            for _ in range(10):
                client.sendmail("", [ADA, BO], LETTER)

    clients = [threading.Thread(target=send_ten) for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert [len(MaildirMailbox(office.maildir(address)).fetch(99)) for address in (ADA, BO)] == [40, 40]


def test_it_can_close_under_an_open_connection_and_open_again(tmp_path: Path, clock: FastClock) -> None:
    """Stopping does not wait for clients; after a new start all works on, and earlier mail is there."""
    office = PostOffice(tmp_path, [ADA], clock)
    office.start()
    port = office.port
    outbox = outbox_at(port, timeout=10)
    outbox.send("", ADA, b"one\n")
    office.stop()
    office.stop()
    with pytest.raises(RuntimeError, match="closed"):
        assert office.port
    with pytest.raises(OutboxError, match="cannot be used"):
        outbox.send("", ADA, b"two\n")
    again = PostOffice(tmp_path, [ADA], clock, port=port)
    with again:
        outbox.send("", ADA, b"two\n")
    outbox.close()
    assert len(MaildirMailbox(again.maildir(ADA)).fetch(10)) == 2
