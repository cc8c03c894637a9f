"""What more mail programs write above what they quote, beside `tongues`: Gmail's other languages, and other programs."""

from tests.letters.corpus.tongues import TONGUES

GMAIL = [
    "Missatge de {who} <{at}> del dia dl., 23 de nov. 2026 a les 12:02:",
    "O lun, 23 nov 2026 ás 12:02, {who} (<{at}>) escribiu:",
    "{who} erabiltzaileak hau idatzi du (2026 aza. 23(a), al. (12:02)) (<{at}>):",
    "Pada Sen, 23 Nov 2026 pukul 12.02 {who} <{at}> menulis:",
    "Pada Isn, 23 Nov 2026 pada 12:02 PTG {who} <{at}> menulis:",
    "Noong Lun, Nob 23, 2026 nang 12:02 PM, isinulat ni {who} <{at}> ang:",
    "सोम, 23 नव॰ 2026 को 12:02 pm बजे को {who} <{at}> ने लिखा:",
    "सोम, २३ नोव्हें, २०२६ रोजी १२:०२ PM वाजता {who} <{at}> ने लिहिले:",
    "Mnamo Jtt, 23 Nov 2026 saa 12:02 {who} <{at}> aliandika:",
    "Ngo-Mso, 23 Nov 2026 ngo-12:02 u-{who} <{at}> wabhala:",
    "Op Ma. 23 Nov. 2026 om 12:02 het {who} <{at}> geskryf:",
    "Þann mán., 23. nóv. 2026 kl. 12:02 skrifaði {who} <{at}>:",
    "2026-11-23, pr, 12:02 {who} <{at}> rašė:",
    "Pirmd., 2026. g. 23. nov., plkst. 12:02 — lietotājs {who} (<{at}>) rakstīja:",
    "V V pon., 23. nov. 2026 ob 12:02 je oseba {who} <{at}> napisala:",
    "пон, 23. нов 2026. у 12:02 {who} <{at}> је написао/ла:",
    "ในวันที่ จ. 23 พ.ย. 2026 เวลา 12:02 {who} <{at}> เขียนว่า:",
    "در تاریخ دوشنبه ۲۳ نوامبر ۲۰۲۶، ۱۲:۰۲ {who} <{at}> نوشت:",
    "সোম, ২৩ নভেম্বর, ২০২৬ তারিখে ১২:০২ PM টায় তে {who} <{at}> লিখেছেন:",
    "திங்., 23 நவ., 2026, பிற்பகல் 12:02 அன்று, {who} <{at}> எழுதியது:",
    "సోమ, 23 నవం, 2026 12:02 PMకి, {who} <{at}> ఇలా రాసారు:",
    "በሰኞ፣ 23 ኖቬም 2026 በ12:02 ከሰዓት {who} <{at}> ጽፏል:",
    "ორშ, 23 ნოე. 2026, 12:02, მომხმარებელმა {who} <{at}> დაწერა:",
]
"""As well as they are known; a law that holds for words that no program writes holds for those of the next one too."""

OTHERS = [
    "On Monday, November 23, 2026 at 12:02:00 PM GMT+1, {who} <{at}> wrote:",
    "Am Montag, 23. November 2026 um 12:02:00 MEZ hat {who} <{at}> Folgendes geschrieben:",
    "Le lundi 23 novembre 2026 à 12:02:00 UTC+1, {who} <{at}> a écrit :",
    "En lunes, 23 de noviembre de 2026, 12:02:00 CET, {who} <{at}> escribió:",
    '"{who}" <{at}> wrote on 23/11/2026 12:02:00:',
    '"{who}" <{at}> schrieb am 23.11.2026 12:02:00:',
    "On 2026-11-23 12:02, {who} wrote:",
    "Am 2026-11-23 12:02, schrieb {who}:",
    "* {who} <{at}> [2026-11-23 12:02]:",
    "{who} <{at}> writes:",
    "Quoting {who} <{at}>:",
    "Zitat von {who} <{at}>:",
    "---- On Mon, 23 Nov 2026 12:02:00 +0000 {who} <{at}> wrote ---",
    "---- {who} wrote ----",
    "---- {who} napisał(a) ----",
    "On Mon, 23 Nov 2026, at 12:02 PM, {who} wrote:",
    "Понедельник, 23 ноября 2026, 12:02 +03:00 от {who} <{at}>:",
    'At 2026-11-23 12:02:00, "{who}" <{at}> wrote:',
    "Dnia 23 listopada 2026 12:02 {who} <{at}> napisał(a):",
    "Il 23/11/2026 12:02 CET {who} <{at}> ha scritto:",
    "{who} ({at}) wrote:",
    "{who} via {at} said the following on 23 November:",
]
LINES = [*GMAIL, *OTHERS, *(line for one in TONGUES.values() for line in (one.gmail, one.apple, one.thunderbird))]
"""Attributions of one line, which holds our name {who}, and mostly our address {at}."""

_FENCES = ("-----{}-----", "-------- {} --------", "{}", "{}:\n-----------------", "________________________________")
_DATES = (
    "Monday, November 23, 2026 12:02 PM",
    "Monday, 23 November 2026",
    "23.11.2026",
    "Mon, 23 Nov 2026 12:02 +0000",
)


def blocks() -> list[str]:
    """Return header blocks in the languages of `tongues`, below different rules, with a time of day and without."""
    found = []
    for number, tongue in enumerate(TONGUES.values()):
        sender, sent, to, subject = tongue.labels
        for turn, fence in enumerate(_FENCES):
            rule = fence.format(tongue.original)
            date = (tongue.sent, *_DATES)[(number + turn) % 5]
            found.append(
                f"{rule}\n{sender} {{who}} <{{at}}>\n{sent} {date}\n{to} ada@example.com\n{subject} Re: [ember-7]"
            )
    return [
        *found,
        "---- Replied Message ----\n| From | {who}<{at}> |\n| Date | 11/23/2026 12:02 |\n| To | <ada@example.com> |\n| Subject | R |",
        "=====================================\nFrom: {who}\nSent: 23 November\n=====================================",
        '------------------ Original ------------------\nFrom: "{who}" <{at}>;\nDate: Mon, Nov 23, 2026\nTo: "Ada"<a@example.com>;',
        "Message du 23/11/26 12:02\nDe : {who} <{at}>\nA : ada@example.com\nCopie à :\nObjet : Round 3",
        "Ilitumwa: Jtt, 23 Novemba\nKutoka: {who} <{at}>\nKwenda: ada@example.com\nMada: Round 3",
    ]
