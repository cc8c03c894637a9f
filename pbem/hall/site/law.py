"""The rules of a ruleset as a page, each with an anchor by its number, so that a report can point at it."""

import re
from importlib import resources
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

_RULE = re.compile(r"<li>(\s*(?:<p>)?)<strong>([A-Z][\w.-]*)</strong>")


def page_of(ruleset: Any) -> Markup:
    """Return RULES.md of a ruleset as HTML; "" where it keeps none."""
    module = type(ruleset).__module__
    text = _read(module) or _read(module.rpartition(".")[0])
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return Markup(_RULE.sub(r'<li id="\2">\1<strong>\2</strong>', html))  # noqa: S704  made from text, not from HTML


def _read(package: str) -> str:
    try:
        return resources.files(package).joinpath("RULES.md").read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, TypeError, ValueError, ModuleNotFoundError):
        return ""
