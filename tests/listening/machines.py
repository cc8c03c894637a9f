"""Mails of machines, and of people whose mail looks odd, drawn from how programs and people are known to write them."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import msgspec

from tests.listening.filling import filled
from tests.listening.judging import Seen, of_machine, seen
from tests.listening.said import Said
from tests.listening.scenes import WRITER, Stage

SCENES = (
    "rumble round", "rumble round, orders on hand", "brawl round", "discs turn", "discs turn, a list on hand", "rumble auction",
)  # fmt: skip
SETS = {
    "rumble round": ("attack Bob 21", "defend 52"),
    "brawl round": ("attack Bob with a damage b", "defend with c"),
    "discs turn": ("throw at Bob off north", "move to F4"),
    "rumble auction": ("bid Ink Cloud 22", "bid Flight 9"),
}
"""What people order, by the scene that they write in."""

AWAY = {
    "en": ("Automatic reply", "Out of Office", "I am out of the office until Monday."),
    "de": ("Automatische Antwort", "Abwesenheit", "Ich bin bis Montag nicht im Büro."),
    "fr": ("Réponse automatique", "Absent(e) du bureau", "Je suis absente jusqu'au 3 janvier."),
    "es": ("Respuesta automática", "Fuera de la oficina", "Estoy fuera hasta el lunes."),
    "it": ("Risposta automatica", "Fuori sede", "Sono in ferie fino al 3."),
    "pt": ("Resposta automática", "Ausência temporária", "Estou de férias até segunda."),
    "nl": ("Automatisch antwoord", "Afwezig", "Ik ben tot maandag afwezig."),
    "sv": ("Autosvar", "Frånvaro", "Jag är på semester till måndag."),
    "da": ("Automatisk svar", "Ikke til stede", "Jeg holder ferie til mandag."),
    "fi": ("Automaattinen vastaus", "Poissa toimistosta", "Olen lomalla maanantaihin asti."),
    "pl": ("Odpowiedź automatyczna", "Poza biurem", "Jestem na urlopie do poniedziałku."),
    "cs": ("Automatická odpověď", "Mimo kancelář", "Do pondělí nejsem v kanceláři."),
    "hu": ("Automatikus válasz", "Házon kívül", "Hétfőig nem vagyok elérhető."),
    "ro": ("Răspuns automat", "Plecat din birou", "Sunt în concediu până luni."),
    "tr": ("Otomatik yanıt", "Ofis dışında", "Pazartesiye kadar izinliyim."),
    "el": ("Αυτόματη απάντηση", "Εκτός γραφείου", "Λείπω ως τη Δευτέρα."),
    "ru": ("Автоматический ответ", "Вне офиса", "Я в отпуске до понедельника."),
    "uk": ("Автоматична відповідь", "Не на роботі", "Я у відпустці до понеділка."),
    "sr": ("Аутоматски одговор", "Ван канцеларије", "Одсутан сам до понедељка."),
    "mk": ("Автоматски одговор", "Надвор од канцеларија", "Отсутен сум до понеделник."),
    "ca": ("Resposta automàtica", "Fora de l'oficina", "Soc fora fins dilluns."),
    "eu": ("Erantzun automatikoa", "Bulegotik kanpo", "Astelehenera arte kanpoan nago."),
    "gl": ("Resposta automática", "Fóra da oficina", "Estou fóra ata o luns."),
    "is": ("Sjálfvirkt svar", "Ekki á skrifstofunni", "Ég er í fríi fram á mánudag."),
    "cy": ("Ateb awtomatig", "Allan o'r swyddfa", "Rydw i ar wyliau tan ddydd Llun."),
    "ga": ("Freagra uathoibríoch", "As an oifig", "Táim ar saoire go dtí an Luan."),
    "af": ("Outomatiese antwoord", "Uit die kantoor", "Ek is tot Maandag weg."),
    "sq": ("Përgjigje automatike", "Jashtë zyrës", "Jam me pushime deri të hënën."),
    "ka": ("ავტომატური პასუხი", "ოფისის გარეთ", "ორშაბათამდე შვებულებაში ვარ."),
    "hy": ("Ինքնաշխատ պատասխան", "Գրասենյակից դուրս", "Արձակուրդում եմ մինչև երկուշաբթի։"),
    "fa": ("پاسخ خودکار", "خارج از دفتر", "تا دوشنبه در مرخصی هستم."),
    "ar": ("رد تلقائي", "خارج المكتب", "أنا في إجازة حتى الاثنين."),
    "he": ("תשובה אוטומטית", "מחוץ למשרד", "אני בחופשה עד יום שני."),
    "hi": ("स्वचालित उत्तर", "कार्यालय से बाहर", "मैं सोमवार तक छुट्टी पर हूँ।"),
    "th": ("ตอบกลับอัตโนมัติ", "ไม่อยู่ที่สำนักงาน", "ฉันลาพักร้อนถึงวันจันทร์"),
    "vi": ("Trả lời tự động", "Vắng mặt", "Tôi nghỉ phép đến thứ Hai."),
    "id": ("Balasan otomatis", "Di luar kantor", "Saya cuti sampai Senin."),
    "ms": ("Balasan automatik", "Di luar pejabat", "Saya bercuti hingga Isnin."),
    "sw": ("Jibu otomatiki", "Nje ya ofisi", "Niko likizo hadi Jumatatu."),
    "ja": ("自動応答", "不在", "月曜日まで休暇です。"),
    "zh": ("自动答复", "外出", "我休假到星期一。"),
    "ko": ("자동 회신", "부재 중", "월요일까지 휴가입니다."),
}
"""What programs and people say of being away: as a program's prefix, in a subject, and as a sentence."""

