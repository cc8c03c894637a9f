"""Other words for the orders of a brawl, put into its forms: verbs of people, dice first, drops by what they do."""

import re
from collections.abc import Iterator

from pbem.ruleset import Refused, Speech, phrases
from pbem.rulesets.brawl.orders.reading import INNER_WORDS, OPENS, ORDER_WORDS
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import FACES, HURT, find_other

HITS = (
    "attack", "attacks", "attacking", "att", "atk", "hit", "hits", "hitting", "punch", "punches", "punching", "kick",
    "kicks", "smack", "slap", "bash", "whack", "thump", "go for", "go after", "aim at", "swing at",
)  # fmt: skip
DEFENDS = (
    "defend", "defends", "defending", "def", "guard", "guards", "guarding", "blocks", "parry", "parries", "protect",
    "protects",
)  # fmt: skip
"""What people say for the two verbs, besides what the forms have; none of it is a word of a request or a ruling."""
KEEPS = ("delay", "delays", "keep", "keeps", "save", "saves", "reserve")
THINGS = ("item", "chair", "stool", "bottle", "mug", "glass", "table", "weapon")
"""What can be picked up in a pub; how big it is the die says."""
_HIT, _DEFEND, _KEEP, _THING = map("|".join, (HITS, DEFENDS, KEEPS, THINGS))
_A_DEFENSE = r"(?:an? |the |my )?(?:defen[cs]e|guard|block)"
_ANY = r"(?:the|my|an?|some)"
_PURPOSE = rf"(?:for|on|as|in|into|to) {_A_DEFENSE}"
_ALL = r"(?:all|everything)(?: (?:of )?(?:my |the )?dice| i have| of them)?"
_DEEDS = {
    rf"pick(?:s|ing)?[ -]?up(?: {_ANY} (?:{_THING})| something)?|pick(?:s|ing)? something up"
    rf"|grabs? {_ANY} (?:{_THING})": "pickup",
    r"(?:regain(?:s|ing)?|recover)(?: (?:my |some )?(?:breath|endurance))?|catch(?:es)? (?:my )?breath": "regain",
    r"(?:(?:take|takes|taking|gain|gains|get) )?(?:the |an )?advantage": "advantage",
    r"man(?:oeuv|euv)(?:er|re)s?": "maneuver",
    r"(?:have|take) a (?:drink|beer|pint)|drink(?:s|ing)?!?(?: (?:a|my) (?:drink|beer|pint))?": "drink",
    r"bind(?:s|ing)? (?P<whom>.+)": "bind",
    r"(?:coop|helps|helping)(?: with)? (?P<whom>.+)": "coop",
    r"counter(?:s|ing)? (?P<whom>.+)": "counter",
    r"move (?P<whom>.+)": "move",
}
"""What dice are dropped for, in the words of people, by the word that we write."""
DEEDS = (
    "pick", "picks", "pickup", "grab", "grabs", "regain", "regains", "recover", "catch", "catches", "take", "takes",
    "gain", "gains", "get", "have", "advantage", "maneuver", "manoeuvre", "maneuvre", "maneuvers", "manoeuvres",
    "drink", "drinks", "bind", "binds", "coop", "helps", "counter", "counters", "give", "gives", "move", "charge",
)  # fmt: skip
"""What deeds begin with, and a gift of a die; not help, which is a request."""
_DEED = "|".join(DEEDS)
_DIE = rf"(?:(?:the|my)\s+(?:die\s+)?(?:{'|'.join(FACES)}|[a-z])|(?:die\s+)?[a-z][0-9]?)"
_DICE = rf"{_DIE}(?:(?:\s*[,&+]\s*|\s+and\s+|\s+){_DIE}){{0,7}}"
_BEGINS = (
    rf"(?:{_HIT}|{_DEFEND}|defen[cs]e|block|drop|{_KEEP}|use|ask me|pass|{_DEED})\b"
    rf"|{_DICE}(?:\s*:\s*|\s+)(?:to |for )?(?:{_HIT}|{_DEFEND}|{_A_DEFENSE}|{_DEED})\b"
)
"""How an order begins that stands behind another one."""
_BETWEEN = re.compile(
    rf"\s*(?:[;,&+|/.]\s*|\b(?:and|then|plus)\b\s*)+(?={_BEGINS})",
    re.IGNORECASE,
)
_THEN = re.compile(r"\s*:\s*|,?\s+then\s+|\s*,\s*|\s+(?=(?:attack|hit|defend|block|drop|delay|pass)\b)", re.IGNORECASE)
"""Where a condition may end and what is done then begins."""
_SIGNS = re.compile(r"[][(){}\"]|[-=]>|\u2192|(?<![<>])=(?!=)|\s-\s|\bw/", re.IGNORECASE)
"""Marks between words that say nothing, and what is short for `with`."""
_DIE_WORD = re.compile(r"[a-z][0-9]?", re.IGNORECASE)


