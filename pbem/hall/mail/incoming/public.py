"""Mail of a mailing list on which we play: which list it is of, who wrote it, which of its games it is about."""

import re
from collections.abc import Iterable, Sequence

from pbem.hall.store.arena import Arena
from pbem.letters import addressing, reading
from pbem.letters.reading import Letter
from pbem.table import seating

MOST_RECIPIENTS = 20
"""Of how many addresses that a mail names it is asked whether we play there."""


def list_of(arena: Arena, letter: Letter) -> str:
    """Return the address of the list that a mail was posted to, where we play on it; "" for none."""
    named = dict.fromkeys(address.lower() for address in (*letter.lists, *letter.named))
    return arena.index.games.known_list([*named][:MOST_RECIPIENTS])


def is_lists_own(arena: Arena, sender: str) -> bool:
    """Say whether a sender is a list's machine: `ember-request@`, `ember+owner@`, `ember-confirm+TOKEN@` and such."""
    local, _, host = sender.lower().rpartition("@")
    ends = [match.start() for match in re.finditer(r"[-+]", local)]
    return bool(arena.index.games.known_list([f"{local[:end]}@{host}" for end in ends[:MOST_RECIPIENTS]]))


def author(arena: Arena, letter: Letter, mailing_list: str) -> str:
    """
    Return the address of whoever posted a mail, "" where that is not clear.

    A list may put its own address in From, and the writer's in Reply-To or Cc. None of it proves anything.
    """
    here = arena.settings.arena.address
    for named in (letter.senders, letter.answer_to, letter.named):
        others = {address.lower() for address in named if not _is_theirs(address, mailing_list)}
        found = [address for address in sorted(others) if not addressing.is_ours(address, here)]
        if found:
            return found[0] if len(found) == 1 else ""
    return ""


def _is_theirs(address: str, mailing_list: str) -> bool:
    local, _, host = address.lower().rpartition("@")
    name, _, domain = mailing_list.rpartition("@")
    return host == domain and bool(re.fullmatch(rf"{re.escape(name)}(?:[-+].*)?", local))


def game_of(arena: Arena, letter: Letter, mailing_list: str) -> str:
    """
    Return which of the games on a list a post is about, "" where that is not clear.

    What it says itself counts first: a wish to join, its subject, what it answers. Else it is the one that is played.
    """
    games = arena.index.games.on_list(mailing_list)
    names = [name for name, _ in games]
    wish = seating.wish(reading.newly(letter, ()))
    answered = (one.strip("<>").rpartition("@")[0] for one in letter.references)
    said = (
        *filter(None, (wish and wish[0],)),
        *reversed(re.findall(r"\[([a-z0-9][a-z0-9-]*)\]", letter.subject.lower())),
        *re.findall(r"[a-z0-9][a-z0-9-]*", letter.subject.lower()),
        *(one.partition(".")[0] for one in answered if addressing.is_name(arena.secret, one)),
    )
    return next((one for one in said if one in names), "") or _only([name for name, over in games if not over], names)


def _only(played: Sequence[str], known: Iterable[str]) -> str:
    names = played or [*known]
    return names[0] if len(names) == 1 else ""
