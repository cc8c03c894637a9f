"""The rules of a ruleset as a page, each with an anchor by its number, so that a report can point at it."""

import re
from collections.abc import Collection
from importlib import resources
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

_CELL = re.compile(r"(?<=<td>)[^<]*(?=</td>)")
_NUMBER = re.compile(r"\b[A-Z][0-9]{1,2}\b")
_RULE = re.compile(r"<li>(\s*(?:<p>)?)<strong>([A-Z][\w.-]*)</strong>")


def page_of(ruleset: Any) -> Markup:
    """Return RULES.md of a ruleset as HTML; "" where it keeps none."""
    module = type(ruleset).__module__
    text = _read(module) or _read(module.rpartition(".")[0])
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = _RULE.sub(r'<li id="\2">\1<strong>\2</strong>', html)
    known = {*re.findall(r'<li id="([^"]+)">', html)}
    html = _CELL.sub(lambda cell: _NUMBER.sub(lambda one: _link(one[0], known), cell[0]), html)
    return Markup(html)  # noqa: S704  made from text, not from HTML


def _link(number: str, known: Collection[str]) -> str:
    """Link a number of the index to its rule."""
    return f'<a href="#{number}">{number}</a>' if number in known else number


def _read(package: str) -> str:
    try:
        return resources.files(package).joinpath("RULES.md").read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, TypeError, ValueError, ModuleNotFoundError):
        return ""
