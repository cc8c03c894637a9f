"""Mail of machines: bounces, automatic replies, lists, receipts and reports, written from the formats."""

from collections.abc import Iterator

from tests.letters.people_mail import ANSWER, RETURNED, mail

WHO = "bo@example.net"
NULL = {"Return-Path": "<>"}


def report(
    *,
    sender: str,
    subject: str,
    text: str,
    action: str = "failed",
    status: str = "5.1.1",
    returned: str = RETURNED,
    recipient: str = WHO,
    how: str = "message/rfc822",
    **more: str,
) -> bytes:
    """Write a delivery status notification. Rule: RFC 3464."""
    fields = (
        f"Reporting-MTA: dns; mx.example.net\nArrival-Date: Mon, 23 Nov 2026 12:00:00 +0000\n\n"
        f"Final-Recipient: rfc822; {recipient}\nOriginal-Recipient: rfc822;{recipient}\n"
        f"Action: {action}\nStatus: {status}\nDiagnostic-Code: smtp; 550 {status} no such user\n"
    )
    body = (
        f"This is a MIME-encapsulated message.\n\n--xx\nContent-Description: Notification\nContent-Type: text/plain\n\n"
        f"{text}\n--xx\nContent-Type: message/delivery-status\n\n{fields}\n--xx\nContent-Type: {how}\n\n{returned}\n--xx--\n"
    )
    kind = 'multipart/report; report-type=delivery-status; boundary="xx"'
    given = {"From": sender, "Subject": subject, "Content-Type": kind, **NULL, **more}
    return mail(body, **given)


POSTFIX = (
    f"This is the mail system at host mx.example.net.\n\nI'm sorry to have to inform you.\n\n<{WHO}>: User unknown"
)
GMAIL = f"** Address not found **\n\nYour message wasn't delivered to {WHO} because the address couldn't be found."

REPORTS: tuple[tuple[str, bool, bytes], ...] = tuple(
    (name, action in ("failed", "error"), report(sender=sender, subject=subject, text=text, action=action, status=status, **more))
    for name, sender, subject, text, action, status, more in (
        ("Postfix", "MAILER-DAEMON@mx.example.net (Mail Delivery System)", "Undelivered Mail Returned to Sender", POSTFIX, "failed", "5.1.1", {"Auto-Submitted": "auto-replied"}),
        ("Postfix delay", "MAILER-DAEMON@mx.example.net (Mail Delivery System)", "Delayed Mail (still being retried)", POSTFIX, "delayed", "4.4.1", {"Auto-Submitted": "auto-replied"}),
        ("Postfix headers", "MAILER-DAEMON@mx.example.net", "Undelivered Mail Returned to Sender", POSTFIX, "failed", "5.4.4", {"how": "text/rfc822-headers"}),
        ("Exim 4.9", "Mail Delivery System <Mailer-Daemon@mx.example.net>", "Mail delivery failed: returning message to sender", "This message was created automatically by mail delivery software.", "failed", "5.0.0", {"X-Failed-Recipients": WHO, "Auto-Submitted": "auto-replied"}),
        ("sendmail", "Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>", "Returned mail: see transcript for details", "----- The following addresses had permanent fatal errors -----", "failed", "5.1.1", {"Auto-Submitted": "auto-generated (failure)"}),
        ("sendmail delay", "Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>", "Warning: could not send message for past 4 hours", "** THIS IS A WARNING MESSAGE ONLY **", "delayed", "4.4.1", {"Auto-Submitted": "auto-generated (warning-timeout)"}),
        ("Exchange", "postmaster@example.net", "Undeliverable: [tide-1] Tide 1", "Delivery has failed to these recipients or groups:", "failed", "5.1.10", {"X-Auto-Response-Suppress": "All", "Auto-Submitted": "auto-replied"}),
        ("Exchange hex", "MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.net", "Undeliverable: [tide-1] Tide 1", "Delivery has failed", "failed", "5.7.1", {}),
        ("Office 365 delay", "postmaster@example.net", "Delivery delayed:[tide-1] Tide 1", "Delivery is delayed to these recipients", "delayed", "4.4.7", {"X-MS-Exchange-Message-Is-Ndr": ""}),
        ("Office 365 quota", "postmaster@example.net", "Undeliverable: [tide-1] Tide 1", "The recipient's mailbox is full", "failed", "5.2.2", {}),
        ("Gmail", "Mail Delivery Subsystem <mailer-daemon@googlemail.example>", "Delivery Status Notification (Failure)", GMAIL, "failed", "5.1.1", {"X-Failed-Recipients": WHO, "Auto-Submitted": "auto-replied"}),
        ("Gmail delay", "Mail Delivery Subsystem <mailer-daemon@googlemail.example>", "Delivery Status Notification (Delay)", GMAIL, "delayed", "4.4.1", {"Auto-Submitted": "auto-replied"}),
        ("Yahoo report", "MAILER-DAEMON@yahoo.example", "Failure Notice", "Sorry, we were unable to deliver your message", "failed", "5.0.0", {}),
        ("Amazon SES", "MAILER-DAEMON@eu-west-1.ses.example", "Delivery Status Notification (Failure)", "An error occurred while trying to deliver the mail", "failed", "5.1.1", {}),
        ("Mailgun", "Mail Delivery System <bounce+1@mg.example.net>", "Undelivered Mail Returned to Sender", "could not be delivered", "failed", "5.0.0", {}),
        ("German", "MAILER-DAEMON@mx.example.net", "Unzustellbar: [tide-1] Tide 1", "Zustellung fehlgeschlagen", "failed", "5.1.1", {}),
        ("OpenSMTPD", "Mailer Daemon <MAILER-DAEMON@mx.example.net>", "Delivery status notification: error", "Hi!", "error", "5.0.0", {}),
        ("over quota", "MAILER-DAEMON@mx.example.net", "Undelivered Mail Returned to Sender", "mailbox is over quota", "failed", "4.2.2", {}),
        ("expired", "MAILER-DAEMON@mx.example.net", "Undelivered Mail Returned to Sender", "delivery time expired", "failed", "4.4.7", {}),
        ("delivered", "postmaster@example.net", "Delivered: [tide-1] Tide 1", "Your message has been delivered", "delivered", "2.0.0", {}),
        ("relayed", "postmaster@example.net", "Relayed: [tide-1] Tide 1", "Delivery complete, no notification was sent", "relayed", "2.0.0", {}),
    )
)  # fmt: skip

