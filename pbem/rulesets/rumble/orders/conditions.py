"""Conditions of order lines: reads, writes and tests them; knows nothing of what they guard."""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from pbem.ruleset import Refused, all_read, phrases, refuse
from pbem.rulesets.rumble.genres import NEUTRAL, Genre, genre_of
from pbem.rulesets.rumble.model.names import find_power
from pbem.rulesets.rumble.model.order import (
    Amend,
    Bid,
    Block,
    Command,
    If,
    Invent,
    Order,
    RoundOrder,
    Test,
    Unsigned,
    Use,
)
from pbem.rulesets.rumble.model.state import State
from pbem.rulesets.rumble.powers.engine.active_abilities import names_attack

AT_REVEAL = ("attacked by", "attack from", "incoming", "damage", "would die", "would be out", "targeted by", "uses")
KNOWN = (
    "my energy < 40, energy of NAME >= 20, heroes left = 2, NAME is out, NAME is in, always; "
    "and before a block line or a power for the reveal: attacked by NAME, attack from NAME >= 20, incoming > 40, "
    "damage > 20, would die, would be out, targeted by Hypnotism, NAME uses Hypnotism"
)


class Foreseen(msgspec.Struct, frozen=True):
    """
    What a round would do to a hero if nobody did anything at the reveal.

    Shape: a hero that `dies` may still be saved by a power; one that `is_out` is not.
    """

    is_out: bool = False
    dies: bool = False
    damage: int = 0


class Revealed(msgspec.Struct, frozen=True):
    """
    What conditions are tested on: allocations as they lie open, before anybody answers them (C20).

    Shape: `attacks` maps who is attacked to the Energy by attacker; `foresee` is asked only where a test needs it.
    """

    attacks: Mapping[str, Mapping[str, int]] = {}
    uses: Mapping[str, Sequence[Use]] = {}
    foresee: Callable[[], Mapping[str, Foreseen]] = dict

    def incoming(self, seat: str) -> Mapping[str, int]:
        """Return the Energy put against a seat, by attacker."""
        return self.attacks.get(seat, {})

    def ahead(self, seat: str) -> Foreseen:
        """Return what the round would do to a seat."""
        return self.foresee().get(seat, Foreseen())


def read_test(state: State, text: str) -> Test | phrases.Unread:
    """
    Read one test, in the neutral words or in those of the genre.

    Errors: `unreadable` with the tests that exist.
    Rule: N14.
    """
    text = re.sub(r"\s+", " ", text.strip())
    found = _read_test(state, text)
    heard = genre_of(state.house).hear(text, state.names.values())
    if not isinstance(found, phrases.Unread) or heard == text:
        return found
    again = _read_test(state, heard)
    return found if isinstance(again, phrases.Unread) and "I do not know" in again.because else again


def guarded(
    state: State,
    cut: phrases.Conditional,
    read: Callable[[tuple[str, ...], tuple[Test, ...]], tuple[RoundOrder, ...] | Refused],
) -> If | Refused:
    """
    Read a condition and the orders that it guards; `read` reads those of one branch, which hang on some tests.

    Errors: those of the first test, or else the first order, that cannot be read.
    """
    found = (read_test(state, text) for text in cut.tests)
    tests = all_read(refuse(one, "A28") if isinstance(one, phrases.Unread) else one for one in found)
    if isinstance(tests, Refused):
        return tests
    branches = all_read(read(parts, tests) for parts in (cut.then, cut.otherwise))
    return branches if isinstance(branches, Refused) else If(tests, *branches)


_FORMS = (
    (r"always", "always"),
    (r"(?:i )?would die", "would die"),
    (r"(?:i )?would (?:fall|be out)", "would be out"),
    (r"(?:i am )?targeted by (?P<power>.+)", "targeted by"),
    (r"(?P<hero>.+?) uses (?P<power>.+)", "uses"),
    (r"(?:i am )?attacked by (?P<hero>.+)", "attacked by"),
    (r"(?P<hero>.+?) is out", "out"),
    (r"(?P<hero>.+?) is in", "in"),
)
"""How tests without a number are said, and the kind of each."""


def _read_test(state: State, text: str) -> Test | phrases.Unread:
    for pattern, kind in _FORMS:
        if match := re.fullmatch(pattern, text, re.IGNORECASE):
            return _of(state, Test(kind), **match.groupdict())
    compared = phrases.comparison(text)
    if compared:
        test = Test("", sign=compared.sign, number=compared.number)
        if compared.thing in ("my energy", "heroes left", "incoming", "damage"):
            return msgspec.structs.replace(test, kind=compared.thing)
        if match := re.fullmatch(r"(energy of|attack (?:from|by|of)) (.+)", compared.thing):
            kind = "energy" if match[1] == "energy of" else "attack from"
            return _of(state, msgspec.structs.replace(test, kind=kind), hero=match[2])
    return phrases.Unread("unreadable", f'I do not know the test "{text}". Known: {KNOWN}.')


