"""Formal lines of powers with one word less: every line, part and side of an expression that can be left out."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.rulesets.rumble.powers.language import expressions, forms, reading
from pbem.rulesets.rumble.powers.language.expressions import Call, Expression, Join, Not, Where
from pbem.rulesets.rumble.powers.language.forms import Formed
from pbem.rulesets.rumble.powers.language.lines import FIELDS, Ability, Does
from pbem.rulesets.rumble.powers.language.runnable import abilities, runs


def shortened(text: str) -> Iterator[str]:
    """Yield lines that run as well, each with something left out of the lines of a power that runs."""
    found = abilities(text)
    less = [found[:place] + found[place + 1 :] for place in range(len(found))] if len(found) > 1 else []
    less += [
        (*found[:place], shorter, *found[place + 1 :])
        for place, ability in enumerate(found)
        for shorter in _of_ability(ability)
    ]
    written = [reading.write(one) for one in less] + [*_of_words(text)]
    for lines in dict.fromkeys(written):
        if lines != text and runs(lines):
            yield lines


def _of_ability(ability: Ability) -> Iterator[Ability]:
    change = msgspec.structs.replace
    for field in FIELDS.values():
        said = getattr(ability, field)
        if isinstance(said, tuple):
            for place, part in enumerate(said):
                before, after = said[:place], said[place + 1 :]
                yield change(ability, **{field: before + after})
                for shorter in _of_part(part):
                    yield change(ability, **{field: (*before, shorter, *after)})
        elif said:
            yield change(ability, **{field: type(said)() if isinstance(said, bool | str) else None})
            if not isinstance(said, bool | str):
                for shorter in _of_part(said):
                    yield change(ability, **{field: shorter})


def _of_part(part: Any) -> Iterator[Any]:
    """Yield a line with something left out."""
    if isinstance(part, Does):
        yield from (Does(effect, part.test) for effect in _of_part(part.effect))
        yield from (Does(part.effect, test) for test in _of_expression(part.test)) if part.test else ()
        if part.test:
            yield Does(part.effect)
    elif isinstance(part, Expression):
        yield from _of_expression(part)
    else:
        yield from _of_formed(part)


def _of_formed(part: Formed) -> Iterator[Formed]:
    empty = {field.name: field.default for field in msgspec.structs.fields(type(part)) if not field.required}
    for piece in forms.form(part.FORM):
        if piece.perhaps and any(getattr(part, field) not in (None, False, "") for field in piece.fields):
            yield msgspec.structs.replace(part, **{field: empty[field] for field in piece.fields})
    for blank, value in forms.blanks(part):
        if isinstance(value, Expression):
            yield from (msgspec.structs.replace(part, **{blank.field: less}) for less in _of_expression(value))


def _of_expression(of: Expression) -> Iterator[Expression]:
    match of:
        case Join(sign, left, right):
            yield from (left, right) if sign in ("and", "or", "+", "-", "*", "/") else ()
            yield from (Join(sign, less, right) for less in _of_expression(left))
            yield from (Join(sign, left, less) for less in _of_expression(right))
        case Where(among, test):
            yield among
            yield from (Where(less, test) for less in _of_expression(among))
            yield from (Where(among, less) for less in _of_expression(test))
        case Not(inner):
            yield inner
            yield from (Not(less) for less in _of_expression(inner))
        case Call(word, parts):
            yield from (Call(word, parts[:last]) for last in range(1, len(parts)))
            for place, part in enumerate(parts):
                yield from (Call(word, (*parts[:place], less, *parts[place + 1 :])) for less in _of_expression(part))


def _of_words(text: str) -> Iterator[str]:
    """Yield lines without any one of their words, where they read then."""
    rows = text.split("\n")
    for place, row in enumerate(rows):
        key, colon, rest = row.partition(":")
        tokens = expressions.tokens(rest)
        words = [token.text for token in tokens] if isinstance(tokens, tuple) else []
        for taken in range(len(words)):
            left = " ".join(words[:taken] + words[taken + 1 :])
            found = reading.read("\n".join([*rows[:place], f"{key}{colon} {left}", *rows[place + 1 :]]))
            if isinstance(found[0], Ability):
                yield reading.write(found)