def speech(state: State, seat: str) -> Speech:
    """Return how the orders of a round are said, besides in their forms."""
    return Speech(ways=lambda text: _ways(state, seat, text), pieces=pieces, words=lambda: _known(state, seat))


def _known(state: State, seat: str) -> frozenset[str]:
    """Return words of orders and of names, to which slips of the fingers are mended; and dice, which are no talk."""
    said = (word for word in (*ORDER_WORDS, *INNER_WORDS, "with", "against", "damage", "hurts") if len(word) > 3)
    dice = (die.letter for die in state.fighter(seat).dice)
    return frozenset((*said, *dice, *(word.casefold() for name in state.names.values() for word in name.split())))


def pieces(text: str) -> tuple[str, ...]:
    """Cut a line before everything that begins as an order does, so that commas between dice part nothing."""
    if re.search(OPENS, text, re.IGNORECASE):
        return (text,)
    return tuple(piece for piece in _BETWEEN.split(text) if piece)


def _ways(state: State, seat: str, text: str) -> Iterator[tuple[str, ...]]:
    """Say a text in the forms of orders, in every way that it may be meant; what is no die or no name they refuse."""
    if not re.search(r"\bif\b", text, re.IGNORECASE):  # whose tests have signs that say something
        text = phrases.clean(_SIGNS.sub(lambda sign: "with " if sign[0][0] in "wW" else " ", text))
    if not re.match(r"if\s", text, re.IGNORECASE):
        yield from ((way,) for way in _orders(state, seat, text))
        behind = re.fullmatch(r"([^,;]+?),? if ([^,;:]+)", text, re.IGNORECASE)
        if behind:
            yield from ((f"if {behind[2]}: {way}",) for way in (behind[1], *_orders(state, seat, behind[1])))
        return
    for cut in _THEN.finditer(text, 3):
        tests, then = text[3 : cut.start()], text[cut.end() :]
        if not re.search(r"\belse\b|;", then, re.IGNORECASE):
            yield from ((f"if {tests}: {way}",) for way in (then, *_orders(state, seat, then)))


def _orders(state: State, seat: str, text: str) -> Iterator[str]:
    text = re.sub(r"^(\w{3,})\s*:(?=\s*\S)", r"\1", text)
    text = re.sub(rf"^({_HIT})(?=(?:{_names(state)})\b)", r"\1 ", text, flags=re.IGNORECASE)
    yield text
    yield from _attacks(state, seat, text)
    yield from _defenses(text)
    if re.fullmatch(rf"(?:{_DEFEND}|block) with {_ALL}|(?:put )?{_ALL} (?:{_PURPOSE}|{_DEFEND})", text, re.IGNORECASE):
        free = [die.letter for die in state.fighter(seat).dice if die.use in ("", "defense")]
        yield f"defend with {' '.join(free)}"
    yield from _delays(text)
    yield from _drops(text)
    if _is_asked_about_one_die(state, seat):
        die = state.fighter(seat).dice[0].letter
        if re.fullmatch(rf"{_DEFEND}|{_A_DEFENSE}", text, re.IGNORECASE):
            yield f"defend with {die}"
        if deed := _deed(text):
            yield f"drop {die} {deed}"


def _is_asked_about_one_die(state: State, seat: str) -> bool:
    return state.turn == seat and len(state.fighter(seat).dice) == 1


def _names(state: State) -> str:
    """Return a pattern of the words of all names."""
    words = {re.escape(word) for name in state.names.values() for word in name.split()}
    return "|".join(sorted(words, key=len, reverse=True))


def _attacks(state: State, seat: str, text: str) -> Iterator[str]:
    """Say an attack whose damage is told in other words, or stands before the word for it."""
    said = list(re.finditer(rf"\b(?:{HURT})\b", text, re.IGNORECASE))
    if len(said) != 1:
        return
    head = _bare_end(text[: said[0].start()])
    hurt = re.sub(r"^[\s:,]*(?:(?:him|her|them)\s+)?(?:(?:with|by|using)\s+)?", "", text[said[0].end() :]).strip()
    if hurt:
        yield from (f"{hit} damage {hurt}" for hit in _hits(state, seat, head))
        return
    for place in _places_of_dice(head):
        yield from (f"{hit} damage {head[place:]}" for hit in _hits(state, seat, _bare_end(head[:place])))


def _bare_end(text: str) -> str:
    """Take what joins two halves of a line off the end of the first."""
    before = None
    while text != before:
        before = text
        text = re.sub(
            r"(?:[\s.,;:/&+-]|\b(?:and|with|for|to|as|do|does|by|then|use|using|(?:do|does|for|as) the)"
            r"|\b(?:for (?:the )?attack|to (?:hit|attack)))$",
            "", text, flags=re.IGNORECASE,
        )  # fmt: skip
    return text


