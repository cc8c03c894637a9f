"""
What a sentence comes to by the words in it that weigh, where no shape has the whole of it: offered, never taken.

People frame an order in more ways than any table has; what they frame is always the same few things: whom, how much,
and what for. So a game has a second, coarse table over these alone, and all other words are left out of a sentence
before it is read by that. What turns or binds a sentence weighs too, and no shape has it, so that no gist is found.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from pbem.language.beside import without_rounds
from pbem.language.nouns import Names
from pbem.language.parses import Language, Meaning, Noun, Parses
from pbem.language.sentences import Sentence
from pbem.language.shapes import Shapes
from pbem.language.tokens import Token
from pbem.language.weighing import GAP, SHARES, WORDS, has_any, others_at, own_classes, weighed
from pbem.language.words import WordClasses, table

STRICT, LOOSE = "gist", "loose_gist"
"""The kinds of a game's coarse table: parts with their separators between them, and with none."""
MOST_WEIGHTY = 40
"""The words that weigh in the longest sentence that is looked into."""


def coarse_tables(
    package: str, name: str, nouns: Collection[str], *, forms: Sequence[str] = ()
) -> tuple[WordClasses, Shapes]:
    """
    Return the words and the shapes of a coarse table, `name.words` and `name.shapes` in a package.

    Shape: to its words those that weigh in every game are added, and to those of `forms` theirs: hits, hitting.
    """
    words = with_forms(WORDS | WordClasses(table(package, f"{name}.words")), forms)
    shapes = Shapes(table(package, f"{name}.shapes"))
    shapes.check(words, nouns)
    return words, shapes


def coarse(
    language: Language,
    words: WordClasses,
    shapes: Shapes,
    nouns: Mapping[str, Noun],
    acts: Mapping[str, Callable[..., Meaning | None]],
) -> Language:
    """Return the coarse language of a game: words and shapes of its coarse table, nouns, and what each act means."""
    things = frozenset(kind for kind, noun in nouns.items() if isinstance(noun, Names))
    return msgspec.structs.replace(
        language, words=words, shapes=shapes, nouns=nouns, acts=acts, things=things, tiers=(STRICT, LOOSE), gist=None
    )


def gist(
    language: Language, tokens: Sequence[Token], *, asks: bool = False, about: str = ""
) -> tuple[Meaning, ...] | None:
    """
    Return the orders to which the weighty words of a sentence come, none where it says that nothing is done.

    Shape: None where there is no such reading, or more than one. Whoever `asks` has to ask us to do it; `about` is
    whom sentences before it have named, as him in this one.
    """
    at = language.gist
    if at is None or (asks and not _asks_us(at, [token.text for token in tokens])):
        return None
    weighty = weighed(language, without_rounds(tokens), about)
    if not weighty.tokens or len(weighty.tokens) > MOST_WEIGHTY or weighty.hinders:
        return None
    parted = _trimmed(at, weighty.tokens)
    whole = [token for token in parted if not at.words.has("SEP", token.text)]
    is_list = weighty.count("number") > 1 and not weighty.count(GAP)
    ways = [(STRICT, parted), *([(LOOSE, whole)] if weighty.has_deed or is_list else [])]
    for kind, said in ways:
        parses = Parses(at, said)
        found = tuple(meaning for meaning in parses.whole(kind) if isinstance(meaning, tuple))
        if parses.is_over or len(found) > 1:
            return None
        if found:
            return found[0]
    return None


def _asks_us(at: Language, texts: Sequence[str]) -> bool:
    """Say whether a question asks us to do something: `could you`, `can I`, with a please; not `can Bolt`."""
    is_polite = any(at.words.has("POLITE", text) for text in texts[:1])
    return is_polite and not _ASKED.isdisjoint((*texts[1:2], *(text for text in texts if text in ("please", "pls"))))


_ASKED = frozenset(("you", "u", "i", "we", "please", "pls"))
"""Who is asked, or for whom, right behind the first word; and what makes any question a request."""


class Spared(msgspec.Struct, frozen=True):
    """Something of which a sentence says that nothing is done with it."""

    on: str


def once(said: Sequence[Meaning], about: Callable[[Meaning], str]) -> tuple[Meaning, ...] | None:
    """Return orders of which no two are about the same, nor about what the sentence spares; else None."""
    spared = {one.on for one in said if isinstance(one, Spared)}
    orders = tuple(one for one in said if not isinstance(one, Spared))
    things = [about(one) for one in orders]
    return orders if len(set(things)) == len(things) and spared.isdisjoint(things) else None


def about_it(whom: Callable[[Meaning], str], on: str, orders: Sequence[Meaning]) -> Sequence[Meaning] | None:
    """Return orders behind somebody who was named first, if one of them is about that one: Bo annoys me, so hit him."""
    return orders if any(whom(order) == on for order in orders) else None


def with_whom(language: Language, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield sentences, those that say him or her with the one whom those before them have named last."""
    at, named = language.gist, ""
    for one in sentences:
        yield msgspec.structs.replace(one, about=named) if named and any(map(_says_him, one.tokens)) else one
        places = range(len(one.tokens)) if at else ()
        found = {whom for place in places if at and (whom := others_at(at, one.tokens, place))}
        goes_on = not found and any(token.text in _OF_SOMEBODY for token in one.tokens)
        named = named if goes_on else found.pop() if len(found) == 1 and not any(map(_says_him, one.tokens)) else ""


_OF_SOMEBODY = frozenset(("he", "she", "him", "her", "his", "they", "them"))
"""With these a sentence goes on about whoever was named before it."""


def _says_him(token: Token) -> bool:
    return token.text in ("him", "her")


def may_have_gist(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether a sentence has a word of a coarse table that says what is done, or how much without a number."""
    return has_any(language, [token.text for token in tokens], (*own_classes(language), *SHARES))


def has_share(language: Language, tokens: Sequence[Token]) -> bool:
    """Say whether words have a part of all there is, in a game with a coarse table."""
    return has_any(language, [token.text for token in tokens], SHARES)


def with_forms(words: WordClasses, deeds: Sequence[str]) -> WordClasses:
    """Return words with the forms in which people use the single ones of some classes: he punches, punching."""
    rows = (
        f"{name} {' '.join(_of_word(word))}" for name in deeds for word in sorted(words.single(name)) if len(word) > 2
    )
    return words | WordClasses("\n".join(rows))


def _of_word(word: str) -> Iterator[str]:
    if not word.endswith(("ed", "es")):
        yield f"{word}es" if word.endswith(("s", "h", "x", "z")) else f"{word}s"
        stem = word.removesuffix("e")
        yield from (f"{stem}ing", f"{stem}{stem[-1]}ing")


def _trimmed(at: Language, tokens: Sequence[Token]) -> list[Token]:
    """Leave out separators at both ends, and beside others."""
    kept: list[Token] = []
    for token in tokens:
        if not at.words.has("SEP", token.text) or (kept and not at.words.has("SEP", kept[-1].text)):
            kept.append(token)
    return kept[:-1] if kept and at.words.has("SEP", kept[-1].text) else kept
