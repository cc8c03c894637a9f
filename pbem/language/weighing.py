"""Which words of a sentence weigh, for who reads it by its coarse table: the others are left out. Knows no game."""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache

import msgspec

from pbem.language.beside import is_known
from pbem.language.nouns import Names, Numbers
from pbem.language.parses import SHORTEST_MENDED, Language, Noun
from pbem.language.sounds import heard_as
from pbem.language.tokens import Token, cut
from pbem.language.words import COMMON, ENGLISH, WordClasses, is_past_of, table

WORDS = WordClasses(table("pbem.language", "tables/gist.words"))
"""The classes that weigh in every game; its own table adds its deeds."""
MOST_BEHIND_NO = 3
"""The words between a no and what it denies, at most."""
GAP = "gap"
"""What a coarse table has between a name and a number where words stand between them that may say something else."""
SHARES = ("EVERYTHING", "FULL", "REST", "HALF", "QUARTER", "THIRD", "SPLIT")
"""The classes that say how much without a number."""
SHORTEST_CALL = 3
"""The letters of the shortest word that stands for a name here."""
_HINDERING = ("LIMIT", "CHOICE", "SAYS", "TOLD", "BYGONE", "CORRECTS", "ANOTHER_TIME", "TURN")
"""The common classes whose words no shape has, unless the coarse table has them in another class."""
_WEIGHED_AS = {
    **dict.fromkeys(("TELLS", "PLANNED", "ASKS", "BOUNDS", "HOPES"), "HINDERS"),
    **dict.fromkeys(("TIGHT", "POLITE", "STATES", "INTENDS", "INVERTS"), ""),
    "WHO": "BECAUSE",
}
"""What a word of a class weighs as, where that is not its class; "" for nothing."""
OWN = "own"
"""The kind of noun that names who writes."""
_NO_DEEDS = frozenset(("name", OWN, "number", "thing", "SEP", "SELF", "NO"))
"""What weighs and says nothing of what is done."""
_BOUNDS = frozenset("<>~\u2264\u2265")
"""Marks that make a number a bound."""
_OTHERS = frozenset(("he", "she", "they", "you", "somebody", "someone", "who"))
_THEIRS = frozenset(("his", "her", "their", "your"))
"""Who does something, and whose it is, where it is not the writer."""
_ONTO = frozenset(("on", "at", "to", "into", "onto", "for", "against", "with", "from", "and", "towards"))
"""The words behind which him is whom an order is about."""
_GETTING = frozenset(("get", "gets", "getting", "receive", "receives", "receiving", "take", "takes", "have", "shall"))
"""With these between a name and a number somebody gets it; with other verbs they do something with it."""
_SHARES_KNOWN = frozenset(word for kind in SHARES for phrase in WORDS.classes[kind] for word in phrase)
_NUMBERS = Numbers()


