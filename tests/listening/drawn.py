"""Mails that are drawn: orders, prose, clauses, stray lines, a mail program and a place, with books kept of each line."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from pbem.terms import OrderLine
from tests.conftest import Room
from tests.letters.corpus.drafts import Draft, Piece
from tests.letters.corpus.plain import BARE, MARKED
from tests.letters.corpus.tongues import TONGUES
from tests.listening.clauses import CLAUSES, PROSE, TALK
from tests.listening.filling import answered, dressed
from tests.listening.judging import ADA, NOTHING, Seen, bare, seen
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
STRAYS = {
    "rumble round": ("defend 3", "attack Cy 2", "attack Bob 4"),
    "brawl round": ("drop d regain", "drop c drink", "delay d defense"),
    "discs turn": ("throw at Cy", "attack Doctor Cuttlefish", "throw at Bob off east"),
}
"""Lines that parse as orders, and that people leave in odd places; no set above has one."""
_ODD = (
    "\n-- \n{}\n", "\n--\nAda\n{}\n", "\n> {}\n", "\n| {}\n", "\n: {}\n", "\n{}____\n", "\nend\n{}\n", "\n_____________\n{}\n",
    "\nSent from my iPhone\n{}\n", "\nEve wrote:\n> so what\n> {}\n", "\nOn Mon, Nov 23, 2026 at 8:00 AM {}\n",
    "\n* * *\n{}\n", "\nCONFIDENTIALITY NOTICE: for the addressee only.\n{}\n", "\n~ {}\n", "\n>> {}\n", "\n-----\n{}\n",
)  # fmt: skip
"""Where a line may stand so that a reader is tempted to leave it out."""


class Drawn(NamedTuple):
    """
    A mail that was drawn, where it is written, and the lines of it that parse as orders by the ruleset alone.

    Shape: `orders` stand where anybody would read them, `strays` in odd places; `program` is the mail program, or
    "alone" where nothing is quoted below.
    """

    scene: str
    text: str
    orders: tuple[str, ...]
    program: str
    strays: tuple[str, ...] = ()


def accounts(count: int, seed: str = "accounts") -> Iterator[Drawn]:
    """Draw mails with orders, prose, a stray line in an odd place, and a quoted letter around them."""
    for number in range(count):
        chance = Random(f"{seed} {number}")
        scene = chance.choice([*OPEN])
        orders = list(chance.choice(OPEN[scene]))
        strays = chance.sample(STRAYS[scene], chance.randrange(1, 3))
        body = "\n".join([*_maybe(chance, PROSE), "", *orders, "", *_maybe(chance, PROSE)]).strip("\n")
        for stray in strays:
            body += "\n" + chance.choice(_ODD).format(stray).rstrip("\n")
        program = chance.choice(["alone", "alone", *MARKED, *BARE])
        yield Drawn(scene, body, tuple(orders), program, tuple(strays))


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
    """Write a drawn mail as its program does, above the letter that it answers."""
    letter = answered(room)
    text = mail.text
    if mail.program != "alone":
        dress = (MARKED.get(mail.program) or BARE[mail.program])[0]
        pieces = [Piece(text.split("\n"), 0), Piece(letter.text.split("\n"), 1)]
        text = dress(Draft(pieces, TONGUES["en"], []))
    return dressed(room, text)


def came_of(mail: Drawn, stage: Stage) -> Seen:
    """Let a drawn mail arrive in its scene."""
    with stage.lend(mail.scene) as room:
        return seen(room, sent(mail, room))


def unaccounted(mail: Drawn, came: Seen) -> list[str]:
    """
    Return the lines that parse as orders and ended neither on hand nor named.

    Where an answer says that nothing was taken, it has told of the orders, but not of those in odd places.
    """
    hand = {bare(line) for line in came.hand}
    lines = mail.strays if any(words in came.told for words in NOTHING) else (*mail.orders, *mail.strays)
    return [line for line in lines if bare(line) not in hand and bare(line) not in bare(came.told)]


def parse_alone(room: Room, line: str) -> bool:
    """Say whether a line is an order by the ruleset alone."""
    table = room.table(GAME)
    parsed = table.ruleset.parse(table.state, ADA, [OrderLine(1, line)])
    return bool(parsed.orders) and not parsed.complaints
