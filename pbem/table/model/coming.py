"""Who comes, by which name and from where, as people say it who were invited; one name, said clearly, or none."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbem.ground.terms import OrderLine
from pbem.language import phrases
from pbem.language.beside import corrects
from pbem.language.sentences import Sentence, is_full, sentences
from pbem.language.tokens import Token, cut
from pbem.speech import chatter
from pbem.speech.courtesies import courtesy
from pbem.table.model.coming_words import LANGUAGE, WORDS, Said, behind_forms, parts_of

_GREETED = re.compile(r"(?:\S+ ){0,2}\S+,")
"""The line with which a mail begins to somebody: `Gwen,`."""
MOST_SIGNED = 2
"""The words with which somebody signs."""
MOST_LINES = 40
"""The lines of the longest mail that is looked into; nobody says more who only comes."""


def called(lines: Sequence[OrderLine], own: str = "") -> str:
    """
    Find the one name that a mail says; "" where it is not clear.

    Shape: a mail that may say no, or that says two names, says none: a sentence does that by a word of doubt or one
    that turns, beside the name, in a few words, or about coming; a longer one tells of something else. A name by itself
    is one behind a yes, or where it is all that a mail says, but for the writer's `own`.
    """
    said = beneath_greeting(lines, (own,))
    if len(said) > MOST_LINES:
        return ""
    heard = [*map(_heard, sentences(LANGUAGE, said))]
    if is_corrected(said) or any(map(_takes_back, heard)):
        return ""
    is_plain, asks = not any(one.turns for one in heard), any(one.asks for one in heard)
    told = [one for one in heard if not one.asks and (one.is_sure or not one.has("weak"))]
    parts = [part for one in told for part in one.parts]
    named = {name for one in told for name in one.names("weak", "named", "begun")}
    named |= _behind_a_yes(parts) if is_plain else set()
    if asks and named <= {name for one in told for name in one.names("weak")}:
        return ""
    if not named and is_plain:
        return _alone(said, parts)
    rivals = {name for one in told if one.has(*_NAMED) for name in one.names("bare")}
    cuts = sentences(LANGUAGE, said) if named else ()
    rivals |= {name for one in cuts for _, name in behind_forms(one.tokens, "told") if name[:1].isupper()}
    names = {name for name in named | rivals if not courtesy(name, own)} or named
    return names.pop() if len(names) == 1 and names <= named else ""


_SURE = ("come", "named", "weak", "place")
"""What a sentence says that says nothing else, so that no word in it takes anything back."""
_NAMED = ("named", "weak", "begun")
SHORTEST_STORY = 5
"""The words of a sentence that tells of something of its own; a shorter one may take back what stands beside it."""


class _Heard(NamedTuple):
    """A sentence: its parts, each with the mark before it; whether it asks, and has a word that turns or doubts."""

    parts: tuple[tuple[str, Said], ...]
    words: tuple[str, ...]
    asks: bool
    turns: bool

    @property
    def is_sure(self) -> bool:
        """Whether it says nothing but who comes, as whom and from where."""
        return all(part.kind in _SURE for _, part in self.parts)

    def names(self, *kinds: str) -> list[str]:
        """Return what its parts of some kinds say."""
        return [part.what for _, part in self.parts if part.kind in kinds]

    def has(self, *kinds: str) -> bool:
        """Say whether it has a part of some kinds."""
        return bool(self.names(*kinds))


def _heard(sentence: Sentence) -> _Heard:
    words = tuple(token.text for token in sentence.tokens if token.kind != "mark")
    heard = _Heard(parts_of(sentence), words, sentence.is_question, turns=False)
    turns = chatter.may_change(sentence.text) or WORDS.any_in("DOUBT", words)
    return heard._replace(turns=turns and not heard.is_sure)


def _takes_back(one: _Heard) -> bool:
    """Say whether a sentence may take back that somebody comes, or under that name, or put a condition to it."""
    is_about = any(WORDS.any_in(kind, one.words) for kind in ("ABOUT", "DOUBT"))
    is_near = one.has(*_NAMED) or len(one.words) < SHORTEST_STORY
    return one.turns and (is_about or is_near or WORDS.has("TURN", one.words[0]))


def _behind_a_yes(parts: Sequence[tuple[str, Said]]) -> set[str]:
    """Return the names that stand by themselves behind a yes; behind a comma it may be whom one speaks to."""
    both = pairwise(parts)
    return {
        now.what for (_, before), (mark, now) in both if before.kind == "come" and now.kind == "bare" and mark != ","
    }


def _alone(said: Sequence[OrderLine], parts: Sequence[tuple[str, Said]]) -> str:
    """Return the name that is all that a mail says, or stands before a place or a please; "" for none."""
    first, *others = parts or [("", Said(""))]
    is_one = first[1].kind == "bare" and all(part.kind in ("place", "please") for _, part in others)
    return first[1].what if is_one and (others or _is_all(said, first[1].what)) else ""


def beneath_greeting(lines: Sequence[OrderLine], others: Collection[str]) -> list[OrderLine]:
    """
    Return the lines of a mail without its greeting and its end, those joined that a mail program has broken.

    Shape: what stands below the writer's own name says who they are elsewhere.
    """
    said: list[OrderLine] = []
    is_broken = False
    for place, line in enumerate(lines):
        text = line.text.strip()
        if any(courtesy(text, one) for one in others):
            if said and not courtesy(text):
                break
            is_broken = False
            continue
        if _is_signature(text, lines[place - 1] if place else line, lines[place + 1 :]) and said:
            break
        for one in others:
            text = text.replace(f"({one})", "").replace(f"({one.partition(' ')[0]})", "")
        if text and is_broken and is_full(said[-1].text, text):
            said[-1] = OrderLine(said[-1].number, f"{said[-1].text} {text}")
        elif text:
            said.append(OrderLine(line.number, text))
        is_broken = bool(text)
    return said[1:] if said and _GREETED.fullmatch(said[0].text) else said


def _is_signature(text: str, above: OrderLine, below: Sequence[OrderLine]) -> bool:
    """Say whether a mail ends with a word or two below its good wishes."""
    is_last = not any(line.text.strip() for line in below)
    return is_last and len(text.split()) <= MOST_SIGNED and courtesy(above.text)


def is_corrected(lines: Sequence[OrderLine]) -> bool:
    """Say whether a line below the first corrects what stands above it, or goes on with it as no form does: `...is`."""

    def is_correction(tokens: Sequence[Token]) -> bool:
        texts = [token.text for token in tokens]
        is_regret = any(True for _ in WORDS.ends("REGRET", texts, 0))
        return texts[0] == "..." or (not is_regret and (corrects(tokens) or WORDS.has("SLIP", texts[0])))

    cuts = (cut(line.text) for line in lines[1:])
    return any(is_correction(tokens) for tokens in cuts if tokens)


def _is_all(said: Sequence[OrderLine], name: str) -> bool:
    """Say whether a mail is a name and nothing else but marks."""
    return [phrases.clean(line.text).strip(" .!*_\"'") for line in said] == [name.strip(" .")]


def place(lines: Sequence[OrderLine]) -> str:
    """Return the zone of the one place where somebody says that they are, "" for none."""
    every = (part for sentence in sentences(LANGUAGE, lines[:MOST_LINES]) for _, part in parts_of(sentence))
    found = {part.what for part in every if part.kind == "place"}
    return found.pop() if len(found) == 1 else ""


def is_understood(text: str) -> bool:
    """Say whether all of a line says that somebody comes, as whom or from where."""
    cuts = sentences(LANGUAGE, [OrderLine(1, text)])
    return bool(cuts) and all(part.kind for sentence in cuts for _, part in parts_of(sentence))
