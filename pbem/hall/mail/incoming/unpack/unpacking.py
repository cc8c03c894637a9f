"""A mail that has been read, with the game that it is for; knows nobody's rights."""

import re
from collections.abc import Iterable

import msgspec

from pbem.ground.terms import Mail, OrderLine
from pbem.hall.mail.incoming.unpack import forum_mail, mailing_lists, thread_mail
from pbem.hall.mail.incoming.unpack.thread_mail import ThreadNews
from pbem.hall.store.arena import Arena
from pbem.letters import addressing, authentication, reading
from pbem.table.model import seating


class Parcel(msgspec.Struct, frozen=True):
    """
    A mail that has been read, with what its recipients and subject say.

    Shape: `note` where it names games besides; `mailing_list` is the list, of a game of ours, that it was posted to,
    "" for none, and `author` who seems to have posted it; `forum_post` and `forum_author` are the numbers of a post
    in a topic, and of who wrote it, 0 for mail; `thread` is what mail from a private thread tells, and `author`
    whose it is once that is known; `vouched` is the address of an odd From whose domain our mail server found there.
    """

    mail: Mail
    letter: reading.Letter
    game: str
    token: str
    note: str = ""
    mailing_list: str = ""
    author: str = ""
    forum_post: int = 0
    forum_author: int = 0
    thread: ThreadNews | None = None
    vouched: str = ""

    @property
    def sender(self) -> str:
        """The one address that it is from, or "" if that is not clear; never that of a list."""
        if self.is_posted or self.thread:
            return self.author
        return self.letter.senders[0] if len(self.letter.senders) == 1 else self.vouched

    @property
    def is_posted(self) -> bool:
        """Whether it stood in a topic, a list sent it on, or it came to us beside the list, in no role."""
        return bool(self.forum_post) or (bool(self.mailing_list) and (self.letter.kind == "list" or not self.token))

    @property
    def writer(self) -> str:
        """What tells whoever posted it from others; "" where that is not clear."""
        return f"forum {self.forum_author}" if self.forum_author else self.author


def unpack(arena: Arena, mail: Mail) -> Parcel:
    """Read a mail and find out which game it is for; a game that is only named in the text is found too."""
    letter = reading.read(mail.raw)
    if mail.door == forum_mail.DOOR:
        return _from_forum(arena, mail, letter)
    found = addressing.addressed(letter.to, letter.subject, arena.settings.arena.address)
    here = [game for game in (found.game, *found.others) if arena.has_game(game)]
    game = found.game if found.token else next(iter(here), found.game)
    mailing_list = mailing_lists.list_of(arena, letter)
    if mailing_list and not found.token:
        game = mailing_lists.game_of(arena, letter, mailing_list)
    elif not game:
        wish = seating.wish(reading.newly(letter, ()))
        game = wish[0] if wish else _game_in_subject(arena, letter.subject)
    besides = ", ".join(other for other in here if found.token and other != game)
    note = f"Your mail went to {besides} as well. It counts in {game} alone; write one to each game." if besides else ""
    author = mailing_lists.author(arena, letter) if mailing_list else ""
    vouched = _vouched(arena, letter) if found.token else ""
    return Parcel(mail, letter, game, found.token, note, mailing_list, author, vouched=vouched)


def _vouched(arena: Arena, letter: reading.Letter) -> str:
    """Return the address in an odd From, where its domain is the one that our mail server read there, or ""."""
    domain = letter.angled.rpartition("@")[2]
    found = authentication.domain_of(letter.results, arena.settings.arena.authserv) if domain else ""
    return letter.angled if domain and found == domain else ""


def _from_forum(arena: Arena, mail: Mail, letter: reading.Letter) -> Parcel:
    """Read what stood in a topic or a thread: the forum says whose post it is, and of which game the index."""
    if news := thread_mail.read(mail):
        return Parcel(mail, letter, news.game, "", thread=news)
    topic, post, author = forum_mail.numbers(mail)
    return Parcel(mail, letter, arena.index.forum.game_of(topic), "", forum_post=post, forum_author=author)


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
    if parcel.forum_post or parcel.thread:
        return addressing.content_key("", "", parcel.mail.digest, "", ("forum",))
    if parcel.is_posted:
        return addressing.content_key("", "", letter.message_id or parcel.mail.digest, "", (parcel.mailing_list,))
    texts = (line.text for line in lines)
    return addressing.content_key(parcel.sender, parcel.token, letter.message_id, letter.date, texts)
