"""How the running daemon is, for Prometheus, on loopback; an extra, since it needs a library of its own."""

from datetime import datetime
from typing import Any

from pbem.ground.terms import CharterError


class Metrics:
    """
    Serves on a port of this machine whether the daemon does its work.

    Every user of the machine can read it, so it counts no mail, entry or letter: by these somebody who looks each
    minute would see how often a player has written.

    Errors: CharterError if the library is not installed or the port is taken.
    """

    def __init__(self, port: int) -> None:
        """Open the port."""
        try:
            import prometheus_client as prometheus
        except ImportError:
            how = "in the folder of pbem's checkout, pip install '.[metrics]'"
            raise CharterError(f"daemon.metrics needs prometheus-client. Install it: {how}") from None
        registry = prometheus.CollectorRegistry()
        self._troubles = prometheus.Counter("pbem_troubles", "Troubles that sweeps met.", registry=registry)
        self._waiting = prometheus.Gauge("pbem_letters_waiting", "Letters on file, not yet sent.", registry=registry)
        self._good = prometheus.Gauge("pbem_last_good_sweep_seconds", "The last good sweep.", registry=registry)
        try:
            self._server: Any = prometheus.start_http_server(port, "127.0.0.1", registry)
        except OSError as error:
            raise CharterError(f"daemon.metrics: port {port} cannot be used: {error.strerror}") from None

    def count(self, *, troubles: int, waiting: int) -> None:
        """Count the troubles of one sweep, and note how many letters wait behind it."""
        self._troubles.inc(troubles)
        self._waiting.set(waiting)

    def good(self, at: datetime) -> None:
        """Note the time of a good sweep."""
        self._good.set(at.timestamp())

    def close(self) -> None:
        """Close the port."""
        server, thread = self._server
        server.shutdown()
        server.server_close()
        thread.join()
