"""Which formal lines run by themselves: those that are done exactly as they are read back; and why others do not."""

from functools import lru_cache

from pbem.ruleset import Complaint
from pbem.rulesets.rumble.powers.language import cures, hindrances, reading
from pbem.rulesets.rumble.powers.language.lines import Effects


@lru_cache(maxsize=4096)
def abilities(text: str) -> Effects:
    """Return the abilities of formal lines; of none, and of what cannot be read, none."""
    found = reading.read(text) if text else ()
    return () if any(isinstance(one, Complaint) for one in found) else found  # type: ignore[return-value]


@lru_cache(maxsize=4096)
def runs(text: str) -> bool:
    """
    Say whether formal lines run by themselves: each ability, in each of its lines.

    What does not is ruled by the moderator, the whole power, so that nobody has to know which half is whose.
    """
    return bool(abilities(text)) and not complaints(text)


def running_abilities(text: str) -> Effects:
    """Return the abilities of formal lines that run by themselves; else none."""
    return abilities(text) if runs(text) else ()


@lru_cache(maxsize=1024)
def complaints(text: str) -> tuple[Complaint, ...]:
    """Complain of each line that reads and would not be done exactly as it is read back, and say what would be done."""
    found = abilities(text)
    each = [(place, one) for place, ability in enumerate(found) for one in hindrances.of_ability(ability)]
    wrong: dict[tuple[int, str], Complaint] = {}
    for place, one in (*each, *hindrances.together(found)):
        line = reading.line_of(text, place, one.key, one.part)
        wrong.setdefault((line.number, one.because), Complaint(line.number, line.text, "illegal", one.because))
    return tuple(sorted(wrong.values(), key=lambda complaint: complaint.line))


NONE = "No lines do that so far: it stays manual, and the moderator says with do what it did."


@lru_cache(maxsize=1024)
def cure(text: str) -> str:
    """Say which lines run that are nearest to some that do not, or that none do; "" where there is nothing to do."""
    found = reading.said(text)
    if not found or any(not ability.does and not cures.sound(ability) for ability in found):
        return ""
    near = cures.nearest(found)
    return f"This runs: {reading.on_one_line(near)}" if near else NONE
