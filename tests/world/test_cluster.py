"""A cluster on loopback: the same games as on one core, whatever happens to it; and what is said where it is away."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import pbem
from pbem.ground.terms import CharterError, ClusterError
from pbem.world import cluster


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    """Two workers, each a process of its own, and their scheduler."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", silence_logs="ERROR"
    ) as found:
        yield found


def deadly(number: int) -> int:
    """Stand for work that takes more memory than there is."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def square(number: int) -> int:
    """Stand for work."""
    return number * number


@pytest.mark.sweep
def test_pieces_are_answered_in_their_order(scheduler: Any) -> None:
    """However they are spread."""
    assert list(cluster.spread(scheduler.scheduler_address, square, range(50))) == [n * n for n in range(50)]


@pytest.mark.sweep
def test_games_are_those_of_one_core(scheduler: Any) -> None:
    """The digest is that of every game, and the figures are the same."""
    found = []
    for how in (["--cores", "1"], ["--on", scheduler.scheduler_address]):
        said = CliRunner().invoke(
            pbem, ["simulate", "--game", "rumble", "--games", "70", "--seed", "x", "--json", *how]
        )
        assert said.exit_code == 0, said.output
        found.append(json.loads(said.stdout))
    ours, theirs = found
    assert ours.pop("pace")["cores"] == 1 and theirs.pop("pace")["on"] == scheduler.scheduler_address
    assert ours == theirs and ours["digest"]


@pytest.mark.sweep
def test_a_worker_that_is_lost_costs_nothing(scheduler: Any) -> None:
    """What it had in hand is done by another."""
    found = cluster.spread(scheduler.scheduler_address, square, range(400))
    first = [next(found) for _ in range(3)]
    scheduler.scale(1)
    assert [*first, *found] == [n * n for n in range(400)]
    scheduler.scale(2)


@pytest.mark.sweep
def test_another_version_is_refused(scheduler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games might be others."""
    monkeypatch.setattr(cluster, "version", lambda name: "9.9")
    with pytest.raises(ClusterError, match=r"and we are 9\.9: its figures would not be ours"):
        list(cluster.spread(scheduler.scheduler_address, square, range(3)))


@pytest.mark.sweep
def test_work_that_ends_its_workers_is_said_so(scheduler: Any) -> None:
    """Not by a traceback."""
    with pytest.raises(ClusterError, match="end over this"):
        list(cluster.spread(scheduler.scheduler_address, deadly, range(6)))


def test_a_cluster_that_is_away_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens there."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", "1s")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(ClusterError, match=f"The cluster at tcp://127.0.0.1:{port} is away"):
            list(cluster.spread(f"tcp://127.0.0.1:{port}", square, range(3)))


@pytest.mark.parametrize("address", ["gopher://x", "tcp://"])
def test_what_is_no_address_is_said_so(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one that would be."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", "1s")
    with pytest.raises((CharterError, ClusterError), match=r"tcp://10\.0\.0\.5:8786|is away"):
        list(cluster.spread(address, square, range(3)))
