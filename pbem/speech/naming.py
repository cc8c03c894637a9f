"""How a name ends that somebody wrote behind a form: in kind words that are no part of it, or in quotation marks."""

from pbem.speech.courtesies import courtesy
from pbem.speech.typed import asked


def without_kind_words(said: str) -> str:
    """Return a name without the kind words behind it: `Mantisman please`; in quotation marks all is the name."""
    if _is_in_quotes(said):
        return said
    name, kind = _parted(said)
    if kind and (kind.startswith(",") or kind == kind.lower()):
        return name
    head, comma, tail = said.rpartition(",")
    return head.rstrip() if comma and courtesy(tail) and head.strip() else said


def doubt(said: str) -> str:
    """Return how a name ends that may end in kind words instead, or ""; in quotation marks it does not."""
    if _is_in_quotes(said):
        return ""
    words = said.split()
    tails = (" ".join(words[place:]) for place in range(1, len(words)))
    return _parted(said)[1].strip() or next((tail for tail in tails if tail == tail.lower() and courtesy(tail)), "")


def is_meant(said: str) -> bool:
    """Say whether a name is in quotation marks, and ends as kind words do."""
    return _is_in_quotes(said) and bool(doubt(said[1:-1].strip()))


def _parted(said: str) -> tuple[str, str]:
    """Part a name from what asks for it kindly behind it; a name is never all of that."""
    name = asked(f"{_ANY}{said}").removeprefix(_ANY)
    return name, said[len(name) :]


_ANY = "x"
"""What stands before a name so that nothing at its head is taken for kind words."""


def _is_in_quotes(said: str) -> bool:
    return len(said) > 2 and said[0] == said[-1] == '"'
