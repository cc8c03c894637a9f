"""For the author of a game: the laws of the contract, its cases, its specimens, a room to play it in by mail."""

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{module}" for module in ("cases", "contract", "room", "specimens")))

from pbem.testing.cases import Casebook, Cases  # noqa: E402  rewritten as they are imported, so that failures explain
from pbem.testing.contract import Contract  # noqa: E402
from pbem.testing.room import Room  # noqa: E402
from pbem.testing.specimens import Specimens, keep  # noqa: E402

__all__ = ["Casebook", "Cases", "Contract", "Room", "Specimens", "keep"]
