"""Replays specimens: finished games that are kept whole, each folded again from its charter; knows no game."""

import shutil
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pbem.hall.commands import replay_check
from pbem.hall.store.arena import digests_of
from pbem.hall.store.catalogue import words_of
from pbem.letters import rendering


class Specimens:
    """Tests of finished games: a test class that inherits from this says their `folders`, and their `rulesets`."""

    rulesets: ClassVar[tuple[Any, ...]]
    folders: ClassVar[tuple[Path, ...]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each game."""
        metafunc.parametrize("folder", self.folders, ids=lambda folder: folder.name)

    def test_a_specimen_replays(self, folder: Path) -> None:
        """Every state, outcome and digest is the same; reports too, where they were told in the words of today."""
        templates = words_of(self.rulesets)
        words = replay_check.Words(rendering.environment(templates), digests_of(templates))
        phases = list(replay_check.replay(folder, {ruleset.name: ruleset for ruleset in self.rulesets}, words))
        assert [phase.difference for phase in phases if phase.difference] == []
        assert sum(phase.compared for phase in phases) >= 2 * (len(phases) - 2)


def keep(played: Path, folder: Path) -> None:
    """Keep a game that was played as a specimen, without letters and raw mail, in the place of what is there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(played, folder, ignore=shutil.ignore_patterns("post", "in", "letters"))