DECLARED = (
    "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated", "Auto-Submitted: auto-replied (vacation)",
    "X-Autoreply: yes", "X-Autorespond: {{subject}}", "Precedence: auto_reply", "X-Vacation: yes", "X-Autoresponder: 1",
    "X-Kerio-Auto-Reply: yes\nX-Mailer: Kerio Connect 9", "X-Yahoo-Vacation: 1", "X-Amazon-Auto-Reply: true",
    "X-FC-MachineGenerated: true", "X-Mail-Autoreply: 1", "X-AutoReply-From: ada@example.org",
    "X-POST-MessageClass: 9; Autoresponder", "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent\nAuto-Submitted: auto-generated",
)  # fmt: skip
"""How robots declare themselves."""
HINTED = (
    "Precedence: bulk", "Precedence: junk", "X-Auto-Response-Suppress: All", "X-Auto-Response-Suppress: DR, OOF, AutoReply",
    "X-Loop: ada@example.org", "List-Unsubscribe: <mailto:out@example.org>", "Feedback-ID: 1:2:3:x",
)  # fmt: skip
"""What robots put on their mail, and servers on that of people."""
PLAIN = (
    "X-Priority: 3",
    "X-Spam-Status: No",
    "Importance: normal",
    "Content-Language: en-GB",
    "X-Originating-IP: [192.0.2.7]",
)
CLIENTS = (
    "User-Agent: Mozilla Thunderbird", "X-Mailer: iPhone Mail (22A3370)", "X-Mailer: Microsoft Outlook 16.0", "User-Agent: K-9 Mail for Android",
    "X-Mailer: Apple Mail (2.3774)", "User-Agent: Roundcube Webmail/1.6.5", "X-Mailer: Novell GroupWise Internet Agent 18.4",
)  # fmt: skip

HEADS = (
    "{{mark}}\nFrom: The Arena <{{arena}}>\nTo: ada@example.org\nReply-To: {{reply to}}\nSubject: {{subject}}\n"
    "Message-ID: {{message id}}"
)
"""The headers of our letter, as those return them who return it."""


class Robot(NamedTuple):
    """A machine's mail, and whether it tells of a letter that failed for good, which counts as one that came back."""

    said: Said
    fails: bool = False


class _Mail(NamedTuple):
    subject: str
    body: str
    sender: str = "Ada Lovelace <ada@example.org>"
    headers: tuple[str, ...] = ()
    kind: str = "text/plain; charset=utf-8"
    path: str = ""
    fails: bool = False
    to: str = ""


def _some(chance: Random, *shares: tuple[float, str]) -> str:
    return chance.choices([what for _, what in shares], [share for share, _ in shares])[0]


def _signs(chance: Random, declared: float) -> tuple[str, ...]:
    """Draw what a robot says of itself: the most part of them something that is meant to be understood."""
    if chance.random() < declared:
        return (chance.choice(DECLARED), *chance.sample(HINTED, chance.randrange(2)))
    return tuple(chance.sample(HINTED, chance.choice((0, 1, 1, 2))))


