"""The audit of the mail: each mail that came in has exactly one disposition, reckoned from what lies in the arena."""

from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from pbem.ground.terms import GameName, WorldError
from pbem.hall.mail.incoming.desk import dispositions, pending, purging
from pbem.hall.mail.incoming.desk.dispositions import Disposition
from pbem.hall.store import game_folder
from pbem.hall.store.arena import Arena
from pbem.table.fold.journal import Entry


class Audit(msgspec.Struct, frozen=True):
    """
    What became of the mails whose raw bytes we keep, and of those that we only know of.

    Shape: `found` has the one disposition of each mail, by its digest. `waiting` are kept and not recorded, because
    a sweep was stopped or their game stands still; `lost` are recorded, and their bytes are gone, though they belong
    to somebody; `twice` acted more than once. `troubles` say which journals could not be read: what they record is
    missing here.
    """

    found: dict[str, Disposition]
    waiting: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether every mail is kept, and in exactly one disposition."""
        return not (self.waiting or self.lost or self.twice or self.troubles)

    @property
    def came(self) -> int:
        """How many mails came in, as far as any of them left a trace."""
        return len(self.found) + len(self.waiting)

    def counts(self) -> dict[Disposition, int]:
        """Count the mails of each disposition, in their order."""
        counted = Counter(self.found.values())
        return {one: counted[one] for one in dispositions.DISPOSITIONS}


def audit(arena: Arena) -> Audit:
    """Read every journal, and compare it with the mails that are kept."""
    troubles: list[str] = []
    records: dict[str, list[Disposition]] = defaultdict(list)
    nobodys: set[str] = set()
    for entry in pending.entries(arena):
        if entry["why"] in pending.LATER:  # what it came to before is done with, and it never acted
            records[entry["cause"]].clear()
            if entry["why"] == "expired":
                records[entry["cause"]].append("ignored")
                nobodys.add(entry["cause"])
            continue
        records[entry["cause"]].append(dispositions.of_case(entry))
        if entry["why"] not in purging.SPARED:
            nobodys.add(entry["cause"])
    for game in arena.games():
        try:
            for one in entries(arena, game):
                if cause := getattr(one, "cause", ""):
                    records[cause].append(dispositions.of_entry(one))
                if confirmed := getattr(one, "confirms", ""):
                    records[confirmed] = ["applied"]
        except WorldError as error:
            troubles.append(f"{game}: {error}")
    for name in arena.shelf.names("strays"):
        if name.removesuffix(".txt") not in records:
            records[name.removesuffix(".txt")].append("set aside")
    for other in ("hand", "terminal"):  # rulings without a mail
        records.pop(other, None)
    kept = {name.removesuffix(".eml") for place in arena.mail_folders() for name in arena.shelf.names(*place)}
    firm = {digest: [one for one in all_ if one != "duplicate"] for digest, all_ in records.items()}
    return Audit(
        found={digest: acts[0] if acts else "duplicate" for digest, acts in sorted(firm.items())},
        waiting=tuple(sorted(kept - records.keys())),
        lost=tuple(sorted(records.keys() - kept - nobodys)),
        twice=tuple(sorted(digest for digest, acts in firm.items() if len(acts) > 1)),
        troubles=tuple(troubles),
    )


def entries(arena: Arena, game: GameName) -> Iterator[Entry]:
    """Yield the entries of a game, its chain checked; nothing is folded. Errors: ShelfError."""
    place = ("games", game)
    for _, found in game_folder.journals(arena.shelf, place, game_folder.folders(arena.shelf, place)):
        yield from found.entries
