"""Mail of people that looks odd: what a program could take for a machine's, written from the formats."""

from collections.abc import Iterator

BASE = {
    "Return-Path": "<ada@example.com>",
    "Delivered-To": "arena+tide-1.abcdefghijklmnop@example.org",
    "From": "Ada Lovelace <ada@example.com>",
    "To": "The Arena <arena+tide-1.abcdefghijklmnop@example.org>",
    "Subject": "Re: [tide-1] Tide 1",
    "Date": "Mon, 23 Nov 2026 12:00:00 +0100",
    "Message-ID": "<m-1@example.com>",
    "MIME-Version": "1.0",
    "Content-Type": 'text/plain; charset="utf-8"',
}
ANSWER = {"In-Reply-To": "<tide-1.5.opening.ada@example.org>", "References": "<tide-1.5.opening.ada@example.org>"}
THUNDERBIRD = {"User-Agent": "Mozilla Thunderbird"}
PHONE = {"X-Mailer": "iPhone Mail (22A3370)"}


def mail(body: str = "bid 3\n", **headers: str) -> bytes:
    """Write a mail; a header that is given replaces that of the base, and one that is given as "" is left out."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    lower = {name.lower() for name in given}
    kept = {name: value for name, value in BASE.items() if name.lower() not in lower} | given
    head = "".join(f"{name}: {value}\n" for name, value in kept.items() if value)
    return f"{head}\n{body}".encode()


SUBJECTS = (
    "Re: Automatic reply: [tide-1] Tide 1",
    "RE: Out of Office: [tide-1] Tide 1",
    "AW: Abwesenheitsnotiz: [tide-1] Tide 1",
    "Re: Réponse automatique : [tide-1] Tide 1",
    "Re: Undelivered Mail Returned to Sender",
    "Fwd: Undelivered Mail Returned to Sender",
    "FW: Undeliverable: [tide-1] Tide 1",
    "WG: Unzustellbar: [tide-1]",
    "Tr: Non remis : [tide-1]",
    "Fwd: failure notice",
    "Fwd: Delivery Status Notification (Failure)",
    "Out of office? me too",
    "out of office next week, orders for both tides below",
    "Away this weekend",
    "I am away until Friday",
    "On holiday from Monday on",
    "On vacation, so here are my orders early",
    "Vacation plans and a bid",
    "Holiday greetings",
    "Ich bin im Urlaub, hier mein Gebot",
    "Urlaub",
    "Urlaub: [tide-1] mein Gebot",
    "Away: [tide-1] and so my bid is early",
    "Accepted: [tide-1] what Bo said",
    "Auto [tide-1]",
    "Vacances!",
    "En vacances, mais je joue",
    "Ferie e offerta",
    "Vakantie: mijn bod",
    "Отпуск",
    "不在の間の注文",
    "Absent friends",
    "Leave me out of this alliance",
    "leave",
    "Read this please",
    "Read: the rules once more?",
    "Accepted!",
    "Declined with thanks",
    "Delivery of my orders",
    "Mail delivery is slow here",
    "Did my mail fail?",
    "Failure",
    "Returned from the sea",
    "User unknown? That is me",
    "Mailbox trouble",
    "Confirm please",
    "Please confirm that you got my bid",
    "confirm",
    "Verification of the dice",
    "Warning: I shall bid high",
    "automatic bids, how?",
    "An automatic reply would be nice",
    "Auto reply is a funny word",
    "robots",
    "Machine translation of my orders",
    "Bulk carrier",
    "bounce",
    "Your message was received with joy",
    "Subscribe me to tide-1",
    "unsubscribe?",
    "Welcome to the game, Bo",
    "Test",
    "(no subject)",
    "",
    "noreply",
    "Re: Re: Re: [tide-1] Tide 1",
    "Antw: [tide-1] Tide 1",
    "[EXT] [tide-1] Tide 1",
)
"""Subjects that people write, each in a mail of its own and in an answer."""

HEADERS: tuple[dict[str, str], ...] = (
    {"Precedence": "bulk"},
    {"Precedence": "junk"},
    {"Precedence": "first-class"},
    {"X-Auto-Response-Suppress": "All"},
    {"X-Auto-Response-Suppress": "DR, OOF, AutoReply"},
    {"X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply", "Thread-Index": "AQHZ1234"},
    {"Precedence": "bulk", "X-Auto-Response-Suppress": "All"},
    {"Feedback-ID": "1.eu-west-1.abc:AmazonSES", "X-SES-Outgoing": "2026.11.23-192.0.2.1"},
    {"List-Unsubscribe": "<mailto:out@example.com>"},
    {"Auto-Submitted": "no"},
    {"Auto-Submitted": "No ; because=person"},
    {"Auto-Submitted": "auto-forwarded"},
    {"X-Autoreply": "no"},
    {"X-Loop": "ada@example.com"},
    {"From": '"No Reply" <ada@example.com>'},
    {"From": '"noreply@example.com" <ada@example.com>'},
    {"From": '"Mail Delivery System" <ada@example.com>'},
    {"From": "Ada <ada+noreply@example.com>"},
    {"From": "Ada <ada+confirm@example.com>"},
    {"From": "Ada <ada+bounces@example.com>"},
    {"From": "Ada <ada-request.for-peace@example.com>"},
    {"From": "The Postmaster <postmaster@example.com>"},
    {"From": "Root <root@example.com>"},
    {"From": "Robot Smith <robot@example.com>"},
    {"From": "Ada <daemon@example.com>"},
    {"From": "Ada via Tugs <tugs@lists.example.net>", "Reply-To": "ada@example.com", "X-Original-From": "Ada"},
    {"Sender": "bounce-1234@relay.example.net", "Return-Path": "<bounce-1234@relay.example.net>"},
    {"Return-Path": "<prvs=1234abcd=ada@example.com>"},
    {"Return-Path": "<SRS0=abcd=xy=example.com=ada@relay.example.net>"},
    {"Return-Path": "<bounces+77-ada=example.com@relay.example.net>"},
    {"X-MS-Exchange-Generated-Message-Source": "Mailbox Rules Agent"},
    {"X-MS-Exchange-Inbox-Rules-Loop": "ada@example.com"},
    {"Importance": "high", "Disposition-Notification-To": "ada@example.com", "Return-Receipt-To": "ada@example.com"},
    {"X-Mailer": "PHPMailer 6.9.1"},
    {"X-Failed-Login": "0", "X-Virus-Scanned": "clamav", "X-Spam-Status": "No"},
    {"Content-Type": 'text/plain; charset="utf-8"; format=flowed', "Precedence": "normal"},
)
"""Headers that servers, relays and people put on a person's mail."""

