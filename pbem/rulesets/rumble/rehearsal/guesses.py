"""What a player guesses that others will do: reads it, and works out the round that would come of it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from pbem.ruleset import Dice, Facts, Given, OrderLine, Seat, phrases
from pbem.rulesets.rumble.genres import translation
from pbem.rulesets.rumble.language.reading import ROUNDS
from pbem.rulesets.rumble.model.names import written
from pbem.rulesets.rumble.model.order import Order
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.orders import sets
from pbem.rulesets.rumble.orders.commands import by_hero
from pbem.rulesets.rumble.orders.writing import show_line
from pbem.rulesets.rumble.round import adjudication

TRIES = 8
"""How often a round is played with dice of its own to see whether they matter; the sealed ones are never looked at."""
FORM = "Write what if NAME attacks me 40, NAME defends 20."
_I = "i"
_BETWEEN = r"\s*(?:[,;&]+\s*(?!\d)|\.+\s+)(?:(?:and|while|then|but)\s+)*(?:if\s+)?|\s+(?:and|while|but)\s+(?:if\s+)?"
_HELPERS = re.compile(r"(?:(?:will|would|might|may|should|does|do|did|then|both|also|just)\s+)+", re.IGNORECASE)
_ALL = (
    "everybody else",
    "everyone else",
    "everybody",
    "everyone",
    "all others",
    "all the others",
    "the others",
    "they all",
)
_LIKE_A_GUESS = re.compile(r"^\S+\s+(?:attack|hit|strike|defend|block)(?:s|es)?\b.*\d", re.IGNORECASE)
"""What reads as a guess about somebody, whoever that is."""
_NOTHING = re.compile(r"(?:do(?:es)? )?nothing|idles?|sends? nothing|stays? idle", re.IGNORECASE)
_EACH = re.compile(r"\s+(?:each|apiece)$", re.IGNORECASE)


def guess(
    state: State, seat: Seat, own: Sequence[Order], said: str
) -> dict[str, tuple[Order, ...]] | phrases.Unread | None:
    """
    Read guesses such as `Bo attacks me 40 and defends 20, Cy defends 20`: the orders of each hero that is named.

    Shape: orders without a name are the last named hero's where they are said of one ("defends"), and refused else, for
    they may be meant as orders. What the asker `also` does comes to the `own` set, anything else takes its place. None
    where nobody is named, or no amount and no order is said: that is a sentence.
    """
    names = _names(state, seat)
    said = said.strip(" .!")
    begins = re.match(_any_of(names), said, re.IGNORECASE)
    if not begins:
        return translation.unread(state, _nobody(said)) if _LIKE_A_GUESS.search(said) else None
    if state.phase != "round":
        is_guess = re.search(r"\d", said) is not None
        return phrases.Unread("illegal", "A what if is worked out in a round alone.") if is_guess else None
    lines = _lines(state, seat, said, names)
    if isinstance(lines, phrases.Unread):
        is_guess = re.search(r"\d", said) is not None and names[begins[0].casefold()] != (seat,)
        return translation.unread(state, lines) if is_guess else None
    found: dict[str, tuple[Order, ...]] = {}
    adds = re.search(r"(?<!\w)i\s+(?:(?:would|might|may|will)\s+)?also\b", said, re.IGNORECASE)
    for hero, texts in lines.items():
        orders = _orders(state, hero, texts, own if adds and hero == seat else ())
        if isinstance(orders, phrases.Unread):
            return translation.unread(state, orders)
        found[hero] = orders
    return found


def _nobody(said: str) -> phrases.Unread:
    first = said.split(maxsplit=1)[0]
    return phrases.Unread(
        "unreadable", f'Nobody here is called "{first}", so I cannot tell whose orders these are. {FORM}'
    )


def _names(state: State, seat: Seat) -> dict[str, tuple[str, ...]]:
    """
    Map, in small letters, what each hero can be called: the name, the seat, and a word that no other name has.

    Shape: words such as `everybody` are all who are in, but for the asker.
    """
    found: dict[str, str] = {}
    words = [word for hero in state.heroes for word in {*re.findall(r"[^\W_]{2,}", hero.name.casefold())}]
    for hero in state.heroes:
        own = re.findall(r"[^\W_]{2,}", hero.name.casefold())
        found |= {word: hero.seat for word in own if words.count(word) == 1}
    found |= {hero.seat.casefold(): hero.seat for hero in state.heroes}
    found |= {hero.name.casefold(): hero.seat for hero in state.heroes} | {_I: seat}
    others = tuple(hero.seat for hero in state.living if state.player(hero.seat) != seat)
    return {**dict.fromkeys(_ALL, others), **{name: (hero,) for name, hero in found.items()}}


def _any_of(names: Collection[str]) -> str:
    return rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?!\w)"


def _pieces(said: str, names: Collection[str]) -> Iterator[str]:
    """Cut a text between guesses, but never inside a name."""
    begin = 0
    for match in re.finditer(rf"{_any_of(names)}|(?P<cut>{_BETWEEN})", said, re.IGNORECASE):
        if match["cut"]:
            yield said[begin : match.start()].strip()
            begin = match.end()
    yield said[begin:].strip()


def _lines(
    state: State, seat: Seat, said: str, names: Mapping[str, Sequence[str]]
) -> dict[str, list[str]] | phrases.Unread:
    """Find who is guessed to do what, as lines in the words of orders."""
    found: dict[str, list[str]] = {}
    waiting: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    for piece in filter(None, _pieces(said, names)):
        match = re.match(rf"({_any_of(names)})\s*:?\s*", piece, re.IGNORECASE)
        rest = _HELPERS.sub("", piece[match.end() :] if match else piece, count=1)
        if match:
            waiting = (*waiting, *names[match[1].casefold()])
            if not rest:
                continue
            now, waiting = waiting, ()
        elif waiting or not now or (now != (seat,) and not re.match(r"[^\W\d]+s\b", rest, re.IGNORECASE)):
            because = f'It is not said who does "{piece}". Say the name; an order of yours stands on a line of its own.'
            return phrases.Unread("ambiguous", because)
        for hero in now:
            line = "" if _NOTHING.fullmatch(rest) else _line(state, seat, hero, rest)
            if line is None:
                return phrases.Unread("unreadable", f'I cannot read "{piece}" as a guess. {FORM}')
            found.setdefault(hero, []).extend([line] if line else [])
    if waiting:
        return phrases.Unread("unreadable", f"It is not said what {state.names[waiting[-1]]} does. {FORM}")
    return found


def _line(state: State, seat: Seat, hero: str, said: str) -> str | None:
    """Return the first way to say a guess that reads as orders of the hero: "attacks me 40" as "attack NAME 40"."""
    if hero != seat:
        said = re.sub(r"\b(?:me|us)\b", written(seat, state.names), said, flags=re.IGNORECASE)
    said = _EACH.sub("", said)
    verb, _, rest = said.partition(" ")
    stems = [verb.removesuffix("s"), verb.removesuffix("es"), verb] if hero != seat else [verb]
    ways = dict.fromkeys(f"{stem} {rest}".strip() for stem in stems)
    return next((one for one in ways if _reads(state, hero, one)), None)


def _reads(state: State, hero: str, text: str) -> bool:
    parsed = ROUNDS.parse(state, hero, [OrderLine(1, text)])
    return bool(parsed.orders) or any(one.fault == "illegal" for one in parsed.complaints)


def _orders(state: State, hero: str, texts: Sequence[str], own: Sequence[Order]) -> tuple[Order, ...] | phrases.Unread:
    """Read all that is guessed of one hero as a set, with what is on hand already; the rules have to allow it."""
    name = state.names[hero]
    if not state.hero(hero).is_in:
        return phrases.Unread("illegal", f"{name} is out of the game.")
    parsed = ROUNDS.parse(state, hero, [OrderLine(place, text) for place, text in enumerate(texts, 1)])
    whole = (*own, *parsed.orders)
    wrong = (*parsed.complaints, *sets.check(state, hero, whole))
    if wrong:
        return phrases.Unread("illegal", f"If it were {name}'s set: {wrong[0].because}")
    return whole


def forecast(state: State, seat: Seat, own: Sequence[Order], guesses: Mapping[str, Sequence[Order]]) -> Facts:
    """
    Return the facts for `forecast.j2`: whose set is guessed to be what, and what all end on.

    Shape: who is not named does nothing; who asks has the set on hand unless they guessed one of their own, and what
    the house gives to an absent seat where there is neither. Of each hero `low` and `high` are the Energy in the end,
    which differ where dice decide, and `out` is "", "maybe" or "yes". `rules_left` says that powers of those who are in
    are ruled on by the moderator, and are left out.
    """
    mine = guesses.get(seat, own)
    parts = by_hero(state, {seat: tuple(mine)})
    for named in sorted(guesses, key=lambda one: bool(state.hero(one).power)):
        parts |= by_hero(state, {named: tuple(guesses[named])}) if named != seat else {}
    ends = [_played(state, seat, parts, Dice(f"a guess {number}".encode())) for number in range(TRIES)]
    rows: list[Facts] = []
    for hero in state.living:
        after = [end.hero(hero.seat) for end in ends]
        fallen = sum(not one.is_in for one in after)
        energies = [one.energy for one in after]
        rows.append(
            {
                "name": hero.name,
                "own": hero.seat == seat,
                "energy": hero.energy,
                "guessed": [show_line(state, order) for order in guesses.get(hero.seat, ())],
                "is_guessed": hero.seat in guesses,
                "low": min(energies),
                "high": max(energies),
                "out": "yes" if fallen == TRIES else "maybe" if fallen else "",
            }
        )
    idle = [hero.name for hero in state.living if hero.seat not in guesses and state.player(hero.seat) != seat]
    return {
        "rows": rows,
        "idle": idle,
        "guessed_own": seat in guesses,
        "dice": any(row["low"] != row["high"] or row["out"] == "maybe" for row in rows),
        "rules_left": any(not power.lines for hero in state.living for power in state.owned(hero.seat)),
    }


def _played(state: State, seat: Seat, parts: Mapping[str, tuple[Order, ...]], dice: Dice) -> State:
    """Play the round with these sets; the asker's heroes do what the house gives them where they have none."""
    mine = {hero.seat for hero in state.living if state.player(hero.seat) == seat}
    whole = {
        hero: sets.completed(state, hero, sent, dice.at(hero)) if hero in mine else tuple(sent)
        for hero, sent in parts.items()
    }
    return adjudication.play(state, whole, {}, Given(), dice, is_told=False).state