QMAIL = (
    "Hi. This is the qmail-send program at mx.example.net.\nI'm afraid I wasn't able to deliver your message to the "
    f"following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<{WHO}>:\n"
    f"Sorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n{RETURNED}"
)
EXIM = (
    "This message was created automatically by mail delivery software.\n\nA message that you sent could not be "
    f"delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n"
    f"  {WHO}\n    unrouteable address\n\n------ This is a copy of the message, including all the headers. ------\n\n{RETURNED}"
)
EXIM_WARNING = (
    "This message was created automatically by mail delivery software.\nA message that you sent has not yet been "
    f"delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\n  {WHO}\n\n"
    "No action is required on your part.\n"
)
YAHOO = (
    f"Sorry, we were unable to deliver your message to the following address.\n\n<{WHO}>:\nRemote host said: 550 5.1.1\n\n"
    f"--- Below this line is a copy of the message.\n\n{RETURNED}"
)
OLD: tuple[tuple[str, bool, bytes], ...] = (
    ("qmail", True, mail(QMAIL, From="MAILER-DAEMON@mx.example.net", Subject="failure notice", **NULL)),
    ("Exim", True, mail(EXIM, From="Mail Delivery System <Mailer-Daemon@mx.example.net>", Subject="Mail delivery failed: returning message to sender", X_Failed_Recipients=WHO, **NULL)),
    ("Exim warning", False, mail(EXIM_WARNING, From="Mail Delivery System <Mailer-Daemon@mx.example.net>", Subject="Warning: message 1abcde-000 delayed 24 hours", **NULL)),
    ("Yahoo", True, mail(YAHOO, From="MAILER-DAEMON@yahoo.example", Subject="Failure Notice", **NULL)),
    ("a gateway", True, mail(f"The following addresses had permanent fatal errors\n{WHO}\n", From="System Administrator <postmaster@example.net>", Subject="Undeliverable: [tide-1] Tide 1", **NULL)),
    ("a gateway without a null sender", True, mail(f"------ Failed Recipients ------\n<{WHO}>: no such user\n-------- Returned Mail --------\n", From="gateway@example.net", Subject="Undeliverable: [tide-1] Tide 1", Return_Path="<gateway@example.net>")),
    ("quota", False, mail("The mailbox is full.\n", From="MAILER-DAEMON@mx.example.net", Subject="Mailbox full", **NULL)),
    ("nothing but a subject", False, mail("?\n", From="System <postmaster@example.net>", Subject="Delivery failure", **NULL)),
)  # fmt: skip


