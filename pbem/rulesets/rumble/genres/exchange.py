"""Replaces words in texts, but not in people's names or inside quotation marks; knows no genre."""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

Pairs = tuple[tuple[str, str], ...]
"""Patterns without groups, of which the first that fits counts, each with its replacement."""


def exchanged(text: str, pairs: Pairs, names: Collection[str] = ()) -> str:
    """Replace words by their patterns, outside names and quotation marks; the article before a word follows it."""
    if not pairs:
        return text
    parts = _spared(tuple(sorted(names, key=len, reverse=True))).split(text)
    return "".join(part if place % 2 else _exchange(part, pairs) for place, part in enumerate(parts))


@lru_cache(maxsize=256)
def _spared(names: tuple[str, ...]) -> re.Pattern[str]:
    spared = "".join(rf"|(?<![\w-]){re.escape(name)}(?![\w-])" for name in names if name)
    return re.compile(rf'("[^"]*"{spared})')


@lru_cache(maxsize=256)
def _found(pairs: Pairs) -> re.Pattern[str]:
    old = "|".join(f"({old})" for old, _ in pairs)
    return re.compile(rf"(?:\b([Aa]n?) )?(?<![\w-])(?:{old})(?![\w-])")


def _exchange(text: str, pairs: Pairs) -> str:
    def new(match: re.Match[str]) -> str:
        assert match.lastindex
        words = pairs[match.lastindex - 2][1]
        if not match[1]:
            return words
        words = with_article(words)
        return capital(words) if match[1].istitle() else words

    return _found(pairs).sub(new, text)


def with_article(noun: str) -> str:
    """Put a or an before a noun."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def capital(text: str) -> str:
    """Return a text that begins with a capital letter; the rest of it is left as it is."""
    return text[:1].upper() + text[1:]


def third_person(verb: str) -> str:
    """Return the form of a verb that goes with he, she or it."""
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}{'es' if re.search(r'(?:s|x|z|ch|sh)$', verb) else 's'}"


def begun(text: str, words: Mapping[str, str]) -> str:
    """Replace the word with which a text begins, and nothing else in it."""
    match = _beginning(tuple(words)).match(text) if words else None
    return words[match[0].casefold()] + text[match.end() :] if match else text


@lru_cache(maxsize=256)
def _beginning(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?:{longest_first})(?![\w-])", re.IGNORECASE)
