"""What is declared so far in a round, as frozen values, and what equal dice of it count; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import msgspec

from pbem.rulesets.brawl.order import Attack, Defend, Delay, GiftUse, RoundOrder
from pbem.rulesets.brawl.state import Die, Use


class Dropped(msgspec.Struct, frozen=True):
    """
    One declared drop die.

    Shape: `number` counts the drops of the round in the order in which they were declared, so that a later one has
    the greater; `nth` counts those of the seat with the same action; `target` is the drop that a Counter meets, -1
    for what lasts from before; `die` is the value that was dropped, `letter` what its owner calls it.
    """

    number: int
    seat: str
    action: str
    nth: int
    letter: str
    die: int
    on: str = ""
    what: str = ""
    attack: int = 1
    target: int = -1

    @property
    def key(self) -> str:
        """Return the key of the fact whether it works."""
        return f"{self.action} {self.nth} of {self.seat}"


class Declared(msgspec.Struct, frozen=True):
    """
    What a seat declared.

    Shape: `dice` are all dice that it has this round by letter, those that others gave among them; `gifts` maps the
    letter of such a die to the number of the drop that gave it. `chosen` are the orders that were done, `late` what was
    done with given dice; `blows` and `guards` are the attacks and defenses that both come to; `passes` says that it
    leaves the dice that no line uses; `how` is the order of damage dice.
    """

    seat: str
    dice: Mapping[str, Die]
    blows: tuple[Attack, ...] = ()
    guards: tuple[Defend, ...] = ()
    gifts: Mapping[str, int] = {}
    chosen: tuple[RoundOrder, ...] = ()
    late: tuple[GiftUse, ...] = ()
    passes: bool = False
    how: str = "listed"

    @property
    def delays(self) -> tuple[tuple[str, Use], ...]:
        """Return the letters of delayed dice, each with what it is kept for."""
        return tuple((order.die, order.use) for order in self.chosen if isinstance(order, Delay))


class Table(msgspec.Struct, frozen=True):
    """All that is declared so far; `asks` is the seat that wants to be asked now, "" for nobody."""

    declared: Mapping[str, Declared] = {}
    drops: tuple[Dropped, ...] = ()
    asks: str = ""

    def with_declared(self, one: Declared, drops: Sequence[Dropped]) -> Table:
        """Return the table with what a seat declared, and the dice that it dropped for that."""
        return Table({**self.declared, one.seat: one}, (*self.drops, *drops))


def is_called(action: str, what: str) -> bool:
    """Say whether a drop die is what somebody calls it: a charge is a move, too. Rule: K19."""
    return action == what or (action, what) == ("charge", "move")


def set_factors(declared: Declared, dice: Mapping[str, Die]) -> dict[str, int]:
    """
    Return the factor of each die in the main actions: 2 in a double, 3 in a triple, else 1.

    Shape: all that are alike in `dice` are parted into sets, and count by how many of a set are in main actions; of
    five alike, the first three named are the triple. A given die is parted with them only where it is in a main
    action, or an enemy could break a triple with a gift.
    Rule: K12, K-k, K-l.
    """
    letters = [letter for blow in declared.blows for letter in (*blow.dice, *blow.damage)]
    letters += [letter for guard in declared.guards for letter in guard.dice]
    named = [letter for order in declared.chosen for letter in order.letters]
    letters.sort(key=lambda letter: named.index(letter) if letter in named else len(named))
    by_value: dict[int, list[str]] = {}
    for letter in letters:
        if letter in dice:
            by_value.setdefault(dice[letter].value, []).append(letter)
    parted = [die.value for letter, die in dice.items() if letter in letters or letter not in declared.gifts]
    factors: dict[str, int] = {}
    for value, same in by_value.items():
        left = iter(same)
        for size in _sets(parted.count(value)):
            mine = list(islice(left, size))
            factors |= dict.fromkeys(mine, len(mine))
    return factors


def _sets(alike: int) -> list[int]:
    """Split a number of equal dice into triples, then doubles, or a single one. Rule: K12, K-l."""
    triples = max(0, alike // 3 - (alike % 3 == 1))  # of four, or of a triple and one, two doubles are made
    return [3] * triples + [2] * ((alike - 3 * triples) // 2) or [1]
