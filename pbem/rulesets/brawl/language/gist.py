"""What may be understood of a round by its weighty words alone, and is offered. Rule: M2."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from pbem.ruleset import (
    Language,
    Meaning,
    Names,
    Noun,
    Numbers,
    Token,
    about_it,
    coarse,
    coarse_tables,
)
from pbem.rulesets.brawl.language.nouns import text_at
from pbem.rulesets.brawl.order import Defend, Delay, If, Test
from pbem.rulesets.brawl.state import State
from pbem.rulesets.brawl.words import FACES

_DEEDS = (
    "ATTACK", "DAMAGE", "DEFEND", "DELAY", "DROP", "BIND", "COOP", "GIVE", "MOVE", "CHARGE", "DRINK", "COUNTER",
    "REGAIN",
)  # fmt: skip
"""The classes whose words have other forms: she punches, punching."""
WORDS, SHAPES = coarse_tables("pbem.rulesets.brawl.language", "gist", ("die", "foe", "own", "number"), forms=_DEEDS)
SHORTEST_CALL = 3
"""The letters by which somebody is called at least."""
_BEFORE_A = frozenset(("die", "dice", "letter"))
_BEHIND_A = frozenset(
    (
        "for", "as", "on", "at", "to", "vs", "against", "is", "goes", "and", "n", "&", "+", "then", "into", "in",
        "will", "with", "damage", "dmg", "hurts", "w", "comma", "stays", "should", "may", "goes",
    )
)  # fmt: skip
"""The words before which, or right behind which, `a` is a die and no article."""


class OwnDie(msgspec.Struct, frozen=True):
    """A die of the writer's by its letter, where that is no article, or by the face that it alone shows."""

    letters: frozenset[str]
    faces: Mapping[int, str]

    def spans(self, tokens: Sequence[Token], place: int) -> Iterator[tuple[int, str]]:
        """Yield the die that is named at a place, with the place behind it."""
        text = tokens[place].text
        is_letter = text[:1] in self.letters and (text == text[:1] or text[1:].isdigit())
        if is_letter and not (text == "a" and _is_article(tokens[place])) and not _is_short_for_see(tokens[place]):
            yield place + 1, text
            if text_at(tokens, place + 1) == "(" and text_at(tokens, place + 3) == ")":
                yield place + 4, text
        elif (letter := self.faces.get(FACES.get(text, 0))) and _is_face(tokens[place]):
            yield place + 1, letter

    def write(self, die: object) -> str | None:
        """Write nothing: the fine table does."""
        return None

    def why_not(self, tokens: Sequence[Token]) -> None:
        """Say nothing: the fine table does."""


def _around(token: Token) -> tuple[str, str, str]:
    """Return the two words before a token and the one behind it, as they were written, "" for none."""
    *_, last_but_one, last = ("", "", *token.line[: token.start].casefold().split())
    behind = token.line[token.end :].casefold().split() if token.line[token.end : token.end + 1] == " " else []
    return last_but_one, last, behind[0].strip(".,;:!?") if behind else ""


def _is_article(token: Token) -> bool:
    """Say whether the words around an `a` make an article of it."""
    last_but_one, last, word = _around(token)
    if last in ("for", "at", "a", "of") or word in FACES:
        return True
    is_joined = last in ("and", "&", "+", "plus") and len(last_but_one) == 1
    is_led = last in _BEFORE_A or last.endswith((":", "(")) or is_joined
    is_deed = word.endswith("s") and any(word in WORDS.single(kind) for kind in _DEEDS)
    is_damage = word in WORDS.single("DAMAGE") and last not in ("", "with", "using", "use", "w", "w/")
    return len(word) > 1 and not is_led and (is_damage or (word not in _BEHIND_A and not is_deed))


def _is_short_for_see(token: Token) -> bool:
    return token.text == "c" and _around(token)[2] in ("ya", "u", "you", "ye")


def _is_face(token: Token) -> bool:
    """Say whether a number may be a die, and is no amount: the six, 5 = beer, 6 to hit, and not 4 damage, 3 dice."""
    _, last, word = _around(token)
    is_deed = any(word in WORDS.single(kind) for kind in ("ATTACK", "DEFEND")) and not word.endswith("s")
    is_amount = word in WORDS.single("DAMAGE") or word in ("dice", "of", "o'clock")
    return last in ("the", "my", "a") or (not is_amount and (is_deed or not word.isalpha() or word in _BEHIND_A))


def gist_of(language: Language, state: State, seat: str) -> Language:
    """Return the coarse language of a round: others are hit, with the writer's own dice."""
    fighter = state.fighter(seat)
    others = {str(one.seat): one.name for one in state.fighters if one.seat != seat and not one.gone}
    shown = [die.value for die in fighter.dice]
    nouns: dict[str, Noun] = {
        "die": OwnDie(
            frozenset(die.letter for die in fighter.dice),
            {die.value: die.letter for die in fighter.dice if shown.count(die.value) == 1},
        ),
        "foe": Names(others, least=SHORTEST_CALL, thing="fighter"),
        "own": Names({seat: fighter.name}, least=SHORTEST_CALL, thing="fighter"),
        "number": Numbers(),
    }
    acts: dict[str, Callable[..., Meaning | None]] = {
        **language.acts,
        "acts": lambda more: _each_once([order for acts in more for order in acts]),
        "alone": lambda order: (order,),
        "none": lambda **said: (),
        "topic": partial(about_it, lambda order: getattr(order, "on", "")),
        "guards": lambda more: more,
        "guard": lambda dice, vs="": Defend(dice if isinstance(dice, tuple) else (dice,), vs),
        "kept": lambda more: more,
        "delay": Delay,
        "led": lambda test, then, otherwise=None: (If((test,), (then,), (otherwise,) if otherwise else ()),),
        "nobody": language.acts["none"],
        "attacks": lambda seat: Test("attacks", seat),
    }
    return coarse(language, WORDS, SHAPES, nouns, acts)


def _each_once(said: Sequence[Meaning]) -> tuple[Meaning, ...] | None:
    """Return orders in which no die is used twice, else None."""
    dice = [die for one in said for die in getattr(one, "letters", ())]
    return tuple(said) if len(set(dice)) == len(dice) else None
