"""The sets that the cases of a ruleset send, as they are read; what its tables say is held against them."""

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.ground.chance import Dice
from pbem.ground.terms import Given, OrderLine, Seat
from pbem.testing.cases import play
from pbem.testing.scenes import scenes

DICE = Dice(b"a seed for every scene of ours!!!")


class Sent(NamedTuple):
    """A set of a case, and its orders."""

    state: Any
    seat: Seat
    lines: tuple[OrderLine, ...]
    orders: tuple[Any, ...]


_PLAYED: dict[tuple[str, int], tuple[Sent, ...]] = {}


def sets_of(ruleset: Any, lay: Callable[..., Any], share: int = 1) -> tuple[Sent, ...]:
    """Play the cases of a ruleset, or a share of them, each laid out by `lay`; return every set that was read."""
    if (ruleset.name, share) not in _PLAYED:
        _PLAYED[ruleset.name, share] = _sets_of(ruleset, lay, share)
    return _PLAYED[ruleset.name, share]


def _sets_of(ruleset: Any, lay: Callable[..., Any], share: int) -> tuple[Sent, ...]:
    found: list[Sent] = []
    parse = type(ruleset).parse

    def recorded(self: Any, state: Any, seat: Seat, lines: Sequence[OrderLine]) -> Any:
        parsed = parse(self, state, seat, lines)
        found.append(Sent(state, seat, tuple(lines), tuple(parsed.orders)))
        return parsed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(ruleset), "parse", recorded)
        for scene in islice(scenes(Path(__file__).parent.parent / "cases" / ruleset.name), 0, None, share):
            state = lay(scene.given, scene.house, DICE)
            for step in scene.steps:
                state = play(ruleset, state, step, Given(), DICE).state
    return tuple(found)
