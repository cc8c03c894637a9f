"""Which sentences and headings say nothing of the lines beside them, whatever words they are made of; knows no game."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from pbem.language import phrases
from pbem.speech import chatter
from pbem.speech.chatter import HARMLESS, HEADING, bases, without_idioms, words
from pbem.speech.everyday import COMMON, ENGLISH, EVERYDAY

FEWEST = 3
"""The fewest words of a sentence; what is shorter may be part of an order, as in `hypothetically` or `half speed`."""
FEWEST_WITH_WEAK = 5
"""The fewest words of a sentence in which a weak word may stand, as in `see you when I am back from Rome`."""
ENGLISH_SHARE = 3
"""One of so many words of an English line is one of the plainest."""
MOST_UNKNOWN, MOST_UNKNOWN_ELSEWHERE, MOST_BESIDE_PRONOUNS = 2 / 3, 1 / 3, 1 / 5
"""
The largest share of words that nobody knows: in English, in other languages, and where a pronoun stands.

Of more none can say what is talked about. With these, three in a hundred lines that do change orders passed, of a list
that nobody had seen; most of what they hold is among the words that change since.
"""
MOST_OTHERS = 3
"""The most words of a heading that nobody knows."""
FEWEST_BESIDE_ONE = 4
"""The fewest words of a heading without a mark, one of which may be no word of headings: `Gwen - my orders follow`."""

_WEAK = "when whenever until never again last before yet twice once now back nothing none half either neither usual"
WEAK = frozenset(_WEAK.casefold().split())
"""Words that change another line only where they stand with little else, or with a word that refers to it."""

_PRONOUNS = """
it its that this these those them they their him his her he she one ones any anybody anyone anything
somebody someone something each every everything another other others thing things
das dies diese dieser dieses damit davon es ihn ihm sie alles andere anderen
ça cela ceci lui elle eux celui celle eso esto ese esta este ello questo questa quello quella dit deze alles
isto isso esse essa det den dette alt allt это эти этот
"""
PRONOUNS = frozenset(_PRONOUNS.casefold().split())
"""Words that may refer to an order, and in a longer sentence of its own refer to something that it speaks of."""

_WEIGHING = """
tomorrow later morgen später demain mañana domani amanhã jutro imorgon завтра
both first second third fourth former latter below following number numbers amount amounts figure figures total
order orders move moves bid bids turn turns set sets line lines plan plans action actions choice choices
instruction instructions decision version mail mails message email letter would could should might think thought
thinking guess consider considering reconsider wonder wondering hesitate hesitant undecided unsure sure certain depends
depend dependent preliminary test testing hypothetical hypothetically theory theoretically thoughts bluff bluffing
two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred
zwei drei vier fünf zehn zwanzig dreißig vierzig fünfzig erste ersten zweite zweiten beide denke glaube würde könnte
befehl befehle zug züge auftrag gebot gebote zahl
premier première deuxième dernier ordre ordres coup coups enchère pense crois deux trois dix vingt trente
primero primera segundo segunda orden órdenes jugada jugadas puja creo dos tres diez veinte treinta
primo prima secondo seconda ordine ordini mossa mosse offerta penso credo due dieci venti trenta
eerste tweede bevel bevelen zet zetten bod denk twee drie tien twintig
primeiro ordem ordens lance lances acho dois
wszystko pierwszy pierwsze drugi drugie rozkaz rozkazy ruch ruchy myślę dwa
första ordre trekk bud tror två
все всё первый первое второй второе приказ приказы ход ходы думаю два
"""
REFERRING = PRONOUNS | frozenset(_WEIGHING.casefold().split())
"""Words with which a sentence can speak of the orders beside it, count them, or weigh them."""

_DEEDS = """
head run walk march ride drive sail swim climb circle dance duck dive hide flee retreat escape chase follow step jump
hop leap lean cover catch fetch grab push pull kick hit punch smash stab shoot fire throw chuck hurl toss lob swing slap
charge rush sneak crawl fly glide slide spin roll dodge evade parry shield protect guard defend attack strike put place
send drop pick use heal burn freeze bet bid buy sell pay offer raise pass fold aim point search sprint stroll wander sit
stand lie turn steer brake speed slow back block beat smack whack bash crush wrestle bite scratch tackle trip steal rob
"""
DEEDS = frozenset(
    form for deed in _DEEDS.split() for form in (deed, f"{deed}s", f"{deed}ing", f"{deed.removesuffix('e')}ing")
)
"""What one can do in a game: a line with such a word may be an order that its ruleset does not know."""
_DETERMINERS = frozenset(
    ["my", "your", "his", "her", "our", "their", "its", "a", "an", "the", "this", "that", "no", "some"]
)
"""Behind these such a word is the name of a thing: `my head hurts`."""
_ORDINALS = {
    "1": "one first eins erste ersten premier première primera primer primo prima eerste primeira pierwsza pierwszą první первый",
    "2": "two second zwei zweite zweiten deux deuxième segunda segundo secondo seconda tweede drugą druga druhé второй",
    "3": "three third drei dritte dritten trois troisième tercera tercer terzo terza derde terceira trzecia trzecią третий",
    "4": "four fourth vier vierte vierten quatre quatrième cuarta cuarto quarto quarta vierde czwarta czwartą четвертый",
    "5": "five fifth fünf fünfte fünften cinq cinquième quinta quinto vijfde piąta piątą пятый",
}
_SPEAKS_ALONE = frozenset(["i", "a", "y", "e", "o", "u", "à", "é"])
_OPENS = (":", "\uff1a")
_GOES_ON = (*_OPENS, ",", ";", "/")
_KNOWN = HARMLESS | EVERYDAY | COMMON


def is_sentence(text: str) -> bool:
    """Say whether a line is written as a sentence is, from a capital to a mark, or begins with a word that all know."""
    is_marked = text[:1].isupper() and text.rstrip(" )").endswith((".", "!", "?", "\u2026"))
    return is_marked or next(iter(bases(text)), "") in _KNOWN


def is_small_talk(text: str) -> bool:
    """
    Say whether a whole line says nothing of the lines beside it: harmless words alone, or a sentence of other things.

    Shape: names and words of the game are not known here; a line that holds one is for others to judge. A comma at
    the end is one of a greeting or a closing.
    """
    text = text.rstrip().removesuffix(",")
    said = bases(without_idioms(text))
    if text.endswith(_GOES_ON) or _changes(text) or _has_deed(said) or any(word.isdigit() for word in said):
        return False
    unknown = [word for word in said if word not in _KNOWN and word not in WEAK]
    is_long = len(words(text)) >= FEWEST_WITH_WEAK
    refers = REFERRING.intersection(said)
    if (refers and not (is_long and refers <= PRONOUNS)) or (WEAK.intersection(said) and not is_long):
        return False
    most = MOST_BESIDE_PRONOUNS if refers else MOST_UNKNOWN if _is_english(said) else MOST_UNKNOWN_ELSEWHERE
    return not unknown or (len(words(text)) >= FEWEST and len(unknown) <= len(said) * most)


def _is_english(said: Sequence[str]) -> bool:
    return sum(word in HARMLESS or word in ENGLISH for word in said) * ENGLISH_SHARE >= len(said)


def is_signature(text: str) -> bool:
    """Say whether the last line of a mail can be the name of its writer: one to three words with capitals, no mark."""
    name = phrases.clean(text).lstrip("-~/ \u2013\u2014")
    said = words(name)
    is_named = re.fullmatch(r"[^\W\d_][\w'\u2019-]*\.?(?: [^\W\d_][\w'\u2019-]*\.?){0,2}", name) is not None
    is_plain = is_named and not name.endswith(".") and all(word[0].isupper() for word in name.split())
    return is_plain and not _changes(text) and not (WEAK | REFERRING).intersection(said)


def ordinals(said: Iterable[str]) -> Iterator[str]:
    """Yield the numbers among words as they are written out: `second` and its like for `2`."""
    return (word for number in said if number in _ORDINALS for word in _ORDINALS[number].split())


def is_heading(text: str, mine: frozenset[str]) -> bool:
    """
    Say whether a line only says that orders stand below it, in whatever words.

    Shape: `mine` are words that it may have besides: the writer's own names, what the phase is called.
    """
    said = words(without_idioms(text))
    others = [word for word in said if word not in HEADING and word not in mine]
    if _changes(text) or _has_deed(others) or WEAK.intersection(others) or any(word.isdigit() for word in others):
        return False
    if any(len(word) == 1 and word.isascii() and word not in _SPEAKS_ALONE for word in others):
        return False
    unknown = [word for word in others if word not in _KNOWN]
    is_marked = phrases.clean(text).endswith(_OPENS) or not mine.isdisjoint(said)
    if len(others) == len(said) or REFERRING & set(others):
        return False
    if not is_marked:
        return len(others) <= len(said) // FEWEST_BESIDE_ONE
    return len(unknown) <= min(MOST_OTHERS, len(said) - 1)


def _has_deed(said: Sequence[str]) -> bool:
    """Say whether a word may be what somebody is to do."""
    return any(word in DEEDS and before not in _DETERMINERS for before, word in pairwise(("", *said)))


def _changes(text: str) -> bool:
    """Say whether a line has a word that changes another one wherever it stands."""
    return chatter.may_change(text, but=WEAK)