def _of(state: State, test: Test, hero: str = "", power: str = "") -> Test | phrases.Unread:
    """Return a test of the hero and the power that it names, if any."""
    owned = {one.key: one.name for one in state.powers if one.in_play and one.owner}
    key = find_power(power, owned) if power else ""
    if isinstance(key, phrases.Unread):
        return key
    seat = phrases.find(hero, state.names, "hero") if hero else ""
    return seat if isinstance(seat, phrases.Unread) else msgspec.structs.replace(test, seat=seat, power=key)


def write_test(test: Test, name: str, words: Genre = NEUTRAL, power: str = "") -> str:
    """Write a test; `name` and `power` are what it names, if anything; a canonical line has the neutral words."""
    compared = f"{test.sign} {test.number}"
    match test.kind:
        case "out" | "in":
            return f"{name} is {test.kind}"
        case "attacked by":
            return f"{words.attacked} by {name}"
        case "always" | "would die" | "would be out":
            return test.kind
        case "targeted by":
            return f"targeted by {power}"
        case "uses":
            return f"{name} uses {power}"
        case "energy":
            return f"{words.energy.lower()} of {name} {compared}"
        case "attack from":
            return f"{words.attack.lower()} from {name} {compared}"
        case _:
            return f"{words.say(test.kind)} {compared}"


def known_at_start(tests: Sequence[Test]) -> bool:
    """Say whether every test can be answered when the round begins."""
    return all(test.kind not in AT_REVEAL for test in tests)


def met(state: State, seat: str, tests: Sequence[Test], revealed: Revealed) -> bool:
    """Say whether every test holds, by what lies open if any of them asks for that. Rule: A28, C20."""
    return all(_holds(state, seat, test, revealed) for test in tests)


def _holds(state: State, seat: str, test: Test, revealed: Revealed) -> bool:
    match test.kind:
        case "my energy":
            return test.holds(state.hero(seat).energy)
        case "energy":
            return test.holds(state.hero(test.seat).energy)
        case "heroes left":
            return test.holds(len(state.living))
        case "out":
            return not state.hero(test.seat).is_in
        case "in":
            return state.hero(test.seat).is_in
        case "attacked by":
            return test.seat in revealed.incoming(seat)
        case "attack from":
            return test.holds(revealed.incoming(seat).get(test.seat, 0))
        case "incoming":
            return test.holds(sum(revealed.incoming(seat).values()))
        case "damage":
            return test.holds(revealed.ahead(seat).damage)
        case "would die":
            return revealed.ahead(seat).dies
        case "would be out":
            return revealed.ahead(seat).is_out
        case "targeted by":
            power = state.power(test.power)
            aimed = power is not None and not names_attack(power)
            uses = (use for used in revealed.uses.values() for use in used)
            return aimed and any(use.power == test.power and use.on == seat for use in uses)
        case "uses":
            return any(use.power == test.power for use in revealed.uses.get(test.seat, ()))
    return True


def branch(state: State, seat: str, order: If, revealed: Revealed) -> tuple[RoundOrder, ...]:
    """Return the orders of a condition that hold."""
    return order.then if met(state, seat, order.tests, revealed) else order.otherwise


def in_force(state: State, seat: str, orders: Sequence[Order]) -> tuple[RoundOrder, ...]:
    """
    Return the orders that hold this round, conditions answered; block lines are left to `division`.

    Shape: each order carries the number of the line it stood on.
    """
    found: list[RoundOrder] = []
    for order in orders:
        if not isinstance(order, _NOT_CARRIED_OUT):
            found.append(order)
        elif isinstance(order, If) and known_at_start(order.tests):
            found += (one for one in branch(state, seat, order, Revealed()) if not isinstance(one, Block))
    return tuple(found)


_NOT_CARRIED_OUT = (If, Block, Invent, Unsigned, Amend, Bid, Command)
"""The orders that a hero does not carry out in a round as they stand; those for a Sidekick are its own."""


def at_reveal(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> tuple[RoundOrder, ...]:
    """Return what a seat does at the reveal: the orders under conditions that nobody could test before."""
    late = [order for order in orders if isinstance(order, If) and not known_at_start(order.tests)]
    found = (guarded for order in late for guarded in branch(state, seat, order, revealed))
    return tuple(order for order in found if not isinstance(order, Block))


def division(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> Block | None:
    """
    Return the first block line that holds, or None for the house's division.

    Rule: R9, A12.
    """
    for order in orders:
        for one in branch(state, seat, order, revealed) if isinstance(order, If) else (order,):
            if isinstance(one, Block):
                return one
    return None


def unfired(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> tuple[If, ...]:
    """Return the conditional lines whose tests did not hold."""
    return tuple(order for order in orders if isinstance(order, If) and not met(state, seat, order.tests, revealed))
