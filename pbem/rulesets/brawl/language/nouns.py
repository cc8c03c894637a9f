"""What a round can name that is no fighter by name: dice by letter and by face, whose something is, anybody."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pbem.ruleset import Names, Noun, Refused, Token, written
from pbem.rulesets.brawl.language.words import ROLES
from pbem.rulesets.brawl.state import COOP
from pbem.rulesets.brawl.words import FACES, no_die

LONGEST_CALL = 2
"""The words by which a die is called, at most."""
_BEFORE_I = frozenset(("drop", "delay", "keep", "with", "damage", "die", "my", "the"))
"""The words behind which I is a die; else it is who writes."""


class Dice(msgspec.Struct, frozen=True):
    """
    A die as it is called: a, a6, die a, the six; legality finds it in the pool, or says that it is not there.

    Shape: `letters` are those of the pool. Where `is_own`, no other letter is a die: nothing else says that one is
    meant. Where it `leads`, `a` by itself is none, since it may be an article. `pool` is how letters show it.
    """

    letters: frozenset[str]
    pool: str = ""
    is_own: bool = False
    leads: bool = False

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the die that is named at a place, in plain words, with the place behind it."""
        at = place + (text_at(tokens, place) in ("the", "my"))
        if at > place and re.fullmatch(r"[a-z][0-9]?", text_at(tokens, place - 1)):
            return  # between dice an article begins something else
        yield from _FACE.spans(tokens, at) if at > place else ()
        is_said = text_at(tokens, at) in ("die", "dice")
        at += is_said
        letter = text_at(tokens, at)
        if not re.fullmatch(r"[a-z][0-9]*", letter) or (self.is_own and letter[0] not in self.letters):
            return
        if letter == "w" and "w" not in self.letters:
            return  # with
        if letter == "i" and ("i" not in self.letters or text_at(tokens, at - 1) not in _BEFORE_I):
            return
        if self.leads and letter == "a" and at == place:
            return
        yield at + 1, letter
        texts = [token.text for token in tokens[at + 1 : at + 4]]
        if len(texts) == 3 and (texts[0], texts[2]) == ("(", ")"):
            yield from ((at + 4, letter),) if texts[1] in ROLES.values() else ()
            yield from ((at + 4, letter + texts[1]),) if texts[1].isdigit() and letter.isalpha() else ()

    def write(self, die: Any) -> str | None:
        """Write its letter; None for a die that somebody else gave."""
        return die if isinstance(die, str) and die != COOP else None

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say that a word is no die; more words are something else."""
        return None if len(tokens) > LONGEST_CALL else no_die(self.pool, written(tokens))


class Face:
    """A die by what it shows: six, 6, with the word for dice where that is said."""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the face that is named at a place, behind an article."""
        said = text_at(tokens, place)
        if said in FACES:
            behind = text_at(tokens, place + 1)
            yield (place + 2, f"the {said}") if behind == "die" else (place + 1, f"the {said}")
            if behind == "dice":
                yield place + 2, f"the {said} dice"

    def write(self, face: Any) -> str | None:
        """Write it without its article."""
        return face.removeprefix("the ") if isinstance(face, str) and face.startswith("the ") else None

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Leave it to the die by its letter."""


_FACE = Face()


class Fighters(msgspec.Struct, frozen=True):
    """Fighters by name; who writes is no beginning of one, and one of them only where `me` says which."""

    names: Names[str]
    me: str = ""

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield who may be named from a place on."""
        if text_at(tokens, place) not in ("i", "me", "myself"):
            yield from self.names.spans(tokens, place)
        elif self.me:
            yield place + 1, self.me

    def write(self, key: Any) -> str | None:
        """Write a name as orders have it."""
        return self.names.write(key)

    def why_not(self, tokens: Sequence[Token]) -> Refused | None:
        """Say that nobody is called so."""
        return self.names.why_not(tokens)


def text_at(tokens: Sequence[Token], place: int) -> str:
    """Return what stands at a place, "" outside of a sentence."""
    return tokens[place].text if 0 <= place < len(tokens) else ""


def dice_nouns(letters: frozenset[str], pool: str) -> dict[str, Noun]:
    """Return what can be called a die of a pool: where it is said to be one, where not, and at the head of a line."""
    return {
        "die": Dice(letters, pool),
        "own_die": Dice(letters, pool, is_own=True),
        "leading": Dice(letters, pool, is_own=True, leads=True),
        "face": _FACE,
    }