def _returned(chance: Random, text: str, *, none: float = 0.2) -> tuple[str, str]:
    """Return our letter in one of the ways in which robots do; the type and the body."""
    how = _some(chance, (0.35, "inline"), (0.35, "attached"), (0.15, "heads"), (none, "none"), (0.1, "quoted"))
    if how == "none":
        return "text/plain; charset=utf-8", text
    if how == "quoted":
        return "text/plain; charset=utf-8", f"{text}\n\n{{{{> letter}}}}"
    if how == "inline":
        between = chance.choice(
            ("", "--- Below this line is a copy of the message.\n\n", "----- Original message -----\n\n")
        )
        return "text/plain; charset=utf-8", f"{text}\n\n{between}{HEADS}\n\n{{{{letter}}}}"
    kind, inner = (
        ("message/rfc822", f"{HEADS}\n\n{{{{letter}}}}") if how == "attached" else ("text/rfc822-headers", HEADS)
    )
    body = (
        f"--abc\nContent-Type: text/plain; charset=utf-8\n\n{text}\n\n--abc\nContent-Type: {kind}\n\n{inner}\n--abc--"
    )
    return "multipart/mixed; boundary=abc", body


def _vacation(chance: Random) -> _Mail:
    automatic, away, sentence = AWAY[chance.choice([*AWAY])]
    subject = _some(
        chance, (5, f"{automatic}: {{{{subject}}}}"), (2, f"{automatic}: Re: {{{{subject}}}}"), (2, f"{away}: {{{{subject}}}}"), (2, "Re: {{subject}}"),
        (1, automatic), (1, away), (1, f"[{automatic}] {{{{subject}}}}"), (1, f"{automatic} - {{{{subject}}}}"), (1, f"{automatic} Re: {{{{subject}}}}"),
    )  # fmt: skip
    quoted = _some(chance, (3, ""), (1, "\n\n{{> letter}}"))
    return _Mail(subject, sentence + quoted, headers=_signs(chance, 0.6))


def _office(chance: Random) -> _Mail:
    """Write as Notes, Domino and GroupWise do, which name the person."""
    who = chance.choice(("Ada Lovelace", "Ada Lovelace/Analytical", "Lovelace, Ada", "ALovelace/LON/Engine"))
    words = chance.choice(
        ("is out of the office", "ist außer Haus", "est absent(e) du bureau", "está fuera de la oficina", "è fuori ufficio",
         "está ausente do escritório", "is niet aanwezig", "är inte på kontoret", "on poissa", "jest poza biurem", "ofiste değil", "не в офисе", "は不在です"),
    )  # fmt: skip
    end = chance.choice((".", " (returning 01/03/2027)", ": {{subject}}", " until 03.01.2027.", ""))
    mailer = chance.choice(("X-Mailer: Lotus Domino Release 9.0.1", "X-Mailer: IBM Notes Release 10.0", "X-Mailer: Novell GroupWise Internet Agent 18.4", "X-Mailer: HCL Domino Release 12", "X-Notes-Item: 1; name=$AssistMail", "MIME-Version: 1.0"))  # fmt: skip
    text = "I will be out of the office starting 11/20/2026 and will not return until 01/03/2027."
    note = '\n\nNote: This is an automated response to your message "{{subject}}" sent on 11/23/2026. This is the only notification you will receive while this person is away.'
    start = chance.choice(("", "", "AUTO: "))
    return _Mail(f"{start}{who} {words}{end}", text + chance.choice((note, "")), headers=(mailer,))


_DAEMONS = (
    "MAILER-DAEMON@mx.example.net", "Mail Delivery System <Mailer-Daemon@mx.example.net>", "postmaster@example.net",
    "Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>", "System Administrator <sysadmin@example.net>", "<MAILER-DAEMON>", "MAILER-DAEMON",
    "Mail Administrator <Postmaster@mx.example.net>", "mailerdaemon@mx.example.net", "Mail.Delivery@mx.example.net", "root@mx.example.net", "Mailsystem <mail@example.net>",
)  # fmt: skip


