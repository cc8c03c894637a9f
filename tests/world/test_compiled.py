"""Compiled templates on disk: loaded instead of compiled, by us alone, and never where a byte of them is another's."""

import os
from pathlib import Path

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.world.compiled import CompiledTemplates

KEY = bytes(range(32))
WORDS = {"a.j2": "Hello {{ name }}{% for n in range(3) %} {{ n }}{% endfor %}.", "b.j2": "Bye {{ name|shout }}."}


def environment(root: Path, key: bytes = KEY, by: str = "us", words: dict[str, str] = WORDS) -> jinja2.Environment:
    """Return a new process's templates."""
    made = jinja2.Environment(loader=jinja2.DictLoader(words), bytecode_cache=CompiledTemplates(root, key, by))
    made.filters["shout"] = str.upper
    return made


def said(made: jinja2.Environment) -> list[str]:
    """Render all."""
    return [made.get_template(name).render(name="Ada") for name in WORDS]


def compiled(made: jinja2.Environment) -> int:
    """Render all, and count how many templates were compiled for that."""
    count = []
    real = made._generate

    def counting(*arguments: object, **named: object) -> str:
        count.append(1)
        return real(*arguments, **named)  # type: ignore[arg-type]

    made._generate = counting  # type: ignore[method-assign]
    assert said(made) == ["Hello Ada 0 1 2.", "Bye ADA."]
    return len(count)


def files(root: Path) -> list[Path]:
    """Return what lies in the folder."""
    return sorted((root / ".compiled").iterdir())


def test_the_next_process_compiles_nothing(tmp_path: Path) -> None:
    """Nobody else may read the folder, or write to it."""
    assert compiled(environment(tmp_path)) == 2
    assert compiled(environment(tmp_path)) == 0
    assert [path.stat().st_mode & 0o077 for path in (tmp_path / ".compiled", *files(tmp_path))] == [0, 0, 0]


@pytest.mark.parametrize("other", [{"key": bytes(32)}, {"by": "an older release"}])
def test_what_others_compiled_is_compiled_anew(tmp_path: Path, other: dict[str, object]) -> None:
    """Another key, another release."""
    compiled(environment(tmp_path, **other))  # type: ignore[arg-type]
    assert compiled(environment(tmp_path)) == 2
    assert compiled(environment(tmp_path)) == 0 and len(files(tmp_path)) == 2  # and nothing of theirs is left


def test_what_somebody_edited_is_compiled_anew(tmp_path: Path) -> None:
    """And nothing of the old words is left."""
    compiled(environment(tmp_path))
    made = environment(tmp_path, words={**WORDS, "a.j2": "Hi {{ name }}"})
    assert said(made) == ["Hi Ada", "Bye ADA."] and len(files(tmp_path)) == 2


@given(st.data())
def test_no_byte_that_is_not_ours_is_run(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Changed, cut, added to, exchanged for another of ours, emptied, a link: it is compiled anew."""
    root = tmp_path_factory.mktemp("compiled")
    compiled(environment(root))
    one, other = data.draw(st.permutations(files(root)))
    raw = one.read_bytes()
    at = data.draw(st.integers(0, len(raw) - 1))
    how = data.draw(st.sampled_from(("changed", "cut", "added to", "exchanged", "a link")))
    match how:
        case "changed":
            one.write_bytes(raw[:at] + bytes([raw[at] ^ data.draw(st.integers(1, 255))]) + raw[at + 1 :])
        case "cut":
            one.write_bytes(raw[:at])
        case "added to":
            one.write_bytes(raw + b"x")
        case "exchanged":
            one.write_bytes(other.read_bytes())
        case _:
            one.rename(root / "elsewhere")
            one.symlink_to(root / "elsewhere")
    assert compiled(environment(root)) == 1


def test_where_nothing_can_be_kept_all_is_compiled(tmp_path: Path) -> None:
    """A file lies where the folder would be."""
    (tmp_path / ".compiled").write_bytes(b"")
    assert compiled(environment(tmp_path)) == 2
    assert compiled(environment(tmp_path)) == 2
    assert not os.path.isdir(tmp_path / ".compiled")
