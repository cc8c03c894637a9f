"""Which words of talk are harmless by themselves, and which change the lines beside them; knows no game."""

import re

from pbem import phrases

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+")

_CHANGING = """
if unless only but not no instead also rest else same keep make swap cancel ignore draft wait except otherwise
rather until when whenever never change changed actually scratch forget replace provided case correction oops
without undo mistake leave none skip nothing disregard double half less yet last previous above again before usual
back omit remove void delete once twice long assuming depending condition scrap revoke strike nevermind nvm typo
wrong joke tentative tbc wip placeholder maybe perhaps possibly example option either neither was now while unsure
wenn falls sofern nicht kein keine keinen nur aber statt stattdessen auch sonst doch ohne solange vielleicht
vergiss sobald si sauf pas ne seulement mais aussi sinon plutôt sans moins annule se non solo ma invece anche
tranne altrimenti senza pero però salvo menos excepto también tambien cuando sino sin als tenzij niet geen maar
alleen ook anders jeśli jesli nie tylko ale если не только но кроме пока om inte bara men också ikke hvis kun jos
ei vain ha nem csak não nao mas
"""
CHANGING = frozenset(_CHANGING.split())
"""Words that change another line, in the languages that people write most; and so does every word in n't."""

_HARMLESS = """
a about absolutely afternoon ah all always am amazing and any are arena as at awesome awfully be beautiful because
been best better bit boss both brilliant bus busy bye came can care cat cheerful cheers christmas coffee cold come
coming congrats congratulations cool could crazy curious cup day days dear delay did dinner do dog done dont easter
enjoy enjoyed enjoying especially evening ever every everybody everyone exciting family fantastic far feel feeling
fine folks for forgive forward friday friend friends from fun funny game games garden gentlemen get getting glad go
going good gosh got great greetings guys ha haha had hands happy hard has have having he health hear heart hello
her here hey hi him his holiday holidays home hope hopefully hoping hot how however hug hugs hurry i idea i'll i'm
in is it it's i've january job journey just keep kind kindly kitchen know ladies late laugh lazy learn let life
like little lol looking lot lots love lovely luck lucky lunch mail mails man many match may maybe me meantime
meeting merry mind moderator monday month more morning much my myself name nervous new news nice night oh ok okay
old on other our out over own pain peace people phone pizza play played player players playing please pleased
pleasure post project quick quickly quite rain raining read reading ready really reason received regards reply
report reports right run running sad said saturday say scary see seeing send sending sent she short should show shy
sick sit sitting sleep slow small smile snow snowing so some somebody someone soon sorry speak spring start still
stuff summer sun sunday sunny sure take tea team tell than thank thanks that that's the their them then there
there's these they thing things think this those thought though thrilled thursday time tired to today together
tomorrow tonight too train trip truly trying tuesday typed up us very visit warm was watching way we wednesday week
weekend weeks weather welcome well were what whatever where which who wife will winter wish wishes wishing with
woohoo words work worked working works world worries worry wow write writing written yay yeah year years yes
yesterday you your yours yourself
"""
HARMLESS = frozenset(_HARMLESS.split()) - CHANGING
"""Words that change no line, and stand for none; talk in others may."""

_HEADING = """
my our the these here are is below follow follows following orders order moves move bid bids turn round actions
action plan plans for this as set list of now hi gwen and please so then meine befehle züge hier sind mes ordres
voici mis ordenes órdenes jugadas ordini ecco mijn zetten moje rozkazy
"""
HEADING = frozenset(_HEADING.split())
"""Words of which a heading is made that only says what stands below it."""

_GREETING = re.compile(
    r"(?:good luck|hi|hello|hey|dear|thanks|thank you|cheers|sorry|well played|nice one|congrats|see you)\b",
    re.IGNORECASE,
)
_PHRASES = re.compile(
    r"\b(?:as|so) long as\b|\b(?:take|took) (?:that|it|this|them)\b|\bon condition\b|\bone of\b|\bmay be\b|\bout of\b"
)


_IDIOMS = re.compile(
    r"\b(?:no (?:worries|problem|idea|rush|hurry|matter)|not bad|why not|can['\u2019]?t wait|not much|never dull"
    r"|last night|last week|long time|back home|back soon|once more)\b",
    re.IGNORECASE,
)
"""What people say with a word that changes things, and change nothing."""


def words(text: str) -> list[str]:
    """Return the words and numbers of a line, in small letters."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(phrases.clean(text).casefold())]


def may_change(text: str) -> bool:
    """Say whether a line has a word that changes another one."""
    said = words(_IDIOMS.sub(" ", text))
    is_negated = any(word.endswith("n't") or word in ("dont", "wont", "cant", "cannot", "doesnt") for word in said)
    return is_negated or bool(CHANGING & set(said)) or bool(_PHRASES.search(" ".join(said)))


def is_heading(text: str) -> bool:
    """Say whether a line only says that orders stand below it."""
    return text.rstrip().endswith((":", "\uff1a")) and set(words(text)) <= HEADING


def is_harmless(text: str, names: frozenset[str]) -> bool:
    """
    Say whether talk can change no order, and be none: a heading, or words that say nothing to a game.

    Shape: `names` are words of people's names, which may stand in a greeting.
    """
    if is_heading(text):
        return True
    said = set(words(_IDIOMS.sub(" ", text)))
    if _PHRASES.search(" ".join(words(text))) or text.rstrip().endswith((":", "\uff1a")):
        return False
    return said <= HARMLESS | (names if _GREETING.match(phrases.clean(text)) else frozenset())
