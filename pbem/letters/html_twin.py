"""Finds out whether the HTML form of a mail says more than its plain text, which alone is read; knows no game."""

import re
from collections.abc import Sequence
from html import unescape

from pbem.letters import bodies, markup, new_text

NOTE = (
    "Your mail has a second form, in HTML, that says other things. Only its plain text was read; if something is "
    "missing, send it again as plain text."
)
MOST_HTML, MOST_SAID, MOST_LINES = 500_000, 100_000, 3_000
"""Beyond these the two forms are not compared, since each run of the one is looked for in all of the other."""
_NO_WORDS = re.compile(r"[\W_]+")
_RUN = re.compile(r">([^<]+)")
_OPENS = re.compile(r"<(style|script|title|head)\b", re.IGNORECASE)
_CLOSES = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("style", "script", "title", "head")}
"""Where the text of elements that nobody sees begins and ends."""


def note(plain: Sequence[str], html: str) -> str:
    """
    Return a sentence for the writer where new lines of the HTML do not stand in the plain text, else "".

    Words are compared, not lines, since programs wrap the two forms differently, and letters and digits alone.
    """
    if not html or len(html) > MOST_HTML or html.count("<") > bodies.MOST_TAGS:
        return ""
    readable = "".join("".join(plain[:MOST_LINES]).split())[:MOST_SAID]
    runs = _runs(html)
    if "".join("".join(runs).split()).replace(">", "") == readable.replace(">", ""):
        return ""  # mostly, and what follows takes a third of the time of all reading
    runs = list(dict.fromkeys(runs))
    if len(runs) > MOST_LINES or len(readable) == MOST_SAID:
        return ""
    rest = [run for run in runs if "".join(run.split()) not in readable]
    words = _words(readable) if rest else ""
    if all(_words(run) in words for run in rest):
        return ""  # nearly always, and the rest takes ten times as long
    lines = new_text.new_lines(bodies.lines_of(markup.text(html)), ())
    return "" if all(_words(line.text) in words for line in lines) else NOTE


def _words(text: str) -> str:
    return _NO_WORDS.sub("", text.casefold())


def _runs(html: str) -> list[str]:
    """Cut HTML at its tags; what is hidden in it by style is still there."""
    seen, at = [">"], 0
    while opening := _OPENS.search(html, at):
        seen.append(html[at : opening.start()])
        closing = _CLOSES[opening[1].lower()].search(html, opening.end())
        at = closing.start() if closing else len(html)
    seen.append(html[at:])
    return unescape("\1".join(_RUN.findall("".join(seen)))).split("\1")
