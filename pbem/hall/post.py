"""Letters from owed to sent: rendered once, on file before they are sent, and the same bytes at every try."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeAlias

import jinja2
import tomli_w

from pbem import records
from pbem.hall.arena import Arena, Doors
from pbem.hall.ledger import Ledger, Step, folder, start_file
from pbem.hall.people import Contact
from pbem.letters import addressing, writing
from pbem.letters.writing import Outgoing
from pbem.table import owed
from pbem.table.calendar import show_deadline, show_instant
from pbem.table.journal import GameBegun, OrdersReceived, PhasePublished
from pbem.table.owed import Owed
from pbem.table.table import Table
from pbem.terms import Facts, OutboxError, Seat, ShelfError, WorldError
from pbem.world.shelf import Batch

BACK_OFF = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=6))
GIVE_UP = 24
"""Tries after which a letter is given up: five days of back-off."""

When: TypeAlias = Callable[[datetime], list[str]]
"""Shows an instant in a reader's zone, as lines of a letter."""

Filed: TypeAlias = tuple[str, tuple[str, ...]]
"""A letter on file: its identity and its place on the shelf."""

LATEST = 12
"""How many of our latest letters to a reader are taken away from what they write."""


def write_letters(arena: Arena, ledger: Ledger, batch: Batch) -> list[Filed]:
    """
    Render and file what the fresh steps of a game call for; return the letters that are to be sent.

    A letter that is on file, from before a crash, is never rendered again, and not sent again once settled.
    """
    fresh: list[Filed] = []
    found: list[Filed] = []
    for number, step in enumerate(ledger.fresh):
        for letter in owed.owed(step.before, step.entry, step.after):
            place = (*ledger.place, "post", "out", f"{letter.identity}.eml")
            if number < ledger.recovered and arena.shelf.exists(*place):
                found.append((letter.identity, place))
                continue
            batch.write(_bytes(arena, step, letter), *place, once=True)
            ledger.note_sent(letter.seat or letter.person, letter.identity)
            fresh.append((letter.identity, place))
        if isinstance(step.entry, (GameBegun, PhasePublished)):
            _keep_phase(arena, ledger, step, batch)
    settled = _settled(arena, (*ledger.place, "post")) if found else frozenset()
    return [*fresh, *(letter for letter in found if letter[0] not in settled)]


def _settled(arena: Arena, place: tuple[str, ...]) -> frozenset[str]:
    """Return the letters of a place that were delivered or given up."""
    if not arena.shelf.exists(*place, "sent.toml"):
        return frozenset()
    lines = _whole_lines(arena.shelf.read(*place, "sent.toml").decode())
    return frozenset(line["letter"] for line in lines if line["settled"])


def _whole_lines(text: str) -> list[dict[str, Any]]:
    """Read the results of sending; a torn last one is left out, and costs at most one repeat."""
    try:
        return list(tomllib.loads(text).get("sent", []))
    except tomllib.TOMLDecodeError:
        whole = text.rpartition("[[sent]]")[0]
        return list(tomllib.loads(whole).get("sent", []))


def _keep_phase(arena: Arena, ledger: Ledger, step: Step, batch: Batch) -> None:
    """Write the derived files of a phase that has ended: outcome, reports, and the next one's start."""
    if isinstance(step.entry, PhasePublished):
        ended = (*ledger.place, folder(step.before))
        for name, text in reports(arena.words, step).items():
            batch.write(text.encode(), *ended, *name.split("/"))
        batch.write(outcome_file(step.before), *ended, "outcome.toml")
    batch.write(start_file(step.after, step.sum), *ledger.place, folder(step.after), "state.toml")


def reports(words: jinja2.Environment, step: Step) -> dict[str, str]:
    """Render the reports of a published phase: file names within its folder to their text."""
    assert isinstance(step.entry, PhasePublished)
    when = partial(_when, zone=step.before.charter.zone, now=step.entry.noted)
    facts, parts = owed.public_report(step.before, step.entry)
    found = {"report.txt": _text(words, step.before, "public", facts, parts, when)}
    for seat in step.before.seats:
        private = owed.private_part(step.before, seat)
        if private:
            name = f"{step.before.charter.ruleset}/private.j2"
            found[f"seats/{seat}.txt"] = writing.render(words, name, private)
    return found


def outcome_file(table: Table) -> bytes:
    """Write what an adjudication gave, as `outcome.toml` keeps it."""
    assert table.outcome is not None
    plain = records.plain(table.outcome)
    plain["state"] = table.ruleset.dump(table.outcome.state)
    plain["nmr"] = list(table.nmr)
    heading = "# Derived: verdicts and events of this phase's adjudication; `pbem replay` compares it.\n"
    return (heading + tomli_w.dumps(records.without_none(plain))).encode()


