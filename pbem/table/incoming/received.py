"""A mail as the table takes it, whoever wrote it: where it came from, when, and its new lines."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from pbem.ground.identity import GameLetter
from pbem.ground.terms import OrderLine
from pbem.table.fold.journal import NotRead
from pbem.table.model.table import BaseEntry, Table

replace = msgspec.structs.replace


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """
    A mail as the table takes it: where it came from, when, and its new lines.

    Shape: `phase` is that of the token, `question` which one of the phase it answers, 0 for none; `said` holds blank
    lines too, `polite` what is no order, `passed` what is neither new nor ours; `answers` is the letter of ours that
    it answers, if we know which, and `before` the entries of earlier phases from the one that called for it on; `note`
    says why there is no text; `kept_back` is that of its entry; `names` are those that nobody in the game may take,
    each with whose it is;
    `confirms` is the digest of a mail that was kept until `cause` confirmed it; `version_of` names a post, of which
    there may be several versions.
    """

    phase: int
    question: int = 0
    arrived: datetime
    noted: datetime
    mail: str
    cause: str
    key: str
    message_id: str
    said: tuple[OrderLine, ...]
    polite: tuple[OrderLine, ...] = ()
    passed: tuple[NotRead, ...] = ()
    answers: GameLetter | None = None
    before: tuple[BaseEntry, ...] = ()
    note: str = ""
    kept_back: bool = False
    names: Mapping[str, str] = {}
    confirms: str = ""
    version_of: str = ""

    def kept(self, table: Table) -> dict[str, Any]:
        """Return the fields that the next entry of a table has of its mail, whoever wrote it."""
        same = ("phase", "arrived", "noted", "cause", "key", "message_id", "note", "confirms", "version_of")
        texts = tuple(line.text for line in self.said)
        fields = {"number": table.head + 1, "grammar": table.ruleset.grammar, "said": texts}
        return fields | {name: getattr(self, name) for name in same}
