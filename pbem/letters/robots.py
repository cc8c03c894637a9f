"""Signs of robots: words of their subjects in many languages, headers, senders; data alone."""

import re

_AUTOMATIC = """
automatic reply|auto[- ]?reply|auto[- ]?response|automatic response|automated (?:reply|response)|autoresponse
out[- ]of[- ](?:the[- ])?office auto[- ]?reply|vacation auto[- ]?reply|auto[- ]?responder|vacation (?:reply|message)
(?:automatische )?abwesenheits(?:notiz|meldung|nachricht|antwort|assistent)|automatische (?:antwort|rückmeldung)
(?:ré|re)ponse automati(?:que|sée)|message automatique|(?:ré|re)ponse d.absence|notification d.absence
respuesta autom[aá]tica|resposta autom[aáà]tica|mensagem autom[aá]tica|risposta automatica|messaggio automatico
automatisch (?:antwoord|bericht)|automatische beantwoording|afwezigheids(?:bericht|melding)
autosvar|automatis[kt]+ svar|frånvaromeddelande|fraværs(?:melding|besked|assistent)
automaattinen vastaus|poissaolo(?:viesti|ilmoitus)
odpowiedź automatyczna|automatyczna odpowiedź|autoodpowiedź|automatická odpov[eě][dď]
automatikus válasz|răspuns automat|otomatik (?:yanıt|cevap)|automatski odgovor|samodejni odgovor
automatinis atsakymas|automātiskā atbilde|automaatne vastus|balasan otomatis|trả lời tự động
автоответ(?:чик)?|автоматический ответ|автоматическое уведомление|автоматична відповідь|автовідповідь
автоматичен отговор|αυτόματη απάντηση|מענה אוטומטי|תשובה אוטומטית|رد تلقائي|ตอบกลับอัตโนมัติ
自動(?:応答|返信|回覆|答覆)|自动(?:回复|答复)|不在(?:通知|返信)|자동 ?(?:회신|응답|답장)|부재중 자동
"""
"""What nobody writes above a mail of their own: that it is automatic."""

_AWAY = """
auto|out[- ]of[- ](?:the[- ])?office|ooo|away(?: from (?:my )?(?:mail|office|desk))?|(?:on )?(?:annual )?leave
absen(?:ce|t)|(?:on |i am on )?(?:vacation|holidays?)|absence du bureau|en congés?|congés?|vacances|absen(?:te|ce) du
(?:im )?urlaub|abwesen(?:d|heit)|nicht im büro|außer haus|ich bin nicht im büro
fuera de (?:la )?oficina|de vacaciones|ausen(?:te|cia)|fora do escritório|(?:em |de )?férias|assen(?:te|za)
(?:in )?ferie|fuori (?:sede|ufficio)|(?:ik ben )?afwezig|niet aanwezig|(?:op )?vakantie|semester|frånvarande
ej på kontoret|ikke på kontoret|fraværende|(?:på )?ferie|lomalla|poissa|nieobecność|poza biurem|(?:na )?urlop(?:ie)?
mimo kancelář|dovolená|szabadság(?:on)?|(?:в )?отпуске?|(?:меня )?нет на месте|вне офиса|不在|休暇|外出中?|休假|부재중
read|not read|gelesen|ungelesen gelöscht|lu|le[íi]do|letto|gelezen|läst|lido|прочитано|开封済み|開封済み|已读|已讀
accepted|declined|tentative|zugesagt|abgesagt|accepté|refusé|aceptado|rechazado|accettato|geaccepteerd
"""
"""What a robot writes before the subject that it answers; and a person may write as a whole subject."""

