"""What one genre calls the things of Rumble; knows no state and no letters."""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

import msgspec

from pbem.rulesets.rumble.genres.exchange import Pairs, begun, capital, exchanged, third_person, with_article


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How lines of orders begin; letters show the first of each, and the neutral word is always understood too."""

    attack: tuple[str, ...] = ("attack",)
    defend: tuple[str, ...] = ("defend",)
    use: tuple[str, ...] = ("use",)
    hold: tuple[str, ...] = ("hold",)
    plan: tuple[str, ...] = ("plan",)
    block: tuple[str, ...] = ("block",)
    discard: tuple[str, ...] = ("discard",)
    bid: tuple[str, ...] = ("bid",)


class Also(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """More nouns that people may say for a thing; letters show none of them."""

    hero: tuple[str, ...] = ()
    energy: tuple[str, ...] = ()
    power: tuple[str, ...] = ()
    attack: tuple[str, ...] = ()
    defence: tuple[str, ...] = ()
    round: tuple[str, ...] = ()


class Genre(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    The words of one genre; what its file does not give is the neutral word.

    Shape: `says` is its sentence in the first letter, `game` what Rumble is in it. Nouns have the case that they
    have within a sentence. `many_energy` where Energy is a plural (Bits), and then `one_energy` is one of it;
    `short_energy` and `short_round` stand in narrow columns. `defending` is Defence at large, where a Defence is
    something else (Swerving, a Swerve). `attacked` is the past form of the verb, as in "rammed by Bolt" and in
    "Bolt rammed nobody". `arena` is where it is fought, `weapon` with what.
    Rule: N14.
    """

    says: str
    game: str = "superhero combat by letter"
    hero: str = "hero"
    heroes: str = "heroes"
    energy: str = "Energy"
    one_energy: str = ""
    many_energy: bool = False
    short_energy: str = ""
    power: str = "power"
    powers: str = "powers"
    attack: str = "Attack"
    attacks: str = "Attacks"
    attacked: str = "attacked"
    defence: str = "Defence"
    defending: str = ""
    round: str = "round"
    rounds: str = "rounds"
    short_round: str = ""
    arena: str = "arena"
    weapon: str = "fist"
    weapons: str = "fists"
    orders: Orders = Orders()
    also: Also = Also()

    def verb(self, order: str) -> str:
        """Return the word with which letters begin a line of orders."""
        first: str = getattr(self.orders, order)[0]
        return first

    def amount(self, number: int) -> str:
        """Write an amount of Energy."""
        return f"{number} {(number == 1 and self.one_energy) or self.energy}"

    def at_large(self) -> str:
        """Return the word for Defence without an article."""
        return self.defending or self.defence

    def agree(self, one: str, many: str) -> str:
        """Return the form of a word that goes with Energy."""
        return many if self.many_energy else one

    def a(self, noun: str) -> str:
        """Put the article before a noun."""
        return with_article(noun)

    def say(self, text: str, names: Collection[str] = ()) -> str:
        """
        Put a sentence or a line of ours into these words.

        Shape: `names` are people's, and stay as they are; so does what is in quotation marks, and a line of a
        ruling with free text in it.
        """
        return text if _FREE.match(text) else exchanged(text, _phrases(self), names)

    def hear(self, text: str, names: Collection[str] = ()) -> str:
        """Put these nouns, in what a person said, into the neutral ones; names in it stay as they are."""
        return exchanged(text, _nouns(self), names)

    def hear_order(self, text: str) -> str:
        """Put the word with which a line of orders begins into the neutral one."""
        return begun(text, _verbs(self))

    def hear_power(self, text: str) -> str:
        """Put the word with which an invented power begins, as in `gadget: NAME`, into the neutral one."""
        opens = re.match(r"[^:]*:", text)
        return begun(text, dict.fromkeys(_words(self.power, *self.also.power), "power")) if opens else text

    @property
    def is_neutral(self) -> bool:
        """Say whether all is called by the neutral words."""
        return not _phrases(self)

    @property
    def order_words(self) -> frozenset[str]:
        """Return the words that begin lines of orders in this genre alone."""
        return frozenset(_verbs(self))


_FREE = re.compile(r"(?:do )?(?:reword|plan|order|strike) [^:]*:")
"""Lines of rulings in which people's own words stand."""
_NEUTRAL = frozenset(
    (
        "hero", "heroes", "energy", "power", "powers", "attack", "attacks", "attacked", "defend", "defence",
        "round", "rounds", "use", "hold", "plan", "block", "discard", "bid",
    )
)  # fmt: skip


