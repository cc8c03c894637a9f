"""Dice are what they say they are: anybody who has the seed can reckon each face with a HMAC of their own."""

import hmac

from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.chance import Dice

SCOPES = st.lists(st.text(min_size=1, max_size=12), max_size=3)


@given(st.binary(max_size=100), SCOPES, st.text(max_size=30), st.integers(1, 1 << 40))
def test_a_face_is_the_hmac_of_its_label(seed: bytes, scopes: list[str], label: str, sides: int) -> None:
    """Whatever the seed's length, the first 64 bits that are below the last whole multiple of the sides."""
    dice = Dice(seed)
    for scope in scopes:
        dice = dice.at(scope)
    tries = (
        int.from_bytes(hmac.new(seed, f"{'/'.join(scopes)}/{label}/{nth}".encode(), "sha256").digest()[:8], "big")
        for nth in range(1000)
    )
    draw = next(one for one in tries if one < (1 << 64) // sides * sides)
    assert dice.face(label, sides) == draw % sides + 1