def _when(instant: datetime, zone: str, now: datetime) -> list[str]:
    return list(show_deadline(instant, zone, now))


def _text(
    words: jinja2.Environment, table: Table, template: str, facts: Facts, parts: Mapping[str, Facts], when: When
) -> str:
    """Render the ruleset's parts, then the letter around them; a part that is not there is ""."""
    names = ("asked", "hand", "report", "private", "final", "opening", "handbook")
    around = facts | {"game": table.charter.game, "title": table.title, "when": when}
    rendered = {
        name: writing.render(words, f"{table.charter.ruleset}/{name}.j2", parts[name]) if name in parts else ""
        for name in names
    }
    return writing.render(words, f"{template}.j2", around | rendered)


def _bytes(arena: Arena, step: Step, letter: Owed) -> bytes:
    contact = arena.people.contact(letter.person)
    return envelope(arena, step, letter, contact, _body(arena, step, letter, contact))


def _body(arena: Arena, step: Step, letter: Owed, contact: Contact) -> str:
    table = step.after
    when = partial(_when, zone=contact.clock, now=step.entry.noted)
    extra: Facts = {
        "moment": partial(show_instant, zone=contact.clock),
        "address": arena.settings.arena.address,
        "arena": arena.settings.arena.name,
        "to_moderator": letter.seat is None and letter.template != "invitation",
        "token_phase": letter.phase,
    }
    if letter.template == "history":
        extra["reports"] = _past(arena, table, letter.facts["wanted"])
    return _text(arena.words, table, letter.template, letter.facts | extra, letter.parts, when)


def echo(arena: Arena, step: Step) -> str:
    """Render the letter that a ruling is answered with, for the terminal."""
    letter = next(iter(owed.owed(step.before, step.entry, step.after)))
    return _body(arena, step, letter, arena.people.contact(letter.person))


def _past(arena: Arena, table: Table, wanted: str) -> list[str]:
    """Return the public reports whose title begins as wanted; all of them where nothing is said."""
    place = ("games", table.charter.game)
    found = [
        arena.shelf.read(*place, name, "report.txt").decode()
        for name in arena.shelf.names(*place)
        if name.startswith("phase-") and arena.shelf.exists(*place, name, "report.txt")
    ]
    return [text for text in found if wanted.lower() in text.split("\n", 1)[0].lower()]


def envelope(arena: Arena, step: Step, letter: Owed, contact: Contact, body: str) -> bytes:
    """Put a letter's text into its envelope: who may answer it, in which thread it stands."""
    here = arena.settings.arena
    game = step.after.charter.game
    domain = here.address.rpartition("@")[2]
    role = f"invited {letter.person}" if letter.template == "invitation" else _role(letter)
    token = addressing.token(arena.secret, game, letter.phase, role)
    return writing.compose(
        Outgoing(
            identity=letter.identity,
            domain=domain,
            sender_name=f"{here.name}: {game}",
            sender=here.address,
            reply_to=addressing.reply_address(here.address, game, token, plus=here.plus),
            recipient=contact.address,
            subject=addressing.subject(game, letter.title, token, plus=here.plus),
            body=body,
            date=step.entry.noted,
            list_id=f"{game}.{domain}",
            references=_thread(letter, step.after, domain),
            answers=letter.answers,
        )
    )


def _thread(letter: Owed, table: Table, domain: str) -> tuple[str, ...]:
    """Return the letter that opened this phase to this reader, which all others of the phase refer to."""
    if table.number == 0 or table.base is None:
        return ()
    kind = "opening" if table.number == 1 else "report"
    root = f"{table.charter.game}.{table.base.head}.{kind}.{letter.seat or letter.person}"
    return () if root == letter.identity else (writing.message_id(root, domain),)


def _role(letter: Owed) -> str:
    return f"seat {letter.seat}" if letter.seat else "moderator"


def send(arena: Arena, doors: Doors, now: datetime) -> tuple[int, list[str]]:
    """
    Send every letter whose time has come, one transaction each; return how many went and what went wrong.

    One recipient's failure delays no other. A repeat after an answer that never reached us has the same bytes.
    """
    sent: list[str] = []
    results: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    troubles: list[str] = []
    for letter in arena.index.to_send(now):
        try:
            raw = arena.shelf.read(*letter.place)
            doors.outbox.send(arena.settings.arena.address, _recipient(raw), raw)
            result, done = "delivered", True
        except OutboxError as error:
            done = error.permanent or letter.tries + 1 >= GIVE_UP
            result = f"{'given up' if done else 'put off'}: {error}"
            troubles.append(f"{letter.letter}: {result}")
        if done:
            sent.append(letter.letter)
        else:
            arena.index.put_off(letter.letter, now + BACK_OFF[min(letter.tries, len(BACK_OFF) - 1)])
        line = {"letter": letter.letter, "at": now, "result": result, "settled": done}
        results.setdefault(letter.place[:-2], []).append(line)
    with arena.shelf.batch() as batch:
        for place, lines in results.items():
            text = "".join(f"[[sent]]\n{tomli_w.dumps(line)}\n" for line in lines)
            batch.append(text.encode(), *place, "sent.toml")
    arena.index.settle(sent)
    return len(sent), troubles


