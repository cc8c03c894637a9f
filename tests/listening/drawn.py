"""Mails that are drawn: orders, prose, clauses, stray lines, a mail program and a place, with books kept of each line."""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from pbem.ground.terms import OrderLine
from tests.conftest import Room
from tests.letters.corpus.drafts import Draft, Piece, Place, composed
from tests.letters.corpus.plain import BARE, MARKED
from tests.letters.corpus.tongues import TONGUES
from tests.listening.clauses import CLAUSES, PROSE, TALK
from tests.listening.filling import answered, dressed, wrapped
from tests.listening.judging import ADA, NOTHING, Seen, bare, canonical, seen
from tests.listening.scenes import GAME, Stage

OPEN: dict[str, tuple[tuple[str, ...], ...]] = {
    "rumble round": (
        ("attack Bob 21", "defend 52"),
        ("attack Cy 33", "attack Doctor Cuttlefish 14", "defend 41"),
        ("defend 97",),
    ),
    "brawl round": (
        ("attack Bob with a damage b", "defend with c"),
        ("defend with a", "defend with b d"),
        ("attack Cy with c damage d", "drop a maneuver"),
    ),
    "discs turn": (
        ("throw at Bob off north", "move to F4"),
        ("attack nearest", "move to centre", "hold"),
        ("if Bob within 12: throw at Bob", "move to my disc"),
    ),
}
"""Sets that the rules take, by the scene that they are written in."""
STRAYS: dict[str, tuple[str, ...]] = {
    "rumble round": ("defend 3", "attack Cy 2", "attack Bob 4"),
    "brawl round": ("drop d regain", "drop c drink", "delay d defense"),
    "discs turn": ("throw at Cy", "attack Doctor Cuttlefish", "throw at Bob off east"),
}
"""Lines that parse as orders, and that people leave in odd places; no set above has one."""
LONG = 60
"""Characters of a line that is named whole; of a longer one so many are."""
MORE: dict[str, tuple[tuple[str, ...], ...]] = {
    "rumble powers": (("power Tough Hide: +15 to your Defence.", "power: Flight"), ("power: Flight",)),
    "rumble auction": (("bid P01 12", "bid P03 5 then 7"), ("bid P02 31",), ("bid P04 13", "bid P08 8 discard")),
    "rumble auction, bids on hand": (("bid P01 12", "bid P03 5 then 7"), ("bid P04 13", "bid P08 8 discard")),
    "rumble tie": (("bid P08 17",),),
    "rumble round, orders on hand": (("attack Bob 21", "defend 52"), ("defend 97",)),
    "rumble with powers": (("attack Bob 21", "use Laser Eyes on Cy", "defend 40"), ("use Air Strike X=7", "defend 52")),
    "racing lap": (("ram Bob 21", "swerve 52"), ("swerve 97",)),
    "spaceship round": (("fire Bob 21", "fire Cy 12", "shield 52"),),
    "brawl round, orders on hand": (
        ("defend with a", "defend with b d"),
        ("attack Cy with c damage d", "drop a maneuver"),
    ),
    "discs turn, a list on hand": (("attack nearest", "move to F4"), ("if Bob within 12: throw at Bob",)),
}
"""Sets of other scenes; none has a line that is on hand there."""
STRAYS |= {
    "rumble powers": ("power Grudge: +5 to each of your Attacks.", "power Clumsy: You cannot attack at all."),
    "rumble auction": ("bid P05 6", "bid P06 9 then 11", "bid P07 4 discard"),
    "rumble auction, bids on hand": ("bid P05 6", "bid P06 9 then 11", "bid P07 4 discard"),
    "rumble tie": ("bid P08 21", "bid P08 5"),
    "rumble round, orders on hand": STRAYS["rumble round"],
    "rumble with powers": ("defend 3", "use Ink Cloud on Bob", "attack Cy 2"),
    "racing lap": ("swerve 3", "ram Cy 2", "ram Doctor Cuttlefish 4"),
    "spaceship round": ("shield 3", "fire Doctor Cuttlefish 4", "fire Bob 6"),
    "brawl round, orders on hand": STRAYS["brawl round"],
    "discs turn, a list on hand": ("throw at Cy", "attack Doctor Cuttlefish", "throw at Bob off east"),
}
_ODD = (
    "\n-- \n{}\n", "\n--\nAda\n{}\n", "\n> {}\n", "\n| {}\n", "\n: {}\n", "\n{}____\n", "\nend\n{}\n", "\n_____________\n{}\n",
    "\nSent from my iPhone\n{}\n", "\nEve wrote:\n> so what\n> {}\n", "\nOn Mon, Nov 23, 2026 at 8:00 AM {}\n",
    "\n* * *\n{}\n", "\nAm 23.11.2026 um 08:00 schrieb Eve <eve@example.org>:\n> {}\n", "\n# {}\n", "\n> > {}\n",
    "\nOn Mon, 23 Nov 2026 08:00, Eve Moneypenny <eve.moneypenny@example.org> wrote: {}\n", "\nBegin forwarded message:\n\n{}\n",
    "\n-----Original Message-----\nFrom: Eve <eve@example.org>\nSent: Monday 8:00\nTo: Ada\n\n{}\n", "\nEve wrote:\n\n{}\n",
    "\nSent from my iPhone {}\n", "\nGet Outlook for Android {}\n", "\nEve: {}\n",
    "\nCONFIDENTIALITY NOTICE: for the addressee only.\n{}\n", "\n~ {}\n", "\n>> {}\n", "\n-----\n{}\n",
)  # fmt: skip
"""Where a line may stand so that a reader is tempted to leave it out."""