def bounces() -> Iterator[tuple[str, bool, bytes]]:
    """Yield bounces: the server that wrote it, whether it says that the letter failed for good, and the mail."""
    yield from REPORTS
    yield from OLD


VACATIONS = (
    ("Automatic reply: [tide-1] Tide 1", "I am out of the office until 3 January."),
    ("Auto: [tide-1] Tide 1", "I am away."),
    ("Out of Office: [tide-1] Tide 1", "I am away."),
    ("Out of office Re: [tide-1] Tide 1", "I am away."),
    ("Abwesenheitsnotiz: [tide-1] Tide 1", "Ich bin bis zum 3. Januar nicht im Büro."),
    ("Automatische Antwort: [tide-1] Tide 1", "Ich bin nicht da."),
    ("Réponse automatique : [tide-1] Tide 1", "Je suis absent."),
    ("Absence du bureau : Re: [tide-1] Tide 1", "Je suis absent."),
    ("Respuesta automática: [tide-1] Tide 1", "Estoy fuera de la oficina."),
    ("Resposta automática: [tide-1] Tide 1", "Estou de férias."),
    ("Risposta automatica: [tide-1] Tide 1", "Sono in ferie."),
    ("Automatisch antwoord: [tide-1] Tide 1", "Ik ben afwezig."),
    ("Autosvar: [tide-1] Tide 1", "Jag är på semester."),
    ("Automatisk svar: [tide-1] Tide 1", "Jeg er på ferie."),
    ("Automaattinen vastaus: [tide-1] Tide 1", "Olen lomalla."),
    ("Odpowiedź automatyczna: [tide-1] Tide 1", "Jestem na urlopie."),
    ("Automatická odpověď: [tide-1] Tide 1", "Nejsem v kanceláři."),
    ("Автоответ: [tide-1] Tide 1", "Я в отпуске."),
    ("自動返信: [tide-1] Tide 1", "休暇中です。"),
    ("自动回复: [tide-1] Tide 1", "我正在休假。"),
    ("자동 회신: [tide-1] Tide 1", "휴가 중입니다."),
)
"""Vacation robots in many languages: subject and text."""

