"""Letters of ours of every kind, provoked in one arena: what tests hold to laws about all that we send."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from pbem.ground.terms import OrderLine
from pbem.hall.mail.outgoing import troubles
from pbem.hall.store.catalogue import rulesets_known
from pbem.language import phrases
from pbem.language.sentences import is_table_row
from pbem.letters.reading import read
from pbem.table.model.table import Table
from pbem.testing.room import ARENA
from pbem.world.settings import templates
from tests.conftest import Room

HEROES = {"ada": "Mantisman", "bo": "Doctor Cuttlefish", "cy": "Plastiquegirl"}
GWEN, ADA, BO, CY, EVE, FAY, IDA = (f"{name}@example.org" for name in ("gwen", "ada", "bo", "cy", "eve", "fay", "ida"))
SHORT, LONG = timedelta(minutes=1), timedelta(hours=60)

POWERS = """power: Laser Eyes
text: attack Doctor Cuttlefish 20, then defend 30; ready
power: Tough Skin
text: attack Bo 20
"""
ASKED = "hero: The Block\ndefend 30\nask me\n"
ORDERS = "attack Cuttlefish 20\nattack Plastiquegirl 5\ndefend 30\nfly away\nattack Bo lots\n"
PRESS = "press to all:\nattack Plastiquegirl 10\ndefend 9\n> wait\n~ attack Mantisman 3\nend press\nready\n"
ASKING = "status\nhelp\nhelp powers\narchive defense\nhistory Powers\nnonsense, and defend 7\n"
GUESSES = "what if Cuttlefish attacks me 40 and defends 20, Plastiquegirl attacks Cuttlefish 5\n"


class Posted(NamedTuple):
    """A letter of ours: of which kind it is, whether the moderator reads it, and its text."""

    kind: str
    is_moderators: bool
    text: str


class Post(NamedTuple):
    """All letters that went out, each text once, and how the table stood as they did."""

    letters: list[Posted]
    tables: list[Table]


def posted(root: Path) -> Post:
    """Play a little, badly, and return what came of it."""
    room = Room(root, rulesets_known(), templates())
    room.found(*HEROES, ruleset="rumble", name="ember-7", names=HEROES, review=("powers", "round"))
    tables = list(_play(room))
    _think_again(room)
    _knock(room)
    _hand_on(room)
    _break(room)
    room.arena.close()
    found = {letter.body: (letter, to) for to, letter in ((to, read(raw)) for to, raw in room.outbox.sent)}
    letters = [
        Posted(_kind(letter.message_id), to == GWEN, "\n".join(body) + "\n") for body, (letter, to) in found.items()
    ]
    return Post(letters, tables)


def _kind(message_id: str) -> str:
    """Return the kind of a letter: the second part of the name of a game's letter, or of the desk's."""
    parts = message_id.strip("<>").rpartition("@")[0].split(".")
    return parts[1].partition("-")[0] if parts[0] in ("ember-7", "ember-8", "ember-9", "desk") else parts[0]


def _play(room: Room) -> Iterator[Table]:
    """Go through a phase of powers and two rounds, with slips, press and rulings."""
    yield room.table("ember-7")
    room.write(ADA, POWERS)
    room.write(BO, POWERS.replace("Laser Eyes", "Gills") + ASKING)
    room.write(CY, "power: Barter With Fate\npower: Tough Hide\ntext: ~ attack Bo 20\n")
    room.sweep()
    room.write(GWEN, "help\nstatus\ndo nonsense\nextend 3h because of snow\n")
    room.sweep(LONG)
    yield room.table("ember-7")
    room.sweep(LONG)
    room.write(GWEN, "approve 1\n")
    room.sweep()
    while room.table("ember-7").title != "Round 1":
        yield room.table("ember-7")
        room.write(CY, "bid Barter 3")
        room.write(ADA, "bid Laser 2")
        room.sweep(LONG)
    yield room.table("ember-7")
    for sender in (ADA, BO):
        room.write(sender, ORDERS + PRESS)
    room.write(CY, ASKED)
    room.sweep()
    room.write(ADA, ASKING + GUESSES)
    room.write(GWEN, "note attack Bo 20\noverrule V1 = 5 because I say so\nset energy Mantisman 70 because of it\n")
    room.sweep(LONG)
    room.sweep(LONG)
    yield room.table("ember-7")
    room.write(CY, "use Barter discarding Barter\nattack Bo 5\n" + ASKING)
    room.sweep(LONG)
    room.write(BO, "attack Mantisman 5\ndefend 1")
    room.sweep()
    key = next(power.key for power in room.table("ember-7").state.powers if power.owner == "mantisman")
    room.write(GWEN, f"accept late Cuttlefish\ndo {key}: gain Mantisman 3 each round because so\n")
    room.sweep()
    room.write(GWEN, f"give {key} to Cuttlefish because so\n")
    room.sweep()
    room.write(GWEN, "approve 1\napprove 2\n")
    room.sweep()
    yield room.table("ember-7")


def _think_again(room: Room) -> None:
    """Let all move in a game that waits for a second thought then, and all write while it does."""
    calendar = {"second_thought": "30m"}
    room.found("ada", "bo", ruleset="rumble", name="ember-9", names=HEROES, calendar=calendar)
    room.write(ADA, POWERS)
    room.sweep()
    for text in ("excuse Cuttlefish", "note attack Bo 20\nhelp\nstatus", "pause", "resume\nto Mantisman: attack Bo 20"):
        room.write(GWEN, text)
        room.sweep()
    room.write(ADA, "status\nhelp\nhelp powers\narchive defense\ngm: attack Bo 20")
    room.sweep()
    room.write(ADA, POWERS.replace("20", "10"), span=SHORT * 31)
    room.sweep(SHORT * 31)


def _knock(room: Room) -> None:
    room.invite("ada", ruleset="rumble", name="ember-8", seats=4)
    room.write(ADA, f"join as {'x' * 40}")
    room.write(EVE, "attack Bo 20", to=ARENA, subject="hello")
    room.write(FAY, "join ember-8 as Fay", to=ARENA, subject="join ember-8 as Fay")
    room.sweep()
    room.write(FAY, "confirm")
    room.write(ADA, "attack Bo 20", to=ARENA, subject="[ember-7] orders")
    room.write("dee@example.org", "hello", to=ARENA, subject="[nosuch-1] hello")
    room.write(EVE, "attack Bo 20", to=room.reply_to(CY, "+ember-7."), subject="Re: [ember-7]")
    room.write(BO, "address bo@example.net", to=room.reply_to(BO, "+ember-7."), subject="Re: [ember-7]")
    room.sweep()
    room.write("bo@example.net", "confirm")
    for number in range(6):
        room.write(CY, f"attack Bo 2{number}", to=ARENA, subject="[ember-7] orders")
    found_out = room.write(CY, "attack Bo 20", to=ARENA, subject="[ember-7] orders")
    room.mailbox.waiting.remove(found_out)
    room.mailbox.deliver(found_out.raw.replace(b"dmarc=pass", b"dmarc=fail"), found_out.arrived)
    room.sweep()
    for ruling in ("eject Fay\ninvite hal@example.org\nunseat attack Bo 20", "invite again fay@example.org\nstatus"):
        room.write(FAY, "attack Bo 20")
        room.write(GWEN, ruling, to=room.reply_to(GWEN, "+ember-8."), subject="Re: [ember-8]")
        room.sweep()


def _hand_on(room: Room) -> None:
    """Give the seat of Cy to somebody else, who answers with something else first; a mail of Ada's cannot be had."""
    for ruling in ("replace Plastiquegirl by hal@example.org", "replace Plastiquegirl by ida@example.org"):
        room.write(GWEN, ruling, to=room.reply_to(GWEN, "+ember-7."), subject="Re: [ember-7]")
        room.sweep()
    room.write(IDA, "who are you?")
    room.sweep()
    room.write(IDA, "yes")
    room.sweep()
    number = room.table("ember-7").number
    late = room.write(ADA, "attack Cuttlefish 4", to=room.reply_to(ADA, "+ember-7."), subject="Re: [ember-7]")
    room.mailbox.broken = {late.name}
    while room.table("ember-7").number == number:
        room.sweep(LONG)
        room.write(GWEN, "approve 1\n", to=room.reply_to(GWEN, "+ember-7."), subject="Re: [ember-7]")
        room.sweep(SHORT)
    room.sweep(SHORT)
    room.mailbox.broken = set()
    room.sweep(SHORT * 61)
    room.write(CY, "attack Bo 20", to=room.reply_to(CY, "+ember-7."), subject="Re: [ember-7]")
    room.sweep()


def _break(room: Room) -> None:
    """Leave words out of its pages, and damage the game, so that its moderator hears of it."""
    troubles.report_left_out(
        room.arena, "ember-7", ["attack@Bo", *(f"defend@{n}" for n in range(30))], room.clock.now()
    )
    newest = max((room.root / "games" / "ember-7").glob("phase-*"))
    for name in ("journal.toml", "state.toml"):
        (newest / name).write_text((newest / name).read_text().replace("e", "a", 9))
    room.reopen()
    room.write(BO, "attack Mantisman 3", to=room.reply_to(BO, "+ember-7."), subject="Re: [ember-7]")
    room.sweep()
    room.sweep(timedelta(days=2))


def as_read(text: Iterable[str]) -> Iterator[str]:
    """
    Yield the lines of a letter as the reader has them; what goes on with the next line is one with it.

    Rows of tables keep their blanks; where a mail program took these, a row is still known as a line of the letter.
    """
    lines = [OrderLine(number, line if is_table_row(line) else line.strip()) for number, line in enumerate(text, 1)]
    for line in phrases.joined(lines):
        alone = lines[line.number - 1].text
        whole = f"  {line.text}" if is_table_row(alone) else line.text
        yield alone if phrases.clean(alone) == line.text else whole