def _failure(chance: Random) -> _Mail:
    """Write as servers do that send no report in the standard form."""
    subject = chance.choice(
        ("failure notice", "Mail delivery failed: returning message to sender", "Undeliverable: {{subject}}", "Returned mail: see transcript for details", "Mail System Error - Returned Mail",
         "Undeliverable mail", "NOTICE: mail delivery status.", "Permanent Delivery Failure", "Nondeliverable mail", "Message undeliverable: {{subject}}", "Nedoručitelná pošta: {{subject}}",
         "Unzustellbar: {{subject}}", "Não entregue: {{subject}}", "Kan ikke leveres: {{subject}}", "Your message could not be delivered"),
    )  # fmt: skip
    late = chance.random() < 0.3
    who = _some(chance, (4, "ada@example.org"), (1, "ada.private@forwarded.example.net"))
    text = (
        f"This is only a warning. Your message to {who} has not been delivered for 4 hours; it will be retried."
        if late
        else chance.choice(
            (f"Hi. This is the qmail-send program at mx.example.net.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<{who}>:\nSorry, no mailbox here by that name. (#5.1.1)",
             f"This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  {who}\n    No such user here",
             f"The following addresses had permanent fatal errors\n<{who}>\n", f"Your message to {who} was refused by policy 17.", "The mail could not be delivered."),
        )
    )  # fmt: skip
    kind, body = _returned(chance, text)
    fails = not late and who == WRITER
    to = chance.choice(("{{arena}}", "{{arena}}", "{{reply to}}"))
    return _Mail(subject, body, chance.choice(_DAEMONS), (), kind, "<>" if chance.random() < 0.8 else "", fails, to)


def _carrier(chance: Random) -> _Mail:
    """Write as gateways to telephones do, which answer to Reply-To and know nothing of standards."""
    sender = chance.choice(("15550123@mms.example.net", "sms-gateway@carrier.example.net", "+15550123@text.example.net", "Messaging <5550199@tmomail.example.net>", "ada@example.org", "noreply@mms.example.net"))  # fmt: skip
    subject = chance.choice(("", "Message failed", "Undeliverable message", "MMS", "{{subject}}", "Re: {{subject}}", "Message too long", "RE:", "No subject"))  # fmt: skip
    text = chance.choice(
        ("Sorry, this phone cannot show your message.", "Your message could not be delivered.", "Message blocked: content type not supported", "Invalid recipient or handset not registered",
         "The subscriber is not available. Your message was deleted.", "Ihre Nachricht konnte nicht zugestellt werden.", "Votre message n'a pas pu être remis au 06 55 50 12 34.", "ERROR 552 size", "554 TRANSACTION FAILED"),
    )  # fmt: skip
    kind, body = _returned(chance, text)
    return _Mail(subject, body, sender, (), kind, chance.choice(("<>", "<>", "", "own")))


def _challenge(chance: Random) -> _Mail:
    sender = chance.choice(("Ada Lovelace <ada@example.org>", "ada@example.org", "gate@challenge.example.net", "SpamArrest <ada@verify.example.net>", "confirm-8fk2@gate.example.net", "Mailinblack <no-reply@mib.example.net>"))  # fmt: skip
    subject = chance.choice(
        ("Your email requires verification verify#fXq2", "Re: {{subject}} (verification)", "Please verify: {{subject}}", "spamBlocker challenge: {{subject}}", "[Confirm] {{subject}}", "Your message to ada is held: {{subject}}",
         "One-time sender check - {{subject}}", "Merci de vous authentifier : {{subject}}", "Bitte bestätigen Sie Ihre Nachricht: {{subject}}", "Verificación de remitente: {{subject}}", "Re: {{subject}}", "Action required: your message {{subject}}"),
    )  # fmt: skip
    text = chance.choice(
        ("The message you sent requires that you verify that you are a real live human being and not a spam source.\nTo complete this verification, simply reply to this message and leave the subject line intact.",
         "I apologize for this automatic reply to your email. To control spam, I now allow incoming messages only from senders I have approved beforehand.\nClick the link below: https://gate.example.net/verify?x=1",
         "Confirm that you are human: reply to this mail to have your message delivered.", "Bonjour, votre message est en attente. Cliquez ici : https://mib.example.net/x", "Ich kenne Sie noch nicht. Antworten Sie auf diese Mail."),
    )  # fmt: skip
    kind, body = _returned(chance, text, none=0.7)
    return _Mail(subject, body, sender, _signs(chance, 0.5), kind)


