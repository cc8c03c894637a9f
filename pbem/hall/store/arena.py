"""One arena, opened: its shelf, settings, people, index, words and games, held together for the sweep."""

import hashlib
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from pbem.ground import records
from pbem.ground.terms import CharterError, GameName, Mail, Person, Seat, ShelfError
from pbem.hall.store import game_folder, letters
from pbem.hall.store.ledger import Ledger
from pbem.hall.store.people import People
from pbem.hall.store.tokens import Bearer
from pbem.letters import addressing, rendering
from pbem.ruleset import Ruleset
from pbem.table.model.table import Table
from pbem.world.clock import Clock
from pbem.world.compiled import CompiledTemplates, made_by
from pbem.world.forum.forum import Forum
from pbem.world.index import Index
from pbem.world.index.counters import Counted
from pbem.world.index.games import Row
from pbem.world.mailbox import Mailbox
from pbem.world.outbox import Outbox
from pbem.world.settings import Settings
from pbem.world.shelf import Shelf

LOOKED_AT = 20
"""How many games one sweep looks at for edits by hand, beside those that it visits."""
STAMPED = ("charter.toml", "state.toml")
"""The files of a game that people may edit."""
HELD = 1_000
"""How many games are kept in memory between sweeps, at some 20 kB each; the one used longest ago goes first."""
OWN_LIST = "that is the arena's own address. Name a list that has it"
"""What is said where a game is to be read on that address."""
LETTERS_HELD = 1_000
"""How many letters of ours are kept in memory, as mails may quote them; the one used longest ago goes first."""


class Doors(msgspec.Struct, frozen=True):
    """
    The doors to the outside that a sweep goes through.

    Shape: `forum` is the one on which games are read, if there is one; `stopping` says whether it is asked to end soon.
    """

    clock: Clock
    mailbox: Mailbox
    outbox: Outbox
    forum: Forum | None = None
    stopping: Callable[[], bool] = lambda: False


