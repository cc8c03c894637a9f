"""Figures for Prometheus: what was counted is what is said, on loopback alone."""

import socket
import sys
from datetime import UTC, datetime
from urllib.request import urlopen

import pytest

from pbem.ground.terms import CharterError
from pbem.world.metrics import Metrics


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def test_what_sweeps_did_is_told() -> None:
    """Counters add up over sweeps; the time of the last good one is there."""
    port = free_port()
    metrics = Metrics(port)
    try:
        for _ in range(2):
            metrics.count(troubles=1, waiting=4)
        metrics.good(datetime(2026, 11, 23, 12, tzinfo=UTC))
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            text = answer.read().decode()
    finally:
        metrics.close()
    lines = set(text.split("\n"))
    assert {"pbem_letters_waiting 4.0", "pbem_troubles_total 2.0"} <= lines
    good = next(line for line in lines if line.startswith("pbem_last_good_sweep_seconds "))
    assert float(good.split()[1]) == datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp()


def test_a_port_that_is_taken_is_told() -> None:
    """A mistake in the settings, in words."""
    with socket.create_server(("127.0.0.1", 0)) as door, pytest.raises(CharterError, match="daemon.metrics: port"):
        Metrics(door.getsockname()[1])


def test_without_the_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(CharterError, match=r"pip install '\.\[metrics\]'"):
        Metrics(free_port())