_DECIDED = ("Accepted", "Declined", "Tentative", "Zugesagt", "Abgelehnt", "Mit Vorbehalt", "Accepté", "Provisoire", "Aceptado", "Rechazado", "Accettato", "Geaccepteerd", "Aceito", "Zaakceptowano", "Přijato", "Hyväksytty", "Accepterat", "Принято", "承認", "已接受", "Elfogadva", "Acceptat")  # fmt: skip


def _calendar(chance: Random) -> _Mail:
    word = chance.choice(_DECIDED)
    subject = chance.choice(
        (
            f"{word}: {{{{subject}}}}",
            f"{word}: {{{{subject}}}} @ Mon 23 Nov 2026 12:00 - 13:00 (GMT) (ada@example.org)",
            f"Ada Lovelace {word.lower()}: {{{{subject}}}}",
        )
    )
    event = "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.org\nEND:VEVENT\nEND:VCALENDAR"
    text = chance.choice(("", "", "Ada Lovelace has accepted this invitation.", "ada@example.org", f"{word}"))
    how = chance.choice(("plain", "plain", "calendar", "both", "attached"))
    if how == "plain":
        return _Mail(subject, text)
    if how == "calendar":
        return _Mail(
            subject,
            event,
            kind=chance.choice(("text/calendar; method=REPLY", 'text/calendar; charset="utf-8"; method="REPLY"')),
        )
    kind = "text/calendar; charset=utf-8; method=REPLY" if how == "both" else 'application/ics; name="invite.ics"'
    body = f"--abc\nContent-Type: text/plain\n\n{text}\n\n--abc\nContent-Type: {kind}\n\n{event}\n--abc--"
    return _Mail(subject, body, kind=f"multipart/{'alternative' if how == 'both' else 'mixed'}; boundary=abc")


def _receipt(chance: Random) -> _Mail:
    word = chance.choice(("Read", "Not read", "Gelesen", "Lu", "Leído", "Letto", "Gelezen", "Læst", "Luettu", "Přečteno", "Przeczytano", "Okundu", "Прочитано", "開封済み", "已读", "Read-Receipt", "Return Receipt", "Empfangsbestätigung (angezeigt)", "Lesebestätigung", "Accusé de réception"))  # fmt: skip
    subject = chance.choice((f"{word}: {{{{subject}}}}", f"{word} - {{{{subject}}}}", f"{word}: Re: {{{{subject}}}}"))
    text = "Your message\n\n   To:  Ada Lovelace\n   Subject: {{subject}}\n   Sent: 23/11/2026 12:02\n\nwas read on 23/11/2026 12:30."
    if chance.random() < 0.5:
        return _Mail(subject, text, headers=_signs(chance, 0.3))
    fields = "Reporting-UA: mail; 1\nFinal-Recipient: rfc822;ada@example.org\nOriginal-Message-ID: {{message id}}\nDisposition: manual-action/MDN-sent-manually; displayed"
    body = f"--abc\nContent-Type: text/plain\n\n{text}\n\n--abc\nContent-Type: message/disposition-notification\n\n{fields}\n\n--abc--"
    return _Mail(subject, body, kind="multipart/report; report-type=disposition-notification; boundary=abc")


def _list(chance: Random) -> _Mail:
    sender = chance.choice(("tugs-owner@lists.example.net", "tugs-bounces@lists.example.net", "tugs-request@lists.example.net", "Listserv <listserv@lists.example.net>", "noreply@groups.example.net", "tugs+help@lists.example.net", "tugs-moderators@lists.example.net"))  # fmt: skip
    subject = chance.choice(("Your message to Tugs awaits moderator approval", "Tugs: post rejected: {{subject}}", "Re: {{subject}}", "confirm 8f2a91", "Posting error: Tugs", "Your subscription request", "Rejected posting to TUGS"))  # fmt: skip
    text = chance.choice(("Your mail with the subject '{{subject}}' is being held until the list moderator can review it.", "You are not allowed to post to this mailing list, and your message has been automatically rejected.", "We need your confirmation. Reply to this mail and keep the subject."))  # fmt: skip
    kind, body = _returned(chance, text, none=0.8)
    return _Mail(subject, body, sender, ("Precedence: bulk", *_signs(chance, 0.4)), kind)