DECLARED: tuple[dict[str, str], ...] = (
    {"Auto-Submitted": "auto-replied"},
    {"Auto-Submitted": "auto-replied (vacation)", "Precedence": "bulk", **NULL},
    {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"},
    {"X-Autoreply": "yes", "Precedence": "bulk"},
    {"X-Autorespond": "[tide-1] Tide 1"},
    {"X-Auto-Reply-From": "ada@example.com", "X-AutoReply": "yes"},
    {"Precedence": "auto_reply"},
)
"""Headers by which vacation robots declare themselves."""

BARE: tuple[dict[str, str], ...] = (
    {"Precedence": "junk", **NULL, "Subject": "away from my mail"},
    {"Precedence": "bulk", "Subject": "Out of office"},
    {"Precedence": "bulk", "Subject": "Re: [tide-1] Tide 1", **NULL, **ANSWER},
    {**NULL, "Subject": "gone fishing"},
    {**NULL, "X-Loop": "ada@example.com", "Subject": "Re: [tide-1] Tide 1", **ANSWER},
)
"""Vacation robots that only hint at what they are."""

UNKNOWABLE: tuple[dict[str, str], ...] = (
    {"Subject": "Re: [tide-1] Tide 1", **ANSWER},
    {"Subject": "I am on holiday"},
    {"Subject": "Re: [tide-1] Tide 1", **NULL, **ANSWER},
    {"Subject": "Your email to ada@example.com", "From": "Gatekeeper <gate@example.net>"},
)
"""Robots whose mail no header tells from a person's."""

OTHERS: tuple[tuple[str, dict[str, str]], ...] = (
    ("read receipt", {"Content-Type": 'multipart/report; report-type=disposition-notification; boundary="xx"', "Subject": "Read: [tide-1] Tide 1"}),
    ("read receipt, plain", {"Subject": "Read: [tide-1] Tide 1", **ANSWER}),
    ("abuse report", {"Content-Type": 'multipart/report; report-type=feedback-report; boundary="xx"', "Subject": "complaint about message", "From": "fbl@example.net"}),
    ("calendar's answer", {"Content-Type": "text/calendar; charset=utf-8; method=REPLY", "Subject": "Accepted: [tide-1] Tide 1"}),
    ("calendar's counter", {"Content-Type": 'text/calendar; method="COUNTER"', "Subject": "New Time Proposed"}),
    ("list post", {"List-Id": "Tugs <tugs.lists.example.net>", "List-Post": "<mailto:tugs@lists.example.net>", "Precedence": "list"}),
    ("list post of mlmmj", {"Precedence": "list", "List-Post": "<mailto:tugs@lists.example.net>"}),
    ("list by precedence", {"Precedence": "list"}),
    ("old list", {"X-Mailing-List": "tugs@lists.example.net"}),
    ("list welcome", {"From": "tugs-request@lists.example.net", "Subject": 'Welcome to the "Tugs" mailing list', "X-List-Administrivia": "yes", "Precedence": "bulk"}),
    ("list confirm", {"From": "tugs-confirm+0a1b2c@lists.example.net", "Subject": "confirm 0a1b2c3d"}),
    ("moderation hold", {"From": "tugs-bounces@lists.example.net", "Subject": "Your message to Tugs awaits moderator approval", "Precedence": "bulk"}),
    ("moderation hold of mlmmj", {"From": "tugs+bounces+1@lists.example.net", "Subject": "Message submitted to tugs"}),
    ("listserv", {"From": "LISTSERV@lists.example.net", "Subject": "Output of your job"}),
    ("majordomo", {"From": "Majordomo@lists.example.net", "Subject": "Majordomo results"}),
    ("TMDA", {"X-TMDA-Fingerprint": "abc", "Subject": "Please confirm your message", "Auto-Submitted": "auto-replied"}),
    ("challenge", {"X-Challenge": "yes", "Subject": "Please confirm your message"}),
    ("challenge, bulk", {"Subject": "Please confirm your message", "Precedence": "junk"}),
    ("challenge, null", {"Subject": "Verification required", **NULL}),
    ("challenge by noreply", {"From": "noreply@gate.example.net", "Subject": "Are you human?"}),
    ("notification", {"From": "noreply@example.net", "Subject": "You have 3 new messages"}),
    ("notification, no-reply", {"From": "No Reply <no-reply@example.net>", "Subject": "Your order"}),
    ("notification with a tag", {"From": "noreply+abc@example.net", "Subject": "Activity"}),
    ("cron", {"From": "Cron Daemon <root@example.net>", "Subject": "Cron <root@host> test", "Auto-Submitted": "auto-generated"}),
    ("newsletter", {"Precedence": "bulk", "List-Unsubscribe": "<mailto:out@example.net>", "Subject": "News"}),
    ("newsletter of a list", {"List-Id": "<news.example.net>", "Feedback-ID": "1:2:3:x", "Subject": "News"}),
    ("notified", {"Auto-Submitted": "auto-notified; owner-email=ada@example.com", "Subject": "new mail"}),
    ("another arena", {"X-Pbem-Letter": "ember-7.3.report.ada.abcdefghijklmnop", "Subject": "[ember-7] Round 2"}),
)  # fmt: skip


def others() -> Iterator[tuple[str, bytes]]:
    """Yield machine mail that is no bounce."""
    for subject, text in VACATIONS:
        yield f"vacation {subject}, declared", mail(text, Subject=subject, **DECLARED[len(subject) % len(DECLARED)])
        yield f"vacation {subject}, bare", mail(text, Subject=subject, **ANSWER)
    for headers in DECLARED:
        yield f"{headers}", mail("I am away.", **{"Subject": "Re: [tide-1] Tide 1", **headers, **ANSWER})
    for headers in (*BARE, *UNKNOWABLE):
        yield f"{headers}", mail("I am away.", **headers)
    for name, headers in OTHERS:
        yield name, mail("Something.", **headers)
