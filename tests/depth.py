"""How far the sweeps look: as deep as CI has time for, or PBEM_DEPTH times as far, as one does before a release."""

import os

DEPTH = max(1, int(os.environ.get("PBEM_DEPTH", "1")))
"""Whole numbers; at 4 all sweeps together take two hours on two cores."""


def every(step: int) -> int:
    """Return of how many cases one is tried, where CI tries one of so many."""
    return max(1, step // DEPTH)
