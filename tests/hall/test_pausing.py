"""Work that pauses: pieces go in step, what is wrong with one is no other's matter, and alone they do the same."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.hall.store.pausing import Pausing, at_once, in_step

PIECES = st.dictionaries(st.text(max_size=3), st.integers(-3, 5), max_size=6)
"""Pieces of work by their names: how often each pauses; one with a number below zero breaks after so many pauses."""


def piece(name: str, pauses: int, done: list[tuple[int, str]]) -> Pausing[str]:
    """Note each part that is done, with how many there were before."""
    for number in range(abs(pauses)):
        done.append((number, name))
        yield
    if pauses < 0:
        raise KeyError(name)
    return name.upper()


@given(PIECES)
def test_pieces_go_in_step(pieces: dict[str, int]) -> None:
    """Nobody does a part before all have done the one before; all end, in their order, but those that break."""
    done: list[tuple[int, str]] = []
    broken: dict[str, Exception] = {}
    found = in_step({name: piece(name, pauses, done) for name, pauses in pieces.items()}, broken.__setitem__)
    assert list(found.items()) == [(name, name.upper()) for name, pauses in pieces.items() if pauses >= 0]
    assert {name for name, pauses in pieces.items() if pauses < 0} == {*broken}
    assert all(isinstance(error, KeyError) and error.args == (name,) for name, error in broken.items())
    assert [number for number, _ in done] == sorted(number for number, _ in done)
    assert len(done) == sum(map(abs, pieces.values()))


@given(st.integers(0, 5))
def test_a_piece_alone_does_all_its_parts(pauses: int) -> None:
    """And returns what comes of it."""
    done: list[tuple[int, str]] = []
    assert at_once(piece("ab", pauses, done)) == "AB"
    assert done == [(number, "ab") for number in range(pauses)]
