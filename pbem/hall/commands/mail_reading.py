"""How a mail was read, line by line, for a moderator who wants to see why; changes nothing."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pbem.hall.mail.outgoing import filing
from pbem.identity import game_letter
from pbem.letters import addressing, multipart, new_text, reading, writing
from pbem.speech import courtesies
from pbem.terms import Facts

_LETTER = re.compile(rf"({addressing.GAME})\.[\w.-]+")


def explain(raw: bytes, arena: Path | None) -> Facts:
    """
    Read a mail as the daemon would, and say what was taken for what.

    Shape: `token` is its first four characters; `automatic` says how we know that no person wrote it; `subtracted` is
    how many letters of ours were taken away: if the arena has the letter that is answered, that one and our latest to
    its reader. Each of `lines` has its `text`, and what it was `taken` for.
    """
    letter = reading.read(raw)
    ours = _answered(arena, letter.references) if arena else []
    found = _addressed(letter)
    new = reading.newly(letter, ours)
    return {
        "kind": letter.kind,
        "new_text": "\n".join(line.text for line in new),
        "from": list(letter.senders),
        "name": letter.name,
        "subject": addressing.masked(letter.subject),
        "game": found.game,
        "token": found.token[:4],
        "automatic": letter.automatic,
        "note": letter.note,
        "subtracted": len(ours),
        "lines": _lines(letter, ours, raw),
    }


def _lines(letter: reading.Letter, ours: Sequence[str], raw: bytes) -> list[Facts]:
    lines: list[Facts] = []
    for text, one in zip(letter.body, new_text.classified(letter.body, ours), strict=True):
        taken = "courtesy" if one.taken == "new" and courtesies.courtesy(text, letter.name) else one.taken
        lines.append({"text": addressing.masked(reading.without_marks(text)), "taken": taken})
    for text, why in reading.hidden(raw):
        lines.append({"text": addressing.masked(text), "taken": why})
    return lines


def _addressed(letter: reading.Letter) -> addressing.Addressed:
    """Find game and token whatever our address is: a mail can be looked at outside any arena."""
    for recipient in letter.to:
        local, _, host = recipient.rpartition("@")
        found = addressing.addressed([recipient], "", f"{local.partition('+')[0]}@{host}")
        if found.token:
            return found
    return addressing.addressed([], letter.subject, "")


def _answered(arena: Path, references: Iterable[str]) -> list[str]:
    """Return our letters that a mail may quote: those that it names, and our latest to the same reader."""
    wanted: dict[Path, None] = {}
    for reference in references:
        name = reference.strip("<>").rpartition("@")[0]
        match = _LETTER.fullmatch(name)
        out = arena / "games" / match[1] / "post" / "out" if match else arena
        letters = out.glob("*.eml") if match else ()
        found = next((path for path in letters if writing.name_of(path.read_bytes()) == name), None)
        if found is None:
            continue
        known = {path: one for path in out.glob("*.eml") if (one := game_letter(path.name.removesuffix(".eml")))}
        mine = [path for path, one in known.items() if found in known and one.reader == known[found].reader]
        latest = sorted(mine, key=lambda path: known[path].entry)[-filing.LATEST :]
        wanted.update(dict.fromkeys([found, *latest]))
    return [multipart.text_of(path.read_bytes()) for path in wanted]


WIDTH = 20
"""Columns of what a line was taken for."""


def as_text(file: str, read: Facts) -> str:
    """Write how a mail was read, for people."""
    sender = ", ".join(read["from"]) or "nobody that we can make out"
    place = f"{read['game']}, token {read['token']}..." if read["token"] else read["game"] or "none named"
    rows = [
        ("from", f"{sender} ({read['name']})" if read["name"] else sender),
        ("subject", read["subject"]),
        ("game", place),
        ("kind", f"{read['kind']}: {read['automatic']}" if read["automatic"] else read["kind"]),
        *([("note", read["note"])] if read["note"] else []),
        ("ours on file", f"{read['subtracted']} taken away" if read["subtracted"] else "none; told by marks alone"),
    ]
    head = [f"  {name:<{WIDTH}}  {value}".rstrip() for name, value in rows]
    lines = [f"  {line['taken']:<{WIDTH}}  {line['text']}".rstrip() for line in read["lines"]]
    return "\n".join([file, *head, "", *(lines or ["  There is no text in it."])])
