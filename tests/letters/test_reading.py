"""Headers of a mail: who wrote, to whom, in answer to what, when, and whether a person did."""

import pytest

from pbem.letters.reading import Letter, read
from tests.letters.clients import mail, part


def letter(headers: str, body: bytes = b"Content-Type: text/plain\n\ndefend 50\n") -> Letter:
    """Read a mail that has these headers and no others."""
    return read(headers.encode("utf-8") + b"\n" + body if headers else body)


def test_an_ordinary_mail_is_read_whole() -> None:
    """Every field of a Letter comes from its header."""
    read_letter = read(mail(part("defend 50\n\n")))
    assert read_letter == Letter(
        senders=("ada@example.com",),
        name="Ada Lovelace",
        to=("ember+ember-7.k3x9@example.org",),
        named=("ember+ember-7.k3x9@example.org",),
        results=(),
        subject="Re: [ember-7] Round 3",
        message_id="<reply-1@example.com>",
        references=("<letter-9@example.org>", "<letter-1@example.org>"),
        offset=60,
        automatic="",
        body=("defend 50",),
        note="",
        date="Tue, 24 Nov 2026 09:30:00 +0100",
    )


@pytest.mark.parametrize(
    ("header", "senders", "name"),
    [
        ("From: ada@Example.COM", ("ada@example.com",), ""),
        ("From: <ada@example.com>", ("ada@example.com",), ""),
        ("From: Ada <ada@example.com>", ("ada@example.com",), "Ada"),
        ('From: "Lovelace, Ada" <ada@example.com>', ("ada@example.com",), "Lovelace, Ada"),
        ("From: =?utf-8?q?Ad=C3=A0?= <ada@example.com>", ("ada@example.com",), "Adà"),
        ("From: =?utf-8?q?Bo=2C_x=40y=2Eorg?= <ada@example.com>", ("ada@example.com",), "Bo, x@y.org"),
        ("From: =?utf-8?b?8J+YgA==?=\n =?iso-8859-1?q?_=E9?= <a@example.com>", ("a@example.com",), "😀 é"),
        ("From: Adà <ada@example.com>", ("ada@example.com",), "Adà"),
        ("From: =?utf-8?q?A=0D=0ABcc=3A_x?= <ada@example.com>", ("ada@example.com",), "A Bcc: x"),
        ("From: ada@example.com, Bo <bo@example.com>", ("ada@example.com", "bo@example.com"), ""),
        ("From: ada@example.com\nFrom: Bo <bo@example.com>", ("ada@example.com", "bo@example.com"), ""),
        ("From: undisclosed-recipients:;", (), ""),
        ("From: nobody", (), ""),
        ("X: y", (), ""),
    ],
)
def test_the_sender_is_read(header: str, senders: tuple[str, ...], name: str) -> None:
    """Addresses come bare and in lower case, the name decoded and without controls; a second one is not hidden."""
    read_letter = letter(header + "\n")
    assert (read_letter.senders, read_letter.name) == (senders, name)


def test_an_address_before_another_is_not_taken_for_the_only_one() -> None:
    """A From that names one address and comes from another never reads as the first alone."""
    assert letter("From: ada@example.com (comment) <evil@example.net>\n").senders != ("ada@example.com",)
    assert letter('From: "ada@example.com" <evil@example.net>\n').senders == ("evil@example.net",)


