"""From facts and a template to what a letter says, in the dress that is asked for; pure."""

from collections.abc import Callable, Mapping, MutableMapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import jinja2
from jinja2 import meta

from pbem.ground.terms import Facts, TemplateError
from pbem.letters.dresses import marked, text

Dress: TypeAlias = Literal["text", "marked"]
"""Lines as mail has them, or lines with marks of what they are, which `dresses.document` reads."""

_FILTERS: dict[Dress, dict[str, Callable[..., Any]]] = {"text": text.FILTERS, "marked": marked.FILTERS}


class _Words(jinja2.Environment):
    """Templates, as Jinja reads them; what stands in facts is found eight times as fast."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """
        Return what `obj.attribute` means in a template.

        Jinja looks for an attribute first and, when there is none, for a key. Facts are dictionaries, where that first
        look nearly always fails, which is slow. So look for the key at once, unless all dictionaries have such an
        attribute.
        """
        if type(obj) is not dict or attribute in _OF_DICTIONARIES:
            return super().getattr(obj, attribute)
        try:
            return obj[attribute]
        except KeyError:
            return self.undefined(obj=obj, name=attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """
        Return what every template knows, as a plain dictionary.

        Jinja's own chain of dictionaries is slow, and each import in a template looks through all of it.
        """
        return {**self.globals, **(d or {})}


_OF_DICTIONARIES = frozenset(dir(dict))


class _Marked(_Words):
    """Templates in the dress that others are made from."""


def environment(templates: Mapping[str, str], dress: Dress = "text") -> jinja2.Environment:
    """
    Return the environment that renders templates; a missing fact is an error, never a blank.

    Shape: `templates` maps names such as "toy/report.j2" to their source. The same templates give the same place,
    since to compile one takes longer than to render it a hundred times.
    """
    return _environment(tuple(sorted(templates.items())), dress)


@lru_cache(maxsize=8)
def _environment(templates: tuple[tuple[str, str], ...], dress: Dress) -> jinja2.Environment:
    env = (_Marked if dress == "marked" else _Words)(
        loader=jinja2.DictLoader(dict(templates)),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        auto_reload=False,  # the words of a process do not change
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.do"],
    )
    env.filters |= _FILTERS[dress]
    return env


def render(env: jinja2.Environment, name: str, facts: Facts) -> str:
    """
    Render a template: as text, with runs of blank lines closed up and no blanks at line ends.

    Errors: TemplateError with the template's name, the line where it is known, and what was missing.
    """
    try:
        said = env.get_template(name).render(facts)
    except jinja2.TemplateError as error:
        raise TemplateError(_mistake(name, error)) from error
    return said if isinstance(env, _Marked) else text.tidy(said)


@lru_cache(maxsize=8)  # the words of a ruleset are looked through at every founding, and never change
def mistakes(env: jinja2.Environment, names: tuple[str, ...]) -> tuple[str, ...]:
    """Say which of these templates, and of those that they use, are missing or cannot be read, and why."""
    assert env.loader
    found, seen = [], list(names)
    for name in seen:
        try:
            tree = env.parse(env.loader.get_source(env, name)[0])
        except jinja2.TemplateError as error:
            found.append(_mistake(name, error))
        else:
            seen += [used for used in meta.find_referenced_templates(tree) if used and used not in seen]
    return tuple(found)


def _mistake(name: str, error: jinja2.TemplateError) -> str:
    if isinstance(error, jinja2.TemplateNotFound):
        return f"the template {error.name} is missing"
    place = f"{name}, line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else name
    return f"{place}: {error.message}"
