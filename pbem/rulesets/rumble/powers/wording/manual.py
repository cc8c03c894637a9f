"""The manual of the power language, as facts made from its types and the archive; the words around are a template's."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from pbem.ruleset import Facts
from pbem.rulesets.rumble.powers.archive import Archived, archive
from pbem.rulesets.rumble.powers.language import expressions, forms, reading
from pbem.rulesets.rumble.powers.language.expressions import Name
from pbem.rulesets.rumble.powers.language.forms import Formed
from pbem.rulesets.rumble.powers.language.lines import Ability, Does
from pbem.rulesets.rumble.powers.language.nouns import NOUNS, SAID, shape

ROOM = 54
"""The columns of a letter behind the bar of an example."""
_SHOWN = (("cost: ", "choose: ", "do: deal "), ("instead: ", "optional", "if: "), ("cost: ", "", "when: "))
"""How lines of the whole examples begin; each is the shortest power with such lines that a letter has room for."""
_WITHOUT_FORM = Ability(at_reveal=True, tests=(Name("TEST"),), optional=True, ask="QUESTION")
_RULES = re.compile(r" ?\(((?:[A-Z][0-9]+(?:, )?)+)\)")


def facts() -> Facts:
    """Return the facts for `manual.j2`: examples, each kind of line with its forms, each word of expressions."""
    powers = [_example(power) for power in _examples()]
    return {
        "examples": powers,
        "keys": [{"word": word, "says": says, "forms": _forms(word)} for word, says in reading.KEYS.items()],
        "kinds": [{"word": kind.upper(), "says": says, "nouns": _nouns(kind)} for kind, says in SAID.items()],
        "comparisons": list(expressions.COMPARISONS),
        "most_lines": reading.MOST_LINES,
    }


def _examples() -> list[Archived]:
    by_length = sorted(archive(), key=lambda power: len(power.lines))
    return [next(power for power in by_length if _shows(power.lines.split("\n"), wanted)) for wanted in _SHOWN]


def _shows(lines: Sequence[str], wanted: Sequence[str]) -> bool:
    """Say whether each wanted beginning is that of a line, "" standing for a blank line, and whether all lines fit."""
    begun = all(any(line.startswith(start) if start else not line for line in lines) for start in wanted)
    return begun and all(len(line) <= ROOM for line in lines)


def _example(power: Archived) -> Facts:
    return {"name": power.name, "text": power.text, "lines": power.lines.split("\n")}


def _forms(key: str) -> list[Facts]:
    """Return the forms of a kind of line: how each looks, what it means, an example if the archive has one."""
    kinds = reading.KINDS.get(key)
    if kinds is None:
        shown = next(line for line in reading.write((_WITHOUT_FORM,)).split("\n") if re.match(key, line))
        lines = (line for power in archive() for line in power.lines.split("\n") if re.match(rf"{key}\b", line))
        return [{"shown": shown, "says": "", "rule": "", "example": _shortest(lines)}]
    return [
        {"shown": forms.spelled_out(kind), **meaning_and_rules(kind.__doc__ or ""), "example": _best(key, kind)}
        for kind in kinds
    ]


def _shortest(lines: Iterable[str]) -> str:
    return min((line for line in lines if len(line) <= ROOM), key=len, default="")


def meaning_and_rules(meaning: str) -> Facts:
    """Part what a docstring or a noun says, as far as its first blank line, from the keys of the rules in it."""
    first = " ".join(meaning.strip().split("\n\n", 1)[0].split()).replace("`", '"')
    rules = [key for match in _RULES.finditer(first) for key in match[1].split(", ")]
    return {"says": _RULES.sub("", first), "rule": ", ".join(rules)}


def _best(key: str, kind: type[Formed]) -> str:
    """Return the line of the archive that shows most of what a form can hold, and does so shortest; "" if none."""
    parts = [part for found, part in _all_parts() if found == key and type(part) is kind]
    written = {f"{key}: {forms.write(part)}": _extras(part) for part in parts}
    fitting = [line for line in written if len(line) <= ROOM]
    return min(fitting, key=lambda line: (-written[line], len(line), line), default="")


def _extras(part: Formed) -> int:
    """Count what stands in a line that might have been left out."""
    fields = {field for one in forms.form(part.FORM) if one.perhaps for field in one.fields}
    return sum(getattr(part, field) not in (None, False, "") for field in fields)


def _parts() -> Iterator[tuple[str, Formed]]:
    """Yield every part of a line in the archive that has a form, with the word that its line begins with."""
    for power in archive():
        for ability in reading.read(power.lines):
            assert isinstance(ability, Ability)
            for key, part in ability.rows():
                one = part.effect if isinstance(part, Does) else part
                if isinstance(one, Formed):
                    yield key, one


@cache  # each of forty forms looks for its example in them
def _all_parts() -> tuple[tuple[str, Formed], ...]:
    return tuple(_parts())


def _nouns(kind: str) -> list[Facts]:
    return [{"shown": shape(word), **meaning_and_rules(noun.says)} for word, noun in NOUNS.items() if noun.kind == kind]
