"""Names for heroes: reads `hero:` lines and settles equal choices; knows no Energy."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from pbem.ruleset import Refused, phrases
from pbem.rulesets.rumble.genres import genre_of
from pbem.rulesets.rumble.model.names import GLUE
from pbem.rulesets.rumble.model.order import Command, Name, Order
from pbem.rulesets.rumble.model.state import State, distinct

ORDER_WORDS = frozenset(
    (
        "attack", "defend", "defence", "defense", "use", "hold", "plan", "precog", "block", "discard",
        "confirm", "idle", "resign", "hero", "name", "bid", "power", "text", "type", "if", "else", "and", "or",
        "standing", "ask", "press", "ready", "wait", "cancel", "status", "preview", "help", "history", "resend",
        "caption", "captions",
    )
)  # fmt: skip
"""Words that begin lines, so no hero's name may begin with one."""
FORBIDDEN = frozenset(("everyone", "all", "any", "me", "myself", "nobody", "always", "gm", "moderator", "mod"))
"""Names that would be mistaken for somebody else."""


def read_name(state: State, seat: str, rest: str) -> Name | Refused:
    """
    Read what stands after `hero:`.

    Rule: B10; only in the first round, and only a name that no line could mistake for something else. Later
    the name that a hero has may stand in a set, as in one that is sent again every round.
    """
    name = " ".join(unicodedata.normalize("NFKC", rest).split()).strip("'\" ")
    if state.round != 1:
        own = state.names[seat]
        same = _is_called(own, name)
        return Name(own) if same else Refused("illegal", f"Heroes are named in the first round. You stay {own}.", "B10")
    because = _wrong(name) or _like_an_order(state, name) or _taken(state, seat, name)
    return Refused("illegal", because, "B10") if because else Name(name)


def given(orders: Sequence[Order]) -> tuple[str, ...]:
    """Return the names that a set gives, to its hero or to Sidekicks."""
    whole = [*orders, *(part for order in orders if isinstance(order, Command) for part in order.orders)]
    return tuple(order.name for order in whole if isinstance(order, Name))


def folded(name: str) -> str:
    """Return a name in plain ASCII small letters, as addresses and keys need it; "" where that is impossible."""
    flat = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return " ".join(flat.casefold().replace("-", " ").split()).strip(" .'!")


def _is_called(own: str, wanted: str) -> bool:
    """Say whether a name is a hero's own, with or without the number that tells it from an equal one (B7)."""
    known = {own.casefold(), re.sub(r" \([0-9]+\)$", "", own).casefold()}
    flat = {folded(name) for name in known} - {""}
    return wanted.casefold() in known or folded(wanted) in flat


def _wrong(name: str) -> str:
    if not name:
        return 'Say the name, as in "hero: Mantisman".'
    because = phrases.misleading(name)
    if because:
        return because
    words = re.split(r"[\s-]+", name.casefold())
    if words[0] in ORDER_WORDS:
        return f'A name cannot begin with "{words[0]}", which begins an order.'
    glue = next((word for word in words if word in GLUE), "")
    if glue:
        return f'A name cannot hold the word "{glue}", which holds orders together.'
    if words[:2] == ["all", "but"]:
        return 'A name cannot begin with "all but", which names all others.'
    if re.search(r"^[0-9]+\s|\bx?[0-9]+x?$", name.casefold()) or re.fullmatch(r"p[0-9]+", name.casefold()):
        return "A name cannot begin or end in a number, or nobody could tell it from an amount."
    return f"{name} would be mistaken for somebody else." if folded(name) in FORBIDDEN else ""


def _like_an_order(state: State, name: str) -> str:
    if genre_of(state.house).hear_order(name) == name:
        return ""
    return f'A name cannot begin with "{re.split(r"[ -]", name)[0]}", which begins an order.'


def _taken(state: State, seat: str, name: str) -> str:
    wanted = folded(name)
    for hero in state.heroes:
        if hero.seat != seat and wanted in (folded(hero.name), folded(hero.seat)):
            return f"The name {hero.name} is taken. Choose another name."
        if hero.seat != seat and phrases.glance(name) == phrases.glance(hero.name):
            return f"{name} looks too much like {hero.name}. Choose another name."
    return ""


def named(state: State, chosen: Mapping[str, str]) -> dict[str, str]:
    """
    Return every seat's name once the choices of the first round lie open.

    Rule: B10, B7; equal choices are numbered in seat order.
    """
    seats = list(state.names)
    names = distinct([chosen.get(seat, state.names[seat]) for seat in seats])
    return dict(zip(seats, names, strict=True))
