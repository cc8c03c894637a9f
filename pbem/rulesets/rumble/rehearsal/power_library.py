"""The library of powers, for the terminal and the letters: the archive as plain facts, a reading, the manual."""

import re

import msgspec

from pbem.ruleset import Complaint, Facts, phrases
from pbem.rulesets.rumble.powers import archive
from pbem.rulesets.rumble.powers.language import reading
from pbem.rulesets.rumble.powers.language.lines import Ability
from pbem.rulesets.rumble.powers.language.runnable import complaints, cure
from pbem.rulesets.rumble.powers.spelling import spelled
from pbem.rulesets.rumble.powers.wording import manual as manual_facts
from pbem.rulesets.rumble.rehearsal import explanations, trials

PIECES = ("power", "powers")


def library() -> tuple[Facts, ...]:
    """Return the facts of every power of the archive, in order of number."""
    return tuple(_facts(power) for power in archive.archive())


def search(words: str) -> tuple[Facts, ...]:
    """Return the powers of the archive whose entry has all these words, in any case and either spelling."""
    wanted = [spelled(word.strip(".,;:!?")).casefold() for word in words.split()]
    rows = [(row, spelled("\n".join(str(row[fact]) for fact in _SOUGHT)).casefold()) for row in library()]
    return tuple(row for row, text in rows if all(word in text for word in wanted))


_SOUGHT = ("name", "number", "author", "aspect", "type", "tier", "text")
"""What a power is found by: what its source says of it, and nothing of how it runs."""


def find_piece(text: str) -> Facts | phrases.Unread:
    """
    Find a power of the archive by its name, a beginning of it, or its number, with what its lines mean.

    Errors: as `archive.find`.
    """
    if re.fullmatch(r"#?[0-9]{1,4}", text.strip()):
        found = [power for power in archive.archive() if power.number == int(text.strip().lstrip("#"))]
        last = len(archive.archive())
        return _whole(found[0]) if found else phrases.Unread("unreadable", f"The powers have the numbers 1 to {last}.")
    power = archive.find(text)
    return power if isinstance(power, phrases.Unread) else _whole(power)


def read_piece(text: str) -> str | tuple[Complaint, ...]:
    """
    Read a power's formal lines and write them as the archive does.

    Errors: a complaint of each line that does not read; else of each that would not be done as it is read back.
    """
    bare = _unframed(text)
    found = reading.read(bare)
    effects = tuple(one for one in found if isinstance(one, Ability))
    if len(effects) < len(found):
        nearest = [Complaint(0, "", "illegal", said)] if (said := cure(bare)) else []
        return (*(one for one in found if isinstance(one, Complaint)), *nearest)
    if hindered := complaints(bare):
        return (*hindered, Complaint(0, "", "illegal", f"{UNDONE} {cure(bare)}"))
    lines = reading.write(effects)
    wrong = trials.tried(lines).wrong
    return (Complaint(0, "", "illegal", wrong),) if wrong else lines


UNDONE = "All of it reads, and is not done as it is read. As it is, the moderator would say with do what the power did."


_OPENS = re.compile(r"\s*(?:do\s+)?(?:power\s+[^=:]+?|p[0-9]+)\s*=\s*", re.IGNORECASE)
_CLOSES = re.compile(r"\s*end\b\s*(?:because\b.*|[.!]*)", re.IGNORECASE)


def _unframed(text: str) -> str:
    """
    Take away what stands around formal lines in letters and in the manual; each line keeps its number.

    Shape: bars before them, `power P08 =` above, or before all of them on one line, and `end` below, with a reason.
    """
    rows = [re.sub(r"^\s*\|", "", row) for row in text.split("\n")]
    filled = [place for place, row in enumerate(rows) if row.strip()]
    if filled and (opens := _OPENS.match(rows[filled[0]])):
        rest = rows[filled[0]][opens.end() :]
        if rest.strip():
            rows[filled[0]] = reading.from_one_line(re.sub(r"\s+because\b.*", "", rest))
        else:
            rows[filled[0]] = ""
            rows[filled[-1]] = "" if _CLOSES.fullmatch(rows[filled[-1]]) else rows[filled[-1]]
    return "\n".join(rows)


def manual() -> Facts:
    """Return the facts for `manual.j2`."""
    return manual_facts.facts()


def _whole(power: archive.Archived) -> Facts:
    return _facts(power) | explanations.of_lines(power.lines)


def _facts(power: archive.Archived) -> Facts:
    facts: Facts = msgspec.to_builtins(power)
    return facts
