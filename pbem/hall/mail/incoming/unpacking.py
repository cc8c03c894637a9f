"""A mail that has been read, with the game that it is for; knows nobody's rights."""

import re
from collections.abc import Iterable

import msgspec

from pbem.hall.mail.incoming import public
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, reading
from pbem.table import seating
from pbem.terms import Mail, OrderLine


class Parcel(msgspec.Struct, frozen=True):
    """
    A mail that has been read, with what its recipients and subject say.

    Shape: `note` where it names games besides; `mailing_list` is the list, of a game of ours, that it was posted to,
    "" for none, and `author` who seems to have posted it.
    """

    mail: Mail
    letter: reading.Letter
    game: str
    token: str
    note: str = ""
    mailing_list: str = ""
    author: str = ""

    @property
    def sender(self) -> str:
        """The one address that it is from, or "" if that is not clear; never that of a list."""
        if self.mailing_list:
            return self.author
        return self.letter.senders[0] if len(self.letter.senders) == 1 else ""

    @property
    def is_posted(self) -> bool:
        """Whether a list sent it on, or it came to us beside the list, in no role."""
        return bool(self.mailing_list) and (self.letter.kind == "list" or not self.token)


def unpack(arena: Arena, mail: Mail) -> Parcel:
    """Read a mail and find out which game it is for; a game that is only named in the text is found too."""
    letter = reading.read(mail.raw)
    found = addressing.addressed(letter.to, letter.subject, arena.settings.arena.address)
    here = [game for game in (found.game, *found.others) if arena.has_game(game)]
    game = found.game if found.token else next(iter(here), found.game)
    mailing_list = public.list_of(arena, letter)
    if mailing_list and not found.token:
        game = public.game_of(arena, letter, mailing_list)
    elif not game:
        wish = seating.wish(reading.newly(letter, ()))
        game = wish[0] if wish else _game_in_subject(arena, letter.subject)
    besides = ", ".join(other for other in here if found.token and other != game)
    note = f"Your mail went to {besides} as well. It counts in {game} alone; write one to each game." if besides else ""
    author = public.author(arena, letter, mailing_list) if mailing_list else ""
    return Parcel(mail, letter, game, found.token, note, mailing_list, author)


def _game_in_subject(arena: Arena, subject: str) -> str:
    words = re.findall(r"[a-z0-9][a-z0-9-]*", subject.lower())
    return next((word for word in words if arena.has_game(word)), "")


def key(parcel: Parcel, lines: Iterable[OrderLine]) -> str:
    """
    Return the key that is the same when the same mail comes again.

    What was posted to a list comes twice to who is on it and is named beside it, with other words below: there the
    Message-ID tells.
    """
    letter = parcel.letter
    if parcel.is_posted:
        return addressing.content_key("", "", letter.message_id or parcel.mail.digest, "", (parcel.mailing_list,))
    texts = (line.text for line in lines)
    return addressing.content_key(parcel.sender, parcel.token, letter.message_id, letter.date, texts)
