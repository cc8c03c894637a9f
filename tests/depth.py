"""How far the sweeps look: as deep as CI has time for, or PBEM_DEPTH times as far, as one does before a release."""

import os

DEPTH = max(1, int(os.environ.get("PBEM_DEPTH", "1")))
"""A whole number; what takes half an hour at 1 takes about so many times as long."""


def every(step: int) -> int:
    """Return of how many cases one is tried, where CI tries one of so many."""
    return max(1, step // DEPTH)