class Weighty:
    """
    The words of a sentence that weigh.

    Shape: it `has_deed` where one of them says what is done; it `hinders` where one may turn, bind or tell the others.
    """

    def __init__(self, language: Language, at: Language, tokens: Sequence[Token], about: str = "") -> None:
        """Weigh the words of a sentence, mended as far as one thing alone can be meant; `about` is as in a sentence."""
        self._about = about
        self._language, self._at, self._tokens = language, at, _mended(language, at, tokens)
        self._texts = [token.text for token in self._tokens]
        self._is_asked = any(at.words.has("POLITE", text) for text in self._texts[:1])
        self.tokens: list[Token] = []
        self._kinds: list[str] = []
        self.hinders, self.has_deed, self._names_writer = False, False, False
        self._read()

    def _read(self) -> None:
        place, last = 0, ""
        dropped: list[str] = []
        seen: set[str] = set()
        while place < len(self._tokens) and not self.hinders:
            end, kind = self._weigh(place)
            if self._is_of_another(place, kind, dropped, last):
                kind = "HINDERS"
            if kind == "HIM" and dropped and dropped[-1] not in _ONTO:
                kind = ""  # just to annoy him
            if kind == "HIM":
                whom = self._about if not seen else next(iter(seen)) if len(seen) == 1 else ""
                self._put(place, cut(whom))
                end, kind = self._weigh(place) if whom else (end, "HINDERS")
            if kind == "name":
                whom = others_at(self._at, self._tokens, place)
                kind = kind if whom else OWN
                seen |= {whom} if whom else set()
                self._names_writer |= not whom
            if kind == "BECAUSE":
                end = self._end_of_reason(place)
            elif kind == "LIGHT":
                pass
            elif kind == "":
                dropped += self._texts[place:end]
            else:
                self.hinders = kind == "HINDERS" or self._is_of_others(last, kind, dropped)
                self.has_deed |= kind not in _NO_DEEDS
                is_far = self._is_pair(last, kind) and not self._are_close(dropped)
                is_far |= last == "NO" and len(dropped) > MOST_BEHIND_NO
                is_unknown = kind == "number" and last == "SEP" and self._may_be_a_name(dropped)
                self._keep(place, end, kind, is_near=not (is_far or is_unknown))
                last, dropped = kind, []
            place = end

    def _is_of_others(self, last: str, kind: str, between: Sequence[str]) -> bool:
        """Say whether words before a deed or a number tell what somebody else has, or does: Bolt has, they do."""
        said = [text for text in between if not (self._is_asked and text == "you")]
        if self._is_deed(kind) and not self._names_writer:
            return any(text in _THEIRS for text in said[-1:]) or any(text in _OTHERS for text in said[-2:])
        if kind != "number":
            return False
        if (last == "SELF" or self._is_deed(last)) and any(text in ("against", "from") for text in said[-1:]):
            return True
        acts = any(self._at.words.has(name, text) for name in ("STATES", "INTENDS") for text in said)
        states = any(self._at.words.has("STATES", text) for text in said) and "getting" not in said
        is_own = any(text in ("i", "we") for text in said)
        gets = any(text in _GETTING for text in said)
        is_of_name = last == "name" and (states or (acts and not gets))
        return not is_own and (is_of_name or (acts and not _OTHERS.isdisjoint(said)))

    def _put(self, place: int, name: Sequence[Token]) -> None:
        """Put a name in place of a word that stands for it."""
        at = self._tokens[place]
        instead = (msgspec.structs.replace(one, line=at.line, start=at.start, end=at.end) for one in name)
        self._tokens = (*self._tokens[:place], *instead, *self._tokens[place + 1 :])
        self._texts = [token.text for token in self._tokens]

    def _is_of_another(self, place: int, kind: str, dropped: Sequence[str], last: str) -> bool:
        """Say whether somebody who has no part in the game does it, as the barman slaps, or a thing is theirs."""
        text, words = self._texts[place], self._at.words
        if kind == "thing":
            return self._before(place) in _THEIRS
        is_third = text.endswith("s") and (words.has(kind, text[:-1]) or words.has(kind, text[:-2]))
        is_told = self._is_deed(kind) and is_third
        return is_told and not self._names_writer and last in ("", "SEP") and _is_somebody(dropped)

    def count(self, kind: str) -> int:
        """Return how many of a kind, or gaps, there are among the words that weigh."""
        return self._kinds.count(kind)

    def _keep(self, place: int, end: int, kind: str, *, is_near: bool) -> None:
        self._kinds += [kind] if is_near else [GAP, kind]
        if not is_near:
            self.tokens.append(self._mark(place, GAP))
        if kind == "SEP" and end > place + 1:  # one that was dictated
            self.tokens.append(self._mark(place, ","))
        else:
            self.tokens += self._tokens[place:end]

    def _mark(self, place: int, text: str) -> Token:
        return msgspec.structs.replace(self._tokens[place], kind="mark", text=text)

    def _is_deed(self, kind: str) -> bool:
        return kind in self._at.words.classes and kind not in WORDS.classes

    @staticmethod
    def _is_pair(first: str, second: str) -> bool:
        return "number" in (first, second) and not {first, second}.isdisjoint(("name", "SELF", "EVERYBODY", "THEM"))

    def _may_be_a_name(self, between: Sequence[str]) -> bool:
        """Say whether a word of a list, right before its number, may be a name that we do not know."""
        return any(len(text) >= SHORTEST_CALL and not is_known(self._language, text) for text in between[-1:])

    def _are_close(self, between: Sequence[str]) -> bool:
        """Say whether words between a name and a number say nothing else; what is counted does not: 30 bonks on."""
        far = [text for text in between if len(text) > 1 and not self._is_close(text)]
        is_unit = len(far) == 1 and between[-1] != far[0] and far[0] == between[0] and far[0] not in ENGLISH
        return not far or is_unit

    def _is_close(self, text: str) -> bool:
        return any(self._at.words.has(name, text) for name in ("TIGHT", "INTENDS"))

    def _end_of_reason(self, place: int) -> int:
        """Return where a reason ends that begins at a place: before what joins; with an amount in it it may bind."""
        end = place + 1
        while end < len(self._tokens) and not self._at.words.has("SEP", self._texts[end]):
            self.hinders |= self._weigh(end)[1] in ("number", *SHARES) or COMMON.has("LIMIT", self._texts[end])
            end += 1
        return end

    def _weigh(self, place: int) -> tuple[int, str]:
        """Return what weighs from a place on: its end, and its class; "" for a word that does not."""
        token = self._tokens[place]
        if self._stands_for_a_name(place):
            return place + 1, "HIM"
        if ends := [end for noun in self._things() for end, _ in noun.spans(self._tokens, place)]:
            return max(ends), "thing"
        if self._is_odd(place):
            return place + 1, "HINDERS"
        if ends := [end for end, _ in _NUMBERS.spans(self._tokens, place)]:
            return max(ends), "number"
        names = [end for noun in self._nouns() for end, _ in noun.spans(self._tokens, place) if self._is_name(place)]
        found = [*self._at.words.at(self._texts, place)]
        # Of two classes that of the game's own deeds, else the first in the tables.
        end, name = max(found, key=lambda one: (one[0], self._is_deed(one[1])), default=(place, ""))
        hindering = max((end for kind in _HINDERING for end in COMMON.ends(kind, self._texts, place)), default=place)
        if hindering > max((end, *names)):
            return hindering, "HINDERS"
        if names and max(names) >= end:
            return max(names), "name"
        if name:
            return end, _WEIGHED_AS.get(name, name)
        return place + 1, "HINDERS" if token.text in self._language.name_words else ""

    def _is_odd(self, place: int) -> bool:
        """Say whether a token makes all others doubtful, whatever it stands for."""
        token, words = self._tokens[place], self._at.words
        begins = place == 0 or words.has("SEP", self._texts[place - 1])
        asks = (place == 0 and words.has("WHO", token.text)) or (begins and words.has("INVERTS", token.text))
        is_bound = token.kind in ("ordinal", "other") or token.text in _BOUNDS
        corrects = token.text == "sorry" and any(one.kind == "number" for one in self._tokens[place:])
        is_theirs = token.text.endswith("'s") and token.text[:-2] in self._language.name_words
        tells = is_past_of(token.text, self._deeds) and not words.has_any(token.text)
        is_torn = token.kind == "number" and self._is_torn(place)
        return asks or is_bound or corrects or is_theirs or tells or is_torn or self._asks_or_sighs(place)

    @cached_property
    def _deeds(self) -> frozenset[str]:
        return frozenset(word for kind in own_classes(self._language) for word in self._at.words.single(kind))

    def _asks_or_sighs(self, place: int) -> bool:
        """Say whether a sentence asks without a mark, binds by a should within it, or thinks again: a, er, b."""
        text, words = self._texts[place], self._at.words
        behind = self._texts[place + 1 : place + 2]
        binds = words.has("INVERTS", text) and any(one in _OTHERS or one == "it" for one in behind)
        asks = place == 0 and text in ("is", "am", "are", "does", "did", "was")
        sighs = COMMON.has("SIGH", text) and place > 1 and self._before(place) == "," and bool(behind)
        return binds or asks or sighs

    def _stands_for_a_name(self, place: int) -> bool:
        """Say whether a word means somebody who was named: him, and her where nothing of hers is named."""
        behind = self._tokens[place + 1 : place + 2]
        is_open = all(one.kind != "word" or self._is_close(one.text) or self._is_sep(one.text) for one in behind)
        return self._texts[place] == "him" or (self._texts[place] == "her" and is_open)

    def _before(self, place: int) -> str:
        return self._texts[place - 1] if place else ""

    def _is_sep(self, text: str) -> bool:
        return self._at.words.has("SEP", text)

    def _is_torn(self, place: int) -> bool:
        """Say whether a letter stands right behind a number, which may be a figure that was mistyped: `6o`."""
        number, *behind = self._tokens[place : place + 2]
        return any(one.start == number.end and len(one.text) == 1 and one.text.isalpha() for one in behind)

    def _nouns(self) -> Iterator[Names[str]]:
        return (noun for noun in self._at.nouns.values() if isinstance(noun, Names))

    def _things(self) -> Iterator[Noun]:
        """Yield what orders are about and has no name: dice, squares."""
        return (noun for noun in self._at.nouns.values() if not isinstance(noun, Names | Numbers))

    def _is_name(self, place: int) -> bool:
        text = self._texts[place]
        is_counted = any(one.kind == "number" for one in self._tokens[max(0, place - 1) : place + 2])
        is_likely = text not in ENGLISH or (is_counted and len(text) >= SHORTEST_MENDED)
        return text in self._language.name_words or (len(text) >= SHORTEST_CALL and is_likely)


