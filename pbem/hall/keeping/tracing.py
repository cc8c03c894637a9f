"""Traces one mail, or a letter of ours, in the files: where it lies and what became of it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from pbem.ground import identity
from pbem.ground.identity import ArenaLetter, GameLetter, Identity
from pbem.ground.terms import GameName, WorldError
from pbem.hall.keeping import mail_audit
from pbem.hall.mail.incoming.desk import desk, dispositions, pending
from pbem.hall.mail.outgoing import arena_letters, sending
from pbem.hall.store import append_only
from pbem.hall.store.arena import Arena
from pbem.letters import reading
from pbem.table.fold.journal import Entry

NOT_KNOWN = (
    "No mail with this Message-ID is known here. Mail that belongs to no game is kept for two weeks; mail that "
    "still waits in the mailbox is not searched."
)


def story(arena: Arena, message_id: str) -> list[str]:
    """Return what the files say of a mail, a line each; nothing of its text."""
    wanted = message_id.strip().strip("<>")
    if not wanted:
        return []
    lines = list(_kept_files(arena, wanted))
    causes = [line.rpartition("/")[2].removesuffix(".eml") for line in lines]
    for game in arena.games():
        lines += _in_game(arena, game, wanted, causes)
    lines += _at_desk(arena, causes)
    letter = identity.parse(arena_letters.identity_of(arena, wanted.rpartition("@")[0]))
    raw = arena_letters.find(arena, letter) if letter else None
    if letter and raw:
        lines.append(f"a letter of ours to {sending.recipient(raw)}{_results_text(arena, letter)}")
    return lines


def _kept_files(arena: Arena, wanted: str) -> Iterator[str]:
    """Find the mails of this Message-ID whose bytes are kept; one that came twice may be there twice."""
    for place in arena.mail_folders():
        for name in arena.shelf.names(*place):
            raw = arena.shelf.read(*place, name)
            if wanted.encode("utf-8", "replace") in raw and reading.read(raw).message_id.strip("<>") == wanted:
                yield f"kept as {'/'.join((*place, name))}"


def _in_game(arena: Arena, game: GameName, wanted: str, causes: Sequence[str]) -> Iterator[str]:
    try:
        for entry in mail_audit.entries(arena, game):
            known = getattr(entry, "message_id", "").strip("<>")
            if known == wanted or {getattr(entry, "cause", ""), getattr(entry, "confirms", "")} & set(causes):
                yield _entry_text(game, entry)
                yield from _answers(arena, game, entry)
    except WorldError as error:
        yield f"{game}: {error}"


def _entry_text(game: GameName, entry: Entry) -> str:
    seat, arrived = getattr(entry, "seat", ""), getattr(entry, "arrived", None)
    whose = f" of {seat}" if seat else ""
    when = f", arrived {_when(arrived)}" if arrived else ""
    return f"{game}, entry {entry.number}: {type(entry).__name__}{whose}, {dispositions.of_entry(entry)}{when}"


def _answers(arena: Arena, game: GameName, entry: Entry) -> Iterator[str]:
    """Yield the letters that an entry called for."""
    for name in arena.shelf.names("games", game, "post", "out"):
        letter = identity.game_letter(name.removesuffix(".eml"))
        if letter and letter.entry == entry.number:
            yield f"  letter {letter}{_results_text(arena, letter)}"


def _at_desk(arena: Arena, causes: Sequence[str]) -> Iterator[str]:
    for entry in pending.entries(arena):
        if entry["cause"] in causes:
            where = f" for {entry['game']}" if entry.get("game") else ""
            yield f"at the desk{where}: {entry['why']}, arrived {_when(entry['arrived'])}"
    for cause in causes:
        if arena.shelf.exists("strays", f"{cause}.txt"):
            why = arena.shelf.read("strays", f"{cause}.txt").decode("utf-8", "replace").strip()
            yield f"among the strays: {why}"
        for name in arena.shelf.names("desk", "post", "out"):
            letter = identity.parse(name.removesuffix(".eml"))
            if isinstance(letter, ArenaLetter) and letter.sort == "desk" and letter.about == desk.mark_of(cause):
                yield f"  letter {letter}{_results_text(arena, letter)}"


def _results_text(arena: Arena, letter: Identity) -> str:
    """Say what became of a letter of ours when it was sent."""
    post = ("games", letter.game, "post") if isinstance(letter, GameLetter) else ("desk", "post")
    lines = append_only.read("sent", arena.shelf, *post, "sent.toml")
    tries = [line for line in lines if line["letter"] == str(letter)]
    return "".join(f"; {_when(line['at'])}: {line['result']}" for line in tries) or "; not sent yet"


def _when(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
