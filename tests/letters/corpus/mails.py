"""The corpus: every program in its tongues, places and charsets, with the truth of each mail, and how a reading is judged."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.language.phrases import clean
from tests.letters.clients import mail, part, parts
from tests.letters.corpus.drafts import GOODBYE, GREETING, TALK, Draft, Piece, Place, Thread, composed
from tests.letters.corpus.plain import BARE, MARKED
from tests.letters.corpus.tongues import TONGUES, Tongue
from tests.letters.corpus.webmail import WEBS, dressed

SEED = 20261124
LETTER = (Path(__file__).parent.parent.parent / "post" / "letter.txt").read_text(encoding="utf-8")
SHORT = """[ember-7] Round 3

Orders for ember-7, round 3. Mantisman asks all:

attack Cuttlefish 99
defend 98

Your own of round 2 were

attack Mantisman 97
use Laser Eyes on Plastiquegirl x7
bid Tough Skin 96

~ attack ____ ____
~ attack ____ ____
~ defend ____
~ use ____ on ____

Deadline  Tue 24 Nov 20:00 in London
This letter was sent to Ada by ember@example.org.
"""
"""A letter of ours that quotes bare order lines, which none of ours really does."""

CONFIDENTIAL = [
    "CONFIDENTIALITY NOTICE: This e-mail and any attachments are intended solely for the addressee. If you are not the",
    "intended recipient, please delete it. Example Ltd, registered in England and Wales No. 12345.",
]


class Specimen(NamedTuple):
    """
    A mail, and what is true of it.

    Shape: `new` are the lines that must be read, `quoted` those that must not, `ours` the letters of ours that it
    answers; `by_rote` is what stands in it that is neither; `is_bare` tells that new lines stand among quoted ones
    which nothing marks, so that only who holds the letter can tell.
    """

    name: str
    raw: bytes
    new: tuple[str, ...]
    quoted: tuple[str, ...]
    by_rote: tuple[str, ...]
    ours: tuple[str, ...]
    is_bare: bool

    @property
    def is_frozen(self) -> bool:
        """Whether it belongs to the half that is only reported on."""
        return sha256(self.name.encode()).digest()[0] % 2 == 0


class Verdict(NamedTuple):
    """What went wrong in a reading: new lines lost, quoted lines taken, and lines by rote taken."""

    lost: tuple[str, ...]
    taken: tuple[str, ...]
    rote: tuple[str, ...]


def judged(specimen: Specimen, found: Iterable[str]) -> Verdict:
    """Hold what was read against the truth."""
    read = [clean(line) for line in found if line.strip()]
    rest, lost = list(read), []
    for line in specimen.new:
        if clean(line) in rest:
            rest.remove(clean(line))
        else:
            lost.append(line)
    quoted = " ".join(_bare(line) for line in specimen.quoted)
    talk = " ".join(_bare(line) for line in (TALK, *GREETING, *GOODBYE, *specimen.new))
    taken = [line for line in rest if _bare(line) and _bare(line) not in talk and _bare(line) in quoted]
    others = [line for line in rest if _bare(line) and _bare(line) not in talk and line not in taken]
    return Verdict(tuple(lost), tuple(taken), tuple(others))


def _bare(line: str) -> str:
    return re.sub(r"[\W_]+", " ", clean(line).lower()).strip()


# What people write

_NAMES = ("Cuttlefish", "doctor cuttlefish", "Plastiquegirl", "mantisman", "Zoë the Great", "Bo")


def _written(chance: Random) -> list[str]:
    who, other = chance.sample(_NAMES, 2)
    number, less = chance.randrange(1, 90), chance.randrange(1, 30)
    lines = [
        f"attack {who} {number}",
        f"Defend {number}",
        f"use Laser Eyes on {other} x{less}",
        f"if attack from {who} >= {less}: defend {number} else wait",
        f"bid Tough Skin {less} then {number}  # sealed",
        f"press to {other}: meet me at {less} o'clock",
        f"ask me: {who}, {other}",
        f"- attack {who} {less}",
        "ready",
        "status",
        f"press to all: as {other} wrote, on Tuesday we meet",
        f"overrule V{less} = {number} because I say so",
        f"On {other} I use Laser Eyes x{less}",
        f"attack  {who}   {less}",
        f"From: {other}",
        "deadline 2026-11-24 20:00 Europe/London",
    ]
    return chance.sample(lines, chance.randrange(1, 5))


def _in_a_letter(new: list[str], chance: Random) -> list[str]:
    said = [*new, "", TALK] if chance.random() < 0.15 else new
    return [*GREETING, *said, *GOODBYE] if chance.random() < 0.25 else said


def _of_the_form(chance: Random) -> list[str]:
    who = chance.choice(_NAMES[:4])
    return [f"attack {who} {chance.randrange(1, 60)}", f"attack Bo {chance.randrange(1, 9)}"][: chance.randrange(1, 3)]


class _Plan(NamedTuple):
    """One mail to be made."""

    program: str
    tongue: str
    place: Place
    thread: Thread
    dress: str  # plain, both or html


_MARKED_PLACES: tuple[Place, ...] = ("top", "bottom", "inline", "trimmed", "form", "top", "inline", "bottom")
_BARE_PLACES: tuple[Place, ...] = ("top", "top", "form", "top", "inline", "top", "bottom")
_THREADS: tuple[Thread, ...] = ("letter", "letter", "own", "letter", "friend")


def _tongues(said: str) -> list[str]:
    return said.split() if said else list(TONGUES)


def _plans(chance: Random) -> Iterator[_Plan]:
    tables = (("plain", MARKED, _MARKED_PLACES), ("plain", BARE, _BARE_PLACES))
    for dress, table, places in tables:
        for program, (_, said) in table.items():
            tongues = _tongues(said)
            for number in range(max(len(tongues), 3)):
                place = places[(number + chance.randrange(2)) % len(places)]
                yield _Plan(program, tongues[number % len(tongues)], place, chance.choice(_THREADS), dress)
    for program, web in WEBS.items():
        places = _MARKED_PLACES if web.is_marked else _BARE_PLACES
        tongues = _tongues(web.tongues)
        for number in range(max(len(tongues), 3)):
            place = places[(number + chance.randrange(2)) % len(places)]
            dress = "html" if number % 3 else "both"
            yield _Plan(program, tongues[number % len(tongues)], place, chance.choice(_THREADS), dress)
    for tongue in TONGUES:
        yield _Plan("gmail", tongue, "alone", "letter", "plain")


def _plain_twin(program: str) -> str:
    return next(
        (name for name in (program, program.split(" ", maxsplit=1)[0]) if name in MARKED or name in BARE), "gmail"
    )


@cache
def corpus() -> tuple[Specimen, ...]:
    """Make every mail; the same ones each time."""
    chance = Random(SEED)
    return tuple(_made(number, plan, chance) for number, plan in enumerate(_plans(chance)))


def _made(number: int, plan: _Plan, chance: Random) -> Specimen:
    letter = chance.choice([LETTER, SHORT])
    is_bare = plan.place in ("inline", "bottom") and not _is_marked(plan)
    thread: Thread = "letter" if plan.place == "form" or is_bare else plan.thread
    new = _of_the_form(chance) if plan.place == "form" else _written(chance)
    if plan.place == "top" and plan.thread != "own" and chance.random() < 0.06:
        new = []
    said = _in_a_letter(new, chance) if new and plan.place in ("top", "bottom", "alone") else new
    tongue = TONGUES[plan.tongue]
    footer = _footer(plan, tongue, chance)
    pieces = composed(plan.place, thread, said or [""], letter.rstrip("\n").split("\n"))
    draft = Draft(pieces, tongue, footer)
    hidden = ["attack Bo 77", "defend 66"] if plan.dress == "html" and chance.random() < 0.25 else []
    raw, name = _sent(plan, draft, hidden, chance)
    return Specimen(
        name=f"{number:03} {name}",
        raw=raw,
        new=tuple(new),
        quoted=(*_quoted(pieces), *hidden),
        by_rote=tuple(footer),
        ours=(letter,),
        is_bare=is_bare,
    )


def _is_marked(plan: _Plan) -> bool:
    return WEBS[plan.program].is_marked if plan.dress != "plain" else plan.program in MARKED


def _quoted(pieces: Sequence[Piece]) -> list[str]:
    lines = [line for piece in pieces if piece.depth for line in piece.lines if line.strip()]
    return [line for line in lines if not (line.startswith("~ ") and "__" not in line)]


def _footer(plan: _Plan, tongue: Tongue, chance: Random) -> list[str]:
    kinds = {"iphone": 0.9, "samsung": 0.7, "outlook for ios": 0.0}
    if chance.random() < kinds.get(plan.program, 0.25):
        return chance.choice(
            [[tongue.phone], [tongue.phone], ["-- ", "Ada Lovelace", "Analytical Engines"], ["--", "Ada"], CONFIDENTIAL]
        )
    if plan.program == "proton":
        return ["Sent with Proton Mail secure email."]
    if plan.program.startswith("yahoo for"):
        return ["Sent from Yahoo Mail on Android"]
    return []


def _sent(plan: _Plan, draft: Draft, hidden: list[str], chance: Random) -> tuple[bytes, str]:
    charset = chance.choice([*draft.tongue.charsets, "utf-8", "utf-8", "utf-8"])
    how = chance.choice(["quoted-printable", "base64", "8bit"])
    name = f"{plan.program}, {plan.tongue}, {plan.place}, {plan.thread}, {plan.dress}"
    if plan.dress == "plain":
        table = MARKED if plan.program in MARKED else BARE
        text = _smart(table[plan.program][0](draft), chance)
        more = "; format=flowed" * ("flowed" in plan.program) + "; delsp=yes" * (plan.program == "apple mail flowed")
        body, charset = _part(text, "text/plain", charset, how, more)
        return mail(body, crlf=chance.random() < 0.9), f"{name}, {charset}, {how}"
    html = _with_hidden(dressed(WEBS[plan.program], draft), hidden, chance)
    rich, charset = _part(html, "text/html", charset, how)
    if plan.dress == "html":
        return mail(rich), f"{name}, {charset}, {how}"
    twin = _plain_twin(plan.program)
    plain, charset = _part((MARKED.get(twin) or BARE[twin])[0](draft), "text/plain", charset, how)
    return mail(parts("multipart/alternative", plain, rich)), f"{name}, {charset}, {how}"


def _part(text: str, kind: str, charset: str, how: str, more: str = "") -> tuple[bytes, str]:
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        charset = "utf-8"
    if charset == "utf-16":
        how = "base64"
    return part(text, kind, charset, how, more), charset


def _smart(text: str, chance: Random) -> str:
    if chance.random() < 0.9:
        return text
    text = text.replace("'", "\u2019").replace("...", "\u2026").replace(" - ", " \u2013 ")
    return text.replace('"help"', "\u201chelp\u201d")


_HIDING = (
    '<div style="display:none">{}</div>',
    '<div style="display: none !important; max-height:0">{}</div>',
    '<span style="color:#ffffff;background-color:#fff">{}</span>',
    '<div style="font-size:0px">{}</div>',
    '<p style="font-size:1px;line-height:1px">{}</p>',
    '<div style="visibility:hidden">{}</div>',
    "<div hidden>{}</div>",
    '<div style="mso-hide:all">{}</div>',
    '<div style="opacity:0">{}</div>',
    '<font color="white">{}</font>',
    '<div style="max-height:0px;overflow:hidden">{}</div>',
)


def _with_hidden(html: str, hidden: Sequence[str], chance: Random) -> str:
    if not hidden:
        return html
    dressing = chance.choice(_HIDING).format("<br>".join(hidden))
    return html.replace("<body>", f"<body>{dressing}", 1)