def others_at(at: Language, tokens: Sequence[Token], place: int) -> str:
    """Return the name of whom a coarse table has at a place, "" for nobody, or who writes."""
    foes = (noun for kind, noun in at.nouns.items() if isinstance(noun, Names) and kind != OWN)
    return next((noun.of[key] for noun in foes for _, key in noun.spans(tokens, place)), "")


MOST_WEIGHED = 1_000
"""Of how many sentences we remember which of their words weigh."""


def weighed(language: Language, tokens: Sequence[Token], about: str = "") -> Weighty:
    """Return the words of a sentence that weigh, in a game with a coarse table; `about` is as in a sentence."""
    at = language.gist
    assert at is not None
    if len(at.said) > MOST_WEIGHED:
        at.said.clear()
    key = tuple(tokens), about
    if key not in at.said:
        at.said[key] = Weighty(language, at, tokens, about)
    found: Weighty = at.said[key]
    return found


def _is_somebody(dropped: Sequence[str]) -> bool:
    """Say whether the last of some words is a noun that is nobody's hero: the barman, my wife."""
    *before, last = dropped or ("",)
    is_led = bool(before) and before[-1] in ("the", "a", "an", "my", "your", "his", "her", "our", "their")
    return is_led and last not in _HEROES


_HEROES = frozenset(
    ("hero", "heroine", "guy", "girl", "man", "woman", "fighter", "character", "program", "player", "one", "die")
)
"""What people call the one whom they play, behind my."""