_FAILED = """
undeliver(?:able|ed)|undelivered mail returned to sender|returned mail|failure notice|failed mail|mail failure
(?:mail )?delivery (?:has |is )?(?:failed|failure|problem|report|status|delayed|unsuccessful|incomplete|error)
delivery (?:status )?notification|mail delivery (?:failed|failure|system|subsystem|error|problem)|delayed mail
warning: (?:could not send message|message .{1,40} delayed)|(?:e-?)?mail not delivered|message (?:not delivered|delayed)
non[- ]?delivery (?:report|notification)|user unknown|mailbox (?:full|unavailable|is full)|over quota
unzustellbar|nicht zustellbar|zustellung fehlgeschlagen|mail konnte nicht zugestellt werden|zustellungsverzögerung
non (?:remis|distribu(?:é|able))|échec de (?:la )?(?:remise|livraison)|message non distribué|avis de non[- ]remise
no se (?:puede|ha podido) entregar|correo no entregado|não (?:é possível entregar|entregue)|falha na entrega
mancata consegna|impossibile recapitare|non recapitabile|onbestelbaar|niet bezorgd
kan (?:inte|ikke) (?:levereras|leveres)|ej levererat|ikke levert|nie można dostarczyć|nie dostarczono
nedoručiteln|nelze doručit|kézbesíthetetlen|teslim edilemedi
не (?:доставлено|удалось доставить)|недоставлен(?:ное|о)|配信(?:不能|エラー)
配達不能|未(?:送达|送達)|退信|无法送达
"""
_CHALLENGE = r"""
(?:sender|email|e-mail|address) (?:verification|confirmation)|verification required|confirmation required
(?:please )?(?:confirm|verify) (?:your (?:message|e-?mail|mail|identity|address)|that you are|you are)
your (?:e-?mail|message|mail) (?:to \S+ )?(?:requires|needs|awaits|is (?:awaiting|waiting|being held)|has been held)
action required.{0,20}your (?:e-?mail|message)|merci de vous authentifier|authentification requise
bitte bestätigen sie ihre (?:nachricht|e-?mail)|confirme su (?:mensaje|correo)|are you human
"""
_LINES = {"automatic": _AUTOMATIC, "away": _AWAY, "failed": _FAILED, "challenge": _CHALLENGE}
_WORDS = {name: "|".join(line.strip() for line in text.strip().split("\n")) for name, text in _LINES.items()}

AWAY = re.compile(rf"\W{{0,3}}(?:{_WORDS['away']})(?!\w)", re.IGNORECASE)
FAILED = re.compile(rf"\W{{0,5}}(?:{_WORDS['failed']})", re.IGNORECASE)
CHALLENGE = re.compile(rf"\W{{0,3}}(?:{_WORDS['challenge']})(?!\w)", re.IGNORECASE)
REPLY = re.compile(
    r"\W{0,2}(?:re|aw|antw|sv|vs|r|rif|ref|res|odp|отв?|回复|回覆|返信|답장)\s*(?:\[\d+\])?\s*[:：]", re.IGNORECASE
)

_COLON = r"\s*[\])】」]?\s*[:：\-–—]"
_SAYS_SO = re.compile(rf"\W{{0,3}}(?:{_WORDS['automatic']})(?:{_COLON}|\s*[\])】]|\s*$|\s*\()", re.IGNORECASE)
_BEFORE = re.compile(
    rf"\W{{0,3}}(?:{_WORDS['away']})(?:{_COLON}\s*(?:.{{0,40}}\[|(?:re|aw|sv|tr|rv)\s*:)|\s+re\s*:)", re.IGNORECASE
)

HEADER = re.compile(
    r"x-(?:[\w-]{0,40}-)?(?:auto-?(?:reply|respon[ds]e?r?|generated|submitted)|vacation|machine-?generated)(?:-from)?"
    r"|x-list-administrivia|x-tmda-\w+(?:-\w+)*|x-challenge(?:-response)?|x-spamarrest-?\w*|x-boxbe-\w+(?:-\w+)*"
    r"|x-mailinblack\w*|x-arf|x-arf-type"
)
"""Headers that only robots write."""

