"""Conditions of order lines: read, written, tested; knows nothing of what they guard."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from pbem.ruleset import phrases
from pbem.rulesets.rumble.genres import NEUTRAL, Genre, genre_of
from pbem.rulesets.rumble.model.names import find_power
from pbem.rulesets.rumble.model.order import Amend, Bid, Block, Command, If, Invent, Order, RoundOrder, Test, Use
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

    Shape: who `dies` may be saved by a power of theirs, who `is_out` is not.
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


def read_test(state: State, said: str) -> Test | phrases.Unread:
    """
    Read one test, in the neutral words or in those of the genre.

    Errors: `unreadable` with the tests that exist.
    Rule: N14.
    """
    said = re.sub(r"\s+", " ", said.strip())
    found = _read_test(state, said)
    heard = genre_of(state.house).hear(said, state.names.values())
    if not isinstance(found, phrases.Unread) or heard == said:
        return found
    again = _read_test(state, heard)
    return found if isinstance(again, phrases.Unread) and "I do not know" in again.because else again


def read_tests(state: State, said: Sequence[str]) -> tuple[Test, ...] | phrases.Unread:
    """Read tests that are joined by and. Errors: those of the first that cannot be read."""
    tests: list[Test] = []
    for one in said:
        test = read_test(state, one)
        if isinstance(test, phrases.Unread):
            return test
        tests.append(test)
    return tuple(tests)


def _read_test(state: State, said: str) -> Test | phrases.Unread:
    if re.fullmatch(r"always", said, re.IGNORECASE):
        return Test("always")
    if re.fullmatch(r"(?:i )?would die", said, re.IGNORECASE):
        return Test("would die")
    if re.fullmatch(r"(?:i )?would (?:fall|be out)", said, re.IGNORECASE):
        return Test("would be out")
    if match := re.fullmatch(r"(?:i am )?targeted by (.+)", said, re.IGNORECASE):
        return _of_power(state, "targeted by", match[1])
    if match := re.fullmatch(r"(.+?) uses (.+)", said, re.IGNORECASE):
        user, used = _of_hero(state, "uses", match[1]), _of_power(state, "uses", match[2])
        both = isinstance(user, Test) and isinstance(used, Test)
        return Test("uses", user.seat, power=used.power) if both else user if isinstance(used, Test) else used  # type: ignore[union-attr]
    if match := re.fullmatch(r"(?:i am )?attacked by (.+)", said, re.IGNORECASE):
        return _of_hero(state, "attacked by", match[1])
    if match := re.fullmatch(r"(.+?) is (out|in)", said, re.IGNORECASE):
        return _of_hero(state, match[2].lower(), match[1])
    compared = phrases.comparison(said)
    if compared is None:
        return phrases.Unread("unreadable", f'I do not know the test "{said}". Known: {KNOWN}.')
    return _compared(state, said, compared)


def _compared(state: State, said: str, compared: phrases.Comparison) -> Test | phrases.Unread:
    thing = compared.thing
    if thing in ("my energy", "heroes left", "incoming", "damage"):
        return Test(thing, "", compared.sign, compared.number)
    if match := re.fullmatch(r"(energy of|attack (?:from|by|of)) (.+)", thing):
        kind = "energy" if match[1] == "energy of" else "attack from"
        return _of_hero(state, kind, match[2], compared)
    return phrases.Unread("unreadable", f'I do not know the test "{said}". Known: {KNOWN}.')


def _of_hero(state: State, kind: str, said: str, compared: phrases.Comparison | None = None) -> Test | phrases.Unread:
    seat = phrases.find(said, state.names, "hero")
    if isinstance(seat, phrases.Unread):
        return seat
    return Test(kind, seat, compared.sign, compared.number) if compared else Test(kind, seat)


def _of_power(state: State, kind: str, said: str) -> Test | phrases.Unread:
    key = find_power(said, {power.key: power.name for power in state.powers if power.in_play and power.owner})
    return key if isinstance(key, phrases.Unread) else Test(kind, power=key)


def write_test(test: Test, name: str, words: Genre = NEUTRAL, power: str = "") -> str:
    """Write a test; `name` and `power` are what it names, if anything; a canonical line has the neutral words."""
    compared = f"{test.sign} {test.number}"
    match test.kind:
        case "always":
            return "always"
        case "out" | "in":
            return f"{name} is {test.kind}"
        case "attacked by":
            return f"{words.attacked} by {name}"
        case "would die" | "would be out":
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


def true_at_start(state: State, seat: str, test: Test) -> bool:
    """Answer a test that is known when the round begins."""
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
        case _:
            return True


def true_at_reveal(state: State, seat: str, test: Test, revealed: Revealed) -> bool:
    """
    Answer any test once allocations lie open.

    Rule: A28, C20.
    """
    match test.kind:
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
        case _:
            return true_at_start(state, seat, test)


def in_force(state: State, seat: str, orders: Sequence[Order]) -> tuple[RoundOrder, ...]:
    """
    Return the orders that hold this round, conditions answered; block lines are left to `division`.

    Shape: each order carries the number of the line it stood on.
    """
    found: list[RoundOrder] = []
    for order in orders:
        if isinstance(order, If):
            if known_at_start(order.tests):
                met = all(true_at_start(state, seat, test) for test in order.tests)
                found += [o for o in (order.then if met else order.otherwise) if not isinstance(o, Block)]
        elif not isinstance(order, Block | Invent | Amend | Bid | Command):
            found.append(order)
    return tuple(found)


def at_reveal(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> tuple[RoundOrder, ...]:
    """Return what a seat does at the reveal: what stands behind conditions that nobody could test before."""
    late = [order for order in orders if isinstance(order, If) and not known_at_start(order.tests)]
    return tuple(
        guarded
        for order in late
        for guarded in (order.then if _met(state, seat, order, revealed) else order.otherwise)
        if not isinstance(guarded, Block)
    )


def _met(state: State, seat: str, order: If, revealed: Revealed) -> bool:
    return all(true_at_reveal(state, seat, test, revealed) for test in order.tests)


def division(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> Block | None:
    """
    Return the first block line that holds, or None for the house's division.

    Rule: R9, A12.
    """
    for order in orders:
        if isinstance(order, Block):
            return order
        if isinstance(order, If):
            for guarded in order.then if _met(state, seat, order, revealed) else order.otherwise:
                if isinstance(guarded, Block):
                    return guarded
    return None


def unfired(state: State, seat: str, orders: Sequence[Order], revealed: Revealed) -> tuple[If, ...]:
    """Return the conditional lines whose tests did not hold."""
    return tuple(order for order in orders if isinstance(order, If) and not _met(state, seat, order, revealed))