class Drawn(NamedTuple):
    """
    A mail that was drawn, where it is written, and the lines of it that parse as orders by the ruleset alone.

    Shape: `orders` stand where anybody would read them, `strays` in odd places; `program` is the mail program, in the
    `tongue`, or "alone" where nothing is quoted. `place` says where the letter that is answered is quoted, `thread`
    what else is, and `width` how narrow all is wrapped, 0 for not at all. `before` are earlier mails of the writer's.
    """

    scene: str
    text: str
    orders: tuple[str, ...]
    program: str
    strays: tuple[str, ...] = ()
    tongue: str = "en"
    place: Place = "top"
    thread: tuple[str, ...] = ()
    width: int = 0
    before: tuple[str, ...] = ()


def accounts(count: int, seed: str = "accounts") -> Iterator[Drawn]:
    """Draw mails with orders, prose, and stray lines in odd places, in and around what is quoted, at any moment."""
    sets = OPEN | MORE
    for number in range(count):
        chance = Random(f"{seed} {number}")
        scene = chance.choice([*OPEN, *sets])
        orders = list(chance.choice(sets[scene]))
        strays = chance.sample(STRAYS[scene], chance.randrange(1, min(4, len(STRAYS[scene]) + 1)))
        theirs = [strays.pop()] if len(strays) > 1 and chance.random() < 0.3 else []
        body = "\n".join([*_maybe(chance, PROSE), "", *orders, "", *_maybe(chance, PROSE)]).strip("\n")
        for stray in strays:
            body += "\n" + chance.choice(_ODD).format(stray).rstrip("\n")
        earlier = _earlier(chance, sets[scene])
        own = earlier[-1].split("\n") if earlier and chance.random() < 0.5 else []
        yield Drawn(
            scene,
            body,
            tuple(orders),
            program=chance.choice(["alone", "alone", *MARKED, *BARE]),
            strays=(*strays, *theirs),
            tongue=chance.choice(["en", *TONGUES]),
            place=chance.choice(["top", "top", "bottom", "inline", "trimmed"]),
            thread=(*_maybe(chance, PROSE), *own, *theirs, *_maybe(chance, TALK)) if own or theirs else (),
            width=chance.choice([0, 0, 60, 72]),
            before=earlier,
        )


