"""Other machines that work for us: pieces of work on a dask.distributed cluster, answered in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

from pbem.ground.terms import CharterError, ClusterError

if TYPE_CHECKING:
    from distributed import Client

Piece = TypeVar("Piece")
Done = TypeVar("Done")

PATIENCE = "20s"
"""How long the scheduler may take to answer at first."""


def spread(address: str, work: Callable[[Piece], Done], pieces: Sequence[Piece]) -> Iterator[Done]:
    """
    Have each piece worked on somewhere on the cluster of a scheduler, such as tcp://10.0.0.5:8786.

    What a machine that is lost had in hand is done by another. Whoever can reach a cluster can run anything on it, so
    it belongs into a network of one's own.
    Errors: CharterError where distributed is not installed or the address is none; ClusterError where the cluster is
    away, has nobody who works, or works with another version of pbem than ours.
    """
    try:
        from distributed import Client
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker
    except ImportError:
        how = "in the folder of pbem's checkout, pip install '.[cluster]'"
        raise CharterError(f"--on needs the package distributed. Install it: {how}") from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except ValueError as error:
        raise CharterError(f"--on {address}: {error}. Write such as tcp://10.0.0.5:8786") from None
    except (OSError, TimeoutError) as error:
        why = "nobody answers there" if isinstance(error, TimeoutError) else str(error)
        raise ClusterError(f"The cluster at {address} is away: {why}. Start its scheduler: dask scheduler") from None
    with client:
        _check(client, address)
        futures = client.map(work, pieces, pure=False)
        try:
            for future in futures:
                yield future.result()
        except KilledWorker as error:
            raise ClusterError(f"Workers at {address} end over this. Have they enough memory?") from error
        except (OSError, FutureCancelledError) as error:
            raise ClusterError(f"The cluster at {address} went away: {error}") from error
        finally:
            client.cancel(futures)


def _check(client: Client, address: str) -> None:
    """Look whether there are workers, and whether each has our version. Errors: ClusterError."""
    ours, theirs = version("pbem"), client.run(_version)
    if not theirs:
        raise ClusterError(f"The cluster at {address} has no workers. Start some: dask worker {address}")
    for worker, found in theirs.items():
        if found != ours:
            has = f"has pbem {found}" if found else "has no pbem"
            raise ClusterError(f"{worker} {has}, and we are {ours}: its figures would not be ours. Install the same.")


def _version() -> str:
    try:
        return version("pbem")
    except ImportError:
        return ""
