"""A mail that has been read, with the game that it is for; knows nobody's rights."""

import re
from collections.abc import Iterable

import msgspec

from pbem.hall.store.arena import Arena
from pbem.letters import addressing, reading
from pbem.table import seating
from pbem.terms import Mail, OrderLine


class Parcel(msgspec.Struct, frozen=True):
    """A mail that has been read, with what its recipients and subject say; `note` where it names games besides."""

    mail: Mail
    letter: reading.Letter
    game: str
    token: str
    note: str = ""

    @property
    def sender(self) -> str:
        """The one address that it is from, or "" if that is not clear."""
        return self.letter.senders[0] if len(self.letter.senders) == 1 else ""


def unpack(arena: Arena, mail: Mail) -> Parcel:
    """Read a mail and find out which game it is for; a game that is only named in the text is found too."""
    letter = reading.read(mail.raw)
    found = addressing.addressed(letter.to, letter.subject, arena.settings.arena.address)
    here = [game for game in (found.game, *found.others) if arena.has_game(game)]
    game = found.game if found.token else next(iter(here), found.game)
    if not game:
        wish = seating.wish(reading.newly(letter, ()))
        game = wish[0] if wish else _game_in_subject(arena, letter.subject)
    besides = ", ".join(other for other in here if found.token and other != game)
    note = f"Your mail went to {besides} as well. It counts in {game} alone; write one to each game." if besides else ""
    return Parcel(mail, letter, game, found.token, note)


def _game_in_subject(arena: Arena, subject: str) -> str:
    words = re.findall(r"[a-z0-9][a-z0-9-]*", subject.lower())
    return next((word for word in words if arena.has_game(word)), "")


def key(parcel: Parcel, lines: Iterable[OrderLine]) -> str:
    """Return the key that is the same when the same mail comes again."""
    letter = parcel.letter
    texts = (line.text for line in lines)
    return addressing.content_key(parcel.sender, parcel.token, letter.message_id, letter.date, texts)
