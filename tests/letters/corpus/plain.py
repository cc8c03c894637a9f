"""Mail programs that write plain text: with quote marks, with a block of headers and none, or indented."""

import textwrap
from collections.abc import Callable

from tests.letters.corpus.drafts import Draft, folded_attribution, named
from tests.letters.corpus.tongues import AT, WHO

Dress = Callable[[Draft], str]


def marked(
    attribution: str,
    *,
    mark: str = "> ",
    gap: str = "",
    inside: bool = False,
    fold: bool = False,
    width: int = 0,
    marks_each: bool = True,
    sparse: bool = True,
) -> Dress:
    """
    Quote with marks, below an attribution.

    `gap` follows the attribution; `inside` puts that within the quotation, as phones do; `width` wraps hard, and
    `marks_each` marks the wrapped rest too; `sparse` strips the blank from the mark of an empty line.
    """

    def dress(draft: Draft) -> str:
        key = getattr(draft.tongue, attribution, attribution)
        head = named(key)
        opening = (folded_attribution(head) if fold else head) + gap
        blocks, depth = [], 0
        for piece in draft.pieces:
            lines = _marked(piece.lines, mark * piece.depth, width, marks_each=marks_each, sparse=sparse)
            if piece.depth > depth:
                prefix = mark * (piece.depth - (not inside))
                lines = [*[f"{prefix}{line}" for line in opening.split("\n")], *lines]
                depth = piece.depth
            blocks.append("\n".join(lines))
        at = 1 if not draft.pieces[0].depth else len(blocks)
        if draft.footer:
            blocks.insert(at, "\n".join(draft.footer))
        return "\n\n".join(blocks) + "\n"

    return dress


def _marked(lines: list[str], mark: str, width: int, *, marks_each: bool, sparse: bool) -> list[str]:
    if not mark:
        return lines
    shown = [(mark + line) if line or not sparse else mark.rstrip() for line in lines]
    if not width:
        return shown
    rest = mark if marks_each else ""
    return [piece for line in shown for piece in textwrap.wrap(line, width, subsequent_indent=rest) or [line]]


def block(
    head: str = "{rule}\n{from_} {who} <{at}>\n{sent_} {sent}\n{to_} Ada Lovelace <ada@example.com>\n{subject_} {subject}",
    *,
    gap: str = "\n\n",
    rule: str = "-----{original}-----",
    indent: str = "",
    mark: str = "",
    footer_first: bool = True,
) -> Dress:
    """Quote below a block of headers, without marks; a deeper quotation has its own block."""

    def dress(draft: Draft) -> str:
        tongue, subject = draft.tongue, "[ember-7] Round 3"
        labels = dict(zip(("from_", "sent_", "to_", "subject_"), tongue.labels, strict=True))
        shown = rule.format(original=tongue.original)
        filled = head.format(rule=shown, who=WHO, at=AT, sent=tongue.sent, subject=subject, **labels).lstrip("\n")
        blocks, depth = [], 0
        for piece in draft.pieces:
            prefix = (indent + mark) * bool(piece.depth)
            text = "\n".join((prefix + line).rstrip() if prefix else line for line in piece.lines)
            opens = piece.depth > depth
            blocks.append(f"{filled}{gap}{text}" if opens else text)
            depth = max(depth, piece.depth)
        if draft.footer:
            blocks.insert(1 if not draft.pieces[0].depth and footer_first else len(blocks), "\n".join(draft.footer))
        return "\n\n".join(blocks) + "\n"

    return dress


def flowed(attribution: str, *, delsp: bool = False, width: int = 66) -> Dress:
    """Quote as format=flowed: long lines broken softly behind a blank, lines stuffed, marks without blanks between."""

    def dress(draft: Draft) -> str:
        out, depth = [], 0
        for piece in draft.pieces:
            if piece.depth > depth:
                out.append(
                    ">" * (piece.depth - 1) + " " * (piece.depth > 1) + named(getattr(draft.tongue, attribution))
                )
                depth = piece.depth
            for line in piece.lines:
                out += [_stuffed(part, piece.depth) for part in _soft(line.rstrip(), width, delsp=delsp)]
            out.append("")
        return "\n".join([*out, *(["-- ", *draft.footer] if draft.footer else [])]) + "\n"

    return dress


