"""What mail programs write around a quotation that is no letter of ours, in many languages; words alone."""

import re

from mailparser_reply.constants import MAIL_LANGUAGES

# We use mail-parser-reply's tables of languages and not its reading of whole mails, which takes 6 ms a mail and
# loses new lines: lists that begin with "- ", all after "Thanks," and what follows lines such as "To: ...".
_TABLES = [table for language, table in MAIL_LANGUAGES.items() if language != "david"]

_FROM = """
from|von|de|expéditeur|da|van|från|fra|lähettäjä|od|feladó|de la|от|від|від кого|от кого|kimden|gönderen|από|差出人|发件人
|發件人|寄件者|寄件人|보낸 사람|보낸사람|보낸이|מאת|من|saatja|từ|šalje|pošiljatelj|nuo|dari|จาก|remitente|remetente
"""
_SENT = """
sent|date|gesendet|gesendet am|datum|envoyé|envoyé le|date d'envoi|enviado|enviado el|fecha|enviada em|enviado em|enviada
|data|inviato|inviato il|verzonden|skickat|sendt|dato|lähetetty|päivämäärä|päiväys|wysłano|wysłane|odesláno|odoslané
|elküldve|küldve|dátum|trimis|отправлено|дата|надіслано|изпратено|gönderildi|gönderme tarihi|tarih|αποστολή|στάλθηκε
|ημερομηνία|送信日時|日付|日時|发送时间|发送日期|日期|時間|寄件日期|傳送時間|보낸 날짜|보낸날짜|날짜|נשלח|תאריך|تم الإرسال|التاريخ
|saadetud|kuupäev|đã gửi|ngày|poslano|poslato|nosūtīts|išsiųsta|dikirim|tanggal|ส่ง|วันที่
"""
_TO = """
to|an|à|a|pour|para|per|aan|till|til|vastaanottaja|do|komu|címzett|către|кому|до|kime|alıcı|προς|宛先|收件人|收件者|받는 사람
|받는사람|אל|إلى|adressaat|đến|prima|za|kam|kepada|ถึง
"""
_CC = """
cc|bcc|kopie|copie|copie à|copia|kopia|kopi|kopio|dw|másolat|копия|копія|bilgi|κοιν|抄送|副本|참조|עותק|نسخة|koopia
|reply-to|organization|organisation|organización|importance
"""
_SUBJECT = """
subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|tárgy|subiect|тема|относно
|konu|θέμα|件名|主题|主旨|主題|제목|נושא|الموضوع|teema|chủ đề|temats|tema|subjek|perihal|เรื่อง
"""
LABELS: dict[str, str] = {
    label.strip(): kind
    for kind, labels in (("cc", _CC), ("from", _FROM), ("sent", _SENT), ("to", _TO), ("subject", _SUBJECT))
    for label in labels.split("|")
}
"""What stands before the colon of a header, in lower case, to what it tells."""

WROTE_LINE = re.compile("|".join(table["wrote_header"] for table in _TABLES), re.IGNORECASE)

WROTE = re.compile(
    r"\b(?:wrote|writes|said|schrieb|geschrieben|schreef|écrit|escribió|escreveu|escrigué|scritto|skrev|kirjoitti|pisze"
    r"|napisała?|napsala?|napísala?|írta|scris|написала?|написав|написа|писали|пишет|пише|yazdı|έγραψε|כתב|כתבה|كتب|كتبت|بواسطة"
    r"|kirjutas|kirjutab|đã viết|napisao|napisala|napisal|rakstīja|rašė|menulis)\b|写道|寫道|작성|쓴 글|님이|のメール|書きました|เขียนว่า"
    r"|^quoting\b|^zitat von\b|^citando\b",
    re.IGNORECASE,
)
"""That somebody wrote: the verb of an attribution."""

SENT_FROM = re.compile(
    r"(?:"
    + "|".join(table["sent_from"] for table in _TABLES if table["sent_from"])
    + r"|sent (?:from|via|with|using) |get outlook for |von meinem .{1,40} gesendet|gesendet (?:von|mit|aus) "
    r"|(?:diese nachricht )?wurde von .{1,40} gesendet|outlook für .{2,9} beziehen|envoyé (?:de|avec|à partir de) "
    r"|télécharger outlook pour |enviado (?:do|desde|com|con|a partir) |obtener outlook para |obter o outlook para "
    r"|inviato (?:da|dal|con) |scarica outlook per |verstuurd vanaf |verzonden (?:vanaf|met|via) |skickat från |sendt fra "
    r"|lähetetty |wysłan[eo] z |odesláno z |odoslané z |az iphone |trimis de pe |отправлено (?:с|из) |надіслано з "
    r"|изпратено от |iphone'umdan |στάλθηκε από |iphone\s?から送信|发自|從我的|나의 .{1,30}에서 보냄|נשלח מ|تم الإرسال من "
    r"|saadetud minu |đã gửi từ |poslano s |poslato sa |dikirim dari |nosūtīts no |išsiųsta iš )"
    r".{0,60}",
    re.IGNORECASE,
)
"""What phones and web mail add below a text."""

GATE = re.compile(
    r"\W*(?:external|extern|" + "|".join(word for table in _TABLES for word in table.get("disclaimers", ())) + ")",
    re.IGNORECASE,
)
"""How the warning of a mail gate begins."""

NOTICE = re.compile(
    r"\W*(?:confidential(?:ity)?\b.{0,9}\b(?:note|notice|statement)\b|disclaimer:|legal notice\b"
    r"|this (?:e-?mail|email|message|communication)(?:,| and any| is (?:intended|confidential)| contains| may contain)"
    r"|diese e-?mail (?:enthält|kann|ist)|ce (?:message|courriel) (?:et|est|contient)|este (?:mensaje|correo)"
    r"|questo messaggio|esta mensagem|dit (?:bericht|e-mail)|the information (?:contained )?in this (?:e-?mail|message))",
    re.IGNORECASE,
)
"""How the notice of a company below its people's mail begins."""
