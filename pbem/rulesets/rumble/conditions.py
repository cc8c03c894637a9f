"""Conditions of order lines: read, written, tested; knows nothing of what they guard."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pbem.ruleset import phrases
from pbem.rulesets.rumble.genres import NEUTRAL, Genre, genre_of
from pbem.rulesets.rumble.orders import Bid, Block, If, Invent, Order, RoundOrder, Test
from pbem.rulesets.rumble.state import State

AT_REVEAL = ("attacked by", "attack from", "incoming")
KNOWN = (
    "my energy < 40, energy of NAME >= 20, heroes left = 2, NAME is out, NAME is in, always; "
    "and before a block line: attacked by NAME, attack from NAME >= 20, incoming > 40"
)


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


def _read_test(state: State, said: str) -> Test | phrases.Unread:
    if re.fullmatch(r"always", said, re.IGNORECASE):
        return Test("always")
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
    if thing in ("my energy", "heroes left", "incoming"):
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


def write_test(test: Test, name: str, words: Genre = NEUTRAL) -> str:
    """Write a test; `name` is the hero's, where the test has one; a canonical line has the neutral words."""
    compared = f"{test.sign} {test.number}"
    match test.kind:
        case "always":
            return "always"
        case "out" | "in":
            return f"{name} is {test.kind}"
        case "attacked by":
            return f"{words.attacked} by {name}"
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


def true_at_reveal(state: State, seat: str, test: Test, incoming: Mapping[str, int]) -> bool:
    """
    Answer any test once allocations lie open; `incoming` is the Energy allocated against the seat, by attacker.

    Rule: A28.
    """
    match test.kind:
        case "attacked by":
            return test.seat in incoming
        case "attack from":
            return test.holds(incoming.get(test.seat, 0))
        case "incoming":
            return test.holds(sum(incoming.values()))
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
        elif not isinstance(order, Block | Invent | Bid):
            found.append(order)
    return tuple(found)


def division(state: State, seat: str, orders: Sequence[Order], incoming: Mapping[str, int]) -> Block | None:
    """
    Return the first block line that holds, or None for the house's division.

    Rule: R9, A12.
    """
    for order in orders:
        if isinstance(order, Block):
            return order
        if isinstance(order, If):
            met = all(true_at_reveal(state, seat, test, incoming) for test in order.tests)
            for guarded in order.then if met else order.otherwise:
                if isinstance(guarded, Block):
                    return guarded
    return None


def unfired(state: State, seat: str, orders: Sequence[Order], incoming: Mapping[str, int]) -> tuple[If, ...]:
    """Return the conditional lines whose tests did not hold."""
    return tuple(
        order
        for order in orders
        if isinstance(order, If) and not all(true_at_reveal(state, seat, test, incoming) for test in order.tests)
    )