def _soft(line: str, width: int, *, delsp: bool) -> list[str]:
    parts = []
    while len(line) > width and (at := line.rfind(" ", 0, width)) > 0 and line[:at].strip():
        parts.append(line[: at + 1] + " " * delsp)
        line = line[at + 1 :]
    return [*parts, line]


def _stuffed(part: str, depth: int) -> str:
    if depth:
        return ">" * depth + " " + part
    return f" {part}" if part.startswith((" ", ">", "From ")) else part


_HEAD = "{from_} {who} <{at}>\n{sent_} {sent}\n{to_} Ada Lovelace\n{subject_} {subject}"
_LINE = "_" * 32

MARKED: dict[str, tuple[Dress, str]] = {
    # name: how it dresses, and the tongues it is shown in ("" for all)
    "gmail": (marked("gmail", fold=True, gap="\n"), ""),
    "apple mail": (marked("apple", gap="\n"), ""),
    "iphone": (marked("apple", gap="\n", inside=True, sparse=False), ""),
    "thunderbird": (marked("thunderbird"), ""),
    "thunderbird flowed": (flowed("thunderbird"), "en de fr nl ja ru pl"),
    "apple mail flowed": (flowed("apple", delsp=True), "en de es it sv"),
    "k-9": (marked("On 24 November 2026 08:00:00 CET, {who} <{at}> wrote:", mark=">"), "en"),
    "k-9 de": (marked("Am 24. November 2026 08:00:00 MEZ schrieb {who} <{at}>:", mark=">"), "de"),
    "k-9 fr": (marked("Le 24 novembre 2026 08:00:00 GMT+01:00, {who} <{at}> a écrit :", mark=">"), "fr"),
    "k-9 es": (marked("El 24 de noviembre de 2026 8:00:00 CET, {who} <{at}> escribió:", mark=">"), "es"),
    "k-9 ru": (marked("24 ноября 2026 г. 8:00:00 GMT+03:00, {who} <{at}> пишет:", mark=">"), "ru"),
    "k-9 pl": (marked("Dnia 24 listopada 2026 08:00:00 CET, {who} <{at}> napisał(a):", mark=">"), "pl"),
    "mutt": (marked("On Tue, Nov 24, 2026 at 08:00:00AM +0000, {who} wrote:"), "en"),
    "mutt, 72 wide": (marked("On Tue, Nov 24, 2026 at 08:00:00AM +0000, {who} wrote:", width=72), "en"),
    "wrapped at 60": (marked("On 24.11.2026 08:00, {who} wrote:", width=60), "en de"),
    "wrapped at 60, rest bare": (marked("gmail", width=56, marks_each=False), "en fr"),
    "alpine": (marked("On Tue, 24 Nov 2026, {who} wrote:\n"), "en"),
    "claws": (marked("On Tue, 24 Nov 2026 08:00:00 +0000\n{who} <{at}> wrote:\n"), "en"),
    "evolution": (marked("On Tue, 2026-11-24 at 08:00 +0000, {who} wrote:"), "en"),
    "evolution de": (marked("Am Dienstag, dem 24.11.2026 um 08:00 +0000 schrieb {who}:"), "de"),
    "kmail": (marked("On Tuesday, 24 November 2026 08:00:00 CET {who} wrote:"), "en"),
    "kmail de": (marked("Am Dienstag, 24. November 2026, 08:00:00 CET schrieb {who}:"), "de"),
    "gnus": (marked("{who} <{at}> writes:\n"), "en"),
    "horde": (marked("Quoting {who} <{at}>:\n"), "en"),
    "horde de": (marked("Zitat von {who} <{at}>:\n"), "de"),
    "horde fr": (marked("{who} <{at}> a écrit :\n"), "fr"),
    "roundcube": (marked("On 2026-11-24 08:00, {who} wrote:"), "en"),
    "roundcube de": (marked("Am 24.11.2026 08:00, schrieb {who}:"), "de"),
    "roundcube pl": (marked("W dniu 2026-11-24 08:00, {who} napisał(a):"), "pl"),
    "squirrelmail": (marked("On Tue, November 24, 2026 8:00 am, {who} wrote:"), "en"),
    "proton": (marked("On Tuesday, November 24th, 2026 at 8:00 AM, {who} <{at}> wrote:\n"), "en"),
    "proton de": (marked("{who} <{at}> schrieb am Dienstag, 24. November 2026 um 08:00:\n"), "de"),
    "fastmail": (marked("On Tue, 24 Nov 2026, at 8:00 AM, {who} wrote:"), "en"),
    "spark": (marked("On Nov 24, 2026, 8:00 AM +0000, {who} <{at}>, wrote:"), "en"),
    "mailspring": (marked("On Nov 24 2026, at 8:00 am, {who} <{at}> wrote:\n"), "en"),
    "the bat": (marked("Tuesday, November 24, 2026, 8:00:00 AM, you wrote:\n", mark="EG> "), "en"),
    "pegasus": (marked("On 24 Nov 2026 at 8:00, {who} wrote:\n"), "en"),
    "agent": (marked("On Tue, 24 Nov 2026 08:00:00 +0000, you wrote:\n", mark=">"), "en"),
    "zimbra": (marked("----- On Nov 24, 2026, at 8:00 AM, {who} {at} wrote:\n"), "en"),
    "zimbra fr": (marked("----- Le 24 Nov 26, à 8:00, {who} {at} a écrit :\n"), "fr"),
    "mail.ru": (marked("\nВторник, 24 ноября 2026, 8:00 +03:00 от {who} <{at}>:\n", mark=">"), "ru"),
    "yandex": (marked('24.11.2026, 08:00, "{who}" <{at}>:'), "ru"),
    "163": (marked('At 2026-11-24 08:00:00, "{who}" <{at}> wrote:', mark=">"), "zh"),
    "163 zh": (marked('在 2026-11-24 08:00:00，"{who}" <{at}> 写道：\n', mark=">"), "zh"),
    "open-xchange": (marked("On 11/24/2026 8:00 AM CET {who} <{at}> wrote:\n\n ", inside=True), "en"),
    "open-xchange de": (marked("{who} <{at}> hat am 24.11.2026 08:00 CET geschrieben:\n\n ", inside=True), "de"),
    "laposte": (
        marked(
            "Message du 24/11/26 08:00\nDe : {who} <{at}>\nA : ada@example.com\nCopie à : \nObjet : [ember-7]\n",
            inside=True,
        ),
        "fr",
    ),
    "wp": (marked("Dnia 24 listopada 2026 08:00 {who} <{at}> napisał(a):\n"), "pl"),
    "ukr.net": (marked('24 листопада 2026, 08:00:00, від "{who}" <{at}>:\n'), "uk"),
    "snappymail": (marked('November 24, 2026 8:00 AM, "{who}" <{at}> wrote:\n'), "en"),
    "bluemail": (marked("On 24 Nov 2026, 08:00, at 08:00, {who} <{at}> wrote:", mark=">"), "en"),
    "lotus": (marked("{who} <{at}> wrote on 24/11/2026 08:00:00:\n"), "en"),
    "lotus de": (marked("{who} <{at}> schrieb am 24.11.2026 08:00:00:\n"), "de"),
    "em client": (
        block(
            '{rule}\nFrom: "{who}" <{at}>\nTo: ada@example.com\nSent: 24/11/2026 08:00:00\nSubject: {subject}',
            rule="------ Original Message ------",
            mark=">",
        ),
        "en",
    ),
    "em client 9": (
        block(
            '{rule}\nFrom "{who}" <{at}>\nTo ada@example.com\nDate 24/11/2026 08:00:00\nSubject {subject}',
            rule="------ Original Message ------",
            mark="> ",
        ),
        "en",
    ),
}
"""Programs that mark what they quote, so that people write above, below and between."""

