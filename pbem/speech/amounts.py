"""Names that begin as orders do: with an amount that is put on somebody; knows no game."""

from collections.abc import Iterator, Sequence

from pbem.language.nouns import Numbers
from pbem.language.tokens import Token, cut

_AIMS = frozenset(
    (
        "on", "onto", "at", "against", "vs", "versus", "upon", "to", "into", "for", "auf", "gegen", "sur", "contre",
        "contra", "op", "tegen",
    )
)  # fmt: skip
_SHARES = (("all",), ("half",), ("everything",), ("rest",), ("the", "rest"))
_NUMBERS = Numbers()


def is_on_somebody(name: str) -> bool:
    """Say whether a name begins as orders do, with an amount that is put on somebody: "20 on Ada"."""
    tokens = [token for token in cut(name.replace("-", " "), is_first=False) if token.kind != "mark"]
    return any(end + 1 < len(tokens) and tokens[end].text in _AIMS for end in _ends(tokens))


def _ends(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the places behind an amount with which tokens begin."""
    texts = tuple(token.text for token in tokens)
    yield from (end for end, _ in _NUMBERS.spans(tokens, 0))
    yield from (len(share) for share in _SHARES if texts[: len(share)] == share)