def _ticket(chance: Random) -> _Mail:
    sender = chance.choice(("Support <support@company.example.net>", "helpdesk@example.net", "ada@example.org", "Ada Lovelace <ada@example.org>", "Service Desk <tickets+4711@desk.example.net>"))  # fmt: skip
    subject = chance.choice(
        ("[#12345] {{subject}}", "Re: {{subject}} [ref:00D.500:ref]", "Request received: {{subject}}", "[Ticket#2026112310000017] {{subject}}", "Case 00017 has been opened: {{subject}}", "Ihre Anfrage: {{subject}}",
         "Thank you for contacting us", "[JIRA] (SUP-17) {{subject}}", "Votre demande a bien été enregistrée - {{subject}}", "(Case 81) {{subject}}"),
    )  # fmt: skip
    text = chance.choice(("Hello, we have received your request and it is being reviewed by our support staff. To add comments, reply to this mail.", "##- Please type your reply above this line -##\nYour request (4711) has been received.", "Vielen Dank für Ihre Anfrage. Wir melden uns binnen 48 Stunden.", "A ticket has been opened with number 17. We will answer within 2 days."))  # fmt: skip
    kind, body = _returned(chance, text, none=1.2)
    return _Mail(subject, body, sender, _signs(chance, 0.5), kind)


def _nobody(chance: Random) -> _Mail:
    sender = chance.choice(("", "<>", "MAILER-DAEMON", "Mail Delivery System", '"Ada Lovelace"', "undisclosed", "Ada Lovelace <>", "<@>", "friends: ada@example.org;", "unknown sender <unknown>"))  # fmt: skip
    text = chance.choice(
        ("I am out of the office.", "The mail could not be delivered.", "Backup finished", "attack Bob 20")
    )
    kind, body = _returned(chance, text)
    return _Mail(chance.choice(("Re: {{subject}}", "{{subject}}", "Notice", "")), body, sender, (), kind)


def _moved(chance: Random) -> _Mail:
    sender = chance.choice(("Ada Lovelace <ada@example.org>", "ada.lovelace@new.example.net"))
    subject = chance.choice(("My address has changed: {{subject}}", "New e-mail address Re: {{subject}}", "Neue E-Mail-Adresse: {{subject}}", "Nouvelle adresse : {{subject}}", "Change of address", "Address change notification - {{subject}}"))  # fmt: skip
    text = chance.choice(("My new address is ada.lovelace@new.example.net. Your mail has been forwarded there.", "This mailbox is not read any more. Please write to ada.lovelace@new.example.net.", "Diese Adresse wird nicht mehr gelesen."))  # fmt: skip
    return _Mail(subject, text, sender, _signs(chance, 0.5))


def _reaction(chance: Random) -> _Mail:
    how = chance.choice(("gmail", "outlook", "phone"))
    if how == "gmail":
        parts = (("text/plain", "👍\n\nAda Lovelace reacted via Gmail\n\n{{> letter}}"), ("text/vnd.google.email-reaction+json", '{"emoji": "👍", "version": 1}'), ("text/html", "<div>👍</div>"))  # fmt: skip
        body = "".join(f"--abc\nContent-Type: {kind}\n\n{text}\n\n" for kind, text in parts) + "--abc--"
        return _Mail("Re: {{subject}}", body, kind="multipart/alternative; boundary=abc")
    if how == "outlook":
        return _Mail("Reaction to: {{subject}}", "👍 Ada Lovelace reacted to your message:\n\n{{> letter}}")
    return _Mail(chance.choice(("Re: {{subject}}", "")), "Liked “{{subject}}”")


def _echo(chance: Random) -> _Mail:
    sender = chance.choice(("echo@example.net", "scanner@example.net", "forwarder@relay.example.net", "ada@example.org", "Ada Lovelace <ada@example.org>", "archive@company.example.net"))  # fmt: skip
    subject = chance.choice(("Re: {{subject}}", "Virus scan report: {{subject}}", "[SPAM] {{subject}}", "{{subject}}", "Fwd: {{subject}}", "Quarantine: {{subject}}"))  # fmt: skip
    text = chance.choice(("You wrote:", "No virus was found in the message below.", ".", "", "This mail was archived.", "Spam detection software has identified this incoming email as possible spam."))  # fmt: skip
    kind, body = _returned(chance, text, none=0)
    return _Mail(subject, body, sender, _signs(chance, 0.2), kind)


