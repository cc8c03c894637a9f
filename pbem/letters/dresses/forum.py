"""Dresses for forums: a text in a fence that nothing inside it can end, below a line that says what it is."""

import re

_TICKS = re.compile("`+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+.!|~@&:-])")
_TAG = re.compile(r"\[(?=\s*/?\s*code)", re.IGNORECASE)


def markdown(title: str, text: str) -> str:
    """Return a text for a forum that reads Markdown (CommonMark); nothing of it is markup, and nobody is called."""
    ticks = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    return f"**{_SPECIAL.sub(_escaped, _line(title))}**\n\n{ticks}text\n{text.rstrip()}\n{ticks}\n"


def bbcode(title: str, text: str) -> str:
    """
    Return a text for a forum that reads BBCode.

    That has no way to write a bracket which is none, so that what would end the fence has another bracket in its place.
    """
    return f"[b]{_line(title).translate(_ROUND)}[/b]\n\n[code]\n{_TAG.sub('(', text.rstrip())}\n[/code]\n"


_ROUND = str.maketrans("[]", "()")


def _escaped(match: re.Match[str]) -> str:
    """Write a sign so that it is none; some forums look for @ before they read Markdown, so it is no @ there."""
    return "&#64;" if match[1] == "@" else f"\\{match[1]}"


def _line(text: str) -> str:
    return " ".join(text.split())
