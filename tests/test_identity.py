"""Identities of letters: what is written is read back, and nothing else is taken for one."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.ground import identity
from pbem.ground.identity import ArenaLetter, GameLetter

games = st.from_regex(r"[a-z0-9][a-z0-9-]{0,31}", fullmatch=True)
parts = st.from_regex(r"[A-Za-z0-9_+-]{1,20}", fullmatch=True)
templates = st.sampled_from(("receipt", "set-aside", "opening", "history"))
letters = st.builds(
    GameLetter,
    game=games,
    entry=st.integers(0, 999_999_999),
    template=templates,
    reader=parts,
    place=st.integers(0, 9999),
) | st.builds(ArenaLetter, sort=games, about=parts, kind=parts | st.just(""))


@given(letters)
def test_an_identity_reads_back(letter: identity.Identity) -> None:
    """A game's as a game's, and the arena's as the arena's, whatever they are about."""
    assert identity.parse(str(letter)) == letter


@given(st.text(alphabet="abp09.-_ @/\n\\", max_size=40))
def test_what_is_read_is_written_the_same(text: str) -> None:
    """Anything that is no identity is none; what is one has no other spelling, and names no other folder."""
    found = identity.parse(text)
    assert found is None or str(found) == text