def _recipient(raw: bytes) -> str:
    match = re.search(rb"^To: (.+?)\r?$", raw, re.MULTILINE)
    if not match:
        raise ShelfError("a letter of ours has no To line")
    return match[1].decode()


def index_unsent(arena: Arena, *place: str) -> None:
    """Find the letters of a place that are on file and not settled, and note them in the index."""
    settled = _settled(arena, place)
    names = [name.removesuffix(".eml") for name in arena.shelf.names(*place, "out")]
    waiting = [(name, (*place, "out", f"{name}.eml")) for name in names if name not in settled]
    arena.index.file(waiting, datetime.fromtimestamp(0, UTC))


def recover_desk(arena: Arena) -> None:
    """After a crash at the desk: whatever is on file there is sent, and mail that was not marked comes again."""
    index_unsent(arena, "desk", "post")
    arena.index.free("desk")


def note_wishes(arena: Arena, ledger: Ledger) -> None:
    """Take down in people.toml what seats asked for that is no game's business: their zones."""
    for step in ledger.fresh:
        if isinstance(step.entry, OrdersReceived):
            for request in step.entry.requests:
                word, _, zone = request.partition(" ")
                if word == "zone":
                    arena.people.amend(ledger.table.seats[step.entry.seat].person, zone=zone)


def report_trouble(arena: Arena, game: str, error: Exception, now: datetime) -> None:
    """Tell a game's moderator, once for each trouble, that the game stands still, and what to do."""
    said = str(error) or type(error).__name__
    mark = hashlib.sha256(f"{game} {said}".encode()).hexdigest()[:16]
    identity = f"trouble.{mark}.{game}"
    place = ("desk", "post", "out", f"{identity}.eml")
    moderator = _moderator(arena, game)
    if moderator is None or arena.shelf.exists(*place):
        return
    body = writing.render(arena.words, "trouble.j2", {"game": game, "said": said})
    here = arena.settings.arena
    raw = writing.compose(
        Outgoing(
            identity=identity,
            domain=here.address.rpartition("@")[2],
            sender_name=f"{here.name}: {game}",
            sender=here.address,
            reply_to=here.address,
            recipient=moderator.address,
            subject=f"[{game}] stands still",
            body=body,
            date=now,
            list_id=f"desk.{here.address.rpartition('@')[2]}",
        )
    )
    arena.shelf.write(raw, *place, once=True)
    arena.index.file([(identity, place)], now)


def _moderator(arena: Arena, game: str) -> Contact | None:
    """Find a game's moderator, even where its charter is no longer sound."""
    try:
        plain = tomllib.loads(arena.shelf.read("games", game, "charter.toml").decode())
        return arena.people.contact(plain["moderator"])
    except (WorldError, KeyError, ValueError):
        return None


def words_sent(arena: Arena, ledger: Ledger, seat: Seat | None, references: Iterable[str]) -> list[str]:
    """
    Return the texts that a person may be quoting: the letter that they answer, and our latest to this reader.

    Shape: `references` are Message-IDs with brackets, the one that is answered first.
    """
    reader = seat or ledger.charter.moderator
    if reader not in ledger.sent:
        names = arena.shelf.names(*ledger.place, "post", "out")
        mine = [name.removesuffix(".eml") for name in names if name.endswith(f".{reader}.eml")]
        ledger.sent[reader] = sorted(mine, key=lambda name: int(name.split(".")[1]))
    answered = [name.strip("<>").rpartition("@")[0] for name in references]
    wanted = dict.fromkeys([*ledger.sent[reader][:-LATEST:-1], *(n for n in answered if n in ledger.sent[reader])])
    return [_words(arena, ledger, name) for name in wanted]


def _words(arena: Arena, ledger: Ledger, identity: str) -> str:
    if identity not in ledger.words:
        raw = arena.shelf.read(*ledger.place, "post", "out", f"{identity}.eml")
        ledger.words[identity] = raw.partition(b"\r\n\r\n")[2].decode("utf-8", "replace").replace("\r\n", "\n")
    return ledger.words[identity]