BARE: dict[str, tuple[Dress, str]] = {
    "outlook": (block(), ""),
    "outlook with tabs": (
        block("{rule}\n{from_}\t{who}\n{sent_}\t{sent}\n{to_}\tada@example.com\n{subject_}\t{subject}"),
        "en de fr pl",
    ),
    "outlook 2016": (block(_HEAD), ""),
    "outlook for ios": (block("{rule}\n" + _HEAD, rule=_LINE), "en de fr es it nl sv da pl ru ja zh ko tr pt"),
    "outlook on the web": (
        block(
            "\n{rule}\n{from_} {who} <{at}>\n{sent_} {sent}\n{to_} ada@example.com <ada@example.com>\n{subject_} {subject}",
            rule=_LINE,
        ),
        "en de fr fi no cs hu el he",
    ),
    "exchange": (block("{rule}\nFrom: {who} [{at}]\nSent: {sent}\nTo: Ada\nSubject: {subject}", rule="_" * 40), "en"),
    "windows mail": (
        block("{from_} {who}\n{sent_} {sent}\n{to_} ada@example.com\n{subject_} {subject}"),
        "en de it nl",
    ),
    "bold labels": (
        block("*{from_}* {who} <{at}>\n*{sent_}* {sent}\n*{to_}* Ada\n*{subject_}* {subject}"),
        "en de fr es",
    ),
    "samsung": (
        block(
            "{rule}\nFrom: {who} <{at}> \nDate: 24/11/2026  08:00  (GMT+00:00) \nTo: ada@example.com \nSubject: {subject} ",
            rule="-------- Original message --------",
        ),
        "en",
    ),
    "samsung de": (
        block(
            "{rule}\nVon: {who} <{at}> \nDatum: 24.11.26  08:00  (GMT+01:00) \nAn: ada@example.com \nBetreff: {subject} ",
            rule="-------- Ursprüngliche Nachricht --------",
        ),
        "de",
    ),
    "samsung fr": (
        block(
            "{rule}\nDe : {who} <{at}> \nDate : 24/11/2026  08:00  (GMT+01:00) \nÀ : ada@example.com \nObjet : {subject} ",
            rule="-------- Message d'origine --------",
        ),
        "fr",
    ),
    "naver": (
        block(
            '{rule}\nFrom: "{who}"<{at}> \nTo: <ada@example.com>; \nCc: \nSent: 2026-11-24 (화) 08:00:00 (GMT+09:00)\nSubject: {subject}',
            rule="-----Original Message-----",
        ),
        "ko",
    ),
    "daum": (
        block(
            "{rule}\n보낸사람 : {who} <{at}>\n받는사람 : Ada <ada@example.com>\n날짜 : 2026년 11월 24일 화요일\n제목 : {subject}",
            rule="--------- 원본 메일 ---------",
        ),
        "ko",
    ),
    "qq": (
        block(
            '{rule}\n发件人: "{who}" <{at}>;\n发送时间: 2026年11月24日(星期二) 下午4:00\n收件人: "Ada"<ada@example.com>;\n\n主题: {subject}',
            rule="------------------ 原始邮件 ------------------",
            gap="\n\n\n\n",
        ),
        "zh",
    ),
    "aol": (
        block(
            "{rule}\nFrom: {who} <{at}>\nTo: ada <ada@example.com>\nSent: Tue, Nov 24, 2026 8:00 am\nSubject: {subject}"
        ),
        "en",
    ),
    "lotus block": (
        block("\n\nFrom:\t{who} <{at}>\nTo:\tada@example.com, \nDate:\t24/11/2026 08:00\nSubject:\t{subject}"),
        "en",
    ),
    "lotus block de": (
        block("\n\nVon:\t{who} <{at}>\nAn:\tada@example.com, \nDatum:\t24.11.2026 08:00\nBetreff:\t{subject}"),
        "de",
    ),
    "inotes": (
        block(
            "-----{who} <{at}> wrote: -----\nTo: ada@example.com\nFrom: {who} <{at}>\nDate: 24/11/2026 08:00AM\nSubject: {subject}"
        ),
        "en",
    ),
    "t-online": (
        block(
            '{rule}\nBetreff: {subject}\nDatum: 2026-11-24T08:00:00+0100\nVon: "{who}" <{at}>\nAn: "ada@example.com" <ada@example.com>',
            rule="-----Original-Nachricht-----",
        ),
        "de",
    ),
    "gmx": (
        block(
            'Gesendet: Dienstag, 24. November 2026 um 08:00 Uhr\nVon: "{who}" <{at}>\nAn: ada@example.com\nBetreff: {subject}',
            gap="\n",
        ),
        "de",
    ),
    "web.de": (
        block(
            '{rule}\nGesendet: 24.11.26, 08:00\nVon: "{who}" <{at}>\nAn: ada@example.com\nBetreff: {subject}',
            rule="",
            gap="\n\n",
        ),
        "de",
    ),
    "seznam": (
        block(
            "{rule}\nOd: {who} <{at}>\nKomu: ada@example.com\nDatum: 24. 11. 2026 8:00:00\nPředmět: {subject}",
            rule="---------- Původní e-mail ----------",
        ),
        "cs",
    ),
    "zimbra block": (
        block(
            '{rule}\nFrom: "{who}" <{at}>\nTo: "ada" <ada@example.com>\nSent: Tuesday, November 24, 2026 8:00:00 AM\nSubject: {subject}',
            rule="----- Original Message -----",
        ),
        "en",
    ),
    "zimbra block fr": (
        block(
            '{rule}\nDe: "{who}" <{at}>\nÀ: "ada" <ada@example.com>\nEnvoyé: Mardi 24 Novembre 2026 08:00:00\nObjet: {subject}',
            rule="----- Mail original -----",
        ),
        "fr",
    ),
    "blackberry": (
        block(
            "{rule}\nFrom: {who} <{at}>\nDate: Tue, 24 Nov 2026 08:00:00 \nTo: <ada@example.com>\nSubject: {subject}"
        ),
        "en",
    ),
    "yahoo": (
        block("    On Tuesday, November 24, 2026 at 08:00:00 AM GMT, {who} <{at}> wrote:  ", indent=" ", gap="\n \n"),
        "en",
    ),
    "yahoo fr": (
        block("    Le mardi 24 novembre 2026 à 08:00:00 UTC, {who} <{at}> a écrit :  ", indent=" ", gap="\n \n"),
        "fr",
    ),
    "yahoo de": (
        block(
            "    Am Dienstag, 24. November 2026 um 08:00:00 MEZ hat {who} <{at}> Folgendes geschrieben:  ",
            indent=" ",
            gap="\n \n",
        ),
        "de",
    ),
    "yahoo es": (
        block(
            "    El martes, 24 de noviembre de 2026, 08:00:00 CET, {who} <{at}> escribió:  ", indent=" ", gap="\n \n"
        ),
        "es",
    ),
    "yahoo for android": (block("  On Tue, 24 Nov 2026 at 8:00, {who}<{at}> wrote:", indent="  ", gap="   "), "en"),
    "outlook for mac": (block('On 24/11/2026, 08:00, "{who}" <{at}> wrote:', indent="    "), "en"),
    "gmail forward": (
        block(
            "---------- Forwarded message ---------\nFrom: {who} <{at}>\nDate: Tue, Nov 24, 2026 at 8:00 AM\nSubject: {subject}\nTo: <ada@example.com>"
        ),
        "en",
    ),
    "gmail forward de": (
        block(
            "---------- Forwarded message ---------\nVon: {who} <{at}>\nDate: Di., 24. Nov. 2026 um 08:00 Uhr\nSubject: {subject}\nTo: <ada@example.com>"
        ),
        "de",
    ),
    "apple forward": (
        block(
            "Begin forwarded message:\n\nFrom: {who} <{at}>\nSubject: {subject}\nDate: November 24, 2026 at 8:00:00 AM GMT\nTo: ada@example.com"
        ),
        "en",
    ),
    "apple forward de": (
        block(
            "Anfang der weitergeleiteten Nachricht:\n\nVon: {who} <{at}>\nBetreff: {subject}\nDatum: 24. November 2026 um 08:00:00 MEZ\nAn: ada@example.com"
        ),
        "de",
    ),
    "thunderbird forward": (
        block(
            "{rule}\nSubject: \t{subject}\nDate: \tTue, 24 Nov 2026 08:00:00 +0000\nFrom: \t{who} <{at}>\nTo: \tada@example.com",
            rule="-------- Forwarded Message --------",
        ),
        "en",
    ),
    "hotmail": (
        block(
            "{rule}\nDate: Tue, 24 Nov 2026 08:00:00 +0000\nFrom: {at}\nTo: ada@example.com\nSubject: {subject}",
            rule="_" * 40,
        ),
        "en",
    ),
}
"""Programs that quote without marks, so that people write above, or in the form."""
