"""The numbered rules of a ruleset, as its RULES.md has them: what letters cite, and what can be sent for."""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

_RULE = re.compile(r"^- \*\*([\w.-]+)\*\* (.+(?:\n  .+)*)", re.MULTILINE)


def rules(ruleset: Any) -> Mapping[str, str]:
    """Return the words of each rule by its number, in the order of the file; {} where a ruleset keeps no RULES.md."""
    module = type(ruleset).__module__
    return _read(module) or _read(module.rpartition(".")[0])


@lru_cache
def _read(package: str) -> Mapping[str, str]:
    try:
        text = resources.files(package).joinpath("RULES.md").read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, TypeError, ValueError, ModuleNotFoundError):
        return {}
    return {number: " ".join(re.sub(r"[*`]", "", words).split()) for number, words in _RULE.findall(text)}