NEEDS_AN_ANSWER: tuple[dict[str, str], ...] = (
    {"Return-Path": "<>"},
    {"Return-Path": "<>", **THUNDERBIRD},
    {"Precedence": "bulk", "Feedback-ID": "1.eu-west-1.abc:AmazonSES", "X-Auto-Response-Suppress": "All"},
)
"""Headers of a person behind a broken mail server; believed in an answer, or with the name of a client."""


def _parts(kind: str, *parts: tuple[str, str]) -> dict[str, str]:
    body = "".join(f"--xx\nContent-Type: {which}\n\n{text}\n" for which, text in parts)
    return {"Content-Type": f'{kind}; boundary="xx"', "body": f"{body}--xx--\n"}


RETURNED = (
    "From: arena@example.org\nTo: bo@example.net\nSubject: [tide-1] Tide 1\nMessage-ID: <x@example.org>\n\nTIDE 1\n"
)
REPORT = (
    "This is the mail system at host mx.example.net.\n\n<bo@example.net>: host mx.example.net said:\n"
    "    550 5.1.1 User unknown (in reply to RCPT TO command)\n"
)
STATUS = (
    "Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; bo@example.net\nAction: failed\nStatus: 5.1.1\n"
)

SHAPES: tuple[dict[str, str], ...] = (
    {"Subject": "Fwd: Undelivered Mail Returned to Sender", "body": f"Look what I got:\n\n{REPORT}"},
    {"Subject": "Is Bo gone?", "body": f"My press to Bo came back.\n\n{REPORT}\n{STATUS}"},
    {
        "Subject": "Fwd: Undelivered Mail",
        **_parts("multipart/mixed", ("text/plain", "see below"), ("message/rfc822", RETURNED)),
    },
    {
        "Subject": "bounce attached",
        **_parts("multipart/mixed", ("text/plain", "bid 3"), ("message/delivery-status", STATUS)),
    },
    {
        "Subject": "Fwd: failure notice",
        **_parts("multipart/mixed", ("text/plain", REPORT), ("text/rfc822-headers", RETURNED)),
    },
    {
        "Subject": "Meet for the tide?",
        **_parts(
            "multipart/alternative",
            ("text/plain", "bid 3"),
            ('text/calendar; method="REQUEST"', "BEGIN:VCALENDAR\nEND:VCALENDAR"),
        ),
    },
    {"Subject": "my day", **_parts("multipart/mixed", ("text/plain", "bid 3"), ("text/calendar", "BEGIN:VCALENDAR"))},
    {"Subject": "Re: [tide-1] Tide 1", "body": "> Auto-Submitted: auto-generated\n> Precedence: bulk\n\nbid 3\n"},
    {"Subject": "headers", "body": "Auto-Submitted: auto-replied\nX-Autoreply: yes\nbid 3\n"},
    {"Subject": "Re: [tide-1] Tide 1", "body": "I am out of office until Friday, so:\nbid 3\n"},
    {"Subject": "signed", **_parts('multipart/signed; protocol="application/pgp-signature"', ("text/plain", "bid 3"))},
    {"Subject": "digest", **_parts("multipart/digest", ("message/rfc822", RETURNED))},
)
"""Mails of people that hold what machines send."""


def people() -> Iterator[tuple[str, bytes]]:
    """Yield each mail of a person with what is odd about it."""
    for text in SUBJECTS:
        yield f"subject {text!r}", mail(Subject=text)
        answer = text if text.lower().startswith(("re:", "aw:", "antw:")) else f"Re: {text}"
        yield f"answer {answer!r}", mail(Subject=answer, **ANSWER)
        yield f"client and subject {text!r}", mail(Subject=text, **(PHONE if len(text) % 2 else THUNDERBIRD))
    for odd in HEADERS:
        yield f"{odd}", mail(**{"Subject": "my bid", **odd})
        yield f"answer {odd}", mail(**odd, **ANSWER)
    for odd in NEEDS_AN_ANSWER:
        yield f"answer {odd}", mail(**odd, **ANSWER)
    yield "null sender, client", mail(**{"Subject": "bid", "Return-Path": "<>", **PHONE})
    for shape in SHAPES:
        headers = {name: value for name, value in shape.items() if name != "body"}
        yield f"shape {shape['Subject']!r}", mail(shape.get("body", "bid 3\n"), **headers)