def own_classes(language: Language) -> tuple[str, ...]:
    """Return the classes of a game's own deeds, in its coarse table; none where it has no such table."""
    at = language.gist
    return tuple(kind for kind in at.words.classes if kind not in WORDS.classes) if at else ()


def has_any(language: Language, texts: Sequence[str], kinds: Sequence[str]) -> bool:
    """Say whether words stand for one of some classes of a game's coarse table."""
    return language.gist is not None and any(language.gist.words.any_in(kind, texts) for kind in kinds)


def _mended(language: Language, at: Language, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return tokens in which a word that nobody knows is the name that sounds so, or one slip away, but no share."""
    known = _known(language.known, at.known)
    heard = heard_as(_with_whole_names(language, tokens, known), language.name_words, known)
    strange = {one.text for one in heard if len(one.text) >= SHORTEST_MENDED and not is_known(at, one.text)}
    deeds = {text: [near for near in at.near(text) if near not in _SHARES_KNOWN] for text in strange}
    meant = {text: near[0] for text, near in deeds.items() if near and _are_of_one_class(at.words, near)}
    return tuple(msgspec.structs.replace(token, text=meant.get(token.text, token.text)) for token in heard)


@lru_cache(maxsize=64)
def _known(fine: frozenset[str], rough: frozenset[str]) -> frozenset[str]:
    return fine | rough | ENGLISH


def _are_of_one_class(words: WordClasses, near: Sequence[str]) -> bool:
    """Say whether words are forms of one thing: throw, throws, throwing."""
    return any(all(words.has(kind, word) for word in near) for kind in words.classes)


def _with_whole_names(language: Language, tokens: Sequence[Token], known: Collection[str]) -> list[Token]:
    """Join two words that are one of a name, or sound as it: mantis man, plastic girl."""
    kept: list[Token] = []
    for token in tokens:
        both = [*kept[-1:], token]
        whole = "".join(one.text for one in both)
        if len(both) == 1 or any(one.kind != "word" or one.text in language.name_words for one in both):
            kept.append(token)
            continue
        is_worth_it = whole in language.name_words or len(token.text) >= SHORTEST_CALL
        (heard,) = heard_as([msgspec.structs.replace(token, text=whole)], language.name_words, known)
        if is_worth_it and (whole := heard.text) in language.name_words:
            kept[-1] = msgspec.structs.replace(kept[-1], text=whole, end=token.end)
        else:
            kept.append(token)
    return kept