def test_recipients_keep_the_local_part_as_written() -> None:
    """The addresses of four headers, each once, with the domain in lower case."""
    headers = (
        "Delivered-To: Ember+Ember-7.K3@Example.ORG\nX-Original-To: Ember+Ember-7.K3@example.org\n"
        "To: Bo <bo@example.com>,\n cy@example.com\nCc: bo@example.com\n"
    )
    assert letter(headers).to == ("Ember+Ember-7.K3@example.org", "bo@example.com", "cy@example.com")


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Re: [ember-7] Round 3", "Re: [ember-7] Round 3"),
        ("Re: [ember-7]\n Round 3", "Re: [ember-7] Round 3"),
        ("=?utf-8?q?R=C3=A9=3A_=5Bember-7=5D?=", "Ré: [ember-7]"),
        ("=?gb2312?b?u9i4tA==?= [ember-7]", "回复 [ember-7]"),
        ("=?x-unknown?q?R=E9?=", "Ré"),
        ("=?utf-8?b?not base64?= [ember-7]", "=?utf-8?b?not base64?= [ember-7]"),
        ("=?utf-8?q?a=0D=0ABcc=3A=20x=E2=80=AE=1B[1m?=", "a Bcc: x[1m"),
    ],
)
def test_the_subject_is_decoded_and_harmless(subject: str, expected: str) -> None:
    """Encoded words are decoded, and no control or text direction is left."""
    assert letter(f"Subject: {subject}\n").subject == expected


def test_the_references_are_those_answered_first() -> None:
    """In-Reply-To stands before References, and each identifier once."""
    headers = "In-Reply-To: <b@x> (Ember's letter)\nReferences: <a@x> <b@x>\n\t<c@x>\nMessage-ID: <d@x>\n"
    read_letter = letter(headers)
    assert (read_letter.references, read_letter.message_id) == (("<b@x>", "<a@x>", "<c@x>"), "<d@x>")
    assert letter("Message-ID: none\n").message_id == ""


@pytest.mark.parametrize(
    ("date", "offset"),
    [
        ("Tue, 24 Nov 2026 09:30:00 +0100", 60),
        ("Tue, 24 Nov 2026 09:30:00 -0330 (NST)", -210),
        ("Tue, 24 Nov 2026 09:30:00 GMT", 0),
        ("Tue, 24 Nov 2026 09:30:00 -0000", None),
        ("Tue, 24 Nov 2026 09:30:00 +9900", None),
        ("Tue, 24 Nov 2026 09:30:00", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_the_offset_is_that_of_the_date(date: str, offset: int | None) -> None:
    """
    Minutes east of UTC, or None where the header does not say.

    Rule: RFC 5322 3.3
    """
    assert letter(f"Date: {date}\n").offset == offset


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ("Auto-Submitted: auto-replied", "Auto-Submitted: auto-replied"),
        ("Auto-Submitted: auto-generated; owner-email=x@example.com", "Auto-Submitted: auto-generated; owner"),
        ("Auto-Submitted: no", ""),
        ("Auto-Submitted: No ; because=person", ""),
        ("Precedence: bulk", ""),
        ("Precedence: bulk\nReturn-Path: <>", "null sender, Precedence: bulk"),
        ("Precedence: first-class", ""),
        ("Return-Path: <>", "null sender"),
        ("Return-Path: <ada@example.com>", ""),
        ("Content-Type: multipart/report; report-type=delivery-status; boundary=x", "multipart/report"),
        ("X-Autoreply: yes", "x-autoreply: yes"),
        ("List-Id: <list.example.org>", "list-id: <list.example.org>"),
        ("From: MAILER-DAEMON@example.org", "from mailer-daemon@example.org"),
        ("From: Mail Delivery System", "no address in From"),
        ("From:", "no address in From"),
        ("Subject: Automatic reply: [ember-7] Round 3", "Subject: Automatic reply"),
        ("Subject: Abwesenheitsnotiz: weg", "Subject: Abwesenheitsnotiz"),
        ("Subject: Re: automatic reply", ""),
    ],
)
def test_automatic_mail_is_known_with_its_reason(headers: str, why: str) -> None:
    """
    A machine's mail says so in one header or another; a person's does not.

    Rule: RFC 3834 2
    """
    sender = "" if headers.startswith("From") else "From: ada@example.com\n"
    automatic = letter(f"{sender}{headers}\n").automatic
    assert automatic.startswith(why) and bool(automatic) == bool(why)