SERVER = ("x-auto-response-suppress", "x-loop")
RELAY = ("feedback-id", "list-unsubscribe", "x-ses-outgoing", "x-bulkmail")
"""
Headers of robots that a person's mail may have got on its way, from its server or from a relay.

Exchange puts X-Auto-Response-Suppress on its automatic replies, but it says only that none are wanted, and some
servers put it on all that goes out; relays for bulk mail put a Feedback-ID on whatever they carry.
"""

DAEMON = re.compile(r"(?:mailer-?daemon|mail-?daemon|mdaemon|microsoftexchange[0-9a-f]+)[@+]")
POSTMASTER = re.compile(r"(?:postmaster|mail-?admin|mailmaster|owner-[\w-]+)[@+]")
SENDER = re.compile(
    r"(?:(?:no-?_?reply|no\.reply|do-?_?not-?_?reply|nepasrepondre|autoreply|auto-reply|auto-?responder|autoresponse"
    r"|listserv|listmaster|majordomo|mailman|sympa|mlmmj|ezmlm)(?:\+[\w.=-]+)?"
    r"|[\w.-]+-(?:bounces?|request|confirm|unsubscribe|subscribe)|[\w.-]+[-+](?:confirm|confsub|bounces?)\+[\w.=-]+)@"
)
"""Addresses that say of themselves that nobody reads what is sent there, or belong to list software."""

CALENDAR = re.compile(
    r"\s*text/calendar\b.*\bmethod\s*=\s*\"?(?:reply|counter|declinecounter)\b", re.IGNORECASE | re.DOTALL
)

CLIENT = re.compile(
    r"thunderbird|apple mail|iphone mail|ipad mail|microsoft (?:office )?outlook|outlook express|k-?9|mutt|alpine"
    r"|pine\b|kmail|evolution|claws|sylpheed|roundcube|squirrelmail|horde|the bat|em client|gnus|mailmate|seamonkey"
    r"|trojita|geary|fairemail|aqua mail|bluemail|spark|airmail|postbox|nylas|mailspring|pegasus|eudora|foxmail"
    r"|opera mail|windows (?:live )?mail|becky|yahoo ?mail|webmail|rainloop|snappymail|sogo|open-?xchange|group-?office"
    r"|afterlogic|protonmail|tutanota|fastmail|newton|canary|vivaldi|delta ?chat|samsung|blackberry|nmh|\bmh-"
    r"|heirloom|s-nail|mu4e|notmuch|wanderlust|interlink|betterbird|zimbra \d|lotus notes release|mailbird"
    r"|novell groupwise",
    re.IGNORECASE,
)
"""Programs that people write mail with, as they name themselves."""
CLIENT_NAMED = ("user-agent", "x-mailer", "x-newsreader")


def subject(text: str, *, answers: bool) -> str:
    """Return the words of a subject that only a robot writes, or ""; in an answer it puts words before ours."""
    found = _SAYS_SO.match(text) or (answers and _BEFORE.match(text))
    return text[:80] if found else ""


_OURS = re.compile(r"\[[a-z0-9][a-z0-9-]{0,31}(?: [a-z2-7]{16})?\] \S")
_PREFIX = re.compile(r"\s*(?:\w{1,5}\.?(?:\[\d+\])? ?[:：]|\[[A-Z]+\])\s*")


def is_plain_subject(text: str) -> bool:
    """
    Say whether a subject may be that of a letter of ours, with no more before it than `Re:`, in whatever language.

    What answers by itself puts its own words before a subject, or in its place; a person seldom does. No words at all,
    and an answer to something else, say nothing of either.
    """
    if not re.search(r"\w", text) or REPLY.match(text):
        return True
    while found := _PREFIX.match(text):
        text = text[found.end() :]
    return bool(_OURS.match(text))


def quotes_subject(text: str) -> bool:
    """Say whether the subject of a letter of ours stands anywhere in another."""
    return _OURS.search(text) is not None