def _notice(chance: Random) -> _Mail:
    sender = chance.choice(("noreply@example.net", "No Reply <no-reply@shop.example.net>", "news@example.net", "Cron Daemon <root@example.net>", "notification+x1@social.example.net", "do-not-reply@example.net"))  # fmt: skip
    subject = chance.choice(
        ("News of November", "Your order 4711", "Cron <root@host> backup", "You have 3 new messages", "Security alert")
    )
    return _Mail(subject, "Something happened.", sender, (chance.choice((*DECLARED, "List-Unsubscribe: <mailto:out@example.net>\nPrecedence: bulk", "List-Id: <news.example.net>")),))  # fmt: skip


FAMILIES: dict[str, Callable[[Random], _Mail]] = {
    "out of office": _vacation, "out of office of Notes": _office, "a failure in words": _failure, "a carrier": _carrier, "a challenge": _challenge,
    "a calendar": _calendar, "a receipt": _receipt, "a list's robot": _list, "a ticket": _ticket, "without an address": _nobody,
    "a moved address": _moved, "a reaction": _reaction, "an echo": _echo, "a notice": _notice,
}  # fmt: skip
"""What sends mail by itself; every eighth mail or so is of one of them, out of office of two."""


def robots(count: int, seed: str = "robots") -> Iterator[Robot]:
    """Draw machines' mails in answer to a letter."""
    names = ["out of office", "out of office", *FAMILIES]
    for number in range(count):
        chance = Random(f"{seed} {number}")
        what = names[number % len(names)]
        mail = FAMILIES[what](chance)
        name = f"{seed} {number}: {what}: {mail.subject} from {mail.sender}"
        raw = _raw(chance, mail, number, answers=chance.random() < 0.6)
        yield Robot(Said(name=name, about=9, scene=chance.choice(SCENES), machine=what, raw=raw), mail.fails)


def _raw(chance: Random, mail: _Mail, number: int, *, answers: bool) -> str:
    own = mail.sender.rpartition("<")[2].rstrip(">") or WRITER
    path = mail.path or _some(chance, (5, "<>"), (3, "own"), (1, ""))
    head = [f"Return-Path: {f'<{own}>' if path == 'own' else path}"] if path else []
    if WRITER in mail.sender:
        head.append("Authentication-Results: mx.example.org; dmarc=pass header.from=example.org")
    if mail.sender:
        head.append(f"From: {mail.sender}")
    head += [f"To: {mail.to or '{{reply to}}'}", f"Subject: {mail.subject}", *mail.headers]
    if answers:
        head += ["In-Reply-To: {{message id}}", "References: {{message id}}"]
    head += ["Date: Mon, 23 Nov 2026 12:30:00 +0000", f"Message-ID: <drawn-{number}@example.net>"]
    head += ["MIME-Version: 1.0"] * ("MIME-Version: 1.0" not in mail.headers) + [f"Content-Type: {mail.kind}"]
    return "\n".join(head) + f"\n\n{mail.body}\n"


class Odd(NamedTuple):
    """A person's mail that looks odd, and what it orders."""

    said: Said
    orders: tuple[str, ...]


_ODD_SUBJECTS: tuple[Callable[[Random], str], ...] = (
    lambda chance: f"Re: {chance.choice([*AWAY.values()])[0]}: {{{{subject}}}}",
    lambda chance: f"{chance.choice([*AWAY.values()])[0]}: {{{{subject}}}}",
    lambda chance: chance.choice([*AWAY.values()])[1],
    lambda chance: chance.choice([*AWAY.values()])[2],
    lambda chance: f"{chance.choice(_DECIDED)}!",
    lambda chance: chance.choice(("Re: Undelivered Mail Returned to Sender", "Fwd: failure notice", "Re: Mail delivery failed", "Returned", "Read this: my orders", "I accept", "Accepted, and here is mine", "Declined")),
    lambda chance: chance.choice(("", "noreply", "(no subject)", "Vacation plans", "auto", "My ticket [#1]", "orders", "bounce!", "confirm", "Delivery", "hello robot")),
    lambda chance: f"{chance.choice(('My orders for', 'Attack!', 'Sorry for the delay', 'From my holiday', 'Urgent', '[EXT]', '[EXTERNAL]', 'WG:', 'Réponse :', 'Antwort:', 'Odp.:', 'Ynt:', 'Sv: Sv:'))} {{{{subject}}}}",
    lambda chance: "Re: {{subject}}",
    lambda chance: "Re: {{subject}}",
)  # fmt: skip
_ODD_HEADERS = (
    *HINTED, "Auto-Submitted: no", "X-Autoreply: no", "Auto-Submitted: auto-forwarded", "X-MS-Exchange-Inbox-Rules-Loop: ada@example.org", "Sender: bounce-1234@relay.example.net",
    "Disposition-Notification-To: ada@example.org", "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent", "X-SES-Outgoing: 2026.11.23-192.0.2.1",
)  # fmt: skip


