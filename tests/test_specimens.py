"""The specimen games: finished, whole, and the same when they are folded again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.hall import proofs
from pbem.hall.catalogue import rulesets_known
from pbem.hall.opening import words

GAMES = sorted(path.parent for path in (Path(__file__).parent.parent / "games").glob("*/charter.toml"))


def test_there_is_a_specimen() -> None:
    """The folder of specimens is not empty."""
    assert GAMES


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_a_specimen_replays(game: Path) -> None:
    """Every state, outcome and digest is the same; reports too, where they were told in the words of today."""
    phases = list(proofs.replay(game, rulesets_known(), words()))
    assert [phase.difference for phase in phases if phase.difference] == []
    assert sum(phase.compared for phase in phases) >= 2 * (len(phases) - 2)
