"""Games that have just been founded, kept as the files that they are, so that each is founded once a worker."""

import copy
import re
import shutil
from collections.abc import Hashable, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.ground.terms import GameName
from pbem.testing.room import MemoryMailbox, MemoryOutbox, Room


class _File(NamedTuple):
    """What a file holds, None for a folder, and who may read it."""

    content: bytes | None
    mode: int


class _Founded(NamedTuple):
    """What founding a game left; `parts` are the rulesets and the words, kept so that no other has their identity."""

    game: GameName
    files: Mapping[str, _File]
    mailbox: MemoryMailbox
    outbox: MemoryOutbox
    written: int
    now: datetime
    parts: tuple[object, ...]


_KEPT: dict[Hashable, _Founded] = {}
_MAY_COPY = {"now": False}
"""Whether the present test may get copies: one that puts something in place of a function of ours may not."""


class FoundedRoom(Room):
    """A room in which a game that this worker has founded before, in just the same way, is not founded again."""

    def found(self, *players: str, names: dict[str, str] | None = None, **terms: Any) -> GameName:
        """Make a game, with an invitation to each player, and let them all join."""
        if not (_MAY_COPY["now"] and self._is_untouched()):
            return self.found_anew(*players, names=names, **terms)
        parts = (*self.rulesets.values(), self.words)
        known = (type(self), self.usual, self.clock.now(), self.settings.arena.plus, *map(id, parts))
        key = (*known, players, repr(names), repr(sorted(terms.items())))
        if key not in _KEPT:
            game = self.found_anew(*players, names=names, **terms)
            self.arena.close()
            mail = copy.deepcopy((self.mailbox, self.outbox))
            _KEPT[key] = _Founded(game, _files(self.root), *mail, self.written, self.clock.now(), parts)
        else:
            self.arena.close()
            self._lay(_KEPT[key])
        self.arena = self.open()
        return _KEPT[key].game

    def found_anew(self, *players: str, names: dict[str, str] | None = None, **terms: Any) -> GameName:
        """Make a game by its mails in any case, for who looks at what this process did or holds its arena already."""
        return super().found(*players, names=names, **terms)

    def _is_untouched(self) -> bool:
        """Say whether nothing has been done in this room yet."""
        is_quiet = not (self.written or self.mailbox.waiting or self.mailbox.away or self.mailbox.broken)
        is_open = not (self.outbox.sent or self.outbox.down or self.outbox.fails) and self.forum is None
        files = {path for path in _files(self.root) if not path.startswith("index.sqlite")}
        return is_quiet and is_open and files == {"secrets", "secrets/arena.key", ".tmp"}

    def _lay(self, founded: _Founded) -> None:
        """Put what founding left in place of what lies here."""
        for lying in self.root.iterdir():
            shutil.rmtree(lying) if lying.is_dir() else lying.unlink()
        for path, (content, mode) in founded.files.items():
            if content is None:
                (self.root / path).mkdir(parents=True, exist_ok=True)
            else:
                (self.root / path).write_bytes(content)
            (self.root / path).chmod(mode)
        mailbox, outbox = copy.deepcopy((founded.mailbox, founded.outbox))
        vars(self.mailbox).update(vars(mailbox))
        vars(self.outbox).update(vars(outbox))
        self.written = founded.written
        self.clock.advance_to(founded.now)


def _files(root: Path) -> dict[str, _File]:
    """Return all that lies in a folder, by its path."""
    return {
        str(path.relative_to(root)): _File(path.read_bytes() if path.is_file() else None, path.stat().st_mode & 0o777)
        for path in sorted(root.rglob("*"))
    }


def begin(item: pytest.Item) -> None:
    """Say which test runs now."""
    fixtures = getattr(item, "fixturenames", ())
    _MAY_COPY["now"] = "monkeypatch" not in fixtures and not _patches(item.path)


_PATCHING = re.compile(r"MonkeyPatch\.context|tests\.killing")


@lru_cache(maxsize=1024)
def _patches(path: Path) -> bool:
    return _PATCHING.search(path.read_text(encoding="utf-8")) is not None