def _words(*said: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.casefold() for word in said if word and word.casefold() not in _NEUTRAL))


@lru_cache(maxsize=64)
def _verbs(genre: Genre) -> Mapping[str, str]:
    """Map each word that begins an order in this genre, nouns included, to the neutral one."""
    heard = {order: _words(*getattr(genre.orders, order)) for order in genre.orders.__struct_fields__}
    heard["attack"] += _words(genre.attack, genre.attacks, *genre.also.attack)
    heard["defend"] += _words(genre.defence, genre.defending, *genre.also.defence)
    heard["hero"] = _words(genre.hero, *genre.also.hero)
    return {word: order for order, words in heard.items() for word in words}


@lru_cache(maxsize=64)
def _nouns(genre: Genre) -> Pairs:
    """Pair this genre's nouns, the longest first, with the neutral ones."""
    also = genre.also
    heard = {
        "energy": _words(genre.energy, genre.one_energy, *also.energy),
        "heroes": _words(genre.heroes),
        "hero": _words(genre.hero, *also.hero),
        "powers": _words(genre.powers),
        "power": _words(genre.power, *also.power),
        "attacked": _words(genre.attacked),
        "attack": _words(genre.attack, genre.attacks, *also.attack),
        "defence": _words(genre.defence, genre.defending, *also.defence),
        "rounds": _words(genre.rounds),
        "round": _words(genre.round, *also.round),
    }
    pairs = [(word, neutral) for neutral, words in heard.items() for word in words]
    return tuple((f"(?i:{re.escape(word)})", new) for word, new in sorted(pairs, key=lambda pair: -len(pair[0])))


@lru_cache(maxsize=64)
def _phrases(genre: Genre) -> Pairs:
    """Pair what our sentences say with how they say it in this genre, where that is not the same."""
    both = zip(_all_phrases(genre), _all_phrases(Genre(says="")), strict=True)
    pairs = [(old, new) for (old, new), (_, neutral) in both if new != neutral]
    return (*_LEFT, *pairs) if pairs else ()


def _all_phrases(genre: Genre) -> Pairs:
    return (*_sentences(genre), *_order_words(genre), *_things(genre))


_LEFT = (("defend what comes", "defend what comes"), ("each round", "each round"))
"""A plan is free words, and how long a ruling holds is the table's affair."""


def _sentences(genre: Genre) -> Pairs:
    """Say what goes otherwise with a plural, and what has a form of its own."""
    energy = genre.energy
    attacks, defends = (third_person(genre.verb(order)) for order in ("attack", "defend"))
    return (
        ("as much Energy", f"as {genre.agree('much', 'many')} {energy}"),
        ("Energy was", f"{energy} {genre.agree('was', 'were')}"),
        ("Energy is set", f"{energy} {genre.agree('is', 'are')} set"),
        (r"(?<![0-9])1 Energy", genre.amount(1)),
        ("for attack", f"for {genre.attacks}"),
        ("attacks and defends", f"{attacks} and {defends}"),
    )


def _order_words(genre: Genre) -> Pairs:
    """Say words of orders that are plain English too, where they stand as words of orders."""
    words = ("use", "hold", "plan", "block", "discard", "bid")
    return tuple((f"{word}(?= NAME)|(?<=, ){word}(?=,)", genre.verb(word)) for word in words)


def _things(genre: Genre) -> Pairs:
    nouns = {
        "energy": genre.energy.lower(),
        "Energy": genre.energy,
        "hero": genre.hero,
        "heroes": genre.heroes,
        "power": genre.power,
        "powers": genre.powers,
        "attack(?= of | from | by |\\()": genre.attack.lower(),
        "attacked": genre.attacked,
        "attack": genre.verb("attack"),
        "Attack": genre.attack,
        "Attacks": genre.attacks,
        "defend": genre.verb("defend"),
        "defence": genre.defence.lower(),
        "(?:(?<=for )|(?<=into ))Defence|Defence(?= also stops| stops| that)": genre.at_large(),
        "Defence": genre.defence,
        "round": genre.round,
        "rounds": genre.rounds,
    }
    begin = ("hero", "heroes", "power", "powers", "round", "rounds")
    return (*nouns.items(), *((capital(noun), capital(nouns[noun])) for noun in begin))
