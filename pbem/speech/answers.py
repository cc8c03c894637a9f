"""What a mail answers where a yes or a no is asked, or one of several things with numbers; knows not what."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from pbem.ground.terms import OrderLine
from pbem.language.nouns import Nth, Numbers
from pbem.language.parses import Language, Parses
from pbem.language.sentences import Sentence, sentences
from pbem.language.shapes import Shapes
from pbem.language.tokens import Token, cut
from pbem.language.words import WordClasses, table
from pbem.speech import chatter
from pbem.speech.courtesies import courtesy

Kind: TypeAlias = Literal["yes", "no", "number"]
LONGEST = 12
"""The words of the longest sentence that answers."""
LONGEST_LINE = 200
"""Characters of the longest line of a mail that answers."""
MOST_LINES = 12
"""The lines of the longest mail that answers: whoever writes more says more."""
_END = Token("mark", "")
"""The end of a line."""


class Answer(NamedTuple):
    """A yes, a no, or a number, which is 0 in the others."""

    kind: Kind
    number: int = 0


WORDS = WordClasses(table("pbem.speech", "tables/answers.words"))
"""The words that answer, by class."""
_LANGUAGE = Language(
    words=WORDS,
    shapes=Shapes(table("pbem.speech", "tables/answers.shapes")),
    nouns={"number": Numbers(1, 99), "nth": Nth()},
    acts={
        "yes": lambda: Answer("yes"),
        "no": lambda: Answer("no"),
        "number": lambda n: Answer("number", n),
        **{kind: (lambda: True) for kind in ("kind", "kinds", "more", "less")},
    },
)
_PICTURES = {
    ord(word): f" {WORDS.canonical(kind)} "
    for kind in ("YES", "NO")
    for word in WORDS.single(kind)
    if len(word) == 1 and not word.isalnum()
}
"""Pictures that answer, with the words for them."""


def answer(text: str) -> Answer | None:
    """Return what a line answers as a whole, None where it says more, less or asks."""
    said = _sentences([text])
    found = {_meaning(one) for one in said}
    return found.pop() if len(found) == 1 and not any(one.is_question for one in said) else None


def declines(lines: Sequence[OrderLine]) -> bool:
    """Say whether a mail begins with a no, up to a mark, and nothing behind that may be a yes: `No - I have exams`."""
    texts = [line.text.translate(_PICTURES)[:LONGEST_LINE] for line in lines[:MOST_LINES]]
    tokens = [token for text in texts for token in (*cut(text), _END)]
    for place, token in enumerate(tokens[: 2 * LONGEST]):
        if token.kind == "mark" and _read(tokens[:place]) == Answer("no"):
            return not WORDS.any_in("AGREES", [one.text for one in tokens[place:]])
    return False


def answered(lines: Sequence[OrderLine], own: str = "") -> Answer | None:
    """
    Return what a mail answers, None where that is not clear.

    Shape: it begins with the answer; what stands below it is talk all of whose words are harmless, and no question, so
    that no machine's letter is an answer, whatever its first word. `own` is the name with which its writer signs.
    """
    new = [line.text for line in lines if line.text.strip()]
    texts = [text for text in new if answer(text) or not courtesy(text, own)] if len(new) <= 2 * MOST_LINES else []
    said = _sentences(texts) if len(texts) <= MOST_LINES else []
    meant = [_meaning(one) for one in said]
    others = [one for one, meaning in zip(said, meant, strict=True) if meaning is None]
    if not meant or meant[0] is None or any(one.is_question for one in said):
        return None
    is_one = set(meant) <= {meant[0], None}
    return meant[0] if is_one and all(chatter.is_harmless(one.text) for one in others) else None


def _sentences(texts: Sequence[str]) -> list[Sentence]:
    """Return the sentences of some lines, pictures in words, but for those of kind words alone; none of a long line."""
    if any(len(text) > LONGEST_LINE for text in texts):
        return []
    lines = (OrderLine(number, text.translate(_PICTURES)) for number, text in enumerate(texts, 1))
    return [one for one in sentences(_LANGUAGE, tuple(lines)) if one.is_question or not _is_kind(one)]


def _is_kind(sentence: Sentence) -> bool:
    said = _worded(sentence.tokens)
    return len(said) <= LONGEST and Parses(_LANGUAGE, said).whole("kinds") != ()


def _meaning(sentence: Sentence) -> Answer | None:
    return _read(sentence.tokens)


def _read(tokens: Sequence[Token]) -> Answer | None:
    """Return what tokens answer, marks left out."""
    said = _worded(tokens)
    found = Parses(_LANGUAGE, said).whole("said") if 0 < len(said) <= LONGEST else ()
    meant = {one for one in found if isinstance(one, Answer)}
    return meant.pop() if len(meant) == 1 else None


def _worded(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.kind != "mark"]
