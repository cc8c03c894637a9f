"""Numbers that are no amounts: dates, times of day, prices, points, telephone numbers; knows no game."""

import re
from itertools import groupby

_MONTHS = """
jan january januar janvier enero gennaio januari janeiro stycznia feb february februar février fevrier febrero febbraio
februari fevereiro lutego mar march märz mrz mars marzo maart março marca apr april avril abril aprile kwietnia may mai
mayo maggio mei maio maja jun june juni juin junio giugno junho czerwca jul july juli juillet julio luglio julho lipca
aug august août aout agosto augustus augusti sierpnia sep sept september septembre septiembre settembre setembro
września oct okt october oktober octobre octubre ottobre outubro października nov november novembre noviembre novembro
listopada dec dez des december dezember desember décembre decembre diciembre dicembre dezembro grudnia
"""
_DAYS = """
mon monday montag mo lundi lunes lunedì maandag segunda måndag mandag tue tues tuesday dienstag di mardi martes martedì
dinsdag terça tisdag tirsdag wed wednesday mittwoch mi mercredi miércoles mercoledì woensdag quarta onsdag thu thur
thurs thursday donnerstag jeudi jueves giovedì donderdag quinta torsdag fri friday freitag fr vendredi viernes venerdì
vrijdag sexta fredag sat saturday samstag sonnabend samedi sábado sabato zaterdag lördag lørdag sun sunday sonntag
dimanche domingo domenica zondag söndag søndag
"""
_AROUND = """
on at by until till from to before after around about since of the and or next last this in noon midnight morning
afternoon evening night am pm a.m p.m st nd rd th uhr o'clock oclock h utc gmt cet cest bst est edt pst pdt
am um bis vom der den le du à el de del il al op om
"""
_WITHIN = "of the to until till st nd rd th bis der den le du de al do"
CALENDAR = frozenset(f"{_MONTHS} {_DAYS}".split())
"""Months and days of the week, as languages write them."""
_WORDS = CALENDAR | frozenset(_AROUND.split())
_DATED = CALENDAR | frozenset(_WITHIN.split())
_WORD = re.compile(r"[^\W\d_]+(?:[.'\u2019][^\W\d_]+)*|[0-9]+")
_IN_DATE = re.compile(r"0?[1-9]|[12][0-9]|3[01]|(?:19|20)[0-9]{2}")
_TIME = re.compile(
    r"\b[0-9]{1,2}[:.h][0-5][0-9](?![0-9.])|\b[0-9]{1,2} ?[ap]\.?m\b|\b[0-9]{1,2} ?o['\u2019]?clock\b"
    r"|\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b|\b[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{2}){1,2}\b",
    re.IGNORECASE,
)
"""A time of day, or a date in figures."""
_OTHER = re.compile(
    rf"{_TIME.pattern}"
    r"|[$\u00a3\u20ac\u00a5] ?[0-9]|[0-9] ?[$\u00a3\u20ac\u00a5]"
    r"|\b(?:usd|eur|gbp|chf) ?[0-9]|[0-9] ?(?:usd|eur|gbp|chf)\b"
    r"|\b[0-9]+ (?:points?|pts?) (?:to|for)\b"
    r"|\+[0-9]{1,3}[ (-]|\b0[0-9]{2,}[ /-][0-9]{2,}|\([0-9]{2,4}\) ?[0-9]{2,}|\b[0-9]{2,4}(?:[ -][0-9]{2,4}){2,}\b",
    re.IGNORECASE,
)
"""A time of day, a date in figures, a price, points that somebody is given, a telephone number."""


def is_date(text: str) -> bool:
    """
    Say whether a text may be nothing but a day or a time: `Sun, Dec 6`, `12 May`, `Sat 12 at 8`.

    Shape: a month or a day of the week, a number, and words that stand around them. It may be somebody's name with a
    number as well.
    """
    said = [word.casefold() for word in _WORD.findall(text)]
    is_numbered = any(word.isdigit() for word in said)
    return is_numbered and not CALENDAR.isdisjoint(said) and all(word.isdigit() or word in _WORDS for word in said)


def without_days(text: str) -> str:
    """
    Take out the numbers of days and times, wherever they stand: `5-9` of `away 5-9 December`, `18:30`.

    Shape: a number is a day's where nothing but numbers and words such as `of` and `until` stands between it and a
    month or a day of the week, and it can be one: up to 31, or a year.
    """
    text = _TIME.sub(" ", text)
    days: list[re.Match[str]] = []
    runs = groupby(_WORD.finditer(text), key=lambda one: one[0].isdigit() or one[0].casefold() in _DATED)
    for is_dated, run in runs:
        words = list(run)
        if is_dated and not CALENDAR.isdisjoint(one[0].casefold() for one in words):
            days += [one for one in words if _IN_DATE.fullmatch(one[0])]
    for one in reversed(days):
        text = f"{text[: one.start()]} {text[one.end() :]}"
    return text


def is_other(text: str) -> bool:
    """Say whether a number of a text is surely no amount, whatever else the text says."""
    return is_date(text) or _OTHER.search(text) is not None