def _hits(state: State, seat: str, text: str) -> Iterator[str]:
    """Say who is hit with which dice: dice before or behind the name, or before the verb."""
    verb = rf"(?:{_HIT})(?:\s+on)?"
    if match := re.fullmatch(rf"{verb} (?:with|using) ({_DICE}) (?:on|at|against) (.+)", text, re.IGNORECASE):
        yield f"attack {match[2]} with {match[1]}"
    if match := re.fullmatch(
        rf"(?:use )?({_DICE})(?: (?:to )?{verb}| on| at| against| vs\.?) (.+)", text, re.IGNORECASE
    ):
        yield f"attack {match[2]} with {match[1]}"
    bare = re.fullmatch(rf"(\w\w.*?)(?:\s*:\s*| (?:with |gets )?)({_DICE})", text, re.IGNORECASE)
    if bare and not isinstance(find_other(state, seat, bare[1], "K9"), Refused):
        yield f"attack {bare[1]} with {bare[2]}"
    if match := re.match(rf"{verb} (?=\S)", text, re.IGNORECASE):
        rest = text[match.end() :]
        for place in _places_of_dice(rest):
            whom = re.sub(r"\s*[,:]$|\s*[,:]?\s+(?:with|using|by)$", "", rest[:place].strip(), flags=re.IGNORECASE)
            if whom:
                yield f"attack {whom} with {rest[place:]}"


def _places_of_dice(text: str) -> Iterator[int]:
    """Yield every place from which on a text names nothing but dice."""
    said = list(re.finditer(r"[^\s,&+]+", text))
    for place in range(len(said) - 1, -1, -1):
        word, before = said[place][0].lower(), said[place - 1][0].lower() if place else ""
        if before in ("the", "my"):
            if not (word in FACES or _DIE_WORD.fullmatch(word)):
                return
        elif word in ("the", "my", "die"):
            yield said[place].start()
        elif word == "and":
            continue
        elif _DIE_WORD.fullmatch(word):
            if before != "die":
                yield said[place].start()
        else:
            return


def _defenses(text: str) -> Iterator[str]:
    plain, _, whom = text.partition(" against ")
    if match := re.fullmatch(rf"({_DEFEND}|block) (?:against|vs\.?) (.+?) (with|using) (.+)", text, re.IGNORECASE):
        plain, whom = f"{match[1]} with {match[4]}", match[2]
    against = f" vs {whom}" if whom else ""
    verbs = rf"(?:{_DEFEND}|defen[cs]e|block)(?: myself| me)?(?: with| using| by)?"
    if match := re.fullmatch(rf"{verbs}[\s:=]+({_DICE}(?: vs .+)?)", plain, re.IGNORECASE):
        yield f"defend with {match[1]}{against}"
    purpose = rf"(?:to )?(?:{_DEFEND})|{_PURPOSE}|to block"
    if match := re.fullmatch(rf"(?:use |put )?({_DICE}) (?:{purpose})( vs .+)?", plain, re.IGNORECASE):
        yield f"defend with {match[1]}{match[2] or against}"


def _delays(text: str) -> Iterator[str]:
    later = r"(?: (?:for )?(?:the )?next (?:round|turn)| later)?"
    what = r"(?:for|to|as) (?:an? |the |my )?(attack|defen[cs]e|defend|damage)"
    if match := re.fullmatch(rf"(?:{_KEEP}) ({_DIE}) {what}{later}", text, re.IGNORECASE):
        yield f"delay {match[1]} {match[2]}"


def _drops(text: str) -> Iterator[str]:
    """Say a drop whose deed stands first, or whose die stands alone before it."""
    match = re.fullmatch(rf"(.+?)(?: with| using| by dropping)? ({_DIE})", text, re.IGNORECASE)
    if match and (deed := _deed(match[1])):
        yield f"drop {match[2]} {deed}"
    if match := re.fullmatch(
        rf"(?:(drop|use) )?({_DIE})(\s*:\s*| (?:to|for|as|on)(?: an?| my| some)? | )(.+)", text, re.IGNORECASE
    ):
        is_article = match[2].lower() == "a" and not match[1] and not match[3].strip()  # "a drink" may be talk
        is_article = is_article and not re.match(r"regain|advantage|pick", match[4], re.IGNORECASE)
        if not is_article and (deed := _deed(match[4])):
            yield f"drop {match[2]} {deed}"
    if match := re.fullmatch(rf"gives? ({_DIE}) to (.+)", text, re.IGNORECASE):
        yield f"drop {match[1]} coop {match[2]}"


def _deed(text: str) -> str:
    """Return what a die is dropped for, in the words of the forms; "" where it is no deed that people name so."""
    for pattern, action in _DEEDS.items():
        if match := re.fullmatch(pattern, text.strip(), re.IGNORECASE):
            return f"{action} {match['whom']}" if "whom" in match.groupdict() else action
    return ""