def _earlier(chance: Random, sets: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Draw up to two mails that came before."""
    return tuple("\n".join(chance.choice(sets)) for _ in range(chance.choice((0, 0, 0, 1, 2))))


def qualified(count: int, seed: str = "qualified") -> Iterator[Drawn]:
    """Draw sets with one clause added, on the line of an order or on the next, with and without prose."""
    for number in range(count):
        chance = Random(f"{seed} {number}")
        scene, clause = [*OPEN][number % 3], CLAUSES[number % len(CLAUSES)]
        orders = list(chance.choice(OPEN[scene]))
        place = chance.randrange(len(orders))
        match (number // len(CLAUSES)) % 4:
            case 0:
                lines = [*orders[: place + 1], clause, *orders[place + 1 :]]
            case 1:
                lines = [*orders[:place], f"{orders[place]}, {clause}", *orders[place + 1 :]]
            case 2:
                lines = [*orders[:place], f"{orders[place]} {clause}", *orders[place + 1 :]]
            case _:
                lines = [*orders, "", clause[0].upper() + clause[1:] + "."]
        yield Drawn(scene, "\n".join([*_maybe(chance, PROSE[:3]), *lines]), tuple(orders), "alone")


def talk(count: int, seed: str = "talk") -> Iterator[Drawn]:
    """Draw mails of pure talk, in every scene."""
    scenes = [*OPEN, "rumble auction", "rumble with powers", "racing lap", "rumble tie"]
    for number in range(count):
        chance = Random(f"{seed} {number}")
        said = chance.sample(TALK, chance.randrange(1, 4)) + _maybe(chance, PROSE)
        yield Drawn(chance.choice(scenes), "\n".join(said), (), chance.choice(["alone", "alone", "gmail", "outlook"]))


def _maybe(chance: Random, said: Sequence[str]) -> list[str]:
    return [chance.choice(said)] if chance.random() < 0.5 else []


def sent(mail: Drawn, room: Room) -> bytes:
    """Write a drawn mail as its program does, with the letter that it answers, and what else it quotes."""
    return dressed(room, "\n".join(_rows(mail, room)))


def _rows(mail: Drawn, room: Room) -> list[str]:
    text = mail.text if mail.program == "alone" and not mail.thread else _laid_out(mail, answered(room).text)
    return [row for line in text.split("\n") for row in wrapped(line, mail.width or len(line))]


def _laid_out(mail: Drawn, letter: str) -> str:
    dress = (MARKED | BARE)["gmail" if mail.program == "alone" else mail.program][0]
    new = mail.text.split("\n")
    pieces = composed(mail.place, "letter", new, letter.split("\n"))
    if mail.thread:
        pieces = [Piece(new, 0), Piece(list(mail.thread), 1), Piece(letter.split("\n"), 2)]
    return dress(Draft(pieces, TONGUES[mail.tongue], []))


def came_of(mail: Drawn, stage: Stage) -> Seen:
    """Let a drawn mail arrive in its scene."""
    with stage.lend(mail.scene) as room:
        return _came_of(mail, room)


def _came_of(mail: Drawn, room: Room) -> Seen:
    """Let a drawn mail arrive, behind those that came before."""
    for text in mail.before:
        seen(room, dressed(room, text))
    return seen(room, sent(mail, room))


def unaccounted(mail: Drawn, stage: Stage) -> list[str]:
    """
    Let a drawn mail arrive, and return the lines that parse as orders and ended neither on hand nor named.

    Where an answer says that nothing was taken, it has told of the orders, but not of those in odd places. A complaint
    may name a line by its number and the words in which it would be kept.
    """
    with stage.lend(mail.scene) as room:
        lines = {line: canonical(room, [line]) for line in (*mail.orders, *mail.strays)}
        rows = _rows(mail, room)
        came = _came_of(mail, room)
    hand, told = {bare(line) for line in came.hand}, bare(came.told)
    gone = [line for line, kept in lines.items() if not hand.issuperset(map(bare, kept))]
    complained = {
        line for line, kept in lines.items() if kept and all(_is_complained_of(one, came.told) for one in kept)
    }
    lost = [
        line for line in gone if not any(bare(part) in told for part in _names(line, rows)) and line not in complained
    ]
    return [line for line in lost if line in mail.strays or not any(words in came.told for words in NOTHING)]


def _is_complained_of(kept: str, told: str) -> bool:
    return re.search(rf"\bline\s+[0-9]+\s+{re.escape(kept)}", told) is not None


def _names(line: str, rows: Sequence[str]) -> list[str]:
    """
    Return the words any of which name a line to whoever wrote it.

    Of a long row that it stands on the beginning is enough; where it was broken, what of it stands on the first row.
    """
    long = [row[:LONG] for row in rows if line in row and len(row) > LONG]
    if any(line in row for row in rows):
        return [line, *long]
    words = line.split()
    heads = (" ".join(words[:count]) for count in range(len(words), 1, -1))
    return [next((head for head in heads if any(row.rstrip().endswith(head) for row in rows)), line)]


def parse_alone(room: Room, line: str) -> bool:
    """Say whether a line is an order by the ruleset alone."""
    table = room.table(GAME)
    parsed = table.ruleset.parse(table.state, ADA, [OrderLine(1, line)])
    return bool(parsed.orders) and not parsed.complaints
