"""Which formal lines run by themselves: those that are done exactly as they are read back; and why others do not."""

from collections.abc import Iterator
from functools import lru_cache

from pbem.ruleset import Complaint
from pbem.rulesets.rumble.powers.language import hindrances, lines, reading
from pbem.rulesets.rumble.powers.language.lines import Ability, Effects
from pbem.rulesets.rumble.powers.language.moments import Hindrance


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
    for place, one in (*each, *_together(found)):
        line = reading.line_of(text, place, one.key, one.part)
        wrong.setdefault((line.number, one.because), Complaint(line.number, line.text, "illegal", one.because))
    return tuple(sorted(wrong.values(), key=lambda complaint: complaint.line))


def _together(found: Effects) -> Iterator[tuple[int, Hindrance]]:
    """Say which abilities of a power would not be done as they read beside its others."""
    used = [(place, ability) for place, ability in enumerate(found) if is_used(ability)]
    for place, ability in used[1:]:
        because = "A power has one ability that is used, or taken up by choice, and this is a second."
        yield place, Hindrance(because, *_mark(ability))
    games = [(place, ability.nth) for place, ability in enumerate(found) if ability.nth and ability.nth.span == "game"]
    for place, nth in games[1:]:
        because = "What counts over a game is counted for the whole power, which has such a line already."
        yield place, Hindrance(because, "nth", nth)
    ending = [
        (place, one) for place, ability in enumerate(found) if ability.when == lines.RoundEnd() for one in ability.does
    ]
    if any(isinstance(one.effect, lines.Discard | lines.Give | lines.Swap) for _, one in ending):
        for place, one in ending:
            if isinstance(one.effect, lines.Win):
                because = "Powers go and change hands before it is seen who wins, so this one might be gone by then."
                yield place, Hindrance(because, "do", one)


def _mark(ability: Ability) -> tuple[str, object]:
    """Return the line that makes an ability one that is used."""
    if ability.costs:
        return "cost", ability.costs[0]
    return ("choose", ability.choices[0]) if ability.choices else ("optional", True)


def is_used(ability: Ability) -> bool:
    """Say whether an ability is one that its owner takes up, by an order or by what the rules say for silence."""
    return bool(ability.costs or ability.choices or ability.optional) and not isinstance(ability.when, lines.Won)
