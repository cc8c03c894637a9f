"""The specimen games: finished, whole, and the same when they are folded again."""

import shutil
from pathlib import Path

import pytest

from pbem.ground.terms import ShelfError
from pbem.hall.commands import replay_check
from pbem.hall.commands.opening import words
from pbem.hall.store.catalogue import rulesets_known
from pbem.testing import Specimens
from tests.depth import some

GAMES = sorted(path.parent for path in (Path(__file__).parent.parent / "games").glob("*/charter.toml"))


def test_there_is_a_specimen() -> None:
    """The folder of specimens is not empty."""
    assert GAMES


class TestSpecimens(Specimens):
    """All of them."""

    rulesets = tuple(rulesets_known().values())
    folders = tuple(GAMES)


def test_a_seal_that_the_seed_does_not_fit_is_refused(tmp_path: Path) -> None:
    """A charter whose seal was changed cannot be replayed with the opened seed."""
    copy = tmp_path / GAMES[0].name
    shutil.copytree(GAMES[0], copy)
    text = (copy / "charter.toml").read_text()
    text = text if text.startswith("# The terms") else text.partition("\n")[2]  # as whoever changes it has to
    seal = text.partition('seal = "')[2][:64]
    (copy / "charter.toml").write_text(text.replace(seal, "0" * 64))
    with pytest.raises(ShelfError, match="does not fit the seal"):
        list(replay_check.replay(copy, rulesets_known(), words()))


def test_outcomes_that_an_older_release_wrote_are_the_same_but_for_the_state_that_they_held(tmp_path: Path) -> None:
    """The state stands in the next phase's start alone now; what else is different is found all the same."""
    for what, is_same in (("Attack of", True), ("Strike of", False)):
        copy = tmp_path / str(is_same) / "rumble-1"
        shutil.copytree(GAMES[0].parent / "rumble-1", copy)
        for path in copy.glob("phase-*/outcome.toml"):
            head, tables = path.read_text().split("\n\n", 1)
            path.write_text(
                f'{head}\n\n[state]\nphase = "round"\n\n[state.house]\nround = "down"\n\n{tables.replace("Attack of", what)}'
            )
        found = list(replay_check.replay(copy, rulesets_known(), words()))
        assert any(phase.difference for phase in found) is not is_same


class AnyDigest(str):
    """A digest of words that is taken for every other, so that reports are compared whichever template has changed."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        """Say yes."""
        return True


@pytest.mark.parametrize("folder", some(3, GAMES), ids=lambda folder: folder.name)
def test_no_report_of_a_specimen_reads_otherwise(folder: Path) -> None:
    """Byte for byte, where other letters' words have changed too; where reports' have, specimens are played anew."""
    told = words()
    anyhow = replay_check.Words(told.environment, dict.fromkeys(told.digests, AnyDigest()))
    phases = list(replay_check.replay(folder, rulesets_known(), anyhow))
    assert [phase.difference for phase in phases if phase.difference] == []
    assert not any(phase.skipped for phase in phases) and sum(phase.compared for phase in phases) > 20
