"""The genres: each file of this folder holds the words of one; knows no orders."""

from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec
import tomli

from pbem.rulesets.rumble.genres.genre import Genre

__all__ = ["DEFAULT", "NEUTRAL", "Genre", "genre_of", "genres_known"]

DEFAULT = "superhero"
"""The genre of a game that names none; its words are the neutral ones."""


@cache
def genres_known() -> dict[str, Genre]:
    """
    Read every genre, by the name of its file, the default first.

    Errors: ValueError with the file and what is wrong in it.
    """
    found: dict[str, Genre] = {}
    files = {file.name.removesuffix(".toml"): file for file in resources.files(__name__).iterdir()}
    for name in sorted(files, key=lambda name: (name != DEFAULT, name)):
        if files[name].name.endswith(".toml"):
            found[name] = _read(files[name].name, files[name].read_text(encoding="utf-8"))
    return found


def _read(file: str, text: str) -> Genre:
    try:
        return msgspec.convert(tomli.loads(text), Genre)
    except (tomli.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ValueError(f"{file}: {error}") from error


def genre_of(house: Mapping[str, str]) -> Genre:
    """Return the words of a game with these house rules. Rule: N14."""
    return genres_known()[house.get("genre", DEFAULT)]


NEUTRAL = genre_of({})
"""The words in which canonical lines are written."""
