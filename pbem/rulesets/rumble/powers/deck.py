"""Powers of the printed set: those that are dealt to a pool, and the deck of those that are not in a game."""

from collections.abc import Iterable, Mapping

import msgspec

from pbem.ruleset import Dice
from pbem.rulesets.rumble.model.state import Power, State, unnumbered
from pbem.rulesets.rumble.powers.archive import Archived, archive

EACH: Mapping[str, int] = {"invented": 0, "dealt": 2, "mixed": 1}
"""How many powers are dealt for each hero, by the house rule `pool` (C16)."""
_TIERS: Mapping[str, tuple[str, ...]] = {
    "all": ("unsorted", "intermediate", "advanced"),
    "intermediate": ("unsorted", "intermediate"),
    "unsorted": ("unsorted",),
}


def dealt_each(house: Mapping[str, str]) -> int:
    """Return how many powers are dealt for each hero. Rule: C16."""
    return EACH[house.get("pool", "invented")]


def deal(state: State, names: Iterable[str], dice: Dice) -> list[Power]:
    """Deal powers for all heroes, none of whose names is there already; fewer where the set has no more. Rule: C16."""
    dealt = dice.shuffle("dealt", _absent(names, _printed(state.house)))[: dealt_each(state.house) * len(state.heroes)]
    return [_card(card, number) for number, card in enumerate(dealt, 1)]


def with_pool(state: State, dice: Dice) -> State:
    """Return a first state with its pool where all of it is dealt, and there is nothing to invent. Rule: C16."""
    if state.house.get("pool") != "dealt":
        return state
    return msgspec.structs.replace(state, phase="auction", powers=tuple(deal(state, (), dice)))


def deck(state: State) -> list[Power]:
    """
    List the powers that can be drawn, each with the number that it would have.

    Rule: C10: what nobody wanted, or what was not dealt of the printed set, or what of the archive is not in the game.
    """
    if state.house.get("deck") == "unsold":
        return [power for power in state.powers if power.fate == "unsold"]
    names = [name for power in state.powers for name in (power.name, unnumbered(power.name))]
    undealt = _absent(names, _printed(state.house)) if dealt_each(state.house) else []
    number = max((power.number for power in state.powers), default=0) + 1
    return [_card(card, number) for card in undealt or _absent(names, archive())]


def _printed(house: Mapping[str, str]) -> list[Archived]:
    return [card for card in archive() if card.tier in _TIERS[house.get("tiers", "all")]]


def _absent(names: Iterable[str], cards: Iterable[Archived]) -> list[Archived]:
    here = {name.casefold() for name in names}
    return [card for card in cards if card.name.casefold() not in here]


def _card(card: Archived, number: int) -> Power:
    """Make a power of a card; a Curse is what its text hands on (C6)."""
    is_curse = card.type == "curse" and "when: won" in card.lines
    return Power(number, card.name, card.text, kind="curse" if is_curse else "power", lines=card.lines)