def people(count: int, seed: str = "people") -> Iterator[Odd]:
    """Draw mails of people that look like a machine's in one or two ways; each orders something."""
    for number in range(count):
        chance = Random(f"{seed} {number}")
        scene = chance.choice([*SETS])
        orders = SETS[scene]
        before = chance.choice(("", "", *(f"{sentence}\n\n" for _, _, sentence in AWAY.values())))
        below = chance.choice(
            ("", "\n\n{{> letter}}", f"\n\n-----Original Message-----\n{HEADS}\n\n{{{{letter}}}}", "\n\nOn Mon, 23 Nov 2026 MAILER-DAEMON@mx.example.net wrote:\n> Sorry, no mailbox here by that name.", f"\n\n> {HEADS.replace(chr(10), chr(10) + '> ')}\n>\n{{{{> letter}}}}"),
        )  # fmt: skip
        subject = chance.choice(_ODD_SUBJECTS)(chance)
        headers = list(chance.sample(_ODD_HEADERS, chance.choice((0, 1, 1, 1))))
        is_client = chance.random() < 0.5
        if is_client:
            headers.append(chance.choice(CLIENTS))
        sender = chance.choice(
            (
                "Ada Lovelace <ada@example.org>",
                "ada@example.org",
                '"No Reply" <ada@example.org>',
                '"Automatic Ada" <ada@example.org>',
            )
        )
        path = chance.choice(
            (
                "own",
                "own",
                "own",
                "<bounces+77-ada=example.org@relay.example.net>",
                "<>" if is_client or number % 4 == 0 else "own",
            )
        )
        mail = _Mail(subject, before + "\n".join(orders) + below, sender, tuple(headers), path=path)
        is_reply = chance.random() < 0.7 or "subject" in subject
        name = f"{seed} {number}: {subject}, {headers}"
        yield Odd(Said(name=name, about=9, scene=scene, raw=_raw(chance, mail, number, answers=is_reply)), orders)


def came_of(said: Said, played: Stage) -> Seen:
    """Let a drawn mail arrive in its scene."""
    with played.lend(said.scene) as room:
        return seen(room, filled(said, room))


def is_taken_for_a_person(robot: Robot, came: Seen) -> bool:
    """Say whether something came of a machine's mail, or somebody was answered but to be asked; a failure may count."""
    assert "TROUBLE" not in came.told, came.told
    if robot.fails:
        leaks, _, *rest = came.marks
        leaks_before, returned_before, *rest_before = came.marks_before
        came = came._replace(
            marks=(leaks, returned_before, *rest), marks_before=(leaks_before, returned_before, *rest_before)
        )
    return of_machine(came) != "right"


def answers_in_a_row(robot: Robot, played: Stage, most: int = 6) -> int:
    """Let a machine answer a letter, and each that it gets for that; return how many it got, at most so many."""
    with played.lend(robot.said.scene) as room:
        for count in range(most):
            raw = robot.said.raw.replace("Message-ID: <drawn-", f"Message-ID: <again-{count}-")
            if not seen(room, filled(msgspec.structs.replace(robot.said, raw=raw), room)).answers:
                return count
    return most


def is_on_hand(odd: Odd, came: Seen) -> bool:
    """Say whether what a person ordered is on hand, whatever is asked besides."""
    return len(came.hand) == len(odd.orders)


def is_asked(came: Seen) -> bool:
    """Say whether the writer was asked to confirm."""
    return "confirm" in came.told
