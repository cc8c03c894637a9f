"""Traces of storms: every step with its values, saved where a storm broke something; `python -m tests.promises.traces`."""

import argparse
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

from tests.conftest import Room
from tests.promises.calm import base
from tests.promises.posts import AtDovecot, InMemory, PostFor
from tests.promises.storm import Storm

Step = tuple[str, dict[str, Any]]
"""The name of a storm's method, and what it was called with."""


class Traced:
    """A storm, and the steps that it took."""

    def __init__(self, begun: Room, post_for: PostFor) -> None:
        """Begin a storm in a folder of its own."""
        self.folder = TemporaryDirectory()
        self.storm = Storm(begun, post_for, Path(self.folder.name))
        self.steps: list[Step] = []

    def do(self, name: str, **said: Any) -> None:
        """Take one step."""
        self.steps.append((name, said))
        with self._saved():
            getattr(self.storm, name)(**said)

    def end(self) -> None:
        """Let all settle, check every promise, and clear up."""
        try:
            with self._saved():
                self.storm.end()
        finally:
            self.storm.close()
            self.folder.cleanup()

    @contextmanager
    def _saved(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            error.add_note(f"Play it again: python -m tests.promises.traces {save(self.steps)}")
            raise


def save(steps: Sequence[Step]) -> Path:
    """Write a trace, a step a line, where PBEM_TRACES says or among the temporary files; return where."""
    text = "".join(json.dumps([name, said]) + "\n" for name, said in steps)
    folder = Path(os.environ.get("PBEM_TRACES", gettempdir()))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"storm-{hashlib.sha256(text.encode()).hexdigest()[:12]}.trace"
    path.write_text(text)
    return path


def load(path: Path) -> list[Step]:
    """Read what `save` wrote."""
    return [(name, said) for name, said in map(json.loads, path.read_text().split("\n")[:-1])]


def play(begun: Room, post_for: PostFor, steps: Sequence[Step]) -> None:
    """Play a trace, and check every promise."""
    traced = Traced(begun, post_for)
    try:
        for name, said in steps:
            traced.do(name, **said)
    except BaseException:
        traced.storm.close()
        raise
    traced.end()


def main() -> None:
    """Play saved traces again, in memory or with the mailbox at a real mail server."""
    from tests.servers import Dovecot, running

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trace", type=Path, nargs="+")
    parser.add_argument("--dovecot", action="store_true")
    said = parser.parse_args()
    with TemporaryDirectory() as folder:
        begun = base(Path(folder))
        for path in said.trace:
            if said.dovecot:
                with running(Dovecot()) as dovecot:
                    play(begun, lambda room: AtDovecot(dovecot, room), load(path))
            else:
                play(begun, InMemory, load(path))
            print(f"{path.name}: every promise holds")


if __name__ == "__main__":
    main()