class Arena:
    """
    An arena's folder, opened by the one process that holds its lock.

    Shape: `is_whole` says that the index was found to be whole, or made so; `caught_up` that it has what a process
    before us noted of its letters, and did not live to tell the index; `not_noted` what came of letters where neither
    their folders nor the index could be written to; `put_back` says that letters had gone from here before there was
    an index, as where an older copy of the arena was put back; `not_loaded` which rulesets of other packages are
    missing, and why; `steady` is a clock that measures and tells no time; `unmarked` are mails that were taken, by
    their names, and that the mailbox does not let us mark; `kept_back` are names of mails that it could not hand out
    for so long that a phase may have closed without them; `read_today` is how much mail of each writer was read;
    `told` are games that have told everybody something, which the site may not have yet; `posts_taken` are digests of
    posts on a forum that were taken.
    Errors: CharterError, ShelfError, TemplateError where something of it cannot be read.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        rulesets: Mapping[str, Ruleset[Any, Any]],
        templates: Mapping[str, str],
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the folder; the secret that tokens are made with is drawn at the first opening."""
        self.root = root
        self.settings = settings
        self.steady = steady
        self.rulesets = rulesets
        self.shelf = Shelf(root)
        self.secret = _secret(self.shelf)
        self.people = self._people()
        self.index = Index(root / "index.sqlite")
        self.templates = templates
        self.words: jinja2.Environment = rendering.environment(templates)
        self._compiled: CompiledTemplates | None = None
        self.wording = digests_of(templates)
        self.is_whole = False
        self.caught_up = False
        self.not_noted: Sequence[Any] = ()
        self.put_back = False
        self.not_loaded: Sequence[str] = ()
        self.unmarked: dict[str, Mail] = {}
        self.kept_back: set[str] = set()
        self.read_today: dict[Counted, int] = {}
        self.told: set[GameName] = set()
        self.posts_taken: set[bytes] = set()
        self._looked_at = ""
        self._held: dict[GameName, Ledger] = {}
        self.read_letter = lru_cache(LETTERS_HELD)(partial(letters.read, self.shelf))

    @cached_property
    def marked(self) -> jinja2.Environment:
        """The words in the dress that HTML is made from."""
        found = rendering.environment(self.templates, "marked")
        if self._compiled:
            found.bytecode_cache = self._compiled.beside("marked")
        return found

    def keep_compiled(self) -> None:
        """Keep templates as they are compiled in the arena, so that the next process has them at once."""
        self._compiled = CompiledTemplates(self.root, self.secret, made_by(rendering))
        self.words.bytecode_cache = self._compiled.beside("text")

    def close(self) -> None:
        """Close the index."""
        self.index.close()

    def refresh(self) -> None:
        """Empty the memory if another process has written to the arena since we looked."""
        if self.index.was_changed():
            self.forget()

    def forget(self) -> None:
        """Empty the memory: the next look reads the folders."""
        self._held.clear()
        self.read_letter.cache_clear()
        self.index.games.refresh()
        self.unmarked.clear()
        self.read_today.clear()
        self.posts_taken.clear()
        self.people = self._people()

    def _people(self) -> People:
        return People(self.shelf, self.secret, self.settings.arena.address)

    def has_game(self, game: str) -> bool:
        """Say whether a game of this name is here; one that cannot be a game's name is not."""
        if not re.fullmatch(addressing.GAME, game) or game == "desk":
            return False
        return game in self._held or self.shelf.exists("games", game, "charter.toml")

    def games(self) -> list[GameName]:
        """List all games from the shelf itself."""
        return [GameName(name) for name in self.shelf.names("games")]

    def mail_folders(self) -> list[tuple[str, ...]]:
        """List the folders of raw mail: that of what no game has yet, and each game's."""
        return [("in",), *(("games", game, "post", "in") for game in self.games())]

    def seed(self, game: GameName) -> bytes:
        """Return the seed of a game. Errors: ShelfError where the secret is gone."""
        return self.shelf.read("secrets", f"{game}.seed")

    def ledger(self, game: GameName) -> Ledger:
        """Return a game, from memory or folded from its folder."""
        held = self._held.pop(game, None)
        if held is None:
            held = self.read_game(game)
            while len(self._held) >= HELD:
                self._held.pop(next(iter(self._held)))
        self._held[game] = held
        return held

    def ledger_as_edited(self, game: GameName) -> Ledger:
        """Return a game to be visited, anew from its folder where somebody has edited its charter meanwhile."""
        held = self._held.get(game)
        if held and self.shelf.stamp(*held.place, "charter.toml") != held.stamps.get("charter.toml"):
            self.drop(game)
        return self.ledger(game)

    def glance(self, game: GameName) -> Ledger:
        """Return a game that is only looked at, in the midst of a wave: nothing is put into memory, nor out of it."""
        held = self._held.get(game)
        return held or self.read_game(game)

    def read_game(self, game: GameName) -> Ledger:
        """
        Return a game folded from its folder.

        Errors: as `game_folder.open_ledger`; CharterError with the line where it is to be read on our own address.
        """
        found = game_folder.open_ledger(self.shelf, ("games", game), self.rulesets, self.seed(game))
        if addressing.is_ours(found.charter.mailing_list, self.settings.arena.address):
            path, text = self.root.joinpath(*found.place, "charter.toml"), self.shelf.read(*found.place, "charter.toml")
            line = records.locate(text.decode("utf-8", "replace"), ["mailing_list"])
            raise CharterError(f"{path}, line {line}: {OWN_LIST}.")
        return found

    def drop(self, game: GameName) -> None:
        """Drop a game from memory: the next look reads its folder."""
        self._held.pop(game, None)
        self.read_letter.cache_clear()

    def row(self, table: Table, wakes: Any, stamps: Mapping[str, str]) -> Row:
        """
        Return what the index keeps of a game, to be listed for its moderator.

        Shape: `stamps` are those of the game's files as we know them; whoever edits one changes its stamp.
        """
        table = table.known_to_moderator()
        deadline = table.deadline if table.status == "open" else None
        status = "paused" if table.paused is not None else table.status
        stamp = self._stamp(table.charter.ruleset, [stamps.get(name, "") for name in STAMPED])
        terms = table.charter
        return Row(terms.game, terms.ruleset, table.title, status, wakes, deadline, stamp, terms.mailing_list.lower())

    def stamp(self, game: str, ruleset: str) -> str:
        """Return a stamp that changes when somebody edits a game's files, and when its rules change."""
        return self._stamp(ruleset, [self.shelf.stamp("games", game, name) for name in STAMPED])

    def _stamp(self, ruleset: str, stamps: Sequence[str]) -> str:
        rules = f"rules {self.rulesets[ruleset].version}" if ruleset in self.rulesets else ""
        return " ".join([*stamps, rules])

    def edited(self) -> list[GameName]:
        """
        Return the games whose files or rules have changed since we left them, and drop those from memory.

        Of more games than are looked at in one sweep, the next ones are looked at in the next, in turn.
        """
        known = self.index.games.stamps(self._looked_at, LOOKED_AT)
        self._looked_at = known[-1][0] if known else ""
        found = [GameName(game) for game, ruleset, stamp in known if self.stamp(game, ruleset) != stamp]
        for game in found:
            self.drop(game)
        return found

    def token(self, table: Table, seat: Seat | None, phase: int | None = None, question: int | None = None) -> str:
        """
        Return the token of a seat, or of moderator or deputy, in a phase (the present one by default).

        A seat that is asked something in the middle of it has another for each question. One that was seen in other
        hands is replaced by another, and so are all of a seat that another person has taken over.
        """
        return Bearer.of(table, seat, _phase(table, phase)).token(self.secret, _asked(table, seat, phase, question))

    def button_token(self, table: Table, seat: Seat, phase: int | None = None, question: int | None = None) -> str:
        """Return the token of the buttons in a seat's letter: it changes with the seat's own, and does less."""
        own = self.token(table, seat, phase, question)
        return Bearer.of(table, seat, _phase(table, phase)).button(self.secret, own)

    def invitation_token(self, table: Table, person: Person) -> str:
        """Return the token by which a person takes the seat that they are invited to."""
        return addressing.token(self.secret, table.charter.game, 0, f"invited {person}")

    def deputy_token(self, table: Table, person: Person) -> str:
        """Return the token by which a person answers whether they will be the deputy."""
        return addressing.token(self.secret, table.charter.game, 0, f"asks to be deputy {person}")

    def thread_code(self, game: str, role: str, nth: int) -> str:
        """Return the code by which whoever has a role shows that the `nth` thread of it is theirs."""
        return addressing.token(self.secret, game, nth, f"thread of {role or 'the moderator'}")

    def offer_token(self, table: Table, seat: Seat, person: Person, past: int) -> str:
        """Return the token by which a person answers the offer of a seat that so many people have had before."""
        return addressing.token(self.secret, table.charter.game, 0, f"offer {seat} {past} to {person}")


def _phase(table: Table, phase: int | None) -> int:
    return table.number if phase is None else phase


def _asked(table: Table, seat: Seat | None, phase: int | None, question: int | None) -> int:
    if question is None and _phase(table, phase) == table.number:
        return table.question_to(seat)
    return question or 0


def digests_of(templates: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of each ruleset's templates and the common ones; a report notes by which it was written."""
    rulesets = {name.partition("/")[0] for name in templates if "/" in name}
    found = tuple(sorted(templates.items()))
    return {ruleset: _digest(found, ruleset) for ruleset in rulesets}


@lru_cache(maxsize=64)
def _digest(templates: Sequence[tuple[str, str]], ruleset: str) -> str:
    sources = [(name, text) for name, text in templates if name.partition("/")[0] in (name, ruleset)]
    return hashlib.sha256(repr(sources).encode()).hexdigest()[:16]


def _secret(shelf: Shelf) -> bytes:
    if not shelf.exists("secrets", "arena.key"):
        shelf.write(secrets.token_bytes(32), "secrets", "arena.key", once=True)
    found = shelf.read("secrets", "arena.key")
    if len(found) != 32:
        raise ShelfError("secrets/arena.key is not the 32 bytes that were written. Put it back from a backup.")
    return found
