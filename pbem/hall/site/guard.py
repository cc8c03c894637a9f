"""What must never stand on a page: taken out of what people wrote, and looked for in the bytes of each page."""

import html
import re
from collections.abc import Iterable

from pbem.ground.terms import SiteError
from pbem.letters.dresses.text import printable

_OF_ADDRESS = r"[^\s@<>()\[\]\",;:]"
ADDRESS = re.compile(rf"(?<!{_OF_ADDRESS}){_OF_ADDRESS}++@{_OF_ADDRESS}*\w")
"""It begins where a run of such letters does, so that a long text is looked through once."""
PERSON = re.compile(r"p-[0-9a-f]{10}")
BEGINNING = 4
"""How many characters of a token or a key may be told."""
_LIKE_TOKEN = re.compile(r"(?=([a-z2-7]{16}))")
_LIKE_KEY = re.compile(r"(?=([0-9a-f]{64}))")


class Guard:
    """
    Keeps addresses, people's ids, tokens and keys off the site.

    Shape: `keys` are those of the arena and of its open games, in hexadecimal digits; `tokens` are those of the game
    whose pages are made. `taken` are the words that were taken out for it so far, in their order; of a token or a key
    only the beginning.
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        """Take the keys that are secret."""
        self.keys = frozenset(keys)
        self.tokens: frozenset[str] = frozenset()
        self.taken: dict[str, None] = {}

    def begin(self, tokens: Iterable[str]) -> None:
        """Begin with the pages of another game, which has these tokens."""
        self.tokens, self.taken = frozenset(tokens), {}

    def text(self, value: object) -> object:
        """Return a value as a page may show it: without what is unseen, or was written and must not stand there."""
        if type(value) is not str:
            return value
        said = printable(value)
        said = self._without(ADDRESS, "(an address)", said) if "@" in said else said
        said = self._without(PERSON, "(a person)", said) if "p-" in said else said
        for secret in sorted(self._secrets(said)):
            said = self._without(_exactly(secret), "(a token)", said)
        return said

    def _without(self, what: re.Pattern[str], instead: str, text: str) -> str:
        def taken(match: re.Match[str]) -> str:
            self.taken[self._shortened(match[0])] = None
            return instead

        return what.sub(taken, text)

    def _shortened(self, word: str) -> str:
        """Return a word of which no token or key is more than its beginning."""
        for secret in sorted(self._secrets(word)):
            word = _exactly(secret).sub(lambda match: f"{match[0][:BEGINNING]}...", word)
        return word

    def fault(self, path: str, page: str) -> str:
        """
        Look through a page as it will be written; say what must not be on it, and nothing of that, else "".

        Shape: it is looked at as it is read, since what a page says for a mark, such as `&#34;`, is no letter.
        """
        page = page if path.endswith(".txt") else html.unescape(page)
        if ADDRESS.search(page):
            found = "an address"
        elif PERSON.search(page):
            found = "the id of a person"
        elif self._secrets(page):
            found = "a token or a key"
        else:
            return ""
        return f"The page {path} would show {found}, and was left as it was."

    def check(self, path: str, page: str) -> None:
        """Look through a page. Errors: SiteError with what must not be on it."""
        if fault := self.fault(path, page):
            raise SiteError(fault)

    def _secrets(self, text: str) -> set[str]:
        lower = text.lower()
        tokens = {match[1] for match in _LIKE_TOKEN.finditer(lower)} & self.tokens if self.tokens else set()
        keys = {match[1] for match in _LIKE_KEY.finditer(lower)} & self.keys if self.keys else set()
        return tokens | keys


def _exactly(secret: str) -> re.Pattern[str]:
    return re.compile(re.escape(secret), re.IGNORECASE)
